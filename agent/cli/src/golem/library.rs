//! `bardo grave library`: the Library of Babel, what an owner keeps of the dead, as files under the home (I-240, I-244).
//!
//! `bundles/<chain>-<agent>.bardo` are whole death bundles, `entries/<id>.json` what is kept by itself, `named/<name>.json`
//! named bundles of such entries, `equipped/<id>.json` who was given what, `rules/<name>.json` rules that were bought,
//! `purchases.json` what was paid for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::provenance::MODEL;
use golem_inheritance::attribution::Attribution;
use golem_inheritance::clade::archive::{SeedOffer, seed_offers};
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::library::bundle::BATTLE_TESTED;
use golem_inheritance::library::equip::{Demotion, Outcome, Tier};
use golem_inheritance::library::inflow::{Channel, is_kept};
use golem_primitives::{AgentId, GolemId, LineageId};
use golem_runtime::{Kin, LegacyBundle};
use golem_view::{AsKept, DepositedPicture, Forgotten, LibraryDetail, LibraryLine, Picture as _};
use serde::{Deserialize, Serialize};

use super::bundle;
use super::home::{Home, write_whole};
use super::subject::confirm;
use crate::screen;

mod alike;
mod credit;
mod equip;
mod inflow;
mod market;
mod named;
mod publish;
mod purchases;
mod tend;

pub(crate) use equip::EquipArguments;
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

/// What `library list` takes.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    home: Home,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// What `library show` takes.
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

/// What `library deposit` takes.
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

/// What `library remove` takes.
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

/// An entry as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// I-242. By which way it came.
    pub(crate) channel: String,
    /// Who left it.
    pub(crate) golem: GolemId,
    /// Its identity on chain.
    pub(crate) agent: Option<AgentId>,
    /// Its line.
    pub(crate) lineage: LineageId,
    /// Its generation.
    pub(crate) generation: u32,
    /// I-241, I-246. The entry, worth what it was, with the mark of the dead.
    pub(crate) entry: GenomeEntry,
    /// G-104. What its seller says it is worth, which the gate of a Golem asks for; a Golem that takes it in believes three tenths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) claimed: Option<Confidence>,
    /// I-232, I-233. Who first learned it, and from whom it came here.
    pub(crate) attribution: Attribution,
    /// I-240, I-251. Golems that proved it beside those it was equipped to.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) proved_by: BTreeSet<GolemId>,
    /// I-243. Entries that said the same and were joined with it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) joined: BTreeSet<EntryId>,
}

impl Kept {
    /// I-240 to I-242, I-246. An entry as it comes in by a way: with its tag, worth what the way leaves of it.
    fn by(channel: Channel, birth: &Kin, golem: GolemId, entry: GenomeEntry) -> Self {
        let mut entry = GenomeEntry {
            source: channel.source(&entry.source),
            bequeathed: channel.confidence(entry.bequeathed),
            ..entry
        };
        entry.tags.insert(channel.tag().to_owned());
        let attribution = Attribution::held(&entry.source, golem, birth.generation);
        Self {
            channel: channel.name().to_owned(),
            golem,
            agent: birth.agent,
            lineage: birth.lineage,
            generation: birth.generation,
            entry,
            claimed: None,
            attribution,
            proved_by: BTreeSet::new(),
            joined: BTreeSet::new(),
        }
    }

    /// Whether a stranger sold it.
    fn is_bought(&self) -> bool {
        self.channel == Channel::MarketplacePurchase.name()
    }

    /// I-233. Whose it is at the gate. What a predecessor's model supposed comes in its name, since no stranger may bear a
    /// model's.
    fn sender(&self) -> GolemId {
        let origin = self.attribution.origin();
        if origin.as_str() == MODEL { self.golem } else { origin }
    }

    /// I-251. Whether five Golems proved it.
    fn is_battle_tested(&self) -> bool {
        self.entry.tags.contains(BATTLE_TESTED)
    }

    /// For a face.
    fn line(&self, failed: &BTreeSet<EntryId>) -> LibraryLine {
        LibraryLine {
            id: self.entry.id,
            worth: self.entry.bequeathed,
            kind: self.entry.body.kind().name(),
            generation: self.generation,
            left_by: self.agent.map_or_else(|| self.golem.to_string(), |agent| agent.to_string()),
            channel: self.channel.clone(),
            mark: mark(self, failed),
            says: self.entry.content.clone(),
            golem: self.golem,
            agent: self.agent,
            lineage: self.lineage,
            proved_by: self.proved_by.iter().copied().collect(),
            joined: self.joined.iter().copied().collect(),
            entry: AsKept::of(&self.entry),
        }
    }

    fn write(&self, home: &Home) -> Result<()> {
        write_whole(&entry_path(home, self.entry.id), &serde_json::to_vec_pretty(self)?)
    }
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
                let left = bundle::read(&folder.bundle())?;
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
                let path = entry_path(&arguments.home, arguments.entry);
                ensure!(
                    path.exists(),
                    "{} is not in the library; `bardo grave library list` shows what is",
                    arguments.entry
                );
                confirm(arguments.yes, &format!("{} is forgotten", arguments.entry))?;
                std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))?;
                let gone = Forgotten { name: arguments.entry.to_string(), forgotten: true };
                screen::done(arguments.json, &gone, &format!("{} is forgotten", arguments.entry));
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn entry_path(home: &Home, id: EntryId) -> PathBuf {
    home.library().join("entries").join(format!("{id}.json"))
}

