//! What a relay lets one agent ask of it (I-099).

use golem_primitives::UtcTime;
use golem_primitives::words;

/// I-099. Bytes of a frame at most.
pub const MOST_FRAME_BYTES: usize = 1 << 20;

words! {
    /// What is asked.
    Access {
        Write = "write",
        Read = "read",
    }
}

impl Access {
    /// I-099. How many a minute.
    const fn per_minute(self) -> u64 {
        match self {
            Self::Write => 100,
            Self::Read => 500,
        }
    }
}

/// I-099. Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestRefusal {
    /// Too many; the answer is 429.
    #[error("too many {access}s; ask again in {retry_after} s")]
    TooMany {
        access: Access,
        /// Seconds until one is free: the Retry-After header.
        retry_after: u64,
    },
    #[error("a frame has {bytes} bytes, more than {MOST_FRAME_BYTES}; split it")]
    TooLarge { bytes: usize },
}

/// Units of one request, so that a rate a minute refills in whole units a second.
const UNITS: u64 = 60;
/// I-099. Seconds for which twice the rate is let through.
const BURST_SECONDS: u64 = 10;

/// I-099. A bucket of requests. It refills at the rate a minute and holds what ten seconds refill: at twice the rate it
/// is empty after ten seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    access: Access,
    units: u64,
    at: UtcTime,
}

impl Bucket {
    /// A full one.
    #[must_use]
    pub const fn new(access: Access, now: UtcTime) -> Self {
        Self { access, units: access.per_minute() * BURST_SECONDS, at: now }
    }

    /// Asks for one request.
    ///
    /// # Errors
    /// [`RequestRefusal::TooMany`] says when to ask again; asking too early costs nothing.
    pub fn ask(&mut self, now: UtcTime) -> Result<(), RequestRefusal> {
        let rate = self.access.per_minute();
        let passed = now.since(self.at).as_secs();
        self.units = self.units.saturating_add(passed.saturating_mul(rate)).min(rate * BURST_SECONDS);
        self.at = self.at.max(now);
        if self.units < UNITS {
            let retry_after = (UNITS - self.units).div_ceil(rate);
            return Err(RequestRefusal::TooMany { access: self.access, retry_after });
        }
        self.units -= UNITS;
        Ok(())
    }
}

/// I-099. Whether a frame is small enough.
///
/// # Errors
/// [`RequestRefusal::TooLarge`] above one mebibyte.
pub const fn check_frame(bytes: usize) -> Result<(), RequestRefusal> {
    if bytes > MOST_FRAME_BYTES { Err(RequestRefusal::TooLarge { bytes }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests let through when `per_second` are asked for `seconds`.
    fn passed(access: Access, per_second: u64, seconds: u64) -> u64 {
        let start = 1_000;
        let mut bucket = Bucket::new(access, UtcTime::from_seconds(start));
        let mut count = 0;
        for second in 0..seconds {
            for _ in 0..per_second {
                count += u64::from(bucket.ask(UtcTime::from_seconds(start + second)).is_ok());
            }
        }
        count
    }

    /// I-099: the rates, the burst, Retry-After and the frame.
    #[test]
    fn i_099_a_relay_guards_itself() {
        assert_eq!(passed(Access::Write, 1, 600), 600, "below the rate nobody is refused");
        assert_eq!(passed(Access::Write, 100, 60), (1_000 + 59 * 100) / 60, "the burst, then the rate");
        assert_eq!(passed(Access::Read, 100, 60), (5_000 + 59 * 500) / 60);
        // Nearly twice the rate passes for ten seconds, then it is refused.
        let mut bucket = Bucket::new(Access::Read, UtcTime::EPOCH);
        let ask = |bucket: &mut Bucket, second| (0..15).all(|_| bucket.ask(UtcTime::from_seconds(second)).is_ok());
        assert!((0..10).all(|second| ask(&mut bucket, second)));
        assert!(!(10..13).all(|second| ask(&mut bucket, second)));

        let mut empty = Bucket::new(Access::Write, UtcTime::EPOCH);
        while empty.ask(UtcTime::EPOCH).is_ok() {}
        let refusal = empty.ask(UtcTime::EPOCH).expect_err("empty");
        assert_eq!(refusal, RequestRefusal::TooMany { access: Access::Write, retry_after: 1 });
        assert!(empty.ask(UtcTime::from_seconds(1)).is_ok(), "Retry-After is kept");
        assert!(check_frame(1 << 20).is_ok());
        assert_eq!(check_frame((1 << 20) + 1), Err(RequestRefusal::TooLarge { bytes: 1_048_577 }));
    }
}
