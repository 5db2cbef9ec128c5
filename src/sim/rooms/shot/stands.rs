//! Where engines stand: jobs that are done, places at a parapet, and engines on their way
//! with their companies.

use super::Battery;
use crate::core::ids::{CompanyId, EngineId, NodeId, PortalId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::Job;
use crate::scenario::catalogue::EngineKind;
use crate::scenario::site::{Level, Site};
use crate::sim::board::{Clock, Emplaced, Engines, Places, Setting, Strength};

/// A job at an engine is done.
pub(super) fn finish(
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
        Job::DrawBack
            if engines.stand[e] != Emplaced::Left
                && Engines::can_be_drawn_back(&setting.site, node, kind) =>
        {
            engines.stand[e] = Emplaced::Back;
            engines.parapet[e] = None;
            engines.depressed[e] = false;
            // What its crew had begun by itself waits for the order to load.
            if engines.ready_at[e] > pulse {
                engines.ready_at[e] = u32::MAX;
            }
        }
        Job::Load => {
            let may = engines.stand[e] == Emplaced::Back || !kind.loads_back;
            if engines.ready_at[e] == u32::MAX && may {
                engines.ready_at[e] = pulse;
                engines.depressed[e] = false;
            }
        }
        Job::Emplace if engines.stand[e] != Emplaced::Left => {
            forward(engines, e, kind, &setting.site, node, at);
        }
        _ => {}
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

/// Whether a company passes, or has passed since it was on a node, through what is too
/// narrow for an engine so broad.
fn too_narrow(site: &Site, places: &Places, i: usize, was: NodeId, wide_cm: i32) -> bool {
    let narrow = |portal: PortalId| site.portals[portal.index()].width_cm < wide_cm;
    if let Some((portal, _)) = places.straddles[i] {
        return narrow(portal);
    }
    let node = places.node[i];
    if site.nodes[was.index()].level == site.nodes[node.index()].level {
        return false;
    }
    // It came up or down by the widest that ends where it is now.
    let mut ends = site.portals_of.iter().filter(|(n, _)| *n == node).map(|(_, p)| *p).peekable();
    ends.peek().is_some() && ends.all(narrow)
}

/// Engines go with their companies as far as these pass where they fit, come into their stands again where these halt, and
/// load slower under fire.
pub(super) fn follow(
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
        let kind = &rules.engines[engines.kind[e].index()];
        let (node, at) = (places.node[i], places.at[i]);
        match engines.stand[e] {
            // Its company is back with it.
            Emplaced::Left
                if engines.stood_at[e].distance_cm(at) <= metres_to_cm(kind.length_m.v()) =>
            {
                engines.stand[e] = Emplaced::Pushed;
            }
            Emplaced::Left => continue,
            _ => {}
        }
        battery.serves[i] |= strength.men[i] > 0;
        let was = std::mem::replace(&mut battery.on[e], node);
        if too_narrow(&setting.site, places, i, was, metres_to_cm(kind.width_m.v())) {
            engines.stand[e] = Emplaced::Left;
            engines.stood_at[e] = setting.site.centre(was);
            engines.parapet[e] = None;
            engines.depressed[e] = false;
            continue;
        }
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
    for e in 0..engines.kind.len() {
        // Each company that has any comes once, with the first of them.
        let i = engines.company[e].index();
        if engines.of_company[i].first() != Some(&EngineId::from_index(e)) {
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
