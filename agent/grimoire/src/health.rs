//! Whether the Grimoire itself is well.

use golem_primitives::Ppm;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// G-156.
    #[test]
    fn g_156_survival_and_hits_have_a_healthy_band() {
        for (survived, healthy) in [(39, false), (40, true), (70, true), (71, false)] {
            assert_eq!(is_survival_healthy(survived, 100), Some(healthy), "{survived}");
        }
        assert_eq!((is_hit_rate_healthy(30, 100), is_hit_rate_healthy(31, 100)), (Some(false), Some(true)));
        assert_eq!((is_survival_healthy(0, 0), is_hit_rate_healthy(0, 0)), (None, None));
    }
}
