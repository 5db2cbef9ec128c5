//! The room of messages (L16): orders on their way.
//!
//! Decides when an order that goes out by voice, signal or rider leaves, arrives
//! and is understood. Reads the outbox and where sender and receiver are; writes
//! the inbox. Never changes what an order says once it has left, and never
//! decides whether it is obeyed. Calls for help between posts take the same ways.
//! *Off*: orders are heard as they are decided (`command` then sends nothing through
//! here).
//!
//! Only a courier's order is written first. A voice or signal is heard within its
//! reach at once; who is farther is told by a runner from mouth to mouth, at a
//! courier's pace. Times are reckoned from the pulse of the decision.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{SideId, UnitId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Channel, Subject, amend};
use crate::scenario::catalogue::MessageLaw;
use crate::sim::board::{
    Clock, Cries, Cry, Heard, Inbox, Letter, Outbox, Persons, Places, Roster, Setting, Strength,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::known::{carries_cm, post_at};
use crate::sim::lands::work_at;
use crate::sim::phases::Phase;

/// What the room keeps for itself: letters decided on and not yet understood.
#[derive(Resource, Clone, Debug, Default)]
pub struct Riders(pub Vec<Ride>);

/// One letter on its way.
#[derive(Clone, Debug)]
pub struct Ride {
    /// What it says.
    pub letter: Letter,
    /// Pulse in which it leaves.
    pub leaves: u32,
    /// Pulse in which it is understood, once it has left.
    pub arrives: Option<u32>,
}

/// Calls for help on their way, each with the pulse in which it is understood.
#[derive(Resource, Clone, Debug, Default)]
struct Criers(Vec<(Cry, u32)>);

/// Seconds from decision to leaving.
#[must_use]
pub fn draft_s(law: &MessageLaw, channel: Channel) -> f64 {
    if channel == Channel::Courier { law.draft_s.v() } else { 0.0 }
}

/// Seconds from leaving to understanding over a distance in centimetres, for a
/// channel that carries so far (none: without bound).
#[must_use]
pub fn way_s(law: &MessageLaw, channel: Channel, carries: Option<i32>, cm: i32) -> f64 {
    let heard = channel != Channel::Courier && carries.is_none_or(|far| cm <= far);
    let ride = if heard { 0.0 } else { f64::from(cm) / 100.0 / law.courier_m_s.v() };
    ride + law.understand_s.v()
}

/// Whole pulses that so many seconds take.
#[must_use]
pub fn pulses(seconds: f64, pulse_s: i32) -> u32 {
    let pulses = seconds / f64::from(pulse_s.max(1));
    let whole = pulses as u32;
    whole + u32::from(f64::from(whole) < pulses)
}

/// Inserts the queues and adds the system.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    world.init_resource::<Outbox>();
    world.init_resource::<Inbox>();
    world.init_resource::<Cries>();
    world.init_resource::<Heard>();
    world.insert_resource(Riders::default());
    world.insert_resource(Criers::default());
    schedule.add_systems((carry, cry).in_set(Phase::Messages));
}

