//! The board: what several rooms read, in dense arrays by id, one writer each.
//!
//! The writer of each resource is named in its first line. A room that wants to
//! change what it does not own puts a request into a queue, which its one owner
//! drains. Companies are spawned once in id order, with spare ones for splits,
//! and never despawned; dead, home or spare is a state.

mod engines;
mod requests;

use std::sync::Arc;

use bevy_ecs::prelude::*;

use crate::core::dice::Dice;
use crate::core::ids::{
    CompanyId, CorpsId, FieldId, NodeId, PartyId, PersonId, PortalId, SideId, UnitId, UnitKindId,
    WorkId,
};
use crate::core::measure::PointCm;
use crate::orders::ast::{Gait, GateOrder, Instruction, Instructions, Place, Sel, Stance};
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::{Catalogue, Shape};
use crate::scenario::site::Site;

use super::laws::LawSet;

pub use crate::scenario::catalogue::Cause;
pub use engines::*;
pub use requests::*;

/// What the battle is fought with. Written at muster, never again.
#[derive(Resource, Clone, Debug)]
pub struct Setting {
    /// The battle.
    pub scenario: Arc<Scenario>,
    /// Its rules.
    pub rules: Arc<Catalogue>,
    /// Its place.
    pub site: Arc<Site>,
    /// Laws that are switched off.
    pub off: LawSet,
}

/// The clock. Written by the battle itself between pulses.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Clock {
    /// Pulses since muster; the first one is 0.
    pub pulse: u32,
    /// Seconds of one pulse.
    pub pulse_s: i32,
}

impl Clock {
    /// Seconds since muster at the start of this pulse.
    #[must_use]
    pub const fn now_s(&self) -> i32 {
        self.pulse as i32 * self.pulse_s
    }

    /// The length of a pulse as a number for formulas.
    #[must_use]
    pub fn dt(&self) -> f64 {
        f64::from(self.pulse_s)
    }
}

/// The dice. Every room takes its own stream and counts what it rolled.
#[derive(Resource, Clone, Debug)]
pub struct Rolls(pub Dice);

/// The entity of a company: its id, in spawn order.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[component(immutable)]
pub struct Company(pub CompanyId);

/// The entity of a person: his id.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[component(immutable)]
pub struct Named(pub PersonId);

/// The entity of a work: its id.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[component(immutable)]
pub struct Built(pub WorkId);

/// Who is who. Written at muster; `passage` takes spare companies for splits.
#[derive(Resource, Clone, Debug, Default)]
pub struct Roster {
    /// Unit of each company (spare ones too).
    pub unit: Vec<UnitId>,
    /// Kind of each company.
    pub kind: Vec<UnitKindId>,
    /// Side of each company.
    pub side: Vec<SideId>,
    /// Party of each company.
    pub party: Vec<PartyId>,
    /// Corps of each company.
    pub corps: Vec<CorpsId>,
    /// Whether it rides now.
    pub mounted: Vec<bool>,
    /// Whether it has ever been on the field: false for a spare one.
    pub mustered: Vec<bool>,
    /// Companies of each unit, spare ones last, ascending.
    pub of_unit: Vec<Vec<CompanyId>>,
}

impl Roster {
    /// How many companies, spare ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.unit.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unit.is_empty()
    }

    /// The next spare company of a unit.
    #[must_use]
    pub fn spare(&self, unit: UnitId) -> Option<CompanyId> {
        self.of_unit[unit.index()].iter().copied().find(|c| !self.mustered[c.index()])
    }
}

/// Where companies are. Written by `passage`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Places {
    /// Node of each company's front.
    pub node: Vec<NodeId>,
    /// Position of its front's middle in map centimetres.
    pub at: Vec<PointCm>,
    /// Heading in thousandths of a unit vector.
    pub heading: Vec<PointCm>,
    /// Speed over the last pulse in centimetres a second.
    pub speed_cm_s: Vec<i32>,
    /// Pulses in a row that it wanted to go on and was blocked.
    pub blocked: Vec<u16>,
    /// The node that each company wanted to enter in this pulse and could not.
    pub wants: Vec<Option<NodeId>>,
    /// Men who have passed the portal it straddles, counted to the far side.
    pub passed: Vec<i32>,
    /// The portal it straddles, and whether it goes inwards.
    pub straddles: Vec<Option<(PortalId, bool)>>,
    /// First company on each node, by node.
    pub head: Vec<Option<CompanyId>>,
    /// Next company on the same node, ascending ids.
    pub next: Vec<Option<CompanyId>>,
    /// Jam area taken on each node, square centimetres.
    pub taken_cm2: Vec<i32>,
    /// Men who have crossed each portal inwards since muster, by portal and unit.
    pub crossed_in: Vec<Vec<i32>>,
    /// The same outwards.
    pub crossed_out: Vec<Vec<i32>>,
    /// Men that passed each portal in the last pulse (either way).
    pub flow: Vec<i32>,
    /// Men within reach of a shove who press on at a portal, whoever they are.
    pub pushing: Vec<i32>,
    /// Nodes that hold at least one company.
    pub busy: Vec<NodeId>,
}

