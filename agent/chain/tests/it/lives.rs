//! Money, deaths and everything else a key does to its vault.

use alloy::primitives::U256;
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall;
use golem_chain::bindings::{IErc20, IErc721, IVault};
use golem_chain::{HandSettings, LocalKey, OnChain, Posting, PostingError, Signer};
use golem_core::record::{Bar, ChainLife, InKind, KillOrder, Order, OutcomeResult, Partition, Phase, Salt, death_roll};
use golem_ports::{Act, AttemptState, Chain, Declaration, SettledTestament, Stain};
use golem_primitives::{B256, PoolName, Ppm, Tick, Usdc};

use crate::support::{CREDITS, Golem, deployment, endpoints, send};
use crate::town::{Town, perform};

fn usdc(micros: u64) -> Usdc {
    Usdc::from_micros(micros)
}

fn settle() -> Act {
    let testament = SettledTestament {
        hash: B256::repeat_byte(7),
        uri: "ipfs://testament".to_owned(),
        ticks_lived: 9,
        playbook_digest: B256::repeat_byte(8),
        genome_root: B256::repeat_byte(9),
    };
    Act::Settle { testament, stain: Stain { regime: B256::ZERO, loss: usdc(5), evidence: B256::ZERO } }
}

fn beat(tick: u64, phase: Phase) -> Act {
    announcing(tick, phase, None)
}

fn announcing(tick: u64, phase: Phase, stride: Option<u8>) -> Act {
    let (tick, vitality) = (Tick::new(tick), Ppm::of(50_000));
    Act::Beat { tick, phase, vitality, root: B256::ZERO, outcomes: 0, rolls: vec![], stride }
}

/// V-003, V-006, V-007, V-008, V-009, V-017: each act moves what it says, and the sight shows it.
#[tokio::test(flavor = "multi_thread")]
async fn v_006_money_goes_where_the_act_says() {
    let mut golem = Golem::born().await;
    let host = golem.posting.host.expect("a host");
    let here = deployment(&golem.net.devnet);
    let balance_of = async |golem: &Golem, account| {
        let call = IErc20::balanceOfCall { account };
        let request = alloy::rpc::types::TransactionRequest::default()
            .to(here.usdc)
            .input(alloy::sol_types::SolCall::abi_encode(&call).into());
        let said = golem.net.devnet.provider().call(request).await.expect("answered");
        U256::from_be_slice(&said).to::<u64>()
    };
    // T-002. The key locks away what the law asks for and no more, or it would choose hunger for its death.
    let refusal = golem.refused(Act::RaiseReserve { to: Usdc::whole(3) }).await;
    assert!(refusal.starts_with("ReserveBeyondDue"), "{refusal}");
    let stranger = golem.net.devnet.accounts().strangers[1].clone();
    let gift = IErc20::transferCall { to: golem.vault, value: U256::from(60_000_000) };
    send(&mut golem.net.devnet, &stranger, here.usdc, &gift).await;
    golem.done(Act::Allocate).await;
    let before = golem.chain.sense().await.expect("seen").vault.expect("a vault");

    let host_had = balance_of(&golem, host).await;
    golem.done(Act::PayHost { partition: Partition::Llm, amount: usdc(250_000) }).await;
    assert_eq!(balance_of(&golem, host).await - host_had, 250_000);

    golem.done(Act::RaiseReserve { to: Usdc::whole(3) }).await;
    golem.done(Act::RaiseReserve { to: Usdc::whole(1) }).await;
    golem.done(Act::Rebalance { from: Partition::Data, to: Partition::Gas, amount: Usdc::whole(1) }).await;
    let refusal =
        golem.refused(Act::Rebalance { from: Partition::Data, to: Partition::Gas, amount: Usdc::whole(1) }).await;
    assert!(refusal.ends_with("(RebalanceTooSoon)"), "{refusal}");

    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(after.reserve, Usdc::whole(3), "raised once, never lowered");
    let llm = before.credits.get(Partition::Llm).micros() - 250_000 - 1_000_000;
    assert_eq!(after.credits.get(Partition::Llm), usdc(llm), "the reserve came out of llm");
    assert_eq!(after.credits.get(Partition::Gas), before.credits.get(Partition::Gas).saturating_add(Usdc::whole(1)));
    assert_eq!(after.spendable_today[0].micros(), before.spendable_today[0].micros() - 250_000);

    golem.done(Act::Refuel { amount: Usdc::whole(2) }).await;
    let refuelled = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(refuelled.key_wei > after.key_wei + 600_000_000_000_000, "2 USDC are more than 0.0006 ether");

    // Someone sends USDC without a word; the key allocates it.
    let gift = IErc20::transferCall { to: golem.vault, value: U256::from(5_000_000) };
    send(&mut golem.net.devnet, &stranger, here.usdc, &gift).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(seen.unallocated, Usdc::whole(5));
    golem.done(Act::Allocate).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(seen.unallocated, Usdc::ZERO);

    golem.done(beat(3, Phase::Declining)).await;
    golem.done(Act::Resplit(Phase::Declining)).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(seen.credits.get(Partition::Legacy) > Usdc::whole(30), "{:?}", seen.credits);
    assert_eq!(seen.reported_phase, Phase::Declining);
    let refusal = golem.refused(Act::Resplit(Phase::Terminal)).await;
    assert!(refusal.starts_with("ResplitRefused"), "{refusal}");

    // V-009: what was set aside pays for its life again once it declines no longer, if its owner says so.
    golem.done(beat(4, Phase::Thriving)).await;
    let (vault, chain) = (golem.vault, golem.chain);
    let mut town = Town::around(golem.net).await;
    let desk = town.desk(&town.owner());
    perform!(town, desk, |desk, report| desk.split_as_at_birth(vault, report)).expect("split");
    let seen = chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(seen.credits.get(Partition::Legacy), Usdc::ZERO);
    let again = perform!(town, desk, |desk, report| desk.split_as_at_birth(vault, report)).expect_err("as at birth");
    assert!(again.to_string().contains("ResplitRefused"), "{again}");
}

