//! What posts and their men do by standing instruction: who steps forward on a walk
//! where enemies come over the parapet, who calls for help and who goes.
//!
//! All of it is read from the board of the post whose men they are. What a line has
//! told a unit goes first: an instruction speaks with the lowest priority.

use bevy_ecs::prelude::*;

use super::book::Book;
use crate::core::ids::{AreaId, LineId, PostId, UnitId, WorkId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Act, Channel, Gait, Instruction, Place, Subject};
use crate::scenario::site::Level;
use crate::sim::board::{
    Cries, Cry, FiredLines, Heard, Letter, Outbox, Setting, Swaps, Task, Tasks, Tiding, ToldPosts,
};
use crate::sim::journal::{Called as Kind, Happening, Journal};
use crate::sim::judge::{Eyes, Seen};
use crate::sim::known::{Boards, Known, Present};
use crate::sim::laws::Law;

/// Pulses between two looks of a post at its men.
const LOOKS: u32 = 4;
/// Priority of what is done by standing instruction: below that of every order.
const PRIO: u8 = 1;
/// What such a message is called.
const LABEL: &str = "help";

/// What posts remember of their men and of calls.
#[derive(Resource, Clone, Debug, Default)]
pub struct Subordinates {
    /// The stretch of walk on which each unit was set at the start.
    set_on: Vec<Option<AreaId>>,
    /// Last call of each post for each area: the pulse.
    called: Vec<(PostId, AreaId, u32)>,
    /// Pulse from which each unit may be sent again.
    sent: Vec<u32>,
    /// Where enemies are known on walks, for one look.
    heads: Vec<(WorkId, PointCm)>,
    /// Areas that a post has looked at, for one look.
    looked: Vec<AreaId>,
}

impl Subordinates {
    /// As the units are set at the start.
    #[must_use]
    pub fn of(setting: &Setting) -> Self {
        let site = &setting.site;
        let set_on = |unit: &crate::scenario::battle::Unit| {
            if unit.stands.level != Level::Rampart {
                return None;
            }
            let node = site.node_on(unit.stands.at, Level::Rampart)?;
            (0..site.areas.len()).map(AreaId::from_index).find(|a| site.in_area(*a, node))
        };
        let units = &setting.scenario.units;
        Self {
            set_on: units.iter().map(set_on).collect(),
            sent: vec![0; units.len()],
            ..Self::default()
        }
    }

    /// Adds what was done by standing instruction.
    pub fn digest(&self, d: &mut crate::core::digest::Digest) {
        for (post, area, pulse) in &self.called {
            d.u32(u32::from(post.0) << 16 | u32::from(area.0));
            d.u32(*pulse);
        }
        for (unit, pulse) in self.sent.iter().enumerate().filter(|(_, pulse)| **pulse > 0) {
            d.u32(unit as u32);
            d.u32(*pulse);
        }
    }
}

/// The units of a post.
fn units_of(setting: &Setting, post: PostId) -> impl Iterator<Item = UnitId> + '_ {
    let corps = setting.scenario.corps.iter().filter(move |c| c.post == post);
    corps.flat_map(|c| c.units.iter().copied())
}

/// The wall on whose walk somebody is known to be, or comes over the parapet.
fn on_walk(setting: &Setting, seen: &Seen) -> Option<WorkId> {
    let node = &setting.site.nodes[seen.node.index()];
    if node.level == Level::Rampart {
        return node.work;
    }
    let (portal, _) = seen.straddles.filter(|(_, inward)| *inward && seen.passed > 0)?;
    (portal.index() >= setting.site.passages).then(|| setting.site.portals[portal.index()].work)
}

/// Where companies of a unit are known to be fit and to satisfy something.
fn any(known: &Known<'_>, unit: UnitId, mut is: impl FnMut(&Seen) -> bool) -> bool {
    known.roster().of_unit[unit.index()]
        .iter()
        .any(|c| known.seen(*c).is_some_and(|seen| seen.is_fit() && seen.men > 0 && is(&seen)))
}

/// Whether a unit is known to stand on the walk near one of these heads.
fn near(known: &Known<'_>, unit: UnitId, heads: &[(WorkId, PointCm)], cm: i32) -> bool {
    any(known, unit, |seen| {
        let walk = on_walk(known.setting(), seen);
        walk.is_some()
            && heads.iter().any(|(work, at)| Some(*work) == walk && at.distance_cm(seen.at) <= cm)
    })
}

