//! `bardo mind grimoire search`.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_core::memory::regime_of;
use golem_grimoire::recall::Query;
use golem_grimoire::regime::RegimeBelief;
use golem_ports::{Answer, Asked, Basis, Embedder as _, Hit, Order, Purpose, Vector};
use golem_store::Reader;
use serde_json::{Value, json};

use super::list::Sieve;
use super::{Whose, brief, line, standing, text};
use crate::golem::Settings;
use crate::screen;

/// What `search` takes.
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
        let (now, life) = standing(&reader)?;
        let regime = life.trader().and_then(|trader| regime_of(trader.regime_name()));
        let (vector, why) = if self.words { (None, None) } else { self.vector(&reader, &settings).await? };
        let asked = Asked {
            text: self.question.clone(),
            vector,
            query: Query {
                limit: self.sieve.enough(self.limit),
                mood: None,
                belief: regime.map_or_else(RegimeBelief::unknown, RegimeBelief::certain),
                tick: now.tick,
            },
            now: now.at,
            law: settings.grimoire,
            filter: self.sieve.filter(),
            order: if self.hybrid { Order::Hybrid } else { Order::Canonical },
        };
        let mut answer = reader.recall(&asked)?;
        // Regime and open questions are the sieve's alone; the store knows the rest.
        answer.hits.retain(|hit| self.sieve.keeps(&hit.entry));
        answer.hits.truncate(self.limit);
        let lines: Vec<Value> = answer.hits.iter().map(|hit| explained(hit, now.at, &settings)).collect();
        let has_vectors = reader.embedding_state()?.active.is_some();
        let (basis, advice) = basis(&answer, has_vectors, why.as_deref(), folder.name());
        if self.json {
            let found = json!({ "golem": folder.name(), "question": self.question, "basis": basis, "advice": advice, "hits": lines });
            println!("{}", serde_json::to_string_pretty(&found)?);
            return Ok(ExitCode::SUCCESS);
        }
        if lines.is_empty() {
            println!("Nothing it knows answers that. Active entries alone are asked; others with --status.");
        } else {
            tell(&lines, &self.question);
        }
        println!("\nBy {basis}.{}", advice.map_or_else(String::new, |advice| format!(" {advice}")));
        Ok(ExitCode::SUCCESS)
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
        match embedder.embed(&[self.question.as_str()], Purpose::Query).await {
            Ok(made) => {
                let values = made.into_iter().next().unwrap_or_default();
                Ok((Some(Vector { model: active.model, values }), None))
            }
            Err(error) => Ok((None, Some(error.to_string()))),
        }
    }
}

/// What the answer rests on, and what would make it better.
fn basis(answer: &Answer, has_vectors: bool, why: Option<&str>, name: &str) -> (&'static str, Option<String>) {
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

/// A hit with its score by part.
fn explained(hit: &Hit, at: golem_primitives::UtcTime, settings: &Settings) -> Value {
    let part = |value: f64| (value * 1e6).round() / 1e6;
    let why = &hit.explanation;
    let mut told = line(&hit.entry, at, settings);
    told["score"] = json!(hit.score.to_string());
    told["parts"] = json!({
        "semantic": part(why.semantic), "temporal": part(why.temporal), "importance": part(why.importance),
        "emotional": part(why.emotional), "regime": part(why.regime), "bloodstain": part(why.bloodstain),
        "discount": part(why.discount),
    });
    told["cosine"] = json!(hit.cosine);
    told["bm25"] = json!(hit.bm25.map(part));
    told["vector_rank"] = json!(hit.vector_rank);
    told["text_rank"] = json!(hit.text_rank);
    told["reranked"] = json!(hit.reranked.to_string());
    told["is_contrarian"] = json!(hit.is_contrarian);
    told
}

fn tell(lines: &[Value], question: &str) {
    let columns =
        ["score", "semantic", "temporal", "importance", "emotional", "x regime", "x other", "words", "id", "content"];
    let mut rows = vec![columns.map(str::to_owned).to_vec()];
    for told in lines {
        let parts = &told["parts"];
        let number = |name: &str| format!("{:.4}", parts[name].as_f64().unwrap_or_default());
        let other = parts["bloodstain"].as_f64().unwrap_or(1.0) * parts["discount"].as_f64().unwrap_or(1.0);
        rows.push(vec![
            text(&told["score"]),
            number("semantic"),
            number("temporal"),
            number("importance"),
            number("emotional"),
            number("regime"),
            format!("{other:.4}"),
            told["text_rank"].as_u64().map_or_else(|| "-".to_owned(), |rank| format!("#{rank}")),
            text(&told["id"]),
            brief(told["content"].as_str().unwrap_or_default(), 70),
        ]);
    }
    screen::table(&format!("What answers {question:?}"), &rows);
}
