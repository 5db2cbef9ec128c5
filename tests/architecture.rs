//! The walls of the house, kept by reading `src/` as text.
//!
//! What may import what, which words a rule may not use, how a room is built, how
//! long a file may be, and that nobody's name and no document's sentence stands in
//! the code. Each wall is also breached here, in made-up files, to show that the
//! alarm rings. Needs nothing but the standard library.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "architecture/breaches.rs"]
mod breaches;
#[path = "architecture/code.rs"]
mod code;

use breaches::{ROOM, breached};
use code::{Token, paths, tokens, without_tests};

// --- The walls, as data ---------------------------------------------------------

/// What the files of a part of the house may import of ours: whole modules, or
/// single names. Everything may import itself. A part that is not listed fails.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("orders", &["core", "scenario::catalogue", "scenario::battle", "scenario::site"]),
    ("scenario", &["core", "orders::ast"]),
    ("sim", &["core", "scenario", "orders"]),
    // A session in play measures the record's statements as it goes.
    (
        "view",
        &[
            "core",
            "scenario",
            "orders",
            "study::gauge",
            "study::judge",
            "study::report",
            "study::run",
            SIM_FACADE,
        ],
    ),
    ("replay", &["core", "scenario", "orders", SIM_FACADE]),
    ("ai", &["core", "scenario", "orders", "view", "sim::known"]),
    ("study", &["core", "scenario", "orders", "replay", "ai", "locale", SIM_FACADE]),
    ("locale", &["core", "scenario"]),
    ("front", &["core", "scenario", "orders", "view", "replay", "ai", "study", "locale"]),
    (
        "cli",
        &[
            "core", "scenario", "orders", "view", "replay", "ai", "study", "locale", "front",
            SIM_FACADE,
        ],
    ),
    ("main", &["cli"]),
];

/// Stands for [`FACADE`] in the table above.
const SIM_FACADE: &str = "sim";

/// What of the simulation others may name: the battle, its frames and its journal.
/// Never a room, a phase, muster or the schedule. (`board` is the plain types that
/// frames are made of; its resources cannot be reached without the world.)
const FACADE: &[&str] = &[
    "sim::Battle",
    "sim::Digests",
    "sim::Verdict",
    "sim::board",
    "sim::journal",
    "sim::judge",
    "sim::known",
    "sim::lands",
    "sim::laws",
    "sim::truth",
];

/// Crates that only a part of the house may use.
const CRATES: &[(&str, &[&str], &str)] = &[
    ("bevy_ecs", &["sim"], "the battle's world is private to the simulation"),
    ("bevy", &["front"], "the window is the front's alone"),
    ("bevy_egui", &["front"], "the window is the front's alone"),
    ("egui", &["front"], "the window is the front's alone"),
    ("egui_extras", &["front"], "the window is the front's alone"),
    ("egui_plot", &["front"], "the window is the front's alone"),
    ("rand", &["core"], "a battle's dice are `core::dice`"),
    ("clap", &["cli"], "arguments are the command line's alone"),
    ("rayon", &["study", "cli", "ai"], "battles run beside each other, never inside"),
];

/// Words that a part of the house may not use, and why.
const BANNED: &[(&[&str], &[&str], &str)] = &[
    (
        &["core", "orders", "sim"],
        &["f32"],
        "state is integer; formulas use f64, one precision everywhere",
    ),
    (
        &["core", "orders", "sim"],
        &["HashMap", "HashSet", "DefaultHasher", "RandomState"],
        "their order differs from run to run: use dense arrays or a BTreeMap",
    ),
    (
        &["core", "orders", "sim"],
        &["Instant", "SystemTime", "thread_rng", "ThreadRng", "SmallRng", "StdRng", "rand_distr"],
        "a battle knows no clock but its own and no dice but its own",
    ),
    (
        &["core", "orders", "sim"],
        &["par_iter", "par_iter_mut", "into_par_iter", "spawn_blocking"],
        "one thread a battle: battles run beside each other",
    ),
    (
        &["sim"],
        &["add_observer", "MessageReader", "MessageWriter", "EventReader", "EventWriter", "On"],
        "observers and messages are for the front, never for rules",
    ),
    (&["orders", "replay"], &["Entity"], "an entity's number means nothing in another run"),
];

/// Macros and functions that print; only the command line may.
const PRINTS: &[&str] = &["println", "eprintln", "print", "eprint", "dbg"];

