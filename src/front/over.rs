//! All that lies over the map in screen space: banners, tiles, plates, tags.

use bevy_egui::egui::{
    self, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2,
};

use crate::core::ids::{PersonId, PortalId, SideId, UnitId, WorkId};
use crate::scenario::battle::{Light, Scenario};
use crate::scenario::catalogue::Name;
use crate::scenario::site::{Drawn, DrawnForm, Level, WorkForm};
use crate::view::Leaf;
use crate::view::frame::{Frame, GateMark};

use super::bits::{Flag, hazard, plate, sans, unit_tile};
use super::canvas::{P, far, mix};
use super::crowd::{Distance, Shown};
use super::signs::Signs;
use super::state::{Desk, Play};
use super::theme::{Pigment, Theme, fade, serif};
use super::words::{Words, count};

/// Pixels within which a banner takes in a lower one.
const FOLD: f32 = 40.0;
/// Men a metre and second that a full passage lets through, for the meter's end.
const FULL_FLOW: f64 = 1.32;
/// Metres a pixel from which on a plate has one line.
const ONE_LINE: f32 = 1.4;
/// Metres a pixel from which on only the chosen and the banners are named.
const FEW: f32 = 2.6;

/// What everything over the map is drawn with.
struct Sheet<'a> {
    painter: Painter,
    play: &'a Play,
    theme: &'a Theme,
    words: &'a Words,
    battle: &'a Scenario,
    frame: &'a Frame,
    /// Where something stands already.
    taken: Vec<Rect>,
}

/// All that lies over the map.
pub fn overlay(ui: &Ui, desk: &mut Desk) {
    let Desk { play: Some(play), theme, words, signs, .. } = desk else { return };
    let rect = play.view.rect;
    let battle = play.battle();
    let frame = std::sync::Arc::clone(play.session.frame(play.pulse()));
    let mut sheet = Sheet {
        painter: ui.painter().with_clip_rect(rect),
        play,
        theme,
        words,
        battle: &battle,
        frame: &frame,
        taken: Vec::new(),
    };
    sheet.scale();
    if play.layers.orders {
        super::ghosts::draw(&sheet.painter, theme, play, words, &mut sheet.taken);
    }
    // Nothing may lie on a banner; then gates, whose tags matter most.
    let banners = sheet.banners();
    sheet.gates();
    sheet.sectors();
    sheet.dead_zones();
    for banner in &banners {
        let Banner { cloth, lines, edge, must, .. } = banner;
        plate(&sheet.painter, theme, *cloth, lines, *edge, &mut sheet.taken, *must);
    }
    let bearers: Vec<UnitId> = banners.iter().map(|b| b.unit).collect();
    let put = sheet.tiles(signs);
    sheet.units(&put, &bearers);
    if play.layers.names {
        sheet.places();
    }
    sheet.marks(ui);
}

/// What is said beside a banner.
struct Banner {
    /// The unit that its bearer is with.
    unit: UnitId,
    /// Where its cloth is.
    cloth: Rect,
    lines: Vec<(String, FontId, Color32)>,
    edge: Color32,
    /// Whether it must be said.
    must: bool,
}

