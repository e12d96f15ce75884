//! What shall be born when a Golem dies, and the USDC put aside for it: `mandate`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{Keystore, Listing, LocalKey, MandatePlan, Uses};
use golem_primitives::{Address, B256, LineageId, U256, Usdc, UtcTime};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::connect::password;
use super::nativity::strength;
use super::rules::parse_span;
use super::subject::Act;
use super::{ChainChoice, Home, Wallet};
use crate::screen;

/// What `mandate` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum MandateCommand {
    /// Show where a mandate stands.
    #[command(after_help = "Example: bardo golem mandate show 0x6fd3...")]
    Show(ShowArguments),
    /// Commit to successors of a Golem's lineage, and put USDC aside for them.
    #[command(
        after_help = "Example: bardo golem mandate commit ada --budget 50 --successors 2 --for 90d --executor 0x... --escrow 100"
    )]
    Commit(CommitArguments),
    /// Put more aside.
    #[command(after_help = "Example: bardo golem mandate add 0x6fd3... --amount 50")]
    Add(EscrowArguments),
    /// Take what was put aside back; without it no successor is born.
    #[command(after_help = "Example: bardo golem mandate withdraw 0x6fd3... --amount 50")]
    Withdraw(EscrowArguments),
}

/// What `mandate show` takes.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The mandate's id.
    mandate: B256,
    #[command(flatten)]
    chain: ChainChoice,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// What `mandate commit` takes.
#[derive(Debug, Args)]
pub(crate) struct CommitArguments {
    #[command(flatten)]
    act: Act,
    /// USDC credits of each successor.
    #[arg(long, value_name = "USDC")]
    budget: Usdc,
    /// How many may be born.
    #[arg(long, default_value_t = 1)]
    successors: u64,
    /// How long it stands, such as 90d.
    #[arg(long = "for", id = "span", value_name = "SPAN", value_parser = parse_span, default_value = "90d")]
    span: Duration,
    /// Who may bring the birth about; never a Golem's key.
    #[arg(long, value_name = "ADDRESS")]
    executor: Address,
    /// USDC to put aside now.
    #[arg(long, value_name = "USDC", default_value = "0")]
    escrow: Usdc,
    /// The successors' guardian.
    #[arg(long, value_name = "ADDRESS")]
    guardian: Option<Address>,
    /// The successors' keys in order of birth; left out, the owner signs for each.
    #[arg(long = "key", value_name = "ADDRESS", value_delimiter = ',')]
    keys: Vec<Address>,
    /// Make and seal a key for each successor now, on this machine, so that births need nobody's signature.
    #[arg(long, conflicts_with = "keys")]
    prepare_keys: bool,
    /// A file whose first line will be the password of the successors' keys.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Any number, to tell two equal mandates apart.
    #[arg(long, default_value = "0")]
    nonce: U256,
}

/// A mandate as this machine keeps it: the chain holds only a hash of the terms.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) mandate: B256,
    pub(crate) committer: Address,
    pub(crate) plan: MandatePlan,
    /// The generation of the next successor.
    pub(crate) generation_after: u32,
}

/// The file of terms, as `commit` writes it.
#[derive(Debug, Serialize, Deserialize)]
struct TermsFile {
    mandate: B256,
    lineage: String,
    budget_micros: u64,
    successors: u64,
    expiry: String,
    expiry_seconds: u64,
    executor: Address,
    listings: Vec<Listing>,
    guardian: Option<Address>,
    keys: Vec<Address>,
    nonce: String,
    escrow_micros: u64,
}

impl TermsFile {
    fn plan(&self) -> Result<MandatePlan> {
        Ok(MandatePlan {
            lineage: LineageId(self.lineage.parse().wrap_err("the lineage of a mandate is no number")?),
            budget: Usdc::from_micros(self.budget_micros),
            successors: self.successors,
            expiry: UtcTime::from_seconds(self.expiry_seconds),
            executor: self.executor,
            policy: None,
            listings: self.listings.clone(),
            guardian: self.guardian,
            keys: self.keys.clone(),
            nonce: self.nonce.parse().wrap_err("the nonce of a mandate is no number")?,
        })
    }
}

