//! Entries as they cross from a life to the next: without the episodes that were lived.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::confidence::Confidence;
use golem_grimoire::emotion::{Emotion, EmotionalTag, diversity};
use golem_grimoire::entry::{EntryQuestion, Knowledge};
use golem_grimoire::finding::Finding;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Domain, EntryBody};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::DecayClass;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::{Ppm, UtcTime};

use crate::bottleneck::{BottleneckLaw, Gene, Genome, Selection, compress};
use crate::testament::Section;
use crate::toxic::{Antidote, Autopsy};
use crate::weismann::{EntryFeeling, bequeathed};

/// I-002, I-003. An entry of a genome. It says how many episodes stood behind it and has no place for them, nor for
/// decisions, pending actions or a strategy's exact numbers: what is not here cannot be handed down.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GenomeEntry {
    pub id: EntryId,
    pub content: String,
    /// Its type and parts; a causal link keeps weight and evidence (I-002).
    pub body: EntryBody,
    /// Where the dead had it from; the origin never changes (I-233).
    pub source: Source,
    /// I-162, I-164. What it is worth before the barrier.
    pub bequeathed: Confidence,
    pub quality: Ppm,
    pub domain: Domain,
    /// I-021. In which regime it holds; `None` for any.
    pub regime: Option<Regime>,
    pub decay_class: DecayClass,
    pub valid_from: UtcTime,
    pub valid_until: Option<UtcTime>,
    /// I-002. How many episodes stood behind it.
    pub episodes: u32,
    /// G-142. What it claims in numbers, if it was counted: by this an heir's own experience can confirm or refute it.
    pub claim: Option<Finding>,
    pub tags: BTreeSet<String>,
    /// What was felt (C-32).
    pub emotion: Option<EmotionalTag>,
    pub question: Option<EntryQuestion>,
    pub gaps: Vec<String>,
    pub last_validated: Moment,
    pub by: Selection,
    /// I-026. What the autopsy says of it.
    pub antidote: Option<Antidote>,
    /// I-025. The section of the testament that tells how it came about.
    pub told_in: Option<Section>,
    /// I-166. What it was felt with; of no matter unless the owner lets feelings slow the decay.
    pub felt: EntryFeeling,
}

impl GenomeEntry {
    /// The entry of a dead Golem's knowledge.
    #[must_use]
    pub fn of(entry: &Knowledge, by: Selection) -> Self {
        let draft = &entry.draft;
        Self {
            id: entry.id,
            content: draft.content.clone(),
            body: draft.body.clone(),
            source: draft.source.clone(),
            bequeathed: bequeathed(entry),
            quality: entry.quality,
            domain: draft.domain,
            regime: draft.regime,
            decay_class: entry.decay_class,
            valid_from: draft.valid_from,
            valid_until: draft.valid_until,
            episodes: u32::try_from(draft.parents.len()).unwrap_or(u32::MAX),
            claim: draft.counted().cloned(),
            tags: draft.tags.clone(),
            emotion: draft.emotion,
            question: draft.question,
            gaps: draft.gaps.clone(),
            last_validated: entry.last_validated,
            by,
            antidote: None,
            told_in: None,
            felt: EntryFeeling::default(),
        }
    }
}

/// What a death adds to the entries it hands down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Afterword {
    /// I-026. What the autopsy found.
    pub autopsy: Option<Autopsy>,
    /// I-025. Which section of the testament tells of which entry.
    pub told: BTreeMap<EntryId, Section>,
    /// I-166. Whether the life was redemptive.
    pub is_redemptive: bool,
    /// I-166. The moods in which entries were confirmed.
    pub moods: BTreeMap<EntryId, Vec<Emotion>>,
}

impl Afterword {
    fn antidote(&self, id: EntryId) -> Option<Antidote> {
        let found = self.autopsy.as_ref()?;
        found.toxic.iter().find(|toxic| toxic.id == id).map(|toxic| toxic.antidote)
    }

    fn felt(&self, entry: &Knowledge) -> EntryFeeling {
        EntryFeeling {
            diversity: self.moods.get(&entry.id).map_or(Ppm::ZERO, |moods| diversity(moods)),
            is_redemptive: self.is_redemptive,
            from_testament: entry.draft.source.provenance == Provenance::Testament,
        }
    }
}

/// What a life hands down of its Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Bequest {
    pub genome: Genome,
    /// The entries, in the genome's order.
    pub entries: Vec<GenomeEntry>,
}

/// I-130, I-119. Compresses a Grimoire, of a Golem that died or of a backup after a crash, to what is handed down: what
/// lives, active or not yet trusted.
#[must_use]
pub fn bequeath(grimoire: &Grimoire, law: &BottleneckLaw, afterword: &Afterword) -> Bequest {
    let genes: Vec<Gene<'_>> = grimoire.living().map(Gene::of).collect();
    let genome = compress(&genes, law);
    let known = genome.chosen.iter().filter_map(|one| Some((grimoire.get(one.id)?.knowledge()?, one.by)));
    let entries = known
        .map(|(knowledge, by)| GenomeEntry {
            antidote: afterword.antidote(knowledge.id),
            told_in: afterword.told.get(&knowledge.id).copied(),
            felt: afterword.felt(knowledge),
            ..GenomeEntry::of(knowledge, by)
        })
        .collect();
    Bequest { genome, entries }
}
