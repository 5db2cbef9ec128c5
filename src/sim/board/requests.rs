//! Requests between rooms: queues, each drained by the one owner that its first
//! line names.

use bevy_ecs::prelude::*;

use crate::core::ids::{
    AreaId, CompanyId, LineId, NodeId, PersonId, PostId, SideId, UnitId, WeaponId, WorkId,
};
use crate::core::measure::PointCm;
use crate::orders::ast::{Act, Channel, Job, Subject};
use crate::scenario::catalogue::Cause;

/// Men struck, for `casualties` to take away.
#[derive(Clone, Copy, Debug)]
pub struct Wound {
    /// Whose.
    pub company: CompanyId,
    /// How many men.
    pub men: i32,
    /// By what.
    pub cause: Cause,
    /// By whom, where known.
    pub by: Option<UnitId>,
    /// With what, where known.
    pub weapon: Option<WeaponId>,
}

/// Requests to `casualties`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Wounds(pub Vec<Wound>);

/// Something that moves hearts.
#[derive(Clone, Copy, Debug)]
pub struct Shock {
    /// Whose heart.
    pub company: CompanyId,
    /// Up or down, in thousandths.
    pub by: i32,
    /// What it was, for the causes of a break.
    pub why: Why,
}

/// What moves a heart.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Men lost within the last minute.
    Losses,
    /// Standing under shot and unable to go on.
    Stalled,
    /// Attacked in flank or rear.
    Flanked,
    /// Friends broke nearby.
    FriendsBroke,
    /// The leader fell.
    LeaderFell,
    /// Exhausted.
    Spent,
    /// The task is over.
    TaskOver,
    /// A success seen.
    Success,
    /// A leader near.
    Leader,
    /// A signal heard.
    Signal,
}

/// Requests to `heart`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Shocks(pub Vec<Shock>);

/// Something that posts may see or be told of.
#[derive(Clone, Debug)]
pub struct News {
    /// What.
    pub event: Tiding,
    /// Where it happened.
    pub at: PointCm,
}

/// Events that boards remember.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tiding {
    /// A gate opened.
    Opened(WorkId),
    /// A gate was shut.
    Shut(WorkId),
    /// A gate jammed.
    Jammed(WorkId),
    /// A company broke.
    Broke(CompanyId),
    /// A company yielded.
    Yielded(CompanyId),
    /// A person fell.
    Fell(PersonId),
    /// A person was hurt.
    Hurt(PersonId),
    /// An area changed hands.
    Taken(AreaId, Option<SideId>),
    /// A unit has nothing left to shoot.
    Empty(UnitId),
    /// A unit's engines are all loaded.
    Loaded(UnitId),
    /// A post asks for help in an area. Only who is asked learns it.
    Help(AreaId, PostId),
}

/// Requests to `knowledge`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Tidings(pub Vec<News>);

/// Companies that went into others in this pulse: (from, into, men). Written by
/// `casualties`, which clears it at the start of its phase.
#[derive(Resource, Clone, Debug, Default)]
pub struct Merges(pub Vec<(CompanyId, CompanyId, i32)>);

/// Whether a beaten company believes a refuge open to it. Written by `steer`;
/// while it is empty, a unit that names a refuge believes in it.
#[derive(Resource, Clone, Debug, Default)]
pub struct Havens(pub Vec<bool>);

/// Men of each party in blocks of 8 by 8 cells, both levels together. Written by
/// `shot`, anew each pulse, so that nobody searches empty ground.
#[derive(Resource, Clone, Debug, Default)]
pub struct Blocks {
    /// Blocks from west to east.
    pub columns: usize,
    /// Blocks from south to north.
    pub rows: usize,
    /// Men by party and block: `men[party][block]`.
    pub men: Vec<Vec<i32>>,
    /// Blocks that hold anybody.
    pub busy: Vec<usize>,
}

impl Blocks {
    /// Cells along one side of a block.
    pub const CELLS: usize = 8;
}
/// Lines that have fired, in the order of their first time. Written by `command`.
#[derive(Resource, Clone, Debug, Default)]
pub struct FiredLines(pub Vec<FiredLine>);

/// A line that has fired.
#[derive(Clone, Debug)]
pub struct FiredLine {
    /// Its label.
    pub label: String,
    /// Whether it is its `until` part.
    pub then: bool,
    /// The side of the post that held it.
    pub side: SideId,
    /// Pulse in which it fired first.
    pub pulse: u32,
}

/// A signal given, for `knowledge` to spread.
#[derive(Clone, Copy, Debug)]
pub struct Signalled {
    /// Which.
    pub channel: Channel,
    /// From where.
    pub from: PointCm,
    /// By whom: only his own side knows what it means.
    pub by: PostId,
}

/// Requests to `knowledge`: signals given.
#[derive(Resource, Clone, Debug, Default)]
pub struct Signals(pub Vec<Signalled>);

