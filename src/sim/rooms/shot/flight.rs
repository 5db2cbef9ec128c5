//! Where missiles come down and what they do there.

use super::wreck::Struck;
use super::{Field, cause_of, cover, metres};
use crate::core::dice::Draws;
use crate::core::ids::{CompanyId, NodeId, UnitId, WeaponId};
use crate::core::measure::{PointCm, chance, metres_to_cm};
use crate::scenario::catalogue::{Shape, Shot};
use crate::scenario::site::Level;
use crate::sim::board::{Cause, Mind, OpenedRoofs, Wound, Wounds};
use crate::sim::body::{Body, Spacing, free_cm, goes_through};

/// Flattest fall of a missile: nothing flies level for ever.
const FLATTEST: f64 = 0.03;
/// Parts that a volley is cut into, each coming down together.
const PARTS: i32 = 4;

/// What stands on a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ground {
    /// Square centimetres that its men take in their shapes.
    pub cm2: i32,
    /// Bits of their parties.
    pub parties: u32,
}

/// A weapon about to shoot.
pub(super) struct Gun<'a> {
    pub weapon: WeaponId,
    pub shot: &'a Shot,
    pub company: CompanyId,
    pub unit: UnitId,
    pub from: PointCm,
    /// Height of the floor it stands on, and of its muzzle over the plain, in
    /// centimetres.
    floor_cm: i32,
    pub muzzle_cm: i32,
    /// Tangent of the steepest depression.
    pub depression: f64,
    /// Scatter and rate as factors.
    pub scatter: f64,
    pub rate: f64,
    /// Aimed, and not at will.
    pub aimed: bool,
    pub is_engine: bool,
    pub cause: Cause,
}

/// What a volley asks of others.
pub(super) struct Toll<'a> {
    pub wounds: &'a mut Wounds,
    pub opened: &'a mut OpenedRoofs,
    /// What came down among engines, until it is decided what it did to them.
    pub batteries: Vec<Struck>,
}

impl<'a> Gun<'a> {
    /// The hand-held weapon of a company.
    pub fn by_hand(
        weapon: WeaponId,
        shot: &'a Shot,
        company: CompanyId,
        moving: bool,
        free: bool,
        field: &Field<'_>,
    ) -> Self {
        let mut gun = Self::of(weapon, shot, company, free, field);
        gun.cause = cause_of(shot, false);
        if moving {
            let riding = field.setting.rules.laws.shot.riding.v();
            gun.rate *= riding;
            gun.scatter /= riding;
        }
        gun
    }

    /// An engine; depressed by its handle to a tangent, or not.
    pub fn engine(
        weapon: WeaponId,
        shot: &'a Shot,
        company: CompanyId,
        handle: Option<f64>,
        free: bool,
        field: &Field<'_>,
    ) -> Self {
        let mut gun = Self::of(weapon, shot, company, free, field);
        gun.cause = cause_of(shot, true);
        gun.is_engine = true;
        gun.depression = handle.unwrap_or(gun.depression);
        gun
    }

    fn of(
        weapon: WeaponId,
        shot: &'a Shot,
        company: CompanyId,
        free: bool,
        field: &Field<'_>,
    ) -> Self {
        let i = company.index();
        let floor = field.setting.site.nodes[field.places.node[i].index()].height_cm;
        let law = &field.setting.rules.laws.shot;
        Self {
            weapon,
            shot,
            company,
            unit: field.roster.unit[i],
            from: field.places.at[i],
            floor_cm: floor,
            muzzle_cm: floor + metres_to_cm(law.muzzle_m.v()),
            depression: shot.depression.v(),
            scatter: if free { 1.0 } else { law.aimed_scatter.v() },
            rate: 1.0,
            aimed: !free,
            is_engine: false,
            cause: Cause::Arrow,
        }
    }

