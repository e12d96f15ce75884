use std::collections::BTreeMap;

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::SolError as _;
use golem_core::record::{Order, OutcomeResult, Partition, Phase};
use golem_core::trade::TokenPrice;
use golem_ports::{Act, Declaration, SettledTestament, Stain};
use golem_primitives::{Decimals, EffectId, PoolName, Ppm, Tick, TokenSymbol, Usdc, UtcTime};
use proptest::prelude::*;

use super::account::{Account, Flight, PaperMarket, PaperPurse, PaperView, VERSION, Verdict};
use super::vault::{KEY, PretendedVault, VAULT};
use super::world::{Beyond, Trusted, Venue, World};
use super::{gas, land};
use crate::acts::{Plan, plan};
use crate::bindings::IVault;
use crate::deployment::Deployment;
use crate::flows::Flows;
use crate::node::{At, Call, Log};
use crate::on_chain::HandSettings;
use crate::place::{Place, Pool};
use crate::preview::PermitRecord;
use crate::price::{Quote, root_at};
use crate::reading::PoolReading;
use crate::revert::ContractRefusal;
use crate::roster::PoolStay;
use crate::verify::confirmed;

/// A tick of a pool of WETH and USDC at some 3,000 USDC.
const TICK: i32 = -196_250;
/// A tick of a pool of USDC and EMBER at some 200 USDC: USDC is its first token.
const EMBER_TICK: i32 = -6_930;
const WETH: Address = Address::repeat_byte(0x12);
const EMBER: Address = Address::repeat_byte(0x32);
/// P-057. Where the pools stand in their place: the home pool, another of the same token, and one of another.
const HOME: usize = 0;
const TIER: usize = 1;
const OTHER: usize = 2;
const START: u64 = 1_794_700_800;
const LIQUIDITY: u128 = 1_000_000_000_000_000_000;

fn name(place: usize) -> PoolName {
    ["home", "tier", "ember"][place].parse().expect("a name")
}

fn place() -> Place {
    let at = Address::repeat_byte;
    let pool = Pool {
        name: name(HOME),
        token_place: 0,
        address: at(0x11),
        token: WETH,
        quote: Quote { token_is_first: true, decimals: Decimals::ETHER },
        symbol: TokenSymbol::default(),
        fee_ppm: 500,
        tick_spacing: 10,
        stay: PoolStay::Stays,
    };
    let tier = Pool { name: name(TIER), address: at(0x21), fee_ppm: 3_000, tick_spacing: 60, ..pool };
    let ember = Pool {
        name: name(OTHER),
        token_place: 1,
        address: at(0x31),
        token: EMBER,
        quote: Quote { token_is_first: false, decimals: Decimals::new(8).expect("few") },
        ..tier
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
        weth: WETH,
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
        elsewhere: vec![tier, ember],
        gas_pool: pool,
        host: Some(super::vault::HOST),
        order_seconds: 600,
    }
}

fn venue(pool: &Pool, tick: i32) -> Venue<'_> {
    let root = root_at(tick);
    let price = pool.quote.price(root);
    let now = PoolReading { root, tick, liquidity: LIQUIDITY, price, twap: Some(price), fee_growth: [U256::ZERO; 2] };
    let directed = if pool.quote.token_is_first { tick } else { -tick };
    Venue { pool, now, trusted: Ok(Trusted { low: directed, high: directed }), ticks: BTreeMap::new() }
}

/// A block at which both pools of WETH stand at a tick, and EMBER where it always does.
fn world(place: &Place, seconds: u64, tick: i32) -> World<'_> {
    let [home, tier] = [&place.pool, &place.elsewhere[0]].map(|pool| venue(pool, tick));
    let (native, trusted_native) = (home.now.price, home.trusted.clone());
    World {
        place,
        at: At {
            number: seconds / 2,
            hash: B256::ZERO,
            time: UtcTime::from_seconds(START + seconds),
            base_fee: 10_000_000,
        },
        venues: vec![home, tier, venue(&place.elsewhere[1], EMBER_TICK)],
        native,
        trusted_native,
        quoted: None,
        parent_wei: 0,
    }
}

fn born() -> PretendedVault {
    PretendedVault::born(Usdc::whole(100), Usdc::whole(1_000), 1 << 60, 0, UtcTime::from_seconds(START))
}

