//! The sender's state machine against everything that happens to transactions.

use alloy::primitives::U256;
use alloy::sol_types::SolCall;
use golem_chain::bindings::IVault;
use golem_core::record::{Order, OutcomeResult, Partition, Phase, RefusalClass};
use golem_ports::{Act, AttemptState, Chain, Declaration, Errand, Progress};
use golem_primitives::{B256, PoolName, Ppm, Tick, Usdc};
use serde_json::json;

use crate::support::{CAPITAL, Golem, reason, submit};

pub(crate) fn buy() -> Act {
    Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(50), least: 1 })
}

/// What a host is paid in these tests.
pub(crate) const RENT: Usdc = Usdc::whole(1);

pub(crate) fn rent() -> Act {
    Act::PayHost { partition: Partition::Llm, amount: RENT }
}

/// A newborn, and something it is to do.
pub(crate) async fn wanting(act: Act) -> (Golem, Errand) {
    let mut golem = Golem::born().await;
    let errand = golem.errand(act);
    (golem, errand)
}

fn kill() -> IVault::killCall {
    IVault::killCall { reason: "stop".to_owned() }
}

impl Golem {
    /// The owner's kill waits for the next block.
    async fn order_to_die(&self) {
        submit(&self.net.devnet, &self.owner(), self.vault, kill().abi_encode(), U256::ZERO).await;
    }
}

pub(crate) fn beat(tick: u64) -> Act {
    Act::Beat {
        tick: Tick::new(tick),
        phase: Phase::Stable,
        vitality: Ppm::of(500_000),
        root: B256::ZERO,
        outcomes: 0,
        rolls: vec![],
        stride: None,
    }
}

pub(crate) async fn idle(golem: &Golem) -> Usdc {
    golem.chain.sense().await.expect("seen").vault.expect("a vault").idle
}

pub(crate) fn is_verified(result: &OutcomeResult) -> bool {
    matches!(result, OutcomeResult::Verified(record) if record.receipt.success)
}

/// R-022, M-078: two confirmations are two blocks on top of its own.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_an_outcome_counts_at_depth() {
    let (mut golem, errand) = wanting(buy()).await;
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    assert_eq!(golem.step(&errand).await, Progress::Pending, "not mined");
    for confirmations in 0..2 {
        golem.mine(1).await;
        assert_eq!(golem.step(&errand).await, Progress::Pending, "{confirmations} confirmations");
    }
    golem.mine(1).await;
    let Progress::Done(outcome) = golem.step(&errand).await else { panic!("two confirmations") };
    assert!(is_verified(&outcome.result));
    assert_eq!(golem.ledger.attempts.len(), 1);
}

/// R-022: a second errand waits until the first has landed, and takes the next nonce.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_errands_go_one_at_a_time() {
    let mut golem = Golem::born().await;
    let (first, second) = (golem.errand(buy()), golem.errand(beat(9)));
    golem.step(&first).await;
    assert_eq!(golem.step(&second).await, Progress::Pending);
    assert_eq!(golem.ledger.attempts.len(), 1, "nothing was signed beside it");
    golem.mine(1).await;
    golem.step(&second).await;
    assert_eq!(golem.ledger.attempts[1].nonce, golem.ledger.attempts[0].nonce + 1);
    assert!(is_verified(&golem.finish(&first).await.result));
    assert_eq!(golem.finish(&second).await.result, OutcomeResult::Done);
}

/// R-022: what is stuck is replaced at the same nonce for an eighth more, recorded first; one of the two lands.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_stuck_transaction_is_replaced() {
    let (mut golem, errand) = wanting(buy()).await;
    let nonce = golem.nonce().await;
    golem.step(&errand).await;
    golem.set_base_fee(60_000_000).await;
    golem.step(&errand).await;
    assert_eq!(golem.ledger.attempts.len(), 2, "replaced at once: no node holds what cannot pay for the next block");
    let outcome = golem.finish(&errand).await;
    assert!(is_verified(&outcome.result), "{outcome:?}");
    let [old, new] = golem.ledger.attempts.as_slice() else { panic!("two attempts") };
    assert_eq!((old.nonce, new.nonce), (nonce, nonce));
    assert_eq!(old.state, AttemptState::Lost);
    assert!(matches!(new.state, AttemptState::Landed { .. }));
    assert_eq!(golem.nonce().await, nonce + 1);
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)));
}

/// R-022: what the node holds and no block takes is replaced after three blocks.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_what_no_block_takes_is_replaced_after_three() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.step(&errand).await;
    // Blocks too small for it.
    golem.rpc("evm_setBlockGasLimit", json!(["0x186a0"])).await;
    for mined in 1..=3 {
        golem.mine(1).await;
        if mined < 3 {
            assert_eq!(golem.step(&errand).await, Progress::Pending);
            assert_eq!(golem.ledger.attempts.len(), 1, "{mined} blocks");
        }
    }
    golem.rpc("evm_setBlockGasLimit", json!(["0x3938700"])).await;
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    let [old, new] = golem.ledger.attempts.as_slice() else { panic!("two attempts") };
    assert!(old.nonce == new.nonce && old.hash != new.hash);
    assert!(is_verified(&golem.finish(&errand).await.result));
    assert_eq!(golem.ledger.attempts.len(), 2);
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)), "once");
}

