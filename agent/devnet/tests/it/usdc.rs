//! Circle's own contract: signed approvals and transfers, pause and block list.

use alloy::primitives::{Address, B256, U256, keccak256};
use alloy::signers::SignerSync;
use alloy::sol;
use alloy::sol_types::{Eip712Domain, SolCall, SolStruct, eip712_domain};
use golem_devnet::{Devnet, FiatToken, FundedAccount};
use golem_primitives::Usdc;

use crate::support::{send, still};

sol! {
    struct Permit { address owner; address spender; uint256 value; uint256 nonce; uint256 deadline; }
    struct TransferWithAuthorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; }
    struct ReceiveWithAuthorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; }
    struct CancelAuthorization { address authorizer; bytes32 nonce; }
}

const AMOUNT: Usdc = Usdc::whole(5);

fn domain(net: &Devnet, chain_id: u64) -> Eip712Domain {
    eip712_domain! { name: "USD Coin", version: "2", chain_id: chain_id, verifying_contract: net.world().usdc, }
}

fn sign(signer: &FundedAccount, message: &impl SolStruct, domain: &Eip712Domain) -> (u8, B256, B256) {
    let signature = signer.signer().sign_hash_sync(&message.eip712_signing_hash(domain)).expect("signed");
    (27 + u8::from(signature.v()), signature.r().into(), signature.s().into())
}

async fn balance(net: &Devnet, of: Address) -> U256 {
    FiatToken::new(net.world().usdc, net.provider()).balanceOf(of).call().await.expect("answered")
}

/// One way to present an authorisation, and whether USDC takes it.
struct Case {
    what: &'static str,
    valid_after: u64,
    valid_before: u64,
    signer: usize,
    chain_id: u64,
    nonce: u8,
    taken: bool,
}

#[tokio::test]
async fn eip_3009_transfers_are_taken_once_in_time_from_the_right_signer_on_this_chain() {
    let mut net = still().await;
    let net = &mut net.devnet;
    let (now, here) = (net.now().seconds(), net.running().chain_id);
    let people = net.accounts().strangers.clone();
    let (from, to, relayer) = (&people[0], people[1].address, people[2].clone());
    let case = |what, nonce, taken| Case {
        what,
        valid_after: 0,
        valid_before: now + 3_600,
        signer: 0,
        chain_id: here,
        nonce,
        taken,
    };
    let cases = [
        case("good", 1, true),
        case("reused", 1, false),
        Case { valid_before: now, ..case("expired", 2, false) },
        Case { valid_after: now + 3_600, valid_before: now + 7_200, ..case("too early", 3, false) },
        Case { signer: 1, ..case("wrong signer", 4, false) },
        Case { chain_id: 8453, ..case("signed for Base", 5, false) },
    ];
    for Case { what, valid_after, valid_before, signer, chain_id, nonce, taken } in cases {
        let nonce = keccak256([nonce]);
        let value = U256::from(AMOUNT.micros());
        let (after, before) = (U256::from(valid_after), U256::from(valid_before));
        let message =
            TransferWithAuthorization { from: from.address, to, value, validAfter: after, validBefore: before, nonce };
        let (v, r, s) = sign(&people[signer], &message, &domain(net, chain_id));
        let call = FiatToken::transferWithAuthorizationCall {
            from: from.address,
            to,
            value,
            validAfter: after,
            validBefore: before,
            nonce,
            v,
            r,
            s,
        };
        let held = balance(net, to).await;
        let usdc = net.world().usdc;
        let receipt = send(net, &relayer, usdc, call.abi_encode()).await;
        assert_eq!(receipt.status(), taken, "{what}");
        let moved = if taken { value } else { U256::ZERO };
        assert_eq!(balance(net, to).await - held, moved, "{what}");
    }
}

