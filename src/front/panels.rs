//! The lacquer frame about the map: the top line and the list of what I have.

use bevy_egui::egui::{
    self, Align, Color32, CornerRadius, FontId, Layout, Rect, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::{SideId, UnitId};
use crate::view::frame::{Doing, Frame, Shooting, UnitMark};

use super::bits::{button, gauge, sans, side_dot, text, title};
use super::state::{Desk, Play, Screen, Tab};
use super::theme::serif;
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
            play.look(play.land.m(mark.at));
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

/// Mean of a gauge over men, 0 to 1; none where nobody has it.
pub(super) fn mean(
    units: &[UnitId],
    frame: &Frame,
    of: impl Fn(&UnitMark) -> Option<u8>,
) -> Option<f32> {
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
