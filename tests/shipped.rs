//! What ships reads without a finding, and as the `ron` crate reads it.

use std::path::Path;

use nine_gates::scenario::findings::Finding;
use nine_gates::scenario::library::{Library, Sort};
use nine_gates::scenario::load::Options;
use nine_gates::scenario::raw::{
    battle::RawScenario, map::RawMap, record::RawRecord, rules::RawRules,
};
use nine_gates::scenario::typing::typed;

fn library() -> Library {
    Library::open(Path::new(env!("CARGO_MANIFEST_DIR")))
}

fn told(findings: &[Finding]) -> String {
    findings.iter().map(|f| f.render(false)).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn no_findings_in_what_ships() {
    let checked = library().check();
    assert!(checked.findings.is_empty(), "{}", told(&checked.findings));
    assert!(checked.files > 0);
}

#[test]
fn every_battle_that_ships_loads() {
    let library = library();
    let ids: Vec<String> = library.by_id(Sort::Scenario).into_keys().collect();
    assert!(!ids.is_empty());
    for id in ids {
        let battle = library.scenario(&id, &Options::default());
        assert!(battle.is_ok(), "{id}: {}", told(&battle.err().unwrap_or_default()));
    }
}

/// Our reader and the `ron` crate agree on every file that ships.
#[test]
fn ron_reads_the_same() {
    use ron::extensions::Extensions;
    let options = ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES);
    for layer in library().layers {
        for sheet in layer.sheets {
            let text = &sheet.source.text;
            let same = match sheet.sort {
                Sort::Rules => typed::<RawRules>(&sheet.root).0 == options.from_str(text).ok(),
                Sort::Map => typed::<RawMap>(&sheet.root).0 == options.from_str(text).ok(),
                Sort::Scenario => {
                    typed::<RawScenario>(&sheet.root).0 == options.from_str(text).ok()
                }
                Sort::Record => typed::<RawRecord>(&sheet.root).0 == options.from_str(text).ok(),
                Sort::Patch => true,
            };
            assert!(same, "{} is read in two ways", sheet.source.shown);
        }
    }
}
