//! What holds: selectors, measures, events and conditions over any source of facts.
//!
//! A source of facts is an [`Eyes`]: a post's board (what it knows) or the truth.
//! Inside, every answer is true, false or unknown; to the outside unknown is
//! false, and the negation of unknown is unknown too. A condition that needs the
//! past (`for`, `after`, words without an opposite) keeps it in a [`Memory`] of
//! its own: evaluate it at a steady beat, always with the same memory.

use std::collections::VecDeque;

use super::board::{Roster, Setting};
use super::lands::{self, Lands};
use super::laws::Law;
use crate::core::digest::Digest;
use crate::core::ids::{AreaId, CompanyId, NodeId, PersonId, PortalId, SideId, UnitId, WorkId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Channel, Cond, Event, Measure, Place, Sel, State, Subject, Who};
use crate::scenario::site::{Site, WorkForm};

/// Centimetres within which a place counts as reached: part of the language.
pub const REACHED_CM: i32 = 1_500;
/// Centimetres a second below which a company is slow or stalled: part of the language.
pub const SLOW_CM_S: i32 = 50;
/// The ratio against nobody at all.
const ALONE: f64 = 1_000_000.0;

/// Bits of [`Seen::flags`].
pub mod flag {
    /// Unbroken and in a shape other than crowd.
    pub const FORMED: u16 = 1;
    /// Under a roof of shields.
    pub const ROOFED: u16 = 2;
    /// On the move.
    pub const MOVING: u16 = 4;
    /// Slow although it wants to go on.
    pub const STALLED: u16 = 8;
    /// In contact.
    pub const FIGHTING: u16 = 16;
    /// Broken, or gathering after it broke.
    pub const BROKEN: u16 = 32;
    /// Has yielded.
    pub const CAPTIVE: u16 = 64;
    /// Riding.
    pub const MOUNTED: u16 = 128;
    /// Slow, whatever it wants.
    pub const SLOW: u16 = 256;
    /// Too small to count.
    pub const GONE: u16 = 512;
}

/// What is known of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its front.
    pub at: PointCm,
    /// Node of its front.
    pub node: NodeId,
    /// Men on their feet or horses.
    pub men: i32,
    /// Of these, men past the portal that it straddles.
    pub passed: i32,
    /// The portal it straddles, and whether it goes inwards.
    pub straddles: Option<(PortalId, bool)>,
    /// Men lost since muster, captives aside.
    pub lost: i32,
    /// Men captive.
    pub captive: i32,
    /// Bits of [`flag`].
    pub flags: u16,
    /// Speed in centimetres a second.
    pub speed_cm_s: i32,
    /// Heart, 0 to 1000; negative where it is not known.
    pub heart: i32,
    /// Stamina, 0 to 1000; negative where it is not known.
    pub stamina: i32,
    /// Pulse in which it was so.
    pub pulse: u32,
}

impl Seen {
    /// Whether all of these bits are set.
    #[must_use]
    pub const fn is(&self, bits: u16) -> bool {
        self.flags & bits == bits
    }

    /// Whether it stands and fights: neither gone, broken nor captive.
    #[must_use]
    pub const fn is_fit(&self) -> bool {
        self.flags & (flag::GONE | flag::BROKEN | flag::CAPTIVE) == 0
    }
}

/// What is known of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenPerson {
    /// The company he is with.
    pub company: CompanyId,
    /// Whether he lives.
    pub alive: bool,
    /// Whether he is hurt.
    pub hurt: bool,
}

