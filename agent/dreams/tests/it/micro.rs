use golem_dreams::inputs::{KnownEntry, Trace};
use golem_dreams::micro::{glance, is_due};
use golem_grimoire::strength::{Reinforcement, Strength};
use golem_primitives::UtcTime;

use crate::make::{known, result, vector};

fn insight(name: &str, cosine: f64, confidence: f64, sign: i8) -> KnownEntry {
    let other = (1.0 - cosine * cosine).sqrt();
    KnownEntry { vector: Some(vector(&[cosine as f32, other as f32])), sign, retrievals: 1, ..known(name, confidence) }
}

fn seen(tick: u64, pnl: i64) -> Trace {
    Trace { vector: Some(vector(&[1.0, 0.0])), ..result(tick, pnl) }
}

/// D-216: every sixty seconds.
#[test]
fn d_216_a_glance_every_minute() {
    let at = UtcTime::from_seconds;
    assert!(is_due(None, at(0)) && is_due(Some(at(100)), at(160)) && !is_due(Some(at(100)), at(159)));
}

/// D-217: V46: above 0.8 an insight is strengthened by a tenth.
#[test]
fn d_217_insights_that_are_met_again_are_strengthened() {
    let of = |cosine| glance(&[seen(1, 5)], &[insight("i", cosine, 0.5, 1)]).strengthened.len();
    assert_eq!((of(0.80), of(0.81)), (0, 1), "V46");
    let by = glance(&[seen(1, 5)], &[insight("i", 0.9, 0.5, 1)]).strengthened[0].1;
    assert_eq!(by, Reinforcement::MicroConsolidation);
    assert_eq!(Strength::ONE.reinforced(by).hundredths(), 110, "+0.1");
    let many: Vec<Trace> = (0..9).map(|tick| seen(tick, 5)).collect();
    assert_eq!(glance(&many, &[insight("i", 0.9, 0.5, 1)]).strengthened.len(), 5, "the last five");
    let ten: Vec<KnownEntry> = (0..12).map(|n| insight(&format!("i{n}"), 0.9, 0.5, 1)).collect();
    assert_eq!(glance(&[seen(1, 5)], &ten).strengthened.len(), 10, "the ten retrieved most");
    let mut rule = insight("rule", 0.9, 0.5, 1);
    rule.kind = golem_grimoire::kind::Kind::Heuristic;
    assert!(glance(&[seen(1, 5)], &[rule]).strengthened.is_empty(), "insights alone");
}

/// D-218: what goes against a trusted insight is to be dreamt of.
#[test]
fn d_218_anomalies_are_tagged() {
    let of = |cosine, confidence, sign, pnl| {
        glance(&[seen(1, pnl)], &[insight("i", cosine, confidence, sign)]).anomalies.len()
    };
    assert_eq!(of(0.71, 0.7, 1, -5), 1);
    assert_eq!(of(0.70, 0.7, 1, -5), 0, "0.70 is not above");
    assert_eq!(of(0.71, 0.699, 1, -5), 0, "not trusted");
    assert_eq!(of(0.71, 0.7, 1, 5), 0, "it went the same way");
    assert_eq!(of(0.71, 0.7, -1, 5), 1);
}

/// D-219, D-220: something unresolved says so; strengths and tags are all a glance can ask for.
#[test]
fn d_219_a_glance_knows_whether_something_is_left() {
    let calm = glance(&[seen(1, 5)], &[insight("i", 0.9, 0.9, 1)]);
    assert!(!calm.is_unresolved());
    let odd = glance(&[seen(1, -5)], &[insight("i", 0.9, 0.9, 1)]);
    assert!(odd.is_unresolved() && odd.strengthened.is_empty());
    let golem_dreams::micro::Glance { strengthened: _, anomalies: _ } = odd;
}
