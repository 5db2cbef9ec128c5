//! Laws of engines, roofs and drums (L4, L11, L12, L14, L16), each shown with the law
//! on and off or its figure changed, in small battles in which nobody moves.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use nine_gates::core::ids::{AreaId, CompanyId, EngineKindId, LineId, PostId, UnitId, WorkId};
use nine_gates::core::measure::PointCm;
use nine_gates::orders::ast::{
    Act, Channel, Cond, Job, Line, Measure, Place, Rel, Sel, State, Subject, Who,
};
use nine_gates::scenario::battle::Scenario;
use nine_gates::scenario::catalogue::Shape;
use nine_gates::scenario::raw::map::Feature;
use nine_gates::scenario::site::Level;
use nine_gates::sim::board::*;
use nine_gates::sim::journal::{Happening, Journal};
use nine_gates::sim::kit::{self, Kit};
use nine_gates::sim::laws::{Law, LawSet};
use nine_gates::sim::phases::schedule;
use nine_gates::sim::rooms::{
    area, casualties, command, heart, job, knowledge, message, shape, shot,
};

/// Where the wall runs: inside a row of cells of 10, 15 and 20 m.
const WALL_Y: f64 = 205.0;
const CELLS: [f64; 3] = [10.0, 15.0, 20.0];

/// A world with the rooms of shooting, jobs and orders; nobody moves.
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
        // Side 0 faces north to the wall, side 1 south from it.
        let sides = world.resource::<Roster>().side.clone();
        for (i, side) in sides.iter().enumerate() {
            world.resource_mut::<Places>().heading[i] =
                PointCm { x: 0, y: if side.0 == 0 { 1000 } else { -1000 } };
        }
        let mut schedule = schedule();
        shape::install(&mut world, &mut schedule);
        area::install(&mut world, &mut schedule);
        job::install(&mut world, &mut schedule);
        shot::install(&mut world, &mut schedule);
        casualties::install(&mut world, &mut schedule);
        heart::install(&mut world, &mut schedule);
        knowledge::install(&mut world, &mut schedule);
        message::install(&mut world, &mut schedule);
        command::install(&mut world, &mut schedule);
        let mut field = Self { world, schedule };
        field.link();
        field
    }

    /// The index of who is on which node, as `passage` keeps it.
    fn link(&mut self) {
        let mustered = self.world.resource::<Roster>().mustered.clone();
        let mut places = self.world.resource_mut::<Places>();
        let places = &mut *places;
        for i in (0..mustered.len()).rev().filter(|i| mustered[*i]) {
            let node = places.node[i];
            places.next[i] = places.head[node.index()];
            if places.head[node.index()].is_none() {
                places.busy.push(node);
            }
            places.head[node.index()] = Some(CompanyId::from_index(i));
        }
        places.busy.sort_unstable();
    }

    fn get<R: Resource>(&self) -> &R {
        self.world.resource::<R>()
    }

    fn seconds(&mut self, seconds: i32) {
        for _ in 0..seconds / self.get::<Clock>().pulse_s {
            kit::pulse(&mut self.world, &mut self.schedule);
        }
    }

    /// Seconds until something is so, at most so many.
    fn until(&mut self, most: i32, so: impl Fn(&Self) -> bool) -> Option<i32> {
        let from = self.get::<Clock>().now_s();
        while self.get::<Clock>().now_s() - from <= most {
            if so(self) {
                return Some(self.get::<Clock>().now_s() - from);
            }
            let pulse_s = self.get::<Clock>().pulse_s;
            self.seconds(pulse_s);
        }
        None
    }

    fn order(&mut self, id: u32, unit: UnitId, acts: Vec<Act>) {
        let side = self.get::<Roster>().of_unit[unit.index()][0];
        let side = self.get::<Roster>().side[side.index()];
        command::submit(
            &mut self.world,
            &[Line {
                id: LineId(id),
                label: format!("t{id}"),
                who: vec![Subject::Unit(unit)],
                via: None,
                by: PostId(u16::from(side.0)),
                when: Cond::Start,
                acts,
                until: None,
                keep: false,
                prio: 5,
            }],
        );
    }

    fn fire(&mut self, unit: UnitId, fire: Fire) {
        self.world.resource_mut::<Tasks>().fire[unit.index()] = fire;
    }

    fn lost(&self, unit: UnitId) -> i32 {
        let s = self.get::<Strength>();
        self.get::<Roster>().of_unit[unit.index()].iter().map(|c| s.lost[c.index()]).sum()
    }

    fn stores(&self) -> i32 {
        self.get::<Engines>().store.iter().sum()
    }

    fn told(&self, what: impl Fn(&Happening) -> bool) -> usize {
        self.get::<Journal>().entries().iter().filter(|e| what(&e.what)).count()
    }
}

