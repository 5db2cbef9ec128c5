//! A battle that has passed every check: sides, order of battle, posts, persons,
//! clock and ends. Immutable; `Arc` it and share it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::catalogue::{Catalogue, Name, Shape};
use super::record::Record;
use super::site::{Level, Site};
use crate::core::ids::{
    AreaId, CorpsId, EngineKindId, PartyId, PersonId, PostId, SideId, UnitId, UnitKindId, WorkId,
};
use crate::core::measure::PointCm;
use crate::orders::ast::{Cond, GateOrder, Line, Place};

/// A checked battle with all it refers to.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Id, the file's stem.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// What it is about, in a sentence or two.
    pub about: Name,
    /// Number of the source document, if it tells one.
    pub document: Option<String>,
    /// The rules it is fought by.
    pub rules: Arc<Catalogue>,
    /// The place.
    pub site: Arc<Site>,
    /// Seconds a pulse.
    pub pulse_s: i32,
    /// Clock at the start, minutes after midnight.
    pub starts_min: i32,
    /// Longest battle in seconds.
    pub max_s: i32,
    /// Longest turn in seconds.
    pub max_turn_s: i32,
    /// Light.
    pub light: Light,
    /// Sides, indexed by `SideId`.
    pub sides: Vec<Side>,
    /// Parties, indexed by `PartyId`.
    pub parties: Vec<Party>,
    /// `hostile[a][b]`: whether party `a` fights party `b`.
    pub hostile: Vec<Vec<bool>>,
    /// Posts, indexed by `PostId`.
    pub posts: Vec<Post>,
    /// Corps, indexed by `CorpsId`.
    pub corps: Vec<Corps>,
    /// Units, indexed by `UnitId`.
    pub units: Vec<Unit>,
    /// Persons, indexed by `PersonId`.
    pub persons: Vec<Person>,
    /// Gates that stand open at the start, and the policy of each keeper.
    pub gates: Vec<GateStart>,
    /// Lines of posts that no player commands.
    pub standing: Vec<Line>,
    /// What ends the battle.
    pub ends: Vec<End>,
    /// Aims of the sides, for people and for the opponent.
    pub objectives: Vec<Objective>,
    /// Ids of the statements that it measures.
    pub statements: Vec<String>,
    /// The record of its document.
    pub record: Option<Arc<Record>>,
}

/// Daylight or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// Day.
    #[default]
    Day,
    /// Dusk or dawn.
    Dusk,
    /// Night.
    Night,
}

/// A side.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Pigment slot of the look, 1 to 4.
    pub slot: u8,
    /// Its headquarters.
    pub post: PostId,
}

/// A party.
#[derive(Clone, Debug, PartialEq)]
pub struct Party {
    /// Id.
    pub id: String,
    /// The side it belongs to at the start.
    pub side: SideId,
}

/// A post.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Who holds it.
    pub holder: Option<PersonId>,
    /// The side it answers to.
    pub side: SideId,
    /// Whom it obeys.
    pub superior: Option<PostId>,
    /// Where it looks from: a fixed place, or its holder's company.
    pub at: Option<Place>,
    /// Height of its eyes over the ground in centimetres.
    pub eyes_cm: i32,
    /// Whether a player may give it orders.
    pub players: bool,
}

/// A corps.
#[derive(Clone, Debug, PartialEq)]
pub struct Corps {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Side.
    pub side: SideId,
    /// Its post.
    pub post: PostId,
    /// Units, ascending.
    pub units: Vec<UnitId>,
}

/// A unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Kind.
    pub kind: UnitKindId,
    /// Party.
    pub party: PartyId,
    /// Corps.
    pub corps: CorpsId,
    /// Men at muster.
    pub men: i32,
    /// Where it stands.
    pub stands: Stands,
    /// Shape at the start.
    pub shape: Shape,
    /// Engines served by it, with their number.
    pub engines: Vec<(EngineKindId, i32)>,
    /// Missiles at the start as a share of what its kind carries, 0 to 1.
    pub supply: f64,
    /// Scaling ladders that it carries at muster.
    pub ladders: i32,
    /// Logs and stones laid up for it on the wall.
    pub logs: i32,
    /// Where its beaten men run to, best first.
    pub refuges: Vec<Place>,
}

/// Where a unit stands at the start: a rectangle of companies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stands {
    /// Centre.
    pub at: PointCm,
    /// Level.
    pub level: Level,
    /// Breadth across the facing, in centimetres.
    pub front_cm: i32,
    /// Direction it faces, thousandths of a unit vector.
    pub facing: PointCm,
}

/// A person.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Surname on the banner.
    pub banner: String,
    /// The unit he rides with.
    pub unit: UnitId,
    /// Rank: 1 unit, 2 corps, 3 wing, 4 army.
    pub rank: u8,
    /// Skill with weapons, 1 for a trained man.
    pub prowess: f64,
    /// Blows that put him out of the fight.
    pub toughness: i32,
    /// Metres within which his presence is felt.
    pub presence_cm: i32,
    /// Whether he rides last when his unit falls back.
    pub rides_last: bool,
}

/// A gate at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateStart {
    /// The gate.
    pub work: WorkId,
    /// Its keeper's post.
    pub keeper: PostId,
    /// Whether it is open.
    pub open: bool,
    /// Policy.
    pub policy: GateOrder,
    /// The unit that mans the leaves.
    pub crew: UnitId,
}

/// What ends a battle.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Judged on the truth.
    pub when: Cond,
    /// Who has won, if anybody.
    pub winner: Option<SideId>,
    /// Words for people.
    pub text: Name,
}

/// An aim.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Id.
    pub id: String,
    /// Whose.
    pub side: SideId,
    /// Words for people.
    pub text: Name,
    /// Judged on the truth at the end.
    pub when: Cond,
    /// Points.
    pub weight: i32,
    /// An area to mark on the map.
    pub area: Option<AreaId>,
}

impl Scenario {
    /// The side of a unit at the start.
    #[must_use]
    pub fn side_of(&self, unit: UnitId) -> SideId {
        self.parties[self.units[unit.index()].party.index()].side
    }

    /// The post that commands a unit.
    #[must_use]
    pub fn post_of(&self, unit: UnitId) -> PostId {
        self.corps[self.units[unit.index()].corps.index()].post
    }

    /// Whether a unit shoots for its living or serves engines.
    #[must_use]
    pub fn shoots(&self, unit: UnitId) -> bool {
        self.kind_of(unit).missile.is_some() || !self.units[unit.index()].engines.is_empty()
    }

    /// The kind of a unit.
    #[must_use]
    pub fn kind_of(&self, unit: UnitId) -> &super::catalogue::UnitKind {
        &self.rules.units[self.units[unit.index()].kind.index()]
    }
}
