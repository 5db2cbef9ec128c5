//! What everything else stands on: ids, dice, digests and small measures.
//! Knows nothing of sieges and imports nothing of ours.

pub mod dice;
pub mod digest;
pub mod ids;
pub mod measure;
