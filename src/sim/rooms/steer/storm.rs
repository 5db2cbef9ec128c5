//! At walls: who carries ladders where, who climbs by which, who fights on a walk.
//!
//! A stretch costs the way to it and the time of those who queue there already, so
//! that nobody waits at one while comrades go up beside it, or stays at an empty one.
//! So does an open gate: who comes up sooner by that goes there. All crews climb whose
//! ladders stand, or find no room any more.

use super::{Conduct, Eye, Wish, direction, hunt, shooter};
use crate::core::ids::{CompanyId, NodeId, PortalId, WorkId};
use crate::orders::ast::{Gait, Instruction, Place};
use crate::scenario::site::{Level, WorkForm};
use crate::sim::board::{Goal, Task};
use crate::sim::field::{Aim, Fields, Step};

/// A stretch is left for another only if that saves this much, in percent.
const WORTH: i64 = 70;

/// What each company has in mind at walls.
#[derive(Clone, Debug, Default)]
pub(super) struct Storm {
    /// Stretch that it goes to.
    to: Vec<Option<PortalId>>,
    /// Pulse of its next look.
    look: Vec<u32>,
    /// Whether it goes by an open gate instead, and the pulse in which it asks again.
    gate: Vec<bool>,
    gate_look: Vec<u32>,
    /// Men who queue, or ladders that are brought, by stretch.
    queue: Vec<i32>,
    brought: Vec<i32>,
    /// Whether hostile parties stand on walks.
    meets: bool,
    /// Cells of a walk that one company has looked over.
    seen: Vec<NodeId>,
}

impl Storm {
    pub(super) fn new(companies: usize, stretches: usize) -> Self {
        Self {
            to: vec![None; companies],
            look: vec![0; companies],
            gate: vec![false; companies],
            gate_look: vec![0; companies],
            queue: vec![0; stretches],
            brought: vec![0; stretches],
            meets: false,
            seen: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self, c: usize) {
        self.look[c] = 0;
        self.gate_look[c] = 0;
    }

    /// Whether a company stands where enemies are on the same kind of place: a walk.
    pub(super) fn cut_off(&self, eye: &Eye<'_>, c: usize) -> bool {
        let node = eye.places.node[c];
        self.meets && eye.setting.site.nodes[node.index()].level == Level::Rampart
    }

    /// Who is about what, once a pulse.
    pub(super) fn refresh(&mut self, eye: &Eye<'_>) {
        let site = &eye.setting.site;
        let (mut parties, mut foes) = (0_u32, 0_u32);
        self.queue.fill(0);
        self.brought.fill(0);
        let walk = |node: NodeId| site.nodes[node.index()].level == Level::Rampart;
        let fights = |c: CompanyId| eye.active(c) && eye.strength.men[c.index()] > 0;
        let walks = eye.places.busy.iter().filter(|node| walk(**node));
        for c in walks.flat_map(|node| eye.places.on(*node)).filter(|c| fights(*c)) {
            let party = eye.roster.party[c.index()].index();
            parties |= 1 << (party & 31);
            for (p, hostile) in eye.setting.scenario.hostile[party].iter().enumerate() {
                foes |= u32::from(*hostile) << (p & 31);
            }
        }
        for (c, to) in self.to.iter_mut().enumerate() {
            let Some(stretch) = *to else { continue };
            if walk(eye.places.node[c]) || !fights(CompanyId::from_index(c)) {
                *to = None;
                continue;
            }
            let at = stretch.index() - site.passages;
            let carried = eye.escalade.map_or(0, |e| e.carried[c]);
            self.brought[at] += carried;
            if carried == 0 {
                self.queue[at] += eye.strength.men[c];
            }
        }
        self.meets = parties & foes != 0;
    }
}

impl Conduct {
    /// Whether any refuge of a company's unit can be reached without ladders.
    pub(super) fn has_way(&self, eye: &Eye<'_>, fields: &mut Fields, c: usize) -> bool {
        let site = &eye.setting.site;
        let unit = eye.roster.unit[c].index();
        eye.setting.scenario.units[unit].refuges.iter().any(|place| {
            eye.aim(*place).is_some_and(|(aim, _)| {
                let field = fields.handle(site, eye.gates, aim, eye.roster.mounted[c]);
                fields.step(site, field, eye.places.node[c]) != Step::None
            })
        })
    }

