//! What each command does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::CommandFactory;
use comfy_table::Cell;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::{
    Change, CheckArgs, Cli, InputsArg, LevelArg, MapArgs, PlayArgs, ReplayArgs, StudyArgs,
};
use super::data::{self, Data};
use super::out::{DONE, FAULT, Failure, INTERRUPTED, Out, count};
use super::show;
use crate::core::digest::hex;
use crate::replay::format::{FORMAT, Replay, can_write, write_beside};
use crate::replay::verify::{self, Difference, FILE, Verified};
use crate::replay::{record, sources};
use crate::scenario::battle::Scenario;
use crate::scenario::findings::{self, Finding};
use crate::scenario::site::Level;
use crate::sim::Battle;
use crate::sim::laws::LawSet;
use crate::study::gauge::Probe;
use crate::study::report::{Report, StatementLine, Unlike, Value, merge as join};
use crate::study::run::{self, Orders, Plan};
use crate::study::without;
use crate::view::paint::{self, Mark};

/// Set by Ctrl-C: what is finished is kept and said.
static STOP: AtomicBool = AtomicBool::new(false);

/// The word that lists what `--without` takes.
const HELP: &str = "help";

/// Milliseconds between two drawings of a bar.
const BAR_MS: u64 = 100;

pub(super) fn list(out: &Out) -> Result<u8, Failure> {
    let data = Data::open();
    let rows = data.battles();
    out.value(&rows.iter().map(data::listed_json).collect::<Vec<_>>());
    let heads =
        ["list-id", "list-name", "list-document", "list-sides", "list-companies", "list-source"];
    let mut table = show::table(&heads.map(|h| out.locale.text(h)));
    for row in &rows {
        let name = data::pick(&row.name, out.locale.language());
        let sides: Vec<String> = row
            .sides
            .iter()
            .map(|(_, name, men)| format!("{} {men}", data::pick(name, out.locale.language())))
            .collect();
        table.add_row(vec![
            Cell::new(&row.id),
            Cell::new(name),
            Cell::new(row.document.clone().unwrap_or_else(|| out.locale.text("list-none"))),
            Cell::new(sides.join(" · ")),
            Cell::new(row.companies),
            Cell::new(if row.of_mod.is_none() {
                out.locale.text(data::BUILT_IN)
            } else {
                data::source_word(row)
            }),
        ]);
    }
    out.line(&table.to_string());
    // A battle must not vanish in silence because of a fault in it, or in a mod.
    let hidden = data.hidden(&rows);
    if !hidden.is_empty() {
        out.note(&out.locale.with("list-hidden", &[("ids", &hidden.join(", "))]));
    }
    Ok(DONE)
}

pub(super) fn check(out: &Out, args: &CheckArgs) -> Result<u8, Failure> {
    if let Some(code) = &args.explain {
        let text = findings::explain(code).ok_or_else(|| {
            let near = findings::nearest(code, data::codes());
            Failure::call(with_hint(out, format!("no finding has the code `{code}`."), near))
        })?;
        out.value(&json!({ "code": code, "explanation": text }));
        out.line(text);
        return Ok(DONE);
    }
    let (files, mut found) = data::check(out, args.path.as_deref())?;
    if let Some(baseline) = &args.baseline {
        let known = read_json(out, baseline)?;
        found.retain(|f| !in_baseline(&known, f));
    }
    let (errors, warnings) = count(&found);
    out.value(
        &json!({ "files": files, "errors": errors, "warnings": warnings, "findings": found }),
    );
    if !out.json {
        out.findings(&found);
        let [f, e, w] = [files, errors, warnings].map(|n| n.to_string());
        let key = if found.is_empty() { "check-clean" } else { "check-sum" };
        out.line(&out.locale.with(key, &[("files", &f), ("errors", &e), ("warnings", &w)]));
    }
    Ok(if errors > 0 { FAULT } else { DONE })
}

/// Whether a finding stands in an earlier result: the same code, file and words;
/// lines move.
fn in_baseline(known: &serde_json::Value, finding: &Finding) -> bool {
    let message = finding.message.to_string();
    known["findings"].as_array().is_some_and(|all| {
        all.iter().any(|k| {
            k["code"] == finding.code
                && k["file"] == finding.file.as_str()
                && k["message"] == message.as_str()
        })
    })
}