/// Where a successor's key waits for its birth.
pub(crate) fn key_file(home: &Home, key: Address) -> PathBuf {
    home.successors().join(format!("{key}.json"))
}

/// The mandate of a Golem's line whose terms are on this machine: the one that was begun with, or the one with the most
/// escrow under which somebody may still be born. The file may lie in any folder of the line: a mandate outlives the Golem
/// it was made for.
pub(crate) async fn find(home: &Home, subject: &super::subject::Subject, begun: Option<B256>) -> Result<Option<Terms>> {
    let desk = subject.chain.onlooker()?;
    let known = desk.golem(subject.agent).await?;
    let (lineage, generation): (u64, u64) = (known.lineage.saturating_to(), known.generation.saturating_to());
    let mut best: Option<(Usdc, Terms)> = None;
    for folder in home.all()? {
        for file in std::fs::read_dir(folder.path()).wrap_err("a folder cannot be read")? {
            let path = file?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !name.starts_with("mandate-") || !name.ends_with(".json") {
                continue;
            }
            let text = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
            let Ok(file) = serde_json::from_slice::<TermsFile>(&text) else { continue };
            let plan = file.plan()?;
            if plan.lineage.0 != lineage {
                continue;
            }
            let Some(standing) = desk.standing_of(file.mandate).await? else { continue };
            let is_worse = best.as_ref().is_some_and(|(escrow, _)| *escrow >= standing.escrow);
            if begun.map_or(standing.born >= plan.successors || is_worse, |begun| begun != file.mandate) {
                continue;
            }
            let generation_after = u32::try_from(generation.saturating_add(1)).unwrap_or(u32::MAX);
            let terms = Terms { mandate: file.mandate, committer: standing.committer, plan, generation_after };
            best = Some((standing.escrow, terms));
        }
    }
    Ok(best.map(|(_, terms)| terms))
}

/// What `mandate add` and `mandate withdraw` take.
#[derive(Debug, Args)]
pub(crate) struct EscrowArguments {
    /// The mandate's id.
    mandate: B256,
    #[command(flatten)]
    chain: ChainChoice,
    #[command(flatten)]
    wallet: Wallet,
    /// How much.
    #[arg(long, value_name = "USDC")]
    amount: Usdc,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl MandateCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Show(arguments) => show(&arguments).await,
            Self::Commit(arguments) => commit(&arguments).await,
            Self::Add(arguments) => escrow(&arguments, true).await,
            Self::Withdraw(arguments) => escrow(&arguments, false).await,
        }
    }
}

async fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let chain = arguments.chain.connect().await?;
    let Some(standing) = chain.onlooker()?.standing_of(arguments.mandate).await? else {
        bail!(
            "there is no mandate {} on chain {}; `mandate commit` tells the id of a new one",
            arguments.mandate,
            chain.deployment.chain_id
        );
    };
    if arguments.json {
        let told = json!({
            "mandate": arguments.mandate,
            "committer": standing.committer,
            "escrow_micros": standing.escrow.micros(),
            "born": standing.born,
            "last_birth": standing.last_birth.map(|time| time.to_string()),
        });
        println!("{}", serde_json::to_string_pretty(&told)?);
        return Ok(ExitCode::SUCCESS);
    }
    let rows = vec![
        vec!["made by".to_owned(), standing.committer.to_string()],
        vec!["put aside".to_owned(), standing.escrow.to_string()],
        vec!["born of it".to_owned(), standing.born.to_string()],
        vec![
            "last birth".to_owned(),
            standing.last_birth.map_or_else(|| "none yet".to_owned(), |time| time.to_string()),
        ],
    ];
    screen::table(&format!("Mandate {}", arguments.mandate), &rows);
    Ok(ExitCode::SUCCESS)
}

