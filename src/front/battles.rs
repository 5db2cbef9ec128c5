//! The first screen: battles as hanging scrolls; choose one, a side, and begin.

use bevy_egui::egui::{
    self, Align2, CornerRadius, FontId, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::SideId;
use crate::scenario::battle::{Light, Scenario};
use crate::scenario::site::{DrawnForm, WorkForm};

use super::bits::{button, sans, side_mark, text, title, toggle};
use super::land::Land;
use super::state::{Card, Desk};
use super::theme::{Theme, serif};
use super::words::count;

/// Men of a side at muster.
#[must_use]
pub fn men(battle: &Scenario, side: SideId) -> i32 {
    (0..battle.units.len())
        .map(crate::core::ids::UnitId::from_index)
        .filter(|u| battle.side_of(*u) == side)
        .map(|u| battle.units[u.index()].men)
        .sum()
}

/// Companies that a battle musters.
#[must_use]
pub fn companies(battle: &Scenario) -> usize {
    battle
        .units
        .iter()
        .map(|u| {
            let size = battle.rules.units[u.kind.index()].company_size.max(1);
            ((u.men + size - 1) / size) as usize
        })
        .sum()
}

/// The screen.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let mut begin = false;
    let mut quit = false;
    {
        let Desk { theme, words, cards, faults, card: chosen, seat, seed, .. } = desk;
        let l = theme.lacquer().clone();
        let whole = ui.max_rect();
        let nav = Rect::from_min_size(whole.min, vec2(188.0, whole.height()));
        ui.painter().rect_filled(nav, CornerRadius::ZERO, l.bg.0);
        ui.painter().vline(nav.right(), nav.y_range(), Stroke::new(1.0, l.line.0));
        let mut wood = whole;
        wood.set_left(nav.right() + 1.0);
        ui.painter().rect_filled(wood, CornerRadius::ZERO, l.well.0);
        gate_sign(
            ui.painter(),
            Rect::from_min_size(nav.min + vec2(28.0, 56.0), vec2(132.0, 96.0)),
            theme,
        );
        ui.painter().text(
            nav.min + vec2(24.0, 186.0),
            Align2::LEFT_CENTER,
            "九门",
            FontId::new(30.0, serif()),
            l.text.0,
        );
        ui.painter().text(
            nav.min + vec2(24.0, 220.0),
            Align2::LEFT_CENTER,
            "Nine Gates",
            FontId::new(18.0, serif()),
            l.muted.0,
        );
        let mut side_ui =
            ui.new_child(egui::UiBuilder::new().max_rect(Rect::from_min_max(
                nav.min + vec2(16.0, 258.0),
                nav.max - vec2(16.0, 16.0),
            )));
        {
            let ui = &mut side_ui;
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
            let row = row.expand2(vec2(16.0, 0.0));
            ui.painter().rect_filled(row, CornerRadius::ZERO, l.chosen.0);
            ui.painter().rect_filled(
                Rect::from_min_size(row.min, vec2(3.0, row.height())),
                CornerRadius::ZERO,
                l.accent.0,
            );
            ui.painter().text(
                row.left_center() + vec2(24.0, 0.0),
                Align2::LEFT_CENTER,
                words.t("battles"),
                sans(15.0),
                l.text.0,
            );
            ui.add_space(ui.available_height() - 70.0);
            let response = toggle(ui, theme, &words.t("language"), false);
            spots.push(("language".into(), response.rect));
            if response.clicked() {
                words.switch();
            }
            if toggle(ui, theme, &words.t("quit"), false).clicked() {
                quit = true;
            }
        }
        let painter = ui.painter().clone();
        painter.text(
            wood.min + vec2(30.0, 34.0),
            Align2::LEFT_CENTER,
            words.t("battles"),
            FontId::new(22.0, serif()),
            l.text.0,
        );
        let sub = words.say("battles-count", &[("n", (cards.len() as i32).into())]);
        painter.text(wood.min + vec2(220.0, 36.0), Align2::LEFT_CENTER, sub, sans(13.0), l.muted.0);
        painter.hline(wood.x_range(), wood.top() + 72.0, Stroke::new(4.0, theme.scroll()[0]));
        painter.hline(wood.x_range(), wood.top() + 70.0, Stroke::new(1.0, theme.scroll()[1]));
        let wide = 330.0;
        for (i, card) in cards.iter().enumerate() {
            let hangs = if i == *chosen { 26.0 } else { 14.0 };
            let left = wood.left() + 30.0 + i as f32 * (wide + 22.0);
            let top = wood.top() + 84.0 + hangs;
            let long =
                (wood.height() - 210.0).clamp(520.0, 740.0) + if i == *chosen { 30.0 } else { 0.0 };
            let rect = Rect::from_min_size(pos2(left, top), vec2(wide, long));
            if scroll(ui, rect, card, i == *chosen, theme, words, seat, seed, &mut spots) {
                begin = true;
            }
            let response = ui.interact(
                Rect::from_min_size(rect.min, vec2(rect.width(), 300.0)),
                ui.id().with(("scroll", i)),
                Sense::click(),
            );
            if response.clicked() {
                *chosen = i;
            }
            if response.double_clicked() {
                begin = true;
            }
        }
        if cards.is_empty() {
            painter.text(
                wood.min + vec2(30.0, 120.0),
                Align2::LEFT_TOP,
                words.t("battles-none"),
                sans(15.0),
                l.text.0,
            );
        }
        for (i, fault) in faults.iter().take(8).enumerate() {
            painter.text(
                pos2(wood.left() + 30.0, wood.bottom() - 60.0 - i as f32 * 18.0),
                Align2::LEFT_CENTER,
                fault,
                sans(12.0),
                theme.hazard().0,
            );
        }
        painter.text(
            pos2(wood.left() + 30.0, wood.bottom() - 22.0),
            Align2::LEFT_CENTER,
            words.t("battles-keys"),
            sans(13.0),
            l.muted.0,
        );
    }
    for (name, rect) in spots {
        desk.spot(&name, rect);
    }
    desk.quit |= quit;
    if begin {
        desk.open();
    }
}

