use golem_primitives::Usdc;

use super::*;
use crate::look::Look;
use crate::makers::{CAPITAL, any, holds_for, is, look, rows};
use crate::market::{Edge, Market};
use crate::parse::parse;
use crate::prices::Terms;
use crate::tuning::Mean;

const TERMS: Terms = Terms { fee_ppm: 100, gas: Usdc::ZERO, liquidity: Usdc::ZERO, capital: CAPITAL };

fn dip() -> Rule {
    let rule = holds_for("dip", is(Observable::Z(Span::L64), Relation::AtMost, -1_500_000), 60, 20);
    Rule { until: Some(any(&[is(Observable::Z(Span::L64), Relation::AtLeast, 0)])), ..rule }
}

fn calm() -> Rule {
    holds_for("calm", is(Observable::Vol(Span::L64), Relation::Below, 500), 60, 30)
}

fn names(rules: &[Rule], way: Rewrite) -> Vec<String> {
    rewrites(rules, way).into_iter().map(|rule| rule.name).collect()
}

/// P-072, D-115: each way makes rules that a book would take, and none that is what there was.
#[test]
fn p_072_each_way_makes_rules_of_the_language() {
    let rules = [dip(), calm()];
    assert_eq!(names(&rules, Rewrite::Combinational), ["dip-to-calm", "calm-to-dip", "calm-and-dip"]);
    let pushed = names(&rules, Rewrite::Exploratory);
    let dips = ["dip-far-200", "dip-far-300", "dip-over-16", "dip-over-256"];
    assert_eq!(pushed[..4], dips.map(str::to_owned));
    assert_eq!(names(&rules, Rewrite::Transformational), ["dip-turned"], "a size has no other side");
    for way in Rewrite::ALL {
        for rule in rewrites(&rules, *way) {
            assert!(rules.iter().all(|old| old.when != rule.when || old.until != rule.until), "{rule:?}");
            let book = crate::book::Book { title: "imagined".to_owned(), rules: vec![rule.clone()] };
            let read = parse(&book.to_string()).expect("a book").book;
            assert!(read.rules[0].means(&rule), "{read:?}");
        }
    }
    let turned = turned(&dip()).expect("it has another side");
    assert_eq!(turned.when.parts[0].1, is(Observable::Z(Span::L64), Relation::AtLeast, 1_500_000));
    assert_eq!(turned.until.as_ref().map(|until| until.parts[0].1.relation), Some(Relation::AtMost));
}

/// P-072: what pays when it is turned round is found, and its newer part has to confirm it.
#[test]
fn p_072_what_both_parts_speak_for_is_imagined() {
    // What rose far goes on: to buy dips loses, and to turn that round pays.
    let running = |at: u64| {
        let wave = at % 200;
        let way = if wave < 100 { wave } else { 200 - wave };
        let noise = (at.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e6;
        Look { fee_ppm: 100, ..look(at, 1_000.0 * libm::pow(1.0008, way as f64) * (1.0 + noise)) }
    };
    let rows = rows((0..6_000).map(running));
    let follows = holds_for("sinks", is(Observable::Move(Span::L16), Relation::AtMost, -6_000), 60, 30);
    assert!(Mean::of(counted(&rows, &follows).iter().map(|trip| trip.net)).mean < 0.0);
    let found = imagined(&rows, std::slice::from_ref(&follows), Rewrite::ALL, |_| true).expect("the other way pays");
    assert_eq!(found.name, "sinks-turned");
    assert!(Mean::of(counted(&rows, &found).iter().map(|trip| trip.net)).mean > 0.005);
    let next = imagined(&rows, std::slice::from_ref(&follows), Rewrite::ALL, |rule| rule.name != found.name);
    assert!(next.is_none_or(|next| next.name != found.name), "what is tried already stands in nobody's way");
    let asked = std::cell::Cell::new(0);
    let is_new = |_: &Rule| {
        asked.set(asked.get() + 1);
        false
    };
    assert_eq!(imagined(&rows, std::slice::from_ref(&follows), Rewrite::ALL, is_new), None);
    assert!(asked.get() > 1, "each is asked for before it is traded");
    assert_eq!(
        imagined(&rows, &[follows], &[Rewrite::Combinational], |_| true),
        None,
        "only in the ways that are asked"
    );
}

/// P-072: where there is no edge, next to nothing is imagined.
#[test]
fn p_072_chance_imagines_nothing() {
    let market = |seed: u64| rows(Market { seed, looks: 6_000, edge: None }.looks(&TERMS));
    let found = (200..230).filter(|seed| imagined(&market(*seed), &[dip(), calm()], Rewrite::ALL, |_| true).is_some());
    assert!(found.count() <= 2);
}

/// P-072: two halves of an edge, each without a profit of its own, are put together.
#[test]
fn p_072_halves_are_put_together() {
    let edge = Edge { window: 32, depth: 1.5, gain: 0.006, over: 30, during: std::iter::once(0..20_000).collect() };
    let half = |name: &str, when: Comparison| Rule { expects: None, ..holds_for(name, when, 60, 30) };
    let fell = half("fell", is(Observable::Z(Span::L32), Relation::AtMost, -1_500_000));
    let calm = half("calm", is(Observable::Vol(Span::L64), Relation::Below, 500));
    let found = (0..6).filter_map(|seed| {
        let rows = rows(Market { seed, looks: 10_000, edge: Some(edge.clone()) }.looks(&TERMS));
        imagined(&rows, &[fell.clone(), calm.clone()], &[Rewrite::Combinational], |_| true)
    });
    let names: Vec<String> = found.map(|rule| rule.name).collect();
    assert!(names.len() >= 3 && names.iter().all(|name| name == "calm-and-fell"), "{names:?}");
}
