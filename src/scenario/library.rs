//! The data folders: what ships, and mods laid over it. Every file is read once,
//! into a tree that knows its places; what came from where stays known.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use super::findings::{Finding, Message};
use super::manifest::{self, Beside};
use super::record::Statement;
use super::spans::{Form, Node, Source, read};

/// Largest file that is read.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// Most files that one folder may hold.
const MOST_FILES: usize = 2_000;

/// A sort of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// `rules/*.ron`.
    Rules,
    /// `maps/*.ron`.
    Map,
    /// `scenarios/*.ron`.
    Scenario,
    /// `seeds/*.ron`.
    Record,
    /// A patch, given on the command line.
    Patch,
}

impl Sort {
    /// The name that stands before the brackets.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "Rules",
            Self::Map => "Map",
            Self::Scenario => "Scenario",
            Self::Record => "Record",
            Self::Patch => "Patch",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        [Self::Rules, Self::Map, Self::Scenario, Self::Record, Self::Patch]
            .into_iter()
            .find(|sort| sort.word() == word)
    }
}

/// A file that has been read.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Its path.
    pub path: PathBuf,
    /// What it is.
    pub sort: Sort,
    /// Its text.
    pub source: Arc<Source>,
    /// Its tree.
    pub root: Node,
    /// Faults of syntax.
    pub faults: Vec<Finding>,
}

impl Sheet {
    /// The id in it: `id`, or `document` of a record; else the file's stem.
    #[must_use]
    pub fn id(&self) -> String {
        let field = if self.sort == Sort::Record { "document" } else { "id" };
        let named = self.root.field(field).and_then(Node::text).map(str::to_string);
        named.unwrap_or_else(|| {
            self.path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
        })
    }

    /// Whether its syntax is whole.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Reads one file.
///
/// # Errors
/// The finding says why it cannot be read.
pub fn sheet(
    path: &FilePath,
    sort: Option<Sort>,
    of_mod: Option<&str>,
) -> Result<Sheet, Box<Finding>> {
    let shown = shown(path);
    let text = text(path)?;
    let source = Source::new(shown, text, of_mod.map(str::to_string));
    Ok(parse(path, sort, &source))
}

/// A sheet from a text that is at hand.
#[must_use]
pub fn parse(path: &FilePath, sort: Option<Sort>, source: &Arc<Source>) -> Sheet {
    let (root, faults) = read(source);
    let named = match &root.form {
        Form::Group(Some(word), _) => Sort::of_word(word),
        _ => None,
    };
    let sort = sort.or(named).unwrap_or(Sort::Scenario);
    Sheet { path: path.to_path_buf(), sort, source: Arc::clone(source), root, faults }
}

/// The text of a file.
pub(super) fn text(path: &FilePath) -> Result<String, Box<Finding>> {
    let fail = |message| Box::new(Finding::of_file("E0101", shown(path), message));
    let about = std::fs::metadata(path)
        .map_err(|e| fail(Message::new("cannot be read: {0}", [e.to_string()])))?;
    if about.is_dir() {
        return Err(fail(Message::new("is a folder, not a file", [])));
    }
    if about.len() > MOST_BYTES {
        return Err(fail(Message::new("is larger than {0} MiB", [(MOST_BYTES >> 20).to_string()])));
    }
    let bytes = std::fs::read(path)
        .map_err(|e| fail(Message::new("cannot be read: {0}", [e.to_string()])))?;
    String::from_utf8(bytes).map_err(|e| {
        fail(Message::new(
            "is no text in UTF-8: byte {0} is at fault",
            [e.utf8_error().valid_up_to().to_string()],
        ))
    })
}

/// A path as people know it: from the current directory, if it is below it.
#[must_use]
pub fn shown(path: &FilePath) -> String {
    let here = std::env::current_dir().ok();
    let short = here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    short.strip_prefix(".").unwrap_or(short).display().to_string()
}

/// One layer: what ships, or a mod.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its folder.
    pub root: PathBuf,
    /// The mod's name, or none for what ships.
    pub of_mod: Option<String>,
    /// Its files, by sort and then by path.
    pub sheets: Vec<Sheet>,
    /// What else a mod's folder holds.
    pub beside: Beside,
}

/// The data folders together.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// What ships, then mods; later ones win.
    pub layers: Vec<Layer>,
    /// The statements, in the order of their file.
    pub statements: Vec<Statement>,
    /// Faults of files that could not be read at all, and of the statements.
    pub faults: Vec<Finding>,
}

impl Library {
    /// Opens what ships in `root` (with `assets`, `scenarios`, `seeds`) and the
    /// mods in its `mods` folder. Faults are kept, never fatal.
    #[must_use]
    pub fn open(root: &FilePath) -> Self {
        let mut library = Self::default();
        library.shipped(root);
        library.mods(&root.join("mods"));
        library
    }

    /// Opens the folders that are found: beside the program, in the current
    /// directory, or in the package; and mods there and in the user's data folder.
    #[must_use]
    pub fn find() -> Self {
        let mut library = match data_root() {
            Some(root) => Self::open(&root),
            None => {
                let mut library = Self::default();
                library.faults.push(Finding::of_file(
                    "E0101",
                    "assets",
                    Message::new(
                        "no data folder was found beside the program or in the current directory",
                        [],
                    ),
                ));
                library
            }
        };
        if let Some(own) = user_data() {
            library.mods(&own.join("mods"));
        }
        library
    }

    fn shipped(&mut self, root: &FilePath) {
        self.layer(root, &root.join("assets"), None);
    }

