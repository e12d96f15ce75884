//! What an owner sets.

use crate::mood::DECAY;

/// How affect judges what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AppraisalModel {
    /// By a chain of reasoned emotions.
    ChainOfEmotion,
    RuleBased,
    Disabled,
}

/// The numbers of affect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DaimonLaw {
    pub enabled: bool,
    pub model: AppraisalModel,
    /// What is left of a mood after an appraisal, 0.80 to 0.99.
    pub mood_decay: f64,
    /// Whether one's own end moves.
    pub mortality_aware: bool,
    /// Ticks of grief, 10 to 500.
    pub grief_ticks: u64,
}

impl Default for DaimonLaw {
    fn default() -> Self {
        Self {
            enabled: true,
            model: AppraisalModel::ChainOfEmotion,
            mood_decay: DECAY,
            mortality_aware: true,
            grief_ticks: 100,
        }
    }
}

impl DaimonLaw {
    /// Whether anything is felt at all.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.enabled && !matches!(self.model, AppraisalModel::Disabled)
    }
}