/// Names that belong into scenarios, seeds and mods. Latin ones stand at a word's
/// beginning; upper and lower case are alike.
const NAMES: &[&str] = &[
    "guan_yu",
    "guan yu",
    "guanyu",
    "ma_liang",
    "ma liang",
    "cao_",
    "cao zhi",
    "cao's",
    "luoyang",
    "hanwei",
    "goguryeo",
    "koguryo",
    "pyongyang",
    "yongtong",
    "yanchun",
    "li shimin",
    "xue wanche",
    "fang xuanling",
    "liu shili",
    "zhao rui",
    "wang shichong",
    "li mi",
    "关羽",
    "马良",
    "曹植",
    "曹军",
    "曹",
    "洛阳",
    "高句丽",
    "平壤",
    "永通",
    "延春",
    "李世民",
    "薛万彻",
    "房玄龄",
    "刘师立",
    "赵瑞",
    "段志玄",
    "王世充",
    "铁骑",
];

/// Rooms that keep nothing from pulse to pulse: they read the board and put requests
/// into queues, so there is nothing of theirs to digest.
const STATELESS: &[&str] = &["blows"];

/// Lines of a file at which it is named, and at which it fails.
const LONG: usize = 500;
const TOO_LONG: usize = 700;
/// Files known to be too long, with the length that they may not pass: a debt to
/// pay off, never to add to.
const DEBTS: [(&str, usize); 0] = [];

/// Chinese characters in a row that count as a sentence of a document.
const SENTENCE: usize = 12;

// --- Findings -------------------------------------------------------------------

/// The rules of this file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rule {
    Import,
    UnknownPart,
    Crate,
    RoomImportsRoom,
    Word,
    Prints,
    Name,
    Length,
    RoomCharter,
    RoomShape,
    Sentence,
}

const RULES: [Rule; 11] = [
    Rule::Import,
    Rule::UnknownPart,
    Rule::Crate,
    Rule::RoomImportsRoom,
    Rule::Word,
    Rule::Prints,
    Rule::Name,
    Rule::Length,
    Rule::RoomCharter,
    Rule::RoomShape,
    Rule::Sentence,
];

#[derive(Debug)]
struct Finding {
    rule: Rule,
    file: String,
    line: usize,
    what: String,
}

fn told(findings: &[Finding]) -> String {
    findings.iter().fold(String::new(), |mut out, f| {
        let _ = writeln!(out, "{}:{}: {:?}: {}", f.file, f.line, f.rule, f.what);
        out
    })
}

/// A source file by its path from the repository's root, `/` between the parts.
struct File {
    path: String,
    text: String,
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// The module that it is: `src/sim/rooms/heart.rs` is `sim::rooms::heart`.
    fn module(&self) -> Vec<&str> {
        let path = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let path = path.strip_suffix(".rs").unwrap_or(path);
        let mut parts: Vec<&str> = path.split('/').collect();
        if parts.last() == Some(&"mod") || parts == ["lib"] {
            parts.pop();
        }
        parts
    }

    /// Tests stand outside of the walls.
    fn is_test(&self) -> bool {
        self.module().iter().any(|part| *part == "tests" || part.ends_with("_tests"))
    }

    /// The room that it belongs to.
    fn room(&self) -> Option<&str> {
        match self.module()[..] {
            ["sim", "rooms", room, ..] => Some(room),
            _ => None,
        }
    }
}

// --- The rules ------------------------------------------------------------------

fn within(path: &[String], wall: &str) -> bool {
    let wall: Vec<&str> = wall.split("::").collect();
    path.len() >= wall.len() && path.iter().zip(&wall).all(|(a, b)| a == b)
}

fn allowed(path: &[String], may: &[&str]) -> bool {
    may.iter().any(|wall| {
        if *wall == SIM_FACADE {
            FACADE.iter().any(|name| within(path, name))
        } else {
            within(path, wall)
        }
    })
}

/// Rooms of these files.
fn rooms(files: &[File]) -> BTreeSet<&str> {
    files.iter().filter_map(File::room).collect()
}

/// Everything that breaches a wall.
fn breached_by(files: &[File]) -> Vec<Finding> {
    let rooms = rooms(files);
    let mut found = Vec::new();
    for file in files {
        file_length(file, &mut found);
        names(file, &mut found);
        room_charter(file, &mut found);
        if file.is_test() {
            continue;
        }
        let tokens = without_tests(tokens(&file.text));
        room_shape(file, &tokens, &mut found);
        imports(file, &tokens, &rooms, &mut found);
        words(file, &tokens, &mut found);
    }
    found
}

