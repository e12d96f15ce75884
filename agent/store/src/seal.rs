//! The digest a copy carries of itself. One file proves itself, wherever it was carried.

use golem_primitives::{B256, Tick};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::codec::{Columns, tick as column};
use crate::schema;

/// What a seal says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) tick: Tick,
    pub(crate) digest: B256,
}

/// The seal of a file, if it has one.
pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Option<Seal>> {
    let sql = "SELECT tick, digest FROM seal WHERE id = 1";
    connection.query_row(sql, (), |row| Ok(Seal { tick: row.tick("tick")?, digest: row.hash("digest")? })).optional()
}

/// Seals a copy.
pub(crate) fn put(connection: &Connection, tick: Tick) -> rusqlite::Result<()> {
    let digest = digest(connection, tick)?;
    let sql = "INSERT INTO seal (id, tick, digest) VALUES (1, ?1, ?2)";
    connection.execute(sql, (column(tick), digest.0)).map(drop)
}

/// Breaks the seal: the copy becomes a living memory.
pub(crate) fn remove(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM seal", ()).map(drop)
}

/// SHA-256 of every value of every row of every table but the seal's own, each with its kind and length so that no two
/// contents run together to the same bytes.
pub(crate) fn digest(connection: &Connection, tick: Tick) -> rusqlite::Result<B256> {
    let (application, schema) = schema::header(connection)?;
    let mut hasher = Sha256::new();
    for number in [u64::from(application), u64::from(schema), tick.get()] {
        hasher.update(number.to_be_bytes());
    }
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'seal' ORDER BY name";
    let mut tables = connection.prepare(sql)?;
    for table in tables.query_map((), |row| row.get::<_, String>(0))? {
        absorb(connection, &table?, &mut hasher)?;
    }
    Ok(B256::from(<[u8; 32]>::from(hasher.finalize())))
}

fn absorb(connection: &Connection, table: &str, hasher: &mut Sha256) -> rusqlite::Result<()> {
    hasher.update((table.len() as u64).to_be_bytes());
    hasher.update(table);
    // The first column of each table is its key.
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1"))?;
    let columns = statement.column_count();
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            absorb_value(hasher, row.get_ref(column)?);
        }
    }
    // A row is never five kinds long: the end of a table is told from another row.
    hasher.update([5u8]);
    Ok(())
}

/// One value with its kind and length, so that no two rows run together to the same bytes.
pub(crate) fn absorb_value(hasher: &mut Sha256, value: ValueRef<'_>) {
    let number;
    let (kind, bytes) = match value {
        ValueRef::Null => (0u8, &[][..]),
        ValueRef::Integer(whole) => {
            number = whole.to_be_bytes();
            (1, &number[..])
        }
        ValueRef::Real(real) => {
            number = real.to_bits().to_be_bytes();
            (2, &number[..])
        }
        ValueRef::Text(text) => (3, text),
        ValueRef::Blob(bytes) => (4, bytes),
    };
    hasher.update([kind]);
    hasher.update((bytes.len() as u64).to_be_bytes());
    hasher.update(bytes);
}
