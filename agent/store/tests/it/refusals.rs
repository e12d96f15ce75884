//! a file that is not believed is told from every other kind, and not a byte of it changes.

use std::fs;
use std::path::{Path, PathBuf};

use golem_ports::{Store, StoreError};
use golem_primitives::GolemId;
use golem_store::{APPLICATION_ID, Reader, SCHEMA, SqliteStore};
use proptest::prelude::*;

use crate::world::{self, Lived, World, born, folder, fresh, golem, grown, lived, stranger, tamper};

fn log_of(path: &Path) -> PathBuf {
    path.with_extension("sqlite-wal")
}

/// Opens what must be refused, for writing and for reading; answers why, when nothing changed.
fn refused(path: &Path, expected: Option<&GolemId>) -> StoreError {
    let bytes = || (fs::read(path).expect("readable"), fs::read(log_of(path)).unwrap_or_default());
    let before = bytes();
    let error = SqliteStore::open(path, expected).expect_err("not to be believed");
    assert!(bytes() == before, "the file is untouched: {error}");
    if expected.is_none() && !matches!(&error, StoreError::Corrupt { detail, .. } if detail.contains("bytes")) {
        Reader::open(path).and_then(|reader| reader.check()).expect_err("nor read");
        assert!(bytes() == before, "the file is untouched by a reader");
    }
    error
}

fn assert_corrupt(error: &StoreError) {
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
}

#[test]
fn r_020_opening_never_makes_a_memory() {
    let (folder, path) = folder();
    for error in [
        SqliteStore::open(&path, None).map(drop).expect_err("nothing there"),
        Reader::open(&path).map(drop).expect_err("nothing there"),
    ] {
        assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "nothing was made");
}

#[test]
fn r_020_creating_never_overwrites_a_memory() {
    let (_folder, path) = lived(3);
    let before = fs::read(&path).expect("readable");
    let error = SqliteStore::create(&path, &golem(), &born(golem())).expect_err("it is there");
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    assert!(fs::read(&path).expect("readable") == before);
}