/// Who steps forward and who steps back on walks.
pub(super) fn swap(
    present: Present,
    boards: Res<Boards>,
    fired: Res<FiredLines>,
    tasks: Res<Tasks>,
    mut men: ResMut<Subordinates>,
    mut swaps: ResMut<Swaps>,
) {
    let setting: &Setting = &present.setting;
    let pulse = present.clock.pulse;
    let reach_cm = metres_to_cm(setting.rules.laws.conduct.heads_m.v());
    if setting.off.is_off(Law::Post) || reach_cm <= 0 || !pulse.is_multiple_of(LOOKS) {
        return;
    }
    let stands = |unit: UnitId| tasks.stands(unit, Instruction::SwapAtHeads);
    let mut heads = std::mem::take(&mut men.heads);
    for p in 0..setting.scenario.posts.len() {
        let post = PostId::from_index(p);
        let Some(first) = units_of(setting, post).find(|u| stands(*u)) else { continue };
        let known = present.known(&boards, post, &[], &fired.0);
        find_heads(&known, first, &mut heads);
        let mine = |unit: UnitId| setting.scenario.post_of(unit) == post;
        // Who is struck out, or has nobody before him any more, stands as he stood.
        swaps.0.retain(|s| {
            s.ordered
                || !mine(s.rear)
                || (stands(s.front)
                    && stands(s.rear)
                    && near(&known, s.rear, &heads, 2 * reach_cm)
                    && near(&known, s.front, &heads, 2 * reach_cm))
        });
        if heads.is_empty() {
            continue;
        }
        // Whoever is at hand: the first of them in the order of battle.
        let comes = |u: &UnitId| {
            let free = tasks.idle(*u) || matches!(tasks.task[u.index()], Task::Charge(_));
            !setting.scenario.shoots(*u) && stands(*u) && free && near(&known, *u, &heads, reach_cm)
        };
        let Some(front) = units_of(setting, post).find(comes) else { continue };
        for rear in units_of(setting, post) {
            if setting.scenario.shoots(rear) && stands(rear) && near(&known, rear, &heads, reach_cm)
            {
                swaps.give_way(front, rear, pulse);
            }
        }
    }
    men.heads = heads;
}

/// Enemies that a post knows of on walks.
fn find_heads(known: &Known<'_>, own: UnitId, heads: &mut Vec<(WorkId, PointCm)>) {
    heads.clear();
    let setting = known.setting();
    let hostile = &setting.scenario.hostile[setting.scenario.units[own.index()].party.index()];
    for (c, party) in known.roster().party.iter().enumerate() {
        if !hostile[party.index()] {
            continue;
        }
        let seen = known.seen(crate::core::ids::CompanyId::from_index(c));
        if let Some(seen) = seen.filter(|s| s.is_fit() && s.men > 0)
            && let Some(work) = on_walk(setting, &seen)
        {
            heads.push((work, seen.at));
        }
    }
}

/// Own and enemy men that a post knows of in an area.
fn odds(known: &Known<'_>, own: UnitId, area: AreaId) -> (i32, i32) {
    let setting = known.setting();
    let hostile = &setting.scenario.hostile[setting.scenario.units[own.index()].party.index()];
    let (mut mine, mut theirs) = (0, 0);
    for (c, party) in known.roster().party.iter().enumerate() {
        let seen = known.seen(crate::core::ids::CompanyId::from_index(c));
        let Some(seen) = seen.filter(|s| s.is_fit() && setting.site.in_area(area, s.node)) else {
            continue;
        };
        if hostile[party.index()] {
            theirs += seen.men;
        } else {
            mine += seen.men;
        }
    }
    (mine, theirs)
}

/// The area that a unit answers for.
fn charge_of(setting: &Setting, men: &Subordinates, tasks: &Tasks, unit: UnitId) -> Option<AreaId> {
    if let Task::Hold(Place::Area(area)) = tasks.task[unit.index()] {
        return Some(area);
    }
    let of_post = || match setting.scenario.posts[setting.scenario.post_of(unit).index()].at {
        Some(Place::Area(area)) => Some(area),
        _ => None,
    };
    men.set_on[unit.index()].or_else(of_post)
}

/// Posts that are outnumbered in their areas call for help.
pub(super) fn call(
    present: Present,
    boards: Res<Boards>,
    fired: Res<FiredLines>,
    tasks: Res<Tasks>,
    mut men: ResMut<Subordinates>,
    mut cries: ResMut<Cries>,
) {
    let setting: &Setting = &present.setting;
    let (law, clock) = (&setting.rules.laws.command, &present.clock);
    let ratio = law.help_ratio.v();
    if setting.off.is_off(Law::Post) || ratio <= 0.0 || !clock.pulse.is_multiple_of(LOOKS) {
        return;
    }
    let again = (law.help_again_s.v() / clock.dt()) as u32;
    for p in 0..setting.scenario.posts.len() {
        let post = PostId::from_index(p);
        let known = present.known(&boards, post, &[], &fired.0);
        men.looked.clear();
        for unit in units_of(setting, post) {
            if !tasks.stands(unit, Instruction::CallForHelp) {
                continue;
            }
            let Some(area) = charge_of(setting, &men, &tasks, unit) else { continue };
            if men.looked.contains(&area) {
                continue;
            }
            men.looked.push(area);
            let last = men.called.iter().position(|(by, at, _)| (*by, *at) == (post, area));
            if last.is_some_and(|l| clock.pulse < men.called[l].2 + again) {
                continue;
            }
            let (mine, theirs) = odds(&known, unit, area);
            if theirs == 0 || f64::from(mine) >= ratio * f64::from(theirs) {
                continue;
            }
            match last {
                Some(l) => men.called[l].2 = clock.pulse,
                None => men.called.push((post, area, clock.pulse)),
            }
            let to = setting.scenario.posts[p].superior.unwrap_or(post);
            cries.0.push(Cry { by: post, from: post, to, area, decided: clock.pulse });
        }
    }
}

