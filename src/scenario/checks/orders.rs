//! Lists of orders: whom they are for, and conditions that say nothing.

use crate::core::ids::{SideId, UnitId};
use crate::orders::ast::{Act, Cond, Line, Measure, Rel, Sel, Subject, Who};
use crate::scenario::battle::Scenario;
use crate::scenario::findings::Message;
use crate::scenario::raw::battle::RawScenario;
use crate::scenario::raw::orders::RawLine;
use crate::scenario::resolve::Pen;
use crate::scenario::spans::Path;

/// The lines of one list.
pub fn lines(
    battle: &Scenario,
    lines: &[Line],
    raw: &[RawLine],
    path: &Path<'_>,
    pen: &mut Pen<'_>,
) {
    for (i, (line, written)) in lines.iter().zip(raw).enumerate() {
        let here = path.index(i);
        foreign(battle, line, written, &here, pen);
        sense(battle, &line.when, &here.field("when"), pen);
        if let Some((until, _)) = &line.until {
            sense(battle, until, &here.field("until"), pen);
        }
        acts(battle, line, &here, pen);
    }
}

/// The ends and aims of a battle.
pub fn ends(battle: &Scenario, raw: &RawScenario, pen: &mut Pen<'_>) {
    let list = Path::ROOT.field("ends");
    for (i, end) in battle.ends.iter().enumerate().take(raw.ends.len()) {
        sense(battle, &end.when, &list.index(i).field("when"), pen);
    }
    let list = Path::ROOT.field("objectives");
    for (i, aim) in battle.objectives.iter().enumerate().take(raw.objectives.len()) {
        sense(battle, &aim.when, &list.index(i).field("when"), pen);
    }
}

/// An order to somebody of another side than the post that gives it.
fn foreign(battle: &Scenario, line: &Line, raw: &RawLine, here: &Path<'_>, pen: &mut Pen<'_>) {
    let Some(own) = battle.posts.get(line.by.index()).map(|p| p.side) else { return };
    let who = here.field("who");
    for (k, (subject, name)) in line.who.iter().zip(&raw.who).enumerate() {
        let side: Option<SideId> = match subject {
            // A unit whose own corps is of another side has been reported.
            Subject::Unit(unit) => {
                let (side, corps) = (battle.side_of(*unit), battle.units[unit.index()].corps);
                Some(side).filter(|side| battle.corps[corps.index()].side == *side)
            }
            Subject::Person(person) => {
                battle.persons.get(person.index()).map(|p| battle.side_of(p.unit))
            }
            Subject::Work(work) => {
                let gate = battle.gates.iter().find(|g| g.work == *work);
                gate.and_then(|g| battle.posts.get(g.keeper.index())).map(|p| p.side)
            }
        };
        if side.is_some_and(|side| side != own) {
            let words = [name.clone(), battle.posts[line.by.index()].id.clone()];
            pen.error(
                "E0706",
                &who.index(k),
                Message::new(
                    "`{0}` is of another side than the post `{1}` that gives the order",
                    words,
                ),
            );
        }
    }
}

