//! What a death leaves while its passes run: the testament, the bundle, and what siblings and the archive get of them.

use golem_core::life::Body;
use golem_core::record::{CostSource, Outcome, OutcomeResult};
use golem_ports::{Chain, Memory, OpenEffect, TickSource};

use super::{Runtime, RuntimeSettings};
use crate::death::farewell::Leaver;
use crate::death::legacy::{self, LegacyBundle};
use crate::death::{emergency, testament};
use crate::errand::{paid, short};
use crate::error::{Remedy, RuntimeError};

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// M-182. A failed testament is told and does not stop a death.
    pub(super) async fn write_testament(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let Some((words, cost)) = self.last_words(open)? else { return Ok(None) };
        let now = self.ticks.now().await;
        // G-163. The last words on what it knows; a death waits for none of it.
        if let Err(error) = self.mind.conclude(&mut self.store, &self.life, open.effect.id, open.tick) {
            tracing::error!(golem = %self.life.id(), %error, "the Grimoire was not put in order");
        }
        self.mend_playbook();
        let RuntimeSettings { dir, kin, grimoire, .. } = &self.settings;
        let result = match testament::write(&self.life, &mut self.store, dir, kin, grimoire, now, words) {
            Ok(_) => OutcomeResult::Done,
            // There may be room again, or somebody may take away what stands in its place, before the last act is
            // wanted; a line that ends here has no heir.
            Err(error) if may_pass(&error) && !self.is_closing() => {
                tracing::warn!(golem = %self.life.id(), %error, "the testament waits until it can be written");
                return Ok(None);
            }
            Err(error) => {
                tracing::error!(golem = %self.life.id(), %error, "no testament");
                OutcomeResult::Refused { reason: short(&error) }
            }
        };
        Ok(Some(paid(open, CostSource::Legacy, cost, result)))
    }

    /// M-188. What can be saved of a death by chance is saved first; what cannot does not stop it.
    pub(super) fn rescue(&self) {
        if let Err(error) = emergency::rescue(&self.life, &self.store, &self.settings.dir) {
            tracing::error!(golem = %self.life.id(), %error, "no emergency snapshot");
        }
    }

    /// M-186, M-203, M-205, M-210. Tells the Clade of the death, leaves the bundle, and what goes to Clade and archive.
    pub(super) async fn leave(&mut self) {
        self.leave_bundle().await;
        let now = self.ticks.now().await;
        let RuntimeSettings { dir, kin, archive, .. } = &self.settings;
        let leaver = Leaver { life: &self.life, kin, dir, archive: archive.as_deref(), now };
        self.farewell.lay_down(&leaver, &mut self.store);
        self.take_leave();
    }

    /// M-210, M-182. Leaves the death bundle, once there is a testament and as long as there is no bundle. What fails is
    /// told and tried again at the next pass; no death waits for it.
    async fn leave_bundle(&mut self) {
        let (path, is_dead) = (LegacyBundle::path(&self.settings.dir), matches!(self.life.body(), Body::Dead(_)));
        // One that nobody could sign is left again, signed, as soon as somebody can.
        if path.exists() && !(is_dead && legacy::is_unsigned(&path)) {
            return;
        }
        let mut bundle = match legacy::gather(&self.life, &self.store, &self.settings.dir) {
            Ok(Some(bundle)) => bundle,
            Ok(None) => return,
            Err(error) => return tracing::error!(golem = %self.life.id(), %error, "no death bundle"),
        };
        let sealed = bundle.sealed();
        match self.chain.attest(sealed.testament, sealed.bundle).await {
            Ok(signature) => bundle.signature = signature,
            // A signer that is away may come back; the dead do not wait for it.
            Err(error) if error.may_retry() && !is_dead => {
                return tracing::warn!(golem = %self.life.id(), %error, "the death bundle waits for its signature");
            }
            Err(error) => tracing::error!(golem = %self.life.id(), %error, "the death bundle is not signed"),
        }
        if let Err(error) = bundle.write(&self.settings.dir) {
            tracing::error!(golem = %self.life.id(), %error, "no death bundle");
        }
    }
}

/// Whether a file may be written later, or a disk have room.
fn may_pass(error: &RuntimeError) -> bool {
    matches!(error, RuntimeError::File { .. }) || error.remedy() == Remedy::BeginAgain
}
