//! Trades of a living Golem on a real pool.

use alloy::primitives::U256;
use alloy::providers::Provider;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall;
use golem_chain::HandSettings;
use golem_chain::bindings::{IErc20, ILineageRegistry, IVault};
use golem_core::ledger::{ClosedTrip, Ledger, OrderTerms};
use golem_core::record::{CostSource, Order, OutcomeResult, OutcomeVerification, Phase};
use golem_ports::{Act, AttemptState, Chain, Progress};
use golem_primitives::{B256, PoolName, Ppm, Tick, Usdc};

use crate::support::{CAPITAL, Golem, hand, send};

fn buy(usdc: u32) -> Act {
    Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(usdc), least: 1 })
}

fn assert_clean(record: &OutcomeVerification) {
    assert!(record.receipt.success && record.is_hit(), "{record:#?}");
    assert!(!record.prediction.expected_logs.is_empty(), "the simulation showed its logs");
    assert!(record.deviations.unexpected_logs.is_empty(), "{record:#?}");
    assert!(record.deviations.missing_expected_logs.is_empty(), "{record:#?}");
    assert!(record.invariants.len() == 4 && record.invariants.iter().all(|check| check.passed), "{record:#?}");
    assert!(record.deviations.balance_change_bps.values().all(|bps| bps.get() == 0), "{record:#?}");
}

/// D-110, M-072, M-073, M-074, M-076, M-079: what is seen is what was born, and a purchase is previewed, permitted, sent,
/// and verified by reads.
#[tokio::test(flavor = "multi_thread")]
async fn r_010_a_purchase_lands_as_it_was_simulated() {
    let mut golem = Golem::born().await;
    let sight = golem.chain.sense().await.expect("seen");
    let vault = sight.vault.as_ref().expect("a vault");
    assert_eq!((vault.idle, vault.capital, vault.held, vault.barred), (CAPITAL, CAPITAL, 0, None));
    assert_eq!(vault.credits.total().saturating_add(vault.reserve), Usdc::whole(100));
    assert_eq!(vault.reserve, Usdc::whole(2));
    assert!(sight.market.price > Usdc::whole(2_900) && sight.market.twap.is_some());
    assert!(vault.key_wei > 0 && sight.market.base_fee_wei > 0);

    let spend = Usdc::whole(50);
    let errand = golem.errand(buy(50));
    let outcome = golem.finish(&errand).await;
    let (source, cost) = outcome.cost.expect("gas");
    assert!(source == CostSource::Gas && !cost.is_zero() && cost < Usdc::from_micros(500_000), "{cost}");
    let OutcomeResult::Verified(record) = outcome.result.clone() else { panic!("{outcome:?}") };
    assert_clean(&record);
    assert_eq!((record.tick, record.action_id), (errand.tick, errand.effect));
    assert_eq!(record.prediction.notional, spend);
    assert_eq!(record.prediction.expected_return_micros, record.receipt.realised_return_micros);
    // The fee of 0.05 % is lost at once, and little more.
    let lost = -record.receipt.realised_return_micros;
    assert!((20_000..100_000).contains(&lost), "{lost}");
    assert_ne!(record.pre_state.pool_state, record.post_state.pool_state);
    assert!(record.pair().expect("believable").is_some(), "M-076");

    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((after.idle, after.held_cost), (CAPITAL.saturating_sub(spend), spend));
    assert_eq!(golem.ledger.attempts.len(), 1);
    let AttemptState::Landed { block, .. } = golem.ledger.attempts[0].state else {
        panic!("{:?}", golem.ledger.attempts)
    };

    // D-110: how it came about is told by the pool as it stood before, and of a block that another one replaced by nothing.
    let fill = golem.chain.fill(&errand, &outcome, &mut golem.ledger).await.expect("read").expect("a trade");
    assert_eq!((fill.block, fill.usdc_micros), (block, -50_000_000));
    assert_eq!(fill.pool.expect("it can be read").tick, sight.market.pool_tick);
    golem.ledger.attempts[0].state = AttemptState::Landed { block, hash: B256::repeat_byte(1) };
    assert_eq!(golem.chain.fill(&errand, &outcome, &mut golem.ledger).await.expect("read"), None);
}

