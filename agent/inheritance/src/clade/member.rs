//! Which sibling is listened to, and how much (I-101, I-122, I-350, I-353).

use std::collections::BTreeSet;

use golem_mortality::mode::Mode;
use golem_primitives::{GolemId, Ppm};

/// I-101. The one relay; agents connect to it and listen nowhere.
pub const RELAY: &str = "wss://styx.bardo.run";

/// I-122, I-353. What an owner decided about siblings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiblingLaw {
    /// I-122. Not listened to.
    pub excluded: BTreeSet<GolemId>,
    immortal_weight: Ppm,
}

/// I-353. A weight of nothing, which would be an exclusion by another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the weight of an immortal sibling lies above 0 and up to 1; exclude the sibling instead")]
pub struct NoWeight;

impl NoWeight {
    /// The same weight stays none.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        false
    }
}

impl Default for SiblingLaw {
    fn default() -> Self {
        Self { excluded: BTreeSet::new(), immortal_weight: Ppm::ONE }
    }
}

impl SiblingLaw {
    /// The same law with another weight for immortals.
    ///
    /// # Errors
    /// [`NoWeight`] for zero.
    pub fn with_immortal_weight(self, weight: Ppm) -> Result<Self, NoWeight> {
        if weight == Ppm::ZERO { Err(NoWeight) } else { Ok(Self { immortal_weight: weight, ..self }) }
    }

    /// I-122. Whether a sibling is listened to.
    #[must_use]
    pub fn hears(&self, golem: &GolemId) -> bool {
        !self.excluded.contains(golem)
    }

    /// I-350, I-353. What retrieval of an entry weighs, by the mode of whom it comes from; its stored confidence is not
    /// touched.
    #[must_use]
    pub fn retrieval_weight(&self, score: Ppm, mode: Mode) -> Ppm {
        if mode.is_mortal() { score } else { score.times_down(self.immortal_weight) }
    }
}

/// I-122. Checks of a sibling's statements against one's own observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    agreed: u32,
    differed: u32,
}

/// Checks from which disagreement is persistent, and the share from which it is told. The sources say persistent.
const LEAST_CHECKS: u32 = 10;
const ALARMING: u32 = 2;

impl Agreement {
    /// Notes a check.
    pub const fn note(&mut self, agreed: bool) {
        self.agreed = self.agreed.saturating_add(agreed as u32);
        self.differed = self.differed.saturating_add(!agreed as u32);
    }

    /// I-122. Whether the owner is to be told: it differed in at least half of ten checks or more.
    #[must_use]
    pub const fn is_alarming(&self) -> bool {
        let checks = self.agreed.saturating_add(self.differed);
        checks >= LEAST_CHECKS && self.differed.saturating_mul(ALARMING) >= checks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-122, I-350, I-353.
    #[test]
    fn i_353_immortals_may_weigh_less_in_retrieval() {
        let law = SiblingLaw::default().with_immortal_weight(Ppm::of(500_000)).expect("a weight");
        let score = Ppm::of(800_000);
        assert_eq!(law.retrieval_weight(score, Mode::Immortal), Ppm::of(400_000));
        assert_eq!(law.retrieval_weight(score, Mode::Hosted), score);
        assert_eq!(SiblingLaw::default().retrieval_weight(score, Mode::Immortal), score, "1.0 by default");
        assert_eq!(SiblingLaw::default().with_immortal_weight(Ppm::ZERO), Err(NoWeight));
        assert_eq!(Mode::Immortal.name(), "immortal", "I-350: as it announces itself");

        let ash = GolemId::new("ash").expect("a name");
        let law = SiblingLaw { excluded: BTreeSet::from([ash]), ..law };
        assert!(!law.hears(&ash) && law.hears(&GolemId::new("elm").expect("a name")), "I-122");
        let mut agreement = Agreement::default();
        (0..5).for_each(|_| agreement.note(true));
        (0..4).for_each(|_| agreement.note(false));
        assert!(!agreement.is_alarming());
        agreement.note(false);
        assert!(agreement.is_alarming(), "I-122");
    }
}
