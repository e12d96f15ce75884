//! Wall time in UTC seconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::parse::{ParseError, quote};

/// A moment in whole seconds since 1970 in UTC, the resolution of a block. It is always given, never read from a clock
/// in the pure layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct UtcTime(u64);

impl UtcTime {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);
    /// Seconds in a UTC day.
    pub const DAY_SECONDS: u64 = 86_400;
    /// The latest moment that every time zone can write as a date of year 9999.
    pub const MAX: Self = Self(253_402_207_200);

    /// A moment from seconds since 1970, held at [`UtcTime::MAX`].
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Self {
        if seconds > Self::MAX.0 { Self::MAX } else { Self(seconds) }
    }

    /// Seconds since 1970.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0
    }

    /// The moment `span` later, fractions of a second dropped, held at [`UtcTime::MAX`].
    #[must_use]
    pub const fn plus(self, span: Duration) -> Self {
        Self::from_seconds(self.0.saturating_add(span.as_secs()))
    }

    /// Time passed since `earlier`; zero when a clock ran backwards.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_secs(self.0.saturating_sub(earlier.0))
    }

    /// The number of the UTC day, the unit of daily caps (V-006).
    #[must_use]
    pub const fn day(self) -> u64 {
        self.0 / Self::DAY_SECONDS
    }
}

impl fmt::Display for UtcTime {
    /// RFC 3339: `2026-11-15T02:40:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = i64::try_from(self.0).expect("MAX is far below i64::MAX");
        let moment = jiff::Timestamp::from_second(seconds).expect("MAX is the last second jiff writes");
        f.pad(&moment.to_string())
    }
}

impl FromStr for UtcTime {
    type Err = ParseError;

    /// Reads an RFC 3339 moment with any offset. Fractions of a second are dropped, moments before 1970 refused.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refused =
            || ParseError::NotANumber { text: quote(text), what: "a UTC time", example: "2026-11-15T02:40:00Z" };
        if text.trim().is_empty() {
            return Err(ParseError::Empty { what: "a UTC time", example: "2026-11-15T02:40:00Z" });
        }
        let moment: jiff::Timestamp = text.trim().parse().map_err(|_| refused())?;
        let seconds = u64::try_from(moment.as_second()).map_err(|_| refused())?;
        Ok(Self::from_seconds(seconds))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moments_are_written_and_read_in_rfc_3339() {
        let moment = UtcTime::from_seconds(1_794_700_800);
        assert_eq!(moment.to_string(), "2026-11-15T00:00:00Z");
        assert_eq!("2026-11-15T01:00:00+01:00".parse(), Ok(moment));
        assert_eq!(moment.plus(Duration::from_millis(1_999)).seconds(), 1_794_700_801);
        for text in ["", "yesterday", "1969-12-31T23:59:59Z", "2026-13-01T00:00:00Z", "2026-11-15"] {
            assert!(text.parse::<UtcTime>().is_err(), "{text}");
        }
        assert_eq!(UtcTime::from_seconds(u64::MAX), UtcTime::MAX);
        assert!(UtcTime::MAX.to_string().starts_with("9999-12-30"));
    }

    #[test]
    fn a_day_begins_with_its_first_second() {
        assert_eq!(UtcTime::from_seconds(86_399).day(), 0);
        assert_eq!(UtcTime::from_seconds(86_400).day(), 1);
    }

    proptest! {
        #[test]
        fn text_round_trips(seconds in 0..=UtcTime::MAX.0) {
            let moment = UtcTime(seconds);
            prop_assert_eq!(moment.to_string().parse(), Ok(moment));
        }

        #[test]
        fn a_clock_that_runs_backwards_is_no_time(a: u64, b: u64) {
            let (a, b) = (UtcTime::from_seconds(a), UtcTime::from_seconds(b));
            prop_assert_eq!(a.since(b) > Duration::ZERO, a > b);
            prop_assert_eq!(a.min(b).plus(a.max(b).since(a.min(b))), a.max(b));
        }
    }
}
