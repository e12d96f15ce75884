//! Who may speak: the key that the chain names for a vault, while the vault lives or dies.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alloy::primitives::Address;
use golem_ports::{Enrolled, Register, Vital, WordKind};
use golem_primitives::UtcTime;
use tokio::sync::Semaphore;

use crate::frame::{Frame, Realm, SIGNATURE_BYTES, Statement};
use crate::message::{RefusalReason, RelayRefusal};

/// How far a sender's clock may stand from this one.
const CLOCK_SECONDS: u64 = 300;
/// How long a link that stands lives on what was last seen of the chain.
const BLIND_SECONDS: u64 = 300;
/// Vaults that are remembered.
const KNOWN: usize = 65_536;

/// What was read of a vault, and when.
#[derive(Clone, Copy)]
struct Read {
    enrolled: Option<Enrolled>,
    block: u64,
    at: UtcTime,
}

#[derive(Default)]
struct Memory {
    vaults: HashMap<Address, Read>,
    /// The newest block, and when it was asked for.
    block: Option<(u64, Instant)>,
}

/// Whether the chain must be seen now, or may have been seen a while ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// For who comes.
    Now,
    /// For who is here.
    Lately,
}

/// Somebody at the gate.
pub(crate) struct Caller<'a> {
    pub(crate) vault: Address,
    pub(crate) at: UtcTime,
    pub(crate) statement: Statement,
    pub(crate) signature: &'a [u8; SIGNATURE_BYTES],
}

/// Reads the chain for a relay or a link: what was read at a block holds for that block.
pub struct Gate {
    register: Arc<dyn Register>,
    realm: Realm,
    /// How long the newest block is taken for the newest.
    freshness: Duration,
    memory: Mutex<Memory>,
    /// Recovering a key is work for a core: no more at once than there are.
    cores: Arc<Semaphore>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("realm", &self.realm).finish_non_exhaustive()
    }
}

