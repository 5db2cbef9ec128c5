//! The rules as data: kinds of unit, weapon, armour, engine, ground and work,
//! the shapes and gaits, and the figures of each law. Physical units throughout.
//!
//! A kind without references to other kinds is read straight into its struct; a
//! kind that names others has a twin in `raw` and typed ids here.

use serde::{Deserialize, Serialize};

use super::figure::Fig;
use crate::core::ids::{ArmourId, WeaponId};
use crate::orders::ast::{Instruction, Instructions};

mod laws;

pub use laws::*;

/// A name in both languages of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

/// Everything a battle needs to know of the world's rules. Immutable.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue {
    /// Kinds of ground, indexed by `GroundId`; entry 0 is the default ground.
    pub ground: Vec<GroundKind>,
    /// Kinds of armour, indexed by `ArmourId`.
    pub armour: Vec<ArmourKind>,
    /// Kinds of weapon, indexed by `WeaponId`.
    pub weapons: Vec<WeaponKind>,
    /// Kinds of engine, indexed by `EngineKindId`.
    pub engines: Vec<EngineKind>,
    /// Kinds of unit, indexed by `UnitKindId`.
    pub units: Vec<UnitKind>,
    /// Kinds of work, indexed by `WorkKindId`.
    pub works: Vec<WorkKind>,
    /// Shapes, in the order of [`Shape::ALL`].
    pub shapes: Vec<ShapeKind>,
    /// Speeds on foot.
    pub foot: Gaits,
    /// Speeds on horseback.
    pub horse: Gaits,
    /// The figures of the laws.
    pub laws: Laws,
}

impl Catalogue {
    /// The figures of a shape.
    #[must_use]
    pub fn shape(&self, shape: Shape) -> &ShapeKind {
        &self.shapes[shape as usize]
    }

    /// The gaits of foot or horse.
    #[must_use]
    pub const fn gaits(&self, mounted: bool) -> &Gaits {
        if mounted { &self.horse } else { &self.foot }
    }
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Speed on foot as a factor of that on firm ground; 0 is impassable.
    pub foot: Fig,
    /// Speed on horseback as a factor; 0 is impassable.
    pub horse: Fig,
    /// Share of arriving shot that it keeps off, 0 to 1.
    pub cover: Fig,
}

/// A kind of armour, shield included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmourKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Joules at which half of the hits go through.
    pub stops_j: Fig,
    /// Share of the front that a shield covers, 0 to 1.
    pub shield: Fig,
    /// Kilograms carried.
    pub mass_kg: Fig,
}

/// A kind of weapon: blows, shots, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Hand-to-hand use.
    #[serde(default)]
    pub blow: Option<Blow>,
    /// Shooting use.
    #[serde(default)]
    pub shot: Option<Shot>,
}

/// How a weapon strikes hand to hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// Reach in metres; more ranks fight with a longer one.
    pub reach_m: Fig,
    /// Blows a minute of a man in contact.
    pub per_minute: Fig,
    /// Share of blows that land on an equal man facing it, 0 to 1.
    pub lands: Fig,
    /// Energy of a blow in joules, against armour.
    pub energy_j: Fig,
}

/// How a weapon shoots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Shots a minute at will (each of `missiles` missiles).
    pub per_minute: Fig,
    /// Missiles let go by one shot.
    pub missiles: Fig,
    /// Missiles in the magazine before `reload_s`; 0 for a weapon without one.
    pub magazine: Fig,
    /// Seconds to fill the magazine.
    pub reload_s: Fig,
    /// Missiles carried by each man, or beside each engine.
    pub carried: Fig,
    /// Farthest reach in metres on level ground.
    pub range_m: Fig,
    /// Dispersion in milliradians, one standard deviation.
    pub dispersion_mrad: Fig,
    /// Energy at the muzzle in joules.
    pub energy_j: Fig,
    /// Share of the energy lost every 100 m, 0 to 1.
    pub loss_per_100m: Fig,
    /// Steepest depression as a tangent: dead zone = muzzle height / this.
    pub depression: Fig,
    /// Whether it is lobbed over the heads of friends before it.
    #[serde(default)]
    pub lobbed: bool,
    /// Metres of crowd that one missile ploughs through (stones); 0 for one man.
    pub swath_m: Fig,
}

/// A kind of engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// What it shoots; none for a ram or a ladder.
    pub weapon: Option<WeaponId>,
    /// Men that serve it.
    pub crew: Fig,
    /// Whether it can be loaded only when drawn back from the parapet.
    pub loads_back: bool,
    /// Seconds from one volley to the next with its full crew; what loads drawn back
    /// is drawn back and pushed forward again within them.
    pub load_s: Fig,
    /// Seconds to draw it back from its stand with its full crew.
    pub draw_back_s: Fig,
    /// Seconds to push it forward into its stand with its full crew.
    pub emplace_s: Fig,
    /// Joules of a missile that wreck it every other time; 0 where nothing does.
    pub breaks_j: Fig,
    /// Seconds to depress to the wall foot.
    pub depress_s: Fig,
    /// Tangent of the depression once depressed by its handle.
    pub depressed: Fig,
    /// Metres a second pushed on firm ground.
    pub speed_m_s: Fig,
    /// Width and length in metres.
    pub width_m: Fig,
    /// Length in metres.
    pub length_m: Fig,
    /// Its blows on a leaf; none for what is no ram.
    pub ram: Option<RamBlows>,
}

