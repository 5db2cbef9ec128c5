//! Muster: a checked scenario becomes entities and arrays, in id order.
//!
//! Reads the scenario; writes `Roster`, the first `Places` and `Strength` and the
//! entities, once. Nothing is spawned or despawned afterwards.

use bevy_ecs::prelude::*;

use super::board::{Built, Cause, Company, Named, Places, Roster, Strength};
use super::laws::LawSet;
use crate::core::ids::{CompanyId, NodeId, PersonId, UnitId, WorkId};
use crate::core::measure::PointCm;
use crate::scenario::battle::{Scenario, Unit};
use crate::scenario::site::{Level, Site};

/// One spare company for so many, for splits at closing leaves, and two besides.
const SPARE_FOR: usize = 12;
/// Spare companies for each ladder of a unit, for those who come off it.
const SPARE_LADDER: usize = 1;

/// Where each company starts, and with how many men.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// Node.
    pub node: Vec<NodeId>,
    /// Position.
    pub at: Vec<PointCm>,
    /// Heading in thousandths.
    pub heading: Vec<PointCm>,
    /// Men; 0 for a spare company.
    pub men: Vec<i32>,
    /// Jam area taken on each node in square centimetres.
    pub taken_cm2: Vec<i32>,
}

/// Draws up the order of battle; units of kinds that are off have no men.
#[must_use]
pub fn draw_up(scenario: &Scenario, off: &LawSet) -> (Roster, Deployment) {
    let mut roster =
        Roster { of_unit: vec![Vec::new(); scenario.units.len()], ..Roster::default() };
    let mut plan =
        Deployment { taken_cm2: vec![0; scenario.site.nodes.len()], ..Deployment::default() };
    for (index, unit) in scenario.units.iter().enumerate() {
        let men = if off.units.contains(&unit.kind) { 0 } else { unit.men };
        draw_up_unit(scenario, UnitId::from_index(index), unit, men, &mut roster, &mut plan);
    }
    (roster, plan)
}

fn draw_up_unit(
    scenario: &Scenario,
    id: UnitId,
    unit: &Unit,
    men: i32,
    roster: &mut Roster,
    plan: &mut Deployment,
) {
    let kind = &scenario.rules.units[unit.kind.index()];
    let shape = scenario.rules.shape(unit.shape);
    let (front, depth) = if kind.mounted {
        (&shape.horse_front_m, &shape.horse_depth_m)
    } else {
        (&shape.front_m, &shape.depth_m)
    };
    let size = kind.company_size.max(1);
    let count = (men + size - 1) / size;
    // A company's footprint as a square: it fits any facing.
    let pitch_cm = (f64::from(size) * front.v() * depth.v() * 10_000.0).sqrt() as i32;
    let columns = (unit.stands.front_cm / pitch_cm.max(1)).clamp(1, count.max(1));
    let jam_cm2 = (kind.jam_m2.v() * 10_000.0) as i32;
    // Who climbs is counted in new companies on the walk, as many again as below.
    let over =
        if unit.ladders > 0 { count as usize + unit.ladders as usize * SPARE_LADDER } else { 0 };
    let spares = if count == 0 { 0 } else { count as usize / SPARE_FOR + 2 + over };
    let mut left = men;
    for n in 0..count + spares as i32 {
        let company = CompanyId::from_index(roster.len());
        let men = if n < count { (left / (count - n)).min(size) } else { 0 };
        left -= men;
        let wanted = slot(unit, n.min(count - 1), columns, count, pitch_cm);
        let area = men * jam_cm2;
        let node = free_node(&scenario.site, plan, wanted, unit.stands.level, kind.mounted, area);
        if men > 0 {
            plan.taken_cm2[node.index()] += area;
        }
        plan.node.push(node);
        plan.at.push(inside_cell(&scenario.site, node, wanted));
        plan.heading.push(unit.stands.facing);
        plan.men.push(men);
        roster.unit.push(id);
        roster.kind.push(unit.kind);
        roster.side.push(scenario.side_of(id));
        roster.party.push(unit.party);
        roster.corps.push(unit.corps);
        roster.mounted.push(kind.mounted);
        roster.mustered.push(men > 0);
        roster.of_unit[id.index()].push(company);
    }
}

