//! After the battle, on paper: who won, who lies there, and this battle beside
//! the record.

use bevy_egui::egui::{
    self, Align2, CornerRadius, FontId, Rect, ScrollArea, Sense, Stroke, Ui, pos2, vec2,
};

use crate::core::ids::SideId;
use crate::scenario::record::{Class, Kind};
use crate::study::report::Value;

use super::bits::{button, rule, sans, side_dot, text, title};
use super::state::{Desk, Screen};
use super::theme::serif;
use super::words::{Words, clock, count};

/// One statement with what this battle gave.
#[derive(Clone, Debug)]
pub struct Row {
    /// Id and part.
    pub label: String,
    /// In words.
    pub what: String,
    /// How it counts.
    pub class: Class,
    /// The value in words.
    pub value: String,
    /// Its place on the strip, where it is a number.
    pub number: Option<f64>,
    /// The documented band.
    pub band: Option<[f64; 2]>,
    /// Whether it is inside.
    pub inside: Option<bool>,
}

/// Shows the report of the battle in play.
pub fn open(desk: &mut Desk) {
    let Some(play) = &desk.play else { return };
    let rows = play
        .session
        .measured()
        .iter()
        .map(|m| {
            let s = &m.statement;
            let number = match m.value {
                Value::Number(v) => Some(v),
                _ => None,
            };
            Row {
                label: format!("{}{}", s.id, s.part.as_deref().unwrap_or_default()),
                what: s.what.clone(),
                class: s.class,
                value: say(&desk.words, m.value, s.kind),
                number,
                band: s.tolerance,
                inside: m.inside,
            }
        })
        .collect();
    desk.verdicts = Some(rows);
    desk.screen = Screen::Report;
}

fn say(words: &Words, value: Value, kind: Kind) -> String {
    match value {
        Value::Truth(true) => words.t("value-yes"),
        Value::Truth(false) => words.t("value-no"),
        Value::Number(v) if kind == Kind::Share => format!("{v:.0} %"),
        Value::Number(v) if kind == Kind::Time => format!("{v:.0} s"),
        Value::Number(v) if kind == Kind::Distance => format!("{v:.0} m"),
        Value::Number(v) if v.fract() == 0.0 => count(v as i32),
        Value::Number(v) => format!("{v:.2}"),
        Value::Never => words.t("value-never"),
    }
}

/// The screen.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let mut to = None;
    {
        let Desk { play: Some(play), theme, words, verdicts, .. } = desk else { return };
        let paper = theme.paper().clone();
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, CornerRadius::ZERO, paper.bg.0);
        let battle = play.battle();
        let frame = std::sync::Arc::clone(play.session.frame(play.session.last()));
        let mut page =
            ui.new_child(egui::UiBuilder::new().max_rect(whole.shrink2(vec2(60.0, 34.0))));
        let ui = &mut page;
        ui.visuals_mut().override_text_color = Some(paper.text.0);
        ui.horizontal(|ui| {
            ui.label(title(words.name(&battle.name), 30.0, paper.text.0));
            ui.label(title(words.other(&battle.name), 18.0, paper.muted.0));
        });
        let ending = play.session.ending();
        let verdict = match ending.and_then(|e| e.end).and_then(|e| battle.ends.get(e)) {
            Some(end) => words.name(&end.text).to_owned(),
            None => words.t("end-time"),
        };
        let winner = ending.and_then(|e| e.winner).and_then(|s| battle.sides.get(s.index()));
        ui.horizontal(|ui| {
            ui.label(title(verdict, 18.0, paper.accent.0));
            if let Some(side) = winner {
                ui.label(text(
                    words.say("won-by", &[("side", words.name(&side.name).into())]),
                    15.0,
                    paper.text.0,
                ));
            }
            let seconds = play.session.last() as i32 * battle.pulse_s;
            ui.label(text(
                words.say(
                    "report-length",
                    &[
                        ("time", clock(seconds).into()),
                        ("turns", (play.session.turns().len() as i32).into()),
                    ],
                ),
                13.0,
                paper.muted.0,
            ));
        });
        rule(ui, paper.line.0);
        for (i, side) in battle.sides.iter().enumerate() {
            let pigment = theme.pigment(side.slot);
            let mark = frame.sides.get(i).copied().unwrap_or_default();
            ui.horizontal(|ui| {
                side_dot(ui, &pigment, pigment.paper);
                let all = super::battles::men(&battle, SideId::from_index(i));
                let said = words.say(
                    "report-side",
                    &[
                        ("side", words.name(&side.name).into()),
                        ("all", count(all).into()),
                        ("men", count(mark.men).into()),
                        ("lost", count(mark.lost).into()),
                    ],
                );
                ui.label(text(said, 15.0, pigment.paper));
            });
        }
        for (i, person) in battle.persons.iter().enumerate() {
            if person.rank < 2 {
                continue;
            }
            let lives = frame.with(crate::core::ids::PersonId::from_index(i)).is_some();
            let said = words.say(
                if lives { "fate-lives" } else { "fate-down" },
                &[("who", words.name(&person.name).into())],
            );
            ui.label(text(said, 13.0, paper.text.0));
        }
        rule(ui, paper.line.0);
        ui.label(title(words.t("report-record"), 18.0, paper.text.0));
        ui.label(text(words.t("report-legend"), 12.0, paper.muted.0));
        let high = ui.available_height() - 44.0;
        ScrollArea::vertical().auto_shrink([false, false]).max_height(high).show(ui, |ui| {
            for row in verdicts.iter().flatten() {
                statement(ui, row, theme, words);
            }
        });
        ui.horizontal(|ui| {
            let response = button(ui, theme, &words.t("report-back"), "Esc", false, true, 0.0);
            spots.push(("report-back".into(), response.rect));
            if response.clicked() {
                to = Some(Screen::Battle);
            }
            let response = button(ui, theme, &words.t("report-battles"), "", true, true, 0.0);
            spots.push(("report-battles".into(), response.rect));
            if response.clicked() {
                to = Some(Screen::Battles);
            }
        });
    }
    for (name, rect) in spots {
        desk.spot(&name, rect);
    }
    if let Some(screen) = to {
        desk.screen = screen;
    }
}

