//! Laws of who goes first and who gives way: the order of update, friends who
//! change places, crossroads, pressing, being ridden into, and persons in a gate.
//! Each is shown with the law on and off. Where no switch turns a law off, one of
//! its figures is set so that it does nothing, and the test says which.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use nine_gates::core::ids::{CompanyId, UnitId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::Gait;
use nine_gates::scenario::battle::Person;
use nine_gates::scenario::catalogue::Name;
use nine_gates::scenario::site::Level;
use nine_gates::sim::board::{
    Clock, Gates, Goal, Intents, Mind, Places, Roster, Setting, Spirits, Strength,
};
use nine_gates::sim::field::{Aim, Fields};
use nine_gates::sim::journal::{Happening, Journal};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::laws::{Law, LawSet};
use nine_gates::sim::phases;
use nine_gates::sim::rooms::{casualties, contest, passage, person};

/// Seconds that nobody would wait: a law with this figure does nothing.
const FOR_EVER_S: f64 = 100_000.0;

fn start(kit: &Kit) -> (World, Schedule) {
    let mut world = kit.field();
    let mut schedule = phases::schedule();
    passage::install(&mut world, &mut schedule);
    (world, schedule)
}

fn all(world: &World, unit: UnitId) -> Vec<CompanyId> {
    let mustered = &world.resource::<Roster>().mustered;
    let of = world.resource::<Roster>().of_unit[unit.index()].iter().copied();
    of.filter(|c| mustered[c.index()]).collect()
}

/// Sends a unit to a point by a flow field, as `steer` does.
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

fn north_of(world: &World, company: CompanyId) -> f64 {
    f64::from(world.resource::<Places>().at[company.index()].y) / 100.0
}

/// Runs until it is done; the seconds it took, none after `most`.
fn until(
    world: &mut World,
    schedule: &mut Schedule,
    most: i32,
    done: impl Fn(&World) -> bool,
) -> Option<i32> {
    let dt = world.resource::<Clock>().pulse_s;
    (0..most / dt).find_map(|n| {
        if done(world) {
            return Some(n * dt);
        }
        kit::pulse(world, schedule);
        None
    })
}

/// A street of 15 m from south to north, its middle at x 300.
fn street(cell: f64, pulse_s: i32) -> Kit {
    let features = vec![
        kit::block(-10.0, -10.0, 700.0, 1300.0),
        kit::street(vec![(300.0, -10.0), (300.0, 1300.0)], 15.0),
    ];
    Kit::plain(600.0, 1200.0).with(features, cell, pulse_s)
}

/// Seconds in which a column packed into a street has all gone 200 m. The company
/// in front has the lowest id, or the highest; and the one nearest to its goal is
/// the one in front, or the one behind.
fn column(cell: f64, pulse_s: i32, low_in_front: bool, near_in_front: bool) -> i32 {
    let mut kit = street(cell, pulse_s);
    let (n, length) = (60, 75.0);
    let place = |i: i32| {
        let from_front = if low_in_front { i } else { n - 1 - i };
        ((300.0, 300.0 - length * f64::from(from_front) / f64::from(n)), 50)
    };
    let unit = kit.unit(0, "shield_foot", Level::Ground, &(0..n).map(place).collect::<Vec<_>>());
    let (mut world, mut schedule) = start(&kit);
    let companies = all(&world, unit);
    let from: Vec<f64> = companies.iter().map(|c| north_of(&world, *c)).collect();
    for (c, y) in companies.iter().zip(&from) {
        // Everybody has far to go; twice as much for each metre that he is before
        // the others turns the order round.
        let goal = if near_in_front { 1100.0 } else { 1100.0 + 3.0 * (y - 300.0) };
        let mut intents = world.resource_mut::<Intents>();
        intents.goal[c.index()] = Goal::Toward(PointCm::from_metres(300.0, goal));
        intents.gait[c.index()] = Gait::Quick;
    }
    until(&mut world, &mut schedule, 3000, |w| {
        companies.iter().zip(&from).all(|(c, y)| north_of(w, *c) >= y + 200.0)
    })
    .expect("they go")
}

