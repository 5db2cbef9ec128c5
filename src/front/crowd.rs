//! Companies at three distances: a wash, blocks with dots, one mark per living
//! man; what flies between them, and who lies on the ground.

use std::f32::consts::TAU;

use crate::core::ids::{CompanyId, SideId, UnitId};
use crate::scenario::catalogue::{Catalogue, Shape};
use crate::scenario::site::Level;
use crate::view::frame::{Frame, Mark};
use crate::view::session::Session;
use crate::view::timeline::{Fallen, Flight};
use crate::view::{Cause, Mind};

use super::canvas::{Canvas, P, dir, far, hash, linear, mix, step, unit};
use super::land::{Land, tint};
use super::plates::{Slab, shield};
use super::theme::{Dash, Pigment, Theme};
use super::walk::Walk;

/// Most strokes drawn for one volley: more would be a blot.
const STREAKS: i32 = 9;

/// A company as it stands on the screen between two pulses.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Its mark at the earlier pulse.
    pub mark: Mark,
    /// Where, metres.
    pub at: P,
    /// Heading, radians.
    pub turn: f32,
    /// Its unit.
    pub unit: UnitId,
    /// Its side.
    pub side: SideId,
    /// The walk that it stands on, if it is not on the ground.
    pub walk: Option<Walk>,
}

impl Shown {
    /// Which way its plate lies: outward on a walk, where it is too narrow to turn.
    #[must_use]
    pub fn front(&self) -> P {
        self.walk.map_or([self.turn.cos(), self.turn.sin()], |w| w.out)
    }

    /// The middle of a plate so deep behind its front; on a walk it lies on the walk.
    fn middle(&self, deep: f32) -> P {
        let middle = step(self.at, self.front(), -deep / 2.0, 0.0);
        let Some(walk) = self.walk else { return middle };
        let room = (walk.half - deep / 2.0).max(0.0);
        let across = walk.across(middle);
        step(middle, walk.out, across.clamp(-room, room) - across, 0.0)
    }
}

/// How far one has come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Washes and banners.
    City,
    /// Companies as blocks.
    District,
    /// Single men.
    Street,
}

impl Distance {
    /// By metres a pixel.
    #[must_use]
    pub fn of(theme: &Theme, px: f32) -> Self {
        let (city, street) = theme.distances();
        if px > city {
            Self::City
        } else if px < street {
            Self::Street
        } else {
            Self::District
        }
    }
}

/// The companies that a side may see, between two frames.
pub fn between(
    session: &Session,
    land: Land,
    cursor: f64,
    watcher: Option<SideId>,
    out: &mut Vec<Shown>,
) {
    out.clear();
    let first = cursor.floor().max(0.0) as u32;
    let part = (cursor - f64::from(first)) as f32;
    let (a, b) = (session.frame(first), session.frame(first + 1));
    let mut next = 0;
    for mark in &a.marks {
        if let Some(side) = watcher
            && mark.seen >> side.0 & 1 == 0
        {
            continue;
        }
        while next < b.marks.len() && b.marks[next].company < mark.company {
            next += 1;
        }
        let to = b.marks.get(next).filter(|m| m.company == mark.company).unwrap_or(mark);
        let (from, goal) = (land.m(mark.at), land.m(to.at));
        let angle = |h: u8| f32::from(h) / 256.0 * TAU;
        let mut swing = angle(to.heading) - angle(mark.heading);
        if swing > TAU / 2.0 {
            swing -= TAU;
        } else if swing < -TAU / 2.0 {
            swing += TAU;
        }
        let at = mix(from, goal, part);
        let walk = (mark.level() == Level::Rampart)
            .then(|| Walk::under(session.scenario(), land, mark.at, at))
            .flatten();
        out.push(Shown {
            mark: *mark,
            at,
            walk,
            turn: angle(mark.heading) + swing * part,
            unit: session.unit_of(mark.company),
            side: session.side_of(mark.company),
        });
    }
}

