//! Meaning: what a file says, against what can be. Each pass is a function that
//! writes findings through a pen; the passes of a file run in the order of the
//! lists here, root causes first. Passes read, they never mend.

mod figures;
mod ground;
mod map;
mod orders;
mod record;
mod rules;

use std::collections::BTreeSet;

use super::battle::Scenario;
use super::findings::Message;
use super::raster::RasterFault;
use super::raw::battle::RawScenario;
use super::raw::map::RawMap;
use super::raw::record::RawRecord;
use super::raw::rules::RawRules;
use super::resolve::{Pen, Tables};
use super::spans::Path;

/// Men of one battle; above it memory and time run away.
pub const MOST_MEN: i64 = 400_000;
/// Cells of one battle.
const MOST_CELLS: f64 = 1_000_000.0;
/// Companies of one battle; ids have 16 bits and splits need spare ones.
const MOST_COMPANIES: i64 = 16_000;
/// Engines of one battle.
const MOST_ENGINES: i64 = 2_000;
/// Things of one sort in one battle.
const MOST_THINGS: usize = 2_000;

/// The rules.
pub fn rules(raw: &RawRules, whole: bool, pen: &mut Pen<'_>) {
    figures::all(pen);
    rules::arms(raw, pen);
    rules::sizes(raw, pen);
    if whole {
        rules::unused(raw, pen);
    }
}

/// A battle as it is written.
pub fn scenario(raw: &RawScenario, pen: &mut Pen<'_>) {
    figures::all(pen);
    counts(raw, pen);
    ground::sides(raw, pen);
    ground::unused(raw, pen);
}

/// A map as it is written; tells which features are at fault, since drawing
/// trusts their numbers.
pub fn map(raw: &RawMap, tables: &Tables, pen: &mut Pen<'_>) -> BTreeSet<usize> {
    figures::all(pen);
    map::features(raw, tables, pen)
}

/// The faults that drawing a map found.
pub fn drawn(
    raw: &RawMap,
    window: (f64, f64, f64, f64),
    faults: &[RasterFault],
    pen: &mut Pen<'_>,
) {
    map::drawn(raw, window, faults, pen);
}

/// A resolved battle on its ground.
pub fn battle(battle: &Scenario, raw: &RawScenario, pen: &mut Pen<'_>) {
    // Where units cannot stand, nothing can be said of where they could go.
    if ground::stands(battle, raw, pen) {
        ground::reach(battle, raw, pen);
    }
    let list = Path::ROOT.field("standing");
    orders::lines(battle, &battle.standing, &raw.standing, &list, pen);
    orders::ends(battle, raw, pen);
}

/// The record of a resolved battle.
pub fn record(battle: &Scenario, raw: &RawRecord, pen: &mut Pen<'_>) {
    figures::all(pen);
    record::facts(raw, pen);
    let Some(made) = &battle.record else { return };
    let mut rest = made.orders.as_slice();
    for (at, group) in raw.orders_of(&battle.id) {
        let list = Path::ROOT.field("orders");
        let entry = list.index(at);
        let lines = entry.field("lines");
        let (own, others) = rest.split_at(group.lines.len().min(rest.len()));
        orders::lines(battle, own, &group.lines, &lines, pen);
        record::echoes(own, made, &lines, pen);
        rest = others;
    }
}

/// Battles that a record names, against those that are there.
pub fn battles(raw: &RawRecord, there: &[String], pen: &mut Pen<'_>) {
    record::battles(raw, there, pen);
}

