//! Rules that a line learnt so often that an heir is born with them: proposed at birth, in force by its owner's word, and
//! back among the candidates when its own episodes contradict them (I-180, I-183).

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_inheritance::baldwin::{StructuralDefault, propose_left};
use golem_ports::{Store, StoreError};
use golem_primitives::LineageId;
use serde::{Deserialize, Serialize};

use crate::death::legacy::LegacyBundle;
use crate::notes;

/// The note under which a store keeps them.
pub const DEFAULTS_NOTE: &str = "defaults";

/// The defaults of one heir, each with where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Defaults(Vec<StructuralDefault>);

impl Defaults {
    /// I-180, I-184. What a bundle proposes to an heir of that line.
    #[must_use]
    pub fn proposed(left: &LegacyBundle, lineage: LineageId, at: Moment) -> Self {
        let due = left.bequest.entries.iter().filter_map(|entry| propose_left(entry, lineage, at));
        Self(due.map(StructuralDefault::proposed).collect())
    }

    /// Of a note; none where there is none.
    #[must_use]
    pub fn of(note: Option<&str>) -> Self {
        note.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// The note.
    #[must_use]
    pub fn to_note(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &StructuralDefault> {
        self.0.iter()
    }

    /// I-183. Takes what is proposed over into the configuration; `false` when nothing of that name is proposed.
    pub fn accept(&mut self, entry: EntryId, now: Moment) -> bool {
        self.turn(entry, |one| one.accepted(now))
    }

    /// I-183. Takes one back among the candidates; `false` when nothing of that name is there to take back.
    pub fn give_back(&mut self, entry: EntryId, now: Moment) -> bool {
        self.turn(entry, |one| one.contradicted(now))
    }

    fn turn(&mut self, entry: EntryId, how: impl Fn(StructuralDefault) -> StructuralDefault) -> bool {
        let found = self.0.iter_mut().find(|one| one.proposal.entry == entry);
        found.is_some_and(|one| {
            let after = how(*one);
            let is_turned = after.standing() != one.standing();
            *one = after;
            is_turned
        })
    }

    /// I-180. What is in force, with what it was worth to the line.
    pub(crate) fn in_force(&self) -> BTreeMap<EntryId, Confidence> {
        let forced = self.0.iter().filter(|one| one.is_in_force());
        forced.map(|one| (one.proposal.entry, one.proposal.confidence)).collect()
    }

    /// I-183. Takes back what this life contradicted; answers whether anything was.
    pub(crate) fn review(&mut self, grimoire: &Grimoire, now: Moment) -> bool {
        let failed = |id| match grimoire.get(id) {
            Some(Entry::Burned(_)) | None => true,
            Some(entry) => entry.knowledge().is_some_and(|known| known.contradicted > known.validated),
        };
        let wrong: Vec<EntryId> = self.in_force().into_keys().filter(|id| failed(*id)).collect();
        wrong.iter().filter(|id| self.give_back(**id, now)).count() > 0
    }

    pub(crate) fn read<S: Store>(store: &S) -> Result<Self, StoreError> {
        Ok(notes::read(store, DEFAULTS_NOTE)?.unwrap_or_default())
    }
}
