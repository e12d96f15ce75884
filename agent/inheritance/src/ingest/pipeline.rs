//! The way through the layers, one arrival at a time.

use golem_grimoire::entry::Draft;
use golem_grimoire::gate::{Admission, Reading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Arrival as Declared, TurnedAway};
use golem_grimoire::provenance::{MODEL, Provenance};
use golem_primitives::GolemId;
use golem_primitives::words;

use super::claims::{self, ChainAnswer, ClaimVerdict};
use super::consensus::{Ballot, Strictness};
use super::embedding::{Shape, claimed_cosine};
use super::immune::ImmuneMemory;
use super::shadow::{SANDBOX, SandboxUse, needs_sandbox};
use crate::arrival::arrival_confidence;
use crate::novelty::Vector;
use crate::row::rewritten;

words! {
    /// I-070, I-081. Where an arrival can fail, in order.
    Layer {
        /// Before the layers: signed by whom it says.
        Signature = "signature",
        /// Before the layers: refused three times already.
        Immune = "immune",
        /// Layer 1.
        Embedding = "embedding",
        /// Layer 2.
        Consensus = "consensus",
        /// Layer 3.
        OnChain = "on_chain",
        /// Layer 4.
        Quarantine = "quarantine",
    }
}

words! {
    /// I-081. What whoever holds the keys says of a signature.
    Signature {
        /// By the identity of the sender, over EIP-712.
        Valid = "valid",
        /// By another, or over something else.
        Invalid = "invalid",
        /// There is none.
        Missing = "missing",
    }
}

/// Something from outside, with what is needed to judge it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrival {
    /// What it says, as its sender wrote it.
    pub draft: Draft,
    /// By which way it came: that decides the provenance, never the sender's word.
    pub way: Provenance,
    /// Who sent it.
    pub sender: GolemId,
    /// Its signature.
    pub signature: Signature,
    /// The vector it claims.
    pub claimed: Option<Vector>,
    /// I-073. The vector computed here; `None` without a model.
    pub computed: Option<Vector>,
    /// I-076. What the chain says of each claim.
    pub claims: Vec<ChainAnswer>,
    /// I-083. What a sandbox run used, for types that are run.
    pub sandbox: Option<SandboxUse>,
}

/// What the recipient brings.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// I-072. The shape of what it knows; `None` when that is too little.
    pub shape: Option<&'a Shape>,
    /// I-074. What its validators say.
    pub ballot: Ballot,
    /// I-075. How strict it is.
    pub strictness: Strictness,
}

/// I-070. What the layers say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Examined {
    /// It may become a candidate.
    Passed(Box<Draft>),
    /// I-076. The chain could not be read, or a run is missing: it waits in quarantine.
    Held(Layer),
    /// It is refused.
    Refused {
        /// Where.
        layer: Layer,
        /// Why.
        why: TurnedAway,
    },
}

/// I-087. What is told of each stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IngestEvent {
    /// It waits.
    Quarantined {
        /// From whom.
        sender: GolemId,
    },
    /// It passed a layer.
    Passed {
        /// Which.
        layer: Layer,
    },
    /// It failed.
    Failed {
        /// In which layer.
        layer: Layer,
        /// Why.
        why: TurnedAway,
    },
    /// It is a candidate.
    Adopted {
        /// Which.
        id: EntryId,
    },
    /// It was taken back.
    RolledBack {
        /// Which.
        id: EntryId,
    },
    /// It was refused before.
    ImmuneMatch {
        /// From whom.
        sender: GolemId,
    },
}

impl Arrival {
    /// I-071, I-073, I-076. What the Grimoire's customs look at: this arrival with its vectors compared and its claims
    /// judged.
    fn declared(&self, shape: Option<&Shape>) -> Declared {
        let claimed_cosine = match (&self.claimed, &self.computed) {
            (Some(claimed), Some(computed)) => Some(claimed_cosine(claimed, computed)),
            _ => None,
        };
        let is_anomalous = match (shape, &self.computed) {
            (Some(shape), Some(computed)) => shape.is_anomalous(&computed.values),
            _ => false,
        };
        let on_chain = match claims::judge(&self.claims) {
            ClaimVerdict::Lie { .. } => Some(false),
            ClaimVerdict::Passed | ClaimVerdict::Unread => None,
        };
        let (draft, way, sender) = (self.draft.clone(), self.way, self.sender);
        Declared { draft, way, sender, claimed_cosine, is_anomalous, on_chain }
    }
}

