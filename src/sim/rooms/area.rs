//! The room of areas (L15): who owns the named areas.
//!
//! Decides owners. Reads places, shapes and hearts; writes [`Owners`]. Never
//! decides what owning is worth. *Off*: areas are owned by nobody.
//!
//! A side is alone in an area while it has a formed company there or near it
//! and no side that it fights has one. Alone for a minute it owns it; when for a
//! minute nobody is alone there, nobody owns it. At the start, who is alone owns.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{AreaId, NodeId, SideId};
use crate::core::measure::metres_to_cm;
use crate::scenario::catalogue::Shape;
use crate::scenario::site::Site;
use crate::sim::board::{
    Clock, Forms, Mind, News, Owners, Places, Roster, Setting, Spirits, Strength, Tiding, Tidings,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// Pulses between two looks.
const LOOKS: u32 = 2;

/// What the room keeps for itself: the areas held from each node, and who is there.
#[derive(Resource, Clone, Debug, Default)]
pub struct Reach {
    first: Vec<u32>,
    areas: Vec<AreaId>,
    /// Bits of the sides with formed men there, by area.
    there: Vec<u64>,
    /// Bits of the sides that a side fights.
    foes: Vec<u64>,
}

impl Reach {
    /// Spreads every area by the law's distance, through open ground only.
    fn of(site: &Site, holds_cm: i32) -> Self {
        let steps = (holds_cm / site.cell_cm).max(1);
        let mut pairs: Vec<(NodeId, AreaId)> = Vec::new();
        let mut marked = vec![u32::MAX; site.nodes.len()];
        for (a, area) in site.areas.iter().enumerate() {
            let mut ring = area.nodes.clone();
            ring.iter().for_each(|n| marked[n.index()] = a as u32);
            for step in 0..=steps {
                pairs.extend(ring.iter().map(|n| (*n, AreaId::from_index(a))));
                if step == steps {
                    break;
                }
                let mut next = Vec::new();
                for node in &ring {
                    for near in site.neighbours[node.index()].iter().flatten() {
                        if marked[near.index()] != a as u32 {
                            marked[near.index()] = a as u32;
                            next.push(*near);
                        }
                    }
                }
                ring = next;
            }
        }
        pairs.sort_unstable();
        let mut first = vec![0; site.nodes.len() + 1];
        for (node, _) in &pairs {
            first[node.index() + 1] += 1;
        }
        for n in 1..first.len() {
            first[n] += first[n - 1];
        }
        Self {
            first,
            areas: pairs.into_iter().map(|(_, area)| area).collect(),
            there: vec![0; site.areas.len()],
            foes: Vec::new(),
        }
    }

    fn from(&self, node: NodeId) -> std::ops::Range<usize> {
        self.first[node.index()] as usize..self.first[node.index() + 1] as usize
    }
}

/// The side that is alone, given the sides that are there and who fights whom.
#[must_use]
pub fn alone(there: u64, foes: &[u64]) -> Option<SideId> {
    let mut sides = (0..foes.len()).filter(|s| there >> s & 1 == 1 && there & foes[*s] == 0);
    sides.next().map(SideId::from_index)
}

/// Inserts the owners and adds the system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let scenario = &setting.scenario;
    let mut reach = Reach::of(&setting.site, metres_to_cm(setting.rules.laws.area.holds_m.v()));
    reach.foes = vec![0; scenario.sides.len()];
    for (a, row) in scenario.parties.iter().zip(&scenario.hostile) {
        for (b, hostile) in scenario.parties.iter().zip(row) {
            let fights = if setting.off.is_off(Law::Party) { a.side != b.side } else { *hostile };
            if fights && a.side != b.side {
                reach.foes[a.side.index()] |= 1 << b.side.0;
            }
        }
    }
    let areas = setting.site.areas.len();
    world.insert_resource(Owners { owner: vec![None; areas], alone: vec![(None, 0); areas] });
    world.insert_resource(reach);
    world.init_resource::<Tidings>();
    schedule.add_systems(hold.in_set(Phase::Areas));
}

#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
fn hold(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    forms: Res<Forms>,
    mut reach: ResMut<Reach>,
    mut owners: ResMut<Owners>,
    mut journal: ResMut<Journal>,
    mut tidings: ResMut<Tidings>,
) {
    if setting.off.is_off(Law::Area) || !clock.pulse.is_multiple_of(LOOKS) {
        return;
    }
    let mut there = std::mem::take(&mut reach.there);
    there.fill(0);
    for c in 0..roster.len() {
        let steady = matches!(spirits.mind[c], Mind::Steady | Mind::Desperate);
        if steady && roster.mustered[c] && strength.men[c] > 0 && forms.shape[c] != Shape::Crowd {
            for i in reach.from(places.node[c]) {
                there[reach.areas[i].index()] |= 1 << roster.side[c].0;
            }
        }
    }
    let Owners { owner, alone: since } = &mut *owners;
    for (a, there) in there.iter().enumerate() {
        let now = alone(*there, &reach.foes);
        if since[a].0 != now {
            since[a] = (now, clock.pulse);
        }
        let held_s = (clock.pulse - since[a].1) as i32 * clock.pulse_s;
        if owner[a] != now
            && (f64::from(held_s) >= setting.rules.laws.area.alone_s.v() || clock.pulse == 0)
        {
            owner[a] = now;
            if clock.pulse > 0 {
                let area = AreaId::from_index(a);
                journal.add(clock.pulse, Happening::Taken { area, owner: now });
                tidings
                    .0
                    .push(News { event: Tiding::Taken(area, now), at: setting.site.areas[a].at });
            }
        }
    }
    reach.there = there;
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let owners = world.resource::<Owners>();
    for (owner, (alone, since)) in owners.owner.iter().zip(&owners.alone) {
        d.u32(owner.map_or(u32::MAX, |s| u32::from(s.0)));
        d.u32(alone.map_or(u32::MAX, |s| u32::from(s.0)));
        d.u32(*since);
    }
}
