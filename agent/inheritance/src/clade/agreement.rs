//! Whether what a sibling says holds where one lives oneself (I-122).

/// I-122. Checks of a sibling's statements against one's own observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Agreement {
    pub upheld: u32,
    pub refuted: u32,
}

/// Checks from which disagreement is persistent. The sources say persistent.
const LEAST_CHECKS: u32 = 10;

impl Agreement {
    /// Notes a check. True when with this one the owner is to be told: of ten checks or more at least half failed, and that is new.
    pub const fn note(&mut self, is_upheld: bool) -> bool {
        let was_alarming = self.is_alarming();
        self.upheld = self.upheld.saturating_add(is_upheld as u32);
        self.refuted = self.refuted.saturating_add(!is_upheld as u32);
        self.is_alarming() && !was_alarming
    }

    /// How often it was checked.
    #[must_use]
    pub const fn checks(&self) -> u32 {
        self.upheld.saturating_add(self.refuted)
    }

    const fn is_alarming(&self) -> bool {
        self.checks() >= LEAST_CHECKS && self.refuted >= self.checks().div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-122: nine checks say nothing yet, at ten the half is enough; it is told once, and again only after it was in order between.
    #[test]
    fn i_122_a_sibling_that_is_wrong_half_of_the_time_is_told_of_once() {
        let mut agreement = Agreement::default();
        let mut told = |checks: &[bool]| checks.iter().map(|held| agreement.note(*held)).collect::<Vec<_>>();
        assert_eq!(told(&[false; 9]), [false; 9], "too few");
        assert_eq!(told(&[true, false, false]), [true, false, false]);
        assert_eq!(told(&[true; 11]), [false; 11], "fewer than half at last");
        assert_eq!(told(&[false, false]), [true, false], "and half again");
    }
}
