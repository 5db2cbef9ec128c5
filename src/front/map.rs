//! The map as something to point at: pan, zoom, choose, order; and all that lies
//! over it in screen space: banners, tiles, plates, ghosts, tags.

use bevy_egui::egui::{
    self, Color32, CornerRadius, FontId, Painter, PointerButton, Pos2, Rect, Sense, Stroke,
    StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::UnitId;
use crate::orders::ast::{Cond, Line, Place, Subject};
use crate::scenario::site::{DrawnForm, Level, WorkForm};
use crate::view::Leaf;

use super::bits::{Flag, hazard, plate, sans, unit_tile};
use super::canvas::{P, far};
use super::crowd::{Distance, Shown};
use super::form::{self, leads};
use super::say::Teller;
use super::state::{Desk, Play};
use super::theme::{Theme, fade, serif};
use super::words::{Words, clock, count};

/// Pixels within which a banner takes in a lower one.
const FOLD: f32 = 40.0;

/// The company under a point, if one is near.
fn hit(play: &Play, at: P, foe: bool) -> Option<Shown> {
    let side = play.session.side();
    let reach = (12.0_f32).max(play.view.px * 12.0);
    let mut best: Option<(f32, Shown)> = None;
    for one in &play.shown {
        if foe != side.is_some_and(|s| one.side != s) {
            continue;
        }
        let d = far(one.at, at) + if one.mark.level() == play.level { 0.0 } else { 6.0 };
        if d < reach && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, *one));
        }
    }
    best.map(|(_, one)| one)
}

/// Pointer and wheel over the map. Returns words to be shown, if any.
pub fn hands(ui: &mut Ui, desk: &mut Desk) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.interact(rect, ui.id().with("map"), Sense::click_and_drag());
    let Desk { play: Some(play), words, .. } = desk else { return };
    play.view.rect = rect;
    let land = play.land;
    if !play.framed && rect.width() > 50.0 {
        play.framed = true;
        frame_field(play);
    }
    let pointer = ui.ctx().pointer_latest_pos();
    let modifiers = ui.input(|i| i.modifiers);
    if response.hovered()
        && let Some(at) = pointer
    {
        let wheel = ui.input(|i| i.smooth_scroll_delta.y + i.zoom_delta().ln() * 240.0);
        if wheel.abs() > 0.01 {
            play.view.zoom((-wheel / 240.0).exp(), at, land);
        }
    }
    let carries = response.dragged_by(PointerButton::Middle)
        || (response.dragged_by(PointerButton::Primary) && modifiers.alt);
    if carries {
        play.view.pan(response.drag_delta(), land);
    } else if response.drag_started_by(PointerButton::Primary) {
        play.box_from = ui.input(|i| i.pointer.press_origin());
    }
    if response.drag_stopped_by(PointerButton::Primary)
        && let (Some(from), Some(to)) = (play.box_from.take(), pointer)
    {
        let area = Rect::from_two_pos(from, to);
        if !modifiers.shift {
            play.chosen.clear();
        }
        let side = play.session.side();
        let mut found: Vec<UnitId> = play
            .shown
            .iter()
            .filter(|s| side.is_none_or(|x| x == s.side) && area.contains(play.view.on(s.at)))
            .map(|s| s.unit)
            .collect();
        found.sort_unstable();
        found.dedup();
        for unit in found {
            if !play.chosen.contains(&unit) {
                play.choose(unit, true);
            }
        }
    }
    if response.clicked_by(PointerButton::Primary)
        && let Some(at) = pointer
    {
        let tile = play.tiles().into_iter().find(|(_, r)| r.contains(at)).map(|(u, _)| u);
        match tile.or_else(|| hit(play, play.view.under(at), false).map(|s| s.unit)) {
            Some(unit) => play.choose(unit, modifiers.shift || modifiers.command),
            None if !modifiers.shift => play.chosen.clear(),
            None => {}
        }
    }
    if response.clicked_by(PointerButton::Secondary)
        && let Some(at) = pointer
    {
        let words_out = point_order(play, words, at);
        play.note = Some((words_out, ui.input(|i| i.time) + 3.0));
    }
}

