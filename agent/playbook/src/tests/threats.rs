use super::*;
use crate::hand::Hand;
use crate::makers::{CAPITAL, all, holds_for, in_hour, is};
use crate::market::Market;
use crate::prices::Terms;
use crate::promotion::{Origin, RuleChange, Standing};

const TERMS: Terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(60_000), liquidity: Usdc::ZERO, capital: CAPITAL };
/// A rule that always holds, whatever the price does.
fn stubborn() -> Rule {
    holds_for("stubborn", in_hour(23), 100, 10_000)
}

fn looks(seed: u64) -> Vec<Look> {
    let mut looks = Market { seed, looks: 3_000, edge: None }.looks(&TERMS);
    // A crash it has seen, gas that is dear now and then, and a pool that is thin now and then: a tail for each.
    for (at, look) in looks.iter_mut().enumerate() {
        let fallen = at.saturating_sub(1_500).min(8) as u64;
        look.price = Usdc::from_micros(look.price.micros() * (1_000 - 15 * fallen) / 1_000);
        look.twap = look.price;
        let times = 1 + (at as u64 * 2_654_435_761 % 1_000) / 400 + u64::from(at % 300 == 0) * 8;
        look.gas = Usdc::from_micros(60_000 * times);
        look.impact_ppm = 20 * times as u32;
    }
    looks
}

fn rows(seed: u64) -> Vec<Row> {
    looks(seed).into_iter().map(|look| Row { look, capital: CAPITAL }).collect()
}

/// P-071: of a tail whose law is known, what comes once in ten records is what that law says, and never less than was seen.
#[test]
fn p_071_what_comes_once_in_ten_records_follows_the_tail() {
    for (power, count) in [(3.0, 2_000), (4.0, 5_000)] {
        let sizes: Vec<f64> =
            (1..=count).map(|rank| libm::pow(f64::from(count) / f64::from(rank), 1.0 / power)).collect();
        let expected = libm::pow(10.0 * f64::from(count), 1.0 / power);
        let told = beyond(sizes);
        assert!((told / expected - 1.0).abs() < 0.1, "{told} for {expected}");
    }
    // A tail that ends abruptly is no bound for what was seen.
    assert_eq!(beyond([vec![9.0], vec![1.0; 1_000]].concat()), 9.0);
    assert_eq!(beyond(vec![0.5; 3]), 0.0, "three numbers have no tail");
}

/// P-071: a history is the record in another order: every move of it was seen, and time goes on.
#[test]
fn p_071_a_history_is_made_of_what_was_seen() {
    let rows = rows(1);
    let moved = |from: &Look, to: &Look| to.price.micros() as f64 / from.price.micros() as f64;
    let seen: Vec<f64> = rows.windows(2).map(|two| moved(&two[0].look, &two[1].look)).collect();
    let mut chance = ChaCha12Rng::seed_from_u64(7);
    let (one, other) = (shuffled(&rows, &mut chance), shuffled(&rows, &mut chance));
    assert!(one.len() == LOOKS && one != other);
    for two in one.windows(2) {
        let step = moved(&two[0], &two[1]);
        assert!(seen.iter().any(|seen| (seen - step).abs() < 1e-6), "{step}");
        assert_eq!(two[1].time - two[0].time, seconds_between(&rows));
    }
}

/// P-071, D-129: each threat does what it is called, from where it comes on and with the size the tail has.
#[test]
fn p_071_threats_do_what_they_are_called() {
    let rows = rows(2);
    let tails = Tails::of(&rows);
    assert!(tails.fall > 0.0 && tails.gas > 8.0 && tails.impact > 8.0, "{tails:?}");
    let calm = shuffled(&rows, &mut ChaCha12Rng::seed_from_u64(1));
    let by = |one: Usdc, other: Usdc| one.micros() as f64 / other.micros() as f64;
    for threat in Threat::ALL {
        let bad = threatened(&calm, threat, &tails);
        assert_eq!(bad[..COMES], calm[..COMES], "{threat:?}");
        let [deep, late] = [COMES + FALL, LOOKS - 1];
        let left = |at: usize| by(bad[at].price, calm[at].price);
        assert!((left(deep) - (1.0 - tails.fall)).abs() < 1e-6, "{threat:?}: {}", left(deep));
        let stays = if threat == Threat::Push { 1.0 } else { 1.0 - tails.fall };
        assert!((left(late) - stays).abs() < 1e-6, "{threat:?}: {}", left(late));
        assert!(by(bad[COMES].twap, calm[COMES].twap) > left(COMES), "{threat:?}: the mean comes after");
        let gas = if threat == Threat::GasWar { tails.gas } else { 1.0 };
        assert!(
            (by(bad[deep].gas, calm[deep].gas) - gas).abs() < 1e-3 && bad[late].gas == calm[late].gas,
            "{threat:?}"
        );
        let thin = if threat == Threat::Drain { tails.impact } else { 1.0 };
        let impact = f64::from(bad[deep].impact_ppm) / f64::from(calm[deep].impact_ppm);
        assert!((impact - thin).abs() < 0.1 && bad[late].impact_ppm == calm[late].impact_ppm, "{threat:?}: {impact}");
    }
}

