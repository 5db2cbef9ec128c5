//! What men on a walk do against those below: ladders thrown down, logs and stones.
//!
//! Only free men do it, who are in no fight at that moment; unordered a part of them,
//! ordered all. Who is on a ladder that goes down falls with it.

use bevy_ecs::prelude::*;

use crate::core::dice::Draws;
use crate::core::ids::{CompanyId, NodeId, PortalId, SideId};
use crate::core::measure::chance;
use crate::scenario::catalogue::EscaladeLaw;
use crate::scenario::site::{Level, Site};
use crate::sim::board::{
    Cause, Clock, Contacts, Escalade, Gates, Mind, Places, Rolls, Roster, Setting, Spirits, Stand,
    Strength, Wound, Wounds,
};
use crate::sim::body::{goes_through, over};
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;

/// This room's dice: one stream for what is thrown, one for the ladders.
const ROOM: u8 = 11;
const ROOM_LADDERS: u8 = ROOM | 0x80;

/// The part of a ladder's fall that so many hands do in a second.
#[must_use]
pub fn cast_per_s(law: &EscaladeLaw, hands_a_ladder: f64, laden: bool) -> f64 {
    let weight = if laden { law.laden.v() } else { 1.0 };
    hands_a_ladder.min(law.cast_men.v()).max(0.0) * weight / law.cast_man_s.v().max(0.1)
}

/// Men whom one ladder of that height carries, when one comes off it every `man_s`.
#[must_use]
pub fn on_ladder(law: &EscaladeLaw, height_cm: i32) -> i32 {
    let climb_s = f64::from(height_cm) / 100.0 / law.climb_m_s.v().max(0.01);
    (climb_s / law.man_s.v().max(0.1) + 0.5) as i32
}

/// The chance that a man who comes off a ladder is struck down at its head: so many
/// men, with a weapon of so many blows a minute that get through his armour in that
/// share, for as long as he takes.
#[must_use]
pub fn struck_at_head(law: &EscaladeLaw, men: f64, per_minute: f64, through: f64) -> f64 {
    let per_s = men.min(law.head_men.v()).max(0.0) * per_minute / 60.0 * law.head_lands.v();
    over(per_s * through, law.man_s.v() as i32)
}

/// What men at the parapet look at.
struct Parapet<'a> {
    setting: &'a Setting,
    roster: &'a Roster,
    places: &'a Places,
    strength: &'a Strength,
    spirits: &'a Spirits,
    contacts: &'a Contacts,
}

