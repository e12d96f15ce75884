//! the input is journalled, then the result lands in one transaction; startup is recovery.

use golem_core::record::{Observation, TickInput, Turn};
use golem_core::step::step;
use golem_ports::{Committed, JournalEntry, Store, StoreError};
use golem_primitives::{B256, Tick};
use golem_store::{Reader, SNAPSHOTS_KEPT, SqliteStore};

use crate::passed::committed;
use crate::world::{Lived, World, born, folder, fresh, golem, grown, input, land, lived, tamper};

fn detail(error: StoreError) -> &'static str {
    match error {
        StoreError::OutOfOrder { detail, .. } => detail,
        other => panic!("not out of order: {other}"),
    }
}

#[test]
fn r_020_a_new_memory_begins_with_the_birth_and_nothing_else() {
    let Lived { folder: _folder, world, .. } = fresh();
    let restored = world.store.restore().expect("a birth");
    let (seq, life) = restored.snapshot.expect("a birth");
    assert_eq!((seq, life.hash()), (0, born(golem()).hash()));
    assert_eq!(restored.journal, []);
    assert_eq!(world.store.golem(), &golem());
}

#[test]
fn r_020_an_appended_input_waits_for_its_pass_over_a_restart() {
    let Lived { folder: _folder, path, mut world } = grown(3);
    let waiting = TickInput { turn: Turn::Sensing, ..input(4) };
    assert_eq!(world.store.append(&waiting).expect("on disk"), 4);
    drop(world);
    let store = SqliteStore::open(&path, None).expect("a memory");
    let journal = store.restore().expect("readable").journal;
    assert_eq!(journal.last(), Some(&JournalEntry { seq: 4, input: waiting, hash: None }));
    assert!(journal[..3].iter().all(|entry| entry.hash.is_some()));
    assert_eq!(store.reader().last_pass().expect("readable"), Some((4, false)));
    drop(store);
    let world = World::open(&path);
    assert_eq!(world.store.reader().last_pass().expect("readable"), Some((4, true)), "recovery landed it");
}

#[test]
fn r_021_a_life_that_restarts_at_every_tick_reaches_the_same_states() {
    let (_folder, path) = folder();
    let (_other, unbroken) = folder();
    World::create(&path);
    for tick in 1..=25 {
        World::open(&path).live_to(tick);
    }
    let mut whole = World::create(&unbroken);
    whole.live_to(25);
    let world = World::open(&path);
    assert_eq!(world.life.hash(), whole.life.hash());
    let journals = (world.store.journal(1, 100), whole.store.journal(1, 100));
    assert_eq!(journals.0.expect("readable"), journals.1.expect("readable"));
}

#[test]
fn r_020_a_pass_is_committed_once_and_only_after_it_was_appended() {
    let (_folder, path) = folder();
    let World { mut store, life } = World::create(&path);
    let input = input(1);
    let next = step(life, &input);
    let error = store.commit(committed(1, &input, &next)).expect_err("never appended");
    assert_eq!(detail(error), "it was never appended");
    let seq = store.append(&input).expect("on disk");
    store.commit(committed(seq, &input, &next)).expect("due");
    let before = store.reader().counts().expect("counted");
    let error = store.commit(committed(seq, &input, &next)).expect_err("a second time");
    assert_eq!(detail(error), "it is committed already");
    assert_eq!(store.reader().counts().expect("counted"), before);
}

#[test]
fn r_020_a_pass_lands_only_on_the_input_it_was_made_of() {
    let (_folder, path) = folder();
    let World { mut store, life } = World::create(&path);
    let (appended, other) = (input(1), TickInput { turn: Turn::Acting, ..input(1) });
    let seq = store.append(&appended).expect("on disk");
    let error = store.commit(committed(seq, &other, &step(life.clone(), &other))).expect_err("another input");
    assert_eq!(detail(error), "another input was appended there");
    let next = step(life, &appended);
    let wrong = Committed { hash: B256::ZERO, keep_snapshot: true, ..committed(seq, &appended, &next) };
    assert_eq!(detail(store.commit(wrong).expect_err("another hash")), "the hash is not that of the life");
    store.commit(committed(seq, &appended, &next)).expect("nothing stands in the way of the right one");
}

#[test]
fn r_020_nothing_follows_a_pass_that_has_not_landed() {
    let (_folder, path) = folder();
    let World { mut store, life } = World::create(&path);
    let seq = store.append(&input(1)).expect("on disk");
    let error = store.append(&input(2)).expect_err("the first is open");
    assert!(matches!(error, StoreError::OutOfOrder { seq: 1, .. }), "{error}");
    store.commit(committed(seq, &input(1), &step(life, &input(1)))).expect("due");
    assert_eq!(store.append(&input(2)).expect("its turn"), 2);
}

