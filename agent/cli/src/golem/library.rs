//! `bardo grave library`: the Library of Babel, what an owner keeps of the dead, as files under the home (I-240, I-244).
//!
//! `bundles/<chain>-<agent>.bardo` are whole death bundles, `entries/<id>.json` what is kept by itself, `named/<name>.json`
//! named bundles of such entries, `equipped/<id>.json` who was given what, `rules/<name>.json` rules that were bought,
//! `purchases.json` what was paid for.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail};
use golem_grimoire::id::EntryId;
use golem_inheritance::library::inflow::{Channel, is_kept};
use golem_primitives::AgentId;
use golem_runtime::LegacyBundle;
use golem_view::{DepositedPicture, Forgotten, LibraryDetail, Picture as _};

use super::bundle::layers;
use super::home::{Home, write_whole};
use super::list::ListArguments;
use super::subject::confirm;
use crate::screen;

mod alike;
mod credit;
mod equip;
mod equipped;
mod inflow;
mod kept;
mod market;
mod named;
pub(super) mod offers;
mod publish;
mod purchases;
mod tend;

use equip::EquipArguments;
use equipped::outcomes;
use kept::{Kept, all, demoted, entry_path, kept_path, read, tier, validators};

pub(crate) use publish::{Published, published};
pub(crate) use tend::{show as show_tended, tend};

/// What can be done with the library.
#[derive(Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    /// Show every entry that is kept, surest first.
    #[command(after_help = "Example: bardo grave library list --json")]
    List(ListArguments),
    /// Show one entry with where it comes from.
    #[command(after_help = "Example: bardo grave library show 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Show(ShowArguments),
    /// Keep what a dead Golem of this machine left. A death does it by itself; again it changes nothing.
    #[command(after_help = "Example: bardo grave library deposit ada")]
    Deposit(DepositArguments),
    /// Give entries of the library to a living Golem that is not running, as candidates.
    #[command(after_help = "Example: bardo grave library equip bea 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Equip(EquipArguments),
    /// Keep what a living Golem of this machine proved: active entries worth 0.5 or more. Again it changes nothing.
    #[command(
        after_help = "Example: bardo grave library export ada\nExample: bardo grave library export ada 0192f0c1-5b00-7abc-8def-0123456789ab --keep-near"
    )]
    Export(inflow::PullArguments),
    /// Keep more of a dead Golem of this machine than its death deposited, from its whole Grimoire.
    #[command(after_help = "Example: bardo grave library pull ada 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Pull(inflow::PullArguments),
    /// Put the library in order: take in what three Golems proved, join doubles, mark what five proved, tell what failed.
    /// A death does it by itself.
    #[command(after_help = "Example: bardo grave library tend --json")]
    Tend(tend::TendArguments),
    /// Named bundles: sets of entries for a purpose, to equip a Golem with at once.
    #[command(subcommand)]
    Bundle(named::NamedCommand),
    /// Put a named bundle up for sale on a Golem's stall, with what stands behind each thing in it.
    #[command(
        after_help = "Example: bardo grave library publish calm --on ada --price 0.25\nExample: bardo grave library publish calm --on ada --price 0.25 --rules-of ada"
    )]
    Publish(publish::PublishArguments),
    /// Take it off the stall again.
    #[command(after_help = "Example: bardo grave library withdraw calm --on ada")]
    Withdraw(publish::WithdrawArguments),
    /// Show what somebody's stall sells of a library, and the evidence of each thing; nothing is paid.
    #[command(after_help = "Example: bardo grave library market https://golem.example/ada")]
    Market(market::MarketArguments),
    /// Buy a set over x402 with your own wallet, and keep it as a stranger's. Again it pays nothing.
    #[command(
        after_help = "Example: bardo grave library buy https://golem.example/ada calm --at-most 0.25 --keystore owner.json"
    )]
    Buy(market::BuyArguments),
    /// Show the rules that were bought; `equip --rule NAME` has a Golem try one on paper.
    #[command(after_help = "Example: bardo grave library rules --json")]
    Rules(ListArguments),
    /// Show who first learned what is kept, and what became of it: credit, and the dead's for their line.
    #[command(after_help = "Example: bardo grave library credit --json")]
    Credit(ListArguments),
    /// Forget an entry.
    #[command(after_help = "Example: bardo grave library remove 0192f0c1-5b00-7abc-8def-0123456789ab --yes")]
    Remove(RemoveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The entry's id.
    entry: EntryId,
    #[command(flatten)]
    home: Home,
    /// The JSON file instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DepositArguments {
    /// The dead Golem: its name, agent id or vault.
    golem: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArguments {
    /// The entry's id.
    entry: EntryId,
    #[command(flatten)]
    home: Home,
    /// Do not ask again.
    #[arg(long)]
    yes: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl LibraryCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => list(&arguments),
            Self::Show(arguments) => show(&arguments),
            Self::Equip(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(Channel::LiveExport).await,
            Self::Pull(arguments) => arguments.run(Channel::ManualPull).await,
            Self::Tend(arguments) => arguments.run().await,
            Self::Bundle(command) => command.run(),
            Self::Publish(arguments) => arguments.run(),
            Self::Withdraw(arguments) => arguments.run(),
            Self::Market(arguments) => arguments.run().await,
            Self::Buy(arguments) => arguments.run().await,
            Self::Rules(arguments) => market::rules(&arguments),
            Self::Credit(arguments) => credit::show(&arguments),
            Self::Deposit(arguments) => {
                let folder = arguments.home.find(&arguments.golem)?;
                let left = layers::read(&folder.bundle())?;
                keep(&arguments.home, &left)?;
                let kept = left.bequest.entries.iter().filter(|entry| is_kept(&entry.body, entry.bequeathed)).count();
                let entries = left.bequest.entries.len();
                let words = format!("{kept} of {entries} entries of {} are kept", folder.name());
                let (golem, name) = (left.golem, folder.name().to_owned());
                screen::done(arguments.json, &DepositedPicture { golem, name, entries, kept }, &words);
                let tended = tend(&arguments.home).await?;
                if !arguments.json {
                    show_tended(&tended);
                }
                Ok(ExitCode::SUCCESS)
            }
            Self::Remove(arguments) => {
                let path = kept_path(&arguments.home, arguments.entry)?;
                confirm(arguments.yes, &format!("{} is forgotten", arguments.entry))?;
                std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))?;
                let gone = Forgotten { name: arguments.entry.to_string(), forgotten: true };
                Ok(screen::done(arguments.json, &gone, &format!("{} is forgotten", arguments.entry)))
            }
        }
    }
}

