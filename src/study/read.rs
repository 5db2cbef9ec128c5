//! Numbers read from the truth at one moment.

use crate::core::ids::{CompanyId, PersonId, UnitId, WorkId};
use crate::orders::ast::{Place, Sel, Who};
use crate::scenario::record::{Count, Quantity};
use crate::sim::board::{Cause, Mind};
use crate::sim::journal::{Entry, Happening};
use crate::sim::judge;
use crate::sim::lands;
use crate::sim::truth::Truth;

/// Whether a mind has given up: broken, yielded or gone.
#[must_use]
pub const fn beaten(mind: Mind) -> bool {
    matches!(mind, Mind::Broken | Mind::Rallying | Mind::Yielded | Mind::Gone)
}

/// The companies on the field that a selector means, ascending.
pub fn matching<'a>(truth: &'a Truth<'a>, sel: &'a Sel) -> impl Iterator<Item = CompanyId> + 'a {
    of(truth, sel.who).filter(move |c| judge::matches(sel, truth, *c) == Some(true))
}

/// Every company that has been on the field, by whose it is alone: the lost ones
/// count where they fell.
pub fn of<'a>(truth: &'a Truth<'a>, who: Who) -> impl Iterator<Item = CompanyId> + 'a {
    (0..truth.roster.len())
        .filter(move |i| truth.roster.mustered[*i] && belongs(truth, who, *i))
        .map(CompanyId::from_index)
}

/// Whether a company is of these. Words that need a post to ask mean nobody here.
fn belongs(truth: &Truth<'_>, who: Who, company: usize) -> bool {
    let roster = truth.roster;
    match who {
        Who::Party(party) => roster.party[company] == party,
        Who::Side(side) => roster.side[company] == side,
        Who::Corps(corps) => roster.corps[company] == corps,
        Who::Unit(unit) => roster.unit[company] == unit,
        Who::Kind(kind) => roster.kind[company] == kind,
        Who::Person(person) => {
            truth.persons.company.get(person.index()).is_some_and(|c| c.index() == company)
        }
        Who::Enemy | Who::Friend | Who::Own => false,
    }
}

/// A quantity now; none where its place does not exist.
#[must_use]
pub fn quantity(truth: &Truth<'_>, what: &Quantity) -> Option<f64> {
    let strength = truth.strength;
    let sum = |men: i64| Some(men as f64);
    match what {
        Quantity::Men(sel) => judge::men(sel, truth).map(f64::from),
        Quantity::Lost(sel) => sum(of(truth, sel.who)
            .map(|c| i64::from(strength.lost[c.index()] + strength.captive[c.index()]))
            .sum()),
        Quantity::LostToShot(sel) => {
            sum(of(truth, sel.who).map(|c| i64::from(strength.lost_to_shot[c.index()])).sum())
        }
        Quantity::Inside(sel, gate) => judge::inside(sel, *gate, truth).map(f64::from),
        Quantity::Crossed(sel, gate) => {
            let portal = judge::portal_of(truth, *gate)?;
            let crossed = truth.places.crossed_in.get(portal.index())?;
            sum(units_of(truth, sel.who)
                .map(|u| i64::from(crossed.get(u).copied().unwrap_or(0)))
                .sum())
        }
        Quantity::Foremost(sel, place) => judge::foremost(sel, *place, truth),
        Quantity::AliveInside(person, gate) => {
            alive_inside(truth, *person, *gate).map(|inside| f64::from(u8::from(inside)))
        }
        Quantity::Engines(sel) => {
            let able = |c: CompanyId| {
                let of = truth.engines.of_company.get(c.index());
                of.into_iter().flatten().filter(|e| truth.engines.works[e.index()]).count()
            };
            Some(matching(truth, sel).map(able).sum::<usize>() as f64)
        }
        Quantity::LostTo(sel, causes) => {
            // The tally is kept by unit.
            let of_cause = |cause: &Cause| -> i64 {
                let row = truth.strength.tally.get(*cause as usize);
                units_of(truth, sel.who)
                    .map(|u| i64::from(row.and_then(|r| r.get(u)).copied().unwrap_or(0)))
                    .sum()
            };
            sum(causes.iter().map(of_cause).sum())
        }
        Quantity::Missiles(sel) => {
            let left = |c: CompanyId| {
                let engines = truth.engines.of_company.get(c.index()).into_iter().flatten();
                let of_engines: i64 =
                    engines.map(|e| i64::from(truth.engines.store[e.index()])).sum();
                let own = truth.stores.missiles.get(c.index()).copied().unwrap_or(0);
                of_engines + i64::from(own)
            };
            sum(matching(truth, sel).map(left).sum())
        }
        Quantity::Climbed(sel, wall) => sum(climbed(truth, sel, *wall, true)),
        Quantity::ClimbedDown(sel, wall) => sum(climbed(truth, sel, *wall, false)),
        Quantity::MenNear(sel, cm, of) => sum(men_near(truth, sel, *cm, of)),
    }
}

