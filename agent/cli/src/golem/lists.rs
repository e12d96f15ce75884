//! Whom a Golem may pay and where it may trade: `payees`, `pools`.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail, ensure};
use golem_chain::lineage::Chronicle;
use golem_chain::{Listing, PoolReport, Uses};
use golem_primitives::Address;
use golem_view::{ListedPicture, PayeeLine, PoolLine, PoolListed, PoolPicture, Seconds};

use super::subject::{Act, Which};
use crate::screen;

const PAYEE: Uses = Uses(15);
const PARTITIONS: [(&str, Uses); 4] =
    [("llm", Uses::PAYEE_LLM), ("gas", Uses::PAYEE_GAS), ("data", Uses::PAYEE_DATA), ("legacy", Uses::PAYEE_LEGACY)];

/// What `payees` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum PayeesCommand {
    /// Show whom it may pay, and from which partitions.
    #[command(after_help = "Example: bardo owner payees list ada")]
    List(ListArguments),
    /// Let it pay somebody.
    #[command(
        after_help = "Example: bardo owner payees add ada 0x71C7656EC7ab88b098defB751B7401B5f6d8976F --from llm,data"
    )]
    Add(AddPayeeArguments),
    /// Let it pay somebody no longer.
    #[command(after_help = "Example: bardo owner payees remove ada 0x71C7656EC7ab88b098defB751B7401B5f6d8976F")]
    Remove(SubjectArguments),
}

/// What `pools` takes.
#[derive(Debug, Subcommand)]
pub(crate) enum PoolsCommand {
    /// Show where it may trade and what it may hold: how deep each pool is, how far it remembers, and what its vault would
    /// refuse it for.
    #[command(after_help = "Example: bardo owner pools list ada")]
    List(ListArguments),
    /// Let it trade in a pool, and hold a token that this pool prices. A pool that its vault would refuse is not listed:
    /// one that is too shallow, or forgets too soon.
    #[command(
        after_help = "Example: bardo owner pools add ada 0x... --token 0x...\n\nA longer memory: cast send POOL \"increaseObservationCardinalityNext(uint16)\" 901"
    )]
    Add(AddPoolArguments),
    /// Let it trade in a pool no longer. Also exits through it are refused then; liquidity can still be withdrawn.
    #[command(after_help = "Example: bardo owner pools remove ada 0x...")]
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
    /// List it although the vault would refuse to trade there.
    #[arg(long)]
    anyway: bool,
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
            Self::List(arguments) => payees(&arguments).await,
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
            Self::List(arguments) => pools(&arguments).await,
            Self::Add(arguments) => {
                let acting = arguments.act.open().await?;
                let policy = acting.desk.policy(acting.vault()).await?;
                let report = acting.desk.preflight(arguments.subject, arguments.token, &policy).await?;
                judge(&report, arguments.anyway)?;
                let mut pool = acting.desk.listing_of(acting.vault(), arguments.subject).await?;
                pool.uses = pool.uses.and(Uses::POOL);
                let mut lines = vec![pool];
                lines.extend(arguments.token.map(|token| Listing::token(token, arguments.subject)));
                let receipt = acting.desk.set_listings(acting.vault(), &lines, &mut acting.report()).await?;
                let words = format!("{} may trade in {}.", acting.subject.name, arguments.subject);
                let about = PoolListed { pool: arguments.subject, token: arguments.token, report: told(&report) };
                acting.done(&receipt, &words, &about);
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
    acting.done(&receipt, &told, &ListedPicture { subject, uses: after.uses.0 });
    Ok(ExitCode::SUCCESS)
}

/// V-011. Refuses a pool in which its vault would not trade, unless its owner insists; what is wrong is told either way.
fn judge(report: &PoolReport, anyway: bool) -> Result<()> {
    let remedy = report.remedy().unwrap_or_default();
    match &report.refusal {
        Some(refusal) if !anyway && !report.is_fit() => bail!(
            "the vault would refuse {}: {refusal}; {remedy}. Nothing was changed; --anyway lists it all the same",
            report.pool
        ),
        Some(refusal) => eprintln!("{}: {refusal}; {remedy}", report.pool),
        None if !remedy.is_empty() => eprintln!("{}: {remedy}", report.pool),
        None => {}
    }
    Ok(())
}

/// What a pool is worth, for a face.
fn told(report: &PoolReport) -> PoolPicture {
    PoolPicture {
        token: report.token,
        refusal: report.refusal.clone(),
        remedy: report.remedy(),
        depth: report.depth,
        least_depth: report.least_depth,
        covered: Seconds(report.covered_seconds),
        window: Seconds(report.window.into()),
        observations: report.observations,
        observations_next: report.observations_next,
        wanted_observations: report.wanted_observations(),
        forgets: report.can_be_made_to_forget(),
    }
}

/// One line of a list: whom or what, for which uses, and the pool that prices it.
type Line = (Address, (u8, Address));

async fn lines(subject: &super::Subject, any_of: Uses) -> Result<Vec<Line>> {
    let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
    let listed = chronicle.golem(subject.agent).map(|golem| golem.till.listed.clone()).unwrap_or_default();
    Ok(listed.into_iter().filter(|(_, (uses, _))| uses & any_of.0 != 0).collect())
}

/// What is said of an empty list.
const NOBODY: &str = "Nobody and nothing.";

async fn payees(arguments: &ListArguments) -> Result<ExitCode> {
    let lines = lines(&arguments.which.find().await?, PAYEE).await?;
    let payee = |(subject, (uses, _)): &Line| PayeeLine { subject: *subject, uses: *uses, r#for: words(Uses(*uses)) };
    screen::draw_all(arguments.json, "May be paid", &lines.iter().map(payee).collect(), NOBODY);
    Ok(ExitCode::SUCCESS)
}

/// V-011. Each pool with what it is worth as the source of a price.
async fn pools(arguments: &ListArguments) -> Result<ExitCode> {
    let subject = arguments.which.find().await?;
    let lines = lines(&subject, Uses::POOL.and(Uses::TOKEN)).await?;
    let desk = subject.chain.onlooker()?;
    let policy = desk.policy(subject.vault).await?;
    let mut pictures = Vec::new();
    for (address, (uses, priced_by)) in &lines {
        let mut report = None;
        if Uses(*uses).has(Uses::POOL) {
            let priced = lines.iter().find(|(_, (_, priced_by))| priced_by == address).map(|(token, _)| *token);
            report = Some(told(&desk.preflight(*address, priced, &policy).await?));
        }
        pictures.push(PoolLine {
            subject: *address,
            uses: *uses,
            r#for: words(Uses(*uses)),
            priced_by: Some(*priced_by).filter(|pool| !pool.is_zero()),
            report,
        });
    }
    screen::draw_all(arguments.json, "Pools and tokens", &pictures, NOBODY);
    for PoolLine { subject, report, .. } in pictures.iter().filter(|_| !arguments.json) {
        let Some(PoolPicture { refusal, remedy, .. }) = report else { continue };
        if refusal.is_some() || remedy.is_some() {
            let wrong = [refusal, remedy].into_iter().flatten().cloned().collect::<Vec<_>>().join("; ");
            println!("\n{subject}: {wrong}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn words(uses: Uses) -> String {
    let known = PARTITIONS.into_iter().chain([("pool", Uses::POOL), ("token", Uses::TOKEN)]);
    let names: Vec<&str> = known.filter(|(_, bit)| uses.has(*bit)).map(|(name, _)| name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
