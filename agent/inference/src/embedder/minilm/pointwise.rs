//! What is done to one row at a time. Written without branches, so that the compiler turns each loop into vectors.
//!
//! The work is given as structures and not as closures: a closure need not be inlined into the function that may use the
//! wide registers, and then does not use them.

use pulp::NullaryFnOnce;

use super::weights::{HIDDEN, Norm};

/// Added to keep a variance from zero; the model's own.
const EPSILON: f32 = 1e-12;
/// Parallel sums: enough for the widest registers, and the same number everywhere.
const LANES: usize = 16;

#[inline(always)]
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (whole, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for chunk in whole {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += of(*x);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|x| of(*x)).sum::<f32>()
}

/// Adds `more` to each row, then brings the row to mean zero and variance one, scaled and shifted.
pub(super) struct AddAndNorm<'a> {
    pub(super) rows: &'a mut [f32],
    pub(super) more: &'a [f32],
    pub(super) norm: &'a Norm,
}

impl NullaryFnOnce for AddAndNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (row, more) in self.rows.chunks_exact_mut(HIDDEN).zip(self.more.chunks_exact(HIDDEN)) {
            add_and_norm(row, more, &self.norm.scale, &self.norm.shift);
        }
    }
}

/// Turns the scores of each row into shares of one.
pub(super) struct Softmax<'a> {
    pub(super) scores: &'a mut [f32],
    pub(super) width: usize,
}

impl NullaryFnOnce for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for row in self.scores.chunks_exact_mut(self.width) {
            softmax(row);
        }
    }
}

/// The exact GELU, by the error function.
pub(super) struct Gelu<'a>(pub(super) &'a mut [f32]);

impl NullaryFnOnce for Gelu<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for x in self.0.iter_mut() {
            *x = 0.5 * *x * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
        }
    }
}

#[inline(always)]
fn add_and_norm(row: &mut [f32], more: &[f32], scale: &[f32], shift: &[f32]) {
    for (x, more) in row.iter_mut().zip(more) {
        *x += more;
    }
    let count = row.len() as f32;
    let mean = sum(row, |x| x) / count;
    let variance = sum(row, |x| (x - mean) * (x - mean)) / count;
    let factor = 1.0 / (variance + EPSILON).sqrt();
    for ((x, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
        *x = (*x - mean) * factor * scale + shift;
    }
}

#[inline(always)]
fn softmax(row: &mut [f32]) {
    let highest = row.iter().fold(f32::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
    for x in row.iter_mut() {
        *x = exp(*x - highest);
    }
    let share = 1.0 / sum(row, |x| x);
    for x in row.iter_mut() {
        *x *= share;
    }
}

/// Abramowitz and Stegun 7.1.26; within 1.5e-7 before rounding.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let a = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * a);
    let series = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - series * exp(-a * a)).copysign(x)
}

/// Added and taken away again it leaves the nearest integer, and its lowest bits are that integer.
const ROUNDER: f32 = 12_582_912.0;
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// `e^x` within a few units in the last place, from 2^n and a series for the rest; what leaves the range stays at its end.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let n = shifted - ROUNDER;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let mut series = 1.0 / 5_040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * r + factor;
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127);
    f32::from_bits(exponent << 23) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_erf_are_as_exact_as_single_precision_allows() {
        for step in -8_700..8_800 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = ((f64::from(exp(x)) - expected) / expected).abs();
            assert!(error < 4e-7, "exp({x}) is off by {error:e}");
        }
        // A few values of the tables.
        for (x, expected) in
            [(0.0, 0.0), (0.1, 0.112_462_916), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)]
        {
            assert!((erf(x) - expected).abs() < 3e-7, "erf({x}) = {}", erf(x));
            assert!((erf(-x) + expected).abs() < 3e-7, "erf(-{x}) = {}", erf(-x));
        }
        assert_eq!((erf(40.0), erf(-40.0)), (1.0, -1.0));
    }

    #[test]
    fn shares_sum_to_one_also_where_scores_are_extreme() {
        for scores in
            [vec![0.0; 3], vec![1e4, -1e4, 3.0], vec![-1e30, -1e30], vec![5.0], (0..100).map(|x| x as f32).collect()]
        {
            let mut row = scores.clone();
            softmax(&mut row);
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{scores:?} became {row:?}");
            assert!(row.iter().all(|x| *x >= 0.0));
        }
    }
}
