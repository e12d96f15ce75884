//! `bardo line bundle`: what a dead Golem leaves, in one file that proves itself.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_inheritance::death_bundle::File;
use golem_view::{AsKept, BundleKept, BundlePicture, ByteCount, FileWritten};

use super::connect::ChainChoice;
use super::home::Home;
use super::library;
use super::library::offers::raise_from;
use crate::screen;

pub(crate) mod layers;

use layers::{against_chain, read, show_layers};

/// What can be done with a death bundle.
#[derive(Debug, Subcommand)]
pub(crate) enum BundleCommand {
    /// Copy what a dead Golem left into a file for somebody else.
    #[command(after_help = "Example: bardo line bundle export ada ada.bardo")]
    Export(ExportArguments),
    /// Prove a bundle against the chain and keep it in the library, from where a successor can be summoned: the way back
    /// when everything else of a Golem is lost.
    #[command(after_help = "Example: bardo line bundle import ada.bardo")]
    Import(FileArguments),
    /// Show what is in a bundle, without asking any chain.
    #[command(after_help = "Example: bardo line bundle inspect ada.bardo --json")]
    Inspect(InspectArguments),
    /// Prove a bundle: its files, its genome, its signature, and that the chain knows it. Exit code 1 when it does not.
    #[command(after_help = "Example: bardo line bundle verify ada.bardo")]
    Verify(FileArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The dead Golem: its name, agent id or vault.
    golem: String,
    /// The file to write.
    file: PathBuf,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// What `bundle inspect` takes: the file speaks for itself.
#[derive(Debug, Args)]
pub(crate) struct InspectArguments {
    /// The bundle.
    file: PathBuf,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// What commands on a bundle file take.
#[derive(Debug, Args)]
pub(crate) struct FileArguments {
    /// The bundle.
    file: PathBuf,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl BundleCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Export(arguments) => export(&arguments),
            Self::Import(arguments) => import(&arguments).await,
            Self::Inspect(arguments) => inspect(&arguments),
            Self::Verify(arguments) => verify(&arguments).await,
        }
    }
}

fn export(arguments: &ExportArguments) -> Result<ExitCode> {
    let folder = arguments.home.find(&arguments.golem)?;
    // Read first: what does not prove itself is not handed on.
    let bundle = read(&folder.bundle())?;
    let to = &arguments.file;
    ensure!(!to.exists(), "{} is already there; name another file", to.display());
    std::fs::write(to, bundle.to_bytes()).wrap_err_with(|| format!("cannot write {}", to.display()))?;
    let entries = bundle.bequest.entries.len();
    let words = format!("{entries} entries and the testament of {} in {}", folder.name(), to.display());
    let (golem, entries) = (folder.name().to_owned(), u64::try_from(entries).ok());
    let written = FileWritten { golem, file: to.clone(), entries, tick: None, certificate: None };
    Ok(screen::done(arguments.json, &written, &words))
}

async fn import(arguments: &FileArguments) -> Result<ExitCode> {
    let bundle = read(&arguments.file)?;
    let chain = arguments.chain.connect().await?;
    let layers = against_chain(&bundle, &chain).await?;
    if let Some(failed) = layers.iter().find(|layer| !layer.ok.0) {
        bail!("{} is refused at layer {}: {}", arguments.file.display(), failed.what, failed.detail);
    }
    let path = library::keep(&arguments.home, &bundle)?;
    let (golem, agent) = (bundle.golem, bundle.kin.agent);
    let next = agent.map(raise_from);
    let mut words = format!("{golem} is kept in {}", path.display());
    words.extend(next.iter().map(|how| format!("\nA successor of it: {how}")));
    Ok(screen::done(arguments.json, &BundleKept { golem, agent, kept: path, layers, next }, &words))
}

fn inspect(arguments: &InspectArguments) -> Result<ExitCode> {
    let bundle = read(&arguments.file)?;
    let (kin, sealed) = (&bundle.kin, bundle.sealed());
    let will = &bundle.testament.testament;
    let size = |file: &File| ByteCount(bundle.file(*file).map_or(0, <[u8]>::len) as u64);
    let picture = BundlePicture {
        golem: bundle.golem,
        agent: kin.agent,
        chain: kin.chain,
        lineage: kin.lineage,
        generation: kin.generation,
        cause: will.death.death.cause.kind().name(),
        last_words: will.last_words.to_string(),
        entries: bundle.bequest.entries.len(),
        testament_hash: sealed.testament,
        genome_root: bundle.genome_root(),
        bundle_sha256: sealed.bundle,
        is_signed: bundle.signature.is_some(),
        size: ByteCount(bundle.manifest.size() as u64),
        files: File::ALL.iter().map(|file| (file.name().to_owned(), size(file))).collect(),
        places: AsKept::of(&bundle.bequest.genome.places),
        kin: AsKept::of(kin),
        stats: AsKept::of(&will.stats),
    };
    Ok(screen::draw(arguments.json, &format!("Bundle {}", arguments.file.display()), &picture))
}

async fn verify(arguments: &FileArguments) -> Result<ExitCode> {
    let bundle = read(&arguments.file)?;
    let chain = arguments.chain.connect().await?;
    let layers = against_chain(&bundle, &chain).await?;
    Ok(show_layers(arguments.json, &format!("Proof of {}", arguments.file.display()), layers))
}
