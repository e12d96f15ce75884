//! Shares and deviations: parts per million and basis points.

use std::fmt;
use std::str::FromStr;

use crate::parse::{ParseError, Wanted, fixed_point};

/// A share in [0, 1] as an integer number of parts per million.
///
/// Scores are computed in `f64` and rounded once to this, so that phases, hashes and screens compare integers: in
/// `f64`, 0.1 + 0.05 is 0.15000000000000002, and a life at exactly 0.15 would never climb out of Terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Ppm(u32);

impl Ppm {
    /// None of it.
    pub const ZERO: Self = Self(0);
    /// All of it.
    pub const ONE: Self = Self(1_000_000);

    /// A share, or `None` above one.
    #[must_use]
    pub const fn new(parts: u32) -> Option<Self> {
        if parts <= Self::ONE.0 { Some(Self(parts)) } else { None }
    }

    /// A share for constants and tables; more than one is a programming error.
    ///
    /// # Panics
    /// Above one million parts. In a constant this is a compile error.
    #[must_use]
    pub const fn of(parts: u32) -> Self {
        assert!(parts <= Self::ONE.0, "a share is at most one million parts");
        Self(parts)
    }

    /// A share from a count of parts, held at one.
    #[must_use]
    pub const fn saturating(parts: u64) -> Self {
        if parts >= Self::ONE.0 as u64 { Self::ONE } else { Self(parts as u32) }
    }

    /// Rounds a score to the nearest part, half away from zero, held in [0, 1]; a NaN is zero, the worse score.
    #[must_use]
    pub fn round(score: f64) -> Self {
        // `as` saturates and sends NaN to zero, which is exactly the reading wanted.
        Self::saturating((score * f64::from(Self::ONE.0) + 0.5) as u64)
    }

    /// The number of parts.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The share as a number in [0, 1].
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE.0)
    }

    /// What is missing to one.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(Self::ONE.0 - self.0)
    }

    /// The sum, held at one.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self::saturating(self.0 as u64 + other.0 as u64)
    }

    /// The difference, held at zero.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The product of both shares, rounded down.
    #[must_use]
    pub const fn times_down(self, other: Self) -> Self {
        Self((self.0 as u64 * other.0 as u64 / Self::ONE.0 as u64) as u32)
    }
}

impl fmt::Display for Ppm {
    /// As a number in [0, 1] with as many decimals as it needs, at least two: `0.70`, `0.689974`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:06}", self.0 % Self::ONE.0);
        let needed = digits.trim_end_matches('0').len().max(2);
        f.pad(&format!("{}.{}", self.0 / Self::ONE.0, &digits[..needed]))
    }
}

impl FromStr for Ppm {
    type Err = ParseError;

    /// Reads `0.7`, `1`, or `70%`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wanted = Wanted { what: "a share between 0 and 1", example: "0.05 or 5%" };
        let text = text.trim();
        let parts = match text.strip_suffix('%') {
            Some(percent) => fixed_point(percent.trim_end(), 4, wanted)?,
            None => fixed_point(text, 6, wanted)?,
        };
        u32::try_from(parts)
            .ok()
            .and_then(Self::new)
            .ok_or_else(|| ParseError::TooLarge { text: crate::parse::quote(text), what: wanted.what })
    }
}

impl<'de> serde::Deserialize<'de> for Ppm {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = u32::deserialize(deserializer)?;
        Self::new(parts).ok_or_else(|| serde::de::Error::custom(format!("{parts} parts per million are more than one")))
    }
}

/// A signed ratio in basis points (1/100 of a percent).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Bps(i32);

impl Bps {
    /// No deviation.
    pub const ZERO: Self = Self(0);
    /// The whole.
    pub const ONE: Self = Self(10_000);
    /// The largest value held.
    pub const MAX: Self = Self(i32::MAX);
    /// The smallest value held.
    pub const MIN: Self = Self(i32::MIN);

