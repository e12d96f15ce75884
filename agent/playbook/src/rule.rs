//! P-002, P-004. A rule: when it wakes, what it wants while it is awake, and until when.

use arrayvec::ArrayVec;
use golem_primitives::{PoolName, Ppm};

use crate::observable::{NOTHING, Observable, Seen, Stance, WordSet};

/// How a value stands to a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
}

impl Relation {
    /// Whether it holds. All four are one comparison, turned round or denied, so that there is nothing to branch on: which
    /// relation comes next no processor can guess.
    #[inline]
    pub(crate) const fn holds(self, value: i64, threshold: i64) -> bool {
        let (less, more) = match self {
            Self::AtMost | Self::Above => (threshold, value),
            Self::AtLeast | Self::Below => (value, threshold),
        };
        (less < more) != matches!(self, Self::AtMost | Self::AtLeast)
    }
}

/// One comparison of a word with a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Comparison {
    pub word: Observable,
    pub relation: Relation,
    /// To what, in the whole numbers of the word's unit.
    pub threshold: i64,
}

impl Comparison {
    /// Whether it holds; a word without a value holds nothing.
    #[must_use]
    #[inline]
    pub fn holds(&self, seen: &Seen, own: &Stance) -> bool {
        let value = seen.value(self.word, own);
        value != NOTHING && self.relation.holds(value, self.threshold)
    }
}

/// What joins a comparison to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Join {
    /// Both must hold. Binds tighter than `or`, as people read it.
    And,
    /// Either is enough.
    Or,
}

/// Comparisons a condition may have.
pub const COMPARISONS: usize = 4;

/// One to four comparisons. The join of the first is never read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Condition {
    /// Each with what joins it to the one before.
    pub parts: ArrayVec<(Join, Comparison), COMPARISONS>,
}

impl Condition {
    pub(crate) fn of<const PARTS: usize>(parts: [(Join, Comparison); PARTS]) -> Self {
        Self { parts: parts.into_iter().collect() }
    }

    /// Whether all comparisons must hold, so that one more narrows the whole: `and` binds tighter than `or`, and behind an
    /// `or` it would narrow the last part alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.parts.iter().skip(1).all(|(join, _)| *join == Join::And)
    }

    /// Whether it holds.
    #[must_use]
    #[inline]
    pub fn holds(&self, seen: &Seen, own: &Stance) -> bool {
        let Some(((_, first), rest)) = self.parts.split_first() else { return false };
        let first = first.holds(seen, own);
        if rest.is_empty() { first } else { joined(first, rest, seen, own) }
    }

    fn words(&self) -> WordSet {
        let each = self.parts.iter().map(|(_, comparison)| WordSet::of(comparison.word));
        each.fold(WordSet::NONE, WordSet::with)
    }
}

/// Whether a condition holds whose first comparison does or does not. Apart, so that asking the first is short.
fn joined(first: bool, rest: &[(Join, Comparison)], seen: &Seen, own: &Stance) -> bool {
    let mut all = first;
    for (join, comparison) in rest {
        match join {
            Join::Or if all => return true,
            Join::Or => all = comparison.holds(seen, own),
            Join::And => all = all && comparison.holds(seen, own),
        }
    }
    all
}

/// How a share of the capital is put to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Manner {
    /// It stands in the token.
    #[default]
    Hold,
    /// It is liquidity around the price, half in the token, followed when the price leaves it.
    Provide {
        /// From the price by one and this, down, to the price times it, up.
        width: Ppm,
    },
}

/// What a rule wants while it is awake.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Action {
    /// `hold 60%`: this share of the capital a trade may use stands in the token.
    Hold { share: Ppm },
    /// `provide 4% 50%`: liquidity this far around the price, with this share, followed when the price leaves it.
    Provide {
        /// Half the width, by the price.
        width: Ppm,
        share: Ppm,
    },
    /// `at most 30%`: a guard.
    AtMost {
        /// The most exposure while it is awake.
        share: Ppm,
    },
    /// `wait 20`: a guard; no entry for this many looks after it woke.
    Wait { looks: u16 },
    /// `no entries`: a guard.
    NoEntries,
    /// `tighten until gain <= -0.5%`: a guard; whatever holds leaves when this holds too.
    Tighten {
        /// The closer end.
        until: Condition,
    },
}

impl Action {
    /// Whether it can only take away.
    #[must_use]
    pub const fn is_guard(&self) -> bool {
        !matches!(self, Self::Hold { .. } | Self::Provide { .. })
    }

    /// How it puts capital to use; a guard puts none.
    #[must_use]
    pub const fn manner(&self) -> Option<Manner> {
        match self {
            Self::Hold { .. } => Some(Manner::Hold),
            Self::Provide { width, .. } => Some(Manner::Provide { width: *width }),
            Self::AtMost { .. } | Self::Wait { .. } | Self::NoEntries | Self::Tighten { .. } => None,
        }
    }
}

/// `+0.7% within 200`: what a rule says it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Expectation {
    /// Millionths of what is at stake.
    pub return_ppm: i64,
    /// Looks.
    pub within: u32,
}

/// A rule of a book.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rule {
    /// Unique in its book: small letters, digits and dashes.
    pub name: String,
    /// P-057. The pool it speaks of; of all where it names none.
    pub pool: Option<PoolName>,
    pub when: Condition,
    pub action: Action,
    /// When it sleeps again; a guard may have none and then is awake as long as `when` holds.
    pub until: Option<Condition>,
    pub expects: Option<Expectation>,
    pub because: Option<String>,
    /// What nobody knows of it yet (G-166).
    pub asks: Option<String>,
}

impl Rule {
    /// The words of the market it asks.
    pub(crate) fn words(&self) -> WordSet {
        let closer = match &self.action {
            Action::Tighten { until } => Some(until),
            _ => None,
        };
        let conditions = [Some(&self.when), self.until.as_ref(), closer].into_iter().flatten();
        conditions.map(Condition::words).fold(WordSet::NONE, WordSet::with)
    }

    /// P-057. Whether it speaks of a pool.
    #[must_use]
    pub fn speaks_of(&self, pool: PoolName) -> bool {
        self.pool.is_none_or(|named| named == pool)
    }
}

#[cfg(test)]
#[path = "tests/rule.rs"]
mod tests;
