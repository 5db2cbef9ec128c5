//! L10, persons.
//!
//! Decides what a named person strikes down on his own front, whether he is hurt
//! or falls, with which company he is after splits and merges, and when he
//! crosses a gate. His unit goes on under the next man. His presence is felt in
//! `heart`, which reads where he is.
//!
//! Reads contacts, strength, places. Writes `Persons`; asks `casualties`,
//! `heart`, `knowledge`. Off: persons neither strike nor fall; they still ride.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, NodeId, PersonId, PortalId};
use crate::core::measure::chance;
use crate::sim::board::{
    Cause, Clock, Contacts, Merges, Mind, News, Persons, Places, Rolls, Roster, Setting, Shock,
    Shocks, Spirits, Splits, Strength, Tiding, Tidings, Why, Wound, Wounds,
};
use crate::sim::body::goes_through;
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

/// This room's dice.
const ROOM: u8 = 6;
/// A second stream, so that what he strikes and what strikes him share nothing.
const ROOM_HURT: u8 = ROOM | 0x80;

/// Where each person stands with the gates.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Node of his company in the pulse before.
    node: NodeId,
    /// The portal that it straddled, and whether inwards.
    through: Option<(PortalId, bool)>,
    /// Whether he himself has crossed it.
    told: bool,
}

/// What the room keeps for itself.
#[derive(Resource, Debug, Default)]
struct Ways(Vec<Way>);

/// What persons strike down.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn strike(
    persons: Res<Persons>,
    contacts: Res<Contacts>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    spirits: Res<Spirits>,
) {
    if setting.off.is_off(Law::Person)
        || setting.off.is_off(Law::Blows)
        || contacts.pairs.is_empty()
    {
        return;
    }
    let rules = &*setting.rules;
    let mut roll = rolls.0.room(clock.pulse, ROOM);
    for (p, person) in setting.scenario.persons.iter().enumerate() {
        let i = persons.company[p].index();
        let Some(foe) = contacts.foe[i] else { continue };
        if !persons.alive[p] || persons.captive[p] || spirits.mind[i] == Mind::Broken {
            continue;
        }
        let hand = rules.units[roster.kind[i].index()].hand;
        let Some(blow) = rules.weapons[hand.index()].blow.as_ref() else { continue };
        let foe_kind = &rules.units[roster.kind[foe.index()].index()];
        let armour = &rules.armour[foe_kind.armour.index()];
        let line = rules.shape(crate::scenario::catalogue::Shape::Line);
        let file =
            if roster.mounted[foe.index()] { line.horse_front_m.v() } else { line.front_m.v() };
        // He reaches those on his own front and no more, however strong he is.
        let reach = (rules.laws.person.own_front_m.v() / file.max(0.1)).max(1.0) as i32 + 1;
        let struck = person.prowess * blow.per_minute.v() / 60.0
            * clock.dt()
            * blow.lands.v()
            * goes_through(blow.energy_j.v(), armour.stops_j.v())
            * rules.laws.blows.lethality.v();
        let men = roll.of(p).binomial(reach, chance(struck / f64::from(reach)));
        if men > 0 {
            let by = Some(roster.unit[i]);
            wounds.0.push(Wound { company: foe, men, cause: Cause::Blow, by, weapon: Some(hand) });
        }
    }
    rolls.0.count(&roll);
}

