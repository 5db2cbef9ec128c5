//! Which men are meant, where they are, and how far from what.

use super::{Eyes, REACHED_CM, Seen, flag};
use crate::core::ids::{AreaId, CompanyId, NodeId, PersonId, PortalId, SideId, UnitId, WorkId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Place, Sel, State, Subject, Who};
use crate::scenario::site::{Site, WorkForm};
use crate::sim::board::{Roster, Setting};
use crate::sim::lands;
use crate::sim::laws::Law;

/// Whether a company is one of these now; none where it is unknown.
pub fn matches<E: Eyes>(sel: &Sel, eyes: &E, company: CompanyId) -> Option<bool> {
    if !is_whose(sel.who, eyes, company) {
        return Some(false);
    }
    let seen = eyes.seen(company)?;
    Some(men_of(sel, eyes, company, &seen) > 0)
}

/// Men of these, straddlers in part; none where nothing is known of them.
pub fn men<E: Eyes>(sel: &Sel, eyes: &E) -> Option<i32> {
    if sel.muster {
        return Some(muster_of(sel.who, eyes));
    }
    let mut men = 0;
    let known = each(sel, eyes, |_, _, part| men += part);
    known.then_some(men)
}

/// Calls `f` with every company of these, what is known of it, and how many of
/// its men count (in the area, within the distance). Returns whether anything at
/// all is known of them. Ascending by unit, then company.
pub fn each<E: Eyes>(sel: &Sel, eyes: &E, mut f: impl FnMut(CompanyId, &Seen, i32)) -> bool {
    let mut known = eyes.certain();
    among(sel.who, eyes, |company| {
        if let Some(seen) = eyes.seen(company) {
            known = true;
            let men = men_of(sel, eyes, company, &seen);
            if men > 0 {
                f(company, &seen, men);
            }
        }
    });
    known
}

/// Metres from a place to the foremost man of these, none if nobody is known. A
/// company's position is the middle of its front.
pub fn foremost<E: Eyes>(sel: &Sel, place: Place, eyes: &E) -> Option<f64> {
    let mut best = None;
    each(sel, eyes, |_, seen, _| {
        if let Some(cm) = distance_cm(place, eyes, seen.at, seen.node) {
            best = Some(best.map_or(cm, |b: i32| b.min(cm)));
        }
    });
    best.map(metres)
}

/// Men of these past the inner mouth of a gate, straddlers in part.
pub fn inside<E: Eyes>(sel: &Sel, gate: WorkId, eyes: &E) -> Option<i32> {
    let portal = portal_of(eyes, gate)?;
    let mut men = 0;
    let known = each(sel, eyes, |_, seen, part| {
        men += match seen.straddles {
            Some((p, inward)) if p == portal => {
                let passed = if inward { seen.passed } else { seen.men - seen.passed };
                passed.clamp(0, part)
            }
            _ if lands::is_inside(&eyes.setting().site, portal, seen.at) => part,
            _ => 0,
        };
    });
    known.then_some(men)
}

/// Men of these within so many centimetres of the leaves of a gate.
pub fn near_leaf<E: Eyes>(sel: &Sel, gate: WorkId, cm: i32, eyes: &E) -> Option<i32> {
    let portal = portal_of(eyes, gate)?;
    let leaf = lands::leaf_at(&eyes.setting().site, portal);
    let mut men = 0;
    let known = each(sel, eyes, |_, seen, part| {
        if seen.at.distance_cm(leaf) <= cm {
            men += part;
        }
    });
    known.then_some(men)
}

