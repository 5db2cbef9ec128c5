//! What a battle begins with: engines dealt out over the companies of their
//! units, and the missiles that everybody carries.

use bevy_ecs::prelude::*;

use super::stands::forward;
use super::{Aim, Battery};
use crate::core::ids::{CompanyId, EngineId};
use crate::core::measure::PointCm;
use crate::sim::board::{
    AtEngines, Blocks, Emplaced, EngineJobs, Engines, Merges, OpenedRoofs, Places, Roster, Setting,
    Splits, Stores, Strength, Tidings, Wounds,
};
use crate::sim::body::Spacing;
use crate::sim::journal::Journal;

/// Inserts what the room writes; what muster has filled in already is kept.
pub(super) fn install(world: &mut World) {
    let made = {
        let (setting, roster) = (world.resource::<Setting>(), world.resource::<Roster>());
        let n = roster.len();
        let site = &setting.site;
        let cells = Blocks::CELLS as u32;
        let (columns, rows) =
            (site.columns.div_ceil(cells) as usize, site.rows.div_ceil(cells) as usize);
        let blocks = Blocks {
            columns,
            rows,
            men: vec![
                vec![0; columns * rows];
                setting.scenario.parties.len().max(setting.scenario.hostile.len())
            ],
            busy: Vec::new(),
        };
        let battery = Battery {
            spacing: Spacing::of(&setting.rules),
            aims: vec![Aim::default(); n],
            ground: vec![super::Ground::default(); site.nodes.len()],
            serves: vec![false; n],
            empty: vec![false; roster.of_unit.len()],
            // Loaded at muster: only loading again is news.
            loaded: vec![true; roster.of_unit.len()],
            ..Battery::default()
        };
        (blocks, battery)
    };
    if world.get_resource::<Engines>().is_none_or(|e| e.kind.is_empty()) {
        let engines = engines(
            world.resource::<Setting>(),
            world.resource::<Roster>(),
            world.resource::<Places>(),
        );
        world.insert_resource(engines);
    }
    if world.get_resource::<Stores>().is_none_or(|s| s.full.iter().all(|f| *f == 0)) {
        let stores = stores(
            world.resource::<Setting>(),
            world.resource::<Roster>(),
            world.get_resource::<Strength>(),
        );
        world.insert_resource(stores);
    }
    let (blocks, mut battery) = made;
    {
        let (setting, roster) = (world.resource::<Setting>(), world.resource::<Roster>());
        let (engines, places) = (world.resource::<Engines>(), world.resource::<Places>());
        battery.on = engines.company.iter().map(|c| places.node[c.index()]).collect();
        // Spare companies too: they may shoot once they are split off.
        battery.shooters = (0..roster.len())
            .map(CompanyId::from_index)
            .filter(|c| {
                let kind = &setting.rules.units[roster.kind[c.index()].index()];
                kind.missile.is_some() || !engines.of_company[c.index()].is_empty()
            })
            .collect();
    }
    world.insert_resource(blocks);
    world.insert_resource(battery);
    world.init_resource::<EngineJobs>();
    world.init_resource::<AtEngines>();
    world.init_resource::<OpenedRoofs>();
    world.init_resource::<Splits>();
    world.init_resource::<Merges>();
    world.init_resource::<Wounds>();
    world.init_resource::<Tidings>();
    world.init_resource::<Journal>();
}

/// The engines of all units, dealt out over their companies in turn, all loaded and in
/// their stands, as far as the parapet has places.
fn engines(setting: &Setting, roster: &Roster, places: &Places) -> Engines {
    let n = roster.len();
    let mut all = Engines {
        of_company: vec![Vec::new(); n],
        owed: vec![0; n],
        harried: vec![0; n],
        ..Engines::default()
    };
    for (u, unit) in setting.scenario.units.iter().enumerate() {
        let fielded: Vec<CompanyId> =
            roster.of_unit[u].iter().copied().filter(|c| roster.mustered[c.index()]).collect();
        if fielded.is_empty() {
            continue;
        }
        let mut nth = 0;
        for &(kind, number) in &unit.engines {
            let shot = setting.rules.engines[kind.index()]
                .weapon
                .and_then(|w| setting.rules.weapons[w.index()].shot.as_ref());
            let store = shot.map_or(0, |s| (s.carried.v() * unit.supply) as i32);
            for _ in 0..number {
                let company = fielded[nth % fielded.len()];
                nth += 1;
                let id = EngineId::from_index(all.kind.len());
                all.kind.push(kind);
                all.company.push(company);
                all.ready_at.push(0);
                all.store.push(store);
                all.depressed.push(false);
                all.works.push(true);
                all.stand.push(Emplaced::Pushed);
                all.stood_at.push(PointCm::default());
                all.parapet.push(None);
                let at = (places.node[company.index()], places.at[company.index()]);
                let (e, kind) = (id.index(), &setting.rules.engines[kind.index()]);
                forward(&mut all, e, kind, &setting.site, at.0, at.1);
                all.of_company[company.index()].push(id);
            }
        }
    }
    all
}

/// What the men of each company carry.
fn stores(setting: &Setting, roster: &Roster, strength: Option<&Strength>) -> Stores {
    let full: Vec<i32> = (0..roster.len())
        .map(|i| {
            let kind = &setting.rules.units[roster.kind[i].index()];
            let shot = kind.missile.and_then(|w| setting.rules.weapons[w.index()].shot.as_ref());
            let supply = setting.scenario.units[roster.unit[i].index()].supply;
            let men = strength.map_or(0, |s| s.men[i]);
            shot.map_or(0, |s| (s.carried.v() * supply * f64::from(men)) as i32)
        })
        .collect();
    Stores { missiles: full.clone(), full }
}