fn engine(kit: &Kit, id: &str) -> EngineKindId {
    let at = kit.rules.engines.iter().position(|e| e.id == id);
    EngineKindId::from_index(at.expect("a shipped kind"))
}

/// A plain with a wall across it, hearts that do not break.
fn walled(cell_m: f64, pulse_s: i32) -> Kit {
    let mut kit =
        Kit::plain(300.0, 500.0).with(vec![kit::wall(WALL_Y, 0.0, 300.0)], cell_m, pulse_s);
    kit.off.add(Law::Heart);
    kit
}

/// So many companies of 50, 15 m apart, before the wall by so many metres.
fn row(count: i32, metres: f64) -> Vec<((f64, f64), i32)> {
    (0..count)
        .map(|i| {
            ((151.0 + 15.0 * (f64::from(i) - f64::from(count - 1) / 2.0), WALL_Y - metres), 50)
        })
        .collect()
}

/// The acts of one whole cycle.
fn cycle(unit: UnitId) -> Vec<Act> {
    let job = |job| Act::Job(job, Place::Unit(unit));
    vec![job(Job::Depress), Act::Volley(1), job(Job::DrawBack), job(Job::Load), job(Job::Emplace)]
}

/// A cart with 150 bolts on the wall over foot at its foot.
fn cart(kit: &mut Kit) -> (Field, UnitId) {
    let carts = kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
    kit.unit(0, "halberd_foot", Level::Ground, &row(3, 30.0));
    let kind = engine(kit, "crossbow_cart");
    let field = Field::of(kit, |s| {
        s.units[0].engines = vec![(kind, 1)];
        s.units[0].supply = 0.1;
    });
    (field, carts)
}

/// Seconds from the order: turned down, shot, back, loaded, forward again.
fn times(kit: &mut Kit) -> [i32; 5] {
    let (mut field, carts) = cart(kit);
    field.order(1, carts, cycle(carts));
    let down = field.until(600, |f| f.get::<Engines>().depressed[0]).expect("turned down");
    let shot = field.until(600, |f| f.stores() < 150).expect("shot");
    assert!(!field.get::<Engines>().depressed[0], "to be turned again for the next");
    let back = field.until(600, |f| f.get::<Engines>().stand[0] == Emplaced::Back).expect("back");
    assert!(field.get::<Engines>().ready_at[0] == u32::MAX, "empty");
    let loaded = field.until(900, |f| f.get::<Engines>().ready_at[0] != u32::MAX).expect("loaded");
    let forward =
        field.until(600, |f| f.get::<Engines>().stand[0] == Emplaced::Forward).expect("forward");
    field.seconds(120);
    assert_eq!(field.stores(), 120, "one volley was ordered, and one was shot");
    [down, shot, back, loaded, forward]
}

fn near(found: i32, figure: f64, slack: i32) -> bool {
    (f64::from(found) - figure).abs() <= figure * 0.2 + f64::from(slack)
}

#[test]
fn a_cart_is_turned_down_shoots_is_drawn_back_loaded_and_pushed_forward() {
    let kind = {
        let kit = walled(15.0, 1);
        kit.rules.engines[engine(&kit, "crossbow_cart").index()].clone()
    };
    let whole = kind.depress_s.v() + kind.load_s.v();
    for cell in CELLS {
        let t = times(&mut walled(cell, 1));
        // A pulse to hear it, one to see it.
        assert!(near(t[0], kind.depress_s.v(), 2), "{t:?}");
        assert!(t[1] <= 3, "{t:?}");
        assert!(near(t[2], kind.draw_back_s.v(), 1), "{t:?}");
        assert!(near(t[3], kind.loading_s(), 1), "{t:?}");
        assert!(near(t[4], kind.emplace_s.v(), 1), "{t:?}");
        assert!(near(t.iter().sum(), whole, 0), "{t:?} against {whole}");
    }
    // The figure decides.
    let mut slow = walled(15.0, 1);
    let at = engine(&slow, "crossbow_cart").index();
    slow.rules.engines[at].load_s.set(200.0);
    assert!(near(times(&mut slow)[3], 176.0, 1));
    // Off: every job is done at once.
    let mut off = walled(15.0, 1);
    off.off.add(Law::Job);
    assert!(times(&mut off).iter().sum::<i32>() < 12);
}

