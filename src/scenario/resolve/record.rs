//! The record of a document: orders of one battle, measures of its statements.

use super::Pen;
use super::orders::{Book, both};
use crate::core::ids::{PersonId, UnitId};
use crate::core::measure::metres_to_cm;
use crate::scenario::findings::{Message, Severity, did_you_mean};
use crate::scenario::raw::record::{RawGauge, RawMoment, RawQuantity, RawRecord};
use crate::scenario::record::{Class, Gauge, Measured, Moment, Quantity, Record, Statement};
use crate::scenario::spans::Path;

/// What of the record concerns one battle.
pub struct Wanted<'a> {
    /// The battle's id.
    pub scenario: &'a str,
    /// Ids of the statements that it measures.
    pub statements: &'a [String],
    /// All statements, in the order of their file.
    pub known: &'a [Statement],
    /// Number of its first line.
    pub first_line: usize,
}

/// Resolves a record for one battle.
pub fn record(
    raw: &RawRecord,
    wanted: &Wanted<'_>,
    book: &Book<'_>,
    pen: &mut Pen<'_>,
) -> Option<Record> {
    let list = Path::ROOT.field("orders");
    let orders = match raw.orders.iter().position(|(id, _)| id == wanted.scenario) {
        Some(at) => {
            let entry = list.index(at);
            let (lines, number) = (&raw.orders[at].1, wanted.first_line);
            book.lines(lines, number, pen, &entry.index(1))
        }
        None => Some(Vec::new()),
    };
    let mut measures = Vec::new();
    let mut whole = true;
    for statement in wanted.known.iter().filter(|s| wanted.statements.contains(&s.id)) {
        let here = Path::ROOT.field("measures");
        let found =
            raw.measures.iter().position(|m| m.id == statement.id && m.part == statement.part);
        let gauge = match found {
            Some(at) => {
                let gauge =
                    gauge(&raw.measures[at].gauge, book, pen, &here.index(at).field("gauge"));
                whole &= gauge.is_some();
                gauge
            }
            None => {
                if statement.class != Class::Narrative && statement.why.is_none() {
                    let message = Message::new(
                        "no measure is given for the statement {0}",
                        [title(&statement.id, statement.part.as_deref())],
                    );
                    pen.error("E0802", &here, message);
                }
                None
            }
        };
        measures.push(Measured { statement: statement.clone(), gauge });
    }
    if !wanted.known.is_empty() {
        unknown_measures(raw, wanted, pen);
    }
    whole.then_some(())?;
    Some(Record {
        document: raw.document.clone(),
        title: raw.title.clone(),
        facts: raw.facts.clone(),
        orders: orders?,
        measures,
    })
}

fn title(id: &str, part: Option<&str>) -> String {
    match part {
        Some(part) => format!("{id}{part}"),
        None => id.to_string(),
    }
}

fn unknown_measures(raw: &RawRecord, wanted: &Wanted<'_>, pen: &mut Pen<'_>) {
    let here = Path::ROOT.field("measures");
    for (i, measure) in raw.measures.iter().enumerate() {
        let entry = here.index(i);
        let same_id = wanted.known.iter().filter(|s| s.id == measure.id);
        let mut parts = same_id.clone().map(|s| s.part.as_deref()).peekable();
        if parts.peek().is_none() {
            let help = did_you_mean(&measure.id, wanted.known.iter().map(|s| s.id.as_str()));
            pen.write(
                Severity::Error,
                "E0803",
                &entry.field("id"),
                Message::new("there is no statement `{0}`", [measure.id.clone()]),
                help,
            );
        } else if !parts.any(|part| part == measure.part.as_deref()) {
            let named: Vec<&str> = same_id.filter_map(|s| s.part.as_deref()).collect();
            let help = if named.is_empty() {
                Message::new("it has no parts", [])
            } else {
                Message::new("its parts are {0}", [named.join(", ")])
            };
            let message =
                Message::new("the statement `{0}` has no such part", [measure.id.clone()]);
            pen.write(Severity::Error, "E0803", &entry.field("part"), message, Some(help));
        }
        if let Some(first) =
            raw.measures[..i].iter().position(|m| m.id == measure.id && m.part == measure.part)
        {
            pen.error(
                "E0302",
                &entry.field("id"),
                Message::new(
                    "there are two of {0} `{1}`",
                    ["measure".to_string(), title(&measure.id, measure.part.as_deref())],
                ),
            );
            pen.relate(&here.index(first).field("id"), Message::new("the first one", []));
        }
    }
}

