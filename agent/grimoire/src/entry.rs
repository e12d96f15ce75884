//! What an entry holds: the draft that anyone may propose, and the knowledge it becomes.

use std::collections::BTreeSet;
use std::time::Duration;

use golem_primitives::{B256, Ppm, Tick, UtcTime};

use crate::confidence::{Confidence, Votes};
use crate::finding::Finding;
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::{AVOID, EntryBody, Kind};
use crate::provenance::Provenance;
use crate::retention::{DecayClass, Pace, RetentionLaw};
use crate::strength::{Reinforcement, Strength};

mod draft;

pub use draft::{Draft, DraftError, DreamMark, EntryQuestion, Method};

/// G-006, G-024. Which model made an entry's vector; vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EmbeddingMark {
    pub model: String,
    pub version: String,
    /// Hash of what was done to the text before.
    pub preprocessing: B256,
    pub at: UtcTime,
}

impl EmbeddingMark {
    /// G-006. Whether two vectors may be compared.
    #[must_use]
    pub fn is_comparable(&self, other: &Self) -> bool {
        (&self.model, &self.version, self.preprocessing) == (&other.model, &other.version, other.preprocessing)
    }
}

/// G-049. All fields of an entry, flat: what a store keeps and a screen shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    /// G-021. Its name.
    pub id: EntryId,
    pub draft: Draft,
    /// G-025. What the evidence is worth; never overwritten by decay (G-072).
    pub confidence: Confidence,
    /// G-026. Composite quality, by which retrieval and inheritance rank.
    pub quality: Ppm,
    /// G-027. Times confirmed.
    pub validated: u32,
    /// G-027. Times contradicted.
    pub contradicted: u32,
    /// G-028, GG-3. Last confirmation, or arrival: where decay begins.
    pub last_validated: Moment,
    /// G-121. When it was written down, apart from when it held.
    pub recorded: Moment,
    /// G-029. How fast it goes stale.
    pub decay_class: DecayClass,
    /// G-043, GG-3. Last retrieval: what the temporal factor counts from.
    pub last_accessed: Tick,
    /// G-043. Retrievals.
    pub access_count: u32,
    /// Retrievals in ticks that went well.
    pub useful_count: u32,
    /// G-043. How often it was used and right.
    pub strength: Strength,
    /// G-043. Curator cycles in a row below the archive threshold; telemetry only (C8).
    pub low_cycles: u32,
    /// C14. Curator cycles it has lived through.
    pub cycles: u32,
    /// G-193. Made in excitement and not yet looked at in calm.
    pub has_arousal_bias: bool,
    /// G-024. Who made its vector, once it has one.
    pub embedding: Option<EmbeddingMark>,
}

/// G-032. The most episodes named behind an entry. How many there were is in what was counted; the newest show it.
pub const MOST_PARENTS: usize = 64;

/// The newest of them: ids are in the order of time.
fn newest(mut parents: BTreeSet<EpisodeId>) -> BTreeSet<EpisodeId> {
    while parents.len() > MOST_PARENTS {
        parents.pop_first();
    }
    parents
}

/// G-066. Quality below which an entry decays twice as fast.
const LOW_QUALITY: Ppm = Ppm::of(300_000);
/// G-189. How soon a dream must be confirmed awake to count as validated.
const DREAM_WINDOW: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);
/// G-189. What a dream confirmed in time is worth at least.
const DREAM_CONFIRMED: Confidence = Confidence::of(500_000);

impl Knowledge {
    /// G-056, G-194. What a draft becomes on admission: its clocks start now, and another's feelings stay with the other.
    pub(crate) fn admitted(id: EntryId, draft: Draft, confidence: Confidence, quality: Ppm, now: Moment) -> Self {
        let mut draft = draft;
        draft.parents = newest(draft.parents);
        if !draft.source.provenance.is_own() {
            draft.emotion = draft.emotion.filter(|_| draft.source.provenance == Provenance::Dream);
        }
        let decay_class =
            draft.decay_class.unwrap_or_else(|| draft.body.kind().default_class(draft.domain, draft.regime.is_some()));
        let has_arousal_bias =
            draft.body.kind() == Kind::Insight && draft.emotion.is_some_and(|tag| tag.biases_insight());
        Self {
            id,
            draft,
            confidence,
            quality,
            validated: 0,
            contradicted: 0,
            last_validated: now,
            recorded: now,
            decay_class,
            last_accessed: now.tick,
            access_count: 0,
            useful_count: 0,
            strength: Strength::ONE,
            low_cycles: 0,
            cycles: 0,
            has_arousal_bias,
            embedding: None,
        }
    }

