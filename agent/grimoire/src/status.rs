//! The states of an entry. Nothing becomes active that was not a candidate first, and the types say so.
//!
//! [`Candidate`] is made by the [gate](crate::gate) alone, [`Active`] by [`Candidate::promote`] alone, [`Archived`] from
//! either. A store reads its rows back through [`Stored::reload`], which asks an active row for the record of its
//! promotion and refuses it without one (I-362).

use std::collections::BTreeSet;

use golem_primitives::{Ppm, Tick};

use crate::confidence::{Confidence, Votes};
use crate::entry::Knowledge;
use crate::finding::Finding;
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::{CausalLink, EntryBody, Kind};
use crate::strength::Reinforcement;
use crate::thesis::Thesis;

mod reason;
mod stored;

pub use reason::{ArchiveReason, BurnReason, Status};
pub use stored::{ReloadError, Stored};

/// An entry that was admitted and is not yet trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    knowledge: Knowledge,
    since: Moment,
}

/// The record that an entry was a candidate and how it earned its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Promotion {
    pub candidate_since: Moment,
    /// When it became active.
    pub at: Moment,
    /// Confirmations by own use until then.
    pub confirmations: u32,
    /// What it was worth then.
    pub confidence: Confidence,
}

/// An entry that decisions use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    knowledge: Knowledge,
    promotion: Promotion,
}

/// An entry in the cold store, with what it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    before: Living,
    at: Moment,
    reason: ArchiveReason,
}

/// What an archived entry was, and is again when restored.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Living {
    Candidate(Candidate),
    Active(Active),
}

/// G-070. What is left of a burned entry.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Burned {
    pub id: EntryId,
    pub kind: Kind,
    pub summary: String,
    pub at: Moment,
    pub reason: BurnReason,
    /// What it claimed, if it was shown wrong: nobody says it here again as if it were new.
    #[serde(default)]
    pub refuted: Option<Refuted>,
}

/// What is remembered of a claim that was shown wrong.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Refuted {
    pub thesis: Thesis,
    /// How often it was contradicted.
    pub times: u32,
}

/// Why a candidate is not promoted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotYet {
    /// G-145, G-199. Worth too little, as an ageing Golem weighs it.
    #[error("worth {weighed}, promoted from {needed}")]
    BelowThreshold {
        weighed: Confidence,
        /// The least for its type.
        needed: Confidence,
    },
    /// G-053, G-175. From outside or from a dream, and never confirmed by own use.
    #[error("not learned awake by this Golem and not confirmed by its own use")]
    Unconfirmed,
    /// G-145. Heuristics are derived at home.
    #[error("a heuristic from outside is never promoted; derive one from what it teaches")]
    ForeignHeuristic,
}

/// G-146. Confidence below which an active entry becomes a candidate again.
const DEMOTION: Confidence = Confidence::of(400_000);
/// Characters of the line a burned entry leaves.
const SUMMARY_CHARS: usize = 120;

/// G-145. The least confidence of an active entry by type. G-145 gives insights; a heuristic is held to no less, a link
/// and a fragment to what sharing asks of them (G-172), and a warning is heard whatever it is worth.
const fn promotion_threshold(kind: Kind) -> Confidence {
    match kind {
        Kind::Insight | Kind::Heuristic | Kind::StrategyFragment => Confidence::of(600_000),
        Kind::CausalLink => Confidence::of(500_000),
        Kind::Warning => Confidence::ZERO,
    }
}

impl Candidate {
    pub(crate) const fn new(knowledge: Knowledge, since: Moment) -> Self {
        Self { knowledge, since }
    }

    /// What it says and how it fared.
    #[must_use]
    pub const fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// I-036. Worth no more than this: what arrives never becomes worth more than it was to whom it comes from.
    pub(crate) fn lower_to(&mut self, most: Confidence) {
        self.knowledge.confidence = self.knowledge.confidence.min(most);
    }

    /// Since when it is a candidate.
    #[must_use]
    pub const fn since(&self) -> Moment {
        self.since
    }

