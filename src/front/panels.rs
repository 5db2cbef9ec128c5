//! The lacquer frame about the map: what it is, what I have, what it shall do,
//! and time.

use bevy_egui::egui::{
    self, Align, Color32, CornerRadius, FontId, Layout, Rect, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::{CorpsId, SideId, UnitId, WorkId};
use crate::orders::ast::{Cond, Line, Subject};
use crate::scenario::battle::Scenario;
use crate::scenario::site::Level;
use crate::view::Happening;
use crate::view::frame::{Doing, Frame, Shooting, UnitMark};
use crate::view::session::Phase;

use super::bits::{
    button, gauge, hazard, key_cap, rule, sans, side_dot, text, title, toggle, unit_tile,
};
use super::form::{self, Deed, When};
use super::say::Teller;
use super::state::{Desk, Play, SPEEDS, Screen, Tab};
use super::theme::{Theme, serif};
use super::words::{Words, clock, count};

/// The top line.
pub fn top(ui: &mut Ui, desk: &mut Desk) {
    let Desk { play: Some(play), theme, words, .. } = desk else { return };
    let l = theme.lacquer().clone();
    let battle = play.battle();
    let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
    let mut menu = None;
    ui.horizontal_centered(|ui| {
        ui.label(title(words.name(&battle.name), 18.0, l.text.0));
        ui.label(title(words.other(&battle.name), 15.0, l.muted.0));
        ui.separator();
        let turn = play.session.turns().iter().filter(|t| t.from < frame.pulse.max(1)).count();
        let state = if play.planning() {
            words.say("top-planning", &[("n", (play.session.turns().len() as i32 + 1).into())])
        } else {
            words.say("top-watching", &[("n", (turn.max(1) as i32).into())])
        };
        ui.label(text(state, 15.0, l.accent.0).strong());
        let seconds = (play.cursor * f64::from(battle.pulse_s)) as i32;
        let of_day = battle.starts_min + seconds / 60;
        ui.label(text(
            words.say(
                "top-clock",
                &[
                    ("day", format!("{:02}:{:02}", of_day / 60 % 24, of_day % 60).into()),
                    ("in", clock(seconds).into()),
                ],
            ),
            13.0,
            l.text.0,
        ));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let response = button(ui, theme, &words.t("menu"), "Esc", false, true, 0.0);
            menu = Some(response.rect);
            if response.clicked() {
                desk.screen = Screen::Battles;
                play.playing = false;
            }
            if button(ui, theme, &words.t("language"), "F2", false, true, 0.0).clicked() {
                words.switch();
            }
            ui.label(text(
                words.say("top-dice", &[("n", play.session.seed().to_string().into())]),
                13.0,
                l.muted.0,
            ));
            for (i, side) in battle.sides.iter().enumerate().rev() {
                let pigment = theme.pigment(side.slot);
                let seen = seen_men(play, &frame, SideId::from_index(i));
                let own = play.session.side().is_none_or(|s| s.index() == i);
                let said = if own {
                    format!("{} {}", words.name(&side.name), count(seen))
                } else {
                    words.say(
                        "top-seen",
                        &[("side", words.name(&side.name).into()), ("n", count(seen).into())],
                    )
                };
                ui.label(text(said, 15.0, pigment.lacquer));
                side_dot(ui, &pigment, pigment.lacquer);
            }
        });
    });
    if let Some(rect) = menu {
        desk.spot("menu", rect);
    }
}

/// Men of a side in the field that the person sees.
fn seen_men(play: &Play, frame: &Frame, side: SideId) -> i32 {
    match play.session.side() {
        Some(own) if own != side => frame
            .marks
            .iter()
            .filter(|m| m.seen >> own.0 & 1 == 1 && play.session.side_of(m.company) == side)
            .map(|m| i32::from(m.men))
            .sum(),
        _ => frame.sides.get(side.index()).map_or(0, |s| s.men),
    }
}

/// One word for what a unit does.
#[must_use]
pub fn doing(words: &Words, mark: &UnitMark) -> String {
    if mark.men <= 0 {
        return words.t("doing-gone");
    }
    if mark.broken * 2 > mark.companies {
        return words.t("doing-broken");
    }
    if mark.fighting * 3 > mark.companies {
        return words.t("doing-fighting");
    }
    if mark.engines > 0 {
        return words.say(
            "doing-engines",
            &[("loaded", i32::from(mark.loaded).into()), ("all", i32::from(mark.engines).into())],
        );
    }
    words.t(match mark.doing {
        Doing::Stand => match mark.fire {
            Shooting::Will | Shooting::Ordered if mark.ammo.is_some() => "doing-shooting",
            _ => "doing-stand",
        },
        Doing::Go => "doing-go",
        Doing::Hold => "doing-hold",
        Doing::Charge => "doing-charge",
        Doing::Chase => "doing-chase",
        Doing::Screen => "doing-screen",
        Doing::Follow => "doing-follow",
        Doing::Back => "doing-back",
    })
}

