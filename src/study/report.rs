//! What a study says: the JSON that the command line promises, and the same for
//! people. Statements are judged here from the values of all seeds, so shards
//! join by joining values.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::judge::{self, Judged};
use super::stats;
use crate::scenario::record::{Class, Kind, Statement};

/// The value of one statement in one seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Its event never happened, or it has no measure.
    Never,
    /// Of an order, owner or fate.
    Truth(bool),
    /// Of everything else, in the statement's unit.
    Number(f64),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub const fn number(self) -> Option<f64> {
        match self {
            Self::Number(v) => Some(v),
            _ => None,
        }
    }
}

/// Largest whole number that is written without a fraction.
const WHOLE: f64 = 9e15;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Never => s.serialize_none(),
            Self::Truth(v) => s.serialize_bool(v),
            Self::Number(v) => number(v, s),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Twin {
            Truth(bool),
            Number(f64),
        }
        Ok(match Option::<Twin>::deserialize(d)? {
            None => Self::Never,
            Some(Twin::Truth(v)) => Self::Truth(v),
            Some(Twin::Number(v)) => Self::Number(v),
        })
    }
}

fn number<S: Serializer>(v: f64, s: S) -> Result<S::Ok, S::Error> {
    if v == v.trunc() && v.abs() < WHOLE { s.serialize_i64(v as i64) } else { s.serialize_f64(v) }
}

fn optional<S: Serializer>(v: &Option<f64>, s: S) -> Result<S::Ok, S::Error> {
    match v {
        Some(v) => number(*v, s),
        None => s.serialize_none(),
    }
}

fn pair<S: Serializer>(v: &Option<[f64; 2]>, s: S) -> Result<S::Ok, S::Error> {
    v.map(|v| v.map(Value::Number)).serialize(s)
}

fn range<S: Serializer>(v: &Option<[Option<f64>; 2]>, s: S) -> Result<S::Ok, S::Error> {
    v.map(|v| v.map(|x| x.map(Value::Number))).serialize(s)
}

/// One statement of a study, with the field names that are promised.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StatementLine {
    /// `GY-O3`.
    pub id: String,
    /// `b`, or null.
    pub part: Option<String>,
    /// In words.
    pub what: String,
    /// How it counts.
    pub class: Class,
    /// Unit of the values.
    pub unit: Option<String>,
    /// Kind of value.
    pub kind: Kind,
    /// One a seed, in seed order; empty if unmeasured.
    pub values: Vec<Value>,
    /// Band of the seeds.
    #[serde(serialize_with = "pair")]
    pub tolerance: Option<[f64; 2]>,
    /// Range of the text.
    #[serde(serialize_with = "range")]
    pub text: Option<[Option<f64>; 2]>,
    /// Figure of the text.
    #[serde(serialize_with = "optional")]
    pub figure: Option<f64>,
    /// Band of the median.
    #[serde(serialize_with = "pair")]
    pub median_band: Option<[f64; 2]>,
    /// Most p90 / p10.
    #[serde(serialize_with = "optional")]
    pub spread: Option<f64>,
    /// Least share inside.
    #[serde(serialize_with = "optional")]
    pub need: Option<f64>,
    /// Share of seeds inside, 0 to 1.
    #[serde(serialize_with = "optional")]
    pub inside: Option<f64>,
    /// Tenth percentile.
    #[serde(serialize_with = "optional")]
    pub p10: Option<f64>,
    /// Median.
    #[serde(serialize_with = "optional")]
    pub median: Option<f64>,
    /// Ninetieth percentile.
    #[serde(serialize_with = "optional")]
    pub p90: Option<f64>,
    /// Whether it holds.
    pub holds: Option<bool>,
    /// Why it is not measured.
    pub why: Option<String>,
}

