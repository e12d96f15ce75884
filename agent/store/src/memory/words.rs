//! Which entries have a question's words, and how well. SQLite's index says where a word stands; the score, which is
//! BM25 as SQLite computes it, is ours: asked for it by row, SQLite reads a row of its own for every entry that has any
//! of the words, and that was most of a recall.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use golem_grimoire::id::EntryId;
use golem_ports::{Filter, StoreError};
use rusqlite::types::{FromSqlError, Value};

use super::columns::Words;
use super::index::{Known, Posting, Spoken};
use super::recall::{MOST_WORDS, conditions, has_words};
use crate::error::At;
use crate::reader::Reader;

/// How many times what is wanted is looked at one by one before all that may answer are looked up.
const AHEAD: usize = 4;
/// The most places of words that are kept in memory, eight bytes each.
const MOST_PLACES: usize = 4 << 20;

/// A question's words are told apart by the very tokenizer that told those of the entries apart. The tables live in
/// memory and belong to the connection.
const TABLES: &str = "
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked
        USING fts5 (words, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_words USING fts5vocab (temp, asked, instance);
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.entries_words USING fts5vocab (main, entries_text, instance);";

/// The best `count` rows in their order: the higher score first, of equal ones the lesser name.
fn best(mut rows: Vec<u32>, scores: &[f64], count: usize) -> Vec<u32> {
    let order = |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
    if rows.len() > count {
        rows.select_nth_unstable_by(count, order);
        rows.truncate(count);
    }
    rows.sort_unstable_by(order);
    rows
}

/// The number an index of full text wrote of an entry's one column: seven bits a byte, the greatest first.
fn length(bytes: &[u8]) -> rusqlite::Result<u32> {
    let mut length = 0u32;
    for byte in bytes.iter().take(5) {
        length = length.checked_mul(128).ok_or(FromSqlError::InvalidType)? | u32::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Ok(length);
        }
    }
    Err(FromSqlError::InvalidType.into())
}

impl Reader {
    /// Makes ready what [`Reader::matching`] needs. Before a look, because what a look begins with ends with it.
    pub(super) fn prepare_words(&self) -> Result<(), StoreError> {
        self.connection.execute_batch(TABLES).at(&self.path)
    }

    /// Entries whose words match, the best first and of equal ones the lesser name, with how well.
    pub(super) fn matching(
        &self,
        text: &str,
        count: usize,
        filter: &Filter,
    ) -> Result<Vec<(EntryId, f64)>, StoreError> {
        if !has_words(text) || count == 0 {
            return Ok(Vec::new());
        }
        let words = self.words_of(text)?;
        self.load_lexicon()?;
        let mut lexicon = self.index.words.0.borrow_mut();
        let Some(known) = lexicon.as_mut() else { return Ok(Vec::new()) };
        let postings =
            words.into_iter().map(|word| self.postings(known, word)).collect::<Result<Vec<_>, StoreError>>()?;
        let scores = known.scores(&postings);
        let having = || (0u32..).zip(&scores).filter(|(_, score)| **score > 0.0).map(|(row, _)| row);
        let found =
            self.let_in(known, best(having().collect(), &scores, count.saturating_mul(AHEAD)), count, filter)?;
        let found = match found {
            Some(found) => found,
            // Few of the best may answer: whoever may is looked up at once, not one by one.
            None => {
                let passing = self.passing(filter)?;
                best(
                    having().filter(|row| passing.contains(&known.rows[*row as usize].place)).collect(),
                    &scores,
                    count,
                )
            }
        };
        Ok(found.into_iter().map(|row| (known.rows[row as usize].id, scores[row as usize])).collect())
    }

    /// The first `count` of those rows that a filter lets in; `None` when there may be others behind them.
    fn let_in(
        &self,
        known: &Known,
        rows: Vec<u32>,
        count: usize,
        filter: &Filter,
    ) -> Result<Option<Vec<u32>>, StoreError> {
        let is_all = rows.len() < count.saturating_mul(AHEAD);
        let (condition, values) = conditions(filter);
        let sql = format!("SELECT 1 FROM entries e WHERE {condition} AND e.place = ?");
        let mut statement = self.connection.prepare_cached(&sql).at(&self.path)?;
        let mut found = Vec::new();
        for row in rows {
            let place = Value::Integer(known.rows[row as usize].place);
            let values = values.iter().chain([&place]);
            if found.len() < count && statement.exists(rusqlite::params_from_iter(values)).at(&self.path)? {
                found.push(row);
            }
        }
        Ok((is_all || found.len() == count).then_some(found))
    }

