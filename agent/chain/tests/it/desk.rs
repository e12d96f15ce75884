//! The owner's desk on a real devnet (O-002).

use alloy::primitives::{Address, B256, U256, keccak256};
use golem_chain::bindings::{IErc20, IErc721, IIdentityRegistry, IVault};
use golem_chain::{BirthPlan, DeskError, DeskPatience, DeskProgress, LocalKey, Policy, Takeover, Uses};
use golem_primitives::Usdc;
use serde_json::json;
use std::time::Duration;

use crate::town::{Town, micros, perform};

fn word(error: &DeskError) -> &'static str {
    error.refusal().unwrap_or_else(|| panic!("no refusal: {error:?}")).word()
}

/// L-004, V-004: the vault's address is known before, exactly the sum is approved, and the default policy is ours.
#[tokio::test(flavor = "multi_thread")]
async fn l_004_a_golem_is_born_where_it_was_said_to_be() {
    let mut town = Town::up().await;
    let desk = town.desk(&town.owner());
    let plan = town.plan();
    let expected = desk.vault_address(&plan).await.expect("asked");
    let before = desk.purse(desk.address()).await.expect("read");
    let born = town.birth(plan.clone()).await.expect("born");
    assert_eq!((born.vault, born.generation, born.owner), (expected, 0, desk.address()));
    assert_eq!(born.key, town.stranger(0).address);
    assert_eq!(desk.vault_of(born.agent).await.expect("read"), expected);
    assert_eq!(desk.owner_of(born.agent).await.expect("read"), desk.address());
    assert_eq!(desk.golem(born.agent).await.expect("read").life, "alive");
    let after = desk.purse(desk.address()).await.expect("read");
    assert_eq!(before.usdc.saturating_sub(after.usdc), plan.total());
    assert_eq!(desk.allowance(town.here.birth).await.expect("read"), Usdc::ZERO, "nothing is left approved");
    assert_eq!(desk.policy(born.vault).await.expect("read"), Policy::default());
    let host = desk.listing_of(born.vault, town.stranger(4).address).await.expect("read");
    assert_eq!(host.uses, Uses::PAYEE_LLM.and(Uses::PAYEE_DATA));
    let token = desk.listing_of(born.vault, town.here.weth).await.expect("read");
    assert_eq!((token.uses, token.priced_by), (Uses::TOKEN, town.here.pool));

    // The same order again: refused before anything is sent, with the next step.
    let error = town.birth(plan).await.expect_err("born already");
    assert_eq!(word(&error), "AlreadyBorn");
    assert!(error.to_string().contains("choose another nonce"), "{error}");
    assert_eq!(desk.allowance(town.here.birth).await.expect("read"), Usdc::ZERO, "a refusal leaves no approval");
}

/// L-004: an owner's own policy is in force from birth on, and nobody gives birth with another's money.
#[tokio::test(flavor = "multi_thread")]
async fn l_004_a_birth_takes_its_owners_policy_and_no_strangers_money() {
    let mut town = Town::up().await;
    let desk = town.desk(&town.owner());
    let own = Policy { call_cap: Usdc::whole(3), ..Policy::default() };
    let plan = BirthPlan { nonce: U256::from(1), policy: Some(own.clone()), ..town.plan() };
    let born = town.birth(plan).await.expect("born");
    assert_eq!(desk.policy(born.vault).await.expect("read"), own);
    let (stranger, plan) = (town.desk(&town.stranger(2)), town.plan());
    let error = perform!(town, stranger, |desk, report| desk.birth(&plan, report));
    assert!(matches!(error, Err(DeskError::Impossible(_))));
}

