//! Ghosts of orders on the map: where they lead, what they wait for, and who carries
//! them there.

use bevy_egui::egui::{self, Color32, CornerRadius, Painter, Pos2, Rect, Stroke, Vec2, vec2};

use crate::orders::ast::{Line, Subject};
use crate::view::letters::Standing;

use super::bits::sans;
use super::canvas::far;
use super::form::leads;
use super::say::Teller;
use super::state::Play;
use super::theme::{Theme, fade};
use super::words::{Words, clock};

/// Ghost paths of the orders of this turn, of those of the chosen that wait or are on
/// their way, and the messengers. Adds the places of their words to `taken`.
pub fn draw(painter: &Painter, theme: &Theme, play: &Play, words: &Words, taken: &mut Vec<Rect>) {
    let Some(side) = play.session.side() else { return };
    let pulse = play.pulse();
    for line in play.session.pending() {
        ghost(painter, theme, play, words, line, None, taken);
    }
    for line in play.session.given_until(side, pulse) {
        let chosen =
            line.who.iter().any(|s| matches!(s, Subject::Unit(u) if play.chosen.contains(u)));
        if !chosen {
            continue;
        }
        let stands = play.session.standing(line, pulse);
        if stands != Standing::Taken {
            ghost(painter, theme, play, words, line, Some(stands), taken);
        }
    }
    messengers(painter, theme, play, words, side, taken);
}

/// A label on pale ground, its middle at a place.
fn label(painter: &Painter, theme: &Theme, middle: Pos2, said: String, taken: &mut Vec<Rect>) {
    let (under, over) = theme.ghost();
    let galley = painter.layout_no_wrap(said, sans(12.0), over);
    let place = Rect::from_center_size(middle, galley.size() + vec2(8.0, 2.0));
    painter.rect_filled(place, CornerRadius::ZERO, fade(under, 0.93));
    painter.galley(place.min + vec2(4.0, 1.0), galley, over);
    taken.push(place);
}

fn ghost(
    painter: &Painter,
    theme: &Theme,
    play: &Play,
    words: &Words,
    line: &Line,
    stands: Option<Standing>,
    taken: &mut Vec<Rect>,
) {
    let battle = play.battle();
    let frame = play.session.frame(play.pulse());
    let (under, over) = theme.ghost();
    let waits = match stands {
        None => !matches!(line.when, crate::orders::ast::Cond::Start),
        Some(stands) => stands == Standing::Waits,
    };
    for subject in &line.who {
        let Subject::Unit(unit) = subject else { continue };
        let Some(mark) = frame.units.get(unit.index()).filter(|m| m.men > 0) else { continue };
        let Some(to) = line.acts.iter().find_map(|a| leads(a, &battle, frame)) else { continue };
        let (a, b) = (play.land.m(mark.at), play.land.m(to));
        let (p, q) = (play.view.on(a), play.view.on(b));
        if p.distance(q) < 12.0 {
            continue;
        }
        let dash = if waits { (2.0, 6.0) } else { (11.0, 6.0) };
        let d = arrow(painter, p, q, under, over, dash);
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
        let said = match stands {
            Some(Standing::Travels(_, s)) => {
                words.say("ghost-travels", &[("time", clock(s).into())])
            }
            Some(Standing::Leaves) => words.t("line-leaves"),
            _ if waits => words.t("ghost-waits"),
            _ => words.say("ghost-arrives", &[("time", clock(seconds).into())]),
        };
        let middle = p + (q - p) * 0.5 + vec2(-d.y, d.x) * 12.0;
        label(painter, theme, middle, said, taken);
    }
}

/// A dashed arrow on a pale one; returns its direction.
fn arrow(
    painter: &Painter,
    p: Pos2,
    q: Pos2,
    under: Color32,
    over: Color32,
    dash: (f32, f32),
) -> Vec2 {
    painter.line_segment([p, q], Stroke::new(5.0, under));
    let stroke = Stroke::new(2.4, over);
    painter.extend(egui::Shape::dashed_line(&[p, q], stroke, dash.0, dash.1));
    let d = (q - p).normalized();
    let broad = vec2(-d.y, d.x) * 7.0;
    let tip = vec![q, q - d * 13.0 + broad, q - d * 13.0 - broad];
    painter.add(egui::Shape::convex_polygon(tip, over, Stroke::new(1.5, under)));
    d
}

/// Who carries an order, how far he has come, and when it is understood.
fn messengers(
    painter: &Painter,
    theme: &Theme,
    play: &Play,
    words: &Words,
    side: crate::core::ids::SideId,
    taken: &mut Vec<Rect>,
) {
    let battle = play.battle();
    let teller = Teller { words, battle: &battle };
    let pulse = play.pulse();
    let (under, over) = theme.ghost();
    let gold = theme.map("select");
    for letter in play.session.letters(side, pulse) {
        let (p, q) = (play.view.on(play.land.m(letter.from)), play.view.on(play.land.m(letter.to)));
        let whole = f64::from(letter.arrives + 1 - letter.pulse).max(1.0);
        let part = ((play.cursor - f64::from(letter.pulse)) / whole).clamp(0.0, 1.0) as f32;
        let at = p + (q - p) * part;
        painter.line_segment([at, q], Stroke::new(3.0, fade(under, 0.8)));
        painter.extend(egui::Shape::dashed_line(&[at, q], Stroke::new(1.4, over), 4.0, 4.0));
        painter.circle(at, 6.0, gold, Stroke::new(2.0, over));
        painter.circle_filled(at, 2.0, over);
        let said = words.say(
            "ghost-letter",
            &[
                ("line", letter.label.as_str().into()),
                ("via", teller.channel(letter.channel).into()),
                ("time", clock(letter.left_s(pulse, battle.pulse_s)).into()),
            ],
        );
        label(painter, theme, at + vec2(0.0, -17.0), said, taken);
    }
}
