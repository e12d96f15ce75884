//! A Golem's hand and eye on a real chain.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alloy::primitives::{Address, B256};
use alloy::sol_types::SolCall;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_core::record::{Fill, Inflows, KillOrder, Outcome, Sight};
use golem_ports::{Attempt, AttemptState, Attempts, Blindness, Chain, ChainError, Errand, Progress};
use golem_primitives::{EffectId, Tick, Usdc};

use crate::bequest::Attestation;
use crate::bindings::ILineageRegistry;
use crate::deployment::Deployment;
use crate::endpoints::{Endpoints, Head};
use crate::node::{At, Call, Node};
use crate::place::{Place, Posting, PostingError, others};
use crate::reading::{Reading, Recall};
use crate::reckoning::Reckoned;
use crate::reorg::{WATCHED_BLOCKS, Watch, newest_at_depth};
use crate::rolls::RollSchedule;
use crate::roster::Roster;
use crate::sight::{ALIVE, Believed, DYING, kill_order, sight, was_killed};
use crate::signer::Signer;

/// How patient and how generous the sender is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandSettings {
    /// What whoever builds the block is given per unit of gas, in wei.
    pub tip_wei: u128,
    /// Seconds of chain time a permit stands.
    pub permit_seconds: u64,
    /// V-011. Seconds of chain time after which the vault takes an order for stale. A permit ends sooner and its order is
    /// then cancelled; this holds where the cancellation does not arrive: whoever kept the order back has ten minutes, not
    /// for ever.
    pub order_seconds: u64,
    /// Blocks after which a transaction that did not land is replaced.
    pub stuck_blocks: u64,
    /// The most a transaction may cost whose errand names no budget.
    pub most_gas: Usdc,
}

impl Default for HandSettings {
    fn default() -> Self {
        Self {
            tip_wei: 1_000_000,
            permit_seconds: 60,
            order_seconds: 600,
            stuck_blocks: 3,
            // M-020. The dearest transaction of the law's table.
            most_gas: Usdc::from_micros(500_000),
        }
    }
}

impl HandSettings {
    /// What the gas of an errand may cost.
    pub(crate) const fn allowance(&self, budget: Usdc) -> Usdc {
        if budget.is_zero() { self.most_gas } else { budget }
    }
}

/// The chain as a Golem with a key has it.
pub struct OnChain {
    pub(crate) node: Node,
    pub(crate) signer: Signer,
    place: Mutex<Arc<Place>>,
    /// P-057. What its owner last said of the pools it trades in.
    roster: Option<Followed>,
    pub(crate) settings: HandSettings,
    recall: Mutex<Recall>,
    watch: Mutex<Watch>,
    stood: Mutex<Option<Stood>>,
    /// What the memory need not know of this key; nothing is held against a memory before it was asked for.
    pub(crate) reckoned: Mutex<Option<Reckoned>>,
    /// The books of the life are known to be this key's.
    pub(crate) keeps_books: AtomicBool,
    /// The order that ended this life, once its words were found.
    killed: Mutex<Option<(u8, KillOrder)>>,
}

/// A head under which these blocks stood. While it stands they do, and one question asks for all of them.
struct Stood {
    head: Head,
    blocks: Vec<B256>,
}

/// P-057. A roster that is read at every look.
struct Followed {
    path: PathBuf,
    last: Mutex<Roster>,
}

impl fmt::Debug for OnChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnChain")
            .field("node", &self.node)
            .field("key", &self.signer.address())
            .field("vault", &self.place().vault)
            .field("pool", &self.place().pool.address)
            .finish_non_exhaustive()
    }
}

