//! Dreams in words.

use golem_core::record::{DreamEvent, Dreamt, StreamEvent};
use golem_dreams::integration::journal::CycleEnding;
use golem_primitives::Usdc;

use super::paint;

/// What of a dream is told on a screen.
pub(super) fn dream_words(event: &DreamEvent) -> Option<String> {
    Some(match event {
        DreamEvent::DreamStart { cycle_id, source, .. } => paint(&format!("dreams {cycle_id}, by {source}"), "35"),
        DreamEvent::DreamRefused { trigger, because } => {
            let reasons: Vec<String> = because.iter().map(ToString::to_string).collect();
            format!("no dream by {trigger}: {}", reasons.join("; "))
        }
        DreamEvent::DreamHypothesis { hypothesis, .. } => format!("supposes in a dream: {hypothesis}"),
        DreamEvent::AlarmAbort { reason } => paint(&format!("starts from sleep: {reason}"), "33"),
        DreamEvent::DreamAborted { cycle_id } => paint(&format!("{cycle_id} came to nothing: nobody answered"), "33"),
        _ => return None,
    })
}

/// D-226. How far a dream is.
pub(super) fn stream_words(event: &StreamEvent) -> Option<String> {
    match event {
        StreamEvent::DreamProgress { phase, cycle_number, budget_spent } => {
            Some(format!("cycle-{cycle_number} is in {phase}, {budget_spent} spent"))
        }
        StreamEvent::ModeChange { .. } | StreamEvent::DreamComplete { .. } => None,
    }
}

/// What a dream came to.
pub(super) fn dreamt_words(dreamt: &Dreamt, cost: Usdc) -> String {
    let counts = &dreamt.counts;
    let how = match &dreamt.ending {
        CycleEnding::Complete => "whole".to_owned(),
        CycleEnding::Degraded => "without imagination".to_owned(),
        CycleEnding::BudgetExhausted(phase) => format!("out of money in {phase}"),
        CycleEnding::Aborted => "aborted".to_owned(),
        CycleEnding::Interrupted { phase, wake } => format!("woken in {phase} by {}", wake.source),
    };
    let found = format!("{} replayed, {} supposed, {} threats", counts.replayed, counts.hypotheses, counts.threats);
    paint(&format!("{} is over, {how}: {found}, {cost}", dreamt.cycle), "35")
}
