//! Death at three scales: probes that die in a day, entries that are pruned, a life that ends (section 18).

mod phage;
mod surprise;

pub use phage::{DAILY_SPAWN, FailureTally, PhageHealth, PhageLaw, PhageRefusal, PhageRemedy};
pub use surprise::{Belief, Escalation, SurpriseAccumulator, SurpriseError, confidence_surprise};

use golem_primitives::{Ppm, Tick};

/// M-250, M-251. The scale of a death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scale {
    /// A probe with one hypothesis.
    Micro,
    /// An entry of the Grimoire.
    Meso,
    /// The Golem, with the whole of Thanatopsis.
    Macro,
}

/// M-252. What a death at one scale does at another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// What a probe found changes the confidence of entries.
    ProbeToConfidence,
    /// Fast pruning lowers fitness.
    PruningToFitness,
    /// The phase limits how many probes run.
    PhaseToProbes,
}

impl Link {
    /// The three links.
    pub const ALL: [Self; 3] = [Self::ProbeToConfidence, Self::PruningToFitness, Self::PhaseToProbes];

    /// From which scale to which.
    #[must_use]
    pub const fn joins(self) -> (Scale, Scale) {
        match self {
            Self::ProbeToConfidence => (Scale::Micro, Scale::Meso),
            Self::PruningToFitness => (Scale::Meso, Scale::Macro),
            Self::PhaseToProbes => (Scale::Macro, Scale::Micro),
        }
    }
}

/// Ticks between the rounds of the Curator (M-250).
pub const CURATOR_TICKS: u64 = 50;
/// Confidence below which a round archives an entry (M-250).
pub const ARCHIVE_BELOW: Ppm = Ppm::of(100_000);

/// M-250. Whether an entry of that confidence is archived on that tick.
#[must_use]
pub fn is_archived(now: Tick, confidence: Ppm) -> bool {
    now.is_every(CURATOR_TICKS) && confidence < ARCHIVE_BELOW
}

/// M-255. What other subsystems see, in single precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractalSignals {
    /// How varied the probes' failures are, in [0, 1].
    pub phage_death_diversity: f32,
    /// Nats of surprise not yet carried upwards.
    pub surprise_accumulator: f32,
}

impl FractalSignals {
    /// The signals of a tally and an accumulator.
    #[must_use]
    pub fn of(failures: &FailureTally, surprise: &SurpriseAccumulator) -> Self {
        Self { phage_death_diversity: failures.diversity() as f32, surprise_accumulator: surprise.nats() as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_250_the_curator_archives_below_a_tenth_every_fifty_ticks() {
        // M-250.
        for (tick, parts, archived) in [(50, 99_999, true), (50, 100_000, false), (51, 0, false), (100, 0, true)] {
            assert_eq!(is_archived(Tick::new(tick), Ppm::of(parts)), archived, "{tick} {parts}");
        }
    }

    #[test]
    fn m_251_m_252_three_scales_in_a_ring() {
        // M-251, M-252: each scale acts on the next, and the largest on the smallest.
        let scales = [Scale::Micro, Scale::Meso, Scale::Macro];
        for (i, link) in Link::ALL.into_iter().enumerate() {
            assert_eq!(link.joins(), (scales[i], scales[(i + 1) % 3]));
        }
    }

    #[test]
    fn m_255_signals_are_single_precision_readings() {
        // M-255.
        let mut failures = FailureTally::default();
        for cause in ["a", "a", "a", "b"] {
            failures.record_death(cause);
        }
        let mut surprise = SurpriseAccumulator::new(1.0).expect("a threshold");
        surprise.add(0.25).expect("finite");
        let signals = FractalSignals::of(&failures, &surprise);
        assert!((signals.phage_death_diversity - 0.811_278).abs() < 1e-5);
        assert_eq!(signals.surprise_accumulator, 0.25f32);
    }
}
