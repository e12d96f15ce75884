//! A liquidity position: what it holds and what it has earned.

use alloy::primitives::U256;
use alloy::primitives::aliases::I24;
use golem_ports::Blindness;
use golem_primitives::PoolName;

use super::PoolReading;
use crate::batch::{Answers, Batch, Slot};
use crate::bindings::{IPositionManager, IUniswapV3Pool};
use crate::place::{Place, Pool};
use crate::price::{FeeGrowth, amounts_of};

/// A position at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionState {
    pub(crate) id: u64,
    pub(crate) pool: PoolName,
    pub(crate) book: u64,
    pub(crate) lower: i32,
    pub(crate) upper: i32,
    pub(crate) liquidity: u128,
    /// Token and USDC, fees included.
    pub(crate) amounts: (u128, u128),
    pub(crate) fees: (u128, u128),
}

/// Where a position lies: its ticks, and its pool among those of the place. It never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lies {
    lower: i32,
    upper: i32,
    pool: usize,
}

impl Lies {
    /// Of one in a pool that is not listed the home pool's place; [`PositionSlots::read`] sees that it is not of it.
    pub(super) fn of(data: &IPositionManager::PositionData, place: &Place) -> Self {
        let pool = place.pools().position(|pool| is_of(data, pool, place)).unwrap_or(0);
        Self { lower: data.tickLower.as_i32(), upper: data.tickUpper.as_i32(), pool }
    }
}

/// Whether a position lies in a pool.
fn is_of(data: &IPositionManager::PositionData, pool: &Pool, place: &Place) -> bool {
    let (usdc, token) = (place.deployment.usdc, pool.token);
    [(usdc, token), (token, usdc)].contains(&(data.token0, data.token1)) && data.fee.to::<u32>() == pool.fee_ppm
}

/// Where the answers about one position stand.
pub(super) struct PositionSlots {
    id: u64,
    lies: Lies,
    data: Slot<IPositionManager::positionsCall>,
    lower: Slot<IUniswapV3Pool::ticksCall>,
    upper: Slot<IUniswapV3Pool::ticksCall>,
}

impl PositionSlots {
    pub(super) fn add(batch: &mut Batch, place: &Place, id: u64, lies: Lies) -> Self {
        let Lies { lower, upper, pool } = lies;
        let address = place.pools().nth(pool).unwrap_or(&place.pool).address;
        let tick = |tick: i32| IUniswapV3Pool::ticksCall { tick: I24::try_from(tick).unwrap_or(I24::ZERO) };
        let call = IPositionManager::positionsCall { tokenId: U256::from(id) };
        Self {
            id,
            lies,
            data: batch.add(place.deployment.position_manager, &call),
            lower: batch.add(address, &tick(lower)),
            upper: batch.add(address, &tick(upper)),
        }
    }

    /// By what is read of the pools of the place, in its order. `None` for a position that is no more.
    pub(super) fn read(
        &self,
        said: &Answers,
        pools: &[PoolReading],
        place: &Place,
    ) -> Result<Option<PositionState>, Blindness> {
        let Some(data) = said.maybe(self.data)? else { return Ok(None) };
        let (lower, upper) = (data.tickLower.as_i32(), data.tickUpper.as_i32());
        let pool = place.pools().nth(self.lies.pool).unwrap_or(&place.pool);
        let Some(now) = pools.get(self.lies.pool) else { return Ok(None) };
        let mut position = PositionState {
            id: self.id,
            pool: pool.name,
            book: 0,
            lower,
            upper,
            liquidity: data.liquidity,
            amounts: (0, 0),
            fees: (0, 0),
        };
        if !is_of(&data, pool, place) {
            // Of a pool that is not listed here: it is there, and nothing is said of its worth.
            return Ok(Some(position));
        }
        let (below, above) = (said.get(self.lower)?, said.get(self.upper)?);
        let fees = |global, below_lower, above_upper, at_last_touch, owed: u128| {
            let growth = FeeGrowth { global, below_lower, above_upper, at_last_touch };
            owed.saturating_add(growth.earned(data.liquidity, now.tick, lower, upper))
        };
        let fees0 = fees(
            now.fee_growth[0],
            below.feeGrowthOutside0X128,
            above.feeGrowthOutside0X128,
            data.feeGrowthInside0LastX128,
            data.tokensOwed0,
        );
        let fees1 = fees(
            now.fee_growth[1],
            below.feeGrowthOutside1X128,
            above.feeGrowthOutside1X128,
            data.feeGrowthInside1LastX128,
            data.tokensOwed1,
        );
        let (in0, in1) = amounts_of(data.liquidity, now.root, lower, upper);
        let quote = pool.quote;
        position.fees = quote.ordered(fees0, fees1);
        position.amounts = quote.ordered(in0.saturating_add(fees0), in1.saturating_add(fees1));
        Ok(Some(position))
    }
}
