//! The first battle comes out otherwise when what decides it is otherwise: each on
//! the same dice as the battle by the record. Forty battles a variant, so only
//! where `NINE_GATES_RECORDS` is set (`./check --records`): 1 for forty seeds, a
//! larger number for as many. Every figure that decides is printed.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use nine_gates::core::ids::{AreaId, CorpsId, SideId};
use nine_gates::orders::ast::{Act, Cond, Event, GateOrder, Line, Sel, Who};
use nine_gates::scenario::battle::Scenario;
use nine_gates::scenario::library::Library;
use nine_gates::scenario::load::Options;
use nine_gates::scenario::record::{Class, Gauge, Kind, Moment, Quantity};
use nine_gates::sim::Battle;
use nine_gates::sim::journal::Happening;
use nine_gates::study::gauge::Probe;
use nine_gates::study::report::{Report, Value};
use nine_gates::study::run::{self, Orders, Plan};
use nine_gates::study::{stats, without};
use rayon::prelude::*;

const BATTLE: &str = "guan_yu_sortie";
const SEEDS: u64 = 40;
/// Seconds by which the gate is shut earlier or later.
const EARLIER_LATER_S: i32 = 60;
/// The time in the patch file that the test replaces.
const PATCH_TIME: &str = "26:00";

/// How many seeds to fight; none where the long tests were not asked for.
fn seeds(test: &str) -> Option<u64> {
    match std::env::var("NINE_GATES_RECORDS").ok().and_then(|n| n.parse::<u64>().ok()) {
        Some(0) | None => {
            println!("{test}: skipped, since NINE_GATES_RECORDS is not set");
            None
        }
        Some(1) => Some(SEEDS),
        Some(n) => Some(n),
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What ships, without anybody's mods.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| Library::open(&root()))
}

fn load(options: &Options) -> Arc<Scenario> {
    library().scenario(BATTLE, options).unwrap_or_else(|found| panic!("{found:#?}"))
}

/// What a battle is compared by.
#[derive(Clone, Debug)]
struct Fought {
    /// Second at which the gate was ordered shut.
    ordered_s: Option<i32>,
    /// Men of the sortie inside when the gate was shut; none if it never was.
    home: Option<f64>,
    /// Enemies inside when it was shut, or if it never was, at the end.
    enemies_in: f64,
    /// The enemy's loss at the end.
    loss: f64,
}

/// The line that shuts the gate.
fn shuts(line: &Line) -> bool {
    line.acts.iter().any(|act| matches!(act, Act::Gate(GateOrder::Shut)))
}

fn fight(scenario: &Arc<Scenario>, seed: u64, words: &[&str]) -> Fought {
    let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
    let off = without::resolve(&words, &scenario.rules).expect("known kinds");
    let lines = Orders::Record.lines(scenario);
    let label = &lines.iter().find(|l| shuts(l)).expect("the record shuts the gate").label;
    let gate = scenario.gates[0].work;
    let side =
        |id: &str| SideId(scenario.sides.iter().position(|s| s.id == id).expect("a side") as u8);
    let city = AreaId::from_index(
        scenario.site.areas.iter().position(|a| a.id == "city").expect("a city"),
    );
    let corps = scenario.corps.iter().position(|c| c.id == "iron_horse_corps").expect("the sortie");
    let (cao, sortie) =
        (Sel::of(Who::Side(side("cao"))), Sel::of(Who::Corps(CorpsId::from_index(corps))));
    let inside = Sel { area: Some(city), ..cao.clone() };
    let shut = Moment::First(Cond::Event(Event::Shut(gate)));
    let gauges = [
        Gauge::At(shut.clone(), Quantity::Inside(sortie, gate)),
        Gauge::At(shut, Quantity::Men(inside.clone())),
        Gauge::At(Moment::End, Quantity::Men(inside)),
        Gauge::At(Moment::End, Quantity::Lost(cao)),
    ];
    let mut probe = Probe::new(gauges.iter().map(|g| (Some(g), None)), scenario.pulse_s);
    let mut battle = Battle::new(Arc::clone(scenario), seed, off);
    battle.order(&lines);
    probe.look(&battle.truth());
    let mut goes_on = true;
    while goes_on {
        goes_on = battle.step();
        probe.look(&battle.truth());
    }
    let ordered = battle.journal().iter().find_map(|entry| match &entry.what {
        Happening::OrderTaken { label: taken, .. } if taken == label => Some(entry.pulse),
        _ => None,
    });
    let numbers: Vec<Option<f64>> =
        probe.finish(&battle.truth()).into_iter().map(Value::number).collect();
    Fought {
        ordered_s: ordered.map(|pulse| pulse as i32 * scenario.pulse_s),
        home: numbers[0],
        enemies_in: numbers[1].or(numbers[2]).unwrap_or_default(),
        loss: numbers[3].unwrap_or_default(),
    }
}

fn all(seeds: u64, one: impl Fn(u64) -> Fought + Sync + Send) -> Vec<Fought> {
    (1..=seeds).into_par_iter().map(one).collect()
}

/// The battles by the record, fought once for all tests.
fn base(seeds: u64) -> &'static [Fought] {
    static BASE: OnceLock<Vec<Fought>> = OnceLock::new();
    BASE.get_or_init(|| {
        let scenario = load(&Options::default());
        all(seeds, |seed| fight(&scenario, seed, &[]))
    })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let sorted = stats::sorted(&values.map(Some).collect::<Vec<_>>());
    stats::percentile(&sorted, 50.0).expect("battles were fought")
}

