use golem_primitives::Usdc;

use super::*;
use crate::makers::{CAPITAL, all, any, holds_for, in_hour, is, look};

#[test]
fn p_042_candidates_are_numbered_in_blocks_of_32_with_a_bound_that_falls_as_the_block_proves_itself() {
    let mut blocks = Blocks::default();
    let numbers: Vec<u64> = (0..40).map(|_| blocks.stage()).collect();
    assert_eq!((numbers[0], numbers[39]), (0, 39));
    assert_eq!(blocks.bound(5), 320.0);
    blocks.promote(3);
    blocks.promote(31);
    assert_eq!(blocks.bound(5), 320.0 / 3.0);
    // The next block has promoted none.
    assert_eq!(blocks.bound(32), 320.0);
}

#[test]
fn p_031_a_stop_costs_and_the_gap_bound_a_loss() {
    let mut rule = holds_for("stopped", in_hour(23), 60, 200);
    rule.until = Some(any(&[
        is(Observable::Z(crate::Span::L64), Relation::AtLeast, 0),
        is(Observable::Gain, Relation::AtMost, -15_000),
    ]));
    let mut look = look(0, 2_000.0);
    look.fee_ppm = 600;
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found}");
    // 1.5% + 0.12% + 0.3%: the bound of the golden values.
    near(bound_of_a_loss(&rule, &WorstFalls::default(), &look, CAPITAL), 0.0192);
    let falls = WorstFalls { one_look: 0.02, holding: 0.3 };
    near(bound_of_a_loss(&rule, &falls, &look, CAPITAL), 0.015 + 0.0012 + 0.02);
    look.gas = Usdc::whole(1);
    near(bound_of_a_loss(&rule, &falls, &look, CAPITAL), 0.015 + 0.0012 + 0.002 + 0.02);
}

#[test]
fn p_031_without_a_stop_of_its_own_the_worst_holding_bounds_a_loss() {
    let mut rule = holds_for("patient", in_hour(23), 60, 200);
    assert_eq!((stop(&rule), longest_holding(&rule)), (None, 200));
    let falls = WorstFalls { one_look: 0.01, holding: 0.12 };
    let bound = bound_of_a_loss(&rule, &falls, &look(0, 2_000.0), CAPITAL);
    assert!((bound - (0.12 + 0.001 + 0.01)).abs() < 1e-12, "{bound}");
    // A stop that also needs something else stops nothing.
    let late = is(Observable::Since, Relation::AtLeast, 50);
    rule.until = Some(all(&[is(Observable::Gain, Relation::AtMost, -15_000), late]));
    assert_eq!((stop(&rule), longest_holding(&rule)), (None, 1_024));
}