#[test]
fn contact_and_fire_hold_up_the_work() {
    let loads = |contact: bool, harried: bool, share: f64| {
        let mut kit = walled(15.0, 1);
        kit.rules.laws.shot.harried.set(share);
        let (mut field, carts) = cart(&mut kit);
        field.order(1, carts, cycle(carts));
        field.until(600, |f| f.get::<Engines>().stand[0] == Emplaced::Back).expect("back");
        if harried {
            field.world.resource_mut::<Engines>().harried[0] = u32::MAX;
        }
        if contact {
            field.seconds(10);
            field.world.resource_mut::<Contacts>().front[0] = 5;
            field.seconds(60);
            assert_eq!(field.get::<Engines>().ready_at[0], u32::MAX);
            field.world.resource_mut::<Contacts>().front[0] = 0;
        }
        field.until(900, |f| f.get::<Engines>().ready_at[0] != u32::MAX).expect("loaded")
    };
    let plain = loads(false, false, 0.6);
    let after = loads(true, false, 0.6);
    assert!((plain - after - 10).abs() <= 2, "{plain} {after}: nothing is lost, nothing is won");
    let harried = loads(false, true, 0.6);
    assert!(near(harried, f64::from(plain) / 0.6, 1), "{plain} {harried}");
    assert!(near(loads(false, true, 1.0), f64::from(plain), 1));
}

#[test]
fn crews_under_fire_load_slower_by_themselves_too() {
    let flown = |share: f64| {
        let mut kit = walled(15.0, 3);
        // In the open, as far as those below are concerned.
        kit.rules.laws.shot.parapet.set(0.0);
        kit.rules.laws.shot.harried.set(share);
        kit.rules.armour.iter_mut().for_each(|a| a.stops_j.set(400.0));
        let bow = kit.rules.weapons.iter_mut().find(|w| w.id == "bow").expect("a shipped kind");
        bow.shot.as_mut().expect("it shoots").carried.set(200.0);
        let carts = kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
        let bows = kit.unit(0, "bowmen", Level::Ground, &row(8, 100.0));
        let kind = engine(&kit, "crossbow_cart");
        let mut field = Field::of(&kit, |s| s.units[0].engines = vec![(kind, 1)]);
        field.order(1, carts, vec![]);
        field.fire(bows, Fire::At(Sel::of(Who::Enemy), true, 0));
        let full = field.stores();
        field.seconds(900);
        assert!(field.lost(carts) > 0, "the crew is shot at");
        full - field.stores()
    };
    let (slow, fast) = (flown(0.3), flown(1.0));
    assert!(slow * 10 < fast * 8, "{slow} against {fast}");
}

#[test]
fn a_hundred_and_fifty_bolts_are_five_volleys_and_then_it_is_told() {
    let mut kit = walled(15.0, 3);
    let (mut field, carts) = cart(&mut kit);
    for n in 1..=6 {
        field.order(n, carts, cycle(carts));
        field.seconds(150);
        assert_eq!(field.stores(), (150 - 30 * n as i32).max(0), "after cycle {n}");
    }
    assert_eq!(field.told(|h| matches!(h, Happening::Empty { .. })), 1);
    // Off: never empty.
    let mut kit = walled(15.0, 3);
    kit.off.add(Law::Stores);
    let (mut field, carts) = cart(&mut kit);
    field.order(1, carts, cycle(carts));
    field.seconds(150);
    assert_eq!(field.stores(), 150);
}

#[test]
fn the_dead_zone_follows_from_height_and_angle() {
    // A muzzle of 11.2 m: 15 degrees leave 42 m to a cart, 12 degrees 53 m to a cannon.
    let shoots = |kind: &str, metres: f64, cell: f64, steeper: bool| {
        let mut kit = walled(cell, 3);
        kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
        let far = kit.unit(0, "halberd_foot", Level::Ground, &row(1, metres));
        if steeper {
            kit.rules.weapons.iter_mut().filter_map(|w| w.shot.as_mut()).for_each(|s| {
                s.depression.set(0.5);
            });
        }
        let kind = engine(&kit, kind);
        let mut field = Field::of(&kit, |s| s.units[0].engines = vec![(kind, 3)]);
        let full = field.stores();
        field.seconds(60);
        assert!(field.stores() < full || field.lost(far) == 0);
        field.stores() < full
    };
    for cell in CELLS {
        assert!(!shoots("crossbow_cart", 40.0, cell, false), "{cell}");
        assert!(shoots("crossbow_cart", 44.0, cell, false), "{cell}");
        assert!(!shoots("earth_cannon", 51.0, cell, false), "{cell}");
        assert!(shoots("earth_cannon", 55.0, cell, false), "{cell}");
        assert!(shoots("crossbow_cart", 40.0, cell, true), "the angle decides");
    }
    // The crowd in the dead zone is not chosen, the few beyond it are.
    let mut kit = walled(15.0, 3);
    kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
    let crowd = kit.unit(0, "halberd_foot", Level::Ground, &row(9, 20.0));
    let few = kit.unit(0, "halberd_foot", Level::Ground, &row(1, 120.0));
    let kind = engine(&kit, "crossbow_cart");
    let mut field = Field::of(&kit, |s| s.units[0].engines = vec![(kind, 3)]);
    field.seconds(300);
    assert!(field.lost(few) > 0);
    assert_eq!(field.lost(crowd), 0);
}