fn file_length(file: &File, found: &mut Vec<Finding>) {
    let lines = file.text.lines().count();
    let debt =
        DEBTS.iter().find(|(path, _)| *path == file.path).map_or(TOO_LONG, |(_, most)| *most);
    if lines > debt {
        let what = format!("{lines} lines; {LONG} is long, {TOO_LONG} the end: take it apart");
        found.push(Finding { rule: Rule::Length, file: file.path.clone(), line: lines, what });
    }
}

fn names(file: &File, found: &mut Vec<Finding>) {
    for (n, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        for name in NAMES {
            let stands = lower.match_indices(name).any(|(at, _)| {
                !name.is_ascii()
                    || !lower[..at]
                        .chars()
                        .next_back()
                        .is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            if stands {
                let what = format!("`{name}` belongs into a scenario, a record or a mod");
                found.push(Finding {
                    rule: Rule::Name,
                    file: file.path.clone(),
                    line: n + 1,
                    what,
                });
            }
        }
    }
}

fn room_charter(file: &File, found: &mut Vec<Finding>) {
    if file.room().is_some() && !file.is_test() && !file.text.starts_with("//!") {
        let what = "a room's file begins with its charter, `//!`".to_owned();
        found.push(Finding { rule: Rule::RoomCharter, file: file.path.clone(), line: 1, what });
    }
}

fn room_shape(file: &File, tokens: &[Token<'_>], found: &mut Vec<Finding>) {
    let module = file.module();
    if module.len() != 3 || file.room().is_none() {
        return;
    }
    for wanted in ["install", "digest"] {
        if wanted == "digest" && file.room().is_some_and(|room| STATELESS.contains(&room)) {
            continue;
        }
        let there = tokens
            .windows(3)
            .any(|t| t[0].text == "pub" && t[1].text == "fn" && t[2].text == wanted);
        if !there {
            let what = format!("a room has `pub fn {wanted}`");
            found.push(Finding { rule: Rule::RoomShape, file: file.path.clone(), line: 1, what });
        }
    }
}

fn imports(file: &File, tokens: &[Token<'_>], rooms: &BTreeSet<&str>, found: &mut Vec<Finding>) {
    let module = file.module();
    let Some(&part) = module.first() else { return };
    let mut told = BTreeSet::new();
    let mut say = |rule: Rule, line: usize, what: String| {
        if told.insert((line, what.clone())) {
            found.push(Finding { rule, file: file.path.clone(), line, what });
        }
    };
    let Some((_, may)) = MAY_IMPORT.iter().find(|(name, _)| *name == part) else {
        say(Rule::UnknownPart, 1, format!("`{part}` is no part of the house: add it to the table"));
        return;
    };
    for (path, line) in paths(&module, tokens) {
        let shown = path.join("::");
        if path.first().is_none_or(|p| p != "crate") {
            let outer = path.first().map_or("", String::as_str);
            if let Some((name, homes, why)) = CRATES.iter().find(|(name, ..)| *name == outer)
                && !homes.contains(&part)
            {
                say(Rule::Crate, line, format!("`{name}` is for {homes:?}: {why}"));
            }
            continue;
        }
        let ours = &path[1..];
        let Some(target) = ours.first() else { continue };
        if target != part {
            if MAY_IMPORT.iter().any(|(name, _)| name == target) && !allowed(ours, may) {
                say(Rule::Import, line, format!("`{part}` may not import `{shown}`"));
            }
        } else if let Some(own) = file.room()
            && let [_, inner, room, ..] = ours
            && inner == "rooms"
            && room != own
            && rooms.contains(room.as_str())
        {
            say(Rule::RoomImportsRoom, line, format!("the room `{own}` imports the room `{room}`"));
        }
    }
}

fn words(file: &File, tokens: &[Token<'_>], found: &mut Vec<Finding>) {
    let module = file.module();
    let part = module.first().copied().unwrap_or("lib");
    for (n, token) in tokens.iter().enumerate() {
        for (parts, words, why) in BANNED {
            let suffixed = words.contains(&"f32")
                && token.text.starts_with(|c: char| c.is_ascii_digit())
                && token.text.ends_with("f32");
            if parts.contains(&part) && (words.contains(&token.text) || suffixed) {
                let what = format!("`{}`: {why}", token.text);
                found.push(Finding {
                    rule: Rule::Word,
                    file: file.path.clone(),
                    line: token.line,
                    what,
                });
            }
        }
        let next = tokens.get(n + 1).map_or("", |t| t.text);
        let before = n.checked_sub(1).map_or("", |n| tokens[n].text);
        let prints = (PRINTS.contains(&token.text) && next == "!")
            || (matches!(token.text, "stdout" | "stderr") && next == "(" && before == "::");
        if prints && part != "cli" {
            let what = format!("`{}`: only the command line prints", token.text);
            found.push(Finding {
                rule: Rule::Prints,
                file: file.path.clone(),
                line: token.line,
                what,
            });
        }
    }
}

// --- Sentences of the documents -------------------------------------------------

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// Chinese punctuation and white space do not end a sentence that was copied.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}' | '“' | '”' | '‘' | '’' | '…' | '—' | '·')
}

/// Every `SENTENCE` Chinese characters in a row, with the line of the first.
fn runs(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut run: Vec<(char, usize)> = Vec::new();
    let mut line = 1;
    for c in text.chars() {
        if is_han(c) {
            run.push((c, line));
            if run.len() >= SENTENCE {
                let last = &run[run.len() - SENTENCE..];
                found.push((last.iter().map(|(c, _)| *c).collect(), last[0].1));
            }
        } else if !is_between(c) {
            run.clear();
        }
        line += usize::from(c == '\n');
    }
    found
}

fn copied(documents: &[String], files: &[File]) -> Vec<Finding> {
    let known: BTreeSet<String> =
        documents.iter().flat_map(|d| runs(d)).map(|(run, _)| run).collect();
    let mut found = Vec::new();
    for file in files {
        let mut last = 0;
        for (run, line) in runs(&file.text) {
            if line != last && known.contains(&run) {
                let what = format!("“{run}” stands in a source document");
                found.push(Finding { rule: Rule::Sentence, file: file.path.clone(), line, what });
                last = line;
            }
        }
    }
    found
}

// --- The repository -------------------------------------------------------------

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Folders of builds and of tools, and what is written where the game runs.
const NOT_OURS: &[&str] = &["target", ".git", ".venv", "saves", "studies", "node_modules"];

fn gather(folder: &Path, base: &Path, keep: &dyn Fn(&str) -> bool, out: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("").to_owned();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                gather(&path, base, keep, out);
            }
        } else if keep(&name)
            && let Ok(text) = fs::read_to_string(&path)
        {
            let shown = path.strip_prefix(base).unwrap_or(&path);
            let shown =
                shown.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>();
            out.push(File { path: shown.join("/"), text });
        }
    }
}

fn sources() -> Vec<File> {
    let mut files = Vec::new();
    gather(&root().join("src"), &root(), &|name| name.ends_with(".rs"), &mut files);
    assert!(files.len() > 10, "src is not where it should be: {} files", files.len());
    files
}

// --- Tests ----------------------------------------------------------------------

#[test]
fn the_walls_stand() {
    let files = sources();
    let long: Vec<String> = files
        .iter()
        .map(|f| (f.text.lines().count(), &f.path))
        .filter(|(lines, _)| *lines > LONG)
        .map(|(lines, path)| format!("{lines} {path}"))
        .collect();
    if !long.is_empty() {
        // Seen with `--nocapture`, and beside a failure.
        println!("Over {LONG} lines:\n  {}", long.join("\n  "));
    }
    let found = breached_by(&files);
    assert!(found.is_empty(), "{} breaches of the walls:\n{}", found.len(), told(&found));
}

/// One breach for each rule and each row of the tables; each must be found, and
/// nothing else must be.
#[test]
fn every_breach_is_found() {
    let mut shown = BTreeSet::new();
    for (rule, files) in breached() {
        let found = breached_by(&files);
        assert!(
            found.len() == 1 && found[0].rule == rule,
            "expected one {rule:?} in {}:\n{}\nfound:\n{}",
            files[0].path,
            files[0].text.lines().take(12).collect::<Vec<_>>().join("\n"),
            told(&found)
        );
        shown.insert(rule);
    }
    let document = "城门初开之时诸军鱼贯而入，不得喧哗。".to_owned();
    let copy = File::new("scenarios/x.ron", "(zh: \"城门初开，之时诸军鱼贯而入\")");
    let found = copied(std::slice::from_ref(&document), &[copy]);
    assert!(found.len() == 1 && found[0].rule == Rule::Sentence, "{}", told(&found));
    shown.insert(Rule::Sentence);
    let unshown: Vec<Rule> = RULES.into_iter().filter(|r| !shown.contains(r)).collect();
    assert!(unshown.is_empty(), "no breach was tried of {unshown:?}");
}

#[test]
fn what_is_right_is_left_alone() {
    let files = [
        File::new(
            "src/sim/rooms/heart.rs",
            &format!(
                "{ROOM}//! f32, HashMap and println! in words are no breach; nor is 'a' or '\"'.\n\
                 /* Instant /* nested */ SystemTime */\n\
                 use bevy_ecs::prelude::*;\nuse crate::core::{{dice::Dice, ids::{{SideId, UnitId}}}};\n\
                 use crate::sim::board::Places;\nuse crate::sim::rooms::heart::news;\n\
                 fn f<'a>(x: &'a str) -> char {{ let _ = (\"HashMap\", r#\"a \"f32\" b\"#, b'x', '\\''); 'x' }}\n\
                 #[cfg(test)]\nmod tests {{ use super::*; use std::time::Instant; fn g() {{ println!(\"\"); }} }}\n"
            ),
        ),
        File::new("src/sim/rooms/heart/news.rs", "//! A part of the room.\nuse super::State;\n"),
        File::new("src/sim/rooms/heart/tests.rs", "use crate::view::frame::Frame; type T = f32;\n"),
        File::new(
            "src/view/frame.rs",
            "use crate::sim::{Battle, journal::Entry, truth::Truth}; type Px = f32;",
        ),
        File::new("src/cli/out.rs", "pub fn out() { println!(\"x\"); let _ = std::io::stderr(); }"),
        File::new("src/front/map.rs", "use bevy_egui::egui; use crate::view::frame::Frame;"),
        File::new("src/main.rs", "fn main() -> std::process::ExitCode { nine_gates::cli::main() }"),
        File::new("src/lib.rs", "pub mod core;\npub mod sim;\n"),
    ];
    let found = breached_by(&files);
    assert!(found.is_empty(), "{}", told(&found));
}

/// No sentence of the source documents stands in any text of the repository. The
/// documents are not part of it: where they are not beside it, there is nothing
/// to compare.
#[test]
fn no_sentence_of_a_document_stands_here() {
    let folder = root().join("../shared/reference/documents");
    let mut documents = Vec::new();
    gather(&folder, &folder, &|name| name.ends_with(".txt"), &mut documents);
    if documents.is_empty() {
        println!("The documents are not here: nothing compared.");
        return;
    }
    let documents: Vec<String> = documents.into_iter().map(|f| f.text).collect();
    assert!(documents.iter().flat_map(|d| runs(d)).count() > 1000, "the documents are not read");
    let mut files = Vec::new();
    gather(&root(), &root(), &|_| true, &mut files);
    let found = copied(&documents, &files);
    assert!(found.is_empty(), "sentences of the documents:\n{}", told(&found));
}

/// ARCHITECTURE.md names every part and every room, and nothing that is not there.
#[test]
fn the_map_is_true() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        entries
            .map(|e| e.expect("readable").path())
            .filter(|p| p.is_dir() || p.extension().is_some_and(|e| e == "rs"))
            .map(|p| p.file_stem().expect("a name").to_string_lossy().into_owned())
            .filter(|n| !["mod", "lib", "main"].contains(&n.as_str()))
            .collect()
    };
    let row = |name: &str| {
        [format!("| `{name}` |"), format!("| `{name}/` |"), format!("| `{name}.rs` |")]
            .iter()
            .any(|row| map.contains(row))
    };
    for name in names("src").into_iter().chain(names("src/sim/rooms")) {
        assert!(row(&name), "ARCHITECTURE.md has no row for `{name}`");
    }
    let there = |path: &str| {
        ["", "src/", "src/sim/"].iter().any(|at| root().join(format!("{at}{path}")).exists())
    };
    let paths = map.split('`').skip(1).step_by(2).filter(|text| {
        (text.contains('/') || text.ends_with(".rs")) && !text.contains(['*', ' ', '<', ':'])
    });
    let lost: Vec<&str> =
        paths.filter(|p| !p.contains("NAME") && !p.starts_with(['.', '/']) && !there(p)).collect();
    assert!(lost.is_empty(), "ARCHITECTURE.md leads to nothing at {lost:?}");
}

/// The statements are those of the shared file, byte by byte.
#[test]
fn the_statements_are_the_shared_ones() {
    let ours =
        fs::read(root().join("seeds/statements.json")).expect("seeds/statements.json is there");
    assert!(ours.starts_with(b"{") || ours.starts_with(b"["), "seeds/statements.json is JSON");
    match fs::read(root().join("../shared/statements.json")) {
        Ok(shared) => assert!(ours == shared, "seeds/statements.json differs from the shared file"),
        Err(_) => println!("The shared file is not here: nothing compared."),
    }
}
