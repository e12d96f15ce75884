//! What was thought beside the ticks: quotes, diagnoses, claims.

use golem_mortality::economic::tier::Tier;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use crate::deliberation::Rationale;

/// Lessons of one reflection that are kept.
pub const MOST_LESSONS: usize = 5;

/// What a thought of each kind costs at most, T0 to T3; `None` where nobody serves it or the owner does not
/// want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StudyQuotes {
    /// M-067. Looking at what went wrong.
    pub reflection: [Option<Usdc>; 4],
    /// G-142. Pressing episodes into claims.
    pub distillation: [Option<Usdc>; 4],
    /// M-195. The one look back.
    pub last_words: [Option<Usdc>; 4],
}

/// What kind of cause a model names. A word among these, and it decides nothing (M-010).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissCause {
    /// The market is another one than it was.
    RegimeChange,
    /// A rule is wrong.
    BadRule,
    /// Fees and gas.
    Costs,
    /// What was sent is not what was meant.
    Execution,
    /// What was read is wrong.
    BadData,
    /// Nothing but chance.
    Chance,
    /// The record is too thin to tell.
    Unclear,
}

impl MissCause {
    /// Each with the word a model says for it.
    pub const WORDS: [(&'static str, Self); 7] = [
        ("regime_change", Self::RegimeChange),
        ("bad_rule", Self::BadRule),
        ("costs", Self::Costs),
        ("execution", Self::Execution),
        ("bad_data", Self::BadData),
        ("chance", Self::Chance),
        ("unclear", Self::Unclear),
    ];

    /// The cause of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, cause)| cause)
    }

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.into_iter().find(|(_, cause)| *cause == self).map_or("unclear", |(name, _)| name)
    }
}

/// M-067, R-032. What a model made of the misses: for people, and bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// The kind of cause.
    pub cause: MissCause,
    /// How sure, in percent.
    pub certainty: u8,
    /// Conditions and what to expect under them.
    pub lessons: Vec<Rationale>,
}

/// M-067. A reflection that a model took part in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconsidered {
    /// M-010. Whether fitness rose since: measured, never asked.
    pub improved: bool,
    /// What the model said; `None` when it did not answer.
    pub diagnosis: Option<Diagnosis>,
}

/// M-067. A reflection is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// The effect that asked.
    pub effect: EffectId,
    /// What the model cost.
    pub cost: Usdc,
    /// What came of it.
    pub reconsidered: Reconsidered,
}

/// G-142. What a model's distillation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distilled {
    /// How large a model was asked.
    pub tier: Tier,
    /// Claims it made.
    pub claimed: u8,
    /// Claims that stand as candidates now; the rest was known, refused or out of bounds.
    pub admitted: u8,
}
