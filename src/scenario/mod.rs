//! Files into a checked battle: raw twins, catalogue, map, loading, checks.
//! Knows core and the order language; reads files only in `load`.

pub mod battle;
pub mod catalogue;
pub mod figure;
pub mod raster;
pub mod raw;
pub mod record;
pub mod site;
