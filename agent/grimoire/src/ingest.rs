//! What arrives from outside: checked, discounted, and let in as a candidate or not at all (G-053, G-175 to G-179).

use std::collections::{BTreeMap, BTreeSet};

use golem_primitives::{B256, GolemId, Ppm, keccak256};

use crate::confidence::Confidence;
use crate::entry::{Draft, Method};
use crate::event::{GrimoireEvent, IngestStage};
use crate::finding::Finding;
use crate::gate::{
    Admission, GateExcuse, GateReading, KeyRecord, Neighbour, WELL_KNOWN, admit, rule_recency, rule_utility,
};
use crate::id::{EntryId, Moment};
use crate::kind::EntryBody;
use crate::provenance::{MODEL, Provenance, Source};
use crate::shelf::Grimoire;
use crate::status::Active;
use crate::thesis::{Thesis, received};

/// By which way an entry came. The way decides the provenance, never the sender's word.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Arrival {
    /// What it says, as its sender wrote it.
    pub draft: Draft,
    pub way: Provenance,
    pub sender: GolemId,
    /// I-343. Its sender is dead and leaves it, as whoever brings it has seen: the mark of the dead stays on it.
    pub is_left: bool,
    /// G-178. Cosine of the vector it claims with the one computed here; `None` when there is no model to compute one.
    pub claimed_cosine: Option<Ppm>,
    /// G-175. What the chain says of its claims; `None` when it makes none.
    pub on_chain: Option<bool>,
}

/// G-178. What a claimed vector must exceed.
pub const CLAIMED_COSINE: Ppm = Ppm::of(850_000);
/// G-178. Rejections of the same pattern after which it is rejected unread.
pub const FAST_REJECT: u32 = 3;

/// What this Golem has refused before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Customs {
    refused: BTreeMap<B256, u32>,
    refuted: BTreeSet<Thesis>,
}

/// Why an arrival was turned away before the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnedAway {
    /// G-178. The same was refused three times.
    #[error("the same was refused three times before")]
    SeenBefore,
    /// G-070. What it claims was tested here before, and burned.
    #[error("what it claims was tested here and found wrong")]
    Refuted,
    /// G-053. It claims to be this Golem's own.
    #[error("what arrives is not one's own")]
    ClaimsToBeOwn,
    /// G-053, G-142. It claims to be what a model supposed here.
    #[error("its sender or origin bears the name of this Golem's own models")]
    ClaimsToBeSupposed,
    /// G-175, G-178. Its vector is not what it claims, or unlike anything.
    #[error("its vector is not that of its text")]
    Embedding,
    /// G-175. The chain says otherwise.
    #[error("the chain says otherwise")]
    OnChain,
    /// I-075. Of what is asked of it two answers speak against it.
    #[error(
        "it contradicts what is well known, is not well made, or is surer than anything can be: two of these at once"
    )]
    Consensus,
}

/// What came of an arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ingested {
    /// It stood at the gate.
    Judged(Admission),
    TurnedAway(TurnedAway),
}

impl Arrival {
    /// An arrival as it will stand at the gate: its source is the way it came, its sender the origin unless it names an
    /// older one, and nothing of what it says of its own making is believed; a claim that can be tested here is kept to be
    /// tested ([`received`]). How long it is kept is not its sender's to say either: its class is that of its type (GG-9),
    /// it asks nothing in this Golem's name, and only what came down from the dead bears their mark. A predecessor's word
    /// is taken: its questions come first in its heir's attention (G-170).
    #[must_use]
    pub fn digested(self) -> Draft {
        let mut draft = self.draft;
        let method = received(&draft);
        let stated = draft.source;
        let origin = if stated.generation > 0 { stated.origin } else { self.sender };
        let mut source = Source::foreign(self.way, origin, stated.generation);
        if (self.way.is_inherited() || self.is_left) && stated.is_bloodstain() {
            source = source.stained(stated.terminal_emotion());
        }
        if !self.way.is_inherited() {
            draft.decay_class = None;
            draft.question = None;
        }
        draft.method = method;
        // The episodes behind it are another's; those that test it here come to stand there.
        draft.parents.clear();
        draft.source = source;
        if let Some(dream) = &mut draft.dream {
            dream.is_validated = false;
        }
        draft
    }

