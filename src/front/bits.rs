//! Small parts that all panels are made of.

use bevy_egui::egui::{
    self, Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Response, RichText, Sense,
    Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::signs::Signs;
use super::theme::{Pigment, Theme, Tile, serif};

/// Text of a size.
#[must_use]
pub fn text(words: impl Into<String>, size: f32, colour: Color32) -> RichText {
    RichText::new(words).size(size).color(colour)
}

/// A name or title.
#[must_use]
pub fn title(words: impl Into<String>, size: f32, colour: Color32) -> RichText {
    RichText::new(words).font(FontId::new(size, serif())).color(colour)
}

/// A sans face of a size.
#[must_use]
pub fn sans(size: f32) -> FontId {
    FontId::proportional(size)
}

/// A key cap at a place, right-aligned there. Returns its width.
pub fn key_cap(painter: &Painter, right: Pos2, key: &str, colour: Color32, line: Color32) -> f32 {
    let galley = painter.layout_no_wrap(key.to_owned(), sans(11.0), colour);
    let w = galley.size().x + 8.0;
    let rect = Rect::from_min_size(pos2(right.x - w, right.y - 8.5), vec2(w, 17.0));
    painter.rect_stroke(rect, CornerRadius::same(2), Stroke::new(1.0, line), StrokeKind::Inside);
    painter.galley(
        pos2(rect.left() + 4.0, rect.center().y - galley.size().y / 2.0),
        galley,
        colour,
    );
    w
}

/// A button with words and, at its right, the key that does the same.
pub fn button(
    ui: &mut Ui,
    theme: &Theme,
    words: &str,
    key: &str,
    first: bool,
    enabled: bool,
    width: f32,
) -> Response {
    let l = theme.lacquer();
    let font = sans(if first { 15.0 } else { 13.0 });
    let galley = ui.painter().layout_no_wrap(words.to_owned(), font, Color32::PLACEHOLDER);
    let cap = if key.is_empty() {
        0.0
    } else {
        ui.painter().layout_no_wrap(key.to_owned(), sans(11.0), l.text.0).size().x + 16.0
    };
    let size = vec2((galley.size().x + cap + 20.0).max(width), 28.0);
    let (rect, response) =
        ui.allocate_exact_size(size, if enabled { Sense::click() } else { Sense::hover() });
    let hot = enabled && (response.hovered() || response.has_focus());
    let (fill, edge, ink) = if !enabled {
        (l.bg.0, l.line.0, l.refused.0)
    } else if first {
        let (fill, edge, ink) = theme.first();
        (if hot { edge } else { fill }, edge, ink)
    } else {
        (if hot { l.bg3.0 } else { l.bg2.0 }, if hot { l.accent.0 } else { l.line.0 }, l.text.0)
    };
    let painter = ui.painter();
    painter.rect(rect, CornerRadius::ZERO, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let room = rect.width() - cap;
    let at = pos2(
        rect.left() + (room - galley.size().x).max(0.0) / 2.0,
        rect.center().y - galley.size().y / 2.0,
    );
    painter.galley(at, galley, ink);
    if !key.is_empty() {
        key_cap(
            painter,
            pos2(rect.right() - 7.0, rect.center().y),
            key,
            ink,
            if first { ink } else { l.line.0 },
        );
    }
    response
}

/// A switch that looks pressed when it is on.
pub fn toggle(ui: &mut Ui, theme: &Theme, words: &str, on: bool) -> Response {
    let l = theme.lacquer();
    let galley = ui.painter().layout_no_wrap(words.to_owned(), sans(13.0), Color32::PLACEHOLDER);
    let (rect, response) =
        ui.allocate_exact_size(vec2(galley.size().x + 14.0, 25.0), Sense::click());
    let edge = if on || response.hovered() { l.accent.0 } else { l.line.0 };
    let painter = ui.painter();
    painter.rect(
        rect,
        CornerRadius::ZERO,
        if on { l.chosen.0 } else { l.bg2.0 },
        Stroke::new(1.0, edge),
        StrokeKind::Inside,
    );
    painter.galley(
        pos2(rect.left() + 7.0, rect.center().y - galley.size().y / 2.0),
        galley,
        if on { l.accent.0 } else { l.text.0 },
    );
    response
}

/// A gauge: a well and a bar in it.
pub fn gauge(painter: &Painter, rect: Rect, share: f32, colour: Color32, well: Color32) {
    painter.rect_filled(rect, CornerRadius::ZERO, well);
    let mut bar = rect;
    bar.set_width(rect.width() * share.clamp(0.0, 1.0));
    painter.rect_filled(bar, CornerRadius::ZERO, colour);
}

/// Corners of a side's tile.
fn outline(rect: Rect, tile: Tile) -> Vec<Pos2> {
    let (l, r, t, b) = (rect.left(), rect.right(), rect.top(), rect.bottom());
    let cy = rect.center().y;
    let q = rect.width() * 0.2;
    match tile {
        Tile::Square => vec![pos2(l, t), pos2(r, t), pos2(r, b), pos2(l, b)],
        Tile::Swallowtail => vec![pos2(l, t), pos2(r, t), pos2(r - q, cy), pos2(r, b), pos2(l, b)],
        Tile::Hexagon => vec![
            pos2(l + q, t),
            pos2(r - q, t),
            pos2(r, cy),
            pos2(r - q, b),
            pos2(l + q, b),
            pos2(l, cy),
        ],
        Tile::Round => (0..16)
            .map(|i| {
                let a = i as f32 / 16.0 * std::f32::consts::TAU;
                rect.center() + vec2(a.cos() * rect.width() / 2.0, a.sin() * rect.height() / 2.0)
            })
            .collect(),
    }
}

/// A filled outline; two parts for a swallow-tail, which is not convex.
fn fill(painter: &Painter, points: Vec<Pos2>, tile: Tile, colour: Color32) {
    if tile == Tile::Swallowtail && points.len() == 5 {
        painter.add(egui::Shape::convex_polygon(
            vec![points[0], points[1], points[2]],
            colour,
            Stroke::NONE,
        ));
        painter.add(egui::Shape::convex_polygon(
            vec![points[0], points[2], points[4]],
            colour,
            Stroke::NONE,
        ));
        painter.add(egui::Shape::convex_polygon(
            vec![points[2], points[3], points[4]],
            colour,
            Stroke::NONE,
        ));
    } else {
        painter.add(egui::Shape::convex_polygon(points, colour, Stroke::NONE));
    }
}

/// A unit's tile with its sign.
pub fn unit_tile(
    painter: &Painter,
    signs: &Signs,
    rect: Rect,
    pigment: &Pigment,
    sign: &str,
    ink: Color32,
    chosen: Option<Color32>,
) {
    let points = outline(rect, pigment.tile);
    fill(painter, points.clone(), pigment.tile, pigment.banner);
    painter.add(egui::Shape::closed_line(
        points,
        Stroke::new(1.2, chosen.unwrap_or(pigment.banner_dark)),
    ));
    signs.draw(painter, rect.shrink(rect.width() * 0.14), sign, ink);
}

/// A small mark of a side before its name: ■ ◆ ⬢ ●, drawn and not set.
pub fn side_mark(painter: &Painter, at: Pos2, pigment: &Pigment, colour: Color32) {
    let r = 4.5;
    let points = match pigment.tile {
        Tile::Square => outline(Rect::from_center_size(at, vec2(r * 1.8, r * 1.8)), Tile::Square),
        Tile::Swallowtail => vec![
            pos2(at.x, at.y - r * 1.2),
            pos2(at.x + r * 1.2, at.y),
            pos2(at.x, at.y + r * 1.2),
            pos2(at.x - r * 1.2, at.y),
        ],
        other => outline(Rect::from_center_size(at, vec2(r * 2.0, r * 2.0)), other),
    };
    painter.add(egui::Shape::convex_polygon(points, colour, Stroke::NONE));
}

/// A side's mark, set in a row of text.
pub fn side_dot(ui: &mut Ui, pigment: &Pigment, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(12.0, 16.0), Sense::hover());
    side_mark(ui.painter(), rect.center(), pigment, colour);
}

/// A banner with a surname: the foot of its pole is the place.
pub struct Flag<'a> {
    /// One or two characters.
    pub name: &'a str,
    /// Rank, 1 to 4.
    pub rank: u8,
    /// Colours.
    pub pigment: Pigment,
    /// Chosen.
    pub chosen: bool,
    /// Its men have broken.
    pub broken: bool,
    /// Weak, on the other level.
    pub alpha: f32,
}