/// Corps and units.
pub fn left(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let mut go_to = None;
    {
        let Desk { play: Some(play), theme, words, signs, .. } = desk else { return };
        let l = theme.lacquer().clone();
        let battle = play.battle();
        let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
        let side = play.session.side();
        ui.horizontal(|ui| {
            ui.label(title(words.t("corps"), 15.0, l.text.0));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let whose = side.map_or_else(
                    || words.t("all-sides"),
                    |s| words.name(&battle.sides[s.index()].name).to_owned(),
                );
                ui.label(text(whose, 12.0, l.muted.0));
            });
        });
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .max_height(ui.available_height() - 24.0)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for corps in &battle.corps {
                    if side.is_some_and(|s| s != corps.side) || corps.units.is_empty() {
                        continue;
                    }
                    let pigment = theme.pigment(battle.sides[corps.side.index()].slot);
                    let all = corps.units.iter().all(|u| play.chosen.contains(u));
                    let (rect, response) =
                        ui.allocate_exact_size(vec2(ui.available_width(), 56.0), Sense::click());
                    let painter = ui.painter().with_clip_rect(rect);
                    painter.rect_filled(
                        rect,
                        CornerRadius::ZERO,
                        if all {
                            l.chosen.0
                        } else if response.hovered() {
                            l.bg3.0
                        } else {
                            l.bg2.0
                        },
                    );
                    let post = &battle.posts[corps.post.index()];
                    let banner = post
                        .holder
                        .map(|p| battle.persons[p.index()].banner.clone())
                        .or_else(|| corps.name.zh.chars().next().map(|c| c.to_string()))
                        .unwrap_or_default();
                    let tile = Rect::from_min_size(rect.min + vec2(6.0, 7.0), vec2(20.0, 32.0));
                    painter.rect(
                        tile,
                        CornerRadius::ZERO,
                        pigment.banner,
                        Stroke::new(1.0, pigment.banner_dark),
                        StrokeKind::Inside,
                    );
                    painter.text(
                        tile.center(),
                        egui::Align2::CENTER_CENTER,
                        banner,
                        FontId::new(15.0, serif()),
                        theme.banner().0,
                    );
                    let men: i32 = corps
                        .units
                        .iter()
                        .filter_map(|u| frame.units.get(u.index()))
                        .map(|u| u.men)
                        .sum();
                    let full: i32 = corps.units.iter().map(|u| battle.units[u.index()].men).sum();
                    painter.text(
                        rect.min + vec2(34.0, 14.0),
                        egui::Align2::LEFT_CENTER,
                        words.name(&corps.name),
                        FontId::new(15.0, serif()),
                        l.text.0,
                    );
                    painter.text(
                        pos2(rect.right() - 8.0, rect.top() + 14.0),
                        egui::Align2::RIGHT_CENTER,
                        count(men),
                        sans(15.0),
                        l.text.0,
                    );
                    let bar = Rect::from_min_size(
                        rect.min + vec2(34.0, 25.0),
                        vec2(rect.width() - 42.0, 4.0),
                    );
                    gauge(
                        &painter,
                        bar,
                        men as f32 / full.max(1) as f32,
                        pigment.lacquer,
                        l.well.0,
                    );
                    let width = (rect.width() - 42.0) / 3.0;
                    for (k, (sign, value)) in [
                        ("心", mean(&corps.units, &frame, |u| Some(u.heart))),
                        ("力", mean(&corps.units, &frame, |u| Some(u.stamina))),
                        ("矢", mean(&corps.units, &frame, |u| u.ammo)),
                    ]
                    .into_iter()
                    .enumerate()
                    {
                        let x = rect.left() + 34.0 + k as f32 * width;
                        painter.text(
                            pos2(x, rect.top() + 42.0),
                            egui::Align2::LEFT_CENTER,
                            sign,
                            sans(12.0),
                            l.muted.0,
                        );
                        let well = Rect::from_min_size(
                            pos2(x + 16.0, rect.top() + 40.0),
                            vec2(width - 24.0, 5.0),
                        );
                        match value {
                            Some(v) => gauge(&painter, well, v, theme.gauge(k, v), l.well.0),
                            None => {
                                painter.hline(
                                    well.x_range(),
                                    well.center().y,
                                    Stroke::new(1.0, l.line.0),
                                );
                            }
                        }
                    }
                    if response.clicked() {
                        play.chosen = corps.units.clone();
                        play.chosen.sort_unstable();
                        play.tab = Tab::Unit;
                    }
                    spots.push((format!("corps.{}", corps.id), rect));
                    for unit in &corps.units {
                        let Some(mark) = frame.units.get(unit.index()) else { continue };
                        let chosen = play.chosen.contains(unit);
                        let (row, response) = ui
                            .allocate_exact_size(vec2(ui.available_width(), 25.0), Sense::click());
                        let painter = ui.painter().with_clip_rect(row);
                        if chosen {
                            painter.rect_filled(row, CornerRadius::ZERO, l.chosen.0);
                            painter.rect_filled(
                                Rect::from_min_size(row.min, vec2(3.0, row.height())),
                                CornerRadius::ZERO,
                                l.accent.0,
                            );
                        } else if response.hovered() {
                            painter.rect_filled(row, CornerRadius::ZERO, l.bg3.0);
                        }
                        let kind = battle.kind_of(*unit);
                        let ink = if mark.men > 0 { l.text.0 } else { l.refused.0 };
                        signs.draw(
                            &painter,
                            Rect::from_min_size(row.min + vec2(8.0, 4.0), vec2(17.0, 17.0)),
                            &kind.sign,
                            ink,
                        );
                        let state = doing(words, mark);
                        let state = painter.layout_no_wrap(state, sans(12.0), l.muted.0);
                        let state_x = row.right() - 8.0 - state.size().x;
                        let men_x = row.right() - 74.0;
                        painter.galley(
                            pos2(state_x, row.center().y - state.size().y / 2.0),
                            state,
                            l.muted.0,
                        );
                        painter.text(
                            pos2(men_x.min(state_x - 8.0), row.center().y),
                            egui::Align2::RIGHT_CENTER,
                            count(mark.men),
                            sans(13.0),
                            ink,
                        );
                        let name_clip = Rect::from_min_max(
                            row.min + vec2(31.0, 0.0),
                            pos2(men_x - 40.0, row.bottom()),
                        );
                        let name = fit(
                            &painter,
                            words.name(&battle.units[unit.index()].name),
                            name_clip.width(),
                        );
                        painter.text(
                            row.left_center() + vec2(31.0, 0.0),
                            egui::Align2::LEFT_CENTER,
                            name,
                            sans(13.0),
                            ink,
                        );
                        if response.clicked() {
                            let add = ui.input(|i| i.modifiers.shift || i.modifiers.command);
                            play.choose(*unit, add);
                        }
                        if response.double_clicked() {
                            go_to = Some(*unit);
                        }
                        response.on_hover_text(words.name(&battle.units[unit.index()].name));
                        spots.push((format!("unit.{}", battle.units[unit.index()].id), row));
                    }
                }
            });
        ui.horizontal(|ui| {
            ui.label(text(words.t("gauges"), 12.0, l.muted.0));
        });
        if let Some(unit) = go_to
            && let Some(mark) = frame.units.get(unit.index())
        {
            play.view.centre = play.land.m(mark.at);
        }
    }
    for (name, rect) in spots {
        desk.spot(&name, rect);
    }
}

