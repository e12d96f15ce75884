//! Amounts of a token with eighteen decimals, as people read them.

use std::fmt;

/// Digits behind the point.
const DECIMALS: usize = 18;

/// An amount in the smallest unit of a token with eighteen decimals: wei of ether, or the token that is traded.
///
/// `{}` writes every digit there is, `{:.6}` six of them, never more than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Units(pub u128);

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u128.pow(DECIMALS as u32);
        let (whole, rest) = (self.0 / unit, format!("{:018}", self.0 % unit));
        let digits = match f.precision() {
            Some(precision) => &rest[..precision.min(DECIMALS)],
            None => rest.trim_end_matches('0'),
        };
        if digits.is_empty() { write!(f, "{whole}") } else { write!(f, "{whole}.{digits}") }
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn o_002_native_coin_is_told_in_ether() {
        for (wei, whole, six) in [
            (0, "0", "0.000000"),
            (1, "0.000000000000000001", "0.000000"),
            (1_500_000_000_000_000, "0.0015", "0.001500"),
            (10_u128.pow(18), "1", "1.000000"),
            (12_345_678_999_999_999_999, "12.345678999999999999", "12.345678"),
        ] {
            assert_eq!(Units(wei).to_string(), whole);
            assert_eq!(format!("{:.6}", Units(wei)), six, "never more than there is");
        }
        assert_eq!(format!("{:.0}", Units(u128::MAX)), "340282366920938463463");
    }
}
