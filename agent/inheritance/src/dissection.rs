//! What an autopsy is made from: entries, and the episodes that spoke to them, counted and nothing else.

use std::collections::BTreeMap;

use golem_grimoire::emotion::Emotion;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::{Episode, Recorded};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::Grimoire;
use golem_mortality::cause::CauseKind;

use crate::toxic::{Autopsy, Predictions, autopsy};

/// Looks back in which the last regimes of an autopsy are read.
const LAST_LOOKS: usize = 200;

/// Episodes that speak to an entry: under its key, and in its regime when it names one.
pub fn about<'a>(entry: &'a Knowledge, episodes: &'a [Recorded]) -> impl Iterator<Item = &'a Episode> {
    let finding = entry.draft.counted();
    episodes.iter().map(|one| &one.episode).filter(move |episode| {
        finding
            .is_some_and(|found| found.key == episode.key && (found.regime.is_none() || found.regime == episode.regime))
    })
}

/// M-201. The autopsy of an epistemic death: which entries misled, and where the model broke. Other deaths have none.
#[must_use]
pub fn dissect(cause: CauseKind, grimoire: &Grimoire, episodes: &[Recorded]) -> Option<Autopsy> {
    let judged = |entry: &Knowledge| {
        let mut predictions = Predictions::default();
        for episode in about(entry, episodes) {
            match episode.held() {
                Some(true) => predictions.correct = predictions.correct.saturating_add(1),
                Some(false) => predictions.failed = predictions.failed.saturating_add(1),
                None => {}
            }
        }
        predictions
    };
    let mut looks: Vec<&Episode> = episodes.iter().map(|one| &one.episode).collect();
    looks.sort_by_key(|episode| (episode.happened, episode.id));
    let regimes: Vec<(Regime, bool)> =
        looks.iter().filter_map(|episode| Some((episode.regime?, episode.held()?))).collect();
    let last = regimes.len().saturating_sub(LAST_LOOKS);
    autopsy(cause, grimoire.living().map(|entry| (entry, judged(entry))), &regimes[last..])
}

/// I-166. The moods of the episodes behind each entry; none when affect was off.
#[must_use]
pub fn moods_behind(grimoire: &Grimoire, episodes: &[Recorded]) -> BTreeMap<EntryId, Vec<Emotion>> {
    let felt: BTreeMap<EpisodeId, Emotion> =
        episodes.iter().filter_map(|one| Some((one.episode.id, one.episode.emotion?.primary))).collect();
    if felt.is_empty() {
        return BTreeMap::new();
    }
    let behind = |entry: &Knowledge| entry.draft.parents.iter().filter_map(|id| felt.get(id).copied()).collect();
    grimoire.living().map(|entry| (entry.id, behind(entry))).collect()
}
