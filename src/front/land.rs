//! The ground and the works: silk and ink wash under ruled lines.

use bevy::asset::RenderAssetUsages;
use bevy::image::Image;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_egui::egui::Color32;

use crate::core::measure::PointCm;
use crate::scenario::site::{DrawnForm, Level, Site, WorkForm};

use super::canvas::{Canvas, P, dir, far, hash, linear, mix, step, unit};
use super::theme::{Theme, fade};

/// Side of the ground's picture in pixels.
const PICTURE: u32 = 1024;

/// Where the map lies: its corner in map centimetres and its size in metres.
#[derive(Clone, Copy, Debug)]
pub struct Land {
    /// South-west corner.
    pub origin: PointCm,
    /// Metres east.
    pub width: f32,
    /// Metres north.
    pub height: f32,
}

impl Land {
    /// The land of a site.
    #[must_use]
    pub fn of(site: &Site) -> Self {
        let cell = site.cell_cm as f32 / 100.0;
        Self {
            origin: site.origin,
            width: site.columns as f32 * cell,
            height: site.rows as f32 * cell,
        }
    }

    /// A map point in metres from the corner.
    #[must_use]
    pub fn m(&self, p: PointCm) -> P {
        [(p.x - self.origin.x) as f32 / 100.0, (p.y - self.origin.y) as f32 / 100.0]
    }

    /// The map point under metres from the corner.
    #[must_use]
    pub fn point(&self, p: P) -> PointCm {
        PointCm {
            x: self.origin.x + (p[0] * 100.0) as i32,
            y: self.origin.y + (p[1] * 100.0) as i32,
        }
    }
}

fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (xi, yi) = (x.floor(), y.floor());
    let (fx, fy) = (x - xi, y - yi);
    let s = |t: f32| t * t * (3.0 - 2.0 * t);
    let at = |dx: i32, dy: i32| unit(hash((xi as i32 + dx) as u32, seed), (yi as i32 + dy) as u32);
    let (u, v) = (s(fx), s(fy));
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    low + (high - low) * v
}

/// Painted silk: washes of ink without edges, and the weave.
#[must_use]
pub fn silk(theme: &Theme, land: Land) -> Image {
    let names = ["silk", "silk_hi", "silk_lo", "earth"];
    let tone = names.map(|n| {
        let c = theme.map(n);
        [f32::from(c.r()), f32::from(c.g()), f32::from(c.b())]
    });
    let (w, h) = (PICTURE, (PICTURE as f32 * land.height / land.width).clamp(256.0, 2048.0) as u32);
    let metre = land.width / w as f32;
    let mut data = Vec::with_capacity((w * h * 4) as usize);
    for y in 0..h {
        for x in 0..w {
            let (mx, my) = (x as f32 * metre, y as f32 * metre);
            let broad =
                noise(mx / 420.0, my / 260.0, 1) * 0.6 + noise(mx / 130.0, my / 90.0, 2) * 0.4;
            let pale = (noise(mx / 300.0, my / 170.0, 3) - 0.45).max(0.0) * 1.5;
            let dark = (noise(mx / 260.0, my / 200.0, 4) - 0.52).max(0.0) * 1.7;
            let thread = noise(mx / 55.0, y as f32 / 1.3, 5) * 0.6
                + noise(mx / 12.0, y as f32 / 0.9, 6) * 0.4
                - 0.5;
            let [plain, hi, lo, earth] = tone;
            for (((base, hi), lo), earth) in plain.into_iter().zip(hi).zip(lo).zip(earth) {
                let mut v = base;
                v += (earth - v) * (broad - 0.35).clamp(0.0, 0.5);
                v += (hi - v) * pale.min(0.8);
                v += (lo - v) * dark.min(0.7);
                v *= 1.0 + thread * 0.055;
                data.push(v.clamp(0.0, 255.0) as u8);
            }
            data.push(255);
        }
    }
    Image::new(
        Extent3d { width: w, height: h, depth_or_array_layers: 1 },
        TextureDimension::D2,
        data,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    )
}

