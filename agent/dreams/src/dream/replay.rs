//! NREM within a dream.

use std::collections::BTreeSet;

use golem_grimoire::id::EpisodeId;

use super::{Answer, Ask, AskKind, BatchClaim, Dream, Material, Said};
use crate::inputs::Trace;
use crate::nrem::select::{Batch, Chooser, calls};
use crate::nrem::trajectory::{Trajectory, anticipate};
use crate::number::{Temperature, count};
use crate::words::{DreamPhase, DreamTier, DreamTrigger, Grade};

/// What replay found.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    pub(super) replayed: BTreeSet<EpisodeId>,
    pub(super) trajectories: Vec<Trajectory>,
    pub(super) claims: Vec<(BatchClaim, Vec<EpisodeId>)>,
}

/// D-004. Episodes of a lightweight cycle.
const CORE_EPISODES: usize = 5;
/// Batches of a full one at most.
const MOST_BATCHES: usize = 3;

impl Dream {
    /// The replayed episodes.
    pub(super) fn replayed_traces(&self) -> Vec<&Trace> {
        self.frozen.traces.iter().filter(|trace| self.replayed.replayed.contains(&trace.id())).collect()
    }

    pub(super) fn enter_nrem(&mut self) {
        let is_last = self.frozen.opening.trigger == DreamTrigger::Emergency;
        let is_full = self.frozen.opening.tier == DreamTier::Hardened;
        let (size, batches) =
            if is_full && !is_last { (self.work.batch as usize, MOST_BATCHES) } else { (CORE_EPISODES, 1) };
        let chosen = self.choose(size, batches);
        self.nrem.batches = count(chosen.len());
        for batch in &chosen {
            self.ask_batch(batch);
            self.replayed.replayed.extend(batch.iter().copied());
        }
        self.nrem.episodes = count(self.replayed.replayed.len());
        // D-101. Near the end of NREM: where what is known to follow leads.
        if is_full || is_last {
            self.replayed.trajectories = anticipate(&self.frozen);
        }
        self.nrem.trajectories = count(self.replayed.trajectories.len());
    }

    fn choose(&self, size: usize, batches: usize) -> Vec<Vec<EpisodeId>> {
        let order = self.law.replay.prioritisation;
        let mut chooser = Chooser::new(&self.frozen, order, size, self.modulation.legacy);
        let mut draws = self.seed.draws("replay");
        let next = std::iter::from_fn(|| chooser.next(&mut draws));
        let ids = |batch: Batch<'_>| batch.chosen.iter().map(|one| one.trace.id()).collect();
        next.take(batches).map(ids).collect()
    }

    /// D-087, D-098. One question for each call of at most ten.
    fn ask_batch(&mut self, batch: &[EpisodeId]) {
        if self.frozen.opening.tier == DreamTier::Core {
            return;
        }
        for episodes in calls(batch) {
            let material = Material { episodes, ..Material::default() };
            self.ask(DreamPhase::Nrem, AskKind::ReplayBatch, Grade::T1, Temperature::thousandths(300), material);
        }
    }

    pub(super) fn conclude_nrem(&mut self, answers: Vec<(Ask, Answer)>) {
        /// Claims taken from one answer.
        const MOST_CLAIMS: usize = 5;
        for (ask, answer) in answers {
            let Some(Said::Claims(claims)) = answer.said else { continue };
            let claims = claims.into_iter().take(MOST_CLAIMS);
            self.replayed.claims.extend(claims.map(|claim| (claim, ask.material.episodes.clone())));
        }
    }
}
