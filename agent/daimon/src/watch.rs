//! What is watched for: affect that no longer tells anything apart.

use std::collections::BTreeMap;

use golem_mortality::ring::Ring;
use golem_primitives::{Tick, UtcTime, words};

use crate::emotion::{Emotion, MoodLabel};
use crate::feeling::Felt;
use crate::pad::Pad;

words! {
    /// What the owner is told.
    Alert {
        /// More than ten events of one tick were worth an appraisal.
        TooManyAppraisals = "too_many_appraisals",
        LowDiversity = "low_diversity",
        /// One label for 500 ticks.
        SameLabel = "same_label",
        /// The bound of contagion was met three times in a day.
        ContagionCap = "contagion_cap",
        /// No command over anything for 200 ticks.
        Helplessness = "helplessness",
        /// A model was overridden too often and is asked no longer.
        ModelSwitchedOff = "model_switched_off",
    }
}

/// Bits of entropy below which everything feels the same.
pub const LEAST_ENTROPY: f64 = 0.5;
/// How much louder events are then, and for how long.
pub const SENSITIVITY: f64 = 1.5;
const SENSITIVE_TICKS: u64 = 50;
/// Appraisals below which their variety says nothing.
const LEAST_LABELS: usize = 5;
/// Ticks an appraisal counts.
const LABEL_TICKS: u64 = 50;
///
const SAME_LABEL_TICKS: u64 = 500;
const CAP_HITS: usize = 3;
///
const HELPLESS_TICKS: usize = 200;
/// The sum of 200 dominances in millionths below which their mean is below -0.3.
const HELPLESS_SUM: i64 = -300_000 * HELPLESS_TICKS as i64;
/// What is remembered for the watch; bounded.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct WatchMemory {
    labels: Ring<Option<(Tick, Emotion)>, 64>,
    label: Option<(MoodLabel, Tick)>,
    dominance: Ring<i32, HELPLESS_TICKS>,
    dominance_sum: i64,
    cap_hits: Ring<UtcTime, CAP_HITS>,
    sensitive_until: Tick,
    helpless: bool,
    same_told: bool,
}

/// Shannon entropy of labels, in bits.
#[must_use]
pub fn entropy_bits(labels: impl Iterator<Item = Emotion>) -> f64 {
    let mut counts: BTreeMap<Emotion, u32> = BTreeMap::new();
    labels.for_each(|label| *counts.entry(label).or_default() += 1);
    let total = f64::from(counts.values().sum::<u32>());
    counts.values().map(|count| f64::from(*count) / total).map(|share| -share * libm::log2(share)).sum()
}

impl WatchMemory {
    /// How much louder events are now.
    #[must_use]
    pub const fn sensitivity(&self, tick: Tick) -> f64 {
        if tick.get() < self.sensitive_until.get() { SENSITIVITY } else { 1.0 }
    }

    /// Whether nothing has been in one's hands for 200 ticks: own doing is weighed more, small wins rouse more,
    /// siblings' successes are recalled, and the owner is told.
    #[must_use]
    pub const fn is_helpless(&self) -> bool {
        self.helpless
    }

    /// Notes an appraisal.
    pub fn note_felt(&mut self, felt: &Felt) {
        self.labels.push(Some((felt.tick, felt.feeling.primary)));
    }

    /// Notes that contagion met its bound.
    pub fn note_cap(&mut self, now: UtcTime) -> Option<Alert> {
        self.cap_hits.push(now);
        let oldest = self.cap_hits.oldest().copied()?;
        (self.cap_hits.is_full() && now.since(oldest).as_secs() < UtcTime::DAY_SECONDS).then_some(Alert::ContagionCap)
    }

    /// Notes the mood of a tick.
    pub fn note_mood(&mut self, mood: Pad, tick: Tick) -> Vec<Alert> {
        let mut alerts = Vec::new();
        let label = MoodLabel::of(mood);
        match self.label {
            Some((same, since)) if same == label => {
                if tick.since(since) >= SAME_LABEL_TICKS && !self.same_told {
                    self.same_told = true;
                    alerts.push(Alert::SameLabel);
                }
            }
            _ => (self.label, self.same_told) = (Some((label, tick)), false),
        }
        let felt = mood.millionths()[2];
        let dropped = self.dominance.push(felt).unwrap_or_default();
        self.dominance_sum += i64::from(felt) - i64::from(dropped);
        let helpless = self.dominance.is_full() && self.dominance_sum < HELPLESS_SUM;
        if helpless && !self.helpless {
            alerts.push(Alert::Helplessness);
        }
        self.helpless = helpless;
        alerts
    }

    /// At a Curator's round: whether the last 50 ticks still told anything apart.
    pub fn review(&mut self, tick: Tick) -> Option<Alert> {
        let recent = || self.labels.iter().flatten().filter(|(at, _)| tick.since(*at) < LABEL_TICKS);
        if recent().count() < LEAST_LABELS || entropy_bits(recent().map(|(_, label)| *label)) >= LEAST_ENTROPY {
            return None;
        }
        self.sensitive_until = Tick::new(tick.get().saturating_add(SENSITIVE_TICKS));
        Some(Alert::LowDiversity)
    }
}

/// Arousal from which an episode is high.
pub const HIGH_AROUSAL: f64 = 0.5;

#[cfg(test)]
#[path = "tests/watch.rs"]
mod tests;
