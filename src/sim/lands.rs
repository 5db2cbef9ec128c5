//! Areas as bits and boxes, and distances to places: built once from the site,
//! so that "is this company in that area" costs one look-up.

use bevy_ecs::prelude::*;

use crate::core::ids::{AreaId, NodeId, PortalId, WorkId};
use crate::core::measure::PointCm;
use crate::scenario::site::{Site, WorkForm};

/// Membership and extent of every area. Written once at muster.
#[derive(Resource, Clone, Debug, Default)]
pub struct Lands {
    areas: Vec<Land>,
}

/// One area.
#[derive(Clone, Debug)]
struct Land {
    bits: Vec<u64>,
    south_west: PointCm,
    north_east: PointCm,
}

impl Lands {
    /// Reads the areas of a site.
    #[must_use]
    pub fn of(site: &Site) -> Self {
        let words = site.nodes.len().div_ceil(64);
        let half = site.cell_cm / 2;
        let areas = site
            .areas
            .iter()
            .map(|area| {
                let mut land = Land {
                    bits: vec![0; words],
                    south_west: PointCm { x: i32::MAX, y: i32::MAX },
                    north_east: PointCm { x: i32::MIN, y: i32::MIN },
                };
                for &node in &area.nodes {
                    land.bits[node.index() / 64] |= 1 << (node.index() % 64);
                    let at = site.centre(node);
                    land.south_west.x = land.south_west.x.min(at.x - half);
                    land.south_west.y = land.south_west.y.min(at.y - half);
                    land.north_east.x = land.north_east.x.max(at.x + half);
                    land.north_east.y = land.north_east.y.max(at.y + half);
                }
                land
            })
            .collect();
        Self { areas }
    }

    /// Whether a node belongs to an area.
    #[must_use]
    pub fn holds(&self, area: AreaId, node: NodeId) -> bool {
        let word = self.areas[area.index()].bits[node.index() / 64];
        word >> (node.index() % 64) & 1 == 1
    }

    /// Centimetres from a point to the box about an area; 0 inside the box.
    #[must_use]
    pub fn distance_cm(&self, area: AreaId, at: PointCm) -> i32 {
        let land = &self.areas[area.index()];
        if land.south_west.x > land.north_east.x {
            return i32::MAX;
        }
        at.distance_cm(PointCm {
            x: at.x.clamp(land.south_west.x, land.north_east.x),
            y: at.y.clamp(land.south_west.y, land.north_east.y),
        })
    }
}

/// Centimetres from a point to a work: a gate's or ramp's outer mouth, the outer
/// face of a wall, the edge of a bridge deck. Never negative.
#[must_use]
pub fn to_work_cm(site: &Site, work: WorkId, at: PointCm) -> i32 {
    match &site.works[work.index()].form {
        WorkForm::Gate { portal, .. } | WorkForm::Ramp { portal } => {
            at.distance_cm(site.portals[portal.index()].outer_at)
        }
        WorkForm::Wall { line, thickness_cm, .. } => {
            (to_line_cm(line, at) - thickness_cm / 2).max(0)
        }
        WorkForm::Bridge { line, width_cm } => (to_line_cm(line, at) - width_cm / 2).max(0),
    }
}

/// The point that stands for a work: the outer mouth of a gate, else its centre.
#[must_use]
pub fn work_at(site: &Site, work: WorkId) -> PointCm {
    match site.works[work.index()].form {
        WorkForm::Gate { portal, .. } => site.portals[portal.index()].outer_at,
        _ => site.works[work.index()].at,
    }
}

/// Where the leaves of a gate stand: mid-passage.
#[must_use]
pub fn leaf_at(site: &Site, portal: PortalId) -> PointCm {
    let portal = &site.portals[portal.index()];
    portal.outer_at.towards(portal.inner_at, 1, 2)
}

/// Whether a point lies past the inner mouth of a portal, on the inner side.
#[must_use]
pub fn is_inside(site: &Site, portal: PortalId, at: PointCm) -> bool {
    let portal = &site.portals[portal.index()];
    let (dx, dy) = (
        i64::from(portal.outer_at.x) - i64::from(portal.inner_at.x),
        i64::from(portal.outer_at.y) - i64::from(portal.inner_at.y),
    );
    let (x, y) = (
        i64::from(at.x) - i64::from(portal.inner_at.x),
        i64::from(at.y) - i64::from(portal.inner_at.y),
    );
    x * dx + y * dy <= 0
}

/// Centimetres from a point to a line of points.
#[must_use]
pub fn to_line_cm(line: &[PointCm], at: PointCm) -> i32 {
    let mut best = line.first().map_or(i32::MAX, |p| p.distance_cm(at));
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
        let whole = dx * dx + dy * dy;
        if whole == 0 {
            continue;
        }
        let along =
            (i64::from(at.x) - i64::from(a.x)) * dx + (i64::from(at.y) - i64::from(a.y)) * dy;
        let along = along.clamp(0, whole);
        // 128 bits: two squared map widths of centimetres overflow 64.
        let go = |from: i32, by: i64| {
            i32::try_from(i128::from(from) + i128::from(by) * i128::from(along) / i128::from(whole))
                .unwrap_or(from)
        };
        best = best.min(at.distance_cm(PointCm { x: go(a.x, dx), y: go(a.y, dy) }));
    }
    best
}
