//! A vault and a market at rest, for lives without a chain.

use arrayvec::ArrayVec;
use golem_core::record::{ChainLife, MarketReading, Partitions, Phase, PoolAccess, VaultReading};
use golem_primitives::{Denomination, PoolName, Tick, U256, Usdc, UtcTime};

/// A vault with fifty USDC to live on and a thousand to trade with, which reported at `born`.
pub(crate) fn vault(born: UtcTime) -> VaultReading {
    VaultReading {
        life: ChainLife::Alive,
        credits: Partitions::observed([29, 12, 8, 0].map(Usdc::whole)),
        reserve: Usdc::whole(1),
        idle: Usdc::whole(1_000),
        held: 0,
        held_cost: Usdc::ZERO,
        others: ArrayVec::new(),
        harvestable: Usdc::ZERO,
        capital: Usdc::whole(1_000),
        unallocated: Usdc::ZERO,
        positions: ArrayVec::new(),
        key_wei: 10_000_000_000_000_000,
        reported_phase: Phase::Thriving,
        reported_tick: Tick::ZERO,
        beat_at: born,
        spendable_today: [Usdc::whole(5); 4],
        barred: None,
    }
}

/// A pool of the finest spacing at that price.
pub(crate) fn market(price: Usdc) -> MarketReading {
    MarketReading {
        price,
        pool: PoolName::HOME,
        token: 0,
        access: PoolAccess::Open,
        denomination: Denomination::default(),
        twap: Some(price),
        pool_tick: 196_300,
        tick_spacing: 10,
        token_is_first: false,
        liquidity: 1 << 60,
        fee_ppm: 500,
        base_fee_wei: 10_000_000,
        ether: Usdc::whole(3_000),
        fee_growth: [U256::ZERO; 2],
    }
}
