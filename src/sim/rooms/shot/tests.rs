use super::flight::{dead_zone_cm, energy_at, fall};
use crate::scenario::catalogue::Shot;
use crate::scenario::figure::Fig;

fn bow() -> Shot {
    let f = Fig::made;
    Shot {
        per_minute: f(6.0),
        missiles: f(1.0),
        magazine: f(0.0),
        reload_s: f(0.0),
        carried: f(30.0),
        range_m: f(220.0),
        dispersion_mrad: f(10.0),
        energy_j: f(80.0),
        loss_per_100m: f(0.2),
        depression: f(1.2),
        lobbed: false,
        swath_m: f(0.0),
    }
}

#[test]
fn dead_zone_is_height_by_tangent() {
    // A wall of 10 m: 11.2 m of muzzle, 15 degrees leave 42 m, 12 degrees 53 m.
    assert_eq!(dead_zone_cm(1120, 0.268) / 100, 41);
    assert_eq!(dead_zone_cm(1120, 0.213) / 100, 52);
    assert!(dead_zone_cm(1120, 1.0) < 1200, "depressed by its handle it reaches the foot");
}

#[test]
fn energy_falls_with_distance_and_the_fall_steepens() {
    let bow = bow();
    assert!((energy_at(&bow, 100.0) - 64.0).abs() < 1e-9);
    assert!(energy_at(&bow, 200.0) < energy_at(&bow, 150.0));
    assert!(fall(200.0, 220.0, 0.0, 0.0) > fall(50.0, 220.0, 0.0, 0.0));
    assert!(fall(50.0, 220.0, 11.2, 0.0) > fall(50.0, 220.0, 0.0, 0.0));
    assert!(fall(50.0, 220.0, 0.0, 0.58) >= 0.58, "lobbed over heads");
}