pub(super) fn study(out: &Out, args: &StudyArgs) -> Result<u8, Failure> {
    let data = Data::open();
    if wants_help(&args.change) {
        return without_help(out, &data, args.scenario.as_deref());
    }
    let id = args.scenario.as_deref().ok_or_else(|| {
        Failure::call(out.locale.with("no-battle-named", &[("command", "study")]))
    })?;
    if args.from.checked_add(args.seeds - 1).is_none() {
        return Err(Failure::call(out.locale.text("seeds-too-high")));
    }
    let drawn = args.inputs == InputsArg::Drawn;
    let scenario = data.scenario(out, id, &args.change, None)?;
    let plan = Plan {
        seeds: args.seeds,
        from: args.from,
        jobs: args.jobs.unwrap_or(0) as usize,
        shard: args
            .shard
            .as_deref()
            .map(|text| shard(text).ok_or_else(|| Failure::call(out.locale.text("bad-shard"))))
            .transpose()?,
        orders: args.change.orders.into(),
        inputs: if drawn { "drawn" } else { "fixed" }.into(),
        without: args.change.without.clone(),
        off: off(out, &args.change.without, &scenario)?,
        patches: args.change.patch.iter().map(|p| p.display().to_string()).collect(),
    };
    if plan.own_seeds().is_empty() {
        return Err(Failure::call(out.locale.text("bad-shard")));
    }
    on_interrupt();
    let bar = progress(out, plan.own_seeds().len() as u64);
    let load = |seed: u64| {
        if drawn {
            data.scenario(out, id, &args.change, Some(seed))
        } else {
            Ok(Arc::clone(&scenario))
        }
    };
    let report = run::study(&plan, &load, &STOP, &|| bar.inc(1))?;
    bar.finish_and_clear();
    out.value(&report);
    out.line(&show::study(&report, &out.locale));
    if report.interrupted {
        let (runs, seeds) = (report.runs.len().to_string(), plan.own_seeds().len().to_string());
        out.note(&out.locale.with("study-stopped", &[("runs", &runs), ("seeds", &seeds)]));
        return Ok(INTERRUPTED);
    }
    Ok(DONE)
}

fn shard(text: &str) -> Option<[u64; 2]> {
    let (part, parts) = text.split_once('/')?;
    let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
    (part >= 1 && part <= parts).then_some([part, parts])
}

pub(super) fn merge(out: &Out, files: &[PathBuf]) -> Result<u8, Failure> {
    let mut shards = Vec::new();
    for file in files {
        let text = read(out, file)?;
        let report: Report = serde_json::from_str(&text).map_err(|e| {
            let (file, why) = (file.display().to_string(), e.to_string());
            Failure::call(out.locale.with("not-a-study", &[("file", &file), ("why", &why)]))
        })?;
        shards.push(report);
    }
    let mut whole = join(&shards).map_err(|unlike| {
        Failure::call(match unlike {
            Unlike::Nothing => out.locale.text("shards-none"),
            Unlike::Field(field) => out.locale.with("shards-differ", &[("field", field)]),
            Unlike::Twice(seed) => out.locale.with("shards-twice", &[("seed", &seed.to_string())]),
        })
    })?;
    let missing = (whole.runs.len() as u64) < whole.seeds;
    whole.interrupted |= missing;
    out.value(&whole);
    out.line(&out.locale.with("merge-head", &[("files", &files.len().to_string())]));
    out.line(&show::study(&whole, &out.locale));
    if missing {
        let (runs, seeds) = (whole.runs.len().to_string(), whole.seeds.to_string());
        out.note(&out.locale.with("study-missing", &[("runs", &runs), ("seeds", &seeds)]));
        return Ok(FAULT);
    }
    Ok(DONE)
}

