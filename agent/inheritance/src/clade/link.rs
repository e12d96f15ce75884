//! How a link to the relay fails and recovers (I-113).

use std::time::Duration;

use golem_primitives::UtcTime;
use golem_primitives::words;

/// I-113. Longest wait between two attempts.
const MOST_WAIT: u64 = 60;
/// I-113. Words kept while there is no link; the next one is refused.
pub const OFFLINE_CAPACITY: usize = 1_000;
/// I-113. Failures that open the breaker, and how long it stays open before one attempt is let through.
const FAILURES: u32 = 3;
const OPEN: Duration = Duration::from_secs(60);

/// I-113. How long to wait before the `attempt`-th reconnect, counted from 0: 1, 2, 4 and so on seconds, at most 60.
#[must_use]
pub const fn back_off(attempt: u32) -> Duration {
    let seconds = if attempt >= 6 { MOST_WAIT } else { 1 << attempt };
    Duration::from_secs(if seconds > MOST_WAIT { MOST_WAIT } else { seconds })
}

words! {
    /// I-113. Where a breaker stands.
    BreakerState {
        Closed = "closed",
        Open = "open",
        HalfOpen = "half_open",
    }
}

/// I-113. Keeps a Golem from calling a relay that does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breaker {
    failures: u32,
    opened: Option<UtcTime>,
    is_probing: bool,
}

impl Breaker {
    /// Where it stands.
    #[must_use]
    pub fn state(&self, now: UtcTime) -> BreakerState {
        match self.opened {
            None => BreakerState::Closed,
            Some(opened) if now.since(opened) >= OPEN => BreakerState::HalfOpen,
            Some(_) => BreakerState::Open,
        }
    }

    /// Whether a call may be made; half open, only one at a time may.
    pub fn may_call(&mut self, now: UtcTime) -> bool {
        match self.state(now) {
            BreakerState::Closed => true,
            BreakerState::Open => false,
            BreakerState::HalfOpen => !std::mem::replace(&mut self.is_probing, true),
        }
    }

    /// A call ended.
    pub fn note(&mut self, succeeded: bool, now: UtcTime) {
        if succeeded {
            *self = Self::default();
            return;
        }
        self.failures = self.failures.saturating_add(1);
        self.is_probing = false;
        if self.failures >= FAILURES {
            self.opened = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-113.
    #[test]
    fn i_113_links_fail_politely() {
        let seconds: Vec<u64> = (0..9).map(|attempt| back_off(attempt).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(back_off(u32::MAX).as_secs(), 60);

        let at = UtcTime::from_seconds;
        let mut breaker = Breaker::default();
        breaker.note(false, at(1));
        breaker.note(false, at(2));
        assert_eq!(breaker.state(at(2)), BreakerState::Closed);
        breaker.note(false, at(3));
        assert!(!breaker.may_call(at(62)) && breaker.state(at(62)) == BreakerState::Open);
        assert!(breaker.may_call(at(63)) && !breaker.may_call(at(63)), "one probe");
        breaker.note(false, at(64));
        assert_eq!(breaker.state(at(123)), BreakerState::Open, "the probe failed");
        assert!(breaker.may_call(at(124)));
        breaker.note(true, at(125));
        assert_eq!(breaker.state(at(125)), BreakerState::Closed);
    }
}
