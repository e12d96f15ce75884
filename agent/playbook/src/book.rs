//! A PLAYBOOK.

use crate::rule::Rule;

/// Rules a book may have (P-006).
pub const RULES: usize = 256;

/// What a Golem acts by.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Book {
    pub title: String,
    pub rules: Vec<Rule>,
}

/// The founding books that ship with the program, by name.
const FOUNDING: [(&str, &str); 3] = [
    ("mean-reversion", include_str!("../founding/mean-reversion.md")),
    ("momentum", include_str!("../founding/momentum.md")),
    ("range-liquidity", include_str!("../founding/range-liquidity.md")),
];

impl Book {
    /// P-008. The names of the founding books.
    pub fn founding_names() -> impl Iterator<Item = &'static str> {
        FOUNDING.iter().map(|(name, _)| *name)
    }

    /// P-008. A founding book as it ships: text to start from.
    #[must_use]
    pub fn founding_text(name: &str) -> Option<&'static str> {
        FOUNDING.iter().find(|(founding, _)| *founding == name).map(|(_, text)| *text)
    }

    /// P-008. A founding book.
    ///
    /// # Panics
    /// Never: a test reads every one of them.
    #[must_use]
    pub fn founding(name: &str) -> Option<Self> {
        Self::founding_text(name).map(|text| text.parse().expect("a founding book has no mistake"))
    }

    /// The rule of a name.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

#[cfg(test)]
#[path = "tests/founding.rs"]
mod tests;