    /// The places of all entries a filter lets in.
    fn passing(&self, filter: &Filter) -> Result<BTreeSet<i64>, StoreError> {
        let (condition, values) = conditions(filter);
        let sql = format!("SELECT e.place FROM entries e WHERE {condition}");
        let places = self.all(&sql, rusqlite::params_from_iter(values), |row| row.get("place"))?;
        Ok(places.into_iter().collect())
    }

    /// The words of a text as the index has them, in their order.
    fn words_of(&self, text: &str) -> Result<Vec<String>, StoreError> {
        let tell = |sql: &str, words: &[&str]| -> Result<(), StoreError> {
            let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
            statement.execute(rusqlite::params_from_iter(words)).at(&self.path).map(drop)
        };
        tell("DELETE FROM temp.asked", &[])?;
        tell("INSERT INTO temp.asked (rowid, words) VALUES (1, ?1)", &[text])?;
        let most = i64::try_from(MOST_WORDS).unwrap_or(i64::MAX);
        self.all("SELECT term FROM temp.asked_words ORDER BY offset LIMIT ?1", [most], |row| row.get("term"))
    }

    /// Who has a word, by name.
    fn postings(&self, known: &mut Known, word: String) -> Result<Arc<[Posting]>, StoreError> {
        if let Some(postings) = known.postings.get(&word) {
            return Ok(Arc::clone(postings));
        }
        let mut postings: Vec<Posting> = Vec::new();
        let mut statement =
            self.connection.prepare_cached("SELECT doc FROM temp.entries_words WHERE term = ?1").at(&self.path)?;
        let mut rows = statement.query([&word]).at(&self.path)?;
        // Both are in the order of places: each is looked for behind the one before.
        let (mut from, mut last) = (0, None);
        while let Some(row) = rows.next().at(&self.path)? {
            let place: i64 = row.get(0).at(&self.path)?;
            if let (true, Some(posting)) = (last == Some(place), postings.last_mut()) {
                posting.times += 1;
                continue;
            }
            from += known.places[from..].partition_point(|(other, _)| *other < place);
            if let Some((_, row)) = known.places.get(from).filter(|(other, _)| *other == place) {
                postings.push(Posting { row: *row, times: 1 });
                last = Some(place);
            }
        }
        let postings: Arc<[Posting]> = postings.into();
        if known.kept + postings.len() > MOST_PLACES {
            known.postings.clear();
            known.kept = 0;
        }
        known.kept += postings.len();
        known.postings.insert(word, Arc::clone(&postings));
        Ok(postings)
    }

    /// Brings the lexicon up to date.
    fn load_lexicon(&self) -> Result<(), StoreError> {
        let revision = self.one("SELECT entries_revision FROM grimoire WHERE id = 1", (), |row| row.get(0))?;
        let mut lexicon = self.index.words.0.borrow_mut();
        if lexicon.as_ref().is_some_and(|known| known.revision == revision) {
            return Ok(());
        }
        let sql = "SELECT id, sz FROM entries_text_docsize ORDER BY id";
        let lengths: Vec<(i64, u32)> =
            self.all(sql, (), |row| Ok((row.get(0)?, length(row.get_ref(1)?.as_blob()?)?)))?;
        let of = |place: i64| lengths.binary_search_by_key(&place, |(place, _)| *place).map_or(0, |at| lengths[at].1);
        let rows: Vec<Spoken> = self.all("SELECT id, place FROM entries ORDER BY id", (), |row| {
            let place = row.get("place")?;
            Ok(Spoken { id: row.entry_id("id")?, place, length: of(place) })
        })?;
        let mut places: Vec<(i64, u32)> = (0u32..).zip(&rows).map(|(row, spoken)| (spoken.place, row)).collect();
        places.sort_unstable();
        let words: u64 = rows.iter().map(|spoken| u64::from(spoken.length)).sum();
        let mean_length = words as f64 / rows.len().max(1) as f64;
        let postings = BTreeMap::new();
        *lexicon = Some(Known { revision, rows, places, mean_length, postings, kept: 0 });
        Ok(())
    }
}
