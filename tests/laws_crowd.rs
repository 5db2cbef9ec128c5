//! The laws of the crowd, proved on small battles before any battle's figures:
//! passage and straddle, order of update, swaps, momentum, crush, what lies there.

use nine_gates::core::ids::{CompanyId, NodeId, UnitId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::Gait;
use nine_gates::scenario::site::Level;
use nine_gates::sim::board::{
    Cause, Clock, Gates, Goal, Intents, Litter, Mind, Places, Roster, Setting, Spirits, Strength,
    Wounds,
};
use nine_gates::sim::field::{Aim, Fields};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::laws::{Law, LawSet};
use nine_gates::sim::phases;
use nine_gates::sim::rooms::{crush, lying, passage};

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
    let node =
        Fields::node(&site, PointCm::from_metres(to.0, to.1), Level::Ground).expect("open ground");
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
fn gate_flow(
    kind: &str,
    men: i32,
    width: f64,
    cell: f64,
    pulse_s: i32,
    gait: Gait,
    off: LawSet,
) -> f64 {
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
    let time =
        |share: i32| passed_at.iter().position(|m| *m * 100 >= men * share).expect("they pass");
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
                let flow =
                    gate_flow("shield_foot", 5000, 5.8, cell, pulse, gait, LawSet::default());
                // A walk of 1.2 m/s is a little below the crowd's 1.3.
                bad |= !(1.2..=1.35).contains(&flow);
                out += &format!("cell {cell}, pulse {pulse}, {gait:?}: {flow:.3}\n");
            }
        }
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
    let free =
        gate_flow("shield_foot", 5000, 5.8, 15.0, 3, Gait::Quick, LawSet::without(Law::Passage));
    assert!(free > 3.0, "free flow is no law: {free}");
}

#[test]
fn horse_flow_and_wide_portals() {
    let mut out = String::new();
    let mut bad = false;
    for cell in [10.0, 15.0, 20.0] {
        for width in [5.8, 12.0, 17.4] {
            let horse = gate_flow("iron_horse", 3000, width, cell, 2, Gait::Run, LawSet::default());
            let foot =
                gate_flow("shield_foot", 5000, width, cell, 3, Gait::Quick, LawSet::default());
            bad |= !(0.3..=0.4).contains(&horse) || !(1.2..=1.35).contains(&foot);
            out += &format!("cell {cell}, width {width}: horse {horse:.3}, foot {foot:.3}\n");
        }
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
}

/// Sends and runs for so many seconds.
fn run(
    world: &mut World,
    schedule: &mut Schedule,
    orders: &[(UnitId, (f64, f64), Gait)],
    seconds: i32,
) {
    let pulses = seconds / world.resource::<Clock>().pulse_s;
    for _ in 0..pulses {
        for (unit, to, gait) in orders {
            send(world, *unit, *to, *gait);
        }
        kit::pulse(world, schedule);
    }
}

/// Seconds until all men of the units are beyond their lines (north or south);
/// none if they are not within `most`.
fn clears(
    world: &mut World,
    schedule: &mut Schedule,
    orders: &[(UnitId, (f64, f64), Gait)],
    done: impl Fn(&World) -> bool,
    most: i32,
) -> Option<i32> {
    let dt = world.resource::<Clock>().pulse_s;
    for s in 0..most / dt {
        if done(world) {
            return Some(s * dt);
        }
        run(world, schedule, orders, dt);
    }
    None
}

#[test]
fn a_gate_with_400_men_cuts_the_column_when_it_shuts_and_loses_nobody() {
    for (cell, pulse) in [(10.0, 1), (10.0, 2), (15.0, 3), (20.0, 4)] {
        for shut_after in [24, 36, 48] {
            let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(303.0, 300.0, 5.8)];
            let mut kit = Kit::plain(600.0, 600.0).with(features, cell, pulse);
            let unit = kit.body(0, "shield_foot", (300.0, 275.0), 400, 6, 6.0);
            let (mut world, mut schedule) = start(&kit);
            run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Quick)], shut_after);
            let places = world.resource::<Places>();
            let inside = places.crossed_in[0][unit.index()];
            assert!(inside > 20 && inside < 400, "{inside} in after {shut_after} s");
            let cut: i32 = places.straddles.iter().flatten().count() as i32;
            let companies =
                world.resource::<Roster>().mustered.iter().filter(|m| **m).count() as i32;
            world.resource_mut::<Gates>().gap[0] = 0;
            run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Quick)], 60);
            sound(&world);
            assert_eq!(men(&world), 400);
            let places = world.resource::<Places>();
            assert_eq!(places.crossed_in[0][unit.index()], inside, "nobody passes shut leaves");
            // Those who wait stand at the leaves, on the line itself.
            assert_eq!(
                beyond(&world, unit, 300.5),
                inside,
                "cell {cell}, pulse {pulse}, shut after {shut_after}"
            );
            assert!(places.straddles.iter().all(Option::is_none));
            let now = world.resource::<Roster>().mustered.iter().filter(|m| **m).count() as i32;
            assert_eq!(now, companies + cut, "a spare company for each that was cut");
            assert_eq!(world.resource::<Strength>().muster.iter().sum::<i32>(), 400);
        }
    }
}