/// Calls for help go by voice, or from mouth to mouth by a runner: nobody writes.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
fn cry(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    persons: Res<Persons>,
    mut cries: ResMut<Cries>,
    mut criers: ResMut<Criers>,
    mut heard: ResMut<Heard>,
) {
    for cry in cries.0.drain(..) {
        let at = |post| post_at(&setting, &roster, &places, &persons, post);
        let carries = carries_cm(&setting.rules, Channel::Shout);
        let cm = at(cry.from).distance_cm(at(cry.to));
        let seconds = way_s(&setting.rules.laws.message, Channel::Shout, carries, cm);
        criers.0.push((cry, cry.decided + pulses(seconds, clock.pulse_s)));
    }
    let mut i = 0;
    while let Some((_, arrives)) = criers.0.get(i) {
        if *arrives <= clock.pulse {
            heard.0.push(criers.0.remove(i).0);
        } else {
            i += 1;
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
fn carry(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    persons: Res<Persons>,
    mut outbox: ResMut<Outbox>,
    mut riders: ResMut<Riders>,
    mut inbox: ResMut<Inbox>,
    mut journal: ResMut<Journal>,
) {
    if riders.0.is_empty()
        && outbox.letters.is_empty()
        && outbox.amends.is_empty()
        && outbox.cancels.is_empty()
    {
        return;
    }
    let law = &setting.rules.laws.message;
    let Outbox { letters, amends, cancels } = &mut *outbox;
    for letter in letters.drain(..) {
        let leaves = letter.decided + pulses(draft_s(law, letter.channel), clock.pulse_s);
        riders.0.push(Ride { letter, leaves, arrives: None });
    }
    // What was changed before it left is changed: later than that is too late.
    let side = |letter: &Letter| setting.scenario.posts[letter.by.index()].side;
    let is = |ride: &Ride, label: &str, of: SideId| {
        ride.arrives.is_none()
            && ride.leaves >= clock.pulse
            && ride.letter.label == label
            && side(&ride.letter) == of
    };
    for (label, of, act) in amends.drain(..) {
        for ride in riders.0.iter_mut().filter(|r| is(r, &label, of)) {
            amend(&mut ride.letter.acts, act.clone());
        }
    }
    for (label, of) in cancels.drain(..) {
        riders.0.retain(|r| !is(r, &label, of));
    }
    for Ride { letter, leaves, arrives } in &mut riders.0 {
        if arrives.is_some() || *leaves > clock.pulse {
            continue;
        }
        let from = post_at(&setting, &roster, &places, &persons, letter.by);
        let to = receiver_at(&setting, &roster, &places, &strength, &persons, letter.to, from);
        let seconds = draft_s(law, letter.channel)
            + way_s(
                law,
                letter.channel,
                carries_cm(&setting.rules, letter.channel),
                from.distance_cm(to),
            );
        let pulse = letter.decided + pulses(seconds, clock.pulse_s);
        *arrives = Some(pulse);
        journal.add(
            clock.pulse,
            Happening::MessageLeft {
                line: letter.line,
                label: letter.label.clone(),
                channel: letter.channel,
                from,
                to,
                arrives_pulse: pulse.max(clock.pulse),
            },
        );
    }
    let mut i = 0;
    while let Some(ride) = riders.0.get(i) {
        if ride.arrives.is_some_and(|pulse| pulse <= clock.pulse) {
            inbox.0.push(riders.0.remove(i).letter);
        } else {
            i += 1;
        }
    }
}

/// Where the receiver is: the company of the unit nearest to the sender.
fn receiver_at(
    setting: &Setting,
    roster: &Roster,
    places: &Places,
    strength: &Strength,
    persons: &Persons,
    to: Subject,
    from: PointCm,
) -> PointCm {
    let nearest = |unit: UnitId| {
        let companies = roster.of_unit[unit.index()].iter().map(|c| c.index());
        companies
            .filter(|c| roster.mustered[*c] && strength.men[*c] > 0)
            .map(|c| places.at[c])
            .min_by_key(|at| at.distance_cm(from))
    };
    match to {
        Subject::Unit(unit) => nearest(unit).unwrap_or(from),
        Subject::Work(work) => work_at(&setting.site, work),
        Subject::Person(person) => {
            persons.company.get(person.index()).map_or(from, |c| places.at[c.index()])
        }
    }
}

/// What the room writes.
pub fn digest(world: &World, d: &mut Digest) {
    for ride in &world.resource::<Riders>().0 {
        d.u32(ride.letter.line.0);
        d.u32(ride.leaves);
        d.u32(ride.arrives.unwrap_or(u32::MAX));
        d.u32(ride.letter.acts.len() as u32);
    }
    d.u32(world.resource::<Inbox>().0.len() as u32);
    for (cry, arrives) in &world.resource::<Criers>().0 {
        d.u32(u32::from(cry.by.0) << 16 | u32::from(cry.to.0));
        d.u32(*arrives);
    }
}
