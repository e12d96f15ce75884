use std::time::Duration;

use golem_dreams::law::DreamLaw;
use golem_dreams::market::{Path, Point};
use golem_dreams::wake::{AlarmReading, MarketThreshold, WakeSource};
use golem_primitives::{Tick, UtcTime};

fn eth(prices: &[(u64, u64)]) -> Path {
    let point = |(seconds, price): &(u64, u64)| Point {
        tick: Tick::new(*seconds),
        at: UtcTime::from_seconds(*seconds),
        price: *price,
        regime: None,
    };
    Path { asset: "ETH".into(), points: prices.iter().map(point).collect() }
}

/// D-193, D-194, D-196: V45: a tenth within five minutes, either way, reaching it counts.
#[test]
fn d_194_the_market_wakes() {
    let threshold = DreamLaw::default().wake.thresholds[0].clone();
    assert_eq!(
        threshold,
        MarketThreshold { asset: "ETH".into(), percent: 10, within: Duration::from_secs(300) },
        "D-194"
    );
    let wakes = |prices: &[(u64, u64)]| threshold.wakes(&eth(prices));
    let wake = wakes(&[(0, 3_000), (300, 2_700)]).expect("V45");
    assert_eq!((wake.source, wake.at), (WakeSource::Market, UtcTime::from_seconds(300)), "D-193");
    assert!(wake.reason.contains("3000"), "D-193: {}", wake.reason);
    assert_eq!(wakes(&[(0, 3_000), (300, 2_701)]), None, "V45");
    assert!(wakes(&[(0, 3_000), (300, 3_300)]).is_some());
    assert_eq!(wakes(&[(0, 3_000), (301, 2_700)]), None, "five minutes and a second");
    assert!(wakes(&[(0, 2_700), (100, 3_000), (200, 2_700)]).is_some(), "from anywhere within");
    assert_eq!(wakes(&[]), None);
    let other = Path { asset: "BTC".into(), ..eth(&[(0, 3_000), (300, 1)]) };
    assert_eq!(threshold.wakes(&other), None);
}

/// D-067: at the edge of sleep a smaller move, half of the liquidity or a pause is enough.
#[test]
fn d_067_the_alarm_at_the_edge_of_sleep() {
    let price = |now| AlarmReading { price: Some((10_000, now)), ..AlarmReading::default() }.alarm();
    assert_eq!((price(10_500), price(9_500)), (None, None), "5% is not more than 5%");
    assert!(price(10_501).is_some() && price(9_499).is_some());
    let liquidity = |now| AlarmReading { liquidity: Some((10_000, now)), ..AlarmReading::default() }.alarm();
    assert!(liquidity(5_000).is_some() && liquidity(5_001).is_none());
    assert!(AlarmReading { is_paused: true, ..AlarmReading::default() }.alarm().is_some());
    assert_eq!(AlarmReading::default().alarm(), None);
}
