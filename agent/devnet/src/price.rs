//! Between a price a person reads and the square root a pool keeps, in integers.

use alloy::primitives::{U160, U256, U512};
use golem_primitives::Usdc;

/// One WETH in its smallest unit.
const WETH_UNIT: u64 = 1_000_000_000_000_000_000;

/// The pool's square-root price at `usdc` for one WETH, rounded down.
///
/// `weth_is_token0` follows from the two addresses: the pool's price is token1 per token0.
#[must_use]
pub fn sqrt_price_x96(usdc: Usdc, weth_is_token0: bool) -> U160 {
    let usdc = U512::from(usdc.micros().max(1));
    let weth = U512::from(WETH_UNIT);
    let (token1, token0) = if weth_is_token0 { (usdc, weth) } else { (weth, usdc) };
    let ratio: U512 = (token1 << 192usize) / token0;
    U160::saturating_from(ratio.root(2))
}

/// What one WETH costs at the pool's square-root price, rounded to the nearest micro-USDC.
#[must_use]
pub fn usdc_per_weth(sqrt_price_x96: U160, weth_is_token0: bool) -> Usdc {
    let square = U512::from(sqrt_price_x96) * U512::from(sqrt_price_x96);
    let weth = U512::from(WETH_UNIT);
    let rounded = |numerator: U512, denominator: U512| (numerator + (denominator >> 1usize)) / denominator;
    let micros = if square.is_zero() {
        U512::ZERO
    } else if weth_is_token0 {
        rounded(square * weth, U512::ONE << 192usize)
    } else {
        rounded(weth << 192usize, square)
    };
    Usdc::from_micros(u64::try_from(U256::saturating_from(micros)).unwrap_or(u64::MAX))
}

/// What a position over the whole range holds at that price, rounded up: token0 is L/√P, token1 is L·√P.
#[must_use]
pub(crate) fn amounts_of_liquidity(liquidity: u128, sqrt_price_x96: U160) -> (U256, U256) {
    let liquidity = U512::from(liquidity);
    let root = U512::from(sqrt_price_x96).max(U512::ONE);
    let scaled: U512 = liquidity << 96usize;
    let amount0 = scaled.div_ceil(root);
    let amount1 = (liquidity * root).div_ceil(U512::ONE << 96usize);
    (U256::saturating_from(amount0), U256::saturating_from(amount1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn three_thousand_is_the_root_uniswap_documents() {
        // floor(sqrt(3000e6 * 2^192 / 1e18)) and its inverse order, computed with Python's integers.
        assert_eq!(sqrt_price_x96(Usdc::whole(3000), true).to_string(), "4339505179874779489431521");
        assert_eq!(sqrt_price_x96(Usdc::whole(3000), false).to_string(), "1446501726624926496477173928747177");
    }

    proptest! {
        #[test]
        fn a_price_survives_the_way_there_and_back(micros in 1_000_000u64..1_000_000_000_000, order: bool) {
            let price = Usdc::from_micros(micros);
            prop_assert_eq!(usdc_per_weth(sqrt_price_x96(price, order), order), price);
        }

        #[test]
        fn a_dearer_weth_moves_the_root_one_way(a in 1u64.., b in 1u64.., order: bool) {
            let (low, high) = (Usdc::from_micros(a.min(b)), Usdc::from_micros(a.max(b)));
            let (low, high) = (sqrt_price_x96(low, order), sqrt_price_x96(high, order));
            let (first, second) = if order { (low, high) } else { (high, low) };
            prop_assert!(first <= second);
        }
    }
}
