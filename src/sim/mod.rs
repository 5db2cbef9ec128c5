//! The battle: a private world, a schedule, a board, and one room per law.
//! Compiles with no window; never imports view, ai, study, replay or front.

pub mod board;
pub mod body;
pub mod field;
pub mod journal;
pub mod judge;
pub mod known;
pub mod lands;
pub mod laws;
pub mod phases;
pub mod rooms;
pub mod truth;
#[doc(hidden)]
pub mod kit;
