//! The general doctrine: what any commander does without a plan of his own.
//!
//! Given once, before the first pulse, as standing lines whose conditions read
//! each post's board while the battle goes on: so it acts on what posts know, and
//! on pulses, wherever turns end. It names nobody: it reads kinds, places and
//! refuges, and gives the same lines for the same scenario.

use crate::core::ids::{LineId, PostId, UnitId};
use crate::core::measure::PointCm;
use crate::orders::ast::{Act, Cond, Event, Line, Measure, Rel, Sel, Subject, Who};
use crate::scenario::battle::{Scenario, Unit};
use crate::scenario::site::Level;

/// Percent of a unit lost at which it falls back on a refuge: the old rule of a
/// third, past which a body of men is seldom of use that day.
const GIVES_WAY_PERCENT: f64 = 33.0;
/// Metres about friends that shooters spare: more than a company's depth.
const SPARE_CM: i32 = 2_000;
/// Line numbers of the doctrine begin here, far above those of files.
const FIRST_LINE: u32 = 1_000_000;

/// The doctrine's lines for all sides whose posts a player could order, in the
/// order of gates and units.
#[must_use]
pub fn lines(scenario: &Scenario) -> Vec<Line> {
    let mut book = Book { scenario, lines: Vec::new() };
    for gate in &scenario.gates {
        if book.commands(gate.keeper) {
            let name = format!("keep_{}", scenario.site.works[gate.work.index()].id);
            book.add(
                &name,
                Subject::Work(gate.work),
                gate.keeper,
                Cond::Start,
                Act::Gate(gate.policy),
                5,
            );
        }
    }
    for (i, unit) in scenario.units.iter().enumerate() {
        let id = UnitId::from_index(i);
        if book.commands(scenario.post_of(id)) {
            book.unit(id, unit);
        }
    }
    book.lines
}

struct Book<'a> {
    scenario: &'a Scenario,
    lines: Vec<Line>,
}

impl Book<'_> {
    fn commands(&self, post: PostId) -> bool {
        self.scenario.posts[post.index()].players
    }

    fn unit(&mut self, id: UnitId, unit: &Unit) {
        let post = self.scenario.post_of(id);
        let kind = self.scenario.kind_of(id);
        let who = Subject::Unit(id);
        let enemy = Sel::of(Who::Enemy);
        let shooter = kind.missile.is_some() || !unit.engines.is_empty();
        if shooter {
            let shoot = Act::Shoot { at: enemy.clone(), free: true, spare_cm: SPARE_CM };
            self.add(&format!("shoot_{}", unit.id), who, post, Cond::Start, shoot, 3);
        }
        // Men on a wall, at engines, or within the walls stand where they are.
        let in_the_field = unit.stands.level == Level::Ground && !self.behind_walls(unit.stands.at);
        if in_the_field && !shooter {
            let seen = Cond::Event(Event::Seen(enemy.clone()));
            self.add(&format!("attack_{}", unit.id), who, post, seen, Act::Charge(enemy), 4);
        }
        if in_the_field && !unit.refuges.is_empty() {
            let beaten =
                Cond::Is(Measure::Loss(Sel::of(Who::Unit(id)), 0), Rel::AtLeast, GIVES_WAY_PERCENT);
            let back = Act::Back { refuges: unit.refuges.clone(), bound: false };
            self.add(&format!("back_{}", unit.id), who, post, beaten, back, 7);
        }
    }

    /// Whether a point lies behind the nearest gate that its side keeps.
    fn behind_walls(&self, at: PointCm) -> bool {
        let site = &self.scenario.site;
        let nearest = site
            .gates()
            .map(|(_, portal)| &site.portals[portal.index()])
            .min_by_key(|p| p.inner_at.distance_cm(at));
        nearest.is_some_and(|portal| {
            let (inner, outer) = (portal.inner_at, portal.outer_at);
            let (dx, dy) = (i64::from(outer.x - inner.x), i64::from(outer.y - inner.y));
            i64::from(at.x - inner.x) * dx + i64::from(at.y - inner.y) * dy <= 0
        })
    }

    fn add(&mut self, label: &str, who: Subject, by: PostId, when: Cond, act: Act, prio: u8) {
        self.lines.push(Line {
            id: LineId(FIRST_LINE + self.lines.len() as u32),
            label: format!("doctrine_{label}"),
            who: vec![who],
            via: None,
            by,
            when,
            acts: vec![act],
            until: None,
            keep: false,
            prio,
        });
    }
}
