//! What is added up over a span.

use super::rounded;

/// The most a return of one look counts for, in billionths: a millionfold.
const MOST_CHANGE: i64 = 1_000_000_000_000_000;
/// The steepest trend that is told, in millionths of its error; a straight line has none.
const MOST_TREND: f64 = 1e9;

/// What is kept of a look that may leave a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Past {
    /// Micro-USDC.
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

    /// The squared deviation of the prices, times the square of their number.
    fn scatter(&self, looks: u64) -> i128 {
        self.squares * i128::from(looks) - (u128::from(self.prices) * u128::from(self.prices)) as i128
    }

    /// Deviations from the mean; nothing in a still market.
    pub(super) fn z(&self, looks: u64, price: u64) -> i64 {
        let scatter = self.scatter(looks);
        if scatter <= 0 {
            return 0;
        }
        let distance = i128::from(looks) * i128::from(price) - i128::from(self.prices);
        rounded(distance as f64 / (scatter as f64).sqrt() * 1e6)
    }

    /// The deviation of the returns, in millionths.
    pub(super) fn vol(&self, looks: u64) -> i64 {
        let returns = looks - 1;
        let scatter = self.changes_squared * i128::from(returns) - self.changes * self.changes;
        rounded((scatter as f64).sqrt() / (returns as f64 * 1e3))
    }

    /// The slope of the least squares line through the prices by its standard error; nothing in a still market.
    pub(super) fn trend(&self, looks: u64) -> i64 {
        let scatter = self.scatter(looks);
        if scatter <= 0 {
            return 0;
        }
        let count = i128::from(looks);
        let places = count * (count - 1) / 2;
        let places_scatter = (count * count * (count * count - 1) / 12) as f64;
        let together = (count * self.placed - places * i128::from(self.prices)) as f64;
        let explained = (together / scatter as f64) * (together / places_scatter);
        let unexplained = (1.0 - explained).max(0.0);
        let by_error = together * ((looks - 2) as f64).sqrt()
            / (scatter as f64 * places_scatter * unexplained).sqrt().max(f64::MIN_POSITIVE);
        rounded((by_error * 1e6).clamp(-MOST_TREND, MOST_TREND))
    }

    /// What a USDC of liquidity earned, in millionths; nothing is known where nothing was told.
    pub(super) fn fees(&self) -> Option<i64> {
        (self.fees > 0).then(|| rounded(self.fees as f64 / 1e6))
    }
}

fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}
