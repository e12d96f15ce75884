//! Stochastic activation: two memories that have nothing to do with each other, and whether they do.

use golem_grimoire::id::EpisodeId;

use crate::chance::Draws;
use crate::inputs::{Frozen, Trace};
use crate::number::count;

/// Ticks apart from which two episodes are of distant periods.
pub const DISTANT_TICKS: u64 = 1_000;

/// D-123. Two traces picked by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Activation {
    /// The first.
    pub first: EpisodeId,
    /// The second, of another period or another regime.
    pub second: EpisodeId,
    /// How often what they are about came within fifty ticks of each other. Counting is all that is done without a
    /// model: a story that links them is a model's.
    pub together: u32,
}

fn is_distant(a: &Trace, b: &Trace) -> bool {
    let (first, second) = (&a.recorded.episode, &b.recorded.episode);
    let apart = first.happened.tick.get().abs_diff(second.happened.tick.get());
    let regimes = first.regime.zip(second.regime).is_some_and(|(one, other)| one != other);
    apart >= DISTANT_TICKS || regimes
}

/// D-123. Picks two traces under the seed; `None` when no two are distant.
#[must_use]
pub fn activate(frozen: &Frozen, draws: &mut Draws) -> Option<Activation> {
    let mut all: Vec<&Trace> = frozen.traces.iter().filter(|trace| !trace.recorded.notes.is_forgotten).collect();
    all.sort_by_key(|trace| trace.id());
    if all.is_empty() {
        return None;
    }
    let first = all[draws.below(all.len())];
    let distant: Vec<&&Trace> = all.iter().filter(|other| is_distant(first, other)).collect();
    let second = if distant.is_empty() { None } else { Some(**distant.get(draws.below(distant.len()))?) }?;
    let ticks = |of: &Trace| -> Vec<u64> {
        let about = all.iter().filter(|trace| trace.recorded.episode.key == of.recorded.episode.key);
        about.map(|trace| trace.recorded.episode.happened.tick.get()).collect()
    };
    let seconds = ticks(second);
    let near = |tick: &u64| seconds.iter().any(|other| other != tick && other.abs_diff(*tick) <= 50);
    let together = count(ticks(first).iter().filter(|tick| near(tick)).count());
    Some(Activation { first: first.id(), second: second.id(), together })
}
