//! The half of a cycle that lets go. Forgetting is the default state (G-155).

use golem_mortality::demurrage::EntryReading;
use golem_primitives::Ppm;

use super::Desk;
use crate::event::GrimoireEvent;
use crate::id::EntryId;
use crate::kind::Kind;
use crate::quality::{GRACE_CYCLES, PRUNE_BELOW, READ_FROM};
use crate::shelf::Change;
use crate::status::{ArchiveReason, BurnReason, Entry, Status};

/// Contradictions without a single confirmation after which a candidate burns.
const REFUTED: u32 = 3;

impl Desk<'_> {
    /// G-068, G-140, G-114, C33. Archives what decayed, what is over, and what did badly and nobody reads.
    pub(super) fn let_go(&mut self) {
        for id in self.living_ids() {
            if let Some(reason) = self.reason_to_archive(id) {
                self.change(Change::Archive { id, reason });
            }
        }
    }

    fn reason_to_archive(&self, id: EntryId) -> Option<ArchiveReason> {
        let (law, now) = (&self.input.law.retention, self.input.now.at);
        let entry = self.shelf.get(id)?.knowledge()?;
        if entry.is_expired(now) {
            return Some(ArchiveReason::Expired);
        }
        if law.demurrage && entry.remaining(law, now) < law.archive_threshold() && !entry.is_open_question() {
            return Some(ArchiveReason::Decayed);
        }
        let is_unread = entry.access_count < READ_FROM && entry.cycles >= GRACE_CYCLES;
        let was_tested = entry.validated.saturating_add(entry.contradicted) > 0;
        let is_poor = was_tested && entry.validation_quality() < PRUNE_BELOW;
        (is_unread && is_poor && !self.is_spared(id)).then_some(ArchiveReason::LowQuality)
    }

    /// G-070, G-147, C10. Burns candidates that were only ever contradicted. A link is not: looks count it, and where they end
    /// it rests (G-031); burned, it would be learnt anew by the next cycle that they still count it in.
    pub(super) fn burn_refuted(&mut self) {
        let refuted: Vec<EntryId> = self
            .shelf
            .candidates()
            .map(|candidate| candidate.knowledge())
            .filter(|entry| entry.validated == 0 && entry.contradicted >= REFUTED && entry.kind() != Kind::CausalLink)
            .map(|entry| entry.id)
            .filter(|id| !self.is_spared(*id))
            .collect();
        for id in refuted {
            self.change(Change::Burn { id, reason: BurnReason::Contradicted });
            if let Some(Entry::Burned(burned)) = self.shelf.get(id) {
                self.pass.events.push(GrimoireEvent::Burned(Box::new(burned.clone())));
            }
        }
    }

    /// G-078. What the three clocks press for.
    pub(super) fn yield_to_pressure(&mut self) {
        let law = &self.input.law.retention;
        for id in self.living_ids() {
            let Some(entry) = self.shelf.get(id).and_then(Entry::knowledge) else { continue };
            let response = self.input.pressure.response(&EntryReading {
                confidence: entry.remaining(law, self.input.now.at),
                last_used: entry.last_accessed,
                domain_fitness: self.input.domain_fitness.get(&entry.draft.domain).copied().unwrap_or(Ppm::ONE),
            });
            if response.push && self.status(id) == Some(Status::Active) {
                self.pass.to_push.insert(id);
            }
            if (response.archive || response.fast_track) && !self.is_spared(id) {
                self.change(Change::Archive { id, reason: ArchiveReason::Pressure });
            }
        }
    }

    /// G-075. Archives the least confident until there is room, ties by quality, then the older first. What was sent has
    /// as much room to wait in as active entries have: a flood of it drowns itself and nothing else.
    pub(super) fn keep_capacity(&mut self) {
        let active: Vec<EntryId> = self.shelf.active().map(|active| active.knowledge().id).collect();
        self.make_room(&active);
        let waiting = self.shelf.candidates().map(|candidate| candidate.knowledge());
        let sent: Vec<EntryId> =
            waiting.filter(|entry| entry.draft.source.provenance.is_sent()).map(|entry| entry.id).collect();
        self.make_room(&sent);
    }

    fn make_room(&mut self, ids: &[EntryId]) {
        let (law, now) = (&self.input.law.retention, self.input.now.at);
        let entries = ids.iter().filter_map(|id| self.shelf.get(*id)?.knowledge());
        let mut ranked: Vec<_> = entries.map(|entry| (entry.remaining(law, now), entry.quality, entry.id)).collect();
        let surplus = ranked.len().saturating_sub(self.input.law.capacity);
        ranked.sort();
        for (_, _, id) in ranked.into_iter().take(surplus) {
            self.change(Change::Archive { id, reason: ArchiveReason::Capacity });
        }
    }

    /// C8, C14. A cycle more for everyone still here.
    pub(super) fn count_cycle(&mut self) {
        let (law, now) = (self.input.law.retention, self.input.now.at);
        for id in self.living_ids() {
            let is_low = self
                .shelf
                .get(id)
                .and_then(Entry::knowledge)
                .is_some_and(|entry| entry.remaining(&law, now) < law.archive_threshold());
            self.change(Change::Cycle { id, is_low });
        }
    }
}
