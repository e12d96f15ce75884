//! How far a dream is that is being dreamt.

use std::cmp::Ordering;

use eyre::Result;
use golem_dreams::DreamStep;
use golem_dreams::words::DreamPhase;
use golem_primitives::{EffectId, Usdc};
use golem_store::Reader;
use golem_view::StagePicture;

/// How the phase stands that is dreamt now.
pub(super) const NOW: &str = "now";
/// How those behind it stand.
const TO_COME: &str = "to_come";

/// D-226. How far a dream is, phase by phase: it is dreamt again from what lies on disk, as far as its answers lead.
pub(super) fn progress(reader: &Reader, effect: EffectId) -> Result<Vec<StagePicture>> {
    let stage =
        |phase: &DreamPhase| StagePicture { phase: phase.to_string(), stands: TO_COME, answered: 0, spent: Usdc::ZERO };
    let mut stages: Vec<StagePicture> = DreamPhase::ALL.iter().map(stage).collect();
    let mut now = DreamPhase::Onset;
    if let Some(begun) = reader.dreaming(effect)? {
        let mut answers = begun.answers.into_iter();
        let mut dream = begun.slumber.resume([])?;
        loop {
            match dream.step() {
                DreamStep::Phase(phase) => now = phase,
                DreamStep::Finished(_) => break,
                DreamStep::Ask(ask) => {
                    now = ask.phase;
                    let Some(answer) = answers.next() else { break };
                    let stage = &mut stages[now as usize];
                    (stage.answered, stage.spent) = (stage.answered + 1, stage.spent.saturating_add(answer.cost));
                    if dream.answer(answer).is_err() {
                        break;
                    }
                }
            }
        }
    }
    for (stage, phase) in stages.iter_mut().zip(DreamPhase::ALL) {
        stage.stands = match phase.cmp(&now) {
            Ordering::Less => "over",
            Ordering::Equal => NOW,
            Ordering::Greater => TO_COME,
        };
    }
    Ok(stages)
}
