//! No answer: why, and what that cost.

use std::fmt;
use std::time::Duration;

use golem_core::record::Tier;
use golem_primitives::Usdc;

use super::Thinking;

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
    NoProvider { tier: Tier },
    /// A tier that is not for this.
    #[error("{tier:?} is not asked for a {purpose}; T0 asks nobody and T3 is the death reflection's alone")]
    NotForThis { tier: Tier, purpose: Thinking },
    /// The budget cannot cover the maximum.
    #[error("the call may cost {most}, more than its budget of {budget}; shorten it or take a smaller model")]
    OverBudget { most: Usdc, budget: Usdc },
    #[error("the question cannot be asked: {why}")]
    BadRequest { why: String },
    #[error("{provider} takes no more calls for {} s; ask again then", .after.as_secs().max(1))]
    Limited { provider: String, after: Duration },
    /// It failed too often of late and is left alone for a while.
    #[error("{provider} failed {failures} times in a row and rests for {} s", .after.as_secs().max(1))]
    Resting { provider: String, failures: u32, after: Duration },
    #[error("{provider} cannot be reached ({why}); check base_url and the network")]
    Unreachable {
        provider: String,
        /// In words without secrets.
        why: String,
    },
    #[error("{provider} did not answer within {} ms; raise timeout or ask again", .limit.as_millis())]
    TimedOut { provider: String, limit: Duration },
    #[error("{provider} answered with status {status}; ask again later")]
    Unwell { provider: String, status: u16 },
    #[error("{provider} refused with status {status} ({why}); {}", remedy(*.status))]
    Refused {
        provider: String,
        status: u16,
        /// The provider's word for it, cleaned.
        why: String,
    },
    #[error("the model declined to answer ({reason})")]
    Declined {
        /// The provider's word for it.
        reason: &'static str,
    },
    /// The answer reached its bound before its end; asked again it would reach it again.
    #[error("the answer reached its bound of {bound} tokens; raise max_output_tokens")]
    Unfinished { bound: u32 },
    #[error("the answer of {provider} broke off; ask again")]
    Cut { provider: String },
    #[error("the answer has more than {bound} bytes and was not read further")]
    Oversized { bound: usize },
    #[error("{provider} answered in no format that is known: {why}")]
    Malformed { provider: String, why: &'static str },
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

#[cfg(test)]
mod tests {
    use super::*;

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
