//! The nine sections and what stands in each (I-301, M-221, M-222).

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::{CausalBasis, Domain};
use golem_grimoire::regime::Regime;
use golem_mortality::cause::CauseKind;
use golem_primitives::words;
use golem_primitives::{Ppm, Tick, Usdc};

use super::affect::EmotionalTopology;

words! {
    /// I-301, M-221. A section.
    Section {
        Worked = "what_worked",
        Failed = "what_failed",
        Confused = "what_confused",
        Untested = "never_tested",
        Killed = "what_killed_me",
        WouldChange = "what_i_would_change",
        Suspects = "suspect_but_cannot_prove",
        CausalEdges = "strongest_causal_edges",
        EmotionalTopology = "emotional_topology",
    }
}

words! {
    /// M-222. How the dead came by an insight.
    InsightSource {
        Novel = "novel",
        /// Inherited and confirmed.
        Validated = "validated",
        /// Inherited and changed.
        Modified = "modified",
    }
}

/// M-222. Something that worked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Insight {
    pub statement: String,
    pub confidence: Confidence,
    pub evidence: u32,
    pub context: String,
    pub source: InsightSource,
    pub entry: Option<EntryId>,
}

/// M-222. Something that was believed and wrong.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Misconception {
    pub statement: String,
    pub why_held: String,
    pub realised: Option<Tick>,
    pub cost: Usdc,
    pub entry: Option<EntryId>,
}

/// M-222. Signals that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contradiction {
    pub about: String,
    pub signals: Vec<String>,
    pub entries: Vec<EntryId>,
}

words! {
    /// M-222. How much speaks for a hypothesis.
    HypothesisStrength {
        Weak = "weak",
        Moderate = "moderate",
        Suggestive = "suggestive",
    }
}

impl HypothesisStrength {
    /// The strength of what an unproven statement is worth.
    #[must_use]
    pub fn of(confidence: Confidence) -> Self {
        match confidence.get().get() {
            0..300_000 => Self::Weak,
            300_000..500_000 => Self::Moderate,
            _ => Self::Suggestive,
        }
    }
}

/// M-222. Something that may be so.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TestamentHypothesis {
    pub statement: String,
    pub strength: HypothesisStrength,
    pub validation: String,
    pub entry: Option<EntryId>,
    /// I-056. Whether it was dreamt.
    pub is_dreamt: bool,
}

/// M-222, I-027. What killed it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Analysis {
    pub primary: CauseKind,
    /// I-300. What led there, with numbers, first things first.
    pub factors: Vec<String>,
    pub preventable: bool,
    /// I-027. The market in which it died.
    pub market: Option<Regime>,
    /// I-027. The strategies that lost, worst first.
    pub fatal_strategies: Vec<String>,
    /// I-027. What was assumed and wrong.
    pub wrong_assumptions: Vec<String>,
    pub change: String,
}

words! {
    /// M-222. How much a piece of advice matters.
    AdviceUrgency {
        /// Do it or die of the same.
        Critical = "critical",
        Important = "important",
        /// Do it if there is time.
        Nice = "nice",
    }
}

/// M-222. A piece of advice.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Advice {
    pub urgency: AdviceUrgency,
    pub what: String,
    pub why: String,
    pub entries: Vec<EntryId>,
}

/// M-222. A causal edge.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CausalEdge {
    pub from: String,
    pub to: String,
    /// Whether it moves the same way.
    pub is_alike: bool,
    pub weight: Ppm,
    pub confidence: Confidence,
    pub evidence: u32,
    pub domain: Domain,
    pub basis: CausalBasis,
    pub entry: EntryId,
}

/// I-301, M-221. All nine.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sections {
    pub worked: Vec<Insight>,
    pub failed: Vec<Misconception>,
    pub confused: Vec<Contradiction>,
    /// What was never tested.
    pub untested: Vec<TestamentHypothesis>,
    pub killed: Analysis,
    pub would_change: Vec<Advice>,
    pub suspects: Vec<TestamentHypothesis>,
    pub causal_edges: Vec<CausalEdge>,
    /// What it felt where; empty when affect was off.
    pub emotional_topology: EmotionalTopology,
}

impl Sections {
    /// I-025. Which section tells of which entry; of several the first.
    #[must_use]
    pub fn told(&self) -> std::collections::BTreeMap<EntryId, Section> {
        let one = |section: Section, entry: Option<EntryId>| entry.map(|entry| (entry, section));
        let mut told: Vec<(EntryId, Section)> = Vec::new();
        told.extend(self.worked.iter().filter_map(|item| one(Section::Worked, item.entry)));
        told.extend(self.failed.iter().filter_map(|item| one(Section::Failed, item.entry)));
        told.extend(self.confused.iter().flat_map(|item| item.entries.iter().map(|e| (*e, Section::Confused))));
        told.extend(self.untested.iter().filter_map(|item| one(Section::Untested, item.entry)));
        told.extend(self.would_change.iter().flat_map(|item| item.entries.iter().map(|e| (*e, Section::WouldChange))));
        told.extend(self.suspects.iter().filter_map(|item| one(Section::Suspects, item.entry)));
        told.extend(self.causal_edges.iter().map(|item| (item.entry, Section::CausalEdges)));
        told.reverse();
        told.into_iter().collect()
    }
}
