//! Passage and straddle (L1), with the entering rule of L2, things in the way (L3)
//! and ground (L20).
//!
//! Decides where every company is, to the centimetre, and who may enter a cell or
//! a portal. Reads `Intents`, `Fields`, `Gates`, `Contacts`, `Forms`, `Spirits`,
//! `Litter` and `Engines`. Writes `Places` and `Splits`, and in `Roster` and
//! `Strength` only what a split divides. Never kills, never chooses a goal.
//!
//! What flows into a cell or portal is a credit in microseconds of its time: a
//! mover pays its jam area over width and crowd speed, whatever kind it is and
//! whichever way it goes. Near ones go first, ties by a keyed hash; friends who
//! block each other change places; detours lead only strictly nearer.
//!
//! Ladders are passages too: latent ones, that pass a man a ladder in so many seconds.
//!
//! Off: free flow. No credit, no room that fills, nobody straddles.

mod climb;
mod gate;
mod march;
mod pace;

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, FieldId, NodeId, PortalId};
use crate::core::measure::PointCm;
use crate::sim::board::{
    Clock, Contacts, Engines, Escalade, Forms, Gates, Goal, Intents, Litter, Mind, Places, Roster,
    Setting, Spirits, Splits, Strength,
};
use crate::sim::field::Fields;
use crate::sim::journal::Journal;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

pub use pace::{Paces, braking_cm, eta_s, flow_per_m_s, moved_cm};

/// Width of an order bucket: a power of two of centimetres.
const BUCKET_SHIFT: u32 = 8;
/// Order buckets; what is farther shares the last one.
const BUCKETS: usize = 8192;
/// Bits of a party's count of companies on a node.
const LANE: u32 = 16;
/// Parties with a lane of their own.
const LANES: usize = 8;

/// What the room keeps for itself.
#[derive(Resource, Clone, Debug, Default)]
pub struct March {
    paces: Paces,
    /// Whether lists and areas have been built once.
    built: bool,
    /// Middle of each node.
    centres: Vec<PointCm>,
    /// Speed of each company, which a mass cannot change at once.
    vel: Vec<i32>,
    /// Place of each company across and along its cell, thousandths of half its
    /// free width: so that companies of a cell do not stand on one spot.
    lane: Vec<(i16, i16)>,
    /// Whether engines are the company's, or can come to it from others of its unit.
    tows: Vec<bool>,
    /// Node beyond the portal that a company straddles.
    entry: Vec<NodeId>,
    /// Jam area of each company as it is counted on its node.
    area: Vec<i32>,
    /// Whether it is counted among the present of its party.
    armed: Vec<bool>,
    /// Pulse in which a company last moved by a swap, plus one.
    swapped: Vec<u32>,
    /// Time credit of each node, and the pulse it was brought up to, plus one.
    credit: Vec<(i32, u32)>,
    /// Pulse, plus one, in which no way round was found from a node, and to what.
    looked: Vec<(u32, FieldId)>,
    /// Time credit of each portal, and the pulse, likewise.
    portal_credit: Vec<(i32, u32)>,
    /// Pulse, plus one, in which men last went outwards and inwards.
    last: Vec<[u32; 2]>,
    /// Men who wait at each portal, pressing or not.
    waiting: Vec<i32>,
    /// Whether a jam before the portal has been told.
    jammed: Vec<bool>,
    /// Pulse from which a company on ladders has men at the other end.
    top_at: Vec<u32>,
    /// Companies that men off the ladders began in this pulse.
    landed: Vec<CompanyId>,
    /// Companies in a portal, in the order of their entering.
    straddlers: Vec<CompanyId>,
    /// Companies of each party on each node, 16 bits a party.
    present: Vec<u128>,
    /// Lanes of the parties hostile to each party.
    hostile: Vec<u128>,
    /// Start of each order bucket, and the companies in order, each below the hash
    /// that breaks ties.
    starts: Vec<u32>,
    order: Vec<u64>,
    movers: Vec<(u32, u32)>,
}

