//! What is counted: attempts, actions, goals, the owner's word, what was left ready.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Ppm, Usdc, UtcTime};
use golem_suffering::attempt::{ActionAttempt, ActionLog, ActionOutcome, AttemptLog};
use golem_suffering::domain::WorkDomain;
use serde::{Deserialize, Serialize};

use super::conduct::Conduct;
use crate::affect::Landing;
use crate::pass::Pass;
use crate::record::{Claim, EffectKind, Event, Observation, Outcome, OutcomeResult, TickInput, Turn};
use crate::trader::Trader;
use attempt::{attempt, attempted};

mod attempt;

pub(super) use attempt::{domain_of, key_of};

/// Times of one kind that are remembered for a day.
const TIMES: usize = 64;
const SAMPLE_SECONDS: u64 = 3_600;
/// Outcomes a reorganisation can still take back; more are not on their way within its window.
const LANDED: usize = 16;
/// Samples of fitness: a day of them, and one before it.
const SAMPLES: usize = 25;

/// Times of the last day, newest last; of more than fit the newest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Times(VecDeque<UtcTime>);

impl Times {
    pub(super) fn push(&mut self, at: UtcTime) {
        if self.0.len() == TIMES {
            self.0.pop_front();
        }
        self.0.push_back(at);
    }

    /// One of that moment was none.
    fn take_back(&mut self, at: UtcTime) {
        if let Some(place) = self.0.iter().rposition(|known| *known == at) {
            self.0.remove(place);
        }
    }

    pub(super) fn of_a_day(&self, now: UtcTime) -> u32 {
        let count = self.0.iter().filter(|at| now.since(**at).as_secs() <= UtcTime::DAY_SECONDS).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// What one outcome left in the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Left {
    effect: EffectId,
    at: UtcTime,
    attempt: Option<ActionAttempt>,
    is_verified: bool,
    is_completed: bool,
    is_stalled: bool,
    pnl_micros: Option<i64>,
}

/// Everything that is counted of a life.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    pub(super) born_at: UtcTime,
    pub(super) attempts: AttemptLog,
    pub(super) actions: ActionLog,
    pub(super) conduct: Conduct,
    /// Actions whose change of fitness is read when their pass ends.
    unjudged: Vec<ActionOutcome>,
    judged_at: Ppm,
    fitness: VecDeque<(UtcTime, Ppm)>,
    thinking: VecDeque<(UtcTime, Usdc)>,
    pub(super) completed: Times,
    pub(super) stalled: Times,
    pub(super) verified: Times,
    pub(super) called: Times,
    pub(super) rules: u32,
    pub(super) idle_since: Option<UtcTime>,
    pub(super) ruleless_since: Option<UtcTime>,
    pub(super) owner_at: Option<UtcTime>,
    /// Since when the owner could have been heard and was not: what nobody could see is no silence.
    pub(super) silent_since: UtcTime,
    blind_since: Option<UtcTime>,
    /// What the last outcomes left, in case a reorganisation takes one back.
    left: ArrayVec<Left, LANDED>,
    /// Snapshots on their way; true for one of its death.
    snapshots: ArrayVec<(EffectId, bool), 4>,
    pub(super) snapshot_at: Option<UtcTime>,
    pub(super) has_draft: bool,
}

impl Ledger {
    pub(super) fn born(now: UtcTime) -> Self {
        Self { born_at: now, ruleless_since: Some(now), silent_since: now, ..Self::default() }
    }

    /// S-041. What came of an effect: an attempt when it was broadcast, a goal that was reached or not, an action with what
    /// the round trip gained that it closed.
    pub(super) fn land(
        &mut self,
        outcome: &Outcome,
        gain_micros: i64,
        landing: Landing,
        place: &WorkDomain,
        now: UtcTime,
    ) {
        if let Some((CostSource::Inference, cost)) = outcome.cost {
            if self.thinking.len() == TIMES {
                self.thinking.pop_front();
            }
            self.thinking.push_back((now, cost));
        }
        if let Some(at) = self.snapshots.iter().position(|(effect, _)| *effect == outcome.effect) {
            let (_, is_of_death) = self.snapshots.remove(at);
            if outcome.result == OutcomeResult::Done {
                self.snapshot_at = Some(now);
                self.has_draft |= is_of_death;
            }
        }
        let Some(kind) = landing.kind else { return };
        let effect = outcome.effect;
        let nothing = |attempt| Left {
            effect,
            at: now,
            attempt,
            is_verified: false,
            is_completed: false,
            is_stalled: false,
            pnl_micros: None,
        };
        let mut left = nothing(attempted(outcome).and_then(|result| attempt(kind, result, place, now)));
        if let Some(attempt) = &left.attempt {
            self.attempts.record(attempt.clone());
        }
        if landing.order().is_some() {
            self.land_trade(outcome, gain_micros, now, &mut left);
        }
        if left != nothing(None) {
            if self.left.is_full() {
                self.left.remove(0);
            }
            self.left.push(left);
        }
    }

