//! Death at three scales: phages that die in a day, entries that are pruned, a life that ends (section 18).

mod phage;

pub use phage::{FailureTally, PhageHealth, PhageLaw, PhageRemedy};

use golem_primitives::{Ppm, Tick};

/// Ticks between the rounds of the Curator (M-250).
pub const CURATOR_TICKS: u64 = 50;
/// Confidence below which a round archives an entry (M-250).
pub const ARCHIVE_BELOW: Ppm = Ppm::of(100_000);

/// M-250. Whether an entry of that confidence is archived on that tick.
#[must_use]
pub fn is_archived(now: Tick, confidence: Ppm) -> bool {
    now.is_every(CURATOR_TICKS) && confidence < ARCHIVE_BELOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_250_the_curator_archives_below_a_tenth_every_fifty_ticks() {
        // M-250.
        for (tick, parts, archived) in [(50, 99_999, true), (50, 100_000, false), (51, 0, false), (100, 0, true)] {
            assert_eq!(is_archived(Tick::new(tick), Ppm::of(parts)), archived, "{tick} {parts}");
        }
    }
}
