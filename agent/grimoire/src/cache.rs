//! The decision cache (G-002): an answer already thought through, while what it rests on stands.

use std::collections::{BTreeMap, BTreeSet};

use golem_primitives::Tick;

use crate::id::EntryId;

/// A decision kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CachedDecision<A> {
    pub action: A,
    pub rests_on: BTreeSet<EntryId>,
    pub decided: Tick,
}

/// Decisions by situation, bounded in number and age. What makes two situations the same is for whoever decides to say.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "S: serde::Serialize, A: serde::Serialize",
    deserialize = "S: serde::Deserialize<'de> + Ord, A: serde::Deserialize<'de>"
))]
pub struct DecisionCache<S, A> {
    decisions: BTreeMap<S, CachedDecision<A>>,
    capacity: u32,
    ttl_ticks: u64,
}

impl<S: Ord + Clone, A> DecisionCache<S, A> {
    /// An empty cache; with no room or no time it keeps nothing.
    #[must_use]
    pub const fn new(capacity: u32, ttl_ticks: u64) -> Self {
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

    /// How long a decision answers.
    #[must_use]
    pub const fn ttl_ticks(&self) -> u64 {
        self.ttl_ticks
    }

    /// Keeps a decision; when there is no room the oldest goes, ties by situation.
    pub fn keep(&mut self, situation: S, decision: CachedDecision<A>) {
        if self.capacity == 0 || self.ttl_ticks == 0 {
            return;
        }
        let is_full = u32::try_from(self.decisions.len()).map_or(true, |kept| kept >= self.capacity);
        if is_full && !self.decisions.contains_key(&situation) {
            let oldest = self.decisions.iter().min_by_key(|(situation, kept)| (kept.decided, *situation));
            if let Some(oldest) = oldest.map(|(situation, _)| situation.clone()) {
                self.decisions.remove(&oldest);
            }
        }
        self.decisions.insert(situation, decision);
    }

    /// The decision for a situation, if it is young enough and every entry it rests on still stands. What has lapsed is
    /// forgotten. M-129. A phase may let it live several times as long.
    pub fn recall(
        &mut self,
        situation: &S,
        standing: &BTreeSet<EntryId>,
        now: Tick,
        times: u32,
    ) -> Option<&CachedDecision<A>> {
        let ttl_ticks = self.ttl_ticks.saturating_mul(u64::from(times));
        let stands = self
            .decisions
            .get(situation)
            .is_some_and(|kept| now.since(kept.decided) < ttl_ticks && kept.rests_on.is_subset(standing));
        if !stands {
            self.decisions.remove(situation);
        }
        self.decisions.get(situation)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Cache = DecisionCache<String, &'static str>;

    fn decision(tick: u64, rests_on: &[EntryId]) -> CachedDecision<&'static str> {
        CachedDecision { action: "wait", rests_on: rests_on.iter().copied().collect(), decided: Tick::new(tick) }
    }

    /// G-002: an answer lives while it is young and its ground stands.
    #[test]
    fn g_002_decisions_lapse_with_time_and_ground() {
        let nothing = BTreeSet::new();
        let mut cache = Cache::new(2, 10);
        cache.keep("a".into(), decision(100, &[]));
        assert!(cache.recall(&"a".into(), &nothing, Tick::new(109), 1).is_some());
        assert!(cache.recall(&"a".into(), &nothing, Tick::new(119), 2).is_some(), "M-129: twice as long");
        assert!(cache.recall(&"a".into(), &nothing, Tick::new(110), 1).is_none(), "the edge is exclusive");
        assert!(cache.is_empty(), "what has lapsed is forgotten");

        let ground = "0192f0c1-5b00-7abc-8def-0123456789ab".parse().expect("a UUID");
        cache.keep("b".into(), decision(100, &[ground]));
        assert!(cache.recall(&"b".into(), &BTreeSet::from([ground]), Tick::new(100), 1).is_some());
        assert!(cache.recall(&"b".into(), &nothing, Tick::new(100), 1).is_none(), "it rests on nothing that stands");
        let mut timeless = Cache::new(2, 0);
        timeless.keep("a".into(), decision(100, &[]));
        assert!(timeless.is_empty());
    }

    proptest! {
        /// G-002: bounded, and the newest stays.
        #[test]
        fn g_002_the_cache_is_bounded(capacity in 0u32..5, names in prop::collection::vec("[a-e]", 0..40)) {
            let mut cache = Cache::new(capacity, u64::MAX);
            for (tick, name) in names.iter().enumerate() {
                cache.keep(name.clone(), decision(tick as u64, &[]));
                prop_assert!(cache.len() <= capacity as usize);
                let kept = cache.recall(name, &BTreeSet::new(), Tick::new(tick as u64), 1);
                prop_assert_eq!(kept.is_some(), capacity > 0);
            }
        }
    }
}
