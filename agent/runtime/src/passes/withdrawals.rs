//! What is not as an outcome told it, from the chain's word to the journal.
//!
//! The store opens an effect again before the life has heard of it. A process that ends between the two would drive the
//! effect and want it a second time, so what is not told yet is on disk first, and not driven before it is told.

use golem_core::record::{EffectKind, Observation, Outcome};
use golem_ports::{Chain, Memory, OpenEffect, Store, TickSource};
use golem_primitives::EffectId;
use serde::{Deserialize, Serialize};

use super::Runtime;
use crate::error::RuntimeError;
use crate::notes;

/// An effect the store has opened again and the life has not heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Untold {
    pub(super) effect: EffectId,
    /// What was withdrawn is a refusal.
    was_refused: bool,
}

/// The note that holds what was taken back and not journaled yet.
const UNTOLD_NOTE: &str = "withdrawn_untold";

/// What was taken back and not journaled when the last process ended.
pub(super) fn untold<S: Store>(store: &S) -> Result<Vec<Untold>, RuntimeError> {
    Ok(notes::read(store, UNTOLD_NOTE)?.unwrap_or_default())
}

/// Outcomes that nobody can find again: a model answers once, and what it cost is known here alone.
pub(super) fn irretrievable(inbox: &mut Vec<Outcome>, open: &[OpenEffect]) {
    let is_thought = |kind: &EffectKind| {
        matches!(
            kind,
            EffectKind::Deliberate { .. }
                | EffectKind::Distil { .. }
                | EffectKind::Reflect { .. }
                | EffectKind::WriteTestament
        )
    };
    inbox.retain(|outcome| open.iter().any(|open| open.effect.id == outcome.effect && is_thought(&open.effect.kind)));
}

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// Opens again what is no longer so, and answers what the life has still to hear of.
    pub(super) fn take_back(&mut self, withdrawn: &[EffectId]) -> Result<Vec<Observation>, RuntimeError> {
        // An outcome nobody has taken in yet is no longer one.
        self.inbox.retain(|outcome| !withdrawn.contains(&outcome.effect));
        let is_open = |effect: &EffectId| self.open.iter().any(|open| open.effect.id == *effect);
        // What is still open is driven anyway.
        let news: Vec<EffectId> = withdrawn.iter().copied().filter(|effect| !is_open(effect)).collect();
        if !news.is_empty() {
            for effect in news {
                // Asked before anything changes, so that a process cut off anywhere here asks the same again.
                let was_refused = self.store.was_refused(effect)?;
                self.untold.retain(|untold| untold.effect != effect);
                self.untold.push(Untold { effect, was_refused });
            }
            notes::keep(&mut self.store, UNTOLD_NOTE, &self.untold)?;
            for untold in self.untold.clone() {
                self.store.reopen(untold.effect)?;
            }
            self.open = self.store.open_effects()?;
        }
        let withdrawn = |open: &OpenEffect| {
            let Untold { effect, was_refused } = *self.untold.iter().find(|untold| untold.effect == open.effect.id)?;
            Some(Observation::Withdrawn { effect, kind: open.effect.kind, was_refused })
        };
        Ok(self.open.iter().filter_map(withdrawn).collect())
    }

    /// The life has heard of it, and the journal says so.
    pub(super) fn told(&mut self, observations: &[Observation]) -> Result<(), RuntimeError> {
        if observations.iter().any(|seen| matches!(seen, Observation::Withdrawn { .. })) {
            self.untold.clear();
            self.store.set_note(UNTOLD_NOTE, "")?;
        }
        Ok(())
    }
}
