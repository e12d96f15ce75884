//! One endpoint: its client, its health, and its failures in our words.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alloy::primitives::{Bytes, U64};
use alloy::rpc::client::RpcClient;
use alloy::rpc::json_rpc::{ErrorPayload, RpcError, RpcRecv};
use alloy::transports::http::reqwest::{self, Url};
use alloy::transports::{TransportError, TransportErrorKind};
use serde_json::value::RawValue;

use super::error::{EndpointError, Failure};
use super::head::Doubt;
use super::redact::{redact, redact_url};

/// The best score; each answer brings it halfway nearer, each failure halves it.
const FULL_SCORE: u32 = 1_000;
/// Longest piece of a node's own words that is kept.
const LONGEST_WORDS: usize = 300;
/// The longest a server's `Retry-After` is obeyed.
const LONGEST_PENALTY: Duration = Duration::from_secs(300);

/// What is known of one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Its address, redacted.
    pub url: String,
    /// Whether it is asked.
    pub state: EndpointState,
    /// 0 (fails always) to 1000 (answers always).
    pub score: u32,
    /// The newest block it told of.
    pub head: Option<u64>,
    /// How long its last answer took.
    pub latency: Option<Duration>,
    /// Its last failure.
    pub last_failure: Option<String>,
}

/// Whether an endpoint is asked, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndpointState {
    /// It is.
    Healthy,
    /// It failed, or asked for patience, and is left alone for a while.
    Resting,
    /// Its head is behind the others'.
    Lagging {
        /// By so many blocks.
        blocks: u64,
    },
    /// Its head is older than the limit.
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

/// A node's refusal.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Bytes>,
}

impl Refusal {
    pub(super) fn is_revert(&self) -> bool {
        self.code == 3 || self.data.is_some() || self.message.to_ascii_lowercase().contains("execution reverted")
    }

    pub(super) fn is_already_known(&self) -> bool {
        let said = self.message.to_ascii_lowercase();
        ["already known", "known transaction", "already imported", "alreadyknown", "already in mempool"]
            .iter()
            .any(|words| said.contains(words))
    }
}

/// Why one endpoint did not give what was asked.
#[derive(Debug)]
pub(crate) enum Fault {
    Timeout(Duration),
    Unreachable(String),
    Limited { after: Option<Duration>, words: String },
    Malformed(String),
    ForeignChain { found: u64, expected: u64 },
    Refused(Refusal),
}

impl Fault {
    pub(crate) fn into_failure(self, url: &str) -> Failure {
        let limited = matches!(self, Self::Limited { .. });
        let what = match self {
            Self::Timeout(limit) => format!("no answer within {} ms", limit.as_millis()),
            Self::Unreachable(words) | Self::Limited { words, .. } | Self::Malformed(words) => words,
            Self::ForeignChain { found, expected } => format!("is on chain {found}, not on {expected}"),
            Self::Refused(refusal) => refusal.message,
        };
        Failure { url: url.to_owned(), what, limited }
    }
}

