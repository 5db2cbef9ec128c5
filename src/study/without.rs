//! The words of `--without`: laws by their slugs, kinds by their ids.

use crate::core::ids::{EngineKindId, UnitKindId, WeaponId, WorkKindId};
use crate::scenario::catalogue::Catalogue;
use crate::sim::laws::{Law, LawSet};

/// A word that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(pub String);

/// The set that these words switch off.
///
/// # Errors
/// The first word that is neither a law nor a kind.
pub fn resolve(words: &[String], rules: &Catalogue) -> Result<LawSet, Unknown> {
    let mut set = LawSet::default();
    for word in words {
        let found = |mut ids: &mut dyn Iterator<Item = &String>| {
            Iterator::position(&mut ids, |id| id == word)
        };
        if let Some(law) = Law::ALL.iter().find(|law| law.slug() == word) {
            set.add(*law);
        } else if let Some(i) = found(&mut rules.weapons.iter().map(|k| &k.id)) {
            set.weapons.push(WeaponId::from_index(i));
        } else if let Some(i) = found(&mut rules.engines.iter().map(|k| &k.id)) {
            set.engines.push(EngineKindId::from_index(i));
        } else if let Some(i) = found(&mut rules.units.iter().map(|k| &k.id)) {
            set.units.push(UnitKindId::from_index(i));
        } else if let Some(i) = found(&mut rules.works.iter().map(|k| &k.id)) {
            set.works.push(WorkKindId::from_index(i));
        } else {
            return Err(Unknown(word.clone()));
        }
    }
    Ok(set)
}

/// The words for laws.
#[must_use]
pub fn laws() -> Vec<&'static str> {
    Law::ALL.iter().map(|law| law.slug()).collect()
}

/// The words for kinds, in the order of the rules.
#[must_use]
pub fn kinds(rules: &Catalogue) -> Vec<&str> {
    let units = rules.units.iter().map(|k| k.id.as_str());
    let weapons = rules.weapons.iter().map(|k| k.id.as_str());
    let engines = rules.engines.iter().map(|k| k.id.as_str());
    units.chain(weapons).chain(engines).chain(rules.works.iter().map(|k| k.id.as_str())).collect()
}
