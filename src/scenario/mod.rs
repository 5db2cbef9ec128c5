//! Files into a checked battle: raw twins, catalogue, map, loading, checks.
//! Knows core and the order language; reads files only in `library`.
//!
//! A text becomes a tree that knows its places (`spans`), patches and mods are
//! laid over it (`patch`), it is typed (`typing`), its names are resolved
//! (`resolve`) and its meaning is checked (`checks`). `load` puts it together.

pub mod battle;
pub mod catalogue;
pub mod checks;
pub mod codes;
pub mod figure;
pub mod findings;
pub mod inputs;
pub mod library;
pub mod load;
pub mod manifest;
pub mod patch;
pub mod raster;
pub mod raw;
pub mod record;
pub mod resolve;
pub mod site;
pub mod spans;
pub mod typing;