#[test]
fn r_020_a_pass_that_cannot_land_whole_does_not_land_at_all() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let wanted = crate::world::buy(1);
    world.want(std::slice::from_ref(&wanted));
    let before = world.store.reader().counts().expect("counted");
    // The same effect once more: its name is taken, and the write fails in the middle of the transaction.
    world.pass(&input(2), &[wanted]).expect_err("one name, one effect");
    let after = world.store.reader().counts().expect("counted");
    assert_eq!((after.passes, after.committed), (2, 1));
    assert_eq!((after.events, after.effects, after.ticks), (before.events, before.effects, before.ticks));
    assert_eq!(world.store.rolls_after(Tick::new(1)).expect("readable"), []);
}

#[test]
fn r_020_an_input_that_would_not_read_back_is_refused_before_it_is_journalled() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let mut beyond = input(1);
    beyond.tick = Tick::MAX;
    let error = world.store.append(&beyond).expect_err("no column holds it");
    assert!(matches!(error, StoreError::Failed { .. }), "{error}");
    assert_eq!(world.store.journal(1, 10).expect("readable"), []);
}

#[test]
fn r_020_the_last_snapshots_are_kept_and_the_newest_is_gone_on_from() {
    let (_folder, path) = lived(57);
    let store = SqliteStore::open(&path, None).expect("a memory");
    let restored = store.restore().expect("readable");
    let (seq, life) = restored.snapshot.expect("a snapshot");
    assert_eq!((seq, life.tick()), (50, Tick::new(50)));
    assert_eq!(restored.journal.iter().map(|entry| entry.seq).collect::<Vec<_>>(), (51..=57).collect::<Vec<_>>());
    drop(store);
    let kept: u64 = rusqlite::Connection::open(&path)
        .and_then(|file| file.query_row("SELECT count(*) FROM snapshots", (), |row| row.get::<_, i64>(0)))
        .expect("sqlite") as u64;
    assert_eq!(kept, SNAPSHOTS_KEPT);
}

#[test]
fn r_020_a_snapshot_that_cannot_be_believed_is_passed_over_for_the_one_before() {
    let (_folder, path) = lived(37);
    // Another version of the record; bytes that are no life; a life that was changed.
    for (sql, gone_on_from) in [
        ("UPDATE snapshots SET life = CAST(x'7f' || substr(life, 2) AS BLOB) WHERE seq = 30", 20),
        ("UPDATE snapshots SET life = x'0203' WHERE seq = 20", 10),
        ("UPDATE snapshots SET life = (SELECT life FROM meta) WHERE seq = 10", 0),
    ] {
        tamper(&path, sql);
        let reader = Reader::open(&path).expect("a memory");
        assert_eq!(reader.latest_snapshot().expect("readable").map(|(seq, _)| seq), Some(gone_on_from), "{sql}");
    }
    let world = World::open(&path);
    let (_other, unbroken) = folder();
    assert_eq!(
        world.life.hash(),
        World::create(&unbroken).live_to(37).life.hash(),
        "the whole journal leads to the same life"
    );
}

#[test]
fn r_020_a_birth_that_was_changed_is_not_replayed_from() {
    let (_folder, path) = lived(3);
    tamper(&path, "UPDATE meta SET life = CAST(substr(life, 1, length(life) - 1) || x'ff' AS BLOB)");
    let error = Reader::open(&path).expect("pages are sound").birth().expect_err("not the birth");
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    let error = SqliteStore::open(&path, None).expect_err("nor is its row");
    assert!(error.to_string().contains("the rows of meta"), "{error}");
}

#[test]
fn r_002_the_whole_journal_replays_from_the_birth_to_every_hash() {
    let (_folder, path) = lived(40);
    let reader = Reader::open(&path).expect("a memory");
    let mut life = reader.birth().expect("readable").expect("of this code");
    let mut from = 1;
    loop {
        let some = reader.journal(from, 7).expect("readable");
        if some.is_empty() {
            break;
        }
        for entry in some {
            life = step(life, &entry.input).life;
            assert_eq!((entry.seq, entry.hash), (from, Some(life.hash())));
            from += 1;
        }
    }
    assert_eq!(from, 41);
}

#[test]
fn r_020_a_refused_pass_is_remembered_like_any_other() {
    let Lived { folder: _folder, path, mut world } = grown(2);
    let stale = input(1);
    let seq = world.store.append(&stale).expect("on disk");
    let next = step(world.life.clone(), &stale);
    assert!(next.record.is_none());
    land(&mut world.store, seq, &stale, &next, &[], false).expect("room");
    let mut blind = input(3);
    blind.observations.push(Observation::Blind);
    world.pass(&blind, &[]).expect("room");
    drop(world);
    assert_eq!(World::open(&path).life.tick(), Tick::new(3));
}
