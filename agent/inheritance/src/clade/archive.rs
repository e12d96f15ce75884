//! Backups, and what a death leaves in the archive (I-004, I-116 to I-121).

use std::time::Duration;

use golem_grimoire::insurance::{BACKUP_TICKS, BACKUP_TTL};
use golem_grimoire::shelf::Grimoire;
use golem_primitives::words;
use golem_primitives::{GolemId, Tick, UtcTime};

use crate::bottleneck::BottleneckLaw;
use crate::genome::{Afterword, Bequest, bequeath};

/// C-28. How long a testament is kept, unless the owner says otherwise; at least as long as a backup.
pub const TESTAMENT_TTL: Duration = Duration::from_secs(365 * UtcTime::DAY_SECONDS);

/// M-203. What a testament weighs in a search of the archive, in tenths of an ordinary find.
pub const TESTAMENT_WEIGHT_TENTHS: u64 = 15;

/// I-117, I-118. How an archive keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLaw {
    /// I-118. Of backups: `styx.vault.ttl`.
    pub backup_ttl: Duration,
    testament_ttl: Duration,
}

impl Default for ArchiveLaw {
    fn default() -> Self {
        Self { backup_ttl: BACKUP_TTL, testament_ttl: TESTAMENT_TTL }
    }
}

impl ArchiveLaw {
    /// The same with another term for testaments.
    #[must_use]
    pub const fn with_testament_ttl(self, testament_ttl: Duration) -> Self {
        Self { testament_ttl, ..self }
    }

    /// C-28. How long testaments are kept: never shorter than the ninety days of a backup.
    #[must_use]
    pub fn testament_ttl(&self) -> Duration {
        self.testament_ttl.max(BACKUP_TTL)
    }

    /// C-28, M-203. Until when a part that was laid down then is kept at least.
    #[must_use]
    pub fn kept_until(&self, part: FinalPart, laid_down: UtcTime) -> UtcTime {
        match part {
            FinalPart::Testament => laid_down.plus(self.testament_ttl()),
            FinalPart::GrimoireBundle | FinalPart::DreamJournal | FinalPart::InsuranceSnapshot => {
                laid_down.plus(self.backup_ttl)
            }
        }
    }
}

/// A backup in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    /// Whose.
    pub golem: GolemId,
    /// Of which tick.
    pub tick: Tick,
    /// When.
    pub at: UtcTime,
}

/// I-117. The last tick at which a backup was due, and so the one a crash at `tick` restores; `None` before the first.
#[must_use]
pub const fn last_backup(tick: Tick) -> Option<Tick> {
    let last = tick.get() / BACKUP_TICKS * BACKUP_TICKS;
    if last == 0 { None } else { Some(Tick::new(last)) }
}

/// I-117, I-118. The newest backup that is still kept, of whichever member: what a new agent begins with when all are
/// dead. Ties by the later tick, then by name.
#[must_use]
pub fn newest(backups: &[Backup], law: &ArchiveLaw, now: UtcTime) -> Option<Backup> {
    let kept = backups.iter().filter(|backup| now.since(backup.at) <= law.backup_ttl);
    kept.copied().max_by_key(|backup| (backup.at, backup.tick, std::cmp::Reverse(backup.golem)))
}

/// I-004, I-119. What a backup hands down after a crash: a whole Grimoire is no genome, so it passes the bottleneck, and
/// the barrier when the heir takes it in.
#[must_use]
pub fn restore_for_inheritance(backup: &Grimoire, law: &BottleneckLaw) -> Bequest {
    bequeath(backup, law, &Afterword::default())
}

words! {
    /// I-120. What a final archive holds.
    FinalPart {
        /// The Grimoire, whole (C-38).
        GrimoireBundle = "grimoire_bundle",
        /// The testament.
        Testament = "testament",
        /// The dream journal.
        DreamJournal = "dream_journal",
        /// The last insurance snapshot.
        InsuranceSnapshot = "insurance_snapshot",
    }
}

words! {
    /// I-121. In which order the dying push.
    DeathPush {
        /// At once.
        BloodstainBundle = "bloodstain_bundle",
        /// As a batch.
        RemainingEntries = "remaining_entries",
    }
}

/// I-116. What a wizard offers a new agent to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedOffer {
    /// The file.
    pub bundle: String,
    /// Whose it was.
    pub golem: GolemId,
    /// How many entries it holds.
    pub entries: usize,
}

/// I-116. The offers after everything was wiped: every bundle that was found, the newest first, each one click.
#[must_use]
pub fn seed_offers(mut found: Vec<(SeedOffer, UtcTime)>) -> Vec<SeedOffer> {
    found.sort_by(|(a, at), (b, bt)| bt.cmp(at).then(a.bundle.cmp(&b.bundle)));
    found.into_iter().map(|(offer, _)| offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    /// I-117: W-32.
    #[test]
    fn i_117_w_32_a_crash_loses_less_than_two_hundred_ticks() {
        let last = last_backup(Tick::new(1_999)).expect("a backup");
        assert_eq!((last, Tick::new(1_999).since(last)), (Tick::new(1_800), 199), "W-32");
        assert_eq!(last_backup(Tick::new(199)), None);
        assert_eq!(last_backup(Tick::new(200)), Some(Tick::new(200)));
    }

    /// I-117, I-118: the newest of any member, while it is kept.
    #[test]
    fn i_118_backups_are_kept_ninety_days() {
        let at = |day: u64| UtcTime::from_seconds(day * 86_400);
        let backup = |name, tick, day| Backup { golem: golem(name), tick: Tick::new(tick), at: at(day) };
        let all = [backup("a", 400, 3), backup("b", 200, 5), backup("c", 600, 1)];
        let law = ArchiveLaw::default();
        assert_eq!(newest(&all, &law, at(6)), Some(all[1]));
        assert_eq!(newest(&all, &law, at(95)), Some(all[1]));
        assert_eq!(newest(&all, &law, at(96)), None);
        let shorter = ArchiveLaw { backup_ttl: Duration::from_secs(86_400), ..law };
        assert_eq!(newest(&all, &shorter, at(7)), None, "styx.vault.ttl");
        assert_eq!(law.testament_ttl().as_secs(), 365 * 86_400, "C-28");
        let hasty = law.with_testament_ttl(Duration::from_secs(1));
        assert_eq!(hasty.testament_ttl().as_secs(), 90 * 86_400, "C-28: at least ninety days");
    }

    /// I-116, I-120, I-121.
    #[test]
    fn i_116_after_a_wipe_every_bundle_is_offered() {
        let offer = |name: &str| SeedOffer { bundle: format!("{name}.json"), golem: golem(name), entries: 7 };
        let at = UtcTime::from_seconds;
        let offers = seed_offers(vec![(offer("old"), at(1)), (offer("new"), at(2))]);
        assert_eq!(offers.iter().map(|offer| offer.bundle.as_str()).collect::<Vec<_>>(), ["new.json", "old.json"]);
        assert_eq!(FinalPart::ALL.len(), 4, "I-120");
        assert_eq!(DeathPush::ALL, [DeathPush::BloodstainBundle, DeathPush::RemainingEntries], "I-121");
    }
}