/// A source of facts. `None` is unknown throughout; times are seconds since muster.
pub trait Eyes {
    /// The battle.
    fn setting(&self) -> &Setting;
    /// Who is who.
    fn roster(&self) -> &Roster;
    /// The areas.
    fn lands(&self) -> &Lands;
    /// Seconds since muster.
    fn now_s(&self) -> i32;
    /// Whether everything is known, so that nobody seen means nobody there.
    fn certain(&self) -> bool {
        false
    }
    /// The side that asks: whose enemies and friends are meant.
    fn asks(&self) -> Option<SideId>;
    /// For whom the line is that asks.
    fn own(&self) -> &[Subject];
    /// A company; none for a spare one too.
    fn seen(&self, company: CompanyId) -> Option<Seen>;
    /// A person.
    fn person(&self, person: PersonId) -> Option<SeenPerson>;
    /// How far a portal is open, 0 to 1000.
    fn gap(&self, portal: PortalId) -> Option<i32>;
    /// Whether its leaves are jammed.
    fn jammed(&self, portal: PortalId) -> Option<bool>;
    /// Who owns an area.
    fn owner(&self, area: AreaId) -> Option<Option<SideId>>;
    /// Missiles left to a unit, in thousandths; none if it never shoots.
    fn missiles(&self, unit: UnitId) -> Option<i32>;
    /// Whether all engines of a unit are loaded.
    fn loaded(&self, unit: UnitId) -> Option<bool>;
    /// When a line fired first.
    fn fired(&self, line: &str, then: bool) -> Option<i32>;
    /// When a signal was heard last.
    fn heard(&self, channel: Channel) -> Option<i32>;
    /// When a declared word was told.
    fn told(&self, word: &str) -> Option<i32>;
    /// Whether a company has ever been known to break.
    fn broke(&self, company: CompanyId) -> bool;
}

/// The past that a condition needs. One for each condition, never shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    slots: Vec<Slot>,
    next: usize,
}

/// The past of one word of a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Slot {
    since: Option<i32>,
    latched: bool,
    past: VecDeque<(i32, i32)>,
}

impl Memory {
    fn slot(&mut self) -> usize {
        let slot = self.next;
        self.next += 1;
        if slot == self.slots.len() {
            self.slots.push(Slot::default());
        }
        slot
    }

    /// Adds what it holds to a digest.
    pub fn digest(&self, d: &mut Digest) {
        for slot in &self.slots {
            d.i32(slot.since.unwrap_or(-1));
            d.u32(u32::from(slot.latched));
            d.u32(slot.past.len() as u32);
        }
    }
}

/// Whether a condition holds. Unknown is false.
pub fn holds<E: Eyes>(cond: &Cond, eyes: &E, memory: &mut Memory) -> bool {
    memory.next = 0;
    truth_of(cond, eyes, memory) == Some(true)
}

/// The value of a measure in the unit of its word; none where it is unknown.
pub fn measure<E: Eyes>(measure: &Measure, eyes: &E, memory: &mut Memory) -> Option<f64> {
    memory.next = 0;
    value_of(measure, eyes, memory)
}

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
    setting.scenario.parties.iter().zip(&setting.scenario.hostile).any(|(p, row)| p.side == asks && row[party])
}

/// Seconds that a company of a kind would take over a distance at its fastest.
#[must_use]
pub fn dash_s(setting: &Setting, roster: &Roster, company: CompanyId, cm: i32) -> f64 {
    let kind = &setting.rules.units[roster.kind[company.index()].index()];
    let speed = setting.rules.gaits(roster.mounted[company.index()]).charge.v() * kind.pace.v();
    if speed > 0.0 { metres(cm) / speed } else { f64::MAX }
}

