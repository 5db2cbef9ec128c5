//! What posts know: a board of dated facts each, and the eyes that read it.
//!
//! `knowledge` writes the boards; conditions, keepers and views read them through
//! [`Known`]. Of companies in its sight, and of its own side's within the signal
//! chain, a post knows the present; of all others what its board holds, with its
//! pulse. So nothing is copied of what is in plain sight.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;

use super::board::{
    Clock, Contacts, Engines, FiredLine, FiredLines, Forms, Gates, Leaf, Owners, Persons, Places,
    Roster, Setting, Spirits, Stores, Strength, Tiding,
};
use super::judge::{Eyes, Seen, SeenPerson, flag};
use super::lands::{Lands, leaf_at, work_at};
use super::laws::Law;
use super::truth::{Facts, loaded, missiles};
use crate::core::ids::{AreaId, CompanyId, PersonId, PortalId, PostId, SideId, UnitId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Channel, Place, Subject};
use crate::scenario::catalogue::Catalogue;

/// All boards, by post. Written by `knowledge`.
#[derive(Resource, Clone, Debug, Default)]
pub struct Boards {
    /// One a post.
    pub of: Vec<Board>,
    /// Companies within the signal chain of their own side.
    pub chain: Vec<bool>,
}

/// What one post knows.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// Where the post is.
    pub at: PointCm,
    /// How far it sees, in centimetres.
    pub sees_cm: i32,
    /// Companies in sight, by company: of these the present is known.
    pub sight: Vec<bool>,
    /// Companies out of sight as last known.
    pub seen: Vec<Option<Seen>>,
    /// Of far ones, the report that is on its way.
    pub coming: Vec<Option<Seen>>,
    /// Pulse in which that report arrives, and the next one sets out.
    pub due: Vec<u32>,
    /// Companies known to have broken at some time.
    pub broke: Vec<bool>,
    /// Persons as last known.
    pub persons: Vec<Option<SeenPerson>>,
    /// Gaps as last known, by portal.
    pub gap: Vec<Option<i32>>,
    /// Jams as last known, by portal.
    pub jammed: Vec<bool>,
    /// Owners as last known, by area.
    pub owner: Vec<Option<SideId>>,
    /// Second in which each signal was heard last, by channel.
    pub heard: [Option<i32>; 6],
    /// News on its way: the pulse in which it is known, and what.
    pub coming_news: Vec<(u32, Tiding)>,
    /// What was learnt in this pulse.
    pub learnt: Vec<Tiding>,
}

/// The present, for those who may see it.
#[derive(SystemParam)]
#[allow(missing_docs, reason = "the fields are the board's resources of the same names")]
pub struct Present<'w> {
    pub setting: Res<'w, Setting>,
    pub clock: Res<'w, Clock>,
    pub lands: Res<'w, Lands>,
    pub roster: Res<'w, Roster>,
    pub places: Res<'w, Places>,
    pub strength: Res<'w, Strength>,
    pub spirits: Res<'w, Spirits>,
    pub forms: Res<'w, Forms>,
    pub contacts: Res<'w, Contacts>,
    pub engines: Res<'w, Engines>,
    pub stores: Res<'w, Stores>,
    pub gates: Res<'w, Gates>,
    pub persons: Res<'w, Persons>,
    pub owners: Res<'w, Owners>,
}

