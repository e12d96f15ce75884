//! The shape of the file: numbered steps, only forward.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use golem_ports::StoreError;
use rusqlite::Connection;

use crate::error::{At, corrupt};
use crate::sums;

/// In the file's header: this is a Golem's memory. The letters GLEM.
pub const APPLICATION_ID: u32 = 0x474c_454d;

/// Step n brings schema n-1 to n. A step that was ever released is never changed: the next number corrects it.
const STEPS: [&str; 6] = [
    include_str!("schema/0001.sql"),
    include_str!("schema/0002.sql"),
    include_str!("schema/0003.sql"),
    include_str!("schema/0004.sql"),
    include_str!("schema/0005.sql"),
    include_str!("schema/0006.sql"),
];

/// The newest schema this code knows: behind all steps the file keeps sums of what it says.
pub const SCHEMA: u32 = STEPS.len() as u32 + 1;

/// The application and the schema a header names.
pub(crate) fn header(connection: &Connection) -> rusqlite::Result<(u32, u32)> {
    let word = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    // Signed in the pragma, bits in the header.
    Ok((word("application_id")? as u32, word("user_version")? as u32))
}

/// Brings a file forward to [`SCHEMA`], each step whole or not at all.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    migrate_to(connection, SCHEMA).at(path)
}

fn migrate_to(connection: &mut Connection, schema: u32) -> rusqlite::Result<()> {
    let (_, found) = header(connection)?;
    for step in found + 1..=schema {
        let transaction = connection.transaction()?;
        match STEPS.get(step as usize - 1) {
            Some(sql) => transaction.execute_batch(sql)?,
            None => sums::install(&transaction)?,
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", step)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether the file has exactly the tables its schema number says. A file from elsewhere may carry a trigger or a view
/// that would run inside our transactions.
pub(crate) fn check(connection: &Connection, schema: u32, path: &Path) -> Result<(), StoreError> {
    if shape(connection).at(path)? == *ours(schema).at(path)? {
        return Ok(());
    }
    Err(corrupt(path, format!("its tables are not those of schema {schema}")))
}

/// Full text keeps its own tables beside each of ours. SQLite declares them, so their words may change with it; that
/// they are there, and no others, is ours to say.
const SHADOWS: [&str; 4] = ["_config", "_data", "_docsize", "_idx"];
/// The tables of full text.
const TEXTS: [&str; 2] = ["entries_text", "episodes_text"];

fn is_shadow(name: &str) -> bool {
    TEXTS.iter().any(|text| name.strip_prefix(text).is_some_and(|rest| SHADOWS.contains(&rest)))
}

/// What a schema declares: kind, name and words of everything.
type Shape = Vec<(String, String, Option<String>)>;

/// What our own steps declare. Every file is compared with it when it is opened, so that it is made once.
fn ours(schema: u32) -> rusqlite::Result<Arc<Shape>> {
    static KNOWN: Mutex<BTreeMap<u32, Arc<Shape>>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shape) = known().get(&schema) {
        return Ok(Arc::clone(shape));
    }
    let mut ours = Connection::open_in_memory()?;
    migrate_to(&mut ours, schema)?;
    let shape = Arc::new(shape(&ours)?);
    known().insert(schema, Arc::clone(&shape));
    Ok(shape)
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

    fn stepwise(steps: &[u32]) -> Connection {
        let mut connection = Connection::open_in_memory().expect("memory");
        for step in steps {
            migrate_to(&mut connection, *step).expect("a step");
            assert_eq!(header(&connection).expect("a header"), (APPLICATION_ID, *step));
        }
        connection
    }

    /// one step after the other gives what a new file has.
    #[test]
    fn r_020_a_new_file_has_the_schema_of_all_steps_in_order() {
        let every: Vec<u32> = (1..=SCHEMA).collect();
        let (fresh, grown) = (stepwise(&[SCHEMA]), stepwise(&every));
        assert_eq!(shape(&fresh).expect("a shape"), shape(&grown).expect("a shape"));
        assert!(shape(&fresh).expect("a shape").len() > 10);
    }

    /// bringing a current file forward changes nothing.
    #[test]
    fn r_020_migrating_twice_changes_nothing() {
        let mut connection = stepwise(&[SCHEMA]);
        let before = shape(&connection).expect("a shape");
        migrate(&mut connection, Path::new("memory")).expect("nothing to do");
        assert_eq!(shape(&connection).expect("a shape"), before);
    }

    /// every table says its types.
    #[test]
    fn r_020_every_table_is_strict() {
        for (kind, name, sql) in shape(&stepwise(&[SCHEMA])).expect("a shape") {
            let sql = sql.unwrap_or_default();
            let is_text = TEXTS.contains(&name.as_str()) || is_shadow(&name);
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
            "DROP TABLE episodes_text",
            "CREATE TABLE entries_text_more (id INTEGER PRIMARY KEY) STRICT",
        ] {
            let connection = stepwise(&[SCHEMA]);
            check(&connection, SCHEMA, Path::new("memory")).expect("ours");
            connection.execute_batch(foreign).expect("sql");
            let error = check(&connection, SCHEMA, Path::new("memory")).expect_err(foreign);
            assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        }
    }
}
