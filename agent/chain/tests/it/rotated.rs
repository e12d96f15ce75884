//! L-002. Attempts belong to the key that signed them: a new key begins with its own nonces.

use alloy::primitives::U256;
use golem_chain::LocalKey;
use golem_chain::bindings::IVault;
use golem_core::record::OutcomeResult;
use golem_ports::{Act, AttemptState, Declaration, Progress, SettledTestament, Stain};
use golem_primitives::B256;

use crate::sender::{beat, buy, is_verified, rent, wanting};
use crate::support::{Golem, endpoints, reason, submit};

/// The owner gives the Golem a key that was never used, and a process begins with it.
async fn rotate(golem: &mut Golem) {
    let key = LocalKey::random().expect("a key");
    let owner = golem.owner();
    submit(&golem.net.devnet, &owner, key.address(), vec![], U256::from(10u64.pow(17))).await;
    golem.mine(1).await;
    golem.as_owner(&IVault::rotateKeyCall { newKey: key.address() }).await;
    golem.mine(3).await;
    let endpoints = endpoints(&golem.net.devnet).await;
    golem.begin_with(key, endpoints).await;
}

/// what the old key landed stays landed, however young the new key is, and the life goes on to its end.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_new_key_takes_nothing_back_and_goes_on() {
    let mut golem = Golem::born().await;
    assert!(is_verified(&golem.act(buy()).await.result));
    golem.done(rent()).await;
    golem.done(beat(9)).await;
    rotate(&mut golem).await;
    assert_eq!(golem.nonce().await, 0, "never used");
    assert_eq!(golem.withdrawn().await, vec![]);

    golem.done(beat(10)).await;
    golem.done(rent()).await;
    assert_eq!(golem.withdrawn().await, vec![]);
    golem.done(Act::Declare(Declaration::Senescent { evidence: String::new() })).await;
    let testament = SettledTestament { hash: B256::repeat_byte(1), ..SettledTestament::default() };
    golem.done(Act::Settle { testament, stain: Stain::default() }).await;
}

/// what the old key had signed and nobody took can do nothing any more. It ends, and holds up nobody.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_what_the_old_key_left_in_flight_ends_with_it() {
    let mut golem = Golem::born().await;
    golem.done(beat(9)).await;
    let errand = golem.errand(rent());
    golem.dies_before_it_sends(&errand).await;
    rotate(&mut golem).await;
    let later = golem.errand(beat(10));
    assert_eq!(golem.step(&later).await, Progress::Pending, "sent");
    assert_eq!(golem.ledger.attempts.len(), 3, "nothing of the old key stands before it");
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).contains("key") && reason(&outcome).contains("replaced"), "{outcome:?}");
    assert_eq!(golem.ledger.attempts[1].state, AttemptState::Lost);
    assert_eq!(golem.finish(&later).await.result, OutcomeResult::Done);

    // What it had landed before is told all the same, although another process finds it.
    let (mut golem, errand) = wanting(rent()).await;
    golem.step(&errand).await;
    golem.mine(1).await;
    rotate(&mut golem).await;
    assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done);
}
