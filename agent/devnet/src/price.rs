//! Between a price a person reads and the square root a pool keeps, in integers.

use alloy::primitives::{U160, U256, U512};
use golem_primitives::{Decimals, Usdc};

/// How a pool's token stands to USDC: the pool's price is of its second token for its first, in smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Whether the token, not USDC, is the pool's first; it follows from the two addresses.
    pub token_is_first: bool,
    /// The token's decimals.
    pub decimals: Decimals,
}

impl Pairing {
    /// The pool's square-root price at `usdc` for one whole token, rounded down.
    #[must_use]
    pub fn root_price(self, usdc: Usdc) -> U160 {
        let (usdc, unit) = (U512::from(usdc.micros().max(1)), U512::from(self.decimals.unit()));
        let (second, first) = if self.token_is_first { (usdc, unit) } else { (unit, usdc) };
        let ratio: U512 = (second << 192usize) / first;
        U160::saturating_from(ratio.root(2))
    }

    /// What one whole token costs at the pool's square-root price, rounded to the nearest micro-USDC.
    #[must_use]
    pub fn price(self, root_price: U160) -> Usdc {
        let square = U512::from(root_price) * U512::from(root_price);
        let unit = U512::from(self.decimals.unit());
        let rounded = |numerator: U512, denominator: U512| (numerator + (denominator >> 1usize)) / denominator;
        let micros = if square.is_zero() {
            U512::ZERO
        } else if self.token_is_first {
            rounded(square * unit, U512::ONE << 192usize)
        } else {
            rounded(unit << 192usize, square)
        };
        Usdc::from_micros(u64::try_from(U256::saturating_from(micros)).unwrap_or(u64::MAX))
    }
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

    fn pairing(token_is_first: bool, decimals: u8) -> Pairing {
        Pairing { token_is_first, decimals: Decimals::new(decimals).expect("few") }
    }

    #[test]
    fn three_thousand_is_the_root_uniswap_documents() {
        // floor(sqrt(3000e6 * 2^192 / 1e18)) and its inverse order, computed with Python's integers.
        let roots = [true, false].map(|first| pairing(first, 18).root_price(Usdc::whole(3000)).to_string());
        assert_eq!(roots, ["4339505179874779489431521", "1446501726624926496477173928747177"]);
        // floor(sqrt(200e6 * 2^192 / 1e8)): a token of eight decimals.
        assert_eq!(pairing(true, 8).root_price(Usdc::whole(200)).to_string(), "112045541949572279837463876454");
    }

    proptest! {
        #[test]
        fn a_price_survives_the_way_there_and_back(
            micros in 1_000_000u64..1_000_000_000_000, order: bool, decimals in 6u8..=18,
        ) {
            let (price, pairing) = (Usdc::from_micros(micros), pairing(order, decimals));
            prop_assert_eq!(pairing.price(pairing.root_price(price)), price);
        }

        #[test]
        fn a_dearer_token_moves_the_root_one_way(a in 1u64.., b in 1u64.., order: bool, decimals in 0u8..=24) {
            let roots = [a.min(b), a.max(b)].map(|micros| pairing(order, decimals).root_price(Usdc::from_micros(micros)));
            let (first, second) = if order { (roots[0], roots[1]) } else { (roots[1], roots[0]) };
            prop_assert!(first <= second);
        }
    }
}