    /// What a company does at a wall within its task, before anything else.
    pub(super) fn at_walls(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        c: usize,
        task: &Task,
    ) -> Option<Wish> {
        let site = &eye.setting.site;
        let level = site.nodes[eye.places.node[c].index()].level;
        if level == Level::Rampart {
            let leaves = matches!(task, Task::Back(..) | Task::Follow(..));
            if leaves {
                return None;
            }
            let gathers = gathers(eye, c);
            let meets = self.storm.meets;
            let prey = if meets { self.on_walk(eye, c, task, gathers) } else { None };
            return prey.or_else(|| gathers.then(Wish::default));
        }
        let board = eye.escalade?;
        if eye.roster.mounted[c] || matches!(task, Task::Back(..)) {
            return None;
        }
        let raising = board.raising[eye.roster.unit[c].index()];
        let crew = f64::from(eye.strength.men[c]) >= eye.setting.rules.laws.escalade.carry_men.v();
        if board.carried[c] > 0
            && crew
            && eye.places.straddles[c].is_none()
            && let Some(wall) = raising
        {
            let brings = self.bring_ladders(eye, fields, c, wall, task);
            // Whose ladders find no room any more goes up by those that stand.
            if brings.is_some() || board.open.is_empty() {
                return brings;
            }
        }
        if board.open.is_empty() {
            return None;
        }
        match task {
            Task::Go(place, _) | Task::Hold(place) => {
                let wall = wall_of(eye, *place)?;
                if self.by_gate(eye, fields, c, *place, wall) {
                    return None;
                }
                self.seek_ladders(eye, c, Some(wall))
            }
            // Who was told to raise ladders, and nothing else, goes up by them.
            Task::Stand if raising.is_some() => self.seek_ladders(eye, c, raising),
            // With nobody to charge at below, those above.
            Task::Charge(_) if self.hunters.idle(c) => self.seek_ladders(eye, c, None),
            _ => None,
        }
    }

    /// At the nearest enemy on the same walk, as far as a standing company steps out, or
    /// comes forward to heads over the parapet; who `stays` goes for those of his own
    /// cell alone.
    fn on_walk(&mut self, eye: &Eye<'_>, c: usize, task: &Task, stays: bool) -> Option<Wish> {
        let site = &eye.setting.site;
        let unit = eye.roster.unit[c];
        let meets = !eye.tasks.idle(unit) || super::meets(eye, c);
        let mut reach_cm = if meets { eye.figures.meets_cm } else { 0 };
        let comes = matches!(task, Task::Stand | Task::Hold(_) | Task::Charge(_));
        if comes && eye.tasks.stands(unit, Instruction::SwapAtHeads) {
            reach_cm = reach_cm.max(eye.figures.heads_cm);
        }
        let (here, at) = (eye.places.node[c], eye.places.at[c]);
        let hostile = &eye.setting.scenario.hostile[eye.roster.party[c].index()];
        let seen = &mut self.storm.seen;
        seen.clear();
        seen.push(here);
        let mut best: Option<(i32, CompanyId)> = None;
        let mut next = 0;
        while let Some(&node) = seen.get(next) {
            next += 1;
            for foe in eye.places.on(node) {
                let f = foe.index();
                if !hostile[eye.roster.party[f].index()] || !eye.active(foe) {
                    continue;
                }
                let far = at.distance_cm(eye.places.at[f]);
                if best.is_none_or(|b| (far, foe) < b) {
                    best = Some((far, foe));
                }
            }
            for &other in site.neighbours[node.index()].iter().flatten().filter(|_| !stays) {
                let far = site.centre(other).distance_cm(at) - site.cell_cm;
                if far <= reach_cm && !seen.contains(&other) {
                    seen.push(other);
                }
            }
        }
        let (_, prey) = best.filter(|(far, _)| *far <= reach_cm)?;
        let to = eye.places.at[prey.index()];
        let face = direction(at, to);
        if shooter(eye, c) && eye.contacts.foe[c].is_none() {
            return Some(Wish { face, ..Wish::default() });
        }
        Some(Wish { goal: Goal::Toward(to), gait: Gait::Quick, attack: true, face })
    }