pub(super) fn replay(out: &Out, args: &ReplayArgs) -> Result<u8, Failure> {
    let data = Data::open();
    if wants_help(&args.change) {
        return without_help(out, &data, Some(&args.what));
    }
    for path in args.write.iter().chain(&args.journal) {
        writable(out, path)?;
    }
    on_interrupt();
    let begun = Instant::now();
    let (scenario, off, mut file, turns) = if data::is_replay(Path::new(&args.what)) {
        if args.seed.is_some() || !args.change.is_none() {
            return Err(Failure::call(out.locale.text("replay-has-its-own")));
        }
        let replay = read_replay(out, Path::new(&args.what))?;
        let scenario = data::scenario_of(out, &replay)?;
        if let Some(why) = replay
            .turns
            .iter()
            .flat_map(|t| &t.orders)
            .find_map(|l| crate::replay::fits::misfit(l, &scenario))
        {
            return Err(Failure::fault(
                out.locale.with("not-a-replay", &[("file", &args.what), ("why", &why)]),
                Vec::new(),
            ));
        }
        // The file's own words, so the file's fault.
        let off = off(out, &replay.without, &scenario)
            .map_err(|failure| Failure::fault(failure.message, failure.findings))?;
        if replay.sum() != replay.checksum {
            out.note(&out.locale.with("replay-changed", &[("file", &args.what)]));
        }
        let turns = replay.turns.iter().map(|t| (t.last_pulse, t.orders.clone())).collect();
        (scenario, off, replay.fork(0), turns)
    } else {
        let scenario = data.scenario(out, &args.what, &args.change, None)?;
        let off = off(out, &args.change.without, &scenario)?;
        let made = data.made(out, &args.what, &scenario, &args.change)?;
        let turns = vec![(
            record::turn_pulses(&scenario),
            Orders::from(args.change.orders).lines(&scenario),
        )];
        let file = Replay::begin(&scenario, args.seed.unwrap_or(1), made);
        (scenario, off, file, turns)
    };
    let seed = file.seed;
    let fought = play_out(out, &scenario, seed, &off, turns, &mut file);
    let battle = &fought.battle;
    let winner =
        battle.verdict().and_then(|v| v.winner).map(|side| scenario.sides[side.index()].id.clone());
    let seconds = begun.elapsed().as_secs_f64();
    let digest = hex(battle.digests().total);
    let lines: Vec<serde_json::Value> = fought
        .lines
        .iter()
        .map(|line| {
            let tolerance = line.tolerance.map(|band| band.map(Value::Number));
            json!({
                "id": line.id, "part": line.part, "value": line.values.first(),
                "tolerance": tolerance, "unit": line.unit,
                "inside": line.inside.map(|share| share > 0.5),
            })
        })
        .collect();
    let mut value = json!({
        "scenario": scenario.id, "seed": seed, "turns": file.turns.len(), "pulses": battle.pulse(),
        "companies": fought.companies, "digest": digest, "draws": battle.draws(), "statements": lines,
        "seconds": seconds, "winner": winner,
    });
    if fought.stopped {
        value["interrupted"] = true.into();
    }
    // First what can fail: whatever happens, one JSON value is printed.
    if let Some(path) = &args.journal {
        write(out, path, &journal(battle))?;
        out.note(&out.locale.with("journal-written", &[("file", &path.display().to_string())]));
    }
    if let Some(path) = &args.write {
        write(out, path, file.text().as_bytes())?;
        out.note(&out.locale.with("replay-written", &[("file", &path.display().to_string())]));
    }
    out.value(&value);
    if !out.json {
        show_replay(out, &scenario, &file, &fought, &digest, seconds, winner.as_deref());
    }
    Ok(if fought.stopped { INTERRUPTED } else { DONE })
}

/// A battle that was fought turn by turn.
struct Fought {
    battle: Battle,
    lines: Vec<StatementLine>,
    companies: usize,
    stopped: bool,
}

/// Fights a battle to its end. `turns` are the turns' last pulses with the orders
/// before each; after them turns end at their limit.
fn play_out(
    out: &Out,
    scenario: &Arc<Scenario>,
    seed: u64,
    off: &LawSet,
    turns: Vec<(u32, Vec<crate::orders::ast::Line>)>,
    file: &mut Replay,
) -> Fought {
    let asked = run::asked(scenario);
    let mut probe =
        Probe::new(asked.iter().map(|(_, gauge, side)| (gauge.as_ref(), *side)), scenario.pulse_s);
    let mut battle = Battle::new(Arc::clone(scenario), seed, off.clone());
    let companies = run::mustered(&battle);
    let most = u64::try_from(scenario.max_s / scenario.pulse_s.max(1)).unwrap_or(0);
    let bar = progress(out, most);
    probe.look(&battle.truth());
    let mut turns = turns.into_iter();
    let (mut goes_on, mut stopped) = (true, false);
    while goes_on && !stopped {
        let full = battle.pulse() + record::turn_pulses(scenario);
        let (last, orders) = turns.next().unwrap_or((full, Vec::new()));
        battle.order(&orders);
        while goes_on && battle.pulse() < last {
            goes_on = battle.step();
            probe.look(&battle.truth());
            bar.set_position(u64::from(battle.pulse()));
            if STOP.load(Ordering::Relaxed) {
                stopped = true;
                break;
            }
        }
        file.add_turn(&battle, orders);
    }
    bar.finish_and_clear();
    let values = probe.finish(&battle.truth());
    let lines = asked
        .iter()
        .zip(values)
        .map(|((statement, gauge, _), value)| {
            StatementLine::new(statement, gauge.iter().map(|_| value).collect())
        })
        .collect();
    Fought { battle, lines, companies, stopped }
}

