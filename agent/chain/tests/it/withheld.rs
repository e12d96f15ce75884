//! What an endpoint withholds has still happened: nothing counts as lost, and nothing is paid again, before
//! another transaction is shown that took its place.

use alloy::providers::Provider;
use golem_core::record::{OutcomeResult, Partition};
use golem_ports::{AttemptState, Chain, Progress};
use golem_primitives::Usdc;
use serde_json::{Value, json};

use crate::hostile::behind;
use crate::proxy::{Answer, Proxy, Script};
use crate::sender::{RENT, buy, idle, is_verified, rent, wanting};
use crate::support::{CAPITAL, Golem, reason};

/// What a node says that has heard of no transaction at all.
fn withholds(method: &str) -> Option<Answer> {
    let of_one = ["eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getTransactionBySenderAndNonce"];
    of_one.contains(&method).then_some(Answer::Result(Value::Null))
}

async fn credits(golem: &Golem) -> Usdc {
    golem.chain.sense().await.expect("seen").vault.expect("a vault").credits.get(Partition::Llm)
}

async fn head(golem: &Golem) -> u64 {
    golem.net.devnet.provider().get_block_number().await.expect("a head")
}

/// A Golem with three endpoints: the first, which reads prefer, plays `script`, the others are honest.
async fn among_three(script: Script) -> (Golem, [Proxy; 3]) {
    let mut golem = Golem::born().await;
    let node = golem.net.devnet.provider().clone();
    let proxies = [Proxy::before(&node).await, Proxy::before(&node).await, Proxy::before(&node).await];
    golem.look_through(&proxies.each_ref()).await;
    proxies[0].play(script);
    (golem, proxies)
}

/// the only endpoint withholds receipts and transactions for as long as it likes. What landed is waited for
/// and paid once.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_withheld_receipt_is_no_lost_payment() {
    let (mut golem, proxy) = behind(Box::new(|method, _, _| withholds(method))).await;
    let before = credits(&golem).await;
    let errand = golem.errand(rent());
    for block in 0..12 {
        assert_eq!(golem.step(&errand).await, Progress::Pending, "block {block}");
        golem.mine(1).await;
    }
    assert_eq!(golem.ledger.attempts[0].state, AttemptState::Signed, "nobody showed what else took its nonce");
    assert_eq!(before.saturating_sub(credits(&golem).await), RENT, "it had landed all along");
    proxy.be_honest();
    assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done);
    assert_eq!(before.saturating_sub(credits(&golem).await), RENT, "paid once");
}

/// two honest endpoints of three are enough: what the third withholds is told as if it had not.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_two_honest_endpoints_of_three_show_what_one_withholds() {
    let (mut golem, _proxies) = among_three(Box::new(|method, _, _| withholds(method))).await;
    let before = credits(&golem).await;
    assert_eq!(golem.act(rent()).await.result, OutcomeResult::Done);
    assert_eq!(before.saturating_sub(credits(&golem).await), RENT);
}

/// behind an honest balancer whose backends stand three blocks apart, a block is there before its receipts are.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_backends_that_lag_three_blocks_lose_nothing() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    let before = credits(&golem).await;
    for paid in 1..=3 {
        let errand = golem.errand(rent());
        golem.step(&errand).await;
        // What asks for one transaction meets the backend behind; what asks for blocks and counts meets the one ahead.
        proxy.play(Box::new(|method, _, _| withholds(method)));
        golem.mine(1).await;
        for behind in 0..3 {
            assert_eq!(golem.step(&errand).await, Progress::Pending, "payment {paid}, {behind} blocks on top");
            golem.mine(1).await;
        }
        proxy.be_honest();
        assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done);
    }
    assert_eq!(before.saturating_sub(credits(&golem).await), Usdc::whole(3), "three were due");
}

/// what one endpoint of three makes up is outvoted: a balance, a nonce, a receipt, a block.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_what_one_endpoint_of_three_makes_up_is_outvoted() {
    let (mut golem, proxies) = among_three(Box::new(|_, _, _| None)).await;
    let before = credits(&golem).await;
    type Lie = fn(&mut Value);
    let lies: [(&str, Lie); 5] = [
        // Another number in the last place of everything that is read.
        ("eth_call", |said| {
            let mut text = said.as_str().unwrap_or("0x").to_owned();
            text.pop();
            text.push('7');
            *said = json!(text);
        }),
        ("eth_getTransactionCount", |said| *said = json!("0x63")),
        ("eth_getTransactionReceipt", |said| {
            if !said.is_null() {
                (said["status"], said["logs"]) = (json!("0x0"), json!([]));
            }
        }),
        ("eth_getBlockByNumber", |said| {
            if !said.is_null() {
                said["hash"] = json!(format!("0x{}", "11".repeat(32)));
            }
        }),
        ("eth_getTransactionBySenderAndNonce", |said| *said = json!({ "hash": format!("0x{}", "22".repeat(32)) })),
    ];
    for (paid, (wrong, lie)) in (1..).zip(lies) {
        proxies[0].bend(wrong, lie);
        assert_eq!(golem.act(rent()).await.result, OutcomeResult::Done, "{wrong}");
        let due = Usdc::whole(paid);
        assert_eq!(before.saturating_sub(credits(&golem).await), due, "{wrong}");
    }
}

/// what was told as lost and is on the chain after all is taken back and told as what it came to.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_lost_attempt_that_turns_up_is_taken_back() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.dies_before_it_sends(&errand).await;
    golem.nonce_is_taken().await;
    let before = head(&golem).await;
    golem.mine(1).await;
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).contains("took nonce"), "{outcome:?}");
    assert_eq!(golem.withdrawn().await, vec![], "it stands");

    // A reorganisation takes the other one out, and somebody who has ours brings it in.
    let raw = alloy::hex::encode_prefixed(&golem.ledger.attempts[0].raw);
    let depth = head(&golem).await - before;
    golem.rpc("anvil_reorg", json!([depth, [[raw, 0]]])).await;
    golem.mine(3).await;
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)), "it happened after all");
    assert_eq!(golem.withdrawn().await, vec![errand.effect]);
    assert!(is_verified(&golem.finish(&errand).await.result));
    assert_eq!(golem.withdrawn().await, vec![], "told, it is told no more");
}
