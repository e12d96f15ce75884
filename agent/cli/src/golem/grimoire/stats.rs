//! `bardo mind grimoire stats`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::status::Entry;
use golem_ports::EmbeddingProgress;
use golem_primitives::Ppm;
use golem_store::Reader;
use golem_view::{
    CyclePicture, EmbeddedPicture, EntryCounts, HealthPicture, KnowledgePicture, Picture as _, StatsPicture,
    VectorsPicture,
};

use super::whose::{Whose, standing};
use crate::golem::settings::Settings;
use crate::screen;

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
        Ok(screen::draw_by(self.json, &picture, |picture| {
            let StatsPicture { entries, kinds, domains, health, vectors, cycles, .. } = picture;
            let counts = |of: &BTreeMap<String, u64>| -> Vec<Vec<String>> {
                of.iter().map(|(name, count)| vec![name.replace('_', " "), count.to_string()]).collect()
            };
            screen::show(&entries.table(&format!("The Grimoire of {}", folder.name())));
            screen::table("By type, living", &counts(kinds));
            screen::table("By domain, living", &counts(domains));
            screen::show(&health.table("How it fares"));
            screen::show(&vectors.table("Vectors"));
            screen::show_some("The Curator's last cycles", cycles);
        }))
    }
}

fn picture(reader: &Reader, settings: &Settings, cycles: usize) -> Result<StatsPicture> {
    let (now, _) = standing(reader)?;
    let stats = reader.grimoire_stats(now.tick)?;
    let of = |status: &str| stats.by_status.get(status).copied().unwrap_or(0);
    let grimoire = reader.grimoire()?;
    let retention = &settings.grimoire.retention;
    let sum: u64 =
        grimoire.active().map(|active| u64::from(active.knowledge().effective(retention, now.at).get())).sum();
    let progress = |of: Option<EmbeddingProgress>| {
        of.map(|of| EmbeddedPicture { model: of.model.to_string(), done: of.done, total: of.total })
    };
    Ok(StatsPicture {
        tick: now.tick,
        entries: EntryCounts {
            active: of("active"),
            candidates: of("candidate"),
            archived: of("archived"),
            burned: of("burned"),
            in_quarantine: stats.quarantined,
            waiting: stats.waiting,
            capacity: settings.grimoire.capacity,
            episodes: stats.episodes,
            episodes_not_looked_at: stats.fresh_episodes,
            playbook_version: stats.playbook_version,
        },
        health: HealthPicture {
            mean_effective_confidence: Ppm::saturating(sum / grimoire.active_count().max(1) as u64),
            open_questions: stats.open_questions,
            question_ratio: stats.question_ratio,
            rules_survive_as_they_should: stats.is_survival_healthy,
            retrieval_is_of_use: stats.is_hit_rate_healthy,
            archive_threshold: retention.archive_threshold(),
        },
        kinds: stats.by_kind,
        domains: stats.by_domain,
        sources: stats.by_provenance,
        confidence_by_tenth: stats.confidence.to_vec(),
        quality_by_tenth: stats.quality.to_vec(),
        vectors: VectorsPicture {
            searched: progress(stats.embedding.active),
            on_their_way: progress(stats.embedding.next),
        },
        cycles: reader.last_cycles(cycles)?.into_iter().map(|(at, cycle)| CyclePicture::of(at, cycle)).collect(),
    })
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
