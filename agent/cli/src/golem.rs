//! `bardo golem`: one Golem from birth to tombstone.

mod connect;
mod create;
mod home;
mod launch;
mod metrics;
mod pace;
mod paper;
mod run;
mod settings;

use std::process::ExitCode;

use clap::Subcommand;
use eyre::Result;

pub(crate) use connect::{ChainChoice, Connected, Wallet};
pub(crate) use create::{Nativity, give_birth};
pub(crate) use home::{BirthCertificate, Folder, Home};
pub(crate) use launch::{Launched, launch};
pub(crate) use pace::Pace;
pub(crate) use settings::{Settings, TABLES, describe};

/// What can be done with a Golem.
#[derive(Debug, Subcommand)]
pub(crate) enum GolemCommand {
    /// Raise a Golem: its key, its vault, its identity and its funds in one transaction.
    #[command(after_help = "Example: bardo golem create ada --credits 50 --capital 1000 --strategy mean-reversion")]
    Create(create::CreateArguments),
    /// Live on paper: the same strategies on the same market, with no key, no gas and no vault. Nothing is ever sent.
    #[command(
        after_help = "Example: bardo golem paper ada --strategy momentum --capital 1000 --rpc https://... --deployment base.json"
    )]
    Paper(paper::PaperArguments),
    /// Live: sense, decide, act, reflect, sleep, until it is dead or you stop it.
    #[command(after_help = "Example: bardo golem run ada --metrics 127.0.0.1:9464")]
    Run(run::RunArguments),
}

impl GolemCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Create(arguments) => arguments.run().await,
            Self::Paper(arguments) => arguments.run().await,
            Self::Run(arguments) => arguments.run().await,
        }
    }
}
