//! The map as something to point at: pan, zoom, choose, order.

use bevy_egui::egui::{PointerButton, Pos2, Rect, Sense, Ui, vec2};

use crate::core::ids::UnitId;
use crate::orders::ast::Place;

use super::canvas::{P, far};
use super::crowd::Shown;
use super::form;
use super::say::Teller;
use super::state::{Desk, Play};
use super::words::Words;

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
    let labels = play.labels();
    let chosen = &play.chosen;
    let desk = form::Desk { battle: &battle, frame: &frame, side, chosen, labels: &labels };
    let made = if let Some(foe) = hit(play, place, true) {
        desk.may(form::Deed::Charge, &play.form).and_then(|()| desk.legal(desk.charge(foe.unit)))
    } else {
        let point = play.land.point(place);
        match battle.site.node_on(point, play.level) {
            Some(_) => desk.legal(desk.go(Place::Point(point))),
            None => Err(form::Refusal::NoGround),
        }
    };
    match made {
        Ok(line) => {
            let said = Teller { words, battle: &battle }.line(&line);
            play.session.give(line);
            said
        }
        Err(no) => no.words(words),
    }
}

/// The first look at a battle: its gate, and what stands before it.
fn frame_field(play: &mut Play) {
    let battle = play.battle();
    let land = play.land;
    let gate = battle.gates.first().map(|g| land.m(battle.site.works[g.work.index()].at));
    let centre = gate.map_or([land.width / 2.0, land.height / 2.0], |g| [g[0] + 380.0, g[1]]);
    play.view.centre = centre;
    play.view.px = 1.0;
    play.view.bound(land);
}

impl Play {
    /// Tiles of units on the screen: of each unit that is seen, at the company nearest
    /// to its middle.
    #[must_use]
    pub fn tiles(&self) -> Vec<(UnitId, Rect)> {
        let mut sums: std::collections::BTreeMap<UnitId, (f32, f32, f32)> =
            std::collections::BTreeMap::new();
        for one in &self.shown {
            let n = f32::from(one.mark.men);
            let sum = sums.entry(one.unit).or_default();
            *sum = (sum.0 + one.at[0] * n, sum.1 + one.at[1] * n, sum.2 + n);
        }
        let mut nearest: std::collections::BTreeMap<UnitId, (f32, P)> =
            std::collections::BTreeMap::new();
        for one in &self.shown {
            let Some((x, y, n)) = sums.get(&one.unit) else { continue };
            let d = far(one.at, [x / n.max(1.0), y / n.max(1.0)]);
            let best = nearest.entry(one.unit).or_insert((f32::MAX, one.at));
            if d < best.0 {
                *best = (d, one.at);
            }
        }
        nearest
            .into_iter()
            .map(|(unit, (_, at))| {
                (unit, Rect::from_center_size(self.view.on(at), vec2(22.0, 22.0)))
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
