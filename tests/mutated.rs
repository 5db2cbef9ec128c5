//! Mutated files give findings or a battle that can be set up; never a panic, and
//! never a battle that would fill the memory.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nine_gates::scenario::findings::any_error;
use nine_gates::scenario::library::{Library, Sort, parse};
use nine_gates::scenario::load::Options;
use nine_gates::scenario::spans::Source;
use proptest::prelude::*;

/// Numbers that break things.
const EXTREME: &[&str] = &[
    "0",
    "-1",
    "-0.0",
    "1e308",
    "-1e308",
    "1e-308",
    "99999999999",
    "2147483647",
    "-2147483648",
    "65536",
    "256",
    "NaN",
    "inf",
    "-inf",
    "0.5",
    "1e9",
    "400000",
    "3",
    "\"\"",
    "None",
    "[]",
    "()",
];

fn base() -> &'static Library {
    static BASE: OnceLock<Library> = OnceLock::new();
    BASE.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut library = Library::open(root);
        library.add_mod(&root.join("tests").join("broken").join("base"));
        library
    })
}

/// The files of the base (scenario, map, record) and the rules that ship.
fn texts() -> &'static Vec<(PathBuf, Sort, String)> {
    static TEXTS: OnceLock<Vec<(PathBuf, Sort, String)>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let last = base().layers.last().expect("the base is the last layer");
        let rules = base().sheets(Sort::Rules);
        last.sheets
            .iter()
            .chain(rules)
            .map(|s| (s.path.clone(), s.sort, s.source.text.clone()))
            .collect()
    })
}

#[derive(Clone, Debug)]
enum Change {
    /// Bytes cut out.
    Cut(usize, usize),
    /// A number replaced.
    Number(usize, usize),
    /// Two lines swapped.
    Swap(usize, usize),
    /// A line doubled.
    Double(usize),
    /// A word replaced by another of the file.
    Word(usize, usize),
    /// A mark put in.
    Mark(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let any = 0..100_000_usize;
    prop_oneof![
        (any.clone(), 0..200_usize).prop_map(|(a, b)| Change::Cut(a, b)),
        (any.clone(), any.clone()).prop_map(|(a, b)| Change::Number(a, b)),
        (any.clone(), any.clone()).prop_map(|(a, b)| Change::Number(a, b)),
        (any.clone(), any.clone()).prop_map(|(a, b)| Change::Swap(a, b)),
        any.clone().prop_map(Change::Double),
        (any.clone(), any.clone()).prop_map(|(a, b)| Change::Word(a, b)),
        (any.clone(), any).prop_map(|(a, b)| Change::Mark(a, b)),
    ]
}

/// Stretches of a text whose characters all pass, starting where none did.
fn stretches(text: &str, pass: fn(char) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain(std::iter::once((text.len(), '\n'))) {
        match (start, pass(c) && i < text.len()) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                found.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn mutate(text: &str, change: &Change) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    if text.is_empty() {
        return String::new();
    }
    match change {
        Change::Cut(at, len) => {
            let from = boundary(at % text.len());
            let to = boundary(from + len);
            format!("{}{}", &text[..from], &text[to.max(from)..])
        }
        Change::Number(which, what) => {
            let all = stretches(text, |c| c.is_ascii_digit() || c == '.' || c == '-');
            let Some((from, to)) = all.get(which % all.len().max(1)) else {
                return text.to_string();
            };
            format!("{}{}{}", &text[..*from], EXTREME[what % EXTREME.len()], &text[*to..])
        }
        Change::Swap(a, b) => {
            let mut lines = lines;
            let n = lines.len();
            lines.swap(a % n, b % n);
            lines.join("\n")
        }
        Change::Double(a) => {
            let mut lines = lines;
            let n = lines.len();
            lines.insert(a % n, lines[a % n]);
            lines.join("\n")
        }
        Change::Word(a, b) => {
            let all = stretches(text, |c| c.is_alphabetic() || c == '_');
            let n = all.len().max(1);
            let (Some((from, to)), Some((f, t))) = (all.get(a % n), all.get(b % n)) else {
                return text.to_string();
            };
            format!("{}{}{}", &text[..*from], &text[*f..*t], &text[*to..])
        }
        Change::Mark(at, which) => {
            let at = boundary(at % text.len());
            let marks = [
                "(", ")", "[", "]", "{", "}", ",", ":", "\"", "//", "/*", "\\", "，", "r#\"", "#",
                "'",
            ];
            format!("{}{}{}", &text[..at], marks[which % marks.len()], &text[at..])
        }
    }
}

fn survives(path: &Path, sort: Sort, text: &str) -> Result<(), TestCaseError> {
    let started = Instant::now();
    let mut library = base().clone();
    library.put(parse(path, Some(sort), &Source::new(path.display().to_string(), text, None)));
    let checked = library.check();
    for finding in &checked.findings {
        // Every finding can be shown and points into its text.
        prop_assert!(finding.render(false).contains(finding.code));
        prop_assert!(finding.line >= 1 && finding.column >= 1);
    }
    for id in library.by_id(Sort::Scenario).keys() {
        let (battle, findings) = library.battle(id, &Options::default());
        prop_assert_eq!(
            battle.is_none(),
            any_error(&findings),
            "{} is neither whole nor at fault",
            id
        );
        if let Some(battle) = battle {
            let men: i64 = battle.units.iter().map(|u| i64::from(u.men)).sum();
            prop_assert!(men <= 400_000 && battle.site.cells() <= 1_000_000);
            prop_assert!(battle.units.iter().all(|u| u.men > 0));
            // It can be drawn up: every company finds a node.
            let (roster, plan) = nine_gates::sim::muster::draw_up(
                &battle,
                &nine_gates::sim::laws::LawSet::default(),
            );
            prop_assert!(roster.len() == plan.node.len());
        }
    }
    prop_assert!(started.elapsed() < Duration::from_secs(20), "took {:?}", started.elapsed());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_text_gives_findings_or_a_battle(which in 0..12_usize, changes in prop::collection::vec(change(), 1..4)) {
        // The base's own files more often.
        let which = if which < 8 { which % 3 } else { which - 5 };
        let (path, sort, text) = &texts()[which % texts().len()];
        let mutated = changes.iter().fold(text.clone(), |text, change| mutate(&text, change));
        survives(path, *sort, &mutated)?;
    }

    #[test]
    fn rubbish_gives_findings(bytes in "[ -~\u{4e00}-\u{4e20}\n()\\[\\]{}\",:]{0,300}") {
        let (path, sort, _) = &texts()[0];
        survives(path, *sort, &bytes)?;
    }
}
