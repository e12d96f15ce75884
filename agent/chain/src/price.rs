//! Between what a pool keeps and what a person reads, in integers only.

use alloy::primitives::{U160, U256, U512};
use golem_primitives::{Decimals, Usdc};

/// The furthest tick of the venue.
pub(crate) const MAX_TICK: i32 = 887_272;
/// Wei in one whole native coin.
const WEI: u64 = 1_000_000_000_000_000_000;

/// round(2^128 / 1.0001^(2^i / 2)), as in `contracts/libraries/TickLib.sol`: the root at a tick is the product of the
/// factors of its set bits.
const FACTORS: [u128; 20] = [
    0xfffc_b933_bd6f_ad37_aa2d_162d_1a59_4001,
    0xfff9_7272_373d_4132_59a4_6990_580e_213a,
    0xfff2_e50f_5f65_6932_ef12_357c_f3c7_fdcc,
    0xffe5_caca_7e10_e4e6_1c36_24ea_a094_1cd0,
    0xffcb_9843_d60f_6159_c9db_5883_5c92_6644,
    0xff97_3b41_fa98_c081_472e_6896_dfb2_54c0,
    0xff2e_a164_66c9_6a38_43ec_78b3_26b5_2861,
    0xfe5d_ee04_6a99_a2a8_11c4_61f1_969c_3053,
    0xfcbe_86c7_900a_88ae_dcff_c83b_479a_a3a4,
    0xf987_a725_3ac4_1317_6f2b_074c_f781_5e54,
    0xf339_2b08_22b7_0005_940c_7a39_8e4b_70f3,
    0xe715_9475_a2c2_9b74_43b2_9c7f_a6e8_89d9,
    0xd097_f3bd_fd20_22b8_845a_d8f7_92aa_5825,
    0xa9f7_4646_2d87_0fdf_8a65_dc1f_90e0_61e5,
    0x70d8_69a1_56d2_a1b8_90bb_3df6_2baf_32f7,
    0x31be_135f_97d0_8fd9_8123_1505_542f_cfa6,
    0x09aa_508b_5b7a_84e1_c677_de54_f3e9_9bc9,
    0x005d_6af8_dedb_8119_6699_c329_225e_e604,
    0x0000_2216_e584_f5fa_1ea9_2604_1bed_fe98,
    0x048a_1703_91f7_dc42_444e_8fa2,
];

/// sqrt(1.0001^tick) * 2^96, rounded up; ticks beyond the venue's range are held at its end.
#[must_use]
pub(crate) fn root_at(tick: i32) -> U160 {
    let tick = tick.clamp(-MAX_TICK, MAX_TICK);
    let bits = tick.unsigned_abs();
    let mut ratio: U256 = U256::ONE << 128usize;
    for (bit, factor) in FACTORS.iter().enumerate() {
        if bits & (1 << bit) != 0 {
            ratio = (ratio * U256::from(*factor)) >> 128usize;
        }
    }
    if tick > 0 {
        ratio = U256::MAX / ratio;
    }
    U160::saturating_from(ratio.div_ceil(U256::ONE << 32usize))
}

/// How a pool's two tokens stand to USDC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote {
    /// Whether the token, not USDC, is the pool's first.
    pub(crate) token_is_first: bool,
    pub(crate) decimals: Decimals,
}

impl Quote {
    fn unit(self) -> U512 {
        U512::from(self.decimals.unit())
    }

    /// What one whole token costs at a root price, rounded to the nearest micro-USDC and held at the largest amount.
    #[must_use]
    pub(crate) fn price(self, root: U160) -> Usdc {
        let square = U512::from(root) * U512::from(root);
        if square.is_zero() {
            return Usdc::ZERO;
        }
        let rounded = |numerator: U512, denominator: U512| (numerator + (denominator >> 1usize)) / denominator;
        micros(if self.token_is_first {
            rounded(square * self.unit(), U512::ONE << 192usize)
        } else {
            rounded(self.unit() << 192usize, square)
        })
    }

    #[must_use]
    pub(crate) fn price_at(self, tick: i32) -> Usdc {
        self.price(root_at(tick))
    }

