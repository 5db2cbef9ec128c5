//! `seeds/<document>.ron`: the record of a source document.

use serde::{Deserialize, Serialize};

use super::orders::{RawCond, RawLine, RawPlace, RawSel};
use crate::orders::ast::Rel;
use crate::scenario::catalogue::{Cause, Name};
use crate::scenario::record::{Count, Fact};

/// A record file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Record")]
#[allow(missing_docs, reason = "the fields are those of the record")]
pub struct RawRecord {
    pub document: String,
    pub title: Name,
    pub facts: Vec<Fact>,
    /// Orders of both sides, for the scenarios that tell (part of) the document.
    pub orders: Vec<RawOrders>,
    /// Moments that measures call by name.
    #[serde(default)]
    pub moments: Vec<RawNamed>,
    /// Measures by statement: id, part, gauge.
    pub measures: Vec<RawMeasured>,
}

impl RawRecord {
    /// The groups of orders that one battle has, each with its place in the list.
    pub fn orders_of<'a>(
        &'a self,
        battle: &'a str,
    ) -> impl Iterator<Item = (usize, &'a RawOrders)> {
        let has = move |(_, group): &(usize, &RawOrders)| group.battles.iter().any(|b| b == battle);
        self.orders.iter().enumerate().filter(has)
    }
}

/// Orders that one or several battles share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Orders")]
#[allow(missing_docs, reason = "the fields are those of the record")]
pub struct RawOrders {
    pub battles: Vec<String>,
    pub lines: Vec<RawLine>,
}

/// A moment with a name; without battles it holds for all that have none of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Moment")]
#[allow(missing_docs, reason = "the fields are those of the record")]
pub struct RawNamed {
    pub id: String,
    #[serde(default)]
    pub battles: Vec<String>,
    pub at: RawMoment,
}

/// How a statement is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Measured")]
#[allow(missing_docs, reason = "the fields are those of the record")]
pub struct RawMeasured {
    pub id: String,
    #[serde(default)]
    pub part: Option<String>,
    pub gauge: RawGauge,
}

/// The measure language; see the checked twin in `record`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the checked twin")]
#[allow(clippy::large_enum_variant, reason = "a record holds a few dozen, read once")]
pub enum RawGauge {
    At(RawMoment, RawQuantity),
    Percent(Box<RawGauge>, Box<RawGauge>),
    Ratio(Box<RawGauge>, Box<RawGauge>),
    Minus(Box<RawGauge>, Box<RawGauge>),
    Apart(RawMoment, RawMoment),
    Seconds {
        from: RawMoment,
        to: RawMoment,
        holds: RawCond,
    },
    Holds(RawMoment, RawCond),
    Before(RawMoment, RawMoment),
    Sequence(Vec<RawMoment>),
    All(Vec<RawGauge>),
    Is(Box<RawGauge>, Rel, f64),
    Swept {
        chosen: RawMoment,
        among: RawSel,
        judged: RawMoment,
        beyond: (f64, RawPlace),
    },
    Times(Box<RawGauge>, f64),
    Largest(Vec<RawGauge>),
    Mean {
        from: RawMoment,
        to: RawMoment,
        of: (RawQuantity, RawQuantity),
    },
    Heaviest {
        of: RawSel,
        #[serde(default)]
        by: Vec<String>,
        #[serde(default)]
        others: bool,
        #[serde(default)]
        causes: Vec<Cause>,
        within_s: i32,
        from: RawMoment,
        to: RawMoment,
    },
    Chosen {
        chosen: RawMoment,
        among: RawSel,
        at: RawMoment,
        what: Count,
    },
}

/// A moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the checked twin")]
pub enum RawMoment {
    Named(String),
    Muster,
    End,
    First(RawCond),
    FirstAfter(Box<RawMoment>, RawCond),
    Later(i32, Box<RawMoment>),
    Sooner(Box<RawMoment>, Box<RawMoment>),
    HitAfter(Box<RawMoment>, RawSel),
    BreaksAfter(Box<RawMoment>, RawSel),
}

/// A quantity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the words are those of the checked twin")]
pub enum RawQuantity {
    Men(RawSel),
    Inside(RawSel, String),
    Crossed(RawSel, String),
    Lost(RawSel),
    LostToShot(RawSel),
    Foremost(RawSel, RawPlace),
    AliveInside(String, String),
    Engines(RawSel),
    LostTo(RawSel, Vec<Cause>),
    Missiles(RawSel),
    MenNear(RawSel, f64, RawSel),
    Climbed(RawSel, String),
    ClimbedDown(RawSel, String),
}
