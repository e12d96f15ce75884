//! Being endangered.

use golem_mortality::phase::Phase;
use golem_primitives::Ppm;

use super::terms::{Holds, Onset, StressorLook};
use crate::facts::Facts;
use crate::severity::Severity;
use crate::truth::{Truth, all, any};

const HOUR: u64 = 3_600;
/// Evaluations in a row before a short life counts.
const ROW: u32 = 2;
/// Ticks safety must have held.
const HELD_TICKS: u64 = 50;
/// Where a near end begins.
const NEAR: Severity = Severity::of(Ppm::of(400_000));

/// S-067, S-127. A fitness nobody could tell then and nobody can tell now was no reason and is none to wait for; one that
/// was known and cannot be told now leaves it open.
fn is_safe(facts: &Facts, was_known: bool) -> Truth {
    let survival = &facts.survival;
    let fitness = survival.fitness.test(|fitness| fitness >= Ppm::of(400_000));
    all([
        survival.life_seconds.test(|seconds| seconds >= 96 * HOUR),
        fitness.filter(|fitness| was_known || *fitness != Truth::Unknown),
        survival.composite.test(|composite| composite >= Ppm::of(350_000)),
    ])
}

pub(super) fn note(holds: &mut Holds, facts: &Facts) {
    if let Some(seconds) = facts.survival.life_seconds.known() {
        holds.short_life = if seconds < 72 * HOUR { holds.short_life.saturating_add(1) } else { 0 };
    }
    match is_safe(facts, false) {
        Truth::True => holds.safe_since = holds.safe_since.or(Some(facts.tick)),
        Truth::False => holds.safe_since = None,
        Truth::Unknown => {}
    }
}

/// S-132. In decline the composite is low by nature; one is no longer driven once everything is prepared.
fn is_ready(facts: &Facts) -> Option<Truth> {
    (facts.phase == Phase::Declining)
        .then(|| facts.legacy.map_or(Truth::Unknown, |legacy| Truth::from(legacy.is_ready(facts.now))))
}

pub(super) fn look(facts: &Facts, holds: &Holds) -> StressorLook {
    let survival = &facts.survival;
    let endangered = any([
        survival.life_seconds.test(|_| holds.short_life >= ROW),
        survival.fitness.test(|fitness| fitness < Ppm::of(350_000)),
        survival.composite.test(|composite| composite < Ppm::of(300_000)),
    ]);
    let raise = is_ready(facts).map_or(endangered, |ready| endangered.and(ready.contrary()));
    let near = survival.life_seconds.known().is_some_and(|seconds| seconds < 24 * HOUR);
    StressorLook { severity: if near { NEAR } else { Severity::NEW }, ..StressorLook::of(raise) }
}

pub(super) fn evidence(facts: &Facts) -> String {
    let unknown = || "unknown".to_owned();
    let survival = &facts.survival;
    let life = survival.life_seconds.known().map_or_else(unknown, |seconds| format!("{} h", seconds / HOUR));
    let share = |reading: Option<Ppm>| reading.map_or_else(unknown, |share| share.to_string());
    let (fitness, vitality) = (share(survival.fitness.known()), share(survival.composite.known()));
    format!("projected life {life}, fitness {fitness}, vitality {vitality}")
}

pub(super) fn resolves(facts: &Facts, holds: &Holds, onset: &Onset<'_>) -> Truth {
    if let Some(ready) = is_ready(facts) {
        return ready;
    }
    let held = holds.safe_since.is_some_and(|since| facts.tick.since(since) >= HELD_TICKS);
    is_safe(facts, onset.fitness.is_some()).and(held.into())
}
