//! Whom to shoot at: by blocks, then cells, then companies.

use super::{Field, Ground, Gun, cover, range_cm};
use crate::core::ids::{CompanyId, NodeId};
use crate::core::measure::{PointCm, metres_to_cm};
use crate::orders::ast::{Instruction, Place, Sel, State, Who};
use crate::scenario::catalogue::{Catalogue, Shape};
use crate::scenario::site::Level;
use crate::sim::board::{Blocks, Fire, Mind};
use crate::sim::body::Spacing;
use crate::sim::lands::to_work_cm;

/// Blocks tried before a shooter gives up for now.
const TRIES: usize = 5;
/// Metres added to distances so that the nearest are not worth everything.
const NEAR_CM: i64 = 2_000;
/// Centimetres about a shooter or target on a wall within which that wall is no
/// obstacle: they stand at its edge.
const EDGE_CM: i32 = 2_000;
/// Centimetres a second below which a company is slow.
const SLOW_CM_S: i32 = 50;

/// What a shooter has been told.
pub(super) struct Ask<'a> {
    /// Only these, if any.
    pub only: Option<&'a Sel>,
    /// At will, else aimed.
    pub free: bool,
    /// Friends nearer than this to a target spare it.
    pub spare_cm: i32,
    /// Least harm that is worth a missile, as a share of that without the cover of a
    /// shape: nobody who shoots by himself wastes what he has.
    pub worth_it: f64,
    /// No farther than this, if he spares his arrows.
    pub within_cm: i32,
}

impl<'a> Ask<'a> {
    /// From the unit's order, and from the standing instructions for what it leaves open.
    pub fn of(fire: &'a Fire, rules: &Catalogue, stands: impl Fn(Instruction) -> bool) -> Self {
        let law = &rules.laws.shot;
        let spares = stands(Instruction::SpareFriends);
        let spare_cm = if spares { metres_to_cm(law.spare_m.v()) } else { 0 };
        let (worth_it, within_cm) = (0.0, i32::MAX);
        match fire {
            Fire::At(sel, free, spare_cm) => {
                Self { only: Some(sel), free: *free, spare_cm: *spare_cm, worth_it, within_cm }
            }
            Fire::Hold | Fire::Volley(_) => {
                Self { only: None, free: true, spare_cm, worth_it, within_cm }
            }
            Fire::Will => {
                let worth_it =
                    if stands(Instruction::WorthIt) { law.worth_it.v() } else { worth_it };
                Self { only: None, free: true, spare_cm, worth_it, within_cm }
            }
        }
    }

    /// On a wall, with so many arrows left of so many, at will: the last are for its foot.
    pub fn keep(&mut self, fire: &Fire, rules: &Catalogue, left: i32, full: i32) {
        let law = &rules.laws.shot;
        let kept = f64::from(full) * law.keep_share.v();
        if matches!(fire, Fire::Will) && f64::from(left) <= kept && law.foot_m.v() > 0.0 {
            self.within_cm = metres_to_cm(law.foot_m.v());
        }
    }

    /// How far he shoots.
    fn range_cm(&self, gun: &Gun<'_>) -> i32 {
        range_cm(gun.shot).min(self.within_cm)
    }
}

/// Whether a company still is a target: hostile, standing, in range and out of
/// the dead zone. What changes slowly is asked only at a look.
pub(super) fn good(
    target: CompanyId,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    spacing: &Spacing,
    field: &Field<'_>,
) -> bool {
    let t = target.index();
    if field.strength.men[t] <= 0 || matches!(field.spirits.mind[t], Mind::Yielded | Mind::Gone) {
        return false;
    }
    let far = gun.from.distance_cm(field.places.at[t]);
    let floor = field.setting.site.nodes[field.places.node[t].index()].height_cm;
    far <= ask.range_cm(gun)
        && far >= gun.dead_cm(floor)
        && ask.only.is_none_or(|sel| wanted(sel, gun.company, target, field))
        && is_worth(target, gun, ask, spacing, field)
        && !friends_near(target, ask.spare_cm, gun, field)
}

