//! `bardo mind grimoire`: what a Golem knows, why it believes it, and what it made of it.

mod audit;
mod exchange;
pub(super) mod list;
mod reembed;
pub(super) mod search;
pub(super) mod show;
mod stats;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail};
use golem_grimoire::id::Moment;
use golem_grimoire::status::Entry;
use golem_store::{Lookup, Reader};

use super::home::{Folder, Home};
use super::look;

pub(crate) use audit::flaws;
pub(crate) use stats::one_line;

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
    Audit(audit::AuditArguments),
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
            Self::Audit(arguments) => arguments.run(),
            Self::Reembed(arguments) => arguments.run().await,
        }
    }
}

/// Whose Grimoire.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// The Golem: its name on this machine, its agent id, or its vault's address.
    #[arg(value_name = "GOLEM")]
    golem: String,
    #[command(flatten)]
    home: Home,
}

impl Whose {
    /// Its folder, also of one that lives on paper.
    pub(crate) fn folder(&self) -> Result<Folder> {
        self.home.find_memory(&self.golem)
    }

    /// Its memory, only to look; also while it lives.
    pub(crate) fn reader(&self) -> Result<(Folder, Reader)> {
        let folder = self.folder()?;
        let reader = look::reader(&folder)?;
        Ok((folder, reader))
    }

    /// Its folder, if nobody lives it now.
    fn stopped(&self, to_do: &str) -> Result<Folder> {
        let folder = self.folder()?;
        if let Some(pid) = look::holder(&folder) {
            bail!("process {pid} lives {}; stop it first, then {to_do}", folder.name());
        }
        Ok(folder)
    }
}

/// Where a life stands: the moment by which what it knows is read.
pub(crate) fn standing(reader: &Reader) -> Result<(Moment, golem_core::life::Life)> {
    let life = look::life(reader)?;
    // Its own time, not the machine's: a life on a local L2 or a stopped one is as old as its last look.
    let now = Moment::new(life.tick(), life.vitals().vitality().last_computed);
    Ok((now, life))
}

/// The entry whose id begins with these letters.
fn find(reader: &Reader, name: &str, wanted: &str) -> Result<Entry> {
    match reader.lookup(wanted)? {
        Lookup::One(entry) => Ok(*entry),
        Lookup::Nothing => bail!("{name} has no entry {wanted:?}; list them with `bardo mind grimoire list {name}`"),
        Lookup::Several(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            bail!("several entries begin with {wanted:?}: {}; write more of the id", ids.join(", "))
        }
    }
}