/// A right-click: attack the enemy there, else go there.
fn point_order(play: &mut Play, words: &Words, at: Pos2) -> String {
    let Some(side) = play.session.side() else { return words.t("note-watch") };
    if !play.planning() {
        return words.t("note-not-now");
    }
    if play.chosen.is_empty() {
        return words.t("no-nobody");
    }
    let battle = play.battle();
    let place = play.view.under(at);
    let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
    let desk = form::Desk { battle: &battle, frame: &frame, side, chosen: &play.chosen };
    let line = if let Some(foe) = hit(play, place, true) {
        if let Err(no) = desk.may(form::Deed::Charge, &play.form) {
            return words.t(no.key());
        }
        desk.charge(foe.unit)
    } else {
        let point = play.land.point(place);
        if battle.site.node_on(point, play.level).is_none() {
            return words.t("no-ground");
        }
        desk.go(Place::Point(point))
    };
    let said = Teller { words, battle: &battle }.line(&line);
    play.session.give(line);
    said
}

/// The first look at a battle: its gate, and what stands before it.
fn frame_field(play: &mut Play) {
    let battle = play.battle();
    let land = play.land;
    let gate = battle.gates.first().map(|g| land.m(battle.site.works[g.work.index()].at));
    let centre = gate.map_or([land.width / 2.0, land.height / 2.0], |g| [g[0] + 380.0, g[1]]);
    play.view.centre = centre;
    play.view.px = 1.0;
}

impl Play {
    /// Tiles of units on the screen: at the middle of each unit that is seen.
    #[must_use]
    pub fn tiles(&self) -> Vec<(UnitId, Rect)> {
        let mut sums: std::collections::BTreeMap<UnitId, (f32, f32, f32)> =
            std::collections::BTreeMap::new();
        for one in &self.shown {
            let n = f32::from(one.mark.men);
            let sum = sums.entry(one.unit).or_default();
            *sum = (sum.0 + one.at[0] * n, sum.1 + one.at[1] * n, sum.2 + n);
        }
        sums.into_iter()
            .map(|(unit, (x, y, n))| {
                let at = self.view.on([x / n.max(1.0), y / n.max(1.0)]);
                (unit, Rect::from_center_size(at, vec2(22.0, 22.0)))
            })
            .collect()
    }

    /// The middle of what is chosen, metres.
    #[must_use]
    pub fn middle(&self) -> Option<P> {
        let frame = self.session.frame(self.pulse());
        let mut sum = (0.0, 0.0, 0.0_f32);
        for unit in &self.chosen {
            if let Some(mark) = frame.units.get(unit.index()).filter(|m| m.men > 0) {
                let at = self.land.m(mark.at);
                sum = (sum.0 + at[0], sum.1 + at[1], sum.2 + 1.0);
            }
        }
        (sum.2 > 0.0).then(|| [sum.0 / sum.2, sum.1 / sum.2])
    }
}

