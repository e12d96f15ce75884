//! P-057. One budget for several pools, divided by evidence.

use arrayvec::ArrayVec;
use golem_primitives::Ppm;

/// Pools a life may trade in: as many as a look stays one call for, and as an owner can read.
pub const POOLS: usize = 4;

/// What the leader of one pool asks of the budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BudgetClaim {
    /// The share of the budget it has earned and wants.
    pub wanted: Ppm,
    /// E of the rule that leads.
    pub evidence: f64,
}

/// The part of the budget that is left to each pool, in the order of the claims. Nobody gets more than he wants, and all
/// together never more than all of it. Where it is enough, each gets what he wants; where it is short, it is divided by
/// evidence, and what one does not want goes to the others the same way.
#[must_use]
pub fn divide(claims: &[Option<BudgetClaim>]) -> ArrayVec<Ppm, POOLS> {
    let mut parts: ArrayVec<Ppm, POOLS> = claims.iter().take(POOLS).map(|_| Ppm::ZERO).collect();
    let mut left = u64::from(Ppm::ONE.get());
    let mut open: ArrayVec<usize, POOLS> = (0..parts.len()).filter(|place| wants(claims, *place) > 0).collect();
    while !open.is_empty() {
        let all: f64 = open.iter().map(|place| weight(claims, *place)).sum();
        let fair = |place: usize| {
            let share = libm::floor(left as f64 * (weight(claims, place) / all));
            // `as` keeps what is no number within the range.
            (share as u64).min(left)
        };
        let Some(at) = open.iter().position(|place| wants(claims, *place) <= fair(*place)) else {
            // Nobody is content with his part: everybody has his part.
            let shares: ArrayVec<(usize, u64), POOLS> = open.iter().map(|place| (*place, fair(*place))).collect();
            for (place, share) in shares {
                parts[place] = Ppm::saturating(share.min(left));
                left -= share.min(left);
            }
            break;
        };
        let place = open.remove(at);
        parts[place] = Ppm::saturating(wants(claims, place));
        left = left.saturating_sub(wants(claims, place));
    }
    parts
}

fn wants(claims: &[Option<BudgetClaim>], place: usize) -> u64 {
    claims[place].map_or(0, |claim| u64::from(claim.wanted.get().min(1_000_000)))
}

/// Evidence as a weight: what nobody can count with weighs as little as can be.
fn weight(claims: &[Option<BudgetClaim>], place: usize) -> f64 {
    let evidence = claims[place].map_or(0.0, |claim| claim.evidence);
    if evidence.is_finite() { evidence.clamp(1e-9, 1e12) } else { 1e-9 }
}

#[cfg(test)]
#[path = "tests/budget.rs"]
mod tests;
