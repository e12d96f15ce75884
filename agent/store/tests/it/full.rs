//! A full disk stops a life and takes nothing from it.

use std::fs;

use golem_core::step::step;
use golem_ports::{Attempts, Store, StoreError};
use golem_primitives::Tick;

use crate::world::{Lived, World, attempt, effect_id, folder, fresh, grown, input, land};

#[test]
fn r_021_a_full_disk_is_said_and_nothing_is_lost_when_room_is_made() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let (_other, unbroken) = folder();
    let mut filled = 0;
    for round in 1..=12u64 {
        world.live_to(round * 10);
        // A page or two more than there is: SQLite itself says when they are used up.
        world.store.limit(1).expect("held at what is there");
        let error = loop {
            let tick = world.life.tick().get() + 1;
            match world.pass(&input(tick), &[]) {
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::DiskFull { .. }) && error.may_retry(), "{error}");
        let lived = world.life.tick().get();
        world.store.limit(u64::MAX).expect("room");
        let counts = world.store.reader().counts().expect("counted");
        assert_eq!(counts.committed, lived, "what was acknowledged is there, what was not is not");
        let next = input(lived + 1);
        let seq = if counts.passes == lived { world.store.append(&next).expect("room") } else { counts.passes };
        filled += u64::from(counts.passes > lived);
        let step = step(world.life.clone(), &next);
        land(&mut world.store, seq, &next, &step, &[], false).expect("room");
        world.life = step.life;
    }
    assert!(filled > 0, "a commit met the full disk as well as an append did");
    let last = world.life.tick().get();
    let whole = World::create(&unbroken).live_to(last).life.hash();
    assert_eq!(world.life.hash(), whole);
    drop(world);
    assert_eq!(World::open(&path).life.hash(), whole);
}

#[test]
fn r_021_an_attempt_that_found_no_room_was_not_recorded() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.store.limit(1).expect("held at what is there");
    let mut big = attempt(effect_id(1), 0, 1);
    big.raw = vec![7; 100_000];
    let error = world.store.record(&big).expect_err("no room");
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    assert_eq!(world.store.of(effect_id(1)).expect("readable"), []);
    world.store.limit(u64::MAX).expect("room");
    world.store.record(&big).expect("room");
}

#[test]
fn r_025_a_snapshot_that_cannot_be_written_leaves_nothing_behind() {
    let Lived { folder, mut world, .. } = grown(5);
    // Where the folder should be lies a file.
    fs::write(folder.path().join("insurance"), b"in the way").expect("written");
    world.store.insure(Tick::new(5)).expect_err("no folder");
    let names: Vec<String> = fs::read_dir(folder.path())
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("text"))
        .filter(|name| name.contains(".part"))
        .collect();
    assert_eq!(names, [""; 0]);
    world.live_to(6);
}

/// G-010: a cycle that meets the full disk leaves nothing, and lands when there is room.
#[test]
fn g_010_a_cycle_that_found_no_room_is_not_there_at_all() {
    use golem_ports::Memory;
    let Lived { folder: _folder, mut world, .. } = fresh();
    let first: Vec<_> = crate::mind::active("a", "gas falls at night").into();
    crate::mind::land_changes(&mut world.store, 50, &first, None).expect("room");
    let before = world.store.shelf().expect("readable");
    world.store.limit(1).expect("held at what is there");
    let many: Vec<_> = (0..200)
        .flat_map(|place| crate::mind::active(&format!("b{place}"), &format!("{} {place}", "much to say".repeat(90))))
        .collect();
    let error = crate::mind::land_changes(&mut world.store, 100, &many, None).expect_err("no room");
    assert!(matches!(error, StoreError::DiskFull { .. }) && error.may_retry(), "{error}");
    assert_eq!(world.store.shelf().expect("readable"), before, "nothing is half done");
    assert_eq!(world.store.curated(crate::mind::curate_effect(100)).expect("readable"), None);
    world.store.limit(u64::MAX).expect("room");
    let curated = crate::mind::land_changes(&mut world.store, 100, &many, None).expect("room");
    assert_eq!((curated.added, curated.active), (200, 201));
    assert_eq!(world.store.reader().audit().expect("readable"), vec![]);
}
