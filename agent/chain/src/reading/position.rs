//! A liquidity position: what it holds and what it has earned.

use alloy::primitives::U256;
use alloy::primitives::aliases::I24;
use golem_ports::Blindness;

use super::{PoolReading, PoolSlots};
use crate::batch::{Answers, Batch, Slot};
use crate::bindings::{IPositionManager, IUniswapV3Pool};
use crate::place::Place;
use crate::price::{FeeGrowth, amounts_of};

/// A position at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionState {
    pub(crate) id: u64,
    pub(crate) book: u64,
    pub(crate) lower: i32,
    pub(crate) upper: i32,
    pub(crate) liquidity: u128,
    /// Token and USDC, fees included.
    pub(crate) amounts: (u128, u128),
    /// Token and USDC.
    pub(crate) fees: (u128, u128),
}

/// What is read of the pool that positions lie in.
#[derive(Clone, Copy)]
pub(super) struct Market<'a> {
    pub(super) said: &'a Answers,
    pub(super) pool: &'a PoolSlots,
    pub(super) now: &'a PoolReading,
}

/// Where the answers about one position stand.
pub(super) struct PositionSlots {
    id: u64,
    data: Slot<IPositionManager::positionsCall>,
    lower: Slot<IUniswapV3Pool::ticksCall>,
    upper: Slot<IUniswapV3Pool::ticksCall>,
}

impl PositionSlots {
    pub(super) fn add(batch: &mut Batch, place: &Place, id: u64, (lower, upper): (i32, i32)) -> Self {
        let tick = |tick: i32| IUniswapV3Pool::ticksCall { tick: I24::try_from(tick).unwrap_or(I24::ZERO) };
        let call = IPositionManager::positionsCall { tokenId: U256::from(id) };
        Self {
            id,
            data: batch.add(place.deployment.position_manager, &call),
            lower: batch.add(place.pool.address, &tick(lower)),
            upper: batch.add(place.pool.address, &tick(upper)),
        }
    }

    /// `None` for a position that is no more.
    pub(super) fn read(
        &self,
        said: &Answers,
        market: Market<'_>,
        place: &Place,
    ) -> Result<Option<PositionState>, Blindness> {
        let Some(data) = said.maybe(self.data)? else { return Ok(None) };
        let (lower, upper) = (data.tickLower.as_i32(), data.tickUpper.as_i32());
        let mut position = PositionState {
            id: self.id,
            book: 0,
            lower,
            upper,
            liquidity: data.liquidity,
            amounts: (0, 0),
            fees: (0, 0),
        };
        let (usdc, token) = (place.deployment.usdc, place.pool.token);
        let ours = [(usdc, token), (token, usdc)].contains(&(data.token0, data.token1))
            && data.fee.to::<u32>() == place.pool.fee_ppm;
        if !ours {
            // Of another pool the owner listed: it is there, and nothing is said of its worth.
            return Ok(Some(position));
        }
        let (below, above) = (said.get(self.lower)?, said.get(self.upper)?);
        let fees = |global, below_lower, above_upper, at_last_touch, owed: u128| {
            let growth = FeeGrowth { global, below_lower, above_upper, at_last_touch };
            owed.saturating_add(growth.earned(data.liquidity, market.now.tick, lower, upper))
        };
        let fees0 = fees(
            market.said.get(market.pool.growth0)?,
            below.feeGrowthOutside0X128,
            above.feeGrowthOutside0X128,
            data.feeGrowthInside0LastX128,
            data.tokensOwed0,
        );
        let fees1 = fees(
            market.said.get(market.pool.growth1)?,
            below.feeGrowthOutside1X128,
            above.feeGrowthOutside1X128,
            data.feeGrowthInside1LastX128,
            data.tokensOwed1,
        );
        let (in0, in1) = amounts_of(data.liquidity, market.now.root, lower, upper);
        let quote = place.pool.quote;
        position.fees = quote.ordered(fees0, fees1);
        position.amounts = quote.ordered(in0.saturating_add(fees0), in1.saturating_add(fees1));
        Ok(Some(position))
    }
}
