//! killed at any instruction, nothing that was acknowledged is lost.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use golem_ports::{Attempts, Store};
use golem_primitives::{B256, Tick, keccak256};
use golem_store::{Reader, SqliteStore};

use crate::world::{World, attempt, effect_id, folder, golem, input};

/// Where the child of this test finds its memory.
const CHILD: &str = "GOLEM_STORE_CRASH_CHILD";
const ROUNDS: u64 = 24;

/// What a child acknowledged.
#[derive(Debug, Default)]
struct Acknowledged {
    appended: u64,
    landed: Vec<(u64, B256)>,
    attempts: Vec<u64>,
    insured: Vec<u64>,
}

impl Acknowledged {
    /// Takes in one line; a line cut off by the kill is none.
    fn hear(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let (Some(what), Some(number)) = (words.next(), words.next().and_then(|word| word.parse().ok())) else {
            return;
        };
        match (what, words.next().map(str::parse)) {
            ("appended", _) => self.appended = number,
            ("landed", Some(Ok(hash))) => self.landed.push((number, hash)),
            ("attempt", _) => self.attempts.push(number),
            ("insured", _) => self.insured.push(number),
            _ => {}
        }
    }
}

/// Not a test of its own: the life that is killed. It goes on from whatever it finds, and says what is on disk.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut world = World::open(Path::new(&path));
    // Standard error: the test harness writes nothing there.
    let say = |words: String| writeln!(std::io::stderr(), "{words} .").expect("a parent that listens");
    loop {
        let tick = world.life.tick().get() + 1;
        let signed = attempt(effect_id(tick), tick, 1);
        if !world.store.of(signed.effect).expect("readable").contains(&signed) {
            world.store.record(&signed).expect("on disk");
        }
        say(format!("attempt {tick}"));
        let seq = world.store.append(&input(tick)).expect("on disk");
        say(format!("appended {seq}"));
        let next = golem_core::step::step(world.life.clone(), &input(tick));
        crate::world::land(&mut world.store, seq, &input(tick), &next, &[], seq.is_multiple_of(5)).expect("on disk");
        world.life = next.life;
        say(format!("landed {seq} {}", world.life.hash()));
        if tick.is_multiple_of(16) {
            world.store.insure(Tick::new(tick)).expect("on disk");
            say(format!("insured {tick}"));
        }
    }
}

fn start(path: &Path) -> (Child, BufReader<ChildStderr>) {
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "crash::child", "--nocapture", "--test-threads=1"])
        .env(CHILD, path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child");
    let said = BufReader::new(child.stderr.take().expect("piped"));
    (child, said)
}

