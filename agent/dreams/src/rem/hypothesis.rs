//! Hypotheses and the predictions they stand or fall by.

use std::collections::BTreeSet;

use golem_grimoire::id::{EntryId, EpisodeId};
use golem_primitives::{B256, keccak256, words};

use crate::inputs::CycleId;
use crate::number::Hundredths;
use crate::rem::creative::CreativeMode;
use crate::vector::{DUPLICATE, Vector};

words! {
    /// D-149. Which work brought something forth.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Origin {
        /// Replay.
        Replay = "replay",
        /// A counterfactual.
        Counterfactual = "counterfactual",
        /// Creative work.
        Creative = "creative",
        /// A threat.
        Threat = "threat",
    }
}

words! {
    /// D-119. What waking ticks said of it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Validation {
        /// Nothing yet.
        Pending = "pending",
        /// It held.
        Confirmed = "confirmed",
        /// It did not.
        Refuted = "refuted",
        /// Neither.
        Inconclusive = "inconclusive",
    }
}

/// D-119. Something a dream supposes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hypothesis {
    /// Its name.
    pub id: EntryId,
    /// What work it comes from.
    pub source: Origin,
    /// The creative mode, if it was creative.
    pub mode: Option<CreativeMode>,
    /// What is supposed.
    pub description: String,
    /// Why.
    pub rationale: String,
    /// When it would fail.
    pub failure_conditions: String,
    /// Under which condition it can be confirmed.
    pub criterion: String,
    /// The simplest test of it.
    pub minimum_test: String,
    /// What it is worth.
    pub confidence: Hundredths,
    /// The cycle.
    pub cycle: CycleId,
    /// The episodes it comes from.
    pub episodes: BTreeSet<EpisodeId>,
    /// The same for the same words.
    pub dedup: B256,
    /// Its vector.
    pub vector: Option<Vector>,
    /// Whether its words are a template's.
    pub is_templated: bool,
    /// What waking ticks said.
    pub validation: Validation,
    /// The episodes that said it.
    pub validated_by: BTreeSet<EpisodeId>,
    /// Whether it was promoted.
    pub is_promoted: bool,
}

/// The hash by which equal words are found: spaces and capitals do not count.
#[must_use]
pub fn dedup_hash(text: &str) -> B256 {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    keccak256(plain.as_bytes())
}

impl Hypothesis {
    /// D-118. Whether it says what another says: the same words, or a cosine above 0.85.
    #[must_use]
    pub fn is_duplicate(&self, dedup: B256, vector: Option<&Vector>) -> bool {
        let cosine = self.vector.as_ref().zip(vector).and_then(|(a, b)| a.cosine(b));
        self.dedup == dedup || cosine.is_some_and(|cosine| cosine > DUPLICATE)
    }

    /// D-120. The prediction it stands by.
    #[must_use]
    pub fn prediction(&self, horizon_ticks: u64) -> CreativePrediction {
        CreativePrediction {
            hypothesis: self.id,
            condition: self.criterion.clone(),
            outcome: self.description.clone(),
            horizon_ticks,
            confidence: self.confidence,
            confirmed_by: BTreeSet::new(),
        }
    }
}

/// D-249. Predictions of one cycle at most.
pub const MOST_PREDICTIONS: usize = 30;

/// D-120. A claim with a condition, an outcome and a horizon.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CreativePrediction {
    /// The hypothesis.
    pub hypothesis: EntryId,
    /// When.
    pub condition: String,
    /// What then.
    pub outcome: String,
    /// Within how many ticks.
    pub horizon_ticks: u64,
    /// What it is worth.
    pub confidence: Hundredths,
    /// Items on which it was confirmed: the same item twice is one confirmation.
    pub confirmed_by: BTreeSet<String>,
}

words! {
    /// D-121. How dreaming does by what became of it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Health {
        /// Too few to say.
        Unknown = "unknown",
        /// Below 1%: noise.
        Noise = "noise",
        /// 1% to 3%.
        Weak = "weak",
        /// 3% to 10%.
        Healthy = "healthy",
        /// 10% to 15%.
        Strong = "strong",
        /// Above 15%: too timid to be called dreaming.
        Timid = "timid",
    }
}

impl Health {
    /// D-121. By the share of creative predictions that live ticks confirmed.
    #[must_use]
    pub fn of(confirmed: u32, total: u32) -> Self {
        let (confirmed, total) = (u64::from(confirmed) * 100, u64::from(total));
        match total {
            0 => Self::Unknown,
            _ if confirmed < total => Self::Noise,
            _ if confirmed < 3 * total => Self::Weak,
            _ if confirmed <= 10 * total => Self::Healthy,
            _ if confirmed <= 15 * total => Self::Strong,
            _ => Self::Timid,
        }
    }
}
