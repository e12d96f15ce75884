use std::collections::BTreeMap;

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::SolError as _;
use golem_core::record::{Order, OutcomeResult, Partition, Phase};
use golem_ports::{Act, Declaration, Stain, Testament};
use golem_primitives::{EffectId, PoolName, Ppm, Tick, Usdc, UtcTime};
use proptest::prelude::*;

use super::account::{Account, Flight, PaperPurse, Verdict};
use super::vault::{KEY, PretendedVault, VAULT};
use super::world::{Beyond, Trusted, World};
use super::{gas, land};
use crate::acts::{Plan, plan};
use crate::bindings::IVault;
use crate::deployment::Deployment;
use crate::node::{At, Call, Log};
use crate::on_chain::HandSettings;
use crate::place::{Place, Pool};
use crate::preview::PermitRecord;
use crate::price::{Quote, root_at};
use crate::reading::PoolReading;
use crate::revert::Refusal;
use crate::roster::PoolStay;
use crate::verify::confirmed;

/// A tick of a pool of WETH and USDC at some 3,000 USDC.
const TICK: i32 = -196_250;
const START: u64 = 1_794_700_800;
const LIQUIDITY: u128 = 1_000_000_000_000_000_000;

fn place() -> Place {
    let at = Address::repeat_byte;
    let pool = Pool {
        name: PoolName::HOME,
        token_place: 0,
        address: at(0x11),
        token: at(0x12),
        quote: Quote { token_is_first: true, decimals: 18 },
        fee_ppm: 500,
        tick_spacing: 10,
        stay: PoolStay::Stays,
    };
    let deployment = Deployment {
        chain_id: 1,
        from_block: 0,
        identity: at(1),
        lineage: at(2),
        birth: at(3),
        succession: at(4),
        vault: at(5),
        vault_owner: at(6),
        vault_trading: at(7),
        vault_liquidity: at(8),
        vault_death: at(9),
        swap_adapter: at(10),
        position_adapter: at(11),
        epitaph: at(12),
        usdc: at(0x20),
        weth: at(0x12),
        uniswap_factory: at(13),
        position_manager: at(14),
        multicall3: at(15),
        quoter: None,
        pool: None,
        pools: BTreeMap::new(),
        confirmations: 2,
    };
    Place {
        deployment,
        vault: VAULT,
        agent: U256::ZERO,
        pool,
        elsewhere: Vec::new(),
        gas_pool: pool,
        host: Some(super::vault::HOST),
        order_seconds: 600,
    }
}

fn world(place: &Place, seconds: u64, tick: i32) -> World<'_> {
    let root = root_at(tick);
    let price = place.pool.quote.price(root);
    let pool = PoolReading { root, tick, liquidity: LIQUIDITY, price, twap: Some(price), fee_growth: [U256::ZERO; 2] };
    let trusted = Ok(Trusted { low: tick, high: tick });
    World {
        place,
        at: At {
            number: seconds / 2,
            hash: B256::ZERO,
            time: UtcTime::from_seconds(START + seconds),
            base_fee: 10_000_000,
        },
        pool,
        native: price,
        trusted: trusted.clone(),
        trusted_native: trusted,
        quoted: None,
        ticks: BTreeMap::new(),
        parent_wei: 0,
    }
}

fn born() -> PretendedVault {
    PretendedVault::born(Usdc::whole(100), Usdc::whole(1_000), 1 << 60, 0, UtcTime::from_seconds(START))
}

/// What the pool pays: the price less a fee of a twentieth of a percent.
fn quote(act: &Act, world: &World<'_>) -> u128 {
    let price = u128::from(world.pool.price.micros());
    let less = |amount: u128| amount / 10_000 * 9_995;
    match act {
        Act::Trade(Order::Buy { spend, .. }) => {
            less(u128::from(spend.micros()) * 1_000_000_000_000_000_000 / price.max(1))
        }
        Act::Trade(Order::Sell { amount, .. }) => less((amount / 1_000_000).saturating_mul(price) / 1_000_000_000_000),
        Act::Refuel { amount } => less(u128::from(amount.micros()) * 1_000_000_000_000_000_000 / price.max(1)),
        _ => 0,
    }
}

