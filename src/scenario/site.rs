//! The place of a battle, rasterised from a map in metres: cells on two levels,
//! works, portals, areas and named places. Immutable once built.
//!
//! A *node* is a cell on one level. Ground nodes come first, row by row from the
//! south-west corner; each wall cell has a rampart node after them. The portals
//! are passages with a width between two sets of nodes: gates, ramps, stairs.
//! Behind them in the list stand the *stretches*: latent portals from the ground at
//! a wall's outer foot to its walk, which pass nobody until ladders stand there.

use super::catalogue::Name;
use crate::core::ids::{AreaId, GroundId, NodeId, PortalId, WorkId, WorkKindId};
use crate::core::measure::PointCm;

/// A level of a cell.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The ground.
    #[default]
    Ground,
    /// The top of a wall.
    Rampart,
}

/// The map of one battle.
#[derive(Clone, Debug)]
pub struct Site {
    /// Side of a cell in centimetres.
    pub cell_cm: i32,
    /// Columns, west to east.
    pub columns: u32,
    /// Rows, south to north.
    pub rows: u32,
    /// South-west corner of the window in map centimetres.
    pub origin: PointCm,
    /// One entry a node; `nodes.len()` = ground cells + wall cells.
    pub nodes: Vec<Node>,
    /// Rampart node of each ground cell, where it is a wall cell.
    pub rampart_of: Vec<Option<NodeId>>,
    /// Neighbours of each node: up to eight, in the order E, NE, N, NW, W, SW, S, SE.
    pub neighbours: Vec<[Option<NodeId>; 8]>,
    /// Passages; from `passages` on, stretches of wall where ladders may stand.
    pub portals: Vec<Portal>,
    /// How many of the portals are passages at all times.
    pub passages: usize,
    /// Passages that touch each node (few have any): sorted by node.
    pub portals_of: Vec<(NodeId, PortalId)>,
    /// Stretches by the node at the foot of the wall, and by that on the walk.
    pub stretches_of: Vec<(NodeId, PortalId)>,
    /// Works, in the order of the map.
    pub works: Vec<Work>,
    /// Named areas, in the order of the map.
    pub areas: Vec<Area>,
    /// Features to draw, in the order of the map.
    pub drawn: Vec<Drawn>,
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Its level.
    pub level: Level,
    /// Ground cell it belongs to (its own index for a ground node).
    pub cell: u32,
    /// Kind of ground.
    pub ground: GroundId,
    /// Square centimetres that men can stand on; 0 is impassable.
    pub room_cm2: i32,
    /// Narrowest free width through it in centimetres.
    pub width_cm: i32,
    /// Height of the floor over the plain in centimetres.
    pub height_cm: i32,
    /// Which way a wall-walk runs, in thousandths; zero on the ground. Along it there
    /// is room for a cell's length of men, across it for its width alone.
    pub runs: PointCm,
    /// The work it is part of.
    pub work: Option<WorkId>,
}

/// A passage between two sets of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Portal {
    /// The work it belongs to.
    pub work: WorkId,
    /// Clear width in centimetres, all passages together.
    pub width_cm: i32,
    /// Depth (or length along the slope) in centimetres.
    pub length_cm: i32,
    /// Nodes on the outer (or lower) side.
    pub outer: Vec<NodeId>,
    /// Nodes on the inner (or upper) side.
    pub inner: Vec<NodeId>,
    /// Centre of the outer mouth.
    pub outer_at: PointCm,
    /// Centre of the inner mouth: crossing this is being inside.
    pub inner_at: PointCm,
    /// Whether leaves can shut it.
    pub leaves: bool,
    /// Whether horses can use it.
    pub horse: bool,
    /// Speed through it as a factor of that on firm ground.
    pub speed: f64,
}

/// A work on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Id in the map file.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Its kind in the catalogue.
    pub kind: WorkKindId,
    /// What it is.
    pub form: WorkForm,
    /// Its centre.
    pub at: PointCm,
    /// Unit normal towards the outside, in thousandths; zero where it has none.
    pub outward: PointCm,
    /// The work it stands in (a gate's wall).
    pub within: Option<WorkId>,
}

