//! Regimes as the Grimoire knows them, and how likely each is now.

use std::collections::BTreeMap;

use golem_primitives::Ppm;

use golem_primitives::words;

words! {
    /// G-135. The kinds of market an entry may hold in.
    Regime {
        Bull = "bull",
        Bear = "bear",
        Sideways = "sideways",
        HighVol = "high_vol",
        LowVol = "low_vol",
        /// Nothing trades.
        Crisis = "crisis",
    }
}

/// G-136. How likely each regime is now. Transitions are fuzzy, so this is a weight and never a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegimeBelief {
    weights: BTreeMap<Regime, Ppm>,
}

/// Probabilities that sum to more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the probabilities of the regimes sum to {parts} parts per million, more than one")]
pub struct BeliefAboveOne {
    pub parts: u64,
}

impl RegimeBelief {
    /// One regime for certain.
    #[must_use]
    pub fn certain(regime: Regime) -> Self {
        Self { weights: BTreeMap::from([(regime, Ppm::ONE)]) }
    }

    /// Nothing is known: each is as likely as any other.
    #[must_use]
    pub fn unknown() -> Self {
        let count = u64::try_from(Regime::ALL.len()).expect("six");
        let each = Ppm::saturating(1_000_000 / count);
        Self { weights: Regime::ALL.iter().map(|regime| (*regime, each)).collect() }
    }

    /// Probabilities by regime; those not named are zero.
    pub fn new(weights: BTreeMap<Regime, Ppm>) -> Result<Self, BeliefAboveOne> {
        let parts: u64 = weights.values().map(|weight| u64::from(weight.get())).sum();
        if parts > 1_000_000 { Err(BeliefAboveOne { parts }) } else { Ok(Self { weights }) }
    }

    /// The probability that this regime holds now.
    #[must_use]
    pub fn probability(&self, regime: Regime) -> Ppm {
        self.weights.get(&regime).copied().unwrap_or(Ppm::ZERO)
    }

    /// G-091, GG-2. What an entry of that regime weighs now: `0.3 + 0.7 P`, one for an entry that is of none. Another
    /// regime's entry is never silenced, it waits.
    #[must_use]
    pub fn factor(&self, regime: Option<Regime>) -> f64 {
        regime.map_or(1.0, |regime| 0.3 + 0.7 * self.probability(regime).as_f64())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// G-091, G-136: a weight, not a switch.
    #[test]
    fn g_091_another_regime_waits_and_is_never_silenced() {
        let half = RegimeBelief::new(BTreeMap::from([(Regime::Bull, Ppm::of(500_000))])).expect("at most one");
        assert_eq!(half.factor(None), 1.0);
        assert_eq!(Ppm::round(half.factor(Some(Regime::Bull))), Ppm::of(650_000));
        assert_eq!(half.factor(Some(Regime::Bear)), 0.3);
        assert_eq!(RegimeBelief::certain(Regime::Bull).factor(Some(Regime::Bull)), 1.0);
        let unknown = RegimeBelief::unknown();
        assert!(Regime::ALL.iter().all(|r| unknown.factor(Some(*r)) == unknown.factor(Some(Regime::Bull))));
        let above = BTreeMap::from([(Regime::Bull, Ppm::ONE), (Regime::Bear, Ppm::of(1))]);
        assert_eq!(RegimeBelief::new(above), Err(BeliefAboveOne { parts: 1_000_001 }));
    }

    proptest! {
        /// G-136: more likely weighs more, between 0.3 and 1.
        #[test]
        fn g_136_factors_grow_with_probability(a in 0u32..=1_000_000, b in 0u32..=1_000_000) {
            let factor = |parts| RegimeBelief::new(BTreeMap::from([(Regime::Bear, Ppm::of(parts))]))
                .expect("at most one").factor(Some(Regime::Bear));
            prop_assert!(factor(a.min(b)) <= factor(a.max(b)));
            prop_assert!((0.3..=1.0).contains(&factor(a)));
        }
    }
}
