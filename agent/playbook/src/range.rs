//! P-004. Liquidity between two prices, as a Uniswap V3 position has it, in micro-USDC and whole tokens.
//!
//! Additions, products, quotients and square roots alone, which every machine rounds alike.

use golem_primitives::{Ppm, Usdc};

use crate::look::Look;

/// What a range is made of at a price, both in micro-USDC.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Halves {
    /// The worth of its tokens.
    pub(crate) token: f64,
    pub(crate) usdc: f64,
}

impl Halves {
    pub(crate) fn total(&self) -> f64 {
        self.token + self.usdc
    }
}

/// Liquidity from one price to another.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Range {
    /// Roots of both ends.
    low: f64,
    high: f64,
    /// USDC it gives for each unit by which the root of the price rises.
    liquidity: f64,
}

impl Range {
    /// From the price by `1 + width` down to the price times it, with `side` of USDC and as much of the token: around its
    /// middle a range of this shape takes both halves alike.
    pub(crate) fn around(price: Usdc, width: Ppm, side: f64) -> Self {
        let root = root(price);
        // A range without a width would hold endless liquidity.
        let reach = (1.0 + f64::from(width.get().max(1)) / 1e6).sqrt();
        Self { low: root / reach, high: root * reach, liquidity: side / (root - root / reach) }
    }

    /// Whether liquidity here is used at this price.
    pub(crate) fn contains(&self, price: Usdc) -> bool {
        (self.low..=self.high).contains(&root(price))
    }

    /// What it is made of at a price: the token alone below it, USDC alone above it.
    pub(crate) fn halves(&self, price: Usdc) -> Halves {
        let within = root(price).clamp(self.low, self.high);
        Halves { token: self.tokens(within) * price.micros() as f64, usdc: self.liquidity * (within - self.low) }
    }

    /// Its tokens where the price has this root.
    fn tokens(&self, within: f64) -> f64 {
        self.liquidity * (1.0 / within - 1.0 / self.high)
    }

    /// What it earned of the volume since the look before: its part of the liquidity that was traded against. The impact of
    /// the capital tells the pool's. Nothing outside, and where volume or impact is unknown.
    pub(crate) fn fees(&self, look: &Look, capital: Usdc) -> f64 {
        if look.impact_ppm == 0 || !self.contains(look.price) {
            return 0.0;
        }
        let own = self.liquidity * root(look.price);
        let both = side_of_pool(look, capital) + own;
        let paid = look.volume.micros() as f64 * f64::from(look.fee_ppm) / 1e6;
        if both > 0.0 { paid * own / both } else { 0.0 }
    }
}

/// What a pool over all prices with this impact has on each side: swapping the capital moves it by `capital / (side +
/// capital)`. Only asked where there is an impact.
pub(crate) fn side_of_pool(look: &Look, capital: Usdc) -> f64 {
    capital.micros() as f64 * (1e6 / f64::from(look.impact_ppm.max(1)) - 1.0).max(0.0)
}

fn root(price: Usdc) -> f64 {
    (price.micros().max(1) as f64).sqrt()
}

#[cfg(test)]
#[path = "tests/range.rs"]
mod tests;
