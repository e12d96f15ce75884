//! `bardo grave library bundle`: named sets of entries for a purpose, with their versions (I-249 to I-252).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, ensure};
use golem_grimoire::id::EntryId;
use golem_inheritance::library::bundle::{Bundle, Diff};
use golem_inheritance::library::equip::EquipOutcome;
use golem_primitives::{GolemId, UtcTime};
use golem_view::{Forgotten, NamedBundle, NamedVersion, Picture as _};
use serde::{Deserialize, Serialize};

use super::equipped;
use super::kept::{entry_path, kept_path};
use crate::golem::home::{Home, is_name, read_json, write_whole};
use crate::golem::list::ListArguments;
use crate::golem::pace::wall_clock;
use crate::golem::subject::confirm;
use crate::screen;

/// I-250. What the names of bundles begin with that nobody made by hand.
pub(super) const PROPOSED: &str = "proposed-";

/// What can be done with named bundles.
#[derive(Debug, Subcommand)]
pub(crate) enum NamedCommand {
    /// Make one of entries of the library.
    #[command(
        after_help = "Example: bardo grave library bundle create calm --purpose \"for quiet markets\" 0192f0c1-5b00-7abc-8def-0123456789ab"
    )]
    Create(CreateArguments),
    /// Show them all.
    #[command(after_help = "Example: bardo grave library bundle list --json")]
    List(ListArguments),
    /// Show one with its entries and its versions.
    #[command(after_help = "Example: bardo grave library bundle show calm")]
    Show(NameArguments),
    /// Put entries in or take them out; each change is a version. What takes entries out asks first.
    #[command(
        after_help = "Example: bardo grave library bundle change calm --add 0192f0c1-5b00-7abc-8def-0123456789ab"
    )]
    Change(ChangeArguments),
    /// Forget one; its entries stay in the library.
    #[command(after_help = "Example: bardo grave library bundle remove calm --yes")]
    Remove(RemoveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CreateArguments {
    /// Its name: small letters, digits and dashes.
    name: String,
    /// Entries of the library.
    #[arg(required = true)]
    entries: Vec<EntryId>,
    /// What it is for: an archetype, a style.
    #[arg(long, default_value = "")]
    purpose: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// What commands on one bundle take.
#[derive(Debug, Args)]
pub(crate) struct NameArguments {
    /// Its name.
    name: String,
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ChangeArguments {
    #[command(flatten)]
    of: NameArguments,
    /// An entry that comes in; may be given several times.
    #[arg(long, value_name = "ENTRY")]
    add: Vec<EntryId>,
    /// An entry that goes; may be given several times.
    #[arg(long, value_name = "ENTRY")]
    remove: Vec<EntryId>,
    /// Do not ask again.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArguments {
    #[command(flatten)]
    of: NameArguments,
    /// Do not ask again.
    #[arg(long)]
    yes: bool,
}

/// I-252. What a version changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Version {
    version: u32,
    at: UtcTime,
    added: BTreeSet<EntryId>,
    removed: BTreeSet<EntryId>,
}

/// A bundle as it is written: its versions, of which it is the sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    name: String,
    purpose: String,
    versions: Vec<Version>,
}

fn path(home: &Home, name: &str) -> Result<PathBuf> {
    ensure!(is_name(name), "{name:?} is no name for a bundle; use small letters, digits and dashes");
    Ok(home.library().join("named").join(format!("{name}.json")))
}

impl Named {
    fn new(name: &str, purpose: &str, entries: BTreeSet<EntryId>) -> Self {
        let first = Version { version: 1, at: wall_clock(), added: entries, removed: BTreeSet::new() };
        Self { name: name.to_owned(), purpose: purpose.to_owned(), versions: vec![first] }
    }

    /// The bundle of its versions.
    fn bundle(&self) -> Bundle {
        let mut versions = self.versions.iter();
        let first = versions.next().map(|first| first.added.clone()).unwrap_or_default();
        versions.fold(Bundle::new(&self.name, &self.purpose, first), |bundle, version| {
            let mut entries = bundle.entries().clone();
            entries.extend(&version.added);
            entries.retain(|id| !version.removed.contains(id));
            bundle.changed(entries).0
        })
    }

    /// I-252. Takes in its next version; answers whether there is one.
    fn follow(&mut self, next: &Bundle, diff: Diff) -> bool {
        let is_new = diff != Diff::default();
        if is_new {
            let Diff { added, removed } = diff;
            self.versions.push(Version { version: next.version(), at: wall_clock(), added, removed });
        }
        is_new
    }

    /// I-250. The bundle with the Golems that validated it: some entry of it held there and none failed.
    fn validated(&self, home: &Home) -> Result<(Bundle, usize)> {
        let mut bundle = self.bundle();
        let mut by: BTreeMap<String, Vec<EquipOutcome>> = BTreeMap::new();
        for entry in bundle.entries().clone() {
            for (golem, outcome) in equipped::outcomes(home, entry)? {
                by.entry(golem).or_default().push(outcome);
            }
        }
        by.retain(|_, all| all.contains(&EquipOutcome::Validated) && !all.contains(&EquipOutcome::Contradicted));
        by.keys().filter_map(|name| GolemId::new(name).ok()).for_each(|golem| bundle.validated_by(golem));
        Ok((bundle, by.len()))
    }

    fn read(home: &Home, name: &str) -> Result<Self> {
        let path = path(home, name)?;
        ensure!(path.exists(), "there is no bundle {name}; `bardo grave library bundle list` shows them");
        read_json(&path, "bundle of the library")
    }

    fn write(&self, home: &Home) -> Result<()> {
        write_whole(&path(home, &self.name)?, &serde_json::to_vec_pretty(self)?)
    }

    fn picture(&self, home: &Home) -> Result<NamedBundle> {
        let (bundle, validated_by) = self.validated(home)?;
        let version = |version: &Version| NamedVersion {
            version: version.version,
            at: version.at,
            added: version.added.iter().copied().collect(),
            removed: version.removed.iter().copied().collect(),
        };
        Ok(NamedBundle {
            name: self.name.clone(),
            version: bundle.version(),
            holds: bundle.entries().len(),
            validated_by,
            purpose: self.purpose.clone(),
            publishable: bundle.is_publishable(),
            entries: bundle.entries().iter().copied().collect(),
            versions: self.versions.iter().map(version).collect(),
        })
    }
}

pub(super) fn entries(home: &Home, name: &str) -> Result<BTreeSet<EntryId>> {
    Ok(Named::read(home, name)?.bundle().entries().clone())
}

/// I-250. The purpose and the entries of a bundle that may be sold: one that was proposed only once two Golems validated it.
pub(super) fn publishable(home: &Home, name: &str) -> Result<(String, BTreeSet<EntryId>)> {
    let named = Named::read(home, name)?;
    let (bundle, validated_by) = named.validated(home)?;
    ensure!(
        !name.starts_with(PROPOSED) || bundle.is_publishable(),
        "{name} was proposed by itself and validated by {validated_by} Golems; two have to before it is sold"
    );
    Ok((named.purpose, bundle.entries().clone()))
}

/// Makes a bundle that is not there yet; answers whether it did.
pub(super) fn make(home: &Home, name: &str, purpose: &str, entries: BTreeSet<EntryId>) -> Result<bool> {
    if path(home, name)?.exists() {
        return Ok(false);
    }
    Named::new(name, purpose, entries).write(home)?;
    Ok(true)
}

/// Adds an entry to a bundle, which is made when it is not there; answers whether it was new in it.
pub(super) fn join(home: &Home, name: &str, entry: EntryId) -> Result<bool> {
    if make(home, name, "what five Golems proved", BTreeSet::from([entry]))? {
        return Ok(true);
    }
    let mut named = Named::read(home, name)?;
    let mut entries = named.bundle().entries().clone();
    entries.insert(entry);
    let (grown, diff) = named.bundle().grown(entries)?;
    let is_new = named.follow(&grown, diff);
    if is_new {
        named.write(home)?;
    }
    Ok(is_new)
}

fn are_kept(home: &Home, entries: &[EntryId]) -> Result<()> {
    entries.iter().try_for_each(|id| kept_path(home, *id).map(drop))
}

impl NamedCommand {
    pub(super) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Create(arguments) => {
                are_kept(&arguments.home, &arguments.entries)?;
                let entries = arguments.entries.iter().copied().collect();
                let is_new = make(&arguments.home, &arguments.name, &arguments.purpose, entries)?;
                ensure!(
                    is_new,
                    "{0} is there already; `bardo grave library bundle change {0}` changes it",
                    arguments.name
                );
                shown(&arguments.home, &arguments.name, arguments.json)
            }
            Self::List(arguments) => list(&arguments),
            Self::Show(arguments) => shown(&arguments.home, &arguments.name, arguments.json),
            Self::Change(arguments) => change(&arguments),
            Self::Remove(arguments) => {
                let of = &arguments.of;
                Named::read(&of.home, &of.name)?;
                confirm(arguments.yes, &format!("the bundle {} is forgotten", of.name))?;
                let path = path(&of.home, &of.name)?;
                std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))?;
                let gone = Forgotten { name: of.name.clone(), forgotten: true };
                Ok(screen::done(of.json, &gone, &format!("The bundle {} is forgotten", of.name)))
            }
        }
    }
}

