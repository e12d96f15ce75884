//! Integration within a dream, and its end.

use std::collections::BTreeSet;

use golem_grimoire::id::EpisodeId;
use golem_grimoire::strength::Reinforcement;
use golem_primitives::Ppm;

use super::Dream;
use crate::event::DreamEvent;
use crate::integration::class::{
    Contradiction, boost, down_weight_row, guard_row, hypothesis_row, insight_draft, insight_row, promotion,
    threat_draft,
};
use crate::integration::journal::Ending;
use crate::integration::quality::{Measured, quality};
use crate::integration::review::review;
use crate::integration::staging::{RevisionType, Staged};
use crate::nrem::pattern::Standing;
use crate::nrem::triage::Triage;
use crate::number::count;
use crate::report::{DreamReport, GrimoireUpdate, Promotion};
use crate::words::{DreamPhase, Trigger};

/// D-120. Ticks within which a hypothesis is to show itself.
const HORIZON: u64 = crate::integration::staging::EXPIRES_AFTER;

impl Dream {
    /// D-144, D-145. Classifies everything. What it asks for is in the report; nothing is done here.
    pub(super) fn integrate(&mut self) {
        let lucky = review(&self.frozen.traces.iter().collect::<Vec<_>>()).lucky;
        self.integration.lucky = count(lucky.len());
    }

    /// Entries that patterns confirmed, each once (DG-15), and what was replayed and calmed.
    fn updates(&self) -> Vec<GrimoireUpdate> {
        let mut confirmed: BTreeSet<_> = BTreeSet::new();
        for (_, standing) in &self.replayed.patterns {
            if let Standing::Confirms(id) = standing {
                confirmed.insert(*id);
            }
        }
        let known = self.frozen.known.iter().filter(|known| confirmed.contains(&known.id));
        let boosts = known.filter_map(boost).map(GrimoireUpdate::Boost);
        let replayed = self.replayed.replayed.keys();
        let replayed = replayed.map(|id| GrimoireUpdate::Replayed(*id, Reinforcement::DreamReplay));
        let feelings = self.imagined.feelings.iter().copied().map(GrimoireUpdate::Feeling);
        boosts.chain(replayed).chain(feelings).collect()
    }

    /// D-145. Patterns that go against what is known: flagged.
    fn contradictions(&self) -> Vec<Contradiction> {
        let flagged = self.replayed.patterns.iter().filter_map(|(pattern, standing)| match standing {
            Standing::Contradicts(entry) => Some(Contradiction {
                entry: *entry,
                against: pattern.sentence(),
                episodes: pattern.episodes.iter().copied().collect(),
            }),
            _ => None,
        });
        flagged.collect()
    }

    /// The mean utility of replayed episodes among these: what a row is worth to keep.
    fn utility_of(&self, episodes: &BTreeSet<EpisodeId>) -> Ppm {
        let known: Vec<u64> = episodes
            .iter()
            .filter_map(|id| self.replayed.replayed.get(id))
            .map(|utility| u64::from(utility.get()))
            .collect();
        Ppm::saturating(known.iter().sum::<u64>().checked_div(known.len() as u64).unwrap_or(0))
    }

    /// D-150. Everything that is to be staged, the surest kind first.
    fn rows(&self, contradictions: &[Contradiction]) -> Vec<Staged> {
        let confidence = self.law.consolidation.insight_confidence;
        let novel = self.replayed.patterns.iter().filter(|(_, standing)| *standing == Standing::Novel);
        let insights = novel.map(|(pattern, _)| {
            let utility = self.utility_of(&pattern.episodes.iter().copied().collect());
            insight_row(pattern, &self.frozen, confidence, utility)
        });
        let guards = self.imagined.threats.iter().filter_map(|threat| guard_row(threat, &self.frozen));
        let weights = contradictions.iter().map(|one| down_weight_row(one, &self.frozen));
        let hypotheses = self.imagined.hypotheses.iter();
        let hypotheses = hypotheses.map(|one| hypothesis_row(one, &self.frozen, self.utility_of(&one.episodes)));
        insights.chain(guards).chain(weights).chain(hypotheses).collect()
    }

