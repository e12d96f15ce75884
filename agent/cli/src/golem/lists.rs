//! Whom a Golem may pay: `payees`; and what a vault's lists say, for whoever changes them.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, ensure};
use golem_chain::lineage::Chronicle;
use golem_chain::{Listing, Uses};
use golem_primitives::Address;
use golem_view::{ListedPicture, PayeeLine};

use super::subject::{Act, Subject, Which};
use crate::screen;

/// Whoever may be paid from every partition.
pub(super) const PAYEE: Uses = Uses(15);
const PARTITIONS: [(&str, Uses); 4] =
    [("llm", Uses::PAYEE_LLM), ("gas", Uses::PAYEE_GAS), ("data", Uses::PAYEE_DATA), ("legacy", Uses::PAYEE_LEGACY)];
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

/// What the lists take to be shown.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(super) which: Which,
    /// A JSON array instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}

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
                change(&arguments.act, arguments.subject, uses).await
            }
            Self::Remove(arguments) => change(&arguments.act, arguments.subject, Uses::NONE).await,
        }
    }
}

/// Changes what one subject is paid from; what it is listed for besides stays.
async fn change(act: &Act, subject: Address, partitions: Uses) -> Result<ExitCode> {
    let acting = act.open().await?;
    let before = acting.desk.listing_of(acting.vault(), subject).await?;
    let after = Listing { uses: Uses(before.uses.0 & !PAYEE.0).and(partitions), ..before };
    ensure!(after != before, "{subject} is listed like that already, for {}", words(before.uses));
    let receipt = acting.desk.set_listings(acting.vault(), &[after], &mut acting.report()).await?;
    let told = format!("{subject} is listed with {} for {}.", acting.subject.name, words(after.uses));
    Ok(acting.done(&receipt, &told, &ListedPicture { subject, uses: after.uses.0 }))
}

/// One line of a list: whom or what, for which uses, and the pool that prices it.
type Line = (Address, (u8, Address));

pub(super) async fn lines(subject: &Subject, any_of: Uses) -> Result<Vec<Line>> {
    let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
    let listed = chronicle.golem(subject.agent).map(|golem| golem.till.listed.clone()).unwrap_or_default();
    Ok(listed.into_iter().filter(|(_, (uses, _))| uses & any_of.0 != 0).collect())
}

/// What is said of an empty list.
pub(super) const NOBODY: &str = "Nobody and nothing.";

async fn payees(arguments: &ListArguments) -> Result<ExitCode> {
    let lines = lines(&arguments.which.find().await?, PAYEE).await?;
    let payee = |(subject, (uses, _)): &Line| PayeeLine { subject: *subject, uses: *uses, r#for: words(Uses(*uses)) };
    Ok(screen::draw_all(arguments.json, "May be paid", &lines.iter().map(payee).collect(), NOBODY))
}

pub(super) fn words(uses: Uses) -> String {
    let known = PARTITIONS.into_iter().chain([("pool", Uses::POOL), ("token", Uses::TOKEN)]);
    let names: Vec<&str> = known.filter(|(_, bit)| uses.has(*bit)).map(|(name, _)| name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
