//! What a tick gives reason to feel: numbers read from chain and law, never from a model.

use golem_primitives::Ppm;

use crate::emotion::Emotion;
use crate::trigger::{Trigger, TriggerKind};

/// Prediction error above which surprise has a reason.
pub const SURPRISING: Ppm = Ppm::of(200_000);

/// Reasons found in a tick's events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeelingGrounds {
    kinds: Vec<TriggerKind>,
    gain: bool,
    threat: bool,
    surprise: bool,
}

/// Why a feeling has no ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ungrounded {
    #[error("joy needs a positive metric in the same tick")]
    JoyWithoutGain,
    #[error("fear needs a loss, a decay or a hazard in the same tick")]
    FearWithoutThreat,
    #[error("surprise needs a prediction error above 0.2 in the same tick")]
    SurpriseWithoutError,
    #[error("an emotion needs a trigger of the same tick")]
    NoTrigger,
}

impl FeelingGrounds {
    /// The reasons in a tick's events.
    #[must_use]
    pub fn of(triggers: &[Trigger]) -> Self {
        let mut found = Self::default();
        for trigger in triggers {
            found.kinds.push(trigger.kind());
            match trigger {
                Trigger::TradeProfit { gain } => found.gain |= gain.get() > 0,
                Trigger::TradeLoss { loss } => found.threat |= loss.get() > 0,
                Trigger::PredictionMiss { error } => found.surprise |= *error > SURPRISING,
                Trigger::PredictionResolved { surprise_ppm, .. } => {
                    found.gain |= *surprise_ppm > 0;
                    found.threat |= *surprise_ppm < 0;
                    found.surprise |= surprise_ppm.unsigned_abs() > SURPRISING.get();
                }
                Trigger::RegimeShift => (found.threat, found.surprise) = (true, true),
                Trigger::KnowledgeValidated | Trigger::Relief => found.gain = true,
                Trigger::DreamOutcome { validated } => {
                    found.gain |= *validated;
                    found.surprise |= !*validated;
                }
                Trigger::SiblingDeath { .. } | Trigger::DreamThreat { .. } | Trigger::ThreatCameTrue => {
                    found.threat = true;
                }
                Trigger::Mortality { .. } | Trigger::Strain { .. } => found.threat = true,
                Trigger::Pulse(pulse) => {
                    found.gain |= pulse.pnl_sign > 0;
                    found.threat |= pulse.pnl_sign < 0;
                    found.surprise |= pulse.prediction_error > SURPRISING;
                }
                Trigger::Anomaly => found.surprise = true,
                Trigger::KnowledgeContradicted | Trigger::DreamInsight | Trigger::CuratorCycle | Trigger::Unknown => {}
            }
        }
        found
    }

    /// Whether an emotion that names its trigger has a reason here.
    ///
    /// # Errors
    /// [`Ungrounded`], by rule.
    pub fn supports(&self, emotion: Emotion, trigger: Option<TriggerKind>) -> Result<(), Ungrounded> {
        if !trigger.is_some_and(|named| self.kinds.contains(&named)) {
            return Err(Ungrounded::NoTrigger);
        }
        match emotion {
            Emotion::Joy if !self.gain => Err(Ungrounded::JoyWithoutGain),
            Emotion::Fear if !self.threat => Err(Ungrounded::FearWithoutThreat),
            Emotion::Surprise if !self.surprise => Err(Ungrounded::SurpriseWithoutError),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Bps;

    use super::*;
    use crate::pulse::Pulse;

    /// each rule, refused and met.
    #[test]
    fn a_041_no_emotion_without_a_reason() {
        let gain = Trigger::TradeProfit { gain: Bps::from(10) };
        let loss = Trigger::TradeLoss { loss: Bps::from(10) };
        let miss = |parts| Trigger::PredictionMiss { error: Ppm::of(parts) };
        let says = |triggers: &[Trigger], emotion| {
            FeelingGrounds::of(triggers).supports(emotion, triggers.first().map(Trigger::kind))
        };
        assert_eq!(says(&[gain], Emotion::Joy), Ok(()));
        assert_eq!(says(&[loss], Emotion::Joy), Err(Ungrounded::JoyWithoutGain));
        assert_eq!(says(&[loss], Emotion::Fear), Ok(()));
        assert_eq!(says(&[gain], Emotion::Fear), Err(Ungrounded::FearWithoutThreat));
        assert_eq!(says(&[miss(200_001)], Emotion::Surprise), Ok(()));
        assert_eq!(says(&[miss(200_000)], Emotion::Surprise), Err(Ungrounded::SurpriseWithoutError));
        assert_eq!(says(&[], Emotion::Anticipation), Err(Ungrounded::NoTrigger));
        let elsewhere = FeelingGrounds::of(&[gain]).supports(Emotion::Joy, Some(TriggerKind::RegimeShift));
        assert_eq!(elsewhere, Err(Ungrounded::NoTrigger), "a trigger of another tick");
        let none = Trigger::TradeProfit { gain: Bps::from(-10) };
        assert_eq!(says(&[none], Emotion::Joy), Err(Ungrounded::JoyWithoutGain), "a profit below nothing");
        let pulse = |pnl_sign| {
            Trigger::Pulse(Pulse {
                desirability_ppm: 0,
                pnl_sign,
                anomalies: 0,
                prediction_error: Ppm::ZERO,
                coping_ppm: 0,
                vitality: Ppm::ONE,
            })
        };
        for (sign, joy, fear) in [(1, true, false), (0, false, false), (-1, false, true)] {
            let grounded = |emotion| says(&[pulse(sign)], emotion).is_ok();
            assert_eq!((grounded(Emotion::Joy), grounded(Emotion::Fear)), (joy, fear), "{sign}");
        }
    }
}
