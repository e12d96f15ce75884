//! What a Golem is like, and what moved it.

use golem_daimon::chain::EmotionReply;
use golem_daimon::influence::Influence;
use golem_daimon::personality::Personality;
use golem_daimon::{AppraisalModel, DaimonLaw};
use golem_primitives::Ppm;
use golem_suffering::SufferingReply;
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use serde::{Deserialize, Serialize};

use super::order::Order;

/// A-002, S-008. What an owner chose for affect and for suffering. The first one furnishes the rooms; a later one changes
/// what may be changed and nothing that was lived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Temper {
    /// How it is moved; `None` when affect is off.
    pub affect: Option<AffectTemper>,
    /// S-008. By which reading it suffers; `None` when it does not.
    pub suffering: Option<SufferingProfile>,
    /// S-083. Where it works, as what it suffers is remembered by place: protocol and pair.
    pub place: WorkDomain,
}

impl Temper {
    /// Neither is moved nor suffers: a life as it was before there were moods.
    pub const NONE: Self = Self {
        affect: None,
        suffering: None,
        place: WorkDomain { protocol: None, class: None, pair: None, regime: None },
    };
}

/// The numbers of one Golem's affect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AffectTemper {
    /// What it is like. Fixed by the first one it is told.
    pub personality: Personality,
    /// Whether a model that is asked anyway may say what it makes of an event.
    pub asks_model: bool,
    /// What is left of a mood after an appraisal.
    pub mood_decay: Ppm,
    /// Ticks of grief.
    pub grief_ticks: u32,
    /// Whether its own end moves it.
    pub mortality_aware: bool,
}

impl AffectTemper {
    /// The usual numbers, by rules, for somebody like this.
    #[must_use]
    pub const fn of(personality: Personality) -> Self {
        Self { personality, asks_model: false, mood_decay: Ppm::of(950_000), grief_ticks: 100, mortality_aware: true }
    }

    /// The law these numbers are; whatever was journaled, they stay within their ranges.
    #[must_use]
    pub fn law(&self) -> DaimonLaw {
        DaimonLaw {
            enabled: true,
            model: if self.asks_model { AppraisalModel::ChainOfEmotion } else { AppraisalModel::RuleBased },
            mood_decay: self.mood_decay.as_f64().clamp(0.80, 0.99),
            mortality_aware: self.mortality_aware,
            grief_ticks: u64::from(self.grief_ticks.clamp(10, 500)),
        }
    }
}

/// A-040, S-044. What a model said of the Golem's own state in an answer that was paid for anyway. Nothing of it is
/// believed yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Confession {
    /// What it makes of an event; `None` when it said nothing readable.
    pub feeling: Option<EmotionReply>,
    /// What it says presses, and what it says is over; `None` when it said nothing readable.
    pub suffering: Option<SufferingReply>,
}

/// A decision that affect changed, with the state that changed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swayed {
    pub order: Order,
    /// The risk that was taken, of what the phase gives.
    pub risk: Ppm,
    pub by_phase: Ppm,
    pub influence: Influence,
}
