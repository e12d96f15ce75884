//! Thoughts beside the ticks: a reflection, a distillation, the last words. Each is asked once, whatever dies when.

use golem_core::memory::regime_of;
use golem_core::record::{
    CostSource, Diagnosis, Distilled, EffectKind, Observation, Outcome, OutcomeResult, Reconsidered, Tier,
};
use golem_core::study::MEASURED_AFTER;
use golem_core::trader::Trader;
use golem_grimoire::recall::Query;
use golem_grimoire::regime::RegimeBelief;
use golem_ports::{
    About, Asked, Chain, Conclusion, Considered, Episodes, Filter, LastWords, LookBack, Matter, Memory, Misses,
    OpenEffect, SearchOrder, StoreError, TickSource,
};
use golem_primitives::{Ppm, Usdc};
use serde::{Deserialize, Serialize};

use super::Runtime;
use crate::adviser::Adviser;
use crate::death::testament::compose;
use crate::errand::{Standing, outcome, paid, short};
use crate::error::RuntimeError;
use crate::{notes, suppositions};

/// The notes that say what was asked last; they are on disk before anything is sent. Reflections have one each:
/// a life without a study may want a second one before the first is measured.
const REFLECTING_NOTE: &str = "reflecting";
const DISTILLING_NOTE: &str = "distilling";
const LAST_WORDS_NOTE: &str = "last words";
/// Passes of a death that wait for the last words.
const LAST_WORDS_PASSES: u64 = 5;
const RECALLED: usize = 8;

/// What is known of a reflection that is not over.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Reflecting {
    effect: String,
    /// When it began.
    fitness: Ppm,
    is_asked: bool,
    is_answered: bool,
    cost: Usdc,
    diagnosis: Option<Diagnosis>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Distilling {
    effect: String,
    /// The tools as they were numbered: an answer names them by their place, whatever was lived since.
    tools: Vec<String>,
}

