//! Who is near: through the cell index and the blocks, never through everybody.

use crate::core::ids::{CompanyId, NodeId};
use crate::core::measure::PointCm;
use crate::sim::board::{Blocks, Mind, Persons, Places, Roster, Setting, Strength};

/// Each company within a distance of a point, on both levels.
pub(super) fn around<'a>(
    at: PointCm,
    cm: i32,
    setting: &'a Setting,
    places: &'a Places,
) -> impl Iterator<Item = CompanyId> + 'a {
    let site = &*setting.site;
    let clip = |v: i32, end: u32| v.clamp(0, end as i32 - 1);
    let column = |x: i32| clip((x - site.origin.x).div_euclid(site.cell_cm), site.columns);
    let row = |y: i32| clip((y - site.origin.y).div_euclid(site.cell_cm), site.rows);
    let columns = column(at.x - cm)..=column(at.x + cm);
    // Distances are whole centimetres, rounded down.
    let beyond = (i64::from(cm) + 1) * (i64::from(cm) + 1);
    (row(at.y - cm)..=row(at.y + cm))
        .flat_map(move |y| columns.clone().map(move |x| (y * site.columns as i32 + x) as usize))
        .flat_map(|ground| [Some(NodeId(ground as u32)), site.rampart_of[ground]])
        .flatten()
        .flat_map(|node| places.on(node))
        .filter(move |c| places.at[c.index()].squared(at) < beyond)
}

/// Hostile men for each one of a company and its friends in the same place, counting
/// those who still fight.
pub(super) fn odds(
    i: usize,
    setting: &Setting,
    roster: &Roster,
    places: &Places,
    strength: &Strength,
    minds: &[Mind],
) -> f64 {
    let hostile = &setting.scenario.hostile[roster.party[i].index()];
    let (mut own, mut foes) = (strength.men[i].max(1), 0);
    for o in places.on(places.node[i]).map(CompanyId::index).filter(|o| *o != i) {
        let fights = matches!(minds[o], Mind::Steady | Mind::Desperate);
        if fights && hostile[roster.party[o].index()] {
            foes += strength.men[o];
        } else if fights {
            own += strength.men[o];
        }
    }
    f64::from(foes) / f64::from(own)
}

/// Whether a hostile company that still fights is within a distance.
pub(super) fn enemy(
    company: CompanyId,
    cm: i32,
    setting: &Setting,
    roster: &Roster,
    places: &Places,
    minds: &[Mind],
    blocks: &Blocks,
) -> bool {
    let i = company.index();
    let hostile = &setting.scenario.hostile[roster.party[i].index()];
    let at = places.at[i];
    let site = &*setting.site;
    if blocks.columns > 0 {
        let side = site.cell_cm * Blocks::CELLS as i32;
        let span = |v: i32, origin: i32, end: usize| {
            ((v - origin).div_euclid(side)).clamp(0, end as i32 - 1) as usize
        };
        let mut any = false;
        for y in span(at.y - cm, site.origin.y, blocks.rows)
            ..=span(at.y + cm, site.origin.y, blocks.rows)
        {
            for x in span(at.x - cm, site.origin.x, blocks.columns)
                ..=span(at.x + cm, site.origin.x, blocks.columns)
            {
                let block = y * blocks.columns + x;
                any |= hostile.iter().enumerate().any(|(p, foe)| *foe && blocks.men[p][block] > 0);
            }
        }
        if !any {
            return false;
        }
    }
    around(at, cm, setting, places).map(CompanyId::index).any(|j| {
        hostile[roster.party[j].index()]
            && !matches!(minds[j], Mind::Broken | Mind::Yielded | Mind::Gone)
    })
}

/// Whether a formed friend stands on the same node.
pub(super) fn friend(company: CompanyId, roster: &Roster, places: &Places, minds: &[Mind]) -> bool {
    let party = roster.party[company.index()];
    places.on(places.node[company.index()]).any(|c| {
        c != company && roster.party[c.index()] == party && minds[c.index()] == Mind::Steady
    })
}

/// Marks the companies of a side that are near one of its living leaders.
pub(super) fn led(
    led: &mut [bool],
    list: &mut Vec<CompanyId>,
    persons: &Persons,
    setting: &Setting,
    roster: &Roster,
    places: &Places,
) {
    for c in list.drain(..) {
        led[c.index()] = false;
    }
    for (p, person) in setting.scenario.persons.iter().enumerate() {
        let with = persons.company.get(p).copied();
        let (Some(with), true) = (with, persons.alive.get(p).copied().unwrap_or(false)) else {
            continue;
        };
        if persons.captive[p] {
            continue;
        }
        let side = roster.side[with.index()];
        for c in around(places.at[with.index()], person.presence_cm, setting, places) {
            if roster.side[c.index()] == side && !led[c.index()] {
                led[c.index()] = true;
                list.push(c);
            }
        }
    }
}