#[test]
fn a_parapet_has_places_for_so_many_and_no_more() {
    let forward = |cell: f64, wide: f64| {
        let mut kit = walled(cell, 3).with(vec![kit::wall(WALL_Y, 120.0, 180.0)], cell, 3);
        kit.unit(
            1,
            "engineers",
            Level::Rampart,
            &[125.0, 138.0, 151.0, 165.0].map(|x| ((x, WALL_Y), 50)),
        );
        let kind = engine(&kit, "crossbow_cart");
        kit.rules.engines[kind.index()].width_m.set(wide);
        let field = Field::of(&kit, |s| s.units[0].engines = vec![(kind, 40)]);
        let stands = &field.get::<Engines>().stand;
        stands.iter().filter(|s| **s == Emplaced::Forward).count() as i32
    };
    for cell in CELLS {
        let n = forward(cell, 2.5);
        assert!((22..=26).contains(&n), "60 m of walk take 24 carts of 2.5 m: {n} at {cell} m");
        let n = forward(cell, 5.0);
        assert!((9..=13).contains(&n), "{n}");
    }
}

#[test]
fn without_a_deep_walk_a_cart_cannot_be_drawn_back_to_load() {
    let volleys = |deep: f64, loads_back: bool| {
        let mut kit = walled(15.0, 3);
        if let Feature::Wall { walk_m, .. } = &mut kit.features[0] {
            *walk_m = deep;
        }
        kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
        kit.unit(0, "halberd_foot", Level::Ground, &row(9, 80.0));
        let kind = engine(&kit, "crossbow_cart");
        kit.rules.engines[kind.index()].loads_back = loads_back;
        let mut field = Field::of(&kit, |s| s.units[0].engines = vec![(kind, 1)]);
        let full = field.stores();
        field.seconds(400);
        (full - field.stores()) / 30
    };
    assert!(volleys(8.0, true) >= 4);
    assert_eq!(volleys(6.0, true), 1, "one length at the parapet, none behind it");
    assert!(volleys(6.0, false) >= 4);
}

/// Foot with shields under a roof, and three carts over them.
fn roofed(cell: f64, seed: u64, change: impl FnOnce(&mut Kit)) -> (Field, UnitId, UnitId) {
    let mut kit = walled(cell, 3);
    kit.seed = seed;
    change(&mut kit);
    let carts = kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
    let foot = kit.unit(0, "shield_foot", Level::Ground, &row(5, 60.0));
    let kind = engine(&kit, "crossbow_cart");
    let field = Field::of(&kit, |s| {
        s.units[0].engines = vec![(kind, 3)];
        s.units[1].shape = Shape::Roof;
    });
    (field, carts, foot)
}

#[test]
fn carts_spare_their_bolts_on_a_closed_roof_and_let_go_when_it_opens() {
    let full = 4500;
    let (mut field, carts, foot) = roofed(15.0, 1, |_| ());
    field.seconds(120);
    assert_eq!(field.stores(), full, "nobody wastes bolts on a roof");
    field.world.resource_mut::<Tasks>().shape[foot.index()] = Some(Shape::Loose);
    field.seconds(15);
    assert!(field.stores() < full, "the roof opens, and they let go");
    // Ordered, they shoot at it all the same.
    let (mut field, _, _) = roofed(15.0, 1, |_| ());
    field.fire(carts, Fire::At(Sel::of(Who::Enemy), true, 0));
    field.seconds(30);
    assert!(field.stores() < full);
    // The figure decides; and without the law of shapes there is no roof.
    let (mut field, ..) = roofed(15.0, 1, |k| k.rules.laws.shot.worth_it.set(0.0));
    field.seconds(30);
    assert!(field.stores() < full);
    let (mut field, ..) = roofed(15.0, 1, |k| k.off.add(Law::Shape));
    field.seconds(30);
    assert!(field.stores() < full);
}