fn soft(theme: &Theme, name: &str, alpha: f32) -> [f32; 4] {
    let mut c = linear(theme.map(name));
    c[3] *= alpha;
    c
}

/// A tiled roof from above: shadow, two slopes, ridge and eave.
fn roof(canvas: &mut Canvas, theme: &Theme, x: f32, y: f32, w: f32, h: f32, px: f32) {
    let c = |name: &str, a: f32| soft(theme, name, a);
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    canvas.quad(rect(x + 1.2, y - 1.4, x + w + 1.2, y + h - 1.4), c("shadow", 0.28));
    let (lit, dark) = (c("roof", 1.0), c("roof_lo", 1.0));
    let (ridge, edge) = (c("silk_hi", 0.7), c("ink0", 0.8));
    if w >= h {
        canvas.quad(rect(x, y + h / 2.0, x + w, y + h), lit);
        canvas.quad(rect(x, y, x + w, y + h / 2.0), dark);
        canvas.line([x - 0.3, y + h / 2.0], [x + w + 0.3, y + h / 2.0], (0.5_f32).max(px), ridge);
    } else {
        canvas.quad(rect(x, y, x + w / 2.0, y + h), lit);
        canvas.quad(rect(x + w / 2.0, y, x + w, y + h), dark);
        canvas.line([x + w / 2.0, y - 0.3], [x + w / 2.0, y + h + 0.3], (0.5_f32).max(px), ridge);
    }
    if px < 1.2 {
        canvas.path(&rect(x, y, x + w, y + h), true, (0.3_f32).max(px * 0.8), edge);
    }
}

/// A tree as a handful of brush dabs.
fn tree(canvas: &mut Canvas, theme: &Theme, at: P, r: f32, key: u32) {
    canvas.glow(
        [at[0] + r * 0.3, at[1] - r * 0.4],
        r,
        r * 0.8,
        10,
        soft(theme, "shadow", 0.25),
        soft(theme, "shadow", 0.0),
    );
    for i in 0..14 {
        let a = unit(key, i) * std::f32::consts::TAU;
        let q = r * unit(key, i + 50).sqrt() * 0.9;
        let p = [at[0] + a.cos() * q, at[1] + a.sin() * q * 0.85];
        let name = if i % 3 == 0 { "ink1" } else { "grass" };
        canvas.disc(p, r * 0.24, 6, soft(theme, name, if i % 3 == 0 { 0.7 } else { 1.0 }));
    }
}

fn inside(p: P, poly: &[P]) -> bool {
    let mut odd = false;
    let n = poly.len();
    for i in 0..n {
        let (a, b) = (poly[i], poly[(i + 1) % n]);
        if (a[1] > p[1]) != (b[1] > p[1])
            && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]
        {
            odd = !odd;
        }
    }
    odd
}

