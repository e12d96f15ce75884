use super::*;

fn window(prices: impl IntoIterator<Item = u64>) -> PriceWindow {
    let mut window = PriceWindow::default();
    prices.into_iter().for_each(|price| window.push(Usdc::from_micros(price)));
    window
}

/// too little is known to say anything; what is forgotten is the oldest.
#[test]
fn r_012_few_prices_say_nothing_and_old_ones_are_forgotten() {
    assert_eq!(window(1..16).shape(), None);
    assert!(window(1..=16).shape().is_some());
    let full = window(1..=100);
    assert_eq!((full.len(), full.newest()), (WINDOW, Some(Usdc::from_micros(100))));
    assert_eq!(full.mean_of(2), Some(99.5));
    assert_eq!(full.mean_of(65), None);
}

/// A market that swings around its mean is pulled back; one that runs away is not; a still one says nothing at all.
#[test]
fn the_shape_knows_a_swing_from_a_trend() {
    let swing = window((0..64).map(|at| if at % 2 == 0 { 2_990_000_000 } else { 3_010_000_000 })).shape().expect("64");
    assert!(swing.pull > 0.9 && (swing.z - 1.0).abs() < 0.01, "{swing:?}");
    let trend = window((0..64).map(|at| 3_000_000_000 + at * 3_000_000)).shape().expect("64");
    assert!(trend.pull.abs() < 0.05 && trend.drift > 0.000_9 && trend.z > 1.6, "{trend:?}");
    let still = window([3_000_000_000; 64]).shape().expect("64");
    assert_eq!((still.z, still.pull, still.volatility), (0.0, 0.0, 0.0));
}

/// M-058: the edges of the levels.
#[test]
fn m_058_levels_have_exact_edges() {
    assert_eq!(
        [0.000_499, 0.000_5, 0.002_499, 0.002_5].map(volatility_level),
        [Level::Low, Level::Middle, Level::Middle, Level::High]
    );
    assert_eq!(
        [49, 50, 199, 200].map(|fee| gas_level(fee, 100)),
        [Level::Low, Level::Middle, Level::Middle, Level::High]
    );
    assert_eq!(
        [-2_000, -1_999, 1_999, 2_000].map(return_level),
        [Level::Low, Level::Middle, Level::Middle, Level::High]
    );
    assert_eq!(window([100, 100, 100]).volatility_level(2), Some(Level::Low));
    assert_eq!(window([100, 100]).volatility_level(2), None);
}

/// Returns are integers, and no price makes them overflow.
#[test]
fn returns_are_whole_and_bounded() {
    let usdc = Usdc::from_micros;
    assert_eq!(return_ppm(usdc(100), usdc(101)), 10_000);
    assert_eq!(return_ppm(usdc(100), usdc(0)), -1_000_000);
    assert_eq!(return_ppm(usdc(0), usdc(u64::MAX)), 1_000_000_000);
    assert_eq!(return_ppm(usdc(u64::MAX), usdc(u64::MAX)), 0);
}

/// M-058: yields by the way of the price, whole ticks against as many before.
#[test]
fn m_058_yields_rise_and_fall_with_the_way_of_the_price() {
    let level = |prices: &[u64]| window(prices.iter().copied()).yield_level(2);
    assert_eq!(level(&[10, 10, 10, 10]), None, "too few");
    assert_eq!(level(&[10, 10, 10, 10, 10]), Some(Level::Middle));
    assert_eq!(level(&[10, 10, 10, 13, 10]), Some(Level::High), "there and back counts twice");
    assert_eq!(level(&[10, 13, 10, 10, 10]), Some(Level::Low));
    assert_eq!(level(&[10, 13, 10, 12, 10]), Some(Level::Middle), "two thirds are not under two thirds");
    assert_eq!(level(&[10, 12, 10, 13, 10]), Some(Level::High), "three halves are increasing");
}