/// Cuts a name to a width with an ellipsis.
fn fit(painter: &egui::Painter, name: &str, width: f32) -> String {
    let wide = |s: &str| painter.layout_no_wrap(s.to_owned(), sans(13.0), Color32::WHITE).size().x;
    if wide(name) <= width {
        return name.to_owned();
    }
    let mut chars: Vec<char> = name.chars().collect();
    while chars.len() > 1 {
        chars.pop();
        let short: String = chars.iter().collect::<String>().trim_end().to_owned() + "...";
        if wide(&short) <= width {
            return short;
        }
    }
    name.to_owned()
}

fn mean(units: &[UnitId], frame: &Frame, of: impl Fn(&UnitMark) -> Option<u8>) -> Option<f32> {
    let (mut sum, mut men) = (0.0, 0.0);
    for unit in units {
        let Some(mark) = frame.units.get(unit.index()).filter(|m| m.men > 0) else { continue };
        if let Some(v) = of(mark) {
            sum += f32::from(v) * mark.men as f32;
            men += mark.men as f32;
        }
    }
    (men > 0.0).then(|| sum / men / 100.0)
}

/// The chosen unit, or what happened.
pub fn right(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let tab = {
        let Desk { play: Some(play), theme, words, .. } = desk else { return };
        ui.horizontal(|ui| {
            for (tab, key) in [(Tab::Unit, "tab-unit"), (Tab::Events, "tab-events")] {
                let response = toggle(ui, theme, &words.t(key), play.tab == tab);
                if response.clicked() {
                    play.tab = tab;
                }
                spots.push((key.to_owned(), response.rect));
            }
        });
        play.tab
    };
    for (name, rect) in spots {
        desk.spot(&name, rect);
    }
    ui.add_space(2.0);
    match tab {
        Tab::Unit => unit_panel(ui, desk),
        Tab::Events => events(ui, desk),
    }
}

fn unit_panel(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let probe = desk.probe.is_some();
    {
        let Desk { play: Some(play), theme, words, signs, .. } = desk else { return };
        let l = theme.lacquer().clone();
        let battle = play.battle();
        let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
        let Some(first) = play.chosen.first().copied() else {
            ui.add_space(8.0);
            ui.label(title(words.t("none-chosen"), 18.0, l.text.0));
            ui.label(text(words.t("none-chosen-how"), 13.0, l.muted.0));
            ui.add_space(8.0);
            rule(ui, l.line.0);
            aims(ui, &battle, play.session.side(), words, theme);
            return;
        };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.set_max_width(ui.available_width() - 8.0);
            header(ui, play, &battle, &frame, first, theme, words, signs);
            rule(ui, l.line.0);
            let Some(side) = play.session.side() else {
                standing(ui, play, &battle, theme, words, &mut spots);
                return;
            };
            // The form stands in the place of the verbs, so that its foot is in sight.
            if play.form.open {
                order_form(ui, play, &battle, &frame, side, theme, words, &mut spots);
                rule(ui, l.line.0);
            } else {
                verbs(ui, play, &battle, &frame, side, theme, words, signs, &mut spots);
                order_form(ui, play, &battle, &frame, side, theme, words, &mut spots);
                rule(ui, l.line.0);
            }
            standing(ui, play, &battle, theme, words, &mut spots);
        });
    }
    if probe {
        for (name, rect) in spots {
            desk.spot(&name, rect);
        }
    }
}