/// What befalls persons after the men of the pulse have fallen.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn suffer(
    mut persons: ResMut<Persons>,
    mut rolls: ResMut<Rolls>,
    mut shocks: ResMut<Shocks>,
    mut tidings: ResMut<Tidings>,
    mut journal: ResMut<Journal>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    contacts: Res<Contacts>,
    merges: Res<Merges>,
    splits: Res<Splits>,
) {
    let off = setting.off.is_off(Law::Person);
    let law = &setting.rules.laws.person;
    let mut roll = rolls.0.room(clock.pulse, ROOM_HURT);
    for (p, person) in setting.scenario.persons.iter().enumerate() {
        if !persons.alive[p] {
            continue;
        }
        let id = PersonId::from_index(p);
        follow(&mut persons.company[p], person.rides_last, &merges, &splits);
        let company = persons.company[p];
        let i = company.index();
        persons.captive[p] = spirits.mind[i] == Mind::Yielded;
        persons.stamina[p] = spirits.stamina[i];
        let lost = strength.lost_now[i];
        if !off && lost > 0 {
            let share = f64::from(lost) / f64::from(lost + strength.men[i]);
            let hit = (law.exposed.v() * share).min(1.0);
            let at = places.at[i];
            if roll.of(p).happens(chance(hit)) {
                persons.wounds[p] += 1;
                if persons.wounds[p] < person.toughness {
                    journal.add(
                        clock.pulse,
                        Happening::PersonHurt { person: id, wounds: persons.wounds[p] },
                    );
                    tidings.0.push(News { event: Tiding::Hurt(id), at });
                } else {
                    persons.alive[p] = false;
                    journal.add(clock.pulse, Happening::PersonFell { person: id });
                    tidings.0.push(News { event: Tiding::Fell(id), at });
                    mourn(
                        company,
                        person.presence_cm,
                        law.presence_heart.v() * law.fall_s.v(),
                        &mut shocks,
                        &setting,
                        &roster,
                        &places,
                    );
                    continue;
                }
            }
        }
        // A leader stays with the body of his unit: when his own company has melted
        // away or run, he rides over to the strongest one within his presence.
        let full = setting.rules.units[roster.kind[i].index()].company_size;
        let beset = f64::from(contacts.sides[i]) >= law.beset_sides.v();
        let weak = strength.men[i] * 2 < full || spirits.mind[i] == Mind::Broken || beset;
        if !off && weak && strength.men[i] > 0 && !persons.captive[p] {
            let here = places.at[i];
            let rides_cm = (f64::from(person.presence_cm) * law.rides_over.v()) as i32;
            let near = |c: &&CompanyId| {
                let o = c.index();
                strength.men[o] > 0
                    && spirits.mind[o] == Mind::Steady
                    && places.at[o].distance_cm(here) <= rides_cm
            };
            let best = roster.of_unit[roster.unit[i].index()].iter().filter(near);
            let worth = |c: CompanyId| {
                (contacts.foe[c.index()].is_none(), strength.men[c.index()], std::cmp::Reverse(c.0))
            };
            if let Some(next) = best.max_by_key(|c| worth(**c))
                && worth(*next) > worth(company)
            {
                persons.company[p] = *next;
            }
        }
        // Alone: he gets away to the nearest of his unit, or his ride is over.
        if strength.men[i] == 0
            && !persons.captive[p]
            && let Some(next) = nearest(company, &roster, &places, &strength)
        {
            persons.company[p] = next;
        }
    }
    rolls.0.count(&roll);
}

/// Where a person goes when his company is merged or cut in two: who rides last
/// is with the part behind.
fn follow(company: &mut CompanyId, rides_last: bool, merges: &Merges, splits: &Splits) {
    for (before, behind, _) in &splits.0 {
        if rides_last && before == company {
            *company = *behind;
        }
    }
    for (from, into, _) in &merges.0 {
        if from == company {
            *company = *into;
        }
    }
}

/// The nearest company of the same unit that still has men.
fn nearest(
    company: CompanyId,
    roster: &Roster,
    places: &Places,
    strength: &Strength,
) -> Option<CompanyId> {
    let at = places.at[company.index()];
    let unit = roster.unit[company.index()];
    roster.of_unit[unit.index()]
        .iter()
        .copied()
        .filter(|c| strength.men[c.index()] > 0)
        .min_by_key(|c| (places.at[c.index()].distance_cm(at), *c))
}

/// His own unit, and every friend near enough to have felt his presence, lose heart.
fn mourn(
    company: CompanyId,
    presence_cm: i32,
    loses: f64,
    shocks: &mut Shocks,
    setting: &Setting,
    roster: &Roster,
    places: &Places,
) {
    let by = -loses as i32;
    let at = places.at[company.index()];
    let (unit, party) = (roster.unit[company.index()], roster.party[company.index()]);
    for &c in &roster.of_unit[unit.index()] {
        if roster.mustered[c.index()] {
            shocks.0.push(Shock { company: c, by, why: Why::LeaderFell });
        }
    }
    let nodes = setting.site.cell_cm.max(1);
    let steps = presence_cm / nodes + 1;
    let Some(centre) = setting.site.node_at(at) else { return };
    let (column, row) =
        ((centre.0 % setting.site.columns) as i32, (centre.0 / setting.site.columns) as i32);
    for y in (row - steps).max(0)..=(row + steps).min(setting.site.rows as i32 - 1) {
        for x in (column - steps).max(0)..=(column + steps).min(setting.site.columns as i32 - 1) {
            let ground = NodeId((y * setting.site.columns as i32 + x) as u32);
            for node in
                [Some(ground), setting.site.rampart_of[ground.index()]].into_iter().flatten()
            {
                for c in places.on(node) {
                    let j = c.index();
                    let felt = roster.party[j] == party && roster.unit[j] != unit;
                    if felt && places.at[j].distance_cm(at) <= presence_cm {
                        shocks.0.push(Shock { company: c, by, why: Why::LeaderFell });
                    }
                }
            }
        }
    }
}