/// R-011, M-081: a sale is judged against what the books say it had cost.
#[tokio::test(flavor = "multi_thread")]
async fn r_011_a_sale_is_judged_by_its_book() {
    let mut golem = Golem::born().await;
    assert_clean(&golem.verified(buy(90)).await);
    let held = golem.chain.sense().await.expect("seen").vault.expect("a vault").held;
    let half = golem
        .verified(Act::Trade(Order::Sell { pool: PoolName::HOME, amount: held / 2, least: Usdc::from_micros(1) }))
        .await;
    assert_clean(&half);
    assert_eq!(half.receipt.realised_return_micros, half.prediction.expected_return_micros);
    assert!(half.receipt.realised_return_micros < 0, "the price stood still, so the fees are lost");
    let rest = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(rest.held_cost > Usdc::from_micros(44_900_000) && rest.held_cost < Usdc::from_micros(45_100_000));

    let last = golem
        .verified(Act::Trade(Order::Sell { pool: PoolName::HOME, amount: rest.held, least: Usdc::from_micros(1) }))
        .await;
    assert_clean(&last);
    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((after.held, after.held_cost), (0, Usdc::ZERO));
    let lost = CAPITAL.saturating_sub(after.idle).micros();
    let told = -(half.receipt.realised_return_micros + last.receipt.realised_return_micros);
    assert_eq!(lost, u64::try_from(told).expect("a loss"), "what the records say is what the vault lost");
}

/// liquidity in, fees seen, liquidity out.
#[tokio::test(flavor = "multi_thread")]
async fn r_011_liquidity_goes_in_and_comes_back() {
    let mut golem = Golem::born().await;
    assert_clean(&golem.verified(buy(90)).await);
    let sight = golem.chain.sense().await.expect("seen");
    let (market, vault) = (sight.market, sight.vault.expect("a vault"));
    let middle = market.pool_tick.div_euclid(market.tick_spacing) * market.tick_spacing;
    let (lower, upper) = (middle - 60 * market.tick_spacing, middle + 60 * market.tick_spacing);
    let order = Order::Provide { pool: PoolName::HOME, lower, upper, usdc: Usdc::whole(45), token: vault.held / 2 };
    let record = golem.verified(Act::Trade(order)).await;
    assert_clean(&record);
    assert_eq!(record.receipt.realised_return_micros, 0, "providing realises nothing");
    assert!(record.prediction.notional > Usdc::whole(60), "{}", record.prediction.notional);
    assert_eq!(record.post_state.positions.len(), 1);

    // Others trade through the pool both ways, and the position earns.
    let market_account = golem.net.devnet.accounts().market.clone();
    trade_through(&mut golem, &market_account).await;
    let sight = golem.chain.sense().await.expect("seen");
    let vault = sight.vault.expect("a vault");
    let position = vault.positions[0];
    assert_eq!((position.lower, position.upper), (lower, upper));
    assert!(position.fees > Usdc::ZERO && position.token > 0 && !position.usdc.is_zero(), "{position:?}");

    let order = Order::Withdraw { pool: PoolName::HOME, position: position.id, liquidity: position.liquidity };
    let errand = golem.errand(Act::Trade(order));
    let OutcomeResult::Verified(record) = golem.finish(&errand).await.result else { panic!("not verified") };
    assert_clean(&record);
    // What was seen before is what came, to the last unit.
    let (usdc, token) = (golem.net.devnet.world().usdc, golem.net.devnet.world().weth);
    assert_eq!(record.prediction.balance_changes[&usdc], i128::from(position.usdc.micros()));
    assert_eq!(record.prediction.balance_changes[&token], i128::try_from(position.token).expect("small"));
    let after = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert!(after.positions.is_empty());
}

