//! O-002. An owner's command says what happened on the chain, not that a transaction was mined.

use alloy::primitives::{Address, U256};
use alloy::sol_types::SolCall;
use golem_chain::bindings::ILineageRegistry;
use golem_chain::{DeskError, EndpointSettings, Endpoints, LocalKey, OwnerDesk, Signer};
use golem_primitives::Usdc;
use serde_json::json;

use crate::proxy::{Answer, Proxy};
use crate::town::{Town, perform};

/// What the wallet has, how much of it `spender` may take, and how many transactions it has sent.
async fn wallet(town: &Town, desk: &OwnerDesk, spender: Address) -> (Usdc, Usdc, U256) {
    let count = town.endpoints.request("eth_getTransactionCount", json!([desk.address(), "pending"])).await;
    (
        desk.purse(desk.address()).await.expect("read").usdc,
        desk.allowance(spender).await.expect("read"),
        count.expect("read"),
    )
}

/// What every act on a vault says of an address that is none.
async fn refusals(town: &mut Town, desk: &OwnerDesk, at: Address) -> Vec<DeskError> {
    let (one, key) = (Usdc::whole(1), town.stranger(3).address);
    let usdc = town.here.usdc;
    vec![
        perform!(town, desk, |desk, report| desk.top_up(at, one, report)).expect_err("fund"),
        perform!(town, desk, |desk, report| desk.fund_capital(at, one, report)).expect_err("fund capital"),
        perform!(town, desk, |desk, report| desk.withdraw_capital(at, one, report)).expect_err("withdraw"),
        perform!(town, desk, |desk, report| desk.kill(at, "enough", report)).expect_err("kill"),
        perform!(town, desk, |desk, report| desk.kill_and_revoke(at, "enough", report)).expect_err("kill"),
        perform!(town, desk, |desk, report| desk.rotate_key(at, Some(key), report)).expect_err("rotate"),
        perform!(town, desk, |desk, report| desk.set_guardian(at, None, report)).expect_err("guardian"),
        perform!(town, desk, |desk, report| desk.finalise(at, report)).expect_err("finalise"),
        perform!(town, desk, |desk, report| desk.claim(at, Some(usdc), report)).expect_err("claim"),
        perform!(town, desk, |desk, report| desk.wake(at, report)).expect_err("wake"),
    ]
}

/// O-002, R-021: an address without code takes every call and does nothing. It is named before anything is signed, and
/// nothing is approved to it.
#[tokio::test(flavor = "multi_thread")]
async fn o_002_an_address_without_code_is_given_nothing() {
    let mut town = Town::up().await;
    let (desk, nobody) = (town.desk(&town.owner()), Address::repeat_byte(0x77));
    let before = wallet(&town, &desk, nobody).await;
    for error in refusals(&mut town, &desk, nobody).await {
        let words = error.to_string();
        assert!(words.contains("no code") && words.contains(&nobody.to_string()), "{words}");
    }
    assert_eq!(wallet(&town, &desk, nobody).await, before, "nothing was sent, paid or approved");
}

/// O-002: neither is a contract that takes whatever it is called with, and is no Golem's vault.
#[tokio::test(flavor = "multi_thread")]
async fn o_002_a_contract_that_is_no_vault_is_given_nothing() {
    let mut town = Town::up().await;
    // Its fallback takes a deposit of nothing for every call it does not know.
    let (desk, stranger) = (town.desk(&town.owner()), town.here.weth);
    let before = wallet(&town, &desk, stranger).await;
    for error in refusals(&mut town, &desk, stranger).await {
        assert!(error.to_string().contains("no Golem's vault"), "{error}");
    }
    assert_eq!(wallet(&town, &desk, stranger).await, before, "nothing was sent, paid or approved");
}

/// O-002, R-023: a receipt of success is not yet the effect: what was to be is read back, and what is not there is said.
#[tokio::test(flavor = "multi_thread")]
async fn o_002_what_a_receipt_says_is_read_back() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let (vault, agent) = (born.vault, born.agent);
    let proxy = Proxy::before(town.net.devnet.provider()).await;
    let settings = EndpointSettings { rounds: 1, ..EndpointSettings::devnet() };
    let endpoints = Endpoints::connect(&[proxy.url()], settings).await.expect("connected");
    let key = LocalKey::from_bytes(&town.owner().key.0).expect("a key");
    let patience = golem_chain::DeskPatience { poll: std::time::Duration::from_millis(3), ..Default::default() };
    let desk = OwnerDesk::new(endpoints, Signer::Local(key), town.here.clone()).expect("one chain");
    let desk = desk.with_patience(patience);

    // The node shows the receipts of calls that did nothing.
    proxy.bend("eth_getTransactionReceipt", |said| {
        if !said.is_null() {
            said["logs"] = json!([]);
        }
    });
    for (act, error) in [
        ("fund", perform!(town, desk, |desk, report| desk.top_up(vault, Usdc::whole(2), report)).map(drop)),
        ("capital", perform!(town, desk, |desk, report| desk.fund_capital(vault, Usdc::whole(2), report)).map(drop)),
        (
            "withdraw",
            perform!(town, desk, |desk, report| desk.withdraw_capital(vault, Usdc::whole(1), report)).map(drop),
        ),
    ] {
        let error = error.expect_err(act);
        assert!(error.to_string().contains("landed in 0x"), "{act}: {error}");
    }

    // The registry says what it said before, whatever was sent.
    let (key, selector) = (born.key, alloy::hex::encode_prefixed(ILineageRegistry::stateOfCall::SELECTOR));
    let old = ILineageRegistry::stateOfReturn { key, life: 1, cause: 0, deadline: U256::ZERO };
    let old = alloy::hex::encode_prefixed(ILineageRegistry::stateOfCall::abi_encode_returns(&old));
    proxy.play(Box::new(move |method, params, _| {
        let is_asked = params[0]["input"].as_str().is_some_and(|data| data.starts_with(&selector));
        (method == "eth_call" && is_asked).then(|| Answer::Result(json!(old)))
    }));
    let new_key = town.stranger(3).address;
    let error = perform!(town, desk, |desk, report| desk.rotate_key(vault, Some(new_key), report)).expect_err("not so");
    assert!(error.to_string().contains("landed in 0x"), "{error}");
    let error = perform!(town, desk, |desk, report| desk.kill(vault, "enough", report)).expect_err("not so");
    assert!(error.to_string().contains("landed in 0x"), "{error}");

    // Both were done, as an honest node shows; what cannot be read back is not told as done.
    let seen = town.desk(&town.owner()).golem(agent).await.expect("read");
    assert_eq!((seen.key, seen.life.as_str()), (new_key, "dying"));
}
