//! L2, the contested cell.
//!
//! Decides which hostile companies touch, on what width, from which side, who
//! may break off, who is pushed back and who is ridden down. Contact follows
//! the *width* that two bodies share, never the size of companies or cells: each
//! side of a body lends its length once, and so do three cells in a row.
//!
//! Reads places, strength, forms, intents, minds. Writes `Contacts`; asks
//! `casualties` for the trampled and for those struck while leaving. Never
//! strikes blows. Off: nobody touches anybody and everybody is free to go.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, NodeId, UnitId};
use crate::core::measure::{PointCm, chance, metres_to_cm};
use crate::scenario::catalogue::{Catalogue, ContestLaw, Shape, UnitKind};
use crate::scenario::site::Site;
use crate::sim::board::{
    Cause, Clock, Contacts, Forms, Intents, Mind, Pair, Places, Rolls, Roster, Setting, Spirits,
    Strength, Swaps, Wound, Wounds,
};
use crate::sim::body::{Body, Spacing, over};
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

mod charge;
mod near;
#[cfg(test)]
mod tests;

use near::{Near, Pairs, Ranks, gather};

/// This room's dice.
const ROOM: u8 = 2;
/// A second stream, so that leaving and trampling never share a word.
const ROOM_LEAVE: u8 = ROOM | 0x80;
/// Neighbours looked at from each node, so that each pair of nodes is met once.
const FORWARD: usize = 4;
/// Exposure of a flank in a pair.
const FLANK: u8 = 1;
/// Exposure of a back in a pair.
const BACK: u8 = 2;
/// Seconds without contact after which meeting again is told anew.
const TOLD_AFTER_S: i32 = 30;

/// What the room keeps for itself.
#[derive(Resource, Debug, Default)]
struct Melee {
    spacing: Spacing,
    /// Bits of the parties that each party fights.
    hostile: Vec<u32>,
    /// Reach of each kind's hand weapon, and what the first rank needs of it.
    reach_cm: Vec<i32>,
    first_cm: i32,
    /// Gap within which bodies touch.
    touch_cm: i32,
    /// Companies side by side, by node.
    ranks: Ranks,
    /// Width that each node still lends, by quarter and side (a third side would
    /// share).
    strip: Vec<[i32; 8]>,
    /// What it lends before anybody fights there.
    whole: Vec<[i32; 8]>,
    /// The cells in a row with each node: north and south of it, east and west.
    rows: Vec<[[u32; 4]; 2]>,
    /// Nodes that have lent any.
    touched: Vec<NodeId>,
    /// Body of each company that is near a foe.
    bodies: Vec<Body>,
    /// Width that each side of each company still has.
    left: Vec<[i32; 4]>,
    /// Pairs near enough, of one node.
    near: Pairs,
    /// Those that met, of the whole field.
    met: Vec<Met>,
    sorter: Sorter,
    /// Enemy men in contact who are not broken, by company.
    holding: Vec<i32>,
    /// Sides attacked, as bits.
    attacked: Vec<u8>,
    /// Pulse up to which each company is free of its foes.
    free_to: Vec<u32>,
    /// Last pulse of contact plus one, by company.
    last: Vec<u32>,
    /// Units that stand behind others on a walk.
    stepped_back: Vec<UnitId>,
    /// Units that are changing places: nobody of them covers himself.
    changing: Vec<UnitId>,
}

/// Two companies in contact, with the width they share.
#[derive(Clone, Copy, Debug)]
struct Met {
    pair: Pair,
    width: i32,
    ux: f64,
    uy: f64,
}

/// Brings pairs into the order of their ids, by a list for each first company:
/// lists are short, so that a pair costs the same whatever their number.
#[derive(Debug, Default)]
struct Sorter {
    /// First pair of each company, and the next pair of the same one.
    first: Vec<u32>,
    next: Vec<u32>,
    sorted: Vec<Met>,
}

impl Sorter {
    const NONE: u32 = u32::MAX;

