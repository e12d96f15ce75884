//! Whether the Grimoire itself is well.

use golem_primitives::Ppm;

use golem_primitives::words;

words! {
    /// G-006. How far an embedding model has drifted.
    Drift {
        /// Below 0.02.
        Healthy = "healthy",
        /// From 0.02 to 0.05.
        Warn = "warn",
        /// Above 0.05: no vector is written.
        StopWrites = "stop_writes",
    }
}

/// G-006. Reference texts of a drift check.
pub const REFERENCE_TEXTS: usize = 20;

impl Drift {
    /// G-006. The drift of the mean cosine distance of the reference texts from what they were.
    #[must_use]
    pub fn of(distance: Ppm) -> Self {
        if distance < Ppm::of(20_000) {
            Self::Healthy
        } else if distance <= Ppm::of(50_000) {
            Self::Warn
        } else {
            Self::StopWrites
        }
    }
}

/// G-156. Whether heuristics survive as they should: 40 to 70% after a hundred ticks. Fewer is noise, more is dogma.
#[must_use]
pub fn is_survival_healthy(survived: u32, of: u32) -> Option<bool> {
    let share = share(survived, of)?;
    Some((Ppm::of(400_000)..=Ppm::of(700_000)).contains(&share))
}

/// G-156. Whether retrieval is of use: more than 30% of retrievals after seven days.
#[must_use]
pub fn is_hit_rate_healthy(useful: u32, retrieved: u32) -> Option<bool> {
    share(useful, retrieved).map(|share| share > Ppm::of(300_000))
}

fn share(part: u32, whole: u32) -> Option<Ppm> {
    (whole > 0).then(|| Ppm::saturating(u64::from(part) * 1_000_000 / u64::from(whole)))
}

/// G-139. Curator cycles in a day of ticks of that length.
#[must_use]
pub fn cycles_a_day(tick_seconds: u64) -> f64 {
    86_400.0 / (tick_seconds.max(1) * crate::curator::CYCLE_TICKS) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G-006: edges of the drift check.
    #[test]
    fn g_006_a_drifting_model_stops_writing() {
        for (parts, drift) in [
            (0, Drift::Healthy),
            (19_999, Drift::Healthy),
            (20_000, Drift::Warn),
            (50_000, Drift::Warn),
            (50_001, Drift::StopWrites),
        ] {
            assert_eq!(Drift::of(Ppm::of(parts)), drift, "{parts}");
        }
    }

    /// G-156.
    #[test]
    fn g_156_survival_and_hits_have_a_healthy_band() {
        for (survived, healthy) in [(39, false), (40, true), (70, true), (71, false)] {
            assert_eq!(is_survival_healthy(survived, 100), Some(healthy), "{survived}");
        }
        assert_eq!((is_hit_rate_healthy(30, 100), is_hit_rate_healthy(31, 100)), (Some(false), Some(true)));
        assert_eq!((is_survival_healthy(0, 0), is_hit_rate_healthy(0, 0)), (None, None));
    }

    /// G-139: W41, in tenths.
    #[test]
    fn g_139_cycles_a_day_meet_w41() {
        assert_eq!(libm::round(cycles_a_day(40) * 10.0) as u32, 432, "W41");
        assert_eq!(libm::round(cycles_a_day(15) * 10.0) as u32, 1_152, "W41");
    }
}
