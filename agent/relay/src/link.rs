//! A life's end of the wire: words wait on disk until the relay has them, and what comes is checked again before it is
//! heard. The relay can withhold; it cannot forge, repeat or change.

mod session;
mod words;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alloy::primitives::Address;
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::clade::link::{Breaker, back_off};
use golem_inheritance::pheromone::{Scent, Sign};
use golem_ports::{Clade, CladeError, HeardWord, WordKind};
use golem_primitives::UtcTime;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::frame::{SIGNATURE_BYTES, Statement};
use crate::gate::Gate;
use crate::log::Later;
use crate::server::RelayClock;
use words::Words;

pub use words::{WireState, look_at_wire};

/// Signs for a vault. What it is asked to sign is no transaction.
pub trait VaultKey: Send + Sync + 'static {
    /// The signature, or why there is none.
    fn sign(&self, statement: Statement) -> Later<'_, Result<[u8; SIGNATURE_BYTES], String>>;
}

/// Where a life speaks.
#[derive(Clone)]
pub struct LinkSettings {
    pub vault: Address,
    /// The relay, as `ws://host:port` or `wss://host`; none to keep words and send nothing (I-114).
    pub relay: Option<String>,
    /// A file in PEM of the one authority that vouches for it; none to trust those of this machine. It counts for `wss://` alone.
    pub ca: Option<PathBuf>,
    /// The file in which words wait.
    pub file: PathBuf,
    /// Up to which place the life has heard its siblings, by whatever wire; new words stand behind it.
    pub through: u64,
    pub clock: RelayClock,
}

impl fmt::Debug for LinkSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkSettings").field("vault", &self.vault).field("relay", &self.relay).finish_non_exhaustive()
    }
}

/// Seconds after which what was last told of the air is taken for nothing.
const STALE_AIR: u64 = 300;

/// I-326. Where a life breathes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Place {
    domains: Vec<Domain>,
    regime: Option<Regime>,
}

/// What the relay told of the air.
#[derive(Debug)]
struct Sensed {
    place: Place,
    at: UtcTime,
    scents: Vec<Scent>,
}

/// I-326. What a life asks of the air, and what was last told.
#[derive(Debug, Default)]
struct Breath {
    asks: Option<Place>,
    sensed: Option<Sensed>,
}

/// What the life's end and its carrier share.
struct Line {
    words: Words,
    /// Something was said, left or asked.
    said: Notify,
    breath: Mutex<Breath>,
    /// How many siblings are linked; below zero when nobody knows.
    siblings: AtomicI64,
}

impl Line {
    fn breath(&self) -> MutexGuard<'_, Breath> {
        self.breath.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// I-100 to I-114. A life's link to its Clade. When it is dropped nothing is carried any more; words stay on disk.
pub struct CladeLink {
    line: Arc<Line>,
    clock: RelayClock,
    carrier: Option<JoinHandle<()>>,
}

impl fmt::Debug for CladeLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CladeLink").field("siblings", &self.siblings()).finish_non_exhaustive()
    }
}

impl Drop for CladeLink {
    fn drop(&mut self) {
        if let Some(carrier) = &self.carrier {
            carrier.abort();
        }
    }
}

/// Links a life to its relay, inside a tokio runtime. Nothing waits for the relay: it may be away for as long as it likes.
///
/// # Errors
/// [`CladeError::Broken`] when the file of words cannot be opened.
pub fn link(settings: LinkSettings, gate: Arc<Gate>, key: Arc<dyn VaultKey>) -> Result<CladeLink, CladeError> {
    let words = Words::open(&settings.file, settings.through)?;
    let clock = Arc::clone(&settings.clock);
    let breath = Mutex::default();
    let line = Arc::new(Line { words, said: Notify::new(), breath, siblings: AtomicI64::new(-1) });
    let carrier = settings.relay.clone().map(|relay| {
        let carrier = session::Carrier { line: Arc::clone(&line), gate, key, relay, settings };
        tokio::spawn(carry(carrier))
    });
    Ok(CladeLink { line, clock, carrier })
}