    /// G-175, G-178. Whether the vector it came with is not that of its words. Where that stands among what is known is seen when it
    /// is computed here ([`crate::shape`]).
    #[must_use]
    pub fn has_odd_vector(&self) -> bool {
        self.claimed_cosine.is_some_and(|cosine| cosine <= CLAIMED_COSINE)
    }

    /// G-175. Whether the chain says otherwise.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.on_chain == Some(false)
    }
}

/// G-142. What a model supposes here comes by one way and at first hand. A predecessor's models are told as its own
/// knowledge is, and tried as that.
fn claims_to_be_supposed(arrival: &Arrival) -> bool {
    let stated = &arrival.draft.source;
    let is_sent_so = arrival.sender.as_str() == MODEL && arrival.way != Provenance::Marketplace;
    let is_handed_on = stated.generation > 0 && stated.origin.as_str() == MODEL;
    is_sent_so || (is_handed_on && !arrival.way.is_inherited())
}

impl Customs {
    /// Customs that remember these refusals, as a store kept them.
    #[must_use]
    pub fn remembering(refused: impl IntoIterator<Item = (B256, u32)>) -> Self {
        Self { refused: refused.into_iter().collect(), refuted: BTreeSet::new() }
    }

    /// The same, immune to a claim that was tested here and burned, in whatever numbers it comes back.
    #[must_use]
    pub fn immune_to(mut self, refuted: Option<Thesis>) -> Self {
        self.refuted.extend(refuted);
        self
    }

    /// How often each pattern was refused.
    pub fn refusals(&self) -> impl Iterator<Item = (B256, u32)> {
        self.refused.iter().map(|(pattern, times)| (*pattern, *times))
    }

    /// The pattern of an arrival: its text, however it is spaced.
    #[must_use]
    pub fn pattern(draft: &Draft) -> B256 {
        Self::pattern_of(&draft.content)
    }

    /// The pattern of a text.
    #[must_use]
    pub fn pattern_of(text: &str) -> B256 {
        keccak256(plain(text))
    }

    /// G-175. Passes an arrival through every layer in order. What comes out is a candidate or nothing: no
    /// arrival is ever active.
    pub fn ingest(
        &mut self,
        id: EntryId,
        arrival: Arrival,
        reading: &GateReading,
        now: Moment,
    ) -> (Ingested, GrimoireEvent) {
        let way = arrival.way;
        let pattern = Self::pattern(&arrival.draft);
        let (ingested, stage) = match self.turn_away(&arrival, pattern, reading) {
            Some((reason, stage)) => (Ingested::TurnedAway(reason), stage),
            None => {
                let claim = arrival.draft.counted().cloned();
                let stated = arrival.draft.original_confidence;
                let mut admission = admit(id, arrival.digested(), reading, now);
                if let Admission::Admitted(candidate) = &mut admission {
                    candidate.lower_to(stated);
                }
                if let Admission::Quarantined(locked) = &mut admission {
                    locked.claim = claim;
                }
                let stage = match &admission {
                    Admission::Admitted(_) => IngestStage::Quarantine,
                    Admission::Quarantined(_) => IngestStage::Consensus,
                    Admission::Merged(_) | Admission::Known(_) | Admission::Rejected(_) => IngestStage::Gate,
                };
                (Ingested::Judged(admission), stage)
            }
        };
        let is_accepted = matches!(ingested, Ingested::Judged(Admission::Admitted(_) | Admission::Merged(_)));
        let is_refused = matches!(ingested, Ingested::TurnedAway(_) | Ingested::Judged(Admission::Rejected(_)));
        if is_refused {
            let times = self.refused.entry(pattern).or_default();
            *times = times.saturating_add(1);
        }
        (ingested, GrimoireEvent::IngestResult { provenance: way, stage, is_accepted })
    }