/// The battles with the gate ordered shut so many seconds after each one's own
/// order. Those in which it was never ordered are fought as they were.
fn shut_after(seeds: u64, seconds: i32) -> Vec<Fought> {
    let patch = std::fs::read_to_string(root().join("tests/variants/shut_at.ron"))
        .expect("the patch is there");
    assert!(patch.contains(PATCH_TIME), "the patch says {PATCH_TIME}");
    let folder = tempfile::tempdir().expect("a folder");
    all(seeds, |seed| {
        let before = &base(seeds)[seed as usize - 1];
        let Some(at) = before.ordered_s else { return before.clone() };
        let at = (at + seconds).max(0);
        let time = format!("{:02}:{:02}", at / 60, at % 60);
        let path = folder.path().join(format!("shut_{seed}_{at}.ron"));
        std::fs::write(&path, patch.replace(PATCH_TIME, &time)).expect("written");
        let fought = fight(&load(&patched(&path)), seed, &[]);
        // The patch did what it says: to the pulse.
        let ordered = fought.ordered_s.expect("a time of the clock always comes");
        assert!((ordered - at).abs() <= 6, "seed {seed}: ordered at {ordered} s for {at} s");
        fought
    })
}

fn patched(path: &Path) -> Options {
    Options { patches: vec![path.to_owned()], ..Options::default() }
}

/// The patch file is sound as it stands, and changes the line that it means.
#[test]
fn the_patch_moves_the_order() {
    let scenario = load(&patched(&root().join("tests/variants/shut_at.ron")));
    let line =
        Orders::Record.lines(&scenario).into_iter().find(shuts).expect("the record shuts the gate");
    assert_eq!(line.when, Cond::At(26 * 60));
}

#[test]
fn without_engines_the_enemy_loses_a_quarter_less() {
    let Some(seeds) = seeds("without engines") else { return };
    let scenario = load(&Options::default());
    let without = all(seeds, |seed| fight(&scenario, seed, &["crossbow_cart", "stone_thrower"]));
    let [with, without] = [base(seeds), &without].map(|all| median(all.iter().map(|f| f.loss)));
    println!(
        "enemy's median loss: {with:.0}, without carts and throwers {without:.0} ({:+.0} %)",
        100.0 * (without / with - 1.0)
    );
    assert!(without <= 0.75 * with, "{without:.0} of {with:.0}");
}

/// Men of the sortie who are not inside when the gate is shut.
fn left_out(all: &[Fought], of: f64) -> f64 {
    median(all.iter().map(|f| of - f.home.unwrap_or_default()))
}