#[test]
fn without_the_law_nobody_straddles() {
    let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(303.0, 300.0, 5.8)];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
    kit.off = LawSet::without(Law::Passage);
    let unit = kit.body(0, "shield_foot", (300.0, 275.0), 400, 6, 6.0);
    let (mut world, mut schedule) = start(&kit);
    for _ in 0..40 {
        run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Quick)], 3);
        assert!(world.resource::<Places>().straddles.iter().all(Option::is_none));
    }
    assert_eq!(world.resource::<Places>().crossed_in[0][unit.index()], 400);
}

#[test]
fn a_bridge_with_600_men_passes_by_the_metre_whatever_the_cell() {
    let mut out = String::new();
    let mut bad = false;
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4), (10.0, 1), (20.0, 2)] {
        for width in [4.0, 12.0] {
            let features = kit::river_and_bridge(303.0, 300.0, 60.0, width);
            let mut kit = Kit::plain(600.0, 600.0).with(features, cell, pulse);
            let men = if width > 10.0 { 3000 } else { 600 };
            let unit = kit.body(0, "shield_foot", (300.0, 240.0), men, 10, 6.0);
            let (mut world, mut schedule) = start(&kit);
            let orders = [(unit, (300.0, 560.0), Gait::Quick)];
            let first = clears(
                &mut world,
                &mut schedule,
                &orders,
                |w| beyond(w, unit, 330.0) * 5 >= men,
                3000,
            );
            let at = beyond(&world, unit, 330.0);
            let last = clears(
                &mut world,
                &mut schedule,
                &orders,
                |w| beyond(w, unit, 330.0) * 10 >= men * 9,
                3000,
            );
            let went = beyond(&world, unit, 330.0) - at;
            let flow = f64::from(went) / f64::from(last.unwrap_or(9999)) / width;
            bad |= !(1.15..=1.40).contains(&flow);
            out +=
                &format!("cell {cell}, pulse {pulse}, width {width}: from {first:?}, {flow:.3}\n");
            sound(&world);
        }
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
}

/// Seconds until so many of those outside are in, with a company inside that wants
/// out into their crowd, or without it.
fn in_through_a_crowded_mouth(outward: bool) -> Option<i32> {
    let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(300.0, 300.0, 5.8)];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
    let out = outward.then(|| kit.unit(0, "shield_foot", Level::Ground, &[((300.0, 316.0), 50)]));
    let inward = kit.body(0, "shield_foot", (300.0, 290.0), 3000, 8, 4.0);
    let (mut world, mut schedule) = start(&kit);
    let mut orders = vec![(inward, (300.0, 550.0), Gait::Quick)];
    orders.extend(out.map(|unit| (unit, (300.0, 50.0), Gait::Quick)));
    let done = |w: &World| w.resource::<Places>().crossed_in[0][inward.index()] >= 1500;
    clears(&mut world, &mut schedule, &orders, done, 1500)
}

#[test]
fn who_cannot_get_out_does_not_stop_those_who_get_in() {
    let alone = in_through_a_crowded_mouth(false).expect("they get in");
    let met = in_through_a_crowded_mouth(true).expect("they get in past one who wants out");
    // Two ways cost a share of the flow, and no more than that.
    assert!((alone..alone * 2).contains(&met), "{alone} s alone, {met} s against one company");
}

