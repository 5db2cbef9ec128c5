//! The room of command (L8 and the order book): who is told what.
//!
//! Decides when lines fire, what units are told, and what keepers do by
//! themselves. Reads the boards of posts and the inbox; writes [`Tasks`] and
//! [`FiredLines`], and asks `message`, `job` and `knowledge` through their queues.
//! Never reads the truth for a post's decision, never moves a man. *Off* (posts):
//! keepers do nothing by themselves, nobody calls for help or changes places unordered.
//!
//! A line fires when its condition becomes true, once, or each time with `keep`.
//! What it tells a unit holds until something of the same kind with the same or a
//! higher priority is told later. Standing instructions need no line: each kind has
//! its own, and an act strikes one out for a unit or lets it stand again. A keeper whose
//! policy is to guard shuts when an enemy could be at the leaves before they meet.

use bevy_ecs::prelude::*;

use self::book::{Book, Hold, Word};
use crate::core::digest::Digest;
use crate::core::ids::{LineId, SideId, UnitId, WorkId};
use crate::core::measure::PointCm;
use crate::orders::ast::{
    Act, Channel, Gait, GateOrder, Instruction, Instructions, Job, Line, Mark, Place, Sel, State,
    Subject, Who, amend,
};
use crate::sim::board::{
    Cries, Drummers, Fire, FiredLine, FiredLines, Heard, Inbox, LeafOrders, Letter, Outbox,
    Setting, Signalled, Signals, Swaps, Task, Tasks, ToldPosts, VolleyOrders,
};
use crate::sim::journal::{Called, Happening, Journal};
use crate::sim::judge::{self, Eyes, portal_of_work};
use crate::sim::known::{Boards, Known, Present};
use crate::sim::lands::leaf_at;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

mod book;
mod calls;
mod standing;

/// Pulses between two readings of a line that is for no gate.
const READS: u32 = 2;
/// Most pulses that a keeper looks away when no enemy that he knows of could be
/// near: one that he does not know of yet must not find him asleep.
const LOOKS_AWAY: f64 = 4.0;

/// Pulse from which each keeper looks again, by gate of the scenario.
#[derive(Resource, Clone, Debug, Default)]
struct Quiet(Vec<u32>);

/// Inserts the tasks and the book, and adds the systems.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let units = setting.scenario.units.len();
    let mut gate = vec![None; setting.site.works.len()];
    for start in &setting.scenario.gates {
        gate[start.work.index()] = Some(start.policy);
    }
    world.insert_resource(Tasks {
        task: vec![Task::Stand; units],
        since: vec![0; units],
        fire: vec![Fire::Will; units],
        stance: vec![Default::default(); units],
        shape: vec![None; units],
        jobs: Vec::new(),
        gate,
        standing: (0..units)
            .map(|u| Instructions::of(&setting.scenario.kind_of(UnitId::from_index(u)).standing))
            .collect(),
    });
    world.init_resource::<FiredLines>();
    world.init_resource::<Inbox>();
    world.init_resource::<Outbox>();
    world.init_resource::<LeafOrders>();
    world.init_resource::<Signals>();
    world.init_resource::<VolleyOrders>();
    world.init_resource::<Drummers>();
    world.init_resource::<Swaps>();
    world.init_resource::<Cries>();
    world.init_resource::<Heard>();
    world.init_resource::<ToldPosts>();
    world.insert_resource(standing::Subordinates::of(&setting));
    let mut book = Book { holds: vec![Hold::default(); units], ..Book::default() };
    book.add(&setting, &setting.scenario.standing);
    world.insert_resource(book);
    world.insert_resource(calls::Called::of(&setting));
    world.insert_resource(Quiet(vec![0; setting.scenario.gates.len()]));
    schedule.add_systems(
        (read, keep, calls::call, standing::swap, standing::call, standing::answer)
            .chain()
            .in_set(Phase::Orders),
    );
}

/// Puts lines into the book, from the current pulse on. A line of the same side
/// and label that has not fired gives way.
pub fn submit(world: &mut World, lines: &[Line]) {
    let setting = world.resource::<Setting>().clone();
    world.resource_mut::<Book>().add(&setting, lines);
}

