//! a byte that flips, a file that is taken away or replaced, and a copy that is lived beside its original.

use std::fs;
use std::path::Path;

use golem_ports::{Attempts, Store, StoreError, TAKE_OVER_NOTE};
use golem_primitives::Tick;
use golem_store::{Reader, SqliteStore, insurance};

use crate::mind::{at, candidate, draft, land_changes};
use crate::world::{
    Lived, World, attempt, born, buy, effect_id, folder, fresh, golem, grown, input, lived, tamper, verified,
};

/// A memory with something in most tables.
fn full(path: &Path) {
    use golem_grimoire::kind::Kind;
    use golem_grimoire::provenance::Provenance;
    let mut world = World::create(path);
    world.want(&[buy(1), buy(2)]);
    world.store.record(&attempt(effect_id(1), 4, 1)).expect("on disk");
    world.bring(vec![verified(effect_id(1), 1)]);
    world.pass_with(&input(3), &crate::mind::lived(1, "x", &[true])).expect("room");
    let made = candidate("a", draft("gas is cheap at night", Kind::Insight, Provenance::Own), at(1));
    land_changes(&mut world.store, 50, &[golem_grimoire::shelf::Change::Add(made)], None).expect("landed");
    world.store.set_note("beats", "[]").expect("on disk");
}

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, Some(&golem()))
}

/// One changed value of any table is found by the audit, at a start and before a copy is sealed; by its owner's word a life
/// goes on with it, and is sound from there.
#[test]
fn r_021_a_changed_value_is_found_wherever_it_stands() {
    for (table, change) in [
        ("events", "event = replace(event, '0', '1')"),
        ("effects", "budget = budget || ' '"),
        ("attempts", "nonce = nonce + 1"),
        ("outcomes", "pass = pass + 1"),
        ("ticks", "record = record || ' '"),
        ("rolls", "block = block + 1"),
        ("notes", "value = value || ' '"),
        ("journal", "input = input || ' '"),
        ("meta", "hash = zeroblob(32)"),
        ("episodes", "text = text || '.'"),
        ("entries", "content = content || '.'"),
        ("entries", "strength = strength + 1"),
        ("changes", "what = what || '.'"),
        ("cycles", "added = added + 1"),
    ] {
        let (_folder, path) = folder();
        full(&path);
        assert_eq!(Reader::open(&path).expect("a file").damaged().expect("readable"), [""; 0]);
        let only = format!("WHERE rowid = (SELECT min(rowid) FROM {table})");
        let only = if table == "notes" { "WHERE key = 'beats'" } else { &only };
        tamper(&path, &format!("UPDATE {table} SET {change} {only}"));
        let reader = Reader::open(&path).expect("a file");
        assert_eq!(reader.damaged().expect("readable"), [table], "{change}");
        let copy = path.with_extension("copy");
        let error = reader.export(&copy).expect_err("not sealed as if it were sound");
        assert!(matches!(error, StoreError::Corrupt { .. }) && !copy.exists(), "{error}");
        drop(reader);
        let error = open(&path).expect_err("damaged").to_string();
        assert!(error.contains(&format!("the rows of {table} are not what was written")), "{error}");
        assert!(error.contains("bardo memory restore"), "{error}");
        assert_eq!(insurance::accept(&path, &golem()).expect("sound pages"), [table]);
        assert_eq!(open(&path).expect("by its owner's word").reader().damaged().expect("readable"), [""; 0]);
    }
}

/// What is damaged stays damaged, whatever is written over it and beside it.
#[test]
fn r_021_damage_is_not_written_away() {
    let Lived { folder: _folder, path, mut world } = fresh();
    world.store.set_note("a", "1").expect("on disk");
    tamper(&path, "UPDATE notes SET value = '2' WHERE key = 'a'");
    world.store.set_note("a", "1").expect("on disk");
    world.live_to(2);
    assert_eq!(world.store.reader().damaged().expect("readable"), ["notes"]);
}

/// A file that is removed, moved away or replaced under its life ends it before anything more is written or sent, and
/// nothing that was remembered is lost.
#[test]
fn r_021_a_memory_that_is_taken_away_is_noticed_and_kept() {
    type Take = fn(&Path);
    let takes: [(&str, Take); 4] = [
        ("removed", |path| fs::remove_file(path).expect("removed")),
        ("moved", |path| fs::rename(path, path.with_extension("old")).expect("moved")),
        ("replaced", |path| {
            let other = path.with_extension("other");
            drop(SqliteStore::create(&other, &golem(), &born(golem())).expect("another"));
            fs::rename(other, path).expect("replaced");
        }),
        ("without its log", |path| fs::remove_file(path.with_extension("sqlite-wal")).expect("removed")),
    ];
    for (what, take) in takes {
        let Lived { folder: _folder, path, mut world } = grown(7);
        world.store.set_note("a", "1").expect("on disk");
        take(&path);
        let error = world.store.record(&attempt(effect_id(1), 4, 1)).expect_err(what);
        assert!(matches!(error, StoreError::Gone { .. }) && !error.may_retry(), "{what}: {error}");
        let StoreError::Gone { kept: Some(kept), .. } = world.store.append(&input(8)).expect_err(what) else {
            panic!("{what}: nothing was kept")
        };
        assert!(error.to_string().contains(&format!("--from {}", kept.display())), "{what}: {error}");
        drop(world);
        let done = insurance::restore(&kept, &path, &golem()).expect("sealed");
        assert_eq!((done.tick, done.seq), (Tick::new(7), 7), "{what}");
        let mut world = World::open(&path);
        assert_eq!(world.store.note("a").expect("readable").as_deref(), Some("1"), "{what}");
        world.live_to(8);
    }
}

/// A copy of a memory is not lived beside its original before its owner says so; what was put back or imported is.
#[test]
fn r_021_a_copied_memory_is_not_lived_unasked() {
    let (folder, path) = lived(5);
    let copy = folder.path().join("copy.sqlite");
    fs::copy(&path, &copy).expect("copied");
    let bytes = fs::read(&copy).expect("readable");
    let error = open(&copy).expect_err("a copy");
    assert!(matches!(error, StoreError::Copied { .. }) && error.to_string().contains("--as-is"), "{error}");
    assert!(fs::read(&copy).expect("readable") == bytes, "untouched");
    World::open(&path).live_to(6);

    let moved = folder.path().join("moved.sqlite");
    fs::rename(&path, &moved).expect("moved");
    World::open(&moved).live_to(7);

    insurance::accept(&copy, &golem()).expect("sound");
    let mut world = World::open(&copy);
    world.live_to(6);
    let word = world.store.note(TAKE_OVER_NOTE).expect("readable");
    assert!(word.is_some_and(|word| !word.is_empty()), "the chain is told of it");
    let export = folder.path().join("export.sqlite");
    world.store.reader().export(&export).expect("room");
    drop(world);
    World::open(&copy).live_to(7);
    let imported = folder.path().join("imported.sqlite");
    insurance::restore(&export, &imported, &golem()).expect("sealed");
    World::open(&imported).live_to(7);
}

/// A program that holds the file is told of as that, and nothing is lost by it.
#[test]
fn r_021_a_foreign_lock_is_told_and_passes() {
    let Lived { folder: _folder, path, mut world } = grown(2);
    let other = rusqlite::Connection::open(&path).expect("the file");
    other.execute_batch("BEGIN IMMEDIATE").expect("held");
    let error = world.store.append(&input(3)).expect_err("held");
    assert!(matches!(error, StoreError::Busy { .. }) && error.may_retry(), "{error}");
    other.execute_batch("ROLLBACK").expect("let go");
    world.live_to(3);
}