fn truth_of<E: Eyes>(cond: &Cond, eyes: &E, memory: &mut Memory) -> Option<bool> {
    // Every branch is walked at every call: slots are told by their order, and
    // words with a past must not miss a beat.
    match cond {
        Cond::Start => Some(true),
        Cond::At(seconds) => Some(eyes.now_s() >= *seconds),
        Cond::Event(event) => event_of(event, eyes, memory).0,
        Cond::After(seconds, event) => {
            let slot = memory.slot();
            let (truth, since) = event_of(event, eyes, memory);
            let past = &mut memory.slots[slot].since;
            *past = if truth == Some(true) { since.or(*past).or(Some(eyes.now_s())) } else { None };
            match (truth, *past) {
                (Some(true), Some(since)) => Some(eyes.now_s() - since >= *seconds),
                (truth, _) => truth,
            }
        }
        Cond::Is(measure, rel, number) => value_of(measure, eyes, memory).map(|v| rel.holds(v, *number)),
        Cond::All(all) => {
            let mut truth = Some(true);
            for cond in all {
                truth = match (truth, truth_of(cond, eyes, memory)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (None, _) | (_, None) => None,
                    _ => Some(true),
                };
            }
            truth
        }
        Cond::Any(any) => {
            let mut truth = Some(false);
            for cond in any {
                truth = match (truth, truth_of(cond, eyes, memory)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                    _ => Some(false),
                };
            }
            truth
        }
        Cond::Not(cond) => truth_of(cond, eyes, memory).map(|t| !t),
        Cond::For(seconds, cond) => {
            let slot = memory.slot();
            let truth = truth_of(cond, eyes, memory);
            let since = &mut memory.slots[slot].since;
            if truth == Some(true) {
                let since = *since.get_or_insert(eyes.now_s());
                Some(eyes.now_s() - since >= *seconds)
            } else {
                *since = None;
                truth
            }
        }
    }
}

/// Whether an event word is true, and since when if the eyes can tell.
fn event_of<E: Eyes>(event: &Event, eyes: &E, memory: &mut Memory) -> (Option<bool>, Option<i32>) {
    let plain = |truth: Option<bool>| (truth, None);
    let dated = |when: Option<i32>| (Some(when.is_some()), when);
    match event {
        Event::Fired { line, then } => dated(eyes.fired(line, *then)),
        Event::Heard(channel) => dated(eyes.heard(*channel)),
        Event::Told(word) => dated(eyes.told(word)),
        Event::Seen(sel) => plain(any(sel, eyes, |_, _| true)),
        Event::Contact(sel) => plain(any(sel, eyes, |_, seen| seen.is(flag::FIGHTING))),
        Event::Broke(sel) => {
            let now = any_ever(sel, eyes, |company, seen| seen.is(flag::BROKEN) || eyes.broke(company));
            plain(latch(memory, now))
        }
        Event::Yielded(sel) => {
            let now = any_ever(sel, eyes, |_, seen| seen.is(flag::CAPTIVE) || seen.captive > 0);
            plain(latch(memory, now))
        }
        Event::Entered(sel, area) => plain(in_area(sel, *area, eyes)),
        Event::Left(sel, area) => {
            let slot = memory.slot();
            let now = in_area(sel, *area, eyes);
            let was = &mut memory.slots[slot].latched;
            *was |= now == Some(true);
            plain(if *was { now.map(|n| !n) } else { now.map(|_| false) })
        }
        Event::Reached(sel, place) => {
            let now = any(sel, eyes, |_, seen| {
                let near = if matches!(place, Place::Area(_)) { 0 } else { REACHED_CM };
                match *place {
                    Place::Area(area) => eyes.lands().holds(area, seen.node),
                    place => distance_cm(place, eyes, seen.at, seen.node).is_some_and(|cm| cm <= near),
                }
            });
            plain(latch(memory, now))
        }
        Event::Opened(work) => {
            let slot = memory.slot();
            let gap = portal_of(eyes, *work).and_then(|p| eyes.gap(p));
            let open = &mut memory.slots[slot].latched;
            if let Some(gap) = gap {
                *open = gap >= 1000 || (*open && gap > 0);
            }
            plain(gap.map(|_| *open))
        }
        Event::Shut(work) => plain(portal_of(eyes, *work).and_then(|p| eyes.gap(p)).map(|gap| gap == 0)),
        Event::Jammed(work) => plain(portal_of(eyes, *work).and_then(|p| eyes.jammed(p))),
        Event::Taken(area, side) => plain(eyes.owner(*area).map(|owner| owner == Some(*side))),
        Event::Empty(unit) => plain(eyes.missiles(*unit).map(|left| left == 0)),
        Event::Loaded(unit) => plain(eyes.loaded(*unit)),
        Event::Fell(person) => plain(eyes.person(*person).map(|p| !p.alive)),
        Event::Hurt(person) => plain(eyes.person(*person).map(|p| p.hurt)),
    }
}