/// All that lies over the map.
pub fn overlay(ui: &Ui, desk: &mut Desk) {
    let Desk { play: Some(play), theme, words, .. } = desk else { return };
    let rect = play.view.rect;
    let painter = ui.painter().with_clip_rect(rect);
    let battle = play.battle();
    let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
    let mut taken: Vec<Rect> = Vec::new();
    let (_, plate_ink) = theme.plate();
    let ink2 = theme.map("ink2");
    let distance = Distance::of(theme, play.view.px);

    scale(&painter, theme, play, rect, &mut taken, words);
    if play.layers.orders {
        ghosts(&painter, theme, play, words);
    }
    // Nothing may lie on a banner; then gates, whose tags matter most.
    let banners = flags(&painter, play, theme, words, &mut taken, distance);
    for (work, portal) in battle.site.gates() {
        let info = &battle.site.works[work.index()];
        let Some(mark) = frame.gates.get(portal.index()) else { continue };
        let at = play.view.on(play.land.m(info.at));
        if !rect.contains(at) || play.view.px > 6.0 {
            continue;
        }
        let kind = &battle.rules.works[info.kind.index()];
        let open = i32::from(mark.gap) / 10;
        let state = match (mark.leaf, mark.gap) {
            (Leaf::Jammed, _) => words.t("gate-jammed"),
            (Leaf::Broken, _) => words.t("gate-broken"),
            (Leaf::Closing, _) => words.t("gate-closing"),
            (Leaf::Opening, _) => words.t("gate-opening"),
            (Leaf::Still, 0) if mark.barred => words.t("gate-barred"),
            (Leaf::Still, 0) => words.t("gate-shut"),
            (Leaf::Still, _) => words.t("gate-open"),
        };
        let head = format!("{} {}", words.name(&info.name), words.other(&info.name));
        let metres = f64::from(battle.site.portals[portal.index()].width_cm) / 100.0
            * f64::from(mark.gap)
            / 1000.0;
        let flow = f64::from(mark.flow) / f64::from(battle.pulse_s.max(1));
        let shuts = match mark.leaf {
            Leaf::Closing => (kind.leaf_s.v() * f64::from(mark.gap) / 1000.0).ceil() as i32,
            _ => (kind.leaf_s.v() * f64::from(mark.gap) / 1000.0).round() as i32,
        };
        let mut lines = vec![(head, FontId::new(13.0, serif()), plate_ink)];
        let kept = battle.gates.iter().any(|g| g.work == work);
        if play.view.px < 2.5 && (kept || mark.gap > 0) {
            lines.push((format!("{state} · {open}% · {metres:.1} m"), sans(12.0), plate_ink));
            let second =
                words.say("gate-flow", &[("s", shuts.into()), ("n", format!("{flow:.1}").into())]);
            lines.push((second, sans(12.0), plate_ink));
        } else {
            lines.push((state, sans(12.0), plate_ink));
        }
        let edge = if kept { theme.map("select") } else { ink2 };
        // The whole gatehouse stays free.
        let deep = (20.0 / play.view.px).clamp(8.0, 90.0);
        let anchor =
            Rect::from_center_size(at, vec2(deep, (36.0 / play.view.px).clamp(8.0, 160.0)));
        if let Some(tag) = plate(&painter, theme, anchor, &lines, edge, &mut taken, kept) {
            // The flow meter: men a second through the open width, of what it can pass.
            if kept && play.view.px < 2.5 {
                let bar =
                    Rect::from_min_size(pos2(tag.left(), tag.bottom()), vec2(tag.width(), 4.0));
                painter.rect_filled(bar, CornerRadius::ZERO, theme.map("ink0"));
                let most = f64::from(battle.site.portals[portal.index()].width_cm) / 100.0 * 1.3;
                let mut full = bar;
                full.set_width(bar.width() * (flow / most.max(0.1)).clamp(0.0, 1.0) as f32);
                painter.rect_filled(full, CornerRadius::ZERO, theme.map("select"));
            }
            if mark.leaf == Leaf::Jammed {
                hazard(
                    &painter,
                    Rect::from_min_size(pos2(tag.left(), tag.top() - 7.0), vec2(tag.width(), 7.0)),
                    theme,
                );
            }
        }
    }
    for (cloth, lines, edge, must) in &banners {
        plate(&painter, theme, *cloth, lines, *edge, &mut taken, *must);
    }
    let Desk { play: Some(play), theme, words, signs, .. } = desk else { return };
    // Unit tiles where no banner stands.
    let banner_ink = theme.banner().0;
    for (unit, tile) in play.tiles() {
        if !rect.contains(tile.center()) || taken.iter().any(|t| t.intersects(tile)) {
            continue;
        }
        let pigment = theme.pigment(battle.sides[battle.side_of(unit).index()].slot);
        let chosen = play.chosen.contains(&unit);
        if distance == Distance::Street && !chosen && play.view.px < 0.3 {
            continue;
        }
        unit_tile(
            &painter,
            signs,
            tile,
            &pigment,
            &battle.kind_of(unit).sign,
            banner_ink,
            chosen.then(|| theme.map("select")),
        );
        taken.push(tile);
    }
    for (unit, tile) in play.tiles() {
        let chosen = play.chosen.contains(&unit);
        if !rect.contains(tile.center()) || !(chosen || play.layers.names) {
            continue;
        }
        let Some(mark) = frame.units.get(unit.index()) else { continue };
        let own = play.session.side().is_none_or(|s| s == battle.side_of(unit));
        let pigment = theme.pigment(battle.sides[battle.side_of(unit).index()].slot);
        let name = &battle.units[unit.index()].name;
        let men = if own {
            count(mark.men)
        } else {
            words.say("about-men", &[("n", count((mark.men + 50) / 100 * 100).into())])
        };
        let colour = if theme.light == crate::scenario::battle::Light::Night {
            pigment.lacquer
        } else {
            pigment.paper
        };
        let head = format!("{} {}", words.name(name), words.other(name));
        let lines = if chosen || play.view.px < 1.4 {
            vec![(head, FontId::new(13.0, serif()), colour), (men, sans(12.0), plate_ink)]
        } else {
            vec![(format!("{} {men}", words.name(name)), sans(12.0), colour)]
        };
        let edge = if chosen { theme.map("select") } else { ink2 };
        plate(&painter, theme, tile, &lines, edge, &mut taken, chosen);
    }
    if play.layers.names {
        let named = battle.site.drawn.iter().filter_map(|d| d.name.as_ref().map(|n| (n, d)));
        for (name, drawn) in named {
            let at = match drawn.points.len() {
                0 => continue,
                _ if drawn.width_cm > 0 => {
                    // The nearest bend or middle of a line that is in sight.
                    let points: Vec<P> = drawn
                        .points
                        .windows(2)
                        .flat_map(|w| {
                            let (a, b) = (play.land.m(w[0]), play.land.m(w[1]));
                            (0..9)
                                .map(move |i| super::canvas::mix(a, b, i as f32 / 8.0))
                                .collect::<Vec<_>>()
                        })
                        .collect();
                    let Some(best) = points.into_iter().min_by(|a, b| {
                        far(*a, play.view.centre).total_cmp(&far(*b, play.view.centre))
                    }) else {
                        continue;
                    };
                    best
                }
                n => {
                    let sum = drawn
                        .points
                        .iter()
                        .map(|p| play.land.m(*p))
                        .fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
                    [sum[0] / n as f32, sum[1] / n as f32]
                }
            };
            let at = play.view.on(at);
            if rect.shrink(30.0).contains(at)
                && (play.view.px < 3.0 || drawn.form == DrawnForm::Water)
            {
                let line = (
                    format!("{} {}", words.name(name), words.other(name)),
                    sans(12.0),
                    fade(plate_ink, 0.85),
                );
                plate(
                    &painter,
                    theme,
                    Rect::from_center_size(at - vec2(30.0, 0.0), vec2(2.0, 2.0)),
                    &[line],
                    fade(ink2, 0.6),
                    &mut taken,
                    false,
                );
            }
        }
        for work in &battle.site.works {
            if matches!(work.form, WorkForm::Ramp { .. }) && play.view.px < 0.9 {
                let at = play.view.on(play.land.m(work.at));
                if rect.shrink(30.0).contains(at) {
                    let line = (
                        format!("{} {}", words.name(&work.name), words.other(&work.name)),
                        sans(12.0),
                        fade(plate_ink, 0.85),
                    );
                    plate(
                        &painter,
                        theme,
                        Rect::from_center_size(at, vec2(14.0, 14.0)),
                        &[line],
                        fade(ink2, 0.6),
                        &mut taken,
                        false,
                    );
                }
            }
        }
    }
    let now = ui.input(|i| i.time);
    if let Some((at, until)) = play.flash
        && now < until
    {
        let grow = ((until - now) as f32 * 16.0).clamp(8.0, 40.0);
        painter.circle_stroke(play.view.on(at), grow, Stroke::new(3.0, theme.map("select")));
    }
    if let (Some(from), Some(to)) = (play.box_from, ui.ctx().pointer_latest_pos()) {
        let area = Rect::from_two_pos(from, to);
        painter.rect(
            area,
            CornerRadius::ZERO,
            fade(theme.map("select"), 0.12),
            Stroke::new(1.4, theme.map("select")),
            StrokeKind::Inside,
        );
    }
    if let Some((note, until)) = &play.note
        && now < *until
    {
        let l = theme.lacquer();
        let galley =
            painter.layout(note.clone(), sans(15.0), l.text.0, (rect.width() - 80.0).max(200.0));
        let size = galley.size() + vec2(24.0, 14.0);
        let place =
            Rect::from_center_size(pos2(rect.center().x, rect.top() + 60.0 + size.y / 2.0), size);
        painter.rect(
            place,
            CornerRadius::ZERO,
            l.bg.0,
            Stroke::new(1.0, l.accent.0),
            StrokeKind::Inside,
        );
        painter.galley(place.min + vec2(12.0, 7.0), galley, l.text.0);
    }
}

