//! Ladders (L1): who climbs a stretch of wall, and in which company he stands on top.
//!
//! A ladder passes one man in so many seconds, and the first one only after he has
//! climbed the height of the wall. Who comes off it stands on the walk at once, in a
//! company of his own unit there: nobody is in two places, and men stay whole.

use crate::core::ids::{CompanyId, NodeId, PortalId};
use crate::core::measure::PointCm;
use crate::sim::board::{Goal, Mind, Stand};
use crate::sim::journal::Happening;

use super::march::{Leg, Movement};
use super::presses;

impl Movement<'_> {
    /// The ladders at a stretch.
    fn stand(&self, stretch: PortalId) -> Stand {
        self.escalade.map_or_else(Stand::default, |e| e.stand(self.site, stretch))
    }

    /// The way to a stretch, and to the ladders once the company is there.
    pub(super) fn way_to_ladders(&self, c: usize, stretch: PortalId) -> Leg {
        let portal = &self.site.portals[stretch.index()];
        let node = self.places.node[c];
        for (side, inward) in [(&portal.outer, true), (&portal.inner, false)] {
            if side.contains(&node) {
                return Leg::Leaf(self.leaf(stretch, c), stretch, inward);
            }
        }
        let level = self.site.nodes[node.index()].level;
        let foot = self.site.nodes[portal.outer[0].index()].level == level;
        let to = if foot { portal.outer[0] } else { portal.inner[0] };
        if !self.inside(self.places.at[c], node) {
            return Leg::Stay(self.spot(c, node));
        }
        self.straight(c, self.spot(c, to))
    }

    /// A company at the foot sets its first men on the ladders; false if it waits.
    pub(super) fn mount(&mut self, c: usize, stretch: PortalId, inward: bool) -> bool {
        if self.stand(stretch).up <= 0 || self.roster.mounted[c] {
            return false;
        }
        let portal = &self.site.portals[stretch.index()];
        let entry = if inward { portal.inner[0] } else { portal.outer[0] };
        if self.free {
            self.put(c, entry);
            self.places.at[c] = if inward { portal.inner_at } else { portal.outer_at };
            return true;
        }
        let climb_s =
            f64::from(portal.length_cm) / 100.0 / self.rules.laws.escalade.climb_m_s.v().max(0.01);
        self.places.straddles[c] = Some((stretch, inward));
        self.places.passed[c] = 0;
        self.march.entry[c] = entry;
        self.march.top_at[c] = self.pulse + (climb_s / f64::from(self.dt_s.max(1))) as u32;
        self.march.vel[c] = 0;
        self.march.straddlers.push(CompanyId::from_index(c));
        true
    }

    /// Men of one company come off their ladders, as many as ladders and room let.
    pub(super) fn climb(&mut self, c: usize, stretch: PortalId, inward: bool) {
        self.march.vel[c] = 0;
        if self.intents.goal[c] != Goal::Climb(stretch) {
            // Called off: those on the ladders step down again.
            self.places.straddles[c] = None;
            return;
        }
        let up = self.stand(stretch).up;
        if up <= 0 || self.pulse < self.march.top_at[c] {
            return;
        }
        let press = presses(self.spirits, self.intents, c);
        let let_in = self.let_in(stretch, inward, press);
        let credit = self.portal_credit(stretch);
        let man_us = self.rules.laws.escalade.man_s.v() * 1e6 / f64::from(up);
        let each_us = ((man_us as i64) * 1000 / i64::from(let_in.max(1))).max(1);
        let mut men = 0;
        if credit > 0 && let_in > 0 {
            // The last man may overdraw: what he took is paid in the next pulse.
            let most = i64::from(self.strength.men[c]);
            men = ((i64::from(credit) + each_us - 1) / each_us).min(most) as i32;
        }
        while men > 0 && !self.space(c, self.march.entry[c], men, press) {
            men -= 1;
        }
        let landed = self.land(c, men, stretch, inward);
        if landed == 0 {
            self.places.blocked[c] = self.places.blocked[c].saturating_add(1);
            return;
        }
        self.march.portal_credit[stretch.index()].0 -=
            (i64::from(landed) * each_us).min(1_000_000_000) as i32;
        self.places.blocked[c] = 0;
    }

    /// Puts men of a company on their feet at the other end; how many found a place.
    fn land(&mut self, c: usize, men: i32, stretch: PortalId, inward: bool) -> i32 {
        let entry = self.march.entry[c];
        let size = self.rules.units[self.roster.kind[c].index()].company_size.max(1);
        let mut left = men;
        while left > 0 {
            let Some((into, fresh)) = self.comrades(c, entry, size) else { break };
            let t = into.index();
            let n = if fresh { left.min(size) } else { left.min(size - self.strength.men[t]) };
            if fresh {
                self.raise_company(c, t, stretch, inward);
            }
            self.move_men(c, t, n, entry);
            if fresh {
                self.splits.0.push((CompanyId::from_index(c), into, n));
                self.march.landed.push(into);
                let company = CompanyId::from_index(c);
                self.journal.add(self.pulse, Happening::Split { company, new: into, men: n });
            }
            left -= n;
        }
        let landed = men - left;
        if landed > 0 {
            self.crossed(c, stretch, inward, landed);
        }
        if self.strength.men[c] <= 0 {
            self.places.straddles[c] = None;
        }
        landed
    }

    /// The company that those who land on a node join, and whether it is a new one:
    /// one of their unit with room there, else one that has nobody left, else a spare.
    fn comrades(&self, c: usize, entry: NodeId, size: i32) -> Option<(CompanyId, bool)> {
        let unit = self.roster.unit[c];
        let joins = |o: &CompanyId| {
            let t = o.index();
            t != c
                && self.roster.unit[t] == unit
                && self.places.node[t] == entry
                && self.places.straddles[t].is_none()
                && (1..size).contains(&self.strength.men[t])
        };
        let steady =
            |o: &CompanyId| matches!(self.spirits.mind[o.index()], Mind::Steady | Mind::Desperate);
        let there = self.places.on(entry).find(|o| joins(o) && steady(o));
        let there = there.or_else(|| self.march.landed.iter().copied().find(|o| joins(o)));
        if let Some(found) = there {
            return Some((found, false));
        }
        let spent = |o: &CompanyId| {
            let t = o.index();
            t != c
                && self.roster.mustered[t]
                && self.strength.men[t] == 0
                && self.spirits.mind[t] == Mind::Gone
        };
        let of_unit = &self.roster.of_unit[unit.index()];
        let empty = of_unit.iter().copied().find(|o| spent(o));
        empty.or_else(|| self.roster.spare(unit)).map(|found| (found, true))
    }

    /// Sets an empty company on the node where the first men of another one land.
    fn raise_company(&mut self, c: usize, t: usize, stretch: PortalId, inward: bool) {
        let portal = &self.site.portals[stretch.index()];
        let (from, at) = if inward {
            (portal.outer_at, portal.inner_at)
        } else {
            (portal.inner_at, portal.outer_at)
        };
        let far = from.distance_cm(at).max(1);
        let part = |d: i32| (i64::from(d) * 1000 / i64::from(far)) as i32;
        let entry = self.march.entry[c];
        self.roster.mustered[t] = true;
        self.roster.mounted[t] = false;
        self.places.straddles[t] = None;
        self.places.passed[t] = 0;
        self.places.node[t] = entry;
        self.places.at[t] = at;
        self.places.heading[t] = PointCm { x: part(at.x - from.x), y: part(at.y - from.y) };
        self.march.vel[t] = 0;
        self.march.area[t] = 0;
        self.march.armed[t] = true;
        self.march.present[entry.index()] += super::lane(self.roster.party[t].index());
        self.places.busy.push(entry);
    }

    /// Moves whole men, and their share of the muster, from one company to another.
    fn move_men(&mut self, c: usize, t: usize, men: i32, entry: NodeId) {
        let all = self.strength.men[c].max(1);
        let muster = i64::from(self.strength.muster[c] - self.strength.lost[c]);
        let muster = (muster * i64::from(men) / i64::from(all)) as i32;
        self.strength.muster[c] -= muster;
        self.strength.muster[t] += muster;
        self.strength.men[c] -= men;
        self.strength.men[t] += men;
        let area = men * self.march.paces.jam_cm2(self.roster.kind[c]);
        let node = self.places.node[c];
        self.places.taken_cm2[node.index()] -= area;
        self.march.area[c] -= area;
        if self.places.taken_cm2[entry.index()] == 0 {
            self.places.busy.push(entry);
        }
        self.places.taken_cm2[entry.index()] += area;
        self.march.area[t] += area;
    }
}
