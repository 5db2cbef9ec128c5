//! A battle in play: takes orders, runs a turn in small slices, keeps a frame a
//! pulse, forks at any of them, and is saved by its orders alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::core::ids::{CompanyId, LineId, SideId, UnitId};
use crate::orders::ast::Line;
use crate::scenario::battle::Scenario;
use crate::scenario::catalogue::Name;
use crate::scenario::record::Statement;
use crate::sim::Battle;
use crate::sim::journal::Happening;
use crate::sim::judge::Eyes;
use crate::sim::laws::LawSet;
use crate::study::gauge::Probe;
use crate::study::judge::inside;
use crate::study::report::Value;
use crate::study::run::{Asked, Orders, asked};

use super::frame::{Frame, Sight, capture};
use super::letters::{self, Letter, Standing};
use super::timeline::Timeline;

/// Least length of a turn: calls within it wait.
const CALL_GAP_S: i32 = 20;

/// What the session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waits for orders.
    Planning,
    /// Runs the pulses of a turn.
    Running,
    /// Runs again up to a pulse that was reached before.
    Forking(u32),
    /// Over.
    Over,
}

/// A finished turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// First pulse.
    pub from: u32,
    /// Pulse after the last.
    pub to: u32,
    /// Digest of the whole state at its end.
    pub digest: u64,
    /// Digest of each room at its end.
    pub rooms: Vec<(&'static str, u64)>,
    /// Dice taken since muster.
    pub draws: u64,
    /// Why it ended early, if it did.
    pub call: Option<Name>,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub winner: Option<SideId>,
    /// Which end of the scenario it was.
    pub end: Option<usize>,
    /// When.
    pub pulse: u32,
}

/// A battle in play.
pub struct Session {
    scenario: Arc<Scenario>,
    battle: Battle,
    seed: u64,
    off: LawSet,
    side: Option<SideId>,
    /// Orders by the pulse from which they hold.
    given: Vec<(u32, Vec<Line>)>,
    /// Orders of the turn being planned.
    pending: Vec<Line>,
    frames: Vec<Arc<Frame>>,
    timeline: Timeline,
    turns: Vec<Turn>,
    phase: Phase,
    turn_from: u32,
    waiting: Option<Name>,
    next_line: u32,
    side_of: Vec<SideId>,
    units_of: Vec<UnitId>,
    asked: Vec<Asked>,
    probe: Option<Probe>,
    measured: Vec<Measured>,
    parted: bool,
}

/// A statement of the record, measured in this battle.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The statement.
    pub statement: Statement,
    /// Its value here.
    pub value: Value,
    /// Whether it lies inside its band; none where there is none.
    pub inside: Option<bool>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({}, pulse {}, {:?})", self.scenario.id, self.pulse(), self.phase)
    }
}

struct Knows<'a> {
    seen: &'a [Vec<bool>],
}

impl Sight for Knows<'_> {
    fn sees(&self, side: SideId, company: CompanyId) -> bool {
        self.seen.get(side.index()).and_then(|s| s.get(company.index())).copied().unwrap_or(false)
    }
}

impl Session {
    /// A battle before its first pulse. `side` is whose orders a person gives; the
    /// others fight by the record. None: both do, and a person only watches.
    #[must_use]
    pub fn new(scenario: Arc<Scenario>, seed: u64, side: Option<SideId>) -> Self {
        Self::with(scenario, seed, side, Orders::Record, LawSet::default())
    }

    /// The same by other orders than the record's, and with laws switched off.
    #[must_use]
    pub fn with(
        scenario: Arc<Scenario>,
        seed: u64,
        side: Option<SideId>,
        orders: Orders,
        off: LawSet,
    ) -> Self {
        let mut lines = orders.lines(&scenario);
        let top = lines.iter().map(|l| l.id.0).max().unwrap_or(0);
        lines.retain(|line| side != Some(scenario.posts[line.by.index()].side));
        let given = vec![(0, lines)];
        let top = scenario.standing.iter().map(|l| l.id.0).max().unwrap_or(0).max(top);
        let mut session = Self {
            battle: Battle::new(Arc::clone(&scenario), seed, off.clone()),
            scenario,
            seed,
            off,
            side,
            given,
            pending: Vec::new(),
            frames: Vec::new(),
            timeline: Timeline::default(),
            turns: Vec::new(),
            phase: Phase::Planning,
            turn_from: 0,
            waiting: None,
            next_line: top + 1,
            side_of: Vec::new(),
            units_of: Vec::new(),
            asked: Vec::new(),
            probe: None,
            measured: Vec::new(),
            parted: false,
        };
        session.asked = asked(&session.scenario);
        session.measure_anew();
        session.side_of = session.battle.truth().roster.side.clone();
        session.units_of = session.battle.truth().roster.unit.clone();
        session.take_frame();
        session.look_out();
        session.hand_over();
        session
    }

