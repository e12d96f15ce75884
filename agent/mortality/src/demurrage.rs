//! What pressure asks of the Grimoire. Retention itself is computed on read by the Grimoire; the interval variant is not
//! built, and neither are its multipliers.

use golem_primitives::{Ppm, Tick};

/// Ticks without use after which a Golem short of credits archives an entry.
const UNUSED_TICKS: u64 = 500;
/// Fitness of a domain below which a senescent Golem lets its entries go first.
const FAILING_DOMAIN: Ppm = Ppm::of(300_000);
/// Confidence above which an old Golem pushes an entry to the Clade.
const WORTH_PUSHING: Ppm = Ppm::of(100_000);
/// Share of the reference lifespan, in percent, above which a Golem is old.
const OLD_PERCENT: u128 = 85;

/// The three clocks, as far as knowledge must know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnowledgePressure {
    /// Credits are below the conservation threshold.
    pub economic_critical: bool,
    pub senescent: bool,
    pub now: Tick,
    pub reference_lifespan: u64,
}

/// An entry, as far as mortality must know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryReading {
    pub confidence: Ppm,
    pub last_used: Tick,
    pub domain_fitness: Ppm,
}

/// What is to happen to an entry under pressure; each on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PressureResponse {
    pub archive: bool,
    /// Let it go ahead of its time.
    pub fast_track: bool,
    /// Push it to the Clade.
    pub push: bool,
}

impl KnowledgePressure {
    /// M-260. All edges are exclusive.
    #[must_use]
    pub fn response(&self, entry: &EntryReading) -> PressureResponse {
        let is_old = u128::from(self.now.get()) * 100 > OLD_PERCENT * u128::from(self.reference_lifespan);
        PressureResponse {
            archive: self.economic_critical && self.now.since(entry.last_used) > UNUSED_TICKS,
            fast_track: self.senescent && entry.domain_fitness < FAILING_DOMAIN,
            push: is_old && entry.confidence > WORTH_PUSHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: KnowledgePressure = KnowledgePressure {
        economic_critical: false,
        senescent: false,
        now: Tick::new(10_000),
        reference_lifespan: 200_000,
    };
    const ENTRY: EntryReading =
        EntryReading { confidence: Ppm::of(100_001), last_used: Tick::new(9_499), domain_fitness: Ppm::of(299_999) };

    #[test]
    fn m_260_without_pressure_nothing_happens() {
        // M-260.
        assert_eq!(CALM.response(&ENTRY), PressureResponse::default());
    }

    #[test]
    fn m_260_each_clock_asks_for_its_own_response() {
        // M-260.
        let poor = KnowledgePressure { economic_critical: true, ..CALM };
        assert_eq!(poor.response(&ENTRY), PressureResponse { archive: true, ..PressureResponse::default() });
        assert!(!poor.response(&EntryReading { last_used: Tick::new(9_500), ..ENTRY }).archive, "500 is not over 500");

        let senescent = KnowledgePressure { senescent: true, ..CALM };
        assert_eq!(senescent.response(&ENTRY), PressureResponse { fast_track: true, ..PressureResponse::default() });
        assert!(!senescent.response(&EntryReading { domain_fitness: Ppm::of(300_000), ..ENTRY }).fast_track);

        let recent = EntryReading { last_used: Tick::new(170_001), ..ENTRY };
        let old = KnowledgePressure { now: Tick::new(170_001), ..CALM };
        assert_eq!(old.response(&recent), PressureResponse { push: true, ..PressureResponse::default() });
        assert!(!KnowledgePressure { now: Tick::new(170_000), ..CALM }.response(&recent).push);
        assert!(!old.response(&EntryReading { confidence: Ppm::of(100_000), ..recent }).push);
    }
}
