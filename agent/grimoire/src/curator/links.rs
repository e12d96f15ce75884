//! G-128 to G-132. What looks count to follow what, kept as entries.

use super::Desk;
use crate::confidence::{Confidence, Votes};
use crate::entry::{Draft, Knowledge, Method};
use crate::id::EntryId;
use crate::kind::{CausalLink, Domain, EntryBody};
use crate::provenance::Source;
use crate::shelf::Change;
use crate::status::{ArchiveReason, Entry, Status};

/// A link as looks count it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedLink {
    /// What it says, and how often it was seen.
    pub link: CausalLink,
    pub domain: Domain,
    /// How often later looks spoke for it.
    pub upheld: u32,
    /// And against it.
    pub missed: u32,
}

impl Desk<'_> {
    /// G-132. What is newly counted stands at the gate like anyone else; what is known takes in what later looks said, once; what
    /// is counted no longer rests in the archive, from where it comes back when it is counted again (G-031, G-069). What others
    /// said of other pairs is left alone: nobody counted it here.
    pub(super) fn take_links(&mut self) {
        let Some(counted) = self.input.links else { return };
        for one in counted {
            match self.entry_of(one) {
                Some(id) => self.count_on(id, one),
                None => self.learn(one),
            }
        }
        let is_counted = |entry: &Knowledge| match &entry.draft.body {
            EntryBody::CausalLink(link) => counted.iter().any(|one| one.link.says_the_same(link)),
            _ => true,
        };
        // What was handed down is counted on from the first look.
        let was_counted =
            |entry: &&Knowledge| entry.draft.method == Method::Looks || (entry.validated, entry.contradicted) != (0, 0);
        let over = self.shelf.living().filter(was_counted).filter(|entry| !is_counted(entry));
        let over: Vec<EntryId> = over.map(|entry| entry.id).collect();
        for id in over {
            self.change(Change::Archive { id, reason: ArchiveReason::Contradicted });
        }
    }

    /// The entry that says this, a living one before one at rest.
    fn entry_of(&self, one: &CountedLink) -> Option<EntryId> {
        let says = |entry: &&Entry| {
            let body = entry.knowledge().map(|knowledge| &knowledge.draft.body);
            matches!(body, Some(EntryBody::CausalLink(link)) if link.says_the_same(&one.link))
        };
        let mut found: Vec<&Entry> = self.shelf.entries().filter(says).collect();
        found.sort_by_key(|entry| entry.status() == Status::Archived);
        found.first().map(|entry| entry.id())
    }

    fn learn(&mut self, one: &CountedLink) {
        // What was handed down to the hand and is no entry here was let go before it was ever seen: there is nothing to keep yet.
        if one.link.evidence == 0 {
            return;
        }
        let body = EntryBody::CausalLink(one.link.clone());
        let content = body.statement().unwrap_or_default();
        let draft = Draft::new(&content, body, Source::own(self.input.golem), self.input.now.at);
        let original_confidence = Confidence::new(one.link.weight);
        self.submit(Draft { original_confidence, domain: one.domain, method: Method::Looks, ..draft });
    }

    /// What it heard already is what it was confirmed and contradicted by: told again it is no more. One at rest comes back when
    /// later looks spoke for it since; whatever it rested for, the same words would only send it there again. With what another
    /// said, later looks count from there, and its numbers stay until there are any of one's own (G-134).
    fn count_on(&mut self, id: EntryId, one: &CountedLink) {
        let Some((validated, contradicted)) =
            self.shelf.get(id).and_then(Entry::knowledge).map(|known| (known.validated, known.contradicted))
        else {
            return;
        };
        let votes = Votes { up: one.upheld.saturating_sub(validated), down: one.missed.saturating_sub(contradicted) };
        match self.status(id) {
            Some(Status::Archived) if votes.up == 0 => return,
            Some(Status::Archived) => {
                self.change(Change::Restore { id, votes });
            }
            _ => self.vote_on(id, votes),
        }
        let is_new = self
            .shelf
            .get(id)
            .and_then(Entry::knowledge)
            .is_some_and(|known| !matches!(&known.draft.body, EntryBody::CausalLink(link) if *link == one.link));
        if is_new && one.link.evidence > 0 {
            self.change(Change::CountLink { id, link: Box::new(one.link.clone()) });
        }
    }
}