/// Men lost to one ordered volley of three carts, on a roof or on one just opened, by seeds.
fn volley_on(cell: f64, opens: bool, cover: bool) -> i32 {
    (0..40)
        .map(|seed| {
            let (mut field, carts, foot) = roofed(cell, seed, |kit| {
                if !cover {
                    let roof = &mut kit.rules.shapes[Shape::Roof as usize];
                    roof.cover_front.set(0.0);
                    roof.cover_top.set(0.0);
                }
            });
            if opens {
                field.world.resource_mut::<Tasks>().shape[foot.index()] = Some(Shape::Loose);
                field.fire(carts, Fire::Hold);
                field.seconds(3);
            }
            field.fire(carts, Fire::At(Sel::of(Who::Enemy), true, 0));
            field.seconds(9);
            field.lost(foot)
        })
        .sum()
}

#[test]
fn a_roof_covers_until_it_opens_and_not_a_moment_longer() {
    let mut opened = Vec::new();
    for cell in CELLS {
        let (closed, open) = (volley_on(cell, false, true), volley_on(cell, true, true));
        assert!(closed * 2 < open, "closed {closed} open {open} at {cell} m");
        opened.push(open);
    }
    let (least, most) = (opened.iter().min().unwrap(), opened.iter().max().unwrap());
    assert!((most - least) * 10 <= *most, "{opened:?}");
    let (closed, open) = (volley_on(15.0, false, false), volley_on(15.0, true, false));
    assert!(closed * 10 > open * 8, "without the figures of cover: {closed} {open}");
}

#[test]
fn a_roof_covers_front_and_top_and_its_men_do_not_shoot() {
    let lost = |behind: bool, shape: Shape| {
        (0..6)
            .map(|seed| {
                let mut kit = Kit::plain(300.0, 500.0);
                kit.seed = seed;
                kit.off.add(Law::Heart);
                let at = |y: f64| -> Vec<((f64, f64), i32)> {
                    (0..5).map(|i| ((112.5 + 15.0 * f64::from(i), y), 50)).collect()
                };
                let y = if behind { 120.0 } else { 280.0 };
                let foot = kit.unit(0, "bowmen", Level::Ground, &at(200.0));
                kit.unit(1, "crossbowmen", Level::Ground, &at(y));
                let mut field = Field::of(&kit, |s| s.units[0].shape = shape);
                field.fire(UnitId(1), Fire::At(Sel::of(Who::Enemy), true, 0));
                let arrows: i32 = field.get::<Stores>().missiles.iter().take(5).sum();
                field.seconds(60);
                let left: i32 = field.get::<Stores>().missiles.iter().take(5).sum();
                assert_eq!(left == arrows, shape == Shape::Roof, "who is covered does not shoot");
                field.lost(foot)
            })
            .sum::<i32>()
    };
    let (front, back) = (lost(false, Shape::Roof), lost(true, Shape::Roof));
    assert!(front * 5 < back * 4, "front {front} back {back}");
    assert!(front * 2 < lost(false, Shape::Close));
}

#[test]
fn aimed_bolts_find_the_gaps_slowly() {
    let lost = |free: bool, gaps: f64| {
        let (mut men, mut bolts) = (0, 0);
        for seed in 0..8 {
            let mut kit = walled(15.0, 3);
            kit.seed = seed;
            kit.rules.laws.shot.gaps.set(gaps);
            let bows = kit.unit(1, "crossbowmen", Level::Rampart, &[((151.0, WALL_Y), 50)]);
            let foot = kit.unit(0, "shield_foot", Level::Ground, &row(5, 60.0));
            let mut field = Field::of(&kit, |s| s.units[1].shape = Shape::Roof);
            field.fire(bows, Fire::At(Sel::of(Who::Enemy), free, 0));
            let full: i32 = field.get::<Stores>().missiles.iter().sum();
            field.seconds(120);
            bolts += full - field.get::<Stores>().missiles.iter().sum::<i32>();
            men += field.lost(foot);
        }
        (men, bolts)
    };
    let ((will, many), (aimed, few)) = (lost(true, 0.3), lost(false, 0.3));
    assert!(few * 10 < many * 7, "aimed is slow: {few} bolts against {many}");
    assert!(aimed * many > will * few * 5 / 4, "and each does more: {aimed}/{few} {will}/{many}");
    assert!(aimed * 20 < 8 * 250, "but little in all: {aimed} of 2,000");
    assert!(lost(false, 0.0).0 < aimed);
}

