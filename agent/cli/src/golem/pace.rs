//! How a life is paced: by the wall clock, by a local L2's own time, or at speed.

use std::pin::Pin;
use std::time::{Duration, SystemTime};

use eyre::{Result, bail, ensure};
use golem_ports::{TickSource, TickSourceError, WaitEnd};
use golem_primitives::UtcTime;
use golem_runtime::{PacedClock, WallClock};

use super::connect::Connected;

#[derive(Debug)]
pub(crate) enum Pace {
    /// Any public chain.
    Wall(WallClock),
    /// A local L2, whose calendar is its own.
    Chain(PacedClock),
}

impl Pace {
    /// The pace of a chain. A speed other than 1 is for a local L2 alone: it advances that chain's time.
    pub(crate) async fn of(chain: &Connected, speed: Option<f64>, block: Duration) -> Result<Self> {
        let Some(devnet) = &chain.devnet else {
            ensure!(
                speed.is_none_or(|speed| (speed - 1.0).abs() < f64::EPSILON),
                "only a local L2 can be lived at speed: on chain {} time is everybody's (R-001)",
                chain.deployment.chain_id
            );
            return Ok(Self::Wall(WallClock::new(block)));
        };
        let Some(speed) = speed else { return Ok(Self::Chain(following(chain).await?)) };
        ensure!(speed.is_finite() && speed > 0.0, "a speed is a number above nothing");
        let Some(control) = chain.control() else {
            bail!("the local L2 answers no requests for blocks; start it again with this version of bardo");
        };
        let wait = Duration::try_from_secs_f64(devnet.block_seconds as f64 / speed).unwrap_or_default();
        Ok(Self::Chain(PacedClock::new(Box::new(move |past: UtcTime| {
            let control = control.clone();
            Box::pin(async move {
                if past > UtcTime::EPOCH {
                    tokio::time::sleep(wait).await;
                }
                let head = control.advance_past(past).await.map_err(|error| error.to_string())?;
                Ok(head.time)
            })
        }))))
    }

    /// Moments of the past: `next` goes on to the first after a moment. After the last there is none, and whoever lives
    /// waits until it is stopped.
    pub(crate) fn through(next: impl Fn(UtcTime) -> Option<UtcTime> + Send + Sync + 'static) -> Self {
        Self::Chain(PacedClock::new(Box::new(move |past: UtcTime| {
            let next = next(past);
            Box::pin(async move {
                match next {
                    Some(time) => Ok(time),
                    None => std::future::pending().await,
                }
            })
        })))
    }
}

/// What time this machine says it is.
pub(crate) fn wall_clock() -> UtcTime {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    UtcTime::from_seconds(since.as_secs())
}

/// Waits for blocks that somebody else brings, from where the chain stands now.
async fn following(chain: &Connected) -> Result<PacedClock> {
    let endpoints = chain.endpoints.clone();
    let known = endpoints.head().await?.time;
    let look = Box::new(move || -> Pin<Box<dyn Future<Output = Option<UtcTime>> + Send>> {
        let endpoints = endpoints.clone();
        Box::pin(async move { endpoints.head().await.ok().map(|head| head.time) })
    });
    Ok(PacedClock::following(look, known))
}

impl TickSource for Pace {
    async fn rest(&mut self, since: UtcTime, length: Duration) -> Result<WaitEnd, TickSourceError> {
        match self {
            Self::Wall(clock) => clock.rest(since, length).await,
            Self::Chain(clock) => clock.rest(since, length).await,
        }
    }

    async fn now(&self) -> UtcTime {
        match self {
            Self::Wall(clock) => clock.now().await,
            Self::Chain(clock) => clock.now().await,
        }
    }
}
