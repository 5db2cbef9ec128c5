//! What subordinates do without orders, proved on small battles: each standing
//! instruction on and struck out, and what men at ladders do by themselves.

mod common;

use std::sync::Arc;

use common::line;
use nine_gates::core::ids::{AreaId, CompanyId, EngineKindId, PostId, SideId, UnitId, WorkId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::{
    Act, Gait, GateOrder, Instruction, Job, Line, Mark, Place, Sel, Who, amend,
};
use nine_gates::orders::legality::{Refusal, refusals};
use nine_gates::orders::read_back;
use nine_gates::scenario::battle::{GateStart, Post, Scenario, Stands};
use nine_gates::scenario::catalogue::{Name, Shape};
use nine_gates::scenario::raw::map::Feature;
use nine_gates::scenario::site::Level;
use nine_gates::sim::Battle;
use nine_gates::sim::journal::{Called, Happening};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::laws::{Law, LawSet};

/// The wall runs from west to east, its outside to the south.
const WALL_Y: f64 = 300.0;
const WALL: WorkId = WorkId(0);
const GATE: WorkId = WorkId(1);
const WALK: AreaId = AreaId(0);

/// A wall of so many metres about x = 500, with a gate, a ramp and a stretch of its walk.
fn walled(wall_m: f64, walk_m: f64) -> Kit {
    let name = |en: &str| Name { en: en.into(), zh: en.into() };
    let features = vec![
        kit::wall(WALL_Y, 500.0 - wall_m / 2.0, 500.0 + wall_m / 2.0),
        kit::gate(500.0, WALL_Y, 5.8),
        Feature::Ramp {
            id: "ramp".into(),
            name: name("ramp"),
            kind: "ramp".into(),
            wall: "wall".into(),
            at: (530.0, WALL_Y),
            width_m: 6.0,
            length_m: 30.0,
            horse: false,
            source: "made".into(),
        },
        Feature::Sector {
            id: "walk".into(),
            name: name("walk"),
            wall: "wall".into(),
            from: (500.0 - walk_m / 2.0, WALL_Y),
            to: (500.0 + walk_m / 2.0, WALL_Y),
            source: "made".into(),
        },
    ];
    Kit::plain(1000.0, 500.0).with(features, 15.0, 3)
}

/// Where a unit stands, on how broad a front; side 0 faces north.
fn stands(x: f64, y: f64, level: Level, front_m: f64, north: bool) -> Stands {
    let y_facing = if north { 1000 } else { -1000 };
    Stands {
        at: PointCm::from_metres(x, y),
        level,
        front_cm: (front_m * 100.0) as i32,
        facing: PointCm { x: 0, y: y_facing },
    }
}

/// The line that strikes an instruction out.
fn struck(id: u32, post: u16, unit: UnitId, what: Instruction) -> Line {
    line(id, post, unit, vec![Act::Standing(what, Mark::Struck)])
}

fn begun(scenario: Scenario, off: &[Law], orders: &[Line]) -> Battle {
    let mut set = LawSet::default();
    off.iter().for_each(|law| set.add(*law));
    let mut battle = Battle::new(Arc::new(scenario), 7, set);
    battle.order(orders);
    battle
}

fn run(battle: &mut Battle, seconds: i32) {
    for _ in 0..seconds / battle.truth().clock.pulse_s {
        if !battle.step() {
            break;
        }
    }
}

fn companies(battle: &Battle, unit: UnitId) -> Vec<CompanyId> {
    battle.truth().roster.of_unit[unit.index()].clone()
}

fn men(battle: &Battle, unit: UnitId, level: Option<Level>) -> i32 {
    let t = battle.truth();
    let there = |c: &&CompanyId| {
        let node = &t.setting.site.nodes[t.places.node[c.index()].index()];
        level.is_none_or(|l| node.level == l)
    };
    companies(battle, unit).iter().filter(there).map(|c| t.strength.men[c.index()]).sum()
}

/// Missiles that flew at a unit.
fn shot_at(battle: &Battle, unit: UnitId) -> i32 {
    let t = battle.truth();
    let at = |e: &nine_gates::sim::journal::Entry| match e.what {
        Happening::Shot { at, missiles, .. } if t.roster.unit[at.index()] == unit => missiles,
        _ => 0,
    };
    battle.journal().iter().map(at).sum()
}

fn arrows(battle: &Battle, unit: UnitId) -> (i32, i32) {
    let t = battle.truth();
    let sum = |of: &[i32]| companies(battle, unit).iter().map(|c| of[c.index()]).sum();
    (sum(&t.stores.missiles), sum(&t.stores.full))
}

#[test]
fn an_instruction_is_told_read_back_refused_and_patched() {
    let mut kit = walled(300.0, 200.0);
    let bows = kit.unit(1, "bowmen", Level::Rampart, &[((500.0, WALL_Y), 50)]);
    let horse = kit.unit(1, "line_horse", Level::Ground, &[((500.0, 400.0), 25)]);
    let scenario = kit.scenario();
    let order = struck(1, 1, bows, Instruction::KeepArrows);
    assert_eq!(refusals(&order, &scenario, None, &["t1"]), vec![]);
    let said = read_back::act(&order.acts[0], &scenario);
    assert!(said.en.contains("strike out") && said.zh.contains("划去"), "{said:?}");
    let other = struck(2, 1, horse, Instruction::KeepArrows);
    let why = refusals(&other, &scenario, None, &["t2"]);
    let carried = Refusal::NotCarried { unit: horse, instruction: Instruction::KeepArrows };
    assert_eq!(why, vec![carried]);
    assert!(!why[0].words(&scenario).zh.is_empty());
    // Two instructions are two things to amend.
    let mut acts = order.acts.clone();
    amend(&mut acts, Act::Standing(Instruction::WorthIt, Mark::Struck));
    amend(&mut acts, Act::Standing(Instruction::KeepArrows, Mark::Stands));
    assert_eq!(
        acts,
        vec![
            Act::Standing(Instruction::KeepArrows, Mark::Stands),
            Act::Standing(Instruction::WorthIt, Mark::Struck),
        ]
    );
    // On the board, in the digest, and not for who does not carry it.
    let mut plain = begun(scenario.clone(), &[], &[]);
    let mut told = begun(scenario, &[], &[order, other]);
    run(&mut plain, 30);
    run(&mut told, 30);
    let has = |b: &Battle, u| b.truth().tasks.stands(u, Instruction::KeepArrows);
    assert!(has(&plain, bows) && !has(&told, bows) && !has(&told, horse));
    assert_ne!(plain.digests().total, told.digests().total);
    let again = Act::Standing(Instruction::KeepArrows, Mark::Stands);
    told.order(&[line(3, 1, bows, vec![again])]);
    run(&mut told, 6);
    assert!(has(&told, bows), "it stands again");
}

/// Carts on a wall, a closed roof of shields near it and open foot behind that.
fn roofed(off: &[Law], orders: &[Line]) -> (i32, i32) {
    let mut kit = walled(300.0, 200.0);
    kit.unit(1, "engineers", Level::Rampart, &[((500.0, WALL_Y), 50)]);
    kit.unit(0, "shield_foot", Level::Ground, &[((500.0, 235.0), 250)]);
    kit.unit(0, "halberd_foot", Level::Ground, &[((500.0, 150.0), 100)]);
    let mut scenario = kit.scenario();
    let cart = kit.rules.engines.iter().position(|e| e.id == "crossbow_cart").expect("a cart");
    scenario.units[0].engines = vec![(EngineKindId::from_index(cart), 3)];
    scenario.units[0].stands = stands(500.0, WALL_Y, Level::Rampart, 30.0, false);
    scenario.units[1].stands = stands(500.0, 235.0, Level::Ground, 60.0, true);
    scenario.units[1].shape = Shape::Roof;
    scenario.units[2].stands = stands(500.0, 150.0, Level::Ground, 30.0, true);
    let mut battle = begun(scenario, &[&[Law::Heart], off].concat(), orders);
    run(&mut battle, 120);
    (shot_at(&battle, UnitId(1)), shot_at(&battle, UnitId(2)))
}

#[test]
fn they_shoot_what_they_can_hurt_and_not_the_roof() {
    let (roof, open) = roofed(&[], &[]);
    assert!(roof == 0 && open > 0, "{roof} at the roof, {open} at the open foot");
    let (roof, _) = roofed(&[], &[struck(1, 1, UnitId(0), Instruction::WorthIt)]);
    assert!(roof > 0, "struck out, the nearer and greater body is shot at");
    // An order goes before the instruction.
    let at = Sel::of(Who::Unit(UnitId(1)));
    let shoot = Act::Shoot { at, free: true, spare_cm: 0 };
    let (roof, open) = roofed(&[], &[line(1, 1, UnitId(0), vec![shoot])]);
    assert!(roof > 0 && open == 0, "{roof} {open}");
    assert_eq!(roofed(&[Law::Shot], &[]), (0, 0));
    assert!(roofed(&[Law::Shape], &[]).0 > 0, "without shapes there is no roof");
}

/// Archers behind foot who stand in contact with the enemy: missiles at these.
fn beside_friends(orders: &[Line]) -> i32 {
    let mut kit = Kit::plain(300.0, 400.0);
    kit.unit(0, "bowmen", Level::Ground, &[((150.0, 100.0), 50)]);
    kit.unit(0, "shield_foot", Level::Ground, &[((150.0, 190.0), 50)]);
    kit.unit(1, "halberd_foot", Level::Ground, &[((150.0, 196.0), 50)]);
    let mut scenario = kit.scenario();
    scenario.units[0].stands = stands(150.0, 100.0, Level::Ground, 30.0, true);
    scenario.units[1].stands = stands(150.0, 190.0, Level::Ground, 30.0, true);
    scenario.units[2].stands = stands(150.0, 196.0, Level::Ground, 30.0, false);
    let mut battle = begun(scenario, &[Law::Heart, Law::Blows], orders);
    run(&mut battle, 120);
    shot_at(&battle, UnitId(2))
}

#[test]
fn they_spare_what_stands_near_friends() {
    assert_eq!(beside_friends(&[]), 0);
    assert!(beside_friends(&[struck(1, 0, UnitId(0), Instruction::SpareFriends)]) > 0);
}

/// Archers on a wall for so long, with enemies so far before it: arrows left, of how many.
fn on_the_wall(metres: f64, off: &[Law], orders: &[Line]) -> (i32, i32) {
    let mut kit = walled(300.0, 200.0);
    kit.rules.armour.iter_mut().for_each(|a| a.stops_j.set(10_000.0));
    kit.unit(1, "bowmen", Level::Rampart, &[((500.0, WALL_Y), 50)]);
    kit.unit(0, "halberd_foot", Level::Ground, &[((500.0, WALL_Y - metres), 300)]);
    let mut scenario = kit.scenario();
    scenario.units[0].stands = stands(500.0, WALL_Y, Level::Rampart, 30.0, false);
    scenario.units[1].stands = stands(500.0, WALL_Y - metres, Level::Ground, 60.0, true);
    let mut battle = begun(scenario, &[&[Law::Heart], off].concat(), orders);
    run(&mut battle, 1500);
    arrows(&battle, UnitId(0))
}

#[test]
fn they_keep_a_quarter_of_their_arrows_for_the_foot_of_the_wall() {
    let (left, full) = on_the_wall(90.0, &[], &[]);
    let share = f64::from(left) / f64::from(full);
    assert!((0.2..=0.25).contains(&share), "{left} of {full}");
    let (at_foot, _) = on_the_wall(18.0, &[], &[]);
    assert!(at_foot * 10 < full, "{at_foot}: at the foot the last are let go");
    let (gone, _) = on_the_wall(90.0, &[], &[struck(1, 1, UnitId(0), Instruction::KeepArrows)]);
    assert!(gone * 10 < full, "{gone} of {full}");
    let (endless, _) = on_the_wall(90.0, &[Law::Stores], &[]);
    assert_eq!(endless, full);
}

/// Shooters and halberds of one post among each other on a walk, and men who have come
/// up: those of the shooters and of the halberds in contact after a time.
fn heads(off: &[Law], orders: &[Line]) -> (i32, i32) {
    let mut kit = walled(120.0, 120.0);
    kit.unit(0, "shield_foot", Level::Rampart, &[((470.0, WALL_Y), 90)]);
    kit.unit(1, "bowmen", Level::Rampart, &[((470.0, WALL_Y), 90)]);
    kit.unit(1, "halberd_foot", Level::Rampart, &[((470.0, WALL_Y), 90)]);
    let mut scenario = kit.scenario();
    for (u, x) in [(0, 470.0), (1, 485.0), (2, 515.0)] {
        scenario.units[u].stands = stands(x, WALL_Y, Level::Rampart, 45.0, u == 0);
    }
    let off = &[&[Law::Heart, Law::Blows, Law::Shot, Law::Crush], off].concat();
    let mut battle = begun(scenario, off, orders);
    run(&mut battle, 180);
    let t = battle.truth();
    let front = |u: u16| {
        companies(&battle, UnitId(u)).iter().map(|c| t.contacts.front[c.index()]).sum::<i32>()
    };
    (front(1), front(2))
}

#[test]
fn where_heads_come_over_the_shooters_give_way_to_the_blades() {
    let (bows, blades) = heads(&[], &[]);
    let out = [
        struck(1, 1, UnitId(1), Instruction::SwapAtHeads),
        struck(2, 1, UnitId(2), Instruction::SwapAtHeads),
    ];
    let (bows_out, blades_out) = heads(&[], &out);
    let (bows_off, blades_off) = heads(&[Law::Post], &[]);
    let said = format!(
        "bows {bows}, blades {blades}; struck out {bows_out}, {blades_out}; \
         without posts {bows_off}, {blades_off}"
    );
    println!("{said}");
    assert!(bows < bows_out && blades > blades_out, "{said}");
    assert!(bows < bows_off, "{said}");
}

#[test]
fn an_ordered_swap_goes_before_the_instruction() {
    // The halberds are told to be the ones who step back.
    let order = line(1, 1, UnitId(1), vec![Act::Swap(UnitId(1), UnitId(2))]);
    let (bows, blades) = heads(&[], &[]);
    let (bows_told, blades_told) = heads(&[], &[order]);
    let said = format!("{bows} {blades}; told {bows_told} {blades_told}");
    assert!(bows_told > bows && blades_told < blades, "{said}");
}

/// A sector whose post has a superior, a reserve of the superior far along the walk, and
/// enemies on the sector, more than its men.
struct Asked {
    call: Option<u32>,
    left: Option<u32>,
    taken: Option<u32>,
    /// Men of the reserve in the sector at the end.
    came: i32,
    pulse_s: i32,
}

fn help(reserve_x: f64, foes: i32, off: &[Law], orders: &[Line]) -> Asked {
    let mut kit = walled(900.0, 90.0);
    kit.unit(0, "shield_foot", Level::Rampart, &[((520.0, WALL_Y), foes)]);
    kit.unit(1, "halberd_foot", Level::Rampart, &[((480.0, WALL_Y), 60)]);
    kit.unit(1, "shield_foot", Level::Rampart, &[((reserve_x, WALL_Y), 150)]);
    let mut scenario = kit.scenario();
    scenario.units[0].stands = stands(520.0, WALL_Y, Level::Rampart, 30.0, true);
    scenario.units[1].stands = stands(480.0, WALL_Y, Level::Rampart, 30.0, false);
    scenario.units[2].stands = stands(reserve_x, WALL_Y, Level::Rampart, 30.0, false);
    // The sector's post, under the one that has the reserve.
    let sector = Post {
        id: "sector".into(),
        superior: Some(PostId(1)),
        at: Some(Place::Area(WALK)),
        ..scenario.posts[1].clone()
    };
    scenario.posts[1].at = Some(Place::Point(PointCm::from_metres(reserve_x, 350.0)));
    scenario.posts.push(sector);
    let mut corps = scenario.corps[1].clone();
    corps.id = "sector".into();
    corps.post = PostId(2);
    corps.units = vec![UnitId(1)];
    scenario.corps[1].units = vec![UnitId(2)];
    scenario.units[1].corps = nine_gates::core::ids::CorpsId(2);
    scenario.corps.push(corps);
    let off = &[&[Law::Heart, Law::Blows, Law::Shot, Law::Crush], off].concat();
    let mut battle = begun(scenario, off, orders);
    run(&mut battle, 600);
    let t = battle.truth();
    let first = |is: &dyn Fn(&Happening) -> bool| {
        battle.journal().iter().find(|e| is(&e.what)).map(|e| e.pulse)
    };
    let in_walk = |c: &&CompanyId| t.setting.site.in_area(WALK, t.places.node[c.index()]);
    Asked {
        call: first(&|h| {
            matches!(h, Happening::Call { side: SideId(1), kind: Called::HelpAsked, .. })
        }),
        left: first(&|h| matches!(h, Happening::MessageLeft { label, .. } if label == "help")),
        taken: first(&|h| matches!(h, Happening::OrderTaken { label, .. } if label == "help")),
        came: companies(&battle, UnitId(2))
            .iter()
            .filter(in_walk)
            .map(|c| t.strength.men[c.index()])
            .sum(),
        pulse_s: t.clock.pulse_s,
    }
}

#[test]
fn a_post_outnumbered_calls_and_the_reserve_comes_after_the_messages_time() {
    let rules = walled(900.0, 90.0).rules;
    let law = &rules.laws.message;
    let far = help(800.0, 150, &[], &[]);
    let (call, left, taken) = (
        far.call.expect("the player is called"),
        far.left.expect("the reserve is told"),
        far.taken.expect("and hears it"),
    );
    // The call goes by a runner from the sector to where the superior is.
    let seconds = 300.0 / law.courier_m_s.v() + law.understand_s.v();
    let took = f64::from(call as i32 * far.pulse_s);
    assert!((seconds - 6.0..=seconds + 15.0).contains(&took), "{took} s for {seconds:.0}");
    assert!(call <= left && left < taken, "{call} {left} {taken}");
    let understood = f64::from((taken - left) as i32 * far.pulse_s);
    assert!(understood + 3.0 >= law.understand_s.v(), "{understood} s");
    assert!(far.came > 100, "{} came", far.came);
    // Farther is later; without the law of messages it takes no time.
    let near = help(650.0, 150, &[], &[]);
    assert!(near.call < far.call && near.came > 100, "{:?} {:?}", near.call, far.call);
    let at_once = help(800.0, 150, &[Law::Message], &[]);
    assert!(at_once.call < near.call && at_once.came > 100, "{:?}", at_once.call);
    // Not outnumbered, nobody calls.
    assert_eq!(help(800.0, 30, &[], &[]).call, None);
}

#[test]
fn calls_and_answers_are_struck_out_apart() {
    let silent = help(800.0, 150, &[], &[struck(1, 2, UnitId(1), Instruction::CallForHelp)]);
    assert_eq!((silent.call, silent.came), (None, 0));
    let alone = help(800.0, 150, &[], &[struck(1, 1, UnitId(2), Instruction::AnswerCalls)]);
    assert!(alone.call.is_some() && alone.taken.is_none() && alone.came == 0);
    let off = help(800.0, 150, &[Law::Post], &[]);
    assert_eq!((off.call, off.came), (None, 0));
    // Who has been told something is no reserve.
    let at = Place::Point(PointCm::from_metres(800.0, WALL_Y));
    let told = help(800.0, 150, &[], &[line(1, 1, UnitId(2), vec![Act::Stand(at)])]);
    assert!(told.call.is_some() && told.taken.is_none());
}

/// Two companies that stand before each other, so far apart: men in contact.
fn face_to_face(metres: f64, orders: &[Line]) -> i32 {
    let mut kit = Kit::plain(300.0, 400.0);
    kit.unit(0, "shield_foot", Level::Ground, &[((150.0, 180.0), 50)]);
    kit.unit(1, "halberd_foot", Level::Ground, &[((150.0, 180.0 + metres), 50)]);
    let mut scenario = kit.scenario();
    scenario.units[0].stands = stands(150.0, 180.0, Level::Ground, 30.0, true);
    scenario.units[1].stands = stands(150.0, 180.0 + metres, Level::Ground, 30.0, false);
    let mut battle = begun(scenario, &[Law::Heart, Law::Blows], orders);
    run(&mut battle, 120);
    battle.truth().contacts.front.iter().sum()
}

#[test]
fn idle_foot_step_out_to_who_comes_near() {
    assert!(face_to_face(35.0, &[]) > 0);
    assert_eq!(face_to_face(120.0, &[]), 0, "but not far");
    let out =
        [struck(1, 0, UnitId(0), Instruction::Meet), struck(2, 1, UnitId(1), Instruction::Meet)];
    assert_eq!(face_to_face(35.0, &out), 0);
}

/// A storm without defenders: men who are up after so long, and the longest that a
/// company stood at the foot of the wall while ladders near it stood free, in seconds.
fn climbed(
    ladders: i32,
    wall_m: f64,
    open: bool,
    acts: Vec<Act>,
    seconds: i32,
) -> (i32, i32, i32, i32) {
    let mut kit = walled(wall_m, wall_m);
    // Nobody goes round its ends.
    let (west, east) = (500.0 - wall_m / 2.0, 500.0 + wall_m / 2.0);
    kit.features.push(kit::block(0.0, WALL_Y - 60.0, west, WALL_Y + 60.0));
    kit.features.push(kit::block(east, WALL_Y - 60.0, 1000.0, WALL_Y + 60.0));
    kit.body(0, "shield_foot", (500.0, 240.0), 400, 8, 12.0);
    kit.unit(1, "halberd_foot", Level::Ground, &[((500.0, 450.0), 1)]);
    let mut scenario = kit.scenario();
    scenario.units[0].stands = stands(500.0, 240.0, Level::Ground, 60.0, true);
    scenario.units[0].ladders = ladders;
    scenario.units[1].stands = stands(900.0, 450.0, Level::Ground, 30.0, false);
    scenario.gates = vec![GateStart {
        work: GATE,
        keeper: PostId(1),
        open,
        policy: GateOrder::Open,
        crew: UnitId(1),
    }];
    let mut battle = begun(scenario, &[], &[line(1, 0, UnitId(0), acts)]);
    let pulse_s = battle.truth().clock.pulse_s;
    let mut idle = vec![0; battle.truth().roster.len()];
    let (mut longest, mut done) = (0, seconds);
    for n in 0..seconds / pulse_s {
        battle.step();
        let t = battle.truth();
        let site = &t.setting.site;
        let board = t.escalade.expect("ladders");
        for c in companies(&battle, UnitId(0)).iter().map(|c| c.index()) {
            let node = t.places.node[c];
            let below = site.nodes[node.index()].level == Level::Ground;
            let waits = below
                && t.strength.men[c] > 0
                && t.places.straddles[c].is_none()
                && t.places.speed_cm_s[c] < 20;
            // Ladders within thirty metres with nobody at their foot but himself.
            let free = board.open.iter().any(|p| {
                let portal = &site.portals[p.index()];
                portal.outer_at.distance_cm(t.places.at[c]) <= 3000
                    && portal.outer.iter().flat_map(|n| t.places.on(*n)).all(|o| o.index() == c)
            });
            idle[c] = if waits && free { idle[c] + pulse_s } else { 0 };
            longest = longest.max(idle[c]);
        }
        if men(&battle, UnitId(0), Some(Level::Rampart)) == 400 && done == seconds {
            done = (n + 1) * pulse_s;
        }
    }
    let t = battle.truth();
    let crossed: i32 = t.places.crossed_in[0].iter().sum();
    (men(&battle, UnitId(0), Some(Level::Rampart)), longest, done, crossed)
}

fn storm() -> Vec<Act> {
    vec![
        Act::Job(Job::Raise, Place::Work(WALL)),
        Act::Go { to: Place::Area(WALK), gait: Gait::Quick, shape: None },
    ]
}

#[test]
fn all_ladder_crews_climb() {
    // As many ladders as there is room for, and many more.
    for ladders in [8, 90] {
        let (up, ..) = climbed(ladders, 90.0, false, storm(), 1200);
        assert_eq!(up, 400, "{ladders} ladders");
    }
    // Who was told to raise them, and nothing else, goes up too.
    let (up, ..) = climbed(8, 90.0, false, vec![Act::Job(Job::Raise, Place::Work(WALL))], 1200);
    assert_eq!(up, 400);
    // Without ladders nobody does.
    assert_eq!(climbed(0, 90.0, false, storm(), 600).0, 0);
}

#[test]
fn nobody_waits_at_an_empty_stretch_beside_ladders_that_stand_free() {
    for (ladders, wall) in [(4, 120.0), (8, 120.0), (16, 240.0)] {
        let (up, longest, ..) = climbed(ladders, wall, false, storm(), 1500);
        assert_eq!(up, 400, "{ladders} ladders on {wall} m");
        assert!(longest <= 24, "{ladders} on {wall} m: one waited {longest} s beside free ladders");
    }
}

#[test]
fn nobody_queues_at_a_ladder_beside_an_open_gate() {
    let (up, _, shut, none) = climbed(1, 120.0, false, storm(), 3000);
    assert_eq!((up, none), (400, 0));
    let (up, _, open, through) = climbed(1, 120.0, true, storm(), 3000);
    let said = format!("shut {shut} s; open {open} s, {through} through the gate");
    println!("{said}");
    assert_eq!(up, 400, "{said}");
    assert!(through > 100 && open * 2 < shut, "{said}");
}
