//! Whom a Golem may pay and where it may trade: `payees`, `pools`.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, ensure};
use golem_chain::lineage::Chronicle;
use golem_chain::{Listing, Uses};
use golem_primitives::Address;
use serde_json::json;

use super::subject::{Act, Which};
use crate::screen;

const PAYEE: Uses = Uses(15);
const PARTITIONS: [(&str, Uses); 4] =
    [("llm", Uses::PAYEE_LLM), ("gas", Uses::PAYEE_GAS), ("data", Uses::PAYEE_DATA), ("legacy", Uses::PAYEE_LEGACY)];

/// What `payees` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum PayeesCommand {
    /// Show whom it may pay, and from which partitions.
    #[command(after_help = "Example: bardo golem payees list ada")]
    List(ListArguments),
    /// Let it pay somebody.
    #[command(
        after_help = "Example: bardo golem payees add ada 0x71C7656EC7ab88b098defB751B7401B5f6d8976F --from llm,data"
    )]
    Add(AddPayeeArguments),
    /// Let it pay somebody no longer.
    #[command(after_help = "Example: bardo golem payees remove ada 0x71C7656EC7ab88b098defB751B7401B5f6d8976F")]
    Remove(SubjectArguments),
}

/// What `pools` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum PoolsCommand {
    /// Show where it may trade and what it may hold.
    #[command(after_help = "Example: bardo golem pools list ada")]
    List(ListArguments),
    /// Let it trade in a pool, and hold a token that this pool prices.
    #[command(after_help = "Example: bardo golem pools add ada 0x... --token 0x...")]
    Add(AddPoolArguments),
    /// Let it trade in a pool no longer. Also exits through it are refused then; liquidity can still be withdrawn.
    #[command(after_help = "Example: bardo golem pools remove ada 0x...")]
    Remove(SubjectArguments),
}

/// What the lists take to be shown.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    which: Which,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// What `payees add` takes.
#[derive(Debug, Args)]
pub(crate) struct AddPayeeArguments {
    #[command(flatten)]
    act: Act,
    /// The payee.
    #[arg(value_name = "ADDRESS")]
    subject: Address,
    /// From which partitions.
    #[arg(long = "from", value_delimiter = ',', default_value = "llm,gas,data,legacy", value_parser = ["llm", "gas", "data", "legacy"])]
    partitions: Vec<String>,
}

/// What `pools add` takes.
#[derive(Debug, Args)]
pub(crate) struct AddPoolArguments {
    #[command(flatten)]
    act: Act,
    /// The pool.
    #[arg(value_name = "ADDRESS")]
    subject: Address,
    /// A token it may hold, priced by this pool of it and USDC.
    #[arg(long, value_name = "ADDRESS")]
    token: Option<Address>,
}

/// What taking off a list takes.
#[derive(Debug, Args)]
pub(crate) struct SubjectArguments {
    #[command(flatten)]
    act: Act,
    /// Which.
    #[arg(value_name = "ADDRESS")]
    subject: Address,
}

impl PayeesCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => list(&arguments, PAYEE, "May be paid").await,
            Self::Add(arguments) => {
                let uses = PARTITIONS
                    .iter()
                    .filter(|(name, _)| arguments.partitions.iter().any(|wanted| wanted == name))
                    .fold(Uses::NONE, |sum, (_, uses)| sum.and(*uses));
                change(&arguments.act, arguments.subject, |listing| {
                    listing.uses = Uses(listing.uses.0 & !PAYEE.0).and(uses)
                })
                .await
            }
            Self::Remove(arguments) => take_off(&arguments, PAYEE).await,
        }
    }
}

impl PoolsCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => list(&arguments, Uses::POOL.and(Uses::TOKEN), "Pools and tokens").await,
            Self::Add(arguments) => {
                let acting = arguments.act.open().await?;
                let mut pool = acting.desk.listing_of(acting.vault(), arguments.subject).await?;
                pool.uses = pool.uses.and(Uses::POOL);
                let mut lines = vec![pool];
                lines.extend(arguments.token.map(|token| Listing::token(token, arguments.subject)));
                let receipt = acting.desk.set_listings(acting.vault(), &lines, &mut acting.report()).await?;
                let words = format!("{} may trade in {}.", acting.subject.name, arguments.subject);
                acting.done(&receipt, &words, json!({ "pool": arguments.subject, "token": arguments.token }));
                Ok(ExitCode::SUCCESS)
            }
            Self::Remove(arguments) => take_off(&arguments, Uses::POOL).await,
        }
    }
}

async fn take_off(arguments: &SubjectArguments, uses: Uses) -> Result<ExitCode> {
    change(&arguments.act, arguments.subject, |listing| listing.uses = Uses(listing.uses.0 & !uses.0)).await
}

/// Changes what one subject is listed for; what it is listed for besides stays.
async fn change(act: &Act, subject: Address, change: impl FnOnce(&mut Listing)) -> Result<ExitCode> {
    let acting = act.open().await?;
    let before = acting.desk.listing_of(acting.vault(), subject).await?;
    let mut after = before;
    change(&mut after);
    ensure!(after != before, "{subject} is listed like that already, for {}", words(before.uses));
    let receipt = acting.desk.set_listings(acting.vault(), &[after], &mut acting.report()).await?;
    let told = format!("{subject} is listed with {} for {}.", acting.subject.name, words(after.uses));
    acting.done(&receipt, &told, json!({ "subject": subject, "uses": after.uses.0 }));
    Ok(ExitCode::SUCCESS)
}

async fn list(arguments: &ListArguments, any_of: Uses, heading: &str) -> Result<ExitCode> {
    let subject = arguments.which.find().await?;
    let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
    let listed = chronicle.golem(subject.agent).map(|golem| golem.till.listed.clone()).unwrap_or_default();
    let lines: Vec<_> = listed.into_iter().filter(|(_, (uses, _))| uses & any_of.0 != 0).collect();
    if arguments.json {
        let lines: Vec<_> = lines
            .iter()
            .map(|(subject, (uses, priced_by))| json!({ "subject": subject, "uses": uses, "for": words(Uses(*uses)), "priced_by": Some(priced_by).filter(|pool| !pool.is_zero()) }))
            .collect();
        println!("{}", serde_json::to_string_pretty(&lines)?);
        return Ok(ExitCode::SUCCESS);
    }
    let rows: Vec<_> = lines.iter().map(|(subject, (uses, _))| vec![subject.to_string(), words(Uses(*uses))]).collect();
    screen::table(heading, &rows);
    if rows.is_empty() {
        println!("  nobody and nothing");
    }
    Ok(ExitCode::SUCCESS)
}

fn words(uses: Uses) -> String {
    let known = PARTITIONS.into_iter().chain([("pool", Uses::POOL), ("token", Uses::TOKEN)]);
    let names: Vec<&str> = known.filter(|(_, bit)| uses.has(*bit)).map(|(name, _)| name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