    fn sort(&mut self, met: &mut Vec<Met>) {
        let Self { first, next, sorted } = self;
        next.clear();
        for (at, m) in met.iter().enumerate() {
            let head = &mut first[m.pair.a.index()];
            let comes_before = |p: u32| met[p as usize].pair.b <= m.pair.b;
            if *head == Self::NONE || !comes_before(*head) {
                next.push(std::mem::replace(head, at as u32));
                continue;
            }
            let mut before = *head;
            while next[before as usize] != Self::NONE && comes_before(next[before as usize]) {
                before = next[before as usize];
            }
            let after = std::mem::replace(&mut next[before as usize], at as u32);
            next.push(after);
        }
        sorted.clear();
        for head in first {
            let mut at = std::mem::replace(head, Self::NONE);
            while at != Self::NONE {
                sorted.push(met[at as usize]);
                at = next[at as usize];
            }
        }
        std::mem::swap(met, sorted);
    }
}

/// Men on a width who reach the foe: the first rank, and as many behind it as
/// their weapons are longer than a first rank needs.
fn in_reach(width_cm: i32, body: &Body, reach_cm: i32, first_cm: i32) -> i32 {
    let ranks = 1 + (reach_cm - first_cm).max(0) / body.rank;
    ((width_cm * ranks + body.file / 2) / body.file).clamp(1, body.men.max(1))
}

/// Reach of a kind's hand weapon in centimetres.
fn reach_cm(rules: &Catalogue, kind: &UnitKind) -> i32 {
    let blow = rules.weapons[kind.hand.index()].blow.as_ref();
    blow.map_or(0, |blow| metres_to_cm(blow.reach_m.v()))
}

/// The chance a second to break off, from that of the law and the odds.
fn leave_chance(law: &ContestLaw, own: i32, holding: i32, sides: u8) -> f64 {
    let odds = f64::from(own) / f64::from(holding.max(1));
    let (least, most) = (law.leave_odds_least.v(), law.leave_odds_most.v());
    let hemmed = if surrounded(law, sides) { least } else { 1.0 };
    (law.leave_per_s.v() * odds.max(least).min(most) * hemmed).min(1.0)
}

/// Whether a company attacked on so many sides has no way out.
fn surrounded(law: &ContestLaw, sides: u8) -> bool {
    f64::from(sides) >= law.surrounded_sides.v()
}

/// Which quarter of its cell a direction points to.
fn quarter(ux: f64, uy: f64) -> usize {
    match (ux.abs() >= uy.abs(), ux >= 0.0, uy >= 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 2,
        (false, _, true) => 1,
        (false, _, false) => 3,
    }
}

/// Whether a mind still counts on the field.
const fn stands(mind: Mind) -> bool {
    !matches!(mind, Mind::Yielded | Mind::Gone)
}

#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn meet(
    mut melee: ResMut<Melee>,
    mut contacts: ResMut<Contacts>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    (forms, swaps): (Res<Forms>, Option<Res<Swaps>>),
    mut journal: ResMut<Journal>,
) {
    clear(&mut contacts);
    melee.met.clear();
    if setting.off.is_off(Law::Contest) {
        return;
    }
    let melee = &mut *melee;
    let site = &*setting.site;
    let field = (&*setting, &*roster, &*places, &*strength, &*spirits, &*forms);
    line_up(melee, swaps.as_deref(), &setting, &clock);
    melee.ranks.list(clock.pulse + 1, field);
    for node in melee.touched.drain(..) {
        melee.strip[node.index()] = melee.whole[node.index()];
    }
    for &node in &places.busy {
        let here = melee.ranks.parties(node);
        let foes = foes_of(here, &melee.hostile);
        if foes == 0 {
            continue;
        }
        melee.near.clear();
        if here & foes != 0 {
            gather(melee, node, node, field);
        }
        for &other in site.neighbours[node.index()].iter().take(FORWARD).flatten() {
            if melee.ranks.parties(other) & foes != 0 {
                gather(melee, node, other, field);
            }
        }
        let mut near = std::mem::take(&mut melee.near);
        for n in near.in_order() {
            lend(melee, &n, &roster, &places);
        }
        melee.near = near;
    }
    melee.sorter.sort(&mut melee.met);
    settle(melee, &mut contacts, &spirits, &forms, &roster);
    tell(melee, &contacts, &clock, &mut journal);
}

