//! The record of a document: orders of one battle, measures of its statements.

use super::Pen;
use super::orders::{Book, both};
use crate::core::ids::{PersonId, UnitId};
use crate::core::measure::metres_to_cm;
use crate::scenario::findings::{Message, Severity, did_you_mean};
use crate::scenario::raw::record::{RawGauge, RawMoment, RawNamed, RawQuantity, RawRecord};
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
    let mut orders = Some(Vec::new());
    let mut number = wanted.first_line;
    for (at, group) in raw.orders_of(wanted.scenario) {
        let list = Path::ROOT.field("orders");
        let entry = list.index(at);
        let here = entry.field("lines");
        let lines = book.lines(&group.lines, number, pen, &here);
        let before = raw.orders_of(wanted.scenario).take_while(|(other, _)| *other < at);
        let before: Vec<&str> =
            before.flat_map(|(_, g)| &g.lines).map(|line| line.id.as_str()).collect();
        for (i, line) in group.lines.iter().enumerate() {
            if before.contains(&line.id.as_str()) {
                let message = Message::new(
                    "there are two of {0} `{1}`",
                    ["line".to_string(), line.id.clone()],
                );
                pen.error("E0302", &here.index(i).field("id"), message);
            }
        }
        number += group.lines.len();
        orders = both(orders, lines).map(|(mut all, lines)| {
            all.extend(lines);
            all
        });
    }
    let told = Told::new(raw, wanted.scenario, book, pen);
    let mut measures = Vec::new();
    let mut whole = true;
    for statement in wanted.known.iter().filter(|s| wanted.statements.contains(&s.id)) {
        let here = Path::ROOT.field("measures");
        let found =
            raw.measures.iter().position(|m| m.id == statement.id && m.part == statement.part);
        let gauge = match found {
            Some(at) => {
                let gauge =
                    gauge(&raw.measures[at].gauge, &told, pen, &here.index(at).field("gauge"));
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

fn gauge(raw: &RawGauge, told: &Told<'_>, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Gauge> {
    let (one, two) = (path.index(0), path.index(1));
    let pair = |a: &RawGauge, b: &RawGauge, pen: &mut Pen<'_>| {
        both(gauge(a, told, pen, &one), gauge(b, told, pen, &two))
            .map(|(a, b)| (Box::new(a), Box::new(b)))
    };
    Some(match raw {
        RawGauge::At(at, what) => {
            both(moment(at, told, pen, &one), quantity(what, told, pen, &two))
                .map(|(m, q)| Gauge::At(m, q))?
        }
        RawGauge::Percent(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Percent(a, b))?,
        RawGauge::Ratio(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Ratio(a, b))?,
        RawGauge::Minus(a, b) => pair(a, b, pen).map(|(a, b)| Gauge::Minus(a, b))?,
        RawGauge::Apart(a, b) => both(moment(a, told, pen, &one), moment(b, told, pen, &two))
            .map(|(a, b)| Gauge::Apart(a, b))?,
        RawGauge::Seconds { from, to, holds } => {
            let ends = both(
                moment(from, told, pen, &path.field("from")),
                moment(to, told, pen, &path.field("to")),
            );
            let (ends, holds) = both(ends, told.book.cond(holds, pen, &path.field("holds")))?;
            Gauge::Seconds { from: ends.0, to: ends.1, holds }
        }
        RawGauge::Holds(at, cond) => {
            both(moment(at, told, pen, &one), told.book.cond(cond, pen, &two))
                .map(|(m, c)| Gauge::Holds(m, c))?
        }
        RawGauge::Before(a, b) => both(moment(a, told, pen, &one), moment(b, told, pen, &two))
            .map(|(a, b)| Gauge::Before(a, b))?,
        RawGauge::Sequence(list) => {
            let parts: Vec<Option<Moment>> =
                list.iter().enumerate().map(|(i, m)| moment(m, told, pen, &one.index(i))).collect();
            Gauge::Sequence(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::All(list) => {
            let parts: Vec<Option<Gauge>> =
                list.iter().enumerate().map(|(i, g)| gauge(g, told, pen, &one.index(i))).collect();
            Gauge::All(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::Is(number, rel, value) => {
            Gauge::Is(Box::new(gauge(number, told, pen, &one)?), *rel, *value)
        }
        RawGauge::Swept { chosen, among, judged, beyond } => {
            let moments = both(
                moment(chosen, told, pen, &path.field("chosen")),
                moment(judged, told, pen, &path.field("judged")),
            );
            let among = told.book.sel(among, pen, &path.field("among"));
            let place = told.book.place(&beyond.1, pen, &path.field("beyond").index(1));
            let ((chosen, judged), (among, place)) = both(moments, both(among, place))?;
            Gauge::Swept { chosen, among, judged, beyond: (metres_to_cm(beyond.0), place) }
        }
        RawGauge::Times(number, by) => Gauge::Times(Box::new(gauge(number, told, pen, &one)?), *by),
        RawGauge::Largest(list) => {
            let parts: Vec<Option<Gauge>> =
                list.iter().enumerate().map(|(i, g)| gauge(g, told, pen, &one.index(i))).collect();
            Gauge::Largest(parts.into_iter().collect::<Option<_>>()?)
        }
        RawGauge::Mean { from, to, of } => {
            let ends = span(from, to, told, pen, path);
            let here = path.field("of");
            let of = both(
                quantity(&of.0, told, pen, &here.index(0)),
                quantity(&of.1, told, pen, &here.index(1)),
            );
            let ((from, to), of) = both(ends, of)?;
            Gauge::Mean { from, to, of }
        }
        RawGauge::Heaviest { of, by, others, causes, within_s, from, to } => {
            let ends = span(from, to, told, pen, path);
            let of = told.book.sel(of, pen, &path.field("of"));
            let here = path.field("by");
            let units: Vec<Option<UnitId>> = by
                .iter()
                .enumerate()
                .map(|(i, id)| {
                    pen.look(&told.book.tables.units, id, &here.index(i)).map(UnitId::from_index)
                })
                .collect();
            let by = units.into_iter().collect::<Option<_>>();
            let ((from, to), (of, by)) = both(ends, both(of, by))?;
            let (others, within_s, causes) = (*others, *within_s, causes.clone());
            Gauge::Heaviest { of, by, others, causes, within_s, from, to }
        }
        RawGauge::Chosen { chosen, among, at, what } => {
            let moments = both(
                moment(chosen, told, pen, &path.field("chosen")),
                moment(at, told, pen, &path.field("at")),
            );
            let among = told.book.sel(among, pen, &path.field("among"));
            let ((chosen, at), among) = both(moments, among)?;
            Gauge::Chosen { chosen, among, at, what: *what }
        }
    })
}

/// What measures speak of: names of the battle, and moments with names.
struct Told<'a> {
    book: &'a Book<'a>,
    moments: Vec<(&'a str, Option<Moment>)>,
}

impl<'a> Told<'a> {
    /// Resolves the moments that one battle has names for. Each may speak of those
    /// before it; one that names the battle goes before one that is for all.
    fn new(raw: &'a RawRecord, battle: &str, book: &'a Book<'a>, pen: &mut Pen<'_>) -> Self {
        let mut told = Self { book, moments: Vec::new() };
        let list = Path::ROOT.field("moments");
        for (i, named) in raw.moments.iter().enumerate() {
            let own = |m: &RawNamed| m.battles.iter().any(|b| b == battle);
            let hidden = named.battles.is_empty()
                && raw.moments.iter().any(|other| other.id == named.id && own(other));
            if hidden || !named.battles.is_empty() && !own(named) {
                continue;
            }
            if told.moments.iter().any(|(id, _)| *id == named.id) {
                pen.error(
                    "E0302",
                    &list.index(i).field("id"),
                    Message::new(
                        "there are two of {0} `{1}`",
                        ["moment".to_string(), named.id.clone()],
                    ),
                );
            }
            let at = moment(&named.at, &told, pen, &list.index(i).field("at"));
            told.moments.push((&named.id, at));
        }
        told
    }

    fn named(&self, id: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Moment> {
        if let Some((_, at)) = self.moments.iter().find(|(known, _)| *known == id) {
            return at.clone();
        }
        pen.write(
            Severity::Error,
            "E0301",
            path,
            Message::new("there is no {0} `{1}`", ["moment".to_string(), id.to_string()]),
            did_you_mean(id, self.moments.iter().map(|(known, _)| *known)),
        );
        None
    }
}

/// The two ends of a stretch of time.
fn span(
    from: &RawMoment,
    to: &RawMoment,
    told: &Told<'_>,
    pen: &mut Pen<'_>,
    path: &Path<'_>,
) -> Option<(Moment, Moment)> {
    both(moment(from, told, pen, &path.field("from")), moment(to, told, pen, &path.field("to")))
}

fn moment(raw: &RawMoment, told: &Told<'_>, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Moment> {
    let (one, two) = (path.index(0), path.index(1));
    Some(match raw {
        RawMoment::Named(id) => told.named(id, pen, &one)?,
        RawMoment::Muster => Moment::Muster,
        RawMoment::End => Moment::End,
        RawMoment::First(cond) => Moment::First(told.book.cond(cond, pen, &one)?),
        RawMoment::FirstAfter(after, cond) => {
            both(moment(after, told, pen, &one), told.book.cond(cond, pen, &two))
                .map(|(m, c)| Moment::FirstAfter(Box::new(m), c))?
        }
        RawMoment::Later(seconds, after) => {
            Moment::Later(*seconds, Box::new(moment(after, told, pen, &two)?))
        }
        RawMoment::Sooner(a, b) => both(moment(a, told, pen, &one), moment(b, told, pen, &two))
            .map(|(a, b)| Moment::Sooner(Box::new(a), Box::new(b)))?,
        RawMoment::HitAfter(after, sel) => {
            both(moment(after, told, pen, &one), told.book.sel(sel, pen, &two))
                .map(|(m, s)| Moment::HitAfter(Box::new(m), s))?
        }
        RawMoment::BreaksAfter(after, sel) => {
            both(moment(after, told, pen, &one), told.book.sel(sel, pen, &two))
                .map(|(m, s)| Moment::BreaksAfter(Box::new(m), s))?
        }
    })
}

fn quantity(
    raw: &RawQuantity,
    told: &Told<'_>,
    pen: &mut Pen<'_>,
    path: &Path<'_>,
) -> Option<Quantity> {
    let (one, two) = (path.index(0), path.index(1));
    Some(match raw {
        RawQuantity::Men(sel) => Quantity::Men(told.book.sel(sel, pen, &one)?),
        RawQuantity::Inside(sel, work) => {
            both(told.book.sel(sel, pen, &one), told.book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Inside(s, w))?
        }
        RawQuantity::Crossed(sel, work) => {
            both(told.book.sel(sel, pen, &one), told.book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Crossed(s, w))?
        }
        RawQuantity::Lost(sel) => Quantity::Lost(told.book.sel(sel, pen, &one)?),
        RawQuantity::LostToShot(sel) => Quantity::LostToShot(told.book.sel(sel, pen, &one)?),
        RawQuantity::Foremost(sel, place) => {
            both(told.book.sel(sel, pen, &one), told.book.place(place, pen, &two))
                .map(|(s, p)| Quantity::Foremost(s, p))?
        }
        RawQuantity::AliveInside(person, work) => {
            let person =
                pen.look(&told.book.tables.persons, person, &one).map(PersonId::from_index);
            both(person, told.book.work(work, pen, &two))
                .map(|(p, w)| Quantity::AliveInside(p, w))?
        }
        RawQuantity::Engines(sel) => Quantity::Engines(told.book.sel(sel, pen, &one)?),
        RawQuantity::LostTo(sel, causes) => {
            Quantity::LostTo(told.book.sel(sel, pen, &one)?, causes.clone())
        }
        RawQuantity::Climbed(sel, work) => {
            both(told.book.sel(sel, pen, &one), told.book.work(work, pen, &two))
                .map(|(s, w)| Quantity::Climbed(s, w))?
        }
        RawQuantity::ClimbedDown(sel, work) => {
            both(told.book.sel(sel, pen, &one), told.book.work(work, pen, &two))
                .map(|(s, w)| Quantity::ClimbedDown(s, w))?
        }
        RawQuantity::Missiles(sel) => Quantity::Missiles(told.book.sel(sel, pen, &one)?),
        RawQuantity::MenNear(sel, metres, of) => {
            both(told.book.sel(sel, pen, &one), told.book.sel(of, pen, &path.index(2)))
                .map(|(s, of)| Quantity::MenNear(s, metres_to_cm(*metres), of))?
        }
    })
}
