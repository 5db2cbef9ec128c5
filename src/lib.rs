//! Nine Gates 九门: a turn-based siege simulation.
//!
//! Data flows one way: files, scenario, battle, journal, view, screen.

pub mod ai;
pub mod cli;
pub mod core;
#[cfg(feature = "desktop")]
pub mod front;
pub mod locale;
pub mod orders;
pub mod replay;
pub mod scenario;
pub mod sim;
pub mod study;
pub mod view;