/// Inserts what the room writes, from what muster has placed, and its system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>().clone();
    let site = &setting.site;
    let roster = world.resource::<Roster>();
    let n = roster.len();
    let tows =
        roster.unit.iter().map(|u| !setting.scenario.units[u.index()].engines.is_empty()).collect();
    let (nodes, portals, units) =
        (site.nodes.len(), site.portals.len(), setting.scenario.units.len());
    let mut places = world.remove_resource::<Places>().unwrap_or_default();
    places.node.resize(n, NodeId(0));
    places.at.resize(n, PointCm::default());
    places.heading.resize(n, PointCm { x: 0, y: 1000 });
    places.speed_cm_s.resize(n, 0);
    places.blocked.resize(n, 0);
    places.wants.resize(n, None);
    places.passed.resize(n, 0);
    places.straddles.resize(n, None);
    places.head = vec![None; nodes];
    places.next = vec![None; n];
    places.taken_cm2 = vec![0; nodes];
    places.crossed_in = vec![vec![0; units]; portals];
    places.crossed_out = vec![vec![0; units]; portals];
    places.flow = vec![0; portals];
    places.pushing = vec![0; portals];
    places.busy.clear();
    let parties = setting.scenario.parties.len();
    let lane = |p: usize| LANE * p.min(LANES - 1) as u32;
    let hostile = (0..parties).map(|a| {
        let foes = (0..parties).filter(|b| setting.scenario.hostile[a][*b]);
        foes.fold(0_u128, |mask, b| mask | 0xFFFF << lane(b))
    });
    let spread = |c: usize, salt: u64| {
        let word = crate::core::dice::mix(c as u64 ^ salt << 32);
        (word % 1401) as i16 - 700
    };
    let mut march = March {
        paces: Paces::new(&setting),
        centres: (0..nodes).map(|node| site.centre(NodeId::from_index(node))).collect(),
        vel: vec![0; n],
        lane: (0..n).map(|c| (spread(c, 1), spread(c, 2))).collect(),
        tows,
        entry: vec![NodeId(0); n],
        top_at: vec![0; n],
        area: vec![0; n],
        armed: vec![false; n],
        swapped: vec![0; n],
        credit: vec![(0, 0); nodes],
        looked: vec![(0, FieldId(0)); nodes],
        portal_credit: vec![(0, 0); portals],
        last: vec![[0; 2]; portals],
        waiting: vec![0; portals],
        jammed: vec![false; portals],
        present: vec![0; nodes],
        hostile: hostile.collect(),
        starts: vec![0; BUCKETS + 1],
        ..March::default()
    };
    if let (Some(strength), Some(spirits)) =
        (world.get_resource::<Strength>(), world.get_resource::<Spirits>())
    {
        march.count(world.resource::<Roster>(), strength, spirits, &mut places);
    }
    if world.get_resource::<Fields>().is_none() {
        world.insert_resource(Fields::new(&setting.rules, setting.off.is_off(Law::Ground)));
    }
    world.insert_resource(places);
    world.insert_resource(Splits::default());
    world.insert_resource(march);
    schedule.add_systems(advance.in_set(Phase::Movement));
}

/// Adds what the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    let (places, march) = (world.resource::<Places>(), world.resource::<March>());
    for c in 0..places.node.len() {
        d.u32(places.node[c].0);
        d.i32(places.at[c].x);
        d.i32(places.at[c].y);
        d.i32(march.vel[c]);
        d.i32(places.passed[c] << 16 | i32::from(places.blocked[c]));
    }
    // A stretch that nobody has ever climbed is as if it were not there.
    let passages = world.resource::<Setting>().site.passages;
    for p in 0..places.flow.len() {
        if p >= passages && march.portal_credit[p].1 == 0 {
            continue;
        }
        d.i32(places.flow[p]);
        d.i32(places.pushing[p]);
        d.i32(march.portal_credit[p].0);
        for (inward, outward) in places.crossed_in[p].iter().zip(&places.crossed_out[p]) {
            d.i32(*inward);
            d.i32(*outward);
        }
    }
}

