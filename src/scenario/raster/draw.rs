//! Lines, bands and polygons onto a grid of square cells.

use crate::core::measure::{PointCm, metres_to_cm};
use crate::scenario::raw::map::Xy;

/// The grid of a window. Coordinates of its cells are columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) origin: PointCm,
    pub(super) cell_cm: i32,
    pub(super) columns: u32,
    pub(super) rows: u32,
}

impl Grid {
    pub(super) const fn new(origin: PointCm, cell_cm: i32, columns: u32, rows: u32) -> Self {
        Self { origin, cell_cm, columns, rows }
    }

    pub(super) const fn cells(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Metres to cells, from the south-west corner.
    pub(super) fn local(&self, p: Xy) -> Xy {
        let cell = f64::from(self.cell_cm);
        (
            (p.0 * 100.0 - f64::from(self.origin.x)) / cell,
            (p.1 * 100.0 - f64::from(self.origin.y)) / cell,
        )
    }

    pub(super) fn index(&self, x: i64, y: i64) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < i64::from(self.columns) && y < i64::from(self.rows);
        inside.then(|| (y * i64::from(self.columns) + x) as usize)
    }

    /// Cells whose centres lie inside a polygon (even-odd), ascending.
    pub(super) fn polygon(&self, corners: &[Xy]) -> Vec<usize> {
        let points: Vec<Xy> = corners.iter().map(|p| self.local(*p)).collect();
        let mut cells = Vec::new();
        self.fill(&points, &mut cells);
        cells
    }

    /// Appends the cells whose centres lie inside a polygon given in cells.
    fn fill(&self, points: &[Xy], cells: &mut Vec<usize>) {
        let low = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
        let first = (low - 0.5).ceil().max(0.0) as i64;
        let last = ((high - 0.5).floor() as i64).min(i64::from(self.rows) - 1);
        let mut cuts: Vec<f64> = Vec::new();
        for y in first..=last {
            let at = y as f64 + 0.5;
            cuts.clear();
            for (i, a) in points.iter().enumerate() {
                let b = points[(i + 1) % points.len()];
                if (a.1 <= at) != (b.1 <= at) {
                    cuts.push(a.0 + (at - a.1) / (b.1 - a.1) * (b.0 - a.0));
                }
            }
            cuts.sort_by(f64::total_cmp);
            for pair in cuts.chunks_exact(2) {
                let from = (pair[0] - 0.5).ceil().max(0.0) as i64;
                let to = ((pair[1] - 0.5).floor() as i64).min(i64::from(self.columns) - 1);
                cells.extend((from..=to).filter_map(|x| self.index(x, y)));
            }
        }
    }

    /// Every cell that a line touches, in its order, each with the metres of the
    /// line in it. Two cells in a row always share a side, so nothing that needs
    /// an open side can slip through between them.
    pub(super) fn supercover(&self, line: &[Xy]) -> Vec<(usize, f64)> {
        let mut cells: Vec<(usize, f64)> = Vec::new();
        let metres = f64::from(self.cell_cm) / 100.0;
        for pair in line.windows(2) {
            let (a, b) = (self.local(pair[0]), self.local(pair[1]));
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = (dx * dx + dy * dy).sqrt();
            let (mut x, mut y) = (a.0.floor() as i64, a.1.floor() as i64);
            let (sx, sy) = (if dx >= 0.0 { 1 } else { -1 }, if dy >= 0.0 { 1 } else { -1 });
            let cut = |from: f64, step: i64, at: i64, d: f64| {
                if d == 0.0 {
                    f64::INFINITY
                } else {
                    ((at + i64::from(step > 0)) as f64 - from) / d
                }
            };
            let mut done = 0.0;
            // A segment cannot touch more cells than this, wherever it starts.
            let most = (dx.abs() + dy.abs()) as i64 + 4;
            for _ in 0..most {
                let (tx, ty) = (cut(a.0, sx, x, dx), cut(a.1, sy, y, dy));
                let next = tx.min(ty).clamp(done, 1.0);
                if let Some(cell) = self.index(x, y) {
                    let part = (next - done) * length * metres;
                    match cells.last_mut() {
                        Some(last) if last.0 == cell => last.1 += part,
                        _ => cells.push((cell, part)),
                    }
                }
                if tx.min(ty) >= 1.0 {
                    break;
                }
                done = next;
                if tx <= ty { x += sx } else { y += sy }
            }
        }
        cells
    }

