use golem_dreams::market::SwapIn;
use golem_dreams::pool::{PoolError, PoolState, TickLiquidity};
use golem_primitives::{Ppm, U256};
use proptest::prelude::*;
use uniswap_v3_math::tick_math::get_sqrt_ratio_at_tick;

use crate::make::pool;

fn give(amount: u64, zero_for_one: bool) -> SwapIn {
    SwapIn { amount: U256::from(amount), zero_for_one }
}

fn one() -> U256 {
    U256::from(1) << 96
}

/// D-110: a swap in one range, by hand: of 100,000,000 the fee is 50,000; L = 10^12 at price one gives
/// floor(L * dx / (L + dx)) of the rest.
#[test]
fn d_110_a_swap_in_one_range_is_exact() {
    let swapped = pool().swap(give(100_000_000, true)).expect("within the record");
    let (liquidity, rest) = (1_000_000_000_000u128, 99_950_000u128);
    // The contract rounds the next price up and what comes out down.
    let exact = liquidity * rest / (liquidity + rest);
    assert!((exact - 1..=exact).contains(&swapped.out.to::<u128>()), "{} of {exact}", swapped.out);
    assert_eq!(swapped.fee, U256::from(50_000));
    assert!(swapped.sqrt_price < one());
}

/// D-110: across a tick the liquidity changes, as the sum of two swaps in two ranges.
#[test]
fn d_110_a_swap_across_a_tick_changes_liquidity() {
    let (near, far) = (1_000_000_000_000u128, 400_000_000_000u128);
    let ticks = vec![TickLiquidity { tick: -60, net: 600_000_000_000 }];
    let crossing = PoolState::new(one(), 0, near, 0, (-6_000, 6_000), ticks).expect("a pool");
    let at_tick = get_sqrt_ratio_at_tick(-60).expect("a tick");
    let whole = PoolState::new(one(), 0, near, 0, (-6_000, 6_000), Vec::new()).expect("a pool");
    let behind = PoolState::new(at_tick, -60, far, 0, (-6_000, 6_000), Vec::new()).expect("a pool");
    let crossed = crossing.swap(give(6_000_000_000, true)).expect("within the record");
    // What it takes to reach the tick in the near range, found by bisection against the pool itself.
    let (mut low, mut high) = (1u64, 6_000_000_000u64);
    while low < high {
        let middle = low + (high - low) / 2;
        if whole.swap(give(middle, true)).expect("in range").sqrt_price <= at_tick {
            high = middle
        } else {
            low = middle + 1
        }
    }
    let first = whole.swap(give(low, true)).expect("in range").out;
    let second = behind.swap(give(6_000_000_000 - low, true)).expect("in range").out;
    let sum = first + second;
    assert!(crossed.out.abs_diff(sum) <= U256::from(3), "{} and {sum}", crossed.out);
    assert!(
        crossed.out < whole.swap(give(6_000_000_000, true)).expect("in range").out,
        "it is thinner behind the tick"
    );
    let up = PoolState::new(at_tick, -61 + 1, far, 0, (-6_000, 6_000), Vec::new());
    assert!(up.is_ok());
}

/// D-135: a pool of half the liquidity returns less, and an emptied one nothing.
#[test]
fn d_095_thin_pools_return_less() {
    let whole = pool().swap(give(100_000_000_000, true)).expect("in range").out;
    let half = pool().thinned(Ppm::of(500_000));
    assert_eq!(half.liquidity(), pool().liquidity() / 2);
    assert!(half.swap(give(100_000_000_000, true)).expect("in range").out < whole);
    assert_eq!(pool().thinned(Ppm::ZERO).swap(give(1_000, true)), Err(PoolError::Empty));
}

/// D-110: what the record does not say is refused, and never guessed.
#[test]
fn d_110_swaps_beyond_the_record_are_refused() {
    let narrow = PoolState::new(one(), 0, 1_000, 500, (-10, 10), Vec::new()).expect("a pool");
    assert_eq!(narrow.swap(give(1_000_000, true)), Err(PoolError::PastRecord));
    assert_eq!(narrow.swap(give(1_000_000, false)), Err(PoolError::PastRecord));
    assert_eq!(narrow.swap(give(0, true)), Err(PoolError::Amount));
    assert_eq!(narrow.swap(SwapIn { amount: U256::MAX, zero_for_one: true }), Err(PoolError::Amount));
    let new = |price, tick, fee, ends, ticks| PoolState::new(price, tick, 1_000, fee, ends, ticks);
    assert_eq!(new(U256::ZERO, 0, 500, (-10, 10), Vec::new()), Err(PoolError::Price));
    assert_eq!(new(one(), 0, 1_000_000, (-10, 10), Vec::new()), Err(PoolError::Fee { pips: 1_000_000 }));
    assert_eq!(new(one(), 7, 500, (-10, 10), Vec::new()), Err(PoolError::Range), "the tick is not the price's");
    assert_eq!(new(one(), 0, 500, (5, 10), Vec::new()), Err(PoolError::Range));
    let outside = vec![TickLiquidity { tick: 11, net: 5 }];
    assert_eq!(new(one(), 0, 500, (-10, 10), outside), Err(PoolError::Range));
    let leaving = vec![TickLiquidity { tick: -5, net: 2_000 }];
    let broken = new(one(), 0, 500, (-10, 10), leaving).expect("a pool");
    assert_eq!(broken.swap(give(1_000_000, true)), Err(PoolError::Arithmetic), "more leaves than there is");
}

proptest! {
    /// D-110: more in is never less out, a round trip never pays, and nothing panics.
    #[test]
    fn d_110_swaps_are_monotone_and_never_free(a in 1u64..1_000_000_000_000, b in 1u64..1_000_000_000_000, way: bool) {
        let pool = pool();
        let out = |amount| pool.swap(give(amount, way)).map(|swapped| swapped.out);
        if let (Ok(less), Ok(more)) = (out(a.min(b)), out(a.max(b))) {
            prop_assert!(less <= more);
            prop_assert!(more < U256::from(a.max(b)).saturating_mul(U256::from(2)));
        }
    }

    /// D-110: any numbers are a pool or a refusal, and any swap an answer or one.
    #[test]
    fn d_110_no_numbers_panic(price: u128, tick in -900_000i32..900_000, liquidity: u128, fee: u32, net: i128, amount: u64, way: bool) {
        let ticks = vec![TickLiquidity { tick: tick.saturating_sub(60), net }];
        let ends = (tick.saturating_sub(600), tick.saturating_add(600));
        let at = get_sqrt_ratio_at_tick(tick).unwrap_or(U256::from(price));
        if let Ok(pool) = PoolState::new(at, tick, liquidity, fee, ends, ticks) {
            let _ = pool.swap(give(amount, way)).is_ok();
        }
    }
}
