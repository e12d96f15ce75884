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
use serde_json::{Value, json};

use super::{ChainChoice, Folder, Home, look};
use crate::screen;

/// What `graveyard` takes.
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
        let mut graves: BTreeMap<AgentId, Value> = BTreeMap::new();
        let mut owners: Vec<Address> = self.of.into_iter().collect();
        for folder in self.home.all()? {
            let Ok(birth) = folder.birth() else { continue };
            owners.push(birth.owner);
            let Ok(life) = look::reader(&folder).and_then(|reader| look::life(&reader)) else { continue };
            let Some(death) = life.death() else { continue };
            let line = json!({
                "agent": birth.agent.to_string(), "name": birth.name, "generation": birth.generation, "born": birth.born.to_string(),
                "life": look::standing(&life), "cause": death.cause.kind().name(), "ticks": death.ticks_alive,
                "testament": folder.testament().exists(), "bundle": folder.bundle().exists(),
                "bloodstain": folder.bloodstain().exists(), "archived": folder.archive(&birth).join(CARD_FILE).exists(),
                "advice": advice(&folder),
            });
            graves.insert(birth.agent, line);
        }
        let said = self.of_chain(&owners, &mut graves).await;
        let lines: Vec<&Value> = graves.values().collect();
        if self.json {
            println!("{}", serde_json::to_string_pretty(&lines)?);
        } else {
            let columns = [
                "agent",
                "name",
                "generation",
                "life",
                "cause",
                "ticks",
                "born",
                "died",
                "testament",
                "bundle",
                "kept",
                "successor",
                "reason",
            ];
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| if value.is_null() { "-".to_owned() } else { value.to_string() }, str::to_owned)
            };
            let mut rows = vec![columns.map(str::to_owned).to_vec()];
            // I-346: the names of the dead are written with a dagger.
            let cell = |line: &Value, column: &str| match line[column].as_str().filter(|_| column == "name") {
                Some(name) => format!("† {name}"),
                None => text(&line[column]),
            };
            rows.extend(lines.iter().map(|line| columns.iter().map(|column| cell(line, column)).collect()));
            if lines.is_empty() {
                println!("Nobody has died.");
            } else {
                screen::table("Graveyard", &rows);
            }
        }
        if let Err(error) = said {
            // The dead of this machine were shown; asking for others by name is another matter.
            ensure!(self.of.is_none() && !self.all, "the chain could not be asked: {error:#}");
            eprintln!("note: only the dead of this machine; the chain could not be asked: {error}");
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn of_chain(&self, owners: &[Address], graves: &mut BTreeMap<AgentId, Value>) -> Result<()> {
        let chain = self.chain.connect().await?;
        let chronicle = Chronicle::read(&chain.endpoints, &chain.deployment).await?;
        let head = chain.endpoints.head().await?;
        for grave in chronicle.graveyard() {
            let owner = chronicle.golem(grave.agent).map(|golem| golem.owner).unwrap_or_default();
            if !self.all && !owners.contains(&owner) {
                continue;
            }
            let line = graves
                .entry(grave.agent)
                .or_insert_with(|| json!({ "agent": grave.agent.to_string(), "testament": grave.testament.is_some() }));
            for (key, value) in [
                ("generation", json!(grave.generation)),
                ("life", json!("dead")),
                ("cause", json!(grave.cause.map(golem_core::record::CauseKind::name))),
                ("ticks", json!(grave.ticks)),
                ("born", json!(grave.born.to_string())),
                ("died", json!(grave.died.to_string())),
                ("testament_worth", json!(market_value(head.time.since(grave.died)))),
                ("kept", json!(Keeping::of(head.time.since(grave.died)).name())),
                ("successor", json!(grave.successor.map(|agent| agent.to_string()))),
                ("reason", json!(grave.reason)),
                ("testament_hash", json!(grave.testament)),
                ("owner", json!(owner)),
            ] {
                line[key] = value;
            }
        }
        Ok(())
    }
}

/// I-272. What its testament says of it to whoever would follow: cause, score and advice, which binds nobody.
fn advice(folder: &Folder) -> Option<Value> {
    let file: TestamentFile = serde_json::from_slice(&std::fs::read(folder.testament()).ok()?).ok()?;
    let score = file.measured.map(|measured| measured.score).unwrap_or_default();
    let told = Obituary::of(&file.testament, score);
    let says: Vec<Value> = told
        .recommendation
        .iter()
        .flat_map(|advice| &advice.adjustments)
        .map(|one| json!({ "verb": one.verb.name(), "what": one.what, "rationale": one.rationale }))
        .collect();
    Some(json!({ "cause": told.cause.name(), "score_micros": told.lineage_score.micros(), "adjustments": says }))
}