impl Present<'_> {
    /// Where the facts of companies lie.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        Facts {
            roster: &self.roster,
            places: &self.places,
            strength: &self.strength,
            spirits: &self.spirits,
            forms: &self.forms,
            contacts: &self.contacts,
        }
    }

    /// What a post knows, asked for a line.
    #[must_use]
    pub fn known<'a>(
        &'a self,
        boards: &'a Boards,
        post: PostId,
        own: &'a [Subject],
        fired: &'a [FiredLine],
    ) -> Known<'a> {
        Known {
            setting: &self.setting,
            clock: &self.clock,
            lands: &self.lands,
            facts: self.facts(),
            engines: &self.engines,
            stores: &self.stores,
            gates: &self.gates,
            persons: &self.persons,
            owners: &self.owners,
            boards,
            board: &boards.of[post.index()],
            side: self.setting.scenario.posts[post.index()].side,
            own,
            fired,
            all: self.setting.off.is_off(Law::Knowledge),
        }
    }

    /// Where a post is.
    #[must_use]
    pub fn post_at(&self, post: PostId) -> PointCm {
        post_at(&self.setting, &self.roster, &self.places, &self.persons, post)
    }
}

/// Where a post is: its fixed place, else with its holder, else with the first
/// company of its first corps.
#[must_use]
pub fn post_at(
    setting: &Setting,
    roster: &Roster,
    places: &Places,
    persons: &Persons,
    post: PostId,
) -> PointCm {
    let scenario = &setting.scenario;
    let told = &scenario.posts[post.index()];
    let first = |unit: UnitId| roster.of_unit[unit.index()].first().map(|c| places.at[c.index()]);
    let with = |person: PersonId| persons.company.get(person.index()).map(|c| places.at[c.index()]);
    match told.at {
        Some(Place::Point(at)) => Some(at),
        Some(Place::Area(area)) => Some(setting.site.areas[area.index()].at),
        Some(Place::Work(work)) => Some(work_at(&setting.site, work)),
        Some(Place::Unit(unit)) => first(unit),
        Some(Place::Person(person)) => with(person),
        None => told.holder.and_then(with),
    }
    .or_else(|| {
        scenario
            .corps
            .iter()
            .filter(|c| c.post == post)
            .flat_map(|c| &c.units)
            .find_map(|u| first(*u))
    })
    .unwrap_or_default()
}

/// A post's knowledge, as conditions read it. With the law of knowledge off it
/// is the truth.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    setting: &'a Setting,
    clock: &'a Clock,
    lands: &'a Lands,
    facts: Facts<'a>,
    engines: &'a Engines,
    stores: &'a Stores,
    gates: &'a Gates,
    persons: &'a Persons,
    owners: &'a Owners,
    boards: &'a Boards,
    board: &'a Board,
    side: SideId,
    own: &'a [Subject],
    fired: &'a [FiredLine],
    all: bool,
}

impl<'a> Known<'a> {
    /// What a post of a battle's world knows. All rooms must be installed.
    #[must_use]
    pub fn of(world: &'a World, post: PostId) -> Self {
        let setting: &Setting = world.resource();
        let boards: &Boards = world.resource();
        Self {
            setting,
            clock: world.resource(),
            lands: world.resource(),
            facts: Facts {
                roster: world.resource(),
                places: world.resource(),
                strength: world.resource(),
                spirits: world.resource(),
                forms: world.resource(),
                contacts: world.resource(),
            },
            engines: world.resource(),
            stores: world.resource(),
            gates: world.resource(),
            persons: world.resource(),
            owners: world.resource(),
            boards,
            board: &boards.of[post.index()],
            side: setting.scenario.posts[post.index()].side,
            own: &[],
            fired: &world.resource::<FiredLines>().0,
            all: setting.off.is_off(Law::Knowledge),
        }
    }

    /// The post's board.
    #[must_use]
    pub const fn board(&self) -> &'a Board {
        self.board
    }

    fn is_live(&self, company: CompanyId) -> bool {
        let c = company.index();
        self.all
            || self.board.sight[c]
            || (self.boards.chain[c] && self.facts.roster.side[c] == self.side)
    }

    /// Whether the post has first-hand word of one of its own side's units.
    fn is_own(&self, unit: UnitId) -> bool {
        self.all
            || self.facts.roster.of_unit[unit.index()]
                .first()
                .is_some_and(|c| self.facts.roster.side[c.index()] == self.side)
    }
}

