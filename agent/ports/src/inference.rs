//! Models as an agent knows them: they can be asked within a budget, and answer or refuse with what that cost.

mod fault;

use std::fmt;
use std::future::Future;
use std::time::Duration;

use golem_core::deliberation::ModelAdvice;
use golem_core::record::{CostSource, Tier};
use golem_dreams::number::Temperature;
use golem_primitives::{B256, EffectId, Usdc};

pub use fault::{Charge, InferenceError, InferenceFault};

/// What a model is asked for. T3 is there for one of them only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thinking {
    /// M-139. Choosing among permitted actions.
    Deliberation,
    /// M-067. Looking at what went wrong.
    Reflection,
    /// Pressing episodes into insights.
    Distillation,
    /// M-195. The one look back over a life, from which the testament is written.
    DeathReflection,
    /// D-126. A question of a dream.
    Dream,
}

impl Thinking {
    /// Whether a tier may be asked for it: T0 is rules and asks nobody, T3 is the death reflection's alone.
    #[must_use]
    pub const fn may_ask(self, tier: Tier) -> bool {
        match tier {
            Tier::T0 => false,
            Tier::T1 | Tier::T2 => true,
            Tier::T3 => matches!(self, Self::DeathReflection),
        }
    }

    /// What its cost is booked as, and so which partition pays: the last look back is legacy's (M-032, M-181).
    #[must_use]
    pub const fn source(self) -> CostSource {
        match self {
            Self::Deliberation | Self::Reflection | Self::Distillation | Self::Dream => CostSource::Inference,
            Self::DeathReflection => CostSource::Legacy,
        }
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Deliberation => "deliberation",
            Self::Reflection => "reflection",
            Self::Distillation => "distillation",
            Self::DeathReflection => "death reflection",
            Self::Dream => "dream",
        })
    }
}

/// The name of a prompt and the version of its words; both are recorded with every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PromptId {
    pub name: &'static str,
    /// Its version, from 1.
    pub version: u16,
}

impl fmt::Display for PromptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.v{}", self.name, self.version)
    }
}

/// What is said to a model. Foreign text stands in it fenced, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub id: PromptId,
    /// Who the model is and what it must not do.
    pub system: String,
    pub user: String,
}

/// The shape an answer must have. Closed: a field nobody named is refused. It has neither address nor amount in it,
/// because no answer may carry one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schema {
    /// All of these fields and no other.
    Object(Vec<SchemaField>),
    /// A list of at most so many.
    List {
        item: Box<Schema>,
        most: usize,
    },
    /// Prose for people. It is stripped, cut at the bound, and decides nothing. As the whole of an answer it is plain text
    /// that may break off where its tokens end (D-057).
    Text {
        most_chars: usize,
    },
    Whole {
        least: i64,
        most: i64,
    },
    /// One of the indices below this count.
    Index {
        count: u8,
    },
    Word(&'static [&'static str]),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaField {
    pub name: &'static str,
    /// What it means, for the model.
    pub meaning: &'static str,
    pub schema: Schema,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub tier: Tier,
    pub purpose: Thinking,
    pub prompt: Prompt,
    pub schema: Schema,
    /// The longest answer that is paid for, in tokens.
    pub max_output_tokens: u32,
    /// The most all attempts together may cost.
    pub budget: Usdc,
    /// The effect that asks. Providers that know idempotency keys get it as one.
    pub idempotency: EffectId,
    /// D-054. How freely, where it is not left to the provider.
    pub temperature: Option<Temperature>,
    /// D-177. How long all attempts may take, where that is less than the owner's patience.
    pub within: Option<Duration>,
}

/// Tokens, as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    /// Read from the provider's cache.
    pub cached: u64,
}

/// Where the cost of an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metering {
    /// The provider's usage numbers.
    Reported,
    /// The provider gave none; the maximum is charged.
    Missing,
    /// The provider gave numbers that cannot be; the maximum is charged.
    Absurd,
}

/// What a model answered, checked against the schema and stripped. A recorded input like any other.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The answer, in the schema's shape.
    pub json: serde_json::Value,
    /// Tokens of all calls it took.
    pub usage: Usage,
    /// What they cost together, rounded up.
    pub cost: Usdc,
    pub metering: Metering,
    /// The model, as the provider names it.
    pub model: String,
    /// The words it answered to.
    pub prompt_version: PromptId,
    /// Whether it took a second call to fit the schema.
    pub repaired: bool,
}

impl Thought {
    /// The index and the reason of a deliberation about the list of this digest.
    #[must_use]
    pub fn advice(&self, about: B256) -> Option<ModelAdvice> {
        let index = u8::try_from(self.json.get("choice")?.as_u64()?).ok()?;
        let rationale = self.json.get("rationale")?.as_str()?;
        Some(ModelAdvice { about, index, rationale: rationale.into() })
    }
}

/// What models can do for an agent.
pub trait Inference: Send + Sync {
    /// Asks, within the request's budget: what it may cost is known before anything is sent, and what it did cost is in
    /// the answer and in every error.
    ///
    /// Asking twice pays twice: whoever restarts between asking and recording, or drops a question that is on its way,
    /// books the budget and does not ask again.
    fn ask(&self, request: &Request) -> impl Future<Output = Result<Thought, InferenceError>> + Send;

    /// What one call would cost at most, for whoever sets a budget; nothing is sent.
    ///
    /// # Errors
    /// [`InferenceError`] when it could not be asked at all.
    fn quote(&self, request: &Request) -> Result<Usdc, InferenceError>;

    /// The tiers somebody serves, smallest first; rules are always there.
    fn tiers(&self) -> Vec<Tier>;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T3 is the death reflection's alone, and nobody is asked for rules.
    #[test]
    fn r_030_t3_is_for_the_death_reflection_only() {
        for purpose in [Thinking::Deliberation, Thinking::Reflection, Thinking::Distillation, Thinking::Dream] {
            assert!(!purpose.may_ask(Tier::T3), "{purpose}");
            assert!(purpose.may_ask(Tier::T1) && purpose.may_ask(Tier::T2) && !purpose.may_ask(Tier::T0));
        }
        assert!(Thinking::DeathReflection.may_ask(Tier::T3) && !Thinking::DeathReflection.may_ask(Tier::T0));
    }

    /// R-031, M-032: the living think on the partition for models, the dying on legacy.
    #[test]
    fn r_031_each_thought_has_its_payer() {
        use golem_core::budget::payer;
        use golem_core::record::Partition;
        assert_eq!(payer(Thinking::Deliberation.source()), Some(Partition::Llm));
        assert_eq!(payer(Thinking::Reflection.source()), Some(Partition::Llm));
        assert_eq!(payer(Thinking::Distillation.source()), Some(Partition::Llm));
        assert_eq!(payer(Thinking::Dream.source()), Some(Partition::Llm), "D-009");
        assert_eq!(payer(Thinking::DeathReflection.source()), Some(Partition::Legacy));
    }
}