    /// What an amount of the token is worth at a price, rounded down.
    #[must_use]
    pub(crate) fn value(self, amount: u128, price: Usdc) -> Usdc {
        micros(U512::from(amount) * U512::from(price.micros()) / self.unit())
    }

    /// (token, USDC in micros) out of the pool's (first, second).
    #[must_use]
    pub(crate) const fn ordered<T: Copy>(self, first: T, second: T) -> (T, T) {
        if self.token_is_first { (first, second) } else { (second, first) }
    }
}

/// What wei are worth when one whole native coin costs `price`, rounded up: whoever pays is never told too little.
#[must_use]
pub(crate) fn value_of_wei(wei: u128, price: Usdc) -> Usdc {
    micros((U512::from(wei) * U512::from(price.micros())).div_ceil(U512::from(WEI)))
}

/// How many wei `amount` buys at that price, rounded down; a price of nothing buys without bound.
#[must_use]
pub(crate) fn wei_for(amount: Usdc, price: Usdc) -> u128 {
    if price.is_zero() {
        return u128::MAX;
    }
    let wei = U256::from(amount.micros()) * U256::from(WEI) / U256::from(price.micros());
    u128::try_from(wei).unwrap_or(u128::MAX)
}

/// What a position holds of the pool's first and second token at a root price, rounded down as the venue pays out.
#[must_use]
pub(crate) fn amounts_of(liquidity: u128, root: U160, lower: i32, upper: i32) -> (u128, u128) {
    let (low, high) = (U512::from(root_at(lower)), U512::from(root_at(upper)));
    if low >= high {
        return (0, 0);
    }
    let root = U512::from(root).clamp(low, high);
    let liquidity = U512::from(liquidity);
    let first = if root < high { ((liquidity << 96usize) * (high - root) / high) / root } else { U512::ZERO };
    let second: U512 = (liquidity * (root - low)) >> 96usize;
    (narrow(first), narrow(second))
}

/// The same rounded up, as the venue takes it in.
#[must_use]
pub(crate) fn amounts_taken(liquidity: u128, root: U160, lower: i32, upper: i32) -> (u128, u128) {
    let (low, high) = (U512::from(root_at(lower)), U512::from(root_at(upper)));
    if low >= high {
        return (0, 0);
    }
    let root = U512::from(root).clamp(low, high);
    let liquidity = U512::from(liquidity);
    let first =
        if root < high { ((liquidity << 96usize) * (high - root)).div_ceil(high).div_ceil(root) } else { U512::ZERO };
    let second: U512 = (liquidity * (root - low)).div_ceil(U512::ONE << 96usize);
    (narrow(first), narrow(second))
}

/// `amount` * 1.0001^tick, rounded down, as `contracts/libraries/TickLib.sol` has it.
#[must_use]
pub(crate) fn convert_down(amount: u128, tick: i32) -> u128 {
    let root = U512::from(root_at(tick));
    let once: U512 = (U512::from(amount) * root) >> 96usize;
    narrow((once * root) >> 96usize)
}

/// How far a root price stands from the price at a tick, in basis points and rounded up, as there.
#[must_use]
pub(crate) fn deviation_bps_up(root: U160, tick: i32) -> u64 {
    let (spot, mean) = (U512::from(root), U512::from(root_at(tick)));
    let (high, low) = if spot > mean { (spot, mean) } else { (mean, spot) };
    if low.is_zero() {
        return u64::MAX;
    }
    let one = U512::from(WEI);
    let ratio = (high * one).div_ceil(low);
    if ratio > one * U512::from(1_000_000u64) {
        return u64::MAX;
    }
    // 10^36 is one, so a basis point is 10^32.
    let above = (ratio * ratio - one * one).div_ceil(U512::from(10u8).pow(U512::from(32u8)));
    u64::try_from(above).unwrap_or(u64::MAX)
}

/// The product of a root price, held within a range, and the range's upper end, rounded down as the venue does before it asks
/// how much liquidity an amount of the first token makes; at least one.
#[must_use]
pub(crate) fn root_product(root: U160, lower: i32, upper: i32) -> U256 {
    let (low, high) = (U512::from(root_at(lower)), U512::from(root_at(upper)));
    let root = U512::from(root).clamp(low.min(high), high);
    let product: U512 = (root * high) >> 96usize;
    U256::saturating_from(product).max(U256::ONE)
}

