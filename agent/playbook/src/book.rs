//! A PLAYBOOK.

use crate::rule::Rule;

/// Rules a book may have (P-006).
pub const RULES: usize = 256;

/// What a Golem acts by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Book {
    /// The title of its file.
    pub title: String,
    /// Its rules in the order they are written.
    pub rules: Vec<Rule>,
}
