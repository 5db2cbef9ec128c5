//! The real binary, as a person or a script calls it: every command, its JSON, its
//! exit codes, and what it says when something is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The battle that the commands are tried on.
const BATTLE: &str = "guan_yu_sortie";
/// A small one, of the mod that ships as an example.
const SMALL: &str = "market_ferry";

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    /// The one JSON value on standard output.
    fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("no JSON: {e}\n{}\n{}", self.out, self.err))
    }
}

fn run(args: &[&str]) -> Ran {
    run_in("en", args)
}

fn run_in(language: &str, args: &[&str]) -> Ran {
    call(language, &scratch("no-such-data"), args)
}

/// With the mods of another data folder.
fn run_with(data: &Path, args: &[&str]) -> Ran {
    call("en", data, args)
}

fn call(language: &str, data: &Path, args: &[&str]) -> Ran {
    let done = Command::new(env!("CARGO_BIN_EXE_nine-gates"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NINE_GATES_LANG", language)
        .env("XDG_DATA_HOME", data)
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let ran = Ran {
        code: done.status.code().expect("no signal"),
        out: text(&done.stdout),
        err: text(&done.stderr),
    };
    assert!(!ran.err.contains("panicked"), "{args:?} panicked:\n{}", ran.err);
    assert!(!ran.out.contains('\u{1b}'), "colours although piped");
    ran
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn keys(value: &Value, wanted: &[&str]) {
    for key in wanted {
        assert!(value.get(key).is_some(), "no `{key}` in {value}");
    }
}

/// Without what follows the clock of the machine.
fn timeless(mut value: Value) -> Value {
    for key in ["seconds", "peak_rss_mib", "company_pulses_per_second"] {
        value.as_object_mut().expect("an object").remove(key);
    }
    value
}

#[test]
fn list_names_the_battles() {
    let ran = run(&["list", "--json"]);
    assert_eq!(ran.code, 0);
    let all = ran.json();
    let battle = all
        .as_array()
        .expect("a list")
        .iter()
        .find(|b| b["id"] == BATTLE)
        .expect("the battle is listed");
    keys(battle, &["id", "name", "document", "sides", "companies", "source"]);
    keys(&battle["name"], &["en", "zh"]);
    keys(&battle["sides"][0], &["id", "name", "men"]);
    assert_eq!(battle["source"], "built-in");
    assert_eq!(battle["document"], "003");
    assert!(run(&["list"]).out.contains(BATTLE));
    assert!(run_in("zh_CN.UTF-8", &["list"]).out.contains("关羽"));
}

/// A mod at fault takes no battle away in silence.
#[test]
fn a_battle_that_is_not_listed_is_named() {
    let data = scratch("faulty-data");
    let own = data.join("nine-gates/mods/faulty");
    std::fs::create_dir_all(own.join("scenarios")).expect("writable");
    std::fs::create_dir_all(own.join("rules")).expect("writable");
    let rules = own.join("rules/more.ron");
    std::fs::write(&rules, "Rules()").expect("written");
    std::fs::write(own.join("scenarios/half.ron"), "Scenario(id: \"half\"").expect("written");
    let ran = run_with(&data, &["list", "--json"]);
    assert_eq!(ran.code, 0);
    let ids: Vec<String> =
        ran.json().as_array().expect("a list").iter().map(|b| b["id"].to_string()).collect();
    assert!(ids.iter().any(|id| id.contains(BATTLE)), "the others are there: {ids:?}");
    assert!(ran.err.contains("half") && !ran.err.contains(BATTLE), "{}", ran.err);
    assert_eq!(run_with(&data, &["list", "--quiet"]).err, "");
    // Rules are everybody's: with those of a mod at fault none can be fought.
    std::fs::write(&rules, "Rules(units: [").expect("written");
    let ran = run_with(&data, &["list", "--json"]);
    assert_eq!(ran.json(), Value::Array(Vec::new()));
    assert!(ran.err.contains(BATTLE), "{}", ran.err);
}

#[test]
fn what_ships_has_no_errors() {
    let ran = run(&["check", "--json"]);
    let value = ran.json();
    keys(&value, &["files", "errors", "warnings", "findings"]);
    assert_eq!((ran.code, &value["errors"]), (0, &Value::from(0)), "{value:#}");
}

#[test]
fn a_replay_is_fought_written_verified_and_found_out() {
    let (file, journal) = (scratch("fought.json"), scratch("fought.jsonl"));
    let (file, journal) = (file.to_str().expect("a path"), journal.to_str().expect("a path"));
    let ran =
        run(&["replay", BATTLE, "--seed", "5", "--write", file, "--journal", journal, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let value = ran.json();
    keys(
        &value,
        &[
            "scenario",
            "seed",
            "turns",
            "pulses",
            "companies",
            "digest",
            "draws",
            "statements",
            "seconds",
        ],
    );
    keys(&value["statements"][0], &["id", "part", "value", "tolerance", "unit", "inside"]);
    assert_eq!((value["scenario"].as_str(), value["seed"].as_u64()), (Some(BATTLE), Some(5)));
    let first = std::fs::read_to_string(journal)
        .expect("a journal")
        .lines()
        .next()
        .map(str::to_owned)
        .expect("a line");
    keys(&serde_json::from_str(&first).expect("JSON Lines"), &["pulse", "what"]);
    // The same battle again, from the file.
    let again = run(&["replay", file, "--json"]);
    assert_eq!(timeless(again.json()), timeless(value.clone()));
    let same = run(&["verify", file, "--json"]);
    assert_eq!(same.code, 0, "{}", same.out);
    assert_eq!(same.json()["digest"], value["digest"]);
    assert_eq!(same.json()["turns"], value["turns"]);
    // One digit of a digest of the second turn.
    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(file).expect("written")).expect("JSON");
    let room = changed["turns"][1]["rooms"][0][0].as_str().expect("a room").to_owned();
    changed["turns"][1]["rooms"][0][1] = "00000000deadbeef".into();
    let bad = scratch("changed.json");
    std::fs::write(&bad, changed.to_string()).expect("written");
    let ran = run(&["verify", bad.to_str().expect("a path"), "--json"]);
    assert_eq!(ran.code, 1);
    let found = ran.json();
    assert_eq!(
        (found["same"].as_bool(), found["turn"].as_u64(), found["room"].as_str()),
        (Some(false), Some(2), Some(room.as_str()))
    );
    keys(&found, &["expected", "found"]);
}

#[test]
fn a_study_is_the_same_with_one_job_and_two_and_in_shards() {
    let study = |more: &[&str]| {
        let ran =
            run(&[&["study", BATTLE, "--seeds", "3", "--from", "7", "--json"], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let one = study(&["--jobs", "1"]);
    let value = one.json();
    keys(
        &value,
        &[
            "scenario",
            "record",
            "seeds",
            "from",
            "without",
            "patches",
            "rules_digest",
            "companies",
            "pulses",
            "company_pulses_per_second",
            "seconds",
            "peak_rss_mib",
            "statements",
            "outcomes_held",
            "all_held_share",
            "outcomes",
        ],
    );
    keys(
        &value["statements"][0],
        &[
            "id",
            "part",
            "what",
            "class",
            "unit",
            "kind",
            "values",
            "tolerance",
            "text",
            "figure",
            "median_band",
            "spread",
            "need",
            "inside",
            "p10",
            "median",
            "p90",
            "holds",
            "why",
        ],
    );
    for statement in value["statements"].as_array().expect("a list") {
        assert_eq!(statement["values"].as_array().map(Vec::len), Some(3), "{statement}");
    }
    assert!(
        value["peak_rss_mib"].as_u64().is_none_or(|mib| mib < 200),
        "{}",
        value["peak_rss_mib"]
    );
    assert_eq!(timeless(value.clone()), timeless(study(&["--jobs", "2"]).json()));
    let shards: Vec<String> = ["1/2", "2/2"]
        .iter()
        .map(|shard| {
            let path = scratch(&format!("shard{}.json", &shard[..1]));
            std::fs::write(&path, study(&["--shard", shard]).out).expect("written");
            path.to_str().expect("a path").to_owned()
        })
        .collect();
    let joined = run(&["merge", &shards[0], &shards[1], "--json"]);
    assert_eq!(joined.code, 0, "{}", joined.err);
    assert_eq!(timeless(joined.json()), timeless(value));
    let twice = run(&["merge", &shards[0], &shards[0], "--json"]);
    assert_eq!(twice.code, 2);
    keys(&twice.json()["error"], &["message", "findings"]);
}

#[test]
fn without_takes_laws_and_kinds_and_lists_them() {
    let help = run(&["study", BATTLE, "--without", "help", "--json"]).json();
    let has =
        |key: &str, word: &str| help[key].as_array().expect("a list").iter().any(|w| w == word);
    assert!(has("laws", "heart") && has("kinds", "crossbow_cart"), "{help}");
    let ran =
        run(&["replay", BATTLE, "--without", "crossbow_cart", "--without", "heart", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(&["replay", BATTLE, "--without", "crossbow_card", "--json"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.json()["error"]["message"].as_str().expect("words").contains("crossbow_cart"),
        "{}",
        ran.out
    );
}

#[test]
fn a_map_is_drawn() {
    let out = scratch("map.png");
    let ran = run(&[
        "map",
        BATTLE,
        "--png",
        out.to_str().expect("a path"),
        "--scale",
        "2",
        "--level",
        "rampart",
        "--json",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(std::fs::read(&out).expect("a file").starts_with(b"\x89PNG"));
    let nowhere = run(&["map", BATTLE, "--png", "/no/such/folder/map.png", "--json"]);
    assert_eq!(nowhere.code, 2);
    keys(&nowhere.json()["error"], &["message", "findings"]);
}

#[test]
fn completions_and_the_manual_are_printed() {
    assert!(run(&["completions", "bash"]).out.contains("nine-gates"));
    assert!(run(&["man"]).out.contains(".TH"));
    assert_eq!(run(&["--version"]).code, 0);
    assert!(run(&["--help"]).out.contains("study"));
}

#[test]
fn a_wrong_call_is_said_with_what_was_meant() {
    let cases: [(&[&str], &str); 23] = [
        (&["studdy"], "study"),
        (&["study", BATTLE, "--seed", "3"], "--seeds"),
        (&["study", "guan_yu_sorti", "--seeds", "1"], BATTLE),
        (&["study", BATTLE, "--seeds", "0"], "0"),
        (&["study", BATTLE, "--seeds", "4", "--shard", "5/4"], "I/N"),
        (&["replay", BATTLE, "--pulse", "nan"], "nan"),
        (&["replay", BATTLE, "--pulse", "11"], "1..=10"),
        (&["replay", BATTLE, "--cell", "nan"], "5..=50"),
        (&["study", BATTLE, "--cell", "0"], "5..=50"),
        (&["study"], "nine-gates list"),
        (&["study", BATTLE, "--from", "18446744073709551615", "--seeds", "2"], "--from"),
        (&["replay", BATTLE, "--patch", "no/such/patch.ron"], "no/such/patch.ron"),
        (&["check", "--baseline", "no/such/file.json"], "no/such/file.json"),
        (&["check", "--baseline", "Cargo.toml"], "check --json"),
        (&["check", "--baseline", "seeds/statements.json"], "check --json"),
        (&["merge", "no/such/file.json"], "no/such/file.json"),
        (&["merge", "seeds/statements.json"], "statements.json"),
        (&["map", "guan_yu_sorti", "--png", "never.png"], BATTLE),
        (&["map", BATTLE, "--png", "never.png", "--scale", "0"], "1..=256"),
        (&["map", BATTLE, "--png", "never.png", "--level", "roof"], "rampart"),
        (&["check", "no/such/file.ron"], "no/such/file.ron"),
        (&["verify", "no/such/file.json"], "no/such/file.json"),
        (&["check", "--explain", "E9999x"], "E9999x"),
    ];
    for (args, hint) in cases {
        let plain = run(args);
        assert_eq!(plain.code, 2, "{args:?}: {}{}", plain.out, plain.err);
        assert!(plain.err.contains(hint), "{args:?} does not mention {hint}:\n{}", plain.err);
        let json = run(&[args, &["--json"]].concat());
        assert_eq!(json.code, 2, "{args:?}");
        keys(&json.json()["error"], &["message", "findings"]);
        assert!(json.out.contains(hint), "{args:?} does not mention {hint}:\n{}", json.out);
    }
}

#[cfg(not(feature = "desktop"))]
#[test]
fn a_build_without_a_window_says_so() {
    for args in [["play", BATTLE].as_slice(), &[]] {
        let ran = run(args);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("desktop"), "{}", ran.err);
    }
}

/// Replay files with all sorts of damage: findings or a difference, never a panic.
#[test]
fn a_broken_replay_is_refused() {
    let cases =
        ["", "{", "[1, 2", "{\"format\": 1}", "{\"format\": \"one\"}", "null", "\u{feff}{}"];
    for (i, text) in cases.iter().enumerate() {
        let path = scratch(&format!("broken{i}.json"));
        std::fs::write(&path, text).expect("written");
        let path = path.to_str().expect("a path");
        for command in ["verify", "replay", "check"] {
            let ran = run(&[command, path, "--json"]);
            assert_eq!(ran.code, 1, "{command} {text:?}: {}", ran.out);
            ran.json();
        }
    }
    let path = scratch("binary.json");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).expect("written");
    assert_eq!(run(&["verify", path.to_str().expect("a path"), "--json"]).code, 2);
}

/// Every broken file of `tests/broken/cases`, laid over its base by the real
/// binary: exit code 1 for an error, exactly the findings that its first line
/// names, each for people with the line and a caret. Never a panic.
#[test]
fn every_broken_file_has_its_findings() {
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let data = scratch("data");
    copy(&broken.join("base"), &data.join("nine-gates/mods/base"));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in
        std::fs::read_dir(broken.join("cases")).expect("cases").map(|e| e.expect("readable").path())
    {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
        let first =
            text.lines().next().and_then(|l| l.split_once("expect:")).map_or("", |(_, list)| list);
        let mut expected: Vec<String> =
            first.split(',').map(|e| e.trim().to_owned()).filter(|e| !e.is_empty()).collect();
        // A patch of another battle's map is at fault only in a battle without it.
        if first.contains("E0902") {
            continue;
        }
        let shown =
            path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("inside").to_str().expect("text");
        let ran = run_with(&data, &["check", shown, "--json"]);
        let value = ran.json();
        let findings = value["findings"].as_array().expect("a list");
        let mut found: Vec<String> = findings
            .iter()
            .map(|f| {
                format!("{} {}:{}", f["code"].as_str().unwrap_or_default(), f["line"], f["column"])
            })
            .collect();
        for finding in findings {
            keys(
                finding,
                &["severity", "code", "file", "line", "column", "message", "help", "related"],
            );
        }
        let errors = findings.iter().any(|f| f["severity"] == "error");
        expected.sort();
        found.sort();
        if found != expected || ran.code != i32::from(errors) {
            wrong.push(format!(
                "{shown}: exit {}, expected {expected:?}, found {found:?}",
                ran.code
            ));
        }
        if seen % 8 == 0 {
            let plain = run_with(&data, &["check", shown]);
            assert!(
                findings.is_empty() || plain.err.contains("-->"),
                "{shown}: no place\n{}",
                plain.err
            );
        }
        seen += 1;
    }
    assert!(seen > 50, "only {seen} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("writable");
    for entry in std::fs::read_dir(from).expect("readable").map(|e| e.expect("readable").path()) {
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            std::fs::copy(&entry, &target).expect("writable");
        }
    }
}

/// A promised key: its name, and whether its value is what is promised.
type Promised = (&'static str, fn(&Value) -> bool);

fn promised(value: &Value, wanted: &[Promised]) {
    for (key, good) in wanted {
        let found = value.get(key).unwrap_or_else(|| panic!("no `{key}` in {value}"));
        assert!(good(found), "`{key}` is {found}");
    }
}

const TEXT: fn(&Value) -> bool = |v| v.as_str().is_some_and(|s| !s.is_empty());
const WHOLE: fn(&Value) -> bool = Value::is_u64;
const NUMBER: fn(&Value) -> bool = Value::is_number;
const TRUTH: fn(&Value) -> bool = Value::is_boolean;
const SHARE: fn(&Value) -> bool = |v| v.as_f64().is_some_and(|s| (0.0..=1.0).contains(&s));
const HEX: fn(&Value) -> bool =
    |v| v.as_str().is_some_and(|s| s.len() == 16 && s.bytes().all(|b| b.is_ascii_hexdigit()));
const NAME: fn(&Value) -> bool = |v| TEXT(&v["en"]) && TEXT(&v["zh"]);
const MAYBE_TEXT: fn(&Value) -> bool = |v| v.is_null() || v.is_string();
const MAYBE_NUMBER: fn(&Value) -> bool = |v| v.is_null() || v.is_number();
const MAYBE_TRUTH: fn(&Value) -> bool = |v| v.is_null() || v.is_boolean();
const TEXTS: fn(&Value) -> bool = |v| v.as_array().is_some_and(|a| a.iter().all(TEXT));
const MAYBE_BAND: fn(&Value) -> bool =
    |v| v.is_null() || v.as_array().is_some_and(|a| a.len() == 2 && a.iter().all(MAYBE_NUMBER));
const VALUE: fn(&Value) -> bool = |v| v.is_null() || v.is_number() || v.is_boolean();

/// Key by key, with types, what `list`, `replay`, `verify` and `study` promise.
#[test]
fn values_are_of_the_promised_types() {
    for battle in run(&["list", "--json"]).json().as_array().expect("a list") {
        promised(
            battle,
            &[
                ("id", TEXT),
                ("name", NAME),
                ("document", MAYBE_TEXT),
                ("companies", WHOLE),
                ("source", |v| {
                    v == "built-in" || v.as_str().is_some_and(|s| s.starts_with("mod:"))
                }),
            ],
        );
        for side in battle["sides"].as_array().expect("sides") {
            promised(side, &[("id", TEXT), ("name", NAME), ("men", WHOLE)]);
        }
    }
    let file = scratch("typed.json");
    let file = file.to_str().expect("a path");
    for battle in [BATTLE, SMALL] {
        let ran = run(&["replay", battle, "--json", "--write", file]).json();
        promised(
            &ran,
            &[
                ("scenario", TEXT),
                ("seed", WHOLE),
                ("turns", WHOLE),
                ("pulses", WHOLE),
                ("companies", WHOLE),
                ("digest", HEX),
                ("draws", WHOLE),
                ("seconds", NUMBER),
            ],
        );
        for statement in ran["statements"].as_array().expect("a list") {
            promised(
                statement,
                &[
                    ("id", TEXT),
                    ("part", MAYBE_TEXT),
                    ("value", VALUE),
                    ("tolerance", MAYBE_BAND),
                    ("unit", MAYBE_TEXT),
                    ("inside", MAYBE_TRUTH),
                ],
            );
        }
        let same = run(&["verify", file, "--json"]).json();
        promised(&same, &[("same", TRUTH), ("turns", WHOLE), ("digest", HEX)]);
        let study = run(&["study", battle, "--seeds", "2", "--json"]).json();
        promised(
            &study,
            &[
                ("scenario", TEXT),
                ("record", MAYBE_TEXT),
                ("seeds", WHOLE),
                ("from", WHOLE),
                ("without", TEXTS),
                ("patches", TEXTS),
                ("rules_digest", HEX),
                ("companies", WHOLE),
                ("pulses", WHOLE),
                ("company_pulses_per_second", WHOLE),
                ("seconds", NUMBER),
                ("peak_rss_mib", |v| v.is_null() || v.is_u64()),
                ("outcomes_held", |v| v.as_array().is_some_and(|a| a.len() == 2)),
                ("all_held_share", SHARE),
                ("outcomes", |v| v["winner"].as_object().is_some_and(|w| w.values().all(WHOLE))),
            ],
        );
        for statement in study["statements"].as_array().expect("a list") {
            promised(
                statement,
                &[
                    ("id", TEXT),
                    ("part", MAYBE_TEXT),
                    ("what", TEXT),
                    ("class", |v| {
                        ["given", "obeyed", "outcome", "narrative"].iter().any(|c| v == c)
                    }),
                    ("unit", MAYBE_TEXT),
                    ("kind", TEXT),
                    ("values", |v| v.as_array().is_some_and(|a| a.iter().all(VALUE))),
                    ("tolerance", MAYBE_BAND),
                    ("text", MAYBE_BAND),
                    ("figure", MAYBE_NUMBER),
                    ("median_band", MAYBE_BAND),
                    ("spread", MAYBE_NUMBER),
                    ("need", MAYBE_NUMBER),
                    ("inside", |v| v.is_null() || SHARE(v)),
                    ("p10", MAYBE_NUMBER),
                    ("median", MAYBE_NUMBER),
                    ("p90", MAYBE_NUMBER),
                    ("holds", MAYBE_TRUTH),
                    ("why", MAYBE_TEXT),
                ],
            );
        }
    }
}

/// Whatever fails, one JSON value is printed and nothing is fought in vain.
#[test]
fn what_cannot_be_written_is_said_once() {
    let here = scratch("");
    for args in [
        ["replay", SMALL, "--write", "/no/such/folder/x.json"],
        ["replay", SMALL, "--journal", "/no/such/folder/x.jsonl"],
        ["replay", SMALL, "--write", here.to_str().expect("a path")],
        ["map", SMALL, "--png", "/no/such/folder/x.png"],
    ] {
        let ran = run(&[&args[..], &["--json"]].concat());
        assert_eq!(ran.code, 2, "{args:?}");
        keys(&ran.json()["error"], &["message", "findings"]);
        assert!(!ran.out.contains(".tmp"), "{}", ran.out);
    }
}

/// A pipe that is written to stays a pipe.
#[cfg(unix)]
#[test]
fn a_journal_may_go_into_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let pipe = scratch("journal.pipe");
    let _ = std::fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader =
        Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().expect("cat");
    let ran = run(&["replay", SMALL, "--journal", pipe.to_str().expect("a path"), "--quiet"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "quiet says nothing");
    let read = reader.wait_with_output().expect("it ends").stdout;
    assert!(read.starts_with(b"{\"pulse\":0"), "{}", String::from_utf8_lossy(&read));
    assert!(std::fs::metadata(&pipe).expect("there").file_type().is_fifo());
}

/// Who stops reading is no fault of the program.
#[test]
fn a_reader_that_goes_away_is_no_fault() {
    for args in [vec!["list"], vec!["man"], vec!["study", SMALL, "--seeds", "1", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nine-gates"))
            .args(&args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("it ends");
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

/// A replay file brings seed, patches and orders with it.
#[test]
fn a_replay_file_takes_no_changes() {
    let file = scratch("own.json");
    let file = file.to_str().expect("a path");
    assert_eq!(run(&["replay", SMALL, "--seed", "2", "--write", file]).code, 0);
    for more in
        [["--seed", "3"], ["--without", "heart"], ["--orders", "doctrine"], ["--cell", "10"]]
    {
        let ran = run(&[&["replay", file, "--json"], &more[..]].concat());
        assert_eq!(ran.code, 2, "{more:?}: {}", ran.out);
        ran.json();
    }
    // One digit anywhere in it is found, in a turn and a room, or in the file itself.
    let text = std::fs::read_to_string(file).expect("written");
    let digits: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
    let bad = scratch("digit.json");
    let mut rooms = std::collections::BTreeSet::new();
    for n in 0..24 {
        let at = digits[digits.len() * n / 24];
        let mut bytes = text.clone().into_bytes();
        bytes[at] = b'0' + (bytes[at] - b'0' + 1) % 10;
        std::fs::write(&bad, bytes).expect("written");
        let ran = run(&["verify", bad.to_str().expect("a path"), "--json"]);
        assert_eq!(ran.code, 1, "digit {at}: {}", &text[at.saturating_sub(60)..at + 1]);
        let found = ran.json();
        promised(&found, &[("turn", WHOLE), ("room", TEXT), ("expected", TEXT), ("found", TEXT)]);
        assert_eq!(found["same"], false);
        rooms.insert(found["room"].as_str().expect("a room").to_owned());
    }
    assert!(rooms.len() > 2, "{rooms:?}");
}

/// Patches change what they name; one that changes nothing is an error.
#[test]
fn a_patch_changes_a_battle_or_is_refused() {
    let write = |name: &str, text: &str| {
        let path = scratch(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("a path").to_owned()
    };
    let digest = |more: &[&str]| {
        let ran = run(&[&["replay", SMALL, "--json"], more].concat());
        assert_eq!(ran.code, 0, "{more:?}: {}", ran.out);
        ran.json()["digest"].clone()
    };
    let plain = digest(&[]);
    let good = write(
        "good.ron",
        "Patch(target: Rules, set: {\"laws.blows.lethality\": From(3.0, \"a test\")})",
    );
    assert_ne!(digest(&["--patch", &good]), plain);
    assert_eq!(run(&["check", &good, "--json"]).json()["errors"], 0);
    let cases = [
        (
            "nothing.ron",
            "Patch(target: Rules, entries: [(id: \"hay_fork\", blow: (reach_m: From(1.8, \"ours: a fork of that length\")))])",
            "E0903",
        ),
        ("nobody.ron", "Patch(target: Rules, entries: [(id: \"hay_frok\", blow: None)])", "E0904"),
        (
            "field.ron",
            "Patch(target: Rules, set: {\"laws.blows.letality\": From(3.0, \"a\")})",
            "E0201",
        ),
        ("other.ron", "Patch(target: Map(\"elsewhere\"), set: {\"ground\": \"firm\"})", "E0902"),
    ];
    for (name, text, code) in cases {
        let path = write(name, text);
        for command in [
            &["replay", SMALL, "--patch", &path, "--json"][..],
            &["study", SMALL, "--seeds", "1", "--patch", &path, "--json"],
        ] {
            let ran = run(command);
            assert_eq!(ran.code, 1, "{command:?}: {}", ran.out);
            let error = &ran.json()["error"];
            let all = error["findings"].as_array().expect("a list");
            assert!(all.iter().any(|f| f["code"] == code), "{name} is not {code}: {error:#}");
            assert!(all.iter().all(|f| f["file"].as_str().is_some_and(|s| s.ends_with(name))));
        }
    }
}

/// Old faults can be parked in a baseline; new ones are still told.
#[test]
fn a_baseline_parks_what_was_known() {
    let broken = "tests/broken/cases/e0203_word.ron";
    let data = scratch("baseline-data");
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/base"),
        &data.join("nine-gates/mods/base"),
    );
    let before = run_with(&data, &["check", broken, "--json"]);
    assert_eq!(before.code, 1, "{}", before.out);
    promised(
        &before.json(),
        &[("files", WHOLE), ("errors", WHOLE), ("warnings", WHOLE), ("findings", Value::is_array)],
    );
    let baseline = scratch("baseline.json");
    std::fs::write(&baseline, &before.out).expect("written");
    let baseline = baseline.to_str().expect("a path");
    let parked = run_with(&data, &["check", broken, "--baseline", baseline, "--json"]);
    assert_eq!((parked.code, &parked.json()["errors"]), (0, &Value::from(0)));
    let other = "tests/broken/cases/e0204_sort.ron";
    assert_eq!(run_with(&data, &["check", other, "--baseline", baseline]).code, 1);
    let explained = run(&["check", "--explain", "E0203", "--json"]);
    promised(&explained.json(), &[("code", TEXT), ("explanation", TEXT)]);
}

/// Without a display the window is refused, and no panic ends the program.
#[cfg(all(feature = "desktop", target_os = "linux"))]
#[test]
fn a_window_needs_a_display() {
    let done = Command::new(env!("CARGO_BIN_EXE_nine-gates"))
        .args(["play", BATTLE, "--json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the binary runs");
    assert_eq!(done.status.code(), Some(2), "{}", String::from_utf8_lossy(&done.stderr));
    let value: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    keys(&value["error"], &["message", "findings"]);
}

/// Stopped by Ctrl-C: exit 3, and what was finished is said.
#[cfg(unix)]
#[test]
fn an_interrupted_study_keeps_what_it_has() {
    let child = Command::new(env!("CARGO_BIN_EXE_nine-gates"))
        .args(["study", BATTLE, "--seeds", "5000", "--jobs", "1", "--json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_secs(3));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(3));
    let value: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(value["interrupted"], true);
    let runs = value["runs"].as_array().expect("a list").len();
    assert!(runs < 5000);
    assert_eq!(value["statements"][0]["values"].as_array().map(Vec::len), Some(runs));
}

/// Each way to change a battle is taken, and changes it.
#[test]
fn a_study_can_change_orders_inputs_grain_and_kinds() {
    let digests = |more: &[&str]| {
        let ran = run(&[&["study", BATTLE, "--seeds", "1", "--json"], more].concat());
        assert_eq!(ran.code, 0, "{more:?}: {}{}", ran.out, ran.err);
        ran.json()["runs"][0]["digest"].clone()
    };
    let plain = digests(&[]);
    let changes: [&[&str]; 6] = [
        &["--without", "heart"],
        &["--orders", "doctrine"],
        &["--inputs", "drawn"],
        &["--cell", "20", "--pulse", "4"],
        &["--without", "iron_horse"],
        &["--without", "crossbow_cart", "--without", "shot"],
    ];
    for more in changes {
        assert_ne!(digests(more), plain, "{more:?} changes nothing");
    }
    assert_eq!(digests(&["--orders", "record", "--inputs", "fixed"]), plain);
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_full_disk_swallows_is_a_fault() {
    for args in [&["list", "--json"][..], &["check"], &["man"], &["--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let done = Command::new(env!("CARGO_BIN_EXE_nine-gates"))
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("NINE_GATES_LANG", "en")
            .stdout(full)
            .output()
            .expect("the binary runs");
        assert_eq!(done.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn texts_for_other_programs_are_json_where_it_is_wanted() {
    for args in [&["man", "--json"][..], &["completions", "bash", "--json"]] {
        let ran = run(args);
        assert_eq!(ran.code, 0);
        assert!(ran.json()["text"].as_str().is_some_and(|t| t.len() > 500), "{args:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_replay_is_known_by_any_name_and_a_link_stays_a_link() {
    let folder = scratch("links");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, link) = (folder.join("kept.fought"), folder.join("link"));
    std::fs::write(&file, "old").expect("written");
    std::os::unix::fs::symlink(&file, &link).expect("linked");
    let (file, link) = (file.display().to_string(), link.display().to_string());
    let ran = run(&["replay", SMALL, "--json", "--write", &link]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(Path::new(&link).is_symlink());
    // Not named as a replay, and yet one.
    let again = run(&["replay", &file, "--json"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(again.json()["digest"], ran.json()["digest"]);
    assert_eq!(run(&["replay", &file, "--seed", "2"]).code, 2);
    // Changed by hand: still fought, but not without a word.
    let mut value: Value =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("the replay")).expect("JSON");
    value["turns"][0]["draws"] = 7.into();
    std::fs::write(&file, value.to_string()).expect("written");
    let ran = run(&["replay", &file, "--json"]);
    assert!(ran.code == 0 && ran.err.contains("changed"), "{}", ran.err);
}

#[test]
#[cfg(target_os = "linux")]
fn the_json_value_has_standard_output_to_itself() {
    let ran = run(&["replay", SMALL, "--json", "--write", "/dev/stdout"]);
    assert_eq!(ran.code, 2);
    assert!(ran.json()["error"]["message"].as_str().is_some_and(|m| m.contains("standard output")));
}
