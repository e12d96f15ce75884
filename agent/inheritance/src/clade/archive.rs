//! Backups, and what a death leaves in the archive (I-004, I-116 to I-121).

use std::time::Duration;

use golem_grimoire::insurance::BACKUP_TTL;
use golem_primitives::words;
use golem_primitives::{GolemId, Tick, UtcTime};

/// C-28. How long a testament is kept.
pub const TESTAMENT_TTL: Duration = Duration::from_secs(365 * UtcTime::DAY_SECONDS);

/// M-203. What a testament weighs in a search of the archive, in tenths of an ordinary find.
pub const TESTAMENT_WEIGHT_TENTHS: u64 = 15;

/// I-117, I-118. How an archive keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLaw {
    /// I-118. Of backups: `styx.vault.ttl`.
    pub backup_ttl: Duration,
}

impl Default for ArchiveLaw {
    fn default() -> Self {
        Self { backup_ttl: BACKUP_TTL }
    }
}

impl ArchiveLaw {
    /// C-28, M-203. Until when a part that was laid down then is kept at least.
    #[must_use]
    pub fn kept_until(&self, part: FinalPart, laid_down: UtcTime) -> UtcTime {
        match part {
            FinalPart::Testament => laid_down.plus(TESTAMENT_TTL),
            FinalPart::GrimoireBundle | FinalPart::DreamJournal | FinalPart::InsuranceSnapshot => {
                laid_down.plus(self.backup_ttl)
            }
        }
    }
}

/// A backup in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    pub golem: GolemId,
    pub tick: Tick,
    pub at: UtcTime,
}

/// I-117, I-118. The newest backup that is still kept, of whichever member: what a new agent begins with when all are
/// dead. Ties by the later tick, then by name.
#[must_use]
pub fn newest(backups: &[Backup], law: &ArchiveLaw, now: UtcTime) -> Option<Backup> {
    let kept = backups.iter().filter(|backup| now.since(backup.at) <= law.backup_ttl);
    kept.copied().max_by_key(|backup| (backup.at, backup.tick, std::cmp::Reverse(backup.golem)))
}

words! {
    /// I-120. What a final archive holds.
    FinalPart {
        /// The Grimoire, whole (C-38).
        GrimoireBundle = "grimoire_bundle",
        Testament = "testament",
        DreamJournal = "dream_journal",
        InsuranceSnapshot = "insurance_snapshot",
    }
}

/// I-116. What a wizard offers a new agent to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedOffer {
    pub bundle: String,
    pub golem: GolemId,
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
        let shorter = ArchiveLaw { backup_ttl: Duration::from_secs(86_400) };
        assert_eq!(newest(&all, &shorter, at(7)), None, "styx.vault.ttl");
    }

    /// I-116.
    #[test]
    fn i_116_after_a_wipe_every_bundle_is_offered() {
        let offer = |name: &str| SeedOffer { bundle: format!("{name}.json"), golem: golem(name), entries: 7 };
        let at = UtcTime::from_seconds;
        let offers = seed_offers(vec![(offer("old"), at(1)), (offer("new"), at(2))]);
        assert_eq!(offers.iter().map(|offer| offer.bundle.as_str()).collect::<Vec<_>>(), ["new.json", "old.json"]);
    }
}
