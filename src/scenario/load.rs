//! From the library to a checked battle.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::battle::Scenario;
use super::catalogue::{Catalogue, Name};
use super::findings::{Finding, Message, any_error, did_you_mean, tidy};
use super::library::{Layer, Library, Sheet, Sort, sheet, shown};
use super::raster::raster;
use super::raw::battle::RawScenario;
use super::raw::map::{Feature, RawMap};
use super::raw::record::RawRecord;
use super::raw::rules::RawRules;
use super::resolve::{Pen, Sheets, Table, Tables, battle, catalogue};
use super::spans::{Form, Node, Path};
use super::typing::typed;
use super::{checks, inputs, manifest, patch};

/// How a battle is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Metres a cell, instead of the scenario's.
    pub cell_m: Option<f64>,
    /// Seconds a pulse, instead of the scenario's.
    pub pulse_s: Option<i32>,
    /// Patch files, applied in turn.
    pub patches: Vec<PathBuf>,
    /// Figures as written, or drawn from their ranges.
    pub inputs: Inputs,
    /// Kinds of unit to leave out of the order of battle (their men and engines are 0).
    pub without_units: Vec<String>,
}

/// Whether uncertain figures are taken as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// As written.
    #[default]
    Fixed,
    /// Each figure of ours anywhere in its range, by this seed.
    Drawn(u64),
}

/// A battle in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Number of its document.
    pub document: Option<String>,
    /// Sides: id, name, men.
    pub sides: Vec<(String, Name, i32)>,
    /// Companies, spare ones aside.
    pub companies: usize,
    /// The mod it comes from, or none for what ships.
    pub of_mod: Option<String>,
}

/// What a check of many files found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Files looked at.
    pub files: usize,
    /// Findings, root causes first.
    pub findings: Vec<Finding>,
}

/// The rules, read and resolved.
struct Rules {
    catalogue: Option<Arc<Catalogue>>,
    tables: Tables,
    findings: Vec<Finding>,
    /// Whether the syntax of all files is whole.
    sound: bool,
}

impl Library {
    /// The battles that can be fought, in the order of their ids.
    #[must_use]
    pub fn list(&self) -> Vec<Listed> {
        let listed = |(id, sheets): (String, Vec<&Sheet>)| {
            let battle = self.scenario(&id, &Options::default()).ok()?;
            let mut men = vec![0; battle.sides.len()];
            let mut companies = 0;
            for (i, unit) in battle.units.iter().enumerate() {
                let side = battle.side_of(crate::core::ids::UnitId::from_index(i));
                men[side.index()] += unit.men;
                let size = battle.rules.units[unit.kind.index()].company_size.max(1);
                companies += usize::try_from((unit.men + size - 1) / size).unwrap_or(0);
            }
            let sides = battle
                .sides
                .iter()
                .zip(men)
                .map(|(s, men)| (s.id.clone(), s.name.clone(), men))
                .collect();
            let of_mod = sheets.first().and_then(|s| s.source.of_mod.clone());
            Some(Listed {
                id,
                name: battle.name.clone(),
                document: battle.document.clone(),
                sides,
                companies,
                of_mod,
            })
        };
        self.by_id(Sort::Scenario).into_iter().filter_map(listed).collect()
    }

    /// A battle by its id, or by the path of its file.
    ///
    /// # Errors
    /// All findings of all files that it is made of, if any is an error.
    pub fn scenario(&self, wanted: &str, options: &Options) -> Result<Arc<Scenario>, Vec<Finding>> {
        let (battle, mut findings) = self.battle(wanted, options);
        tidy(&mut findings);
        match battle {
            Some(battle) if !any_error(&findings) => Ok(Arc::new(battle)),
            _ => Err(findings),
        }
    }

    /// The same, with the warnings of a good battle too.
    #[must_use]
    pub fn battle(&self, wanted: &str, options: &Options) -> (Option<Scenario>, Vec<Finding>) {
        let by_id = self.by_id(Sort::Scenario);
        let own;
        let layers: Vec<&Sheet> = match by_id.get(wanted) {
            Some(sheets) => sheets.clone(),
            None => {
                let path = FilePath::new(wanted);
                if !path.exists() {
                    let known = by_id.keys().map(String::as_str);
                    let message = Message::new(
                        "there is no battle `{0}` and no such file",
                        [wanted.to_string()],
                    );
                    return (
                        None,
                        vec![
                            Finding::of_file("E0305", wanted, message)
                                .with_help(did_you_mean(wanted, known)),
                        ],
                    );
                }
                match sheet(path, Some(Sort::Scenario), None) {
                    Ok(found) => own = found,
                    Err(fault) => return (None, vec![*fault]),
                }
                vec![&own]
            }
        };
        let (patches, mut findings) = patch::open(&options.patches);
        let rules = self.rules(&patches, options);
        findings.extend(rules.findings.iter().cloned());
        let battle = self.assemble(&rules, &layers, &patches, options, &mut findings);
        patch::unused(&patches, &mut findings);
        (battle.filter(|_| !any_error(&findings)), findings)
    }