/// How a company's men stand: files, and metres a man in front and depth.
#[must_use]
pub fn stand(rules: &Catalogue, mark: &Mark, men: u16) -> (u16, f32, f32) {
    let kind = rules.shape(mark.shape);
    let (front, depth) = if mark.mounted() {
        (kind.horse_front_m.v() as f32, kind.horse_depth_m.v() as f32)
    } else {
        (kind.front_m.v() as f32, kind.depth_m.v() as f32)
    };
    let ranks = match mark.shape {
        Shape::Column => (men / if mark.mounted() { 3 } else { 5 }).max(1),
        Shape::Line | Shape::Loose => {
            if mark.mounted() {
                3
            } else {
                5
            }
        }
        Shape::Close | Shape::Roof | Shape::Round | Shape::Wedge | Shape::Crowd => {
            (f32::from(men).sqrt() * 0.9).max(1.0) as u16
        }
    };
    (men.div_ceil(ranks.max(1)).max(1), front.max(0.5), depth.max(0.5))
}

/// Where man `i` of a company stands.
fn man(shown: &Shown, files: u16, front: f32, depth: f32, i: u16) -> P {
    let d = shown.front();
    let key = hash(u32::from(shown.mark.company.0), u32::from(i));
    let loose = match shown.mark.mind {
        Mind::Broken | Mind::Yielded => 1.0,
        _ if shown.mark.shape == Shape::Crowd => 0.7,
        _ if shown.mark.shape == Shape::Roof => 0.05,
        _ if shown.mark.fights() => 0.45,
        _ => 0.16,
    };
    let (file, rank) = (i % files, i / files);
    let x = (f32::from(file) - f32::from(files - 1) / 2.0) * front;
    let y = -(f32::from(rank) + 0.5) * depth;
    let (jx, jy) = ((unit(key, 1) - 0.5) * 2.0 * loose, (unit(key, 2) - 0.5) * 2.0 * loose);
    let wide = if shown.mark.mind == Mind::Broken { 3.0 } else { 1.0 };
    let at = step(shown.at, d, y + jy * depth * wide, x + jx * front * wide);
    shown.walk.map_or(at, |walk| walk.keep(at))
}

