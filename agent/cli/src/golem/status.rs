//! `bardo golem status`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use eyre::Result;
use golem_chain::PaperView;
use golem_core::life::Life;
use golem_core::record::{ChainLife, Partition, PositionReading, Tier};
use golem_core::trader::Trader;
use golem_primitives::{Address, AgentId, Usdc, UtcTime};
use golem_store::Reader;
use serde_json::{Value, json};

use super::subject::Which;
use super::summary::{Summary, lapse, money};
use super::{Connected, Folder, look, understood};
use crate::screen;

/// What `status` takes.
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    which: Which,
    /// Everything, by its memory and by the chain, in tables.
    #[arg(long)]
    full: bool,
    /// A JSON object with everything; each number's unit stands in its key.
    #[arg(long)]
    json: bool,
}

impl StatusArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let local = self.which.home.find_memory(&self.which.golem).ok();
        if let Some(folder) = local.as_ref().filter(|folder| folder.is_on_paper()) {
            return self.show_paper(folder);
        }
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
        let here = local.as_ref().map(Remembered::read);
        let memory = here.as_ref().map(|here| match here {
            Ok(here) => here.picture(),
            Err(error) => json!({ "error": format!("{error:#}") }),
        });
        // A chain that does not answer is part of the picture, not the end of it.
        let there = match chain {
            Ok(chain) => on_chain(&chain, agent, vault).await,
            Err(error) => Err(error),
        };
        let there = there.unwrap_or_else(|error| json!({ "error": format!("{error:#}") }));
        let feed = local.as_ref().and_then(|folder| Some(folder.settings().ok()?.feed?.picture(folder)));
        let picture = json!({
            "golem": name, "agent": agent.to_string(), "vault": vault, "memory": memory, "feed": feed, "chain": there,
        });
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
            return Ok(ExitCode::SUCCESS);
        }
        println!("{name} (agent {agent}, vault {vault})\n");
        match here {
            Some(Ok(here)) => screen::rows(&here.words(&name)),
            Some(Err(error)) => println!("  Its memory: {error:#}"),
            None => {}
        }
        screen::rows(&chain_words(&picture["chain"]));
        if self.full {
            tables(&picture);
        } else {
            println!("\nbardo golem status {name} --full shows the rest, bardo golem trades {name} every trade.");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// One that lives on paper: the same, with its pretended vault where the chain would speak.
    fn show_paper(&self, folder: &Folder) -> Result<ExitCode> {
        let here = Remembered::read(folder);
        let memory = match &here {
            Ok(here) => here.picture(),
            Err(error) => json!({ "error": format!("{error:#}") }),
        };
        let name = folder.name();
        let there = on_paper(folder).unwrap_or_else(|error| json!({ "error": format!("{error:#}") }));
        let picture = json!({ "golem": name, "paper": true, "memory": memory, "chain": there });
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
            return Ok(ExitCode::SUCCESS);
        }
        println!("{name} (on paper: nothing is sent, and nobody is paid)\n");
        match here {
            Ok(here) => screen::rows(&here.words(name)),
            Err(error) => println!("  Its memory: {error:#}"),
        }
        let mut rows = chain_words(&picture["chain"]);
        if let Some(place) = rows.first_mut().and_then(|row| row.first_mut()) {
            *place = "on paper".to_owned();
        }
        screen::rows(&rows);
        if self.full {
            tables(&picture);
        } else {
            println!("\nbardo golem status {name} --full shows the rest, bardo golem trades {name} every trade.");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What its own memory says.
struct Remembered {
    life: Life,
    /// The word that lets it live.
    command: &'static str,
    process: Option<u32>,
    succession: Option<String>,
    /// What goes beyond a life: counts, purchases, knowledge, what is on its way.
    more: Value,
}

impl Remembered {
    fn read(folder: &Folder) -> Result<Self> {
        let reader = look::reader(folder)?;
        let life = look::life(&reader)?;
        let open: Vec<Value> = reader
            .open_effects()?
            .into_iter()
            .map(|open| json!({ "effect": open.effect.id.to_string(), "tick": open.tick, "kind": open.effect.kind, "budget_usdc_micros": open.effect.budget.micros() }))
            .collect();
        let counts = reader.counts()?;
        let more = json!({
            "purchases": purchases(&life, &reader)?,
            "grimoire": super::grimoire::one_line(&reader)?,
            "open_effects": open,
            "counts": { "passes": counts.committed, "events": counts.events, "transactions": counts.attempts, "outcomes": counts.outcomes },
        });
        let succession = super::orchestrate::standing_words(folder);
        let command = if folder.is_on_paper() { "paper" } else { "run" };
        Ok(Self { life, command, process: look::holder(folder), succession, more })
    }

    /// The screen a person leaves open.
    fn words(&self, name: &str) -> Vec<Vec<String>> {
        let told = Summary(&self.life);
        let process = self.process.map_or_else(
            || format!("nobody lives it here now: bardo golem {} {name}", self.command),
            |process| format!("process {process} lives it"),
        );
        let standing = if self.life.is_alive() { format!("{}; {process}", told.standing()) } else { told.standing() };
        let mut rows = vec![vec!["is".to_owned(), standing]];
        for (place, has) in told.has().into_iter().enumerate() {
            rows.push(vec![if place == 0 { "has" } else { "" }.to_owned(), has]);
        }
        let positions = positions(&self.life);
        rows.extend(positions.iter().map(|position| vec!["holds".to_owned(), position_words(position)]));
        rows.extend(told.made().map(|made| vec!["made".to_owned(), made]));
        rows.push(vec!["costs".to_owned(), told.costs()]);
        rows.push(vec!["waits".to_owned(), told.waits(name)]);
        rows.extend(self.succession.iter().map(|words| vec!["succession".to_owned(), words.clone()]));
        rows
    }

    fn picture(&self) -> Value {
        let life = &self.life;
        let (vitals, vitality) = (life.vitals(), life.vitals().vitality());
        let economic = vitals.economic();
        let partition = |partition| economic.purse().partitions().get(partition).micros();
        // What does not end has no number.
        let lasts = Some(economic.ttl_ticks()).filter(|ticks| *ticks != u64::MAX);
        let mut picture = json!({
            "life": look::standing(life),
            "process": self.process,
            "tick": life.tick(),
            "phase": vitals.phase().to_string(),
            "ticks_in_phase": vitality.ticks_in_phase,
            "vitality": vitality.composite.to_string(),
            "clocks": {
                "economic": vitality.economic.to_string(),
                "epistemic": vitality.epistemic.to_string(),
                "hazard_per_tick": vitals.stochastic().hazard.get(),
                "survival": vitals.stochastic().cumulative_survival,
                "credits_last_ticks": lasts,
                "burn_per_day_usdc_micros": economic.burn().per_day().micros(),
            },
            "credits_usdc_micros": {
                "llm": partition(Partition::Llm),
                "gas": partition(Partition::Gas),
                "data": partition(Partition::Data),
                "legacy": partition(Partition::Legacy),
                "spendable": economic.spendable().micros(),
            },
            "reserve_usdc_micros": economic.reserve().micros(),
            "hand": hand(life),
            "understanding": understood::picture(life),
            "models": models(life),
            "death": life.death().map(|death| death.cause.kind().name()),
            "succession": self.succession,
            "last_seen": vitality.last_computed.to_string(),
        });
        if let (Some(picture), Some(more)) = (picture.as_object_mut(), self.more.as_object()) {
            picture.extend(more.clone());
        }
        picture
    }
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
                "host": payment.host, "amount_usdc_micros": payment.authorisation.amount.micros(),
                "state": format!("{:?}", payment.state).to_lowercase(),
            })
        })
        .collect();
    Ok(Some(json!({
        "sources": sources.join(", "),
        "spent_today_usdc_micros": larder.spent_today().micros(),
        "per_day_usdc_micros": larder.offers().per_day.micros(),
        "float_usdc_micros": larder.float().micros(),
        "on_its_way": larder.is_buying(),
        "last": last,
    })))
}

