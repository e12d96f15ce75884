//! What an outcome says of an attempt, and under which name it is counted.

use golem_primitives::UtcTime;
use golem_suffering::action::GoalClass;
use golem_suffering::attempt::{ActionAttempt, AttemptResult};
use golem_suffering::domain::WorkDomain;
use golem_suffering::text::Key;

use crate::record::{EffectKind, Order, Outcome, OutcomeResult, OutcomeVerification, RefusalClass};

/// What an outcome says of an attempt; `None` when nothing was broadcast.
pub(super) fn attempted(outcome: &Outcome) -> Option<AttemptResult> {
    match &outcome.result {
        OutcomeResult::Verified(record) if !record.receipt.success => Some(AttemptResult::Reverted),
        OutcomeResult::Verified(record) => Some(landed(record)),
        // What was true already cost nothing and was not sent.
        OutcomeResult::Done if outcome.cost.is_some() => Some(AttemptResult::Landed { simulated: 1, realised: 1 }),
        OutcomeResult::Refused { reason } => match RefusalClass::of(reason) {
            RefusalClass::Reverted => Some(AttemptResult::Reverted),
            RefusalClass::Dropped => Some(AttemptResult::Dropped),
            RefusalClass::Unsent => None,
        },
        _ => None,
    }
}

/// W-25. What a trade was to bring and what it brought, in micro-USDC.
fn landed(record: &OutcomeVerification) -> AttemptResult {
    let notional = i128::from(record.prediction.notional.micros());
    let worth = |gain: i64| u128::try_from(notional.saturating_add(i128::from(gain))).unwrap_or(0);
    AttemptResult::Landed {
        simulated: worth(record.prediction.expected_return_micros),
        realised: worth(record.receipt.realised_return_micros),
    }
}

pub(super) fn attempt(
    kind: EffectKind,
    result: AttemptResult,
    place: &WorkDomain,
    at: UtcTime,
) -> Option<ActionAttempt> {
    if let EffectKind::Trade(order) = kind {
        return Some(ActionAttempt { at, result, key: key_of(order, place)?, domain: domain_of(order, place) });
    }
    let name = match kind {
        EffectKind::Beat { .. } => "beat",
        EffectKind::PayHost { .. } => "pay host",
        EffectKind::Refuel { .. } => "refuel",
        EffectKind::Harvest => "harvest",
        EffectKind::Allocate => "allocate",
        EffectKind::ResplitCredits { .. } => "resplit",
        _ => return None,
    };
    Some(ActionAttempt { at, result, key: Key::new(&format!("vault {name}"))?, domain: WorkDomain::default() })
}

/// S-041. Protocol and act: what keeps failing is named by where and what, whatever the error.
pub(in crate::pressure) fn key_of(order: Order, place: &WorkDomain) -> Option<Key> {
    let protocol = place.protocol.as_ref().map_or("venue", Key::as_str);
    Key::new(&format!("{protocol} {}", order.name()))
}

/// S-083. Where it was tried. What cannot be entered says nothing of getting out; what cannot be left says: do not enter.
pub(in crate::pressure) fn domain_of(order: Order, place: &WorkDomain) -> WorkDomain {
    let class = order.raises_exposure().then_some(GoalClass::Grow);
    WorkDomain { class, regime: None, ..place.clone() }
}
