//! `assets/maps/*.ron`: a place in metres, x east and y north.

use serde::{Deserialize, Serialize};

use crate::scenario::catalogue::Name;

/// A map file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Map")]
#[allow(missing_docs, reason = "names say it; the reference page explains")]
pub struct RawMap {
    pub id: String,
    pub name: Name,
    /// Kind of ground where nothing else is drawn.
    pub ground: String,
    /// Later features lie on earlier ones.
    pub features: Vec<Feature>,
}

/// A point in metres.
pub type Xy = (f64, f64);

/// A feature with its source: a row of the gazetteer, or "ours" with the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "names say it; the reference page explains")]
pub enum Feature {
    /// Ground of another kind.
    Ground { id: String, kind: String, area: Vec<Xy>, source: String },
    /// Houses or a ward: men cannot pass but by streets laid over it.
    Block {
        id: String,
        #[serde(default)]
        name: Option<Name>,
        area: Vec<Xy>,
        source: String,
    },
    /// Water: a line with a width, or an area. Impassable but by bridges.
    Water {
        id: String,
        #[serde(default)]
        name: Option<Name>,
        #[serde(default)]
        line: Vec<Xy>,
        #[serde(default)]
        area: Vec<Xy>,
        #[serde(default)]
        width_m: f64,
        depth_m: f64,
        source: String,
    },
    /// A street or road: firm ground with a width; opens blocks.
    Street {
        id: String,
        #[serde(default)]
        name: Option<Name>,
        line: Vec<Xy>,
        width_m: f64,
        source: String,
    },
    /// A wall along its centre line. Its left side (walking the line) is inside
    /// if `inside_left`.
    Wall {
        id: String,
        name: Name,
        kind: String,
        line: Vec<Xy>,
        inside_left: bool,
        thickness_m: f64,
        height_m: f64,
        walk_m: f64,
        source: String,
    },
    /// A gate in a wall; passages side by side, leaves mid-passage.
    Gate {
        id: String,
        name: Name,
        kind: String,
        wall: String,
        at: Xy,
        passages: i32,
        passage_m: f64,
        depth_m: f64,
        source: String,
    },
    /// A ramp from the ground inside to the walk.
    Ramp {
        id: String,
        name: Name,
        kind: String,
        wall: String,
        at: Xy,
        width_m: f64,
        length_m: f64,
        #[serde(default)]
        horse: bool,
        source: String,
    },
    /// A bridge over water.
    Bridge { id: String, name: Name, kind: String, line: Vec<Xy>, width_m: f64, source: String },
    /// A named area on the ground.
    Area { id: String, name: Name, area: Vec<Xy>, source: String },
    /// A named stretch of a wall-walk between two points (projected on the wall).
    Sector { id: String, name: Name, wall: String, from: Xy, to: Xy, source: String },
}
