//! A memory held against the chain: a key that did more than its memory knows of is used by another process as well,
//! or the memory is an old one. Nothing is signed then.

use golem_ports::{Act, Attempts, ChainError, Errand, Store, TAKE_OVER_NOTE};
use golem_primitives::{Address, Tick};
use serde::{Deserialize, Serialize};

use crate::on_chain::{OnChain, lock};
use crate::reorg::newest_at_depth;
use crate::sight::DYING;

/// Under which note a memory keeps what of its key's doings it need not know.
const RECKONED_NOTE: &str = "reckoned";

/// What was done with a key without this memory: before the life had it, or in a future its owner gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reckoned {
    key: Address,
    nonces: u64,
    tick: Tick,
    /// What this memory wanted up to that tick and never signed may have been done.
    wanted: Option<Tick>,
    /// The block from which on the books are its own again.
    block: u64,
}

/// How a memory stands to the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// It knows all that its key did.
    Level,
    /// It does not, and its owner lets it go on from here.
    TakenOver {
        /// Transactions of the key that it does not know.
        unknown: u64,
        reported: Tick,
    },
}

impl OnChain {
    /// Holds a memory against the chain, before anything is done with it. `known` is the newest tick it lived or
    /// reported. Behind an owner's word (`bardo memory restore`) the differences are taken up instead: the key goes on behind
    /// the nonces that are used, the books begin again, and what was wanted and never signed is not done, because it may
    /// have been.
    ///
    /// # Errors
    /// [`ChainError::Astray`] and [`ChainError::Outdated`] when the chain knows more; otherwise what could not be read.
    pub async fn reckon<S: Store + ?Sized>(&self, store: &mut S, known: Tick) -> Result<Stands, ChainError> {
        let head = self.look().await?;
        let deep = newest_at_depth(head.number, self.depth());
        // The dead sign nothing but what others may do for them.
        if self.state_at(deep).await?.life > DYING {
            return Ok(Stands::Level);
        }
        let key = self.key();
        let used = self.node.transactions_of(key, head.number).await?;
        let reported = self.reported_at(deep).await?;
        let noted: Option<Reckoned> = store.note(RECKONED_NOTE)?.and_then(|note| serde_json::from_str(&note).ok());
        let signed = store.highest_nonce(key)?.map(|highest| highest.saturating_add(1));
        let before = match noted {
            Some(noted) if noted.key == key => noted,
            // A key this memory has not signed with yet: what it did before is not this life's.
            _ => Reckoned {
                key,
                nonces: if signed.is_none() { used } else { 0 },
                tick: noted.map_or(Tick::ZERO, |noted| noted.tick),
                wanted: noted.and_then(|noted| noted.wanted),
                block: noted.map_or(0, |noted| noted.block),
            },
        };
        let answered = before.nonces.max(signed.unwrap_or(0));
        let told = known.max(before.tick);
        let is_level = used <= answered && reported <= told;
        let is_let = store.note(TAKE_OVER_NOTE)?.is_some_and(|said| !said.is_empty());
        let now = match (is_level, is_let) {
            (true, _) => before,
            (false, true) => Reckoned { key, nonces: used, tick: reported, wanted: Some(known), block: head.number },
            (false, false) if used > answered => return Err(ChainError::Astray { key, used, known: answered }),
            (false, false) => return Err(ChainError::Outdated { reported, known: told }),
        };
        if noted != Some(now) {
            store.set_note(RECKONED_NOTE, &serde_json::to_string(&now).expect("plain data"))?;
        }
        if is_let {
            store.set_note(TAKE_OVER_NOTE, "")?;
        }
        *lock(&self.reckoned) = Some(now);
        let unknown = used.saturating_sub(answered);
        Ok(if is_level { Stands::Level } else { Stands::TakenOver { unknown, reported } })
    }

    /// The same while it lives, by the count of a look: whoever else signs with this key is noticed by his first
    /// transaction.
    pub(crate) fn is_alone(&self, used: u64, attempts: &(dyn Attempts + Send)) -> Result<(), ChainError> {
        let Some(before) = *lock(&self.reckoned) else { return Ok(()) };
        let signed = attempts.highest_nonce(self.key())?.map_or(0, |highest| highest.saturating_add(1));
        let known = before.nonces.max(signed);
        if used > known { Err(ChainError::Astray { key: self.key(), used, known }) } else { Ok(()) }
    }

    /// Whether an errand was wanted before the memory was taken over. Death is told again: the chain takes it once.
    pub(crate) fn may_be_done(&self, errand: &Errand) -> bool {
        let wanted = lock(&self.reckoned).and_then(|before| before.wanted);
        wanted.is_some_and(|wanted| errand.tick <= wanted)
            && !matches!(errand.act, Act::Declare(_) | Act::Settle { .. })
    }

    /// The block from which on the books of this life are its own.
    pub(crate) fn books_begin(&self) -> u64 {
        lock(&self.reckoned).map_or(0, |before| before.block)
    }
}
