//! Portals: who begins to pass, how many men pass, and who is cut in two.

use crate::core::ids::{CompanyId, NodeId, PortalId};
use crate::core::measure::PointCm;
use crate::scenario::site::{Portal, WorkForm};
use crate::sim::journal::Happening;

use super::march::Movement;
use super::pace::{supply, toll_us};
use super::{presses, way};

/// Seconds of full flow that wait before a portal when the journal calls it a jam.
/// No rule reads it.
const JAM_S: f64 = 30.0;

impl Movement<'_> {
    fn portal(&self, portal: PortalId) -> &Portal {
        &self.site.portals[portal.index()]
    }

    /// The company's own point at the leaf, mid-passage.
    pub(super) fn leaf(&self, portal: PortalId, c: usize) -> PointCm {
        let p = self.portal(portal);
        let middle = p.outer_at.towards(p.inner_at, 1, 2);
        let (dx, dy) = (p.inner_at.x - p.outer_at.x, p.inner_at.y - p.outer_at.y);
        let length = p.outer_at.distance_cm(p.inner_at).max(1);
        let side = i64::from(p.width_cm / 2) * i64::from(self.march.lane[c].0) / 1000;
        let go = |d: i32| (i64::from(d) * side / i64::from(length)) as i32;
        PointCm { x: middle.x - go(dy), y: middle.y + go(dx) }
    }

    fn far_side(&self, portal: PortalId, inward: bool) -> &[NodeId] {
        let p = self.portal(portal);
        if inward { &p.inner } else { &p.outer }
    }

    /// Clear width in centimetres: the leaves' gap, less what lies there.
    fn clear_cm(&self, portal: PortalId) -> i32 {
        let p = self.portal(portal);
        let open =
            i64::from(p.width_cm) * i64::from(self.gates.gap[portal.index()].clamp(0, 1000)) / 1000;
        let (mut lies, mut room) = (0_i64, 1_i64);
        for node in p.outer.iter().chain(&p.inner) {
            lies += i64::from(self.lying_cm2(*node));
            room += i64::from(self.site.nodes[node.index()].room_cm2);
        }
        (open - open * lies.min(room) / room) as i32
    }

    /// Whether the leaves leave a gap that one of a company's men goes through.
    fn fits(&self, c: usize, portal: PortalId) -> bool {
        let p = self.portal(portal);
        let each = match self.site.works[p.work.index()].form {
            WorkForm::Gate { passages, .. } => f64::from(p.width_cm) / f64::from(passages.max(1)),
            _ => f64::from(p.width_cm),
        };
        let gap_cm = each * f64::from(self.gates.gap[portal.index()].clamp(0, 1000)) / 1000.0;
        let least =
            if self.roster.mounted[c] { &self.law.horse_gap_m } else { &self.law.man_gap_m };
        gap_cm > 0.0 && gap_cm >= least.v() * 100.0
    }

    /// Whether men of both directions use it.
    fn two_way(&self, portal: PortalId) -> bool {
        let last = self.march.last[portal.index()];
        let pulses = (self.law.two_way_s.v() as u32 / self.dt_s.max(1) as u32).max(1);
        last.iter().all(|l| *l > 0 && self.pulse + 1 - l <= pulses)
    }

    /// Microseconds of credit, brought up to this pulse; both ways share it.
    pub(super) fn portal_credit(&mut self, portal: PortalId) -> i32 {
        let (old, since) = self.march.portal_credit[portal.index()];
        if since == self.pulse + 1 {
            return old;
        }
        let dt = self.dt_s * 1_000_000;
        let mut won = i64::from(dt);
        if self.two_way(portal) {
            won = (won as f64 * self.law.two_way.v()) as i64;
        }
        let pulses = if since == 0 { 1 } else { i64::from(self.pulse + 1 - since) };
        let credit = (i64::from(old) + won * pulses).min(i64::from(dt)) as i32;
        self.march.portal_credit[portal.index()] = (credit, self.pulse + 1);
        credit
    }

    /// Thousandths of full flow that the far side takes in, by how full it is. Who
    /// presses on does not ask.
    pub(super) fn let_in(&self, portal: PortalId, inward: bool, press: bool) -> i32 {
        if press {
            return 1000;
        }
        let (mut taken, mut room) = (0, 0);
        for node in self.far_side(portal, inward) {
            taken += self.places.taken_cm2[node.index()];
            room += self.site.nodes[node.index()].room_cm2;
        }
        supply(taken, room)
    }

    /// Where beyond the portal a company would stand: the node with most room left.
    fn landing(&self, c: usize, portal: PortalId, inward: bool) -> NodeId {
        let left =
            |n: &NodeId| self.site.nodes[n.index()].room_cm2 - self.places.taken_cm2[n.index()];
        let side = self.far_side(portal, inward);
        let best = side.iter().copied().max_by_key(|n| (left(n), std::cmp::Reverse(*n)));
        best.unwrap_or(self.places.node[c])
    }

    /// A company at the leaf begins to pass; false if it has to wait.
    pub(super) fn begin(
        &mut self,
        c: usize,
        portal: PortalId,
        inward: bool,
        runs_on: bool,
    ) -> bool {
        if self.site.is_stretch(portal) {
            return self.mount(c, portal, inward);
        }
        if !self.fits(c, portal) || self.roster.mounted[c] && !self.portal(portal).horse {
            self.wait(c, portal);
            return false;
        }
        let entry = self.landing(c, portal, inward);
        if self.free {
            let men = self.strength.men[c];
            self.crossed(c, portal, inward, men);
            self.put(c, entry);
            return true;
        }
        let press = presses(self.spirits, self.intents, c);
        let met = self.enemies(c, entry) && !(self.intents.attack[c] || runs_on);
        let shut_out = met || !self.space(c, entry, 1, press);
        if shut_out || self.let_in(portal, inward, press) <= 0 || self.portal_credit(portal) <= 0 {
            self.wait(c, portal);
            return false;
        }
        self.places.straddles[c] = Some((portal, inward));
        self.places.passed[c] = 0;
        self.march.entry[c] = entry;
        self.march.straddlers.push(CompanyId::from_index(c));
        self.pass(c);
        true
    }

    /// Counts a company that waits. Only those who press on push at the leaves, and
    /// of them as many as stand within the reach of a shove, the nearest first.
    fn wait(&mut self, c: usize, portal: PortalId) {
        let (p, men) = (portal.index(), self.strength.men[c]);
        self.march.waiting[p] += men;
        if presses(self.spirits, self.intents, c) {
            let reach_cm = self.rules.laws.crush.reach_m.v() * 100.0;
            let floor_cm2 = f64::from(self.portal(portal).width_cm) * reach_cm;
            let each = self.march.paces.jam_cm2(self.roster.kind[c]).max(1);
            let fit = (floor_cm2 / f64::from(each)) as i32;
            let pushing = &mut self.places.pushing[p];
            *pushing += men.min((fit - *pushing).max(0));
        }
    }

    /// Whether so many men more fit on a node.
    pub(super) fn space(&self, c: usize, node: NodeId, men: i32, press: bool) -> bool {
        let each = self.march.paces.jam_cm2(self.roster.kind[c]);
        let taken = self.places.taken_cm2[node.index()];
        let own = if self.march.entry[c] == node { self.places.passed[c] * each } else { 0 };
        let share = if press { 1.0 + self.law.press.v() } else { self.law.full.v() };
        let cap = (f64::from(self.site.nodes[node.index()].room_cm2 - self.lying_cm2(node)) * share)
            as i32;
        taken <= own || taken + men * each <= cap
    }

    /// Those who are passing go on, in the order in which they began.
    pub(super) fn straddle(&mut self) {
        let mut list = std::mem::take(&mut self.march.straddlers);
        for id in &list {
            let c = id.index();
            if self.places.straddles[c].is_none() || self.strength.men[c] <= 0 {
                continue;
            }
            let held = self.contacts.foe[c].is_some() && !self.contacts.free[c];
            if held {
                self.march.vel[c] = 0;
                continue;
            }
            self.pass(c);
        }
        list.retain(|id| {
            let c = id.index();
            if self.strength.men[c] <= 0 {
                self.places.straddles[c] = None;
            }
            self.places.straddles[c].is_some()
        });
        list.append(&mut self.march.straddlers);
        self.march.straddlers = list;
    }

    /// Men of one company pass as credit and room let them.
    fn pass(&mut self, c: usize) {
        let Some((portal, inward)) = super::straddled(self.places, c) else { return };
        if self.site.is_stretch(portal) {
            self.climb(c, portal, inward);
            return;
        }
        let press = presses(self.spirits, self.intents, c);
        let credit = self.portal_credit(portal);
        let let_in = self.let_in(portal, inward, press);
        let left = self.strength.men[c] - self.places.passed[c];
        let each = self.march.paces.jam_cm2(self.roster.kind[c]);
        let crowd = self.march.paces.crowd[usize::from(self.roster.mounted[c])];
        let slow =
            (f64::from(self.wanted(c, self.places.node[c])) * self.portal(portal).speed) as i32;
        let share = (self.law.flow_share.v() * 1e6) as i32;
        let free_us = toll_us(each, self.clear_cm(portal), crowd.min(slow), share).max(1);
        // A far side that fills up makes each man take longer.
        let each_us = free_us.saturating_mul(1000) / i64::from(let_in.max(1));
        let mut men = 0;
        if credit > 0 && let_in > 0 && self.fits(c, portal) {
            // The last man may overdraw: what he took is paid in the next pulse.
            men = ((i64::from(credit) + each_us - 1) / each_us).min(i64::from(left)) as i32;
        }
        if !self.space(c, self.march.entry[c], men, press) {
            let other = self.landing(c, portal, inward);
            let moved = self.places.passed[c] * each;
            self.places.taken_cm2[self.march.entry[c].index()] -= moved;
            self.places.taken_cm2[other.index()] += moved;
            self.places.busy.push(other);
            self.march.entry[c] = other;
            while men > 0 && !self.space(c, other, men, press) {
                men -= 1;
            }
        }
        if men > 0 {
            let (node, entry) = (self.places.node[c], self.march.entry[c]);
            self.march.portal_credit[portal.index()].0 -=
                (i64::from(men) * each_us).min(1_000_000_000) as i32;
            self.places.taken_cm2[node.index()] -= men * each;
            self.march.area[c] -= men * each;
            if self.places.taken_cm2[entry.index()] == 0 {
                self.places.busy.push(entry);
            }
            self.places.taken_cm2[entry.index()] += men * each;
            self.places.passed[c] += men;
            self.crossed(c, portal, inward, men);
            self.places.blocked[c] = 0;
        } else {
            self.places.blocked[c] = self.places.blocked[c].saturating_add(1);
        }
        // Its front walks on to the far mouth meanwhile.
        let (at, p) = (self.places.at[c], self.portal(portal));
        let mouth = if inward { p.inner_at } else { p.outer_at };
        let v = slow.min(self.wanted(c, self.places.node[c]));
        let d = at.distance_cm(mouth);
        let go = if men > 0 { (v * self.dt_s).min(d) } else { 0 };
        self.places.at[c] = at.towards(mouth, go, d);
        self.places.speed_cm_s[c] = go / self.dt_s.max(1);
        self.march.vel[c] = v.min(crowd);
        if self.places.passed[c] >= self.strength.men[c] {
            let entry = self.march.entry[c];
            self.arrive(c, entry);
        }
    }

    /// All men of a straddling company stand on one node from now on.
    fn arrive(&mut self, c: usize, node: NodeId) {
        let each = self.march.paces.jam_cm2(self.roster.kind[c]);
        let (old, entry) = (self.places.node[c], self.march.entry[c]);
        let far = self.places.passed[c] * each;
        self.places.taken_cm2[entry.index()] -= far;
        self.places.taken_cm2[old.index()] += far;
        self.march.area[c] += far;
        self.places.straddles[c] = None;
        self.places.passed[c] = 0;
        if node != old {
            self.put(c, node);
        }
    }

    pub(super) fn crossed(&mut self, c: usize, portal: PortalId, inward: bool, men: i32) {
        let (p, unit) = (portal.index(), self.roster.unit[c].index());
        let count = if inward { &mut self.places.crossed_in } else { &mut self.places.crossed_out };
        count[p][unit] += men;
        self.places.flow[p] += men;
        self.march.last[p][way(inward)] = self.pulse + 1;
    }

    /// Shut leaves cut whoever stands between them. The part in front keeps its
    /// id, the part behind takes the unit's next spare one; without a spare the
    /// larger part decides where all of them are.
    pub(super) fn cut(&mut self) {
        let mut list = std::mem::take(&mut self.march.straddlers);
        for id in &list {
            let c = id.index();
            let Some((portal, inward)) = self.places.straddles[c] else { continue };
            if self.gates.gap[portal.index()] > 0 {
                continue;
            }
            let (men, front) = (self.strength.men[c], self.places.passed[c]);
            let spare = self.roster.spare(self.roster.unit[c]).filter(|_| front > 0 && front < men);
            match spare {
                Some(new) => self.split(*id, new, portal, inward),
                None if front * 2 >= men => {
                    self.crossed(c, portal, inward, (men - front).max(0));
                    let entry = self.march.entry[c];
                    self.arrive(c, entry);
                }
                None => {
                    self.crossed(c, portal, inward, -front);
                    let here = self.places.node[c];
                    self.arrive(c, here);
                    let p = self.portal(portal);
                    self.places.at[c] = if inward { p.outer_at } else { p.inner_at };
                }
            }
        }
        list.retain(|id| self.places.straddles[id.index()].is_some());
        self.march.straddlers = list;
    }

    fn split(&mut self, front: CompanyId, behind: CompanyId, portal: PortalId, inward: bool) {
        let (c, n) = (front.index(), behind.index());
        let (men, passed, here) =
            (self.strength.men[c], self.places.passed[c], self.places.node[c]);
        let back = men - passed;
        let entry = self.march.entry[c];
        self.arrive(c, entry);
        let p = self.portal(portal);
        let (near, far) = if inward { (p.outer_at, p.inner_at) } else { (p.inner_at, p.outer_at) };
        self.places.at[c] = far;
        // The muster is shared out with the men, so that sums stay what they were.
        let muster = i64::from(self.strength.muster[c]) * i64::from(back) / i64::from(men.max(1));
        self.strength.men[c] = passed;
        self.strength.men[n] = back;
        self.strength.muster[n] = muster as i32;
        self.strength.muster[c] -= muster as i32;
        self.roster.mustered[n] = true;
        self.roster.mounted[n] = self.roster.mounted[c];
        self.places.node[n] = here;
        self.places.at[n] = near;
        self.places.heading[n] = self.places.heading[c];
        let each = self.march.paces.jam_cm2(self.roster.kind[c]);
        self.march.area[c] = passed * each;
        self.march.area[n] = back * each;
        self.places.taken_cm2[entry.index()] -= back * each;
        self.places.taken_cm2[here.index()] += back * each;
        self.march.armed[n] = self.march.armed[c];
        if self.march.armed[n] {
            self.march.present[here.index()] += super::lane(self.roster.party[n].index());
        }
        self.places.busy.push(here);
        self.splits.0.push((front, behind, back));
        self.journal.add(self.pulse, Happening::Split { company: front, new: behind, men: back });
    }

    /// Tells the journal when a jam begins before a portal; once, until it is over.
    pub(super) fn tell_jams(&mut self) {
        for p in 0..self.site.passages {
            let men = self.march.waiting[p];
            let portal = &self.site.portals[p];
            let jam = f64::from(portal.width_cm) / 100.0 * JAM_S;
            if men == 0 {
                self.march.jammed[p] = false;
            } else if f64::from(men) > jam && !self.march.jammed[p] {
                self.march.jammed[p] = true;
                self.journal.add(self.pulse, Happening::Jam { work: portal.work, men });
            }
        }
    }
}