fn show_replay(
    out: &Out,
    scenario: &Scenario,
    file: &Replay,
    fought: &Fought,
    digest: &str,
    seconds: f64,
    winner: Option<&str>,
) {
    let words = &out.locale;
    let (turns, pulses) = (file.turns.len().to_string(), fought.battle.pulse().to_string());
    let (seed, companies) = (file.seed.to_string(), fought.companies.to_string());
    out.line(&words.with(
        "replay-head",
        &[
            ("scenario", data::pick(&scenario.name, words.language())),
            ("seed", &seed),
            ("turns", &turns),
            ("pulses", &pulses),
            ("companies", &companies),
        ],
    ));
    let heads =
        ["study-statement", "study-class", "replay-value", "replay-tolerance", "study-inside"];
    let mut table = show::table(&heads.map(|h| words.text(h)));
    for line in &fought.lines {
        let tolerance = line
            .tolerance
            .map_or_else(String::new, |[a, b]| format!("{}..{}", show::figure(a), show::figure(b)));
        let inside = line
            .inside
            .map_or_else(String::new, |i| words.text(if i > 0.5 { "yes" } else { "no" }));
        table.add_row(vec![
            Cell::new(format!("{} {}", line.label(), line.what)),
            Cell::new(words.text(&format!("{:?}", line.class).to_lowercase())),
            Cell::new(
                line.values
                    .first()
                    .map_or_else(|| words.text("unmeasured"), |v| show::value(*v, words)),
            ),
            Cell::new(tolerance),
            Cell::new(inside),
        ]);
    }
    out.line(&table.to_string());
    let nobody = words.text("nobody");
    out.line(&words.with("replay-winner", &[("winner", winner.unwrap_or(&nobody))]));
    let (draws, seconds) = (fought.battle.draws().to_string(), format!("{seconds:.1}"));
    out.line(
        &words
            .with("replay-digest", &[("digest", digest), ("draws", &draws), ("seconds", &seconds)]),
    );
}

fn journal(battle: &Battle) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in battle.journal() {
        // A vector takes all that is written to it.
        let _ = serde_json::to_writer(&mut text, entry);
        let _ = text.write_all(b"\n");
    }
    text
}