#[test]
fn a_man_slips_through_a_gap_that_stops_a_horse() {
    // Thousandths of 5.8 m: 0.35 m, 0.87 m and 1.45 m.
    for (kind, gap, horse_gap_m, passes) in [
        ("shield_foot", 60, 1.0, false),
        ("shield_foot", 150, 1.0, true),
        ("line_horse", 150, 1.0, false),
        ("line_horse", 150, 0.8, true),
        ("line_horse", 250, 1.0, true),
    ] {
        let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(300.0, 300.0, 5.8)];
        let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
        kit.rules.laws.passage.horse_gap_m.set(horse_gap_m);
        let unit = kit.unit(0, kind, Level::Ground, &[((300.0, 280.0), 25)]);
        let (mut world, mut schedule) = start(&kit);
        world.resource_mut::<Gates>().gap[0] = gap;
        run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Walk)], 300);
        let passed = world.resource::<Places>().crossed_in[0][unit.index()];
        assert_eq!(passed > 0, passes, "{kind}, gap {gap}, least {horse_gap_m} m: {passed} men");
    }
}

#[test]
fn low_ids_have_no_advantage() {
    // Two units in the same cells before one gate: who of the first half through?
    let mut out = String::new();
    let mut bad = false;
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4)] {
        let (mut low, mut sum) = (0, 0);
        for seed in 0..8 {
            let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(300.0, 300.0, 5.8)];
            let mut kit = Kit::plain(600.0, 600.0).with(features, cell, pulse);
            kit.seed = seed;
            let places: Vec<_> = (0..40)
                .map(|i| ((240.0 + f64::from(i % 10) * 13.0, 275.0 - f64::from(i / 10) * 12.0), 50))
                .collect();
            let a = kit.unit(0, "shield_foot", Level::Ground, &places);
            let b = kit.unit(0, "shield_foot", Level::Ground, &places);
            let (mut world, mut schedule) = start(&kit);
            let orders = [(a, (300.0, 560.0), Gait::Quick), (b, (300.0, 560.0), Gait::Quick)];
            let crossed = |w: &World, u: UnitId| w.resource::<Places>().crossed_in[0][u.index()];
            clears(
                &mut world,
                &mut schedule,
                &orders,
                |w| crossed(w, a) + crossed(w, b) >= 2000,
                2000,
            );
            low += crossed(&world, a);
            sum += crossed(&world, a) + crossed(&world, b);
        }
        let share = f64::from(low) / f64::from(sum);
        bad |= !(0.46..=0.54).contains(&share);
        out += &format!("cell {cell}: {share:.3}\n");
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
}

