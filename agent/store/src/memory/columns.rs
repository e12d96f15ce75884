//! How the words of the Grimoire lie in columns.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_primitives::{Ppm, Tick, UtcTime};
use rusqlite::types::{FromSqlError, Type, Value};
use rusqlite::{Connection, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::codec::{Columns, Json, Number, place};

/// A row to write: each column with its value.
pub(super) type Cells = Vec<(&'static str, Value)>;

pub(super) fn number(number: u64) -> rusqlite::Result<Value> {
    i64::try_from(number).map(Value::Integer).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

pub(super) fn small(number: u32) -> Value {
    Value::Integer(number.into())
}

pub(super) fn flag(flag: bool) -> Value {
    Value::Integer(flag.into())
}

pub(super) fn word(word: &str) -> Value {
    Value::Text(word.to_owned())
}

pub(super) fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Value) -> Value {
    value.map_or(Value::Null, cell)
}

pub(super) fn json<T: Serialize>(value: &T) -> rusqlite::Result<Value> {
    let text = serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    Ok(Value::Text(text))
}

pub(super) fn maybe_json<T: Serialize>(value: Option<&T>) -> rusqlite::Result<Value> {
    value.map_or(Ok(Value::Null), json)
}

/// Writes a row, or all but its key of the row with that key. Names of tables and columns are ours.
pub(super) fn put(to: &Connection, table: &str, key: &str, cells: &Cells) -> rusqlite::Result<()> {
    let names: Vec<&str> = cells.iter().map(|(name, _)| *name).collect();
    let places: Vec<String> = (1..=cells.len()).map(|place| format!("?{place}")).collect();
    let changes: Vec<String> =
        names.iter().filter(|name| **name != key).map(|name| format!("{name} = excluded.{name}")).collect();
    let sql = format!(
        "INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT ({key}) DO UPDATE SET {}",
        names.join(", "),
        places.join(", "),
        changes.join(", ")
    );
    let values = cells.iter().map(|(_, value)| value);
    to.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(values)).map(drop)
}

/// A row's columns as words of the Grimoire.
pub(super) trait Words {
    fn small(&self, column: &str) -> rusqlite::Result<u32>;
    fn flag(&self, column: &str) -> rusqlite::Result<bool>;
    fn share(&self, column: &str) -> rusqlite::Result<Ppm>;
    fn confidence(&self, column: &str) -> rusqlite::Result<Confidence>;
    fn time(&self, column: &str) -> rusqlite::Result<UtcTime>;
    /// The columns `{stem}_tick` and `{stem}_at`.
    fn moment(&self, stem: &str) -> rusqlite::Result<Moment>;
    fn maybe_moment(&self, stem: &str) -> rusqlite::Result<Option<Moment>>;
    fn entry_id(&self, column: &str) -> rusqlite::Result<EntryId>;
    fn episode_id(&self, column: &str) -> rusqlite::Result<EpisodeId>;
    fn word<T>(&self, column: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T>;
    fn maybe_word<T>(&self, column: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>>;
    fn maybe_json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<Option<T>>;
}

/// A value that none of our words is.
fn strange(column: &str, found: &str) -> rusqlite::Error {
    let error = FromSqlError::Other(format!("{column} holds {found}").into());
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
}

impl Words for Row<'_> {
    fn small(&self, column: &str) -> rusqlite::Result<u32> {
        let number = Columns::number(self, column)?;
        u32::try_from(number).map_err(|_| strange(column, &number.to_string()))
    }

    fn flag(&self, column: &str) -> rusqlite::Result<bool> {
        self.get(place(self, column)?)
    }

    fn share(&self, column: &str) -> rusqlite::Result<Ppm> {
        let parts = Words::small(self, column)?;
        Ppm::new(parts).ok_or_else(|| strange(column, &parts.to_string()))
    }

    fn confidence(&self, column: &str) -> rusqlite::Result<Confidence> {
        self.share(column).map(Confidence::new)
    }

    fn time(&self, column: &str) -> rusqlite::Result<UtcTime> {
        Columns::number(self, column).map(UtcTime::from_seconds)
    }

    fn moment(&self, stem: &str) -> rusqlite::Result<Moment> {
        Ok(Moment::new(self.tick(&format!("{stem}_tick"))?, self.time(&format!("{stem}_at"))?))
    }

    fn maybe_moment(&self, stem: &str) -> rusqlite::Result<Option<Moment>> {
        let tick = self.get::<_, Option<Number>>(place(self, &format!("{stem}_tick"))?)?;
        let at = self.get::<_, Option<Number>>(place(self, &format!("{stem}_at"))?)?;
        Ok(tick.zip(at).map(|(tick, at)| Moment::new(Tick::new(tick.0), UtcTime::from_seconds(at.0))))
    }

    fn entry_id(&self, column: &str) -> rusqlite::Result<EntryId> {
        EntryId::from_be_bytes(self.get(place(self, column)?)?).map_err(|error| strange(column, &error.to_string()))
    }

    fn episode_id(&self, column: &str) -> rusqlite::Result<EpisodeId> {
        EpisodeId::from_be_bytes(self.get(place(self, column)?)?).map_err(|error| strange(column, &error.to_string()))
    }

    fn word<T>(&self, column: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
        let word: String = self.get(place(self, column)?)?;
        read(&word).ok_or_else(|| strange(column, &word))
    }

    fn maybe_word<T>(&self, column: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
        match self.get::<_, Option<String>>(place(self, column)?)? {
            Some(word) => read(&word).map(Some).ok_or_else(|| strange(column, &word)),
            None => Ok(None),
        }
    }

    fn maybe_json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<Option<T>> {
        self.get::<_, Option<Json<T>>>(place(self, column)?).map(|json| json.map(|json| json.0))
    }
}
