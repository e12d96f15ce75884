//! `bardo owner advertise`: the word of the payee in the registration file.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_view::Advertised;

use crate::golem::subject::Act;

#[derive(Debug, Args)]
pub(crate) struct AdvertiseArguments {
    #[command(flatten)]
    act: Act,
    /// Stop saying so.
    #[arg(long)]
    off: bool,
}

impl AdvertiseArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let (agent, name) = (acting.subject.agent, acting.subject.name.clone());
        let url = if self.off { None } else { Some(address(&acting.subject)?) };
        let life = acting.desk.golem(agent).await?.life;
        ensure!(url.is_none() || life == "alive", "{name} is {life}: it takes and sells nothing any more");
        let file = acting.desk.agent_uri(agent).await?;
        let changed = golem_x402::advertise(&file, url.as_deref()).wrap_err("nothing was changed")?;
        let words = match &url {
            Some(url) => format!("The registration file of {name} says that it takes x402 at {url}."),
            None => format!("The registration file of {name} no longer says that it takes x402."),
        };
        let receipt = acting.desk.set_agent_uri(agent, changed, &mut acting.report()).await?;
        Ok(acting.done(&receipt, &words, &Advertised { x402_support: url.is_some(), endpoint: url }))
    }
}

/// What others are told to call. A chain that others share is told no address that only this machine can reach.
fn address(subject: &crate::golem::subject::Subject) -> Result<String> {
    let (folder, _) = subject.folder()?;
    let Some(feed) = folder.settings()?.feed else {
        eyre::bail!(
            "{} sells nothing: write [feed] with a facilitator into {} first",
            subject.name,
            folder.config().display()
        );
    };
    ensure!(
        subject.chain.devnet.is_some() || !feed.is_loopback(),
        "{} can be reached from this machine alone; write what others call it as feed.public_url",
        feed.url()
    );
    Ok(feed.url())
}
