//! Why a line cannot be given: typed refusals with the figures that explain them.
//!
//! The screen shows them beside the order, the checks turn them into findings.
//! A line without refusal is legal, not wise.

mod words;

use super::ast::{Act, Cond, Event, Instruction, Job, Line, Measure, Place, Sel, Subject, Who};
use crate::core::ids::{AreaId, EngineKindId, NodeId, PersonId, PostId, SideId, UnitId, WorkId};
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Shot;
use crate::scenario::site::{Level, WorkForm};

/// What is wrong with a line. Distances are metres.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are named for what they are")]
pub enum Refusal {
    /// It is for nobody.
    Nobody,
    /// It does nothing.
    NoActs,
    /// An id of it names nothing in this battle.
    Unknown,
    /// A unit of another side.
    NotYours { unit: UnitId, side: SideId },
    /// A post of another side, or one that no player commands.
    NotYourPost { post: PostId },
    /// A gate that is kept by another side, or by nobody.
    NotYourGate { work: WorkId },
    /// Not a gate.
    NoGate { work: WorkId },
    /// A unit that is the crew of no gate.
    NotItsGate { unit: UnitId },
    /// A person cannot be ordered apart from his unit yet.
    PersonApart { person: PersonId },
    /// A point outside of the map.
    OffTheMap { x_m: f64, y_m: f64 },
    /// A point where nobody can stand.
    NoStanding { x_m: f64, y_m: f64 },
    /// An area with no ground to stand on.
    EmptyArea { area: AreaId },
    /// Horses cannot go up there.
    HorseOnRampart { unit: UnitId, area: AreaId },
    /// It has nothing to shoot with.
    CannotShoot { unit: UnitId },
    /// The shape does not let its men shoot.
    ShapeCannotShoot { unit: UnitId },
    /// Everything meant lies nearer to the foot of the wall than it can depress.
    DeadZone { unit: UnitId, from_m: f64, within_m: f64 },
    /// Nothing meant is within reach from its post.
    OutOfRange { unit: UnitId, range_m: f64, distance_m: f64 },
    /// It has no engines for such a job.
    NoEngines { unit: UnitId, job: Job },
    /// An area that is no wall-walk.
    NoWalk { area: AreaId },
    /// It carries no ladders.
    NoLadders { unit: UnitId },
    /// Nothing on the board answers to the job yet.
    NoSuchJob { job: Job },
    /// A unit told to screen or follow itself.
    Itself { unit: UnitId },
    /// A leash, distance, count or time below zero or not a number.
    BadNumber { value: f64 },
    /// A priority that is not 1 to 9.
    BadPriority { prio: u8 },
    /// A way home without a refuge.
    NoRefuge,
    /// A standing instruction that its kind does not carry.
    NotCarried { unit: UnitId, instruction: Instruction },
    /// The line that it changes or waits for is not there.
    NoSuchLine { label: String },
    /// It changes itself.
    ItsOwnLine { label: String },
}

/// All that is wrong with a line that `side` wants to give; `labels` are the
/// lines of its book, itself included. A line of a scenario or record is checked
/// with `side` none: then its post's side is the one that commands.
#[must_use]
pub fn refusals(
    line: &Line,
    scenario: &Scenario,
    side: Option<SideId>,
    labels: &[&str],
) -> Vec<Refusal> {
    let mut check = Check { scenario, line, labels, found: Vec::new() };
    check.heads(side);
    check.cond(&line.when);
    if let Some((until, then)) = &line.until {
        check.cond(until);
        for act in then {
            check.act(act);
        }
    }
    for act in &line.acts {
        check.act(act);
    }
    check.found
}

struct Check<'a> {
    scenario: &'a Scenario,
    line: &'a Line,
    labels: &'a [&'a str],
    found: Vec<Refusal>,
}

