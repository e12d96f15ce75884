//! The dead and what they left: `graveyard`, `testament`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::lineage::Chronicle;
use golem_primitives::{Address, AgentId, keccak256};
use golem_runtime::TestamentFile;
use serde_json::{Value, json};

use super::subject::Which;
use super::{ChainChoice, Home, look};
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

/// What `testament` takes.
#[derive(Debug, Args)]
pub(crate) struct TestamentArguments {
    #[command(flatten)]
    which: Which,
    /// The file itself, byte for byte.
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
                "testament": folder.testament().exists(),
            });
            graves.insert(birth.agent, line);
        }
        let said = self.of_chain(&owners, &mut graves).await;
        let lines: Vec<&Value> = graves.values().collect();
        if self.json {
            println!("{}", serde_json::to_string_pretty(&lines)?);
        } else {
            let columns =
                ["agent", "name", "generation", "life", "cause", "ticks", "born", "died", "successor", "reason"];
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| if value.is_null() { "-".to_owned() } else { value.to_string() }, str::to_owned)
            };
            let mut rows = vec![columns.map(str::to_owned).to_vec()];
            rows.extend(lines.iter().map(|line| columns.iter().map(|column| text(&line[*column])).collect()));
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

impl TestamentArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let Ok(folder) = self.which.folder() else { return self.recorded().await };
        let path = folder.testament();
        if !path.exists() {
            bail!(
                "{} has left no testament; it is written when a Golem dies (`bardo golem status {0}`)",
                folder.name()
            );
        }
        let bytes = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
        if self.json {
            use std::io::Write as _;
            std::io::stdout().write_all(&bytes)?;
            return Ok(ExitCode::SUCCESS);
        }
        let file: TestamentFile =
            serde_json::from_slice(&bytes).wrap_err_with(|| format!("{} is no testament", path.display()))?;
        let (hits, landed) = (file.actions.iter().filter(|line| line.hit).count(), file.actions.len());
        let realised: i64 = file.actions.iter().map(|line| line.realised_micros).sum();
        let mut rows = vec![
            vec!["golem".to_owned(), file.golem.to_string()],
            vec!["died of".to_owned(), file.death.cause.kind().name().to_owned()],
            vec!["ticks lived".to_owned(), file.ticks_lived.to_string()],
            vec!["written".to_owned(), file.written.to_string()],
            vec!["funded, spent, left".to_owned(), format!("{}, {}, {}", file.funded, file.spent, file.left)],
            vec!["strategy".to_owned(), file.strategy.clone().unwrap_or_else(|| "none".to_owned())],
            vec!["fitness at the end".to_owned(), file.fitness.to_string()],
            vec!["actions".to_owned(), format!("{landed}, of which {hits} came as simulated")],
            vec!["realised".to_owned(), format!("{:.6} USDC", realised as f64 / 1e6)],
            vec!["hash of the file".to_owned(), keccak256(&bytes).to_string()],
        ];
        let (word, holds) = self.against_chain(&folder, &bytes).await;
        rows.push(vec!["on chain".to_owned(), word]);
        screen::table(&format!("Testament of {}", folder.name()), &rows);
        Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Whether the file is the one the chain knows; a chain that cannot be asked says nothing against it.
    async fn against_chain(&self, folder: &super::Folder, bytes: &[u8]) -> (String, bool) {
        let recorded = async {
            let birth = folder.birth()?;
            let chain = self.which.chain_of(folder, &birth).await?;
            Ok::<_, eyre::Report>(chain.onlooker()?.golem(birth.agent).await?.testamentHash)
        };
        match recorded.await {
            Ok(hash) if hash == keccak256(bytes) => ("the same hash".to_owned(), true),
            Ok(hash) if hash.is_zero() => ("none recorded yet".to_owned(), true),
            Ok(hash) => (format!("ANOTHER HASH: {hash}"), false),
            Err(error) => (format!("not asked: {error}"), true),
        }
    }

    /// For a Golem of another machine: what the chain has of it.
    async fn recorded(&self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
        let Some(testament) = chronicle.golem(subject.agent).and_then(|golem| golem.testament.clone()) else {
            bail!("agent {} has left no testament on chain", subject.agent);
        };
        if self.json {
            println!("{}", serde_json::to_string_pretty(&testament)?);
            return Ok(ExitCode::SUCCESS);
        }
        let rows = vec![
            vec!["hash".to_owned(), testament.hash.to_string()],
            vec![
                "where it lies".to_owned(),
                if testament.uri.is_empty() { "not said".to_owned() } else { testament.uri },
            ],
            vec!["recorded".to_owned(), testament.place.time.to_string()],
        ];
        screen::table(&format!("Testament of agent {}", subject.agent), &rows);
        Ok(ExitCode::SUCCESS)
    }
}
