//! What becomes of dreams beyond the dream: shared, saved, inherited.

use std::collections::BTreeSet;
use std::time::Duration;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::provenance::Provenance;
use golem_primitives::{Ppm, UtcTime};

use crate::inputs::Heirloom;
use crate::integration::staging::{RevisionType, RowStatus, Staging};
use crate::number::Hundredths;

/// D-246. Worth from which something dreamt and confirmed is shared.
pub const SHARED_FROM: Confidence = Confidence::of(500_000);
/// D-246. When what is still unconfirmed is treated like anything else.
pub const SPECIAL_FOR: Duration = Duration::from_secs(14 * UtcTime::DAY_SECONDS);

/// D-246. Whether something dreamt is shared with the clade: only once waking ticks confirmed it, from 0.5 on.
#[must_use]
pub fn may_share(is_confirmed: bool, confidence: Confidence) -> bool {
    is_confirmed && confidence >= SHARED_FROM
}

/// D-246. Whether something dreamt and unconfirmed is still treated apart.
#[must_use]
pub fn is_special(dreamt: UtcTime, now: UtcTime) -> bool {
    now.since(dreamt) < SPECIAL_FOR
}

/// D-250. What a provenance weighs in shared retrieval.
#[must_use]
pub const fn shared_weight(provenance: Provenance) -> Ppm {
    match provenance {
        Provenance::Own => Ppm::ONE,
        Provenance::Clade | Provenance::SharedQuery => Ppm::of(800_000),
        Provenance::Dream | Provenance::Hypnagogic => Ppm::of(600_000),
        _ => Ppm::of(400_000),
    }
}

/// D-250. A draft after waking ticks confirmed it: one's own, with the mark of the dream it came from.
#[must_use]
pub fn confirmed(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    if draft.source.provenance == Provenance::Dream {
        draft.source.provenance = Provenance::Own;
        if let Some(mark) = &mut draft.dream {
            mark.is_validated = true;
        }
    }
    draft
}

/// D-206, D-247. Hypotheses that nobody tried, for the testament, best first.
#[must_use]
pub fn untested(staging: &Staging) -> Vec<Heirloom> {
    let mut rows: Vec<_> = staging
        .rows()
        .iter()
        .filter(|row| row.revision == RevisionType::Hypothesis && row.status == RowStatus::Staged)
        .collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.utility), row.id));
    rows.into_iter().map(|row| Heirloom { text: row.proposed.clone(), criterion: row.criterion.clone() }).collect()
}

/// How a line of the last dream could be confirmed: it names no condition of its own.
const COUNTED_AWAKE: &str = "it comes again awake and is counted";

/// D-020, D-021, D-247. What dreams leave to a testament: the lines of the last one, then what was staged and nobody
/// tried; each once.
#[must_use]
pub fn bequeathed(last: Vec<String>, staging: &Staging) -> Vec<Heirloom> {
    let lines = last.into_iter().map(|text| Heirloom { text, criterion: COUNTED_AWAKE.to_owned() });
    let mut said = BTreeSet::new();
    lines.chain(untested(staging)).filter(|one| said.insert(one.text.clone())).collect()
}

/// D-247. What an inherited hypothesis enters at.
#[must_use]
pub fn inherited_confidence() -> Hundredths {
    Hundredths::floor(Provenance::InheritedDream.initial_confidence(Confidence::ZERO, 0))
}
