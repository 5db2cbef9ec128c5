//! Nine Gates 九门: a turn-based siege simulation.
//!
//! Data flows one way: files, scenario, battle, journal, view, screen.

// What a person can touch ends in a finding or an exit code, never in a panic; and
// only `cli::out` prints. Tests may do both, so these stand here and not in the table.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::todo)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod ai;
pub mod cli;
pub mod core;
#[cfg(feature = "desktop")]
#[allow(
    missing_docs,
    clippy::must_use_candidate,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "nobody calls it but the command line; looks are named as in the files"
)]
pub mod front;
pub mod locale;
pub mod orders;
pub mod replay;
pub mod scenario;
pub mod sim;
pub mod study;
pub mod view;
