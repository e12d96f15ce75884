//! Integration: what a cycle leaves, and what it thinks of itself. What it found of rules is tried by the book alone.

pub mod journal;
pub mod quality;

/// D-241. Words of what no dream may speak of changing.
const PROTECTED: [&str; 9] = [
    "policycage",
    "policy cage",
    "policy_cage",
    "risk limit",
    "risk_limit",
    "risklimit",
    "constitution",
    "spending limit",
    "kill switch",
];

/// D-241. Whether a text speaks of limits or the constitution.
#[must_use]
pub fn is_protected(text: &str) -> bool {
    let text = text.to_lowercase();
    PROTECTED.iter().any(|word| text.contains(word))
}
