//! Appraisal by rule: free, always there, the same on every machine.

use golem_primitives::{Bps, Ppm};

use crate::emotion::{Degree, Emotion};
use crate::feeling::Feeling;
use crate::grief::sibling_death;
use crate::pad::Pad;
use crate::pulse::{Residual, vector_feeling};
use crate::trigger::{Strain, ThreatTier, Trigger};

/// What a rule needs to know of the one who feels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    pub baseline: Pad,
    /// What its predictions added up to, this one included.
    pub residual: Residual,
}

/// A loss of more than this frightens; one of exactly this saddens.
const FRIGHTENING: Bps = Bps::saturating(500);

fn percent(points: Bps) -> f64 {
    f64::from(points.get().max(0)) / 100.0
}

/// Section 5 of the catalogue: what an event feels like.
#[must_use]
pub fn appraise(trigger: &Trigger, ground: &Ground) -> Feeling {
    use Emotion::{Anticipation, Disgust, Joy, Surprise, Trust};
    let pad = Pad::thousandths;
    match trigger {
        Trigger::TradeProfit { gain } => {
            Feeling::new(Joy, pad(600, 300, 500), (percent(*gain) / 10.0).clamp(0.1, 0.9), 0.8)
        }
        Trigger::TradeLoss { loss } => trade_loss(*loss),
        Trigger::PredictionMiss { error } => {
            let pleasure = if *error > Ppm::of(500_000) { -300 } else { -100 };
            Feeling::new(Surprise, pad(pleasure, 600, -200), error.as_f64().clamp(0.2, 0.8), 0.7)
        }
        Trigger::PredictionResolved { .. } => vector_feeling(ground.residual.pad(), 0.4),
        Trigger::RegimeShift => Feeling::new(Surprise, pad(-200, 700, -300), 0.6, 0.9),
        Trigger::SiblingDeath { cause, overlap } => sibling_death(*cause, *overlap),
        Trigger::KnowledgeValidated => Feeling::new(Trust, pad(300, -100, 300), 0.4, 0.4).called(Degree::Mild),
        Trigger::KnowledgeContradicted => Feeling::new(Disgust, pad(-300, 200, 100), 0.4, 0.5).called(Degree::Mild),
        Trigger::DreamOutcome { validated: true } => {
            Feeling::new(Joy, pad(300, 100, 400), 0.4, 0.6).called(Degree::Mild)
        }
        Trigger::DreamOutcome { validated: false } => Feeling::new(Surprise, pad(-200, 400, -100), 0.5, 0.6),
        Trigger::DreamInsight => Feeling::new(Anticipation, pad(200, 300, 200), 0.3, 0.4).called(Degree::Mild),
        Trigger::DreamThreat { tier } => dream_threat(*tier),
        Trigger::ThreatCameTrue => Feeling::new(Emotion::Fear, pad(-400, 500, -300), 0.6, 0.9),
        Trigger::Mortality { facts, .. } => facts.feeling(),
        Trigger::Strain { band, load } => strain(*band, *load),
        Trigger::Relief => Feeling::new(Joy, pad(300, -100, 300), 0.4, 0.6),
        Trigger::Pulse(pulse) => pulse.feeling(ground.baseline),
        Trigger::CuratorCycle | Trigger::Anomaly | Trigger::Unknown => {
            Feeling::new(Anticipation, pad(0, 100, 0), 0.1, 0.2)
        }
    }
}

fn trade_loss(loss: Bps) -> Feeling {
    let (primary, arousal) = if loss > FRIGHTENING { (Emotion::Fear, 700) } else { (Emotion::Sadness, 200) };
    let intensity = (percent(loss) / 20.0).clamp(0.1, 0.9);
    Feeling::new(primary, Pad::thousandths(-500, arousal, -300), intensity, 0.9)
}

fn dream_threat(tier: ThreatTier) -> Feeling {
    let severity = match tier {
        ThreatTier::One => 0.8,
        ThreatTier::Two => 0.5,
        ThreatTier::Three => 0.3,
    };
    Feeling::new(Emotion::Fear, Pad::round(-0.4 * severity, 0.5 * severity, -0.3), severity, 0.7)
}

/// A-160, S-144. Suffering moves a mood; no mood moves suffering.
fn strain(band: Strain, load: Ppm) -> Feeling {
    let pad = match band {
        Strain::Constrained => Pad::thousandths(-200, 200, -100),
        Strain::Dominant => Pad::thousandths(-300, 400, -200),
        Strain::Crisis => Pad::thousandths(-500, 600, -400),
    };
    Feeling::new(Emotion::Fear, pad, load.as_f64().min(0.9), 0.9)
}

#[cfg(test)]
mod tests {
    use golem_mortality::cause::CauseKind;

    use super::*;

    const GROUND: Ground = Ground { baseline: Pad::NEUTRAL, residual: Residual::ZERO };

    fn felt(trigger: Trigger) -> (Emotion, Degree, [f64; 3], u32, u32) {
        let feeling = appraise(&trigger, &GROUND);
        let Feeling { primary, degree, pad, intensity, relevance } = feeling;
        (primary, degree, pad.axes(), intensity.get() / 1_000, relevance.get() / 1_000)
    }

