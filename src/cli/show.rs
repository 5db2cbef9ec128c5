//! Studies and replays as tables for people.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::locale::Locale;
use crate::scenario::record::Class;
use crate::study::judge::yes_or_no;
use crate::study::report::{Report, StatementLine, Value};

/// Characters of a bar.
const BAR: usize = 24;
/// Width of a table where nobody says otherwise.
const WIDTH: u16 = 140;

/// An empty table with these headings.
#[must_use]
pub fn table(heads: &[String]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width());
    table.set_header(heads);
    table
}

fn width() -> u16 {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|w| *w >= 40).unwrap_or(WIDTH)
}

/// A study.
#[must_use]
pub fn study(report: &Report, words: &Locale) -> String {
    let heads = [
        "study-statement",
        "study-class",
        "study-measured",
        "study-band",
        "study-inside",
        "study-picture",
        "study-holds",
    ];
    let mut table = table(&heads.map(|h| words.text(h)));
    for line in &report.statements {
        let class = words.text(match line.class {
            Class::Given => "given",
            Class::Obeyed => "obeyed",
            Class::Outcome => "outcome",
            Class::Narrative => "narrative",
        });
        let holds =
            line.holds.map_or_else(String::new, |h| words.text(if h { "yes" } else { "no" }));
        table.add_row(vec![
            Cell::new(format!("{} {}", line.label(), line.what)),
            Cell::new(class),
            Cell::new(measured(line, words)).set_alignment(CellAlignment::Right),
            Cell::new(
                line.median_band
                    .map_or_else(String::new, |[a, b]| format!("{}..{}", figure(a), figure(b))),
            ),
            Cell::new(line.inside.map_or_else(String::new, percent))
                .set_alignment(CellAlignment::Right),
            Cell::new(bar(line)),
            Cell::new(holds),
        ]);
    }
    let mut text = words.with(
        "study-head",
        &[
            ("scenario", &report.scenario),
            ("runs", &report.runs.len().to_string()),
            ("from", &report.from.to_string()),
            ("orders", &report.orders),
        ],
    );
    for what in report.without.iter().chain(&report.patches) {
        text.push_str(&format!(" · {}", words.with("study-without", &[("what", what)])));
    }
    let winners: Vec<String> =
        report.outcomes.winner.iter().map(|(side, n)| format!("{side} {n}")).collect();
    let [held, all] = report.outcomes_held.map(|n| n.to_string());
    let mut more = Vec::new();
    // Objectives ask for no share of seeds: there is nothing to hold.
    if report.outcomes_held[1] > 0 {
        more.push(words.with(
            "study-held",
            &[("held", &held), ("all", &all), ("share", &percent(report.all_held_share))],
        ));
    }
    more.extend([
        words.with("study-winners", &[("winners", &winners.join(", "))]),
        words.with(
            "study-speed",
            &[
                ("pulses", &report.pulses.to_string()),
                ("companies", &report.companies.to_string()),
                ("seconds", &format!("{:.1}", report.seconds)),
                ("rate", &report.company_pulses_per_second.to_string()),
                ("mib", &report.peak_rss_mib.map_or_else(|| "?".into(), |m| m.to_string())),
            ],
        ),
    ]);
    format!("{text}\n{table}\n{}", more.join("\n"))
}

/// A value of one battle.
#[must_use]
pub fn value(value: Value, words: &Locale) -> String {
    match value {
        Value::Never => words.text("never"),
        Value::Truth(true) => words.text("yes"),
        Value::Truth(false) => words.text("no"),
        Value::Number(v) => figure(v),
    }
}

/// A number as short as it may be.
#[must_use]
pub fn figure(v: f64) -> String {
    if v == v.trunc() || v.abs() >= 1000.0 { format!("{v:.0}") } else { format!("{v:.1}") }
}

/// A share in percent.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn measured(line: &StatementLine, words: &Locale) -> String {
    if line.values.is_empty() {
        return words.text("unmeasured");
    }
    if yes_or_no(line.kind) {
        return String::new();
    }
    [line.p10, line.median, line.p90]
        .map(|p| p.map_or_else(|| words.text("never"), figure))
        .join(" · ")
}

/// `[` and `]` are the tolerance, `-` the seeds from p10 to p90, `o` their median;
/// for yes and no the share of yes.
fn bar(line: &StatementLine) -> String {
    if yes_or_no(line.kind) {
        let Some(inside) = line.inside else { return String::new() };
        let full = ((inside * BAR as f64) as usize).min(BAR);
        return "#".repeat(full) + &".".repeat(BAR - full);
    }
    let (Some(p10), Some(median), Some(p90), Some([low, high])) =
        (line.p10, line.median, line.p90, line.tolerance)
    else {
        return String::new();
    };
    let (from, to) = (p10.min(low), p90.max(high));
    let at = |v: f64| {
        if to > from {
            (((v - from) / (to - from) * (BAR - 1) as f64) as usize).min(BAR - 1)
        } else {
            0
        }
    };
    let mut bar = [' '; BAR];
    bar[at(low)..=at(high)].fill('.');
    bar[at(p10)..=at(p90)].fill('-');
    bar[at(low)] = '[';
    bar[at(high)] = ']';
    bar[at(median)] = 'o';
    bar.iter().collect::<String>().trim_end().to_owned()
}
