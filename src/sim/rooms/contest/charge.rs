//! Momentum: a mass that arrives pushes the other back or rides in, and tramples
//! who is in its path.

use bevy_ecs::prelude::*;

use super::{Melee, Met, ROOM};
use crate::core::dice::Draws;
use crate::core::ids::CompanyId;
use crate::core::measure::{PointCm, chance};
use crate::sim::board::{
    Cause, Clock, Contacts, Forms, Intents, Mind, Places, Rolls, Roster, Setting, Spirits,
    Strength, Wound, Wounds,
};
use crate::sim::journal::{Happening, Journal};

/// Centimetres of push in one pulse that are worth telling.
const TOLD_CM: i32 = 100;

/// One side of a push.
struct Side {
    /// Kilograms of a man (and horse).
    mass: f64,
    /// Metres a second towards the other.
    closing: f64,
    /// Men on the shared width, all ranks.
    men: f64,
    /// Quality, order and heart together.
    order: f64,
}

/// Paces by which the first pushes the second; negative when it is pushed.
fn paces(a: &Side, b: &Side, push_kg_m_s: f64) -> f64 {
    let net = a.mass * a.closing * a.men - b.mass * b.closing * b.men;
    let stands = if net >= 0.0 { b } else { a };
    net / (push_kg_m_s * (stands.men * stands.order).max(1.0))
}

/// Pushes and trampling of all pairs.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
pub(super) fn charge(
    melee: Res<Melee>,
    mut contacts: ResMut<Contacts>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    mut journal: ResMut<Journal>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    forms: Res<Forms>,
    intents: Res<Intents>,
) {
    let law = &setting.rules.laws.contest;
    let cap = law.push_back_m_s.v() * 100.0 * clock.dt();
    let charge_cm_s = law.charge_m_s.v() * 100.0;
    // How a company stands up to a push on its front, flank and back.
    let facing = [1.0, law.flank_stands.v(), law.back_stands.v()];
    // The rest of those who are pushed step back, or their horses do.
    let stumble = law.stumble.v();
    let mut roll = rolls.0.room(clock.pulse, ROOM);
    let mut current: Option<(CompanyId, Draws)> = None;
    for met in &melee.met {
        let pair = met.pair;
        let closing = |c: CompanyId, sign: f64| {
            let i = c.index();
            if !intents.attack[i] || spirits.mind[i] == Mind::Broken || places.speed_cm_s[i] <= 0 {
                return 0.0;
            }
            let along =
                f64::from(places.heading[i].x) * met.ux + f64::from(places.heading[i].y) * met.uy;
            (f64::from(places.speed_cm_s[i]) * along * sign / 1000.0).max(0.0)
        };
        let (ahead, back) = (closing(pair.a, 1.0), closing(pair.b, -1.0));
        if ahead < charge_cm_s && back < charge_cm_s {
            continue;
        }
        let side = |c: CompanyId, closing: f64, exposed: u8| {
            let i = c.index();
            let body = &melee.bodies[i];
            let kind = &setting.rules.units[roster.kind[i].index()];
            let shape = setting.rules.shape(forms.shape[i]);
            let heart = f64::from(spirits.heart[i]) / 1000.0;
            Side {
                mass: kind.mass_kg.v(),
                closing: closing / 100.0,
                men: f64::from(strength.men[i]) * f64::from(met.width)
                    / f64::from(body.front.max(met.width)),
                order: (kind.quality.v() * shape.fights.v() * heart).max(law.least_order.v())
                    * facing[usize::from(exposed.min(2))],
            }
        };
        let (a, b) = (side(pair.a, ahead, pair.a_side), side(pair.b, back, pair.b_side));
        let paces = paces(&a, &b, law.push_kg_m_s.v());
        let (pusher, loser, sign, push, stand, closing) = if paces >= 0.0 {
            (pair.a, pair.b, 1.0, &a, &b, ahead)
        } else {
            (pair.b, pair.a, -1.0, &b, &a, back)
        };
        let wanted = paces.abs() * law.pace_m.v() * 100.0;
        let given = wanted.min(cap);
        // Who is pushed farther than men can step back is ridden into, to his
        // last rank at most.
        let through = f64::from(melee.bodies[loser.index()].depth).max(given);
        let advance = if wanted > cap { (closing * clock.dt()).min(through) } else { given };
        if advance < 1.0 {
            continue;
        }
        let i = loser.index();
        contacts.push_cm[i] = (contacts.push_cm[i] + given as i32).min(cap as i32);
        contacts.push_dir[i] =
            PointCm { x: (met.ux * sign * 1000.0) as i32, y: (met.uy * sign * 1000.0) as i32 };
        if given as i32 >= TOLD_CM {
            journal.add(clock.pulse, Happening::PushedBack { company: loser, cm: given as i32 });
        }
        if current.as_ref().is_none_or(|(c, _)| *c != pair.a) {
            current = Some((pair.a, roll.of(pair.a.index())));
        }
        let Some((_, draws)) = current.as_mut() else { continue };
        let p = law.trample.v() * push.mass / (push.mass + stand.mass);
        let by = Some(roster.unit[pusher.index()]);
        let down = |c: CompanyId, share: f64| {
            let body = &melee.bodies[c.index()];
            let path = f64::from(met.width) * advance * share * stumble
                / (f64::from(body.file) * f64::from(body.rank));
            path.min(f64::from(strength.men[c.index()]) * stumble)
        };
        trample(draws, &mut wounds, loser, down(loser, 1.0), p, by);
        own_in_the_way(
            met,
            pusher,
            loser,
            advance,
            p,
            (&melee, &roster, &places, &strength, &spirits, &setting),
            draws,
            &mut wounds,
        );
    }
    rolls.0.count(&roll);
}

