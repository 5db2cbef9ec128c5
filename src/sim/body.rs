//! How much ground a company takes: its files, ranks, breadth and depth. Pure
//! geometry that several rooms measure contact, shot and trampling by.

use crate::core::ids::NodeId;
use crate::core::measure::{PointCm, metres_to_cm};
use crate::scenario::catalogue::{Catalogue, Shape};
use crate::scenario::site::Site;

/// Files of a column, whatever the width of the road allows.
const COLUMN_FILES: i32 = 4;
/// Ranks that men stand in at least when there is room for a longer line.
const LEAST_RANKS: i32 = 2;

/// Breadth in centimetres that a company takes up in the open: sixteen files of
/// foot or ten horses, whatever the cells are.
pub const OPEN_CM: i32 = 1_500;

/// The breadth that a company with a heading can take on a node: the width of a
/// street or passage, and in the open, or along a wall-walk, that of its own order.
#[must_use]
pub fn free_cm(site: &Site, node: NodeId, heading: PointCm) -> i32 {
    let node = &site.nodes[node.index()];
    // Who faces out over the parapet, or in, stands along the walk.
    let (hx, hy) = (i64::from(heading.x), i64::from(heading.y));
    let along = (hx * i64::from(node.runs.x) + hy * i64::from(node.runs.y)).abs();
    let across = node.runs != PointCm::default() && along * 1000 < 707 * 1_000_000;
    if node.width_cm < site.cell_cm && !across { node.width_cm } else { OPEN_CM }
}

/// Centimetres that a man takes in each shape, on foot and on horseback.
#[derive(Clone, Debug, Default)]
pub struct Spacing {
    file: [[i32; 2]; 8],
    rank: [[i32; 2]; 8],
}

impl Spacing {
    /// The table of a catalogue.
    #[must_use]
    pub fn of(rules: &Catalogue) -> Self {
        let mut table = Self::default();
        for kind in &rules.shapes {
            let at = kind.id as usize;
            table.file[at] = [
                metres_to_cm(kind.front_m.v()).max(1),
                metres_to_cm(kind.horse_front_m.v()).max(1),
            ];
            table.rank[at] = [
                metres_to_cm(kind.depth_m.v()).max(1),
                metres_to_cm(kind.horse_depth_m.v()).max(1),
            ];
        }
        table
    }

    /// Breadth and depth that one man takes, in centimetres.
    #[must_use]
    pub const fn man(&self, shape: Shape, mounted: bool) -> (i32, i32) {
        (self.file[shape as usize][mounted as usize], self.rank[shape as usize][mounted as usize])
    }

    /// Square centimetres that so many men take.
    #[must_use]
    pub const fn area_cm2(&self, shape: Shape, mounted: bool, men: i32) -> i32 {
        let (file, rank) = self.man(shape, mounted);
        men.saturating_mul(file.saturating_mul(rank))
    }

    /// The rectangle of a company whose front's middle is at `at`, where no more
    /// than `width_cm` is free.
    #[must_use]
    pub fn body(
        &self,
        shape: Shape,
        mounted: bool,
        men: i32,
        width_cm: i32,
        at: PointCm,
        heading: PointCm,
    ) -> Body {
        let (file, rank) = self.man(shape, mounted);
        // Who faces nowhere yet faces north: a body always has sides.
        let heading =
            if heading == PointCm::default() { PointCm { x: 0, y: 1000 } } else { heading };
        let files = if matches!(shape, Shape::Column) {
            COLUMN_FILES.min(men)
        } else {
            (men + LEAST_RANKS - 1) / LEAST_RANKS
        };
        let front = (files * file).min(width_cm).max(file);
        let depth = (men.saturating_mul(file).saturating_mul(rank) / front).max(rank);
        Body {
            men,
            file,
            rank,
            front,
            depth,
            heading,
            centre: PointCm {
                x: at.x - (i64::from(heading.x) * i64::from(depth) / 2000) as i32,
                y: at.y - (i64::from(heading.y) * i64::from(depth) / 2000) as i32,
            },
        }
    }
}

/// The rectangle of a company on the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Body {
    /// Men in it.
    pub men: i32,
    /// Centimetres of breadth of one man.
    pub file: i32,
    /// Centimetres of depth of one man.
    pub rank: i32,
    /// Its breadth.
    pub front: i32,
    /// Its depth.
    pub depth: i32,
    /// Where it faces, thousandths.
    pub heading: PointCm,
    /// Its middle.
    pub centre: PointCm,
}

/// A side of a company, seen from itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Flank {
    /// Its front.
    Front,
    /// Its left.
    Left,
    /// Its back.
    Back,
    /// Its right.
    Right,
}

impl Flank {
    /// How exposed a side is: front 0, flank 1, back 2.
    #[must_use]
    pub const fn exposure(self) -> u8 {
        match self {
            Self::Front => 0,
            Self::Left | Self::Right => 1,
            Self::Back => 2,
        }
    }
}

impl Body {
    /// Half of its extent along a direction given in unit fractions.
    #[must_use]
    pub fn reach_along(&self, ux: f64, uy: f64) -> f64 {
        let (hx, hy) = (f64::from(self.heading.x) / 1000.0, f64::from(self.heading.y) / 1000.0);
        let (along, across) = ((ux * hx + uy * hy).abs(), (ux * hy - uy * hx).abs());
        (along * f64::from(self.depth) + across * f64::from(self.front)) / 2.0
    }
}

