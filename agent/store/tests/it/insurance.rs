//! R-025, M-227..M-229: whole copies, refused when they are not what was sealed, and the way back.

use std::fs;
use std::path::{Path, PathBuf};

use golem_ports::{Attempts, Store, StoreError};
use golem_primitives::Tick;
use golem_store::{INSURANCE_KEPT, Reader, SCHEMA, SqliteStore, insurance};

use crate::world::{
    Lived, World, attempt, born, buy, effect_id, fresh, golem, grown, insured, stranger, tamper, verified,
};

fn ticks(folder: &Path) -> Vec<u64> {
    let all = insurance::list(folder).expect("readable");
    all.iter().filter_map(|insured| insured.contents.as_ref().ok()).map(|(_, tick)| tick.get()).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    names
}

#[test]
fn m_227_an_insurance_snapshot_is_one_file_that_proves_itself() {
    let (Lived { folder: _folder, mut world, .. }, copy) = insured(12);
    assert_eq!(copy, world.store.insurance_folder().join("12.sqlite"));
    assert_eq!(names(&world.store.insurance_folder()), ["12.sqlite"], "no log, no half, no second file");
    assert_eq!(insurance::verify(&copy, Some(&golem())).expect("sealed"), (golem(), Tick::new(12)));
    let listed = insurance::list(&world.store.insurance_folder()).expect("readable");
    assert_eq!((listed.len(), &listed[0].path), (1, &copy));
    assert_eq!(listed[0].bytes, fs::metadata(&copy).expect("there").len());
    world.live_to(13);
    let restored = Reader::open(&copy).expect("readable by faces as well").counts().expect("counted");
    assert_eq!(restored.committed, 12, "it stands where it was taken");
}

#[test]
fn m_229_a_snapshot_holds_the_whole_memory_and_the_life_goes_on_from_it() {
    let Lived { folder, mut world, .. } = fresh();
    world.live_to(8).want(&[buy(1), buy(2)]);
    let sent = attempt(effect_id(2), 4, 1);
    world.store.record(&sent).expect("on disk");
    world.bring(vec![verified(effect_id(1), 9)]);
    world.store.set_note("beat", "3").expect("on disk");
    let copy = world.store.insure(Tick::new(10)).expect("room");
    let before = world.life.hash();
    let trail = world.store.reader().ticks(Tick::ZERO, Tick::MAX, 100).expect("readable");
    drop(world);

    let elsewhere = folder.path().join("elsewhere.sqlite");
    let done = insurance::restore(&copy, &elsewhere, &golem()).expect("sealed");
    assert_eq!((done.golem, done.tick, done.seq, done.replaced), (golem(), Tick::new(10), 10, None));
    let mut world = World::open(&elsewhere);
    assert_eq!(world.life.hash(), before, "vitality, phase, fitness, chance: the whole life");
    assert_eq!(world.store.reader().ticks(Tick::ZERO, Tick::MAX, 100).expect("readable"), trail);
    assert_eq!(world.store.of(effect_id(2)).expect("readable"), [sent]);
    assert_eq!(world.store.outcomes_after(0).expect("readable").len(), 1);
    assert_eq!(world.store.note("beat").expect("readable").as_deref(), Some("3"));
    assert!(world.store.open_effects().expect("readable").iter().any(|open| open.effect == buy(2)));
    assert_eq!(world.live_to(20).life.tick(), Tick::new(20));
}

/// M-228, M-213: of a memory that is lost the last snapshot is the record, and what is left of the lost one is kept.
#[test]
fn m_228_a_damaged_memory_is_replaced_by_the_last_snapshot_and_kept_aside() {
    let (Lived { folder, path, mut world }, copy) = insured(10);
    world.live_to(14);
    drop(world);
    for (round, aside) in ["golem.sqlite.replaced-1", "golem.sqlite.replaced-2"].into_iter().enumerate() {
        let mut damaged = fs::read(&path).expect("readable");
        damaged.truncate(20_000 + round);
        fs::write(&path, &damaged).expect("written");
        SqliteStore::open(&path, None).expect_err("damaged");
        let done = insurance::restore(&copy, &path, &golem()).expect("sealed");
        let kept = done.replaced.expect("kept");
        assert_eq!(kept.file_name().and_then(|name| name.to_str()), Some(aside));
        assert!(fs::read(kept).expect("kept") == damaged, "byte for byte");
        assert_eq!(World::open(&path).life.tick(), Tick::new(10));
    }
    assert_eq!(names(folder.path()).iter().filter(|name| name.contains("restoring")).count(), 0);
}

