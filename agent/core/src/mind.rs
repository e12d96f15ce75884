//! What a life knows of the models it may ask, and the one question that is open.
//!
//! A life has no mind until somebody serves a model; from then on it is part of the life, and so of its hash. Without one
//! nothing differs from a life that never heard of models.

use golem_mortality::economic::tier::Tier;
use golem_primitives::{EffectId, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

use crate::deliberation::{Choices, ModelAdvice};
use crate::record::{Outcome, OutcomeResult};

/// Ticks after which nobody waits for an answer any more.
pub const PATIENCE_TICKS: u64 = 2;

/// The faculties of a life, and its open question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mind {
    /// What a deliberation of each tier costs at most; `None` where nobody serves it.
    pub quotes: [Option<Usdc>; 4],
    pub pending: Option<Pending>,
}

/// A question on its way, or answered and not yet heeded. There is at most one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    pub effect: EffectId,
    pub tier: Tier,
    pub asked: Tick,
    /// How far the world was from what was expected.
    pub surprise: Ppm,
    /// How little the Golem relied on itself.
    pub uncertainty: Ppm,
    pub choices: Choices,
    /// The rules have decided meanwhile: what comes now is paid for and not heeded.
    pub(crate) is_lapsed: bool,
    pub(crate) answer: Option<Answer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) cost: Usdc,
    pub(crate) advice: Option<ModelAdvice>,
}

impl Mind {
    /// The first word of a model is the birth of the mind; later ones only change what it may ask.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, quotes: [Option<Usdc>; 4]) {
        room.get_or_insert_with(|| Box::new(Self { quotes, pending: None })).quotes = quotes;
    }

    /// An outcome came. Answers what it has cost when it is that of the open question.
    pub(crate) fn land(&mut self, outcome: &Outcome) -> Option<Usdc> {
        let pending = self.pending.as_mut().filter(|pending| pending.effect == outcome.effect)?;
        let cost = outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost);
        let advice = match &outcome.result {
            OutcomeResult::Advised { advice } | OutcomeResult::Confided { advice, .. } => Some(advice.clone()),
            _ => None,
        };
        pending.answer = Some(Answer { cost, advice });
        Some(cost)
    }
}

impl Pending {
    /// Whether an answer that came by `tick` is still heeded.
    pub(crate) fn is_fresh(&self, tick: Tick) -> bool {
        !self.is_lapsed && tick.get() <= self.asked.get().saturating_add(PATIENCE_TICKS)
    }

    /// Whether nobody waits for it any longer at `tick`.
    pub(crate) fn is_overdue(&self, tick: Tick) -> bool {
        self.is_lapsed || tick.get() >= self.asked.get().saturating_add(PATIENCE_TICKS)
    }
}
