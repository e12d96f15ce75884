//! How much a Golem needs a dream.

use golem_mortality::phase::Phase;
use golem_mortality::score::sigmoid;
use golem_primitives::{Ppm, Usdc};

use crate::gate::first_dream;
use crate::integration::quality::schedule_adjustment;
use crate::law::ScheduleLaw;
use crate::number::clamp01;

/// D-030, D-031. What each input weighs in one vital phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Weights {
    pub novelty: Ppm,
    /// Episodes not yet replayed.
    pub consolidation: Ppm,
    /// Arousal nobody dealt with.
    pub emotional: Ppm,
    pub threat: Ppm,
    /// What is not understood.
    pub epistemic: Ppm,
    /// Time since the last dream.
    pub temporal: Ppm,
    /// Ticks after which time presses with 0.73.
    pub natural_period: u64,
}

impl Weights {
    const fn percent(parts: [u32; 6], natural_period: u64) -> Self {
        let [novelty, consolidation, emotional, threat, epistemic, temporal] = parts;
        Self {
            novelty: Ppm::of(novelty * 10_000),
            consolidation: Ppm::of(consolidation * 10_000),
            emotional: Ppm::of(emotional * 10_000),
            threat: Ppm::of(threat * 10_000),
            epistemic: Ppm::of(epistemic * 10_000),
            temporal: Ppm::of(temporal * 10_000),
            natural_period,
        }
    }

    /// All six together, in parts per million.
    #[must_use]
    pub fn sum(&self) -> u64 {
        let all = [self.novelty, self.consolidation, self.emotional, self.threat, self.epistemic, self.temporal];
        all.iter().map(|part| u64::from(part.get())).sum()
    }
}

/// D-031, DG-1. Weights by vital phase, as the owner tunes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WeightTable {
    pub thriving: Weights,
    pub stable: Weights,
    pub conservation: Weights,
    /// Declining; Terminal dreams on nothing and reads it too.
    pub declining: Weights,
}

impl Default for WeightTable {
    fn default() -> Self {
        Self {
            thriving: Weights::percent([25, 25, 10, 10, 15, 15], 500),
            stable: Weights::percent([20, 30, 10, 10, 15, 15], 400),
            conservation: Weights::percent([20, 22, 10, 13, 15, 20], 300),
            declining: Weights::percent([25, 10, 10, 10, 15, 30], 200),
        }
    }
}

impl WeightTable {
    /// The row of a vital phase.
    #[must_use]
    pub const fn of(&self, phase: Phase) -> &Weights {
        match phase {
            Phase::Thriving => &self.thriving,
            Phase::Stable => &self.stable,
            Phase::Conservation => &self.conservation,
            Phase::Declining | Phase::Terminal => &self.declining,
        }
    }

    /// All rows.
    #[must_use]
    pub const fn rows(&self) -> [(Phase, &Weights); 4] {
        [
            (Phase::Thriving, &self.thriving),
            (Phase::Stable, &self.stable),
            (Phase::Conservation, &self.conservation),
            (Phase::Declining, &self.declining),
        ]
    }
}

/// D-039, DG-3. What is counted once the memory of this tick is written.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Readings {
    /// The last surprise scores, newest last; at most [`SURPRISES`] count.
    pub surprises: Vec<Ppm>,
    /// Episodes no dream has replayed.
    pub unreplayed: u64,
    /// D-038. Arousal nobody dealt with, of the last 50 episodes.
    pub arousal: Ppm,
    /// Lost over the last 100 ticks.
    pub lost: Usdc,
    /// Net asset value.
    pub nav: Usdc,
    pub accuracy: Ppm,
    /// Ticks since the last dream, or since birth.
    pub ticks_since: u64,
}

/// DG-3. Surprise scores that count.
pub const SURPRISES: usize = 20;
/// D-038. Load above which something is unprocessed.
pub const HIGH_LOAD: Ppm = Ppm::of(500_000);
/// D-038. What is left of a load after a completed dream.
const AFTER_DREAM: Ppm = Ppm::of(300_000);

/// D-038. What is left of a load after a completed dream.
#[must_use]
pub const fn relieved(load: Ppm) -> Ppm {
    load.times_down(AFTER_DREAM)
}

/// D-033. The six inputs, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inputs {
    pub novelty: f64,
    pub consolidation: f64,
    pub emotional: f64,
    pub threat: f64,
    pub accuracy: f64,
    pub ticks_since: u64,
}

impl Inputs {
    /// DG-3. Counts and money as shares: the mean of twenty surprises, episodes by the first-dream threshold, losses by a
    /// twentieth of the net asset value.
    #[must_use]
    pub fn of(readings: &Readings, phase: Phase) -> Self {
        let recent = &readings.surprises[readings.surprises.len().saturating_sub(SURPRISES)..];
        let mean = recent.iter().map(|score| score.as_f64()).sum::<f64>() / recent.len().max(1) as f64;
        let bearable = readings.nav.micros() as f64 * 0.05;
        let threat = if bearable > 0.0 { readings.lost.micros() as f64 / bearable } else { 0.0 };
        Self {
            novelty: clamp01(mean),
            consolidation: clamp01(readings.unreplayed as f64 / first_dream(phase) as f64),
            emotional: readings.arousal.as_f64(),
            threat: clamp01(threat),
            accuracy: readings.accuracy.as_f64(),
            ticks_since: readings.ticks_since,
        }
    }

