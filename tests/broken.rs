//! Broken files, each with exactly the findings that it is there for.
//!
//! `base` is a tiny complete battle, laid over the shipped rules as a mod. Every
//! file of `cases` is laid over both: a file with a known id changes only what it
//! names. Its first line says what must be found in it, and where, and nothing
//! else may be found anywhere: `// expect: E0203 7:15, W0304 9:3`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nine_gates::scenario::codes::CODES;
use nine_gates::scenario::findings::Finding;
use nine_gates::scenario::library::{Library, Sort, sheet, shown};
use nine_gates::scenario::load::Options;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("broken")
}

fn base() -> Library {
    let mut library = Library::open(Path::new(env!("CARGO_MANIFEST_DIR")));
    library.add_mod(&here().join("base"));
    library
}

fn cases() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(here().join("cases")).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    found
}

fn told(findings: &[Finding]) -> String {
    findings.iter().map(|f| f.render(false)).collect::<Vec<_>>().join("\n\n")
}

fn short(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|f| format!("{} {}:{}", f.code, f.line, f.column)).collect()
}

/// What is found in a case: a patch is applied, any other file laid on top.
fn found_in(library: &Library, path: &Path) -> Vec<Finding> {
    let read = sheet(path, None, None);
    let findings = match read {
        Err(fault) => vec![*fault],
        Ok(read) if read.sort == Sort::Patch => {
            library
                .battle(
                    "tiny",
                    &Options { patches: vec![path.to_path_buf()], ..Options::default() },
                )
                .1
        }
        Ok(read) => {
            let mut library = library.clone();
            library.put(read);
            library.check().findings
        }
    };
    // What ships has its own test.
    let root = shown(&here());
    findings.into_iter().filter(|f| Path::new(&f.file).starts_with(&root)).collect()
}

#[test]
fn the_base_has_no_findings() {
    let library = base();
    let findings = found_in(&library, &here().join("base").join("scenarios").join("tiny.ron"));
    assert!(findings.is_empty(), "{}", told(&findings));
    assert!(library.scenario("tiny", &Options::default()).is_ok());
}

#[test]
fn each_case_has_exactly_its_findings() {
    let library = base();
    let mut wrong = Vec::new();
    for path in cases() {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let first = text.lines().next().unwrap_or_default();
        let expected: Vec<String> = first
            .split_once("expect:")
            .map(|(_, list)| list.split(',').map(|s| s.trim().to_string()).collect())
            .unwrap_or_default();
        let findings = found_in(&library, &path);
        let own = shown(&path);
        let elsewhere = findings.iter().any(|f| f.file != own);
        if short(&findings) != expected || elsewhere || expected.is_empty() {
            wrong.push(format!(
                "{}\n  expected {expected:?}\n  found    {:?}\n{}",
                path.file_name().unwrap().to_string_lossy(),
                short(&findings),
                told(&findings)
            ));
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn each_code_is_explained_and_has_a_case() {
    let mut seen: BTreeMap<String, usize> =
        CODES.iter().map(|(code, _)| ((*code).to_string(), 0)).collect();
    let library = base();
    for path in cases() {
        for finding in found_in(&library, &path) {
            *seen
                .get_mut(finding.code)
                .unwrap_or_else(|| panic!("{} is not explained", finding.code)) += 1;
        }
    }
    let without: Vec<&String> =
        seen.iter().filter(|(_, n)| **n == 0).map(|(code, _)| code).collect();
    // Codes of whole files and folders that no file can show by itself; those of
    // mods are in tests/mods.rs.
    let other = ["E0108", "E0305", "E0401", "E1001", "E1103", "W0906", "W1101", "W1102"];
    let without: Vec<&&String> =
        without.iter().filter(|code| !other.contains(&code.as_str())).collect();
    assert!(without.is_empty(), "no case shows {without:?}");
}

/// A rules file that cannot be read makes no findings in battles.
#[test]
fn a_broken_rules_file_makes_no_cascade() {
    let mut library = base();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join("rules").join("units.ron");
    let good = sheet(&path, Some(Sort::Rules), None).unwrap();
    let half = &good.source.text[..good.source.text.len() / 2];
    let half = (0..=half.len())
        .rev()
        .find(|i| good.source.text.is_char_boundary(*i))
        .map(|i| &good.source.text[..i])
        .unwrap();
    let source = nine_gates::scenario::spans::Source::new(shown(&path), half, None);
    library.put(nine_gates::scenario::library::parse(&path, Some(Sort::Rules), &source));
    let findings = library.check().findings;
    assert!(!findings.is_empty());
    let strangers: Vec<&Finding> = findings.iter().filter(|f| f.file != source.shown).collect();
    assert!(strangers.is_empty(), "{}", told(&strangers.into_iter().cloned().collect::<Vec<_>>()));
}

/// A patch changes what it names and nothing else, and says where it came from.
#[test]
fn a_patch_changes_one_thing() {
    let library = base();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.ron");
    let text = "Patch(target: Record(\"900\"), entries: [Line(id: \"r2\", when: At(\"05:00\"))])";
    std::fs::write(&path, text).unwrap();
    let before = library.scenario("tiny", &Options::default()).unwrap();
    let options = Options { patches: vec![path], ..Options::default() };
    let after = library.scenario("tiny", &options).unwrap_or_else(|f| panic!("{}", told(&f)));
    let (before, after) = (before.record.clone().unwrap(), after.record.clone().unwrap());
    assert_eq!(before.orders[0], after.orders[0]);
    assert_eq!(after.orders[1].when, nine_gates::orders::ast::Cond::At(300));
    assert_eq!(before.orders[1].acts, after.orders[1].acts);
}

/// Cells and pulses are chosen at loading; kinds can be left out.
#[test]
fn options_are_kept() {
    let library = base();
    let options = Options {
        cell_m: Some(10.0),
        pulse_s: Some(2),
        without_units: vec!["bowmen".into()],
        ..Options::default()
    };
    let battle = library.scenario("tiny", &options).unwrap_or_else(|f| panic!("{}", told(&f)));
    assert_eq!((battle.site.cell_cm, battle.pulse_s), (1000, 2));
    assert_eq!(battle.units.iter().map(|u| u.men).collect::<Vec<_>>(), [200, 0, 200]);
    let bad = Options { cell_m: Some(0.0), ..Options::default() };
    assert!(library.scenario("tiny", &bad).is_err());
}
