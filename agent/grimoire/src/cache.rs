//! The decision cache (G-002): an answer already thought through, while what it rests on stands.

use std::collections::{BTreeMap, BTreeSet};

use golem_primitives::Tick;

use crate::finding::PatternKey;
use crate::id::EntryId;
use crate::regime::Regime;
use crate::shelf::Grimoire;
use crate::status::{Entry, Status};

/// What makes two situations the same: the pattern and the regime.
pub type Situation = (PatternKey, Option<Regime>);

/// A decision kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedDecision {
    /// What was decided.
    pub action: String,
    /// The entries it rests on.
    pub rests_on: BTreeSet<EntryId>,
    /// When it was decided.
    pub decided: Tick,
}

/// Decisions by situation, bounded in number and age. It is never persisted: a restart thinks again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionCache {
    decisions: BTreeMap<Situation, CachedDecision>,
    capacity: usize,
    ttl_ticks: u64,
}

impl DecisionCache {
    /// An empty cache; with no room or no time it keeps nothing.
    #[must_use]
    pub const fn new(capacity: usize, ttl_ticks: u64) -> Self {
        Self { decisions: BTreeMap::new(), capacity, ttl_ticks }
    }

    /// How many decisions are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Keeps a decision; when there is no room the oldest goes, ties by situation.
    pub fn keep(&mut self, situation: Situation, decision: CachedDecision) {
        if self.capacity == 0 {
            return;
        }
        if !self.decisions.contains_key(&situation) && self.decisions.len() >= self.capacity {
            let oldest = self.decisions.iter().min_by_key(|(situation, kept)| (kept.decided, *situation));
            if let Some(oldest) = oldest.map(|(situation, _)| situation.clone()) {
                self.decisions.remove(&oldest);
            }
        }
        self.decisions.insert(situation, decision);
    }

    /// The decision for a situation, if it is young enough and every entry it rests on is still active. What has lapsed is
    /// forgotten.
    pub fn recall(&mut self, situation: &Situation, grimoire: &Grimoire, now: Tick) -> Option<&CachedDecision> {
        let stands = self.decisions.get(situation).is_some_and(|kept| {
            let is_active = |id: &EntryId| grimoire.get(*id).map(Entry::status) == Some(Status::Active);
            now.since(kept.decided) < self.ttl_ticks && kept.rests_on.iter().all(is_active)
        });
        if !stands {
            self.decisions.remove(situation);
        }
        self.decisions.get(situation)
    }

    /// Forgets every decision that rests on an entry which changed.
    pub fn forget_resting_on(&mut self, changed: &BTreeSet<EntryId>) {
        self.decisions.retain(|_, kept| kept.rests_on.is_disjoint(changed));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn situation(pair: &str) -> Situation {
        (PatternKey { tool: "swap".into(), chain: 1, pair: pair.into() }, None)
    }

    fn decision(tick: u64, rests_on: &[EntryId]) -> CachedDecision {
        CachedDecision { action: "wait".into(), rests_on: rests_on.iter().copied().collect(), decided: Tick::new(tick) }
    }

    /// G-002: an answer lives while it is young and its ground stands.
    #[test]
    fn g_002_decisions_lapse_with_time_and_ground() {
        let grimoire = Grimoire::default();
        let mut cache = DecisionCache::new(2, 10);
        cache.keep(situation("a"), decision(100, &[]));
        assert!(cache.recall(&situation("a"), &grimoire, Tick::new(109)).is_some());
        assert!(cache.recall(&situation("a"), &grimoire, Tick::new(110)).is_none(), "the edge is exclusive");
        assert!(cache.is_empty(), "what has lapsed is forgotten");

        let gone = "0192f0c1-5b00-7abc-8def-0123456789ab".parse().expect("a UUID");
        cache.keep(situation("b"), decision(100, &[gone]));
        cache.forget_resting_on(&BTreeSet::from([gone]));
        assert!(cache.is_empty());
        cache.keep(situation("b"), decision(100, &[gone]));
        assert!(cache.recall(&situation("b"), &grimoire, Tick::new(100)).is_none(), "it rests on nothing active");
    }

    proptest! {
        /// G-002: bounded, and the newest stays.
        #[test]
        fn g_002_the_cache_is_bounded(capacity in 0usize..5, pairs in prop::collection::vec("[a-e]", 0..40)) {
            let mut cache = DecisionCache::new(capacity, u64::MAX);
            for (tick, pair) in pairs.iter().enumerate() {
                cache.keep(situation(pair), decision(tick as u64, &[]));
                prop_assert!(cache.len() <= capacity);
                let kept = cache.recall(&situation(pair), &Grimoire::default(), Tick::new(tick as u64));
                prop_assert_eq!(kept.is_some(), capacity > 0);
            }
        }
    }
}
