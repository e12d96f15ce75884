//! V-006, R-033: the float is drawn within the chain's caps, and given away once.

use alloy::primitives::U256;
use golem_chain::bindings::IErc20;
use golem_chain::{KeyFloat, LocalKey, Signer};
use golem_core::record::Partition;
use golem_devnet::FiatToken;
use golem_ports::{Act, Authorisation, AuthorisationUse, Float};
use golem_primitives::{Address, B256, Usdc, UtcTime};

use crate::support::{Golem, deployment, endpoints, send};

async fn float_of(golem: &Golem) -> KeyFloat {
    let net = &golem.net.devnet;
    let key = LocalKey::from_bytes(&net.accounts().strangers[0].key.0).expect("a key");
    KeyFloat::open(endpoints(net).await, Signer::Local(key), &deployment(net)).await.expect("a float")
}

/// Leaves the key's wallet as poor as a newborn's.
async fn empty_wallet(golem: &mut Golem, float: &KeyFloat) {
    let held = float.held().await.expect("seen");
    let (key, usdc) = (golem.net.devnet.accounts().strangers[0].clone(), golem.net.devnet.world().usdc);
    let to = golem.net.devnet.accounts().issuer.address;
    let away = IErc20::transferCall { to, value: U256::from(held.micros()) };
    send(&mut golem.net.devnet, &key, usdc, &away).await;
    assert_eq!(float.held().await.expect("seen"), Usdc::ZERO);
}

#[tokio::test]
async fn v_006_float_is_drawn_from_the_named_partition_within_its_cap() {
    let mut golem = Golem::born().await;
    let float = float_of(&golem).await;
    empty_wallet(&mut golem, &float).await;
    let draw = |partition, micros| Act::DrawFloat { partition, amount: Usdc::from_micros(micros) };
    golem.done(draw(Partition::Data, 400_000)).await;
    golem.done(draw(Partition::Llm, 300_000)).await;
    assert_eq!(float.held().await.expect("seen"), Usdc::from_micros(700_000));
    // The wallet may hold 2 USDC; the vault says no with both numbers.
    let why = golem.refused(draw(Partition::Llm, 1_300_001)).await;
    assert!(why.contains("2.000001 USDC") && why.contains("2.00 USDC is the most"), "{why}");
    assert_eq!(float.held().await.expect("seen"), Usdc::from_micros(700_000));
}

#[tokio::test]
async fn v_006_a_dying_golem_draws_no_float() {
    let mut golem = Golem::born().await;
    let kill = golem_chain::bindings::IVault::killCall { reason: "done".to_owned() };
    golem.as_owner(&kill).await;
    let why = golem.refused(Act::DrawFloat { partition: Partition::Data, amount: Usdc::from_micros(1) }).await;
    assert!(why.contains("alive"), "{why}");
}

#[tokio::test]
async fn r_033_an_authorisation_is_signed_for_the_token_itself_and_seen_to_be_used() {
    let mut golem = Golem::born().await;
    let float = float_of(&golem).await;
    let payee = Address::repeat_byte(0x42);
    let now = golem.net.devnet.now().seconds();
    let authorisation = Authorisation {
        payee,
        amount: Usdc::from_micros(1_234),
        valid_before: UtcTime::from_seconds(now + 600),
        nonce: B256::repeat_byte(7),
    };
    let signature = float.sign(&authorisation).await.expect("signed");
    assert_eq!(signature, float.sign(&authorisation).await.expect("signed"), "the same leave");
    let before = float.usage(authorisation.nonce).await.expect("seen");
    assert!(!before.used && before.settled_to.seconds() < now + 600);
    let take = FiatToken::transferWithAuthorizationCall {
        from: float.place().holder,
        to: payee,
        value: U256::from(1_234),
        validAfter: U256::ZERO,
        validBefore: U256::from(now + 600),
        nonce: authorisation.nonce,
        v: signature[64],
        r: B256::from_slice(&signature[..32]),
        s: B256::from_slice(&signature[32..64]),
    };
    let (stranger, usdc) = (golem.net.devnet.accounts().strangers[1].clone(), golem.net.devnet.world().usdc);
    send(&mut golem.net.devnet, &stranger, usdc, &take).await;
    let AuthorisationUse { used, .. } = float.usage(authorisation.nonce).await.expect("seen");
    assert!(used);
    assert_eq!((float.place().name.as_str(), float.place().version.as_str()), ("USD Coin", "2"));
    assert!(!format!("{float:?}").contains("Local"), "no key in sight");
}
