//! The dead: `graveyard`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_chain::lineage::Chronicle;
use golem_inheritance::summon::Obituary;
use golem_inheritance::testament::estate::{Keeping, market_value};
use golem_primitives::{Address, AgentId};
use golem_runtime::{CARD_FILE, TestamentFile};
use golem_view::{AdjustmentPicture, AdvicePicture, GravePicture};

use super::connect::ChainChoice;
use super::home::{BirthCertificate, Folder, Home};
use super::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct GraveyardArguments {
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// Also the dead of this owner that were not raised here; the owners of the local Golems when left out.
    #[arg(long, value_name = "ADDRESS")]
    of: Option<Address>,
    /// Everybody's dead on this chain.
    #[arg(long, conflicts_with = "of")]
    all: bool,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl GraveyardArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let mut graves: BTreeMap<AgentId, GravePicture> = BTreeMap::new();
        let mut owners: Vec<Address> = self.of.into_iter().collect();
        for folder in self.home.all()? {
            let Ok(birth) = folder.birth() else { continue };
            owners.push(birth.owner);
            if let Some(grave) = grave(&folder, &birth) {
                graves.insert(birth.agent, grave);
            }
        }
        let said = self.of_chain(&owners, &mut graves).await;
        let graves: Vec<GravePicture> = graves.into_values().collect();
        screen::draw_all(self.json, "Graveyard", &graves, "Nobody has died.");
        if let Err(error) = said {
            // The dead of this machine were shown; asking for others by name is another matter.
            ensure!(self.of.is_none() && !self.all, "the chain could not be asked: {error:#}");
            eprintln!("note: only the dead of this machine; the chain could not be asked: {error}");
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn of_chain(&self, owners: &[Address], graves: &mut BTreeMap<AgentId, GravePicture>) -> Result<()> {
        let chain = self.chain.connect().await?;
        let chronicle = Chronicle::read(&chain.endpoints, &chain.deployment).await?;
        let head = chain.endpoints.head().await?;
        for dead in chronicle.graveyard() {
            let owner = chronicle.golem(dead.agent).map(|golem| golem.owner).unwrap_or_default();
            if !self.all && !owners.contains(&owner) {
                continue;
            }
            let grave = graves.entry(dead.agent).or_insert_with(|| GravePicture {
                testament: dead.testament.is_some(),
                ..GravePicture::unmarked(dead.agent)
            });
            let since = head.time.since(dead.died);
            *grave = GravePicture {
                generation: dead.generation,
                life: "dead",
                cause: dead.cause.map(golem_core::record::CauseKind::name),
                ticks: Some(dead.ticks),
                born: Some(dead.born),
                died: Some(dead.died),
                testament_worth: Some(market_value(since)),
                kept: Some(Keeping::of(since).name()),
                successor: dead.successor,
                reason: Some(dead.reason.clone()),
                testament_hash: dead.testament,
                owner: Some(owner),
                ..grave.clone()
            };
        }
        Ok(())
    }
}

/// What this machine kept of one that died; nothing of who lives or cannot be read.
pub(crate) fn grave(folder: &Folder, birth: &BirthCertificate) -> Option<GravePicture> {
    let life = look::reader(folder).and_then(|reader| look::life(&reader)).ok()?;
    let death = life.death()?;
    Some(GravePicture {
        // I-346: the names of the dead are written with a dagger.
        shown: Some(format!("† {}", birth.name)),
        name: Some(birth.name.clone()),
        generation: birth.generation,
        life: look::standing(&life),
        cause: Some(death.cause.kind().name()),
        ticks: Some(death.ticks_alive),
        born: Some(birth.born),
        testament: folder.testament().exists(),
        bundle: folder.bundle().exists(),
        bloodstain: folder.bloodstain().exists(),
        archived: folder.archive(birth).join(CARD_FILE).exists(),
        advice: advice(folder),
        ..GravePicture::unmarked(birth.agent)
    })
}

/// I-272. What its testament says of it to whoever would follow: cause, score and advice, which binds nobody.
fn advice(folder: &Folder) -> Option<AdvicePicture> {
    let file: TestamentFile = serde_json::from_slice(&std::fs::read(folder.testament()).ok()?).ok()?;
    let score = file.measured.map(|measured| measured.score).unwrap_or_default();
    let told = Obituary::of(&file.testament, score);
    let advised = told.recommendation.iter().flat_map(|advice| &advice.adjustments);
    let adjustments = advised.map(AdjustmentPicture::from);
    Some(AdvicePicture {
        cause: told.cause.name(),
        score_micros: told.lineage_score.micros(),
        adjustments: adjustments.collect(),
    })
}
