//! the same journal gives the same hash at every tick.

use golem_core::life::{Life, SnapshotError};
use golem_core::record::{Command, Event, InputRefusal, Observation, RECORD_VERSION, TickInput, Turn};
use golem_core::step::step;
use golem_mortality::cause::{KillOrder, Reason};
use golem_mortality::law::Law;
use golem_primitives::{B256, Ppm, Tick};
use proptest::prelude::*;

use crate::total::inputs_from;
use crate::world::{born, live, quiet, turn, usdc};

fn hashes(life: Life, journal: &[TickInput]) -> Vec<B256> {
    let mut hashes = vec![life.hash()];
    live(life, journal.iter().cloned(), |step| hashes.push(step.life.hash()));
    hashes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// from memory, and from the journal as written.
    #[test]
    fn r_002_the_same_journal_gives_the_same_hashes(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let journal = inputs_from(&bytes);
        let lived = hashes(born(Law::hosted(), "50"), &journal);
        prop_assert_eq!(&hashes(born(Law::hosted(), "50"), &journal), &lived);
        let written: Vec<String> = journal.iter().map(|input| serde_json::to_string(input).expect("plain")).collect();
        let read: Vec<TickInput> = written.iter().map(|line| serde_json::from_str(line).expect("just written")).collect();
        prop_assert_eq!(&read, &journal);
        prop_assert_eq!(&hashes(born(Law::hosted(), "50"), &read), &lived);
    }

    /// a life restored from a snapshot continues to the same hashes.
    #[test]
    fn r_021_a_restored_life_continues_to_the_same_hashes(bytes in prop::collection::vec(any::<u8>(), 100..2_000), cut in 0usize..200) {
        let journal = inputs_from(&bytes);
        let cut = cut.min(journal.len());
        let before = live(born(Law::hosted(), "50"), journal[..cut].iter().cloned(), |_| ());
        let restored = Life::from_snapshot(&before.to_snapshot()).expect("just written");
        prop_assert_eq!(restored.hash(), before.hash());
        prop_assert_eq!(hashes(restored, &journal[cut..]), hashes(before, &journal[cut..]));
    }

    /// A snapshot that is none is refused, never believed, never a panic.
    #[test]
    fn no_bytes_make_a_snapshot_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0usize..4_000, flip: u8) {
        let _ = Life::from_snapshot(&bytes).is_ok();
        let mut snapshot = born(Law::hosted(), "50").to_snapshot();
        let at = at % snapshot.len();
        snapshot[at] ^= flip;
        if let Ok(life) = Life::from_snapshot(&snapshot) {
            // What is read back can be lived.
            let _ = step(life, &quiet(1, "0.01"));
        }
    }
}

/// hashes of one life, pinned. A build or platform that computes otherwise is found here.
#[test]
fn r_002_a_known_life_has_known_hashes() {
    let journal: Vec<TickInput> = (1..=1_000).map(|tick| quiet(tick, "0.01")).collect();
    let hashes = hashes(born(Law::hosted(), "50"), &journal);
    let lines: Vec<String> = [0, 1, 2, 100, 1_000].map(|tick| format!("{tick:>5} {}", hashes[tick])).to_vec();
    insta::assert_snapshot!(lines.join("\n"));
}

/// A snapshot of other code is dropped by its version.
#[test]
fn a_snapshot_of_another_version_is_refused() {
    let mut snapshot = born(Law::hosted(), "50").to_snapshot();
    snapshot[0] += 1;
    assert_eq!(Life::from_snapshot(&snapshot), Err(SnapshotError::Version { got: RECORD_VERSION + 1 }));
}

/// M-155, R-001: ticks and turns come in order or not at all, and a refused input changes nothing.
#[test]
fn m_155_inputs_out_of_order_change_nothing() {
    let life = live(born(Law::hosted(), "50"), (1..=3).map(|tick| quiet(tick, "0.01")), |_| ());
    let life = live(life, [turn(4, Turn::Acting)], |_| ());
    let before = life.hash();
    let mut stale = turn(4, Turn::Sensing);
    stale.commands.push(Command::Kill(KillOrder::Owner(Reason::new("replayed").expect("short"))));
    let mut newer = quiet(4, "0");
    newer.version = RECORD_VERSION + 1;
    let refusals = [
        (quiet(3, "1"), InputRefusal::Tick { expected: Tick::new(4), got: Tick::new(3) }),
        (quiet(5, "1"), InputRefusal::Tick { expected: Tick::new(4), got: Tick::new(5) }),
        (stale, InputRefusal::Turn { last: Turn::Acting, got: Turn::Sensing }),
        (newer, InputRefusal::Version { got: RECORD_VERSION + 1 }),
    ];
    let mut life = life;
    for (input, reason) in refusals {
        let next = step(life, &input);
        assert_eq!(next.events.as_slice(), [Event::InputRefused { reason }]);
        assert!(next.effects.is_empty() && next.life.hash() == before);
        life = next.life;
    }
}

/// facts of earlier turns wait for the law of their tick.
#[test]
fn r_001_what_earlier_turns_saw_counts_when_the_tick_ends() {
    let mut sensing = turn(1, Turn::Sensing);
    sensing.observations = vec![Observation::Funded { amount: usdc("5") }];
    let life =
        live(born(Law::hosted(), "50"), [sensing, turn(1, Turn::Deciding)], |step| assert!(step.record.is_none()));
    assert_eq!(life.vitals().economic().balance(), usdc("50"));
    let life = live(life, [quiet(1, "0.01")], |step| assert!(step.record.is_some()));
    assert_eq!((life.tick(), life.vitals().economic().balance()), (Tick::new(1), usdc("54.99")));
    assert_eq!(life.vitals().vitality().economic, Ppm::ONE);
}
