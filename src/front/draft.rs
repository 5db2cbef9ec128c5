//! The form in which an order with a condition is drafted.

use bevy_egui::egui::{self, Align, CornerRadius, Layout, Rect, Sense, Stroke, Ui, vec2};

use crate::core::ids::{SideId, UnitId, WorkId};
use crate::orders::ast::Line;
use crate::scenario::battle::Scenario;
use crate::view::frame::Frame;

use super::bits::{button, hazard, text, toggle};
use super::form::{self, Deed, When};
use super::say::Teller;
use super::state::Play;
use super::theme::Theme;
use super::words::Words;

/// The form of an order with a condition: WHEN, DO, and the sentence it makes.
#[allow(clippy::too_many_arguments, reason = "a panel needs its paint")]
pub(super) fn order_form(
    ui: &mut Ui,
    play: &mut Play,
    battle: &Scenario,
    frame: &Frame,
    side: SideId,
    theme: &Theme,
    words: &Words,
    spots: &mut Vec<(String, Rect)>,
) {
    let l = theme.lacquer().clone();
    let planning = play.planning();
    ui.add_space(4.0);
    if !play.form.open {
        let response =
            button(ui, theme, &words.t("form-open"), "E", false, planning, ui.available_width());
        spots.push(("form-open".into(), response.rect));
        if response.clicked() && planning {
            play.form.open = true;
        }
        return;
    }
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 2.0), Sense::hover());
    ui.painter().rect_filled(bar, CornerRadius::ZERO, l.accent.0);
    ui.label(text(words.t("form-when"), 12.0, l.muted.0));
    ui.horizontal_wrapped(|ui| {
        for when in When::ALL {
            let response = toggle(ui, theme, &words.t(when.key()), play.form.when == when);
            if response.clicked() {
                play.form.when = when;
            }
            spots.push((when.key().to_owned(), response.rect));
        }
    });
    ui.horizontal(|ui| match play.form.when {
        When::Now => {
            ui.label(text(words.t("form-now"), 13.0, l.muted.0));
        }
        When::In => {
            stepper(
                ui,
                theme,
                &mut play.form.minutes,
                1,
                1..=60,
                &words.t("unit-minutes"),
                "minutes",
                spots,
            );
        }
        When::Loss => {
            stepper(ui, theme, &mut play.form.percent, 5, 5..=90, "%", "percent", spots);
        }
        When::Near => {
            stepper(ui, theme, &mut play.form.metres, 25, 25..=800, "m", "metres", spots);
            let gates = form::gates(battle);
            let now = play.form.gate.or_else(|| gates.first().copied());
            if let Some(gate) = now {
                let name = |g: WorkId| words.name(&battle.site.works[g.index()].name).to_owned();
                if gates.len() > 1 {
                    egui::ComboBox::from_id_salt("gate").selected_text(name(gate)).show_ui(
                        ui,
                        |ui| {
                            for g in gates {
                                ui.selectable_value(&mut play.form.gate, Some(g), name(g));
                            }
                        },
                    );
                } else {
                    ui.label(text(name(gate), 13.0, l.text.0));
                }
            }
        }
        When::Fired => {
            let lines = play.labels();
            if play.form.line.is_empty()
                && let Some(first) = lines.last()
            {
                play.form.line.clone_from(first);
            }
            if lines.is_empty() {
                ui.label(text(words.t("form-no-lines"), 13.0, l.muted.0));
            } else {
                egui::ComboBox::from_id_salt("line").selected_text(play.form.line.clone()).show_ui(
                    ui,
                    |ui| {
                        for line in lines {
                            ui.selectable_value(&mut play.form.line, line.clone(), line);
                        }
                    },
                );
            }
        }
    });
    ui.label(text(words.t("form-do"), 12.0, l.muted.0));
    ui.horizontal_wrapped(|ui| {
        for deed in Deed::ALL {
            let response = toggle(ui, theme, &words.t(deed.key()), play.form.deed == deed);
            if response.clicked() {
                play.form.deed = deed;
            }
            spots.push((format!("form.{}", deed.key()), response.rect));
        }
    });
    if play.form.deed == Deed::Screen {
        let chosen = play.chosen.clone();
        let desk = form::Desk { battle, frame, side, chosen: &chosen, labels: &[] };
        if let Some(ward) = desk.ward(&play.form) {
            let name = |u: UnitId| words.name(&battle.units[u.index()].name).to_owned();
            egui::ComboBox::from_id_salt("ward").selected_text(name(ward)).show_ui(ui, |ui| {
                for unit in play.mine() {
                    if !chosen.contains(&unit) {
                        ui.selectable_value(&mut play.form.ward, Some(unit), name(unit));
                    }
                }
            });
        }
    }
    let (chosen, labels) = (play.chosen.clone(), play.labels());
    let desk = form::Desk { battle, frame, side, chosen: &chosen, labels: &labels };
    let made = desk.order(play.form.deed, &play.form, desk.cond(&play.form));
    let frame_box = egui::Frame::new()
        .fill(l.well.0)
        .stroke(Stroke::new(1.0, l.line.0))
        .inner_margin(egui::Margin::symmetric(8, 6));
    match &made {
        Ok(line) => {
            frame_box.show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.add(
                    egui::Label::new(text(Teller { words, battle }.line(line), 13.0, l.text.0))
                        .wrap(),
                );
                ui.add(
                    egui::Label::new(text(goes(words, battle, &desk, line), 12.0, l.muted.0))
                        .wrap(),
                );
            });
        }
        Err(no) => {
            let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 7.0), Sense::hover());
            hazard(ui.painter(), bar, theme);
            ui.add(egui::Label::new(text(no.words(words), 13.0, l.text.0)).wrap());
        }
    }
    ui.horizontal(|ui| {
        let drop = button(ui, theme, &words.t("form-drop"), "", false, true, 0.0);
        if drop.clicked() {
            play.form.open = false;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let keep =
                button(ui, theme, &words.t("form-keep"), "⏎", true, planning && made.is_ok(), 0.0);
            spots.push(("form-keep".into(), keep.rect));
            let enter = ui.input(|i| i.key_pressed(egui::Key::Enter));
            if planning
                && (keep.clicked() || enter)
                && let Ok(line) = made
            {
                play.session.give(line);
                play.form.open = false;
            }
        });
    });
}

/// How an order would reach those it is for, and when.
#[must_use]
pub(super) fn goes(words: &Words, battle: &Scenario, desk: &form::Desk<'_>, line: &Line) -> String {
    match line.via {
        None => words.t("via-planned"),
        Some(channel) => words.say(
            "via-arrives",
            &[
                ("via", Teller { words, battle }.channel(channel).into()),
                ("who", words.name(&battle.posts[line.by.index()].name).into()),
                ("s", desk.arrives_s(line).into()),
            ],
        ),
    }
}

#[allow(clippy::too_many_arguments, reason = "a control needs its paint and its bounds")]
fn stepper(
    ui: &mut Ui,
    theme: &Theme,
    value: &mut i32,
    step: i32,
    range: std::ops::RangeInclusive<i32>,
    unit: &str,
    name: &str,
    spots: &mut Vec<(String, Rect)>,
) {
    let l = theme.lacquer();
    let less = toggle(ui, theme, "−", false);
    if less.clicked() {
        *value = (*value - step).max(*range.start());
    }
    ui.label(text(format!("{value} {unit}"), 15.0, l.accent.0));
    let more = toggle(ui, theme, "+", false);
    if more.clicked() {
        *value = (*value + step).min(*range.end());
    }
    spots.push((format!("{name}.less"), less.rect));
    spots.push((format!("{name}.more"), more.rect));
}
