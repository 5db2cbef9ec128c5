//! Mods: the example that ships, its battle fought and studied, what is said of
//! mods that are at fault, and that a mod lies over what ships.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nine_gates::replay::format::Replay;
use nine_gates::replay::record::{self, Made};
use nine_gates::replay::sources;
use nine_gates::scenario::battle::Scenario;
use nine_gates::scenario::findings::Finding;
use nine_gates::scenario::library::Library;
use nine_gates::scenario::load::Options;
use nine_gates::sim::laws::LawSet;
use nine_gates::study::run::{self, Fought, Orders};
use nine_gates::study::without;

const BATTLE: &str = "market_ferry";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn library() -> Library {
    Library::open(&root())
}

fn told(findings: &[Finding]) -> String {
    findings.iter().map(|f| f.render(false)).collect::<Vec<_>>().join("\n\n")
}

fn battle(library: &Library, id: &str) -> Arc<Scenario> {
    library.scenario(id, &Options::default()).unwrap_or_else(|f| panic!("{}", told(&f)))
}

fn fight(scenario: &Arc<Scenario>, seed: u64, without: &[&str]) -> Fought {
    let words: Vec<String> = without.iter().map(|w| (*w).into()).collect();
    let off: LawSet = without::resolve(&words, &scenario.rules).expect("known words");
    let lines = Orders::Record.lines(scenario);
    run::fight(scenario, seed, &off, &lines, &AtomicBool::new(false)).expect("not stopped")
}

/// Copies a folder and writes these files into the copy.
fn copy(from: &Path, to: &Path, files: &[(&str, &str)]) {
    for entry in std::fs::read_dir(from).unwrap().map(|e| e.unwrap().path()) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target, &[]);
        } else {
            std::fs::create_dir_all(to).unwrap();
            std::fs::copy(&entry, &target).unwrap();
        }
    }
    for (name, text) in files {
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// What is found in a copy of the example with these files changed or added, as
/// code, line and column, each in the file that it names.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("changed");
    copy(&root().join("mods").join("example"), &own, files);
    // Without the example itself, of which this is a copy.
    let mut library = library();
    library.layers.retain(|l| l.of_mod.is_none());
    let checked = library.check_path(&own);
    assert!(checked.files >= 7, "{}", checked.files);
    let short = |f: &Finding| {
        let file = Path::new(&f.file).file_name().unwrap().to_string_lossy();
        format!("{} {file} {}:{}", f.code, f.line, f.column)
    };
    checked.findings.iter().map(short).collect()
}

#[test]
fn the_example_is_listed_and_has_no_findings() {
    let library = library();
    let checked = library.check_path(&root().join("mods").join("example"));
    assert!(checked.findings.is_empty(), "{}", told(&checked.findings));
    // mod.ron, rules, map, battle, looks, and words in two languages.
    assert_eq!(checked.files, 7);
    let listed = library.list();
    let own = listed.iter().find(|b| b.id == BATTLE).expect("listed");
    assert_eq!(own.of_mod.as_deref(), Some("example"));
    assert!(!own.name.en.is_empty() && !own.name.zh.is_empty());
    let example = library.layers.iter().find(|l| l.of_mod.as_deref() == Some("example")).unwrap();
    let manifest = example.beside.manifest.as_ref().expect("it says what it is");
    assert!(env!("CARGO_PKG_VERSION").starts_with(&manifest.game));
}

#[test]
fn its_battle_is_fought_with_its_own_arms_and_can_come_out_otherwise() {
    let scenario = battle(&library(), BATTLE);
    let fought: Vec<Fought> = (1..=6).map(|seed| fight(&scenario, seed, &[])).collect();
    assert_eq!(fought[0], fight(&scenario, 1, &[]), "the same dice");
    assert_eq!(fought[0].values.len(), 4, "an objective each");
    // Its weapon matters: without forks the riders lose nobody to blows at first.
    assert_ne!(fought[0].digest, fight(&scenario, 1, &["hay_fork"]).digest);
    assert_ne!(fought[0].digest, fight(&scenario, 1, &["repeater_men"]).digest);
    // A gate held open lets the raiders in.
    let folder = tempfile::tempdir().unwrap();
    let patch = folder.path().join("open.ron");
    let text = "Patch(target: Scenario(\"market_ferry\"), set: {\"gates\": [(gate: \"town_gate\", \
                keeper: \"elder\", open: true, policy: open, crew: \"gate_folk\")]})";
    std::fs::write(&patch, text).unwrap();
    let options = Options { patches: vec![patch], ..Options::default() };
    let open = library().scenario(BATTLE, &options).unwrap_or_else(|f| panic!("{}", told(&f)));
    let won = |of: &[Fought]| of.iter().filter(|f| f.winner.is_some_and(|s| s.0 == 1)).count();
    let opened: Vec<Fought> = (1..=6).map(|seed| fight(&open, seed, &[])).collect();
    assert!(won(&opened) > won(&fought), "{} and {} of 6", won(&opened), won(&fought));
}