    fn rules(&self, patches: &[patch::Patch], options: &Options) -> Rules {
        let mut findings = self.faults.clone();
        let all = self
            .layers
            .iter()
            .enumerate()
            .flat_map(|(i, layer)| layer.sheets.iter().map(move |s| (i, s)));
        let sheets: Vec<(usize, &Sheet)> = all.filter(|(_, s)| s.sort == Sort::Rules).collect();
        let sound = sheets.iter().all(|(_, s)| s.sound()) && !sheets.is_empty();
        findings.extend(sheets.iter().flat_map(|(_, s)| s.faults.iter().cloned()));
        let mut root = patch::together(&sheets, &mut findings);
        for patch in patches.iter().filter(|p| p.target == patch::Target::Rules) {
            patch.apply(&mut root, &mut findings);
        }
        if sheets.is_empty() && !any_error(&findings) {
            findings.push(Finding::of_file(
                "E0101",
                "rules",
                Message::new("there are no rules files", []),
            ));
        }
        let mut tables = Tables::default();
        if let Inputs::Drawn(seed) = options.inputs {
            inputs::draw(&mut root, seed, "rules");
        }
        let raw = read_as::<RawRules>(&root, &mut findings);
        let mut more = Vec::new();
        let mut pen = Pen::new(&root, &mut more);
        let mut made = None;
        if let Some(raw) = raw {
            made = catalogue(&raw, sound, &mut tables, &mut pen);
            checks::rules(&raw, sound, &mut pen);
        }
        keep_roots(&mut findings, more);
        Rules { catalogue: made.map(Arc::new), tables, findings, sound }
    }

    fn assemble(
        &self,
        rules: &Rules,
        layers: &[&Sheet],
        patches: &[patch::Patch],
        options: &Options,
        findings: &mut Vec<Finding>,
    ) -> Option<Scenario> {
        let sound = layers.iter().all(|s| s.sound());
        let root = laid(layers, findings);
        let id = layers.first().map(|s| s.id()).unwrap_or_default();
        let mut root = root?;
        for patch in patches.iter().filter(|p| p.target == patch::Target::Scenario(id.clone())) {
            patch.apply(&mut root, findings);
        }
        if let Inputs::Drawn(seed) = options.inputs {
            inputs::draw(&mut root, seed, &id);
        }
        let raw = read_as::<RawScenario>(&root, findings);
        let mut raw = raw?;
        let map = self.map(&raw.map, patches, sound.then_some(&root), findings);
        let record = raw
            .document
            .clone()
            .and_then(|document| self.record(&document, patches, sound.then_some(&root), findings));
        let mut found = Vec::new();
        let mut record_found = Vec::new();
        let battle = (|| {
            let catalogue = rules.catalogue.as_ref()?;
            let (map_root, raw_map, map_sound) = map.as_ref()?;
            if !sound {
                return None;
            }
            let mut tables = rules.tables.clone();
            let mut pen = Pen::new(&root, &mut found);
            if let Some(cell) = options.cell_m {
                raw.cell_m = cell;
            }
            if let Some(pulse) = options.pulse_s {
                raw.pulse_s = pulse;
            }
            checks::scenario(&raw, &mut pen);
            if !checks::window(&raw, &mut pen) | !checks::bearable(&raw, catalogue, &mut pen) {
                return None;
            }
            let mut map_found = Vec::new();
            let mut map_pen = Pen::new(map_root, &mut map_found);
            let faulty = checks::map(raw_map, &tables, &mut map_pen);
            let kept: Vec<usize> =
                (0..raw_map.features.len()).filter(|i| !faulty.contains(i)).collect();
            let features = kept.iter().map(|i| raw_map.features[*i].clone()).collect();
            let sound_map = RawMap { features, ..raw_map.clone() };
            let (site, mut faults) = raster(&sound_map, catalogue, raw.window, raw.cell_m);
            for fault in &mut faults {
                fault.feature = kept.get(fault.feature).copied().unwrap_or(raw_map.features.len());
            }
            if !rules.sound {
                // Kinds are missing that files do have: what cannot be drawn is no fault of the map.
                faults.clear();
            }
            checks::drawn(raw_map, raw.window, &faults, &mut map_pen);
            // A feature at fault is not on the site: names of it make no findings.
            let map_whole = *map_sound && !any_error(&map_found);
            keep_roots(findings, map_found);
            if rules.sound {
                site_tables(&mut tables, &site, raw_map, map_whole);
            } else {
                tables.map(raw_map, map_whole);
            }
            tables.battle(&raw, true);
            let site = Arc::new(site);
            let sheets = Sheets {
                rules: catalogue,
                map: raw_map,
                site: &site,
                raw: &raw,
                record: record.as_ref().map(|r| &r.1),
                statements: &self.statements,
                tables: &tables,
            };
            let mut record_pen = record.as_ref().map(|r| Pen::new(&r.0, &mut record_found));
            let mut battle =
                battle(&sheets, &mut pen, record_pen.as_mut()).filter(|_| rules.sound)?;
            for (unit, raw) in battle.units.iter_mut().zip(&raw.units) {
                if options.without_units.contains(&raw.kind) {
                    unit.men = 0;
                    unit.engines.clear();
                }
            }
            checks::battle(&battle, &raw, &mut pen);
            if let (Some(pen), Some((_, raw_record))) = (record_pen.as_mut(), record.as_ref()) {
                checks::record(&battle, raw_record, pen);
            }
            Some(battle)
        })();
        keep_roots(findings, found);
        keep_roots(findings, record_found);
        battle
    }

