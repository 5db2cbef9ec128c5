//! Files as they are written: serde twins with names as strings. Unknown fields
//! are refused everywhere. Nothing outside `scenario` sees these.

pub mod battle;
pub mod map;
pub mod orders;
pub mod record;
pub mod rules;
