//! Many battles on all cores, each in a world of its own, in seed order.
//!
//! What comes out is the same whatever the number of cores; only the clock and
//! the memory differ.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::gauge::Probe;
use super::report::{NOBODY, Outcomes, Report, RunLine, StatementLine, Value};
use crate::ai::doctrine;
use crate::core::digest::{Digest, hex};
use crate::core::ids::SideId;
use crate::orders::ast::Line;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Catalogue;
use crate::scenario::record::{Class, Gauge, Kind, Moment, Statement};
use crate::sim::Battle;
use crate::sim::laws::LawSet;

/// Pulses between two looks at whether to stop.
const STOP_EVERY: u32 = 32;

/// Whose orders both sides obey.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Orders {
    /// Those of the record; the doctrine's where there is no record.
    #[default]
    Record,
    /// The general doctrine's.
    Doctrine,
}

impl Orders {
    /// Its word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Doctrine => "doctrine",
        }
    }

    /// The lines of both sides.
    #[must_use]
    pub fn lines(self, scenario: &Scenario) -> Vec<Line> {
        match (self, &scenario.record) {
            (Self::Record, Some(record)) => record.orders.clone(),
            _ => doctrine::lines(scenario),
        }
    }
}

/// What to fight.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Number of seeds, all shards together.
    pub seeds: u64,
    /// First seed.
    pub from: u64,
    /// Battles at the same time; 0 for as many as there are cores.
    pub jobs: usize,
    /// Which part, from 1, of how many.
    pub shard: Option<[u64; 2]>,
    /// Whose orders.
    pub orders: Orders,
    /// `fixed` or `drawn`, to be said in the report.
    pub inputs: String,
    /// What is off, as it was named.
    pub without: Vec<String>,
    /// The same, resolved.
    pub off: LawSet,
    /// Patches, as they were named.
    pub patches: Vec<String>,
}

impl Plan {
    /// The seeds of this part, ascending. Parts take turns, so that each is as
    /// long as the others.
    #[must_use]
    pub fn own_seeds(&self) -> Vec<u64> {
        (0..self.seeds)
            .filter(|i| {
                self.shard.is_none_or(|[part, parts]| i % parts.max(1) == (part - 1) % parts.max(1))
            })
            .map(|i| self.from.saturating_add(i))
            .collect()
    }
}

/// A statement, its gauge, and the side that asks.
pub type Asked = (Statement, Option<Gauge>, Option<SideId>);

/// What is measured in a battle: the record's statements that the scenario lists,
/// or without a record its objectives, judged at the end.
#[must_use]
pub fn asked(scenario: &Scenario) -> Vec<Asked> {
    if let Some(record) = &scenario.record {
        let listed = |id: &String| scenario.statements.contains(id);
        let measures = record.measures.iter().filter(|m| listed(&m.statement.id));
        return measures.map(|m| (m.statement.clone(), m.gauge.clone(), None)).collect();
    }
    let aims = scenario.objectives.iter().map(|aim| {
        let statement = Statement {
            id: aim.id.clone(),
            part: None,
            battle: scenario.id.clone(),
            what: aim.text.en.clone(),
            class: Class::Outcome,
            kind: Kind::Fate,
            unit: Some("yes/no".into()),
            figure: None,
            figure_is: None,
            text: None,
            tolerance: None,
            median: None,
            spread: None,
            need: None,
            lines: String::new(),
            measure: String::new(),
            why: None,
        };
        (statement, Some(Gauge::Holds(Moment::End, aim.when.clone())), Some(aim.side))
    });
    aims.collect()
}

/// A battle that was fought to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Fought {
    /// Values in the order of [`asked`].
    pub values: Vec<Value>,
    /// Who won.
    pub winner: Option<SideId>,
    /// Pulses.
    pub pulses: u32,
    /// Dice rolled.
    pub draws: u64,
    /// Digest of the last state.
    pub digest: u64,
    /// Companies on the field at muster.
    pub companies: usize,
}

