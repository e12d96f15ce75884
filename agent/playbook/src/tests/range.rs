use super::*;

const HUNDRED: Usdc = Usdc::whole(100);

/// 50 USDC on each side, from 100 by 1.1 to 110.
fn range() -> Range {
    Range::around(HUNDRED, Ppm::of(100_000), 50e6)
}

/// Worked out with forty digits: half and half at its middle, the token alone below it, USDC alone above it.
#[test]
fn p_004_a_range_is_made_of_what_a_position_of_uniswap_v3_is_made_of() {
    let expected = [
        (80.0, 81.952353926806, 0.0),
        (90.0, 92.196398167657, 0.0),
        (100.0, 50.0, 50.0),
        (104.0, 30.301223731565, 71.277400694968),
        (120.0, 0.0, 102.440442408508),
    ];
    for (price, token, usdc) in expected {
        let halves = range().halves(Usdc::from_micros((price * 1e6) as u64));
        let close = |got: f64, wanted: f64| (got - wanted * 1e6).abs() < 1e-3;
        assert!(close(halves.token, token) && close(halves.usdc, usdc), "at {price}: {halves:?}");
    }
}

#[test]
fn p_004_fees_come_inside_alone_by_the_share_of_the_liquidity_and_not_from_what_is_unknown() {
    let look = Look { impact_ppm: 1_000, fee_ppm: 3_000, volume: Usdc::whole(10_000), ..crate::makers::look(0, 100.0) };
    let capital = Usdc::whole(1_000);
    // 30 USDC of fees. 50 on each side of this range stand for 50 / (1 - 1 / root of 1.1) over all prices; the pool's side
    // is 1,000 / 0.001 - 1,000.
    let own = 50.0 / (1.0 - 1.0 / 1.1_f64.sqrt());
    let wanted = 30e6 * own / (999_000.0 + own);
    assert!((range().fees(&look, capital) - wanted).abs() < 1e-3);
    let price = Usdc::from_micros(110_100_000);
    assert_eq!(range().fees(&Look { price, ..look }, capital), 0.0, "outside");
    assert_eq!(range().fees(&Look { impact_ppm: 0, ..look }, capital), 0.0, "nobody knows how deep the pool is");
    assert_eq!(range().fees(&Look { volume: Usdc::ZERO, ..look }, capital), 0.0, "nobody says what was traded");
}

#[test]
fn p_004_no_range_is_too_strange() {
    for (price, width, side) in [(0, 0, 0.0), (0, 1_000_000, 1e18), (u64::MAX, 1, 1e18), (1, 1, 1.0)] {
        let range = Range::around(Usdc::from_micros(price), Ppm::of(width), side);
        for at in [0, 1, price, u64::MAX] {
            let at = Usdc::from_micros(at);
            let look = Look { price: at, impact_ppm: 1_000_000, volume: Usdc::whole(1), ..crate::makers::look(0, 1.0) };
            let halves = range.halves(at);
            assert!(halves.total().is_finite() && halves.token >= 0.0 && halves.usdc >= 0.0, "{range:?} {halves:?}");
            assert!(range.fees(&look, Usdc::ZERO).is_finite());
        }
    }
}
