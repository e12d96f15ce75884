//! `bardo line bundle`: what a dead Golem leaves, in one file that proves itself.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::who_left;
use golem_inheritance::death_bundle::File;
use golem_primitives::{AgentId, keccak256};
use golem_runtime::{Kin, LegacyBundle, MOST_BYTES};
use golem_view::{
    AsKept, BundleKept, BundlePicture, ByteCount, FileWritten, FindingPicture, LayersPicture, Shown as _, table_of,
};

use super::connect::{ChainChoice, Connected};
use super::home::Home;
use super::library;
use crate::screen;

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

/// What `bundle export` takes.
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

/// One layer a bundle passes or fails.
pub(crate) fn layer(what: &'static str, ok: bool, detail: impl Into<String>) -> FindingPicture {
    FindingPicture::new(what, ok, detail, "")
}

/// Reads a bundle whole; what is too large is not read at all.
pub(crate) fn read(path: &Path) -> Result<LegacyBundle> {
    let shown = path.display();
    let file = std::fs::File::open(path)
        .wrap_err_with(|| format!("there is no bundle {shown}; a Golem leaves one when it has died"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).wrap_err_with(|| format!("cannot read {shown}"))?;
    LegacyBundle::read(&bytes).wrap_err_with(|| format!("{shown} is refused"))
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
    let bundle = super::testament::bundle_of(&folder)?;
    let to = &arguments.file;
    ensure!(!to.exists(), "{} is already there; name another file", to.display());
    std::fs::write(to, bundle.to_bytes()).wrap_err_with(|| format!("cannot write {}", to.display()))?;
    let entries = bundle.bequest.entries.len();
    let words = format!("{entries} entries and the testament of {} in {}", folder.name(), to.display());
    let (golem, entries) = (folder.name().to_owned(), u64::try_from(entries).ok());
    let written = FileWritten { golem, file: to.clone(), entries, tick: None, certificate: None };
    screen::done(arguments.json, &written, &words);
    Ok(ExitCode::SUCCESS)
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
    let next = agent.map(library::raise_from);
    let mut words = format!("{golem} is kept in {}", path.display());
    words.extend(next.iter().map(|how| format!("\nA successor of it: {how}")));
    screen::done(arguments.json, &BundleKept { golem, agent, kept: path, layers, next }, &words);
    Ok(ExitCode::SUCCESS)
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
    screen::draw(arguments.json, &format!("Bundle {}", arguments.file.display()), &picture);
    Ok(ExitCode::SUCCESS)
}

async fn verify(arguments: &FileArguments) -> Result<ExitCode> {
    let bundle = read(&arguments.file)?;
    let chain = arguments.chain.connect().await?;
    let layers = against_chain(&bundle, &chain).await?;
    Ok(show_layers(arguments.json, &format!("Proof of {}", arguments.file.display()), layers))
}

/// Tells of every layer, and whether all pass.
pub(crate) fn show_layers(json: bool, heading: &str, layers: Vec<FindingPicture>) -> ExitCode {
    let holds = FindingPicture::all_ok(&layers);
    if json {
        screen::tell(&LayersPicture { holds, layers }.json());
    } else {
        screen::show(&table_of(heading, &layers));
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// I-010, T-007. What the chain says of a bundle, layer by layer. That its files are whole was seen when it was read.
pub(crate) async fn against_chain(bundle: &LegacyBundle, chain: &Connected) -> Result<Vec<FindingPicture>> {
    let kin = &bundle.kin;
    let mut layers = vec![layer("manifest", true, format!("{} bytes, as listed", bundle.manifest.size()))];
    let agent = match of_chain(kin, chain.deployment.chain_id) {
        Ok(agent) => agent,
        Err(foreign) => {
            layers.push(foreign);
            return Ok(layers);
        }
    };
    let known = match chain.onlooker()?.golem(agent).await {
        Ok(known) => known,
        // A chain that cannot be read says nothing against it.
        Err(error) if error.may_retry() => {
            return Err(error).wrap_err("the chain cannot be asked about the bundle; try again");
        }
        Err(error) => {
            layers.push(layer("chain", false, format!("this chain knows no agent {agent}: {error}")));
            return Ok(layers);
        }
    };
    let generation: u32 = known.generation.saturating_to();
    let lineage: u64 = known.lineage.saturating_to();
    let is_same = known.vault == kin.vault && generation == kin.generation && lineage == kin.lineage.0;
    let place = format!("agent {agent}, vault {}, lineage {lineage}, generation {generation}", known.vault);
    layers.push(layer("chain", is_same, place));
    layers.push(layer("death", known.life.eq_ignore_ascii_case("dead"), format!("the chain says {}", known.life)));
    let sealed = bundle.sealed();
    layers.push(same("testament", sealed.testament, known.testamentHash));
    layers.push(same("genome", bundle.genome_root(), known.genomeRoot));
    // One that died before it had a rule leaves the digest it was born with.
    if let Some(text) = bundle.file(File::Playbook).filter(|text| !text.is_empty()) {
        layers.push(same("playbook", keccak256(text), known.playbookDigest));
    }
    let signed = bundle
        .signature
        .as_ref()
        .and_then(|signature| who_left((kin.chain, kin.vault), (sealed.testament, sealed.bundle), signature));
    let detail = match signed {
        Some(by) if by == kin.key => format!("by its key {by}"),
        Some(by) => format!("by {by}, which is not its key {}", kin.key),
        None => "there is no signature of its key".to_owned(),
    };
    layers.push(layer("signature", signed == Some(kin.key), detail));
    Ok(layers)
}

/// Who it was on this chain; a life of another chain, or of none, is refused before anybody is asked.
fn of_chain(kin: &Kin, here: u64) -> Result<AgentId, FindingPicture> {
    if kin.chain != here {
        let why = format!("it died on chain {}, this is chain {here}; name its chain with --rpc", kin.chain);
        return Err(layer("chain", false, why));
    }
    kin.agent.ok_or_else(|| layer("chain", false, "it was never born on a chain"))
}

fn same(what: &'static str, ours: golem_primitives::B256, theirs: golem_primitives::B256) -> FindingPicture {
    let detail = if ours == theirs { format!("{ours}") } else { format!("it is {ours}, the chain recorded {theirs}") };
    layer(what, ours == theirs, detail)
}

#[cfg(test)]
mod tests {
    use golem_primitives::U256;

    use super::*;

    /// I-010: a bundle of another chain, and one of a life on paper, are refused at the layer `chain`.
    #[test]
    fn i_010_a_bundle_of_another_chain_is_refused_at_its_layer() {
        let agent = AgentId(U256::from(7));
        let kin = Kin { chain: 8_453, agent: Some(agent), ..Kin::default() };
        assert_eq!(of_chain(&kin, 8_453), Ok(agent));
        let foreign = of_chain(&kin, 31_337).expect_err("another chain");
        assert!(foreign.what == "chain" && !foreign.ok.0 && foreign.detail.contains("8453"), "{foreign:?}");
        let paper = of_chain(&Kin { agent: None, ..kin }, 8_453).expect_err("nobody");
        assert!(paper.what == "chain" && !paper.ok.0, "{paper:?}");
    }
}
