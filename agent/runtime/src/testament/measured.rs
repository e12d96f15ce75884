//! What a generation did with what it was given, and how much order it leaves (I-042, I-221). Nothing is decided by either.

use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_inheritance::negentropy::Negentropy;
use golem_inheritance::ratchet::{Generation, RatchetScore, Tally};
use serde::{Deserialize, Serialize};

use super::TestamentFile;
use crate::heritage::Heritage;

/// The measure of a life, counted from its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// I-045. What it inherited, confirmed, refuted and added.
    pub tally: Tally,
    /// I-042. The score of that, in millionths.
    pub score: RatchetScore,
    /// I-221. Signs of order.
    pub negentropy: Negentropy,
}

impl Measured {
    /// Of a Grimoire beside so many episodes, and what was handed down to it.
    pub(super) fn of(grimoire: &Grimoire, episodes: usize, heritage: Option<&Heritage>) -> Self {
        let tally = tally(grimoire, heritage);
        Self { tally, score: tally.score(), negentropy: Negentropy::of(grimoire, episodes) }
    }
}

fn tally(grimoire: &Grimoire, heritage: Option<&Heritage>) -> Tally {
    let mut tally = Tally::default();
    let came = heritage.iter().flat_map(|heritage| &heritage.entries).filter(|handed| handed.arrived.is_some());
    for handed in came {
        tally.inherited = tally.inherited.saturating_add(1);
        let (held, failed) = match grimoire.get(handed.id) {
            Some(Entry::Burned(_)) => (false, true),
            Some(entry) => entry.knowledge().map_or((false, false), |known| {
                (known.validated > known.contradicted, known.contradicted > known.validated)
            }),
            // What faded was never tested.
            None => (false, false),
        };
        tally.validated = tally.validated.saturating_add(u32::from(held));
        tally.contradicted = tally.contradicted.saturating_add(u32::from(failed));
    }
    let own = grimoire.living().filter(|entry| entry.draft.source.provenance.is_own());
    // A question adds nothing yet, and what failed more often than it held is no insight.
    for entry in own.filter(|entry| !entry.is_open_question() && entry.validated >= entry.contradicted) {
        tally.learnt(entry.kind());
    }
    tally
}

impl TestamentFile {
    /// I-045. The row of this generation in its line; `None` of a testament from before lives were measured.
    #[must_use]
    pub fn generation(&self) -> Option<Generation> {
        let (measured, stats) = (self.measured?, &self.testament.stats);
        let micros = |usdc: golem_primitives::Usdc| i64::try_from(usdc.micros()).unwrap_or(i64::MAX);
        Some(Generation {
            number: self.kin.generation,
            tally: measured.tally,
            ticks: stats.ticks,
            net_micros: micros(stats.earned).saturating_sub(micros(stats.spent)),
            peak_fitness: stats.peak_fitness,
            // The clock smooths fitness over its last hundred pairs; that mean is what is on record.
            mean_fitness: stats.final_fitness,
            divergence: stats.playbook_divergence,
            funded: stats.funded,
        })
    }
}
