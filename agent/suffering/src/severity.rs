//! How bad it is, without rounding.

use std::fmt;

use golem_primitives::{Ppm, UtcTime};

/// S-004, S-010. A severity in [0, 1], in units of one millionth of a day's second (1 / 86,400,000,000).
///
/// Rates are whole millionths a day and time is whole seconds, so growth is an integer: however often an interval is cut
/// into pieces, the sum is the same to the last unit (S-013, S-121).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Severity(u64);

/// Growth in millionths a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u32);

impl Rate {
    /// A rate of so many millionths a day.
    #[must_use]
    pub const fn per_day(parts: u32) -> Self {
        Self(parts)
    }

    /// Millionths a day.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Severity {
    /// None.
    pub const ZERO: Self = Self(0);
    /// The worst.
    pub const ONE: Self = Self(1_000_000 * UtcTime::DAY_SECONDS);
    /// S-005. Where a stressor begins.
    pub const NEW: Self = Self::of(Ppm::of(200_000));

    /// The severity of a share.
    #[must_use]
    pub const fn of(share: Ppm) -> Self {
        Self(share.get() as u64 * UtcTime::DAY_SECONDS)
    }

    /// A severity read back, or `None` above one.
    #[must_use]
    pub const fn from_units(units: u64) -> Option<Self> {
        if units <= Self::ONE.0 { Some(Self(units)) } else { None }
    }

    /// In units.
    #[must_use]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// S-010, S-012. After so many seconds at a rate, one at most.
    #[must_use]
    pub const fn grown(self, rate: Rate, seconds: u64) -> Self {
        let sum = self.0.saturating_add((rate.0 as u64).saturating_mul(seconds));
        if sum > Self::ONE.0 { Self::ONE } else { Self(sum) }
    }

    /// Rounded to a share, for others.
    #[must_use]
    pub const fn ppm(self) -> Ppm {
        Ppm::saturating((self.0 + UtcTime::DAY_SECONDS / 2) / UtcTime::DAY_SECONDS)
    }

    /// As a number.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }

    /// S-105. Cells of a bar of ten, rounded up.
    #[must_use]
    pub const fn cells(self) -> usize {
        (self.0 * 10).div_ceil(Self::ONE.0) as usize
    }

    pub(crate) const fn at_most(self, bound: Self) -> Self {
        if self.0 > bound.0 { bound } else { self }
    }
}

impl fmt::Display for Severity {
    /// With two decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.2}", self.as_f64()))
    }
}

impl<'de> serde::Deserialize<'de> for Severity {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let units = u64::deserialize(deserializer)?;
        Self::from_units(units)
            .ok_or_else(|| serde::de::Error::custom(format!("a severity of {units} units is above one")))
    }
}

/// S-020. Load and what it would be without its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Load {
    /// At most one.
    pub load: Severity,
    raw: u64,
}

impl Load {
    /// S-020, S-047. The load of what the system saw and what the agent named; the latter counts up to `agent_cap`.
    #[must_use]
    pub fn of(
        system: impl Iterator<Item = Severity>,
        agent: impl Iterator<Item = Severity>,
        agent_cap: Severity,
    ) -> Self {
        let sum = |parts: &mut dyn Iterator<Item = Severity>| parts.map(|part| part.0).fold(0u64, u64::saturating_add);
        let (system, agent) = (sum(&mut { system }), sum(&mut { agent }));
        let load = Severity(system.saturating_add(agent.min(agent_cap.0))).at_most(Severity::ONE);
        Self { load, raw: system.saturating_add(agent) }
    }