#[test]
fn r_020_a_memory_is_created_for_the_golem_that_is_born() {
    let (folder, path) = folder();
    let error = SqliteStore::create(&path, &stranger(), &born(golem())).expect_err("another's birth");
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn r_020_a_memory_is_created_in_a_folder_that_is_there() {
    let (folder, _) = folder();
    let path = folder.path().join("nowhere/golem.sqlite");
    let error = SqliteStore::create(&path, &golem(), &born(golem())).expect_err("no folder");
    assert!(error.to_string().contains("nowhere; make it first"), "{error}");
}

#[test]
fn r_020_a_file_cut_off_while_it_was_created_is_no_memory_and_no_hindrance() {
    let (folder, path) = folder();
    fs::write(folder.path().join("golem.sqlite.new"), b"half a file").expect("written");
    World::create(&path).live_to(2);
    assert!(!folder.path().join("golem.sqlite.new").exists());
}

#[test]
fn r_025_another_golems_memory_is_refused() {
    let (_folder, path) = lived(3);
    match refused(&path, Some(&stranger())) {
        StoreError::Foreign { found, wanted, .. } => assert_eq!((*found, *wanted), (golem(), stranger())),
        other => panic!("{other}"),
    }
    SqliteStore::open(&path, Some(&golem())).expect("its own");
}

/// only its own schema is read, and a file of another is left as it is.
#[test]
fn r_020_another_schema_is_refused() {
    for other in [SCHEMA + 1, SCHEMA + 6] {
        let (_folder, path) = lived(3);
        tamper(&path, &format!("PRAGMA user_version = {other}"));
        let error = refused(&path, None);
        assert!(
            matches!(error, StoreError::OtherSchema { found, known, .. } if (found, known) == (other, SCHEMA)),
            "{error}"
        );
    }
}

#[test]
fn r_025_what_is_no_golems_memory_is_refused() {
    let (folder, path) = lived(3);
    for sql in ["PRAGMA application_id = 1", "PRAGMA application_id = 0", "PRAGMA user_version = 0"] {
        let (_other, foreign) = lived(3);
        tamper(&foreign, sql);
        assert_corrupt(&refused(&foreign, None));
    }
    tamper(&path, "DELETE FROM meta");
    assert_corrupt(&refused(&path, None));
    for (name, bytes) in [("empty", &b""[..]), ("short", b"SQLite format 3\0"), ("text", &[b'x'; 9_000])] {
        let path = folder.path().join(format!("{name}.sqlite"));
        fs::write(&path, bytes).expect("written");
        assert_corrupt(&refused(&path, None));
    }
    let other = folder.path().join("other.sqlite");
    tamper(
        &other,
        &format!("CREATE TABLE meta (id, golem); PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1"),
    );
    assert_corrupt(&refused(&other, None));
}

#[test]
fn r_025_a_memory_with_something_foreign_built_in_is_refused() {
    let (_folder, path) = lived(3);
    tamper(&path, "CREATE TRIGGER t AFTER UPDATE ON journal BEGIN DELETE FROM attempts; END");
    assert_corrupt(&refused(&path, None));
}

#[test]
fn r_025_a_truncated_memory_is_refused_wherever_it_ends() {
    let (_folder, path) = lived(30);
    let whole = fs::read(&path).expect("readable");
    assert!(whole.len() > 40_000);
    for kept in [1, 99, 100, 512, 4_095, 4_096, 4_097, 8_192, whole.len() / 2, whole.len() - 4_096, whole.len() - 1] {
        fs::write(&path, &whole[..kept]).expect("written");
        assert_corrupt(&refused(&path, None));
    }
    fs::write(&path, whole).expect("written");
    assert_eq!(World::open(&path).life.tick().get(), 30);
}

#[test]
fn r_025_a_memory_with_a_page_gone_is_refused() {
    let (_folder, path) = lived(30);
    let whole = fs::read(&path).expect("readable");
    for page in 1..whole.len() / 4_096 {
        let mut damaged = whole.clone();
        damaged[page * 4_096..(page + 1) * 4_096].fill(0);
        fs::write(&path, damaged).expect("written");
        // The page of a table with no rows yet may be empty and still be a page; of zeros none is.
        assert_corrupt(&refused(&path, None));
    }
}

/// The files of a process that was killed: the newest of its life is only in the log.
fn killed(tick: u64) -> (tempfile::TempDir, PathBuf) {
    let Lived { folder, path, mut world } = fresh();
    world.live_to(tick);
    let left = [path.clone(), log_of(&path)].map(|file| (fs::read(&file).expect("readable"), file));
    drop(world);
    // As the kernel would have left both: the same files with what they had.
    left.iter().for_each(|(bytes, file)| fs::write(file, bytes).expect("written"));
    (folder, path)
}

#[test]
fn r_021_looking_at_a_killed_memory_leaves_its_log_alone() {
    let (_folder, path) = killed(20);
    assert!(fs::metadata(log_of(&path)).expect("a log").len() > 10_000);
    let error = refused(&path, Some(&stranger()));
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    Reader::open(&path).expect("readable").check().expect("sound");
    let world = World::open(&path);
    assert_eq!(world.life.tick().get(), 20, "everything acknowledged is there");
}

#[test]
fn r_021_a_log_cut_off_anywhere_gives_the_passes_before_the_cut() {
    let (_folder, path) = killed(20);
    let (main, log) = (fs::read(&path).expect("readable"), fs::read(log_of(&path)).expect("readable"));
    let mut last = 0;
    for kept in (0..=log.len()).step_by(log.len() / 60) {
        fs::write(&path, &main).expect("written");
        fs::write(log_of(&path), &log[..kept]).expect("written");
        let world = World::open(&path);
        let tick = world.life.tick().get();
        assert!(tick >= last, "a longer log never remembers less: {last} then {tick}");
        last = tick;
    }
    assert!(last >= 19, "{last}");
}

#[test]
fn r_021_a_log_without_its_file_is_not_built_over() {
    let (_folder, path) = killed(5);
    fs::remove_file(&path).expect("gone");
    assert_corrupt(&SqliteStore::create(&path, &golem(), &born(golem())).expect_err("half of a life lies here"));
    assert!(matches!(SqliteStore::open(&path, None).expect_err("gone"), StoreError::Missing { .. }));
}

#[test]
fn r_020_only_the_owner_reads_a_memory() {
    use std::os::unix::fs::PermissionsExt;
    let Lived { folder, path, mut world } = grown(2);
    let copy = world.store.insure(golem_primitives::Tick::new(2)).expect("room");
    for file in [path.clone(), log_of(&path), copy, folder.path().join("golem.sqlite.lock")] {
        let mode = fs::metadata(&file).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.display());
    }
}

#[test]
fn r_020_a_path_may_hold_any_character() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a?b#c%41 ü&mode=memory.sqlite");
    World::create(&path).live_to(2);
    assert!(path.exists());
    assert_eq!(World::open(&path).life.tick().get(), 2);
}

/// What every table says but those that are made from others: snapshots, full text and the sums themselves.
fn rows(path: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("sqlite");
    let sql = "SELECT name FROM pragma_table_list WHERE strict = 1 AND name NOT IN ('snapshots', 'sums') ORDER BY name";
    let mut tables = connection.prepare(sql).expect("tables");
    let names = tables.query_map((), |row| row.get::<_, String>(0)).expect("names");
    let names: Vec<String> = names.map(|name| name.expect("a name")).collect();
    world::rows(path, &names, "1, 2")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever bytes are there, the answer is an answer.
    #[test]
    fn r_025_no_damage_makes_a_store_panic_or_write(at in any::<prop::sample::Index>(), length in 1usize..300, byte: u8) {
        let (_folder, path) = lived(12);
        let said = rows(&path);
        let mut bytes = fs::read(&path).expect("readable");
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes[at..end].fill(byte);
        fs::write(&path, &bytes).expect("written");
        match SqliteStore::open(&path, Some(&golem())) {
            // What is accepted says what it said, in every row; the index of words is made again from them.
            Ok(store) => {
                drop(store);
                prop_assert_eq!(rows(&path), said, "at {}", at);
            }
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(fs::read(&path).expect("readable") == bytes, "untouched: {}", error);
            }
        }
    }
}
