//! `assets/rules/*.ron`: one `Rules(...)` a file; all files of the folder are
//! read together, each list extended, each single taken from where it stands.

use serde::{Deserialize, Serialize};

use crate::orders::ast::Instruction;
use crate::scenario::catalogue::{
    ArmourKind, Gaits, GroundKind, Laws, Name, RamBlows, ShapeKind, WeaponKind, WorkKind,
    standing_of_old,
};
use crate::scenario::figure::Fig;

/// One rules file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Rules")]
#[allow(missing_docs, reason = "the fields are those of the catalogue")]
pub struct RawRules {
    pub ground: Vec<GroundKind>,
    pub armour: Vec<ArmourKind>,
    pub weapons: Vec<WeaponKind>,
    pub engines: Vec<RawEngineKind>,
    pub units: Vec<RawUnitKind>,
    pub works: Vec<WorkKind>,
    pub shapes: Vec<ShapeKind>,
    pub foot: Option<Gaits>,
    pub horse: Option<Gaits>,
    pub laws: Option<Laws>,
}

/// An engine kind with its weapon by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "EngineKind")]
#[allow(missing_docs, reason = "the fields are those of the catalogue")]
pub struct RawEngineKind {
    pub id: String,
    pub name: Name,
    #[serde(default)]
    pub weapon: Option<String>,
    pub crew: Fig,
    #[serde(default)]
    pub loads_back: bool,
    pub load_s: Fig,
    #[serde(default = "Fig::none")]
    pub draw_back_s: Fig,
    #[serde(default = "Fig::none")]
    pub emplace_s: Fig,
    #[serde(default = "Fig::none")]
    pub breaks_j: Fig,
    pub depress_s: Fig,
    pub depressed: Fig,
    pub speed_m_s: Fig,
    pub width_m: Fig,
    pub length_m: Fig,
    #[serde(default)]
    pub ram: Option<RamBlows>,
}

/// A unit kind with its arms by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "UnitKind")]
#[allow(missing_docs, reason = "the fields are those of the catalogue")]
pub struct RawUnitKind {
    pub id: String,
    pub name: Name,
    pub sign: String,
    pub mounted: bool,
    pub company_size: i32,
    pub hand: String,
    #[serde(default)]
    pub missile: Option<String>,
    pub armour: String,
    pub quality: Fig,
    pub steadiness: Fig,
    pub pace: Fig,
    pub jam_m2: Fig,
    pub mass_kg: Fig,
    #[serde(default = "standing_of_old")]
    pub standing: Vec<Instruction>,
}
