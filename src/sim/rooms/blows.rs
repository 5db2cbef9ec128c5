//! L18, blows hand to hand.
//!
//! Decides how many men are struck down in each pair in contact: the men in
//! reach, their rate, skill, shape and breath, the side that they strike and the
//! armour that they must get through. Per man and second, never per company.
//!
//! Reads contacts, strength, forms, spirits. Asks `casualties` for the struck.
//! Never decides who is in contact. Off: nobody strikes.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, WeaponId};
use crate::core::measure::chance;
use crate::scenario::catalogue::Catalogue;
use crate::sim::board::{
    Cause, Clock, Contacts, Forms, Mind, Pair, Rolls, Roster, Setting, Spirits, Wound, Wounds,
};
use crate::sim::body::goes_through;
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

#[cfg(test)]
mod tests;

/// This room's dice.
const ROOM: u8 = 3;

/// What a pair of kinds comes to: struck men per man in reach and second, on the
/// front, with everybody fresh, in line, of the first kind against the second.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    /// In front, where a shield helps.
    front: f64,
    /// Elsewhere.
    open: f64,
}

/// The rates of all pairs of kinds: `rates[striker * kinds + struck]`.
#[derive(Resource, Debug, Default)]
struct Rates {
    kinds: usize,
    of: Vec<Rate>,
    /// What each kind strikes with, if that is not switched off.
    hand: Vec<Option<WeaponId>>,
}

/// Struck men per striker and second, in front and elsewhere.
fn rate(rules: &Catalogue, striker: usize, struck: usize) -> Rate {
    let (own, foe) = (&rules.units[striker], &rules.units[struck]);
    let Some(blow) = rules.weapons[own.hand.index()].blow.as_ref() else {
        return Rate::default();
    };
    let law = &rules.laws.blows;
    let armour = &rules.armour[foe.armour.index()];
    let (q, r) = (own.quality.v(), foe.quality.v());
    let skill = if q + r > 0.0 { 2.0 * q / (q + r) } else { 0.0 };
    let open = law.presses.v() * blow.per_minute.v() / 60.0
        * blow.lands.v()
        * skill
        * goes_through(blow.energy_j.v(), armour.stops_j.v())
        * law.lethality.v();
    Rate { front: open * (1.0 - armour.shield.v()).clamp(0.0, 1.0), open }
}

/// How much the side that is struck tells: front 1, flank and back as the law
/// says, softened by what the shape makes of its flanks.
fn side_factor(exposed: u8, flank: f64, back: f64, shape_flank: f64) -> f64 {
    let full = match exposed {
        0 => return 1.0,
        1 => flank,
        _ => back,
    };
    1.0 + (full - 1.0) * shape_flank.clamp(0.0, 1.0)
}

#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn strike(
    rates: Res<Rates>,
    contacts: Res<Contacts>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    forms: Res<Forms>,
    spirits: Res<Spirits>,
) {
    if setting.off.is_off(Law::Blows) || contacts.pairs.is_empty() {
        return;
    }
    let rules = &*setting.rules;
    let law = &rules.laws.blows;
    let spent = law.spent.v();
    let mut roll = rolls.0.room(clock.pulse, ROOM);
    let mut last: Option<(CompanyId, crate::core::dice::Draws)> = None;
    for pair in &contacts.pairs {
        if last.as_ref().is_none_or(|(a, _)| *a != pair.a) {
            last = Some((pair.a, roll.of(pair.a.index())));
        }
        let Some((_, draws)) = last.as_mut() else { continue };
        let Pair { a, b, a_men, b_men, a_side, b_side } = *pair;
        for (own, foe, men, own_side, foe_side) in
            [(a, b, a_men, a_side, b_side), (b, a, b_men, b_side, a_side)]
        {
            let (i, j) = (own.index(), foe.index());
            // Who runs or has laid down his arms does not strike; nor does a
            // company with its back to the foe.
            if matches!(spirits.mind[i], Mind::Broken | Mind::Yielded | Mind::Gone) || own_side == 2
            {
                continue;
            }
            let (kind, struck) = (roster.kind[i].index(), roster.kind[j].index());
            let Some(hand) = rates.hand[kind] else { continue };
            let pair_rate = rates.of[kind * rates.kinds + struck];
            let base = if foe_side == 0 { pair_rate.front } else { pair_rate.open };
            let breath = spent + (1.0 - spent) * f64::from(spirits.stamina[i]) / 1000.0;
            let per_s =
                base * side_factor(
                    foe_side,
                    law.flank.v(),
                    law.back.v(),
                    rules.shape(forms.shape[j]).flank.v(),
                ) * rules.shape(forms.shape[i]).fights.v()
                    * breath;
            let struck = draws.binomial(men, chance(per_s * clock.dt()));
            if struck > 0 {
                wounds.0.push(Wound {
                    company: foe,
                    men: struck,
                    cause: Cause::Blow,
                    by: Some(roster.unit[i]),
                    weapon: Some(hand),
                });
            }
        }
    }
    rolls.0.count(&roll);
}

/// Adds the room to a battle.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let setting = world.resource::<Setting>();
    let rules = &setting.rules;
    let kinds = rules.units.len();
    let off = &setting.off.weapons;
    let hand = rules.units.iter().map(|k| Some(k.hand).filter(|w| !off.contains(w))).collect();
    let of = (0..kinds * kinds).map(|at| rate(rules, at / kinds, at % kinds)).collect();
    world.insert_resource(Rates { kinds, of, hand });
    world.init_resource::<Wounds>();
    schedule.add_systems(strike.in_set(Phase::Blows));
}

/// The room writes nothing of its own; its wounds show in `casualties`.
pub fn digest(_world: &World, _d: &mut Digest) {}
