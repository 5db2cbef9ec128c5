//! Flow fields: the way to a goal from everywhere, and how far it is.
//!
//! Cached by goal and by whether one rides; built when first asked for and again
//! when a portal has opened or shut. Costs are centimetres of firm ground at the
//! same pace, so a cost divided by a speed is an honest time of arrival.

use bevy_ecs::prelude::*;

use crate::core::ids::{AreaId, FieldId, NodeId, PortalId};
use crate::core::measure::PointCm;
use crate::scenario::catalogue::Catalogue;
use crate::scenario::site::{Level, Site};

use super::board::Gates;

/// Fields kept at once; the one not asked for longest goes first.
const KEPT: usize = 32;
/// No way from here.
const NEVER: u32 = u32::MAX;
/// The step of a node that has none.
const NOWHERE: u8 = u8::MAX;
/// The step of a node whose way leads through a portal.
const THROUGH: u8 = 8;
/// One, in the fixed point of ground factors.
const ONE: u32 = 1024;
/// Slowest ground that a field still counts as passable, in the same fixed point
/// of its inverse: a hundredth of the speed on firm ground.
const SLOWEST: u32 = ONE * 100;
/// Diagonal of a square of side 1, in thousandths.
const DIAGONAL: u32 = 1414;

/// What a field leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Aim {
    /// An area: to its middle, though whoever is in it has arrived.
    Area(AreaId),
    /// One node.
    Node(NodeId),
    /// The ground before a portal: its inner side, or its outer one.
    Side(PortalId, bool),
}

/// The next step towards a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It is here.
    Here,
    /// To a neighbouring node.
    To(NodeId),
    /// Through a portal; inwards or outwards.
    Through(PortalId, bool),
    /// There is no way.
    None,
}

#[derive(Clone, Debug)]
struct Field {
    aim: Aim,
    mounted: bool,
    version: u32,
    asked: u64,
    cost: Vec<u32>,
    way: Vec<u8>,
}

/// The cache. Asked by `steer`, read by `passage` and whoever wants to know how
/// long a way is.
#[derive(Resource, Clone, Debug, Default)]
pub struct Fields {
    fields: Vec<Field>,
    asks: u64,
    /// Inverse of the speed on each kind of ground: on foot, on horseback.
    slow: [Vec<u32>; 2],
    buckets: Vec<Vec<u32>>,
}

impl Fields {
    /// An empty cache for these kinds of ground; `firm`: all of it as if firm.
    #[must_use]
    pub fn new(rules: &Catalogue, firm: bool) -> Self {
        let inverse = |v: f64| {
            if v <= 0.01 {
                SLOWEST
            } else if firm {
                ONE
            } else {
                (f64::from(ONE) / v) as u32
            }
        };
        let slow = [
            rules.ground.iter().map(|g| inverse(g.foot.v())).collect(),
            rules.ground.iter().map(|g| inverse(g.horse.v())).collect(),
        ];
        Self { slow, ..Self::default() }
    }

    /// The node that a point on a level stands for, if it can be stood on.
    #[must_use]
    pub fn node(site: &Site, at: PointCm, level: Level) -> Option<NodeId> {
        site.node_on(at, level).filter(|n| site.nodes[n.index()].room_cm2 > 0)
    }

    /// The field to a goal, built if it has to be. Ask every pulse: the number is
    /// good until [`KEPT`] other goals have been asked for.
    pub fn handle(&mut self, site: &Site, gates: &Gates, aim: Aim, mounted: bool) -> FieldId {
        self.asks += 1;
        let found = self.fields.iter().position(|f| f.aim == aim && f.mounted == mounted);
        let index = found.unwrap_or_else(|| {
            let fresh = Field {
                aim,
                mounted,
                version: u32::MAX,
                asked: 0,
                cost: Vec::new(),
                way: Vec::new(),
            };
            if self.fields.len() < KEPT {
                self.fields.push(fresh);
                return self.fields.len() - 1;
            }
            let oldest = (0..KEPT).min_by_key(|i| self.fields[*i].asked).unwrap_or(0);
            let old = std::mem::replace(&mut self.fields[oldest], fresh);
            self.fields[oldest].cost = old.cost;
            self.fields[oldest].way = old.way;
            oldest
        });
        self.fields[index].asked = self.asks;
        if self.fields[index].version != gates.version || found.is_none() {
            self.fields[index].version = gates.version;
            self.build(index, site, gates);
        }
        FieldId::from_index(index)
    }

    /// Centimetres of firm ground to the goal; none where there is no way.
    #[must_use]
    pub fn cost(&self, field: FieldId, node: NodeId) -> Option<u32> {
        self.fields.get(field.index()).map(|f| f.cost[node.index()]).filter(|c| *c != NEVER)
    }

