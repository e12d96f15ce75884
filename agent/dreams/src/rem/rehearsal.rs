//! Rehearsing a threat: what it would cost, what would be done, and whether that can be done.

use golem_daimon::trigger::ThreatTier;
use golem_primitives::{Bps, Ppm, Usdc, words};

use crate::inputs::Frozen;
use crate::market::Position;
use crate::number::{Hundredths, count};
use crate::rem::threat::{Guard, Rehearsal, Shock, ThreatKind};

words! {
    /// D-134. Whether anything protects against it.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
    Coverage {
        /// A guard speaks well before it is over.
        Covered = "covered",
        /// A guard speaks late.
        Weak = "weak",
        /// None.
        Uncovered = "uncovered",
    }
}

/// D-135. Whether a response can be carried out in the market as it would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Feasibility {
    /// It can: the pool would take it and the gas could be paid.
    Feasible,
    /// The pool would not take it.
    NoLiquidity,
    /// The gas could not be paid.
    NoGas,
    /// The pool or the gas was not recorded.
    Unknown,
}

/// D-133. What would be done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Response {
    /// In words.
    pub action: String,
    /// What is lost when it works.
    pub expected_loss: Usdc,
    /// What is lost when it does not.
    pub worst_loss: Usdc,
    /// Ticks until it is done.
    pub latency_ticks: u64,
    /// What it costs; `None` where gas was not recorded.
    pub cost: Option<Usdc>,
    /// Whether it can be done.
    pub feasibility: Feasibility,
}

/// D-133. A threat as it was rehearsed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Threat {
    /// Its name within the cycle.
    pub id: String,
    /// Which.
    pub kind: ThreatKind,
    /// Its tier.
    pub tier: ThreatTier,
    /// What happens, in a template's words.
    pub narrative: String,
    /// How a model told it.
    pub story: Option<String>,
    /// What sets it off.
    pub trigger: String,
    /// How it goes, in order.
    pub timeline: Vec<String>,
    /// How bad.
    pub severity: Ppm,
    /// How likely, by what was suffered.
    pub probability: Ppm,
    /// Positions it takes something from.
    pub affected: Vec<String>,
    /// What it takes.
    pub loss: Usdc,
    /// Of all that is held, the share.
    pub loss_share: Ppm,
    /// Whether one fall would cause the next: more than one position falls through its stop.
    pub cascades: bool,
    /// What would be done.
    pub responses: Vec<Response>,
    /// What protects.
    pub coverage: Coverage,
    /// D-134. A guard that is missing, staged at 0.3: the asset and the fall from which it should speak.
    pub gap: Option<(String, Bps)>,
    /// D-137. The tag of what somebody would do on purpose; shown to the owner.
    pub tag: Option<String>,
    /// D-142. What is left of its own arousal.
    pub arousal: Ppm,
    /// What is remembered of it.
    pub history: Rehearsal,
    /// What it is worth.
    pub confidence: Hundredths,
}

/// D-137. The tag of imagined attacks.
pub const ADVERSARIAL: &str = "adversarial_dream";
/// Where a threat's own arousal begins.
const AROUSAL: Ppm = Ppm::of(800_000);

/// D-128, D-133. Rehearses a threat by numbers; `None` for a threat that only a story can tell.
#[must_use]
pub fn rehearse(kind: ThreatKind, frozen: &Frozen, ordinal: usize, gas: Option<GasState>) -> Option<Threat> {
    let shock = kind.shock()?;
    let held: Usdc = frozen.positions.iter().map(|position| position.value).sum();
    let lossy = |position: &&Position| !position.loss_after(shock.price).is_zero();
    let affected: Vec<&Position> = frozen.positions.iter().filter(lossy).collect();
    let loss: Usdc = affected.iter().map(|position| position.loss_after(shock.price)).sum();
    let fallen = affected.iter().filter(|position| position.stop.is_some() && !position.survives(shock.price));
    let history = frozen.rehearsals.of(kind);
    let coverage = coverage(&affected, &frozen.guards, shock);
    let gap = (coverage != Coverage::Covered).then(|| gap(&affected, shock)).flatten();
    let urgencies = crate::rem::threat::urgencies(frozen, kind);
    Some(Threat {
        id: format!("{}/threat-{ordinal}", frozen.cycle),
        kind,
        tier: kind.tier(),
        narrative: format!(
            "{kind}: prices move by {}, {} of liquidity is left, gas times {}.",
            shock.price, shock.liquidity, shock.gas_times
        ),
        story: None,
        trigger: format!("{kind} within one tick"),
        timeline: vec![format!("tick 0: {}", shock.price), format!("tick 1: loss {loss} of {held}")],
        severity: kind.severity(),
        probability: Ppm::round(urgencies.probability),
        affected: affected.iter().map(|position| position.id.clone()).collect(),
        loss,
        loss_share: loss.ratio_of(held),
        cascades: fallen.count() > 1,
        responses: affected.iter().map(|position| response(position, shock, gas)).collect(),
        coverage,
        gap,
        tag: kind.is_adversarial().then(|| ADVERSARIAL.to_owned()),
        arousal: crate::rem::depotentiation::rehearsed_arousal(AROUSAL, history.times.saturating_add(1)),
        history,
        confidence: Hundredths::of(30),
    })
}

