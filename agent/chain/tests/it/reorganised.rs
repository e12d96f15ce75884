//! What a reorganisation takes back, within the watch and below it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloy::primitives::B256;
use alloy::providers::Provider;
use golem_core::record::{OutcomeResult, RefusalClass};
use golem_ports::{AttemptState, Progress};
use golem_primitives::Usdc;
use serde_json::json;

use crate::hostile::behind;
use crate::sender::{beat, buy, idle, is_verified, rent, wanting};
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

/// what stood under a head that still stands is not asked for again, however much of it there is; what did not, is.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_one_question_asks_for_all_blocks_that_stood() {
    let blocks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&blocks);
    let (mut golem, _proxy) = behind(Box::new(move |method, params, _| {
        let is_old = method == "eth_getBlockByNumber" && params[0] != "latest";
        counter.fetch_add(usize::from(is_old), Ordering::Relaxed);
        None
    }))
    .await;
    let mut effects = Vec::new();
    for act in [rent(), rent(), buy()] {
        let errand = golem.errand(act);
        golem.finish(&errand).await;
        effects.push(errand.effect);
    }
    let landed_in = |state| if let AttemptState::Landed { block, .. } = state { block } else { panic!("landed") };
    let (oldest, newest) = (landed_in(golem.ledger.attempts[0].state), landed_in(golem.ledger.attempts[2].state));

    // One by one the first time, and by one question the second.
    for asked in [3, 1] {
        golem.mine(5).await;
        blocks.store(0, Ordering::Relaxed);
        assert_eq!(golem.withdrawn().await, vec![]);
        assert_eq!(blocks.load(Ordering::Relaxed), asked);
    }
    let landed = golem.ledger.attempts[0].state;
    golem.ledger.attempts[0].state = AttemptState::Landed { block: oldest, hash: B256::repeat_byte(7) };
    assert_eq!(golem.withdrawn().await, [effects[0]], "a block that never stood is below a head that does");
    golem.ledger.attempts[0].state = landed;

    let head = golem.net.devnet.provider().get_block_number().await.expect("a head");
    golem.rpc("anvil_reorg", json!([head - newest + 1, []])).await;
    assert_eq!(golem.withdrawn().await, [effects[2]], "the head went, and with it the newest alone");
}
