//! M-146..M-157. The order of a tick, as one visible function.

use golem_primitives::{Ppm, Tick, Usdc};

use super::{BalanceReading, Chance, SenescentNotes, TickError, TickFacts, TickRecord, Vitals};
use crate::cause::DeathCause;
use crate::economic::ladder::Rung;
use crate::economic::partitions::{Partition, Shares};
use crate::economic::reserve::RECALCULATION_TICKS;
use crate::epistemic::domain::DOMAINS;
use crate::epistemic::senescence::StageChange;
use crate::event::{LawEvent, LawEvents};
use crate::mode::Mode;
use crate::phase::Phase;
use crate::stochastic::roll::death_roll;
use crate::vitality::Vitality;

impl Vitals {
    /// One tick of the law, after the heartbeat has run (M-155). Returns the record of the tick and, if a check fired,
    /// the cause of death; nothing in here can be talked out of it (M-010).
    pub(crate) fn advance(
        &mut self,
        facts: &TickFacts<'_>,
        events: &mut LawEvents,
    ) -> Result<(TickRecord, Option<DeathCause>), TickError> {
        let expected = self.tick.next();
        if facts.tick != expected || facts.tick == self.tick {
            return Err(TickError::OutOfOrder { expected, got: facts.tick });
        }
        self.tick = facts.tick;
        self.open_positions = facts.open_positions;

        let spent = self.run_economic(facts, events); // M-146
        self.run_epistemic(facts, events); // M-147
        let before = self.vitality;
        self.run_vitality(facts); // M-148
        let survived = self.run_stochastic(facts, events); // M-149
        let cause = self.first_cause(survived, facts.balance, events); // M-149..M-151, M-154
        if cause.is_none() {
            self.settle_posture(&before, events); // M-152
        }
        self.report(events); // M-153, M-156

        let posture = cause.is_none().then(|| self.posture());
        let record = TickRecord {
            tick: self.tick,
            vitality: self.vitality(),
            spent,
            cumulative_survival: self.stochastic.cumulative_survival,
            posture,
        };
        Ok((record, cause))
    }

    /// M-146. Credits: what arrived, what was spent, what the chain says, what death will need.
    fn run_economic(&mut self, facts: &TickFacts<'_>, events: &mut LawEvents) -> Usdc {
        if !self.law.mode.counts_credits() {
            return Usdc::ZERO;
        }
        self.economic.purse_mut().turn_day(facts.now);
        if !facts.funded.is_zero() {
            self.economic.fund(facts.funded, self.present_shares());
            events.push(LawEvent::Funded { amount: facts.funded });
        }
        if !facts.revenue.is_zero() {
            self.economic.fund(facts.revenue, self.present_shares());
        }
        let charged = self.economic.charge(&facts.costs, self.tick);
        if !charged.unpaid.is_zero() {
            events.push(LawEvent::CostUnpaid { amount: charged.unpaid });
        }
        if charged.is_spike {
            let meter = self.economic.meter();
            events.push(LawEvent::BurnRateSpike { burn_rate: meter.rate(), trailing: meter.trailing() });
        }
        if let Some(rebalance) = charged.rebalance {
            events.push(LawEvent::PartitionRebalance(rebalance));
        }
        match facts.balance {
            BalanceReading::Ledger => {}
            BalanceReading::Observed(partitions) => self.economic.observe(partitions),
            BalanceReading::Blind => events.push(LawEvent::Blind),
        }
        self.look_at_reserve(events);
        if self.sustainability.note(self.tick, facts.revenue, charged.paid) {
            events.push(LawEvent::SustainabilityAchieved);
        }
        self.look_at_credits(events);
        charged.paid
    }

    /// M-038. Every 500 ticks the reserve follows the open positions, upwards only.
    fn look_at_reserve(&mut self, events: &mut LawEvents) {
        if !self.tick.is_every(RECALCULATION_TICKS) {
            return;
        }
        let required = self.law.reserve_for(self.economic.initial(), self.open_positions);
        let by = self.economic.raise_reserve(required);
        if !by.is_zero() {
            events.push(LawEvent::ReserveRaised { by, reserve: self.economic.reserve() });
        }
    }

    /// M-018, M-043, M-048. Notices of falling credits; none of them kills.
    fn look_at_credits(&mut self, events: &mut LawEvents) {
        let credits = self.economic.score().ppm();
        let (burn_rate, remaining) = (self.economic.burn(), self.economic.spendable());
        if self.critical.observe(credits < self.law.conservation_threshold) {
            let projected_ticks = self.economic.ttl_ticks();
            events.push(LawEvent::EconomicCritical { remaining, burn_rate, projected_ticks });
        }
        let rung = Rung::reached(credits);
        if let Some(rung) = rung.filter(|rung| self.rung.is_none_or(|before| *rung > before)) {
            events.push(LawEvent::CreditMilestone { rung, credits });
        }
        let was_preparing = self.rung >= Some(Rung::DeathPreparation);
        if rung >= Some(Rung::DeathPreparation) && !was_preparing {
            let deadline = self.tick.checked_add(burn_rate.ttl_ticks(remaining)).unwrap_or(Tick::MAX);
            events.push(LawEvent::FeedOption { amount: burn_rate.per_day(), deadline });
        }
        self.rung = rung;
    }

