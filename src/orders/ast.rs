//! Lines, conditions, measures and acts with every name resolved to an id.

use serde::{Deserialize, Serialize};

use crate::core::ids::{
    AreaId, CorpsId, LineId, PartyId, PersonId, PostId, SideId, UnitId, UnitKindId, WorkId,
};
use crate::core::measure::PointCm;
use crate::scenario::catalogue::Shape;

/// A line of an order book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number in the battle's book; unique.
    pub id: LineId,
    /// Its name in the file (`g2`), or one that the screen made.
    pub label: String,
    /// The units it is for; or the works of a gate keeper's line.
    pub who: Vec<Subject>,
    /// How it goes out; none for a line that is planned.
    pub via: Option<Channel>,
    /// The post whose board its condition reads and who sends it.
    pub by: PostId,
    /// When it fires; `Cond::Start` for at once.
    pub when: Cond,
    /// What is done, in turn.
    pub acts: Vec<Act>,
    /// Until when; and then what.
    pub until: Option<(Cond, Vec<Act>)>,
    /// Whether it fires again each time its condition becomes true.
    pub keep: bool,
    /// 1 to 9; higher goes first, then later.
    pub prio: u8,
}

/// Whom a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// A unit.
    Unit(UnitId),
    /// The keeper of a gate.
    Work(WorkId),
    /// One person, apart from his unit.
    Person(PersonId),
}

/// How an order travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// By voice.
    Shout,
    /// By gong.
    Gong,
    /// By drum.
    Drum,
    /// By flag.
    Flag,
    /// By a rider.
    Courier,
    /// By a fire on a tower.
    Beacon,
}

/// A condition. Unknown is false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cond {
    /// At the first pulse.
    Start,
    /// From a time of the battle on, in seconds.
    At(i32),
    /// So many seconds after an event.
    After(i32, Event),
    /// An event has happened and has not been undone.
    Event(Event),
    /// A measure against a number.
    Is(Measure, Rel, f64),
    /// All of these.
    All(Vec<Cond>),
    /// Any of these.
    Any(Vec<Cond>),
    /// Not this.
    Not(Box<Cond>),
    /// This, held for so many seconds.
    For(i32, Box<Cond>),
}

/// A relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rel {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Rel {
    /// Whether `a rel b`.
    #[must_use]
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }
}

/// Something that happens at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A line has fired (its `until` too, with `then`).
    Fired {
        /// The line's label.
        line: String,
        /// Its `until` part.
        then: bool,
    },
    /// Some of these are seen.
    Seen(Sel),
    /// Some of these are in contact.
    Contact(Sel),
    /// A company of these broke.
    Broke(Sel),
    /// A company of these yielded.
    Yielded(Sel),
    /// One of these is in the area.
    Entered(Sel, AreaId),
    /// None of these is in the area any more.
    Left(Sel, AreaId),
    /// These are at the place (within 15 m, or in the area).
    Reached(Sel, Place),
    /// The gate is open.
    Opened(WorkId),
    /// The gate is fully shut.
    Shut(WorkId),
    /// The gate is jammed.
    Jammed(WorkId),
    /// The side owns the area.
    Taken(AreaId, SideId),
    /// The unit has nothing left to shoot.
    Empty(UnitId),
    /// The unit's engines are loaded.
    Loaded(UnitId),
    /// The signal is heard.
    Heard(Channel),
    /// The person is dead.
    Fell(PersonId),
    /// The person is hurt.
    Hurt(PersonId),
    /// A word of the board that the scenario declares, told to the post.
    Told(String),
    /// Enemies have come up on a stretch of wall-walk.
    Heads(AreaId),
}

/// A number read from a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Measure {
    /// Men alive and not captive.
    Men(Sel),
    /// The first as a percentage of the second.
    Share(Sel, Sel),
    /// Percent of the muster lost; in the last so many seconds, or (0) at all.
    Loss(Sel, i32),
    /// Metres between the nearest of these and the place.
    Dist(Sel, Place),
    /// Seconds until the first of these could be at the place.
    Eta(Sel, Place),
    /// Own men fit to fight divided by the enemy's in the area.
    Ratio(AreaId),
    /// Missiles left, in percent.
    Ammo(UnitId),
    /// Mean heart, in percent.
    Heart(Sel),
    /// Stamina, in percent.
    Stamina(Sel),
    /// How far a gate is open, in percent.
    Gap(WorkId),
}