/// Does what a life wants as the chain would: the call of the act, and the logs or the refusal in its own words.
fn act(vault: &mut PretendedVault, world: &mut World<'_>, act: &Act) -> Result<Vec<Log>, String> {
    let reading = vault.reading(world);
    let paid = quote(act, world);
    world.quoted.get_or_insert(Ok(paid));
    let call = match plan(act, world.place, &reading) {
        Plan::Call { to, data } => Call { from: KEY, to, data },
        Plan::Already => return Ok(Vec::new()),
        Plan::Never(why) => return Err(why),
    };
    let before = vault.clone();
    let done = vault.execute(&call, world).map_err(|revert| Refusal::decode(&revert.data).to_string());
    world.quoted = None;
    if let Ok(logs) = &done {
        let told = confirmed(act, world.place, logs);
        assert!(!matches!(told, OutcomeResult::Refused { .. }), "{}: no log tells of it", act.name());
    } else {
        assert_eq!(*vault, before, "what is refused changes nothing");
    }
    assert_lawful(vault);
    done
}

/// V-030, V-003, V-014: the token's own books, those of the vault, and what it holds at cost agree to the last unit.
fn assert_lawful(vault: &PretendedVault) {
    assert_eq!(vault.usdc, vault.accounted(), "V-030");
    let booked: u64 = vault.positions.iter().map(|position| position.book).sum();
    assert_eq!(vault.deployed, vault.held_book + booked, "V-014");
}

fn trade(order: Order) -> Act {
    Act::Trade(order)
}

fn buy(usdc: u32) -> Act {
    trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(usdc), least: 1 })
}

fn beat(tick: u64, phase: Phase) -> Act {
    let (tick, rolls) = (Tick::new(tick), Vec::new());
    Act::Beat { tick, phase, vitality: Ppm::ONE, root: B256::ZERO, outcomes: 0, rolls, stride: None }
}

/// R-013, V-004: what it begins with is split as a birth splits it.
#[test]
fn r_013_a_pretended_vault_is_born_like_any_other() {
    let place = place();
    let vault = born();
    assert_eq!((vault.reserve, vault.capital), (2_000_000, 1_000_000_000));
    assert_eq!(vault.credits, [58_800_000, 24_500_000, 14_700_000, 0]);
    assert_lawful(&vault);
    let reading = vault.reading(&world(&place, 0, TICK));
    assert_eq!((reading.vault.basis, reading.vault.books.highWater), (1_000_000_000, 1_000_000_000));
    // V-006: a fifth, three tenths and a quarter a day.
    let IVault::Ledger { llm, gas, data, legacy } = reading.vault.left_today;
    assert_eq!([llm, gas, data, legacy], [11_760_000, 7_350_000, 3_675_000, 0]);
    assert_eq!(PretendedVault::born(Usdc::whole(1), Usdc::ZERO, 0, 0, UtcTime::EPOCH).reserve, 300_000, "M-037");
}