impl Flag<'_> {
    /// Draws it and returns the cloth's rectangle.
    pub fn draw(&self, painter: &Painter, foot: Pos2, theme: &Theme, folded: usize) -> Rect {
        let (text, pole, ring) = theme.banner();
        let rank = f32::from(self.rank.clamp(1, 4));
        let high = 44.0 + 7.0 * rank;
        let wide = 15.0 + 3.0 * rank;
        let lean = if self.broken { 24.0_f32.to_radians() } else { 0.0 };
        let a = |c: Color32| super::theme::fade(c, self.alpha);
        let up = |x: f32, y: f32| {
            foot + vec2(x * lean.cos() + y * lean.sin(), x * lean.sin() - y * lean.cos())
        };
        painter.add(egui::Shape::ellipse_filled(
            foot + vec2(3.0, 1.0),
            vec2(6.0, 2.4),
            a(Color32::from_black_alpha(90)),
        ));
        painter.line_segment(
            [up(0.0, 0.0), up(0.0, high)],
            Stroke::new(3.4, a(Color32::from_rgb(0x1A, 0x17, 0x13))),
        );
        painter.line_segment([up(0.0, 0.0), up(0.0, high)], Stroke::new(1.8, a(pole)));
        for i in 0..self.rank.clamp(1, 4) {
            let y = high - 3.0 - f32::from(i) * 4.0;
            painter.line_segment([up(-3.2, y), up(3.2, y)], Stroke::new(2.2, a(ring)));
        }
        painter.circle_filled(up(0.0, high + 1.5), 2.2, a(ring));
        let top = high - 4.0 * rank - 3.0;
        let long = (high * 0.66 - 4.0).min(top - 6.0).max(wide * 1.1);
        let (x0, x1, y1) = (1.0, wide, top - long);
        let cloth: Vec<Pos2> = match self.pigment.tile {
            Tile::Square => vec![up(x0, top), up(x1, top), up(x1, y1), up(x0, y1)],
            _ => vec![
                up(x0, top),
                up(x1, top),
                up(x1, y1 - 3.0),
                up((x0 + x1) / 2.0, y1 + 4.0),
                up(x0, y1 - 3.0),
            ],
        };
        if cloth.len() == 5 {
            painter.add(egui::Shape::convex_polygon(
                vec![cloth[0], cloth[1], cloth[3]],
                a(self.pigment.banner),
                Stroke::NONE,
            ));
            painter.add(egui::Shape::convex_polygon(
                vec![cloth[1], cloth[2], cloth[3]],
                a(self.pigment.banner),
                Stroke::NONE,
            ));
            painter.add(egui::Shape::convex_polygon(
                vec![cloth[0], cloth[3], cloth[4]],
                a(self.pigment.banner),
                Stroke::NONE,
            ));
        } else {
            painter.add(egui::Shape::convex_polygon(
                cloth.clone(),
                a(self.pigment.banner),
                Stroke::NONE,
            ));
        }
        let edge = if self.chosen {
            Stroke::new(2.2, theme.map("select"))
        } else {
            Stroke::new(1.1, a(self.pigment.banner_dark))
        };
        painter.add(egui::Shape::closed_line(cloth, edge));
        let size = if self.name.chars().count() > 1 { wide * 0.62 } else { wide * 0.82 };
        let mid = up((x0 + x1) / 2.0, (top + y1) / 2.0);
        if self.name.chars().count() > 1 {
            for (i, c) in self.name.chars().take(2).enumerate() {
                painter.text(
                    mid + vec2(0.0, (i as f32 - 0.5) * size),
                    Align2::CENTER_CENTER,
                    c,
                    FontId::new(size, serif()),
                    a(text),
                );
            }
        } else {
            painter.text(
                mid,
                Align2::CENTER_CENTER,
                self.name,
                FontId::new(size, serif()),
                a(text),
            );
        }
        for i in 0..folded.min(4) {
            painter.circle(
                up(0.0, 5.0 + i as f32 * 6.0),
                2.6,
                a(self.pigment.banner),
                Stroke::new(1.0, a(self.pigment.banner_dark)),
            );
        }
        Rect::from_two_pos(up(-4.0, high + 4.0), up(wide + 2.0, 0.0)).expand(1.0)
    }
}