    /// the whole table of rules, with its edges.
    #[test]
    fn a_034_the_table_of_rules() {
        use Degree::{Intense, Mild, Moderate};
        use Emotion::{Anticipation, Disgust, Fear, Joy, Sadness, Surprise, Trust};
        let bps = Bps::from;
        let loss = |points: i32| Trigger::TradeLoss { loss: bps(points) };
        let miss = |parts: u32| Trigger::PredictionMiss { error: Ppm::of(parts) };
        let death = Trigger::SiblingDeath { cause: CauseKind::Economic, overlap: Ppm::of(500_000) };
        for (trigger, expected) in [
            (Trigger::TradeProfit { gain: bps(500) }, (Joy, Moderate, [0.6, 0.3, 0.5], 500, 800)),
            (Trigger::TradeProfit { gain: bps(-3) }, (Joy, Mild, [0.6, 0.3, 0.5], 100, 800)),
            (Trigger::TradeProfit { gain: bps(90_000) }, (Joy, Intense, [0.6, 0.3, 0.5], 900, 800)),
            (loss(500), (Sadness, Mild, [-0.5, 0.2, -0.3], 250, 900)),
            (loss(501), (Fear, Mild, [-0.5, 0.7, -0.3], 250, 900)),
            (loss(800), (Fear, Moderate, [-0.5, 0.7, -0.3], 400, 900)),
            (miss(500_000), (Surprise, Moderate, [-0.1, 0.6, -0.2], 500, 700)),
            (miss(500_001), (Surprise, Moderate, [-0.3, 0.6, -0.2], 500, 700)),
            (miss(1), (Surprise, Mild, [-0.1, 0.6, -0.2], 200, 700)),
            (Trigger::RegimeShift, (Surprise, Moderate, [-0.2, 0.7, -0.3], 600, 900)),
            (death, (Sadness, Moderate, [-0.4, 0.3, -0.2], 600, 500)),
            (Trigger::KnowledgeValidated, (Trust, Mild, [0.3, -0.1, 0.3], 400, 400)),
            (Trigger::KnowledgeContradicted, (Disgust, Mild, [-0.3, 0.2, 0.1], 400, 500)),
            (Trigger::DreamOutcome { validated: true }, (Joy, Mild, [0.3, 0.1, 0.4], 400, 600)),
            (Trigger::DreamOutcome { validated: false }, (Surprise, Moderate, [-0.2, 0.4, -0.1], 500, 600)),
            (Trigger::DreamInsight, (Anticipation, Mild, [0.2, 0.3, 0.2], 300, 400)),
            (Trigger::ThreatCameTrue, (Fear, Moderate, [-0.4, 0.5, -0.3], 600, 900)),
            (Trigger::Unknown, (Anticipation, Mild, [0.0, 0.1, 0.0], 100, 200)),
        ] {
            assert_eq!(felt(trigger), expected, "{trigger:?}");
        }
    }

    /// W-26, what fires at wake.
    #[test]
    fn a_117_dream_threats_meet_w_26() {
        let expected = (Emotion::Fear, Degree::Intense, [-0.32, 0.4, -0.3], 800, 700);
        assert_eq!(felt(Trigger::DreamThreat { tier: ThreatTier::One }), expected, "W-26");
        assert_eq!(felt(Trigger::DreamThreat { tier: ThreatTier::Three }).2, [-0.12, 0.15, -0.3]);
    }

    /// A-160, S-144: entering a band and leaving a stressor.
    #[test]
    fn a_160_suffering_moves_the_mood() {
        let at = |band, load| {
            let felt = appraise(&Trigger::Strain { band, load: Ppm::of(load) }, &GROUND);
            (felt.pad.axes(), felt.intensity)
        };
        assert_eq!(at(Strain::Constrained, 600_000), ([-0.2, 0.2, -0.1], Ppm::of(600_000)));
        assert_eq!(at(Strain::Dominant, 800_000), ([-0.3, 0.4, -0.2], Ppm::of(800_000)));
        assert_eq!(at(Strain::Crisis, 1_000_000), ([-0.5, 0.6, -0.4], Ppm::of(900_000)), "at most 0.9");
        let relief = appraise(&Trigger::Relief, &GROUND);
        assert_eq!((relief.pad.axes(), relief.intensity), ([0.3, -0.1, 0.3], Ppm::of(400_000)));
    }

    /// a resolved prediction feels like what all of them added up to.
    #[test]
    fn a_036_a_resolution_feels_like_the_residual() {
        let residual = Residual::ZERO.resolved(-900_000, -500_000);
        let trigger = Trigger::PredictionResolved { surprise_ppm: -900_000, accuracy_trend_ppm: -500_000 };
        let felt = appraise(&trigger, &Ground { residual, ..GROUND });
        assert_eq!((felt.pad, felt.primary), (residual.pad(), Emotion::Fear));
    }
}