/// D-135. What gas is and what there is for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GasState {
    /// What leaving one position costs now.
    pub exit: Usdc,
    /// What the gas partition holds.
    pub partition: Usdc,
}

/// D-135. Leaves a position through its pool as the shock leaves it, and says what that brings.
fn response(position: &Position, shock: Shock, gas: Option<GasState>) -> Response {
    let cost = gas.map(|gas| Usdc::from_micros(gas.exit.micros().saturating_mul(u64::from(shock.gas_times))));
    let shocked = position.loss_after(shock.price);
    let through_pool = position.pool.as_ref().zip(position.exit).map(|(pool, exit)| {
        let (whole, thin) = (pool.swap(exit).ok()?.out, pool.thinned(shock.liquidity).swap(exit).ok()?.out);
        let left = position.value_after(shock.price);
        let kept = crate::nrem::perturb::scaled(left, thin, whole)?;
        Some(position.value.saturating_sub(Usdc::from_micros(u64::try_from(kept).ok()?)))
    });
    let feasibility = match (through_pool, cost.zip(gas)) {
        (Some(None), _) => Feasibility::NoLiquidity,
        (_, Some((cost, gas))) if cost > gas.partition => Feasibility::NoGas,
        (Some(Some(_)), Some(_)) => Feasibility::Feasible,
        _ => Feasibility::Unknown,
    };
    let expected_loss = through_pool.flatten().unwrap_or(shocked);
    Response {
        action: format!("leave {} at once", position.id),
        expected_loss,
        worst_loss: position.value,
        latency_ticks: 1,
        cost,
        feasibility,
    }
}

/// D-134. Whether guards speak in time for everything affected: by half of the fall is in time.
fn coverage(affected: &[&Position], guards: &[Guard], shock: Shock) -> Coverage {
    let depth = shock.price.magnitude();
    let best = |position: &&Position| {
        guards.iter().filter(|guard| guard.asset == position.asset).map(|guard| guard.threshold.magnitude()).min()
    };
    let worst = affected.iter().map(|position| match best(position) {
        Some(threshold) if threshold * 2 <= depth => Coverage::Covered,
        Some(threshold) if threshold <= depth => Coverage::Weak,
        _ => Coverage::Uncovered,
    });
    worst.max().unwrap_or(Coverage::Covered)
}

/// D-134. The guard that is missing: for the largest affected position, from a quarter of the fall on.
fn gap(affected: &[&Position], shock: Shock) -> Option<(String, Bps)> {
    let largest = affected.iter().max_by_key(|position| (position.value, std::cmp::Reverse(&position.id)))?;
    let quarter = Bps::saturating(i128::from(shock.price.magnitude() / 4));
    (quarter.magnitude() > 0).then(|| (largest.asset.clone(), quarter))
}

/// D-134. What a session found of guards: covered, weak and uncovered threats.
#[must_use]
pub fn gap_analysis(threats: &[Threat]) -> (u32, u32, u32) {
    let of = |coverage: Coverage| count(threats.iter().filter(|threat| threat.coverage == coverage).count());
    (of(Coverage::Covered), of(Coverage::Weak), of(Coverage::Uncovered))
}

/// Threats of the first tier whose responses can all be carried out, and those that have any: what plausibility is
/// measured by.
#[must_use]
pub fn feasible(threats: &[Threat]) -> (usize, usize) {
    let known = |threat: &&Threat| {
        !threat.responses.is_empty()
            && threat.responses.iter().all(|response| response.feasibility != Feasibility::Unknown)
    };
    let checked: Vec<&Threat> = threats.iter().filter(known).collect();
    let all_feasible =
        |threat: &&&Threat| threat.responses.iter().all(|response| response.feasibility == Feasibility::Feasible);
    (checked.iter().filter(all_feasible).count(), checked.len())
}
