//! The pace of a life that runs by the wall clock.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use golem_ports::{TickSource, TickSourceError, WaitEnd};
use golem_primitives::UtcTime;
use tokio::time::{Instant, sleep, sleep_until};

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
    async fn rest(&mut self, _: UtcTime, length: Duration) -> Result<WaitEnd, TickSourceError> {
        let began = *self.began.get_or_insert_with(Instant::now);
        let end = began + length;
        let next = Instant::now() + self.block;
        if next < end {
            sleep_until(next).await;
            return Ok(WaitEnd::Within);
        }
        sleep_until(end).await;
        // A machine that slept does not make up for ticks it missed: the next one begins now.
        self.began = Some(Instant::now().max(end));
        Ok(WaitEnd::Over)
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
    Box<dyn Fn(UtcTime) -> Pin<Box<dyn Future<Output = Result<UtcTime, String>> + Send>> + Send + Sync>;

/// Looks where the chain stands: its newest block's time, or `None` when nobody answers.
pub type NewestBlockTime = Box<dyn Fn() -> Pin<Box<dyn Future<Output = Option<UtcTime>> + Send>> + Send + Sync>;

/// Between two looks for a block that somebody else brings.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How long silence is waited out before the time is told without the chain.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was last heard of a chain, and when.
struct Follower {
    look: NewestBlockTime,
    heard: Mutex<(UtcTime, Instant)>,
}

impl Follower {
    /// Waits for a block after `past`. A chain that stands still is waited for, since its time does; one that is silent
    /// is not: time passes without it, and blindness has to be told at its moment.
    async fn after(&self, past: UtcTime) -> UtcTime {
        let mut silent_since = Instant::now();
        loop {
            match (self.look)().await {
                Some(time) => {
                    silent_since = Instant::now();
                    *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = (time, silent_since);
                    if time > past {
                        return time;
                    }
                }
                None if silent_since.elapsed() >= PATIENCE => {
                    let (time, at) = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
                    return time.plus(at.elapsed()).max(past);
                }
                None => {}
            }
            sleep(LOOK_EVERY).await;
        }
    }
}

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

    /// A clock that follows blocks somebody else brings, from a time that is known. When nobody answers it tells what it
    /// heard last and what has passed since.
    #[must_use]
    pub fn following(look: NewestBlockTime, known: UtcTime) -> Self {
        let follower = Arc::new(Follower { look, heard: Mutex::new((known, Instant::now())) });
        Self::new(Box::new(move |past| {
            let follower = follower.clone();
            Box::pin(async move { Ok(follower.after(past).await) })
        }))
    }
}

impl TickSource for PacedClock {
    async fn rest(&mut self, since: UtcTime, length: Duration) -> Result<WaitEnd, TickSourceError> {
        if self.tick != Some(since) {
            (self.tick, self.seen) = (Some(since), since);
        }
        self.seen = (self.next)(self.seen).await.map_err(|why| TickSourceError { why })?;
        Ok(if self.seen >= since.plus(length) { WaitEnd::Over } else { WaitEnd::Within })
    }

    async fn now(&self) -> UtcTime {
        // Every chain is past the beginning of time: this asks for nothing and hears where it stands.
        (self.next)(UtcTime::from_seconds(0)).await.unwrap_or(self.seen)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const SILENT: u64 = u64::MAX;

    fn following(stands: &Arc<AtomicU64>) -> PacedClock {
        let stands = stands.clone();
        let look: NewestBlockTime = Box::new(move || {
            let time = stands.load(Ordering::Relaxed);
            Box::pin(async move { (time != SILENT).then(|| UtcTime::from_seconds(time)) })
        });
        PacedClock::following(look, UtcTime::from_seconds(1_000))
    }

    /// a chain that has died does not stop time: it is told after a bounded wait, and a tick still ends.
    #[tokio::test(start_paused = true)]
    async fn r_023_time_passes_without_a_chain() {
        let stands = Arc::new(AtomicU64::new(1_000));
        let mut clock = following(&stands);
        assert_eq!(clock.now().await, UtcTime::from_seconds(1_000));
        stands.store(SILENT, Ordering::Relaxed);
        let asked = Instant::now();
        assert_eq!(clock.now().await, UtcTime::from_seconds(1_002));
        assert!(asked.elapsed() < Duration::from_secs(3));
        tokio::time::advance(Duration::from_secs(10)).await;
        let since = clock.now().await;
        assert_eq!(since, UtcTime::from_seconds(1_014));
        let mut moments = 1;
        while clock.rest(since, Duration::from_secs(40)).await.expect("no failure") == WaitEnd::Within {
            moments += 1;
        }
        assert_eq!((clock.now().await, moments), (UtcTime::from_seconds(1_056), 20));
        stands.store(1_060, Ordering::Relaxed);
        assert_eq!(clock.now().await, UtcTime::from_seconds(1_060), "and the chain has the last word again");
    }

    /// a chain that answers is waited for, however slowly its blocks come.
    #[tokio::test(start_paused = true)]
    async fn r_001_a_slow_chain_keeps_its_own_time() {
        let stands = Arc::new(AtomicU64::new(1_000));
        let mut clock = following(&stands);
        let bringing = stands.clone();
        tokio::spawn(async move {
            sleep(Duration::from_secs(90)).await;
            bringing.store(1_040, Ordering::Relaxed);
        });
        let since = UtcTime::from_seconds(1_000);
        assert_eq!(clock.rest(since, Duration::from_secs(40)).await.expect("no failure"), WaitEnd::Over);
        assert_eq!(clock.now().await, UtcTime::from_seconds(1_040));
    }
}
