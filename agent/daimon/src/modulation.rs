//! What a mood moves: numbers that exist anyway, each within fixed limits. It issues no action.

use golem_mortality::behaviour::Behaviour;
use golem_mortality::phase::Phase;
use golem_mortality::stochastic::hazard::Hazard;
use golem_primitives::{Ppm, Tick};

use crate::emotion::{Degree, Emotion};
use crate::feeling::Feeling;
use crate::pad::Pad;

/// Exploration never leaves this range.
const BETA: (f64, f64) = (0.1, 2.0);
/// The most any emotion adds to risk; not configurable.
pub const RISK_CAP: f64 = 1.20;
/// A-072, C-16. The least all factors of affect together leave of risk.
pub const RISK_FLOOR: f64 = 0.48;
/// The most a tier threshold moves.
const SHIFT: f64 = 0.15;
/// Arousal above which a pre-flight check wants a tenth more.
const ALARMED: f64 = 0.8;

/// Inverse temperature: the larger, the more is exploited.
#[must_use]
pub fn beta(base: f64, mood: Pad) -> f64 {
    (base + 0.3 * mood.pleasure() - 0.2 * mood.arousal() + 0.1 * mood.dominance()).clamp(BETA.0, BETA.1)
}

/// The same as a temperature: the larger, the more is explored.
#[must_use]
pub fn temperature(base: f64, mood: Pad) -> f64 {
    (base - 0.3 * mood.pleasure() + 0.2 * mood.arousal()).clamp(BETA.0, BETA.1)
}

/// I-007. Ticks in which an heir explores more than it will later, and how much warmer.
const YOUTH_TICKS: u64 = 100;
const YOUTH_TEMPERATURE: Ppm = Ppm::of(200_000);

/// I-006, I-007. What is added to the temperature of exploration on that tick of a successor's life.
#[must_use]
pub const fn youth(tick: Tick) -> Ppm {
    if tick.get() <= YOUTH_TICKS { YOUTH_TEMPERATURE } else { Ppm::ZERO }
}

/// What an emotion does to risk: fear and sadness lower it, anger raises it a little, joy does not.
#[must_use]
pub fn emotion_risk(primary: Emotion, degree: Degree) -> f64 {
    let factor: f64 = match (primary, degree) {
        (Emotion::Fear | Emotion::Sadness, Degree::Mild) => 0.9,
        (Emotion::Fear | Emotion::Sadness, Degree::Moderate) => 0.8,
        (Emotion::Fear | Emotion::Sadness, Degree::Intense) => 0.6,
        (Emotion::Anger, Degree::Mild) => 1.05,
        (Emotion::Anger, Degree::Moderate) => 1.10,
        (Emotion::Anger, Degree::Intense) => 1.15,
        (Emotion::Surprise, _) => 0.9,
        (Emotion::Joy | Emotion::Trust | Emotion::Disgust | Emotion::Anticipation, _) => 1.0,
    };
    factor.min(RISK_CAP)
}

/// Whether a mood is anxious enough to make every position smaller.
fn shrinks(mood: Pad) -> bool {
    mood.arousal() > 0.6 && mood.pleasure() < -0.3
}

/// What dominance leaves of Kelly sizing.
#[must_use]
pub fn kelly(mood: Pad) -> f64 {
    if mood.dominance() >= 0.0 { 1.0 } else { 1.0 + 0.4 * mood.dominance() }
}

/// A-071..A-073, A-091. All factors of affect on risk, in [0.48, 1.20].
#[must_use]
pub fn risk_factor(feeling: Option<&Feeling>, mood: Pad, grief: f64) -> f64 {
    let emotion = feeling.map_or(1.0, |felt| emotion_risk(felt.primary, felt.degree));
    let size = if shrinks(mood) { 0.8 } else { 1.0 };
    (emotion * size * kelly(mood) * grief).clamp(RISK_FLOOR, RISK_CAP)
}

/// M-140. Risk that is taken: the phase's, times affect, and never more than the law of mortality and the
/// cage give. Anger can win back what fear took; it opens nothing.
#[must_use]
pub fn risk_within(phase: Phase, cage: Ppm, factor: f64) -> Ppm {
    let row = Behaviour::of(phase);
    Ppm::round(row.risk.as_f64() * factor).min(row.risk_within(cage))
}

/// How thresholds of the first two tiers move. A shift that would make thinking harder is none: a mood
/// never prevents an escalation.
#[must_use]
pub fn tier_shifts(mood: Pad) -> [f64; 2] {
    let u = unease(mood);
    [-0.15 * u, -0.10 * u].map(|shift| shift.clamp(-SHIFT, 0.0))
}

/// How uneasy a mood is.
#[must_use]
pub fn unease(mood: Pad) -> f64 {
    -0.3 * mood.pleasure() + 0.2 * mood.arousal()
}

/// How a mood bends the severity of a situation; severity one always escalates.
#[must_use]
pub fn severity(raw: Ppm, mood: Pad) -> Ppm {
    if raw == Ppm::ONE {
        return raw;
    }
    let bias = if mood.arousal() > 0.6 && mood.pleasure() < 0.3 {
        0.15
    } else if mood.pleasure() > 0.7 && mood.dominance() > 0.5 {
        -0.10
    } else {
        0.0
    };
    Ppm::round(raw.as_f64() + f64::clamp(bias, -0.2, 0.2))
}

/// Whether a mood is too depleted for the large model; an anomaly beyond three sigma goes there anyway.
#[must_use]
pub fn may_use_large_model(mood: Pad, anomaly_sigma: f64) -> bool {
    anomaly_sigma > 3.0 || !(mood.arousal() < -0.3 && mood.dominance() < -0.3)
}

/// Confidence from which affect shares; `relief` is what grief takes off.
#[must_use]
pub fn sharing_by_affect(phase: Phase, vitality: Ppm, hazard: Hazard, mood: Pad, relief: f64) -> Ppm {
    if phase == Phase::Terminal {
        return Ppm::of(100_000);
    }
    let ease = if vitality < Ppm::of(100_000) {
        0.25
    } else if mood.pleasure() > 0.3 {
        0.10
    } else if mood.pleasure() < -0.5 && mood.dominance() < -0.3 {
        -0.05
    } else {
        0.0
    };
    let threshold = (0.6 - 0.15 * (hazard.get() / 5e-4).min(1.0) - ease).clamp(0.1, 0.8);
    Ppm::round((threshold - relief).max(0.1))
}

/// A-077, M-134. The threshold that holds: affect may open a hand the law leaves closed, never close one it opens.
#[must_use]
pub fn sharing_within(by_law: Ppm, by_affect: Ppm) -> Ppm {
    by_law.min(by_affect)
}

/// What a pre-flight check asks for above the bare minimum.
#[must_use]
pub fn safety_margin(mood: Pad) -> Ppm {
    if mood.arousal() > ALARMED { Ppm::of(100_000) } else { Ppm::ZERO }
}

#[cfg(test)]
#[path = "tests/modulation.rs"]
mod tests;
