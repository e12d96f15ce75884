//! Errands that never leave the machine: insurance, the Curator, a question to a model; and what a life is told.

use std::time::Instant;

use golem_core::record::{Observation, Outcome, OutcomeResult};
use golem_ports::{Chain, Memory, OpenEffect, StoreError, TickSource};

use super::Runtime;
use crate::adviser::{ASKED_NOTE, Adviser, answered, question};
use crate::errand::{Standing, outcome, refused, short};
use crate::error::RuntimeError;
use crate::heritage::Heritage;

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// A failed insurance is told and does not stop a life.
    pub(super) fn insure(&mut self, open: &OpenEffect) -> Outcome {
        match self.store.insure(self.life.tick()) {
            Ok(_) => outcome(open, OutcomeResult::Done),
            Err(error) => {
                tracing::error!(golem = %self.life.id(), %error, "no insurance snapshot");
                refused(open, &short(&error))
            }
        }
    }

    /// G-139. The Curator's turn. What the Grimoire itself refuses is told and does not stop a life; a store that fails
    /// does, as it would at the next pass.
    pub(super) fn curate(&mut self, open: &OpenEffect) -> Result<Outcome, RuntimeError> {
        let began = Instant::now();
        let result = match self.mind.curate(&mut self.store, &self.life, open.effect.id, open.tick) {
            Ok(curated) => {
                self.telemetry.metrics().curated(self.life.id(), &curated, began.elapsed());
                OutcomeResult::Curated(curated)
            }
            Err(RuntimeError::Store(StoreError::Refused { reason, .. })) => {
                tracing::error!(golem = %self.life.id(), %reason, "the Curator's cycle was refused");
                OutcomeResult::Refused { reason: short(&reason) }
            }
            Err(error) => return Err(error),
        };
        self.mend_playbook();
        if let Some(scribe) = &mut self.scribe {
            scribe.wake();
        }
        self.share(open.tick)?;
        Ok(outcome(open, result))
    }

    /// G-159. The file says what the store says. What cannot be written is told; the store has it.
    pub(super) fn mend_playbook(&mut self) {
        if let Err(error) = self.playbook.mend(&self.store) {
            tracing::error!(golem = %self.life.id(), %error, "PLAYBOOK.md was not written");
        }
    }

    /// Who can be asked now, when that is not what the life last heard. Where nobody ever could, nothing is
    /// said, and the life stays what it was.
    pub(super) fn faculties(&self) -> Option<Observation> {
        let quotes = self.adviser.as_ref().map(Adviser::quotes);
        match (self.life.mind(), quotes) {
            (None, None) => None,
            (Some(mind), quotes) if mind.quotes == quotes.unwrap_or_default() => None,
            (_, quotes) => Some(Observation::Faculties { quotes: quotes.unwrap_or_default() }),
        }
    }

    /// G-002. For how long advice answers again, when that is not what the life last heard. Where nobody can be asked there
    /// is nothing to remember.
    pub(super) fn precedents(&self) -> Option<Observation> {
        let ttl_ticks = self.settings.grimoire.decision_ticks;
        let is_known = match self.life.precedents() {
            Some(precedents) => precedents.ttl_ticks() == ttl_ticks,
            None => self.adviser.is_none() || ttl_ticks == 0,
        };
        (!is_known).then_some(Observation::Precedents { ttl_ticks })
    }

    /// A-002, S-008. What the Golem is like, when that is not what it last heard. A life that was never told stays as it
    /// was.
    pub(super) fn temper(&self) -> Option<Observation> {
        let mut temper = self.settings.temper.clone();
        if let Some(affect) = &mut temper.affect {
            // Who cannot die has no end to be aware of, until its owner lets it die.
            affect.mortality_aware &= self.life.vitals().law().mode.is_mortal();
        }
        (!self.life.has_heard(&temper)).then(|| Observation::Temper(Box::new(temper)))
    }

    /// S-085. What its predecessor suffered, told with the word that first lets it suffer and never again.
    pub(super) fn scars(&self) -> Result<Option<Observation>, RuntimeError> {
        if self.life.pressure().is_some() || self.settings.temper.suffering.is_none() {
            return Ok(None);
        }
        let handed = Heritage::read(&self.store)?.map(|heritage| heritage.scars).unwrap_or_default();
        Ok((!handed.is_empty()).then_some(Observation::Scars(handed)))
    }

    /// P-062. What its predecessor had learnt of the market, told before its first look and never again.
    pub(super) fn learnt(&self) -> Result<Option<Observation>, RuntimeError> {
        if self.life.trader().is_none_or(|trader| trader.understanding.looks() > 0) {
            return Ok(None);
        }
        let handed = Heritage::read(&self.store)?.and_then(|heritage| heritage.learnt);
        Ok(handed.map(|learnt| Observation::Learnt(Box::new(learnt))))
    }

    /// M-139, R-021. Asks once, beside the ticks. That it is asked is on disk before anything is sent; after a restart
    /// without an answer the whole budget is booked and nobody is asked again.
    pub(super) fn deliberate(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let effect = open.effect.id;
        let standing = self.adviser.as_mut().map_or(Standing::Unasked, |adviser| adviser.look(effect));
        if !matches!(standing, Standing::Unasked) {
            return Ok(answered(open, standing));
        }
        if self.store.note(ASKED_NOTE)?.is_some_and(|asked| asked == effect.to_string()) {
            return Ok(answered(open, Standing::Lost));
        }
        let refuse = |reason: &str| Ok(Some(refused(open, reason)));
        let Some(mut question) = question(open, &self.life) else {
            return refuse("nobody waits for an answer any more");
        };
        (question.memories, question.peers) = self.remember(question.market.1);
        let Some(adviser) = &mut self.adviser else { return refuse("there is no model to ask; rules decide") };
        self.store.set_note(ASKED_NOTE, &effect.to_string())?;
        if adviser.ask(question) {
            return Ok(None);
        }
        refuse("whoever asks models is gone; rules decide until a restart")
    }

    pub(super) fn look_after_vectors(&mut self) -> Result<(), RuntimeError> {
        let now = self.moment();
        // G-093. Whoever may be asked is asked about a moment like this one.
        let trader = self.adviser.as_ref().and_then(|_| self.life.trader());
        let soon = trader.map(|trader| self.cue(trader, trader.regime_name()));
        match &mut self.scribe {
            Some(scribe) => {
                soon.iter().for_each(|question| scribe.expect(question));
                scribe.look_after(&mut self.store, now)?;
                if let Some(health) = scribe.health {
                    self.telemetry.metrics().embeds(self.life.id(), health);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }
}