#[test]
fn head_on_in_a_street_and_at_a_crossroads_they_get_through() {
    let mut out = String::new();
    let mut bad = false;
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4)] {
        for (kind, companies) in [("shield_foot", 60), ("line_horse", 12)] {
            // A street of 15 m, full from both ends.
            let features = vec![
                kit::block(-10.0, -10.0, 700.0, 1300.0),
                kit::street(vec![(300.0, -10.0), (300.0, 1300.0)], 15.0),
            ];
            let mut kit = Kit::plain(600.0, 1200.0).with(features, cell, pulse);
            let size = if kind == "shield_foot" { 50 } else { 25 };
            let step = if size == 50 { 3.3 } else { 15.0 };
            let set = |from: f64, dir: f64| -> Vec<((f64, f64), i32)> {
                (0..companies).map(|i| ((300.0, from + dir * step * f64::from(i)), size)).collect()
            };
            let up = kit.unit(0, kind, Level::Ground, &set(560.0, -1.0));
            let down = kit.unit(0, kind, Level::Ground, &set(640.0, 1.0));
            let (mut world, mut schedule) = start(&kit);
            let orders = [(up, (300.0, 1195.0), Gait::Quick), (down, (300.0, 5.0), Gait::Quick)];
            let all = companies * size;
            let done = |w: &World| {
                beyond(w, up, 640.0) * 10 >= all * 9
                    && (all - beyond(w, down, 560.0)) * 10 >= all * 9
            };
            let street = clears(&mut world, &mut schedule, &orders, done, 3000);
            sound(&world);
            bad |= street.is_none();
            out += &format!("street, cell {cell}, {kind}: {street:?} s\n");
        }
        // Crossroads of 20 m streets, 60 companies from each of four ways.
        let features = vec![
            kit::block(-10.0, -10.0, 1300.0, 1300.0),
            kit::street(vec![(600.0, -10.0), (600.0, 1300.0)], 20.0),
            kit::street(vec![(-10.0, 600.0), (1300.0, 600.0)], 20.0),
        ];
        let mut kit = Kit::plain(1200.0, 1200.0).with(features, cell, pulse);
        let ways = [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)];
        let units: Vec<UnitId> = ways
            .iter()
            .map(|(x, y)| {
                let place = |i: i32| {
                    let far = 40.0 + 4.0 * f64::from(i);
                    ((600.0 - x * far, 600.0 - y * far), 50)
                };
                kit.unit(0, "shield_foot", Level::Ground, &(0..60).map(place).collect::<Vec<_>>())
            })
            .collect();
        let (mut world, mut schedule) = start(&kit);
        let orders: Vec<_> = units
            .iter()
            .zip(ways)
            .map(|(u, (x, y))| (*u, (600.0 + x * 590.0, 600.0 + y * 590.0), Gait::Quick))
            .collect();
        let done = |w: &World| {
            let places = w.resource::<Places>();
            units.iter().zip(ways).all(|(u, (x, y))| {
                let ids = &w.resource::<Roster>().of_unit[u.index()][..60];
                let past = |c: &&CompanyId| {
                    let at = places.at[c.index()];
                    f64::from(at.x - 60_000) * x + f64::from(at.y - 60_000) * y > 2000.0
                };
                ids.iter().filter(past).count() >= 54
            })
        };
        let crossing = clears(&mut world, &mut schedule, &orders, done, 3000);
        sound(&world);
        bad |= crossing.is_none();
        out += &format!("crossroads, cell {cell}: {crossing:?} s\n");
    }
    println!("{out}");
    assert!(!bad, "\n{out}");
}

#[test]
fn no_speed_is_lost_between_cells_and_positions_are_in_centimetres() {
    for (cell, pulse) in [(10.0, 2), (10.0, 4), (15.0, 3), (20.0, 4), (5.0, 5)] {
        let mut kit = Kit::plain(2000.0, 300.0).with(vec![], cell, pulse);
        kit.rules.horse.charge.set(7.0);
        kit.rules.horse.acceleration_m_s2.set(100.0);
        let unit = kit.unit(0, "line_horse", Level::Ground, &[((100.0, 152.0), 25)]);
        let (mut world, mut schedule) = start(&kit);
        let from = world.resource::<Places>().at[0];
        run(&mut world, &mut schedule, &[(unit, (1900.0, 150.0), Gait::Charge)], 200);
        let went = world.resource::<Places>().at[0].x - from.x;
        let share = f64::from(went) / 140_000.0;
        assert!((0.95..=1.01).contains(&share), "cell {cell}, pulse {pulse}: {share}");
    }
    // To a point: exactly there, and on the way at distances no cell knows.
    let mut kit = Kit::plain(600.0, 300.0).with(vec![], 20.0, 1);
    kit.unit(0, "shield_foot", Level::Ground, &[((100.0, 150.0), 50)]);
    let (mut world, mut schedule) = start(&kit);
    let goal = PointCm::from_metres(163.37, 141.11);
    world.resource_mut::<Intents>().goal[0] = Goal::Toward(goal);
    let mut seen = Vec::new();
    for _ in 0..90 {
        kit::pulse(&mut world, &mut schedule);
        seen.push(world.resource::<Places>().at[0].distance_cm(goal));
    }
    assert_eq!(seen.last(), Some(&0));
    assert!(seen.windows(2).all(|w| w[1] <= w[0]), "{seen:?}");
    assert!(seen.iter().filter(|d| (1000..1900).contains(*d)).count() >= 4, "{seen:?}");
}

