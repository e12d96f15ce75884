//! Retrieval: nearest vectors and matching words, scored by the law, each answer with its reason (G-087 to G-101).

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::entry::Knowledge;
use golem_grimoire::id::EntryId;
use golem_grimoire::recall::fusion::{LIST_LENGTH, RerankFactors, diversify, fuse};
use golem_grimoire::recall::{CONTRARIAN_TICKS, Explanation, RecallLaw};
use golem_grimoire::status::{Entry, Status};
use golem_ports::{Asked, Basis, Filter, Hit, SearchAnswer, SearchOrder, StoreError};
use golem_primitives::Ppm;
use rusqlite::types::Value;

use super::columns::Words;
use super::matrix::cosine;
use super::vectors::Near;
use crate::reader::Reader;

/// Most words of a question that are looked for; a flood of them finds no better and costs more.
pub(super) const MOST_WORDS: usize = 64;

/// Whether there are words in a text that full text can look for.
pub(super) fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A condition of SQL for a filter, and its values.
pub(super) fn conditions(filter: &Filter) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    let list = |column: &str, words: Vec<&str>, values: &mut Vec<Value>| {
        let marks = vec!["?"; words.len()].join(", ");
        values.extend(words.into_iter().map(|word| Value::Text(word.to_owned())));
        format!("e.{column} IN ({marks})")
    };
    parts.push(list("status", filter.statuses().into_iter().map(Status::name).collect(), &mut values));
    if !filter.kinds.is_empty() {
        parts.push(list("kind", filter.kinds.iter().map(|kind| kind.name()).collect(), &mut values));
    }
    if let Some(domain) = filter.domain {
        parts.push(list("domain", vec![domain.name()], &mut values));
    }
    if let Some(time) = filter.known_at {
        parts.push("e.recorded_at <= ?".to_owned());
        values.push(Value::Integer(i64::try_from(time.seconds()).unwrap_or(i64::MAX)));
    }
    for tag in &filter.tags {
        parts.push("EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = ?)".to_owned());
        values.push(Value::Text(tag.clone()));
    }
    (parts.join(" AND "), values)
}

impl Reader {
    /// Entries that carry all the tags, when some are asked for.
    fn tagged(&self, filter: &Filter) -> Result<Option<BTreeSet<EntryId>>, StoreError> {
        if filter.tags.is_empty() {
            return Ok(None);
        }
        let (condition, values) = conditions(filter);
        let sql = format!("SELECT e.id FROM entries e WHERE {condition}");
        let ids = self.all(&sql, rusqlite::params_from_iter(values), |row| row.entry_id("id"))?;
        Ok(Some(ids.into_iter().collect()))
    }

    /// G-087 to G-101. What answers a moment, best first, each answer with its reason.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be searched; [`golem_ports::Refusal`] for a vector that is none or of another model.
    pub fn recall(&self, asked: &Asked) -> Result<SearchAnswer, StoreError> {
        self.prepare_words()?;
        // One look: what a writer lands in between is not half seen.
        let look = crate::reader::look(self)?;
        let found = self.find(asked)?;
        let mut hits = found.hits(self, asked)?;
        drop(look);
        order(&mut hits, asked);
        if asked.order == SearchOrder::Hybrid {
            self.keep_apart(&mut hits)?;
        }
        Ok(SearchAnswer { hits: choose(hits, asked), basis: found.basis })
    }

    fn find(&self, asked: &Asked) -> Result<Found, StoreError> {
        let count = asked.query.fetch().max(LIST_LENGTH);
        let words = self.matching(&asked.text, count, &asked.filter)?;
        let has_words = has_words(&asked.text);
        let (near, has_vectors) = match &asked.vector {
            Some(vector) if self.may_compare(vector)? => {
                let tagged = self.tagged(&asked.filter)?;
                (self.near(&vector.values, count, &asked.filter, tagged.as_ref())?, true)
            }
            _ => (Vec::new(), false),
        };
        let basis = match (has_vectors, has_words) {
            (true, true) => Basis::Both,
            (true, false) => Basis::Vectors,
            (false, true) if asked.vector.is_none() => Basis::TextForWantOfAVector,
            (false, true) => Basis::TextForWantOfVectors,
            (false, false) => Basis::Nothing,
        };
        Ok(Found { near, words, basis })
    }

    /// G-094. Orders the best by how unlike each other they are.
    fn keep_apart(&self, hits: &mut [Hit]) -> Result<(), StoreError> {
        let scored: Vec<(EntryId, Ppm)> = hits.iter().map(|hit| (hit.entry.id(), hit.reranked)).collect();
        let mut vectors: BTreeMap<EntryId, Vec<f32>> = BTreeMap::new();
        for (id, _) in scored.iter().take(LIST_LENGTH) {
            if let Some(vector) = self.vector_of(*id)? {
                vectors.insert(*id, vector);
            }
        }
        let likeness = |a: EntryId, b: EntryId| match (vectors.get(&a), vectors.get(&b)) {
            (Some(a), Some(b)) => Ppm::round(f64::from(cosine(a, b))),
            _ => Ppm::ZERO,
        };
        let first = diversify(&scored, likeness);
        let place = |hit: &Hit| first.iter().position(|id| *id == hit.entry.id()).unwrap_or(usize::MAX);
        hits.sort_by_key(place);
        Ok(())
    }
}

