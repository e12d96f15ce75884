//! Where knowledge comes from, and what it is worth when it arrives.

use golem_primitives::GolemId;

use crate::confidence::Confidence;
use crate::emotion::EmotionalTag;
use golem_primitives::words;

/// G-142. The name under which what a model supposes here comes in. Nobody outside bears it: what it says is tried against
/// one's own episodes by its words.
pub const MODEL: &str = "model";

words! {
    /// G-034. The source of an entry.
    Provenance {
        /// Learned by this Golem itself.
        Own = "self",
        /// From a living sibling.
        Clade = "clade",
        /// Bought.
        Marketplace = "marketplace",
        /// A statement drawn from the text of a testament.
        Testament = "death_testament",
        /// An entry of a predecessor's genome.
        Inheritance = "inheritance",
        /// From a predecessor's archive.
        PredecessorArchive = "predecessor_archive",
        /// From a file that an owner brings and of which he says nothing else.
        PublicPool = "public_pool",
        Dream = "dream",
    }
}

impl Provenance {
    /// G-050 to G-055, C1, C2, C6, C7. What an entry of this source is worth on arrival. `original` is what it was worth
    /// where it comes from, undecayed (G-056), `generation` that of the heir; both matter only where the seed says so.
    #[must_use]
    pub fn initial_confidence(self, original: Confidence, generation: u32) -> Confidence {
        match self {
            Self::Own => Confidence::of(700_000),
            Self::Clade => original.from_clade(),
            Self::Inheritance => original.inherited(generation),
            Self::Testament => Confidence::of(400_000),
            Self::Marketplace | Self::PredecessorArchive | Self::Dream => Confidence::of(300_000),
            Self::PublicPool => Confidence::of(200_000),
        }
    }

    /// G-053, G-175. Whether this Golem learned it itself, awake. Everything else is digested: it stays a candidate until
    /// its own use confirms it.
    #[must_use]
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Own)
    }

    /// G-145. Whether a heuristic of this source may be promoted at all: heuristics are derived at home. A predecessor's
    /// are its heir's own once confirmed.
    #[must_use]
    pub const fn may_become_heuristic(self) -> bool {
        matches!(self, Self::Own | Self::Inheritance | Self::Dream | Self::Testament | Self::PredecessorArchive)
    }

    /// G-057. Whether it came down from a predecessor.
    #[must_use]
    pub const fn is_inherited(self) -> bool {
        matches!(self, Self::Inheritance | Self::Testament | Self::PredecessorArchive)
    }

    /// G-174. Whether it was sent or found: neither learned nor dreamt here, nor come down from a predecessor.
    #[must_use]
    pub const fn is_sent(self) -> bool {
        matches!(self, Self::Clade | Self::Marketplace | Self::PublicPool)
    }

    /// G-099. What a search result of this source weighs before ranking; the vault of one's own line whole.
    #[must_use]
    pub const fn search_discount(self) -> f64 {
        match self {
            Self::Clade => 0.80,
            Self::Marketplace => 0.60,
            Self::PublicPool => 0.50,
            _ => 1.0,
        }
    }
}

/// G-034 to G-036, G-038, G-042. The attribution of an entry.
///
/// A bloodstain can be laid on, never washed off (G-038): there is no way to clear it, and merging keeps it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    pub provenance: Provenance,
    /// G-035. Who first learned it.
    pub origin: GolemId,
    /// G-036. Inheritances since it was first learned; 0 is one's own.
    pub generation: u32,
    bloodstain: Option<DeathMark>,
}

/// G-038, G-042. The mark of the dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct DeathMark {
    /// What the dead Golem felt at the end; the one feeling that is inherited (G-194).
    pub terminal_emotion: Option<EmotionalTag>,
}

impl Source {
    /// Learned by `golem` itself.
    #[must_use]
    pub const fn own(golem: GolemId) -> Self {
        Self::foreign(Provenance::Own, golem, 0)
    }

