//! What a life felt and suffered, as its records and its last state show it (M-196, M-224, S-115).

use std::collections::{BTreeMap, BTreeSet};

use golem_core::life::Life;
use golem_core::record::SufferingExport;
use golem_grimoire::episode::{Episode, EpisodeKind, Recorded};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::testament::affect::EmotionalLayer;
use golem_inheritance::testament::feeling::FeltMemory;
use golem_inheritance::testament::section::Section;
use golem_primitives::{Ppm, UtcTime};

use crate::death::acceptance::last_feeling;

/// M-196. Memories that were felt, oldest first; none when affect was off.
pub(super) fn memories(episodes: &[Recorded]) -> Vec<FeltMemory> {
    let mut all: Vec<&Episode> = episodes.iter().map(|one| &one.episode).collect();
    all.sort_by_key(|one| (one.happened.tick, one.id));
    let mandatory = mandatory(&all);
    let felt = |one: &&Episode| {
        let tag = one.emotion?;
        Some(FeltMemory {
            tick: one.happened.tick,
            emotion: tag.primary,
            pad: tag.pad,
            mood: tag.mood,
            intensity: tag.intensity,
            what: one.text.clone(),
            is_mandatory: mandatory.contains(&one.id),
        })
    };
    all.iter().filter_map(felt).collect()
}

/// M-196. What is read whatever it stirred: the first trade, the best and the worst, the first prediction that came true
/// and the last one, and the first other market. Nobody of a Clade was met.
fn mandatory(all: &[&Episode]) -> BTreeSet<EpisodeId> {
    let traded = || all.iter().filter(|one| one.kind == EpisodeKind::Action);
    let booked = || all.iter().filter_map(|one| Some((one.pnl_micros?, one.id)));
    let first = traded().map(|one| one.id).next();
    let best = booked().filter(|(pnl, _)| *pnl > 0).max_by_key(|(pnl, _)| *pnl).map(|(_, id)| id);
    let worst = booked().filter(|(pnl, _)| *pnl < 0).min_by_key(|(pnl, _)| *pnl).map(|(_, id)| id);
    let right = all.iter().find(|one| one.held() == Some(true)).map(|one| one.id);
    let last = all.iter().rev().find(|one| one.held().is_some()).map(|one| one.id);
    let mut regimes = all.iter().filter_map(|one| Some((one.regime?, one.id)));
    let start = regimes.next().map(|(regime, _)| regime);
    let shift = regimes.find(|(regime, _)| Some(*regime) != start).map(|(_, id)| id);
    [first, best, worst, right, last, shift].into_iter().flatten().collect()
}

/// M-224. The emotional layer of a life that was in a mood; `None` when affect was off.
pub(super) fn layer(
    life: &Life,
    memories: &[FeltMemory],
    grimoire: &Grimoire,
    told: &BTreeMap<EntryId, Section>,
    now: UtcTime,
) -> Option<EmotionalLayer> {
    Some(EmotionalLayer::of(memories, last_feeling(life, now)?, grimoire, told))
}

/// M-224. What still pressed when it died, worst first.
pub(super) fn pressing(life: &Life) -> Vec<(String, Ppm)> {
    let active = life.pressure().map(|pressure| pressure.suffering.active()).unwrap_or_default();
    let pressing = active.iter().map(|one| {
        let words = format!("{}, until {}", one.description, one.condition.text);
        (words, Ppm::round(one.severity.as_f64()))
    });
    pressing.collect()
}

/// S-115. All it suffered and what became of it, with its checksum; `None` of one that was never told of suffering.
pub(super) fn suffered(life: &Life, now: UtcTime) -> Option<SufferingExport> {
    life.pressure().map(|pressure| pressure.suffering.export(now, &pressure.law().unwrap_or_default()))
}
