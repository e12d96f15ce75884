//! `bardo golem library`: the Library of Babel, what an owner keeps of the dead, as files under the home (I-240, I-244).
//!
//! `bundles/<chain>-<agent>.bardo` are whole death bundles, `entries/<id>.json` what of them is kept by itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_grimoire::id::EntryId;
use golem_inheritance::clade::archive::{SeedOffer, seed_offers};
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::library::equip::{Outcome, Tier};
use golem_inheritance::library::inflow::{Channel, is_kept};
use golem_primitives::{AgentId, GolemId, LineageId};
use golem_runtime::LegacyBundle;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sole::write_whole;
use super::subject::confirm;
use super::{Home, bundle};
use crate::screen;

mod equip;

pub(crate) use equip::EquipArguments;

/// What can be done with the library.
#[derive(Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    /// Show every entry that is kept, surest first.
    #[command(after_help = "Example: bardo golem library list --json")]
    List(ListArguments),
    /// Show one entry with where it comes from.
    #[command(after_help = "Example: bardo golem library show 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Show(ShowArguments),
    /// Keep what a dead Golem of this machine left. A death does it by itself; again it changes nothing.
    #[command(after_help = "Example: bardo golem library deposit ada")]
    Deposit(DepositArguments),
    /// Give entries of the library to a living Golem that is not running, as candidates.
    #[command(after_help = "Example: bardo golem library equip bea 0192f0c1-5b00-7abc-8def-0123456789ab")]
    Equip(EquipArguments),
    /// Forget an entry.
    #[command(after_help = "Example: bardo golem library remove 0192f0c1-5b00-7abc-8def-0123456789ab --yes")]
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
}

impl LibraryCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => list(&arguments),
            Self::Show(arguments) => show(&arguments),
            Self::Equip(arguments) => arguments.run(),
            Self::Deposit(arguments) => {
                let folder = arguments.home.find(&arguments.golem)?;
                let left = bundle::read(&folder.bundle())?;
                keep(&arguments.home, &left)?;
                let kept = left.bequest.entries.iter().filter(|entry| is_kept(&entry.body, entry.bequeathed)).count();
                let entries = left.bequest.entries.len();
                if arguments.json {
                    println!(
                        "{}",
                        json!({ "golem": left.golem, "name": folder.name(), "entries": entries, "kept": kept })
                    );
                } else {
                    println!("{kept} of {entries} entries of {} are kept", folder.name());
                }
                Ok(ExitCode::SUCCESS)
            }
            Self::Remove(arguments) => {
                let path = entry_path(&arguments.home, arguments.entry);
                ensure!(
                    path.exists(),
                    "{} is not in the library; `bardo golem library list` shows what is",
                    arguments.entry
                );
                confirm(arguments.yes, &format!("{} is forgotten", arguments.entry))?;
                std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))?;
                if arguments.json {
                    println!("{}", json!({ "entry": arguments.entry, "forgotten": true }));
                } else {
                    println!("{} is forgotten", arguments.entry);
                }
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
    format!("bardo golem successor {agent} --inherit-grimoire --capital 1000 --strategy ...")
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
        if known.is_some_and(|known| known.generation >= left.kin.generation) {
            continue;
        }
        let channel = Channel::DeathDeposit;
        let kept = Kept {
            channel: channel.name().to_owned(),
            golem: left.golem,
            agent: Some(agent),
            lineage: left.kin.lineage,
            generation: left.kin.generation,
            entry: GenomeEntry { source: channel.source(&entry.source), ..entry.clone() },
        };
        write_whole(&to, &serde_json::to_vec_pretty(&kept)?)?;
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
    let kept = all(&arguments.home)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&kept)?);
        return Ok(ExitCode::SUCCESS);
    }
    if kept.is_empty() {
        println!("The library is empty; it fills when a Golem dies.");
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["entry", "worth", "type", "generation", "from", "says"].map(str::to_owned).to_vec()];
    rows.extend(kept.iter().map(|one| {
        vec![
            one.entry.id.to_string(),
            one.entry.bequeathed.to_string(),
            one.entry.body.kind().to_string(),
            one.generation.to_string(),
            one.agent.map_or_else(|| one.golem.to_string(), |agent| agent.to_string()),
            screen::harmless(&one.entry.content),
        ]
    }));
    screen::table("Library", &rows);
    Ok(ExitCode::SUCCESS)
}

fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let path = entry_path(&arguments.home, arguments.entry);
    ensure!(path.exists(), "{} is not in the library; `bardo golem library list` shows what is", arguments.entry);
    let kept = read(&path)?;
    let outcomes = equip::outcomes(&arguments.home, arguments.entry)?;
    if arguments.json {
        let became: BTreeMap<&String, &str> = outcomes.iter().map(|(golem, one)| (golem, one.name())).collect();
        let mut picture = json!(kept);
        (picture["equipped"], picture["tier"]) = (json!(became), json!(tier(&kept, &outcomes).name()));
        println!("{}", serde_json::to_string_pretty(&picture)?);
        return Ok(ExitCode::SUCCESS);
    }
    let entry = &kept.entry;
    let rows = vec![
        vec!["says".to_owned(), screen::harmless(&entry.content)],
        vec!["type, domain".to_owned(), format!("{}, {}", entry.body.kind(), entry.domain)],
        vec!["worth when left".to_owned(), entry.bequeathed.to_string()],
        vec!["first learnt by".to_owned(), entry.source.origin.to_string()],
        vec!["inheritances survived".to_owned(), entry.source.generation.to_string()],
        vec![
            "left by".to_owned(),
            format!("{} of lineage {}, generation {}", kept.golem, kept.lineage, kept.generation),
        ],
        vec!["came by".to_owned(), kept.channel.clone()],
        vec!["equipped with".to_owned(), told(&outcomes)],
        vec!["suggested as".to_owned(), tier(&kept, &outcomes).to_string()],
        vec![
            "claims".to_owned(),
            entry.claim.as_ref().map_or_else(|| "nothing countable".to_owned(), |claim| claim.key.to_string()),
        ],
    ];
    screen::table(&format!("Entry {}", entry.id), &rows);
    Ok(ExitCode::SUCCESS)
}

/// I-245, I-253. How strongly an entry is suggested, by what became of it at the Golems that were given it. The one that
/// left it has proven it too.
fn tier(kept: &Kept, outcomes: &BTreeMap<String, Outcome>) -> Tier {
    let count = |wanted: Outcome| outcomes.values().filter(|one| **one == wanted).count();
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let validated = small(1 + count(Outcome::Validated));
    Tier::of(kept.entry.body.kind(), validated, kept.entry.bequeathed, small(count(Outcome::Contradicted)))
}

fn told(outcomes: &BTreeMap<String, Outcome>) -> String {
    if outcomes.is_empty() {
        return "nobody yet".to_owned();
    }
    outcomes.iter().map(|(golem, one)| format!("{golem}: {one}")).collect::<Vec<_>>().join(", ")
}
