//! The files that a battle was made from, as texts inside its replay, and the way
//! back: a library of these texts alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{Fault, Replay, Source};
use crate::scenario::battle::Scenario;
use crate::scenario::findings::{Finding, Message};
use crate::scenario::library::{Layer, Library, Sheet, Sort, parse, sheet};
use crate::scenario::load::{Inputs, Options};
use crate::scenario::manifest::Beside;
use crate::scenario::record::Statement;
use crate::scenario::spans::{self, Node, Span};

/// Where statements stand among the sources.
const STATEMENTS: &str = "seeds/statements.json";
/// Where mods stand.
const MODS: &str = "mods/";
/// Code of findings about replay files.
const BROKEN: &str = "E1001";

/// The files that this battle is made of.
///
/// # Errors
/// If a scenario file that is in no library cannot be read again.
pub fn gather(
    library: &Library,
    id: &str,
    scenario: &Scenario,
    patches: &[Source],
) -> Result<Vec<Source>, Box<Finding>> {
    let by_id = library.by_id(Sort::Scenario);
    let own;
    let battle: Vec<&Sheet> = match by_id.get(id) {
        Some(sheets) => sheets.clone(),
        None => {
            own = sheet(Path::new(id), Some(Sort::Scenario), None)?;
            vec![&own]
        }
    };
    // A patch may choose another map; all that are named anywhere come along.
    let named = |name: &str| {
        let field =
            |s: &&Sheet| s.root.field("map").and_then(Node::text).is_some_and(|m| m == name);
        battle.iter().any(field) || patches.iter().any(|p| p.text.contains(name))
    };
    let mut found: Vec<Source> = Vec::new();
    found.extend(library.sheets(Sort::Rules).map(source));
    found.extend(library.sheets(Sort::Map).filter(|s| named(&s.id())).map(source));
    found.extend(
        library
            .sheets(Sort::Record)
            .filter(|s| scenario.document.as_ref() == Some(&s.id()))
            .map(source),
    );
    found.extend(battle.into_iter().map(source));
    // The record comes along whole, so all statements that it measures do, for this
    // battle or another one of the same document.
    let measured = |s: &&Statement| scenario.statements.contains(&s.id);
    let told: BTreeSet<&str> =
        library.statements.iter().filter(measured).map(|s| s.battle.as_str()).collect();
    let statements: Vec<&Statement> =
        library.statements.iter().filter(|s| told.contains(s.battle.as_str())).collect();
    if !statements.is_empty() {
        // Plain values only: cannot fail.
        let text = serde_json::to_string(&statements).unwrap_or_default();
        found.push(Source { path: STATEMENTS.into(), text });
    }
    Ok(found)
}

fn folder(sort: Sort) -> &'static str {
    match sort {
        Sort::Rules => "rules",
        Sort::Map => "maps",
        Sort::Scenario => "scenarios",
        Sort::Record => "seeds",
        Sort::Patch => "patches",
    }
}

fn source(sheet: &Sheet) -> Source {
    let name = sheet.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let within = sheet.source.of_mod.as_ref().map_or_else(String::new, |m| format!("{MODS}{m}/"));
    Source {
        path: format!("{within}{}/{name}", folder(sheet.sort)),
        text: sheet.source.text.clone(),
    }
}

