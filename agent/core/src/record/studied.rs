//! What was thought beside the ticks: quotes, diagnoses, claims.

use golem_mortality::economic::tier::Tier;
use golem_playbook::Book;
use golem_playbook::rule::Rule;
use golem_primitives::{EffectId, Usdc, words};
use serde::{Deserialize, Serialize};

use crate::deliberation::Rationale;

/// Lessons of one reflection that are kept.
pub const MOST_LESSONS: usize = 5;
/// P-074. Rules of one reflection that are read.
pub const MOST_RULES: usize = 2;
const MOST_NAME: usize = 24;

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

words! {
    /// What kind of cause a model names. A word among these, and it decides nothing (M-010).
    MissCause {
        /// The market is another one than it was.
        RegimeChange = "regime_change",
        /// A rule is wrong.
        BadRule = "bad_rule",
        /// Fees and gas.
        Costs = "costs",
        /// What was sent is not what was meant.
        Execution = "execution",
        /// What was read is wrong.
        BadData = "bad_data",
        /// Nothing but chance.
        Chance = "chance",
        /// The record is too thin to tell.
        Unclear = "unclear",
    }
}

/// M-067, R-032. What a model made of the misses: for people, and bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosis {
    pub cause: MissCause,
    /// How sure, in percent.
    pub certainty: u8,
    /// Conditions and what to expect under them.
    pub lessons: Vec<Rationale>,
    /// P-074. Rules it proposes, read in the language of the book; tried like a stranger's.
    pub rules: Vec<Rule>,
}

/// P-074. A rule as a model says it: its parts in the words of a book, a part it has none of as an empty text.
#[derive(Debug, Clone, Copy)]
pub struct SaidRule<'a> {
    pub name: &'a str,
    /// When it wakes.
    pub when: &'a str,
    pub action: &'a str,
    /// When it sleeps again.
    pub until: &'a str,
    /// What it promises.
    pub expects: &'a str,
    pub because: &'a str,
}

impl SaidRule<'_> {
    /// The rule, if a book would take it as it is said. Its name says whose it is, so that it stands for nobody else's, and it
    /// speaks of no pool.
    #[must_use]
    pub fn read(&self) -> Option<Rule> {
        let parts = [("when", self.when), ("do", self.action), ("until", self.until), ("expects", self.expects)];
        let parts = parts.into_iter().chain([("because", self.because)]);
        let name: String = self.name.to_ascii_lowercase().chars().take(MOST_NAME).collect();
        let words: Vec<&str> = name.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let mut text = format!("# Proposed\n\n### model-{}\n", words.join("-"));
        for (part, said) in parts.filter(|(_, said)| !said.trim().is_empty()) {
            // A part is a line: what would begin another is no part.
            if said.contains(['\n', '\r']) {
                return None;
            }
            text.push_str(&format!("- {part}: {}\n", said.trim()));
        }
        let Ok(Book { mut rules, .. }) = text.parse::<Book>() else { return None };
        let rule = rules.pop().filter(|_| rules.is_empty())?;
        rule.pool.is_none().then_some(rule)
    }
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
    pub effect: EffectId,
    /// What the model cost.
    pub cost: Usdc,
    pub reconsidered: Reconsidered,
}

/// G-142. What a model's distillation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distilled {
    /// How large a model was asked.
    pub tier: Tier,
    pub claimed: u8,
    /// Claims that stand as candidates now; the rest was known, refused or out of bounds.
    pub admitted: u8,
}