#[test]
fn a_mass_cannot_stop_at_once() {
    // Told to hold at the gallop, it runs on for its braking distance.
    for (cell, pulse) in [(10.0, 1), (15.0, 3), (20.0, 4)] {
        let mut kit = Kit::plain(1000.0, 300.0).with(vec![], cell, pulse);
        let unit = kit.unit(0, "line_horse", Level::Ground, &[((100.0, 152.0), 25)]);
        let (mut world, mut schedule) = start(&kit);
        run(&mut world, &mut schedule, &[(unit, (900.0, 150.0), Gait::Charge)], 24);
        let at = world.resource::<Places>().at[0];
        world.resource_mut::<Intents>().goal[0] = Goal::Hold;
        for _ in 0..24 / pulse {
            kit::pulse(&mut world, &mut schedule);
        }
        let on = world.resource::<Places>().at[0].distance_cm(at);
        // 7.5 m/s and 0.9 m/s2: 31 m.
        assert!((2600..3700).contains(&on), "cell {cell}, pulse {pulse}: {on} cm");
        assert_eq!(world.resource::<Places>().speed_cm_s[0], 0);
    }
}

#[test]
fn who_cannot_stop_runs_into_the_enemy_and_who_can_stops_before_him() {
    for (gait, attack, meets) in [
        (Gait::Walk, false, false),
        (Gait::Charge, false, true),
        (Gait::Walk, true, true),
        (Gait::Charge, true, true),
    ] {
        let mut kit = Kit::plain(1000.0, 300.0).with(vec![], 15.0, 3);
        let unit = kit.unit(0, "line_horse", Level::Ground, &[((100.0, 157.0), 25)]);
        let foe = kit.unit(1, "shield_foot", Level::Ground, &[((307.0, 157.0), 50)]);
        let (mut world, mut schedule) = start(&kit);
        world.resource_mut::<Intents>().attack[0] = attack;
        let mut met = false;
        for _ in 0..60 {
            run(&mut world, &mut schedule, &[(unit, (500.0, 157.0), gait)], 3);
            let places = world.resource::<Places>();
            met |= places.node[0] == places.node[all(&world, foe)[0].index()];
        }
        assert_eq!(met, meets, "{gait:?}, attack {attack}");
    }
}

#[test]
fn horse_piles_up_before_a_shut_gate() {
    let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(303.0, 300.0, 5.8)];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
    let unit = kit.body(0, "line_horse", (300.0, 180.0), 500, 5, 12.0);
    let (mut world, mut schedule) = start(&kit);
    run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Charge)], 6);
    world.resource_mut::<Gates>().gap[0] = 0;
    run(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Charge)], 60);
    sound(&world);
    let (places, site) = (world.resource::<Places>(), &world.resource::<Setting>().site);
    assert_eq!(beyond(&world, unit, 300.5), 0);
    let fullest = places
        .busy
        .iter()
        .map(|n| places.taken_cm2[n.index()] * 100 / site.nodes[n.index()].room_cm2)
        .max();
    assert!(fullest.is_some_and(|f| f >= 80), "{fullest:?} % of the room before the gate");
}

/// Dead of 6,000 men who press for two minutes, in a street of 20 m, against a
/// gate that stays shut.
fn crushed(cell: f64, pulse_s: i32, company: i32, broken: bool, off: LawSet) -> i32 {
    let features = vec![
        kit::block(-10.0, -10.0, 700.0, 310.0),
        kit::street(vec![(300.0, -10.0), (300.0, 310.0)], 20.0),
        kit::wall(310.0, 0.0, 600.0),
        kit::gate(300.0, 310.0, 5.8),
    ];
    let mut kit = Kit::plain(600.0, 600.0).with(features, cell, pulse_s);
    kit.off = off;
    let n = 6000 / company;
    let places: Vec<_> =
        (0..n).map(|i| ((300.0, 280.0 - 250.0 * f64::from(i) / f64::from(n)), company)).collect();
    let unit = kit.unit(0, "shield_foot", Level::Ground, &places);
    let (mut world, mut schedule) = start(&kit);
    crush::install(&mut world, &mut schedule);
    send(&mut world, unit, (300.0, 550.0), Gait::Run);
    world.resource_mut::<Gates>().gap[0] = 0;
    if broken {
        world.resource_mut::<Spirits>().mind.fill(Mind::Broken);
    }
    let mut dead = 0;
    for _ in 0..240 / pulse_s {
        kit::pulse(&mut world, &mut schedule);
        let wounds = std::mem::take(&mut world.resource_mut::<Wounds>().0);
        for wound in wounds {
            assert_eq!(wound.cause, Cause::Crushed);
            // Counted and not taken away, so that the crowd stays what it is.
            dead += wound.men;
        }
    }
    dead
}

