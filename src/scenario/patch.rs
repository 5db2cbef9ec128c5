//! Patches and mods: trees laid over trees, field by field, before typing. Every
//! value keeps the place it came from, so a fault is shown in the patch's file.

use std::cell::Cell;
use std::path::PathBuf;

use super::findings::{Finding, Message, did_you_mean, nowhere};
use super::library::{Sheet, Sort, sheet};
use super::spans::{Entry, Form, Node, Span};

/// What a patch changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The rules.
    Rules,
    /// A map.
    Map(String),
    /// A scenario.
    Scenario(String),
    /// The record of a document.
    Record(String),
}

/// A patch that has been read.
#[derive(Debug)]
pub struct Patch {
    /// What it changes.
    pub target: Target,
    root: Node,
    target_span: Span,
    applied: Cell<bool>,
}

/// Struct names that choose a list for a new entry.
const LISTS: &[(&str, &str)] = &[
    ("GroundKind", "ground"),
    ("ArmourKind", "armour"),
    ("WeaponKind", "weapons"),
    ("EngineKind", "engines"),
    ("UnitKind", "units"),
    ("WorkKind", "works"),
    ("ShapeKind", "shapes"),
    ("Side", "sides"),
    ("Party", "parties"),
    ("Post", "posts"),
    ("Corps", "corps"),
    ("Unit", "units"),
    ("Person", "persons"),
    ("GateStart", "gates"),
    ("End", "ends"),
    ("Objective", "objectives"),
    ("Line", "standing"),
    ("Measured", "measures"),
    ("Moment", "moments"),
];
/// Variants of a map's features.
const FEATURES: &[&str] =
    &["Ground", "Block", "Water", "Street", "Wall", "Gate", "Ramp", "Bridge", "Area", "Sector"];

/// Reads patch files.
#[must_use]
pub fn open(paths: &[PathBuf]) -> (Vec<Patch>, Vec<Finding>) {
    let (mut patches, mut findings) = (Vec::new(), Vec::new());
    for path in paths {
        match sheet(path, Some(Sort::Patch), None) {
            Ok(sheet) => patches.extend(one(&sheet, &mut findings)),
            Err(fault) => findings.push(*fault),
        }
    }
    (patches, findings)
}

/// One patch from its file.
#[must_use]
pub fn one(sheet: &Sheet, findings: &mut Vec<Finding>) -> Option<Patch> {
    findings.extend(sheet.faults.iter().cloned());
    let Form::Group(name, entries) = &sheet.root.form else {
        if sheet.sound() {
            findings.push(Finding::error("E0901", &sheet.root.span, Message::new("a patch is written `Patch(target: ..., set: {...}, entries: [...], remove: [...])`", [])));
        }
        return None;
    };
    if let Some(name) = name.as_ref().filter(|name| *name != "Patch") {
        let span = head(&sheet.root, name);
        findings.push(Finding::error(
            "E0203",
            &span,
            Message::new("`{0}` is wanted here, not `{1}`", ["Patch".to_string(), name.clone()]),
        ));
        return None;
    }
    let known = ["target", "set", "entries", "remove"];
    for (key, span) in entries.iter().filter_map(|e| e.key.as_ref()) {
        if !known.contains(&key.as_str()) {
            findings.push(
                Finding::error(
                    "E0201",
                    span,
                    Message::new("there is no field `{0}` here", [key.clone()]),
                )
                .with_help(did_you_mean(key, known)),
            );
        }
    }
    let Some(node) = sheet.root.field("target") else {
        findings.push(Finding::error(
            "E0202",
            &head(&sheet.root, "Patch"),
            Message::new("the field `{0}` is missing", ["target".to_string()]),
        ));
        return None;
    };
    let target = match &node.form {
        Form::Word(word) if word == "Rules" => Some(Target::Rules),
        Form::Group(Some(word), inside) => {
            match (word.as_str(), inside.first().and_then(|e| e.value.text())) {
                ("Map", Some(id)) => Some(Target::Map(id.to_string())),
                ("Scenario", Some(id)) => Some(Target::Scenario(id.to_string())),
                ("Record", Some(id)) => Some(Target::Record(id.to_string())),
                _ => None,
            }
        }
        _ => None,
    };
    let Some(target) = target else {
        findings.push(Finding::error(
            "E0901",
            &node.span,
            Message::new(
                "a patch changes Rules, Map(\"id\"), Scenario(\"id\") or Record(\"document\")",
                [],
            ),
        ));
        return None;
    };
    Some(Patch {
        target,
        root: sheet.root.clone(),
        target_span: node.span.clone(),
        applied: Cell::new(false),
    })
}