/// Which men are meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sel {
    /// Whose.
    pub who: Who,
    /// All of these states.
    pub states: Vec<State>,
    /// Only those in an area.
    pub area: Option<AreaId>,
    /// Only those within so many centimetres of a place.
    pub within: Option<(i32, Place)>,
    /// As they were at muster, not now.
    pub muster: bool,
}

impl Sel {
    /// A selector without any narrowing.
    #[must_use]
    pub const fn of(who: Who) -> Self {
        Self { who, states: Vec::new(), area: None, within: None, muster: false }
    }
}

/// Whose men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// All of a party.
    Party(PartyId),
    /// All of a side.
    Side(SideId),
    /// All hostile to the post that asks.
    Enemy,
    /// All friends of the post that asks.
    Friend,
    /// A corps.
    Corps(CorpsId),
    /// A unit.
    Unit(UnitId),
    /// All units of a kind, of any side.
    Kind(UnitKindId),
    /// A person (with the company he is with).
    Person(PersonId),
    /// The unit that the line is for.
    Own,
}

/// A state of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Unbroken and in a shape other than crowd.
    Formed,
    /// Under a roof of shields.
    Roofed,
    /// On the move.
    Moving,
    /// Slower than half a metre a second although it wants to go on.
    Stalled,
    /// In contact.
    Fighting,
    /// Broken.
    Broken,
    /// Unbroken.
    Unbroken,
    /// Captive.
    Captive,
    /// Safe inside its refuge.
    Home,
    /// Riding.
    Mounted,
    /// On foot.
    Afoot,
    /// Slower than half a metre a second, whatever it wants.
    Slow,
    /// In loose order.
    Loose,
}

/// A place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// An area.
    Area(AreaId),
    /// A work: a gate's outer mouth, the outer face of a wall.
    Work(WorkId),
    /// A point on the ground.
    Point(PointCm),
    /// A unit, wherever it is.
    Unit(UnitId),
    /// A person, wherever he is.
    Person(PersonId),
}

/// How fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// Walk.
    Walk,
    /// Quick step or trot.
    #[default]
    Quick,
    /// Run or canter.
    Run,
    /// Dash or gallop.
    Charge,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
    /// Go to a place.
    Go {
        /// Where.
        to: Place,
        /// How fast.
        gait: Gait,
        /// In which shape, if it changes.
        shape: Option<Shape>,
    },
    /// Stand on an area and hold it.
    Stand(Place),
    /// Ride or run at these and fight them.
    Charge(Sel),
    /// Hunt these, no farther than the leash (centimetres) from a place.
    Chase {
        /// The prey.
        prey: Sel,
        /// Leash in centimetres.
        leash_cm: i32,
        /// From where the leash is measured.
        of: Place,
    },
    /// Keep between the enemy and the unit.
    Screen(UnitId),
    /// Go along with a unit at a distance in centimetres.
    Follow(UnitId, i32),
    /// Fall back to the first refuge believed open.
    Back {
        /// Refuges, best first.
        refuges: Vec<Place>,
        /// Turning to fight when pressed, or straight.
        bound: bool,
    },
    /// Take up a shape.
    Shape(Shape),
    /// Shoot at these.
    Shoot {
        /// Targets.
        at: Sel,
        /// At will (fast), else aimed and slow.
        free: bool,
        /// Centimetres about friends to spare.
        spare_cm: i32,
    },
    /// Do not shoot.
    HoldFire,
    /// Shoot so many volleys, all together.
    Volley(i32),
    /// A job at a place.
    Job(Job, Place),
    /// Open or shut a gate, or set its policy.
    Gate(GateOrder),
    /// Give a signal.
    Signal(Channel),
    /// Change the acts of a line that has not left yet.
    Amend(String, Box<Act>),
    /// Withdraw a line.
    Cancel(String),
    /// Fight how hard.
    Stance(Stance),
    /// Stop the player's turn with these words.
    Call(String),
    /// Where both stand on one walk, the first steps to the front, the second back.
    Swap(UnitId, UnitId),
    /// A standing instruction is struck out, or stands again.
    Standing(Instruction, Mark),
}

