//! When what was adopted is taken back (I-088).

use golem_grimoire::confidence::Confidence;
use golem_primitives::Ppm;

/// What is known of a fall in performance after an adoption.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// The share of the fall that the market explains.
    pub market_explained: Ppm,
    /// What is left of the change in the Sharpe ratio once the market is taken out.
    pub residual_sharpe: f64,
    /// Whether entries of the source had a hand in decisions.
    pub was_influenced: bool,
}

/// I-088. The market's share from which nobody is blamed.
const EXPLAINED: Ppm = Ppm::of(700_000);
/// I-088. The least residual that is a fall.
const RESIDUAL: f64 = 0.3;
/// I-088. What the source's other entries lose.
const CUT: Ppm = Ppm::of(200_000);

/// I-088. Whether the source's entries go back into quarantine: only when the market does not explain the fall, the fall
/// is one, and the source had a hand in it.
#[must_use]
pub fn is_rolled_back(fall: &Fall) -> bool {
    // A residual that is no number blames nobody.
    fall.market_explained < EXPLAINED && fall.residual_sharpe.abs() >= RESIDUAL - 1e-9 && fall.was_influenced
}

/// I-088. What another entry of that source is worth afterwards.
#[must_use]
pub const fn cut(confidence: Confidence) -> Confidence {
    Confidence::new(confidence.get().saturating_sub(CUT))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-088: all three, or nothing.
    #[test]
    fn i_088_a_source_is_blamed_only_for_what_it_did() {
        let guilty = Fall { market_explained: Ppm::of(699_999), residual_sharpe: -0.3, was_influenced: true };
        assert!(is_rolled_back(&guilty));
        for innocent in [
            Fall { market_explained: Ppm::of(700_000), ..guilty },
            Fall { residual_sharpe: -0.29, ..guilty },
            Fall { was_influenced: false, ..guilty },
            Fall { residual_sharpe: f64::NAN, ..guilty },
        ] {
            assert!(!is_rolled_back(&innocent), "{innocent:?}");
        }
        assert_eq!(cut(Confidence::of(400_000)), Confidence::of(200_000));
        assert_eq!(cut(Confidence::of(100_000)), Confidence::ZERO);
    }
}
