//! Looking for prey: companies by blocks of ground, and who is after whom.

use super::Eye;
use crate::core::ids::{CompanyId, PartyId, UnitId};
use crate::core::measure::{PointCm, root};
use crate::scenario::site::Site;
use crate::sim::board::{Blocks, Mind, Setting};

/// Cells between two looks along a way.
const LOOK_CELLS: i32 = 1;

/// Each company's prey and memory of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Hunters {
    prey: Vec<Option<CompanyId>>,
    looked: Vec<u32>,
    /// Where the prey was when it was last seen, and the pulse, plus one.
    last: Vec<(PointCm, u32)>,
    /// Companies that are after each company.
    after: Vec<u16>,
    pub index: Index,
}

/// Companies under arms on the ground, by block, ascending ids in each.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    columns: i32,
    rows: i32,
    side_cm: i32,
    start: Vec<u32>,
    items: Vec<Quarry>,
    of: Vec<u32>,
    /// Parties present in each block, one bit each.
    parties: Vec<u32>,
}

/// A company as those see it who look for prey, so that they need not look it up.
#[derive(Clone, Copy, Debug)]
struct Quarry {
    company: CompanyId,
    party: PartyId,
    at: PointCm,
}

/// The index as this pulse sees it.
pub(super) struct Hunt<'a> {
    pub index: &'a Index,
}

impl Hunters {
    pub(super) fn new(n: usize, setting: &Setting) -> Self {
        let cells = Blocks::CELLS as u32;
        let (columns, rows) =
            (setting.site.columns.div_ceil(cells), setting.site.rows.div_ceil(cells));
        let blocks = (columns * rows) as usize;
        let index = Index {
            columns: columns as i32,
            rows: rows as i32,
            side_cm: setting.site.cell_cm * Blocks::CELLS as i32,
            start: vec![0; blocks + 2],
            items: Vec::with_capacity(n),
            of: vec![u32::MAX; n],
            parties: vec![0; blocks],
        };
        Self {
            prey: vec![None; n],
            looked: vec![0; n],
            last: vec![(PointCm::default(), 0); n],
            after: vec![0; n],
            index,
        }
    }

    /// A new task: look again, and think no more of the old prey.
    pub(super) fn forget(&mut self, c: usize) {
        self.set(c, None);
        self.looked[c] = 0;
        self.last[c].1 = 0;
    }

    fn set(&mut self, c: usize, prey: Option<CompanyId>) {
        if let Some(old) = self.prey[c] {
            self.after[old.index()] = self.after[old.index()].saturating_sub(1);
        }
        if let Some(new) = prey {
            self.after[new.index()] = self.after[new.index()].saturating_add(1);
        }
        self.prey[c] = prey;
    }

    /// Whether it is after nobody, and has not seen anybody either.
    pub(super) fn idle(&self, c: usize) -> bool {
        self.prey[c].is_none() && self.last[c].1 == 0 && self.looked[c] > 0
    }

    /// Where the prey was last seen, if that was within so many pulses.
    pub(super) fn last_seen(&self, c: usize, pulse: u32, within: u32) -> Option<PointCm> {
        let (at, when) = self.last[c];
        (when > 0 && pulse < when + within).then_some(at)
    }
}

impl Index {
    pub(super) fn build(&mut self, eye: &Eye<'_>) {
        let origin = eye.setting.site.origin;
        let blocks = (self.columns * self.rows) as usize;
        self.start.fill(0);
        self.parties.fill(0);
        for c in 0..eye.roster.len() {
            let armed = eye.active(CompanyId::from_index(c))
                && eye.setting.site.nodes[eye.places.node[c].index()].level
                    == crate::scenario::site::Level::Ground;
            self.of[c] = u32::MAX;
            if armed {
                let block = self.block(origin, eye.places.at[c]);
                self.of[c] = block as u32;
                self.start[block + 2] += 1;
                self.parties[block] |= 1 << (eye.roster.party[c].0 & 31);
            }
        }
        for b in 2..blocks + 2 {
            self.start[b] += self.start[b - 1];
        }
        self.items.clear();
        let nobody = Quarry { company: CompanyId(0), party: PartyId(0), at: origin };
        self.items.resize(self.start[blocks + 1] as usize, nobody);
        for c in 0..eye.roster.len() {
            if self.of[c] != u32::MAX {
                let at = &mut self.start[self.of[c] as usize + 1];
                self.items[*at as usize] = Quarry {
                    company: CompanyId::from_index(c),
                    party: eye.roster.party[c],
                    at: eye.places.at[c],
                };
                *at += 1;
            }
        }
    }

    fn block(&self, origin: PointCm, at: PointCm) -> usize {
        let x = ((at.x - origin.x) / self.side_cm).clamp(0, self.columns - 1);
        let y = ((at.y - origin.y) / self.side_cm).clamp(0, self.rows - 1);
        (y * self.columns + x) as usize
    }

    /// Distance squared from a point to what a block can hold at the nearest. Blocks
    /// at the edge hold what is beyond it too.
    fn squared_to(&self, x: i32, y: i32, from: PointCm, origin: PointCm) -> i64 {
        let aside = |at: i32, block: i32, blocks: i32| {
            let low = block * self.side_cm;
            let short = if block > 0 { low - at } else { 0 };
            let past = if block < blocks - 1 { at - (low + self.side_cm - 1) } else { 0 };
            i64::from(short.max(past).max(0))
        };
        let dx = aside(from.x - origin.x, x, self.columns);
        let dy = aside(from.y - origin.y, y, self.rows);
        dx * dx + dy * dy
    }

    fn in_block(&self, block: usize) -> &[Quarry] {
        &self.items[self.start[block] as usize..self.start[block + 1] as usize]
    }
}