pub(super) fn verify(out: &Out, path: &Path) -> Result<u8, Failure> {
    let text = read(out, path)?;
    let shown = path.display().to_string();
    let replay = match Replay::from_text(&text) {
        Ok(replay) => replay,
        Err(fault) => {
            let finding = sources::finding(&shown, &text, &fault);
            let message = data::replay_fault(out, &shown, &fault);
            return Ok(differs(
                out,
                &Difference::of_file(&format!("format {FORMAT}"), &message),
                &[finding],
                &message,
            ));
        }
    };
    let made = data::scenario_of(out, &replay)
        .and_then(|s| off(out, &replay.without, &s).map(|off| (s, off)));
    let (scenario, off) = match made {
        Ok(made) => made,
        Err(failure) => {
            return Ok(differs(
                out,
                &Difference::of_file(&replay.checksum, &replay.sum()),
                &failure.findings,
                &failure.message,
            ));
        }
    };
    let bar = progress(out, replay.turns.len() as u64);
    on_interrupt();
    let verified = verify::verify(&replay, &scenario, &off, &mut |turn| {
        bar.set_position(turn as u64);
        !STOP.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    match verified {
        Verified::Same { turns, digest } => {
            out.value(&json!({ "same": true, "turns": turns, "digest": digest }));
            out.line(
                &out.locale
                    .with("verify-same", &[("turns", &turns.to_string()), ("digest", &digest)]),
            );
            Ok(DONE)
        }
        Verified::Differs(difference) => Ok(differs(out, &difference, &[], "")),
        Verified::Stopped { turns } => {
            out.value(&json!({ "turns": turns, "interrupted": true }));
            let (done, all) = (turns.to_string(), replay.turns.len().to_string());
            out.note(&out.locale.with("verify-stopped", &[("turns", &done), ("all", &all)]));
            Ok(INTERRUPTED)
        }
    }
}

fn differs(out: &Out, d: &Difference, findings: &[Finding], message: &str) -> u8 {
    let mut value = json!({ "same": false, "turn": d.turn, "room": d.room, "expected": d.expected, "found": d.found });
    if !findings.is_empty() {
        value["findings"] = json!(findings);
    }
    out.value(&value);
    if !out.json {
        out.findings(findings);
        let turn = d.turn.to_string();
        let values = [
            ("turn", turn.as_str()),
            ("room", &d.room),
            ("expected", &d.expected),
            ("found", &d.found),
        ];
        if !message.is_empty() {
            out.line(message);
        } else {
            out.line(
                &out.locale
                    .with(if d.room == FILE { "verify-file" } else { "verify-differs" }, &values),
            );
        }
    }
    FAULT
}

pub(super) fn map(out: &Out, args: &MapArgs) -> Result<u8, Failure> {
    let data = Data::open();
    let scenario = data.scenario(out, &args.scenario, &Change::default(), None)?;
    let level = if args.level == LevelArg::Rampart { Level::Rampart } else { Level::Ground };
    let battle = Battle::new(Arc::clone(&scenario), 1, LawSet::default());
    writable(out, &args.png)?;
    let picture = paint::map(&scenario.site, scenario.light, level, &marks(&battle), args.scale)
        .ok_or_else(|| Failure::call(out.locale.text("too-large")))?;
    let mut bytes = Vec::new();
    let file = args.png.display().to_string();
    picture.write_png(&mut bytes).map_err(|e| cannot_write(out, &file, &e.to_string()))?;
    write(out, &args.png, &bytes)?;
    let (width, height) = (picture.width.to_string(), picture.height.to_string());
    out.value(&json!({ "scenario": scenario.id, "file": file, "width": picture.width, "height": picture.height }));
    out.line(
        &out.locale.with("map-written", &[("file", &file), ("width", &width), ("height", &height)]),
    );
    Ok(DONE)
}

/// The companies as they stand, for the painter.
fn marks(battle: &Battle) -> Vec<Mark> {
    let truth = battle.truth();
    let (setting, roster) = (truth.setting, truth.roster);
    (0..roster.len())
        .filter(|i| roster.mustered[*i] && truth.strength.men[*i] > 0)
        .map(|i| {
            let shape = setting.rules.shape(truth.forms.shape[i]);
            let (front, depth) = if roster.mounted[i] {
                (shape.horse_front_m.v(), shape.horse_depth_m.v())
            } else {
                (shape.front_m.v(), shape.depth_m.v())
            };
            // Men abreast so that a company is about three times as broad as deep.
            let men = f64::from(truth.strength.men[i]);
            let abreast = (men * 3.0 * depth / front.max(0.1)).sqrt().max(1.0).min(men);
            let size = |metres: f64| crate::core::measure::metres_to_cm(metres);
            Mark {
                at: truth.places.at[i],
                heading: truth.places.heading[i],
                size_cm: (size(abreast * front), size(men / abreast * depth)),
                slot: setting.scenario.sides[roster.side[i].index()].slot,
                level: setting.site.nodes[truth.places.node[i].index()].level,
            }
        })
        .collect()
}

pub(super) fn play(out: &Out, args: Option<&PlayArgs>) -> Result<u8, Failure> {
    if let Some(args) = args.filter(|args| wants_help(&args.change)) {
        return without_help(out, &Data::open(), args.scenario.as_deref());
    }
    data::play(out, args)
}

pub(super) fn completions(out: &Out, shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nine-gates", &mut text);
    Ok(text_alone(out, &text))
}

pub(super) fn man(out: &Out) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command())
        .render(&mut text)
        .map_err(|e| Failure::call(e.to_string()))?;
    Ok(text_alone(out, &text))
}

/// Prints a text for other programs; as a JSON value where one is wanted.
fn text_alone(out: &Out, text: &[u8]) -> u8 {
    let text = String::from_utf8_lossy(text);
    if out.json {
        out.value(&json!({ "text": text.trim_end() }));
    } else {
        Out::plain(text.trim_end());
    }
    DONE
}

