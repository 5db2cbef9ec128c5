use bevy_ecs::prelude::*;

use super::*;
use crate::core::ids::UnitId;
use crate::core::measure::PointCm;
use crate::orders::ast::{Measure, Rel, Who};
use crate::sim::board::{self, Clock, Places, Spirits, Strength};
use crate::sim::kit::Kit;
use crate::sim::lands::Lands;

/// One company that is watched, another far off.
fn field() -> World {
    let mut kit = Kit::plain(600.0, 600.0);
    kit.body(0, "shield_foot", (300.0, 100.0), 50, 1, 15.0);
    kit.body(1, "shield_foot", (300.0, 300.0), 50, 1, 15.0);
    let mut world = kit.field();
    // What no gauge here reads, but the truth holds.
    world.init_resource::<board::Tasks>();
    world.init_resource::<board::Gates>();
    world.init_resource::<board::Engines>();
    world.init_resource::<board::Stores>();
    world.init_resource::<board::Persons>();
    world.init_resource::<board::Litter>();
    world.init_resource::<board::Owners>();
    world.init_resource::<board::FiredLines>();
    world.init_resource::<Lands>();
    world
}

fn sel() -> Sel {
    Sel::of(Who::Unit(UnitId(1)))
}

/// The first of unit 1's companies.
fn company(world: &World) -> usize {
    world.resource::<board::Roster>().of_unit[1][0].index()
}

fn fewer_than(men: f64) -> Moment {
    Moment::First(Cond::Is(Measure::Men(sel()), Rel::Less, men))
}

/// Loses so many men every pulse, for five pulses of three seconds, and gives what
/// the gauges say.
fn measured(gauges: &[Gauge], each: i32, mut more: impl FnMut(&mut World, u32)) -> Vec<Value> {
    let mut world = field();
    let c = company(&world);
    let mut probe = Probe::new(gauges.iter().map(|g| (Some(g), None)), 3);
    probe.look(&Truth::of(&world));
    for pulse in 1..=5 {
        let mut strength = world.resource_mut::<Strength>();
        strength.men[c] -= each;
        strength.lost[c] += each;
        strength.shot_now[c] = 0;
        world.resource_mut::<Clock>().pulse = pulse;
        more(&mut world, pulse);
        probe.look(&Truth::of(&world));
    }
    probe.finish(&Truth::of(&world))
}

#[test]
fn quantities_are_read_in_the_pulse_of_their_moment() {
    let lost = |m| Gauge::At(m, Quantity::Lost(sel()));
    let men = |m| Gauge::At(m, Quantity::Men(sel()));
    let gauges = [
        men(Moment::Muster),
        lost(fewer_than(35.0)),
        lost(Moment::End),
        lost(fewer_than(1.0)),
        lost(Moment::Later(6, Box::new(fewer_than(45.0)))),
        Gauge::Percent(Box::new(lost(Moment::End)), Box::new(men(Moment::Muster))),
        Gauge::Ratio(Box::new(men(Moment::End)), Box::new(lost(Moment::Muster))),
        Gauge::Minus(Box::new(men(Moment::Muster)), Box::new(men(Moment::End))),
    ];
    let n = Value::Number;
    // 50, 42, 34, 26, 18, 10: below 45 after pulse 1, below 35 after pulse 2.
    let said = measured(&gauges, 8, |_, _| {});
    assert_eq!(
        said,
        [n(50.0), n(16.0), n(40.0), Value::Never, n(24.0), n(80.0), Value::Never, n(40.0)]
    );
}

#[test]
fn a_number_is_held_against_a_value() {
    let left = |m| Box::new(Gauge::At(m, Quantity::Men(sel())));
    // Of those who are left at the end, the share that was there at a moment.
    let share = |m, of| Box::new(Gauge::Percent(left(of), left(m)));
    let is = |what: &Gauge, rel, value| Gauge::Is(Box::new(what.clone()), rel, value);
    let whole = share(fewer_than(35.0), Moment::End);
    let never = share(fewer_than(1.0), Moment::End);
    // 50, 42, 34, 26, 18, 10: 10 of the 34 there at the first moment.
    let said = measured(
        &[
            is(&whole, Rel::AtLeast, 29.0),
            is(&whole, Rel::AtLeast, 30.0),
            is(&whole, Rel::Less, 30.0),
            is(&never, Rel::AtLeast, 0.0),
        ],
        8,
        |_, _| {},
    );
    let t = Value::Truth;
    assert_eq!(said, [t(true), t(false), t(true), Value::Never]);
}

