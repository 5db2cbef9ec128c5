//! The card of standing instructions: what the chosen do without orders, and what of
//! it is struck out. A click, or Ctrl with the number of its row, is an order like any
//! other: it waits for the turn, can be taken back, and goes by messenger.

use bevy_egui::egui::{CornerRadius, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::core::ids::{LineId, SideId, UnitId};
use crate::orders::ast::{Act, Cond, Instruction, Mark, Subject};
use crate::orders::read_back;
use crate::scenario::battle::Scenario;
use crate::view::frame::Frame;

use super::bits::{key_cap, sans, text, title};
use super::form;
use super::state::Play;
use super::theme::Theme;
use super::words::Words;

/// One instruction of the card.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub what: Instruction,
    /// Whether it is in force with all who carry it.
    stands: bool,
    /// The order of this turn that changes it, and how.
    turns: Option<(LineId, Mark)>,
}

/// The word for an instruction on the card.
const fn key(what: Instruction) -> &'static str {
    match what {
        Instruction::WorthIt => "inst-worth-it",
        Instruction::SpareFriends => "inst-spare",
        Instruction::KeepArrows => "inst-keep-arrows",
        Instruction::SwapAtHeads => "inst-swap",
        Instruction::CallForHelp => "inst-call",
        Instruction::AnswerCalls => "inst-answer",
        Instruction::Meet => "inst-meet",
    }
}

/// Those of the chosen whose kind carries an instruction.
fn carriers(battle: &Scenario, chosen: &[UnitId], what: Instruction) -> Vec<UnitId> {
    let carries = |u: &UnitId| battle.kind_of(*u).standing.contains(&what);
    chosen.iter().copied().filter(carries).collect()
}

/// The card of the chosen.
#[must_use]
pub fn rows(play: &Play, battle: &Scenario, frame: &Frame) -> Vec<Row> {
    let row = |what: Instruction| {
        let of = carriers(battle, &play.chosen, what);
        if of.is_empty() {
            return None;
        }
        let stands = |u: &UnitId| frame.units.get(u.index()).is_some_and(|m| m.standing.has(what));
        let turns = play.session.pending().iter().rev().find_map(|line| {
            let same = of.iter().all(|u| line.who.contains(&Subject::Unit(*u)));
            line.acts.iter().find_map(|act| match act {
                Act::Standing(it, mark) if *it == what && same => Some((line.id, *mark)),
                _ => None,
            })
        });
        Some(Row { what, stands: of.iter().all(stands), turns })
    };
    Instruction::ALL.into_iter().filter_map(row).collect()
}

/// Strikes an instruction out or lets it stand again; an order of this turn that does
/// so already is taken back. The words to show if it cannot be.
pub fn turn(
    play: &mut Play,
    battle: &Scenario,
    frame: &Frame,
    side: SideId,
    row: Row,
    words: &Words,
) -> Option<String> {
    if let Some((id, _)) = row.turns {
        play.session.take_back(id);
        return None;
    }
    let (chosen, labels) = (carriers(battle, &play.chosen, row.what), play.labels());
    let desk = form::Desk { battle, frame, side, chosen: &chosen, labels: &labels };
    let mark = if row.stands { Mark::Struck } else { Mark::Stands };
    let line = desk.line(Cond::Start, vec![Act::Standing(row.what, mark)]);
    match desk.legal(line) {
        Ok(line) => {
            play.session.give(line);
            None
        }
        Err(no) => Some(no.words(words)),
    }
}

/// Draws the card.
#[allow(clippy::too_many_arguments, reason = "a panel needs its paint")]
pub fn card(
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
    let rows = rows(play, battle, frame);
    ui.label(title(words.t("instructions"), 15.0, l.text.0));
    if rows.is_empty() {
        ui.label(text(words.t("instructions-none"), 12.0, l.muted.0));
        return;
    }
    let mut turned = None;
    for (nth, row) in rows.iter().enumerate() {
        // As it will be once the order of this turn is heard.
        let on = row.turns.map_or(row.stands, |(_, mark)| mark == Mark::Stands);
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
        let painter = ui.painter();
        let hot = response.hovered() && planning;
        let edge = if hot || row.turns.is_some() { l.accent.0 } else { l.line.0 };
        painter.rect(
            rect,
            CornerRadius::ZERO,
            if hot { l.bg3.0 } else { l.bg2.0 },
            Stroke::new(1.0, edge),
            StrokeKind::Inside,
        );
        let ink = match (on, row.turns.is_some()) {
            (_, true) => l.accent.0,
            (true, false) => l.text.0,
            (false, false) => l.muted.0,
        };
        // A stroke of the seal before what stands, as on a card that was read and sealed.
        let seal =
            Rect::from_center_size(pos2(rect.left() + 14.0, rect.center().y), vec2(9.0, 9.0));
        if on {
            painter.rect_filled(seal, CornerRadius::ZERO, ink);
        } else {
            let stroke = Stroke::new(1.2, ink);
            painter.rect_stroke(seal, CornerRadius::ZERO, stroke, StrokeKind::Inside);
        }
        let name = painter.layout_no_wrap(words.t(key(row.what)), sans(13.0), ink);
        let at = pos2(rect.left() + 26.0, rect.center().y - name.size().y / 2.0);
        let (y, x1) = (rect.center().y + 1.0, at.x + name.size().x);
        painter.with_clip_rect(rect.shrink(2.0)).galley(at, name, ink);
        if !on {
            painter.hline(at.x..=x1, y, Stroke::new(1.4, ink));
        }
        let cap = format!("Ctrl {}", nth + 1);
        let right = pos2(rect.right() - 6.0, rect.center().y);
        key_cap(painter, right, &cap, l.muted.0, l.line.0);
        spots.push((key(row.what).to_owned(), rect));
        if response.clicked() && planning {
            turned = Some(*row);
        }
        response.on_hover_ui(|ui| {
            let said = read_back::instruction(row.what);
            ui.label(text(words.name(&said), 13.0, l.text.0));
            let how = match (planning, on) {
                (false, _) => "note-not-now",
                (true, true) => "instructions-strike",
                (true, false) => "instructions-restore",
            };
            ui.label(text(words.t(how), 12.0, l.muted.0));
        });
    }
    if let Some(row) = turned
        && let Some(no) = turn(play, battle, frame, side, row, words)
    {
        let until = ui.input(|i| i.time) + 3.0;
        play.note = Some((no, until));
    }
}
