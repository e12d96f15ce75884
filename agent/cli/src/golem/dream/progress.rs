//! How far a dream is that is being dreamt.

use std::cmp::Ordering;

use eyre::Result;
use golem_dreams::Step;
use golem_dreams::words::DreamPhase;
use golem_primitives::{EffectId, Usdc};
use golem_store::Reader;
use serde::Serialize;
use serde_json::Value;

use super::words;

/// How a phase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stands {
    Over,
    Now,
    ToCome,
}

/// One phase of a dream that is dreamt.
#[derive(Debug, Serialize)]
pub(super) struct Stage {
    pub(super) phase: DreamPhase,
    pub(super) stands: Stands,
    /// Questions that were answered in it, or lost.
    answered: u32,
    pub(super) spent: Usdc,
}

/// D-226. How far a dream is, phase by phase: it is dreamt again from what lies on disk, as far as its answers lead.
pub(super) fn progress(reader: &Reader, effect: EffectId) -> Result<Vec<Stage>> {
    let stage = |phase: &DreamPhase| Stage { phase: *phase, stands: Stands::ToCome, answered: 0, spent: Usdc::ZERO };
    let mut stages: Vec<Stage> = DreamPhase::ALL.iter().map(stage).collect();
    let mut now = DreamPhase::Onset;
    if let Some(begun) = reader.dreaming(effect)? {
        let mut answers = begun.answers.into_iter();
        let mut dream = begun.slumber.resume([])?;
        loop {
            match dream.step() {
                Step::Phase(phase) => now = phase,
                Step::Finished(_) => break,
                Step::Ask(ask) => {
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
    for stage in &mut stages {
        stage.stands = match stage.phase.cmp(&now) {
            Ordering::Less => Stands::Over,
            Ordering::Equal => Stands::Now,
            Ordering::Greater => Stands::ToCome,
        };
    }
    Ok(stages)
}

/// The phases of a dream in a line.
pub(super) fn phases(stages: &Value) -> String {
    let one = |stage: &Value| {
        let name = stage["phase"].as_str().unwrap_or_default();
        match (stage["stands"].as_str(), stage["answered"].as_u64()) {
            (Some("to_come"), _) | (_, Some(0) | None) => name.to_owned(),
            (_, Some(answered)) => format!("{name} ({answered} answers, {})", words(&stage["spent"])),
        }
    };
    let of = |stands: &str| {
        let all = stages.as_array().into_iter().flatten().filter(|stage| stage["stands"] == stands);
        all.map(one).collect::<Vec<_>>().join(", ")
    };
    let said = [("over", of("over")), ("now", of("now")), ("to come", of("to_come"))];
    let said = said.iter().filter(|(_, names)| !names.is_empty()).map(|(stands, names)| format!("{stands}: {names}"));
    said.collect::<Vec<_>>().join("; ")
}
