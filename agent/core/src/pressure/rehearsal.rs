//! S-071. What is closed can still be rehearsed: simulated on the chain as it is, and checked against it later.

use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Tick, UtcTime};
use golem_suffering::attempt::{ActionAttempt, AttemptResult};
use golem_suffering::domain::WorkDomain;
use serde::{Deserialize, Serialize};

use super::ledger::{Times, domain_of, key_of};
use crate::pass::Pass;
use crate::record::{EffectKind, Event, Forgone, Order, Outcome, OutcomeResult, Turn};

/// Rehearsals that are worth anything in a day.
const PER_DAY: u32 = 3;
/// Ticks after which what was simulated is checked.
const CHECK_AFTER: u64 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Rehearsal {
    order: Order,
    /// The simulation that is on its way.
    effect: Option<EffectId>,
    /// What the first one said, and from which tick it is checked.
    said: Option<(u128, Tick)>,
}

/// S-071. The rehearsal in progress, and how many succeeded of late.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Rehearsals {
    open: Option<Rehearsal>,
    succeeded: Times,
    /// The tick of the last word about it, so that the check is dated.
    tick: Tick,
}

/// What a simulated trade brings: what it gets, or what goes in when it gets nothing at once.
const fn amount(usdc_micros: i64, token: i128) -> u128 {
    if token > 0 { token.unsigned_abs() } else { usdc_micros.unsigned_abs() as u128 }
}

impl Rehearsals {
    /// Takes in a simulation; answers an attempt once the check has come.
    pub(super) fn land(&mut self, outcome: &Outcome, place: &WorkDomain, at: UtcTime) -> Option<ActionAttempt> {
        let open = self.open.as_mut().filter(|open| open.effect == Some(outcome.effect))?;
        open.effect = None;
        let realised = match &outcome.result {
            OutcomeResult::Simulated(moved) => Some(amount(moved.usdc_micros, moved.token)),
            _ => None,
        };
        match (open.said, realised) {
            (None, Some(simulated)) => {
                open.said = Some((simulated, self.tick.checked_add(CHECK_AFTER).unwrap_or(self.tick)));
                None
            }
            // What cannot be simulated was refused before anything was sent, the first time or at its check: nothing is
            // proved, and nothing is held against it.
            (_, None) => {
                self.open = None;
                None
            }
            (Some((simulated, _)), Some(realised)) => {
                let order = open.order;
                self.open = None;
                let result = AttemptResult::Rehearsed { simulated, realised };
                if !result.is_failure() {
                    self.succeeded.push(at);
                }
                Some(ActionAttempt { at, result, key: key_of(order, place)?, domain: domain_of(order, place) })
            }
        }
    }

    /// Wants the simulation that is due: of a trade that was just closed, or the check of an earlier one.
    pub(super) fn want(&mut self, vitals: &Vitals, pass: &mut Pass<'_>) {
        self.tick = pass.tick();
        if pass.input().turn != Turn::Deciding {
            return;
        }
        // A promise that had to make room for others is never answered.
        if self.open.is_some_and(|open| open.effect.is_some_and(|effect| !pass.desk.holds.awaits(effect))) {
            self.open = None;
        }
        let closed = pass.events.iter().find_map(|event| match event {
            Event::TradeForgone { order, reason: Forgone::Suffering(_) } => Some(*order),
            _ => None,
        });
        if let (None, Some(order)) = (self.open, closed)
            && self.succeeded.of_a_day(pass.now()) < PER_DAY
        {
            self.open = Some(Rehearsal { order, effect: None, said: None });
        }
        let Some(open) = &mut self.open else { return };
        let is_due = open.said.is_none_or(|(_, due)| pass.tick() >= due);
        if open.effect.is_none() && is_due {
            open.effect = pass.ask(EffectKind::Rehearse(open.order), vitals);
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::{B256, PoolName, Usdc};

    use super::*;
    use crate::record::Moved;

    /// S-071: a check that was refused before anything was sent is no attempt; one that differs is a failed one.
    #[test]
    fn s_071_a_refused_check_is_no_attempt() {
        let (effect, order) =
            (EffectId(B256::repeat_byte(3)), Order::Buy { pool: PoolName::HOME, spend: Usdc::whole(5), least: 1 });
        let said =
            |said| Rehearsals { open: Some(Rehearsal { order, effect: Some(effect), said }), ..Rehearsals::default() };
        let place = WorkDomain::default();
        let refused = OutcomeResult::Refused { reason: "the vault sleeps".to_owned() };
        for before in [None, Some((100, Tick::new(1)))] {
            let mut rehearsals = said(before);
            let outcome = Outcome { effect, cost: None, result: refused.clone() };
            assert_eq!(rehearsals.land(&outcome, &place, UtcTime::EPOCH), None, "{before:?}");
            assert_eq!(rehearsals.open, None);
        }
        let moved = Moved { usdc_micros: -5, token: 90, ..Moved::default() };
        let outcome = Outcome { effect, cost: None, result: OutcomeResult::Simulated(Box::new(moved)) };
        let attempt = said(Some((100, Tick::new(1)))).land(&outcome, &place, UtcTime::EPOCH).expect("judged");
        assert!(attempt.result.is_failure(), "a tenth off");
    }
}