#[test]
fn crush_comes_from_pressure_and_not_from_how_many_companies_fit() {
    let mut out = String::new();
    let mut all = Vec::new();
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4)] {
        for company in [25, 50, 100] {
            let dead = crushed(cell, pulse, company, true, LawSet::default());
            out += &format!("cell {cell}, pulse {pulse}, company {company}: {dead}\n");
            all.push(f64::from(dead));
        }
    }
    println!("{out}");
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    assert!(mean > 20.0, "\n{out}");
    assert!(all.iter().all(|d| (mean * 0.6..mean * 1.5).contains(d)), "mean {mean}\n{out}");
    assert_eq!(crushed(15.0, 3, 50, true, LawSet::without(Law::Crush)), 0);
    assert_eq!(
        crushed(15.0, 3, 50, false, LawSet::default()),
        0,
        "an orderly queue crushes nobody"
    );
}

#[test]
fn the_fallen_lie_where_they_fell_and_loose_horses_wander_off() {
    for off in [LawSet::default(), LawSet::without(Law::Lying)] {
        let law = off == LawSet::default();
        let mut kit = Kit::plain(600.0, 300.0).with(vec![], 15.0, 3);
        kit.off = off;
        kit.unit(0, "line_horse", Level::Ground, &[((100.0, 150.0), 25); 8]);
        let (mut world, mut schedule) = start(&kit);
        lying::install(&mut world, &mut schedule);
        for c in 0..8 {
            world.resource_mut::<Strength>().lost_now[c] = 20;
        }
        let node = world.resource::<Places>().node[0].index();
        kit::pulse(&mut world, &mut schedule);
        world.resource_mut::<Strength>().lost_now.fill(0);
        let (men, horses, loose) = {
            let litter = world.resource::<Litter>();
            (litter.men[node], litter.horses[node], litter.loose[node])
        };
        if !law {
            assert_eq!((men, horses, loose), (0, 0, 0));
            continue;
        }
        assert_eq!(
            (men, (60..100).contains(&horses), (60..100).contains(&loose)),
            (160, true, true)
        );
        for _ in 0..400 / 3 {
            kit::pulse(&mut world, &mut schedule);
        }
        let left = f64::from(world.resource::<Litter>().loose[node]) / f64::from(loose);
        assert!((0.2..0.55).contains(&left), "about a third after the mean time: {left}");
    }
}

#[test]
fn what_lies_there_slows_and_narrows() {
    let time = |bodies: i32| {
        let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(303.0, 300.0, 5.8)];
        let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
        let unit = kit.body(0, "shield_foot", (300.0, 275.0), 400, 6, 6.0);
        let (mut world, mut schedule) = start(&kit);
        let site = world.resource::<Setting>().site.clone();
        for node in site.portals[0].outer.iter().chain(&site.portals[0].inner) {
            world.resource_mut::<Litter>().men[node.index()] = bodies;
        }
        let done = |w: &World| w.resource::<Places>().crossed_in[0][unit.index()] == 400;
        clears(&mut world, &mut schedule, &[(unit, (300.0, 550.0), Gait::Quick)], done, 2000)
            .expect("they pass")
    };
    let (clear, strewn) = (time(0), time(120));
    assert!(strewn * 10 > clear * 14, "{clear} s, {strewn} s over bodies");
}

/// Not a test of a law but of its price: run it by name in an optimised build.
#[test]
#[ignore = "a measurement; run with --release -- --ignored --nocapture"]
fn price_of_a_company_pulse() {
    for n in [2000, 4400] {
        let features = vec![kit::wall(1200.0, 0.0, 3000.0), kit::gate(1500.0, 1200.0, 20.0)];
        let mut kit = Kit::plain(3000.0, 2000.0).with(features, 15.0, 3);
        let unit = kit.body(0, "shield_foot", (1500.0, 1150.0), n * 50, 160, 12.0);
        let (mut world, mut schedule) = start(&kit);
        send(&mut world, unit, (1500.0, 1900.0), Gait::Quick);
        let mut best = f64::MAX;
        for _ in 0..60 {
            let began = std::time::Instant::now();
            for _ in 0..5 {
                kit::pulse(&mut world, &mut schedule);
            }
            best = best.min(began.elapsed().as_nanos() as f64 / 5.0 / f64::from(n));
        }
        println!("{n} companies: {best:.0} ns a company-pulse");
    }
}