    /// The sum without any cap, for telemetry.
    #[must_use]
    pub fn raw_sum(self) -> f64 {
        self.raw as f64 / Severity::ONE.0 as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(got: f64, wanted: f64) -> bool {
        (got - wanted).abs() <= 1e-9
    }

    const DAY: u64 = 86_400;
    const REP: Rate = Rate::per_day(40_000);
    const EXT: Rate = Rate::per_day(70_000);
    const FUT: Rate = Rate::per_day(25_000);

    /// S-005, S-010: W-01 to W-04.
    #[test]
    fn s_010_growth_meets_w_01_to_w_04() {
        let cedar = Severity::NEW.grown(REP, 21_780);
        assert!(near(cedar.as_f64(), 0.210_083_333_3), "W-01, S-005");
        assert_eq!((cedar.to_string(), cedar.ppm()), ("0.21".to_owned(), Ppm::of(210_083)), "W-01");
        let per = |rate: Rate, seconds| Severity::ZERO.grown(rate, seconds).as_f64();
        assert!(near(per(FUT, 6), 1.736_111_1e-6) && near(per(EXT, 6), 4.861_111_1e-6), "W-02");
        assert!(near(per(REP, 40), 1.851_851_9e-5), "W-03");
        let ten = |rate| Severity::NEW.grown(rate, 10 * DAY).as_f64();
        assert!(near(ten(FUT), 0.45) && near(ten(EXT), 0.90) && near(ten(Rate::per_day(30_000)), 0.50), "W-04");
    }

    /// S-012: W-05, W-06 and the cap.
    #[test]
    fn s_012_severity_saturates_and_meets_w_05_and_w_06() {
        for (rate, seconds) in [
            (FUT, 28 * DAY),
            (Rate::per_day(30_000), 2_016_000),
            (Rate::per_day(60_000), 1_008_000),
            (EXT, 10 * DAY),
            (REP, 1_512_000),
            (Rate::per_day(35_000), 20 * DAY),
        ] {
            let limit = Severity::of(Ppm::of(900_000));
            assert_eq!(Severity::NEW.grown(rate, seconds), limit, "W-05");
            assert!(Severity::NEW.grown(rate, seconds - 1) < limit, "W-05");
        }
        let half = Severity::of(Ppm::of(500_000));
        for (rate, seconds) in [(EXT, 370_285), (REP, 648_000), (FUT, 1_036_800)] {
            assert!(
                Severity::NEW.grown(rate, seconds) <= half && Severity::NEW.grown(rate, seconds + 1) > half,
                "W-06"
            );
        }
        assert_eq!(Severity::NEW.grown(EXT, u64::MAX), Severity::ONE);
    }

    /// S-105: W-24.
    #[test]
    fn s_105_bars_meet_w_24() {
        for (parts, cells) in [(920_000, 10), (200_000, 2), (201_000, 3), (1_000_000, 10), (0, 0), (1, 1)] {
            assert_eq!(Severity::of(Ppm::of(parts)).cells(), cells, "W-24 at {parts}");
        }
    }

    /// S-020: W-07 and W-09.
    #[test]
    fn s_020_loads_meet_w_07_and_w_09() {
        let of = |parts: &[u32]| {
            let parts: Vec<Severity> = parts.iter().map(|one| Severity::of(Ppm::of(*one))).collect();
            Load::of(parts.into_iter(), std::iter::empty(), Severity::ONE)
        };
        assert_eq!(of(&[201_000, 200_000, 200_000]).load.ppm(), Ppm::of(601_000), "W-07");
        assert_eq!(of(&[200_000; 5]).load, Severity::ONE, "W-09");
        let vault = of(&[1_000_000, 1_000_000, 619_000]);
        assert!(near(vault.raw_sum(), 2.619) && vault.load == Severity::ONE, "W-09");
    }

    proptest! {
        /// S-013, S-121: an interval cut anywhere charges the same.
        #[test]
        fn s_121_growth_does_not_depend_on_how_time_is_cut(rate in 0u32..200_000, cuts in prop::collection::vec(0u64..90_000, 1..50)) {
            let rate = Rate::per_day(rate);
            let whole = Severity::NEW.grown(rate, cuts.iter().sum());
            let pieces = cuts.iter().fold(Severity::NEW, |severity, seconds| severity.grown(rate, *seconds));
            prop_assert_eq!(whole, pieces);
        }

        /// S-012: never down, never above one.
        #[test]
        fn s_012_growth_is_monotone(units in 0..=86_400_000_000u64, rate: u32, seconds: u64) {
            let before = Severity::from_units(units).expect("in range");
            let after = before.grown(Rate::per_day(rate), seconds);
            prop_assert!(after >= before && after <= Severity::ONE);
        }
    }
}
