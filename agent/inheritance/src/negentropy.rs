//! Whether a Clade grows in order or only in size (I-220, I-221). Telemetry: nothing is decided by it.

use std::collections::BTreeSet;

use golem_grimoire::kind::Kind;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::Ppm;

/// I-221. Signs of organised complexity of one generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Negentropy {
    /// Entries of one of the five types among all stored items.
    pub distilled: Ppm,
    /// Causal edges per entry.
    pub edges_per_entry: Ppm,
    pub domains: u32,
    /// Questions among entries.
    pub questions: Ppm,
    /// Entries contradicted more often than confirmed.
    pub contradicted: Ppm,
}

fn share(part: usize, whole: usize) -> Ppm {
    Ppm::saturating((part as u64).saturating_mul(1_000_000) / (whole as u64).max(1))
}

impl Negentropy {
    /// The signs of a Grimoire beside `episodes` raw items.
    #[must_use]
    pub fn of(grimoire: &Grimoire, episodes: usize) -> Self {
        let entries: Vec<_> = grimoire.living().collect();
        let count = |is: &dyn Fn(&golem_grimoire::entry::Knowledge) -> bool| {
            share(entries.iter().filter(|entry| is(entry)).count(), entries.len())
        };
        let domains: BTreeSet<_> = entries.iter().map(|entry| entry.draft.domain).collect();
        Self {
            distilled: share(entries.len(), entries.len() + episodes),
            edges_per_entry: count(&|entry| entry.kind() == Kind::CausalLink),
            domains: u32::try_from(domains.len()).unwrap_or(u32::MAX),
            questions: count(&|entry| entry.draft.question.is_some()),
            contradicted: count(&|entry| entry.contradicted > entry.validated),
        }
    }

    /// I-220. Whether order rose from a generation to the next: more of the signs that speak for it rose than fell.
    #[must_use]
    pub fn rises_from(&self, before: &Self) -> bool {
        let signs = [
            self.distilled.cmp(&before.distilled),
            self.edges_per_entry.cmp(&before.edges_per_entry),
            self.domains.cmp(&before.domains),
            self.questions.cmp(&before.questions),
            before.contradicted.cmp(&self.contradicted),
        ];
        signs.iter().map(|sign| *sign as i32).sum::<i32>() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-220, I-221: data piled up is not order.
    #[test]
    fn i_221_order_is_told_from_size() {
        let before = Negentropy { distilled: Ppm::of(300_000), domains: 3, ..Negentropy::default() };
        let piled = Negentropy { distilled: Ppm::of(100_000), ..before };
        let ordered = Negentropy { edges_per_entry: Ppm::of(200_000), domains: 5, ..before };
        assert!(!piled.rises_from(&before) && ordered.rises_from(&before) && !before.rises_from(&before), "I-220");
        assert_eq!(Negentropy::of(&Grimoire::default(), 10), Negentropy::default(), "nothing known is no order");
    }
}
