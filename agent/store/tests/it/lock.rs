//! Two processes never live one life.

use golem_ports::StoreError;
use golem_store::{Reader, SqliteStore, insurance};

use crate::world::{Lived, born, fresh, golem, grown};

fn holder(error: StoreError) -> u32 {
    match error {
        StoreError::InUse { pid, .. } => pid,
        other => panic!("not in use: {other}"),
    }
}

#[test]
fn r_021_a_memory_in_use_names_who_uses_it() {
    let Lived { folder, path, world } = fresh();
    let us = std::process::id();
    assert_eq!(holder(SqliteStore::open(&path, None).expect_err("in use")), us);
    assert_eq!(holder(SqliteStore::create(&path, &golem(), &born(golem())).expect_err("in use")), us);
    let other_name = folder.path().join("other.sqlite");
    std::os::unix::fs::symlink(&path, &other_name).expect("a link");
    assert_eq!(holder(SqliteStore::open(&other_name, None).expect_err("the same file")), us);
    Reader::open(&path).expect("looking is free");
    drop(world);
    SqliteStore::open(&path, None).expect("let go");
}

#[test]
fn r_025_a_memory_in_use_is_not_restored_over() {
    let Lived { folder, path, mut world } = grown(3);
    let copy = folder.path().join("copy.sqlite");
    world.store.reader().export(&copy).expect("room");
    world.live_to(5);
    let error = insurance::restore(&copy, &path, &golem()).expect_err("in use");
    assert_eq!(holder(error), std::process::id());
    assert_eq!(world.live_to(6).life.tick().get(), 6);
}

/// A fleet has a thousand memories in one process: where SQLite counts what it allocates, each of them waits for all others at
/// every allocation (`.cargo/config.toml`).
#[test]
fn r_051_no_memory_waits_for_anothers_allocations() {
    let sqlite = rusqlite::Connection::open_in_memory().expect("in memory");
    let sql = "SELECT compile_options = 'DEFAULT_MEMSTATUS=0' FROM pragma_compile_options ORDER BY 1 DESC LIMIT 1";
    assert!(sqlite.query_row(sql, (), |row| row.get::<_, bool>(0)).expect("its own words"));
}