    /// Whether a node belongs to the goal.
    #[must_use]
    pub fn arrived(&self, site: &Site, field: FieldId, node: NodeId) -> bool {
        self.fields.get(field.index()).is_some_and(|f| match f.aim {
            Aim::Area(area) => site.in_area(area, node),
            _ => f.cost[node.index()] == 0,
        })
    }

    /// The best step from a node.
    #[must_use]
    pub fn step(&self, site: &Site, field: FieldId, node: NodeId) -> Step {
        let Some(f) = self.fields.get(field.index()) else { return Step::None };
        match f.way[node.index()] {
            NOWHERE if f.cost[node.index()] == 0 => Step::Here,
            NOWHERE => Step::None,
            THROUGH => {
                let best = site
                    .portals_at(node)
                    .flat_map(|p| {
                        let portal = &site.portals[p.index()];
                        let inward = portal.outer.contains(&node);
                        let far = if inward { &portal.inner } else { &portal.outer };
                        far.iter().map(move |n| (p, inward, *n))
                    })
                    .min_by_key(|(p, _, n)| {
                        (f.cost[n.index()].saturating_add(through(site, *p, node, *n)), *p)
                    });
                best.map_or(Step::None, |(p, inward, _)| Step::Through(p, inward))
            }
            direction => {
                site.neighbours[node.index()][usize::from(direction)].map_or(Step::None, Step::To)
            }
        }
    }

    /// Neighbours of a node that lie strictly nearer the goal, in the site's order.
    pub fn nearer<'a>(
        &'a self,
        site: &'a Site,
        field: FieldId,
        node: NodeId,
    ) -> impl Iterator<Item = (NodeId, u32)> + 'a {
        let here = self.cost(field, node).unwrap_or(NEVER);
        site.neighbours[node.index()]
            .iter()
            .flatten()
            .filter_map(move |n| self.cost(field, *n).filter(|c| *c < here).map(|c| (*n, c)))
    }

    /// A bucket queue over the nodes: buckets no wider than the shortest edge
    /// settle each node at once, in any order within a bucket.
    fn build(&mut self, index: usize, site: &Site, gates: &Gates) {
        let Self { fields, buckets, slow, .. } = self;
        let field = &mut fields[index];
        let slow = &slow[usize::from(field.mounted)];
        field.cost.clear();
        field.cost.resize(site.nodes.len(), NEVER);
        field.way.clear();
        field.way.resize(site.nodes.len(), NOWHERE);
        let one;
        let seeds: &[NodeId] = match field.aim {
            Aim::Area(area) => {
                one = [site.areas[area.index()].centre];
                &one
            }
            Aim::Node(node) => {
                one = [node];
                &one
            }
            Aim::Side(portal, true) => &site.portals[portal.index()].inner,
            Aim::Side(portal, false) => &site.portals[portal.index()].outer,
        };
        let cell = site.cell_cm as u32;
        let wide = (cell / 2).max(1);
        let longest_portal = site.portals[..site.passages]
            .iter()
            .map(|p| (f64::from(p.length_cm) / p.speed.max(0.01)) as u32);
        let longest = longest_portal.max().unwrap_or(0) + cell * 200;
        let ring = (longest / wide + 2) as usize;
        if buckets.len() < ring {
            buckets.resize(ring, Vec::new());
        }
        let ring = buckets.len();
        let mut waiting = 0_usize;
        for seed in seeds {
            field.cost[seed.index()] = 0;
            buckets[0].push(seed.0);
            waiting += 1;
        }
        let mut turn = 0_usize;
        let mut batch: Vec<u32> = Vec::new();
        while waiting > 0 {
            let slot = turn % ring;
            std::mem::swap(&mut batch, &mut buckets[slot]);
            waiting -= batch.len();
            for from in batch.drain(..) {
                let node = NodeId(from);
                let here = field.cost[node.index()];
                if (here / wide) as usize != turn {
                    continue;
                }
                let slow_here = slow[site.nodes[node.index()].ground.index()];
                let mut offer = |to: NodeId, cost: u32, way: u8| {
                    let cost = here + cost;
                    if cost < field.cost[to.index()] {
                        field.cost[to.index()] = cost;
                        field.way[to.index()] = way;
                        buckets[(cost / wide) as usize % ring].push(to.0);
                        waiting += 1;
                    }
                };
                for (d, to) in site.neighbours[node.index()].iter().enumerate() {
                    let Some(to) = *to else { continue };
                    let slow_there = slow[site.nodes[to.index()].ground.index()];
                    if slow_there >= SLOWEST {
                        continue;
                    }
                    let length = if d % 2 == 1 { cell * DIAGONAL / 1000 } else { cell };
                    // The way back has the opposite direction.
                    offer(to, length * (slow_here + slow_there) / (2 * ONE), ((d + 4) % 8) as u8);
                }
                for portal in site.portals_at(node) {
                    let p = &site.portals[portal.index()];
                    if gates.gap[portal.index()] <= 0 || field.mounted && !p.horse {
                        continue;
                    }
                    let back = if p.outer.contains(&node) { &p.inner } else { &p.outer };
                    for to in back {
                        offer(*to, through(site, portal, *to, node), THROUGH);
                    }
                }
            }
            turn += 1;
        }
    }
}