/// An owner who lacks USDC or gas hears how much, before anything is sent.
#[tokio::test(flavor = "multi_thread")]
async fn o_002_an_unfunded_owner_hears_what_is_missing() {
    let mut town = Town::up().await;
    let key = LocalKey::random().expect("a key");
    let poor = town.desk_of(key.clone());
    let me = poor.address();
    let plan = BirthPlan { owner: me, funder: me, ..town.plan() };
    let error = perform!(town, poor, |desk, report| desk.birth(&plan, report));
    let error = error.expect_err("no USDC");
    assert!(matches!(error, DeskError::NotEnoughUsdc { has: Usdc::ZERO, .. }), "{error:?}");
    assert!(error.to_string().contains("150"), "{error}");

    let born = town.born().await;
    let give = IErc20::transferCall { to: me, value: micros(Usdc::whole(20)) };
    let (owner, usdc) = (town.owner(), town.here.usdc);
    town.send(&owner, usdc, &give).await;
    let vault = born.vault;
    let error = perform!(town, poor, |desk, report| desk.top_up(vault, Usdc::whole(10), report));
    let error = error.expect_err("no gas");
    assert!(matches!(error, DeskError::NotEnoughGas { has_wei: 0, account, .. } if account == me), "{error:?}");

    // The owner sends gas, and it goes on.
    let desk = town.desk(&owner);
    perform!(town, desk, |desk, report| desk.send_gas(me, 10_u128.pow(16), report)).expect("sent");
    perform!(town, poor, |desk, report| desk.top_up(vault, Usdc::whole(10), report)).expect("fed");
    assert_eq!(poor.purse(me).await.expect("read").usdc, Usdc::whole(10));
}

/// V-005, V-016: money in by allowance and plain transfer; capital in and out.
#[tokio::test(flavor = "multi_thread")]
async fn v_005_money_goes_in_and_capital_comes_back() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let (vault, desk) = (born.vault, town.desk(&town.owner()));
    let accounted = async |town: &Town| town.read(vault, IVault::accountedCall {}).await.to::<u64>();
    assert_eq!(accounted(&town).await, 150_000_000);
    perform!(town, desk, |desk, report| desk.top_up(vault, Usdc::whole(5), report)).expect("fed");
    perform!(town, desk, |desk, report| desk.top_up(vault, Usdc::whole(2), report)).expect("fed again");
    let error = perform!(town, desk, |desk, report| desk.top_up(vault, Usdc::from_micros(999_999), report));
    let error = error.expect_err("below 1 USDC");
    assert_eq!(word(&error), "BelowMinimum");
    assert!(error.to_string().contains("at least 1 USDC"), "{error}");

    let (owner, usdc) = (town.owner(), town.here.usdc);
    town.send(&owner, usdc, &IErc20::transferCall { to: vault, value: micros(Usdc::whole(3)) }).await;
    assert_eq!(desk.unallocated(vault).await.expect("read"), Usdc::whole(3));
    town.send(&owner, vault, &IVault::syncCall {}).await;
    assert_eq!(accounted(&town).await, 160_000_000);

    perform!(town, desk, |desk, report| desk.fund_capital(vault, Usdc::whole(7), report)).expect("funded");
    let error = perform!(town, desk, |desk, report| desk.withdraw_capital(vault, Usdc::whole(58), report));
    assert_eq!(word(&error.expect_err("too much")), "CapitalExceeded");
    perform!(town, desk, |desk, report| desk.withdraw_capital(vault, Usdc::whole(57), report)).expect("withdrawn");
    assert_eq!(accounted(&town).await, 110_000_000);

    perform!(town, desk, |desk, report| desk.raise_reserve(vault, 0, Usdc::whole(2), report)).expect("locked");
    assert_eq!(town.read(vault, IVault::booksCall {}).await.reserve, 4_000_000);
    let error = perform!(town, desk, |desk, report| desk.harvest(vault, report)).expect_err("no profit");
    assert_eq!(word(&error), "NoProfit");
}

/// O-002, V-031: a policy is weighed by what a leaked key could cost before and after.
#[tokio::test(flavor = "multi_thread")]
async fn v_031_a_policy_is_weighed_before_it_is_set() {
    let mut town = Town::up().await;
    let vault = town.born().await.vault;
    let desk = town.desk(&town.owner());
    let after = Policy { llm_day_bps: 10_000, float_cap: Usdc::whole(9), ..Policy::default() };
    let change = desk.weigh_policy(vault, &after).await.expect("weighed");
    assert_eq!((&change.before, &change.after), (&Policy::default(), &after));
    let worst = change.worst_after.expect("anvil simulates");
    assert!(worst.total > change.worst_before.total && worst.float == Usdc::whole(9), "{change:#?}");
    assert_eq!(desk.policy(vault).await.expect("read"), Policy::default(), "nothing was changed");

    let set = after.clone();
    perform!(town, desk, |desk, report| desk.set_policy(vault, &set, report)).expect("set");
    assert_eq!(desk.policy(vault).await.expect("read"), after);
    assert_eq!(desk.worst_loss(vault).await.expect("read"), worst, "as it was simulated");
    let wild = Policy { slippage_bps: 5_000, ..Policy::default() };
    let error = desk.weigh_policy(vault, &wild).await.expect_err("out of range");
    assert_eq!(word(&error), "PolicyOutOfRange");
    let stranger = town.desk(&town.stranger(2));
    let error = stranger.weigh_policy(vault, &after).await.expect_err("not his");
    assert_eq!(word(&error), "NotOwner");
}

