//! Transactions that nodes will not have, and keys that can hardly pay.

use alloy::consensus::{Transaction as _, TxEnvelope};
use alloy::eips::eip2718::Decodable2718 as _;
use alloy::primitives::{Bytes, U256};
use golem_core::record::{OutcomeResult, RefusalClass};
use golem_ports::Progress;
use serde_json::{Value, json};

use crate::hostile::behind;
use crate::proxy::{Answer, Gate};
use crate::sender::beat;
use crate::support::{Golem, reason};

fn sent(raw: &[u8]) -> TxEnvelope {
    TxEnvelope::decode_2718_exact(raw).expect("a transaction")
}

/// Refuses the transactions that `is_refused` says, in a node's words.
fn refusing(is_refused: impl Fn(&TxEnvelope) -> bool + Send + 'static, words: &'static str) -> Gate {
    Box::new(move |method: &str, params: &Value| {
        let raw: Bytes = (method == "eth_sendRawTransaction").then(|| params[0].as_str()?.parse().ok()).flatten()?;
        is_refused(&sent(&raw)).then_some(Answer::Error(-32000, words))
    })
}

/// an act that no node takes is cancelled once its time is over, and what waits behind it goes on.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_what_no_node_takes_is_cancelled_after_its_time() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    proxy.guard(refusing(|tx| !tx.input().is_empty(), "insufficient funds for gas * price + value"));
    let nonce = golem.nonce().await;
    let errand = golem.errand(beat(9));
    for _ in 0..4 {
        assert_eq!(golem.step(&errand).await, Progress::Pending);
        golem.mine(1).await;
    }
    assert_eq!(golem.ledger.attempts.len(), 1, "within its time it is offered again, the same bytes");
    golem.net.devnet.mine_still(70).await.expect("mined");
    let outcome = golem.finish(&errand).await;
    assert_eq!(reason(&outcome), RefusalClass::Dropped.say("the key cannot pay for it"));
    let tried = (golem.ledger.attempts.len(), golem.nonce().await);
    assert_eq!(tried, (3, nonce + 1), "looked at once more, then cancelled");
    proxy.guard(Box::new(|_, _| None));
    let next = golem.errand(beat(10));
    assert_eq!(golem.finish(&next).await.result, OutcomeResult::Done, "the key goes on");
}

/// a cancellation that is itself refused is offered for less, since nothing has to be outbid.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_refused_cancellation_is_offered_for_less() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    golem.set_base_fee(60_000_000).await;
    let errand = golem.errand(beat(9));
    let words = "tx fee exceeds the configured cap";
    proxy.guard(refusing(|tx| !tx.input().is_empty() || tx.max_fee_per_gas() > 100_000_000, words));
    golem.step(&errand).await;
    golem.set_base_fee(10_000_000).await;
    golem.net.devnet.mine_still(70).await.expect("mined");
    let outcome = golem.finish(&errand).await;
    assert_eq!(reason(&outcome), RefusalClass::Dropped.say("the node does not take it"));
    let fees: Vec<u128> = golem.ledger.attempts.iter().map(|attempt| sent(&attempt.raw).max_fee_per_gas()).collect();
    let [.., refused, taken] = fees[..] else { panic!("{fees:?}") };
    assert!(refused > 100_000_000 && taken < 100_000_000, "{fees:?}");
}

/// V-008, R-022: a tenth of the key's coin is never offered, so that a fee on top of the gas finds something.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_tenth_of_the_keys_coin_is_kept_back() {
    let mut golem = Golem::born().await;
    let errand = golem.errand(beat(9));
    golem.finish(&errand).await;
    let cost = |golem: &Golem, at: usize| {
        let tx = sent(&golem.ledger.attempts[at].raw);
        tx.max_fee_per_gas() * u128::from(tx.gas_limit())
    };
    // What this one offered is all the key has for the next.
    let has = cost(&golem, 0);
    let key = golem.chain.key();
    golem.rpc("anvil_setBalance", json!([key, U256::from(has)])).await;
    let errand = golem.errand(beat(10));
    golem.step(&errand).await;
    assert!(cost(&golem, 1) * 10 <= has * 9, "{} of {has}", cost(&golem, 1));
    assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done);
}
