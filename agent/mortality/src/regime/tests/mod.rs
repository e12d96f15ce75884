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
    let mut scheduler = Scheduler::default();
    assert!(scheduler.observe(-1.0, 0.0, 0.0).is_err());
    assert_eq!(scheduler, Scheduler::default(), "a refused price is not remembered");
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

#[test]
fn m_091_the_pace_follows_the_market() {
    // M-091.
    let warmed = |last: &[f64]| {
        let mut scheduler = Scheduler::default();
        let mut class = SchedulingClass::Ordinary;
        for price in (0..40).map(|i| 100.0 + f64::from(i % 2) * 2.0).chain(last.iter().copied()) {
            class = scheduler.observe(price, 0.01, 0.01).expect("possible");
        }
        (class, scheduler)
    };
    assert_eq!(warmed(&[110.0]).0, SchedulingClass::TrendingUp);
    assert_eq!(warmed(&[90.0]).0, SchedulingClass::TrendingDown);
    assert_eq!(warmed(&[101.0; 6]).0, SchedulingClass::Ordinary, "six quiet ticks are not more than six");
    assert_eq!(warmed(&[101.0; 7]).0, SchedulingClass::Range);
    let (_, mut scheduler) = warmed(&[110.0]);
    assert_eq!(scheduler.observe(90.0, 0.03, 0.01), Ok(SchedulingClass::Volatile), "danger first");
    assert_eq!(Scheduler::default().observe(1.0, 0.02, 0.01), Ok(SchedulingClass::Ordinary), "exactly twice is not");

    for (class, millis) in [
        (SchedulingClass::Ordinary, 40_000),
        (SchedulingClass::TrendingUp, 40_000),
        (SchedulingClass::TrendingDown, 20_000),
        (SchedulingClass::Volatile, 20_000),
        (SchedulingClass::Range, 80_000),
    ] {
        assert_eq!(class.interval_millis(40_000), millis, "{class:?}");
    }
}

#[test]
fn m_092_wild_or_thin_markets_double_the_rehearsal_of_threats() {
    // M-092.
    let tag = classify(&reading(), &trailing(&[])).expect("possible");
    assert_eq!(tag.threat_rehearsal(), 1);
    assert_eq!(RegimeTag { volatility: VolatilityQuintile(4), ..tag }.threat_rehearsal(), 2);
    assert_eq!(RegimeTag { volatility: VolatilityQuintile(5), ..tag }.threat_rehearsal(), 2);
    assert_eq!(RegimeTag { liquidity: LiquidityCondition::Thin, ..tag }.threat_rehearsal(), 2);
}
