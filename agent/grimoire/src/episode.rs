//! Episodes: what happened, written once, and what was noted beside it since.

use std::collections::BTreeSet;

use golem_mortality::epistemic::window::Pair;
use golem_mortality::outcome::record::OutcomeVerification;
use golem_mortality::phase::Phase;
use golem_primitives::{EffectId, GolemId, Ppm, Usdc};

use crate::confidence::Confidence;
use crate::emotion::EmotionalTag;
use crate::finding::PatternKey;
use crate::id::{EpisodeId, Moment};
use crate::regime::Regime;
use crate::strength::Strength;
use golem_primitives::words;

words! {
    /// G-116. What kind of experience it is.
    EpisodeKind {
        Observation = "observation",
        Action = "action",
        RegimeShift = "regime_shift",
        /// G-126. An invariant broke.
        SafetyIncident = "safety_incident",
    }
}

words! {
    /// G-117. How it went.
    EpisodeOutcome {
        Positive = "positive",
        Negative = "negative",
        Neutral = "neutral",
        /// Nothing was at stake.
        Descriptive = "descriptive",
    }
}

words! {
    /// G-117. How much it matters.
    Importance {
        /// Every tick has it.
        Routine = "routine",
        /// Worth a look.
        Notable = "notable",
        /// Changed something.
        Critical = "critical",
        /// Could have killed.
        Emergency = "emergency",
    }
}

/// G-116 to G-118, G-121. One experience. Its content is append-only (G-119): fields are read, never written again.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Episode {
    pub id: EpisodeId,
    pub kind: EpisodeKind,
    pub text: String,
    pub key: PatternKey,
    pub outcome: EpisodeOutcome,
    pub importance: Importance,
    pub happened: Moment,
    /// G-121. When it was written down.
    pub recorded: Moment,
    pub regime: Option<Regime>,
    pub emotion: Option<EmotionalTag>,
    /// Return said before, per unit of notional.
    pub expected: Option<f64>,
    /// Return that came.
    pub actual: Option<f64>,
    pub pnl_micros: Option<i64>,
    /// What was at stake.
    pub position: Usdc,
    /// G-126. How sure it is: reads of the chain are certain.
    pub confidence: Confidence,
    /// Not yet over (G-097).
    pub is_unfinished: bool,
}

impl Episode {
    /// G-118. How far the outcome was from what was said; zero when nothing was said.
    #[must_use]
    pub fn surprise(&self) -> f64 {
        match (self.expected, self.actual) {
            (Some(expected), Some(actual)) => (actual - expected).abs(),
            _ => 0.0,
        }
    }

    /// Whether what was said came true in direction; `None` when nothing was said or nothing came.
    #[must_use]
    pub fn held(&self) -> Option<bool> {
        match self.outcome {
            EpisodeOutcome::Positive => Some(true),
            EpisodeOutcome::Negative => Some(false),
            EpisodeOutcome::Neutral | EpisodeOutcome::Descriptive => None,
        }
    }
}

/// Where an episode happened.
#[derive(Debug, Clone, PartialEq)]
pub struct EpisodeCircumstances {
    pub golem: GolemId,
    pub now: Moment,
    pub key: PatternKey,
    pub regime: Option<Regime>,
    pub emotion: Option<EmotionalTag>,
}

impl EpisodeCircumstances {
    fn episode(&self, name: &[u8], kind: EpisodeKind, outcome: EpisodeOutcome, text: String) -> Episode {
        Episode {
            id: EpisodeId::derive(self.now.at, &self.golem, name),
            kind,
            text,
            key: self.key.clone(),
            outcome,
            importance: Importance::Routine,
            happened: self.now,
            recorded: self.now,
            regime: self.regime,
            emotion: self.emotion,
            expected: None,
            actual: None,
            pnl_micros: None,
            position: Usdc::ZERO,
            confidence: Confidence::of(700_000),
            is_unfinished: false,
        }
    }

    /// What the episodes of a verified action are named by: the action's own, and that of the invariants it broke.
    #[must_use]
    pub fn names_of(action: EffectId) -> [Vec<u8>; 2] {
        [action.0.to_vec(), [action.0.as_slice(), b"incident"].concat()]
    }

