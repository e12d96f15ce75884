//! What a testament is worth later (I-307).

use std::time::Duration;

use golem_primitives::words;
use golem_primitives::{Ppm, UtcTime};

/// I-307. What a testament's market value loses a day.
const LAMBDA_PER_DAY: f64 = 0.08;
/// I-307. A year as the registry counts it.
const YEAR: Duration = Duration::from_secs(365 * UtcTime::DAY_SECONDS);

/// I-307. The share of its market value that a testament still has: `exp(-0.08 days)`.
#[must_use]
pub fn market_value(age: Duration) -> Ppm {
    let days = age.as_secs() as f64 / UtcTime::DAY_SECONDS as f64;
    Ppm::round(libm::exp(-LAMBDA_PER_DAY * days))
}

words! {
    /// I-307. Where the registry keeps a testament.
    Keeping {
        /// At hand.
        Hot = "hot",
        /// On request.
        Cold = "cold",
        /// A name and a date.
        Tombstone = "tombstone",
    }
}

impl Keeping {
    /// Where a testament of that age is kept: a year at hand, to its fifth on request, then a stone for ever.
    #[must_use]
    pub fn of(age: Duration) -> Self {
        match age {
            age if age < YEAR => Self::Hot,
            age if age <= YEAR * 5 => Self::Cold,
            _ => Self::Tombstone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-307: half of it is gone after 8.66 days.
    #[test]
    fn i_307_testaments_lose_value_and_become_stones() {
        let half_life = Duration::from_secs_f64(8.664_339_757 * 86_400.0);
        assert!(market_value(half_life).get().abs_diff(500_000) <= 1);
        assert_eq!(market_value(Duration::ZERO), Ppm::ONE);
        let second = Duration::from_secs(1);
        for (age, keeping) in [
            (YEAR - second, Keeping::Hot),
            (YEAR, Keeping::Cold),
            (YEAR * 5, Keeping::Cold),
            (YEAR * 5 + second, Keeping::Tombstone),
        ] {
            assert_eq!(Keeping::of(age), keeping, "{age:?}");
        }
    }
}