/// R-021: what was permitted long ago, and is no trade, is previewed again before it goes out.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_an_old_beat_found_after_a_crash_is_looked_at_again() {
    let (mut golem, errand) = wanting(beat(9)).await;
    golem.dies_before_it_sends(&errand).await;
    golem.net.devnet.mine_still(3_600).await.expect("mined");
    golem.restart().await;
    assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done, "it still holds");

    let errand = golem.errand(beat(10));
    golem.dies_before_it_sends(&errand).await;
    golem.net.devnet.mine_still(3_600).await.expect("mined");
    golem.as_owner(&kill()).await;
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).starts_with(&RefusalClass::Dropped.say("WrongLife")), "{outcome:?}");
}

/// R-021: an attempt whose permit another program wrote in other words is still told as what it came to.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_an_unreadable_permit_loses_the_foresight_alone() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.step(&errand).await;
    golem.ledger.attempts[0].permit = r#"{"version":99}"#.to_owned();
    golem.mine(1).await;
    let OutcomeResult::Verified(record) = golem.finish(&errand).await.result else { panic!("not verified") };
    assert!(record.receipt.success && record.receipt.realised_return_micros < 0, "{record:#?}");
    assert_eq!(record.pair().expect("believable"), None, "nothing was foreseen, so nothing is learned");
    let errand = golem.errand(beat(9));
    golem.step(&errand).await;
    golem.ledger.attempts[1].permit = String::new();
    golem.mine(1).await;
    assert_eq!(golem.finish(&errand).await.result, OutcomeResult::Done);

    // Not landed, it is cancelled: nobody knows what it was permitted for.
    let errand = golem.errand(buy());
    golem.dies_before_it_sends(&errand).await;
    golem.ledger.attempts[2].permit = String::new();
    let outcome = golem.finish(&errand).await;
    assert_eq!(outcome.result, OutcomeResult::Refused { reason: RefusalClass::Dropped.say("expired") });
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)));
}

/// R-024: what is printed of a hand has no key in it.
#[tokio::test(flavor = "multi_thread")]
async fn r_024_a_hand_is_printed_without_its_key() {
    let golem = Golem::born().await;
    let key = golem.net.devnet.accounts().strangers[0].key;
    let text = format!("{:?} {:#?}", golem.chain, golem.chain).to_lowercase();
    assert!(text.contains("onchain") && !text.contains(&alloy::hex::encode(key)), "{text}");
}

/// R-022: what the node forgot is sent again, the same bytes.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_dropped_transaction_is_sent_again() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.step(&errand).await;
    let hash = golem.ledger.attempts[0].hash;
    golem.rpc("anvil_dropTransaction", json!([hash])).await;
    golem.mine(1).await;
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    let outcome = golem.finish(&errand).await;
    assert!(is_verified(&outcome.result));
    assert_eq!(golem.ledger.attempts.len(), 1, "no second signature");
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)));
}

/// R-021: killed between the record and the wire, the next process sends what was recorded; it lands once.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_crash_between_record_and_send_lands_once() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.dies_before_it_sends(&errand).await;
    golem.mine(2).await;
    assert_eq!(idle(&golem).await, CAPITAL, "it was never sent");
    golem.restart().await;
    assert!(is_verified(&golem.finish(&errand).await.result));
    assert_eq!(golem.ledger.attempts.len(), 1);
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)));
}

/// R-021: killed after every step, the errand still lands exactly once.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_process_that_dies_after_every_step_lands_once() {
    let (mut golem, errand) = wanting(buy()).await;
    let nonce = golem.nonce().await;
    let mut told = None;
    for _ in 0..6 {
        golem.restart().await;
        if let Progress::Done(outcome) = golem.step(&errand).await {
            told = Some(*outcome);
        }
        golem.mine(1).await;
    }
    assert!(is_verified(&told.expect("told").result));
    assert_eq!((golem.nonce().await, golem.ledger.attempts.len()), (nonce + 1, 1));
    assert_eq!(idle(&golem).await, CAPITAL.saturating_sub(Usdc::whole(50)));
}

/// R-021: what cannot be recorded is not sent.
#[tokio::test(flavor = "multi_thread")]
async fn r_021_a_full_disk_sends_nothing() {
    let (mut golem, errand) = wanting(buy()).await;
    let nonce = golem.nonce().await;
    golem.ledger.full = true;
    let error = golem.chain.drive(&errand, &mut golem.ledger).await.expect_err("no room");
    assert!(!error.may_retry(), "{error}");
    golem.mine(2).await;
    assert_eq!(golem.nonce().await, nonce);
    golem.ledger.full = false;
    assert!(is_verified(&golem.finish(&errand).await.result));
}

