//! The order language: names into ids, metres into centimetres, clocks into seconds.

use std::collections::BTreeSet;

use super::{Pen, Table, Tables, clock};
use crate::core::ids::{
    AreaId, CorpsId, LineId, PartyId, PersonId, PostId, SideId, UnitId, UnitKindId, WorkId,
};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Act, Cond, Event, Line, Measure, Place, Sel, Subject, Who};
use crate::scenario::battle::{Corps, GateStart, Person, Unit};
use crate::scenario::findings::{Message, Severity, did_you_mean};
use crate::scenario::raw::orders::{
    RawAct, RawCond, RawEvent, RawLine, RawMeasure, RawPlace, RawSel,
};
use crate::scenario::spans::Path;

/// What lines are resolved against.
pub struct Book<'a> {
    /// All names.
    pub tables: &'a Tables,
    /// Labels of the lines that a condition may speak of.
    pub labels: BTreeSet<String>,
    /// Corps, for the default post.
    pub corps: &'a [Corps],
    /// Units, for the default post.
    pub units: &'a [Unit],
    /// Persons, for the default post.
    pub persons: &'a [Person],
    /// Gates, for the default post.
    pub gates: &'a [GateStart],
    /// Whether all gates are among them.
    pub gates_whole: bool,
}

impl Book<'_> {
    /// A list of lines numbered from `first`.
    pub fn lines(
        &self,
        raw: &[RawLine],
        first: usize,
        pen: &mut Pen<'_>,
        path: &Path<'_>,
    ) -> Option<Vec<Line>> {
        let mut seen = BTreeSet::new();
        let lines: Vec<Option<Line>> = raw
            .iter()
            .enumerate()
            .map(|(i, line)| {
                let here = path.index(i);
                if !seen.insert(line.id.as_str()) {
                    pen.error(
                        "E0302",
                        &here.field("id"),
                        Message::new(
                            "there are two of {0} `{1}`",
                            ["line".to_string(), line.id.clone()],
                        ),
                    );
                }
                self.line(line, first + i, pen, &here)
            })
            .collect();
        lines.into_iter().collect()
    }

    fn line(
        &self,
        raw: &RawLine,
        number: usize,
        pen: &mut Pen<'_>,
        here: &Path<'_>,
    ) -> Option<Line> {
        let who_path = here.field("who");
        let who: Vec<Option<Subject>> = raw
            .who
            .iter()
            .enumerate()
            .map(|(i, name)| self.subject(name, pen, &who_path.index(i)))
            .collect();
        let who: Option<Vec<Subject>> = who.into_iter().collect();
        if raw.who.is_empty() {
            pen.error("E0701", &who_path, Message::new("the line is for nobody", []));
        }
        if !(1..=9).contains(&raw.prio) {
            pen.error(
                "E0402",
                &here.field("prio"),
                Message::new("the priority goes from 1 to 9", []),
            );
        }
        if raw.acts.is_empty() {
            pen.error("E0701", &here.field("do"), Message::new("the line does nothing", []));
        }
        let by = match &raw.by {
            Some(name) => {
                pen.look(&self.tables.posts, name, &here.field("by")).map(PostId::from_index)
            }
            None => who
                .as_ref()
                .and_then(|who| who.first())
                .and_then(|first| self.default_post(*first, pen, here)),
        };
        let when = self.cond(&raw.when, pen, &here.field("when"));
        let acts = self.acts(&raw.acts, pen, &here.field("do"));
        let until = raw.until.as_ref().map(|until| self.cond(until, pen, &here.field("until")));
        let then = self.acts(&raw.then, pen, &here.field("then"));
        if until.is_none() && !raw.then.is_empty() {
            pen.error("E0701", &here.field("then"), Message::new("`then` needs an `until`", []));
        }
        Some(Line {
            id: LineId::from_index(number),
            label: raw.id.clone(),
            who: who?,
            via: raw.via,
            by: by?,
            when: when?,
            acts: acts?,
            until: match until {
                None => None,
                Some(cond) => Some((cond?, then?)),
            },
            keep: raw.keep,
            prio: raw.prio,
        })
    }

    fn default_post(&self, subject: Subject, pen: &mut Pen<'_>, here: &Path<'_>) -> Option<PostId> {
        let of_unit = |unit: UnitId| {
            self.units
                .get(unit.index())
                .and_then(|u| self.corps.get(u.corps.index()))
                .map(|c| c.post)
        };
        match subject {
            Subject::Unit(unit) => of_unit(unit),
            Subject::Person(person) => {
                self.persons.get(person.index()).and_then(|p| of_unit(p.unit))
            }
            Subject::Work(work) => {
                let keeper = self.gates.iter().find(|g| g.work == work).map(|g| g.keeper);
                if keeper.is_none() && self.gates_whole {
                    pen.error(
                        "E0702",
                        &here.field("who"),
                        Message::new("nobody keeps this work", []),
                    );
                }
                keeper
            }
        }
    }

    fn subject(&self, name: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Subject> {
        let t = self.tables;
        if let Some(i) = t.units.get(name) {
            return Some(Subject::Unit(UnitId::from_index(i)));
        }
        if let Some(i) = t.works.get(name) {
            return Some(Subject::Work(WorkId::from_index(i)));
        }
        if let Some(i) = t.persons.get(name) {
            return Some(Subject::Person(PersonId::from_index(i)));
        }
        unknown("unit, gate or person", name, &[&t.units, &t.works, &t.persons], &[], pen, path);
        None
    }

    /// A condition.
    pub fn cond(&self, raw: &RawCond, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Cond> {
        let all = |list: &[RawCond], pen: &mut Pen<'_>| {
            let inner = path.index(0);
            let parts: Vec<Option<Cond>> =
                list.iter().enumerate().map(|(i, c)| self.cond(c, pen, &inner.index(i))).collect();
            parts.into_iter().collect::<Option<Vec<Cond>>>()
        };
        Some(match raw {
            RawCond::Start => Cond::Start,
            RawCond::At(text) => {
                match clock(text) {
                    Some(seconds) => Cond::At(seconds),
                    None => {
                        pen.error("E0703", &path.index(0), Message::new("`{0}` is no time of the battle: write minutes and seconds, \"mm:ss\"", [text.clone()]));
                        return None;
                    }
                }
            }
            RawCond::After(seconds, event) => {
                seconds_ok(*seconds, pen, &path.index(0));
                Cond::After(*seconds, self.event(event, pen, &path.index(1))?)
            }
            RawCond::Event(event) => Cond::Event(self.event(event, pen, &path.index(0))?),
            RawCond::Is(measure, rel, value) => {
                Cond::Is(self.measure(measure, pen, &path.index(0))?, *rel, *value)
            }
            RawCond::All(list) => Cond::All(all(list, pen)?),
            RawCond::Any(list) => Cond::Any(all(list, pen)?),
            RawCond::Not(inner) => Cond::Not(Box::new(self.cond(inner, pen, &path.index(0))?)),
            RawCond::For(seconds, inner) => {
                seconds_ok(*seconds, pen, &path.index(0));
                Cond::For(*seconds, Box::new(self.cond(inner, pen, &path.index(1))?))
            }
        })
    }

    fn event(&self, raw: &RawEvent, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Event> {
        let (one, two) = (path.index(0), path.index(1));
        let t = self.tables;
        Some(match raw {
            RawEvent::Fired(label) | RawEvent::FiredThen(label) => {
                if !self.labels.contains(label) {
                    let message =
                        Message::new("there is no {0} `{1}`", ["line".to_string(), label.clone()]);
                    pen.write(
                        Severity::Error,
                        "E0301",
                        &one,
                        message,
                        did_you_mean(label, self.labels.iter().map(String::as_str)),
                    );
                    return None;
                }
                Event::Fired { line: label.clone(), then: matches!(raw, RawEvent::FiredThen(_)) }
            }
            RawEvent::Seen(sel) => Event::Seen(self.sel(sel, pen, &one)?),
            RawEvent::Contact(sel) => Event::Contact(self.sel(sel, pen, &one)?),
            RawEvent::Broke(sel) => Event::Broke(self.sel(sel, pen, &one)?),
            RawEvent::Yielded(sel) => Event::Yielded(self.sel(sel, pen, &one)?),
            RawEvent::Entered(sel, area) => {
                both(self.sel(sel, pen, &one), self.area(area, pen, &two))
                    .map(|(s, a)| Event::Entered(s, a))?
            }
            RawEvent::Left(sel, area) => both(self.sel(sel, pen, &one), self.area(area, pen, &two))
                .map(|(s, a)| Event::Left(s, a))?,
            RawEvent::Reached(sel, place) => {
                both(self.sel(sel, pen, &one), self.place(place, pen, &two))
                    .map(|(s, p)| Event::Reached(s, p))?
            }
            RawEvent::Opened(work) => Event::Opened(self.work(work, pen, &one)?),
            RawEvent::Shut(work) => Event::Shut(self.work(work, pen, &one)?),
            RawEvent::Jammed(work) => Event::Jammed(self.work(work, pen, &one)?),
            RawEvent::Taken(area, side) => {
                both(self.area(area, pen, &one), pen.look(&t.sides, side, &two))
                    .map(|(a, s)| Event::Taken(a, SideId::from_index(s)))?
            }
            RawEvent::Heads(area) => Event::Heads(self.area(area, pen, &one)?),
            RawEvent::Empty(unit) => {
                Event::Empty(UnitId::from_index(pen.look(&t.units, unit, &one)?))
            }
            RawEvent::Loaded(unit) => {
                Event::Loaded(UnitId::from_index(pen.look(&t.units, unit, &one)?))
            }
            RawEvent::Heard(channel) => Event::Heard(*channel),
            RawEvent::Fell(person) => {
                Event::Fell(PersonId::from_index(pen.look(&t.persons, person, &one)?))
            }
            RawEvent::Hurt(person) => {
                Event::Hurt(PersonId::from_index(pen.look(&t.persons, person, &one)?))
            }
            RawEvent::Told(word) => Event::Told(word.clone()),
        })
    }

    fn measure(&self, raw: &RawMeasure, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Measure> {
        let (one, two) = (path.index(0), path.index(1));
        Some(match raw {
            RawMeasure::Men(sel) => Measure::Men(self.sel(sel, pen, &one)?),
            RawMeasure::Share(part, whole) => {
                both(self.sel(part, pen, &one), self.sel(whole, pen, &two))
                    .map(|(a, b)| Measure::Share(a, b))?
            }
            RawMeasure::Loss(sel, seconds) => {
                seconds_ok(*seconds, pen, &two);
                Measure::Loss(self.sel(sel, pen, &one)?, *seconds)
            }
            RawMeasure::Dist(sel, place) => {
                both(self.sel(sel, pen, &one), self.place(place, pen, &two))
                    .map(|(s, p)| Measure::Dist(s, p))?
            }
            RawMeasure::Eta(sel, place) => {
                both(self.sel(sel, pen, &one), self.place(place, pen, &two))
                    .map(|(s, p)| Measure::Eta(s, p))?
            }
            RawMeasure::Ratio(area) => Measure::Ratio(self.area(area, pen, &one)?),
            RawMeasure::Ammo(unit) => {
                Measure::Ammo(UnitId::from_index(pen.look(&self.tables.units, unit, &one)?))
            }
            RawMeasure::Heart(sel) => Measure::Heart(self.sel(sel, pen, &one)?),
            RawMeasure::Stamina(sel) => Measure::Stamina(self.sel(sel, pen, &one)?),
            RawMeasure::Gap(work) => Measure::Gap(self.work(work, pen, &one)?),
        })
    }

    /// A selector.
    pub fn sel(&self, raw: &RawSel, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Sel> {
        let who = self.who(&raw.who, pen, &path.field("who"));
        let area = raw.area.as_ref().map(|area| self.area(area, pen, &path.field("area")));
        let within_path = path.field("within");
        let within = raw.within.as_ref().map(|(metres, place)| {
            metres_ok(*metres, pen, &within_path.index(0));
            self.place(place, pen, &within_path.index(1))
                .map(|place| (metres_to_cm(*metres), place))
        });
        Some(Sel {
            who: who?,
            states: raw.states.clone(),
            area: match area {
                None => None,
                Some(area) => Some(area?),
            },
            within: match within {
                None => None,
                Some(within) => Some(within?),
            },
            muster: raw.muster,
        })
    }

    fn who(&self, name: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Who> {
        match name {
            "enemy" => return Some(Who::Enemy),
            "friend" => return Some(Who::Friend),
            "own" => return Some(Who::Own),
            _ => {}
        }
        let t = self.tables;
        let found = None
            .or_else(|| t.parties.get(name).map(|i| Who::Party(PartyId::from_index(i))))
            .or_else(|| t.sides.get(name).map(|i| Who::Side(SideId::from_index(i))))
            .or_else(|| t.corps.get(name).map(|i| Who::Corps(CorpsId::from_index(i))))
            .or_else(|| t.units.get(name).map(|i| Who::Unit(UnitId::from_index(i))))
            .or_else(|| t.units_kinds.get(name).map(|i| Who::Kind(UnitKindId::from_index(i))))
            .or_else(|| t.persons.get(name).map(|i| Who::Person(PersonId::from_index(i))));
        if found.is_none() {
            let tables = [&t.parties, &t.sides, &t.corps, &t.units, &t.units_kinds, &t.persons];
            unknown(
                "party, side, corps, unit, kind or person",
                name,
                &tables,
                &["enemy", "friend", "own"],
                pen,
                path,
            );
        }
        found
    }

    /// A place.
    pub fn place(&self, raw: &RawPlace, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Place> {
        let t = self.tables;
        match raw {
            RawPlace::Point(x, y) => {
                point_ok(*x, *y, pen, path);
                Some(Place::Point(PointCm::from_metres(*x, *y)))
            }
            RawPlace::At(name) => {
                let found = None
                    .or_else(|| t.areas.get(name).map(|i| Place::Area(AreaId::from_index(i))))
                    .or_else(|| t.works.get(name).map(|i| Place::Work(WorkId::from_index(i))))
                    .or_else(|| t.units.get(name).map(|i| Place::Unit(UnitId::from_index(i))))
                    .or_else(|| {
                        t.persons.get(name).map(|i| Place::Person(PersonId::from_index(i)))
                    });
                if found.is_none() {
                    unknown(
                        "area, work, unit or person",
                        name,
                        &[&t.areas, &t.works, &t.units, &t.persons],
                        &[],
                        pen,
                        &path.index(0),
                    );
                }
                found
            }
        }
    }

    fn area(&self, name: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<AreaId> {
        pen.look(&self.tables.areas, name, path).map(AreaId::from_index)
    }

    /// A work.
    pub fn work(&self, name: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<WorkId> {
        pen.look(&self.tables.works, name, path).map(WorkId::from_index)
    }

    fn acts(&self, raw: &[RawAct], pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Vec<Act>> {
        let acts: Vec<Option<Act>> =
            raw.iter().enumerate().map(|(i, act)| self.act(act, pen, &path.index(i))).collect();
        acts.into_iter().collect()
    }

    fn act(&self, raw: &RawAct, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<Act> {
        let (one, two) = (path.index(0), path.index(1));
        let units = &self.tables.units;
        Some(match raw {
            RawAct::Go { to, gait, shape } => {
                Act::Go { to: self.place(to, pen, &path.field("to"))?, gait: *gait, shape: *shape }
            }
            RawAct::Stand(place) => Act::Stand(self.place(place, pen, &one)?),
            RawAct::Charge(sel) => Act::Charge(self.sel(sel, pen, &one)?),
            RawAct::Chase { prey, leash_m, of } => {
                metres_ok(*leash_m, pen, &path.field("leash_m"));
                let (prey, of) = both(
                    self.sel(prey, pen, &path.field("prey")),
                    self.place(of, pen, &path.field("of")),
                )?;
                Act::Chase { prey, leash_cm: metres_to_cm(*leash_m), of }
            }
            RawAct::Swap(front, rear) => {
                let (front, rear) =
                    both(pen.look(units, front, &one), pen.look(units, rear, &two))?;
                Act::Swap(UnitId::from_index(front), UnitId::from_index(rear))
            }
            RawAct::Standing(instruction, mark) => Act::Standing(*instruction, *mark),
            RawAct::Screen(unit) => Act::Screen(UnitId::from_index(pen.look(units, unit, &one)?)),
            RawAct::Follow(unit, metres) => {
                metres_ok(*metres, pen, &two);
                Act::Follow(UnitId::from_index(pen.look(units, unit, &one)?), metres_to_cm(*metres))
            }
            RawAct::Back { to, bound } => {
                let list = path.field("to");
                if to.is_empty() {
                    pen.error(
                        "E0701",
                        &list,
                        Message::new("there is no refuge to fall back to", []),
                    );
                }
                let places: Vec<Option<Place>> = to
                    .iter()
                    .enumerate()
                    .map(|(i, p)| self.place(p, pen, &list.index(i)))
                    .collect();
                Act::Back { refuges: places.into_iter().collect::<Option<_>>()?, bound: *bound }
            }
            RawAct::Shape(shape) => Act::Shape(*shape),
            RawAct::Shoot { at, free, spare_m } => {
                metres_ok(*spare_m, pen, &path.field("spare_m"));
                Act::Shoot {
                    at: self.sel(at, pen, &path.field("at"))?,
                    free: *free,
                    spare_cm: metres_to_cm(*spare_m),
                }
            }
            RawAct::HoldFire => Act::HoldFire,
            RawAct::Volley(count) => {
                if !(1..=1000).contains(count) {
                    pen.error(
                        "E0402",
                        &one,
                        Message::new("the number of volleys goes from 1 to 1000", []),
                    );
                }
                Act::Volley(*count)
            }
            RawAct::Job(job, place) => Act::Job(*job, self.place(place, pen, &two)?),
            RawAct::Gate(order) => Act::Gate(*order),
            RawAct::Signal(channel) => Act::Signal(*channel),
            RawAct::Amend(label, act) => {
                self.label(label, pen, &one)?;
                Act::Amend(label.clone(), Box::new(self.act(act, pen, &two)?))
            }
            RawAct::Cancel(label) => {
                self.label(label, pen, &one)?;
                Act::Cancel(label.clone())
            }
            RawAct::Stance(stance) => Act::Stance(*stance),
            RawAct::Call(text) => Act::Call(text.clone()),
        })
    }

    fn label(&self, label: &str, pen: &mut Pen<'_>, path: &Path<'_>) -> Option<()> {
        if self.labels.contains(label) {
            return Some(());
        }
        let message =
            Message::new("there is no {0} `{1}`", ["line".to_string(), label.to_string()]);
        pen.write(
            Severity::Error,
            "E0301",
            path,
            message,
            did_you_mean(label, self.labels.iter().map(String::as_str)),
        );
        None
    }
}

/// Both of two, having looked at both.
pub fn both<A, B>(a: Option<A>, b: Option<B>) -> Option<(A, B)> {
    Some((a?, b?))
}

fn unknown(
    what: &'static str,
    name: &str,
    tables: &[&Table],
    more: &[&str],
    pen: &mut Pen<'_>,
    path: &Path<'_>,
) {
    if tables.iter().all(|t| t.whole) {
        let known = tables.iter().flat_map(|t| t.names()).chain(more.iter().copied());
        let message = Message::new("there is no {0} `{1}`", [what.to_string(), name.to_string()]);
        pen.write(Severity::Error, "E0301", path, message, did_you_mean(name, known));
    } else {
        pen.lost = true;
    }
}

/// Longest time that anything waits or looks back: a day.
const LONGEST_S: i32 = 86_400;
/// Farthest that anything lies from the map's origin.
pub const FARTHEST_M: f64 = 100_000.0;

fn seconds_ok(seconds: i32, pen: &mut Pen<'_>, path: &Path<'_>) {
    if !(0..=LONGEST_S).contains(&seconds) {
        pen.error(
            "E0402",
            path,
            Message::new(
                "seconds go from 0 to {0} here, not {1}",
                [LONGEST_S.to_string(), seconds.to_string()],
            ),
        );
    }
}

fn metres_ok(metres: f64, pen: &mut Pen<'_>, path: &Path<'_>) {
    if !(0.0..=FARTHEST_M).contains(&metres) {
        pen.error(
            "E0402",
            path,
            Message::new(
                "metres go from 0 to {0} here, not {1}",
                [FARTHEST_M.to_string(), metres.to_string()],
            ),
        );
    }
}

/// A point that lies within reach of the map's origin.
pub fn point_ok(x: f64, y: f64, pen: &mut Pen<'_>, path: &Path<'_>) -> bool {
    let good = x.abs() <= FARTHEST_M && y.abs() <= FARTHEST_M;
    if !good {
        pen.error(
            "E0402",
            path,
            Message::new("a point lies within {0} m of the map's origin", [FARTHEST_M.to_string()]),
        );
    }
    good
}
