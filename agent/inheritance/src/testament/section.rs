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
        /// What worked.
        Worked = "what_worked",
        /// What failed.
        Failed = "what_failed",
        /// What confused.
        Confused = "what_confused",
        /// What was never tested.
        Untested = "never_tested",
        /// What killed it.
        Killed = "what_killed_me",
        /// What it would change.
        WouldChange = "what_i_would_change",
        /// What it suspects and cannot prove.
        Suspects = "suspect_but_cannot_prove",
        /// Its strongest causal edges.
        CausalEdges = "strongest_causal_edges",
        /// What it felt where.
        EmotionalTopology = "emotional_topology",
    }
}

words! {
    /// M-222. How the dead came by an insight.
    InsightSource {
        /// Its own.
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
    /// The statement.
    pub statement: String,
    /// What it is worth.
    pub confidence: Confidence,
    /// How often it was confirmed.
    pub evidence: u32,
    /// Where and when it held.
    pub context: String,
    /// How the dead came by it.
    pub source: InsightSource,
    /// The entry, if it is one.
    pub entry: Option<EntryId>,
}

/// M-222. Something that was believed and wrong.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Misconception {
    /// The statement.
    pub statement: String,
    /// Why it was held.
    pub why_held: String,
    /// When it was seen to be wrong.
    pub realised: Option<Tick>,
    /// What it cost.
    pub cost: Usdc,
    /// The entry, if it is one.
    pub entry: Option<EntryId>,
}

/// M-222. Signals that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contradiction {
    /// About what.
    pub about: String,
    /// The signals.
    pub signals: Vec<String>,
    /// The entries that say so.
    pub entries: Vec<EntryId>,
}

words! {
    /// M-222. How much speaks for a hypothesis.
    Strength {
        /// Hardly anything.
        Weak = "weak",
        /// Something.
        Moderate = "moderate",
        /// Nearly enough.
        Suggestive = "suggestive",
    }
}

impl Strength {
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
pub struct Hypothesis {
    /// The statement.
    pub statement: String,
    /// How much speaks for it.
    pub strength: Strength,
    /// How a successor could find out.
    pub validation: String,
    /// The entry, if it is one.
    pub entry: Option<EntryId>,
    /// I-056. Whether it was dreamt.
    pub is_dreamt: bool,
}

/// M-222, I-027. What killed it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Analysis {
    /// The cause.
    pub primary: CauseKind,
    /// I-300. What led there, with numbers, first things first.
    pub factors: Vec<String>,
    /// Whether it could have been prevented.
    pub preventable: bool,
    /// I-027. The market in which it died.
    pub market: Option<Regime>,
    /// I-027. The strategies that lost, worst first.
    pub fatal_strategies: Vec<String>,
    /// I-027. What was assumed and wrong.
    pub wrong_assumptions: Vec<String>,
    /// What would have to be different.
    pub change: String,
}

words! {
    /// M-222. How much a piece of advice matters.
    Urgency {
        /// Do it or die of the same.
        Critical = "critical",
        /// Do it.
        Important = "important",
        /// Do it if there is time.
        Nice = "nice",
    }
}

/// M-222. A piece of advice.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Advice {
    /// How much it matters.
    pub urgency: Urgency,
    /// What to do.
    pub what: String,
    /// Why.
    pub why: String,
    /// The entries behind it.
    pub entries: Vec<EntryId>,
}

/// M-222. A causal edge.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CausalEdge {
    /// What moves first.
    pub from: String,
    /// What moves after.
    pub to: String,
    /// Whether it moves the same way.
    pub is_alike: bool,
    /// How strong it is.
    pub weight: Ppm,
    /// What it is worth.
    pub confidence: Confidence,
    /// How often it was seen.
    pub evidence: u32,
    /// Of which domain.
    pub domain: Domain,
    /// Seen together, or moved.
    pub basis: CausalBasis,
    /// The entry.
    pub entry: EntryId,
}

/// I-301, M-221. All nine.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Sections {
    /// What worked.
    pub worked: Vec<Insight>,
    /// What failed.
    pub failed: Vec<Misconception>,
    /// What confused.
    pub confused: Vec<Contradiction>,
    /// What was never tested.
    pub untested: Vec<Hypothesis>,
    /// What killed it.
    pub killed: Analysis,
    /// What it would change.
    pub would_change: Vec<Advice>,
    /// What it suspects.
    pub suspects: Vec<Hypothesis>,
    /// Its strongest causal edges.
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
