//! The short form of an order: WHEN one condition, DO one act, for the chosen
//! units; made into a line of the order language.

use crate::core::ids::{LineId, PostId, SideId, UnitId, WorkId};
use crate::core::measure::PointCm;
use crate::orders::ast::{
    Act, Channel, Cond, Event, Gait, GateOrder, Job, Line, Measure, Place, Rel, Sel, Subject, Who,
};
use crate::orders::legality;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Name;
use crate::scenario::site::WorkForm;
use crate::view::frame::Frame;

use super::words::Words;

/// Priority of what a person orders: above all that the scenario says beforehand.
const PRIO: u8 = 9;

/// When an order of the form fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum When {
    /// At once.
    #[default]
    Now,
    /// So many minutes from now.
    In,
    /// At a percentage of own loss.
    Loss,
    /// An enemy within metres of the gate.
    Near,
    /// Another line has fired.
    Fired,
}

/// What an order of the form does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Deed {
    /// Back to the refuge.
    #[default]
    Back,
    /// Attack any enemy.
    Charge,
    /// Keep between the enemy and a unit.
    Screen,
    /// Shoot at will.
    Shoot,
    /// Hold fire.
    HoldFire,
    /// Stand where it is.
    Hold,
    /// Open the gate.
    Open,
    /// Shut the gate and bar it.
    Shut,
}

impl When {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 5] = [Self::Now, Self::In, Self::Loss, Self::Near, Self::Fired];

    /// The key of its words.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Now => "when-now",
            Self::In => "when-in",
            Self::Loss => "when-loss",
            Self::Near => "when-near",
            Self::Fired => "when-fired",
        }
    }
}

impl Deed {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 8] = [
        Self::Back,
        Self::Charge,
        Self::Screen,
        Self::Hold,
        Self::Shoot,
        Self::HoldFire,
        Self::Shut,
        Self::Open,
    ];

    /// The key of its words.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Back => "do-back",
            Self::Charge => "do-charge",
            Self::Screen => "do-screen",
            Self::Shoot => "do-shoot",
            Self::HoldFire => "do-hold-fire",
            Self::Hold => "do-hold",
            Self::Open => "do-open",
            Self::Shut => "do-shut",
        }
    }

    /// Its sign.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Back => "do.withdraw",
            Self::Charge => "do.charge",
            Self::Screen => "do.group",
            Self::Shoot => "do.at_will",
            Self::HoldFire => "do.hold_fire",
            Self::Hold => "do.keep",
            Self::Open => "do.open_gate",
            Self::Shut => "do.shut_gate",
        }
    }

    /// Its letter on the keyboard.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Back => "X",
            Self::Charge => "C",
            Self::Screen => "S",
            Self::Shoot => "L",
            Self::HoldFire => "H",
            Self::Hold => "K",
            Self::Open => "A",
            Self::Shut => "Z",
        }
    }
}

/// The form.
#[derive(Clone, Debug)]
pub struct Form {
    /// Whether it is open.
    pub open: bool,
    /// Its condition.
    pub when: When,
    /// Minutes from now.
    pub minutes: i32,
    /// Percent of loss.
    pub percent: i32,
    /// Metres to the gate.
    pub metres: i32,
    /// The gate that is meant.
    pub gate: Option<WorkId>,
    /// The line that must have fired.
    pub line: String,
    /// Its act.
    pub deed: Deed,
    /// The unit to be screened.
    pub ward: Option<UnitId>,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            open: false,
            when: When::In,
            minutes: 5,
            percent: 20,
            metres: 300,
            gate: None,
            line: String::new(),
            deed: Deed::Back,
            ward: None,
        }
    }
}

/// Why an act is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody is chosen.
    Nobody,
    /// It carries nothing to shoot.
    NoShot,
    /// It has no refuge in the scenario.
    NoRefuge,
    /// No unit to be screened.
    NoWard,
    /// There is no gate of its own.
    NoGate,
    /// Engines cannot ride or run.
    Engines,
    /// Nobody can stand there.
    NoGround,
    /// A rule of orders forbids it; in both languages.
    Rule(Name),
}

