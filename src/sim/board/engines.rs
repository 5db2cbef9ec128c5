//! Engines on the board: what they are, where they stand, what they are loaded with.

use bevy_ecs::prelude::*;

use crate::core::ids::{CompanyId, EngineId, EngineKindId, NodeId};
use crate::core::measure::PointCm;
use crate::scenario::catalogue::EngineKind;
use crate::scenario::site::{Level, Site};

/// Where an engine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emplaced {
    /// In its stand: it can shoot. Its crew loads it by itself, drawing it back and
    /// pushing it forward again if its kind asks for that.
    #[default]
    Forward,
    /// Drawn back by order, until it is ordered forward.
    Back,
    /// On its way with its company, or without a place at the parapet.
    Pushed,
    /// Left where its company went on through what is too narrow for it.
    Left,
}

/// Engines. Written by `shot` (loading, stores) and moved with their company.
#[derive(Resource, Clone, Debug, Default)]
pub struct Engines {
    /// Kind.
    pub kind: Vec<EngineKindId>,
    /// Company that serves it.
    pub company: Vec<CompanyId>,
    /// Pulse from which it is loaded.
    pub ready_at: Vec<u32>,
    /// Missiles left.
    pub store: Vec<i32>,
    /// Whether it is depressed by its handle.
    pub depressed: Vec<bool>,
    /// Whether it works.
    pub works: Vec<bool>,
    /// Where it is.
    pub stand: Vec<Emplaced>,
    /// Where its company was when it was emplaced.
    pub stood_at: Vec<PointCm>,
    /// The piece of a walk whose length it takes up while it is forward.
    pub parapet: Vec<Option<NodeId>>,
    /// Engines of each company.
    pub of_company: Vec<Vec<EngineId>>,
    /// Volleys that each company still owes to an order.
    pub owed: Vec<i32>,
    /// Pulse until which the crews of each company are under fire.
    pub harried: Vec<u32>,
}

impl Engines {
    /// Whether an engine is in its stand, loaded and able to shoot.
    #[must_use]
    pub fn can_shoot(&self, engine: usize, pulse: u32) -> bool {
        self.works[engine]
            && self.stand[engine] == Emplaced::Forward
            && self.ready_at[engine] <= pulse
    }

    /// Whether a kind can be drawn back there: a walk must be two of it deep.
    #[must_use]
    pub fn can_be_drawn_back(site: &Site, node: NodeId, kind: &EngineKind) -> bool {
        let node = &site.nodes[node.index()];
        node.level == Level::Ground || f64::from(node.width_cm) >= kind.length_m.v() * 200.0
    }
}