/// Lets the child live for a while that differs each round, kills it, and hears out what it had said.
fn kill_after(path: &Path, round: u64, heard: &mut Acknowledged) {
    let chance = u64::from_be_bytes(keccak256(round.to_be_bytes())[..8].try_into().expect("eight"));
    let (mut child, mut said) = start(path);
    let mut line = String::new();
    for _ in 0..chance % 60 {
        line.clear();
        assert!(said.read_line(&mut line).expect("readable") > 0, "the child ended by itself");
        assert!(!line.contains("panicked"), "{line}");
        heard.hear(&line);
    }
    // Not at a line's end: somewhere in the writes behind it.
    for turn in 0..(chance >> 8) % 400_000 {
        std::hint::black_box(turn);
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("gone");
    for line in said.lines() {
        heard.hear(&line.expect("readable"));
    }
}

#[test]
fn r_021_a_life_killed_at_random_keeps_every_acknowledged_pass() {
    let (_folder, path) = folder();
    drop(World::create(&path));
    let mut heard = Acknowledged::default();
    for round in 0..ROUNDS {
        kill_after(&path, round, &mut heard);
        check(&path, &heard);
    }
    assert!(heard.landed.len() > 50, "{} passes were lived", heard.landed.len());
    let world = World::open(&path);
    let (_other, unbroken) = folder();
    let last = world.life.tick().get();
    assert_eq!(
        world.life.hash(),
        World::create(&unbroken).live_to(last).life.hash(),
        "as if nobody had ever been killed"
    );
}

/// What lies on the disk of a killed life.
fn check(path: &Path, heard: &Acknowledged) {
    let store = SqliteStore::open(path, Some(&golem())).expect("the kernel let the lock go, and the file is sound");
    let journal = store.journal(1, usize::MAX).expect("readable");
    for (place, entry) in (1..).zip(&journal) {
        assert_eq!(entry.seq, place, "no gap");
        assert!(entry.hash.is_some() || place == journal.len() as u64, "only the last can be open");
    }
    assert!(journal.len() as u64 >= heard.appended, "an acknowledged input is there");
    for (seq, hash) in &heard.landed {
        assert_eq!(journal[*seq as usize - 1].hash, Some(*hash), "an acknowledged pass is there, as it was");
    }
    let counts = store.reader().counts().expect("counted");
    assert_eq!(counts.committed, counts.ticks, "a pass is there whole or not at all");
    assert_eq!(store.rolls_after(Tick::ZERO).expect("readable").len() as u64, counts.committed);
    for tick in &heard.attempts {
        let signed = attempt(effect_id(*tick), *tick, 1);
        assert_eq!(store.of(signed.effect).expect("readable"), [signed], "a recorded attempt is there");
    }
    let folder = store.insurance_folder();
    for insured in golem_store::insurance::list(&folder).expect("readable") {
        golem_store::insurance::verify(&insured.path, Some(&golem())).expect("a snapshot is whole or not there");
    }
    if let Some(newest) = heard.insured.last() {
        assert!(folder.join(format!("{newest}.sqlite")).exists(), "an acknowledged snapshot is there");
    }
}

#[test]
fn r_021_a_killed_process_holds_no_lock_and_a_living_one_is_named() {
    let (_folder, path) = folder();
    drop(World::create(&path));
    let (mut child, mut said) = start(&path);
    let mut line = String::new();
    said.read_line(&mut line).expect("it lives");
    match SqliteStore::open(&path, None).expect_err("in use") {
        golem_ports::StoreError::InUse { pid, .. } => assert_eq!(pid, child.id()),
        other => panic!("{other}"),
    }
    Reader::open(&path).expect("looking is free").counts().expect("counted");
    child.kill().expect("SIGKILL");
    child.wait().expect("gone");
    SqliteStore::open(&path, None).expect("let go by the kernel");
}

/// Where the child of the next test finds its memory.
const CURATOR: &str = "GOLEM_STORE_CRASH_CURATOR";
const CURATOR_ROUNDS: u64 = 16;

/// The cycle a killed Curator lands: forty entries more, all that were active archived, quarantine and PLAYBOOK left.
fn cycle_of(store: &SqliteStore, number: u64) -> Vec<golem_grimoire::shelf::Change> {
    use golem_grimoire::shelf::Change;
    let shelf = golem_ports::Memory::shelf(store).expect("readable");
    let living = shelf.grimoire.active().map(|active| Change::Archive {
        id: active.knowledge().id,
        reason: golem_grimoire::status::ArchiveReason::Capacity,
    });
    let joining = (0..40).flat_map(|place| {
        crate::mind::active(&format!("{number} {place}"), &format!("cycle {number} says {place} of 40"))
    });
    living.chain(joining).collect()
}

/// Not a test of its own: the Curator that is killed.
#[test]
fn curator_child() {
    let Some(path) = std::env::var_os(CURATOR) else { return };
    let mut store = SqliteStore::open(Path::new(&path), None).expect("a memory");
    let say = |words: String| writeln!(std::io::stderr(), "{words} .").expect("a parent that listens");
    loop {
        let number = store.reader().grimoire_stats(Tick::ZERO).expect("counted").cycles.len() as u64;
        let number = if number < 5 { number + 1 } else { last_cycle(&store) + 1 };
        let changes = cycle_of(&store, number);
        say(format!("begun {number}"));
        crate::mind::land_changes(&mut store, number * 50, &changes, None).expect("on disk");
        say(format!("landed {number}"));
    }
}

fn last_cycle(store: &SqliteStore) -> u64 {
    store.reader().last_cycles(1).expect("readable").first().map_or(0, |(at, _)| at.tick.get() / 50)
}

/// G-010, R-021: a Curator killed at any instruction has landed its cycle whole or not at all.
#[test]
fn g_010_a_cycle_killed_at_random_is_there_whole_or_not_at_all() {
    let (_folder, path) = folder();
    drop(World::create(&path));
    let mut acknowledged = 0;
    for round in 0..CURATOR_ROUNDS {
        let chance = u64::from_be_bytes(keccak256([7, round as u8])[..8].try_into().expect("eight"));
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "crash::curator_child", "--nocapture", "--test-threads=1"])
            .env(CURATOR, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut said = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        let mut hear = |line: &str| {
            assert!(!line.contains("panicked"), "{line}");
            if let Some(number) = line.strip_prefix("landed ").and_then(|rest| rest.strip_suffix(" .")) {
                acknowledged = number.parse().expect("a number");
            }
        };
        for _ in 0..=chance % 4 {
            line.clear();
            assert!(said.read_line(&mut line).expect("readable") > 0, "the child ended by itself");
            hear(line.trim_end());
        }
        for turn in 0..(chance >> 8) % 2_000_000 {
            std::hint::black_box(turn);
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("gone");
        for line in said.lines() {
            hear(&line.expect("readable"));
        }
        let store = SqliteStore::open(&path, Some(&golem())).expect("sound");
        let last = last_cycle(&store);
        assert!(last == acknowledged || last == acknowledged + 1, "{last} after {acknowledged}");
        let stats = store.reader().grimoire_stats(Tick::ZERO).expect("counted");
        let count = |word: &str| stats.by_status.get(word).copied().unwrap_or(0);
        assert_eq!((count("active"), count("archived")), if last == 0 { (0, 0) } else { (40, (last - 1) * 40) });
        assert_eq!(store.reader().audit().expect("readable"), vec![]);
    }
    assert!(acknowledged > 4, "{acknowledged} cycles were landed");
}