/// What an act needs besides the board.
struct Desk<'a> {
    present: &'a Present<'a>,
    tasks: &'a mut Tasks,
    holds: &'a mut [Hold],
    leaves: &'a mut LeafOrders,
    signals: &'a mut Signals,
    volleys: &'a mut VolleyOrders,
    drummers: &'a mut Drummers,
    swaps: &'a mut Swaps,
    journal: &'a mut Journal,
    /// Amendments and withdrawals of other lines: side, label, act or none.
    edits: &'a mut Vec<(SideId, String, Option<Act>)>,
}

/// Reads the lines, sends or does what has fired, and does what has arrived.
#[expect(clippy::too_many_arguments, reason = "one parameter for each queue that it writes")]
fn read(
    present: Present,
    boards: Res<Boards>,
    mut book: ResMut<Book>,
    mut tasks: ResMut<Tasks>,
    mut fired: ResMut<FiredLines>,
    mut inbox: ResMut<Inbox>,
    mut outbox: ResMut<Outbox>,
    mut leaves: ResMut<LeafOrders>,
    (mut signals, mut volleys, mut drummers, mut swaps): (
        ResMut<Signals>,
        ResMut<VolleyOrders>,
        ResMut<Drummers>,
        ResMut<Swaps>,
    ),
    mut journal: ResMut<Journal>,
) {
    let pulse = present.clock.pulse;
    let instant = present.setting.off.is_off(Law::Message);
    // `job` has taken last pulse's jobs and volleys over.
    tasks.jobs.clear();
    volleys.0.clear();
    let Book { pages, holds: held, edits } = &mut *book;
    let mut desk = Desk {
        present: &present,
        tasks: &mut tasks,
        holds: held,
        leaves: &mut leaves,
        signals: &mut signals,
        volleys: &mut volleys,
        drummers: &mut drummers,
        swaps: &mut swaps,
        journal: &mut journal,
        edits,
    };
    for letter in inbox.0.drain(..) {
        desk.take(&letter);
        if let Some(page) =
            pages.iter_mut().find(|p| p.line.id == letter.line && p.line.label == letter.label)
        {
            page.told = true;
        }
        desk.call_arrived(&letter);
    }
    for page in pages.iter_mut().filter(|p| !p.withdrawn) {
        let gates = page.line.who.iter().any(|s| matches!(s, Subject::Work(_)));
        if !gates && !pulse.is_multiple_of(READS) {
            continue;
        }
        if page.waits() && page.became_true(&present, &boards, &fired) {
            page.fire();
            note(&mut fired, &page.line, page.side, false, pulse);
            for subject in &page.line.who {
                let letter = page.letter(*subject, pulse, page.line.acts.clone());
                match letter {
                    Some(letter) if !instant => outbox.letters.push(letter),
                    _ => {
                        let letter = page.spoken(*subject, pulse, page.line.acts.clone());
                        desk.take(&letter);
                        page.told = true;
                    }
                }
            }
        }
        if page.told && !page.over && page.is_over(&present, &boards, &fired) {
            page.over = true;
            note(&mut fired, &page.line, page.side, true, pulse);
            let acts = page.line.until.as_ref().map_or_else(Vec::new, |(_, then)| then.clone());
            for subject in &page.line.who {
                desk.release(*subject, page.line.id);
                desk.take(&page.spoken(*subject, pulse, acts.clone()));
            }
        }
    }
    for (side, label, act) in edits.drain(..) {
        for page in
            pages.iter_mut().filter(|p| p.side == side && p.line.label == label && p.waits())
        {
            match &act {
                Some(act) => amend(&mut page.line.acts, act.clone()),
                None => page.withdrawn = true,
            }
        }
        match act {
            Some(act) => outbox.amends.push((label, side, act)),
            None => outbox.cancels.push((label, side)),
        }
    }
}

/// Remembers that a line has fired: its first time counts.
fn note(fired: &mut FiredLines, line: &Line, side: SideId, then: bool, pulse: u32) {
    if !fired.0.iter().any(|f| f.then == then && f.side == side && f.label == line.label) {
        fired.0.push(FiredLine { label: line.label.clone(), then, side, pulse });
    }
}

