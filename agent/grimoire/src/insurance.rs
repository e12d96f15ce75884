//! When a Golem is saved: insurance snapshots and backups of the archive (G-196, G-197).

use std::time::Duration;

use golem_primitives::{Ppm, UtcTime};

use crate::id::Moment;

/// G-196. Wall time between two snapshots.
pub const EVERY: Duration = Duration::from_secs(6 * 3_600);
/// G-196. Share of credits left from which a snapshot is taken every 50 ticks.
pub const POOR: Ppm = Ppm::of(250_000);
/// G-196. Ticks between two snapshots of a poor Golem.
pub const POOR_TICKS: u64 = 50;
/// G-197. Ticks between two backups of the archive.
pub const BACKUP_TICKS: u64 = 200;
/// G-197. How long a backup is kept.
pub const BACKUP_TTL: Duration = Duration::from_secs(90 * UtcTime::DAY_SECONDS);

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