    /// With ladders to the foot of a wall, where the fewest are.
    fn bring_ladders(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        c: usize,
        wall: WorkId,
        task: &Task,
    ) -> Option<Wish> {
        let site = &eye.setting.site;
        let board = eye.escalade?;
        let ladder_m = eye.setting.rules.laws.escalade.ladder_m.v().max(0.1);
        let room = |p: PortalId| {
            (f64::from(site.portals[p.index()].width_cm) / 100.0 / ladder_m) as i32
                - board.stand(site, p).up
        };
        let here = eye.places.at[c];
        let gone =
            self.storm.to[c].is_none_or(|p| room(p) <= 0 || site.portals[p.index()].work != wall);
        if gone || eye.pulse >= self.storm.look[c] && eye.places.blocked[c] > 0 {
            self.storm.look[c] = eye.pulse + eye.figures.look_again;
            let area = match task {
                Task::Go(Place::Area(area), _) | Task::Hold(Place::Area(area)) => Some(*area),
                _ => None,
            };
            let own = self.storm.to[c];
            let cost = |p: PortalId, within: bool| {
                let portal = &site.portals[p.index()];
                let inner = portal.inner[0];
                let wanted = !within || area.is_none_or(|a| eye.lands.holds(a, inner));
                if portal.work != wall || !wanted || room(p) <= 0 || !outside(eye, c, p) {
                    return None;
                }
                let at = p.index() - site.passages;
                let mine = if own == Some(p) { board.carried[c] } else { 0 };
                let there = self.storm.brought[at] - mine + board.stand(site, p).up;
                let far = here.distance_cm(portal.outer_at);
                Some((far.saturating_add(there * eye.figures.crowding_cm), p))
            };
            let best = site.stretches().filter_map(|p| cost(p, true)).min();
            let best = best.or_else(|| site.stretches().filter_map(|p| cost(p, false)).min());
            let new = best.map(|(_, p)| p);
            if new != own {
                let at = |p: PortalId| p.index() - site.passages;
                if let Some(old) = own {
                    self.storm.brought[at(old)] -= board.carried[c];
                }
                if let Some(new) = new {
                    self.storm.brought[at(new)] += board.carried[c];
                }
            }
            self.storm.to[c] = new;
        }
        let stretch = self.storm.to[c]?;
        let portal = &site.portals[stretch.index()];
        let foot = portal.outer[0];
        let face = direction(portal.outer_at, portal.inner_at);
        if eye.places.node[c] == foot {
            return Some(Wish { face, ..Wish::default() });
        }
        let to = site.centre(foot);
        let far = here.distance_cm(to);
        if hunt::sees_way(site, here, to, far) {
            return Some(Wish { goal: Goal::Toward(to), gait: Gait::Run, face, ..Wish::default() });
        }
        let field = fields.handle(site, eye.gates, Aim::Node(foot), false);
        match fields.step(site, field, eye.places.node[c]) {
            Step::None => None,
            _ => Some(Wish { goal: Goal::Field(field), gait: Gait::Run, face, ..Wish::default() }),
        }
    }

