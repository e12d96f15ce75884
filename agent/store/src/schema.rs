//! The shape of the file.

use std::path::Path;
use std::sync::OnceLock;

use golem_ports::StoreError;
use rusqlite::Connection;

use crate::error::{At, corrupt};
use crate::sums;

/// In the file's header: this is a Golem's memory. The letters GLEM.
pub const APPLICATION_ID: u32 = 0x474c_454d;

/// The schema this code reads and writes. Readers refuse every other.
pub const SCHEMA: u32 = 1;

/// The application and the schema a header names.
pub(crate) fn header(connection: &Connection) -> rusqlite::Result<(u32, u32)> {
    let word = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    // Signed in the pragma, bits in the header.
    Ok((word("application_id")? as u32, word("user_version")? as u32))
}

/// Makes the tables of an empty file, with the sums of what they say.
pub(crate) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    sums::install(&transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA)?;
    transaction.commit()
}

/// Whether the file has exactly our tables. A file from elsewhere may carry a trigger or a view that would run inside our
/// transactions.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    if shape(connection).at(path)? == *ours().at(path)? {
        return Ok(());
    }
    Err(corrupt(path, format!("its tables are not those of schema {SCHEMA}")))
}

/// Full text keeps its own tables beside each of ours. SQLite declares them, so their words may change with it; that
/// they are there, and no others, is ours to say.
const SHADOWS: [&str; 4] = ["_config", "_data", "_docsize", "_idx"];
/// The table of full text.
const TEXT: &str = "entries_text";

fn is_shadow(name: &str) -> bool {
    name.strip_prefix(TEXT).is_some_and(|rest| SHADOWS.contains(&rest))
}

/// What a schema declares: kind, name and words of everything.
type Shape = Vec<(String, String, Option<String>)>;

/// What our own tables declare. Every file is compared with it when it is opened, so that it is made once.
fn ours() -> rusqlite::Result<&'static Shape> {
    static KNOWN: OnceLock<Shape> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known);
    }
    let mut ours = Connection::open_in_memory()?;
    create(&mut ours)?;
    let shape = shape(&ours)?;
    Ok(KNOWN.get_or_init(|| shape))
}

/// Everything that was ever declared, in a fixed order.
fn shape(connection: &Connection) -> rusqlite::Result<Shape> {
    let mut statement = connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
    let read = |row: &rusqlite::Row<'_>| {
        let (kind, name, sql): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let sql = sql.filter(|_| !is_shadow(&name));
        Ok((kind, name, sql))
    };
    statement.query_map((), read)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new() -> Connection {
        let mut connection = Connection::open_in_memory().expect("memory");
        create(&mut connection).expect("our tables");
        assert_eq!(header(&connection).expect("a header"), (APPLICATION_ID, SCHEMA));
        connection
    }

    /// every table says its types.
    #[test]
    fn r_020_every_table_is_strict() {
        for (kind, name, sql) in shape(&new()).expect("a shape") {
            let sql = sql.unwrap_or_default();
            let is_text = name == TEXT || is_shadow(&name);
            assert!(kind != "table" || is_text || sql.contains("STRICT"), "{name} is not strict");
        }
    }

    /// a table, a trigger or a column more is not our schema.
    #[test]
    fn r_020_a_foreign_trigger_is_noticed() {
        for foreign in [
            "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM journal; END",
            "CREATE VIEW v AS SELECT 1",
            "ALTER TABLE notes ADD COLUMN more TEXT",
            "DROP TABLE rolls",
            "DROP TRIGGER episodes_stay",
            "DROP TABLE entries_text",
            "CREATE TABLE entries_text_more (id INTEGER PRIMARY KEY) STRICT",
        ] {
            let connection = new();
            check(&connection, Path::new("memory")).expect("ours");
            connection.execute_batch(foreign).expect("sql");
            let error = check(&connection, Path::new("memory")).expect_err(foreign);
            assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        }
    }
}
