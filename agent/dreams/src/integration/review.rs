//! Reasoning beside outcome: right for the wrong reasons is luck.

use golem_grimoire::id::EpisodeId;

use crate::inputs::Trace;
use crate::number::count;

/// D-174. Two by two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// Sound, and it went well.
    pub earned: u32,
    /// Sound, and it went badly.
    pub unlucky: u32,
    /// Unsound, and it went well: flagged.
    pub lucky: Vec<EpisodeId>,
    /// Unsound, and it went badly.
    pub deserved: u32,
}

/// D-174. Sorts the episodes whose reasoning was judged.
#[must_use]
pub fn review(traces: &[&Trace]) -> Review {
    let of = |sound: bool, sign: i8| {
        traces
            .iter()
            .filter(move |trace| trace.was_sound == Some(sound) && trace.sign() == sign)
            .map(|trace| trace.id())
    };
    Review {
        earned: count(of(true, 1).count()),
        unlucky: count(of(true, -1).count()),
        lucky: of(false, 1).collect(),
        deserved: count(of(false, -1).count()),
    }
}
