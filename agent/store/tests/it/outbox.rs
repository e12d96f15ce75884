//! effects wait in the outbox until the pass that took in their outcome.

use golem_core::record::{EffectKind, Outcome, OutcomeResult};
use golem_ports::{AttemptState, Attempts, Store, StoreError};
use golem_primitives::{EffectId, Tick, Usdc};
use golem_store::{EffectHistory, SqliteStore};

use crate::world::{Lived, World, attempt, buy, effect_id, fresh, landed, now, verified};

fn open(store: &SqliteStore) -> Vec<EffectId> {
    store.open_effects().expect("readable").into_iter().map(|open| open.effect.id).collect()
}

/// Effects of the law itself wait as well; these tests look at their own.
fn ours(store: &SqliteStore) -> Vec<EffectId> {
    let ours: Vec<EffectId> = (1..=4).map(effect_id).collect();
    open(store).into_iter().filter(|id| ours.contains(id)).collect()
}

#[test]
fn r_020_effects_wait_in_order_over_a_restart() {
    let Lived { folder: _folder, path, mut world } = fresh();
    let mut free = buy(3);
    free.budget = Usdc::MAX;
    free.kind = EffectKind::Settle;
    world.want(&[buy(2), buy(1)]);
    world.want(std::slice::from_ref(&free));
    drop(world);
    let store = SqliteStore::open(&path, None).expect("a memory");
    assert_eq!(ours(&store), [effect_id(2), effect_id(1), effect_id(3)]);
    let last = store.open_effects().expect("readable").pop().expect("three");
    assert_eq!((last.tick, last.effect), (Tick::new(2), free));
}

#[test]
fn r_021_an_outcome_closes_its_effect_once_and_is_recorded_once() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.want(&[buy(1), buy(2)]);
    let told = verified(effect_id(1), 1);
    let closed = world.bring(vec![told.clone()]);
    assert_eq!(ours(&world.store), [effect_id(2)]);
    // The same outcome again, and one of an effect nobody ever wanted.
    world.bring(vec![told.clone(), verified(effect_id(9), 1)]);
    assert_eq!(world.store.outcomes_after(0).expect("readable").len(), 1);
    let history = world.store.reader().effect(effect_id(1)).expect("readable");
    assert_eq!(history, Some(EffectHistory { tick: Tick::new(1), effect: buy(1), closed: Some((closed, told)) }));
    let waiting = world.store.reader().effect(effect_id(2)).expect("readable").expect("wanted");
    assert_eq!(waiting.closed, None);
    assert_eq!(world.store.reader().effect(effect_id(9)).expect("readable"), None);
}

#[test]
fn m_073_a_verified_outcome_carries_the_transaction_that_landed() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.want(&[buy(1), buy(2)]);
    let (slow, fast) = (attempt(effect_id(1), 5, 1), attempt(effect_id(1), 5, 2));
    world.store.record(&slow).expect("on disk");
    world.store.record(&fast).expect("on disk");
    world.store.mark(fast.hash, landed(120)).expect("known");
    world.bring(vec![verified(effect_id(1), 1), verified(effect_id(2), 1)]);
    let outcomes = world.store.outcomes_after(0).expect("readable");
    assert_eq!(
        outcomes.iter().map(|outcome| (outcome.seq, outcome.tx)).collect::<Vec<_>>(),
        [(1, Some(fast.hash)), (2, None)]
    );
    let OutcomeResult::Verified(record) = verified(effect_id(1), 1).result else { unreachable!("made so") };
    assert_eq!(outcomes[0].record, *record);
    assert_eq!(world.store.outcomes_after(1).expect("readable"), outcomes[1..]);
}

#[test]
fn r_022_a_withdrawn_outcome_opens_its_effect_and_leaves_the_list() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    world.want(&[buy(1), buy(2)]);
    world.bring(vec![verified(effect_id(1), 1), verified(effect_id(2), 1)]);
    world.store.reopen(effect_id(1)).expect("known");
    assert_eq!(ours(&world.store), [effect_id(1)]);
    let listed = |world: &World| -> Vec<(u64, EffectId)> {
        let outcomes = world.store.outcomes_after(0).expect("readable");
        outcomes.into_iter().map(|outcome| (outcome.seq, outcome.record.action_id)).collect()
    };
    assert_eq!(listed(&world), [(2, effect_id(2))]);
    world.store.reopen(effect_id(1)).expect("open already, which is what was wanted");
    world.bring(vec![verified(effect_id(1), 3)]);
    assert_eq!(listed(&world), [(2, effect_id(2)), (3, effect_id(1))]);
    let error = world.store.reopen(effect_id(9)).expect_err("never wanted");
    assert!(matches!(error, StoreError::Failed { .. }), "{error}");
}

#[test]
fn r_021_a_transaction_that_unlands_takes_its_outcome_back_in_the_same_moment() {
    let Lived { folder: _folder, path, mut world } = fresh();
    world.want(&[buy(1)]);
    let (slow, fast) = (attempt(effect_id(1), 5, 1), attempt(effect_id(1), 5, 2));
    for (signed, state) in [(&slow, AttemptState::Lost), (&fast, landed(120))] {
        world.store.record(signed).expect("on disk");
        world.store.mark(signed.hash, state).expect("known");
    }
    world.bring(vec![verified(effect_id(1), 1)]);
    world.store.mark(slow.hash, AttemptState::Signed).expect("known");
    assert_eq!(ours(&world.store), [], "one that never landed takes nothing back");
    world.store.mark(fast.hash, AttemptState::Signed).expect("known");
    // Killed here, before anyone could ask for it: the effect is open all the same.
    drop(world);
    let store = SqliteStore::open(&path, None).expect("a memory");
    assert_eq!(ours(&store), [effect_id(1)]);
    assert_eq!(store.outcomes_after(0).expect("readable"), []);
}

#[test]
fn r_010_trades_are_listed_with_what_came_of_them() {
    let Lived { folder: _folder, mut world, .. } = fresh();
    let mut beat = buy(4);
    beat.kind = EffectKind::Harvest;
    world.want(&[buy(1), beat, buy(2), buy(3)]);
    let sent = attempt(effect_id(1), 0, 1);
    world.store.record(&sent).expect("on disk");
    world.store.mark(sent.hash, landed(9)).expect("known");
    let refused = OutcomeResult::Refused { reason: "too far from its average".into() };
    let refused = Outcome { effect: effect_id(2), cost: None, result: refused };
    world.bring(vec![verified(effect_id(1), 1), Outcome { effect: effect_id(4), ..refused.clone() }]);
    world.bring(vec![refused.clone()]);
    let trades = world.store.reader().trades(0, 10).expect("readable");
    let told: Vec<_> = trades.iter().map(|trade| (trade.effect, trade.tick, trade.at, trade.tx)).collect();
    assert_eq!(
        told,
        [(effect_id(1), Tick::new(1), now(2), Some(sent.hash)), (effect_id(2), Tick::new(1), now(3), None)]
    );
    assert_eq!((EffectKind::Trade(trades[1].order), &trades[1].outcome), (buy(2).kind, &refused));
    assert_eq!(world.store.reader().trades(trades[0].place, 10).expect("readable"), trades[1..]);
    assert_eq!(world.store.reader().trades(0, 1).expect("readable"), trades[..1]);
}
