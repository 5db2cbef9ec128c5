//! L12 and L14, shots and stores.
//!
//! Decides who shoots at whom, how many missiles fly, where they come down and
//! how many men they put out of the fight. A missile comes down where its
//! scatter says and hits who stands there, friend or foe, by the ground he takes.
//! Who shoots at will does by his standing instructions: he spares what a closed shape
//! covers too well to be worth it and what stands near friends, and keeps his last
//! arrows for the foot of his wall.
//!
//! Reads tasks, places, forms, strength, spirits, contacts and who is at a job.
//! Writes `Engines`, `Stores` and `Blocks`; drains `EngineJobs`. Asks `casualties`
//! for the struck and `shape` to open roofs. Never chooses what a unit is about.
//! Off: nobody shoots; with the law of stores off nothing is ever used up.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, NodeId, WeaponId};
use crate::core::measure::metres_to_cm;
use crate::orders::ast::Instruction;
use crate::scenario::catalogue::Shot;
use crate::scenario::site::Level;
use crate::sim::board::{
    AtEngines, Blocks, Cause, Clock, Contacts, Emplaced, Engines, Fire, Forms, Mind, OpenedRoofs,
    Places, Rolls, Roster, Setting, Spirits, Stores, Strength, Tasks, Tidings, Wounds,
};
use crate::sim::body::Spacing;
use crate::sim::journal::Journal;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

mod aim;
mod cover;
mod crews;
mod flight;
mod keep;
mod setup;
mod stands;
mod tell;
#[cfg(test)]
mod tests;
mod wreck;

use aim::{Ask, look};
use crews::crews_shoot;
use flight::{Ground, Gun, Toll, volley};
use tell::{note, report, tell};

/// This room's dice.
const ROOM: u8 = 4;
/// Seconds of shooting that are told in one entry.
const TOLD_S: i32 = 6;

/// What each company is shooting at, and how far it is with its weapon.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    target: Option<CompanyId>,
    /// Pulse of the next look for a target.
    look_at: u32,
    /// Missiles of a thousandth, owed to the next pulse.
    carry: i32,
    /// Thousandths of a missile left in each man's magazine.
    magazine: i32,
    /// Milliseconds until the magazine is full again.
    reload_ms: i32,
    /// Thousandths of a pulse by which crews under fire lag behind.
    lag: i32,
    /// What is to be told: target, missiles, men hit, weapon, since when.
    told: Option<(CompanyId, WeaponId)>,
    flown: i32,
    hits: i32,
    told_at: u32,
}

/// What the room keeps for itself.
#[derive(Resource, Debug, Default)]
struct Battery {
    spacing: Spacing,
    aims: Vec<Aim>,
    /// Companies that can shoot at all, ascending.
    shooters: Vec<CompanyId>,
    /// Whether each company serves an engine that works.
    serves: Vec<bool>,
    /// The node on which each engine's company was in the last pulse.
    on: Vec<NodeId>,
    /// Square centimetres that men take on each node, and bits of their parties.
    ground: Vec<Ground>,
    /// Blocks in reach with their worth, for one look.
    found: Vec<(i64, usize)>,
    /// Units that have been told to be empty, or loaded.
    empty: Vec<bool>,
    loaded: Vec<bool>,
}

/// What shooting reads of the board.
#[derive(Clone, Copy)]
struct Field<'a> {
    setting: &'a Setting,
    roster: &'a Roster,
    places: &'a Places,
    strength: &'a Strength,
    spirits: &'a Spirits,
    forms: &'a Forms,
    contacts: &'a Contacts,
    blocks: &'a Blocks,
    serves: &'a [bool],
}

