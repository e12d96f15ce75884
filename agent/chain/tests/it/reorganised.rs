//! What a reorganisation takes back, within the watch and below it.

use golem_core::record::{OutcomeResult, RefusalClass};
use golem_ports::{AttemptState, Progress};
use golem_primitives::Usdc;
use serde_json::json;

use crate::sender::{beat, buy, idle, is_verified, wanting};
use crate::support::{CAPITAL, Golem, reason};

/// R-022, M-078: a reorganisation takes an outcome back; it is withdrawn, sent again, and told again.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_reorganised_outcome_is_withdrawn_and_redone() {
    let (mut golem, errand) = wanting(buy()).await;
    assert!(is_verified(&golem.finish(&errand).await.result));
    assert_eq!(golem.withdrawn().await, vec![]);
    let AttemptState::Landed { block, hash } = golem.ledger.attempts[0].state else { panic!("landed") };

    golem.rpc("anvil_reorg", json!([3, []])).await;
    assert_eq!(idle(&golem).await, CAPITAL, "it never happened");
    assert_eq!(golem.withdrawn().await, vec![errand.effect]);
    golem.restart().await;
    assert_eq!(
        golem.withdrawn().await,
        [errand.effect],
        "a process that dies before it reopens the effect is told again"
    );
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    assert_eq!(golem.ledger.attempts[0].state, AttemptState::Signed);
    assert_eq!(golem.withdrawn().await, vec![], "driven again, it is told no more");

    golem.mine(1).await;
    let outcome = golem.finish(&errand).await;
    assert!(is_verified(&outcome.result), "{outcome:?}");
    assert_eq!(golem.ledger.attempts.len(), 1, "the same bytes");
    let AttemptState::Landed { block: again, hash: anew } = golem.ledger.attempts[0].state else { panic!("landed") };
    assert!((again, anew) != (block, hash));
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)), "once");
}

/// a reorganisation deeper than the watch, unseen while no process ran, is found by the nonce it left open.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_reorganisation_below_the_watch_does_not_block_the_key() {
    let mut golem = Golem::born().await;
    let nonce = golem.nonce().await;
    let before = golem.rpc("evm_snapshot", json!([])).await;
    let errand = golem.errand(buy());
    assert!(is_verified(&golem.finish(&errand).await.result));
    golem.rpc("evm_revert", json!([before])).await;
    assert_eq!(golem.withdrawn().await, vec![], "a short chain may be a slow node");
    // Without the trade the chain grows far beyond what is watched.
    golem.mine(80).await;
    golem.restart().await;
    assert_eq!((idle(&golem).await, golem.nonce().await), (CAPITAL, nonce), "it never happened");

    let later = golem.errand(beat(9));
    assert_eq!(golem.step(&later).await, Progress::Pending, "it waits for the open nonce");
    assert_eq!(golem.withdrawn().await, vec![errand.effect]);
    let outcome = golem.finish(&errand).await;
    assert_eq!(reason(&outcome), RefusalClass::Dropped.say("expired"), "too old to be sent again");
    assert_eq!(golem.withdrawn().await, vec![]);
    assert_eq!(golem.finish(&later).await.result, OutcomeResult::Done, "the key goes on");
    assert_eq!((golem.nonce().await, idle(&golem).await), (nonce + 2, CAPITAL));
}
