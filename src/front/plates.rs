//! The plate of a company whose shape matters to what can hurt it: a roof of shields
//! is a hatched plate, or shield beside shield; loose order is an open, pale one.

use super::canvas::{Canvas, P, step};
use super::land::tint;
use super::theme::{Pigment, Theme};

/// A plate on the ground: its middle, which way it faces, its depth and its breadth.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    /// Middle.
    pub at: P,
    /// Direction that it faces.
    pub d: P,
    /// Metres from front to back.
    pub deep: f32,
    /// Metres along the front.
    pub wide: f32,
}

impl Slab {
    fn corner(self, along: f32, left: f32) -> P {
        step(self.at, self.d, along * self.deep / 2.0, left * self.wide / 2.0)
    }

    /// A roof of shields from afar: a solid plate, hatched, with an edge of ink.
    pub fn roof(self, canvas: &mut Canvas, theme: &Theme, pigment: &Pigment, px: f32, alpha: f32) {
        canvas.bar(self.at, self.d, self.deep, self.wide, tint(pigment.fill, alpha));
        let line = tint(pigment.light, 0.85 * alpha);
        // Slanting lines, cut to the plate.
        let apart = (1.6_f32).max(px * 4.0);
        let slant = self.deep;
        let mut x = -self.wide / 2.0 - slant + apart / 2.0;
        while x < self.wide / 2.0 {
            let from = x.max(-self.wide / 2.0);
            let to = (x + slant).min(self.wide / 2.0);
            if to > from {
                let a = step(self.at, self.d, from - x - self.deep / 2.0, from);
                let b = step(self.at, self.d, to - x - self.deep / 2.0, to);
                canvas.line(a, b, (0.16_f32).max(px * 0.8), line);
            }
            x += apart;
        }
        let edge: Vec<P> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .into_iter()
            .map(|(a, b)| self.corner(a, b))
            .collect();
        canvas.path(&edge, true, (0.3_f32).max(px * 1.3), tint(theme.map("ink0"), alpha));
    }

    /// Loose order from afar: a pale plate with a broken edge.
    pub fn loose(self, canvas: &mut Canvas, pigment: &Pigment, px: f32, alpha: f32) {
        canvas.bar(self.at, self.d, self.deep, self.wide, tint(pigment.light, 0.22 * alpha));
        let edge: Vec<P> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .into_iter()
            .map(|(a, b)| self.corner(a, b))
            .collect();
        canvas.dashes(&edge, px * 3.0, px * 3.0, px * 1.0, tint(pigment.dark, 0.8 * alpha));
    }
}

/// One shield of a roof over its man.
pub fn shield(
    canvas: &mut Canvas,
    theme: &Theme,
    pigment: &Pigment,
    slab: Slab,
    px: f32,
    alpha: f32,
) {
    let Slab { at, d, deep, wide } = slab;
    canvas.bar(at, d, deep, wide, tint(theme.map("ink0"), alpha));
    let inset = (0.16_f32).max(px * 0.9);
    let inner = ((deep - inset).max(deep * 0.4), (wide - inset).max(wide * 0.4));
    canvas.bar(at, d, inner.0, inner.1, tint(pigment.fill, alpha));
    let (a, b) = (step(at, d, -inner.0 / 2.0, 0.0), step(at, d, inner.0 / 2.0, 0.0));
    canvas.line(a, b, (0.1_f32).max(px * 0.7), tint(pigment.light, 0.8 * alpha));
}
