//! Mutual information by nearest neighbours: Kraskov, Stögbauer and Grassberger, "Estimating mutual information",
//! Physical Review E 69, 066138 (2004), algorithm 1 (M-265).
//!
//! For each of N samples, ε is the distance to its k-th neighbour in the joint space under the max norm, and n_x, n_y
//! count the *other* samples strictly closer than ε in each marginal. Then I = ψ(k) + ψ(N) − ⟨ψ(n_x+1) + ψ(n_y+1)⟩ nats.
//!
//! **Ties.** Strict counts are taken from the same differences as ε, so a sample at exactly ε never counts, whatever the
//! rounding. Where at least k other samples coincide with one in every coordinate, ε is zero, nothing is strictly closer
//! and the published form overstates. Such a sample takes the reading of Gao, Kannan, Oh and Viswanath, "Estimating
//! mutual information for discrete-continuous mixtures" (2017): k becomes the number of samples that coincide with it,
//! and n_x, n_y the numbers that share its coordinate. Without coinciding samples the estimate is the published one.
//!
//! **Constant series** carry no information: exactly zero. A finite sample may give a slightly negative estimate; it is
//! returned as it is, because averages of clamped estimates are biased.
//!
//! O(N log N): a k-d tree finds ε, sorted columns (or a second tree when one side has several columns) give the counts.

use crate::kd_tree::{Edge, KdTree};

/// Most neighbours M-265 allows.
pub const MAX_NEIGHBOURS: usize = 7;
/// Fewest neighbours M-265 allows.
pub const MIN_NEIGHBOURS: usize = 3;
/// Most columns the left side of an estimate may have. Beyond it, a window of a thousand samples says nothing.
pub const MAX_COLUMNS: usize = 7;

/// Euler's constant, −ψ(1).
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// An amount of information in natural units.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Nats(pub f64);

impl Nats {
    /// Nothing learnt.
    pub const ZERO: Self = Self(0.0);

    /// The same amount in bits.
    #[must_use]
    pub fn bits(self) -> f64 {
        self.0 / std::f64::consts::LN_2
    }
}

/// Why no estimate exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KsgError {
    /// The neighbour count is outside what M-265 allows.
    #[error("{k} neighbours asked; between {MIN_NEIGHBOURS} and {MAX_NEIGHBOURS} are allowed")]
    Neighbours { k: usize },
    #[error("column {column} has {given} samples, the first has {first}")]
    UnequalLengths {
        /// Which column, the right side being the last.
        column: usize,
        given: usize,
        first: usize,
    },
    #[error("{samples} samples are too few; at least {needed} are needed")]
    TooFew { samples: usize, needed: usize },
    #[error("sample {at} of column {column} is not a finite number")]
    NotFinite { column: usize, at: usize },
    /// The spread of a column is beyond `f64`, so distances in it have no value.
    #[error("column {column} is spread wider than distances can be computed")]
    TooWide { column: usize },
    #[error("{given} columns on the left; between 1 and {MAX_COLUMNS} can be estimated")]
    Columns { given: usize },
}

/// The estimator with its number of neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ksg {
    k: usize,
}

impl Default for Ksg {
    /// Five neighbours.
    fn default() -> Self {
        Self { k: 5 }
    }
}

impl Ksg {
    /// An estimator of `k` neighbours.
    ///
    /// # Errors
    /// [`KsgError::Neighbours`] outside 3 to 7.
    pub fn new(k: usize) -> Result<Self, KsgError> {
        if (MIN_NEIGHBOURS..=MAX_NEIGHBOURS).contains(&k) { Ok(Self { k }) } else { Err(KsgError::Neighbours { k }) }
    }

    /// Information between two series of equal length.
    ///
    /// # Errors
    /// [`KsgError`] for unequal, short or non-finite series.
    pub fn mutual_information(self, x: &[f64], y: &[f64]) -> Result<Nats, KsgError> {
        self.joint_information(&[x], y)
    }

    /// Information between several series taken together and one.
    ///
    /// # Errors
    /// [`KsgError`] for no or too many columns, or unequal, short or non-finite series.
    pub fn joint_information(self, columns: &[&[f64]], y: &[f64]) -> Result<Nats, KsgError> {
        if columns.is_empty() || columns.len() > MAX_COLUMNS {
            return Err(KsgError::Columns { given: columns.len() });
        }
        let samples = columns[0].len();
        let all = || columns.iter().copied().chain([y]).enumerate();
        for (column, series) in all() {
            if series.len() != samples {
                return Err(KsgError::UnequalLengths { column, given: series.len(), first: samples });
            }
            if let Some(at) = series.iter().position(|v| !v.is_finite()) {
                return Err(KsgError::NotFinite { column, at });
            }
            if !spread(series).is_finite() {
                return Err(KsgError::TooWide { column });
            }
        }
        if samples <= self.k {
            return Err(KsgError::TooFew { samples, needed: self.k + 1 });
        }
        if spread(y) == 0.0 || columns.iter().all(|series| spread(series) == 0.0) {
            return Ok(Nats::ZERO);
        }
        Ok(Nats(match columns.len() {
            1 => self.estimate::<1, 2>(columns, y),
            2 => self.estimate::<2, 3>(columns, y),
            3 => self.estimate::<3, 4>(columns, y),
            4 => self.estimate::<4, 5>(columns, y),
            5 => self.estimate::<5, 6>(columns, y),
            6 => self.estimate::<6, 7>(columns, y),
            _ => self.estimate::<7, 8>(columns, y),
        }))
    }

