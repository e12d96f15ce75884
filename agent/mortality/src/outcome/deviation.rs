//! Deviations in basis points.

use golem_primitives::Bps;

/// M-076. How far a simulation may be off and still count as a hit.
pub const HIT_BOUND: i32 = 50;

/// M-075. `10000 (actual - predicted) / |predicted|`, negative when worse than simulated. Rounded away from zero, so
/// that a miss never rounds to a hit; `None` when nothing was predicted, because no ratio exists.
#[must_use]
pub fn deviation(predicted: i128, actual: i128) -> Option<Bps> {
    if predicted == 0 {
        return None;
    }
    let difference = actual.saturating_sub(predicted).saturating_mul(10_000);
    let whole = predicted.saturating_abs();
    let magnitude =
        difference.saturating_abs().div_euclid(whole) + i128::from(difference.saturating_abs().rem_euclid(whole) != 0);
    Some(Bps::saturating(if difference < 0 { -magnitude } else { magnitude }))
}

/// M-076. Whether a deviation is a hit.
#[must_use]
pub fn is_hit(deviation: Bps) -> bool {
    deviation.is_within(Bps::from(HIT_BOUND))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-075, M-076: W-81, in tenths so that 994.9 is an integer.
    #[test]
    fn m_075_deviations_meet_w_81() {
        for (predicted, actual, bps, hit) in [
            (10_000, 9_950, -50, true),
            (10_000, 9_949, -51, false),
            (10_000, 10_040, 40, true),
            (10_000, 0, -10_000, false),
            (120_000, 132_000, 1_000, false),
        ] {
            let got = deviation(predicted, actual).expect("something was predicted");
            assert_eq!((got, is_hit(got)), (Bps::from(bps), hit), "W-81 ({predicted}, {actual})");
        }
        assert_eq!(deviation(0, 5), None);
        assert_eq!(deviation(-100, -99), Some(Bps::from(100)), "M-075: a smaller loss than simulated is better");
        assert_eq!(deviation(1, i128::MAX), Some(Bps::MAX));
    }

    proptest! {
        /// M-076: the hit flag agrees with exact arithmetic: 10000 |a - p| <= 50 |p|.
        #[test]
        fn m_076_a_miss_never_rounds_to_a_hit(predicted in prop::num::i64::ANY.prop_filter("not zero", |p| *p != 0), actual: i64) {
            let (p, a) = (i128::from(predicted), i128::from(actual));
            let hit = is_hit(deviation(p, a).expect("not zero"));
            prop_assert_eq!(hit, (a - p).abs() * 10_000 <= 50 * p.abs());
        }
    }
}
