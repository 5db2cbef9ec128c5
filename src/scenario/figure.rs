//! A figure with its source: every number of a rules, map or scenario file.

use serde::{Deserialize, Serialize};

/// A number and where it comes from. Read it with [`Fig::v`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "RawFig", into = "RawFig")]
pub struct Fig {
    value: f64,
    origin: Origin,
}

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A document with its line, or a row of the figures.
    Source(String),
    /// Our choice: plausible range, reason, and the statements that it moves.
    Ours {
        /// Lowest plausible value.
        low: f64,
        /// Highest plausible value.
        high: f64,
        /// Why this value.
        why: String,
        /// Ids of statements that it is known to move.
        moves: Vec<String>,
    },
}

/// The figure as it is written in a file: `From(1.33, "figures A3")` or
/// `Ours(value: 0.6, low: 0.3, high: 1.0, why: "...", moves: ["GY-O4"])`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum RawFig {
    From(f64, String),
    Ours {
        value: f64,
        low: f64,
        high: f64,
        why: String,
        #[serde(default)]
        moves: Vec<String>,
    },
}

impl From<RawFig> for Fig {
    fn from(raw: RawFig) -> Self {
        match raw {
            RawFig::From(value, source) => Self { value, origin: Origin::Source(source) },
            RawFig::Ours { value, low, high, why, moves } => {
                Self { value, origin: Origin::Ours { low, high, why, moves } }
            }
        }
    }
}

impl From<Fig> for RawFig {
    fn from(fig: Fig) -> Self {
        match fig.origin {
            Origin::Source(source) => Self::From(fig.value, source),
            Origin::Ours { low, high, why, moves } => {
                Self::Ours { value: fig.value, low, high, why, moves }
            }
        }
    }
}

impl Fig {
    /// The value, in the unit that the field's name says.
    #[must_use]
    pub const fn v(&self) -> f64 {
        self.value
    }

    /// Where it comes from.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// A figure of a test or a generated battle, marked as such.
    #[must_use]
    pub fn made(value: f64) -> Self {
        Self { value, origin: Origin::Source("made for a test".into()) }
    }

    /// None, where a file does not say it: one of an earlier version (a replay carries its
    /// rules), under which the rule that reads it did not exist and does nothing.
    #[must_use]
    pub fn none() -> Self {
        Self { value: 0.0, origin: Origin::Source("not said: none".into()) }
    }

    /// The same for a factor: one.
    #[must_use]
    pub fn one() -> Self {
        Self { value: 1.0, origin: Origin::Source("not said: one".into()) }
    }

    /// Replaces the value and keeps the origin (drawn inputs, test set-ups).
    pub const fn set(&mut self, value: f64) {
        self.value = value;
    }
}
