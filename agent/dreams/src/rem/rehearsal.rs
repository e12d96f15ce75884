//! Rehearsing a threat: what it would cost, what would be done, and whether that can be done.

use golem_daimon::trigger::ThreatTier;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, DreamMark};
use golem_grimoire::kind::{EntryBody, WarningSeverity};
use golem_grimoire::provenance::{Provenance, Source};
use golem_primitives::{Usdc, words};

use crate::inputs::Frozen;
use crate::market::Position;
use crate::number::count;
use crate::rem::counterfactual::scaled;
use crate::rem::threat::{Guard, Shock, ThreatKind};

words! {
    /// D-134. Whether anything protects against it.
    Coverage {
        /// A guard speaks well before it is over.
        Covered = "covered",
        /// A guard speaks late.
        Weak = "weak",
        Uncovered = "uncovered",
    }
}

/// D-135. Whether a response can be carried out in the market as it would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feasibility {
    /// It can: the pool would take it and the gas could be paid.
    Feasible,
    NoLiquidity,
    NoGas,
    /// The pool or the gas was not recorded.
    Unknown,
}

/// D-133. What would be done.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Response {
    pub action: String,
    /// What is lost when it works.
    pub expected_loss: Usdc,
    pub feasibility: Feasibility,
}

/// D-133. A threat as it was rehearsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threat {
    pub kind: ThreatKind,
    /// What happens, in a template's words.
    pub narrative: String,
    /// How a model told it.
    pub story: Option<String>,
    pub loss: Usdc,
    pub responses: Vec<Response>,
    pub coverage: Coverage,
}

/// D-137. The tag of imagined attacks, shown to the owner.
pub const ADVERSARIAL: &str = "adversarial_dream";

/// D-128, D-133. Rehearses a threat by numbers; `None` for a threat that only a story can tell.
#[must_use]
pub fn rehearse(kind: ThreatKind, frozen: &Frozen, gas: Option<GasState>) -> Option<Threat> {
    let shock = kind.shock()?;
    let lossy = |position: &&Position| !position.loss_after(shock.price).is_zero();
    let affected: Vec<&Position> = frozen.positions.iter().filter(lossy).collect();
    Some(Threat {
        kind,
        narrative: format!(
            "{kind}: prices move by {}, {} of liquidity is left, gas times {}.",
            shock.price, shock.liquidity, shock.gas_times
        ),
        story: None,
        loss: affected.iter().map(|position| position.loss_after(shock.price)).sum(),
        responses: affected.iter().map(|position| response(position, shock, gas)).collect(),
        coverage: coverage(&affected, &frozen.guards, shock),
    })
}

/// D-145. A threat as the draft of a warning with its rehearsed responses.
#[must_use]
pub fn warning(threat: &Threat, frozen: &Frozen) -> Draft {
    let severity = match threat.kind.tier() {
        ThreatTier::One => WarningSeverity::Critical,
        ThreatTier::Two => WarningSeverity::High,
        ThreatTier::Three => WarningSeverity::Medium,
    };
    let responses = threat.responses.iter().map(|one| format!("{}, losing {}", one.action, one.expected_loss));
    let responses: Vec<String> = responses.collect();
    let text = format!("{} Loss {}. Rehearsed: {}.", threat.narrative, threat.loss, responses.join("; "));
    let source = Source::foreign(Provenance::Dream, frozen.golem, 0);
    let body = EntryBody::Warning { severity, ttl: None };
    let mut draft = Draft::new(one_line(&text, Draft::MOST_BYTES), body, source, frozen.opened.at);
    draft.dream = Some(DreamMark {
        cycle: frozen.cycle.to_string(),
        mood: frozen.mood.unwrap_or_default(),
        vitality: frozen.vitality,
        ..DreamMark::default()
    });
    draft.original_confidence = Provenance::Dream.initial_confidence(Confidence::ZERO, 0);
    draft.tags = threat.kind.is_adversarial().then(|| ADVERSARIAL.to_owned()).into_iter().collect();
    draft
}

/// What a text is cut to, so that it is one statement.
fn one_line(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// D-135. What gas is and what there is for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GasState {
    /// What leaving one position costs now.
    pub exit: Usdc,
    pub partition: Usdc,
}

/// D-135. Leaves a position through its pool as the shock leaves it, and says what that brings.
fn response(position: &Position, shock: Shock, gas: Option<GasState>) -> Response {
    let cost = gas.map(|gas| Usdc::from_micros(gas.exit.micros().saturating_mul(u64::from(shock.gas_times))));
    let shocked = position.loss_after(shock.price);
    let through_pool = position.pool.as_ref().zip(position.exit).map(|(pool, exit)| {
        let (whole, thin) = (pool.swap(exit).ok()?.out, pool.thinned(shock.liquidity).swap(exit).ok()?.out);
        let left = position.value_after(shock.price);
        let kept = scaled(left, thin, whole)?;
        Some(position.value.saturating_sub(Usdc::from_micros(u64::try_from(kept).ok()?)))
    });
    let feasibility = match (through_pool, cost.zip(gas)) {
        (Some(None), _) => Feasibility::NoLiquidity,
        (_, Some((cost, gas))) if cost > gas.partition => Feasibility::NoGas,
        (Some(Some(_)), Some(_)) => Feasibility::Feasible,
        _ => Feasibility::Unknown,
    };
    let expected_loss = through_pool.flatten().unwrap_or(shocked);
    Response { action: format!("leave {} at once", position.id), expected_loss, feasibility }
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
