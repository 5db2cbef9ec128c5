//! Battles on file: what was fought, by which rules, dice and orders, and a digest
//! for each turn. A save is a replay.
//!
//! `format` is the file, `record` writes one while a battle is fought, `verify`
//! fights it again and finds the first turn and room that differ, `fork` takes it
//! up at a turn, `fits` checks that orders mean something in their battle.

pub mod fits;
pub mod format;
pub mod record;
pub mod sources;
pub mod verify;
