//! The prices of the last ticks, and what they say.

use arrayvec::ArrayVec;
use golem_grimoire::regime::Regime;
use golem_mortality::epistemic::domain::Level;
use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

/// Prices remembered.
pub const WINDOW: usize = 64;
/// Prices below which nothing is said of the market.
pub const ENOUGH: usize = 16;

/// Newest last. Integers, so that equal journals give equal windows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PriceWindow {
    micros: ArrayVec<u64, WINDOW>,
}

/// A straight line through the prices: where they stand, how they scatter, where they lean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriceShape {
    /// The mean price, in micro-USDC.
    pub mean: f64,
    /// Standard deviation of the prices as a share of the mean.
    pub spread: f64,
    /// How far the newest stands from the mean, in standard deviations; 0 in a still market.
    pub z: f64,
    /// The share of a distance from the mean that one tick closes on average; negative where distances grow.
    pub pull: f64,
    /// Mean return of a tick.
    pub drift: f64,
    /// Standard deviation of a tick's returns.
    pub volatility: f64,
}

impl PriceWindow {
    /// Adds a price; the oldest is forgotten.
    pub fn push(&mut self, price: Usdc) {
        if self.micros.is_full() {
            self.micros.remove(0);
        }
        self.micros.push(price.micros().max(1));
    }

    /// How many prices are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.micros.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.micros.is_empty()
    }

    /// The newest.
    #[must_use]
    pub fn newest(&self) -> Option<Usdc> {
        self.micros.last().copied().map(Usdc::from_micros)
    }

    /// The mean of the newest `count`, in micro-USDC.
    #[must_use]
    pub fn mean_of(&self, count: usize) -> Option<f64> {
        let from = self.micros.len().checked_sub(count)?;
        let newest = &self.micros[from..];
        (!newest.is_empty()).then(|| newest.iter().map(|micros| *micros as f64).sum::<f64>() / newest.len() as f64)
    }

    /// What the prices say; `None` while they are too few.
    #[must_use]
    pub fn shape(&self) -> Option<PriceShape> {
        if self.micros.len() < ENOUGH {
            return None;
        }
        let count = self.micros.len() as f64;
        let mean = self.micros.iter().map(|micros| *micros as f64).sum::<f64>() / count;
        let variance = self.micros.iter().map(|micros| square(*micros as f64 - mean)).sum::<f64>() / count;
        let spread = libm::sqrt(variance) / mean;
        let newest = self.micros[self.micros.len() - 1] as f64;
        let z = if spread > f64::EPSILON { (newest / mean - 1.0) / spread } else { 0.0 };

        // Least squares of each change on the distance before it: the honest estimate of mean reversion.
        let (mut covariance, mut distances, mut drift, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for pair in self.micros.windows(2) {
            let (before, after) = (pair[0] as f64, pair[1] as f64);
            let distance = mean - before;
            covariance += distance * (after - before);
            distances += square(distance);
            let change = after / before - 1.0;
            drift += change;
            squares += square(change);
        }
        let changes = count - 1.0;
        drift /= changes;
        let pull = if distances > f64::EPSILON { covariance / distances } else { 0.0 };
        let volatility = libm::sqrt((squares / changes - square(drift)).max(0.0));
        Some(PriceShape { mean, spread, z, pull: pull.clamp(-1.0, 1.0), drift, volatility })
    }

    /// M-058. Where yields go: what the newest `ticks` earned a unit of liquidity against as many before. A pool is paid by
    /// the way its price goes, there and back, however much liquidity shares it.
    #[must_use]
    pub fn yield_level(&self, ticks: usize) -> Option<Level> {
        let from = self.micros.len().checked_sub(2 * ticks + 1)?;
        let way = |prices: &[u64]| {
            let steps = prices.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
            steps.fold(0, u64::saturating_add)
        };
        let (before, now) = (&self.micros[from..=from + ticks], &self.micros[from + ticks..]);
        Some(yield_level(way(before), way(now)))
    }

    /// M-058. How much the price moved over the newest `ticks`, per tick.
    #[must_use]
    pub fn volatility_level(&self, ticks: usize) -> Option<Level> {
        let from = self.micros.len().checked_sub(ticks + 1)?;
        let newest = &self.micros[from..];
        let squares = newest.windows(2).map(|pair| square(pair[1] as f64 / pair[0] as f64 - 1.0)).sum::<f64>();
        Some(volatility_level(libm::sqrt(squares / ticks.max(1) as f64)))
    }
}

/// M-058. The level of a yield against the one before it: under two thirds decreasing, from three halves increasing.
#[must_use]
pub const fn yield_level(before: u64, now: u64) -> Level {
    let (before, now) = (before as u128, now as u128);
    if 3 * now < 2 * before {
        Level::Low
    } else if before == now || 2 * now < 3 * before {
        Level::Middle
    } else {
        Level::High
    }
}

/// T-007. The regime that prices are in, in one word.
#[must_use]
pub fn regime_name(window: &PriceWindow) -> &'static str {
    let Some(shape) = window.shape() else { return "unknown" };
    // A lean of more than a quarter of a volatility a tick, kept up over the window, is a trend.
    let lean = shape.drift / shape.volatility.max(1e-9);
    match volatility_level(shape.volatility) {
        Level::High => "volatile",
        _ if lean > 0.25 => "trend-up",
        _ if lean < -0.25 => "trend-down",
        _ => "range",
    }
}

/// M-058. The level of a tick's volatility: under 5 basis points low, from 25 high.
#[must_use]
pub fn volatility_level(volatility: f64) -> Level {
    match volatility {
        calm if calm < 0.000_5 => Level::Low,
        wild if wild >= 0.002_5 => Level::High,
        _ => Level::Middle,
    }
}

/// M-058. The level of a base fee against the usual one: under half cheap, from double expensive.
#[must_use]
pub const fn gas_level(base_fee_wei: u64, usual_wei: u64) -> Level {
    if base_fee_wei < usual_wei / 2 {
        Level::Low
    } else if base_fee_wei >= usual_wei.saturating_mul(2) {
        Level::High
    } else {
        Level::Middle
    }
}

/// M-058. The level of a return: a fifth of a percent either way is flat.
#[must_use]
pub const fn return_level(return_ppm: i64) -> Level {
    match return_ppm {
        i64::MIN..=-2_000 => Level::Low,
        2_000..=i64::MAX => Level::High,
        _ => Level::Middle,
    }
}

/// The return from one price to another, in millionths, rounded toward zero and clipped at a thousandfold.
#[must_use]
pub fn return_ppm(from: Usdc, to: Usdc) -> i64 {
    let (from, to) = (i128::from(from.micros().max(1)), i128::from(to.micros()));
    let ppm = (to - from) * 1_000_000 / from;
    i64::try_from(ppm.clamp(-1_000_000, 1_000_000_000)).expect("clipped")
}

fn square(value: f64) -> f64 {
    value * value
}

/// G-135, GG-8. A regime of the market in the Grimoire's words.
#[must_use]
pub fn regime_of(name: &str) -> Option<Regime> {
    Some(match name {
        "trend-up" => Regime::Bull,
        "trend-down" => Regime::Bear,
        "range" => Regime::Sideways,
        "volatile" => Regime::HighVol,
        _ => return None,
    })
}

/// The regime a window of prices is in.
pub(crate) fn regime_in(window: &PriceWindow) -> Option<Regime> {
    regime_of(regime_name(window))
}

#[cfg(test)]
#[path = "tests/window.rs"]
mod tests;
