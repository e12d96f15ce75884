//! Confidence: how good the evidence for an entry is, and the only ways in which it moves.

use golem_primitives::Ppm;

/// G-025. Evidence quality in [0, 1], stored in parts per million; a NaN cannot be written down.
///
/// Decay never touches it (G-072): what decays is the reading, see [`crate::retention`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Confidence(Ppm);

/// G-082. The least a vote can leave.
const LEAST: i64 = 50_000;
/// G-082. The most a vote can reach.
const MOST: i64 = 990_000;
/// G-082. What a confirmation adds.
const UP: i64 = 100_000;
/// G-082. What a contradiction takes: negative evidence weighs one and a half times.
const DOWN: i64 = 150_000;
/// G-083, C17. What a correct prediction adds.
const CORRECT: i64 = 50_000;
/// G-083, C17. What a wrong one takes.
const WRONG: i64 = 100_000;
/// G-086. Golems whose validation makes an entry battle-tested.
pub const BATTLE_VALIDATORS: u32 = 5;
/// G-086. The most the boost reaches.
const BATTLE_CAP: Ppm = Ppm::of(950_000);
/// G-052. What remains of confidence per inheritance.
const INHERITANCE_FACTOR: f64 = 0.85;
/// G-052. What remains in the Clade.
const CLADE_FACTOR: f64 = 0.80;
/// G-050, GG-11. The most a sibling's word counts on arrival.
const CLADE_CAP: Confidence = Confidence::of(400_000);
/// G-199. Fitness at which a Golem is senescent.
const SENESCENCE: f64 = 0.35;

/// G-082, G-144. Evidence for and against an entry, counted before it is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct Votes {
    pub up: u32,
    pub down: u32,
}

impl Votes {
    /// One confirmation.
    pub const UP: Self = Self { up: 1, down: 0 };
    /// One contradiction.
    pub const DOWN: Self = Self { up: 0, down: 1 };

    /// Whether nobody voted.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.up == 0 && self.down == 0
    }

    /// GG-5. Whether they confirm on balance: what speaks for it outweighs what speaks against it, by what each moves.
    #[must_use]
    pub const fn confirm(self) -> bool {
        self.up as i64 * UP > self.down as i64 * DOWN
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { up: self.up.saturating_add(other.up), down: self.down.saturating_add(other.down) }
    }
}

impl Confidence {
    /// None.
    pub const ZERO: Self = Self(Ppm::ZERO);
    /// Beyond doubt: a fact read from the chain (G-126).
    pub const CERTAIN: Self = Self(Ppm::ONE);

    /// A confidence from a share.
    #[must_use]
    pub const fn new(share: Ppm) -> Self {
        Self(share)
    }

    /// A confidence for constants and tables.
    ///
    /// # Panics
    /// Above one million parts. In a constant this is a compile error.
    #[must_use]
    pub const fn of(parts: u32) -> Self {
        Self(Ppm::of(parts))
    }

    /// Rounds a number once; a NaN is zero, the worse confidence.
    #[must_use]
    pub fn round(value: f64) -> Self {
        Self(Ppm::round(value))
    }

    /// The share.
    #[must_use]
    pub const fn get(self) -> Ppm {
        self.0
    }

    /// The share as a number in [0, 1].
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    /// G-082, G-144. After the votes of a cycle, netted before they are applied: +0.10 up, -0.15 down, within 0.05 and
    /// 0.99. A bound stops a move, it never causes one: an entry above 0.99 is not lowered by praise.
    #[must_use]
    pub fn after(self, votes: Votes) -> Self {
        self.moved(i64::from(votes.up) * UP - i64::from(votes.down) * DOWN)
    }

    /// G-083, C17. After its prediction was checked: +0.05 if correct, -0.10 if wrong.
    #[must_use]
    pub fn checked(self, correct: bool) -> Self {
        self.moved(if correct { CORRECT } else { -WRONG })
    }

    fn moved(self, by: i64) -> Self {
        let now = i64::from(self.0.get());
        let held = match by {
            0 => now,
            up if up > 0 => now.saturating_add(up).min(MOST).max(now),
            down => now.saturating_add(down).max(LEAST).min(now),
        };
        Self(Ppm::saturating(u64::try_from(held).unwrap_or(0)))
    }

    /// G-051, C1. What a genome entry is worth to the `generation`-th heir: `c * 0.85^generation`.
    #[must_use]
    pub fn inherited(self, generation: u32) -> Self {
        Self::round(self.as_f64() * libm::pow(INHERITANCE_FACTOR, f64::from(generation)))
    }

    /// GG-11, C2. What a sibling's entry is worth on arrival: `min(0.4, 0.80 c)`.
    #[must_use]
    pub fn from_clade(self) -> Self {
        Self::round(self.as_f64() * CLADE_FACTOR).min(CLADE_CAP)
    }

    /// G-086, GG-16. Validated by five or more Golems: a tenth more, at most 0.95, never less than before.
    #[must_use]
    pub fn battle_tested(self, validators: u32) -> Self {
        if validators < BATTLE_VALIDATORS {
            return self;
        }
        Self(Ppm::round(self.as_f64() * 1.10).min(BATTLE_CAP).max(self.0))
    }

