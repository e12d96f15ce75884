//! What a dream delivers: it stands at the gate like anything else, and nothing of it is active by being dreamt.

use super::{CuratorInput, CuratorPass, Desk, Duty};
use crate::confidence::Confidence;
use crate::entry::Draft;
use crate::kind::Kind;
use crate::provenance::{Provenance, Source};

/// The most anything dreamt is said to be worth on arrival.
const DREAMT: Confidence = Confidence::of(300_000);
/// How a tag begins that names the threat a warning is of.
pub const THREAT_TAG: &str = "threat:";

/// What came of a delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivered {
    /// What changes, as of a Curator's cycle.
    pub pass: CuratorPass,
    /// Drafts that became candidates.
    pub admitted: u32,
    /// Drafts that did not, or were known.
    pub refused: u32,
}

/// D-144, D-161. Takes a dream's warnings in. Whatever they say of themselves, they come from a dream.
#[must_use]
pub fn receive(input: &CuratorInput<'_>, drafts: Vec<Draft>) -> Delivered {
    let mut desk = Desk::new(input);
    let (mut admitted, mut refused) = (0, 0);
    for draft in drafts {
        let draft = desk.as_dreamt(draft);
        let is_in = !desk.is_said(&draft) && desk.submit(draft).is_some();
        *(if is_in { &mut admitted } else { &mut refused }) += 1;
    }
    Delivered { pass: desk.finish(Duty::Rest), admitted, refused }
}

impl Desk<'_> {
    /// A draft as one that was dreamt here, whatever it says of itself.
    fn as_dreamt(&self, mut draft: Draft) -> Draft {
        draft.source = Source::foreign(Provenance::Dream, self.input.golem, 0);
        draft.original_confidence = draft.original_confidence.min(DREAMT);
        draft
    }

    /// Whether a living entry says it already: in the same words, or of the same threat.
    fn is_said(&self, draft: &Draft) -> bool {
        let threat = draft.tags.iter().find(|tag| tag.starts_with(THREAT_TAG));
        self.shelf.living().any(|entry| {
            let same_threat = entry.kind() == Kind::Warning && threat.is_some_and(|tag| entry.draft.tags.contains(tag));
            same_threat || (entry.draft.content == draft.content && entry.kind() == draft.body.kind())
        })
    }
}