impl Sheet<'_> {
    /// A name in both languages.
    fn both(&self, name: &Name) -> String {
        format!("{} {}", self.words.name(name), self.words.other(name))
    }

    /// The colour of a side's words on a plate.
    fn ink(&self, pigment: &Pigment) -> Color32 {
        if self.theme.light == Light::Night { pigment.lacquer } else { pigment.paper }
    }

    fn pigment(&self, side: SideId) -> Pigment {
        self.theme.pigment(self.battle.sides[side.index()].slot)
    }

    /// Men of a unit: one's own to a man, others in hundreds.
    fn men(&self, unit: UnitId, men: i32) -> String {
        let own = self.play.session.side().is_none_or(|s| s == self.battle.side_of(unit));
        if own {
            return count(men);
        }
        super::words::about(self.words, men)
    }

    fn scale(&mut self) {
        let (painter, theme) = (&self.painter, self.theme);
        let (rect, px) = (self.play.view.rect, self.play.view.px);
        let steps = [5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0];
        let metres = steps.into_iter().find(|s| s / px > 70.0).unwrap_or(2000.0);
        let long = metres / px;
        let (ground, ink) = theme.plate();
        let place = Rect::from_min_size(rect.min + vec2(12.0, 12.0), vec2(long + 66.0, 44.0));
        let edge = Stroke::new(1.0, theme.map("ink2"));
        painter.rect(place, CornerRadius::ZERO, ground, edge, StrokeKind::Inside);
        let (x, y) = (place.left() + 12.0, place.bottom() - 12.0);
        painter.line_segment([pos2(x, y), pos2(x + long, y)], Stroke::new(1.6, ink));
        for t in [0.0, 0.5, 1.0] {
            let at = x + long * t;
            painter.line_segment([pos2(at, y - 4.0), pos2(at, y + 4.0)], Stroke::new(1.2, ink));
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
        let north = self.words.t("north");
        painter.text(n + vec2(8.0, 0.0), egui::Align2::CENTER_CENTER, north, sans(12.0), ink);
        self.taken.push(place);
    }

    /// Banners of persons; lower ones near a higher one fold into dots on its pole.
    fn banners(&mut self) -> Vec<Banner> {
        let (battle, view) = (self.battle, &self.play.view);
        let mut all: Vec<(usize, Pos2, Shown)> = Vec::new();
        for i in 0..battle.persons.len() {
            let Some(company) = self.frame.with(PersonId::from_index(i)) else { continue };
            let found = self.play.shown.iter().find(|s| s.mark.company == company);
            let Some(shown) = found else { continue };
            let at = view.on(shown.at);
            if view.rect.contains(at) {
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
        let distance = Distance::of(self.theme, view.px);
        let (_, ink) = self.theme.plate();
        let mut out = Vec::new();
        for (at, n, folded) in put {
            let (i, _, shown) = &all[n];
            let person = &battle.persons[*i];
            let pigment = self.pigment(battle.side_of(person.unit));
            let level = shown.mark.level();
            let other = level != self.play.level && level == Level::Rampart;
            let flag = Flag {
                name: &person.banner,
                rank: person.rank,
                pigment,
                chosen: self.play.chosen.contains(&person.unit),
                broken: shown.mark.mind == crate::view::Mind::Broken,
                alpha: if other { 0.8 } else { 1.0 },
            };
            let cloth = flag.draw(&self.painter, at, self.theme, folded);
            self.taken.push(cloth);
            if distance == Distance::City && person.rank < 2 {
                continue;
            }
            let men = self.frame.units.get(person.unit.index()).map_or(0, |u| u.men);
            let unit = &battle.units[person.unit.index()];
            let head = FontId::new(13.0, serif());
            let said = format!("{} · {}", self.words.name(&unit.name), self.men(person.unit, men));
            out.push(Banner {
                unit: person.unit,
                cloth,
                lines: vec![
                    (self.both(&person.name), head, self.ink(&pigment)),
                    (said, sans(12.0), ink),
                ],
                edge: self.theme.map(if flag.chosen { "select" } else { "ink2" }),
                must: person.rank >= 3,
            });
        }
        out
    }

    /// Tags of gates: state and gap, time to shut, and the flow meter.
    fn gates(&mut self) {
        let view = &self.play.view;
        for (work, portal) in self.battle.site.gates() {
            let info = &self.battle.site.works[work.index()];
            let Some(mark) = self.frame.gates.get(portal.index()) else { continue };
            let at = view.on(self.play.land.m(info.at));
            if !view.rect.contains(at) || view.px > 6.0 {
                continue;
            }
            let kept = self.battle.gates.iter().any(|g| g.work == work);
            let near = view.px < 2.5;
            let lines = self.gate_lines(work, portal, mark, near && (kept || mark.gap > 0));
            let edge = self.theme.map(if kept { "select" } else { "ink2" });
            // The whole gatehouse stays free.
            let deep = (20.0 / view.px).clamp(8.0, 90.0);
            let wide = (36.0 / view.px).clamp(8.0, 160.0);
            let anchor = Rect::from_center_size(at, vec2(deep, wide));
            let (painter, theme) = (&self.painter, self.theme);
            let Some(tag) = plate(painter, theme, anchor, &lines, edge, &mut self.taken, kept)
            else {
                continue;
            };
            // The flow meter: men a second through the open width, of what it can pass.
            if kept && near {
                let low = pos2(tag.left(), tag.bottom());
                let bar = Rect::from_min_size(low, vec2(tag.width(), 5.0));
                let ink = theme.map("ink0");
                painter.rect_filled(bar, CornerRadius::ZERO, ink);
                let most = self.width_m(portal) * FULL_FLOW;
                let share = (self.flow(mark) / most.max(0.1)).clamp(0.0, 1.0) as f32;
                let mut full = bar.shrink(1.0);
                full.set_width(full.width() * share);
                painter.rect_filled(full, CornerRadius::ZERO, theme.map("select"));
                self.taken.push(bar);
            }
            if mark.leaf == Leaf::Jammed {
                let high = pos2(tag.left(), tag.top() - 7.0);
                hazard(painter, Rect::from_min_size(high, vec2(tag.width(), 7.0)), theme);
            }
        }
    }

    /// Who stands on each sector of a walk.
    fn sectors(&mut self) {
        let (_, ink) = self.theme.plate();
        let colour = |side: SideId| self.ink(&self.pigment(side));
        for told in super::sectors::told(self.play, self.words, ink, colour) {
            let at = self.play.view.on(told.at);
            if !self.play.view.rect.contains(at) {
                continue;
            }
            let edge = if told.taken { self.theme.hazard().0 } else { self.theme.map("ink2") };
            // Behind the wall, clear of those who stand on it and storm it.
            let near = Rect::from_center_size(at, vec2(44.0, 24.0));
            let front = at + vec2(told.out[0], -told.out[1]) * 150.0;
            let block = self.taken.len();
            // Where there is no room behind it, in front will do.
            let room = self.play.view.rect.shrink(150.0).contains(at);
            let size = if room { vec2(260.0, 260.0) } else { vec2(0.0, 0.0) };
            self.taken.push(Rect::from_center_size(front, size));
            let must = told.taken || self.play.form.open;
            plate(&self.painter, self.theme, near, &told.lines, edge, &mut self.taken, must);
            self.taken.remove(block);
        }
    }

    /// In words, what is too near for the engines of the chosen.
    fn dead_zones(&mut self) {
        let (_, ink) = self.theme.plate();
        for arc in super::reach::arcs(self.play, self.battle, self.frame) {
            let Some((near, metres)) = arc.spot(self.play) else { continue };
            let said = self.words.say("dead-zone", &[("m", metres.into())]);
            let mut lines = vec![(said, sans(12.0), ink)];
            if let Some(low) = arc.low {
                let m = low.round() as i32;
                let said = self.words.say("dead-zone-low", &[("m", m.into())]);
                lines.push((said, sans(12.0), ink));
            }
            let edge = self.theme.map("select");
            plate(&self.painter, self.theme, near, &lines, edge, &mut self.taken, true);
        }
    }

    fn width_m(&self, portal: PortalId) -> f64 {
        f64::from(self.battle.site.portals[portal.index()].width_cm) / 100.0
    }

    /// Men a second.
    fn flow(&self, mark: &GateMark) -> f64 {
        f64::from(mark.flow) / f64::from(self.battle.pulse_s.max(1))
    }

    fn gate_lines(
        &self,
        work: WorkId,
        portal: PortalId,
        mark: &GateMark,
        whole: bool,
    ) -> Vec<(String, FontId, Color32)> {
        let info = &self.battle.site.works[work.index()];
        let kind = &self.battle.rules.works[info.kind.index()];
        let words = self.words;
        let (_, ink) = self.theme.plate();
        let state = words.t(match (mark.leaf, mark.gap) {
            (Leaf::Jammed, _) => "gate-jammed",
            (Leaf::Broken, _) => "gate-broken",
            (Leaf::Closing, _) => "gate-closing",
            (Leaf::Opening, _) => "gate-opening",
            (Leaf::Still, 0) if mark.barred => "gate-barred",
            (Leaf::Still, 0) => "gate-shut",
            (Leaf::Still, _) => "gate-open",
        });
        let mut lines = vec![(self.both(&info.name), FontId::new(13.0, serif()), ink)];
        if !whole {
            lines.push((state, sans(12.0), ink));
            return lines;
        }
        let part = f64::from(mark.gap) / 1000.0;
        let metres = self.width_m(portal) * part;
        let open = mark.gap / 10;
        lines.push((format!("{state} · {open}% · {metres:.1} m"), sans(12.0), ink));
        if mark.gap > 0 {
            let shuts = (kind.leaf_s.v() * part).ceil() as i32;
            let flow = format!("{:.1}", self.flow(mark));
            let said = words.say("gate-flow", &[("s", shuts.into()), ("n", flow.into())]);
            lines.push((said, sans(12.0), ink));
        }
        lines
    }

    /// Unit tiles where nothing stands; returns those that were put.
    fn tiles(&mut self, signs: &Signs) -> Vec<UnitId> {
        let view = &self.play.view;
        let street = Distance::of(self.theme, view.px) == Distance::Street && view.px < 0.3;
        let banner_ink = self.theme.banner().0;
        let mut put = Vec::new();
        for (unit, tile) in self.play.tiles() {
            let chosen = self.play.chosen.contains(&unit);
            let free = !self.taken.iter().any(|t| t.intersects(tile));
            if !view.rect.contains(tile.center()) || !free || (street && !chosen) {
                continue;
            }
            let edge = chosen.then(|| self.theme.map("select"));
            let pigment = self.pigment(self.battle.side_of(unit));
            let sign = &self.battle.kind_of(unit).sign;
            unit_tile(&self.painter, signs, tile, &pigment, sign, banner_ink, edge);
            self.taken.push(tile);
            put.push(unit);
        }
        put
    }

    /// Names and strengths of units: where a tile was put, and of all that are chosen
    /// and stand under no banner that says it.
    fn units(&mut self, put: &[UnitId], bearers: &[UnitId]) {
        let view = &self.play.view;
        let (_, ink) = self.theme.plate();
        for (unit, tile) in self.play.tiles() {
            let chosen = self.play.chosen.contains(&unit);
            let named = self.play.layers.names && view.px < FEW && put.contains(&unit);
            let told = bearers.contains(&unit);
            if !view.rect.contains(tile.center()) || told || !(chosen || named) {
                continue;
            }
            let Some(mark) = self.frame.units.get(unit.index()) else { continue };
            let name = &self.battle.units[unit.index()].name;
            let men = self.men(unit, mark.men);
            let colour = self.ink(&self.pigment(self.battle.side_of(unit)));
            let lines = if chosen || view.px < ONE_LINE {
                let head = FontId::new(13.0, serif());
                vec![(self.both(name), head, colour), (men, sans(12.0), ink)]
            } else {
                vec![(format!("{} {men}", self.words.name(name)), sans(12.0), colour)]
            };
            let edge = self.theme.map(if chosen { "select" } else { "ink2" });
            plate(&self.painter, self.theme, tile, &lines, edge, &mut self.taken, chosen);
        }
    }

    /// Names of roads, waters, wards and ramps.
    fn places(&mut self) {
        let view = &self.play.view;
        for drawn in &self.battle.site.drawn {
            let Some(name) = &drawn.name else { continue };
            let Some(at) = self.middle(drawn).map(|at| view.on(at)) else { continue };
            if view.px < 3.0 || drawn.form == DrawnForm::Water {
                self.place(name, Rect::from_center_size(at - vec2(30.0, 0.0), vec2(2.0, 2.0)));
            }
        }
        for work in &self.battle.site.works {
            if matches!(work.form, WorkForm::Ramp { .. }) && view.px < 0.9 {
                let at = view.on(self.play.land.m(work.at));
                self.place(&work.name, Rect::from_center_size(at, vec2(14.0, 14.0)));
            }
        }
    }

    fn place(&mut self, name: &Name, near: Rect) {
        if !self.play.view.rect.shrink(30.0).contains(near.center()) {
            return;
        }
        let (_, ink) = self.theme.plate();
        let line = (self.both(name), sans(12.0), fade(ink, 0.85));
        let edge = fade(self.theme.map("ink2"), 0.6);
        plate(&self.painter, self.theme, near, &[line], edge, &mut self.taken, false);
    }

    /// Where a drawn thing is named: a line where it is nearest to the middle of what
    /// is seen, a polygon in its own middle.
    fn middle(&self, drawn: &Drawn) -> Option<P> {
        let (land, centre) = (self.play.land, self.play.view.centre);
        if drawn.width_cm > 0 {
            let parts = drawn.points.windows(2).flat_map(|w| {
                let (a, b) = (land.m(w[0]), land.m(w[1]));
                (0..9).map(move |i| mix(a, b, i as f32 / 8.0))
            });
            return parts.min_by(|a, b| far(*a, centre).total_cmp(&far(*b, centre)));
        }
        let n = drawn.points.len() as f32;
        let sum = drawn.points.iter().map(|p| land.m(*p));
        let sum = sum.fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
        (n > 0.0).then(|| [sum[0] / n, sum[1] / n])
    }

    /// A chosen event, a box that is drawn, and words for a moment.
    fn marks(&self, ui: &Ui) {
        let (painter, play, theme) = (&self.painter, self.play, self.theme);
        let rect = play.view.rect;
        let now = ui.input(|i| i.time);
        let gold = theme.map("select");
        if let Some((at, until)) = play.flash
            && now < until
        {
            let grow = ((until - now) as f32 * 16.0).clamp(8.0, 40.0);
            painter.circle_stroke(play.view.on(at), grow, Stroke::new(3.0, gold));
        }
        if let (Some(from), Some(to)) = (play.box_from, ui.ctx().pointer_latest_pos()) {
            let area = Rect::from_two_pos(from, to);
            let edge = Stroke::new(1.4, gold);
            painter.rect(area, CornerRadius::ZERO, fade(gold, 0.12), edge, StrokeKind::Inside);
        }
        if let Some((note, until)) = &play.note
            && now < *until
        {
            let l = theme.lacquer();
            let wide = (rect.width() - 80.0).max(200.0);
            let galley = painter.layout(note.clone(), sans(15.0), l.text.0, wide);
            let size = galley.size() + vec2(24.0, 14.0);
            let middle = pos2(rect.center().x, rect.top() + 60.0 + size.y / 2.0);
            let place = Rect::from_center_size(middle, size);
            let edge = Stroke::new(1.0, l.accent.0);
            painter.rect(place, CornerRadius::ZERO, l.bg.0, edge, StrokeKind::Inside);
            painter.galley(place.min + vec2(12.0, 7.0), galley, l.text.0);
        }
    }
}
