//! Meaning: what a file says, against what can be. Each pass is a function that
//! writes findings; root causes come first.

use super::battle::Scenario;
use super::raster::RasterFault;
use super::raw::battle::RawScenario;
use super::raw::map::RawMap;
use super::raw::record::RawRecord;
use super::raw::rules::RawRules;
use super::resolve::{Pen, Tables};

/// The rules.
pub fn rules(_raw: &RawRules, _pen: &mut Pen<'_>) {}
/// A battle as it is written.
pub fn scenario(_raw: &RawScenario, _pen: &mut Pen<'_>) {}
/// Whether its window can be drawn at all.
pub fn window(_raw: &RawScenario, _pen: &mut Pen<'_>) -> bool {
    true
}
/// A map with the faults that drawing it found.
pub fn map(raw: &RawMap, _tables: &Tables, _window: (f64, f64, f64, f64), faults: &[RasterFault], pen: &mut Pen<'_>) {
    use super::findings::Message;
    use super::spans::Path;
    for fault in faults {
        let list = Path::ROOT.field("features");
        if fault.feature < raw.features.len() {
            pen.error("E0505", &list.index(fault.feature), Message::new("{0}", [fault.message.clone()]));
        }
    }
}
/// A resolved battle.
pub fn battle(_battle: &Scenario, _raw: &RawScenario, _map: &RawMap, _pen: &mut Pen<'_>) {}
/// The record of a resolved battle.
pub fn record(_battle: &Scenario, _raw: &RawRecord, _pen: &mut Pen<'_>) {}