fn aims(ui: &mut Ui, battle: &Scenario, side: Option<SideId>, words: &Words, theme: &Theme) {
    let l = theme.lacquer();
    ui.label(title(words.t("aims"), 15.0, l.text.0));
    for aim in battle.objectives.iter().filter(|o| side.is_none_or(|s| s == o.side)) {
        ui.horizontal(|ui| {
            let pigment = theme.pigment(battle.sides[aim.side.index()].slot);
            side_dot(ui, &pigment, pigment.lacquer);
            ui.add(egui::Label::new(text(words.name(&aim.text), 13.0, l.text.0)).wrap());
        });
    }
}

#[allow(clippy::too_many_arguments, reason = "a panel needs its paint")]
fn header(
    ui: &mut Ui,
    play: &Play,
    battle: &Scenario,
    frame: &Frame,
    first: UnitId,
    theme: &Theme,
    words: &Words,
    signs: &super::signs::Signs,
) {
    let l = theme.lacquer();
    let unit = &battle.units[first.index()];
    let kind = battle.kind_of(first);
    let pigment = theme.pigment(battle.sides[battle.side_of(first).index()].slot);
    let many = play.chosen.len() > 1;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::hover());
    let tile = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(34.0, 34.0));
    unit_tile(ui.painter(), signs, tile, &pigment, &kind.sign, theme.banner().0, None);
    let name = if many {
        words.say("many-units", &[("n", (play.chosen.len() as i32).into())])
    } else {
        words.name(&unit.name).to_owned()
    };
    ui.painter().text(
        rect.min + vec2(44.0, 13.0),
        egui::Align2::LEFT_CENTER,
        name,
        FontId::new(18.0, serif()),
        l.text.0,
    );
    let sub = if many {
        play.chosen
            .iter()
            .take(3)
            .map(|u| words.name(&battle.units[u.index()].name))
            .collect::<Vec<_>>()
            .join(&words.t("say-comma"))
    } else {
        format!("{} {}", words.name(&kind.name), words.other(&kind.name))
    };
    ui.painter().with_clip_rect(rect).text(
        rect.min + vec2(44.0, 33.0),
        egui::Align2::LEFT_CENTER,
        sub,
        sans(13.0),
        l.muted.0,
    );
    let marks: Vec<&UnitMark> =
        play.chosen.iter().filter_map(|u| frame.units.get(u.index())).collect();
    let (men, lost): (i32, i32) = marks.iter().fold((0, 0), |s, m| (s.0 + m.men, s.1 + m.lost));
    ui.horizontal(|ui| {
        let corps: CorpsId = unit.corps;
        ui.label(text(words.name(&battle.corps[corps.index()].name), 13.0, l.text.0));
        if marks.iter().any(|m| m.rampart) {
            ui.label(text(words.t("on-rampart"), 13.0, l.muted.0));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(text(
                words.say("men-lost", &[("men", count(men).into()), ("lost", count(lost).into())]),
                13.0,
                l.text.0,
            ));
        });
    });
    for (k, (key, value)) in [
        ("gauge-heart", mean(&play.chosen, frame, |u| Some(u.heart))),
        ("gauge-stamina", mean(&play.chosen, frame, |u| Some(u.stamina))),
        ("gauge-ammo", mean(&play.chosen, frame, |u| u.ammo)),
    ]
    .into_iter()
    .enumerate()
    {
        let Some(v) = value else { continue };
        let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 17.0), Sense::hover());
        let painter = ui.painter();
        painter.text(
            row.left_center(),
            egui::Align2::LEFT_CENTER,
            words.t(key),
            sans(12.0),
            l.muted.0,
        );
        let well = Rect::from_min_max(
            pos2(row.left() + 110.0, row.center().y - 3.0),
            pos2(row.right() - 44.0, row.center().y + 3.0),
        );
        gauge(painter, well, v, theme.gauge(k, v), l.well.0);
        painter.text(
            row.right_center(),
            egui::Align2::RIGHT_CENTER,
            format!("{:.0}%", v * 100.0),
            sans(12.0),
            l.text.0,
        );
    }
    if let [mark] = marks[..] {
        ui.horizontal(|ui| {
            ui.label(text(doing(words, mark), 13.0, l.accent.0));
            if mark.companies > 0 {
                let said = words.say(
                    "companies-broken",
                    &[
                        ("all", i32::from(mark.companies).into()),
                        ("broken", i32::from(mark.broken).into()),
                    ],
                );
                ui.label(text(said, 13.0, l.muted.0));
            }
        });
    }
}

