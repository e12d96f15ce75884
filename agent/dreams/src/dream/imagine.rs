//! REM within a dream.

use golem_daimon::dream::{EpisodeArousal, unresolved_arousal};
use golem_grimoire::id::EpisodeId;
use golem_playbook::rule::Rule;
use golem_primitives::Ppm;

use super::{Answer, Ask, AskKind, BatchClaim, Dream, Material, Said, SaidIdea};
use crate::clocks::is_proven_only;
use crate::event::DreamEvent;
use crate::inputs::Trace;
use crate::integration::is_protected;
use crate::number::count;
use crate::onset::fragment::FragmentStatus;
use crate::rem::counterfactual::{Counterfactual, alternatives, decisions};
use crate::rem::creative::{CreativeMode, seeds, sessions};
use crate::rem::depotentiation::{Depotentiated, depotentiate, is_queued};
use crate::rem::hypothesis::{DreamOrigin, Hypothesis, MOST_HYPOTHESES};
use crate::rem::rehearsal::{Threat, feasible, gap_analysis, rehearse};
use crate::rem::threat::{ThreatKind, plan};
use crate::words::{DreamPhase, DreamTier, DreamTrigger, Grade};

/// What was imagined.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    pub(super) counterfactuals: Vec<Counterfactual>,
    pub(super) hypotheses: Vec<Hypothesis>,
    pub(super) threats: Vec<Threat>,
    pub(super) feelings: Vec<Depotentiated>,
    pub(super) rules: Vec<Rule>,
    sessions: Vec<CreativeMode>,
}

/// Decisions varied in a full cycle.
const DECISIONS: usize = 5;
/// What a predecessor and the dream before supposed, as far as a session is told it: so many of each.
const TOLD: usize = 2;
/// P-074. Rules of one cycle that are taken from models.
const MOST_RULES: usize = 2;

impl Dream {
    pub(super) fn enter_rem(&mut self) {
        let is_full =
            self.frozen.opening.tier == DreamTier::Hardened && self.frozen.opening.trigger != DreamTrigger::Emergency;
        // D-004: a lightweight cycle tries one alternative of one decision.
        let (most, depth) = if is_full { (DECISIONS, self.work.depth as usize) } else { (1, 1) };
        self.vary(most, depth);
        if !is_full {
            return;
        }
        let mut draws = self.seed.draws("creative");
        let proven = is_proven_only(&self.modulation);
        self.imagined.sessions = sessions(self.frozen.phase, self.work.creative, proven, &mut draws);
        for mode in self.imagined.sessions.clone() {
            let seeds = seeds(&self.frozen, &mut draws);
            let entries = seeds.rule.into_iter().collect();
            let material = Material { episodes: seeds.episodes, entries, lines: self.session_lines() };
            self.ask(DreamPhase::Rem, AskKind::Creative(mode), Grade::T2, self.work.temperature, material);
        }
        self.rehearse_threats();
        self.calm();
        let latest = decisions(&self.frozen).first().map(|trace| trace.id());
        if let Some(latest) = latest {
            let material = Material { episodes: vec![latest], ..Material::default() };
            self.ask(DreamPhase::Rem, AskKind::OppositeMarket, Grade::T2, self.work.temperature, material);
        }
    }

    /// D-206, D-127. What creative work begins from beside memories: a predecessor's open hypotheses first, then what the dream
    /// before supposed, then what came up at the edge of sleep.
    fn session_lines(&self) -> Vec<String> {
        let inherited = self.frozen.heirlooms.iter().map(|one| one.text.clone()).take(TOLD);
        let before = self.frozen.supposed.iter().take(TOLD).cloned();
        inherited.chain(before).chain(self.onset.fragments.iter().map(|fragment| fragment.text.clone())).collect()
    }

    /// D-110 to D-114. Alternatives of the latest decisions.
    fn vary(&mut self, most: usize, depth: usize) {
        let chosen: Vec<&Trace> = decisions(&self.frozen).into_iter().take(most).collect();
        let found: Vec<_> = chosen.iter().flat_map(|trace| alternatives(trace, depth, &self.frozen)).collect();
        for one in &found {
            self.events.push(DreamEvent::DreamCounterfactual {
                cycle_id: self.frozen.cycle,
                hypothesis: one.variation.name().to_owned(),
                outcome: one.would_be,
                lesson: one.lesson(),
                confidence: one.confidence,
            });
        }
        self.rem.counterfactuals = count(found.len());
        self.imagined.counterfactuals = found;
    }

    /// D-128. Rehearses what is due, by numbers; where a model answers, it tells how it would go.
    fn rehearse_threats(&mut self) {
        let kinds = plan(&self.frozen, self.work.threats as usize, self.law.imagination.adversarial);
        self.imagined.threats = kinds.iter().filter_map(|kind| rehearse(*kind, &self.frozen, self.gas)).collect();
        for kind in kinds {
            self.ask(
                DreamPhase::Rem,
                AskKind::Threat(kind),
                self.work.grade,
                self.work.temperature,
                Material::default(),
            );
        }
    }

    /// D-139. With a Daimon alone: every queued episode that was replayed.
    fn calm(&mut self) {
        if self.frozen.mood.is_none() {
            return;
        }
        let arousals: Vec<EpisodeArousal> = self
            .frozen
            .traces
            .iter()
            .map(|trace| EpisodeArousal { arousal: trace.pad().map(|pad| pad.arousal()), processed: false })
            .collect();
        let queued: Vec<&Trace> = self.replayed_traces().into_iter().filter(|trace| is_queued(trace)).collect();
        self.imagined.feelings = depotentiate(&queued, unresolved_arousal(&arousals), self.law.depotentiation);
        self.rem.depotentiated = count(self.imagined.feelings.len());
    }