fn scale(
    painter: &Painter,
    theme: &Theme,
    play: &Play,
    rect: Rect,
    taken: &mut Vec<Rect>,
    words: &Words,
) {
    let steps = [5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0];
    let metres = steps.into_iter().find(|s| s / play.view.px > 70.0).unwrap_or(2000.0);
    let long = metres / play.view.px;
    let (ground, ink) = theme.plate();
    let place = Rect::from_min_size(rect.min + vec2(12.0, 12.0), vec2(long + 66.0, 44.0));
    painter.rect(
        place,
        CornerRadius::ZERO,
        ground,
        Stroke::new(1.0, theme.map("ink2")),
        StrokeKind::Inside,
    );
    let (x, y) = (place.left() + 12.0, place.bottom() - 12.0);
    painter.line_segment([pos2(x, y), pos2(x + long, y)], Stroke::new(1.6, ink));
    for t in [0.0, 0.5, 1.0] {
        painter.line_segment(
            [pos2(x + long * t, y - 4.0), pos2(x + long * t, y + 4.0)],
            Stroke::new(1.2, ink),
        );
    }
    painter.text(pos2(x, y - 8.0), egui::Align2::LEFT_BOTTOM, "0", sans(12.0), ink);
    painter.text(
        pos2(x + long, y - 8.0),
        egui::Align2::RIGHT_BOTTOM,
        format!("{metres:.0} m"),
        sans(12.0),
        ink,
    );
    let n = pos2(place.right() - 20.0, place.center().y);
    painter.arrow(n + vec2(-6.0, 10.0), vec2(0.0, -20.0), Stroke::new(1.6, ink));
    painter.text(
        n + vec2(8.0, 0.0),
        egui::Align2::CENTER_CENTER,
        words.t("north"),
        sans(12.0),
        ink,
    );
    taken.push(place);
}

