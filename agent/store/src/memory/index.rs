//! What searching keeps in memory until it changes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use golem_grimoire::id::EntryId;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::status::Status;
use golem_ports::Filter;
use golem_primitives::UtcTime;

use super::matrix::Matrix;

/// BM25's two numbers, SQLite's.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// What a word weighs that more than half of all entries have.
const LEAST_WEIGHT: f64 = 1e-6;

/// What searching keeps in memory until it changes: the vectors of the model in use, and where words stand.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(super) vectors: RefCell<Option<Loaded>>,
    pub(super) words: Lexicon,
}

#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) vectors: i64,
    pub(super) entries: i64,
    pub(super) matrix: Matrix,
    pub(super) rows: Vec<RowFacts>,
}

/// What a filter asks of a row, and where its own numbers are.
#[derive(Debug, Clone)]
pub(super) struct RowFacts {
    pub(super) place: i64,
    pub(super) id: EntryId,
    pub(super) kind: Kind,
    pub(super) status: Status,
    pub(super) domain: Domain,
    pub(super) recorded: UtcTime,
}

impl RowFacts {
    pub(super) fn passes(&self, filter: &Filter, statuses: &BTreeSet<Status>) -> bool {
        statuses.contains(&self.status)
            && (filter.kinds.is_empty() || filter.kinds.contains(&self.kind))
            && filter.domain.is_none_or(|domain| domain == self.domain)
            && filter.known_at.is_none_or(|time| self.recorded <= time)
    }
}

/// Where words stand, as of the last question.
#[derive(Debug, Default)]
pub(super) struct Lexicon(pub(super) RefCell<Option<Known>>);

#[derive(Debug)]
pub(super) struct Known {
    pub(super) revision: i64,
    /// Every entry by its name, so that of equal scores the lesser place is the lesser name.
    pub(super) rows: Vec<Spoken>,
    /// The same by their places in the file.
    pub(super) places: Vec<(i64, u32)>,
    pub(super) mean_length: f64,
    pub(super) postings: BTreeMap<String, Arc<[Posting]>>,
    pub(super) kept: usize,
}

/// An entry and how many words it has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spoken {
    pub(super) id: EntryId,
    pub(super) place: i64,
    pub(super) length: u32,
}

/// An entry that has a word, and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    pub(super) row: u32,
    pub(super) times: u32,
}

impl Known {
    /// BM25 of every entry for those words; zero for one that has none of them.
    pub(super) fn scores(&self, asked: &[Arc<[Posting]>]) -> Vec<f64> {
        let mut scores = vec![0.0; self.rows.len()];
        let all = self.rows.len() as f64;
        for postings in asked {
            let having = postings.len() as f64;
            let weight = ((all - having + 0.5) / (having + 0.5)).ln();
            let weight = if weight <= 0.0 { LEAST_WEIGHT } else { weight };
            for posting in postings.iter() {
                let (times, length) = (f64::from(posting.times), f64::from(self.rows[posting.row as usize].length));
                let part = weight * ((times * (K1 + 1.0)) / (times + K1 * (1.0 - B + B * length / self.mean_length)));
                scores[posting.row as usize] += part;
            }
        }
        scores
    }
}
