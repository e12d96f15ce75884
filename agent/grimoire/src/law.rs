//! The numbers of the Grimoire an owner may set, and what the Curator may move within an owner's bounds.

use golem_primitives::Ppm;

use crate::recall::RecallLaw;
use crate::reflection::ReflectionLaw;
use crate::retention::RetentionLaw;

/// All of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrimoireLaw {
    /// Decay.
    pub retention: RetentionLaw,
    /// Retrieval.
    pub recall: RecallLaw,
    /// G-075. Active entries there is room for.
    pub capacity: usize,
    /// G-002. Ticks for which a decision that was thought through answers the same situation; with none every question is
    /// asked.
    pub decision_ticks: u64,
    /// G-167, I-209. What a life should leave beyond what it was given.
    pub reflection: ReflectionLaw,
}

impl Default for GrimoireLaw {
    fn default() -> Self {
        Self {
            retention: RetentionLaw::default(),
            recall: RecallLaw::default(),
            capacity: 500,
            decision_ticks: 0,
            reflection: ReflectionLaw::default(),
        }
    }
}

/// G-150. A number the Curator may move, never beyond the owner's bounds (G-198).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetPoint {
    value: Ppm,
    low: Ppm,
    high: Ppm,
}

impl SetPoint {
    /// A set-point within bounds; bounds given the wrong way round are turned, the value is held between them.
    #[must_use]
    pub fn new(value: Ppm, low: Ppm, high: Ppm) -> Self {
        let (low, high) = (low.min(high), low.max(high));
        Self { value: value.clamp(low, high), low, high }
    }

    /// A number nobody but the owner moves.
    #[must_use]
    pub const fn fixed(value: Ppm) -> Self {
        Self { value, low: value, high: value }
    }

    /// Where it stands.
    #[must_use]
    pub const fn get(self) -> Ppm {
        self.value
    }

    /// The same, higher by `step` as far as the owner lets it.
    #[must_use]
    pub fn raised(self, step: Ppm) -> Self {
        Self { value: self.value.saturating_add(step).min(self.high), ..self }
    }

    /// The same, lower by `step` as far as the owner lets it.
    #[must_use]
    pub fn lowered(self, step: Ppm) -> Self {
        Self { value: self.value.saturating_sub(step).max(self.low), ..self }
    }
}

/// G-150. How far one cycle moves the archive threshold.
const STEP: Ppm = Ppm::of(10_000);

/// G-150. The archive threshold of the next cycle: a nearly full Grimoire forgets sooner, a half empty one later.
#[must_use]
pub fn adjust_threshold(threshold: SetPoint, active: usize, capacity: usize) -> SetPoint {
    if active.saturating_mul(10) >= capacity.saturating_mul(9) {
        threshold.raised(STEP)
    } else if active.saturating_mul(2) < capacity {
        threshold.lowered(STEP)
    } else {
        threshold
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// G-075, G-101: where an owner starts.
    #[test]
    fn g_075_room_for_five_hundred() {
        let law = GrimoireLaw::default();
        assert_eq!(law.capacity, 500);
        let RecallLaw { semantic, temporal, importance, emotional, .. } = law.recall;
        assert_eq!((semantic, temporal, importance, emotional), (0.40, 0.20, 0.25, 0.15), "G-101");
    }

    /// G-150.
    #[test]
    fn g_150_a_full_grimoire_forgets_sooner() {
        let point = SetPoint::new(Ppm::of(100_000), Ppm::of(50_000), Ppm::of(105_000));
        for (active, parts) in [(450, 105_000), (449, 100_000), (250, 100_000), (249, 90_000)] {
            assert_eq!(adjust_threshold(point, active, 500).get(), Ppm::of(parts), "{active}");
        }
        let fixed = SetPoint::fixed(Ppm::of(100_000));
        assert_eq!(adjust_threshold(fixed, 500, 500), fixed, "the default is the owner's alone");
    }

    proptest! {
        /// G-150, G-198: no sequence of moves leaves the owner's bounds.
        #[test]
        fn g_198_set_points_never_leave_the_owners_bounds(
            v in 0u32..=1_000_000, a in 0u32..=1_000_000, b in 0u32..=1_000_000,
            moves in prop::collection::vec((any::<bool>(), 0u32..=1_000_000), 0..20),
        ) {
            let mut point = SetPoint::new(Ppm::of(v), Ppm::of(a), Ppm::of(b));
            for (up, step) in moves {
                point = if up { point.raised(Ppm::of(step)) } else { point.lowered(Ppm::of(step)) };
                prop_assert!(point.get() >= Ppm::of(a.min(b)) && point.get() <= Ppm::of(a.max(b)));
            }
        }
    }
}