/// I-113. Connects, again and again: each failure waits longer, and after three the relay is left alone for a minute.
async fn carry(carrier: session::Carrier) {
    let began = Instant::now();
    let now = || UtcTime::from_seconds(began.elapsed().as_secs());
    let (mut breaker, mut attempt) = (Breaker::default(), 0);
    loop {
        while !breaker.may_call(now()) {
            sleep(Duration::from_secs(1)).await;
        }
        let mut stood = false;
        let end = carrier.session(&mut stood).await;
        carrier.line.siblings.store(-1, Ordering::Relaxed);
        let waiting = carrier.line.words.waiting().unwrap_or_default();
        tracing::warn!(relay = %carrier.relay, %end, waiting, "the link to the Clade has ended; words wait");
        breaker.note(stood, now());
        let (state, trouble, at) = (breaker.state(now()), end.to_string(), (carrier.settings.clock)());
        if let Err(error) = carrier.line.words.aside(move |words| words.stand(state, Some(&trouble), at)).await {
            tracing::warn!(%error, "how the line stands is not kept");
        }
        attempt = if stood { 0 } else { attempt + 1 };
        sleep(back_off(attempt)).await;
    }
}

impl Clade for CladeLink {
    fn say(&mut self, kind: WordKind, body: &[u8], _now: UtcTime) -> Result<(), CladeError> {
        self.line.words.say(kind, body)?;
        self.line.said.notify_one();
        Ok(())
    }

    fn heard(&mut self, most: usize) -> Result<Vec<HeardWord>, CladeError> {
        self.line.words.heard(most)
    }

    fn taken(&mut self, through: u64) -> Result<(), CladeError> {
        self.line.words.taken(through)
    }

    fn leave(&mut self, sign: &Sign, _now: UtcTime) -> Result<(), CladeError> {
        self.line.words.leave(sign, (self.clock)())?;
        self.line.said.notify_one();
        Ok(())
    }

    fn sense(&mut self, domains: &[Domain], regime: Option<Regime>, _now: UtcTime) -> Vec<Scent> {
        let place = Place { domains: domains.to_vec(), regime };
        let now = (self.clock)();
        let mut breath = self.line.breath();
        let is_here = |sensed: &&Sensed| sensed.place == place && now.since(sensed.at).as_secs() <= STALE_AIR;
        let scents = breath.sensed.as_ref().filter(is_here).map(|sensed| sensed.scents.clone());
        breath.asks = Some(place);
        drop(breath);
        self.line.said.notify_one();
        scents.unwrap_or_default()
    }

    fn siblings(&self) -> Option<u32> {
        u32::try_from(self.line.siblings.load(Ordering::Relaxed)).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use golem_inheritance::pheromone::Class;
    use golem_primitives::Ppm;

    use super::*;

    /// I-326: what the relay last told of a place is sensed there for five minutes, and nowhere else; nothing waits for more.
    #[tokio::test]
    async fn i_326_what_was_told_long_ago_or_elsewhere_is_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let seconds = Arc::new(AtomicU64::new(1_000));
        let clock: RelayClock = {
            let seconds = Arc::clone(&seconds);
            Arc::new(move || UtcTime::from_seconds(seconds.load(Ordering::Relaxed)))
        };
        let words = Words::open(&dir.path().join("clade.sqlite"), 0).expect("opened");
        let (said, breath, siblings) = (Notify::new(), Mutex::default(), AtomicI64::new(-1));
        let line = Arc::new(Line { words, said, breath, siblings });
        let mut link = CladeLink { line: Arc::clone(&line), clock, carrier: None };
        let bear = Some(Regime::Bear);
        let mut sense = |domains: &[Domain], regime| link.sense(domains, regime, UtcTime::EPOCH).len();
        assert_eq!(sense(&[Domain::Yield], bear), 0);
        let place = line.breath().asks.take().expect("it wants to know");
        let scent = Scent { domain: Domain::Yield, class: Class::Threat, intensity: Ppm::ONE, confirmations: 0 };
        line.breath().sensed = Some(Sensed { place, at: UtcTime::from_seconds(1_000), scents: vec![scent] });
        seconds.store(1_300, Ordering::Relaxed);
        assert_eq!((sense(&[Domain::Yield], bear), sense(&[Domain::Yield], None), sense(&[], bear)), (1, 0, 0));
        seconds.store(1_301, Ordering::Relaxed);
        assert_eq!(sense(&[Domain::Yield], bear), 0);
    }
}