/// R-013, the 1,000 that became 37: a position is worth what went into it, earns what the pool's counters say, and
/// comes back in two parts with nothing lost but the venue's rounding.
#[test]
fn r_013_a_position_is_opened_earns_and_is_withdrawn_in_two_parts() {
    let place = place();
    let mut vault = born();
    act(&mut vault, &mut world(&place, 0, TICK), &buy(45)).expect("bought");
    let (idle, held) = (vault.capital, vault.held);
    let order = Order::Provide {
        pool: PoolName::HOME,
        lower: TICK - 600,
        upper: TICK + 600,
        usdc: Usdc::whole(45),
        token: held,
    };
    act(&mut vault, &mut world(&place, 100, TICK), &trade(order)).expect("provided");
    let reading = vault.reading(&world(&place, 102, TICK));
    let open = reading.vault.positions[0].clone();
    let quote = place.pool.quote;
    let worth = |amounts: (u128, u128)| quote.value(amounts.0, reading.pool.price).micros() + amounts.1 as u64;
    let whole = worth(open.amounts) + vault.capital + quote.value(vault.held, reading.pool.price).micros();
    assert!((999_960_000..1_000_000_000).contains(&whole), "{whole}: all but the fee of the purchase is there");
    assert!(idle - vault.capital <= 45_000_000 && open.fees == (0, 0));

    // A thousandth of USDC and a billionth of WETH for each unit of 2^60 of liquidity, shared with those who are there.
    let mut later = world(&place, 140, TICK + 100);
    later.trusted = Ok(Trusted { low: TICK + 100, high: TICK + 100 });
    later.pool.fee_growth = [U256::from(1_000_000_000u64) << 68, U256::from(1_000u64) << 68];
    vault.accrue(&later);
    let position = &vault.positions[0];
    let share = |amount: u128| amount * position.liquidity / (1 << 60) * LIQUIDITY / (LIQUIDITY + position.liquidity);
    let (fees0, fees1) = position.fees();
    assert!(fees0.abs_diff(share(1_000_000_000)) <= 1 && fees1.abs_diff(share(1_000)) <= 1, "{fees0} {fees1}");
    let told = vault.reading(&later).vault.positions[0].fees;
    assert_eq!(told, (fees0, fees1), "the token first");
    // Out of range at one of two looks, or counters that stand lower than they stood, are no fees.
    let mut gone = world(&place, 142, TICK + 5_000);
    gone.pool.fee_growth = [U256::MAX >> 2, U256::MAX >> 2];
    vault.accrue(&gone);
    let mut back = world(&place, 144, TICK);
    back.pool.fee_growth = [U256::ZERO; 2];
    vault.accrue(&back);
    assert_eq!(vault.positions[0].fees(), (fees0, fees1));

    let id = vault.positions[0].id;
    let all = vault.positions[0].liquidity;
    let half = Order::Withdraw { pool: PoolName::HOME, position: id, liquidity: all / 2 };
    act(&mut vault, &mut world(&place, 146, TICK), &trade(half)).expect("half of it");
    assert_eq!((vault.positions.len(), vault.positions[0].fees()), (1, (0, 0)), "fees are paid with any part");
    let rest = Order::Withdraw { pool: PoolName::HOME, position: id, liquidity: u128::MAX };
    act(&mut vault, &mut world(&place, 148, TICK), &trade(rest)).expect("the rest");
    assert!(vault.positions.is_empty());
    let usdc = i128::from(vault.capital) - i128::from(idle) - i128::try_from(fees1).expect("small");
    let token = vault.held.cast_signed() - held.cast_signed() - fees0.cast_signed();
    assert!((-3..=0).contains(&usdc) && (-3..=0).contains(&token), "{usdc} micros, {token} units");
    let gone = act(&mut vault, &mut world(&place, 150, TICK), &trade(rest)).expect_err("it is closed");
    assert_eq!(gone, format!("the vault has no position {id}"));
}

/// where the pool itself counts between the two ticks, its own counters are read, however often the price left.
#[test]
fn r_013_fees_between_counted_ticks_are_the_pools_own() {
    let place = place();
    let mut vault = born();
    act(&mut vault, &mut world(&place, 0, TICK), &buy(45)).expect("bought");
    let held = vault.held;
    let order = Order::Provide {
        pool: PoolName::HOME,
        lower: TICK - 600,
        upper: TICK + 600,
        usdc: Usdc::whole(45),
        token: held,
    };
    let beyond = |outside: u64| Beyond { is_counted: true, outside: [U256::from(outside) << 68, U256::ZERO] };
    let mut opened = world(&place, 100, TICK);
    opened.pool.fee_growth = [U256::from(9_000u64) << 68, U256::ZERO];
    opened.ticks = BTreeMap::from([(TICK - 600, beyond(1_000)), (TICK + 600, beyond(500))]);
    act(&mut vault, &mut opened, &trade(order)).expect("provided");
    // It rose through the upper end when 12,000 had been counted in all, and 20,000 are now.
    let mut above = world(&place, 140, TICK + 700);
    above.pool.fee_growth = [U256::from(20_000u64) << 68, U256::ZERO];
    above.ticks = BTreeMap::from([(TICK - 600, beyond(1_000)), (TICK + 600, beyond(11_500))]);
    vault.accrue(&above);
    let liquidity = vault.positions[0].liquidity;
    let expected = 3_000 * liquidity / (1 << 60) * LIQUIDITY / (LIQUIDITY + liquidity);
    assert!(vault.positions[0].fees().0.abs_diff(expected) <= 1, "{:?} {expected}", vault.positions[0].fees());
}