pub(crate) struct Wire {
    client: RpcClient,
    name: String,
    timeout: Duration,
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
        // A redirect would carry the request, and what it says of us, to somebody nobody chose.
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(timeout)
            .build()
            .map_err(|error| bad(root_cause(&error)))?;
        let record = Record {
            score: FULL_SCORE,
            resting_until: None,
            doubt: None,
            doubt_until: None,
            head: None,
            latency: None,
            last_failure: None,
        };
        let client = RpcClient::new_http_with_client(http, parsed);
        Ok(Self { client, name, timeout, confirmed: AtomicBool::new(false), record: Mutex::new(record) })
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
        let found = self.call::<_, U64>("eth_chainId", &super::no_params()).await?.to::<u64>();
        if found != expected {
            let fault = Fault::ForeignChain { found, expected };
            self.punish(&fault, LONGEST_PENALTY);
            return Err(fault);
        }
        self.confirm_chain();
        Ok(())
    }

    pub(crate) async fn call<P, R>(&self, method: &'static str, params: &P) -> Result<R, Fault>
    where
        P: ToOwned<Owned = Box<RawValue>> + ?Sized,
        R: RpcRecv,
    {
        let started = Instant::now();
        let call = self.client.request::<Box<RawValue>, R>(method, params.to_owned());
        let answer = match tokio::time::timeout(self.timeout, call).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(in_our_words(error, self.timeout)),
            Err(_) => Err(Fault::Timeout(self.timeout)),
        };
        if matches!(answer, Ok(_) | Err(Fault::Refused(_))) {
            let mut record = self.record();
            record.latency = Some(started.elapsed());
            record.score += (FULL_SCORE - record.score).div_ceil(2);
            record.resting_until = None;
        }
        answer
    }

    /// Notes a failure. One that asks for patience, or lies, rests at once; others when they fail repeatedly.
    pub(super) fn punish(&self, fault: &Fault, penalty: Duration) {
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
        record.last_failure = Some(match fault {
            Fault::Timeout(limit) => format!("no answer within {} ms", limit.as_millis()),
            Fault::Unreachable(words) | Fault::Limited { words, .. } | Fault::Malformed(words) => words.clone(),
            Fault::ForeignChain { found, expected } => format!("is on chain {found}, not on {expected}"),
            Fault::Refused(refusal) => refusal.message.clone(),
        });
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

/// The transport's errors carry the whole URL, key included; only what is known to be clean is taken over.
fn in_our_words(error: TransportError, timeout: Duration) -> Fault {
    match error {
        RpcError::ErrorResp(payload) => refused(&payload),
        RpcError::NullResp => Fault::Malformed("answered null".to_owned()),
        RpcError::DeserError { err, .. } => Fault::Malformed(format!("its answer cannot be read: {err}")),
        RpcError::SerError(err) => Fault::Malformed(format!("the request cannot be written: {err}")),
        RpcError::Transport(TransportErrorKind::HttpError(http)) => http_fault(http.status, None),
        RpcError::Transport(TransportErrorKind::HttpErrorWithRetryAfter { error, retry_after }) => {
            http_fault(error.status, Some(retry_after))
        }
        RpcError::Transport(TransportErrorKind::Custom(cause) | TransportErrorKind::NonRetryable(cause)) => {
            match cause.downcast_ref::<reqwest::Error>() {
                Some(http) if http.is_timeout() => Fault::Timeout(timeout),
                Some(http) => Fault::Unreachable(format!("cannot be reached: {}", root_cause(http))),
                None => Fault::Unreachable("cannot be reached".to_owned()),
            }
        }
        _ => Fault::Unreachable("cannot be reached".to_owned()),
    }
}

fn refused(payload: &ErrorPayload) -> Fault {
    let words: String = payload.message.chars().filter(|c| !c.is_control()).take(LONGEST_WORDS).collect();
    let said = words.to_ascii_lowercase();
    let limited = matches!(payload.code, -32005 | -32029 | 429)
        || ["rate limit", "too many requests", "exceeded its"].iter().any(|sign| said.contains(sign));
    // -32005 is also "more than so many results", which no patience cures.
    if limited && !said.contains("results") && !said.contains("range") {
        return Fault::Limited { after: None, words: format!("limits our requests: {words}") };
    }
    Fault::Refused(Refusal { code: payload.code, message: words, data: payload.as_revert_data() })
}

fn http_fault(status: u16, after: Option<Duration>) -> Fault {
    if status == 429 || after.is_some() {
        return Fault::Limited { after, words: format!("limits our requests (HTTP {status})") };
    }
    match status {
        401 | 403 => Fault::Unreachable(format!("refuses us (HTTP {status}); check its key")),
        _ => Fault::Unreachable(format!("answers HTTP {status}")),
    }
}

/// The innermost cause. reqwest names the URL in its outermost message only.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error.source();
    let mut words = None;
    while let Some(inner) = cause {
        words = Some(inner.to_string());
        cause = inner.source();
    }
    words.unwrap_or_else(|| "the connection failed".to_owned())
}
