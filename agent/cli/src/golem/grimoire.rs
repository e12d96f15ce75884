//! `bardo mind grimoire`: what a Golem knows, why it believes it, and what it made of it.

mod audit;
mod exchange;
pub(crate) mod list;
mod reembed;
pub(crate) mod search;
pub(crate) mod show;
mod stats;
mod whose;

use std::process::ExitCode;

use clap::Subcommand;
use eyre::Result;

pub(crate) use audit::flaws;
pub(crate) use stats::one_line;
pub(crate) use whose::{TableArguments, Whose, standing};

/// What can be done with a Grimoire.
#[derive(Debug, Subcommand)]
pub(crate) enum GrimoireCommand {
    /// List entries, newest first, by what they are and where they stand.
    #[command(after_help = "Example: bardo mind grimoire list ada --kind heuristic --status active,candidate")]
    List(list::ListArguments),
    /// Show one entry whole: what it says, what stands behind it, what happened to it.
    #[command(after_help = "Example: bardo mind grimoire show ada 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Show(show::ShowArguments),
    /// Ask it something in words; each answer shows its score by part.
    #[command(after_help = "Example: bardo mind grimoire search ada \"does mean reversion hold in a range\"")]
    Search(search::SearchArguments),
    /// Count what it knows: entries, episodes, cycles, vectors, and how well it fares.
    #[command(after_help = "Example: bardo mind grimoire stats ada --json")]
    Stats(stats::StatsArguments),
    /// Write its entries as JSON lines, for another Golem or another program.
    #[command(after_help = "Example: bardo mind grimoire export ada --out ada.jsonl")]
    Export(exchange::ExportArguments),
    /// Offer it entries from a file. Nothing is believed: what passes customs and gate waits as a candidate. The Golem
    /// must be stopped.
    #[command(after_help = "Example: bardo mind grimoire import ada knowledge.jsonl --way marketplace")]
    Import(exchange::ImportArguments),
    /// Check it against its own law: every active entry earned its place, every rule has its evidence, every version of
    /// PLAYBOOK.md is what its hash says.
    #[command(after_help = "Example: bardo mind grimoire audit ada\nExit code 0: sound. 1: something is wrong.")]
    Audit(TableArguments),
    /// Give every entry a vector of the model in golem.toml; goes on where it stopped. The Golem must be stopped.
    #[command(after_help = "Example: bardo mind grimoire reembed ada")]
    Reembed(reembed::ReembedArguments),
}

impl GrimoireCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => arguments.run(),
            Self::Show(arguments) => arguments.run(),
            Self::Search(arguments) => arguments.run().await,
            Self::Stats(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(),
            Self::Import(arguments) => arguments.run().await,
            Self::Audit(arguments) => audit::run(&arguments),
            Self::Reembed(arguments) => arguments.run().await,
        }
    }
}
