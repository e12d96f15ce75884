//! `bardo mind counsel`: what a Golem's Curator counted of its book and holds it back by, and how that came to be.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, bail};
use golem_grimoire::playbook::{Playbook, RuleChange};
use golem_ports::PlaybookVersion;
use golem_store::Reader;
use serde_json::{Value, json};

use super::grimoire::Whose;
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

/// What `show` takes.
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

/// What `versions` takes.
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

/// What `diff` takes.
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

fn rules(playbook: &Playbook) -> Vec<Value> {
    let told = playbook.rules().map(|(_, rule)| {
        json!({ "id": rule.id, "when": rule.when, "do": rule.act, "because": rule.because, "confidence": rule.confidence.get().to_string(),
            "regime": rule.regime.map(|regime| regime.name()), "evidence": rule.evidence.len(), "open_question": rule.open_question })
    });
    told.collect()
}

impl ShowArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let found = version(&reader, self.version)?;
        if self.json {
            let told = match &found {
                Some(found) => {
                    json!({ "golem": folder.name(), "version": found.header.version, "cycle": found.header.cycle,
                    "tick": found.header.at.tick, "hash": found.header.hash, "rules": rules(&found.playbook) })
                }
                None => json!({ "golem": folder.name(), "version": 0, "rules": [] }),
            };
            println!("{}", serde_json::to_string_pretty(&told)?);
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
        let mut headers = reader.playbook_versions()?;
        headers.reverse();
        headers.truncate(self.limit);
        if self.json {
            let list: Vec<_> = headers
                .iter()
                .map(|header| {
                    json!({ "version": header.version, "cycle": header.cycle, "tick": header.at.tick,
                    "at": header.at.at.to_string(), "rules": header.rules, "hash": header.hash })
                })
                .collect();
            println!("{}", serde_json::to_string_pretty(&list)?);
        } else if headers.is_empty() {
            println!("{} has written no rule yet; a rule needs ten confirmations.", folder.name());
        } else {
            let mut rows = vec![["version", "tick", "rules", "written by", "hash"].map(str::to_owned).to_vec()];
            rows.extend(headers.iter().map(|header| {
                let [version, tick, rules] =
                    [header.version, header.at.tick.get(), u64::from(header.rules)].map(|n| n.to_string());
                vec![version, tick, rules, header.cycle.clone(), header.hash.to_string()]
            }));
            screen::table(&format!("PLAYBOOK.md of {}", folder.name()), &rows);
        }
        Ok(ExitCode::SUCCESS)
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
        let changes = new.changes_since(old);
        let told: Vec<Value> = changes
            .iter()
            .map(|change| {
                let (word, id, rule) = match change {
                    RuleChange::Struck(id) => ("struck", id, old.rule(*id)),
                    RuleChange::Written(id) => ("written", id, new.rule(*id)),
                    RuleChange::Rewritten(id) => ("rewritten", id, new.rule(*id)),
                };
                json!({ "change": word, "id": id, "when": rule.map(|rule| &rule.when), "do": rule.map(|rule| &rule.act),
                    "confidence": rule.map(|rule| rule.confidence.get().to_string()),
                    "confidence_before": old.rule(*id).map(|rule| rule.confidence.get().to_string()) })
            })
            .collect();
        let (from, to) = (old.version(), new.version());
        if self.json {
            let told = json!({ "golem": folder.name(), "from": from, "to": to, "divergence": new.divergence(old).to_string(), "changes": told });
            println!("{}", serde_json::to_string_pretty(&told)?);
        } else if told.is_empty() {
            println!("Nothing changed between version {from} and {to}.");
        } else {
            println!("Version {from} to {to}, divergence {}", new.divergence(old));
            for change in &told {
                let word = |name: &str| change[name].as_str().unwrap_or("-").to_owned();
                let mark = match word("change").as_str() {
                    "struck" => screen::paint("-", "31"),
                    "written" => screen::paint("+", "32"),
                    _ => screen::paint("~", "33"),
                };
                println!(
                    "  {mark} {} when {}: {} ({} -> {})",
                    word("id"),
                    word("when"),
                    word("do"),
                    word("confidence_before"),
                    word("confidence")
                );
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
