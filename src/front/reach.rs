//! What the engines of a chosen unit can hit: the arc in gamboge, and before the wall
//! the hatched band that lies too near to be pointed at.

use std::f32::consts::TAU;

use bevy_egui::egui::{Rect, vec2};

use crate::scenario::battle::{Light, Scenario};
use crate::view::frame::Frame;
use crate::view::works::{Reach, reach};

use super::canvas::{Canvas, P, mix, step};
use super::crowd::Shown;
use super::land::{Land, tint};
use super::state::Play;
use super::theme::Theme;

/// How far to each side of its front a crew turns its engine, as drawn.
const ASIDE: f32 = TAU / 14.0;

/// A unit's reach in metres of the map.
#[derive(Clone, Copy)]
pub struct Arc {
    ends: [P; 2],
    turn: f32,
    /// Nearest ground that can be hit.
    pub near: f32,
    /// The same when depressed by the handle, where that is nearer.
    pub low: Option<f32>,
    far: f32,
}

/// The reaches of all chosen units with engines.
#[must_use]
pub fn arcs(play: &Play, battle: &Scenario, frame: &Frame) -> Vec<Arc> {
    let side = play.session.side();
    let of = |unit| {
        let own = side.is_none_or(|s| battle.side_of(unit) == s);
        let mine = |s: &&Shown| own && s.unit == unit;
        let marks: Vec<_> = play.shown.iter().filter(mine).map(|s| s.mark).collect();
        reach(battle, frame, &marks).map(|r| Arc::of(&r, play.land))
    };
    play.chosen.iter().copied().filter_map(of).collect()
}

impl Arc {
    fn of(reach: &Reach, land: Land) -> Self {
        let metres = |cm: i32| cm as f32 / 100.0;
        Self {
            ends: reach.ends.map(|p| land.m(p)),
            turn: f32::from(reach.heading) / 256.0 * TAU,
            near: metres(reach.near_cm),
            low: reach.low_cm.map(metres),
            far: metres(reach.far_cm),
        }
    }

    /// The line at a distance before the front, from its left to its right.
    fn line(&self, r: f32) -> Vec<P> {
        let spoke = |end: P, a: f32| step(end, [a.cos(), a.sin()], r, 0.0);
        let sweep = |from: f32, to: f32, end: P| {
            (0..=8).map(move |i| spoke(end, self.turn + from + (to - from) * i as f32 / 8.0))
        };
        let [left, right] = self.ends;
        sweep(ASIDE, 0.0, left).chain(sweep(0.0, -ASIDE, right)).collect()
    }

    /// Draws it under the men.
    pub fn draw(&self, canvas: &mut Canvas, theme: &Theme, px: f32) {
        let gold = theme.map("select");
        let ink = theme.map("ink0");
        let (base, near, far) = (self.line(0.0), self.line(self.near), self.line(self.far));
        // What is added to a dark ground weighs more.
        let wash = if theme.light == Light::Night { 0.05 } else { 0.13 };
        for i in 1..near.len() {
            canvas.quad([near[i - 1], far[i - 1], far[i], near[i]], tint(gold, wash));
        }
        for (a, b) in [(0, 0), (far.len() - 1, far.len() - 1)] {
            canvas.line(near[a], far[b], px * 2.6, tint(ink, 0.35));
            canvas.line(near[a], far[b], px * 1.3, tint(gold, 1.0));
        }
        canvas.path(&far, false, px * 2.6, tint(ink, 0.35));
        canvas.path(&far, false, px * 1.3, tint(gold, 1.0));
        if self.near < 1.0 {
            return;
        }
        // The dead zone: hatched with ink, its limit dashed.
        let grey = tint(ink, 0.10);
        for i in 1..near.len() {
            canvas.quad([base[i - 1], near[i - 1], near[i], base[i]], grey);
        }
        hatch(canvas, &base, &near, px * 7.0, px * 1.0, tint(ink, 0.34));
        canvas.path(&near, false, px * 2.4, tint(theme.map("head_1"), 0.5));
        canvas.dashes(&near, px * 9.0, px * 5.0, px * 1.8, tint(ink, 0.9));
        if let Some(low) = self.low {
            canvas.dashes(&self.line(low), px * 3.0, px * 4.0, px * 1.5, tint(gold, 1.0));
        }
    }

    /// Where its limit is written, and the distance in metres.
    #[must_use]
    pub fn label(&self) -> Option<(P, i32)> {
        let line = self.line(self.near);
        (self.near >= 1.0).then(|| (line[line.len() / 2], self.near.round() as i32))
    }

    /// The same place on the screen, for a plate beside it.
    #[must_use]
    pub fn spot(&self, play: &Play) -> Option<(Rect, i32)> {
        let (at, metres) = self.label()?;
        let on = play.view.on(at);
        play.view.rect.contains(on).then(|| (Rect::from_center_size(on, vec2(6.0, 6.0)), metres))
    }
}

/// Slanting lines between two lines of as many points.
fn hatch(canvas: &mut Canvas, low: &[P], high: &[P], apart: f32, width: f32, c: [f32; 4]) {
    for i in 1..low.len().min(high.len()) {
        let long = super::canvas::far(high[i - 1], high[i]);
        let n = (long / apart.max(0.1)).ceil().clamp(1.0, 400.0) as u32;
        for k in 0..n {
            let (t, u) = (k as f32 / n as f32, (k as f32 + 0.8) / n as f32);
            let (mut a, b) = (mix(low[i - 1], low[i], t), mix(high[i - 1], high[i], u.min(1.0)));
            // Where they spread from one point they would make a blot of it.
            if super::canvas::far(low[i - 1], low[i]) < long * 0.5 {
                a = mix(a, b, 0.45);
            }
            canvas.line(a, b, width, c);
        }
    }
}
