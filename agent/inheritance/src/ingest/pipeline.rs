//! The way through the layers, one arrival at a time.

use golem_grimoire::entry::Draft;
use golem_grimoire::gate::{Admission, Reading, admit};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::thesis::received;
use golem_primitives::GolemId;
use golem_primitives::words;

use super::claims::{self, ChainAnswer, ClaimVerdict};
use super::consensus::{Ballot, Strictness};
use super::embedding::{Shape, is_own_vector};
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
        why: &'static str,
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
        why: &'static str,
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

/// The layers in order, each an answer to "what is wrong with it".
fn layers(arrival: &Arrival, recipient: &Recipient<'_>) -> [(Layer, Result<(), &'static str>); 3] {
    let claimed = match (&arrival.claimed, &arrival.computed) {
        (Some(claimed), Some(computed)) if !is_own_vector(claimed, computed) => {
            Err("its vector is not that of its text")
        }
        _ => Ok(()),
    };
    let is_far = || match (recipient.shape, &arrival.computed) {
        (Some(shape), Some(computed)) => shape.is_anomalous(&computed.values),
        _ => false,
    };
    // I-084, I-190: a replicant explores on purpose, so layer 1 is not asked of it.
    let embedding = match arrival.way {
        Provenance::Replicant => Ok(()),
        _ => claimed.and_then(|()| if is_far() { Err("it lies far outside what is known") } else { Ok(()) }),
    };
    let consensus =
        if recipient.ballot.is_enough(recipient.strictness) { Ok(()) } else { Err("too few validators pass") };
    let on_chain = match claims::judge(&arrival.claims) {
        ClaimVerdict::Lie { .. } => Err("the chain says otherwise"),
        ClaimVerdict::Passed | ClaimVerdict::Unread => Ok(()),
    };
    [(Layer::Embedding, embedding), (Layer::Consensus, consensus), (Layer::OnChain, on_chain)]
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
    if arrival.way.is_own() {
        return refused(Layer::Signature, "what arrives is not one's own", events);
    }
    if arrival.signature != Signature::Valid {
        return refused(Layer::Signature, "it is not signed by its sender's identity", events);
    }
    if immune.is_known(&arrival.draft) {
        events.push(IngestEvent::ImmuneMatch { sender: arrival.sender });
        return refused(Layer::Immune, "the same was refused three times", events);
    }
    for (layer, said) in layers(arrival, recipient) {
        if let Err(why) = said {
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
                return refused(Layer::Quarantine, "it left its sandbox", events);
            }
            Some(_) => {}
        }
    }
    (Examined::Passed(Box::new(digested(arrival))), events)
}

/// I-100, I-233. An arrival as it will stand at the gate: its source is the way it came, its origin who first learned it,
/// and nothing of what it says of its own making is believed. How long it is kept is not a sender's to say, nor that it
/// is of the dead, nor what this Golem asks: only what came down from a predecessor bears that (I-246, G-170). A claim
/// that can be tested here is kept, to be tested.
fn digested(arrival: &Arrival) -> Draft {
    let mut draft = arrival.draft.clone();
    let stated = draft.source;
    // What a sender learned itself is the sender's, whatever it says; what it passes on keeps its origin.
    let origin = if stated.provenance.is_own() { arrival.sender } else { stated.origin };
    let mut source = Source::foreign(arrival.way, origin, stated.generation);
    if arrival.way.is_inherited() {
        if stated.is_bloodstain() {
            source = source.stained(stated.terminal_emotion());
        }
    } else {
        draft.decay_class = None;
        draft.question = None;
    }
    source.replicant = stated.replicant.filter(|_| arrival.way == Provenance::Replicant);
    draft.source = source;
    draft.method = received(&arrival.draft);
    draft.parents.clear();
    draft.dream = None;
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