/// V-011, V-012, R-013: what the vault refuses is refused here, in its own words.
#[test]
fn v_011_the_bounds_of_a_vault_hold_on_paper() {
    let place = place();
    let mut vault = born();
    let refused = |vault: &mut PretendedVault, seconds: u64, what: &Act| {
        act(vault, &mut world(&place, seconds, TICK), what).expect_err("refused")
    };
    assert_eq!(
        refused(&mut vault, 0, &buy(101)),
        "TradeTooLarge { volumeAfter: 101000000, bound: 100000000 }",
        "a tenth of the capital a minute"
    );
    for minute in 0..5 {
        act(&mut vault, &mut world(&place, minute * 60, TICK), &buy(100)).expect("half the capital a day");
    }
    let seconds = 4 * 60 + 30;
    assert!(refused(&mut vault, seconds, &buy(1)).starts_with("TradeTooLarge { volumeAfter: 101000000"), "one minute");
    assert!(refused(&mut vault, 400, &buy(1)).starts_with("DayVolumeExceeded { volumeAfter: 501000000"));
    act(&mut vault, &mut world(&place, 86_400, TICK), &buy(100)).expect("another day");
    let mut dear = world(&place, 90_000, TICK);
    dear.quoted = Some(Ok(quote(&buy(50), &dear) / 100 * 98));
    let words = act(&mut vault, &mut dear, &buy(50)).expect_err("two percent worse");
    assert!(words.starts_with("BelowTrustedPrice { valueOut: 4"), "{words}");
    let wanted = trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(10), least: u128::MAX });
    assert!(refused(&mut vault, 90_000, &wanted).starts_with("BelowMinOut"));
    let much = trade(Order::Sell { pool: PoolName::HOME, amount: u128::MAX, least: Usdc::ZERO });
    assert!(refused(&mut vault, 90_000, &much).starts_with("HoldingExceeded"));

    let mut bent = world(&place, 90_000, TICK);
    bent.trusted = Ok(Trusted { low: TICK - 150, high: TICK });
    let order = Order::Provide {
        pool: PoolName::HOME,
        lower: TICK - 600,
        upper: TICK + 600,
        usdc: Usdc::whole(10),
        token: vault.held / 50,
    };
    let words = act(&mut vault, &mut bent, &trade(order)).expect_err("1.5% away");
    assert!(words.starts_with("SpotTooFar") && words.contains("deviationBps: 152"), "{words}");
    let mut thin = world(&place, 90_000, TICK);
    let depth = IVault::DepthTooLow { pool: place.pool.address, depth: U256::ONE, minimum: U256::from(2) };
    thin.trusted = Err(depth.abi_encode().into());
    assert!(act(&mut vault, &mut thin, &buy(10)).expect_err("too thin").starts_with("DepthTooLow"));

    act(&mut vault, &mut world(&place, 90_002, TICK), &beat(5, Phase::Conservation)).expect("told");
    assert_eq!(refused(&mut vault, 90_100, &buy(10)), "ExposureFrozen { phase: 2 }", "V-012");
    let some = trade(Order::Sell { pool: PoolName::HOME, amount: vault.held / 10, least: Usdc::from_micros(1) });
    act(&mut vault, &mut world(&place, 90_100, TICK), &some).expect("what lowers exposure goes on");
}

/// V-011: a day that lost two percent against the trusted price lowers exposure only.
#[test]
fn v_011_a_day_of_losses_ends_its_entries() {
    let place = place();
    let mut vault = born();
    for turn in 0..200 {
        let mut world = world(&place, turn * 61, TICK);
        let amount = if turn % 2 == 0 {
            buy(20)
        } else {
            trade(Order::Sell { pool: PoolName::HOME, amount: vault.held, least: Usdc::ZERO })
        };
        world.quoted = Some(Ok(quote(&amount, &world) / 1_000 * 992));
        match act(&mut vault, &mut world, &amount) {
            Ok(_) => {}
            Err(words) => {
                let is_over = words.starts_with("DayLossReached") || words.starts_with("DayVolumeExceeded");
                assert!(is_over, "{words}");
                return;
            }
        }
    }
    panic!("nothing bounds a day");
}