#[test]
fn near_first_lets_a_column_go_and_ids_do_not_matter() {
    // No switch turns the order off: goals that put the hindmost first stand for it.
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4)] {
        let (low, high) = (column(cell, pulse, true, true), column(cell, pulse, false, true));
        let far = column(cell, pulse, true, false).min(column(cell, pulse, false, false));
        let said = format!("cell {cell}: near first {low} and {high} s, far first {far} s");
        assert!((low - high).abs() * 12 <= low.min(high), "ids matter: {said}");
        assert!(far * 100 >= low.max(high) * 105, "who is behind waits for nobody: {said}");
    }
}

/// Two bodies that fill their end of a narrow lane, head on. Seconds until half
/// of each has gone past the other.
fn head_on(swap_s: f64, pulse_s: i32, party: u8) -> Option<i32> {
    let features = vec![
        kit::block(-10.0, -10.0, 700.0, 700.0),
        kit::street(vec![(300.0, -10.0), (300.0, 700.0)], 5.0),
    ];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, pulse_s);
    kit.rules.laws.passage.swap_s.set(swap_s);
    let column = |from: f64, dir: f64| -> Vec<((f64, f64), i32)> {
        (0..16).map(|i| ((300.0, from + dir * 4.0 * f64::from(i)), 50)).collect()
    };
    let up = kit.unit(0, "shield_foot", Level::Ground, &column(292.0, -1.0));
    let down = kit.unit(party, "shield_foot", Level::Ground, &column(308.0, 1.0));
    let (mut world, mut schedule) = start(&kit);
    send(&mut world, up, (300.0, 590.0), Gait::Quick);
    send(&mut world, down, (300.0, 10.0), Gait::Quick);
    let (ups, downs) = (all(&world, up), all(&world, down));
    until(&mut world, &mut schedule, 1200, |w| {
        ups.iter().filter(|c| north_of(w, **c) > 308.0).count() >= 8
            && downs.iter().filter(|c| north_of(w, **c) < 292.0).count() >= 8
    })
}

#[test]
fn friends_change_places_after_two_blocked_pulses() {
    for pulse in [2, 3, 4] {
        let soon = head_on(6.0, pulse, 0).expect("they change places");
        let late = head_on(30.0, pulse, 0).expect("they change places");
        // Each pair waits for so long once, and many pairs at the same time.
        assert!(late - soon >= 24, "pulse {pulse}: after {soon} s, and {late} s");
        // Off: a figure that nobody waits for.
        assert_eq!(head_on(FOR_EVER_S, pulse, 0), None, "pulse {pulse}: off");
        assert_eq!(head_on(6.0, pulse, 1), None, "pulse {pulse}: not with the enemy");
    }
}

/// Seconds until 36 of 40 companies of each of four ways are over a crossroads of
/// streets in which two companies can hardly pass each other.
fn crossroads(cell: f64, pulse_s: i32, swap_s: f64) -> Option<i32> {
    let features = vec![
        kit::block(-10.0, -10.0, 1300.0, 1300.0),
        kit::street(vec![(600.0, -10.0), (600.0, 1300.0)], 9.0),
        kit::street(vec![(-10.0, 600.0), (1300.0, 600.0)], 9.0),
    ];
    let mut kit = Kit::plain(1200.0, 1200.0).with(features, cell, pulse_s);
    kit.rules.laws.passage.swap_s.set(swap_s);
    let ways = [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)];
    let units: Vec<UnitId> = ways
        .iter()
        .map(|(x, y)| {
            let place = |i: i32| {
                let far = 40.0 + 3.0 * f64::from(i);
                ((600.0 - x * far, 600.0 - y * far), 50)
            };
            kit.unit(0, "shield_foot", Level::Ground, &(0..40).map(place).collect::<Vec<_>>())
        })
        .collect();
    let (mut world, mut schedule) = start(&kit);
    for (unit, (x, y)) in units.iter().zip(ways) {
        send(&mut world, *unit, (600.0 + x * 590.0, 600.0 + y * 590.0), Gait::Quick);
    }
    until(&mut world, &mut schedule, 1500, |w| {
        let places = w.resource::<Places>();
        units.iter().zip(ways).all(|(unit, (x, y))| {
            let past = |c: &&CompanyId| {
                let at = places.at[c.index()];
                f64::from(at.x - 60_000) * x + f64::from(at.y - 60_000) * y > 2000.0
            };
            all(w, *unit).iter().filter(past).count() >= 36
        })
    })
}

