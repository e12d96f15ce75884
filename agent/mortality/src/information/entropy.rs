//! How much of what a Golem sees is new.

use std::collections::{BTreeMap, VecDeque};

/// M-275. The last observations by their hashes, with how often each stands in the window: without the counts, an old
/// observation leaving would take its younger duplicate with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservationWindow {
    capacity: usize,
    order: VecDeque<u64>,
    counts: BTreeMap<u64, u32>,
}

impl ObservationWindow {
    /// An empty window; a capacity of zero holds one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), order: VecDeque::new(), counts: BTreeMap::new() }
    }

    /// Takes an observation and forgets the oldest when the window is full.
    pub fn push(&mut self, hash: u64) {
        if self.order.len() == self.capacity
            && let Some(oldest) = self.order.pop_front()
            && let Some(count) = self.counts.get_mut(&oldest)
        {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&oldest);
            }
        }
        self.order.push_back(hash);
        *self.counts.entry(hash).or_insert(0) += 1;
    }

    /// Distinct observations over all in the window; one when it is empty (M-266).
    #[must_use]
    pub fn entropy_rate(&self) -> f64 {
        if self.order.is_empty() { 1.0 } else { self.counts.len() as f64 / self.order.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn m_275_a_duplicate_survives_the_leaving_of_its_elder() {
        // M-275.
        let mut window = ObservationWindow::new(3);
        assert_eq!(window.entropy_rate(), 1.0);
        for hash in [7, 7, 8, 9] {
            window.push(hash);
        }
        assert_eq!(window.entropy_rate(), 1.0, "7, 8 and 9 are there");
        window.push(9);
        assert_eq!(window.entropy_rate(), 2.0 / 3.0);
    }

    proptest! {
        #[test]
        fn m_275_the_rate_is_that_of_the_window_counted_afresh(hashes in proptest::collection::vec(0u64..6, 0..60)) {
            // M-275.
            let mut window = ObservationWindow::new(7);
            for (i, hash) in hashes.iter().enumerate() {
                window.push(*hash);
                let inside = &hashes[(i + 1).saturating_sub(7)..=i];
                let distinct: std::collections::BTreeSet<_> = inside.iter().collect();
                prop_assert_eq!(window.entropy_rate(), distinct.len() as f64 / inside.len() as f64);
            }
        }
    }
}
