//! What a transaction offers for its place in a block.

/// What is offered for each unit of gas, in wei.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fees {
    pub(crate) max: u128,
    /// Of it, to whoever builds the block.
    pub(crate) tip: u128,
}

impl Fees {
    /// Twice the base fee and the tip, so that six full blocks in a row do not strand it; never more than `most`, and
    /// nothing at all when `most` is less than the next block asks; the error is what it asks.
    pub(crate) fn first(base_fee: u128, tip: u128, most: u128) -> Result<Self, u128> {
        let least = base_fee.saturating_add(tip);
        if least > most {
            return Err(least);
        }
        Ok(Self { max: least.saturating_add(base_fee).min(most), tip })
    }

    /// An offer that replaces this one: an eighth more of both (nodes ask for a tenth), and what the base fee has
    /// become. `None` when that is more than `most`.
    pub(crate) fn bumped(self, base_fee: u128, most: u128) -> Option<Self> {
        let eighth_more = |fee: u128| fee.saturating_add(fee.div_ceil(8)).max(fee.saturating_add(1));
        let tip = eighth_more(self.tip);
        let max = eighth_more(self.max).max(base_fee.saturating_mul(2).saturating_add(tip).min(most));
        (max <= most && tip <= max).then_some(Self { max, tip })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    ///
    #[test]
    fn r_022_a_first_offer_is_twice_the_base_fee_and_the_tip() {
        assert_eq!(Fees::first(100, 7, 1_000), Ok(Fees { max: 207, tip: 7 }));
        assert_eq!(Fees::first(100, 7, 150), Ok(Fees { max: 150, tip: 7 }), "never above what it may cost");
        assert_eq!(Fees::first(100, 7, 106), Err(107));
        assert_eq!(Fees { max: 8, tip: 0 }.bumped(1, 100), Some(Fees { max: 9, tip: 1 }));
        assert_eq!(Fees { max: 100, tip: 1 }.bumped(100, 112), None);
    }

    proptest! {
        /// both parts rise by at least 12.5%, and never above the bound.
        #[test]
        fn r_022_a_replacement_pays_an_eighth_more(max in 1u128..1 << 100, base in 0u128..1 << 100, most in 1u128..1 << 110) {
            let before = Fees { max, tip: max / 3 };
            if let Some(after) = before.bumped(base, most) {
                prop_assert!(after.max * 8 >= before.max * 9 && after.tip * 8 >= before.tip * 9);
                prop_assert!(after.max <= most && after.tip <= after.max);
            }
        }
    }
}