/// The liquidity that at most these amounts make at a root price, rounded down where and as the venue's `LiquidityAmounts`
/// does.
#[must_use]
pub(crate) fn liquidity_for(first: u128, second: u128, root: U160, lower: i32, upper: i32) -> u128 {
    let (low, high) = (U512::from(root_at(lower)), U512::from(root_at(upper)));
    if low >= high {
        return 0;
    }
    let root = U512::from(root).clamp(low, high);
    let by_first = (root < high).then(|| U512::from(first) * ((root * high) >> 96usize) / (high - root));
    let by_second = (root > low).then(|| (U512::from(second) << 96usize) / (root - low));
    by_first.into_iter().chain(by_second).min().map_or(0, narrow::<512, 8>)
}

/// What the pool knows of fees: growth per unit of liquidity, in all and outside a position's two ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FeeGrowth {
    pub(crate) global: U256,
    pub(crate) below_lower: U256,
    pub(crate) above_upper: U256,
    pub(crate) at_last_touch: U256,
}

impl FeeGrowth {
    /// Fees of one token that a position has earned since it was touched. Growth is defined modulo 2^256; differences
    /// are what counts.
    #[must_use]
    pub(crate) fn earned(self, liquidity: u128, tick: i32, lower: i32, upper: i32) -> u128 {
        fees_of(self.inside(tick, lower, upper), liquidity)
    }

    /// Growth between the two ticks since it was touched.
    #[must_use]
    pub(crate) fn inside(self, tick: i32, lower: i32, upper: i32) -> U256 {
        let below = if tick >= lower { self.below_lower } else { self.global.wrapping_sub(self.below_lower) };
        let above = if tick < upper { self.above_upper } else { self.global.wrapping_sub(self.above_upper) };
        self.global.wrapping_sub(below).wrapping_sub(above).wrapping_sub(self.at_last_touch)
    }
}

/// What so much growth pays to so much liquidity, rounded down as the venue does.
#[must_use]
pub(crate) fn fees_of(growth: U256, liquidity: u128) -> u128 {
    narrow((U512::from(growth) * U512::from(liquidity)) >> 128usize)
}

/// The mean tick between two readings of the pool's clock, rounded down as the venue does.
#[must_use]
pub(crate) fn mean_tick(before: i64, after: i64, window_seconds: u32) -> Option<i32> {
    let window = i64::from(window_seconds);
    if window == 0 {
        return None;
    }
    // The clock is defined modulo 2^56.
    let passed = (after.wrapping_sub(before) << 8) >> 8;
    i32::try_from(passed.div_euclid(window)).ok().filter(|tick| tick.abs() <= MAX_TICK)
}

/// USDC of a contract's number, held at the largest amount.
pub(crate) fn usdc(amount: U256) -> Usdc {
    Usdc::from_micros(amount.saturating_to())
}

/// USDC as contracts count it.
pub(crate) fn units(amount: Usdc) -> U256 {
    U256::from(amount.micros())
}

fn micros(value: U512) -> Usdc {
    Usdc::from_micros(u64::try_from(value).unwrap_or(u64::MAX))
}