/// R-022: a nonce that somebody else used is lost, and that is told.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_nonce_used_by_another_is_told() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.dies_before_it_sends(&errand).await;
    golem.nonce_is_taken().await;
    golem.mine(1).await;
    assert_eq!(golem.step(&errand).await, Progress::Pending, "not deep enough to be sure");
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).contains("took nonce"), "{outcome:?}");
    assert_eq!(outcome.cost, None);
    assert!(matches!(golem.ledger.attempts[0].state, AttemptState::Taken { .. }));
    assert!(is_verified(&golem.act(buy()).await.result), "the next errand goes on");
}

/// R-010, R-022: a trade whose permit ran out is cancelled at its nonce and can never land late.
#[tokio::test(flavor = "multi_thread")]
async fn r_010_an_expired_trade_is_cancelled() {
    let (mut golem, errand) = wanting(buy()).await;
    let nonce = golem.nonce().await;
    golem.step(&errand).await;
    golem.set_base_fee(60_000_000).await;
    golem.net.devnet.mine_still(70).await.expect("mined");
    let outcome = golem.finish(&errand).await;
    assert_eq!(outcome.result, OutcomeResult::Refused { reason: RefusalClass::Dropped.say("expired") });
    assert!(outcome.cost.is_some(), "even nothing costs gas");
    let [trade, nothing] = golem.ledger.attempts.as_slice() else { panic!("two attempts") };
    assert_eq!((trade.nonce, nothing.nonce, trade.state), (nonce, nonce, AttemptState::Lost));
    // The trade can be sent by anyone who saw it, and lands nowhere.
    let raw = alloy::hex::encode_prefixed(&trade.raw);
    let sent = golem.net.devnet.provider().clone();
    let refused: Result<B256, _> =
        alloy::providers::Provider::raw_request(&sent, "eth_sendRawTransaction".into(), json!([raw])).await;
    assert!(refused.is_err(), "its nonce is used");
    golem.mine(2).await;
    assert_eq!(idle(&golem).await, CAPITAL);
}

/// R-021, R-010: killed before sending and back too late, a trade is cancelled and not sent.
#[tokio::test(flavor = "multi_thread")]
async fn r_010_a_trade_found_too_late_after_a_crash_is_cancelled() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.dies_before_it_sends(&errand).await;
    golem.net.devnet.mine_still(3_600).await.expect("mined");
    golem.restart().await;
    let outcome = golem.finish(&errand).await;
    assert_eq!(outcome.result, OutcomeResult::Refused { reason: RefusalClass::Dropped.say("expired") });
    assert_eq!(idle(&golem).await, CAPITAL);
}

/// R-022: a stuck transaction that would revert by now is cancelled with the reason, and one that is so already is done.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_a_stuck_transaction_that_would_revert_is_cancelled() {
    let (mut golem, errand) = wanting(beat(9)).await;
    golem.step(&errand).await;
    golem.set_base_fee(60_000_000).await;
    golem.as_owner(&kill()).await;
    golem.mine(3).await;
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).starts_with(&RefusalClass::Dropped.say("WrongLife")), "{outcome:?}");
    assert_eq!(golem.ledger.attempts.len(), 2);

    let (mut golem, errand) = wanting(Act::Declare(Declaration::Senescent { evidence: String::new() })).await;
    golem.step(&errand).await;
    golem.set_base_fee(60_000_000).await;
    golem.as_owner(&kill()).await;
    golem.mine(3).await;
    let outcome = golem.finish(&errand).await;
    assert_eq!(outcome.result, OutcomeResult::Done, "it is dying, as was wanted");
    assert!(outcome.cost.is_some());
}

/// M-075, R-011: a revert that no simulation foresaw is an outcome like any other, and it costs.
#[tokio::test(flavor = "multi_thread")]
async fn m_075_an_unforeseen_revert_is_verified_as_such() {
    let (mut golem, errand) = wanting(buy()).await;
    golem.step(&errand).await;
    // The owner's kill comes first in the same block.
    golem.order_to_die().await;
    let outcome = golem.finish(&errand).await;
    let OutcomeResult::Verified(record) = &outcome.result else { panic!("{outcome:?}") };
    assert!(!record.receipt.success && !record.is_hit());
    assert_eq!(record.deviations.return_bps.map(|bps| bps.get()), Some(10_000), "a loss was foreseen and nothing came");
    assert!(outcome.cost.is_some_and(|(_, cost)| !cost.is_zero()));
    let failed: Vec<_> = record.invariants.iter().filter(|check| !check.passed).collect();
    assert!(failed.is_empty(), "{failed:?}");

    let (mut golem, errand) = wanting(beat(3)).await;
    golem.step(&errand).await;
    golem.order_to_die().await;
    let outcome = golem.finish(&errand).await;
    assert!(reason(&outcome).starts_with("it reverted on chain"), "{outcome:?}");
    assert!(outcome.cost.is_some());
}