#[test]
fn stones_open_a_roof() {
    let opened = |chance: f64| {
        let mut kit = walled(15.0, 3);
        kit.rules.laws.shot.opens_roof.set(chance);
        kit.unit(1, "engineers", Level::Ground, &[((151.0, 250.0), 50)]);
        kit.unit(0, "shield_foot", Level::Ground, &row(5, 60.0));
        let kind = engine(&kit, "stone_thrower");
        kit.rules.engines[kind.index()].crew.set(10.0);
        let mut field = Field::of(&kit, |s| {
            s.units[0].engines = vec![(kind, 4)];
            s.units[1].shape = Shape::Roof;
        });
        let open = |f: &Field| f.get::<Forms>().forming.iter().any(|n| *n > 0);
        let opened = field.until(300, open).is_some();
        let shut = field.get::<Forms>().shape[2..].iter().filter(|s| **s == Shape::Roof).count();
        assert!(shut >= 5, "they go on as they were told");
        opened
    };
    assert!(opened(0.5));
    assert!(!opened(0.0));
}

/// Men lost to cannon within ten minutes, over some seeds.
fn cannon_on(shape: Shape, cell: f64, change: impl Fn(&mut Kit)) -> i32 {
    (0..12)
        .map(|seed| {
            let mut kit = walled(cell, 3);
            kit.seed = seed;
            change(&mut kit);
            kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
            let foot = kit.unit(
                0,
                "halberd_foot",
                Level::Ground,
                &[91.0, 151.0, 211.0].map(|x| ((x, WALL_Y - 110.0), 50)),
            );
            let kind = engine(&kit, "earth_cannon");
            let mut field = Field::of(&kit, |s| {
                s.units[0].engines = vec![(kind, 3)];
                s.units[1].shape = shape;
            });
            // As many shots at each.
            field.seconds(270);
            field.lost(foot)
        })
        .sum()
}

#[test]
fn loose_order_cuts_what_cannon_do() {
    let (mut close, mut loose) = (Vec::new(), Vec::new());
    for cell in CELLS {
        close.push(cannon_on(Shape::Close, cell, |_| ()));
        loose.push(cannon_on(Shape::Loose, cell, |_| ()));
    }
    for (c, l) in close.iter().zip(&loose) {
        assert!(*c > 100 && l * 3 <= c * 2, "close {close:?} loose {loose:?}");
    }
    for all in [&close, &loose] {
        let (least, most) = (all.iter().min().unwrap(), all.iter().max().unwrap());
        assert!((most - least) * 10 <= *most, "close {close:?} loose {loose:?}");
    }
    // It is the spacing that does it, and without shapes there is none.
    let same = |k: &mut Kit| k.off.add(Law::Shape);
    let (close, loose) = (cannon_on(Shape::Close, 15.0, same), cannon_on(Shape::Loose, 15.0, same));
    assert_eq!(close, loose);
}

#[test]
fn engines_shoot_at_engines_and_wreck_them() {
    let duel = |dearer: f64, breaks_j: f64, kind: &str| {
        let mut kit = walled(15.0, 3);
        // In the open, as far as those below are concerned.
        kit.rules.laws.shot.parapet.set(0.0);
        kit.rules.laws.shot.counter_battery.set(dearer);
        kit.rules.engines.iter_mut().for_each(|e| e.breaks_j.set(breaks_j));
        kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
        let throwers =
            kit.unit(0, "engineers", Level::Ground, &[((31.0, 15.0), 50), ((46.0, 15.0), 50)]);
        let foot = kit.unit(1, "halberd_foot", Level::Rampart, &[((31.0, WALL_Y), 50)]);
        let (own, theirs) = (engine(&kit, "earth_cannon"), engine(&kit, kind));
        kit.rules.engines[theirs.index()].crew.set(10.0);
        let mut field = Field::of(&kit, |s| {
            s.units[0].engines = vec![(own, 6)];
            s.units[1].engines = vec![(theirs, 6)];
        });
        field.fire(UnitId(0), Fire::Hold);
        field.fire(throwers, Fire::Will);
        // Once no cannon works its men are worth no more than others.
        field.until(900, |f| {
            let wrecked = f.get::<Engines>().works.iter().take(6).all(|w| !w);
            wrecked || f.lost(UnitId(0)) >= 25 || f.lost(foot) >= 25
        });
        let engines = field.get::<Engines>();
        let left = engines.works.iter().take(6).filter(|w| **w).count();
        let told = field.told(|h| matches!(h, Happening::EngineWrecked { .. }));
        assert_eq!(6 - left, told, "each is told");
        (left, field.lost(foot))
    };
    let (left, foot) = duel(4.0, 4000.0, "stone_thrower");
    assert!(left < 5, "{left} of 6 cannon work");
    assert_eq!(foot, 0, "the crews are shot at, not the foot");
    let (left, _) = duel(4.0, 900_000.0, "stone_thrower");
    assert_eq!(left, 6, "what no stone breaks works on");
    let (_, foot) = duel(1.0, 4000.0, "stone_thrower");
    assert!(foot > 0, "worth no more than other men, the nearer ones are shot at: {foot}");
}