/// The blows of a ram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RamBlows {
    /// Blows a minute with a full crew.
    pub per_minute: Fig,
    /// Kilojoules of one blow.
    pub energy_kj: Fig,
}

impl EngineKind {
    /// Seconds at the bolts and strings alone, out of its whole cycle.
    #[must_use]
    pub fn loading_s(&self) -> f64 {
        let moved = if self.loads_back { self.draw_back_s.v() + self.emplace_s.v() } else { 0.0 };
        let left = self.load_s.v() - moved;
        if left > 0.0 { left } else { 0.0 }
    }
}

/// A kind of unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Sign on the map, an id of the looks.
    pub sign: String,
    /// Whether it rides.
    pub mounted: bool,
    /// Men of a full company, never depending on the cell.
    pub company_size: i32,
    /// Hand weapon.
    pub hand: WeaponId,
    /// Shooting weapon.
    pub missile: Option<WeaponId>,
    /// Armour.
    pub armour: ArmourId,
    /// Skill at arms, 1 for a trained man.
    pub quality: Fig,
    /// Steadiness: heart when fresh, 0 to 1000.
    pub steadiness: Fig,
    /// Speed as a factor of the gaits (better or worse mounts, load).
    pub pace: Fig,
    /// Square metres a man takes in a jam.
    pub jam_m2: Fig,
    /// Mass of man (and horse) in kilograms, for momentum.
    pub mass_kg: Fig,
    /// What it does without orders unless that is struck out.
    pub standing: Vec<Instruction>,
}

/// What every kind did by itself under rules that do not say it.
#[must_use]
pub fn standing_of_old() -> Vec<Instruction> {
    Instruction::ALL.into_iter().filter(|i| Instructions::OF_OLD.has(*i)).collect()
}

/// A kind of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkKind {
    /// Id, snake_case.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Seconds for the leaves to swing from open to shut, unhindered.
    pub leaf_s: Fig,
    /// Men needed at the leaves.
    pub crew: Fig,
    /// Man-seconds to seat or lift the bar.
    pub bar_man_s: Fig,
    /// Blows of a ram, in kilojoules altogether, that break it.
    pub strength_kj: Fig,
    /// Speed through or up it as a factor of that on firm ground; 1 if not said.
    #[serde(default)]
    pub speed: Option<Fig>,
}

impl WorkKind {
    /// Speed through or up it as a factor of that on firm ground.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed.as_ref().map_or(1.0, |f| f.v().clamp(0.01, 2.0))
    }
}

/// How the men of a company stand.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Shape {
    /// Files behind each other on a road.
    Column,
    /// Ranks with room to fight.
    #[default]
    Line,
    /// Shoulder to shoulder.
    Close,
    /// Well apart, against shot.
    Loose,
    /// Shields overhead and in front.
    Roof,
    /// All-round.
    Round,
    /// A wedge behind its tip.
    Wedge,
    /// No order at all.
    Crowd,
}

impl Shape {
    /// All shapes, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Column,
        Self::Line,
        Self::Close,
        Self::Loose,
        Self::Roof,
        Self::Round,
        Self::Wedge,
        Self::Crowd,
    ];
}

/// The figures of a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeKind {
    /// Which shape.
    pub id: Shape,
    /// Name for people.
    pub name: Name,
    /// Metres of front a man on foot takes.
    pub front_m: Fig,
    /// Metres of depth a man on foot takes.
    pub depth_m: Fig,
    /// The same on horseback.
    pub horse_front_m: Fig,
    /// The same on horseback.
    pub horse_depth_m: Fig,
    /// Share of shot kept off in front, beyond the shield itself.
    pub cover_front: Fig,
    /// Share of lobbed shot kept off from above.
    pub cover_top: Fig,
    /// Speed as a factor.
    pub speed: Fig,
    /// Blows as a factor (crowding, order).
    pub fights: Fig,
    /// Whether its men may shoot.
    pub shoots: bool,
    /// How much a flank attack tells: 0 not at all, 1 fully.
    pub flank: Fig,
    /// Seconds to take it up.
    pub form_s: Fig,
}

/// Speeds in metres a second on firm level ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gaits {
    /// A walk.
    pub walk: Fig,
    /// A quick step, or a trot.
    pub quick: Fig,
    /// A run, or a canter.
    pub run: Fig,
    /// A dash, or a full gallop.
    pub charge: Fig,
    /// Seconds that a fresh man or horse keeps up `run`.
    pub run_for_s: Fig,
    /// Metres a second gained or lost every second.
    pub acceleration_m_s2: Fig,
}

/// Why men fall.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Cause {
    /// A hand weapon.
    Blow,
    /// A bow, crossbow or hand-held missile.
    Arrow,
    /// An engine that shoots bolts.
    Bolt,
    /// A thrown stone or cannon shot.
    Stone,
    /// Ridden down or trodden on.
    Trampled,
    /// Crushed in a press.
    Crushed,
    /// Fell from a height.
    Fell,
    /// Drowned.
    Drowned,
}

impl Cause {
    /// All causes, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Blow,
        Self::Arrow,
        Self::Bolt,
        Self::Stone,
        Self::Trampled,
        Self::Crushed,
        Self::Fell,
        Self::Drowned,
    ];

    /// Whether it is a missile of men or engines.
    #[must_use]
    pub const fn is_shot(self) -> bool {
        matches!(self, Self::Arrow | Self::Bolt | Self::Stone)
    }
}
