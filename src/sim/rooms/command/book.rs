//! The order book: lines with what they remember.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{LineId, SideId, WorkId};
use crate::orders::ast::{Act, Line, Subject};
use crate::sim::board::{FiredLines, Letter, Setting};
use crate::sim::judge::{Memory, holds};
use crate::sim::known::{Boards, Present};

/// All lines of all sides, oldest first.
#[derive(Resource, Clone, Debug, Default)]
pub struct Book {
    /// The lines.
    pub pages: Vec<Page>,
    /// What holds each unit.
    pub holds: Vec<Hold>,
    /// Amendments and withdrawals of this pulse: side, label, act or none.
    pub edits: Vec<(SideId, String, Option<Act>)>,
}

/// What a unit was told last, by kind of act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hold {
    /// Where to go and whom to fight.
    pub task: Word,
    /// What to shoot.
    pub fire: Word,
    /// How to stand.
    pub shape: Word,
    /// How hard to fight.
    pub stance: Word,
}

/// Who told it: the line, if any, and its priority; 0 is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The line.
    pub line: Option<LineId>,
    /// Its priority.
    pub prio: u8,
}

/// A line with what it remembers.
#[derive(Clone, Debug)]
pub struct Page {
    /// The line.
    pub line: Line,
    /// The side of the post that holds it.
    pub side: SideId,
    /// The past of its condition.
    pub when: Memory,
    /// The past of its end.
    pub until: Memory,
    /// Whether its condition held at the last reading.
    pub was: bool,
    /// Whether it has fired.
    pub fired: bool,
    /// Whether somebody has been told.
    pub told: bool,
    /// Whether its `until` has come.
    pub over: bool,
    /// Whether it was withdrawn or replaced before it fired.
    pub withdrawn: bool,
}

impl Page {
    fn of(setting: &Setting, line: &Line) -> Self {
        Self {
            side: setting.scenario.posts[line.by.index()].side,
            line: line.clone(),
            when: Memory::default(),
            until: Memory::default(),
            was: false,
            fired: false,
            told: false,
            over: false,
            withdrawn: false,
        }
    }

    /// Whether it can still fire.
    #[must_use]
    pub const fn waits(&self) -> bool {
        !self.withdrawn && (!self.fired || self.line.keep)
    }

    /// It fires; with `keep` its end is looked for anew.
    pub fn fire(&mut self) {
        self.fired = true;
        self.told = false;
        self.over = false;
        self.until = Memory::default();
    }

    /// The letter that carries it, if it goes by a channel.
    #[must_use]
    pub fn letter(&self, to: Subject, pulse: u32, acts: Vec<Act>) -> Option<Letter> {
        self.line.via.map(|channel| Letter { channel, ..self.spoken(to, pulse, acts) })
    }

    /// The same as told face to face.
    #[must_use]
    pub fn spoken(&self, to: Subject, pulse: u32, acts: Vec<Act>) -> Letter {
        Letter {
            line: self.line.id,
            label: self.line.label.clone(),
            by: self.line.by,
            to,
            channel: crate::orders::ast::Channel::Shout,
            acts,
            prio: self.line.prio,
            decided: pulse,
        }
    }

    /// Whether it will yet tell the keeper of a gate what to do with the leaves:
    /// he who has such a line does not judge for himself.
    #[must_use]
    pub fn will_move(&self, work: WorkId) -> bool {
        self.waits()
            && self.line.who.contains(&Subject::Work(work))
            && self.line.acts.iter().any(|act| matches!(act, Act::Gate(_)))
    }
}

impl Book {
    /// Adds lines; one of the same side and label that has not fired gives way.
    pub fn add(&mut self, setting: &Setting, lines: &[Line]) {
        for line in lines {
            let page = Page::of(setting, line);
            for old in &mut self.pages {
                if old.side == page.side && old.line.label == line.label && !old.fired {
                    old.withdrawn = true;
                }
            }
            self.pages.push(page);
        }
    }

    /// Adds what it holds to a digest.
    pub fn digest(&self, d: &mut Digest) {
        for page in &self.pages {
            d.u32(page.line.id.0);
            for flag in [page.was, page.fired, page.told, page.over, page.withdrawn] {
                d.u32(u32::from(flag));
            }
            page.when.digest(d);
            page.until.digest(d);
        }
        for hold in &self.holds {
            d.bytes(&[hold.task.prio, hold.fire.prio, hold.shape.prio, hold.stance.prio]);
        }
    }
}

impl Page {
    /// Whether its condition has become true in this pulse.
    pub fn became_true(
        &mut self,
        present: &Present<'_>,
        boards: &Boards,
        fired: &FiredLines,
    ) -> bool {
        let known = present.known(boards, self.line.by, &self.line.who, &fired.0);
        let now = holds(&self.line.when, &known, &mut self.when);
        let edge = now && !self.was;
        self.was = now;
        edge
    }

    /// Whether its `until` has come.
    pub fn is_over(&mut self, present: &Present<'_>, boards: &Boards, fired: &FiredLines) -> bool {
        let known = present.known(boards, self.line.by, &self.line.who, &fired.0);
        let Some((until, _)) = &self.line.until else { return false };
        holds(until, &known, &mut self.until)
    }
}
