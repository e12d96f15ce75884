//! M-157 and the other questions faces ask.

use golem_core::record::{Event, Inflows, Observation, TickInput, Turn};
use golem_ports::Store;
use golem_primitives::{GolemId, Tick, Usdc};
use golem_store::{Counts, Reader};

use crate::world::{Lived, World, attempt, buy, effect_id, fresh, grown, input, lived, verified};

#[test]
fn m_157_the_audit_trail_has_every_tick() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let mut said = Vec::new();
    for tick in 1..=30 {
        let next = golem_core::step::step(world.life.clone(), &input(tick));
        said.push(next.record.expect("the law ran"));
        world.live_to(tick);
    }
    let reader = Reader::open(&path).expect("a memory");
    let ticks = |from, to, limit| reader.ticks(Tick::new(from), Tick::new(to), limit).expect("readable");
    assert_eq!(ticks(0, u64::MAX, 1_000), said);
    assert_eq!(ticks(5, 7, 1_000), said[4..7]);
    assert_eq!(ticks(31, 99, 1_000), []);
    let chart: Vec<u64> = ticks(0, u64::MAX, 10).iter().map(|record| record.tick.get()).collect();
    assert_eq!(chart, [1, 4, 7, 10, 13, 16, 19, 22, 25, 28], "evenly apart, no more than asked");
}

#[test]
fn r_050_events_are_read_in_order_and_followed_from_the_last() {
    let Lived { folder: _folder, path, mut world } = grown(5);
    let reader = Reader::open(&path).expect("a memory");
    let all = reader.events(1, usize::MAX).expect("readable");
    assert_eq!(all.iter().map(|event| event.id).collect::<Vec<_>>(), (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(reader.events(2, 2).expect("readable"), all[1..3]);
    assert_eq!(reader.events_before(u64::MAX, 2).expect("readable"), all[all.len() - 2..]);
    let newest = all.last().expect("some happened").id;
    assert_eq!(reader.events_before(newest, 1).expect("readable"), all[all.len() - 2..all.len() - 1]);
    let last = all.last().expect("a life is eventful").id;
    assert_eq!(reader.events(last + 1, 10).expect("readable"), []);
    world.bring(vec![verified(effect_id(9), 1)]);
    let fresh = reader.events(last + 1, 10).expect("readable");
    assert_eq!((fresh[0].seq, fresh[0].tick, fresh[0].turn), (6, Tick::new(6), Turn::Sleeping));
    assert!(fresh.iter().any(|stored| stored.event == Event::OutcomeUnknown { effect: effect_id(9) }));
}

/// O-010: of a long journal only the passes that moved capital are read, and those whose log could not be read back.
#[test]
fn o_010_passes_that_moved_capital_are_found_among_all_others() {
    let Lived { folder: _folder, path, mut world } = fresh();
    for (tick, after, settled) in [(1, None, 0), (2, Some(1), 0), (3, Some(2), 5), (4, Some(3), -7), (5, Some(4), 0)] {
        let log = Inflows {
            at: tick,
            after,
            settled_to: tick,
            settled: [0; 4],
            recent: [0; 4],
            capital: [settled, 9],
            funded: Usdc::ZERO,
            earned: Usdc::ZERO,
            is_resplit: [false; 2],
            owner_spoke: false,
        };
        let observations = vec![Observation::Inflows(Box::new(log))];
        world.pass(&TickInput { turn: Turn::Deciding, observations, ..input(tick) }, &[]).expect("landed");
    }
    let reader = Reader::open(&path).expect("a memory");
    let moves = |after| {
        let moves = reader.capital_moves(after).expect("readable");
        moves.iter().map(|entry| entry.seq).collect::<Vec<_>>()
    };
    assert_eq!(moves(0), [1, 3, 4]);
    assert_eq!(moves(3), [4]);
}

#[test]
fn l_025_rolls_are_listed_after_a_tick() {
    let (_folder, path) = lived(5);
    let store = World::open(&path).store;
    let rolls = |tick| store.rolls_after(Tick::new(tick)).expect("readable");
    assert_eq!(rolls(3), [(Tick::new(4), 1_004), (Tick::new(5), 1_005)]);
    assert_eq!(rolls(0).len(), 5);
    assert_eq!(rolls(5), []);
}

#[test]
fn r_020_notes_survive_and_the_last_word_counts() {
    let Lived { folder: _folder, path, mut world } = fresh();
    world.store.set_note("beat", "3").expect("on disk");
    world.store.set_note("beat", "4").expect("on disk");
    drop(world);
    let store = World::open(&path).store;
    assert_eq!(store.note("beat").expect("readable").as_deref(), Some("4"));
    assert_eq!(store.note("other").expect("readable"), None);
}

#[test]
fn r_020_what_is_remembered_is_counted() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    assert_eq!(world.store.reader().counts().expect("counted"), Counts::default());
    world.want(&[buy(1), buy(2)]);
    world.bring(vec![verified(effect_id(1), 1)]);
    golem_ports::Attempts::record(&mut world.store, &attempt(effect_id(2), 0, 1)).expect("on disk");
    world.store.append(&input(3)).expect("on disk");
    let counts = world.store.reader().counts().expect("counted");
    let law = world.life.open_effects() as u64;
    assert_eq!((counts.passes, counts.committed, counts.ticks), (3, 2, 2));
    assert_eq!((counts.effects, counts.open_effects), (2 + law, 1 + law));
    assert_eq!((counts.attempts, counts.outcomes), (1, 1));
}

#[test]
fn r_020_a_reader_sees_what_lands_while_the_writer_lives_on() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let reader = Reader::open(&path).expect("a memory");
    assert_eq!(*reader.golem(), GolemId::new("golem-0001").expect("a name"));
    for tick in 1..=50 {
        world.live_to(tick);
        assert_eq!(reader.counts().expect("counted").committed, tick);
    }
    drop(world);
    assert_eq!(reader.counts().expect("counted").committed, 50, "also when the writer has gone");
    World::open(&path).live_to(51);
    assert_eq!(reader.counts().expect("counted").committed, 51, "and when another came");
    reader.check().expect("sound");
}