/// What the pool pays: its price less its fee.
fn quote(act: &Act, world: &World<'_>) -> u128 {
    let pool = if let Act::Trade(order) = act { order.pool() } else { name(HOME) };
    let venue = world.venues.iter().find(|venue| venue.pool.name == pool).expect("a pool");
    let price = TokenPrice { whole: venue.now.price, decimals: venue.pool.quote.decimals };
    let less = |amount: u128| amount.saturating_mul(u128::from(1_000_000 - venue.pool.fee_ppm)) / 1_000_000;
    match act {
        Act::Trade(Order::Buy { spend, .. }) => less(price.buys(*spend)),
        Act::Trade(Order::Sell { amount, .. }) => less(u128::from(price.worth(*amount).micros())),
        Act::Refuel { amount } => less(price.buys(*amount)),
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
    let done = vault.execute(&call, world).map_err(|revert| ContractRefusal::decode(&revert.data).to_string());
    world.quoted = None;
    if let Ok(logs) = &done {
        let told = confirmed(act, world.place, logs);
        assert!(!matches!(told, OutcomeResult::Refused { .. }), "{}: no log tells of it", act.name());
        assert_apart(&before, vault, world.place, act, logs);
    } else {
        assert_eq!(*vault, before, "what is refused changes nothing");
    }
    assert_lawful(vault, world.place);
    done
}

/// P-057: the logs tell what moved of every token, and an order moves nothing that is not of its pool.
fn assert_apart(before: &PretendedVault, after: &PretendedVault, place: &Place, act: &Act, logs: &[Log]) {
    if matches!(act, Act::Settle { .. }) {
        return;
    }
    let changes = Flows::of(logs, place).changes;
    let traded = if let Act::Trade(order) = act { place.pool_of(order.pool()) } else { None };
    for token in place.tokens() {
        let moved = after.held(token).cast_signed() - before.held(token).cast_signed();
        assert_eq!(moved, changes.get(&token).copied().unwrap_or(0), "{}: the logs of {token}", act.name());
        if traded.is_none_or(|pool| pool.token != token) {
            assert_eq!(after.line(token), before.line(token), "{}", act.name());
        }
    }
    let others = |vault: &PretendedVault| {
        let is_other = |pool: Address| traded.is_none_or(|traded| traded.address != pool);
        let mut others: Vec<_> = vault.positions.iter().filter(|open| is_other(open.pool)).cloned().collect();
        others.sort_by_key(|open| open.id);
        others
    };
    assert_eq!(others(before), others(after), "{}", act.name());
}

/// V-030, V-003, V-014, V-015: the tokens' own books, those of the vault, and what it holds at cost agree to the last unit, and
/// every line knows the positions that keep it.
fn assert_lawful(vault: &PretendedVault, place: &Place) {
    assert_eq!(vault.usdc, vault.accounted(), "V-030");
    let in_positions: u64 = vault.positions.iter().map(|position| position.book).sum();
    let in_lines: u64 = vault.lines.iter().map(|line| line.book).sum();
    assert_eq!(vault.deployed, in_lines + in_positions, "V-014");
    let token_of = |pool: Address| place.pools().find(|known| known.address == pool).map(|pool| pool.token);
    for line in &vault.lines {
        let tied = vault.positions.iter().filter(|position| token_of(position.pool) == Some(line.token)).count();
        assert_eq!(line.positions, tied as u64, "V-015");
    }
}

fn trade(order: Order) -> Act {
    Act::Trade(order)
}

fn buy(usdc: u32) -> Act {
    buy_in(HOME, usdc)
}

fn buy_in(pool: usize, usdc: u32) -> Act {
    trade(Order::Buy { pool: name(pool), spend: Usdc::whole(usdc), least: 1 })
}

fn sell_in(pool: usize, amount: u128) -> Act {
    trade(Order::Sell { pool: name(pool), amount, least: Usdc::ZERO })
}

/// Liquidity around where the other pool stands.
fn provide_ember(usdc: u32, token: u128) -> Act {
    let (pool, middle) = (name(OTHER), EMBER_TICK.div_euclid(60) * 60);
    trade(Order::Provide { pool, lower: middle - 600, upper: middle + 600, usdc: Usdc::whole(usdc), token })
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
    assert_lawful(&vault, &place);
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
    let (idle, held) = (vault.capital, vault.held(WETH));
    let order =
        Order::Provide { pool: name(HOME), lower: TICK - 600, upper: TICK + 600, usdc: Usdc::whole(45), token: held };
    act(&mut vault, &mut world(&place, 100, TICK), &trade(order)).expect("provided");
    let reading = vault.reading(&world(&place, 102, TICK));
    let open = reading.vault.positions[0].clone();
    let quote = place.pool.quote;
    let worth = |amounts: (u128, u128)| quote.value(amounts.0, reading.pool.price).micros() + amounts.1 as u64;
    let whole = worth(open.amounts) + vault.capital + quote.value(vault.held(WETH), reading.pool.price).micros();
    assert!((999_960_000..1_000_000_000).contains(&whole), "{whole}: all but the fee of the purchase is there");
    assert!(idle - vault.capital <= 45_000_000 && open.fees == (0, 0));

    // A thousandth of USDC and a billionth of WETH for each unit of 2^60 of liquidity, shared with those who are there.
    let mut later = world(&place, 140, TICK + 100);
    later.venues[HOME].trusted = Ok(Trusted { low: TICK + 100, high: TICK + 100 });
    later.venues[HOME].now.fee_growth = [U256::from(1_000_000_000u64) << 68, U256::from(1_000u64) << 68];
    vault.accrue(&later);
    let position = &vault.positions[0];
    let share = |amount: u128| amount * position.liquidity / (1 << 60) * LIQUIDITY / (LIQUIDITY + position.liquidity);
    let (fees0, fees1) = position.fees();
    assert!(fees0.abs_diff(share(1_000_000_000)) <= 1 && fees1.abs_diff(share(1_000)) <= 1, "{fees0} {fees1}");
    let told = vault.reading(&later).vault.positions[0].fees;
    assert_eq!(told, (fees0, fees1), "the token first");
    // Out of range at one of two looks, or counters that stand lower than they stood, are no fees.
    let mut gone = world(&place, 142, TICK + 5_000);
    gone.venues[HOME].now.fee_growth = [U256::MAX >> 2, U256::MAX >> 2];
    vault.accrue(&gone);
    let mut back = world(&place, 144, TICK);
    back.venues[HOME].now.fee_growth = [U256::ZERO; 2];
    vault.accrue(&back);
    assert_eq!(vault.positions[0].fees(), (fees0, fees1));

    let id = vault.positions[0].id;
    let all = vault.positions[0].liquidity;
    let half = Order::Withdraw { pool: name(HOME), position: id, liquidity: all / 2 };
    act(&mut vault, &mut world(&place, 146, TICK), &trade(half)).expect("half of it");
    assert_eq!((vault.positions.len(), vault.positions[0].fees()), (1, (0, 0)), "fees are paid with any part");
    let rest = Order::Withdraw { pool: name(HOME), position: id, liquidity: u128::MAX };
    act(&mut vault, &mut world(&place, 148, TICK), &trade(rest)).expect("the rest");
    assert!(vault.positions.is_empty());
    let usdc = i128::from(vault.capital) - i128::from(idle) - i128::try_from(fees1).expect("small");
    let token = vault.held(WETH).cast_signed() - held.cast_signed() - fees0.cast_signed();
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
    let held = vault.held(WETH);
    let order =
        Order::Provide { pool: name(HOME), lower: TICK - 600, upper: TICK + 600, usdc: Usdc::whole(45), token: held };
    let beyond = |outside: u64| Beyond { is_counted: true, outside: [U256::from(outside) << 68, U256::ZERO] };
    let mut opened = world(&place, 100, TICK);
    opened.venues[HOME].now.fee_growth = [U256::from(9_000u64) << 68, U256::ZERO];
    opened.venues[HOME].ticks = BTreeMap::from([(TICK - 600, beyond(1_000)), (TICK + 600, beyond(500))]);
    act(&mut vault, &mut opened, &trade(order)).expect("provided");
    // It rose through the upper end when 12,000 had been counted in all, and 20,000 are now.
    let mut above = world(&place, 140, TICK + 700);
    above.venues[HOME].now.fee_growth = [U256::from(20_000u64) << 68, U256::ZERO];
    above.venues[HOME].ticks = BTreeMap::from([(TICK - 600, beyond(1_000)), (TICK + 600, beyond(11_500))]);
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
    let wanted = trade(Order::Buy { pool: name(HOME), spend: Usdc::whole(10), least: u128::MAX });
    assert!(refused(&mut vault, 90_000, &wanted).starts_with("BelowMinOut"));
    let much = trade(Order::Sell { pool: name(HOME), amount: u128::MAX, least: Usdc::ZERO });
    assert!(refused(&mut vault, 90_000, &much).starts_with("HoldingExceeded"));

    let mut bent = world(&place, 90_000, TICK);
    bent.venues[HOME].trusted = Ok(Trusted { low: TICK - 150, high: TICK });
    let order = Order::Provide {
        pool: name(HOME),
        lower: TICK - 600,
        upper: TICK + 600,
        usdc: Usdc::whole(10),
        token: vault.held(WETH) / 50,
    };
    let words = act(&mut vault, &mut bent, &trade(order)).expect_err("1.5% away");
    assert!(words.starts_with("SpotTooFar") && words.contains("deviationBps: 152"), "{words}");
    let mut thin = world(&place, 90_000, TICK);
    let depth = IVault::DepthTooLow { pool: place.pool.address, depth: U256::ONE, minimum: U256::from(2) };
    thin.venues[HOME].trusted = Err(depth.abi_encode().into());
    assert!(act(&mut vault, &mut thin, &buy(10)).expect_err("too thin").starts_with("DepthTooLow"));

    act(&mut vault, &mut world(&place, 90_002, TICK), &beat(5, Phase::Conservation)).expect("told");
    assert_eq!(refused(&mut vault, 90_100, &buy(10)), "ExposureFrozen { phase: 2 }", "V-012");
    let some = trade(Order::Sell { pool: name(HOME), amount: vault.held(WETH) / 10, least: Usdc::from_micros(1) });
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
            trade(Order::Sell { pool: name(HOME), amount: vault.held(WETH), least: Usdc::ZERO })
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
    let amount = vault.held(WETH);
    // A tenth dearer, sold in two minutes.
    for (turn, part) in [amount / 2, amount - amount / 2].into_iter().enumerate() {
        let sold = trade(Order::Sell { pool: name(HOME), amount: part, least: Usdc::ZERO });
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
    let sold = trade(Order::Sell { pool: name(HOME), amount: vault.held(WETH), least: Usdc::from_micros(1) });
    act(&mut vault, &mut world(&place, 100, TICK), &sold).expect("sold");
    let words = Act::PayHost { partition: Partition::Legacy, amount: Usdc::from_micros(100_000) };
    act(&mut vault, &mut world(&place, 102, TICK), &words).expect("the last words are paid for out of the reserve");
    let left = vault.usdc;
    let settle = Act::Settle { testament: SettledTestament::default(), stain: Stain::default() };
    let logs = act(&mut vault, &mut world(&place, 104, TICK), &settle).expect("settled");
    let OutcomeResult::Settled(received) = confirmed(&settle, &place, &logs) else { panic!("no account") };
    assert_eq!((received.usdc.micros(), received.is_whole, received.is_in_kind()), (left, true, false));
    assert!((1_099_000_000..1_100_000_000).contains(&left), "{left}");
    assert!(received.told().starts_with("its owner would have received 1099."), "{}", received.told());
    assert_eq!((vault.usdc, vault.accounted(), vault.life), (0, 0, crate::sight::DEAD));
}

/// P-057, R-013, V-015: two tokens of one vault have a line each, two pools of one token share theirs, and what is bought in one
/// of those is sold in the other. A token is trusted by the first pool that trades it, whatever the pool of the order says.
#[test]
fn p_057_tokens_of_a_pretended_vault_have_lines_of_their_own() {
    let place = place();
    let mut vault = born();
    for (turn, wanted) in [buy(30), buy_in(TIER, 20), buy_in(OTHER, 40)].iter().enumerate() {
        act(&mut vault, &mut world(&place, turn as u64 * 61, TICK), wanted).expect("bought");
    }
    assert_eq!(vault.lines.iter().map(|line| line.book).collect::<Vec<_>>(), [50_000_000, 40_000_000]);
    let reading = vault.reading(&world(&place, 200, TICK));
    assert_eq!((reading.vault.held_cost, reading.vault.others.len()), (50_000_000, 1));
    assert_eq!((reading.vault.others[0].cost, reading.elsewhere.len()), (40_000_000, 2));
    assert_eq!(reading.listed, [true; 3]);
    let whole = vault.held(EMBER) as f64 / 1e8 * reading.elsewhere[1].price.micros() as f64;
    assert!((whole / 40e6 - 0.997).abs() < 1e-3, "{whole}: 40 USDC less the fee of its pool");

    let ember = *vault.line(EMBER).expect("a line");
    let all = sell_in(TIER, vault.held(WETH));
    act(&mut vault, &mut world(&place, 300, TICK), &all).expect("sold in the other pool");
    assert_eq!((vault.held(WETH), vault.line(WETH).map(|line| line.book)), (0, Some(0)));
    assert_eq!(vault.line(EMBER), Some(&ember));
    let nowhere = trade(Order::Buy { pool: "nowhere".parse().expect("a name"), spend: Usdc::whole(1), least: 1 });
    assert!(matches!(plan(&nowhere, &place, &reading), Plan::Never(why) if why.contains("no pool nowhere")));

    let mut bent = world(&place, 400, TICK);
    bent.venues[TIER].trusted = Err(Bytes::new());
    act(&mut vault, &mut bent, &buy_in(TIER, 10)).expect("the home pool is asked for the price of its token");
    bent = world(&place, 500, TICK);
    bent.venues[HOME].trusted = Ok(Trusted { low: TICK - 300, high: TICK });
    let words = act(&mut vault, &mut bent, &buy_in(TIER, 10)).expect_err("three percent apart");
    assert!(words.starts_with("BelowTrustedPrice"), "{words}");
}

/// P-057, R-013: a pool that cannot be trusted holds up what is in it and nothing else: what lies in another is withdrawn and
/// sold, and a death gives back every token and every position in kind.
#[test]
fn p_057_exits_of_one_pool_do_not_wait_for_another_on_paper() {
    let place = place();
    let mut vault = born();
    act(&mut vault, &mut world(&place, 0, TICK), &buy(40)).expect("bought");
    act(&mut vault, &mut world(&place, 61, TICK), &buy_in(OTHER, 40)).expect("bought");
    let (pool, lower, upper) = (name(HOME), TICK - 600, TICK + 600);
    let (usdc, token) = (Usdc::whole(20), vault.held(WETH) / 2);
    let at_home = trade(Order::Provide { pool, lower, upper, usdc, token });
    act(&mut vault, &mut world(&place, 122, TICK), &at_home).expect("provided");
    let elsewhere = provide_ember(20, vault.held(EMBER) / 2);
    act(&mut vault, &mut world(&place, 183, TICK), &elsewhere).expect("provided");
    let [home, other] = [&vault.positions[0], &vault.positions[1]].map(|open| (open.id, open.pool));
    assert_eq!((home.1, other.1), (place.pool.address, place.elsewhere[1].address));

    let thin = |seconds: u64| {
        let mut thin = world(&place, seconds, TICK);
        let pool = place.elsewhere[1].address;
        let depth = IVault::DepthTooLow { pool, depth: U256::ONE, minimum: U256::from(2) };
        thin.venues[OTHER].trusted = Err(depth.abi_encode().into());
        thin
    };
    let withdraw =
        |pool: usize, position: u64| trade(Order::Withdraw { pool: name(pool), position, liquidity: u128::MAX });
    for refused in [withdraw(OTHER, other.0), sell_in(OTHER, vault.held(EMBER)), buy_in(OTHER, 1)] {
        let words = act(&mut vault, &mut thin(244), &refused).expect_err("nobody knows its price");
        assert!(words.starts_with("DepthTooLow"), "{words}");
    }
    act(&mut vault, &mut thin(244), &withdraw(HOME, home.0)).expect("it does not wait");
    let all = sell_in(HOME, vault.held(WETH));
    act(&mut vault, &mut thin(244), &all).expect("nor does this");
    assert_eq!((vault.held(WETH), vault.positions.len()), (0, 1));

    let evidence = Act::Declare(Declaration::Senescent { evidence: "old".to_owned() });
    act(&mut vault, &mut thin(300), &evidence).expect("it dies");
    let (left, ember) = (vault.usdc, vault.held(EMBER));
    let settle = Act::Settle { testament: SettledTestament::default(), stain: Stain::default() };
    let logs = act(&mut vault, &mut thin(302), &settle).expect("settled");
    let OutcomeResult::Settled(received) = confirmed(&settle, &place, &logs) else { panic!("no account") };
    assert_eq!((received.usdc.micros(), received.is_whole), (left, true));
    let given: Vec<_> = received.in_kind.iter().map(|kind| (kind.asset, kind.id, kind.amount)).collect();
    assert_eq!(given, [(EMBER, 0, ember), (place.deployment.position_manager, other.0, 1)]);
    assert_eq!(received.waiting.iter().map(|kind| (kind.asset, kind.amount)).collect::<Vec<_>>(), [(WETH, 0)]);
    assert!(vault.lines.is_empty() && vault.positions.is_empty() && vault.usdc == 0);
}

/// P-057, V-004: the reserve that may be raised counts the line of every token and every position.
#[test]
fn p_057_a_reserve_on_paper_counts_every_line() {
    let place = place();
    let (credits, capital) = (Usdc::whole(10), Usdc::whole(1_000));
    let mut vault = PretendedVault::born(credits, capital, 1 << 60, 0, UtcTime::from_seconds(START));
    act(&mut vault, &mut world(&place, 0, TICK), &buy(40)).expect("bought");
    act(&mut vault, &mut world(&place, 61, TICK), &buy_in(OTHER, 60)).expect("bought");
    let wanted = Act::RaiseReserve { to: Usdc::from_micros(320_000) };
    let part = vault.held(EMBER) / 3;
    for turn in 0..3u64 {
        let words = act(&mut vault, &mut world(&place, 122 + turn * 61, TICK), &wanted).expect_err("not yet");
        assert_eq!(words, "ReserveBeyondDue { reserveAfter: 320000, due: 300000 }", "{turn} positions");
        act(&mut vault, &mut world(&place, 122 + turn * 61, TICK), &provide_ember(20, part)).expect("provided");
    }
    act(&mut vault, &mut world(&place, 400, TICK), &wanted).expect("two tokens and three positions");
    assert_eq!((vault.reserve, vault.to_settle()), (320_000, 5));
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
    let mut account = Account::begin(PaperMarket::from(&place), purse, 0, UtcTime::from_seconds(START));
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
        &trade(Order::Sell { pool: name(HOME), amount: account.vault.held(WETH), least: Usdc::whole(60) }),
    );
    seen = world(&place, 80, TICK);
    seen.quoted = Some(Ok(49_000_000));
    let held = account.vault.held(WETH);
    land(&mut account, waits, &call, &seen, &settings);
    assert_eq!(account.vault.held(WETH), held, "it reverted");
    assert!(account.vault.gas_wei > wei + wei / 2, "and cost its gas");

    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("paper.json");
    account.keep(&file).expect("kept");
    assert_eq!(Account::read(&file).expect("read"), account);
    let view = PaperView::read(&file).expect("read");
    assert_eq!((view.tokens.len(), view.tokens[0].token, view.tokens[0].held), (1, WETH, held), "P-057");
    assert_eq!((view.tokens[0].cost, view.market.pools().count()), (Usdc::whole(50), 3));
    let ours = format!("\"version\":{VERSION}");
    let newer = std::fs::read_to_string(&file).expect("read").replacen(&ours, "\"version\":99", 1);
    std::fs::write(&file, newer).expect("written");
    assert!(Account::read(&file).expect_err("another form").to_string().contains("has the form 99"));
    std::fs::write(&file, "{}").expect("written");
    assert!(Account::read(&file).expect_err("no vault").to_string().contains("no pretended vault"));
}

#[derive(Debug, Clone)]
enum Wish {
    Buy { pool: usize, micros: u64 },
    Sell { pool: usize, of: u8 },
    Provide { pool: usize, of: u8, at: i32, width: i32 },
    Withdraw { which: u8, of: u8 },
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
    let provide = (HOME..=OTHER, any::<u8>(), -16i32..16, 1i32..16);
    prop_oneof![
        4 => (HOME..=OTHER, 0u64..150_000_000).prop_map(|(pool, micros)| Wish::Buy { pool, micros }),
        4 => (HOME..=OTHER, any::<u8>()).prop_map(|(pool, of)| Wish::Sell { pool, of }),
        4 => provide.prop_map(|(pool, of, at, width)| Wish::Provide { pool, of, at, width }),
        4 => (any::<u8>(), any::<u8>()).prop_map(|(which, of)| Wish::Withdraw { which, of }),
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

fn wanted(wish: &Wish, vault: &PretendedVault, world: &World<'_>) -> Act {
    let partition = |at: u8| Partition::ALL[usize::from(at) % 4];
    let phase = |at: u8| crate::sight::PHASES[usize::from(at) % 5];
    let part = |whole: u128, of: u8| whole / 255 * u128::from(of);
    let held = |pool: usize| vault.held(world.venues[pool].pool.token);
    match *wish {
        Wish::Buy { pool, micros } => {
            trade(Order::Buy { pool: name(pool), spend: Usdc::from_micros(micros), least: 0 })
        }
        Wish::Sell { pool, of } => sell_in(pool, part(held(pool), of)),
        Wish::Provide { pool, of, at, width } => {
            let Venue { pool: known, now, .. } = &world.venues[pool];
            let lower = (now.tick.div_euclid(known.tick_spacing) + at) * known.tick_spacing;
            let upper = lower + width * known.tick_spacing;
            let usdc = Usdc::from_micros(vault.capital / 2_550 * u64::from(of));
            trade(Order::Provide { pool: name(pool), lower, upper, usdc, token: part(held(pool), of) })
        }
        Wish::Withdraw { which, of } => {
            let open = vault.positions.get(usize::from(which) % vault.positions.len().max(1));
            let lies = open.and_then(|open| world.venue(open.pool)).map_or(name(HOME), |venue| venue.pool.name);
            let (position, liquidity) = open.map_or((9, 1), |open| (open.id, part(open.liquidity, of)));
            // The last of 256 parts closes it.
            let liquidity = if of == u8::MAX { u128::MAX } else { liquidity };
            trade(Order::Withdraw { pool: lies, position, liquidity })
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
        Wish::Settle => Act::Settle { testament: SettledTestament::default(), stain: Stain::default() },
    }
}

/// How the market moved before a wish.
#[derive(Debug, Clone, Copy)]
struct Passed {
    seconds: u64,
    weth: i32,
    ember: i32,
    fees: u64,
}

fn passed() -> impl Strategy<Value = Passed> {
    (1u64..4_000, -30i32..30, -30i32..30, 0u64..1_000).prop_map(|(seconds, weth, ember, fees)| Passed {
        seconds,
        weth,
        ember,
        fees,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// V-030, P-057, R-013: after any sequence of calls in three pools of two tokens, refused or not, USDC is partitions, reserve,
    /// capital and what is not allocated, and what is at work is what the lines and positions have cost; what is refused changed
    /// nothing, an order moves nothing of another pool; and time alone pays for nothing.
    #[test]
    fn v_030_the_pretended_books_hold_whatever_is_wanted(
        wishes in prop::collection::vec((wish(), passed()), 1..60),
    ) {
        let place = place();
        let mut vault = born();
        let (mut seconds, mut weth, mut ember, mut growth) = (0, TICK, EMBER_TICK, U256::ZERO);
        for (wish, passed) in wishes {
            seconds += passed.seconds;
            (weth, ember) = (weth + passed.weth, ember + passed.ember);
            growth += U256::from(passed.fees) << 68;
            let mut now = world(&place, seconds, weth);
            now.venues[OTHER] = venue(&place.elsewhere[1], ember);
            now.venues.iter_mut().for_each(|venue| venue.now.fee_growth = [growth; 2]);
            vault.accrue(&now);
            assert_lawful(&vault, &place);
            // `act` asks the law after every call.
            let wanted = wanted(&wish, &vault, &now);
            let _ = act(&mut vault, &mut now, &wanted);
        }
    }
}
