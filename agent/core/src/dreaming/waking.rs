//! What waking ticks do for dreams: they count what presses for one, and glance back.

use std::collections::BTreeMap;

use golem_daimon::dream::DreamTrace;
use golem_dreams::inputs::Trace;
use golem_dreams::micro::{self, Glance};
use golem_dreams::urgency::{SURPRISES, relieved};
use golem_grimoire::episode::Recorded;
use golem_grimoire::id::{EpisodeId, Moment};
use golem_primitives::Ppm;

use super::freeze::known;
use super::{DreamSources, arousal_of, newest_first, surprise_of};
use crate::dreams::LifeDreams;
use crate::record::Recollection;

/// D-038. Episodes over which a load is felt.
const LOAD_EPISODES: usize = 50;

/// D-038, D-039, DG-3. What a life is told of its memory: what was counted, and what the newest fifty episodes or more, in any
/// order, stirred and surprised. What was felt before the last whole dream weighs three tenths. What
/// `counted` says of arousal and surprise is replaced.
#[must_use]
pub fn recollect(
    dreams: &LifeDreams,
    counted: Recollection,
    newest: &[Recorded],
    feelings: &BTreeMap<EpisodeId, DreamTrace>,
) -> Recollection {
    let newest = newest_first(newest);
    let load = |recorded: &&Recorded| {
        let arousal = arousal_of(recorded, feelings);
        let was_dreamt = dreams.relieved.is_some_and(|last| recorded.episode.happened.tick <= last);
        u64::from(if was_dreamt { relieved(arousal) } else { arousal }.get())
    };
    let felt: Vec<u64> = newest.iter().take(LOAD_EPISODES).map(load).collect();
    let mean = felt.iter().sum::<u64>().checked_div(felt.len() as u64).unwrap_or(0);
    let said = newest.iter().filter_map(|recorded| surprise_of(recorded));
    let mut surprises: Vec<Ppm> = said.take(SURPRISES).collect();
    surprises.reverse();
    Recollection { arousal: Ppm::saturating(mean), surprises, ..counted }
}

/// D-216 to D-220. One glance between dreams: strengths and tags, and nothing else.
#[must_use]
pub fn glance(sources: &DreamSources<'_>, now: Moment) -> Glance {
    let newest = newest_first(sources.episodes);
    let vectors = &sources.shelf.episode_vectors;
    let of = |recorded: &&Recorded| Trace {
        vector: vectors.get(&recorded.episode.id).cloned(),
        ..Trace::from((*recorded).clone())
    };
    let traces: Vec<Trace> = newest.iter().take(micro::EPISODES).map(of).collect();
    micro::glance(&traces, &known(sources, now))
}
