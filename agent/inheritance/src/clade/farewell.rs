//! What a dying Golem tells its Clade, and what it leaves with it (M-186, M-205, I-121).

use golem_grimoire::kind::Kind;
use golem_grimoire::share::{Giving, may_push};
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_mortality::cause::CauseKind;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Usdc, UtcTime};

use super::link::back_off;
use crate::bottleneck::Selection;
use crate::genome::GenomeEntry;
use crate::testament::acceptance::Acceptance;

/// M-186. What siblings are told when a death begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DyingNotice {
    pub cause: CauseKind,
    pub since: UtcTime,
    pub estimated_seconds: u64,
    pub vitality: Ppm,
    /// M-212. What it has to leave its legacy with.
    pub legacy_budget: Usdc,
    /// M-205. Entries that will follow.
    pub entries: u32,
}

impl DyingNotice {
    /// M-186. The notice of a death that was accepted so, with so many entries to follow.
    #[must_use]
    pub fn of(accepted: &Acceptance, entries: usize) -> Self {
        Self {
            cause: accepted.cause,
            since: accepted.at,
            estimated_seconds: accepted.estimated_seconds,
            vitality: accepted.vitality,
            legacy_budget: accepted.budget.legacy,
            entries: u32::try_from(entries).unwrap_or(u32::MAX),
        }
    }
}

/// M-205, I-065, I-121. What the dying push: all that passes the gates of Terminal, from 0.1 on, warnings at any
/// confidence and before everything else, then the surest first. Each is worth what it is worth now and no more (I-067),
/// with what was felt (C-32).
#[must_use]
pub fn parting(grimoire: &Grimoire, mode: Mode) -> Vec<GenomeEntry> {
    let giving = Giving::of(Phase::Terminal, mode);
    let goes = |entry: &&Entry| may_push(entry, giving);
    let known = grimoire.entries().filter(goes).filter_map(|entry| entry.knowledge());
    let mut all: Vec<GenomeEntry> = known
        .map(|known| GenomeEntry { bequeathed: known.confidence, ..GenomeEntry::of(known, Selection::Fill) })
        .collect();
    let key = |one: &GenomeEntry| (std::cmp::Reverse((is_warning(one), one.bequeathed)), one.id);
    all.sort_by_key(key);
    all
}

fn is_warning(entry: &GenomeEntry) -> bool {
    entry.body.kind() == Kind::Warning
}

/// M-205. Retries of what could not be handed over.
pub const RETRIES: u32 = 3;

/// M-205. How often something could not be handed over, and when it may be tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HandoverTries {
    failures: u32,
    not_before: Option<UtcTime>,
}

impl HandoverTries {
    /// Whether it is tried now: not before its back-off is over, and not after the last retry.
    #[must_use]
    pub fn is_due(&self, now: UtcTime) -> bool {
        !self.is_given_up() && self.not_before.is_none_or(|due| now >= due)
    }

    /// Whether nobody tries any longer.
    #[must_use]
    pub const fn is_given_up(&self) -> bool {
        self.failures > RETRIES
    }

    /// I-113. It failed: the next try waits 1, 2, then 4 seconds.
    #[must_use]
    pub const fn failed(self, now: UtcTime) -> Self {
        Self { failures: self.failures.saturating_add(1), not_before: Some(now.plus(back_off(self.failures))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-205: one try and three retries, after 1, 2 and 4 seconds; never sooner, and then no more.
    #[test]
    fn m_205_three_retries_with_exponential_back_off() {
        let at = UtcTime::from_seconds;
        let mut delivery = HandoverTries::default();
        let (mut now, mut tried) = (100, Vec::new());
        while !delivery.is_given_up() {
            if delivery.is_due(at(now)) {
                tried.push(now - 100);
                delivery = delivery.failed(at(now));
            }
            now += 1;
        }
        assert_eq!(tried, [0, 1, 3, 7]);
        assert!(!delivery.is_due(at(1_000_000)));
    }
}
