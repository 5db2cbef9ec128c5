//! Nine Gates 九门: a turn-based siege simulation.
//!
//! Data flows one way: files, scenario, battle, journal, view, screen.

pub mod core;
pub mod orders;
pub mod scenario;
pub mod sim;