    /// Learned by `origin` and come here by `provenance`.
    #[must_use]
    pub const fn foreign(provenance: Provenance, origin: GolemId, generation: u32) -> Self {
        Self { provenance, origin, generation, bloodstain: None }
    }

    /// The same with the mark of the dead; a mark already there keeps its feeling.
    #[must_use]
    pub fn stained(mut self, terminal_emotion: Option<EmotionalTag>) -> Self {
        let kept = self.bloodstain.and_then(|stain| stain.terminal_emotion);
        self.bloodstain = Some(DeathMark { terminal_emotion: kept.or(terminal_emotion) });
        self
    }

    /// G-038. Whether it is knowledge of the dead.
    #[must_use]
    pub const fn is_bloodstain(&self) -> bool {
        self.bloodstain.is_some()
    }

    /// G-042. What the dead Golem felt at the end.
    #[must_use]
    pub const fn terminal_emotion(&self) -> Option<EmotionalTag> {
        match self.bloodstain {
            Some(stain) => stain.terminal_emotion,
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_mortality::phase::Phase;
    use golem_primitives::{Ppm, UtcTime};

    use super::*;
    use crate::emotion::{Emotion, Pad};

    /// G-034, G-050, G-051, G-052, G-054, G-055.
    #[test]
    fn g_050_arrivals_are_worth_what_their_source_is() {
        let original = Confidence::of(900_000);
        for (provenance, parts) in [
            (Provenance::Own, 700_000),
            (Provenance::Clade, 400_000),
            (Provenance::Marketplace, 300_000),
            (Provenance::Testament, 400_000),
            (Provenance::Inheritance, 650_250),
            (Provenance::PredecessorArchive, 300_000),
            (Provenance::PublicPool, 200_000),
            (Provenance::Dream, 300_000),
        ] {
            assert_eq!(provenance.initial_confidence(original, 2), Confidence::of(parts), "{provenance}");
        }
        assert_eq!(Provenance::ALL.len(), 8);
    }

    /// G-055, G-099.
    #[test]
    fn g_099_foreign_results_are_discounted() {
        for (provenance, discount) in [
            (Provenance::Own, 1.0),
            (Provenance::Inheritance, 1.0),
            (Provenance::Clade, 0.80),
            (Provenance::Marketplace, 0.60),
            (Provenance::PublicPool, 0.50),
        ] {
            assert_eq!(provenance.search_discount(), discount, "{provenance}");
        }
    }

    /// G-038, G-042, G-194: laid on for ever, with the feeling of the dead.
    #[test]
    fn g_038_a_bloodstain_never_washes_off() {
        let golem = GolemId::new("ash").expect("a name");
        let tag = |primary| EmotionalTag {
            primary,
            pad: Pad::NEUTRAL,
            mood: Pad::NEUTRAL,
            intensity: Ppm::ONE,
            phase: Phase::Terminal,
            reactivations: 0,
            since: UtcTime::EPOCH,
        };
        let source = Source::foreign(Provenance::Inheritance, golem, 1);
        assert!(!source.is_bloodstain());
        let stained = source.stained(Some(tag(Emotion::Fear)));
        assert_eq!(stained.terminal_emotion(), Some(tag(Emotion::Fear)));
        let again = stained.stained(Some(tag(Emotion::Joy))).stained(None);
        assert_eq!(again.terminal_emotion(), Some(tag(Emotion::Fear)), "the dead felt it once");
        assert!(again.is_bloodstain());
    }

    /// G-035, G-036: attribution is carried.
    #[test]
    fn g_035_attribution_is_carried() {
        let golem = GolemId::new("ash").expect("a name");
        let source = Source::foreign(Provenance::Clade, golem, 2);
        assert_eq!((source.origin, source.generation), (golem, 2));
        assert_eq!(Source::own(golem).generation, 0, "G-036");
    }
}
