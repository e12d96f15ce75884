use super::*;
use crate::makers::{dip, guard, holds_for, in_hour, is, look};
use crate::market::Market;
use crate::observable::{Observable, Span};
use crate::prices::Terms;
use crate::rule::{Action, Relation, Rule};

const CAPITAL: Usdc = Usdc::whole(1_000);
const TERMS: Terms =
    Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::whole(2_000_000), capital: CAPITAL };

fn settings() -> BacktestSettings {
    BacktestSettings {
        capital: CAPITAL,
        rent_a_day: Usdc::ZERO,
        founding: Founding::Trust,
        search: false,
        life: None,
        folds: 3,
    }
}

fn book(rules: &[Rule]) -> Book {
    Book { title: "tried".to_owned(), rules: rules.to_vec() }
}

#[test]
fn p_022_p_080_p_082_a_trip_is_filled_a_look_later_and_every_cost_is_booked_apart() {
    // Awake from the first look on; since = 2 at the fourth, out at the fifth.
    let mut looks: Vec<Look> = [100.0, 200.0, 200.0, 200.0, 300.0].iter().map(|price| look(0, *price)).collect();
    for (at, look) in looks.iter_mut().enumerate() {
        look.time = 86_400 * at as u64;
        look.gas = Usdc::whole(1);
        look.impact_ppm = 1_000;
    }
    let mut rule = holds_for("once", in_hour(23), 50, 2);
    rule.expects = None;
    let settings = BacktestSettings { rent_a_day: Usdc::whole(2), ..settings() };
    let run = run(&book(&[rule]), &looks, &settings).expect("it can be tried");
    // Bought for half of 998: 0.05% fee, half of 0.1% impact on what is left, 1 of gas; sold at half as much again.
    assert_eq!(run.trips, 1);
    assert_eq!(run.rent, Usdc::whole(8));
    assert_eq!(run.cost.gas, Usdc::whole(2));
    let bought = 499.0 * (1.0 - 0.0005) * (1.0 - 0.0005);
    let sold = bought * 1.5;
    let share = sold / (1_000.0 - 8.0 - 499.0 - 1.0 + sold);
    let end = 1_000.0 - 8.0 - 499.0 - 2.0 + sold * (1.0 - 0.0005) * (1.0 - 0.001 * share);
    assert!((run.end.micros() as f64 / 1e6 - end).abs() < 1e-3, "{} is not {end}", run.end);
    assert!((run.cost.fee.micros() as f64 / 1e6 - 0.0005 * (499.0 + sold)).abs() < 1e-4);
    assert_eq!(run.turnover_ppm, ((499.0 + sold) * 1_000.0) as u64);
}

/// P-081.
#[test]
fn p_081_what_anybody_could_have_done_stands_beside_it() {
    let mut looks: Vec<Look> = [100.0, 100.0, 400.0].iter().map(|price| look(0, *price)).collect();
    for look in &mut looks {
        look.fee_ppm = 0;
    }
    let ends: Vec<u64> = beside(&looks, &settings()).iter().map(|run| run.end.micros() / 1_000_000).collect();
    // Cash, all of it four times, half of it four times, and the root of four.
    assert_eq!(ends, [1_000, 4_000, 2_500, 2_000]);

    // Fees by the share of the volume: a capital of 1,000 that moves a pool by 0.1% meets 999,000 on each side.
    for look in &mut looks {
        look.price = Usdc::whole(100);
        look.fee_ppm = 3_000;
        look.impact_ppm = 1_000;
        look.volume = Usdc::whole(10_000_000);
    }
    let paid_in = 1_000.0 - 500.0 * (1.0 - 0.997 * 0.9995);
    let earned = 30_000.0 * paid_in / (2.0 * 999_000.0 + paid_in);
    let full_range = &beside(&looks, &settings())[3];
    assert!((full_range.end.micros() as f64 / 1e6 - paid_in - earned).abs() < 1e-3, "{}", full_range.end);
}