/// Cost of the way through a portal from a node on one side to one on the other.
fn through(site: &Site, portal: PortalId, from: NodeId, to: NodeId) -> u32 {
    let p = &site.portals[portal.index()];
    let (a, b) =
        if p.outer.contains(&from) { (p.outer_at, p.inner_at) } else { (p.inner_at, p.outer_at) };
    let inside = (f64::from(p.length_cm) / p.speed.max(0.01)) as u32;
    // At least a cell, so that a bucket of half a cell stays narrow enough.
    let walk = site.centre(from).distance_cm(a) + b.distance_cm(site.centre(to));
    (walk as u32 + inside).clamp(site.cell_cm as u32, site.cell_cm as u32 * 150 + inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::kit::{self, Kit};

    fn open(site: &Site) -> Gates {
        Gates { gap: vec![1000; site.portals.len()], ..Gates::default() }
    }

    #[test]
    fn a_field_leads_through_a_gate_and_not_through_a_shut_one() {
        let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(450.0, 300.0, 5.8)];
        let kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
        let site = kit.site();
        let mut fields = Fields::new(&kit.rules, false);
        let mut gates = open(&site);
        let goal = Fields::node(&site, PointCm::from_metres(100.0, 500.0), Level::Ground);
        let start = Fields::node(&site, PointCm::from_metres(100.0, 100.0), Level::Ground);
        let (Some(goal), Some(start)) = (goal, start) else { panic!("open ground") };
        let id = fields.handle(&site, &gates, Aim::Node(goal), false);
        // By the gate: two slanting ways of some 400 m each.
        let cost = fields.cost(id, start);
        assert!(cost.is_some_and(|c| (78_000..90_000).contains(&c)), "{cost:?}");
        let (mut node, mut passed) = (start, 0);
        for _ in 0..200 {
            match fields.step(&site, id, node) {
                Step::To(n) => {
                    assert!(fields.cost(id, n) < fields.cost(id, node));
                    node = n;
                }
                Step::Through(p, inward) => {
                    assert!(inward);
                    node = site.portals[p.index()].inner[0];
                    passed += 1;
                }
                Step::Here => break,
                Step::None => panic!("no way"),
            }
        }
        assert_eq!((node, passed), (goal, 1));
        gates.gap[0] = 0;
        gates.version += 1;
        assert_eq!(fields.handle(&site, &gates, Aim::Node(goal), false), id);
        assert_eq!(fields.cost(id, start), None);
        assert_eq!(fields.step(&site, id, start), Step::None);
    }

    #[test]
    fn slow_ground_is_gone_round_and_the_oldest_field_makes_room() {
        let slow = crate::scenario::raw::map::Feature::Ground {
            id: "s".into(),
            kind: "works".into(),
            area: vec![(200.0, 0.0), (400.0, 0.0), (400.0, 450.0), (200.0, 450.0)],
            source: "made".into(),
        };
        let kit = Kit::plain(600.0, 600.0).with(vec![slow], 10.0, 2);
        let site = kit.site();
        let gates = open(&site);
        let goal = NodeId(site.columns * 20 + 59);
        let start = NodeId(site.columns * 20);
        let mut firm = Fields::new(&kit.rules, true);
        let mut fields = Fields::new(&kit.rules, false);
        let a = firm.handle(&site, &gates, Aim::Node(goal), true);
        let b = fields.handle(&site, &gates, Aim::Node(goal), true);
        assert_eq!(firm.cost(a, start), Some(59_000));
        let round = fields.cost(b, start).unwrap_or(0);
        assert!((70_000..95_000).contains(&round), "{round}");
        for i in 0..40 {
            fields.handle(&site, &gates, Aim::Node(NodeId(i)), false);
        }
        assert_eq!(fields.fields.len(), KEPT);
        let again = fields.handle(&site, &gates, Aim::Node(goal), true);
        assert_eq!(fields.cost(again, start), Some(round));
    }
}