impl Places {
    /// The companies on a node, ascending.
    #[inline]
    pub fn on(&self, node: NodeId) -> impl Iterator<Item = CompanyId> + '_ {
        std::iter::successors(self.head[node.index()], move |c| self.next[c.index()])
    }
}

/// Companies cut in two at a portal in this pulse: the old id (in front), the
/// new one (behind) and its men. Written by `passage`, emptied when it next runs;
/// the owners of what a company carries give the new one its share of it.
#[derive(Resource, Clone, Debug, Default)]
pub struct Splits(pub Vec<(CompanyId, CompanyId, i32)>);

/// How many men there are. Written by `casualties` (and `passage` for splits).
#[derive(Resource, Clone, Debug, Default)]
pub struct Strength {
    /// Men on their feet or horses.
    pub men: Vec<i32>,
    /// Men at muster, or at the split.
    pub muster: Vec<i32>,
    /// Lost by any cause since muster: dead, out of action.
    pub lost: Vec<i32>,
    /// Of these, by missiles of men or engines.
    pub lost_to_shot: Vec<i32>,
    /// Men captive.
    pub captive: Vec<i32>,
    /// Lost in this pulse (cleared at its start).
    pub lost_now: Vec<i32>,
    /// Lost to shot in this pulse.
    pub shot_now: Vec<i32>,
    /// Losses by cause and unit: `tally[cause][unit]`.
    pub tally: Vec<Vec<i32>>,
}

/// A company's state of mind.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[repr(u8)]
pub enum Mind {
    /// Does as it is told.
    #[default]
    Steady,
    /// Runs for a refuge.
    Broken,
    /// Gathers again.
    Rallying,
    /// Fights on because nothing is open.
    Desperate,
    /// Has laid down its arms.
    Yielded,
    /// Spare, or fewer men than count.
    Gone,
}

/// Hearts and breath. Written by `heart`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Spirits {
    /// Heart, 0 to 1000.
    pub heart: Vec<i32>,
    /// State of mind.
    pub mind: Vec<Mind>,
    /// Stamina, 0 to 1000.
    pub stamina: Vec<i32>,
    /// Percent of the muster lost over the last 60 s, in tenths.
    pub loss_rate: Vec<i32>,
}

/// How companies stand. Written by `shape`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Forms {
    /// Shape.
    pub shape: Vec<Shape>,
    /// Pulses until it is taken up.
    pub forming: Vec<u16>,
}

/// Who touches whom. Written by `contest`, anew each pulse.
#[derive(Resource, Clone, Debug, Default)]
pub struct Contacts {
    /// Enemy company that each one faces, if any.
    pub foe: Vec<Option<CompanyId>>,
    /// Own men in contact.
    pub front: Vec<i32>,
    /// Enemy men in contact with it, all sides together.
    pub against: Vec<i32>,
    /// How many of its four sides are attacked.
    pub sides: Vec<u8>,
    /// Whether it may move off (a disengage roll, or no contact).
    pub free: Vec<bool>,
    /// Push in centimetres that it takes this pulse, along `push_dir`.
    pub push_cm: Vec<i32>,
    /// Direction of the push, thousandths.
    pub push_dir: Vec<PointCm>,
    /// Pairs in contact with the men of each who strike, ascending.
    pub pairs: Vec<Pair>,
}

/// Two companies in contact.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The lower id.
    pub a: CompanyId,
    /// The higher id.
    pub b: CompanyId,
    /// Men of `a` who can reach `b`.
    pub a_men: i32,
    /// Men of `b` who can reach `a`.
    pub b_men: i32,
    /// How exposed `a` is to `b`: front 0, flank 1, back 2.
    pub a_side: u8,
    /// How exposed `b` is to `a`.
    pub b_side: u8,
}

/// Where a company wants to go. Written by `steer`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Goal {
    /// Stay.
    #[default]
    Hold,
    /// Down a flow field, through portals.
    Field(FieldId),
    /// Straight at a point of the same level, as ground allows.
    Toward(PointCm),
    /// By the ladders of a stretch of wall: up from its foot, down from its walk.
    Climb(PortalId),
}

/// What each company wants this pulse. Written by `steer`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Intents {
    /// Where to.
    pub goal: Vec<Goal>,
    /// How fast.
    pub gait: Vec<Gait>,
    /// Whether it rides or runs into enemies instead of stopping before them.
    pub attack: Vec<bool>,
    /// Which way to face when it stands, thousandths; zero keeps the heading.
    pub face: Vec<PointCm>,
}

/// What a unit is about. Written by `command`.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Task {
    /// Stand where it is.
    #[default]
    Stand,
    /// Go and then stand.
    Go(Place, Gait),
    /// Stand on a place.
    Hold(Place),
    /// Attack these.
    Charge(Sel),
    /// Hunt these within a leash.
    Chase(Sel, i32, Place),
    /// Keep between the enemy and a unit.
    Screen(UnitId),
    /// Go along with a unit.
    Follow(UnitId, i32),
    /// Fall back to the first refuge believed open; `bool`: turning to fight.
    Back(Vec<Place>, bool),
}

