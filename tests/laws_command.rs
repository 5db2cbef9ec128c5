//! Laws of knowing and ordering (L4, L5, L8, L11, L15, L16), each shown with the
//! law on and off, in small battles of its own.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use nine_gates::core::digest::Digest;
use nine_gates::core::ids::{LineId, PostId, SideId, UnitId, WorkId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::{
    Act, Channel, Cond, Event, Gait, GateOrder, Job, Line, Measure, Place, Rel, Sel, Stance,
    Subject, Who,
};
use nine_gates::scenario::battle::{GateStart, Scenario};
use nine_gates::scenario::catalogue::Shape;
use nine_gates::scenario::site::{Level, WorkForm};
use nine_gates::sim::board::{
    Clock, Contacts, Dragged, Gates, Litter, Mind, Owners, Places, Roster, Setting, Spirits,
    Strength, Task, Tasks,
};
use nine_gates::sim::journal::{Happening, Journal};
use nine_gates::sim::judge::{self, Memory};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::known::Known;
use nine_gates::sim::laws::{Law, LawSet};
use nine_gates::sim::phases::schedule;
use nine_gates::sim::rooms::{area, command, job, knowledge, message, shape};
use nine_gates::sim::truth::Truth;

/// A world with the rooms of command, and its schedule.
struct Field {
    world: World,
    schedule: Schedule,
}

impl Field {
    fn of(kit: &Kit, change: impl FnOnce(&mut Scenario)) -> Self {
        let mut world = kit.field();
        let mut scenario = (*world.resource::<Setting>().scenario).clone();
        change(&mut scenario);
        world.resource_mut::<Setting>().scenario = Arc::new(scenario);
        let mut schedule = schedule();
        shape::install(&mut world, &mut schedule);
        job::install(&mut world, &mut schedule);
        area::install(&mut world, &mut schedule);
        knowledge::install(&mut world, &mut schedule);
        message::install(&mut world, &mut schedule);
        command::install(&mut world, &mut schedule);
        Self { world, schedule }
    }

    fn seconds(&mut self, seconds: i32) {
        let pulses = seconds / self.world.resource::<Clock>().pulse_s;
        for _ in 0..pulses {
            kit::pulse(&mut self.world, &mut self.schedule);
        }
    }

    fn order(&mut self, lines: &[Line]) {
        command::submit(&mut self.world, lines);
    }

    fn task(&self, unit: UnitId) -> Task {
        self.world.resource::<Tasks>().task[unit.index()].clone()
    }

    /// Seconds until a unit has this task, at most so many.
    fn until_task(&mut self, unit: UnitId, task: &Task, most: i32) -> Option<i32> {
        let pulse_s = self.world.resource::<Clock>().pulse_s;
        let from = self.world.resource::<Clock>().now_s();
        while self.world.resource::<Clock>().now_s() - from <= most {
            self.seconds(pulse_s);
            if self.task(unit) == *task {
                return Some(self.world.resource::<Clock>().now_s() - from - pulse_s);
            }
        }
        None
    }

    fn move_to(&mut self, unit: UnitId, x: f64, y: f64) {
        let at = PointCm::from_metres(x, y);
        let site = self.world.resource::<Setting>().site.clone();
        let companies = self.world.resource::<Roster>().of_unit[unit.index()].clone();
        let mut places = self.world.resource_mut::<Places>();
        for c in companies {
            places.at[c.index()] = at;
            places.node[c.index()] = site.node_at(at).unwrap_or(places.node[c.index()]);
        }
    }

    fn gap(&self) -> i32 {
        self.world.resource::<Gates>().gap[0]
    }

    fn told(&self, what: impl Fn(&Happening) -> bool) -> usize {
        self.world.resource::<Journal>().entries().iter().filter(|e| what(&e.what)).count()
    }
}

fn line(id: u32, who: Subject, by: u16, when: Cond, act: Act) -> Line {
    Line {
        id: LineId(id),
        label: format!("t{id}"),
        who: vec![who],
        via: None,
        by: PostId(by),
        when,
        acts: vec![act],
        until: None,
        keep: false,
        prio: 5,
    }
}

fn go(x: f64) -> Act {
    Act::Go { to: Place::Point(PointCm::from_metres(x, 0.0)), gait: Gait::Quick, shape: None }
}

fn going(x: f64) -> Task {
    Task::Go(Place::Point(PointCm::from_metres(x, 0.0)), Gait::Quick)
}

/// Two units of side 0 and one of side 1 on a plain of 3 km by 600 m; side 0's
/// post stands in the west.
fn plain(off: LawSet, pulse_s: i32) -> (Kit, UnitId, UnitId, UnitId) {
    let mut kit = Kit::plain(3000.0, 600.0).with(Vec::new(), 15.0, pulse_s);
    kit.off = off;
    let near = kit.unit(0, "bowmen", Level::Ground, &[((100.0, 300.0), 50)]);
    let far = kit.unit(0, "bowmen", Level::Ground, &[((1660.0, 300.0), 50)]);
    let foe = kit.unit(1, "bowmen", Level::Ground, &[((2900.0, 300.0), 50)]);
    (kit, near, far, foe)
}

fn west(scenario: &mut Scenario) {
    scenario.posts[0].at = Some(Place::Point(PointCm::from_metres(10.0, 300.0)));
    scenario.posts[1].at = Some(Place::Point(PointCm::from_metres(2950.0, 300.0)));
}

#[test]
fn a_courier_takes_his_draft_and_his_way_and_nothing_with_the_law_off() {
    for pulse_s in [2, 3, 4] {
        let (kit, _, far, _) = plain(LawSet::default(), pulse_s);
        let law = kit.rules.laws.message.clone();
        let mut field = Field::of(&kit, west);
        let mut courier = line(1, Subject::Unit(far), 0, Cond::Start, go(500.0));
        courier.via = Some(Channel::Courier);
        field.order(&[courier.clone()]);
        let took = field.until_task(far, &going(500.0), 900).map(f64::from).unwrap_or(0.0);
        let due = law.draft_s.v() + 1650.0 / law.courier_m_s.v() + law.understand_s.v();
        assert!(
            (took - due).abs() <= f64::from(2 * pulse_s),
            "{pulse_s} s a pulse: {took} s for {due}"
        );

        let (kit, _, far, _) = plain(LawSet::without(Law::Message), pulse_s);
        let mut field = Field::of(&kit, west);
        field.order(&[courier]);
        assert_eq!(field.until_task(far, &going(500.0), 900), Some(0), "instant with the law off");
    }
}

#[test]
fn a_shout_is_heard_near_at_once_and_carried_by_runners_beyond() {
    let (kit, near, far, _) = plain(LawSet::default(), 3);
    let law = kit.rules.laws.message.clone();
    let mut field = Field::of(&kit, west);
    let mut shout = line(1, Subject::Unit(near), 0, Cond::Start, go(500.0));
    shout.who.push(Subject::Unit(far));
    shout.via = Some(Channel::Shout);
    field.order(&[shout]);
    let heard = field.until_task(near, &going(500.0), 300).unwrap_or(-1);
    assert!(heard >= 0 && f64::from(heard) <= law.understand_s.v() + 3.0, "{heard}");
    let passed = field.until_task(far, &going(500.0), 900).unwrap_or(-1);
    assert!(f64::from(passed) > 1650.0 / law.courier_m_s.v() - 15.0, "{passed}");
}

#[test]
fn an_order_can_be_changed_until_it_leaves_and_not_after() {
    for (second, changed) in [(9, true), (60, false)] {
        let (kit, _, far, _) = plain(LawSet::default(), 3);
        let mut field = Field::of(&kit, west);
        let mut courier = line(1, Subject::Unit(far), 0, Cond::Start, go(500.0));
        courier.via = Some(Channel::Courier);
        let amend = Act::Amend("t1".into(), Box::new(go(900.0)));
        field.order(&[courier, line(2, Subject::Unit(far), 0, Cond::At(second), amend)]);
        field.seconds(600);
        assert_eq!(
            field.task(far),
            going(if changed { 900.0 } else { 500.0 }),
            "amended after {second} s"
        );
    }
    let (kit, _, far, _) = plain(LawSet::default(), 3);
    let mut field = Field::of(&kit, west);
    let mut courier = line(1, Subject::Unit(far), 0, Cond::Start, go(500.0));
    courier.via = Some(Channel::Courier);
    field.order(&[courier, line(2, Subject::Unit(far), 0, Cond::At(9), Act::Cancel("t1".into()))]);
    field.seconds(600);
    assert_eq!(field.task(far), Task::Stand, "withdrawn before it left");
    // Off: it is understood as it is decided, so nothing can be changed in time.
    for act in [Act::Amend("t1".into(), Box::new(go(900.0))), Act::Cancel("t1".into())] {
        let (kit, _, far, _) = plain(LawSet::without(Law::Message), 3);
        let mut field = Field::of(&kit, west);
        let mut courier = line(1, Subject::Unit(far), 0, Cond::Start, go(500.0));
        courier.via = Some(Channel::Courier);
        field.order(&[courier, line(2, Subject::Unit(far), 0, Cond::At(9), act)]);
        field.seconds(600);
        assert_eq!(field.task(far), going(500.0));
    }
}

#[test]
fn unknown_is_false_and_so_is_its_negation() {
    let foe_is_far =
        Cond::Is(Measure::Dist(Sel::of(Who::Enemy), Place::Unit(UnitId(0))), Rel::More, 500.0);
    let seen = Cond::Event(Event::Seen(Sel::of(Who::Enemy)));
    let conds = [foe_is_far, seen];
    for off in [false, true] {
        let (mut kit, near, _, _) =
            plain(if off { LawSet::without(Law::Knowledge) } else { LawSet::default() }, 3);
        // Nobody of side 0 is near the foe.
        kit.rules.laws.knowledge.ground_day_m.set(300.0);
        kit.rules.laws.message.flag_m.set(300.0);
        let mut field = Field::of(&kit, west);
        field.seconds(30);
        let known = Known::of(&field.world, PostId(0));
        for cond in &conds {
            assert_eq!(judge::holds(cond, &known, &mut Memory::default()), off, "{cond:?}");
            let not = Cond::Not(Box::new(cond.clone()));
            assert!(!judge::holds(&not, &known, &mut Memory::default()), "{not:?}");
        }
        let truth = Truth::of(&field.world).asked_by(SideId(0));
        assert!(
            conds.iter().all(|c| judge::holds(c, &truth, &mut Memory::default())),
            "the truth sees all"
        );
        let _ = near;
    }
}

#[test]
fn a_post_acts_on_what_it_knows_and_news_takes_its_time() {
    let near_foe = || {
        Cond::Is(
            Measure::Dist(Sel::of(Who::Enemy), Place::Point(PointCm::from_metres(1700.0, 300.0))),
            Rel::Less,
            200.0,
        )
    };
    let mut seconds = Vec::new();
    for off in [LawSet::without(Law::Knowledge), LawSet::default()] {
        let (mut kit, near, _, foe) = plain(off, 3);
        kit.rules.laws.knowledge.ground_day_m.set(600.0);
        let mut field = Field::of(&kit, west);
        field.seconds(30);
        field.move_to(foe, 1800.0, 300.0);
        field.order(&[line(1, Subject::Unit(near), 0, near_foe(), go(500.0))]);
        seconds.push(field.until_task(near, &going(500.0), 3000).unwrap_or(-1));
    }
    // The men beside the foe see it; their word has 1,790 m to go.
    let news = 1790.0 / kit::catalogue().laws.knowledge.news_m_s.v();
    assert!((0..=6).contains(&seconds[0]), "the truth at once: {seconds:?}");
    assert!(
        f64::from(seconds[1]) >= news - 6.0 && f64::from(seconds[1]) < 2.0 * news + 12.0,
        "{seconds:?} for {news}"
    );
}

#[test]
fn a_line_that_ends_takes_back_only_what_it_told_itself() {
    // Two lines of one priority: the one ends as the other fires, whichever stands first.
    for later_first in [true, false] {
        let (kit, near, _, _) = plain(LawSet::default(), 3);
        let mut field = Field::of(&kit, west);
        let mut ends = line(1, Subject::Unit(near), 0, Cond::Start, go(500.0));
        ends.until = Some((Cond::At(60), Vec::new()));
        let fires = line(2, Subject::Unit(near), 0, Cond::At(60), go(900.0));
        let both = [ends, fires];
        let mut lines = both.to_vec();
        if later_first {
            lines.reverse();
        }
        field.order(&lines);
        assert_eq!(field.until_task(near, &going(500.0), 30), Some(0));
        assert!(field.until_task(near, &going(900.0), 90).is_some(), "{later_first}");
        field.seconds(30);
        assert_eq!(field.task(near), going(900.0), "later line first: {later_first}");
        // By itself the end of a line leaves its men with nothing to do.
        let (kit, near, _, _) = plain(LawSet::default(), 3);
        let mut field = Field::of(&kit, west);
        field.order(&both[..1]);
        field.seconds(90);
        assert_eq!(field.task(near), Task::Stand);
    }
}

#[test]
fn for_keep_until_and_priority_mean_what_they_say() {
    let (kit, near, _, foe) = plain(LawSet::default(), 3);
    let mut field = Field::of(&kit, west);
    let close = Cond::Is(Measure::Dist(Sel::of(Who::Enemy), Place::Unit(near)), Rel::Less, 300.0);
    let mut held =
        line(1, Subject::Unit(near), 0, Cond::For(30, Box::new(close.clone())), go(500.0));
    held.keep = true;
    held.until = Some((Cond::Not(Box::new(close)), vec![go(700.0)]));
    field.order(&[held]);
    field.seconds(30);
    assert_eq!(field.task(near), Task::Stand);
    field.move_to(foe, 200.0, 300.0);
    field.seconds(24);
    assert_eq!(field.task(near), Task::Stand, "not yet held for 30 s");
    field.seconds(18);
    assert_eq!(field.task(near), going(500.0), "held for 30 s");
    field.move_to(foe, 800.0, 300.0);
    field.seconds(12);
    assert_eq!(field.task(near), going(700.0), "until, then");
    field.move_to(foe, 200.0, 300.0);
    field.seconds(48);
    assert_eq!(field.task(near), going(500.0), "kept: it fires again");

    // A lower priority does not displace a higher one; the same does, later.
    let mut high = line(2, Subject::Unit(near), 0, Cond::Start, go(100.0));
    high.prio = 7;
    let mut low = line(3, Subject::Unit(near), 0, Cond::Start, go(200.0));
    low.prio = 6;
    let mut same = line(4, Subject::Unit(near), 0, Cond::At(300), go(300.0));
    same.prio = 7;
    field.order(&[high, low, same]);
    field.seconds(12);
    assert_eq!(field.task(near), going(100.0));
    field.seconds(240);
    assert_eq!(field.task(near), going(300.0));
    // Another kind of act is another matter.
    field.order(&[line(5, Subject::Unit(near), 0, Cond::Start, Act::Stance(Stance::Storm))]);
    field.seconds(6);
    assert_eq!(field.world.resource::<Tasks>().stance[near.index()], Stance::Storm);
    assert_eq!(field.task(near), going(300.0));
}

/// A wall across a field with one gate, a crew inside, riders outside.
fn gate_field(
    off: LawSet,
    pulse_s: i32,
    change: impl FnOnce(&mut Kit),
) -> (Field, UnitId, UnitId, WorkId) {
    let mut kit = Kit::plain(900.0, 2400.0).with(
        vec![
            kit::wall(1200.0, -100.0, 1000.0),
            kit::gate(450.0, 1200.0, 6.0),
            kit::area("yard", 300.0, 1230.0, 600.0, 1400.0),
        ],
        15.0,
        pulse_s,
    );
    kit.off = off;
    change(&mut kit);
    let crew = kit.unit(0, "gate_guard", Level::Ground, &[((450.0, 1225.0), 50)]);
    let foe = kit.unit(1, "iron_horse", Level::Ground, &[((450.0, 60.0), 25)]);
    let field = Field::of(&kit, |scenario| {
        let work = scenario
            .site
            .works
            .iter()
            .position(|w| matches!(w.form, WorkForm::Gate { .. }))
            .unwrap_or(0);
        scenario.gates.push(GateStart {
            work: WorkId::from_index(work),
            keeper: PostId(0),
            open: true,
            policy: GateOrder::Guard,
            crew,
        });
        scenario.posts[0].at = Some(Place::Work(WorkId::from_index(work)));
        scenario.posts[0].eyes_cm = 2000;
    });
    let work = field.world.resource::<Setting>().scenario.gates[0].work;
    (field, crew, foe, work)
}

#[test]
fn a_keeper_shuts_when_an_enemy_could_be_at_the_leaf_first() {
    let (mut field, _, foe, work) = gate_field(LawSet::default(), 3, |_| {});
    let setting = field.world.resource::<Setting>().clone();
    let kind = &setting.rules.works[setting.site.works[work.index()].kind.index()];
    let rides = setting.rules.horse.charge.v() * setting.scenario.kind_of(foe).pace.v();
    let needs = kind.leaf_s.v()
        + setting.rules.laws.job.begins_s.v()
        + setting.rules.laws.message.understand_s.v();
    let edge = needs * rides;
    field.move_to(foe, 450.0, 1200.0 - edge - 60.0);
    field.seconds(30);
    assert_eq!(field.gap(), 1000, "far enough yet: {edge} m");
    field.move_to(foe, 450.0, 1200.0 - edge + 60.0);
    field.seconds(needs as i32 + 6);
    assert_eq!(field.gap(), 0, "shut in time");
    // He opens again when nobody could be there soon.
    field.move_to(foe, 450.0, 1200.0 - edge * 4.0 - 300.0);
    field.seconds(60);

    // Without posts he does nothing by himself; told when, he waits for that.
    let (mut idle, _, foe, _) = gate_field(LawSet::without(Law::Post), 3, |_| {});
    idle.move_to(foe, 450.0, 1150.0);
    idle.seconds(60);
    assert_eq!(idle.gap(), 1000);
    let (mut told, _, foe, work) = gate_field(LawSet::default(), 3, |_| {});
    told.order(&[line(1, Subject::Work(work), 0, Cond::At(90), Act::Gate(GateOrder::Shut))]);
    told.move_to(foe, 450.0, 1150.0);
    told.seconds(60);
    assert_eq!(told.gap(), 1000, "his line says when");
    told.seconds(60);
    assert_eq!(told.gap(), 0);
}

#[test]
fn leaves_take_their_seconds_and_are_held_by_those_who_push() {
    for pulse_s in [2, 3, 4] {
        let (mut field, _, _, work) = gate_field(LawSet::default(), pulse_s, |_| {});
        let setting = field.world.resource::<Setting>().clone();
        let kind = setting.rules.works[setting.site.works[work.index()].kind.index()].clone();
        let law = setting.rules.laws.job.clone();
        let due = law.begins_s.v() + kind.leaf_s.v();
        let time = |field: &mut Field| {
            field.order(&[line(
                1,
                Subject::Work(work),
                0,
                Cond::Start,
                Act::Gate(GateOrder::Shut),
            )]);
            let mut s = 0;
            while field.gap() > 0 && s < 600 {
                field.seconds(pulse_s);
                s += pulse_s;
            }
            s
        };
        let free = time(&mut field);
        assert!((f64::from(free) - due).abs() <= f64::from(pulse_s), "{free} s for {due}");
        assert_eq!(field.told(|h| matches!(h, Happening::GateShut { .. })), 1);

        // The crew of the field stands behind the leaf with all its men.
        let width_m = f64::from(setting.site.portals[0].width_cm) / 100.0;
        let men = f64::from(field.world.resource::<Strength>().men[0]);
        let holds = (men.min(law.leaf_hands_per_m.v() * width_m) * law.leaf_pressed.v()) as i32;
        let pressed = |pushing: i32, off: LawSet| {
            let (mut field, ..) = gate_field(off, pulse_s, |_| {});
            field.world.resource_mut::<Places>().pushing[0] = pushing;
            (time(&mut field), field.gap())
        };
        let (slow, _) = pressed(holds * 9 / 10, LawSet::default());
        assert!(f64::from(slow) > law.begins_s.v() + 1.8 * kind.leaf_s.v(), "{slow} after {free}");
        assert!(slow < 600, "and yet it shuts");
        // An open leaf is in nobody's way; it stops where as many press on it as hold it.
        let (never, gap) = pressed(holds * 2, LawSet::default());
        assert_eq!(never, 600, "held open");
        assert!((gap - 500).abs() <= 60, "stopped halfway, not at {gap}");
        let (never, gap) = pressed(holds * 4, LawSet::default());
        assert_eq!(never, 600, "held open");
        assert!((gap - 750).abs() <= 60, "stopped at a quarter of the way, not at {gap}");
        let (at_once, _) = pressed(holds * 4, LawSet::without(Law::Job));
        assert!(at_once <= pulse_s, "at once with the law off");
    }
}

#[test]
fn a_crew_drags_out_what_jams_its_leaf_but_not_in_a_fight() {
    let jammed = |fights: bool| {
        let (mut field, crew, _, work) = gate_field(LawSet::default(), 3, |_| {});
        let nodes = field.world.resource::<Setting>().site.portals[0].outer.clone();
        for node in &nodes {
            field.world.resource_mut::<Litter>().horses[node.index()] = 60;
        }
        field.order(&[line(1, Subject::Work(work), 0, Cond::Start, Act::Gate(GateOrder::Shut))]);
        if fights {
            let of = field.world.resource::<Roster>().of_unit[crew.index()].clone();
            for c in of {
                field.world.resource_mut::<Contacts>().front[c.index()] = 5;
            }
        }
        (0..20)
            .map(|_| {
                field.seconds(3);
                field.world.resource::<Dragged>().0.iter().map(|d| d.2).sum::<i32>()
            })
            .sum::<i32>()
    };
    assert!(jammed(false) > 0, "carcasses leave the passage");
    assert_eq!(jammed(true), 0, "nobody drags while he fights");
}

#[test]
fn what_lies_in_the_passage_jams_a_closing_leaf_and_a_bar_takes_hands() {
    let (mut field, crew, _, work) = gate_field(LawSet::default(), 3, |_| {});
    let nodes = field.world.resource::<Setting>().site.portals[0].outer.clone();
    for node in &nodes {
        field.world.resource_mut::<Litter>().horses[node.index()] = 60;
    }
    field.order(&[line(1, Subject::Work(work), 0, Cond::Start, Act::Gate(GateOrder::Shut))]);
    field.seconds(60);
    assert!(field.gap() > 0);
    assert_eq!(field.told(|h| matches!(h, Happening::GateJammed { .. })), 1);
    for node in &nodes {
        field.world.resource_mut::<Litter>().horses[node.index()] = 0;
    }
    field.order(&[line(
        2,
        Subject::Unit(crew),
        0,
        Cond::Start,
        Act::Job(Job::Bar, Place::Work(work)),
    )]);
    field.seconds(15);
    assert!(!field.world.resource::<Gates>().barred[0]);
    field.seconds(120);
    assert_eq!(field.gap(), 0);
    assert!(field.world.resource::<Gates>().barred[0], "barred once shut");

    // Off: nothing lies in a leaf's way, and the bar falls by itself.
    let (mut field, crew, _, work) = gate_field(LawSet::without(Law::Job), 3, |_| {});
    for node in &nodes {
        field.world.resource_mut::<Litter>().horses[node.index()] = 60;
    }
    let bar = Act::Job(Job::Bar, Place::Work(work));
    field.order(&[
        line(1, Subject::Work(work), 0, Cond::Start, Act::Gate(GateOrder::Shut)),
        line(2, Subject::Unit(crew), 0, Cond::Start, bar),
    ]);
    field.seconds(15);
    assert_eq!(field.gap(), 0);
    assert_eq!(field.told(|h| matches!(h, Happening::GateJammed { .. })), 0);
    assert!(field.world.resource::<Gates>().barred[0], "at once with the law off");
}

#[test]
fn shapes_take_their_seconds_and_the_broken_are_a_crowd() {
    let (kit, near, _, _) = plain(LawSet::default(), 3);
    let form_s = kit.rules.shape(Shape::Close).form_s.v();
    let mut field = Field::of(&kit, west);
    field.order(&[line(1, Subject::Unit(near), 0, Cond::Start, Act::Shape(Shape::Close))]);
    let shape = |field: &Field| field.world.resource::<nine_gates::sim::board::Forms>().shape[0];
    let mut s = 0;
    while shape(&field) != Shape::Close && s < 600 {
        field.seconds(3);
        s += 3;
    }
    assert!((f64::from(s) - form_s).abs() <= 6.0, "{s} s for {form_s}");
    field.world.resource_mut::<Spirits>().mind[0] = Mind::Broken;
    field.seconds(3);
    assert_eq!(shape(&field), Shape::Crowd);

    let (kit, near, _, _) = plain(LawSet::without(Law::Shape), 3);
    let mut field = Field::of(&kit, west);
    field.order(&[line(1, Subject::Unit(near), 0, Cond::Start, Act::Shape(Shape::Close))]);
    field.seconds(300);
    assert_eq!(shape(&field), Shape::Line, "everybody in line with the law off");
}

#[test]
fn an_area_is_taken_by_who_is_alone_for_a_minute() {
    for (off, owned) in [(LawSet::default(), true), (LawSet::without(Law::Area), false)] {
        let (mut field, crew, foe, _) = gate_field(off, 3, |_| {});
        let owner = |field: &Field| field.world.resource::<Owners>().owner[0];
        field.seconds(6);
        assert_eq!(owner(&field), owned.then_some(SideId(0)), "its garrison's from the start");
        field.move_to(foe, 450.0, 1300.0);
        field.seconds(72);
        assert_eq!(owner(&field), None, "contested: nobody's");
        field.move_to(crew, 450.0, 2300.0);
        field.seconds(45);
        assert_eq!(owner(&field), None, "not yet a minute");
        field.seconds(30);
        assert_eq!(owner(&field), owned.then_some(SideId(1)));
    }
}

#[test]
fn a_straddling_company_counts_in_two_parts() {
    let (mut field, crew, _, work) = gate_field(LawSet::default(), 3, |_| {});
    let portal = nine_gates::core::ids::PortalId(0);
    {
        let mut places = field.world.resource_mut::<Places>();
        places.straddles[0] = Some((portal, true));
        places.passed[0] = 20;
    }
    let truth = Truth::of(&field.world);
    assert_eq!(judge::inside(&Sel::of(Who::Unit(crew)), work, &truth), Some(20));
    field.world.resource_mut::<Places>().straddles[0] = Some((portal, false));
    let truth = Truth::of(&field.world);
    assert_eq!(judge::inside(&Sel::of(Who::Unit(crew)), work, &truth), Some(30));
}

#[test]
fn losses_are_counted_at_all_and_within_a_window() {
    let (kit, near, _, _) = plain(LawSet::default(), 3);
    let mut field = Field::of(&kit, west);
    let (mut all, mut minute) = (Memory::default(), Memory::default());
    let mut read = |field: &Field| {
        let truth = Truth::of(&field.world);
        let sel = Sel::of(Who::Unit(near));
        let of = |s, memory: &mut Memory| {
            judge::measure(&Measure::Loss(sel.clone(), s), &truth, memory).unwrap_or(-1.0)
        };
        (of(0, &mut all), of(60, &mut minute))
    };
    assert_eq!(read(&field), (0.0, 0.0));
    field.world.resource_mut::<Strength>().lost[0] = 10;
    field.seconds(30);
    assert_eq!(read(&field), (20.0, 20.0));
    for _ in 0..30 {
        field.seconds(3);
        read(&field);
    }
    assert_eq!(read(&field), (20.0, 0.0), "of the last minute none");
}

#[test]
fn the_same_orders_give_the_same_digests() {
    let run = || {
        let (mut field, crew, foe, work) = gate_field(LawSet::default(), 3, |_| {});
        field.order(&[
            line(1, Subject::Work(work), 0, Cond::At(30), Act::Gate(GateOrder::Shut)),
            line(2, Subject::Unit(crew), 0, Cond::Event(Event::Shut(work)), go(300.0)),
        ]);
        field.move_to(foe, 450.0, 900.0);
        field.seconds(120);
        let mut d = Digest::default();
        for digest in [
            knowledge::digest,
            message::digest,
            command::digest,
            shape::digest,
            job::digest,
            area::digest,
        ] {
            digest(&field.world, &mut d);
        }
        assert_eq!(field.task(crew), going(300.0));
        d.value()
    };
    assert_eq!(run(), run());
}

#[test]
fn the_same_orders_given_at_another_turn_give_the_same_digests() {
    let library = nine_gates::scenario::library::Library::open(std::path::Path::new(env!(
        "CARGO_MANIFEST_DIR"
    )));
    let scenario =
        match library.scenario("guan_yu_sortie", &nine_gates::scenario::load::Options::default()) {
            Ok(scenario) => scenario,
            Err(faults) => panic!("{faults:?}"),
        };
    let record = scenario.record.clone().map_or_else(Vec::new, |r| r.orders.clone());
    let (timed, rest): (Vec<Line>, Vec<Line>) =
        record.into_iter().partition(|l| matches!(l.when, Cond::At(_)));
    assert!(!timed.is_empty());
    // Orders for a time to come, given at muster or at the end of some turn.
    let run = |given: u32| {
        let mut battle = nine_gates::sim::Battle::new(scenario.clone(), 5, LawSet::default());
        battle.order(&rest);
        while battle.pulse() < 500 {
            if battle.pulse() == given {
                battle.order(&timed);
            }
            battle.step();
        }
        let taken = battle
            .journal()
            .iter()
            .filter(|e| matches!(e.what, Happening::OrderTaken { .. }))
            .count();
        (battle.digests().total, battle.draws(), taken)
    };
    let first = run(0);
    assert!(first.2 > 5, "orders were taken: {}", first.2);
    assert_eq!(first, run(40));
    assert_eq!(first, run(97));
}
