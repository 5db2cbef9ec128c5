//! The order language: what players, commanders and records all speak.
//!
//! A line is `who, when, do`. Conditions read the board of the post that holds
//! the line; unknown is false. Knows core and the scenario's ids, nothing else.

pub mod ast;
pub mod legality;
pub mod read_back;