async fn commit(arguments: &CommitArguments) -> Result<ExitCode> {
    let acting = arguments.act.open().await?;
    let lineage = acting.desk.golem(acting.subject.agent).await?.lineage;
    let keys = if arguments.prepare_keys { prepare_keys(arguments, &acting.subject)? } else { arguments.keys.clone() };
    let plan = MandatePlan {
        lineage: LineageId(lineage.saturating_to()),
        budget: arguments.budget,
        successors: arguments.successors,
        expiry: acting.now().await?.plus(arguments.span),
        executor: arguments.executor,
        policy: None,
        listings: inherited_lists(&acting.subject),
        guardian: arguments.guardian,
        keys,
        nonce: arguments.nonce,
    };
    let committed = acting.desk.commit_mandate(&plan, arguments.escrow, &mut acting.report()).await?;
    let terms = serde_json::to_value(TermsFile {
        mandate: committed.mandate,
        lineage: plan.lineage.to_string(),
        budget_micros: plan.budget.micros(),
        successors: plan.successors,
        expiry: plan.expiry.to_string(),
        expiry_seconds: plan.expiry.seconds(),
        executor: plan.executor,
        listings: plan.listings.clone(),
        guardian: plan.guardian,
        keys: plan.keys.clone(),
        nonce: plan.nonce.to_string(),
        escrow_micros: arguments.escrow.micros(),
    })?;
    // The chain holds only a hash of the terms; whoever brings the birth about needs all of them.
    if let Some((folder, _)) = &acting.subject.local {
        let path = folder.path().join(format!("mandate-{}.json", committed.mandate));
        std::fs::write(&path, serde_json::to_string_pretty(&terms)?)
            .wrap_err_with(|| format!("cannot write {}", path.display()))?;
    }
    let words = format!("The mandate {} stands until {}.", committed.mandate, plan.expiry);
    acting.done(&committed.receipt, &words, terms);
    Ok(ExitCode::SUCCESS)
}

/// Draws and seals a key for each successor; the mandate names their addresses in order of birth.
fn prepare_keys(arguments: &CommitArguments, subject: &super::subject::Subject) -> Result<Vec<Address>> {
    ensure!(arguments.successors <= 16, "keys for more than 16 successors are not prepared at once");
    let home = &arguments.act.which.home;
    let secret = password(arguments.key_password_file.as_ref(), "A password for the successors' keys: ")?;
    ensure!(!secret.is_empty(), "the keys' password must not be empty");
    std::fs::create_dir_all(home.successors()).wrap_err("cannot make the folder of successors' keys")?;
    let mut keys = Vec::new();
    for _ in 0..arguments.successors {
        let key = LocalKey::random()?;
        Keystore::store(&key_file(home, key.address()), &key, &secret, strength(&subject.chain))?;
        keys.push(key.address());
    }
    Ok(keys)
}

/// The lists a successor shall have: those its predecessor was born with.
fn inherited_lists(subject: &super::subject::Subject) -> Vec<Listing> {
    let Some((_, birth)) = &subject.local else { return Vec::new() };
    let payee = Uses::PAYEE_LLM.and(Uses::PAYEE_GAS).and(Uses::PAYEE_DATA).and(Uses::PAYEE_LEGACY);
    let mut listings = vec![Listing::pool(birth.pool), Listing::token(birth.deployment.weth, birth.pool)];
    listings.extend(birth.host.map(|host| Listing::payee(host, payee)));
    listings
}

async fn escrow(arguments: &EscrowArguments, adds: bool) -> Result<ExitCode> {
    let chain = arguments.chain.connect().await?;
    let desk = chain.desk(arguments.wallet.signer(&chain).await?)?;
    let quiet = arguments.json;
    let mut report = |progress| screen::desk_progress(progress, quiet);
    let receipt = if adds {
        desk.add_escrow(arguments.mandate, arguments.amount, &mut report).await?
    } else {
        desk.withdraw_escrow(arguments.mandate, arguments.amount, &mut report).await?
    };
    let escrow = desk.standing_of(arguments.mandate).await?.map(|standing| standing.escrow).unwrap_or_default();
    if arguments.json {
        println!(
            "{}",
            json!({ "mandate": arguments.mandate, "tx": receipt.tx, "block": receipt.block, "escrow_micros": escrow.micros() })
        );
    } else {
        println!("{escrow} is put aside for the mandate {}.\n  transaction {}", arguments.mandate, receipt.tx);
    }
    Ok(ExitCode::SUCCESS)
}
