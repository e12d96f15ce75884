//! A signer behind a URL, honest and not.

use std::sync::Arc;

use alloy::consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy::dyn_abi::TypedData;
use alloy::eips::eip2718::{Decodable2718, Encodable2718};
use alloy::primitives::{Address, B256, Bytes, TxKind, U256, keccak256};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use golem_chain::bindings::statements::TransferWithAuthorization;
use golem_chain::{ExternalSigner, Keystore, LocalKey, PasswordStrength, Secret, Signer, SignerError};
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

#[tokio::test]
async fn r_024_an_external_signer_signs_statements_too() {
    let statement = TransferWithAuthorization {
        from: key().address(),
        to: Address::repeat_byte(2),
        value: U256::from(5_000_000),
        validAfter: U256::ZERO,
        validBefore: U256::MAX,
        nonce: B256::ZERO,
    };
    let domain = alloy::sol_types::eip712_domain! {
        name: "USD Coin",
        version: "2",
        chain_id: 7,
        verifying_contract: Address::repeat_byte(3),
    };
    let (node, signer) = signer(Arc::new(|tx| json!(sign(tx, &key())))).await;
    node.becomes(|_, params| {
        // The signer knows nothing but what is in the request.
        let typed: TypedData = serde_json::from_value(params[1].clone()).expect("a statement");
        let digest = typed.eip712_signing_hash().expect("whole");
        Reply::Result(json!(Bytes::from(key().sign_hash_sync(&digest).expect("signed").as_bytes())))
    });
    let local = Signer::Local(LocalKey::from_bytes(&key().to_bytes().0).expect("a key"));
    let signature = signer.sign_typed(&statement, &domain).await.expect("signed");
    assert_eq!(signature, local.sign_typed(&statement, &domain).await.expect("signed"));
    node.becomes(|_, _| {
        let other = key().sign_hash_sync(&keccak256("something else")).expect("signed");
        Reply::Result(json!(Bytes::from(other.as_bytes())))
    });
    let error = signer.sign_typed(&statement, &domain).await.expect_err("another statement");
    assert!(matches!(error, SignerError::Tampered { .. }), "{error}");
}

/// Files of ours open in another tool, and its files in ours.
#[test]
fn r_024_keystores_are_those_of_every_other_wallet() {
    let cast = golem_devnet::find_tool("cast").expect("set up").path;
    let dir = tempfile::tempdir().expect("a folder");
    let password = Secret::new("correct horse".to_owned());
    let run = |arguments: &[&str]| {
        let said = std::process::Command::new(&cast).current_dir(dir.path()).arg("wallet").args(arguments).output();
        let said = said.expect("cast runs");
        let text = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
        assert!(said.status.success(), "{arguments:?}: {text}");
        text.to_lowercase()
    };
    let path = dir.path().join("ours");
    let (_, key) = Keystore::create(&path, &password, PasswordStrength::default()).expect("made");
    let shown = run(&["decrypt-keystore", "--keystore-dir", ".", "ours", "--unsafe-password", &password]);
    let hex = shown.split_whitespace().find_map(|word| word.strip_prefix("0x").filter(|hex| hex.len() == 64));
    let theirs = Secret::new(hex.expect("the key").to_owned());
    assert_eq!(LocalKey::from_hex(&theirs).expect("a key").address(), key.address());

    let given = format!("{}", keccak256("a key for cast"));
    run(&["import", "--keystore-dir", ".", "theirs", "--private-key", &given, "--unsafe-password", &password]);
    let opened = Keystore::open(&dir.path().join("theirs")).expect("a keystore").unlock(&password).expect("opened");
    assert_eq!(opened.address(), LocalKey::from_hex(&Secret::new(given)).expect("a key").address());
}