/// Foot under a roof comes to the wall and opens; the carts have an order for that. Bolts
/// spent while the roof is up, and men that the first volley costs.
fn opening(cell: f64, seed: u64, opens: bool) -> (i32, i32) {
    let mut kit = walled(cell, 3);
    kit.seed = seed;
    let carts = kit.unit(1, "engineers", Level::Rampart, &[((151.0, WALL_Y), 50)]);
    let foot = kit.unit(0, "shield_foot", Level::Ground, &row(5, 18.0));
    let kind = engine(&kit, "crossbow_cart");
    let mut field = Field::of(&kit, |s| {
        s.units[0].engines = vec![(kind, 3)];
        s.units[1].shape = Shape::Roof;
    });
    let within = Sel { within: Some((2500, Place::Work(WorkId(0)))), ..Sel::of(Who::Enemy) };
    let roofed = Sel { states: vec![State::Roofed], ..within.clone() };
    let line = Line {
        id: LineId(1),
        label: "t1".into(),
        who: vec![Subject::Unit(carts)],
        via: None,
        by: PostId(1),
        when: Cond::All(vec![
            Cond::Is(Measure::Men(within.clone()), Rel::AtLeast, 200.0),
            Cond::Is(Measure::Share(roofed, within), Rel::Less, 50.0),
        ]),
        acts: cycle(carts),
        until: None,
        keep: true,
        prio: 5,
    };
    command::submit(&mut field.world, &[line]);
    let full = field.stores();
    field.seconds(60);
    let spent = full - field.stores();
    if opens {
        field.world.resource_mut::<Tasks>().shape[foot.index()] = Some(Shape::Loose);
    }
    field.until(60, |f| f.stores() < full);
    field.seconds(3);
    (spent, field.lost(foot))
}

#[test]
fn an_order_lets_the_carts_go_when_the_roof_opens_at_the_wall() {
    let mut all = Vec::new();
    for cell in CELLS {
        let mut men = 0;
        for seed in 0..30 {
            let (spent, lost) = opening(cell, seed, true);
            assert_eq!(spent, 0, "at {cell} m, seed {seed}");
            men += lost;
        }
        all.push(men);
    }
    let (least, most) = (all.iter().min().unwrap(), all.iter().max().unwrap());
    assert!(*least > 30 * 5, "{all:?}");
    assert!((most - least) * 10 <= *most, "{all:?}");
    assert_eq!(opening(15.0, 1, false), (0, 0), "what does not open is not shot at");
}

/// A cart inside the wall is ordered to a section of it, up a ramp so broad. Seconds until
/// it stands there, if it ever does.
fn pushed(ramp_m: f64, speed: f64) -> Option<i32> {
    let name = |en: &str| nine_gates::scenario::catalogue::Name { en: en.into(), zh: en.into() };
    let mut kit = walled(15.0, 3);
    kit.features.push(Feature::Ramp {
        id: "ramp".into(),
        name: name("ramp"),
        kind: "ramp".into(),
        wall: "wall".into(),
        at: (150.0, WALL_Y + 5.0),
        width_m: ramp_m,
        length_m: 40.0,
        horse: false,
        source: "made".into(),
    });
    kit.features.push(Feature::Sector {
        id: "section".into(),
        name: name("section"),
        wall: "wall".into(),
        from: (220.0, WALL_Y),
        to: (280.0, WALL_Y),
        source: "made".into(),
    });
    kit.unit(1, "engineers", Level::Ground, &[((100.0, 300.0), 20)]);
    kit.unit(0, "halberd_foot", Level::Ground, &[((20.0, 20.0), 50)]);
    let kind = engine(&kit, "crossbow_cart");
    kit.rules.engines[kind.index()].speed_m_s.set(speed);
    let mut scenario = kit.scenario();
    scenario.units[0].engines = vec![(kind, 1)];
    let section = scenario.site.areas.iter().position(|a| a.id == "section").expect("on the map");
    let section = AreaId::from_index(section);
    let mut battle = nine_gates::sim::Battle::new(Arc::new(scenario), 1, LawSet::default());
    battle.order(&[Line {
        id: LineId(1),
        label: "t1".into(),
        who: vec![Subject::Unit(UnitId(0))],
        via: None,
        by: PostId(1),
        when: Cond::Start,
        acts: vec![Act::Job(Job::Emplace, Place::Area(section))],
        until: None,
        keep: false,
        prio: 5,
    }]);
    for pulse in 0..600 {
        battle.step();
        let truth = battle.truth();
        let node = truth.places.node[truth.engines.company[0].index()];
        if truth.engines.stand[0] == Emplaced::Forward && truth.setting.site.in_area(section, node)
        {
            return Some(pulse * 3);
        }
    }
    assert_eq!(battle.truth().engines.stand[0], Emplaced::Left);
    None
}