impl Refusal {
    /// The reason in words.
    #[must_use]
    pub fn words(&self, words: &Words) -> String {
        words.t(match self {
            Self::Nobody => "no-nobody",
            Self::NoShot => "no-shot",
            Self::NoRefuge => "no-refuge",
            Self::NoWard => "no-ward",
            Self::NoGate => "no-gate",
            Self::Engines => "no-engines",
            Self::NoGround => "no-ground",
            Self::Rule(name) => return words.say("no-rule", &[("why", words.name(name).into())]),
        })
    }
}

/// What is needed to make a line.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    /// The battle.
    pub battle: &'a Scenario,
    /// The frame at which the turn is planned.
    pub frame: &'a Frame,
    /// Who plans.
    pub side: SideId,
    /// Who is chosen.
    pub chosen: &'a [UnitId],
    /// Labels of the orders that were given, and of those that are being planned.
    pub labels: &'a [String],
}

impl Desk<'_> {
    /// The gate of this side that is meant: the form's, else the first.
    #[must_use]
    pub fn gate(&self, form: &Form) -> Option<WorkId> {
        let own = |w: &WorkId| {
            self.battle
                .gates
                .iter()
                .any(|g| g.work == *w && self.battle.posts[g.keeper.index()].side == self.side)
        };
        form.gate.filter(own).or_else(|| self.battle.gates.iter().map(|g| g.work).find(own))
    }

    /// The gate that is meant by a distance: any.
    #[must_use]
    pub fn near(&self, form: &Form) -> Option<WorkId> {
        form.gate.or_else(|| self.battle.gates.first().map(|g| g.work))
    }

    /// Whether an act can be ordered; else why not.
    ///
    /// # Errors
    /// The reason.
    pub fn may(&self, deed: Deed, form: &Form) -> Result<(), Refusal> {
        match deed {
            Deed::Open | Deed::Shut => return self.gate(form).map(|_| ()).ok_or(Refusal::NoGate),
            _ if self.chosen.is_empty() => return Err(Refusal::Nobody),
            _ => {}
        }
        let all = |test: &dyn Fn(UnitId) -> bool| self.chosen.iter().all(|u| test(*u));
        match deed {
            Deed::Back if !all(&|u| !self.battle.units[u.index()].refuges.is_empty()) => {
                Err(Refusal::NoRefuge)
            }
            Deed::Charge | Deed::Screen
                if !all(&|u| self.battle.units[u.index()].engines.is_empty()) =>
            {
                Err(Refusal::Engines)
            }
            Deed::Screen if self.ward(form).is_none() => Err(Refusal::NoWard),
            Deed::Shoot | Deed::HoldFire if !all(&|u| self.battle.shoots(u)) => {
                Err(Refusal::NoShot)
            }
            _ => Ok(()),
        }
    }

    /// The unit to be screened: the form's, else another of the same corps.
    #[must_use]
    pub fn ward(&self, form: &Form) -> Option<UnitId> {
        let first = *self.chosen.first()?;
        let corps = self.battle.units[first.index()].corps;
        form.ward.filter(|w| !self.chosen.contains(w)).or_else(|| {
            self.battle.corps[corps.index()]
                .units
                .iter()
                .copied()
                .find(|u| !self.chosen.contains(u))
        })
    }

    /// The post that gives an order, and how it reaches the first of the chosen.
    #[must_use]
    pub fn sends(&self) -> (PostId, Option<Channel>) {
        let hq = self.battle.sides[self.side.index()].post;
        let Some(first) = self.chosen.first() else { return (hq, Some(Channel::Shout)) };
        // Before the first pulse everybody has been told beforehand.
        if self.frame.pulse == 0 {
            return (self.battle.post_of(*first), None);
        }
        (hq, Some(self.channel(hq, self.at(*first))))
    }

    /// The same for the keeper of a gate.
    fn sends_gate(&self, gate: WorkId) -> (PostId, Option<Channel>) {
        let hq = self.battle.sides[self.side.index()].post;
        if self.frame.pulse == 0 {
            let keeper = self.battle.gates.iter().find(|g| g.work == gate).map(|g| g.keeper);
            return (keeper.unwrap_or(hq), None);
        }
        (hq, Some(self.channel(hq, Some(self.battle.site.works[gate.index()].at))))
    }

    /// By voice where it carries, else by courier.
    fn channel(&self, from: PostId, to: Option<PointCm>) -> Channel {
        let shout = self.battle.rules.laws.message.shout_m.v();
        match (self.post_at(from), to) {
            (Some(a), Some(b)) if f64::from(a.distance_cm(b)) / 100.0 <= shout => Channel::Shout,
            _ => Channel::Courier,
        }
    }

    fn at(&self, unit: UnitId) -> Option<PointCm> {
        self.frame.units.get(unit.index()).map(|u| u.at)
    }

    /// Where a post is.
    #[must_use]
    pub fn post_at(&self, post: PostId) -> Option<PointCm> {
        let post = &self.battle.posts[post.index()];
        match post.at {
            Some(Place::Work(w)) => Some(self.battle.site.works[w.index()].at),
            Some(Place::Area(a)) => Some(self.battle.site.areas[a.index()].at),
            Some(Place::Point(p)) => Some(p),
            Some(Place::Unit(u)) => self.frame.units.get(u.index()).map(|u| u.at),
            _ => post
                .holder
                .and_then(|p| self.frame.with(p))
                .and_then(|c| self.frame.mark(c))
                .map(|m| m.at),
        }
    }

    /// Seconds until a line is understood by the first it is for, roughly.
    #[must_use]
    pub fn arrives_s(&self, line: &Line) -> i32 {
        let law = &self.battle.rules.laws.message;
        let Some(channel) = line.via else { return 0 };
        let to = line.who.first().and_then(|s| match s {
            Subject::Unit(u) => self.at(*u),
            Subject::Work(w) => self.battle.site.works.get(w.index()).map(|w| w.at),
            Subject::Person(_) => None,
        });
        let metres = match (self.post_at(line.by), to) {
            (Some(a), Some(b)) => f64::from(a.distance_cm(b)) / 100.0,
            _ => 0.0,
        };
        let ride = if channel == Channel::Courier {
            law.draft_s.v() + metres / law.courier_m_s.v().max(0.1)
        } else {
            0.0
        };
        (ride + law.understand_s.v()) as i32
    }

    /// A line for the chosen with one act.
    #[must_use]
    pub fn line(&self, when: Cond, acts: Vec<Act>) -> Line {
        let (by, via) = self.sends();
        Line {
            id: LineId(0),
            label: String::new(),
            who: self.chosen.iter().map(|u| Subject::Unit(*u)).collect(),
            via,
            by,
            when,
            acts,
            until: None,
            keep: false,
            prio: PRIO,
        }
    }

    /// The condition of the form.
    #[must_use]
    pub fn cond(&self, form: &Form) -> Cond {
        let now = self.frame.pulse as i32 * self.battle.pulse_s;
        match form.when {
            When::Now => Cond::Start,
            When::In => Cond::At(now + form.minutes * 60),
            When::Loss => {
                Cond::Is(Measure::Loss(Sel::of(Who::Own), 0), Rel::AtLeast, f64::from(form.percent))
            }
            When::Near => match self.near(form) {
                Some(gate) => Cond::Is(
                    Measure::Dist(Sel::of(Who::Enemy), Place::Work(gate)),
                    Rel::AtMost,
                    f64::from(form.metres),
                ),
                None => Cond::Start,
            },
            When::Fired => Cond::Event(Event::Fired { line: form.line.clone(), then: false }),
        }
    }

    /// The line of an act with a condition.
    ///
    /// # Errors
    /// Why it cannot be ordered.
    pub fn order(&self, deed: Deed, form: &Form, when: Cond) -> Result<Line, Refusal> {
        self.may(deed, form)?;
        let enemy = Sel::of(Who::Enemy);
        let first = self.chosen.first().copied();
        let acts = match deed {
            Deed::Back => {
                let refuges =
                    first.map_or_else(Vec::new, |u| self.battle.units[u.index()].refuges.clone());
                vec![Act::Back { refuges, bound: false }]
            }
            Deed::Charge => vec![Act::Charge(enemy)],
            Deed::Screen => vec![Act::Screen(self.ward(form).ok_or(Refusal::NoWard)?)],
            Deed::Shoot => vec![Act::Shoot {
                at: enemy,
                free: true,
                spare_cm: (self.battle.rules.laws.shot.spare_m.v() * 100.0) as i32,
            }],
            Deed::HoldFire => vec![Act::HoldFire],
            Deed::Hold => {
                let at = first
                    .and_then(|u| self.frame.units.get(u.index()))
                    .map(|u| u.at)
                    .unwrap_or_default();
                vec![Act::Stand(Place::Point(at))]
            }
            Deed::Open | Deed::Shut => {
                let gate = self.gate(form).ok_or(Refusal::NoGate)?;
                let mut acts = vec![Act::Gate(if deed == Deed::Open {
                    GateOrder::Open
                } else {
                    GateOrder::Shut
                })];
                if deed == Deed::Shut {
                    acts.push(Act::Job(Job::Bar, Place::Work(gate)));
                }
                let mut line = self.line(when, acts);
                line.who = vec![Subject::Work(gate)];
                (line.by, line.via) = self.sends_gate(gate);
                return self.legal(line);
            }
        };
        self.legal(self.line(when, acts))
    }

    /// The line, if the rules of orders have nothing against it.
    ///
    /// # Errors
    /// The first thing that they have.
    pub fn legal(&self, line: Line) -> Result<Line, Refusal> {
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let found = legality::refusals(&line, self.battle, Some(self.side), &labels);
        match found.first() {
            None => Ok(line),
            Some(no) => Err(Refusal::Rule(no.words(self.battle))),
        }
    }

    /// Go to a point at a quick gait.
    #[must_use]
    pub fn go(&self, to: Place) -> Line {
        self.line(Cond::Start, vec![Act::Go { to, gait: Gait::Quick, shape: None }])
    }

    /// Attack a unit.
    #[must_use]
    pub fn charge(&self, unit: UnitId) -> Line {
        self.line(Cond::Start, vec![Act::Charge(Sel::of(Who::Unit(unit)))])
    }
}

