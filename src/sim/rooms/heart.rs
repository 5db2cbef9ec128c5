//! L9, heart and breath.
//!
//! Decides how brave each company is, when it breaks, rallies, turns desperate
//! or yields, and how fresh it is. A heart is moved by shocks that carry their
//! reason. The hazard of breaking grows smoothly below a threshold *and* with
//! what presses now: the rate of loss over a minute, a stall under shot, flanks.
//! It never looks at the share lost since muster, so slow losses break nobody.
//!
//! Reads contacts, strength, places, persons. Writes `Spirits`; drains `Shocks` and
//! `Drummers`. Never moves or counts men. Off: nobody breaks and no drum lifts
//! anybody (breath still goes).

use bevy_ecs::prelude::*;

use crate::core::digest::Digest;
use crate::core::ids::{CompanyId, UnitId};
use crate::core::measure::{chance, metres_to_cm};
use crate::orders::ast::Stance;
use crate::scenario::catalogue::HeartLaw;
use crate::sim::board::{
    Blocks, Clock, Contacts, Drummers, Forms, Havens, Intents, Mind, News, Persons, Places, Rolls,
    Roster, Setting, Shocks, Spirits, Splits, Strength, Tasks, Tiding, Tidings, Why,
};
use crate::sim::body::over;
use crate::sim::journal::{Happening, Journal};
use crate::sim::laws::Law;
use crate::sim::phases::Phase;

mod drum;
mod mood;
mod near;

use mood::{Mood, Pressing, hazard};

/// This room's dice.
const ROOM: u8 = 5;
/// A broken company looks round for danger this often, in seconds.
const LOOKS_S: i32 = 6;

/// What the room keeps for itself.
#[derive(Resource, Debug, Default)]
struct Moods {
    of: Vec<Mood>,
    /// Companies near a living leader of theirs in this pulse.
    led: Vec<bool>,
    led_list: Vec<CompanyId>,
    /// Companies that broke in this pulse.
    broke: Vec<CompanyId>,
    /// Units that beat the drum, and the pulse until which they do.
    drums: Vec<(UnitId, u32)>,
}

/// A figure that counts, one at least.
fn whole(figure: f64) -> i32 {
    (figure as i32).max(1)
}

/// How much a stance makes of fear, as a factor on the hazard.
const fn resolve(law: &HeartLaw, stance: Stance) -> f64 {
    match stance {
        Stance::HoldToTheLast => law.last_resolve.v(),
        Stance::Storm => law.storm_resolve.v(),
        Stance::Press => law.press_resolve.v(),
        Stance::Hold => 1.0,
        Stance::Feint => law.feint_resolve.v(),
        Stance::Save => law.save_resolve.v(),
    }
}

