//! What became of entries a Golem was equipped with, and with what a new one begins (I-245, I-253).

use golem_grimoire::confidence::Confidence;
use golem_grimoire::kind::Kind;
use golem_primitives::words;

words! {
    /// I-245. What became of an equipped entry.
    EquipOutcome {
        /// It is worth a fifth more than when it was equipped.
        Validated = "validated",
        /// It is worth less than half.
        Contradicted = "contradicted",
        Unused = "unused",
        Pending = "pending",
    }
}

impl EquipOutcome {
    /// I-245. The outcome of an entry equipped at one worth and standing at another now.
    #[must_use]
    pub fn of(equipped: Confidence, now: Confidence, uses: u32, is_over: bool) -> Self {
        let (then, now) = (u64::from(equipped.get().get()), u64::from(now.get().get()));
        match uses {
            0 if is_over => Self::Unused,
            0 => Self::Pending,
            _ if now * 2 < then => Self::Contradicted,
            _ if now * 5 >= then * 6 => Self::Validated,
            _ => Self::Pending,
        }
    }
}

/// I-245. Contradictions from which an entry comes later; it is never deleted for it.
const CONTRADICTED: u32 = 2;

/// I-245. Whether an entry that so many Golems contradicted comes after the others.
#[must_use]
pub const fn is_deprioritised(contradicted_by: u32) -> bool {
    contradicted_by >= CONTRADICTED
}

words! {
    /// I-253. How strongly an entry is suggested to a new agent.
    SuggestionTier {
        Essential = "essential",
        Recommended = "recommended",
        Optional = "optional",
    }
}

/// I-253. What an entry essential to everyone needs, and one that is recommended.
const ESSENTIAL: (u32, Confidence) = (3, Confidence::of(600_000));
const RECOMMENDED: (u32, Confidence) = (1, Confidence::of(500_000));

impl SuggestionTier {
    /// I-253, I-245. The tier of an entry: every warning is essential, and so is what three Golems proved; what was
    /// contradicted by two is optional, however good it looked. The edge of recommended is ours: one Golem and 0.5.
    #[must_use]
    pub fn of(kind: Kind, validated_by: u32, confidence: Confidence, contradicted_by: u32) -> Self {
        let reaches = |(golems, worth): (u32, Confidence)| validated_by >= golems && confidence >= worth;
        match kind {
            Kind::Warning => Self::Essential,
            _ if is_deprioritised(contradicted_by) => Self::Optional,
            _ if reaches(ESSENTIAL) => Self::Essential,
            _ if reaches(RECOMMENDED) => Self::Recommended,
            _ => Self::Optional,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-245.
    #[test]
    fn i_245_what_became_of_an_equipped_entry() {
        let of = |then, now, uses, over| EquipOutcome::of(Confidence::of(then), Confidence::of(now), uses, over);
        assert_eq!(of(500_000, 600_000, 3, false), EquipOutcome::Validated, "a fifth more");
        assert_eq!(of(500_000, 599_999, 3, false), EquipOutcome::Pending);
        assert_eq!(of(500_000, 249_999, 3, false), EquipOutcome::Contradicted);
        assert_eq!(of(500_000, 250_000, 3, true), EquipOutcome::Pending, "half is not less than half");
        assert_eq!(of(500_000, 900_000, 0, true), EquipOutcome::Unused);
        assert_eq!(of(500_000, 500_000, 0, false), EquipOutcome::Pending);
        assert!(!is_deprioritised(1) && is_deprioritised(2));
    }

    /// I-253.
    #[test]
    fn i_253_three_tiers_of_a_loadout() {
        let of = |kind, golems, parts, against| SuggestionTier::of(kind, golems, Confidence::of(parts), against);
        assert_eq!(of(Kind::Warning, 0, 10_000, 9), SuggestionTier::Essential);
        assert_eq!(of(Kind::Insight, 3, 600_000, 0), SuggestionTier::Essential);
        assert_eq!(of(Kind::Insight, 2, 600_000, 0), SuggestionTier::Recommended);
        assert_eq!(of(Kind::Insight, 3, 599_999, 0), SuggestionTier::Recommended);
        assert_eq!(of(Kind::Insight, 0, 900_000, 0), SuggestionTier::Optional);
        assert_eq!(of(Kind::Insight, 9, 900_000, 2), SuggestionTier::Optional, "I-245");
    }
}
