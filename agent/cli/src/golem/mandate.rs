//! What shall be born when a Golem dies, and the USDC put aside for it: `mandate`.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail};
use golem_chain::{Listing, MandatePlan, Uses};
use golem_primitives::{Address, B256, LineageId, U256, Usdc};
use serde_json::json;

use super::rules::parse_span;
use super::subject::Act;
use super::{ChainChoice, Wallet};
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
    /// Any number, to tell two equal mandates apart.
    #[arg(long, default_value = "0")]
    nonce: U256,
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
    let plan = MandatePlan {
        lineage: LineageId(lineage.saturating_to()),
        budget: arguments.budget,
        successors: arguments.successors,
        expiry: acting.now().await?.plus(arguments.span),
        executor: arguments.executor,
        policy: None,
        listings: inherited_lists(&acting.subject),
        guardian: arguments.guardian,
        keys: arguments.keys.clone(),
        nonce: arguments.nonce,
    };
    let committed = acting.desk.commit_mandate(&plan, arguments.escrow, &mut acting.report()).await?;
    let terms = json!({
        "mandate": committed.mandate,
        "lineage": plan.lineage.to_string(),
        "budget_micros": plan.budget.micros(),
        "successors": plan.successors,
        "expiry": plan.expiry.to_string(),
        "executor": plan.executor,
        "listings": plan.listings,
        "guardian": plan.guardian,
        "keys": plan.keys,
        "nonce": plan.nonce.to_string(),
        "escrow_micros": arguments.escrow.micros(),
    });
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
