//! The map of a battle as a picture, drawn on the processor: silk, water, streets,
//! blocks, walls and gates, and the companies as they stand. No GPU, no fonts.
//!
//! Drawn at twice the size and averaged, so that edges are soft.

use std::io::Write;

use crate::core::dice::mix;
use crate::core::measure::PointCm;
use crate::scenario::battle::Light;
use crate::scenario::site::{DrawnForm, Level, Site, WorkForm};

/// A colour, red, green, blue.
type Rgb = [u8; 3];

/// Pigments of the land and works at one light.
struct Palette {
    silk: Rgb,
    earth: Rgb,
    street: Rgb,
    water: Rgb,
    bank: Rgb,
    roof: Rgb,
    roof_edge: Rgb,
    walk: Rgb,
    face: Rgb,
    timber: Rgb,
    ink: Rgb,
}

const DAY: Palette = Palette {
    silk: [0xE4, 0xD5, 0xAE],
    earth: [0xCD, 0xB6, 0x84],
    street: [0xDC, 0xCB, 0xA0],
    water: [0x8D, 0xAF, 0xAA],
    bank: [0x3D, 0x68, 0x6C],
    roof: [0x77, 0x72, 0x6A],
    roof_edge: [0x55, 0x51, 0x4A],
    walk: [0xDD, 0xD0, 0xAE],
    face: [0x5E, 0x52, 0x3E],
    timber: [0x7A, 0x55, 0x34],
    ink: [0x1A, 0x17, 0x13],
};

const NIGHT: Palette = Palette {
    silk: [0x1A, 0x21, 0x2A],
    earth: [0x21, 0x23, 0x29],
    street: [0x2A, 0x2A, 0x28],
    water: [0x0F, 0x2A, 0x33],
    bank: [0x6F, 0x98, 0xA2],
    roof: [0x2C, 0x33, 0x3B],
    roof_edge: [0x1D, 0x23, 0x29],
    walk: [0x4C, 0x51, 0x52],
    face: [0x15, 0x19, 0x1D],
    timber: [0x5A, 0x45, 0x2F],
    ink: [0x05, 0x07, 0x0A],
};

/// Pigment of each side's slot, 1 to 4.
const SIDES: [Rgb; 4] =
    [[0x1D, 0x5B, 0x8F], [0xB5, 0x34, 0x1F], [0x2F, 0x7D, 0x5B], [0x6A, 0x4A, 0x8C]];
/// Heads of the men of slot 1, so that sides differ without colour.
const PALE: Rgb = [0xF3, 0xE6, 0xC4];
/// Samples along each edge of a pixel.
const FINE: u32 = 2;
/// Most pixels of a picture; more is refused.
pub const MOST_PIXELS: u64 = 16_000_000;

/// A company as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Middle of its front.
    pub at: PointCm,
    /// Heading in thousandths.
    pub heading: PointCm,
    /// Breadth and depth in centimetres.
    pub size_cm: (i32, i32),
    /// Pigment slot of its side, 1 to 4.
    pub slot: u8,
    /// Where it stands.
    pub level: Level,
}

/// A finished picture, three bytes a pixel, top row first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green, blue.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Writes it as PNG.
    ///
    /// # Errors
    /// What the encoder or `out` reports.
    pub fn write_png(&self, out: impl Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.pixels)
    }
}

/// Draws a battle's map with its companies. `level` is the one drawn fully; men on
/// the other are left out. None if the picture would exceed [`MOST_PIXELS`].
#[must_use]
pub fn map(
    site: &Site,
    light: Light,
    level: Level,
    marks: &[Mark],
    pixels_per_cell: u32,
) -> Option<Picture> {
    let width = site.columns.checked_mul(pixels_per_cell)?;
    let height = site.rows.checked_mul(pixels_per_cell)?;
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > MOST_PIXELS {
        return None;
    }
    let palette = if light == Light::Night { &NIGHT } else { &DAY };
    let mut sheet = Sheet::new(site, width * FINE, height * FINE, pixels_per_cell * FINE, palette);
    sheet.land(site);
    sheet.works(site, level);
    for mark in marks.iter().filter(|m| m.level == level) {
        sheet.company(mark);
    }
    Some(sheet.average())
}

/// The fine picture being drawn.
struct Sheet<'a> {
    width: u32,
    height: u32,
    origin: PointCm,
    /// Fine pixels for each centimetre.
    scale: f64,
    pixels: Vec<Rgb>,
    palette: &'a Palette,
}

impl<'a> Sheet<'a> {
    fn new(site: &Site, width: u32, height: u32, per_cell: u32, palette: &'a Palette) -> Self {
        let mut pixels = vec![palette.silk; (width * height) as usize];
        // Threads of silk: a faint grain, the same on every run.
        for (i, p) in pixels.iter_mut().enumerate() {
            let (x, y) = (i as u32 % width, i as u32 / width);
            let thread = (mix(u64::from(y)) % 3) as i16 + (mix(u64::from(x) << 32) % 3) as i16 - 2;
            *p = p.map(|c| (i16::from(c) + thread * 2).clamp(0, 255) as u8);
        }
        let scale = f64::from(per_cell) / f64::from(site.cell_cm);
        Self { width, height, origin: site.origin, scale, pixels, palette }
    }