impl Hunt<'_> {
    /// The nearest enemy company that is meant, within sight and within a circle.
    /// Remembered until the next look or until it is gone.
    pub(super) fn nearest(
        &self,
        eye: &Eye<'_>,
        hunters: &mut Hunters,
        c: usize,
        circle: Option<(PointCm, i32)>,
        means: impl Fn(UnitId) -> bool,
    ) -> Option<CompanyId> {
        let within = |p: CompanyId| {
            circle.is_none_or(|(of, cm)| eye.places.at[p.index()].distance_cm(of) <= cm)
        };
        if let Some(foe) = eye.contacts.foe[c]
            && eye.active(foe)
        {
            hunters.last[c] = (eye.places.at[foe.index()], eye.pulse + 1);
            return Some(foe);
        }
        let old = hunters.prey[c].filter(|p| self.index.of[p.index()] != u32::MAX && within(*p));
        let prey = match old {
            Some(prey) if hunters.looked[c] > eye.pulse => Some(prey),
            None if hunters.looked[c] > eye.pulse => None,
            _ => {
                // Looks are spread over the pulses, so that no pulse does them all.
                hunters.looked[c] = eye.pulse + eye.figures.look_again + (c as u32 & 1);
                hunters.set(c, None);
                let best = self.search(eye, hunters, c, &within, &means);
                hunters.set(c, best);
                best
            }
        };
        if let Some(prey) = prey {
            hunters.last[c] = (eye.places.at[prey.index()], eye.pulse + 1);
        } else if hunters.prey[c].is_some() {
            hunters.set(c, None);
        }
        prey
    }

    fn search(
        &self,
        eye: &Eye<'_>,
        hunters: &Hunters,
        c: usize,
        within: &impl Fn(CompanyId) -> bool,
        means: &impl Fn(UnitId) -> bool,
    ) -> Option<CompanyId> {
        let here = eye.places.at[c];
        let party = eye.roster.party[c];
        let hostile = &eye.setting.scenario.hostile[party.index()];
        let foes =
            hostile.iter().enumerate().fold(0_u32, |m, (p, h)| m | u32::from(*h) << (p & 31));
        let origin = eye.setting.site.origin;
        let index = self.index;
        let bx = ((here.x - origin.x) / index.side_cm).clamp(0, index.columns - 1);
        let by = ((here.y - origin.y) / index.side_cm).clamp(0, index.rows - 1);
        let farthest = eye.figures.sight_cm;
        let mut best: Option<(i32, CompanyId)> = None;
        // Whose distance squared is this much seems no nearer than the best so far.
        let mut beyond = (i64::from(farthest) + 1) * (i64::from(farthest) + 1);
        let rings = farthest / index.side_cm + 1;
        for ring in 0..=rings {
            // Nothing in this ring can be nearer than its inner edge.
            if best.is_some_and(|(b, _)| b < (ring - 1) * index.side_cm) {
                break;
            }
            for y in (by - ring).max(0)..=(by + ring).min(index.rows - 1) {
                let edge = (y - by).abs() == ring;
                let step = if edge || ring == 0 { 1 } else { 2 * ring };
                let mut x = bx - ring;
                while x <= bx + ring {
                    if x >= 0 && x < index.columns {
                        let block = (y * index.columns + x) as usize;
                        if index.parties[block] & foes != 0
                            && index.squared_to(x, y, here, origin) < beyond
                        {
                            for &Quarry { company: p, party, at } in index.in_block(block) {
                                let square = here.squared(at);
                                if square >= beyond
                                    || !hostile[party.index()]
                                    || !means(eye.roster.unit[p.index()])
                                    || !within(p)
                                {
                                    continue;
                                }
                                // Fleeing men are prey too, but those who fight come first.
                                let beaten = i32::from(eye.spirits.mind[p.index()] == Mind::Broken);
                                let crowd = i32::from(hunters.after[p.index()]);
                                let far = root(square) as i32;
                                let seems = far + (crowd + 4 * beaten) * eye.figures.crowding_cm;
                                if best.is_none_or(|(b, _)| seems < b) {
                                    best = Some((seems, p));
                                    beyond = beyond.min(i64::from(seems) * i64::from(seems));
                                }
                            }
                        }
                    }
                    x += step;
                }
            }
        }
        best.map(|(_, p)| p)
    }

    /// Roughly where the nearest enemies of a company are, as seen from a point.
    pub(super) fn nearest_point(&self, eye: &Eye<'_>, c: usize, from: PointCm) -> Option<PointCm> {
        let hostile = &eye.setting.scenario.hostile[eye.roster.party[c].index()];
        let foes =
            hostile.iter().enumerate().fold(0_u32, |m, (p, h)| m | u32::from(*h) << (p & 31));
        let index = self.index;
        let origin = eye.setting.site.origin;
        let middle = |b: usize| PointCm {
            x: origin.x + (b as i32 % index.columns) * index.side_cm + index.side_cm / 2,
            y: origin.y + (b as i32 / index.columns) * index.side_cm + index.side_cm / 2,
        };
        (0..index.parties.len())
            .filter(|b| index.parties[*b] & foes != 0)
            .map(|b| (middle(b).distance_cm(from), b))
            .min()
            .filter(|(far, _)| *far <= eye.figures.sight_cm)
            .map(|(_, b)| middle(b))
    }
}

/// Whether one can go straight from one point to another so far away: no cell
/// between them is a wall, water or house.
pub(super) fn sees_way(site: &Site, from: PointCm, to: PointCm, far_cm: i32) -> bool {
    let steps = far_cm / (site.cell_cm * LOOK_CELLS) + 1;
    (1..steps).all(|i| {
        site.node_at(from.towards(to, i, steps)).is_some_and(|n| site.nodes[n.index()].room_cm2 > 0)
    })
}
