//! What siblings say to each other, and how it is written. Whoever reads it believes neither its numbers nor its names.

use golem_core::record::{MOST_SIBLING_RULES, MarketStain, Pad, PeerMessage, RuleShown};
use golem_core::trader::BookName;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::EntryId;
use golem_grimoire::share::PUSH_PER_HOUR;
use golem_inheritance::bloodstain::Bloodstain;
use golem_inheritance::clade::farewell::DyingNotice;
use golem_ports::WordKind;
use golem_primitives::{GolemId, PoolName};
use serde::{Deserialize, Serialize};

/// Entries of one word: as many as go to one destination in an hour.
pub(super) const MOST_ENTRIES: usize = PUSH_PER_HOUR as usize;
pub(super) const MOST_ANSWERS: usize = 100;
/// Pools whose market a dead sibling may describe.
pub(super) const MOST_POOLS: usize = 8;
/// Kinds of suffering of one crisis.
const MOST_TYPES: usize = 16;

/// An entry as its author holds it: what it is worth there stands in its draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SharedEntry {
    pub(super) id: EntryId,
    pub(super) draft: Draft,
}

/// P-075. A rule its author acts by, in the language of the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SharedRule {
    pub(super) text: String,
    pub(super) shown: RuleShown,
}

/// I-104. What the Curator's turn let go out, and in which mood.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    pub(super) entries: Vec<SharedEntry>,
    pub(super) rules: Vec<SharedRule>,
    pub(super) mood: Option<Pad>,
}

/// I-107. What goes at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Alert {
    pub(super) warnings: Vec<SharedEntry>,
    /// The regime its market has gone over to.
    pub(super) regime: Option<String>,
}

/// M-186. A death has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Death {
    pub(super) notice: DyingNotice,
    /// What it traded by.
    pub(super) book: Option<BookName>,
}

/// I-121, I-340. What the dead leave: the mark of the death, the markets it happened in, and what they warn of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Left {
    pub(super) stain: Bloodstain,
    pub(super) markets: Vec<DiedIn>,
    pub(super) warnings: Vec<SharedEntry>,
}

/// How the market of a pool looked to one that died.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiedIn {
    pub(super) pool: PoolName,
    pub(super) stain: MarketStain,
}

/// What became of something that a sibling had shared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub(super) of: GolemId,
    pub(super) what: Shared,
    pub(super) is_upheld: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shared {
    Entry(EntryId),
    Rule(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Batch(Batch),
    Alert(Alert),
    Death(Death),
    Left(Box<Left>),
    Crisis(PeerMessage),
    Answers(Vec<Answer>),
}

/// Why a sibling's word says nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unheard {
    #[error("it is not written as words of its kind are: {0}")]
    Malformed(String),
    #[error("it holds {count} {what}, and nobody takes in more than {most} at once")]
    TooMany { what: &'static str, count: usize, most: usize },
    #[error("it speaks of the death of {0}, who did not send it")]
    OfAnother(GolemId),
}

impl Said {
    pub(super) const fn kind(&self) -> WordKind {
        match self {
            Self::Batch(_) => WordKind::Batch,
            Self::Alert(_) => WordKind::Warning,
            Self::Death(_) => WordKind::Dying,
            Self::Left(_) => WordKind::Bloodstain,
            Self::Crisis(_) => WordKind::Crisis,
            Self::Answers(_) => WordKind::Acknowledgement,
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let written = match self {
            Self::Batch(said) => serde_json::to_vec(said),
            Self::Alert(said) => serde_json::to_vec(said),
            Self::Death(said) => serde_json::to_vec(said),
            Self::Left(said) => serde_json::to_vec(said),
            Self::Crisis(said) => serde_json::to_vec(said),
            Self::Answers(said) => serde_json::to_vec(said),
        };
        written.expect("plain data with text keys")
    }

    /// Reads a word of that kind from somebody, within the bounds of its kind.
    pub(super) fn read(kind: WordKind, from: &GolemId, bytes: &[u8]) -> Result<Self, Unheard> {
        let bounded = |what, count, most| {
            if count > most { Err(Unheard::TooMany { what, count, most }) } else { Ok(()) }
        };
        Ok(match kind {
            WordKind::Batch => {
                let batch: Batch = parse(bytes)?;
                bounded("entries", batch.entries.len(), MOST_ENTRIES)?;
                bounded("rules", batch.rules.len(), MOST_SIBLING_RULES)?;
                Self::Batch(batch)
            }
            WordKind::Warning => {
                let alert: Alert = parse(bytes)?;
                bounded("warnings", alert.warnings.len(), MOST_ENTRIES)?;
                Self::Alert(alert)
            }
            WordKind::Dying => Self::Death(parse(bytes)?),
            WordKind::Bloodstain => {
                let left: Left = parse(bytes)?;
                bounded("warnings", left.warnings.len(), MOST_ENTRIES)?;
                bounded("pools", left.markets.len(), MOST_POOLS)?;
                if left.stain.golem != *from {
                    return Err(Unheard::OfAnother(left.stain.golem));
                }
                Self::Left(Box::new(left))
            }
            WordKind::Crisis => {
                let message: PeerMessage = parse(bytes)?;
                bounded("kinds of suffering", message.types.len(), MOST_TYPES)?;
                Self::Crisis(message)
            }
            WordKind::Acknowledgement => {
                let answers: Vec<Answer> = parse(bytes)?;
                bounded("answers", answers.len(), MOST_ANSWERS)?;
                Self::Answers(answers)
            }
        })
    }
}

fn parse<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, Unheard> {
    serde_json::from_slice(bytes).map_err(|error| Unheard::Malformed(error.to_string()))
}