fn wants_help(change: &Change) -> bool {
    change.without.iter().any(|w| w == HELP)
}

fn without_help(out: &Out, data: &Data, scenario: Option<&str>) -> Result<u8, Failure> {
    let rules = data.rules(out, scenario)?;
    let (laws, kinds) = (without::laws(), without::kinds(&rules));
    out.value(&json!({ "laws": laws, "kinds": kinds }));
    out.line(&format!("{}: {}", out.locale.text("without-laws"), laws.join(", ")));
    out.line(&format!("{}: {}", out.locale.text("without-kinds"), kinds.join(", ")));
    Ok(DONE)
}

/// What these words switch off in this battle.
pub(super) fn off(out: &Out, words: &[String], scenario: &Scenario) -> Result<LawSet, Failure> {
    without::resolve(words, &scenario.rules).map_err(|without::Unknown(word)| {
        let known = without::laws().into_iter().chain(without::kinds(&scenario.rules));
        let near = findings::nearest(&word, known);
        Failure::call(with_hint(out, out.locale.with("no-such-without", &[("id", &word)]), near))
    })
}

/// A message with "did you mean", where there is a near word.
pub(super) fn with_hint(out: &Out, message: String, near: Option<&str>) -> String {
    match near {
        Some(word) => format!("{message} {}", out.locale.with("did-you-mean", &[("word", word)])),
        None => message,
    }
}

fn on_interrupt() {
    // Only the first call of a process can set it; a later one finds it set.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
}

fn progress(out: &Out, len: u64) -> ProgressBar {
    if !out.bars() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(len);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} < {eta}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(BAR_MS));
    bar
}

pub(super) fn read(out: &Out, path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| {
        let (file, why) = (path.display().to_string(), e.to_string());
        Failure::call(out.locale.with("cannot-read", &[("file", &file), ("why", &why)]))
    })
}

/// What an earlier `check --json` wrote.
fn read_json(out: &Out, path: &Path) -> Result<serde_json::Value, Failure> {
    let wrong = |why: &str| {
        let file = path.display().to_string();
        Failure::call(out.locale.with("not-a-check", &[("file", &file), ("why", why)]))
    };
    let value: serde_json::Value =
        serde_json::from_str(&read(out, path)?).map_err(|e| wrong(&e.to_string()))?;
    if value["findings"].is_array() { Ok(value) } else { Err(wrong("no `findings`")) }
}

fn read_replay(out: &Out, path: &Path) -> Result<Replay, Failure> {
    let text = read(out, path)?;
    Replay::from_text(&text).map_err(|fault| {
        let shown = path.display().to_string();
        Failure::fault(
            data::replay_fault(out, &shown, &fault),
            vec![sources::finding(&shown, &text, &fault)],
        )
    })
}

/// Whether a file could be written there, asked before a long battle is fought.
fn writable(out: &Out, path: &Path) -> Result<(), Failure> {
    let file = path.display().to_string();
    // One JSON value is promised there, and a file put in its place would be lost.
    if is_stdout(path) && out.json {
        return Err(cannot_write(out, &file, &out.locale.text("stdout-taken")));
    }
    can_write(path).map_err(|e| cannot_write(out, &file, &e.to_string()))
}

fn write(out: &Out, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_stdout(path) {
        return std::io::stdout()
            .lock()
            .write_all(bytes)
            .map_err(|e| cannot_write(out, &path.display().to_string(), &e.to_string()));
    }
    write_beside(path, bytes)
        .map_err(|e| cannot_write(out, &path.display().to_string(), &e.to_string()))
}

/// Whether a path is what standard output goes to, by whatever name.
#[cfg(unix)]
fn is_stdout(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let stdout = std::io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from);
    match (std::fs::metadata(path), stdout.and_then(|f| f.metadata())) {
        // What is thrown away anyway may be thrown away twice.
        (Ok(a), Ok(b)) => {
            a.dev() == b.dev() && a.ino() == b.ino() && path != Path::new("/dev/null")
        }
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_stdout(_: &Path) -> bool {
    false
}

fn cannot_write(out: &Out, file: &str, why: &str) -> Failure {
    Failure::call(out.locale.with("cannot-write", &[("file", file), ("why", why)]))
}