/// The units that a selector means, by whose they are alone.
fn units_of<'a>(truth: &'a Truth<'a>, who: Who) -> impl Iterator<Item = usize> + 'a {
    (0..truth.setting.scenario.units.len()).filter(move |u| {
        truth.roster.of_unit[*u].first().is_some_and(|c| belongs(truth, who, c.index()))
    })
}

/// Men of a selector's units who have passed a wall's ladders, up or down.
fn climbed(truth: &Truth<'_>, sel: &Sel, wall: WorkId, up: bool) -> i64 {
    let site = &truth.setting.site;
    let crossed = if up { &truth.places.crossed_in } else { &truth.places.crossed_out };
    let rows = site.stretches().filter(|p| site.portals[p.index()].work == wall);
    let rows: Vec<&Vec<i32>> = rows.filter_map(|p| crossed.get(p.index())).collect();
    units_of(truth, sel.who)
        .map(|u| rows.iter().map(|r| i64::from(r.get(u).copied().unwrap_or(0))).sum::<i64>())
        .sum()
}

/// Men on the same level as, and within `cm` centimetres of, a company of others.
fn men_near(truth: &Truth<'_>, sel: &Sel, cm: i32, of: &Sel) -> i64 {
    let nodes = &truth.setting.site.nodes;
    let place = |c: CompanyId| {
        let at = truth.places.at[c.index()];
        (nodes[truth.places.node[c.index()].index()].level, at)
    };
    let others: Vec<_> = matching(truth, of).map(place).collect();
    matching(truth, sel)
        .filter(|c| {
            let (level, at) = place(*c);
            others.iter().any(|(l, o)| *l == level && o.distance_cm(at) <= cm)
        })
        .map(|c| i64::from(truth.strength.men[c.index()]))
        .sum()
}

/// What is counted of companies chosen before, wherever they are.
#[must_use]
pub fn counted(truth: &Truth<'_>, companies: &[CompanyId], what: Count) -> f64 {
    let strength = truth.strength;
    let each = |c: &CompanyId| {
        let i = c.index();
        i64::from(match what {
            Count::Men => strength.men[i],
            Count::Lost => strength.lost[i] + strength.captive[i],
            Count::LostToShot => strength.lost_to_shot[i],
        })
    };
    companies.iter().map(each).sum::<i64>() as f64
}

/// Men that companies of a selector lost in this pulse to each cause, done by some
/// units alone or by all but these.
#[must_use]
pub fn fell_now(
    truth: &Truth<'_>,
    of: &Sel,
    (by, others): (&[UnitId], bool),
) -> [i64; Cause::ALL.len()] {
    let mut fell = [0; Cause::ALL.len()];
    let pulse = truth.clock.pulse;
    // The clock already stands at the pulse to come.
    let now = |e: &&Entry| e.pulse + 1 >= pulse;
    for entry in truth.journal.entries().iter().rev().take_while(now) {
        let Happening::Fell { company, men, cause, by: who } = &entry.what else { continue };
        let meant = by.is_empty() || who.is_some_and(|u| by.contains(&u)) != others;
        if entry.pulse + 1 == pulse && meant && belongs(truth, of.who, company.index()) {
            // Where and how they are now: nothing to ask of those of whom none is left.
            let anywhere = of.states.is_empty() && of.area.is_none() && of.within.is_none();
            if !anywhere && judge::matches(of, truth, *company) != Some(true) {
                continue;
            }
            fell[*cause as usize] += i64::from(*men);
        }
    }
    fell
}

/// Whether a person lives and is past the inner mouth of a gate. Of a company in
/// the passage he who rides last is not.
fn alive_inside(truth: &Truth<'_>, person: PersonId, gate: WorkId) -> Option<bool> {
    let portal = judge::portal_of(truth, gate)?;
    let company = *truth.persons.company.get(person.index())?;
    let last = truth.setting.scenario.persons.get(person.index())?.rides_last;
    let i = company.index();
    let inside = match truth.places.straddles[i] {
        Some((p, inward)) if p == portal => (truth.places.passed[i] > 0 && !last) == inward,
        _ => lands::is_inside(&truth.setting.site, portal, truth.places.at[i]),
    };
    Some(inside && truth.persons.alive[person.index()])
}

/// Whether a company has left the field, or is farther than `beyond` from a place.
#[must_use]
pub fn swept(truth: &Truth<'_>, company: CompanyId, beyond: (i32, Place)) -> bool {
    let i = company.index();
    beaten(truth.spirits.mind[i])
        || truth.strength.men[i] == 0
        || judge::distance_cm(beyond.1, truth, truth.places.at[i], truth.places.node[i])
            .is_some_and(|cm| cm > beyond.0)
}
