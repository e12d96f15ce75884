//! What dreams ask of the Grimoire (G-187, G-188).

use std::collections::BTreeSet;
use std::time::Duration;

use golem_primitives::UtcTime;

use crate::episode::Recorded;
use crate::id::EpisodeId;
use crate::regime::Regime;

/// G-138, G-188. Regimes of the last 30 days.
#[must_use]
pub fn regimes_seen(episodes: &[Recorded], now: UtcTime) -> BTreeSet<Regime> {
    const MONTH: Duration = Duration::from_secs(30 * UtcTime::DAY_SECONDS);
    let is_recent = |recorded: &&Recorded| now.since(recorded.episode.happened.at) <= MONTH;
    episodes.iter().filter(is_recent).filter_map(|recorded| recorded.episode.regime).collect()
}

/// G-188. The oldest third, rounded down, oldest first.
#[must_use]
pub fn oldest_third(episodes: &[Recorded]) -> Vec<EpisodeId> {
    let mut all: Vec<_> = episodes.iter().map(|recorded| (recorded.episode.happened, recorded.episode.id)).collect();
    all.sort();
    all.into_iter().take(episodes.len() / 3).map(|(_, id)| id).collect()
}

/// G-097. Unfinished episodes, oldest first: what is not over asks for attention.
#[must_use]
pub fn unfinished(episodes: &[Recorded]) -> Vec<EpisodeId> {
    let mut all: Vec<_> = episodes
        .iter()
        .filter(|recorded| recorded.episode.is_unfinished && !recorded.notes.is_forgotten)
        .map(|recorded| (recorded.episode.happened, recorded.episode.id))
        .collect();
    all.sort();
    all.into_iter().map(|(_, id)| id).collect()
}
