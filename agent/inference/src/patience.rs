//! How a provider is treated: not too often, not while it is unwell, and again after a while. Time and chance are given.

use std::collections::VecDeque;
use std::future::Future;
use std::time::{Duration, Instant};

use golem_primitives::Ppm;

/// Failures in a row after which a provider is left alone.
const TRIP: u32 = 5;
/// How long at first; twice as long each further time.
const REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_secs(600);
/// The first pause between two attempts; twice as long each further time.
const PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
const MINUTE: Duration = Duration::from_secs(60);

/// Time and chance, as the room needs them.
pub trait TimeAndChance: Send + Sync {
    /// Time since some moment that does not change.
    fn now(&self) -> Duration;
    /// Lets time pass.
    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send;
    /// A share by chance, so that many Golems do not knock at the same moment.
    fn jitter(&self) -> Ppm;
}

/// The clock on the wall.
#[derive(Debug, Clone, Copy)]
pub struct WallPace(Instant);

impl Default for WallPace {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl TimeAndChance for WallPace {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(time)
    }

    fn jitter(&self) -> Ppm {
        let mut bytes = [0_u8; 4];
        // Without randomness everybody waits the longest; nothing else depends on it.
        let drawn = getrandom::fill(&mut bytes).map(|()| u32::from_le_bytes(bytes) % 1_000_001);
        Ppm::saturating(drawn.unwrap_or(1_000_000).into())
    }
}

/// The pause before attempt `attempt + 1`: half of it fixed, half by chance.
pub(crate) fn pause(attempt: u32, jitter: Ppm) -> Duration {
    let whole = PAUSE.saturating_mul(1_u32.checked_shl(attempt).unwrap_or(u32::MAX)).min(LONGEST_PAUSE);
    let half = whole / 2;
    half + half * jitter.get() / Ppm::ONE.get()
}

/// Why a call has to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Called too often, by our own count or the provider's word.
    Limited { after: Duration },
    /// Failed too often.
    Resting { failures: u32, after: Duration },
}

/// What is remembered of a provider.
#[derive(Debug)]
pub(crate) struct Patience {
    per_minute: usize,
    calls: VecDeque<Duration>,
    closed_until: Duration,
    failures: u32,
    rests_until: Duration,
}

impl Patience {
    pub(crate) fn new(per_minute: u32) -> Self {
        Self {
            per_minute: usize::try_from(per_minute).unwrap_or(usize::MAX).max(1),
            calls: VecDeque::new(),
            closed_until: Duration::ZERO,
            failures: 0,
            rests_until: Duration::ZERO,
        }
    }

    /// Whether a call may go out now; if so it is counted.
    pub(crate) fn admit(&mut self, now: Duration) -> Result<(), Hold> {
        while self.calls.front().is_some_and(|call| now.saturating_sub(*call) >= MINUTE) {
            self.calls.pop_front();
        }
        if self.failures >= TRIP && now < self.rests_until {
            return Err(Hold::Resting { failures: self.failures, after: self.rests_until - now });
        }
        if now < self.closed_until {
            return Err(Hold::Limited { after: self.closed_until - now });
        }
        if self.calls.len() >= self.per_minute {
            let oldest = self.calls.front().copied().unwrap_or(now);
            return Err(Hold::Limited { after: (oldest + MINUTE).saturating_sub(now) });
        }
        if self.failures >= TRIP {
            // One may try whether it is well again; the others wait for what comes of it.
            self.rests_until = now + self.rest();
        }
        self.calls.push_back(now);
        Ok(())
    }

    /// The provider asked for a pause.
    pub(crate) fn close(&mut self, now: Duration, after: Duration) {
        self.closed_until = self.closed_until.max(now + after);
    }

    pub(crate) fn failed(&mut self, now: Duration) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= TRIP {
            self.rests_until = now + self.rest();
        }
    }

    pub(crate) fn answered(&mut self) {
        self.failures = 0;
    }

    fn rest(&self) -> Duration {
        let times = self.failures.saturating_sub(TRIP).min(8);
        REST.saturating_mul(1 << times).min(LONGEST_REST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn pauses_double_within_bounds_and_half_of_them_is_chance() {
        for (attempt, jitter, millis) in
            [(0, 0, 250), (0, 1_000_000, 500), (1, 500_000, 750), (3, 1_000_000, 4_000), (99, 1_000_000, 20_000)]
        {
            assert_eq!(pause(attempt, Ppm::of(jitter)).as_millis(), millis, "{attempt} {jitter}");
        }
    }

    #[test]
    fn calls_a_minute_are_counted_over_a_sliding_minute() {
        let mut patience = Patience::new(2);
        assert_eq!(patience.admit(at(0)), Ok(()));
        assert_eq!(patience.admit(at(10)), Ok(()));
        assert_eq!(patience.admit(at(20)), Err(Hold::Limited { after: at(40) }));
        assert_eq!(patience.admit(at(60)), Ok(()));
        patience.close(at(60), at(30));
        assert_eq!(patience.admit(at(80)), Err(Hold::Limited { after: at(10) }));
    }

    #[test]
    fn a_provider_that_fails_rests_is_tried_once_and_rests_longer() {
        let mut patience = Patience::new(100);
        for _ in 0..5 {
            assert_eq!(patience.admit(at(0)), Ok(()));
            patience.failed(at(0));
        }
        assert_eq!(patience.admit(at(10)), Err(Hold::Resting { failures: 5, after: at(20) }));
        assert_eq!(patience.admit(at(30)), Ok(()), "one may try");
        assert!(patience.admit(at(31)).is_err(), "the others wait for what comes of it");
        patience.failed(at(32));
        assert_eq!(patience.admit(at(32)), Err(Hold::Resting { failures: 6, after: at(60) }));
        assert_eq!(patience.admit(at(92)), Ok(()));
        patience.answered();
        assert_eq!(patience.admit(at(93)), Ok(()));
    }
}