/// M-228, R-020: a memory of another schema keeps nobody from a good copy, and is kept for the program that knows it; a copy of
/// one is neither gone back to nor written over.
#[test]
fn m_228_a_memory_of_another_schema_is_kept_aside_and_its_copies_are_left_alone() {
    let (Lived { folder, path, mut world }, copy) = insured(10);
    world.live_to(14);
    let elsewhere = folder.path().join("export.sqlite");
    world.store.reader().export(&elsewhere).expect("room");
    let other = format!("PRAGMA user_version = {}", SCHEMA + 1);
    tamper(&copy, &other);
    let unknown = |error: StoreError| assert!(matches!(error, StoreError::OtherSchema { .. }), "{error}");
    unknown(world.store.insure(Tick::new(10)).expect_err("the only one of its schema"));
    drop(world);
    tamper(&path, &other);
    let sound = fs::read(&path).expect("readable");
    unknown(insurance::restore(&copy, &path, &golem()).expect_err("nobody could live on it"));
    assert!(fs::read(&path).expect("readable") == sound, "untouched");
    let done = insurance::restore(&elsewhere, &path, &golem()).expect("sealed");
    assert!(fs::read(done.replaced.expect("kept")).expect("readable") == sound, "byte for byte");
    assert_eq!(World::open(&path).life.tick(), Tick::new(14));
}

#[test]
fn m_228_the_log_of_a_replaced_memory_goes_aside_with_it() {
    let (Lived { folder, path, mut world }, copy) = insured(10);
    world.live_to(14);
    let log = fs::read(path.with_extension("sqlite-wal")).expect("a log");
    drop(world);
    // As after a kill: the log lies there. Left beside the new file it would be applied to it.
    fs::write(path.with_extension("sqlite-wal"), &log).expect("written");
    insurance::restore(&copy, &path, &golem()).expect("sealed");
    assert!(!path.with_extension("sqlite-wal").exists());
    assert!(fs::read(folder.path().join("golem.sqlite.replaced-1-wal")).expect("kept") == log);
    assert_eq!(World::open(&path).life.tick(), Tick::new(10));
}

#[test]
fn r_025_a_restore_cut_off_half_way_is_finished_by_the_next() {
    let (Lived { folder, path, world }, copy) = insured(10);
    drop(world);
    // The file was put aside, its log was not yet, and the working copy is half written.
    fs::rename(&path, folder.path().join("golem.sqlite.replaced-1")).expect("moved");
    fs::write(path.with_extension("sqlite-wal"), b"a log").expect("written");
    fs::write(folder.path().join("golem.sqlite.restoring"), b"half").expect("written");
    insurance::restore(&copy, &path, &golem()).expect("sealed");
    assert_eq!(fs::read(folder.path().join("golem.sqlite.replaced-1-wal")).expect("kept"), b"a log");
    assert_eq!(World::open(&path).life.tick(), Tick::new(10));
}

#[test]
fn r_025_the_newest_snapshots_are_kept() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    for tick in 1..=11 {
        world.live_to(tick);
        world.store.insure(Tick::new(tick)).expect("room");
    }
    let kept: Vec<u64> = (4..=11).rev().collect();
    assert_eq!((kept.len(), ticks(&world.store.insurance_folder())), (INSURANCE_KEPT, kept));
}

#[test]
fn r_025_a_future_that_was_given_up_does_not_crowd_out_the_life_that_is_lived() {
    let Lived { folder: _folder, path, mut world } = fresh();
    for tick in (10..=80).step_by(10) {
        world.live_to(tick);
        world.store.insure(Tick::new(tick)).expect("room");
    }
    let first = world.store.insurance_folder().join("10.sqlite");
    drop(world);
    insurance::restore(&first, &path, &golem()).expect("sealed");
    let mut world = World::open(&path);
    for tick in [15, 25, 35] {
        world.live_to(tick);
        world.store.insure(Tick::new(tick)).expect("room");
    }
    assert_eq!(ticks(&world.store.insurance_folder()), [80, 70, 60, 50, 35, 25, 15, 10]);
}

#[test]
fn r_025_a_snapshot_taken_twice_is_there_once() {
    let (Lived { folder: _folder, mut world, .. }, copy) = insured(3);
    world.store.set_note("after", "a crash").expect("on disk");
    assert_eq!(world.store.insure(Tick::new(3)).expect("room"), copy);
    insurance::verify(&copy, Some(&golem())).expect("sealed");
    assert_eq!(ticks(&world.store.insurance_folder()), [3]);
}

#[test]
fn r_025_another_golems_snapshot_is_neither_restored_nor_replaced() {
    let (Lived { folder, world: _world, .. }, copy) = insured(3);
    let foreign = |error: StoreError| assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    foreign(insurance::verify(&copy, Some(&stranger())).expect_err("another's"));
    foreign(insurance::restore(&copy, &folder.path().join("new.sqlite"), &stranger()).expect_err("another's"));
    // A second Golem in the same folder.
    let neighbour = folder.path().join("neighbour.sqlite");
    let mut other = SqliteStore::create(&neighbour, &stranger(), &born(stranger())).expect("a new memory");
    foreign(other.insure(Tick::new(3)).expect_err("the name is taken"));
    drop(other);
    foreign(insurance::restore(&copy, &neighbour, &golem()).expect_err("a healthy life of another"));
    SqliteStore::open(&neighbour, Some(&stranger())).expect("untouched");
    insurance::verify(&copy, Some(&golem())).expect("untouched");
}

