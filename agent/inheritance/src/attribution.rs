//! Who first learned something, and what that is worth to them (I-230 to I-234).

use golem_grimoire::provenance::Source;
use golem_primitives::{GolemId, Ppm, Usdc};

/// I-231. Whether money moves for knowledge; off unless the owner turns it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoyaltyLaw {
    /// Whether anything is settled at all.
    pub is_settled: bool,
    /// The share of attributed profit.
    pub share: Ppm,
}

impl Default for RoyaltyLaw {
    fn default() -> Self {
        Self { is_settled: false, share: Ppm::of(50_000) }
    }
}

/// I-230, I-231. What is owed for a profit attributed to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Royalty {
    /// Noted for its origin; no money moves.
    Tracked {
        /// What it would be.
        share: Usdc,
    },
    /// To be settled over x402.
    Owed {
        /// What it is.
        share: Usdc,
    },
}

/// I-231. The royalty of a profit: tracked within a Clade always, owed across Clades when the owner settles.
#[must_use]
pub const fn royalty(profit: Usdc, is_same_clade: bool, law: RoyaltyLaw) -> Royalty {
    let share = profit.share_down(law.share);
    if law.is_settled && !is_same_clade { Royalty::Owed { share } } else { Royalty::Tracked { share } }
}

/// I-232, I-234. Credit for an origin: to itself while it lives, to its line when it is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Credit {
    /// Tenths credited to the Golem.
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

/// I-232, I-233. Where an entry comes from, and from whom it came last: the first never changes, the second at each hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribution {
    origin: GolemId,
    origin_generation: u32,
    hop: GolemId,
}

impl Attribution {
    /// Of an entry at its origin.
    #[must_use]
    pub const fn new(origin: GolemId, origin_generation: u32) -> Self {
        Self { origin, origin_generation, hop: origin }
    }

    /// Who first learned it.
    #[must_use]
    pub const fn origin(&self) -> GolemId {
        self.origin
    }

    /// Of which generation that was.
    #[must_use]
    pub const fn origin_generation(&self) -> u32 {
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
    use proptest::prelude::*;

    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    /// I-230, I-231, M-282: 5% of a profit; by default nothing is owed, and within a Clade never.
    #[test]
    fn i_231_royalties_are_off_until_an_owner_turns_them_on() {
        let profit = Usdc::whole(2);
        let share = Usdc::from_micros(100_000);
        assert_eq!(royalty(profit, false, RoyaltyLaw::default()), Royalty::Tracked { share }, "I-230");
        let on = RoyaltyLaw { is_settled: true, ..RoyaltyLaw::default() };
        assert_eq!(royalty(profit, false, on), Royalty::Owed { share }, "5%");
        assert_eq!(royalty(profit, true, on), Royalty::Tracked { share }, "tracking only inside a Clade");
    }

    /// I-232, I-234, M-282: what the dead are credited with is their line's.
    #[test]
    fn i_234_the_dying_count_half_as_much_again() {
        let credit = Credit::default().plus(false, false).plus(true, true).plus(true, false);
        assert_eq!(credit, Credit { golem_tenths: 10, lineage_tenths: 25 }, "I-232: the dead credit their line");
    }

    proptest! {
        /// I-230, I-233: however often it is passed on, the origin stays.
        #[test]
        fn i_233_origins_never_change(hops in prop::collection::vec("[a-z]{1,8}", 0..10)) {
            let mut attribution = Attribution::new(golem("first"), 2);
            for hop in &hops { attribution = attribution.passed_by(golem(hop)); }
            prop_assert_eq!((attribution.origin(), attribution.origin_generation()), (golem("first"), 2));
            prop_assert_eq!(attribution.hop(), golem(hops.last().map_or("first", String::as_str)));
            prop_assert!(attribution.agrees_with(&Source::own(golem("first"))));
        }
    }
}
