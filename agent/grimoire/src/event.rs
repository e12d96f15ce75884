//! What the Grimoire tells the outside (G-195).

use golem_primitives::Ppm;

use crate::confidence::Confidence;
use crate::kind::{Domain, Kind};
use crate::provenance::Provenance;
use crate::status::Burned;
use golem_primitives::words;

words! {
    /// G-175, G-195. How far a received entry came.
    IngestStage {
        /// Its rate.
        Rate = "rate",
        /// Its vector.
        Embedding = "embedding",
        /// Against one's own entries.
        Consensus = "consensus",
        /// Its claims on chain.
        OnChain = "on_chain",
        /// The gate.
        Gate = "gate",
        /// A candidate, to be tried in the shadow.
        Quarantine = "quarantine",
    }
}

/// G-195. Something that happened in the Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrimoireEvent {
    /// An entry was written.
    Write {
        /// Its type.
        kind: Kind,
        /// What it is about.
        domain: Domain,
        /// What it is worth.
        confidence: Confidence,
        /// Where it comes from.
        provenance: Provenance,
    },
    /// A cycle let go.
    Decay {
        /// Entries archived.
        entries_decayed: u32,
        /// Mean effective confidence before.
        mean_before: Ppm,
        /// And after.
        mean_after: Ppm,
    },
    /// A cycle ended.
    CuratorCycleComplete {
        /// Entries that left.
        pruned: u32,
        /// Candidates that became active.
        promoted: u32,
        /// Heuristics worthy of PLAYBOOK.md.
        heuristics_proposed: u32,
    },
    /// A received entry was judged.
    IngestResult {
        /// Where it came from.
        provenance: Provenance,
        /// How far it came.
        stage: IngestStage,
        /// Whether it went through.
        is_accepted: bool,
    },
    /// G-070. An entry burned.
    Burned(Box<Burned>),
    /// G-162. PLAYBOOK.md changed.
    PlaybookEvolved {
        /// How many edits.
        edits: u32,
        /// The cycle that made them.
        cycle: String,
    },
}