/// Who stands behind whom on a walk, and who is on his way there.
fn line_up(melee: &mut Melee, swaps: Option<&Swaps>, setting: &Setting, clock: &Clock) {
    melee.stepped_back.clear();
    melee.changing.clear();
    let lasts = setting.rules.laws.escalade.swap_s.v() as u32 / clock.pulse_s.max(1) as u32;
    for swap in swaps.iter().flat_map(|s| &s.0) {
        if clock.pulse < swap.since + lasts {
            melee.changing.extend([swap.front, swap.rear]);
        } else {
            melee.stepped_back.push(swap.rear);
        }
    }
}

/// What the room's steps look at.
type Field<'a> = (&'a Setting, &'a Roster, &'a Places, &'a Strength, &'a Spirits, &'a Forms);

/// Width that a node lends by quarter and side before anybody fights there: that
/// of its passage, and across a wall-walk the length of the walk.
fn breadth(site: &Site, node: NodeId) -> [i32; 8] {
    let at = &site.nodes[node.index()];
    let narrow = at.width_cm.min(site.cell_cm);
    let (east, north) = if at.runs == PointCm::default() {
        (narrow, narrow)
    } else if at.runs.x.abs() > at.runs.y.abs() {
        (narrow, site.cell_cm)
    } else {
        (site.cell_cm, narrow)
    };
    [east, east, north, north, east, east, north, north]
}

/// Gives a near pair the width that both have left where they face each other.
fn lend(melee: &mut Melee, n: &Near, roster: &Roster, places: &Places) {
    let (a, b) = (n.a.index(), n.b.index());
    let Near { face_a, face_b, least, .. } = *n;
    let sides = melee.left[a][face_a as usize].min(melee.left[b][face_b as usize]).min(n.shared);
    if sides * 2 < least {
        return;
    }
    let towards_b = quarter(n.ux, n.uy);
    let slot_a = towards_b * 2 + (roster.side[a].index() & 1);
    let slot_b = (towards_b + 2) % 4 * 2 + (roster.side[b].index() & 1);
    let free_a = strip_left(melee, places.node[a], slot_a);
    let free_b = strip_left(melee, places.node[b], slot_b);
    let width = sides.min(free_a).min(free_b);
    if width * 2 < least {
        return;
    }
    let (body_a, body_b) = (&melee.bodies[a], &melee.bodies[b]);
    let reach = |i: usize| melee.reach_cm[roster.kind[i].index()];
    let pair = Pair {
        a: n.a,
        b: n.b,
        a_men: in_reach(width, body_a, reach(a), melee.first_cm),
        b_men: in_reach(width, body_b, reach(b), melee.first_cm),
        a_side: face_a.exposure(),
        b_side: face_b.exposure(),
    };
    melee.left[a][face_a as usize] -= width;
    melee.left[b][face_b as usize] -= width;
    for (node, slot) in [(places.node[a], slot_a), (places.node[b], slot_b)] {
        melee.strip[node.index()][slot] -= width;
        melee.touched.push(node);
    }
    melee.attacked[a] |= 1 << face_a as u8;
    melee.attacked[b] |= 1 << face_b as u8;
    melee.met.push(Met { pair, width, ux: n.ux, uy: n.uy });
}

/// Width that a cell still lends across a quarter: any three cells in a row hold
/// three cells' worth of fighting, whoever stands deep or thin in them.
fn strip_left(melee: &Melee, node: NodeId, slot: usize) -> i32 {
    let left = |node: u32| melee.strip[node as usize][slot];
    // East and west are fought across north and south, and the other way round.
    let row = &melee.rows[node.index()][slot / 2 % 2];
    let (far_one, near_one) = (left(row[0]), left(row[1]));
    let (near_other, far_other) = (left(row[2]), left(row[3]));
    let here = left(node.0);
    (far_one + near_one + here).min(near_one + here + near_other).min(here + near_other + far_other)
}

