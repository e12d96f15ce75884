//! Exact nearest neighbours by two looks. The first goes over a byte for each part of each vector and leaves whoever may
//! be among the nearest, by a bound that no rounding can break; the second measures those from their own numbers.
//!
//! A vector is a quarter of its size in memory, so a scan, which is bound by memory, takes a quarter of the time. What is
//! in the file stays the truth: the second look reads it there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pulp::{Arch, Simd, WithSimd};

/// The steps of a part on either side of zero.
const STEPS: f32 = 127.0;
/// The steps of a part of the question, whose parts have two bytes each: fine enough to cost nothing in the bound, and
/// few enough that no sum of products overflows at [`MOST_DIMENSIONS`].
const FINE_STEPS: f32 = 2_047.0;
/// The most parts a vector may have.
pub(crate) const MOST_DIMENSIONS: u16 = 8_192;
/// What sums of `f32` may be off by, in both looks together.
const SLACK: f32 = 2e-5;

/// Vectors of one model, of length one, a byte for each part.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    dimensions: usize,
    parts: Vec<i8>,
    scales: Vec<Scale>,
}

/// What makes a row of bytes a vector again, and how far it is from the one it was.
#[derive(Debug, Clone, Copy)]
struct Scale {
    step: f32,
    error: f32,
}

/// A vector of length one, or `None` for one without a direction.
pub(crate) fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let square: f64 = vector.iter().map(|part| f64::from(*part) * f64::from(*part)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length < 1e-12 {
        return None;
    }
    Some(vector.iter().map(|part| (f64::from(*part) / length) as f32).collect())
}

/// Cosine of two vectors of length one, summed finely.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() as f32
}

/// A question in whole numbers.
struct Coarse {
    parts: Vec<i16>,
    step: f32,
    error: f32,
}

impl Coarse {
    fn of(unit: &[f32]) -> Self {
        let most = unit.iter().fold(0f32, |most, part| most.max(part.abs()));
        let step = most / FINE_STEPS;
        let parts: Vec<i16> = unit.iter().map(|part| (part / step).round() as i16).collect();
        let error = distance(unit, parts.iter().map(|part| f32::from(*part) * step));
        Self { parts, step, error }
    }
}

/// How far apart two vectors are, rounded up.
fn distance(a: &[f32], b: impl Iterator<Item = f32>) -> f32 {
    let square: f64 = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2)).sum();
    (square.sqrt() * (1.0 + 1e-6)) as f32
}

/// A row that may be among the nearest, and the most its cosine can be.
struct Contender {
    row: usize,
    most: f32,
}

/// A cosine with an order; none is ever a NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Matrix {
    /// No vectors yet, of that many parts each, with room for `rows`.
    pub(crate) fn with_room(dimensions: u16, rows: usize) -> Self {
        let dimensions = usize::from(dimensions);
        Self { dimensions, parts: Vec::with_capacity(dimensions * rows), scales: Vec::with_capacity(rows) }
    }

    /// Adds a vector of length one; answers whether it has as many parts as the others, for else it would shift them all.
    #[must_use]
    pub(crate) fn push(&mut self, unit: &[f32]) -> bool {
        if unit.len() != self.dimensions {
            return false;
        }
        let most = unit.iter().fold(0f32, |most, part| most.max(part.abs()));
        let step = most / STEPS;
        let from = self.parts.len();
        self.parts.extend(unit.iter().map(|part| (part / step).round() as i8));
        let error = distance(unit, self.parts[from..].iter().map(|part| f32::from(*part) * step));
        self.scales.push(Scale { step, error });
        true
    }

    /// Rows that may be among the `count` nearest of those `admits` lets in. All that are, are among them.
    pub(crate) fn contenders(&self, unit: &[f32], count: usize, admits: impl Fn(usize) -> bool) -> Vec<usize> {
        if count == 0 || unit.len() != self.dimensions || self.dimensions == 0 {
            return Vec::new();
        }
        let coarse = Coarse::of(unit);
        // The least the nearest so far can be: whoever cannot reach the last of them is out.
        let mut least: BinaryHeap<Reverse<Ordered>> = BinaryHeap::with_capacity(count.min(self.scales.len()) + 1);
        let mut found: Vec<Contender> = Vec::new();
        let mut sums = [0i32; BLOCK];
        for (block, rows) in self.parts.chunks(BLOCK * self.dimensions).enumerate() {
            let here = rows.len() / self.dimensions;
            Arch::new().dispatch(Products { rows, question: &coarse.parts, sums: &mut sums[..here] });
            for (at, sum) in sums[..here].iter().enumerate() {
                let row = block * BLOCK + at;
                let scale = self.scales[row];
                let about = *sum as f32 * scale.step * coarse.step;
                let bound = scale.error + (1.0 + scale.error) * coarse.error + SLACK;
                let (low, most) = (about - bound, about + bound);
                if least.len() == count && least.peek().is_some_and(|last| most < last.0.0) || !admits(row) {
                    continue;
                }
                found.push(Contender { row, most });
                least.push(Reverse(Ordered(low)));
                if least.len() > count {
                    least.pop();
                }
            }
        }
        let last = if least.len() == count { least.peek().map_or(f32::MIN, |last| last.0.0) } else { f32::MIN };
        found.into_iter().filter(|contender| contender.most >= last).map(|contender| contender.row).collect()
    }
}

