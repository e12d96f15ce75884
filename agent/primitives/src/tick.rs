//! Age: the number of heartbeats lived.

use std::fmt;
use std::str::FromStr;

use crate::parse::{ParseError, Wanted, fixed_point};

/// A heartbeat's number, from 1 on; 0 is before the first. Tick counts are normative, minutes are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Tick(u64);

impl Tick {
    /// Before the first heartbeat.
    pub const ZERO: Self = Self(0);
    /// The last number there is.
    pub const MAX: Self = Self(u64::MAX);
    /// Nominal length of a tick in seconds.
    pub const NOMINAL_SECONDS: u64 = 40;
    /// Nominal ticks in an hour.
    pub const PER_HOUR: u64 = 90;
    /// Nominal ticks in a day.
    pub const PER_DAY: u64 = 2_160;

    /// The tick of that number.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The following tick; the last one follows itself.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The tick `count` later, or `None` beyond the last.
    #[must_use]
    pub const fn checked_add(self, count: u64) -> Option<Self> {
        match self.0.checked_add(count) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The tick `count` later, or the last there is.
    #[must_use]
    pub const fn saturating_add(self, count: u64) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// Ticks from `earlier` to this one; zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whether a duty due every `period` ticks is due now; a period of zero is never due, and neither is tick 0.
    #[must_use]
    pub const fn is_every(self, period: u64) -> bool {
        period != 0 && self.0 != 0 && self.0.is_multiple_of(period)
    }

    /// Big-endian bytes, as hashed by the death roll (M-096).
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }
}

impl From<u64> for Tick {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Tick {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        fixed_point(text.trim(), 0, Wanted { what: "a tick number", example: "2160" }).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn duties_fall_due_on_multiples_only() {
        assert!(Tick(50).is_every(50) && Tick(100).is_every(50));
        assert!(!Tick(0).is_every(50) && !Tick(51).is_every(50) && !Tick(50).is_every(0));
    }

    #[test]
    fn the_day_is_2160_nominal_ticks() {
        assert_eq!(Tick::PER_DAY * Tick::NOMINAL_SECONDS, 86_400);
        assert_eq!(Tick::PER_HOUR * 24, Tick::PER_DAY);
    }

    proptest! {
        #[test]
        fn text_round_trips_and_time_never_runs_negative(a: u64, b: u64) {
            prop_assert_eq!(Tick(a).to_string().parse(), Ok(Tick(a)));
            let span = Tick(a).since(Tick(b));
            prop_assert!(span == 0 || Tick(b).checked_add(span) == Some(Tick(a)));
            prop_assert!(Tick(a).next() >= Tick(a));
        }
    }
}