/// Seconds out of reach of danger, stalls and breath, from the board.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn feel(
    mut moods: ResMut<Moods>,
    mut spirits: ResMut<Spirits>,
    mut shocks: ResMut<Shocks>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    contacts: Res<Contacts>,
    forms: Res<Forms>,
    intents: Res<Intents>,
    (persons, splits): (Res<Persons>, Res<Splits>),
) {
    let moods = &mut *moods;
    let spirits = &mut *spirits;
    let rules = &*setting.rules;
    let law = &rules.laws.heart;
    let dt = clock.pulse_s;
    let mildly = |per_s: f64| (per_s * 1000.0) as i32 * dt;
    let (stall, flank, friend) =
        (mildly(law.per_stall_s.v()), mildly(law.per_flank_s.v()), mildly(law.friend_near.v()));
    let recovers = mildly(law.recovers_per_s.v());
    let presence = mildly(rules.laws.person.presence_heart.v());
    let (rate_s, causes_s) = (whole(law.rate_s.v()), whole(law.causes_s.v()));
    let shot_at_s = law.shot_at_s.v() as i32;
    let stall_cm_s = metres_to_cm(law.stall_m_s.v());
    let rests = mood::per_pulse(law.rests_s.v(), dt);
    let per_percent = law.per_loss_percent.v();
    let rate_percent = law.rate_percent.v().max(0.1);
    let tires = mood::per_pulse(rules.laws.blows.tires_s.v(), dt);
    let runs = [
        mood::per_pulse(rules.foot.run_for_s.v(), dt),
        mood::per_pulse(rules.horse.run_for_s.v(), dt),
    ];
    let run_cm_s = [rules.foot.run.v() * 90.0, rules.horse.run.v() * 90.0].map(|v| v as i32);

    if !setting.off.is_off(Law::Person) {
        near::led(&mut moods.led, &mut moods.led_list, &persons, &setting, &roster, &places);
    }
    for &(front, behind, _) in &splits.0 {
        // The part behind has lived through the same.
        let mut mood = moods.of[front.index()];
        mood.recent = 0;
        moods.of[behind.index()] = mood;
        spirits.mind[behind.index()] = spirits.mind[front.index()];
    }
    for i in 0..moods.of.len() {
        let mood = &mut moods.of[i];
        if spirits.mind[i] == Mind::Gone {
            // A spare company that was put on the field in another way.
            if roster.mustered[i] && strength.men[i] > 0 {
                spirits.mind[i] = Mind::Steady;
            } else {
                continue;
            }
        }
        mood.fade(dt, rate_s, causes_s);
        let lost = strength.lost_now[i];
        let muster = strength.muster[i].max(1);
        mood.recent += lost * 1000;
        if strength.shot_now[i] > 0 {
            mood.shot_s = shot_at_s;
        }
        spirits.loss_rate[i] = mood.recent / muster;
        if lost > 0 {
            let weight = (f64::from(spirits.loss_rate[i]) / 10.0 / rate_percent).min(1.5);
            let percent = f64::from(lost) * 100.0 / f64::from(muster);
            mood.shock((percent * per_percent * weight * 1000.0) as i32, Why::Losses);
        }
        let speed = places.speed_cm_s[i];
        let wants = !matches!(intents.goal[i], crate::sim::board::Goal::Hold);
        let held_up =
            wants && speed < stall_cm_s && (places.blocked[i] > 0 || contacts.front[i] == 0);
        let stalled = held_up && mood.shot_s > 0;
        mood.stalled = stalled;
        if stalled {
            mood.shock(stall, Why::Stalled);
        }
        let fighting = contacts.front[i] > 0;
        let open = i32::from(contacts.sides[i].saturating_sub(1));
        if open > 0 {
            let tells = rules.shape(forms.shape[i]).flank.v();
            mood.shock((f64::from(flank * open) * tells) as i32, Why::Flanked);
        }
        if moods.led[i] && (fighting || mood.shot_s > 0) {
            mood.shock(-presence, Why::Leader);
        }
        // Breath: fighting and running cost it, standing brings it back.
        let mounted = usize::from(roster.mounted[i]);
        mood.breathe(
            fighting,
            speed > run_cm_s[mounted],
            (speed < stall_cm_s && !fighting).then_some(rests),
            tires,
            runs[mounted],
        );
        spirits.stamina[i] = mood.breath / 1000;

        let calm = !fighting && mood.shot_s == 0 && lost == 0;
        mood.calm_s = if calm { mood.calm_s.saturating_add(dt) } else { 0 };
        let base = mood.base;
        if calm && mood.heart < base && spirits.mind[i] != Mind::Broken {
            mood.heart = (mood.heart + recovers).min(base);
        }
        if !stalled
            && mood.heart < base
            && near::friend(CompanyId::from_index(i), &roster, &places, &spirits.mind)
        {
            mood.heart = (mood.heart + friend).min(base);
        }
        mood.clamp();
        spirits.heart[i] = mood.heart / 1000;
    }
    for shock in shocks.0.drain(..) {
        let i = shock.company.index();
        let mood = &mut moods.of[i];
        mood.shock(-shock.by.saturating_mul(1000), shock.why);
        mood.clamp();
        spirits.heart[i] = mood.heart / 1000;
    }
}