    /// Nearest ground in centimetres that it can be pointed at, for a floor.
    pub fn dead_cm(&self, floor_cm: i32) -> i32 {
        if self.floor_cm <= floor_cm {
            return 0;
        }
        dead_zone_cm(self.muzzle_cm - floor_cm, self.depression)
    }

    /// Tangent of the fall of its missiles at a distance, on a floor.
    pub fn fall(&self, distance_m: f64, floor_cm: i32, field: &Field<'_>) -> f64 {
        let law = &field.setting.rules.laws.shot;
        let lobbed = if self.shot.lobbed { law.lobbed_fall.v() } else { 0.0 };
        fall(distance_m, self.shot.range_m.v(), metres(self.muzzle_cm - floor_cm), lobbed)
    }
}

/// Dead zone: height of the muzzle over the target's floor, by the tangent of the
/// steepest depression.
pub(super) fn dead_zone_cm(above_cm: i32, depression: f64) -> i32 {
    if above_cm <= 0 || depression <= 0.0 {
        return 0;
    }
    (f64::from(above_cm) / depression) as i32
}

/// Tangent of the fall at a distance: the low arc of a weapon that reaches its
/// range at 45 degrees, steeper from above, and never flatter than `least` (what is
/// lobbed over heads).
pub(super) fn fall(distance_m: f64, range_m: f64, above_m: f64, least: f64) -> f64 {
    let x = (distance_m / range_m.max(1.0)).clamp(0.001, 1.0);
    let arc = (1.0 - (1.0 - x * x).sqrt()) / x;
    (arc.max(least) + above_m.max(0.0) / distance_m.max(1.0)).max(FLATTEST)
}

/// Energy left at a distance: the loss of each hundred metres in turn.
pub(super) fn energy_at(shot: &Shot, distance_m: f64) -> f64 {
    let loss = shot.loss_per_100m.v().clamp(0.0, 1.0);
    let mut left = shot.energy_j.v();
    let mut rest = distance_m;
    while rest >= 100.0 {
        left *= 1.0 - loss;
        rest -= 100.0;
    }
    left * (1.0 - loss * rest.max(0.0) / 100.0)
}

