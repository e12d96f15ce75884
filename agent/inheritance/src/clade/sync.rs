//! When a batch goes out (I-104, I-105).

use golem_mortality::fractal::CURATOR_TICKS;
use golem_primitives::Tick;

/// I-104. Ticks between batches: those of the Curator, after whose round they run.
pub const BATCH_TICKS: u64 = CURATOR_TICKS;

/// I-104, I-105. Whether a batch goes out: on the Curator's tick, and only with something new to say.
#[must_use]
pub const fn is_batch_due(tick: Tick, new_eligible: usize) -> bool {
    tick.is_every(BATCH_TICKS) && new_eligible > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-104, I-105: W-52 in ticks, which alone are normative.
    #[test]
    fn i_105_a_batch_needs_its_tick_and_something_to_say() {
        for (tick, new, due) in [(50, 1, true), (50, 0, false), (51, 1, false), (0, 1, false), (200, 9, true)] {
            assert_eq!(is_batch_due(Tick::new(tick), new), due, "{tick} {new}");
        }
        let minutes = |ticks: u64, seconds: u64| (ticks * seconds) as f64 / 60.0;
        for (seconds, batch, backup) in [(15, 12.5, 50.0), (40, 33.333_333, 133.333_333), (60, 50.0, 200.0)] {
            assert!((minutes(BATCH_TICKS, seconds) - batch).abs() < 1e-6, "W-52");
            assert!((minutes(golem_grimoire::insurance::BACKUP_TICKS, seconds) - backup).abs() < 1e-6, "W-52");
        }
    }
}
