//! Battles and their files, for the commands: the library, faults and hints.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::args::{Change, PlayArgs};
use super::commands;
use super::out::{Failure, Out};
use crate::locale::Language;
use crate::replay::format::{FORMAT, Fault, Replay, Source};
use crate::replay::record::Made;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::{Catalogue, Name};
use crate::scenario::findings::{self, Finding, Message};
use crate::scenario::load::{self, Inputs, Library, Options};

/// Where a battle comes from that ships with the game.
pub const BUILT_IN: &str = "built-in";
/// Ending of replay files, beside what their text says.
const REPLAY: &str = "json";

/// The library of this installation.
#[derive(Debug)]
pub struct Data {
    library: Library,
}

/// A battle in a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Id.
    pub id: String,
    /// Name.
    pub name: Name,
    /// Document.
    pub document: Option<String>,
    /// Sides.
    pub sides: Vec<ListedSide>,
    /// Companies at muster.
    pub companies: usize,
    /// `built-in` or `mod:NAME`.
    pub source: String,
}

/// A side in a list.
#[derive(Clone, Debug)]
pub struct ListedSide {
    /// Id.
    pub id: String,
    /// Name.
    pub name: Name,
    /// Men at muster.
    pub men: i64,
}

impl Listed {
    /// As it is promised.
    #[must_use]
    pub fn json(&self) -> Value {
        let sides: Vec<Value> = self.sides.iter().map(|s| json!({ "id": s.id, "name": s.name, "men": s.men })).collect();
        json!({
            "id": self.id, "name": self.name, "document": self.document, "sides": sides,
            "companies": self.companies, "source": self.source,
        })
    }

    fn of(scenario: &Scenario, source: String) -> Self {
        let units = |side: usize| {
            scenario.units.iter().filter(move |u| scenario.parties[u.party.index()].side.index() == side)
        };
        let sides = scenario.sides.iter().enumerate().map(|(i, side)| ListedSide {
            id: side.id.clone(),
            name: side.name.clone(),
            men: units(i).map(|u| i64::from(u.men)).sum(),
        });
        let companies = scenario.units.iter().map(|u| {
            let size = scenario.rules.units[u.kind.index()].company_size.max(1);
            usize::try_from((u.men + size - 1) / size).unwrap_or(0)
        });
        Self {
            id: scenario.id.clone(),
            name: scenario.name.clone(),
            document: scenario.document.clone(),
            sides: sides.collect(),
            companies: companies.sum(),
            source,
        }
    }
}

/// A name in a language.
#[must_use]
pub fn pick(name: &Name, language: Language) -> &str {
    match language {
        Language::En => &name.en,
        Language::Zh => &name.zh,
    }
}

impl Data {
    /// Opens the data folders.
    #[must_use]
    pub fn open() -> Self {
        Self { library: load::open(&[]) }
    }

    /// Every battle that loads; those with faults are for `check`.
    #[must_use]
    pub fn battles(&self) -> Vec<Listed> {
        let load = |id: &String| self.library.scenario(id, &Options::default()).ok();
        self.library.ids().iter().filter_map(load).map(|s| Listed::of(&s, BUILT_IN.into())).collect()
    }

    /// A battle by its id or file, changed as the arguments say; with `drawn` its
    /// chosen inputs are drawn by that seed.
    pub fn scenario(&self, out: &Out, id: &str, change: &Change, drawn: Option<u64>) -> Result<Arc<Scenario>, Failure> {
        let ids = self.library.ids();
        if !Path::new(id).exists() && !ids.iter().any(|known| known == id) {
            let near = findings::nearest(id, ids.iter().map(String::as_str));
            let message = out.locale.with("no-such-scenario", &[("id", id)]);
            return Err(Failure::call(commands::with_hint(out, message, near)));
        }
        let options = options(out, change, drawn)?;
        self.library
            .scenario(id, &options)
            .map_err(|found| Failure::fault(out.locale.with("has-faults", &[("what", id)]), found))
    }

    /// The rules of a battle, or of any.
    pub fn rules(&self, out: &Out, id: Option<&str>) -> Result<Arc<Catalogue>, Failure> {
        let ids = self.library.ids();
        let id = id.or(ids.first().map(String::as_str)).unwrap_or_default();
        self.scenario(out, id, &Change::default(), None).map(|s| Arc::clone(&s.rules))
    }

    /// How a battle is made, for its replay file.
    pub fn made(&self, out: &Out, id: &str, change: &Change) -> Result<Made, Failure> {
        todo!()
    }
}

fn options(out: &Out, change: &Change, drawn: Option<u64>) -> Result<Options, Failure> {
    for patch in &change.patch {
        if let Err(e) = std::fs::metadata(patch) {
            let (file, why) = (patch.display().to_string(), e.to_string());
            return Err(Failure::call(out.locale.with("cannot-read", &[("file", &file), ("why", &why)])));
        }
    }
    Ok(Options {
        cell_m: change.cell,
        pulse_s: change.pulse,
        patches: change.patch.clone(),
        inputs: if drawn.is_some() { Inputs::Drawn } else { Inputs::Fixed },
        seed: drawn.unwrap_or_default(),
    })
}

/// The codes of findings.
pub fn codes() -> impl Iterator<Item = &'static str> {
    crate::scenario::codes::CODES.iter().map(|(code, _)| *code)
}

/// Whether an argument means a replay file and no scenario.
#[must_use]
pub fn is_replay(what: &str) -> bool {
    Path::new(what).extension().is_some_and(|e| e == REPLAY)
}

/// A fault of a replay file, in words and as a finding.
#[must_use]
pub fn replay_fault(out: &Out, file: &str, fault: &Fault) -> (String, Vec<Finding>) {
    todo!()
}

/// The battle that a replay was made from, out of its own sources.
pub fn scenario_of(out: &Out, replay: &Replay) -> Result<Arc<Scenario>, Failure> {
    todo!()
}

/// Checks a path, or everything: files looked at, and what is wrong.
pub fn check(out: &Out, path: Option<&Path>) -> Result<(usize, Vec<Finding>), Failure> {
    todo!()
}

/// Opens the window.
#[cfg(not(feature = "desktop"))]
pub fn play(out: &Out, _args: Option<&PlayArgs>) -> Result<u8, Failure> {
    Err(Failure::call(out.locale.text("no-window")))
}
