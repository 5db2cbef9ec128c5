//! The piece of a wall's walk that a company stands on, so that its men and engines
//! are drawn on it and not in the air beside it.

use crate::core::measure::PointCm;
use crate::scenario::battle::Scenario;
use crate::scenario::site::{Level, WorkForm};

use super::canvas::{P, dir, far, mix, step};
use super::land::Land;

/// Metres that stay free along each parapet.
const EDGE: f32 = 0.7;

/// A walk under a company.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// The point of the wall's middle line that is nearest.
    pub at: P,
    /// Outward.
    pub out: P,
    /// Half of its breadth that men stand on.
    pub half: f32,
}

impl Walk {
    /// The walk under a point of the map; none on the ground.
    #[must_use]
    pub fn under(battle: &Scenario, land: Land, point: PointCm, at: P) -> Option<Self> {
        let site = &battle.site;
        let node = site.node_on(point, Level::Rampart)?;
        let mut work = &site.works[site.nodes[node.index()].work?.index()];
        if !matches!(work.form, WorkForm::Wall { .. }) {
            work = &site.works[work.within?.index()];
        }
        let WorkForm::Wall { line, walk_cm, .. } = &work.form else { return None };
        let (near, along) = nearest(line, land, at)?;
        let out = [-along[1], along[0]];
        let facing = out[0] * work.outward.x as f32 + out[1] * work.outward.y as f32;
        let out = if facing < 0.0 { [along[1], -along[0]] } else { out };
        Some(Self { at: near, out, half: (*walk_cm as f32 / 200.0 - EDGE).max(0.6) })
    }

    /// How far outward of the middle line a point lies.
    #[must_use]
    pub fn across(&self, p: P) -> f32 {
        (p[0] - self.at[0]) * self.out[0] + (p[1] - self.at[1]) * self.out[1]
    }

    /// The same point, brought back onto the walk where it lies off it.
    #[must_use]
    pub fn keep(&self, p: P) -> P {
        let across = self.across(p);
        let kept = (across + self.half).rem_euclid(self.half * 2.0) - self.half;
        step(p, self.out, kept - across, 0.0)
    }
}

/// The point of a line that is nearest to another, and which way the line runs there.
#[must_use]
pub fn nearest(line: &[PointCm], land: Land, to: P) -> Option<(P, P)> {
    let parts = line.windows(2).map(|w| {
        let (a, b) = (land.m(w[0]), land.m(w[1]));
        let (long, d) = (far(a, b).max(1e-3), dir(a, b));
        let t = (to[0] - a[0]) * d[0] + (to[1] - a[1]) * d[1];
        (mix(a, b, (t / long).clamp(0.0, 1.0)), d)
    });
    parts.min_by(|(a, _), (b, _)| far(*a, to).total_cmp(&far(*b, to)))
}
