//! A sum of what each table says, kept by the file itself: a byte that flips anywhere in a row is found.
//!
//! SQLite has no checksums of its own, and most bytes of a row may be anything. So each table has one number, the sum of a
//! digest of each of its rows; triggers add what comes and take off what goes, whoever writes. What is damaged stays
//! damaged whatever is written behind it: a trigger takes off the digest of the damaged row, not of the one that was added.

use std::path::Path;

use golem_ports::StoreError;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::error::{At, corrupt};
use crate::seal;

/// Not summed: the sums, a copy's seal, which is a digest itself, and snapshots, which the journal's hashes prove.
const UNSUMMED: [&str; 3] = ["seal", "snapshots", "sums"];

/// Lets a connection write: `tally(total, sign, table, values...)` is the total with a row more or less.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    // Innocuous: it reads nothing but its arguments, so that a schema we do not trust otherwise may call it.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("tally", -1, flags, |context| {
        let (total, sign) = (context.get::<i64>(0)?, context.get::<i64>(1)?);
        let row = digest((2..context.len()).map(|place| context.get_raw(place)));
        Ok(total.wrapping_add(sign.wrapping_mul(row)))
    })
}

fn digest<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    let mut hasher = Sha256::new();
    values.for_each(|value| seal::absorb_value(&mut hasher, value));
    let digest: [u8; 32] = hasher.finalize().into();
    i64::from_be_bytes(digest[..8].try_into().expect("eight of thirty-two"))
}

/// Begins the sums of a file with what stands in it, and keeps them from then on.
pub(crate) fn install(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "CREATE TABLE sums (name TEXT NOT NULL PRIMARY KEY, total INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    )?;
    for table in tables(connection)? {
        let columns = columns(connection, &table)?;
        let of = |row: &str| columns.iter().map(|column| format!("{row}.\"{column}\"")).collect::<Vec<_>>().join(", ");
        let (new, old) = (of("NEW"), of("OLD"));
        let on = |what: &str, word: &str, total: String| {
            format!(
                "CREATE TRIGGER {table}_{word} AFTER {what} ON {table} BEGIN
                     UPDATE sums SET total = {total} WHERE name = '{table}';
                 END;"
            )
        };
        let less = format!("tally(total, -1, '{table}', {old})");
        connection.execute_batch(&on("INSERT", "added", format!("tally(total, 1, '{table}', {new})")))?;
        connection.execute_batch(&on("DELETE", "taken", less.clone()))?;
        connection.execute_batch(&on("UPDATE", "changed", format!("tally({less}, 1, '{table}', {new})")))?;
    }
    begin(connection)
}

/// Takes what stands in the file for what was written.
pub(crate) fn begin(connection: &Connection) -> rusqlite::Result<()> {
    for table in tables(connection)? {
        let total = total(connection, &table)?;
        let sql = "INSERT INTO sums (name, total) VALUES (?1, ?2)
                   ON CONFLICT (name) DO UPDATE SET total = excluded.total";
        connection.execute(sql, (table, total))?;
    }
    Ok(())
}

/// The tables whose rows are not what was written.
pub(crate) fn damaged(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut damaged = Vec::new();
    for table in tables(connection)? {
        let sql = "SELECT total FROM sums WHERE name = ?1";
        let written: Option<i64> = connection.query_row(sql, [&table], |row| row.get(0)).optional()?;
        if written != Some(total(connection, &table)?) {
            damaged.push(table);
        }
    }
    Ok(damaged)
}

/// Whether every row is what was written.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match damaged(connection).at(path)?.as_slice() {
        [] => Ok(()),
        tables => Err(corrupt(path, format!("the rows of {} are not what was written", tables.join(", ")))),
    }
}

/// Every table of ours; those of full text are made from others.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 1 ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let names: Vec<String> = statement.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(names.into_iter().filter(|name| !UNSUMMED.contains(&name.as_str())).collect())
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

fn total(connection: &Connection, table: &str) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\""))?;
    let count = statement.column_count();
    let mut rows = statement.query(())?;
    let mut total = 0i64;
    while let Some(row) = rows.next()? {
        let mut values = Vec::with_capacity(count + 1);
        values.push(ValueRef::Text(table.as_bytes()));
        for column in 0..count {
            values.push(row.get_ref(column)?);
        }
        total = total.wrapping_add(digest(values.into_iter()));
    }
    Ok(total)
}