/// Banners of persons; lower ones near a higher one fold into dots on its pole.
/// What is said beside a banner: where its cloth is, the lines, the plate's edge, and
/// whether it must be said.
type Beside = (Rect, Vec<(String, FontId, Color32)>, Color32, bool);

fn flags(
    painter: &Painter,
    play: &Play,
    theme: &Theme,
    words: &Words,
    taken: &mut Vec<Rect>,
    distance: Distance,
) -> Vec<Beside> {
    let battle = play.battle();
    let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
    let mut all: Vec<(usize, Pos2, Shown)> = Vec::new();
    for i in 0..battle.persons.len() {
        let Some(company) = frame.with(crate::core::ids::PersonId::from_index(i)) else { continue };
        let Some(shown) = play.shown.iter().find(|s| s.mark.company == company) else { continue };
        let at = play.view.on(shown.at);
        if play.view.rect.contains(at) {
            all.push((i, at, *shown));
        }
    }
    all.sort_by_key(|(i, ..)| std::cmp::Reverse(battle.persons[*i].rank));
    let mut put: Vec<(Pos2, usize, usize)> = Vec::new();
    for (n, (_, at, _)) in all.iter().enumerate() {
        match put.iter_mut().find(|(p, ..)| p.distance(*at) < FOLD) {
            Some(host) => host.2 += 1,
            None => put.push((*at, n, 0)),
        }
    }
    let (_, ink) = theme.plate();
    let mut out = Vec::new();
    for (at, n, folded) in put {
        let (i, _, shown) = &all[n];
        let person = &battle.persons[*i];
        let side = battle.side_of(person.unit);
        let pigment = theme.pigment(battle.sides[side.index()].slot);
        let other = shown.mark.level() != play.level && shown.mark.level() == Level::Rampart;
        let flag = Flag {
            name: &person.banner,
            rank: person.rank,
            pigment,
            chosen: play.chosen.contains(&person.unit),
            broken: shown.mark.mind == crate::view::Mind::Broken,
            alpha: if other { 0.8 } else { 1.0 },
        };
        let cloth = flag.draw(painter, at, theme, folded);
        taken.push(cloth);
        if distance != Distance::City || person.rank >= 2 {
            let unit = &battle.units[person.unit.index()];
            let men = frame.units.get(person.unit.index()).map_or(0, |u| u.men);
            let own = play.session.side().is_none_or(|s| s == side);
            let men = if own {
                count(men)
            } else {
                words.say("about-men", &[("n", count((men + 50) / 100 * 100).into())])
            };
            let colour = if theme.light == crate::scenario::battle::Light::Night {
                pigment.lacquer
            } else {
                pigment.paper
            };
            let lines = vec![
                (
                    format!("{} {}", words.name(&person.name), words.other(&person.name)),
                    FontId::new(13.0, serif()),
                    colour,
                ),
                (format!("{} · {men}", words.name(&unit.name)), sans(12.0), ink),
            ];
            let edge = if flag.chosen { theme.map("select") } else { theme.map("ink2") };
            out.push((cloth, lines, edge, person.rank >= 3));
        }
    }
    out
}

