//! The order of update, and one company's pulse on open nodes.

use crate::core::dice;
use crate::core::ids::{FieldId, NodeId, PortalId};
use crate::core::measure::PointCm;
use crate::scenario::catalogue::{Catalogue, PassageLaw};
use crate::scenario::site::Site;
use crate::sim::board::{
    Contacts, Engines, Escalade, Forms, Gates, Goal, Intents, Litter, Places, Roster, Spirits,
    Splits, Strength,
};
use crate::sim::field::{Fields, Step};
use crate::sim::journal::Journal;

use super::pace::{braking_cm, moved_cm, stops_within, supply, toll_us};
use super::{BUCKET_SHIFT, BUCKETS, March, lane, presses};

/// Most cells that a company enters in a pulse.
const HOPS: u32 = 16;

/// A point so far ahead that no pulse reaches it.
const FAR_CM: i32 = 20_000;

/// All that a pulse of movement reads and writes.
pub(super) struct Movement<'a> {
    pub site: &'a Site,
    pub rules: &'a Catalogue,
    pub law: &'a PassageLaw,
    pub free: bool,
    pub pass_enemies: bool,
    pub pulse: u32,
    pub dt_s: i32,
    pub swap_after: u16,
    pub seed: u64,
    pub roster: &'a mut Roster,
    pub places: &'a mut Places,
    pub strength: &'a mut Strength,
    pub spirits: &'a Spirits,
    pub forms: &'a Forms,
    pub contacts: &'a Contacts,
    pub intents: &'a Intents,
    pub gates: &'a Gates,
    pub fields: &'a Fields,
    pub litter: &'a Litter,
    pub engines: Option<&'a Engines>,
    pub escalade: Option<&'a Escalade>,
    pub march: &'a mut March,
    pub splits: &'a mut Splits,
    pub journal: &'a mut Journal,
}

/// Where a company goes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leg {
    /// To a point of its own node, and stay.
    Stay(PointCm),
    /// Towards a point, leaving its node for that one.
    Out(PointCm, NodeId),
    /// To the leaf of a portal.
    Leaf(PointCm, PortalId, bool),
}