/// How two companies lie to each other.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Centimetres between them, negative when they overlap.
    pub cm: f64,
    /// Centimetres of width that they share across that gap; not above 0 when
    /// they only touch at a corner.
    pub shared: f64,
    /// Direction from the first to the second, square to a side of one of them.
    pub ux: f64,
    /// The same, north.
    pub uy: f64,
}

/// What [`Outline::gap`] asks of a body, worked out once a pulse: bodies are
/// compared with many others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outline {
    /// Its middle.
    pub centre: PointCm,
    /// Breadth and depth together, in centimetres.
    pub span: i32,
    hx: f64,
    hy: f64,
    half_front: f64,
    half_depth: f64,
    /// Half of its extent along its heading, and square to it.
    ahead: f64,
    aside: f64,
}

impl Outline {
    /// The outline of a body.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        let (hx, hy) = (f64::from(body.heading.x) / 1000.0, f64::from(body.heading.y) / 1000.0);
        let (half_front, half_depth) = (f64::from(body.front) / 2.0, f64::from(body.depth) / 2.0);
        // A heading of whole thousandths is not quite of length 1.
        let square = hx * hx + hy * hy;
        Self {
            centre: body.centre,
            span: body.front + body.depth,
            hx,
            hy,
            half_front,
            half_depth,
            ahead: square * half_depth,
            aside: square * half_front,
        }
    }

    /// How two companies lie to each other: of the directions square to their
    /// sides the one in which they are farthest apart, and what they share across
    /// it. None when that is farther than `within` centimetres.
    #[must_use]
    #[inline]
    pub fn gap(&self, other: &Self, within: f64) -> Option<Gap> {
        let (a, b) = (self, other);
        let (dx, dy) = (f64::from(b.centre.x - a.centre.x), f64::from(b.centre.y - a.centre.y));
        // How far the headings are alike, and how far square to each other: with
        // these each reaches along every side of the other.
        let alike = (a.hx * b.hx + a.hy * b.hy).abs();
        let square = (a.hx * b.hy - a.hy * b.hx).abs();
        let along = |o: &Self| alike * o.half_depth + square * o.half_front;
        let across = |o: &Self| square * o.half_depth + alike * o.half_front;
        let lie = |x: f64, y: f64, reach_a: f64, reach_b: f64| {
            let far = dx * x + dy * y;
            (far.abs() - reach_a - reach_b, far, x, y)
        };
        // One branch for two directions: whether bodies are apart, and in which of
        // them, cannot be foreseen.
        let ahead_a = lie(a.hx, a.hy, a.ahead, along(b));
        let aside_a = lie(-a.hy, a.hx, a.aside, across(b));
        if (ahead_a.0 > within) | (aside_a.0 > within) {
            return None;
        }
        let ahead_b = lie(b.hx, b.hy, along(a), b.ahead);
        let aside_b = lie(-b.hy, b.hx, across(a), b.aside);
        if (ahead_b.0 > within) | (aside_b.0 > within) {
            return None;
        }
        // Each with the extents square to it.
        let directions = [
            (ahead_a, a.aside, across(b)),
            (aside_a, a.ahead, along(b)),
            (ahead_b, across(a), b.aside),
            (aside_b, along(a), b.ahead),
        ];
        let mut best = directions[0];
        for direction in directions {
            if direction.0.0 > best.0.0 {
                best = direction;
            }
        }
        let ((cm, far, x, y), half_a, half_b) = best;
        let sign = if far < 0.0 { -1.0 } else { 1.0 };
        let (ux, uy) = (x * sign, y * sign);
        let aside = (dy * ux - dx * uy).abs();
        let shared = (half_a + half_b - aside).min(2.0 * half_a.min(half_b));
        Some(Gap { cm, shared, ux, uy })
    }

    /// The side that somebody in a direction attacks: within 60 degrees of the
    /// heading the front, within 60 of its opposite the back.
    #[must_use]
    #[inline]
    pub fn side_towards(&self, ux: f64, uy: f64) -> Flank {
        let along = ux * self.hx + uy * self.hy;
        if along >= 0.5 {
            Flank::Front
        } else if along <= -0.5 {
            Flank::Back
        } else if self.hx * uy - self.hy * ux > 0.0 {
            Flank::Left
        } else {
            Flank::Right
        }
    }
}

/// The chance that something of a chance each second happens within whole
/// seconds; the same over a minute whatever the pulse.
#[must_use]
pub fn over(per_s: f64, seconds: i32) -> f64 {
    let stay = 1.0 - per_s.clamp(0.0, 1.0);
    let mut left = 1.0;
    for _ in 0..seconds {
        left *= stay;
    }
    1.0 - left
}

/// Share of blows or missiles of an energy that go through armour: one half at
/// the energy that the armour stops.
#[must_use]
pub fn goes_through(energy_j: f64, stops_j: f64) -> f64 {
    let (energy, stops) = (energy_j * energy_j, stops_j * stops_j);
    if energy + stops <= 0.0 { 1.0 } else { energy / (energy + stops) }
}
