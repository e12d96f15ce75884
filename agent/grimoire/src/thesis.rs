//! What a statement claims, in a closed form: so that one's own episodes can confirm it or contradict it, whoever said it.

use crate::entry::{Draft, Method};
use crate::finding::{Finding, LEAST_TRIALS, PatternKey, expects, rule_words, warning_words};
use crate::kind::{AVOID, EntryBody, Kind};
use crate::regime::Regime;

/// A claim that counting can decide: that something holds, or that it fails, under a key in a regime. Two entries of one
/// type with the same thesis say the same, whatever numbers stand in their text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Thesis {
    /// The type of the entry: an insight counts, a rule earns, a warning tells of losses.
    pub kind: Kind,
    pub key: PatternKey,
    /// In which regime; `None` when the episodes named none.
    pub regime: Option<Regime>,
    /// Whether it is said to hold; of a warning that it is in force.
    pub holds: bool,
}

impl Thesis {
    /// What a draft claims; `None` for one that asks, and for one nobody counted.
    #[must_use]
    pub fn of(draft: &Draft) -> Option<Self> {
        let finding = draft.counted()?;
        if draft.question.is_some() {
            return None;
        }
        let holds = match &draft.body {
            EntryBody::Insight => expects(finding),
            // A rule keeps the words it was made with while its numbers are counted on, so its words decide: else a rule
            // to avoid something would be confirmed by the very successes that refute it.
            EntryBody::Heuristic { act, .. } => !act.starts_with(AVOID),
            EntryBody::Warning { .. } => true,
            EntryBody::CausalLink(_) | EntryBody::StrategyFragment { .. } => return None,
        };
        Some(Self { kind: draft.body.kind(), key: finding.key.clone(), regime: finding.regime, holds })
    }
}

/// G-053, G-175. How a draft from outside counts as said. It keeps what its sender counted as data, if that is of the
/// closed form and its text says this and nothing else: then what is confirmed here is what is read there. Of anything
/// else no more is known than that somebody sent it.
#[must_use]
pub fn received(draft: &Draft) -> Method {
    match draft.counted() {
        Some(finding)
            if is_sound(finding, draft.body.kind()) && draft.regime == finding.regime && is_said(draft, finding) =>
        {
            Method::Told(finding.clone())
        }
        _ => Method::Received,
    }
}

/// Bytes of a tool's or a pair's name at most.
const MOST_WORD_BYTES: usize = 64;

/// Whether numbers and words are such as counting makes. One loss is enough for a warning.
fn is_sound(finding: &Finding, kind: Kind) -> bool {
    let least = if kind == Kind::Warning { 1 } else { LEAST_TRIALS };
    let earned = finding
        .earned
        .is_none_or(|earned| earned.low_micros <= earned.mean_micros && earned.mean_micros <= earned.high_micros);
    let counts = finding.held <= finding.trials && finding.trials >= least;
    earned && counts && is_key(&finding.key)
}

/// A tool is named like `mean-reversion/sell`, a pair like `WETH/USDC`, and there is no chain zero.
fn is_key(key: &PatternKey) -> bool {
    let is_named = |name: &str, least: usize, is_letter: fn(char) -> bool| {
        let parts: Vec<&str> = name.split('/').collect();
        let is_part = |part: &&str| !part.is_empty() && part.chars().all(is_letter);
        name.len() <= MOST_WORD_BYTES && (least..=2).contains(&parts.len()) && parts.iter().all(is_part)
    };
    let of_tool = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let of_pair = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    key.chain > 0 && is_named(&key.tool, 1, of_tool) && is_named(&key.pair, 2, of_pair)
}

/// Whether the text of a draft is that of its finding. Of a rule the condition and the action are, as they are what it
/// tells to do.
fn is_said(draft: &Draft, finding: &Finding) -> bool {
    match &draft.body {
        _ if draft.question.is_some() => false,
        EntryBody::Insight => draft.content == finding.statement(),
        EntryBody::Heuristic { when, act, .. } => {
            let (condition, action) = rule_words(finding, act.starts_with(AVOID));
            *when == condition && *act == action && draft.body.statement().as_deref() == Some(&draft.content)
        }
        EntryBody::Warning { severity, .. } => draft.content == warning_words(finding, *severity),
        EntryBody::CausalLink(_) | EntryBody::StrategyFragment { .. } => false,
    }
}
