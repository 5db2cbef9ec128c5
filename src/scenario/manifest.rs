//! `mod.ron`: what a mod says of itself. And what else is in its folder: looks and
//! words that no battle reads, which must be sound all the same, and entries that
//! lie over those of somebody else.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use fluent_bundle::FluentResource;
use serde::{Deserialize, Serialize};

use super::catalogue::Name;
use super::findings::{Finding, Message, Severity, top};
use super::library::{Layer, Sheet, Sort, files, shown, text};
use super::spans::{Form, Node, Source, Span, read};
use super::typing::typed;

/// The file in a mod's folder.
pub const FILE: &str = "mod.ron";
/// Folders of words, one for each language.
const LANGUAGES: [&str; 2] = ["en", "zh-Hans"];

/// What a mod says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Mod")]
pub struct Manifest {
    /// Name for people.
    pub name: Name,
    /// What it is, in a sentence.
    #[serde(default)]
    pub about: Name,
    /// Its own version.
    pub version: String,
    /// The version of the game that it was made for: `0.1`.
    pub game: String,
    /// Ids (and fields of the rules) of others that it changes on purpose.
    #[serde(default)]
    pub overrides: Vec<String>,
}

/// What was read of a mod beside its battles.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What it says of itself, if it does.
    pub manifest: Option<Manifest>,
    /// Files looked at.
    pub files: usize,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
}

/// Reads a mod's `mod.ron`, looks and words.
#[must_use]
pub fn beside(root: &FilePath, of_mod: &str) -> Beside {
    let mut found = Beside::default();
    let path = root.join(FILE);
    if path.is_file() {
        found.manifest = found.ron(&path, of_mod).and_then(|node| {
            let (manifest, faults) = typed::<Manifest>(&node);
            let sound = faults.iter().all(|f| f.severity != Severity::Error);
            found.findings.extend(faults);
            manifest.filter(|_| sound).inspect(|m| found.findings.extend(other_game(m, &node)))
        });
    } else {
        let message =
            Message::new("the mod does not say what it is: there is no `{0}`", [FILE.into()]);
        let mut finding = Finding::of_file("W1101", shown(&path), message);
        finding.severity = Severity::Warning;
        found.findings.push(finding);
    }
    for path in files(&root.join("looks"), "ron") {
        found.ron(&path, of_mod);
    }
    found.words(&root.join("locale"), of_mod);
    found
}

impl Beside {
    /// A RON file's tree, if its syntax is whole.
    fn ron(&mut self, path: &FilePath, of_mod: &str) -> Option<Node> {
        self.files += 1;
        let source = self.source(path, of_mod)?;
        let (root, faults) = read(&source);
        let sound = faults.is_empty();
        self.findings.extend(faults);
        sound.then_some(root)
    }

    fn source(&mut self, path: &FilePath, of_mod: &str) -> Option<Arc<Source>> {
        match text(path) {
            Ok(text) => Some(Source::new(shown(path), text, Some(of_mod.into()))),
            Err(fault) => {
                self.findings.push(*fault);
                None
            }
        }
    }

    /// Words in both languages: sound, and the same ones.
    fn words(&mut self, folder: &FilePath, of_mod: &str) {
        let mut keys: [BTreeMap<String, Span>; 2] = Default::default();
        for (language, keys) in LANGUAGES.iter().zip(&mut keys) {
            for path in files(&folder.join(language), "ftl") {
                self.files += 1;
                let Some(source) = self.source(&path, of_mod) else { continue };
                if let Err((_, faults)) = FluentResource::try_new(source.text.clone()) {
                    self.findings.extend(faults.iter().map(|fault| {
                        let span = Span {
                            source: Arc::clone(&source),
                            from: fault.pos.start.min(source.text.len()),
                            to: fault.pos.end.min(source.text.len()),
                        };
                        Finding::error("E1103", &span, Message::new("{0}", [fault.to_string()]))
                    }));
                }
                let mut at = 0;
                for line in source.text.split_inclusive('\n') {
                    if let Some((key, _)) = line.split_once('=').filter(|_| is_key(line)) {
                        let to = at + key.trim_end().len();
                        let span = Span { source: Arc::clone(&source), from: at, to };
                        keys.insert(key.trim_end().into(), span);
                    }
                    at += line.len();
                }
            }
        }
        for (own, other) in [(0, 1), (1, 0)] {
            for (key, span) in keys[own].iter().filter(|(key, _)| !keys[other].contains_key(*key)) {
                self.findings.push(Finding::warning(
                    "W0304",
                    span,
                    Message::new(
                        "`{0}` has no text in `{1}`",
                        [key.clone(), LANGUAGES[other].into()],
                    ),
                ));
            }
        }
    }
}