/// Tells of persons who cross a portal with leaves: with the first of their
/// company, or with its last man.
fn cross(
    mut ways: ResMut<Ways>,
    mut journal: ResMut<Journal>,
    persons: Res<Persons>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    places: Res<Places>,
) {
    let site = &*setting.site;
    for (p, person) in setting.scenario.persons.iter().enumerate() {
        if !persons.alive[p] {
            continue;
        }
        let i = persons.company[p].index();
        let (way, node) = (&mut ways.0[p], places.node[i]);
        let mut crossed = None;
        match (places.straddles[i], way.through) {
            (Some((portal, inward)), before) => {
                if before.is_none_or(|(old, _)| old != portal) {
                    way.told = false;
                }
                way.through = Some((portal, inward));
                if !way.told && !person.rides_last && places.passed[i] > 0 {
                    crossed = Some((portal, inward));
                }
            }
            (None, Some((portal, inward))) => {
                let far = if inward {
                    &site.portals[portal.index()].inner
                } else {
                    &site.portals[portal.index()].outer
                };
                let near = if inward {
                    &site.portals[portal.index()].outer
                } else {
                    &site.portals[portal.index()].inner
                };
                // Back where it came from, it has not crossed.
                if !way.told && (far.contains(&node) || !near.contains(&node)) {
                    crossed = Some((portal, inward));
                }
                way.through = None;
            }
            (None, None) => {
                if node != way.node {
                    way.told = false;
                    crossed = site.portals_at(way.node).find_map(|portal| {
                        let passage = &site.portals[portal.index()];
                        if passage.outer.contains(&way.node) && passage.inner.contains(&node) {
                            Some((portal, true))
                        } else if passage.inner.contains(&way.node) && passage.outer.contains(&node)
                        {
                            Some((portal, false))
                        } else {
                            None
                        }
                    });
                }
            }
        }
        way.node = node;
        if let Some((portal, inward)) = crossed {
            way.told = true;
            let passage = &site.portals[portal.index()];
            if passage.leaves {
                let person = PersonId::from_index(p);
                journal.add(
                    clock.pulse,
                    Happening::PersonCrossed { person, work: passage.work, inward },
                );
            }
        }
    }
}

/// Adds the room to a battle. Where muster has not attached the persons, each
/// rides with the first company of his unit.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let (setting, roster) = (world.resource::<Setting>(), world.resource::<Roster>());
    let company: Vec<CompanyId> = setting
        .scenario
        .persons
        .iter()
        .map(|p| roster.of_unit[p.unit.index()].first().copied().unwrap_or(CompanyId(0)))
        .collect();
    let n = company.len();
    if world.get_resource::<Persons>().is_none_or(|p| p.company.len() != n) {
        world.insert_resource(Persons {
            company,
            wounds: vec![0; n],
            alive: vec![true; n],
            stamina: vec![1000; n],
            captive: vec![false; n],
        });
    }
    world
        .insert_resource(Ways(vec![Way { node: NodeId(u32::MAX), through: None, told: false }; n]));
    world.init_resource::<Wounds>();
    world.init_resource::<Shocks>();
    world.init_resource::<Tidings>();
    world.init_resource::<Merges>();
    world.init_resource::<Splits>();
    world.init_resource::<Journal>();
    // After the blows of men: both ask for wounds, in a fixed order.
    schedule.add_systems(strike.in_set(Phase::PersonBlows));
    schedule.add_systems((suffer, cross).chain().in_set(Phase::Persons));
}

/// What the room wrote, for the digest of a pulse.
pub fn digest(world: &World, d: &mut Digest) {
    let persons = world.resource::<Persons>();
    for p in 0..persons.company.len() {
        d.u32(
            u32::from(persons.company[p].0)
                | u32::from(persons.alive[p]) << 16
                | u32::from(persons.captive[p]) << 17,
        );
        d.i32(persons.wounds[p]);
    }
}
