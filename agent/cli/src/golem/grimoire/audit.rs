//! `bardo golem grimoire audit`: a Grimoire against its own law.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::entry::Method;
use golem_grimoire::kind::{Body, Kind};
use golem_grimoire::status::Entry;
use golem_primitives::keccak256;
use golem_store::Reader;
use serde_json::json;

use super::Whose;
use crate::golem::Folder;
use crate::screen;

/// What `audit` takes.
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// One thing that must be so.
struct Check {
    what: &'static str,
    looked_at: usize,
    wrong: Vec<String>,
}

impl AuditArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let checks =
            [entries(&reader)?, evidence(&reader)?, lineage(&reader)?, playbooks(&reader)?, file(&folder, &reader)?];
        let is_sound = checks.iter().all(|check| check.wrong.is_empty());
        if self.json {
            let list: Vec<_> = checks
                .iter()
                .map(|check| json!({ "what": check.what, "looked_at": check.looked_at, "sound": check.wrong.is_empty(), "wrong": check.wrong }))
                .collect();
            println!(
                "{}",
                serde_json::to_string_pretty(&json!({ "golem": folder.name(), "sound": is_sound, "checks": list }))?
            );
        } else {
            let mark = |check: &Check| {
                if check.wrong.is_empty() { screen::paint("✓", "32") } else { screen::paint("✗", "31") }
            };
            let rows: Vec<_> = checks
                .iter()
                .map(|check| vec![mark(check), check.what.to_owned(), format!("{} looked at", check.looked_at)])
                .collect();
            screen::table(&format!("The Grimoire of {}", folder.name()), &rows);
            for wrong in checks.iter().flat_map(|check| &check.wrong) {
                println!("  {wrong}");
            }
        }
        Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// I-362. Reading an active entry back asks for the record of its promotion; that every one can be read proves it.
fn entries(reader: &Reader) -> Result<Check> {
    let grimoire = reader.grimoire()?;
    let mut wrong = Vec::new();
    for active in grimoire.active() {
        let (entry, promotion) = (active.knowledge(), active.promotion());
        if promotion.at < promotion.candidate_since {
            wrong.push(format!("{} was active before it was a candidate", entry.id));
        }
        if entry.kind() == Kind::Heuristic && !entry.draft.source.provenance.may_become_heuristic() {
            wrong.push(format!("{} is a rule from outside and active", entry.id));
        }
    }
    Ok(Check { what: "every active entry was a candidate first", looked_at: grimoire.active_count(), wrong })
}

/// Every counted entry has its episodes, and as many as it says.
fn evidence(reader: &Reader) -> Result<Check> {
    let grimoire = reader.grimoire()?;
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for entry in grimoire.living() {
        let Method::Rules(finding) = &entry.draft.method else { continue };
        looked_at += 1;
        if finding.held > finding.trials || entry.draft.parents.is_empty() {
            wrong.push(format!(
                "{} says {} of {} and names {} episodes",
                entry.id,
                finding.held,
                finding.trials,
                entry.draft.parents.len()
            ));
        }
        for parent in &entry.draft.parents {
            if reader.episode(*parent)?.is_none() {
                wrong.push(format!("{} rests on episode {parent}, which is not there", entry.id));
            }
        }
    }
    Ok(Check { what: "what was counted has its episodes", looked_at, wrong })
}

/// G-017. Every rule derives from an entry that is or was there.
fn lineage(reader: &Reader) -> Result<Check> {
    let grimoire = reader.grimoire()?;
    let known: BTreeSet<_> = grimoire.entries().map(Entry::id).collect();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for entry in grimoire.living().filter(|entry| entry.draft.source.provenance.is_own()) {
        let Body::Heuristic { derived_from, .. } = &entry.draft.body else { continue };
        looked_at += 1;
        for parent in derived_from.iter().filter(|parent| !known.contains(parent)) {
            wrong.push(format!("rule {} derives from {parent}, which never was", entry.id));
        }
    }
    Ok(Check { what: "rules derive from insights", looked_at, wrong })
}

/// G-162, G-165. Versions follow each other without gaps, and each text is what its hash says.
fn playbooks(reader: &Reader) -> Result<Check> {
    let headers = reader.playbook_versions()?;
    let mut wrong = Vec::new();
    for (expected, header) in (1u64..).zip(&headers) {
        if header.version != expected {
            wrong.push(format!("PLAYBOOK version {} stands where {expected} should", header.version));
        }
        match reader.playbook(Some(header.version))? {
            Some(kept) if keccak256(&kept.text) != header.hash => {
                wrong.push(format!("PLAYBOOK version {} is not what its hash says", header.version));
            }
            Some(kept) if kept.playbook.rules().any(|(_, rule)| rule.evidence.is_empty()) => {
                wrong.push(format!("PLAYBOOK version {} has a rule without evidence", header.version));
            }
            Some(_) => {}
            None => wrong.push(format!("PLAYBOOK version {} has no text", header.version)),
        }
    }
    Ok(Check { what: "versions of PLAYBOOK.md are whole", looked_at: headers.len(), wrong })
}

/// G-159. The file in the folder is a copy of the newest version.
fn file(folder: &Folder, reader: &Reader) -> Result<Check> {
    let mut wrong = Vec::new();
    let newest = reader
        .playbook(None)?
        .map_or_else(|| golem_grimoire::playbook::Playbook::default().to_string(), |newest| newest.text);
    let path = folder.path().join("PLAYBOOK.md");
    match std::fs::read_to_string(&path) {
        Ok(text) if text != newest => wrong.push(format!(
            "{} is not the newest version; it is not written by hand, and starting the Golem mends it",
            path.display()
        )),
        Ok(_) => {}
        Err(error) => wrong.push(format!("{} cannot be read ({error}); starting the Golem writes it", path.display())),
    }
    Ok(Check { what: "PLAYBOOK.md says what the store says", looked_at: 1, wrong })
}