/// Whether a line begins a message.
fn is_key(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A mod made for another game than this one may not do what it did.
fn other_game(manifest: &Manifest, root: &Node) -> Option<Finding> {
    let part =
        |version: &str| version.splitn(3, '.').take(2).map(str::to_owned).collect::<Vec<_>>();
    let own = env!("CARGO_PKG_VERSION");
    (part(&manifest.game) != part(own)).then(|| {
        let span = root.field("game").map_or_else(|| root.span.clone(), |n| n.span.clone());
        let message = Message::new(
            "made for version {0} of the game; this is {1}",
            [manifest.game.clone(), own.into()],
        );
        Finding::warning("W1102", &span, message)
    })
}

/// Entries of mods that lie over those of an earlier layer, unless the mod says
/// that it means to.
#[must_use]
pub fn clashes(layers: &[Layer]) -> Vec<Finding> {
    let mut known: BTreeMap<(Sort, String, String), Span> = BTreeMap::new();
    let mut findings = Vec::new();
    for layer in layers {
        let meant =
            |id: &String| layer.beside.manifest.as_ref().is_some_and(|m| m.overrides.contains(id));
        let own: Vec<((Sort, String, String), Span)> =
            layer.sheets.iter().flat_map(entries).collect();
        for (key, span) in &own {
            let Some(first) = known.get(key).filter(|_| layer.of_mod.is_some() && !meant(&key.2))
            else {
                continue;
            };
            let mut finding = Finding::warning(
                "W0906",
                span,
                Message::new("this changes `{0}` of another", [key.2.clone()]),
            )
            .with_help(Some(Message::new(
                "list it under `overrides` in mod.ron if that is meant",
                [],
            )));
            finding.relate(first, Message::new("the first one", []));
            findings.push(finding);
        }
        for (key, span) in own {
            known.entry(key).or_insert(span);
        }
    }
    findings
}

/// What a file defines, with its place: kinds and single fields of the rules, the
/// whole of any other file.
fn entries(sheet: &Sheet) -> Vec<((Sort, String, String), Span)> {
    let Form::Group(_, fields) = &sheet.root.form else { return Vec::new() };
    if sheet.sort != Sort::Rules {
        let span = sheet.root.field("id").or_else(|| sheet.root.field("document"));
        let span = span.map_or_else(|| top(&sheet.source), |n| n.span.clone());
        return vec![((sheet.sort, String::new(), sheet.id()), span)];
    }
    let mut found = Vec::new();
    for field in fields {
        let Some((name, span)) = &field.key else { continue };
        match &field.value.inner().form {
            Form::List(items) => found.extend(items.iter().filter_map(|item| {
                let id = item.field("id")?;
                Some(((sheet.sort, name.clone(), item.id()?.to_owned()), id.span.clone()))
            })),
            _ => found.push(((sheet.sort, String::new(), name.clone()), span.clone())),
        }
    }
    found
}

/// Whether two paths mean the same folder.
#[must_use]
pub fn same_folder(a: &FilePath, b: &FilePath) -> bool {
    let real = |p: &FilePath| -> Option<PathBuf> { p.canonicalize().ok() };
    a == b || matches!((real(a), real(b)), (Some(a), Some(b)) if a == b)
}
