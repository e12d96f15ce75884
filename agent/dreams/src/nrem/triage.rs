//! What becomes of a replayed episode.

use golem_primitives::{Ppm, words};

use crate::nrem::utility::ELIGIBLE;

words! {
    /// D-097. Three ways.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Triage {
        /// Kept as it is.
        Preserve = "preserve",
        /// The rule is kept, the detail dropped.
        Abstract = "abstract",
        /// Hidden from replay and retrieval; purged after the next insurance snapshot (C31).
        Forget = "forget",
    }
}

/// DG-22. Utility from which an episode is kept.
const WORTHY: Ppm = Ppm::of(500_000);
/// DG-22. Episodes that share a key before their rule stands for them.
const SHARED: usize = 3;

/// DG-22. By utility, how often it was contradicted, and how many share its key, in this order: worth keeping and not
/// contradicted; shared by three; worth nothing or contradicted twice; else kept.
#[must_use]
pub fn triage(utility: Ppm, contradicted: u32, sharing: usize) -> Triage {
    if utility >= WORTHY && contradicted == 0 {
        Triage::Preserve
    } else if sharing >= SHARED {
        Triage::Abstract
    } else if utility < ELIGIBLE || contradicted >= 2 {
        Triage::Forget
    } else {
        Triage::Preserve
    }
}
