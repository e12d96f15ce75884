//! What can move a Golem: an event of this tick with a metric behind it.

use golem_mortality::cause::CauseKind;
use golem_primitives::{Bps, Ppm, words};

use crate::mortal::MortalFacts;
use crate::pulse::Pulse;

words! {
    /// The kind of an event, by which novelty is judged.
    TriggerKind {
        TradeProfit = "trade_profit",
        TradeLoss = "trade_loss",
        PredictionMiss = "prediction_miss",
        PredictionResolved = "prediction_resolved",
        RegimeShift = "regime_shift",
        SiblingDeath = "sibling_death",
        KnowledgeValidated = "knowledge_validated",
        KnowledgeContradicted = "knowledge_contradicted",
        DreamOutcome = "dream_outcome",
        DreamInsight = "dream_insight",
        DreamThreat = "dream_threat",
        ThreatCameTrue = "dream_threat_came_true",
        Mortality = "mortality",
        PhaseChange = "phase_change",
        HazardCrossing = "hazard_crossing",
        CreditCrossing = "credit_crossing",
        CuratorCycle = "curator_cycle",
        Strain = "suffering_band",
        Relief = "suffering_resolved",
        Anomaly = "anomaly",
        Pulse = "pulse",
        Unknown = "unknown",
    }
}

words! {
    /// How near a rehearsed threat is.
    ThreatTier {
        /// It could come any day.
        One = "tier_1",
        /// It has come before.
        Two = "tier_2",
        Three = "tier_3",
    }
}

words! {
    /// Why one's own end is looked at.
    MortalReason {
        PhaseChange = "phase_change",
        HazardCrossing = "hazard_crossing",
        CreditCrossing = "credit_crossing",
        Look = "look",
    }
}

words! {
    /// A-160, S-144. The band of suffering that was entered, as affect sees it.
    Strain {
        Constrained = "constrained",
        Dominant = "dominant",
        Crisis = "crisis",
    }
}

/// An event of this tick.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A trade paid, in basis points of what was at stake.
    TradeProfit {
        /// How much; a negative number is none.
        gain: Bps,
    },
    /// A trade cost, in basis points of what was at stake.
    TradeLoss {
        /// How much; a negative number is none.
        loss: Bps,
    },
    PredictionMiss {
        error: Ppm,
    },
    /// A prediction was resolved.
    PredictionResolved {
        /// What came over what was said, in millionths; negative was worse.
        surprise_ppm: i32,
        /// How accuracy moves, in millionths; negative is worse.
        accuracy_trend_ppm: i32,
    },
    RegimeShift,
    /// A sibling died.
    SiblingDeath {
        cause: CauseKind,
        /// How much of its strategy is one's own.
        overlap: Ppm,
    },
    KnowledgeValidated,
    KnowledgeContradicted,
    DreamOutcome {
        validated: bool,
    },
    DreamInsight,
    DreamThreat {
        tier: ThreatTier,
    },
    ThreatCameTrue,
    Mortality {
        why: MortalReason,
        facts: MortalFacts,
    },
    CuratorCycle,
    Strain {
        band: Strain,
        load: Ppm,
    },
    Relief,
    Anomaly,
    /// The tick's metrics, when no event has a rule.
    Pulse(Pulse),
    Unknown,
}

impl Trigger {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> TriggerKind {
        match self {
            Self::TradeProfit { .. } => TriggerKind::TradeProfit,
            Self::TradeLoss { .. } => TriggerKind::TradeLoss,
            Self::PredictionMiss { .. } => TriggerKind::PredictionMiss,
            Self::PredictionResolved { .. } => TriggerKind::PredictionResolved,
            Self::RegimeShift => TriggerKind::RegimeShift,
            Self::SiblingDeath { .. } => TriggerKind::SiblingDeath,
            Self::KnowledgeValidated => TriggerKind::KnowledgeValidated,
            Self::KnowledgeContradicted => TriggerKind::KnowledgeContradicted,
            Self::DreamOutcome { .. } => TriggerKind::DreamOutcome,
            Self::DreamInsight => TriggerKind::DreamInsight,
            Self::DreamThreat { .. } => TriggerKind::DreamThreat,
            Self::ThreatCameTrue => TriggerKind::ThreatCameTrue,
            Self::Mortality { why, .. } => match why {
                MortalReason::PhaseChange => TriggerKind::PhaseChange,
                MortalReason::HazardCrossing => TriggerKind::HazardCrossing,
                MortalReason::CreditCrossing => TriggerKind::CreditCrossing,
                MortalReason::Look => TriggerKind::Mortality,
            },
            Self::CuratorCycle => TriggerKind::CuratorCycle,
            Self::Strain { .. } => TriggerKind::Strain,
            Self::Relief => TriggerKind::Relief,
            Self::Anomaly => TriggerKind::Anomaly,
            Self::Pulse(_) => TriggerKind::Pulse,
            Self::Unknown => TriggerKind::Unknown,
        }
    }

    /// Whether it is appraised whatever came before.
    #[must_use]
    pub const fn is_mandatory(&self) -> bool {
        match self {
            Self::Mortality { why, .. } => !matches!(why, MortalReason::Look),
            Self::DreamThreat { tier } => matches!(tier, ThreatTier::One),
            Self::RegimeShift | Self::SiblingDeath { .. } | Self::CuratorCycle => true,
            Self::Strain { .. } | Self::Relief => true,
            _ => false,
        }
    }

    /// Whether it is about one's own end, which an immortal does not feel.
    #[must_use]
    pub const fn is_mortal(&self) -> bool {
        matches!(self, Self::Mortality { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// what is never passed over.
    #[test]
    fn a_031_some_events_are_always_appraised() {
        let facts = MortalFacts::NONE;
        let mandatory = |trigger: Trigger| trigger.is_mandatory();
        for why in [MortalReason::PhaseChange, MortalReason::HazardCrossing, MortalReason::CreditCrossing] {
            assert!(mandatory(Trigger::Mortality { why, facts }), "{why}");
        }
        assert!(!mandatory(Trigger::Mortality { why: MortalReason::Look, facts }));
        assert!(mandatory(Trigger::RegimeShift) && mandatory(Trigger::CuratorCycle));
        assert!(mandatory(Trigger::SiblingDeath { cause: CauseKind::Economic, overlap: Ppm::ZERO }));
        assert!(mandatory(Trigger::DreamThreat { tier: ThreatTier::One }));
        assert!(!mandatory(Trigger::DreamThreat { tier: ThreatTier::Two }));
        assert!(mandatory(Trigger::Strain { band: Strain::Crisis, load: Ppm::ONE }), "A-160");
        assert!(!mandatory(Trigger::TradeLoss { loss: Bps::ZERO }));
    }
}