    fn map(
        &self,
        id: &str,
        patches: &[patch::Patch],
        asked_in: Option<&Node>,
        findings: &mut Vec<Finding>,
    ) -> Option<(Node, RawMap, bool)> {
        let by_id = self.by_id(Sort::Map);
        let Some(layers) = by_id.get(id) else {
            if let Some(root) = asked_in {
                let message =
                    Message::new("there is no {0} `{1}`", ["map".to_string(), id.to_string()]);
                let help = did_you_mean(id, by_id.keys().map(String::as_str));
                Pen::new(root, findings).write(
                    super::findings::Severity::Error,
                    "E0301",
                    &Path::ROOT.field("map"),
                    message,
                    help,
                );
            }
            return None;
        };
        let sound = layers.iter().all(|s| s.sound());
        let mut root = laid(layers, findings)?;
        for patch in patches.iter().filter(|p| p.target == patch::Target::Map(id.to_string())) {
            patch.apply(&mut root, findings);
        }
        let raw = read_as::<RawMap>(&root, findings)?;
        Some((root, raw, sound))
    }

    fn record(
        &self,
        document: &str,
        patches: &[patch::Patch],
        asked_in: Option<&Node>,
        findings: &mut Vec<Finding>,
    ) -> Option<(Node, RawRecord)> {
        let by_id = self.by_id(Sort::Record);
        let Some(layers) = by_id.get(document) else {
            if let Some(root) = asked_in {
                let message = Message::new(
                    "there is no {0} `{1}`",
                    ["record of document".to_string(), document.to_string()],
                );
                let help = did_you_mean(document, by_id.keys().map(String::as_str));
                Pen::new(root, findings).write(
                    super::findings::Severity::Error,
                    "E0301",
                    &Path::ROOT.field("document"),
                    message,
                    help,
                );
            }
            return None;
        };
        let sound = layers.iter().all(|s| s.sound());
        let mut root = laid(layers, findings)?;
        for patch in
            patches.iter().filter(|p| p.target == patch::Target::Record(document.to_string()))
        {
            patch.apply(&mut root, findings);
        }
        let raw = read_as::<RawRecord>(&root, findings)?;
        sound.then_some((root, raw))
    }

    /// Checks everything that is there.
    #[must_use]
    pub fn check(&self) -> Checked {
        let files = self.layers.iter().map(|l| l.sheets.len() + l.beside.files).sum::<usize>();
        let options = Options::default();
        let rules = self.rules(&[], &options);
        let mut findings = rules.findings.clone();
        findings.extend(self.layers.iter().flat_map(|l| l.beside.findings.iter().cloned()));
        findings.extend(manifest::clashes(&self.layers));
        for layers in self.by_id(Sort::Scenario).values() {
            self.assemble(&rules, layers, &[], &options, &mut findings);
        }
        // Maps and records that no battle uses.
        for (id, _) in self.by_id(Sort::Map) {
            self.map(&id, &[], None, &mut findings);
        }
        let battles: Vec<String> = self.by_id(Sort::Scenario).into_keys().collect();
        for (id, _) in self.by_id(Sort::Record) {
            if let Some((root, raw)) = self.record(&id, &[], None, &mut findings) {
                checks::battles(&raw, &battles, &mut Pen::new(&root, &mut findings));
            }
        }
        tidy(&mut findings);
        Checked { files, findings }
    }