/// Where something that is thought over stands.
enum Pondered {
    Waiting,
    Over(Option<Conclusion>, Usdc, Option<String>),
}

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// Which thoughts are served now, when that is not what the life last heard. Where none ever was,
    /// nothing is said, and the life stays what it was.
    pub(super) fn studies(&self) -> Option<Observation> {
        let quotes = self.adviser.as_ref().map(Adviser::study_quotes).unwrap_or_default();
        match self.life.study() {
            None if quotes == Default::default() => None,
            Some(study) if study.quotes == quotes => None,
            _ => Some(Observation::Studies { quotes }),
        }
    }

    /// What memory is asked about a moment like this one.
    pub(super) fn cue(&self, trader: &Trader, regime: &str) -> String {
        format!("{} {regime} {}", trader.book_name(), self.mind.venue.pair)
    }

    /// What the Grimoire holds about such a moment: its own words, and those of others apart. Both are data.
    pub(super) fn remember(&self, regime: &str) -> (Vec<String>, Vec<String>) {
        let Some(trader) = self.life.trader() else { return Default::default() };
        let belief = regime_of(regime).map_or_else(RegimeBelief::unknown, RegimeBelief::certain);
        let text = self.cue(trader, regime);
        let now = self.life.vitals().vitality().last_computed;
        // G-088. A mood brings up what was felt alike; whoever feels nothing remembers as ever.
        let mood = self.life.affect().map(|affect| affect.mood(now));
        let asked = Asked {
            vector: self.scribe.as_ref().and_then(|scribe| scribe.vector_of(&text)),
            text,
            query: Query { limit: RECALLED, mood, belief, tick: self.life.tick() },
            now,
            law: self.mind.law,
            filter: Filter::default(),
            order: SearchOrder::Matched,
        };
        let hits = match self.store.recall(&asked) {
            Ok(answer) => answer.hits,
            Err(error) => {
                tracing::warn!(golem = %self.life.id(), %error, "nothing was recalled for a question");
                Vec::new()
            }
        };
        let known = hits.iter().filter_map(|hit| hit.entry.knowledge());
        let (own, others): (Vec<_>, Vec<_>) = known.partition(|entry| entry.draft.source.provenance.is_own());
        let texts = |entries: Vec<&golem_grimoire::entry::Knowledge>| {
            entries.into_iter().map(|entry| entry.draft.content.clone()).collect()
        };
        (texts(own), texts(others))
    }

    /// M-067, G-127. Loop 2. Rules look back at once: what was lived is distilled and PLAYBOOK.md audited. A model, where
    /// one is served and paid for, says why. Whether fitness rose is measured after a while, and asked of nobody (M-010).
    pub(super) fn reflect(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let effect = open.effect.id.to_string();
        let noted: Option<Reflecting> = notes::read(&self.store, &reflecting_note(&effect))?;
        let mut noted = match noted.filter(|noted| noted.effect == effect) {
            Some(noted) => noted,
            None => self.look_back(open, effect)?,
        };
        if noted.is_asked && !noted.is_answered {
            if let Pondered::Over(conclusion, cost, _) = self.pondered(open) {
                (noted.is_answered, noted.cost) = (true, cost);
                noted.diagnosis = conclusion.and_then(|said| match said {
                    Conclusion::Diagnosis(diagnosis) => Some(diagnosis),
                    _ => None,
                });
                self.note_reflection(&noted)?;
            }
        } else if !noted.is_asked && self.life.is_alive() {
            self.ask_why(open, &mut noted)?;
        }
        let is_due = self.life.tick().since(open.tick) >= MEASURED_AFTER || !self.life.is_alive();
        let is_thinking = noted.is_asked && !noted.is_answered;
        if !is_due || (is_thinking && self.life.is_alive()) {
            return Ok(None);
        }
        // The dying wait for nobody; what nobody can tell any more is booked whole.
        let cost = if is_thinking { open.effect.budget } else { noted.cost };
        let improved = self.life.vitals().vitality().epistemic > noted.fitness;
        let result = if noted.is_asked {
            OutcomeResult::Reconsidered(Box::new(Reconsidered { improved, diagnosis: noted.diagnosis }))
        } else {
            OutcomeResult::Reflected { improved }
        };
        Ok(Some(paid(open, CostSource::Inference, cost, result)))
    }

    /// What rules can do at once, and the mark to measure from.
    fn look_back(&mut self, open: &OpenEffect, effect: String) -> Result<Reflecting, RuntimeError> {
        match self.mind.reflect(&mut self.store, &self.life, open.effect.id, open.tick) {
            Ok(_) => self.mend_playbook(),
            // What the Grimoire itself refuses is told and does not stop a life.
            Err(RuntimeError::Store(StoreError::Refused { reason, .. })) => {
                tracing::error!(golem = %self.life.id(), %reason, "the audit was refused");
            }
            Err(error) => return Err(error),
        }
        let fitness = self.life.vitals().vitality().epistemic;
        let noted =
            Reflecting { effect, fitness, is_asked: false, is_answered: false, cost: Usdc::ZERO, diagnosis: None };
        self.note_reflection(&noted)?;
        Ok(noted)
    }

    fn note_reflection(&mut self, noted: &Reflecting) -> Result<(), RuntimeError> {
        Ok(notes::keep(&mut self.store, &reflecting_note(&noted.effect), noted)?)
    }

    /// Asks a model why, when one is served within what was allowed.
    fn ask_why(&mut self, open: &OpenEffect, noted: &mut Reflecting) -> Result<(), RuntimeError> {
        let quote = self.life.study().and_then(|study| study.quotes.reflection[Tier::T1 as usize]);
        let is_served = quote.is_some_and(|quote| quote <= open.effect.budget) && self.is_free();
        let is_allowed = matches!(open.effect.kind, EffectKind::Reflect { ceiling } if ceiling >= Tier::T1);
        if !is_served || !is_allowed {
            return Ok(());
        }
        let shelf = self.store.shelf()?;
        let judged = shelf.episodes.iter().filter(|recorded| recorded.episode.held().is_some());
        let about = Misses {
            tick: self.life.tick(),
            phase: self.life.vitals().phase(),
            fitness: noted.fitness,
            outcomes: judged.map(|recorded| recorded.episode.text.clone()).collect(),
            playbook: self.store.playbook(None)?.map(|newest| newest.text),
        };
        noted.is_asked = true;
        self.note_reflection(noted)?;
        self.ponder(open, Tier::T1, About::Misses(about));
        Ok(())
    }

    /// G-142. What a model makes of the episodes: candidates, never evidence.
    pub(super) fn distil(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let EffectKind::Distil { tier } = open.effect.kind else { return Ok(None) };
        let effect = open.effect.id.to_string();
        let nothing = OutcomeResult::Distilled(Distilled { tier, claimed: 0, admitted: 0 });
        let noted: Option<Distilling> = notes::read(&self.store, DISTILLING_NOTE)?;
        let Some(Distilling { tools, .. }) = noted.filter(|noted| noted.effect == effect) else {
            if self.adviser.is_some() && self.life.is_alive() && !self.is_free() {
                return Ok(None);
            }
            let about = self.episodes()?;
            if about.tools.is_empty() || !self.life.is_alive() || self.adviser.is_none() {
                return Ok(Some(outcome(open, nothing)));
            }
            let noted = Distilling { effect, tools: about.tools.clone() };
            notes::keep(&mut self.store, DISTILLING_NOTE, &noted)?;
            self.ponder(open, tier, About::Episodes(about));
            return Ok(None);
        };
        let (conclusion, cost, fault) = match self.pondered(open) {
            Pondered::Waiting => return Ok(None),
            Pondered::Over(conclusion, cost, fault) => (conclusion, cost, fault),
        };
        let result = match (conclusion, fault) {
            (Some(Conclusion::Claims(claims)), _) if self.life.is_alive() => {
                let now = self.moment();
                let admitted = suppositions::admit(&mut self.store, &self.mind.venue, &tools, &claims, now)?;
                let claimed = u8::try_from(claims.len()).unwrap_or(u8::MAX);
                OutcomeResult::Distilled(Distilled { tier, claimed, admitted })
            }
            (_, Some(reason)) => OutcomeResult::Refused { reason },
            _ => nothing,
        };
        Ok(Some(paid(open, CostSource::Inference, cost, result)))
    }

    fn episodes(&self) -> Result<Episodes, RuntimeError> {
        let shelf = self.store.shelf()?;
        let tools = suppositions::tools(&shelf);
        let mut known: Vec<_> = shelf.grimoire.living().collect();
        known.sort_by_key(|entry| (entry.confidence, entry.id));
        let judged = shelf.episodes.iter().filter(|recorded| recorded.episode.held().is_some());
        Ok(Episodes {
            regime: self.life.trader().map_or("unknown", Trader::regime_name),
            tools,
            episodes: judged.map(|recorded| recorded.episode.text.clone()).collect(),
            known: known.into_iter().map(|entry| entry.draft.content.clone()).collect(),
        })
    }

    /// M-195, M-199. What a model writes of the life, with its cost; `None` while it is waited for. The facts of the
    /// testament stand without it: no failure, no silence and no restart keeps a death (M-182).
    pub(super) fn last_words(&mut self, open: &OpenEffect) -> Result<Option<(Option<LastWords>, Usdc)>, RuntimeError> {
        if open.effect.budget.is_zero() || self.adviser.is_none() {
            return Ok(Some((None, Usdc::ZERO)));
        }
        if self.store.note(LAST_WORDS_NOTE)?.is_none_or(|noted| noted != open.effect.id.to_string()) {
            if !self.is_free() {
                // Something else is still being thought over: the facts will do.
                return Ok(Some((None, Usdc::ZERO)));
            }
            // M-211. What a death may ask is what it has to spend; that does not move any more.
            let asks = self.life.study().and_then(|study| study.last_words(self.life.vitals()));
            let (Some((tier, _)), Some(about)) = (asks, self.whole_life()?) else {
                return Ok(Some((None, Usdc::ZERO)));
            };
            self.store.set_note(LAST_WORDS_NOTE, &open.effect.id.to_string())?;
            self.ponder(open, tier, About::Life(Box::new(about)));
            return Ok(None);
        }
        let may_wait = !self.is_closing() && self.life.next_pass().0.since(open.tick) <= LAST_WORDS_PASSES;
        match self.pondered(open) {
            Pondered::Waiting if may_wait => Ok(None),
            Pondered::Waiting => Ok(Some((None, open.effect.budget))),
            Pondered::Over(Some(Conclusion::LastWords(words)), cost, _) => Ok(Some((Some(*words), cost))),
            Pondered::Over(_, cost, _) => Ok(Some((None, cost))),
        }
    }

    /// Once the last act is wanted nothing is waited for: the facts have to be noted before the chain is told.
    pub(super) fn is_closing(&self) -> bool {
        self.open.iter().any(|one| matches!(one.effect.kind, EffectKind::Settle))
    }

    /// The facts a life is told by.
    fn whole_life(&self) -> Result<Option<LookBack>, RuntimeError> {
        let Some(death) = self.life.death() else { return Ok(None) };
        let now = self.life.vitals().vitality().last_computed;
        let (kin, law) = (&self.settings.kin, &self.settings.grimoire);
        let facts = compose(&self.life, &self.store, kin, law, now)?;
        let stats = &facts.testament.stats;
        let shelf = self.store.shelf()?;
        let earned = facts.earned.map_or_else(|| "nothing traded".to_owned(), |earned| earned.told);
        let hits = facts.actions.iter().filter(|action| action.hit).count();
        let turns = &facts.testament.sections.emotional_topology.turning_points;
        Ok(Some(LookBack {
            cause: death.cause.kind(),
            ticks: death.ticks_alive,
            vitality: death.composite,
            generation: facts.kin.generation,
            arc: facts.testament.arc.arc.to_string(),
            was_immortal: facts.testament.is_of_the_control_group(),
            numbers: vec![
                format!("funded with {}, spent {}, left {}", stats.funded, stats.spent, facts.left),
                format!("{} verified actions, {hits} as simulated; {earned}", facts.actions.len()),
                format!("fitness at the end {}", stats.final_fitness),
                format!("book {}", facts.book.as_deref().and_then(|text| text.lines().next()).unwrap_or("none")),
            ],
            memories: shelf.episodes.iter().map(|recorded| recorded.episode.text.clone()).collect(),
            turns: turns.iter().map(|turn| format!("the mood turned at tick {}", turn.tick)).collect(),
            playbook: Some(facts.testament.playbook).filter(|text| !text.is_empty()),
        }))
    }

    fn is_free(&self) -> bool {
        self.adviser.as_ref().is_some_and(Adviser::is_free)
    }

    /// Sends something to be thought over. That it could not be sent shows when it is looked for.
    fn ponder(&mut self, open: &OpenEffect, tier: Tier, about: About) {
        let state = if self.life.is_alive() { self.life.state_words() } else { None };
        let matter = Matter { effect: open.effect.id, tier, budget: open.effect.budget, about, state };
        if let Some(adviser) = &mut self.adviser {
            adviser.ponder(matter);
        }
    }

    /// What came of something that was sent; what nobody can tell is booked whole.
    fn pondered(&mut self, open: &OpenEffect) -> Pondered {
        let looked = self.adviser.as_mut().map_or(Standing::Lost, |adviser| adviser.pondered(open.effect.id));
        match looked {
            Standing::Waiting => Pondered::Waiting,
            Standing::Over(Ok(Considered { conclusion, cost })) => Pondered::Over(Some(conclusion), cost, None),
            Standing::Over(Err(error)) => Pondered::Over(None, error.charge.booked(), Some(short(&error))),
            Standing::Unasked | Standing::Lost => {
                let reason = "it was asked and nobody knows what came of it; its whole budget is booked";
                Pondered::Over(None, open.effect.budget, Some(reason.to_owned()))
            }
        }
    }
}

fn reflecting_note(effect: &str) -> String {
    format!("{REFLECTING_NOTE} {effect}")
}