#[test]
fn a_crossroads_clears_and_locks_where_nobody_gives_way() {
    for (cell, pulse) in [(10.0, 2), (15.0, 3), (20.0, 4)] {
        let clears = crossroads(cell, pulse, 6.0).expect("they clear it");
        // Off: friends who meet head on never change places. They lock; in cells of
        // 20 m, where a few find room beside each other, they are slower.
        let off = crossroads(cell, pulse, FOR_EVER_S);
        assert!(
            off.is_none_or(|s| cell > 15.0 && s * 10 > clears * 11),
            "cell {cell}: {clears} s, and {off:?} s"
        );
    }
}

/// Fullest place in percent of its room before a gate that stays shut, after men
/// have come up for two minutes.
fn fullest(press: f64, broken: bool, off: LawSet) -> i32 {
    let features = vec![
        kit::block(-10.0, -10.0, 700.0, 310.0),
        kit::street(vec![(300.0, -10.0), (300.0, 310.0)], 20.0),
        kit::wall(310.0, 0.0, 600.0),
        kit::gate(300.0, 310.0, 5.8),
    ];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
    kit.off = off;
    kit.rules.laws.passage.press.set(press);
    let places: Vec<_> = (0..120).map(|i| ((300.0, 280.0 - 2.0 * f64::from(i)), 50)).collect();
    let unit = kit.unit(0, "shield_foot", Level::Ground, &places);
    let (mut world, mut schedule) = start(&kit);
    send(&mut world, unit, (300.0, 550.0), Gait::Run);
    world.resource_mut::<Gates>().gap[0] = 0;
    if broken {
        world.resource_mut::<Spirits>().mind.fill(Mind::Broken);
    }
    for _ in 0..40 {
        kit::pulse(&mut world, &mut schedule);
    }
    let (places, site) = (world.resource::<Places>(), &world.resource::<Setting>().site);
    let full = |n: &nine_gates::core::ids::NodeId| {
        i64::from(places.taken_cm2[n.index()]) * 100 / i64::from(site.nodes[n.index()].room_cm2)
    };
    places.busy.iter().map(full).max().expect("somebody") as i32
}

#[test]
fn who_presses_squeezes_into_a_full_place_and_who_waits_does_not() {
    let on = LawSet::default;
    let pressed = fullest(0.4, true, on());
    assert!((115..=150).contains(&pressed), "{pressed} %");
    assert!(fullest(0.4, false, on()) <= 100, "who waits does not squeeze in");
    // Off: a figure that lets nobody squeeze in; and without the law no room at all.
    assert!(fullest(0.0, true, on()) <= 100);
    assert!(fullest(0.4, true, LawSet::without(Law::Passage)) > 200);
}

