//! The battle: a private world, a schedule, a board, and one room per law.
//! Compiles with no window; never imports view, ai, study, replay or front.

pub mod board;
pub mod body;
pub mod field;
pub mod journal;
pub mod judge;
#[doc(hidden)]
pub mod kit;
pub mod known;
pub mod lands;
pub mod laws;
pub mod muster;
pub mod phases;
pub mod rooms;
pub mod truth;

use std::sync::Arc;

use bevy_ecs::prelude::*;

use crate::core::dice::Dice;
use crate::core::digest::Digest;
use crate::core::ids::{PostId, SideId};
use crate::orders::ast::Line;
use crate::scenario::battle::Scenario;
use board::{Clock, Rolls, Setting};
use journal::{Entry, Happening, Journal};
use known::Known;
use laws::LawSet;
use rooms::{
    area, casualties, command, contest, crush, heart, job, knowledge, lying, message, passage,
    person, shape, shot, steer,
};
use truth::Truth;

/// A battle being fought. The world inside is nobody else's.
pub struct Battle {
    world: World,
    schedule: Schedule,
    verdict: Option<Verdict>,
    ends: Vec<judge::Memory>,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who has won, if anybody.
    pub winner: Option<SideId>,
    /// Which of the scenario's ends it was; none when time ran out.
    pub end: Option<usize>,
    /// The last pulse.
    pub pulse: u32,
}

/// Digests of the whole state: in all, and of each room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// All rooms together.
    pub total: u64,
    /// Each room by its name, in the order of the pulse.
    pub rooms: Vec<(&'static str, u64)>,
}

/// What a room adds to the digest, by its name.
type DigestPart = (&'static str, fn(&World, &mut Digest));

/// The rooms that have a state, in the order of the pulse.
const PARTS: [DigestPart; 15] = [
    ("knowledge", knowledge::digest),
    ("message", message::digest),
    ("command", command::digest),
    ("steer", steer::digest),
    ("shape", shape::digest),
    ("passage", passage::digest),
    ("crush", crush::digest),
    ("shot", shot::digest),
    ("contest", contest::digest),
    ("person", person::digest),
    ("job", job::digest),
    ("casualties", casualties::digest),
    ("lying", lying::digest),
    ("heart", heart::digest),
    ("area", area::digest),
];

impl Battle {
    /// Draws up a battle; `off` are the laws and kinds that do nothing.
    #[must_use]
    pub fn new(scenario: Arc<Scenario>, seed: u64, off: LawSet) -> Self {
        let mut world = World::new();
        let mut schedule = phases::schedule();
        let (roster, plan) = muster::draw_up(&scenario, &off);
        muster::spawn(&mut world, &scenario, roster, plan);
        world.insert_resource(Clock { pulse: 0, pulse_s: scenario.pulse_s });
        world.insert_resource(Rolls(Dice::new(seed)));
        world.insert_resource(Journal::default());
        let ends = vec![judge::Memory::default(); scenario.ends.len()];
        world.insert_resource(Setting {
            rules: scenario.rules.clone(),
            site: scenario.site.clone(),
            scenario,
            off,
        });
        rooms::install(&mut world, &mut schedule);
        Self { world, schedule, verdict: None, ends }
    }

    /// Adds lines to the order book; they can fire from the next pulse on.
    pub fn order(&mut self, lines: &[Line]) {
        command::submit(&mut self.world, lines);
    }

    /// Fights one pulse. False once the battle is over.
    pub fn step(&mut self) -> bool {
        if self.verdict.is_some() {
            return false;
        }
        self.schedule.run(&mut self.world);
        self.world.resource_mut::<Clock>().pulse += 1;
        self.verdict = self.judge();
        if let Some(verdict) = self.verdict {
            let ended = Happening::Ended { winner: verdict.winner, end: verdict.end };
            self.world.resource_mut::<Journal>().add(verdict.pulse, ended);
        }
        self.verdict.is_none()
    }

    fn judge(&mut self) -> Option<Verdict> {
        let truth = Truth::of(&self.world);
        let clock = *truth.clock;
        let scenario = Arc::clone(&truth.setting.scenario);
        let pulse = clock.pulse.saturating_sub(1);
        for (index, (end, memory)) in scenario.ends.iter().zip(&mut self.ends).enumerate() {
            if judge::holds(&end.when, &truth, memory) {
                return Some(Verdict { winner: end.winner, end: Some(index), pulse });
            }
        }
        (clock.now_s() >= scenario.max_s).then_some(Verdict { winner: None, end: None, pulse })
    }

    /// How it ended, once it has.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Pulses fought so far.
    #[must_use]
    pub fn pulse(&self) -> u32 {
        self.world.resource::<Clock>().pulse
    }

    /// The whole board as it is, to read.
    #[must_use]
    pub fn truth(&self) -> Truth<'_> {
        Truth::of(&self.world)
    }

    /// What a post knows.
    #[must_use]
    pub fn known(&self, post: PostId) -> Known<'_> {
        Known::of(&self.world, post)
    }

    /// What happened so far, oldest first.
    #[must_use]
    pub fn journal(&self) -> &[Entry] {
        self.world.resource::<Journal>().entries()
    }

    /// Digests of the state now.
    #[must_use]
    pub fn digests(&self) -> Digests {
        let mut total = Digest::default();
        let rooms = PARTS
            .iter()
            .map(|(name, part)| {
                let mut digest = Digest::default();
                part(&self.world, &mut digest);
                total.u64(digest.value());
                (*name, digest.value())
            })
            .collect();
        Digests { total: total.value(), rooms }
    }

    /// How many rolls of the dice were taken so far.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.world.resource::<Rolls>().0.draws()
    }
}
