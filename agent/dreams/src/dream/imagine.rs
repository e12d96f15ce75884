//! REM within a dream.

use std::collections::BTreeSet;

use golem_daimon::dream::{EpisodeArousal, unresolved_arousal};
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_primitives::Ppm;

use super::{Answer, Ask, AskKind, Claim, Dream, Material, Said, SaidIdea};
use crate::clocks::is_proven_only;
use crate::event::DreamEvent;
use crate::heritage::inherited_confidence;
use crate::inputs::{Engine, Trace};
use crate::integration::staging::is_protected;
use crate::number::{Hundredths, count};
use crate::onset::fragment::FragmentStatus;
use crate::rem::counterfactual::{alternatives, decisions, regret, relabel};
use crate::rem::creative::{CreativeMode, Idea, ideas, seeds, sessions};
use crate::rem::depotentiation::{Depotentiated, depotentiate, is_queued};
use crate::rem::hypothesis::{Hypothesis, MOST_PREDICTIONS, Origin, Validation, dedup_hash};
use crate::rem::rehearsal::{Threat, feasible, gap_analysis, rehearse};
use crate::rem::scenario::{Conditions, Scenario, ScenarioSource};
use crate::rem::stochastic::activate;
use crate::rem::threat::{ThreatKind, plan};
use crate::report::Imagined;
use crate::vector::Vector;
use crate::words::{DreamPhase, Grade, Tier, Trigger};

/// What was imagined.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    pub(super) imagined: Imagined,
    pub(super) hypotheses: Vec<Hypothesis>,
    pub(super) threats: Vec<Threat>,
    pub(super) feelings: Vec<Depotentiated>,
    sessions: Vec<CreativeMode>,
}

/// Decisions varied in a full cycle.
const DECISIONS: usize = 5;
/// Feelings a model is asked about.
const SEPARATED: usize = 3;
/// Where words come from that a hypothesis is made of.
struct Words<'a> {
    source: Origin,
    mode: Option<CreativeMode>,
    description: &'a str,
    rationale: &'a str,
    failure: &'a str,
    criterion: &'a str,
    test: &'a str,
    vector: Option<&'a Vector>,
    is_templated: bool,
}