#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn shoot(
    mut battery: ResMut<Battery>,
    mut engines: ResMut<Engines>,
    mut stores: ResMut<Stores>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    mut journal: ResMut<Journal>,
    mut tidings: ResMut<Tidings>,
    mut opened: ResMut<OpenedRoofs>,
    (tasks, at_engines): (Res<Tasks>, Res<AtEngines>),
    clock: Res<Clock>,
    (setting, roster, places, strength, spirits, forms, contacts, blocks): (
        Res<Setting>,
        Res<Roster>,
        Res<Places>,
        Res<Strength>,
        Res<Spirits>,
        Res<Forms>,
        Res<Contacts>,
        Res<Blocks>,
    ),
) {
    if setting.off.is_off(Law::Shot) {
        return;
    }
    let battery = &mut *battery;
    let serves = std::mem::take(&mut battery.serves);
    let field = Field {
        serves: &serves,
        setting: &setting,
        roster: &roster,
        places: &places,
        strength: &strength,
        spirits: &spirits,
        forms: &forms,
        contacts: &contacts,
        blocks: &blocks,
    };
    let rules = &*setting.rules;
    let law = &rules.laws.shot;
    let stands_cm_s = metres_to_cm(law.stands_m_s.v());
    let endless = setting.off.is_off(Law::Stores);
    let mut roll = rolls.0.room(clock.pulse, ROOM);
    let shooters = std::mem::take(&mut battery.shooters);
    let mut toll = Toll { wounds: &mut wounds, opened: &mut opened, batteries: Vec::new() };
    for &company in &shooters {
        let i = company.index();
        let men = strength.men[i];
        if men <= 0 || matches!(spirits.mind[i], Mind::Broken | Mind::Yielded | Mind::Gone) {
            battery.aims[i].target = None;
            continue;
        }
        let unit = roster.unit[i];
        let fire = tasks.fire.get(unit.index()).unwrap_or(&Fire::Will);
        let mut ask = Ask::of(fire, rules, |what| tasks.stands(unit, what));
        let on_wall = setting.site.nodes[places.node[i].index()].level == Level::Rampart;
        if on_wall && !endless && stores.full[i] > 0 && tasks.stands(unit, Instruction::KeepArrows)
        {
            ask.keep(fire, rules, stores.missiles[i], stores.full[i]);
        }
        let aim = &mut battery.aims[i];
        let kind = &rules.units[roster.kind[i].index()];
        let own = kind.missile.filter(|w| !setting.off.weapons.contains(w));
        let shape = rules.shape(forms.shape[i]);
        // Men in contact fight, and men at the engines serve them.
        let served: i32 = engines.of_company[i]
            .iter()
            .map(|e| rules.engines[engines.kind[e.index()].index()].crew.v() as i32)
            .sum();
        if let Some(shot) = own.and_then(|w| rules.weapons[w.index()].shot.as_ref()) {
            ready(aim, shot, clock.pulse_s);
        }
        let holds =
            matches!(fire, Fire::Hold) || (matches!(fire, Fire::Volley(_)) && engines.owed[i] <= 0);
        if !holds && shape.shoots {
            let mut did = false;
            if let Some((weapon, shot)) =
                own.and_then(|w| rules.weapons[w.index()].shot.as_ref().map(|s| (w, s)))
            {
                let free = men - contacts.front[i] - served;
                let moving = places.speed_cm_s[i] > stands_cm_s;
                if free > 0 && (stores.missiles[i] > 0 || endless) && (!moving || roster.mounted[i])
                {
                    let gun = Gun::by_hand(weapon, shot, company, moving, ask.free, &field);
                    let flies = pick_target(battery, company, &gun, &ask, &field, &clock);
                    if let Some(target) = flies {
                        let aim = &mut battery.aims[i];
                        let rate = gun.rate * if ask.free { 1.0 } else { law.aimed_rate.v() };
                        let mut n = missiles(aim, shot, free, rate, clock.pulse_s);
                        if !endless {
                            n = n.min(stores.missiles[i]);
                            stores.missiles[i] -= n;
                        }
                        if n > 0 {
                            let mut draws = roll.of(i);
                            let hits = volley(
                                &gun,
                                n,
                                target,
                                &battery.spacing,
                                &battery.ground,
                                &field,
                                &mut draws,
                                &mut toll,
                            );
                            wreck::wreck(
                                &mut engines,
                                &mut toll,
                                &field,
                                &clock,
                                &mut draws,
                                &mut journal,
                            );
                            note(
                                &mut battery.aims[i],
                                target,
                                weapon,
                                n,
                                hits,
                                &clock,
                                &field,
                                company,
                                &mut journal,
                            );
                            did = true;
                        }
                    }
                }
            }
            if at_engines.0.binary_search(&company).is_err() {
                did |= crews_shoot(
                    battery,
                    &mut engines,
                    company,
                    &ask,
                    &field,
                    &clock,
                    endless,
                    &mut roll,
                    &mut toll,
                    &mut journal,
                );
            }
            if did && matches!(fire, Fire::Volley(_)) {
                engines.owed[i] -= 1;
            }
        }
        // What has been told of so far, once it is over.
        let aim = &mut battery.aims[i];
        if aim.told.is_some()
            && clock.pulse.saturating_sub(aim.told_at) as i32 * clock.pulse_s >= TOLD_S
        {
            tell(aim, &clock, &field, company, &mut journal);
        }
    }
    rolls.0.count(&roll);
    battery.shooters = shooters;
    report(battery, &engines, &stores, &field, &clock, endless, &mut journal, &mut tidings);
    battery.serves = serves;
}