impl Desk<'_> {
    /// A letter takes effect.
    fn take(&mut self, letter: &Letter) {
        let pulse = self.present.clock.pulse;
        let setting: &Setting = &self.present.setting;
        let side = setting.scenario.posts[letter.by.index()].side;
        let unit = match letter.to {
            Subject::Unit(unit) => Some(unit),
            // The gate's crew is who works for its keeper.
            Subject::Work(work) => {
                setting.scenario.gates.iter().find(|g| g.work == work).map(|g| g.crew)
            }
            Subject::Person(_) => None,
        };
        if letter.acts.is_empty() {
            return;
        }
        self.journal.add(
            pulse,
            Happening::OrderTaken {
                line: letter.line,
                label: letter.label.clone(),
                unit,
                by: letter.by,
            },
        );
        for act in &letter.acts {
            match act {
                Act::Gate(order) => self.gate(letter, *order),
                Act::Signal(channel) => {
                    // A unit gives it where it is; a keeper or a person from the post.
                    let from = unit.and_then(|unit| self.place_of(unit));
                    let from = from.unwrap_or_else(|| self.present.post_at(letter.by));
                    if *channel == Channel::Drum {
                        self.drummers.0.extend(unit);
                    }
                    self.signals.0.push(Signalled { channel: *channel, from, by: letter.by });
                    self.journal
                        .add(pulse, Happening::Signal { channel: *channel, from, by: letter.by });
                }
                Act::Amend(label, act) => {
                    self.edits.push((side, label.clone(), Some((**act).clone())))
                }
                Act::Cancel(label) => self.edits.push((side, label.clone(), None)),
                Act::Call(text) => {
                    let at = self.present.post_at(letter.by);
                    let call = Happening::Call {
                        side,
                        kind: Called::Told,
                        text: text.clone(),
                        zh: text.clone(),
                        at,
                    };
                    self.journal.add(pulse, call);
                }
                Act::Swap(front, rear) => self.swaps.tell(*front, *rear, pulse),
                Act::Standing(what, mark) => {
                    if let Subject::Unit(unit) = letter.to {
                        self.mark(unit, *what, *mark);
                    }
                }
                Act::Job(job, place) => {
                    self.tasks.jobs.extend(unit.map(|unit| (unit, *job, *place)));
                    // Engines that are to stand elsewhere go there with their crews.
                    if let (Job::Emplace, Some(unit)) = (job, unit)
                        && *place != Place::Unit(unit)
                    {
                        let to = Act::Go { to: *place, gait: Gait::Walk, shape: None };
                        self.tell(unit, &to, letter);
                    }
                }
                act => {
                    // A unit obeys through its own line only: a keeper's line moves leaves, not his crew.
                    if let Subject::Unit(unit) = letter.to {
                        self.tell(unit, act, letter);
                    }
                }
            }
        }
    }

    /// Tells a unit something that holds from now on.
    fn tell(&mut self, unit: UnitId, act: &Act, letter: &Letter) {
        let u = unit.index();
        let word = Word { line: Some(letter.line), prio: letter.prio };
        let hold = &mut self.holds[u];
        let slot = match act {
            Act::Shoot { .. } | Act::HoldFire | Act::Volley(_) => &mut hold.fire,
            Act::Shape(_) => &mut hold.shape,
            Act::Stance(_) => &mut hold.stance,
            _ => &mut hold.task,
        };
        if word.prio < slot.prio {
            return;
        }
        *slot = word;
        let mut task = None;
        match act {
            Act::Go { to, gait, shape } => {
                task = Some(Task::Go(*to, *gait));
                if let Some(shape) = shape
                    && word.prio >= hold.shape.prio
                {
                    hold.shape = word;
                    self.tasks.shape[u] = Some(*shape);
                }
            }
            Act::Stand(place) => task = Some(Task::Hold(*place)),
            Act::Charge(sel) => task = Some(Task::Charge(sel.clone())),
            Act::Chase { prey, leash_cm, of } => {
                task = Some(Task::Chase(prey.clone(), *leash_cm, *of))
            }
            Act::Screen(of) => task = Some(Task::Screen(*of)),
            Act::Follow(whom, cm) => task = Some(Task::Follow(*whom, *cm)),
            Act::Back { refuges, bound } => task = Some(Task::Back(refuges.clone(), *bound)),
            Act::Shape(shape) => self.tasks.shape[u] = Some(*shape),
            Act::Shoot { at, free, spare_cm } => {
                self.tasks.fire[u] = Fire::At(at.clone(), *free, *spare_cm)
            }
            Act::HoldFire => self.tasks.fire[u] = Fire::Hold,
            Act::Volley(volleys) => {
                self.tasks.fire[u] = Fire::Volley(*volleys);
                self.volleys.0.push((unit, *volleys, self.tasks.jobs.len()));
            }
            Act::Stance(stance) => self.tasks.stance[u] = *stance,
            Act::Job(..)
            | Act::Swap(..)
            | Act::Standing(..)
            | Act::Gate(_)
            | Act::Signal(_)
            | Act::Amend(..)
            | Act::Cancel(_)
            | Act::Call(_) => {}
        }
        if let Some(task) = task {
            self.tasks.task[u] = task;
            self.tasks.since[u] = self.present.clock.pulse;
        }
    }

    /// A standing instruction is struck out or stands again, if the kind carries it.
    fn mark(&mut self, unit: UnitId, what: Instruction, mark: Mark) {
        if self.present.setting.scenario.kind_of(unit).standing.contains(&what) {
            self.tasks.standing[unit.index()].mark(what, mark);
        }
    }

    /// Where the first company of a unit is that still stands.
    fn place_of(&self, unit: UnitId) -> Option<PointCm> {
        self.present.roster.of_unit[unit.index()]
            .iter()
            .find(|c| self.present.strength.men[c.index()] > 0)
            .map(|c| self.present.places.at[c.index()])
    }

    /// What a line told a unit holds no longer.
    fn release(&mut self, subject: Subject, line: LineId) {
        let Subject::Unit(unit) = subject else { return };
        let u = unit.index();
        let hold = &mut self.holds[u];
        // What another line has told since then stands.
        let own = |word: &mut Word| {
            let own = word.line == Some(line);
            if own {
                *word = Word::default();
            }
            own
        };
        if own(&mut hold.task) {
            self.tasks.task[u] = Task::Stand;
            self.tasks.since[u] = self.present.clock.pulse;
        }
        if own(&mut hold.fire) {
            self.tasks.fire[u] = Fire::Will;
        }
        own(&mut hold.shape);
        own(&mut hold.stance);
    }

    /// Tells the keeper of a gate, or of the gates that a unit is the crew of.
    fn gate(&mut self, letter: &Letter, order: GateOrder) {
        for start in &self.present.setting.scenario.gates {
            let meant = match letter.to {
                Subject::Work(work) => work == start.work,
                Subject::Unit(unit) => unit == start.crew,
                Subject::Person(_) => false,
            };
            if !meant {
                continue;
            }
            self.tasks.gate[start.work.index()] = Some(order);
            match order {
                GateOrder::Open => self.leaves.0.push((start.work, true)),
                GateOrder::Shut => self.leaves.0.push((start.work, false)),
                GateOrder::Guard => {}
            }
        }
    }

    fn call_arrived(&mut self, letter: &Letter) {
        let setting: &Setting = &self.present.setting;
        let side = setting.scenario.posts[letter.by.index()].side;
        let (name, at) = match letter.to {
            Subject::Unit(unit) => (
                setting.scenario.units[unit.index()].name.clone(),
                self.present.roster.of_unit[unit.index()]
                    .first()
                    .map(|c| self.present.places.at[c.index()]),
            ),
            Subject::Work(work) => (
                setting.site.works[work.index()].name.clone(),
                Some(setting.site.works[work.index()].at),
            ),
            Subject::Person(person) => {
                (setting.scenario.persons[person.index()].name.clone(), None)
            }
        };
        let call = Happening::Call {
            side,
            kind: Called::MessageArrived,
            text: format!("{} has its orders", name.en),
            zh: format!("{}已得令", name.zh),
            at: at.unwrap_or_else(|| self.present.post_at(letter.by)),
        };
        self.journal.add(self.present.clock.pulse, call);
    }
}

