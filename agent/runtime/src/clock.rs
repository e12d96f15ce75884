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
    async fn rest(&mut self, length: Duration) -> Result<Moment, TickSourceError> {
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
