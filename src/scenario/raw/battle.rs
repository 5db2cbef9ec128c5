//! `scenarios/*.ron`: a battle. Distances in metres, facings as a point to face.

use serde::{Deserialize, Serialize};

use super::map::Xy;
use super::orders::{RawCond, RawLine, RawPlace};
use crate::orders::ast::GateOrder;
use crate::scenario::battle::Light;
use crate::scenario::catalogue::{Name, Shape};
use crate::scenario::figure::Fig;
use crate::scenario::site::Level;

/// A scenario file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawScenario {
    pub id: String,
    pub name: Name,
    pub about: Name,
    #[serde(default)]
    pub document: Option<String>,
    pub map: String,
    /// West, south, east, north edges in metres.
    pub window: (f64, f64, f64, f64),
    #[serde(default = "fifteen")]
    pub cell_m: f64,
    #[serde(default = "three")]
    pub pulse_s: i32,
    /// Clock at the start, `"hh:mm"`.
    pub starts: String,
    pub max_minutes: i32,
    #[serde(default = "two")]
    pub max_turn_minutes: i32,
    #[serde(default)]
    pub light: Light,
    pub sides: Vec<RawSide>,
    pub parties: Vec<RawParty>,
    /// Pairs of parties of different sides that do not fight.
    #[serde(default)]
    pub truces: Vec<(String, String)>,
    pub posts: Vec<RawPost>,
    pub corps: Vec<RawCorps>,
    pub units: Vec<RawUnit>,
    #[serde(default)]
    pub persons: Vec<RawPerson>,
    #[serde(default)]
    pub gates: Vec<RawGateStart>,
    #[serde(default)]
    pub standing: Vec<RawLine>,
    pub ends: Vec<RawEnd>,
    #[serde(default)]
    pub objectives: Vec<RawObjective>,
    /// Ids of the statements it measures; empty for a battle without a record.
    #[serde(default)]
    pub statements: Vec<String>,
}

const fn fifteen() -> f64 {
    15.0
}
const fn three() -> i32 {
    3
}
const fn two() -> i32 {
    2
}

/// A side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Side")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawSide {
    pub id: String,
    pub name: Name,
    pub slot: u8,
    pub post: String,
}

/// A party.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Party")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawParty {
    pub id: String,
    pub side: String,
}

/// A post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Post")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawPost {
    pub id: String,
    pub name: Name,
    #[serde(default)]
    pub holder: Option<String>,
    pub side: String,
    #[serde(default)]
    pub superior: Option<String>,
    #[serde(default)]
    pub at: Option<RawPlace>,
    #[serde(default)]
    pub eyes_m: f64,
    #[serde(default = "yes")]
    pub players: bool,
}

const fn yes() -> bool {
    true
}

/// A corps; its units name it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Corps")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawCorps {
    pub id: String,
    pub name: Name,
    pub side: String,
    pub post: String,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Unit")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawUnit {
    pub id: String,
    pub name: Name,
    pub kind: String,
    pub party: String,
    pub corps: String,
    pub men: Fig,
    pub at: Xy,
    #[serde(default)]
    pub level: Level,
    pub front_m: f64,
    /// A point to face, metres.
    pub facing: Xy,
    #[serde(default)]
    pub shape: Shape,
    #[serde(default)]
    pub engines: Vec<(String, Fig)>,
    /// Share of the missiles carried, 0 to 1.
    #[serde(default)]
    pub supply: Option<Fig>,
    /// Scaling ladders that it carries.
    #[serde(default)]
    pub ladders: Option<Fig>,
    /// Logs and stones laid up for it on the wall.
    #[serde(default)]
    pub logs: Option<Fig>,
    #[serde(default)]
    pub refuges: Vec<RawPlace>,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Person")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawPerson {
    pub id: String,
    pub name: Name,
    pub banner: String,
    pub unit: String,
    pub rank: u8,
    pub prowess: Fig,
    pub toughness: i32,
    pub presence_m: Fig,
    #[serde(default)]
    pub rides_last: bool,
}

/// A gate at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "GateStart")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawGateStart {
    pub gate: String,
    pub keeper: String,
    pub open: bool,
    pub policy: GateOrder,
    pub crew: String,
}

/// What ends the battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "End")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawEnd {
    pub when: RawCond,
    #[serde(default)]
    pub winner: Option<String>,
    pub text: Name,
}

/// An aim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Objective")]
#[allow(missing_docs, reason = "the fields are those of the battle")]
pub struct RawObjective {
    pub id: String,
    pub side: String,
    pub text: Name,
    pub when: RawCond,
    pub weight: i32,
    #[serde(default)]
    pub area: Option<String>,
}
