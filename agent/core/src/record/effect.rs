//! What a pass wants of the world.

use golem_dreams::inputs::CycleId;
use golem_dreams::words::{DreamTier, DreamTrigger};
use golem_mortality::cause::CauseKind;
use golem_mortality::economic::partitions::Partition;
use golem_mortality::economic::tier::Tier;
use golem_mortality::phase::Phase;
use golem_primitives::{B256, EffectId, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

use super::bought::SourceName;
use super::order::Order;

/// What the Golem wants of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Its one name for ever.
    pub id: EffectId,
    pub kind: EffectKind,
    pub budget: Usdc,
}

/// Effects the law of mortality asks for. Later laws add theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// M-178. Say on chain that this life ends; the death protocol follows.
    Declare { cause: CauseKind },
    /// D-020. The one dream on the edge into Terminal, by rules.
    EmergencyDream,
    /// M-131. Close positions.
    UnwindPositions { open: u32 },
    /// M-030, M-031. Split the credits on chain as the phase asks.
    ResplitCredits { phase: Phase },
    /// M-034. Move credits between partitions on chain.
    MoveCredits { source: Partition, destination: Partition, amount: Usdc },
    /// M-038. Raise the reserve on chain.
    RaiseReserve { to: Usdc },
    /// M-048. Tell the owner what feeding would buy.
    OfferFeed {
        /// What a day costs.
        amount: Usdc,
        deadline: Tick,
    },
    /// M-067. Reflect at once: the epistemic clock has warned.
    Reflect {
        /// The largest model that may be asked.
        ceiling: Tier,
    },
    /// M-131, M-230. A death snapshot.
    TakeDeathSnapshot,
    /// M-227. An insurance snapshot.
    TakeInsuranceSnapshot,
    /// M-138, M-250. Run the Curator.
    Curate,
    /// Trade; preview and permit stand between this wish and a transaction.
    Trade(Order),
    /// L-025. Report tick, phase and vitality on chain, with the root of what was verified since the last report.
    Beat { phase: Phase, vitality: Ppm },
    /// V-006. Pay the host what the machine has cost.
    PayHost { partition: Partition, amount: Usdc },
    /// V-008. Native coin for the key out of the gas partition.
    Refuel { amount: Usdc },
    /// V-014. Profit into credits by the owner's share.
    Harvest,
    /// V-003. Allocate what was sent to the vault without a word.
    Allocate,
    /// M-195. Write the testament.
    WriteTestament,
    /// T-004. The last act: settle on chain.
    Settle,
    /// M-139. Ask a model which of the offered actions to take.
    Deliberate {
        tier: Tier,
        /// The digest of the list.
        about: B256,
    },
    /// Buy what a source sells, for at most the budget.
    Buy { source: SourceName },
    /// V-006. USDC into the key's own wallet, to buy with.
    DrawFloat { partition: Partition, amount: Usdc },
    /// G-142. Ask a model what the episodes have in common.
    Distil { tier: Tier },
    /// S-071. Simulate a trade that is closed now, on the chain as it is, and send nothing.
    Rehearse(Order),
    /// D-015. Dream, for at most the budget, until it is over or the life says to wake.
    Dream { cycle: CycleId, trigger: DreamTrigger, tier: DreamTier },
}
