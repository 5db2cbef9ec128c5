//! The truth: every fact of the board, for ends, objectives and measures. No post
//! acts on it while the law of knowledge is on.

use bevy_ecs::prelude::*;

use super::board::{
    Clock, Contacts, Engines, Escalade, FiredLines, Forms, Gates, Leaf, Litter, Mind, Owners,
    Persons, Places, Roster, Setting, Spirits, Stores, Strength, Tasks,
};
use super::journal::Journal;
use super::judge::{Eyes, SLOW_CM_S, Seen, SeenPerson, flag};
use super::lands::Lands;
use crate::core::ids::{AreaId, CompanyId, PersonId, PortalId, SideId, UnitId};
use crate::orders::ast::{Channel, Subject};
use crate::scenario::catalogue::Shape;

/// All facts of a battle, borrowed.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the fields are the board's resources of the same names")]
pub struct Truth<'a> {
    pub setting: &'a Setting,
    pub clock: &'a Clock,
    pub roster: &'a Roster,
    pub places: &'a Places,
    pub strength: &'a Strength,
    pub spirits: &'a Spirits,
    pub forms: &'a Forms,
    pub contacts: &'a Contacts,
    pub tasks: &'a Tasks,
    pub gates: &'a Gates,
    pub engines: &'a Engines,
    pub escalade: Option<&'a Escalade>,
    pub stores: &'a Stores,
    pub persons: &'a Persons,
    pub litter: &'a Litter,
    pub owners: &'a Owners,
    pub lands: &'a Lands,
    pub fired: &'a FiredLines,
    pub journal: &'a Journal,
    /// Whose enemies and friends are meant; none outside of a line.
    pub asks: Option<SideId>,
    /// For whom the line is that asks.
    pub own: &'a [Subject],
}

impl<'a> Truth<'a> {
    /// The truth of a battle's world. All rooms must be installed.
    #[must_use]
    pub fn of(world: &'a World) -> Self {
        Self {
            setting: world.resource(),
            clock: world.resource(),
            roster: world.resource(),
            places: world.resource(),
            strength: world.resource(),
            spirits: world.resource(),
            forms: world.resource(),
            contacts: world.resource(),
            tasks: world.resource(),
            gates: world.resource(),
            engines: world.resource(),
            escalade: world.get_resource(),
            stores: world.resource(),
            persons: world.resource(),
            litter: world.resource(),
            owners: world.resource(),
            lands: world.resource(),
            fired: world.resource(),
            journal: world.resource(),
            asks: None,
            own: &[],
        }
    }

    /// The same, asked by a side.
    #[must_use]
    pub const fn asked_by(mut self, side: SideId) -> Self {
        self.asks = Some(side);
        self
    }
}

/// Where the facts of a company lie.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// Who is who.
    pub roster: &'a Roster,
    /// Places.
    pub places: &'a Places,
    /// Strengths.
    pub strength: &'a Strength,
    /// Hearts.
    pub spirits: &'a Spirits,
    /// Shapes.
    pub forms: &'a Forms,
    /// Contacts.
    pub contacts: &'a Contacts,
}

impl Facts<'_> {
    /// A company as it is now; none for a spare one.
    #[must_use]
    pub fn seen(&self, company: CompanyId, pulse: u32) -> Option<Seen> {
        let c = company.index();
        if !self.roster.mustered[c] {
            return None;
        }
        let mind = self.spirits.mind[c];
        let men = self.strength.men[c];
        let speed = self.places.speed_cm_s[c];
        let gone = mind == Mind::Gone || (men <= 0 && mind != Mind::Yielded);
        let set = |bit: u16, on: bool| if on { bit } else { 0 };
        let shape = self.forms.shape[c];
        let broken = matches!(mind, Mind::Broken | Mind::Rallying);
        let slow = speed < SLOW_CM_S;
        let flags = set(flag::GONE, gone)
            | set(flag::BROKEN, broken)
            | set(flag::CAPTIVE, mind == Mind::Yielded)
            | set(flag::FORMED, !gone && !broken && mind != Mind::Yielded && shape != Shape::Crowd)
            | set(flag::ROOFED, shape == Shape::Roof && self.forms.forming[c] == 0)
            | set(flag::LOOSE, shape == Shape::Loose && self.forms.forming[c] == 0)
            | set(flag::MOVING, speed > 0)
            | set(flag::SLOW, slow)
            | set(flag::STALLED, slow && self.places.blocked[c] > 0)
            | set(flag::FIGHTING, self.contacts.foe[c].is_some() || self.contacts.front[c] > 0)
            | set(flag::MOUNTED, self.roster.mounted[c]);
        Some(Seen {
            at: self.places.at[c],
            node: self.places.node[c],
            men,
            passed: self.places.passed[c],
            straddles: self.places.straddles[c],
            lost: self.strength.lost[c],
            captive: self.strength.captive[c],
            flags,
            speed_cm_s: speed,
            heart: self.spirits.heart[c],
            stamina: self.spirits.stamina[c],
            pulse,
        })
    }
}