impl Dream {
    pub(super) fn enter_rem(&mut self) {
        let is_full = self.frozen.opening.tier == Tier::Hardened && self.frozen.opening.trigger != Trigger::Emergency;
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
            let lines = self.onset.fragments.iter().map(|fragment| fragment.text.clone()).collect();
            let material = Material { episodes: seeds.episodes, entries, lines };
            self.ask(DreamPhase::Rem, AskKind::Creative(mode), Grade::T2, self.work.temperature, material);
        }
        self.rehearse_threats();
        self.calm();
        self.imagined.imagined.activation = activate(&self.frozen, &mut self.seed.draws("activation"));
        self.imagined.imagined.scenarios.extend(self.chance_scenario());
        let latest = decisions(&self.frozen).first().map(|trace| trace.id());
        if let Some(latest) = latest {
            let material = Material { episodes: vec![latest], ..Material::default() };
            self.ask(DreamPhase::Rem, AskKind::OppositeMarket, Grade::T2, self.work.temperature, material);
        }
    }

    /// D-110 to D-114. Alternatives of the latest decisions; in a full cycle also targets restated and bets regretted.
    fn vary(&mut self, most: usize, depth: usize) {
        let chosen: Vec<&Trace> = decisions(&self.frozen).into_iter().take(most).collect();
        let found: Vec<_> = chosen.iter().flat_map(|trace| alternatives(trace, depth, &self.frozen)).collect();
        let mut imagined = Imagined { counterfactuals: found, ..Imagined::default() };
        if self.frozen.opening.tier == Tier::Hardened {
            imagined.relabels = chosen.iter().filter_map(|trace| relabel(trace)).collect();
            imagined.regrets = chosen.iter().filter_map(|trace| regret(trace, &self.frozen)).collect();
        }
        for one in &imagined.counterfactuals {
            self.events.push(DreamEvent::DreamCounterfactual {
                cycle_id: self.frozen.cycle,
                hypothesis: one.variation.name().to_owned(),
                outcome: one.would_be,
                lesson: one.lesson(),
                confidence: one.confidence,
            });
        }
        self.rem.counterfactuals = count(imagined.counterfactuals.len());
        self.imagined.imagined = imagined;
    }

    /// D-128. Rehearses what is due, by numbers; where a model answers, it tells how it would go.
    fn rehearse_threats(&mut self) {
        let kinds = plan(&self.frozen, self.work.threats as usize, self.law.imagination.adversarial);
        let numbered = kinds.iter().enumerate();
        self.imagined.threats = numbered.filter_map(|(at, kind)| rehearse(*kind, &self.frozen, at, self.gas)).collect();
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
        let names: Vec<EpisodeId> = queued.iter().map(|trace| trace.id()).take(SEPARATED).collect();
        self.imagined.feelings = depotentiate(&queued, unresolved_arousal(&arousals), self.law.depotentiation);
        self.rem.depotentiated = count(self.imagined.feelings.len());
        for episode in names {
            let material = Material { episodes: vec![episode], ..Material::default() };
            let cool = crate::onset::observer::TEMPERATURE;
            self.ask(DreamPhase::Rem, AskKind::Separate, Grade::T1, cool, material);
        }
    }

    /// D-122, D-123. The scenario of two memories, as far as counting tells it.
    fn chance_scenario(&self) -> Option<Scenario> {
        let activation = self.imagined.imagined.activation?;
        Some(Scenario {
            id: format!("{}/activation", self.frozen.cycle),
            source: ScenarioSource::Stochastic,
            conditions: Conditions { regime: self.frozen.regime, ..Conditions::default() },
            events: vec![format!("{} beside {}", activation.first, activation.second)],
            challenges: "that both have nothing to do with each other".to_owned(),
            expected: format!("what they are about came together {} times", activation.together),
            adaptation: "none by rules".to_owned(),
            plausibility: None,
            confidence: Hundredths::of(10),
            is_synthetic: true,
        })
    }

    pub(super) fn conclude_rem(&mut self, answers: Vec<(Ask, Answer)>) {
        if self.is_consolidation_only() || self.is_without_rem() {
            return;
        }
        self.take_heirlooms();
        for (ask, answer) in answers {
            match (ask.kind, answer.said) {
                (AskKind::Creative(mode), Some(Said::Idea(idea))) => self.said_idea(mode, &idea, &ask.material),
                (AskKind::OppositeMarket, Some(Said::Claims(claims))) => {
                    let episodes: BTreeSet<EpisodeId> = ask.material.episodes.iter().copied().collect();
                    for claim in claims.iter().take(2) {
                        self.suppose_claim(claim, Origin::Counterfactual, &episodes);
                    }
                }
                (AskKind::Threat(kind), Some(Said::Narrative(text))) => self.told(kind, &text),
                (AskKind::Separate, Some(Said::Narrative(text))) => {
                    let episode = ask.material.episodes.first().copied();
                    self.imagined.imagined.facts.extend(episode.map(|episode| (episode, text)));
                }
                _ => {}
            }
        }
        for (claim, episodes) in std::mem::take(&mut self.replayed.claims) {
            self.suppose_claim(&claim, Origin::Replay, &episodes);
        }
        if self.frozen.engine == Engine::Rules {
            self.counted_ideas();
        }
        self.rem.sessions = count(self.imagined.sessions.len());
        self.rem.hypotheses = count(self.imagined.hypotheses.len());
        self.rem.threats = count(self.imagined.threats.len());
        self.rem.guards = gap_analysis(&self.imagined.threats);
    }

    /// D-206. A predecessor's open hypotheses come before one's own.
    fn take_heirlooms(&mut self) {
        for heirloom in self.frozen.heirlooms.clone() {
            let words = Words {
                source: Origin::Creative,
                mode: None,
                description: &heirloom.text,
                rationale: "a predecessor supposed it and died before it could be tried; requires investigation",
                failure: "its condition is met and the opposite comes",
                criterion: &heirloom.criterion,
                test: &heirloom.criterion,
                vector: None,
                is_templated: false,
            };
            self.suppose(&words, inherited_confidence(), &BTreeSet::new());
        }
    }

    /// D-115. By counting: each session takes the best idea of its mode that is new.
    fn counted_ideas(&mut self) {
        let proven = is_proven_only(&self.modulation);
        for mode in self.imagined.sessions.clone() {
            for idea in ideas(mode, &self.frozen, proven) {
                let before = self.imagined.hypotheses.len();
                self.counted_idea(&idea);
                if self.imagined.hypotheses.len() > before {
                    break;
                }
            }
        }
    }

    fn counted_idea(&mut self, idea: &Idea) {
        let episodes: BTreeSet<EpisodeId> = idea.episodes.iter().copied().collect();
        let words = Words {
            source: Origin::Creative,
            mode: Some(idea.mode),
            description: &idea.scenario,
            rationale: &idea.strategy,
            failure: &idea.failure,
            criterion: &idea.test,
            test: &idea.test,
            vector: None,
            is_templated: true,
        };
        self.suppose(&words, idea.mode.confidence(), &episodes);
    }

    /// D-125, D-127. A model's idea becomes a scenario and a hypothesis; the fragments it was given are developed.
    fn said_idea(&mut self, mode: CreativeMode, idea: &SaidIdea, material: &Material) {
        let episodes: BTreeSet<EpisodeId> = material.episodes.iter().copied().collect();
        let words = Words {
            source: Origin::Creative,
            mode: Some(mode),
            description: &idea.strategy,
            rationale: &idea.scenario,
            failure: &idea.failure,
            criterion: &idea.test,
            test: &idea.test,
            vector: idea.vector.as_ref(),
            is_templated: false,
        };
        let Some(id) = self.suppose(&words, mode.confidence(), &episodes) else { return };
        let scenario = format!("{}/scenario-{}", self.frozen.cycle, self.imagined.imagined.scenarios.len());
        for fragment in self.onset.fragments.iter_mut().filter(|one| material.lines.contains(&one.text)) {
            let is_whole = idea.strategy.contains(&fragment.text);
            fragment.status = if is_whole { FragmentStatus::Promoted } else { FragmentStatus::Developed };
            fragment.made = Some(if is_whole { id.to_string() } else { scenario.clone() });
        }
        self.imagined.imagined.scenarios.push(Scenario {
            id: scenario,
            source: ScenarioSource::Creative,
            conditions: Conditions { regime: self.frozen.regime, ..Conditions::default() },
            events: vec![idea.scenario.clone()],
            challenges: idea.failure.clone(),
            expected: idea.strategy.clone(),
            adaptation: idea.test.clone(),
            plausibility: None,
            confidence: mode.confidence(),
            is_synthetic: true,
        });
    }

    fn suppose_claim(&mut self, claim: &Claim, source: Origin, episodes: &BTreeSet<EpisodeId>) {
        let words = Words {
            source,
            mode: None,
            description: &claim.text,
            rationale: "read in what happened",
            failure: &claim.failure,
            criterion: &claim.criterion,
            test: &claim.criterion,
            vector: claim.vector.as_ref(),
            is_templated: false,
        };
        self.suppose(&words, self.law.consolidation.hypothesis_confidence, episodes);
    }

    /// D-118, D-119, D-249. A hypothesis, if it is new and there is room for one more.
    fn suppose(
        &mut self,
        words: &Words<'_>,
        confidence: Hundredths,
        episodes: &BTreeSet<EpisodeId>,
    ) -> Option<EntryId> {
        let dedup = dedup_hash(words.description);
        let is_known = |vector: Option<&Vector>| {
            let rows = self.frozen.staging.live().filter_map(|row| row.vector.as_ref());
            vector.and_then(|vector| vector.nearest(rows)).is_some_and(|cosine| cosine > crate::vector::DUPLICATE)
        };
        let is_again = self.imagined.hypotheses.iter().any(|one| one.is_duplicate(dedup, words.vector))
            || self.frozen.staging.live().any(|row| row.dedup == dedup)
            || is_known(words.vector);
        if is_again || words.description.trim().is_empty() || self.imagined.hypotheses.len() >= MOST_PREDICTIONS {
            self.rem.duplicates += u32::from(is_again);
            return None;
        }
        let name = format!("{}/hypothesis/{dedup}", self.frozen.cycle);
        let id = EntryId::derive(self.frozen.opened.at, &self.frozen.golem, name.as_bytes());
        let first = self.frozen.traces.iter().filter(|trace| episodes.contains(&trace.id()));
        let seed_episode_tick = first.map(|trace| trace.recorded.episode.happened.tick).min();
        self.events.push(DreamEvent::DreamHypothesis {
            cycle_id: self.frozen.cycle,
            hypothesis: words.description.to_owned(),
            seed_episode_tick,
        });
        self.imagined.hypotheses.push(Hypothesis {
            id,
            source: words.source,
            mode: words.mode,
            description: words.description.to_owned(),
            rationale: words.rationale.to_owned(),
            failure_conditions: words.failure.to_owned(),
            criterion: words.criterion.to_owned(),
            minimum_test: words.test.to_owned(),
            confidence,
            cycle: self.frozen.cycle,
            episodes: episodes.clone(),
            dedup,
            vector: words.vector.cloned(),
            is_templated: words.is_templated,
            validation: Validation::Pending,
            validated_by: BTreeSet::new(),
            is_promoted: false,
        });
        Some(id)
    }

    /// D-241. A model's story of a threat is told beside the rehearsal, for its owner to read; numbers and warning keep the
    /// rehearsal's own words. A story that speaks of limits or the constitution is discarded.
    fn told(&mut self, kind: ThreatKind, text: &str) {
        if is_protected("", text) {
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
