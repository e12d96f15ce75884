//! Which Golem is meant, and the desk from which its owner acts.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_chain::{ActReceipt, DeskProgress, OwnerDesk};
use golem_primitives::{Address, AgentId, UtcTime};
use golem_view::{DeedPicture, Picture, Wei};

use super::connect::{ChainChoice, Connected, Wallet};
use super::home::{BirthCertificate, Folder, Home};
use crate::screen;

/// A Golem by any of its names.
#[derive(Debug, Clone, Args)]
pub(crate) struct Which {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    pub(crate) golem: String,
    #[command(flatten)]
    pub(crate) home: Home,
    #[command(flatten)]
    pub(crate) chain: ChainChoice,
}

/// A Golem that was found.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Its name here, or its id.
    pub(crate) name: String,
    pub(crate) agent: AgentId,
    pub(crate) vault: Address,
    /// Its folder, when it was raised on this machine.
    pub(crate) local: Option<(Folder, BirthCertificate)>,
    pub(crate) chain: Connected,
}

impl Which {
    pub(crate) fn folder(&self) -> Result<Folder> {
        self.home.find(&self.golem)
    }

    /// Finds the Golem on its chain. A folder that is gone, or was never here, is no obstacle to an id or an address.
    pub(crate) async fn find(&self) -> Result<Subject> {
        match self.home.find(&self.golem) {
            Ok(folder) => {
                let birth = folder.birth()?;
                let chain = self.chain_of(&folder, &birth).await?;
                let (name, agent, vault) = (birth.name.clone(), birth.agent, birth.vault);
                Ok(Subject { name, agent, vault, local: Some((folder, birth)), chain })
            }
            Err(unknown) => {
                let agent: Option<AgentId> = self.golem.parse().ok();
                let vault: Option<Address> = self.golem.parse().ok();
                if agent.is_none() && vault.is_none() {
                    return Err(unknown);
                }
                let chain = self.chain.connect().await?;
                let desk = chain.onlooker()?;
                let (agent, vault) = match (vault, agent) {
                    (Some(vault), _) => (desk.agent_of(vault).await?, vault),
                    (None, Some(agent)) => (agent, desk.vault_of(agent).await?),
                    (None, None) => unreachable!("one of them was read"),
                };
                Ok(Subject { name: agent.to_string(), agent, vault, local: None, chain })
            }
        }
    }

    /// The chain a Golem of this machine lives on.
    pub(crate) async fn chain_of(&self, folder: &Folder, birth: &BirthCertificate) -> Result<Connected> {
        let settings = folder.settings()?;
        let choice = self.chain.clone().or(&settings.rpc, settings.deployment.as_ref());
        let chain = choice.connect_as(Some(&birth.deployment)).await?;
        ensure!(
            chain.deployment.chain_id == birth.deployment.chain_id,
            "{} lives on chain {}, this is chain {}; name its chain with --rpc",
            birth.name,
            birth.deployment.chain_id,
            chain.deployment.chain_id
        );
        ensure!(
            chain.deployment.lineage == birth.deployment.lineage,
            "{} was born on another suite of chain {}: its registry is {}, this one's is {}; was the local L2 built anew?",
            birth.name,
            birth.deployment.chain_id,
            birth.deployment.lineage,
            chain.deployment.lineage
        );
        Ok(chain)
    }
}

impl Subject {
    /// Its folder, or what to do without one.
    pub(crate) fn folder(&self) -> Result<&(Folder, BirthCertificate)> {
        self.local.as_ref().ok_or_else(|| {
            eyre::eyre!(
                "{} was not raised on this machine; bring its files here with `bardo memory import FILE`",
                self.name
            )
        })
    }
}

/// What everything an owner does to a Golem takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Act {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) wallet: Wallet,
    /// Do not ask again.
    #[arg(long)]
    pub(crate) yes: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The owner before a Golem.
#[derive(Debug)]
pub(crate) struct Acting {
    pub(crate) subject: Subject,
    pub(crate) desk: OwnerDesk,
    yes: bool,
    json: bool,
}

impl Act {
    /// Finds the Golem and opens the wallet.
    pub(crate) async fn open(&self) -> Result<Acting> {
        let subject = self.which.find().await?;
        let desk = subject.chain.desk(self.wallet.signer(&subject.chain).await?)?;
        Ok(Acting { subject, desk, yes: self.yes, json: self.json })
    }
}

impl Acting {
    pub(crate) const fn vault(&self) -> Address {
        self.subject.vault
    }

    pub(crate) fn report(&self) -> impl FnMut(DeskProgress) + Send + use<> {
        report(self.json)
    }

    /// Asks before what cannot be undone.
    pub(crate) fn confirm(&self, what: &str) -> Result<()> {
        confirm(self.yes, what)
    }

    /// The chain's own time: a local L2 has another calendar than this machine.
    pub(crate) async fn now(&self) -> Result<UtcTime> {
        Ok(self.subject.chain.endpoints.head().await?.time)
    }

    /// Tells what was done, and what it was about.
    pub(crate) fn done(&self, receipt: &ActReceipt, words: &str, about: &impl Picture) -> ExitCode {
        self.told(Some(receipt), words, about)
    }

    /// The same where it may be that nothing had to be sent.
    pub(crate) fn told(&self, receipt: Option<&ActReceipt>, words: &str, about: &impl Picture) -> ExitCode {
        if !self.json {
            println!("{words}");
            if let Some(ActReceipt { tx, block, gas_used, .. }) = receipt {
                println!("  transaction {tx} in block {block} ({gas_used} gas)");
            }
            return ExitCode::SUCCESS;
        }
        let deed = DeedPicture {
            golem: self.subject.name.clone(),
            agent: self.subject.agent,
            vault: self.subject.vault,
            act: receipt.map(|receipt| receipt.act),
            tx: receipt.map(|receipt| receipt.tx),
            block: receipt.map(|receipt| receipt.block),
            gas_used: receipt.map(|receipt| receipt.gas_used),
            cost: receipt.map(|receipt| Wei(receipt.cost_wei)),
        };
        screen::tell(&deed.with(about));
        ExitCode::SUCCESS
    }
}

/// Tells a person how far a transaction has come, unless a program asked.
pub(crate) fn report(quiet: bool) -> impl FnMut(DeskProgress) + Send + use<> {
    move |progress| screen::desk_progress(progress, quiet)
}

/// Asks a person; refuses for a machine that did not say `--yes`.
pub(crate) fn confirm(yes: bool, what: &str) -> Result<()> {
    if yes {
        return Ok(());
    }
    ensure!(std::io::stdin().is_terminal(), "{what}; say --yes to do it without being asked");
    eprint!("{what}. Type yes to go on: ");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).wrap_err("the answer could not be read")?;
    ensure!(line.trim().eq_ignore_ascii_case("yes"), "nothing was done");
    Ok(())
}
