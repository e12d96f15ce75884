//! How our words lie in columns.

use std::cell::RefCell;
use std::collections::BTreeMap;

use golem_core::record::Turn;
use golem_primitives::{B256, EffectId, GolemId, Tick};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, Statement, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A record as JSON text: a person can read it, and a field more does not make old ones unreadable.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text =
            serde_json::to_string(&self.0).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

/// A number that is never negative. SQLite's integers end at 2^63 - 1; what is beyond is refused, not wrapped.
pub(crate) struct Number(pub(crate) u64);

impl ToSql for Number {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let number = i64::try_from(self.0).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(number.into())
    }
}

impl FromSql for Number {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        u64::try_from(number).map(Self).map_err(|_| FromSqlError::OutOfRange(number))
    }
}

/// A Golem's name.
pub(crate) struct Name(pub(crate) GolemId);

impl FromSql for Name {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        GolemId::new(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

pub(crate) const fn tick(tick: Tick) -> Number {
    Number(tick.get())
}

pub(crate) const fn effect(effect: EffectId) -> [u8; 32] {
    effect.0.0
}

/// The stage's word in a column.
pub(crate) const fn turn(turn: Turn) -> &'static str {
    match turn {
        Turn::Sensing => "sensing",
        Turn::Deciding => "deciding",
        Turn::Acting => "acting",
        Turn::Reflecting => "reflecting",
        Turn::Sleeping => "sleeping",
    }
}

/// The stage of a word.
pub(crate) struct Stage(pub(crate) Turn);

impl FromSql for Stage {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let all = [Turn::Sensing, Turn::Deciding, Turn::Acting, Turn::Reflecting, Turn::Sleeping];
        let word = value.as_str()?;
        all.into_iter().find(|stage| turn(*stage) == word).map(Self).ok_or(FromSqlError::InvalidType)
    }
}

thread_local! {
    /// Where a column of that name stood last, by how many columns its statement has.
    static PLACES: RefCell<BTreeMap<usize, BTreeMap<String, usize>>> = RefCell::default();
}

/// The place of a column. By its name alone it is looked for from the first, and a recall reads dozens of rows of dozens
/// of columns: where it stood last it mostly still stands.
pub(crate) fn place(row: &Row<'_>, column: &str) -> rusqlite::Result<usize> {
    let statement: &Statement<'_> = row.as_ref();
    let count = statement.column_count();
    PLACES.with_borrow_mut(|places| {
        let places = places.entry(count).or_default();
        if let Some(place) = places.get(column)
            && statement.column_name(*place).is_ok_and(|name| name == column)
        {
            return Ok(*place);
        }
        let place = statement.column_index(column)?;
        places.insert(column.to_owned(), place);
        Ok(place)
    })
}

/// Columns read as our words.
pub(crate) trait Columns {
    fn number(&self, column: &str) -> rusqlite::Result<u64>;
    fn tick(&self, column: &str) -> rusqlite::Result<Tick>;
    fn hash(&self, column: &str) -> rusqlite::Result<B256>;
    fn maybe_hash(&self, column: &str) -> rusqlite::Result<Option<B256>>;
    fn effect(&self, column: &str) -> rusqlite::Result<EffectId>;
    fn turn(&self, column: &str) -> rusqlite::Result<Turn>;
    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T>;
}

impl Columns for Row<'_> {
    fn number(&self, column: &str) -> rusqlite::Result<u64> {
        self.get::<_, Number>(place(self, column)?).map(|number| number.0)
    }

    fn tick(&self, column: &str) -> rusqlite::Result<Tick> {
        self.number(column).map(Tick::new)
    }

    fn hash(&self, column: &str) -> rusqlite::Result<B256> {
        self.get(place(self, column)?).map(B256::new)
    }

    fn maybe_hash(&self, column: &str) -> rusqlite::Result<Option<B256>> {
        Ok(self.get::<_, Option<[u8; 32]>>(place(self, column)?)?.map(B256::new))
    }

    fn effect(&self, column: &str) -> rusqlite::Result<EffectId> {
        self.hash(column).map(EffectId)
    }

    fn turn(&self, column: &str) -> rusqlite::Result<Turn> {
        self.get::<_, Stage>(place(self, column)?).map(|stage| stage.0)
    }

    fn json<T: DeserializeOwned>(&self, column: &str) -> rusqlite::Result<T> {
        self.get::<_, Json<T>>(place(self, column)?).map(|json| json.0)
    }
}