/// Whether the window, cell, pulse and clock make a battle that can be set up.
pub fn window(raw: &RawScenario, pen: &mut Pen<'_>) -> bool {
    let (west, south, east, north) = raw.window;
    let here = Path::ROOT.field("window");
    let mut good = true;
    let mut fault = |pen: &mut Pen<'_>, path: &Path<'_>, message| {
        pen.error("E0605", path, message);
        good = false;
    };
    if !(5.0..=50.0).contains(&raw.cell_m) {
        fault(
            pen,
            &Path::ROOT.field("cell_m"),
            Message::new("a cell is from 5 to 50 m wide, not {0}", [raw.cell_m.to_string()]),
        );
    }
    if !(1..=10).contains(&raw.pulse_s) {
        fault(
            pen,
            &Path::ROOT.field("pulse_s"),
            Message::new("a pulse lasts from 1 to 10 seconds, not {0}", [raw.pulse_s.to_string()]),
        );
    }
    if !(1..=1440).contains(&raw.max_minutes) {
        fault(
            pen,
            &Path::ROOT.field("max_minutes"),
            Message::new(
                "a battle lasts from 1 to 1440 minutes, not {0}",
                [raw.max_minutes.to_string()],
            ),
        );
    }
    if !(1..=60).contains(&raw.max_turn_minutes) {
        fault(
            pen,
            &Path::ROOT.field("max_turn_minutes"),
            Message::new(
                "a turn lasts from 1 to 60 minutes, not {0}",
                [raw.max_turn_minutes.to_string()],
            ),
        );
    }
    let far = [west, south, east, north].iter().any(|v| v.abs() > 100_000.0);
    if far || east <= west || north <= south {
        fault(
            pen,
            &here,
            Message::new(
                "the window's edges are west, south, east, north: west below east, south below north, all within 100000 m",
                [],
            ),
        );
    } else if raw.cell_m >= 5.0 {
        let cells = ((east - west) / raw.cell_m).ceil() * ((north - south) / raw.cell_m).ceil();
        if cells > MOST_CELLS {
            fault(
                pen,
                &here,
                Message::new(
                    "the window has {0} cells; {1} are the most",
                    [cells.to_string(), MOST_CELLS.to_string()],
                ),
            );
        }
    }
    good
}

/// Whether the numbers of men, companies, engines and things can be handled.
/// Without this a slip of the keyboard would fill the memory.
pub fn bearable(raw: &RawScenario, rules: &super::catalogue::Catalogue, pen: &mut Pen<'_>) -> bool {
    let (mut men, mut companies, mut engines) = (0_i64, 0_i64, 0_i64);
    for unit in &raw.units {
        let own = unit.men.v().clamp(0.0, 1e9) as i64;
        let size = rules
            .units
            .iter()
            .find(|k| k.id == unit.kind)
            .map_or(50, |k| i64::from(k.company_size.max(1)));
        men += own;
        companies += (own + size - 1) / size;
        engines +=
            unit.engines.iter().map(|(_, count)| count.v().clamp(0.0, 1e9) as i64).sum::<i64>();
    }
    let here = Path::ROOT.field("units");
    let mut good = true;
    for (what, count, most) in [
        ("men", men, MOST_MEN),
        ("companies", companies, MOST_COMPANIES),
        ("engines", engines, MOST_ENGINES),
    ] {
        if count > most {
            // At the unit that counts most, where there is one.
            let largest = raw
                .units
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.men.v().total_cmp(&b.1.men.v()))
                .map_or(0, |(i, _)| i);
            pen.error(
                "E0610",
                &here.index(largest).field("men"),
                Message::new(
                    "the battle has {0} {1}; {2} are the most",
                    [count.to_string(), what.to_string(), most.to_string()],
                ),
            );
            good = false;
        }
    }
    good
}

/// Too many things of one sort.
fn counts(raw: &RawScenario, pen: &mut Pen<'_>) {
    let lists = [
        ("sides", raw.sides.len(), 4),
        ("parties", raw.parties.len(), 32),
        ("posts", raw.posts.len(), MOST_THINGS),
        ("corps", raw.corps.len(), MOST_THINGS),
        ("units", raw.units.len(), MOST_THINGS),
        ("persons", raw.persons.len(), MOST_THINGS),
        ("standing", raw.standing.len(), MOST_THINGS),
    ];
    for (list, count, most) in lists {
        if count > most {
            pen.error(
                "E0610",
                &Path::ROOT.field(list),
                Message::new(
                    "the battle has {0} {1}; {2} are the most",
                    [count.to_string(), list.to_string(), most.to_string()],
                ),
            );
        }
    }
    for (list, empty) in [("units", raw.units.is_empty()), ("ends", raw.ends.is_empty())] {
        if empty {
            pen.error(
                "E0601",
                &Path::ROOT.field(list),
                Message::new("a battle needs at least one entry in `{0}`", [list.to_string()]),
            );
        }
    }
}
