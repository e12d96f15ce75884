//! `bardo golem grimoire stats`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::kind::Kind;
use golem_grimoire::status::Entry;
use golem_ports::EmbeddingProgress;
use golem_store::Reader;
use serde_json::{Value, json};

use super::{Whose, law, standing, text};
use crate::golem::Settings;
use crate::screen;

/// What `stats` takes.
#[derive(Debug, Args)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    whose: Whose,
    /// Curator cycles to show, newest first.
    #[arg(long, default_value_t = 5, value_name = "N")]
    limit: usize,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl StatsArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let picture = picture(&reader, &law(&folder), self.limit)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
            return Ok(ExitCode::SUCCESS);
        }
        let rows = |of: &Value| -> Vec<Vec<String>> {
            of.as_object().into_iter().flatten().map(|(key, value)| vec![key.replace('_', " "), text(value)]).collect()
        };
        screen::table(&format!("The Grimoire of {}", folder.name()), &rows(&picture["entries"]));
        screen::table("By type, living", &rows(&picture["kinds"]));
        screen::table("How it fares", &rows(&picture["health"]));
        screen::table("Vectors", &rows(&picture["vectors"]));
        let cycles = picture["cycles"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !cycles.is_empty() {
            let columns = ["tick", "duty", "added", "promoted", "demoted", "archived", "burned", "active", "rules"];
            let mut told = vec![columns.map(str::to_owned).to_vec()];
            told.extend(cycles.iter().map(|cycle| super::cells(cycle, &columns)));
            screen::table("The Curator's last cycles", &told);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Everything that is counted.
pub(crate) fn picture(reader: &Reader, settings: &Settings, cycles: usize) -> Result<Value> {
    let (now, _) = standing(reader)?;
    let grimoire = reader.grimoire()?;
    let count = |status: &str| grimoire.entries().filter(|entry| entry.status().name() == status).count();
    let living: Vec<_> = grimoire.living().collect();
    let kinds: BTreeMap<&str, usize> = Kind::ALL
        .iter()
        .map(|kind| (kind.name(), living.iter().filter(|entry| entry.kind() == *kind).count()))
        .collect();
    let (used, useful) = living.iter().fold((0u64, 0u64), |(used, useful), entry| {
        (used + u64::from(entry.access_count), useful + u64::from(entry.useful_count))
    });
    let mean =
        grimoire.active().map(|active| active.knowledge().effective(&settings.grimoire.retention, now.at).as_f64());
    let mean = mean.sum::<f64>() / grimoire.active_count().max(1) as f64;
    let state = reader.embedding_state()?;
    let progress = |of: &Option<EmbeddingProgress>| {
        of.as_ref().map(|of| json!({ "model": of.model.to_string(), "done": of.done, "total": of.total }))
    };
    let cycles: Vec<Value> = reader
        .last_cycles(cycles)?
        .into_iter()
        .map(|(at, cycle)| {
            let mut told = serde_json::to_value(cycle).expect("plain data");
            (told["tick"], told["at"]) = (json!(at.tick), json!(at.at.to_string()));
            told
        })
        .collect();
    let newest = reader.playbook(None)?;
    Ok(json!({
        "tick": now.tick,
        "entries": {
            "active": count("active"), "candidates": count("candidate"), "archived": count("archived"), "burned": count("burned"),
            "in_quarantine": reader.quarantine()?.len(), "capacity": settings.grimoire.capacity,
            "episodes": reader.counts()?.episodes,
            "playbook_version": newest.as_ref().map_or(0, |newest| newest.header.version),
            "playbook_rules": newest.as_ref().map_or(0, |newest| newest.header.rules),
        },
        "kinds": kinds,
        "health": {
            "mean_effective_confidence": format!("{mean:.6}"),
            "open_questions": living.iter().filter(|entry| entry.is_open_question()).count(),
            "retrievals": used, "useful_retrievals": useful,
            "archive_threshold": settings.grimoire.retention.archive_threshold().to_string(),
        },
        "vectors": { "searched": progress(&state.active), "on_their_way": progress(&state.next) },
        "cycles": cycles,
    }))
}

/// One line for `status`.
pub(crate) fn one_line(reader: &Reader) -> Result<Value> {
    let grimoire = reader.grimoire()?;
    let candidates = grimoire.entries().filter(|entry| matches!(entry, Entry::Candidate(_))).count();
    let newest = reader.playbook(None)?;
    let state = reader.embedding_state()?;
    let words = match (&state.active, &state.next) {
        (Some(active), None) => format!("{} of {} entries have a vector", active.done, active.total),
        (_, Some(next)) => format!("{} of {} entries have a vector of {}", next.done, next.total, next.model),
        (None, None) => "no vectors".to_owned(),
    };
    Ok(json!({
        "active": grimoire.active_count(),
        "candidates": candidates,
        "questions": grimoire.living().filter(|entry| entry.is_open_question()).count(),
        "rules": newest.as_ref().map_or(0, |newest| newest.header.rules),
        "playbook_version": newest.as_ref().map_or(0, |newest| newest.header.version),
        "vectors": words,
    }))
}
