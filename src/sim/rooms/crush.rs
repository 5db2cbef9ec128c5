//! Crush and falls (L19).
//!
//! Decides who is crushed, pushed off a wall or into the water, from pressure:
//! blocked men who press on from behind, over time. Reads `Places`, `Intents`,
//! `Spirits`, `Strength`; asks `casualties` through `Wounds`. Never moves anybody.
//!
//! The push at the front of a place is that of its own pressing men and of those
//! behind it, who are felt less the farther away they are. The chance to be
//! crushed rises smoothly with it: no density or count switches it on.
//!
//! On a walk those whom more men press than they can face are thrown over its edge,
//! the sooner the fewer ranks they are deep; who runs and has no way down cannot face anybody.
//!
//! Off: nobody is crushed, nobody falls.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, NodeId};
use crate::core::measure::chance;
use crate::scenario::catalogue::{CrushLaw, EscaladeLaw, Shape};
use crate::scenario::site::{Level, Site};
use crate::sim::board::{
    Cause, Clock, Contacts, Goal, Havens, Intents, Mind, Places, Rolls, Roster, Setting, Spirits,
    Strength, Wound, Wounds,
};
use crate::sim::body::OPEN_CM;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// The room's number for the dice, and its second stream for those who fall.
const ROOM: u8 = 7;
const ROOM_FALLS: u8 = ROOM | 0x80;

/// What the room keeps for itself.
#[derive(Resource, Clone, Debug, Default)]
pub struct Press {
    /// Jam area of pressing men on each node, in square centimetres.
    own: Vec<i32>,
    /// Who presses in this pulse, with his jam area, ascending.
    pressing: Vec<(CompanyId, i32)>,
    /// Push at the rear of each node, in the same measure; last pulse's.
    rear: Vec<i32>,
    next: Vec<i32>,
    /// Nodes with any of these.
    touched: Vec<NodeId>,
    coming: Vec<NodeId>,
}

/// What of a push from behind is felt at the front of a cell, and what of its own
/// men's, so that the sum does not depend on the cell: a row of cells full of
/// pressing men gives their density times `reach_m`, whatever the cells' size.
#[must_use]
pub fn transmits(cell_m: f64, reach_m: f64) -> (f64, f64) {
    let half = cell_m / 2.0;
    let from_behind = ((reach_m - half) / (reach_m + half)).max(0.0);
    (from_behind, (1.0 - from_behind) * reach_m / cell_m)
}

/// Chance a second to be crushed at a pressure in men a square metre.
#[must_use]
pub fn crushed_per_s(pressure: f64, law: &CrushLaw) -> f64 {
    let x = pressure / law.begins.v().max(0.01);
    let cube = x * x * x;
    (law.per_s.v() * cube * cube).clamp(0.0, 1.0)
}

/// Chance a second of a man in contact to be thrown from a walk, with so many metres
/// of it between the foremost and the edge behind them, of which each takes `depth_m`,
/// and so many against each one.
#[must_use]
pub fn thrown_per_s(law: &EscaladeLaw, odds: f64, room_m: f64, depth_m: f64) -> f64 {
    let edge = (depth_m / room_m.max(0.1)).min(1.0);
    (law.thrown_per_s.v() * (odds - 1.0).max(0.0) * edge).clamp(0.0, 1.0)
}

/// How they die where they stand.
fn cause(site: &Site, node: NodeId) -> Cause {
    let n = &site.nodes[node.index()];
    match (n.level, n.work) {
        (Level::Rampart, _) => Cause::Fell,
        // A deck has water on both sides.
        (Level::Ground, Some(_)) => Cause::Drowned,
        _ => Cause::Crushed,
    }
}

/// Inserts what the room keeps, and its system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let nodes = world.resource::<Setting>().site.nodes.len();
    world.insert_resource(Press {
        own: vec![0; nodes],
        rear: vec![0; nodes],
        next: vec![0; nodes],
        ..Press::default()
    });
    schedule.add_systems((press, fall).chain().in_set(Phase::Pressure));
}

/// Adds what the room keeps.
pub fn digest(world: &World, d: &mut Digest) {
    let press = world.resource::<Press>();
    for node in &press.touched {
        d.u32(node.0);
        d.i32(press.rear[node.index()]);
    }
}