/// How a unit shoots. Written by `command`.
#[derive(Clone, PartialEq, Debug)]
pub enum Fire {
    /// Not at all.
    Hold,
    /// What it can hurt, at will.
    Will,
    /// At these: at will or aimed; sparing centimetres about friends.
    At(Sel, bool, i32),
    /// So many volleys, then hold.
    Volley(i32),
}

/// What each unit has been told. Written by `command`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Tasks {
    /// The task.
    pub task: Vec<Task>,
    /// Pulse from which it holds.
    pub since: Vec<u32>,
    /// Shooting.
    pub fire: Vec<Fire>,
    /// Stance.
    pub stance: Vec<Stance>,
    /// Shape asked for, if any.
    pub shape: Vec<Option<Shape>>,
    /// Jobs asked for and not yet begun, oldest first: (unit, job, place).
    pub jobs: Vec<(UnitId, crate::orders::ast::Job, Place)>,
    /// Last order given to each gate keeper, by gate work.
    pub gate: Vec<Option<GateOrder>>,
    /// Standing instructions in force.
    pub standing: Vec<Instructions>,
}

impl Tasks {
    /// Whether a standing instruction of a unit is in force.
    #[must_use]
    pub fn stands(&self, unit: UnitId, what: Instruction) -> bool {
        self.standing.get(unit.index()).copied().unwrap_or(Instructions::OF_OLD).has(what)
    }

    /// Whether a unit has nothing to do but to stand, here or in its area.
    #[must_use]
    pub fn idle(&self, unit: UnitId) -> bool {
        matches!(self.task[unit.index()], Task::Stand | Task::Hold(_))
    }
}

/// The state of a gate's leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Leaf {
    /// Still.
    #[default]
    Still,
    /// Being opened.
    Opening,
    /// Being shut.
    Closing,
    /// Cannot move.
    Jammed,
    /// Broken in.
    Broken,
}

/// Gates. Written by `job` (the leaves). One entry a portal; ramps stay open.
#[derive(Resource, Clone, Debug, Default)]
pub struct Gates {
    /// How far open, 0 to 1000.
    pub gap: Vec<i32>,
    /// What the leaves do.
    pub leaf: Vec<Leaf>,
    /// Whether it is barred.
    pub barred: Vec<bool>,
    /// Pulse at which it was last fully shut, if it is.
    pub shut_at: Vec<Option<u32>>,
    /// Grows whenever a portal opens or shuts altogether: flow fields watch it.
    pub version: u32,
}

/// What is done at walls with ladders, logs and stones. Written by `job`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Escalade {
    /// Ladders that each company carries.
    pub carried: Vec<i32>,
    /// Logs and stones left to each company.
    pub logs: Vec<i32>,
    /// The wall at which each unit has been told to raise its ladders.
    pub raising: Vec<Option<WorkId>>,
    /// Whether each unit has been told to look to ladders before all else.
    pub casting: Vec<bool>,
    /// Whether each unit has been told to throw what it has on whoever comes.
    pub dropping: Vec<bool>,
    /// Ladders at each stretch, by its place among the stretches.
    pub stands: Vec<Stand>,
    /// Men who had come up each stretch, and gone down it, when the parapet last looked.
    pub landed: Vec<[i32; 2]>,
    /// Stretches with ladders up, ascending.
    pub open: Vec<PortalId>,
}

/// The ladders at one stretch of wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stand {
    /// Up against the wall.
    pub up: i32,
    /// Thrown down and whole, at its foot.
    pub lying: i32,
    /// Whose they are.
    pub side: Option<SideId>,
}

impl Escalade {
    /// The ladders at a stretch.
    #[must_use]
    pub fn stand(&self, site: &Site, stretch: PortalId) -> Stand {
        let at = stretch.index().checked_sub(site.passages);
        at.and_then(|at| self.stands.get(at)).copied().unwrap_or_default()
    }
}

/// Arrows and bolts of the companies' own weapons. Written by `shot`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Stores {
    /// Missiles left in each company.
    pub missiles: Vec<i32>,
    /// Missiles at muster.
    pub full: Vec<i32>,
}

/// Persons. Written by `person`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Persons {
    /// The company he is with.
    pub company: Vec<CompanyId>,
    /// Wounds taken.
    pub wounds: Vec<i32>,
    /// Whether he lives.
    pub alive: Vec<bool>,
    /// Stamina, 0 to 1000.
    pub stamina: Vec<i32>,
    /// Whether he is captive.
    pub captive: Vec<bool>,
}

/// What lies about. Written by `lying`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Litter {
    /// Fallen men on each node.
    pub men: Vec<i32>,
    /// Fallen horses on each node.
    pub horses: Vec<i32>,
    /// Loose horses on each node.
    pub loose: Vec<i32>,
}

/// Who owns the areas. Written by `area`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Owners {
    /// Owner of each area.
    pub owner: Vec<Option<SideId>>,
    /// Side that has been alone there, and since which pulse.
    pub alone: Vec<(Option<SideId>, u32)>,
}
