use super::side_factor;

#[test]
fn a_turned_back_costs_more_than_a_flank_and_a_round_has_neither() {
    assert!(side_factor(0, 1.4, 2.0, 1.0) < side_factor(1, 1.4, 2.0, 1.0));
    assert!(side_factor(1, 1.4, 2.0, 1.0) < side_factor(2, 1.4, 2.0, 1.0));
    assert!((side_factor(2, 1.4, 2.0, 0.0) - 1.0).abs() < 1e-12);
}