/// L-002, L-006, L-007: key, guardian, lists, sleep; and all of it over again after a sale.
#[tokio::test(flavor = "multi_thread")]
async fn l_006_a_sold_golem_waits_for_its_buyer() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let (vault, desk, buyer) = (born.vault, town.desk(&town.owner()), town.desk(&town.stranger(1)));
    let (payee, new_key) = (Address::repeat_byte(0x77), town.stranger(3).address);
    perform!(town, desk, |desk, report| desk.rotate_key(vault, Some(new_key), report)).expect("rotated");
    assert_eq!(desk.golem(born.agent).await.expect("read").key, new_key);
    let line = [golem_chain::Listing::payee(payee, Uses::PAYEE_GAS)];
    perform!(town, desk, |desk, report| desk.set_listings(vault, &line, report)).expect("listed");
    assert!(desk.listing_of(vault, payee).await.expect("read").uses.has(Uses::PAYEE_GAS));

    let until = golem_primitives::UtcTime::from_seconds(town.now() + 86_400);
    perform!(town, desk, |desk, report| desk.hibernate(vault, until, report)).expect("asleep");
    assert_eq!(town.read(vault, IVault::hibernatedUntilCall {}).await, U256::from(until.seconds()));
    let too_far = golem_primitives::UtcTime::from_seconds(town.now() + 100 * 86_400);
    let error = perform!(town, desk, |desk, report| desk.hibernate(vault, too_far, report));
    assert_eq!(word(&error.expect_err("over 90 days")), "HibernationOutOfRange");
    perform!(town, desk, |desk, report| desk.wake(vault, report)).expect("awake");

    let sale = IErc721::transferFromCall { from: desk.address(), to: buyer.address(), tokenId: born.agent.0 };
    let (owner, identity) = (town.owner(), town.here.identity);
    town.send(&owner, identity, &sale).await;
    let error = perform!(town, desk, |desk, report| desk.set_guardian(vault, None, report)).expect_err("sold");
    assert_eq!(word(&error), "NotOwner");
    let error = perform!(town, buyer, |desk, report| desk.set_guardian(vault, None, report)).expect_err("not bound");
    assert_eq!(word(&error), "OwnerChanged");
    assert!(error.to_string().contains("accept"), "{error}");
    let own = town.stranger(2).address;
    let stale = Takeover { key: Some(own), keep_policy: Some(B256::repeat_byte(1)), ..Takeover::default() };
    let error = perform!(town, buyer, |desk, report| desk.accept(vault, &stale, report)).expect_err("another policy");
    assert_eq!(word(&error), "PolicyMismatch");
    let fresh = Takeover { key: Some(own), ..Takeover::default() };
    perform!(town, buyer, |desk, report| desk.accept(vault, &fresh, report)).expect("accepted");
    assert_eq!(buyer.golem(born.agent).await.expect("read").key, own);
    assert_eq!(buyer.policy_hash(vault).await.expect("read"), Policy::hash_of(None), "the seller's policy is void");
    assert_eq!(buyer.listing_of(vault, payee).await.expect("read").uses, Uses::NONE, "the seller's lists are void");
    perform!(town, buyer, |desk, report| desk.set_guardian(vault, Some(payee), report)).expect("set");
    assert_eq!(town.read(vault, IVault::guardianCall {}).await, payee);
}

/// L-013: the wallet of the identity is the key, once the key has signed for it.
#[tokio::test(flavor = "multi_thread")]
async fn l_013_the_key_is_linked_to_the_identity() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let (agent, desk, key) = (born.agent, town.desk(&town.owner()), town.stranger(0));
    let wallet = IIdentityRegistry::getAgentWalletCall { agentId: agent.0 };
    assert_eq!(town.read(town.here.identity, wallet.clone()).await, Address::ZERO);
    let signer = golem_chain::Signer::Local(LocalKey::from_bytes(&key.key.0).expect("a key"));
    perform!(town, desk, |desk, report| desk.link_wallet(agent, &signer, report)).expect("linked");
    assert_eq!(town.read(town.here.identity, wallet).await, key.address);
}