/// Patches whose target the battle does not use.
pub fn unused(patches: &[Patch], findings: &mut Vec<Finding>) {
    for patch in patches.iter().filter(|p| !p.applied.get()) {
        if !super::findings::any_error(findings) {
            findings.push(Finding::error(
                "E0902",
                &patch.target_span,
                Message::new("the battle does not use what this patch changes", []),
            ));
        }
    }
}

impl Patch {
    /// Lays the patch over its target.
    pub fn apply(&self, root: &mut Node, findings: &mut Vec<Finding>) {
        self.applied.set(true);
        let before = findings.len();
        let mut changed = false;
        if let Some(set) = self.root.field("set") {
            changed |= Self::set(set, root, findings);
        }
        match self.root.field("entries").map(|node| (&node.form, node)) {
            None => {}
            Some((Form::List(entries), _)) => {
                for entry in entries {
                    changed |= self.entry(entry, root, findings);
                }
            }
            Some((_, node)) => findings.push(Finding::error(
                "E0204",
                &node.span,
                Message::new("a list is wanted here", []),
            )),
        }
        match self.root.field("remove").map(|node| (&node.form, node)) {
            None => {}
            Some((Form::List(ids), _)) => {
                for id in ids {
                    changed |= remove(id, root, findings);
                }
            }
            Some((_, node)) => findings.push(Finding::error(
                "E0204",
                &node.span,
                Message::new("a list is wanted here", []),
            )),
        }
        if !changed && findings.len() == before {
            findings.push(Finding::error(
                "E0903",
                &self.target_span,
                Message::new("the patch changes nothing", []),
            ));
        }
    }

    fn set(set: &Node, root: &mut Node, findings: &mut Vec<Finding>) -> bool {
        let Form::Map(pairs) = &set.form else {
            findings.push(Finding::error(
                "E0204",
                &set.span,
                Message::new("a map is wanted here: `{\"field\": value}`", []),
            ));
            return false;
        };
        let mut changed = false;
        for (key, value) in pairs {
            let Some(path) = key.text() else {
                findings.push(Finding::error(
                    "E0204",
                    &key.span,
                    Message::new("a field's name is wanted here, in quotes", []),
                ));
                continue;
            };
            changed |= set_field(root, path, key, value, findings);
        }
        changed
    }

    fn entry(&self, entry: &Node, root: &mut Node, findings: &mut Vec<Finding>) -> bool {
        let Some(id) = entry.id().map(str::to_string) else {
            findings.push(Finding::error(
                "E0202",
                &first_line(&entry.span),
                Message::new("the field `{0}` is missing", ["id".to_string()]),
            ));
            return false;
        };
        let name = match &entry.form {
            Form::Group(name, _) => name.clone(),
            _ => None,
        };
        let list_name = name
            .as_deref()
            .and_then(|n| LISTS.iter().find(|(struct_name, _)| *struct_name == n))
            .map(|(_, list)| *list);
        let part = entry.field("part").cloned();
        let matches = |item: &Node| {
            item.id() == Some(&id)
                && part.as_ref().is_none_or(|p| item.field("part").is_some_and(|q| q.same(p)))
        };
        let mut places = Vec::new();
        find_lists(root, "", &mut |list, items| {
            let fits = match list_name {
                Some("standing") => list == "standing" || list == "lines",
                Some(wanted) => list == wanted,
                None => true,
            };
            // A line that stands for several battles, once for each, is one line.
            let known = places.iter().any(|place| place == list);
            if fits && !known && items.iter().any(matches) {
                places.push(list.to_string());
            }
        });
        match places.len() {
            1 => {
                let mut changed = false;
                edit_lists(root, "", &mut |list, items| {
                    if list == places[0] {
                        for item in items.iter_mut().filter(|item| matches(item)) {
                            changed |= merge(item, entry);
                        }
                    }
                });
                changed
            }
            0 => {
                let feature = name.as_deref().is_some_and(|n| FEATURES.contains(&n))
                    && matches!(self.target, Target::Map(_));
                let list = if feature { Some("features") } else { list_name };
                let mut added = false;
                if let Some(list) = list {
                    edit_lists(root, "", &mut |found, items| {
                        if found == list && !added {
                            let mut new = entry.clone();
                            if let (Form::Group(name, _), false) = (&mut new.form, feature) {
                                *name = None;
                            }
                            items.push(new);
                            added = true;
                        }
                    });
                }
                if !added {
                    let mut known = Vec::new();
                    find_lists(root, "", &mut |_, items| {
                        known.extend(items.iter().filter_map(Node::id).map(str::to_string))
                    });
                    let help = did_you_mean(&id, known.iter().map(String::as_str))
                        .or_else(|| Some(Message::new("a new entry says its sort before the brackets, like `UnitKind(...)`, `Unit(...)` or `Gate(...)`", [])));
                    let span = entry.field("id").map_or(&entry.span, |n| &n.span);
                    findings.push(
                        Finding::error(
                            "E0904",
                            span,
                            Message::new("there is no entry `{0}` to change", [id]),
                        )
                        .with_help(help),
                    );
                }
                added
            }
            _ => {
                let help = Message::new(
                    "say its sort before the brackets, like `UnitKind(...)`; it is in {0}",
                    [places.join(", ")],
                );
                let span = entry.field("id").map_or(&entry.span, |n| &n.span);
                findings.push(
                    Finding::error(
                        "E0904",
                        span,
                        Message::new("more than one entry is called `{0}`", [id]),
                    )
                    .with_help(Some(help)),
                );
                false
            }
        }
    }
}