    /// Cells under a line `width_m` wide: those whose centres it covers and, if
    /// `tight`, all that its middle touches (so that it has no hole).
    pub(super) fn band(&self, line: &[Xy], width_m: f64, tight: bool) -> Vec<usize> {
        let half = width_m * 50.0 / f64::from(self.cell_cm);
        let mut cells = Vec::new();
        for pair in line.windows(2) {
            let (a, b) = (self.local(pair[0]), self.local(pair[1]));
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = (dx * dx + dy * dy).sqrt();
            if length > 0.0 {
                let (nx, ny) = (-dy / length * half, dx / length * half);
                let box_ = [
                    (a.0 + nx, a.1 + ny),
                    (b.0 + nx, b.1 + ny),
                    (b.0 - nx, b.1 - ny),
                    (a.0 - nx, a.1 - ny),
                ];
                self.fill(&box_, &mut cells);
            }
        }
        // Round joints, so that a bend has no notch.
        for p in line.iter().skip(1).take(line.len().saturating_sub(2)) {
            let c = self.local(*p);
            let (x0, x1) = ((c.0 - half).floor() as i64, (c.0 + half).ceil() as i64);
            let (y0, y1) = ((c.1 - half).floor() as i64, (c.1 + half).ceil() as i64);
            for y in y0.max(0)..=y1.min(i64::from(self.rows)) {
                for x in x0.max(0)..=x1.min(i64::from(self.columns)) {
                    let (px, py) = (x as f64 + 0.5 - c.0, y as f64 + 0.5 - c.1);
                    if px * px + py * py <= half * half {
                        cells.extend(self.index(x, y));
                    }
                }
            }
        }
        if tight {
            cells.extend(self.supercover(line).into_iter().map(|(cell, _)| cell));
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// A lane: its cells, each with the free width (cm) and room (cm2) that falls
    /// to it. Widths of the cells abreast add up to the width of the lane, even
    /// where one cell has to carry more than its own breadth.
    pub(super) fn lane(&self, line: &[Xy], width_m: f64) -> Vec<(usize, i32, i32)> {
        let cell_m = f64::from(self.cell_cm) / 100.0;
        let chain = self.supercover(line);
        // Up to one and a half cells: one chain of cells carries it all.
        if width_m < cell_m * 1.5 {
            return chain
                .into_iter()
                .map(|(cell, metres)| {
                    (
                        cell,
                        metres_to_cm(width_m),
                        metres_to_cm(width_m * metres.max(cell_m * 0.25) * 100.0),
                    )
                })
                .collect();
        }
        let cells = self.band(line, width_m, false);
        // Cells abreast: along the axis that the lane crosses most squarely.
        let ends = line.first().zip(line.last());
        let (dx, dy) = ends.map_or((1.0, 0.0), |(a, b)| ((b.0 - a.0).abs(), (b.1 - a.1).abs()));
        let (along, slant) = if dx >= dy { (dx, dy) } else { (dy, dx) };
        let length = (along * along + slant * slant).sqrt();
        let cross_m = if along > 0.0 { width_m * length / along } else { width_m };
        let abreast = (cross_m / cell_m + 0.5).floor().max(1.0);
        let straight = slant * 8.0 < along;
        let exact = |cell: usize| -> f64 {
            let (x, y) =
                ((cell % self.columns as usize) as i64, (cell / self.columns as usize) as i64);
            let step = if dx >= dy { (0, 1) } else { (1, 0) };
            let has = |k: i64| {
                self.index(x + step.0 * k, y + step.1 * k)
                    .is_some_and(|c| cells.binary_search(&c).is_ok())
            };
            let up = (1..).take_while(|k| has(*k)).count();
            let down = (1..).take_while(|k| has(-*k)).count();
            (up + down + 1) as f64
        };
        cells
            .iter()
            .map(|cell| {
                let n = if straight && line.len() == 2 { exact(*cell) } else { abreast };
                let width = width_m / n;
                (*cell, metres_to_cm(width), metres_to_cm(cross_m / n * cell_m * 100.0))
            })
            .collect()
    }
}
