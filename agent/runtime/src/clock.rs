//! The pace of a life that runs by the wall clock.

use std::time::Duration;

use golem_ports::{Moment, TickSource, TickSourceError};
use golem_primitives::UtcTime;
use tokio::time::{Instant, sleep_until};

/// Ticks by the wall clock; between them it looks up once a block.
#[derive(Debug)]
pub struct WallClock {
    block: Duration,
    began: Option<Instant>,
}

impl WallClock {
    /// Looks up every `block` while a tick lasts.
    #[must_use]
    pub const fn new(block: Duration) -> Self {
        Self { block, began: None }
    }
}

impl TickSource for WallClock {
    async fn rest(&mut self, _: UtcTime, length: Duration) -> Result<Moment, TickSourceError> {
        let began = *self.began.get_or_insert_with(Instant::now);
        let end = began + length;
        let next = Instant::now() + self.block;
        if next < end {
            sleep_until(next).await;
            return Ok(Moment::Within);
        }
        sleep_until(end).await;
        // A machine that slept does not make up for ticks it missed: the next one begins now.
        self.began = Some(Instant::now().max(end));
        Ok(Moment::Over)
    }

    async fn now(&self) -> UtcTime {
        {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            UtcTime::from_seconds(since.as_secs())
        }
    }
}

/// Asks the chain for its next block after a moment; answers that block's time.
pub type NextBlock =
    Box<dyn Fn(UtcTime) -> std::pin::Pin<Box<dyn Future<Output = Result<UtcTime, String>> + Send>> + Send + Sync>;

/// Ticks by the chain's own time, asking for each block: a life at speed. Everything follows from the moment a
/// tick began, so that a restart in its middle asks for the same blocks.
pub struct PacedClock {
    next: NextBlock,
    tick: Option<UtcTime>,
    seen: UtcTime,
}

impl std::fmt::Debug for PacedClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PacedClock").field("tick", &self.tick).field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl PacedClock {
    /// A clock that asks `next` for blocks.
    #[must_use]
    pub const fn new(next: NextBlock) -> Self {
        Self { next, tick: None, seen: UtcTime::from_seconds(0) }
    }
}

impl TickSource for PacedClock {
    async fn rest(&mut self, since: UtcTime, length: Duration) -> Result<Moment, TickSourceError> {
        if self.tick != Some(since) {
            (self.tick, self.seen) = (Some(since), since);
        }
        self.seen = (self.next)(self.seen).await.map_err(|why| TickSourceError { why })?;
        Ok(if self.seen >= since.plus(length) { Moment::Over } else { Moment::Within })
    }

    async fn now(&self) -> UtcTime {
        // Every chain is past the beginning of time: this asks for nothing and hears where it stands.
        (self.next)(UtcTime::from_seconds(0)).await.unwrap_or(self.seen)
    }
}