    /// M-147. Fitness and its thresholds.
    fn run_epistemic(&mut self, facts: &TickFacts<'_>, events: &mut LawEvents) {
        let ticked = self.epistemic.tick(&self.law.epistemic, self.tick, &facts.epistemic);
        let fitness = self.epistemic.fitness().ppm();
        // It weighs for 500 ticks and is told when something went.
        if facts.epistemic.erosion > Ppm::ZERO && facts.archived > 0 {
            events.push(LawEvent::GrimoireErosion { erosion: facts.epistemic.erosion });
        }
        if let (true, Some(score)) = (ticked.withheld, ticked.score) {
            events.push(LawEvent::DegradationWithheld { score });
        }
        for (law, _) in DOMAINS.iter().zip(ticked.failed).filter(|(_, failed)| *failed) {
            events.push(LawEvent::EpistemicDomainFailure { domain: law.domain });
        }
        match ticked.change {
            Some(StageChange::Entered) => events.push(LawEvent::SenescenceEntered { fitness }),
            Some(StageChange::Confirmed) => events.push(LawEvent::SenescenceConfirmed { fitness }),
            Some(StageChange::Recovered) => {
                self.senescent = SenescentNotes::default();
                events.push(LawEvent::EpistemicRecovery { fitness });
            }
            None => {}
        }
        if self.warning.observe(fitness < self.law.epistemic.warning) {
            events.push(LawEvent::EpistemicWarning {
                fitness,
                senescence_threshold: self.law.epistemic.senescence.threshold,
                ticks_in_decline: self.tick.since(self.epistemic.peak().1),
            });
        }
        self.note_senescence(facts);
        events.push(LawEvent::EpistemicFitness { fitness: self.epistemic.fitness(), score: ticked.score });
    }

    /// M-160. What a testament will say of the end.
    fn note_senescence(&mut self, facts: &TickFacts<'_>) {
        if self.epistemic.senescence().ticks_below() == 0 {
            return;
        }
        let notes = &mut self.senescent;
        notes.archived = notes.archived.saturating_add(facts.archived);
        notes.reflections = notes.reflections.saturating_add(u32::from(facts.reflection.is_some()));
        notes.improved |= facts.reflection == Some(true);
    }

    /// M-148. Composite and phase; the first phase is taken raw (MG-04).
    fn run_vitality(&mut self, facts: &TickFacts<'_>) {
        let (economic, epistemic) = (self.economic_score(), self.epistemic.fitness());
        let law = &self.law.vitality;
        self.vitality = if self.tick == Tick::new(1) {
            Vitality::birth(law, economic, epistemic, self.tick, facts.now)
        } else {
            self.vitality.next(law, economic, epistemic, self.tick, facts.now)
        };
    }

    /// M-149. Hazard and roll.
    fn run_stochastic(&mut self, facts: &TickFacts<'_>, events: &mut LawEvents) -> bool {
        let roll = match facts.chance {
            Chance::Named(salt) => death_roll(&self.id, self.tick, salt),
            Chance::Given(roll) => roll,
        };
        self.stochastic = self.stochastic.check(&self.law.hazard, self.tick, self.epistemic.fitness(), roll);
        let (hazard_rate, survived) = (self.stochastic.hazard, self.stochastic.survived);
        events.push(LawEvent::StochasticRoll { hazard_rate, roll, survived });
        survived
    }

    /// M-152. What the phase asks for from now on.
    fn settle_posture(&mut self, before: &Vitality, events: &mut LawEvents) {
        let is_first = self.tick == Tick::new(1);
        let (from_phase, to_phase) = (before.phase, self.vitality.phase);
        if is_first || from_phase == to_phase || self.law.mode == Mode::Immortal {
            return;
        }
        events.push(LawEvent::PhaseTransition {
            from_phase,
            to_phase,
            composite: self.vitality.composite,
            trigger_clock: self.vitality.components.trigger_since(&before.components),
        });
        if to_phase == Phase::Terminal {
            events.push(LawEvent::Dying { composite: self.vitality.composite });
        }
        // M-030, M-031: going down opens the legacy. Going up only the owner closes it again (V-009).
        if to_phase < from_phase && to_phase <= Phase::Declining && self.law.mode.counts_credits() {
            self.economic.purse_mut().resplit(Shares::of_phase(to_phase, self.law.shares));
            let legacy = self.economic.purse().partitions().get(Partition::Legacy);
            events.push(LawEvent::CreditsResplit { phase: to_phase, legacy });
        }
    }

    /// M-153, M-156, M-164. The vitality of the tick, on the last one too.
    fn report(&self, events: &mut LawEvents) {
        let vitality = self.vitality();
        events.push(LawEvent::VitalityUpdate {
            economic: vitality.economic,
            epistemic: vitality.epistemic,
            stochastic: vitality.components.age.ppm(),
            composite: vitality.composite,
            phase: vitality.phase,
            tick: self.tick,
        });
    }

    fn present_shares(&self) -> Shares {
        Shares::of_phase(self.phase(), self.law.shares)
    }
}