#[test]
fn p_080_p_084_the_same_book_over_the_same_looks_gives_the_same_digits() {
    let looks = Market { seed: 11, looks: 20_000, edge: None }.looks(&TERMS);
    let settings = BacktestSettings { search: true, founding: Founding::Trial, ..settings() };
    let one = run(&book(&[dip(Span::L64)]), &looks, &settings).expect("it can be tried");
    assert_eq!(one, run(&book(&[dip(Span::L64)]), &looks, &settings).expect("it can be tried"));
    // Worked out once and written down: another machine must come to the same.
    assert_eq!(format!("{} {} {}", one.end, one.trips, one.staged), "991.967055 USDC 30 1");
}

#[test]
fn p_047_a_rule_that_only_costs_is_put_to_rest_and_stops_costing() {
    let looks = Market { seed: 12, looks: 40_000, edge: None }.looks(&TERMS);
    let trusted = run(&book(&[dip(Span::L64)]), &looks, &settings()).expect("it can be tried");
    let rested =
        trusted.events.iter().find(|event| matches!(event.event.change, crate::promotion::RuleChange::Rested { .. }));
    assert!(rested.is_some(), "{:?}", trusted.events);
    assert_eq!(trusted.folds[2].return_ppm, 0, "at rest nothing moves");
    assert_eq!(trusted.rules[0].standing, Standing::Rest);
    assert!(trusted.rules[0].trips > trusted.trips, "on paper it goes on");
}

#[test]
fn p_021_what_cannot_pay_for_itself_is_forgone_and_counted() {
    let terms = Terms { gas: Usdc::whole(20), ..TERMS };
    let looks = Market { seed: 12, looks: 2_000, edge: None }.looks(&terms);
    let run = run(&book(&[dip(Span::L64)]), &looks, &settings()).expect("it can be tried");
    assert_eq!((run.trips, run.end), (0, CAPITAL));
    assert!(run.forgone > 0);
}

#[test]
fn p_046_an_heir_moves_nothing_before_its_own_trips() {
    let looks = Market { seed: 13, looks: 4_000, edge: None }.looks(&TERMS);
    let mut lives = settings();
    lives.life = Some(2_000);
    let founder = run(&book(&[dip(Span::L64)]), &looks[..2_000], &settings()).expect("it can be tried");
    let line = run(&book(&[dip(Span::L64)]), &looks, &lives).expect("it can be tried");
    assert!(founder.trips > 5);
    assert!(line.trips <= founder.trips + 1, "{} and {}", line.trips, founder.trips);
    assert!(line.rules[0].trips > 0 && line.rules[0].standing <= Standing::Paper);
}

#[test]
fn p_051_a_guard_of_the_owners_holds_from_the_first_look() {
    let looks = Market { seed: 12, looks: 3_000, edge: None }.looks(&TERMS);
    let cap = guard("cap", in_hour(23), Action::AtMost { share: Ppm::of(200_000) });
    let free = run(&book(&[dip(Span::L64)]), &looks, &settings()).expect("it can be tried");
    let capped = run(&book(&[dip(Span::L64), cap]), &looks, &settings()).expect("it can be tried");
    assert!(capped.exposure < free.exposure && capped.exposure > Ppm::ZERO);
    assert_eq!(capped.trips, free.trips);
}

fn provides(looks: i64) -> Rule {
    let action = Action::Provide { width: Ppm::of(40_000), share: Ppm::of(500_000) };
    Rule { action, expects: None, ..holds_for("range", in_hour(23), 50, looks) }
}