/// Draws a company of men or its block.
#[allow(clippy::too_many_arguments, reason = "a brush needs its paint and its place")]
pub fn company(
    canvas: &mut Canvas,
    theme: &Theme,
    rules: &Catalogue,
    pigment: &Pigment,
    shown: &Shown,
    distance: Distance,
    alpha: f32,
    px: f32,
    chosen: bool,
    weapon: Weapon,
) {
    let men = shown.mark.men.max(1);
    let (files, front, depth) = stand(rules, &shown.mark, men);
    let ranks = men.div_ceil(files);
    let (wide, deep) = (f32::from(files) * front, f32::from(ranks) * depth);
    let d = shown.front();
    let gold = linear(theme.map("select"));
    match distance {
        Distance::City => {
            let share = f32::from(men) / 50.0;
            let inner = tint(pigment.fill, 0.30 * alpha * (0.4 + share));
            canvas.glow(shown.at, 34.0, 26.0, 10, inner, tint(pigment.fill, 0.0));
            if chosen {
                canvas.ring(shown.at, 22.0, px * 1.2, 10, tint(theme.map("select"), 0.5));
            }
        }
        Distance::District => {
            let most = shown.walk.map_or(f32::MAX, |walk| walk.half * 2.0);
            let (w, h) = (wide.max(px * 5.0), deep.min(most).max(px * 4.0));
            let middle = shown.middle(h);
            let broken = matches!(shown.mark.mind, Mind::Broken | Mind::Yielded);
            if chosen {
                canvas.bar(middle, d, h + px * 4.0, w + px * 4.0, gold);
            }
            let strong = if px > 1.0 { 0.9 } else { 0.55 };
            let share = if px > 1.0 { pigment.fill } else { pigment.light };
            let slab = Slab { at: middle, d, deep: h, wide: w };
            let roofed = shown.mark.shape == Shape::Roof && !broken;
            if roofed {
                slab.roof(canvas, theme, pigment, px, alpha);
            } else if shown.mark.shape == Shape::Loose && !broken {
                slab.loose(canvas, pigment, px, alpha);
            } else {
                let strong = strong * alpha * if broken { 0.5 } else { 1.0 };
                canvas.bar(middle, d, h, w, tint(share, strong));
            }
            if !roofed && (px <= 1.0 || shown.mark.shape == Shape::Loose) {
                let dot = (0.6_f32).max(px * 1.7);
                let body = tint(pigment.dark, alpha);
                for i in 0..men.min(50) {
                    canvas.bar(man(shown, files, front, depth, i), d, dot, dot, body);
                }
            }
            // The side's line under the company's feet; a broken one has none.
            if !broken {
                let h = h / 2.0;
                let (a, b) = (step(middle, d, -h, -w / 2.0), step(middle, d, -h, w / 2.0));
                baseline(canvas, pigment, a, b, px, alpha);
            }
        }
        Distance::Street => {
            if chosen {
                let deep = shown.walk.map_or(deep, |walk| deep.min(walk.half * 2.0));
                let middle = shown.middle(deep);
                canvas.bar(middle, d, deep + 2.2, wide + 2.2, tint(theme.map("select"), 0.30));
            }
            let (body, head) = (tint(pigment.fill, alpha), tint(pigment.head, alpha));
            let ink = tint(theme.map("ink0"), 0.85 * alpha);
            let shade = tint(theme.map("shadow"), 0.3 * alpha);
            for i in 0..men {
                let at = man(shown, files, front, depth, i);
                let key = hash(u32::from(shown.mark.company.0) + 31, u32::from(i));
                let lean = (unit(key, 4) - 0.5) * 0.35;
                let own =
                    if shown.mark.mind == Mind::Broken { (unit(key, 5) - 0.5) * 0.9 } else { lean };
                let a = shown.turn + own;
                let f = [a.cos(), a.sin()];
                if shown.mark.mounted() {
                    let long = (2.3_f32).max(px * 5.4);
                    let broad = (0.8_f32).max(px * 2.4);
                    canvas.bar([at[0] + px, at[1] - px * 1.2], f, long, broad, shade);
                    canvas.bar(at, f, long, broad, tint(theme.horse(key), alpha));
                    canvas.bar(
                        step(at, f, long * 0.6, 0.0),
                        f,
                        long * 0.32,
                        broad * 0.55,
                        tint(theme.horse(key), alpha),
                    );
                    let rider = broad * 1.05;
                    canvas.bar(step(at, f, -long * 0.05, 0.0), f, rider * 0.8, rider * 1.15, ink);
                    canvas.bar(step(at, f, -long * 0.05, 0.0), f, rider * 0.65, rider, body);
                    canvas.bar(at, f, rider * 0.4, rider * 0.4, head);
                    if px < 0.35 && weapon != Weapon::Bow {
                        let (p, q) = (step(at, f, -0.8, -0.7), step(at, f, 3.4, -0.7));
                        canvas.line(p, q, (0.09_f32).max(px * 0.8), ink);
                    }
                } else {
                    let size = (0.62_f32).max(px * 2.6);
                    canvas.bar(
                        [at[0] + size * 0.3, at[1] - size * 0.4],
                        f,
                        size * 0.7,
                        size,
                        shade,
                    );
                    canvas.bar(at, f, size * 0.72, size * 1.12, ink);
                    canvas.bar(at, f, size * 0.56, size, body);
                    canvas.bar(at, f, size * 0.42, size * 0.42, head);
                    if shown.mark.shape == Shape::Roof && shown.mark.mind == Mind::Steady {
                        let (deep, wide) = (size.max(depth * 0.9), size.max(front * 0.95));
                        let slab = Slab { at: step(at, f, size * 0.2, 0.0), d, deep, wide };
                        shield(canvas, theme, pigment, slab, px, alpha);
                    } else if px < 0.35 {
                        arm(canvas, at, f, weapon, px, ink, tint(theme.map("timber_hi"), alpha));
                    }
                }
            }
            if px > 0.2 && shown.walk.is_none() {
                let (a, b) = (
                    step(shown.at, d, -deep - 0.6, -wide / 2.0),
                    step(shown.at, d, -deep - 0.6, wide / 2.0),
                );
                if !matches!(shown.mark.mind, Mind::Broken | Mind::Yielded) {
                    baseline(canvas, pigment, a, b, px, alpha * 0.8);
                }
            }
        }
    }
}