    /// The end: the report of a whole cycle.
    pub(super) fn finish(&mut self) {
        let is_emergency = self.frozen.opening.trigger == Trigger::Emergency;
        let contradictions = self.contradictions();
        // D-002. A cycle without REM is a lesser one, whoever wanted it so.
        let is_lesser = self.is_consolidation_only() || self.is_without_rem();
        let ending = if is_lesser { Ending::Degraded } else { Ending::Complete };
        let mut report = DreamReport::partial(self.journal(ending, self.quality()));
        report.hypotheses = self.imagined.hypotheses.clone();
        report.predictions = report.hypotheses.iter().map(|one| one.prediction(HORIZON)).collect();
        report.threats = self.imagined.threats.clone();
        report.replays = self.replayed.replays.clone();
        report.imagined = self.imagined.imagined.clone();
        report.contradictions.clone_from(&contradictions);
        report.held = self.onset.held.clone();
        let novel = self.replayed.patterns.iter().filter(|(_, standing)| *standing == Standing::Novel);
        report.insights = novel.map(|(pattern, _)| insight_draft(pattern, &self.frozen)).collect();
        report.warnings = report.threats.iter().map(|threat| threat_draft(threat, &self.frozen)).collect();
        if is_emergency {
            // D-021, C3: nobody will be awake to confirm anything, so it all goes to the testament, and nowhere else.
            let said = report.insights.drain(..).chain(report.warnings.drain(..)).map(|draft| draft.content);
            let supposed = report.hypotheses.iter().map(|one| one.description.clone());
            report.testament = said.chain(supposed).collect();
        } else {
            self.stage_all(&mut report, &contradictions);
            report.updates = self.updates();
            report.deletions = self.forgotten();
        }
        self.close(report);
    }

    fn forgotten(&self) -> Vec<EpisodeId> {
        let forgotten = self.replayed.triage.iter().filter(|(_, way)| **way == Triage::Forget);
        forgotten.map(|(id, _)| *id).collect()
    }

    /// D-150 to D-157. Stages on a copy of the table, so that the report says what would be displaced.
    fn stage_all(&self, report: &mut DreamReport, contradictions: &[Contradiction]) {
        let mut table = self.frozen.staging.clone();
        let most = self.law.consolidation.max_staged as usize;
        for row in self.rows(contradictions) {
            match table.offer(row.clone(), most) {
                Ok(displaced) => report.staging_writes.push((row, displaced)),
                Err(reason) => report.not_staged.push(reason),
            }
        }
        // A row that another of the same cycle displaced was never written.
        let displaced: BTreeSet<_> = report.staging_writes.iter().filter_map(|(_, displaced)| *displaced).collect();
        report.staging_writes.retain(|(row, _)| !displaced.contains(&row.id));
        let ready = self.frozen.staging.promotable(self.law.consolidation.validation_required);
        report.playbook_delta =
            ready.map(|row| Promotion { row: row.id, draft: promotion(row, &self.frozen) }).collect();
    }

    fn close(&mut self, mut report: DreamReport) {
        self.integration.updates = count(report.updates.len());
        self.integration.staged = count(report.staging_writes.len());
        self.integration.refused = count(report.not_staged.len());
        self.integration.flagged = count(report.contradictions.len());
        self.integration.promoted = count(report.playbook_delta.len());
        report.journal.integration = self.integration;
        report.journal.fragments = self.all_fragments();
        report.awakening = self.awakening(&report);
        let heuristics =
            report.staging_writes.iter().filter(|(row, _)| row.revision == RevisionType::AddHeuristic).count();
        self.events.push(DreamEvent::DreamComplete {
            cycle_id: self.frozen.cycle,
            episodes_replayed: self.nrem.episodes,
            counterfactuals_generated: self.rem.counterfactuals,
            insights_crystallized: count(report.insights.len()),
            heuristics_proposed: count(heuristics),
            episodes_depotentiated: self.rem.depotentiated,
            playbook_edits: self.integration.promoted,
        });
        self.report = Some(Box::new(report));
    }

    /// DG-17. What this cycle thinks of itself.
    fn quality(&self) -> Option<Ppm> {
        let (feasible, mean_cosine) = self.measured_rem();
        let did_replay = self.finished.contains(&DreamPhase::Nrem) && self.nrem.batches > 0;
        let patterns = did_replay.then_some((self.nrem.novel, self.nrem.batches));
        quality(&Measured { patterns, mean_cosine, feasible })
    }
}
