//! What is known of a life from its logs.

use std::fmt;

use alloy::primitives::{Address, B256, Bytes, U256};
use golem_core::record::{CauseKind, Phase};
use golem_primitives::{AgentId, LineageId, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::till::Till;

/// Where and when something was logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedAt {
    /// The block.
    pub block: u64,
    /// Its time.
    pub time: UtcTime,
    /// The transaction.
    pub tx: B256,
}

/// One Golem, from its birth to what is known of it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Golem {
    /// Its identity.
    pub agent: AgentId,
    /// Its lineage.
    pub lineage: LineageId,
    /// Its generation.
    pub generation: u64,
    /// Whom it succeeded.
    pub predecessor: Option<AgentId>,
    /// Who succeeded it.
    pub successor: Option<AgentId>,
    /// Its vault.
    pub vault: Address,
    /// Its key; zero when revoked.
    pub key: Address,
    /// Who owns the identity now.
    pub owner: Address,
    /// The playbook it was born with; zero for a generation 0 that gave none.
    pub born_with: B256,
    /// Its birth.
    pub born: LoggedAt,
    /// Its registration file.
    pub uri: String,
    /// The `golem` metadata written at birth.
    pub metadata: Bytes,
    /// The wallet linked to the identity.
    pub wallet: Option<Address>,
    /// Every beat.
    pub beats: Vec<Beat>,
    /// When silence was noticed, unless a beat cleared it.
    pub noticed: Option<UtcTime>,
    /// The beginning of its death.
    pub dying: Option<Dying>,
    /// The roll of a stochastic death.
    pub roll: Option<DeathRoll>,
    /// What it left.
    pub testament: Option<Testament>,
    /// Its death.
    pub death: Option<Death>,
    /// Every trade.
    pub trades: Vec<Trade>,
    /// Its vault's books and rules.
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

/// How far a life has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It lives.
    Alive,
    /// Death has begun.
    Dying,
    /// It is dead.
    Dead,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Alive => "alive",
            Self::Dying => "dying",
            Self::Dead => "dead",
        })
    }
}

/// One beat (L-025).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// The tick lived to.
    pub tick: Tick,
    /// The phase reported; `None` for a number no phase has.
    pub phase: Option<Phase>,
    /// Vitality in parts per million.
    pub vitality_ppm: u64,
    /// Root of the outcome records since the last beat.
    pub outcome_root: B256,
    /// How many it covers.
    pub outcomes: u64,
    /// The death rolls since the last beat that did not follow its schedule.
    pub rolls: Vec<RollRef>,
    /// Blocks between the death rolls of two ticks from here on; 0 when nothing was announced.
    pub roll_stride: u8,
    /// Where it was logged.
    pub place: LoggedAt,
}

/// A survived roll: which tick, and the block whose hash fed it; 0 for one that no block fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollRef {
    /// The tick.
    pub tick: Tick,
    /// The block.
    pub block: u64,
}

/// A trade, with what the books say after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trade {
    /// What was done.
    pub deal: Deal,
    /// USDC capital after it.
    pub capital: Usdc,
    /// Cost of all that is held after it.
    pub deployed: Usdc,
    /// Where it was logged.
    pub place: LoggedAt,
}

/// What a trade was. Amounts are in each token's own units, values in USDC at the TWAP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deal {
    /// One token for another.
    Swap {
        /// In which pool.
        pool: Address,
        /// What was given.
        token_in: Address,
        /// What was taken.
        token_out: Address,
        /// How much was given.
        amount_in: U256,
        /// How much was taken.
        amount_out: U256,
        /// What was given was worth.
        value_in: Usdc,
        /// What was taken was worth.
        value_out: Usdc,
    },
    /// Liquidity added.
    Add {
        /// The position.
        position: U256,
        /// In which pool.
        pool: Address,
        /// Of the first token.
        amount0: U256,
        /// Of the second token.
        amount1: U256,
        /// What it was worth.
        value: Usdc,
        /// What it may have cost against the TWAP.
        loss: Usdc,
    },
    /// Liquidity and fees taken back.
    Remove {
        /// The position.
        position: U256,
        /// Of the first token.
        amount0: U256,
        /// Of the second token.
        amount1: U256,
        /// Whether the position is gone.
        closed: bool,
    },
}

/// The beginning of a death.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dying {
    /// Why.
    pub cause: Option<CauseKind>,
    /// By whom.
    pub by: Address,
    /// Until when the agent may settle alone.
    pub deadline: UtcTime,
    /// The owner's reason or the switch's trigger.
    pub reason: String,
    /// Where it was logged.
    pub place: LoggedAt,
}

/// The claim of a stochastic death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeathRoll {
    /// The tick.
    pub tick: Tick,
    /// The hazard claimed, in units of 2^-64.
    pub hazard: u64,
    /// The roll claimed.
    pub roll: u64,
    /// The block whose hash fed it.
    pub block: u64,
    /// Whether the chain still knew the hash.
    pub verified: bool,
}

/// What the dead leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Testament {
    /// keccak256 of its JSON bytes.
    pub hash: B256,
    /// Where it lies.
    pub uri: String,
    /// Root of the genome passed on.
    pub genome_root: B256,
    /// Digest of the playbook at death.
    pub playbook_digest: B256,
    /// Attached after a finalise.
    pub late: bool,
    /// Where it was logged.
    pub place: LoggedAt,
}

/// A death.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// Why.
    pub cause: Option<CauseKind>,
    /// Who owned it.
    pub owner: Address,
    /// Ticks lived.
    pub ticks_lived: u64,
    /// The testament's hash in the death's own event.
    pub testament_hash: B256,
    /// The market regime it left as a warning.
    pub regime: String,
    /// Where it was logged.
    pub place: LoggedAt,
}

impl Golem {
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
    /// Who lies there.
    pub agent: AgentId,
    /// Its lineage.
    pub lineage: LineageId,
    /// Its generation.
    pub generation: u64,
    /// When it was born.
    pub born: UtcTime,
    /// When it died.
    pub died: UtcTime,
    /// Why.
    pub cause: Option<CauseKind>,
    /// Ticks lived.
    pub ticks: u64,
    /// Who came after.
    pub successor: Option<AgentId>,
    /// The testament, if it left one.
    pub testament: Option<B256>,
    /// Where the testament lies.
    pub testament_uri: String,
    /// The reason given for a kill.
    pub reason: String,
}
