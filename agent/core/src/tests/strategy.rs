use proptest::prelude::*;

use super::*;

fn market(price: u64) -> MarketReading {
    MarketReading {
        price: Usdc::from_micros(price),
        twap: Some(Usdc::from_micros(price)),
        pool_tick: 196_300,
        tick_spacing: 10,
        token_is_first: false,
        liquidity: 1,
        fee_ppm: 500,
        base_fee_wei: 1,
        fee_growth: Default::default(),
    }
}

fn consider(name: StrategyName, prices: &[u64], holdings: Holdings<'_>) -> Intent {
    let mut window = Window::default();
    prices.iter().for_each(|price| window.push(Usdc::from_micros(*price)));
    let market = market(prices[prices.len() - 1]);
    let shape = window.shape().expect("enough prices");
    let scene = Scene { market: &market, window: &window, shape, holdings, stake: Usdc::whole(50), entry: 1.0 };
    name.plug_in().consider(&scene)
}

const IDLE: Holdings<'_> = Holdings { idle: Usdc::whole(1_000), held: 0, held_cost: Usdc::ZERO, positions: &[] };

fn swing(last: u64) -> Vec<u64> {
    let mut prices: Vec<u64> = (0..40).map(|at| if at % 2 == 0 { 2_990_000_000 } else { 3_010_000_000 }).collect();
    prices.push(last);
    prices
}

/// mean reversion buys what fell, expects it back, sells what came back and stops a loss.
#[test]
fn r_013_mean_reversion_buys_low_and_sells_at_the_mean() {
    let name = StrategyName::MeanReversion;
    let low = consider(name, &swing(2_940_000_000), IDLE);
    assert!(matches!(low.order, Some(Order::Buy { spend, least }) if spend == Usdc::whole(50) && least > 0), "{low:?}");
    assert!(low.outlook.is_some_and(|outlook| outlook.return_ppm > 5_000), "it expects the way back: {low:?}");
    let high = consider(name, &swing(3_060_000_000), IDLE);
    assert!(
        high.order.is_none() && high.outlook.is_some_and(|outlook| outlook.return_ppm < 0 && outlook.stop_ppm > 0),
        "nothing is sold short: {high:?}"
    );
    let token = token_for(Usdc::whole(2_940), Usdc::whole(50));
    let holds = Holdings { held: token, held_cost: Usdc::whole(50), ..IDLE };
    assert!(
        matches!(consider(name, &swing(3_010_000_000), holds).order, Some(Order::Sell { amount, .. }) if amount == token)
    );
    assert_eq!(consider(name, &swing(2_920_000_000), holds).order, None, "it waits");
    let dear = Holdings { held_cost: Usdc::whole(53), ..holds };
    assert!(matches!(consider(name, &swing(2_930_000_000), dear).order, Some(Order::Sell { .. })), "5% down it stops");
}

/// momentum buys a rise, expects more of it, and sells when it turns.
#[test]
fn r_013_momentum_follows_the_lean() {
    let name = StrategyName::Momentum;
    let rise: Vec<u64> = (0..40).map(|at| 3_000_000_000 + at * 6_000_000).collect();
    let up = consider(name, &rise, IDLE);
    assert!(
        matches!(up.order, Some(Order::Buy { .. })) && up.outlook.is_some_and(|outlook| outlook.return_ppm > 10_000),
        "{up:?}"
    );
    let fall: Vec<u64> = rise.iter().rev().copied().collect();
    assert_eq!(consider(name, &fall, IDLE).order, None);
    let holds = Holdings { held: TOKEN_UNIT, held_cost: Usdc::whole(3_000), ..IDLE };
    assert!(matches!(consider(name, &fall, holds).order, Some(Order::Sell { amount: TOKEN_UNIT, .. })));
    assert_eq!(consider(name, &rise, holds).order, None, "what rises is kept");
}

/// a range provider buys its half, provides around the price on the pool's own grid, and follows the price out.
#[test]
fn r_013_range_liquidity_opens_around_the_price_and_follows_it() {
    let name = StrategyName::RangeLiquidity;
    let prices = swing(3_000_000_000);
    assert!(matches!(consider(name, &prices, IDLE).order, Some(Order::Buy { spend, .. }) if spend == Usdc::whole(25)));
    let half = token_for(Usdc::whole(3_000), Usdc::whole(25));
    let ready = Holdings { held: half, held_cost: Usdc::whole(25), ..IDLE };
    let Some(Order::Provide { lower, upper, usdc, token }) = consider(name, &prices, ready).order else { panic!("no") };
    assert_eq!((lower, upper), (195_900, 196_700));
    assert!(usdc <= Usdc::whole(25) && token <= half && usdc > Usdc::whole(24));
    let position = |lower, upper| {
        [PositionReading {
            id: 7,
            lower,
            upper,
            liquidity: 9,
            token: 0,
            usdc: Usdc::ZERO,
            fees: Usdc::ZERO,
            book: Usdc::ZERO,
        }]
    };
    let inside = position(196_000, 196_400);
    assert_eq!(consider(name, &prices, Holdings { positions: &inside, ..IDLE }).order, None);
    let left = position(190_000, 196_300);
    let order = consider(name, &prices, Holdings { positions: &left, ..IDLE }).order;
    assert_eq!(order, Some(Order::Withdraw { position: 7, liquidity: 9 }), "the upper end is outside");
}

/// An owner writes a name; a wrong one is told the right ones.
#[test]
fn names_are_read_as_they_are_written() {
    for name in StrategyName::ALL {
        assert_eq!(name.to_string().parse(), Ok(name));
    }
    let refused = "martingale".parse::<StrategyName>().expect_err("none of ours");
    assert!(refused.to_string().contains("mean-reversion"), "{refused}");
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
        let Order::Sell { least, amount } = sell(&market, fair) else { unreachable!("a sale") };
        prop_assert_eq!(amount, fair);
        prop_assert!(least < usdc_for(market.price, fair) || least.is_zero());
    }
}
