//! A pulse: one chain of sets, run by one thread, ambiguity an error.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel, SingleThreadedExecutor};

/// The schedule of one pulse.
#[derive(ScheduleLabel, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pulse;

/// The phases of a pulse, in this order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Boards are refreshed, messages travel and arrive.
    Messages,
    /// Lines fire, tasks change.
    Orders,
    /// Companies choose where to go.
    Steer,
    /// Shapes, flow, portals.
    Movement,
    /// Pressure and crush.
    Pressure,
    /// Engines and missiles.
    Missiles,
    /// Who touches whom, momentum.
    Contact,
    /// Blows of men.
    Blows,
    /// Blows of persons.
    PersonBlows,
    /// Jobs and works.
    Jobs,
    /// The single writer of men.
    Casualties,
    /// What befalls persons, and where they go.
    Persons,
    /// Hearts.
    Heart,
    /// Areas and verdict.
    Areas,
}

/// An empty schedule with its phases chained.
#[must_use]
pub fn schedule() -> Schedule {
    let mut schedule = Schedule::new(Pulse);
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..Default::default()
    });
    schedule.configure_sets(
        (
            Phase::Messages,
            Phase::Orders,
            Phase::Steer,
            Phase::Movement,
            Phase::Pressure,
            Phase::Missiles,
            Phase::Contact,
            Phase::Blows,
            Phase::PersonBlows,
            Phase::Jobs,
            Phase::Casualties,
            Phase::Persons,
            Phase::Heart,
            Phase::Areas,
        )
            .chain(),
    );
    schedule
}