#[test]
fn r_025_a_living_memory_is_no_snapshot_and_a_snapshot_no_living_memory() {
    let (Lived { folder, path, world }, copy) = insured(3);
    drop(world);
    let corrupt = |error: StoreError| assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    corrupt(insurance::restore(&path, &folder.path().join("new.sqlite"), &golem()).expect_err("no seal"));
    corrupt(SqliteStore::open(&copy, Some(&golem())).expect_err("sealed"));
    insurance::verify(&copy, None).expect("untouched");
}

/// Flips a byte and says whether the copy is still believed.
fn believed(copy: &Path, whole: &[u8], at: usize) -> bool {
    let mut damaged = whole.to_vec();
    damaged[at] ^= 0x10;
    fs::write(copy, damaged).expect("written");
    match insurance::verify(copy, Some(&golem())) {
        Ok(said) => {
            assert_eq!(said, (golem(), Tick::new(12)));
            true
        }
        Err(error) => {
            let known = matches!(
                error,
                StoreError::Corrupt { .. } | StoreError::Foreign { .. } | StoreError::OtherSchema { .. }
            );
            assert!(known, "byte {at}: {error}");
            false
        }
    }
}

#[test]
fn r_025_a_copy_with_a_flipped_byte_is_refused_or_none_the_worse() {
    let Lived { folder, world, .. } = grown(12);
    let copy: PathBuf = folder.path().join("export.sqlite");
    world.store.reader().export(&copy).expect("room");
    let life = world.life.hash();
    drop(world);
    let whole = fs::read(&copy).expect("readable");
    let (mut refused, mut harmless) = (0, 0);
    let apart = if std::env::var_os("BARDO_DEEP").is_some() { 131 } else { 509 };
    for at in (0..whole.len()).step_by(apart) {
        if !believed(&copy, &whole, at) {
            refused += 1;
            continue;
        }
        harmless += 1;
        // A restore waits for the disk several times; one in twelve shows what the seal already says.
        if harmless % 12 != 0 {
            continue;
        }
        let to = folder.path().join("restored.sqlite");
        insurance::restore(&copy, &to, &golem()).expect("just believed");
        assert_eq!(World::open(&to).life.hash(), life, "byte {at} means nothing");
        fs::remove_file(&to).expect("removed");
    }
    assert!(refused > 100, "{refused} refused, {harmless} harmless");
}

#[test]
fn r_025_a_copy_whose_contents_were_changed_is_refused() {
    for sql in [
        "UPDATE attempts SET nonce = 9",
        "UPDATE seal SET tick = 9",
        "INSERT INTO notes VALUES ('a', 'b')",
        "DELETE FROM rolls WHERE tick = 2",
        "UPDATE outcomes SET withdrawn = 1",
    ] {
        let Lived { folder, mut world, .. } = fresh();
        world.want(&[buy(1)]);
        world.store.record(&attempt(effect_id(1), 4, 1)).expect("on disk");
        world.bring(vec![verified(effect_id(1), 1)]);
        let copy = folder.path().join("export.sqlite");
        world.store.reader().export(&copy).expect("room");
        world.store.reader().export(&copy).expect_err("nothing is exported over");
        insurance::verify(&copy, Some(&golem())).expect("sealed");
        drop(world);
        tamper(&copy, sql);
        let to = folder.path().join("new.sqlite");
        let error = insurance::restore(&copy, &to, &golem()).expect_err(sql);
        assert!(matches!(&error, StoreError::Corrupt { path, .. } if path.ends_with("export.sqlite")), "{error}");
        assert!(!to.exists() && !folder.path().join("new.sqlite.restoring").exists());
    }
}

#[test]
fn r_025_what_cannot_be_used_is_listed_with_the_reason() {
    let Lived { folder: _folder, mut world, .. } = grown(2);
    world.store.insure(Tick::new(2)).expect("room");
    let folder = world.store.insurance_folder();
    fs::write(folder.join("1.sqlite"), b"damaged").expect("written");
    fs::write(folder.join("readme.txt"), b"not ours").expect("written");
    let listed = insurance::list(&folder).expect("readable");
    assert_eq!(listed.iter().map(|insured| insured.contents.is_ok()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(insurance::list(&folder.join("nowhere")).expect("nothing").len(), 0);
}

#[test]
fn r_025_a_reader_exports_while_the_writer_lives_on() {
    let Lived { folder, path, mut world } = grown(5);
    let copy = folder.path().join("export.sqlite");
    Reader::open(&path).expect("a memory").export(&copy).expect("room");
    world.live_to(6);
    assert_eq!(insurance::verify(&copy, None).expect("sealed"), (golem(), Tick::new(5)));
}