/// V-015: whatever part of the token goes in with more USDC than it needs, the venue takes it: how much it rounds away differs
/// from amount to amount, and the least that is asked for leaves room for all of it.
#[tokio::test(flavor = "multi_thread")]
async fn v_015_liquidity_short_of_the_token_is_taken() {
    let mut golem = Golem::born().await;
    assert_clean(&golem.verified(buy(90)).await);
    let sight = golem.chain.sense().await.expect("seen");
    let (market, held) = (sight.market, sight.vault.expect("a vault").held);
    let middle = market.pool_tick.div_euclid(market.tick_spacing) * market.tick_spacing;
    golem.mine(35).await;
    for part in 3_i16..19 {
        let (lower, upper) = (middle - 10 * i32::from(part) * market.tick_spacing, middle + 600);
        let token = held / u128::from(part.unsigned_abs());
        let order = Order::Provide { pool: PoolName::HOME, lower, upper, usdc: Usdc::whole(45), token };
        let errand = golem.errand(Act::Rehearse(order));
        let result = golem.finish(&errand).await.result;
        assert!(matches!(result, OutcomeResult::Simulated(_)), "a {part}th of it: {result:?}");
    }
}

/// A trade of a ledger that is held against the vault: after each the capital has moved by what the ledger gained, and what
/// each thing that is held has cost is what the vault says, to the last unit.
async fn booked(golem: &mut Golem, ledger: &mut Ledger, order: Order) -> Option<ClosedTrip> {
    let errand = golem.errand(Act::Trade(order));
    let outcome = golem.finish(&errand).await;
    let line = ledger
        .land(Some(OrderTerms { order, fee_ppm: 500, token: 0 }), &outcome, errand.tick)
        .unwrap_or_else(|| panic!("{outcome:?}"));
    assert!(!line.gas.is_zero(), "gas is paid");
    let vault = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((ledger.held().amount, ledger.held().cost), (vault.held, vault.held_cost), "{order:?}");
    let positions: Vec<_> = vault.positions.iter().map(|open| (open.id, open.liquidity, open.book)).collect();
    let ours: Vec<_> = ledger.positions().iter().map(|(id, lot)| (*id, lot.amount, lot.cost)).collect();
    assert_eq!(ours, positions, "{order:?}");
    let has = vault.idle.saturating_add(ledger.open_cost()).micros();
    let gained = i64::try_from(has).expect("small") - i64::try_from(CAPITAL.micros()).expect("small");
    assert_eq!(ledger.earned().gain_micros, gained, "{order:?}");
    line.closed
}

/// V-014, M-081: purchases, parts of sales and liquidity with fees on the real vault; the sum of the ledger is the change of
/// what the vault has, and of a life that holds nothing any more the change of its USDC.
#[tokio::test(flavor = "multi_thread")]
async fn v_014_the_ledger_is_what_the_vault_has_to_the_last_unit() {
    let (mut golem, mut ledger) = (Golem::born().await, Ledger::default());
    let sell = |amount| Order::Sell { pool: PoolName::HOME, amount, least: Usdc::from_micros(1) };
    let purchase = Order::Buy { pool: PoolName::HOME, spend: Usdc::from_micros(89_999_999), least: 1 };
    assert_eq!(booked(&mut golem, &mut ledger, purchase).await, None, "a purchase closes nothing");
    let held = ledger.held().amount;
    let part = booked(&mut golem, &mut ledger, sell(held / 7)).await.expect("a sale closes its part");
    assert!(part.net_micros() < part.gain_micros() && part.gain_micros() < 0, "the fees and gas: {part:?}");

    let market = golem.chain.sense().await.expect("seen").market;
    let middle = market.pool_tick.div_euclid(market.tick_spacing) * market.tick_spacing;
    let (lower, upper) = (middle - 60 * market.tick_spacing, middle + 60 * market.tick_spacing);
    let provide =
        Order::Provide { pool: PoolName::HOME, lower, upper, usdc: Usdc::whole(45), token: ledger.held().amount / 2 };
    assert_eq!(booked(&mut golem, &mut ledger, provide).await, None);
    let account = golem.net.devnet.accounts().market.clone();
    trade_through(&mut golem, &account).await;
    let (position, lot) = ledger.positions()[0];
    for liquidity in [lot.amount / 3, lot.amount - lot.amount / 3] {
        booked(&mut golem, &mut ledger, Order::Withdraw { pool: PoolName::HOME, position, liquidity }).await;
    }
    assert!(ledger.positions().is_empty());
    // Somebody else's present is sold with the rest and is a gain by both.
    let gift = IErc20::transferCall { to: golem.vault, value: U256::from(7_777_777_777u64) };
    let weth = golem.net.devnet.world().weth;
    send(&mut golem.net.devnet, &account, weth, &gift).await;
    let held = golem.chain.sense().await.expect("seen").vault.expect("a vault").held;
    assert!(booked(&mut golem, &mut ledger, sell(held)).await.is_some());
    let vault = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    let change = i64::try_from(vault.idle.micros()).expect("small") - i64::try_from(CAPITAL.micros()).expect("small");
    assert_eq!((ledger.open_cost(), ledger.earned().gain_micros), (Usdc::ZERO, change));
    let earned = ledger.earned();
    assert_eq!(earned.net_micros, change - i64::try_from(ledger.gas().micros()).expect("small"), "after all gas");
    assert_eq!(earned.won + earned.lost, earned.closed);
}