/// Centimetres from a place to a point (on a node); none where the place is unknown.
/// Areas: 0 inside, else to the box about them.
pub fn distance_cm<E: Eyes>(place: Place, eyes: &E, at: PointCm, node: NodeId) -> Option<i32> {
    match place {
        Place::Area(area) if eyes.lands().holds(area, node) => Some(0),
        Place::Area(area) => Some(eyes.lands().distance_cm(area, at)),
        Place::Work(work) => Some(lands::to_work_cm(&eyes.setting().site, work, at)),
        Place::Point(point) => Some(at.distance_cm(point)),
        Place::Unit(unit) => {
            let mut best = None;
            among(Who::Unit(unit), eyes, |company| {
                if let Some(seen) = eyes.seen(company).filter(|s| !s.is(flag::GONE)) {
                    let cm = at.distance_cm(seen.at);
                    best = Some(best.map_or(cm, |b: i32| b.min(cm)));
                }
            });
            best
        }
        Place::Person(person) => {
            let company = eyes.person(person)?.company;
            Some(at.distance_cm(eyes.seen(company)?.at))
        }
    }
}

/// Whether two sides' men fight each other: a side's own parties against a
/// company's party by the matrix, or side against side with the law off.
#[must_use]
pub fn is_enemy(setting: &Setting, roster: &Roster, asks: SideId, company: CompanyId) -> bool {
    let side = roster.side[company.index()];
    if setting.off.is_off(Law::Party) {
        return side != asks;
    }
    let party = roster.party[company.index()].index();
    setting
        .scenario
        .parties
        .iter()
        .zip(&setting.scenario.hostile)
        .any(|(p, row)| p.side == asks && row[party])
}

/// Seconds that a company of a kind would take over a distance at its fastest.
#[must_use]
pub fn dash_s(setting: &Setting, roster: &Roster, company: CompanyId, cm: i32) -> f64 {
    let kind = &setting.rules.units[roster.kind[company.index()].index()];
    let speed = setting.rules.gaits(roster.mounted[company.index()]).charge.v() * kind.pace.v();
    if speed > 0.0 { metres(cm) / speed } else { f64::MAX }
}

/// Whether one of these passes a test.
pub(super) fn any<E: Eyes>(
    sel: &Sel,
    eyes: &E,
    mut test: impl FnMut(CompanyId, &Seen) -> bool,
) -> Option<bool> {
    let mut found = false;
    let known = each(sel, eyes, |company, seen, _| found = found || test(company, seen));
    if found { Some(true) } else { known.then_some(false) }
}

/// The same over all companies of the selector's men, gone and captive ones too.
pub(super) fn any_ever<E: Eyes>(
    sel: &Sel,
    eyes: &E,
    mut test: impl FnMut(CompanyId, &Seen) -> bool,
) -> Option<bool> {
    let mut found = false;
    let mut known = eyes.certain();
    among(sel.who, eyes, |company| {
        if let Some(seen) = eyes.seen(company) {
            known = true;
            found = found
                || (test(company, &seen) && (seen.is(flag::GONE) || is_there(sel, eyes, &seen)));
        }
    });
    if found { Some(true) } else { known.then_some(false) }
}

fn is_there<E: Eyes>(sel: &Sel, eyes: &E, seen: &Seen) -> bool {
    sel.area.is_none_or(|area| eyes.lands().holds(area, seen.node))
        && sel.within.is_none_or(|(cm, place)| {
            distance_cm(place, eyes, seen.at, seen.node).is_some_and(|away| away <= cm)
        })
}

/// Whether one of these is in an area; a person counts where he himself is.
pub(super) fn in_area<E: Eyes>(sel: &Sel, area: AreaId, eyes: &E) -> Option<bool> {
    if let Who::Person(person) = sel.who {
        let known = eyes.person(person)?;
        let seen = eyes.seen(known.company)?;
        let [far, near] = parts(eyes, &seen);
        let last = eyes.setting().scenario.persons[person.index()].rides_last;
        let node =
            if seen.straddles.is_some() && (last || seen.passed == 0) { near.0 } else { far.0 };
        return Some(known.alive && eyes.lands().holds(area, node));
    }
    let sel = Sel { area: Some(area), ..sel.clone() };
    any(&sel, eyes, |_, _| true)
}

