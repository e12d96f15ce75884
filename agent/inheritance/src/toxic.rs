//! The autopsy of a mind: which entries killed it (I-026, M-201).

use std::collections::BTreeSet;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::regime::Regime;
use golem_mortality::cause::CauseKind;
use golem_primitives::Ppm;
use golem_primitives::words;

/// I-026. Confidence from which a failed prediction makes an entry toxic: it misled because it was believed.
const BELIEVED: Confidence = Confidence::of(700_000);

words! {
    /// M-201. What a successor should do with a toxic entry.
    Antidote {
        Discard = "discard",
        /// Believe the opposite, and test that.
        Invert = "invert",
        Reinvestigate = "reinvestigate",
    }
}

/// How an entry's predictions went, counted from verified outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Predictions {
    pub correct: u32,
    pub failed: u32,
}

/// I-026. A toxic entry.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Toxic {
    pub id: EntryId,
    pub confidence: Confidence,
    /// Its share of all failed predictions.
    pub contribution: Ppm,
    pub trace: BTreeSet<EpisodeId>,
    pub antidote: Antidote,
}

/// M-201. What an epistemic death leaves to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Autopsy {
    /// Toxic entries, the largest contribution first, then by id.
    pub toxic: Vec<Toxic>,
    /// The regime in which the model of the world broke.
    pub broke_in: Option<Regime>,
    pub last_valid: Option<Regime>,
}

/// I-026. Whether an entry misled: contradicted more than confirmed, or believed while its predictions failed.
#[must_use]
pub fn is_toxic(entry: &Knowledge, predictions: Predictions) -> bool {
    entry.contradicted > entry.validated || (entry.confidence >= BELIEVED && predictions.failed > predictions.correct)
}

const fn antidote(predictions: Predictions) -> Antidote {
    match predictions {
        // Wrong nearly always is information: the opposite deserves a test.
        Predictions { correct, failed } if failed >= 5 && failed >= correct.saturating_mul(4) => Antidote::Invert,
        Predictions { correct: 0, failed: 0 } => Antidote::Discard,
        Predictions { correct, failed } if failed > correct => Antidote::Discard,
        _ => Antidote::Reinvestigate,
    }
}

/// I-026, M-201. The autopsy of an epistemic death; other deaths have none. `regimes` are the regimes of the last
/// predictions, oldest first, with whether the model held in each.
#[must_use]
pub fn autopsy<'a>(
    cause: CauseKind,
    entries: impl IntoIterator<Item = (&'a Knowledge, Predictions)>,
    regimes: &[(Regime, bool)],
) -> Option<Autopsy> {
    if cause != CauseKind::EpistemicSenescence {
        return None;
    }
    let entries: Vec<(&Knowledge, Predictions)> = entries.into_iter().collect();
    let failures: u64 = entries.iter().map(|(_, predictions)| u64::from(predictions.failed)).sum();
    let mut toxic: Vec<Toxic> = entries
        .into_iter()
        .filter(|(entry, predictions)| is_toxic(entry, *predictions))
        .map(|(entry, predictions)| Toxic {
            id: entry.id,
            confidence: entry.confidence,
            contribution: Ppm::saturating(u64::from(predictions.failed) * 1_000_000 / failures.max(1)),
            trace: entry.draft.parents.clone(),
            antidote: antidote(predictions),
        })
        .collect();
    toxic.sort_by(|a, b| b.contribution.cmp(&a.contribution).then(a.id.cmp(&b.id)));
    let last_valid = regimes.iter().rposition(|(_, held)| *held);
    let broken = &regimes[last_valid.map_or(0, |at| at + 1)..];
    Some(Autopsy {
        toxic,
        broke_in: broken.first().map(|(regime, _)| *regime),
        last_valid: last_valid.map(|at| regimes[at].0),
    })
}
