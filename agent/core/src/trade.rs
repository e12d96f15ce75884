//! What a trade moves and what a holding is worth, in whole units.

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};

use crate::record::order::Order;
use crate::record::sight::{MarketReading, POSITIONS, PositionReading};

/// One unit of a token with eighteen decimals.
pub const TOKEN_UNIT: u128 = 1_000_000_000_000_000_000;
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
    /// What it cost.
    pub held_cost: Usdc,
    /// Positions open in it.
    pub positions: ArrayVec<PositionReading, POSITIONS>,
}

/// USDC for the token, with the least that is accepted for it.
#[must_use]
pub fn buy(market: &MarketReading, spend: Usdc) -> Order {
    let fair = token_for(market.price, spend);
    Order::Buy { pool: market.pool, spend, least: keep(fair, market.fee_ppm) }
}

/// The token for USDC, with the least that is accepted for it.
#[must_use]
pub fn sell(market: &MarketReading, amount: u128) -> Order {
    let fair = usdc_for(market.price, amount);
    let least = keep(u128::from(fair.micros()), market.fee_ppm);
    Order::Sell { pool: market.pool, amount, least: Usdc::from_micros(u64::try_from(least).unwrap_or(u64::MAX)) }
}

/// What is left of an amount after the pool's fee and the slippage that is borne, rounded down.
fn keep(amount: u128, fee_ppm: u32) -> u128 {
    let kept = 1_000_000u128.saturating_sub(u128::from(fee_ppm)).saturating_sub(u128::from(SLIPPAGE.get()));
    amount / 1_000_000 * kept + amount % 1_000_000 * kept / 1_000_000
}

/// What an amount of the token is worth at a price, rounded down.
#[must_use]
pub fn usdc_for(price: Usdc, token: u128) -> Usdc {
    let price = u128::from(price.micros());
    let whole = (token / TOKEN_UNIT).saturating_mul(price);
    let rest = token % TOKEN_UNIT / 1_000_000 * price / (TOKEN_UNIT / 1_000_000);
    Usdc::from_micros(u64::try_from(whole.saturating_add(rest)).unwrap_or(u64::MAX))
}

/// How much of the token an amount of USDC buys at a price, rounded down.
#[must_use]
pub fn token_for(price: Usdc, usdc: Usdc) -> u128 {
    let price = u128::from(price.micros().max(1));
    let micros = u128::from(usdc.micros());
    (micros / price).saturating_mul(TOKEN_UNIT).saturating_add(micros % price * TOKEN_UNIT / price)
}

#[cfg(test)]
#[path = "tests/trade.rs"]
mod tests;
