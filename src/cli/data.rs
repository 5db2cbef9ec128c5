//! Battles and their files, for the commands: the library, faults and hints.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::args::{Change, PlayArgs};
use super::commands;
use super::out::{CALL, Failure, Out};
use crate::locale::Language;
use crate::replay::format::{Fault, Replay};
use crate::replay::record::Made;
use crate::replay::sources;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::{Catalogue, Name};
use crate::scenario::findings::{self, Finding};
use crate::scenario::library::{Library, Sort};
use crate::scenario::load::{Inputs, Listed, Options};

/// Where a battle comes from that ships with the game.
pub const BUILT_IN: &str = "built-in";
/// Ending of replay files.
const REPLAY: &str = "json";
/// A file of statements, the one other sort of file with that ending.
const STATEMENTS: &str = "statements.json";
/// Code of findings about files that cannot be read at all.
const UNREADABLE: &str = "E0101";

/// The library of this installation.
#[derive(Debug)]
pub struct Data {
    library: Library,
}

/// A battle of the list, as it is promised.
#[must_use]
pub fn listed_json(battle: &Listed) -> Value {
    let side =
        |(id, name, men): &(String, Name, i32)| json!({ "id": id, "name": name, "men": men });
    json!({
        "id": battle.id, "name": battle.name, "document": battle.document,
        "sides": battle.sides.iter().map(side).collect::<Vec<_>>(),
        "companies": battle.companies, "source": source_word(battle),
    })
}

/// `built-in`, or `mod:NAME`.
#[must_use]
pub fn source_word(battle: &Listed) -> String {
    battle.of_mod.as_ref().map_or_else(|| BUILT_IN.into(), |name| format!("mod:{name}"))
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
        Self { library: Library::find() }
    }

    /// Every battle that loads; those with faults are for `check`.
    #[must_use]
    pub fn battles(&self) -> Vec<Listed> {
        self.library.list()
    }

    /// Ids of the battles that are there and not among these: they have faults.
    #[must_use]
    pub fn hidden(&self, listed: &[Listed]) -> Vec<String> {
        let known = self.library.by_id(Sort::Scenario).into_keys();
        known.filter(|id| listed.iter().all(|l| l.id != *id)).collect()
    }

    /// A battle by its id or file, changed as the arguments say; with `drawn` its
    /// chosen inputs are drawn by that seed.
    ///
    /// # Errors
    /// If there is no such battle or patch (the call is at fault), or the files
    /// have errors (they are).
    pub fn scenario(
        &self,
        out: &Out,
        id: &str,
        change: &Change,
        drawn: Option<u64>,
    ) -> Result<Arc<Scenario>, Failure> {
        let known = self.library.by_id(Sort::Scenario);
        if !Path::new(id).exists() && !known.contains_key(id) {
            let near = findings::nearest(id, known.keys().map(String::as_str));
            let message = out.locale.with("no-such-scenario", &[("id", id)]);
            return Err(Failure::call(commands::with_hint(out, message, near)));
        }
        self.library
            .scenario(id, &options(out, change, drawn)?)
            .map_err(|found| faults(out, id, found))
    }

    /// The rules of a battle, or of any.
    ///
    /// # Errors
    /// Those of [`Self::scenario`].
    pub fn rules(&self, out: &Out, id: Option<&str>) -> Result<Arc<Catalogue>, Failure> {
        let default = self.library.default_id().unwrap_or_default();
        self.scenario(out, id.unwrap_or(&default), &Change::default(), None)
            .map(|s| Arc::clone(&s.rules))
    }

    /// How a battle is made, for its replay file.
    ///
    /// # Errors
    /// If a file cannot be read again.
    pub fn made(
        &self,
        out: &Out,
        id: &str,
        scenario: &Scenario,
        change: &Change,
    ) -> Result<Made, Failure> {
        let patches = change.patch.iter().map(|p| {
            let text = commands::read(out, p)?;
            Ok(crate::replay::format::Source { path: p.display().to_string(), text })
        });
        let patches = patches.collect::<Result<Vec<_>, Failure>>()?;
        let sources = sources::gather(&self.library, id, scenario, &patches)
            .map_err(|f| faults(out, id, vec![*f]))?;
        Ok(Made {
            cell_m: change.cell,
            pulse_s: change.pulse,
            without: change.without.clone(),
            drawn: false,
            sources,
            patches,
        })
    }
}

fn options(out: &Out, change: &Change, drawn: Option<u64>) -> Result<Options, Failure> {
    for patch in &change.patch {
        commands::read(out, patch)?;
    }
    let inputs = drawn.map_or(Inputs::Fixed, Inputs::Drawn);
    Ok(Options { inputs, ..options_of(change) })
}

fn options_of(change: &Change) -> Options {
    Options {
        cell_m: change.cell,
        pulse_s: change.pulse,
        patches: change.patch.clone(),
        inputs: Inputs::Fixed,
        // The muster itself leaves out kinds of unit that are off.
        without_units: Vec::new(),
    }
}

