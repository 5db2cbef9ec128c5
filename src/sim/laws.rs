//! The closed list of laws, with their slugs, and the set that is switched off.

use crate::core::ids::{EngineKindId, UnitKindId, WeaponId, WorkKindId};

macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident = $slug:literal;)*) => {
        /// A general rule of the simulation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Law { $($(#[$doc])* $name,)* }

        impl Law {
            /// All laws that exist.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word for `--without`.
            #[must_use]
            pub const fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)* }
            }
        }
    };
}

laws! {
    /// Passage and straddle. Off: free flow.
    Passage = "passage";
    /// Contested cell, momentum, trampling. Off: men pass through each other.
    Contest = "contest";
    /// Things lying there. Off: nothing lies.
    Lying = "lying";
    /// Jobs and leaves. Off: done at once.
    Job = "job";
    /// Knowledge. Off: the truth.
    Knowledge = "knowledge";
    /// Parties. Off: side against side only.
    Party = "party";
    /// Posts. Off: gate keepers do nothing by themselves, nor do posts for their men.
    Post = "post";
    /// Heart. Off: nobody breaks.
    Heart = "heart";
    /// Persons. Off: only men.
    Person = "person";
    /// Shapes. Off: everybody in line.
    Shape = "shape";
    /// Shots. Off: nobody shoots.
    Shot = "shot";
    /// Stores. Off: never empty.
    Stores = "stores";
    /// Areas. Off: owned by nobody.
    Area = "area";
    /// Messages. Off: instant.
    Message = "message";
    /// Blows. Off: nobody strikes.
    Blows = "blows";
    /// Falls and crush. Off: nobody is crushed.
    Crush = "crush";
    /// Ground. Off: all firm.
    Ground = "ground";
}

/// What is switched off in a battle: laws, and kinds that do not act.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LawSet {
    laws: Vec<Law>,
    /// Kinds of weapon that do nothing.
    pub weapons: Vec<WeaponId>,
    /// Kinds of engine that do nothing.
    pub engines: Vec<EngineKindId>,
    /// Kinds of unit left out of the order of battle.
    pub units: Vec<UnitKindId>,
    /// Kinds of work that do nothing: a gate whose leaves never move.
    pub works: Vec<WorkKindId>,
}

impl LawSet {
    /// Switches a law off.
    pub fn add(&mut self, law: Law) {
        if !self.laws.contains(&law) {
            self.laws.push(law);
        }
    }

    /// A set with one law off.
    #[must_use]
    pub fn without(law: Law) -> Self {
        let mut set = Self::default();
        set.add(law);
        set
    }

    /// Whether a law is off.
    #[must_use]
    pub fn is_off(&self, law: Law) -> bool {
        self.laws.contains(&law)
    }
}