/// What both searches found.
struct Found {
    near: Vec<Near>,
    words: Vec<(EntryId, f64)>,
    basis: Basis,
}

fn rank(place: usize) -> u32 {
    u32::try_from(place + 1).unwrap_or(u32::MAX)
}

impl Found {
    fn hits(&self, reader: &Reader, asked: &Asked) -> Result<Vec<Hit>, StoreError> {
        let near: Vec<EntryId> = self.near.iter().map(|near| near.id).collect();
        let words: Vec<EntryId> = self.words.iter().map(|(id, _)| *id).collect();
        let lists: Vec<&[EntryId]> = [&near[..], &words[..]].into_iter().filter(|list| !list.is_empty()).collect();
        let fused = fuse(&lists);
        let best = RerankFactors::best_fused(lists.len().max(1));
        let all: BTreeSet<EntryId> = near.iter().chain(&words).copied().collect();
        let question = asked.vector.as_ref().and_then(|vector| super::matrix::unit(&vector.values));
        let mut hits = Vec::with_capacity(all.len());
        for id in all {
            let Some(entry) = reader.entry(id)? else { continue };
            let Some(known) = entry.knowledge() else { continue };
            let vector_place = near.iter().position(|near| *near == id);
            let text_place = words.iter().position(|found| *found == id);
            // An entry that only its words found has a vector all the same.
            let cosine = match (vector_place, &question, self.basis) {
                (Some(place), _, _) => Some(self.near[place].cosine),
                (None, Some(question), Basis::Both) => reader.vector_of(id)?.map(|vector| cosine(&vector, question)),
                _ => None,
            };
            let share = fused.get(&id).copied().unwrap_or(0.0) / best;
            // Without a vector the place among the words stands for nearness; the answer's basis says so.
            let semantic = cosine.map_or(share, f64::from);
            let explanation = asked.query.explain(&asked.law.recall, known, semantic);
            let rerank = rerank(known, asked, share, &explanation);
            hits.push(Hit {
                score: explanation.score(),
                explanation,
                vector_rank: vector_place.map(rank),
                text_rank: text_place.map(rank),
                cosine,
                bm25: text_place.map(|place| self.words[place].1),
                reranked: rerank.score(),
                rerank,
                is_contrarian: false,
                entry,
            });
        }
        Ok(hits)
    }
}

/// G-094. What reranking weighs.
fn rerank(known: &Knowledge, asked: &Asked, fused: f64, explanation: &Explanation) -> RerankFactors {
    let law = &asked.law;
    let weight = law.recall.temporal;
    RerankFactors {
        fused,
        confidence: known.effective(&law.retention, asked.now),
        quality: known.quality,
        recency: if weight > 0.0 { explanation.temporal / weight } else { 0.0 },
        regime_match: known.draft.regime.map_or(1.0, |regime| asked.query.belief.probability(regime).as_f64()),
    }
}

/// How well an entry's words and its vector match, each of them half, times what the law multiplies every score by (G-090,
/// G-091, G-099) and by a mood: what was felt alike weighs a little more, its opposite a little less (G-088). Words are measured
/// by the best of those that were found, so that both halves are at most one.
fn matched(hit: &Hit, best_words: f64, law: &RecallLaw) -> f64 {
    let Explanation { regime, bloodstain, discount, emotional, .. } = hit.explanation;
    let mood = 1.0 + emotional - law.emotional / 2.0;
    let words = hit.bm25.map_or(0.0, |words| words / best_words);
    let vector = hit.cosine.map_or(0.0, |cosine| f64::from(cosine).max(0.0));
    (words + vector) / 2.0 * regime * bloodstain * discount * mood
}

fn order(hits: &mut [Hit], asked: &Asked) {
    let best_words = hits.iter().filter_map(|hit| hit.bm25).fold(f64::MIN_POSITIVE, f64::max);
    hits.sort_by(|a, b| {
        let scores = match asked.order {
            SearchOrder::Canonical => b.score.cmp(&a.score),
            SearchOrder::Hybrid => b.reranked.cmp(&a.reranked),
            SearchOrder::Matched => {
                let [of_a, of_b] = [a, b].map(|hit| matched(hit, best_words, &asked.law.recall));
                of_b.total_cmp(&of_a).then_with(|| b.score.cmp(&a.score))
            }
        };
        scores.then_with(|| a.entry.id().cmp(&b.entry.id()))
    });
}

/// G-009, G-095. No more than asked for; every hundred ticks the best of opposite feeling takes the last place.
fn choose(mut hits: Vec<Hit>, asked: &Asked) -> Vec<Hit> {
    let rest = hits.split_off(asked.query.limit.min(hits.len()));
    let opposes = |hit: &Hit| {
        let felt = hit.entry.knowledge().and_then(|known| known.draft.emotion);
        felt.zip(asked.query.mood).is_some_and(|(tag, mood)| tag.pad.opposes(mood))
    };
    if asked.query.tick.is_every(CONTRARIAN_TICKS)
        && !hits.iter().any(opposes)
        && let Some(opposite) = rest.into_iter().find(|hit| matches!(hit.entry, Entry::Active(_)) && opposes(hit))
        && let Some(last) = hits.last_mut()
    {
        *last = Hit { is_contrarian: true, ..opposite };
    }
    hits
}