/// A magazine that is being filled.
fn ready(aim: &mut Aim, shot: &Shot, pulse_s: i32) {
    if shot.magazine.v() <= 0.0 || aim.magazine > 0 {
        return;
    }
    aim.reload_ms -= pulse_s * 1000;
    if aim.reload_ms <= 0 {
        aim.reload_ms = 0;
        aim.magazine = (shot.magazine.v() * 1000.0) as i32;
    }
}

/// Missiles that so many men let go in a pulse; what is left of one is carried over.
fn missiles(aim: &mut Aim, shot: &Shot, men: i32, rate: f64, pulse_s: i32) -> i32 {
    let mut each = (shot.per_minute.v() * rate * shot.missiles.v() / 60.0
        * 1000.0
        * f64::from(pulse_s)) as i32;
    if shot.magazine.v() > 0.0 {
        each = each.min(aim.magazine);
        aim.magazine -= each;
        if aim.magazine <= 0 {
            aim.reload_ms = (shot.reload_s.v() * 1000.0) as i32;
        }
    }
    let all = i64::from(each) * i64::from(men) + i64::from(aim.carry);
    aim.carry = (all % 1000) as i32;
    (all / 1000) as i32
}

/// The target of a company: the old one while it is good, else a new look.
fn pick_target(
    battery: &mut Battery,
    company: CompanyId,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    field: &Field<'_>,
    clock: &Clock,
) -> Option<CompanyId> {
    let i = company.index();
    let aim = battery.aims[i];
    let good = aim.target.is_some_and(|t| aim::good(t, gun, ask, &battery.spacing, field));
    if good && clock.pulse < aim.look_at {
        return aim.target;
    }
    if !good && aim.target.is_none() && clock.pulse < aim.look_at {
        return None;
    }
    let known = (&battery.ground[..], &battery.spacing);
    let target = look(gun, ask, field, known, &mut battery.found);
    let aim = &mut battery.aims[i];
    aim.target = target;
    // Not all look in the same pulse.
    let every = looks(field, clock);
    let jitter = if target.is_none() { 0 } else { u32::from(company.0) % 2 };
    aim.look_at = clock.pulse + every + jitter;
    target
}

/// Pulses between two looks, at least one.
fn looks(field: &Field<'_>, clock: &Clock) -> u32 {
    (field.setting.rules.laws.shot.look_s.v() as u32 / clock.pulse_s.max(1) as u32).max(1)
}

/// Adds the room to a battle.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    setup::install(world);
    schedule.add_systems((keep::keep, keep::count, shoot).chain().in_set(Phase::Missiles));
}

/// What the room wrote, for the digest of a pulse.
pub fn digest(world: &World, d: &mut Digest) {
    let (engines, stores) = (world.resource::<Engines>(), world.resource::<Stores>());
    for e in 0..engines.kind.len() {
        d.i32(engines.store[e]);
        d.u32(engines.ready_at[e] << 1 | u32::from(engines.depressed[e]));
        if engines.stand[e] != Emplaced::Forward || !engines.works[e] {
            d.u32((e as u32) << 3 | (engines.stand[e] as u32) << 1 | u32::from(engines.works[e]));
        }
    }
    for owed in engines.owed.iter().filter(|o| **o > 0) {
        d.i32(*owed);
    }
    for missiles in stores.missiles.iter().filter(|m| **m > 0) {
        d.i32(*missiles);
    }
}

/// The cause that a weapon's hits are counted under.
fn cause_of(shot: &Shot, engine: bool) -> Cause {
    match (engine, shot.swath_m.v() > 0.0) {
        (true, true) => Cause::Stone,
        (true, false) => Cause::Bolt,
        (false, _) => Cause::Arrow,
    }
}

/// Metres of a length in centimetres.
fn metres(cm: i32) -> f64 {
    f64::from(cm) / 100.0
}

/// Range of a weapon in centimetres.
fn range_cm(shot: &Shot) -> i32 {
    metres_to_cm(shot.range_m.v())
}
