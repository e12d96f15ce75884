//! Deviations in basis points.

use golem_primitives::{Bps, Ppm};

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

/// M-077. Simulations counted, and those that hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HitRate {
    /// Within the bound.
    pub hits: u64,
    /// All.
    pub total: u64,
}

/// M-077. How a hit rate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum AccuracyBand {
    /// Above 0.90.
    Healthy,
    /// Between.
    Watch,
    /// Below 0.80.
    Alarm,
}

impl HitRate {
    /// M-077. What a test environment requires to be exceeded.
    pub const TEST_REQUIREMENT: Ppm = Ppm::of(950_000);

    /// Notes a simulation.
    pub const fn note(&mut self, hit: bool) {
        self.total = self.total.saturating_add(1);
        self.hits = self.hits.saturating_add(hit as u64);
    }

    /// The share of hits, `None` before the first simulation.
    #[must_use]
    pub fn rate(&self) -> Option<Ppm> {
        (self.total > 0).then(|| Ppm::saturating((u128::from(self.hits) * 1_000_000 / u128::from(self.total)) as u64))
    }

    /// How the rate reads.
    #[must_use]
    pub fn band(&self) -> Option<AccuracyBand> {
        self.rate().map(|rate| {
            if rate > Ppm::of(900_000) {
                AccuracyBand::Healthy
            } else if rate < Ppm::of(800_000) {
                AccuracyBand::Alarm
            } else {
                AccuracyBand::Watch
            }
        })
    }
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

    /// M-077.
    #[test]
    fn m_077_accuracy_bands_begin_at_their_edges() {
        for (hits, band) in [
            (901, AccuracyBand::Healthy),
            (900, AccuracyBand::Watch),
            (800, AccuracyBand::Watch),
            (799, AccuracyBand::Alarm),
        ] {
            assert_eq!(HitRate { hits, total: 1_000 }.band(), Some(band), "{hits}");
        }
        assert_eq!(HitRate::default().band(), None);
        let mut rate = HitRate::default();
        rate.note(true);
        rate.note(false);
        assert_eq!(rate.rate(), Some(Ppm::of(500_000)));
        assert!(HitRate { hits: 951, total: 1_000 }.rate() > Some(HitRate::TEST_REQUIREMENT));
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
