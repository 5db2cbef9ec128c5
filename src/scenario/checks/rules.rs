//! The rules: arms that can be used, companies that fit the ground, kinds in use.

use crate::scenario::findings::Message;
use crate::scenario::raw::rules::RawRules;
use crate::scenario::resolve::Pen;
use crate::scenario::spans::Path;

/// The smallest cell that battles are studied in; a company must fit it halted.
const SMALL_CELL_M2: f64 = 100.0;
/// Men of a company at most.
const MOST_OF_COMPANY: i32 = 200;

/// Weapons that cannot do what they are carried for.
pub fn arms(raw: &RawRules, pen: &mut Pen<'_>) {
    let weapon = |name: &str| raw.weapons.iter().find(|w| w.id == name);
    let list = Path::ROOT.field("engines");
    for (i, kind) in raw.engines.iter().enumerate() {
        if kind.weapon.as_deref().and_then(weapon).is_some_and(|w| w.shot.is_none()) {
            pen.error(
                "E0405",
                &list.index(i).field("weapon"),
                Message::new("the engine's weapon does not shoot", []),
            );
        }
    }
    let list = Path::ROOT.field("units");
    for (i, kind) in raw.units.iter().enumerate() {
        let here = list.index(i);
        if weapon(&kind.hand).is_some_and(|w| w.blow.is_none()) {
            pen.error(
                "E0405",
                &here.field("hand"),
                Message::new("the hand weapon strikes no blow", []),
            );
        }
        if kind.missile.as_deref().and_then(weapon).is_some_and(|w| w.shot.is_none()) {
            pen.error(
                "E0405",
                &here.field("missile"),
                Message::new("the missile weapon does not shoot", []),
            );
        }
    }
    let list = Path::ROOT.field("weapons");
    for (i, kind) in raw.weapons.iter().enumerate() {
        if kind.blow.is_none() && kind.shot.is_none() {
            pen.error(
                "E0405",
                &list.index(i),
                Message::new("the weapon neither strikes nor shoots", []),
            );
        }
    }
}

/// Companies of a size that can be handled and that fit a small cell.
pub fn sizes(raw: &RawRules, pen: &mut Pen<'_>) {
    let list = Path::ROOT.field("units");
    for (i, kind) in raw.units.iter().enumerate() {
        let here = list.index(i);
        if !(1..=MOST_OF_COMPANY).contains(&kind.company_size) {
            let words = [MOST_OF_COMPANY.to_string(), kind.company_size.to_string()];
            pen.error(
                "E0402",
                &here.field("company_size"),
                Message::new("a company has from 1 to {0} men, not {1}", words),
            );
            continue;
        }
        let area = f64::from(kind.company_size) * kind.jam_m2.v();
        if area > SMALL_CELL_M2 {
            let message = Message::new(
                "a halted company takes {0} m2 and does not fit a cell of 10 m",
                [area.to_string()],
            );
            pen.error("E0406", &here.field("company_size"), message);
        }
    }
}

/// Weapons and armour of a mod that nobody carries. The game's own rules may hold
/// arms for battles to come.
pub fn unused(raw: &RawRules, pen: &mut Pen<'_>) {
    let of_mod =
        |pen: &Pen<'_>, path: &Path<'_>| pen.root().find(path).span.source.of_mod.is_some();
    let weapons = Path::ROOT.field("weapons");
    for (i, kind) in raw.weapons.iter().enumerate() {
        let carried =
            raw.units.iter().any(|u| u.hand == kind.id || u.missile.as_ref() == Some(&kind.id));
        let served = raw.engines.iter().any(|e| e.weapon.as_ref() == Some(&kind.id));
        let here = weapons.index(i);
        if !carried && !served && of_mod(pen, &here) {
            pen.warning(
                "W0305",
                &here.field("id"),
                Message::new("nobody uses the {0} `{1}`", ["weapon".to_string(), kind.id.clone()]),
            );
        }
    }
    let armour = Path::ROOT.field("armour");
    for (i, kind) in raw.armour.iter().enumerate() {
        let here = armour.index(i);
        if !raw.units.iter().any(|u| u.armour == kind.id) && of_mod(pen, &here) {
            pen.warning(
                "W0305",
                &here.field("id"),
                Message::new("nobody uses the {0} `{1}`", ["armour".to_string(), kind.id.clone()]),
            );
        }
    }
}