/// what a reorganisation takes out of the chain is sent again, and happens once.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_transaction_that_a_reorg_dropped_is_sent_again() {
    let mut town = Town::up().await;
    let vault = town.born().await.vault;
    let patience = DeskPatience { replace_after: Duration::from_millis(50), ..hasty() };
    let desk = town.desk(&town.owner()).with_patience(patience);
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let acting = tokio::spawn(async move {
        let mut report = move |progress| {
            let _ = tell.send(progress);
        };
        desk.raise_reserve(vault, 0, Usdc::whole(2), &mut report).await
    });
    let (mut dropped, mut again) = (false, false);
    while let Some(progress) = told.recv().await {
        match progress {
            DeskProgress::Sent { .. } => town.pass(2).await,
            DeskProgress::Landed { .. } if !dropped => {
                dropped = true;
                let _: serde_json::Value = town.endpoints.request("anvil_rollback", json!([1])).await.expect("gone");
            }
            DeskProgress::Replaced { .. } if dropped && !again => {
                again = true;
                town.bury().await;
            }
            _ => {}
        }
    }
    acting.await.expect("no panic").expect("raised");
    assert!(dropped && again);
    assert_eq!(town.read(vault, IVault::booksCall {}).await.reserve, 4_000_000, "raised once");
}

/// T-001, T-004, T-005, L-014: the kill, the end, what was left behind, and the file that says so.
#[tokio::test(flavor = "multi_thread")]
async fn l_014_a_killed_golem_is_settled_claimed_and_retired() {
    let mut town = Town::up().await;
    let born = town.born().await;
    let (vault, agent, desk) = (born.vault, born.agent, town.desk(&town.owner()));
    let stranger = town.desk(&town.stranger(2));
    let error = perform!(town, stranger, |desk, report| desk.kill(vault, "I want it", report)).expect_err("not his");
    assert_eq!(word(&error), "NotOwner");
    let error = perform!(town, desk, |desk, report| desk.retire(
        agent,
        &golem_chain::RegistrationProfile::named("Ada"),
        report
    ))
    .expect_err("alive");
    assert!(matches!(error, DeskError::Impossible(_)));
    perform!(town, desk, |desk, report| desk.kill_and_revoke(vault, "enough", report)).expect("killed");
    assert_eq!(desk.golem(agent).await.expect("read").key, Address::ZERO);
    let error = perform!(town, stranger, |desk, report| desk.finalise(vault, report)).expect_err("too early");
    assert_eq!(word(&error), "TooEarly");
    town.pass(3_600).await;
    let before = desk.purse(desk.address()).await.expect("read").usdc;
    perform!(town, stranger, |desk, report| desk.finalise(vault, report)).expect("finalised");
    let after = desk.purse(desk.address()).await.expect("read").usdc;
    assert_eq!(after.saturating_sub(before), Usdc::whole(150), "every cent is the owner's");

    // What arrives after death is his as well.
    let (owner, usdc) = (town.owner(), town.here.usdc);
    town.send(&owner, usdc, &IErc20::transferCall { to: vault, value: micros(Usdc::whole(4)) }).await;
    let (amount, _) = perform!(town, desk, |desk, report| desk.claim(vault, Some(usdc), report)).expect("claimed");
    assert_eq!(amount, micros(Usdc::whole(4)));

    // So is an NFT: here the identity of another Golem.
    let plan = BirthPlan { nonce: U256::from(2), ..town.plan() };
    let other = town.birth(plan).await.expect("born").agent;
    let (identity, from) = (town.here.identity, owner.address);
    town.send(&owner, identity, &IErc721::transferFromCall { from, to: vault, tokenId: other.0 }).await;
    perform!(town, desk, |desk, report| desk.claim_nft(vault, identity, other.0, report)).expect("claimed");
    assert_eq!(desk.owner_of(other).await.expect("read"), from);

    let testament = golem_ports::SettledTestament {
        hash: keccak256("a late word"),
        uri: "ipfs://late".to_owned(),
        genome_root: B256::ZERO,
        playbook_digest: B256::repeat_byte(1),
        ticks_lived: 0,
    };
    let again = testament.clone();
    perform!(town, desk, |desk, report| desk.attach_testament(vault, &testament, report)).expect("attached");
    let error = perform!(town, desk, |desk, report| desk.attach_testament(vault, &again, report));
    assert_eq!(word(&error.expect_err("once")), "TestamentExists");

    perform!(town, desk, |desk, report| desk.retire(agent, &golem_chain::RegistrationProfile::named("Ada"), report))
        .expect("retired");
    let uri = town.read(town.here.identity, IErc721::tokenURICall { tokenId: agent.0 }).await;
    let base64 = uri.strip_prefix("data:application/json;base64,").expect("a file in itself");
    let file: serde_json::Value = serde_json::from_slice(&decode_base64(base64)).expect("JSON");
    assert_eq!(file["active"], json!(false), "{file:#}");
}

