//! Affect and suffering in words.

use golem_core::record::{Band, DaimonEvent, SufferingEvent};

use super::paint;

/// What of a mood is told on a screen; single appraisals are too many.
pub(super) fn mood_words(event: &DaimonEvent) -> Option<String> {
    Some(match event {
        DaimonEvent::MoodUpdate { label, .. } => format!("its mood is {label}"),
        DaimonEvent::GriefBegan { .. } => paint("it grieves for a sibling", "35"),
        DaimonEvent::Alert(alert) => paint(&format!("its affect: {}", alert.name().replace('_', " ")), "33"),
        DaimonEvent::Appraisal { .. } | DaimonEvent::EmotionalShift { .. } | DaimonEvent::SomaticMarkerFired { .. } => {
            return None;
        }
    })
}

/// What of suffering is told on a screen.
pub(super) fn suffering_words(event: &SufferingEvent) -> Option<String> {
    Some(match event {
        SufferingEvent::Raised { kind, severity, evidence, .. } => {
            paint(&format!("{} presses at {severity}: {evidence}", kind.key()), "33")
        }
        SufferingEvent::Resolved { key, note, .. } => paint(&format!("{key} is over: {note}"), "32"),
        SufferingEvent::BandChanged { from, to, load, .. } => {
            let colour = if to > from { "31" } else { "32" };
            paint(&format!("suffering {from} -> {to} (load {})", load.load), colour)
        }
        SufferingEvent::ClaimRejected { key, evidence } => {
            format!("it says {key} is over, the world says it is not: {evidence}")
        }
        SufferingEvent::ForceReset { cycles, closed } => {
            paint(&format!("a crisis of {cycles} cycles was broken, {closed} stressors closed"), "31")
        }
        other => distress_words(other)?,
    })
}

/// What of suffering the owner should look at.
pub(crate) fn distress_words(event: &SufferingEvent) -> Option<String> {
    match event {
        SufferingEvent::BandChanged { from, to: Band::Crisis, load, types } => {
            let types: Vec<String> = types.iter().map(ToString::to_string).collect();
            Some(format!("suffering {from} -> crisis (load {}): {}", load.load, types.join(", ")))
        }
        SufferingEvent::OwnerAlert { resets, exhausted: false } => {
            Some(format!("a crisis was broken {resets} times in a day and came back; see `bardo mind suffering`"))
        }
        SufferingEvent::OwnerAlert { resets, exhausted: true } => Some(format!(
            "a crisis was broken {resets} times in a day and is not broken again until you feed it or conditions change"
        )),
        _ => None,
    }
}
