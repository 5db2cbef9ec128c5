//! Events of the journal in a line of words.

use crate::core::ids::{CompanyId, UnitId, WorkId};
use crate::scenario::battle::Scenario;
use crate::view::session::Session;
use crate::view::timeline::Told;
use crate::view::{Entry, Happening, Why};

use super::say::Teller;
use super::words::{Words, count};

/// An event of the list in words; none for one that has no line.
#[must_use]
pub fn told(words: &Words, battle: &Scenario, session: &Session, what: Told) -> Option<String> {
    match what {
        Told::Entry(at) => entry(words, battle, session, session.timeline().entries.get(at)?),
        Told::Ladders(work, up, n) => {
            let name = words.name(&battle.site.works.get(work.index())?.name);
            let key = if up { "tell-ladders-up" } else { "tell-ladders-down" };
            Some(words.say(key, &[("who", name.into()), ("n", count(n).into())]))
        }
        Told::Heads(work, area) => {
            let area = area.and_then(|a| battle.site.areas.get(a.index())).map(|a| &a.name);
            let name = match area {
                Some(name) => name,
                None => &battle.site.works.get(work.index())?.name,
            };
            Some(words.say("tell-heads", &[("place", words.name(name).into())]))
        }
    }
}

/// An entry of the journal in words; none for one that has no line.
#[must_use]
pub fn entry(words: &Words, battle: &Scenario, session: &Session, entry: &Entry) -> Option<String> {
    let unit = |u: UnitId| {
        battle.units.get(u.index()).map_or_else(String::new, |u| words.name(&u.name).to_owned())
    };
    let of = |c: CompanyId| unit(session.unit_of(c));
    let work = |w: WorkId| {
        battle
            .site
            .works
            .get(w.index())
            .map_or_else(String::new, |w| words.name(&w.name).to_owned())
    };
    let person = |p: crate::core::ids::PersonId| {
        battle.persons.get(p.index()).map_or_else(String::new, |p| words.name(&p.name).to_owned())
    };
    let teller = Teller { words, battle };
    Some(match &entry.what {
        Happening::OrderTaken { label, unit: who, .. } => {
            let who = who.map_or_else(|| words.t("tell-gate-keeper"), unit);
            words.say("tell-order", &[("line", label.as_str().into()), ("who", who.into())])
        }
        Happening::Broke { company, causes } => {
            let why: Vec<String> =
                causes.iter().take(3).map(|(why, _)| cause(words, *why)).collect();
            words.say(
                "tell-broke",
                &[("who", of(*company).into()), ("why", why.join(&words.t("say-comma")).into())],
            )
        }
        Happening::Rallied { company } => {
            words.say("tell-rallied", &[("who", of(*company).into())])
        }
        Happening::Yielded { company, men } => {
            words.say("tell-yielded", &[("who", of(*company).into()), ("n", count(*men).into())])
        }
        Happening::LeafMoves { work: w, opening } => words.say(
            if *opening { "tell-opening" } else { "tell-closing" },
            &[("who", work(*w).into())],
        ),
        Happening::GateShut { work: w } => words.say("tell-shut", &[("who", work(*w).into())]),
        Happening::GateOpened { work: w } => words.say("tell-opened", &[("who", work(*w).into())]),
        Happening::GateJammed { work: w } => words.say("tell-jammed", &[("who", work(*w).into())]),
        Happening::GateBroken { work: w } => {
            words.say("tell-broken-in", &[("who", work(*w).into())])
        }
        Happening::Barred { work: w, barred } => words.say(
            if *barred { "tell-barred" } else { "tell-unbarred" },
            &[("who", work(*w).into())],
        ),
        Happening::Jam { work: w, men } => {
            words.say("tell-jam", &[("who", work(*w).into()), ("n", count(*men).into())])
        }
        Happening::PersonHurt { person: p, wounds } => {
            words.say("tell-hurt", &[("who", person(*p).into()), ("n", (*wounds).into())])
        }
        Happening::PersonFell { person: p } => {
            words.say("tell-fell", &[("who", person(*p).into())])
        }
        Happening::PersonCrossed { person: p, work: w, inward } => words.say(
            if *inward { "tell-in" } else { "tell-out" },
            &[("who", person(*p).into()), ("place", work(*w).into())],
        ),
        Happening::EngineWrecked { company, kind } => {
            let what = battle
                .rules
                .engines
                .get(kind.index())
                .map_or_else(String::new, |k| words.name(&k.name).to_owned());
            words.say("tell-wrecked", &[("who", of(*company).into()), ("what", what.into())])
        }
        Happening::Empty { unit: u } => words.say("tell-empty", &[("who", unit(*u).into())]),
        Happening::Signal { channel, .. } => {
            words.say("tell-signal", &[("who", teller.channel(*channel).into())])
        }
        Happening::Call { text, zh, .. } => {
            let name = crate::scenario::catalogue::Name { en: text.clone(), zh: zh.clone() };
            words.say("tell-call", &[("who", words.name(&name).into())])
        }
        Happening::Taken { area, owner } => {
            let place = battle
                .site
                .areas
                .get(area.index())
                .map_or_else(String::new, |a| words.name(&a.name).to_owned());
            let whose = owner
                .and_then(|s| battle.sides.get(s.index()))
                .map_or_else(|| words.t("nobody"), |s| words.name(&s.name).to_owned());
            words.say("tell-taken", &[("place", place.into()), ("who", whose.into())])
        }
        Happening::Ended { .. } => words.t("tell-ended"),
        _ => return None,
    })
}

fn cause(words: &Words, why: Why) -> String {
    words.t(match why {
        Why::Losses => "why-losses",
        Why::Stalled => "why-stalled",
        Why::Flanked => "why-flanked",
        Why::FriendsBroke => "why-friends",
        Why::LeaderFell => "why-leader-fell",
        Why::Spent => "why-spent",
        Why::TaskOver => "why-task-over",
        Why::Success => "why-success",
        Why::Leader => "why-leader",
        Why::Signal => "why-signal",
    })
}
