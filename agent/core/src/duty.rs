//! What a phase wants of the world, clipped by the budget.

use golem_mortality::behaviour::Behaviour;
use golem_mortality::economic::costs::{GAS_TX, INSURANCE_SNAPSHOT, tier_price};
use golem_mortality::economic::partitions::Partition;
use golem_mortality::economic::purse::Purpose;
use golem_mortality::economic::tier::Tier;
use golem_mortality::event::{Event as LawEvent, Events as LawEvents};
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Usdc};

use crate::budget::Ask;
use crate::dreams::Dreams;
use crate::life::Desk;
use crate::record::{DreamTier, EFFECTS_PER_STEP, Effect, EffectKind, EffectRefusal, Event, VaultReading};
use crate::step::Out;
use crate::study::{Study, means_to_think};
use crate::trader::Trader;

/// M-227. Ticks between two insurance snapshots: six hours.
const INSURANCE_TICKS: u64 = 540;

/// How many ordinary transactions' gas one on-chain effect may cost before it is not worth it.
const GAS_ROOM: u64 = 50;

/// Wants what this tick's events and the phase ask for, most urgent first.
pub(crate) fn want(
    vitals: &Vitals,
    events: &LawEvents,
    (mut hand, mut study, sleep): (Option<&mut Trader>, Option<&mut Study>, Option<&Dreams>),
    desk: &mut Desk,
    out: &mut Out<'_>,
) {
    for event in events {
        match answer(event, vitals) {
            Some(EffectKind::Reflect { .. }) if study.as_deref().is_some_and(|study| study.is_reflecting(desk)) => {}
            // With a model it may cost what the model may cost; without one it costs nothing.
            Some(kind @ EffectKind::Reflect { ceiling }) => {
                let means = means_to_think(hand.as_deref(), vitals, desk);
                let budget = study.as_deref().and_then(|study| study.reflection_budget(&means, ceiling));
                let asked = ask_up_to(kind, budget.unwrap_or(price(kind).budget), vitals, desk, out);
                if let Some(study) = study.as_deref_mut() {
                    study.reflecting = asked;
                }
            }
            // D-015. A life that dreams by its law has one way into a dream, and this one is decided there too.
            Some(EffectKind::EmergencyDream) if sleep.is_some_and(Dreams::is_on) => {}
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
                ask(kind, vitals, desk, out);
            }
            None => {}
        }
    }
    let (tick, row) = (out.tick(), Behaviour::of(vitals.phase()));
    if tick.is_every(row.death_snapshot_every.unwrap_or(0)) {
        ask(EffectKind::TakeDeathSnapshot, vitals, desk, out);
    }
    if tick.is_every(row.curator_every.unwrap_or(0)) {
        ask(EffectKind::Curate, vitals, desk, out);
        // D-192. In a dream nothing is asked of a model beside it; the next turn comes.
        if let Some(study) = study.filter(|_| !sleep.is_some_and(Dreams::is_suspended)) {
            study.distil(hand.as_deref(), vitals, desk, out);
        }
    }
    if tick.is_every(INSURANCE_TICKS) {
        ask(EffectKind::TakeInsuranceSnapshot, vitals, desk, out);
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

/// Wants one effect if the budget allows it, and answers its id; a refusal is an event.
pub(crate) fn ask(kind: EffectKind, vitals: &Vitals, desk: &mut Desk, out: &mut Out<'_>) -> Option<EffectId> {
    ask_up_to(kind, price(kind).budget, vitals, desk, out)
}

/// The same with a bound of its own on what it may cost.
pub(crate) fn ask_up_to(
    kind: EffectKind,
    budget: Usdc,
    vitals: &Vitals,
    desk: &mut Desk,
    out: &mut Out<'_>,
) -> Option<EffectId> {
    let price = Ask { budget, ..price(kind) };
    // Nobody pays for what is not counted: a life without an economic clock wants the same and is charged nothing.
    let price = if vitals.law().mode.counts_credits() { price } else { Ask { payer: None, ..price } };
    let id = out.next_id(vitals.id());
    match desk.holds.promise(id, price, vitals.economic().purse(), vitals.posture().ceiling) {
        Ok(()) if out.effects.len() >= EFFECTS_PER_STEP => {
            desk.holds.settle(id);
            out.say(Event::EffectRefused { kind, reason: EffectRefusal::TooManyOpen });
            None
        }
        Ok(()) => {
            out.effects.push(Effect { id, kind, budget: price.budget });
            Some(id)
        }
        Err(reason) => {
            out.say(Event::EffectRefused { kind, reason });
            None
        }
    }
}

/// What an effect may cost, and who pays.
fn price(kind: EffectKind) -> Ask {
    let model = |tier: Tier, payer: Partition, purpose: Purpose| Ask {
        budget: tier_price(tier).high,
        payer: Some(payer),
        purpose,
        tier,
    };
    let gas = |transactions: u64| Ask {
        budget: Usdc::from_micros(GAS_TX.low.micros().saturating_mul(transactions)),
        payer: Some(Partition::Gas),
        ..Ask::FREE
    };
    // The key's own coin pays on chain; nothing is taken from a partition, but a bound there is.
    let key = |transactions: u64| Ask { payer: None, ..gas(transactions) };
    match kind {
        EffectKind::Reflect { ceiling } => model(Tier::T1.under(ceiling), Partition::Llm, Purpose::Operation),
        EffectKind::Deliberate { tier, .. } | EffectKind::Distil { tier } => {
            model(tier, Partition::Llm, Purpose::Operation)
        }
        // D-009. The grant is said by whoever asks; a full cycle needs models that may be asked (D-012).
        EffectKind::Dream { tier: DreamTier::Hardened, .. } => model(Tier::T1, Partition::Llm, Purpose::Operation),
        EffectKind::Dream { .. } => Ask { payer: Some(Partition::Llm), ..Ask::FREE },
        EffectKind::TakeDeathSnapshot => model(Tier::T1, Partition::Legacy, Purpose::DeathSnapshot),
        EffectKind::UnwindPositions { open } => gas(u64::from(open)),
        // What raises exposure must be affordable; what lowers it, and what keeps the Golem honest, must never wait for
        // a partition to be full.
        EffectKind::Trade(order) if order.raises_exposure() => gas(GAS_ROOM),
        EffectKind::Trade(_)
        | EffectKind::Beat { .. }
        | EffectKind::PayHost { .. }
        | EffectKind::Refuel { .. }
        | EffectKind::Harvest
        | EffectKind::Allocate
        | EffectKind::MoveCredits { .. }
        | EffectKind::RaiseReserve { .. }
        | EffectKind::DrawFloat { .. }
        | EffectKind::ResplitCredits { .. } => key(GAS_ROOM),
        // What it may cost is said by whoever asks.
        EffectKind::Buy { .. } => Ask { payer: Some(Partition::Data), ..Ask::FREE },
        // M-192. The end may cost what it costs.
        EffectKind::Declare { .. } | EffectKind::Settle => Ask { budget: GAS_TX.high, ..Ask::FREE },
        // Insurance is upkeep, paid by all partitions; it has a price but no single payer.
        EffectKind::TakeInsuranceSnapshot => Ask { budget: INSURANCE_SNAPSHOT, ..Ask::FREE },
        EffectKind::EmergencyDream
        | EffectKind::OfferFeed { .. }
        | EffectKind::Curate
        | EffectKind::WriteTestament
        | EffectKind::Rehearse(_) => Ask::FREE,
    }
}
