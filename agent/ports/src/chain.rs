//! The chain as an agent knows it: it can be seen, and one errand at a time can be driven a step further.

use std::future::Future;

use golem_core::record::{Fill, Inflows, Order, Outcome, Partition, Phase, Sight};
use golem_primitives::{Address, B256, EffectId, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// One effect on its way to the chain. Everything that is signed follows from this and from what [`Attempts`] recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Errand {
    /// Its one name for ever; the idempotency key.
    pub effect: EffectId,
    pub tick: Tick,
    pub act: Act,
    /// The most it may cost in gas, valued in USDC.
    pub budget: Usdc,
}

/// What can be done on chain. No act carries an address: where money may go is the owner's word, kept by the adapter's
/// configuration and by the vault's lists.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A trade of a living or dying Golem.
    Trade(Order),
    /// L-025. Report.
    Beat {
        tick: Tick,
        phase: Phase,
        vitality: Ppm,
        /// The Merkle root of outcome records since the last report.
        root: B256,
        outcomes: u32,
        /// The death rolls since then; told are those that did not follow the schedule of the report before.
        rolls: Rolls,
        /// Blocks between the death rolls of two ticks from this report on; 0 announces none, `None` what stands.
        stride: Option<u8>,
    },
    /// V-009. Split the credits as the phase asks.
    Resplit(Phase),
    /// V-017. Move credits.
    Rebalance { from: Partition, to: Partition, amount: Usdc },
    /// V-007. Raise the reserve to at least this.
    RaiseReserve { to: Usdc },
    /// V-006. Pay the host the owner listed.
    PayHost { partition: Partition, amount: Usdc },
    /// V-006. USDC into the key's own wallet, to pay from over HTTP 402.
    DrawFloat { partition: Partition, amount: Usdc },
    /// V-008. Native coin for the key.
    Refuel { amount: Usdc },
    /// V-014.
    Harvest,
    /// V-003.
    Allocate,
    /// T-001. Declare a death the Golem's own clocks found.
    Declare(Declaration),
    /// T-004.
    Settle { testament: SettledTestament, stain: Stain },
    /// S-071. Simulate a trade on the chain as it is; nothing is signed and nothing sent.
    Rehearse(Order),
}

impl Act {
    /// Its word on screens, in logs and metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Trade(order) => order.name(),
            Self::Beat { .. } => "beat",
            Self::Resplit(_) => "resplit",
            Self::Rebalance { .. } => "rebalance",
            Self::RaiseReserve { .. } => "raise_reserve",
            Self::PayHost { .. } => "pay_host",
            Self::DrawFloat { .. } => "draw_float",
            Self::Refuel { .. } => "refuel",
            Self::Harvest => "harvest",
            Self::Allocate => "allocate",
            Self::Declare(_) => "declare",
            Self::Settle { .. } => "settle",
            Self::Rehearse(_) => "rehearse",
        }
    }
}

/// A death declared by the key.
#[derive(Debug, Clone, PartialEq)]
pub enum Declaration {
    /// Starved.
    Economic,
    /// Senescent, with the evidence in words.
    Senescent {
        /// At most 256 bytes.
        evidence: String,
    },
    /// By chance (T-002).
    Stochastic {
        tick: Tick,
        /// The hazard in units of 2^-64.
        hazard: u64,
        /// The roll in units of 2^-64.
        roll: u64,
        /// The block whose hash fed it.
        block: u64,
    },
}

/// L-025. (tick, block number) of each death roll, oldest first.
pub type Rolls = Vec<(Tick, u64)>;

/// What a settlement records of the life.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SettledTestament {
    /// keccak256 of its JSON bytes.
    pub hash: B256,
    pub uri: String,
    /// The root of what is left to a successor.
    pub genome_root: B256,
    /// The digest of PLAYBOOK.md.
    pub playbook_digest: B256,
    pub ticks_lived: u64,
}

/// T-007. What others can learn of the place of death.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stain {
    pub regime: B256,
    pub loss: Usdc,
    pub evidence: B256,
}

/// How far an errand is.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// On its way; ask again.
    Pending,
    /// Over, at confirmation depth or by refusal.
    Done(Box<Outcome>),
}

/// One signed transaction of an effect. Recorded before it is sent: whatever happens afterwards, a restart finds it, and
/// as every attempt of an effect has the same nonce at most one can ever land.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub effect: EffectId,
    /// Who signed it. A nonce is a number of this key and of no other (L-002).
    pub key: Address,
    /// The nonce; the same for all attempts of an effect.
    pub nonce: u64,
    pub hash: B256,
    /// The signed bytes, as they are sent.
    pub raw: Vec<u8>,
    /// What was seen, simulated and permitted before signing, as the adapter wrote it.
    pub permit: String,
    /// The block it was signed at.
    pub block: u64,
    pub state: AttemptState,
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptState {
    /// Signed; perhaps sent.
    Signed,
    /// Landed in this block and told as an outcome.
    Landed { block: u64, hash: B256 },
    /// A transaction that is no attempt of the effect took its nonce, in this block.
    Taken { block: u64, hash: B256 },
    /// Another attempt of the same nonce landed, or its key has no power any more.
    Lost,
}

impl AttemptState {
    /// The block that made it so. When the chain has another one there, it is not so any more.
    #[must_use]
    pub const fn rests_on(self) -> Option<(u64, B256)> {
        match self {
            Self::Landed { block, hash } | Self::Taken { block, hash } => Some((block, hash)),
            Self::Signed | Self::Lost => None,
        }
    }
}

