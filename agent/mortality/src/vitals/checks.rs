//! M-149..M-151, M-154. The three death checks and what is known when one fires.

use super::{BalanceReading, Vitals};
use crate::cause::{Death, DeathCause};
use crate::event::{LawEvent, LawEvents};
use crate::phase::Phase;

impl Vitals {
    /// The first check that fires names the cause (M-154). For an immortal all are asked and none kills (M-236).
    pub(super) fn first_cause(
        &mut self,
        survived: bool,
        balance: BalanceReading,
        events: &mut LawEvents,
    ) -> Option<DeathCause> {
        let cause = self.check(survived, balance);
        if self.law.mode.is_mortal() {
            return cause;
        }
        if self.shadow_death.observe(cause.is_some())
            && let Some(cause) = cause
        {
            events.push(LawEvent::ImmortalWouldHaveDied { cause: cause.kind(), tick: self.tick });
        }
        None
    }

    /// Stochastic, then economic, then epistemic: the order decides which cause is recorded, so it lives here alone.
    fn check(&self, survived: bool, balance: BalanceReading) -> Option<DeathCause> {
        if !survived {
            return Some(self.stochastic_cause());
        }
        let is_counted = self.law.mode.counts_credits() && balance != BalanceReading::Blind;
        if is_counted && self.economic.is_starved(self.law.starvation_floor) {
            return Some(self.economic_cause());
        }
        // M-069, C-44: senescence alone does not kill, and neither does a low composite.
        let is_spent = self.vitality.composite < Phase::Declining.floor();
        if self.epistemic.senescence().is_senescent() && is_spent {
            return Some(self.epistemic_cause());
        }
        None
    }

    fn stochastic_cause(&self) -> DeathCause {
        DeathCause::Stochastic {
            hazard_rate: self.stochastic.hazard,
            death_roll: self.stochastic.last_roll.expect("a check was just made"),
            tick_at_death: self.tick,
            epistemic_fitness: self.epistemic.fitness(),
            credit_balance: self.economic.balance(),
            was_in_senescence: self.epistemic.senescence().is_senescent(),
        }
    }

    fn economic_cause(&self) -> DeathCause {
        DeathCause::Economic {
            balance: self.economic.balance(),
            burn_rate: self.economic.burn(),
            ticks_alive: self.tick.get(),
        }
    }

    fn epistemic_cause(&self) -> DeathCause {
        DeathCause::EpistemicSenescence {
            final_fitness: self.epistemic.fitness(),
            fitness_at_peak: self.epistemic.peak().0,
            ticks_in_senescence: self.epistemic.senescence().ticks_below(),
            failing_domains: self.epistemic.domains().failing(),
            last_successful_prediction: self.epistemic.last_correct(),
        }
    }

    /// M-159..M-161. The death certificate.
    pub(crate) fn certify(&self, cause: DeathCause, seconds_since_snapshot: Option<u64>) -> Death {
        let vitality = self.vitality();
        Death {
            cause,
            tick: self.tick,
            ticks_alive: self.tick.get(),
            final_vitality: vitality,
            phase: vitality.phase,
            cumulative_survival: self.stochastic.cumulative_survival,
            had_open_positions: self.open_positions > 0,
            seconds_since_snapshot,
            peak_tick: self.epistemic.peak().1,
            domain_fitness: self.epistemic.domains().0,
            archived_in_senescence: self.senescent.archived,
            reflections_attempted: self.senescent.reflections,
            reflection_improved: self.senescent.improved,
            mode: self.law.mode,
            composite: vitality.composite,
        }
    }
}