fn value_of<E: Eyes>(measure: &Measure, eyes: &E, memory: &mut Memory) -> Option<f64> {
    match measure {
        Measure::Men(sel) => men(sel, eyes).map(f64::from),
        Measure::Share(part, whole) => {
            let (part, whole) = (men(part, eyes)?, men(whole, eyes)?);
            (whole > 0).then(|| 100.0 * f64::from(part) / f64::from(whole))
        }
        Measure::Loss(sel, seconds) => {
            let slot = memory.slot();
            let mut lost = 0;
            let mut known = eyes.certain();
            among(sel.who, eyes, |company| {
                if let Some(seen) = eyes.seen(company) {
                    known = true;
                    lost += seen.lost + seen.captive;
                }
            });
            let muster = muster_of(sel.who, eyes);
            if !known || muster == 0 {
                return None;
            }
            if *seconds > 0 {
                let now = eyes.now_s();
                let past = &mut memory.slots[slot].past;
                past.push_back((now, lost));
                while past.len() > 1 && past.get(1).is_some_and(|(then, _)| *then <= now - *seconds) {
                    past.pop_front();
                }
                lost -= past.front().map_or(lost, |(_, before)| *before);
            }
            Some(100.0 * f64::from(lost) / f64::from(muster))
        }
        Measure::Dist(sel, place) => foremost(sel, *place, eyes),
        Measure::Eta(sel, place) => {
            let mut best = None;
            each(sel, eyes, |company, seen, _| {
                if seen.is_fit()
                    && let Some(cm) = distance_cm(*place, eyes, seen.at, seen.node)
                {
                    let s = dash_s(eyes.setting(), eyes.roster(), company, cm);
                    best = Some(best.map_or(s, |b: f64| if s < b { s } else { b }));
                }
            });
            best
        }
        Measure::Ratio(area) => {
            let fit = |who| {
                let sel = Sel { states: vec![State::Unbroken], area: Some(*area), ..Sel::of(who) };
                men(&sel, eyes)
            };
            let (own, enemy) = (fit(Who::Friend)?, fit(Who::Enemy).unwrap_or(0));
            match (own, enemy) {
                (0, 0) => None,
                (_, 0) => Some(ALONE),
                _ => Some(f64::from(own) / f64::from(enemy)),
            }
        }
        Measure::Ammo(unit) => eyes.missiles(*unit).map(|left| f64::from(left) / 10.0),
        Measure::Heart(sel) => mean(sel, eyes, |seen| seen.heart),
        Measure::Stamina(sel) => mean(sel, eyes, |seen| seen.stamina),
        Measure::Gap(work) => portal_of(eyes, *work).and_then(|p| eyes.gap(p)).map(|gap| f64::from(gap) / 10.0),
    }
}

/// Mean over men in percent of a value in thousandths, of those that is known of.
fn mean<E: Eyes>(sel: &Sel, eyes: &E, of: impl Fn(&Seen) -> i32) -> Option<f64> {
    let (mut sum, mut men) = (0_i64, 0_i64);
    each(sel, eyes, |_, seen, part| {
        let value = of(seen);
        if value >= 0 {
            sum += i64::from(value) * i64::from(part);
            men += i64::from(part);
        }
    });
    (men > 0).then(|| sum as f64 / men as f64 / 10.0)
}

fn latch(memory: &mut Memory, now: Option<bool>) -> Option<bool> {
    let slot = memory.slot();
    let latched = &mut memory.slots[slot].latched;
    *latched |= now == Some(true);
    if *latched { Some(true) } else { now }
}

/// Whether one of these passes a test.
fn any<E: Eyes>(sel: &Sel, eyes: &E, mut test: impl FnMut(CompanyId, &Seen) -> bool) -> Option<bool> {
    let mut found = false;
    let known = each(sel, eyes, |company, seen, _| found = found || test(company, seen));
    if found { Some(true) } else { known.then_some(false) }
}