    /// Lays every mod of a folder over what is there, in the order of names.
    pub fn mods(&mut self, folder: &FilePath) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut found: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|e| e.path())
            .filter(|p| p.is_dir())
            .take(MOST_FILES)
            .collect();
        found.sort();
        for path in found {
            self.add_mod(&path);
        }
    }

    /// Lays one mod's folder over what is there.
    pub fn add_mod(&mut self, path: &FilePath) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        self.layer(path, path, Some(&name));
    }

    fn layer(&mut self, root: &FilePath, assets: &FilePath, of_mod: Option<&str>) {
        let mut layer = Layer {
            root: root.to_path_buf(),
            of_mod: of_mod.map(str::to_string),
            sheets: Vec::new(),
            beside: of_mod.map(|name| manifest::beside(root, name)).unwrap_or_default(),
        };
        let folders = [
            (assets.join("rules"), Sort::Rules),
            (assets.join("maps"), Sort::Map),
            (root.join("scenarios"), Sort::Scenario),
            (root.join("seeds"), Sort::Record),
        ];
        for (folder, sort) in folders {
            for path in files(&folder, "ron") {
                match sheet(&path, Some(sort), of_mod) {
                    Ok(sheet) => layer.sheets.push(sheet),
                    Err(fault) => self.faults.push(*fault),
                }
            }
        }
        let statements = root.join("seeds").join("statements.json");
        if statements.exists() {
            self.read_statements(&statements);
        }
        self.layers.push(layer);
    }

    fn read_statements(&mut self, path: &FilePath) {
        let text = match text(path) {
            Ok(text) => text,
            Err(fault) => return self.faults.push(*fault),
        };
        let source = Source::new(shown(path), text, None);
        let mut de = serde_json::Deserializer::from_str(&source.text);
        match serde_path_to_error::deserialize::<_, Vec<Statement>>(&mut de) {
            Ok(more) => {
                for statement in more {
                    match self
                        .statements
                        .iter_mut()
                        .find(|s| s.id == statement.id && s.part == statement.part)
                    {
                        Some(known) => *known = statement,
                        None => self.statements.push(statement),
                    }
                }
            }
            Err(error) => {
                let at = error.path().to_string();
                let inner = error.into_inner();
                let start: usize = source
                    .text
                    .split_inclusive('\n')
                    .take(inner.line().saturating_sub(1))
                    .map(str::len)
                    .sum();
                let from = (start + inner.column().saturating_sub(1)).min(source.text.len());
                let from = (0..=from).rev().find(|i| source.text.is_char_boundary(*i)).unwrap_or(0);
                let span = super::spans::Span { source: Arc::clone(&source), from, to: from };
                self.faults.push(Finding::error(
                    "E0108",
                    &span,
                    Message::new("{0} (at `{1}`)", [inner.to_string(), at]),
                ));
            }
        }
    }

    /// The files of a sort, lowest layer first.
    pub fn sheets(&self, sort: Sort) -> impl Iterator<Item = &Sheet> {
        self.layers.iter().flat_map(|l| &l.sheets).filter(move |s| s.sort == sort)
    }

    /// The files of a sort by id: the first is the base, later ones are laid over it.
    #[must_use]
    pub fn by_id(&self, sort: Sort) -> BTreeMap<String, Vec<&Sheet>> {
        let mut found: BTreeMap<String, Vec<&Sheet>> = BTreeMap::new();
        for sheet in self.sheets(sort) {
            found.entry(sheet.id()).or_default().push(sheet);
        }
        found
    }

    /// Puts a file in the place of the one with its path, or adds it on top.
    pub fn put(&mut self, sheet: Sheet) {
        let same = |a: &FilePath, b: &FilePath| {
            a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
        };
        for layer in &mut self.layers {
            if let Some(known) = layer.sheets.iter_mut().find(|s| same(&s.path, &sheet.path)) {
                *known = sheet;
                return;
            }
        }
        let root = sheet.path.parent().map(FilePath::to_path_buf).unwrap_or_default();
        self.layers.push(Layer {
            root,
            of_mod: None,
            sheets: vec![sheet],
            beside: Beside::default(),
        });
    }

    /// The battle that opens where nobody has chosen one: the id in
    /// `scenarios/default.txt`, else the first.
    #[must_use]
    pub fn default_id(&self) -> Option<String> {
        let named = self.layers.iter().rev().find_map(|layer| {
            let text =
                std::fs::read_to_string(layer.root.join("scenarios").join("default.txt")).ok()?;
            let id = text.trim().to_string();
            self.by_id(Sort::Scenario).contains_key(&id).then_some(id)
        });
        named.or_else(|| self.by_id(Sort::Scenario).into_keys().next())
    }
}

/// The files of a folder with an extension, in the order of their names.
pub(super) fn files(folder: &FilePath, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .take(MOST_FILES)
        .collect();
    found.sort();
    found
}

/// Where what ships lies.
#[must_use]
pub fn data_root() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|p| p.parent().map(FilePath::to_path_buf));
    let here = std::env::current_dir().ok();
    let package = option_env!("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let good = |root: &PathBuf| {
        root.join("assets").join("rules").is_dir() && root.join("scenarios").is_dir()
    };
    [beside, here, package].into_iter().flatten().find(good)
}

/// The user's own data folder.
#[must_use]
pub fn user_data() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    var("XDG_DATA_HOME")
        .or_else(|| var("APPDATA"))
        .or_else(|| var("HOME").map(|home| home.join(".local").join("share")))
        .map(|folder| folder.join("nine-gates"))
}