#[allow(clippy::too_many_arguments, reason = "a panel needs its paint")]
fn verbs(
    ui: &mut Ui,
    play: &mut Play,
    battle: &Scenario,
    frame: &Frame,
    side: SideId,
    theme: &Theme,
    words: &Words,
    signs: &super::signs::Signs,
    spots: &mut Vec<(String, Rect)>,
) {
    let l = theme.lacquer().clone();
    let planning = play.planning();
    let chosen = play.chosen.clone();
    let desk = form::Desk { battle, frame, side, chosen: &chosen };
    ui.horizontal(|ui| {
        ui.label(title(words.t("orders"), 15.0, l.text.0));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (_, via) = desk.sends();
            let said = match via {
                None => words.t("via-planned"),
                Some(channel) => words.say(
                    "via-arrives",
                    &[
                        ("via", Teller { words, battle }.channel(channel).into()),
                        ("s", desk.arrives_s().into()),
                    ],
                ),
            };
            ui.label(text(said, 12.0, l.muted.0));
        });
    });
    let mut given: Option<Line> = None;
    let wide = (ui.available_width() - 8.0) / 2.0;
    for row in Deed::ALL.chunks(2) {
        ui.horizontal(|ui| {
            for deed in row {
                let may = desk.may(*deed, &play.form);
                let on = planning && may.is_ok();
                let (rect, response) = ui.allocate_exact_size(vec2(wide, 28.0), Sense::click());
                let painter = ui.painter();
                let hot = response.hovered() && on;
                painter.rect(
                    rect,
                    CornerRadius::ZERO,
                    if hot { l.bg3.0 } else { l.bg2.0 },
                    Stroke::new(1.0, if hot { l.accent.0 } else { l.line.0 }),
                    StrokeKind::Inside,
                );
                let ink = if on { l.text.0 } else { l.refused.0 };
                signs.draw(
                    painter,
                    Rect::from_min_size(rect.min + vec2(7.0, 6.0), vec2(16.0, 16.0)),
                    deed.sign(),
                    ink,
                );
                key_cap(
                    painter,
                    pos2(rect.right() - 6.0, rect.center().y),
                    deed.letter(),
                    l.muted.0,
                    l.line.0,
                );
                let name = painter.layout_no_wrap(words.t(deed.key()), sans(13.0), ink);
                let at = pos2(rect.left() + 31.0, rect.center().y - name.size().y / 2.0);
                let (y, x1) = (at.y + name.size().y / 2.0 + 1.0, at.x + name.size().x);
                painter.with_clip_rect(rect.shrink(2.0)).galley(at, name, ink);
                if may.is_err() {
                    painter.hline(at.x..=x1, y, Stroke::new(1.2, l.refused.0));
                }
                spots.push((deed.key().to_owned(), rect));
                if response.clicked() && on {
                    given = desk.order(*deed, &play.form, Cond::Start).ok();
                }
                match may {
                    Err(no) => {
                        response.on_hover_ui(|ui| {
                            let (bar, _) = ui.allocate_exact_size(vec2(180.0, 7.0), Sense::hover());
                            hazard(ui.painter(), bar, theme);
                            ui.label(text(words.t(no.key()), 13.0, l.text.0));
                        });
                    }
                    Ok(()) if !planning => {
                        response.on_hover_text(words.t("note-not-now"));
                    }
                    Ok(()) => {}
                }
            }
        });
    }
    if let Some(line) = given {
        play.session.give(line);
    }
}

fn concerns(line: &Line, chosen: &[UnitId], gates: &[WorkId]) -> bool {
    line.who.iter().any(|s| match s {
        Subject::Unit(u) => chosen.contains(u),
        Subject::Work(w) => gates.contains(w),
        Subject::Person(_) => false,
    })
}

fn standing(
    ui: &mut Ui,
    play: &mut Play,
    battle: &Scenario,
    theme: &Theme,
    words: &Words,
    spots: &mut Vec<(String, Rect)>,
) {
    let l = theme.lacquer().clone();
    let teller = Teller { words, battle };
    let pulse = play.pulse();
    // A gate's orders are shown with any unit of the post that keeps it.
    let gates: Vec<WorkId> = battle
        .gates
        .iter()
        .filter(|g| play.chosen.iter().any(|u| battle.post_of(*u) == g.keeper))
        .map(|g| g.work)
        .collect();
    let side = play.chosen.first().map(|u| battle.side_of(*u));
    let old: Vec<Line> = side.map_or_else(Vec::new, |s| {
        play.session.given(s).filter(|l| concerns(l, &play.chosen, &gates)).cloned().collect()
    });
    let new: Vec<Line> = play
        .session
        .pending()
        .iter()
        .filter(|l| concerns(l, &play.chosen, &gates))
        .cloned()
        .collect();
    let fired: std::collections::BTreeSet<String> = play
        .session
        .timeline()
        .entries
        .iter()
        .filter(|e| e.pulse < pulse)
        .filter_map(|e| match &e.what {
            Happening::OrderTaken { label, .. } => Some(label.clone()),
            _ => None,
        })
        .collect();
    ui.horizontal(|ui| {
        ui.label(title(words.t("standing"), 15.0, l.text.0));
        ui.label(text((old.len() + new.len()).to_string(), 13.0, l.muted.0));
    });
    if old.is_empty() && new.is_empty() {
        ui.label(text(words.t("standing-none"), 13.0, l.muted.0));
    }
    let mut back = None;
    for (line, pending) in old.iter().map(|l| (l, false)).chain(new.iter().map(|l| (l, true))) {
        let done = fired.contains(&line.label);
        let frame = egui::Frame::new()
            .fill(l.well.0)
            .stroke(Stroke::new(1.0, if pending { l.accent.0 } else { l.line.0 }))
            .inner_margin(egui::Margin::symmetric(8, 5));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.label(text(&line.label, 12.0, if pending { l.accent.0 } else { l.muted.0 }));
                ui.label(text(
                    words.t(if pending {
                        "line-new"
                    } else if done {
                        "line-done"
                    } else {
                        "line-waits"
                    }),
                    12.0,
                    if done { l.ok.0 } else { l.muted.0 },
                ));
                ui.label(text(teller.who(&line.who), 12.0, l.muted.0));
                if pending {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        if toggle(ui, theme, &words.t("take-back"), false).clicked() {
                            back = Some(line.id);
                        }
                    });
                }
            });
            ui.add(
                egui::Label::new(text(
                    teller.line(line),
                    13.0,
                    if done { l.muted.0 } else { l.text.0 },
                ))
                .wrap(),
            );
        });
    }
    if let Some(id) = back {
        play.session.take_back(id);
    }
    let _ = spots;
}

