//! The record of a source document: facts, the orders that history gave, and how
//! each statement is measured. Bands, kinds and classes come from the statements.

use serde::{Deserialize, Serialize};

use super::catalogue::{Cause, Name};
use crate::core::ids::{UnitId, WorkId};
use crate::orders::ast::{Cond, Line, Place, Rel, Sel};

/// A checked record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Number of the document.
    pub document: String,
    /// Title for people.
    pub title: Name,
    /// Facts with document and line.
    pub facts: Vec<Fact>,
    /// Both sides' orders.
    pub orders: Vec<Line>,
    /// How statements are measured, in the order of the statements file.
    pub measures: Vec<Measured>,
}

/// A fact of the document in our words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What.
    pub text: Name,
    /// Lines of the document (`L9.3`).
    pub lines: String,
}

/// A statement with its measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The statement.
    pub statement: Statement,
    /// Its measure; none where it is only told.
    pub gauge: Option<Gauge>,
}

/// A statement of the shared list, as it stands in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// `GY-O3`.
    pub id: String,
    /// `b`.
    pub part: Option<String>,
    /// Battle id.
    pub battle: String,
    /// The statement in words.
    pub what: String,
    /// given, obeyed, outcome, narrative.
    pub class: Class,
    /// Kind of value.
    pub kind: Kind,
    /// Unit of the value.
    pub unit: Option<String>,
    /// The text's figure.
    pub figure: Option<f64>,
    /// stated, bounded, ours.
    pub figure_is: Option<String>,
    /// The text's range.
    pub text: Option<[Option<f64>; 2]>,
    /// Band of the seeds.
    pub tolerance: Option<[f64; 2]>,
    /// Band of the median.
    pub median: Option<[f64; 2]>,
    /// Most p90 / p10.
    pub spread: Option<f64>,
    /// Least share of seeds inside.
    pub need: Option<f64>,
    /// Lines of the document.
    pub lines: String,
    /// How it is measured, in words.
    pub measure: String,
    /// Why it is not measured.
    pub why: Option<String>,
}

/// How a statement counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are those of the statements file")]
pub enum Class {
    Given,
    Obeyed,
    Outcome,
    Narrative,
}

/// What kind of value a statement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are those of the statements file")]
pub enum Kind {
    Count,
    Share,
    Distance,
    Time,
    Ratio,
    Order,
    Owner,
    Fate,
    Fates,
}

/// The measure language. Sampled every pulse from the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Gauge {
    /// A quantity at the first moment that a condition holds.
    At(Moment, Quantity),
    /// `100 * a / b`.
    Percent(Box<Gauge>, Box<Gauge>),
    /// `a / b`.
    Ratio(Box<Gauge>, Box<Gauge>),
    /// `a - b`.
    Minus(Box<Gauge>, Box<Gauge>),
    /// Absolute difference of two moments in seconds.
    Apart(Moment, Moment),
    /// Seconds between two moments in which a condition holds.
    Seconds {
        /// From.
        from: Moment,
        /// To.
        to: Moment,
        /// What must hold.
        holds: Cond,
    },
    /// True if a condition holds at a moment.
    Holds(Moment, Cond),
    /// True if the second never happens before the first has.
    Before(Moment, Moment),
    /// True if these happen in this sequence, each after the one before it.
    Sequence(Vec<Moment>),
    /// All true.
    All(Vec<Gauge>),
    /// True if a measured number compares so with a value; never where the number
    /// is never measured.
    Is(Box<Gauge>, Rel, f64),
    /// Of the companies chosen at one moment, the percentage that at another is
    /// broken, gone, yielded, or farther than so many centimetres from a place.
    Swept {
        /// When they are chosen.
        chosen: Moment,
        /// Which.
        among: Sel,
        /// When they are judged.
        judged: Moment,
        /// Far enough away counts as swept.
        beyond: (i32, Place),
    },
    /// A number times a constant.
    Times(Box<Gauge>, f64),
    /// The largest of these numbers; never where one of them is never measured.
    Largest(Vec<Gauge>),
    /// The mean over the pulses between two moments of `a / b`, where a `b` of
    /// nothing counts as one.
    Mean {
        /// From.
        from: Moment,
        /// To.
        to: Moment,
        /// The two quantities.
        of: (Quantity, Quantity),
    },
    /// The most men that the companies of a selector lost to one cause in so many
    /// seconds, all between two moments.
    Heaviest {
        /// Whose losses.
        of: Sel,
        /// Only what these units did; empty for anybody.
        by: Vec<UnitId>,
        /// Only what others than those units did.
        others: bool,
        /// Only by these causes; empty for any.
        causes: Vec<Cause>,
        /// Length of the window in seconds.
        within_s: i32,
        /// From.
        from: Moment,
        /// To.
        to: Moment,
    },
    /// A quantity at a moment of the companies chosen at another, wherever they are
    /// by then.
    Chosen {
        /// When they are chosen.
        chosen: Moment,
        /// Which.
        among: Sel,
        /// When they are counted.
        at: Moment,
        /// What of them.
        what: Count,
    },
}

/// What is counted of chosen companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Men on their feet.
    Men,
    /// Men lost since muster by any cause, captives too.
    Lost,
    /// Men lost since muster to missiles.
    LostToShot,
}

/// A moment of the battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Moment {
    /// Before the first pulse.
    Muster,
    /// After the last pulse.
    End,
    /// The first pulse in which a condition holds on the truth.
    First(Cond),
    /// The first such pulse at or after another moment.
    FirstAfter(Box<Moment>, Cond),
    /// So many seconds after another moment.
    Later(i32, Box<Moment>),
    /// The earlier of two.
    Sooner(Box<Moment>, Box<Moment>),
    /// First time that a company of these is hit by shot, at or after a moment.
    HitAfter(Box<Moment>, Sel),
    /// First time that a company chosen at a moment breaks, at or after it.
    BreaksAfter(Box<Moment>, Sel),
}

/// A number read from the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Quantity {
    /// Men alive and not captive.
    Men(Sel),
    /// Men inside a gate: past its inner face, straddlers in part.
    Inside(Sel, WorkId),
    /// Men who have crossed a gate's line inwards since the muster.
    Crossed(Sel, WorkId),
    /// Men lost since muster: dead, out of action or captive.
    Lost(Sel),
    /// Of these, by shot (any missile of men or engines).
    LostToShot(Sel),
    /// Metres from the outer face of a work to the foremost man.
    Foremost(Sel, Place),
    /// 1 if a person is alive and inside, else 0.
    AliveInside(crate::core::ids::PersonId, WorkId),
    /// Engines able to work.
    Engines(Sel),
    /// Men lost since muster to these causes; by units and corps alone.
    LostTo(Sel, Vec<Cause>),
    /// Missiles left, those of engines and of men.
    Missiles(Sel),
    /// Men who have come up a wall's ladders since the muster.
    Climbed(Sel, WorkId),
    /// Men who have gone down a wall's ladders since the muster.
    ClimbedDown(Sel, WorkId),
    /// Men of the first on the same level as, and within so many centimetres of, any
    /// company of the second.
    MenNear(Sel, i32, Sel),
}