/// A walled ward: earth wall, courtyards of three or four roofs, trees.
fn ward(canvas: &mut Canvas, theme: &Theme, poly: &[P], px: f32) {
    canvas.fill(poly, soft(theme, "silk_lo", 0.6));
    let (mut lo, mut hi) = ([f32::MAX; 2], [f32::MIN; 2]);
    for p in poly {
        for k in 0..2 {
            lo[k] = lo[k].min(p[k]);
            hi[k] = hi[k].max(p[k]);
        }
    }
    let yard = 26.0;
    let (nx, ny) = (((hi[0] - lo[0] - 10.0) / yard) as i32, ((hi[1] - lo[1] - 10.0) / yard) as i32);
    for i in 0..nx.max(0) {
        for j in 0..ny.max(0) {
            // Every fourth row is a lane.
            if j % 5 == 4 || i % 7 == 6 {
                continue;
            }
            let (x, y) = (lo[0] + 6.0 + i as f32 * yard, lo[1] + 6.0 + j as f32 * yard);
            let all = [[x, y], [x + yard, y], [x, y + yard], [x + yard, y + yard]];
            if !all.iter().all(|p| inside(*p, poly)) {
                continue;
            }
            let key = hash(i as u32 * 7919 + poly.len() as u32, j as u32 + x as u32);
            let (w, h) = (yard - 4.0, yard - 4.0);
            if unit(key, 0) > 0.84 {
                if unit(key, 1) < 0.7 {
                    tree(canvas, theme, [x + w / 2.0, y + h / 2.0], 6.0, key);
                }
                continue;
            }
            let t = 7.0;
            roof(canvas, theme, x, y + h - t, w, t, px);
            if unit(key, 2) < 0.8 {
                roof(canvas, theme, x, y, t * 0.85, h - t - 1.5, px);
            }
            if unit(key, 3) < 0.65 {
                roof(canvas, theme, x + w - t * 0.85, y, t * 0.85, h - t - 1.5, px);
            }
            if unit(key, 4) < 0.25 && px < 2.0 {
                tree(canvas, theme, [x + w / 2.0, y + h * 0.3], 3.2, key);
            }
        }
    }
    canvas.path(poly, true, (3.4_f32).max(px * 1.6), soft(theme, "face_lo", 1.0));
    canvas.path(poly, true, (1.6_f32).max(px * 0.7), soft(theme, "walk", 1.0));
}

fn water(canvas: &mut Canvas, theme: &Theme, points: &[P], width: f32, px: f32) {
    let bank = soft(theme, "bank", 1.0);
    if width > 0.0 {
        canvas.path(points, false, width + 5.0, soft(theme, "bank", 0.35));
        canvas.path(points, false, width + px * 2.4, bank);
        canvas.path(points, false, width, soft(theme, "water", 1.0));
        for (s, pair) in points.windows(2).enumerate() {
            let long = far(pair[0], pair[1]);
            let d = dir(pair[0], pair[1]);
            for i in 0..(long / 9.0) as u32 {
                let key = hash(i, s as u32);
                let p = step(pair[0], d, unit(key, 1) * long, (unit(key, 2) - 0.5) * width * 0.8);
                canvas.bar(p, d, 5.0, (0.35_f32).max(px * 0.7), soft(theme, "wave", 0.6));
            }
        }
    } else {
        canvas.fill(points, soft(theme, "water", 1.0));
        canvas.path(points, true, px * 1.6, bank);
    }
}

/// A wall from above: shadow outward, dark face, pale walk, parapets and merlons.
fn wall(
    canvas: &mut Canvas,
    theme: &Theme,
    line: &[P],
    outward: P,
    thick: f32,
    walk: f32,
    alpha: f32,
    px: f32,
) {
    let c = |name: &str, a: f32| soft(theme, name, a);
    let shadow: Vec<P> = line
        .iter()
        .map(|p| [p[0] + outward[0] * 6.0 + 1.0, p[1] + outward[1] * 6.0 - 2.0])
        .collect();
    canvas.path(&shadow, false, thick + 6.0, c("shadow", 0.25));
    canvas.path(line, false, thick + px * 2.4, c("ink0", 1.0));
    canvas.path(line, false, thick, c("face_lo", 1.0));
    canvas.path(line, false, thick - 1.2, c("face", 1.0));
    canvas.path(line, false, walk, c("walk", 1.0));
    if alpha < 1.0 {
        canvas.path(line, false, walk, c("face", 1.0 - alpha));
    }
    for pair in line.windows(2) {
        let d = dir(pair[0], pair[1]);
        let long = far(pair[0], pair[1]);
        let left = if -d[1] * outward[0] + d[0] * outward[1] > 0.0 { 1.0 } else { -1.0 };
        let edge = |side: f32| (step(pair[0], d, 0.0, side), step(pair[1], d, 0.0, side));
        let (a, b) = edge(-left * walk / 2.0);
        canvas.line(a, b, (0.5_f32).max(px * 1.2), c("ink1", 0.9));
        let (a, b) = edge(left * walk / 2.0);
        canvas.line(a, b, (0.9_f32).max(px * 1.6), c("ink0", 1.0));
        if px < 1.6 {
            for i in 0..(long / 3.4) as u32 {
                let p = step(pair[0], d, i as f32 * 3.4 + 1.0, left * (walk / 2.0 + 0.2));
                canvas.bar(p, d, 1.9, 1.3, c("walk", 1.0));
                canvas.bar(step(p, d, 1.0, 0.0), d, 0.3, 1.3, c("ink0", 0.9));
            }
            // Paving of the walk.
            for i in 0..(long / 8.0) as u32 {
                let p = step(pair[0], d, i as f32 * 8.0, 0.0);
                canvas.line(
                    step(p, d, 0.0, -walk * 0.46),
                    step(p, d, 0.0, walk * 0.46),
                    (0.18_f32).max(px * 0.5),
                    c("ink2", 0.35),
                );
            }
        }
    }
}