fn change(arguments: &ChangeArguments) -> Result<ExitCode> {
    let of = &arguments.of;
    let mut named = Named::read(&of.home, &of.name)?;
    are_kept(&of.home, &arguments.add)?;
    let mut entries = named.bundle().entries().clone();
    entries.extend(&arguments.add);
    entries.retain(|id| !arguments.remove.contains(id));
    let gone = named.bundle().entries().difference(&entries).count();
    if gone > 0 {
        confirm(arguments.yes, &format!("{gone} entries go out of {}", of.name))?;
    }
    let (changed, diff) = named.bundle().changed(entries);
    named.follow(&changed, diff);
    named.write(&of.home)?;
    shown(&of.home, &of.name, of.json)
}

fn list(arguments: &ListArguments) -> Result<ExitCode> {
    let dir = arguments.home.library().join("named");
    let mut names = Vec::new();
    if dir.exists() {
        for file in std::fs::read_dir(&dir).wrap_err_with(|| format!("cannot read {}", dir.display()))? {
            let path = file?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
            names.extend(stem.filter(|_| path.extension().is_some_and(|extension| extension == "json")));
        }
    }
    names.sort();
    let pictures = names.iter().map(|name| Named::read(&arguments.home, name)?.picture(&arguments.home));
    let pictures = pictures.collect::<Result<Vec<NamedBundle>>>()?;
    let nothing = "There are no bundles; `bardo grave library bundle create` makes one.";
    Ok(screen::draw_all(arguments.json, "Bundles of the library", &pictures, nothing))
}

fn shown(home: &Home, name: &str, json: bool) -> Result<ExitCode> {
    let picture = Named::read(home, name)?.picture(home)?;
    Ok(screen::draw_by(json, &picture, |picture| {
        let mut table = picture.known(&format!("Bundle {name}"));
        table.rows.extend(picture.entries.iter().map(|id| {
            let says = super::kept::read(&entry_path(home, *id))
                .map_or_else(|_| "it is gone".to_owned(), |kept| kept.entry.content);
            vec![id.to_string(), says]
        }));
        table.rows.extend(picture.versions.iter().map(|version| {
            let changed = format!("+{} -{} at {}", version.added.len(), version.removed.len(), version.at);
            vec![format!("version {}", version.version), changed]
        }));
        screen::show(&table);
    }))
}