/// The place of the `n`-th company: ranks behind each other, the front one first.
fn slot(unit: &Unit, n: i32, columns: i32, count: i32, pitch_cm: i32) -> PointCm {
    let rank = n / columns;
    let in_rank = columns.min(count - rank * columns).max(1);
    let ranks = (count + columns - 1) / columns;
    let gap = if in_rank > 1 { unit.stands.front_cm / in_rank } else { 0 };
    let across = (n % columns) * gap - gap * (in_rank - 1) / 2;
    let along = (ranks - 1) * pitch_cm / 2 - rank * pitch_cm;
    let f = unit.stands.facing;
    let turn = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 1000) as i32;
    PointCm {
        x: unit.stands.at.x
            + turn(f.x.saturating_mul(along / 10) * 10, -f.y.saturating_mul(across / 10) * 10),
        y: unit.stands.at.y
            + turn(f.y.saturating_mul(along / 10) * 10, f.x.saturating_mul(across / 10) * 10),
    }
}

/// The nearest node of the level with room, in growing squares about the place.
fn free_node(
    site: &Site,
    plan: &Deployment,
    at: PointCm,
    level: Level,
    mounted: bool,
    area_cm2: i32,
) -> NodeId {
    let (columns, rows) = (site.columns as i32, site.rows as i32);
    let cx = (at.x - site.origin.x).div_euclid(site.cell_cm).clamp(0, columns - 1);
    let cy = (at.y - site.origin.y).div_euclid(site.cell_cm).clamp(0, rows - 1);
    let mut best: Option<(i32, NodeId)> = None;
    for radius in 0..columns.max(rows) {
        for y in (cy - radius).max(0)..=(cy + radius).min(rows - 1) {
            for x in (cx - radius).max(0)..=(cx + radius).min(columns - 1) {
                if (x - cx).abs() != radius && (y - cy).abs() != radius {
                    continue;
                }
                let ground = NodeId((y * columns + x) as u32);
                let node = match level {
                    Level::Ground => ground,
                    Level::Rampart => match site.rampart_of[ground.index()] {
                        Some(node) => node,
                        None => continue,
                    },
                };
                let facts = &site.nodes[node.index()];
                let taken = plan.taken_cm2[node.index()];
                let fits = facts.room_cm2 > 0 && (taken == 0 || taken + area_cm2 <= facts.room_cm2);
                if fits && !(mounted && level == Level::Rampart) {
                    let far = site.centre(node).distance_cm(at);
                    if best.is_none_or(|(b, _)| far < b) {
                        best = Some((far, node));
                    }
                }
            }
        }
        if let Some((_, node)) = best {
            return node;
        }
    }
    NodeId(0)
}

/// The wanted place, kept within the node's cell.
fn inside_cell(site: &Site, node: NodeId, at: PointCm) -> PointCm {
    let centre = site.centre(node);
    let half = site.cell_cm / 2 - 1;
    PointCm {
        x: at.x.clamp(centre.x - half, centre.x + half),
        y: at.y.clamp(centre.y - half, centre.y + half),
    }
}

/// Spawns the entities in id order, companies first, and inserts the first boards.
/// What a room keeps of them lies in dense arrays by the same ids: measured, half
/// the cost of asking each entity.
pub fn spawn(world: &mut World, scenario: &Scenario, roster: Roster, plan: Deployment) {
    world.spawn_batch((0..roster.len()).map(|id| Company(CompanyId::from_index(id))));
    world.spawn_batch((0..scenario.persons.len()).map(|id| Named(PersonId::from_index(id))));
    world.spawn_batch((0..scenario.site.works.len()).map(|id| Built(WorkId::from_index(id))));
    let n = roster.len();
    world.insert_resource(Strength {
        muster: plan.men.clone(),
        men: plan.men,
        lost: vec![0; n],
        lost_to_shot: vec![0; n],
        captive: vec![0; n],
        lost_now: vec![0; n],
        shot_now: vec![0; n],
        tally: vec![vec![0; scenario.units.len()]; Cause::ALL.len()],
    });
    world.insert_resource(Places {
        node: plan.node,
        at: plan.at,
        heading: plan.heading,
        ..Places::default()
    });
    world.insert_resource(roster);
}