/// Everything that stands still, in the present level. `px` is metres a pixel.
pub fn draw(canvas: &mut Canvas, site: &Site, land: Land, theme: &Theme, level: Level, px: f32) {
    let points = |list: &[PointCm]| -> Vec<P> { list.iter().map(|p| land.m(*p)).collect() };
    for drawn in &site.drawn {
        if let DrawnForm::Ground(kind) = drawn.form {
            let poly = points(&drawn.points);
            let kind = site_ground(kind.0);
            if drawn.width_cm > 0 {
                canvas.path(&poly, false, drawn.width_cm as f32 / 100.0, soft(theme, kind, 0.5));
            } else {
                canvas.fill(&poly, soft(theme, kind, 0.5));
                canvas.dashes(
                    &closed(&poly),
                    6.0,
                    5.0,
                    (0.5_f32).max(px * 0.8),
                    soft(theme, "ink2", 0.6),
                );
            }
        }
    }
    for drawn in site.drawn.iter().filter(|d| d.form == DrawnForm::Water) {
        water(canvas, theme, &points(&drawn.points), drawn.width_cm as f32 / 100.0, px);
    }
    for drawn in site.drawn.iter().filter(|d| d.form == DrawnForm::Street) {
        let (line, width) = (points(&drawn.points), drawn.width_cm as f32 / 100.0);
        if width > 0.0 {
            canvas.path(&line, false, width + px * 2.0, soft(theme, "ink2", 0.75));
            canvas.path(&line, false, width, soft(theme, "street", 1.0));
            for pair in line.windows(2) {
                let d = dir(pair[0], pair[1]);
                for rut in [-0.22, 0.2] {
                    let (a, b) =
                        (step(pair[0], d, 0.0, rut * width), step(pair[1], d, 0.0, rut * width));
                    canvas.line(a, b, (0.4_f32).max(px * 0.5), soft(theme, "ink3", 0.35));
                }
            }
        } else {
            canvas.fill(&line, soft(theme, "street", 1.0));
        }
    }
    for drawn in site.drawn.iter().filter(|d| d.form == DrawnForm::Ward) {
        ward(canvas, theme, &points(&drawn.points), px);
    }
    let rampart = level == Level::Rampart;
    for work in &site.works {
        match &work.form {
            WorkForm::Wall { line, thickness_cm, walk_cm, .. } => {
                let out = [work.outward.x as f32 / 1000.0, work.outward.y as f32 / 1000.0];
                let (thick, walk) = (*thickness_cm as f32 / 100.0, *walk_cm as f32 / 100.0);
                let alpha = if rampart { 1.0 } else { 0.75 };
                wall(canvas, theme, &points(line), out, thick, walk, alpha, px);
            }
            WorkForm::Ramp { portal } => {
                let portal = &site.portals[portal.index()];
                let (low, high) = (land.m(portal.outer_at), land.m(portal.inner_at));
                let width = portal.width_cm as f32 / 100.0;
                let d = dir(low, high);
                let long = far(low, high).max(1.0);
                canvas.line(low, high, width + px * 2.0, soft(theme, "ink0", 1.0));
                canvas.line(low, high, width, soft(theme, "walk", 1.0));
                let mut at = 0.0;
                while at < long {
                    let p = step(low, d, at, 0.0);
                    canvas.line(
                        step(p, d, 0.0, -width / 2.0),
                        step(p, d, 0.0, width / 2.0),
                        (0.25_f32).max(px * 0.6),
                        soft(theme, "ink1", 0.7),
                    );
                    // Treads tighten upwards.
                    at += 2.4 - 1.6 * at / long;
                }
                let tip = step(low, d, long * 0.62, 0.0);
                canvas.tri(
                    [step(tip, d, 2.2, 0.0), step(tip, d, 0.0, 1.3), step(tip, d, 0.0, -1.3)],
                    soft(theme, "ink0", 0.8),
                );
            }
            WorkForm::Bridge { line, width_cm } => {
                let (line, width) = (points(line), *width_cm as f32 / 100.0);
                canvas.path(&line, false, width + 1.6, soft(theme, "ink0", 1.0));
                canvas.path(&line, false, width, soft(theme, "timber_hi", 1.0));
                for pair in line.windows(2) {
                    let d = dir(pair[0], pair[1]);
                    for i in 0..far(pair[0], pair[1]) as u32 {
                        let p = step(pair[0], d, i as f32, 0.0);
                        canvas.line(
                            step(p, d, 0.0, -width / 2.0),
                            step(p, d, 0.0, width / 2.0),
                            0.2,
                            soft(theme, "timber", 0.8),
                        );
                    }
                }
            }
            WorkForm::Gate { .. } => {}
        }
    }
    // Features run on beyond the window of the battle: nothing of that is shown.
    let (w, h) = (land.width, land.height);
    let beyond = linear(theme.lacquer().well.0);
    let far = w.max(h) * 4.0;
    for [x0, y0, x1, y1] in
        [[-far, -far, 0.0, far], [w, -far, w + far, far], [0.0, -far, w, 0.0], [0.0, h, w, h + far]]
    {
        canvas.quad([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], beyond);
    }
    canvas.path(
        &[[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]],
        true,
        (2.0_f32).max(px * 2.0),
        soft(theme, "ink1", 1.0),
    );
}

