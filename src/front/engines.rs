//! Engines from above: a crossbow cart with its bolts, a thrower with its arm, a ram
//! with its beam. Four pale bolts are loaded, of half their length when depressed; a
//! gamboge ring fills while it is loaded; hollow is drawn back; an ink cross is lost.

use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::EngineKind;
use crate::view::Emplaced;
use crate::view::frame::Frame;
use crate::view::works::EngineMark;

use super::canvas::{Canvas, P, linear, step};
use super::crowd::Shown;
use super::land::{Land, tint};
use super::theme::Theme;

/// Metres a pixel beyond which an engine is a dot with its state.
const FAR: f32 = 0.9;
/// Metres a pixel beyond which there are no dots either.
const PIPS: f32 = 2.6;
/// Metres a pixel beyond which rams are not drawn.
const RAMS: f32 = 4.0;

/// What engines are drawn with.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The battle.
    pub battle: &'a Scenario,
    /// The pulse shown.
    pub frame: &'a Frame,
    /// The look.
    pub theme: &'a Theme,
    /// The ground.
    pub land: Land,
    /// Metres a pixel.
    pub px: f32,
}

impl Bench<'_> {
    /// Draws the engines that a company serves, each as it stands.
    pub fn draw(&self, canvas: &mut Canvas, shown: &Shown, alpha: f32) {
        let Self { battle, frame, theme, land, px } = *self;
        let all = frame.engines_of(shown.mark.company);
        let d = shown.front();
        for (i, engine) in all.iter().enumerate() {
            let Some(kind) = battle.rules.engines.get(engine.kind.index()) else { continue };
            let ram = kind.ram.is_some();
            if px > if ram { RAMS } else { PIPS } {
                continue;
            }
            let weapon = kind.weapon.and_then(|w| battle.rules.weapons.get(w.index()));
            let stones = weapon.and_then(|w| w.shot.as_ref()).is_some_and(|s| s.swath_m.v() > 0.0);
            let apart = (kind.width_m.v() as f32 * 1.6).max(px * if px > FAR { 6.0 } else { 14.0 });
            let aside = i as f32 - (all.len() - 1) as f32 / 2.0;
            let long = kind.length_m.v() as f32;
            // Drawn back it stands its own length behind its place at the parapet.
            let back = if engine.stand == Emplaced::Back { long.max(px * 9.0) } else { 0.0 };
            let mut at = step(shown.at, d, 0.6 - back, aside * apart);
            if let Some(walk) = shown.walk {
                // At the parapet, or as far behind it as the walk lets it.
                let room = (walk.half - long * 0.4).max(0.0);
                let across = if engine.stand == Emplaced::Back { -room } else { room };
                at = step(walk.at, d, across, aside * apart);
            }
            if engine.stand == Emplaced::Left {
                at = step(land.m(engine.stood_at), d, 0.0, aside * apart);
            }
            let look = Look { at, d, engine: *engine, alpha, px };
            if ram {
                look.beam(canvas, theme, kind);
            } else if px > FAR {
                look.pip(canvas, theme);
            } else if stones {
                look.thrower(canvas, theme, kind);
            } else {
                look.cart(canvas, theme, kind);
            }
            if !ram && px <= FAR {
                look.state(canvas, theme, kind);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Look {
    at: P,
    d: P,
    engine: EngineMark,
    alpha: f32,
    px: f32,
}

impl Look {
    /// Whether it stands in its place and is loaded.
    fn loaded(self) -> bool {
        self.engine.load >= 100
    }

    /// Whether its crew is not at it: on its way, or left behind.
    fn idle(self) -> bool {
        matches!(self.engine.stand, Emplaced::Pushed | Emplaced::Left)
    }

    fn size(self, kind: &EngineKind) -> (f32, f32) {
        let long = (kind.length_m.v() as f32).max(self.px * 11.0);
        (long, (kind.width_m.v() as f32).max(self.px * 8.0))
    }

    /// From afar: a disc when loaded, a ring that fills when not, a cross when wrecked.
    fn pip(self, canvas: &mut Canvas, theme: &Theme) {
        let r = self.px * 2.6;
        let ink = tint(theme.map("ink0"), self.alpha);
        let gold = tint(theme.map("select"), self.alpha);
        if !self.engine.works {
            self.cross(canvas, theme, r * 1.2);
        } else if self.engine.stand != Emplaced::Forward {
            canvas.ring(self.at, r, self.px * 1.2, 8, ink);
        } else if self.loaded() {
            canvas.disc(self.at, r, 8, ink);
            canvas.disc(self.at, r * 0.6, 8, tint(theme.map("head_1"), self.alpha));
        } else {
            canvas.disc(self.at, r, 8, ink);
            canvas.ring(self.at, r * 0.8, self.px * 1.3, 8, gold);
        }
    }

    /// Two strokes of ink across, on a pale ground.
    fn cross(self, canvas: &mut Canvas, theme: &Theme, r: f32) {
        let ink = tint(theme.map("ink0"), self.alpha);
        let pale = tint(theme.map("head_1"), 0.8 * self.alpha);
        for (w, c) in [((0.5_f32).max(self.px * 3.4), pale), ((0.3_f32).max(self.px * 1.8), ink)] {
            for side in [-1.0, 1.0] {
                let a = step(self.at, self.d, -r, -r * side);
                let b = step(self.at, self.d, r, r * side);
                canvas.line(a, b, w, c);
            }
        }
    }

    /// What is over an engine: how far it is loaded, that it is drawn back or lost.
    fn state(self, canvas: &mut Canvas, theme: &Theme, kind: &EngineKind) {
        let (long, wide) = self.size(kind);
        if !self.engine.works {
            self.cross(canvas, theme, long.min(wide) * 0.6);
            return;
        }
        if self.idle() {
            let amber = tint(theme.hazard().0, self.alpha);
            canvas.bar(
                step(self.at, self.d, -long * 0.62, 0.0),
                self.d,
                self.px * 3.0,
                wide,
                amber,
            );
        } else if !self.loaded() {
            let r = long.max(wide) * 0.5;
            let width = (0.35_f32).max(self.px * 1.9);
            canvas.ring(self.at, r, width * 1.7, 20, tint(theme.map("ink0"), 0.75 * self.alpha));
            let share = f32::from(self.engine.load) / 100.0;
            let n = (share * 20.0).ceil() as u32;
            let start = self.d[1].atan2(self.d[0]);
            let points: Vec<P> = (0..=n)
                .map(|i| start - share * std::f32::consts::TAU * i as f32 / n.max(1) as f32)
                .map(|a| [self.at[0] + a.cos() * r, self.at[1] + a.sin() * r])
                .collect();
            canvas.path(&points, false, width, tint(theme.map("select"), self.alpha));
        }
    }

    /// A ram: a beam with an iron head, slung under a narrow roof.
    fn beam(self, canvas: &mut Canvas, theme: &Theme, kind: &EngineKind) {
        let long = (kind.length_m.v() as f32).max(6.0).max(self.px * 18.0);
        let wide = (kind.width_m.v() as f32).max(1.6).max(self.px * 7.0);
        let (at, d) = (self.at, self.d);
        let ink = tint(theme.map("ink0"), self.alpha);
        let wood = tint(theme.map("timber"), self.alpha);
        let shade = tint(theme.map("shadow"), 0.3 * self.alpha);
        canvas.bar([at[0] + wide * 0.2, at[1] - wide * 0.3], d, long * 0.8, wide, shade);
        canvas.bar(step(at, d, -long * 0.06, 0.0), d, long * 0.72, wide, ink);
        canvas.bar(step(at, d, -long * 0.06, 0.0), d, long * 0.68, wide * 0.8, wood);
        let light = tint(theme.map("timber_hi"), self.alpha);
        canvas.bar(at, d, long * 1.1, wide * 0.36, ink);
        canvas.bar(at, d, long * 1.06, wide * 0.22, light);
        canvas.bar(step(at, d, long * 0.54, 0.0), d, long * 0.12, wide * 0.5, ink);
        if !self.engine.works {
            self.cross(canvas, theme, wide * 0.7);
        }
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
        if self.engine.stand == Emplaced::Back {
            // Hollow: nothing of it is at the parapet.
            let pale = tint(theme.map("walk"), self.alpha);
            canvas.bar(at, d, long * 0.66, wide * 0.56, pale);
            return;
        }
        canvas.bar(step(at, d, -long * 0.1, 0.0), d, long * 0.5, wide * 0.6, wood);
        // The bow across the front, bent back at both ends.
        let (tip, mid) = (long * 0.24, long * 0.42);
        for side in [-1.0, 1.0] {
            let (a, b) = (step(at, d, mid, 0.0), step(at, d, tip, side * wide * 0.62));
            canvas.line(a, b, wide * 0.1, ink);
        }
        if self.loaded() && self.engine.works {
            let tip = if self.engine.depressed { 0.33 } else { 0.66 };
            for i in 0..4 {
                let y = (i as f32 - 1.5) * wide * 0.15;
                let (a, b) = (step(at, d, 0.0, y), step(at, d, long * tip, y));
                canvas.line(
                    a,
                    b,
                    (wide * 0.05).max(self.px * 0.7),
                    tint(theme.map("head_1"), self.alpha),
                );
            }
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
        let reach = if self.loaded() { -0.62 } else { 0.5 };
        let (a, b) = (step(at, d, -long * reach * 0.35, 0.0), step(at, d, long * reach, 0.0));
        canvas.line(a, b, wide * 0.14, ink);
        canvas.line(a, b, wide * 0.07, wood);
        if self.loaded() && self.engine.works {
            canvas.disc(b, wide * 0.14, 8, linear(theme.map("ink1")));
        }
    }
}
