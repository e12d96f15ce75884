//! What a generation did with what it was given, and how much order it leaves (I-042, I-221). Nothing is decided by either.

use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_inheritance::negentropy::Negentropy;
use golem_inheritance::ratchet::Tally;

use super::file::Measured;
use crate::heritage::Heritage;

/// Of a Grimoire beside so many episodes, and what was handed down to it.
pub(super) fn measure(grimoire: &Grimoire, episodes: usize, heritage: Option<&Heritage>) -> Measured {
    let tally = tally(grimoire, heritage);
    Measured { tally, score: tally.score(), negentropy: Negentropy::of(grimoire, episodes) }
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
