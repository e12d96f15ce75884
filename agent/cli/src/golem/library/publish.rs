//! `bardo grave library publish` and `withdraw`: a set of the library on a Golem's stall, with what stands behind each thing
//! in it (I-230, I-240, I-249, I-250).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_core::kinship::{shown_by, strong_rules};
use golem_core::life::Life;
use golem_core::record::{BOUGHT, RuleShown};
use golem_grimoire::provenance::Source;
use golem_inheritance::attribution::Attribution;
use golem_inheritance::library::sale::{KnowledgeSet, MOST_BYTES, MOST_RULES, RuleEvidence, SoldEntry, SoldRule};
use golem_primitives::{B256, GolemId, Usdc, keccak256};
use golem_view::PublishedPicture;
use serde::{Deserialize, Serialize};

use super::kept::{Kept, demoted, entry_path, read, validators};
use super::{equipped, named};
use crate::golem::home::{Folder, Home, write_whole};
use crate::golem::look;
use crate::screen;

/// Sets on one stall.
pub(crate) const MOST_SETS: usize = 32;
#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    /// A named bundle of the library.
    bundle: String,
    /// The living Golem on whose stall it is sold; what it brings goes into its vault.
    #[arg(long, value_name = "GOLEM")]
    on: String,
    /// What it costs, in USDC.
    #[arg(long, value_name = "USDC")]
    price: Usdc,
    /// Also the rules that this Golem has shown to pay; may be given several times.
    #[arg(long, value_name = "GOLEM")]
    rules_of: Vec<String>,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WithdrawArguments {
    /// What was published.
    bundle: String,
    /// The Golem on whose stall it is sold.
    #[arg(long, value_name = "GOLEM")]
    on: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// A set on a stall: the bytes that are handed out, and what they cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub(crate) price_usdc_micros: u64,
    /// The set, byte for byte as its hash names it.
    pub(crate) set: String,
}

impl Published {
    pub(crate) fn price(&self) -> Usdc {
        Usdc::from_micros(self.price_usdc_micros)
    }

    pub(crate) fn hash(&self) -> B256 {
        keccak256(self.set.as_bytes())
    }

    /// The set, if it is one that a buyer would take in.
    pub(crate) fn read(&self) -> Result<KnowledgeSet> {
        let set: KnowledgeSet = serde_json::from_str(&self.set).wrap_err("it is no set")?;
        set.check()?;
        Ok(set)
    }

    /// Every set on a Golem's stall. What cannot be read is told and passed over: the others are sold all the same.
    pub(crate) fn all(folder: &Folder) -> Vec<Self> {
        let files = std::fs::read_dir(published(folder)).into_iter().flatten().flatten().map(|file| file.path());
        let mut paths: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ext| ext == "json")).collect();
        paths.sort();
        let told = |path: &Path| match Self::at(path) {
            Ok(found) => Some(found),
            Err(error) => {
                tracing::warn!("{} is not sold: {error:#}", path.display());
                None
            }
        };
        paths.iter().filter_map(|path| told(path)).take(MOST_SETS).collect()
    }

    fn at(path: &Path) -> Result<Self> {
        let found: Self = serde_json::from_slice(&std::fs::read(path)?)?;
        found.read()?;
        ensure!(found.price_usdc_micros > 0, "it costs nothing");
        Ok(found)
    }
}

/// Where the sets on a Golem's stall lie.
pub(crate) fn published(folder: &Folder) -> PathBuf {
    folder.path().join("published")
}

fn path(folder: &Folder, bundle: &str) -> PathBuf {
    published(folder).join(format!("{bundle}.json"))
}