#[allow(clippy::too_many_arguments, reason = "a panel needs its paint")]
fn order_form(
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
            let lines: Vec<String> = play
                .session
                .given(side)
                .chain(play.session.pending())
                .map(|l| l.label.clone())
                .collect();
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
        let desk = form::Desk { battle, frame, side, chosen: &chosen };
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
    let chosen = play.chosen.clone();
    let desk = form::Desk { battle, frame, side, chosen: &chosen };
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
            });
        }
        Err(no) => {
            let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 7.0), Sense::hover());
            hazard(ui.painter(), bar, theme);
            ui.add(egui::Label::new(text(words.t(no.key()), 13.0, l.text.0)).wrap());
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

/// What happened, newest first.
fn events(ui: &mut Ui, desk: &mut Desk) {
    let Desk { play: Some(play), theme, words, .. } = desk else { return };
    let l = theme.lacquer().clone();
    let battle = play.battle();
    let now = play.pulse();
    let moments = play.session.timeline().moments_in(0, now + 1);
    let side = play.session.side();
    let rows: Vec<(usize, String, Option<SideId>, u32, Option<crate::core::measure::PointCm>)> =
        moments
            .iter()
            .rev()
            .filter(|m| {
                m.side.is_none()
                    || side.is_none()
                    || m.side == side
                    || m.at.is_some_and(|_| seen_at(play, m))
            })
            .filter_map(|m| {
                let entry = play.session.timeline().entries.get(m.entry)?;
                Some((
                    m.entry,
                    super::tell::entry(words, &battle, &play.session, entry)?,
                    m.side,
                    m.pulse,
                    m.at,
                ))
            })
            .take(120)
            .collect();
    ui.label(text(
        words.say("events-count", &[("n", (moments.len() as i32).into())]),
        12.0,
        l.muted.0,
    ));
    let mut jump = None;
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for (_, said, side, pulse, at) in rows {
            let width = ui.available_width();
            let galley = ui.painter().layout(said, sans(13.0), l.text.0, width - 74.0);
            let (rect, response) =
                ui.allocate_exact_size(vec2(width, galley.size().y + 8.0), Sense::click());
            let painter = ui.painter();
            if response.hovered() {
                painter.rect_filled(rect, CornerRadius::ZERO, l.bg3.0);
            }
            painter.text(
                rect.min + vec2(4.0, 4.0),
                egui::Align2::LEFT_TOP,
                clock(pulse as i32 * battle.pulse_s),
                sans(12.0),
                l.muted.0,
            );
            if let Some(side) = side {
                let pigment = theme.pigment(battle.sides[side.index()].slot);
                super::bits::side_mark(
                    painter,
                    rect.min + vec2(56.0, 13.0),
                    &pigment,
                    pigment.lacquer,
                );
            }
            painter.galley(rect.min + vec2(68.0, 3.0), galley, l.text.0);
            painter.hline(rect.x_range(), rect.bottom(), Stroke::new(0.5, l.line.0));
            if response.clicked() {
                jump = Some((pulse, at));
            }
        }
    });
    if let Some((pulse, at)) = jump {
        play.seek(f64::from(pulse));
        if let Some(at) = at {
            let place = play.land.m(at);
            play.view.centre = place;
            play.flash = Some((place, ui.input(|i| i.time) + 2.0));
        }
    }
}

/// Whether an event of the other side happened before the person's eyes.
fn seen_at(play: &Play, moment: &crate::view::timeline::Moment) -> bool {
    let (Some(side), Some(at)) = (play.session.side(), moment.at) else { return true };
    let frame = play.session.frame(moment.pulse);
    frame.marks.iter().any(|m| m.at == at && m.seen >> side.0 & 1 == 1)
}

