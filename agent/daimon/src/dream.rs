//! Arousal of episodes, and what dreams make of it.

use golem_primitives::Ppm;

use crate::pad::Pad;
use crate::watch::HIGH_AROUSAL;

/// Episodes that count.
pub const LOAD_EPISODES: usize = 50;
/// as decided: what a cycle takes from an arousal.
pub const STEP: f64 = 0.3;
/// The most a cycle may take, and only from arousal of at most [`GENTLE_ABOVE`], so that what is above it takes three
/// cycles or more.
pub const STEP_MAX: f64 = 0.5;
/// Above this a cycle takes no more than [`STEP`].
pub const GENTLE_ABOVE: f64 = 0.8;
/// At most this aroused, an episode leaves the queue.
pub const QUEUE_EXIT: f64 = 0.20;
/// Share of a REM budget that stays creative, whatever the mood.
pub const CREATIVE_SHARE: Ppm = Ppm::of(200_000);

/// An episode as dreams see it: its arousal if it was tagged, and whether a dream has taken it up.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpisodeArousal {
    /// Its arousal; an untagged one has none.
    pub arousal: Option<f64>,
    pub processed: bool,
}

/// Arousal nobody has dealt with: the mean size over the last 50 episodes, newest last; what is untagged
/// or was dreamt of counts as none, so that the load falls by itself.
#[must_use]
pub fn unresolved_arousal(episodes: &[EpisodeArousal]) -> Ppm {
    let recent = &episodes[episodes.len().saturating_sub(LOAD_EPISODES)..];
    if recent.is_empty() {
        return Ppm::ZERO;
    }
    let open = recent.iter().filter(|one| !one.processed).filter_map(|one| one.arousal);
    Ppm::round(open.map(f64::abs).sum::<f64>() / recent.len() as f64)
}

/// The episode every replay batch takes whatever its utility: the most aroused above 0.5, the first of equals.
#[must_use]
pub fn most_aroused(episodes: &[EpisodeArousal]) -> Option<usize> {
    let size = |one: &EpisodeArousal| one.arousal.map_or(0.0, f64::abs);
    let high = episodes.iter().enumerate().filter(|(_, one)| size(one) > HIGH_AROUSAL);
    high.reduce(|best, one| if size(one.1) > size(best.1) { one } else { best }).map(|(at, _)| at)
}

/// Whether an episode is queued for depotentiation.
#[must_use]
pub fn enters_queue(pad: Pad) -> bool {
    pad.arousal().abs() > HIGH_AROUSAL
}

/// Whether it leaves the queue.
#[must_use]
pub fn leaves_queue(pad: Pad) -> bool {
    pad.arousal().abs() <= QUEUE_EXIT
}

/// as decided. One cycle takes `step` from the size of the arousal, never below nothing. Pleasure and
/// dominance stay: the lesson keeps its sign, and so does the arousal.
#[must_use]
pub fn depotentiated(pad: Pad, step: f64) -> Pad {
    let arousal = pad.arousal();
    let most = if arousal.abs() > GENTLE_ABOVE { STEP } else { STEP_MAX };
    let step = if step.is_nan() { STEP } else { step.clamp(STEP, most) };
    let left = (arousal.abs() - step).max(0.0);
    Pad::round(pad.pleasure(), if arousal < 0.0 { -left } else { left }, pad.dominance())
}

/// What dreams did to an episode's feeling; what it was at first never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DreamTrace {
    original: Pad,
    processed: Pad,
    cycles: u32,
    load_at_entry: Ppm,
}

impl DreamTrace {
    /// An episode that enters the queue.
    #[must_use]
    pub const fn enter(original: Pad, load: Ppm) -> Self {
        Self { original, processed: original, cycles: 0, load_at_entry: load }
    }

    /// The same after one more cycle.
    #[must_use]
    pub fn cycle(self, step: f64) -> Self {
        Self { processed: depotentiated(self.processed, step), cycles: self.cycles.saturating_add(1), ..self }
    }

    /// What it was at first.
    #[must_use]
    pub const fn original(&self) -> Pad {
        self.original
    }

    /// What it is now.
    #[must_use]
    pub const fn processed(&self) -> Pad {
        self.processed
    }

    /// Cycles it went through.
    #[must_use]
    pub const fn cycles(&self) -> u32 {
        self.cycles
    }
}

#[cfg(test)]
#[path = "tests/dream.rs"]
mod tests;