/// What a work is.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkForm {
    /// A wall with its centre line.
    Wall {
        /// Centre line.
        line: Vec<PointCm>,
        /// Thickness at the foot in centimetres.
        thickness_cm: i32,
        /// Height of the walk in centimetres.
        height_cm: i32,
        /// Breadth of the walk in centimetres.
        walk_cm: i32,
    },
    /// A gate: its leaves stand mid-passage.
    Gate {
        /// Its portal.
        portal: PortalId,
        /// Number of passages.
        passages: i32,
    },
    /// A ramp or stair.
    Ramp {
        /// Its portal.
        portal: PortalId,
    },
    /// A bridge: a deck over water.
    Bridge {
        /// Centre line.
        line: Vec<PointCm>,
        /// Breadth in centimetres.
        width_cm: i32,
    },
}

/// A named area: a polygon, a stretch of wall-walk, or what lies behind a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Id in the map file.
    pub id: String,
    /// Name for people.
    pub name: Name,
    /// Nodes that belong to it, ascending.
    pub nodes: Vec<NodeId>,
    /// Its middle: the standable node nearest to the centroid.
    pub centre: NodeId,
    /// Where that is.
    pub at: PointCm,
}

/// Something to draw that has no rule beyond its ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What it is.
    pub form: DrawnForm,
    /// Name, where it has one.
    pub name: Option<Name>,
    /// Corner or line points.
    pub points: Vec<PointCm>,
    /// Breadth in centimetres; 0 for a polygon.
    pub width_cm: i32,
}

/// How to draw a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnForm {
    /// Ground of a kind.
    Ground(GroundId),
    /// A street or road.
    Street,
    /// A walled ward or a block of houses.
    Ward,
    /// Standing or running water.
    Water,
    /// A bridge deck.
    Bridge,
}

impl Site {
    /// The number of ground cells.
    #[must_use]
    pub const fn cells(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// The ground node under a point, if it is inside the window.
    #[must_use]
    #[inline]
    pub fn node_at(&self, at: PointCm) -> Option<NodeId> {
        let x = (at.x - self.origin.x).div_euclid(self.cell_cm);
        let y = (at.y - self.origin.y).div_euclid(self.cell_cm);
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.columns && y < self.rows).then(|| NodeId(y * self.columns + x))
    }

    /// The node under a point on a level.
    #[must_use]
    #[inline]
    pub fn node_on(&self, at: PointCm, level: Level) -> Option<NodeId> {
        let ground = self.node_at(at)?;
        match level {
            Level::Ground => Some(ground),
            Level::Rampart => self.rampart_of[ground.index()],
        }
    }

    /// The centre of a node's cell.
    #[must_use]
    #[inline]
    pub fn centre(&self, node: NodeId) -> PointCm {
        let cell = self.nodes[node.index()].cell;
        let (x, y) = ((cell % self.columns) as i32, (cell / self.columns) as i32);
        PointCm {
            x: self.origin.x + x * self.cell_cm + self.cell_cm / 2,
            y: self.origin.y + y * self.cell_cm + self.cell_cm / 2,
        }
    }

    /// The portals that touch a node.
    pub fn portals_at(&self, node: NodeId) -> impl Iterator<Item = PortalId> + '_ {
        let from = self.portals_of.partition_point(|(n, _)| *n < node);
        self.portals_of[from..].iter().take_while(move |(n, _)| *n == node).map(|(_, p)| *p)
    }

    /// Whether a portal is a stretch of wall, open only to ladders.
    #[must_use]
    pub const fn is_stretch(&self, portal: PortalId) -> bool {
        portal.index() >= self.passages
    }

    /// All stretches, in the order of their ids.
    pub fn stretches(&self) -> impl Iterator<Item = PortalId> + use<> {
        (self.passages..self.portals.len()).map(PortalId::from_index)
    }

    /// The stretches that touch a node: at their foot, or on the walk.
    pub fn stretches_at(&self, node: NodeId) -> impl Iterator<Item = PortalId> + '_ {
        let from = self.stretches_of.partition_point(|(n, _)| *n < node);
        self.stretches_of[from..].iter().take_while(move |(n, _)| *n == node).map(|(_, p)| *p)
    }

    /// The gates: works with leaves, with their portals.
    pub fn gates(&self) -> impl Iterator<Item = (WorkId, PortalId)> + '_ {
        self.works.iter().enumerate().filter_map(|(i, work)| match work.form {
            WorkForm::Gate { portal, .. } => Some((WorkId::from_index(i), portal)),
            _ => None,
        })
    }

    /// Whether a node is in an area.
    #[must_use]
    pub fn in_area(&self, area: AreaId, node: NodeId) -> bool {
        self.areas[area.index()].nodes.binary_search(&node).is_ok()
    }
}
