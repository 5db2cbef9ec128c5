//! The laws of the crowd, proved on small battles before any battle's figures:
//! passage and straddle, order of update, swaps, momentum, crush, what lies there.

use nine_gates::core::ids::{CompanyId, NodeId, PortalId, UnitId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::Gait;
use nine_gates::scenario::site::Level;
use nine_gates::sim::board::{Clock, Gates, Goal, Intents, Places, Roster, Setting, Strength};
use nine_gates::sim::field::{Aim, Fields};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::laws::{Law, LawSet};
use nine_gates::sim::phases;
use nine_gates::sim::rooms::passage;

use bevy_ecs::prelude::*;

/// A world with the room of passage alone, and its schedule.
fn start(kit: &Kit) -> (World, Schedule) {
    let mut world = kit.field();
    let mut schedule = phases::schedule();
    passage::install(&mut world, &mut schedule);
    (world, schedule)
}

fn all(world: &World, unit: UnitId) -> Vec<CompanyId> {
    world.resource::<Roster>().of_unit[unit.index()].clone()
}

/// Sends a unit to a point by a flow field, and asks for it anew.
fn send(world: &mut World, unit: UnitId, to: (f64, f64), gait: Gait) {
    let site = world.resource::<Setting>().site.clone();
    let gates = world.resource::<Gates>().clone();
    let mounted = world.resource::<Roster>().mounted[all(world, unit)[0].index()];
    let node = Fields::node(&site, PointCm::from_metres(to.0, to.1), Level::Ground).expect("open ground");
    let field = world.resource_mut::<Fields>().handle(&site, &gates, Aim::Node(node), mounted);
    for c in all(world, unit) {
        let mut intents = world.resource_mut::<Intents>();
        intents.goal[c.index()] = Goal::Field(field);
        intents.gait[c.index()] = gait;
    }
}

fn men(world: &World) -> i32 {
    world.resource::<Strength>().men.iter().sum()
}

/// Men of a unit north of a line.
fn beyond(world: &World, unit: UnitId, y_m: f64) -> i32 {
    let (places, strength) = (world.resource::<Places>(), world.resource::<Strength>());
    let past = |c: &&CompanyId| f64::from(places.at[c.index()].y) >= y_m * 100.0;
    all(world, unit).iter().filter(past).map(|c| strength.men[c.index()]).sum()
}

/// Areas and men add up on every node; nobody stands where nobody can.
fn sound(world: &World) {
    let (places, strength, roster) =
        (world.resource::<Places>(), world.resource::<Strength>(), world.resource::<Roster>());
    let site = &world.resource::<Setting>().site;
    let mut listed = 0;
    for n in 0..site.nodes.len() {
        for c in places.on(NodeId::from_index(n)) {
            assert_eq!(places.node[c.index()].index(), n);
            assert!(site.nodes[n].room_cm2 > 0);
            listed += 1;
        }
        assert!(places.taken_cm2[n] >= 0);
    }
    let alive = (0..roster.len()).filter(|c| strength.men[*c] > 0 && roster.mustered[*c]).count();
    assert_eq!(listed, alive);
}

/// Steady flow of a big crowd through a gate, in men a metre and second.
fn gate_flow(kind: &str, men: i32, width: f64, cell: f64, pulse_s: i32, gait: Gait, off: LawSet) -> f64 {
    let features = vec![kit::wall(600.0, 0.0, 600.0), kit::gate(303.0, 600.0, width)];
    let mut kit = Kit::plain(600.0, 1200.0).with(features, cell, pulse_s);
    kit.off = off;
    let apart = if kind == "iron_horse" { 10.5 } else { 5.0 };
    let unit = kit.body(0, kind, (300.0, 570.0), men, (200.0 / apart) as i32, apart);
    let (mut world, mut schedule) = start(&kit);
    let total = self::men(&world);
    let mut samples: Vec<i32> = Vec::new();
    let mut through = 0;
    let mut passed_at = Vec::new();
    for _ in 0..(2400 / pulse_s) {
        send(&mut world, unit, (300.0, 1150.0), gait);
        kit::pulse(&mut world, &mut schedule);
        let flow = world.resource::<Places>().flow[0];
        through += flow;
        samples.push(flow);
        passed_at.push(through);
        if through >= men * 9 / 10 {
            break;
        }
    }
    sound(&world);
    assert_eq!(self::men(&world), total);
    // From the time that 20 % are in to the time that 80 % are.
    let time = |share: i32| passed_at.iter().position(|m| *m * 100 >= men * share).expect("they pass");
    let (a, b) = (time(20), time(80));
    let seconds = ((b - a) as i32 * pulse_s).max(1);
    f64::from(passed_at[b] - passed_at[a]) / f64::from(seconds) / width
}

#[test]
fn foot_flow_through_a_gate_by_the_metre_and_second() {
    let mut out = String::new();
    let mut bad = false;
    for cell in [10.0, 15.0, 20.0] {
        for pulse in [1, 2, 3, 4] {
            for gait in [Gait::Walk, Gait::Quick] {
                let flow = gate_flow("shield_foot", 5000, 5.8, cell, pulse, gait, LawSet::default());
                // A walk of 1.2 m/s is a little below the crowd's 1.3.
                bad |= !(1.2..=1.35).contains(&flow);
                out += &format!("cell {cell}, pulse {pulse}, {gait:?}: {flow:.3}\n");
            }
        }
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
    let free = gate_flow("shield_foot", 5000, 5.8, 15.0, 3, Gait::Quick, LawSet::without(Law::Passage));
    assert!(free > 3.0, "free flow is no law: {free}");
}

#[test]
fn horse_flow_and_wide_portals() {
    let mut out = String::new();
    let mut bad = false;
    for cell in [10.0, 15.0, 20.0] {
        for width in [5.8, 12.0, 17.4] {
            let horse = gate_flow("iron_horse", 3000, width, cell, 2, Gait::Run, LawSet::default());
            let foot = gate_flow("shield_foot", 5000, width, cell, 3, Gait::Quick, LawSet::default());
            bad |= !(0.3..=0.4).contains(&horse) || !(1.2..=1.35).contains(&foot);
            out += &format!("cell {cell}, width {width}: horse {horse:.3}, foot {foot:.3}\n");
        }
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
}