fn gauge(raw: &RawGauge, book: &Book<'_>, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Gauge> {
    let (one, two) = (path.index(0), path.index(1));
    let pair = |a: &RawGauge, b: &RawGauge, pen: &mut Pen<'_>| {
        both(gauge(a, book, pen, &one), gauge(b, book, pen, &two))
            .map(|(a, b)| (Box::new(a), Box::new(b)))
    };
    Some(match raw {
        RawGauge::At(at, what) => {
            both(moment(at, book, pen, &one), quantity(what, book, pen, &two))
                .map(|(m, q)| Gauge::At(m, q))?
        }
        RawGauge::Percent(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Percent(a, b))?,
        RawGauge::Ratio(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Ratio(a, b))?,
        RawGauge::Minus(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Minus(a, b))?,
        RawGauge::Apart(a, b) => both(moment(a, book, pen, &one), moment(b, book, pen, &two))
            .map(|(a, b)| Gauge::Apart(a, b))?,
        RawGauge::Seconds { from, to, holds } => {
            let ends = both(
                moment(from, book, pen, &path.field("from")),
                moment(to, book, pen, &path.field("to")),
            );
            let (ends, holds) = both(ends, book.cond(holds, pen, &path.field("holds")))?;
            Gauge::Seconds { from: ends.0, to: ends.1, holds }
        }
        RawGauge::Holds(at, cond) => both(moment(at, book, pen, &one), book.cond(cond, pen, &two))
            .map(|(m, c)| Gauge::Holds(m, c))?,
        RawGauge::Before(a, b) => both(moment(a, book, pen, &one), moment(b, book, pen, &two))
            .map(|(a, b)| Gauge::Before(a, b))?,
        RawGauge::Sequence(list) => {
            let parts: Vec<Option<Moment>> =
                list.iter().enumerate().map(|(i, m)| moment(m, book, pen, &one.index(i))).collect();
            Gauge::Sequence(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::All(list) => {
            let parts: Vec<Option<Gauge>> =
                list.iter().enumerate().map(|(i, g)| gauge(g, book, pen, &one.index(i))).collect();
            Gauge::All(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::Is(number, rel, value) => {
            Gauge::Is(Box::new(gauge(number, book, pen, &one)?), *rel, *value)
        }
        RawGauge::Swept { chosen, among, judged, beyond } => {
            let moments = both(
                moment(chosen, book, pen, &path.field("chosen")),
                moment(judged, book, pen, &path.field("judged")),
            );
            let among = book.sel(among, pen, &path.field("among"));
            let place = book.place(&beyond.1, pen, &path.field("beyond").index(1));
            let ((chosen, judged), (among, place)) = both(moments, both(among, place))?;
            Gauge::Swept { chosen, among, judged, beyond: (metres_to_cm(beyond.0), place) }
        }
        RawGauge::Times(number, by) => Gauge::Times(Box::new(gauge(number, book, pen, &one)?), *by),
        RawGauge::Largest(list) => {
            let parts: Vec<Option<Gauge>> =
                list.iter().enumerate().map(|(i, g)| gauge(g, book, pen, &one.index(i))).collect();
            Gauge::Largest(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::Mean { from, to, of } => {
            let ends = span(from, to, book, pen, path);
            let here = path.field("of");
            let of = both(
                quantity(&of.0, book, pen, &here.index(0)),
                quantity(&of.1, book, pen, &here.index(1)),
            );
            let ((from, to), of) = both(ends, of)?;
            Gauge::Mean { from, to, of }
        }
        RawGauge::Heaviest { of, by, others, within_s, from, to } => {
            let ends = span(from, to, book, pen, path);
            let of = book.sel(of, pen, &path.field("of"));
            let here = path.field("by");
            let units: Vec<Option<UnitId>> = by
                .iter()
                .enumerate()
                .map(|(i, id)| {
                    pen.look(&book.tables.units, id, &here.index(i)).map(UnitId::from_index)
                })
                .collect();
            let by = units.into_iter().collect::<Option<_>>();
            let ((from, to), (of, by)) = both(ends, both(of, by))?;
            Gauge::Heaviest { of, by, others: *others, within_s: *within_s, from, to }
        }
        RawGauge::Chosen { chosen, among, at, what } => {
            let moments = both(
                moment(chosen, book, pen, &path.field("chosen")),
                moment(at, book, pen, &path.field("at")),
            );
            let among = book.sel(among, pen, &path.field("among"));
            let ((chosen, at), among) = both(moments, among)?;
            Gauge::Chosen { chosen, among, at, what: *what }
        }
    })
}

/// The two ends of a stretch of time.
fn span(
    from: &RawMoment,
    to: &RawMoment,
    book: &Book<'_>,
    pen: &mut Pen<'_>,
    path: &Path<'_>,
) -> Option<(Moment, Moment)> {
    both(moment(from, book, pen, &path.field("from")), moment(to, book, pen, &path.field("to")))
}

fn moment(raw: &RawMoment, book: &Book<'_>, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Moment> {
    let (one, two) = (path.index(0), path.index(1));
    Some(match raw {
        RawMoment::Muster => Moment::Muster,
        RawMoment::End => Moment::End,
        RawMoment::First(cond) => Moment::First(book.cond(cond, pen, &one)?),
        RawMoment::FirstAfter(after, cond) => {
            both(moment(after, book, pen, &one), book.cond(cond, pen, &two))
                .map(|(m, c)| Moment::FirstAfter(Box::new(m), c))?
        }
        RawMoment::Later(seconds, after) => {
            Moment::Later(*seconds, Box::new(moment(after, book, pen, &two)?))
        }
        RawMoment::Sooner(a, b) => both(moment(a, book, pen, &one), moment(b, book, pen, &two))
            .map(|(a, b)| Moment::Sooner(Box::new(a), Box::new(b)))?,
        RawMoment::HitAfter(after, sel) => {
            both(moment(after, book, pen, &one), book.sel(sel, pen, &two))
                .map(|(m, s)| Moment::HitAfter(Box::new(m), s))?
        }
        RawMoment::BreaksAfter(after, sel) => {
            both(moment(after, book, pen, &one), book.sel(sel, pen, &two))
                .map(|(m, s)| Moment::BreaksAfter(Box::new(m), s))?
        }
    })
}

fn quantity(
    raw: &RawQuantity,
    book: &Book<'_>,
    pen: &mut Pen<'_>,
    path: &Path<'_>,
) -> Option<Quantity> {
    let (one, two) = (path.index(0), path.index(1));
    Some(match raw {
        RawQuantity::Men(sel) => Quantity::Men(book.sel(sel, pen, &one)?),
        RawQuantity::Inside(sel, work) => {
            both(book.sel(sel, pen, &one), book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Inside(s, w))?
        }
        RawQuantity::Crossed(sel, work) => {
            both(book.sel(sel, pen, &one), book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Crossed(s, w))?
        }
        RawQuantity::Lost(sel) => Quantity::Lost(book.sel(sel, pen, &one)?),
        RawQuantity::LostToShot(sel) => Quantity::LostToShot(book.sel(sel, pen, &one)?),
        RawQuantity::Foremost(sel, place) => {
            both(book.sel(sel, pen, &one), book.place(place, pen, &two))
                .map(|(s, p)| Quantity::Foremost(s, p))?
        }
        RawQuantity::AliveInside(person, work) => {
            let person = pen.look(&book.tables.persons, person, &one).map(PersonId::from_index);
            both(person, book.work(work, pen, &two)).map(|(p, w)| Quantity::AliveInside(p, w))?
        }
        RawQuantity::Engines(sel) => Quantity::Engines(book.sel(sel, pen, &one)?),
        RawQuantity::LostTo(sel, causes) => {
            Quantity::LostTo(book.sel(sel, pen, &one)?, causes.clone())
        }
        RawQuantity::Climbed(sel, work) => {
            both(book.sel(sel, pen, &one), book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Climbed(s, w))?
        }
        RawQuantity::ClimbedDown(sel, work) => {
            both(book.sel(sel, pen, &one), book.work(work, pen, &two))
                .map(|(s, w)| Quantity::ClimbedDown(s, w))?
        }
        RawQuantity::Missiles(sel) => Quantity::Missiles(book.sel(sel, pen, &one)?),
        RawQuantity::MenNear(sel, metres, of) => {
            both(book.sel(sel, pen, &one), book.sel(of, pen, &path.index(2)))
                .map(|(s, of)| Quantity::MenNear(s, metres_to_cm(*metres), of))?
        }
    })
}
