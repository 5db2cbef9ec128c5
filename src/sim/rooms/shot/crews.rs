//! What the crews of engines do by themselves: shoot, and load again.

use super::aim::Ask;
use super::flight::{Gun, Toll, volley};
use super::tell::note;
use super::wreck::wreck;
use super::{Battery, Field, pick_target};
use crate::core::ids::CompanyId;
use crate::scenario::catalogue::EngineKind;
use crate::sim::board::{Clock, Emplaced, Engines};
use crate::sim::journal::Journal;

/// An engine that is empty in its stand is loaded by its crew without being told: the
/// whole cycle, with drawing back and pushing forward where its kind asks for it. Where
/// there is no room for that it stays empty.
fn begin_loading(
    engines: &mut Engines,
    e: usize,
    company: CompanyId,
    engines_here: usize,
    kind: &EngineKind,
    field: &Field<'_>,
    clock: &Clock,
) {
    let i = company.index();
    if kind.loads_back
        && !Engines::can_be_drawn_back(&field.setting.site, field.places.node[i], kind)
    {
        engines.ready_at[e] = u32::MAX;
        return;
    }
    // Fewer hands load slower.
    let crew = kind.crew.v().max(1.0) * engines_here as f64;
    let slower = (crew / f64::from(field.strength.men[i].max(1))).max(1.0);
    let load = (kind.load_s.v() * slower / clock.dt() + 0.5) as u32;
    engines.ready_at[e] = clock.pulse + load.max(1);
}

/// The engines of a company: each shoots when it stands forward and is loaded.
#[allow(clippy::too_many_arguments, reason = "one step of the system above")]
pub(super) fn crews_shoot(
    battery: &mut Battery,
    engines: &mut Engines,
    company: CompanyId,
    ask: &Ask<'_>,
    field: &Field<'_>,
    clock: &Clock,
    endless: bool,
    roll: &mut crate::core::dice::Roll,
    toll: &mut Toll<'_>,
    journal: &mut Journal,
) -> bool {
    let i = company.index();
    let n = engines.of_company[i].len();
    if n == 0 || field.contacts.front[i] > 0 {
        return false;
    }
    let rules = &*field.setting.rules;
    let mut draws = None;
    let mut did = false;
    for at in 0..n {
        let e = engines.of_company[i][at].index();
        let kind = &rules.engines[engines.kind[e].index()];
        if engines.ready_at[e] == u32::MAX && engines.stand[e] == Emplaced::Forward {
            begin_loading(engines, e, company, n, kind, field, clock);
        }
        if !engines.can_shoot(e, clock.pulse) {
            continue;
        }
        let Some(weapon) = kind.weapon else { continue };
        if field.setting.off.engines.contains(&engines.kind[e])
            || field.setting.off.weapons.contains(&weapon)
        {
            continue;
        }
        let Some(shot) = rules.weapons[weapon.index()].shot.as_ref() else { continue };
        let missiles = if endless {
            shot.missiles.v() as i32
        } else {
            (shot.missiles.v() as i32).min(engines.store[e])
        };
        if missiles <= 0 {
            continue;
        }
        let gun = Gun::engine(
            weapon,
            shot,
            company,
            engines.depressed[e].then(|| kind.depressed.v()),
            ask.free,
            field,
        );
        let Some(target) = pick_target(battery, company, &gun, ask, field, clock) else { break };
        if !endless {
            engines.store[e] -= missiles;
        }
        // What was turned down by its handle has to be turned again for the next.
        engines.depressed[e] = false;
        begin_loading(engines, e, company, n, kind, field, clock);
        let draws = draws.get_or_insert_with(|| {
            // A company's own arms have used these words already: step aside.
            let mut d = roll.of(i);
            d.word();
            crate::core::dice::Draws::clone(&d)
        });
        draws.word();
        let hits =
            volley(&gun, missiles, target, &battery.spacing, &battery.ground, field, draws, toll);
        wreck(engines, toll, field, clock, draws, journal);
        note(&mut battery.aims[i], target, weapon, missiles, hits, clock, field, company, journal);
        did = true;
    }
    did
}