    /// Whether a company that is to go up to a place on a wall comes there sooner by a
    /// gate that stands open. Asked anew at each look.
    fn by_gate(
        &mut self,
        eye: &Eye<'_>,
        fields: &mut Fields,
        c: usize,
        place: Place,
        wall: WorkId,
    ) -> bool {
        let site = &eye.setting.site;
        if eye.places.straddles[c].is_some()
            || site.gates().all(|(_, p)| eye.gates.gap[p.index()] == 0)
        {
            self.storm.gate[c] = false;
            return false;
        }
        if eye.pulse < self.storm.gate_look[c] {
            return self.storm.gate[c];
        }
        self.storm.gate_look[c] = eye.pulse + eye.figures.look_again;
        let rules = &eye.setting.rules;
        let (law, quick) = (&rules.laws.escalade, rules.foot.quick.v());
        let here = eye.places.at[c];
        let gates = eye.aim(place).and_then(|(aim, to)| {
            let field = fields.handle(site, eye.gates, aim, false);
            if fields.step(site, field, eye.places.node[c]) == Step::None {
                return None;
            }
            // Centimetres that a man walks while one of those before him passes the leaves.
            let jam_m2 = rules.units[eye.roster.kind[c].index()].jam_m2.v().max(0.01);
            let flow = rules.laws.passage.flow_share.v() * rules.laws.passage.crowd_foot_m_s.v();
            let way = |p: PortalId| {
                let portal = &site.portals[p.index()];
                let open = f64::from(eye.gates.gap[p.index()]) / 1000.0;
                let men_s = f64::from(portal.width_cm) / 100.0 * open * flow / jam_m2;
                let step_cm = (quick * 100.0 / men_s.max(0.01)) as i64;
                let far = here.distance_cm(portal.outer_at)
                    + portal.inner_at.distance_cm(to)
                    + portal.length_cm;
                i64::from(far) + i64::from(eye.places.pushing[p.index()]) * step_cm
            };
            let open = site.gates().filter(|(_, p)| eye.gates.gap[p.index()] > 0);
            open.map(|(_, p)| way(p)).min()
        });
        let climb = |p: PortalId| {
            let height = f64::from(site.portals[p.index()].length_cm) / 100.0;
            (height / law.climb_m_s.v().max(0.01) * quick * 100.0) as i64
        };
        let ladders = self.ladders(eye, c, Some(wall)).map(|(cost, p)| cost + climb(p));
        self.storm.gate[c] = match (gates, ladders) {
            (Some(gate), Some(ladders)) => {
                let worth = if self.storm.gate[c] { 100 } else { WORTH };
                gate * 100 < ladders * worth
            }
            (gate, None) => gate.is_some(),
            (None, Some(_)) => false,
        };
        self.storm.gate[c]
    }

    /// The ladders that are soonest reached and soonest free, with what they cost.
    fn ladders(&self, eye: &Eye<'_>, c: usize, wall: Option<WorkId>) -> Option<(i64, PortalId)> {
        let board = eye.escalade?;
        board.open.iter().filter_map(|p| self.ladder_cost(eye, c, wall, *p)).min()
    }

    /// What it costs to go up by the ladders of a stretch: the way there in centimetres, and
    /// how far a man walks while those before him go up.
    fn ladder_cost(
        &self,
        eye: &Eye<'_>,
        c: usize,
        wall: Option<WorkId>,
        p: PortalId,
    ) -> Option<(i64, PortalId)> {
        let site = &eye.setting.site;
        let law = &eye.setting.rules.laws.escalade;
        let step_cm = (law.man_s.v() * eye.setting.rules.foot.quick.v() * 100.0) as i64;
        let portal = &site.portals[p.index()];
        let stand = eye.escalade?.stand(site, p);
        if stand.up <= 0
            || stand.side != Some(eye.roster.side[c])
            || wall.is_some_and(|w| portal.work != w)
            || !outside(eye, c, p)
        {
            return None;
        }
        let mine = if self.storm.to[c] == Some(p) { eye.strength.men[c] } else { 0 };
        let queue = i64::from(self.storm.queue[p.index() - site.passages] - mine);
        let far = i64::from(eye.places.at[c].distance_cm(portal.outer_at));
        Some((far + queue.max(0) * step_cm / i64::from(stand.up), p))
    }

