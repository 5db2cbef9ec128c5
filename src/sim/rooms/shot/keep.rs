//! What shooting keeps in order: who stands where, and what splits, merges and
//! jobs make of stores and engines.

use bevy_ecs::prelude::*;

use super::{Battery, Ground};
use crate::core::ids::{CompanyId, NodeId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::Job;
use crate::scenario::catalogue::EngineKind;
use crate::scenario::site::{Level, Site};
use crate::sim::board::{
    Blocks, Clock, Emplaced, EngineJobs, EngineTask, Engines, Forms, Merges, Mind, Places, Roster,
    Setting, Spirits, Splits, Stores, Strength,
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

/// A job at an engine is done.
fn finish(
    engines: &mut Engines,
    e: usize,
    company: CompanyId,
    job: Job,
    setting: &Setting,
    places: &Places,
    pulse: u32,
) {
    let kind = &setting.rules.engines[engines.kind[e].index()];
    let (node, at) = (places.node[company.index()], places.at[company.index()]);
    match job {
        Job::Depress => engines.depressed[e] = kind.depress_s.v() > 0.0,
        Job::DrawBack => {
            if Engines::can_be_drawn_back(&setting.site, node, kind) {
                engines.stand[e] = Emplaced::Back;
                engines.parapet[e] = None;
                engines.depressed[e] = false;
                // What its crew had begun by itself waits for the order to load.
                if engines.ready_at[e] > pulse {
                    engines.ready_at[e] = u32::MAX;
                }
            }
        }
        Job::Load => {
            let may = engines.stand[e] == Emplaced::Back || !kind.loads_back;
            if engines.ready_at[e] == u32::MAX && may {
                engines.ready_at[e] = pulse;
                engines.depressed[e] = false;
            }
        }
        Job::Emplace => forward(engines, e, kind, &setting.site, node, at),
        // Not done at engines that shoot.
        Job::Bar
        | Job::Clear
        | Job::Mount
        | Job::Dismount
        | Job::Raise
        | Job::Ram
        | Job::CastDown
        | Job::Drop => {}
    }
}

/// Pushes an engine into its stand, if there is a place for it: on the ground anywhere,
/// at a parapet where its breadth still goes into the length of the walk.
pub(super) fn forward(
    engines: &mut Engines,
    e: usize,
    kind: &EngineKind,
    site: &Site,
    node: NodeId,
    at: PointCm,
) {
    let own = &site.nodes[node.index()];
    if own.level == Level::Rampart {
        let wide = metres_to_cm(kind.width_m.v());
        let near = std::iter::once(node).chain(site.neighbours[node.index()].into_iter().flatten());
        let place = near
            .filter(|n| site.nodes[n.index()].level == Level::Rampart)
            .find(|n| taken_cm(engines, *n, wide) + wide <= length_cm(site, *n));
        if place.is_none() {
            return;
        }
        engines.parapet[e] = place;
    }
    engines.stand[e] = Emplaced::Forward;
    engines.stood_at[e] = at;
}

/// Centimetres of a piece of walk along its parapet.
fn length_cm(site: &Site, node: NodeId) -> i32 {
    let node = &site.nodes[node.index()];
    node.room_cm2 / node.width_cm.max(1)
}

/// Centimetres of it that engines take up, each as broad as `wide` or more.
fn taken_cm(engines: &Engines, node: NodeId, wide: i32) -> i32 {
    engines.parapet.iter().filter(|p| **p == Some(node)).count() as i32 * wide
}

/// Engines go with their companies, come into their stands again where these halt, and
/// load slower under fire.
fn follow(
    engines: &mut Engines,
    battery: &mut Battery,
    setting: &Setting,
    places: &Places,
    strength: &Strength,
    clock: &Clock,
) {
    let rules = &*setting.rules;
    battery.serves.fill(false);
    for e in 0..engines.kind.len() {
        if !engines.works[e] {
            continue;
        }
        let i = engines.company[e].index();
        battery.serves[i] = strength.men[i] > 0;
        let kind = &rules.engines[engines.kind[e].index()];
        let (node, at) = (places.node[i], places.at[i]);
        if engines.stand[e] == Emplaced::Forward
            && engines.stood_at[e].distance_cm(at) > metres_to_cm(kind.length_m.v())
        {
            engines.stand[e] = Emplaced::Pushed;
            engines.parapet[e] = None;
            engines.depressed[e] = false;
        }
        if engines.stand[e] == Emplaced::Pushed && places.speed_cm_s[i] == 0 {
            forward(engines, e, kind, &setting.site, node, at);
            if engines.stand[e] == Emplaced::Forward && engines.ready_at[e] != u32::MAX {
                let ready = clock.pulse + (kind.emplace_s.v() / clock.dt() + 0.5) as u32;
                engines.ready_at[e] = engines.ready_at[e].max(ready);
            }
        }
    }
    let feels = (rules.laws.heart.shot_at_s.v() / clock.dt()) as u32;
    for i in 0..engines.of_company.len() {
        if engines.of_company[i].is_empty() {
            continue;
        }
        if strength.shot_now[i] > 0 {
            engines.harried[i] = clock.pulse + feels.max(1);
        }
        if engines.harried[i] <= clock.pulse {
            continue;
        }
        // What is loading falls behind by the work that is not done in this pulse.
        let lag = battery.aims[i].lag + ((1.0 - rules.laws.shot.harried.v()) * 1000.0) as i32;
        battery.aims[i].lag = lag % 1000;
        for e in engines.of_company[i].iter().map(|e| e.index()) {
            if engines.ready_at[e] > clock.pulse && engines.ready_at[e] != u32::MAX {
                engines.ready_at[e] += (lag / 1000) as u32;
            }
        }
    }
}
