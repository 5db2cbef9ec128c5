//! What holds: selectors, measures, events and conditions over any source of facts.
//!
//! A source of facts is an [`Eyes`]: a post's board (what it knows) or the truth.
//! Inside, every answer is true, false or unknown; to the outside unknown is
//! false, and the negation of unknown is unknown too. A condition that needs the
//! past (`for`, `after`, words without an opposite) keeps it in a [`Memory`] of
//! its own: evaluate it at a steady beat, always with the same memory.

use std::collections::VecDeque;

use super::board::{Roster, Setting};
use super::lands::Lands;
use crate::core::digest::Digest;
use crate::core::ids::{AreaId, CompanyId, NodeId, PersonId, PortalId, SideId, UnitId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Channel, Cond, Event, Measure, Place, Sel, State, Subject, Who};

mod select;

use self::select::{among, any, any_ever, in_area, muster_of};
pub use self::select::{
    dash_s, distance_cm, each, foremost, inside, is_enemy, matches, men, near_leaf, portal_of,
    portal_of_work,
};

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
    /// In loose order.
    pub const LOOSE: u16 = 1024;
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

    /// Forgets what nobody sees in an enemy.
    pub const fn hide_heart(&mut self) {
        self.heart = -1;
        self.stamina = -1;
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
        Cond::Is(measure, rel, number) => {
            value_of(measure, eyes, memory).map(|v| rel.holds(v, *number))
        }
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
            let now =
                any_ever(sel, eyes, |company, seen| seen.is(flag::BROKEN) || eyes.broke(company));
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
                    place => {
                        distance_cm(place, eyes, seen.at, seen.node).is_some_and(|cm| cm <= near)
                    }
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
        Event::Shut(work) => {
            plain(portal_of(eyes, *work).and_then(|p| eyes.gap(p)).map(|gap| gap == 0))
        }
        Event::Jammed(work) => plain(portal_of(eyes, *work).and_then(|p| eyes.jammed(p))),
        Event::Taken(area, side) => plain(eyes.owner(*area).map(|owner| owner == Some(*side))),
        Event::Heads(area) => plain(in_area(&Sel::of(Who::Enemy), *area, eyes)),
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
                while past.len() > 1 && past.get(1).is_some_and(|(then, _)| *then <= now - *seconds)
                {
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
        Measure::Gap(work) => {
            portal_of(eyes, *work).and_then(|p| eyes.gap(p)).map(|gap| f64::from(gap) / 10.0)
        }
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