    /// Up by the ladders that are soonest reached and soonest free.
    fn seek_ladders(&mut self, eye: &Eye<'_>, c: usize, wall: Option<WorkId>) -> Option<Wish> {
        let site = &eye.setting.site;
        let board = eye.escalade?;
        let own = self.storm.to[c];
        let open = own.is_some_and(|p| board.stand(site, p).up > 0);
        let climbs = open && eye.places.straddles[c].is_some();
        if !open || !climbs && eye.pulse >= self.storm.look[c] {
            self.storm.look[c] = eye.pulse + eye.figures.look_again;
            let best = self.ladders(eye, c, wall);
            let now = own.and_then(|p| self.ladder_cost(eye, c, wall, p));
            let new = match (best, now) {
                (Some((new, p)), Some((old, _))) if new * 100 < old * WORTH => Some(p),
                (_, Some((_, p))) | (Some((_, p)), None) => Some(p),
                _ => None,
            };
            if new != own {
                let at = |p: PortalId| p.index() - site.passages;
                if let Some(old) = own {
                    self.storm.queue[at(old)] -= eye.strength.men[c];
                }
                if let Some(new) = new {
                    self.storm.queue[at(new)] += eye.strength.men[c];
                }
            }
            self.storm.to[c] = new;
        }
        let stretch = self.storm.to[c]?;
        let portal = &site.portals[stretch.index()];
        // Only at the foot do they press; on the way they keep their order.
        let attack = portal.outer.contains(&eye.places.node[c]);
        let face = direction(portal.outer_at, portal.inner_at);
        Some(Wish { goal: Goal::Climb(stretch), gait: Gait::Run, attack, face })
    }
}

/// Down by the own ladders at the same place of the walk, or at the next one.
pub(super) fn down(eye: &Eye<'_>, c: usize) -> Option<Wish> {
    let (site, node) = (&eye.setting.site, eye.places.node[c]);
    let board = eye.escalade.filter(|b| !b.open.is_empty())?;
    if site.nodes[node.index()].level != Level::Rampart {
        return None;
    }
    let around = site.neighbours[node.index()].iter().flatten().copied();
    let own = |p: &PortalId| {
        let stand = board.stand(site, *p);
        stand.up > 0 && stand.side == Some(eye.roster.side[c])
    };
    let stretch =
        std::iter::once(node).chain(around).find_map(|n| site.stretches_at(n).find(own))?;
    Some(Wish { goal: Goal::Climb(stretch), gait: Gait::Run, ..Wish::default() })
}

/// Whether a company stays at the head of the ladders, since more of its unit come up
/// there and its ranks have room for them.
fn gathers(eye: &Eye<'_>, c: usize) -> bool {
    let (site, node) = (&eye.setting.site, eye.places.node[c]);
    let Some(board) = eye.escalade.filter(|b| !b.open.is_empty()) else { return false };
    let size = eye.setting.rules.units[eye.roster.kind[c].index()].company_size;
    eye.strength.men[c] < size
        && site.stretches_at(node).filter(|p| board.stand(site, *p).up > 0).any(|p| {
            let mut foot = site.portals[p.index()].outer.iter().flat_map(|n| eye.places.on(*n));
            foot.any(|o| {
                eye.roster.unit[o.index()] == eye.roster.unit[c]
                    && eye.places.straddles[o.index()] == Some((p, true))
            })
        })
}

/// The wall whose walk a place lies on.
fn wall_of(eye: &Eye<'_>, place: Place) -> Option<WorkId> {
    let site = &eye.setting.site;
    match place {
        Place::Area(area) => {
            let node = &site.nodes[site.areas[area.index()].centre.index()];
            (node.level == Level::Rampart).then_some(node.work)?
        }
        Place::Work(work) => {
            matches!(site.works[work.index()].form, WorkForm::Wall { .. }).then_some(work)
        }
        _ => None,
    }
}

/// Whether a company stands on the outer side of a stretch.
fn outside(eye: &Eye<'_>, c: usize, stretch: PortalId) -> bool {
    let portal = &eye.setting.site.portals[stretch.index()];
    let (at, foot, top) = (eye.places.at[c], portal.outer_at, portal.inner_at);
    let part = |a: i32, b: i32| i64::from(a) - i64::from(b);
    part(at.x, top.x) * part(foot.x, top.x) + part(at.y, top.y) * part(foot.y, top.y) > 0
}