/// A company in two parts: past the portal it straddles, and not yet. Each with
/// its node, position and men; the second is empty where it straddles none.
fn parts<E: Eyes>(eyes: &E, seen: &Seen) -> [(NodeId, PointCm, i32); 2] {
    let Some((portal, inward)) = seen.straddles else {
        return [(seen.node, seen.at, seen.men), (seen.node, seen.at, 0)];
    };
    let portal = &eyes.setting().site.portals[portal.index()];
    let (far, far_at, near, near_at) = if inward {
        (&portal.inner, portal.inner_at, &portal.outer, portal.outer_at)
    } else {
        (&portal.outer, portal.outer_at, &portal.inner, portal.inner_at)
    };
    // Its own node and position stand for the part in which its front is.
    let pick = |nodes: &[NodeId], at: PointCm| {
        if nodes.contains(&seen.node) {
            (seen.node, seen.at)
        } else {
            (nodes.first().copied().unwrap_or(seen.node), at)
        }
    };
    let passed = seen.passed.clamp(0, seen.men);
    let ((far, far_at), (near, near_at)) = (pick(far, far_at), pick(near, near_at));
    [(far, far_at, passed), (near, near_at, seen.men - passed)]
}

/// How many men of a company whose owner fits count for a selector.
fn men_of<E: Eyes>(sel: &Sel, eyes: &E, company: CompanyId, seen: &Seen) -> i32 {
    let captives = sel.states.contains(&State::Captive);
    if !captives && seen.flags & (flag::GONE | flag::CAPTIVE) != 0 {
        return 0;
    }
    for &state in &sel.states {
        if !is_in(state, eyes, company, seen) {
            return 0;
        }
    }
    if captives {
        let men = seen.captive + if seen.is(flag::CAPTIVE) { seen.men } else { 0 };
        return if is_there(sel, eyes, seen) { men } else { 0 };
    }
    if sel.area.is_none() && sel.within.is_none() {
        return seen.men;
    }
    if seen.straddles.is_none() {
        return if is_there(sel, eyes, seen) { seen.men } else { 0 };
    }
    parts(eyes, seen)
        .into_iter()
        .filter(|(node, at, _)| is_there(sel, eyes, &Seen { at: *at, node: *node, ..*seen }))
        .map(|(_, _, men)| men)
        .sum()
}

fn is_in<E: Eyes>(state: State, eyes: &E, company: CompanyId, seen: &Seen) -> bool {
    match state {
        State::Formed => seen.is(flag::FORMED),
        State::Roofed => seen.is(flag::ROOFED),
        State::Moving => seen.is(flag::MOVING),
        State::Stalled => seen.is(flag::STALLED),
        State::Fighting => seen.is(flag::FIGHTING),
        State::Broken => seen.is(flag::BROKEN),
        State::Unbroken => !seen.is(flag::BROKEN),
        State::Captive => seen.captive > 0 || seen.is(flag::CAPTIVE),
        State::Mounted => seen.is(flag::MOUNTED),
        State::Afoot => !seen.is(flag::MOUNTED),
        State::Slow => seen.is(flag::SLOW),
        State::Loose => seen.is(flag::LOOSE),
        State::Home => {
            let unit = eyes.roster().unit[company.index()];
            eyes.setting().scenario.units[unit.index()].refuges.iter().any(|refuge| match *refuge {
                Place::Area(area) => eyes.lands().holds(area, seen.node),
                place => {
                    distance_cm(place, eyes, seen.at, seen.node).is_some_and(|cm| cm <= REACHED_CM)
                }
            })
        }
    }
}