impl Parapet<'_> {
    /// Men of a company who stand to arms and are in no fight.
    fn free(&self, c: usize) -> f64 {
        let steady = matches!(self.spirits.mind[c], Mind::Steady | Mind::Desperate);
        if !steady || self.places.straddles[c].is_some() {
            return 0.0;
        }
        f64::from((self.strength.men[c] - self.contacts.front[c]).max(0))
    }

    /// Companies on the ladders of a stretch on their way up, with the men of each
    /// who are off the ground, first come first.
    fn climbers(
        &self,
        site: &Site,
        stretch: PortalId,
        ladders: i32,
    ) -> impl Iterator<Item = (CompanyId, i32)> {
        let portal = &site.portals[stretch.index()];
        let mut room = ladders * on_ladder(&self.setting.rules.laws.escalade, portal.length_cm);
        portal.outer.iter().flat_map(|n| self.places.on(*n)).filter_map(move |c| {
            let climbs = self.places.straddles[c.index()] == Some((stretch, true));
            let men = if climbs { self.strength.men[c.index()].min(room) } else { 0 };
            room -= men;
            (men > 0).then_some((c, men))
        })
    }

    /// Strikes at those who have just passed the head of a ladder and stand on these
    /// nodes now: `(by, men at each ladder, how many passed)`.
    fn strike(
        &self,
        nodes: &[NodeId],
        side: Option<SideId>,
        (by, men, mut fresh): (usize, f64, i32),
        draws: &mut Draws,
        wounds: &mut Wounds,
    ) {
        let rules = &self.setting.rules;
        let weapon = rules.units[self.roster.kind[by].index()].hand;
        let Some(blow) = rules.weapons[weapon.index()].blow.as_ref() else { return };
        for company in nodes.iter().flat_map(|n| self.places.on(*n)) {
            let c = company.index();
            let here = self.strength.men[c].min(fresh);
            if Some(self.roster.side[c]) != side || here <= 0 {
                continue;
            }
            fresh -= here;
            let armour = rules.units[self.roster.kind[c].index()].armour;
            let stops_j = rules.armour[armour.index()].stops_j.v();
            let through = goes_through(blow.energy_j.v(), stops_j);
            let law = &rules.laws.escalade;
            let each = struck_at_head(law, men, blow.per_minute.v(), through);
            let out = draws.binomial(here, chance(each));
            if out > 0 {
                let (cause, by) = (Cause::Blow, Some(self.roster.unit[by]));
                wounds.0.push(Wound { company, men: out, cause, by, weapon: Some(weapon) });
            }
        }
    }

    fn foes(&self, c: usize, node: NodeId) -> impl Iterator<Item = CompanyId> + '_ {
        let hostile = &self.setting.scenario.hostile[self.roster.party[c].index()];
        self.places.on(node).filter(move |o| {
            let o = o.index();
            hostile[self.roster.party[o].index()]
                && self.strength.men[o] > 0
                && self.spirits.mind[o] != Mind::Yielded
        })
    }
}

/// Ladders are thrown down, and logs and stones on those below.
#[expect(
    clippy::too_many_arguments,
    reason = "one parameter for each resource of the board that it reads"
)]
pub(super) fn defend(
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    spirits: Res<Spirits>,
    contacts: Res<Contacts>,
    mut board: ResMut<Escalade>,
    mut gates: ResMut<Gates>,
    mut rolls: ResMut<Rolls>,
    mut wounds: ResMut<Wounds>,
    mut journal: ResMut<Journal>,
) {
    let at = Parapet {
        setting: &setting,
        roster: &roster,
        places: &places,
        strength: &strength,
        spirits: &spirits,
        contacts: &contacts,
    };
    if board.logs.iter().any(|logs| *logs > 0) {
        let mut dice = rolls.0.room(clock.pulse, ROOM);
        for c in 0..roster.len() {
            if board.logs[c] > 0 && strength.men[c] > 0 {
                let mut draws = dice.of(c);
                drop_on(&at, &clock, c, &mut board, &mut draws, &mut wounds);
            }
        }
        rolls.0.count(&dice);
    }
    if board.open.is_empty() {
        return;
    }
    let mut dice = rolls.0.room(clock.pulse, ROOM_LADDERS);
    let (site, law) = (&setting.site, &setting.rules.laws.escalade);
    let off = setting.off.is_off(Law::Job);
    // By place in the list, which shrinks where the last ladder of a stretch goes down.
    let mut next = 0;
    while let Some(&stretch) = board.open.get(next) {
        next += 1;
        let nth = stretch.index() - site.passages;
        let Stand { up, side, .. } = board.stands[nth];
        let portal = &site.portals[stretch.index()];
        let (mut hands, mut free) = (0.0, 0.0);
        let mut foremost = None;
        for c in portal.inner.iter().flat_map(|n| places.on(*n)).map(CompanyId::index) {
            if Some(roster.side[c]) != side {
                let told = board.casting[roster.unit[c].index()];
                hands += at.free(c) * if told { 1.0 } else { law.tends.v() };
                free += at.free(c);
                if at.free(c) > 0.0 && foremost.is_none() {
                    foremost = Some(c);
                }
            }
        }
        let since = |crossed: &[Vec<i32>], seen: &mut i32| {
            let come: i32 = crossed[stretch.index()].iter().sum();
            come - std::mem::replace(seen, come)
        };
        let [came, went] = &mut board.landed[nth];
        let (came, went) = (since(&places.crossed_in, came), since(&places.crossed_out, went));
        let mut draws = dice.of(nth);
        if let Some(c) = foremost.filter(|_| !setting.off.is_off(Law::Blows)) {
            // Who comes up has his hands full, who goes down his back turned.
            let men = free / f64::from(up.max(1));
            at.strike(&portal.inner, side, (c, men, came), &mut draws, &mut wounds);
            at.strike(&portal.outer, side, (c, men, went), &mut draws, &mut wounds);
        }
        if hands <= 0.0 {
            continue;
        }
        let laden = at.climbers(site, stretch, up).next().is_some();
        let per_s = cast_per_s(law, hands / f64::from(up.max(1)), laden);
        let hazard = if off { 1.0 } else { per_s * clock.dt() };
        let thrown = draws.binomial(up, chance(hazard));
        if thrown == 0 {
            continue;
        }
        let mut fell = 0;
        for (company, men) in at.climbers(site, stretch, up) {
            let falls = (men * thrown + up - 1) / up;
            let out = draws.binomial(falls, chance(law.fall_out.v()));
            fell += out;
            if out > 0 {
                let cause = Cause::Fell;
                wounds.0.push(Wound { company, men: out, cause, by: None, weapon: None });
            }
        }
        let broken = draws.binomial(thrown, chance(law.breaks.v()));
        let stand = &mut board.stands[nth];
        stand.up -= thrown;
        stand.lying += thrown - broken;
        if stand.up == 0 {
            gates.gap[stretch.index()] = 0;
            next -= 1;
            board.open.remove(next);
        }
        let ladders = thrown;
        journal.add(clock.pulse, Happening::LaddersDown { work: portal.work, ladders, fell });
    }
    rolls.0.count(&dice);
}