#[test]
fn times_and_sequences() {
    let (early, late, never) = (fewer_than(45.0), fewer_than(20.0), fewer_than(1.0));
    let few = Cond::Is(Measure::Men(sel()), Rel::Less, 30.0);
    let gauges = [
        Gauge::Apart(late.clone(), early.clone()),
        Gauge::Apart(late.clone(), never.clone()),
        Gauge::Before(early.clone(), late.clone()),
        Gauge::Before(late.clone(), early.clone()),
        Gauge::Before(early.clone(), never.clone()),
        Gauge::Before(never.clone(), early.clone()),
        Gauge::Sequence(vec![Moment::Muster, early.clone(), late.clone(), Moment::End]),
        Gauge::Sequence(vec![late.clone(), early.clone()]),
        Gauge::Sequence(vec![early.clone(), never.clone()]),
        Gauge::Seconds { from: early.clone(), to: Moment::End, holds: few.clone() },
        Gauge::Seconds { from: early.clone(), to: late.clone(), holds: few.clone() },
        Gauge::Seconds { from: never.clone(), to: Moment::End, holds: few.clone() },
        Gauge::Holds(late.clone(), few.clone()),
        Gauge::Holds(early.clone(), few.clone()),
        Gauge::Holds(never, few.clone()),
        Gauge::Apart(Moment::Muster, Moment::FirstAfter(Box::new(early.clone()), few)),
        Gauge::Apart(Moment::Muster, Moment::Sooner(Box::new(late), Box::new(early))),
    ];
    let (n, t) = (Value::Number, Value::Truth);
    let said = measured(&gauges, 8, |_, _| {});
    let wanted = [
        n(9.0),
        Value::Never,
        t(true),
        t(false),
        t(true),
        t(false),
        t(true),
        t(false),
        t(false),
        n(9.0),
        n(6.0),
        Value::Never,
        t(true),
        t(false),
        Value::Never,
        n(9.0),
        n(3.0),
    ];
    assert_eq!(said, wanted);
}

#[test]
fn hits_breaks_and_the_swept() {
    let start = || Box::new(Moment::Muster);
    let gauges = [
        Gauge::Apart(Moment::Muster, Moment::HitAfter(start(), sel())),
        Gauge::Apart(Moment::Muster, Moment::BreaksAfter(start(), sel())),
        Gauge::Apart(Moment::Muster, Moment::BreaksAfter(Box::new(fewer_than(20.0)), sel())),
        Gauge::Swept {
            chosen: Moment::Muster,
            among: sel(),
            judged: Moment::Later(6, start()),
            beyond: (10_000, Place::Point(PointCm::from_metres(300.0, 300.0))),
        },
        Gauge::Swept {
            chosen: Moment::Muster,
            among: sel(),
            judged: Moment::End,
            beyond: (10_000, Place::Point(PointCm::from_metres(300.0, 300.0))),
        },
    ];
    let said = measured(&gauges, 8, |world, pulse| {
        let c = company(world);
        if pulse == 2 {
            world.resource_mut::<Strength>().shot_now[c] = 3;
        }
        if pulse == 3 {
            world.resource_mut::<Spirits>().mind[c] = Mind::Broken;
        }
    });
    // Broken before it was chosen the third time: it cannot break any more.
    let n = Value::Number;
    assert_eq!(said, [n(6.0), n(9.0), Value::Never, n(0.0), n(100.0)]);
    let far = measured(&gauges[3..4], 8, |world, _| {
        let c = company(world);
        world.resource_mut::<Places>().at[c] = PointCm::from_metres(300.0, 500.0);
    });
    assert_eq!(far, [n(100.0)]);
}

