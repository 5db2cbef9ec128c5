//! Time: what happened, the whole battle as a strip, turns and playback.

use bevy_egui::egui::{
    self, Align, CornerRadius, Layout, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::{SideId, UnitId};
use crate::core::measure::PointCm;
use crate::orders::ast::Subject;
use crate::scenario::battle::Scenario;
use crate::scenario::site::Level;
use crate::view::Happening;
use crate::view::session::Phase;
use crate::view::timeline::Told;

use super::bits::{button, sans, text, toggle};
use super::state::{Desk, Play, SPEEDS};
use super::theme::Theme;
use super::words::{Words, clock, count};

/// Most lines of the list of events.
const ROWS: usize = 120;

/// A line of the list of events.
struct Row {
    said: String,
    side: Option<SideId>,
    pulse: u32,
    at: Option<PointCm>,
    /// Of how many companies it is said.
    times: u32,
}

/// What happened, newest first.
pub(super) fn events(ui: &mut Ui, desk: &mut Desk) {
    let Desk { play: Some(play), theme, words, .. } = desk else { return };
    let l = theme.lacquer().clone();
    let battle = play.battle();
    let now = play.pulse();
    let moments = play.session.timeline().moments_in(0, now + 1);
    let side = play.session.side();
    let shown = moments.iter().rev().filter(|m| {
        // What is done at a wall is in everybody's sight.
        let open = matches!(m.what, Told::Heads(..) | Told::Ladders(..));
        open || m.side.is_none()
            || side.is_none()
            || m.side == side
            || m.at.is_some() && seen_at(play, m)
    });
    // The same thing of several companies in one pulse is one line.
    let mut rows: Vec<Row> = Vec::new();
    for moment in shown {
        let Some(said) = super::tell::told(words, &battle, &play.session, moment.what) else {
            continue;
        };
        let (side, pulse, at) = (moment.side, moment.pulse, moment.at);
        let same = |r: &&mut Row| r.pulse == pulse && r.side == side && r.said == said;
        let full = rows.len() >= ROWS;
        match rows.iter_mut().rev().take_while(|r| r.pulse == pulse).find(same) {
            Some(row) => row.times += 1,
            None if full => break,
            None => rows.push(Row { said, side, pulse, at, times: 1 }),
        }
    }
    ui.label(text(
        words.say("events-count", &[("n", (moments.len() as i32).into())]),
        12.0,
        l.muted.0,
    ));
    let mut jump = None;
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for Row { said, side, pulse, at, times } in rows {
            let said = if times > 1 { format!("{said} ×{times}") } else { said };
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
            play.look(place);
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
            .any(|l| l.who.contains(&Subject::Unit(u)))
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
        let big = |entry: usize| {
            let entry = play.session.timeline().entries.get(entry);
            matches!(
                entry.map(|e| &e.what),
                Some(
                    Happening::GateShut { .. }
                        | Happening::GateJammed { .. }
                        | Happening::GateBroken { .. }
                        | Happening::PersonFell { .. }
                        | Happening::Call { .. }
                        | Happening::Ended { .. }
                        | Happening::GateOpened { .. }
                )
            )
        };
        let big = match moment.what {
            Told::Heads(..) => true,
            Told::Ladders(..) => false,
            Told::Entry(entry) => big(entry),
        };
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
