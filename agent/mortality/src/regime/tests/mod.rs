use super::*;

fn reading() -> MarketReading {
    MarketReading { price: 100.0, volatility: 0.02, gas_price: 10.0, depth: 1e6, at: UtcTime::EPOCH, block: 7 }
}

fn trailing(history: &[f64]) -> Trailing<'_> {
    Trailing { volatilities: history, prices: &[], gas_price: Some(10.0), depth: Some(1e6) }
}

#[test]
fn m_085_every_reading_gets_a_tag_with_its_time_and_block() {
    // M-085.
    let at = UtcTime::from_seconds(1_794_700_800);
    let tag = classify(&MarketReading { at, ..reading() }, &trailing(&[])).expect("possible");
    assert_eq!((tag.at, tag.block), (at, 7));
    assert_eq!(tag.volatility, VolatilityQuintile::MIDDLE);
    assert_eq!(tag.trend, TrendDirection::Range);
    assert_eq!((tag.gas, tag.liquidity), (GasPriceLevel::Normal, LiquidityCondition::Normal));
    assert_eq!(VolatilityQuintile::new(0), None);
    assert_eq!(VolatilityQuintile::new(6), None);
}

#[test]
fn m_085_volatility_falls_in_the_fifth_of_its_history() {
    // M-085.
    let history: Vec<f64> = (1..=100).map(f64::from).collect();
    for (volatility, fifth) in [(0.0, 1), (20.0, 1), (21.0, 2), (50.0, 3), (61.0, 4), (80.5, 5), (1e9, 5)] {
        let tag = classify(&MarketReading { volatility, ..reading() }, &trailing(&history)).expect("possible");
        assert_eq!(tag.volatility.get(), fifth, "{volatility}");
    }
    // Where everything was equal, equal is the middle.
    let tag = classify(&MarketReading { volatility: 2.0, ..reading() }, &trailing(&[2.0; 9])).expect("possible");
    assert_eq!(tag.volatility, VolatilityQuintile::MIDDLE);
}

#[test]
fn m_085_gas_liquidity_and_trend_have_exact_edges() {
    // M-085.
    for (gas_price, level) in [
        (4.9, GasPriceLevel::Low),
        (5.0, GasPriceLevel::Normal),
        (19.9, GasPriceLevel::Normal),
        (20.0, GasPriceLevel::High),
        (50.0, GasPriceLevel::Spike),
    ] {
        let tag = classify(&MarketReading { gas_price, ..reading() }, &trailing(&[])).expect("possible");
        assert_eq!(tag.gas, level, "{gas_price}");
    }
    for (depth, level) in [
        (1.5e6, LiquidityCondition::Deep),
        (0.5e6, LiquidityCondition::Normal),
        (0.49e6, LiquidityCondition::Thin),
        (0.2e6, LiquidityCondition::Thin),
        (0.0, LiquidityCondition::Crisis),
    ] {
        let tag = classify(&MarketReading { depth, ..reading() }, &trailing(&[])).expect("possible");
        assert_eq!(tag.liquidity, level, "{depth}");
    }
    let prices: Vec<f64> = (0..40).map(|i| if i < 21 { 1e9 } else { 99.0 + f64::from(i % 2) }).collect();
    for (price, trend) in [(103.0, TrendDirection::Up), (97.0, TrendDirection::Down), (99.5, TrendDirection::Range)] {
        let trailing = Trailing { prices: &prices, ..trailing(&[]) };
        let tag = classify(&MarketReading { price, ..reading() }, &trailing).expect("possible");
        assert_eq!(tag.trend, trend, "{price}: only the newest 19 earlier prices count");
    }
}

#[test]
fn impossible_markets_are_refused_by_name() {
    let bad = [
        MarketReading { price: f64::NAN, ..reading() },
        MarketReading { price: 0.0, ..reading() },
        MarketReading { volatility: -0.1, ..reading() },
        MarketReading { gas_price: f64::INFINITY, ..reading() },
        MarketReading { depth: -1.0, ..reading() },
    ];
    for reading in bad {
        assert!(classify(&reading, &trailing(&[])).is_err(), "{reading:?}");
    }
    assert!(classify(&reading(), &trailing(&[f64::NAN])).is_err());
}

#[test]
fn m_086_only_volatility_and_trend_must_match() {
    // M-086.
    let tag = classify(&reading(), &trailing(&[])).expect("possible");
    let other = RegimeTag { gas: GasPriceLevel::Spike, liquidity: LiquidityCondition::Crisis, block: 8, ..tag };
    assert!(tag.matches(&other));
    assert!(!tag.matches(&RegimeTag { trend: TrendDirection::Down, ..tag }));
    assert!(!tag.matches(&RegimeTag { volatility: VolatilityQuintile(4), ..tag }));
}

#[test]
fn m_090_a_new_market_adds_no_pressure_until_its_twentieth_tick() {
    // M-090.
    let tag = classify(&reading(), &trailing(&[])).expect("possible");
    let mut history = RegimeHistory::default();
    for seen in 0..40 {
        let expected = if seen < 20 { Degradation::Logged } else { Degradation::Counts };
        assert_eq!(history.degradation(tag.stratum(), RegimeHistory::KNOWN_TICKS), expected, "{seen}");
        history.observe(&tag);
    }
    let elsewhere = Stratum { trend: TrendDirection::Up, ..tag.stratum() };
    assert_eq!(history.degradation(elsewhere, RegimeHistory::KNOWN_TICKS), Degradation::Logged);
}
