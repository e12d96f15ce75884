//! Who first learned something, and what that is worth to them (I-230, I-232 to I-234).

use golem_grimoire::provenance::Source;
use golem_primitives::GolemId;

/// I-232, I-234. Credit for an origin: to itself while it lives, to its line when it is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Credit {
    pub golem_tenths: u64,
    /// Tenths credited to its line.
    pub lineage_tenths: u64,
}

impl Credit {
    /// A contribution that was of use.
    #[must_use]
    pub const fn plus(self, origin_is_dead: bool, was_dying: bool) -> Self {
        let tenths = if was_dying { 15 } else { 10 };
        if origin_is_dead {
            Self { lineage_tenths: self.lineage_tenths.saturating_add(tenths), ..self }
        } else {
            Self { golem_tenths: self.golem_tenths.saturating_add(tenths), ..self }
        }
    }
}

/// I-230, I-232, I-233. Where an entry comes from, and from whom it came last: the first never changes, the second at each
/// hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribution {
    origin: GolemId,
    origin_generation: Option<u32>,
    hop: GolemId,
}

impl Attribution {
    /// Of what a Golem of that generation holds. Each inheritance since it was learnt is a generation of its line; of which
    /// generation a sibling or a stranger was who sent it, nobody here knows.
    #[must_use]
    pub fn held(source: &Source, holder: GolemId, generation: u32) -> Self {
        let is_of_the_line = source.provenance.is_own() || source.provenance.is_inherited();
        let origin_generation = if is_of_the_line { generation.checked_sub(source.generation) } else { None };
        Self { origin: source.origin, origin_generation, hop: holder }
    }

    /// Who first learned it.
    #[must_use]
    pub const fn origin(&self) -> GolemId {
        self.origin
    }

    /// Of which generation that was, where anybody knows.
    #[must_use]
    pub const fn origin_generation(&self) -> Option<u32> {
        self.origin_generation
    }

    /// From whom it came last.
    #[must_use]
    pub const fn hop(&self) -> GolemId {
        self.hop
    }

    /// I-233. The same after `by` passed it on, by whatever way.
    #[must_use]
    pub const fn passed_by(self, by: GolemId) -> Self {
        Self { hop: by, ..self }
    }

    /// Whether an entry's own record agrees.
    #[must_use]
    pub fn agrees_with(&self, source: &Source) -> bool {
        self.origin == source.origin
    }
}

#[cfg(test)]
mod tests {
    use golem_grimoire::provenance::Provenance;
    use proptest::prelude::*;

    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    /// I-232, I-234, M-282: what the dead are credited with is their line's.
    #[test]
    fn i_234_the_dying_count_half_as_much_again() {
        let credit = Credit::default().plus(false, false).plus(true, true).plus(true, false);
        assert_eq!(credit, Credit { golem_tenths: 10, lineage_tenths: 25 }, "I-232: the dead credit their line");
    }

    /// I-232: what a Golem of the third generation had from its grandmother was learnt in the first; whose a sibling's is, is not
    /// guessed, and neither is what would be older than its line.
    #[test]
    fn i_232_the_generation_of_an_origin_is_counted_back() {
        let held = |provenance, generation| {
            let source = Source::foreign(provenance, golem("first"), generation);
            Attribution::held(&source, golem("third"), 3).origin_generation()
        };
        assert_eq!(held(Provenance::Inheritance, 2), Some(1));
        assert_eq!(held(Provenance::Own, 0), Some(3));
        assert_eq!(held(Provenance::Clade, 2), None);
        assert_eq!(held(Provenance::Inheritance, 4), None);
    }

    proptest! {
        /// I-230, I-233: however often it is passed on, the origin stays.
        #[test]
        fn i_233_origins_never_change(hops in prop::collection::vec("[a-z]{1,8}", 0..10)) {
            let source = Source::foreign(Provenance::Inheritance, golem("first"), 1);
            let mut attribution = Attribution::held(&source, golem("heir"), 3);
            for hop in &hops { attribution = attribution.passed_by(golem(hop)); }
            prop_assert_eq!((attribution.origin(), attribution.origin_generation()), (golem("first"), Some(2)));
            prop_assert_eq!(attribution.hop(), golem(hops.last().map_or("heir", String::as_str)));
            prop_assert!(attribution.agrees_with(&source) && !attribution.agrees_with(&Source::own(golem("heir"))));
        }
    }
}