fn gate_sign(painter: &Painter, rect: Rect, theme: &Theme) {
    let s = Stroke::new(2.6, theme.lacquer().accent.0);
    let p = |x: f32, y: f32| pos2(rect.left() + rect.width() * x, rect.top() + rect.height() * y);
    let curve: Vec<_> = (0..=16)
        .map(|i| {
            let t = i as f32 / 16.0;
            p(0.04 + 0.92 * t, 0.26 - (t * std::f32::consts::PI).sin() * 0.26)
        })
        .collect();
    painter.line(curve, s);
    painter.line(vec![p(0.04, 0.26), p(0.96, 0.26)], s);
    painter.line(vec![p(0.18, 0.26), p(0.18, 0.56), p(0.82, 0.56), p(0.82, 0.26)], s);
    painter.line(vec![p(0.18, 0.56), p(0.18, 1.0)], s);
    painter.line(vec![p(0.82, 0.56), p(0.82, 1.0)], s);
    let arch: Vec<_> = (0..=14)
        .map(|i| {
            let a = std::f32::consts::PI * (1.0 + i as f32 / 14.0);
            p(0.5 + 0.18 * a.cos(), 0.80 + 0.20 * a.sin())
        })
        .collect();
    painter.line(vec![p(0.32, 1.0), p(0.32, 0.80)], s);
    painter.line(arch, s);
    painter.line(vec![p(0.68, 0.80), p(0.68, 1.0)], s);
    painter.line(vec![p(0.0, 1.0), p(1.0, 1.0)], s);
}

