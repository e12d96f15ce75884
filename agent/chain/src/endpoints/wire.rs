//! One endpoint: its client, its health, and its failures in our words.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alloy::primitives::U64;
use alloy::transports::http::reqwest::Url;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::error::{EndpointError, Failure};
use super::head::Doubt;
use super::http::{Fault, Http};
use super::redact::{redact, redact_url};

/// The best score; each answer brings it halfway nearer, each failure halves it.
const FULL_SCORE: u32 = 1_000;
/// The longest a server's `Retry-After` is obeyed.
const LONGEST_PENALTY: Duration = Duration::from_secs(300);

/// What is known of one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointHealth {
    pub url: String,
    pub state: EndpointState,
    /// 0 (fails always) to 1000 (answers always).
    pub score: u32,
    pub head: Option<u64>,
    pub latency: Option<Duration>,
    pub last_failure: Option<String>,
}

/// Whether an endpoint is asked, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndpointState {
    Healthy,
    /// It failed, or asked for patience, and is left alone for a while.
    Resting,
    Lagging {
        blocks: u64,
    },
    Stale,
    /// Its head is further than any other's, or in the future.
    Distrusted,
}

impl fmt::Display for EndpointState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Healthy => f.pad("healthy"),
            Self::Resting => f.pad("resting after failures"),
            Self::Lagging { blocks } => f.pad(&format!("{blocks} blocks behind")),
            Self::Stale => f.pad("stale"),
            Self::Distrusted => f.pad("distrusted"),
        }
    }
}

pub(crate) struct Wire {
    http: Http,
    name: String,
    confirmed: AtomicBool,
    record: Mutex<Record>,
}

#[derive(Debug)]
struct Record {
    score: u32,
    resting_until: Option<Instant>,
    doubt: Option<Doubt>,
    doubt_until: Option<Instant>,
    head: Option<u64>,
    latency: Option<Duration>,
    last_failure: Option<String>,
}

impl Wire {
    pub(crate) fn new(url: &str, timeout: Duration) -> Result<Self, EndpointError> {
        let bad = |detail: String| EndpointError::BadUrl { url: redact_url(url), detail };
        let parsed: Url = url.trim().parse().map_err(|_| bad("it cannot be read".to_owned()))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(bad(format!("its scheme is {}", parsed.scheme())));
        }
        let name = redact(&parsed);
        let http = Http::new(parsed, timeout).map_err(bad)?;
        let record = Record {
            score: FULL_SCORE,
            resting_until: None,
            doubt: None,
            doubt_until: None,
            head: None,
            latency: None,
            last_failure: None,
        };
        Ok(Self { http, name, confirmed: AtomicBool::new(false), record: Mutex::new(record) })
    }

    /// The address as it may be shown.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn confirm_chain(&self) {
        self.confirmed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_confirmed(&self) -> bool {
        self.confirmed.load(Ordering::Relaxed)
    }

    /// An endpoint that was away at `connect` is asked for its chain before anything it says is believed.
    pub(super) async fn prove_chain(&self, expected: u64) -> Result<(), Fault> {
        if self.is_confirmed() {
            return Ok(());
        }
        let found = self.call::<U64>("eth_chainId", &super::no_params()).await?.to::<u64>();
        if found != expected {
            let fault = Fault::ForeignChain { found, expected };
            self.punish(&fault, LONGEST_PENALTY);
            return Err(fault);
        }
        self.confirm_chain();
        Ok(())
    }

    pub(crate) async fn call<R: DeserializeOwned>(&self, method: &'static str, params: &RawValue) -> Result<R, Fault> {
        let started = Instant::now();
        let answer = self.http.call(method, params).await;
        if matches!(answer, Ok(_) | Err(Fault::Refused(_))) {
            let mut record = self.record();
            record.latency = Some(started.elapsed());
            record.score += (FULL_SCORE - record.score).div_ceil(2);
            record.resting_until = None;
        }
        answer
    }

    /// Notes a failure, and says it in words that are clean.
    pub(super) fn blame(&self, fault: Fault, penalty: Duration) -> Failure {
        self.punish(&fault, penalty);
        fault.into_failure(&self.name)
    }

    /// Notes a failure. One that asks for patience, or lies, rests at once; others when they fail repeatedly.
    fn punish(&self, fault: &Fault, penalty: Duration) {
        let mut record = self.record();
        record.score /= 2;
        let rest = match fault {
            Fault::Limited { after, .. } => Some(after.unwrap_or(penalty)),
            Fault::Malformed(_) | Fault::ForeignChain { .. } => Some(penalty),
            Fault::Timeout(_) | Fault::Unreachable(_) if record.score < FULL_SCORE / 4 => Some(penalty),
            _ => None,
        };
        if let Some(rest) = rest {
            record.resting_until = Some(Instant::now() + rest.min(LONGEST_PENALTY));
        }
        record.last_failure = Some(fault.words());
    }

    /// Notes what the comparison of heads said. A doubt stands until the next comparison clears it, or its time is up,
    /// so that a pool whose others have gone comes back to this one.
    pub(super) fn note_head(&self, number: Option<u64>, doubt: &Option<Doubt>) {
        let mut record = self.record();
        record.head = number;
        record.doubt = *doubt;
        record.doubt_until = doubt.map(|_| Instant::now() + LONGEST_PENALTY);
    }

    pub(super) fn score(&self) -> u32 {
        self.record().score
    }

    /// Whether reads may go here.
    pub(super) fn may_be_asked(&self) -> bool {
        self.record().state() == EndpointState::Healthy
    }

    pub(super) fn is_resting(&self) -> bool {
        self.record().state() == EndpointState::Resting
    }

    pub(super) fn health(&self) -> EndpointHealth {
        let record = self.record();
        EndpointHealth {
            url: self.name.clone(),
            state: record.state(),
            score: record.score,
            head: record.head,
            latency: record.latency,
            last_failure: record.last_failure.clone(),
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    fn state(&self) -> EndpointState {
        let now = Instant::now();
        if self.resting_until.is_some_and(|until| until > now) {
            return EndpointState::Resting;
        }
        match self.doubt.filter(|_| self.doubt_until.is_some_and(|until| until > now)) {
            None => EndpointState::Healthy,
            Some(Doubt::Lags(blocks)) => EndpointState::Lagging { blocks },
            Some(Doubt::Stale) => EndpointState::Stale,
            Some(Doubt::Leads(_) | Doubt::Future(_)) => EndpointState::Distrusted,
        }
    }
}
