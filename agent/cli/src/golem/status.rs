//! `bardo golem status`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_core::life::Life;
use golem_core::record::{ChainLife, Partition, Tier};
use golem_primitives::{Address, AgentId, UtcTime};
use golem_store::Reader;
use serde_json::{Value, json};

use super::subject::Which;
use super::{Connected, Folder, look};
use crate::screen;

/// What `status` takes.
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    which: Which,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl StatusArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let local = self.which.folder().ok();
        let (name, agent, vault, chain) = match &local {
            Some(folder) => {
                let birth = folder.birth()?;
                let chain = self.which.chain_of(folder, &birth).await;
                (birth.name.clone(), birth.agent, birth.vault, chain)
            }
            None => {
                let subject = self.which.find().await?;
                (subject.name, subject.agent, subject.vault, Ok(subject.chain))
            }
        };
        let here =
            local.as_ref().map(|folder| own(folder).unwrap_or_else(|error| json!({ "error": format!("{error:#}") })));
        // A chain that does not answer is part of the picture, not the end of it.
        let there = match chain {
            Ok(chain) => on_chain(&chain, agent, vault).await,
            Err(error) => Err(error),
        };
        let there = there.unwrap_or_else(|error| json!({ "error": format!("{error:#}") }));
        let feed = local.as_ref().and_then(|folder| Some(folder.settings().ok()?.feed?.picture(folder)));
        let picture = json!({
            "golem": name, "agent": agent.to_string(), "vault": vault, "memory": here, "feed": feed, "chain": there,
        });
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
        } else {
            show(&picture);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What its own memory says.
fn own(folder: &Folder) -> Result<Value> {
    let reader = look::reader(folder)?;
    let life = look::life(&reader)?;
    let (vitals, vitality) = (life.vitals(), life.vitals().vitality());
    let economic = vitals.economic();
    let partition = |partition| economic.purse().partitions().get(partition).to_string();
    let open: Vec<Value> = reader
        .open_effects()?
        .into_iter()
        .map(|open| json!({ "effect": open.effect.id.to_string(), "tick": open.tick, "kind": open.effect.kind, "budget": open.effect.budget.to_string() }))
        .collect();
    let counts = reader.counts()?;
    Ok(json!({
        "life": look::standing(&life),
        "process": look::holder(folder),
        "tick": life.tick(),
        "phase": vitals.phase().to_string(),
        "ticks_in_phase": vitality.ticks_in_phase,
        "vitality": vitality.composite.to_string(),
        "clocks": {
            "economic": vitality.economic.to_string(),
            "epistemic": vitality.epistemic.to_string(),
            "hazard": vitals.stochastic().hazard.get(),
            "survival": vitals.stochastic().cumulative_survival,
            "credits_last_ticks": economic.ttl_ticks(),
            "burn_a_day": economic.burn().per_day().to_string(),
        },
        "credits": {
            "llm": partition(Partition::Llm),
            "gas": partition(Partition::Gas),
            "data": partition(Partition::Data),
            "legacy": partition(Partition::Legacy),
            "spendable": economic.spendable().to_string(),
        },
        "reserve": economic.reserve().to_string(),
        "hand": hand(&life),
        "models": models(&life),
        "purchases": purchases(&life, &reader)?,
        "grimoire": super::grimoire::one_line(&reader)?,
        "open_effects": open,
        "death": life.death().map(|death| death.cause.kind().name()),
        "succession": super::orchestrate::standing_words(folder),
        "counts": { "passes": counts.committed, "events": counts.events, "transactions": counts.attempts, "outcomes": counts.outcomes },
        "last_seen": vitality.last_computed.to_string(),
    }))
}

/// Which tiers are asked and what a question costs at most, or that rules decide.
fn models(life: &Life) -> String {
    let quotes = life.mind().map(|mind| *mind.quotes()).unwrap_or_default();
    let served = Tier::ALL.into_iter().zip(quotes).filter_map(|(tier, quote)| Some((tier, quote?)));
    let words: Vec<String> = served.map(|(tier, quote)| format!("{tier:?} up to {quote} a question")).collect();
    if words.is_empty() { "none; rules decide".to_owned() } else { words.join(", ") }
}

/// What is bought, for how much, and the last payments; nothing where no source was named.
fn purchases(life: &Life, reader: &Reader) -> Result<Option<Value>> {
    const SHOWN: u32 = 5;
    let Some(larder) = life.larder() else { return Ok(None) };
    let sources: Vec<&str> = larder.offers().sources.iter().map(|offered| offered.name.as_str()).collect();
    let last: Vec<Value> = reader
        .last_payments(SHOWN)?
        .into_iter()
        .map(|payment| {
            json!({
                "host": payment.host, "amount": payment.authorisation.amount.to_string(),
                "state": format!("{:?}", payment.state).to_lowercase(),
            })
        })
        .collect();
    Ok(Some(json!({
        "sources": sources.join(", "),
        "spent_today": larder.spent_today().to_string(),
        "a_day_at_most": larder.offers().per_day.to_string(),
        "float": larder.float().to_string(),
        "on_its_way": larder.is_buying(),
        "last": last,
    })))
}

/// What the hand last saw and holds.
fn hand(life: &Life) -> Option<Value> {
    let trader = life.trader()?;
    let vault = trader.vault();
    let positions: Vec<Value> = vault
        .into_iter()
        .flat_map(|vault| vault.positions.iter())
        .map(|position| json!({ "id": position.id, "ticks": [position.lower, position.upper], "usdc": position.usdc.to_string(), "token": position.token.to_string(), "fees": position.fees.to_string() }))
        .collect();
    Some(json!({
        "strategy": trader.settings().strategy.to_string(),
        "regime": trader.regime_name(),
        "blind": trader.is_blind(),
        "owed": trader.owed().to_string(),
        "ledger": golem_runtime::Earned::from(trader.ledger()),
        "price": trader.sight().map(|sight| sight.market.price.to_string()),
        "block": trader.sight().map(|sight| sight.block.number),
        "idle_capital": vault.map(|vault| vault.idle.to_string()),
        "token_held": vault.map(|vault| vault.held.to_string()),
        "token_cost": vault.map(|vault| vault.held_cost.to_string()),
        "positions": positions,
        "predictions_open": trader.predictions().len(),
        "barred": vault.and_then(|vault| vault.barred),
        "chain_life": vault.map(|vault| match &vault.life {
            ChainLife::Alive => "alive",
            ChainLife::Dying { .. } => "dying",
            ChainLife::Dead { .. } => "dead",
        }),
    }))
}

/// What the chain says of it now.
async fn on_chain(chain: &Connected, agent: AgentId, vault: Address) -> Result<Value> {
    let desk = chain.onlooker()?;
    let golem = desk.golem(agent).await?;
    let books = desk.books(vault).await?;
    let head = chain.endpoints.head().await?;
    let last = UtcTime::from_seconds(golem.lastBeat.saturating_to());
    let purse = desk.purse(golem.key).await?;
    let moment = |seconds: u64| (seconds > 0).then(|| UtcTime::from_seconds(seconds).to_string());
    Ok(json!({
        "life": golem.life.to_lowercase(),
        "cause": Some(golem.cause).filter(|cause| !cause.is_empty()),
        "block": head.number,
        "time": head.time.to_string(),
        "owner": desk.owner_of(agent).await?,
        "key": golem.key,
        "key_wei": purse.wei.to_string(),
        "phase": golem.phase,
        "vitality_ppm": golem.vitalityPpm.saturating_to::<u64>(),
        "ticks": golem.ticks.saturating_to::<u64>(),
        "last_beat": last.to_string(),
        "silent_seconds": head.time.since(last).as_secs(),
        "noticed": moment(golem.noticedAt.saturating_to()),
        "deadline": moment(golem.dyingDeadline.saturating_to()),
        "testament": Some(golem.testamentHash).filter(|hash| !hash.is_zero()),
        "credits": { "llm": books.credits[0].to_string(), "gas": books.credits[1].to_string(), "data": books.credits[2].to_string(), "legacy": books.credits[3].to_string() },
        "reserve": books.reserve.to_string(),
        "capital": books.capital.to_string(),
        "deployed": books.deployed.to_string(),
        "unallocated": books.unallocated.to_string(),
        "guardian": books.guardian,
        "wallet": desk.agent_wallet(agent).await?,
        "x402": advertised(&desk, agent).await,
        "bound_owner": books.bound_owner,
        "locked_until": books.locked_until.filter(|until| *until > head.time).map(|until| until.to_string()),
        "hibernated_until": books.hibernated_until.filter(|until| *until > head.time).map(|until| until.to_string()),
    }))
}

/// L-012. Where its registration file says that it takes x402; a file that is kept elsewhere says nothing here.
async fn advertised(desk: &golem_chain::OwnerDesk, agent: AgentId) -> Option<String> {
    golem_x402::advertised(&desk.agent_uri(agent).await.ok()?).ok()?
}

fn show(picture: &Value) {
    let text = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let rows = |of: &Value, names: &[(&str, &str)]| -> Vec<Vec<String>> {
        names
            .iter()
            .map(|(words, pointer)| vec![(*words).to_owned(), of.pointer(pointer).map_or_else(|| "-".to_owned(), text)])
            .collect()
    };
    println!("{} (agent {}, vault {})", text(&picture["golem"]), text(&picture["agent"]), text(&picture["vault"]));
    let memory = &picture["memory"];
    if let Some(error) = memory["error"].as_str() {
        println!("\nIts memory: {error}");
    } else if !memory.is_null() {
        screen::table(
            "By its memory",
            &rows(
                memory,
                &[
                    ("life", "/life"),
                    ("succession", "/succession"),
                    ("process", "/process"),
                    ("tick", "/tick"),
                    ("phase", "/phase"),
                    ("vitality", "/vitality"),
                    ("economic clock", "/clocks/economic"),
                    ("epistemic clock", "/clocks/epistemic"),
                    ("hazard", "/clocks/hazard"),
                    ("credits last, ticks", "/clocks/credits_last_ticks"),
                    ("burns a day", "/clocks/burn_a_day"),
                    ("models", "/models"),
                    ("llm", "/credits/llm"),
                    ("gas", "/credits/gas"),
                    ("data", "/credits/data"),
                    ("legacy", "/credits/legacy"),
                    ("reserve", "/reserve"),
                    ("strategy", "/hand/strategy"),
                    ("regime", "/hand/regime"),
                    ("idle capital", "/hand/idle_capital"),
                    ("token held", "/hand/token_held"),
                    ("knows, active entries", "/grimoire/active"),
                    ("candidates", "/grimoire/candidates"),
                    ("rules in PLAYBOOK.md", "/grimoire/rules"),
                    ("vectors", "/grimoire/vectors"),
                    ("owed to the host", "/hand/owed"),
                    ("ledger", "/hand/ledger/told"),
                    ("blind", "/hand/blind"),
                    ("barred", "/hand/barred"),
                    ("dead of", "/death"),
                ],
            ),
        );
        let list = |name: &str, value: &Value| {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            if !items.is_empty() {
                screen::table(name, &items.iter().map(|item| vec![item.to_string()]).collect::<Vec<_>>());
            }
        };
        if !memory["purchases"].is_null() {
            let names = [
                ("sources", "/sources"),
                ("spent today", "/spent_today"),
                ("a day at most", "/a_day_at_most"),
                ("float", "/float"),
                ("on its way", "/on_its_way"),
            ];
            screen::table("Buys data", &rows(&memory["purchases"], &names));
            list("Last payments", &memory["purchases"]["last"]);
        }
        list("Open positions", &memory["hand"]["positions"]);
        list("On their way", &memory["open_effects"]);
    }
    if !picture["feed"].is_null() {
        let names = [
            ("address", "/url"),
            ("facilitator", "/facilitator"),
            ("a feed", "/prices/feed"),
            ("insights", "/prices/insights"),
            ("bundle", "/prices/bundle"),
            ("fed", "/sold/feed/usdc"),
            ("for insights", "/sold/insights/usdc"),
            ("for bundles", "/sold/bundle/usdc"),
            ("sells what is worth", "/sharing/from"),
            ("sells nothing while", "/sharing/closed"),
        ];
        screen::table("Takes and sells over x402", &rows(&picture["feed"], &names));
    }
    let chain = &picture["chain"];
    if let Some(error) = chain["error"].as_str() {
        println!("\nThe chain: {error}");
        return;
    }
    screen::table(
        "On chain",
        &rows(
            chain,
            &[
                ("life", "/life"),
                ("cause", "/cause"),
                ("block", "/block"),
                ("time", "/time"),
                ("owner", "/owner"),
                ("bound to", "/bound_owner"),
                ("locked until", "/locked_until"),
                ("key", "/key"),
                ("the key's wei", "/key_wei"),
                ("last beat", "/last_beat"),
                ("silent for, s", "/silent_seconds"),
                ("ticks", "/ticks"),
                ("phase", "/phase"),
                ("llm", "/credits/llm"),
                ("gas", "/credits/gas"),
                ("data", "/credits/data"),
                ("legacy", "/credits/legacy"),
                ("reserve", "/reserve"),
                ("capital", "/capital"),
                ("at work", "/deployed"),
                ("not allocated", "/unallocated"),
                ("guardian", "/guardian"),
                ("linked wallet", "/wallet"),
                ("says it takes x402 at", "/x402"),
                ("sleeps until", "/hibernated_until"),
                ("deadline", "/deadline"),
                ("testament", "/testament"),
            ],
        ),
    );
}