/// Amber and ink stripes.
pub fn hazard(painter: &Painter, rect: Rect, theme: &Theme) {
    let (amber, ink) = theme.hazard();
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    painter.rect_filled(rect, CornerRadius::ZERO, ink);
    let h = rect.height();
    let mut x = rect.left() - h;
    while x < rect.right() {
        painter.add(egui::Shape::convex_polygon(
            vec![
                pos2(x, rect.bottom()),
                pos2(x + 7.0, rect.bottom()),
                pos2(x + 7.0 + h, rect.top()),
                pos2(x + h, rect.top()),
            ],
            amber,
            Stroke::NONE,
        ));
        x += 14.0;
    }
}

/// A plate with lines of text; tries to stand clear of others. One that must be said
/// may stand farther off, tied to its place by a line. Returns its place.
pub fn plate(
    painter: &Painter,
    theme: &Theme,
    near: Rect,
    lines: &[(String, FontId, Color32)],
    edge: Color32,
    taken: &mut Vec<Rect>,
    must: bool,
) -> Option<Rect> {
    let galleys: Vec<_> = lines
        .iter()
        .map(|(t, f, c)| (painter.layout_no_wrap(t.clone(), f.clone(), *c), *c))
        .collect();
    let w = galleys.iter().map(|(g, _)| g.size().x).fold(0.0, f32::max) + 12.0;
    let h = galleys.iter().map(|(g, _)| g.size().y).sum::<f32>() + 6.0;
    let clip = painter.clip_rect();
    let (cx, cy) = (near.center().x, near.center().y);
    let (l, r, t, b) =
        (near.left() - 3.0 - w, near.right() + 3.0, near.top() - 3.0 - h, near.bottom() + 3.0);
    let tries = [
        pos2(r, cy - h / 2.0),
        pos2(l, cy - h / 2.0),
        pos2(cx - w / 2.0, b),
        pos2(cx - w / 2.0, t),
        pos2(r, b),
        pos2(l, b),
        pos2(r, t),
        pos2(l, t),
        pos2(r, cy + 14.0),
        pos2(l, cy + 14.0),
        pos2(r, cy + 40.0),
        pos2(l, cy + 40.0),
    ];
    // Farther off, round about, only for what must be said.
    let away = [30.0, 60.0, 100.0, 150.0].into_iter().filter(|_| must).flat_map(|d| {
        [
            pos2(r + d, t - d),
            pos2(l - d, t - d),
            pos2(r + d, b + d),
            pos2(l - d, b + d),
            pos2(cx - w / 2.0, t - d),
            pos2(cx - w / 2.0, b + d),
        ]
    });
    let free = tries
        .iter()
        .copied()
        .chain(away)
        .map(|at| Rect::from_min_size(at, vec2(w, h)))
        .find(|r| clip.contains_rect(*r) && taken.iter().all(|t| !t.intersects(r.expand(1.0))));
    let rect = match free {
        Some(rect) => rect,
        None if must && clip.contains(near.center()) => {
            // Nowhere is free: where it covers least.
            let cost = |r: &Rect| -> f32 {
                let hides: f32 = taken
                    .iter()
                    .map(|t| t.intersect(*r))
                    .filter(|i| i.is_positive())
                    .map(|i| i.area())
                    .sum();
                let cut = r.area() - clip.intersect(*r).area().max(0.0);
                hides + cut * 4.0
            };
            let all = tries.iter().map(|at| Rect::from_min_size(*at, vec2(w, h)));
            all.min_by(|a, b| cost(a).total_cmp(&cost(b)))?
        }
        None => return None,
    };
    let (ground, _) = theme.plate();
    if rect.distance_to_pos(near.center()) > near.size().max_elem() / 2.0 + 24.0 {
        // Up to where something else lies over its place.
        let from = rect.clamp(near.center());
        let along = |i: u8| from + (near.center() - from) * (f32::from(i) / 32.0);
        let end = (1..=32).map(along).find(|p| taken.iter().any(|t| t.contains(*p)));
        let tie = [from, end.unwrap_or(near.center())];
        painter.line_segment(tie, Stroke::new(3.0, ground));
        painter.line_segment(tie, Stroke::new(1.2, edge));
    }
    painter.rect(rect, CornerRadius::ZERO, ground, Stroke::new(1.0, edge), StrokeKind::Inside);
    let mut y = rect.top() + 3.0;
    for (galley, colour) in galleys {
        let high = galley.size().y;
        painter.galley(pos2(rect.left() + 6.0, y), galley, colour);
        y += high;
    }
    taken.push(rect);
    Some(rect)
}

/// A thin line across a panel.
pub fn rule(ui: &mut Ui, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 9.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, colour));
}