    /// Checks one file or folder, laid over what is there: a mod, a data folder
    /// with `assets`, or a single file of any sort.
    #[must_use]
    pub fn check_path(&self, path: &FilePath) -> Checked {
        if path.is_dir() {
            let own = path.join("assets").is_dir();
            let mut library = if own { Self::open(path) } else { self.clone() };
            let is_it = |l: &&Layer| manifest::same_folder(&l.root, path);
            // A mod that is there already is not laid over itself.
            if !own && !library.layers.iter().any(|l| is_it(&l)) {
                library.add_mod(path);
            }
            let inside = library
                .layers
                .iter()
                .filter(|l| own || is_it(l))
                .map(|l| l.sheets.len() + l.beside.files)
                .sum();
            let checked = library.check();
            let at = shown(path);
            let findings = checked
                .findings
                .into_iter()
                .filter(|f| own || FilePath::new(&f.file).starts_with(&at))
                .collect();
            return Checked { files: inside, findings };
        }
        // What is no part of the game is looked at as a mod's file is.
        let ships = |l: &Layer| {
            l.of_mod.is_none() && l.sheets.iter().any(|s| manifest::same_folder(&s.path, path))
        };
        let of_mod = if self.layers.iter().any(ships) { None } else { path.to_str() };
        match sheet(path, None, of_mod) {
            Err(fault) => Checked { files: 1, findings: vec![*fault] },
            Ok(found) if found.sort == Sort::Patch => {
                let (patches, mut findings) = patch::open(&[path.to_path_buf()]);
                let id = self.default_id().unwrap_or_default();
                if let Some(patch) = patches.first() {
                    let id = if let patch::Target::Scenario(id) = &patch.target {
                        id.clone()
                    } else {
                        id
                    };
                    findings = self
                        .battle(
                            &id,
                            &Options { patches: vec![path.to_path_buf()], ..Options::default() },
                        )
                        .1;
                }
                let at = shown(path);
                findings.retain(|f| f.file == at);
                tidy(&mut findings);
                Checked { files: 1, findings }
            }
            Ok(found) => {
                let mut library = self.clone();
                library.put(found);
                let at = shown(path);
                let findings =
                    library.check().findings.into_iter().filter(|f| f.file == at).collect();
                Checked { files: 1, findings }
            }
        }
    }
}

/// The sheets of one id laid over each other, with their faults of syntax.
fn laid(layers: &[&Sheet], findings: &mut Vec<Finding>) -> Option<Node> {
    findings.extend(layers.iter().flat_map(|s| s.faults.iter().cloned()));
    let (first, rest) = layers.split_first()?;
    let mut root = first.root.clone();
    for sheet in rest {
        patch::merge(&mut root, &sheet.root);
    }
    (!matches!(root.form, Form::Hole)).then_some(root)
}

/// Reads a tree as its twin.
fn read_as<T: DeserializeOwned>(root: &Node, findings: &mut Vec<Finding>) -> Option<T> {
    let (value, faults) = typed::<T>(root);
    keep_roots(findings, faults);
    value
}

/// Adds findings that do not merely follow from one that is there: one whose
/// place holds the beginning of an earlier fault.
fn keep_roots(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    let roots: Vec<_> =
        findings.iter().filter(|f| f.code < "E0300").filter_map(|f| f.span().cloned()).collect();
    findings.extend(more.into_iter().filter(|f| {
        f.span().is_none_or(|span| {
            !roots.iter().any(|r| {
                Arc::ptr_eq(&r.source, &span.source) && (span.from..=span.to).contains(&r.from)
            })
        })
    }));
}

/// Names of areas and works in the order of the site; those of the map that lie
/// outside the window are not among them.
fn site_tables(tables: &mut Tables, site: &super::site::Site, map: &RawMap, whole: bool) {
    tables.areas = Table::new("area", whole, site.areas.iter().map(|a| a.id.as_str()));
    tables.works = Table::new("work", whole, site.works.iter().map(|w| w.id.as_str()));
    for feature in &map.features {
        match feature {
            Feature::Area { id, .. } | Feature::Sector { id, .. }
                if tables.areas.get(id).is_none() =>
            {
                tables.areas.cut.push(id.clone())
            }
            Feature::Wall { id, .. }
            | Feature::Gate { id, .. }
            | Feature::Ramp { id, .. }
            | Feature::Bridge { id, .. }
                if tables.works.get(id).is_none() =>
            {
                tables.works.cut.push(id.clone());
            }
            _ => {}
        }
    }
}
