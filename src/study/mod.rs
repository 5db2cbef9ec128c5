//! One battle over many seeds, its outcomes set beside the record.
//!
//! `gauge` measures one battle from the truth, `run` fights many on all cores,
//! `stats` and `judge` hold the rule by which a statement holds, `report` is what
//! the command line writes. Reads battles; changes none.

pub mod gauge;
pub mod judge;
pub mod read;
pub mod report;
pub mod run;
pub mod stats;
pub mod without;
