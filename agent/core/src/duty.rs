//! What a phase wants of the world, clipped by the budget.

use golem_mortality::behaviour::Behaviour;
use golem_mortality::economic::partitions::Partition;
use golem_mortality::event::{LawEvent, LawEvents};
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;

use crate::budget::PurseRequest;
use crate::dreams::LifeDreams;
use crate::pass::Pass;
use crate::record::{EffectKind, VaultReading};
use crate::rooms::Rooms;
use crate::study::means_to_think;
use crate::trader::Trader;

/// M-227. Ticks between two insurance snapshots: six hours.
const INSURANCE_TICKS: u64 = 540;

/// Wants what this tick's events and the phase ask for, most urgent first.
pub(crate) fn want(
    vitals: &Vitals,
    events: &LawEvents,
    mut hand: Option<&mut Trader>,
    rooms: &mut Rooms,
    pass: &mut Pass<'_>,
) {
    let (mut study, sleep) = (rooms.study.as_deref_mut(), rooms.dreams.as_deref());
    for event in events {
        match answer(event, vitals) {
            Some(EffectKind::Reflect { .. })
                if study.as_deref().is_some_and(|study| study.is_reflecting(&pass.desk)) => {}
            // With a model it may cost what the model may cost; without one it costs nothing.
            Some(kind @ EffectKind::Reflect { ceiling }) => {
                let means = means_to_think(hand.as_deref(), vitals, &pass.desk);
                let budget = study.as_deref().and_then(|study| study.reflection_budget(&means, ceiling));
                let asked = pass.ask_up_to(kind, budget.unwrap_or(PurseRequest::of(kind).budget), vitals);
                if let Some(study) = study.as_deref_mut() {
                    study.reflecting = asked;
                }
            }
            // D-015. A life that dreams by its law has one way into a dream, and this one is decided there too.
            Some(EffectKind::EmergencyDream) if sleep.is_some_and(LifeDreams::is_on) => {}
            // A life with a hand winds down by itself, one trade at a time.
            Some(EffectKind::UnwindPositions { .. }) if hand.is_some() => {}
            // M-031. The vault is asked for Declining's split in Terminal too, and never for Terminal's own: that would
            // leave nothing to pay the host and the last reports with, and the Golem would starve of a bookkeeping entry
            // instead of what is killing it. What has a legacy was split already (V-009).
            Some(EffectKind::ResplitCredits { .. }) if hand.is_some() => {
                if let Some(hand) = hand.as_deref_mut() {
                    let is_split = |vault: &VaultReading| !vault.credits.get(Partition::Legacy).is_zero();
                    hand.owes_split = !hand.vault().is_some_and(is_split);
                }
            }
            Some(kind) => {
                pass.ask(kind, vitals);
            }
            None => {}
        }
    }
    let (tick, row) = (pass.tick(), Behaviour::of(vitals.phase()));
    if tick.is_every(row.death_snapshot_every.unwrap_or(0)) {
        pass.ask(EffectKind::TakeDeathSnapshot, vitals);
    }
    if tick.is_every(row.curator_every.unwrap_or(0)) {
        pass.ask(EffectKind::Curate, vitals);
        // D-192. In a dream nothing is asked of a model beside it; the next turn comes.
        if let Some(study) = study.filter(|_| !sleep.is_some_and(LifeDreams::is_suspended)) {
            study.distil(hand.as_deref(), vitals, pass);
        }
    }
    if tick.is_every(INSURANCE_TICKS) {
        pass.ask(EffectKind::TakeInsuranceSnapshot, vitals);
    }
}

/// What an event of the law asks for.
fn answer(event: &LawEvent, vitals: &Vitals) -> Option<EffectKind> {
    match event {
        LawEvent::PhaseTransition { to_phase: Phase::Terminal, .. } => Some(EffectKind::EmergencyDream),
        LawEvent::PhaseTransition { to_phase: Phase::Declining, .. } => {
            let open = vitals.open_positions();
            (open > 0).then_some(EffectKind::UnwindPositions { open })
        }
        LawEvent::CreditsResplit { phase, .. } => Some(EffectKind::ResplitCredits { phase: *phase }),
        LawEvent::PartitionRebalance(moved) => {
            Some(EffectKind::MoveCredits { source: moved.source, destination: moved.destination, amount: moved.amount })
        }
        LawEvent::ReserveRaised { reserve, .. } => Some(EffectKind::RaiseReserve { to: *reserve }),
        LawEvent::FeedOption { amount, deadline } => {
            Some(EffectKind::OfferFeed { amount: *amount, deadline: *deadline })
        }
        LawEvent::SenescenceEntered { .. } => Some(EffectKind::Reflect { ceiling: vitals.posture().ceiling }),
        _ => None,
    }
}
