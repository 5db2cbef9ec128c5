//! Whether a line of orders from a file names only what exists in its battle, and
//! says only numbers that a battle can reach. What does not is refused, not run.

use crate::core::ids::{AreaId, PersonId, SideId, UnitId, WorkId};
use crate::orders::ast::{Act, Cond, Event, Line, Measure, Place, Sel, Subject, Who};
use crate::scenario::battle::Scenario;

/// Longest time that a condition may speak of: a week, beyond any battle.
const MOST_S: i32 = 604_800;
/// Farthest distance that an order may speak of, in centimetres: a hundred km.
const MOST_CM: i32 = 10_000_000;

/// What does not fit, in words; none if the line is sound.
#[must_use]
pub fn misfit(line: &Line, scenario: &Scenario) -> Option<String> {
    let mut check = Check { s: scenario, wrong: None };
    check.index("post", line.by.index(), scenario.posts.len());
    line.who.iter().for_each(|subject| match *subject {
        Subject::Unit(unit) => check.unit(unit),
        Subject::Work(work) => check.work(work),
        Subject::Person(person) => check.person(person),
    });
    check.cond(&line.when);
    check.acts(&line.acts);
    if let Some((until, then)) = &line.until {
        check.cond(until);
        check.acts(then);
    }
    if !(1..=9).contains(&line.prio) {
        check.say(format!("priority {}", line.prio));
    }
    check.wrong.map(|what| format!("line `{}`: no {what} in this battle", line.label))
}

struct Check<'a> {
    s: &'a Scenario,
    wrong: Option<String>,
}

impl Check<'_> {
    fn say(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }

    fn index(&mut self, what: &str, index: usize, len: usize) {
        if index >= len {
            self.say(format!("{what} {index}"));
        }
    }

    fn range(&mut self, what: &str, value: i32, most: i32) {
        if !(0..=most).contains(&value) {
            self.say(format!("{what} {value}"));
        }
    }

    fn unit(&mut self, unit: UnitId) {
        self.index("unit", unit.index(), self.s.units.len());
    }

    fn work(&mut self, work: WorkId) {
        self.index("work", work.index(), self.s.site.works.len());
    }

    fn person(&mut self, person: PersonId) {
        self.index("person", person.index(), self.s.persons.len());
    }

    fn area(&mut self, area: AreaId) {
        self.index("area", area.index(), self.s.site.areas.len());
    }

    fn side(&mut self, side: SideId) {
        self.index("side", side.index(), self.s.sides.len());
    }

    fn place(&mut self, place: Place) {
        match place {
            Place::Area(area) => self.area(area),
            Place::Work(work) => self.work(work),
            Place::Unit(unit) => self.unit(unit),
            Place::Person(person) => self.person(person),
            Place::Point(point) => {
                let far = point.x.unsigned_abs().max(point.y.unsigned_abs());
                self.range("point", i32::try_from(far).unwrap_or(i32::MAX), MOST_CM);
            }
        }
    }

    fn sel(&mut self, sel: &Sel) {
        match sel.who {
            Who::Party(party) => self.index("party", party.index(), self.s.parties.len()),
            Who::Side(side) => self.side(side),
            Who::Corps(corps) => self.index("corps", corps.index(), self.s.corps.len()),
            Who::Unit(unit) => self.unit(unit),
            Who::Kind(kind) => self.index("kind", kind.index(), self.s.rules.units.len()),
            Who::Person(person) => self.person(person),
            Who::Enemy | Who::Friend | Who::Own => {}
        }
        if let Some(area) = sel.area {
            self.area(area);
        }
        if let Some((cm, place)) = sel.within {
            self.range("distance", cm, MOST_CM);
            self.place(place);
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Start => {}
            Cond::At(seconds) => self.range("time", *seconds, MOST_S),
            Cond::After(seconds, event) => {
                self.range("time", *seconds, MOST_S);
                self.event(event);
            }
            Cond::Event(event) => self.event(event),
            Cond::Is(measure, _, number) => {
                self.measure(measure);
                if !number.is_finite() {
                    self.say("such number".into());
                }
            }
            Cond::All(all) | Cond::Any(all) => all.iter().for_each(|c| self.cond(c)),
            Cond::Not(cond) => self.cond(cond),
            Cond::For(seconds, cond) => {
                self.range("time", *seconds, MOST_S);
                self.cond(cond);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Seen(sel) | Event::Contact(sel) | Event::Broke(sel) | Event::Yielded(sel) => {
                self.sel(sel)
            }
            Event::Entered(sel, area) | Event::Left(sel, area) => {
                self.sel(sel);
                self.area(*area);
            }
            Event::Reached(sel, place) => {
                self.sel(sel);
                self.place(*place);
            }
            Event::Opened(work) | Event::Shut(work) | Event::Jammed(work) => self.work(*work),
            Event::Taken(area, side) => {
                self.area(*area);
                self.side(*side);
            }
            Event::Heads(area) => self.area(*area),
            Event::Empty(unit) | Event::Loaded(unit) => self.unit(*unit),
            Event::Fell(person) | Event::Hurt(person) => self.person(*person),
            Event::Fired { .. } | Event::Heard(_) | Event::Told(_) => {}
        }
    }

    fn measure(&mut self, measure: &Measure) {
        match measure {
            Measure::Men(sel) | Measure::Heart(sel) | Measure::Stamina(sel) => self.sel(sel),
            Measure::Share(a, b) => {
                self.sel(a);
                self.sel(b);
            }
            Measure::Loss(sel, seconds) => {
                self.sel(sel);
                self.range("time", *seconds, MOST_S);
            }
            Measure::Dist(sel, place) | Measure::Eta(sel, place) => {
                self.sel(sel);
                self.place(*place);
            }
            Measure::Ratio(area) => self.area(*area),
            Measure::Ammo(unit) => self.unit(*unit),
            Measure::Gap(work) => self.work(*work),
        }
    }

    fn acts(&mut self, acts: &[Act]) {
        acts.iter().for_each(|act| self.act(act));
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Go { to, .. } | Act::Stand(to) | Act::Job(_, to) => self.place(*to),
            Act::Charge(sel) => self.sel(sel),
            Act::Chase { prey, leash_cm, of } => {
                self.sel(prey);
                self.range("distance", *leash_cm, MOST_CM);
                self.place(*of);
            }
            Act::Screen(unit) => self.unit(*unit),
            Act::Swap(front, rear) => {
                self.unit(*front);
                self.unit(*rear);
            }
            Act::Follow(unit, cm) => {
                self.unit(*unit);
                self.range("distance", *cm, MOST_CM);
            }
            Act::Back { refuges, .. } => refuges.iter().for_each(|p| self.place(*p)),
            Act::Shoot { at, spare_cm, .. } => {
                self.sel(at);
                self.range("distance", *spare_cm, MOST_CM);
            }
            Act::Volley(n) => self.range("number of volleys", *n, MOST_S),
            Act::Amend(_, act) => self.act(act),
            Act::Shape(_)
            | Act::HoldFire
            | Act::Gate(_)
            | Act::Signal(_)
            | Act::Cancel(_)
            | Act::Stance(_)
            | Act::Standing(..)
            | Act::Call(_) => {}
        }
    }
}