/// Acts that their subjects cannot do.
fn acts(battle: &Scenario, line: &Line, here: &Path<'_>, pen: &mut Pen<'_>) {
    for (field, acts) in
        [("do", &line.acts), ("then", line.until.as_ref().map_or(&Vec::new(), |(_, acts)| acts))]
    {
        let list = here.field(field);
        for (k, act) in acts.iter().enumerate() {
            match act {
                Act::Gate(_) if !line.who.iter().any(|s| matches!(s, Subject::Work(_))) => {
                    pen.error(
                        "E0707",
                        &list.index(k),
                        Message::new(
                            "only the keeper of a gate can do this: name the gate in `who`",
                            [],
                        ),
                    );
                }
                Act::Shoot { .. } | Act::Volley(_) => {
                    let shoots = |subject: &Subject| match subject {
                        Subject::Unit(unit) => {
                            let unit: UnitId = *unit;
                            battle.kind_of(unit).missile.is_some()
                                || !battle.units[unit.index()].engines.is_empty()
                        }
                        _ => true,
                    };
                    if !line.who.iter().any(shoots) {
                        pen.error(
                            "E0707",
                            &list.index(k),
                            Message::new("nobody of these has anything to shoot with", []),
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

/// Conditions that are always or never true.
fn sense(battle: &Scenario, cond: &Cond, path: &Path<'_>, pen: &mut Pen<'_>) {
    match truth(battle, cond) {
        Some(true) => pen.warning("W0704", path, Message::new("this condition is always true", [])),
        Some(false) => {
            pen.error("E0704", path, Message::new("this condition can never be true", []))
        }
        None => {}
    }
}

/// What a condition comes to, whatever happens.
fn truth(battle: &Scenario, cond: &Cond) -> Option<bool> {
    match cond {
        Cond::Start | Cond::Event(_) => None,
        Cond::At(seconds) | Cond::After(seconds, _) => (*seconds > battle.max_s).then_some(false),
        Cond::Is(measure, rel, value) => {
            let (low, high) = bounds(battle, measure);
            let (at_low, at_high) = (rel.holds(low, *value), rel.holds(high, *value));
            match rel {
                // Rising in the measure: true at its least is true always.
                Rel::More | Rel::AtLeast => at_low.then_some(true).or((!at_high).then_some(false)),
                Rel::Less | Rel::AtMost => at_high.then_some(true).or((!at_low).then_some(false)),
            }
        }
        Cond::All(parts) => {
            let all: Vec<_> = parts.iter().map(|part| truth(battle, part)).collect();
            if all.contains(&Some(false)) {
                Some(false)
            } else {
                all.iter().all(|t| *t == Some(true)).then_some(true)
            }
        }
        Cond::Any(parts) => {
            let all: Vec<_> = parts.iter().map(|part| truth(battle, part)).collect();
            if all.contains(&Some(true)) {
                Some(true)
            } else {
                all.iter().all(|t| *t == Some(false)).then_some(false)
            }
        }
        Cond::Not(inner) => truth(battle, inner).map(|t| !t),
        Cond::For(seconds, inner) => {
            if *seconds > battle.max_s {
                Some(false)
            } else {
                truth(battle, inner)
            }
        }
    }
}

/// The least and the most that a measure can come to.
fn bounds(battle: &Scenario, measure: &Measure) -> (f64, f64) {
    match measure {
        Measure::Men(sel) => (0.0, men(battle, sel)),
        Measure::Share(part, whole) if part.who == whole.who && !whole.muster => {
            (0.0, if narrower(part, whole) { 100.0 } else { f64::INFINITY })
        }
        Measure::Loss(..)
        | Measure::Ammo(_)
        | Measure::Heart(_)
        | Measure::Stamina(_)
        | Measure::Gap(_) => (0.0, 100.0),
        _ => (0.0, f64::INFINITY),
    }
}

/// Whether all of `part` is surely in `whole`.
fn narrower(part: &Sel, whole: &Sel) -> bool {
    whole.states.iter().all(|s| part.states.contains(s))
        && (whole.area.is_none() || whole.area == part.area)
        && (whole.within.is_none() || whole.within == part.within)
        && part.muster == whole.muster
}

/// Men at muster of those meant, at most.
fn men(battle: &Scenario, sel: &Sel) -> f64 {
    let of = |fits: &dyn Fn(usize) -> bool| -> f64 {
        battle
            .units
            .iter()
            .enumerate()
            .filter(|(i, _)| fits(*i))
            .map(|(_, u)| f64::from(u.men))
            .sum()
    };
    match sel.who {
        Who::Party(party) => of(&|i| battle.units[i].party == party),
        Who::Side(side) => of(&|i| battle.side_of(UnitId::from_index(i)) == side),
        Who::Corps(corps) => of(&|i| battle.units[i].corps == corps),
        Who::Unit(unit) => of(&|i| i == unit.index()),
        Who::Kind(kind) => of(&|i| battle.units[i].kind == kind),
        Who::Enemy | Who::Friend | Who::Own => of(&|_| true),
        Who::Person(_) => f64::INFINITY,
    }
}
