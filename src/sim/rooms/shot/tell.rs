//! What is told of shooting: shots of some seconds together, and who is empty or loaded.

use super::{Aim, Battery, Field, looks};
use crate::core::ids::{CompanyId, UnitId, WeaponId};
use crate::sim::board::{Clock, Engines, News, Stores, Tiding, Tidings};
use crate::sim::journal::{Happening, Journal};

/// Adds to what is to be told; another target or weapon is told apart.
#[allow(clippy::too_many_arguments, reason = "one step of the system above")]
pub(super) fn note(
    aim: &mut Aim,
    target: CompanyId,
    weapon: WeaponId,
    n: i32,
    hits: i32,
    clock: &Clock,
    field: &Field<'_>,
    company: CompanyId,
    journal: &mut Journal,
) {
    if aim.told.is_some_and(|told| told != (target, weapon)) {
        tell(aim, clock, field, company, journal);
    }
    if aim.told.is_none() {
        aim.told = Some((target, weapon));
        aim.told_at = clock.pulse;
    }
    aim.flown += n;
    aim.hits += hits;
}

/// Tells of the shots of some seconds in one entry.
pub(super) fn tell(
    aim: &mut Aim,
    clock: &Clock,
    field: &Field<'_>,
    company: CompanyId,
    journal: &mut Journal,
) {
    if let Some((at, weapon)) = aim.told.take() {
        journal.add(
            clock.pulse,
            Happening::Shot {
                from: company,
                at,
                weapon,
                missiles: aim.flown,
                hits: aim.hits,
                from_at: field.places.at[company.index()],
                to_at: field.places.at[at.index()],
            },
        );
    }
    aim.flown = 0;
    aim.hits = 0;
}

/// Units that have nothing left, and units whose engines are all loaded.
#[allow(clippy::too_many_arguments, reason = "one step of the system above")]
pub(super) fn report(
    battery: &mut Battery,
    engines: &Engines,
    stores: &Stores,
    field: &Field<'_>,
    clock: &Clock,
    endless: bool,
    journal: &mut Journal,
    tidings: &mut Tidings,
) {
    // Few units shoot; each is looked at once in a few seconds, in turn.
    let every = looks(field, clock) as usize;
    for u in (clock.pulse as usize % every..battery.empty.len()).step_by(every) {
        let unit = UnitId::from_index(u);
        let (mut full, mut left, mut count, mut ready) = (0_i64, 0_i64, 0, 0);
        let mut at = None;
        for c in &field.roster.of_unit[u] {
            full += i64::from(stores.full[c.index()]);
            left += i64::from(stores.missiles[c.index()]);
            if field.strength.men[c.index()] > 0 {
                at = at.or(Some(field.places.at[c.index()]));
            }
            for e in &engines.of_company[c.index()] {
                full += 1;
                left += i64::from(engines.store[e.index()]);
                if !engines.works[e.index()] {
                    continue;
                }
                count += 1;
                ready += i32::from(
                    engines.ready_at[e.index()] <= clock.pulse && engines.store[e.index()] > 0,
                );
            }
        }
        let Some(at) = at else { continue };
        if full > 0 && left == 0 && !endless && !battery.empty[u] {
            battery.empty[u] = true;
            journal.add(clock.pulse, Happening::Empty { unit });
            tidings.0.push(News { event: Tiding::Empty(unit), at });
        }
        let loaded = count > 0 && ready == count;
        if loaded && !battery.loaded[u] {
            tidings.0.push(News { event: Tiding::Loaded(unit), at });
        }
        battery.loaded[u] = loaded;
    }
}
