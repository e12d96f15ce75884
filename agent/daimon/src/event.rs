//! What the Daimon tells the outside, and who may hear it.

use crate::emotion::{Emotion, MoodLabel};
use crate::feeling::Felt;
use crate::pad::Pad;
use crate::watch::Alert;

/// Something that happened in the Daimon.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DaimonEvent {
    Appraisal {
        felt: Felt,
        /// Why a model was not believed, in words.
        divergence: Option<String>,
        /// Whether every channel hears of it.
        everywhere: bool,
    },
    /// The mood moved by more than 0.15 since it was last told.
    MoodUpdate {
        from: Pad,
        to: Pad,
        label: MoodLabel,
    },
    EmotionalShift {
        from: Option<Emotion>,
        to: Emotion,
    },
    /// A mark on a decision spoke.
    SomaticMarkerFired {
        /// How it felt, in millionths.
        valence_ppm: i32,
    },
    /// Grief began.
    GriefBegan {
        /// Whether one's own fitness in the failed domains is computed anew and dreams are more urgent.
        recalibrates: bool,
        /// Whether one's own credits are to be looked at again.
        looks_at_credits: bool,
    },
    /// Something the owner should know.
    Alert(Alert),
}

impl DaimonEvent {
    /// The name in files, streams and metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Appraisal { .. } => "daimon.appraisal",
            Self::MoodUpdate { .. } => "daimon.mood_update",
            Self::EmotionalShift { .. } => "daimon.emotional_shift",
            Self::SomaticMarkerFired { .. } => "daimon.somatic_marker_fired",
            Self::GriefBegan { .. } => "daimon.grief_began",
            Self::Alert(_) => "daimon.alert",
        }
    }
}

/// The part of a mood anybody may see.
#[must_use]
pub fn public_mood(mood: Pad) -> MoodLabel {
    MoodLabel::of(mood)
}

/// Names of the metrics.
pub mod metric {
    /// Gauge.
    pub const PLEASURE: &str = "daimon_pleasure";
    /// Gauge.
    pub const AROUSAL: &str = "daimon_arousal";
    /// Gauge.
    pub const DOMINANCE: &str = "daimon_dominance";
    /// Counter by `trigger` and `emotion`.
    pub const APPRAISALS: &str = "daimon_appraisals_total";
    /// Counter of models not believed.
    pub const OVERRIDES: &str = "daimon_overrides_total";
    /// Counter by `alert`.
    pub const ALERTS: &str = "daimon_alerts_total";
    /// Gauge: ticks of grief left.
    pub const GRIEF: &str = "daimon_grief_ticks_left";
    /// Gauge.
    pub const UNRESOLVED_AROUSAL: &str = "daimon_unresolved_arousal";
    /// All of them.
    pub const ALL: [&str; 8] = [PLEASURE, AROUSAL, DOMINANCE, APPRAISALS, OVERRIDES, ALERTS, GRIEF, UNRESOLVED_AROUSAL];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// the public hears a label and nothing else.
    #[test]
    fn a_152_only_a_label_is_public() {
        assert_eq!(public_mood(Pad::thousandths(-500, 600, -400)).name(), "anxious");
        assert!(metric::ALL.iter().all(|name| name.starts_with("daimon_")));
    }
}
