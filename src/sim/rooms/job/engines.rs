//! Work at engines: each company does the acts of its lines in turn.
//!
//! A job takes its seconds with a full crew at each engine; fewer hands take longer,
//! crews under fire too, and in contact nobody works. A volley among the acts is owed
//! until it has been shot, so that what comes after it waits.

use bevy_ecs::prelude::*;

use super::Labour;
use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, UnitId};
use crate::orders::ast::Job;
use crate::sim::board::{
    AtEngines, Clock, Contacts, Emplaced, EngineJobs, EngineTask, Engines, Fire, Mind, Places,
    Roster, Setting, Spirits, Strength, Tasks,
};
use crate::sim::laws::Law;

/// One act of one company.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    company: CompanyId,
    task: EngineTask,
    /// Whether it was taken up.
    begun: bool,
    /// Whether nothing of it is left to do.
    over: bool,
    /// Seconds left with a full crew; before it is taken up, what the act before it
    /// left of its last pulse, below zero.
    left: f64,
}

impl Step {
    const fn of(company: CompanyId, task: EngineTask) -> Self {
        Self { company, task, begun: false, over: false, left: 0.0 }
    }
}

/// A job for all companies of a unit that have engines.
pub(super) fn add_job(
    steps: &mut Vec<Step>,
    unit: UnitId,
    job: Job,
    roster: &Roster,
    engines: &Engines,
) {
    let companies = roster.of_unit[unit.index()].iter();
    steps.extend(
        companies
            .filter(|c| engines.of_company.get(c.index()).is_some_and(|e| !e.is_empty()))
            .map(|c| Step::of(*c, EngineTask::Done(job))),
    );
}

/// Volleys for all companies of a unit.
pub(super) fn add_volley(steps: &mut Vec<Step>, unit: UnitId, volleys: i32, roster: &Roster) {
    let companies = roster.of_unit[unit.index()].iter();
    steps.extend(
        companies
            .filter(|c| roster.mustered[c.index()])
            .map(|c| Step::of(*c, EngineTask::Volley(volleys))),
    );
}

/// Does the first act of each company.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
pub(super) fn serve(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    contacts: Res<Contacts>,
    tasks: Res<Tasks>,
    engines: Res<Engines>,
    mut labour: ResMut<Labour>,
    mut done: ResMut<EngineJobs>,
    mut at_engines: ResMut<AtEngines>,
) {
    at_engines.0.clear();
    let Labour { steps, served, .. } = &mut *labour;
    if steps.is_empty() {
        return;
    }
    let off = setting.off.is_off(Law::Job);
    // Those who are gone do nothing more.
    steps.retain(|s| {
        let i = s.company.index();
        strength.men[i] > 0 && !matches!(spirits.mind[i], Mind::Yielded | Mind::Gone)
    });
    served.clear();
    for s in 0..steps.len() {
        let company = steps[s].company;
        if served.contains(&company) {
            continue;
        }
        let i = company.index();
        let EngineTask::Done(job) = steps[s].task else {
            let told = matches!(tasks.fire.get(roster.unit[i].index()), Some(Fire::Volley(_)));
            if !steps[s].begun {
                served.push(company);
                steps[s].begun = true;
                done.0.push((company, steps[s].task));
            } else if told && engines.owed.get(i).is_some_and(|owed| *owed > 0) {
                served.push(company);
            } else {
                // What comes after it begins in this pulse.
                steps[s].over = true;
            }
            continue;
        };
        served.push(company);
        if off {
            steps[s].over = true;
            done.0.push((company, steps[s].task));
            continue;
        }
        at_engines.0.push(company);
        let steady = matches!(spirits.mind[i], Mind::Steady | Mind::Desperate);
        // An engine is set in its stand where its company has come to a halt.
        let on_the_way = job == Job::Emplace && places.speed_cm_s[i] > 0;
        if contacts.front[i] > 0 || !steady || on_the_way {
            continue;
        }
        if !steps[s].begun {
            steps[s].begun = true;
            steps[s].left += seconds(&setting, &places, &engines, company, job);
        }
        let crew: f64 = engines.of_company[i]
            .iter()
            .filter(|e| engines.works[e.index()])
            .map(|e| setting.rules.engines[engines.kind[e.index()].index()].crew.v())
            .sum();
        let hands = if crew > 0.0 { (f64::from(strength.men[i]) / crew).min(1.0) } else { 1.0 };
        let harried = engines.harried.get(i).is_some_and(|until| *until > clock.pulse);
        let fear = if harried { setting.rules.laws.shot.harried.v() } else { 1.0 };
        steps[s].left -= clock.dt() * hands * fear;
        if steps[s].left <= 0.0 {
            steps[s].over = true;
            done.0.push((company, steps[s].task));
            let rest = steps[s].left.max(-clock.dt());
            if let Some(next) = steps[s + 1..].iter_mut().find(|n| n.company == company) {
                next.left = rest;
            }
        }
    }
    steps.retain(|s| !s.over);
    at_engines.0.sort_unstable();
}

/// Seconds of a job with full crews: of the slowest engine that it is for.
fn seconds(
    setting: &Setting,
    places: &Places,
    engines: &Engines,
    company: CompanyId,
    job: Job,
) -> f64 {
    let mut longest = 0.0;
    for e in engines.of_company[company.index()].iter().map(|e| e.index()) {
        if !engines.works[e] {
            continue;
        }
        let kind = &setting.rules.engines[engines.kind[e].index()];
        let back = engines.stand[e] == Emplaced::Back;
        let node = places.node[company.index()];
        let s = match job {
            Job::Depress if !engines.depressed[e] => kind.depress_s.v(),
            Job::Load if engines.ready_at[e] == u32::MAX && (back || !kind.loads_back) => {
                kind.loading_s()
            }
            Job::DrawBack if !back && Engines::can_be_drawn_back(&setting.site, node, kind) => {
                kind.draw_back_s.v()
            }
            Job::Emplace if engines.stand[e] != Emplaced::Forward => kind.emplace_s.v(),
            _ => 0.0,
        };
        if s > longest {
            longest = s;
        }
    }
    longest
}

/// Adds the acts that wait to a digest.
pub(super) fn digest(steps: &[Step], d: &mut Digest) {
    for step in steps {
        d.u32(u32::from(step.company.0) << 1 | u32::from(step.begun));
        d.u32(match step.task {
            EngineTask::Done(job) => job as u32,
            EngineTask::Volley(n) => 1000 + n.clamp(0, 1_000_000) as u32,
        });
        d.u64(step.left.to_bits());
    }
}
