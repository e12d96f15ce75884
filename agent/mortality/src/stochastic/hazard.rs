//! The Gompertz-Makeham hazard with epistemic frailty.

use golem_primitives::{Ppm, Tick};

use crate::score::Score;

/// The numbers of the hazard (M-093, M-094). Fields are private: a law that exists is a law that holds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "HazardNumbers", into = "HazardNumbers")]
pub struct HazardLaw {
    numbers: HazardNumbers,
}

/// The numbers of a hazard before they are checked.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct HazardNumbers {
    /// Makeham's lambda: the part that does not age.
    pub base: f64,
    /// Gompertz's alpha: the part that ages, at birth.
    pub age_coefficient: f64,
    /// Gompertz's beta: how fast it ages, per tick.
    pub aging_rate: f64,
    /// Frailty of a Golem that understands nothing.
    pub epistemic_multiplier: f64,
    pub cap: f64,
}

/// Why numbers make no hazard.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{name} must lie in {bounds}, not at {value}")]
pub struct HazardLawError {
    pub name: &'static str,
    pub bounds: &'static str,
    pub value: f64,
}

impl HazardLaw {
    /// lambda 1e-6, alpha 1e-8, beta 5e-5, multiplier 3, cap 1e-3.
    pub const DEFAULT: Self = Self {
        numbers: HazardNumbers {
            base: 1e-6,
            age_coefficient: 1e-8,
            aging_rate: 5e-5,
            epistemic_multiplier: 3.0,
            cap: 1e-3,
        },
    };

    /// A law from its numbers, within the invariants no owner can change (M-300): death is possible at every age
    /// (M-003) and never more likely than the cap.
    ///
    /// # Errors
    /// [`HazardLawError`] naming the first number out of its bounds; NaN is out of all bounds.
    pub fn new(numbers: HazardNumbers) -> Result<Self, HazardLawError> {
        let n = numbers;
        let checks = [
            ("base_hazard_rate", "(0, 1e-3]", n.base, n.base > 0.0 && n.base <= 1e-3),
            ("max_hazard_rate", "(0, 0.01]", n.cap, n.cap > 0.0 && n.cap <= 0.01),
            ("age_hazard_coefficient", "[0, 0.001]", n.age_coefficient, (0.0..=1e-3).contains(&n.age_coefficient)),
            ("aging_rate", "[0, 0.01]", n.aging_rate, (0.0..=0.01).contains(&n.aging_rate)),
            (
                "epistemic_hazard_multiplier",
                "[1, 10]",
                n.epistemic_multiplier,
                (1.0..=10.0).contains(&n.epistemic_multiplier),
            ),
        ];
        match checks.into_iter().find(|(.., holds)| !holds) {
            Some((name, bounds, value, _)) => Err(HazardLawError { name, bounds, value }),
            None => Ok(Self { numbers }),
        }
    }

    /// The numbers.
    #[must_use]
    pub const fn numbers(&self) -> &HazardNumbers {
        &self.numbers
    }

    /// M-094. How much more mortal a Golem of that fitness is: 1 at full fitness, the multiplier at none.
    #[must_use]
    pub fn frailty(&self, fitness: Score) -> f64 {
        1.0 + (self.numbers.epistemic_multiplier - 1.0) * (1.0 - fitness.get())
    }

    /// M-093, M-109. The probability of dying in this tick.
    #[must_use]
    pub fn hazard(&self, tick: Tick, fitness: Score) -> Hazard {
        let n = &self.numbers;
        // Beyond any life the exponential is infinite, and the cap is what is left of it.
        let aging = n.age_coefficient * libm::exp(n.aging_rate * tick.get() as f64);
        let raw = (n.base + aging) * self.frailty(fitness);
        // Zero times infinity is the one NaN possible here; `min` answers it with the cap.
        Hazard(raw.min(n.cap))
    }

    /// M-095. The age from which the cap holds at that fitness.
    #[must_use]
    pub fn cap_tick(&self, fitness: Score) -> f64 {
        let n = &self.numbers;
        let aging_at_cap = n.cap / self.frailty(fitness) - n.base;
        if aging_at_cap <= n.age_coefficient {
            return 0.0;
        }
        libm::log(aging_at_cap / n.age_coefficient) / n.aging_rate
    }
}

