//! Inference tiers.

use golem_primitives::Ppm;

/// M-021, C-04. How large a model may be asked; a tier is a ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Rules, free, always there.
    T0,
    /// A small model.
    T1,
    /// A large model.
    T2,
    /// The death reflection, and nothing else.
    T3,
}

impl Tier {
    /// Every tier, smallest first.
    pub const ALL: [Self; 4] = [Self::T0, Self::T1, Self::T2, Self::T3];

    /// The lower of two ceilings.
    #[must_use]
    pub fn under(self, ceiling: Self) -> Self {
        self.min(ceiling)
    }
}

/// What the choice of a tier depends on (M-049).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierQuestion {
    pub vitality: Ppm,
    pub criticality: Ppm,
    /// Whether revenue covers the burn (M-046).
    pub is_sustainable: bool,
    pub ceiling: Tier,
}

impl TierQuestion {
    /// M-049. The tier a decision deserves at this vitality, under the phase's ceiling.
    #[must_use]
    pub fn choose(&self) -> Tier {
        let above = |edge: u32| self.criticality > Ppm::of(edge);
        let wanted = if self.vitality < Ppm::of(300_000) {
            if above(900_000) { Tier::T1 } else { Tier::T0 }
        } else if self.vitality < Ppm::of(500_000) || !self.is_sustainable {
            if above(700_000) { Tier::T1 } else { Tier::T0 }
        } else if above(800_000) {
            Tier::T2
        } else if above(400_000) {
            Tier::T1
        } else {
            Tier::T0
        };
        wanted.under(self.ceiling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M-049: each row of the rule at its edges.
    #[test]
    fn m_049_the_tier_follows_vitality_criticality_and_sustainability() {
        for (vitality, criticality, is_sustainable, expected) in [
            (299_999, 900_001, true, Tier::T1),
            (299_999, 900_000, true, Tier::T0),
            (300_000, 700_001, true, Tier::T1),
            (499_999, 700_000, true, Tier::T0),
            (500_000, 700_001, false, Tier::T1),
            (900_000, 700_000, false, Tier::T0),
            (500_000, 800_001, true, Tier::T2),
            (900_000, 800_000, true, Tier::T1),
            (900_000, 400_000, true, Tier::T0),
        ] {
            let question = TierQuestion {
                vitality: Ppm::of(vitality),
                criticality: Ppm::of(criticality),
                is_sustainable,
                ceiling: Tier::T3,
            };
            assert_eq!(question.choose(), expected, "{question:?}");
            assert!(TierQuestion { ceiling: Tier::T0, ..question }.choose() == Tier::T0, "the phase's ceiling binds");
        }
    }
}