#[test]
fn shut_a_minute_earlier_more_of_the_sortie_are_lost() {
    let Some(seeds) = seeds("shut earlier") else { return };
    let scenario = load(&Options::default());
    let of: i32 = scenario
        .units
        .iter()
        .filter(|u| scenario.corps[u.corps.index()].id == "iron_horse_corps")
        .map(|u| u.men)
        .sum();
    let of = f64::from(of);
    let earlier = shut_after(seeds, -EARLIER_LATER_S);
    let (before, after) = (left_out(base(seeds), of), left_out(&earlier, of));
    let pairs = || base(seeds).iter().zip(&earlier);
    let more = pairs().filter(|(b, e)| e.home < b.home).count();
    let fewer = pairs().filter(|(b, e)| e.home > b.home).count();
    println!(
        "of {of:.0} of the sortie, median lost: {before:.0}, shut a minute earlier {after:.0}; more in {more}, fewer in {fewer} of {seeds}"
    );
    assert!(
        after > before && more > fewer,
        "{after:.0} against {before:.0}; more in {more}, fewer in {fewer}"
    );
}

#[test]
fn held_open_a_minute_longer_enemies_get_in() {
    let Some(seeds) = seeds("held open") else { return };
    let later = shut_after(seeds, EARLIER_LATER_S);
    let count = |all: &[Fought]| all.iter().filter(|f| f.enemies_in > 0.0).count();
    let (before, after) = (count(base(seeds)), count(&later));
    let [men, men_later] =
        [base(seeds), &later].map(|all| median(all.iter().map(|f| f.enemies_in)));
    println!(
        "enemies inside when the gate is shut: in {before} of {seeds} (median {men:.0}), held open a minute longer in {after} (median {men_later:.0})"
    );
    assert!(
        after > before && after as u64 * 4 >= seeds,
        "in {after} of {seeds}, by the record in {before}"
    );
}

fn study(seeds: u64, orders: Orders, options: &Options) -> Report {
    let scenario = load(options);
    let plan = Plan { seeds, from: 1, orders, inputs: "fixed".into(), ..Plan::default() };
    let load = |_| Ok::<_, ()>(Arc::clone(&scenario));
    run::study(&plan, &load, &AtomicBool::new(false), &|| {}).expect("loads")
}

/// The study by the record, fought once.
fn by_record(seeds: u64) -> &'static Report {
    static STUDY: OnceLock<Report> = OnceLock::new();
    STUDY.get_or_init(|| study(seeds, Orders::Record, &Options::default()))
}

fn outcomes_held(report: &Report) -> (usize, usize) {
    let judged: Vec<bool> = report
        .statements
        .iter()
        .filter(|s| s.class == Class::Outcome)
        .filter_map(|s| s.holds)
        .collect();
    (judged.iter().filter(|h| **h).count(), judged.len())
}

#[test]
fn by_doctrine_fewer_statements_hold() {
    let Some(seeds) = seeds("doctrine") else { return };
    let (record, of) = outcomes_held(by_record(seeds));
    let (doctrine, _) = outcomes_held(&study(seeds, Orders::Doctrine, &Options::default()));
    println!(
        "outcomes that hold: {record} of {of} by the record's orders, {doctrine} by the doctrine's"
    );
    assert!(doctrine < record);
}

/// Laws are per metre, man and second: other cells and pulses, the same counts.
#[test]
fn other_cells_give_the_same_medians() {
    let Some(seeds) = seeds("cells") else { return };
    let grid = |cell_m, pulse_s| Options {
        cell_m: Some(cell_m),
        pulse_s: Some(pulse_s),
        ..Options::default()
    };
    let reports = [grid(10.0, 2), grid(15.0, 3), grid(20.0, 4)]
        .map(|options| study(seeds, Orders::Record, &options));
    let mut apart = Vec::new();
    for (i, line) in reports[1].statements.iter().enumerate() {
        if line.class != Class::Outcome || line.kind != Kind::Count {
            continue;
        }
        let medians = reports.each_ref().map(|r| r.statements[i].median);
        println!("{} medians at 10, 15 and 20 m: {medians:?}", line.label());
        let numbers: Vec<f64> = medians.iter().flatten().copied().collect();
        let within =
            |x: f64| numbers.len() == 3 && (x - numbers[1]).abs() <= 0.1 * numbers[1].abs();
        if !(numbers.len() == 3 && numbers.iter().all(|x| within(*x))) {
            apart.push(format!("{}: {medians:?}", line.label()));
        }
    }
    assert!(apart.is_empty(), "medians more than a tenth apart: {apart:#?}");
}
