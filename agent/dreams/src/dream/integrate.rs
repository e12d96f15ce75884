//! The end of a dream: what it found becomes its report.

use golem_grimoire::strength::Reinforcement;
use golem_primitives::Ppm;

use super::Dream;
use crate::integration::journal::CycleEnding;
use crate::integration::quality::{MeasuredCycle, quality};
use crate::number::count;
use crate::rem::rehearsal::warning;
use crate::report::{DreamReport, GrimoireUpdate, Rehearsed};
use crate::words::DreamTrigger;

impl Dream {
    /// What was replayed and calmed.
    fn updates(&self) -> Vec<GrimoireUpdate> {
        let replayed = self.replayed.replayed.iter();
        let replayed = replayed.map(|id| GrimoireUpdate::Replayed(*id, Reinforcement::DreamReplay));
        let feelings = self.imagined.feelings.iter().copied().map(GrimoireUpdate::Feeling);
        replayed.chain(feelings).collect()
    }

    /// D-144. The end: the report of a whole cycle. What it asks for is in the report; nothing is done here.
    pub(super) fn finish(&mut self) {
        let is_emergency = self.frozen.opening.trigger == DreamTrigger::Emergency;
        // D-002. A cycle without REM is a lesser one, whoever wanted it so.
        let is_lesser = self.is_consolidation_only() || self.is_without_rem();
        let ending = if is_lesser { CycleEnding::Degraded } else { CycleEnding::Complete };
        let mut report = DreamReport::partial(self.journal(ending, self.quality()));
        if is_emergency {
            // D-021, C3: nobody will be awake to confirm anything, so it all goes to the testament, and nowhere else.
            let lessons = self.imagined.counterfactuals.iter().map(|one| one.lesson());
            report.testament = lessons.chain(self.foreseen()).collect();
        } else {
            let threats = self.imagined.threats.iter();
            report.threats =
                threats.map(|one| Rehearsed { kind: one.kind, warning: warning(one, &self.frozen) }).collect();
            report.rules = self.imagined.rules.clone();
            report.held = self.onset.held.clone();
            report.updates = self.updates();
        }
        self.close(report);
    }

    fn close(&mut self, mut report: DreamReport) {
        self.integration.updates = count(report.updates.len());
        self.integration.proposed = count(report.rules.len());
        report.journal.integration = self.integration;
        report.journal.fragments = self.all_fragments();
        report.awakening = self.awakening();
        self.report = Some(Box::new(report));
    }

    /// DG-17. What this cycle thinks of itself.
    fn quality(&self) -> Option<Ppm> {
        let (feasible, mean_cosine) = self.measured_rem();
        quality(&MeasuredCycle { mean_cosine, feasible })
    }
}