/// V-006, R-013: the host is paid out of a partition, under the caps of a call and of a day.
#[test]
fn r_013_the_host_is_paid_and_bounded() {
    let place = place();
    let mut vault = born();
    let pay = |micros| Act::PayHost { partition: Partition::Llm, amount: Usdc::from_micros(micros) };
    act(&mut vault, &mut world(&place, 0, TICK), &pay(250_000)).expect("paid");
    assert_eq!((vault.credits[0], vault.host_paid), (58_550_000, 250_000));
    let mut again = world(&place, 2, TICK);
    let dear = act(&mut vault, &mut again, &pay(10_000_001)).expect_err("a call's cap");
    assert_eq!(dear, "CallCapExceeded { amount: 10000001, cap: 10000000 }");
    act(&mut vault, &mut again, &pay(10_000_000)).expect("within it");
    let words = act(&mut vault, &mut again, &pay(2_000_000)).expect_err("a day's");
    assert_eq!(words, "DayCapExceeded { partition: 0, spentAfter: 12250000, cap: 11760000 }");
    act(&mut vault, &mut world(&place, 86_400, TICK), &pay(2_000_000)).expect("the next day");
    let moved = Act::Rebalance { from: Partition::Data, to: Partition::Gas, amount: Usdc::whole(5) };
    act(&mut vault, &mut world(&place, 86_402, TICK), &moved).expect("moved");
    let soon = act(&mut vault, &mut world(&place, 86_500, TICK), &moved).expect_err("too soon");
    assert!(soon.starts_with("RebalanceTooSoon"), "{soon}");
    let wei = vault.key_wei;
    act(&mut vault, &mut world(&place, 86_600, TICK), &Act::Refuel { amount: Usdc::from_micros(500_000) })
        .expect("fuel");
    assert!(vault.key_wei > wei);
}

/// V-014: what was won in USDC is harvested by half, and the mark rises.
#[test]
fn v_014_a_harvest_on_paper_moves_half_of_the_profit() {
    let place = place();
    let mut vault = born();
    let none = act(&mut vault, &mut world(&place, 0, TICK), &Act::Harvest).expect_err("nothing was won");
    assert_eq!(none, "NoProfit { capital: 1000000000, highWater: 1000000000 }");
    act(&mut vault, &mut world(&place, 0, TICK), &buy(90)).expect("bought");
    let amount = vault.held;
    // A tenth dearer, sold in two minutes.
    for (turn, part) in [amount / 2, amount - amount / 2].into_iter().enumerate() {
        let sold = trade(Order::Sell { pool: PoolName::HOME, amount: part, least: Usdc::ZERO });
        act(&mut vault, &mut world(&place, 100 + turn as u64 * 100, TICK + 953), &sold).expect("sold");
    }
    let profit = vault.capital - 1_000_000_000;
    assert!((8_000_000..9_000_000).contains(&profit), "{profit}");
    let credits: u64 = vault.credits.iter().sum();
    act(&mut vault, &mut world(&place, 400, TICK), &Act::Harvest).expect("harvested");
    assert_eq!(vault.credits.iter().sum::<u64>() - credits, profit / 2);
    assert_eq!(vault.capital, 1_000_000_000 + profit - profit / 2);
}

/// R-013, T-001, T-004: a death on paper is declared, sold, settled, and tells what the owner would have received.
#[test]
fn t_004_a_death_on_paper_is_settled() {
    let place = place();
    let mut vault = born();
    act(&mut vault, &mut world(&place, 0, TICK), &buy(50)).expect("bought");
    let hungry = act(&mut vault, &mut world(&place, 2, TICK), &Act::Declare(Declaration::Economic));
    assert_eq!(hungry.expect_err("it is fed"), "NotStarved { spendable: 98000000, floor: 100000 }");
    let chance = |hazard, roll| Act::Declare(Declaration::Stochastic { tick: Tick::new(3), hazard, roll, block: 1 });
    let certain = act(&mut vault, &mut world(&place, 2, TICK), &chance(u64::MAX, 1)).expect_err("no hazard");
    assert!(certain.starts_with("HazardTooHigh"), "{certain}");
    let lived = act(&mut vault, &mut world(&place, 2, TICK), &chance(10, 11)).expect_err("it lived");
    assert!(lived.starts_with("RollSurvived"), "{lived}");
    act(&mut vault, &mut world(&place, 4, TICK), &chance(10, 9)).expect("it dies");
    let reading = vault.reading(&world(&place, 4, TICK));
    assert_eq!((reading.vault.life, reading.vault.deadline), (crate::sight::DYING, U256::from(START + 4 + 3_600)));
    let late = act(&mut vault, &mut world(&place, 6, TICK), &beat(1, Phase::Stable)).expect_err("it is dying");
    assert!(late.starts_with("WrongLife"), "{late}");
    assert!(act(&mut vault, &mut world(&place, 100, TICK), &buy(1)).is_err(), "the dying enter nothing");
    let sold = trade(Order::Sell { pool: PoolName::HOME, amount: vault.held, least: Usdc::from_micros(1) });
    act(&mut vault, &mut world(&place, 100, TICK), &sold).expect("sold");
    let words = Act::PayHost { partition: Partition::Legacy, amount: Usdc::from_micros(100_000) };
    act(&mut vault, &mut world(&place, 102, TICK), &words).expect("the last words are paid for out of the reserve");
    let left = vault.usdc;
    let settle = Act::Settle { testament: Testament::default(), stain: Stain::default() };
    let logs = act(&mut vault, &mut world(&place, 104, TICK), &settle).expect("settled");
    let OutcomeResult::Settled(received) = confirmed(&settle, &place, &logs) else { panic!("no account") };
    assert_eq!((received.usdc.micros(), received.is_whole, received.is_in_kind()), (left, true, false));
    assert!((1_099_000_000..1_100_000_000).contains(&left), "{left}");
    assert!(received.told().starts_with("its owner would have received 1099."), "{}", received.told());
    assert_eq!((vault.usdc, vault.accounted(), vault.life), (0, 0, crate::sight::DEAD));
}

