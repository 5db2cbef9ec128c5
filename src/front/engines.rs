//! Engines from above: a crossbow cart with its bolts, a thrower with its arm. Four
//! pale bolts are loaded; a gamboge ring is reloading; none of them is drawn beyond
//! the distance at which it would be a speck.

use std::collections::BTreeMap;

use crate::core::ids::UnitId;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::EngineKind;
use crate::view::frame::Frame;

use super::canvas::{Canvas, P, linear, step};
use super::crowd::Shown;
use super::land::tint;
use super::theme::Theme;

/// Metres a pixel beyond which engines are not drawn.
const FAR: f32 = 0.9;

/// How many engines of each unit have been set down so far, company by company.
#[derive(Debug, Default)]
pub struct Park {
    companies: BTreeMap<UnitId, u16>,
}

/// What engines are drawn with.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The battle.
    pub battle: &'a Scenario,
    /// The pulse shown.
    pub frame: &'a Frame,
    /// The look.
    pub theme: &'a Theme,
    /// Metres a pixel.
    pub px: f32,
}

impl Park {
    /// Counts a company of a unit, in sight or not: which of the unit's it is.
    pub fn count(&mut self, unit: UnitId) -> u16 {
        let turn = self.companies.entry(unit).or_default();
        *turn += 1;
        *turn - 1
    }
}

impl Bench<'_> {
    /// Draws the engines that a company serves: its share of those of its unit.
    pub fn draw(&self, canvas: &mut Canvas, shown: &Shown, nth: u16, alpha: f32) {
        let Self { battle, frame, theme, px } = *self;
        let Some((kind, _)) = battle.units.get(shown.unit.index()).and_then(|u| u.engines.first())
        else {
            return;
        };
        let Some(mark) = frame.units.get(shown.unit.index()) else { return };
        if px > FAR {
            return;
        }
        let (nth, all) = (u32::from(nth), u32::from(mark.companies.max(1)));
        let engines = u32::from(mark.engines);
        let (from, to) = (nth * engines / all, (nth + 1) * engines / all);
        let kind = &battle.rules.engines[kind.index()];
        let weapon = kind.weapon.and_then(|w| battle.rules.weapons.get(w.index()));
        let stones = weapon.and_then(|w| w.shot.as_ref()).is_some_and(|s| s.swath_m.v() > 0.0);
        let d = [shown.turn.cos(), shown.turn.sin()];
        let apart = (kind.width_m.v() as f32 * 1.6).max(px * 14.0);
        for i in from..to {
            let aside = (i - from) as f32 - (to - from - 1) as f32 / 2.0;
            let at = step(shown.at, d, 0.6, aside * apart);
            let loaded = i < u32::from(mark.loaded);
            let look = Look { at, d, loaded, alpha, px };
            if stones { look.thrower(canvas, theme, kind) } else { look.cart(canvas, theme, kind) }
        }
    }
}

#[derive(Clone, Copy)]
struct Look {
    at: P,
    d: P,
    loaded: bool,
    alpha: f32,
    px: f32,
}

impl Look {
    fn size(self, kind: &EngineKind) -> (f32, f32) {
        let long = (kind.length_m.v() as f32).max(self.px * 11.0);
        (long, (kind.width_m.v() as f32).max(self.px * 8.0))
    }

    fn cart(self, canvas: &mut Canvas, theme: &Theme, kind: &EngineKind) {
        let (long, wide) = self.size(kind);
        let (at, d) = (self.at, self.d);
        let ink = tint(theme.map("ink0"), self.alpha);
        let wood = tint(theme.map("timber_hi"), self.alpha);
        let dark = tint(theme.map("timber"), self.alpha);
        canvas.bar(
            [at[0] + wide * 0.2, at[1] - wide * 0.25],
            d,
            long,
            wide,
            tint(theme.map("shadow"), 0.3),
        );
        for side in [-1.0, 1.0] {
            for end in [-0.3, 0.3] {
                canvas.bar(
                    step(at, d, long * end, side * wide * 0.5),
                    d,
                    long * 0.24,
                    wide * 0.14,
                    ink,
                );
            }
        }
        canvas.bar(at, d, long * 0.92, wide * 0.86, ink);
        canvas.bar(at, d, long * 0.84, wide * 0.74, dark);
        canvas.bar(step(at, d, -long * 0.1, 0.0), d, long * 0.5, wide * 0.6, wood);
        // The bow across the front, bent back at both ends.
        let (tip, mid) = (long * 0.24, long * 0.42);
        for side in [-1.0, 1.0] {
            let (a, b) = (step(at, d, mid, 0.0), step(at, d, tip, side * wide * 0.62));
            canvas.line(a, b, wide * 0.1, ink);
        }
        if self.loaded {
            for i in 0..4 {
                let y = (i as f32 - 1.5) * wide * 0.15;
                let (a, b) = (step(at, d, 0.0, y), step(at, d, long * 0.66, y));
                canvas.line(
                    a,
                    b,
                    (wide * 0.05).max(self.px * 0.7),
                    tint(theme.map("head_1"), self.alpha),
                );
            }
        } else {
            self.reloading(canvas, theme, wide);
        }
    }

    fn thrower(self, canvas: &mut Canvas, theme: &Theme, kind: &EngineKind) {
        let (long, wide) = self.size(kind);
        let (at, d) = (self.at, self.d);
        let ink = tint(theme.map("ink0"), self.alpha);
        let wood = tint(theme.map("timber_hi"), self.alpha);
        canvas.bar(
            [at[0] + wide * 0.2, at[1] - wide * 0.25],
            d,
            long,
            wide * 0.8,
            tint(theme.map("shadow"), 0.25),
        );
        for (x, y) in [(0.0, 0.42), (0.0, -0.42)] {
            canvas.bar(step(at, d, long * x, wide * y), d, long * 0.8, wide * 0.16, ink);
            canvas.bar(step(at, d, long * x, wide * y), d, long * 0.74, wide * 0.09, wood);
        }
        canvas.bar(at, d, wide * 0.18, wide, ink);
        // The arm lies back when it is loaded and stands over the front when it is not.
        let reach = if self.loaded { -0.62 } else { 0.5 };
        let (a, b) = (step(at, d, -long * reach * 0.35, 0.0), step(at, d, long * reach, 0.0));
        canvas.line(a, b, wide * 0.14, ink);
        canvas.line(a, b, wide * 0.07, wood);
        if self.loaded {
            canvas.disc(b, wide * 0.14, 8, linear(theme.map("ink1")));
        } else {
            self.reloading(canvas, theme, wide);
        }
    }

    fn reloading(self, canvas: &mut Canvas, theme: &Theme, wide: f32) {
        if self.px < 0.4 {
            let gold = tint(theme.map("select"), self.alpha);
            canvas.ring(self.at, wide * 0.36, (wide * 0.12).max(self.px * 1.4), 14, gold);
        }
    }
}