/// The two cells on either hand of a node along a line, as places in `strip`: what
/// lies beyond the edge is its last entry, which lends nothing.
fn row(site: &Site, node: NodeId, one: usize, other: usize) -> [u32; 4] {
    let nothing = site.nodes.len() as u32;
    let beside = |way: usize| {
        let next = site.neighbours[node.index()][way];
        let far = next.and_then(|n| site.neighbours[n.index()][way]);
        (next.map_or(nothing, |n| n.0), far.map_or(nothing, |n| n.0))
    };
    let ((near_one, far_one), (near_other, far_other)) = (beside(one), beside(other));
    [far_one, near_one, near_other, far_other]
}

/// Parties fought by any of these.
fn foes_of(parties: u32, hostile: &[u32]) -> u32 {
    let mut foes = 0;
    let mut rest = parties;
    while rest != 0 {
        foes |= hostile.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
        rest &= rest - 1;
    }
    foes
}

/// Nobody touches anybody.
fn clear(contacts: &mut Contacts) {
    contacts.foe.fill(None);
    contacts.front.fill(0);
    contacts.against.fill(0);
    contacts.sides.fill(0);
    contacts.free.fill(true);
    contacts.push_cm.fill(0);
    contacts.push_dir.fill(PointCm::default());
    contacts.pairs.clear();
}

/// Writes the pairs and what each company has of them.
fn settle(
    melee: &mut Melee,
    contacts: &mut Contacts,
    spirits: &Spirits,
    forms: &Forms,
    roster: &Roster,
) {
    melee.holding.fill(0);
    for met in &mut melee.met {
        let Pair { a, b, .. } = met.pair;
        // All-round order has no flank.
        for (c, side) in [(a, &mut met.pair.a_side), (b, &mut met.pair.b_side)] {
            if forms.shape[c.index()] == Shape::Round {
                *side = 0;
            }
            // Half of them have their shields where their comrades push through.
            if melee.changing.contains(&roster.unit[c.index()]) {
                *side = (*side).max(FLANK);
            }
        }
        let pair = met.pair;
        let both = [
            (a, b, pair.a_men, pair.b_men, pair.a_side),
            (b, a, pair.b_men, pair.a_men, pair.b_side),
        ];
        for (own, foe, own_men, foe_men, exposed) in both {
            let i = own.index();
            if contacts.foe[i].is_none() {
                contacts.foe[i] = Some(foe);
            }
            contacts.front[i] += own_men;
            contacts.against[i] += foe_men;
            // Who strikes a back does not bar the way in front of it.
            if spirits.mind[foe.index()] != Mind::Broken && exposed != BACK {
                melee.holding[i] += foe_men;
            }
        }
        contacts.pairs.push(pair);
    }
    for met in &melee.met {
        for c in [met.pair.a, met.pair.b] {
            let i = c.index();
            contacts.sides[i] = melee.attacked[i].count_ones() as u8;
        }
    }
    for met in &melee.met {
        melee.attacked[met.pair.a.index()] = 0;
        melee.attacked[met.pair.b.index()] = 0;
    }
}

/// Tells the journal of contacts that begin.
fn tell(melee: &mut Melee, contacts: &Contacts, clock: &Clock, journal: &mut Journal) {
    let forgotten = (TOLD_AFTER_S / clock.pulse_s.max(1)) as u32;
    for pair in &contacts.pairs {
        let fresh = |i: usize, last: &[u32]| last[i] == 0 || last[i] + forgotten < clock.pulse + 1;
        if fresh(pair.a.index(), &melee.last) || fresh(pair.b.index(), &melee.last) {
            journal.add(clock.pulse, Happening::Contact { a: pair.a, b: pair.b });
        }
        melee.last[pair.a.index()] = clock.pulse + 1;
        melee.last[pair.b.index()] = clock.pulse + 1;
    }
}

