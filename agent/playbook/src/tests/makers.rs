//! Looks and rules as the tests of several modules need them.

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::RngCore;

use crate::look::Look;
use crate::observable::{Observable, Span};
use crate::record::Row;
use crate::rule::{Action, Comparison, Condition, Expectation, Join, Relation, Rule};

pub(crate) const CAPITAL: Usdc = Usdc::whole(1_000);

/// A look without gas and impact, at a fee of 0.05%.
pub(crate) fn look(at: u64, price: f64) -> Look {
    let price = Usdc::from_micros((price * 1e6) as u64);
    Look {
        time: 1_700_000_000 + 60 * at,
        price,
        twap: price,
        impact_ppm: 0,
        fee_ppm: 500,
        volume: Usdc::ZERO,
        gas: Usdc::ZERO,
    }
}

pub(crate) fn is(word: Observable, relation: Relation, threshold: i64) -> Comparison {
    Comparison { word, relation, threshold }
}

pub(crate) fn any(parts: &[Comparison]) -> Condition {
    Condition { parts: parts.iter().map(|part| (Join::Or, *part)).collect::<ArrayVec<_, 4>>() }
}

pub(crate) fn all(parts: &[Comparison]) -> Condition {
    Condition { parts: parts.iter().map(|part| (Join::And, *part)).collect::<ArrayVec<_, 4>>() }
}

pub(crate) fn rows(looks: impl IntoIterator<Item = Look>) -> Vec<Row> {
    looks.into_iter().map(|look| Row { look, capital: CAPITAL }).collect()
}

/// A draw with a mean of nothing and a deviation of one.
pub(crate) fn gauss(chance: &mut ChaCha12Rng) -> f64 {
    let mut uniform = || (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

/// Buys what fell far below its mean of so many looks; leaves at the mean or at a loss of 1.5%.
pub(crate) fn dip(span: Span) -> Rule {
    let rule = holds_for("dip", is(Observable::Z(span), Relation::AtMost, -1_250_000), 60, 0);
    let until = [is(Observable::Z(span), Relation::AtLeast, 0), is(Observable::Gain, Relation::AtMost, -15_000)];
    Rule { until: Some(any(&until)), ..rule }
}

/// Holds `percent` of the capital from `when` on for `looks` looks.
pub(crate) fn holds_for(name: &str, when: Comparison, percent: u32, looks: i64) -> Rule {
    Rule {
        name: name.to_owned(),
        pool: None,
        when: any(&[when]),
        action: Action::Hold { share: Ppm::of(percent * 10_000) },
        until: Some(any(&[is(Observable::Since, Relation::AtLeast, looks)])),
        expects: Some(Expectation { return_ppm: 5_000, within: 100 }),
        because: None,
        asks: None,
    }
}

/// A guard that is awake while `when` holds.
pub(crate) fn guard(name: &str, when: Comparison, action: Action) -> Rule {
    Rule { action, until: None, expects: None, ..holds_for(name, when, 0, 0) }
}

/// The hour of a look, for conditions a test can steer: `at` is in looks of one minute.
pub(crate) fn in_hour(hour: i64) -> Comparison {
    is(Observable::Hour, Relation::AtMost, hour)
}