/// The layers in order, each an answer to "what is wrong with it". The first and the third are the Grimoire's customs
/// (G-175); what validators say comes between.
fn layers(declared: &Declared, recipient: &Recipient<'_>) -> [(Layer, Option<TurnedAway>); 3] {
    let has_voices = recipient.ballot.is_enough(recipient.strictness);
    [
        (Layer::Embedding, declared.has_odd_vector().then_some(TurnedAway::Embedding)),
        (Layer::Consensus, (!has_voices).then_some(TurnedAway::Consensus)),
        (Layer::OnChain, declared.is_denied().then_some(TurnedAway::OnChain)),
    ]
}

/// Where customs turn an arrival away before any layer.
const fn door(why: TurnedAway) -> Layer {
    match why {
        TurnedAway::SeenBefore | TurnedAway::Refuted => Layer::Immune,
        _ => Layer::Signature,
    }
}

/// I-070, I-081, I-082, I-085. Passes an arrival through every layer in order. No sender is trusted enough to skip one:
/// not a sibling, not a catch-up, not a bloodstain (C-18); a replicant skips the first alone.
pub fn examine(
    arrival: &Arrival,
    recipient: &Recipient<'_>,
    immune: &mut ImmuneMemory,
) -> (Examined, Vec<IngestEvent>) {
    let mut events = vec![IngestEvent::Quarantined { sender: arrival.sender }];
    let refused = |layer, why, mut events: Vec<IngestEvent>| {
        events.push(IngestEvent::Failed { layer, why });
        (Examined::Refused { layer, why }, events)
    };
    if arrival.signature != Signature::Valid {
        return refused(Layer::Signature, TurnedAway::Unsigned, events);
    }
    let (declared, pattern) = (arrival.declared(recipient.shape), ImmuneMemory::pattern(&arrival.draft));
    if let Some(why) = immune.customs(pattern).at_the_door(&declared, pattern) {
        if why == TurnedAway::SeenBefore {
            events.push(IngestEvent::ImmuneMatch { sender: arrival.sender });
        }
        return refused(door(why), why, events);
    }
    for (layer, said) in layers(&declared, recipient) {
        if let Some(why) = said {
            immune.refuse(&arrival.draft);
            return refused(layer, why, events);
        }
        if layer == Layer::OnChain && claims::judge(&arrival.claims) == ClaimVerdict::Unread {
            return (Examined::Held(layer), events);
        }
        events.push(IngestEvent::Passed { layer });
    }
    if needs_sandbox(arrival.draft.body.kind()) {
        match arrival.sandbox {
            None => return (Examined::Held(Layer::Quarantine), events),
            Some(used) if !SANDBOX.holds(&used) => {
                immune.refuse(&arrival.draft);
                return refused(Layer::Quarantine, TurnedAway::Sandbox, events);
            }
            Some(_) => {}
        }
    }
    (Examined::Passed(Box::new(digested(declared))), events)
}

/// I-100, I-233. An arrival as it will stand at the gate, by the Grimoire's customs; and since its sender has signed, what it
/// passes on keeps the origin it names. What a sender learned itself is the sender's, whatever it says, and nobody passes on
/// what a model supposed here (G-142).
fn digested(declared: Declared) -> Draft {
    let stated = declared.draft.source.clone();
    let mut draft = declared.digested();
    if !stated.provenance.is_own() && stated.origin.as_str() != MODEL {
        draft.source.origin = stated.origin;
    }
    draft
}

/// I-077, I-078, I-086, I-362. Lets a draft that passed stand at the Grimoire's gate: a candidate whatever it was worth
/// elsewhere, and worth no more than its way of arriving and its source allow (I-036).
#[must_use]
pub fn adopt(id: EntryId, draft: Draft, reading: &Reading, now: Moment) -> (Admission, Option<IngestEvent>) {
    let worth = arrival_confidence(draft.source.provenance, Some(draft.original_confidence), draft.source.generation);
    match admit(id, draft, reading, now) {
        Admission::Admitted(candidate) => {
            let candidate = rewritten(*candidate, |knowledge| knowledge.confidence = knowledge.confidence.min(worth));
            (Admission::Admitted(Box::new(candidate)), Some(IngestEvent::Adopted { id }))
        }
        other => (other, None),
    }
}
