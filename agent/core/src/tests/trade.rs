use golem_primitives::{Denomination, PoolName};
use proptest::prelude::*;

use super::*;
use crate::record::PoolAccess;

fn market(price: u64, decimals: u8) -> MarketReading {
    let decimals = Decimals::new(decimals).expect("few");
    MarketReading {
        pool: PoolName::HOME,
        token: 0,
        access: PoolAccess::Open,
        denomination: Denomination { decimals, ..Denomination::default() },
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

/// P-057: what a whole token is worth is its price, whatever its decimals; and a share of few units is a share, not nothing.
#[test]
fn p_057_a_whole_token_is_worth_its_price_whatever_its_decimals() {
    for decimals in 0..=Decimals::MOST.get() {
        let price = market(200_000_000, decimals).token_price();
        let unit = price.decimals.unit();
        assert_eq!([price.worth(unit), price.worth(3 * unit)], [200, 600].map(Usdc::whole), "{decimals} decimals");
        assert_eq!(price.buys(Usdc::whole(1_000)), 5 * unit, "{decimals} decimals");
    }
    assert_eq!(portion(999_999, Ppm::of(500_000)), 499_999);
    assert_eq!(market(u64::MAX, 24).token_price().worth(u128::MAX), Usdc::MAX, "held at the largest amount");
    assert_eq!(market(1, 24).token_price().buys(Usdc::MAX), u128::MAX, "in both directions");
}

/// P-020, P-057: the same pool told in another unit loses the same to its curve: a hundredfold fewer units of the token are a
/// tenth of the liquidity.
#[test]
fn p_020_the_impact_of_a_pool_does_not_follow_its_tokens_unit() {
    let deep = |decimals, liquidity| MarketReading { liquidity, ..market(200_000_000, decimals) };
    let ppm = deep(18, 2_000_000_000_000_000).impact_ppm(Usdc::whole(1_000));
    assert!((30_000..40_000).contains(&ppm), "{ppm}");
    assert_eq!(deep(8, 20_000_000_000).impact_ppm(Usdc::whole(1_000)), ppm);
}

proptest! {
    /// Money never comes out of conversion: there and back is at most what it was, and never off by more than a unit is worth.
    #[test]
    fn conversion_rounds_down_and_loses_only_dust(
        price in 1_000_000u64..100_000_000_000, micros in 0u64..1_000_000_000_000, decimals in 0u8..=24,
    ) {
        let (price, usdc) = (market(price, decimals).token_price(), Usdc::from_micros(micros));
        let back = price.worth(price.buys(usdc));
        prop_assert!(back <= usdc);
        let unit = u128::from(price.whole.micros()).div_ceil(price.decimals.unit());
        prop_assert!(u128::from(usdc.micros() - back.micros()) <= 1 + unit);
    }

    /// V-011: the least that is accepted is below what is fair by fee and slippage, and not by more.
    #[test]
    fn the_least_accepted_is_within_fee_and_slippage(
        price in 1_000_000u64..100_000_000_000, micros in 1_000_000u64..1_000_000_000, decimals in 6u8..=24,
    ) {
        let market = market(price, decimals);
        let spend = Usdc::from_micros(micros);
        let Order::Buy { least, .. } = buy(&market, spend) else { unreachable!("a buy") };
        let fair = market.token_price().buys(spend);
        prop_assert!(least <= fair / 1_000_000 * 994_500 + 994_500);
        prop_assert!(least >= fair / 1_000_000 * 994_000);
        let Order::Sell { least, amount, .. } = sell(&market, fair) else { unreachable!("a sale") };
        prop_assert_eq!(amount, fair);
        prop_assert!(least < market.token_price().worth(fair) || least.is_zero());
    }
}
