use golem_primitives::Usdc;

use super::*;
use crate::hand::Hand;
use crate::look::Look;
use crate::makers::{CAPITAL, all, holds_for, is, look, rows};
use crate::market::{Edge, Market};
use crate::prices::Terms;
use crate::promotion::{Founding, Origin, Standing};

const TERMS: Terms = Terms { fee_ppm: 100, gas: Usdc::ZERO, liquidity: Usdc::ZERO, capital: CAPITAL };

/// A look whose price wavers a little around `price`.
fn wavering(at: u64, price: f64) -> Look {
    let noise = (at.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e6;
    Look { fee_ppm: 100, ..look(at, price * (1.0 + noise)) }
}

/// Rises by day and falls by night, a thousandth a look.
fn days(looks: u64) -> Vec<Row> {
    let price = |at: u64| {
        let minute = (1_700_000_000 / 60 + at) % 1_440;
        let way = if minute < 720 { minute } else { 1_440 - minute };
        1_000.0 * libm::pow(1.001, way as f64)
    };
    rows((0..looks).map(|at| wavering(at, price(at))))
}

/// Always in, for ten looks at a time.
fn always() -> Rule {
    holds_for("always", is(Observable::Weekday, Relation::AtLeast, 1), 60, 10)
}

fn mean(rows: &[Row], rule: &Rule) -> f64 {
    Mean::of(counted(rows, rule).iter().map(|trip| trip.net)).mean
}

/// P-073: what separates the trips that paid becomes a rule of its own, and pays on looks it was not found in.
#[test]
fn p_073_a_split_keeps_the_trips_that_paid() {
    let found: Vec<Rule> = findings(&days(4_000), &always()).collect();
    let [split, ..] = &found[..] else { panic!("nothing separates day from night") };
    assert!(split.when.parts.len() == 2 && split.name.starts_with("always-"), "{split:?}");
    assert_eq!((&split.action, &split.until), (&always().action, &always().until));
    let later = days(10_000).split_off(4_000);
    let (whole, part) = (mean(&later, &always()), mean(&later, split));
    assert!(whole < 0.001 && part > 0.003, "{part} against {whole}");
    // A condition with `or` would be narrowed in its last part alone.
    let either = Rule { when: crate::makers::any(&[always().when.parts[0].1; 2]), ..always() };
    assert_eq!(split_of(&either), None);
    let full = Rule { when: all(&[always().when.parts[0].1; COMPARISONS]), ..always() };
    assert_eq!(split_of(&full), None);
}

fn split_of(rule: &Rule) -> Option<Rule> {
    split(rule, &counted(&days(4_000), rule))
}

/// P-073: where nothing separates gains from losses, next to nothing is proposed.
#[test]
fn p_073_chance_separates_nothing() {
    let market = |seed: u64| rows(Market { seed, looks: 6_000, edge: None }.looks(&TERMS));
    let mut proposed = Vec::new();
    for seed in 100..130 {
        proposed.extend(findings(&market(seed), &always()).map(|rule| rule.name));
    }
    assert!(proposed.len() <= 3, "of 30 markets: {proposed:?}");
}

/// P-073: another threshold, where the trips of both parts are surer with it.
#[test]
fn p_073_another_threshold_is_proposed_where_it_is_surer() {
    let edge = Edge { window: 32, depth: 2.0, gain: 0.006, over: 30, during: std::iter::once(0..20_000).collect() };
    let early = Rule {
        expects: None,
        ..holds_for("early", is(Observable::Z(Span::L32), Relation::AtMost, -1_400_000), 60, 30)
    };
    let found = (0..8).filter_map(|seed| {
        let rows = rows(Market { seed, looks: 10_000, edge: Some(edge.clone()) }.looks(&TERMS));
        let trips = counted(&rows, &early);
        threshold(&rows, &early, &trips).map(|other| (mean(&rows, &other), mean(&rows, &early), other))
    });
    let found: Vec<_> = found.collect();
    assert!(found.len() >= 3, "{found:?}");
    for (better, worse, other) in found {
        let number = other.when.parts[0].1.threshold;
        assert!(better > worse && number < -1_400_000 && other.name.starts_with("early-at-1"), "{other:?}");
    }
}

/// P-073: what the one great loss was entered in becomes a guard.
#[test]
fn p_073_a_great_loss_leaves_a_guard() {
    // Gas is dear for an hour, and then the price falls by a tenth.
    let crash = |at: u64| {
        let fallen = at.saturating_sub(2_060).min(20) as f64 * 0.005;
        let gas = if (2_040..2_070).contains(&at) { 900 } else { 100 + at % 7 };
        Look { gas: Usdc::from_micros(gas), ..wavering(at, 1_000.0 * (1.0 - fallen)) }
    };
    let rows = rows((0..4_000).map(crash));
    let trips = counted(&rows, &always());
    let guard = guard(&always(), &trips).expect("a guard");
    assert!(guard.action == Action::NoEntries && guard.until.is_none() && guard.expects.is_none(), "{guard:?}");
    assert!(guard.because.as_deref().is_some_and(|words| words.contains("% of its stake")), "{guard:?}");
    let calm = counted(&rows[..2_000], &always());
    assert_eq!(super::guard(&always(), &calm), None, "no loss was great");
}

/// P-073: of a hand's rules that traded enough one finding is staged at a time, as a candidate.
#[test]
fn p_073_one_finding_is_one_candidate() {
    let rows = days(4_000);
    let book = crate::book::Book { title: "one".to_owned(), rules: vec![always()] };
    let mut hand = Hand::found(&book, Founding::Trust, &rows[0].look, CAPITAL).expect("a book");
    let now = crate::choice::Circumstances {
        capital: CAPITAL,
        held: Usdc::ZERO,
        limits: crate::choice::Limits::NONE,
        caution_ppm: crate::cost::ONCE,
    };
    let newest = rows[rows.len() - 1].look;
    assert!(!hand.tune(&newest, CAPITAL, None), "it has no trips yet");
    for row in &rows {
        hand.look(&row.look, &now);
    }
    assert!(hand.tune(&newest, CAPITAL, None));
    let told: Vec<_> = hand.tried().iter().map(|tried| (tried.standing(), tried.origin())).collect();
    assert_eq!(told[1..], [(Standing::Paper, Origin::Candidate)]);
    let first = hand.tried()[1].rule.name.clone();
    hand.tune(&newest, CAPITAL, None);
    assert!(hand.tried()[2..].iter().all(|tried| tried.rule.name != first), "the same is not staged again");
}
