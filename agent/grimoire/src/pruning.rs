//! How fast the Grimoire shrinks, as the epistemic clock asks (G-077, M-065).

use std::collections::BTreeMap;

use golem_mortality::epistemic::clock::erosion;
use golem_primitives::{Ppm, Tick};

/// Ticks over which pruning counts.
pub const WINDOW_TICKS: u64 = 500;

/// What was archived in the last 500 ticks, and how much there was when they began.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PruningWindow {
    /// Archived and active-before by tick; no tick older than the window stays but the last before it.
    cycles: BTreeMap<Tick, (u32, u32)>,
}

/// G-077. What the epistemic clock is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PruningRate {
    /// Archived in this cycle.
    pub archived: u32,
    /// Archived in the last 500 ticks.
    pub archived_recently: u32,
    /// Active when they began.
    pub active_at_start: u32,
}

impl PruningRate {
    /// G-077. The share of the Grimoire lost, by which the clock lowers its score.
    #[must_use]
    pub fn erosion(&self) -> Ppm {
        erosion(self.archived_recently, self.active_at_start)
    }
}

impl PruningWindow {
    /// Notes a cycle that found `active` entries and archived `archived`. A tick told twice counts its archivals
    /// together; one that ran backwards out of the window is dropped with it.
    pub fn note(&mut self, tick: Tick, active: u32, archived: u32) -> PruningRate {
        let entry = self.cycles.entry(tick).or_insert((0, active));
        entry.0 = entry.0.saturating_add(archived);
        let newest = self.cycles.keys().next_back().copied().unwrap_or(tick);
        self.cycles.retain(|noted, _| newest.since(*noted) < WINDOW_TICKS);
        PruningRate {
            archived,
            archived_recently: self.cycles.values().fold(0, |sum, (gone, _)| sum.saturating_add(*gone)),
            active_at_start: self.cycles.values().next().map_or(0, |(_, active)| *active),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// G-077: a fast-shrinking Grimoire erodes fitness, and the window forgets.
    #[test]
    fn g_077_pruning_is_handed_to_the_epistemic_clock() {
        let mut window = PruningWindow::default();
        assert_eq!(window.note(Tick::new(50), 100, 10).erosion(), Ppm::of(100_000));
        let rate = window.note(Tick::new(100), 90, 15);
        assert_eq!(rate, PruningRate { archived: 15, archived_recently: 25, active_at_start: 100 });
        assert_eq!(rate.erosion(), Ppm::of(250_000));
        let later = window.note(Tick::new(550), 75, 0);
        assert_eq!((later.archived_recently, later.active_at_start), (15, 90), "500 ticks ago is outside");
        assert_eq!(window.note(Tick::new(10_000), 0, 0).erosion(), Ppm::ZERO, "no Grimoire, no loss");
    }

    proptest! {
        /// G-077: the window holds at most what was noted within 500 ticks.
        #[test]
        fn g_077_only_the_window_counts(cycles in prop::collection::vec((1u64..100, 0u32..50), 1..60)) {
            let (mut window, mut tick, mut noted) = (PruningWindow::default(), 0, Vec::new());
            for (gap, archived) in cycles {
                tick += gap;
                noted.push((tick, archived));
                let expected: u32 = noted.iter().filter(|(at, _)| tick - at < 500).map(|(_, gone)| gone).sum();
                prop_assert_eq!(window.note(Tick::new(tick), 100, archived).archived_recently, expected);
            }
        }
    }
}