/// Who breaks, rallies, fights on or yields.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
fn waver(
    mut moods: ResMut<Moods>,
    mut spirits: ResMut<Spirits>,
    mut rolls: ResMut<Rolls>,
    mut journal: ResMut<Journal>,
    mut tidings: ResMut<Tidings>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    contacts: Res<Contacts>,
    tasks: Res<Tasks>,
    havens: Res<Havens>,
    blocks: Res<Blocks>,
) {
    let moods = &mut *moods;
    let spirits = &mut *spirits;
    let law = &setting.rules.laws.heart;
    let off = setting.off.is_off(Law::Heart);
    let dt = clock.pulse_s;
    let wavers = law.wavers.v();
    let gone_men = law.gone_men.v() as i32;
    let looks = (LOOKS_S / dt.max(1)).max(1) as u32;
    let mut roll = rolls.0.room(clock.pulse, ROOM);
    moods.broke.clear();
    for i in 0..moods.of.len() {
        let company = CompanyId::from_index(i);
        let mind = spirits.mind[i];
        if matches!(mind, Mind::Gone | Mind::Yielded) {
            continue;
        }
        if strength.men[i] <= 0 {
            spirits.mind[i] = Mind::Gone;
            journal.add(clock.pulse, Happening::Gone { company });
            continue;
        }
        if off {
            continue;
        }
        let mood = &mut moods.of[i];
        let mut gives_up = false;
        match mind {
            Mind::Steady | Mind::Rallying => {
                // Too few to stand by themselves, and pressed.
                let worn = strength.men[i] < gone_men && strength.lost_now[i] > 0;
                if !worn && f64::from(spirits.heart[i]) >= wavers {
                    if mind == Mind::Rallying && mood.calm_s > LOOKS_S {
                        spirits.mind[i] = Mind::Steady;
                    }
                    continue;
                }
                let pressing = Pressing {
                    heart: f64::from(spirits.heart[i]),
                    rate: f64::from(spirits.loss_rate[i]) / 10.0 / law.rate_percent.v().max(0.1),
                    stalled: mood.stalled,
                    flanks: contacts.sides[i].saturating_sub(1),
                };
                let per_s = if worn { law.break_per_s.v() } else { hazard(&pressing, law) };
                let stance = tasks.stance.get(roster.unit[i].index()).copied().unwrap_or_default();
                let p = over((per_s * resolve(law, stance)).min(1.0), dt);
                if p <= 0.0 || !roll.of(i).happens(chance(p)) {
                    continue;
                }
                let haven = havens.0.get(i).copied().unwrap_or_else(|| {
                    !setting.scenario.units[roster.unit[i].index()].refuges.is_empty()
                });
                mood.calm_s = 0;
                if haven {
                    spirits.mind[i] = Mind::Broken;
                    moods.broke.push(company);
                    journal.add(clock.pulse, Happening::Broke { company, causes: mood.causes() });
                    tidings.0.push(News { event: Tiding::Broke(company), at: places.at[i] });
                } else {
                    spirits.mind[i] = Mind::Desperate;
                }
            }
            Mind::Broken => {
                gives_up = contacts.front[i] > 0 && !havens.0.get(i).copied().unwrap_or(true);
                let due = (clock.pulse + u32::from(company.0)).is_multiple_of(looks);
                if due
                    && mood.calm_s > 0
                    && near::enemy(
                        company,
                        metres_to_cm(law.danger_m.v()),
                        &setting,
                        &roster,
                        &places,
                        &spirits.mind,
                        &blocks,
                    )
                {
                    mood.calm_s = 0;
                }
                if mood.calm_s >= law.rally_s.v() as i32 && due {
                    spirits.mind[i] = Mind::Rallying;
                    mood.heart = (law.rallied.v() * 1000.0) as i32;
                    spirits.heart[i] = mood.heart / 1000;
                    journal.add(clock.pulse, Happening::Rallied { company });
                }
            }
            Mind::Desperate => {
                if mood.calm_s > law.rally_s.v() as i32 {
                    spirits.mind[i] = Mind::Steady;
                } else {
                    gives_up = contacts.front[i] > 0;
                }
            }
            Mind::Yielded | Mind::Gone => {}
        }
        // Beset with no way out, by so many that nobody would fight on.
        if gives_up
            && near::odds(i, &setting, &roster, &places, &strength, &spirits.mind)
                >= law.yields_odds.v()
        {
            let fear = 1.0 - f64::from(spirits.heart[i]) / 1000.0;
            let p = over(law.yields_per_s.v() * fear, dt);
            if roll.of(i).happens(chance(p)) {
                spirits.mind[i] = Mind::Yielded;
                let men = strength.men[i];
                journal.add(clock.pulse, Happening::Yielded { company, men });
                tidings.0.push(News { event: Tiding::Yielded(company), at: places.at[i] });
            }
        }
    }
    rolls.0.count(&roll);
    spread(moods, spirits, &strength, (&setting, &roster, &places));
}