/// Its liquidity.
fn positions(life: &Life) -> Vec<PositionReading> {
    let vault = life.trader().and_then(Trader::vault);
    vault.into_iter().flat_map(|vault| vault.positions.iter().copied()).collect()
}

fn position_words(position: &PositionReading) -> String {
    format!(
        "liquidity {}: {} and {}, with {} of fees, between the pool's ticks {} and {}",
        position.id,
        money(position.usdc),
        screen::weth(position.token),
        money(position.fees),
        position.lower,
        position.upper
    )
}

/// What the hand last saw and holds.
fn hand(life: &Life) -> Option<Value> {
    let trader = life.trader()?;
    let vault = trader.vault();
    let positions: Vec<Value> = positions(life)
        .iter()
        .map(|position| json!({ "id": position.id, "pool_ticks": [position.lower, position.upper], "usdc_micros": position.usdc.micros(), "token_units": position.token.to_string(), "fees_usdc_micros": position.fees.micros() }))
        .collect();
    Some(json!({
        "book": trader.book_name(),
        "regime": trader.regime_name(),
        "blind": trader.is_blind(),
        "owed_usdc_micros": trader.owed().micros(),
        "ledger": golem_runtime::Earned::from(trader.ledger()),
        "price_usdc_micros": trader.sight().map(|sight| sight.market.price.micros()),
        "block": trader.sight().map(|sight| sight.block.number),
        "idle_usdc_micros": vault.map(|vault| vault.idle.micros()),
        "held_token_units": vault.map(|vault| vault.held.to_string()),
        "held_cost_usdc_micros": vault.map(|vault| vault.held_cost.micros()),
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

/// What its pretended vault says, in the words of the chain.
fn on_paper(folder: &Folder) -> Result<Value> {
    let paper = PaperView::read(&folder.paper())?;
    let credits: serde_json::Map<String, Value> =
        paper.credits.iter().map(|(name, usdc)| ((*name).to_owned(), usdc.micros().into())).collect();
    Ok(json!({
        "life": paper.life,
        "chain_id": paper.chain,
        "pool": paper.pool,
        "block": paper.block,
        "time": paper.time.to_string(),
        "key_wei": paper.key_wei.to_string(),
        "gas_wei": paper.gas_wei.to_string(),
        "phase": paper.phase,
        "vitality_ppm": paper.vitality_ppm,
        "ticks": paper.ticks,
        "last_beat": paper.last_beat.to_string(),
        "silent_seconds": paper.time.since(paper.last_beat).as_secs(),
        "deadline": paper.deadline.map(|deadline| deadline.to_string()),
        "credits_usdc_micros": credits,
        "reserve_usdc_micros": paper.reserve.micros(),
        "capital_usdc_micros": paper.capital.micros(),
        "deployed_usdc_micros": paper.deployed.micros(),
        "host_paid_usdc_micros": paper.host_paid.micros(),
        "given_usdc_micros": { "credits": paper.given.credits.micros(), "capital": paper.given.capital.micros() },
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
        "credits_usdc_micros": { "llm": books.credits[0].micros(), "gas": books.credits[1].micros(), "data": books.credits[2].micros(), "legacy": books.credits[3].micros() },
        "reserve_usdc_micros": books.reserve.micros(),
        "capital_usdc_micros": books.capital.micros(),
        "deployed_usdc_micros": books.deployed.micros(),
        "unallocated_usdc_micros": books.unallocated.micros(),
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

/// What the chain adds to that, in the words of a person.
fn chain_words(chain: &Value) -> Vec<Vec<String>> {
    if let Some(error) = chain["error"].as_str() {
        return vec![vec!["chain".to_owned(), format!("does not answer: {error}")]];
    }
    let text = |key: &str| chain[key].as_str().unwrap_or_default().to_owned();
    let silent = Duration::from_secs(chain["silent_seconds"].as_u64().unwrap_or_default());
    let gas = text("key_wei").parse().map_or_else(|_| "an unknown amount".to_owned(), screen::ether);
    let mut rows = vec![vec![
        "chain".to_owned(),
        format!(
            "{} at block {} ({}); its last beat was {} ago; its key has {gas} for gas",
            text("life"),
            chain["block"],
            text("time"),
            lapse(silent)
        ),
    ]];
    let notes = [
        ("locked_until", "nobody takes anything out before"),
        ("hibernated_until", "sleeps until"),
        ("noticed", "was called silent at"),
        ("deadline", "anybody may end its death from"),
    ];
    let notes = notes.into_iter().filter(|(key, _)| chain[*key].is_string());
    rows.extend(notes.map(|(key, words)| vec![String::new(), format!("{words} {}", text(key))]));
    if chain["unallocated_usdc_micros"].as_u64().unwrap_or_default() > 0 {
        let waiting = shown("/unallocated_usdc_micros", &chain["unallocated_usdc_micros"]);
        rows.push(vec![String::new(), format!("{waiting} was sent to its vault and is taken up at its next errand")]);
    }
    rows
}

/// A value for a person, by the unit its key says.
fn shown(key: &str, value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Number(number) if key.contains("usdc_micros") => {
            Usdc::from_micros(number.as_u64().unwrap_or_default()).to_string()
        }
        Value::String(text) if key.ends_with("_wei") => text.parse().map_or_else(|_| text.clone(), screen::ether),
        Value::String(text) if key.ends_with("_token_units") => {
            text.parse().map_or_else(|_| text.clone(), screen::weth)
        }
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

/// Everything, in tables.
fn tables(picture: &Value) {
    let rows = |of: &Value, names: &[(&str, &str)]| -> Vec<Vec<String>> {
        let value = |pointer: &str| of.pointer(pointer).map_or_else(|| "-".to_owned(), |value| shown(pointer, value));
        names.iter().map(|(words, pointer)| vec![(*words).to_owned(), value(pointer)]).collect()
    };
    let memory = &picture["memory"];
    if !memory.is_null() && memory["error"].is_null() {
        let names = [
            ("economic clock", "/clocks/economic"),
            ("epistemic clock", "/clocks/epistemic"),
            ("hazard a tick", "/clocks/hazard_per_tick"),
            ("credits last, ticks", "/clocks/credits_last_ticks"),
            ("burns a day", "/clocks/burn_per_day_usdc_micros"),
            ("models", "/models"),
            ("llm", "/credits_usdc_micros/llm"),
            ("gas", "/credits_usdc_micros/gas"),
            ("data", "/credits_usdc_micros/data"),
            ("legacy", "/credits_usdc_micros/legacy"),
            ("reserve", "/reserve_usdc_micros"),
            ("acts by", "/hand/book"),
            ("regime", "/hand/regime"),
            ("idle capital", "/hand/idle_usdc_micros"),
            ("token held", "/hand/held_token_units"),
            ("that cost", "/hand/held_cost_usdc_micros"),
            ("knows, active entries", "/grimoire/active"),
            ("candidates", "/grimoire/candidates"),
            ("rules in PLAYBOOK.md", "/grimoire/rules"),
            ("vectors", "/grimoire/vectors"),
            ("owed to the host", "/hand/owed_usdc_micros"),
            ("ledger", "/hand/ledger/told"),
            ("blind", "/hand/blind"),
            ("barred", "/hand/barred"),
        ];
        screen::table("By its memory", &rows(memory, &names));
        understood::table(&memory["understanding"]);
        if !memory["purchases"].is_null() {
            let names = [
                ("sources", "/sources"),
                ("spent today", "/spent_today_usdc_micros"),
                ("a day at most", "/per_day_usdc_micros"),
                ("float", "/float_usdc_micros"),
                ("on its way", "/on_its_way"),
            ];
            screen::table("Buys data", &rows(&memory["purchases"], &names));
            let paid = |payment: &Value| {
                let amount = shown("/amount_usdc_micros", &payment["amount_usdc_micros"]);
                vec![shown("", &payment["host"]), amount, shown("", &payment["state"])]
            };
            list("Last payments", &memory["purchases"]["last"], paid);
        }
        let on_its_way = |open: &Value| {
            let kind = &open["kind"];
            let kind = kind.as_str().or_else(|| Some(kind.as_object()?.keys().next()?.as_str())).unwrap_or("-");
            let budget = shown("/budget_usdc_micros", &open["budget_usdc_micros"]);
            vec![format!("since tick {}", open["tick"]), kind.replace('_', " "), format!("at most {budget}")]
        };
        list("On their way", &memory["open_effects"], on_its_way);
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
    if chain["error"].is_string() {
        return;
    }
    let names = [
        ("life", "/life"),
        ("cause", "/cause"),
        ("owner", "/owner"),
        ("bound to", "/bound_owner"),
        ("key", "/key"),
        ("the key's gas", "/key_wei"),
        ("gas so far", "/gas_wei"),
        ("paid to the host", "/host_paid_usdc_micros"),
        ("last beat", "/last_beat"),
        ("ticks", "/ticks"),
        ("phase", "/phase"),
        ("llm", "/credits_usdc_micros/llm"),
        ("gas", "/credits_usdc_micros/gas"),
        ("data", "/credits_usdc_micros/data"),
        ("legacy", "/credits_usdc_micros/legacy"),
        ("reserve", "/reserve_usdc_micros"),
        ("capital", "/capital_usdc_micros"),
        ("at work", "/deployed_usdc_micros"),
        ("not allocated", "/unallocated_usdc_micros"),
        ("guardian", "/guardian"),
        ("linked wallet", "/wallet"),
        ("says it takes x402 at", "/x402"),
        ("testament", "/testament"),
    ];
    let rows = rows(chain, &names);
    if picture["paper"] == true {
        let known = rows.into_iter().filter(|row| row.last().is_some_and(|value| value != "-")).collect::<Vec<_>>();
        screen::table("On paper", &known);
    } else {
        screen::table("On chain", &rows);
    }
}

fn list(heading: &str, items: &Value, row: impl Fn(&Value) -> Vec<String>) {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    if !items.is_empty() {
        screen::table(heading, &items.iter().map(row).collect::<Vec<_>>());
    }
}
