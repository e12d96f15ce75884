//! Errands that never leave the machine: insurance, the Curator, the testament.

use std::time::Instant;

use golem_core::record::{Outcome, OutcomeResult};
use golem_ports::{Chain, Memory, OpenEffect, StoreError, TickSource};

use super::Runtime;
use crate::errand::{self, outcome};
use crate::error::RuntimeError;
use crate::testament;

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// A failed insurance is told and does not stop a life.
    pub(super) fn insure(&mut self, open: &OpenEffect) -> Outcome {
        match self.store.insure(self.life.tick()) {
            Ok(_) => outcome(&open.effect, OutcomeResult::Done),
            Err(error) => {
                tracing::error!(golem = %self.life.id(), %error, "no insurance snapshot");
                outcome(
                    &open.effect,
                    OutcomeResult::Refused { reason: errand::short(&error.to_string()).as_str().to_owned() },
                )
            }
        }
    }

    /// G-139. The Curator's turn. What the Grimoire itself refuses is told and does not stop a life; a store that fails
    /// does, as it would at the next pass.
    pub(super) fn curate(&mut self, open: &OpenEffect) -> Result<Outcome, RuntimeError> {
        let began = Instant::now();
        let result = match self.mind.curate(&mut self.store, &self.life, (open.effect.id, open.tick)) {
            Ok(curated) => {
                self.telemetry.metrics().curated(self.life.id(), &curated, began.elapsed());
                OutcomeResult::Curated(curated)
            }
            Err(RuntimeError::Store(StoreError::Refused { reason, .. })) => {
                tracing::error!(golem = %self.life.id(), %reason, "the Curator's cycle was refused");
                OutcomeResult::Refused { reason: errand::short(&reason.to_string()).as_str().to_owned() }
            }
            Err(error) => return Err(error),
        };
        self.mend_playbook();
        if let Some(scribe) = &mut self.scribe {
            scribe.wake();
        }
        Ok(outcome(&open.effect, result))
    }

    /// G-159. The file says what the store says. What cannot be written is told; the store has it.
    pub(super) fn mend_playbook(&mut self) {
        if let Err(error) = self.playbook.mend(&self.store) {
            tracing::error!(golem = %self.life.id(), %error, "PLAYBOOK.md was not written");
        }
    }

    pub(super) fn look_after_vectors(&mut self) -> Result<(), RuntimeError> {
        let now = self.life.vitals().vitality().last_computed;
        match &mut self.scribe {
            Some(scribe) => Ok(scribe.look_after(&mut self.store, now)?),
            None => Ok(()),
        }
    }

    /// M-182. A failed testament is told and does not stop a death.
    pub(super) async fn write_testament(&mut self, open: &OpenEffect) -> Outcome {
        let now = self.ticks.now().await;
        // G-163. The last words on what it knows; a death waits for none of it.
        if let Err(error) = self.mind.conclude(&mut self.store, &self.life, (open.effect.id, open.tick)) {
            tracing::error!(golem = %self.life.id(), %error, "the Grimoire was not put in order");
        }
        self.mend_playbook();
        match testament::write(&self.life, &mut self.store, &self.settings.dir, now) {
            Ok(_) => outcome(&open.effect, OutcomeResult::Done),
            Err(error) => {
                tracing::error!(golem = %self.life.id(), %error, "no testament");
                outcome(
                    &open.effect,
                    OutcomeResult::Refused { reason: errand::short(&error.to_string()).as_str().to_owned() },
                )
            }
        }
    }
}
