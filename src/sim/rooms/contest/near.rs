//! Who is near enough to whom to touch.
//!
//! The companies of a node lie side by side in one list, party by party, with their
//! outlines, so that those of two nodes are compared without a look at the board, and
//! friends not at all. Outlines are drawn only where parties meet.

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
    /// Breadth of a man of the narrower ones: less than half of it is no contact.
    pub least: i32,
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
            // Party by party, which those who stand on a node of one party are anyway.
            if parties & parties.wrapping_sub(1) != 0 {
                self.list[start as usize..].sort_unstable_by_key(|s| (s.party, s.company));
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
    let by_party = |node: NodeId| ranks.of(node).chunk_by(|a, b| a.party == b.party);
    for own in by_party(here) {
        let foes = hostile[own[0].party.index()];
        for others in by_party(there) {
            // On one node each two parties meet once.
            let again = here == there && others[0].party <= own[0].party;
            if again || foes & bit(others[0].party) == 0 {
                continue;
            }
            for (a, b) in own.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                let most = (a.outline.span + b.outline.span) / 2 + *touch_cm;
                // One branch for both, since neither can be foreseen.
                if ((b.outline.centre.x - a.outline.centre.x).abs() > most)
                    | ((b.outline.centre.y - a.outline.centre.y).abs() > most)
                {
                    continue;
                }
                let Some(lie) = a.outline.gap(&b.outline, within) else { continue };
                let (a, b, ux, uy) = if a.company < b.company {
                    (a, b, lie.ux, lie.uy)
                } else {
                    (b, a, -lie.ux, -lie.uy)
                };
                let (face_a, face_b) =
                    (a.outline.side_towards(ux, uy), b.outline.side_towards(-ux, -uy));
                // Width that is lent never comes back: whose side has none left is out.
                let shared = lie.shared as i32;
                let least = a.file.min(b.file);
                let lends = left[a.company.index()][face_a as usize]
                    .min(left[b.company.index()][face_b as usize])
                    .min(shared);
                if lie.shared < 1.0 || lends * 2 < least {
                    continue;
                }
                let (a, b) = (a.company, b.company);
                // Who stands in the rear is met after those in front of him.
                let behind = !stepped_back.is_empty()
                    && [a, b].iter().any(|c| stepped_back.contains(&roster.unit[c.index()]));
                let gap = lie.cm as i32 + if behind { BEHIND_CM } else { 0 };
                near.add(gap, Near { a, b, shared, least, face_a, face_b, ux, uy });
            }
        }
    }
}