#[allow(clippy::too_many_arguments, reason = "a scroll needs its paint and what it changes")]
fn scroll(
    ui: &mut Ui,
    rect: Rect,
    card: &Card,
    chosen: bool,
    theme: &Theme,
    words: &super::words::Words,
    seat: &mut usize,
    seed: &mut u64,
    spots: &mut Vec<(String, Rect)>,
) -> bool {
    let [rod, rod_hi, knob, brocade, brocade_line] = theme.scroll();
    let paper = theme.paper().clone();
    let painter = ui.painter().clone();
    let nail = pos2(rect.center().x, rect.top() - 38.0);
    for x in [rect.left() + 60.0, rect.right() - 60.0] {
        painter.line_segment([nail, pos2(x, rect.top() - 4.0)], Stroke::new(1.2, brocade));
    }
    painter.circle_filled(nail, 3.0, brocade);
    painter.rect(
        rect,
        CornerRadius::ZERO,
        paper.sheet.0,
        Stroke::new(
            if chosen { 2.0 } else { 1.0 },
            if chosen { theme.first().1 } else { brocade_line },
        ),
        StrokeKind::Outside,
    );
    for y in [rect.top() - 8.0, rect.bottom() - 2.0] {
        let bar = Rect::from_min_size(pos2(rect.left() - 8.0, y), vec2(rect.width() + 16.0, 11.0));
        painter.rect_filled(bar, CornerRadius::same(3), rod);
        painter.hline(bar.x_range(), bar.top() + 3.0, Stroke::new(1.4, rod_hi));
        for x in [bar.left(), bar.right()] {
            painter.rect_filled(
                Rect::from_center_size(pos2(x, bar.center().y), vec2(9.0, 13.0)),
                CornerRadius::same(2),
                knob,
            );
        }
    }
    let band = Rect::from_min_size(rect.min + vec2(0.0, 3.0), vec2(rect.width(), 26.0));
    painter.rect_filled(band, CornerRadius::ZERO, brocade);
    let clip = painter.with_clip_rect(band);
    let mut x = band.left();
    while x < band.right() {
        let c = pos2(x, band.center().y);
        clip.add(egui::Shape::closed_line(
            vec![c + vec2(0.0, -8.0), c + vec2(8.0, 0.0), c + vec2(0.0, 8.0), c + vec2(-8.0, 0.0)],
            Stroke::new(1.0, brocade_line),
        ));
        x += 16.0;
    }
    let picture = Rect::from_min_size(
        rect.min + vec2(16.0, 40.0),
        vec2(rect.width() - 32.0, rect.height() - 400.0),
    );
    thumbnail(&painter, picture, &card.battle, theme);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(Rect::from_min_max(
        pos2(picture.left(), picture.bottom() + 10.0),
        rect.max - vec2(16.0, 14.0),
    )));
    let ui = &mut inner;
    ui.spacing_mut().item_spacing.y = 3.0;
    let battle = &card.battle;
    let ink = paper.text.0;
    ui.horizontal(|ui| {
        ui.label(title(words.name(&battle.name), 22.0, ink));
    });
    ui.horizontal(|ui| {
        ui.label(title(words.other(&battle.name), 15.0, ink));
        if let Some(document) = &battle.document {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(text(
                    words.say("document", &[("n", document.as_str().into())]),
                    12.0,
                    paper.muted.0,
                ));
            });
        }
    });
    ui.add(egui::Label::new(text(words.name(&battle.about), 13.0, ink)).wrap());
    ui.add_space(2.0);
    for (i, side) in battle.sides.iter().enumerate() {
        let pigment = theme.pigment(side.slot);
        let (row, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 27.0), Sense::click());
        let painter = ui.painter();
        if chosen && *seat == i {
            painter.rect(
                row,
                CornerRadius::ZERO,
                theme.paper().band.0.gamma_multiply(0.6),
                Stroke::new(1.2, paper.accent.0),
                StrokeKind::Inside,
            );
        }
        side_mark(painter, row.left_center() + vec2(10.0, 0.0), &pigment, pigment.paper);
        painter.text(
            row.left_center() + vec2(24.0, 0.0),
            Align2::LEFT_CENTER,
            words.name(&side.name),
            sans(13.0),
            ink,
        );
        painter.text(
            row.right_center() - vec2(6.0, 0.0),
            Align2::RIGHT_CENTER,
            count(men(battle, SideId::from_index(i))),
            sans(13.0),
            pigment.paper,
        );
        spots.push((format!("side.{}", side.id), row));
        if response.clicked() {
            *seat = i;
        }
    }
    let watch = battle.sides.len();
    let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), 27.0), Sense::click());
    if chosen && *seat >= watch {
        ui.painter().rect(
            row,
            CornerRadius::ZERO,
            theme.paper().band.0.gamma_multiply(0.6),
            Stroke::new(1.2, paper.accent.0),
            StrokeKind::Inside,
        );
    }
    ui.painter().text(
        row.left_center() + vec2(24.0, 0.0),
        Align2::LEFT_CENTER,
        words.t("watch-record"),
        sans(13.0),
        ink,
    );
    spots.push(("side.watch".into(), row));
    if response.clicked() {
        *seat = watch;
    }
    let light = words.t(match battle.light {
        Light::Day => "light-day",
        Light::Dusk => "light-dusk",
        Light::Night => "light-night",
    });
    ui.horizontal(|ui| {
        let said = words.say(
            "card-size",
            &[
                ("light", light.into()),
                ("n", count(card.companies as i32).into()),
                ("turn", (battle.max_turn_s / 60).into()),
            ],
        );
        ui.label(text(said, 12.0, paper.muted.0));
    });
    if !chosen {
        return false;
    }
    let mut begin = false;
    ui.horizontal(|ui| {
        let label = if *seat >= watch {
            words.t("watch-begin")
        } else {
            words.say("play-as", &[("side", words.name(&battle.sides[*seat].name).into())])
        };
        let response = button(ui, theme, &label, "⏎", true, true, 190.0);
        spots.push(("begin".into(), response.rect));
        begin = response.clicked();
        ui.label(text(words.t("dice"), 12.0, paper.muted.0));
        ui.visuals_mut().override_text_color = Some(theme.lacquer().text.0);
        ui.add(egui::DragValue::new(seed).range(0..=999_999));
    });
    begin
}

