//! Three values: what is seen, what is seen not to be, and what cannot be seen.

/// S-067. What a predicate says. Unknown neither raises nor resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    False,
    /// Cannot be seen: a feed is down, samples are too few.
    Unknown,
    True,
}

impl Truth {
    /// Both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// The contrary.
    #[must_use]
    pub const fn contrary(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }

    /// Whether it is seen.
    #[must_use]
    pub const fn is_seen(self) -> bool {
        matches!(self, Self::True)
    }
}

impl From<bool> for Truth {
    fn from(seen: bool) -> Self {
        if seen { Self::True } else { Self::False }
    }
}

/// S-125. A number that is known, that cannot be read now, or whose clock does not hold for this Golem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading<T> {
    Known(T),
    /// It cannot be read now, or rests on too few samples.
    Unknown,
    /// There is no such clock: the term falls away, so that nothing is endangered by it and nothing waits for it.
    Off,
}

impl<T: Copy> Reading<T> {
    /// What a test says of it; `None` when the term falls away.
    pub fn test(self, test: impl FnOnce(T) -> bool) -> Option<Truth> {
        match self {
            Self::Known(value) => Some(test(value).into()),
            Self::Unknown => Some(Truth::Unknown),
            Self::Off => None,
        }
    }

    /// The number, if it is known.
    pub const fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unknown | Self::Off => None,
        }
    }
}

/// All of the terms that hold; unknown when none does.
pub(crate) fn all<const N: usize>(terms: [Option<Truth>; N]) -> Truth {
    terms.into_iter().flatten().reduce(Truth::and).unwrap_or(Truth::Unknown)
}

/// Any of the terms that hold; unknown when none does.
pub(crate) fn any<const N: usize>(terms: [Option<Truth>; N]) -> Truth {
    terms.into_iter().flatten().reduce(Truth::or).unwrap_or(Truth::Unknown)
}

#[cfg(test)]
mod tests {
    use super::Truth::{False, True, Unknown};
    use super::*;

    /// S-067: the tables of three values.
    #[test]
    fn s_067_three_values() {
        assert_eq!((True.and(Unknown), False.and(Unknown), True.and(True)), (Unknown, False, True));
        assert_eq!((True.or(Unknown), False.or(Unknown), False.or(False)), (True, Unknown, False));
        assert_eq!([True, Unknown, False].map(Truth::contrary), [False, Unknown, True]);
        assert!(True.is_seen() && !Unknown.is_seen() && !False.is_seen());
    }

    /// S-125: a clock that does not hold falls away; none at all is unknown.
    #[test]
    fn s_125_absent_clocks_fall_away() {
        let low = |reading: Reading<u32>| reading.test(|value| value < 5);
        assert_eq!(any([low(Reading::Off), low(Reading::Known(9))]), False);
        assert_eq!(all([low(Reading::Off), low(Reading::Known(3))]), True);
        assert_eq!(all([low(Reading::Unknown), low(Reading::Known(3))]), Unknown);
        assert_eq!(any([low(Reading::Off), low(Reading::Off)]), Unknown);
    }
}
