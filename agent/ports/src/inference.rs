//! Models as an agent knows them: they can be asked within a budget, and answer or refuse with what that cost.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use golem_core::deliberation::Advice;
use golem_core::record::Tier;
use golem_primitives::{B256, EffectId, Usdc};

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
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Deliberation => "deliberation",
            Self::Reflection => "reflection",
            Self::Distillation => "distillation",
            Self::DeathReflection => "death reflection",
        })
    }
}

/// The name of a prompt and the version of its words; both are recorded with every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PromptId {
    /// Its name.
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
    /// Which words these are.
    pub id: PromptId,
    /// Who the model is and what it must not do.
    pub system: String,
    /// What it is asked.
    pub user: String,
}

/// The shape an answer must have. Closed: a field nobody named is refused. It has neither address nor amount in it,
/// because no answer may carry one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schema {
    /// All of these fields and no other.
    Object(Vec<Field>),
    /// A list of at most so many.
    List {
        /// Each of them.
        item: Box<Schema>,
        /// How many at most.
        most: usize,
    },
    /// Prose for people. It is stripped, cut at the bound, and decides nothing.
    Text {
        /// Characters at most.
        most_chars: usize,
    },
    /// A whole number.
    Whole {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// One of the indices below this count.
    Index {
        /// How many there are.
        count: u8,
    },
    /// One of these words.
    Word(&'static [&'static str]),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it means, for the model.
    pub meaning: &'static str,
    /// Its shape.
    pub schema: Schema,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// How large a model.
    pub tier: Tier,
    /// What for.
    pub purpose: Thinking,
    /// The words.
    pub prompt: Prompt,
    /// The shape of the answer.
    pub schema: Schema,
    /// The longest answer that is paid for, in tokens.
    pub max_output_tokens: u32,
    /// The most all attempts together may cost.
    pub budget: Usdc,
    /// The effect that asks. Providers that know idempotency keys get it as one.
    pub idempotency: EffectId,
}

/// Tokens, as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Read anew.
    pub input: u64,
    /// Written.
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
pub struct Answer {
    /// The answer, in the schema's shape.
    pub json: serde_json::Value,
    /// Tokens of all calls it took.
    pub usage: Usage,
    /// What they cost together, rounded up.
    pub cost: Usdc,
    /// Where that number comes from.
    pub metering: Metering,
    /// The model, as the provider names it.
    pub model: String,
    /// The words it answered to.
    pub prompt_version: PromptId,
    /// Whether it took a second call to fit the schema.
    pub repaired: bool,
}

impl Answer {
    /// The index and the reason of a deliberation about the list of this digest.
    #[must_use]
    pub fn advice(&self, about: B256) -> Option<Advice> {
        let index = u8::try_from(self.json.get("choice")?.as_u64()?).ok()?;
        let rationale = self.json.get("rationale")?.as_str()?;
        Some(Advice { about, index, rationale: rationale.into() })
    }
}

/// What an attempt that failed has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charge {
    /// Nothing: nothing was sent, or the provider turned it away.
    None,
    /// This much, by the provider's own numbers.
    Known(Usdc),
    /// Perhaps nothing, at most this: the provider worked and the numbers never came.
    AtMost(Usdc),
}

impl Charge {
    /// What is to be booked: nobody hopes for the better.
    #[must_use]
    pub const fn booked(self) -> Usdc {
        match self {
            Self::None => Usdc::ZERO,
            Self::Known(amount) | Self::AtMost(amount) => amount,
        }
    }

    /// Both together; what is uncertain in one is uncertain in the sum.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        let sum = self.booked().saturating_add(other.booked());
        match (self, other) {
            (Self::None, Self::None) => Self::None,
            (Self::AtMost(_), _) | (_, Self::AtMost(_)) => Self::AtMost(sum),
            (Self::Known(_), _) | (_, Self::Known(_)) => Self::Known(sum),
        }
    }
}

impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("nothing was charged"),
            Self::Known(amount) => write!(f, "{amount} was charged"),
            Self::AtMost(amount) => write!(f, "up to {amount} may have been charged"),
        }
    }
}

/// No answer, and what that cost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}; {charge}")]
pub struct InferenceError {
    /// What went wrong.
    pub fault: InferenceFault,
    /// What it cost, all attempts together.
    pub charge: Charge,
}

impl InferenceError {
    /// A refusal before anything was sent.
    #[must_use]
    pub const fn unsent(fault: InferenceFault) -> Self {
        Self { fault, charge: Charge::None }
    }

    /// Whether the same question may be answered later without anyone changing anything.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        self.fault.may_retry()
    }
}