/// What a kind of unit does without orders, unless that is struck out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Instruction {
    /// Shoot what can be hurt, and not a closed roof of shields.
    WorthIt,
    /// Do not shoot at what stands near friends.
    SpareFriends,
    /// On a wall, keep the last part of the arrows for its foot.
    KeepArrows,
    /// Where enemy heads come over the parapet shooters and crews step back, and
    /// those who fight hand to hand come forward.
    SwapAtHeads,
    /// Call for help where the post's men are fewer than the enemy's.
    CallForHelp,
    /// Set out for who calls, if idle and in nobody's line.
    AnswerCalls,
    /// Idle, step out to an enemy who comes near.
    Meet,
}

impl Instruction {
    /// All of them, in the order of a card.
    pub const ALL: [Self; 7] = [
        Self::WorthIt,
        Self::SpareFriends,
        Self::KeepArrows,
        Self::SwapAtHeads,
        Self::CallForHelp,
        Self::AnswerCalls,
        Self::Meet,
    ];
}

/// Whether a standing instruction is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Struck out.
    Struck,
    /// In force again.
    Stands,
}

/// A set of standing instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instructions(u8);

impl Instructions {
    /// What every kind did by itself under rules that do not say it.
    pub const OF_OLD: Self = Self(
        1 << Instruction::WorthIt as u8
            | 1 << Instruction::SpareFriends as u8
            | 1 << Instruction::Meet as u8,
    );

    /// Those of a list.
    #[must_use]
    pub fn of(list: &[Instruction]) -> Self {
        Self(list.iter().fold(0, |bits, i| bits | 1 << *i as u8))
    }

    /// Whether one is among them.
    #[must_use]
    pub const fn has(self, one: Instruction) -> bool {
        self.0 & 1 << one as u8 != 0
    }

    /// Strikes one out, or lets it stand again.
    pub const fn mark(&mut self, one: Instruction, mark: Mark) {
        match mark {
            Mark::Struck => self.0 &= !(1 << one as u8),
            Mark::Stands => self.0 |= 1 << one as u8,
        }
    }

    /// The same as a number.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Puts an act into a list: in place of one of its kind, else at the end. Those on
/// different standing instructions are of different kinds.
pub fn amend(acts: &mut Vec<Act>, act: Act) {
    let same = |old: &Act| match (old, &act) {
        (Act::Standing(a, _), Act::Standing(b, _)) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    match acts.iter_mut().find(|a| same(a)) {
        Some(old) => *old = act,
        None => acts.push(act),
    }
}

/// What a gate keeper is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateOrder {
    /// Open it.
    Open,
    /// Shut it, whoever is outside.
    Shut,
    /// Keep it open for friends; shut when an enemy could reach the leaf first.
    Guard,
}

/// A job of the closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Bar a gate.
    Bar,
    /// Clear what lies in a passage.
    Clear,
    /// Depress engines by their handles.
    Depress,
    /// Load engines.
    Load,
    /// Push engines to their stand.
    Emplace,
    /// Draw engines back.
    DrawBack,
    /// Mount.
    Mount,
    /// Dismount.
    Dismount,
    /// Raise ladders at a wall.
    Raise,
    /// Ram a gate.
    Ram,
    /// Throw ladders down from a wall.
    CastDown,
    /// Throw logs and stones down from a wall.
    Drop,
}

/// How hard to fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Hold to the last.
    HoldToTheLast,
    /// Hold, give way at 30 % lost.
    #[default]
    Hold,
    /// Threaten only.
    Feint,
    /// Press on.
    Press,
    /// Storm at any price.
    Storm,
    /// Save the men.
    Save,
}
