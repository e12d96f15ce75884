//! The heir: what it takes in, and how it begins.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, Method};
use golem_grimoire::gate::{Admission, GateReading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::EntryBody;
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::regime::{Regime, RegimeBelief};
use golem_grimoire::thesis::received;
use golem_primitives::{GolemId, LineageId, Ppm};
use sha2::{Digest, Sha256};

use crate::arrival::HeirTag;
use crate::genome::GenomeEntry;
use crate::row::rewritten;
use crate::toxic::Antidote;
use crate::weismann::WeismannLaw;

/// I-001. Who inherits: another Golem, never the dead one again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heir {
    /// A new name, never that of the dead.
    pub golem: GolemId,
    /// The line of the dead, which goes on.
    pub lineage: LineageId,
    /// I-161. Its generation: the predecessor's and one.
    pub generation: u32,
}

/// I-022, I-023, I-024. The priority of an entry now: less in another regime and never nothing, so it waits there until
/// its regime returns; whole for an entry of no regime. The weight is the Grimoire's own.
#[must_use]
pub fn priority(base: Ppm, regime: Option<Regime>, belief: &RegimeBelief) -> Ppm {
    Ppm::round(base.as_f64() * belief.factor(regime))
}

/// What came of an inherited entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adoption {
    Judged(Admission),
    /// I-026. The autopsy says to leave it out.
    Excluded(EntryId),
}

/// The tag of an entry that helped to kill and is taken in all the same.
pub const DISTRUSTED_TAG: &str = "distrusted";
/// What such an entry is worth at most.
const DISTRUSTED: Confidence = Confidence::of(300_000);

/// I-005, I-020, I-164. Takes an entry of a genome in, through the gate and as a candidate: at `c * 0.85^generation` of
/// this heir, with its origin, its mark and its feelings, and the dead Golem's certainty left behind.
#[must_use]
pub fn adopt(entry: &GenomeEntry, heir: &Heir, law: &WeismannLaw, reading: &GateReading, now: Moment) -> Adoption {
    if entry.antidote == Some(Antidote::Discard) {
        return Adoption::Excluded(entry.id);
    }
    let draft = heirloom(entry, heir);
    let plain = draft.original_confidence.inherited(heir.generation);
    let candidate = match admit(entry.id, draft, reading, now) {
        Admission::Admitted(candidate) => candidate,
        other => return Adoption::Judged(other),
    };
    let mut worth = law.inherited_felt(entry.bequeathed, heir.generation, entry.felt);
    if candidate.knowledge().confidence < plain {
        // The gate doubts it; no floor argues with that.
        worth = worth.min(candidate.knowledge().confidence);
    }
    if entry.antidote.is_some() {
        worth = worth.min(DISTRUSTED);
    }
    // What the gate cannot know: how often it was inherited, which is not the heir's generation, and what the dead felt
    // (C-32).
    let candidate = rewritten(*candidate, |knowledge| {
        knowledge.confidence = worth;
        knowledge.draft.source.generation = entry.source.generation.saturating_add(1);
        tag(&mut knowledge.draft);
        knowledge.draft.emotion = entry.emotion;
    });
    Adoption::Judged(Admission::Admitted(Box::new(candidate)))
}

/// I-034. Marks a draft as what it is to its heir; of a mark from an earlier inheritance nothing is left.
pub(crate) fn tag(draft: &mut Draft) {
    draft.tags.retain(|word| HeirTag::from_name(word).is_none());
    draft.tags.extend(HeirTag::of(&draft.source).map(|tag| tag.name().to_owned()));
}

/// The draft of a genome entry as the gate sees it: of this heir's generation, because that is what decides its worth.
#[must_use]
pub fn heirloom(entry: &GenomeEntry, heir: &Heir) -> Draft {
    let mut source = Source::foreign(Provenance::Inheritance, entry.source.origin, heir.generation);
    if entry.source.is_bloodstain() {
        source = source.stained(entry.source.terminal_emotion());
    }
    draft_of(entry, source)
}

/// The draft of an entry that comes from another life, as it will stand at the gate.
pub(crate) fn draft_of(entry: &GenomeEntry, source: Source) -> Draft {
    let body = match &entry.body {
        EntryBody::CausalLink(link) => EntryBody::CausalLink(link.inherited()),
        body => body.clone(),
    };
    let mut draft = Draft::new(&entry.content, body, source, entry.valid_from);
    draft.original_confidence = entry.bequeathed;
    draft.domain = entry.domain;
    draft.regime = entry.regime;
    draft.decay_class = Some(entry.decay_class);
    draft.valid_until = entry.valid_until;
    draft.tags = entry.tags.clone();
    if entry.antidote.is_some() {
        draft.tags.insert(DISTRUSTED_TAG.to_owned());
    }
    draft.question = entry.question;
    draft.gaps = entry.gaps.clone();
    draft.method = entry.claim.clone().map_or(Method::Received, Method::Rules);
    // G-175. What is claimed in the closed form of counting can be tested here; the numbers are the dead Golem's.
    draft.method = received(&draft);
    draft
}

/// What a search for an archive brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundArchive<'a> {
    Unreachable,
    Nothing,
    Archive {
        bytes: &'a [u8],
        /// The SHA-256 its manifest names.
        sha256: [u8; 32],
        /// Whether the signature of the dead Golem's identity is good; whoever holds the keys has checked it.
        is_signed: bool,
    },
}

/// I-009, I-010. Why a Golem begins without an inheritance; a warning, never an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Disinherited {
    /// I-009. Nobody answered.
    #[error("no archive could be reached; the Golem begins without an inheritance, fetch it later by hand")]
    Unreachable,
    /// I-009. There is none.
    #[error("the archive holds nothing for this lineage; the Golem begins without an inheritance")]
    Nothing,
    /// I-010. It is not what its manifest says.
    #[error("the archive's SHA-256 is not the one of its manifest; use another copy")]
    Corrupt,
    /// I-010. Nobody known has signed it.
    #[error("the archive is not signed by the dead Golem's identity; use another copy")]
    Unsigned,
}

/// I-009, I-010. The archive, if it is what it says; otherwise why the Golem boots without one.
///
/// # Errors
/// [`Disinherited`] is to be shown and lived with.
pub fn verified<'a>(found: &FoundArchive<'a>) -> Result<&'a [u8], Disinherited> {
    match found {
        FoundArchive::Unreachable => Err(Disinherited::Unreachable),
        FoundArchive::Nothing => Err(Disinherited::Nothing),
        FoundArchive::Archive { bytes, sha256, .. } if sha256_of(bytes) != *sha256 => Err(Disinherited::Corrupt),
        FoundArchive::Archive { is_signed: false, .. } => Err(Disinherited::Unsigned),
        FoundArchive::Archive { bytes, .. } => Ok(bytes),
    }
}

/// SHA-256, as bundles and archives carry it.
#[must_use]
pub fn sha256_of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
