//! What dreams ask of the Grimoire and leave in it (G-186 to G-190).

use std::collections::BTreeSet;
use std::time::Duration;

use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::episode::Recorded;
use crate::id::EpisodeId;
use crate::regime::Regime;
use golem_primitives::words;

words! {
    /// Where a staged row stands.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    StagedStatus {
        /// Not yet decided by waking ticks.
        Staged = "staged",
        /// Confirmed at least once.
        PartiallyValidated = "partially_validated",
        /// May be applied; it still stands at the gate (G-102).
        Validated = "validated",
        /// Shown wrong.
        Refuted = "refuted",
    }
}

/// G-186. A row of dream_staging, as far as the sweep asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StagedRow {
    /// What it is worth.
    pub confidence: Confidence,
    /// Where it stands.
    pub status: StagedStatus,
}

/// G-186. What a waking tick says for a row.
const CONFIRMED: Ppm = Ppm::of(100_000);
/// G-186. What it takes.
const DENIED: Ppm = Ppm::of(50_000);
/// G-186. Worth from which a row is validated.
const PROMOTED: Confidence = Confidence::of(700_000);
/// G-186. Worth below which it is refuted.
const REFUTED: Confidence = Confidence::of(100_000);

impl StagedRow {
    /// A row fresh from a dream.
    #[must_use]
    pub const fn new(confidence: Confidence) -> Self {
        Self { confidence, status: StagedStatus::Staged }
    }

    /// G-186. After a waking tick spoke for it or against it: +0.1, -0.05, validated from 0.7, refuted below 0.1. A row
    /// once decided stays decided.
    #[must_use]
    pub fn swept(self, confirmed: bool) -> Self {
        if matches!(self.status, StagedStatus::Validated | StagedStatus::Refuted) {
            return self;
        }
        let share = self.confidence.get();
        let share = if confirmed { share.saturating_add(CONFIRMED) } else { share.saturating_sub(DENIED) };
        let confidence = Confidence::new(share);
        let status = if confidence >= PROMOTED {
            StagedStatus::Validated
        } else if confidence < REFUTED {
            StagedStatus::Refuted
        } else if confirmed {
            StagedStatus::PartiallyValidated
        } else {
            self.status
        };
        Self { confidence, status }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// G-186: the edges of the sweep.
    #[test]
    fn g_186_waking_ticks_decide_staged_rows() {
        for (parts, confirmed, after, status) in [
            (200_000, true, 300_000, StagedStatus::PartiallyValidated),
            (600_000, true, 700_000, StagedStatus::Validated),
            (599_999, true, 699_999, StagedStatus::PartiallyValidated),
            (150_000, false, 100_000, StagedStatus::Staged),
            (149_999, false, 99_999, StagedStatus::Refuted),
            (0, false, 0, StagedStatus::Refuted),
        ] {
            let row = StagedRow::new(Confidence::of(parts)).swept(confirmed);
            assert_eq!(row, StagedRow { confidence: Confidence::of(after), status }, "{parts} {confirmed}");
        }
        let refuted = StagedRow::new(Confidence::ZERO).swept(false);
        assert_eq!(refuted.swept(true), refuted, "decided stays decided");
    }
}
