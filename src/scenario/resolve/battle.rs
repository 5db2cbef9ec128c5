//! The order of battle: sides, posts, units, persons, gates, ends and aims.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::orders::{Book, both, point_ok};
use super::record::{Wanted, record};
use super::{Pen, Tables, clock};
use crate::core::ids::{
    AreaId, CorpsId, EngineKindId, PartyId, PersonId, PostId, SideId, UnitId, UnitKindId, WorkId,
};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::scenario::battle::{
    Corps, End, GateStart, Objective, Party, Person, Post, Scenario, Side, Stands, Unit,
};
use crate::scenario::catalogue::Catalogue;
use crate::scenario::findings::Message;
use crate::scenario::raw::battle::{RawScenario, RawUnit};
use crate::scenario::raw::map::RawMap;
use crate::scenario::raw::record::RawRecord;
use crate::scenario::record::Statement;
use crate::scenario::site::{Site, WorkForm};
use crate::scenario::spans::Path;

/// What a battle is put together from.
pub struct Sheets<'a> {
    /// The rules.
    pub rules: &'a Arc<Catalogue>,
    /// The map as it is written.
    pub map: &'a RawMap,
    /// The map as cells.
    pub site: &'a Arc<Site>,
    /// The battle as it is written.
    pub raw: &'a RawScenario,
    /// The record of its document.
    pub record: Option<&'a RawRecord>,
    /// All statements.
    pub statements: &'a [Statement],
    /// All names; those of the battle are added by the caller.
    pub tables: &'a Tables,
}

/// Resolves a battle; `record_pen` writes into the record's file.
pub fn battle(
    sheets: &Sheets<'_>,
    pen: &mut Pen<'_>,
    record_pen: Option<&mut Pen<'_>>,
) -> Option<Scenario> {
    let (raw, tables) = (sheets.raw, sheets.tables);
    twice(raw, pen);
    let parts = Parts { raw, tables, sheets };
    let sides = parts.sides(pen);
    let parties = parts.parties(pen);
    let hostile = parties.as_ref().and_then(|p| parts.hostile(p, pen));
    let persons = parts.persons(pen);
    let units = parts.units(pen);
    let corps = parts.corps(pen, units.as_deref());
    let gates = parts.gates(pen);
    let (no_units, no_corps, no_persons, no_gates) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let labels: BTreeSet<String> = raw
        .standing
        .iter()
        .chain(
            sheets
                .record
                .iter()
                .flat_map(|r| r.orders_of(&raw.id))
                .flat_map(|(_, group)| &group.lines),
        )
        .map(|line| line.id.clone())
        .collect();
    let book = Book {
        tables,
        labels,
        corps: corps.as_deref().unwrap_or(&no_corps),
        units: units.as_deref().unwrap_or(&no_units),
        persons: persons.as_deref().unwrap_or(&no_persons),
        gates: gates.as_deref().unwrap_or(&no_gates),
        gates_whole: gates.is_some(),
    };
    let posts = parts.posts(&book, pen);
    let units = parts.refuges(&book, units.clone(), pen);
    let standing = book.lines(&raw.standing, 0, pen, &Path::ROOT.field("standing"));
    let ends = parts.ends(&book, pen);
    let objectives = parts.objectives(&book, pen);
    let starts = clock(&raw.starts).filter(|m| *m < 24 * 60);
    if starts.is_none() {
        pen.error(
            "E0703",
            &Path::ROOT.field("starts"),
            Message::new("`{0}` is no time of day: write \"hh:mm\"", [raw.starts.clone()]),
        );
    }
    parts.statements(pen);
    let record = match (sheets.record, record_pen) {
        (Some(raw_record), Some(pen)) => {
            let wanted = Wanted {
                scenario: &raw.id,
                statements: &raw.statements,
                known: sheets.statements,
                first_line: raw.standing.len(),
            };
            Some(record(raw_record, &wanted, &book, pen)?)
        }
        _ => None,
    };
    Some(Scenario {
        id: raw.id.clone(),
        name: raw.name.clone(),
        about: raw.about.clone(),
        document: raw.document.clone(),
        rules: Arc::clone(sheets.rules),
        site: Arc::clone(sheets.site),
        pulse_s: raw.pulse_s,
        starts_min: starts?,
        max_s: raw.max_minutes.saturating_mul(60),
        max_turn_s: raw.max_turn_minutes.saturating_mul(60),
        light: raw.light,
        sides: sides?,
        parties: parties?,
        hostile: hostile?,
        posts: posts?,
        corps: corps?,
        units: units?,
        persons: persons?,
        gates: gates?,
        standing: standing?,
        ends: ends?,
        objectives: objectives?,
        statements: raw.statements.clone(),
        record: record.map(Arc::new),
    })
}