/// Seconds in which the first enemy known could be at the leaves of a gate.
#[must_use]
pub fn threat_s(known: &Known<'_>, work: WorkId) -> Option<f64> {
    let portal = portal_of_work(&known.setting().site, work)?;
    let leaf = leaf_at(&known.setting().site, portal);
    let enemies = Sel { states: vec![State::Unbroken], ..Sel::of(Who::Enemy) };
    let mut best = None;
    judge::each(&enemies, known, |company, seen, _| {
        let s = judge::dash_s(known.setting(), known.roster(), company, seen.at.distance_cm(leaf));
        best = Some(best.map_or(s, |b: f64| if s < b { s } else { b }));
    });
    best
}

/// Seconds until a gate would be shut if it were ordered now.
#[must_use]
pub fn shutting_s(setting: &Setting, work: WorkId, gap: i32) -> f64 {
    let kind = &setting.rules.works[setting.site.works[work.index()].kind.index()];
    setting.rules.laws.job.begins_s.v() + kind.leaf_s.v() * f64::from(gap) / 1000.0
}

/// Keepers who guard, and who have no line that tells them when.
fn keep(
    present: Present,
    boards: Res<Boards>,
    book: Res<Book>,
    tasks: Res<Tasks>,
    fired: Res<FiredLines>,
    mut quiet: ResMut<Quiet>,
    mut leaves: ResMut<LeafOrders>,
) {
    let setting: &Setting = &present.setting;
    if setting.off.is_off(Law::Post) {
        return;
    }
    for (start, quiet) in setting.scenario.gates.iter().zip(&mut quiet.0) {
        let told = tasks.gate[start.work.index()] == Some(GateOrder::Guard);
        if !told
            || *quiet > present.clock.pulse
            || book.pages.iter().any(|page| page.will_move(start.work))
        {
            continue;
        }
        let Some(portal) = portal_of_work(&setting.site, start.work) else { continue };
        let gap = present.gates.gap[portal.index()];
        let known = present.known(&boards, start.keeper, &[], &fired.0);
        let threat = threat_s(&known, start.work);
        // He needs as long to see and say it as any man to understand.
        let needs = shutting_s(setting, start.work, gap.max(1))
            + setting.rules.laws.message.understand_s.v();
        let whole =
            shutting_s(setting, start.work, 1000) + setting.rules.laws.message.understand_s.v();
        // Nobody comes faster than at a dash: until then there is nothing to judge.
        let idle =
            threat.map_or(LOOKS_AWAY, |s| (s - whole) / present.clock.dt()).clamp(0.0, LOOKS_AWAY);
        *quiet = present.clock.pulse + idle as u32;
        if threat.is_some_and(|s| s <= needs) {
            if gap > 0 {
                leaves.0.push((start.work, false));
            }
        } else if start.open
            && gap < 1000
            && threat.is_none_or(|s| s > whole * setting.rules.laws.command.opens_again.v())
        {
            leaves.0.push((start.work, true));
        }
    }
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let (tasks, setting) = (world.resource::<Tasks>(), world.resource::<Setting>());
    for u in 0..tasks.task.len() {
        d.bytes(
            format!(
                "{:?}{:?}{:?}{:?}",
                tasks.task[u], tasks.fire[u], tasks.stance[u], tasks.shape[u]
            )
            .as_bytes(),
        );
        d.u32(tasks.since[u]);
        let standing = setting.scenario.kind_of(UnitId::from_index(u)).standing.as_slice();
        if tasks.standing[u] != Instructions::of(standing) {
            d.u32((u as u32) << 8 | u32::from(tasks.standing[u].bits()));
        }
    }
    d.bytes(format!("{:?}", tasks.gate).as_bytes());
    for swap in &world.resource::<Swaps>().0 {
        d.u32(u32::from(swap.front.0) << 16 | u32::from(swap.rear.0));
        d.u32(swap.since);
        if !swap.ordered {
            d.u32(u32::MAX);
        }
    }
    world.resource::<standing::Subordinates>().digest(d);
    world.resource::<Book>().digest(d);
}
