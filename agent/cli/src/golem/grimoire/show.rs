//! `bardo mind grimoire show`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::entry::{Knowledge, Method};
use golem_grimoire::kind::{Body, Kind};
use golem_grimoire::status::Entry;
use golem_grimoire::thesis::Thesis;
use golem_store::Reader;
use serde_json::{Value, json};

use super::{Whose, find, line, standing, text};
use crate::screen;

/// What `show` takes.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    whose: Whose,
    /// The entry: its id, or enough of its beginning to be the only one.
    entry: String,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl ShowArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let (now, _) = standing(&reader)?;
        let entry = find(&reader, folder.name(), &self.entry)?;
        let picture = json!({
            "entry": line(&entry, now.at, &folder.settings()?),
            "more": entry.knowledge().map(more),
            "behind": behind(&reader, &entry)?,
            "history": history(&reader, &entry)?,
        });
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
        } else {
            tell(&picture);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What a line leaves out.
fn more(known: &Knowledge) -> Value {
    json!({
        "body": body(&known.draft.body),
        "method": match &known.draft.method {
            Method::Rules(finding) => json!({ "rules": { "key": finding.key.to_string(), "trials": finding.trials, "held": finding.held,
                "low": finding.interval().low.to_string(), "high": finding.interval().high.to_string(),
                "earned_micros": finding.earned.map(|earned| json!([earned.low_micros, earned.mean_micros, earned.high_micros])) } }),
            Method::Model => json!("model"),
            Method::Received => json!("received"),
            Method::Stated => json!("stated"),
            Method::Told(finding) => json!({ "told": { "key": finding.key.to_string(), "trials": finding.trials, "held": finding.held } }),
        },
        "test": test(known),
        "decay_class": known.decay_class.name(),
        "strength": known.strength.as_f64(),
        "last_validated": known.last_validated.at.to_string(),
        "last_accessed_tick": known.last_accessed,
        "access_count": known.access_count,
        "useful_count": known.useful_count,
        "cycles": known.cycles,
        "valid_from": known.draft.valid_from.to_string(),
        "valid_until": known.draft.valid_until.map(|until| until.to_string()),
        "tags": known.draft.tags,
        "gaps": known.draft.gaps,
        "origin": known.draft.source.origin.to_string(),
        "generation": known.draft.source.generation,
        "is_bloodstain": known.draft.source.is_bloodstain(),
        "vector": known.embedding.as_ref().map(|mark| json!({ "model": mark.model, "version": mark.version, "at": mark.at.to_string() })),
        "parents": known.draft.parents.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// G-053, G-175. How what came from outside fares here, and what it waits for.
fn test(known: &Knowledge) -> Option<String> {
    let provenance = known.draft.source.provenance;
    if provenance.is_own() {
        return None;
    }
    let Some(thesis) = Thesis::of(&known.draft) else {
        return Some(
            "it claims nothing that its own episodes could confirm or contradict: it stays a candidate and fades"
                .to_owned(),
        );
    };
    let what = if thesis.holds { "holds" } else { "fails" };
    let regime = thesis.regime.map_or("any regime", |regime| regime.name());
    let tested = format!(
        "it claims that {} {what} in {regime}; of its own episodes {} confirm that and {} contradict it",
        thesis.key, known.validated, known.contradicted
    );
    let is_barred = known.kind() == Kind::Heuristic && !provenance.may_become_heuristic();
    Some(if is_barred {
        format!("{tested}; a rule from outside is never active, a Golem derives its own")
    } else {
        tested
    })
}

fn body(body: &Body) -> Value {
    match body {
        Body::Insight => Value::Null,
        Body::Heuristic { when, act, because, derived_from } => {
            json!({ "when": when, "do": act, "because": because, "derived_from": derived_from })
        }
        Body::Warning { severity, ttl } => {
            json!({ "severity": severity.name(), "ttl_seconds": ttl.map(|ttl| ttl.as_secs()) })
        }
        Body::CausalLink(link) => {
            json!({ "cause": link.cause, "effect": link.effect, "weight": link.weight.to_string(),
            "evidence": link.evidence, "lag_ticks": link.lag_ticks, "basis": link.basis.name(), "mechanism": link.mechanism })
        }
        Body::StrategyFragment { entry, exit, sizing } => json!({ "entry": entry, "exit": exit, "sizing": sizing }),
    }
}

/// The newest episodes it was counted from.
fn behind(reader: &Reader, entry: &Entry) -> Result<Vec<Value>> {
    const SHOWN: usize = 10;
    let Some(known) = entry.knowledge() else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    for id in known.draft.parents.iter().rev().take(SHOWN) {
        if let Some(recorded) = reader.episode(*id)? {
            let episode = recorded.episode;
            told.push(json!({ "id": episode.id, "tick": episode.happened.tick, "outcome": episode.outcome.name(),
                "pnl_micros": episode.pnl_micros, "text": episode.text }));
        }
    }
    Ok(told)
}

fn history(reader: &Reader, entry: &Entry) -> Result<Vec<Value>> {
    let changes = reader.history(entry.id())?;
    let told = changes.into_iter().map(|change| {
        json!({ "tick": change.at.tick, "at": change.at.at.to_string(), "what": change.what, "note": change.note })
    });
    Ok(told.collect())
}

fn tell(picture: &Value) {
    let rows = |of: &Value| -> Vec<Vec<String>> {
        let fields = of.as_object().into_iter().flatten();
        fields
            .filter(|(key, value)| !value.is_null() && *key != "parents")
            .map(|(key, value)| vec![key.clone(), text(value)])
            .collect()
    };
    screen::table("The entry", &rows(&picture["entry"]));
    screen::table("What stands behind it", &rows(&picture["more"]));
    let list = |heading: &str, of: &Value, columns: &[&str]| {
        let items = of.as_array().map(Vec::as_slice).unwrap_or_default();
        if !items.is_empty() {
            screen::table(heading, &items.iter().map(|item| super::cells(item, columns)).collect::<Vec<_>>());
        }
    };
    list("The newest episodes behind it", &picture["behind"], &["tick", "outcome", "text"]);
    list("What happened to it", &picture["history"], &["tick", "at", "what", "note"]);
}
