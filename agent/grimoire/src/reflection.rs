//! Questions, gaps, and the guard against a life that only piled up data (G-167 to G-171).

use golem_primitives::Ppm;

use crate::entry::EntryQuestion;
use crate::id::EntryId;
use crate::shelf::Grimoire;

/// G-167. What a life must leave beyond what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReflectionLaw {
    /// Least divergence of PLAYBOOK.md from the inherited one (C29: a minimum).
    pub least_divergence: Ppm,
    /// Least number of entries nobody handed down.
    pub least_novel: u32,
    /// Least number of inherited entries shown wrong, with the reasoning.
    pub least_invalidated: u32,
    pub needs_gaps: bool,
    /// Least share of questions among entries.
    pub least_question_ratio: Ppm,
}

impl Default for ReflectionLaw {
    fn default() -> Self {
        Self {
            least_divergence: Ppm::of(150_000),
            least_novel: 5,
            least_invalidated: 3,
            needs_gaps: true,
            least_question_ratio: Ppm::of(100_000),
        }
    }
}

/// What a life leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legacy {
    /// G-167, G-169. Divergence of PLAYBOOK.md: by rules (GG-7), or one less the cosine of both texts.
    pub divergence: Ppm,
    /// Entries nobody handed down.
    pub novel: u32,
    /// Inherited entries shown wrong with reasoning.
    pub invalidated: u32,
    pub has_gaps: bool,
    pub questions: u32,
    pub entries: u32,
}

/// What a life falls short of; empty is a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shortfall {
    /// PLAYBOOK.md says what it was handed.
    pub divergence: bool,
    /// Too little is new.
    pub novel: bool,
    /// Too little was shown wrong.
    pub invalidated: bool,
    /// No gap is named.
    pub gaps: bool,
    /// Too few questions.
    pub questions: bool,
}

impl Legacy {
    /// G-171. The share of questions; of no entries it is zero.
    #[must_use]
    pub fn question_ratio(&self) -> Ppm {
        match u64::from(self.entries) {
            0 => Ppm::ZERO,
            entries => Ppm::saturating(u64::from(self.questions) * 1_000_000 / entries),
        }
    }

    /// What the Grimoire of a life says of itself; divergence and refutations are counted elsewhere.
    #[must_use]
    pub fn of(grimoire: &Grimoire, divergence: Ppm, invalidated: u32) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            divergence,
            invalidated,
            novel: count(grimoire.living().filter(|entry| entry.draft.source.generation == 0).count()),
            has_gaps: grimoire.living().any(|entry| !entry.draft.gaps.is_empty()),
            questions: count(grimoire.living().filter(|entry| entry.draft.question.is_some()).count()),
            entries: count(grimoire.living().count()),
        }
    }

    /// G-167, G-168. What is missing. Death proceeds whatever it is; a shortfall of divergence marks PLAYBOOK.md.
    #[must_use]
    pub fn shortfall(&self, law: &ReflectionLaw) -> Shortfall {
        Shortfall {
            divergence: self.divergence < law.least_divergence,
            novel: self.novel < law.least_novel,
            invalidated: self.invalidated < law.least_invalidated,
            gaps: law.needs_gaps && !self.has_gaps,
            questions: self.question_ratio() < law.least_question_ratio,
        }
    }
}

/// G-170. Open questions, those to be investigated first, then by id and so by age.
#[must_use]
pub fn open_questions(grimoire: &Grimoire) -> Vec<EntryId> {
    let mut open: Vec<(bool, EntryId)> = grimoire
        .living()
        .filter_map(|entry| match entry.draft.question {
            Some(EntryQuestion::Open { requires_investigation }) => Some((!requires_investigation, entry.id)),
            _ => None,
        })
        .collect();
    open.sort();
    open.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENOUGH: Legacy =
        Legacy { divergence: Ppm::of(150_000), novel: 5, invalidated: 3, has_gaps: true, questions: 15, entries: 150 };

    /// G-167, G-168, G-171: W38, and every edge.
    #[test]
    fn g_167_a_life_must_leave_more_than_it_was_given() {
        let law = ReflectionLaw::default();
        assert_eq!(ENOUGH.shortfall(&law), Shortfall::default(), "W38: 15 of 150");
        let few = Legacy { questions: 12, ..ENOUGH };
        assert_eq!(few.question_ratio(), Ppm::of(80_000), "W38");
        assert_eq!(few.shortfall(&law), Shortfall { questions: true, ..Shortfall::default() }, "W38");
        for (legacy, shortfall) in [
            (Legacy { divergence: Ppm::of(149_999), ..ENOUGH }, Shortfall { divergence: true, ..Shortfall::default() }),
            (Legacy { novel: 4, ..ENOUGH }, Shortfall { novel: true, ..Shortfall::default() }),
            (Legacy { invalidated: 2, ..ENOUGH }, Shortfall { invalidated: true, ..Shortfall::default() }),
            (Legacy { has_gaps: false, ..ENOUGH }, Shortfall { gaps: true, ..Shortfall::default() }),
        ] {
            assert_eq!(legacy.shortfall(&law), shortfall);
        }
        let nothing = Legacy::of(&Grimoire::default(), Ppm::ZERO, 0);
        assert_eq!(nothing.question_ratio(), Ppm::ZERO, "G-171: an empty Grimoire asks nothing");
        assert!(nothing.shortfall(&law).questions);
    }
}
