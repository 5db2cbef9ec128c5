//! The same scenario, seed and orders give the same digests: on every run, on any
//! number of cores, wherever turns end, in every build profile.

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nine_gates::replay::format::Replay;
use nine_gates::replay::record::{self, Made};
use nine_gates::replay::verify::{Verified, verify};
use nine_gates::scenario::battle::Scenario;
use nine_gates::sim::Battle;
use nine_gates::sim::laws::LawSet;
use nine_gates::study::run::{self, Plan};

/// Companies of the test battle: small, but with every law at work.
const COMPANIES: i32 = 96;
/// Pulses that tests fight: five minutes.
const PULSES: u32 = 100;

/// Fights the test battle with turns that end at these pulses.
fn fought(scenario: &Arc<Scenario>, seed: u64, turns: &[u32]) -> Replay {
    let mut battle = Battle::new(Arc::clone(scenario), seed, LawSet::default());
    let mut replay = Replay::begin(scenario, seed, Made::default());
    let mut orders = common::onset(scenario);
    for last in turns {
        battle.order(&orders);
        record::step_to(&mut battle, *last);
        replay.add_turn(&battle, std::mem::take(&mut orders));
    }
    replay.checksum = replay.sum();
    replay
}

fn last_digest(replay: &Replay) -> (&str, u64) {
    replay.turns.last().map(|t| (t.digest.as_str(), t.draws)).expect("a turn was fought")
}

#[test]
fn the_same_seed_gives_the_same_digests_and_another_does_not() {
    let scenario = common::hosts(COMPANIES);
    let turns = [20, 40, 60, 80, PULSES];
    let first = fought(&scenario, 3, &turns);
    assert_eq!(first, fought(&scenario, 3, &turns));
    assert_ne!(last_digest(&first), last_digest(&fought(&scenario, 4, &turns)));
    assert!(last_digest(&first).1 > 0, "the battle rolls dice");
}

#[test]
fn where_turns_end_changes_nothing() {
    let scenario = common::hosts(COMPANIES);
    let even = fought(&scenario, 3, &[25, 50, 75, PULSES]);
    let odd = fought(&scenario, 3, &[1, 2, 3, 17, 71, PULSES]);
    let whole = fought(&scenario, 3, &[PULSES]);
    assert_eq!(last_digest(&even), last_digest(&odd));
    assert_eq!(last_digest(&even), last_digest(&whole));
}

#[test]
fn a_replay_verifies_and_a_fork_goes_on_alike() {
    let scenario = common::hosts(COMPANIES);
    let off = LawSet::default();
    let replay = fought(&scenario, 3, &[20, 40, PULSES]);
    let read = Replay::from_text(&replay.text()).expect("what we write we read");
    assert_eq!(read, replay);
    let Verified::Same { turns, digest } = verify(&read, &scenario, &off, &mut |_| true) else {
        panic!("a replay differs from itself");
    };
    assert_eq!((turns, digest.as_str()), (3, last_digest(&replay).0));
    let mut battle = read.fork(2).resume(&scenario, &off);
    assert_eq!(battle.pulse(), 40);
    record::step_to(&mut battle, PULSES);
    assert_eq!(record::turn(&battle, Vec::new()).digest, last_digest(&replay).0);
}

/// Every digit of the file, changed one at a time: found, with turn and room, or
/// the file is refused. Never the same, never a panic.
#[test]
fn one_changed_digit_is_found() {
    let scenario = common::hosts(24);
    let off = LawSet::default();
    let text = fought(&scenario, 3, &[4, 8]).text();
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
    let mut rooms = std::collections::BTreeSet::new();
    // Every digit near the end, where digests stand; a stride over the rest.
    for (n, at) in digits.iter().enumerate().filter(|(n, _)| n % 7 == 0) {
        let old = text.as_bytes()[*at];
        let new = if old == b'9' { b'0' } else { old + 1 };
        let mut bytes = text.clone().into_bytes();
        bytes[*at] = new;
        let changed = String::from_utf8(bytes).expect("digits are text");
        let Ok(replay) = Replay::from_text(&changed) else { continue };
        match verify(&replay, &scenario, &off, &mut |_| true) {
            Verified::Same { .. } | Verified::Stopped { .. } => {
                panic!("digit {n} at byte {at} was changed and not found")
            }
            Verified::Differs(d) => {
                assert!(d.turn <= 2 && !d.room.is_empty());
                rooms.insert(d.room);
            }
        }
    }
    assert!(rooms.len() >= 3, "differences are told apart by room: {rooms:?}");
}

/// A digit of one room's digest in one turn names this turn and this room.
#[test]
fn a_difference_is_placed() {
    let scenario = common::hosts(24);
    let mut replay = fought(&scenario, 3, &[4, 8, 12]);
    let (room, digest) = replay.turns[1].rooms[0].clone();
    replay.turns[1].rooms[0].1 = "0123456789abcdef".into();
    let Verified::Differs(d) = verify(&replay, &scenario, &LawSet::default(), &mut |_| true) else {
        panic!("not found");
    };
    assert_eq!(
        (d.turn, d.room, d.expected.as_str(), d.found),
        (2, room, "0123456789abcdef", digest)
    );
}

#[test]
fn a_study_is_the_same_on_any_number_of_cores() {
    let scenario = common::hosts(COMPANIES);
    let study = |jobs, shard| {
        let plan =
            Plan { seeds: 6, from: 1, jobs, shard, inputs: "fixed".into(), ..Plan::default() };
        let load = |_| Ok::<_, ()>(Arc::clone(&scenario));
        let mut report = run::study(&plan, &load, &AtomicBool::new(false), &|| {}).expect("loads");
        (report.seconds, report.peak_rss_mib, report.company_pulses_per_second) = (0.0, None, 0);
        report
    };
    let one = study(1, None);
    assert_eq!(one, study(2, None));
    assert_eq!(one.runs.len(), 6);
    let mut joined =
        nine_gates::study::report::merge(&[study(2, Some([2, 2])), study(2, Some([1, 2]))])
            .expect("joins");
    joined.company_pulses_per_second = 0;
    assert_eq!(one, joined);
}

/// Digests of a battle, kept on file: a debug and an optimised build, and every
/// later run, must come to them. `UPDATE_GOLDEN=1` writes them anew after a rule
/// was changed on purpose.
#[test]
fn digests_are_those_on_file() {
    let scenario = common::hosts(COMPANIES);
    let replay = fought(&scenario, 3, &[20, 40, 60, 80, PULSES]);
    let mut text = String::new();
    for (i, turn) in replay.turns.iter().enumerate() {
        text.push_str(&format!(
            "turn {} pulse {} draws {} total {}\n",
            i + 1,
            turn.last_pulse,
            turn.draws,
            turn.digest
        ));
        for (room, digest) in &turn.rooms {
            text.push_str(&format!("  {room} {digest}\n"));
        }
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/replays/golden.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("tests can be written");
        std::fs::write(&path, &text).expect("tests/replays can be written");
    }
    let kept = match std::fs::read_to_string(&path) {
        Ok(kept) => kept,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: no digests are on file yet; UPDATE_GOLDEN=1 writes them");
            return;
        }
        Err(e) => panic!("tests/replays/golden.txt: {e}"),
    };
    assert_eq!(
        text, kept,
        "digests differ; if a rule was changed on purpose, run with UPDATE_GOLDEN=1"
    );
}
