//! What shall be born when a Golem dies, and the USDC put aside for it: `mandate`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{Keystore, Listing, LocalKey, MandatePlan};
use golem_primitives::{Address, B256, LineageId, U256, Usdc};
use golem_view::{EscrowPicture, MandatePicture};

use super::birth::{listings, strength};
use super::connect::{ChainChoice, Wallet, key_password};
use super::home::Home;
use super::rules::parse_span;
use super::subject::{Act, Acting, Subject, report};
use crate::screen;

mod terms;

pub(crate) use terms::{ListArguments, Terms, find};
use terms::{TermsFile, Wish};

#[derive(Debug, Subcommand)]
pub(crate) enum MandateCommand {
    /// Show where a mandate stands.
    #[command(after_help = "Example: bardo line mandate show 0x6fd3...")]
    Show(ShowArguments),
    /// Commit to successors of a Golem's lineage, and put USDC aside for them. They are born with credits alone; capital
    /// to trade with comes from you: bardo golem fund NAME --amount 1000 --capital.
    #[command(
        after_help = "Example: bardo line mandate commit ada --budget 50 --successors 2 --for 90d --executor 0x... --escrow 100"
    )]
    Commit(CommitArguments),
    /// Put more aside.
    #[command(after_help = "Example: bardo line mandate add 0x6fd3... --amount 50")]
    Add(EscrowArguments),
    /// Show every mandate whose terms are on this machine.
    #[command(after_help = "Example: bardo line mandate list --json")]
    List(ListArguments),
    /// Take what was put aside back; without it no successor is born.
    #[command(after_help = "Example: bardo line mandate withdraw 0x6fd3... --amount 50")]
    Withdraw(EscrowArguments),
}

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

/// Where a successor's key waits for its birth.
pub(crate) fn key_file(home: &Home, key: Address) -> PathBuf {
    home.successors().join(format!("{key}.json"))
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
            Self::List(arguments) => terms::list(&arguments).await,
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
    let picture = MandatePicture {
        mandate: arguments.mandate,
        committer: standing.committer,
        escrow: standing.escrow,
        born: standing.born,
        last_birth: standing.last_birth,
    };
    Ok(screen::draw(arguments.json, &format!("Mandate {}", arguments.mandate), &picture))
}

async fn commit(arguments: &CommitArguments) -> Result<ExitCode> {
    let acting = arguments.act.open().await?;
    let lineage = acting.desk.golem(acting.subject.agent).await?.lineage;
    let (home, local) = (&arguments.act.which.home, acting.subject.local.as_ref().map(|(folder, _)| folder));
    // One that was written and never seen to land is gone on with: a second one would put a second escrow aside.
    let wish = Wish {
        lineage: lineage.saturating_to(),
        budget: arguments.budget,
        successors: arguments.successors,
        executor: arguments.executor,
        nonce: arguments.nonce,
    };
    let begun = terms::unfinished(home, local, &wish)?;
    let plan = match begun {
        Some(plan) => plan,
        None => new_plan(arguments, &acting, lineage.saturating_to()).await?,
    };
    let id = acting.desk.mandate_id(&plan).await?;
    let file = TermsFile::of(id, &plan, arguments.escrow);
    // The chain holds only a hash of the terms, and money follows them: they are on disk before it moves.
    let path = file.keep(home, local)?;
    let words = format!("The mandate {id} stands until {}; its terms are in {}.", plan.expiry, path.display());
    let told = file.picture();
    if acting.desk.standing_of(id).await?.is_some() {
        file.standing().keep(home, local)?;
        eprintln!("it was made already, by an earlier try");
        return Ok(acting.told(None, &words, &told));
    }
    let committed = acting.desk.commit_mandate(&plan, arguments.escrow, &mut acting.report()).await?;
    ensure!(committed.mandate == id, "the chain names it {}, and {id} was expected", committed.mandate);
    file.standing().keep(home, local)?;
    Ok(acting.done(&committed.receipt, &words, &told))
}

/// The terms that are wanted, from now on.
async fn new_plan(arguments: &CommitArguments, acting: &Acting, lineage: u64) -> Result<MandatePlan> {
    let keys = if arguments.prepare_keys { prepare_keys(arguments, &acting.subject)? } else { arguments.keys.clone() };
    Ok(MandatePlan {
        lineage: LineageId(lineage),
        budget: arguments.budget,
        successors: arguments.successors,
        expiry: acting.now().await?.plus(arguments.span),
        executor: arguments.executor,
        policy: None,
        listings: inherited_lists(&acting.subject)?,
        guardian: arguments.guardian,
        keys,
        nonce: arguments.nonce,
    })
}

/// Draws and seals a key for each successor; the mandate names their addresses in order of birth.
fn prepare_keys(arguments: &CommitArguments, subject: &Subject) -> Result<Vec<Address>> {
    ensure!(arguments.successors <= 16, "keys for more than 16 successors are not prepared at once");
    let home = &arguments.act.which.home;
    let file = arguments.key_password_file.as_ref();
    let secret = key_password(&key_file(home, Address::ZERO), file, "A password for the successors' keys: ")?;
    std::fs::create_dir_all(home.successors()).wrap_err("cannot make the folder of successors' keys")?;
    let mut keys = Vec::new();
    for _ in 0..arguments.successors {
        let key = LocalKey::random()?;
        Keystore::store(&key_file(home, key.address()), &key, &secret, strength(&subject.chain))?;
        keys.push(key.address());
    }
    Ok(keys)
}

/// The lists a successor shall have: the host its predecessor was born with, and the pools it stayed in.
fn inherited_lists(subject: &Subject) -> Result<Vec<Listing>> {
    let Some((folder, birth)) = &subject.local else { return Ok(Vec::new()) };
    Ok(listings(birth.pool, &folder.pools(birth)?, birth.host, &birth.deployment))
}

async fn escrow(arguments: &EscrowArguments, adds: bool) -> Result<ExitCode> {
    let chain = arguments.chain.connect().await?;
    let desk = chain.desk(arguments.wallet.signer(&chain).await?)?;
    let mut report = report(arguments.json);
    let receipt = if adds {
        desk.add_escrow(arguments.mandate, arguments.amount, &mut report).await?
    } else {
        desk.withdraw_escrow(arguments.mandate, arguments.amount, &mut report).await?
    };
    let escrow = desk.standing_of(arguments.mandate).await?.map(|standing| standing.escrow).unwrap_or_default();
    let EscrowArguments { mandate, .. } = *arguments;
    let words = format!("{escrow} is put aside for the mandate {mandate}.\n  transaction {}", receipt.tx);
    Ok(screen::done(arguments.json, &EscrowPicture { mandate, tx: receipt.tx, block: receipt.block, escrow }, &words))
}