/// Horse that rides at standing foot: metres that the foot has given in the end,
/// and metres that the foremost rider is beyond where it stood once he is.
fn ridden_at(push_kg_m_s: f64, off: LawSet) -> (f64, f64) {
    let mut kit = Kit::plain(300.0, 600.0);
    kit.off = off;
    kit.rules.laws.contest.push_kg_m_s.set(push_kg_m_s);
    let foot = kit.unit(1, "shield_foot", Level::Ground, &[((150.0, 300.0), 50)]);
    let horse = kit.body(0, "iron_horse", (150.0, 240.0), 75, 1, 12.0);
    let mut world = kit.field();
    let stands = all(&world, foot)[0];
    world.resource_mut::<Places>().heading[stands.index()] = PointCm { x: 0, y: -1000 };
    let mut schedule = phases::schedule();
    passage::install(&mut world, &mut schedule);
    contest::install(&mut world, &mut schedule);
    casualties::install(&mut world, &mut schedule);
    for c in all(&world, horse) {
        world.resource_mut::<Intents>().attack[c.index()] = true;
    }
    send(&mut world, horse, (150.0, 560.0), Gait::Charge);
    let mut first = None;
    for _ in 0..12 {
        kit::pulse(&mut world, &mut schedule);
        let rider = all(&world, horse).iter().map(|c| north_of(&world, *c)).fold(0.0, f64::max);
        first = first.or((rider > 300.0).then_some(rider - 300.0));
    }
    (north_of(&world, stands) - 300.0, first.expect("they get there"))
}

#[test]
fn horse_rides_in_and_the_foot_moves_back() {
    let (gives, deep) = ridden_at(900.0, LawSet::default());
    assert!((2.0..20.0).contains(&gives), "{gives} m");
    assert!(deep < 8.0, "a rider among enemies is no farther in one pulse: {deep} m");
    // Off: a figure that no mass comes up to; and without the law no contact at all.
    assert_eq!(ridden_at(1e9, LawSet::default()).0, 0.0);
    let (gives, deep) = ridden_at(900.0, LawSet::without(Law::Contest));
    assert!(gives == 0.0 && deep > 15.0, "they ride through: {gives} m, {deep} m");
}

/// Men of a leader's company who were through when his crossing of a gate was
/// told; once for each time that it was.
fn crossing(rides_last: bool, open: bool, off: LawSet) -> Vec<i32> {
    let features = vec![kit::wall(300.0, 0.0, 600.0), kit::gate(303.0, 300.0, 4.0)];
    let mut kit = Kit::plain(600.0, 600.0).with(features, 15.0, 3);
    kit.off = off;
    let unit = kit.body(0, "line_horse", (303.0, 270.0), 25, 1, 12.0);
    let mut world = kit.field();
    let mut setting = world.remove_resource::<Setting>().expect("the kit made one");
    Arc::make_mut(&mut setting.scenario).persons.push(Person {
        id: "leader".into(),
        name: Name::default(),
        banner: "L".into(),
        unit,
        rank: 2,
        prowess: 1.0,
        toughness: 3,
        presence_cm: 3000,
        rides_last,
    });
    world.insert_resource(setting);
    let mut schedule = phases::schedule();
    passage::install(&mut world, &mut schedule);
    person::install(&mut world, &mut schedule);
    if !open {
        world.resource_mut::<Gates>().gap[0] = 0;
    }
    send(&mut world, unit, (303.0, 550.0), Gait::Quick);
    let mut told = Vec::new();
    for _ in 0..60 {
        let before = world.resource::<Journal>().entries().len();
        kit::pulse(&mut world, &mut schedule);
        let new = world.resource::<Journal>().entries()[before..]
            .iter()
            .filter(|e| matches!(e.what, Happening::PersonCrossed { inward: true, .. }))
            .count();
        let through = world.resource::<Places>().crossed_in[0][unit.index()];
        told.extend((0..new).map(|_| through));
    }
    assert_eq!(world.resource::<Strength>().men.iter().sum::<i32>(), 25);
    told
}

#[test]
fn a_leader_crosses_with_the_first_of_his_men_or_with_the_last() {
    let first = crossing(false, true, LawSet::default());
    assert!(matches!(first.as_slice(), [men] if (1..25).contains(men)), "{first:?}");
    assert_eq!(crossing(true, true, LawSet::default()), [25], "he rides last");
    assert_eq!(crossing(true, false, LawSet::default()), [0; 0], "shut");
    // Without the law of passage nobody is between two sides: he crosses with all.
    assert_eq!(crossing(false, true, LawSet::without(Law::Passage)), [25]);
}
