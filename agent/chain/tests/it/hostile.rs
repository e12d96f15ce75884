//! Nodes that are poor, broken or lying: a typed error or blindness, never a panic, never a second transaction.

use std::sync::{Arc, Mutex};

use golem_core::record::{Order, OutcomeResult};
use golem_ports::{Act, Chain, ChainError, Progress};
use golem_primitives::{PoolName, Tick, Usdc};
use serde_json::{Value, json};

use crate::proxy::{Answer, Proxy, Script};
use crate::sender::{buy, idle, is_verified};
use crate::support::{CAPITAL, Golem};

/// A Golem whose only endpoint is the proxy.
pub(crate) async fn behind(script: Script) -> (Golem, Proxy) {
    let mut golem = Golem::born().await;
    let proxy = Proxy::before(golem.net.devnet.provider()).await;
    golem.look_through(&[&proxy]).await;
    proxy.play(script);
    (golem, proxy)
}

/// R-010, M-080: a node that cannot simulate is asked by a plain call, and a swap is still foreseen to the last unit.
#[tokio::test(flavor = "multi_thread")]
async fn m_080_a_node_without_simulation_is_asked_by_a_plain_call() {
    let (mut golem, _proxy) = behind(Box::new(|method, _, _| {
        (method == "eth_simulateV1").then_some(Answer::Error(-32601, "the method does not exist"))
    }))
    .await;
    let record = golem.verified(buy()).await;
    assert!(record.is_hit() && record.prediction.expected_logs.is_empty(), "{record:#?}");
    assert_eq!(record.prediction.expected_return_micros, record.receipt.realised_return_micros);
    let held = golem.chain.sense().await.expect("seen").vault.expect("a vault").held;
    let order = Order::Sell { pool: PoolName::HOME, amount: held, least: Usdc::from_micros(1) };
    let record = golem.verified(Act::Trade(order)).await;
    assert_eq!(record.prediction.expected_return_micros, record.receipt.realised_return_micros);
    let order = Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(500), least: 1 };
    let reason = golem.refused(Act::Trade(order)).await;
    assert!(reason.ends_with("(TradeTooLarge)"), "{reason}");
}

/// a look is two requests, the newest block and one call, also with a position open.
#[tokio::test(flavor = "multi_thread")]
async fn r_051_a_look_is_one_multicall() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    golem.verified(buy()).await;
    let sight = golem.chain.sense().await.expect("seen");
    let middle = sight.market.pool_tick.div_euclid(10) * 10;
    let token = sight.vault.expect("a vault").held;
    let order =
        Order::Provide { pool: PoolName::HOME, lower: middle - 500, upper: middle + 500, usdc: Usdc::whole(50), token };
    golem.verified(Act::Trade(order)).await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    proxy.play(Box::new(move |method, _, _| {
        noted.lock().expect("not poisoned").push(method.to_owned());
        None
    }));
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(seen.positions.len() == 1 && seen.positions[0].token > 0);
    assert_eq!(*asked.lock().expect("not poisoned"), ["eth_getBlockByNumber", "eth_call"]);
}

/// whatever a node says, a look either succeeds or is blindness.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_nonsense_is_blindness_and_never_a_panic() {
    let (golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    assert!(golem.chain.sense().await.is_ok());
    type Lie = fn(&mut Value);
    let lies: [(&str, Lie); 9] = [
        ("eth_call", |said| *said = json!("0x")),
        ("eth_call", |said| *said = json!(null)),
        ("eth_call", |said| *said = json!({ "a": 1 })),
        ("eth_call", |said| *said = json!(format!("0x{}", "ff".repeat(64)))),
        ("eth_call", |said| {
            // Cut in the middle of an answer.
            let text = said.as_str().unwrap_or_default().to_owned();
            *said = json!(text[..(text.len() / 2) & !1]);
        }),
        ("eth_getBlockByNumber", |said| *said = json!(null)),
        ("eth_getBlockByNumber", |said| said["hash"] = json!("0x12")),
        ("eth_getBlockByNumber", |said| said["number"] = json!("a lot")),
        ("eth_getBlockByNumber", |said| {
            said.as_object_mut().expect("a block").remove("timestamp");
        }),
    ];
    for (index, (wrong, lie)) in lies.into_iter().enumerate() {
        proxy.bend(wrong, lie);
        let blind = golem.chain.sense().await.expect_err("nothing to be seen");
        assert!(!blind.why.is_empty(), "lie {index}");
    }
    // Another chain's block under the number that was asked for.
    proxy.play(Box::new(|method, params, said| {
        if method == "eth_getBlockByNumber" && params[0] != "latest" {
            said["number"] = json!("0x7");
        }
        None
    }));
    assert!(golem.chain.roll_block(Tick::new(7)).await.expect_err("not the block").why.contains("asked for block"));
    // A height no chain has: whatever is made of it, it is made without a panic.
    proxy.bend("eth_getBlockByNumber", |said| {
        said["number"] = json!("0xffffffffffffffff");
        said["baseFeePerGas"] = json!(format!("0x{}", "f".repeat(64)));
    });
    let _ = (golem.chain.sense().await, golem.chain.roll_block(Tick::new(7)).await);
}

