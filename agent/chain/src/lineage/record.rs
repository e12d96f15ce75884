//! What is known of a life from its logs.

use alloy::primitives::{Address, B256, Bytes, U256};
use golem_core::record::{CauseKind, Phase};
use golem_primitives::{AgentId, LineageId, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::till::Till;

/// Where and when something was logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedAt {
    pub block: u64,
    pub time: UtcTime,
    pub tx: B256,
}

/// One Golem, from its birth to what is known of it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GolemOnChain {
    pub agent: AgentId,
    pub lineage: LineageId,
    pub generation: u64,
    pub predecessor: Option<AgentId>,
    pub successor: Option<AgentId>,
    pub vault: Address,
    /// Its key; zero when revoked.
    pub key: Address,
    pub owner: Address,
    /// The playbook it was born with; zero for a generation 0 that gave none.
    pub born_with: B256,
    pub born: LoggedAt,
    pub uri: String,
    pub metadata: Bytes,
    pub wallet: Option<Address>,
    pub beats: Vec<Beat>,
    /// When silence was noticed, unless a beat cleared it.
    pub noticed: Option<UtcTime>,
    pub dying: Option<DyingOnChain>,
    pub roll: Option<DeathRoll>,
    pub testament: Option<TestamentOnChain>,
    pub death: Option<DeathOnChain>,
    pub trades: Vec<TradeOnChain>,
    pub till: Till,
}

/// T-001. The registry's number of a cause.
pub(super) const fn cause_of(number: u8) -> Option<CauseKind> {
    match number {
        1 => Some(CauseKind::Economic),
        2 => Some(CauseKind::EpistemicSenescence),
        3 => Some(CauseKind::Stochastic),
        4 => Some(CauseKind::OwnerKill),
        5 => Some(CauseKind::KillSwitch),
        _ => None,
    }
}

golem_primitives::words! {
    /// How far a life has come.
    Stage { Alive = "alive", Dying = "dying", Dead = "dead" }
}

/// One beat (L-025).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    pub tick: Tick,
    /// The phase reported; `None` for a number no phase has.
    pub phase: Option<Phase>,
    pub vitality_ppm: u64,
    /// Root of the outcome records since the last beat.
    pub outcome_root: B256,
    pub outcomes: u64,
    /// The death rolls since the last beat that did not follow its schedule.
    pub rolls: Vec<RollRef>,
    /// Blocks between the death rolls of two ticks from here on; 0 when nothing was announced.
    pub roll_stride: u8,
    pub place: LoggedAt,
}

/// A survived roll: which tick, and the block whose hash fed it; 0 for one that no block fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollRef {
    pub tick: Tick,
    pub block: u64,
}

/// A trade, with what the books say after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TradeOnChain {
    pub deal: Deal,
    pub capital: Usdc,
    pub deployed: Usdc,
    pub place: LoggedAt,
}

/// What a trade was. Amounts are in each token's own units, values in USDC at the TWAP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deal {
    Swap {
        pool: Address,
        token_in: Address,
        token_out: Address,
        amount_in: U256,
        amount_out: U256,
        value_in: Usdc,
        value_out: Usdc,
    },
    Add {
        position: U256,
        pool: Address,
        amount0: U256,
        amount1: U256,
        value: Usdc,
        /// What it may have cost against the TWAP.
        loss: Usdc,
    },
    Remove {
        position: U256,
        amount0: U256,
        amount1: U256,
        closed: bool,
    },
}

/// The beginning of a death.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DyingOnChain {
    pub cause: Option<CauseKind>,
    pub by: Address,
    /// Until when the agent may settle alone.
    pub deadline: UtcTime,
    /// The owner's reason or the switch's trigger.
    pub reason: String,
    pub place: LoggedAt,
}

/// The claim of a stochastic death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathRoll {
    pub tick: Tick,
    /// The hazard claimed, in units of 2^-64.
    pub hazard: u64,
    pub roll: u64,
    /// The block whose hash fed it.
    pub block: u64,
    /// Whether the chain still knew the hash.
    pub verified: bool,
}

/// What the dead leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestamentOnChain {
    /// keccak256 of its JSON bytes.
    pub hash: B256,
    pub uri: String,
    pub genome_root: B256,
    pub playbook_digest: B256,
    /// Attached after a finalise.
    pub late: bool,
    pub place: LoggedAt,
}

/// A death.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathOnChain {
    pub cause: Option<CauseKind>,
    pub owner: Address,
    pub ticks_lived: u64,
    pub testament_hash: B256,
    pub regime: String,
    pub place: LoggedAt,
}

impl GolemOnChain {
    /// How far its life has come.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        match (&self.death, &self.dying) {
            (Some(_), _) => Stage::Dead,
            (None, Some(_)) => Stage::Dying,
            (None, None) => Stage::Alive,
        }
    }

    /// Ticks lived: of the dead as recorded, of the living as last beaten.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        let beaten = self.beats.last().map_or(0, |beat| beat.tick.get());
        self.death.as_ref().map_or(beaten, |death| death.ticks_lived)
    }

    /// When it was last heard of.
    #[must_use]
    pub fn last_beat(&self) -> UtcTime {
        self.beats.last().map_or(self.born.time, |beat| beat.place.time)
    }
}

/// A grave, for a list of the dead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    pub agent: AgentId,
    pub lineage: LineageId,
    pub generation: u64,
    pub born: UtcTime,
    pub died: UtcTime,
    pub cause: Option<CauseKind>,
    pub ticks: u64,
    pub successor: Option<AgentId>,
    pub testament: Option<B256>,
    pub testament_uri: String,
    pub reason: String,
}
