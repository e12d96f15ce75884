//! The kinds of values: how one is read, shown and kept within what is allowed.

use std::fmt;
use std::net::SocketAddr;

use golem_primitives::{Ppm, Usdc};

/// A value as a person wrote it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum RawValue<'a> {
    Bool(bool),
    /// The digits, as written; a number in another radix is given in decimal digits.
    Number(&'a str),
    Text(&'a str),
    /// A list of plain values, each as written.
    List(&'a [String]),
    /// Anything no setting is: its TOML type.
    Other(&'static str),
}

impl fmt::Display for RawValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(digits) => f.write_str(digits),
            // A long text may be a key that was pasted into the wrong place; the line says where it stands.
            Self::Text(text) if text.chars().count() > 20 => f.write_str("a long text"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(_) => f.write_str("a list"),
            Self::Other(kind) => f.write_str(kind),
        }
    }
}

/// The values a setting may take.
#[derive(Debug, Clone, Copy)]
pub enum Allowed<T> {
    Any,
    /// Those between, both ends included.
    Within(T, T),
    /// Those that pass, in words.
    Such {
        is: fn(&T) -> bool,
        words: &'static str,
    },
}

impl<T: Setting> Allowed<T> {
    pub(crate) fn admits(&self, value: &T) -> bool {
        match self {
            Self::Any => true,
            Self::Within(low, high) => value >= low && value <= high,
            Self::Such { is, .. } => is(value),
        }
    }

    /// In words.
    #[must_use]
    pub fn show(&self) -> String {
        match self {
            Self::Any => T::KIND.to_owned(),
            Self::Within(low, high) => format!("{} to {}", low.show(), high.show()),
            Self::Such { words, .. } => (*words).to_owned(),
        }
    }
}

/// A kind of value.
pub trait Setting: Sized + Clone + PartialOrd {
    /// What a person is told to write.
    const KIND: &'static str;

    /// The value, unless it is of another kind.
    fn read(raw: RawValue<'_>) -> Option<Self>;

    /// As it would be written.
    fn show(&self) -> String;
}

impl Setting for bool {
    const KIND: &'static str = "true or false";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        if let RawValue::Bool(value) = raw { Some(value) } else { None }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for u64 {
    const KIND: &'static str = "a whole number of zero or more";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        if let RawValue::Number(digits) = raw { digits.parse().ok() } else { None }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for f64 {
    const KIND: &'static str = "a number";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        let RawValue::Number(digits) = raw else { return None };
        digits.parse().ok().filter(|value: &Self| value.is_finite())
    }

    fn show(&self) -> String {
        format!("{self:?}")
    }
}

impl Setting for Ppm {
    const KIND: &'static str = "a share from 0 to 1 with at most six decimals";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Number(text) | RawValue::Text(text) => text.parse().ok(),
            RawValue::Bool(_) | RawValue::List(_) | RawValue::Other(_) => None,
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for Usdc {
    const KIND: &'static str = "an amount of USDC with at most six decimals";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Number(text) => text.parse().ok(),
            RawValue::Text(text) => {
                let text = text.trim();
                text.strip_prefix('$').unwrap_or(text).trim_end_matches(" USDC").parse().ok()
            }
            RawValue::Bool(_) | RawValue::List(_) | RawValue::Other(_) => None,
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for Option<u64> {
    const KIND: &'static str = "a whole number, or \"none\"";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Text("none") => Some(None),
            raw => u64::read(raw).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), u64::to_string)
    }
}

impl Setting for Option<Usdc> {
    const KIND: &'static str = "an amount of USDC with at most six decimals, or \"\" for none";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Text("") => Some(None),
            raw => Usdc::read(raw).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(String::new, Usdc::to_string)
    }
}

impl Setting for String {
    const KIND: &'static str = "a text in quotes";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        if let RawValue::Text(text) = raw { Some(text.to_owned()) } else { None }
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Setting for Vec<String> {
    const KIND: &'static str = "a text in quotes, or a list of them";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Text(text) => Some(vec![text.to_owned()]),
            RawValue::List(items) => Some(items.to_vec()),
            RawValue::Bool(_) | RawValue::Number(_) | RawValue::Other(_) => None,
        }
    }

    fn show(&self) -> String {
        let quoted: Vec<String> = self.iter().map(|item| format!("{item:?}")).collect();
        format!("[{}]", quoted.join(", "))
    }
}

impl Setting for SocketAddr {
    const KIND: &'static str = "an address such as 127.0.0.1:4021";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        if let RawValue::Text(text) = raw { text.parse().ok() } else { None }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Setting for Option<SocketAddr> {
    const KIND: &'static str = "an address such as 127.0.0.1:9464, or \"\" for none";

    fn read(raw: RawValue<'_>) -> Option<Self> {
        match raw {
            RawValue::Text("") => Some(None),
            raw => SocketAddr::read(raw).map(Some),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(String::new, SocketAddr::to_string)
    }
}