/// Turns, time, layers, and the first button.
pub fn bottom(ui: &mut Ui, desk: &mut Desk) {
    let mut spots: Vec<(String, Rect)> = Vec::new();
    let mut report = false;
    {
        let Desk { play: Some(play), theme, words, .. } = desk else { return };
        let l = theme.lacquer().clone();
        let battle = play.battle();
        scrubber(ui, play, &battle, theme, words, &mut spots);
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            let busy = matches!(play.session.phase(), Phase::Running | Phase::Forking(_));
            for (name, key, act) in [
                ("to-start", "Home", 0),
                ("step-back", "←", 1),
                ("play", "", 2),
                ("step-on", "→", 3),
                ("to-end", "End", 4),
            ] {
                let words_of = if act == 2 {
                    words.t(if play.playing { "pause" } else { "play" })
                } else {
                    words.t(name)
                };
                let response = button(ui, theme, &words_of, key, false, true, 0.0);
                if response.clicked() {
                    match act {
                        0 => play.seek(0.0),
                        1 => play.seek(play.cursor.ceil() - 1.0),
                        2 => {
                            if play.playing || !play.planning() {
                                play.space();
                            }
                        }
                        3 => play.seek(play.cursor.floor() + 1.0),
                        _ => play.seek(f64::from(play.session.last())),
                    }
                }
                spots.push((name.to_owned(), response.rect));
            }
            ui.separator();
            for (i, speed) in SPEEDS.iter().enumerate() {
                let response = toggle(ui, theme, &format!("{speed:.0}×"), play.speed == i);
                if response.clicked() {
                    play.speed = i;
                }
                spots.push((format!("speed.{i}"), response.rect));
            }
            ui.separator();
            for (name, on) in [
                ("layer-density", &mut play.layers.density),
                ("layer-bodies", &mut play.layers.bodies),
                ("layer-names", &mut play.layers.names),
            ] {
                let response = toggle(ui, theme, &words.t(name), *on);
                if response.clicked() {
                    *on = !*on;
                }
                spots.push((name.to_owned(), response.rect));
            }
            let rampart = play.level == Level::Rampart;
            let response = toggle(
                ui,
                theme,
                &words.t(if rampart { "level-rampart" } else { "level-ground" }),
                rampart,
            );
            if response.clicked() {
                play.level = if rampart { Level::Ground } else { Level::Rampart };
            }
            spots.push(("level".into(), response.rect));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let over = play.session.phase() == Phase::Over;
                let planning = play.planning();
                let label = if over {
                    words.t("to-report")
                } else if busy {
                    words.t("resolving")
                } else if planning {
                    words.t("end-turn")
                } else {
                    words.t("to-plan")
                };
                let key = if planning {
                    words.t("key-space")
                } else if over || busy {
                    String::new()
                } else {
                    "P".to_owned()
                };
                let response = button(ui, theme, &label, &key, true, over || !busy, 150.0);
                spots.push(("end-turn".into(), response.rect));
                if response.clicked() {
                    if over {
                        report = true;
                    } else if planning {
                        play.end_turn();
                    } else if !busy {
                        play.seek(f64::from(play.session.last()));
                    }
                }
                let can = !busy && !play.at_end();
                let fork = button(ui, theme, &words.t("fork"), "F", false, can, 0.0);
                spots.push(("fork".into(), fork.rect));
                if fork.clicked() && can {
                    play.fork();
                }
                if planning && let Some(side) = play.session.side() {
                    let idle = idle_units(play, &battle, side);
                    if idle > 0 {
                        ui.label(text(
                            words.say("no-order", &[("n", (idle as i32).into())]),
                            13.0,
                            l.accent.0,
                        ));
                    }
                }
            });
        });
    }
    for (name, rect) in spots {
        desk.spot(&name, rect);
    }
    if report {
        super::report::open(desk);
    }
}

/// Units of a side that no line has ever named.
fn idle_units(play: &Play, battle: &Scenario, side: SideId) -> usize {
    let named = |u: UnitId| {
        play.session
            .given(side)
            .chain(play.session.pending())
            .any(|l| l.who.iter().any(|s| *s == Subject::Unit(u)))
    };
    (0..battle.units.len())
        .map(UnitId::from_index)
        .filter(|u| battle.side_of(*u) == side && !named(*u))
        .count()
}

