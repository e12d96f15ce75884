//! Everything the evaluator sees of this life in a tick.

use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, UtcTime};
use golem_suffering::Facts;
use golem_suffering::facts::{GoalFacts, LegacyFacts, PurposeFacts, SharingFacts, SurvivalFacts, life_seconds};
use golem_suffering::truth::Reading;

use super::Pressure;
use crate::body::Body;
use crate::kinship::Kinship;
use crate::pass::Pass;
use crate::record::EffectKind;
use crate::trader::Trader;

/// S-127. Predictions judged below which fitness says nothing.
const LEAST_PAIRS: usize = 50;

impl Pressure {
    pub(super) fn facts(
        &self,
        body: &Body,
        trader: Option<&Trader>,
        kinship: Option<&Kinship>,
        pass: &Pass<'_>,
    ) -> Facts {
        let (vitals, now, ledger) = (body.vitals(), pass.now(), &self.ledger);
        // S-067. What cannot be seen is neither so nor not so.
        let sees = trader.is_none_or(|trader| !trader.is_blind());
        let seeing = trader.filter(|_| sees);
        Facts {
            domain: trader.map_or_else(|| self.place.clone(), |trader| self.here(trader)),
            is_dreaming: matches!(body, Body::Dreaming(_)),
            attempts: Some(ledger.attempts.facts(now)),
            goals: sees.then(|| GoalFacts {
                stalled: ledger.stalled.of_a_day(now),
                completed: ledger.completed.of_a_day(now),
                deployed: ledger.rules,
                called: ledger.called.of_a_day(now),
            }),
            actions: Some(ledger.actions.facts(now, ledger.inference(now), ledger.fitness_change(now))),
            sharing: sees.then(|| kinship.map_or_else(|| self.alone(), |kinship| kinship.sharing(self.alone(), now))),
            conduct: Some(ledger.conduct.facts(now)),
            survival: survival(vitals, sees),
            purpose: seeing.map(|trader| self.purpose(trader, now)),
            legacy: trader.map(|trader| self.legacy(vitals, trader, pass.desk.open_positions)),
            ..Facts::blind(pass.tick(), now, vitals.phase())
        }
    }

    /// Nobody is within reach but the owner: the rule for one that lives alone holds.
    const fn alone(&self) -> SharingFacts {
        SharingFacts {
            shares: 0,
            acks: 0,
            acked_share_at: None,
            owner_at: self.ledger.owner_at,
            born_at: self.ledger.silent_since,
            siblings: Reading::Off,
        }
    }

    fn purpose(&self, trader: &Trader, now: UtcTime) -> PurposeFacts {
        let ledger = &self.ledger;
        PurposeFacts {
            idle_since: ledger.idle_since,
            ruleless_since: ledger.ruleless_since,
            strategy_active: trader.sight().is_some(),
            predictions: u32::try_from(trader.predictions.len()).unwrap_or(u32::MAX),
            goals_completed: ledger.completed.of_a_day(now),
            verified: ledger.verified.of_a_day(now),
        }
    }

    /// S-132. The snapshot of a declining life is the draft of what it leaves.
    fn legacy(&self, vitals: &Vitals, trader: &Trader, open_positions: u32) -> LegacyFacts {
        let unwinds = trader.flies(|kind| matches!(kind, EffectKind::Trade(_)));
        LegacyFacts {
            has_draft: self.ledger.has_draft,
            snapshot_at: self.ledger.snapshot_at,
            reserve_funded: !vitals.economic().reserve().is_zero(),
            unwind_on_schedule: open_positions == 0 || unwinds,
        }
    }
}

/// S-125. Clocks that do not hold endanger nobody.
fn survival(vitals: &Vitals, sees: bool) -> SurvivalFacts {
    let (mode, economic, epistemic) = (vitals.law().mode, vitals.economic(), vitals.epistemic());
    let known = |holds: bool, share: Ppm| if holds { Reading::Known(share) } else { Reading::Off };
    SurvivalFacts {
        life_seconds: match (mode.counts_credits(), sees) {
            (true, true) => Reading::Known(life_seconds(economic.spendable(), economic.burn().per_hour())),
            (true, false) => Reading::Unknown,
            (false, _) => Reading::Off,
        },
        fitness: if epistemic.pairs() < LEAST_PAIRS {
            Reading::Unknown
        } else {
            known(mode.is_mortal(), epistemic.fitness().ppm())
        },
        composite: known(mode.is_mortal(), vitals.vitality().composite),
    }
}