impl Gate {
    /// A gate before a chain. The newest block is asked for again after `freshness`.
    #[must_use]
    pub fn new(register: Arc<dyn Register>, realm: Realm, freshness: Duration) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self { register, realm, freshness, memory: Mutex::default(), cores: Arc::new(Semaphore::new(cores)) }
    }

    /// Where signatures count.
    #[must_use]
    pub const fn realm(&self) -> Realm {
        self.realm
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn block(&self) -> Result<u64, golem_ports::Blindness> {
        if let Some((block, asked)) = self.memory().block
            && asked.elapsed() < self.freshness
        {
            return Ok(block);
        }
        let asked = Instant::now();
        let block = self.register.block().await?;
        self.memory().block = Some((block, asked));
        Ok(block)
    }

    /// What the chain says of a vault.
    async fn enrolled(&self, vault: Address, now: UtcTime, sight: Sight) -> Result<Option<Enrolled>, RelayRefusal> {
        let known = self.memory().vaults.get(&vault).copied();
        let read = async {
            let block = self.block().await?;
            if let Some(known) = known
                && known.block == block
            {
                return Ok(known.enrolled);
            }
            let enrolled = self.register.enrolled(vault).await?;
            let mut memory = self.memory();
            if memory.vaults.len() >= KNOWN {
                memory.vaults.clear();
            }
            memory.vaults.insert(vault, Read { enrolled, block, at: now });
            Ok(enrolled)
        };
        read.await.or_else(|blindness: golem_ports::Blindness| match known {
            Some(known) if sight == Sight::Lately && now.since(known.at).as_secs() <= BLIND_SECONDS => {
                Ok(known.enrolled)
            }
            _ => {
                tracing::warn!(why = %blindness.why, "the chain cannot be seen");
                let words = "the relay cannot see the chain; try again later";
                Err(RelayRefusal { retry_after: 10, ..RelayRefusal::new(RefusalReason::Blind, words) })
            }
        })
    }

    /// Whether a vault may speak at all.
    ///
    /// # Errors
    /// `unknown`, `dead`, `owner_changed` or `blind`.
    pub(crate) async fn standing(&self, vault: Address, now: UtcTime, sight: Sight) -> Result<Enrolled, RelayRefusal> {
        let no = |reason, words: &str| Err(RelayRefusal::new(reason, format!("{vault}: {words}")));
        let Some(enrolled) = self.enrolled(vault, now, sight).await? else {
            return no(RefusalReason::Unknown, "no vault of this suite is registered under this address");
        };
        if enrolled.vital == Vital::Dead {
            return no(RefusalReason::Dead, "its life is over; the dead do not speak");
        }
        if !enrolled.bound_owner.is_zero() && enrolled.bound_owner != enrolled.owner {
            return no(
                RefusalReason::OwnerChanged,
                "its token was sold; the new owner has to take the vault over first",
            );
        }
        if enrolled.key.is_zero() {
            return no(RefusalReason::NotKey, "it has no key");
        }
        Ok(enrolled)
    }

    /// Whether it is the vault's key that speaks, now.
    ///
    /// # Errors
    /// As [`Gate::standing`], and `stale_clock` or `not_key`.
    pub(crate) async fn admit(&self, caller: Caller<'_>, now: UtcTime, sight: Sight) -> Result<Enrolled, RelayRefusal> {
        let off = now.since(caller.at).max(caller.at.since(now)).as_secs();
        if off > CLOCK_SECONDS {
            let words = format!("your clock and the relay's differ by {off} s; set yours");
            return Err(RelayRefusal::new(RefusalReason::StaleClock, words));
        }
        let enrolled = self.standing(caller.vault, now, sight).await?;
        let signer = self.signer(caller.statement, *caller.signature).await;
        if signer != Some(enrolled.key) {
            let words = format!("{}: this is not signed by its key {}", caller.vault, enrolled.key);
            return Err(RelayRefusal::new(RefusalReason::NotKey, words));
        }
        Ok(enrolled)
    }

    /// Whether a word that a relay hands on is a sibling's. Its sender may have died since; it may not have been sold.
    ///
    /// # Errors
    /// `unknown`, `owner_changed`, `not_dying`, `not_key`, `stale_clock` or `blind`.
    pub(crate) async fn attest(&self, frame: &Frame, owner: Address, now: UtcTime) -> Result<(), RelayRefusal> {
        if frame.at.since(now).as_secs() > CLOCK_SECONDS {
            return Err(RelayRefusal::new(RefusalReason::StaleClock, "it was said in the future"));
        }
        let Some(enrolled) = self.enrolled(frame.vault, now, Sight::Lately).await? else {
            return Err(RelayRefusal::new(RefusalReason::Unknown, "no vault of this suite"));
        };
        let is_bound = enrolled.bound_owner.is_zero() || enrolled.bound_owner == enrolled.owner;
        if enrolled.owner != owner || !is_bound {
            return Err(RelayRefusal::new(RefusalReason::OwnerChanged, "another owner's"));
        }
        // I-343. What the dead leave is trusted more, so whose it is must be on its way there. That a death has begun is said before
        // the chain knows.
        if frame.kind == WordKind::Bloodstain && enrolled.vital == Vital::Alive {
            return Err(RelayRefusal::new(
                RefusalReason::NotDying,
                "it leaves what the dead leave, and the chain says that it lives",
            ));
        }
        if self.signer(frame.statement(), frame.signature).await != Some(enrolled.key) {
            return Err(RelayRefusal::new(RefusalReason::NotKey, "not signed by its key"));
        }
        Ok(())
    }

    async fn signer(&self, statement: Statement, signature: [u8; SIGNATURE_BYTES]) -> Option<Address> {
        let place = Arc::clone(&self.cores).acquire_owned().await.ok()?;
        let realm = self.realm;
        let work = move || {
            let _place = place;
            realm.signer(&statement, &signature)
        };
        tokio::task::spawn_blocking(work).await.ok().flatten()
    }
}
