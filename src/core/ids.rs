//! Typed indices. A name becomes one of these at load and never a string again.
//!
//! Every id is a plain index into a dense array of the scenario or the board,
//! is ordered, and is what orders, replays and digests are written in.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The id as an index into its dense array.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the `index`-th entry; saturates at the type's end.
            #[must_use]
            #[inline]
            pub fn from_index(index: usize) -> Self {
                Self(<$inner>::try_from(index).unwrap_or(<$inner>::MAX))
            }
        }
    )*};
}

ids! {
    /// An army under one player or commander.
    SideId(u8);
    /// Who fights whom.
    PartyId(u8);
    /// A commander and the units under him.
    CorpsId(u16);
    /// What a player gives orders to.
    UnitId(u16);
    /// The spatial element: up to `company_size` men of one unit.
    CompanyId(u16);
    /// A named person.
    PersonId(u16);
    /// Who holds a work or a corps, and what he knows.
    PostId(u16);
    /// A built thing: wall, gate, ramp, bridge.
    WorkId(u16);
    /// A passage with a width between two sets of cells.
    PortalId(u16);
    /// A named area of the map.
    AreaId(u16);
    /// A kind of unit in the catalogue.
    UnitKindId(u16);
    /// A kind of weapon in the catalogue.
    WeaponId(u16);
    /// A kind of armour in the catalogue.
    ArmourId(u16);
    /// A kind of engine in the catalogue.
    EngineKindId(u16);
    /// A kind of work in the catalogue.
    WorkKindId(u16);
    /// A kind of ground in the catalogue.
    GroundId(u8);
    /// One engine of a battle.
    EngineId(u16);
    /// A flow field in the cache.
    FieldId(u16);
    /// A line of the order book, unique in a battle.
    LineId(u32);
    /// A node of the map: a cell on one level (ground first, then rampart).
    NodeId(u32);
}