    /// G-145, G-053, G-199. The entry as active, if it has earned it; time alone never promotes (I-078).
    pub fn promote(&self, fitness: Ppm, now: Moment) -> Result<Active, NotYet> {
        let entry = &self.knowledge;
        let provenance = entry.draft.source.provenance;
        if entry.kind() == Kind::Heuristic && !provenance.may_become_heuristic() {
            return Err(NotYet::ForeignHeuristic);
        }
        if !provenance.is_own() && entry.validated == 0 {
            return Err(NotYet::Unconfirmed);
        }
        let is_structural = entry.decay_class == crate::retention::DecayClass::Structural;
        let weighed = if is_structural { entry.confidence } else { entry.confidence.discounted_for_age(fitness) };
        let needed = promotion_threshold(entry.kind());
        if weighed < needed {
            return Err(NotYet::BelowThreshold { weighed, needed });
        }
        let promotion = Promotion {
            candidate_since: self.since,
            at: now.max(self.since),
            confirmations: entry.validated,
            confidence: entry.confidence,
        };
        Ok(Active { knowledge: entry.clone(), promotion })
    }
}

impl Active {
    /// What it says and how it fared.
    #[must_use]
    pub const fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// How it earned its place.
    #[must_use]
    pub const fn promotion(&self) -> Promotion {
        self.promotion
    }

    /// G-146. Whether contradictions have taken its place away. By evidence, not by decay, which archives; and a warning
    /// stays heard.
    #[must_use]
    pub fn is_to_be_demoted(&self) -> bool {
        self.knowledge.kind() != Kind::Warning && self.knowledge.confidence < DEMOTION
    }

    /// G-146. The entry as a candidate again.
    #[must_use]
    pub fn demote(self, now: Moment) -> Candidate {
        Candidate { knowledge: self.knowledge, since: now }
    }

    /// G-145, GG-6. Whether this heuristic may stand in PLAYBOOK.md: worth 0.7 or more and confirmed in ten ticks, so
    /// that a fresh entry of one's own, which starts at 0.7, does not jump in.
    #[must_use]
    pub fn is_playbook_worthy(&self) -> bool {
        const LEAST: Confidence = Confidence::of(700_000);
        const CONFIRMATIONS: u32 = 10;
        self.knowledge.kind() == Kind::Heuristic
            && self.knowledge.confidence >= LEAST
            && self.knowledge.validated >= CONFIRMATIONS
    }
}

impl Archived {
    /// What it says and how it fared.
    #[must_use]
    pub const fn knowledge(&self) -> &Knowledge {
        match &self.before {
            Living::Candidate(candidate) => &candidate.knowledge,
            Living::Active(active) => &active.knowledge,
        }
    }

    /// When it was archived.
    #[must_use]
    pub const fn at(&self) -> Moment {
        self.at
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> ArchiveReason {
        self.reason
    }

    /// G-069, GG-5. What it was before, with new evidence taken in. Nothing is lost in the archive: the same evidence
    /// given to an entry that was never archived leaves it in the same state.
    #[must_use]
    pub fn restore(self, votes: Votes, now: Moment) -> Entry {
        let mut entry = match self.before {
            Living::Candidate(candidate) => Entry::Candidate(candidate),
            Living::Active(active) => Entry::Active(active),
        };
        entry.absorb(votes, now);
        entry
    }
}

/// G-018, G-039. An entry in whichever state it is: the union of the five types and the four states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    Candidate(Candidate),
    Active(Active),
    Archived(Archived),
    Burned(Burned),
}

impl Entry {
    /// Its name.
    #[must_use]
    pub const fn id(&self) -> EntryId {
        match self {
            Self::Burned(burned) => burned.id,
            Self::Candidate(candidate) => candidate.knowledge.id,
            Self::Active(active) => active.knowledge.id,
            Self::Archived(archived) => archived.knowledge().id,
        }
    }

