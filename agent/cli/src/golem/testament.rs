//! What a Golem left to read: `testament`.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::OwnerDesk;
use golem_chain::bindings::ILineageRegistry::GolemView;
use golem_chain::lineage::Chronicle;
use golem_inheritance::bloodstain::{Bloodstain, dagger};
use golem_inheritance::death_bundle::File;
use golem_ports::SettledTestament;
use golem_primitives::{AgentId, U256, keccak256};
use golem_runtime::{TESTAMENT_NOTE, TestamentFile};
use golem_view::{Attached, Picture as _, StainPicture, TestamentPicture};

use super::bundle::layers::{self, against_chain, layer, show_layers};
use super::connect::Wallet;
use super::home::{BirthCertificate, Folder};
use super::look;
use super::subject::Which;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct TestamentArguments {
    #[command(flatten)]
    which: Which,
    /// The file itself, byte for byte, with --bloodstain that file; with --verify or --attach a JSON object of what was found or
    /// done.
    #[arg(long)]
    json: bool,
    /// The mark of its death instead: what it warns of, what it suffered, and where its entries went worst.
    #[arg(long, conflicts_with_all = ["verify", "attach"])]
    bloodstain: bool,
    /// Prove it: the chain's hash, the death bundle's, the genome's root and the signature of its key. Exit code 1 when
    /// anything is wrong.
    #[arg(long)]
    verify: bool,
    /// Give the chain the testament it lacks, as the owner: of a Golem that was finalised before it could settle itself.
    #[arg(long, conflicts_with = "verify")]
    attach: bool,
    #[command(flatten)]
    wallet: Wallet,
}

