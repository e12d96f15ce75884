//! NREM within a dream.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::id::EpisodeId;
use golem_mortality::dream_modulation::LegacyFocus;
use golem_primitives::Ppm;

use super::{Answer, Ask, AskKind, Claim, Dream, Material, Said};
use crate::inputs::Trace;
use crate::nrem::forward::forward;
use crate::nrem::pattern::{Pattern, PatternId, Standing, patterns};
use crate::nrem::perturb::{Perturbation, anchored, perturbed, with_deviation};
use crate::nrem::reverse::{reverse, slots};
use crate::nrem::select::{Chooser, calls};
use crate::nrem::trajectory::anticipate;
use crate::nrem::triage::{Triage, triage};
use crate::number::{Temperature, count};
use crate::report::Replays;
use crate::words::{DreamPhase, Grade, Tier, Trigger};

/// What replay found.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    /// Every replayed episode with its utility.
    pub(super) replayed: BTreeMap<EpisodeId, Ppm>,
    pub(super) patterns: Vec<(Pattern, Standing)>,
    pub(super) triage: BTreeMap<EpisodeId, Triage>,
    pub(super) replays: Replays,
    pub(super) claims: Vec<(Claim, BTreeSet<EpisodeId>)>,
}

/// D-004. Episodes of a lightweight cycle.
const CORE_EPISODES: usize = 5;
/// Batches of a full one at most.
const MOST_BATCHES: usize = 3;

impl Dream {
    /// The replayed episodes.
    pub(super) fn replayed_traces(&self) -> Vec<&Trace> {
        self.frozen.traces.iter().filter(|trace| self.replayed.replayed.contains_key(&trace.id())).collect()
    }

    pub(super) fn enter_nrem(&mut self) {
        let (size, batches) = match (self.frozen.opening.trigger, self.frozen.opening.tier) {
            (Trigger::Emergency, _) | (_, Tier::Core) => (CORE_EPISODES, 1),
            (_, Tier::Hardened) => (self.work.batch as usize, MOST_BATCHES),
        };
        let chosen = self.choose(size, batches);
        self.nrem.batches = count(chosen.len());
        for batch in &chosen {
            self.ask_batch(batch);
            self.replayed.replayed.extend(batch.iter().copied());
        }
        self.nrem.episodes = count(self.replayed.replayed.len());
        self.find_patterns();
        self.replay_reverse();
        self.replay_perturbed();
        self.replay_forward();
        self.triage_all();
    }