impl StatementLine {
    /// Judges a statement by its values.
    #[must_use]
    pub fn new(statement: &Statement, values: Vec<Value>) -> Self {
        let Judged { inside, p10, median, p90, holds } = judge::judge(statement, &values);
        let narrative = statement.class == Class::Narrative;
        Self {
            id: statement.id.clone(),
            part: statement.part.clone(),
            what: statement.what.clone(),
            class: statement.class,
            unit: statement.unit.clone(),
            kind: statement.kind,
            tolerance: statement.tolerance,
            text: statement.text,
            figure: statement.figure,
            median_band: statement.median,
            spread: statement.spread,
            need: statement.need,
            inside,
            p10,
            median,
            p90,
            holds: holds.filter(|_| !narrative),
            why: statement.why.clone(),
            values,
        }
    }

    /// Its statement, without words that only the file has.
    fn statement(&self) -> Statement {
        Statement {
            id: self.id.clone(),
            part: self.part.clone(),
            battle: String::new(),
            what: self.what.clone(),
            class: self.class,
            kind: self.kind,
            unit: self.unit.clone(),
            figure: self.figure,
            figure_is: None,
            text: self.text,
            tolerance: self.tolerance,
            median: self.median_band,
            spread: self.spread,
            need: self.need,
            lines: String::new(),
            measure: String::new(),
            why: self.why.clone(),
        }
    }

    /// Id and part together.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.id, self.part.as_deref().unwrap_or_default())
    }

    /// Whether seed number `index` of the list is inside; none where not counted.
    fn counted_inside(&self, index: usize) -> Option<bool> {
        (self.class == Class::Outcome && self.need.is_some())
            .then(|| judge::inside(&self.statement(), *self.values.get(index)?))
            .flatten()
    }
}

/// One battle of a study.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RunLine {
    /// Its seed.
    pub seed: u64,
    /// Pulses fought.
    pub pulses: u32,
    /// Dice rolled.
    pub draws: u64,
    /// Digest of its last state, in hex.
    pub digest: String,
    /// Who won; null for nobody.
    pub winner: Option<String>,
}

/// Counts of how the battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Outcomes {
    /// Battles won by each side, and by `nobody`.
    pub winner: BTreeMap<String, usize>,
}

/// A study, with the field names that are promised.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// The battle.
    pub scenario: String,
    /// Document of its record.
    pub record: Option<String>,
    /// Seeds asked for, all shards together.
    pub seeds: u64,
    /// First seed.
    pub from: u64,
    /// What was switched off.
    pub without: Vec<String>,
    /// Patches, as named on the command line.
    pub patches: Vec<String>,
    /// Whose orders.
    pub orders: String,
    /// Fixed or drawn inputs.
    pub inputs: String,
    /// Digest of the rules, in hex.
    pub rules_digest: String,
    /// Companies at muster.
    pub companies: usize,
    /// Pulses of all battles together.
    pub pulses: u64,
    /// Speed over the whole study: follows `seconds`.
    pub company_pulses_per_second: u64,
    /// Wall clock.
    pub seconds: f64,
    /// Largest memory of the process, where the system tells.
    pub peak_rss_mib: Option<u64>,
    /// The statements.
    pub statements: Vec<StatementLine>,
    /// Outcomes that hold, of how many.
    pub outcomes_held: [usize; 2],
    /// Share of seeds in which all outcomes are inside.
    pub all_held_share: f64,
    /// How the battles ended.
    pub outcomes: Outcomes,
    /// The battles, in seed order.
    pub runs: Vec<RunLine>,
    /// Which part of how many this is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<[u64; 2]>,
    /// Whether it was stopped early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl Report {
    /// Fills in what follows from the statements and runs.
    pub fn conclude(&mut self) {
        let counted: Vec<&StatementLine> = self
            .statements
            .iter()
            .filter(|s| s.class == Class::Outcome && s.need.is_some())
            .collect();
        self.outcomes_held =
            [counted.iter().filter(|s| s.holds == Some(true)).count(), counted.len()];
        let all = (0..self.runs.len())
            .filter(|i| {
                self.statements.iter().all(|s| {
                    s.counted_inside(*i).unwrap_or(s.class != Class::Outcome || s.need.is_none())
                })
            })
            .count();
        self.all_held_share = stats::share(all, self.runs.len());
        self.outcomes.winner.values_mut().for_each(|n| *n = 0);
        for run in &self.runs {
            *self
                .outcomes
                .winner
                .entry(run.winner.clone().unwrap_or_else(|| NOBODY.into()))
                .or_default() += 1;
        }
        self.pulses = self.runs.iter().map(|r| u64::from(r.pulses)).sum();
        let work = self.pulses as f64 * self.companies as f64;
        self.company_pulses_per_second =
            if self.seconds > 0.0 { (work / self.seconds) as u64 } else { 0 };
    }
}