/// The whole battle as losses up and down, with turns, events and a playhead.
fn scrubber(
    ui: &mut Ui,
    play: &mut Play,
    battle: &Scenario,
    theme: &Theme,
    words: &Words,
    spots: &mut Vec<(String, Rect)>,
) {
    let l = theme.lacquer();
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 58.0), Sense::click_and_drag());
    let painter = ui.painter().with_clip_rect(rect);
    let strip = Rect::from_min_max(
        rect.min + vec2(64.0, 2.0),
        pos2(rect.right() - 150.0, rect.bottom() - 16.0),
    );
    painter.rect(
        strip,
        CornerRadius::ZERO,
        l.well.0,
        Stroke::new(1.0, l.line.0),
        StrokeKind::Inside,
    );
    let last = play.session.last().max(1);
    let whole = last.max(battle.max_turn_s as u32 / battle.pulse_s.max(1) as u32);
    let x = |pulse: f64| strip.left() + strip.width() * (pulse / f64::from(whole)) as f32;
    let bins = (strip.width() / 4.0) as u32;
    let side_rows: Vec<(u8, usize)> =
        battle.sides.iter().enumerate().take(2).map(|(i, s)| (s.slot, i)).collect();
    let mut most = 1;
    let mut heights: Vec<[i32; 2]> = Vec::with_capacity(bins as usize);
    for bin in 0..bins {
        let (a, b) = (bin * whole / bins, (bin + 1) * whole / bins);
        let mut row = [0; 2];
        if a < last {
            for (k, (_, side)) in side_rows.iter().enumerate() {
                let side = SideId::from_index(*side);
                row[k] = super::crowd::lost(play.session.frame(b.min(last)), side)
                    - super::crowd::lost(play.session.frame(a), side);
                most = most.max(row[k]);
            }
        }
        heights.push(row);
    }
    let middle = strip.center().y;
    let half = strip.height() / 2.0 - 5.0;
    for (bin, row) in heights.iter().enumerate() {
        for (k, (slot, _)) in side_rows.iter().enumerate() {
            let high = (row[k] as f32 / most as f32).sqrt() * half;
            if row[k] > 0 {
                let left = strip.left() + bin as f32 * strip.width() / bins as f32;
                let way = if k == 0 { -1.0 } else { 1.0 };
                let bar = Rect::from_two_pos(
                    pos2(left, middle),
                    pos2(left + 3.2, middle + way * high.max(1.0)),
                );
                painter.rect_filled(bar, CornerRadius::ZERO, theme.pigment(*slot).lacquer);
            }
        }
    }
    painter.hline(strip.x_range(), middle, Stroke::new(1.0, l.line.0));
    for (n, turn) in play.session.turns().iter().enumerate() {
        let at = x(f64::from(turn.to));
        painter.vline(at, strip.y_range(), Stroke::new(1.0, l.line.0));
        let room = x(f64::from(turn.to)) - x(f64::from(turn.from));
        if room > 16.0 {
            painter.text(
                pos2(x(f64::from(turn.from)) + 3.0, strip.top() + 1.0),
                egui::Align2::LEFT_TOP,
                (n + 1).to_string(),
                sans(11.0),
                l.muted.0,
            );
        }
    }
    let every = [30, 60, 120, 300, 600]
        .into_iter()
        .find(|s| {
            f64::from(*s) / f64::from(battle.pulse_s) / f64::from(whole) * f64::from(strip.width())
                > 90.0
        })
        .unwrap_or(600);
    let mut at = 0;
    while at <= whole as i32 * battle.pulse_s {
        painter.text(
            pos2(x(f64::from(at) / f64::from(battle.pulse_s)), strip.bottom() + 2.0),
            egui::Align2::CENTER_TOP,
            clock(at),
            sans(11.0),
            l.muted.0,
        );
        at += every;
    }
    for moment in play.session.timeline().moments_in(0, last + 1) {
        let Some(entry) = play.session.timeline().entries.get(moment.entry) else { continue };
        let big = matches!(
            entry.what,
            Happening::GateShut { .. }
                | Happening::GateJammed { .. }
                | Happening::PersonFell { .. }
                | Happening::Call { .. }
                | Happening::Ended { .. }
                | Happening::GateOpened { .. }
        );
        if big {
            painter.circle_filled(
                pos2(x(f64::from(moment.pulse)), strip.top() + 5.0),
                3.0,
                l.accent.0,
            );
        }
    }
    let head = x(play.cursor);
    painter.vline(head, strip.y_range(), Stroke::new(2.0, l.accent.0));
    painter.add(egui::Shape::convex_polygon(
        vec![
            pos2(head - 6.0, strip.top()),
            pos2(head + 6.0, strip.top()),
            pos2(head, strip.top() + 8.0),
        ],
        l.accent.0,
        Stroke::NONE,
    ));
    painter.text(
        pos2(rect.left() + 2.0, middle),
        egui::Align2::LEFT_CENTER,
        clock((play.cursor * f64::from(battle.pulse_s)) as i32),
        sans(15.0),
        l.accent.0,
    );
    let frame = play.session.frame(play.pulse());
    for (k, (slot, side)) in side_rows.iter().enumerate() {
        let own = play.session.side().is_none_or(|s| s.index() == *side);
        let pigment = theme.pigment(*slot);
        let said = words.say(
            "lost-so-far",
            &[("n", count(super::crowd::lost(frame, SideId::from_index(*side))).into())],
        );
        let y = strip.top() + 9.0 + k as f32 * 18.0;
        super::bits::side_mark(&painter, pos2(strip.right() + 14.0, y), &pigment, pigment.lacquer);
        painter.text(
            pos2(strip.right() + 24.0, y),
            egui::Align2::LEFT_CENTER,
            said,
            sans(13.0),
            if own { pigment.lacquer } else { l.muted.0 },
        );
    }
    spots.push((
        "scrub.start".into(),
        Rect::from_center_size(pos2(strip.left() + 2.0, middle), vec2(2.0, 2.0)),
    ));
    spots.push((
        "scrub.end".into(),
        Rect::from_center_size(pos2(x(f64::from(last)) - 1.0, middle), vec2(2.0, 2.0)),
    ));
    if (response.dragged() || response.clicked())
        && let Some(at) = response.interact_pointer_pos()
    {
        let pulse = f64::from((at.x - strip.left()) / strip.width()) * f64::from(whole);
        play.seek(pulse.round());
    }
}