    fn choose(&self, size: usize, batches: usize) -> Vec<Vec<(EpisodeId, Ppm)>> {
        let is_legacy = self.modulation.legacy != LegacyFocus::None;
        let mut chooser = Chooser::new(&self.frozen, self.law.replay.prioritisation, size).for_legacy(is_legacy);
        let mut draws = self.seed.draws("replay");
        let next = std::iter::from_fn(|| chooser.next(&mut draws));
        let ids = |batch: crate::nrem::select::Batch<'_>| {
            batch.chosen.iter().map(|one| (one.trace.id(), one.utility)).collect()
        };
        next.take(batches).map(ids).collect()
    }

    /// D-087, D-098. One question for each call of at most ten; a large model only where something is complex.
    fn ask_batch(&mut self, batch: &[(EpisodeId, Ppm)]) {
        if self.frozen.opening.tier == Tier::Core {
            return;
        }
        for call in calls(batch) {
            let ids: Vec<EpisodeId> = call.iter().map(|(id, _)| *id).collect();
            let is_complex = self.frozen.traces.iter().any(|trace| trace.is_complex() && ids.contains(&trace.id()));
            let grade = if is_complex { Grade::T2 } else { Grade::T1 };
            let material = Material { episodes: ids, ..Material::default() };
            self.ask(DreamPhase::Nrem, AskKind::ReplayBatch, grade, Temperature::thousandths(300), material);
        }
    }

    fn find_patterns(&mut self) {
        let found = patterns(&self.replayed_traces());
        let found: Vec<(Pattern, Standing)> =
            found.into_iter().map(|one| (one.standing(&self.frozen.known), one)).map(|(at, one)| (one, at)).collect();
        self.nrem.patterns = count(found.len());
        let of = |wanted: fn(&Standing) -> bool| count(found.iter().filter(|(_, at)| wanted(at)).count());
        self.nrem.novel = of(|at| matches!(at, Standing::Novel));
        self.nrem.confirmed = of(|at| matches!(at, Standing::Confirms(_)));
        self.nrem.contradictions = of(|at| matches!(at, Standing::Contradicts(_)));
        self.replayed.patterns = found;
    }

    /// D-090, D-091. Walks finished positions back, the largest outcomes first.
    fn replay_reverse(&mut self) {
        let traces = self.replayed_traces();
        let mut lives: BTreeMap<&str, Vec<&Trace>> = BTreeMap::new();
        for trace in &traces {
            if let Some(position) = trace.position() {
                lives.entry(position).or_default().push(trace);
            }
        }
        let lives: Vec<Vec<&Trace>> = lives.into_values().collect();
        let outcome = |life: &Vec<&Trace>| {
            life.iter().filter_map(|trace| trace.recorded.episode.pnl_micros).next_back().unwrap_or(0)
        };
        let given = slots(&lives.iter().map(outcome).collect::<Vec<_>>(), lives.len());
        let mut credits = Vec::new();
        let mut walked = 0;
        for (life, _) in lives.iter().zip(given).filter(|(_, slots)| *slots > 0) {
            let asset = life.iter().find_map(|trace| trace.trade.as_ref()).map(|trade| trade.asset.as_str());
            if let Some(found) = reverse(life, asset.and_then(|asset| self.frozen.path(asset))) {
                walked += 1;
                credits.extend(found);
            }
        }
        self.nrem.reverse = walked;
        self.nrem.credits = count(credits.len());
        self.replayed.replays.credits = credits;
    }

    /// D-094 to D-096. Perturbs the owner's share of replays, each in every way that can be computed.
    fn replay_perturbed(&mut self) {
        let mut draws = self.seed.draws("perturbation");
        let mut found = Vec::new();
        let (mut refused, mut anchors) = (0, 0);
        for trace in self.replayed_traces() {
            if !draws.happens(self.law.replay.perturbation_rate) || trace.trade.is_none() {
                continue;
            }
            for by in Perturbation::ALL {
                match perturbed(trace, *by, &self.frozen) {
                    Ok(one) => found.push((trace.id(), one)),
                    Err(_) => refused += 1,
                }
            }
            let tested = trace.deviation.map(anchored).into_iter().flatten();
            anchors += tested.filter(|deviation| with_deviation(trace, *deviation).is_ok()).count();
        }
        self.nrem.perturbed = count(found.len() + anchors);
        self.nrem.refused = refused;
        self.replayed.replays.perturbed = found;
    }

    /// D-092, D-093, D-101. Near the end of NREM: where open positions may go.
    fn replay_forward(&mut self) {
        let mut developments = Vec::new();
        if let Some(regime) = self.frozen.regime {
            for position in &self.frozen.positions {
                developments.extend(forward(position, self.frozen.path(&position.asset), regime).unwrap_or_default());
            }
        }
        self.nrem.forward = count(developments.len());
        self.replayed.replays.developments = developments;
        if self.frozen.opening.tier == Tier::Hardened {
            self.replayed.replays.trajectories = anticipate(&self.frozen);
        }
        self.nrem.trajectories = count(self.replayed.replays.trajectories.len());
    }

    /// D-097. Every replayed episode.
    fn triage_all(&mut self) {
        let mut sharing: BTreeMap<PatternId, usize> = BTreeMap::new();
        for trace in &self.frozen.traces {
            *sharing.entry(PatternId::of(trace)).or_default() += 1;
        }
        let decided: Vec<(EpisodeId, Triage)> = self
            .replayed_traces()
            .into_iter()
            .map(|trace| {
                let utility = self.replayed.replayed.get(&trace.id()).copied().unwrap_or(Ppm::ZERO);
                let shared = sharing.get(&PatternId::of(trace)).copied().unwrap_or(0);
                (trace.id(), triage(utility, trace.contradicted, shared))
            })
            .collect();
        for (_, way) in &decided {
            self.nrem.triaged(*way);
        }
        self.replayed.triage = decided.into_iter().collect();
    }

    pub(super) fn conclude_nrem(&mut self, answers: Vec<(Ask, Answer)>) {
        /// Claims taken from one answer.
        const MOST_CLAIMS: usize = 5;
        for (ask, answer) in answers {
            let Some(Said::Claims(claims)) = answer.said else { continue };
            let episodes: BTreeSet<EpisodeId> = ask.material.episodes.into_iter().collect();
            let claims = claims.into_iter().take(MOST_CLAIMS);
            self.replayed.claims.extend(claims.map(|claim| (claim, episodes.clone())));
        }
    }
}