fn statement(ui: &mut Ui, row: &Row, theme: &super::theme::Theme, words: &Words) {
    let paper = theme.paper();
    let width = ui.available_width();
    let galley = ui.painter().layout(row.what.clone(), sans(13.0), paper.text.0, width * 0.48);
    let (rect, _) =
        ui.allocate_exact_size(vec2(width, (galley.size().y + 10.0).max(30.0)), Sense::hover());
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(0.6, paper.line.0));
    let y = rect.center().y;
    painter.text(pos2(rect.left(), y), Align2::LEFT_CENTER, &row.label, sans(12.0), paper.muted.0);
    let class = words.t(match row.class {
        Class::Given => "class-given",
        Class::Obeyed => "class-obeyed",
        Class::Outcome => "class-outcome",
        Class::Narrative => "class-narrative",
    });
    painter.text(
        pos2(rect.left() + 64.0, y),
        Align2::LEFT_CENTER,
        class,
        sans(12.0),
        paper.muted.0,
    );
    let x = rect.left() + 142.0;
    let galley_y = y - galley.size().y / 2.0;
    painter.galley(pos2(x, galley_y), galley, paper.text.0);
    let strip = Rect::from_min_max(
        pos2(x + width * 0.48 + 14.0, y - 7.0),
        pos2(rect.right() - 190.0, y + 7.0),
    );
    if let (Some([low, high]), Some(v)) = (row.band, row.number)
        && strip.width() > 40.0
    {
        let (a, b) = (low.min(v), high.max(v));
        let room = (b - a).max(1e-6) * 0.12;
        let on = |value: f64| {
            strip.left() + strip.width() * (((value - a + room) / (b - a + 2.0 * room)) as f32)
        };
        painter.hline(strip.x_range(), y, Stroke::new(1.0, paper.line.0));
        let band = Rect::from_min_max(pos2(on(low), strip.top()), pos2(on(high), strip.bottom()));
        painter.rect_filled(band, CornerRadius::ZERO, paper.band.0.gamma_multiply(0.7));
        for edge in [low, high] {
            painter.vline(on(edge), strip.y_range(), Stroke::new(1.4, paper.ridge.0));
        }
        let c = pos2(on(v), y);
        painter.add(egui::Shape::convex_polygon(
            vec![c + vec2(0.0, -6.0), c + vec2(6.0, 0.0), c + vec2(0.0, 6.0), c + vec2(-6.0, 0.0)],
            paper.accent.0,
            Stroke::new(1.0, paper.ridge.0),
        ));
    }
    painter.text(
        pos2(rect.right() - 96.0, y),
        Align2::RIGHT_CENTER,
        &row.value,
        FontId::new(15.0, serif()),
        paper.text.0,
    );
    let (said, colour) = match row.inside {
        Some(true) => (words.t("inside"), paper.ok.0),
        Some(false) => (words.t("outside"), paper.accent.0),
        None => (String::new(), paper.muted.0),
    };
    painter.text(pos2(rect.right() - 4.0, y), Align2::RIGHT_CENTER, said, sans(13.0), colour);
}