/// Missiles left to a unit in thousandths of what it started with: its engines'
/// if it serves any, else its own weapons'. None if it never shoots.
#[must_use]
pub fn missiles(
    setting: &Setting,
    roster: &Roster,
    stores: &Stores,
    engines: &Engines,
    unit: UnitId,
) -> Option<i32> {
    let supply = setting.scenario.units[unit.index()].supply;
    let (mut left, mut full) = (0_i64, 0_i64);
    for company in roster.of_unit[unit.index()].iter().take_while(|c| roster.mustered[c.index()]) {
        for engine in &engines.of_company[company.index()] {
            let kind = &setting.rules.engines[engines.kind[engine.index()].index()];
            let Some(shot) =
                kind.weapon.and_then(|w| setting.rules.weapons[w.index()].shot.as_ref())
            else {
                continue;
            };
            left += i64::from(engines.store[engine.index()]);
            full += (shot.carried.v() * supply) as i64;
        }
    }
    if full == 0 {
        for company in
            roster.of_unit[unit.index()].iter().take_while(|c| roster.mustered[c.index()])
        {
            left += i64::from(stores.missiles[company.index()]);
            full += i64::from(stores.full[company.index()]);
        }
    }
    // Rounded up: what is not empty never reads as empty.
    (full > 0).then(|| ((left * 1000 + full - 1) / full).clamp(0, 1000) as i32)
}

/// Whether all engines of a unit that work are loaded; none if it serves none.
#[must_use]
pub fn loaded(roster: &Roster, engines: &Engines, pulse: u32, unit: UnitId) -> Option<bool> {
    let mut loaded = None;
    for company in roster.of_unit[unit.index()].iter().take_while(|c| roster.mustered[c.index()]) {
        for engine in
            engines.of_company[company.index()].iter().filter(|e| engines.works[e.index()])
        {
            let ready = engines.ready_at[engine.index()] <= pulse;
            loaded = Some(loaded.unwrap_or(true) && ready);
        }
    }
    loaded
}

impl Eyes for Truth<'_> {
    fn setting(&self) -> &Setting {
        self.setting
    }

    fn roster(&self) -> &Roster {
        self.roster
    }

    fn lands(&self) -> &Lands {
        self.lands
    }

    fn now_s(&self) -> i32 {
        self.clock.now_s()
    }

    fn certain(&self) -> bool {
        true
    }

    fn asks(&self) -> Option<SideId> {
        self.asks
    }

    fn own(&self) -> &[Subject] {
        self.own
    }

    fn seen(&self, company: CompanyId) -> Option<Seen> {
        Facts {
            roster: self.roster,
            places: self.places,
            strength: self.strength,
            spirits: self.spirits,
            forms: self.forms,
            contacts: self.contacts,
        }
        .seen(company, self.clock.pulse)
    }

    fn person(&self, person: PersonId) -> Option<SeenPerson> {
        let p = person.index();
        Some(SeenPerson {
            company: *self.persons.company.get(p)?,
            alive: self.persons.alive[p],
            hurt: self.persons.wounds[p] > 0,
        })
    }

    fn gap(&self, portal: PortalId) -> Option<i32> {
        Some(self.gates.gap[portal.index()])
    }

    fn jammed(&self, portal: PortalId) -> Option<bool> {
        Some(self.gates.leaf[portal.index()] == Leaf::Jammed)
    }

    fn owner(&self, area: AreaId) -> Option<Option<SideId>> {
        Some(self.owners.owner[area.index()])
    }

    fn missiles(&self, unit: UnitId) -> Option<i32> {
        missiles(self.setting, self.roster, self.stores, self.engines, unit)
    }

    fn loaded(&self, unit: UnitId) -> Option<bool> {
        loaded(self.roster, self.engines, self.clock.pulse, unit)
    }

    fn fired(&self, line: &str, then: bool) -> Option<i32> {
        let fired = self.fired.0.iter().find(|f| f.then == then && f.label == line)?;
        Some(fired.pulse as i32 * self.clock.pulse_s)
    }

    fn heard(&self, _: Channel) -> Option<i32> {
        None
    }

    fn told(&self, _: &str) -> Option<i32> {
        None
    }

    fn broke(&self, company: CompanyId) -> bool {
        matches!(self.spirits.mind[company.index()], Mind::Broken | Mind::Rallying)
    }
}