    /// Its type.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.draft.body.kind()
    }

    /// G-013. Whether it is a rule to leave something alone.
    #[must_use]
    pub fn is_avoidance(&self) -> bool {
        matches!(&self.draft.body, EntryBody::Heuristic { act, .. } if act.starts_with(AVOID))
    }

    /// G-133. Whether something lived stands behind it: episodes, or for a link later looks, whoever learnt it.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        !self.draft.parents.is_empty() || (self.kind() == Kind::CausalLink && self.validated > 0)
    }

    /// G-170. Whether it asks something nobody has answered.
    #[must_use]
    pub const fn is_open_question(&self) -> bool {
        matches!(self.draft.question, Some(EntryQuestion::Open { .. }))
    }

    /// Everything that decides how fast it decays.
    #[must_use]
    pub fn pace(&self) -> Pace {
        Pace {
            class: self.decay_class,
            strength: self.strength,
            is_bloodstain: self.draft.source.is_bloodstain(),
            is_dream_validated: self.draft.dream.as_ref().is_some_and(|dream| dream.is_validated),
            is_low_quality: self.quality < LOW_QUALITY,
            is_unproven_inheritance: self.draft.source.provenance.is_inherited() && self.validated == 0,
            is_open_question: self.is_open_question(),
        }
    }

    /// G-062. What is left of its confidence now, before the floor: what archiving compares.
    #[must_use]
    pub fn remaining(&self, law: &RetentionLaw, now: UtcTime) -> Ppm {
        self.pace().remaining(law, self.confidence, now.since(self.last_validated.at))
    }

    /// G-062, G-067. What is left of its confidence now, at least 0.05: what retrieval sees.
    #[must_use]
    pub fn effective(&self, law: &RetentionLaw, now: UtcTime) -> Ppm {
        self.remaining(law, now).max(RetentionLaw::FLOOR)
    }

    /// C33, G-031. Whether its own term is over: a warning's TTL, or the end of what it describes.
    #[must_use]
    pub fn is_expired(&self, now: UtcTime) -> bool {
        let ttl_over = match &self.draft.body {
            EntryBody::Warning { ttl: Some(ttl), .. } => now.since(self.last_validated.at) >= *ttl,
            _ => false,
        };
        ttl_over || self.draft.valid_until.is_some_and(|until| until <= now)
    }

    /// G-114. How well it did when tested: `confidence * validated / (validated + contradicted + 1)`.
    #[must_use]
    pub fn validation_quality(&self) -> Ppm {
        crate::quality::validation_quality(self.confidence, self.validated, self.contradicted)
    }

    /// G-082, G-144, GG-3, G-189. Takes the evidence of a cycle in. Decay restarts only by a confirmation, and a clock
    /// that ran backwards never moves it back.
    pub(crate) fn absorb(&mut self, votes: Votes, now: Moment) {
        self.confidence = self.confidence.after(votes);
        self.validated = self.validated.saturating_add(votes.up);
        self.contradicted = self.contradicted.saturating_add(votes.down);
        if votes.up == 0 {
            return;
        }
        self.last_validated = self.last_validated.max(now);
        if let Some(dream) = &mut self.draft.dream
            && now.at.since(self.recorded.at) <= DREAM_WINDOW
        {
            dream.is_validated = true;
            self.confidence = self.confidence.max(DREAM_CONFIRMED);
        }
    }

    /// G-083. Takes a checked prediction in; a correct one is fresh market evidence.
    pub(crate) fn absorb_check(&mut self, correct: bool, now: Moment) {
        self.confidence = self.confidence.checked(correct);
        if correct {
            self.last_validated = self.last_validated.max(now);
        }
    }

    /// G-081, GG-3. It was retrieved: that is remembered, and nothing grows by it.
    pub(crate) fn accessed(&mut self, tick: Tick) {
        self.last_accessed = self.last_accessed.max(tick);
        self.access_count = self.access_count.saturating_add(1);
    }

    /// G-142, G-032. The same statement with more behind it; only what was counted here is counted on. What another said
    /// stays as it was said, with the episodes that tested it.
    pub(crate) fn recount(&mut self, finding: Finding, parents: BTreeSet<EpisodeId>) {
        if !self.draft.counted().is_some_and(|counted| counted.is_about(&finding)) {
            return;
        }
        self.draft.parents = newest(self.draft.parents.union(&parents).copied().collect());
        if matches!(self.draft.method, Method::Told(_)) {
            return;
        }
        if self.draft.body == EntryBody::Insight && !self.is_open_question() {
            self.draft.content = finding.statement();
        }
        self.draft.method = Method::Rules(finding);
    }

    /// G-079, G-080. It was reinforced.
    pub(crate) fn reinforced(&mut self, by: Reinforcement) {
        self.strength = self.strength.reinforced(by);
        if let Reinforcement::Live(result) = by
            && result.is_positive()
        {
            self.useful_count = self.useful_count.saturating_add(1);
        }
    }
}