    /// G-124, G-125. The episode of a verified action: deterministic facts, no opinion. It was worth what the round trip
    /// netted that it closed, by the ledger; what closed none has not earned. Broken invariants make a second one beside
    /// it, at confidence one (G-126).
    #[must_use]
    pub fn verified(&self, record: &OutcomeVerification, netted_micros: Option<i64>) -> Vec<Episode> {
        let realised = record.receipt.realised_return_micros;
        let outcome = match (record.receipt.success, netted_micros.unwrap_or(0).signum()) {
            (false, _) | (true, -1) => EpisodeOutcome::Negative,
            (true, 1) => EpisodeOutcome::Positive,
            _ => EpisodeOutcome::Neutral,
        };
        let prediction = &record.prediction;
        let mut text = format!(
            "{} expected {} and returned {realised} micro-USDC at its price, gas {} of {} expected, {}",
            self.key,
            prediction.expected_return_micros,
            record.receipt.gas_used,
            prediction.expected_gas,
            if record.receipt.success { "succeeded" } else { "reverted" }
        );
        if let Some(netted) = netted_micros {
            text.push_str(&format!(", and the round trip netted {netted} micro-USDC"));
        }
        let [name, of_incident] = Self::names_of(record.action_id);
        let mut episode = self.episode(&name, EpisodeKind::Action, outcome, text);
        let notional = prediction.notional.micros() as f64;
        if notional > 0.0 {
            episode.expected = Some(prediction.expected_return_micros as f64 / notional);
            episode.actual = Some(realised as f64 / notional);
        }
        episode.pnl_micros = netted_micros;
        episode.position = prediction.notional;
        episode.confidence = Confidence::CERTAIN;
        episode.importance = if record.receipt.success { Importance::Notable } else { Importance::Critical };

        let broken: Vec<&str> =
            record.invariants.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect();
        if broken.is_empty() {
            return vec![episode];
        }
        let text = format!("{} broke {}", self.key, broken.join(", "));
        let mut incident = self.episode(&of_incident, EpisodeKind::SafetyIncident, EpisodeOutcome::Negative, text);
        incident.confidence = Confidence::CERTAIN;
        incident.importance = Importance::Emergency;
        vec![episode, incident]
    }

    /// G-124. The episode of a prediction resolved from chain state: held when both returns have the same sign.
    #[must_use]
    pub fn resolved(&self, pair: Pair, ordinal: u32) -> Episode {
        let (predicted, actual) = (pair.predicted(), pair.actual());
        let outcome = if predicted * actual > 0.0 {
            EpisodeOutcome::Positive
        } else if predicted * actual < 0.0 {
            EpisodeOutcome::Negative
        } else {
            EpisodeOutcome::Neutral
        };
        let text = format!("{} predicted {predicted:.6} and saw {actual:.6}", self.key);
        let name = [self.key.to_string().as_bytes(), &self.now.tick.to_be_bytes(), &ordinal.to_be_bytes()].concat();
        let mut episode = self.episode(&name, EpisodeKind::Observation, outcome, text);
        episode.expected = Some(predicted);
        episode.actual = Some(actual);
        episode.confidence = Confidence::CERTAIN;
        episode
    }

    /// G-116. The episode that every tick has.
    #[must_use]
    pub fn observed(&self, text: &str) -> Episode {
        let name = [b"tick".as_slice(), &self.now.tick.to_be_bytes(), text.as_bytes()].concat();
        self.episode(&name, EpisodeKind::Observation, EpisodeOutcome::Descriptive, text.to_owned())
    }
}

words! {
    /// G-141. Why an episode waits for a dream.
    Ambiguity {
        ContradictoryPattern = "contradictory_pattern",
        InsufficientEvidence = "insufficient_evidence",
        /// Two entries quarrel over it.
        UnresolvedConflict = "unresolved_conflict",
    }
}

words! {
    /// G-045, G-141. How much an episode wants to be dreamt.
    DreamPriority {
        /// It would help.
        Medium = "medium",
        /// It nags.
        High = "high",
    }
}

/// G-119. What is noted beside an episode; the episode itself stays as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Annotations {
    /// How often it helped.
    pub strength: Strength,
    /// Arousal left, processed by dreams.
    pub arousal: Ppm,
    /// G-045. Whether it is to be dreamt, and why.
    pub dream_priority: Option<(DreamPriority, Ambiguity)>,
    /// G-118. How often it was replayed.
    pub replay_count: u32,
    /// G-118. When last.
    pub last_replayed: Option<Moment>,
    /// G-117. Whether the Curator has distilled it.
    pub is_consolidated: bool,
    /// Triaged as forgotten by a dream; still there, no longer replayed.
    pub is_forgotten: bool,
    pub entries: BTreeSet<crate::id::EntryId>,
}

/// An episode with its notes.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Recorded {
    pub episode: Episode,
    pub notes: Annotations,
}

impl From<Episode> for Recorded {
    fn from(episode: Episode) -> Self {
        Self { episode, notes: Annotations::default() }
    }
}

/// G-122. What a Golem in that phase still writes down.
#[must_use]
pub const fn is_encoded(phase: Phase, was_decided: bool, was_acted: bool) -> bool {
    match phase {
        Phase::Thriving | Phase::Stable => true,
        Phase::Conservation => was_decided || was_acted,
        Phase::Declining => was_acted,
        Phase::Terminal => false,
    }
}

/// G-123. What makes a moment burn itself in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlashbulbReading {
    /// Arousal above 0.7 in this tick and the one before.
    pub aroused_twice: bool,
    /// Share of the net asset value won or lost.
    pub pnl_of_nav: Ppm,
    /// Ticks since this regime was last seen; `None` if never.
    pub ticks_since_regime: Option<u64>,
    /// A safety probe read high.
    pub probe_is_high: bool,
    pub taken_today: u32,
}

/// G-123. Whether the moment is kept whole: at most three a day.
#[must_use]
pub fn is_flashbulb(reading: &FlashbulbReading) -> bool {
    const MOST_A_DAY: u32 = 3;
    const BIG: Ppm = Ppm::of(50_000);
    let is_striking = reading.aroused_twice
        || reading.pnl_of_nav > BIG
        || reading.ticks_since_regime.is_none_or(|ticks| ticks > 500)
        || reading.probe_is_high;
    is_striking && reading.taken_today < MOST_A_DAY
}
