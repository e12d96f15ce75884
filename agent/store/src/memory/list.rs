//! Lists of entries for people, page by page, and entries by the beginning of their names.

use golem_grimoire::id::EntryId;
use golem_grimoire::status::{Entry, Status};
use golem_ports::{Filter, StoreError};
use rusqlite::types::Value;

use super::recall::conditions;
use crate::reader::Reader;

/// What the beginning of a name finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    Nothing,
    One(Box<Entry>),
    /// Several, of which these are the first.
    Several(Vec<EntryId>),
}

/// Names shown when a beginning is not enough.
const SHOWN: usize = 10;

impl Reader {
    /// Entries that a filter lets in, oldest first, at most `limit` of those after `after`. Unlike a recall, a list
    /// without states shows every state but the burned.
    pub fn list(&self, filter: &Filter, after: Option<EntryId>, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut filter = filter.clone();
        if filter.statuses.is_empty() {
            filter.statuses = Status::ALL.iter().copied().collect();
        }
        let (condition, mut values) = conditions(&filter);
        let after = after.map_or(Value::Null, |id| Value::Blob(id.to_be_bytes().to_vec()));
        values.extend([after, Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX))]);
        let sql = format!(
            "WHERE {condition} AND e.place > coalesce((SELECT place FROM entries WHERE id = ?), 0)
             ORDER BY e.place LIMIT ?"
        );
        self.entries_where(&sql, rusqlite::params_from_iter(values))
    }

    /// The entry whose name begins so; a whole name is its own beginning. Signs that are no hexadecimal digits do not
    /// count.
    pub fn lookup(&self, beginning: &str) -> Result<Lookup, StoreError> {
        let digits: String =
            beginning.chars().filter(char::is_ascii_hexdigit).map(|digit| digit.to_ascii_uppercase()).collect();
        if digits.is_empty() {
            return Ok(Lookup::Nothing);
        }
        let sql = "SELECT id FROM (SELECT id FROM entries UNION SELECT id FROM burned)
                   WHERE substr(hex(id), 1, length(?1)) = ?1 ORDER BY id LIMIT ?2";
        let ids = self.all(sql, (digits, SHOWN as i64), |row| super::columns::Words::entry_id(row, "id"))?;
        match ids[..] {
            [] => Ok(Lookup::Nothing),
            [one] => Ok(self.entry(one)?.map_or(Lookup::Nothing, |entry| Lookup::One(Box::new(entry)))),
            _ => Ok(Lookup::Several(ids)),
        }
    }
}