#[test]
fn p_004_p_022_liquidity_is_placed_followed_and_withdrawn_as_on_paper_and_every_act_is_charged() {
    // Placed at the second look, left at the fourth, placed anew at the fifth, ended at the sixth, out at the seventh.
    let prices = [100.0, 100.0, 101.0, 90.0, 90.0, 92.0, 91.0];
    let terms = Look { gas: Usdc::whole(1), impact_ppm: 1_000, volume: Usdc::whole(5_000), ..look(0, 1.0) };
    let looks: Vec<Look> = prices
        .iter()
        .enumerate()
        .map(|(at, price)| {
            let Look { time, price, twap, .. } = look(at as u64, *price);
            Look { time, price, twap, ..terms }
        })
        .collect();
    let rule = provides(4);
    let run = run(&book(std::slice::from_ref(&rule)), &looks, &settings()).expect("it can be tried");
    assert_eq!(run.trips, 1);
    assert_eq!(run.cost.gas, Usdc::whole(2 + 3 + 2));
    // Half of 500 in; 0.05% of what was swapped anew and of the half that was sold are charged too.
    assert!(run.cost.fee > Usdc::from_micros(125_000 + 113_000), "{}", run.cost.fee);
    assert!(run.exposure > Ppm::of(100_000) && run.exposure < Ppm::of(400_000), "{}", run.exposure);

    let mut account = crate::account::Account::of(&rule.action).expect("it provides");
    let mut watch = crate::Watch::default();
    let mut trips = Vec::new();
    for look in &looks {
        let seen = watch.look(look, CAPITAL);
        let sight = crate::account::AccountSight { look, seen, capital: CAPITAL };
        trips.extend(account.look(&rule, &sight).trip);
    }
    // On paper the impact is of the capital at the beginning, here of what is left of it: a few hundredths of a millionth.
    let on_paper = 1_000.0 + 500.0 * trips[0].observation.net;
    let end = run.end.micros() as f64 / 1e6;
    assert!((end - on_paper).abs() < 0.01, "{end} is not {on_paper}");
}

#[test]
fn p_008_p_080_the_founding_book_of_range_liquidity_is_tried_and_pays_its_costs() {
    let looks = Market { seed: 12, looks: 12_000, edge: None }.looks(&TERMS);
    let founding = Book::founding("range-liquidity").expect("it ships with the program");
    let one = run(&founding, &looks, &settings()).expect("it can be tried");
    assert_eq!(one, run(&founding, &looks, &settings()).expect("it can be tried"), "P-084");
    assert!(one.trips >= 1, "its end came");
    assert!(one.cost.gas >= Usdc::from_micros(4 * 20_000) && !one.cost.fee.is_zero() && !one.cost.impact.is_zero());
    // Half of what is placed stands in the token; what it earns stays in cash.
    assert!((150_000..500_000).contains(&one.exposure.get()), "{}", one.exposure);
    let unpaid: Vec<Look> = looks.iter().map(|look| Look { volume: Usdc::ZERO, ..*look }).collect();
    let poorer = run(&founding, &unpaid, &settings()).expect("it can be tried");
    assert!(poorer.end < one.end, "where nobody trades nothing is earned: {} and {}", poorer.end, one.end);
}

#[test]
fn p_051_a_guard_caps_liquidity_too() {
    let looks = Market { seed: 12, looks: 600, edge: None }.looks(&TERMS);
    let cap = guard("cap", in_hour(23), Action::AtMost { share: Ppm::of(200_000) });
    let free = run(&book(&[provides(5_000)]), &looks, &settings()).expect("it can be tried");
    let capped = run(&book(&[provides(5_000), cap]), &looks, &settings()).expect("it can be tried");
    let shares = (free.exposure.get() / 10_000, capped.exposure.get() / 10_000);
    assert!((20..30).contains(&shares.0) && (8..12).contains(&shares.1), "{shares:?} percent in the token");
}

/// Looks a minute apart at these prices.
fn minutes(prices: &[f64]) -> Vec<Look> {
    prices.iter().enumerate().map(|(at, price)| look(at as u64, *price)).collect()
}

fn pool(name: &str) -> PoolName {
    name.parse().expect("a name")
}

/// A rule of one pool that holds so much for so many looks whenever it holds nothing.
fn there(name: &str, at: &str, percent: u32, looks: i64) -> Rule {
    let mut rule = holds_for(name, is(Observable::Hour, Relation::AtLeast, 0), percent, looks);
    rule.expects = None;
    Rule { pool: Some(pool(at)), ..rule }
}

