//! What mortality predicts of the immortal (M-240), written down before anybody looks.

use std::ops::RangeInclusive;

use golem_primitives::{Ppm, Tick};

/// An immortal Golem's fitness decays in two to four weeks.
pub const DECAY_TICKS: RangeInclusive<u64> = 14 * Tick::PER_DAY..=28 * Tick::PER_DAY;

/// The first tick from which fitness stays below 90% of its best before; `None` when it holds up. Samples ascend in tick.
#[must_use]
pub fn decay_onset(samples: &[(Tick, Ppm)]) -> Option<Tick> {
    let mut best = Ppm::ZERO;
    let mut onset = None;
    for &(tick, fitness) in samples {
        best = best.max(fitness);
        if fitness < best.times_down(Ppm::of(900_000)) {
            onset = onset.or(Some(tick));
        } else {
            onset = None;
        }
    }
    onset
}

/// Whether degradation grows in proportion to volatility: Pearson's correlation of (volatility, degradation) over many
/// lives. `None` for fewer than three lives, a value that is not finite, or no spread.
#[must_use]
pub fn follows_volatility(lives: &[(f64, f64)]) -> Option<f64> {
    if lives.len() < 3 || lives.iter().any(|(v, d)| !v.is_finite() || !d.is_finite()) {
        return None;
    }
    let count = lives.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| lives.iter().map(of).sum::<f64>() / count;
    let (mean_v, mean_d) = (mean(|life| life.0), mean(|life| life.1));
    let (mut both, mut v, mut d) = (0.0, 0.0, 0.0);
    for (volatility, degradation) in lives {
        let (a, b) = (volatility - mean_v, degradation - mean_d);
        both += a * b;
        v += a * a;
        d += b * b;
    }
    let correlation = both / libm::sqrt(v * d);
    correlation.is_finite().then_some(correlation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_240_decay_is_expected_in_two_to_four_weeks() {
        // M-240.
        assert_eq!(DECAY_TICKS, 30_240..=60_480);
        let samples: Vec<(Tick, Ppm)> =
            (0..80).map(|i| (Tick::new(i * 1_000), Ppm::of(if i < 40 { 600_000 } else { 500_000 }))).collect();
        let onset = decay_onset(&samples).expect("it decays");
        assert_eq!(onset, Tick::new(40_000));
        assert!(DECAY_TICKS.contains(&onset.get()));
        assert_eq!(decay_onset(&samples[..40]), None, "it holds up");
        let recovered = [(Tick::new(1), Ppm::ONE), (Tick::new(2), Ppm::ZERO), (Tick::new(3), Ppm::ONE)];
        assert_eq!(decay_onset(&recovered), None, "a dip is no decay");
    }

    #[test]
    fn m_240_degradation_is_proportional_to_volatility() {
        // M-240.
        let lives: Vec<(f64, f64)> = (1..10).map(|i| (f64::from(i), 0.1 * f64::from(i))).collect();
        assert!((follows_volatility(&lives).expect("many") - 1.0).abs() < 1e-12);
        assert_eq!(follows_volatility(&lives[..2]), None);
        assert_eq!(follows_volatility(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None, "volatility never changed");
        assert_eq!(follows_volatility(&[(1.0, 1.0), (f64::NAN, 2.0), (1.0, 3.0)]), None);
    }
}