#[test]
fn an_engine_is_pushed_to_its_place_as_fast_as_it_rolls_if_the_ramp_is_wide_enough() {
    let (slow, fast) = (pushed(4.0, 0.5).expect("gets there"), pushed(4.0, 1.0).expect("too"));
    // Some 110 m to the ramp, 40 m up it and 70 m along the walk at the least.
    assert!(slow > 380 && slow < 800, "{slow}");
    assert!(fast * 10 < slow * 7, "{fast} against {slow}");
    assert_eq!(pushed(2.0, 0.7), None, "2.5 m of cart do not go up 2 m of ramp");
}

/// Heart over its own steadiness of a company 100 m and one 400 m from a drum.
fn drummed(
    signal: Option<Channel>,
    off: LawSet,
    seconds: i32,
    change: impl Fn(&mut Kit),
) -> [i32; 2] {
    let mut kit = Kit::plain(900.0, 300.0);
    kit.off = off;
    change(&mut kit);
    let drums = kit.unit(0, "halberd_foot", Level::Ground, &[((50.0, 150.0), 50)]);
    kit.unit(0, "halberd_foot", Level::Ground, &[((150.0, 150.0), 50), ((450.0, 150.0), 50)]);
    let mut field = Field::of(&kit, |_| ());
    if let Some(signal) = signal {
        field.order(1, drums, vec![Act::Signal(signal)]);
    }
    field.seconds(seconds);
    let base = kit.rules.units[kit.kind("halberd_foot").index()].steadiness.v() as i32;
    let first = field.get::<Roster>().of_unit[1][0].index();
    [0, 1].map(|i| field.get::<Spirits>().heart[first + i] - base)
}

#[test]
fn drums_lift_those_who_hear_them() {
    let drum = Some(Channel::Drum);
    let on = LawSet::default;
    let heard = drummed(drum, on(), 30, |_| ());
    assert!(heard[0] > 30 && heard[1] == 0, "{heard:?}");
    assert_eq!(drummed(drum, on(), 150, |_| ())[0], 100, "no more than the figure");
    assert_eq!(drummed(None, on(), 60, |_| ()), [0, 0]);
    assert_eq!(drummed(Some(Channel::Gong), on(), 60, |_| ()), [0, 0], "a gong is no drum");
    assert_eq!(drummed(drum, LawSet::without(Law::Heart), 60, |_| ()), [0, 0], "off");
    let far = drummed(drum, on(), 60, |k| k.rules.laws.heart.drum_m.set(500.0));
    assert!(far[1] > 30, "the radius is a figure: {far:?}");
    let short = drummed(drum, on(), 90, |k| k.rules.laws.heart.drum_s.set(12.0));
    assert!(short[0] > 10 && short[0] <= 30, "it lifts while it sounds: {short:?}");
}

#[test]
fn a_parapet_hides_men_from_those_below() {
    let lost = |parapet: f64, level: Level| {
        let mut kit = walled(15.0, 3);
        kit.rules.laws.shot.parapet.set(parapet);
        kit.unit(1, "halberd_foot", level, &[((151.0, WALL_Y), 50)]);
        kit.unit(0, "bowmen", Level::Ground, &row(5, 80.0));
        let mut field = Field::of(&kit, |_| {});
        field.until(12, |_| false);
        field.get::<Strength>().lost[0]
    };
    let (bare, hidden) = (lost(0.0, Level::Rampart), lost(0.65, Level::Rampart));
    assert!(bare > 10 && hidden * 3 < bare * 2, "{hidden} against {bare}");
}
