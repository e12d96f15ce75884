//! Several nodes as one: health, failover, timeouts, retries, and one agreed newest block.

mod error;
mod head;
mod http;
mod quorum;
mod redact;
pub(crate) mod wire;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alloy::primitives::{B256, U64, keccak256};
use alloy::rpc::json_rpc::RpcRecv;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::JoinSet;

pub use error::{EndpointError, Failure};
pub(crate) use head::Header;
pub use head::{Head, Skew};
pub use redact::redact_url;
pub use wire::{EndpointHealth, EndpointState};

use head::Memory;
use http::Fault;
use wire::Wire;

/// How patient and how trusting the pool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointSettings {
    /// The chain every endpoint must be on; `None` takes the first one's word and holds the others to it.
    pub chain_id: Option<u64>,
    pub timeout: Duration,
    /// Rounds over the endpoints before a read is given up.
    pub rounds: u32,
    /// Wait before the second round; doubles with each, half of it by chance.
    pub backoff: Duration,
    pub backoff_limit: Duration,
    /// How long an endpoint that limits us, or that lies, is left alone.
    pub penalty: Duration,
    /// A head older than this is no sight of the chain. `None` where chain time is not wall time (a devnet).
    pub staleness: Option<Duration>,
    /// A head further than this in the future is a lie. `None` where chain time is not wall time.
    pub future_tolerance: Option<Duration>,
    /// Blocks an endpoint may stand from the agreed head: further behind it lags, further ahead it lies.
    pub head_tolerance: u64,
    /// How far the head may go back between two looks before it is an error to be told.
    pub reorg_depth: u64,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            chain_id: None,
            timeout: Duration::from_secs(10),
            rounds: 4,
            backoff: Duration::from_millis(250),
            backoff_limit: Duration::from_secs(8),
            penalty: Duration::from_secs(15),
            staleness: Some(Duration::from_secs(90)),
            future_tolerance: Some(Duration::from_secs(30)),
            head_tolerance: 15,
            reorg_depth: 64,
        }
    }
}

impl EndpointSettings {
    /// For a chain whose time is its own: no head is too old or too new.
    #[must_use]
    pub fn devnet() -> Self {
        Self { staleness: None, future_tolerance: None, ..Self::default() }
    }
}

/// The endpoints of one chain. Cheap to clone; all clones share what is known of the endpoints' health.
#[derive(Clone)]
pub struct Endpoints {
    chain_id: u64,
    shared: Arc<Shared>,
}

struct Shared {
    wires: Vec<Arc<Wire>>,
    settings: EndpointSettings,
    /// The endpoint reads go to until it fails, so that a sequence of reads sees one view of the chain.
    preferred: AtomicUsize,
    memory: Mutex<Memory>,
}

impl fmt::Debug for Endpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let urls: Vec<&str> = self.shared.wires.iter().map(|wire| wire.name()).collect();
        f.debug_struct("Endpoints").field("chain_id", &self.chain_id).field("urls", &urls).finish()
    }
}