/// V-014: realised profit above the high-water mark is seen and harvested.
#[tokio::test(flavor = "multi_thread")]
async fn v_014_profit_is_seen_and_harvested() {
    let mut golem = Golem::born().await;
    // The gain is a gift: WETH that cost nothing is sold with what was bought.
    golem.act(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(10), least: 1 })).await;
    let here = deployment(&golem.net.devnet);
    let market = golem.net.devnet.accounts().market.clone();
    let gift = IErc20::transferCall { to: golem.vault, value: U256::from(10_000_000_000_000_000u64) };
    send(&mut golem.net.devnet, &market, here.weth, &gift).await;
    let held = golem.chain.sense().await.expect("seen").vault.expect("a vault").held;
    let sold = golem.verified(Act::Trade(Order::Sell { pool: PoolName::HOME, amount: held, least: usdc(1) })).await;
    assert!(sold.receipt.realised_return_micros > 20_000_000, "{sold:#?}");
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(seen.harvestable > Usdc::whole(20), "{}", seen.harvestable);
    golem.done(Act::Harvest).await;
    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(after.harvestable.is_zero() && after.credits.total() > seen.credits.total());
}

/// T-001, T-004: the owner kills; the order is seen with its words; the key settles; settling again changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn t_001_an_owners_kill_is_seen_with_its_words() {
    let mut golem = Golem::born().await;
    golem.as_owner(&IVault::killCall { reason: "enough, Ada".to_owned() }).await;
    let killed = golem.net.devnet.now().seconds();
    golem.mine(2).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    let ChainLife::Dying { order: Some(KillOrder::Owner(reason)), deadline } = seen.life else { panic!("{seen:?}") };
    assert_eq!(reason.as_str(), "enough, Ada");
    assert_eq!(deadline.seconds(), killed + 3_600);

    // A death that is declared already is the death that was wanted.
    golem.done(Act::Declare(Declaration::Economic)).await;
    let refusal = golem.refused(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(1), least: 1 })).await;
    assert!(refusal.starts_with("WrongLife"), "{refusal}");
    golem.done(Act::PayHost { partition: Partition::Legacy, amount: usdc(10_000) }).await;

    golem.done(settle()).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(matches!(seen.life, ChainLife::Dead { order: Some(KillOrder::Owner(_)) }), "{:?}", seen.life);
    assert_eq!((seen.idle, seen.credits.total()), (Usdc::ZERO, Usdc::ZERO));
    let attempts = golem.ledger.attempts.len();
    golem.done(settle()).await;
    golem.done(Act::Declare(Declaration::Senescent { evidence: "late".to_owned() })).await;
    assert_eq!(golem.ledger.attempts.len(), attempts, "nothing was signed for what is so already");
}