/// The key of battles that nobody won.
pub const NOBODY: &str = "nobody";

/// Why shards cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlike {
    /// No file at all.
    Nothing,
    /// They differ in a field, so they are not of one study.
    Field(&'static str),
    /// A seed stands in two of them.
    Twice(u64),
}

/// Joins the shards of one study.
///
/// # Errors
/// If they are not parts of one study, or a seed stands in two of them.
pub fn merge(shards: &[Report]) -> Result<Report, Unlike> {
    let first = shards.first().ok_or(Unlike::Nothing)?;
    let fields: [(&'static str, fn(&Report, &Report) -> bool); 9] = [
        ("scenario", |a, b| a.scenario == b.scenario),
        ("seeds", |a, b| a.seeds == b.seeds),
        ("from", |a, b| a.from == b.from),
        ("without", |a, b| a.without == b.without),
        ("patches", |a, b| a.patches == b.patches),
        ("orders", |a, b| a.orders == b.orders),
        ("inputs", |a, b| a.inputs == b.inputs),
        ("rules_digest", |a, b| a.rules_digest == b.rules_digest),
        ("statements", |a, b| {
            a.statements.len() == b.statements.len()
                && a.statements
                    .iter()
                    .zip(&b.statements)
                    .all(|(a, b)| a.id == b.id && a.part == b.part)
        }),
    ];
    for shard in shards {
        if let Some((field, _)) = fields.iter().find(|(_, same)| !same(first, shard)) {
            return Err(Unlike::Field(field));
        }
        if shard
            .statements
            .iter()
            .any(|s| !s.values.is_empty() && s.values.len() != shard.runs.len())
        {
            return Err(Unlike::Field("values"));
        }
    }
    let mut order: Vec<(u64, usize, usize)> = shards
        .iter()
        .enumerate()
        .flat_map(|(i, shard)| shard.runs.iter().enumerate().map(move |(j, run)| (run.seed, i, j)))
        .collect();
    order.sort_unstable();
    if let Some(twice) = order.windows(2).find(|w| w[0].0 == w[1].0) {
        return Err(Unlike::Twice(twice[0].0));
    }
    let mut whole = first.clone();
    whole.runs = order.iter().map(|(_, i, j)| shards[*i].runs[*j].clone()).collect();
    whole.statements = first
        .statements
        .iter()
        .enumerate()
        .map(|(k, line)| {
            let values = order
                .iter()
                .filter_map(|(_, i, j)| shards[*i].statements[k].values.get(*j).copied())
                .collect();
            StatementLine::new(&line.statement(), values)
        })
        .collect();
    whole.shard = None;
    whole.interrupted =
        shards.iter().any(|s| s.interrupted) || (whole.runs.len() as u64) < whole.seeds;
    whole.seconds = shards.iter().map(|s| s.seconds).sum();
    whole.peak_rss_mib = shards.iter().filter_map(|s| s.peak_rss_mib).max();
    whole.outcomes.winner =
        shards.iter().flat_map(|s| s.outcomes.winner.keys().cloned()).map(|k| (k, 0)).collect();
    whole.conclude();
    Ok(whole)
}