/// Refuses a side that is not in a battle.
#[cfg(feature = "desktop")]
fn side_of(out: &Out, battle: &Scenario, id: &str) -> Result<(), Failure> {
    let known = || battle.sides.iter().map(|s| s.id.as_str());
    if known().any(|s| s == id) {
        return Ok(());
    }
    let message = out.locale.with("no-such-side", &[("id", id)]);
    Err(Failure::call(commands::with_hint(out, message, findings::nearest(id, known()))))
}

/// Findings as a failure: a file that cannot be read is the call's fault.
fn faults(out: &Out, what: &str, found: Vec<Finding>) -> Failure {
    let mut failure = Failure::fault(out.locale.with("has-faults", &[("what", what)]), found);
    if failure.findings.iter().all(|f| f.code == UNREADABLE) {
        failure.code = CALL;
    }
    failure
}

/// The codes of findings.
pub fn codes() -> impl Iterator<Item = &'static str> {
    crate::scenario::codes::CODES.iter().map(|(code, _)| *code)
}

/// Whether an argument means a replay file and no scenario: by its ending, or by
/// its first sign where it has another one.
#[must_use]
pub fn is_replay(what: &Path) -> bool {
    let named = what.extension().is_some_and(|e| e == REPLAY);
    (named || what.is_file() && begins_as_json(what))
        && what.file_name().is_some_and(|n| n != STATEMENTS)
}

/// Whether a file's first sign, spaces aside, opens a JSON object; RON files begin
/// with a word or a comment.
fn begins_as_json(path: &Path) -> bool {
    let mut start = [0; 256];
    let read = std::fs::File::open(path).and_then(|mut f| f.read(&mut start)).unwrap_or(0);
    start[..read].iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

/// The battle that a replay was made from, out of its own sources.
///
/// # Errors
/// If its sources make no battle: the file is at fault.
pub fn scenario_of(out: &Out, replay: &Replay) -> Result<Arc<Scenario>, Failure> {
    sources::scenario(replay).map_err(|found| {
        Failure::fault(out.locale.with("has-faults", &[("what", &replay.scenario)]), found)
    })
}

/// A fault of a replay file, in words.
#[must_use]
pub fn replay_fault(out: &Out, file: &str, fault: &Fault) -> String {
    match fault {
        Fault::Unreadable(why) => out.locale.with("cannot-read", &[("file", file), ("why", why)]),
        Fault::Broken(why, ..) => out.locale.with("not-a-replay", &[("file", file), ("why", why)]),
        Fault::Format(format) => {
            let (format, known) = (format.to_string(), crate::replay::format::FORMAT.to_string());
            out.locale
                .with("other-format", &[("file", file), ("format", &format), ("known", &known)])
        }
    }
}

/// Checks a path, or everything: files looked at, and what is wrong.
///
/// # Errors
/// If there is no such file: the call is at fault.
pub fn check(out: &Out, path: Option<&Path>) -> Result<(usize, Vec<Finding>), Failure> {
    let library = Library::find();
    let Some(path) = path else {
        let checked = library.check();
        return Ok((checked.files, checked.findings));
    };
    if let Err(e) = std::fs::metadata(path) {
        let (file, why) = (path.display().to_string(), e.to_string());
        return Err(Failure::call(
            out.locale.with("cannot-read", &[("file", &file), ("why", &why)]),
        ));
    }
    if is_replay(path) {
        let text = commands::read(out, path)?;
        return Ok((1, sources::check(&path.display().to_string(), &text)));
    }
    let checked = library.check_path(path);
    Ok((checked.files, checked.findings))
}

/// Opens the window.
///
/// # Errors
/// If there is no such battle or side, or no window can be opened.
#[cfg(feature = "desktop")]
pub fn play(out: &Out, args: Option<&PlayArgs>) -> Result<u8, Failure> {
    let mut options = crate::front::Options::default();
    if let Some(args) = args {
        let data = Data::open();
        let change = &args.change;
        // Faults are told here, with their lines, before any window opens. Without a
        // battle the default one stands for those of the list.
        let default = data.library.default_id();
        if let Some(id) = args.scenario.as_ref().or(default.as_ref()).filter(|_| {
            args.scenario.is_some() || !change.patch.is_empty() || !change.without.is_empty()
        }) {
            let battle = data.scenario(out, id, change, None)?;
            commands::off(out, &change.without, &battle)?;
            data.made(out, id, &battle, change)?;
            if let Some(side) = &args.side {
                side_of(out, &battle, side)?;
            }
        }
        options = crate::front::Options {
            scenario: args.scenario.clone(),
            side: args.side.clone(),
            load: args.load.clone(),
            change: crate::front::Change {
                load: options_of(change),
                without: change.without.clone(),
                orders: change.orders.into(),
            },
        };
    }
    if !has_display() {
        return Err(Failure::call(out.locale.text("no-display")));
    }
    crate::front::run(options).map_err(Failure::call)?;
    Ok(super::out::DONE)
}

/// Whether a window could be shown: asked first, since the window's library ends
/// the program where it finds no display.
#[cfg(feature = "desktop")]
fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(set)
}

/// Opens the window.
///
/// # Errors
/// Always: this build has none.
#[cfg(not(feature = "desktop"))]
pub fn play(out: &Out, _args: Option<&PlayArgs>) -> Result<u8, Failure> {
    Err(Failure::call(out.locale.text("no-window")))
}