/// The best target in reach: many near each other, and near.
pub(super) fn look(
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    field: &Field<'_>,
    (ground, spacing): (&[Ground], &Spacing),
    found: &mut Vec<(i64, usize)>,
) -> Option<CompanyId> {
    let (site, blocks) = (&*field.setting.site, field.blocks);
    let party = field.roster.party[gun.company.index()].index();
    let hostile = &field.setting.scenario.hostile[party];
    let range = ask.range_cm(gun);
    let side = site.cell_cm * Blocks::CELLS as i32;
    let span =
        |v: i32, origin: i32, end: usize| (v - origin).div_euclid(side).clamp(0, end as i32 - 1);
    found.clear();
    for by in span(gun.from.y - range, site.origin.y, blocks.rows)
        ..=span(gun.from.y + range, site.origin.y, blocks.rows)
    {
        for bx in span(gun.from.x - range, site.origin.x, blocks.columns)
            ..=span(gun.from.x + range, site.origin.x, blocks.columns)
        {
            let block = by as usize * blocks.columns + bx as usize;
            let men: i32 = hostile
                .iter()
                .enumerate()
                .filter(|(_, foe)| **foe)
                .map(|(p, _)| blocks.men[p][block])
                .sum();
            if men == 0 {
                continue;
            }
            let middle = PointCm {
                x: site.origin.x + bx * side + side / 2,
                y: site.origin.y + by * side + side / 2,
            };
            let far =
                (i64::from(gun.from.distance_cm(middle)) - i64::from(side / 2)).max(0) + NEAR_CM;
            found.push((worth(i64::from(men), far), block));
        }
    }
    found.sort_unstable_by_key(|(worth, block)| (-worth, *block));
    let first = found
        .iter()
        .take(TRIES)
        .find_map(|&(_, block)| in_block(block, gun, ask, field, (ground, spacing), hostile));
    let best = if gun.is_engine {
        batteries(first, gun, ask, field, (ground, spacing), hostile)
    } else {
        first
    };
    best.map(|(_, target)| target)
}

/// Engines look at the few companies that serve engines one by one: these are worth more
/// than the same number of other men, wherever the crowd is.
fn batteries(
    mut best: Option<(i64, CompanyId)>,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    field: &Field<'_>,
    (ground, spacing): (&[Ground], &Spacing),
    hostile: &[bool],
) -> Option<(i64, CompanyId)> {
    for i in (0..field.serves.len()).filter(|i| field.serves[*i]) {
        let c = CompanyId::from_index(i);
        let node = field.places.node[i];
        let dead = gun.dead_cm(field.setting.site.nodes[node.index()].height_cm);
        let worth = worth_of(c, gun, field, ground[node.index()]);
        if hostile[field.roster.party[i].index()]
            && best.is_none_or(|(b, _)| b < worth)
            && may(c, dead, gun, ask, spacing, field)
        {
            best = Some((worth, c));
        }
    }
    best
}

/// What a company is worth to a shooter.
fn worth_of(c: CompanyId, gun: &Gun<'_>, field: &Field<'_>, ground: Ground) -> i64 {
    let far = gun.from.distance_cm(field.places.at[c.index()]);
    let worth = worth(i64::from(ground.cm2) / 10_000 + 1, i64::from(far) + NEAR_CM);
    if gun.is_engine && field.serves[c.index()] {
        let dearer = field.setting.rules.laws.shot.counter_battery.v();
        return worth * (dearer * 1000.0) as i64 / 1000;
    }
    worth
}