/// a node that breaks in the middle of an errand delays it, and it lands once.
#[tokio::test(flavor = "multi_thread")]
async fn r_023_a_node_that_breaks_at_any_request_only_delays() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    let nonce = golem.nonce().await;
    let errand = golem.errand(buy());
    // Each method fails in turn, once with an error and once with nonsense, from the first step to the last.
    let methods = [
        "eth_getBlockByNumber",
        "eth_call",
        "eth_getTransactionCount",
        "eth_estimateGas",
        "eth_sendRawTransaction",
        "eth_getTransactionReceipt",
    ];
    let mut told = Vec::new();
    let (mut delays, mut rounds) = (0, 0);
    while told.is_empty() && rounds < 10 {
        rounds += 1;
        for broken in methods {
            for nonsense in [false, true] {
                proxy.play(Box::new(move |method, _, _| {
                    (method == broken).then(|| {
                        if nonsense { Answer::Result(json!({})) } else { Answer::Error(-32000, "header not found") }
                    })
                }));
                match golem.chain.drive(&errand, &mut golem.ledger).await {
                    Ok(Progress::Done(outcome)) => told.push(*outcome),
                    Ok(Progress::Pending) => {}
                    Err(ChainError::Blind(_)) => delays += 1,
                    Err(error) => panic!("{broken}: {error}"),
                }
            }
        }
        proxy.be_honest();
        if let Progress::Done(outcome) = golem.step(&errand).await {
            told.push(*outcome);
        }
        golem.mine(1).await;
    }
    let first = told.first().expect("told");
    assert!(delays > 0 && told.iter().all(|outcome| outcome == first), "asked again, it tells the same");
    assert!(is_verified(&first.result), "{first:?}");
    assert_eq!(golem.ledger.attempts.len(), 1);
    assert_eq!(golem.nonce().await, nonce + 1);
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)), "once");
}

/// sent, and the answer lost on the way: it is not sent as another.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_lost_answer_to_a_send_is_no_second_send() {
    let (mut golem, _proxy) = behind(Box::new(|method, _, _| {
        // The devnet has it by now.
        (method == "eth_sendRawTransaction").then_some(Answer::Error(-32603, "internal error"))
    }))
    .await;
    let errand = golem.errand(buy());
    let outcome = golem.finish(&errand).await;
    assert!(matches!(outcome.result, OutcomeResult::Verified(_)), "{outcome:?}");
    assert_eq!(golem.ledger.attempts.len(), 1);
}

/// a node that lost its receipts does not make a trade that landed a trade that did not.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_lost_receipt_is_no_lost_trade() {
    let (mut golem, proxy) =
        behind(Box::new(|method, _, _| (method == "eth_getTransactionReceipt").then_some(Answer::Result(Value::Null))))
            .await;
    let errand = golem.errand(buy());
    for _ in 0..8 {
        assert_eq!(golem.step(&errand).await, Progress::Pending);
        golem.mine(1).await;
    }
    proxy.be_honest();
    assert!(matches!(golem.finish(&errand).await.result, OutcomeResult::Verified(_)));
    assert_eq!(golem.ledger.attempts.len(), 1);
}

/// a receipt of another transaction, or of a block that is not there, is no receipt.
#[tokio::test(flavor = "multi_thread")]
async fn r_011_a_receipt_of_something_else_is_no_outcome() {
    let (mut golem, proxy) = behind(Box::new(|_, _, _| None)).await;
    let errand = golem.errand(buy());
    golem.step(&errand).await;
    golem.mine(3).await;
    proxy.bend("eth_getTransactionReceipt", |said| said["blockHash"] = json!(format!("0x{}", "11".repeat(32))));
    assert_eq!(golem.step(&errand).await, Progress::Pending, "its block is not on the chain");
    proxy.bend("eth_getTransactionReceipt", |said| said["transactionHash"] = json!(format!("0x{}", "22".repeat(32))));
    let error = golem.chain.drive(&errand, &mut golem.ledger).await.expect_err("another's");
    assert!(matches!(error, ChainError::Blind(_)), "{error}");
    proxy.be_honest();
    assert!(matches!(golem.finish(&errand).await.result, OutcomeResult::Verified(_)));
}
