//! What presses on a life, from what the chain shows of it.
//!
//! A life does not suffer until it is told by which reading (S-008); without that nothing differs from a life that never
//! heard of it. Everything here is counted from outcomes, receipts, looks at the vault and the law's own clocks; no mood
//! is among it, and what a model says is heard and checked (S-120). The gate can only remove, and only what
//! raises exposure, harvests or buys data is ever asked about: exits, reports, rent, gas and death have no way to it (S-128).

mod conduct;
mod facts;
mod ledger;
mod rehearsal;

use golem_mortality::economic::tier::Tier;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Tick, Usdc, UtcTime};
use golem_suffering::action::{ActionEffect, Aim, Goal, GoalClass};
use golem_suffering::domain::WorkDomain;
use golem_suffering::facts::life_seconds;
use golem_suffering::gate::GoalVerdict;
use golem_suffering::law::SufferingProfile;
use golem_suffering::text::Key;
use golem_suffering::{Band, Facts, Suffering, SufferingEvent, SufferingLaw, SufferingReply};
use serde::{Deserialize, Serialize};

use crate::affect::Landing;
use crate::body::Body;
use crate::kinship::Kinship;
use crate::pass::Pass;
use crate::record::{Effect, EffectKind, Event, Forgone, Order, Outcome, OutcomeResult, Scar, Signal, Temper, Turn};
use crate::trader::Trader;

use ledger::Ledger;
use rehearsal::Rehearsals;

/// Ticks no entry is asked for after one was closed.
const REST_TICKS: u64 = 5;

/// One life's suffering, and what it is counted from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Pressure {
    profile: Option<SufferingProfile>,
    place: WorkDomain,
    pub suffering: Suffering,
    ledger: Ledger,
    rehearsals: Rehearsals,
    /// S-044. What a model said in this pass; `None` inside when it could not be read.
    reply: Option<Option<SufferingReply>>,
    /// After an entry was closed none is asked for before this tick. What gets out never waits for it.
    rests_until: Tick,
    /// S-036. When a model was last asked in Crisis.
    examined_at: Option<Tick>,
}

/// S-130. A trade that would raise exposure. Only such a one can be asked about: there is no way from what lowers it,
/// from a report, a payment or a death to this (S-128).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening(Order);

impl Opening {
    /// The trade, if it opens or enlarges anything.
    pub(crate) const fn of(order: &Order) -> Option<Self> {
        if order.raises_exposure() { Some(Self(*order)) } else { None }
    }

    /// S-130. What it does, by its effect and not by its name.
    fn effect(self) -> ActionEffect {
        let spent = match self.0 {
            Order::Buy { spend, .. } => spend,
            Order::Provide { usdc, .. } => usdc,
            Order::Sell { .. } | Order::Withdraw { .. } => Usdc::ZERO,
        };
        let exposure_micros = i64::try_from(spent.micros()).unwrap_or(i64::MAX).max(1);
        ActionEffect { exposure_micros, writes_chain: true, ..ActionEffect::default() }
    }
}

