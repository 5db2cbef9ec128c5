//! What missiles do to engines (MS-11, MS-12).

use super::Field;
use super::flight::{Toll, energy_at};
use crate::core::dice::Draws;
use crate::core::ids::{CompanyId, WeaponId};
use crate::core::measure::chance;
use crate::scenario::catalogue::EngineKind;
use crate::sim::board::{Clock, Engines};
use crate::sim::body::goes_through;
use crate::sim::journal::{Happening, Journal};

/// Missiles that came down among the engines of a company.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck {
    pub company: CompanyId,
    pub weapon: WeaponId,
    pub missiles: i32,
    /// Metres flown, and tangent of the fall.
    pub distance: f64,
    pub fall: f64,
    /// Square metres over which they came down.
    pub over_m2: f64,
}

/// The chance of one missile among `over_m2` square metres to wreck an engine: the
/// ground that it takes and shades, and what the energy does to its frame.
pub(super) fn wrecks(
    kind: &EngineKind,
    height_m: f64,
    fall: f64,
    over_m2: f64,
    energy_j: f64,
) -> f64 {
    if kind.breaks_j.v() <= 0.0 {
        return 0.0;
    }
    let takes = kind.width_m.v() * (kind.length_m.v() + height_m / fall);
    (takes / over_m2.max(1.0)).min(1.0) * goes_through(energy_j, kind.breaks_j.v())
}

/// Takes engines out that were hit, and tells it.
pub(super) fn wreck(
    engines: &mut Engines,
    toll: &mut Toll<'_>,
    field: &Field<'_>,
    clock: &Clock,
    draws: &mut Draws,
    journal: &mut Journal,
) {
    let rules = &*field.setting.rules;
    for struck in toll.batteries.drain(..) {
        let Some(shot) = rules.weapons[struck.weapon.index()].shot.as_ref() else { continue };
        let energy = energy_at(shot, struck.distance);
        let height = rules.laws.shot.man_height_m.v();
        for n in 0..engines.of_company[struck.company.index()].len() {
            let e = engines.of_company[struck.company.index()][n].index();
            if !engines.works[e] {
                continue;
            }
            let kind = &rules.engines[engines.kind[e].index()];
            let p = wrecks(kind, height, struck.fall, struck.over_m2, energy);
            if draws.binomial(struck.missiles, chance(p)) > 0 {
                engines.works[e] = false;
                engines.parapet[e] = None;
                journal.add(
                    clock.pulse,
                    Happening::EngineWrecked { company: struck.company, kind: engines.kind[e] },
                );
            }
        }
    }
}
