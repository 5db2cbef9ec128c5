//! Raw twins into the catalogue, the battle and the record with typed ids.
//! Strings end here: every unknown name is a finding with the nearest known one.

mod battle;
mod names;
mod orders;
mod record;
mod rules;

pub use battle::{Sheets, battle};
pub use names::{Pen, Table, Tables, clock};
pub use rules::catalogue;