/// The map in small: wall, water, streets, and where everybody stands.
fn thumbnail(painter: &Painter, rect: Rect, battle: &Scenario, theme: &Theme) {
    let land = Land::of(&battle.site);
    painter.rect(
        rect,
        CornerRadius::ZERO,
        theme.map("silk"),
        Stroke::new(1.2, theme.map("ink0")),
        StrokeKind::Outside,
    );
    let painter = painter.with_clip_rect(rect);
    // The stretch of ground where the units stand.
    let (mut lo, mut hi) = ([f32::MAX; 2], [f32::MIN; 2]);
    for unit in &battle.units {
        let p = land.m(unit.stands.at);
        for k in 0..2 {
            lo[k] = lo[k].min(p[k] - 160.0);
            hi[k] = hi[k].max(p[k] + 160.0);
        }
    }
    let px = ((hi[0] - lo[0]) / rect.width()).max((hi[1] - lo[1]) / rect.height()).max(0.1);
    let mid = [(lo[0] + hi[0]) / 2.0, (lo[1] + hi[1]) / 2.0];
    let on = |p: super::canvas::P| {
        pos2(rect.center().x + (p[0] - mid[0]) / px, rect.center().y - (p[1] - mid[1]) / px)
    };
    for drawn in &battle.site.drawn {
        let points: Vec<_> = drawn.points.iter().map(|p| on(land.m(*p))).collect();
        let wide = (drawn.width_cm as f32 / 100.0 / px).max(1.2);
        match drawn.form {
            DrawnForm::Water if drawn.width_cm > 0 => {
                painter.line(points, Stroke::new(wide, theme.map("water")));
            }
            DrawnForm::Street if drawn.width_cm > 0 => {
                painter.line(points, Stroke::new(wide, theme.map("street")));
            }
            DrawnForm::Ward => {
                painter.add(egui::Shape::convex_polygon(
                    points,
                    theme.map("roof").gamma_multiply(0.55),
                    Stroke::new(1.0, theme.map("face_lo")),
                ));
            }
            _ => {}
        }
    }
    for work in &battle.site.works {
        if let WorkForm::Wall { line, thickness_cm, .. } = &work.form {
            let points: Vec<_> = line.iter().map(|p| on(land.m(*p))).collect();
            let wide = (*thickness_cm as f32 / 100.0 / px).max(4.0);
            painter.line(points.clone(), Stroke::new(wide + 2.0, theme.map("ink0")));
            painter.line(points, Stroke::new(wide, theme.map("walk")));
        }
    }
    for work in &battle.site.works {
        if matches!(work.form, WorkForm::Gate { .. }) {
            painter.rect(
                Rect::from_center_size(on(land.m(work.at)), vec2(9.0, 9.0)),
                CornerRadius::ZERO,
                theme.map("timber_hi"),
                Stroke::new(1.0, theme.map("ink0")),
                StrokeKind::Inside,
            );
        }
    }
    for (i, unit) in battle.units.iter().enumerate() {
        let id = crate::core::ids::UnitId::from_index(i);
        let pigment = theme.pigment(battle.sides[battle.side_of(id).index()].slot);
        let wide = (unit.stands.front_cm as f32 / 100.0 / px).max(5.0);
        let deep = (unit.men as f32 * if battle.kind_of(id).mounted { 12.0 } else { 3.0 }
            / (unit.stands.front_cm as f32 / 100.0).max(20.0)
            / px)
            .clamp(4.0, 40.0);
        let at = on(land.m(unit.stands.at));
        let along = unit.stands.facing.x.abs() > unit.stands.facing.y.abs();
        let size = if along { vec2(deep, wide) } else { vec2(wide, deep) };
        let block = Rect::from_center_size(at, size);
        painter.rect(
            block,
            CornerRadius::ZERO,
            pigment.fill.gamma_multiply(0.85),
            Stroke::new(0.8, pigment.dark),
            StrokeKind::Inside,
        );
    }
}
