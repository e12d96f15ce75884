//! Strategies: what to want of the market, from what was seen of it. Each is a plug-in of one trait.
//!
//! A strategy is a pure function of the scene. It proposes; the phase, the budget, the preview and the vault each may
//! refuse. What it believes of the future it says in numbers, and those numbers are judged.

mod mean_reversion;
mod momentum;
mod range;

use golem_primitives::{Ppm, Usdc};
use serde::{Deserialize, Serialize};

use crate::record::{Claim, MarketReading, Order, PositionReading};
use crate::window::{Shape, Window};

pub use mean_reversion::MeanReversion;
pub use momentum::Momentum;
pub use range::RangeLiquidity;

/// One unit of a token with eighteen decimals.
pub const TOKEN_UNIT: u128 = 1_000_000_000_000_000_000;
/// What a trade may lose to movement between sight and block before it must revert: half a percent, half of what the
/// vault itself bears (V-011).
const SLIPPAGE: Ppm = Ppm::of(5_000);

/// What is held, whether on chain or on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holdings<'a> {
    /// USDC not at work.
    pub idle: Usdc,
    /// The token, in its smallest unit.
    pub held: u128,
    /// What it cost.
    pub held_cost: Usdc,
    /// Open positions.
    pub positions: &'a [PositionReading],
}

/// Everything a strategy sees.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The market now.
    pub market: &'a MarketReading,
    /// Its past.
    pub window: &'a Window,
    /// What the past says.
    pub shape: Shape,
    /// What is held.
    pub holdings: Holdings<'a>,
    /// What one trade may move, the phase's caution in it.
    pub stake: Usdc,
    /// What the threshold of an entry is multiplied with; one for who is in no mood. No belief is touched by it.
    pub entry: f64,
}

/// What a strategy wants now, and what it believes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intent {
    /// The trade, if any.
    pub order: Option<Order>,
    /// What it believes of the price, when it is sure enough to be judged by it.
    pub outlook: Option<Outlook>,
}

/// A belief about the price: it will make one return before it makes another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// The return expected, in millionths; never nothing.
    pub return_ppm: i64,
    /// The return at which the belief was wrong.
    pub stop_ppm: i64,
}

/// Ticks after which a belief about the price is judged, wherever it stands.
pub const HORIZON_TICKS: u64 = 200;
/// How much further than its promise a price may go against a belief before the belief was wrong.
const STOP_FACTOR: i64 = 2;
/// The least return worth believing in: what a round trip costs.
const LEAST_OUTLOOK_PPM: i64 = 1_500;

/// A way to trade.
pub trait Strategy {
    /// What to do and what to expect, given everything that is seen.
    fn consider(&self, scene: &Scene<'_>) -> Intent;
}

/// The strategies there are, by the name an owner writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// Buys what fell too far, sells what came back.
    MeanReversion,
    /// Buys what rises, sells what turns.
    Momentum,
    /// Provides liquidity around the price and follows it.
    RangeLiquidity,
}

impl StrategyName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::MeanReversion, Self::Momentum, Self::RangeLiquidity];

    /// As an owner writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MeanReversion => "mean-reversion",
            Self::Momentum => "momentum",
            Self::RangeLiquidity => "range-liquidity",
        }
    }

    /// Whether money follows such a belief of this strategy. Nobody here can sell what he does not hold, so no money
    /// follows a belief in a fall; and who provides liquidity lives by fees, whatever he believes of the price.
    #[must_use]
    pub const fn acts_on(self, claim: &Claim) -> bool {
        match (self, claim) {
            (Self::MeanReversion | Self::Momentum, Claim::PriceMove { return_ppm, .. }) => *return_ppm > 0,
            (Self::RangeLiquidity, Claim::Fees { .. }) => true,
            _ => false,
        }
    }

    /// The fall, in millionths of what was paid, at which it admits a loss; `None` for one that has no such fall.
    #[must_use]
    pub const fn stop_ppm(self) -> Option<u64> {
        match self {
            Self::MeanReversion => Some(mean_reversion::STOP_PPM.unsigned_abs()),
            Self::Momentum | Self::RangeLiquidity => None,
        }
    }

    /// The plug-in of that name.
    #[must_use]
    pub fn plug_in(self) -> &'static dyn Strategy {
        match self {
            Self::MeanReversion => &MeanReversion,
            Self::Momentum => &Momentum,
            Self::RangeLiquidity => &RangeLiquidity,
        }
    }
}

/// No strategy of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy {0:?}; choose mean-reversion, momentum or range-liquidity")]
pub struct UnknownStrategy(pub String);

impl std::str::FromStr for StrategyName {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|name| name.as_str() == text).ok_or_else(|| UnknownStrategy(text.to_owned()))
    }
}

impl std::fmt::Display for StrategyName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// USDC for the token, with the least that is accepted for it.
#[must_use]
pub fn buy(market: &MarketReading, spend: Usdc) -> Order {
    let fair = token_for(market.price, spend);
    Order::Buy { spend, least: keep(fair, market.fee_ppm) }
}

/// The token for USDC, with the least that is accepted for it.
#[must_use]
pub fn sell(market: &MarketReading, amount: u128) -> Order {
    let fair = usdc_for(market.price, amount);
    let least = keep(u128::from(fair.micros()), market.fee_ppm);
    Order::Sell { amount, least: Usdc::from_micros(u64::try_from(least).unwrap_or(u64::MAX)) }
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

/// A belief in this return, clipped to what a horizon can bring; too small a return is no belief.
fn outlook(expected: f64) -> Option<Outlook> {
    let return_ppm = libm::round(expected.clamp(-0.2, 0.2) * 1_000_000.0) as i64;
    (return_ppm.abs() >= LEAST_OUTLOOK_PPM).then_some(Outlook { return_ppm, stop_ppm: -STOP_FACTOR * return_ppm })
}

#[cfg(test)]
#[path = "tests/strategy.rs"]
mod tests;