/// Why there is no answer. No variant holds a key, an address with one in it, or words a model wrote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InferenceFault {
    /// Nobody serves this tier; the rules decide.
    #[error("no model is configured for {tier:?}, so rules decide; set [inference.{}] to have one", name_of(*.tier))]
    NoProvider {
        /// The tier.
        tier: Tier,
    },
    /// A tier that is not for this.
    #[error("{tier:?} is not asked for a {purpose}; T0 asks nobody and T3 is the death reflection's alone")]
    NotForThis {
        /// The tier.
        tier: Tier,
        /// What for.
        purpose: Thinking,
    },
    /// The budget cannot cover the maximum.
    #[error("the call may cost {most}, more than its budget of {budget}; shorten it or take a smaller model")]
    OverBudget {
        /// What it may cost.
        most: Usdc,
        /// What it may cost at most.
        budget: Usdc,
    },
    /// A question no provider should get.
    #[error("the question cannot be asked: {why}")]
    BadRequest {
        /// What is wrong with it.
        why: String,
    },
    /// The provider, or our own limit for it, asks to wait longer than there is time.
    #[error("{provider} takes no more calls for {} s; ask again then", .after.as_secs().max(1))]
    Limited {
        /// Who.
        provider: String,
        /// How long.
        after: Duration,
    },
    /// It failed too often of late and is left alone for a while.
    #[error("{provider} failed {failures} times in a row and rests for {} s", .after.as_secs().max(1))]
    Resting {
        /// Who.
        provider: String,
        /// How often.
        failures: u32,
        /// How long.
        after: Duration,
    },
    /// Nobody answers.
    #[error("{provider} cannot be reached ({why}); check base_url and the network")]
    Unreachable {
        /// Who.
        provider: String,
        /// In words without secrets.
        why: String,
    },
    /// No answer in time.
    #[error("{provider} did not answer within {} ms; raise timeout or ask again", .limit.as_millis())]
    TimedOut {
        /// Who.
        provider: String,
        /// How long it had.
        limit: Duration,
    },
    /// The provider has trouble of its own.
    #[error("{provider} answered with status {status}; ask again later")]
    Unwell {
        /// Who.
        provider: String,
        /// The HTTP status.
        status: u16,
    },
    /// The provider turned the question away.
    #[error("{provider} refused with status {status} ({why}); {}", remedy(*.status))]
    Refused {
        /// Who.
        provider: String,
        /// The HTTP status.
        status: u16,
        /// The provider's word for it, cleaned.
        why: String,
    },
    /// The model would not.
    #[error("the model declined to answer ({reason})")]
    Declined {
        /// The provider's word for it.
        reason: &'static str,
    },
    /// The answer reached its bound before its end; asked again it would reach it again.
    #[error("the answer reached its bound of {bound} tokens; raise max_output_tokens")]
    Unfinished {
        /// The bound.
        bound: u32,
    },
    /// The connection broke within the answer.
    #[error("the answer of {provider} broke off; ask again")]
    Cut {
        /// Who.
        provider: String,
    },
    /// More came than is read.
    #[error("the answer has more than {bound} bytes and was not read further")]
    Oversized {
        /// What is read at most.
        bound: usize,
    },
    /// What came is not the provider's format.
    #[error("{provider} answered in no format that is known: {why}")]
    Malformed {
        /// Who.
        provider: String,
        /// What is missing.
        why: &'static str,
    },
    /// What the model said is not what was asked for.
    #[error("the answer does not fit: {complaint}")]
    Unfit {
        /// In our words, none of the model's.
        complaint: String,
    },
}

impl InferenceFault {
    /// Whether the same question may be answered later without anyone changing anything.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(
            self,
            Self::Limited { .. }
                | Self::Resting { .. }
                | Self::Unreachable { .. }
                | Self::TimedOut { .. }
                | Self::Unwell { .. }
                | Self::Cut { .. }
                | Self::Unfit { .. }
        )
    }
}

const fn name_of(tier: Tier) -> &'static str {
    match tier {
        Tier::T0 => "t0",
        Tier::T1 => "t1",
        Tier::T2 => "t2",
        Tier::T3 => "t3",
    }
}

const fn remedy(status: u16) -> &'static str {
    match status {
        401 | 403 => "check the key",
        402 => "the account has no credit",
        404 => "check model and base_url",
        300..=399 => "base_url points elsewhere; redirects are not followed",
        _ => "check the settings of this tier",
    }
}

/// What models can do for an agent.
pub trait Inference: Send + Sync {
    /// Asks, within the request's budget: what it may cost is known before anything is sent, and what it did cost is in
    /// the answer and in every error.
    ///
    /// Asking twice pays twice: whoever restarts between asking and recording books the budget and does not ask again.
    fn ask(&self, request: &Request) -> impl Future<Output = Result<Answer, InferenceError>> + Send;

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
        for purpose in [Thinking::Deliberation, Thinking::Reflection, Thinking::Distillation] {
            assert!(!purpose.may_ask(Tier::T3), "{purpose}");
            assert!(purpose.may_ask(Tier::T1) && purpose.may_ask(Tier::T2) && !purpose.may_ask(Tier::T0));
        }
        assert!(Thinking::DeathReflection.may_ask(Tier::T3) && !Thinking::DeathReflection.may_ask(Tier::T0));
    }

    /// what is uncertain stays uncertain in a sum, and is booked whole.
    #[test]
    fn r_031_charges_add_up_to_what_is_booked() {
        let (known, perhaps) = (Charge::Known(Usdc::from_micros(3)), Charge::AtMost(Usdc::from_micros(5)));
        assert_eq!(known.and(perhaps), Charge::AtMost(Usdc::from_micros(8)));
        assert_eq!(known.and(Charge::None), known);
        assert_eq!(Charge::None.and(Charge::None).booked(), Usdc::ZERO);
        let error = InferenceError { fault: InferenceFault::NoProvider { tier: Tier::T2 }, charge: perhaps };
        assert!(error.to_string().contains("[inference.t2]") && error.to_string().contains("up to 0.000005 USDC"));
    }
}