/// T-004, M-191: the account of a death is what the chain sent: all USDC and the token in kind, to the owner's address, to
/// the last unit.
#[tokio::test(flavor = "multi_thread")]
async fn t_004_a_settlement_tells_what_the_owner_received() {
    let mut golem = Golem::born().await;
    golem.verified(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(50), least: 1 })).await;
    golem.as_owner(&IVault::killCall { reason: "enough".to_owned() }).await;
    golem.mine(2).await;
    let held = golem.chain.sense().await.expect("seen").vault.expect("a vault").held;
    let (here, owner) = (deployment(&golem.net.devnet), golem.net.devnet.accounts().owner.address);
    let has = async |golem: &Golem, token| {
        let asked = IErc20::balanceOfCall { account: owner };
        let request = TransactionRequest::default().to(token).input(asked.abi_encode().into());
        let said = golem.net.devnet.provider().call(request).await.expect("answered");
        IErc20::balanceOfCall::abi_decode_returns(&said).expect("a balance")
    };
    let before = (has(&golem, here.usdc).await, has(&golem, here.weth).await);
    let OutcomeResult::Settled(received) = golem.act(settle()).await.result else { panic!("no account") };
    let after = (has(&golem, here.usdc).await, has(&golem, here.weth).await);
    assert_eq!((received.owner, received.is_whole), (owner, true));
    assert_eq!(U256::from(received.usdc.micros()), after.0 - before.0);
    assert_eq!(received.in_kind, [InKind { asset: here.weth, id: 0, amount: held }]);
    assert_eq!(U256::from(held), after.1 - before.1);
    assert!(received.is_in_kind() && received.waiting.is_empty(), "{received:?}");
}

/// T-001, R-022: a kill stops all risk at once and begins no death until nobody can take it back.
#[tokio::test(flavor = "multi_thread")]
async fn t_001_a_kill_is_believed_at_depth_and_heeded_at_once() {
    let mut golem = Golem::born().await;
    golem.mine(2).await;
    golem.as_owner(&IVault::killCall { reason: "enough".to_owned() }).await;
    for confirmations in 0..2 {
        let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
        assert_eq!((seen.life, seen.barred), (ChainLife::Alive, Some(Bar::EndUnconfirmed)), "{confirmations}");
        golem.mine(1).await;
    }
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(matches!(seen.life, ChainLife::Dying { order: Some(KillOrder::Owner(_)), .. }), "{:?}", seen.life);
    assert_eq!(seen.barred, None);

    // A reorganisation takes a kill back: nothing has died of it.
    let mut golem = Golem::born().await;
    golem.mine(2).await;
    golem.as_owner(&IVault::killCall { reason: "enough".to_owned() }).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!(seen.barred, Some(Bar::EndUnconfirmed));
    golem.rpc("anvil_reorg", serde_json::json!([1, []])).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((seen.life, seen.barred), (ChainLife::Alive, None));
}