impl Eyes for Known<'_> {
    fn setting(&self) -> &Setting {
        self.setting
    }

    fn roster(&self) -> &Roster {
        self.facts.roster
    }

    fn lands(&self) -> &Lands {
        self.lands
    }

    fn now_s(&self) -> i32 {
        self.clock.now_s()
    }

    fn certain(&self) -> bool {
        self.all
    }

    fn asks(&self) -> Option<SideId> {
        Some(self.side)
    }

    fn own(&self) -> &[Subject] {
        self.own
    }

    fn seen(&self, company: CompanyId) -> Option<Seen> {
        if self.is_live(company) {
            let mut seen = self.facts.seen(company, self.clock.pulse)?;
            if !self.all && self.facts.roster.side[company.index()] != self.side {
                seen.hide_heart();
            }
            return Some(seen);
        }
        self.board.seen[company.index()]
    }

    fn person(&self, person: PersonId) -> Option<SeenPerson> {
        let company = *self.persons.company.get(person.index())?;
        if self.is_live(company) {
            return Some(SeenPerson {
                company,
                alive: self.persons.alive[person.index()],
                hurt: self.persons.wounds[person.index()] > 0,
            });
        }
        self.board.persons[person.index()]
    }

    fn gap(&self, portal: PortalId) -> Option<i32> {
        if self.all {
            Some(self.gates.gap[portal.index()])
        } else {
            self.board.gap.get(portal.index()).copied().flatten()
        }
    }

    fn jammed(&self, portal: PortalId) -> Option<bool> {
        if self.all {
            return Some(self.gates.leaf[portal.index()] == Leaf::Jammed);
        }
        let known = self.board.gap.get(portal.index()).copied().flatten();
        known.and_then(|_| self.board.jammed.get(portal.index()).copied())
    }

    fn owner(&self, area: AreaId) -> Option<Option<SideId>> {
        Some(if self.all {
            self.owners.owner[area.index()]
        } else {
            self.board.owner[area.index()]
        })
    }

    fn missiles(&self, unit: UnitId) -> Option<i32> {
        if !self.is_own(unit) {
            return None;
        }
        missiles(self.setting, self.facts.roster, self.stores, self.engines, unit)
    }

    fn loaded(&self, unit: UnitId) -> Option<bool> {
        if !self.is_own(unit) {
            return None;
        }
        loaded(self.facts.roster, self.engines, self.clock.pulse, unit)
    }

    fn fired(&self, line: &str, then: bool) -> Option<i32> {
        // A side's plan is common to its posts, the enemy's is not.
        let mut fired = self.fired.iter().filter(|f| self.all || f.side == self.side);
        fired
            .find(|f| f.then == then && f.label == line)
            .map(|f| f.pulse as i32 * self.clock.pulse_s)
    }

    fn heard(&self, channel: Channel) -> Option<i32> {
        self.board.heard[channel as usize]
    }

    fn told(&self, _: &str) -> Option<i32> {
        None
    }

    fn broke(&self, company: CompanyId) -> bool {
        self.board.broke[company.index()] || self.seen(company).is_some_and(|s| s.is(flag::BROKEN))
    }
}

/// Where the leaves of a gate or the mouth of another portal are.
#[must_use]
pub fn portal_at(setting: &Setting, portal: PortalId) -> PointCm {
    leaf_at(&setting.site, portal)
}

/// How far a signal carries; none is without bound.
#[must_use]
pub fn carries_cm(rules: &Catalogue, channel: Channel) -> Option<i32> {
    let law = &rules.laws.message;
    match channel {
        Channel::Shout => Some(metres_to_cm(law.shout_m.v())),
        Channel::Gong | Channel::Drum => Some(metres_to_cm(law.gong_m.v())),
        Channel::Flag => Some(metres_to_cm(law.flag_m.v())),
        Channel::Courier | Channel::Beacon => None,
    }
}