const fn site_ground(kind: u8) -> &'static str {
    if kind == 0 { "earth" } else { "silk_lo" }
}

fn closed(poly: &[P]) -> Vec<P> {
    let mut out = poly.to_vec();
    out.extend(poly.first().copied());
    out
}

/// A gate: passages, leaves at their true gap, bar, dashed eaves of the lifted roof.
pub fn gate(
    canvas: &mut Canvas,
    site: &Site,
    land: Land,
    theme: &Theme,
    portal: usize,
    passages: i32,
    look: GateLook,
    px: f32,
) {
    let portal = &site.portals[portal];
    let (out, inn) = (land.m(portal.outer_at), land.m(portal.inner_at));
    let d = dir(inn, out);
    let mid = mix(inn, out, 0.5);
    let deep = far(inn, out).max(8.0);
    let n = passages.max(1);
    let clear = portal.width_cm as f32 / 100.0;
    let each = clear / n as f32;
    let pier = 2.6;
    let whole = clear + pier * (n + 1) as f32;
    canvas.bar(mid, d, deep + 2.0, whole + 2.0, soft(theme, "ink0", 1.0));
    canvas.bar(mid, d, deep + 1.0, whole + 1.0, soft(theme, "face", 1.0));
    let open = f32::from(look.gap) / 1000.0;
    for i in 0..n {
        let off = -whole / 2.0 + pier + each / 2.0 + i as f32 * (each + pier);
        let at = step(mid, d, 0.0, off);
        canvas.bar(at, d, deep + 3.0, each, soft(theme, "street", 1.0));
        for side in [-1.0_f32, 1.0] {
            let (a, b) = (
                step(at, d, -deep / 2.0 - 1.0, side * each / 2.0),
                step(at, d, deep / 2.0 + 1.0, side * each / 2.0),
            );
            canvas.line(a, b, (0.35_f32).max(px), soft(theme, "ink0", 1.0));
            // A leaf swings inwards from its post; shut, the two meet in the middle.
            let post = step(at, d, 0.0, side * each / 2.0);
            let angle = open * std::f32::consts::FRAC_PI_2;
            let long = each / 2.0 * if look.broken { 0.55 } else { 1.0 };
            let tip = step(post, d, -angle.sin() * long, -side * angle.cos() * long);
            canvas.line(post, tip, (1.1_f32).max(px * 2.6), soft(theme, "ink0", 1.0));
            canvas.line(post, tip, (0.7_f32).max(px * 1.6), soft(theme, "timber_hi", 1.0));
        }
        if look.barred {
            let (a, b) = (step(at, d, -0.9, -each * 0.46), step(at, d, -0.9, each * 0.46));
            canvas.line(a, b, (0.8_f32).max(px * 2.0), soft(theme, "timber", 1.0));
        }
    }
    let eaves: Vec<P> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
        .iter()
        .map(|(x, y)| step(mid, d, x * (deep / 2.0 + 3.0), y * (whole / 2.0 + 4.0)))
        .collect();
    canvas.fill(&eaves[..4], soft(theme, "roof", 0.16));
    canvas.dashes(&eaves, 2.6, 1.8, (0.4_f32).max(px), soft(theme, "ink0", 0.9));
    if look.jammed {
        let at = step(mid, d, deep / 2.0 + 4.0, whole / 2.0);
        canvas.disc(at, (2.2_f32).max(px * 4.0), 12, linear(theme.hazard().0));
    }
}

