//! The Baldwin effect: what a lineage keeps re-learning becomes something its heirs are born with.

use golem_grimoire::confidence::{BATTLE_VALIDATORS, Confidence};
use golem_grimoire::entry::Knowledge;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Kind;
use golem_primitives::LineageId;

use crate::genome::GenomeEntry;

/// I-132, I-180. Inheritances an entry must have survived.
pub const LEAST_GENERATION: u32 = 3;
/// I-132, I-180. What it must still be worth.
pub const LEAST_CONFIDENCE: Confidence = Confidence::of(700_000);

/// I-132, I-184. Whether an entry of any type has a Baldwin entry's place in the bottleneck.
#[must_use]
pub fn is_baldwin(generation: u32, confidence: Confidence) -> bool {
    generation >= LEAST_GENERATION && confidence >= LEAST_CONFIDENCE
}

/// I-183. A heuristic proposed as a default of the successor's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Proposal {
    pub entry: EntryId,
    pub lineage: LineageId,
    /// Inheritances it survived.
    pub generation: u32,
    pub confidence: Confidence,
    pub at: Moment,
}

/// I-180, I-184. Proposes a heuristic that survived; no other type becomes configuration. Inheritance alone never gets an
/// entry here (I-182): `1.0 * 0.85^3` is less than 0.7, so somebody in between confirmed it.
#[must_use]
pub fn propose(entry: &Knowledge, lineage: LineageId, at: Moment) -> Option<Proposal> {
    let (generation, confidence) = (entry.draft.source.generation, entry.confidence);
    due(entry.kind(), Proposal { entry: entry.id, lineage, generation, confidence, at })
}

/// I-180, I-184. The same of an entry that a genome hands down: what it survived and was worth when it was left.
#[must_use]
pub fn propose_left(entry: &GenomeEntry, lineage: LineageId, at: Moment) -> Option<Proposal> {
    let (generation, confidence) = (entry.source.generation, entry.bequeathed);
    due(entry.body.kind(), Proposal { entry: entry.id, lineage, generation, confidence, at })
}

/// The proposal of an entry of this kind, if it may be made.
fn due(kind: Kind, proposal: Proposal) -> Option<Proposal> {
    let is_due = kind == Kind::Heuristic && is_baldwin(proposal.generation, proposal.confidence);
    is_due.then_some(proposal)
}

/// I-183. Where a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalStanding {
    /// It waits for the successor's configuration.
    Proposed,
    Default {
        since: Moment,
    },
    /// It was contradicted and is back in the Grimoire, as a candidate.
    Returned {
        since: Moment,
    },
}

/// I-183. A promotion with its record; it can always be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StructuralDefault {
    pub proposal: Proposal,
    standing: ProposalStanding,
}

impl StructuralDefault {
    /// A proposal on record.
    #[must_use]
    pub const fn proposed(proposal: Proposal) -> Self {
        Self { proposal, standing: ProposalStanding::Proposed }
    }

    /// I-180. Whether it is in force.
    #[must_use]
    pub const fn is_in_force(&self) -> bool {
        matches!(self.standing, ProposalStanding::Default { .. })
    }

    /// Where it stands.
    #[must_use]
    pub const fn standing(&self) -> ProposalStanding {
        self.standing
    }

    /// I-180. It moves out of retrieval into the configuration; only what is proposed does.
    #[must_use]
    pub fn accepted(self, now: Moment) -> Self {
        match self.standing {
            ProposalStanding::Proposed => Self { standing: ProposalStanding::Default { since: now }, ..self },
            ProposalStanding::Default { .. } | ProposalStanding::Returned { .. } => self,
        }
    }

    /// I-183. It was contradicted: it returns to the Grimoire as a candidate, and must be proposed anew.
    #[must_use]
    pub const fn contradicted(self, now: Moment) -> Self {
        Self { standing: ProposalStanding::Returned { since: now }, ..self }
    }
}

/// I-181. Whether an entry of the library joins its archetype's default bundle: five independent Golems equipped it and
/// confirmed it.
#[must_use]
pub const fn joins_default_bundle(confirmed_by: u32) -> bool {
    confirmed_by >= BATTLE_VALIDATORS
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Tick, UtcTime};

    use super::*;

    fn proposal() -> Proposal {
        Proposal {
            entry: "0192f0c1-5b00-7abc-8def-0123456789ab".parse().expect("a UUID"),
            lineage: LineageId(3),
            generation: 3,
            confidence: Confidence::of(700_000),
            at: Moment::default(),
        }
    }

    /// I-180, I-132, I-184: both edges, G-181.
    #[test]
    fn i_180_three_generations_and_seven_tenths() {
        for (generation, parts, is) in
            [(3, 700_000, true), (2, 950_000, false), (3, 699_999, false), (9, 1_000_000, true)]
        {
            assert_eq!(is_baldwin(generation, Confidence::of(parts)), is, "{generation} {parts}");
        }
    }

    /// I-182: W-07. Handed down unseen, even certainty does not arrive.
    #[test]
    fn i_182_w_07_pure_inheritance_never_qualifies() {
        let handed_down = Confidence::CERTAIN.inherited(3);
        assert_eq!(handed_down, Confidence::of(614_125), "W-07");
        assert!((3..40).all(|generation| !is_baldwin(generation, Confidence::CERTAIN.inherited(generation))));
    }

    /// I-183: recorded, and taken back when contradicted.
    #[test]
    fn i_183_a_default_can_be_taken_back() {
        let now = Moment::new(Tick::new(9), UtcTime::from_seconds(9));
        let proposed = StructuralDefault::proposed(proposal());
        let accepted = proposed.accepted(now);
        assert_eq!(accepted.standing(), ProposalStanding::Default { since: now });
        assert_eq!(accepted.proposal.lineage, LineageId(3), "the lineage is on record");
        let returned = accepted.contradicted(now);
        assert_eq!(returned.standing(), ProposalStanding::Returned { since: now });
        assert_eq!(returned.accepted(now), returned, "it is proposed anew or not at all");
    }

    /// I-181.
    #[test]
    fn i_181_five_golems_make_a_default_of_the_archetype() {
        assert!(joins_default_bundle(5) && !joins_default_bundle(4));
    }
}