/// Fights one battle by these lines and measures it. None if it was stopped.
#[must_use]
pub fn fight(
    scenario: &Arc<Scenario>,
    seed: u64,
    off: &LawSet,
    lines: &[Line],
    stop: &AtomicBool,
) -> Option<Fought> {
    let asked = asked(scenario);
    let mut probe =
        Probe::new(asked.iter().map(|(_, gauge, side)| (gauge.as_ref(), *side)), scenario.pulse_s);
    let mut battle = Battle::new(Arc::clone(scenario), seed, off.clone());
    battle.order(lines);
    let companies = mustered(&battle);
    probe.look(&battle.truth());
    loop {
        let goes_on = battle.step();
        probe.look(&battle.truth());
        if !goes_on {
            break;
        }
        if battle.pulse().is_multiple_of(STOP_EVERY) && stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(Fought {
        values: probe.finish(&battle.truth()),
        winner: battle.verdict().and_then(|v| v.winner),
        pulses: battle.pulse(),
        draws: battle.draws(),
        digest: battle.digests().total,
        companies,
    })
}

/// Companies that have been on the field so far.
#[must_use]
pub fn mustered(battle: &Battle) -> usize {
    battle.truth().roster.mustered.iter().filter(|m| **m).count()
}

/// Fights a study. `load` gives the battle of a seed (the same one for fixed
/// inputs); `done` is told of each that is over; `stop` ends it early, with what
/// was finished.
///
/// # Errors
/// What `load` reports for the first seed that cannot be loaded.
pub fn study<E: Send>(
    plan: &Plan,
    load: &(dyn Fn(u64) -> Result<Arc<Scenario>, E> + Sync),
    stop: &AtomicBool,
    done: &(dyn Fn() + Sync),
) -> Result<Report, E> {
    let begun = Instant::now();
    let first = load(plan.from)?;
    let one = |seed: u64| -> Result<Option<(RunLine, Fought)>, E> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let scenario = load(seed)?;
        let fought = fight(&scenario, seed, &plan.off, &plan.orders.lines(&scenario), stop);
        done();
        Ok(fought.map(|fought| (run_line(&scenario, seed, &fought), fought)))
    };
    let seeds = plan.own_seeds();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.jobs).build();
    let fought: Vec<Result<Option<(RunLine, Fought)>, E>> = match pool {
        Ok(pool) => pool.install(|| seeds.par_iter().map(|seed| one(*seed)).collect()),
        // No threads to be had: one after the other comes out the same.
        Err(_) => seeds.iter().map(|seed| one(*seed)).collect(),
    };
    let fought: Vec<(RunLine, Fought)> =
        fought.into_iter().collect::<Result<Vec<_>, E>>()?.into_iter().flatten().collect();
    let statements = asked(&first)
        .into_iter()
        .enumerate()
        .map(|(i, (statement, gauge, _))| {
            let values = if gauge.is_some() {
                fought.iter().map(|(_, f)| f.values[i]).collect()
            } else {
                Vec::new()
            };
            StatementLine::new(&statement, values)
        })
        .collect();
    let sides = first.sides.iter().map(|s| s.id.clone());
    let mut report = Report {
        scenario: first.id.clone(),
        record: first.record.as_ref().map(|r| r.document.clone()),
        seeds: plan.seeds,
        from: plan.from,
        without: plan.without.clone(),
        patches: plan.patches.clone(),
        // Without a record there are none of its orders.
        orders: first.record.as_ref().map_or(Orders::Doctrine, |_| plan.orders).word().into(),
        inputs: plan.inputs.clone(),
        rules_digest: hex(rules_digest(&first.rules)),
        companies: fought.first().map_or(0, |(_, f)| f.companies),
        pulses: 0,
        company_pulses_per_second: 0,
        seconds: begun.elapsed().as_secs_f64(),
        peak_rss_mib: peak_rss_mib(),
        statements,
        outcomes_held: [0, 0],
        all_held_share: 0.0,
        outcomes: Outcomes { winner: sides.chain([NOBODY.into()]).map(|s| (s, 0)).collect() },
        runs: fought.iter().map(|(line, _)| line.clone()).collect(),
        shard: plan.shard,
        interrupted: stop.load(Ordering::Relaxed) && fought.len() < seeds.len(),
    };
    report.conclude();
    Ok(report)
}

fn run_line(scenario: &Scenario, seed: u64, fought: &Fought) -> RunLine {
    RunLine {
        seed,
        pulses: fought.pulses,
        draws: fought.draws,
        digest: hex(fought.digest),
        winner: fought.winner.map(|side| scenario.sides[side.index()].id.clone()),
    }
}

/// A digest of every figure of the rules, with its origin.
#[must_use]
pub fn rules_digest(rules: &Catalogue) -> u64 {
    let mut digest = Digest::default();
    // The derived text names every field and writes numbers exactly.
    digest.bytes(format!("{rules:?}").as_bytes());
    digest.value()
}

/// The largest memory that this process has had, in MiB, where the system tells.
#[must_use]
pub fn peak_rss_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_all_seeds() {
        let part =
            |i| Plan { seeds: 10, from: 5, shard: Some([i, 3]), ..Plan::default() }.own_seeds();
        let mut all = [part(1), part(2), part(3)].concat();
        assert_eq!(part(1), vec![5, 8, 11, 14]);
        all.sort_unstable();
        assert_eq!(all, (5..15).collect::<Vec<u64>>());
        assert_eq!(Plan { seeds: 3, from: 1, ..Plan::default() }.own_seeds(), vec![1, 2, 3]);
    }
}