/// What `own_in_the_way` looks at.
type Field<'a> = (&'a Melee, &'a Roster, &'a Places, &'a Strength, &'a Spirits, &'a Setting);

/// Broken friends in the path are ridden down like anybody else.
#[allow(clippy::too_many_arguments, reason = "one step of the system above")]
fn own_in_the_way(
    met: &Met,
    pusher: CompanyId,
    loser: CompanyId,
    advance: f64,
    p: f64,
    (melee, roster, places, strength, spirits, setting): Field<'_>,
    draws: &mut Draws,
    wounds: &mut Wounds,
) {
    let node = places.node[loser.index()];
    let room = f64::from(setting.site.nodes[node.index()].room_cm2.max(1));
    let stumble = setting.rules.laws.contest.stumble.v();
    for c in places.on(node) {
        let i = c.index();
        if c == pusher
            || roster.party[i] != roster.party[pusher.index()]
            || spirits.mind[i] != Mind::Broken
        {
            continue;
        }
        let (file, rank) =
            melee.spacing.man(crate::scenario::catalogue::Shape::Crowd, roster.mounted[i]);
        let area = f64::from(file) * f64::from(rank);
        let men = f64::from(strength.men[i]);
        // The path's share of the cell that these men stand on.
        let path = f64::from(met.width) * advance * stumble / area * (men * area / room).min(1.0);
        trample(draws, wounds, c, path.min(men * stumble), p, Some(roster.unit[pusher.index()]));
    }
}

/// Asks for the trampled among those in the path.
fn trample(
    draws: &mut Draws,
    wounds: &mut Wounds,
    company: CompanyId,
    path: f64,
    p: f64,
    by: Option<crate::core::ids::UnitId>,
) {
    let n = draws.round(path);
    let men = draws.binomial(n, chance(p));
    if men > 0 {
        wounds.0.push(Wound { company, men, cause: Cause::Trampled, by, weapon: None });
    }
}

#[cfg(test)]
mod tests {
    use super::{Side, paces};

    fn side(mass: f64, closing: f64, men: f64) -> Side {
        Side { mass, closing, men, order: 1.0 }
    }

    #[test]
    fn mass_and_speed_push_and_order_stands() {
        let horse = side(550.0, 8.0, 25.0);
        let foot = side(90.0, 0.0, 50.0);
        let ahead = paces(&horse, &foot, 400.0);
        assert!(ahead > 5.0, "{ahead}");
        assert!(paces(&side(550.0, 4.0, 25.0), &foot, 400.0) < ahead);
        let firm = Side { order: 2.0, ..side(90.0, 0.0, 50.0) };
        assert!(paces(&horse, &firm, 400.0) < ahead);
        assert!(paces(&foot, &horse, 400.0) < 0.0, "the one who stands is pushed");
        assert!(paces(&horse, &side(550.0, 8.0, 25.0), 400.0).abs() < 1e-9, "equal shocks cancel");
    }
}