impl Pressure {
    /// S-008. The first word furnishes the room; later ones change what may be changed.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, temper: &Temper, now: UtcTime) {
        match room {
            Some(pressure) => pressure.retemper(temper, now),
            None if temper.suffering.is_some() => {
                let (profile, place, ledger) = (temper.suffering, temper.place.clone(), Ledger::born(now));
                *room = Some(Box::new(Self { profile, place, ledger, ..Self::default() }));
            }
            None => {}
        }
    }

    /// S-008. Another reading, or none: what was suffered stays as it is and grows on when there is one again; the time
    /// between is charged to nobody.
    fn retemper(&mut self, temper: &Temper, now: UtcTime) {
        if self.profile.is_none() && temper.suffering.is_some() {
            self.suffering.resume(now);
            self.ledger.resume(now);
        }
        self.profile = temper.suffering;
        self.place = temper.place.clone();
    }

    /// S-085, S-124. Takes a predecessor's scars, as warnings and nothing else. A second time changes nothing.
    pub(crate) fn scar(&mut self, scars: &[Scar]) {
        self.suffering.inherit(scars.to_vec());
    }

    /// Whether it was told this already.
    pub(crate) fn heard(&self, temper: &Temper) -> bool {
        self.profile == temper.suffering && self.place == temper.place
    }

    /// The law it suffers by, when it does.
    #[must_use]
    pub fn law(&self) -> Option<SufferingLaw> {
        self.profile.map(|profile| SufferingLaw { profile, ..SufferingLaw::default() })
    }

    /// S-100. The block that stands above the goals of a prompt.
    #[must_use]
    pub fn prompt(&self) -> Option<String> {
        self.suffering.prompt(&self.law()?)
    }

    /// S-036. Whether a model is asked now though nothing may be chosen: in Crisis, once in each cycle.
    pub(crate) fn examines(&self, tick: Tick) -> bool {
        let Some(law) = self.law().filter(|_| self.suffering.frozen_at().is_none()) else { return false };
        let is_due = |at: Tick| tick.since(at) >= law.existence_cycle_ticks;
        self.suffering.deliberations_per_cycle().is_some() && self.examined_at.is_none_or(is_due)
    }

    /// S-080. What was suffered before where a trade would enter.
    pub(crate) fn anticipates(&self, opening: Opening, trader: &Trader) -> Option<Signal> {
        match self.judge(opening, trader)? {
            GoalVerdict::Open(signal) => signal,
            GoalVerdict::Closed(_) => None,
        }
    }

    /// S-129. What the gate says of a trade that raises exposure; `None` while it does not suffer.
    pub(crate) fn judge(&self, opening: Opening, trader: &Trader) -> Option<GoalVerdict> {
        self.law()?;
        let class = opening.effect().class();
        Some(self.suffering.judge(&Goal::new(class, WorkDomain { class: Some(class), ..self.here(trader) })))
    }

    /// S-129. Whether profit may be made into credits now: upkeep of one's own, so a lesser goal (C7). It names what it
    /// would relieve, and how that is measured. Who lives for less than that is never kept from it: no crisis shortens an
    /// economic life (S-036, S-134).
    pub(crate) fn may_harvest(&self, trader: &Trader, vitals: &Vitals) -> bool {
        const SAFE_SECONDS: u64 = 96 * 3_600;
        let economic = vitals.economic();
        let is_short = life_seconds(economic.spendable(), economic.burn().per_hour()) < SAFE_SECONDS;
        let aim = Aim::new("existential_threat", "projected_life_hours >= 96");
        is_short || self.is_open(GoalClass::Maintain, aim, trader)
    }

    /// Whether entries rest after one was closed.
    pub(crate) fn rests(&self, tick: Tick) -> bool {
        tick < self.rests_until
    }

    /// S-036. The largest model that may be asked beside the ticks.
    pub(crate) fn ceiling(&self) -> Tier {
        if self.law().is_some() { self.suffering.ceiling(Tier::T3) } else { Tier::T3 }
    }

    /// S-129. Whether data may be bought now (C6). Nothing is ordered or proved by what is bought, so there is no
    /// stressor it could name and no step by which it would be measured.
    pub(crate) fn may_buy(&self, trader: &Trader) -> bool {
        let effect = ActionEffect { spends_on_learning: true, ..ActionEffect::default() };
        self.is_open(effect.class(), None, trader)
    }

    /// S-129. The band in which nothing is published (C9), when this is one. Nobody is kept from being fed, and what a
    /// sibling or the owner is told is no publishing (C5).
    pub(crate) fn closes_publishing(&self, trader: &Trader) -> Option<Band> {
        let effect = ActionEffect { creates: true, ..ActionEffect::default() };
        (!self.is_open(effect.class(), None, trader)).then_some(self.band())
    }

    fn is_open(&self, class: GoalClass, aim: Option<Aim>, trader: &Trader) -> bool {
        let here = || WorkDomain { class: Some(class), ..self.here(trader) };
        self.law().is_none() || self.suffering.judge(&Goal { class, domain: here(), aim }).is_open()
    }

    pub(crate) const fn band(&self) -> Band {
        self.suffering.band()
    }

    /// S-083. The place of work, and the market it is in.
    fn here(&self, trader: &Trader) -> WorkDomain {
        WorkDomain { regime: Key::new(trader.regime_name()), ..self.place.clone() }
    }

    /// S-041. Takes in what came of an effect, and what a model said of what presses, if anybody can read it (S-044).
    pub(crate) fn land(&mut self, outcome: &Outcome, landing: Landing, trader: Option<&Trader>, now: UtcTime) {
        if let OutcomeResult::Confided { confession, .. } = &outcome.result {
            self.reply = self.profile.is_some().then(|| confession.suffering.clone());
        }
        if self.profile.is_none() {
            return;
        }
        let closed = trader.and_then(|trader| trader.ledger().line(outcome.effect)).and_then(|line| line.closed);
        let gain_micros = closed.map_or(0, |closed| closed.gain_micros());
        self.ledger.land(outcome, gain_micros, landing, &self.place, now);
        if let Some(attempt) = self.rehearsals.land(outcome, &self.place, now) {
            self.ledger.attempts.record(attempt);
        }
    }

    /// An outcome was taken back.
    pub(crate) fn take_back(&mut self, effect: EffectId) {
        self.ledger.take_back(effect);
    }

    /// S-051. What a pass does to it: behind the last turn time is charged and the world looked at, in every pass a
    /// model's word is checked. Dead or dying nothing moves any more (S-133).
    pub(crate) fn live(
        &mut self,
        body: &Body,
        trader: Option<&Trader>,
        kinship: Option<&Kinship>,
        pass: &mut Pass<'_>,
    ) {
        let (Some(law), input) = (self.law(), pass.input()) else { return };
        let vitals = body.vitals();
        if !body.is_alive() {
            if self.suffering.frozen_at().is_none() {
                let frozen = self.suffering.freeze(input.now, &law);
                say(vec![frozen], pass);
            }
            return;
        }
        if self.suffering.frozen_at().is_some() && vitals.phase() > Phase::Terminal {
            self.suffering.thaw(input.now);
        }
        if self.ledger.look(vitals, trader, pass) {
            self.suffering.owner_answers();
        }
        let facts = self.facts(body, trader, kinship, pass);
        if input.turn == Turn::Sleeping {
            say(self.suffering.feel(&facts, &law), pass);
        }
        if let Some(reply) = self.reply.take() {
            say(self.suffering.hear(reply.as_ref(), &facts, &law), pass);
        }
        if input.turn == Turn::Sleeping {
            self.close_cycle(&facts, &law, pass);
        }
        let asks = |effect: &Effect| matches!(effect.kind, EffectKind::Deliberate { .. });
        if pass.effects.iter().any(asks) {
            self.examined_at = Some(pass.tick());
        }
        let closed = |event: &Event| matches!(event, Event::TradeForgone { reason: Forgone::Suffering(_), .. });
        if pass.events.iter().any(closed) {
            self.rests_until = pass.tick().checked_add(REST_TICKS).unwrap_or(pass.tick());
        }
        self.rehearsals.want(vitals, pass);
    }

    fn close_cycle(&mut self, facts: &Facts, law: &SufferingLaw, pass: &mut Pass<'_>) {
        let end = self.suffering.close_cycle(facts.tick, facts.now, facts.is_dreaming, law);
        say(end.events, pass);
        if let Some(message) = end.message {
            pass.say(Event::CrisisTold(Box::new(message)));
        }
    }
}

fn say(events: Vec<SufferingEvent>, pass: &mut Pass<'_>) {
    events.into_iter().for_each(|event| pass.say(Event::Suffering(Box::new(event))));
}
