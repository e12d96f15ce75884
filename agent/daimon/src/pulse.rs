//! A tick's metrics as a feeling, when no single event explains it.

use golem_primitives::Ppm;

use crate::emotion::Emotion;
use crate::feeling::Feeling;
use crate::pad::Pad;

/// What a tick was like in numbers. Desirability and coping range over [-1, 1], in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Pulse {
    /// How welcome it was, in millionths; below zero is unwelcome.
    pub desirability_ppm: i32,
    pub pnl_sign: i8,
    pub anomalies: u32,
    pub prediction_error: Ppm,
    /// How well it is coped with, in millionths. Below zero is not: without that, fear could never be reached.
    pub coping_ppm: i32,
    pub vitality: Ppm,
}

fn signed(millionths: i32) -> f64 {
    (f64::from(millionths) / 1e6).clamp(-1.0, 1.0)
}

impl Pulse {
    /// The vector of the tick from a Golem that rests at `baseline`.
    #[must_use]
    pub fn pad(&self, baseline: Pad) -> Pad {
        let pleasure = 0.6 * signed(self.desirability_ppm) + 0.4 * f64::from(self.pnl_sign.signum());
        let anomalies = f64::from(self.anomalies.min(100));
        let arousal = 0.15 * anomalies + 0.5 * self.prediction_error.as_f64() + 0.35 * baseline.arousal();
        let dominance = 0.5 * signed(self.coping_ppm) + 0.3 * self.vitality.as_f64() + 0.2 * baseline.dominance();
        Pad::round(pleasure, arousal, dominance)
    }

    /// The feeling of the tick: as strong as the vector is long.
    #[must_use]
    pub fn feeling(&self, baseline: Pad) -> Feeling {
        vector_feeling(self.pad(baseline), 0.3)
    }
}

/// A feeling known by its vector alone.
pub(crate) fn vector_feeling(pad: Pad, relevance: f64) -> Feeling {
    let primary = Emotion::of(pad).unwrap_or(Emotion::Anticipation);
    Feeling::new(primary, pad, pad.magnitude() / libm::sqrt(3.0), relevance)
}

/// What resolved predictions add up to: three averages of their own speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct Residual(Pad);

/// How much heavier a loss weighs than a gain.
const LOSS_WEIGHT: f64 = 1.6;
/// Rates of pleasure, arousal and dominance.
const RATES: [f64; 3] = [0.15, 0.20, 0.08];

impl Residual {
    /// Nothing was resolved yet.
    pub const ZERO: Self = Self(Pad::NEUTRAL);

    /// The averages after one more resolution.
    #[must_use]
    pub fn resolved(self, surprise_ppm: i32, accuracy_trend_ppm: i32) -> Self {
        let surprise = signed(surprise_ppm);
        let felt = if surprise < 0.0 { surprise * LOSS_WEIGHT } else { surprise };
        let sample = [felt.clamp(-1.0, 1.0), surprise.abs(), signed(accuracy_trend_ppm)];
        let now = self.0.axes();
        let step = |axis: usize| (1.0 - RATES[axis]) * now[axis] + RATES[axis] * sample[axis];
        Self(Pad::round(step(0), step(1), step(2)))
    }

    /// Where they stand.
    #[must_use]
    pub const fn pad(self) -> Pad {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// W-05.
    #[test]
    fn a_035_the_pulse_meets_w_05() {
        let pulse = Pulse {
            desirability_ppm: -500_000,
            pnl_sign: -1,
            anomalies: 2,
            prediction_error: Ppm::of(800_000),
            coping_ppm: -400_000,
            vitality: Ppm::of(620_000),
        };
        let pad = pulse.pad(Pad::round(0.0, 0.1, 0.2));
        assert_eq!(pad, Pad::round(-0.70, 0.735, 0.026), "W-05");
        assert_eq!(pulse.feeling(Pad::round(0.0, 0.1, 0.2)).primary, Emotion::Anger, "W-05");
        let helpless = Pulse { coping_ppm: -1_000_000, vitality: Ppm::of(100_000), ..pulse };
        assert_eq!(helpless.feeling(Pad::NEUTRAL).primary, Emotion::Fear, "fear can be reached");
    }

    /// a loss weighs 1.6 times a gain, each axis at its own rate.
    #[test]
    fn a_036_residuals_move_at_three_rates() {
        let won = Residual::default().resolved(500_000, 100_000).pad();
        assert_eq!(won, Pad::round(0.075, 0.1, 0.008));
        let lost = Residual::default().resolved(-500_000, -100_000).pad();
        assert_eq!(lost, Pad::round(-0.12, 0.1, -0.008), "0.15 of 1.6 times a half");
    }

    proptest! {
        /// less vitality never means more command.
        #[test]
        fn a_068_low_vitality_lowers_dominance(low in 0u32..=1_000_000, high in 0u32..=1_000_000, coping: i32) {
            let at = |parts: u32| Pulse {
                desirability_ppm: 0, pnl_sign: 0, anomalies: 0, prediction_error: Ppm::ZERO,
                coping_ppm: coping, vitality: Ppm::of(parts),
            }.pad(Pad::NEUTRAL).dominance();
            prop_assert!(at(low.min(high)) <= at(low.max(high)));
        }
    }
}