/// A replay file carries the mod with it.
#[test]
fn its_replay_needs_no_mod() {
    let library = library();
    let scenario = battle(&library, BATTLE);
    let made = Made {
        cell_m: None,
        pulse_s: None,
        without: Vec::new(),
        drawn: false,
        sources: sources::gather(&library, BATTLE, &scenario, &[]).expect("readable"),
        patches: Vec::new(),
    };
    let mut replay = Replay::begin(&scenario, 3, made);
    let mut fought = nine_gates::sim::Battle::new(Arc::clone(&scenario), 3, LawSet::default());
    let lines = Orders::Record.lines(&scenario);
    fought.order(&lines);
    while fought.pulse() < record::turn_pulses(&scenario) && fought.step() {}
    replay.add_turn(&fought, lines);
    let text = replay.text();
    let again = Replay::from_text(&text).expect("it reads");
    let alone = sources::scenario(&again).unwrap_or_else(|f| panic!("{}", told(&f)));
    assert_eq!(format!("{alone:?}"), format!("{scenario:?}"));
}

/// A mod changes nothing of the game's own battles but what it says.
#[test]
fn the_example_leaves_the_battle_that_ships_alone() {
    let mut bare = library();
    bare.layers.retain(|l| l.of_mod.is_none());
    let id = bare.default_id().expect("a battle ships");
    let run = |library: &Library| {
        let scenario = battle(library, &id);
        let mut fought = nine_gates::sim::Battle::new(Arc::clone(&scenario), 1, LawSet::default());
        fought.order(&Orders::Record.lines(&scenario));
        (0..120).for_each(|_| _ = fought.step());
        fought.digests().total
    };
    assert_eq!(run(&bare), run(&library()));
}

#[test]
fn a_mod_at_fault_is_told_where() {
    assert_eq!(found(&[]), [""; 0], "the copy is as good as the original");
    let manifest = |more: &str| {
        format!("Mod(\n    name: (en: \"A\", zh: \"甲\"),\n    version: \"1\",\n    {more}\n)\n")
    };
    let cases: [(&str, String, &[&str]); 9] = [
        ("mod.ron", manifest("game: \"9.4\","), &["W1102 mod.ron 4:11"]),
        ("mod.ron", manifest("gane: \"0.1\","), &["E0201 mod.ron 4:5", "E0202 mod.ron 1:1"]),
        ("mod.ron", "Mod(name: (en: \"A\"".into(), &["E0104 mod.ron 1:11"]),
        ("looks/signs.ron", "(fork: (path: \"M0 0\" bits: []))".into(), &["E0103 signs.ron 1:21"]),
        ("locale/en/more.ftl", "only_here = One language.\n".into(), &["W0304 more.ftl 1:1"]),
        ("locale/en/more.ftl", "no words here\n".into(), &["E1103 more.ftl 1:4"]),
        // A weapon that nobody carries is no use in a mod.
        (
            "rules/more.ron",
            "Rules(armour: [(id: \"felt\", name: (en: \"Felt\", zh: \"毡\"), stops_j: From(20, \"a\"), \
             shield: From(0, \"a\"), mass_kg: From(3, \"a\"))])"
                .into(),
            &["W0305 more.ron 1:21"],
        ),
        // What it changes of the game's, it says in mod.ron.
        (
            "rules/more.ron",
            "Rules(units: [(id: \"bowmen\", pace: From(0.9, \"tired\"))])".into(),
            &["W0906 more.ron 1:20"],
        ),
        (
            "rules/more.ron",
            "Rules(foot: (walk: From(1.1, \"mud\")))".into(),
            &["W0906 more.ron 1:7"],
        ),
    ];
    let mut wrong = Vec::new();
    for (file, text, expected) in &cases {
        let mut said = found(&[(file, text)]);
        said.sort();
        if said != *expected {
            wrong.push(format!("{file}: {text}\n  expected {expected:?}\n  found {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let meant = manifest("game: \"0.1\", overrides: [\"bowmen\"],");
    let change = "Rules(units: [(id: \"bowmen\", pace: From(0.9, \"tired\"))])";
    assert_eq!(found(&[("mod.ron", &meant), ("rules/more.ron", change)]), [""; 0]);
    // Without a mod.ron nobody knows what it is.
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("nameless");
    copy(&root().join("mods").join("example"), &own, &[]);
    std::fs::remove_file(own.join("mod.ron")).unwrap();
    let mut library = library();
    library.layers.retain(|l| l.of_mod.is_none());
    let checked = library.check_path(&own);
    let codes: Vec<&str> = checked.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["W1101"], "{}", told(&checked.findings));
}