/// T-001, T-003: a guardian's switch is an order of its own; positions are closed in Dying.
#[tokio::test(flavor = "multi_thread")]
async fn t_003_dying_sells_what_it_holds_and_settles() {
    let mut golem = Golem::born().await;
    golem.verified(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(100), least: 1 })).await;
    let (guardian, vault) = (golem.net.devnet.accounts().guardian.clone(), golem.vault);
    send(&mut golem.net.devnet, &guardian, vault, &IVault::tripCall { trigger: "breaker".to_owned() }).await;
    golem.mine(2).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    let ChainLife::Dying { order: Some(KillOrder::Switch(reason)), .. } = &seen.life else { panic!("{seen:?}") };
    assert_eq!(reason.as_str(), "breaker");
    let sold =
        golem.verified(Act::Trade(Order::Sell { pool: PoolName::HOME, amount: seen.held, least: usdc(1) })).await;
    assert!(sold.receipt.success && sold.invariants.iter().all(|check| check.passed), "{sold:#?}");
    golem.done(settle()).await;
}

/// T-002: the key declares what its own clocks found, and nobody ordered it.
#[tokio::test(flavor = "multi_thread")]
async fn t_002_the_key_declares_senescence_and_starvation() {
    let mut golem = Golem::born().await;
    let refusal = golem.refused(Act::Declare(Declaration::Economic)).await;
    assert!(refusal.starts_with("NotStarved"), "{refusal}");
    let refusal = golem.refused(Act::Declare(Declaration::Senescent { evidence: "x".repeat(257) })).await;
    assert!(refusal.starts_with("ReasonTooLong"), "{refusal}");
    golem.done(Act::Declare(Declaration::Senescent { evidence: "R2 below 0".to_owned() })).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(matches!(seen.life, ChainLife::Dying { order: None, .. }), "{:?}", seen.life);
    golem.done(settle()).await;

    // In Terminal all of a poor one's credits become legacy: nothing is left to live on.
    let mut poor = Golem::born_on(crate::support::still().await, |order| {
        order.credits = U256::from(1_000_000);
        order.capital = U256::ZERO;
    })
    .await;
    poor.done(beat(1, Phase::Terminal)).await;
    poor.done(Act::Resplit(Phase::Terminal)).await;
    poor.done(Act::Declare(Declaration::Economic)).await;
    let seen = poor.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(matches!(seen.life, ChainLife::Dying { order: None, .. }), "{:?}", seen.life);
    assert!(seen.credits.total() < CREDITS);
}

/// R-003, T-002: the roll of a block at depth is the roll the vault recomputes.
#[tokio::test(flavor = "multi_thread")]
async fn r_003_a_lost_roll_is_declared_and_recomputed_on_chain() {
    let mut golem = Golem::born().await;
    golem.mine(3).await;
    let (block, hash) = golem.chain.roll_block(Tick::new(7)).await.expect("a block");
    let head = golem.net.devnet.provider().get_block_number().await.expect("a number");
    assert_eq!(block, head - 2, "two confirmations are two blocks on top");
    // Some tick of this block is lost: the policy's largest hazard is about one in a few hundred.
    let policy: u64 = policy(&golem).await.hazardMax;
    let (tick, roll) = (1..)
        .map(|tick| (Tick::new(tick), death_roll(&golem.id, Tick::new(tick), Salt::Block(hash))))
        .find(|(_, roll)| roll.0 < policy)
        .expect("chance");
    let survived = Declaration::Stochastic { tick, hazard: roll.0, roll: roll.0, block };
    let refusal = golem.refused(Act::Declare(survived)).await;
    assert!(refusal.starts_with("RollSurvived"), "{refusal}");
    let forged = Declaration::Stochastic { tick, hazard: policy, roll: roll.0.saturating_sub(1), block };
    let refusal = golem.refused(Act::Declare(forged)).await;
    assert!(refusal.starts_with("RollMismatch"), "{refusal}");
    golem.done(Act::Declare(Declaration::Stochastic { tick, hazard: policy, roll: roll.0, block })).await;
    let seen = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(matches!(seen.life, ChainLife::Dying { order: None, .. }), "{:?}", seen.life);
    assert!(!recorded(&golem).await.verified, "whoever may choose tick and block afterwards finds a pair that kills");
}

