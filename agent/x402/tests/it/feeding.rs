//! R-034, M-047, V-005: anyone feeds a Golem with the field's own client, and its vault holds more.

use alloy::network::TransactionBuilder;
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall;
use golem_chain::bindings::IVault;
use golem_primitives::Usdc;
use golem_x402::Good;
use reqwest::{Client, StatusCode};
use x402_reqwest::{ReqwestWithPayments, ReqwestWithPaymentsBuild};

use crate::selling::{Shelf, open, stranger};
use crate::town::Town;

async fn unallocated(town: &Town, vault: alloy::primitives::Address) -> u64 {
    let request = TransactionRequest::default().with_to(vault).with_input(IVault::unallocatedCall {}.abi_encode());
    let said = town.devnet.provider().call(request).await.expect("answered");
    IVault::unallocatedCall::abi_decode_returns(&said).expect("a number").to()
}

async fn credits(town: &Town, vault: alloy::primitives::Address) -> u64 {
    let request = TransactionRequest::default().with_to(vault).with_input(IVault::creditsCall {}.abi_encode());
    let said = town.devnet.provider().call(request).await.expect("answered");
    let ledger = IVault::creditsCall::abi_decode_returns(&said).expect("a ledger");
    ledger.llm + ledger.gas + ledger.data + ledger.legacy
}

#[tokio::test]
async fn r_034_a_strangers_own_client_feeds_the_vault_and_sync_allocates_it() {
    let town = Town::up().await;
    let vault = town.vault().await;
    let shelf = Shelf::default();
    let payee = open(&town, vault, &shelf).await;
    let (before, worth) = (town.usdc_of(vault).await, credits(&town, vault).await);
    let client = Client::new().with_payments(stranger(&town, 3)).build();
    let fed = client.post(format!("{}/feed?amount=5", payee.url())).send().await.expect("answered");
    assert_eq!(fed.status(), StatusCode::OK);
    assert!(fed.headers().contains_key("payment-response"));
    let said: serde_json::Value = fed.json().await.expect("JSON");
    assert_eq!((said["fed"].as_u64(), said["transaction"].is_string()), (Some(5_000_000), true));
    assert_eq!(town.usdc_of(vault).await.saturating_sub(before), Usdc::whole(5));
    assert_eq!(unallocated(&town, vault).await, 5_000_000);
    assert_eq!(*shelf.took.lock().expect("not poisoned"), [(Good::Feed, Usdc::whole(5))]);

    // V-005: anyone may have it allocated, and then it is credits: a longer life.
    town.send(&town.stranger(4), vault, &IVault::syncCall {}).await;
    assert_eq!(unallocated(&town, vault).await, 0);
    assert_eq!(credits(&town, vault).await - worth, 5_000_000);

    for amount in ["0.99", "1000.000001", "-1", "five", "1e3", ""] {
        let refused = client.post(format!("{}/feed?amount={amount}", payee.url())).send().await.expect("answered");
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{amount}");
    }
    assert_eq!(town.usdc_of(vault).await.saturating_sub(before), Usdc::whole(5), "nothing more");
}
