//! The half of a cycle that counts evidence and gives places by it.

use std::collections::BTreeMap;

use golem_primitives::Ppm;

use super::Desk;
use crate::confidence::{Confidence, Votes};
use crate::distil::{Operation, distil};
use crate::entry::{Draft, EntryQuestion, Method};
use crate::event::GrimoireEvent;
use crate::finding::Finding;
use crate::gate::{
    Admission, GateExcuse, GateReading, KeyRecord, Quarantined, WELL_KNOWN, admit, rule_recency, rule_utility,
};
use crate::id::EntryId;
use crate::kind::Kind;
use crate::shelf::Change;
use crate::status::{ArchiveReason, Status};

/// G-149. Cycles after which an attack on the well known that nothing came to support is dropped.
const QUARANTINE_CYCLES: u32 = 3;

impl Desk<'_> {
    /// G-144, G-083, G-069. Nets the votes and applies them; a confirmation reaches into the archive.
    pub(super) fn take_votes(&mut self) {
        for (id, votes) in self.input.votes {
            self.vote_on(*id, *votes);
        }
        for (id, correct) in self.input.checks {
            self.change(Change::Check { id: *id, correct: *correct });
        }
    }

    pub(super) fn vote_on(&mut self, id: EntryId, votes: Votes) {
        if votes.is_empty() {
            return;
        }
        match self.status(id) {
            Some(Status::Archived) => self.change(Change::Restore { id, votes }),
            _ => self.change(Change::Vote { id, votes }),
        };
    }

    /// G-142, G-148. Distils, and sends what is new through the gate like anyone else.
    pub(super) fn distil(&mut self) {
        let distilled = distil(&self.input.golem, &self.shelf, self.input.episodes, self.input.now);
        // Votes on one entry are netted over the cycle before they are applied (G-144).
        let mut votes: BTreeMap<EntryId, Votes> = BTreeMap::new();
        for operation in distilled.operations {
            match operation {
                // What comes back from the archive comes back before it is counted on or answers anything.
                Operation::Vote { id, votes } if self.status(id) == Some(Status::Archived) => self.vote_on(id, votes),
                Operation::Vote { id, votes: more } => {
                    let netted = votes.entry(id).or_default();
                    *netted = netted.plus(more);
                }
                Operation::Edit { id, finding, parents } => {
                    self.change(Change::Edit { id, finding: Box::new(finding), parents });
                }
                Operation::Add(draft) => {
                    self.submit(*draft);
                }
                Operation::Again { draft, votes } => {
                    if let Some(id) = self.submit(*draft) {
                        self.vote_on(id, votes);
                    }
                }
                Operation::Answer { question, key, regime } => {
                    let answer = self.shelf.living().find(|entry| {
                        let counted =
                            matches!(&entry.draft.method, Method::Rules(f) if f.key == key && f.regime == regime);
                        counted && entry.id != question && entry.kind() != Kind::Warning
                    });
                    if let Some(answer) = answer.map(|entry| entry.id) {
                        self.change(Change::Settle { id: question, question: EntryQuestion::Answered(answer) });
                    }
                }
            }
        }
        for (id, votes) in votes {
            self.vote_on(id, votes);
        }
        self.pass.consolidated = distilled.consolidated;
        self.pass.tags.extend(distilled.tags);
        self.pass.taught = distilled.taught;
    }

    pub(super) fn submit(&mut self, draft: Draft) -> Option<EntryId> {
        let reading = self.reading(&draft);
        self.submit_as(draft, &reading)
    }

    /// Lets a draft stand at the gate; answers the candidate it became.
    fn submit_as(&mut self, draft: Draft, reading: &GateReading) -> Option<EntryId> {
        let name = [draft.content.as_bytes(), draft.body.kind().name().as_bytes()].concat();
        let id = EntryId::derive(self.input.now.at, &self.input.golem, &name);
        match admit(id, draft, reading, self.input.now) {
            Admission::Admitted(candidate) => {
                let entry = candidate.knowledge();
                let event = GrimoireEvent::Write {
                    kind: entry.kind(),
                    domain: entry.draft.domain,
                    confidence: entry.confidence,
                    provenance: entry.draft.source.provenance,
                };
                if self.change(Change::Add(candidate)) {
                    self.pass.events.push(event);
                    return Some(id);
                }
            }
            Admission::Quarantined(locked) => self.pass.quarantine.push(*locked),
            Admission::Merged(_) | Admission::Known(_) | Admission::Rejected(_) => {}
        }
        None
    }

    /// What the gate can read without a model: the record of the key, how narrow the interval is, how fresh the evidence,
    /// and what sure finding it contradicts. A question claims nothing, so nothing in it can be false.
    fn reading(&self, draft: &Draft) -> GateReading {
        let mut record = KeyRecord::default();
        let mut contradicts: Option<Confidence> = None;
        for entry in self.shelf.living() {
            if let (Method::Rules(mine), Method::Rules(known)) = (&draft.method, &entry.draft.method) {
                if mine.key == known.key {
                    record.accessed = record.accessed.saturating_add(entry.access_count);
                    record.useful = record.useful.saturating_add(entry.useful_count);
                }
                // A warning tells of single losses, not of what is so on the whole.
                if entry.kind() != Kind::Warning && mine.contradicts(known) {
                    contradicts = contradicts.max(Some(entry.confidence));
                }
            }
        }
        let newest = draft.parents.last().map_or(draft.valid_from, |last| last.at());
        let factual = match &draft.method {
            _ if draft.question.is_some() => Ppm::ONE,
            Method::Rules(finding) => finding.interval().width().complement(),
            _ => draft.original_confidence.get(),
        };
        GateReading {
            utility: rule_utility(draft.body.kind(), record),
            factual,
            recency: rule_recency(newest, self.input.now.at),
            nearest: None,
            known: self.shelf.entries().count(),
            contradicts,
            occasion: GateExcuse::Ordinary,
        }
    }

    /// G-149. What waits in quarantine stands at the gate again when what it attacks is no longer well known, and is then
    /// as true as the surest of one's own findings that agrees with it; after three cycles it is dropped. What says no more
    /// of what it attacks than that it does waits out its cycles.
    pub(super) fn review_quarantine(&mut self) {
        for locked in std::mem::take(&mut self.pass.quarantine) {
            let surest = |says: fn(&Finding, &Finding) -> bool| {
                let known = self.shelf.living().filter(|entry| match (locked.finding(), &entry.draft.method) {
                    (Some(theirs), Method::Rules(mine)) => says(theirs, mine),
                    _ => false,
                });
                known.map(|entry| entry.confidence).max()
            };
            let still_attacks =
                locked.finding().is_none() || surest(Finding::contradicts).is_some_and(|known| known >= WELL_KNOWN);
            if !still_attacks {
                let support = surest(Finding::supports).map_or(Ppm::ZERO, Confidence::get);
                let reading = self.reading(&locked.draft);
                self.submit_as(locked.draft, &GateReading { factual: reading.factual.max(support), ..reading });
            } else if locked.cycles + 1 < QUARANTINE_CYCLES {
                self.pass.quarantine.push(Quarantined { cycles: locked.cycles + 1, ..locked });
            }
        }
    }

    /// G-151, G-190. Looks for entries that contradict each other or say the same. Of two that contradict the one with
    /// less behind it takes a vote against; of two that say the same the younger goes.
    pub(super) fn validate_deeply(&mut self) {
        let counted: Vec<_> = self
            .shelf
            .living()
            .filter(|entry| !entry.is_open_question() && entry.kind() != Kind::Warning)
            .filter_map(|entry| match &entry.draft.method {
                Method::Rules(finding) => Some((entry.id, entry.kind(), finding.clone())),
                _ => None,
            })
            .collect();
        for (at, (older, kind, known)) in counted.iter().enumerate() {
            for (younger, other_kind, other) in &counted[at + 1..] {
                if known.contradicts(other) {
                    let weaker = if other.trials <= known.trials { younger } else { older };
                    self.change(Change::Vote { id: *weaker, votes: Votes::DOWN });
                } else if kind == other_kind && known.is_about(other) {
                    self.change(Change::Archive { id: *younger, reason: ArchiveReason::Merged });
                }
            }
        }
    }

    /// G-146.
    pub(super) fn demote(&mut self) {
        let falling: Vec<EntryId> = self
            .shelf
            .active()
            .filter(|active| active.is_to_be_demoted())
            .map(|active| active.knowledge().id)
            .collect();
        for id in falling {
            self.change(Change::Demote { id });
        }
    }

    /// G-145. Whoever has earned it; the law itself refuses the others.
    pub(super) fn promote(&mut self) {
        let (fitness, now) = (self.input.fitness, self.input.now);
        let rising: Vec<EntryId> = self
            .shelf
            .candidates()
            .filter(|candidate| !self.input.held.contains(&candidate.knowledge().id))
            .filter(|candidate| candidate.promote(fitness, now).is_ok())
            .map(|candidate| candidate.knowledge().id)
            .collect();
        for id in rising {
            self.change(Change::Promote { id, fitness });
        }
    }
}