/// Whether a hostile company may be shot at: standing, in range and out of the dead zone,
/// asked for, far from friends, worth it, and in sight of what does not shoot over walls.
fn may(
    c: CompanyId,
    dead_cm: i32,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    spacing: &Spacing,
    field: &Field<'_>,
) -> bool {
    let i = c.index();
    let far = gun.from.distance_cm(field.places.at[i]);
    field.strength.men[i] > 0
        && !matches!(field.spirits.mind[i], Mind::Yielded | Mind::Gone)
        && far <= ask.range_cm(gun)
        && far >= dead_cm
        && ask.only.is_none_or(|sel| wanted(sel, gun.company, c, field))
        && !friends_near(c, ask.spare_cm, gun, field)
        && is_worth(c, gun, ask, spacing, field)
        && (gun.shot.lobbed || sees(gun, c, field))
}

/// Many men, near: men over the square of the distance.
const fn worth(men: i64, far_cm: i64) -> i64 {
    men * 1_000_000_000 / (far_cm * far_cm / 100 + 1)
}

/// The best target in a block.
fn in_block(
    block: usize,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    field: &Field<'_>,
    (ground, spacing): (&[Ground], &Spacing),
    hostile: &[bool],
) -> Option<(i64, CompanyId)> {
    let (site, blocks) = (&*field.setting.site, field.blocks);
    let foes =
        hostile.iter().enumerate().fold(0_u32, |bits, (p, foe)| bits | u32::from(*foe) << (p & 31));
    let (from_x, from_y) = (
        (block % blocks.columns * Blocks::CELLS) as u32,
        (block / blocks.columns * Blocks::CELLS) as u32,
    );
    // Where friends stand among them nobody who spares friends need look closer.
    let spared = if ask.spare_cm > 0 {
        1_u32 << (field.roster.party[gun.company.index()].0 & 31)
    } else {
        0
    };
    let mut best: Option<(i64, CompanyId)> = None;
    for y in from_y..(from_y + Blocks::CELLS as u32).min(site.rows) {
        for x in from_x..(from_x + Blocks::CELLS as u32).min(site.columns) {
            let cell = NodeId(y * site.columns + x);
            for node in [Some(cell), site.rampart_of[cell.index()]].into_iter().flatten() {
                let parties = ground[node.index()].parties;
                if field.places.head[node.index()].is_none()
                    || parties & foes == 0
                    || parties & spared != 0
                {
                    continue;
                }
                let floor = site.nodes[node.index()].height_cm;
                let dead = gun.dead_cm(floor);
                for c in field.places.on(node) {
                    let i = c.index();
                    if !hostile[field.roster.party[i].index()] {
                        continue;
                    }
                    let worth = worth_of(c, gun, field, ground[node.index()]);
                    if best.is_none_or(|(b, _)| b < worth) && may(c, dead, gun, ask, spacing, field)
                    {
                        best = Some((worth, c));
                    }
                }
            }
        }
    }
    best
}

/// Whether a missile would do enough harm for one who shoots at will.
fn is_worth(
    target: CompanyId,
    gun: &Gun<'_>,
    ask: &Ask<'_>,
    spacing: &Spacing,
    field: &Field<'_>,
) -> bool {
    ask.worth_it <= 0.0 || cover::left_of(gun, target, spacing, field) >= ask.worth_it
}

/// Whether friends of the shooter are nearer to a target than they may be.
fn friends_near(target: CompanyId, spare_cm: i32, gun: &Gun<'_>, field: &Field<'_>) -> bool {
    if spare_cm <= 0 {
        return false;
    }
    let at = field.places.at[target.index()];
    let party = field.roster.party[gun.company.index()];
    let node = field.places.node[target.index()];
    let around = field.setting.site.neighbours[node.index()].iter().flatten().copied();
    std::iter::once(node).chain(around).any(|n| {
        field.places.on(n).any(|c| {
            let i = c.index();
            field.roster.party[i] == party
                && field.strength.men[i] > 0
                && field.places.at[i].distance_cm(at) < spare_cm
        })
    })
}

