//! The single writer of men.
//!
//! Drains the wounds that other rooms ask for, in their order, and takes no more
//! men than there are; merges worn companies into their neighbours; turns the
//! men of a company that has yielded into captives. Standing, lost and captive
//! men of a company are always its muster. Never decides why anybody falls.
//! No law of its own, so nothing to switch off.

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, UnitId};
use crate::sim::board::{
    Cause, Clock, Merges, Mind, Places, Roster, Setting, Spirits, Strength, Wounds,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::phases::Phase;

/// Causes there are.
const CAUSES: usize = Cause::ALL.len();

/// What the room keeps for itself.
#[derive(Resource, Debug, Default)]
struct Toll {
    /// Men taken from each company in this pulse, by cause, and by whom last.
    by: Vec<[(i32, Option<UnitId>); CAUSES]>,
    /// Companies that lost any, each once.
    struck: Vec<CompanyId>,
}

#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn take(
    mut toll: ResMut<Toll>,
    mut strength: ResMut<Strength>,
    mut wounds: ResMut<Wounds>,
    mut merges: ResMut<Merges>,
    mut journal: ResMut<Journal>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    spirits: Res<Spirits>,
) {
    let (toll, strength) = (&mut *toll, &mut *strength);
    for c in toll.struck.drain(..) {
        strength.lost_now[c.index()] = 0;
        strength.shot_now[c.index()] = 0;
        toll.by[c.index()] = [(0, None); CAUSES];
    }
    merges.0.clear();
    for wound in wounds.0.drain(..) {
        let i = wound.company.index();
        let men = wound.men.min(strength.men[i]);
        if men <= 0 {
            continue;
        }
        if strength.lost_now[i] == 0 {
            toll.struck.push(wound.company);
        }
        strength.men[i] -= men;
        strength.lost[i] += men;
        strength.lost_now[i] += men;
        if wound.cause.is_shot() {
            strength.lost_to_shot[i] += men;
            strength.shot_now[i] += men;
        }
        let cause = wound.cause as usize;
        strength.tally[cause][roster.unit[i].index()] += men;
        let entry = &mut toll.by[i][cause];
        entry.0 += men;
        entry.1 = wound.by.or(entry.1);
    }
    toll.struck.sort_unstable();
    let gone_men = setting.rules.laws.heart.gone_men.v() as i32;
    for &company in &toll.struck {
        for (cause, (men, by)) in Cause::ALL.into_iter().zip(toll.by[company.index()]) {
            if men > 0 {
                journal.add(clock.pulse, Happening::Fell { company, men, cause, by });
            }
        }
        let men = strength.men[company.index()];
        if men > 0 && men < gone_men {
            merge(
                company,
                strength,
                &mut merges,
                &mut journal,
                (&setting, &clock, &roster, &places, &spirits),
            );
        }
    }
}

/// What `merge` looks at.
type Field<'a> = (&'a Setting, &'a Clock, &'a Roster, &'a Places, &'a Spirits);

/// Puts the rest of a worn company into the nearest one of its unit on the same
/// or a neighbouring node, if its ranks have room and neither is in a portal.
fn merge(
    from: CompanyId,
    strength: &mut Strength,
    merges: &mut Merges,
    journal: &mut Journal,
    field: Field<'_>,
) {
    let (setting, clock, roster, places, spirits) = field;
    let i = from.index();
    if places.straddles[i].is_some() || spirits.mind[i] == Mind::Yielded {
        return;
    }
    let full = setting.rules.units[roster.kind[i].index()].company_size;
    let men = strength.men[i];
    let node = places.node[i];
    let mut best: Option<(i32, CompanyId)> = None;
    let around = setting.site.neighbours[node.index()].iter().flatten().copied();
    for near in std::iter::once(node).chain(around) {
        for c in places.on(near) {
            let j = c.index();
            if j == i
                || roster.unit[j] != roster.unit[i]
                || spirits.mind[j] != spirits.mind[i]
                || places.straddles[j].is_some()
                || strength.men[j] <= 0
                || strength.men[j] + men > full
            {
                continue;
            }
            let far = places.at[i].distance_cm(places.at[j]);
            if best.is_none_or(|b| (far, c) < b) {
                best = Some((far, c));
            }
        }
    }
    if let Some((_, into)) = best {
        let j = into.index();
        strength.men[j] += men;
        strength.muster[j] += men;
        strength.men[i] = 0;
        strength.muster[i] -= men;
        merges.0.push((from, into, men));
        journal.add(clock.pulse, Happening::Merged { from, into, men });
    }
}

/// Men of companies that have yielded are captives from the next pulse on.
fn bind(mut strength: ResMut<Strength>, spirits: Res<Spirits>) {
    let strength = &mut *strength;
    for (i, mind) in spirits.mind.iter().enumerate() {
        if *mind == Mind::Yielded && strength.men[i] > 0 {
            strength.captive[i] += strength.men[i];
            strength.men[i] = 0;
        }
    }
}

/// Adds the room to a battle. Where muster has not counted the men yet, those of
/// each unit are shared out over its mustered companies.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let (n, units) = {
        let roster = world.resource::<Roster>();
        (roster.len(), roster.of_unit.len())
    };
    if !world.contains_resource::<Strength>() {
        let strength = shared_out(world.resource::<Setting>(), world.resource::<Roster>());
        world.insert_resource(strength);
    }
    let mut strength = world.resource_mut::<Strength>();
    strength.lost.resize(n, 0);
    strength.lost_to_shot.resize(n, 0);
    strength.captive.resize(n, 0);
    strength.lost_now.resize(n, 0);
    strength.shot_now.resize(n, 0);
    strength.tally.resize(CAUSES, Vec::new());
    for row in &mut strength.tally {
        row.resize(units, 0);
    }
    world.insert_resource(Toll { by: vec![[(0, None); CAUSES]; n], struck: Vec::new() });
    world.init_resource::<Wounds>();
    world.init_resource::<Merges>();
    world.init_resource::<Journal>();
    schedule.add_systems((bind, take).chain().in_set(Phase::Casualties));
}

/// The men of each unit, evenly over its companies on the field.
fn shared_out(setting: &Setting, roster: &Roster) -> Strength {
    let mut men = vec![0; roster.len()];
    for (unit, companies) in roster.of_unit.iter().enumerate() {
        let fielded: Vec<_> = companies.iter().filter(|c| roster.mustered[c.index()]).collect();
        let all = setting.scenario.units[unit].men;
        let each = fielded.len() as i32;
        for (nth, company) in fielded.into_iter().enumerate() {
            let nth = nth as i32;
            men[company.index()] = all * (nth + 1) / each - all * nth / each;
        }
    }
    Strength { muster: men.clone(), men, ..Strength::default() }
}

/// What the room wrote, for the digest of a pulse.
pub fn digest(world: &World, d: &mut Digest) {
    let strength = world.resource::<Strength>();
    for values in [&strength.men, &strength.lost, &strength.captive] {
        for pair in values.chunks(2) {
            let low = pair[0] as u32;
            let high = pair.get(1).copied().unwrap_or(0) as u32;
            d.u32(low | high << 16);
        }
    }
    for row in &strength.tally {
        for men in row {
            d.i32(*men);
        }
    }
}
