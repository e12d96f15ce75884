//! What a dream delivers: it stands at the gate like anything else, and nothing of it is active by being dreamt.

use std::collections::BTreeSet;

use super::{CuratorInput, CuratorPass, Desk, Duty};
use crate::confidence::{Confidence, Votes};
use crate::entry::Draft;
use crate::id::EntryId;
use crate::kind::Kind;
use crate::provenance::{Provenance, Source};
use crate::shelf::Change;

/// The most anything dreamt is said to be worth on arrival.
const DREAMT: Confidence = Confidence::of(300_000);
/// How a tag begins that names the threat a warning is of.
pub const THREAT_TAG: &str = "threat:";

/// What a dream brings to the Grimoire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivery {
    /// Entries that replay confirmed; each is raised once.
    pub confirmed: BTreeSet<EntryId>,
    /// Insights and warnings.
    pub drafts: Vec<Draft>,
    /// Rows that waking ticks validated, with what they said of each.
    pub validated: Vec<Validated>,
    /// D-166. Validated rows that lower an entry, each with the entry; lowering needs no gate.
    pub lowered: Vec<(EntryId, EntryId)>,
}

/// A staged row that waking ticks validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validated {
    /// The row.
    pub row: EntryId,
    /// What it proposes.
    pub draft: Draft,
    /// The waking episodes for and against it; those alone count.
    pub votes: Votes,
}

/// What came of a delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivered {
    /// What changes, as of a Curator's cycle.
    pub pass: CuratorPass,
    /// Drafts that became candidates.
    pub admitted: u32,
    /// Drafts that did not, or were known.
    pub refused: u32,
    /// Rows that went through the gate, with the entry each became.
    pub promoted: Vec<(EntryId, EntryId)>,
    /// Rows that lowered an entry, with the entry.
    pub lowered: Vec<(EntryId, EntryId)>,
    /// Entries that were raised.
    pub raised: u32,
}

/// D-144, D-161. Takes a dream's delivery in. Whatever it says of itself, it comes from a dream; what was validated takes its
/// waking votes with it, and becomes active only if the law of promotion lets it.
#[must_use]
pub fn receive(input: &CuratorInput<'_>, delivery: Delivery) -> Delivered {
    let mut desk = Desk::new(input);
    let (mut admitted, mut refused, mut raised) = (0, 0, 0);
    for id in delivery.confirmed {
        raised += u32::from(desk.change(Change::Raise { id }));
    }
    for draft in delivery.drafts {
        let draft = desk.as_dreamt(draft);
        let is_in = !desk.is_said(&draft) && desk.submit(draft).is_some();
        *(if is_in { &mut admitted } else { &mut refused }) += 1;
    }
    let lowered = delivery.lowered.into_iter().filter(|(_, id)| desk.change(Change::WeighDown { id: *id })).collect();
    let mut promoted = Vec::new();
    for validated in delivery.validated {
        let mut draft = desk.as_dreamt(validated.draft);
        // What was confirmed awake is as true as those confirmations make it.
        draft.original_confidence = DREAMT.after(validated.votes);
        let Some(id) = desk.submit(draft) else {
            refused += 1;
            continue;
        };
        if !validated.votes.is_empty() {
            desk.change(Change::Vote { id, votes: validated.votes });
        }
        desk.change(Change::Promote { id, fitness: input.fitness });
        promoted.push((validated.row, id));
    }
    Delivered { pass: desk.finish(Duty::Rest), admitted, refused, promoted, lowered, raised }
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
