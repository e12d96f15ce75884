//! R-034, M-047, V-005: anyone feeds a Golem with the field's own client, and its vault holds more.

use alloy::network::TransactionBuilder;
use alloy::primitives::U256;
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall;
use golem_chain::bindings::{IErc20, IVault};
use golem_core::record::Partition;
use golem_ports::Payments;
use golem_primitives::Usdc;
use golem_x402::float::{expected, worth};
use golem_x402::{Good, PayerSettings, PurchaseError, PurchaseRequest};
use reqwest::{Client, StatusCode};
use x402_reqwest::{ReqwestWithPayments, ReqwestWithPaymentsBuild};

use crate::selling::{Shelf, open, stranger};
use crate::town::{Town, purchase};

async fn unallocated(town: &Town, vault: alloy::primitives::Address) -> u64 {
    let request = TransactionRequest::default().with_to(vault).with_input(IVault::unallocatedCall {}.abi_encode());
    let said = town.devnet.provider().call(request).await.expect("answered");
    IVault::unallocatedCall::abi_decode_returns(&said).expect("a number").to()
}

async fn partitions(town: &Town, vault: alloy::primitives::Address) -> [Usdc; 4] {
    let request = TransactionRequest::default().with_to(vault).with_input(IVault::creditsCall {}.abi_encode());
    let said = town.devnet.provider().call(request).await.expect("answered");
    let ledger = IVault::creditsCall::abi_decode_returns(&said).expect("a ledger");
    [ledger.llm, ledger.gas, ledger.data, ledger.legacy].map(Usdc::from_micros)
}

async fn credits(town: &Town, vault: alloy::primitives::Address) -> u64 {
    partitions(town, vault).await.iter().map(|part| part.micros()).sum()
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
    assert_eq!(shelf.sold(), [(Good::Feed, Usdc::whole(5))]);

    // V-005: anyone may have it allocated, and then it is credits: a longer life.
    town.send(&town.stranger(4), vault, &IVault::syncCall {}).await;
    assert_eq!(unallocated(&town, vault).await, 0);
    assert_eq!(credits(&town, vault).await - worth, 5_000_000);

    for amount in ["0.099999", "1000.000001", "-1", "five", "1e3", ""] {
        let refused = client.post(format!("{}/feed?amount={amount}", payee.url())).send().await.expect("answered");
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{amount}");
    }
    assert_eq!(town.usdc_of(vault).await.saturating_sub(before), Usdc::whole(5), "nothing more");
}

/// V-006, R-033: one Golem feeds another. At every settlement the wallet holds what the book expects, and each partition
/// is worth what it was born with less what it paid.
#[tokio::test]
async fn v_006_the_accounts_of_a_golem_that_pays_equal_the_chains() {
    let town = Town::up().await;
    let vault = town.vault().await;
    let (key, usdc) = (town.stranger(0), town.devnet.world().usdc);
    let away = IErc20::transferCall {
        to: town.devnet.accounts().issuer.address,
        value: U256::from(town.usdc_of(key.address).await.micros()),
    };
    town.send(&key, usdc, &away).await;
    let born = partitions(&town, vault).await;
    let fed = alloy::primitives::Address::repeat_byte(0x78);
    let payee = open(&town, fed, &Shelf::default()).await;
    let host = payee.address().to_string();
    let caps = |settings: &mut PayerSettings| (settings.per_call, settings.per_day) = (Usdc::whole(2), Usdc::whole(9));
    let payer = town.payer_with(&[&host], caps).await;
    let mut memory = town.bare_memory();
    for (partition, index, amount) in [(Partition::Llm, 0u8, "1"), (Partition::Data, 2, "1.25")] {
        let mut wanted = purchase(&format!("{}/feed?amount={amount}", payee.url()));
        wanted.partition = partition;
        wanted.at_most = Usdc::whole(2);
        wanted.request = PurchaseRequest::Post { media: "text/plain".to_owned(), body: b"eat".to_vec() };
        let refused = payer.buy(&wanted, &mut memory).await.expect_err("nothing was drawn yet");
        let PurchaseError::FloatShort { short, .. } = refused else { panic!("{refused}") };
        let draw = IVault::spendCall { partition: index, payee: key.address, amount: U256::from(short.micros()) };
        town.send(&key, vault, &draw).await;
        memory.drew(crate::town::effect(3_000 + u32::from(index)), partition, short).expect("on disk");
        let drawn = worth(partitions(&town, vault).await, &memory.float_book().expect("a book"));
        assert_eq!(drawn[usize::from(index)], born[usize::from(index)], "a draw costs nothing");
        let bought = payer.buy(&wanted, &mut memory).await.expect("drawn");
        assert_eq!(bought.paid, amount.parse::<Usdc>().expect("an amount"));
        let book = memory.float_book().expect("a book");
        assert_eq!(town.usdc_of(key.address).await, expected(&book));
        let now = worth(partitions(&town, vault).await, &book);
        for (place, worth) in now.into_iter().enumerate() {
            assert_eq!(worth, born[place].saturating_sub(book.paid[place]), "partition {place}");
        }
    }
    assert_eq!(town.usdc_of(fed).await, Usdc::from_micros(2_250_000));
}
