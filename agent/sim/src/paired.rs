//! Paired differences: Student's test and interval, the two one-sided tests of equivalence, Holm's correction, and how many pairs
//! an effect needs.
//!
//! Computed with `libm` alone, in one order, so that the same differences give the same digits on every machine.

use serde::{Deserialize, Serialize};

use crate::stats::Summary;

/// What paired differences say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedTest {
    pub pairs: u64,
    pub mean: f64,
    /// Deviation of the differences.
    pub deviation: f64,
    /// The 95% interval of the mean.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The chance of a mean so far from zero if there is no difference, both ways.
    pub p: f64,
}

impl PairedTest {
    /// Of differences; `None` for fewer than two or one that is no number.
    #[must_use]
    pub fn of(differences: &[f64]) -> Option<Self> {
        if differences.len() < 2 || differences.iter().any(|one| !one.is_finite()) {
            return None;
        }
        let Summary { count, mean, deviation } = Summary::of(differences);
        let error = deviation / libm::sqrt(count as f64);
        let freedom = (count - 1) as f64;
        let half = student_quantile(0.975, freedom) * error;
        let p = two_sided(mean, error, freedom);
        Some(Self { pairs: count, mean, deviation, low: mean - half, high: mean + half, p })
    }

    /// Two one-sided tests: the chance of these differences if the true one lay beyond `margin` on either side.
    #[must_use]
    pub fn equivalence(&self, margin: f64) -> f64 {
        let freedom = (self.pairs - 1) as f64;
        let error = self.deviation / libm::sqrt(self.pairs as f64);
        if error == 0.0 {
            return f64::from(u8::from(libm::fabs(self.mean) >= margin));
        }
        let above_low = 1.0 - student(freedom, (self.mean + margin) / error);
        let below_high = student(freedom, (self.mean - margin) / error);
        above_low.max(below_high)
    }
}

fn two_sided(mean: f64, error: f64, freedom: f64) -> f64 {
    if error == 0.0 {
        return f64::from(u8::from(mean == 0.0));
    }
    2.0 * (1.0 - student(freedom, libm::fabs(mean) / error))
}

/// Holm's step-down correction: each p as large as it must be for all of them together.
#[must_use]
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|one, other| chances[*one].total_cmp(&chances[*other]).then(one.cmp(other)));
    let mut corrected = vec![1.0; chances.len()];
    let mut least: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        least = least.max(chances[place] * (chances.len() - rank) as f64).min(1.0);
        corrected[place] = least;
    }
    corrected
}

/// The chance to find a true difference with that many pairs at this level, both ways: Student's curve, shifted.
#[must_use]
pub fn power(difference: f64, deviation: f64, pairs: u64, level: f64) -> f64 {
    if pairs < 2 || deviation <= 0.0 {
        return 0.0;
    }
    let freedom = (pairs - 1) as f64;
    let shift = libm::fabs(difference) * libm::sqrt(pairs as f64) / deviation;
    let critical = student_quantile(1.0 - level / 2.0, freedom);
    (1.0 - student(freedom, critical - shift)) + student(freedom, -critical - shift)
}

/// The fewest pairs with which a true difference is found so often.
#[must_use]
pub fn pairs_needed(difference: f64, deviation: f64, level: f64, wanted: f64) -> u64 {
    const MOST: u64 = 1_000_000;
    let (mut few, mut enough) = (1, 2);
    while enough < MOST && power(difference, deviation, enough, level) < wanted {
        (few, enough) = (enough, enough * 2);
    }
    while enough - few > 1 {
        let middle = few + (enough - few) / 2;
        if power(difference, deviation, middle, level) < wanted { few = middle } else { enough = middle }
    }
    enough
}

/// Student's distribution: the chance of less than `t`.
#[must_use]
pub fn student(freedom: f64, t: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The t below which this share lies.
#[must_use]
pub fn student_quantile(share: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (-1e6, 1e6);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if student(freedom, middle) < share { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function, by its continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log(1.0 - x);
    if x < (a + 1.0) / (a + b + 2.0) {
        libm::exp(front) * fraction(a, b, x) / a
    } else {
        1.0 - libm::exp(front) * fraction(b, a, 1.0 - x) / b
    }
}

/// Lentz's way through the continued fraction.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let held = |value: f64| if libm::fabs(value) < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / held(1.0 - (a + b) * x / (a + 1.0));
    let mut sum = d;
    for step in 1..=300 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / held(1.0 + even * d);
        c = held(1.0 + even / c);
        sum *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / held(1.0 + odd * d);
        c = held(1.0 + odd / c);
        sum *= d * c;
        if libm::fabs(d * c - 1.0) < 1e-15 {
            break;
        }
    }
    sum
}

#[cfg(test)]
#[path = "tests/paired.rs"]
mod tests;
