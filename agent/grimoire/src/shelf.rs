//! The Grimoire: all entries of a Golem by id, and the changes it may undergo.

use std::collections::{BTreeMap, BTreeSet};

use golem_primitives::{Ppm, Tick};

use crate::confidence::Votes;
use crate::entry::{EntryQuestion, Knowledge};
use crate::finding::Finding;
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::CausalLink;
use crate::status::{Active, ArchiveReason, BurnReason, Candidate, Entry, NotYet, Status};
use crate::strength::Reinforcement;
use crate::thesis::Thesis;

/// G-001. A Golem's entries, ordered by id and so by time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grimoire {
    entries: BTreeMap<EntryId, Entry>,
}

/// Something that happens to an entry. The Curator wants these; [`Grimoire::apply`] does them or says why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A candidate from the gate joins.
    Add(Box<Candidate>),
    /// G-144. Evidence, netted.
    Vote {
        /// For and against which.
        id: EntryId,
        votes: Votes,
    },
    /// G-083. A prediction it made was checked.
    Check { id: EntryId, correct: bool },
    /// G-145. A candidate becomes active, if the law lets it.
    Promote {
        id: EntryId,
        /// G-199. The fitness by which an ageing Golem weighs it.
        fitness: Ppm,
    },
    /// G-146. An active entry becomes a candidate again.
    Demote { id: EntryId },
    /// G-069. It leaves context.
    Archive { id: EntryId, reason: ArchiveReason },
    /// G-069. It comes back on new evidence.
    Restore { id: EntryId, votes: Votes },
    /// G-070. It burns.
    Burn { id: EntryId, reason: BurnReason },
    /// G-142. The same statement, counted on.
    Edit { id: EntryId, finding: Box<Finding>, parents: BTreeSet<EpisodeId> },
    /// G-132. A link as it is counted now.
    CountLink {
        id: EntryId,
        /// Its numbers; what it says stays.
        link: Box<CausalLink>,
    },
    /// G-170. A question is answered or moot.
    Settle { id: EntryId, question: EntryQuestion },
    /// C8, C14. A Curator cycle went by.
    Cycle {
        id: EntryId,
        /// Whether it was below the archive threshold.
        is_low: bool,
    },
}

/// Why a change did not happen; nothing else changed by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    #[error("no entry {id}")]
    Unknown { id: EntryId },
    #[error("entry {id} exists already")]
    Exists { id: EntryId },
    #[error("entry {id} is {status}")]
    WrongStatus { id: EntryId, status: Status },
    #[error("entry {id} stays a candidate")]
    NotYet {
        id: EntryId,
        #[source]
        why: NotYet,
    },
    /// A restoration without a confirmation (GG-5).
    #[error("entry {id} is restored only by a confirmation")]
    NoConfirmation { id: EntryId },
}

impl Grimoire {
    /// Entries as read back from a store; of two with the same id the later counts.
    #[must_use]
    pub fn from_entries(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self { entries: entries.into_iter().map(|entry| (entry.id(), entry)).collect() }
    }

