//! What becomes of dreams beyond the dream: shared, saved, inherited.

use std::collections::BTreeSet;
use std::time::Duration;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::EntryId;
use golem_grimoire::provenance::Provenance;
use golem_primitives::{Ppm, UtcTime};

use crate::inputs::{Heirloom, Known};
use crate::integration::journal::{JournalEntry, Yield};
use crate::integration::staging::{RevisionType, RowStatus, Staging};
use crate::number::Hundredths;
use crate::rem::creative::CreativeMode;

/// D-246. Worth from which something dreamt and confirmed is shared.
pub const SHARED_FROM: Confidence = Confidence::of(500_000);
/// D-246. How soon it must be confirmed.
pub const CONFIRM_WITHIN: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);
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

/// D-247. What a testament says of a hypothesis nobody tried.
pub const UNTESTED: &str = "dream_untested";

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

/// D-248. What a life of dreams leaves to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Priors {
    /// The five warnings worth most.
    pub scars: Vec<EntryId>,
    /// The three hypotheses worth most.
    pub hypotheses: Vec<EntryId>,
    /// Everything dreamt and not validated.
    pub unvalidated: Vec<Heirloom>,
    /// PLAYBOOK.md as it was, as its text.
    pub playbook: String,
    /// What each mode came to.
    pub yields: Vec<(CreativeMode, Yield)>,
}

/// D-248. Packs it.
#[must_use]
pub fn priors(known: &[Known], staging: &Staging, playbook: &str, yields: Vec<(CreativeMode, Yield)>) -> Priors {
    let mut scars: Vec<&Known> =
        known.iter().filter(|known| known.kind == golem_grimoire::kind::Kind::Warning).collect();
    scars.sort_by_key(|known| (std::cmp::Reverse(known.confidence), known.id));
    let mut rows: Vec<_> = staging.live().filter(|row| row.revision == RevisionType::Hypothesis).collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.confidence), std::cmp::Reverse(row.utility), row.id));
    Priors {
        scars: scars.into_iter().take(5).map(|known| known.id).collect(),
        hypotheses: rows.into_iter().take(3).map(|row| row.id).collect(),
        unvalidated: untested(staging),
        playbook: playbook.to_owned(),
        yields,
    }
}

/// D-244. Journal entries that wait to be backed up. A failed backup blocks nothing and is tried again after the next
/// cycle.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Backup {
    waiting: Vec<JournalEntry>,
}

impl Backup {
    /// After a cycle: what is to be sent now, oldest first.
    pub fn after_cycle(&mut self, entry: JournalEntry) -> &[JournalEntry] {
        self.waiting.push(entry);
        &self.waiting
    }

    /// The first so many arrived.
    pub fn arrived(&mut self, count: usize) {
        self.waiting.drain(..count.min(self.waiting.len()));
    }

    /// Those that still wait.
    #[must_use]
    pub fn waiting(&self) -> &[JournalEntry] {
        &self.waiting
    }
}

/// D-243, C31. Whether a forgotten episode may be purged: only behind an insurance snapshot that was taken after it was
/// forgotten.
#[must_use]
pub fn may_purge(forgotten: UtcTime, last_snapshot: Option<UtcTime>) -> bool {
    last_snapshot.is_some_and(|taken| taken > forgotten)
}
