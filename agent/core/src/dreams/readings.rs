//! What a life reads of itself before it may dream.

use golem_dreams::clocks::Clocks;
use golem_dreams::gate::DreamStanding;
use golem_dreams::urgency::Readings;
use golem_mortality::economic::partitions::Partition;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Ppm, Tick, Usdc};

use super::LifeDreams;
use crate::desk::Desk;
use crate::mind::Mind;
use crate::record::EffectKind;
use crate::trader::Trader;

/// D-203 to D-205. What the clocks say; where credits are not counted nobody runs out of them.
pub(crate) fn clocks(vitals: &Vitals) -> Clocks {
    let law = vitals.law();
    Clocks {
        projected_ticks: law.mode.counts_credits().then(|| vitals.economic().ttl_ticks()),
        accuracy: vitals.epistemic().fitness().ppm(),
        tick: vitals.tick(),
        reference_lifespan: law.vitality.reference_lifespan_ticks,
    }
}

/// D-010, D-024. What the LLM partition holds of what is left, the host's bill and what is promised taken off.
fn credit(vitals: &Vitals, trader: Option<&Trader>, desk: &Desk) -> Ppm {
    if !vitals.law().mode.counts_credits() {
        return Ppm::ONE;
    }
    let parts = vitals.economic().purse().partitions();
    let all: u128 = Partition::ALL.into_iter().map(|part| u128::from(parts.get(part).micros())).sum();
    let free = thinkable(vitals, trader, desk);
    let share = u128::from(free.micros()) * 1_000_000 / all.max(1);
    Ppm::saturating(u64::try_from(share).unwrap_or(u64::MAX))
}

/// What the LLM partition holds beyond what is owed and promised.
pub(super) fn thinkable(vitals: &Vitals, trader: Option<&Trader>, desk: &Desk) -> Usdc {
    let owed = trader.map_or(Usdc::ZERO, |trader| trader.owed);
    let held = vitals.economic().purse().partitions().get(Partition::Llm);
    held.saturating_sub(owed).saturating_sub(desk.holds.promised(Partition::Llm))
}

impl LifeDreams {
    /// D-023 to D-026. What the gate looks at. Terminal sets everything aside as legacy, so its one dream stands by what
    /// was left before.
    pub(super) fn standing(
        &mut self,
        vitals: &Vitals,
        trader: Option<&Trader>,
        mind: Option<&Mind>,
        desk: &Desk,
    ) -> DreamStanding {
        let phase = vitals.phase();
        if phase != Phase::Terminal {
            self.credit = credit(vitals, trader, desk);
        }
        let is_trading = trader.is_some_and(|trader| trader.flies(|kind| matches!(kind, EffectKind::Trade(_))));
        DreamStanding {
            episodes: self.recalled.episodes,
            credit: self.credit,
            phase,
            // An answer that is awaited may become a trade.
            is_permit_pending: is_trading || mind.is_some_and(|mind| mind.pending.is_some()),
        }
    }

    /// DG-3. What urgency is counted from.
    pub(super) fn readings(&self, vitals: &Vitals, trader: Option<&Trader>, tick: Tick) -> Readings {
        Readings {
            surprises: self.recalled.surprises.clone(),
            unreplayed: self.recalled.unreplayed,
            arousal: self.recalled.arousal,
            lost: self.lost(tick),
            nav: trader.and_then(Trader::capital).unwrap_or(Usdc::ZERO),
            accuracy: vitals.epistemic().fitness().ppm(),
            ticks_since: tick.since(self.state.last_dream.unwrap_or_default()),
        }
    }
}