    fn at(&self, p: PointCm) -> (f64, f64) {
        (
            f64::from(p.x - self.origin.x) * self.scale,
            f64::from(self.height) - f64::from(p.y - self.origin.y) * self.scale,
        )
    }

    fn land(&mut self, site: &Site) {
        for drawn in &site.drawn {
            let (fill, edge) = match drawn.form {
                DrawnForm::Ground(_) => (self.palette.earth, None),
                DrawnForm::Street => (self.palette.street, None),
                DrawnForm::Ward => (self.palette.roof, Some(self.palette.roof_edge)),
                DrawnForm::Water => (self.palette.water, Some(self.palette.bank)),
                DrawnForm::Bridge => (self.palette.timber, Some(self.palette.ink)),
            };
            if drawn.width_cm > 0 {
                if let Some(edge) = edge {
                    self.band(&drawn.points, f64::from(drawn.width_cm) * self.scale + 2.0, edge);
                }
                self.band(&drawn.points, f64::from(drawn.width_cm) * self.scale, fill);
            } else {
                let corners: Vec<(f64, f64)> = drawn.points.iter().map(|p| self.at(*p)).collect();
                self.polygon(&corners, fill);
                if let Some(edge) = edge {
                    self.outline(&corners, edge);
                }
            }
        }
    }

    fn works(&mut self, site: &Site, level: Level) {
        for work in &site.works {
            match &work.form {
                WorkForm::Wall { line, thickness_cm, walk_cm, .. } => {
                    let thick = (f64::from(*thickness_cm) * self.scale).max(3.0);
                    self.band(line, thick + 2.0, self.palette.ink);
                    self.band(line, thick, self.palette.face);
                    let walk = (f64::from(*walk_cm) * self.scale).clamp(1.0, thick);
                    let tone = if level == Level::Rampart { PALE } else { self.palette.walk };
                    self.band(line, walk, tone);
                }
                WorkForm::Bridge { line, width_cm } => {
                    self.band(line, f64::from(*width_cm) * self.scale + 2.0, self.palette.ink);
                    self.band(line, f64::from(*width_cm) * self.scale, self.palette.timber);
                }
                WorkForm::Gate { .. } | WorkForm::Ramp { .. } => {}
            }
        }
        // Passages lie over the walls that they go through.
        for portal in &site.portals[..site.passages] {
            let (paint, extra) =
                if portal.leaves { (self.palette.street, 6.0) } else { (self.palette.timber, 2.0) };
            let wide = (f64::from(portal.width_cm) * self.scale).max(3.0);
            let ends = [portal.outer_at, portal.inner_at];
            self.band(&ends, wide + extra, self.palette.ink);
            self.band(&ends, wide, paint);
            if portal.leaves {
                let middle = portal.outer_at.towards(portal.inner_at, 1, 2);
                let across =
                    PointCm { x: -(portal.inner_at.y - middle.y), y: portal.inner_at.x - middle.x };
                let length = across.distance_cm(PointCm::default()).max(1);
                let half = portal.width_cm / 2;
                let end = |sign: i32| PointCm {
                    x: middle.x
                        + (i64::from(across.x) * i64::from(sign * half) / i64::from(length)) as i32,
                    y: middle.y
                        + (i64::from(across.y) * i64::from(sign * half) / i64::from(length)) as i32,
                };
                self.band(&[end(-1), end(1)], 3.0, self.palette.timber);
            }
        }
    }

    fn company(&mut self, mark: &Mark) {
        let slot = usize::from(mark.slot.clamp(1, 4)) - 1;
        let length = f64::from(mark.heading.distance_cm(PointCm::default())).max(1.0);
        let (hx, hy) = if mark.heading == PointCm::default() {
            (0.0, 1.0)
        } else {
            (f64::from(mark.heading.x) / length, f64::from(mark.heading.y) / length)
        };
        let half = (f64::from(mark.size_cm.0) * self.scale / 2.0).max(2.0);
        let deep = (f64::from(mark.size_cm.1) * self.scale).max(3.0);
        let (x, y) = self.at(mark.at);
        // Screen y goes down: the heading's y turns round.
        let corner =
            |across: f64, back: f64| (x - hy * across - hx * back, y - hx * across + hy * back);
        let block = |grow: f64| {
            [
                corner(-half - grow, -grow),
                corner(half + grow, -grow),
                corner(half + grow, deep + grow),
                corner(-half - grow, deep + grow),
            ]
        };
        self.polygon(&block(1.0), self.palette.ink);
        self.polygon(&block(0.0), SIDES[slot]);
        // The front rank: pale heads for slot 1, black for the others.
        let head = if slot == 0 { PALE } else { self.palette.ink };
        self.polygon(
            &[corner(-half, 0.0), corner(half, 0.0), corner(half, 1.5), corner(-half, 1.5)],
            head,
        );
    }

