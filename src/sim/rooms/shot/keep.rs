//! What shooting keeps in order: who stands where, and what splits, merges and
//! jobs make of stores and engines.

use bevy_ecs::prelude::*;

use super::stands::{finish, follow};
use super::{Battery, Ground};
use crate::sim::board::{
    Blocks, Clock, EngineJobs, EngineTask, Engines, Forms, Merges, Mind, Places, Roster, Setting,
    Spirits, Splits, Stores, Strength,
};

/// Counts who stands where, for everybody that shoots or looks for an enemy.
pub(super) fn count(
    mut battery: ResMut<Battery>,
    mut blocks: ResMut<Blocks>,
    setting: Res<Setting>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    forms: Res<Forms>,
) {
    let blocks = &mut *blocks;
    let busy = std::mem::take(&mut blocks.busy);
    for &block in &busy {
        for row in &mut blocks.men {
            row[block] = 0;
        }
    }
    blocks.busy = busy;
    blocks.busy.clear();
    let site = &*setting.site;
    let columns = site.columns as usize;
    for &node in &places.busy {
        let mut ground = Ground::default();
        let cell = site.nodes[node.index()].cell as usize;
        let block =
            cell / columns / Blocks::CELLS * blocks.columns + cell % columns / Blocks::CELLS;
        for c in places.on(node) {
            let i = c.index();
            let men = strength.men[i];
            if men <= 0 || matches!(spirits.mind[i], Mind::Gone | Mind::Yielded) {
                continue;
            }
            ground.cm2 += battery.spacing.area_cm2(forms.shape[i], roster.mounted[i], men);
            ground.parties |= 1_u32 << (roster.party[i].0 & 31);
            blocks.men[roster.party[i].index()][block] += men;
        }
        battery.ground[node.index()] = ground;
        if ground.parties != 0 {
            blocks.busy.push(block);
        }
    }
}

/// Splits, merges and jobs of the engines.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
pub(super) fn keep(
    mut battery: ResMut<Battery>,
    mut engines: ResMut<Engines>,
    mut stores: ResMut<Stores>,
    mut jobs: ResMut<EngineJobs>,
    splits: Res<Splits>,
    merges: Res<Merges>,
    strength: Res<Strength>,
    setting: Res<Setting>,
    places: Res<Places>,
    clock: Res<Clock>,
) {
    for &(front, behind, men) in &splits.0 {
        let (f, b) = (front.index(), behind.index());
        let all = strength.men[f] + men;
        if all > 0 && stores.missiles[b] == 0 {
            let moved = (i64::from(stores.missiles[f]) * i64::from(men) / i64::from(all)) as i32;
            let full = (i64::from(stores.full[f]) * i64::from(men) / i64::from(all)) as i32;
            stores.missiles[f] -= moved;
            stores.missiles[b] = moved;
            stores.full[f] -= full;
            stores.full[b] = full;
            battery.aims[b] = battery.aims[f];
            battery.aims[b].told = None;
        }
    }
    for &(from, into, _) in &merges.0 {
        let (f, t) = (from.index(), into.index());
        stores.missiles[t] += stores.missiles[f];
        stores.full[t] += stores.full[f];
        stores.missiles[f] = 0;
        stores.full[f] = 0;
        let moved = std::mem::take(&mut engines.of_company[f]);
        for &engine in &moved {
            engines.company[engine.index()] = into;
        }
        engines.of_company[t].extend(moved);
    }
    let engines = &mut *engines;
    for (company, task) in jobs.0.drain(..) {
        match task {
            EngineTask::Volley(n) => engines.owed[company.index()] = n,
            EngineTask::Done(job) => {
                for n in 0..engines.of_company[company.index()].len() {
                    let e = engines.of_company[company.index()][n].index();
                    if engines.works[e] {
                        finish(engines, e, company, job, &setting, &places, clock.pulse);
                    }
                }
            }
        }
    }
    follow(engines, &mut battery, &setting, &places, &strength, &clock);
}
