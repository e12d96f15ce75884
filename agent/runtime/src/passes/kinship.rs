//! What a tick has to do with siblings.

use std::collections::BTreeMap;

use golem_core::record::Observation;
use golem_grimoire::id::Moment;
use golem_ports::{Chain, Memory, TickSource};
use golem_primitives::{B256, Tick};

use super::Runtime;
use crate::clade::Siblings;
use crate::error::RuntimeError;

/// I-076. Transactions the chain is asked about in a tick; what was not asked refutes nothing.
const MOST_ASKED: usize = 64;

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// I-107. What siblings told since the last tick. What they know stands at the gate before the pass, so that whoever is cut
    /// off between the two hears it again, and takes nothing in twice.
    pub(super) async fn hear_siblings(&mut self) -> Result<Vec<Observation>, RuntimeError> {
        let Some(siblings) = &mut self.siblings else { return Ok(Siblings::out_of_reach(&self.life)) };
        let (news, brought) = siblings.listen(&self.life, &mut self.store, &self.settings.dir)?;
        if !brought.is_empty() {
            let mut asked = brought.transactions();
            asked.truncate(MOST_ASKED);
            let answers = if asked.is_empty() { Vec::new() } else { self.chain.knows(&asked).await };
            let known: BTreeMap<B256, bool> =
                asked.into_iter().zip(answers).filter_map(|(hash, answer)| Some((hash, answer?))).collect();
            let now = Moment::new(self.life.next_pass().0, self.life.vitals().vitality().last_computed);
            siblings.admit(&mut self.store, brought, &known, now)?;
        }
        Ok(Siblings::observations(&self.life, news))
    }

    /// I-104. After the Curator's turn.
    pub(super) fn share(&mut self, tick: Tick) -> Result<(), RuntimeError> {
        match &mut self.siblings {
            Some(siblings) => siblings.share(&self.life, &mut self.store, tick),
            None => Ok(()),
        }
    }

    /// M-186, I-121. What a death tells siblings; no death waits for it.
    pub(super) fn take_leave(&mut self) {
        let Some(siblings) = &mut self.siblings else { return };
        let told = siblings
            .announce(&self.life, &mut self.store)
            .and_then(|()| siblings.part(&self.life, &mut self.store, &self.settings.dir));
        if let Err(error) = told {
            tracing::error!(golem = %self.life.id(), %error, "siblings were not told of the death");
        }
    }
}
