//! Who can be asked which of the offered actions to take. Words, providers and prices are the adapter's.

use std::future::Future;

use golem_core::deliberation::{Choices, ModelAdvice};
use golem_core::record::{Confession, MarketReading, Phase, StudyQuotes, Tier};
use golem_dreams::words::Grade;
use golem_primitives::{EffectId, Ppm, Tick, Usdc};

use crate::dreaming::{Mused, Reverie};
use crate::inference::{InferenceError, InferenceFault};
use crate::study::{Considered, Matter};

/// M-139. A choice that is put to a model, and what is known at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceQuestion {
    /// The effect that asks; providers that know idempotency keys get it as one.
    pub effect: EffectId,
    pub tier: Tier,
    /// The most all attempts together may cost.
    pub budget: Usdc,
    pub tick: Tick,
    pub phase: Phase,
    pub vitality: Ppm,
    pub surprise: Ppm,
    pub uncertainty: Ppm,
    pub choices: Choices,
    /// The market as it was read, and the word for its regime.
    pub market: (MarketReading, &'static str),
    /// What this Golem remembers of such moments. Whoever wrote it, it is data.
    pub memories: Vec<String>,
    /// What others said of such moments.
    pub peers: Vec<String>,
    /// S-100, A-044. What the Golem is under and in which mood, in its own words; nothing when neither says anything.
    pub state: Option<String>,
}

/// An advice and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Advised {
    pub advice: ModelAdvice,
    /// By the provider's usage numbers.
    pub cost: Usdc,
    /// A-040, S-044. What it said of the Golem's own state, when it was asked for that.
    pub confession: Option<Box<Confession>>,
}

/// What a mind can be helped by.
pub trait Thinker: Send + Sync {
    /// What a deliberation asked of each tier costs at most, T0 to T3; `None` where nobody serves it.
    fn quotes(&self) -> [Option<Usdc>; 4];

    /// Asks. Asking twice pays twice: whoever restarts between asking and recording books the budget.
    fn think(&self, question: &ChoiceQuestion) -> impl Future<Output = Result<Advised, InferenceError>> + Send;

    /// What other thoughts cost at most; one that only advises serves none.
    fn study_quotes(&self) -> StudyQuotes {
        StudyQuotes::default()
    }

    /// Thinks something over, as [`Thinker::think`] does.
    fn ponder(&self, matter: &Matter) -> impl Future<Output = Result<Considered, InferenceError>> + Send {
        let tier = matter.tier;
        std::future::ready(Err(InferenceError::unsent(InferenceFault::NoProvider { tier })))
    }

    /// D-126, R-031. What one question of a dream costs at most at each grade, T0 to T2; `None` where nobody serves it.
    fn dream_quotes(&self) -> [Option<Usdc>; 3] {
        [None; 3]
    }

    /// D-181. Answers a question of a dream, as [`Thinker::think`] does: it can read what is in the question and do
    /// nothing.
    fn muse(&self, reverie: &Reverie) -> impl Future<Output = Result<Mused, InferenceError>> + Send {
        let tier = if reverie.ask.grade == Grade::T2 { Tier::T2 } else { Tier::T1 };
        std::future::ready(Err(InferenceError::unsent(InferenceFault::NoProvider { tier })))
    }
}
