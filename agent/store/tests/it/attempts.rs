//! a signed transaction is on disk before it is sent, and an effect has one nonce.

use golem_ports::{Attempt, AttemptState, Attempts, StoreError};
use golem_primitives::{Address, B256};
use golem_store::SqliteStore;

use crate::world::{KEY, Lived, World, attempt, effect_id, fresh, landed};

#[test]
fn r_021_attempts_are_found_again_after_a_restart_in_order() {
    let Lived { folder: _folder, path, world: World { mut store, .. } } = fresh();
    assert_eq!(store.highest_nonce(KEY).expect("readable"), None);
    let (first, second, other) =
        (attempt(effect_id(1), 7, 1), attempt(effect_id(1), 7, 2), attempt(effect_id(2), 8, 1));
    for signed in [&first, &other, &second] {
        store.record(signed).expect("on disk");
    }
    drop(store);
    let store = SqliteStore::open(&path, None).expect("a memory");
    assert_eq!(store.of(effect_id(1)).expect("readable"), [first, second]);
    assert_eq!(store.of(effect_id(2)).expect("readable"), [other]);
    assert_eq!(store.of(effect_id(3)).expect("readable"), []);
    assert_eq!(store.highest_nonce(KEY).expect("readable"), Some(8));
}

#[test]
fn r_022_an_attempt_changes_its_state_and_back() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    let signed = attempt(effect_id(1), 0, 1);
    store.record(&signed).expect("on disk");
    let taken = AttemptState::Taken { block: 199, hash: B256::repeat_byte(9) };
    for state in [landed(200), AttemptState::Signed, taken, AttemptState::Lost, landed(201)] {
        store.mark(signed.hash, state).expect("known");
        assert_eq!(store.of(effect_id(1)).expect("readable")[0].state, state);
    }
    let error = store.mark(B256::ZERO, AttemptState::Lost).expect_err("never recorded");
    assert!(matches!(error, StoreError::Failed { .. }), "{error}");
}

#[test]
fn r_022_landed_attempts_are_watched_from_a_block_on() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    for (number, block) in [(1, 100), (2, 102), (3, 101)] {
        let signed = attempt(effect_id(number), number, 1);
        store.record(&signed).expect("on disk");
        store.mark(signed.hash, landed(block)).expect("known");
    }
    store.record(&attempt(effect_id(4), 4, 1)).expect("on disk");
    let nonces = |block| -> Vec<u64> {
        store.landed_since(block).expect("readable").iter().map(|landed| landed.nonce).collect()
    };
    assert_eq!(nonces(0), [1, 3, 2]);
    assert_eq!(nonces(101), [3, 2]);
    assert_eq!(nonces(103), [0; 0]);
    // By nonce, a block of any age counts; what is only signed does not.
    let from_nonce = |nonce| -> Vec<u64> {
        store.landed_from_nonce(KEY, nonce).expect("readable").iter().map(|landed| landed.nonce).collect()
    };
    assert_eq!((from_nonce(0), from_nonce(2)), (vec![1, 2, 3], vec![2, 3]));
    assert_eq!(from_nonce(4), [0; 0]);
}

#[test]
fn r_021_an_effect_is_never_signed_with_a_second_nonce_while_the_first_may_land() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    let first = attempt(effect_id(1), 5, 1);
    store.record(&first).expect("on disk");
    for state in [AttemptState::Signed, landed(100)] {
        store.mark(first.hash, state).expect("known");
        store.record(&attempt(effect_id(1), 6, 1)).expect_err("two nonces are two payments");
    }
    assert_eq!(store.of(effect_id(1)).expect("readable").len(), 1);
    store.mark(first.hash, AttemptState::Lost).expect("known");
    store.record(&attempt(effect_id(1), 6, 1)).expect("nothing can land with the first any more");
}

#[test]
fn r_021_recording_the_same_transaction_again_changes_nothing() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    let signed = attempt(effect_id(1), 5, 1);
    store.record(&signed).expect("on disk");
    store.mark(signed.hash, landed(77)).expect("known");
    store.record(&signed).expect("known already");
    assert_eq!(store.of(effect_id(1)).expect("readable")[0].state, landed(77), "it has not unlanded");
    let mut other = attempt(effect_id(2), 9, 1);
    other.hash = signed.hash;
    store.record(&other).expect_err("a hash is one transaction");
}

/// L-002: a nonce is a number of one key. Another key begins with its own, and what is lost holds none.
#[test]
fn r_022_nonces_are_counted_by_the_key_that_signed() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    let old = attempt(effect_id(1), 7, 1);
    store.record(&old).expect("on disk");
    store.mark(old.hash, landed(100)).expect("known");
    let key = Address::repeat_byte(0xb2);
    assert_eq!(store.highest_nonce(KEY).expect("readable"), Some(7));
    assert_eq!(store.highest_nonce(key).expect("readable"), None);
    let new = Attempt { key, ..attempt(effect_id(2), 0, 1) };
    store.record(&new).expect("on disk");
    assert_eq!(store.of(effect_id(2)).expect("readable"), std::slice::from_ref(&new));
    assert_eq!(store.highest_nonce(key).expect("readable"), Some(0));
    let from = |key, nonce| store.landed_from_nonce(key, nonce).expect("readable").len();
    assert_eq!((from(KEY, 0), from(key, 0)), (1, 0), "what the old key landed is no matter of the new one's nonces");
    store.mark(new.hash, AttemptState::Lost).expect("known");
    assert_eq!(store.highest_nonce(key).expect("readable"), None);
    // One effect is not signed by two keys while the first may land.
    let other = Attempt { key, ..attempt(effect_id(1), 7, 2) };
    store.record(&other).expect_err("the same nonce of another key is another payment");
}