/// Calls `f` with every mustered company of these men, known or not.
pub(super) fn among<E: Eyes>(who: Who, eyes: &E, mut f: impl FnMut(CompanyId)) {
    let roster = eyes.roster();
    let unit = |unit: UnitId, f: &mut dyn FnMut(CompanyId)| {
        // Spare companies stand last.
        roster.of_unit[unit.index()]
            .iter()
            .copied()
            .take_while(|c| roster.mustered[c.index()])
            .for_each(f);
    };
    match who {
        Who::Unit(id) => unit(id, &mut f),
        Who::Corps(id) => {
            eyes.setting().scenario.corps[id.index()].units.iter().for_each(|u| unit(*u, &mut f))
        }
        Who::Person(person) => {
            if let Some(known) = eyes.person(person).filter(|p| p.alive) {
                f(known.company);
            }
        }
        Who::Own => {
            for subject in eyes.own() {
                match *subject {
                    Subject::Unit(id) => unit(id, &mut f),
                    Subject::Person(person) => among_person(person, eyes, &mut f),
                    Subject::Work(_) => {}
                }
            }
        }
        Who::Party(_) | Who::Side(_) | Who::Kind(_) | Who::Enemy | Who::Friend => {
            for companies in &roster.of_unit {
                // Party, side and kind are the unit's: ask its first company.
                if companies.first().is_some_and(|first| is_whose(who, eyes, *first)) {
                    companies
                        .iter()
                        .copied()
                        .take_while(|c| roster.mustered[c.index()])
                        .for_each(&mut f);
                }
            }
        }
    }
}

fn among_person<E: Eyes>(person: PersonId, eyes: &E, f: &mut impl FnMut(CompanyId)) {
    if let Some(known) = eyes.person(person).filter(|p| p.alive) {
        f(known.company);
    }
}

fn is_whose<E: Eyes>(who: Who, eyes: &E, company: CompanyId) -> bool {
    let (roster, c) = (eyes.roster(), company.index());
    match who {
        Who::Party(party) => roster.party[c] == party,
        Who::Side(side) => roster.side[c] == side,
        Who::Corps(corps) => roster.corps[c] == corps,
        Who::Unit(unit) => roster.unit[c] == unit,
        Who::Kind(kind) => roster.kind[c] == kind,
        Who::Person(person) => eyes.person(person).is_some_and(|p| p.alive && p.company == company),
        Who::Enemy => {
            eyes.asks().is_some_and(|asks| is_enemy(eyes.setting(), roster, asks, company))
        }
        Who::Friend => eyes.asks().is_some_and(|asks| {
            roster.side[c] == asks && !is_enemy(eyes.setting(), roster, asks, company)
        }),
        Who::Own => eyes.own().iter().any(|subject| match *subject {
            Subject::Unit(unit) => roster.unit[c] == unit,
            Subject::Person(person) => eyes.person(person).is_some_and(|p| p.company == company),
            Subject::Work(_) => false,
        }),
    }
}

/// Men at muster, by the order of battle.
pub(super) fn muster_of<E: Eyes>(who: Who, eyes: &E) -> i32 {
    let setting = eyes.setting();
    let strength = |unit: UnitId| {
        let unit = &setting.scenario.units[unit.index()];
        if setting.off.units.contains(&unit.kind) { 0 } else { unit.men }
    };
    match who {
        Who::Unit(unit) => strength(unit),
        Who::Person(person) => i32::from(
            !setting.off.is_off(Law::Person) && person.index() < setting.scenario.persons.len(),
        ),
        Who::Own => eyes
            .own()
            .iter()
            .map(|s| if let Subject::Unit(unit) = s { strength(*unit) } else { 0 })
            .sum(),
        _ => (0..setting.scenario.units.len())
            .map(UnitId::from_index)
            .filter(|u| {
                eyes.roster().of_unit[u.index()]
                    .first()
                    .is_some_and(|first| is_whose(who, eyes, *first))
            })
            .map(strength)
            .sum(),
    }
}

/// The portal of a gate or ramp.
pub fn portal_of<E: Eyes>(eyes: &E, work: WorkId) -> Option<PortalId> {
    portal_of_work(&eyes.setting().site, work)
}

/// The portal of a gate or ramp of a site.
#[must_use]
pub fn portal_of_work(site: &Site, work: WorkId) -> Option<PortalId> {
    match site.works[work.index()].form {
        WorkForm::Gate { portal, .. } | WorkForm::Ramp { portal } => Some(portal),
        _ => None,
    }
}

fn metres(cm: i32) -> f64 {
    f64::from(cm) / 100.0
}
