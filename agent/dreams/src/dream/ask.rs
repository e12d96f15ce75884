//! What a dream asks a model, and what it may be told. Whatever is said is data: it names no target and no amount.

use std::time::Duration;

use golem_grimoire::id::{EntryId, EpisodeId};
use golem_playbook::rule::Rule;
use golem_primitives::{Ppm, Usdc};

use crate::number::Temperature;
use crate::rem::creative::CreativeMode;
use crate::rem::threat::ThreatKind;
use crate::vector::Vector;
use crate::words::{DreamPhase, Grade};

/// What kind of prompt is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// D-070. One associative pass of a lightweight onset.
    Induction,
    /// D-057. One partial of an interrupt.
    DaliPartial { interrupt: u32, branch: u32 },
    /// D-058. Relevance and coherence of a fragment.
    Observe,
    /// D-087. What a batch says together.
    ReplayBatch,
    /// D-110. A decision in the opposite market.
    OppositeMarket,
    /// D-115.
    Creative(CreativeMode),
    /// D-128. How a threat would go.
    Threat(ThreatKind),
}

impl AskKind {
    /// D-051. Whether it is creative or exploratory work.
    #[must_use]
    pub const fn is_creative(self) -> bool {
        matches!(self, Self::Creative(_))
    }

    /// Tokens of an answer at most.
    #[must_use]
    pub const fn max_tokens(self) -> u32 {
        match self {
            Self::DaliPartial { .. } => crate::onset::dali::TOKENS,
            Self::Observe => 60,
            Self::Induction => 200,
            Self::Threat(_) | Self::OppositeMarket => 400,
            Self::ReplayBatch | Self::Creative(_) => 600,
        }
    }
}

/// What stands in the prompt: names of what is read, and lines that are fenced as data.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Material {
    pub episodes: Vec<EpisodeId>,
    pub entries: Vec<EntryId>,
    pub lines: Vec<String>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ask {
    pub id: u32,
    pub phase: DreamPhase,
    pub kind: AskKind,
    /// The dearest model that may answer.
    pub grade: Grade,
    pub max_tokens: u32,
    pub temperature: Temperature,
    /// What it may cost.
    pub ceiling: Usdc,
    /// D-177. How long the answer is waited for, where it is not the caller's patience: the last thoughts on the way back
    /// are caught at once or lost.
    pub within: Option<Duration>,
    pub material: Material,
}

/// D-177. How long the last thoughts may be caught.
pub const LIMINAL: Duration = Duration::from_millis(500);

/// Something claimed about a batch.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BatchClaim {
    pub text: String,
    /// Under which condition it could be confirmed.
    pub criterion: String,
    pub failure: String,
    pub vector: Option<Vector>,
}

/// What a creative session said.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SaidIdea {
    /// D-125. The scenario.
    pub scenario: String,
    /// The strategy that would do well in it.
    pub strategy: String,
    pub failure: String,
    /// Its simplest testable version.
    pub test: String,
    /// P-074. The same as a rule of the book, if it can be one.
    pub rule: Option<Box<Rule>>,
    pub vector: Option<Vector>,
}

/// What was said.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A piece of text with its tokens.
    Fragment {
        text: String,
        tokens: u32,
        vector: Option<Vector>,
    },
    /// What is thought of a fragment.
    Judged {
        /// Whether it matters here.
        relevance: Ppm,
        /// Whether it hangs together.
        coherence: Ppm,
    },
    /// What is claimed of a batch or a decision.
    Claims(Vec<BatchClaim>),
    Idea(SaidIdea),
    Narrative(String),
}

/// An answer, or that there is none.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    pub ask: u32,
    /// What was said; `None` when the call failed.
    pub said: Option<Said>,
    pub cost: Usdc,
}

/// Why an answer is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    #[error("nothing is asked now; step the dream before answering")]
    NothingAsked,
    #[error("question {asked} is open, not {given}; answer that one")]
    OtherQuestion { asked: u32, given: u32 },
    /// D-057. More tokens than were asked for.
    #[error("{tokens} tokens were said where {most} are the most; cut the call at its limit")]
    TooLong { tokens: u32, most: u32 },
    #[error("it cost {cost} where {ceiling} was the most; bound the call before it is made")]
    TooDear { cost: Usdc, ceiling: Usdc },
    #[error("this is no answer to that kind of question; read it by its schema")]
    WrongShape,
}

impl Ask {
    /// Whether an answer may be taken.
    ///
    /// # Errors
    /// [`AnswerError`] says why not.
    pub fn check(&self, answer: &Answer) -> Result<(), AnswerError> {
        if self.id != answer.ask {
            return Err(AnswerError::OtherQuestion { asked: self.id, given: answer.ask });
        }
        if answer.cost > self.ceiling {
            return Err(AnswerError::TooDear { cost: answer.cost, ceiling: self.ceiling });
        }
        match (&self.kind, &answer.said) {
            (_, None)
            | (AskKind::Observe, Some(Said::Judged { .. }))
            | (AskKind::ReplayBatch | AskKind::OppositeMarket, Some(Said::Claims(_)))
            | (AskKind::Creative(_), Some(Said::Idea(_)))
            | (AskKind::Threat(_), Some(Said::Narrative(_))) => Ok(()),
            (AskKind::Induction | AskKind::DaliPartial { .. }, Some(Said::Fragment { tokens, .. })) => {
                let most = self.max_tokens;
                if *tokens > most { Err(AnswerError::TooLong { tokens: *tokens, most }) } else { Ok(()) }
            }
            _ => Err(AnswerError::WrongShape),
        }
    }
}