    /// A ratio held at the range of the type.
    #[must_use]
    pub const fn saturating(points: i128) -> Self {
        if points > i32::MAX as i128 {
            Self::MAX
        } else if points < i32::MIN as i128 {
            Self::MIN
        } else {
            Self(points as i32)
        }
    }

    /// The number of basis points.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The distance from zero.
    #[must_use]
    pub const fn magnitude(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// Whether the ratio lies within `bound` of zero, the bound included.
    #[must_use]
    pub const fn is_within(self, bound: Self) -> bool {
        self.magnitude() <= bound.magnitude()
    }

    /// The sum, or `None` out of range.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

impl From<i32> for Bps {
    fn from(points: i32) -> Self {
        Self(points)
    }
}

impl fmt::Display for Bps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} bps", self.0))
    }
}

impl FromStr for Bps {
    type Err = ParseError;

    /// Reads `-50`, `100 bps`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wanted = Wanted { what: "a number of basis points", example: "100 bps" };
        let number = text.trim();
        let number = number.strip_suffix("bps").map_or(number, str::trim_end);
        let (negative, digits) = number.strip_prefix('-').map_or((false, number), |rest| (true, rest));
        let points = i128::from(fixed_point(digits, 0, wanted)?) * if negative { -1 } else { 1 };
        i32::try_from(points)
            .map(Self)
            .map_err(|_| ParseError::TooLarge { text: crate::parse::quote(text), what: wanted.what })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_are_read_as_numbers_and_percent() {
        for (text, parts) in
            [("0", 0), ("1", 1_000_000), ("0.05", 50_000), ("5%", 50_000), ("100 %", 1_000_000), ("0.0001%", 1)]
        {
            assert_eq!(text.parse::<Ppm>(), Ok(Ppm::of(parts)), "{text}");
        }
        for text in ["1.000001", "101%", "-0.1", "0.0000001", "%", "0.00001%"] {
            assert!(text.parse::<Ppm>().is_err(), "{text}");
        }
    }

    #[test]
    fn rounding_meets_the_edges_of_the_phases_exactly() {
        for (score, parts) in [
            (0.1 + 0.05, 150_000),
            (0.7, 700_000),
            (f64::NAN, 0),
            (-3.0, 0),
            (7.0, 1_000_000),
            (f64::INFINITY, 1_000_000),
            (4.9e-7, 0),
            (5e-7, 1),
        ] {
            assert_eq!(Ppm::round(score), Ppm::of(parts), "{score}");
        }
    }

    #[test]
    fn basis_points_are_read_and_bounded() {
        assert_eq!("-50 bps".parse(), Ok(Bps(-50)));
        assert_eq!("100".parse(), Ok(Bps(100)));
        assert!("2147483648".parse::<Bps>().is_err());
        assert!("--5".parse::<Bps>().is_err());
        assert!(Bps(-50).is_within(Bps(50)) && !Bps(51).is_within(Bps(50)));
        assert!(!Bps::MIN.is_within(Bps::MAX), "the magnitude of the smallest value does not wrap");
    }

    proptest! {
        #[test]
        fn shares_round_trip(parts in 0u32..=1_000_000) {
            let share = Ppm::of(parts);
            prop_assert_eq!(share.to_string().parse::<Ppm>(), Ok(share));
            prop_assert_eq!(Ppm::round(share.as_f64()), share);
            prop_assert_eq!(share.complement().complement(), share);
        }

        #[test]
        fn points_round_trip(points: i32) {
            prop_assert_eq!(Bps(points).to_string().parse::<Bps>(), Ok(Bps(points)));
        }

        #[test]
        fn products_never_exceed_a_factor(a in 0u32..=1_000_000, b in 0u32..=1_000_000) {
            let product = Ppm::of(a).times_down(Ppm::of(b));
            prop_assert!(product <= Ppm::of(a.min(b)));
        }
    }
}
