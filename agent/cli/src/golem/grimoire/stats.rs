//! `bardo mind grimoire stats`.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::status::Entry;
use golem_ports::EmbeddingProgress;
use golem_store::Reader;
use golem_view::KnowledgePicture;
use serde_json::{Value, json};

use super::{Whose, standing, text};
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
        let picture = picture(&reader, &folder.settings()?, self.limit)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&picture)?);
            return Ok(ExitCode::SUCCESS);
        }
        let rows = |of: &Value| -> Vec<Vec<String>> {
            of.as_object().into_iter().flatten().map(|(key, value)| vec![key.replace('_', " "), text(value)]).collect()
        };
        screen::table(&format!("The Grimoire of {}", folder.name()), &rows(&picture["entries"]));
        screen::table("By type, living", &rows(&picture["kinds"]));
        screen::table("By domain, living", &rows(&picture["domains"]));
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
fn picture(reader: &Reader, settings: &Settings, cycles: usize) -> Result<Value> {
    let (now, _) = standing(reader)?;
    let stats = reader.grimoire_stats(now.tick)?;
    let of = |status: &str| stats.by_status.get(status).copied().unwrap_or(0);
    let grimoire = reader.grimoire()?;
    let retention = &settings.grimoire.retention;
    let mean = grimoire.active().map(|active| active.knowledge().effective(retention, now.at).as_f64()).sum::<f64>()
        / grimoire.active_count().max(1) as f64;
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
    Ok(json!({
        "tick": now.tick,
        "entries": {
            "active": of("active"), "candidates": of("candidate"), "archived": of("archived"), "burned": of("burned"),
            "in_quarantine": stats.quarantined, "waiting": stats.waiting, "capacity": settings.grimoire.capacity,
            "episodes": stats.episodes, "episodes_not_looked_at": stats.fresh_episodes,
            "playbook_version": stats.playbook_version,
        },
        "kinds": stats.by_kind,
        "domains": stats.by_domain,
        "sources": stats.by_provenance,
        "confidence_by_tenth": stats.confidence,
        "quality_by_tenth": stats.quality,
        "health": {
            "mean_effective_confidence": format!("{mean:.6}"),
            "open_questions": stats.open_questions,
            "question_ratio": stats.question_ratio.map(|ratio| ratio.to_string()),
            "rules_survive_as_they_should": stats.is_survival_healthy,
            "retrieval_is_of_use": stats.is_hit_rate_healthy,
            "archive_threshold": settings.grimoire.retention.archive_threshold().to_string(),
        },
        "vectors": { "searched": progress(&stats.embedding.active), "on_their_way": progress(&stats.embedding.next) },
        "cycles": cycles,
    }))
}

/// One line for `status`.
pub(crate) fn one_line(reader: &Reader) -> Result<KnowledgePicture> {
    let grimoire = reader.grimoire()?;
    let candidates = grimoire.entries().filter(|entry| matches!(entry, Entry::Candidate(_))).count();
    let newest = reader.playbook(None)?;
    let state = reader.embedding_state()?;
    let words = match (&state.active, &state.next) {
        (Some(active), None) => format!("{} of {} entries have a vector", active.done, active.total),
        (_, Some(next)) => format!("{} of {} entries have a vector of {}", next.done, next.total, next.model),
        (None, None) => "no vectors".to_owned(),
    };
    Ok(KnowledgePicture {
        active: grimoire.active_count(),
        candidates,
        questions: grimoire.living().filter(|entry| entry.is_open_question()).count(),
        rules: newest.as_ref().map_or(0, |newest| newest.header.rules),
        playbook_version: newest.as_ref().map_or(0, |newest| newest.header.version),
        vectors: words,
    })
}
