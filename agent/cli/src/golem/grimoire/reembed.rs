//! `bardo mind grimoire reembed`.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_grimoire::id::EntryId;
use golem_ports::drift::{Health, Reference};
use golem_ports::{Embedder, EmbeddingPurpose, EmbeddingState, Memory as _};
use golem_primitives::UtcTime;
use golem_runtime::{DriftFound, vouch};
use golem_store::SqliteStore;
use golem_view::{AsKept, DriftPicture, ReembeddedPicture, Shown as _};

use super::whose::{Whose, standing};
use crate::golem::look;
use crate::screen;

/// Entries embedded at once.
const BATCH: usize = 16;
#[derive(Debug, Args)]
pub(crate) struct ReembedArguments {
    #[command(flatten)]
    whose: Whose,
    /// Stop after this many entries; the next call goes on.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

impl ReembedArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let folder = self.whose.stopped("embed")?;
        let settings = folder.settings()?;
        if settings.embedder.is_none() {
            bail!("embedder.kind of {} is none; choose minilm, openai or ollama first", folder.config().display());
        }
        let embedder = settings.embedder.open().await?;
        let Some(embedder) = embedder else { bail!("no embedder is chosen in {}", folder.config().display()) };
        let (now, golem) = {
            let reader = look::reader(&folder)?;
            (standing(&reader)?.0, *reader.golem())
        };
        let mut store = SqliteStore::open(&folder.store(), Some(&golem))?;
        let model = embedder.model().clone();
        let drift = self.look_at(&embedder, &mut store, now.at).await?;
        let total = store.unembedded(&model, usize::MAX)?.len() as u64;
        let wanted = self.limit.unwrap_or(total).min(total);
        let bar = screen::bar(wanted, self.json, screen::WIDE_BAR, "embedding");
        let mut done = 0;
        while done < wanted {
            let most = usize::try_from(wanted - done).unwrap_or(BATCH).min(BATCH);
            let batch = store.unembedded(&model, most)?;
            if batch.is_empty() {
                break;
            }
            let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            let made = embedder.embed(&texts, EmbeddingPurpose::Entry).await;
            let made =
                made.wrap_err_with(|| format!("{done} of {wanted} entries are embedded; call again to go on"))?;
            let vectors: Vec<(EntryId, Vec<f32>)> = batch.iter().map(|(id, _)| *id).zip(made).collect();
            store.keep_vectors(&model, &vectors, now.at)?;
            done += vectors.len() as u64;
            bar.set_position(done);
        }
        bar.finish_and_clear();
        self.tell(folder.name(), done, total, &store.embedding_state()?, &drift);
        Ok(ExitCode::SUCCESS)
    }

    /// G-006. Holds the model against what it said first; one that is another under its name embeds nothing.
    async fn look_at(&self, embedder: &impl Embedder, store: &mut SqliteStore, now: UtcTime) -> Result<DriftFound> {
        let spoke =
            Reference::take(embedder).await.wrap_err("the model could not be held against what it said first")?;
        let found = vouch(store, spoke, now)?;
        ensure!(
            found.health != Health::StopWrites,
            "this is another model under the name {} ({}); nothing was embedded. Give the new one a name or version of \
             its own in [embedder], or bring the old one back",
            embedder.model(),
            found.detail
        );
        Ok(found)
    }

    fn tell(&self, name: &str, done: u64, total: u64, state: &EmbeddingState, drift: &DriftFound) {
        let active = state.active.as_ref().map(|active| active.model.to_string());
        if self.json {
            let picture = ReembeddedPicture {
                golem: name.to_owned(),
                embedded: done,
                left: total - done,
                searched: active,
                drift: DriftPicture { health: AsKept::of(&drift.health), found: drift.detail.clone() },
            };
            screen::tell(&picture.json());
            return;
        }
        println!("{done} entries of {name} embedded, {} left.", total - done);
        if drift.health == Health::Warn {
            println!("The model moves ({}); watch it, or choose a pinned one.", drift.detail);
        }
        match active {
            Some(model) => println!("Searched by {model}."),
            None => println!("None has a vector yet."),
        }
    }
}
