use golem_dreams::event::{CorePhase, DreamEvent, StartReason, StreamEvent};
use golem_dreams::number::Hundredths;
use golem_dreams::words::{DreamPhase, DreamTier, DreamTrigger, GolemMode};
use golem_dreams::{CycleId, Frozen};
use golem_primitives::{Tick, Usdc};

use crate::make::{PRICED, dream, law, lived};

fn names(events: &[DreamEvent]) -> Vec<&'static str> {
    events.iter().map(DreamEvent::name).collect()
}

/// D-221, D-222, D-223, D-224, D-227: what a cycle tells while it is dreamt, with its words; its end is told by the life.
#[test]
fn d_227_a_cycle_tells_what_happens() {
    let events = dream(Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }, &law(DreamTier::Hardened)).events;
    let told = names(&events);
    assert_eq!(told[0], "dream.start", "D-221");
    for name in ["dream.phase", "dream.hypothesis", "dream.counterfactual"] {
        assert!(told.contains(&name), "{name}");
    }
    let phases: Vec<CorePhase> = events
        .iter()
        .filter_map(|event| match event {
            DreamEvent::DreamPhase { phase, .. } => Some(*phase),
            _ => None,
        })
        .collect();
    assert_eq!(phases, [CorePhase::Nrem, CorePhase::Rem, CorePhase::Integration], "D-222");
    let hypothesis = events.iter().find_map(|event| match event {
        DreamEvent::DreamHypothesis { seed_episode_tick, hypothesis, .. } => Some((*seed_episode_tick, hypothesis)),
        _ => None,
    });
    assert!(hypothesis.is_some_and(|(tick, text)| tick.is_some() && !text.is_empty()), "D-223");
    let lesson = events.iter().find_map(|event| match event {
        DreamEvent::DreamCounterfactual { lesson, confidence, .. } => Some((lesson.clone(), *confidence)),
        _ => None,
    });
    assert!(
        lesson.is_some_and(|(lesson, worth)| lesson.contains("micro-USDC") && worth == Hundredths::of(20)),
        "D-224"
    );
}

/// D-221: what a dream is said to be about.
#[test]
fn d_221_reasons_of_a_start() {
    for (trigger, emotional, word) in [
        (DreamTrigger::Window, true, "time"),
        (DreamTrigger::Interval, false, "time"),
        (DreamTrigger::Owner, false, "time"),
        (DreamTrigger::Urgency, true, "emotional_load"),
        (DreamTrigger::Urgency, false, "novelty_streak"),
    ] {
        assert_eq!(StartReason::of(trigger, emotional).name(), word, "{trigger}");
    }
}

/// D-226: the stream's names and fields, as they stand on the wire.
#[test]
fn d_226_the_stream_is_spelled_as_promised() {
    let json = |event: &StreamEvent| serde_json::to_value(event).expect("plain");
    let mode = StreamEvent::ModeChange { mode: GolemMode::Dreaming, tick: Tick::new(7) };
    assert_eq!(json(&mode), serde_json::json!({ "mode_change": { "mode": "dreaming", "tick": 7 } }));
    let progress =
        StreamEvent::DreamProgress { phase: DreamPhase::Onset, cycle_number: 3, budget_spent: Usdc::from_micros(5) };
    assert_eq!(
        json(&progress),
        serde_json::json!({ "dream_progress": { "phase": "onset", "cycleNumber": 3, "budgetSpent": 5 } })
    );
    let done =
        StreamEvent::DreamComplete { cycle_number: 3, hypotheses_generated: 1, insights_found: 2, cost: Usdc::ZERO };
    assert_eq!(
        json(&done)["dream_complete"],
        serde_json::json!({ "cycleNumber": 3, "hypothesesGenerated": 1, "insightsFound": 2, "costUsdc": 0 })
    );
}

/// D-226: the names of the stream.
#[test]
fn d_226_names_of_the_stream() {
    let all = [
        StreamEvent::ModeChange { mode: GolemMode::Waking, tick: Tick::ZERO },
        StreamEvent::DreamProgress { phase: DreamPhase::Return, cycle_number: 1, budget_spent: Usdc::ZERO },
        StreamEvent::DreamComplete { cycle_number: 1, hypotheses_generated: 0, insights_found: 0, cost: Usdc::ZERO },
    ];
    assert_eq!(all.map(|event| event.name()), ["mode_change", "dream_progress", "dream_complete"]);
    let phases: Vec<&str> = DreamPhase::ALL.iter().map(|phase| phase.name()).collect();
    assert_eq!(phases, ["onset", "nrem", "rem", "integration", "return"]);
}

/// D-228: the edge of sleep tells its own.
#[test]
fn d_228_hypnagogia_is_told() {
    let told = names(&dream(Frozen { engine: PRICED, ..lived(DreamTier::Hardened) }, &law(DreamTier::Hardened)).events);
    for name in [
        "hypnagogia.onset_started",
        "hypnagogia.depth_changed",
        "hypnagogia.dali_interrupt",
        "hypnagogia.fragment_captured",
        "hypnagogia.onset_completed",
        "hypnagogia.hypnopompic_started",
        "hypnagogia.hypnopompic_completed",
    ] {
        assert!(told.contains(&name), "{name}");
    }
    let aborted = DreamEvent::DreamAborted { cycle_id: CycleId(1) };
    let alarm = DreamEvent::AlarmAbort { reason: String::new() };
    assert_eq!((aborted.name(), alarm.name()), ("dream.aborted", "hypnagogia.alarm_abort"));
    assert_eq!(DreamEvent::FragmentDiscarded.name(), "hypnagogia.fragment_discarded");
}