/// A breaking is seen: friends lose heart, foes win some, in proportion to the men.
fn spread(
    moods: &mut Moods,
    spirits: &mut Spirits,
    strength: &Strength,
    field: (&Setting, &Roster, &Places),
) {
    let (setting, roster, places) = field;
    let law = &setting.rules.laws.heart;
    let (seen_cm, break_men) = (metres_to_cm(law.breaks_seen_m.v()), whole(law.break_men.v()));
    let broke = std::mem::take(&mut moods.broke);
    for &company in &broke {
        let i = company.index();
        let men = strength.men[i];
        let share = |figure: f64| (figure * 1000.0) as i32 * men / break_men;
        let (down, up) = (share(law.friend_breaks.v()), share(law.foe_breaks.v()));
        let own = roster.party[i];
        for c in near::around(places.at[i], seen_cm, setting, places) {
            let j = c.index();
            if c == company
                || !matches!(spirits.mind[j], Mind::Steady | Mind::Rallying | Mind::Desperate)
            {
                continue;
            }
            let mood = &mut moods.of[j];
            if roster.party[j] == own {
                mood.shock(down, Why::FriendsBroke);
            } else if setting.scenario.hostile[own.index()][roster.party[j].index()] {
                mood.shock(-up, Why::Success);
            }
            mood.clamp();
            spirits.heart[j] = mood.heart / 1000;
        }
    }
    moods.broke = broke;
}

/// Adds the room to a battle.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    let (n, hearts, minds) = {
        let (setting, roster) = (world.resource::<Setting>(), world.resource::<Roster>());
        let hearts: Vec<i32> = roster
            .kind
            .iter()
            .map(|k| setting.rules.units[k.index()].steadiness.v() as i32)
            .collect();
        let minds =
            roster.mustered.iter().map(|m| if *m { Mind::Steady } else { Mind::Gone }).collect();
        (roster.len(), hearts, minds)
    };
    world.insert_resource(Moods {
        of: hearts.iter().map(|h| Mood::fresh(*h)).collect(),
        led: vec![false; n],
        ..Moods::default()
    });
    world.insert_resource(Spirits {
        heart: hearts,
        mind: minds,
        stamina: vec![1000; n],
        loss_rate: vec![0; n],
    });
    world.init_resource::<Shocks>();
    world.init_resource::<Tidings>();
    world.init_resource::<Havens>();
    world.init_resource::<Splits>();
    world.init_resource::<Blocks>();
    world.init_resource::<Journal>();
    world.init_resource::<Drummers>();
    schedule.add_systems((feel, drum::beat, waver).chain().in_set(Phase::Heart));
}

/// What the room wrote, for the digest of a pulse.
pub fn digest(world: &World, d: &mut Digest) {
    let spirits = world.resource::<Spirits>();
    for i in 0..spirits.heart.len() {
        d.u32(
            spirits.heart[i] as u32
                | (spirits.stamina[i] as u32) << 10
                | (spirits.mind[i] as u32) << 20,
        );
        d.i32(spirits.loss_rate[i]);
    }
    for (unit, until) in &world.resource::<Moods>().drums {
        d.u32(u32::from(unit.0));
        d.u32(*until);
    }
}
