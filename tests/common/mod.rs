//! Battles generated for tests and benchmarks: no files, nobody's names.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::sync::Arc;

use nine_gates::core::ids::{LineId, PostId, SideId, UnitId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::{Act, Cond, Line, Sel, Subject, Who};
use nine_gates::scenario::battle::{Scenario, Stands};
use nine_gates::scenario::site::Level;
use nine_gates::sim::kit::Kit;

/// Metres between the two fronts at the start.
const APART_M: f64 = 60.0;
/// Ranks of companies behind each other.
const RANKS: i32 = 4;
/// Units a side.
const UNITS: i32 = 8;

/// Two hosts of foot and horse, `companies` in all, face to face on a plain.
#[must_use]
pub fn hosts(companies: i32) -> Arc<Scenario> {
    let each = companies / 2 / UNITS;
    let abreast = (each + RANKS - 1) / RANKS;
    let foot_m = f64::from(abreast) * 12.0;
    let width = foot_m * f64::from(UNITS) + 200.0;
    let mut kit = Kit::plain(width, 800.0);
    for side in 0..2 {
        for n in 0..UNITS {
            let kind = ["shield_foot", "halberd_foot", "line_horse", "shield_foot"][n as usize % 4];
            let size = kit.rules.units[kit.kind(kind).index()].company_size;
            kit.body(side, kind, (100.0, 100.0), each * size, abreast, 12.0);
        }
    }
    let mut scenario = kit.scenario();
    for (i, unit) in scenario.units.iter_mut().enumerate() {
        let (side, n) = (i as i32 / UNITS, i as i32 % UNITS);
        let depth = f64::from(RANKS) * 9.0;
        let (y, facing) = if side == 0 {
            (400.0 - APART_M / 2.0 - depth / 2.0, 1000)
        } else {
            (400.0 + APART_M / 2.0 + depth / 2.0, -1000)
        };
        let x = 100.0 + foot_m * (f64::from(n) + 0.5);
        unit.stands = Stands {
            at: PointCm::from_metres(x, y),
            level: Level::Ground,
            front_cm: (foot_m * 100.0) as i32,
            facing: PointCm { x: 0, y: facing },
        };
    }
    Arc::new(scenario)
}

/// Every unit goes for the other side.
#[must_use]
pub fn onset(scenario: &Scenario) -> Vec<Line> {
    (0..scenario.units.len())
        .map(|i| {
            let unit = UnitId::from_index(i);
            let side = scenario.side_of(unit);
            Line {
                id: LineId(i as u32 + 1),
                label: format!("t{i}"),
                who: vec![Subject::Unit(unit)],
                via: None,
                by: PostId(u16::from(side.0)),
                when: Cond::Start,
                acts: vec![Act::Charge(Sel::of(Who::Side(SideId(1 - side.0))))],
                until: None,
                keep: false,
                prio: 5,
            }
        })
        .collect()
}

/// What a unit is told at the start by a post.
#[must_use]
pub fn line(id: u32, post: u16, unit: UnitId, acts: Vec<Act>) -> Line {
    Line {
        id: LineId(id),
        label: format!("t{id}"),
        who: vec![Subject::Unit(unit)],
        via: None,
        by: PostId(post),
        when: Cond::Start,
        acts,
        until: None,
        keep: false,
        prio: 5,
    }
}
