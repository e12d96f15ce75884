//! Rows of a store, believed only when a life under this law could have written them.

use super::{Active, ArchiveReason, Candidate, Entry, Living, Promotion};
use crate::entry::Knowledge;
use crate::id::{EntryId, Moment};

/// A row of a store: an entry with the record of its state, not yet believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub knowledge: Knowledge,
    pub candidate_since: Moment,
    /// The record of its promotion, if it claims one.
    pub promotion: Option<Promotion>,
    /// When and why it was archived, if it was.
    pub archived: Option<(Moment, ArchiveReason)>,
}

/// A row that no history of this law can have written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReloadError {
    /// I-362. Active before it was a candidate.
    #[error("entry {id} claims to have been active before it was a candidate")]
    ActiveBeforeCandidate { id: EntryId },
    /// G-053. Active from outside without a confirmation.
    #[error("entry {id} comes from outside and claims to be active without a confirmation")]
    Unconfirmed { id: EntryId },
}

impl Stored {
    /// The entry of a row.
    ///
    /// # Errors
    /// [`ReloadError`] for an active row that cannot have been a candidate.
    pub fn reload(self) -> Result<Entry, ReloadError> {
        let id = self.knowledge.id;
        let entry = match self.promotion {
            None => Entry::Candidate(Candidate { knowledge: self.knowledge, since: self.candidate_since }),
            Some(promotion) => {
                if promotion.at < promotion.candidate_since || promotion.candidate_since < self.knowledge.recorded {
                    return Err(ReloadError::ActiveBeforeCandidate { id });
                }
                let is_own = self.knowledge.draft.source.provenance.is_own();
                if !is_own && (promotion.confirmations == 0 || self.knowledge.validated < promotion.confirmations) {
                    return Err(ReloadError::Unconfirmed { id });
                }
                Entry::Active(Active { knowledge: self.knowledge, promotion })
            }
        };
        Ok(match self.archived {
            Some((at, reason)) => entry.archive(reason, at),
            None => entry,
        })
    }

    /// The row of an entry; a burned one has its own table.
    #[must_use]
    pub fn of(entry: &Entry) -> Option<Self> {
        let living = |living: &Living| match living {
            Living::Candidate(candidate) => (candidate.knowledge.clone(), candidate.since, None),
            Living::Active(active) => {
                (active.knowledge.clone(), active.promotion.candidate_since, Some(active.promotion))
            }
        };
        let ((knowledge, candidate_since, promotion), archived) = match entry {
            Entry::Candidate(candidate) => (living(&Living::Candidate(candidate.clone())), None),
            Entry::Active(active) => (living(&Living::Active(active.clone())), None),
            Entry::Archived(archived) => (living(&archived.before), Some((archived.at, archived.reason))),
            Entry::Burned(_) => return None,
        };
        Some(Self { knowledge, candidate_since, promotion, archived })
    }
}