/// The same over all companies of the selector's men, gone and captive ones too.
fn any_ever<E: Eyes>(sel: &Sel, eyes: &E, mut test: impl FnMut(CompanyId, &Seen) -> bool) -> Option<bool> {
    let mut found = false;
    let mut known = eyes.certain();
    among(sel.who, eyes, |company| {
        if let Some(seen) = eyes.seen(company) {
            known = true;
            found = found || (test(company, &seen) && (seen.is(flag::GONE) || is_there(sel, eyes, &seen)));
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
fn in_area<E: Eyes>(sel: &Sel, area: AreaId, eyes: &E) -> Option<bool> {
    if let Who::Person(person) = sel.who {
        let known = eyes.person(person)?;
        let seen = eyes.seen(known.company)?;
        let [far, near] = parts(eyes, &seen);
        let last = eyes.setting().scenario.persons[person.index()].rides_last;
        let node = if seen.straddles.is_some() && (last || seen.passed == 0) { near.0 } else { far.0 };
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
        if nodes.contains(&seen.node) { (seen.node, seen.at) } else { (nodes.first().copied().unwrap_or(seen.node), at) }
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
        State::Home => {
            let unit = eyes.roster().unit[company.index()];
            eyes.setting().scenario.units[unit.index()].refuges.iter().any(|refuge| match *refuge {
                Place::Area(area) => eyes.lands().holds(area, seen.node),
                place => distance_cm(place, eyes, seen.at, seen.node).is_some_and(|cm| cm <= REACHED_CM),
            })
        }
    }
}

/// Calls `f` with every mustered company of these men, known or not.
fn among<E: Eyes>(who: Who, eyes: &E, mut f: impl FnMut(CompanyId)) {
    let roster = eyes.roster();
    let unit = |unit: UnitId, f: &mut dyn FnMut(CompanyId)| {
        // Spare companies stand last.
        roster.of_unit[unit.index()].iter().copied().take_while(|c| roster.mustered[c.index()]).for_each(f);
    };
    match who {
        Who::Unit(id) => unit(id, &mut f),
        Who::Corps(id) => eyes.setting().scenario.corps[id.index()].units.iter().for_each(|u| unit(*u, &mut f)),
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
                    companies.iter().copied().take_while(|c| roster.mustered[c.index()]).for_each(&mut f);
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
        Who::Enemy => eyes.asks().is_some_and(|asks| is_enemy(eyes.setting(), roster, asks, company)),
        Who::Friend => eyes
            .asks()
            .is_some_and(|asks| roster.side[c] == asks && !is_enemy(eyes.setting(), roster, asks, company)),
        Who::Own => eyes.own().iter().any(|subject| match *subject {
            Subject::Unit(unit) => roster.unit[c] == unit,
            Subject::Person(person) => eyes.person(person).is_some_and(|p| p.company == company),
            Subject::Work(_) => false,
        }),
    }
}

/// Men at muster, by the order of battle.
fn muster_of<E: Eyes>(who: Who, eyes: &E) -> i32 {
    let setting = eyes.setting();
    let strength = |unit: UnitId| {
        let unit = &setting.scenario.units[unit.index()];
        if setting.off.units.contains(&unit.kind) { 0 } else { unit.men }
    };
    match who {
        Who::Unit(unit) => strength(unit),
        Who::Person(person) => i32::from(!setting.off.is_off(Law::Person) && person.index() < setting.scenario.persons.len()),
        Who::Own => eyes.own().iter().map(|s| if let Subject::Unit(unit) = s { strength(*unit) } else { 0 }).sum(),
        _ => (0..setting.scenario.units.len())
            .map(UnitId::from_index)
            .filter(|u| {
                eyes.roster().of_unit[u.index()].first().is_some_and(|first| is_whose(who, eyes, *first))
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
