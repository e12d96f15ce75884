//! Whether the Grimoire itself is well.

use golem_primitives::Ppm;

use golem_primitives::words;

words! {
    /// G-006. How far an embedding model has drifted.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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

/// G-200. Samples on each side from which the parasite check says anything.
const PARASITE_SAMPLES: usize = 5;

/// G-200. Whether a Golem looks fit while its knowledge hurts it: fitness above the mean, and decisions that read an
/// entry earning less than those that did not. `None` with fewer than five samples on a side.
#[must_use]
pub fn is_parasitic(fitness: Ppm, mean_fitness: Ppm, accessed: &[i64], not_accessed: &[i64]) -> Option<bool> {
    if accessed.len() < PARASITE_SAMPLES || not_accessed.len() < PARASITE_SAMPLES {
        return None;
    }
    let mean = |samples: &[i64]| samples.iter().map(|sample| *sample as f64).sum::<f64>() / samples.len() as f64;
    Some(fitness > mean_fitness && mean(accessed) < mean(not_accessed))
}

/// G-139. Curator cycles in a day of ticks of that length.
#[must_use]
pub fn cycles_a_day(tick_seconds: u64) -> f64 {
    86_400.0 / (tick_seconds.max(1) * crate::curator::CYCLE_TICKS) as f64
}

/// G-180. How a genome of at most `limit` entries is filled: a quarter for priority, half spread over the domains, and
/// the rest by quality. The selection itself is the inheritance's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GenomeQuota {
    /// For bloodstains, then old proven entries.
    pub priority: usize,
    /// Over the domains.
    pub spread: usize,
    /// For each domain.
    pub per_domain: usize,
    /// By quality.
    pub fill: usize,
}

/// G-180. Entries of a genome.
pub const GENOME: usize = 2_048;

impl GenomeQuota {
    /// The quota over that many domains.
    #[must_use]
    pub const fn of(limit: usize, domains: usize) -> Self {
        let (priority, spread) = (limit / 4, limit / 2);
        let per_domain = match spread.checked_div(domains) {
            Some(share) => share,
            None => 0,
        };
        Self { priority, spread, per_domain, fill: limit - priority - spread }
    }
}

/// G-181. Whether a heuristic may become a structural default of the line.
#[must_use]
pub fn is_default_candidate(entry: &crate::entry::Knowledge) -> bool {
    entry.kind() == crate::kind::Kind::Heuristic
        && entry.draft.source.generation >= 3
        && entry.confidence.get() >= Ppm::of(700_000)
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

    /// G-200.
    #[test]
    fn g_200_a_parasite_needs_five_samples_on_each_side() {
        let (fit, mean) = (Ppm::of(600_000), Ppm::of(500_000));
        assert_eq!(is_parasitic(fit, mean, &[-1; 5], &[1; 5]), Some(true));
        assert_eq!(is_parasitic(fit, mean, &[1; 5], &[-1; 5]), Some(false));
        assert_eq!(is_parasitic(mean, mean, &[-1; 5], &[1; 5]), Some(false));
        assert_eq!(is_parasitic(fit, mean, &[-1; 4], &[1; 5]), None);
    }

    /// G-139: W41, in tenths.
    #[test]
    fn g_139_cycles_a_day_meet_w41() {
        assert_eq!(libm::round(cycles_a_day(40) * 10.0) as u32, 432, "W41");
        assert_eq!(libm::round(cycles_a_day(15) * 10.0) as u32, 1_152, "W41");
    }

    /// G-180: W33.
    #[test]
    fn g_180_genome_quotas_meet_w33() {
        let quota = GenomeQuota::of(GENOME, 7);
        assert_eq!(quota, GenomeQuota { priority: 512, spread: 1_024, per_domain: 146, fill: 512 }, "W33");
        assert_eq!(quota.per_domain * 7, 1_022, "W33");
        assert_eq!(GenomeQuota::of(GENOME, 0).per_domain, 0);
    }
}
