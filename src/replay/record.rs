//! Writing a replay while a battle is fought, and taking one up again.

use std::sync::Arc;

use super::format::{FORMAT, Replay, Source, Turn};
use crate::core::digest::hex;
use crate::orders::ast::Line;
use crate::scenario::battle::Scenario;
use crate::sim::Battle;
use crate::sim::laws::LawSet;

/// How a battle was made: all of a replay but its turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    /// Cell in metres, if not the scenario's own.
    pub cell_m: Option<f64>,
    /// Pulse in seconds, if not the scenario's own.
    pub pulse_s: Option<i32>,
    /// Words of what is off.
    pub without: Vec<String>,
    /// Whether chosen inputs were drawn.
    pub drawn: bool,
    /// Files.
    pub sources: Vec<Source>,
    /// Patches.
    pub patches: Vec<Source>,
}

impl Replay {
    /// A replay without turns.
    #[must_use]
    pub fn begin(scenario: &Scenario, seed: u64, made: Made) -> Self {
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").into(),
            scenario: scenario.id.clone(),
            seed,
            cell_m: made.cell_m,
            pulse_s: made.pulse_s,
            without: made.without,
            drawn: made.drawn,
            sources: made.sources,
            patches: made.patches,
            turns: Vec::new(),
            winner: None,
            checksum: String::new(),
        }
    }

    /// Notes the turn that has just ended, with the orders given before it.
    pub fn add_turn(&mut self, battle: &Battle, orders: Vec<Line>) {
        self.turns.push(turn(battle, orders));
        let scenario = &battle.truth().setting.scenario;
        self.winner = battle
            .verdict()
            .and_then(|v| v.winner)
            .map(|side| scenario.sides[side.index()].id.clone());
    }

    /// The same battle up to and with turn `turns`, counted from 1, to be fought on
    /// from there in another way.
    #[must_use]
    pub fn fork(&self, turns: usize) -> Self {
        let mut fork = self.clone();
        fork.turns.truncate(turns);
        if turns < self.turns.len() {
            fork.winner = None;
        }
        fork
    }

    /// Fights all its turns again, without comparing.
    #[must_use]
    pub fn resume(&self, scenario: &Arc<Scenario>, off: &LawSet) -> Battle {
        let mut battle = Battle::new(Arc::clone(scenario), self.seed, off.clone());
        for turn in &self.turns {
            battle.order(&turn.orders);
            step_to(&mut battle, turn.last_pulse);
        }
        battle
    }
}

/// A turn as it stands in a file.
#[must_use]
pub fn turn(battle: &Battle, orders: Vec<Line>) -> Turn {
    let digests = battle.digests();
    Turn {
        orders,
        last_pulse: battle.pulse(),
        draws: battle.draws(),
        digest: hex(digests.total),
        rooms: digests.rooms.iter().map(|(room, digest)| ((*room).into(), hex(*digest))).collect(),
    }
}

/// Steps until so many pulses are resolved or the battle is over. Returns whether
/// it goes on.
pub fn step_to(battle: &mut Battle, pulse: u32) -> bool {
    while battle.pulse() < pulse {
        if !battle.step() {
            return false;
        }
    }
    battle.verdict().is_none()
}

/// Pulses of a turn that nothing cuts short.
#[must_use]
pub fn turn_pulses(scenario: &Scenario) -> u32 {
    u32::try_from(scenario.max_turn_s / scenario.pulse_s.max(1)).unwrap_or(1).max(1)
}
