//! Questions to the Grimoire, and answers that explain themselves.

use std::collections::BTreeSet;

use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::recall::fusion::RerankFactors;
use golem_grimoire::recall::{Explanation, Query, RecallScore};
use golem_grimoire::status::{Entry, Status};
use golem_primitives::{Ppm, UtcTime};

use super::Vector;

/// Which entries may answer. An empty set asks for nothing in particular.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub kinds: BTreeSet<Kind>,
    /// G-098. States. Empty means active ones alone, which is what decisions use; a person may ask for others.
    pub statuses: BTreeSet<Status>,
    /// G-033. Words an entry must all carry.
    pub tags: BTreeSet<String>,
    pub domain: Option<Domain>,
    /// G-121. What was written down by then.
    pub known_at: Option<UtcTime>,
}

impl Filter {
    /// G-098. The states that may answer.
    #[must_use]
    pub fn statuses(&self) -> BTreeSet<Status> {
        if self.statuses.is_empty() { BTreeSet::from([Status::Active]) } else { self.statuses.clone() }
    }
}

/// C13. By which law answers are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum SearchOrder {
    /// G-087. The base score.
    #[default]
    Canonical,
    /// G-094. Ranks in both lists fused, weighed again, and kept apart from each other.
    Hybrid,
    /// How well words and vector match, half each, times what regime, bloodstain and source weigh. What a decision is told:
    /// it finds most (docs/benchmarks.md), for a text's quality and age say nothing of whether it answers.
    Matched,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// In words. They are looked for as words, whatever signs are in them.
    pub text: String,
    /// The same as a vector, when there is a model.
    pub vector: Option<Vector>,
    /// How many, in which mood, regime and tick.
    pub query: Query,
    /// Wall time, by which confidence decays.
    pub now: UtcTime,
    pub law: GrimoireLaw,
    pub filter: Filter,
    pub order: SearchOrder,
}

/// What an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// Vectors and full text.
    Both,
    /// Vectors; nothing was asked in words.
    Vectors,
    /// Full text alone: the question came without a vector.
    TextForWantOfAVector,
    /// Full text alone: no entry has a vector yet.
    TextForWantOfVectors,
    /// Neither: nothing was asked.
    Nothing,
}

/// An entry that answers, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub entry: Entry,
    /// G-087. Its base score.
    pub score: RecallScore,
    /// The base score by part.
    pub explanation: Explanation,
    /// Its place among the nearest vectors, from 1.
    pub vector_rank: Option<u32>,
    /// Its place in full text, from 1.
    pub text_rank: Option<u32>,
    /// Cosine with the question.
    pub cosine: Option<f32>,
    /// How well its words match; the higher the better.
    pub bm25: Option<f64>,
    /// G-094. What reranking weighs.
    pub rerank: RerankFactors,
    /// G-094. What that comes to.
    pub reranked: Ppm,
    /// G-095. Brought in because it feels the opposite way.
    pub is_contrarian: bool,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    pub basis: Basis,
}
