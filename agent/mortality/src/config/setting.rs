//! One value of a kind: how it is read, shown and bounded.

use std::fmt;

use golem_primitives::{Ppm, Usdc};

use super::profile::Profile;

/// A value as a person wrote it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Raw<'a> {
    Bool(bool),
    /// The digits, as written; a number in another radix is given in decimal digits.
    Number(&'a str),
    Text(&'a str),
    /// Anything no setting is: its TOML type.
    Other(&'static str),
}

impl fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(digits) => f.write_str(digits),
            Self::Text(text) => {
                let short: String = text.chars().take(40).collect();
                write!(f, "{short:?}")
            }
            Self::Other(kind) => f.write_str(kind),
        }
    }
}

/// The values a setting may take, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bounds<T> {
    Any,
    Within(T, T),
}

impl<T: Setting> Bounds<T> {
    fn admits(&self, value: &T) -> bool {
        match self {
            Self::Any => true,
            Self::Within(low, high) => value >= low && value <= high,
        }
    }

    pub(crate) fn show(&self) -> String {
        match self {
            Self::Any => T::KIND.to_owned(),
            Self::Within(low, high) => format!("{} to {}", low.show(), high.show()),
        }
    }
}

/// Why a value was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Not of the kind.
    Kind {
        expected: &'static str,
    },
    OutOfRange {
        bounds: String,
    },
}

/// A kind of value.
pub(crate) trait Setting: Sized + Clone + PartialOrd {
    /// What a person is told to write.
    const KIND: &'static str;
    fn read(raw: Raw<'_>) -> Option<Self>;
    fn show(&self) -> String;
}

/// Reads `raw` into `place` when it is of the kind and within bounds.
pub(crate) fn assign<T: Setting>(place: &mut T, raw: Raw<'_>, bounds: &Bounds<T>) -> Result<(), Refusal> {
    let value = T::read(raw).ok_or(Refusal::Kind { expected: T::KIND })?;
    if !bounds.admits(&value) {
        return Err(Refusal::OutOfRange { bounds: bounds.show() });
    }
    *place = value;
    Ok(())
}

impl Setting for bool {
    const KIND: &'static str = "true or false";

    fn read(raw: Raw<'_>) -> Option<Self> {
        if let Raw::Bool(value) = raw { Some(value) } else { None }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for u64 {
    const KIND: &'static str = "a whole number of zero or more";

    fn read(raw: Raw<'_>) -> Option<Self> {
        if let Raw::Number(digits) = raw { digits.parse().ok() } else { None }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for f64 {
    const KIND: &'static str = "a number";

    fn read(raw: Raw<'_>) -> Option<Self> {
        let Raw::Number(digits) = raw else { return None };
        digits.parse().ok().filter(|value: &Self| value.is_finite())
    }

    fn show(&self) -> String {
        format!("{self:?}")
    }
}

impl Setting for Ppm {
    const KIND: &'static str = "a share from 0 to 1 with at most six decimals";

    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Number(text) | Raw::Text(text) => text.parse().ok(),
            Raw::Bool(_) | Raw::Other(_) => None,
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for Usdc {
    const KIND: &'static str = "an amount of USDC with at most six decimals";

    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Number(text) | Raw::Text(text) => text.parse().ok(),
            Raw::Bool(_) | Raw::Other(_) => None,
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for Option<u64> {
    const KIND: &'static str = "a whole number, or \"none\"";

    fn read(raw: Raw<'_>) -> Option<Self> {
        match raw {
            Raw::Text("none") => Some(None),
            raw => u64::read(raw).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), u64::to_string)
    }
}

impl Setting for Profile {
    const KIND: &'static str = "\"standard\", \"dev\", \"conservative\", \"aggressive\" or \"research\"";

    fn read(raw: Raw<'_>) -> Option<Self> {
        if let Raw::Text(name) = raw { Self::ALL.into_iter().find(|profile| profile.name() == name) } else { None }
    }

    fn show(&self) -> String {
        self.name().to_owned()
    }
}
