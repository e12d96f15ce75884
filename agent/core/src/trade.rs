//! What a trade moves and what a holding is worth, in whole units.

use arrayvec::ArrayVec;
use golem_primitives::{Decimals, Ppm, U256, Usdc};

use crate::record::order::Order;
use crate::record::sight::{MarketReading, POSITIONS, PositionReading};

/// What a trade may lose to movement between sight and block before it must revert: half a percent, half of what the
/// vault itself bears (V-011).
const SLIPPAGE: Ppm = Ppm::of(5_000);

/// What is held by way of one pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    /// USDC not at work.
    pub idle: Usdc,
    /// The token, in its smallest unit.
    pub held: u128,
    pub held_cost: Usdc,
    /// Positions open in it.
    pub positions: ArrayVec<PositionReading, POSITIONS>,
}

/// USDC for the token, with the least that is accepted for it.
#[must_use]
pub fn buy(market: &MarketReading, spend: Usdc) -> Order {
    let fair = market.token_price().buys(spend);
    Order::Buy { pool: market.pool, spend, least: keep(fair, market.fee_ppm) }
}

/// The token for USDC, with the least that is accepted for it.
#[must_use]
pub fn sell(market: &MarketReading, amount: u128) -> Order {
    let fair = market.token_price().worth(amount);
    let least = keep(u128::from(fair.micros()), market.fee_ppm);
    Order::Sell { pool: market.pool, amount, least: Usdc::from_micros(u64::try_from(least).unwrap_or(u64::MAX)) }
}

/// What is left of an amount after the pool's fee and the slippage that is borne, rounded down.
fn keep(amount: u128, fee_ppm: u32) -> u128 {
    portion(amount, Ppm::ONE.saturating_sub(Ppm::saturating(u64::from(fee_ppm))).saturating_sub(SLIPPAGE))
}

/// A share of an amount in smallest units, rounded down. Of a token with few decimals there are few units, so none is lost
/// before the share is taken.
#[must_use]
pub(crate) fn portion(amount: u128, share: Ppm) -> u128 {
    let share = u128::from(share.get());
    amount / 1_000_000 * share + amount % 1_000_000 * share / 1_000_000
}

/// P-057. What one whole token costs, and how many of its smallest units that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenPrice {
    pub whole: Usdc,
    pub decimals: Decimals,
}

impl TokenPrice {
    /// What an amount of the token is worth, rounded down.
    #[must_use]
    pub fn worth(self, token: u128) -> Usdc {
        let micros = ratio(token, u128::from(self.whole.micros()), self.decimals.unit());
        Usdc::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// How much of the token an amount of USDC buys, rounded down.
    #[must_use]
    pub fn buys(self, usdc: Usdc) -> u128 {
        ratio(u128::from(usdc.micros()), self.decimals.unit(), u128::from(self.whole.micros()))
    }
}

/// `amount` times `by` over `of`, rounded down and held at the largest amount; what is nothing divides as one.
pub(crate) fn ratio(amount: u128, by: u128, of: u128) -> u128 {
    let of = of.max(1);
    match amount.checked_mul(by) {
        Some(product) => product / of,
        None => (U256::from(amount) * U256::from(by) / U256::from(of)).saturating_to(),
    }
}

#[cfg(test)]
#[path = "tests/trade.rs"]
mod tests;
