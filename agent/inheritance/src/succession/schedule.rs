//! When a failed step is tried again (I-285, I-287).

use std::time::Duration;

use golem_primitives::UtcTime;

/// I-285. Waits before the second, third and fourth attempt of a cycle.
const WAITS: [u64; 3] = [30, 120, 480];
/// I-285. Wait before the next cycle.
const NEXT_CYCLE: u64 = 3_600;

/// I-287. Which attempt of its cycle is running, counted from 0: one and three more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct CycleAttempt(u8);

impl CycleAttempt {
    /// The first of a cycle.
    pub const FIRST: Self = Self(0);

    /// Its number, from 0.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// I-285, I-287. After this one failed: the next, and how long to wait for it. Behind the last of a cycle another
    /// cycle begins an hour later, and so on until it succeeds or someone ends it.
    #[must_use]
    pub fn after_failure(self) -> (Self, Duration) {
        match WAITS.get(usize::from(self.0)) {
            Some(seconds) => (Self(self.0 + 1), Duration::from_secs(*seconds)),
            None => (Self::FIRST, Duration::from_secs(NEXT_CYCLE)),
        }
    }
}

/// When to try again.
#[must_use]
pub fn retry_at(attempt: CycleAttempt, failed: UtcTime) -> (CycleAttempt, UtcTime) {
    let (next, wait) = attempt.after_failure();
    (next, failed.plus(wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-285, I-287: W-48.
    #[test]
    fn i_287_w_48_four_attempts_then_an_hour() {
        let mut at = UtcTime::from_seconds(1_000);
        let mut attempt = CycleAttempt::FIRST;
        let mut seconds = vec![0];
        for _ in 0..6 {
            (attempt, at) = retry_at(attempt, at);
            seconds.push(at.seconds() - 1_000);
        }
        assert_eq!(seconds, [0, 30, 150, 630, 4_230, 4_260, 4_380], "W-48, and the next cycle");
    }
}