impl Check<'_> {
    fn add(&mut self, refusal: Refusal) {
        if !self.found.contains(&refusal) {
            self.found.push(refusal);
        }
    }

    fn heads(&mut self, side: Option<SideId>) {
        if self.line.who.is_empty() {
            self.add(Refusal::Nobody);
        }
        if self.line.acts.is_empty() {
            self.add(Refusal::NoActs);
        }
        if !(1..=9).contains(&self.line.prio) {
            self.add(Refusal::BadPriority { prio: self.line.prio });
        }
        let post = self.scenario.posts.get(self.line.by.index());
        match post {
            None => self.add(Refusal::Unknown),
            Some(post) if side.is_some_and(|s| s != post.side || !post.players) => {
                self.add(Refusal::NotYourPost { post: self.line.by });
            }
            Some(_) => {}
        }
        let commands = side.or(post.map(|p| p.side));
        for subject in &self.line.who {
            match *subject {
                Subject::Unit(unit) if unit.index() >= self.scenario.units.len() => {
                    self.add(Refusal::Unknown)
                }
                Subject::Unit(unit) => {
                    let of = self.scenario.side_of(unit);
                    if commands.is_some_and(|s| s != of) {
                        self.add(Refusal::NotYours { unit, side: of });
                    }
                }
                Subject::Work(work) => self.gate(work, commands),
                Subject::Person(person) => self.add(Refusal::PersonApart { person }),
            }
        }
    }

    fn gate(&mut self, work: WorkId, side: Option<SideId>) {
        let Some(built) = self.scenario.site.works.get(work.index()) else {
            return self.add(Refusal::Unknown);
        };
        if !matches!(built.form, WorkForm::Gate { .. }) {
            return self.add(Refusal::NoGate { work });
        }
        let keeper = self.scenario.gates.iter().find(|g| g.work == work).map(|g| g.keeper);
        let of = keeper.and_then(|k| self.scenario.posts.get(k.index())).map(|p| p.side);
        if of.is_none() || (side.is_some() && side != of) {
            self.add(Refusal::NotYourGate { work });
        }
    }

    fn units(&self) -> Vec<UnitId> {
        let known = self.scenario.units.len();
        let units = self
            .line
            .who
            .iter()
            .filter_map(|s| if let Subject::Unit(u) = s { Some(*u) } else { None });
        units.filter(|u| u.index() < known).collect()
    }

    fn number(&mut self, value: f64) {
        if !value.is_finite() || value < 0.0 {
            self.add(Refusal::BadNumber { value });
        }
    }

    fn place(&mut self, place: Place) {
        let scenario = self.scenario;
        let known = match place {
            Place::Area(area) => area.index() < scenario.site.areas.len(),
            Place::Work(work) => work.index() < scenario.site.works.len(),
            Place::Unit(unit) => unit.index() < scenario.units.len(),
            Place::Person(person) => person.index() < scenario.persons.len(),
            Place::Point(_) => true,
        };
        if !known {
            self.add(Refusal::Unknown);
        }
    }

    /// A place that units are to go to.
    fn goal(&mut self, place: Place) {
        self.place(place);
        let site = &self.scenario.site;
        let stands = |node: NodeId| site.nodes.get(node.index()).is_some_and(|n| n.room_cm2 > 0);
        match place {
            Place::Point(at) => {
                let (x_m, y_m) = (f64::from(at.x) / 100.0, f64::from(at.y) / 100.0);
                match site.node_at(at) {
                    None => self.add(Refusal::OffTheMap { x_m, y_m }),
                    Some(ground) => {
                        let rampart = site.rampart_of.get(ground.index()).copied().flatten();
                        if !stands(ground) && !rampart.is_some_and(stands) {
                            self.add(Refusal::NoStanding { x_m, y_m });
                        }
                    }
                }
            }
            Place::Area(area) => {
                let Some(land) = site.areas.get(area.index()) else { return };
                let free = land.nodes.iter().filter(|n| stands(**n));
                let (mut any, mut ground) = (false, false);
                for node in free {
                    any = true;
                    ground |= site.nodes[node.index()].level == Level::Ground;
                }
                if !any {
                    self.add(Refusal::EmptyArea { area });
                } else if !ground && !self.horse_can_climb() {
                    for unit in self.units() {
                        if self.scenario.kind_of(unit).mounted {
                            self.add(Refusal::HorseOnRampart { unit, area });
                        }
                    }
                }
            }
            Place::Work(_) | Place::Unit(_) | Place::Person(_) => {}
        }
    }

    /// Whether any ramp of the map bears horses.
    fn horse_can_climb(&self) -> bool {
        let site = &self.scenario.site;
        site.works.iter().any(|w| match w.form {
            WorkForm::Ramp { portal } => site.portals.get(portal.index()).is_some_and(|p| p.horse),
            _ => false,
        })
    }

    fn sel(&mut self, sel: &Sel) {
        let s = self.scenario;
        let known = match sel.who {
            Who::Party(party) => party.index() < s.parties.len(),
            Who::Side(side) => side.index() < s.sides.len(),
            Who::Corps(corps) => corps.index() < s.corps.len(),
            Who::Unit(unit) => unit.index() < s.units.len(),
            Who::Kind(kind) => kind.index() < s.rules.units.len(),
            Who::Person(person) => person.index() < s.persons.len(),
            Who::Enemy | Who::Friend | Who::Own => true,
        };
        if !known || sel.area.is_some_and(|a| a.index() >= s.site.areas.len()) {
            self.add(Refusal::Unknown);
        }
        if let Some((cm, place)) = sel.within {
            self.number(f64::from(cm));
            self.place(place);
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Start => {}
            Cond::At(s) => self.number(f64::from(*s)),
            Cond::After(s, event) => {
                self.number(f64::from(*s));
                self.event(event);
            }
            Cond::Event(event) => self.event(event),
            Cond::Is(measure, _, value) => {
                if !value.is_finite() {
                    self.add(Refusal::BadNumber { value: *value });
                }
                self.measure(measure);
            }
            Cond::All(conds) | Cond::Any(conds) => conds.iter().for_each(|c| self.cond(c)),
            Cond::Not(cond) => self.cond(cond),
            Cond::For(s, cond) => {
                self.number(f64::from(*s));
                self.cond(cond);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Fired { line, .. } => self.label(line),
            Event::Seen(sel) | Event::Contact(sel) | Event::Broke(sel) | Event::Yielded(sel) => {
                self.sel(sel)
            }
            Event::Entered(sel, area) | Event::Left(sel, area) => {
                self.sel(sel);
                self.place(Place::Area(*area));
            }
            Event::Reached(sel, place) => {
                self.sel(sel);
                self.place(*place);
            }
            Event::Opened(work) | Event::Shut(work) | Event::Jammed(work) => self.door(*work),
            Event::Taken(area, side) => {
                self.place(Place::Area(*area));
                if side.index() >= self.scenario.sides.len() {
                    self.add(Refusal::Unknown);
                }
            }
            Event::Heads(area) => {
                self.place(Place::Area(*area));
                let site = &self.scenario.site;
                let walk = |a: &crate::scenario::site::Area| {
                    site.nodes[a.centre.index()].level == Level::Rampart
                };
                if !site.areas.get(area.index()).is_some_and(walk) {
                    self.add(Refusal::NoWalk { area: *area });
                }
            }
            Event::Empty(unit) | Event::Loaded(unit) => self.place(Place::Unit(*unit)),
            Event::Fell(person) | Event::Hurt(person) => self.place(Place::Person(*person)),
            Event::Heard(_) | Event::Told(_) => {}
        }
    }

    fn door(&mut self, work: WorkId) {
        match self.scenario.site.works.get(work.index()).map(|w| &w.form) {
            None => self.add(Refusal::Unknown),
            Some(WorkForm::Gate { .. }) => {}
            Some(_) => self.add(Refusal::NoGate { work }),
        }
    }

    fn measure(&mut self, measure: &Measure) {
        match measure {
            Measure::Men(sel) | Measure::Heart(sel) | Measure::Stamina(sel) => self.sel(sel),
            Measure::Share(part, whole) => {
                self.sel(part);
                self.sel(whole);
            }
            Measure::Loss(sel, s) => {
                self.sel(sel);
                self.number(f64::from(*s));
            }
            Measure::Dist(sel, place) | Measure::Eta(sel, place) => {
                self.sel(sel);
                self.place(*place);
            }
            Measure::Ratio(area) => self.place(Place::Area(*area)),
            Measure::Ammo(unit) => self.place(Place::Unit(*unit)),
            Measure::Gap(work) => self.door(*work),
        }
    }

    fn label(&mut self, label: &str) {
        if !self.labels.contains(&label) {
            self.add(Refusal::NoSuchLine { label: label.into() });
        }
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Go { to, .. } | Act::Stand(to) => self.goal(*to),
            Act::Charge(sel) => self.sel(sel),
            Act::Chase { prey, leash_cm, of } => {
                self.sel(prey);
                self.number(f64::from(*leash_cm));
                self.place(*of);
            }
            Act::Swap(front, rear) => {
                for unit in [front, rear] {
                    self.place(Place::Unit(*unit));
                }
                if front == rear {
                    self.add(Refusal::Itself { unit: *front });
                }
            }
            Act::Screen(unit) | Act::Follow(unit, _) => {
                self.place(Place::Unit(*unit));
                if self.line.who.contains(&Subject::Unit(*unit)) {
                    self.add(Refusal::Itself { unit: *unit });
                }
                if let Act::Follow(_, cm) = act {
                    self.number(f64::from(*cm));
                }
            }
            Act::Back { refuges, .. } => {
                if refuges.is_empty() {
                    self.add(Refusal::NoRefuge);
                }
                refuges.iter().for_each(|r| self.goal(*r));
            }
            Act::Shoot { at, spare_cm, .. } => {
                self.sel(at);
                self.number(f64::from(*spare_cm));
                for unit in self.units() {
                    self.shoots(unit, at);
                }
            }
            Act::Volley(volleys) => {
                if *volleys < 1 {
                    self.add(Refusal::BadNumber { value: f64::from(*volleys) });
                }
                for unit in self.units() {
                    if self.shot_of(unit).is_none() {
                        self.add(Refusal::CannotShoot { unit });
                    }
                }
            }
            Act::Job(job, place) => self.job(*job, *place),
            Act::Standing(instruction, _) => {
                for unit in self.units() {
                    if !self.scenario.kind_of(unit).standing.contains(instruction) {
                        self.add(Refusal::NotCarried { unit, instruction: *instruction });
                    }
                }
            }
            Act::Gate(_) => {
                // For keepers; or for the crew of a gate.
                for unit in self.units() {
                    if !self.scenario.gates.iter().any(|g| g.crew == unit) {
                        self.add(Refusal::NotItsGate { unit });
                    }
                }
            }
            Act::Amend(label, act) => {
                self.label(label);
                if *label == self.line.label {
                    self.add(Refusal::ItsOwnLine { label: label.clone() });
                }
                self.act(act);
            }
            Act::Cancel(label) => {
                self.label(label);
                if *label == self.line.label {
                    self.add(Refusal::ItsOwnLine { label: label.clone() });
                }
            }
            Act::Shape(_) | Act::HoldFire | Act::Signal(_) | Act::Stance(_) | Act::Call(_) => {}
        }
    }

    fn job(&mut self, job: Job, place: Place) {
        self.place(place);
        match job {
            Job::Bar | Job::Clear => {
                if let Place::Work(work) = place {
                    self.door(work);
                }
            }
            Job::Depress | Job::Load | Job::Emplace | Job::DrawBack => {
                for unit in self.units() {
                    if self.scenario.units[unit.index()].engines.is_empty() {
                        self.add(Refusal::NoEngines { unit, job });
                    }
                }
            }
            Job::Ram => {
                if let Place::Work(work) = place {
                    self.door(work);
                }
                for unit in self.units() {
                    let rams = |kind: &EngineKindId| {
                        let kind = self.scenario.rules.engines.get(kind.index());
                        kind.is_some_and(|k| k.ram.is_some())
                    };
                    let engines = &self.scenario.units[unit.index()].engines;
                    if !engines.iter().any(|(kind, _)| rams(kind)) {
                        self.add(Refusal::NoEngines { unit, job });
                    }
                }
            }
            Job::Raise => {
                for unit in self.units() {
                    if self.scenario.units[unit.index()].ladders <= 0 {
                        self.add(Refusal::NoLadders { unit });
                    }
                }
            }
            Job::CastDown | Job::Drop => {}
            Job::Mount | Job::Dismount => self.add(Refusal::NoSuchJob { job }),
        }
    }

    /// What a unit shoots with: its engines, else its own weapon.
    fn shot_of(&self, unit: UnitId) -> Option<&Shot> {
        let rules = &self.scenario.rules;
        let engine = |kind: EngineKindId| rules.engines.get(kind.index()).and_then(|e| e.weapon);
        let own = &self.scenario.units[unit.index()];
        let weapon = own
            .engines
            .iter()
            .find_map(|(kind, _)| engine(*kind))
            .or(self.scenario.kind_of(unit).missile);
        rules.weapons.get(weapon?.index())?.shot.as_ref()
    }

    fn shoots(&mut self, unit: UnitId, at: &Sel) {
        let Some(shot) = self.shot_of(unit).cloned() else {
            return self.add(Refusal::CannotShoot { unit });
        };
        let told = self.line.acts.iter().rev().find_map(|act| match act {
            Act::Shape(shape) | Act::Go { shape: Some(shape), .. } => Some(*shape),
            _ => None,
        });
        let own = &self.scenario.units[unit.index()];
        if own.engines.is_empty()
            && told
                .is_some_and(|s| self.scenario.rules.shapes.iter().any(|k| k.id == s && !k.shoots))
        {
            self.add(Refusal::ShapeCannotShoot { unit });
        }
        let Some((cm, place)) = at.within else { return };
        let site = &self.scenario.site;
        let stands = own.stands;
        let within_m = f64::from(cm) / 100.0;
        // Who stands on the wall cannot shoot down at its foot; one on the ground
        // moves, so nothing is said of him.
        if stands.level != Level::Rampart {
            return;
        }
        let height_m = site
            .node_on(stands.at, Level::Rampart)
            .and_then(|n| site.nodes.get(n.index()))
            .map_or(0.0, |n| f64::from(n.height_cm) / 100.0);
        let steep = shot.depression.v();
        let from_m = if steep > 0.0 { height_m / steep } else { 0.0 };
        if matches!(place, Place::Work(_)) && within_m < from_m && !shot.lobbed {
            self.add(Refusal::DeadZone { unit, from_m, within_m });
        }
        let target = match place {
            Place::Point(at) => Some(at),
            Place::Area(area) => site.areas.get(area.index()).map(|a| a.at),
            Place::Work(work) => site
                .works
                .get(work.index())
                .filter(|w| !matches!(w.form, WorkForm::Wall { .. }))
                .map(|w| w.at),
            Place::Unit(_) | Place::Person(_) => None,
        };
        if let Some(target) = target {
            let away_m = f64::from(stands.at.distance_cm(target)) / 100.0;
            let distance_m = away_m - within_m - f64::from(stands.front_cm) / 200.0;
            if distance_m > shot.range_m.v() {
                self.add(Refusal::OutOfRange { unit, range_m: shot.range_m.v(), distance_m });
            }
        }
    }
}
