//! Who waits at the door, and what became of who waited (I-080).

use std::collections::VecDeque;
use std::time::Duration;

use golem_primitives::UtcTime;

use super::pipeline::Layer;

/// I-080. Places of an agent.
pub const CAPACITY: usize = 1_000;
/// I-080. How long a decision is kept for whoever wants to look.
pub const AUDIT: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);

/// I-080. Where an arrival stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It waits.
    Pending,
    /// It passed.
    Passed {
        /// When.
        at: UtcTime,
    },
    /// It failed.
    Failed {
        /// When.
        at: UtcTime,
        /// In which layer.
        layer: Layer,
    },
}

/// I-080. The quarantine of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantine<K> {
    places: VecDeque<(K, Standing)>,
    capacity: usize,
}

impl<K: Copy + Eq> Default for Quarantine<K> {
    fn default() -> Self {
        Self::with_capacity(CAPACITY)
    }
}

impl<K: Copy + Eq> Quarantine<K> {
    /// An empty quarantine with room for that many, at least one.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { places: VecDeque::new(), capacity: capacity.max(1) }
    }

    /// How many places are taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether nobody is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Where an arrival stands.
    #[must_use]
    pub fn standing(&self, key: &K) -> Option<Standing> {
        self.places.iter().find(|(known, _)| known == key).map(|(_, standing)| *standing)
    }

    /// Lets an arrival wait, and answers with who had to go: the one that waited longest, or, when all are decided, the
    /// oldest decision.
    pub fn admit(&mut self, key: K, now: UtcTime) -> Option<K> {
        self.forget(now);
        if self.standing(&key).is_some() {
            return None;
        }
        let evicted = (self.places.len() >= self.capacity).then(|| {
            let at = self.places.iter().position(|(_, standing)| *standing == Standing::Pending).unwrap_or(0);
            self.places.remove(at).map(|(key, _)| key)
        });
        self.places.push_back((key, Standing::Pending));
        evicted.flatten()
    }

    /// Notes a decision; one that was made stays.
    pub fn decide(&mut self, key: &K, standing: Standing) {
        let place = self.places.iter_mut().find(|(known, now)| known == key && *now == Standing::Pending);
        if let Some((_, now)) = place {
            *now = standing;
        }
    }

    /// I-080. Forgets decisions older than a week; who waits is not forgotten.
    pub fn forget(&mut self, now: UtcTime) {
        self.places.retain(|(_, standing)| match standing {
            Standing::Pending => true,
            Standing::Passed { at } | Standing::Failed { at, .. } => now.since(*at) <= AUDIT,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-080.
    #[test]
    fn i_080_the_quarantine_is_bounded_and_keeps_a_week_of_decisions() {
        let at = UtcTime::from_seconds;
        let mut quarantine = Quarantine::default();
        for n in 0..CAPACITY {
            assert_eq!(quarantine.admit(n, at(0)), None);
        }
        quarantine.decide(&0, Standing::Passed { at: at(10) });
        quarantine.decide(&1, Standing::Failed { at: at(10), layer: Layer::Consensus });
        assert_eq!(quarantine.admit(1_000, at(20)), Some(2), "the oldest that waits goes, decisions stay");
        assert_eq!(quarantine.admit(1_000, at(20)), None, "twice is once");
        assert_eq!(quarantine.len(), CAPACITY);
        quarantine.decide(&0, Standing::Pending);
        assert_eq!(quarantine.standing(&0), Some(Standing::Passed { at: at(10) }), "a decision stays");
        quarantine.forget(at(10 + 7 * 86_400));
        assert!(quarantine.standing(&0).is_some());
        quarantine.forget(at(11 + 7 * 86_400));
        assert_eq!((quarantine.standing(&0), quarantine.len()), (None, CAPACITY - 2));
        let mut decided = Quarantine::with_capacity(1);
        decided.admit(1, at(0));
        decided.decide(&1, Standing::Passed { at: at(0) });
        assert_eq!(decided.admit(2, at(1)), Some(1));
        assert!(!decided.is_empty());
    }
}
