use golem_primitives::{B256, GolemId, PoolName};

use super::*;
use crate::record::{ChainState, MovedPosition, OutcomeVerification, Receipt, SimulatedOutcome};

const WETH: u128 = 1_000_000_000_000_000_000;
const GAS: Usdc = Usdc::from_micros(20_000);

fn effect(number: u8) -> EffectId {
    EffectId(B256::repeat_byte(number))
}

fn outcome(number: u8, moved: Moved) -> Outcome {
    let result = OutcomeResult::Verified(Box::new(OutcomeVerification::compare(
        Tick::new(u64::from(number)),
        effect(number),
        ChainState::default(),
        SimulatedOutcome::default(),
        ChainState::default(),
        Receipt { success: true, moved, ..Receipt::default() },
    )));
    Outcome { effect: effect(number), cost: Some((CostSource::Gas, GAS)), result }
}

fn swap(usdc_micros: i64, token: i128, held_before: u128) -> Moved {
    Moved { usdc_micros, token, held_before, price: Usdc::whole(3_000), ..Moved::default() }
}

fn book(ledger: &mut Ledger, number: u8, order: Order, moved: Moved) -> LedgerLine {
    let outcome = outcome(number, moved);
    let deal = OrderTerms { order, fee_ppm: 500, token: 0 };
    ledger.land(Some(deal), &outcome, Tick::new(u64::from(number))).expect("a trade that landed")
}

const BUY: Order = Order::Buy { pool: PoolName::HOME, spend: Usdc::ZERO, least: 0 };
const SELL: Order = Order::Sell { pool: PoolName::HOME, amount: 0, least: Usdc::ZERO };
const PROVIDE: Order = Order::Provide { pool: PoolName::HOME, lower: -10, upper: 10, usdc: Usdc::ZERO, token: 0 };
const WITHDRAW: Order = Order::Withdraw { pool: PoolName::HOME, position: 7, liquidity: 0 };

fn half() -> i128 {
    i128::try_from(WETH / 2).expect("small")
}

fn whole() -> i128 {
    i128::try_from(WETH).expect("small")
}

/// M-081: eight purchases that were worth more than their price and one sale that lost are one round trip, and lost.
#[test]
fn m_081_a_purchase_is_neither_won_nor_lost() {
    let mut ledger = Ledger::default();
    for number in 0..8 {
        // Each is worth 20,000 micro-USDC more than was paid at the price of its permit.
        let line = book(&mut ledger, number, BUY, swap(-299_980_000, whole() / 10, 0));
        assert_eq!(line.closed, None);
    }
    assert_eq!((ledger.earned().closed, ledger.earned().net_micros), (0, 0));
    let line = book(&mut ledger, 9, SELL, swap(2_399_680_000, -whole() * 8 / 10, WETH * 8 / 10));
    let closed = line.closed.expect("it closes all of it");
    assert_eq!((closed.gain_micros(), closed.gas), (-160_000, Usdc::from_micros(9 * 20_000)));
    let earned = ledger.earned();
    assert_eq!((earned.closed, earned.won, earned.lost), (1, 0, 1));
    assert_eq!((earned.net_micros, earned.worst_micros), (-340_000, -340_000));
    assert!(ledger.told().starts_with("0 of 1 round trips won, 1 lost, net -0.34 USDC"), "{}", ledger.told());
}

/// A partial sale closes its share of cost and gas; what is left goes with the rest, to the last unit.
#[test]
fn m_081_a_partial_sale_closes_its_share() {
    let mut ledger = Ledger::default();
    book(&mut ledger, 1, BUY, swap(-3_000_000_001, whole(), 0));
    let first = book(&mut ledger, 2, SELL, swap(1_600_000_000, -half(), WETH)).closed.expect("closed");
    assert_eq!((first.cost.micros(), first.gas.micros()), (1_500_000_000, 30_000));
    assert_eq!(first.net_micros(), 99_970_000);
    let last = book(&mut ledger, 3, SELL, swap(1_500_000_000, -half(), WETH / 2)).closed.expect("closed");
    assert_eq!((last.cost.micros(), last.gas.micros()), (1_500_000_001, 30_000));
    let earned = ledger.earned();
    assert_eq!((earned.closed, earned.won, earned.lost, earned.gain_micros), (2, 1, 1, 99_999_999));
    assert_eq!((ledger.open_cost(), ledger.held().amount), (Usdc::ZERO, 0));
}

/// Fee and impact are told beside what they are in: a purchase of 3,000 at a fee of 0.05 % that got half a percent less.
#[test]
fn m_081_fee_and_impact_are_in_the_price() {
    let mut ledger = Ledger::default();
    let line = book(&mut ledger, 1, BUY, swap(-3_000_000_000, whole() * 995 / 1_000, 0));
    assert_eq!((line.fee.micros(), line.impact_micros), (1_500_000, 13_500_000));
    let line = book(&mut ledger, 2, SELL, swap(2_980_000_000, -whole() * 995 / 1_000, 0));
    assert_eq!((line.fee.micros(), line.impact_micros), (1_492_500, 3_507_500));
}

