//! What people may see of a battle: plain structs, fog applied, a frame a pulse
//! and the journal sorted by time. Knows core, scenario and the journal; the
//! session is the one door to the battle, and nothing of its world comes out.

pub mod frame;
pub mod letters;
pub mod paint;
pub mod session;
pub mod timeline;
pub mod works;

pub use crate::sim::board::{Cause, Emplaced, Leaf, Mind, Why};
pub use crate::sim::journal::{Entry, Happening};
