//! What happened, in order: for people, measures and the front end, never a rule.

use bevy_ecs::prelude::*;
use serde::Serialize;

use super::board::{Cause, Why};
use crate::core::ids::{
    AreaId, CompanyId, EngineKindId, LineId, PersonId, PostId, SideId, UnitId, WeaponId, WorkId,
};
use crate::core::measure::PointCm;
use crate::orders::ast::Channel;

/// The append-only journal of a battle.
#[derive(Resource, Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Entry>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The pulse it happened in.
    pub pulse: u32,
    /// What.
    #[serde(flatten)]
    pub what: Happening,
}

/// Everything that can happen, in the past tense.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
#[allow(missing_docs, reason = "each says in its own words what its fields are")]
pub enum Happening {
    /// A line of orders took effect.
    OrderTaken { line: LineId, label: String, unit: Option<UnitId>, by: PostId },
    /// A message set out and will arrive.
    MessageLeft {
        line: LineId,
        label: String,
        channel: Channel,
        from: PointCm,
        to: PointCm,
        arrives_pulse: u32,
    },
    /// A shot or volley: many missiles from one company at another.
    Shot {
        from: CompanyId,
        at: CompanyId,
        weapon: WeaponId,
        missiles: i32,
        hits: i32,
        from_at: PointCm,
        to_at: PointCm,
    },
    /// Men fell.
    Fell { company: CompanyId, men: i32, cause: Cause, by: Option<UnitId> },
    /// Two companies met, or parted.
    Contact { a: CompanyId, b: CompanyId },
    /// A company was pushed back, or ridden into.
    PushedBack { company: CompanyId, cm: i32 },
    /// A company broke; the three largest causes, heaviest first.
    Broke { company: CompanyId, causes: Vec<(Why, i32)> },
    /// A company rallied.
    Rallied { company: CompanyId },
    /// A company yielded.
    Yielded { company: CompanyId, men: i32 },
    /// A company is too small to count.
    Gone { company: CompanyId },
    /// A company was cut in two at a portal.
    Split { company: CompanyId, new: CompanyId, men: i32 },
    /// Worn companies became one.
    Merged { from: CompanyId, into: CompanyId, men: i32 },
    /// The leaves began to move.
    LeafMoves { work: WorkId, opening: bool },
    /// The leaves met their frame.
    GateShut { work: WorkId },
    /// The leaves stood wide open.
    GateOpened { work: WorkId },
    /// The leaves cannot move.
    GateJammed { work: WorkId },
    /// The bar was seated or lifted.
    Barred { work: WorkId, barred: bool },
    /// A ram broke the leaves in.
    GateBroken { work: WorkId },
    /// Ladders were raised at a wall.
    LaddersUp { work: WorkId, company: CompanyId, ladders: i32 },
    /// Ladders were thrown down from a wall; men put out of action by the fall.
    LaddersDown { work: WorkId, ladders: i32, fell: i32 },
    /// Men began to be jammed before a portal.
    Jam { work: WorkId, men: i32 },
    /// A person was hurt.
    PersonHurt { person: PersonId, wounds: i32 },
    /// A person fell.
    PersonFell { person: PersonId },
    /// A person crossed a gate inwards or outwards.
    PersonCrossed { person: PersonId, work: WorkId, inward: bool },
    /// A unit has nothing left to shoot.
    Empty { unit: UnitId },
    /// An engine was hit and works no more.
    EngineWrecked { company: CompanyId, kind: EngineKindId },
    /// An area changed hands.
    Taken { area: AreaId, owner: Option<SideId> },
    /// A signal was given.
    Signal { channel: Channel, from: PointCm, by: PostId },
    /// Something that a player is to look at, in both languages.
    Call { side: SideId, kind: Called, text: String, zh: String, at: PointCm },
    /// The battle is over.
    Ended { winner: Option<SideId>, end: Option<usize> },
}

/// What a call is about; each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Called {
    /// An order said so.
    Told,
    /// An enemy corps is known of for the first time.
    NewEnemy,
    /// An enemy could soon be at an open gate.
    GateThreatened,
    /// Most of an own corps has broken.
    CorpsBroken,
    /// A unit's engines have nothing left.
    EnginesEmpty,
    /// An own person is hurt or dead.
    PersonInDanger,
    /// An order has reached its unit.
    MessageArrived,
    /// A post asks for help.
    HelpAsked,
}

impl Journal {
    /// Appends.
    pub fn add(&mut self, pulse: u32, what: Happening) {
        self.entries.push(Entry { pulse, what });
    }

    /// All entries so far, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}