/// A draw of a normal distribution, near enough: four sixteenths of a word, ends
/// cut at three and a half deviations.
fn normal(draws: &mut Draws) -> f64 {
    let word = draws.word();
    let sum = (word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + (word >> 48);
    // The sum of four uniform numbers has a deviation of 65536 / sqrt(3).
    (sum as f64 - 131_070.0) / 37_837.2
}

/// How a missile meets a company.
struct Meeting {
    /// Metres flown.
    distance: f64,
    /// Tangent of its fall.
    fall: f64,
    /// Direction from the shooter.
    ux: f64,
    uy: f64,
    /// Square metres of ground for each of the men's own, at most 1: a crush.
    squeeze: f64,
}

/// Men of a company put out of the fight by one missile among them: a chance for
/// an arrow, a number for a stone.
fn harm(gun: &Gun<'_>, c: CompanyId, spacing: &Spacing, m: &Meeting, field: &Field<'_>) -> f64 {
    let i = c.index();
    let rules = &*field.setting.rules;
    let law = &rules.laws.shot;
    let mounted = field.roster.mounted[i];
    let armour = &rules.armour[rules.units[field.roster.kind[i].index()].armour.index()];
    let (file, rank) = spacing.man(field.forms.shape[i], mounted);
    let each = (metres(file) * metres(rank) * m.squeeze).max(0.1);
    let height = if mounted { law.rider_height_m.v() } else { law.man_height_m.v() };
    let heading = field.places.heading[i];
    let facing = -(f64::from(heading.x) * m.ux + f64::from(heading.y) * m.uy) / 1000.0;
    let node = &field.setting.site.nodes[field.places.node[i].index()];
    // From below a parapet hides most of those behind it; from the walk it does not.
    let from_below = node.level == Level::Rampart && gun.muzzle_cm < node.height_cm;
    let hidden = if from_below { law.parapet.v().clamp(0.0, 1.0) } else { 0.0 };
    let cover = rules.ground[node.ground.index()].cover.v().clamp(0.0, 1.0);
    let open = (1.0 - cover) * (1.0 - hidden);
    let through = goes_through(energy_at(gun.shot, m.distance), armour.stops_j.v());
    let swath = gun.shot.swath_m.v();
    if swath > 0.0 {
        // A stone asks for no shield and for no steady hand: it sweeps what stands
        // along its path, and nobody fights on whom it has hit.
        let swept = law.stone_m.v() * (swath + height.min(height / m.fall)) / each;
        return swept * open * through;
    }
    let hit = (law.silhouette_m.v() * (law.footprint_m.v() + height / m.fall) / each).min(1.0);
    let shield = armour.shield.v()
        * if facing > 0.5 {
            1.0
        } else if facing > -0.5 {
            law.shield_aside.v()
        } else {
            0.0
        };
    let cover = cover::of_company(gun, c, spacing, m.fall, facing, field);
    // Heavy bolts put out of action whom they go through; not every arrow does.
    let fatal = if gun.cause == Cause::Arrow { law.disables.v() } else { 1.0 };
    hit * open * (1.0 - shield.clamp(0.0, 1.0)) * (1.0 - cover) * through * law.battle.v() * fatal
}

/// Shoots so many missiles at a company. Answers how many men they struck,
/// whoever they were.
#[allow(clippy::too_many_arguments, reason = "one step of the room's system")]
pub(super) fn volley(
    gun: &Gun<'_>,
    missiles: i32,
    target: CompanyId,
    spacing: &Spacing,
    ground: &[Ground],
    field: &Field<'_>,
    draws: &mut Draws,
    toll: &mut Toll<'_>,
) -> i32 {
    let t = target.index();
    let site = &*field.setting.site;
    let node = field.places.node[t];
    let law = &field.setting.rules.laws.shot;
    let mounted = field.roster.mounted[t];
    let width = free_cm(site, node, field.places.heading[t]);
    let body = spacing.body(
        field.forms.shape[t],
        mounted,
        field.strength.men[t],
        width,
        field.places.at[t],
        field.places.heading[t],
    );
    let (dx, dy) = (f64::from(body.centre.x - gun.from.x), f64::from(body.centre.y - gun.from.y));
    let far = (dx * dx + dy * dy).sqrt().max(100.0);
    let (ux, uy) = (dx / far, dy / far);
    let distance = far / 100.0;
    let fall = gun.fall(distance, site.nodes[node.index()].height_cm, field);
    let height = if mounted { law.rider_height_m.v() } else { law.man_height_m.v() };
    // Scatter across is an angle; along, the same angle drawn out by the fall.
    let across = gun.shot.dispersion_mrad.v() * gun.scatter / 1000.0 * distance * 100.0;
    let along = across / fall;
    // A rectangle square to the shot of the same area, longer by its men's shadow.
    let half_across = body.reach_along(-uy, ux);
    let half_along = f64::from(body.front) * f64::from(body.depth) / (4.0 * half_across.max(1.0));
    let shadow = height * 100.0 / fall;
    let mut struck = 0;
    for part in 0..PARTS.min(missiles) {
        let n = missiles / PARTS.min(missiles) + i32::from(part < missiles % PARTS.min(missiles));
        let (x, y) = (normal(draws) * across, normal(draws) * along);
        let inside = x.abs() <= half_across && y >= -half_along - shadow && y <= half_along;
        let at = PointCm {
            x: body.centre.x + (ux * y - uy * x) as i32,
            y: body.centre.y + (uy * y + ux * x) as i32,
        };
        let there = if inside { Some(node) } else { landing(at, node, field) };
        let Some(there) = there else { continue };
        let own_cm2 = if there == node { body_cm2(&body) } else { 0 };
        let mixed = ground[there.index()].parties.count_ones() > 1;
        let (hit, occupied) = if inside && !mixed {
            (Some(target), 1.0)
        } else {
            // Whoever stands there, by the ground he takes.
            let skip = if inside { None } else { Some(target) };
            let others = if inside {
                ground[there.index()].cm2
            } else {
                ground[there.index()].cm2 - own_cm2
            };
            let room = f64::from(
                (site.nodes[there.index()].room_cm2 - if inside { 0 } else { own_cm2 }).max(1),
            );
            let full = if inside { 1.0 } else { (f64::from(others) / room).min(1.0) };
            (by_area(there, others, skip, spacing, field, draws), full)
        };
        let Some(hit) = hit else { continue };
        // In the open a company spreads over more than its cell when it stands loose;
        // that is no crush.
        let mut room = site.nodes[there.index()].room_cm2.max(1);
        if inside && site.nodes[there.index()].width_cm >= site.cell_cm {
            room = room.max(body_cm2(&body));
        }
        let room = f64::from(room);
        let meeting = Meeting {
            distance,
            fall,
            ux,
            uy,
            squeeze: (room / f64::from(ground[there.index()].cm2.max(1))).min(1.0),
        };
        if field.serves[hit.index()] {
            let takes = spacing.area_cm2(
                field.forms.shape[hit.index()],
                field.roster.mounted[hit.index()],
                field.strength.men[hit.index()],
            );
            toll.batteries.push(Struck {
                company: hit,
                weapon: gun.weapon,
                missiles: n,
                distance,
                fall,
                over_m2: f64::from(takes) / 10_000.0 / occupied.max(0.01),
            });
        }
        let each = harm(gun, hit, spacing, &meeting, field) * occupied;
        let men = if gun.shot.swath_m.v() > 0.0 {
            draws.round(each * f64::from(n))
        } else {
            draws.binomial(n, chance(each))
        };
        if men > 0 {
            struck += men;
            toll.wounds.0.push(Wound {
                company: hit,
                men,
                cause: gun.cause,
                by: Some(gun.unit),
                weapon: Some(gun.weapon),
            });
            let roofed = field.forms.shape[hit.index()] == Shape::Roof;
            if roofed && gun.shot.swath_m.v() > 0.0 && draws.happens(chance(law.opens_roof.v())) {
                toll.opened.0.push(hit);
            }
        }
    }
    struck
}

/// Square centimetres of a body.
fn body_cm2(body: &Body) -> i32 {
    body.men.saturating_mul(body.file.saturating_mul(body.rank))
}

/// The node that a missile comes down on: the level it was shot at, or the ground
/// where there is none.
fn landing(at: PointCm, aimed: NodeId, field: &Field<'_>) -> Option<NodeId> {
    let site = &*field.setting.site;
    let level = site.nodes[aimed.index()].level;
    let node = site.node_on(at, level).or_else(|| site.node_on(at, Level::Ground))?;
    field.places.head[node.index()].map(|_| node)
}

/// One of the companies on a node, drawn by the ground that each takes.
fn by_area(
    node: NodeId,
    all_cm2: i32,
    skip: Option<CompanyId>,
    spacing: &Spacing,
    field: &Field<'_>,
    draws: &mut Draws,
) -> Option<CompanyId> {
    if all_cm2 <= 0 {
        return None;
    }
    let mut at = draws.below(all_cm2 as u32) as i32;
    for c in field.places.on(node) {
        let i = c.index();
        let men = field.strength.men[i];
        if Some(c) == skip
            || men <= 0
            || matches!(field.spirits.mind[i], Mind::Gone | Mind::Yielded)
        {
            continue;
        }
        at -= spacing.area_cm2(field.forms.shape[i], field.roster.mounted[i], men);
        if at < 0 {
            return Some(c);
        }
    }
    None
}