/// T-001: the guardian's switch, and silence.
#[tokio::test(flavor = "multi_thread")]
async fn t_001_a_guardian_and_a_long_silence_end_a_life() {
    let mut town = Town::up().await;
    let first = town.born().await.vault;
    let plan = BirthPlan { nonce: U256::from(9), ..town.plan() };
    let second = town.birth(plan).await.expect("born").vault;
    let (guardian, anyone) = (town.desk(&town.guardian()), town.desk(&town.stranger(3)));
    let error = perform!(town, anyone, |desk, report| desk.trip(first, "no", report)).expect_err("not his");
    assert_eq!(word(&error), "NotGuardian");
    perform!(town, guardian, |desk, report| desk.trip(first, "drawdown", report)).expect("tripped");

    let error = perform!(town, anyone, |desk, report| desk.notice(second, report)).expect_err("not silent");
    assert_eq!(word(&error), "NotSilent");
    town.pass(7 * 86_400).await;
    let error = perform!(town, anyone, |desk, report| desk.kill_silent(second, report)).expect_err("no notice");
    assert_eq!(word(&error), "NoNotice");
    perform!(town, anyone, |desk, report| desk.notice(second, report)).expect("noticed");
    town.pass(86_400).await;
    perform!(town, anyone, |desk, report| desk.kill_silent(second, report)).expect("killed");
}

/// a transaction that hangs is sent again with the same nonce for more, and happens once.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_hanging_transaction_is_replaced_and_happens_once() {
    let mut town = Town::up().await;
    let vault = town.born().await.vault;
    let patience = DeskPatience { replace_after: Duration::from_millis(20), ..hasty() };
    let desk = town.desk(&town.owner()).with_patience(patience);
    let new_key = town.stranger(3).address;
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let acting = tokio::spawn(async move {
        let mut report = move |progress| {
            let _ = tell.send(progress);
        };
        desk.rotate_key(vault, Some(new_key), &mut report).await
    });
    let (mut first, mut replaced) = (None, None);
    while let Some(progress) = told.recv().await {
        match progress {
            DeskProgress::Sent { tx, .. } => first = Some(tx),
            // Nothing is mined before it was replaced.
            DeskProgress::Replaced { tx, .. } if replaced.is_none() => {
                replaced = Some(tx);
                town.bury().await;
            }
            _ => {}
        }
    }
    let receipt = acting.await.expect("no panic").expect("rotated");
    assert_ne!(first, replaced);
    assert_ne!(Some(receipt.tx), first, "the one that paid more landed");
    let owner = town.owner().address;
    let latest: U256 = town.endpoints.request("eth_getTransactionCount", json!([owner, "latest"])).await.expect("read");
    let pending: U256 =
        town.endpoints.request("eth_getTransactionCount", json!([owner, "pending"])).await.expect("read");
    assert_eq!(latest, pending, "nothing is left waiting");
}

/// A desk that cannot wait says so, and does not claim that nothing happened.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_transaction_that_does_not_land_is_told_as_such() {
    let mut town = Town::up().await;
    let vault = town.born().await.vault;
    let patience = DeskPatience { give_up_after: Duration::from_millis(30), ..hasty() };
    let desk = town.desk(&town.owner()).with_patience(patience);
    let error = desk.wake(vault, &mut |_| {}).await.expect_err("nobody mines");
    assert!(matches!(error, DeskError::NotLanded { .. }) && !error.may_retry(), "{error:?}");
    assert!(error.to_string().contains("may still"), "{error}");
}

const fn hasty() -> DeskPatience {
    DeskPatience {
        poll: Duration::from_millis(3),
        replace_after: Duration::from_secs(600),
        give_up_after: Duration::from_secs(60),
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let value = |letter: &u8| LETTERS.iter().position(|known| known == letter).expect("base64") as u32;
        let word = four.iter().fold(0, |word, letter| word << 6 | value(letter)) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}
