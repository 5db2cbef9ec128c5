//! Lines read back as sentences, and refused with figures.

use std::sync::Arc;

use nine_gates::core::ids::{AreaId, LineId, PostId, SideId, UnitId, WorkId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::{
    Act, Channel, Cond, Event, Gait, GateOrder, Job, Line, Measure, Place, Rel, Sel, State,
    Subject, Who,
};
use nine_gates::orders::legality::{Refusal, refusals};
use nine_gates::orders::read_back;
use nine_gates::scenario::battle::{GateStart, Scenario};
use nine_gates::scenario::site::{Level, WorkForm};
use nine_gates::sim::kit::{self, Kit};

/// A wall with a gate; bowmen on it, riders and a guard inside, riders outside.
fn battle() -> (Arc<Scenario>, [UnitId; 4], WorkId) {
    let mut kit = Kit::plain(900.0, 900.0).with(
        vec![
            kit::wall(450.0, -100.0, 1000.0),
            kit::gate(450.0, 450.0, 6.0),
            kit::area("yard", 300.0, 500.0, 600.0, 700.0),
            kit::block(30.0, 30.0, 200.0, 200.0),
        ],
        15.0,
        3,
    );
    let bows = kit.unit(0, "bowmen", Level::Rampart, &[((300.0, 450.0), 50)]);
    let horse = kit.unit(0, "iron_horse", Level::Ground, &[((450.0, 600.0), 25)]);
    let guard = kit.unit(0, "gate_guard", Level::Ground, &[((450.0, 475.0), 50)]);
    let foe = kit.unit(1, "iron_horse", Level::Ground, &[((450.0, 300.0), 25)]);
    let mut scenario = kit.scenario();
    let gate = scenario
        .site
        .works
        .iter()
        .position(|w| matches!(w.form, WorkForm::Gate { .. }))
        .unwrap_or(0);
    let gate = WorkId::from_index(gate);
    scenario.gates.push(GateStart {
        work: gate,
        keeper: PostId(0),
        open: true,
        policy: GateOrder::Guard,
        crew: guard,
    });
    scenario.units[horse.index()].name.en = "Grey Riders".into();
    scenario.units[horse.index()].name.zh = "灰骑".into();
    (Arc::new(scenario), [bows, horse, guard, foe], gate)
}

fn line(who: Subject, acts: Vec<Act>) -> Line {
    Line {
        id: LineId(1),
        label: "t1".into(),
        who: vec![who],
        via: None,
        by: PostId(0),
        when: Cond::Start,
        acts,
        until: None,
        keep: false,
        prio: 5,
    }
}

#[test]
fn a_line_reads_back_in_both_languages_with_its_figures() {
    let (scenario, [_, horse, _, foe], gate) = battle();
    let mut order = line(
        Subject::Unit(horse),
        vec![Act::Chase { prey: Sel::of(Who::Unit(foe)), leash_cm: 47_000, of: Place::Work(gate) }],
    );
    order.via = Some(Channel::Courier);
    order.when = Cond::For(
        5,
        Box::new(Cond::Is(
            Measure::Men(Sel {
                states: vec![State::Stalled],
                within: Some((6_000, Place::Work(gate))),
                ..Sel::of(Who::Enemy)
            }),
            Rel::AtLeast,
            200.0,
        )),
    );
    order.until = Some((Cond::Event(Event::Shut(gate)), vec![Act::Gate(GateOrder::Open)]));
    let said = read_back::line(&order, &scenario);
    for part in [
        "Grey Riders",
        "courier",
        "for 5 s",
        "stalled",
        "within 60 m of gate",
        "at least 200",
        "no farther than 470 m from gate",
        "until gate is shut; then open the gate",
    ] {
        assert!(said.en.contains(part), "{part}: {}", said.en);
    }
    for part in ["灰骑", "传骑", "持续5秒", "受阻", "60米内", "至少200", "470米", "直到", "然后"]
    {
        assert!(said.zh.contains(part), "{part}: {}", said.zh);
    }
    // An id from nowhere is a question mark and no panic.
    let nobody = line(
        Subject::Unit(UnitId(999)),
        vec![Act::Screen(UnitId(998)), Act::Stand(Place::Area(AreaId(997)))],
    );
    assert!(read_back::line(&nobody, &scenario).en.contains('?'));
}

#[test]
fn what_cannot_be_ordered_is_refused_with_the_reason() {
    let (scenario, [bows, horse, guard, foe], gate) = battle();
    let of = |who, acts| refusals(&line(who, acts), &scenario, Some(SideId(0)), &["t1", "t2"]);
    let go = |x, y| Act::Go {
        to: Place::Point(PointCm::from_metres(x, y)),
        gait: Gait::Quick,
        shape: None,
    };
    let shoot = |cm| Act::Shoot {
        at: Sel { within: Some((cm, Place::Work(gate))), ..Sel::of(Who::Enemy) },
        free: true,
        spare_cm: 0,
    };
    assert_eq!(of(Subject::Unit(horse), vec![go(450.0, 600.0)]), []);
    assert_eq!(
        of(Subject::Unit(foe), vec![go(450.0, 600.0)]),
        [Refusal::NotYours { unit: foe, side: SideId(1) }]
    );
    assert_eq!(
        of(Subject::Unit(horse), vec![go(9000.0, 0.0)]),
        [Refusal::OffTheMap { x_m: 9000.0, y_m: 0.0 }]
    );
    assert_eq!(
        of(Subject::Unit(horse), vec![go(100.0, 100.0)]),
        [Refusal::NoStanding { x_m: 100.0, y_m: 100.0 }]
    );
    assert_eq!(
        of(Subject::Unit(horse), vec![shoot(10_000)]),
        [Refusal::CannotShoot { unit: horse }]
    );
    assert_eq!(of(Subject::Unit(bows), vec![shoot(10_000)]), []);
    assert_eq!(of(Subject::Work(gate), vec![Act::Gate(GateOrder::Shut)]), []);
    assert_eq!(of(Subject::Unit(guard), vec![Act::Gate(GateOrder::Shut)]), []);
    assert_eq!(
        of(Subject::Unit(bows), vec![Act::Gate(GateOrder::Shut)]),
        [Refusal::NotItsGate { unit: bows }]
    );
    assert_eq!(
        of(Subject::Unit(horse), vec![Act::Screen(horse)]),
        [Refusal::Itself { unit: horse }]
    );
    assert_eq!(
        of(Subject::Unit(bows), vec![Act::Job(Job::Load, Place::Unit(bows))]),
        [Refusal::NoEngines { unit: bows, job: Job::Load }]
    );
    assert_eq!(
        of(Subject::Unit(bows), vec![Act::Cancel("t9".into())]),
        [Refusal::NoSuchLine { label: "t9".into() }]
    );
    assert_eq!(of(Subject::Unit(UnitId(99)), vec![go(450.0, 600.0)]), [Refusal::Unknown]);
    assert!(of(Subject::Unit(horse), vec![]).contains(&Refusal::NoActs));
    assert_eq!(
        of(Subject::Unit(horse), vec![Act::Back { refuges: vec![], bound: false }]),
        [Refusal::NoRefuge]
    );
    let nan = Cond::Is(Measure::Men(Sel::of(Who::Enemy)), Rel::Less, f64::NAN);
    let bad = refusals(
        &Line { when: nan, ..line(Subject::Unit(horse), vec![Act::HoldFire]) },
        &scenario,
        None,
        &[],
    );
    assert!(matches!(bad[..], [Refusal::BadNumber { .. }]), "{bad:?}");
    let theirs = Line { by: PostId(1), ..line(Subject::Unit(horse), vec![Act::HoldFire]) };
    assert_eq!(
        refusals(&theirs, &scenario, Some(SideId(0)), &[]),
        [Refusal::NotYourPost { post: PostId(1) }]
    );
    for refusal in of(Subject::Unit(foe), vec![go(9000.0, 0.0), shoot(1), Act::Cancel("t9".into())])
    {
        let words = refusal.words(&scenario);
        assert!(!words.en.is_empty() && !words.zh.is_empty());
    }
}

#[test]
fn the_dead_zone_of_the_wall_is_told_in_metres() {
    let (mut scenario, [bows, ..], gate) = battle();
    let kind = scenario.units[bows.index()].kind;
    let rules = Arc::make_mut(&mut Arc::get_mut(&mut scenario).expect("sole owner").rules);
    let weapon = rules.units[kind.index()].missile.expect("bowmen shoot");
    let shot = rules.weapons[weapon.index()].shot.as_mut().expect("bows shoot");
    shot.lobbed = false;
    shot.depression.set(0.25);
    let near = Act::Shoot {
        at: Sel { within: Some((2_000, Place::Work(gate))), ..Sel::of(Who::Enemy) },
        free: true,
        spare_cm: 0,
    };
    let found = refusals(&line(Subject::Unit(bows), vec![near]), &scenario, Some(SideId(0)), &[]);
    assert_eq!(found, [Refusal::DeadZone { unit: bows, from_m: 40.0, within_m: 20.0 }]);
}