pub(crate) fn bundle_path(home: &Home, chain: u64, agent: AgentId) -> PathBuf {
    home.library().join("bundles").join(format!("{chain}-{agent}.bardo"))
}

/// I-240. Keeps a bundle, and by itself those of its entries that a death deposits. Keeping it again changes nothing; an
/// entry that is there already is replaced only by a later generation's, which has tested it since.
pub(crate) fn keep(home: &Home, left: &LegacyBundle) -> Result<PathBuf> {
    let Some(agent) = left.kin.agent else {
        bail!("{} was never born on a chain; there is nothing to keep it under", left.golem)
    };
    let path = bundle_path(home, left.kin.chain, agent);
    write_whole(&path, &left.to_bytes())?;
    for entry in left.bequest.entries.iter().filter(|entry| is_kept(&entry.body, entry.bequeathed)) {
        let to = entry_path(home, entry.id);
        let known = std::fs::read(&to).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        if known.is_some_and(|known| known.generation >= left.kin.generation && !known.is_bought()) {
            continue;
        }
        Kept::by(Channel::DeathDeposit, &left.kin, left.golem, entry.clone()).write(home)?;
    }
    Ok(path)
}

fn list(arguments: &ListArguments) -> Result<ExitCode> {
    let mut kept = all(&arguments.home)?;
    let failed = demoted(&arguments.home, &kept)?;
    // I-245. What two Golems found wrong comes after the others.
    kept.sort_by_key(|one| failed.contains(&one.entry.id));
    let lines = kept.iter().map(|one| one.line(&failed)).collect();
    let empty = "The library is empty; it fills when a Golem dies, and by `bardo grave library export`.";
    Ok(screen::draw_all(arguments.json, "Library", &lines, empty))
}

fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let home = &arguments.home;
    let kept = read(&kept_path(home, arguments.entry)?)?;
    let outcomes = outcomes(home, arguments.entry)?;
    let entry = &kept.entry;
    let detail = LibraryDetail {
        domain: entry.domain.name(),
        origin: kept.attribution.origin(),
        origin_generation: kept.attribution.origin_generation(),
        hop: kept.attribution.hop(),
        inheritances: entry.source.generation,
        equipped: outcomes.iter().map(|(golem, one)| (golem.clone(), one.name().to_owned())).collect(),
        tier: tier(home, &kept, &outcomes).name().to_owned(),
        validated_by: validators(home, &kept, &outcomes).len(),
        battle_tested: kept.is_battle_tested(),
        claims: entry.claim.as_ref().map(|claim| claim.key.to_string()),
    };
    let line = kept.line(&demoted(home, std::slice::from_ref(&kept))?);
    if arguments.json {
        screen::tell(&line.with(&detail));
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = line.known(&format!("Entry {}", entry.id));
    table.rows.extend(detail.rows());
    screen::show(&table);
    Ok(ExitCode::SUCCESS)
}