/// P-071: a guard that was rehearsed keeps capital in crashes that were not, and its price in calm is small beside it.
#[test]
fn p_071_a_rehearsed_guard_keeps_capital_in_crashes_it_never_saw() {
    let (mut found, mut better) = (0, 0);
    for seed in 0..6 {
        let rows = rows(seed);
        let Some(guard) = rehearse(&rows, &[stubborn()], 1) else { continue };
        found += 1;
        assert_eq!(rehearse(&rows, &[stubborn()], 1).as_ref(), Some(&guard), "the same record, the same guard");
        assert!(guard.action.is_guard(), "{guard:?}");
        let words = format!("{} {}", guard.because.as_deref().unwrap_or(""), guard.asks.as_deref().unwrap_or(""));
        assert!(words.contains("% of the capital each time") && words.contains("calm looks"), "{words}");
        let mut chance = ChaCha12Rng::seed_from_u64(1_000 + seed);
        let crash = threatened(&shuffled(&rows, &mut chance), Threat::Crash, &Tails::of(&rows));
        let book = |rules: Vec<Rule>| Book { title: "one".to_owned(), rules };
        let with = ends(&book(vec![stubborn(), guard]), std::slice::from_ref(&crash), CAPITAL);
        let without = ends(&book(vec![stubborn()]), &[crash], CAPITAL);
        better += usize::from(with > without);
    }
    assert!(found >= 3 && better == found, "{better} of {found}");
}

/// P-071: where no rule moves money, or none ever holds, there is nothing to guard.
#[test]
fn p_071_nothing_is_staged_where_nothing_is_at_risk() {
    let rows = rows(3);
    let never = Rule { when: all(&[is(Observable::Hour, Relation::Above, 23)]), ..stubborn() };
    assert_eq!(rehearse(&rows, &[never], 1), None);
    assert_eq!(rehearse(&rows, &[], 1), None);
    assert_eq!(rehearse(&rows[..SHORTEST - 1], &[stubborn()], 1), None, "too little was seen");
    assert_eq!(rehearse(&[], &[stubborn()], 1), None);
}

/// P-071: what a rehearsal stages is a candidate of its pool that nobody obeys yet, once by its name.
#[test]
fn p_071_a_rehearsed_guard_is_a_candidate() {
    let looks = looks(0);
    let book = Book { title: "one".to_owned(), rules: vec![stubborn()] };
    let staged = |founding: Founding| {
        let mut hand = Hand::found(&book, founding, &looks[0], CAPITAL).expect("a book");
        for look in &looks {
            let now = crate::choice::Circumstances {
                capital: CAPITAL,
                held: Usdc::ZERO,
                limits: crate::choice::Limits::NONE,
                caution_ppm: crate::cost::ONCE,
            };
            hand.look(look, &now);
        }
        let newest = &looks[looks.len() - 1];
        let pool = Some("there".parse().expect("a name"));
        let count = [hand.rehearse(newest, CAPITAL, pool), hand.rehearse(newest, CAPITAL, pool)];
        let guard = hand.tried().get(1).map(|tried| (tried.rule.pool, tried.standing(), tried.origin()));
        let told = hand.events().filter(|event| matches!(event.change, RuleChange::Staged { .. })).count();
        (count, guard, told)
    };
    let pool = Some("there".parse().expect("a name"));
    let (count, guard, told) = staged(Founding::Trust);
    assert_eq!((count, guard), ([true, false], Some((pool, Standing::Paper, Origin::Candidate))));
    assert_eq!(told, 2, "its owner is told");
    assert_eq!(staged(Founding::Paper).0, [false, false], "what moves nothing needs no guard");
}