/// Where attempts are recorded. The store is behind it; the chain's adapter knows only this.
pub trait Attempts {
    /// Records an attempt, durably, before it is sent.
    ///
    /// # Errors
    /// [`StoreError`](crate::StoreError) when it is not on disk: then it must not be sent.
    fn record(&mut self, attempt: &Attempt) -> Result<(), crate::StoreError>;

    /// Changes the state of a recorded attempt.
    fn mark(&mut self, hash: B256, state: AttemptState) -> Result<(), crate::StoreError>;

    /// The attempts of an effect, oldest first.
    fn of(&self, effect: EffectId) -> Result<Vec<Attempt>, crate::StoreError>;

    /// The highest nonce a key was ever recorded with, landed or not; what is [`AttemptState::Lost`] holds none.
    fn highest_nonce(&self, key: Address) -> Result<Option<u64>, crate::StoreError>;

    /// Attempts that landed, or whose nonce was taken, in this block or later, for the watch over reorganisations.
    fn landed_since(&self, block: u64) -> Result<Vec<Attempt>, crate::StoreError>;

    /// Those of a key with this nonce or a later one, however long ago.
    fn landed_from_nonce(&self, key: Address, nonce: u64) -> Result<Vec<Attempt>, crate::StoreError> {
        let is_of_key = |attempt: &Attempt| attempt.key == key && attempt.nonce >= nonce;
        Ok(self.landed_since(0)?.into_iter().filter(is_of_key).collect())
    }
}

/// Why the chain cannot be seen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the chain cannot be seen: {why}")]
pub struct Blindness {
    /// In the adapter's words, endpoints without their secrets.
    pub why: String,
}

const REMEDY: &str = "stop the other, or go back to the newest copy with `bardo memory restore GOLEM`; where there is no \
                      newer one, `bardo memory restore GOLEM --as-is` goes on from this memory";

/// Why an errand could not be driven; nothing is lost, it is driven again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    #[error(transparent)]
    Blind(#[from] Blindness),
    #[error("an attempt could not be recorded")]
    Store(#[from] crate::StoreError),
    /// The key did more than its memory knows of.
    #[error(
        "the key {key} has sent {used} transactions and this memory knows of {known}: another process lives this life, or \
         this memory is an old one; {REMEDY}"
    )]
    Astray { key: Address, used: u64, known: u64 },
    /// The life went on without this memory.
    #[error("the chain was told of tick {reported} and this memory ends at {known}: it is an old one; {REMEDY}")]
    Outdated {
        /// The tick the chain was told of.
        reported: Tick,
        /// The newest this memory has lived or told of.
        known: Tick,
    },
    #[error("the key did not sign: {why}")]
    Signer {
        /// Why, without secrets.
        why: String,
    },
}

impl ChainError {
    /// Whether driving the errand again may help.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::Blind(_) | Self::Signer { .. })
    }
}

/// What the chain can do for an agent.
pub trait Chain: Send + Sync {
    /// SENSING. Everything at one block, the newest known.
    fn sense(&self) -> impl Future<Output = Result<Sight, Blindness>> + Send;

    /// The block whose hash feeds the death roll of a tick: the one that the last confirmed report announced for it,
    /// if it lies at confirmation depth, else the newest that does.
    fn roll_block(&self, tick: Tick) -> impl Future<Output = Result<(u64, B256), Blindness>> + Send;

    /// Drives an errand one step: preview, permit, record, send; or look for its receipt, replace what is stuck, send
    /// again what was dropped; or verify. Calling it again, also after a crash, never lands it twice.
    ///
    /// A key's transactions go one at a time: an errand waits while another's is in flight. So every open effect has to
    /// be driven until it is done; one that is left behind holds up all that come after it.
    fn drive(
        &self,
        errand: &Errand,
        attempts: &mut (dyn Attempts + Send),
    ) -> impl Future<Output = Result<Progress, ChainError>> + Send;

    /// Effects whose end is not so any more: a reorganisation took their transaction back, or what counted as lost
    /// is on the chain. It tells them until they are driven again, so that whoever dies before he has opened them again is
    /// told once more.
    fn withdrawn(
        &self,
        attempts: &mut (dyn Attempts + Send),
    ) -> impl Future<Output = Result<Vec<EffectId>, ChainError>> + Send;

    /// V-003. What the vault's log says of its credits behind the block `after` and up to `at`, the block of a look;
    /// `None` where there is no vault to ask.
    ///
    /// What fails is asked again with the next look: nothing is lost by it.
    fn inflows(&self, after: Option<u64>, at: u64) -> impl Future<Output = Result<Option<Inflows>, Blindness>> + Send {
        let _ = (after, at);
        std::future::ready(Ok(None))
    }

    /// D-110. How a trade came about whose outcome was just told: amounts, gas, and the pool as it stood before. `None` for
    /// what is no trade, did not land, or cannot be read any more; nothing is guessed.
    fn fill(
        &self,
        errand: &Errand,
        outcome: &Outcome,
        attempts: &mut (dyn Attempts + Send),
    ) -> impl Future<Output = Result<Option<Fill>, ChainError>> + Send {
        let _ = (errand, outcome, attempts);
        std::future::ready(Ok(None))
    }

    /// I-076. Of each of these transactions whether the chain knows it, in their order; `None` where nobody could say.
    fn knows(&self, transactions: &[B256]) -> impl Future<Output = Vec<Option<bool>>> + Send {
        std::future::ready(vec![None; transactions.len()])
    }

    /// I-010. The signature of the Golem's key over what it leaves: its testament's hash and its bundle's. `None` where
    /// there is no key.
    fn attest(
        &self,
        testament: B256,
        bundle: B256,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, ChainError>> + Send {
        let _ = (testament, bundle);
        async { Ok(None) }
    }
}
