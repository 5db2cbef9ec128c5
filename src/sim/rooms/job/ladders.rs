//! Ladders that are carried to a wall, raised there, and taken up again.

use bevy_ecs::prelude::*;

use crate::core::ids::{CompanyId, PortalId, WorkId};
use crate::orders::ast::{Job, Place};
use crate::scenario::site::Site;
use crate::sim::board::{
    Clock, Contacts, Escalade, Gates, Mind, Places, Roster, Setting, Spirits, Stand, Strength,
    Tasks,
};
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;

/// Man-seconds that each company has spent on the ladder it raises now.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Crews {
    pub(super) spent: Vec<f64>,
    /// Who carries ladders.
    carriers: Vec<CompanyId>,
}

/// Deals out ladders, logs and stones over the companies of each unit.
pub(super) fn install(world: &mut World) {
    let setting = world.resource::<Setting>().clone();
    let roster = world.resource::<Roster>();
    let (n, units) = (roster.len(), setting.scenario.units.len());
    let stretches = setting.site.portals.len() - setting.site.passages;
    let mut board = Escalade {
        carried: vec![0; n],
        logs: vec![0; n],
        raising: vec![None; units],
        casting: vec![false; units],
        dropping: vec![false; units],
        stands: vec![Stand::default(); stretches],
        landed: vec![[0; 2]; stretches],
        open: Vec::new(),
    };
    for (u, unit) in setting.scenario.units.iter().enumerate() {
        let fielded: Vec<CompanyId> =
            roster.of_unit[u].iter().copied().filter(|c| roster.mustered[c.index()]).collect();
        let all = fielded.len() as i32;
        for (nth, c) in fielded.iter().enumerate() {
            let nth = nth as i32;
            let share = |of: i32| of.max(0) * (nth + 1) / all - of.max(0) * nth / all;
            board.carried[c.index()] = share(unit.ladders);
            board.logs[c.index()] = share(unit.logs);
        }
    }
    let carriers = (0..n).map(CompanyId::from_index).filter(|c| board.carried[c.index()] > 0);
    let crews = Crews { spent: vec![0.0; n], carriers: carriers.collect() };
    world.insert_resource(crews);
    world.insert_resource(board);
}

/// Ladders that find room side by side at a stretch.
#[must_use]
pub fn room_for(site: &Site, stretch: PortalId, ladder_m: f64) -> i32 {
    let width_m = f64::from(site.portals[stretch.index()].width_cm) / 100.0;
    (width_m / ladder_m.max(0.1)) as i32
}

/// Takes up orders, hands ladders on from the fallen, and raises them.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
pub(super) fn raise(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    contacts: Res<Contacts>,
    tasks: Res<Tasks>,
    mut crews: ResMut<Crews>,
    mut board: ResMut<Escalade>,
    mut gates: ResMut<Gates>,
    mut journal: ResMut<Journal>,
) {
    for (unit, job, place) in &tasks.jobs {
        match (job, *place) {
            (Job::Raise, Place::Work(wall)) => board.raising[unit.index()] = Some(wall),
            (Job::CastDown, _) => board.casting[unit.index()] = true,
            (Job::Drop, _) => board.dropping[unit.index()] = true,
            _ => {}
        }
    }
    if crews.carriers.is_empty() && board.stands.iter().all(|s| s.lying == 0) {
        return;
    }
    let (site, law) = (&setting.site, &setting.rules.laws.escalade);
    let off = setting.off.is_off(Law::Job);
    let fit = |c: usize| {
        strength.men[c] > 0
            && places.straddles[c].is_none()
            && matches!(spirits.mind[c], Mind::Steady | Mind::Desperate)
    };
    take_up(site, &roster, &places, &mut board, &mut crews, &fit);
    let mut carriers = std::mem::take(&mut crews.carriers);
    for i in 0..carriers.len() {
        let c = carriers[i].index();
        let able = |o: usize| fit(o) && f64::from(strength.men[o]) >= law.carry_men.v();
        if able(c) {
            continue;
        }
        // What the beaten, or too few, let fall is picked up by the next of their unit there.
        let next = places.on(places.node[c]).find(|o| {
            let o = o.index();
            o != c && roster.unit[o] == roster.unit[c] && if fit(c) { able(o) } else { fit(o) }
        });
        if let Some(next) = next {
            board.carried[next.index()] += std::mem::take(&mut board.carried[c]);
            crews.spent[c] = 0.0;
            carriers.push(next);
        }
    }
    carriers.sort_unstable();
    carriers.dedup();
    for company in &carriers {
        let c = company.index();
        let ladders = board.carried[c];
        let Some(wall) = board.raising[roster.unit[c].index()] else { continue };
        let fights = contacts.front[c] > 0;
        let crew = f64::from(strength.men[c]).min(law.carry_men.v() * f64::from(ladders));
        if ladders == 0 || !fit(c) || !off && (fights || crew < law.carry_men.v()) {
            continue;
        }
        let Some(stretch) = foot(site, &places, &board, &roster, c, wall, law.ladder_m.v()) else {
            continue;
        };
        crews.spent[c] += crew * clock.dt();
        let each = if off { 0.0 } else { law.raise_man_s.v() };
        let room = room_for(site, stretch, law.ladder_m.v());
        let at = stretch.index() - site.passages;
        let mut raised = 0;
        while board.carried[c] > 0 && board.stands[at].up < room && crews.spent[c] >= each {
            crews.spent[c] -= each;
            board.carried[c] -= 1;
            board.stands[at].up += 1;
            board.stands[at].side = Some(roster.side[c]);
            raised += 1;
        }
        if raised > 0 {
            gates.gap[stretch.index()] = 1000;
            if let Err(place) = board.open.binary_search(&stretch) {
                board.open.insert(place, stretch);
            }
            let (company, ladders) = (*company, raised);
            journal.add(clock.pulse, Happening::LaddersUp { work: wall, company, ladders });
        }
        if board.carried[c] == 0 {
            crews.spent[c] = 0.0;
        }
    }
    carriers.retain(|c| board.carried[c.index()] > 0);
    crews.carriers = carriers;
}

/// The stretch of a wall at whose foot a company stands and finds room for a ladder.
fn foot(
    site: &Site,
    places: &Places,
    board: &Escalade,
    roster: &Roster,
    c: usize,
    wall: WorkId,
    ladder_m: f64,
) -> Option<PortalId> {
    let node = places.node[c];
    site.stretches_at(node).find(|p| {
        let portal = &site.portals[p.index()];
        let stand = board.stand(site, *p);
        portal.work == wall
            && portal.outer.contains(&node)
            && stand.side.is_none_or(|s| s == roster.side[c] || stand.up == 0)
            && stand.up < room_for(site, *p, ladder_m)
    })
}

/// Whole ladders that lie at the foot go to whoever raises ladders there.
fn take_up(
    site: &Site,
    roster: &Roster,
    places: &Places,
    board: &mut Escalade,
    crews: &mut Crews,
    fit: &impl Fn(usize) -> bool,
) {
    for at in 0..board.stands.len() {
        if board.stands[at].lying == 0 {
            continue;
        }
        let portal = &site.portals[site.passages + at];
        let taker = portal.outer.iter().flat_map(|n| places.on(*n)).find(|o| {
            let c = o.index();
            board.raising[roster.unit[c].index()] == Some(portal.work)
                && board.stands[at].side == Some(roster.side[c])
                && fit(c)
        });
        if let Some(taker) = taker {
            board.carried[taker.index()] += std::mem::take(&mut board.stands[at].lying);
            crews.carriers.push(taker);
        }
    }
}