/// Ghost paths of the orders of this turn, and waiting ones of earlier turns.
fn ghosts(painter: &Painter, theme: &Theme, play: &Play, words: &Words) {
    let battle = play.battle();
    let frame = play.session.frame(play.pulse());
    let Some(side) = play.session.side() else { return };
    let pending: Vec<&Line> = play.session.pending().iter().collect();
    let waiting: Vec<&Line> = play
        .session
        .given(side)
        .filter(|l| {
            !matches!(l.when, Cond::Start)
                && l.who.iter().any(|s| matches!(s, Subject::Unit(u) if play.chosen.contains(u)))
        })
        .collect();
    let (under, over) = (Color32::from_rgb(0xFB, 0xF2, 0xDA), Color32::from_rgb(0x0F, 0x35, 0x57));
    for line in pending.into_iter().chain(waiting) {
        let waits = !matches!(line.when, Cond::Start);
        for subject in &line.who {
            let Subject::Unit(unit) = subject else { continue };
            let Some(mark) = frame.units.get(unit.index()).filter(|m| m.men > 0) else { continue };
            let Some(to) = line.acts.iter().find_map(|a| leads(a, &battle, frame)) else {
                continue;
            };
            let (a, b) = (play.land.m(mark.at), play.land.m(to));
            let (p, q) = (play.view.on(a), play.view.on(b));
            if p.distance(q) < 12.0 {
                continue;
            }
            painter.line_segment([p, q], Stroke::new(5.0, under));
            let dash = if waits { (2.0, 6.0) } else { (11.0, 6.0) };
            painter.extend(egui::Shape::dashed_line(
                &[p, q],
                Stroke::new(2.4, over),
                dash.0,
                dash.1,
            ));
            let d = (q - p).normalized();
            let side_way = vec2(-d.y, d.x);
            let tip = vec![q, q - d * 13.0 + side_way * 7.0, q - d * 13.0 - side_way * 7.0];
            painter.add(egui::Shape::convex_polygon(tip, over, Stroke::new(1.5, under)));
            let kind = battle.kind_of(*unit);
            let gait = battle.rules.gaits(kind.mounted).quick.v() * kind.pace.v();
            let seconds = (f64::from(far(a, b)) / gait.max(0.1)) as i32;
            // A ring every tenth part of a long way, at least ten seconds apart.
            let every = ((seconds / 8).max(10) / 10 * 10).max(10);
            let mut t = every;
            while t < seconds {
                let at = p + (q - p) * (t as f32 / seconds as f32);
                painter.circle(at, 4.0, under, Stroke::new(2.0, over));
                t += every;
            }
            let mid = p + (q - p) * 0.5 + side_way * 10.0;
            let label = if waits {
                words.t("ghost-waits")
            } else {
                words.say("ghost-arrives", &[("time", clock(seconds).into())])
            };
            let galley = painter.layout_no_wrap(label, sans(12.0), over);
            let box_ = Rect::from_center_size(mid, galley.size() + vec2(8.0, 2.0));
            painter.rect_filled(box_, CornerRadius::ZERO, fade(under, 0.9));
            painter.galley(box_.min + vec2(4.0, 1.0), galley, over);
        }
    }
    let _ = theme;
}
