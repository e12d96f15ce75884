//! Depotentiation: what happened stays, what it felt like fades.

use golem_daimon::dream::{DreamTrace, enters_queue};
use golem_grimoire::id::EpisodeId;
use golem_primitives::Ppm;

use crate::inputs::Trace;
use crate::number::Hundredths;

/// D-139, D-143. One episode's feeling after this cycle. Nothing of the episode but this is written back, so its content,
/// its lesson and its confidence cannot change here (D-141).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Depotentiated {
    pub episode: EpisodeId,
    /// What it felt like at first, what is left, and after how many cycles.
    pub feeling: DreamTrace,
}

/// D-142. Whether an episode is queued: aroused above 0.5, or in the queue already and not yet calm.
#[must_use]
pub fn is_queued(trace: &Trace) -> bool {
    match trace.feeling {
        Some(feeling) => !golem_daimon::dream::leaves_queue(feeling.processed()),
        None => trace.pad().is_some_and(enters_queue),
    }
}

/// D-139, D-140, DG-14. One cycle of depotentiation for every queued episode among them: `step` less arousal, and no more
/// than 0.3 from what is above 0.8.
#[must_use]
pub fn depotentiate(traces: &[&Trace], load: Ppm, step: Hundredths) -> Vec<Depotentiated> {
    let queued = traces.iter().filter(|trace| is_queued(trace));
    let processed = queued.filter_map(|trace| {
        let before = trace.feeling.or_else(|| trace.pad().map(|pad| DreamTrace::enter(pad, load)))?;
        let feeling = before.cycle(f64::from(step.get()) / 100.0);
        Some(Depotentiated { episode: trace.id(), feeling })
    });
    processed.collect()
}
