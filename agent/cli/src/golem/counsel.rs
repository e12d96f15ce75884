//! `bardo mind counsel`: what a Golem's Curator counted of its book and holds it back by, and how that came to be.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail};
use golem_grimoire::playbook::Playbook;
use golem_ports::{PlaybookHeader, PlaybookVersion};
use golem_store::Reader;
use golem_view::{CounselChange, CounselDiff, CounselPicture, CounselVersion, Shown as _};

use super::grimoire::Whose;
use super::home::Folder;
use crate::screen;

/// What can be done with it.
#[derive(Debug, Subcommand)]
pub(crate) enum CounselCommand {
    /// Show it, or an older version of it.
    #[command(disable_version_flag = true, after_help = "Example: bardo mind counsel show ada --version 2")]
    Show(ShowArguments),
    /// List its versions with the cycle that wrote each.
    #[command(after_help = "Example: bardo mind counsel versions ada")]
    Versions(VersionsArguments),
    /// Say what changed between two versions.
    #[command(after_help = "Example: bardo mind counsel diff ada 1 3\n         bardo mind counsel diff ada --since 1")]
    Diff(DiffArguments),
}

impl CounselCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Show(arguments) => arguments.run(),
            Self::Versions(arguments) => arguments.run(),
            Self::Diff(arguments) => arguments.run(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    whose: Whose,
    /// Which version; the newest when left out.
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// A JSON object instead of the document.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VersionsArguments {
    #[command(flatten)]
    whose: Whose,
    /// Show at most this many, newest first.
    #[arg(long, default_value_t = 50, value_name = "N")]
    limit: usize,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    #[command(flatten)]
    whose: Whose,
    /// The earlier version.
    #[arg(required_unless_present = "since", value_name = "A")]
    before: Option<u64>,
    /// The later version.
    #[arg(requires = "before", value_name = "B")]
    after: Option<u64>,
    /// From this version to the newest.
    #[arg(long, value_name = "A", conflicts_with = "before")]
    since: Option<u64>,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// A version, or the newest; none before the first was written.
fn version(reader: &Reader, wanted: Option<u64>) -> Result<Option<PlaybookVersion>> {
    if wanted == Some(0) {
        return Ok(None);
    }
    let found = reader.playbook(wanted)?;
    if let (None, Some(wanted)) = (&found, wanted) {
        let newest = reader.playbook(None)?.map_or(0, |newest| newest.header.version);
        bail!("there is no version {wanted}; the newest is {newest}");
    }
    Ok(found)
}

impl ShowArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let found = version(&reader, self.version)?;
        if self.json {
            screen::tell(&counsel(&folder, found.as_ref()).json());
            return Ok(ExitCode::SUCCESS);
        }
        match found {
            Some(found) => print!("{}", found.text),
            None => println!("{} has written no rule yet; a rule needs ten confirmations.", folder.name()),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl VersionsArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let versions = versions(&reader, self.limit)?;
        let nothing = format!("{} has written no rule yet; a rule needs ten confirmations.", folder.name());
        Ok(screen::draw_all(self.json, &format!("PLAYBOOK.md of {}", folder.name()), &versions, &nothing))
    }
}

/// The versions of PLAYBOOK.md, the newest first.
pub(crate) fn versions(reader: &Reader, limit: usize) -> Result<Vec<CounselVersion>> {
    let mut headers = reader.playbook_versions()?;
    headers.reverse();
    headers.truncate(limit);
    let version = |header: PlaybookHeader| CounselVersion {
        version: header.version,
        tick: header.at.tick,
        at: header.at.at,
        rules: header.rules,
        cycle: header.cycle,
        hash: header.hash,
    };
    Ok(headers.into_iter().map(version).collect())
}

/// What the Curator counsels in a version, or in the newest.
pub(crate) fn counsel(folder: &Folder, found: Option<&PlaybookVersion>) -> CounselPicture {
    let header = found.map(|found| &found.header);
    let rules = found.into_iter().flat_map(|found| found.playbook.rules());
    CounselPicture {
        golem: folder.name().to_owned(),
        version: header.map_or(0, |header| header.version),
        cycle: header.map(|header| header.cycle.clone()),
        tick: header.map(|header| header.at.tick),
        hash: header.map(|header| header.hash),
        rules: rules.map(|(_, rule)| rule.into()).collect(),
    }
}

impl DiffArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let before = version(&reader, self.since.or(self.before))?;
        let after = version(&reader, self.after)?;
        let empty = Playbook::default();
        let old = before.as_ref().map_or(&empty, |found| &found.playbook);
        let new = after.as_ref().map_or(&empty, |found| &found.playbook);
        let picture = CounselDiff::between(folder.name(), old, new);
        if self.json {
            screen::tell(&picture.json());
            return Ok(ExitCode::SUCCESS);
        }
        let CounselDiff { from, to, divergence, changes, .. } = &picture;
        if changes.is_empty() {
            println!("Nothing changed between version {from} and {to}.");
            return Ok(ExitCode::SUCCESS);
        }
        println!("Version {from} to {to}, divergence {divergence}");
        for CounselChange { change, id, when, r#do, confidence_before, confidence } in changes {
            let mark = match *change {
                "struck" => screen::paint("-", "31"),
                "written" => screen::paint("+", "32"),
                _ => screen::paint("~", "33"),
            };
            let (when, act) = (screen::harmless(&when.words()), screen::harmless(&r#do.words()));
            println!("  {mark} {id} when {when}: {act} ({} -> {})", confidence_before.words(), confidence.words());
        }
        Ok(ExitCode::SUCCESS)
    }
}