async fn recorded(golem: &Golem) -> IVault::RollRecorded {
    use alloy::sol_types::SolEvent;
    let signature = IVault::RollRecorded::SIGNATURE_HASH;
    let filter = alloy::rpc::types::Filter::new().address(golem.vault).event_signature(signature).from_block(0);
    let logs = golem.net.devnet.provider().get_logs(&filter).await.expect("logs");
    logs[0].log_decode::<IVault::RollRecorded>().expect("a roll").inner.data
}

/// R-003, T-002: a beat announces the blocks of the rolls behind it; a tick rolls with its block once that lies at depth, with
/// the newest until then, and a roll lost by schedule is one that the chain verifies.
#[tokio::test(flavor = "multi_thread")]
async fn r_003_a_roll_lost_by_schedule_is_verified_on_chain() {
    let mut golem = Golem::born().await;
    let mut policy = policy(&golem).await;
    policy.hazardMax = u64::MAX / 100;
    golem.as_owner(&IVault::setPolicyCall { newPolicy: policy.clone() }).await;
    golem.done(announcing(3, Phase::Stable, Some(2))).await;
    let AttemptState::Landed { block: announced, .. } = golem.ledger.attempts[0].state else { panic!("not landed") };
    let head = async |golem: &Golem| golem.net.devnet.provider().get_block_number().await.expect("a number");
    let newest = head(&golem).await - 2;
    for tick in [2, 3, 90] {
        let rolled = golem.chain.roll_block(Tick::new(tick)).await.expect("a block").0;
        assert_eq!(rolled, newest, "tick {tick} was reported already, or its block is not there yet");
    }
    for tick in 4.. {
        let due = announced + (tick - 3) * 2;
        while head(&golem).await < due + 2 {
            golem.mine(1).await;
        }
        let tick = Tick::new(tick);
        let (block, hash) = golem.chain.roll_block(tick).await.expect("a block");
        assert_eq!(block, due, "the block announced for {tick}");
        let roll = death_roll(&golem.id, tick, Salt::Block(hash)).0;
        if roll < policy.hazardMax {
            golem.done(Act::Declare(Declaration::Stochastic { tick, hazard: policy.hazardMax, roll, block })).await;
            break;
        }
    }
    assert!(recorded(&golem).await.verified);
}

/// L-025: a key that ran ahead leaves the next one a tick to report, at once.
#[tokio::test(flavor = "multi_thread")]
async fn l_025_a_former_key_that_ran_ahead_stops_nobody() {
    let mut golem = Golem::born().await;
    let refusal = golem.refused(beat((1 << 40) - 1, Phase::Stable)).await;
    assert!(refusal.starts_with("TickTooFar"), "{refusal}");
    golem.done(beat(4, Phase::Stable)).await;
    golem.mine(30).await;
    golem.done(beat(60, Phase::Stable)).await;
    let reported = golem.chain.sense().await.expect("seen").vault.expect("a vault").reported_tick;
    golem.done(beat(reported.next().get(), Phase::Stable)).await;
}

async fn policy(golem: &Golem) -> IVault::Policy {
    use alloy::sol_types::SolCall;
    let request = alloy::rpc::types::TransactionRequest::default()
        .to(golem.vault)
        .input(IVault::policyCall {}.abi_encode().into());
    let said = golem.net.devnet.provider().call(request).await.expect("answered");
    IVault::policyCall::abi_decode_returns(&said).expect("a policy")
}

