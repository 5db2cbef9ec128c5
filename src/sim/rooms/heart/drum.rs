//! War drums (CM-03): friends in hearing take heart for as long as they sound.

use bevy_ecs::prelude::*;

use super::{Moods, near};
use crate::core::measure::metres_to_cm;
use crate::sim::board::{
    Clock, Contacts, Drummers, Mind, Places, Roster, Setting, Spirits, Strength, Why,
};
use crate::sim::laws::Law;

/// Lifts all friends who hear a drum, up to a little over their own steadiness. Several
/// drums lift nobody more than one does.
#[allow(clippy::too_many_arguments, reason = "a system lists what it reads")]
pub(super) fn beat(
    mut moods: ResMut<Moods>,
    mut spirits: ResMut<Spirits>,
    mut drummers: ResMut<Drummers>,
    setting: Res<Setting>,
    clock: Res<Clock>,
    roster: Res<Roster>,
    places: Res<Places>,
    strength: Res<Strength>,
    contacts: Res<Contacts>,
) {
    let law = &setting.rules.laws.heart;
    let moods = &mut *moods;
    let until = clock.pulse + (law.drum_s.v() / clock.dt()) as u32;
    for unit in drummers.0.drain(..) {
        match moods.drums.iter_mut().find(|(u, _)| *u == unit) {
            Some(drum) => drum.1 = until,
            None => moods.drums.push((unit, until)),
        }
    }
    moods.drums.retain(|(_, until)| *until > clock.pulse);
    if moods.drums.is_empty() || setting.off.is_off(Law::Heart) {
        return;
    }
    let by = (law.drum_per_s.v() * 1000.0) as i32 * clock.pulse_s;
    let most = (law.drum_lifts.v() * 1000.0) as i32;
    let heard_cm = metres_to_cm(law.drum_m.v());
    let mut heard: Vec<usize> = Vec::new();
    for (unit, _) in &moods.drums {
        // Who beats it stands, and has his hands free.
        let drum = roster.of_unit[unit.index()].iter().map(|c| c.index()).find(|c| {
            strength.men[*c] > 0
                && contacts.front[*c] == 0
                && matches!(spirits.mind[*c], Mind::Steady | Mind::Desperate)
        });
        let Some(drum) = drum else { continue };
        for c in near::around(places.at[drum], heard_cm, &setting, &places) {
            let i = c.index();
            if roster.party[i] == roster.party[drum]
                && matches!(spirits.mind[i], Mind::Steady | Mind::Desperate)
            {
                heard.push(i);
            }
        }
    }
    heard.sort_unstable();
    heard.dedup();
    for i in heard {
        let mood = &mut moods.of[i];
        let room = mood.base + most - mood.heart;
        if room > 0 {
            mood.shock(-by.min(room), Why::Signal);
            mood.clamp();
            spirits.heart[i] = mood.heart / 1000;
        }
    }
}
