//! The memory of the largest battle: alone in its process, so that the peak is its own.

mod common;

use std::sync::Arc;

use nine_gates::sim::Battle;
use nine_gates::sim::laws::LawSet;
use nine_gates::study::run::peak_rss_mib;

/// Companies of the largest battle.
const COMPANIES: i32 = 4_400;
/// Most memory without a window.
const MOST_MIB: u64 = 200;

#[test]
fn the_largest_battle_fits_in_200_mib() {
    let scenario = common::hosts(COMPANIES);
    let mut battle = Battle::new(Arc::clone(&scenario), 1, LawSet::default());
    battle.order(&common::onset(&scenario));
    for _ in 0..60 {
        battle.step();
    }
    // Only Linux tells; elsewhere there is nothing to compare.
    if let Some(mib) = peak_rss_mib() {
        println!("{COMPANIES} companies, 60 pulses: {mib} MiB");
        assert!(mib < MOST_MIB, "{mib} MiB");
    }
}