/// Whether no wall stands in a straight line between a shooter and a target.
fn sees(gun: &Gun<'_>, target: CompanyId, field: &Field<'_>) -> bool {
    let site = &*field.setting.site;
    let t = target.index();
    let to = field.places.at[t];
    let node = &site.nodes[field.places.node[t].index()];
    let own = &site.nodes[field.places.node[gun.company.index()].index()];
    let far = gun.from.distance_cm(to).max(1);
    let steps = far / (site.cell_cm / 2).max(1) + 1;
    (1..steps).all(|step| {
        let at = gun.from.towards(to, step, steps);
        let walked = far / steps * step;
        let Some(cell) = site.node_at(at) else { return true };
        let Some(walk) = site.rampart_of[cell.index()] else { return true };
        let edge = (own.level == Level::Rampart && walked < EDGE_CM)
            || (node.level == Level::Rampart && far - walked < EDGE_CM);
        let ray = gun.muzzle_cm
            + ((i64::from(node.height_cm) + 100 - i64::from(gun.muzzle_cm)) * i64::from(walked)
                / i64::from(far)) as i32;
        edge || ray >= site.nodes[walk.index()].height_cm
    })
}

/// Whether a company is one of those that the order names.
fn wanted(sel: &Sel, own: CompanyId, c: CompanyId, field: &Field<'_>) -> bool {
    let i = c.index();
    let roster = field.roster;
    let whose = match sel.who {
        Who::Party(p) => roster.party[i] == p,
        Who::Side(s) => roster.side[i] == s,
        Who::Enemy => true,
        Who::Friend | Who::Own => roster.unit[i] == roster.unit[own.index()],
        Who::Corps(k) => roster.corps[i] == k,
        Who::Unit(u) => roster.unit[i] == u,
        Who::Kind(k) => roster.kind[i] == k,
        Who::Person(p) => field.setting.scenario.persons[p.index()].unit == roster.unit[i],
    };
    whose
        && sel.states.iter().all(|state| is(*state, i, field))
        && sel.area.is_none_or(|area| field.setting.site.in_area(area, field.places.node[i]))
        && sel.within.is_none_or(|(cm, place)| {
            let here = field.places.at[i];
            if let Place::Work(work) = place {
                // A wall is near along its whole line.
                return to_work_cm(&field.setting.site, work, here) <= cm;
            }
            spot(place, field).is_none_or(|at| at.distance_cm(here) <= cm)
        })
}

/// Whether a company is in a state, as far as a shooter sees it.
fn is(state: State, i: usize, field: &Field<'_>) -> bool {
    let mind = field.spirits.mind[i];
    let broken = matches!(mind, Mind::Broken | Mind::Rallying);
    let speed = field.places.speed_cm_s[i];
    match state {
        State::Formed => !broken && field.forms.shape[i] != Shape::Crowd,
        State::Roofed => field.forms.shape[i] == Shape::Roof && field.forms.forming[i] == 0,
        State::Moving => speed > 0,
        State::Stalled => speed < SLOW_CM_S && field.places.blocked[i] > 0,
        State::Slow => speed < SLOW_CM_S,
        State::Loose => field.forms.shape[i] == Shape::Loose && field.forms.forming[i] == 0,
        State::Fighting => field.contacts.front[i] > 0,
        State::Broken => broken,
        State::Unbroken => !broken,
        State::Captive | State::Home => false,
        State::Mounted => field.roster.mounted[i],
        State::Afoot => !field.roster.mounted[i],
    }
}

/// Where a place is.
fn spot(place: Place, field: &Field<'_>) -> Option<PointCm> {
    let first = |unit: crate::core::ids::UnitId| {
        let companies = field.roster.of_unit.get(unit.index())?;
        companies
            .iter()
            .find(|c| field.strength.men[c.index()] > 0)
            .map(|c| field.places.at[c.index()])
    };
    match place {
        Place::Point(at) => Some(at),
        Place::Area(area) => field.setting.site.areas.get(area.index()).map(|a| a.at),
        Place::Work(work) => field.setting.site.works.get(work.index()).map(|w| w.at),
        Place::Unit(unit) => first(unit),
        Place::Person(p) => {
            field.setting.scenario.persons.get(p.index()).and_then(|p| first(p.unit))
        }
    }
}
