//! The right of the frame: the chosen unit, what it can be told to do, and what
//! it has been told.

use bevy_egui::egui::{
    self, Align, CornerRadius, FontId, Layout, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    pos2, vec2,
};

use crate::core::ids::{CorpsId, SideId, UnitId, WorkId};
use crate::orders::ast::{Cond, Line, Subject};
use crate::scenario::battle::Scenario;
use crate::view::Emplaced;
use crate::view::frame::{Frame, UnitMark};
use crate::view::letters::Standing;
use crate::view::works::EngineMark;

use super::bits::{gauge, hazard, key_cap, rule, sans, side_dot, text, title, toggle, unit_tile};
use super::form::{self, Deed};
use super::panels::{doing, mean};
use super::say::Teller;
use super::state::{Desk, Play, Tab};
use super::theme::{Theme, serif};
use super::words::{Words, clock, count};

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
        Tab::Events => super::hours::events(ui, desk),
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
                super::draft::order_form(ui, play, &battle, &frame, side, theme, words, &mut spots);
                rule(ui, l.line.0);
            } else {
                verbs(ui, play, &battle, &frame, side, theme, words, signs, &mut spots);
                super::draft::order_form(ui, play, &battle, &frame, side, theme, words, &mut spots);
                rule(ui, l.line.0);
            }
            super::card::card(ui, play, &battle, &frame, side, theme, words, &mut spots);
            rule(ui, l.line.0);
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
    if let Some(said) = engines(play, frame, words) {
        ui.add(egui::Label::new(text(said, 12.0, l.muted.0)).wrap());
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

/// How the engines of the chosen stand, in one line; none where they serve none.
fn engines(play: &Play, frame: &Frame, words: &Words) -> Option<String> {
    let chosen = |e: &&EngineMark| play.chosen.contains(&play.session.unit_of(e.company));
    let all: Vec<&EngineMark> = frame.engines.iter().filter(chosen).collect();
    if all.is_empty() {
        return None;
    }
    let n = |is: &dyn Fn(&EngineMark) -> bool| all.iter().filter(|e| is(e)).count() as i32;
    let forward = |e: &EngineMark| e.works && e.stand == Emplaced::Forward;
    Some(words.say(
        "engines-state",
        &[
            ("ready", n(&|e| forward(e) && e.load >= 100).into()),
            ("loading", n(&|e| forward(e) && e.load < 100).into()),
            ("back", n(&|e| e.works && e.stand == Emplaced::Back).into()),
            ("low", n(&|e| e.works && e.depressed).into()),
            ("gone", n(&|e| !e.works).into()),
        ],
    ))
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
    let (chosen, labels) = (play.chosen.clone(), play.labels());
    let desk = form::Desk { battle, frame, side, chosen: &chosen, labels: &labels };
    ui.label(title(words.t("orders"), 15.0, l.text.0));
    let plain = desk.line(Cond::Start, Vec::new());
    let way = super::draft::goes(words, battle, &desk, &plain);
    ui.add(egui::Label::new(text(way, 12.0, l.muted.0)).wrap());
    let mut given: Option<Line> = None;
    let wide = (ui.available_width() - 8.0) / 2.0;
    for row in Deed::ALL.chunks(2) {
        ui.horizontal(|ui| {
            for deed in row {
                let may = desk.order(*deed, &play.form, Cond::Start);
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
                    given = may.clone().ok();
                }
                match may {
                    Err(no) => {
                        response.on_hover_ui(|ui| {
                            let (bar, _) = ui.allocate_exact_size(vec2(180.0, 7.0), Sense::hover());
                            hazard(ui.painter(), bar, theme);
                            ui.label(text(no.words(words), 13.0, l.text.0));
                        });
                    }
                    Ok(_) if !planning => {
                        response.on_hover_text(words.t("note-not-now"));
                    }
                    Ok(line) => {
                        response.on_hover_text(super::draft::goes(words, battle, &desk, &line));
                    }
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
        let given = play.session.given_until(s, pulse);
        given.filter(|l| concerns(l, &play.chosen, &gates)).cloned().collect()
    });
    let new: Vec<Line> = play
        .session
        .pending()
        .iter()
        .filter(|l| concerns(l, &play.chosen, &gates))
        .cloned()
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
        let stands = (!pending).then(|| play.session.standing(line, pulse));
        let done = stands == Some(Standing::Taken);
        let state = match stands {
            None => words.t("line-new"),
            Some(Standing::Waits) => words.t("line-waits"),
            Some(Standing::Leaves) => words.t("line-leaves"),
            Some(Standing::Taken) => words.t("line-done"),
            Some(Standing::Travels(channel, s)) => words.say(
                "line-travels",
                &[("via", teller.channel(channel).into()), ("time", clock(s).into())],
            ),
        };
        let moves = matches!(stands, Some(Standing::Travels(..) | Standing::Leaves));
        let frame = egui::Frame::new()
            .fill(l.well.0)
            .stroke(Stroke::new(1.0, if pending { l.accent.0 } else { l.line.0 }))
            .inner_margin(egui::Margin::symmetric(8, 5));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.label(text(&line.label, 12.0, if pending { l.accent.0 } else { l.muted.0 }));
                let ink = if done {
                    l.ok.0
                } else if moves {
                    l.accent.0
                } else {
                    l.muted.0
                };
                ui.label(text(state, 12.0, ink));
                if pending {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        if toggle(ui, theme, &words.t("take-back"), false).clicked() {
                            back = Some(line.id);
                        }
                    });
                }
            });
            if line.who.len() > 1 || play.chosen.len() > 1 {
                ui.add(egui::Label::new(text(teller.who(&line.who), 12.0, l.muted.0)).wrap());
            }
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
