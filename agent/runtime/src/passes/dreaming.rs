//! Dreams beside the ticks: frozen before anything is asked, each question asked once, landed whole under the effect that
//! wanted it.

use std::time::Instant;

use golem_core::dreaming::{DreamShelf, DreamSources, Landing, freeze, land};
use golem_core::life::Life;
use golem_core::record::{
    CostSource, DreamEvent, DreamTerms, Event, Fill, Observation, Outcome, OutcomeResult, StreamEvent,
};
use golem_dreams::DreamStep;
use golem_dreams::dream::{Answer, Ask, BatchClaim, Said, SaidIdea};
use golem_dreams::vector::Vector;
use golem_grimoire::episode::Recorded;
use golem_grimoire::id::Moment;
use golem_grimoire::shelf::Grimoire;
use golem_ports::{
    Act, Chain, DreamRecord, Errand, InferenceError, Memory, Mused, OpenDream, OpenEffect, Reverie, Settled,
    StoreError, TickSource,
};
use golem_primitives::Usdc;

use super::Runtime;
use crate::adviser::Adviser;
use crate::dreamer::{Dreamer, Driven};
use crate::errand::{Standing, paid, refused, short};
use crate::error::RuntimeError;
use crate::heritage::Heritage;

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// D-230, R-031. By which numbers it dreams and what a question costs, when that is not what the life last heard.
    pub(super) fn dream_terms(&self) -> Option<Observation> {
        let choice = &self.settings.dreams;
        let quotes = self.adviser.as_ref().map(Adviser::dream_quotes).unwrap_or_default();
        let terms = DreamTerms::new(&choice.law, quotes, &choice.asset);
        (!self.life.has_heard_of_dreams(&terms)).then(|| Observation::Dreams(Box::new(terms)))
    }

    /// D-015. Dreams once: what it is dreamt from and every answer are on disk before the next step, so that a process that
    /// begins again goes on with the same dream.
    pub(super) fn dream(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let effect = open.effect.id;
        let Some(bed) = self.store.dreams() else { return Ok(Some(refused(open, "its memory keeps no dreams"))) };
        if let Some(record) = bed.dreamt(effect)? {
            self.dreamer = None;
            return Ok(Some(dreamt(open, record)));
        }
        let mut dreamer = match self.dreamer.take().filter(|dreamer| dreamer.effect == effect) {
            Some(dreamer) => dreamer,
            None => match self.fall_asleep(open)? {
                Ok(dreamer) => Box::new(dreamer),
                Err(why) => return Ok(Some(refused(open, &why))),
            },
        };
        let driven = self.go_on(&mut dreamer, open);
        let told = dreamer.dream.take_events().into_iter().filter(|event| !is_cores(event));
        let told: Vec<Event> = told.map(|event| Event::Dream(Box::new(event))).collect();
        self.telemetry.murmur(self.moment(), self.life.id(), told);
        match driven? {
            Driven::Waiting => {
                self.dreamer = Some(dreamer);
                Ok(None)
            }
            Driven::Over(report) => self.wake_up(open, &dreamer, *report).map(Some),
        }
    }

    /// D-052. Freezes what it is dreamt from, or takes up what a process before this one froze.
    fn fall_asleep(&mut self, open: &OpenEffect) -> Result<Result<Dreamer, String>, RuntimeError> {
        let effect = open.effect.id;
        let begun = self.store.dreams().map(|bed| bed.dreaming(effect)).transpose()?.flatten();
        let dreaming = match begun {
            Some(begun) => begun,
            None => {
                // D-206. What was handed down is supposed before anything of its own.
                let heirlooms = Heritage::to_suppose(&self.store)?;
                let furnish = |shelf: &mut DreamShelf, episodes: &[Recorded], grimoire: &Grimoire| {
                    shelf.heirlooms = heirlooms;
                    measure(shelf, episodes, grimoire);
                };
                let frozen = self.with_shelf(furnish, |life, sources| freeze(life, effect, sources))?;
                let Some(slumber) = frozen else {
                    return Ok(Err("nobody dreams this any more".to_owned()));
                };
                let now = self.moment();
                if let Some(bed) = self.store.dreams() {
                    bed.fall_asleep(effect, now, &slumber)?;
                }
                OpenDream { slumber, answers: Vec::new(), sent: None }
            }
        };
        Ok(Dreamer::resume(effect, dreaming).map_err(|error| short(&error)))
    }

    /// Takes a dream as far as it goes without waiting.
    fn go_on(&mut self, dreamer: &mut Dreamer, open: &OpenEffect) -> Result<Driven, RuntimeError> {
        dreamer.dream.tick(self.life.tick());
        loop {
            // D-190, D-193. Part of the life: a process that begins again reads the same.
            let wake = self.life.dreams().and_then(|dreams| dreams.wake_of(open.effect.id)).cloned();
            if let Some(wake) = wake {
                self.collect(dreamer)?;
                return Ok(Driven::Over(Box::new(dreamer.dream.interrupt(wake))));
            }
            match dreamer.dream.step() {
                DreamStep::Finished(report) => return Ok(Driven::Over(report)),
                DreamStep::Phase(phase) => {
                    let progress = StreamEvent::DreamProgress {
                        phase,
                        cycle_number: dreamer.frozen.cycle.0,
                        budget_spent: dreamer.dream.spent(),
                    };
                    self.telemetry.murmur(self.moment(), self.life.id(), [Event::DreamStream(Box::new(progress))]);
                }
                DreamStep::Ask(ask) => match self.put(dreamer, ask, open)? {
                    Put::Answered => {}
                    Put::Waiting => return Ok(Driven::Waiting),
                    Put::Unpaid => return Ok(Driven::Over(Box::new(dreamer.dream.exhaust()))),
                },
            }
        }
    }

    /// Puts a question, or looks for its answer. That it is asked is on disk before it is sent; one that was
    /// sent and whose answer nobody knows is booked whole and not sent again.
    fn put(&mut self, dreamer: &mut Dreamer, ask: Ask, open: &OpenEffect) -> Result<Put, RuntimeError> {
        if let Some((lost, ceiling)) = dreamer.lost.filter(|(lost, _)| *lost == ask.id) {
            self.keep(dreamer, Answer { ask: lost, said: None, cost: ceiling })?;
            return Ok(Put::Answered);
        }
        if dreamer.asked.is_some() {
            return Ok(if self.collect(dreamer)? { Put::Answered } else { Put::Waiting });
        }
        // D-049. Shares keep a dream within its grant; what the effect does not bear ends it.
        if !dreamer.affords(&ask, open.effect.budget) {
            return Ok(Put::Unpaid);
        }
        let Some(adviser) = self.adviser.as_mut().filter(|adviser| adviser.dream_quotes() != [None; 3]) else {
            // Nobody serves any more: rules do what they can.
            let silence = Answer { ask: ask.id, said: None, cost: Usdc::ZERO };
            if let Some(bed) = self.store.dreams() {
                bed.ask(dreamer.effect, silence.ask, Usdc::ZERO)?;
            }
            self.keep(dreamer, silence)?;
            return Ok(Put::Answered);
        };
        let (id, ceiling) = (ask.id, ask.ceiling);
        let reverie = Reverie::of(dreamer.effect, ask, &dreamer.frozen);
        let name = reverie.name;
        if let Some(bed) = self.store.dreams() {
            bed.ask(dreamer.effect, id, ceiling)?;
        }
        if adviser.muse(reverie) {
            dreamer.asked = Some((name, id, ceiling));
            return Ok(Put::Waiting);
        }
        self.keep(dreamer, Answer { ask: id, said: None, cost: Usdc::ZERO })?;
        Ok(Put::Answered)
    }

    /// Takes in what came of the question that is on its way; answers whether anything did.
    fn collect(&mut self, dreamer: &mut Dreamer) -> Result<bool, RuntimeError> {
        let Some((name, ask, ceiling)) = dreamer.asked else { return Ok(false) };
        let standing = self.adviser.as_mut().map_or(Standing::Lost, |adviser| adviser.mused(name));
        let answer = match standing {
            Standing::Waiting => return Ok(false),
            Standing::Over(Ok(Mused { said, cost })) => Answer { ask, said: Some(compared(said)), cost },
            Standing::Over(Err(error)) => {
                tracing::debug!(golem = %self.life.id(), effect = %dreamer.effect, ask, %error, "no answer in a dream");
                Answer { ask, said: None, cost: booked(&error, ceiling) }
            }
            Standing::Unasked | Standing::Lost => Answer { ask, said: None, cost: ceiling },
        };
        self.keep(dreamer, answer)?;
        Ok(true)
    }

    /// An answer is on disk before the dream takes its next step by it.
    fn keep(&mut self, dreamer: &mut Dreamer, answer: Answer) -> Result<(), RuntimeError> {
        if let Some(bed) = self.store.dreams() {
            bed.answer(dreamer.effect, &answer)?;
        }
        dreamer.hear(answer);
        Ok(())
    }

    /// D-183, D-185. Lands the report, whole or not at all, and tells the life.
    fn wake_up(
        &mut self,
        open: &OpenEffect,
        dreamer: &Dreamer,
        report: golem_dreams::DreamReport,
    ) -> Result<Outcome, RuntimeError> {
        let (now, cost) = (self.moment(), dreamer.cost());
        let landing: Landing = self.with_shelf(measure, |life, sources| land(life, report, sources, now))?;
        let settled = Settled { effect: open.effect.id, now, landing: &landing, cost };
        let landed = match self.store.dreams() {
            Some(bed) => bed.land(&settled),
            None => return Ok(refused(open, "its memory keeps no dreams")),
        };
        match landed {
            Ok(record) => {
                self.mend_playbook();
                self.mind.study(&self.store, &self.life)?;
                if let Some(scribe) = &mut self.scribe {
                    scribe.wake();
                }
                Ok(dreamt(open, record))
            }
            // What the Grimoire itself refuses is told and does not stop a life; it is paid for all the same.
            Err(StoreError::Refused { reason, .. }) => {
                tracing::error!(golem = %self.life.id(), %reason, "a dream was refused by the Grimoire");
                Ok(paid(open, CostSource::Dream, cost, OutcomeResult::Refused { reason: short(&reason) }))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What is dreamt from and landed in, as the store has it now, with what `measure` puts beside it: counting
    /// that is most of the work, so it is counted only where it is asked for.
    pub(super) fn with_shelf<R>(
        &mut self,
        measure: impl FnOnce(&mut DreamShelf, &[Recorded], &Grimoire),
        work: impl FnOnce(&Life, &DreamSources<'_>) -> R,
    ) -> Result<R, RuntimeError> {
        let (grimoire, _) = self.store.at_hand()?;
        let playbook = self.store.playbook(None)?.map(|newest| newest.playbook).unwrap_or_default();
        let (mut shelf, episodes, quarantine) = match self.store.dreams() {
            Some(bed) => (bed.dream_shelf()?, bed.dream_episodes()?, bed.dream_quarantine()?),
            None => Default::default(),
        };
        measure(&mut shelf, &episodes, &grimoire);
        let sources = DreamSources {
            grimoire: &grimoire,
            law: &self.mind.law,
            episodes: &episodes,
            quarantine: &quarantine,
            playbook: &playbook,
            venue: &self.mind.venue,
            shelf: &shelf,
        };
        Ok(work(&self.life, &sources))
    }

    pub(super) fn moment(&self) -> Moment {
        Moment::new(self.life.tick(), self.life.vitals().vitality().last_computed)
    }

    /// D-110. Asks how a trade came about whose outcome was just told, for a life that dreams. What cannot be read is left
    /// out, and nothing waits for it.
    pub(super) async fn note_fill(&mut self, errand: &Errand, outcome: &Outcome) {
        let is_on = self.life.dreams().is_some_and(golem_core::dreams::LifeDreams::is_on);
        if !is_on || !matches!(errand.act, Act::Trade(_)) {
            return;
        }
        let began = Instant::now();
        match self.chain.fill(errand, outcome, &mut self.store).await {
            Ok(fill) => self.fills.extend(fill),
            Err(error) => tracing::warn!(golem = %self.life.id(), effect = %errand.effect, %error, "no fill was read"),
        }
        self.waited += began.elapsed();
    }

    /// D-110. How the trades came about whose outcomes this pass takes in.
    pub(super) fn fills(&mut self) -> Vec<Observation> {
        let told = |fill: &mut Fill| self.inbox.iter().any(|outcome| outcome.effect == fill.effect);
        let told: Vec<Fill> = self.fills.extract_if(.., told).collect();
        told.into_iter().map(|fill| Observation::Filled(Box::new(fill))).collect()
    }
}

enum Put {
    Answered,
    Waiting,
    Unpaid,
}

/// What things are compared by: one model for all of them, or nothing could be; episodes have no vectors of the embedder's.
pub(super) fn measure(shelf: &mut DreamShelf, episodes: &[Recorded], grimoire: &Grimoire) {
    let features = |recorded: &Recorded| Vector::features(&recorded.episode.text);
    shelf.episode_vectors = episodes.iter().map(|one| (one.episode.id, features(one))).collect();
    shelf.entry_vectors = grimoire.living().map(|entry| (entry.id, Vector::features(&entry.draft.content))).collect();
    shelf.market = episodes.last().map(features);
}

/// D-061, D-118. What was said, with the vectors it is compared by.
fn compared(said: Said) -> Said {
    let of = |text: &str| Some(Vector::features(text));
    match said {
        Said::Fragment { text, tokens, .. } => Said::Fragment { vector: of(&text), text, tokens },
        Said::Claims(claims) => {
            Said::Claims(claims.into_iter().map(|claim| BatchClaim { vector: of(&claim.text), ..claim }).collect())
        }
        Said::Idea(idea) => Said::Idea(SaidIdea { vector: of(&idea.strategy), ..idea }),
        said @ (Said::Judged { .. } | Said::Narrative(_)) => said,
    }
}

/// What is booked for a call that failed; never more than it might have cost.
fn booked(error: &InferenceError, ceiling: Usdc) -> Usdc {
    error.charge.booked().min(ceiling)
}

/// Those the life says itself, from what it is told.
const fn is_cores(event: &DreamEvent) -> bool {
    matches!(event, DreamEvent::DreamStart { .. } | DreamEvent::DreamComplete { .. } | DreamEvent::DreamAborted { .. })
}

fn dreamt(open: &OpenEffect, record: DreamRecord) -> Outcome {
    paid(open, CostSource::Dream, record.cost, OutcomeResult::Dreamt(Box::new(record.dreamt)))
}
