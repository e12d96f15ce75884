//! Ending a life and what is left to do after it: `kill`, `notice`, `kill-silent`, `finalise`, `retire`.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_chain::OwnerDesk;
use golem_core::record::Reason;
use golem_view::{Finalised, KillPicture};

use super::identity;
use super::subject::Act;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct KillArguments {
    #[command(flatten)]
    act: Act,
    /// Why, for the record on chain; at most 256 bytes.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Also make its key powerless in the same block: after the deadline anybody may finalise.
    #[arg(long)]
    revoke: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FinaliseArguments {
    #[command(flatten)]
    act: Act,
    /// In parts: USDC and at most so many tokens and positions.
    #[arg(long, value_name = "N")]
    items: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RetireArguments {
    #[command(flatten)]
    act: Act,
    /// Its name in the registration file; needed for a Golem that was not raised here.
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
}

impl KillArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        check_reason(&self.reason)?;
        let acting = self.act.open().await?;
        let name = acting.subject.name.clone();
        acting.confirm(&format!("{name} (agent {}) will die; nobody can undo it", acting.subject.agent))?;
        let receipt = if self.revoke {
            acting.desk.kill_and_revoke(acting.vault(), &self.reason, &mut acting.report()).await?
        } else {
            acting.desk.kill(acting.vault(), &self.reason, &mut acting.report()).await?
        };
        let deadline = acting.desk.golem(acting.subject.agent).await?.dyingDeadline.saturating_to::<u64>();
        let until = golem_primitives::UtcTime::from_seconds(deadline);
        let next = if self.revoke {
            format!("Its key is powerless. From {until} on: bardo grave finalise {name}")
        } else {
            format!(
                "Let it settle and write its testament: bardo golem run {name}\nIf it does not, from {until} on: bardo grave finalise {name}"
            )
        };
        Ok(acting.done(
            &receipt,
            &format!("{name} is dying.\n{next}"),
            &KillPicture { reason: self.reason, revoked: self.revoke, deadline: until },
        ))
    }
}

/// T-001. Whether the chain would keep a reason.
pub(crate) fn check_reason(reason: &str) -> Result<()> {
    ensure!(!reason.trim().is_empty(), "a kill has a reason: --reason \"...\"");
    let bytes = reason.len();
    ensure!(bytes <= Reason::BYTES, "the reason has {bytes} bytes; shorten it to {}", Reason::BYTES);
    Ok(())
}

pub(super) async fn notice(act: &Act) -> Result<ExitCode> {
    let acting = act.open().await?;
    let receipt = acting.desk.notice(acting.vault(), &mut acting.report()).await?;
    let name = &acting.subject.name;
    let words = format!(
        "Notice of the silence of {name} is given. If no beat comes within 24 hours: bardo grave kill-silent {name}"
    );
    Ok(acting.done(&receipt, &words, &()))
}

pub(super) async fn kill_silent(act: &Act) -> Result<ExitCode> {
    let acting = act.open().await?;
    acting.confirm(&format!("{} will die of silence; nobody can undo it", acting.subject.name))?;
    let receipt = acting.desk.kill_silent(acting.vault(), &mut acting.report()).await?;
    Ok(acting.done(&receipt, &format!("{} is dying.", acting.subject.name), &()))
}

pub(super) async fn wake(act: &Act) -> Result<ExitCode> {
    let acting = act.open().await?;
    let receipt = acting.desk.wake(acting.vault(), &mut acting.report()).await?;
    Ok(acting.done(&receipt, &format!("{} may trade and spend again.", acting.subject.name), &()))
}

impl FinaliseArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        acting.confirm(&format!(
            "everything {} still holds goes as it is to the owner it is bound to, or to you if you own it; for any other it \
             waits. It is dead without writing a testament",
            acting.subject.name
        ))?;
        let receipt = match self.items {
            Some(items) => acting.desk.finalise_part(acting.vault(), items, &mut acting.report()).await?,
            None => acting.desk.finalise(acting.vault(), &mut acting.report()).await?,
        };
        let (agent, name) = (acting.subject.agent, &acting.subject.name);
        let life = acting.desk.golem(agent).await?.life;
        let mut words = format!("{name} is {life}.");
        // L-014: the death is done; whether its file says so keeps nobody waiting.
        let written = life == "dead"
            && identity::write_epitaph(&acting.desk, agent, &mut acting.report()).await.unwrap_or_else(|error| {
                screen::complain(&error.wrap_err(format!("its registration file still calls {name} active")));
                false
            });
        if written {
            words.push_str(" Its registration file says so.");
        }
        // T-005. Nothing is pushed to a holder who has not spoken to the vault, nor while it is locked.
        let waits = OwnerDesk::waits(&receipt, acting.vault());
        if waits {
            words.push_str(&format!(
                " Not all of it was given out: the rest waits for its owner, who takes it with his own wallet by \
                 `bardo grave finalise {name}` or `claim {name}`, once no lock stands."
            ));
        }
        Ok(acting.done(&receipt, &words, &Finalised { life, epitaph_written: written, waits }))
    }
}

impl RetireArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let local = acting.subject.local.as_ref().map(|(_, birth)| birth.name.clone());
        let Some(name) = self.name.or(local) else {
            eyre::bail!("name it with --as NAME: {} was not raised on this machine", acting.subject.name);
        };
        let agent = acting.subject.agent;
        let profile = identity::epitaph_of(&acting.desk, agent, name.clone()).await;
        let receipt = acting.desk.retire(agent, &profile, &mut acting.report()).await?;
        Ok(acting.done(
            &receipt,
            &format!("The registration file of {name} says that it is no longer active, and why."),
            &(),
        ))
    }
}
