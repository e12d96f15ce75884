//! What anyone may propose, and why it may be none.

use std::collections::BTreeSet;

use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::emotion::{EmotionalTag, Pad};
use crate::finding::{Finding, PatternKey};
use crate::id::{EntryId, EpisodeId};
use crate::kind::{Domain, EntryBody, Kind};
use crate::provenance::Source;
use crate::regime::Regime;
use crate::retention::DecayClass;

/// How an entry came to be said.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By counting, with what was counted.
    Rules(Finding),
    /// G-132. By looks that were counted; what was counted is in its body.
    Looks,
    Model,
    /// By someone else, and nothing in it can be tested here.
    Received,
    /// By an owner or a fixture.
    Stated,
    /// G-175. By someone else, in the closed form of what is counted: one's own episodes decide. The numbers are the
    /// sender's and count for nothing.
    Told(Finding),
}

/// G-048, G-170. An entry that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryQuestion {
    /// Nobody knows yet.
    Open {
        /// First in a successor's attention.
        requires_investigation: bool,
    },
    /// Another entry answers it.
    Answered(EntryId),
    /// Another entry makes it moot.
    Superseded(EntryId),
}

/// G-046. What is recorded of the dream an entry came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct DreamMark {
    pub cycle: String,
    pub replayed: BTreeSet<EpisodeId>,
    /// The mood at the start of the cycle.
    pub mood: Pad,
    /// Vitality at the start of the cycle.
    pub vitality: Ppm,
    /// Confirmed awake in time.
    pub is_validated: bool,
}

/// What anyone may propose. It becomes knowledge only through the gate, as a candidate.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Draft {
    /// G-023. One self-contained statement.
    pub content: String,
    pub body: EntryBody,
    pub source: Source,
    /// What it was worth where it comes from, undecayed; of no matter for one's own.
    pub original_confidence: Confidence,
    pub domain: Domain,
    /// G-030. In which regime it holds; `None` for any.
    pub regime: Option<Regime>,
    /// G-029. Its class, or `None` for the default of its type.
    pub decay_class: Option<DecayClass>,
    /// G-031. From when it held.
    pub valid_from: UtcTime,
    /// G-031. Until when; `None` while it holds.
    pub valid_until: Option<UtcTime>,
    /// G-032. The episodes behind it.
    pub parents: BTreeSet<EpisodeId>,
    /// G-033. Words to filter by.
    pub tags: BTreeSet<String>,
    /// G-041. What was felt.
    pub emotion: Option<EmotionalTag>,
    /// G-048. Whether it asks.
    pub question: Option<EntryQuestion>,
    /// G-048. What it does not know.
    pub gaps: Vec<String>,
    pub method: Method,
    pub dream: Option<DreamMark>,
}

/// Why a draft is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraftError {
    /// G-023. It says nothing.
    #[error("an entry says nothing")]
    Empty,
    /// G-023. It says more than can be retrieved as one statement.
    #[error("a statement has {bytes} bytes, more than {most}")]
    TooLong { bytes: usize, most: usize },
    #[error("a text beside the statement has {bytes} bytes, more than {most}; shorten it")]
    LongPart { bytes: usize, most: usize },
    #[error("it lists {count} tags, gaps or insights behind it, more than {most}; leave some out")]
    TooMany { count: usize, most: usize },
    #[error("it holds the invisible character U+{code:04X}; say it in one line of plain text")]
    Invisible {
        /// The character's number.
        code: u32,
    },
    #[error("a {kind} lacks {missing}")]
    Incomplete { kind: Kind, missing: &'static str },
    /// G-031. It ends before it begins.
    #[error("it holds until {until}, before it begins at {from}")]
    EndsBeforeItBegins { from: UtcTime, until: UtcTime },
}

/// G-023. Whether a character moves, colours, breaks or turns round what stands beside it: control characters, line and
/// paragraph separators, and everything that sets the direction of writing. A statement is one line and looks as it reads.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

impl Draft {
    /// The most bytes of a statement.
    pub const MOST_BYTES: usize = 2_000;
    /// The most bytes of any other text of it.
    pub const MOST_PART_BYTES: usize = 1_000;
    /// The most tags, the most gaps and the most insights it is derived from.
    pub const MOST_LISTED: usize = 64;

    /// A draft of a statement with nothing else to it.
    #[must_use]
    pub fn new(content: &str, body: EntryBody, source: Source, at: UtcTime) -> Self {
        Self {
            content: content.to_owned(),
            body,
            source,
            original_confidence: Confidence::ZERO,
            domain: Domain::General,
            regime: None,
            decay_class: None,
            valid_from: at,
            valid_until: None,
            parents: BTreeSet::new(),
            tags: BTreeSet::new(),
            emotion: None,
            question: None,
            gaps: Vec::new(),
            method: Method::Stated,
            dream: None,
        }
    }

    /// Whether it may be judged at all.
    ///
    /// # Errors
    /// [`DraftError`] for a statement that is none, or lacks a part of its type.
    pub fn check(&self) -> Result<(), DraftError> {
        let bytes = self.content.len();
        if self.content.trim().is_empty() {
            return Err(DraftError::Empty);
        }
        if bytes > Self::MOST_BYTES {
            return Err(DraftError::TooLong { bytes, most: Self::MOST_BYTES });
        }
        let listed = self.tags.len().max(self.gaps.len()).max(self.body.derived_from());
        if listed > Self::MOST_LISTED {
            return Err(DraftError::TooMany { count: listed, most: Self::MOST_LISTED });
        }
        let longest = self.parts().map(str::len).max().unwrap_or_default();
        if longest > Self::MOST_PART_BYTES {
            return Err(DraftError::LongPart { bytes: longest, most: Self::MOST_PART_BYTES });
        }
        let mut characters = std::iter::once(self.content.as_str()).chain(self.parts()).flat_map(str::chars);
        if let Some(character) = characters.find(|character| is_invisible(*character)) {
            return Err(DraftError::Invisible { code: character.into() });
        }
        if let Some(missing) = self.body.missing() {
            return Err(DraftError::Incomplete { kind: self.body.kind(), missing });
        }
        match self.valid_until {
            Some(until) if until < self.valid_from => {
                Err(DraftError::EndsBeforeItBegins { from: self.valid_from, until })
            }
            _ => Ok(()),
        }
    }

    /// Every text of it but the statement.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let listed = self.tags.iter().chain(&self.gaps).map(String::as_str);
        let counted = self.key().into_iter().flat_map(|key| [key.tool.as_str(), key.pair.as_str()]);
        let dreamt = self.dream.iter().map(|dream| dream.cycle.as_str());
        self.body.texts().chain(listed).chain(counted).chain(dreamt)
    }

    /// What was counted for it, here or where it comes from.
    #[must_use]
    pub const fn counted(&self) -> Option<&Finding> {
        match &self.method {
            Method::Rules(finding) | Method::Told(finding) => Some(finding),
            Method::Looks | Method::Model | Method::Received | Method::Stated => None,
        }
    }

    /// The key it was counted under, if it was counted.
    #[must_use]
    pub const fn key(&self) -> Option<&PatternKey> {
        match self.counted() {
            Some(finding) => Some(&finding.key),
            None => None,
        }
    }
}
