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
pub mod heart;
pub mod job;
pub mod knowledge;
pub mod message;
pub mod passage;
pub mod person;
pub mod shape;
pub mod shot;