/// Who hears a call lets its player know and sends somebody, or passes it on.
#[expect(clippy::too_many_arguments, reason = "one parameter for each queue that it writes")]
pub(super) fn answer(
    present: Present,
    boards: Res<Boards>,
    fired: Res<FiredLines>,
    tasks: Res<Tasks>,
    book: Res<Book>,
    mut men: ResMut<Subordinates>,
    mut cries: ResMut<Cries>,
    (mut heard, mut told): (ResMut<Heard>, ResMut<ToldPosts>),
    mut outbox: ResMut<Outbox>,
    mut journal: ResMut<Journal>,
) {
    let setting: &Setting = &present.setting;
    let (pulse, again) = (
        present.clock.pulse,
        (setting.rules.laws.command.help_again_s.v() / present.clock.dt()) as u32,
    );
    for cry in heard.0.drain(..) {
        told.0.push((cry.to, Tiding::Help(cry.area, cry.by)));
    }
    if setting.off.is_off(Law::Message) {
        // Nobody has to carry it.
        told.0.extend(cries.0.drain(..).map(|cry| (cry.to, Tiding::Help(cry.area, cry.by))));
    }
    for (p, board) in boards.of.iter().enumerate() {
        for event in &board.learnt {
            let Tiding::Help(area, by) = *event else { continue };
            let post = PostId::from_index(p);
            // His player is called when headquarters hears of it, not at each post on the way.
            if setting.scenario.sides.iter().any(|side| side.post == post) {
                ring(&present, by, area, &mut journal);
            }
            let known = present.known(&boards, post, &[], &fired.0);
            let goes = setting.site.areas[area.index()].at;
            let horse = setting.site.nodes[setting.site.areas[area.index()].centre.index()].level
                == Level::Ground;
            let idle = |u: &UnitId| {
                tasks.stands(*u, Instruction::AnswerCalls)
                    && tasks.task[u.index()] == Task::Stand
                    && book.holds[u.index()].task.prio == 0
                    && men.set_on[u.index()].is_none()
                    && men.sent[u.index()] <= pulse
                    && (horse || !setting.scenario.kind_of(*u).mounted)
            };
            let far = |u: UnitId| {
                let companies = known.roster().of_unit[u.index()].iter();
                let fit = companies.filter_map(|c| known.seen(*c));
                fit.filter(|s| s.is_fit() && s.men > 0).map(|s| s.at.distance_cm(goes)).min()
            };
            let reserve =
                units_of(setting, post).filter(idle).filter_map(|u| far(u).map(|cm| (cm, u))).min();
            if let Some((_, unit)) = reserve {
                men.sent[unit.index()] = pulse + again.max(1);
                let to = Act::Go { to: Place::Area(area), gait: Gait::Run, shape: None };
                outbox.letters.push(Letter {
                    line: LineId(u32::MAX),
                    label: LABEL.into(),
                    by: post,
                    to: Subject::Unit(unit),
                    channel: Channel::Shout,
                    acts: vec![to],
                    prio: PRIO,
                    decided: pulse,
                });
            } else if let Some(to) =
                setting.scenario.posts[p].superior.filter(|_| !setting.off.is_off(Law::Post))
            {
                cries.0.push(Cry { by, from: post, to, area, decided: pulse });
            }
        }
    }
}

/// The player of a side is called.
fn ring(present: &Present<'_>, by: PostId, area: AreaId, journal: &mut Journal) {
    let setting: &Setting = &present.setting;
    let post = &setting.scenario.posts[by.index()];
    let land = &setting.site.areas[area.index()];
    let call = Happening::Call {
        side: post.side,
        kind: Kind::HelpAsked,
        text: format!("{} asks for help: outnumbered in {}", post.name.en, land.name.en),
        zh: format!("{}求援：{}敌众我寡", post.name.zh, land.name.zh),
        at: land.at,
    };
    journal.add(present.clock.pulse, call);
}
