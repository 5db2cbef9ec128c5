//! The rules files together into a catalogue.

use super::{Pen, Table, Tables};
use crate::core::ids::{ArmourId, WeaponId};
use crate::scenario::catalogue::{Catalogue, EngineKind, Shape, UnitKind};
use crate::scenario::findings::Message;
use crate::scenario::raw::rules::RawRules;
use crate::scenario::spans::Path;

/// Resolves the rules. Fills the tables of kinds even if there are findings.
pub fn catalogue(
    raw: &RawRules,
    whole: bool,
    tables: &mut Tables,
    pen: &mut Pen<'_>,
) -> Option<Catalogue> {
    tables.ground = Table::new("kind of ground", whole, raw.ground.iter().map(|k| k.id.as_str()));
    tables.armour = Table::new("kind of armour", whole, raw.armour.iter().map(|k| k.id.as_str()));
    tables.weapons = Table::new("kind of weapon", whole, raw.weapons.iter().map(|k| k.id.as_str()));
    tables.engines = Table::new("kind of engine", whole, raw.engines.iter().map(|k| k.id.as_str()));
    tables.units_kinds = Table::new("kind of unit", whole, raw.units.iter().map(|k| k.id.as_str()));
    tables.works_kinds = Table::new("kind of work", whole, raw.works.iter().map(|k| k.id.as_str()));
    pen.twice("ground", "kind of ground", raw.ground.iter().map(|k| k.id.as_str()));
    pen.twice("armour", "kind of armour", raw.armour.iter().map(|k| k.id.as_str()));
    pen.twice("weapons", "kind of weapon", raw.weapons.iter().map(|k| k.id.as_str()));
    pen.twice("engines", "kind of engine", raw.engines.iter().map(|k| k.id.as_str()));
    pen.twice("units", "kind of unit", raw.units.iter().map(|k| k.id.as_str()));
    pen.twice("works", "kind of work", raw.works.iter().map(|k| k.id.as_str()));

    let mut engines = Vec::new();
    for (i, kind) in raw.engines.iter().enumerate() {
        let list = Path::ROOT.field("engines");
        let here = list.index(i);
        let weapon = match &kind.weapon {
            None => Some(None),
            Some(name) => pen
                .look(&tables.weapons, name, &here.field("weapon"))
                .map(|w| Some(WeaponId::from_index(w))),
        };
        engines.push(weapon.map(|weapon| EngineKind {
            id: kind.id.clone(),
            name: kind.name.clone(),
            weapon,
            crew: kind.crew.clone(),
            loads_back: kind.loads_back,
            load_s: kind.load_s.clone(),
            draw_back_s: kind.draw_back_s.clone(),
            emplace_s: kind.emplace_s.clone(),
            breaks_j: kind.breaks_j.clone(),
            depress_s: kind.depress_s.clone(),
            depressed: kind.depressed.clone(),
            speed_m_s: kind.speed_m_s.clone(),
            width_m: kind.width_m.clone(),
            length_m: kind.length_m.clone(),
            ram: kind.ram.clone(),
        }));
    }
    let mut units = Vec::new();
    for (i, kind) in raw.units.iter().enumerate() {
        let list = Path::ROOT.field("units");
        let here = list.index(i);
        let hand = pen.look(&tables.weapons, &kind.hand, &here.field("hand"));
        let armour = pen.look(&tables.armour, &kind.armour, &here.field("armour"));
        let missile = match &kind.missile {
            None => Some(None),
            Some(name) => pen
                .look(&tables.weapons, name, &here.field("missile"))
                .map(|w| Some(WeaponId::from_index(w))),
        };
        units.push((|| {
            Some(UnitKind {
                id: kind.id.clone(),
                name: kind.name.clone(),
                sign: kind.sign.clone(),
                mounted: kind.mounted,
                company_size: kind.company_size,
                hand: WeaponId::from_index(hand?),
                missile: missile?,
                armour: ArmourId::from_index(armour?),
                quality: kind.quality.clone(),
                steadiness: kind.steadiness.clone(),
                pace: kind.pace.clone(),
                jam_m2: kind.jam_m2.clone(),
                mass_kg: kind.mass_kg.clone(),
                standing: kind.standing.clone(),
            })
        })());
    }
    let mut shapes = Vec::new();
    for shape in Shape::ALL {
        let found: Vec<usize> =
            raw.shapes.iter().enumerate().filter(|(_, k)| k.id == shape).map(|(i, _)| i).collect();
        match found.as_slice() {
            [] if whole => pen.error(
                "E0401",
                &Path::ROOT,
                Message::new(
                    "the rules do not describe the shape `{0}`",
                    [format!("{shape:?}").to_lowercase()],
                ),
            ),
            [] => pen.lost = true,
            [first, rest @ ..] => {
                shapes.push(raw.shapes[*first].clone());
                for again in rest {
                    let list = Path::ROOT.field("shapes");
                    pen.error(
                        "E0302",
                        &list.index(*again).field("id"),
                        Message::new(
                            "there are two of {0} `{1}`",
                            ["shape".to_string(), format!("{shape:?}").to_lowercase()],
                        ),
                    );
                }
            }
        }
    }
    for (name, missing) in
        [("foot", raw.foot.is_none()), ("horse", raw.horse.is_none()), ("laws", raw.laws.is_none())]
    {
        if missing {
            if whole {
                pen.error(
                    "E0401",
                    &Path::ROOT,
                    Message::new("no rules file has the field `{0}`", [name.to_string()]),
                );
            } else {
                pen.lost = true;
            }
        }
    }
    if raw.ground.is_empty() {
        if whole {
            pen.error("E0401", &Path::ROOT, Message::new("no rules file describes any ground", []));
        }
        return None;
    }
    Some(Catalogue {
        ground: raw.ground.clone(),
        armour: raw.armour.clone(),
        weapons: raw.weapons.clone(),
        engines: engines.into_iter().collect::<Option<_>>()?,
        units: units.into_iter().collect::<Option<_>>()?,
        works: raw.works.clone(),
        shapes: Some(shapes).filter(|s| s.len() == Shape::ALL.len())?,
        foot: raw.foot.clone()?,
        horse: raw.horse.clone()?,
        laws: raw.laws.clone()?,
    })
}
