//! P-031, P-042, P-043. Candidates counted in blocks as they are staged, and the loss each can make.

use golem_primitives::Usdc;

use crate::cost::Stake;
use crate::look::Look;
use crate::observable::Observable;
use crate::rule::{Comparison, Condition, Join, Relation, Rule};

/// P-042. Candidates in a block.
pub const BLOCK: u64 = 32;
/// P-042. The evidence the first whole stake of a block needs: 32 candidates, of those promoted at most a tenth false.
pub const WHOLE: f64 = 320.0;
/// P-041, P-045. The evidence for a trial stake, and for waking from rest.
pub const TRIAL: f64 = 20.0;
/// P-044. Where the detector puts a rule to rest.
pub const REST: f64 = 20.0;
/// P-044. The trips whose mean a rule is held to.
pub const RECENT: usize = 60;

/// P-031. The least gap between a stop and where it is filled.
const LEAST_GAP: f64 = 0.003;
/// Looks a rule without an end by time may hold.
const LONGEST: u32 = 1_024;

/// P-042, P-043. How many were staged, and how many of each block earned a whole stake. Part of a life and inherited, else
/// each birth would forget what its line had already tried.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Blocks {
    staged: u64,
    promoted: Vec<u32>,
}

impl Blocks {
    /// Numbers the next candidate.
    pub fn stage(&mut self) -> u64 {
        let number = self.staged;
        self.staged += 1;
        if number.is_multiple_of(BLOCK) {
            self.promoted.push(0);
        }
        number
    }

    /// How many were staged.
    #[must_use]
    pub const fn staged(&self) -> u64 {
        self.staged
    }

    /// How many of a candidate's block have earned a whole stake.
    #[must_use]
    pub fn promoted(&self, number: u64) -> u32 {
        self.promoted.get(place(number)).copied().unwrap_or(0)
    }

    /// What this candidate must show for a whole stake.
    #[must_use]
    pub fn bound(&self, number: u64) -> f64 {
        WHOLE / (f64::from(self.promoted(number)) + 1.0)
    }

    /// Counts a candidate that reached its bound.
    pub fn promote(&mut self, number: u64) {
        if let Some(count) = self.promoted.get_mut(place(number)) {
            *count += 1;
        }
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number / BLOCK).unwrap_or(usize::MAX)
}

/// The worst falls of the record when a rule is staged, as shares of the price.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WorstFalls {
    /// From one look to the next.
    pub one_look: f64,
    /// Over as many looks as the rule may hold.
    pub holding: f64,
}

/// P-031. What one trip of a rule can lose, fixed when it is staged: its stop, both sides of cost and the gap a look can
/// jump; without a stop the worst fall over its longest holding, and where the record is too short to know one, what a
/// random walk of the least gap would make of it.
#[must_use]
pub fn bound_of_a_loss(rule: &Rule, falls: &WorstFalls, look: &Look, capital: Usdc) -> f64 {
    let costs = whole_stake(rule, capital).round_trip_ppm(look).clamp(0, 1_000_000) as f64 / 1e6;
    let gap = falls.one_look.max(LEAST_GAP);
    let loss = stop(rule).unwrap_or_else(|| {
        let walked = LEAST_GAP * libm::sqrt(f64::from(longest_holding(rule)));
        falls.holding.max(walked)
    });
    loss + costs + gap
}

/// All the capital, put to use as a rule says; what a guard keeps away is held.
pub(crate) fn whole_stake(rule: &Rule, capital: Usdc) -> Stake {
    Stake { amount: capital, capital, manner: rule.action.manner().unwrap_or_default() }
}

/// The closest stop of a rule, as a share: an end by `gain` or `fall` that needs nothing else to hold.
#[must_use]
pub fn stop(rule: &Rule) -> Option<f64> {
    let is_stop = |comparison: &&Comparison| {
        matches!(comparison.word, Observable::Gain | Observable::Fall)
            && matches!(comparison.relation, Relation::AtMost | Relation::Below)
            && comparison.threshold < 0
    };
    let ends = alone(rule.until.as_ref()?);
    ends.iter().filter(is_stop).map(|end| -(end.threshold as f64) / 1e6).min_by(f64::total_cmp)
}

/// D-134. The fall, in millionths, from which a guard speaks: a comparison that is enough by itself and waits for a price below.
#[must_use]
pub fn guarded_fall_ppm(guard: &Rule) -> Option<u64> {
    let is_fall = |comparison: &&Comparison| {
        matches!(comparison.word, Observable::Move(_) | Observable::Gap | Observable::Gain | Observable::Fall)
            && matches!(comparison.relation, Relation::AtMost | Relation::Below)
            && comparison.threshold < 0
    };
    alone(&guard.when).iter().filter(is_fall).map(|one| one.threshold.unsigned_abs()).min()
}

/// The looks a rule may hold at most.
#[must_use]
pub fn longest_holding(rule: &Rule) -> u32 {
    let Some(until) = &rule.until else { return LONGEST };
    let is_end = |comparison: &&Comparison| {
        comparison.word == Observable::Since && matches!(comparison.relation, Relation::AtLeast | Relation::Above)
    };
    let looks = alone(until).iter().filter(is_end).map(|end| end.threshold).min();
    looks.and_then(|looks| u32::try_from(looks).ok()).map_or(LONGEST, |looks| looks.clamp(1, LONGEST))
}

/// The comparisons of a condition that are enough by themselves.
fn alone(condition: &Condition) -> arrayvec::ArrayVec<Comparison, { crate::rule::COMPARISONS }> {
    let parts = &condition.parts;
    let joined = |place: usize| parts.get(place).is_some_and(|(join, _)| *join == Join::And);
    let mut found = arrayvec::ArrayVec::new();
    for (place, (_, comparison)) in parts.iter().enumerate() {
        let is_joined = joined(place + 1) || (place > 0 && joined(place));
        if !is_joined {
            found.push(*comparison);
        }
    }
    found
}

#[cfg(test)]
#[path = "tests/staging.rs"]
mod tests;