/// What a man holds, for its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weapon {
    /// Spear, lance or halberd.
    Pole,
    /// Sword, with or without a shield.
    Sword,
    /// Bow or crossbow.
    Bow,
}

fn arm(canvas: &mut Canvas, at: P, f: P, weapon: Weapon, px: f32, ink: [f32; 4], wood: [f32; 4]) {
    let thin = (0.08_f32).max(px * 0.8);
    match weapon {
        Weapon::Pole => canvas.line(step(at, f, -0.4, -0.45), step(at, f, 1.9, -0.45), thin, ink),
        Weapon::Sword => canvas.line(step(at, f, 0.1, -0.45), step(at, f, 0.95, -0.45), thin, ink),
        Weapon::Bow => {
            let (a, m, b) =
                (step(at, f, 0.35, 0.7), step(at, f, 0.75, 0.0), step(at, f, 0.35, -0.7));
            canvas.line(a, m, thin, wood);
            canvas.line(m, b, thin, wood);
        }
    }
}

fn baseline(canvas: &mut Canvas, pigment: &Pigment, a: P, b: P, px: f32, alpha: f32) {
    let c = tint(pigment.dark, alpha);
    let w = px * 1.8;
    match pigment.line {
        Dash::Solid => canvas.line(a, b, w, c),
        Dash::Dashed => canvas.dashes(&[a, b], px * 4.0, px * 2.5, w, c),
        Dash::Dotted => canvas.dashes(&[a, b], px * 1.8, px * 2.2, w, c),
        Dash::Double => {
            canvas.line(a, b, w * 0.6, c);
            let d = dir(a, b);
            canvas.line(step(a, d, 0.0, -w * 1.3), step(b, d, 0.0, -w * 1.3), w * 0.6, c);
        }
    }
}

/// Volleys of a pulse at a part of it, 0 to 1.
pub fn flights(
    canvas: &mut Canvas,
    theme: &Theme,
    land: Land,
    flights: &[Flight],
    part: f32,
    px: f32,
    low: P,
    high: P,
) {
    for (n, flight) in flights.iter().enumerate() {
        let (a, b) = (land.m(flight.from), land.m(flight.to));
        let box_out = (0..2).any(|k| a[k].max(b[k]) < low[k] || a[k].min(b[k]) > high[k]);
        if box_out {
            continue;
        }
        let long = far(a, b).max(1.0);
        let d = dir(a, b);
        let count = (flight.missiles / 6 + 1).min(STREAKS);
        for i in 0..count {
            let key = hash(n as u32 * 131 + flight.pulse, i as u32);
            let t = (part * 1.15 + unit(key, 1) * 0.5 - 0.25).rem_euclid(1.0);
            let spread = (unit(key, 2) - 0.5) * 14.0;
            let lift = (t * (1.0 - t))
                * 4.0
                * long
                * if flight.look == Cause::Stone { 0.16 } else { 0.07 };
            let ground = step(mix(a, b, t), d, 0.0, spread * (0.3 + t * 0.7));
            let at = [ground[0], ground[1] + lift];
            match flight.look {
                Cause::Stone => {
                    canvas.disc(ground, (0.8_f32).max(px * 1.4), 8, tint(theme.map("shadow"), 0.3));
                    canvas.disc(at, (0.9_f32).max(px * 2.2), 8, linear(theme.map("ink1")));
                }
                Cause::Bolt => {
                    canvas.bar(
                        at,
                        d,
                        (4.0_f32).max(px * 8.0),
                        (0.25_f32).max(px * 1.3),
                        tint(theme.map("ink0"), 0.9),
                    );
                }
                _ => canvas.bar(
                    at,
                    d,
                    (2.2_f32).max(px * 5.0),
                    (0.1_f32).max(px * 0.8),
                    tint(theme.map("ink0"), 0.7),
                ),
            }
        }
    }
}