/// P-057, P-080: a book over one pool by its name comes to what it comes to without one, to the last digit.
#[test]
fn p_057_one_pool_by_name_is_the_only_pool() {
    let looks = Market { seed: 3, looks: 4_000, edge: None }.looks(&TERMS);
    let alone = run(&book(&[dip(Span::L64)]), &looks, &settings()).expect("it can be tried");
    let past = PoolPast { pool: pool("here"), looks: &looks };
    let named = run_in(&book(&[dip(Span::L64)]), &[past], &settings()).expect("it can be tried");
    assert!(alone.trips > 0);
    assert_eq!((alone.end, alone.cost, alone.trips, &alone.curve), (named.end, named.cost, named.trips, &named.curve));
    assert!(named.rules.iter().all(|rule| rule.pool == Some(pool("here"))));
}

/// P-057: a rule is tried where it speaks of: only that pool's price moves the money; one that names no pool is tried in each.
#[test]
fn p_057_a_backtest_trades_in_the_pool_a_rule_names() {
    let (still, rising) =
        (minutes(&[100.0; 40]), minutes(&(0..40).map(|at| 100.0 + f64::from(at)).collect::<Vec<_>>()));
    let pasts = [PoolPast { pool: pool("still"), looks: &still }, PoolPast { pool: pool("rising"), looks: &rising }];
    let tried = |rule: Rule| run_in(&book(&[rule]), &pasts, &settings()).expect("it can be tried");
    let (idle, gains) = (tried(there("a", "still", 50, 30)), tried(there("a", "rising", 50, 30)));
    assert!(idle.end < CAPITAL && idle.cost.fee > Usdc::ZERO, "{}: it paid for nothing", idle.end);
    assert!(gains.return_ppm > 50_000, "{}", gains.return_ppm);
    let everywhere = tried(Rule { pool: None, ..there("a", "still", 30, 30) });
    let names: Vec<_> = everywhere.rules.iter().map(|rule| rule.pool.map(|pool| pool.to_string())).collect();
    assert_eq!(names, [Some("still".to_owned()), Some("rising".to_owned())]);
    assert!(everywhere.trips >= 2);
}

/// P-054, P-057: one capital for all: two rules that each want all of it stand with half each, and no more is ever at work
/// than there is.
#[test]
fn p_057_a_backtest_divides_one_capital() {
    let still = minutes(&[100.0; 30]);
    let pasts = [PoolPast { pool: pool("a"), looks: &still }, PoolPast { pool: pool("b"), looks: &still }];
    let both = run_in(&book(&[there("x", "a", 100, 20), there("y", "b", 100, 20)]), &pasts, &settings());
    let both = both.expect("it can be tried");
    let one = run_in(&book(&[there("x", "a", 100, 20)]), &pasts, &settings()).expect("it can be tried");
    assert!(
        both.exposure <= Ppm::ONE && both.exposure.get().abs_diff(one.exposure.get()) < 20_000,
        "{:?}",
        both.exposure
    );
    assert_eq!(both.trips, 2 * one.trips);
    assert!(both.turnover_ppm.abs_diff(one.turnover_ppm) < 10_000, "{} and {}", both.turnover_ppm, one.turnover_ppm);
}

/// P-057: looks of other times and more pools than a life may have are refused in words.
#[test]
fn p_057_pools_of_other_times_are_refused() {
    let (looks, short) = (minutes(&[100.0; 5]), minutes(&[100.0; 4]));
    let past = |name: &str, looks| PoolPast { pool: pool(name), looks };
    let run = |pasts: &[PoolPast<'_>]| run_in(&book(&[]), pasts, &settings());
    assert_eq!(run(&[past("a", &looks), past("b", &short)]), Err(HandError::Unaligned { pool: pool("b") }));
    let five = ["a", "b", "c", "d", "e"].map(|name| past(name, looks.as_slice()));
    assert_eq!(run(&five), Err(HandError::TooManyPools { pools: 5 }));
    assert_eq!(run(&[]), Err(HandError::NoLooks));
}