/// Where an act leads on the map, for its ghost.
#[must_use]
pub fn leads(act: &Act, battle: &Scenario, frame: &Frame) -> Option<PointCm> {
    let unit = |u: UnitId| frame.units.get(u.index()).filter(|m| m.men > 0).map(|m| m.at);
    let place = |p: &Place| match p {
        Place::Area(a) => battle.site.areas.get(a.index()).map(|a| a.at),
        Place::Work(w) => battle.site.works.get(w.index()).map(|w| w.at),
        Place::Point(p) => Some(*p),
        Place::Unit(u) => unit(*u),
        Place::Person(p) => frame.with(*p).and_then(|c| frame.mark(c)).map(|m| m.at),
    };
    match act {
        Act::Go { to, .. } | Act::Stand(to) => place(to),
        Act::Back { refuges, .. } => refuges.first().and_then(place),
        Act::Charge(sel) => match sel.who {
            Who::Unit(u) => unit(u),
            Who::Corps(c) => {
                battle.corps.get(c.index()).and_then(|c| c.units.first()).and_then(|u| unit(*u))
            }
            _ => None,
        },
        Act::Screen(u) | Act::Follow(u, _) => unit(*u),
        _ => None,
    }
}

/// Names of the gates in the scenario, for the form's list.
#[must_use]
pub fn gates(battle: &Scenario) -> Vec<WorkId> {
    let mut out: Vec<WorkId> = battle.gates.iter().map(|g| g.work).collect();
    out.retain(|w| matches!(battle.site.works[w.index()].form, WorkForm::Gate { .. }));
    out
}