impl TryFrom<HazardNumbers> for HazardLaw {
    type Error = HazardLawError;

    fn try_from(numbers: HazardNumbers) -> Result<Self, HazardLawError> {
        Self::new(numbers)
    }
}

impl From<HazardLaw> for HazardNumbers {
    fn from(law: HazardLaw) -> Self {
        law.numbers
    }
}

/// A probability of dying within one tick, in (0, cap]. It stays `f64`: near 1e-6 parts per million say nothing.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Hazard(f64);

/// M-104. The word shown for a hazard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskBand {
    /// Below 1e-5.
    Nominal,
    /// Below 1e-4.
    Increasing,
    /// Below 5e-4.
    Elevated,
    High,
}

impl Hazard {
    /// A hazard that was recorded or is asked about.
    #[must_use]
    pub fn from_rate(rate: f64) -> Option<Self> {
        (rate > 0.0 && rate <= 1.0).then_some(Self(rate))
    }

    /// The probability.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The probability in units of 2^-64, rounded up, so that an integer roll is below this number exactly when it is
    /// below the probability (T-002 checks the same two integers on chain).
    #[must_use]
    pub fn as_fraction(self) -> u64 {
        // Scaling by a power of two is exact; `as` holds a hazard of one at the largest fraction.
        libm::ceil(self.0 * TWO_POW_64) as u64
    }

    /// M-103, M-110. Confidence from which knowledge is shared at this hazard: 0.6 while death is far, 0.3 when near.
    #[must_use]
    pub fn sharing_threshold(self) -> Ppm {
        Ppm::round(0.6 - (self.0 / 5e-4).min(1.0) * 0.3)
    }

    /// M-104.
    #[must_use]
    pub fn band(self) -> RiskBand {
        if self.0 < 1e-5 {
            RiskBand::Nominal
        } else if self.0 < 1e-4 {
            RiskBand::Increasing
        } else if self.0 < 5e-4 {
            RiskBand::Elevated
        } else {
            RiskBand::High
        }
    }
}

