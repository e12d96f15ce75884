//! How a death began: what is known and settled before anything of it is done (M-187).

use golem_grimoire::emotion::{Emotion, Pad};
use golem_mortality::cause::{CauseKind, Death};
use golem_mortality::economic::death_budget::DeathBudget;
use golem_primitives::{Ppm, Tick, UtcTime};

/// M-187. The state a death was accepted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Acceptance {
    pub cause: CauseKind,
    pub trigger_tick: Tick,
    pub at: UtcTime,
    pub vitality: Ppm,
    /// Its mood then; `None` when affect was off.
    pub mood: Option<Pad>,
    /// M-184. What accepting felt like; `None` when affect was off.
    pub emotion: Option<Emotion>,
    pub estimated_seconds: u64,
    /// M-211, M-212. What it had to spend, and how that was divided.
    pub budget: DeathBudget,
    /// M-186. Whether the notice for siblings was handed over; whether anybody read it nobody knows here.
    #[serde(default)]
    pub clade_notified: bool,
}

/// M-184. How a life felt when it began to die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastFeeling {
    pub mood: Pad,
    pub acceptance: Emotion,
}

impl Acceptance {
    /// M-187. How this death was accepted at that moment, with what was felt, on that budget.
    #[must_use]
    pub fn of(death: &Death, at: UtcTime, felt: Option<LastFeeling>, budget: DeathBudget) -> Self {
        Self {
            cause: death.cause.kind(),
            trigger_tick: death.tick,
            at,
            vitality: death.composite,
            mood: felt.map(|felt| felt.mood),
            emotion: felt.map(|felt| felt.acceptance),
            estimated_seconds: budget.estimated().as_secs(),
            budget,
            clade_notified: false,
        }
    }

    /// In a line.
    #[must_use]
    pub fn line(&self) -> String {
        let DeathBudget { whole, quality, settlement, review, legacy, .. } = self.budget;
        format!("{whole}, {quality}: {settlement} to settle, {review} to look back, {legacy} to leave it")
    }
}