/// Liquidity takes cost along and gives it back: USDC first, the rest to the token, and the sale of that closes the trip.
#[test]
fn m_081_liquidity_is_a_round_trip_from_usdc_to_usdc() {
    let mut ledger = Ledger::default();
    book(&mut ledger, 1, BUY, swap(-3_000_000_000, whole(), 0));
    let went = MovedPosition { id: 7, before: 0, after: 1_000 };
    let into = Moved { position: Some(went), ..swap(-1_500_000_000, -half(), WETH) };
    assert_eq!(book(&mut ledger, 2, PROVIDE, into).cost, Usdc::whole(3_000));
    assert_eq!(ledger.positions()[0].1.cost, Usdc::whole(3_000));
    // A quarter comes out: 400 USDC and a tenth of the token, and nothing is closed by that.
    let quarter = MovedPosition { id: 7, before: 1_000, after: 750 };
    let out = Moved { position: Some(quarter), ..swap(400_000_000, whole() / 10, WETH / 2) };
    let line = book(&mut ledger, 3, WITHDRAW, out);
    assert_eq!((line.cost, line.closed), (Usdc::whole(750), None));
    assert_eq!(ledger.held().cost, Usdc::whole(1_500 + 350));
    // The rest comes out as USDC alone, with its fees: that closes it.
    let rest = MovedPosition { id: 7, before: 750, after: 0 };
    let out = Moved { position: Some(rest), ..swap(2_260_000_000, 0, WETH * 6 / 10) };
    let closed = book(&mut ledger, 4, WITHDRAW, out).closed.expect("all of it is USDC");
    assert_eq!((closed.cost, closed.gain_micros()), (Usdc::whole(2_250), 10_000_000));
    assert!(ledger.positions().is_empty());
    let sold = book(&mut ledger, 5, SELL, swap(1_800_000_000, -whole() * 6 / 10, WETH * 6 / 10)).closed.expect("sold");
    assert_eq!(sold.gain_micros(), -50_000_000);
    // What went through the hands of the ledger is what is left, to the last unit.
    let flows: i64 = -3_000_000_000 - 1_500_000_000 + 400_000_000 + 2_260_000_000 + 1_800_000_000;
    assert_eq!((ledger.earned().gain_micros, ledger.open_cost()), (flows, Usdc::ZERO));
    assert_eq!(ledger.gas(), Usdc::from_micros(5 * 20_000));
    assert_eq!(ledger.net_micros(), flows - 100_000, "all gas of all trades");
}

/// what a reorganisation took back was never booked, whatever was booked behind it.
#[test]
fn r_022_what_is_taken_back_was_never_booked() {
    let (mut ledger, mut without) = (Ledger::default(), Ledger::default());
    for (number, order, moved) in [
        (1, BUY, swap(-3_000_000_000, whole(), 0)),
        (2, SELL, swap(1_700_000_000, -half(), WETH)),
        (3, SELL, swap(700_000_000, -half() / 2, WETH / 2)),
    ] {
        book(&mut ledger, number, order, moved);
        if number != 2 {
            book(&mut without, number, order, moved);
        }
    }
    assert_eq!(ledger.earned().won, 1);
    ledger.take_back(effect(2));
    assert_eq!(ledger, without);
    ledger.take_back(effect(2));
    assert_eq!(ledger, without, "told twice it is taken back once");
    for number in 10..30 {
        book(&mut ledger, number, BUY, swap(-1_000, 1, 0));
        book(&mut without, number, BUY, swap(-1_000, 1, 0));
    }
    assert_eq!(ledger, without);
}

/// What reverted, was refused or is no trade has no line, and its gas is spent; so is rent.
#[test]
fn m_081_everything_that_living_cost_is_in_the_net() {
    let mut ledger = Ledger::default();
    let golem = GolemId::new("ada").expect("a name");
    let report = EffectId::derive(&golem, Tick::new(1), 0, 0);
    let result = OutcomeResult::Refused { reason: "it reverted".to_owned() };
    for (order, result) in [(None, OutcomeResult::Done), (Some(SELL), result)] {
        let outcome = Outcome { effect: report, cost: Some((CostSource::Gas, GAS)), result };
        let deal = order.map(|order| OrderTerms { order, fee_ppm: 500, token: 0 });
        assert_eq!(ledger.land(deal, &outcome, Tick::new(1)), None);
    }
    ledger.spend(CostSource::Compute, Usdc::whole(1));
    assert_eq!((ledger.gas(), ledger.upkeep), (Usdc::from_micros(40_000), Usdc::whole(1)));
    assert_eq!((ledger.net_micros(), ledger.earned().closed), (-1_040_000, 0));
}

/// A present of the token lowers what each unit had cost, as it does by the vault's books, and costs nothing itself.
#[test]
fn v_014_a_present_costs_nothing() {
    let mut ledger = Ledger::default();
    book(&mut ledger, 1, BUY, swap(-3_000_000_000, whole(), 0));
    let closed = book(&mut ledger, 2, SELL, swap(3_000_000_000, -whole(), 2 * WETH)).closed.expect("sold");
    assert_eq!((closed.cost, ledger.open_cost()), (Usdc::whole(1_500), Usdc::whole(1_500)));
    let closed = book(&mut ledger, 3, SELL, swap(3_000_000_000, -whole(), WETH)).closed.expect("sold");
    assert_eq!((closed.cost, ledger.open_cost()), (Usdc::whole(1_500), Usdc::ZERO));
}