#[test]
fn windows_means_and_the_chosen() {
    use crate::core::ids::CompanyId;
    use crate::scenario::record::Count;
    use crate::sim::journal::{Happening, Journal};

    let end = || Moment::End;
    let heaviest = |by: Vec<UnitId>, others, within_s| Gauge::Heaviest {
        causes: Vec::new(),
        of: sel(),
        by,
        others,
        within_s,
        from: Moment::Muster,
        to: end(),
    };
    let by_cause_near = |causes, cm| Gauge::Heaviest {
        causes,
        of: Sel { within: Some((cm, Place::Point(PointCm::from_metres(300.0, 300.0)))), ..sel() },
        by: Vec::new(),
        others: false,
        within_s: 6,
        from: Moment::Muster,
        to: end(),
    };
    let gauges = [
        heaviest(Vec::new(), false, 3),
        heaviest(Vec::new(), false, 6),
        heaviest(vec![UnitId(0)], false, 6),
        heaviest(vec![UnitId(0)], true, 6),
        Gauge::Times(Box::new(heaviest(Vec::new(), false, 3)), 0.5),
        Gauge::Largest(vec![
            heaviest(Vec::new(), false, 3),
            Gauge::At(end(), Quantity::Lost(sel())),
        ]),
        // 42, 34, 26, 18 and 10 men over 50.
        Gauge::Mean {
            from: Moment::Muster,
            to: end(),
            of: (Quantity::Men(sel()), Quantity::Men(Sel { muster: true, ..sel() })),
        },
        Gauge::Chosen {
            chosen: Moment::Muster,
            among: sel(),
            at: fewer_than(35.0),
            what: Count::Lost,
        },
        Gauge::Chosen { chosen: fewer_than(1.0), among: sel(), at: end(), what: Count::Men },
        by_cause_near(vec![board::Cause::Blow], 10_000),
        by_cause_near(vec![board::Cause::Stone], 10_000),
        by_cause_near(Vec::new(), 10_000),
    ];
    let said = measured(&gauges, 8, |world, pulse| {
        // Far off in the end, so that those who fall then are not near any more.
        if pulse == 3 {
            let c = company(world);
            world.resource_mut::<Places>().at[c] = PointCm::from_metres(300.0, 500.0);
        }
        let company = CompanyId::from_index(company(world));
        let mut tell = |men, cause, by| {
            let fell = Happening::Fell { company, men, cause, by };
            world.resource_mut::<Journal>().add(pulse - 1, fell);
        };
        if pulse == 2 || pulse == 3 {
            tell(5, board::Cause::Arrow, Some(UnitId(0)));
            tell(4, board::Cause::Blow, None);
        }
    });
    let n = Value::Number;
    assert_eq!(
        said,
        [
            n(5.0),
            n(10.0),
            n(10.0),
            n(8.0),
            n(2.5),
            n(40.0),
            n(0.52),
            n(16.0),
            Value::Never,
            n(4.0),
            n(0.0),
            n(5.0),
        ]
    );
}

#[test]
fn near_men_lost_to_a_cause_and_missiles_left() {
    let other = || Sel::of(Who::Unit(UnitId(0)));
    let gauges = [
        Gauge::At(Moment::End, Quantity::MenNear(sel(), 19_000, other())),
        Gauge::At(Moment::End, Quantity::MenNear(sel(), 21_000, other())),
        Gauge::At(Moment::End, Quantity::LostTo(sel(), vec![board::Cause::Bolt])),
        Gauge::At(Moment::End, Quantity::Missiles(sel())),
    ];
    let said = measured(&gauges, 8, |world, _| {
        let c = company(world);
        world.resource_mut::<board::Stores>().missiles.resize(c + 1, 0);
        world.resource_mut::<board::Stores>().missiles[c] = 7;
        let mut strength = world.resource_mut::<Strength>();
        strength.tally.resize(8, Vec::new());
        strength.tally[board::Cause::Bolt as usize] = vec![3, 6];
    });
    let n = Value::Number;
    assert_eq!(said, [n(0.0), n(10.0), n(6.0), n(7.0)]);
}