    /// Every entry in whatever state, by id.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The entry of that id.
    #[must_use]
    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(&id)
    }

    /// G-098. Entries that decisions may use.
    pub fn active(&self) -> impl Iterator<Item = &Active> {
        self.entries.values().filter_map(|entry| match entry {
            Entry::Active(active) => Some(active),
            _ => None,
        })
    }

    /// Entries that wait to be trusted.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.entries.values().filter_map(|entry| match entry {
            Entry::Candidate(candidate) => Some(candidate),
            _ => None,
        })
    }

    /// Knowledge of candidates and active entries.
    pub fn living(&self) -> impl Iterator<Item = &Knowledge> {
        self.entries
            .values()
            .filter(|entry| matches!(entry.status(), Status::Candidate | Status::Active))
            .filter_map(Entry::knowledge)
    }

    /// How many active entries there are.
    #[must_use]
    pub fn active_count(&self) -> usize {
        self.active().count()
    }

    /// How often a claim was contradicted here before it burned; `None` for one that never did. Of several the last counts:
    /// it began with the record of those before it.
    #[must_use]
    pub fn refuted(&self, thesis: &Thesis) -> Option<u32> {
        let burned = self.entries.values().filter_map(|entry| match entry {
            Entry::Burned(burned) => Some((burned.at, burned.refuted.as_ref()?)),
            _ => None,
        });
        burned
            .filter(|(_, refuted)| refuted.thesis == *thesis)
            .max_by_key(|(at, _)| *at)
            .map(|(_, refuted)| refuted.times)
    }

    /// G-081, G-093. Marks retrieved entries as accessed; nothing else grows by it.
    pub fn mark_accessed(&mut self, ids: impl IntoIterator<Item = EntryId>, tick: Tick) {
        for id in ids {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.accessed(tick);
            }
        }
    }

    /// G-079, G-080. Reinforces an entry; one that is not there or not alive is not.
    pub fn reinforce(&mut self, id: EntryId, by: Reinforcement) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.reinforced(by);
        }
    }

    /// Does a change.
    ///
    /// # Errors
    /// [`ChangeError`] when the entry is missing, in another state, or has not earned it.
    pub fn apply(&mut self, change: Change, now: Moment) -> Result<(), ChangeError> {
        match change {
            Change::Add(candidate) => {
                let id = candidate.knowledge().id;
                if self.entries.contains_key(&id) {
                    return Err(ChangeError::Exists { id });
                }
                self.entries.insert(id, Entry::Candidate(*candidate));
            }
            Change::Vote { id, votes } => self.living_entry(id)?.absorb(votes, now),
            Change::Check { id, correct } => self.living_entry(id)?.absorb_check(correct, now),
            Change::Cycle { id, is_low } => self.living_entry(id)?.lived_a_cycle(is_low),
            Change::Edit { id, finding, parents } => self.living_entry(id)?.edit(*finding, parents),
            Change::CountLink { id, link } => self.living_entry(id)?.count_link(*link),
            Change::Settle { id, question } => self.living_entry(id)?.settle_question(question),
            Change::Promote { id, fitness } => match self.existing(id)? {
                Entry::Candidate(candidate) => {
                    let active = candidate.promote(fitness, now).map_err(|why| ChangeError::NotYet { id, why })?;
                    self.entries.insert(id, Entry::Active(active));
                }
                other => return Err(ChangeError::WrongStatus { id, status: other.status() }),
            },
            Change::Demote { id } => match self.existing(id)?.clone() {
                Entry::Active(active) => {
                    self.entries.insert(id, Entry::Candidate(active.demote(now)));
                }
                other => return Err(ChangeError::WrongStatus { id, status: other.status() }),
            },
            Change::Archive { id, reason } => {
                let entry = self.living_entry(id)?.clone();
                self.entries.insert(id, entry.archive(reason, now));
            }
            Change::Restore { id, votes } => match self.existing(id)?.clone() {
                Entry::Archived(_) if votes.up == 0 => return Err(ChangeError::NoConfirmation { id }),
                Entry::Archived(archived) => {
                    self.entries.insert(id, archived.restore(votes, now));
                }
                other => return Err(ChangeError::WrongStatus { id, status: other.status() }),
            },
            Change::Burn { id, reason } => match self.existing(id)?.clone() {
                burned @ Entry::Burned(_) => {
                    return Err(ChangeError::WrongStatus { id, status: burned.status() });
                }
                entry => {
                    self.entries.insert(id, entry.burn(reason, now));
                }
            },
        }
        Ok(())
    }

    fn existing(&self, id: EntryId) -> Result<&Entry, ChangeError> {
        self.entries.get(&id).ok_or(ChangeError::Unknown { id })
    }

    fn living_entry(&mut self, id: EntryId) -> Result<&mut Entry, ChangeError> {
        let entry = self.entries.get_mut(&id).ok_or(ChangeError::Unknown { id })?;
        match entry.status() {
            Status::Candidate | Status::Active => Ok(entry),
            status @ (Status::Archived | Status::Burned) => Err(ChangeError::WrongStatus { id, status }),
        }
    }
}