/// Those who lie there: ink-edged strokes, and a stain.
pub fn fallen(
    canvas: &mut Canvas,
    theme: &Theme,
    land: Land,
    fallen: &[Fallen],
    pigments: &[Pigment],
    mounted: impl Fn(CompanyId) -> bool,
    px: f32,
) {
    if px > 3.0 {
        return;
    }
    let (blood, dry) = (tint(theme.map("blood"), 0.35), tint(theme.map("blood"), 0.0));
    let ink = tint(theme.map("ink0"), 0.75);
    let horses: Vec<[f32; 4]> = (0..4).map(|i| tint(theme.horse(i), 0.9)).collect();
    let paints: Vec<[f32; 4]> = pigments.iter().map(|p| tint(p.fill, 0.9)).collect();
    for one in fallen {
        let at = land.m(one.at);
        let Some(paint) = paints.get(one.side.index()) else { continue };
        let horse = mounted(one.company);
        for i in 0..one.men.min(8) as u32 {
            let key = hash(one.pulse * 977 + u32::from(one.company.0), i);
            let p = [at[0] + (unit(key, 1) - 0.5) * 16.0, at[1] + (unit(key, 2) - 0.5) * 14.0];
            let a = unit(key, 3) * TAU;
            let f = [a.cos(), a.sin()];
            let long = if horse { (2.2_f32).max(px * 3.6) } else { (1.5_f32).max(px * 2.6) };
            if px < 0.5 {
                canvas.glow(p, long * 0.9, long * 0.7, 8, blood, dry);
            }
            canvas.bar(p, f, long, long * 0.36, ink);
            if px < 0.8 {
                let on_horse = horse && key.is_multiple_of(2);
                let paint = if on_horse { horses[key as usize % 4] } else { *paint };
                canvas.bar(p, f, long * 0.8, long * 0.22, paint);
            }
        }
    }
}

/// Men per square metre in a cell of so many metres, for the density layer.
pub fn density(
    canvas: &mut Canvas,
    shown: &[Shown],
    level: Level,
    low: P,
    high: P,
) -> Vec<(P, f32)> {
    let cell = 10.0_f32;
    let mut cells: std::collections::BTreeMap<(i32, i32), f32> = std::collections::BTreeMap::new();
    for one in shown {
        if one.mark.level() != level
            || one.at[0] < low[0]
            || one.at[0] > high[0]
            || one.at[1] < low[1]
            || one.at[1] > high[1]
        {
            continue;
        }
        // A rider weighs as the four men whose room he takes.
        let weight = if one.mark.mounted() { 4.0 } else { 1.0 };
        *cells.entry(((one.at[0] / cell) as i32, (one.at[1] / cell) as i32)).or_default() +=
            f32::from(one.mark.men) * weight;
    }
    let plum = [
        (1.0, 0x8A, 0x4A, 0x86, 0.24),
        (2.5, 0xA8, 0x47, 0x9A, 0.40),
        (3.5, 0xCC, 0x55, 0xA6, 0.50),
        (5.0, 0xF0, 0x7C, 0xBE, 0.56),
    ];
    let mut peaks = Vec::new();
    for ((x, y), men) in cells {
        let per = men / (cell * cell);
        let Some(stage) = plum.iter().rev().find(|s| per >= s.0) else { continue };
        let at = [(x as f32 + 0.5) * cell, (y as f32 + 0.5) * cell];
        let c = tint(bevy_egui::egui::Color32::from_rgb(stage.1, stage.2, stage.3), stage.4);
        canvas.bar(at, [1.0, 0.0], cell, cell, c);
        if per >= 3.5 {
            peaks.push((at, per));
        }
    }
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    peaks.truncate(3);
    peaks
}

/// Losses of each side up to a frame.
#[must_use]
pub fn lost(frame: &Frame, side: SideId) -> i32 {
    frame.sides.get(side.index()).map_or(0, |s| s.lost)
}