/// One pulse of all movement.
#[allow(clippy::too_many_arguments, reason = "a system's parameters are what it reads and writes")]
fn advance(
    setting: Res<Setting>,
    clock: Res<Clock>,
    mut roster: ResMut<Roster>,
    mut places: ResMut<Places>,
    mut strength: ResMut<Strength>,
    (spirits, forms, contacts, intents): (Res<Spirits>, Res<Forms>, Res<Contacts>, Res<Intents>),
    (gates, fields, litter): (Res<Gates>, Res<Fields>, Res<Litter>),
    (engines, escalade): (Option<Res<Engines>>, Option<Res<Escalade>>),
    mut march: ResMut<March>,
    mut splits: ResMut<Splits>,
    mut journal: ResMut<Journal>,
    rolls: Res<crate::sim::board::Rolls>,
) {
    splits.0.clear();
    if !march.built {
        march.count(&roster, &strength, &spirits, &mut places);
    }
    let mut pulse = march::Movement {
        site: &setting.site,
        rules: &setting.rules,
        law: &setting.rules.laws.passage,
        free: setting.off.is_off(Law::Passage),
        pass_enemies: setting.off.is_off(Law::Contest),
        pulse: clock.pulse,
        dt_s: clock.pulse_s,
        swap_after: swap_pulses(setting.rules.laws.passage.swap_s.v(), clock.pulse_s),
        seed: rolls.0.seed(),
        roster: &mut roster,
        places: &mut places,
        strength: &mut strength,
        spirits: &spirits,
        forms: &forms,
        contacts: &contacts,
        intents: &intents,
        gates: &gates,
        fields: &fields,
        litter: &litter,
        engines: engines.as_deref(),
        escalade: escalade.as_deref(),
        march: &mut march,
        splits: &mut splits,
        journal: &mut journal,
    };
    pulse.run();
    march.count(&roster, &strength, &spirits, &mut places);
}

/// Pulses of waiting before friends change places.
fn swap_pulses(swap_s: f64, pulse_s: i32) -> u16 {
    (swap_s / f64::from(pulse_s.max(1)) + 0.5).max(1.0) as u16
}

impl March {
    /// Builds lists, areas and presence of all busy nodes anew.
    fn count(
        &mut self,
        roster: &Roster,
        strength: &Strength,
        spirits: &Spirits,
        places: &mut Places,
    ) {
        self.built = true;
        let mut busy = std::mem::take(&mut places.busy);
        for node in busy.drain(..) {
            places.head[node.index()] = None;
            places.taken_cm2[node.index()] = 0;
            self.present[node.index()] = 0;
        }
        for c in (0..roster.len()).rev() {
            let men = strength.men[c];
            self.area[c] = 0;
            places.next[c] = None;
            if men <= 0 || !roster.mustered[c] {
                continue;
            }
            let id = CompanyId::from_index(c);
            let each = self.paces.jam_cm2(roster.kind[c]);
            let node = places.node[c];
            let mut here = men;
            if places.straddles[c].is_some() {
                places.passed[c] = places.passed[c].min(men);
                here -= places.passed[c];
                let far = self.entry[c];
                // Who has only begun is nowhere else yet: a node is listed once.
                if places.passed[c] > 0 {
                    if places.head[far.index()].is_none() && places.taken_cm2[far.index()] == 0 {
                        busy.push(far);
                    }
                    places.taken_cm2[far.index()] += places.passed[c] * each;
                }
            }
            if places.head[node.index()].is_none() && places.taken_cm2[node.index()] == 0 {
                busy.push(node);
            }
            self.area[c] = here * each;
            places.taken_cm2[node.index()] += here * each;
            places.next[c] = places.head[node.index()];
            places.head[node.index()] = Some(id);
            self.armed[c] = spirits.mind[c] != Mind::Yielded;
            if self.armed[c] {
                self.present[node.index()] += lane(roster.party[c].index());
            }
        }
        places.busy = busy;
    }
}

/// One company of a party, in its lane.
fn lane(party: usize) -> u128 {
    1 << (LANE * party.min(LANES - 1) as u32)
}

/// Whether a company presses on without regard for room.
fn presses(spirits: &Spirits, intents: &Intents, c: usize) -> bool {
    spirits.mind[c] == Mind::Broken || intents.attack[c] && intents.goal[c] != Goal::Hold
}

/// The far side's name of a portal for `last` and counters.
const fn way(inward: bool) -> usize {
    inward as usize
}

/// Which portal a company straddles.
fn straddled(places: &Places, c: usize) -> Option<(PortalId, bool)> {
    places.straddles[c]
}
