//! What a condition says, whatever its spelling.

use std::collections::BTreeMap;

use crate::observable::Observable;
use crate::rule::{Comparison, Condition, Join, Relation};

/// The values a word may have, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Between {
    least: i64,
    most: i64,
}

impl Between {
    fn of(comparison: &Comparison) -> Self {
        let all = Self::any(comparison.word);
        let at = comparison.threshold;
        // Values are whole numbers, so the strict relations end one before.
        match comparison.relation {
            Relation::AtMost => Self { most: at, ..all },
            Relation::Below => Self { most: at.saturating_sub(1), ..all },
            Relation::AtLeast => Self { least: at, ..all },
            Relation::Above => Self { least: at.saturating_add(1), ..all },
        }
    }

    fn any(word: Observable) -> Self {
        let (row, _) = word.row();
        Self { least: row.least, most: row.most }
    }

    fn both(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    const fn is_empty(self) -> bool {
        self.least > self.most
    }

    const fn is_within(self, other: Self) -> bool {
        self.least >= other.least && self.most <= other.most
    }
}

/// A group of comparisons that must all hold, as what it leaves to each word.
type Group = BTreeMap<Observable, Between>;

fn group(comparisons: &[Comparison]) -> Group {
    let mut group = Group::new();
    for comparison in comparisons {
        let between = Between::of(comparison);
        group.entry(comparison.word).and_modify(|old| *old = old.both(between)).or_insert(between);
    }
    group
}

impl Condition {
    /// Its alternatives: of each, all comparisons must hold. Sorted, and none twice.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Vec<Comparison>> {
        let mut alternatives: Vec<Vec<Comparison>> = Vec::new();
        for (place, (join, comparison)) in self.parts.iter().enumerate() {
            match alternatives.last_mut() {
                Some(all) if place > 0 && *join == Join::And => all.push(*comparison),
                _ => alternatives.push(vec![*comparison]),
            }
        }
        for all in &mut alternatives {
            all.sort_unstable();
            all.dedup();
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        alternatives
    }

    /// Whether some look could satisfy it.
    #[must_use]
    pub fn can_hold(&self) -> bool {
        self.alternatives().iter().any(|all| !group(all).values().any(|between| between.is_empty()))
    }

    /// Whether `other` holds wherever this does, as far as ranges tell: every alternative here lies within one there.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        let theirs: Vec<Group> = other.alternatives().iter().map(|all| group(all)).collect();
        self.alternatives().iter().map(|all| group(all)).all(|mine| {
            let has = |word: &Observable| mine.get(word).copied().unwrap_or_else(|| Between::any(*word));
            theirs.iter().any(|their| their.iter().all(|(word, between)| has(word).is_within(*between)))
        })
    }
}