    /// A battle that was fought before, run again to the end of these turns: for
    /// each its last pulse, its digest, and the orders given before it.
    #[must_use]
    pub fn resume(
        scenario: Arc<Scenario>,
        seed: u64,
        side: Option<SideId>,
        off: LawSet,
        turns: Vec<(u32, u64, Vec<Line>)>,
    ) -> Self {
        let mut session = Self::with(scenario, seed, side, Orders::Record, off);
        session.given.clear();
        let mut from = 0;
        for (to, digest, lines) in turns {
            let top = lines.iter().map(|l| l.id.0).max().unwrap_or(0);
            session.next_line = session.next_line.max(top + 1);
            if !lines.is_empty() {
                session.given.push((from, lines));
            }
            session.turns.push(Turn { from, to, digest, rooms: Vec::new(), draws: 0, call: None });
            from = to;
        }
        session.turn_from = from;
        session.battle = Battle::new(Arc::clone(&session.scenario), seed, session.off.clone());
        session.measure_anew();
        session.hand_over();
        session.phase = if from == 0 { Phase::Planning } else { Phase::Forking(from) };
        session
    }

    /// Before the first pulse no board has been written yet: what the sides would
    /// see in it is what they know when they plan the first turn.
    fn look_out(&mut self) {
        let mut scout = Battle::new(Arc::clone(&self.scenario), self.seed, self.off.clone());
        scout.step();
        let seen = seen_in(&scout, &self.scenario, self.side_of.len());
        let frame = capture(&self.battle.truth(), &self.scenario, &Knows { seen: &seen });
        self.frames = vec![Arc::new(frame)];
    }

    /// The battle's scenario.
    #[must_use]
    pub const fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The seed of the dice.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Whose orders a person gives.
    #[must_use]
    pub const fn side(&self) -> Option<SideId> {
        self.side
    }

    /// What it is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Pulses run so far.
    #[must_use]
    pub fn pulse(&self) -> u32 {
        self.battle.pulse()
    }

    /// Seconds of a pulse.
    #[must_use]
    pub fn pulse_s(&self) -> i32 {
        self.scenario.pulse_s
    }

    /// The frame at a pulse; the last one beyond the end.
    #[must_use]
    pub fn frame(&self, pulse: u32) -> &Arc<Frame> {
        let last = self.frames.len() - 1;
        &self.frames[(pulse as usize).min(last)]
    }

    /// Last pulse with a frame.
    #[must_use]
    pub fn last(&self) -> u32 {
        (self.frames.len() - 1) as u32
    }

    /// All frames, oldest first.
    #[must_use]
    pub fn frames(&self) -> &[Arc<Frame>] {
        &self.frames
    }

    /// What happened.
    #[must_use]
    pub const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Finished turns.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Side of each company.
    #[must_use]
    pub fn side_of(&self, company: CompanyId) -> SideId {
        self.side_of.get(company.index()).copied().unwrap_or(SideId(0))
    }

    /// Unit of a company.
    #[must_use]
    pub fn unit_of(&self, company: CompanyId) -> UnitId {
        self.units_of.get(company.index()).copied().unwrap_or(UnitId(0))
    }