/// Someone sells and buys a little WETH in the same pool.
async fn trade_through(golem: &mut Golem, account: &golem_devnet::FundedAccount) {
    use alloy::primitives::U160;
    use golem_devnet::ISwapRouter02;

    let world = golem.net.devnet.world().clone();
    for (token_in, token_out, amount) in [
        (world.usdc, world.weth, U256::from(100_000_000_000u64)),
        (world.weth, world.usdc, U256::from(30) * U256::from(10u64.pow(18))),
    ] {
        let approve = IErc20::approveCall { spender: world.swap_router_02, value: U256::MAX };
        send(&mut golem.net.devnet, account, token_in, &approve).await;
        let params = ISwapRouter02::ExactInputSingleParams {
            tokenIn: token_in,
            tokenOut: token_out,
            fee: alloy::primitives::aliases::U24::from(500),
            recipient: account.address,
            amountIn: amount,
            amountOutMinimum: U256::ZERO,
            sqrtPriceLimitX96: U160::ZERO,
        };
        send(&mut golem.net.devnet, account, world.swap_router_02, &ISwapRouter02::exactInputSingleCall { params })
            .await;
    }
}

/// what would revert is refused with its reason, and costs nothing.
#[tokio::test(flavor = "multi_thread")]
async fn r_010_a_preview_that_reverts_refuses_with_its_reason() {
    let mut golem = Golem::born().await;
    let refusal = golem.refused(buy(500)).await;
    assert!(refusal.contains("would come to 500.00 USDC, and the vault lets a minute move 100.00 USDC"), "{refusal}");
    let refusal =
        golem.refused(Act::Trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(50), least: u128::MAX })).await;
    assert!(refusal.ends_with("(BelowMinOut)"), "{refusal}");
    let refusal = golem.refused(Act::Trade(Order::Sell { pool: PoolName::HOME, amount: 5, least: Usdc::ZERO })).await;
    assert!(refusal.ends_with("(HoldingExceeded)"), "{refusal}");
    let refusal =
        golem.refused(Act::Trade(Order::Withdraw { pool: PoolName::HOME, position: 999, liquidity: 1 })).await;
    assert_eq!(refusal, "the vault has no position 999");
    let refusal = golem
        .refused(Act::Trade(Order::Provide {
            pool: PoolName::HOME,
            lower: i32::MIN,
            upper: 0,
            usdc: Usdc::ZERO,
            token: 1,
        }))
        .await;
    assert!(refusal.contains("no range of ticks"), "{refusal}");
    let refusal = golem.refused(Act::Harvest).await;
    assert!(refusal.starts_with("NoProfit"), "{refusal}");
    assert!(golem.ledger.attempts.is_empty(), "nothing was signed");

    // V-012: the vault refuses again what the agent should have refused first.
    golem.done(beat(1, Phase::Conservation)).await;
    let refusal = golem.refused(buy(10)).await;
    assert!(refusal.ends_with("(ExposureFrozen)"), "{refusal}");
}