    fn turn_away(&self, arrival: &Arrival, pattern: B256, reading: &GateReading) -> Option<(TurnedAway, IngestStage)> {
        if let Some(why) = self.at_the_door(arrival, pattern) {
            let is_seen = why == TurnedAway::SeenBefore;
            return Some((why, if is_seen { IngestStage::Rate } else { IngestStage::Consensus }));
        }
        if arrival.has_odd_vector() {
            return Some((TurnedAway::Embedding, IngestStage::Embedding));
        }
        if voices(&arrival.draft, reading) < VOICES {
            return Some((TurnedAway::Consensus, IngestStage::Consensus));
        }
        arrival.is_denied().then_some((TurnedAway::OnChain, IngestStage::OnChain))
    }

    /// G-053, G-070, G-178. What turns an arrival of that pattern away before any layer looks at it: whom it pretends to
    /// be, and what is known of it already.
    #[must_use]
    pub fn at_the_door(&self, arrival: &Arrival, pattern: B256) -> Option<TurnedAway> {
        if arrival.way.is_own() {
            return Some(TurnedAway::ClaimsToBeOwn);
        }
        if claims_to_be_supposed(arrival) {
            return Some(TurnedAway::ClaimsToBeSupposed);
        }
        if self.refused.get(&pattern).is_some_and(|times| *times >= FAST_REJECT) {
            return Some(TurnedAway::SeenBefore);
        }
        Thesis::of(&arrival.draft).filter(|thesis| self.refuted.contains(thesis)).map(|_| TurnedAway::Refuted)
    }
}

/// I-075. Voices for an arrival that are needed, of three.
const VOICES: usize = 2;
/// I-075. Confidence from which a claim is beyond what evidence can give (G-082 ends there).
const IMMODEST: Confidence = Confidence::of(990_000);

/// I-074, I-075. How many of three questions speak for an arrival: whether it contradicts nothing well known, whether it is well
/// made, and whether it is no surer than anything can be. A single voice against it lets it stand at the gate, which locks away
/// what contradicts.
fn voices(draft: &Draft, reading: &GateReading) -> usize {
    let agrees = reading.contradicts.is_none_or(|confidence| confidence < WELL_KNOWN);
    let has_evidence = !matches!(&draft.body, EntryBody::CausalLink(link) if link.evidence == 0);
    let is_sound = draft.check().is_ok() && has_evidence;
    let is_modest = draft.original_confidence <= IMMODEST;
    [agrees, is_sound, is_modest].into_iter().filter(|speaks| *speaks).count()
}

/// A text however it is spaced and written.
#[must_use]
pub fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// I-074. Whether a heuristic asks for something else under the same condition.
fn acts_otherwise(new: &EntryBody, known: &EntryBody) -> bool {
    match (new, known) {
        (EntryBody::Heuristic { when: new_when, act: new_act, .. }, EntryBody::Heuristic { when, act, .. }) => {
            plain(new_when) == plain(when) && plain(new_act) != plain(act)
        }
        _ => false,
    }
}

/// What the gate can read of an arrival without a model: what its sender says it is worth, how fresh it is, and which of
/// one's own findings or active heuristics it contradicts. What its sender counted is compared here and believed nowhere.
#[must_use]
pub fn reading(grimoire: &Grimoire, draft: &Draft, nearest: Option<Neighbour>, now: Moment) -> GateReading {
    let contradicts = |theirs: &Finding| {
        let own = grimoire.living().filter_map(|entry| match &entry.draft.method {
            Method::Rules(mine) if theirs.contradicts(mine) => Some(entry.confidence),
            _ => None,
        });
        own.max()
    };
    let by_finding = draft.counted().and_then(contradicts);
    let active = grimoire.active().map(Active::knowledge);
    let otherwise = active.filter(|known| acts_otherwise(&draft.body, &known.draft.body)).map(|known| known.confidence);
    GateReading {
        utility: rule_utility(draft.body.kind(), KeyRecord::default()),
        factual: draft.original_confidence.get(),
        recency: rule_recency(draft.valid_from, now.at),
        nearest,
        known: grimoire.entries().count(),
        contradicts: by_finding.max(otherwise.max()),
        occasion: GateExcuse::Ordinary,
    }
}