/// Logs and stones of one company: down a ladder with men on it, else on the foot.
fn drop_on(
    at: &Parapet<'_>,
    clock: &Clock,
    c: usize,
    board: &mut Escalade,
    draws: &mut Draws,
    wounds: &mut Wounds,
) {
    let (site, law) = (&at.setting.site, &at.setting.rules.laws.escalade);
    let node = at.places.node[c];
    if site.nodes[node.index()].level != Level::Rampart {
        return;
    }
    let told = board.dropping[at.roster.unit[c].index()];
    // Two men heave one.
    let pairs = at.free(c) * if told { 0.5 } else { 0.5 * law.tends.v() };
    let by = Some(at.roster.unit[c]);
    for stretch in site.stretches_at(node) {
        let foot = site.portals[stretch.index()].outer[0];
        if pairs < 1.0 || board.logs[c] <= 0 || at.foes(c, foot).next().is_none() {
            continue;
        }
        let heaved = draws.binomial(pairs as i32, chance(clock.dt() / law.heave_s.v().max(0.1)));
        let heaved = heaved.min(board.logs[c]);
        if heaved == 0 {
            continue;
        }
        board.logs[c] -= heaved;
        let up = board.stand(site, stretch).up;
        let mut hit = |company: CompanyId, men: i32, share: f64| {
            let out = draws.binomial(men, chance(share * law.strikes_out.v()));
            if out > 0 {
                let cause = Cause::Stone;
                wounds.0.push(Wound { company, men: out, cause, by, weapon: None });
            }
        };
        if at.climbers(site, stretch, up).next().is_some() {
            // One ladder each: its share of the men on all of them.
            let ladders = f64::from(heaved.min(up)) / f64::from(up.max(1));
            for (company, men) in at.climbers(site, stretch, up) {
                hit(company, men, law.sweeps.v() * ladders);
            }
            continue;
        }
        let room_m2 = f64::from(site.nodes[foot.index()].room_cm2.max(1)) / 10_000.0;
        let share = f64::from(heaved) * law.strikes_m2.v() / room_m2;
        for company in at.foes(c, foot) {
            hit(company, at.strength.men[company.index()], share);
        }
    }
}