/// What is to be seen of a gate.
#[derive(Clone, Copy, Debug)]
pub struct GateLook {
    /// 0 shut to 1000 open.
    pub gap: u16,
    /// Whether the bar is in.
    pub barred: bool,
    /// Whether it is jammed.
    pub jammed: bool,
    /// Whether it is broken in.
    pub broken: bool,
}

/// Grass at one's feet: tufts in a window of the map, only near.
pub fn tufts(canvas: &mut Canvas, land: Land, theme: &Theme, low: P, high: P, px: f32) {
    if px > 0.9 {
        return;
    }
    let grid = 13.0;
    let colour = soft(theme, "ink2", 0.5 * (1.0 - px / 0.9).clamp(0.25, 1.0));
    let (x0, y0) = ((low[0].max(0.0) / grid) as i32, (low[1].max(0.0) / grid) as i32);
    let (x1, y1) =
        ((high[0].min(land.width) / grid) as i32, (high[1].min(land.height) / grid) as i32);
    for i in x0..x1 {
        for j in y0..y1 {
            let key = hash(i as u32 + 977, j as u32);
            if !key.is_multiple_of(3) {
                continue;
            }
            let at = [(i as f32 + unit(key, 1)) * grid, (j as f32 + unit(key, 2)) * grid];
            for blade in 0..3_u32 {
                let lean = (unit(key, blade + 3) - 0.5) * 1.2;
                let base = [at[0] + blade as f32 * 0.45, at[1]];
                canvas.line(
                    base,
                    [base[0] + lean, base[1] + 0.8 + unit(key, blade + 9)],
                    (0.12_f32).max(px * 0.6),
                    colour,
                );
            }
        }
    }
}

/// A colour for the mesh from one of egui's, weakened.
#[must_use]
pub fn tint(colour: Color32, alpha: f32) -> [f32; 4] {
    let mut c = linear(colour);
    c[3] *= alpha;
    c
}

/// Kept for plates that lie on both surfaces.
#[must_use]
pub fn pale(colour: Color32) -> Color32 {
    fade(colour, 0.5)
}