/// L-006, L-007: why the key may do nothing now is seen before it tries.
#[tokio::test(flavor = "multi_thread")]
async fn l_006_bars_are_seen() {
    let mut golem = Golem::born().await;
    let until = golem.net.devnet.now().seconds() + 1_000;
    golem.as_owner(&IVault::hibernateCall { until: U256::from(until) }).await;
    let bar = async |golem: &Golem| golem.chain.sense().await.expect("seen").vault.expect("a vault").barred;
    assert_eq!(bar(&golem).await, Some(Bar::Hibernating));
    let refusal = golem.refused(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(1), least: 1 })).await;
    assert!(refusal.ends_with("(Hibernating)"), "{refusal}");
    golem.as_owner(&IVault::wakeCall {}).await;
    assert_eq!(bar(&golem).await, None);

    // The token is sold.
    let (owner, buyer) = (golem.owner(), golem.net.devnet.accounts().strangers[2].clone());
    let here = deployment(&golem.net.devnet);
    let sale = IErc721::transferFromCall { from: owner.address, to: buyer.address, tokenId: golem.agent };
    send(&mut golem.net.devnet, &owner, here.identity, &sale).await;
    assert_eq!(bar(&golem).await, Some(Bar::OwnerChanged));
    golem.done(beat(4, Phase::Stable)).await;

    let vault = golem.vault;
    send(&mut golem.net.devnet, &buyer, vault, &IVault::rotateKeyCall { newKey: buyer.address }).await;
    assert_eq!(bar(&golem).await, Some(Bar::KeyRotated));
    let outcome = golem.act(beat(5, Phase::Stable)).await;
    assert!(
        matches!(&outcome.result, OutcomeResult::Refused { reason } if reason.starts_with("NotKey")),
        "{outcome:?}"
    );
}

/// V-011: the time-weighted price has the window of the owner's policy, and there is none beyond the pool's memory.
#[tokio::test(flavor = "multi_thread")]
async fn v_011_the_twap_has_the_policys_window() {
    let mut golem = Golem::born().await;
    let twap = async |golem: &Golem| golem.chain.sense().await.expect("seen").market.twap;
    assert!(twap(&golem).await.is_some());
    let mut policy = policy(&golem).await;
    policy.twapWindow = 86_400;
    golem.as_owner(&IVault::setPolicyCall { newPolicy: policy.clone() }).await;
    assert_eq!(twap(&golem).await, None, "the pool is half an hour old");
    assert_eq!(twap(&golem).await, None, "and the window is remembered");
    let refusal = golem.refused(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(1), least: 1 })).await;
    assert!(refusal.ends_with("(WindowNotCovered)"), "{refusal}");
    policy.twapWindow = 600;
    golem.as_owner(&IVault::setPolicyCall { newPolicy: policy }).await;
    assert!(twap(&golem).await.is_some());
    golem.verified(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(1), least: 1 })).await;
}

/// A hand is put to work nowhere but at a vault of this suite and a pool of USDC.
#[tokio::test(flavor = "multi_thread")]
async fn l_004_a_hand_works_for_a_vault_of_the_suite_alone() {
    let golem = Golem::born().await;
    let here = deployment(&golem.net.devnet);
    let take_up = async |posting: Posting| {
        let key = LocalKey::from_bytes(&golem.net.devnet.accounts().strangers[0].key.0).expect("a key");
        let endpoints = endpoints(&golem.net.devnet).await;
        OnChain::take_up(endpoints, Signer::Local(key), here.clone(), &posting, HandSettings::default()).await
    };
    for stranger in [here.usdc, here.vault, golem.owner().address] {
        let error = take_up(Posting { vault: stranger, ..golem.posting.clone() }).await.expect_err("no vault");
        assert!(matches!(error, PostingError::NotAVault { .. }), "{stranger}: {error}");
    }
    for stranger in [here.weth, golem.owner().address] {
        let error = take_up(Posting { pool: stranger, ..golem.posting.clone() }).await.expect_err("no pool");
        assert!(matches!(error, PostingError::NotThePool { .. }), "{stranger}: {error}");
    }
    take_up(Posting { gas_pool: Some(golem.posting.pool), ..golem.posting.clone() }).await.expect("the same pool");
}
