//! No effect spends beyond its partition: what is promised is held until its outcome comes.

use arrayvec::ArrayVec;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::economic::costs::{GAS_TX, INSURANCE_SNAPSHOT, tier_price};
use golem_mortality::economic::day_spend::{DAILY_SPEND_CAP, DaySpend};
use golem_mortality::economic::partitions::Partition;
use golem_mortality::economic::purse::{Purpose, Purse, SpendError};
use golem_mortality::economic::tier::Tier;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use crate::record::{DreamTier, EffectKind, EffectRefusal};

/// Effects that may be open at once.
pub const OPEN_EFFECTS: usize = 32;
/// How many ordinary transactions' gas one on-chain effect may cost before it is not worth it.
const GAS_ROOM: u64 = 50;

/// What an effect asks of the purse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurseRequest {
    pub budget: Usdc,
    /// Who pays; `None` for what costs nothing or is paid by the reserve.
    pub payer: Option<Partition>,
    pub purpose: Purpose,
    pub tier: Tier,
}

impl PurseRequest {
    /// What asks nothing of it.
    pub const FREE: Self = Self { budget: Usdc::ZERO, payer: None, purpose: Purpose::Operation, tier: Tier::T0 };

    /// What an effect may cost, and who pays.
    pub(crate) fn of(kind: EffectKind) -> Self {
        let model = |tier: Tier, payer: Partition, purpose: Purpose| PurseRequest {
            budget: tier_price(tier).high,
            payer: Some(payer),
            purpose,
            tier,
        };
        let gas = |transactions: u64| PurseRequest {
            budget: Usdc::from_micros(GAS_TX.low.micros().saturating_mul(transactions)),
            payer: Some(Partition::Gas),
            ..PurseRequest::FREE
        };
        // The key's own coin pays on chain; nothing is taken from a partition, but a bound there is.
        let key = |transactions: u64| PurseRequest { payer: None, ..gas(transactions) };
        match kind {
            EffectKind::Reflect { ceiling } => model(Tier::T1.under(ceiling), Partition::Llm, Purpose::Operation),
            EffectKind::Deliberate { tier, .. } | EffectKind::Distil { tier } => {
                model(tier, Partition::Llm, Purpose::Operation)
            }
            // D-009. The grant is said by whoever asks; a full cycle needs models that may be asked (D-012).
            EffectKind::Dream { tier: DreamTier::Hardened, .. } => model(Tier::T1, Partition::Llm, Purpose::Operation),
            EffectKind::Dream { .. } => PurseRequest { payer: Some(Partition::Llm), ..PurseRequest::FREE },
            EffectKind::TakeDeathSnapshot => model(Tier::T1, Partition::Legacy, Purpose::DeathSnapshot),
            EffectKind::UnwindPositions { open } => gas(u64::from(open)),
            // What raises exposure must be affordable; what lowers it, and what keeps the Golem honest, must never wait for
            // a partition to be full.
            EffectKind::Trade(order) if order.raises_exposure() => gas(GAS_ROOM),
            EffectKind::Trade(_)
            | EffectKind::Beat { .. }
            | EffectKind::PayHost { .. }
            | EffectKind::Refuel { .. }
            | EffectKind::Harvest
            | EffectKind::Allocate
            | EffectKind::MoveCredits { .. }
            | EffectKind::RaiseReserve { .. }
            | EffectKind::DrawFloat { .. }
            | EffectKind::ResplitCredits { .. } => key(GAS_ROOM),
            // What it may cost is said by whoever asks.
            EffectKind::Buy { .. } => PurseRequest { payer: Some(Partition::Data), ..PurseRequest::FREE },
            // M-192. The end may cost what it costs.
            EffectKind::Declare { .. } | EffectKind::Settle => {
                PurseRequest { budget: GAS_TX.high, ..PurseRequest::FREE }
            }
            // Insurance is upkeep, paid by all partitions; it has a price but no single payer.
            EffectKind::TakeInsuranceSnapshot => PurseRequest { budget: INSURANCE_SNAPSHOT, ..PurseRequest::FREE },
            EffectKind::EmergencyDream
            | EffectKind::OfferFeed { .. }
            | EffectKind::Curate
            | EffectKind::WriteTestament
            | EffectKind::Rehearse(_) => PurseRequest::FREE,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Hold {
    effect: EffectId,
    payer: Option<Partition>,
    amount: Usdc,
}

/// The open promises of a life.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OpenPromises {
    open: ArrayVec<Hold, OPEN_EFFECTS>,
}

impl OpenPromises {
    /// Effects without an outcome yet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether nothing is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// What a partition has promised.
    #[must_use]
    pub fn promised(&self, partition: Partition) -> Usdc {
        self.open.iter().filter(|hold| hold.payer == Some(partition)).map(|hold| hold.amount).sum()
    }

    /// Promises to pay for `effect`, if the purse can still keep one promise more under every cap.
    ///
    /// # Errors
    /// [`EffectRefusal`] says which bound stands in the way; nothing is promised then.
    pub fn promise(
        &mut self,
        effect: EffectId,
        ask: PurseRequest,
        purse: &Purse,
        ceiling: Tier,
    ) -> Result<(), EffectRefusal> {
        let day = DaySpend::of(purse.spent_today(), DAILY_SPEND_CAP);
        if ask.tier > ceiling.min(day.ceiling()) {
            return Err(EffectRefusal::NoModel);
        }
        if let Some(partition) = ask.payer {
            let promised = self.promised(partition);
            let available = purse.partitions().get(partition).saturating_sub(promised);
            if ask.budget > available {
                return Err(EffectRefusal::Unaffordable { partition, available, budget: ask.budget });
            }
            let spend = purse.may_spend(partition, ask.purpose, promised.saturating_add(ask.budget));
            spend.map_err(|error| match error {
                SpendError::LegacyProtected => EffectRefusal::LegacyProtected,
                _ => EffectRefusal::DailyCap { partition },
            })?;
        }
        let hold = Hold { effect, payer: ask.payer, amount: ask.budget };
        self.open.try_push(hold).map_err(|_| EffectRefusal::TooManyOpen)
    }

    /// Whether an outcome of this effect is awaited.
    #[must_use]
    pub fn awaits(&self, effect: EffectId) -> bool {
        self.open.iter().any(|hold| hold.effect == effect)
    }

    /// Awaits an effect for which nothing is promised and which no full list may refuse: a death, and what a
    /// reorganisation took back. The oldest promise makes room.
    pub fn insist(&mut self, effect: EffectId) {
        if self.open.is_full() {
            self.open.remove(0);
        }
        self.open.push(Hold { effect, payer: None, amount: Usdc::ZERO });
    }

    /// An outcome came: the promise is over. Returns what it might have cost, or `None` when nobody waits for it.
    pub fn settle(&mut self, effect: EffectId) -> Option<Usdc> {
        let at = self.open.iter().position(|hold| hold.effect == effect)?;
        Some(self.open.remove(at).amount)
    }
}

/// Which partition pays for a source; upkeep is paid by all.
#[must_use]
pub const fn payer(source: CostSource) -> Option<Partition> {
    match source {
        CostSource::Inference | CostSource::Dream => Some(Partition::Llm),
        CostSource::Gas => Some(Partition::Gas),
        CostSource::Data => Some(Partition::Data),
        CostSource::Legacy => Some(Partition::Legacy),
        CostSource::Compute | CostSource::Insurance | CostSource::Styx => None,
    }
}

#[cfg(test)]
mod tests {
    use golem_mortality::economic::partitions::Shares;
    use golem_mortality::economic::purse::DailyCaps;
    use golem_primitives::{GolemId, Tick};
    use proptest::prelude::*;

    use super::*;

    fn id(ordinal: u32) -> EffectId {
        EffectId::derive(&GolemId::new("golem").expect("a name"), Tick::new(1), 0, ordinal)
    }

    fn ask(partition: Partition, micros: u64) -> PurseRequest {
        PurseRequest { budget: Usdc::from_micros(micros), payer: Some(partition), ..PurseRequest::FREE }
    }

    /// M-027, M-028: two promises that pass alone do not pass together when the cap holds one.
    #[test]
    fn m_028_promises_count_against_the_cap_before_they_are_paid() {
        let purse = Purse::new(Usdc::whole(100), Shares::NORMAL, DailyCaps::DEFAULT);
        let mut holds = OpenPromises::default();
        holds.promise(id(0), ask(Partition::Llm, 8_000_000), &purse, Tier::T2).expect("12 a day");
        let second = ask(Partition::Llm, 5_000_000);
        assert_eq!(
            holds.promise(id(1), second, &purse, Tier::T2),
            Err(EffectRefusal::DailyCap { partition: Partition::Llm })
        );
        assert_eq!(holds.settle(id(0)), Some(Usdc::whole(8)));
        assert_eq!(holds.settle(id(0)), None, "an outcome settles once");
        holds.promise(id(1), second, &purse, Tier::T2).expect("the first is over");
    }

    /// M-032, M-036, M-136: legacy pays for no operation; the phase's ceiling and the day's spending close the models.
    #[test]
    fn m_036_models_close_with_the_day_and_the_phase() {
        let mut purse = Purse::new(Usdc::whole(100), Shares::DECLINING, DailyCaps::DEFAULT);
        let mut holds = OpenPromises::default();
        let model = PurseRequest { tier: Tier::T1, ..PurseRequest::FREE };
        assert_eq!(holds.promise(id(0), model, &purse, Tier::T0), Err(EffectRefusal::NoModel));
        holds.promise(id(0), model, &purse, Tier::T1).expect("the ceiling allows it");
        let refused = holds.promise(id(1), ask(Partition::Legacy, 1), &purse, Tier::T2);
        assert_eq!(refused, Err(EffectRefusal::LegacyProtected));
        purse.charge(Partition::Legacy, Usdc::whole(9));
        assert_eq!(holds.promise(id(2), model, &purse, Tier::T2), Err(EffectRefusal::NoModel), "M-036: 90% of the day");
    }

    #[test]
    fn open_effects_are_bounded() {
        let purse = Purse::new(Usdc::whole(100), Shares::NORMAL, DailyCaps::DEFAULT);
        let mut holds = OpenPromises::default();
        for ordinal in 0..32 {
            holds.promise(id(ordinal), PurseRequest::FREE, &purse, Tier::T2).expect("room");
        }
        assert_eq!(holds.promise(id(99), PurseRequest::FREE, &purse, Tier::T2), Err(EffectRefusal::TooManyOpen));
        assert_eq!((holds.len(), holds.is_empty()), (32, false));
    }

    proptest! {
        /// Invariant 5: whatever is asked in whatever order, promises never exceed what their partition holds.
        #[test]
        fn promises_never_exceed_a_partition(asks in prop::collection::vec((0usize..4, 0u64..30_000_000), 0..60), settle in prop::collection::vec(0u32..60, 0..20)) {
            let purse = Purse::new(Usdc::whole(100), Shares::DECLINING, DailyCaps::DEFAULT);
            let mut holds = OpenPromises::default();
            for (ordinal, (at, micros)) in (0..).zip(asks) {
                let _ = holds.promise(id(ordinal), ask(Partition::ALL[at], micros), &purse, Tier::T2);
                if settle.contains(&ordinal) {
                    holds.settle(id(ordinal / 2));
                }
                for partition in Partition::ALL {
                    prop_assert!(holds.promised(partition) <= purse.partitions().get(partition));
                }
            }
        }
    }
}
