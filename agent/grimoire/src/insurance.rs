//! The insurance snapshot: what of a Golem is worth saving every six hours (G-196, G-197).

use std::time::Duration;

use golem_primitives::{B256, Ppm, Usdc, UtcTime, keccak256};

use crate::episode::Recorded;
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::Kind;
use crate::playbook::Playbook;
use crate::retention::RetentionLaw;
use crate::shelf::Grimoire;

/// G-196. Wall time between two snapshots.
pub const EVERY: Duration = Duration::from_secs(6 * 3_600);
/// G-196. Share of credits left from which a snapshot is taken every 50 ticks.
pub const POOR: Ppm = Ppm::of(250_000);
/// G-196. Ticks between two snapshots of a poor Golem.
pub const POOR_TICKS: u64 = 50;
/// G-196. Episodes kept.
pub const EPISODES: usize = 50;
/// G-196. Insights kept.
pub const INSIGHTS: usize = 20;
/// G-197. Ticks between two backups of the archive.
pub const BACKUP_TICKS: u64 = 200;
/// G-197. How long a backup is kept.
pub const BACKUP_TTL: Duration = Duration::from_secs(90 * UtcTime::DAY_SECONDS);

/// G-196. What is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsuranceSnapshot {
    /// When.
    pub at: Moment,
    /// The last 50 episodes, newest first.
    pub episodes: Vec<EpisodeId>,
    /// The 20 best insights by effective confidence, then quality, then id.
    pub insights: Vec<EntryId>,
    /// Keccak of the text of PLAYBOOK.md.
    pub playbook: B256,
    /// Its version.
    pub playbook_version: u64,
    /// Active entries.
    pub active: u32,
    /// Fitness.
    pub fitness: Ppm,
    /// Credits left.
    pub credits: Usdc,
}

/// G-196. Whether a snapshot is due: six hours after the last, or every 50 ticks with a quarter of the credits or less.
#[must_use]
pub fn is_due(last: Option<UtcTime>, now: Moment, credits_left: Ppm) -> bool {
    let is_late = last.is_none_or(|last| now.at.since(last) >= EVERY);
    is_late || (credits_left <= POOR && now.tick.is_every(POOR_TICKS))
}

/// G-197. The tick from which the archive is backed up next, by one who did at `tick`.
#[must_use]
pub const fn next_backup(tick: u64) -> u64 {
    (tick / BACKUP_TICKS + 1) * BACKUP_TICKS
}

/// G-196. Gathers a snapshot.
#[must_use]
pub fn snapshot(
    grimoire: &Grimoire,
    episodes: &[Recorded],
    playbook: &Playbook,
    law: &RetentionLaw,
    now: Moment,
    fitness: Ppm,
    credits: Usdc,
) -> InsuranceSnapshot {
    let mut newest: Vec<(Moment, EpisodeId)> =
        episodes.iter().map(|recorded| (recorded.episode.recorded, recorded.episode.id)).collect();
    newest.sort_by(|a, b| b.cmp(a));
    let mut insights: Vec<(Ppm, Ppm, EntryId)> = grimoire
        .active()
        .map(|active| active.knowledge())
        .filter(|entry| entry.kind() == Kind::Insight)
        .map(|entry| (entry.effective(law, now.at), entry.quality, entry.id))
        .collect();
    insights.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    InsuranceSnapshot {
        at: now,
        episodes: newest.into_iter().take(EPISODES).map(|(_, id)| id).collect(),
        insights: insights.into_iter().take(INSIGHTS).map(|(_, _, id)| id).collect(),
        playbook: keccak256(playbook.to_string()),
        playbook_version: playbook.version(),
        active: u32::try_from(grimoire.active_count()).unwrap_or(u32::MAX),
        fitness,
        credits,
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Tick;

    use super::*;

    /// G-196, G-197: when.
    #[test]
    fn g_196_snapshots_are_due_by_time_or_poverty() {
        let at = |tick, seconds| Moment::new(Tick::new(tick), UtcTime::from_seconds(seconds));
        let last = Some(UtcTime::from_seconds(1_000));
        for (last, now, credits, due) in [
            (None, at(1, 5), Ppm::ONE, true),
            (last, at(51, 22_599), Ppm::ONE, false),
            (last, at(51, 22_600), Ppm::ONE, true),
            (last, at(100, 1_001), Ppm::of(250_001), false),
            (last, at(100, 1_001), Ppm::of(250_000), true),
            (last, at(101, 1_001), Ppm::ZERO, false),
            (last, at(101, 0), Ppm::ONE, false),
        ] {
            assert_eq!(is_due(last, now, credits), due, "{now:?} {credits}");
        }
        assert_eq!([0, 199, 200, 1_999].map(next_backup), [200, 200, 400, 2_000], "G-197, W-32");
    }
}