/// An order on its way to one subject.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The line it comes from.
    pub line: LineId,
    /// Its label.
    pub label: String,
    /// Whose board it was decided on.
    pub by: PostId,
    /// For whom.
    pub to: Subject,
    /// How it goes.
    pub channel: Channel,
    /// What is to be done.
    pub acts: Vec<Act>,
    /// 1 to 9.
    pub prio: u8,
    /// Pulse in which it was decided: its way is reckoned from there.
    pub decided: u32,
}

/// Requests to `message`: to send, to change, to withdraw.
#[derive(Resource, Clone, Debug, Default)]
pub struct Outbox {
    /// Letters decided on.
    pub letters: Vec<Letter>,
    /// An act to put into letters of this label that have not left.
    pub amends: Vec<(String, SideId, Act)>,
    /// Labels of letters to withdraw unless they have left.
    pub cancels: Vec<(String, SideId)>,
}

/// Requests to `command`: orders heard and understood this pulse.
#[derive(Resource, Clone, Debug, Default)]
pub struct Inbox(pub Vec<Letter>);

/// A call for help from one post to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cry {
    /// Who needs it.
    pub by: PostId,
    /// Who calls: he himself, or his superior for him.
    pub from: PostId,
    /// Whom he asks.
    pub to: PostId,
    /// Where it is needed.
    pub area: AreaId,
    /// Pulse in which it was called.
    pub decided: u32,
}

/// Requests to `message`: calls for help to be carried.
#[derive(Resource, Clone, Debug, Default)]
pub struct Cries(pub Vec<Cry>);

/// Requests to `command`: calls for help that were heard in this pulse.
#[derive(Resource, Clone, Debug, Default)]
pub struct Heard(pub Vec<Cry>);

/// Requests to `knowledge`: what one post alone has been told.
#[derive(Resource, Clone, Debug, Default)]
pub struct ToldPosts(pub Vec<(PostId, Tiding)>);

/// What `job` asks of a company's engines, in the order of its acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineTask {
    /// This job is done.
    Done(Job),
    /// So many volleys are owed from now on.
    Volley(i32),
}

/// Requests to `shot`, from `job`.
#[derive(Resource, Clone, Debug, Default)]
pub struct EngineJobs(pub Vec<(CompanyId, EngineTask)>);

/// Companies that are at a job at their engines: these do not shoot. Written by
/// `job`, anew each pulse, ascending.
#[derive(Resource, Clone, Debug, Default)]
pub struct AtEngines(pub Vec<CompanyId>);

/// Requests to `job`: volleys asked for, each with the number of the pulse's jobs
/// that were asked for before it, so that acts are done in turn.
#[derive(Resource, Clone, Debug, Default)]
pub struct VolleyOrders(pub Vec<(UnitId, i32, usize)>);

/// Requests to `shape`: companies whose roof of shields was broken open. `shape`
/// drains it.
#[derive(Resource, Clone, Debug, Default)]
pub struct OpenedRoofs(pub Vec<CompanyId>);

/// Requests to `heart`: units that were told to beat the drum.
#[derive(Resource, Clone, Debug, Default)]
pub struct Drummers(pub Vec<UnitId>);

/// Requests to `lying`: what was dragged off a node, fallen men and fallen horses.
/// `job` clears it before it adds.
#[derive(Resource, Clone, Debug, Default)]
pub struct Dragged(pub Vec<(NodeId, i32, i32)>);

/// Two units told to change places on a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Who steps to the front.
    pub front: UnitId,
    /// Who steps back.
    pub rear: UnitId,
    /// The pulse in which they were told.
    pub since: u32,
    /// Whether that was an order; else they do it by standing instruction.
    pub ordered: bool,
}

/// Who is to bear a fight on a walk. Written by `command`, read by `contest`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Swaps(pub Vec<Swap>);

impl Swaps {
    /// Tells two units to change places; what either was told before is over.
    pub fn tell(&mut self, front: UnitId, rear: UnitId, pulse: u32) {
        if let Some(swap) = self.0.iter_mut().find(|s| s.front == front && s.rear == rear) {
            swap.ordered = true;
            return;
        }
        self.0.retain(|s| ![s.front, s.rear].iter().any(|u| *u == front || *u == rear));
        self.0.push(Swap { front, rear, since: pulse, ordered: true });
    }

    /// Two units change places by standing instruction: what was ordered goes first.
    pub fn give_way(&mut self, front: UnitId, rear: UnitId, pulse: u32) {
        let bound = |s: &Swap| {
            s.rear == rear || s.rear == front || s.front == rear || s.ordered && s.front == front
        };
        if !self.0.iter().any(bound) {
            self.0.push(Swap { front, rear, since: pulse, ordered: false });
        }
    }
}

/// Requests to `job`: leaves to move, by gate work; `true` opens.
#[derive(Resource, Clone, Debug, Default)]
pub struct LeafOrders(pub Vec<(WorkId, bool)>);
