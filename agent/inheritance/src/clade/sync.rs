//! When something goes out, and how what came in reaches a Golem (I-104 to I-108, I-112).

use golem_mortality::fractal::CURATOR_TICKS;
use golem_primitives::Tick;
use golem_primitives::words;

/// I-104. Ticks between batches: those of the Curator, after whose round they run.
pub const BATCH_TICKS: u64 = CURATOR_TICKS;
/// I-112. Entries of a page at boot.
pub const PAGE: usize = 1_000;
/// I-112. Ticks between comparisons of counts.
pub const RECONCILE_TICKS: u64 = 100;

words! {
    /// I-106. What sets a sync off.
    Trigger {
        /// At once: warnings, bloodstains, critical alerts, regime shifts (I-107).
        Immediate = "immediate",
        /// With the Curator.
        Batch = "batch",
        /// When asked for.
        FullPull = "full_pull",
    }
}

words! {
    /// What there is to sync.
    Matter {
        /// An entry.
        Entry = "entry",
        /// A warning.
        Warning = "warning",
        /// A bloodstain.
        Bloodstain = "bloodstain",
        /// A critical alert.
        CriticalAlert = "critical_alert",
        /// The shift of a regime.
        RegimeShift = "regime_shift",
        /// A request for everything.
        Everything = "everything",
    }
}

impl Matter {
    /// I-106, I-107. What sets it off.
    #[must_use]
    pub const fn trigger(self) -> Trigger {
        match self {
            Self::Entry => Trigger::Batch,
            Self::Warning | Self::Bloodstain | Self::CriticalAlert | Self::RegimeShift => Trigger::Immediate,
            Self::Everything => Trigger::FullPull,
        }
    }
}

/// I-104, I-105. Whether a batch goes out: on the Curator's tick, after its round, and only with something new to say.
#[must_use]
pub const fn is_batch_due(tick: Tick, has_curated: bool, new_eligible: usize) -> bool {
    tick.is_every(BATCH_TICKS) && has_curated && new_eligible > 0
}

/// I-112. Pages of a pull of `entries` entries.
#[must_use]
pub const fn pages(entries: usize) -> usize {
    entries.div_ceil(PAGE)
}

/// I-112. Whether counts are compared, and whether a gap is to be fetched.
#[must_use]
pub const fn is_gap(tick: Tick, own: u64, siblings: u64) -> bool {
    tick.is_every(RECONCILE_TICKS) && siblings > own
}

/// I-107. Something urgent that came in: stored at once, seen by the probes of the next tick, and never put before a
/// model as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Urgent<T> {
    item: T,
    received: Tick,
}

impl<T> Urgent<T> {
    /// Stored on that tick.
    #[must_use]
    pub const fn stored(item: T, received: Tick) -> Self {
        Self { item, received }
    }

    /// What the probes of that tick see: nothing on the tick it came, everything from the next one on.
    #[must_use]
    pub fn for_probes(&self, tick: Tick) -> Option<&T> {
        (tick > self.received).then_some(&self.item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-104, I-105: W-52 in ticks, which alone are normative.
    #[test]
    fn i_105_a_batch_needs_its_tick_and_something_to_say() {
        for (tick, curated, new, due) in [
            (50, true, 1, true),
            (50, true, 0, false),
            (50, false, 1, false),
            (51, true, 1, false),
            (0, true, 1, false),
            (200, true, 9, true),
        ] {
            assert_eq!(is_batch_due(Tick::new(tick), curated, new), due, "{tick} {curated} {new}");
        }
        assert_eq!(BATCH_TICKS, 50, "I-104");
        let minutes = |ticks: u64, seconds: u64| (ticks * seconds) as f64 / 60.0;
        for (seconds, batch, backup) in [(15, 12.5, 50.0), (40, 33.333_333, 133.333_333), (60, 50.0, 200.0)] {
            assert!((minutes(BATCH_TICKS, seconds) - batch).abs() < 1e-6, "W-52");
            assert!((minutes(golem_grimoire::insurance::BACKUP_TICKS, seconds) - backup).abs() < 1e-6, "W-52");
        }
    }

    /// I-106, I-107.
    #[test]
    fn i_106_three_triggers() {
        let immediate = [Matter::Warning, Matter::Bloodstain, Matter::CriticalAlert, Matter::RegimeShift];
        assert!(immediate.iter().all(|matter| matter.trigger() == Trigger::Immediate), "I-107");
        assert_eq!((Matter::Entry.trigger(), Matter::Everything.trigger()), (Trigger::Batch, Trigger::FullPull));
    }

    /// I-107: not on the tick it came.
    #[test]
    fn i_107_what_is_urgent_waits_for_the_next_ticks_probes() {
        let urgent = Urgent::stored("the pool is drained", Tick::new(7));
        assert_eq!(urgent.for_probes(Tick::new(7)), None);
        assert_eq!(urgent.for_probes(Tick::new(8)), Some(&"the pool is drained"));
    }

    /// I-112.
    #[test]
    fn i_112_pulls_are_paged_and_gaps_found() {
        assert_eq!([0, 1, 1_000, 1_001, 2_048].map(pages), [0, 1, 1, 2, 3]);
        assert!(is_gap(Tick::new(100), 5, 6) && !is_gap(Tick::new(100), 6, 6) && !is_gap(Tick::new(150), 5, 6));
    }
}