fn narrow<const BITS: usize, const LIMBS: usize>(value: alloy::primitives::ruint::Uint<BITS, LIMBS>) -> u128 {
    u128::try_from(value).unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use golem_devnet::Pairing;
    use proptest::prelude::*;

    use super::*;

    const WETH: Quote = Quote { token_is_first: true, decimals: Decimals::ETHER };

    /// The ends of the venue's range and its middle, as `TickMath` has them.
    #[test]
    fn roots_at_ticks_are_the_venues() {
        assert_eq!(root_at(0), U160::ONE << 96usize);
        assert_eq!(root_at(-MAX_TICK), U160::from(4_295_128_739u64));
        assert_eq!(root_at(MAX_TICK).to_string(), "1461446703485210103287273052203988822378723970342");
        assert_eq!(root_at(i32::MIN), root_at(-MAX_TICK), "absurd ticks are held at the end");
        assert_eq!(root_at(50).to_string(), "79426470787362580746886972461");
    }

    /// A cost is rounded up, a value down, and neither wraps.
    #[test]
    fn r_011_wei_is_valued_rounded_up() {
        assert_eq!(value_of_wei(1, Usdc::whole(3000)), Usdc::from_micros(1));
        assert_eq!(value_of_wei(0, Usdc::whole(3000)), Usdc::ZERO);
        assert_eq!(value_of_wei(u128::from(WEI), Usdc::whole(3000)), Usdc::whole(3000));
        assert_eq!(value_of_wei(u128::MAX, Usdc::MAX), Usdc::MAX);
        assert_eq!(wei_for(Usdc::whole(3), Usdc::whole(3000)), 1_000_000_000_000_000);
        assert_eq!(wei_for(Usdc::ZERO, Usdc::ZERO), u128::MAX);
        assert_eq!(WETH.value(u128::MAX, Usdc::MAX), Usdc::MAX);
        assert_eq!(WETH.price(U160::ZERO), Usdc::ZERO);
        assert_eq!(WETH.price(U160::MAX), Usdc::MAX);
    }

    /// The venue rounds the mean down, also below zero; a window of nothing has no mean.
    #[test]
    fn means_round_down() {
        assert_eq!(mean_tick(0, -1, 1800), Some(-1));
        assert_eq!(mean_tick(0, 1799, 1800), Some(0));
        assert_eq!(mean_tick(5, 5, 0), None);
        assert_eq!(mean_tick(0, 1 << 40, 1), None, "no tick of the venue");
        assert_eq!(mean_tick((1 << 55) - 1, -(1 << 55), 1), Some(1), "a clock that went round");
    }

    #[test]
    fn fees_survive_a_counter_that_wrapped() {
        let growth = FeeGrowth {
            global: U256::from(5u8) << 128usize,
            below_lower: U256::ZERO,
            above_upper: U256::ZERO,
            at_last_touch: U256::ZERO.wrapping_sub(U256::ONE << 128usize),
        };
        assert_eq!(growth.earned(1_000, 0, -10, 10), 6_000);
        assert_eq!(growth.earned(1_000, 20, -10, 10), 1_000, "out of range nothing of the present growth is inside");
    }

    proptest! {
        #[test]
        fn prices_are_the_devnets(micros in 1_000_000u64..1_000_000_000_000, first: bool, decimals in 6u8..=18) {
            let decimals = Decimals::new(decimals).expect("few");
            let pairing = Pairing { token_is_first: first, decimals };
            let root = pairing.root_price(Usdc::from_micros(micros));
            let quote = Quote { token_is_first: first, decimals };
            prop_assert_eq!(quote.price(root), pairing.price(root));
            prop_assert_eq!(quote.price(root), Usdc::from_micros(micros));
        }

        #[test]
        fn a_higher_tick_is_a_higher_root(tick in -MAX_TICK..MAX_TICK) {
            prop_assert!(root_at(tick) < root_at(tick + 1));
        }

        #[test]
        fn a_position_never_holds_more_than_was_put_in(
            first in 0u64..u64::MAX, second in 0u64..u64::MAX, tick in -300_000i32..300_000,
            lower in -300_000i32..300_000, width in 1i32..100_000,
        ) {
            let (root, upper) = (root_at(tick), lower + width);
            let liquidity = liquidity_for(first.into(), second.into(), root, lower, upper);
            let (got0, got1) = amounts_of(liquidity, root, lower, upper);
            prop_assert!(got0 <= first.into() && got1 <= second.into());
        }

        #[test]
        fn a_value_never_exceeds_what_was_paid_up(wei: u128, price: u64) {
            let price = Usdc::from_micros(price);
            prop_assert!(value_of_wei(wei, price) >= WETH.value(wei, price));
        }

        #[test]
        fn what_wei_buys_never_costs_more(amount: u64, price in 1u64..) {
            let (amount, price) = (Usdc::from_micros(amount), Usdc::from_micros(price));
            prop_assert!(value_of_wei(wei_for(amount, price), price) <= amount);
        }
    }
}
