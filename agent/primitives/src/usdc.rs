//! Money: integer micro-USDC.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use crate::parse::{ParseError, Wanted, fixed_point};
use crate::ratio::Ppm;

/// An amount of USDC in its smallest unit, as the token contract counts it (6 decimals).
///
/// There is no conversion to or from a float: a balance that went through `f64` is a balance that lost a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Usdc(u64);

/// An operation whose result no balance can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoneyError {
    #[error("cannot pay {amount} from {balance}")]
    Overdraft { balance: Usdc, amount: Usdc },
    #[error("{left} + {right} is more USDC than can be counted")]
    Overflow { left: Usdc, right: Usdc },
}

impl Usdc {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount that can be counted.
    pub const MAX: Self = Self(u64::MAX);
    /// Decimals of the token.
    pub const DECIMALS: u32 = 6;
    /// Micro-USDC in one USDC.
    pub const UNIT: u64 = 1_000_000;

    /// An amount in micro-USDC.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// A whole number of USDC, for constants; it does not compile when a constant overflows.
    #[must_use]
    pub const fn whole(usdc: u32) -> Self {
        Self(usdc as u64 * Self::UNIT)
    }

    /// The amount in micro-USDC.
    #[must_use]
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Whether there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// What is left after paying `amount`.
    pub fn pay(self, amount: Self) -> Result<Self, MoneyError> {
        let left = self.0.checked_sub(amount.0).ok_or(MoneyError::Overdraft { balance: self, amount })?;
        Ok(Self(left))
    }

    /// The sum of both.
    pub fn receive(self, other: Self) -> Result<Self, MoneyError> {
        let sum = self.0.checked_add(other.0).ok_or(MoneyError::Overflow { left: self, right: other })?;
        Ok(Self(sum))
    }

    /// What is left after paying as much of `amount` as there is.
    #[must_use]
    pub const fn saturating_sub(self, amount: Self) -> Self {
        Self(self.0.saturating_sub(amount.0))
    }

    /// The sum, held at [`Usdc::MAX`].
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// `share` of this amount, rounded down: the rest stays with the giver.
    #[must_use]
    pub const fn share_down(self, share: Ppm) -> Self {
        Self(mul_div(self.0, share.get() as u64, Ppm::ONE.get() as u64, 0))
    }

    /// `share` of this amount, rounded up: the taker is never short.
    #[must_use]
    pub const fn share_up(self, share: Ppm) -> Self {
        let one = Ppm::ONE.get() as u64;
        Self(mul_div(self.0, share.get() as u64, one, one - 1))
    }

    /// The share this amount is of `whole`, rounded down and held at one; of nothing it is zero.
    #[must_use]
    pub const fn ratio_of(self, whole: Self) -> Ppm {
        if whole.0 == 0 {
            return Ppm::ZERO;
        }
        if self.0 >= whole.0 {
            return Ppm::ONE;
        }
        Ppm::saturating(mul_div(self.0, Ppm::ONE.get() as u64, whole.0, 0))
    }
}

/// `(value * numerator + bias) / denominator` without losing the high half; the callers keep `numerator <= denominator`
/// or hold the result themselves, and a result beyond `u64` is held at its maximum.
const fn mul_div(value: u64, numerator: u64, denominator: u64, bias: u64) -> u64 {
    // Purses of a real life multiply within 64 bits, and there the division is some twenty times faster.
    if let Some(product) = value.checked_mul(numerator)
        && let Some(product) = product.checked_add(bias)
    {
        return product / denominator;
    }
    let product = value as u128 * numerator as u128 + bias as u128;
    let quotient = product / denominator as u128;
    if quotient > u64::MAX as u128 { u64::MAX } else { quotient as u64 }
}

impl Sum for Usdc {
    /// Held at [`Usdc::MAX`]: the total supply of USDC is far below it.
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for Usdc {
    /// At least two decimals, and as many as the amount needs: `12.50 USDC`, `0.000001 USDC`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0 / Self::UNIT, self.0 % Self::UNIT);
        let digits = format!("{fraction:06}");
        let needed = digits.trim_end_matches('0').len().max(2);
        f.pad(&format!("{whole}.{} USDC", &digits[..needed]))
    }
}