fn flight(account: &Account, world: &World<'_>, wanted: &Act) -> (Flight, Call) {
    let reading = account.vault.reading(world);
    let Plan::Call { to, data } = plan(wanted, world.place, &reading) else { panic!("no call") };
    let call = Call { from: KEY, to, data };
    let order = if let Act::Trade(order) = wanted { Some(*order) } else { None };
    let record = PermitRecord::recovered(&call, None, world.place, &reading);
    let effect = EffectId(B256::repeat_byte(7));
    let (to, data) = (call.to, call.data.clone());
    (Flight { effect, tick: Tick::new(1), order, to, data, block: world.at.number, record }, call)
}

/// gas is paid for what lands and for what reverts, at the block's base fee and a tip, and what it lands with is on
/// disk and read again to the last digit.
#[test]
fn r_013_gas_is_paid_and_the_file_is_read_again() {
    let place = place();
    let purse = PaperPurse { credits: Usdc::whole(100), capital: Usdc::whole(1_000), wei: 1 << 60 };
    let mut account = Account::begin(1, place.pool.address, purse, 0, UtcTime::from_seconds(START));
    let settings = HandSettings::default();
    let mut seen = world(&place, 10, TICK);
    let (waits, call) = flight(&account, &seen, &buy(50));
    seen = world(&place, 12, TICK);
    (seen.quoted, seen.parent_wei) = (Some(Ok(quote(&buy(50), &seen))), 777);
    let gas = u128::from(gas::units(&call, &account.vault, &seen));
    land(&mut account, waits, &call, &seen, &settings);
    let wei = gas * (10_000_000 + settings.tip_wei) + 777;
    assert_eq!((account.vault.key_wei, account.vault.gas_wei), ((1 << 60) - wei, wei));
    let landed = account.landed(EffectId(B256::repeat_byte(7))).expect("remembered");
    let Verdict::Trade(record) = &landed.verdict else { panic!("{landed:?}") };
    assert!(record.receipt.success && record.invariants.iter().all(|check| check.passed), "{record:?}");
    assert_eq!((record.receipt.moved.usdc_micros, landed.block), (-50_000_000, 6));
    assert!(!landed.cost.is_zero());

    let (waits, call) = flight(
        &account,
        &seen,
        &trade(Order::Sell { pool: PoolName::HOME, amount: account.vault.held, least: Usdc::whole(60) }),
    );
    seen = world(&place, 80, TICK);
    seen.quoted = Some(Ok(49_000_000));
    let held = account.vault.held;
    land(&mut account, waits, &call, &seen, &settings);
    assert_eq!(account.vault.held, held, "it reverted");
    assert!(account.vault.gas_wei > wei + wei / 2, "and cost its gas");

    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("paper.json");
    account.keep(&file).expect("kept");
    assert_eq!(Account::read(&file).expect("read"), account);
    std::fs::write(&file, "{}").expect("written");
    assert!(Account::read(&file).expect_err("no vault").to_string().contains("no pretended vault"));
}

#[derive(Debug, Clone)]
enum Wish {
    Buy(u64),
    Sell(u8),
    Provide(u8, i32, i32),
    Withdraw(u8, u8),
    Pay(u8, u64),
    Move(u8, u8, u64),
    Raise(u64),
    Refuel(u64),
    Beat(u8),
    Resplit(u8),
    Harvest,
    Sync,
    Die,
    Settle,
}