/// A library of a replay's sources alone.
///
/// # Errors
/// If its statements are broken.
pub fn library(replay: &Replay) -> Result<Library, Vec<Finding>> {
    let mut layers: BTreeMap<Option<String>, Vec<Sheet>> = BTreeMap::new();
    let mut library = Library::default();
    for source in &replay.sources {
        if source.path == STATEMENTS {
            library.statements = serde_json::from_str(&source.text).map_err(|e| {
                let text = spans::Source::new(source.path.clone(), source.text.clone(), None);
                vec![at(&text, e.line(), e.column(), e.to_string())]
            })?;
            continue;
        }
        let (of_mod, path) =
            match source.path.strip_prefix(MODS).and_then(|rest| rest.split_once('/')) {
                Some((name, path)) => (Some(name.to_owned()), path),
                None => (None, source.path.as_str()),
            };
        let sort = [Sort::Rules, Sort::Map, Sort::Scenario, Sort::Record]
            .into_iter()
            .find(|s| path.split('/').next() == Some(folder(*s)));
        let text = spans::Source::new(source.path.clone(), source.text.clone(), of_mod.clone());
        layers.entry(of_mod).or_default().push(parse(&PathBuf::from(&source.path), sort, &text));
    }
    // What ships comes first, then mods in the order of their names.
    library.layers = layers
        .into_iter()
        .map(|(of_mod, sheets)| Layer {
            root: PathBuf::new(),
            of_mod,
            sheets,
            beside: Beside::default(),
        })
        .collect();
    Ok(library)
}

/// The battle that a replay was made from.
///
/// # Errors
/// All findings of its sources, if any is an error.
pub fn scenario(replay: &Replay) -> Result<Arc<Scenario>, Vec<Finding>> {
    let failed = |e: std::io::Error| {
        vec![Finding::of_file(
            "E0101",
            "patches",
            Message::new("cannot be read: {0}", [e.to_string()]),
        )]
    };
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut patches = Vec::new();
    for (i, patch) in replay.patches.iter().enumerate() {
        let path = folder.path().join(format!("{i}.ron"));
        std::fs::write(&path, &patch.text).map_err(failed)?;
        patches.push(path);
    }
    let options = Options {
        cell_m: replay.cell_m,
        pulse_s: replay.pulse_s,
        patches,
        inputs: if replay.drawn { Inputs::Drawn(replay.seed) } else { Inputs::Fixed },
        without_units: Vec::new(),
    };
    library(replay)?.scenario(&replay.scenario, &options).map_err(|mut found| {
        // The patch by its own name, not by that of its copy here.
        for finding in &mut found {
            for (patch, copy) in replay.patches.iter().zip(&options.patches) {
                if finding.file == copy.display().to_string() {
                    finding.file.clone_from(&patch.path);
                }
            }
        }
        found
    })
}

/// What is wrong with a replay file, short of fighting it again.
#[must_use]
pub fn check(shown: &str, text: &str) -> Vec<Finding> {
    match Replay::from_text(text) {
        Err(fault) => vec![finding(shown, text, &fault)],
        Ok(replay) => match scenario(&replay) {
            Ok(_) if replay.sum() == replay.checksum => Vec::new(),
            Ok(_) => {
                let message = Message::new(
                    "the file has been changed since it was written: its checksum is {0}",
                    [replay.sum()],
                );
                vec![Finding::of_file(BROKEN, shown, message)]
            }
            Err(found) => found,
        },
    }
}

/// A fault as a finding with its place.
#[must_use]
pub fn finding(shown: &str, text: &str, fault: &Fault) -> Finding {
    let source = spans::Source::new(shown, text, None);
    match fault {
        Fault::Unreadable(why) => {
            Finding::of_file("E0101", shown, Message::new("cannot be read: {0}", [why.clone()]))
        }
        Fault::Broken(why, line, column) => at(&source, *line, *column, why.clone()),
        Fault::Format(format) => {
            let message = Message::new(
                "is a replay of format {0}, which this program does not know",
                [format.to_string()],
            );
            Finding::of_file(BROKEN, shown, message)
        }
    }
}

fn at(source: &Arc<spans::Source>, line: usize, column: usize, why: String) -> Finding {
    let start: usize =
        source.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let from = (start + column.saturating_sub(1)).min(source.text.len());
    let from = (0..=from).rev().find(|i| source.text.is_char_boundary(*i)).unwrap_or(0);
    let span = Span { source: Arc::clone(source), from, to: from };
    Finding::error(BROKEN, &span, Message::new("this is no replay: {0}", [why]))
}