impl FromStr for Usdc {
    type Err = ParseError;

    /// Reads `12`, `12.5`, `1_000.000001`, each with or without ` USDC` behind it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = text.trim();
        let number = number.strip_suffix("USDC").map_or(number, str::trim_end);
        fixed_point(number, Self::DECIMALS, Wanted { what: "an amount of USDC", example: "12.50" }).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_a_person_writes_are_read_exactly() {
        for (text, micros) in [
            ("0", 0),
            ("12", 12_000_000),
            ("12.5", 12_500_000),
            ("0.000001", 1),
            ("1_000.10 USDC", 1_000_100_000),
            ("0.1000000", 100_000),
            ("18446744073709.551615", u64::MAX),
        ] {
            assert_eq!(text.parse::<Usdc>(), Ok(Usdc(micros)), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_amount_are_refused_with_the_reason() {
        for (text, says) in [
            ("", "empty"),
            ("USDC", "empty"),
            ("-1", "is no"),
            ("+1", "is no"),
            ("1e6", "is no"),
            (".5", "is no"),
            ("5.", "is no"),
            ("1_", "is no"),
            ("1.2.3", "is no"),
            ("١", "is no"),
            ("0.0000001", "more than 6 decimals"),
            ("18446744073709.551616", "too large"),
            ("99999999999999999999999999", "too large"),
        ] {
            let error = text.parse::<Usdc>().expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn an_error_never_repeats_more_than_a_readable_piece_of_the_text() {
        let error = "x".repeat(10_000).parse::<Usdc>().expect_err("no number").to_string();
        assert!(error.len() < 200, "{error}");
    }

    #[test]
    fn display_shows_at_least_cents_and_nothing_is_hidden() {
        assert_eq!(Usdc(0).to_string(), "0.00 USDC");
        assert_eq!(Usdc(1).to_string(), "0.000001 USDC");
        assert_eq!(Usdc(12_500_000).to_string(), "12.50 USDC");
        assert_eq!(format!("{:>12}", Usdc(1_000_000)), "   1.00 USDC");
    }

    #[test]
    fn a_payment_beyond_the_balance_names_both() {
        let error = Usdc::whole(1).pay(Usdc::whole(2)).expect_err("too much");
        assert_eq!(error.to_string(), "cannot pay 2.00 USDC from 1.00 USDC");
    }

    proptest! {
        #[test]
        fn text_round_trips(micros: u64) {
            let amount = Usdc(micros);
            prop_assert_eq!(amount.to_string().parse::<Usdc>(), Ok(amount));
        }

        #[test]
        fn paying_and_adding_are_inverse_or_refused(balance: u64, amount: u64) {
            let (balance, amount) = (Usdc(balance), Usdc(amount));
            match balance.pay(amount) {
                Ok(left) => prop_assert_eq!(left.receive(amount), Ok(balance)),
                Err(error) => {
                    prop_assert!(amount > balance);
                    prop_assert_eq!(error, MoneyError::Overdraft { balance, amount });
                }
            }
        }

        #[test]
        fn a_split_loses_at_most_the_rounding_and_never_creates(micros: u64, share in 0u32..=1_000_000) {
            let (amount, share) = (Usdc(micros), Ppm::new(share).expect("in range"));
            let (down, up) = (amount.share_down(share), amount.share_up(share));
            prop_assert!(down <= up && up <= amount);
            prop_assert!(up.micros() - down.micros() <= 1);
            let rest = amount.share_up(share.complement());
            prop_assert_eq!(down.receive(rest), Ok(amount));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,64}") {
            let _ = text.parse::<Usdc>().is_ok();
        }

        #[test]
        fn ratio_is_monotone_and_bounded(a: u64, b: u64, whole in 1u64..) {
            let (low, high) = (Usdc(a.min(b)), Usdc(a.max(b)));
            prop_assert!(low.ratio_of(Usdc(whole)) <= high.ratio_of(Usdc(whole)));
            prop_assert!(high.ratio_of(Usdc(whole)) <= Ppm::ONE);
        }
    }
}