/// Who may break off, and what it costs those who do.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn leave(
    mut melee: ResMut<Melee>,
    mut contacts: ResMut<Contacts>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    spirits: Res<Spirits>,
    intents: Res<Intents>,
) {
    if contacts.pairs.is_empty() {
        return;
    }
    let melee = &mut *melee;
    let law = &setting.rules.laws.contest;
    let struck = chance(over(law.leave_loss_per_s.v(), clock.pulse_s));
    let held = law.free_for_s.v() as u32 / clock.pulse_s.max(1) as u32;
    let mut roll = rolls.0.room(clock.pulse, ROOM_LEAVE);
    for i in 0..contacts.front.len() {
        let Some(foe) = contacts.foe[i] else { continue };
        let mut draws = roll.of(i);
        let sides = contacts.sides[i];
        let runs = spirits.mind[i] == Mind::Broken && !surrounded(law, sides);
        let free = melee.holding[i] == 0 || runs || melee.free_to[i] > clock.pulse || {
            let per_s = leave_chance(law, contacts.front[i], melee.holding[i], sides);
            draws.happens(chance(over(per_s, clock.pulse_s)))
        };
        contacts.free[i] = free;
        if !free {
            continue;
        }
        if melee.free_to[i] <= clock.pulse {
            melee.free_to[i] = clock.pulse + held;
        }
        let leaving =
            places.speed_cm_s[i] > 0 && (!intents.attack[i] || spirits.mind[i] == Mind::Broken);
        if leaving && melee.holding[i] > 0 {
            let men = draws.binomial(contacts.front[i], struck);
            if men > 0 {
                let company = CompanyId::from_index(i);
                let by = Some(roster.unit[foe.index()]);
                wounds.0.push(Wound { company, men, cause: Cause::Blow, by, weapon: None });
            }
        }
    }
    rolls.0.count(&roll);
}

/// Adds the room to a battle.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let n = world.resource::<Roster>().len();
    let setting = world.resource::<Setting>();
    let nodes = setting.site.nodes.len();
    let hostile = setting
        .scenario
        .hostile
        .iter()
        .map(|row| {
            row.iter().enumerate().fold(0, |bits, (p, foe)| bits | u32::from(*foe) << (p & 31))
        })
        .collect();
    // What lies beyond the edge comes last, and lends nothing.
    let whole: Vec<_> = (0..nodes)
        .map(|node| breadth(&setting.site, NodeId::from_index(node)))
        .chain([[0; 8]])
        .collect();
    let melee = Melee {
        spacing: Spacing::of(&setting.rules),
        hostile,
        reach_cm: setting.rules.units.iter().map(|kind| reach_cm(&setting.rules, kind)).collect(),
        first_cm: metres_to_cm(setting.rules.laws.contest.first_rank_m.v()),
        touch_cm: metres_to_cm(setting.rules.laws.contest.touch_m.v()),
        ranks: Ranks::new(nodes),
        strip: whole.clone(),
        whole,
        rows: (0..nodes)
            .map(NodeId::from_index)
            .map(|node| [row(&setting.site, node, 2, 6), row(&setting.site, node, 0, 4)])
            .collect(),
        bodies: vec![Body::default(); n],
        sorter: Sorter { first: vec![Sorter::NONE; n], ..Sorter::default() },
        left: vec![[0; 4]; n],
        holding: vec![0; n],
        attacked: vec![0; n],
        free_to: vec![0; n],
        last: vec![0; n],
        ..Melee::default()
    };
    world.insert_resource(melee);
    world.insert_resource(Contacts {
        foe: vec![None; n],
        front: vec![0; n],
        against: vec![0; n],
        sides: vec![0; n],
        free: vec![true; n],
        push_cm: vec![0; n],
        push_dir: vec![PointCm::default(); n],
        pairs: Vec::new(),
    });
    world.init_resource::<Wounds>();
    world.init_resource::<Journal>();
    schedule.add_systems((meet, charge::charge, leave).chain().in_set(Phase::Contact));
}

/// What the room wrote, for the digest of a pulse.
pub fn digest(world: &World, d: &mut Digest) {
    let contacts = world.resource::<Contacts>();
    for pair in &contacts.pairs {
        d.u32(u32::from(pair.a.0) << 16 | u32::from(pair.b.0));
        d.i32(pair.a_men << 16 | pair.b_men);
        d.u32(u32::from(pair.a_side) << 8 | u32::from(pair.b_side));
    }
    for (i, front) in contacts.front.iter().enumerate().filter(|(_, front)| **front > 0) {
        d.u32(i as u32 | u32::from(contacts.free[i]) << 31);
        d.i32(*front);
        d.i32(contacts.push_cm[i]);
    }
}