    /// G-039. Where it stands.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::Candidate(_) => Status::Candidate,
            Self::Active(_) => Status::Active,
            Self::Archived(_) => Status::Archived,
            Self::Burned(_) => Status::Burned,
        }
    }

    /// What it says; nothing once burned.
    #[must_use]
    pub const fn knowledge(&self) -> Option<&Knowledge> {
        match self {
            Self::Candidate(candidate) => Some(&candidate.knowledge),
            Self::Active(active) => Some(&active.knowledge),
            Self::Archived(archived) => Some(archived.knowledge()),
            Self::Burned(_) => None,
        }
    }

    /// Its knowledge while it lives: a candidate's or an active entry's.
    fn living_mut(&mut self) -> Option<&mut Knowledge> {
        match self {
            Self::Candidate(candidate) => Some(&mut candidate.knowledge),
            Self::Active(active) => Some(&mut active.knowledge),
            Self::Archived(_) | Self::Burned(_) => None,
        }
    }

    /// G-144. Takes evidence in; the archive and the ashes take none.
    pub fn absorb(&mut self, votes: Votes, now: Moment) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.absorb(votes, now);
        }
    }

    /// G-083. Takes a checked prediction in.
    pub fn absorb_check(&mut self, correct: bool, now: Moment) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.absorb_check(correct, now);
        }
    }

    /// G-081. It was retrieved.
    pub fn accessed(&mut self, tick: Tick) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.accessed(tick);
        }
    }

    /// G-079. It was reinforced.
    pub fn reinforced(&mut self, by: Reinforcement) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.reinforced(by);
        }
    }

    /// C8, C14. A Curator cycle went by, in which it was below the archive threshold or not.
    pub(crate) fn lived_a_cycle(&mut self, is_low: bool) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.cycles = knowledge.cycles.saturating_add(1);
            knowledge.low_cycles = if is_low { knowledge.low_cycles.saturating_add(1) } else { 0 };
        }
    }

    /// G-142. Counted on; an entry that was not counted is not edited.
    pub(crate) fn edit(&mut self, finding: Finding, parents: BTreeSet<EpisodeId>) {
        if let Some(knowledge) = self.living_mut() {
            knowledge.recount(finding, parents);
        }
    }

    /// G-132. The same link with other numbers; another link changes nothing.
    pub(crate) fn count_link(&mut self, counted: CausalLink) {
        if let Some(knowledge) = self.living_mut()
            && let EntryBody::CausalLink(link) = &mut knowledge.draft.body
            && link.says_the_same(&counted)
        {
            *link = CausalLink { mechanism: link.mechanism.take(), ..counted };
        }
    }

    /// G-170. The same question, answered or moot.
    pub(crate) fn settle_question(&mut self, question: crate::entry::EntryQuestion) {
        if let Some(knowledge) = self.living_mut()
            && knowledge.is_open_question()
        {
            knowledge.draft.question = Some(question);
        }
    }

    /// G-069. The entry in the archive; one that is not alive stays what it is.
    #[must_use]
    pub fn archive(self, reason: ArchiveReason, at: Moment) -> Self {
        let before = match self {
            Self::Candidate(candidate) => Living::Candidate(candidate),
            Self::Active(active) => Living::Active(active),
            other => return other,
        };
        Self::Archived(Archived { before, at, reason })
    }

    /// G-070. What is left of it: one line. A burned entry stays as it burned.
    #[must_use]
    pub fn burn(self, reason: BurnReason, at: Moment) -> Self {
        let Some(knowledge) = self.knowledge() else { return self };
        let line = knowledge.draft.content.lines().next().unwrap_or_default();
        let summary = line.chars().take(SUMMARY_CHARS).collect();
        let thesis = Thesis::of(&knowledge.draft).filter(|_| reason == BurnReason::Contradicted);
        let refuted = thesis.map(|thesis| Refuted { thesis, times: knowledge.contradicted });
        Self::Burned(Burned { id: knowledge.id, kind: knowledge.kind(), summary, at, reason, refuted })
    }
}