    /// Digest of the whole state now.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.battle.digests().total
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.battle.verdict().map(|v| Ending { winner: v.winner, end: v.end, pulse: v.pulse })
    }

    /// Orders of the turn being planned.
    #[must_use]
    pub fn pending(&self) -> &[Line] {
        &self.pending
    }

    /// Orders given in earlier turns by a side, oldest first.
    pub fn given(&self, side: SideId) -> impl Iterator<Item = &Line> {
        let posts = &self.scenario.posts;
        self.given
            .iter()
            .flat_map(|(_, lines)| lines)
            .filter(move |l| posts[l.by.index()].side == side)
    }

    /// The same, of those given up to a pulse.
    pub fn given_until(&self, side: SideId, pulse: u32) -> impl Iterator<Item = &Line> {
        let posts = &self.scenario.posts;
        self.given
            .iter()
            .filter(move |(from, _)| *from <= pulse)
            .flat_map(|(_, lines)| lines)
            .filter(move |l| posts[l.by.index()].side == side)
    }

    /// Where an order that was given stands when so many pulses have been run.
    #[must_use]
    pub fn standing(&self, line: &Line, pulse: u32) -> Standing {
        let side = self.scenario.posts[line.by.index()].side;
        let truth = self.battle.truth();
        let mut fired = truth.fired.0.iter().filter(|f| !f.then && f.side == side);
        let fired = fired.find(|f| f.label == line.label).map(|f| f.pulse);
        let (letters, taken) = (&self.timeline.letters, &self.timeline.taken);
        letters::standing(line, letters, taken, fired, pulse, self.pulse_s())
    }

    /// Orders of a side that are on their way when so many pulses have been run.
    pub fn letters(&self, side: SideId, pulse: u32) -> impl Iterator<Item = &Letter> {
        let own: std::collections::BTreeSet<LineId> = self.given(side).map(|l| l.id).collect();
        self.timeline.letters.iter().filter(move |l| l.travels(pulse) && own.contains(&l.line))
    }

    /// Adds an order to the turn being planned and numbers it. Returns its id.
    pub fn give(&mut self, mut line: Line) -> LineId {
        line.id = LineId(self.next_line);
        self.next_line += 1;
        if line.label.is_empty() {
            line.label = format!("p{}", line.id.0);
        }
        let id = line.id;
        self.pending.push(line);
        id
    }

    /// Takes an order of this turn back.
    pub fn take_back(&mut self, id: LineId) {
        self.pending.retain(|l| l.id != id);
    }

    /// Ends the planning: orders go out and the turn runs.
    pub fn end_turn(&mut self) {
        if self.phase != Phase::Planning {
            return;
        }
        let lines = std::mem::take(&mut self.pending);
        if !lines.is_empty() {
            self.battle.order(&lines);
            self.given.push((self.pulse(), lines));
        }
        self.turn_from = self.pulse();
        self.waiting = None;
        self.phase = Phase::Running;
    }

    /// Runs pulses for about `budget`, at least one. Call it every frame.
    pub fn advance(&mut self, budget: Duration) {
        let started = Instant::now();
        while matches!(self.phase, Phase::Running | Phase::Forking(_)) {
            self.pulse_once();
            if started.elapsed() >= budget {
                break;
            }
        }
    }

    /// Starts anew from a pulse: what came after it is forgotten.
    pub fn fork(&mut self, pulse: u32) {
        let pulse = pulse.min(self.pulse());
        self.frames.truncate(pulse as usize + 1);
        self.timeline.cut(pulse);
        self.given.retain(|(from, _)| *from < pulse || *from == 0);
        if pulse == 0
            && let Some(side) = self.side
        {
            let posts = &self.scenario.posts;
            for (_, lines) in &mut self.given {
                lines.retain(|l| posts[l.by.index()].side != side);
            }
        }
        self.turns.retain(|t| t.from < pulse);
        self.pending.clear();
        self.battle = Battle::new(Arc::clone(&self.scenario), self.seed, self.off.clone());
        self.measure_anew();
        self.hand_over();
        self.phase = if pulse == 0 { Phase::Planning } else { Phase::Forking(pulse) };
    }

    /// Whether the run up to now differs from the one that was saved.
    #[must_use]
    pub const fn parted(&self) -> bool {
        self.parted
    }

    /// Orders given at the beginning of a turn, both sides together.
    #[must_use]
    pub fn given_at(&self, pulse: u32) -> Vec<Line> {
        self.given
            .iter()
            .filter(|(from, _)| *from == pulse)
            .flat_map(|(_, lines)| lines.iter().cloned())
            .collect()
    }

    /// What the record's statements read in this battle, once it is over.
    #[must_use]
    pub fn measured(&self) -> &[Measured] {
        &self.measured
    }

    fn measure_anew(&mut self) {
        let gauges = self.asked.iter().map(|(_, gauge, side)| (gauge.as_ref(), *side));
        let mut probe = Probe::new(gauges, self.scenario.pulse_s);
        probe.look(&self.battle.truth());
        self.probe = Some(probe);
        self.measured.clear();
    }

    /// Gives the battle the orders that hold from its present pulse on.
    fn hand_over(&mut self) {
        let now = self.battle.pulse();
        for (from, lines) in &self.given {
            if *from == now && !lines.is_empty() {
                self.battle.order(lines);
            }
        }
    }

    fn pulse_once(&mut self) {
        let more = self.battle.step();
        if let Some(probe) = &mut self.probe {
            probe.look(&self.battle.truth());
        }
        if !more && let Some(probe) = self.probe.take() {
            let values = probe.finish(&self.battle.truth());
            let rows = self.asked.iter().zip(values);
            self.measured = rows
                .map(|((statement, ..), value)| Measured {
                    statement: statement.clone(),
                    value,
                    inside: inside(statement, value),
                })
                .collect();
        }
        self.take_frame();
        let now = self.pulse();
        if let Phase::Forking(to) = self.phase {
            if now >= to || !more {
                let digests = self.battle.digests();
                let draws = self.battle.draws();
                if let Some(last) = self.turns.last_mut() {
                    self.parted = last.to == now && last.digest != digests.total;
                    last.to = now;
                    last.digest = digests.total;
                    last.rooms = digests.rooms;
                    last.draws = draws;
                }
                self.turn_from = now;
                self.phase = if more { Phase::Planning } else { Phase::Over };
            } else {
                self.hand_over();
            }
            return;
        }
        let call = self.call(now);
        let turn_s = (now - self.turn_from) as i32 * self.pulse_s();
        if !more || call.is_some() || turn_s >= self.scenario.max_turn_s {
            let digests = self.battle.digests();
            let draws = self.battle.draws();
            self.turns.push(Turn {
                from: self.turn_from,
                to: now,
                digest: digests.total,
                rooms: digests.rooms,
                draws,
                call,
            });
            self.phase = if more { Phase::Planning } else { Phase::Over };
        }
    }

    /// A call to the person's side that ends the turn now. Those of the first
    /// seconds of a turn wait until these are over; what is in sight from the very
    /// beginning calls nobody.
    fn call(&mut self, now: u32) -> Option<Name> {
        let side = self.side?;
        let new =
            self.timeline.entries.iter().rev().take_while(|e| e.pulse + 1 >= now).find_map(|e| {
                match &e.what {
                    Happening::Call { side: to, text, zh, .. } if *to == side => {
                        Some(Name { en: text.clone(), zh: zh.clone() })
                    }
                    _ => None,
                }
            });
        if now > 1 && self.waiting.is_none() {
            self.waiting = new;
        }
        let run_s = (now - self.turn_from.min(now)) as i32 * self.pulse_s();
        if run_s < CALL_GAP_S { None } else { self.waiting.take() }
    }

    fn take_frame(&mut self) {
        let now = self.battle.pulse();
        let seen = seen_in(&self.battle, &self.scenario, self.side_of.len());
        let frame = Arc::new(capture(&self.battle.truth(), &self.scenario, &Knows { seen: &seen }));
        let before = self.frames.last().cloned().unwrap_or_else(|| Arc::clone(&frame));
        self.timeline.read(self.battle.journal(), &self.scenario, &frame, &before, &self.side_of);
        if self.frames.len() == now as usize {
            self.frames.push(frame);
        }
    }
}

/// For each side, which companies its headquarters knows of now.
fn seen_in(battle: &Battle, scenario: &Scenario, companies: usize) -> Vec<Vec<bool>> {
    scenario
        .sides
        .iter()
        .map(|side| {
            let known = battle.known(side.post);
            (0..companies).map(|c| known.seen(CompanyId::from_index(c)).is_some()).collect()
        })
        .collect()
}
