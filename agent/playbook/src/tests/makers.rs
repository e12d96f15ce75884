//! Looks and rules as the tests of several modules need them.

use arrayvec::ArrayVec;
use golem_primitives::{Ppm, Usdc};

use crate::look::Look;
use crate::observable::Observable;
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
