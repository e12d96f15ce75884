use golem_primitives::PoolName;
use proptest::prelude::*;

use super::*;
use crate::record::PoolAccess;

fn market(price: u64) -> MarketReading {
    MarketReading {
        pool: PoolName::HOME,
        token: 0,
        access: PoolAccess::Open,
        price: Usdc::from_micros(price),
        twap: Some(Usdc::from_micros(price)),
        pool_tick: 196_300,
        tick_spacing: 10,
        token_is_first: false,
        liquidity: 1,
        fee_ppm: 500,
        base_fee_wei: 1,
        ether: Usdc::from_micros(price),
        fee_growth: Default::default(),
    }
}

proptest! {
    /// Money never comes out of conversion: there and back is at most what it was, and never off by more than dust.
    #[test]
    fn conversion_rounds_down_and_loses_only_dust(price in 1_000_000u64..100_000_000_000, micros in 0u64..1_000_000_000_000) {
        let (price, usdc) = (Usdc::from_micros(price), Usdc::from_micros(micros));
        let back = usdc_for(price, token_for(price, usdc));
        prop_assert!(back <= usdc);
        prop_assert!(usdc.micros() - back.micros() <= 1 + price.micros() / 1_000_000_000_000);
    }

    /// V-011: the least that is accepted is below what is fair by fee and slippage, and not by more.
    #[test]
    fn the_least_accepted_is_within_fee_and_slippage(price in 1_000_000u64..100_000_000_000, micros in 1_000_000u64..1_000_000_000) {
        let market = market(price);
        let spend = Usdc::from_micros(micros);
        let Order::Buy { least, .. } = buy(&market, spend) else { unreachable!("a buy") };
        let fair = token_for(market.price, spend);
        prop_assert!(least <= fair / 1_000_000 * 994_500 + 994_500);
        prop_assert!(least >= fair / 1_000_000 * 994_000);
        let Order::Sell { least, amount, .. } = sell(&market, fair) else { unreachable!("a sale") };
        prop_assert_eq!(amount, fair);
        prop_assert!(least < usdc_for(market.price, fair) || least.is_zero());
    }
}
