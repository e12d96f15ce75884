//! When: the pace of a life.

use std::future::Future;
use std::time::Duration;

use golem_primitives::UtcTime;

/// What a wait ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitEnd {
    /// Some time of the tick has passed (a block, usually): look after what is open.
    Within,
    Over,
}

/// Says when a tick is over. Live it waits; on a devnet at speed it advances the chain's time.
pub trait TickSource: Send {
    /// Waits for the next moment of a tick that began at `since`, as the chain counts, and lasts `length`.
    fn rest(
        &mut self,
        since: UtcTime,
        length: Duration,
    ) -> impl Future<Output = Result<WaitEnd, TickSourceError>> + Send;

    /// The time, read once a pass.
    fn now(&self) -> impl Future<Output = UtcTime> + Send;
}

/// Why there is no next moment.
#[derive(Debug, thiserror::Error)]
#[error("the pace of the life failed: {why}")]
pub struct TickSourceError {
    pub why: String,
}
