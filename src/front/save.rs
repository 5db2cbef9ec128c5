//! Saves are replays: written after every turn, beside the old one and renamed.

use std::path::{Path, PathBuf};

use crate::core::digest::hex;
use crate::core::ids::SideId;
use crate::replay::format::{Replay, Source, Turn};
use crate::replay::record::Made;
use crate::replay::sources;
use crate::scenario::battle::Scenario;
use crate::scenario::library::user_data;
use crate::study::without;
use crate::view::session::Session;

use super::state::Desk;

/// Where a battle in play is kept.
fn place(scenario: &str, side: &str) -> Option<PathBuf> {
    Some(user_data()?.join("saves").join(format!("{scenario}.{side}.json")))
}

/// Writes the battle in play. Returns the file.
///
/// # Errors
/// What could not be written, and why.
pub fn write(desk: &Desk) -> Result<PathBuf, String> {
    let play = desk.play.as_ref().ok_or("no battle is open")?;
    let session = &play.session;
    let battle = session.scenario();
    let side = session
        .side()
        .and_then(|s| battle.sides.get(s.index()))
        .map_or("watched", |s| s.id.as_str());
    let file = place(&battle.id, side).ok_or("no folder for saves is known here")?;
    let made = match &play.made {
        Some(made) => made.clone(),
        None => made(desk, battle)?,
    };
    let mut replay = Replay::begin(battle, session.seed(), made);
    replay.turns = session
        .turns()
        .iter()
        .map(|turn| Turn {
            orders: session.given_at(turn.from),
            last_pulse: turn.to,
            draws: turn.draws,
            digest: hex(turn.digest),
            rooms: turn
                .rooms
                .iter()
                .map(|(room, digest)| ((*room).to_owned(), hex(*digest)))
                .collect(),
        })
        .collect();
    let winner = session.ending().and_then(|e| e.winner);
    replay.winner = winner.and_then(|s| battle.sides.get(s.index())).map(|s| s.id.clone());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    replay.write(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

/// How a battle of the list was made.
fn made(desk: &Desk, battle: &Scenario) -> Result<Made, String> {
    let change = &desk.change;
    let patches = change.load.patches.iter().map(|file| {
        let path = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|e| format!("{path}: {e}"))?;
        Ok(Source { path, text })
    });
    let patches = patches.collect::<Result<Vec<_>, String>>()?;
    let id = desk.cards.get(desk.card).map_or(battle.id.as_str(), |c| c.id.as_str());
    let sources =
        sources::gather(&desk.library, id, battle, &patches).map_err(|f| f.message.to_string())?;
    Ok(Made {
        cell_m: change.load.cell_m,
        pulse_s: change.load.pulse_s,
        without: change.without.clone(),
        drawn: false,
        sources,
        patches,
    })
}

/// Takes a saved battle up again. `side` is whose orders are given from now on;
/// none only watches.
///
/// # Errors
/// Why the file is no replay of a battle that can be fought here.
pub fn read(file: &Path, side: Option<&str>) -> Result<(Session, Made), String> {
    let shown = file.display();
    let replay = Replay::read(file).map_err(|fault| format!("{shown}: {fault:?}"))?;
    let battle = sources::scenario(&replay).map_err(|found| {
        let lines: Vec<String> =
            found.iter().map(|f| format!("{}:{}: {}", f.file, f.line, f.message)).collect();
        format!("{shown}: {}", lines.join("; "))
    })?;
    let off = without::resolve(&replay.without, &battle.rules)
        .map_err(|without::Unknown(word)| format!("{shown}: {word}"))?;
    let seat = match side {
        None => None,
        Some(id) => match battle.sides.iter().position(|s| s.id == id) {
            Some(at) => Some(SideId::from_index(at)),
            None => return Err(format!("{shown}: no side {id}")),
        },
    };
    let turns = replay
        .turns
        .iter()
        .map(|t| {
            (t.last_pulse, u64::from_str_radix(&t.digest, 16).unwrap_or_default(), t.orders.clone())
        })
        .collect();
    let made = Made {
        cell_m: replay.cell_m,
        pulse_s: replay.pulse_s,
        without: replay.without,
        drawn: replay.drawn,
        sources: replay.sources,
        patches: replay.patches,
    };
    Ok((Session::resume(battle, replay.seed, seat, off, turns), made))
}