/// V-011: the trades of a minute move a tenth of the capital together; what is more waits for the next minute, and is not
/// refused.
#[tokio::test(flavor = "multi_thread")]
async fn v_011_what_a_minute_has_no_room_for_waits() {
    let mut golem = Golem::born().await;
    golem.verified(buy(60)).await;
    let traded = async |golem: &Golem| {
        let asked = IVault::tradedTodayCall {};
        let request = TransactionRequest::default().to(golem.vault).input(asked.abi_encode().into());
        let said = golem.net.devnet.provider().call(request).await.expect("answered");
        u64::from(IVault::tradedTodayCall::abi_decode_returns(&said).expect("a day").lastAt)
    };
    let first = traded(&golem).await;
    let errand = golem.errand(buy(60));
    assert_eq!(golem.step(&errand).await, Progress::Pending);
    assert_eq!(golem.ledger.attempts.len(), 1, "nothing is signed before there is room");
    let OutcomeResult::Verified(record) = golem.finish(&errand).await.result else { panic!("not verified") };
    assert_clean(&record);
    assert!(traded(&golem).await >= first + 60);
    let refusal = golem.refused(buy(101)).await;
    assert!(refusal.ends_with("(TradeTooLarge)"), "too large by itself, whenever: {refusal}");
}

/// V-011: an order that comes after its time is refused by the vault itself, and wanted anew it lands.
#[tokio::test(flavor = "multi_thread")]
async fn v_011_an_order_that_comes_too_late_is_refused_and_tried_again() {
    let mut golem = Golem::born().await;
    let settings = HandSettings { order_seconds: 1, ..HandSettings::default() };
    golem.chain = hand(&golem.net.devnet, &golem.posting, settings).await;
    let outcome = golem.act(Act::Refuel { amount: Usdc::whole(2) }).await;
    let OutcomeResult::Refused { reason } = &outcome.result else { panic!("{outcome:?}") };
    // The preview stood at the block before, where it was still in time.
    assert!(reason.contains("reverted on chain"), "{reason}");
    golem.restart().await;
    golem.done(Act::Refuel { amount: Usdc::whole(2) }).await;
}

/// R-031's like for gas: what costs more than its budget is not signed.
#[tokio::test(flavor = "multi_thread")]
async fn r_022_gas_beyond_its_budget_is_refused_unsigned() {
    let mut golem = Golem::born().await;
    let mut errand = golem.errand(buy(50));
    errand.budget = Usdc::from_micros(1);
    let OutcomeResult::Refused { reason } = golem.finish(&errand).await.result else { panic!("not refused") };
    assert!(reason.contains("its gas would cost") && golem.ledger.attempts.is_empty(), "{reason}");
    // With room for it, what is paid stays below.
    let mut errand = golem.errand(buy(50));
    errand.budget = Usdc::from_micros(100_000);
    let outcome = golem.finish(&errand).await;
    assert!(outcome.cost.expect("gas").1 <= errand.budget, "{outcome:?}");
}

fn beat(tick: u64, phase: Phase) -> Act {
    let (root, rolls) = (B256::ZERO, vec![(Tick::new(tick), 3)]);
    Act::Beat { tick: Tick::new(tick), phase, vitality: Ppm::of(420_000), root, outcomes: 0, rolls, stride: Some(9) }
}

/// L-025: a beat is in the registry's log as it was said.
#[tokio::test(flavor = "multi_thread")]
async fn l_025_a_beat_is_heard_as_it_was_said() {
    let mut golem = Golem::born().await;
    golem.done(beat(5, Phase::Stable)).await;
    let AttemptState::Landed { block, .. } = golem.ledger.attempts[0].state else { panic!("not landed") };
    let provider = golem.net.devnet.provider();
    let receipt = provider.get_transaction_receipt(golem.ledger.attempts[0].hash).await.expect("answered");
    let receipt = receipt.expect("mined");
    assert_eq!(receipt.block_number, Some(block));
    let beaten = receipt.logs()[0].log_decode::<ILineageRegistry::Beaten>().expect("a beat").inner.data;
    assert_eq!((beaten.agentId, beaten.phase), (golem.agent, 1));
    assert_eq!(beaten.rolls.as_ref(), [5u64.to_be_bytes(), 3u64.to_be_bytes()].concat());
    let vault = golem.chain.sense().await.expect("seen").vault.expect("a vault");
    assert_eq!((vault.reported_phase, vault.reported_tick), (Phase::Stable, Tick::new(5)));
    assert_eq!(beaten.rollStride, U256::from(9));
    let refusal = golem.refused(beat(5, Phase::Stable)).await;
    assert!(refusal.starts_with("TickNotAfter"), "{refusal}");
}