impl Endpoints {
    /// Connects to all `urls` that answer and checks that each is on the right chain.
    ///
    /// # Errors
    /// [`EndpointError::WrongChain`] when one endpoint that answers is on another chain, [`EndpointError::BadUrl`] for
    /// an address that is none, [`EndpointError::Unreachable`] when none answers.
    pub async fn connect(urls: &[String], settings: EndpointSettings) -> Result<Self, EndpointError> {
        if urls.is_empty() {
            return Err(EndpointError::NoEndpoints);
        }
        let wires =
            urls.iter().map(|url| Wire::new(url, settings.timeout).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        let mut asking = JoinSet::new();
        for (index, wire) in wires.iter().enumerate() {
            let wire = Arc::clone(wire);
            asking.spawn(async move { (index, wire.call::<U64>("eth_chainId", &no_params()).await) });
        }
        let mut answers = asking.join_all().await;
        answers.sort_unstable_by_key(|(index, _)| *index);
        let mut expected = settings.chain_id;
        let mut failures = Vec::new();
        for (index, answer) in answers {
            let wire = &wires[index];
            match answer.map(|found| found.to::<u64>()) {
                Ok(found) => {
                    let expected = *expected.get_or_insert(found);
                    if found != expected {
                        return Err(EndpointError::WrongChain { url: wire.name().to_owned(), found, expected });
                    }
                    wire.confirm_chain();
                }
                Err(fault) => note(&mut failures, wire.blame(fault, settings.penalty)),
            }
        }
        let preferred = wires.iter().position(|wire| wire.is_confirmed());
        let (Some(preferred), Some(chain_id)) = (preferred, expected) else {
            return Err(EndpointError::Unreachable { method: "eth_chainId", failures });
        };
        for failure in &failures {
            tracing::warn!(%failure, "an endpoint does not answer and waits its turn");
        }
        let shared = Shared { wires, settings, preferred: AtomicUsize::new(preferred), memory: Mutex::default() };
        Ok(Self { chain_id, shared: Arc::new(shared) })
    }

    /// The chain all of them are on.
    #[must_use]
    pub const fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// Asks one endpoint after another until one answers, then, after a wait, all of them again.
    ///
    /// A refusal by the chain (a revert) is an answer and returns at once. Only for reads: what is sent goes through
    /// [`Endpoints::send_raw`].
    ///
    /// # Errors
    /// [`EndpointError::Reverted`], [`EndpointError::Rpc`] when all that answer refuse the request, else what keeps us
    /// blind.
    pub async fn request<P, R>(&self, method: &'static str, params: P) -> Result<R, EndpointError>
    where
        P: Serialize + Send,
        R: RpcRecv,
    {
        let params = to_raw(&params).map_err(|detail| EndpointError::BadRequest { method, detail })?;
        let mut failures = Vec::new();
        for round in 0..self.shared.settings.rounds.max(1) {
            self.back_off(round).await;
            let mut answered = None;
            for index in self.order() {
                let wire = &self.shared.wires[index];
                match self.ask::<R>(wire, method, &params).await {
                    Ok(value) => {
                        self.shared.preferred.store(index, Ordering::Relaxed);
                        return Ok(value);
                    }
                    Err(Fault::Refused(refusal)) if refusal.is_revert() => {
                        return Err(EndpointError::reverted(method, refusal));
                    }
                    Err(Fault::Refused(refusal)) => {
                        let _ = answered.get_or_insert_with(|| EndpointError::rpc(method, wire.name(), refusal));
                    }
                    Err(fault) => self.fail(wire, fault, &mut failures),
                }
            }
            // A node that understands a request and refuses it will refuse it again.
            if let Some(error) = answered {
                return Err(error);
            }
        }
        Err(EndpointError::unanswered(method, failures))
    }

    /// Hands a signed transaction to every endpoint in health. One that takes it, or has it already, is enough.
    ///
    /// # Errors
    /// [`EndpointError::NonceTooLow`], [`EndpointError::ReplacementUnderpriced`], [`EndpointError::FeeTooLow`],
    /// [`EndpointError::InsufficientFunds`] or [`EndpointError::Rpc`] when it is refused; blindness when nobody answers,
    /// in which case it may still have arrived.
    pub async fn send_raw(&self, raw: &[u8]) -> Result<B256, EndpointError> {
        const METHOD: &str = "eth_sendRawTransaction";
        let hash = keccak256(raw);
        let params = to_raw(&[alloy::hex::encode_prefixed(raw)])
            .map_err(|detail| EndpointError::BadRequest { method: METHOD, detail })?;
        let mut failures = Vec::new();
        for round in 0..self.shared.settings.rounds.max(1) {
            self.back_off(round).await;
            let mut refusal: Option<EndpointError> = None;
            let mut accepted = false;
            for (index, answer) in self.ask_all::<B256>(METHOD, &params, Wire::may_be_asked).await {
                let wire = &self.shared.wires[index];
                match answer {
                    Ok(said) if said == hash => accepted = true,
                    Ok(said) => {
                        let fault = Fault::Malformed(format!("took {hash} and called it {said}"));
                        note(&mut failures, wire.blame(fault, self.shared.settings.penalty));
                    }
                    Err(Fault::Refused(said)) if said.is_already_known() => accepted = true,
                    Err(Fault::Refused(said)) => {
                        let said = EndpointError::send_refused(METHOD, wire.name(), said);
                        if refusal.as_ref().is_none_or(|known| said.weight() > known.weight()) {
                            refusal = Some(said);
                        }
                    }
                    Err(fault) => note(&mut failures, wire.blame(fault, self.shared.settings.penalty)),
                }
            }
            if accepted {
                return Ok(hash);
            }
            if let Some(refusal) = refusal {
                return Err(refusal);
            }
        }
        Err(EndpointError::unanswered(METHOD, failures))
    }

    /// The newest block that a majority has reached. Marks those that lag or lie.
    ///
    /// # Errors
    /// [`EndpointError::Stale`] or [`EndpointError::FutureHead`] when all there is to see is too old or too new,
    /// [`EndpointError::WentBack`] once when the chain lost more than the reorg depth, else what keeps us blind.
    pub async fn head(&self) -> Result<Head, EndpointError> {
        const METHOD: &str = "eth_getBlockByNumber";
        let params = to_raw(&("latest", false)).expect("plain data");
        let mut failures = Vec::new();
        for round in 0..self.shared.settings.rounds.max(1) {
            self.back_off(round).await;
            let mut seen = Vec::new();
            for (index, answer) in self.ask_all::<Header>(METHOD, &params, |wire| !wire.is_resting()).await {
                match answer {
                    Ok(header) => seen.push((index, Head::from(header))),
                    Err(fault) => {
                        note(&mut failures, self.shared.wires[index].blame(fault, self.shared.settings.penalty));
                    }
                }
            }
            if !seen.is_empty() {
                return self.agree(seen);
            }
        }
        Err(EndpointError::unanswered(METHOD, failures))
    }

    /// The block of that number, as one endpoint has it; `None` when the chain has none.
    pub(crate) async fn block(&self, number: u64) -> Result<Option<Head>, EndpointError> {
        let block: Option<Header> = self.request("eth_getBlockByNumber", (U64::from(number), false)).await?;
        Ok(block.map(Head::from))
    }

    /// How far this machine's clock stands from the newest block's, as of the last [`Endpoints::head`].
    #[must_use]
    pub fn skew(&self) -> Option<Skew> {
        self.memory().skew
    }

    /// What is known of each endpoint, for a table.
    #[must_use]
    pub fn health(&self) -> Vec<EndpointHealth> {
        self.shared.wires.iter().map(|wire| wire.health()).collect()
    }

    fn agree(&self, seen: Vec<(usize, Head)>) -> Result<Head, EndpointError> {
        let judged = head::judge(&seen, &self.shared.settings, head::wall_clock())?;
        for (index, verdict) in &judged.verdicts {
            self.shared.wires[*index].note_head(seen.iter().find(|(i, _)| i == index).map(|(_, h)| h.number), verdict);
        }
        let preferred = self.shared.preferred.load(Ordering::Relaxed);
        if !judged.verdicts.iter().any(|(index, verdict)| *index == preferred && verdict.is_none()) {
            self.shared.preferred.store(judged.from, Ordering::Relaxed);
        }
        let mut memory = self.memory();
        memory.skew = Some(judged.skew);
        let before = memory.number.replace(judged.head.number);
        match before {
            Some(from) if from.saturating_sub(judged.head.number) > self.shared.settings.reorg_depth => {
                Err(EndpointError::WentBack { from, to: judged.head.number })
            }
            _ => Ok(judged.head),
        }
    }

    /// One request to one endpoint; an endpoint that did not answer at `connect` first proves its chain.
    async fn ask<R: RpcRecv>(&self, wire: &Wire, method: &'static str, params: &RawValue) -> Result<R, Fault> {
        wire.prove_chain(self.chain_id).await?;
        wire.call(method, params).await
    }

    /// The same request to every endpoint that is `fit` (or, when none is, to all), at once.
    async fn ask_all<R: RpcRecv>(
        &self,
        method: &'static str,
        params: &RawValue,
        fit: impl Fn(&Wire) -> bool,
    ) -> Vec<(usize, Result<R, Fault>)> {
        let wires = &self.shared.wires;
        let mut chosen: Vec<usize> = (0..wires.len()).filter(|index| fit(&wires[*index])).collect();
        if chosen.is_empty() {
            chosen = (0..wires.len()).collect();
        }
        let mut asking = JoinSet::new();
        for index in chosen {
            let (this, params) = (self.clone(), params.to_owned());
            asking.spawn(async move {
                let wire = Arc::clone(&this.shared.wires[index]);
                (index, this.ask::<R>(&wire, method, &params).await)
            });
        }
        let mut answers = asking.join_all().await;
        answers.sort_unstable_by_key(|(index, _)| *index);
        answers
    }

    /// The order in which a read tries the endpoints: those in health first, the preferred one before them, then by
    /// score. Those under penalty come last, so that a pool of one still tries.
    fn order(&self) -> Vec<usize> {
        let preferred = self.shared.preferred.load(Ordering::Relaxed);
        let mut order: Vec<usize> = (0..self.shared.wires.len()).collect();
        order.sort_by_key(|index| {
            let wire = &self.shared.wires[*index];
            (!wire.may_be_asked(), *index != preferred, std::cmp::Reverse(wire.score()))
        });
        let healthy = order.iter().filter(|index| self.shared.wires[**index].may_be_asked()).count();
        if healthy > 0 {
            order.truncate(healthy);
        }
        order
    }

    /// The wait before a round; the first is not waited for.
    async fn back_off(&self, round: u32) {
        if round == 0 {
            return;
        }
        let settings = &self.shared.settings;
        let full = settings.backoff.saturating_mul(1 << (round - 1).min(16)).min(settings.backoff_limit);
        // Half is certain, half is chance: agents that failed together shall not come back together.
        let chance = getrandom::u32().unwrap_or(u32::MAX / 2);
        let wait = full / 2 + (full / 2).mul_f64(f64::from(chance) / f64::from(u32::MAX));
        tokio::time::sleep(wait).await;
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.shared.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of each endpoint the last failure is told.
fn note(failures: &mut Vec<Failure>, failure: Failure) {
    failures.retain(|known| known.url != failure.url);
    failures.push(failure);
}

pub(crate) fn to_raw<P: Serialize + ?Sized>(params: &P) -> Result<Box<RawValue>, String> {
    serde_json::value::to_raw_value(params).map_err(|error| error.to_string())
}

fn no_params() -> Box<RawValue> {
    to_raw::<[(); 0]>(&[]).expect("plain data")
}
