//! Tables of names and the pen that writes findings of one file.

use std::collections::BTreeMap;

use crate::scenario::findings::{Finding, Message, Severity, did_you_mean};
use crate::scenario::raw::battle::RawScenario;
use crate::scenario::raw::map::{Feature, RawMap};
use crate::scenario::spans::{Form, Node, Path};

/// Names of one sort of thing, with their numbers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    what: &'static str,
    ids: BTreeMap<String, usize>,
    /// Whether all names are here: a file that could not be read whole makes no
    /// findings of unknown names elsewhere.
    pub whole: bool,
    /// Names that the map has outside the battle's window.
    pub cut: Vec<String>,
}

impl Table {
    /// A table; the first of two equal names counts.
    pub fn new<'a>(
        what: &'static str,
        whole: bool,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut table = Self { what, ids: BTreeMap::new(), whole, cut: Vec::new() };
        for (i, id) in ids.into_iter().enumerate() {
            table.ids.entry(id.to_string()).or_insert(i);
        }
        table
    }

    /// The number of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }
}

/// All names that orders and battles speak of.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "one table a sort of thing")]
pub struct Tables {
    pub ground: Table,
    pub weapons: Table,
    pub armour: Table,
    pub engines: Table,
    pub units_kinds: Table,
    pub works_kinds: Table,
    pub areas: Table,
    pub works: Table,
    pub sides: Table,
    pub parties: Table,
    pub posts: Table,
    pub corps: Table,
    pub units: Table,
    pub persons: Table,
}

impl Tables {
    /// The tables of a map: areas and works in its order.
    pub fn map(&mut self, map: &RawMap, whole: bool) {
        self.areas = Table::new(
            "area",
            whole,
            map.features.iter().filter_map(|f| match f {
                Feature::Area { id, .. } | Feature::Sector { id, .. } => Some(id.as_str()),
                _ => None,
            }),
        );
        self.works = Table::new(
            "work",
            whole,
            map.features.iter().filter_map(|f| match f {
                Feature::Wall { id, .. }
                | Feature::Gate { id, .. }
                | Feature::Ramp { id, .. }
                | Feature::Bridge { id, .. } => Some(id.as_str()),
                _ => None,
            }),
        );
    }

    /// The tables of an order of battle.
    pub fn battle(&mut self, raw: &RawScenario, whole: bool) {
        self.sides = Table::new("side", whole, raw.sides.iter().map(|s| s.id.as_str()));
        self.parties = Table::new("party", whole, raw.parties.iter().map(|s| s.id.as_str()));
        self.posts = Table::new("post", whole, raw.posts.iter().map(|s| s.id.as_str()));
        self.corps = Table::new("corps", whole, raw.corps.iter().map(|s| s.id.as_str()));
        self.units = Table::new("unit", whole, raw.units.iter().map(|s| s.id.as_str()));
        self.persons = Table::new("person", whole, raw.persons.iter().map(|s| s.id.as_str()));
    }
}

/// Writes the findings of one file.
pub struct Pen<'a> {
    root: &'a Node,
    out: &'a mut Vec<Finding>,
    /// Names that could not be found, because their table is not whole.
    pub lost: bool,
}

impl<'a> Pen<'a> {
    /// A pen for the file that a tree was read from.
    pub const fn new(root: &'a Node, out: &'a mut Vec<Finding>) -> Self {
        Self { root, out, lost: false }
    }

    /// The tree.
    #[must_use]
    pub const fn root(&self) -> &'a Node {
        self.root
    }

    /// An error at a value.
    pub fn error(&mut self, code: &'static str, path: &Path<'_>, message: Message) {
        self.write(Severity::Error, code, path, message, None);
    }

    /// A warning at a value.
    pub fn warning(&mut self, code: &'static str, path: &Path<'_>, message: Message) {
        self.write(Severity::Warning, code, path, message, None);
    }

    /// A finding at a value; nothing at a hole, which has been reported.
    pub fn write(
        &mut self,
        severity: Severity,
        code: &'static str,
        path: &Path<'_>,
        message: Message,
        help: Option<Message>,
    ) {
        let node = self.root.find(path);
        self.on(severity, code, node, message, help);
    }

    /// A finding at a node of the tree.
    pub fn on(
        &mut self,
        severity: Severity,
        code: &'static str,
        node: &Node,
        message: Message,
        help: Option<Message>,
    ) {
        if matches!(node.form, Form::Hole) {
            self.lost = true;
            return;
        }
        let mut finding = Finding::error(code, &node.span, message).with_help(help);
        finding.severity = severity;
        self.out.push(finding);
    }

    /// How many findings there are so far.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.out.len()
    }

    /// Adds a place to the last finding.
    pub fn relate(&mut self, path: &Path<'_>, message: Message) {
        let span = self.root.find(path).span.clone();
        if let Some(last) = self.out.last_mut() {
            last.relate(&span, message);
        }
    }

    /// The number of a name, or a finding.
    pub fn look(&mut self, table: &Table, name: &str, path: &Path<'_>) -> Option<usize> {
        let found = table.get(name);
        if found.is_none() {
            if table.whole {
                let message = Message::new(
                    "there is no {0} `{1}`",
                    [table.what.to_string(), name.to_string()],
                );
                let help = if table.cut.iter().any(|cut| cut == name) {
                    Some(Message::new("the map has it outside the battle's window", []))
                } else {
                    did_you_mean(name, table.names())
                };
                self.write(Severity::Error, "E0301", path, message, help);
            } else {
                self.lost = true;
            }
        }
        found
    }

    /// Finds ids that stand twice in a list of a file.
    pub fn twice<'b>(
        &mut self,
        list: &str,
        what: &'static str,
        ids: impl IntoIterator<Item = &'b str>,
    ) {
        let above = Path::ROOT.field(list);
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, id) in ids.into_iter().enumerate() {
            if id.is_empty() {
                self.error(
                    "E0303",
                    &above.index(i).field("id"),
                    Message::new("an id must not be empty", []),
                );
                continue;
            }
            if let Some(first) = seen.insert(id, i) {
                self.error(
                    "E0302",
                    &above.index(i).field("id"),
                    Message::new("there are two of {0} `{1}`", [what.to_string(), id.to_string()]),
                );
                self.relate(&above.index(first).field("id"), Message::new("the first one", []));
            }
        }
    }
}

/// `"22:30"` as `22 * 60 + 30`; both parts 0 or more, the second under 60.
#[must_use]
pub fn clock(text: &str) -> Option<i32> {
    let (big, small) = text.split_once(':')?;
    let digits = |s: &str| (1..=4).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(big) || !digits(small) || small.len() != 2 {
        return None;
    }
    let (big, small): (i32, i32) = (big.parse().ok()?, small.parse().ok()?);
    (small < 60).then_some(big * 60 + small)
}