impl OnChain {
    /// Takes up a Golem's place: checks that the vault is of this suite and the pool one of USDC.
    pub fn take_up(
        endpoints: Endpoints,
        signer: Signer,
        deployment: Deployment,
        posting: &Posting,
        settings: HandSettings,
    ) -> BoxFuture<'_, Result<Self, PostingError>> {
        async move {
            let node = Node::new(endpoints);
            let head = node.head().await?;
            let place = Place::find(&node, deployment, posting, settings.order_seconds, &At::from(head)).await?;
            Ok(Self {
                node,
                signer,
                place: Mutex::new(Arc::new(place)),
                roster: posting
                    .roster
                    .clone()
                    .map(|path| Followed { path, last: Mutex::new(posting.elsewhere.clone()) }),
                settings,
                recall: Mutex::default(),
                watch: Mutex::default(),
                stood: Mutex::default(),
                reckoned: Mutex::default(),
                keeps_books: AtomicBool::default(),
                killed: Mutex::default(),
            })
        }
        .boxed()
    }

    /// Where it works.
    pub(crate) fn place(&self) -> Arc<Place> {
        lock(&self.place).clone()
    }

    /// P-057. Hears what its owner said of its pools since the last look. What cannot be followed is told and changes nothing:
    /// it goes on in the pools it has.
    async fn follow_owner(&self, at: &At) -> Result<(), Blindness> {
        let Some(Followed { path, last }) = &self.roster else { return Ok(()) };
        let roster = match Roster::read(path) {
            Ok(Some(roster)) => roster,
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(%error, "the list of its pools cannot be followed");
                return Ok(());
            }
        };
        if *lock(last) == roster {
            return Ok(());
        }
        let place = self.place();
        match others(&self.node, &place.deployment, &roster, &place.pool, at).await {
            Ok(elsewhere) => {
                *lock(&self.place) = Arc::new(Place { elsewhere, ..(*place).clone() });
                // Where a position lies is told by its place among the pools.
                lock(&self.recall).ranges.clear();
            }
            Err(PostingError::Blind(blind)) => return Err(blind),
            Err(error) => tracing::warn!(%error, "its owner's word about its pools cannot be followed"),
        }
        *lock(last) = roster;
        Ok(())
    }

    /// The key's address.
    #[must_use]
    pub fn key(&self) -> Address {
        self.signer.address()
    }

    /// The newest block, noted for the watch over reorganisations.
    pub(crate) async fn look(&self) -> Result<Head, Blindness> {
        let head = self.node.head().await?;
        if lock(&self.watch).observe(&head) {
            tracing::warn!(block = head.number, "the chain was reorganised");
        }
        Ok(head)
    }

    /// M-078. Confirmations that count now.
    pub(crate) fn depth(&self) -> u64 {
        lock(&self.watch).depth(self.place().deployment.confirmations)
    }

    pub(crate) async fn read(&self, at: At) -> Result<Reading, Blindness> {
        let mut recall = lock(&self.recall).clone();
        let reading = Reading::take(&self.node, &self.place(), self.key(), at, &mut recall).await?;
        *lock(&self.recall) = recall;
        Ok(reading)
    }

    /// Whether the block by which an attempt is over is no longer on the chain.
    pub(crate) async fn is_withdrawn(&self, attempt: &Attempt, head: &Head) -> Result<bool, Blindness> {
        let Some(rest) = attempt.state.rests_on() else { return Ok(false) };
        Ok(self.stands(rest, head).await? == Some(false))
    }

    /// Whether a block is on the chain, if that can be told.
    async fn stands(&self, (block, hash): (u64, B256), head: &Head) -> Result<Option<bool>, Blindness> {
        // A head below it proves nothing yet: the endpoint may only be slow.
        if block > head.number {
            return Ok(None);
        }
        // Nor does a block that is missing: of several nodes behind one address some are a block behind.
        Ok(self.node.block(block).await?.map(|at| at.hash == hash))
    }

    /// The blocks that stood under the last head, if that head stands under this one.
    async fn still_standing(&self, head: &Head) -> Result<Vec<B256>, Blindness> {
        let Some(Stood { head: last, blocks }) = lock(&self.stood).take() else { return Ok(Vec::new()) };
        let is_next = last.hash == head.hash || last.hash == head.parent;
        let still = blocks.is_empty() || is_next || self.stands((last.number, last.hash), head).await? == Some(true);
        Ok(if still { blocks } else { Vec::new() })
    }

    /// Whether what counted as lost is on the chain after all.
    async fn turned_up(&self, attempt: &Attempt) -> Result<bool, Blindness> {
        if !matches!(attempt.state, AttemptState::Taken { .. }) {
            return Ok(false);
        }
        let Some(receipt) = self.node.receipt(attempt.hash).await? else { return Ok(false) };
        Ok(self.node.block(receipt.block()).await?.is_some_and(|at| at.hash == receipt.block_hash))
    }

    /// Landed long ago, and yet its nonce is open: a reorganisation deeper than the watch, perhaps while nobody
    /// watched. Left alone it would hold up every later errand, since the key waits for a nonce that nobody fills. Only
    /// nonces of this key say so: what another key landed is as safe as its block.
    async fn reopened_nonces(
        &self,
        attempts: &mut (dyn Attempts + Send),
        head: &Head,
        effects: &mut Vec<EffectId>,
    ) -> Result<(), ChainError> {
        let open = self.node.transactions_of(self.key(), head.number).await?;
        self.is_alone(open, attempts)?;
        let Some(highest) = attempts.highest_nonce(self.key())? else { return Ok(()) };
        if open > highest {
            return Ok(());
        }
        for attempt in attempts.landed_from_nonce(self.key(), open)? {
            // A count alone may be an old one; the block that is gone proves it.
            if !effects.contains(&attempt.effect) && self.is_withdrawn(&attempt, head).await? {
                tracing::warn!(effect = %attempt.effect.0, nonce = attempt.nonce, "what had landed long ago is gone");
                effects.push(attempt.effect);
            }
        }
        Ok(())
    }

    /// T-001, R-022. Where this life stands at confirmation depth. Dying sells what is held and cannot be undone, so an
    /// end at the newest block alone is not acted on; life itself needs no confirmation.
    async fn believed_life(&self, reading: &Reading) -> Result<u8, Blindness> {
        let seen = reading.vault.life;
        if seen < DYING {
            return Ok(seen);
        }
        let state = self.state_at_depth(reading.at.number).await?;
        // Born and ended within the depth, it counts as alive.
        Ok(state.life.clamp(ALIVE, seen))
    }

    /// What the registry said of this life at confirmation depth.
    pub(crate) async fn state_at_depth(&self, head: u64) -> Result<ILineageRegistry::stateOfReturn, Blindness> {
        self.state_at(newest_at_depth(head, self.depth())).await
    }

    pub(crate) async fn state_at(&self, number: u64) -> Result<ILineageRegistry::stateOfReturn, Blindness> {
        let at = self.block_at(number).await?;
        self.ask_registry(ILineageRegistry::stateOfCall { agentId: self.place().agent }, &at).await
    }

    async fn pulse_at(&self, at: &At) -> Result<ILineageRegistry::Pulse, Blindness> {
        self.ask_registry(ILineageRegistry::pulseOfCall { agentId: self.place().agent }, at).await
    }

    /// The tick last reported at a block.
    pub(crate) async fn reported_at(&self, number: u64) -> Result<Tick, Blindness> {
        let at = self.block_at(number).await?;
        self.pulse_at(&at).await.map(|pulse| Tick::new(pulse.tick.to()))
    }

    /// A block below the head.
    async fn block_at(&self, number: u64) -> Result<At, Blindness> {
        let at = self.node.block(number).await?;
        at.ok_or_else(|| Blindness { why: format!("block {number} is below the head and missing") })
    }

    async fn ask_registry<A: SolCall>(&self, asked: A, at: &At) -> Result<A::Return, Blindness> {
        let call = Call { from: self.key(), to: self.place().deployment.lineage, data: asked.abi_encode().into() };
        let number = at.number;
        let unread = || Blindness { why: format!("the registry does not say how this life stood at block {number}") };
        let said = self.node.call(&call, at).await?.map_err(|_| unread())?;
        A::abi_decode_returns(&said).map_err(|_| unread())
    }

    async fn order(&self, reading: &Reading) -> Option<KillOrder> {
        if !was_killed(&reading.vault) {
            return None;
        }
        let known = lock(&self.killed).clone().filter(|(cause, _)| *cause == reading.vault.cause);
        if let Some((_, order)) = known {
            return Some(order);
        }
        let (order, found) = kill_order(&self.node, &self.place(), reading).await;
        if found {
            *lock(&self.killed) = Some((reading.vault.cause, order.clone()));
        }
        Some(order)
    }

    fn see(&self) -> BoxFuture<'_, Result<Sight, Blindness>> {
        async move {
            let head = self.look().await?;
            self.follow_owner(&At::from(head)).await?;
            let reading = self.read(At::from(head)).await?;
            let life = self.believed_life(&reading).await?;
            let order = if life >= DYING { self.order(&reading).await } else { None };
            sight(&reading, &self.place(), self.key(), Believed { life, order })
        }
        .boxed()
    }

    fn find_roll_block(&self, tick: Tick) -> BoxFuture<'_, Result<(u64, B256), Blindness>> {
        async move {
            let head = self.look().await?;
            let newest = self.block_at(newest_at_depth(head.number, self.depth())).await?;
            // The block that the last report announced, once it is past.
            let announced = RollSchedule::from(&self.pulse_at(&newest).await?).block_of(tick);
            match announced.filter(|number| *number < newest.number) {
                Some(number) => Ok((number, self.block_at(number).await?.hash)),
                None => Ok((newest.number, newest.hash)),
            }
        }
        .boxed()
    }

    /// Tells the same until the effect is driven again: between this answer and the store that reopens the effect a
    /// process may die, and nobody else remembers.
    fn find_withdrawn<'a>(
        &'a self,
        attempts: &'a mut (dyn Attempts + Send),
    ) -> BoxFuture<'a, Result<Vec<EffectId>, ChainError>> {
        async move {
            let head = self.look().await?;
            let standing = self.still_standing(&head).await?;
            let (mut effects, mut blocks) = (Vec::new(), Vec::new());
            for attempt in attempts.landed_since(head.number.saturating_sub(WATCHED_BLOCKS))? {
                if effects.contains(&attempt.effect) {
                    continue;
                }
                let Some((block, hash)) = attempt.state.rests_on() else { continue };
                let is_known = standing.contains(&hash) || blocks.contains(&hash);
                let stands = if is_known { Some(true) } else { self.stands((block, hash), &head).await? };
                if stands == Some(false) {
                    tracing::warn!(effect = %attempt.effect.0, "a reorganisation took back what it had ended by");
                    effects.push(attempt.effect);
                    continue;
                }
                if stands == Some(true) {
                    blocks.push(hash);
                }
                if self.turned_up(&attempt).await? {
                    tracing::warn!(effect = %attempt.effect.0, tx = %attempt.hash, "what counted as lost has landed");
                    effects.push(attempt.effect);
                }
            }
            *lock(&self.stood) = Some(Stood { head, blocks });
            self.reopened_nonces(attempts, &head, &mut effects).await?;
            Ok(effects)
        }
        .boxed()
    }
}

