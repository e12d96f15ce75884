//! The few statistics a population report needs.

use golem_primitives::Tick;
use serde::{Deserialize, Serialize};

/// Mean and spread of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    pub count: u64,
    /// Mean; zero of nothing.
    pub mean: f64,
    /// Standard deviation with n - 1; zero below two.
    pub deviation: f64,
}

impl Summary {
    /// Of a sample.
    #[must_use]
    pub fn of(sample: &[f64]) -> Self {
        let count = sample.len();
        if count == 0 {
            return Self::default();
        }
        let mean = sample.iter().sum::<f64>() / count as f64;
        let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
        let deviation = if count > 1 { libm::sqrt(squares / (count - 1) as f64) } else { 0.0 };
        Self { count: count as u64, mean, deviation }
    }
}

/// A life as a curve of survival sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifetime {
    pub ticks: u64,
    /// Whether it ended in death, or only the simulation ended.
    pub ended: bool,
}

/// Kaplan and Meier's curve: the chance of outliving each age at which someone died.
#[must_use]
pub fn kaplan_meier(lives: &[Lifetime]) -> Vec<(Tick, f64)> {
    let mut lives = lives.to_vec();
    lives.sort_by_key(|life| (life.ticks, !life.ended));
    let (mut at_risk, mut alive) = (lives.len() as f64, 1.0);
    let mut curve = vec![(Tick::ZERO, 1.0)];
    for group in lives.chunk_by(|a, b| a.ticks == b.ticks) {
        let deaths = group.iter().filter(|life| life.ended).count() as f64;
        if deaths > 0.0 {
            alive *= 1.0 - deaths / at_risk;
            curve.push((Tick::new(group[0].ticks), alive));
        }
        at_risk -= group.len() as f64;
    }
    curve
}

/// The one-sample test of Kolmogorov and Smirnov.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KolmogorovSmirnov {
    pub count: u64,
    /// The largest distance between the two curves.
    pub distance: f64,
    /// The chance of such a distance if both are the same.
    pub p: f64,
}

/// Compares ages at death with a survival curve, over ages up to and including `horizon`.
#[must_use]
pub fn kolmogorov_smirnov(
    lives: &[Lifetime],
    horizon: Tick,
    survival: impl Fn(Tick) -> f64,
) -> Option<KolmogorovSmirnov> {
    let mut ages: Vec<u64> = lives.iter().filter(|life| life.ended).map(|life| life.ticks).collect();
    ages.retain(|age| *age <= horizon.get());
    ages.sort_unstable();
    if lives.is_empty() {
        return None;
    }
    let count = lives.len() as f64;
    let mut dead_before = 0.0;
    let mut distance: f64 = 0.0;
    for group in ages.chunk_by(|a, b| a == b) {
        let dead = dead_before + group.len() as f64;
        // A tick is a step of the law too: both sides of the step are compared with the same sides of the curve.
        let before = 1.0 - survival(Tick::new(group[0] - u64::from(group[0] > 0)));
        let after = 1.0 - survival(Tick::new(group[0]));
        distance = distance.max((dead / count - after).abs()).max((dead_before / count - before).abs());
        dead_before = dead;
    }
    let at_horizon = (dead_before / count - (1.0 - survival(horizon))).abs();
    let distance = distance.max(at_horizon);
    Some(KolmogorovSmirnov { count: lives.len() as u64, distance, p: kolmogorov_p(count, distance) })
}

/// The asymptotic tail of the distance, with Stephens' correction for finite samples.
#[must_use]
pub fn kolmogorov_p(count: f64, distance: f64) -> f64 {
    let root = libm::sqrt(count);
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.2 {
        return 1.0;
    }
    let tail: f64 = (1..=100)
        .map(|k| {
            let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
            sign * libm::exp(-2.0 * f64::from(k * k) * lambda * lambda)
        })
        .sum();
    tail.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kaplan_and_meier_count_only_those_who_were_there() {
        let life = |ticks, ended| Lifetime { ticks, ended };
        let curve = kaplan_meier(&[life(2, true), life(4, false), life(6, true), life(6, true), life(9, false)]);
        let expected = [(0, 1.0), (2, 0.8), (6, 0.8 * (1.0 - 2.0 / 3.0))];
        for ((tick, alive), (at, expected)) in curve.iter().zip(expected) {
            assert!(tick.get() == at && (alive - expected).abs() < 1e-12, "{curve:?}");
        }
        assert_eq!(kaplan_meier(&[]), [(Tick::ZERO, 1.0)]);
    }

    #[test]
    fn the_tail_of_kolmogorov_is_the_tabled_one() {
        // Asymptotic critical values 1.3581 at 5% and 1.6276 at 1%, for a sample large enough.
        for (lambda, p) in [(1.3581, 0.05), (1.6276, 0.01)] {
            let got = kolmogorov_p(1e12, lambda / 1e6);
            assert!((got - p).abs() < 1e-4, "{got}");
        }
        assert_eq!(kolmogorov_p(100.0, 0.0), 1.0);
    }

    #[test]
    fn a_sample_of_a_curve_agrees_with_it_and_not_with_another() {
        // Quantiles of a geometric life with hazard 1/100.
        let survival = |rate: f64| move |tick: Tick| (1.0 - rate).powf(tick.get() as f64);
        let lives: Vec<Lifetime> = (0..10_000)
            .map(|i| (f64::from(i) + 0.5) / 10_000.0)
            .map(|u| Lifetime { ticks: ((1.0 - u).ln() / 0.99f64.ln()).ceil() as u64, ended: true })
            .collect();
        let horizon = Tick::new(100_000);
        assert!(kolmogorov_smirnov(&lives, horizon, survival(0.01)).expect("lives").p > 0.9);
        assert!(kolmogorov_smirnov(&lives, horizon, survival(0.0105)).expect("lives").p < 0.01);
        assert_eq!(kolmogorov_smirnov(&[], horizon, survival(0.01)), None);
    }

    #[test]
    fn a_summary_of_nothing_is_nothing() {
        assert_eq!(Summary::of(&[]), Summary::default());
        assert_eq!(Summary::of(&[3.0]), Summary { count: 1, mean: 3.0, deviation: 0.0 });
        assert_eq!(Summary::of(&[1.0, 3.0]).deviation, 2f64.sqrt());
    }
}