impl PublishArguments {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let set = self.set()?;
        let folder = self.home.find(&self.on)?;
        let name = folder.name();
        ensure!(look::life(&look::reader(&folder)?)?.is_alive(), "{name} is dead: it sells nothing any more");
        ensure!(
            folder.settings()?.feed.is_some(),
            "{name} has no stall: write [feed] with a facilitator into {} first",
            folder.config().display()
        );
        ensure!(!self.price.is_zero(), "nothing is given away here; name a price above nothing");
        let others = Published::all(&folder).len();
        ensure!(
            path(&folder, &self.bundle).exists() || others < MOST_SETS,
            "{name} sells {others} sets already, and a listing has no room for more; withdraw one first"
        );
        let (entries, rules) = (set.entries.len(), set.rules.len());
        let published =
            Published { price_usdc_micros: self.price.micros(), set: serde_json::to_string(&set).wrap_err("a set")? };
        ensure!(
            published.set.len() <= MOST_BYTES,
            "the set has {} bytes, more than {MOST_BYTES}; make two of it",
            published.set.len()
        );
        let hash = published.hash();
        write_whole(&path(&folder, &self.bundle), &serde_json::to_vec_pretty(&published)?)?;
        let words = format!(
            "{} is for sale on the stall of {name} for {}: {entries} entries and {rules} rules, {hash}",
            self.bundle, self.price
        );
        let (set, on) = (self.bundle.clone(), name.to_owned());
        let told = PublishedPicture { set, on, price: Some(self.price), hash: Some(hash), entries, rules };
        Ok(screen::done(self.json, &told, &words))
    }

    fn set(&self) -> Result<KnowledgeSet> {
        let (purpose, ids) = named::publishable(&self.home, &self.bundle)?;
        let kept: Vec<Kept> = ids.iter().map(|id| read(&entry_path(&self.home, *id))).collect::<Result<_>>()?;
        let failed = demoted(&self.home, &kept)?;
        let mut entries = Vec::new();
        for one in &kept {
            let id = one.entry.id;
            ensure!(!one.is_bought(), "{id} was bought: what another learnt and sold is not yours to sell");
            ensure!(!failed.contains(&id), "{id} was contradicted by two of your Golems; take it out of the bundle");
            let proved_by = validators(&self.home, one, &equipped::outcomes(&self.home, id)?).len();
            let proved_by = u32::try_from(proved_by).unwrap_or(u32::MAX);
            entries.push(SoldEntry { entry: one.entry.clone(), attribution: one.attribution, proved_by });
        }
        let mut rules = Vec::new();
        let mut asked = BTreeSet::new();
        for golem in &self.rules_of {
            let folder = self.home.find(golem)?;
            let birth = folder.birth()?;
            // Whoever is named twice, or by name and by number, sells its rules once.
            if !asked.insert(birth.golem()) {
                continue;
            }
            let generation = u32::try_from(birth.generation).unwrap_or(u32::MAX);
            let life = look::life(&look::reader(&folder)?)?;
            let shown = shown(&life, birth.golem(), generation);
            ensure!(!shown.is_empty(), "{golem} has no rule of its own that moves money and has shown that it pays");
            rules.extend(shown);
        }
        if rules.len() > MOST_RULES {
            bail!("these Golems have {} rules to sell, a set has at most {MOST_RULES}; name fewer", rules.len());
        }
        Ok(KnowledgeSet::new(&self.bundle, &purpose, entries, rules)?)
    }
}

/// P-032. The rules of a life that move money and have shown as much as that takes, the strongest first; each once. What a
/// sibling lent and what was bought is not its own.
fn shown(life: &Life, golem: GolemId, generation: u32) -> Vec<SoldRule> {
    let Some(trader) = life.trader() else { return Vec::new() };
    let attribution = Attribution::held(&Source::own(golem), golem, generation);
    let mut found: Vec<(f64, String, SoldRule)> = Vec::new();
    for (_, hand) in trader.hands() {
        let own = strong_rules(hand.tried()).into_iter().filter(|tried| !tried.rule.name.starts_with(BOUGHT));
        for tried in own {
            let RuleShown { trips, evidence, mean_ppm } = shown_by(tried);
            let looks = hand.rows().len() as u64;
            let evidence = RuleEvidence { looks, trips, evidence, mean_ppm, attribution };
            let sold = SoldRule { text: tried.rule.to_string(), evidence };
            found.push((tried.evidence(), tried.rule.name.clone(), sold));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut names = BTreeSet::new();
    found.into_iter().filter(|(_, name, _)| names.insert(name.clone())).map(|(_, _, sold)| sold).collect()
}

impl WithdrawArguments {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let folder = self.home.find(&self.on)?;
        let at = path(&folder, &self.bundle);
        ensure!(at.exists(), "{} does not sell {}", folder.name(), self.bundle);
        std::fs::remove_file(&at).wrap_err_with(|| format!("cannot remove {}", at.display()))?;
        let (set, on) = (self.bundle.clone(), folder.name().to_owned());
        let told = PublishedPicture { set, on, price: None, hash: None, entries: 0, rules: 0 };
        let words = format!("{} is no longer for sale on the stall of {}", self.bundle, folder.name());
        Ok(screen::done(self.json, &told, &words))
    }
}