#[allow(clippy::too_many_arguments, reason = "a system's parameters are what it reads and writes")]
fn press(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    intents: Res<Intents>,
    mut state: ResMut<Press>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
) {
    if setting.off.is_off(Law::Crush) {
        return;
    }
    let law = &setting.rules.laws.crush;
    let reach_cm = law.reach_m.v() * 100.0;
    let (keep, own_share) = transmits(f64::from(setting.site.cell_cm) / 100.0, law.reach_m.v());
    let state = &mut *state;
    let presses = |c: usize| {
        let wants =
            spirits.mind[c] == Mind::Broken || intents.attack[c] && intents.goal[c] != Goal::Hold;
        wants && places.blocked[c] > 0 && strength.men[c] > 0
    };
    let area = |c: usize| {
        (f64::from(strength.men[c])
            * setting.rules.units[roster.kind[c].index()].jam_m2.v()
            * 10_000.0) as i32
    };
    state.pressing.clear();
    for c in 0..roster.len() {
        if presses(c) {
            let (node, area) = (places.node[c], area(c));
            if state.own[node.index()] == 0 && state.rear[node.index()] == 0 {
                state.touched.push(node);
            }
            state.own[node.index()] += area;
            state.pressing.push((CompanyId::from_index(c), area));
        }
    }
    if state.touched.is_empty() {
        return;
    }
    // What each one passes on to the place that it wants to enter.
    for &(company, area) in &state.pressing {
        if let Some(wanted) = places.wants[company.index()] {
            let node = places.node[company.index()].index();
            let mine = f64::from(area);
            let behind = f64::from(state.rear[node]) * mine / f64::from(state.own[node].max(1));
            if state.next[wanted.index()] == 0 {
                state.coming.push(wanted);
            }
            state.next[wanted.index()] += (own_share * mine + keep * behind) as i32;
        }
    }
    let mut dice = rolls.0.room(clock.pulse, ROOM);
    for c in 0..roster.len() {
        let node = places.node[c];
        let (own, rear) = (state.own[node.index()], state.rear[node.index()]);
        if own == 0 && rear == 0 || strength.men[c] <= 0 || !roster.mustered[c] {
            continue;
        }
        let n = &setting.site.nodes[node.index()];
        let front = own_share * f64::from(own) + keep * f64::from(rear);
        let push =
            (front + f64::from(rear)) / 2.0 / (f64::from(n.width_cm.max(1)) * reach_cm.max(1.0));
        let full = f64::from(places.taken_cm2[node.index()]) / f64::from(n.room_cm2.max(1));
        let jam_m2 = setting.rules.units[roster.kind[c].index()].jam_m2.v();
        let hazard = crushed_per_s((full + push) / jam_m2, law) * clock.dt();
        let mut draws = dice.of(c);
        let men = draws.binomial(strength.men[c], chance(hazard));
        if men > 0 {
            wounds.0.push(Wound {
                company: CompanyId::from_index(c),
                men,
                cause: cause(&setting.site, node),
                by: None,
                weapon: None,
            });
        }
    }
    rolls.0.count(&dice);
    for node in state.touched.drain(..) {
        state.own[node.index()] = 0;
        state.rear[node.index()] = 0;
    }
    for node in state.coming.drain(..) {
        state.rear[node.index()] = std::mem::take(&mut state.next[node.index()]);
        state.touched.push(node);
    }
}

/// Men in contact on a walk go over its edge.
#[allow(clippy::too_many_arguments, reason = "a system's parameters are what it reads and writes")]
fn fall(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    contacts: Res<Contacts>,
    havens: Option<Res<Havens>>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
) {
    if setting.off.is_off(Law::Crush) || contacts.pairs.is_empty() {
        return;
    }
    let on_walk = |c: CompanyId| {
        let level = setting.site.nodes[places.node[c.index()].index()].level;
        level == Level::Rampart
    };
    if !contacts.pairs.iter().any(|p| on_walk(p.a) || on_walk(p.b)) {
        return;
    }
    let law = &setting.rules.laws.escalade;
    let mut dice = rolls.0.room(clock.pulse, ROOM_FALLS);
    for c in 0..roster.len() {
        let node = &setting.site.nodes[places.node[c].index()];
        let front = contacts.front[c].min(strength.men[c]);
        if front <= 0 || node.level != Level::Rampart {
            continue;
        }
        // Who runs and sees no way down is pressed by all and presses nobody.
        let haven = havens.as_ref().is_none_or(|h| h.0.get(c).copied().unwrap_or(true));
        let helpless = spirits.mind[c] == Mind::Broken && !haven;
        let odds = f64::from(contacts.against[c]) / f64::from(front);
        let odds = if helpless { odds + 1.0 } else { odds };
        // Who has come over the parapet has it behind him as near as his ranks are few.
        let rank_m = setting.rules.shape(Shape::Column).front_m.v();
        let men_m2 = rank_m * rank_m * f64::from(strength.men[c]);
        let behind_m = men_m2 / (f64::from(OPEN_CM) / 100.0);
        let room_m = behind_m.min(f64::from(node.width_cm) / 100.0).max(rank_m);
        let hazard = thrown_per_s(law, odds, room_m, rank_m) * clock.dt();
        if hazard <= 0.0 {
            continue;
        }
        let men = dice.of(c).binomial(front, chance(hazard));
        if men > 0 {
            let company = CompanyId::from_index(c);
            let by = contacts.foe[c].map(|f| roster.unit[f.index()]);
            wounds.0.push(Wound { company, men, cause: Cause::Fell, by, weapon: None });
        }
    }
    rolls.0.count(&dice);
}
