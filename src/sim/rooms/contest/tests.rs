use super::*;
use crate::core::measure::PointCm;
use crate::sim::body::{Flank, Outline};

fn body(men: i32, front: i32) -> Body {
    Body {
        men,
        file: 90,
        rank: 180,
        front,
        depth: 540,
        heading: PointCm { x: 0, y: 1000 },
        centre: PointCm::default(),
    }
}

#[test]
fn reach_brings_a_second_rank() {
    assert_eq!(in_reach(1500, &body(50, 1500), 100, 100), 17);
    assert_eq!(in_reach(1500, &body(50, 1500), 290, 100), 33);
    assert_eq!(in_reach(1500, &body(9, 1500), 290, 100), 9, "no more than there are");
}

#[test]
fn breaking_off_is_easier_from_few_and_harder_when_surrounded() {
    let mut law = crate::sim::kit::catalogue().laws.contest;
    law.leave_per_s.set(0.05);
    let even = leave_chance(&law, 16, 16, 1);
    assert!(leave_chance(&law, 16, 4, 1) > even);
    assert!(leave_chance(&law, 16, 40, 1) < even);
    assert!(leave_chance(&law, 16, 16, 3) < even);
}

#[test]
fn sides_are_told_from_the_heading() {
    let north = Outline::of(&body(50, 1500));
    assert_eq!(north.side_towards(0.0, 1.0), Flank::Front);
    assert_eq!(north.side_towards(0.0, -1.0), Flank::Back);
    assert_eq!(north.side_towards(-1.0, 0.0), Flank::Left);
    assert_eq!(north.side_towards(1.0, 0.0), Flank::Right);
}
