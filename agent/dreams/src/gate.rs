//! Four preconditions that every dream meets, whatever opens it.

use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

/// D-010, D-024. Share of the LLM partition below which nobody dreams.
pub const LEAST_CREDIT: Ppm = Ppm::of(150_000);

/// D-023, D-211, DG-4. Episodes from which a Golem of a vital phase dreams.
#[must_use]
pub const fn first_dream(phase: Phase) -> u64 {
    match phase {
        Phase::Thriving => 200,
        Phase::Stable => 150,
        Phase::Conservation => 100,
        Phase::Declining | Phase::Terminal => 50,
    }
}

/// What the gate looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DreamStanding {
    pub episodes: u64,
    /// The LLM partition's share of all credits.
    pub credit: Ppm,
    pub phase: Phase,
    pub is_permit_pending: bool,
}

/// D-029, DG-23. Why a dream is refused: told to whoever asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DreamRefusal {
    /// D-023. A small batch shows no pattern across episodes.
    #[error("{episodes} episodes are too few for a dream; {needed} are needed in this phase")]
    TooFewEpisodes { episodes: u64, needed: u64 },
    /// D-024. One cycle must not drain what thinking lives on.
    #[error("the LLM partition holds {credit} of all credits, less than 0.15; fund it, or wait for income")]
    PoorCredit { credit: Ppm },
    /// D-025. What Terminal has belongs to Thanatopsis.
    #[error("a Golem in Terminal does not dream; its credits belong to its last look back")]
    Terminal,
    /// D-026. A transaction and a dream must not overlap.
    #[error("an action is permitted and not settled; the dream waits until it is")]
    PermitPending,
}

impl DreamStanding {
    /// D-023 to D-027. Everything that stands against a dream, in the order of the catalogue. An emergency dream is
    /// free of P3 and of nothing else (C3).
    #[must_use]
    pub fn refusals(&self, is_emergency: bool) -> Vec<DreamRefusal> {
        let needed = first_dream(self.phase);
        let all = [
            (self.episodes < needed).then_some(DreamRefusal::TooFewEpisodes { episodes: self.episodes, needed }),
            (self.credit < LEAST_CREDIT).then_some(DreamRefusal::PoorCredit { credit: self.credit }),
            (self.phase == Phase::Terminal && !is_emergency).then_some(DreamRefusal::Terminal),
            self.is_permit_pending.then_some(DreamRefusal::PermitPending),
        ];
        all.into_iter().flatten().collect()
    }
}