fn twice(raw: &RawScenario, pen: &mut Pen<'_>) {
    pen.twice("sides", "side", raw.sides.iter().map(|s| s.id.as_str()));
    pen.twice("parties", "party", raw.parties.iter().map(|s| s.id.as_str()));
    pen.twice("posts", "post", raw.posts.iter().map(|s| s.id.as_str()));
    pen.twice("corps", "corps", raw.corps.iter().map(|s| s.id.as_str()));
    pen.twice("units", "unit", raw.units.iter().map(|s| s.id.as_str()));
    pen.twice("persons", "person", raw.persons.iter().map(|s| s.id.as_str()));
    pen.twice("objectives", "objective", raw.objectives.iter().map(|s| s.id.as_str()));
}

struct Parts<'a> {
    raw: &'a RawScenario,
    tables: &'a Tables,
    sheets: &'a Sheets<'a>,
}

impl Parts<'_> {
    fn sides(&self, pen: &mut Pen<'_>) -> Option<Vec<Side>> {
        let list = Path::ROOT.field("sides");
        if self.raw.sides.len() < 2 {
            pen.error("E0601", &list, Message::new("a battle needs two sides or more", []));
        }
        let sides: Vec<Option<Side>> = self
            .raw
            .sides
            .iter()
            .enumerate()
            .map(|(i, side)| {
                let here = list.index(i);
                if !(1..=4).contains(&side.slot) {
                    pen.error(
                        "E0402",
                        &here.field("slot"),
                        Message::new("the pigment slot goes from 1 to 4", []),
                    );
                }
                let post = pen.look(&self.tables.posts, &side.post, &here.field("post"))?;
                Some(Side {
                    id: side.id.clone(),
                    name: side.name.clone(),
                    slot: side.slot,
                    post: PostId::from_index(post),
                })
            })
            .collect();
        sides.into_iter().collect()
    }

    fn parties(&self, pen: &mut Pen<'_>) -> Option<Vec<Party>> {
        let list = Path::ROOT.field("parties");
        let parties: Vec<Option<Party>> = self
            .raw
            .parties
            .iter()
            .enumerate()
            .map(|(i, party)| {
                let side =
                    pen.look(&self.tables.sides, &party.side, &list.index(i).field("side"))?;
                Some(Party { id: party.id.clone(), side: SideId::from_index(side) })
            })
            .collect();
        parties.into_iter().collect()
    }

    fn hostile(&self, parties: &[Party], pen: &mut Pen<'_>) -> Option<Vec<Vec<bool>>> {
        let mut hostile: Vec<Vec<bool>> =
            parties.iter().map(|a| parties.iter().map(|b| a.side != b.side).collect()).collect();
        let list = Path::ROOT.field("truces");
        let mut whole = true;
        for (i, (a, b)) in self.raw.truces.iter().enumerate() {
            let here = list.index(i);
            let pair = both(
                pen.look(&self.tables.parties, a, &here.index(0)),
                pen.look(&self.tables.parties, b, &here.index(1)),
            );
            match pair {
                Some((a, b)) => {
                    hostile[a][b] = false;
                    hostile[b][a] = false;
                }
                None => whole = false,
            }
        }
        whole.then_some(hostile)
    }

    fn posts(&self, book: &Book<'_>, pen: &mut Pen<'_>) -> Option<Vec<Post>> {
        let list = Path::ROOT.field("posts");
        let posts: Vec<Option<Post>> = self
            .raw
            .posts
            .iter()
            .enumerate()
            .map(|(i, post)| {
                let here = list.index(i);
                let holder = optional(&post.holder, |name| {
                    pen.look(&self.tables.persons, name, &here.field("holder"))
                });
                let side = pen.look(&self.tables.sides, &post.side, &here.field("side"));
                let superior = optional(&post.superior, |name| {
                    pen.look(&self.tables.posts, name, &here.field("superior"))
                });
                let at = optional(&post.at, |place| book.place(place, pen, &here.field("at")));
                if !(0.0..=200.0).contains(&post.eyes_m) {
                    pen.error(
                        "E0402",
                        &here.field("eyes_m"),
                        Message::new("eyes are from 0 to 200 m over the ground", []),
                    );
                }
                if post.holder.is_none() && post.at.is_none() {
                    pen.error(
                        "E0602",
                        &here.field("at"),
                        Message::new("the post has neither a holder nor a place to look from", []),
                    );
                }
                Some(Post {
                    id: post.id.clone(),
                    name: post.name.clone(),
                    holder: holder?.map(PersonId::from_index),
                    side: SideId::from_index(side?),
                    superior: superior?.map(PostId::from_index),
                    at: at?,
                    eyes_cm: metres_to_cm(post.eyes_m),
                    players: post.players,
                })
            })
            .collect();
        self.superiors(pen);
        posts.into_iter().collect()
    }

    /// A chain of superiors that comes back to where it began.
    fn superiors(&self, pen: &mut Pen<'_>) {
        let up = |i: usize| {
            self.raw.posts[i].superior.as_ref().and_then(|name| self.tables.posts.get(name))
        };
        for first in 0..self.raw.posts.len() {
            let (mut at, mut steps) = (up(first), 0);
            while let Some(next) = at.filter(|next| *next != first && steps < self.raw.posts.len())
            {
                at = up(next);
                steps += 1;
            }
            if at == Some(first) {
                let list = Path::ROOT.field("posts");
                pen.error(
                    "E0602",
                    &list.index(first).field("superior"),
                    Message::new("the post is its own superior", []),
                );
                return;
            }
        }
    }

    fn corps(&self, pen: &mut Pen<'_>, units: Option<&[Unit]>) -> Option<Vec<Corps>> {
        let list = Path::ROOT.field("corps");
        let corps: Vec<Option<Corps>> = self
            .raw
            .corps
            .iter()
            .enumerate()
            .map(|(i, corps)| {
                let here = list.index(i);
                let side = pen.look(&self.tables.sides, &corps.side, &here.field("side"));
                let post = pen.look(&self.tables.posts, &corps.post, &here.field("post"));
                let (side, post) = both(side, post)?;
                let of = |(i, unit): (usize, &Unit)| {
                    (unit.corps.index() == self.tables.corps.get(&corps.id)?)
                        .then(|| UnitId::from_index(i))
                };
                let units = units.unwrap_or_default().iter().enumerate().filter_map(of).collect();
                Some(Corps {
                    id: corps.id.clone(),
                    name: corps.name.clone(),
                    side: SideId::from_index(side),
                    post: PostId::from_index(post),
                    units,
                })
            })
            .collect();
        corps.into_iter().collect()
    }

    fn units(&self, pen: &mut Pen<'_>) -> Option<Vec<Unit>> {
        let list = Path::ROOT.field("units");
        let units: Vec<Option<Unit>> = self
            .raw
            .units
            .iter()
            .enumerate()
            .map(|(i, unit)| self.unit(unit, pen, &list.index(i)))
            .collect();
        units.into_iter().collect()
    }

    fn unit(&self, unit: &RawUnit, pen: &mut Pen<'_>, here: &Path<'_>) -> Option<Unit> {
        let kind = pen.look(&self.tables.units_kinds, &unit.kind, &here.field("kind"));
        let party = pen.look(&self.tables.parties, &unit.party, &here.field("party"));
        let corps = pen.look(&self.tables.corps, &unit.corps, &here.field("corps"));
        let engines_path = here.field("engines");
        let engines: Vec<Option<(EngineKindId, i32)>> = unit
            .engines
            .iter()
            .enumerate()
            .map(|(i, (name, count))| {
                let at = engines_path.index(i);
                let kind = pen.look(&self.tables.engines, name, &at.index(0))?;
                Some((EngineKindId::from_index(kind), count.v() as i32))
            })
            .collect();
        let points = point_ok(unit.at.0, unit.at.1, pen, &here.field("at"))
            & point_ok(unit.facing.0, unit.facing.1, pen, &here.field("facing"));
        let at = PointCm::from_metres(unit.at.0, unit.at.1);
        let to = PointCm::from_metres(unit.facing.0, unit.facing.1);
        let away = at.distance_cm(to);
        if points && away == 0 {
            pen.error(
                "E0603",
                &here.field("facing"),
                Message::new("the unit faces the point it stands on", []),
            );
        }
        if !(1.0..=20_000.0).contains(&unit.front_m) {
            pen.error(
                "E0402",
                &here.field("front_m"),
                Message::new(
                    "a front is from 1 to 20000 m broad, not {0}",
                    [unit.front_m.to_string()],
                ),
            );
        }
        let part =
            |a: i32, b: i32| ((i64::from(b) - i64::from(a)) * 1000 / i64::from(away.max(1))) as i32;
        Some(Unit {
            id: unit.id.clone(),
            name: unit.name.clone(),
            kind: UnitKindId::from_index(kind?),
            party: PartyId::from_index(party?),
            corps: CorpsId::from_index(corps?),
            men: unit.men.v() as i32,
            stands: Stands {
                at,
                level: unit.level,
                front_cm: metres_to_cm(unit.front_m),
                facing: PointCm { x: part(at.x, to.x), y: part(at.y, to.y) },
            },
            shape: unit.shape,
            engines: engines.into_iter().collect::<Option<_>>()?,
            supply: unit.supply.as_ref().map_or(1.0, crate::scenario::figure::Fig::v),
            ladders: unit.ladders.as_ref().map_or(0, |f| f.v() as i32),
            logs: unit.logs.as_ref().map_or(0, |f| f.v() as i32),
            refuges: Vec::new(),
        })
    }

    fn refuges(
        &self,
        book: &Book<'_>,
        units: Option<Vec<Unit>>,
        pen: &mut Pen<'_>,
    ) -> Option<Vec<Unit>> {
        let list = Path::ROOT.field("units");
        let all: Vec<Option<Vec<_>>> = self
            .raw
            .units
            .iter()
            .enumerate()
            .map(|(i, unit)| {
                let entry = list.index(i);
                let here = entry.field("refuges");
                let places: Vec<_> = unit
                    .refuges
                    .iter()
                    .enumerate()
                    .map(|(k, place)| book.place(place, pen, &here.index(k)))
                    .collect();
                places.into_iter().collect()
            })
            .collect();
        let mut units = units?;
        for (unit, refuges) in units.iter_mut().zip(all) {
            unit.refuges = refuges?;
        }
        Some(units)
    }

    fn persons(&self, pen: &mut Pen<'_>) -> Option<Vec<Person>> {
        let list = Path::ROOT.field("persons");
        let persons: Vec<Option<Person>> = self
            .raw
            .persons
            .iter()
            .enumerate()
            .map(|(i, person)| {
                let here = list.index(i);
                if !(1..=4).contains(&person.rank) {
                    pen.error(
                        "E0402",
                        &here.field("rank"),
                        Message::new("the rank goes from 1 (unit) to 4 (army)", []),
                    );
                }
                if !(1..=1000).contains(&person.toughness) {
                    pen.error(
                        "E0402",
                        &here.field("toughness"),
                        Message::new("the toughness goes from 1 to 1000 blows", []),
                    );
                }
                let unit = pen.look(&self.tables.units, &person.unit, &here.field("unit"))?;
                Some(Person {
                    id: person.id.clone(),
                    name: person.name.clone(),
                    banner: person.banner.clone(),
                    unit: UnitId::from_index(unit),
                    rank: person.rank,
                    prowess: person.prowess.v(),
                    toughness: person.toughness,
                    presence_cm: metres_to_cm(person.presence_m.v()),
                    rides_last: person.rides_last,
                })
            })
            .collect();
        persons.into_iter().collect()
    }

    fn gates(&self, pen: &mut Pen<'_>) -> Option<Vec<GateStart>> {
        let list = Path::ROOT.field("gates");
        let gates: Vec<Option<GateStart>> = self
            .raw
            .gates
            .iter()
            .enumerate()
            .map(|(i, gate)| {
                let here = list.index(i);
                let work = pen.look(&self.tables.works, &gate.gate, &here.field("gate"));
                let keeper = pen.look(&self.tables.posts, &gate.keeper, &here.field("keeper"));
                let crew = pen.look(&self.tables.units, &gate.crew, &here.field("crew"));
                if let Some(found) = work.and_then(|w| self.sheets.site.works.get(w))
                    && !matches!(found.form, WorkForm::Gate { .. })
                {
                    pen.error(
                        "E0604",
                        &here.field("gate"),
                        Message::new("`{0}` is no gate", [gate.gate.clone()]),
                    );
                    return None;
                }
                if self.raw.gates[..i].iter().any(|g| g.gate == gate.gate) {
                    pen.error(
                        "E0302",
                        &here.field("gate"),
                        Message::new(
                            "there are two of {0} `{1}`",
                            ["gate".to_string(), gate.gate.clone()],
                        ),
                    );
                }
                Some(GateStart {
                    work: WorkId::from_index(work?),
                    keeper: PostId::from_index(keeper?),
                    open: gate.open,
                    policy: gate.policy,
                    crew: UnitId::from_index(crew?),
                })
            })
            .collect();
        gates.into_iter().collect()
    }

    fn ends(&self, book: &Book<'_>, pen: &mut Pen<'_>) -> Option<Vec<End>> {
        let list = Path::ROOT.field("ends");
        let ends: Vec<Option<End>> = self
            .raw
            .ends
            .iter()
            .enumerate()
            .map(|(i, end)| {
                let here = list.index(i);
                let when = book.cond(&end.when, pen, &here.field("when"));
                let winner = optional(&end.winner, |name| {
                    pen.look(&self.tables.sides, name, &here.field("winner"))
                });
                Some(End {
                    when: when?,
                    winner: winner?.map(SideId::from_index),
                    text: end.text.clone(),
                })
            })
            .collect();
        ends.into_iter().collect()
    }

    fn objectives(&self, book: &Book<'_>, pen: &mut Pen<'_>) -> Option<Vec<Objective>> {
        let list = Path::ROOT.field("objectives");
        let aims: Vec<Option<Objective>> = self
            .raw
            .objectives
            .iter()
            .enumerate()
            .map(|(i, aim)| {
                let here = list.index(i);
                let side = pen.look(&self.tables.sides, &aim.side, &here.field("side"));
                let when = book.cond(&aim.when, pen, &here.field("when"));
                let area = optional(&aim.area, |name| {
                    pen.look(&self.tables.areas, name, &here.field("area"))
                });
                if !(0..=10_000).contains(&aim.weight) {
                    pen.error(
                        "E0402",
                        &here.field("weight"),
                        Message::new("points go from 0 to 10000", []),
                    );
                }
                Some(Objective {
                    id: aim.id.clone(),
                    side: SideId::from_index(side?),
                    text: aim.text.clone(),
                    when: when?,
                    weight: aim.weight,
                    area: area?.map(AreaId::from_index),
                })
            })
            .collect();
        aims.into_iter().collect()
    }

    fn statements(&self, pen: &mut Pen<'_>) {
        let list = Path::ROOT.field("statements");
        for (i, id) in self.raw.statements.iter().enumerate() {
            let known = self.sheets.statements;
            if !known.is_empty() && !known.iter().any(|s| s.id == *id) {
                let help = crate::scenario::findings::did_you_mean(
                    id,
                    known.iter().map(|s| s.id.as_str()),
                );
                pen.write(
                    crate::scenario::findings::Severity::Error,
                    "E0803",
                    &list.index(i),
                    Message::new("there is no statement `{0}`", [id.clone()]),
                    help,
                );
            }
            if self.raw.statements[..i].contains(id) {
                pen.error(
                    "E0302",
                    &list.index(i),
                    Message::new(
                        "there are two of {0} `{1}`",
                        ["statement".to_string(), id.clone()],
                    ),
                );
            }
        }
        if !self.raw.statements.is_empty() && self.raw.document.is_none() {
            pen.error(
                "E0801",
                &list,
                Message::new("the battle measures statements but names no document", []),
            );
        }
    }
}

/// Looks an optional name up: `None` is fine, an unknown one is not.
fn optional<T, U>(name: &Option<T>, look: impl FnOnce(&T) -> Option<U>) -> Option<Option<U>> {
    match name {
        None => Some(None),
        Some(name) => look(name).map(Some),
    }
}