    fn estimate<const X: usize, const JOINT: usize>(self, columns: &[&[f64]], y: &[f64]) -> f64 {
        let samples = y.len();
        let left: Vec<[f64; X]> = (0..samples).map(|i| std::array::from_fn(|axis| columns[axis][i])).collect();
        let joint: Vec<[f64; JOINT]> =
            (0..samples).map(|i| std::array::from_fn(|axis| if axis < X { left[i][axis] } else { y[i] })).collect();

        let tree = KdTree::new(&joint);
        let radii = tree.kth_distances(self.k);
        let (x_side, y_side) = (Marginal::new(&left), Marginal::<1>::sorted(y.iter().copied()));
        let psi = digamma_table(samples);

        // Summed in the caller's order, so that no detail of the index reaches the result.
        let mut total = 0.0;
        for (i, &radius) in radii.iter().enumerate() {
            let at = (&left[i], &[y[i]]);
            total += if radius > 0.0 {
                let near = (x_side.count(at.0, radius, Edge::Open), y_side.count(at.1, radius, Edge::Open));
                psi[self.k] - psi[near.0] - psi[near.1]
            } else {
                let same = (x_side.count(at.0, 0.0, Edge::Closed), y_side.count(at.1, 0.0, Edge::Closed));
                let coinciding = tree.count_within(&joint[i], 0.0, Edge::Closed) - 1;
                psi[coinciding] - psi[same.0] - psi[same.1]
            };
        }
        psi[samples] + total / samples as f64
    }
}

/// Counts within a radius on one side. Every count includes the centre itself, and so is n + 1 of the formula.
enum Marginal<const D: usize> {
    Sorted(Vec<f64>),
    Tree(KdTree<D>),
}

impl<const D: usize> Marginal<D> {
    fn new(points: &[[f64; D]]) -> Self {
        if D == 1 { Self::sorted(points.iter().map(|p| p[0])) } else { Self::Tree(KdTree::new(points)) }
    }

    fn sorted(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        Self::Sorted(values)
    }

    fn count(&self, centre: &[f64; D], radius: f64, edge: Edge) -> usize {
        match self {
            Self::Tree(tree) => tree.count_within(centre, radius, edge),
            Self::Sorted(values) => {
                // Rounded subtraction is monotone, so these two edges agree with |v - c| compared value by value.
                let centre = centre[0];
                let inside = |distance: f64| if edge == Edge::Open { distance < radius } else { distance <= radius };
                let from = values.partition_point(|v| !inside(centre - v));
                values.partition_point(|v| inside(v - centre)) - from
            }
        }
    }
}

/// ψ(0..=n) at the integers: ψ(1) = −γ and ψ(n+1) = ψ(n) + 1/n, summed with compensation. Index 0 is never read.
fn digamma_table(n: usize) -> Vec<f64> {
    let mut table = Vec::with_capacity(n + 1);
    table.push(f64::NAN);
    let (mut value, mut lost) = (-EULER_GAMMA, 0.0);
    for i in 1..=n {
        table.push(value);
        let step = 1.0 / i as f64 - lost;
        let next = value + step;
        lost = (next - value) - step;
        value = next;
    }
    table
}

/// Largest minus smallest value; zero for an empty series.
fn spread(series: &[f64]) -> f64 {
    let low = series.iter().copied().fold(f64::INFINITY, f64::min);
    let high = series.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if series.is_empty() { 0.0 } else { high - low }
}

/// The series with mean zero and unit deviation, as the authors advise before estimating: under the max norm a column in
/// large units would hide the other. A constant or empty series is returned as zeros; a series with a value that is not
/// finite, or too wide to measure, is returned as it is, for the estimator to refuse.
#[must_use]
pub fn standardise(series: &[f64]) -> Vec<f64> {
    let width = spread(series);
    if !width.is_finite() || series.iter().any(|v| !v.is_finite()) {
        return series.to_vec();
    }
    if width == 0.0 {
        return vec![0.0; series.len()];
    }
    // Scaled by the width first, so that squares neither overflow nor vanish.
    let count = series.len() as f64;
    let low = series.iter().copied().fold(f64::INFINITY, f64::min);
    let scaled: Vec<f64> = series.iter().map(|v| (v - low) / width).collect();
    let mean = scaled.iter().sum::<f64>() / count;
    let deviation = libm::sqrt(scaled.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count);
    scaled.iter().map(|v| (v - mean) / deviation).collect()
}

#[cfg(test)]
mod tests;
