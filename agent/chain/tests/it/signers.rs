//! A signer behind a URL, honest and not.

use std::sync::Arc;

use alloy::consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::{Decodable2718, Encodable2718};
use alloy::primitives::{Address, Bytes, TxKind, U256, keccak256};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use golem_chain::{ExternalSigner, LocalKey, Signer, SignerError};
use serde_json::{Value, json};

use crate::fake_rpc::{FakeRpc, Reply};

fn key() -> PrivateKeySigner {
    PrivateKeySigner::from_bytes(&keccak256("a key for tests")).expect("a key")
}

fn transaction() -> TxEip1559 {
    TxEip1559 {
        chain_id: 7,
        nonce: 3,
        gas_limit: 90_000,
        max_fee_per_gas: 2_000_000_000,
        max_priority_fee_per_gas: 1_000_000,
        to: TxKind::Call(Address::repeat_byte(0x11)),
        value: U256::from(5),
        access_list: Default::default(),
        input: Bytes::from_static(&[1, 2, 3]),
    }
}

/// What was asked for, as a signer reads it.
fn parse(params: &Value) -> TxEip1559 {
    let asked = &params[0];
    let number = |name: &str| {
        let text = asked[name].as_str().expect(name);
        U256::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number")
    };
    TxEip1559 {
        chain_id: number("chainId").to(),
        nonce: number("nonce").to(),
        gas_limit: number("gas").to(),
        max_fee_per_gas: number("maxFeePerGas").to(),
        max_priority_fee_per_gas: number("maxPriorityFeePerGas").to(),
        to: TxKind::Call(asked["to"].as_str().expect("to").parse().expect("an address")),
        value: number("value"),
        access_list: Default::default(),
        input: asked["data"].as_str().expect("data").parse().expect("bytes"),
    }
}

fn sign(tx: TxEip1559, by: &PrivateKeySigner) -> Bytes {
    let signature = by.sign_hash_sync(&tx.signature_hash()).expect("signed");
    TxEnvelope::Eip1559(tx.into_signed(signature)).encoded_2718().into()
}

type Signing = Arc<dyn Fn(TxEip1559) -> Value + Send + Sync>;

async fn signer(signing: Signing) -> (FakeRpc, Signer) {
    let node = FakeRpc::start(move |method, params| match method {
        "eth_accounts" => Reply::Result(json!([key().address()])),
        "eth_signTransaction" => Reply::Result(signing(parse(params))),
        _ => Reply::Error(-32601, "no", Value::Null),
    })
    .await;
    let external = ExternalSigner::connect(&node.url, key().address()).await.expect("connected");
    (node, Signer::External(external))
}

#[tokio::test]
async fn r_024_an_external_signer_signs_what_it_is_asked() {
    let shapes: [Signing; 2] =
        [Arc::new(|tx| json!(sign(tx, &key()))), Arc::new(|tx| json!({ "raw": sign(tx, &key()), "tx": {} }))];
    for shape in shapes {
        let (_node, signer) = signer(shape).await;
        let raw = signer.sign_tx(transaction()).await.expect("signed");
        let local = Signer::Local(LocalKey::from_bytes(&key().to_bytes().0).expect("a key"));
        assert_eq!(raw, local.sign_tx(transaction()).await.expect("signed"), "as the key itself would");
        let TxEnvelope::Eip1559(signed) = TxEnvelope::decode_2718(&mut &raw[..]).expect("a transaction") else {
            panic!("of another type")
        };
        let by = signed.signature().recover_address_from_prehash(&signed.signature_hash()).expect("signed");
        assert_eq!((by, signed.tx()), (key().address(), &transaction()));
    }
}

#[tokio::test]
async fn r_024_an_external_signer_that_returns_anything_else_is_refused() {
    let stranger = || PrivateKeySigner::from_bytes(&keccak256("a stranger's")).expect("a key");
    let tricks: [(&str, Signing); 7] = [
        ("value", Arc::new(|tx| json!(sign(TxEip1559 { value: U256::from(6), ..tx }, &key())))),
        ("payee", Arc::new(|tx| json!(sign(TxEip1559 { to: TxKind::Call(Address::ZERO), ..tx }, &key())))),
        ("nonce", Arc::new(|tx| json!(sign(TxEip1559 { nonce: 4, ..tx }, &key())))),
        ("chain", Arc::new(|tx| json!(sign(TxEip1559 { chain_id: 1, ..tx }, &key())))),
        ("signer", Arc::new(move |tx| json!(sign(tx, &stranger())))),
        ("tail", Arc::new(|tx| json!(Bytes::from([sign(tx, &key()).to_vec(), vec![0]].concat())))),
        ("noise", Arc::new(|_| json!("0x1234"))),
    ];
    for (what, trick) in tricks {
        let (_node, signer) = signer(trick).await;
        let error = signer.sign_tx(transaction()).await.expect_err(what);
        assert!(matches!(error, SignerError::Tampered { .. }) && !error.may_retry(), "{what}: {error}");
    }
}

#[tokio::test]
async fn r_024_an_external_signer_must_hold_the_account_and_answer() {
    let (node, signer) = signer(Arc::new(|tx| json!(sign(tx, &key())))).await;
    let other = Address::repeat_byte(9);
    let error = ExternalSigner::connect(&node.url, other).await.expect_err("not its account");
    assert!(matches!(error, SignerError::UnknownAccount { address, .. } if address == other));
    node.becomes(|_, _| Reply::Error(-32000, "request denied", Value::Null));
    let error = signer.sign_tx(transaction()).await.expect_err("denied");
    assert!(matches!(&error, SignerError::External { detail, .. } if detail.contains("denied")), "{error}");
    let secret = format!("{}/S3cretPathOfTheSigner", node.url);
    let error = ExternalSigner::connect(&secret, other).await.expect_err("denied");
    assert!(!format!("{error} {error:?}").contains("S3cret"), "{error:?}");
}
