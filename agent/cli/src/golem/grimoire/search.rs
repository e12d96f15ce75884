//! `bardo mind grimoire search`.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_core::trader::Trader;
use golem_grimoire::recall::Query;
use golem_grimoire::regime::RegimeBelief;
use golem_ports::{Asked, Basis, Embedder as _, EmbeddingPurpose, Hit, SearchAnswer, SearchOrder, Vector};
use golem_store::Reader;
use golem_view::{AnswerPicture, EntryLine, HitPicture, Number};

use super::list::Sieve;
use super::whose::{Whose, standing};
use crate::golem::home::Folder;
use crate::golem::settings::Settings;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    whose: Whose,
    /// What is asked, in words.
    question: String,
    #[command(flatten)]
    sieve: Sieve,
    /// Order by ranks of both lists fused and weighed again, instead of by the score a decision uses.
    #[arg(long)]
    hybrid: bool,
    /// Look for the words alone, even where there are vectors.
    #[arg(long)]
    words: bool,
    /// Show at most this many.
    #[arg(long, default_value_t = 10, value_name = "N")]
    limit: usize,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

impl SearchArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        ensure!(!self.question.trim().is_empty(), "nothing was asked; write a few words");
        ensure!((1..=500).contains(&self.limit), "--limit is 1 to 500");
        let (folder, reader) = self.whose.reader()?;
        let settings = folder.settings()?;
        let (vector, why) = if self.words { (None, None) } else { self.vector(&reader, &settings).await? };
        let wanted = Wanted {
            vector,
            why,
            sieve: self.sieve,
            order: if self.hybrid { SearchOrder::Hybrid } else { SearchOrder::Canonical },
            limit: self.limit,
        };
        let found = found(&folder, &reader, self.question, wanted)?;
        let basis = found.basis;
        Ok(screen::draw_by(self.json, &found, |found| {
            if found.hits.is_empty() {
                println!("Nothing it knows answers that. Active entries alone are asked; others with --status.");
            } else {
                let heading = format!("What answers {:?}", found.question);
                screen::show(&HitPicture::list(&heading, &found.hits).narrowed(70));
            }
            println!("\nBy {basis}.{}", found.advice.as_ref().map_or_else(String::new, |advice| format!(" {advice}")));
        }))
    }

    /// The question as a vector of the model that is searched; or why there is none.
    async fn vector(&self, reader: &Reader, settings: &Settings) -> Result<(Option<Vector>, Option<String>)> {
        let Some(active) = reader.embedding_state()?.active else { return Ok((None, None)) };
        let embedder = match settings.embedder.open().await {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok((None, Some("embedder.kind is none".to_owned()))),
            Err(error) => return Ok((None, Some(format!("{error:#}")))),
        };
        if *embedder.model() != active.model {
            let why = format!("its vectors are of {}, golem.toml names {}", active.model, embedder.model());
            return Ok((None, Some(why)));
        }
        // A model that is away takes the vectors with it, not the words.
        match embedder.embed(&[self.question.as_str()], EmbeddingPurpose::Query).await {
            Ok(made) => {
                let values = made.into_iter().next().unwrap_or_default();
                Ok((Some(Vector { model: active.model, values }), None))
            }
            Err(error) => Ok((None, Some(error.to_string()))),
        }
    }
}

/// How a question is asked.
pub(crate) struct Wanted {
    vector: Option<Vector>,
    /// Why there is no vector.
    why: Option<String>,
    sieve: Sieve,
    order: SearchOrder,
    limit: usize,
}

impl Wanted {
    /// By the words alone.
    pub(crate) const fn by_words(sieve: Sieve, limit: usize) -> Self {
        Self { vector: None, why: None, sieve, order: SearchOrder::Canonical, limit }
    }
}

/// What answers a question, each hit with its score by part.
pub(crate) fn found(folder: &Folder, reader: &Reader, question: String, wanted: Wanted) -> Result<AnswerPicture> {
    let Wanted { vector, why, sieve, order, limit } = wanted;
    let settings = folder.settings()?;
    let (now, life) = standing(reader)?;
    let regime = life.trader().and_then(Trader::regime);
    let asked = Asked {
        text: question.clone(),
        vector,
        query: Query {
            limit: sieve.enough(limit),
            mood: None,
            belief: regime.map_or_else(RegimeBelief::unknown, RegimeBelief::certain),
            tick: now.tick,
        },
        now: now.at,
        law: settings.grimoire,
        filter: sieve.filter(),
        order,
    };
    let mut answer = reader.recall(&asked)?;
    // Regime and open questions are the sieve's alone; the store knows the rest.
    answer.hits.retain(|hit| sieve.keeps(&hit.entry));
    answer.hits.truncate(limit);
    let hits: Vec<HitPicture> = answer.hits.iter().map(|hit| explained(hit, now.at, &settings)).collect();
    let has_vectors = reader.embedding_state()?.active.is_some();
    let (basis, advice) = basis(&answer, has_vectors, why.as_deref(), folder.name());
    Ok(AnswerPicture { golem: folder.name().to_owned(), question, basis, advice, hits })
}

/// What the answer rests on, and what would make it better.
fn basis(answer: &SearchAnswer, has_vectors: bool, why: Option<&str>, name: &str) -> (&'static str, Option<String>) {
    match answer.basis {
        Basis::Both => ("vectors and words", None),
        Basis::Vectors => ("vectors", None),
        Basis::Nothing => ("nothing", None),
        Basis::TextForWantOfAVector | Basis::TextForWantOfVectors if !has_vectors => {
            let advice = format!(
                "No entry has a vector: fetch the model with ./scripts/model, then `bardo mind grimoire reembed {name}`."
            );
            ("words alone", Some(advice))
        }
        Basis::TextForWantOfAVector | Basis::TextForWantOfVectors => {
            ("words alone", why.map(|why| format!("The question has no vector: {why}.")))
        }
    }
}

fn explained(hit: &Hit, at: golem_primitives::UtcTime, settings: &Settings) -> HitPicture {
    let entry = EntryLine::of(&hit.entry, &settings.grimoire.retention, at);
    HitPicture {
        cosine: hit.cosine.map(|cosine| Number(cosine.into())),
        bm25: hit.bm25.map(Number),
        vector_rank: hit.vector_rank,
        text_rank: hit.text_rank,
        is_contrarian: hit.is_contrarian,
        ..HitPicture::of(entry, hit.score.parts(), &hit.explanation, hit.reranked)
    }
}
