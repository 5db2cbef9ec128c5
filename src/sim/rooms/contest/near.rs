//! Who is near enough to whom to touch.
//!
//! The companies of a node lie side by side in one list, with their outlines,
//! so that those of two nodes are compared without a look at the board. Outlines
//! are drawn only where parties meet.

use super::{Field, Melee, stands};
use crate::core::ids::{CompanyId, NodeId, PartyId};
use crate::sim::body::{Flank, Outline, free_cm};

/// What puts those in the rear after all others of a node.
const BEHIND_CM: i32 = 100_000;

/// A company that still counts, as it stands in this pulse.
#[derive(Clone, Copy, Debug)]
struct Standing {
    company: CompanyId,
    party: PartyId,
    /// Breadth of one man in centimetres.
    file: i32,
    outline: Outline,
}

/// Where the companies of a node are in the list.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// The pulse, plus one, for which this holds.
    stamp: u32,
    start: u32,
    end: u32,
    /// Bits of their parties.
    parties: u32,
    /// Whether their outlines are drawn.
    drawn: bool,
}

/// Who stands where in this pulse.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    stamp: u32,
    list: Vec<Standing>,
    spans: Vec<Span>,
}

/// Two companies near enough to touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub a: CompanyId,
    pub b: CompanyId,
    pub shared: i32,
    /// The sides that they face each other with.
    pub face_a: Flank,
    pub face_b: Flank,
    /// From the first to the second.
    pub ux: f64,
    pub uy: f64,
}

/// The pairs near enough of one node, nearest first.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    all: Vec<Near>,
    /// Gap and ids in one number, and the place in `all`.
    order: Vec<(u64, u32)>,
}

/// Bit of a party.
fn bit(party: PartyId) -> u32 {
    1 << (party.0 & 31)
}

impl Ranks {
    pub(super) fn new(nodes: usize) -> Self {
        Self { spans: vec![Span::default(); nodes], ..Self::default() }
    }

    /// Lists who stands on each node.
    pub(super) fn list(&mut self, stamp: u32, field: Field<'_>) {
        let (_, roster, places, strength, spirits, _) = field;
        self.stamp = stamp;
        self.list.clear();
        for &node in &places.busy {
            let start = self.list.len() as u32;
            let mut parties = 0;
            for company in places.on(node) {
                let c = company.index();
                if strength.men[c] > 0 && stands(spirits.mind[c]) {
                    let party = roster.party[c];
                    parties |= bit(party);
                    self.list.push(Standing {
                        company,
                        party,
                        file: 0,
                        outline: Outline::default(),
                    });
                }
            }
            let end = self.list.len() as u32;
            self.spans[node.index()] = Span { stamp, start, end, parties, drawn: false };
        }
    }

    /// Bits of the parties on a node.
    pub(super) fn parties(&self, node: NodeId) -> u32 {
        let span = &self.spans[node.index()];
        if span.stamp == self.stamp { span.parties } else { 0 }
    }

    fn of(&self, node: NodeId) -> &[Standing] {
        let span = &self.spans[node.index()];
        &self.list[span.start as usize..span.end as usize]
    }
}

impl Pairs {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.order.clear();
    }

    /// Nearest first, ties by ids.
    pub(super) fn in_order(&mut self) -> impl Iterator<Item = Near> + '_ {
        self.order.sort_unstable_by_key(|(key, _)| *key);
        self.order.iter().map(|(_, at)| self.all[*at as usize])
    }

    fn add(&mut self, gap: i32, near: Near) {
        let gap = u64::from(gap.cast_unsigned() ^ 1 << 31);
        let key = gap << 32 | u64::from(near.a.0) << 16 | u64::from(near.b.0);
        self.order.push((key, self.all.len() as u32));
        self.all.push(near);
    }
}

/// Draws the outlines of all companies on a node, once a pulse.
fn draw(melee: &mut Melee, node: NodeId, field: Field<'_>) {
    let (setting, roster, places, strength, _, forms) = field;
    let span = &mut melee.ranks.spans[node.index()];
    if std::mem::replace(&mut span.drawn, true) {
        return;
    }
    for standing in &mut melee.ranks.list[span.start as usize..span.end as usize] {
        let c = standing.company.index();
        let body = melee.spacing.body(
            forms.shape[c],
            roster.mounted[c],
            strength.men[c],
            free_cm(&setting.site, node, places.heading[c]),
            places.at[c],
            places.heading[c],
        );
        standing.file = body.file;
        standing.outline = Outline::of(&body);
        melee.bodies[c] = body;
        melee.left[c] = [body.front, body.depth, body.front, body.depth];
    }
}

/// Adds the hostile companies of two nodes (or of one) that are near enough and
/// still have width to lend each other.
pub(super) fn gather(melee: &mut Melee, here: NodeId, there: NodeId, field: Field<'_>) {
    draw(melee, here, field);
    draw(melee, there, field);
    let Melee { ranks, near, hostile, left, touch_cm, stepped_back, .. } = melee;
    let roster = field.1;
    let within = f64::from(*touch_cm);
    for (nth, a) in ranks.of(here).iter().enumerate() {
        let foes = hostile[a.party.index()];
        let from = if here == there { nth + 1 } else { 0 };
        for b in &ranks.of(there)[from..] {
            let (own, other) = (&a.outline, &b.outline);
            let most = (own.span + other.span) / 2 + *touch_cm;
            // One branch for all three, since none can be foreseen.
            if (foes & bit(b.party) == 0)
                | ((other.centre.x - own.centre.x).abs() > most)
                | ((other.centre.y - own.centre.y).abs() > most)
            {
                continue;
            }
            let Some(lie) = own.gap(other, within) else { continue };
            let (a, b, ux, uy) = if a.company < b.company {
                (a, b, lie.ux, lie.uy)
            } else {
                (b, a, -lie.ux, -lie.uy)
            };
            let (face_a, face_b) =
                (a.outline.side_towards(ux, uy), b.outline.side_towards(-ux, -uy));
            // Width that is lent never comes back: whose side has none left is out.
            let shared = lie.shared as i32;
            let lends = left[a.company.index()][face_a as usize]
                .min(left[b.company.index()][face_b as usize])
                .min(shared);
            if lie.shared < 1.0 || lends * 2 < a.file.min(b.file) {
                continue;
            }
            let (a, b) = (a.company, b.company);
            // Who stands in the rear is met after those in front of him.
            let behind = [a, b].iter().any(|c| stepped_back.contains(&roster.unit[c.index()]));
            let gap = lie.cm as i32 + if behind { BEHIND_CM } else { 0 };
            near.add(gap, Near { a, b, shared, face_a, face_b, ux, uy });
        }
    }
}