    /// What an outcome left is taken out again; it comes a second time, perhaps with another end.
    pub(super) fn take_back(&mut self, effect: EffectId) {
        let Some(place) = self.left.iter().rposition(|left| left.effect == effect) else { return };
        let left = self.left.remove(place);
        if let Some(attempt) = &left.attempt {
            self.attempts.take_back(attempt);
        }
        for (times, is_there) in [
            (&mut self.verified, left.is_verified),
            (&mut self.completed, left.is_completed),
            (&mut self.stalled, left.is_stalled),
        ] {
            if is_there {
                times.take_back(left.at);
            }
        }
        if let Some(pnl_micros) = left.pnl_micros {
            match self.unjudged.iter().rposition(|one| one.at == left.at && one.pnl_micros == pnl_micros) {
                Some(place) => {
                    self.unjudged.remove(place);
                }
                None => self.actions.take_back(left.at, pnl_micros),
            }
        }
    }

    fn land_trade(&mut self, outcome: &Outcome, pnl_micros: i64, now: UtcTime, left: &mut Left) {
        match &outcome.result {
            OutcomeResult::Verified(record) => {
                self.verified.push(now);
                let is_success = record.receipt.success;
                if is_success {
                    self.completed.push(now);
                } else {
                    self.stalled.push(now);
                }
                (left.is_verified, left.is_completed, left.is_stalled) = (true, is_success, !is_success);
                left.pnl_micros = Some(pnl_micros);
                self.unjudged.push(ActionOutcome {
                    at: now,
                    pnl_micros,
                    gas: outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost),
                    nav: Usdc::ZERO,
                    fitness_change_ppm: 0,
                    taught: false,
                });
            }
            OutcomeResult::Refused { .. } => {
                self.stalled.push(now);
                left.is_stalled = true;
            }
            _ => {}
        }
    }

    /// What a pass shows besides. Answers whether the owner was heard.
    pub(super) fn look(&mut self, vitals: &Vitals, trader: Option<&Trader>, pass: &Pass<'_>) -> bool {
        let (input, now) = (pass.input(), pass.now());
        for effect in &pass.effects {
            let is_of_death = match effect.kind {
                EffectKind::TakeDeathSnapshot => true,
                EffectKind::TakeInsuranceSnapshot => false,
                _ => continue,
            };
            if self.snapshots.is_full() {
                self.snapshots.remove(0);
            }
            self.snapshots.push((effect.id, is_of_death));
        }
        let fee_ppm = trader.and_then(Trader::sight).map_or(0, |sight| sight.market.fee_ppm);
        self.look_at_events(&pass.events, fee_ppm, now);
        if let Some(trader) = trader {
            self.conduct.look(trader, pass);
            if input.counsel().next().is_some() {
                self.called.push(now);
            }
            self.judge_actions(vitals, trader);
        }
        let is_blind = trader.is_some_and(Trader::is_blind);
        self.see_or_not(is_blind, now);
        if input.turn == Turn::Sleeping && !is_blind {
            self.sample(vitals, trader, now);
        }
        let is_heard = owner_spoke(input);
        if is_heard {
            (self.owner_at, self.silent_since) = (Some(now), now);
        }
        is_heard
    }

    fn look_at_events(&mut self, events: &[Event], fee_ppm: u32, now: UtcTime) {
        for event in events {
            match event {
                Event::PredictionResolved { prediction, verdict } => {
                    self.verified.push(now);
                    // S-042. A belief about the price is what it sets out to prove; one that is refuted is no goal reached,
                    // and levels are asked by the clock.
                    if prediction.claim.held(*verdict, fee_ppm) == Some(true) {
                        self.completed.push(now);
                    }
                }
                Event::Curated(curated) => {
                    curated.taught.iter().for_each(|at| self.actions.teach(*at));
                    self.rules = curated.rules;
                    self.ruleless_since = if curated.rules > 0 { None } else { self.ruleless_since.or(Some(now)) };
                }
                _ => {}
            }
        }
    }

    /// W-26. An action is measured against everything that is held and the understanding it brought.
    fn judge_actions(&mut self, vitals: &Vitals, trader: &Trader) {
        let fitness = vitals.epistemic().fitness().ppm();
        if self.unjudged.is_empty() {
            return;
        }
        let nav = trader.capital().unwrap_or(Usdc::ZERO).saturating_add(vitals.economic().balance());
        let change = i64::from(fitness.get()) - i64::from(self.judged_at.get());
        for mut action in std::mem::take(&mut self.unjudged) {
            (action.nav, action.fitness_change_ppm) = (nav, i32::try_from(change).unwrap_or(0));
            self.actions.record(action);
        }
        self.judged_at = fitness;
    }

    fn sample(&mut self, vitals: &Vitals, trader: Option<&Trader>, now: UtcTime) {
        let is_due = self.fitness.back().is_none_or(|(at, _)| now.since(*at).as_secs() >= SAMPLE_SECONDS);
        if is_due {
            if self.fitness.is_empty() {
                self.judged_at = vitals.epistemic().fitness().ppm();
            }
            if self.fitness.len() == SAMPLES {
                self.fitness.pop_front();
            }
            self.fitness.push_back((now, vitals.epistemic().fitness().ppm()));
        }
        let believes = |trader: &Trader| {
            trader.predictions.iter().any(|one| matches!(one.claim, Claim::PriceMove { .. } | Claim::Fees { .. }))
        };
        let is_busy = vitals.open_positions() > 0
            || trader.is_some_and(|trader| believes(trader) || trader.open_positions() > 0)
            || self.completed.0.back() == Some(&now);
        self.idle_since = if is_busy { None } else { self.idle_since.or(Some(now)) };
    }

    /// S-008. Counted again after a time in which nothing was: what lay between is neither silence nor idleness.
    pub(super) fn resume(&mut self, now: UtcTime) {
        (self.silent_since, self.blind_since) = (now, None);
        self.idle_since = self.idle_since.map(|_| now);
        self.ruleless_since = self.ruleless_since.map(|_| now);
    }

    /// S-067. What nobody can see goes on for nobody: a blind Golem is neither idle nor left alone meanwhile.
    fn see_or_not(&mut self, is_blind: bool, now: UtcTime) {
        if is_blind {
            self.blind_since = self.blind_since.or(Some(now));
        } else if let Some(since) = self.blind_since.take() {
            let gap = now.since(since);
            self.idle_since = self.idle_since.map(|at| at.plus(gap));
            self.ruleless_since = self.ruleless_since.map(|at| at.plus(gap));
            self.silent_since = self.silent_since.plus(gap);
        }
    }

    /// What models cost in a day.
    pub(super) fn inference(&self, now: UtcTime) -> Usdc {
        let today = self.thinking.iter().filter(|(at, _)| now.since(*at).as_secs() <= UtcTime::DAY_SECONDS);
        today.map(|(_, cost)| *cost).sum()
    }

    /// How fitness moved in a day, in millionths.
    pub(super) fn fitness_change(&self, now: UtcTime) -> i32 {
        let today = |one: &&(UtcTime, Ppm)| now.since(one.0).as_secs() <= UtcTime::DAY_SECONDS;
        let (Some((_, first)), Some((_, last))) = (self.fitness.iter().find(today), self.fitness.back()) else {
            return 0;
        };
        i32::try_from(i64::from(last.get()) - i64::from(first.get())).unwrap_or(0)
    }
}

/// The owner speaks by a command, and by what the vault's log says was his own doing. Money alone is nobody's word:
/// anybody can send some, and a harvest is the Golem's own.
fn owner_spoke(input: &TickInput) -> bool {
    let by_log = |seen: &Observation| matches!(seen, Observation::Inflows(log) if log.owner_spoke);
    !input.commands.is_empty() || input.observations.iter().any(by_log)
}