impl TestamentArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let Ok(folder) = self.which.folder() else { return self.recorded().await };
        if self.bloodstain {
            return self.show_stain(&folder).await;
        }
        let path = folder.testament();
        if !path.exists() {
            bail!(
                "{} has left no testament; it is written when a Golem dies (`bardo golem status {0}`)",
                folder.name()
            );
        }
        let bytes = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
        if self.verify {
            return self.prove(&folder, &bytes).await;
        }
        if self.attach {
            let birth = folder.birth()?;
            let chain = self.which.chain_of(&folder, &birth).await?;
            let desk = chain.desk(self.wallet.signer(&chain).await?)?;
            let attached = attach(&folder, &birth, &desk).await?;
            let words = if attached {
                "The chain has its testament now; it can be inherited from."
            } else {
                "The chain has a testament of it already."
            };
            return Ok(screen::done(self.json, &Attached { golem: folder.name().to_owned(), attached }, words));
        }
        if self.json {
            std::io::stdout().write_all(&bytes)?;
            return Ok(ExitCode::SUCCESS);
        }
        let file = serde_json::from_slice::<TestamentFile>(&bytes)
            .wrap_err_with(|| format!("{} is no testament", path.display()))?;
        println!("{}", screen::harmless_lines(&file.to_markdown()));
        let (word, holds) = self.on_chain(&folder, &bytes).await;
        println!("hash of the file: {}\non chain: {word}", keccak256(&bytes));
        Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// M-207. The mark of its death, with the successor the chain knows by now.
    async fn show_stain(&self, folder: &Folder) -> Result<ExitCode> {
        let path = folder.bloodstain();
        ensure!(
            path.exists(),
            "{} has left no bloodstain; it is written when a Golem dies (`bardo golem status {0}`)",
            folder.name()
        );
        let bytes = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
        if self.json {
            std::io::stdout().write_all(&bytes)?;
            return Ok(ExitCode::SUCCESS);
        }
        let stain: Bloodstain =
            serde_json::from_slice(&bytes).wrap_err_with(|| format!("{} is no bloodstain", path.display()))?;
        let successor = match self.known(folder).await {
            Ok(known) if known.successor == U256::MAX => "nobody".to_owned(),
            Ok(known) => format!("agent {}", AgentId(known.successor)),
            Err(error) => format!("not asked: {error}"),
        };
        let scars = stain.scars.iter().map(|one| format!("{} ({})", one.what, one.severity));
        let picture = StainPicture {
            cause: stain.cause.name(),
            owner: stain.owner,
            vitality: stain.vitality,
            ticks: stain.ticks,
            confirmed: stain.votes.up,
            contradicted: stain.votes.down,
            testament: stain.testament,
            genome: stain.priors,
            successor,
        };
        let mut table = picture.table(&format!("Where {} died", dagger(&stain.golem)));
        let marks = scars.map(|text| ("scar", text));
        let badly = stain.landscape.iter().filter_map(|patch| Some(("landscape", patch.warning()?)));
        let warned = stain.warnings.iter().map(|one| ("warning", one.content.clone()));
        table.rows.extend(marks.chain(badly).chain(warned).map(|(kind, text)| vec![kind.to_owned(), text]));
        screen::show(&table);
        Ok(ExitCode::SUCCESS)
    }

    /// What the chain says of it now.
    async fn known(&self, folder: &Folder) -> Result<GolemView> {
        let birth = folder.birth()?;
        let chain = self.which.chain_of(folder, &birth).await?;
        Ok(chain.onlooker()?.golem(birth.agent).await?)
    }

    /// Whether the file is the one the chain knows; a chain that cannot be asked says nothing against it.
    async fn on_chain(&self, folder: &Folder, bytes: &[u8]) -> (String, bool) {
        match self.known(folder).await.map(|known| known.testamentHash) {
            Ok(hash) if hash == keccak256(bytes) => ("the same hash".to_owned(), true),
            Ok(hash) if hash.is_zero() => ("none recorded yet".to_owned(), true),
            Ok(hash) => (format!("ANOTHER HASH: {hash}"), false),
            Err(error) => (format!("not asked: {error}"), true),
        }
    }

    async fn prove(&self, folder: &Folder, bytes: &[u8]) -> Result<ExitCode> {
        let birth = folder.birth()?;
        let chain = self.which.chain_of(folder, &birth).await?;
        let left = layers::read(&folder.bundle())?;
        let in_bundle = left.file(File::Testament).is_some_and(|text| text == bytes);
        let mut layers = vec![layer("testament", in_bundle, "testament.json is the one in the bundle")];
        layers.extend(against_chain(&left, &chain).await?);
        Ok(show_layers(self.json, &format!("Proof of {}'s testament", folder.name()), layers))
    }

    /// For a Golem of another machine: what the chain has of it.
    async fn recorded(&self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
        let Some(testament) = chronicle.golem(subject.agent).and_then(|golem| golem.testament.clone()) else {
            bail!("agent {} has left no testament on chain", subject.agent);
        };
        let picture = TestamentPicture {
            hash: testament.hash,
            uri: testament.uri,
            genome_root: testament.genome_root,
            playbook_digest: testament.playbook_digest,
            late: testament.late,
            recorded: testament.place.time,
            block: testament.place.block,
            tx: testament.place.tx,
        };
        Ok(screen::draw(self.json, &format!("Testament of agent {}", subject.agent), &picture))
    }
}

/// T-004, M-210. Gives the chain the testament of one that others finalised; answers whether it lacked it. Its key and
/// its owner may, once.
pub(crate) async fn attach(folder: &Folder, birth: &BirthCertificate, desk: &OwnerDesk) -> Result<bool> {
    let known = desk.golem(birth.agent).await?;
    ensure!(
        known.life.eq_ignore_ascii_case("dead"),
        "{} is {}; a testament is attached to the dead",
        birth.name,
        known.life
    );
    if !known.testamentHash.is_zero() {
        return Ok(false);
    }
    let noted = look::reader(folder)?.note(TESTAMENT_NOTE)?;
    let Some(noted) = noted else { bail!("{} has written no testament; `bardo golem run {0}` lets it", birth.name) };
    let testament: SettledTestament =
        serde_json::from_str(&noted).wrap_err("what was noted of the testament cannot be read")?;
    desk.attach_testament(birth.vault, &testament, &mut |progress| screen::desk_progress(progress, true)).await?;
    Ok(true)
}
