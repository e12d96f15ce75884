//! What a Golem feels of its own end.

use golem_mortality::stochastic::hazard::Hazard;
use golem_primitives::{Ppm, Usdc};

use crate::emotion::{Degree, Emotion};
use crate::feeling::Feeling;
use crate::pad::Pad;

/// Credits as they are, never a proxy of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Credits {
    pub balance: Usdc,
    pub initial: Usdc,
    pub burn_per_day: Usdc,
}

/// Understanding and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct UnderstandingTrend {
    pub fitness: Ppm,
    /// Its trend, in millionths; below zero it falls.
    pub trend_ppm: i32,
}

/// What is known of one's own end; a clock that does not hold is `None`.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MortalFacts {
    pub vitality: Ppm,
    pub economic: Option<Credits>,
    pub epistemic: Option<UnderstandingTrend>,
    pub hazard: Option<Hazard>,
}

/// Below this vitality one accepts.
pub const ACCEPTANCE: Ppm = Ppm::of(100_000);
/// Below this vitality every channel hears of it.
pub const EVERYWHERE: Ppm = Ppm::of(200_000);
/// A trend below this decays.
const DECAYING_PPM: i32 = -10_000;

impl MortalFacts {
    /// No clock holds.
    pub const NONE: Self = Self { vitality: Ppm::ONE, economic: None, epistemic: None, hazard: None };

    /// What one's own end feels like.
    #[must_use]
    pub fn feeling(&self) -> Feeling {
        if self.vitality < ACCEPTANCE {
            return Feeling::new(Emotion::Anticipation, Pad::thousandths(-100, 400, 300), 0.8, 1.0);
        }
        let parts = [
            self.economic.as_ref().map(economic_anxiety),
            self.epistemic.as_ref().map(epistemic_vertigo),
            self.hazard.map(stochastic_dread),
        ];
        composite(parts.into_iter().flatten())
    }

    /// Whether every channel hears of it, whoever subscribed.
    #[must_use]
    pub fn goes_everywhere(&self) -> bool {
        self.vitality < EVERYWHERE
    }
}

/// Fear of running dry, or looking out for it.
#[must_use]
pub fn economic_anxiety(credits: &Credits) -> Feeling {
    let (balance, burn) = (credits.balance.micros() as f64, credits.burn_per_day.micros() as f64);
    let ratio = if credits.initial.is_zero() { 0.0 } else { balance / credits.initial.micros() as f64 };
    // Credits that last for ever give no reason for the second term.
    let shortness = if burn > 0.0 { 0.5 / (balance / burn).max(1.0) } else { 0.0 };
    let x = (0.5 * (1.0 - ratio) + shortness).clamp(0.0, 0.9);
    let primary = if x > 0.6 { Emotion::Fear } else { Emotion::Anticipation };
    let dominance = if ratio > 0.5 { 0.1 } else { -0.3 };
    Feeling::new(primary, Pad::round(-0.5 * x, 0.6 * x, dominance), x, if x > 0.3 { 0.8 } else { 0.3 })
}

/// Losing one's grip on the market.
#[must_use]
pub fn epistemic_vertigo(state: &UnderstandingTrend) -> Feeling {
    let loss = 10.0 * (-f64::from(state.trend_ppm) / 1e6).max(0.0);
    let decays = state.trend_ppm < DECAYING_PPM;
    if state.fitness < Ppm::of(200_000) {
        Feeling::new(Emotion::Disgust, Pad::thousandths(-700, 300, -600), 0.8, 1.0)
    } else if decays && state.fitness < Ppm::of(500_000) {
        let pad = Pad::round(-0.4, (0.5 + 0.3 * loss).min(1.0), -0.3);
        Feeling::new(Emotion::Fear, pad, loss.clamp(0.3, 0.7), 0.9)
    } else if decays {
        Feeling::new(Emotion::Anticipation, Pad::thousandths(-100, 200, 100), 0.3, 0.5).called(Degree::Mild)
    } else {
        Feeling::new(Emotion::Trust, Pad::thousandths(100, -100, 200), 0.2, 0.2)
    }
}

/// Chance, which nothing resolves.
#[must_use]
pub fn stochastic_dread(hazard: Hazard) -> Feeling {
    let intensity = (1_000.0 * hazard.get()).clamp(0.05, 0.4);
    let degree = if intensity > 0.2 { Degree::Moderate } else { Degree::Mild };
    Feeling::new(Emotion::Anticipation, Pad::round(0.0, intensity, 0.2), intensity, 0.3).called(degree)
}

