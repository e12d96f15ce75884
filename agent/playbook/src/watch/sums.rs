//! What is added up over a span.

use super::rounded;
use crate::observable::Span;

/// The most a return of one look counts for, in billionths: a millionfold.
const MOST_CHANGE: i64 = 1_000_000_000_000_000;
/// The steepest trend that is told, in millionths of its error; a straight line has none.
const MOST_TREND: f64 = 1e9;

/// What is kept of a look that may leave a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Past {
    pub(super) price: u64,
    /// The return since the look before, in billionths.
    pub(super) change: i64,
    /// What a USDC of liquidity earned since the look before, in millionths of a millionth.
    pub(super) fees: u64,
}

/// The return from one price to the next, in billionths.
pub(super) fn change(before: u64, after: u64) -> i64 {
    let difference = after as i64 - before as i64;
    match difference.checked_mul(1_000_000_000) {
        Some(scaled) => (scaled / before as i64).min(MOST_CHANGE),
        None => {
            let change = i128::from(difference) * 1_000_000_000 / i128::from(before);
            i64::try_from(change).unwrap_or(MOST_CHANGE).min(MOST_CHANGE)
        }
    }
}

/// What depends on the length of a span alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) looks: u64,
    /// The sum of all places.
    places: u64,
    /// One by the root of how places scatter.
    by_places: f64,
    /// One by the number of returns, from billionths to millionths.
    by_returns: f64,
    /// The root of how many looks are free to leave a line.
    freedom: f64,
}

impl Scale {
    pub(super) fn new(span: Span) -> Self {
        let looks = span.looks() as u64;
        let squared = looks * looks;
        Self {
            looks,
            places: looks * (looks - 1) / 2,
            by_places: 1.0 / ((squared * (squared - 1) / 12) as f64).sqrt(),
            by_returns: 1.0 / ((looks - 1) * 1_000) as f64,
            freedom: ((looks - 2) as f64).sqrt(),
        }
    }
}

/// Sums over the prices and returns of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sums {
    prices: u64,
    squares: i128,
    /// Each price times its place, the oldest at 0.
    placed: i128,
    changes: i128,
    changes_squared: i128,
    fees: u64,
}

impl Sums {
    /// Adds a look while the span fills; `place` looks are in it.
    pub(super) fn grow(&mut self, place: u64, newest: Past) {
        self.placed += i128::from(place) * i128::from(newest.price);
        self.add(newest);
    }

    /// Adds a look to a full span of `looks` and lets one go: `left` holds the price and fees that leave, and the return
    /// that no longer lies within.
    pub(super) fn slide(&mut self, looks: u64, left: Past, newest: Past) {
        self.placed += i128::from(looks - 1) * i128::from(newest.price) - i128::from(self.prices - left.price);
        self.prices -= left.price;
        self.squares -= square(left.price as i64);
        self.changes -= i128::from(left.change);
        self.changes_squared -= square(left.change);
        self.fees -= left.fees;
        self.add(newest);
    }

    fn add(&mut self, newest: Past) {
        self.prices += newest.price;
        self.squares += square(newest.price as i64);
        self.changes += i128::from(newest.change);
        self.changes_squared += square(newest.change);
        self.fees += newest.fees;
    }

    /// One by the root of how prices scatter, which serves `z` and `trend` together; a still market has none.
    pub(super) fn by_scatter(&self, scale: &Scale) -> Option<f64> {
        let looks = i128::from(scale.looks);
        let scatter = self.squares * looks - (u128::from(self.prices) * u128::from(self.prices)) as i128;
        (scatter > 0).then(|| 1.0 / wide(scatter).sqrt())
    }

    /// How far a price stands from the mean, in millionths of a deviation.
    pub(super) fn z(&self, scale: &Scale, price: u64, by_scatter: f64) -> i64 {
        let distance = (scale.looks * price) as i64 - self.prices as i64;
        rounded(distance as f64 * by_scatter * 1e6)
    }

    /// The slope of the prices, in millionths of its error.
    pub(super) fn trend(&self, scale: &Scale, by_scatter: f64) -> i64 {
        let together = i128::from(scale.looks) * self.placed - i128::from(scale.places) * i128::from(self.prices);
        // The correlation of price and place; one less its square is what a line leaves unexplained.
        let along = wide(together) * by_scatter * scale.by_places;
        let unexplained = (1.0 - along * along).max(f64::MIN_POSITIVE);
        let by_error = along * scale.freedom / unexplained.sqrt();
        rounded((by_error * 1e6).clamp(-MOST_TREND, MOST_TREND))
    }

    /// The deviation of the returns, in millionths.
    pub(super) fn vol(&self, scale: &Scale) -> i64 {
        let scatter = self.changes_squared * i128::from(scale.looks - 1) - self.changes * self.changes;
        rounded(wide(scatter).sqrt() * scale.by_returns)
    }

    /// What a USDC of liquidity earned, in millionths; nothing is known where nothing was told.
    pub(super) fn fees(&self) -> Option<i64> {
        (self.fees > 0).then(|| rounded(self.fees as f64 / 1e6))
    }
}

/// A wide number as a float, the same on every machine: both halves, then their sum.
pub(super) fn wide(value: i128) -> f64 {
    (value >> 64) as i64 as f64 * 18_446_744_073_709_551_616.0 + value as u64 as f64
}

fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}
