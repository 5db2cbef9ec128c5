//! The rules as data: kinds of unit, weapon, armour, engine, ground and work,
//! the shapes and gaits, and the figures of each law. Physical units throughout.
//!
//! A kind without references to other kinds is read straight into its struct; a
//! kind that names others has a twin in `raw` and typed ids here.

use serde::{Deserialize, Serialize};

use super::figure::Fig;
use crate::core::ids::{ArmourId, WeaponId};

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
    /// Seconds to load after a volley.
    pub load_s: Fig,
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

macro_rules! law_figures {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$fdoc])* pub $field: Fig,)* }
    )*};
}

/// The figures of all laws; one field per law that has any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laws {
    /// Crowd flow, passages and pressure.
    pub passage: PassageLaw,
    /// What lies on the ground.
    pub lying: LyingLaw,
    /// Crush and falls.
    pub crush: CrushLaw,
    /// Contested cells, momentum, trampling.
    pub contest: ContestLaw,
    /// Blows.
    pub blows: BlowsLaw,
    /// Shots.
    pub shot: ShotLaw,
    /// Heart.
    pub heart: HeartLaw,
    /// Persons.
    pub person: PersonLaw,
    /// Knowledge and sight.
    pub knowledge: KnowledgeLaw,
    /// Messages.
    pub message: MessageLaw,
    /// Jobs and gates.
    pub job: JobLaw,
    /// How men conduct themselves within their orders.
    pub conduct: ConductLaw,
}

law_figures! {
    /// L1.
    PassageLaw {
        /// Metres a second at which a crowd on foot flows through what is narrow.
        crowd_foot_m_s,
        /// The same on horseback.
        crowd_horse_m_s,
        /// Peak flow as a share of jam density times gait speed.
        flow_share,
        /// Share of the jam area above which a cell takes no more men, 0 to 1.
        full,
        /// Share of free flow kept when men go both ways.
        two_way,
        /// Men of a company that may press into a full cell, as a share of its room.
        press,
        /// Seconds blocked after which friends change places.
        swap_s,
    }
    /// L3.
    LyingLaw {
        /// Square metres a fallen man takes.
        man_m2,
        /// Square metres a fallen horse takes.
        horse_m2,
        /// Share of riders down whose horse falls too.
        horse_falls,
        /// Seconds until a loose horse has wandered off.
        horse_wanders_s,
        /// Speed lost on ground wholly covered, 0 to 1.
        slows,
    }
    /// L19.
    CrushLaw {
        /// Pressure at which `per_s` are killed: men a square metre, those who
        /// stand there and those who push from behind together.
        begins,
        /// Share of the pressed killed every second at that pressure; it rises
        /// with the sixth power, so there is no threshold.
        per_s,
        /// Metres from behind over which a push is felt.
        reach_m,
    }
    /// L2.
    ContestLaw {
        /// Metres within which companies in neighbouring cells touch.
        touch_m,
        /// Chance every second that a company in contact can break off at will.
        leave_per_s,
        /// Share of the men in contact struck while leaving, every second.
        leave_loss_per_s,
        /// Kilogram-metres a second of charge for each man that push one pace.
        push_kg_m_s,
        /// Chance that a fallen man in the path of momentum is trampled.
        trample,
        /// Metres by which a beaten company is pushed back at most in a second.
        push_back_m_s,
    }
    /// L18.
    BlowsLaw {
        /// The one number that carries the fiction: 1 for real sieges.
        lethality,
        /// Blows on a turned back as a factor.
        back,
        /// Blows on a flank as a factor.
        flank,
        /// Seconds of fighting that halve a fresh man's blows.
        tires_s,
        /// Share of the men in reach who really strike at one time.
        presses,
    }
    /// L12.
    ShotLaw {
        /// Shooting in battle as a share of that on the range.
        battle,
        /// Metres about friends that a careful shooter spares.
        spare_m,
        /// Share of an arrow's hits that put a man out of action.
        disables,
        /// Metres of height that a man shows.
        man_height_m,
        /// Metres of height that a rider shows.
        rider_height_m,
    }
    /// L9.
    HeartLaw {
        /// Heart lost for each percent of the company lost within a minute.
        per_loss_percent,
        /// Heart lost for each second stalled under shot.
        per_stall_s,
        /// Heart lost for each flank or rear attacked, every second.
        per_flank_s,
        /// Heart lost at a friend's breaking within 60 m.
        friend_breaks,
        /// Heart won at a foe's breaking within 60 m.
        foe_breaks,
        /// Heart that comes back every second out of danger.
        recovers_per_s,
        /// Chance to break every second with no heart left.
        break_per_s,
        /// Heart at which the chance to break begins, 0 to 1000.
        wavers,
        /// Seconds out of danger before broken men rally.
        rally_s,
        /// Heart after a rally, 0 to 1000.
        rallied,
        /// Heart for a formed friend near, every second.
        friend_near,
        /// Men below which a company is gone.
        gone_men,
        /// Loss within a minute, in percent, that weighs fully.
        rate_percent,
    }
    /// L10.
    PersonLaw {
        /// Blows that a man of presence is worth, for each of his men.
        presence_m,
        /// Heart that a leader's presence gives, every second.
        presence_heart,
        /// Chance that a person of a struck company is among the struck, as a factor.
        exposed,
    }
    /// L5.
    KnowledgeLaw {
        /// Metres seen from a tower by day.
        tower_day_m,
        /// Metres seen from the ground by day.
        ground_day_m,
        /// Metres seen by night.
        night_m,
        /// Metres a second that news travels where it is not seen.
        news_m_s,
    }
    /// L16.
    MessageLaw {
        /// Seconds to write an order.
        draft_s,
        /// Seconds to understand and begin.
        understand_s,
        /// Metres a second of a courier.
        courier_m_s,
        /// Metres a shout carries.
        shout_m,
        /// Metres a gong or drum carries in a fight.
        gong_m,
        /// Metres a flag is seen.
        flag_m,
    }
    /// How a company picks its prey, its gait and its way.
    ConductLaw {
        /// Metres from the prey at which a charge breaks into a canter.
        canter_from_m,
        /// Metres from the prey at which it gallops.
        gallop_from_m,
        /// Metres that a prey seems farther for each company already after it.
        crowding_m,
        /// Seconds between two looks for another prey.
        look_again_s,
        /// Seconds that hunters ride on to where they last saw their prey go.
        follows_s,
        /// Metres towards the enemy at which a screen stands from its charge.
        screen_m,
        /// Metres from its charge within which a screen turns on enemies.
        screen_reach_m,
        /// Share of a jam that men who keep order in the open fill at most, 0 to 1.
        order_share,
        /// Metres about its place within which a standing company meets an enemy.
        meets_m,
    }
    /// L4.
    JobLaw {
        /// Seconds of reaction before men lay hands on.
        begins_s,
        /// Men pressing on a leaf for each man behind it that hold it still.
        leaf_pressed,
        /// Men who can set their shoulders to a metre of leaf, all ranks together.
        leaf_hands_per_m,
        /// Metres from the leaves within which hands can come to them.
        crew_near_m,
        /// Share of a passage's floor that lies covered at which a leaf catches, 0 to 1.
        jams,
        /// Man-seconds to drag a fallen man out of a passage.
        drag_man_s,
        /// Man-seconds to drag a fallen horse out of a passage.
        drag_horse_s,
    }
}