impl Chain for OnChain {
    async fn sense(&self) -> Result<Sight, Blindness> {
        self.see().await
    }

    async fn roll_block(&self, tick: Tick) -> Result<(u64, B256), Blindness> {
        self.find_roll_block(tick).await
    }

    async fn drive(&self, errand: &Errand, attempts: &mut (dyn Attempts + Send)) -> Result<Progress, ChainError> {
        self.step(errand, attempts).await
    }

    async fn knows(&self, transactions: &[B256]) -> Vec<Option<bool>> {
        let mut known = Vec::with_capacity(transactions.len());
        for hash in transactions {
            known.push(self.node.knows(*hash).await.ok());
        }
        known
    }

    async fn withdrawn(&self, attempts: &mut (dyn Attempts + Send)) -> Result<Vec<EffectId>, ChainError> {
        self.find_withdrawn(attempts).await
    }

    async fn inflows(&self, after: Option<u64>, at: u64) -> Result<Option<Inflows>, Blindness> {
        self.read_inflows(after, at).await.map(Some)
    }

    async fn fill(
        &self,
        errand: &Errand,
        outcome: &Outcome,
        attempts: &mut (dyn Attempts + Send),
    ) -> Result<Option<Fill>, ChainError> {
        self.read_fill(errand, outcome, attempts).await
    }

    async fn attest(&self, testament: B256, bundle: B256) -> Result<Option<Vec<u8>>, ChainError> {
        let place = self.place();
        let left = Attestation { chain: place.deployment.chain_id, vault: place.vault, testament, bundle };
        left.sign(&self.signer).await.map(Some).map_err(|error| ChainError::Signer { why: error.to_string() })
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
