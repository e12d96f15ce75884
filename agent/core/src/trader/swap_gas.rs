//! P-020. What a swap of this life uses of gas, learnt from its own receipts.

use serde::{Deserialize, Serialize};

/// Gas of one swap through a vault, with what the price is proved by, before a life made one: rather too much, so that what
/// cannot pay is not entered before anybody knows.
pub const SWAP_GAS: u64 = 450_000;

/// The newest receipt weighs an eighth.
const PACE: u64 = 8;
/// What a receipt is held within: no transfer of two tokens uses less, and one block of a busy day is no measure of a swap.
const WITHIN: (u64, u64) = (100_000, 2_000_000);

/// A moving mean of what swaps used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SwapGas {
    /// The mean times [`PACE`], so that nothing is lost to rounding.
    sum: u64,
}

impl Default for SwapGas {
    fn default() -> Self {
        Self { sum: SWAP_GAS * PACE }
    }
}

impl SwapGas {
    /// Units of gas that a swap uses.
    pub(crate) const fn units(self) -> u64 {
        self.sum / PACE
    }

    /// A swap landed and used so much. What nobody read says nothing.
    pub(crate) fn learn(&mut self, used: u64) {
        if used > 0 {
            self.sum = self.sum - self.units() + used.clamp(WITHIN.0, WITHIN.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// P-020: what every swap uses is learnt to the last unit, from either side, and what is none is not learnt from.
    #[test]
    fn p_020_what_swaps_use_is_learnt() {
        for used in [275_000, 345_001, 1_999_999] {
            let mut gas = SwapGas::default();
            gas.learn(used);
            assert_eq!(gas.units(), (7 * SWAP_GAS + used) / 8, "the first weighs an eighth");
            (0..200).for_each(|_| gas.learn(used));
            assert_eq!(gas.units(), used);
            gas.learn(0);
            assert_eq!(gas.units(), used, "nobody read it");
        }
    }

    proptest! {
        /// P-020: whatever receipts say, the mean stays within what a swap can use.
        #[test]
        fn p_020_no_receipt_moves_the_mean_out_of_its_bounds(used in prop::collection::vec(any::<u64>(), 0..200)) {
            let mut gas = SwapGas::default();
            used.into_iter().for_each(|used| gas.learn(used));
            prop_assert!((WITHIN.0..=WITHIN.1).contains(&gas.units()), "{}", gas.units());
        }
    }
}
