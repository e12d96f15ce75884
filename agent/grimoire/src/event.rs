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
        Rate = "rate",
        /// Its vector.
        Embedding = "embedding",
        /// Against one's own entries.
        Consensus = "consensus",
        /// Its claims on chain.
        OnChain = "on_chain",
        Gate = "gate",
        /// A candidate, to be tried in the shadow.
        Quarantine = "quarantine",
    }
}

/// G-195. Something that happened in the Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrimoireEvent {
    Write {
        kind: Kind,
        domain: Domain,
        /// What it is worth.
        confidence: Confidence,
        provenance: Provenance,
    },
    Decay {
        entries_decayed: u32,
        /// Mean effective confidence before.
        mean_before: Ppm,
        mean_after: Ppm,
    },
    CuratorCycleComplete {
        /// Entries that left.
        pruned: u32,
        promoted: u32,
        /// Heuristics worthy of PLAYBOOK.md.
        heuristics_proposed: u32,
    },
    IngestResult {
        provenance: Provenance,
        stage: IngestStage,
        is_accepted: bool,
    },
    /// G-070. An entry burned.
    Burned(Box<Burned>),
    /// G-162. PLAYBOOK.md changed.
    PlaybookEvolved {
        edits: u32,
        cycle: String,
    },
}