/// Rows multiplied before any is compared: enough to keep the comparing out of the multiplying, few enough to stay near.
const BLOCK: usize = 64;

/// Products of rows with a question, in whatever registers this machine has.
struct Products<'a> {
    rows: &'a [i8],
    question: &'a [i16],
    sums: &'a mut [i32],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let dimensions = self.question.len();
        for (row, sum) in self.rows.chunks_exact(dimensions).zip(self.sums) {
            *sum = product(row, self.question);
        }
    }
}

/// Thirty-two parts at a time, each lane with its own sum, so that the compiler may use the widest registers.
#[inline(always)]
fn product(row: &[i8], question: &[i16]) -> i32 {
    const LANES: usize = 32;
    let mut sums = [0i32; LANES];
    let (whole, rest) = (row.chunks_exact(LANES), row.chunks_exact(LANES).remainder());
    let (asked, asked_rest) = (question.chunks_exact(LANES), question.chunks_exact(LANES).remainder());
    for (row, question) in whole.zip(asked) {
        for lane in 0..LANES {
            sums[lane] += i32::from(row[lane]) * i32::from(question[lane]);
        }
    }
    let tail: i32 = rest.iter().zip(asked_rest).map(|(row, question)| i32::from(*row) * i32::from(*question)).sum();
    sums.iter().sum::<i32>() + tail
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The plain way: every cosine, sorted.
    fn plainly(vectors: &[Vec<f32>], question: &[f32], count: usize) -> Vec<f32> {
        let mut all: Vec<f32> = vectors.iter().map(|vector| cosine(vector, question)).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        all.truncate(count);
        all
    }

    /// Vectors of length one from a seed, some with many zeros; cheaper than having proptest make every part.
    fn vectors(seed: u64, rows: usize, dimensions: usize) -> Vec<Vec<f32>> {
        let mut state = seed;
        let mut part = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let vector = |row: usize| -> Vec<f32> {
            let mut vector: Vec<f32> = (0..dimensions).map(|_| part()).collect();
            if row % 5 == 4 {
                vector.iter_mut().skip(1).for_each(|part| *part = if *part > 0.0 { 0.0 } else { *part * 1e-3 });
            }
            vector
        };
        (0..rows).map(vector).map(|vector| unit(&vector).unwrap_or_else(|| vec![1.0; 1])).collect()
    }

    fn best(contenders: &[usize], all: &[Vec<f32>], question: &[f32], count: usize) -> Vec<f32> {
        let mut found: Vec<f32> = contenders.iter().map(|row| cosine(&all[*row], question)).collect();
        found.sort_by(|a, b| b.total_cmp(a));
        found.truncate(count);
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// G-087: the two looks together find exactly what the plain way finds.
        #[test]
        fn g_087_the_nearest_are_exactly_the_nearest(
            dimensions in prop::sample::select(vec![1usize, 31, 32, 33, 384]),
            (seed, rows, count) in (any::<u64>(), 1usize..120, 1usize..12),
        ) {
            let all = vectors(seed, rows + 1, dimensions);
            let (question, all) = all.split_first().expect("one more");
            let mut matrix = Matrix::with_room(dimensions as u16, all.len());
            prop_assert!(all.iter().all(|vector| matrix.push(vector)));
            let contenders = matrix.contenders(question, count, |_| true);
            prop_assert_eq!(best(&contenders, all, question, count), plainly(all, question, count));
        }

        /// G-098: whoever is not let in is never among them, and the others lose no place by it.
        #[test]
        fn g_098_a_row_that_is_not_let_in_takes_no_place((seed, rows, count) in (any::<u64>(), 2usize..200, 1usize..6)) {
            let all = vectors(seed, rows, 16);
            let mut matrix = Matrix::with_room(16, all.len());
            prop_assert!(all.iter().all(|vector| matrix.push(vector)));
            let contenders = matrix.contenders(&all[0], count, |row| row % 2 == 1);
            prop_assert!(contenders.iter().all(|row| row % 2 == 1));
            let odd: Vec<Vec<f32>> = all.iter().skip(1).step_by(2).cloned().collect();
            prop_assert_eq!(best(&contenders, &all, &all[0], count), plainly(&odd, &all[0], count));
        }
    }

    /// G-006: no direction, no vector; and no sum overflows at the longest.
    #[test]
    fn g_006_a_vector_needs_a_direction() {
        assert_eq!(unit(&[0.0; 4]), None);
        assert_eq!(unit(&[f32::NAN, 1.0]), None);
        assert_eq!(unit(&[f32::INFINITY, 1.0]), None);
        let longest = unit(&vec![1.0; usize::from(MOST_DIMENSIONS)]).expect("a direction");
        let mut matrix = Matrix::with_room(MOST_DIMENSIONS, 1);
        assert!(matrix.push(&longest));
        assert!(!matrix.push(&[1.0]) && !matrix.push(&[]), "of another length");
        assert_eq!(matrix.contenders(&longest, 1, |_| true), [0]);
        assert!(i64::from(MOST_DIMENSIONS) * 127 * 2_047 < i64::from(i32::MAX));
    }
}