fn wish() -> impl Strategy<Value = Wish> {
    prop_oneof![
        4 => (0u64..150_000_000).prop_map(Wish::Buy),
        4 => any::<u8>().prop_map(Wish::Sell),
        4 => (any::<u8>(), -100i32..100, 1i32..100).prop_map(|(part, at, width)| Wish::Provide(part, at, width)),
        4 => (any::<u8>(), any::<u8>()).prop_map(|(which, part)| Wish::Withdraw(which, part)),
        2 => (0u8..4, 0u64..12_000_000).prop_map(|(from, amount)| Wish::Pay(from, amount)),
        2 => (0u8..4, 0u8..4, 0u64..30_000_000).prop_map(|(from, to, amount)| Wish::Move(from, to, amount)),
        1 => (0u64..5_000_000).prop_map(Wish::Raise),
        1 => (0u64..600_000).prop_map(Wish::Refuel),
        1 => (0u8..5).prop_map(Wish::Beat),
        1 => (0u8..5).prop_map(Wish::Resplit),
        2 => Just(Wish::Harvest),
        1 => Just(Wish::Sync),
        1 => Just(Wish::Die),
        1 => Just(Wish::Settle),
    ]
}

fn wanted(wish: &Wish, vault: &PretendedVault) -> Act {
    let partition = |at: u8| Partition::ALL[usize::from(at) % 4];
    let phase = |at: u8| crate::sight::PHASES[usize::from(at) % 5];
    let part = |whole: u128, of: u8| whole / 255 * u128::from(of);
    match *wish {
        Wish::Buy(micros) => trade(Order::Buy { pool: PoolName::HOME, spend: Usdc::from_micros(micros), least: 0 }),
        Wish::Sell(of) => trade(Order::Sell { pool: PoolName::HOME, amount: part(vault.held, of), least: Usdc::ZERO }),
        Wish::Provide(of, at, width) => {
            let lower = TICK.div_euclid(10) * 10 + at * 10;
            let usdc = Usdc::from_micros(vault.capital / 2_550 * u64::from(of));
            trade(Order::Provide {
                pool: PoolName::HOME,
                lower,
                upper: lower + width * 10,
                usdc,
                token: part(vault.held, of),
            })
        }
        Wish::Withdraw(which, of) => {
            let open = vault.positions.get(usize::from(which) % vault.positions.len().max(1));
            let (position, liquidity) = open.map_or((9, 1), |open| (open.id, part(open.liquidity, of)));
            trade(Order::Withdraw { pool: PoolName::HOME, position, liquidity })
        }
        Wish::Pay(from, micros) => Act::PayHost { partition: partition(from), amount: Usdc::from_micros(micros) },
        Wish::Move(from, to, micros) => {
            Act::Rebalance { from: partition(from), to: partition(to), amount: Usdc::from_micros(micros) }
        }
        Wish::Raise(micros) => Act::RaiseReserve { to: Usdc::from_micros(vault.reserve + micros) },
        Wish::Refuel(micros) => Act::Refuel { amount: Usdc::from_micros(micros) },
        Wish::Beat(at) => beat(vault.pulse.tick + 1, phase(at)),
        Wish::Resplit(at) => Act::Resplit(phase(at)),
        Wish::Harvest => Act::Harvest,
        Wish::Sync => Act::Allocate,
        Wish::Die => Act::Declare(Declaration::Senescent { evidence: "none".to_owned() }),
        Wish::Settle => Act::Settle { testament: Testament::default(), stain: Stain::default() },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// V-030, R-013: after any sequence of calls, refused or not, USDC is partitions, reserve, capital and what is not
    /// allocated; what is refused changed nothing; and time alone pays for nothing.
    #[test]
    fn v_030_the_pretended_books_hold_whatever_is_wanted(
        wishes in prop::collection::vec((wish(), 1u64..4_000, -30i32..30, 0u64..1_000), 1..60),
    ) {
        let place = place();
        let mut vault = born();
        let (mut seconds, mut tick, mut growth) = (0, TICK, U256::ZERO);
        for (wish, passed, moved, fees) in wishes {
            (seconds, tick) = (seconds + passed, tick + moved);
            growth += U256::from(fees) << 68;
            let mut now = world(&place, seconds, tick);
            now.pool.fee_growth = [growth; 2];
            vault.accrue(&now);
            assert_lawful(&vault);
            // `act` asks the law after every call.
            let wanted = wanted(&wish, &vault);
            let _ = act(&mut vault, &mut now, &wanted);
        }
    }
}