#[tokio::test]
async fn eip_3009_receipts_are_taken_only_by_the_payee_and_a_cancelled_one_by_nobody() {
    let mut net = still().await;
    let net = &mut net.devnet;
    let (usdc, here) = (net.world().usdc, net.running().chain_id);
    let people = net.accounts().strangers.clone();
    let (value, before) = (U256::from(AMOUNT.micros()), U256::from(net.now().seconds() + 3_600));
    let receive = |net: &Devnet, nonce: B256| {
        let (from, to) = (people[0].address, people[1].address);
        let message = ReceiveWithAuthorization { from, to, value, validAfter: U256::ZERO, validBefore: before, nonce };
        let (v, r, s) = sign(&people[0], &message, &domain(net, here));
        FiatToken::receiveWithAuthorizationCall {
            from,
            to,
            value,
            validAfter: U256::ZERO,
            validBefore: before,
            nonce,
            v,
            r,
            s,
        }
        .abi_encode()
    };
    let data = receive(net, keccak256("a"));
    assert!(!send(net, &people[2], usdc, data.clone()).await.status(), "a front-runner cannot present it");
    assert!(send(net, &people[1], usdc, data).await.status(), "the payee can");

    let nonce = keccak256("b");
    let (v, r, s) = sign(&people[0], &CancelAuthorization { authorizer: people[0].address, nonce }, &domain(net, here));
    let cancel = FiatToken::cancelAuthorizationCall { authorizer: people[0].address, nonce, v, r, s }.abi_encode();
    assert!(send(net, &people[2], usdc, cancel).await.status());
    let data = receive(net, nonce);
    assert!(!send(net, &people[1], usdc, data).await.status(), "cancelled");
}

#[tokio::test]
async fn eip_2612_permits_are_taken_once_in_time_from_the_right_signer_on_this_chain() {
    let mut net = still().await;
    let net = &mut net.devnet;
    let (usdc, now, here) = (net.world().usdc, net.now().seconds(), net.running().chain_id);
    let people = net.accounts().strangers.clone();
    let (owner, spender) = (people[0].address, people[1].address);
    let value = U256::from(AMOUNT.micros());
    // (what, deadline, signer, chain, nonce, taken)
    let cases = [
        ("expired", now, 0, here, 0u8, false),
        ("wrong signer", now + 3_600, 1, here, 0, false),
        ("signed for Base", now + 3_600, 0, 8453, 0, false),
        ("good", now + 3_600, 0, here, 0, true),
        ("reused", now + 3_600, 0, here, 0, false),
    ];
    for (what, deadline, signer, chain_id, nonce, taken) in cases {
        let deadline = U256::from(deadline);
        let message = Permit { owner, spender, value, nonce: U256::from(nonce), deadline };
        let (v, r, s) = sign(&people[signer], &message, &domain(net, chain_id));
        let call = FiatToken::permitCall { owner, spender, value, deadline, v, r, s };
        assert_eq!(send(net, &people[2], usdc, call.abi_encode()).await.status(), taken, "{what}");
    }
    let token = FiatToken::new(usdc, net.provider());
    assert_eq!(token.nonces(owner).call().await.expect("answered"), U256::from(1));
    let spend = FiatToken::transferFromCall { from: owner, to: spender, value }.abi_encode();
    assert!(send(net, &people[1], usdc, spend.clone()).await.status(), "the permit is an allowance");
    assert!(!send(net, &people[1], usdc, spend).await.status(), "and it is used up");
}

#[tokio::test]
async fn the_issuer_can_pause_usdc_and_block_an_address_and_nobody_else_can() {
    let mut net = still().await;
    let net = &mut net.devnet;
    let usdc = net.world().usdc;
    let issuer = net.accounts().issuer.clone();
    let people = net.accounts().strangers.clone();
    let pay = FiatToken::transferCall { to: people[1].address, value: U256::from(1) }.abi_encode();
    let pause = FiatToken::pauseCall {}.abi_encode();
    let block = FiatToken::blacklistCall { account: people[1].address }.abi_encode();

    assert!(!send(net, &people[0], usdc, pause.clone()).await.status(), "a stranger cannot pause");
    assert!(!send(net, &people[0], usdc, block.clone()).await.status(), "a stranger cannot block");
    assert!(send(net, &people[0], usdc, pay.clone()).await.status());

    assert!(send(net, &issuer, usdc, pause).await.status());
    assert!(!send(net, &people[0], usdc, pay.clone()).await.status(), "paused");
    assert!(send(net, &issuer, usdc, FiatToken::unpauseCall {}.abi_encode()).await.status());
    assert!(send(net, &people[0], usdc, pay.clone()).await.status(), "running again");

    assert!(send(net, &issuer, usdc, block).await.status());
    assert!(!send(net, &people[0], usdc, pay.clone()).await.status(), "a blocked payee cannot receive");
    let unblock = FiatToken::unBlacklistCall { account: people[1].address }.abi_encode();
    assert!(send(net, &issuer, usdc, unblock).await.status());
    assert!(send(net, &people[0], usdc, pay).await.status());
}
