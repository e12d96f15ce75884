//! The relay itself: WebSocket in, signed frames, grouped by owner, kept seven days for whoever is away.

mod connection;
mod hub;
mod objects;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alloy::primitives::Address;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, put};
use golem_edge::server::{ServerLimits, serve};
use golem_inheritance::guard::{Access, Bucket, MOST_FRAME_BYTES, RequestRefusal};
use golem_inheritance::pheromone::SWEEP_SECONDS;
use golem_primitives::UtcTime;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::archive::{Archive, OBJECT_BYTES};
use crate::gate::Gate;
use crate::log::{Fresh, Log, LogError};
use crate::message::{RefusalReason, RelayRefusal};
use crate::scents::Air;
use hub::Hub;
pub(crate) use objects::{AT, SIGNATURE, VAULT};

/// Says what time it is.
pub type RelayClock = Arc<dyn Fn() -> UtcTime + Send + Sync>;

/// The clock of this machine.
#[must_use]
pub fn wall_clock() -> RelayClock {
    Arc::new(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        UtcTime::from_seconds(since.as_secs())
    })
}

/// How a relay is set up.
#[derive(Clone)]
pub struct RelaySettings {
    /// The name and port under which Golems call it. A greeting to another relay is none to this one.
    pub name: String,
    /// Links that stand at once.
    pub links: usize,
    pub links_per_owner: usize,
    pub clock: RelayClock,
}

impl fmt::Debug for RelaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RelaySettings").field("name", &self.name).field("links", &self.links).finish_non_exhaustive()
    }
}

impl RelaySettings {
    /// A relay of that name, by the clock of this machine.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), links: 10_000, links_per_owner: 200, clock: wall_clock() }
    }
}

/// Requests that stand at once besides the links, and how long each may take: an object has to be carried.
const REQUESTS: ServerLimits = ServerLimits { connections: 1_024, patience: Duration::from_secs(120) };
/// Objects that are carried at once: each is in memory.
const CARRIERS: usize = 4;

/// Vaults whose rates are remembered.
const BUCKETS: usize = 65_536;

/// I-099. What one vault may ask, over all its links and requests here: who comes again does not begin anew.
struct Buckets {
    writes: Bucket,
    reads: Bucket,
}

/// What every connection shares.
pub(crate) struct Shared {
    pub(crate) log: Arc<dyn Log>,
    pub(crate) archive: Arc<dyn Archive>,
    pub(crate) gate: Gate,
    pub(crate) hub: Hub,
    pub(crate) settings: RelaySettings,
    pub(crate) carriers: Semaphore,
    places: Arc<Semaphore>,
    air: Mutex<Air>,
    buckets: Mutex<HashMap<Address, Buckets>>,
}

impl Shared {
    pub(crate) fn now(&self) -> UtcTime {
        (self.settings.clock)()
    }

    /// I-099. Takes one request out of a vault's bucket.
    pub(crate) fn spend(&self, vault: Address, access: Access, now: UtcTime) -> Result<(), RelayRefusal> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= BUCKETS {
            buckets.clear();
        }
        let full = || Buckets { writes: Bucket::new(Access::Write, now), reads: Bucket::new(Access::Read, now) };
        let own = buckets.entry(vault).or_insert_with(full);
        let bucket = if access == Access::Write { &mut own.writes } else { &mut own.reads };
        bucket.ask(now).map_err(|refusal| {
            let retry_after = match refusal {
                RequestRefusal::TooMany { retry_after, .. } => retry_after,
                _ => 0,
            };
            RelayRefusal { retry_after, ..RelayRefusal::new(RefusalReason::TooMany, refusal.to_string()) }
        })
    }

    pub(crate) fn air(&self) -> MutexGuard<'_, Air> {
        self.air.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A relay on a log and an archive. It keeps nothing itself: any number may stand on the same log.
pub struct Relay {
    shared: Arc<Shared>,
    fresh: mpsc::Receiver<Fresh>,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("settings", &self.shared.settings).finish_non_exhaustive()
    }
}

impl Relay {
    /// A relay that is ready to serve.
    pub async fn new(
        log: Arc<dyn Log>,
        archive: Arc<dyn Archive>,
        gate: Gate,
        settings: RelaySettings,
    ) -> Result<Self, LogError> {
        // Heard from before the signs are read, so that none falls between.
        let fresh = log.fresh().await?;
        let mut air = Air::default();
        log.scents().await?.iter().for_each(|left| air.take(left));
        air.evaporate((settings.clock)());
        let shared = Shared {
            hub: Hub::new(settings.links_per_owner),
            places: Arc::new(Semaphore::new(settings.links)),
            carriers: Semaphore::new(CARRIERS),
            air: Mutex::new(air),
            buckets: Mutex::default(),
            log,
            archive,
            gate,
            settings,
        };
        Ok(Self { shared: Arc::new(shared), fresh })
    }

    /// Serves until it is dropped, and its links with it.
    pub async fn run(self, listener: TcpListener) {
        let mut tasks = JoinSet::new();
        tasks.spawn(spread(Arc::clone(&self.shared), self.fresh));
        tasks.spawn(sweep(Arc::clone(&self.shared)));
        let routes = routes(Arc::clone(&self.shared));
        serve(listener, routes, REQUESTS).await;
    }
}

fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(link))
        .route("/healthz", get(health))
        .route("/archive", get(objects::list))
        .route("/archive/{vault}/{tick}/{part}", put(objects::lay).get(objects::fetch))
        .fallback(async || (StatusCode::NOT_FOUND, "there is nothing at this address\n"))
        .layer(DefaultBodyLimit::max(OBJECT_BYTES))
        .with_state(shared)
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let nobody = Address::ZERO;
    match shared.log.last(nobody, nobody).await {
        Ok(_) => "ok\n".into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

async fn link(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "30")], "too many links\n").into_response();
    };
    // A little more than a frame, so that one that is too large gets an answer instead of a broken connection.
    let most = 2 * MOST_FRAME_BYTES + 4_096;
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .read_buffer_size(4_096)
        .write_buffer_size(0)
        .max_write_buffer_size(2 << 20)
        .on_upgrade(move |socket| async move {
            let _place = place;
            connection::attend(shared, socket).await;
        })
}

/// Tells links what was stored, by whichever relay.
async fn spread(shared: Arc<Shared>, mut fresh: mpsc::Receiver<Fresh>) {
    while let Some(fresh) = fresh.recv().await {
        match fresh {
            Fresh::Frame(owner, entry) => shared.hub.deliver(owner, &entry),
            Fresh::Scent(left) => shared.air().take(&left),
        }
    }
}

/// I-325, I-108, I-118. Forgets, once a minute, what is too old or has faded.
async fn sweep(shared: Arc<Shared>) {
    let mut minutes = interval(Duration::from_secs(SWEEP_SECONDS));
    minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        minutes.tick().await;
        let now = shared.now();
        shared.air().evaporate(now);
        for swept in [shared.log.sweep(now).await, shared.archive.sweep(now).await] {
            if let Err(error) = swept {
                tracing::warn!(%error, "what is too old could not be swept away");
            }
        }
    }
}