/// The vector is the mean by intensity; the word and the strength are the strongest's, the first of equals.
fn composite(parts: impl Iterator<Item = Feeling> + Clone) -> Feeling {
    let total: f64 = parts.clone().map(|part| part.intensity.as_f64()).sum();
    let strongest = parts.clone().reduce(|best, part| if part.intensity > best.intensity { part } else { best });
    let (Some(strongest), true) = (strongest, total > 0.0) else {
        return Feeling::new(Emotion::Anticipation, Pad::NEUTRAL, 0.1, 0.1);
    };
    let relevance = parts.clone().map(|part| part.relevance).max().unwrap_or(Ppm::ZERO);
    let mean =
        |axis: usize| parts.clone().map(|part| part.pad.axes()[axis] * part.intensity.as_f64()).sum::<f64>() / total;
    Feeling { pad: Pad::round(mean(0), mean(1), mean(2)), relevance, ..strongest }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn credits(balance: f64, burn: f64) -> Credits {
        let usdc = |amount: f64| Usdc::from_micros(libm::round(amount * 1e6) as u64);
        Credits { balance: usdc(balance), initial: usdc(100.0), burn_per_day: usdc(burn) }
    }

    fn near(pad: Pad, expected: [f64; 3]) -> bool {
        pad.axes().iter().zip(expected).all(|(got, wanted)| (got - wanted).abs() <= 1e-6)
    }

    /// W-10.
    #[test]
    fn a_060_economic_anxiety_meets_w_10() {
        let poor = economic_anxiety(&credits(20.0, 10.0));
        assert_eq!((poor.primary, poor.intensity), (Emotion::Fear, Ppm::of(650_000)), "W-10");
        assert!(near(poor.pad, [-0.325, 0.39, -0.3]), "W-10");
        let well = economic_anxiety(&credits(80.0, 2.0));
        assert_eq!((well.primary, well.intensity), (Emotion::Anticipation, Ppm::of(112_500)), "W-10");
        assert_eq!((well.pad.dominance(), well.relevance), (0.1, Ppm::of(300_000)), "W-10");
        assert_eq!(economic_anxiety(&credits(5.0, 10.0)).intensity, Ppm::of(900_000), "W-10 capped");
        assert_eq!(economic_anxiety(&credits(100.0, 0.0)).intensity, Ppm::ZERO, "for ever");
    }

    /// W-12, why proxies are not fed: fear would need credits below one hundredth.
    #[test]
    fn a_066_proxies_would_hide_fear_w_12() {
        for (economic, x) in [(0.43, 287_326), (0.10, 460_000), (0.008, 621_000)] {
            let felt = economic_anxiety(&credits(economic * 100.0, 0.2));
            assert_eq!(felt.intensity, Ppm::of(x), "W-12 at {economic}");
            assert_eq!(felt.primary == Emotion::Fear, economic < 0.0096);
        }
    }

    /// W-11.
    #[test]
    fn a_061_epistemic_vertigo_meets_w_11() {
        let felt = |fitness, trend_ppm| epistemic_vertigo(&UnderstandingTrend { fitness: Ppm::of(fitness), trend_ppm });
        for (fitness, trend, primary, intensity) in [
            (150_000, -20_000, Emotion::Disgust, 800_000),
            (450_000, -20_000, Emotion::Fear, 300_000),
            (610_000, -20_000, Emotion::Anticipation, 300_000),
            (610_000, -3_000, Emotion::Trust, 200_000),
            (610_000, -10_000, Emotion::Trust, 200_000),
        ] {
            let felt = felt(fitness, trend);
            assert_eq!((felt.primary, felt.intensity), (primary, Ppm::of(intensity)), "W-11 {fitness} {trend}");
        }
        assert!(near(felt(450_000, -20_000).pad, [-0.4, 0.56, -0.3]), "W-11");
    }

    fn hazard(rate: f64) -> Hazard {
        Hazard::from_rate(rate).expect("a rate")
    }

    /// W-13.
    #[test]
    fn a_062_stochastic_dread_meets_w_13() {
        for (rate, intensity, degree) in [
            (1e-6, 50_000, Degree::Mild),
            (2e-4, 200_000, Degree::Mild),
            (4e-4, 400_000, Degree::Moderate),
            (1e-3, 400_000, Degree::Moderate),
        ] {
            let felt = stochastic_dread(hazard(rate));
            assert_eq!((felt.intensity, felt.degree), (Ppm::of(intensity), degree), "W-13 at {rate}");
        }
    }

    /// W-14, and no clock at all.
    #[test]
    fn a_063_the_composite_meets_w_14() {
        let facts = MortalFacts {
            vitality: Ppm::of(500_000),
            economic: Some(credits(43.0, 0.2)),
            epistemic: Some(UnderstandingTrend { fitness: Ppm::of(450_000), trend_ppm: -20_000 }),
            hazard: Some(hazard(4e-5)),
        };
        let felt = facts.feeling();
        assert!(near(felt.pad, [-0.253_054_3, 0.345_245_2, -0.260_773_6]), "W-14: {:?}", felt.pad);
        assert_eq!((felt.primary, felt.intensity, felt.relevance), (Emotion::Fear, Ppm::of(300_000), Ppm::of(900_000)));
        let learning = UnderstandingTrend { fitness: Ppm::of(610_000), trend_ppm: -20_000 };
        let dread = MortalFacts { economic: None, epistemic: Some(learning), hazard: Some(hazard(4e-4)), ..facts };
        let felt = dread.feeling();
        assert_eq!(
            (felt.intensity, felt.relevance),
            (Ppm::of(400_000), Ppm::of(500_000)),
            "of the most relevant, not the strongest"
        );
        let none = MortalFacts::NONE.feeling();
        assert_eq!((none.pad, none.intensity, none.relevance), (Pad::NEUTRAL, Ppm::of(100_000), Ppm::of(100_000)));
    }

    /// below 0.2, and not at it.
    #[test]
    fn a_067_a_near_end_is_heard_everywhere() {
        let at = |parts| MortalFacts { vitality: Ppm::of(parts), ..MortalFacts::NONE }.goes_everywhere();
        assert!(at(199_999) && !at(200_000));
    }

    proptest! {
        /// W-15, whatever the clocks say.
        #[test]
        fn a_064_acceptance_overrides_all(fitness in 0u32..=1_000_000, balance in 0.0..200.0f64, rate in 1e-8..1e-3f64) {
            let facts = MortalFacts {
                vitality: Ppm::of(99_900),
                economic: Some(credits(balance, 3.0)),
                epistemic: Some(UnderstandingTrend { fitness: Ppm::of(fitness), trend_ppm: -20_000 }),
                hazard: Hazard::from_rate(rate),
            };
            let felt = facts.feeling();
            prop_assert_eq!(felt.pad, Pad::round(-0.1, 0.4, 0.3));
            prop_assert_eq!((felt.intensity, felt.relevance), (Ppm::of(800_000), Ppm::ONE));
        }
    }
}