    /// A line with a breadth in fine pixels, square joints.
    fn band(&mut self, line: &[PointCm], breadth: f64, paint: Rgb) {
        let half = breadth / 2.0;
        for ends in line.windows(2) {
            let ((ax, ay), (bx, by)) = (self.at(ends[0]), self.at(ends[1]));
            let (dx, dy) = (bx - ax, by - ay);
            let length = (dx * dx + dy * dy).sqrt();
            if length <= 0.0 {
                continue;
            }
            let (nx, ny) = (-dy / length * half, dx / length * half);
            self.polygon(
                &[(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)],
                paint,
            );
        }
        for joint in line.get(1..line.len().saturating_sub(1)).unwrap_or_default() {
            let (x, y) = self.at(*joint);
            self.polygon(
                &[
                    (x - half, y - half),
                    (x + half, y - half),
                    (x + half, y + half),
                    (x - half, y + half),
                ],
                paint,
            );
        }
    }

    fn outline(&mut self, corners: &[(f64, f64)], paint: Rgb) {
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = (dx * dx + dy * dy).sqrt();
            if length > 0.0 {
                let (nx, ny) = (-dy / length, dx / length);
                self.polygon(
                    &[
                        (a.0 + nx, a.1 + ny),
                        (b.0 + nx, b.1 + ny),
                        (b.0 - nx, b.1 - ny),
                        (a.0 - nx, a.1 - ny),
                    ],
                    paint,
                );
            }
        }
    }

    /// Fills a polygon by the even-odd rule, row by row, clipped to the sheet.
    fn polygon(&mut self, corners: &[(f64, f64)], paint: Rgb) {
        let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, y) in corners {
            top = top.min(*y);
            bottom = bottom.max(*y);
        }
        if corners.len() < 3 || bottom < 0.0 || top >= f64::from(self.height) {
            return;
        }
        let rows = (top.max(0.0) as u32)..=(bottom.min(f64::from(self.height) - 1.0) as u32);
        let mut cuts = Vec::new();
        for row in rows {
            let y = f64::from(row) + 0.5;
            cuts.clear();
            for (i, a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if (a.1 <= y) != (b.1 <= y) {
                    cuts.push(a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0));
                }
            }
            cuts.sort_by(f64::total_cmp);
            for pair in cuts.chunks_exact(2) {
                // `as` saturates, so what lies outside is clipped.
                let from = ((pair[0] + 0.5).max(0.0) as u32).min(self.width);
                let to = ((pair[1] + 0.5).max(0.0) as u32).min(self.width);
                let start = (row * self.width) as usize;
                for p in &mut self.pixels[start + from as usize..start + to.max(from) as usize] {
                    *p = paint;
                }
            }
        }
    }

    fn average(&self) -> Picture {
        let (width, height) = (self.width / FINE, self.height / FINE);
        let mut pixels = Vec::with_capacity((width * height * 3) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0_u32; 3];
                for (fy, fx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let p = self.pixels[((y * FINE + fy) * self.width + x * FINE + fx) as usize];
                    (0..3).for_each(|c| sum[c] += u32::from(p[c]));
                }
                pixels.extend(sum.map(|c| (c / (FINE * FINE)) as u8));
            }
        }
        Picture { width, height, pixels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field() -> Site {
        Site {
            cell_cm: 1500,
            columns: 20,
            rows: 10,
            origin: PointCm::default(),
            nodes: Vec::new(),
            rampart_of: Vec::new(),
            neighbours: Vec::new(),
            portals: Vec::new(),
            passages: 0,
            stretches_of: Vec::new(),
            portals_of: Vec::new(),
            works: Vec::new(),
            areas: Vec::new(),
            drawn: Vec::new(),
        }
    }

    #[test]
    fn a_company_is_drawn_where_it_stands() {
        let mark = Mark {
            at: PointCm { x: 15_000, y: 9_000 },
            heading: PointCm { x: 0, y: 1000 },
            size_cm: (3000, 1500),
            slot: 2,
            level: Level::Ground,
        };
        let picture = map(&field(), Light::Day, Level::Ground, &[mark], 10).expect("small enough");
        assert_eq!((picture.width, picture.height), (200, 100));
        let at = |x: u32, y: u32| {
            let i = ((y * picture.width + x) * 3) as usize;
            [picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]]
        };
        // Its front is 60 % up; its men stand behind that, to the south.
        assert_eq!(at(100, 45), SIDES[1]);
        assert_ne!(at(100, 30), SIDES[1]);
        let above = map(&field(), Light::Day, Level::Rampart, &[mark], 10).expect("small enough");
        assert!(above.pixels.chunks(3).all(|p| p != SIDES[1]));
    }

    #[test]
    fn a_picture_too_large_is_refused() {
        assert!(map(&field(), Light::Day, Level::Ground, &[], 100_000).is_none());
        assert!(map(&field(), Light::Day, Level::Ground, &[], 0).is_none());
    }

    #[test]
    fn it_is_a_png() {
        let picture = map(&field(), Light::Night, Level::Ground, &[], 2).expect("small enough");
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).expect("writes to memory");
        assert!(bytes.starts_with(b"\x89PNG"));
    }
}