/// Where a bundle of that Golem is kept.
pub(crate) fn bundle_path(home: &Home, chain: u64, agent: AgentId) -> PathBuf {
    home.library().join("bundles").join(format!("{chain}-{agent}.bardo"))
}

/// How a successor is raised from a bundle of the library.
pub(crate) fn raise_from(agent: AgentId) -> String {
    format!("bardo line successor {agent} --inherit-grimoire --capital 1000 --playbook ...")
}

/// I-116. The bundles of the library, the newest first: what can be begun with after everything else was lost. Files that
/// are no bundles are passed over; `bundle inspect` tells why.
pub(crate) fn offers(home: &Home) -> Vec<(SeedOffer, AgentId)> {
    let files = std::fs::read_dir(home.library().join("bundles")).into_iter().flatten().flatten();
    let (mut found, mut agents) = (Vec::new(), BTreeMap::new());
    for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|ext| ext == "bardo")) {
        let Ok(left) = bundle::read(&path) else { continue };
        let Some(agent) = left.kin.agent else { continue };
        let bundle = path.display().to_string();
        agents.insert(bundle.clone(), agent);
        let offer = SeedOffer { bundle, golem: left.golem, entries: left.bequest.entries.len() };
        found.push((offer, left.testament.written));
    }
    seed_offers(found).into_iter().map(|offer| (offer.clone(), agents[&offer.bundle])).collect()
}

/// I-116. What a person in a home without that Golem can begin with, in words; nothing where the library has no bundle.
pub(crate) fn offered(home: &Home) -> Option<String> {
    let offers = offers(home);
    let (newest, agent) = offers.first()?;
    let more = match offers.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more in {})", home.library().join("bundles").display()),
    };
    Some(format!(
        "the library holds {} entries of {}, agent {agent}{more}: `{}` raises its successor",
        newest.entries,
        newest.golem,
        raise_from(*agent)
    ))
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

fn all(home: &Home) -> Result<Vec<Kept>> {
    let dir = home.library().join("entries");
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut kept = Vec::new();
    for file in std::fs::read_dir(&dir).wrap_err_with(|| format!("cannot read {}", dir.display()))? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            kept.push(read(&path)?);
        }
    }
    kept.sort_by(|a: &Kept, b: &Kept| b.entry.bequeathed.cmp(&a.entry.bequeathed).then(a.entry.id.cmp(&b.entry.id)));
    Ok(kept)
}

fn read(path: &Path) -> Result<Kept> {
    let bytes = std::fs::read(path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&bytes).wrap_err_with(|| format!("{} is no entry of the library", path.display()))
}

fn list(arguments: &ListArguments) -> Result<ExitCode> {
    let mut kept = all(&arguments.home)?;
    let failed = demoted(&arguments.home, &kept)?;
    // I-245. What two Golems found wrong comes after the others.
    kept.sort_by_key(|one| failed.contains(&one.entry.id));
    let lines = kept.iter().map(|one| one.line(&failed)).collect();
    let empty = "The library is empty; it fills when a Golem dies, and by `bardo grave library export`.";
    screen::draw_all(arguments.json, "Library", &lines, empty);
    Ok(ExitCode::SUCCESS)
}

/// I-245, I-251. What five Golems proved, and what two found wrong.
fn mark(one: &Kept, failed: &BTreeSet<EntryId>) -> &'static str {
    match (failed.contains(&one.entry.id), one.is_battle_tested()) {
        (true, _) => "contradicted",
        (false, true) => BATTLE_TESTED,
        (false, false) => "",
    }
}

/// I-245. Entries that as many Golems contradicted as demote one.
fn demoted(home: &Home, kept: &[Kept]) -> Result<BTreeSet<EntryId>> {
    let mut failed = BTreeSet::new();
    for one in kept {
        let wrong = equip::outcomes(home, one.entry.id)?.into_values().filter(|how| *how == Outcome::Contradicted);
        if Demotion::of(u32::try_from(wrong.count()).unwrap_or(u32::MAX)).is_deprioritised {
            failed.insert(one.entry.id);
        }
    }
    Ok(failed)
}

fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let path = entry_path(&arguments.home, arguments.entry);
    ensure!(path.exists(), "{} is not in the library; `bardo grave library list` shows what is", arguments.entry);
    let (home, kept) = (&arguments.home, read(&path)?);
    let outcomes = equip::outcomes(home, arguments.entry)?;
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

/// I-245, I-253. How strongly an entry is suggested, by what became of it at the Golems that were given it. The one that
/// left it has proven it too.
fn tier(home: &Home, kept: &Kept, outcomes: &BTreeMap<String, Outcome>) -> Tier {
    let count = |wanted: Outcome| outcomes.values().filter(|one| **one == wanted).count();
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let validated = small(validators(home, kept, outcomes).len());
    Tier::of(kept.entry.body.kind(), validated, kept.entry.bequeathed, small(count(Outcome::Contradicted)))
}

/// I-251, I-253. Who proved an entry: the one that left it, those that had proved it when it came in, and those it was
/// equipped to and that confirmed it; each once. Of what was bought only the last: the others are its seller's word.
fn validators(home: &Home, kept: &Kept, outcomes: &BTreeMap<String, Outcome>) -> BTreeSet<GolemId> {
    let equipped = outcomes.iter().filter(|(_, how)| **how == Outcome::Validated);
    let equipped = equipped.filter_map(|(name, _)| Some(home.find(name).ok()?.birth().ok()?.golem()));
    let told = kept.proved_by.iter().copied().chain([kept.golem]).filter(|_| !kept.is_bought());
    equipped.chain(told).collect()
}