fn head(node: &Node, name: &str) -> Span {
    let mut span = node.span.clone();
    span.to = span.from + name.len();
    span
}

fn first_line(span: &Span) -> Span {
    let mut span = span.clone();
    span.to = span.source.text[span.from..span.to].find('\n').map_or(span.to, |i| span.from + i);
    span
}

/// Sets `a.b.c` of a group; a field that is not there yet is added to it.
fn set_field(
    root: &mut Node,
    path: &str,
    key: &Node,
    value: &Node,
    findings: &mut Vec<Finding>,
) -> bool {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let holder = inner_mut(root);
    if let Some(node) = holder.field_mut(first) {
        return match rest {
            Some(rest) => set_field(node, rest, key, value, findings),
            None if node.same(value) => false,
            None => {
                *node = value.clone();
                true
            }
        };
    }
    match (&mut holder.form, rest) {
        (Form::Group(_, entries), None) if entries.iter().all(|e| e.key.is_some()) => {
            // Typing says whether there is such a field, at the patch's own place.
            entries.push(Entry {
                key: Some((first.to_string(), key.span.clone())),
                value: value.clone(),
            });
            true
        }
        _ => {
            findings.push(Finding::error(
                "E0201",
                &key.span,
                Message::new("there is no field `{0}` here", [first.to_string()]),
            ));
            false
        }
    }
}

#[allow(clippy::unreachable, reason = "the borrow checker does not see what was just matched")]
fn inner_mut(node: &mut Node) -> &mut Node {
    let wrapped = matches!(&node.form, Form::Group(Some(name), entries) if name == "Some" && entries.len() == 1 && entries[0].key.is_none());
    if !wrapped {
        return node;
    }
    match &mut node.form {
        Form::Group(_, entries) => inner_mut(&mut entries[0].value),
        _ => unreachable!("just matched"),
    }
}

/// Visits every list of things with ids: its field's name, and its items.
fn find_lists(node: &Node, field: &str, see: &mut impl FnMut(&str, &[Node])) {
    match &node.form {
        Form::Group(_, entries) => {
            for entry in entries {
                find_lists(
                    &entry.value,
                    entry.key.as_ref().map_or("", |(key, _)| key.as_str()),
                    see,
                );
            }
        }
        Form::List(items) => {
            see(field, items);
            for item in items {
                find_lists(item, "", see);
            }
        }
        _ => {}
    }
}

fn edit_lists(node: &mut Node, field: &str, edit: &mut impl FnMut(&str, &mut Vec<Node>)) {
    match &mut node.form {
        Form::Group(_, entries) => {
            for entry in entries {
                let name = entry.key.as_ref().map_or(String::new(), |(key, _)| key.clone());
                edit_lists(&mut entry.value, &name, edit);
            }
        }
        Form::List(items) => {
            edit(field, items);
            for item in items {
                edit_lists(item, "", edit);
            }
        }
        _ => {}
    }
}