    /// D-030, DG-2. The weighted sum. The temporal term is never below half of its weight, even right after a dream: the
    /// sigmoid of nothing is one half, and the text is taken by its letter.
    #[must_use]
    pub fn score(&self, weights: &Weights) -> Ppm {
        let time = self.ticks_since as f64 / weights.natural_period.max(1) as f64;
        Ppm::round(
            weights.novelty.as_f64() * self.novelty
                + weights.consolidation.as_f64() * self.consolidation
                + self.emotional_term(weights)
                + weights.threat.as_f64() * self.threat
                + weights.epistemic.as_f64() * (1.0 - self.accuracy)
                + weights.temporal.as_f64() * sigmoid(time, 0.0, 1.0),
        )
    }

    fn emotional_term(&self, weights: &Weights) -> f64 {
        weights.emotional.as_f64() * self.emotional
    }

    /// C16. Whether the emotional term is the largest of the six, which is what a dream is then said to be about.
    #[must_use]
    pub fn is_emotional(&self, weights: &Weights) -> bool {
        let time = self.ticks_since as f64 / weights.natural_period.max(1) as f64;
        let others = [
            weights.novelty.as_f64() * self.novelty,
            weights.consolidation.as_f64() * self.consolidation,
            weights.threat.as_f64() * self.threat,
            weights.epistemic.as_f64() * (1.0 - self.accuracy),
            weights.temporal.as_f64() * sigmoid(time, 0.0, 1.0),
        ];
        others.iter().all(|other| self.emotional_term(weights) > *other)
    }
}

/// D-034, D-035, D-041, DG-5. The score that opens a dream: the owner's threshold in Thriving, 0.2 less in every other
/// vital phase, moved by how active the market is and by what its dreams came to (D-171).
#[must_use]
pub fn threshold(law: &ScheduleLaw, phase: Phase, quality: Option<Ppm>) -> Ppm {
    const UNCERTAIN: Ppm = Ppm::of(200_000);
    let base = match phase {
        Phase::Thriving => law.autonomous_threshold,
        _ => law.autonomous_threshold.saturating_sub(UNCERTAIN),
    };
    let adjustment = law.market_adjustment.saturating_add(schedule_adjustment(quality));
    let step = Ppm::saturating(u64::from(adjustment.unsigned_abs()));
    if adjustment < 0 { base.saturating_sub(step) } else { base.saturating_add(step) }
}

/// D-028. What a refusal takes.
const REFUSED: Ppm = Ppm::of(100_000);
/// D-037, D-219. What a pass of micro-consolidation with unresolved patterns adds.
const UNRESOLVED: Ppm = Ppm::of(20_000);

/// D-028, D-036, D-037. The urgency that is stored: what this tick says, what has gathered, and what refusals took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Urgency {
    fresh: Ppm,
    gathered: Ppm,
    refused: Ppm,
}

impl Urgency {
    /// The score by which a dream is opened.
    #[must_use]
    pub const fn value(&self) -> Ppm {
        self.fresh.saturating_add(self.gathered).saturating_sub(self.refused)
    }

    /// D-018, D-036. After a waking tick: with unresolved surprise or a high load nothing that gathered is lost, otherwise
    /// the score begins anew.
    #[must_use]
    pub fn reflect(self, score: Ppm, is_unresolved: bool) -> Self {
        let before = self.fresh.saturating_add(self.gathered);
        let gathered = if is_unresolved { before.saturating_sub(score) } else { Ppm::ZERO };
        Self { fresh: score, gathered, ..self }
    }

    /// D-037, D-219. After a pass of micro-consolidation that found what it could not resolve.
    #[must_use]
    pub const fn unresolved(self) -> Self {
        Self { gathered: self.gathered.saturating_add(UNRESOLVED), ..self }
    }

    /// D-028. After a refusal: a tenth less, never below nothing, and never forgotten at once.
    #[must_use]
    pub fn refuse(self) -> Self {
        let whole = self.fresh.saturating_add(self.gathered);
        Self { refused: self.refused.saturating_add(REFUSED).min(whole), ..self }
    }

    /// After a tick on which nothing stood against a dream: what refusals took comes back as it went.
    #[must_use]
    pub const fn heal(self) -> Self {
        Self { refused: self.refused.saturating_sub(REFUSED), ..self }
    }

    /// After a dream: what gathered is spent.
    #[must_use]
    pub const fn spent(score: Ppm) -> Self {
        Self { fresh: score, gathered: Ppm::ZERO, refused: Ppm::ZERO }
    }
}
