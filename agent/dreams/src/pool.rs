//! A recorded pool, and what a swap would have returned in it: the integer arithmetic of Uniswap V3.

use golem_primitives::{Ppm, U256};
use uniswap_v3_math::swap_math::compute_swap_step;
use uniswap_v3_math::tick_math::{MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, get_sqrt_ratio_at_tick};

use crate::market::SwapIn;

/// Liquidity that enters at a tick when the price rises through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TickLiquidity {
    pub tick: i32,
    /// What enters there; what leaves is negative.
    pub net: i128,
}

/// A pool as it was recorded at one block, with the ticks between the two ends of the record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PoolState {
    sqrt_price: U256,
    tick: i32,
    liquidity: u128,
    fee_pips: u32,
    ends: (i32, i32),
    ticks: Vec<TickLiquidity>,
}

/// Why a swap cannot be computed. Nothing is guessed instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The price is none that a pool can have.
    #[error("the recorded price is outside what a pool can hold; record slot0 again")]
    Price,
    /// The fee is a whole or more.
    #[error("a fee of {pips} millionths is none; record it again")]
    Fee {
        /// In millionths.
        pips: u32,
    },
    #[error("the recorded ticks do not enclose the price; record the range around it")]
    Range,
    /// Nothing to swap against.
    #[error("the recorded pool is empty")]
    Empty,
    /// Nothing to swap.
    #[error("an amount of nothing, or more than a swap can take, has no result")]
    Amount,
    #[error("the swap leaves the recorded range; record more ticks to compute it")]
    PastRecord,
    /// The arithmetic left its range.
    #[error("the swap leaves the range of the pool's arithmetic")]
    Arithmetic,
}

/// What a swap returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swapped {
    pub out: U256,
    pub fee: U256,
    /// The square root of the price behind it, times 2^96.
    pub sqrt_price: U256,
}

impl PoolState {
    /// A pool from what was read: slot0, liquidity, fee, the ends of the range that was read, and the initialised ticks in
    /// it.
    ///
    /// # Errors
    /// [`PoolError`] for numbers that no pool has.
    pub fn new(
        sqrt_price: U256,
        tick: i32,
        liquidity: u128,
        fee_pips: u32,
        ends: (i32, i32),
        mut ticks: Vec<TickLiquidity>,
    ) -> Result<Self, PoolError> {
        if sqrt_price <= MIN_SQRT_RATIO || sqrt_price >= MAX_SQRT_RATIO {
            return Err(PoolError::Price);
        }
        if fee_pips >= 1_000_000 {
            return Err(PoolError::Fee { pips: fee_pips });
        }
        let is_enclosed = MIN_TICK <= ends.0 && ends.1 <= MAX_TICK && ends.0 <= tick && tick < ends.1;
        let at = |tick: i32| get_sqrt_ratio_at_tick(tick).map_err(|_| PoolError::Range);
        if !is_enclosed || sqrt_price < at(tick)? || sqrt_price >= at(tick + 1)? {
            return Err(PoolError::Range);
        }
        if ticks.iter().any(|one| one.tick < ends.0 || one.tick > ends.1) {
            return Err(PoolError::Range);
        }
        ticks.sort_by_key(|one| one.tick);
        Ok(Self { sqrt_price, tick, liquidity, fee_pips, ends, ticks })
    }

    /// The liquidity at the price.
    #[must_use]
    pub const fn liquidity(&self) -> u128 {
        self.liquidity
    }

    /// The same pool with a share of its liquidity left, at every tick.
    #[must_use]
    pub fn thinned(&self, left: Ppm) -> Self {
        let keep = |amount: u128| {
            amount / 1_000_000 * u128::from(left.get()) + amount % 1_000_000 * u128::from(left.get()) / 1_000_000
        };
        let net = |net: i128| {
            let kept = i128::try_from(keep(net.unsigned_abs())).unwrap_or(i128::MAX);
            if net < 0 { -kept } else { kept }
        };
        let ticks = self.ticks.iter().map(|one| TickLiquidity { net: net(one.net), ..*one }).collect();
        Self { liquidity: keep(self.liquidity), ticks, ..self.clone() }
    }

    /// The next price in the direction at which something changes, and the liquidity that changes there; the end of the
    /// record changes nothing and is the last.
    fn next(&self, tick: i32, zero_for_one: bool) -> (i32, Option<i128>) {
        let found = if zero_for_one {
            self.ticks.iter().rev().find(|one| one.tick <= tick)
        } else {
            self.ticks.iter().find(|one| one.tick > tick)
        };
        let end = if zero_for_one { self.ends.0 } else { self.ends.1 };
        found.map_or((end, None), |one| (one.tick, Some(one.net)))
    }

    /// What the swap returns, exactly as the contract computes it.
    ///
    /// # Errors
    /// [`PoolError`] when the record does not say enough, never a guess.
    pub fn swap(&self, swap: SwapIn) -> Result<Swapped, PoolError> {
        if self.liquidity == 0 {
            return Err(PoolError::Empty);
        }
        // Half of the range of the type, so that an amount is never read as negative.
        if swap.amount.is_zero() || swap.amount.bit(255) {
            return Err(PoolError::Amount);
        }
        let (mut left, mut out, mut fee) = (swap.amount, U256::ZERO, U256::ZERO);
        let (mut price, mut tick, mut liquidity) = (self.sqrt_price, self.tick, self.liquidity);
        while !left.is_zero() {
            let (next, net) = self.next(tick, swap.zero_for_one);
            let target = get_sqrt_ratio_at_tick(next).map_err(|_| PoolError::Range)?;
            if liquidity == 0 {
                return Err(PoolError::PastRecord);
            }
            let (to, taken, given, paid) = step(price, target, liquidity, left, self.fee_pips)?;
            left = left.saturating_sub(taken).saturating_sub(paid);
            (out, fee, price) = (out.saturating_add(given), fee.saturating_add(paid), to);
            if to != target || left.is_zero() {
                break;
            }
            let Some(net) = net else { return Err(PoolError::PastRecord) };
            let net = if swap.zero_for_one { -net } else { net };
            liquidity = liquidity.checked_add_signed(net).ok_or(PoolError::Arithmetic)?;
            tick = if swap.zero_for_one { next - 1 } else { next };
        }
        Ok(Swapped { out, fee, sqrt_price: price })
    }
}

/// One step of a swap within one range.
fn step(
    price: U256,
    target: U256,
    liquidity: u128,
    left: U256,
    fee_pips: u32,
) -> Result<(U256, U256, U256, U256), PoolError> {
    let left = left.try_into().map_err(|_| PoolError::Amount)?;
    compute_swap_step(price, target, liquidity, left, fee_pips).map_err(|_| PoolError::Arithmetic)
}
