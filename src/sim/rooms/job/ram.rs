//! Rams: blows on a shut leaf, until it is broken in.

use bevy_ecs::prelude::*;

use super::Labour;
use crate::core::ids::CompanyId;
use crate::orders::ast::{Job, Place};
use crate::scenario::catalogue::{EngineKind, RamBlows};
use crate::sim::board::{
    Clock, Contacts, Engines, Gates, Leaf, Mind, News, Places, Roster, Setting, Spirits, Strength,
    Tasks, Tiding, Tidings,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::lands::leaf_at;
use crate::sim::laws::Law;

/// Kilojoules a second of one ram with so many men at it.
#[must_use]
pub fn blows_kj_s(kind: &EngineKind, ram: &RamBlows, men: f64) -> f64 {
    let crew = (men / kind.crew.v().max(1.0)).min(1.0);
    ram.per_minute.v() / 60.0 * ram.energy_kj.v() * crew
}

/// Takes up orders, and wears leaves down.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
pub(super) fn batter(
    setting: Res<Setting>,
    clock: Res<Clock>,
    (roster, strength, spirits): (Res<Roster>, Res<Strength>, Res<Spirits>),
    places: Res<Places>,
    contacts: Res<Contacts>,
    tasks: Res<Tasks>,
    engines: Option<Res<Engines>>,
    mut labour: ResMut<Labour>,
    mut gates: ResMut<Gates>,
    mut journal: ResMut<Journal>,
    mut tidings: ResMut<Tidings>,
) {
    for (unit, job, place) in &tasks.jobs {
        if let (Job::Ram, Place::Work(gate)) = (job, *place)
            && !labour.rams.contains(&(*unit, gate))
        {
            labour.rams.retain(|(u, _)| u != unit);
            labour.rams.push((*unit, gate));
        }
    }
    let Some(engines) = engines.filter(|_| !labour.rams.is_empty()) else { return };
    let off = setting.off.is_off(Law::Job);
    let Labour { gates: leaves, rams, .. } = &mut *labour;
    for gate in leaves.iter_mut().filter(|g| rams.iter().any(|(_, w)| *w == g.work)) {
        let p = gate.portal.index();
        if gates.leaf[p] == Leaf::Broken || gates.gap[p] > 0 {
            continue;
        }
        let portal = &setting.site.portals[p];
        // As many as find room beside each other before the leaves.
        let mut free_cm = portal.width_cm;
        let mut blows = 0.0;
        let units = rams.iter().filter(|(_, w)| *w == gate.work).map(|(u, _)| u.index());
        for c in units.flat_map(|u| roster.of_unit[u].iter()).map(|c: &CompanyId| c.index()) {
            let steady = matches!(spirits.mind[c], Mind::Steady | Mind::Desperate);
            let there = portal.outer.contains(&places.node[c]);
            if !steady || !there || strength.men[c] <= 0 || contacts.front[c] > 0 {
                continue;
            }
            let mut men = f64::from(strength.men[c]);
            for engine in &engines.of_company[c] {
                let kind = &setting.rules.engines[engines.kind[engine.index()].index()];
                let Some(ram) = kind.ram.as_ref().filter(|_| engines.works[engine.index()]) else {
                    continue;
                };
                let width_cm = (kind.width_m.v() * 100.0) as i32;
                // One always gets at the leaves, however narrow they are.
                if blows > 0.0 && free_cm < width_cm {
                    continue;
                }
                free_cm -= width_cm;
                blows += blows_kj_s(kind, ram, men);
                men = (men - kind.crew.v()).max(0.0);
            }
        }
        if blows <= 0.0 {
            continue;
        }
        gate.worn_kj += blows * clock.dt();
        let kind = &setting.rules.works[setting.site.works[gate.work.index()].kind.index()];
        if gate.worn_kj >= kind.strength_kj.v() || off {
            gates.leaf[p] = Leaf::Broken;
            gates.gap[p] = 1000;
            gates.barred[p] = false;
            gates.shut_at[p] = None;
            gates.version += 1;
            gate.wish = None;
            gate.bar = false;
            journal.add(clock.pulse, Happening::GateBroken { work: gate.work });
            let at = leaf_at(&setting.site, gate.portal);
            tidings.0.push(News { event: Tiding::Opened(gate.work), at });
        }
    }
}
