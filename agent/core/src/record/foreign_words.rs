//! Words of somebody else in a record.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// Somebody else's words: printable, at most so many characters, and read by nobody who decides.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct ForeignWords<const CHARS: usize>(Box<str>);

impl<const CHARS: usize> ForeignWords<CHARS> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const CHARS: usize> From<&str> for ForeignWords<CHARS> {
    /// Strips control characters and cuts at the bound.
    fn from(text: &str) -> Self {
        let kept = text.chars().filter(|letter| !letter.is_control()).take(CHARS);
        Self(kept.collect::<String>().into_boxed_str())
    }
}

impl<'de, const CHARS: usize> Deserialize<'de> for ForeignWords<CHARS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(String::deserialize(deserializer)?.as_str().into())
    }
}

impl<const CHARS: usize> fmt::Display for ForeignWords<CHARS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
