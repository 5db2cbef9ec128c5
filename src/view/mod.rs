//! Plain structs for people to look at. Knows core, scenario and the journal.

pub mod paint;