impl Movement<'_> {
    pub(super) fn run(&mut self) {
        self.places.flow.fill(0);
        self.places.pushing.fill(0);
        self.march.waiting.fill(0);
        self.march.landed.clear();
        self.cut();
        self.line_up();
        self.straddle();
        let movers = std::mem::take(&mut self.march.order);
        for mover in &movers {
            self.go((mover & u64::from(u32::MAX)) as usize);
        }
        self.march.order = movers;
        self.tell_jams();
    }

    /// Sorts who moves into buckets by how near the goal is; ties by keyed hash.
    fn line_up(&mut self) {
        let mut movers = std::mem::take(&mut self.march.movers);
        movers.clear();
        self.march.starts.fill(0);
        for c in 0..self.roster.len() {
            self.places.speed_cm_s[c] = 0;
            self.places.wants[c] = None;
            if self.march.area[c] == 0 || self.places.straddles[c].is_some() {
                continue;
            }
            let push = self.contacts.push_cm[c];
            if push > 0 {
                self.displace(c, push, self.contacts.push_dir[c]);
            }
            let idle = self.intents.goal[c] == Goal::Hold && self.march.vel[c] == 0;
            let held = self.contacts.foe[c].is_some() && !self.contacts.free[c];
            if idle || held {
                self.march.vel[c] = 0;
                self.places.blocked[c] = 0;
                let face = self.intents.face[c];
                if face != PointCm::default() {
                    self.places.heading[c] = face;
                }
                continue;
            }
            let far = match self.intents.goal[c] {
                Goal::Hold => 0,
                Goal::Field(field) => {
                    self.fields.cost(field, self.places.node[c]).unwrap_or(u32::MAX)
                }
                Goal::Toward(point) => self.places.at[c].distance_cm(point) as u32,
                Goal::Climb(stretch) => {
                    let foot = self.site.portals[stretch.index()].outer_at;
                    self.places.at[c].distance_cm(foot) as u32
                }
            };
            let bucket = (far >> BUCKET_SHIFT).min(BUCKETS as u32 - 1);
            self.march.starts[bucket as usize + 1] += 1;
            movers.push((bucket, c as u32));
        }
        let starts = &mut self.march.starts;
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let order = &mut self.march.order;
        order.clear();
        order.resize(movers.len(), 0);
        for (bucket, c) in &movers {
            let slot = &mut starts[*bucket as usize];
            let tie = dice::tie(self.seed, self.pulse, *c);
            order[*slot as usize] = u64::from(tie) << 32 | u64::from(*c);
            *slot += 1;
        }
        // Each start has moved to its bucket's end; ties within one are few.
        let mut from = 0;
        while from < order.len() {
            let bucket = starts.partition_point(|end| *end as usize <= from);
            let end = starts
                .get(bucket)
                .map_or(order.len(), |e| *e as usize)
                .max(from + 1)
                .min(order.len());
            order[from..end].sort_unstable();
            from = end;
        }
        self.march.movers = movers;
    }

    /// Thousandths of speed kept on a node, with what lies there.
    fn footing(&self, node: NodeId, mounted: bool) -> i32 {
        let n = &self.site.nodes[node.index()];
        let ground = self.march.paces.ground(n.ground, mounted);
        let lies = self.lying_cm2(node);
        if lies == 0 || n.room_cm2 <= 0 {
            return ground;
        }
        let covered = (i64::from(lies) * 1000 / i64::from(n.room_cm2)).min(1000) as f64;
        (f64::from(ground) * (1.0 - self.rules.laws.lying.slows.v() * covered / 1000.0)) as i32
    }

    /// Square centimetres covered by what lies on a node.
    pub(super) fn lying_cm2(&self, node: NodeId) -> i32 {
        let (men, horses) = (self.litter.men[node.index()], self.litter.horses[node.index()]);
        let loose = self.litter.loose[node.index()];
        if men | horses | loose == 0 {
            return 0;
        }
        let law = &self.rules.laws.lying;
        let area = f64::from(men) * law.man_m2.v() + f64::from(horses + loose) * law.horse_m2.v();
        (area * 10_000.0).min(1e9) as i32
    }

    /// Speed wanted on a node, in centimetres a second.
    pub(super) fn wanted(&self, c: usize, node: NodeId) -> i32 {
        let mounted = self.roster.mounted[c];
        let (shape, stamina) = (self.forms.shape[c], self.spirits.stamina[c]);
        let mut v = self.march.paces.speed(
            self.roster.kind[c],
            mounted,
            shape,
            self.intents.gait[c],
            stamina,
        );
        if self.march.tows[c]
            && let Some(engines) = self.engines
        {
            for engine in &engines.of_company[c] {
                let kind = &self.rules.engines[engines.kind[engine.index()].index()];
                v = v.min((kind.speed_m_s.v() * 100.0) as i32);
            }
        }
        if let Some(escalade) = self.escalade
            && escalade.carried.get(c).is_some_and(|ladders| *ladders > 0)
        {
            v = v.min((self.rules.laws.escalade.carry_m_s.v() * 100.0) as i32);
        }
        (i64::from(v) * i64::from(self.footing(node, mounted)) / 1000).max(1) as i32
    }

    /// A company's own place on a node.
    pub(super) fn spot(&self, c: usize, node: NodeId) -> PointCm {
        let centre = self.centre(node);
        let n = &self.site.nodes[node.index()];
        let half = n.width_cm.min(self.site.cell_cm) / 2;
        let (x, y) = self.march.lane[c];
        PointCm {
            x: centre.x + half * i32::from(x) / 1000,
            y: centre.y + half * i32::from(y) / 1000,
        }
    }

    fn centre(&self, node: NodeId) -> PointCm {
        self.march.centres[node.index()]
    }

    pub(super) fn inside(&self, at: PointCm, node: NodeId) -> bool {
        let (centre, half) = (self.centre(node), self.site.cell_cm / 2 + 2);
        (at.x - centre.x).abs() <= half && (at.y - centre.y).abs() <= half
    }

    /// Centimetres along the line to `to`, so far away, until it leaves the node's
    /// cell, and the side by which it does: 0 east, 2 north, 4 west, 6 south.
    fn exit(&self, at: PointCm, to: PointCm, far_cm: i32, node: NodeId) -> (i32, usize) {
        let (centre, half) = (self.centre(node), self.site.cell_cm / 2);
        let length = i64::from(far_cm);
        let cut = |from: i32, d: i32, middle: i32, plus: usize, minus: usize| {
            if d == 0 {
                return (i32::MAX, plus);
            }
            let (edge, side) = if d > 0 { (middle + half, plus) } else { (middle - half, minus) };
            let part = i64::from((edge - from).abs()) * length / i64::from(d.abs());
            let past = (edge - from).signum() * d.signum() <= 0;
            (if past { 0 } else { part.min(i64::from(i32::MAX)) as i32 }, side)
        };
        let x = cut(at.x, to.x - at.x, centre.x, 0, 4);
        let y = cut(at.y, to.y - at.y, centre.y, 2, 6);
        if x.0 <= y.0 { x } else { y }
    }

    /// The next leg of a company's way.
    fn leg(&self, c: usize) -> Leg {
        let (node, at) = (self.places.node[c], self.places.at[c]);
        if let Goal::Climb(stretch) = self.intents.goal[c] {
            return self.way_to_ladders(c, stretch);
        }
        if !self.inside(at, node) {
            // On its way to a leaf, or come out of one.
            if let Goal::Field(field) = self.intents.goal[c]
                && let Step::Through(portal, inward) = self.fields.step(self.site, field, node)
            {
                return Leg::Leaf(self.leaf(portal, c), portal, inward);
            }
            return Leg::Stay(self.spot(c, node));
        }
        match self.intents.goal[c] {
            Goal::Hold => {
                let h = self.places.heading[c];
                // Straight on; how far is for the brakes to say.
                let reach = |d: i32| (i64::from(d) * i64::from(FAR_CM) / 1000) as i32;
                self.straight(c, PointCm { x: at.x + reach(h.x), y: at.y + reach(h.y) })
            }
            Goal::Toward(point) => self.straight(c, point),
            Goal::Climb(stretch) => self.way_to_ladders(c, stretch),
            Goal::Field(field) => match self.fields.step(self.site, field, node) {
                Step::Here => Leg::Stay(self.spot(c, node)),
                Step::None => Leg::Stay(at),
                Step::Through(portal, inward) => Leg::Leaf(self.leaf(portal, c), portal, inward),
                Step::To(next) => {
                    // In its area it makes room for those behind, but does not crowd.
                    let room = self.site.nodes[next.index()].room_cm2;
                    let full = self.places.taken_cm2[next.index()] + self.march.area[c] > room / 2;
                    if full && !self.free && self.fields.arrived(self.site, field, node) {
                        Leg::Stay(at)
                    } else {
                        Leg::Out(self.spot(c, next), next)
                    }
                }
            },
        }
    }

    /// A leg straight at a point, or round what stands in the way if that is nearer.
    pub(super) fn straight(&self, c: usize, point: PointCm) -> Leg {
        let (node, at) = (self.places.node[c], self.places.at[c]);
        if self.inside(point, node) {
            return Leg::Stay(point);
        }
        let (_, side) = self.exit(at, point, at.distance_cm(point), node);
        if let Some(next) = self.site.neighbours[node.index()][side] {
            return Leg::Out(point, next);
        }
        let here = self.centre(node).distance_cm(point);
        let around = self.site.neighbours[node.index()].iter().flatten();
        let best = around.map(|n| (self.centre(*n).distance_cm(point), *n)).min();
        match best {
            Some((d, next)) if d < here => Leg::Out(self.spot(c, next), next),
            _ => Leg::Stay(at),
        }
    }

    pub(super) fn turn(&self, c: usize) -> i32 {
        self.march.paces.turn[usize::from(self.roster.mounted[c])]
    }

    /// Whether enemies stand on a node.
    pub(super) fn enemies(&self, c: usize, node: NodeId) -> bool {
        !self.pass_enemies
            && self.march.present[node.index()] & self.march.hostile[self.roster.party[c].index()]
                != 0
    }

    /// One company's pulse.
    fn go(&mut self, c: usize) {
        if self.march.swapped[c] > self.pulse {
            // A swap has used its pulse up.
            return;
        }
        let (before, turn, v0) = (self.places.at[c], self.turn(c), self.march.vel[c]);
        let mut leg = self.leg(c);
        let hold = self.intents.goal[c] == Goal::Hold;
        let mut wish = if hold { 0 } else { self.wanted(c, self.places.node[c]) };
        let attack = self.intents.attack[c];
        let mut runs_on = false;
        match leg {
            // It pulls up before what it does not want to ride into, if it can.
            Leg::Out(to, next) if !attack && self.enemies(c, next) => {
                let gap = self.exit(before, to, before.distance_cm(to), self.places.node[c]).0;
                runs_on = braking_cm(v0, turn) > gap;
                wish = wish.min(stops_within(gap, turn));
            }
            Leg::Out(_, next) if !attack && !self.has_room(c, next, false) => {
                let to = self.centre(next);
                let gap = self.exit(before, to, before.distance_cm(to), self.places.node[c]).0;
                runs_on = braking_cm(v0, turn) > gap + self.site.cell_cm / 4;
            }
            Leg::Leaf(to, portal, _) if self.gates.gap[portal.index()] <= 0 => {
                wish = wish.min(stops_within(before.distance_cm(to), turn));
            }
            Leg::Stay(to) if !attack => {
                wish = wish.min(stops_within(before.distance_cm(to), turn).max(20));
            }
            _ => {}
        }
        let (mut left, v1) = moved_cm(v0, wish, turn, self.dt_s);
        self.march.vel[c] = v1;
        let (mut hops, mut blocked) = (0, false);
        while left > 0 && hops < HOPS {
            let at = self.places.at[c];
            match leg {
                Leg::Stay(to) => {
                    let d = at.distance_cm(to);
                    if left < d {
                        self.places.at[c] = at.towards(to, left, d);
                        break;
                    }
                    let aside = !self.inside(at, self.places.node[c]);
                    self.places.at[c] = to;
                    left -= d;
                    if !aside {
                        self.march.vel[c] = 0;
                        break;
                    }
                }
                Leg::Out(to, next) => {
                    let d = at.distance_cm(to);
                    let (gap, _) = self.exit(at, to, d, self.places.node[c]);
                    let d = d.max(1);
                    if left < gap {
                        self.places.at[c] = at.towards(to, left, d);
                        break;
                    }
                    self.places.at[c] = at.towards(to, gap.min(d), d);
                    left -= gap;
                    if !self.enter(c, next, runs_on) {
                        blocked = true;
                        break;
                    }
                    hops += 1;
                    if self.enemies(c, next) {
                        // Among enemies: whatever its speed, it does not ride
                        // through them unseen within one pulse.
                        let d = self.places.at[c].distance_cm(to).max(1);
                        let deep = left.min(self.site.cell_cm / 2).min(d);
                        self.places.at[c] = self.places.at[c].towards(to, deep, d);
                        break;
                    }
                    // Slower ground ahead takes its share at once.
                    if !hold {
                        let here = self.wanted(c, self.places.node[c]);
                        if here < wish {
                            left =
                                (i64::from(left) * i64::from(here) / i64::from(wish.max(1))) as i32;
                            wish = here;
                            self.march.vel[c] = self.march.vel[c].min(here);
                        }
                    }
                }
                Leg::Leaf(to, portal, inward) => {
                    let d = at.distance_cm(to);
                    if left < d {
                        self.places.at[c] = at.towards(to, left, d);
                        break;
                    }
                    self.places.at[c] = to;
                    left -= d;
                    blocked = !self.begin(c, portal, inward, runs_on);
                    if blocked || self.places.straddles[c].is_some() {
                        break;
                    }
                }
            }
            if left > 0 && hops < HOPS {
                leg = self.leg(c);
            }
        }
        let after = self.places.at[c];
        let went = before.distance_cm(after);
        self.places.speed_cm_s[c] = went / self.dt_s.max(1);
        if went > 0 {
            let unit = |d: i32| (i64::from(d) * 1000 / i64::from(went)) as i32;
            self.places.heading[c] =
                PointCm { x: unit(after.x - before.x), y: unit(after.y - before.y) };
        }
        if blocked {
            self.march.vel[c] = 0;
            self.places.blocked[c] = self.places.blocked[c].saturating_add(1);
            if self.places.blocked[c] >= self.swap_after {
                self.swap(c);
            }
        } else {
            self.places.blocked[c] = 0;
        }
    }

    /// Whether there is room for a company on a node.
    pub(super) fn has_room(&self, c: usize, node: NodeId, press: bool) -> bool {
        let taken = self.places.taken_cm2[node.index()];
        if self.free || taken == 0 {
            return true;
        }
        let cap = (self.site.nodes[node.index()].room_cm2 - self.lying_cm2(node)).max(0);
        let share = if press { 1.0 + self.law.press.v() } else { self.law.full.v() };
        // Those who press fill a place up to the nearest company: else how full it
        // gets would depend on how many companies happen to fit.
        let mine = if press { self.march.area[c] / 2 } else { self.march.area[c] };
        i64::from(taken) + i64::from(mine) <= (f64::from(cap) * share) as i64
    }

    /// Credit of a node in microseconds, brought up to this pulse.
    fn credit(&mut self, node: NodeId, press: bool) -> i32 {
        let (old, since) = self.march.credit[node.index()];
        let dt = self.dt_s * 1_000_000;
        if since == self.pulse + 1 {
            return old;
        }
        let pulses = if since == 0 { 1 } else { self.pulse + 1 - since };
        let n = &self.site.nodes[node.index()];
        let let_in =
            if press { 1000 } else { supply(self.places.taken_cm2[node.index()], n.room_cm2) };
        let won = i64::from(pulses) * i64::from(dt) / 1000 * i64::from(let_in);
        let credit = if since == 0 { dt } else { (i64::from(old) + won).min(i64::from(dt)) as i32 };
        self.march.credit[node.index()] = (credit, self.pulse + 1);
        credit
    }

    /// What a company pays to enter a node.
    fn toll(&self, c: usize, node: NodeId) -> i32 {
        let n = &self.site.nodes[node.index()];
        let mut speed = self.wanted(c, node);
        if n.width_cm < self.site.cell_cm || n.work.is_some() {
            speed = speed.min(self.march.paces.crowd[usize::from(self.roster.mounted[c])]);
        }
        let share = (self.law.flow_share.v() * 1e6) as i32;
        toll_us(self.march.area[c], n.width_cm, speed, share).min(1_000_000_000) as i32
    }

    /// Lets a company into a node, or a nearer one beside it; false if it waits.
    fn enter(&mut self, c: usize, next: NodeId, runs_on: bool) -> bool {
        let attack = self.intents.attack[c];
        let press = presses(self.spirits, self.intents, c);
        if self.enemies(c, next) {
            if !(attack || runs_on) {
                self.places.wants[c] = Some(next);
                return false;
            }
            // Into a contested cell: there the contest room takes over.
            if self.has_room(c, next, true) {
                self.put(c, next);
                return true;
            }
        } else if self.free || self.admit(c, next, press, press || runs_on) {
            self.put(c, next);
            return true;
        }
        if let Goal::Field(field) = self.intents.goal[c]
            && let Some(other) = self.detour(c, field, next, press)
        {
            self.put(c, other);
            return true;
        }
        self.places.wants[c] = Some(next);
        false
    }

    fn admit(&mut self, c: usize, node: NodeId, press: bool, squeeze: bool) -> bool {
        if !self.has_room(c, node, squeeze) || self.credit(node, press) < 0 {
            return false;
        }
        let toll = self.toll(c, node);
        self.march.credit[node.index()].0 -= toll;
        true
    }

    /// A cell strictly nearer the goal, other than the one that is shut to it.
    fn detour(&mut self, c: usize, field: FieldId, not: NodeId, press: bool) -> Option<NodeId> {
        // Who has just looked from here in vain has looked for all in the same jam.
        let node = self.places.node[c];
        let (looked, of) = self.march.looked[node.index()];
        if looked == self.pulse + 1 && of == field {
            return None;
        }
        let here = self.fields.cost(field, self.places.node[c])?;
        let around = self.site.neighbours[self.places.node[c].index()];
        let mut best: Option<(u32, NodeId)> = None;
        for node in around.into_iter().flatten().filter(|n| *n != not) {
            let Some(cost) = self.fields.cost(field, node) else { continue };
            let nearer = cost < here && best.is_none_or(|(b, _)| cost < b);
            if nearer
                && !self.enemies(c, node)
                && self.has_room(c, node, press)
                && self.credit(node, press) >= 0
            {
                best = Some((cost, node));
            }
        }
        let Some((_, node)) = best else {
            self.march.looked[node.index()] = (self.pulse + 1, field);
            return None;
        };
        let toll = self.toll(c, node);
        self.march.credit[node.index()].0 -= toll;
        Some(node)
    }

    /// Moves a company's count from its node to another.
    pub(super) fn put(&mut self, c: usize, node: NodeId) {
        let old = self.places.node[c];
        let one = if self.march.armed[c] { lane(self.roster.party[c].index()) } else { 0 };
        self.places.taken_cm2[old.index()] -= self.march.area[c];
        self.march.present[old.index()] -= one;
        if self.places.taken_cm2[node.index()] == 0 && self.march.present[node.index()] == 0 {
            self.places.busy.push(node);
        }
        self.places.taken_cm2[node.index()] += self.march.area[c];
        self.march.present[node.index()] += one;
        self.places.node[c] = node;
    }

    /// Two friends who have blocked each other for a while change places; both
    /// pay for it.
    fn swap(&mut self, c: usize) {
        let (Some(wanted), here) = (self.places.wants[c], self.places.node[c]) else { return };
        let party = self.roster.party[c];
        let mut other = self.places.head[wanted.index()];
        while let Some(o) = other {
            let x = o.index();
            other = self.places.next[x];
            let there = self.places.node[x] == wanted && self.places.straddles[x].is_none();
            let meets =
                self.places.blocked[x] >= self.swap_after && self.march.swapped[x] <= self.pulse;
            let friend =
                self.march.hostile[party.index()] & lane(self.roster.party[x].index()) == 0;
            if x != c && there && meets && friend && self.heads_for(x, here) {
                for (who, to) in [(c, wanted), (x, here)] {
                    let toll = self.toll(who, to);
                    self.credit(to, true);
                    self.march.credit[to.index()].0 -= toll;
                    self.put(who, to);
                    self.march.swapped[who] = self.pulse + 1;
                    self.places.blocked[who] = 0;
                    self.places.wants[who] = None;
                }
                return;
            }
        }
    }

    /// Whether a company's next step is that node.
    fn heads_for(&self, c: usize, node: NodeId) -> bool {
        matches!(self.leg(c), Leg::Out(_, next) if next == node)
    }

    /// Pushes a company by so many centimetres, as far as the ground lets it.
    fn displace(&mut self, c: usize, cm: i32, dir: PointCm) {
        let at = self.places.at[c];
        let go = |d: i32| (i64::from(d) * i64::from(cm) / 1000) as i32;
        let to = PointCm { x: at.x + go(dir.x), y: at.y + go(dir.y) };
        let node = self.places.node[c];
        if self.inside(to, node) {
            self.places.at[c] = to;
        } else if self.inside(at, node) {
            let (gap, side) = self.exit(at, to, at.distance_cm(to), node);
            let next = self.site.neighbours[node.index()][side];
            match next {
                Some(next) if self.has_room(c, next, true) => {
                    self.put(c, next);
                    // Not beyond the cell that it was pushed into.
                    let reach = cm.min(gap + self.site.cell_cm - 2);
                    self.places.at[c] = at.towards(to, reach, cm.max(1));
                }
                _ => self.places.at[c] = at.towards(to, gap.min(cm), cm.max(1)),
            }
        }
        self.march.vel[c] = 0;
    }
}
