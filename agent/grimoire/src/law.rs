//! The numbers of the Grimoire an owner may set.

use crate::recall::RecallLaw;
use crate::reflection::ReflectionLaw;
use crate::retention::RetentionLaw;

/// All of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrimoireLaw {
    pub retention: RetentionLaw,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// G-075, G-101: where an owner starts.
    #[test]
    fn g_075_room_for_five_hundred() {
        let law = GrimoireLaw::default();
        assert_eq!(law.capacity, 500);
        let RecallLaw { semantic, temporal, importance, emotional, .. } = law.recall;
        assert_eq!((semantic, temporal, importance, emotional), (0.40, 0.20, 0.25, 0.15), "G-101");
    }
}