/// 2^64 as a float.
pub(crate) const TWO_POW_64: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hazard(tick: u64, fitness: f64) -> f64 {
        HazardLaw::DEFAULT.hazard(Tick::new(tick), Score::held(fitness)).get()
    }

    /// M-093, M-094, M-109: W-45 to W-58.
    #[test]
    fn m_093_hazards_meet_w_45_to_w_58() {
        for (id, tick, whole, half, none) in [
            ("W-45", 0, 1.010000000e-06, 2.020000000e-06, 3.030000000e-06),
            ("W-46", 1, 1.010000500e-06, 2.020001000e-06, 3.030001500e-06),
            ("W-47", 2160, 1.011140477e-06, 2.022280955e-06, 3.033421432e-06),
            ("W-48", 14000, 1.020137527e-06, 2.040275054e-06, 3.060412581e-06),
            ("W-49", 30240, 1.045357933e-06, 2.090715866e-06, 3.136073799e-06),
            ("W-50", 64800, 1.255337217e-06, 2.510674435e-06, 3.766011652e-06),
            ("W-51", 92103, 1.999979814e-06, 3.999959628e-06, 5.999939443e-06),
            ("W-52", 100000, 2.484131591e-06, 4.968263182e-06, 7.452394773e-06),
            ("W-53", 129600, 7.519709463e-06, 1.503941893e-05, 2.255912839e-05),
            ("W-54", 194400, 1.674724473e-04, 3.349448946e-04, 5.024173419e-04),
            ("W-55", 200000, 2.212646579e-04, 4.425293159e-04, 6.637939738e-04),
            ("W-56", 230000, 9.881577101e-04, 1e-03, 1e-03),
            ("W-57", 230239, 1e-03, 1e-03, 1e-03),
            ("W-58", 400000, 1e-03, 1e-03, 1e-03),
        ] {
            for (fitness, expected) in [(1.0, whole), (0.5, half), (0.0, none)] {
                let got = hazard(tick, fitness);
                assert!((got - expected).abs() <= 1e-6 * expected, "{id} f={fitness}: {got:e} is not {expected:e}");
            }
        }
    }

    /// M-094: frailty is 1, 2 and 3 at the named fitnesses.
    #[test]
    fn m_094_frailty_is_linear() {
        for (fitness, expected) in [(1.0, 1.0), (0.5, 2.0), (0.0, 3.0)] {
            assert_eq!(HazardLaw::DEFAULT.frailty(Score::held(fitness)), expected);
        }
    }

    /// M-095: the dates follow from the formula.
    #[test]
    fn m_095_doubling_crossover_and_cap_dates() {
        let law = HazardLaw::DEFAULT;
        let ageing = |tick| {
            let whole = law.hazard(Tick::new(tick), Score::ONE).get();
            whole - law.numbers().base
        };
        assert!((ageing(50_000 + 13_863) / ageing(50_000) - 2.0).abs() < 1e-3, "it doubles in 13,863 ticks");
        assert!((ageing(92_103) / law.numbers().base - 1.0).abs() < 1e-3, "and is half of all at 92,103");
        for (fitness, tick) in [(1.0, 230_239.0), (0.5, 216_356.0), (0.0, 208_227.0)] {
            assert_eq!(law.cap_tick(Score::held(fitness)).ceil(), tick, "f={fitness}");
        }
    }

    /// M-103, M-110: W-95.
    #[test]
    fn m_103_sharing_threshold_meets_w_95() {
        for (rate, parts) in
            [(1e-6, 599_400), (1e-5, 594_000), (1e-4, 540_000), (2e-4, 480_000), (5e-4, 300_000), (1e-3, 300_000)]
        {
            assert_eq!(Hazard(rate).sharing_threshold(), Ppm::of(parts), "W-95 {rate:e}");
        }
    }

    /// M-104.
    #[test]
    fn m_104_bands_begin_at_their_edges() {
        for (rate, band) in [
            (9.99e-6, RiskBand::Nominal),
            (1e-5, RiskBand::Increasing),
            (1e-4, RiskBand::Elevated),
            (5e-4, RiskBand::High),
            (1e-3, RiskBand::High),
        ] {
            assert_eq!(Hazard(rate).band(), band, "{rate:e}");
        }
    }

    /// M-003, M-300, MG-10: no numbers can switch death off, or make it certain, or be no numbers.
    #[test]
    fn m_003_a_law_without_hazard_is_refused() {
        let n = *HazardLaw::DEFAULT.numbers();
        for bad in [
            HazardNumbers { base: 0.0, ..n },
            HazardNumbers { base: -1e-6, ..n },
            HazardNumbers { base: f64::NAN, ..n },
            HazardNumbers { base: 2e-3, ..n },
            HazardNumbers { cap: 0.02, ..n },
            HazardNumbers { cap: f64::INFINITY, ..n },
            HazardNumbers { aging_rate: f64::NAN, ..n },
            HazardNumbers { age_coefficient: -1e-8, ..n },
            HazardNumbers { epistemic_multiplier: 0.5, ..n },
        ] {
            assert!(HazardLaw::new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(HazardLaw::new(n), Ok(HazardLaw::DEFAULT));
    }

    proptest! {
        /// M-003, M-093: in (0, cap] at every age and fitness, under every lawful set of numbers.
        #[test]
        fn m_093_hazard_lies_in_zero_exclusive_to_cap(
            base in 1e-8..1e-3f64, alpha in 0.0..1e-3f64, beta in 0.0..0.01f64, m in 1.0..10.0f64, cap in 1e-8..0.01f64,
            tick: u64, fitness in 0.0..=1.0f64,
        ) {
            let law = HazardLaw::new(HazardNumbers {
                base, age_coefficient: alpha, aging_rate: beta, epistemic_multiplier: m, cap,
            }).expect("within bounds");
            let hazard = law.hazard(Tick::new(tick), Score::held(fitness)).get();
            prop_assert!(hazard > 0.0 && hazard <= cap, "{hazard:e}");
        }

        /// M-109: older or less fit is never safer.
        #[test]
        fn m_109_hazard_grows_with_age_and_ignorance(s in 0u64..500_000, t in 0u64..500_000, f in 0.0..=1.0f64, g in 0.0..=1.0f64) {
            prop_assert!(hazard(s.min(t), f) <= hazard(s.max(t), f));
            prop_assert!(hazard(s, f.max(g)) <= hazard(s, f.min(g)));
        }
    }
}
