//! The rooms: one law each, all of one shape.
//!
//! In this order: a charter (what it decides, reads, writes, never does), what
//! it keeps for itself, pure rule functions, systems, `install`, `digest`. Rooms
//! do not import rooms: shared facts are on the board, requests in its queues.

pub mod area;
pub mod blows;
pub mod casualties;
pub mod command;
pub mod contest;
pub mod crush;
pub mod heart;
pub mod job;
pub mod knowledge;
pub mod lying;
pub mod message;
pub mod passage;
pub mod person;
pub mod shape;
pub mod shot;
pub mod steer;

use bevy_ecs::prelude::*;

/// Installs every room. The order matters only for the boards that they insert.
pub(super) fn install(world: &mut World, schedule: &mut Schedule) {
    casualties::install(world, schedule);
    heart::install(world, schedule);
    shape::install(world, schedule);
    job::install(world, schedule);
    shot::install(world, schedule);
    contest::install(world, schedule);
    person::install(world, schedule);
    steer::install(world, schedule);
    passage::install(world, schedule);
    crush::install(world, schedule);
    lying::install(world, schedule);
    blows::install(world, schedule);
    area::install(world, schedule);
    knowledge::install(world, schedule);
    message::install(world, schedule);
    command::install(world, schedule);
}
