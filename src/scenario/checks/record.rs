//! Records: lines of documents in their form, and orders that wait for the very
//! outcome that they should bring about.

use crate::orders::ast::{Cond, Line, Measure, Sel};
use crate::scenario::findings::{Message, Severity, did_you_mean};
use crate::scenario::raw::record::RawRecord;
use crate::scenario::record::{Class, Gauge, Measured, Quantity, Record};
use crate::scenario::resolve::Pen;
use crate::scenario::spans::Path;

/// Facts with the lines that they come from.
pub fn facts(raw: &RawRecord, pen: &mut Pen<'_>) {
    let list = Path::ROOT.field("facts");
    for (i, fact) in raw.facts.iter().enumerate() {
        if !lines_ok(&fact.lines) {
            let message = Message::new(
                "`{0}` is no line of a document: write L9, L9.3 or L3-L4, several with commas",
                [fact.lines.clone()],
            );
            pen.error("E0805", &list.index(i).field("lines"), message);
        }
    }
}

/// Orders and moments of battles that nobody has: they would be dropped in silence.
pub fn battles(raw: &RawRecord, there: &[String], pen: &mut Pen<'_>) {
    let mut look = |names: &[String], list: Path<'_>| {
        for (i, name) in names.iter().enumerate().filter(|(_, name)| !there.contains(name)) {
            let message =
                Message::new("there is no {0} `{1}`", ["battle".to_string(), name.clone()]);
            let help = did_you_mean(name, there.iter().map(String::as_str));
            pen.write(Severity::Error, "E0301", &list.index(i), message, help);
        }
    };
    let (orders, moments) = (Path::ROOT.field("orders"), Path::ROOT.field("moments"));
    for (i, group) in raw.orders.iter().enumerate() {
        look(&group.battles, orders.index(i).field("battles"));
    }
    for (i, named) in raw.moments.iter().enumerate() {
        look(&named.battles, moments.index(i).field("battles"));
    }
}

/// `L9`, `L9.3`, `L3-L4`, `L1, L9.3`.
fn lines_ok(text: &str) -> bool {
    let number = |s: &str| {
        (1..=5).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_digit()) && !s.starts_with('0')
    };
    let one = |s: &str| {
        s.strip_prefix('L').is_some_and(|rest| match rest.split_once('.') {
            Some((line, sentence)) => number(line) && number(sentence),
            None => number(rest),
        })
    };
    text.split(',').all(|part| {
        let part = part.trim();
        match part.split_once('-') {
            Some((from, to)) => one(from) && one(to),
            None => one(part),
        }
    })
}

/// Orders whose condition is the outcome that is measured.
pub fn echoes(lines: &[Line], record: &Record, path: &Path<'_>, pen: &mut Pen<'_>) {
    for (i, line) in lines.iter().enumerate() {
        for measured in record.measures.iter().filter(|m| m.statement.class == Class::Outcome) {
            if is_echo(&line.when, measured) {
                let here = path.index(i);
                pen.warning(
                    "W0804",
                    &here.field("when"),
                    Message::new(
                        "this waits for what the outcome {0} measures",
                        [measured.statement.id.clone()],
                    ),
                );
            }
        }
    }
}

fn is_echo(cond: &Cond, measured: &Measured) -> bool {
    match cond {
        Cond::Is(measure, _, value) => match &measured.gauge {
            Some(Gauge::At(_, quantity)) => {
                same(measure, *value, quantity, measured.statement.tolerance)
            }
            Some(Gauge::Holds(_, Cond::Is(known, _, threshold))) => {
                known == measure && (threshold - value).abs() < 1e-9
            }
            _ => false,
        },
        Cond::All(parts) | Cond::Any(parts) => parts.iter().any(|part| is_echo(part, measured)),
        Cond::Not(inner) | Cond::For(_, inner) => is_echo(inner, measured),
        _ => false,
    }
}

/// Whether a measure against a value asks for a quantity within its band.
fn same(measure: &Measure, value: f64, quantity: &Quantity, band: Option<[f64; 2]>) -> bool {
    let inside = band.is_none_or(|[low, high]| (low..=high).contains(&value));
    let whose = |a: &Sel, b: &Sel| a.who == b.who;
    match (measure, quantity) {
        (Measure::Men(a), Quantity::Men(b) | Quantity::Inside(b, _) | Quantity::Crossed(b, _)) => {
            whose(a, b) && inside
        }
        _ => false,
    }
}
