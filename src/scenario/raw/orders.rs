//! The RON twin of the order language: names as strings, clock as `"mm:ss"`.

use serde::{Deserialize, Serialize};

use crate::orders::ast::{Channel, Gait, GateOrder, Instruction, Job, Mark, Rel, Stance, State};
use crate::scenario::catalogue::Shape;

/// A line. `who` names units (or a gate for its keeper); `by` a post, default
/// that of the first unit's corps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Line")]
#[allow(missing_docs, reason = "the fields are those of the order language")]
pub struct RawLine {
    pub id: String,
    pub who: Vec<String>,
    #[serde(default)]
    pub via: Option<Channel>,
    #[serde(default)]
    pub by: Option<String>,
    pub when: RawCond,
    #[serde(rename = "do")]
    pub acts: Vec<RawAct>,
    #[serde(default)]
    pub until: Option<RawCond>,
    #[serde(default)]
    pub then: Vec<RawAct>,
    #[serde(default)]
    pub keep: bool,
    #[serde(default = "five")]
    pub prio: u8,
    /// Document and line, or "ours: why".
    pub source: String,
}

const fn five() -> u8 {
    5
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the order language")]
pub enum RawCond {
    Start,
    At(String),
    After(i32, RawEvent),
    Event(RawEvent),
    Is(RawMeasure, Rel, f64),
    All(Vec<RawCond>),
    Any(Vec<RawCond>),
    Not(Box<RawCond>),
    For(i32, Box<RawCond>),
}

/// An event. Selectors are `Sel(who: "left_horse", ...)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the order language")]
pub enum RawEvent {
    Fired(String),
    FiredThen(String),
    Seen(RawSel),
    Contact(RawSel),
    Broke(RawSel),
    Yielded(RawSel),
    Entered(RawSel, String),
    Left(RawSel, String),
    Reached(RawSel, RawPlace),
    Opened(String),
    Shut(String),
    Jammed(String),
    Taken(String, String),
    Empty(String),
    Loaded(String),
    Heard(Channel),
    Fell(String),
    Hurt(String),
    Told(String),
    Heads(String),
}

/// A measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the order language")]
pub enum RawMeasure {
    Men(RawSel),
    Share(RawSel, RawSel),
    Loss(RawSel, i32),
    Dist(RawSel, RawPlace),
    Eta(RawSel, RawPlace),
    Ratio(String),
    Ammo(String),
    Heart(RawSel),
    Stamina(RawSel),
    Gap(String),
}

/// Which men: `who` is the id of a party, side, corps, unit, kind or person, or
/// one of `enemy`, `friend`, `own`. Looked up in that order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Sel")]
#[allow(missing_docs, reason = "the fields are those of the order language")]
pub struct RawSel {
    pub who: String,
    #[serde(default)]
    pub states: Vec<State>,
    #[serde(default)]
    pub area: Option<String>,
    /// Metres, and of what.
    #[serde(default)]
    pub within: Option<(f64, RawPlace)>,
    #[serde(default)]
    pub muster: bool,
}

/// A place: the id of an area, work, unit or person; or a point in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the order language")]
pub enum RawPlace {
    At(String),
    Point(f64, f64),
}

/// An act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the order language")]
pub enum RawAct {
    Go {
        to: RawPlace,
        #[serde(default)]
        gait: Gait,
        #[serde(default)]
        shape: Option<Shape>,
    },
    Stand(RawPlace),
    Charge(RawSel),
    Chase {
        prey: RawSel,
        leash_m: f64,
        of: RawPlace,
    },
    Screen(String),
    Follow(String, f64),
    Back {
        to: Vec<RawPlace>,
        #[serde(default)]
        bound: bool,
    },
    Shape(Shape),
    Shoot {
        at: RawSel,
        #[serde(default)]
        free: bool,
        #[serde(default)]
        spare_m: f64,
    },
    HoldFire,
    Volley(i32),
    Job(Job, RawPlace),
    Gate(GateOrder),
    Signal(Channel),
    Amend(String, Box<RawAct>),
    Cancel(String),
    Stance(Stance),
    Call(String),
    /// Front, rear.
    Swap(String, String),
    Standing(Instruction, Mark),
}
