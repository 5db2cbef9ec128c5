//! Fighting a replay again and comparing: the first turn and room that differ.

use std::sync::Arc;

use serde::Serialize;

use super::fits;
use super::format::Replay;
use super::record;
use crate::core::digest::hex;
use crate::scenario::battle::Scenario;
use crate::sim::Battle;
use crate::sim::laws::LawSet;

/// The place of a difference that is in no turn: the file itself.
pub const FILE: &str = "file";

/// What a second run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// The same, to the last digest.
    Same {
        /// Turns fought.
        turns: usize,
        /// Digest of the last state, in hex.
        digest: String,
    },
    /// Something differs.
    Differs(Difference),
    /// Stopped before its end; nothing differed so far.
    Stopped {
        /// Turns fought.
        turns: usize,
    },
}

/// The first difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Turn, from 1; 0 for the file itself.
    pub turn: usize,
    /// Room, or `orders`, `clock`, `dice`, `total`, `winner`, or `file`.
    pub room: String,
    /// What the file says.
    pub expected: String,
    /// What the second run says.
    pub found: String,
}

impl Difference {
    /// A difference of the file itself.
    #[must_use]
    pub fn of_file(expected: &str, found: &str) -> Self {
        Self { turn: 0, room: FILE.into(), expected: expected.into(), found: found.into() }
    }
}

/// Fights a replay again in `scenario` (made from the replay's own sources) and
/// compares turn by turn. `done` is told after each turn, and says whether to go on.
#[must_use]
pub fn verify(
    replay: &Replay,
    scenario: &Arc<Scenario>,
    off: &LawSet,
    done: &mut dyn FnMut(usize) -> bool,
) -> Verified {
    let most = pulses_at_most(scenario);
    let mut battle = Battle::new(Arc::clone(scenario), replay.seed, off.clone());
    let mut goes_on = true;
    for (i, turn) in replay.turns.iter().enumerate() {
        let differs = |room: &str, expected: String, found: String| {
            Verified::Differs(Difference { turn: i + 1, room: room.into(), expected, found })
        };
        if let Some(why) = turn.orders.iter().find_map(|line| fits::misfit(line, scenario)) {
            return differs("orders", "orders of this battle".into(), why);
        }
        if turn.last_pulse < battle.pulse() || turn.last_pulse > most || !goes_on {
            return differs("clock", turn.last_pulse.to_string(), battle.pulse().to_string());
        }
        battle.order(&turn.orders);
        goes_on = record::step_to(&mut battle, turn.last_pulse);
        let found = record::turn(&battle, Vec::new());
        if found.last_pulse != turn.last_pulse {
            return differs("clock", turn.last_pulse.to_string(), found.last_pulse.to_string());
        }
        for (n, (room, digest)) in found.rooms.iter().enumerate() {
            match turn.rooms.get(n) {
                Some((name, expected)) if name == room && expected == digest => {}
                Some((name, expected)) if name == room => {
                    return differs(room, expected.clone(), digest.clone());
                }
                Some((name, _)) => return differs(room, name.clone(), room.clone()),
                None => return differs(room, String::new(), digest.clone()),
            }
        }
        if let Some((name, expected)) = turn.rooms.get(found.rooms.len()) {
            return differs(name, expected.clone(), String::new());
        }
        if turn.draws != found.draws {
            return differs("dice", turn.draws.to_string(), found.draws.to_string());
        }
        if turn.digest != found.digest {
            return differs("total", turn.digest.clone(), found.digest);
        }
        if !done(i + 1) && i + 1 < replay.turns.len() {
            return Verified::Stopped { turns: i + 1 };
        }
    }
    let winner =
        battle.verdict().and_then(|v| v.winner).map(|side| scenario.sides[side.index()].id.clone());
    if winner != replay.winner {
        let say = |winner: &Option<String>| winner.clone().unwrap_or_default();
        let (turn, room) = (replay.turns.len(), "winner".into());
        return Verified::Differs(Difference {
            turn,
            room,
            expected: say(&replay.winner),
            found: say(&winner),
        });
    }
    // The battle is the same; a change that it does not show is in the file.
    let sum = replay.sum();
    if sum != replay.checksum {
        return Verified::Differs(Difference::of_file(&replay.checksum, &sum));
    }
    Verified::Same { turns: replay.turns.len(), digest: hex(battle.digests().total) }
}

/// No battle lasts longer than this many pulses.
fn pulses_at_most(scenario: &Scenario) -> u32 {
    u32::try_from(scenario.max_s / scenario.pulse_s.max(1)).unwrap_or(u32::MAX).saturating_add(1)
}
