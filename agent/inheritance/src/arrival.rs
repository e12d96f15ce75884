//! What an heir makes of where knowledge comes from (I-032 to I-034).

use golem_grimoire::confidence::Confidence;
use golem_grimoire::provenance::{Provenance, Source};
use golem_primitives::words;

use crate::testament::Section;

words! {
    /// I-032, M-226. How statements of a testament are weighed.
    SectionWeighing {
        Flat = "flat",
        BySection = "by_section",
    }
}

/// I-032, M-226. What a statement of that section is worth to an heir.
#[must_use]
pub const fn section_confidence(section: Section, weighing: SectionWeighing) -> Confidence {
    match (weighing, section) {
        (SectionWeighing::BySection, Section::Worked) => Confidence::of(500_000),
        (SectionWeighing::BySection, Section::Failed) => Confidence::of(600_000),
        (SectionWeighing::BySection, Section::Suspects) => Confidence::of(350_000),
        (SectionWeighing::BySection, Section::Confused) => Confidence::of(450_000),
        _ => Confidence::of(400_000),
    }
}

words! {
    /// I-034. What an inherited entry is to its heir.
    HeirTag {
        Predecessor = "predecessor",
        /// From the text of a testament.
        DeathReflection = "death_reflection",
        /// From a generation before the predecessor.
        CladeAncestor = "clade_ancestor",
    }
}

impl HeirTag {
    /// The tag of an entry as its heir holds it; `None` for what was not inherited.
    #[must_use]
    pub const fn of(source: &Source) -> Option<Self> {
        match source.provenance {
            Provenance::Testament => Some(Self::DeathReflection),
            Provenance::Inheritance | Provenance::PredecessorArchive => {
                Some(if source.generation > 1 { Self::CladeAncestor } else { Self::Predecessor })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::GolemId;

    use super::*;

    /// I-032, M-226: flat unless the owner says so.
    #[test]
    fn i_032_sections_have_bases_of_their_own_only_by_config() {
        let by = |weighing| Section::ALL.iter().map(move |s| section_confidence(*s, weighing).get().get());
        assert!(by(SectionWeighing::Flat).all(|parts| parts == 400_000));
        let worth = |section| section_confidence(section, SectionWeighing::BySection);
        assert_eq!(worth(Section::Worked), Confidence::of(500_000));
        assert_eq!(worth(Section::Failed), Confidence::of(600_000));
        assert_eq!(worth(Section::Suspects), Confidence::of(350_000));
        assert_eq!(worth(Section::Confused), Confidence::of(450_000));
        assert_eq!(worth(Section::WouldChange), Confidence::of(400_000));
    }

    /// I-033: provenance is a word apart from any number.
    #[test]
    fn i_033_each_provenance_has_its_word() {
        let ways = ["self", "clade", "inheritance", "death_testament", "marketplace", "public_pool", "dream"];
        assert!(ways.iter().all(|word| Provenance::from_name(word).is_some()));
    }

    /// I-034.
    #[test]
    fn i_034_inherited_entries_say_from_how_far_back() {
        let golem = GolemId::new("ash").expect("a name");
        let tag = |way, generation| HeirTag::of(&Source::foreign(way, golem, generation));
        assert_eq!(tag(Provenance::Inheritance, 1), Some(HeirTag::Predecessor));
        assert_eq!(tag(Provenance::Inheritance, 2), Some(HeirTag::CladeAncestor));
        assert_eq!(tag(Provenance::Testament, 1), Some(HeirTag::DeathReflection));
        assert_eq!(tag(Provenance::Clade, 1), None);
    }
}