fn remove(id: &Node, root: &mut Node, findings: &mut Vec<Finding>) -> bool {
    let Some(name) = id.text() else {
        findings.push(Finding::error(
            "E0204",
            &id.span,
            Message::new("an id is wanted here, in quotes", []),
        ));
        return false;
    };
    let mut removed = false;
    let mut known = Vec::new();
    edit_lists(root, "", &mut |_, items| {
        known.extend(items.iter().filter_map(Node::id).map(str::to_string));
        let before = items.len();
        items.retain(|item| item.id() != Some(name));
        removed |= items.len() < before;
    });
    if !removed {
        let help = did_you_mean(name, known.iter().map(String::as_str));
        findings.push(
            Finding::error(
                "E0904",
                &id.span,
                Message::new("there is no entry `{0}` to remove", [name.to_string()]),
            )
            .with_help(help),
        );
    }
    removed
}

/// Lays one value over another: groups field by field, lists of things with ids
/// by id, anything else as a whole. Tells whether anything changed.
pub fn merge(base: &mut Node, over: &Node) -> bool {
    if base.same(over) {
        return false;
    }
    let both_named = |a: &[Entry], b: &[Entry]| a.iter().chain(b).all(|e| e.key.is_some());
    let target = inner_mut(base);
    match (&mut target.form, &over.inner().form) {
        (Form::Group(a_name, a), Form::Group(b_name, b))
            if both_named(a, b) && (a_name == b_name || a_name.is_none() || b_name.is_none()) =>
        {
            let mut changed = false;
            for entry in b {
                let Some((key, _)) = &entry.key else { continue };
                match a.iter_mut().find(|e| e.key.as_ref().is_some_and(|(k, _)| k == key)) {
                    Some(known) => changed |= merge(&mut known.value, &entry.value),
                    None => {
                        a.push(entry.clone());
                        changed = true;
                    }
                }
            }
            changed
        }
        (Form::List(a), Form::List(b))
            if !b.is_empty()
                && b.iter().all(|n| n.id().is_some())
                && a.iter().all(|n| n.id().is_some()) =>
        {
            let mut changed = false;
            for item in b {
                let same = |n: &&mut Node| {
                    n.id() == item.id()
                        && match (n.field("part"), item.field("part")) {
                            (Some(p), Some(q)) => p.same(q),
                            (None, None) => true,
                            _ => false,
                        }
                };
                match a.iter_mut().find(same) {
                    Some(known) => changed |= merge(known, item),
                    None => {
                        a.push(item.clone());
                        changed = true;
                    }
                }
            }
            changed
        }
        _ => {
            *base = over.clone();
            true
        }
    }
}

/// The rules files of all layers (each with its layer's number) as one: lists of a layer are joined, a later
/// layer is laid over the earlier ones.
#[must_use]
pub fn together(sheets: &[(usize, &Sheet)], findings: &mut Vec<Finding>) -> Node {
    let span =
        sheets.first().map_or_else(|| nowhere("rules"), |(_, s)| super::findings::top(&s.source));
    let mut root = Node { span, form: Form::Group(None, Vec::new()) };
    let base = sheets.first().map_or(0, |(layer, _)| *layer);
    for (layer, sheet) in sheets {
        let Form::Group(name, entries) = &sheet.root.form else {
            if sheet.sound() {
                findings.push(Finding::error(
                    "E0204",
                    &first_line(&sheet.root.span),
                    Message::new("a rules file is written `Rules(...)`", []),
                ));
            }
            continue;
        };
        if let Some(name) = name.as_ref().filter(|n| *n != "Rules") {
            findings.push(Finding::error(
                "E0203",
                &head(&sheet.root, name),
                Message::new(
                    "`{0}` is wanted here, not `{1}`",
                    ["Rules".to_string(), name.clone()],
                ),
            ));
            continue;
        }
        if *layer != base {
            merge(&mut root, &sheet.root);
            continue;
        }
        let Form::Group(_, all) = &mut root.form else { continue };
        for entry in entries {
            let known = entry.key.as_ref().and_then(|(key, _)| {
                all.iter_mut().find(|e| e.key.as_ref().is_some_and(|(k, _)| k == key))
            });
            match (known.map(|k| (&mut k.value.form, k.key.as_ref())), &entry.value.form) {
                (Some((Form::List(items), _)), Form::List(more)) => {
                    items.extend(more.iter().cloned())
                }
                (Some((_, Some((key, first)))), _) => {
                    let span = entry.key.as_ref().map_or(&entry.value.span, |(_, span)| span);
                    let mut finding = Finding::error(
                        "E0302",
                        span,
                        Message::new(
                            "there are two of {0} `{1}`",
                            ["field".to_string(), key.clone()],
                        ),
                    );
                    finding.relate(first, Message::new("the first one", []));
                    findings.push(finding);
                }
                _ => all.push(entry.clone()),
            }
        }
    }
    root
}