    pub(super) fn conclude_rem(&mut self, answers: Vec<(Ask, Answer)>) {
        if self.is_consolidation_only() || self.is_without_rem() {
            return;
        }
        self.take_heirlooms();
        for (ask, answer) in answers {
            match (ask.kind, answer.said) {
                (AskKind::Creative(mode), Some(Said::Idea(idea))) => self.said_idea(mode, idea, &ask.material),
                (AskKind::OppositeMarket, Some(Said::Claims(claims))) => {
                    for claim in claims.iter().take(2) {
                        self.suppose_claim(claim, DreamOrigin::Counterfactual, &ask.material.episodes);
                    }
                }
                (AskKind::Threat(kind), Some(Said::Narrative(text))) => self.told(kind, &text),
                _ => {}
            }
        }
        for (claim, episodes) in std::mem::take(&mut self.replayed.claims) {
            self.suppose_claim(&claim, DreamOrigin::Replay, &episodes);
        }
        self.rem.sessions = count(self.imagined.sessions.len());
        self.rem.hypotheses = count(self.imagined.hypotheses.len());
        self.rem.threats = count(self.imagined.threats.len());
        self.rem.guards = gap_analysis(&self.imagined.threats);
    }

    /// D-206. A predecessor's open hypotheses come before one's own.
    fn take_heirlooms(&mut self) {
        for heirloom in self.frozen.heirlooms.clone() {
            let one = Hypothesis {
                source: DreamOrigin::Predecessor,
                mode: None,
                description: heirloom.text,
                rationale: "a predecessor supposed it and died before it could be tried".to_owned(),
                failure_conditions: "its condition is met and the opposite comes".to_owned(),
                minimum_test: heirloom.criterion,
                vector: None,
            };
            self.suppose(one, &[]);
        }
    }

    /// D-125, D-127, P-074. A model's idea is kept, and the fragments it was given are developed; a rule it puts the idea into is
    /// proposed.
    fn said_idea(&mut self, mode: CreativeMode, idea: SaidIdea, material: &Material) {
        let SaidIdea { scenario, strategy, failure, test, rule, vector } = idea;
        for fragment in self.onset.fragments.iter_mut().filter(|one| material.lines.contains(&one.text)) {
            let is_whole = strategy.contains(&fragment.text);
            fragment.status = if is_whole { FragmentStatus::Promoted } else { FragmentStatus::Developed };
        }
        let room = MOST_RULES.saturating_sub(self.imagined.rules.len());
        self.imagined.rules.extend(rule.into_iter().map(|rule| *rule).take(room));
        let one = Hypothesis {
            source: DreamOrigin::Creative,
            mode: Some(mode),
            description: strategy,
            rationale: scenario,
            failure_conditions: failure,
            minimum_test: test,
            vector,
        };
        self.suppose(one, &material.episodes);
    }

    fn suppose_claim(&mut self, claim: &BatchClaim, source: DreamOrigin, episodes: &[EpisodeId]) {
        let one = Hypothesis {
            source,
            mode: None,
            description: claim.text.clone(),
            rationale: "read in what happened".to_owned(),
            failure_conditions: claim.failure.clone(),
            minimum_test: claim.criterion.clone(),
            vector: claim.vector.clone(),
        };
        self.suppose(one, episodes);
    }

    /// D-118, D-119, D-241, D-249. A hypothesis, if it is new, speaks of no limit and there is room for one more.
    fn suppose(&mut self, one: Hypothesis, episodes: &[EpisodeId]) {
        let is_again =
            self.imagined.hypotheses.iter().any(|other| other.is_duplicate(&one.description, one.vector.as_ref()));
        let is_nothing = one.description.trim().is_empty() || is_protected(&one.description);
        if is_again || is_nothing || self.imagined.hypotheses.len() >= MOST_HYPOTHESES {
            self.rem.duplicates += u32::from(is_again);
            return;
        }
        let seeds = self.frozen.traces.iter().filter(|trace| episodes.contains(&trace.id()));
        self.events.push(DreamEvent::DreamHypothesis {
            cycle_id: self.frozen.cycle,
            hypothesis: one.description.clone(),
            seed_episode_tick: seeds.map(|trace| trace.recorded.episode.happened.tick).min(),
        });
        self.imagined.hypotheses.push(one);
    }

    /// D-241. A model's story of a threat is told beside the rehearsal, for its owner to read; numbers and warning keep the
    /// rehearsal's own words. A story that speaks of limits or the constitution is discarded.
    fn told(&mut self, kind: ThreatKind, text: &str) {
        if is_protected(text) {
            return;
        }
        if let Some(threat) = self.imagined.threats.iter_mut().find(|threat| threat.kind == kind) {
            threat.story = Some(text.to_owned());
        }
    }

    /// What quality is measured by: feasible threats of those that could be checked, and the mean likeness of hypotheses.
    pub(super) fn measured_rem(&self) -> (Option<(u32, u32)>, Option<f64>) {
        let (can, all) = feasible(&self.imagined.threats);
        let threats = (all > 0).then(|| (count(can), count(all)));
        let novelty = |one: &Hypothesis| one.vector.as_ref().map(|vector| self.novelty(Some(vector)));
        let novelties: Vec<Ppm> = self.imagined.hypotheses.iter().filter_map(novelty).collect();
        let sum: f64 = novelties.iter().map(|one| one.as_f64()).sum();
        let mean = (!novelties.is_empty()).then(|| 1.0 - sum / novelties.len() as f64);
        (threats, mean)
    }
}