    /// G-199. As promotion weighs it in a Golem of that fitness: whole above twice the senescence threshold, less below.
    #[must_use]
    pub fn discounted_for_age(self, fitness: Ppm) -> Self {
        Self::round(self.as_f64() * age_discount(fitness))
    }
}

/// G-199. `0.2 + 0.8 fitness / (2 threshold)`, one above twice the threshold of 0.35.
#[must_use]
pub fn age_discount(fitness: Ppm) -> f64 {
    let double = 2.0 * SENESCENCE;
    if fitness.as_f64() > double { 1.0 } else { 0.2 + 0.8 * fitness.as_f64() / double }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn c(parts: u32) -> Confidence {
        Confidence::of(parts)
    }

    /// G-051, G-052: W15.
    #[test]
    fn g_051_inheritance_meets_w15() {
        for (generation, parts) in [(0, 900_000), (1, 765_000), (2, 650_250), (3, 552_712), (5, 399_335)] {
            assert_eq!(c(900_000).inherited(generation), c(parts), "W15 generation {generation}");
        }
        assert_eq!(c(1_000_000).inherited(u32::MAX), Confidence::ZERO);
    }

    /// G-052: W16.
    #[test]
    fn g_052_clade_arrivals_meet_w16() {
        for (from, to) in [(900_000, 400_000), (450_000, 360_000), (300_000, 240_000)] {
            assert_eq!(c(from).from_clade(), c(to), "W16");
        }
    }

    /// G-082, G-144: W34; edges of both bounds.
    #[test]
    fn g_082_votes_are_netted_and_meet_w34() {
        assert_eq!(c(600_000).after(Votes { up: 3, down: 1 }), c(750_000), "W34");
        for (from, votes, to) in [
            (700_000, Votes::UP, 800_000),
            (700_000, Votes::DOWN, 550_000),
            (950_000, Votes::UP, 990_000),
            (1_000_000, Votes::UP, 1_000_000),
            (100_000, Votes::DOWN, 50_000),
            (20_000, Votes::DOWN, 20_000),
            (500_000, Votes { up: 3, down: 2 }, 500_000),
            (500_000, Votes { up: u32::MAX, down: 0 }, 990_000),
            (500_000, Votes { up: 0, down: u32::MAX }, 50_000),
        ] {
            assert_eq!(c(from).after(votes), c(to), "{from} {votes:?}");
        }
    }

    /// G-083.
    #[test]
    fn g_083_prediction_checks_are_absolute_and_capped() {
        assert_eq!(c(600_000).checked(true), c(650_000));
        assert_eq!(c(600_000).checked(false), c(500_000));
        assert_eq!(c(970_000).checked(true), c(990_000));
    }

    /// G-086: W36.
    #[test]
    fn g_086_battle_tested_entries_meet_w36() {
        assert_eq!(c(800_000).battle_tested(5), c(880_000), "W36");
        assert_eq!(c(900_000).battle_tested(7), c(950_000), "W36");
        assert_eq!(c(900_000).battle_tested(4), c(900_000));
        assert_eq!(c(970_000).battle_tested(5), c(970_000), "a boost never lowers");
    }

    /// G-199: W39.
    #[test]
    fn g_199_age_discounts_meet_w39() {
        for (fitness, parts) in [(500_000, 771_429), (350_000, 600_000), (700_001, 1_000_000), (0, 200_000)] {
            assert_eq!(Ppm::round(age_discount(Ppm::of(fitness))), Ppm::of(parts), "W39 {fitness}");
        }
        assert_eq!(c(800_000).discounted_for_age(Ppm::of(350_000)), c(480_000));
    }

    /// G-025: what is no number is no confidence.
    #[test]
    fn g_025_a_nan_reads_as_zero() {
        assert_eq!(Confidence::round(f64::NAN), Confidence::ZERO);
        assert_eq!(Confidence::round(f64::INFINITY), Confidence::CERTAIN);
    }

    proptest! {
        /// G-082: votes stay in bounds, go the way they point, and net before the clamp.
        #[test]
        fn g_082_votes_stay_in_bounds(parts in 0u32..=1_000_000, up in 0u32..50, down in 0u32..50) {
            let before = c(parts);
            let after = before.after(Votes { up, down });
            let net = i64::from(up) * 100 - i64::from(down) * 150;
            prop_assert!(net > 0 || after <= before);
            prop_assert!(net < 0 || after >= before);
            if (50_000..=990_000).contains(&parts) {
                prop_assert!((c(50_000)..=c(990_000)).contains(&after));
            }
        }

        /// G-051: no heir knows better than the dead.
        #[test]
        fn g_051_inheritance_only_lowers(parts in 0u32..=1_000_000, generation in 0u32..40) {
            prop_assert!(c(parts).inherited(generation + 1) <= c(parts).inherited(generation));
            prop_assert!(c(parts).from_clade() <= c(parts));
        }
    }
}
