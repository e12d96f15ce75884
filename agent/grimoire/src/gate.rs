//! The admission gate: the only way in, and it leads to candidacy.

use golem_primitives::{Ppm, UtcTime};

use crate::confidence::Confidence;
use crate::entry::{Draft, DraftError, Knowledge, Method};
use crate::finding::Finding;
use crate::id::{EntryId, Moment};
use crate::kind::Kind;
use crate::provenance::Provenance;
use crate::quality::{WeightProfile, measure, quality, red_flags};
use crate::status::Candidate;
use golem_primitives::words;

/// G-103. The five factors of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factors {
    pub utility: Ppm,
    /// Whether it is true, as far as one can tell.
    pub factual: Ppm,
    /// Whether it is new: one less the nearest cosine.
    pub novelty: Ppm,
    pub recency: Ppm,
    /// What its type promises.
    pub prior: Ppm,
}

impl Factors {
    /// G-103. `0.25 utility + 0.25 factual + 0.20 novelty + 0.15 recency + 0.15 prior`, in integers (GG-13).
    #[must_use]
    pub fn composite(&self) -> Ppm {
        let parts = [(self.utility, 25), (self.factual, 25), (self.novelty, 20), (self.recency, 15), (self.prior, 15)];
        let sum: u64 = parts.iter().map(|(factor, weight)| u64::from(factor.get()) * weight).sum();
        Ppm::saturating((sum + 50) / 100)
    }
}

/// The entry nearest to a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Neighbour {
    pub id: EntryId,
    /// Its cosine, zero for the opposite.
    pub cosine: Ppm,
}

words! {
    /// G-109. What excuses a candidate from the composite.
    GateExcuse {
        /// Nothing.
        Ordinary = "ordinary",
        RegimeShift = "regime_shift",
        /// The Golem is dying and says what it learned.
        DeathReflection = "death_reflection",
    }
}

/// What is known of a candidate when it stands at the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateReading {
    pub utility: Ppm,
    pub factual: Ppm,
    pub recency: Ppm,
    /// The nearest entry; `None` when nothing is known yet.
    pub nearest: Option<Neighbour>,
    pub known: usize,
    /// What the best entry it contradicts is worth.
    pub contradicts: Option<Confidence>,
    pub occasion: GateExcuse,
}

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateVerdict {
    Admit {
        confidence: Confidence,
        /// G-105. It is unlike anything known.
        is_off_topic: bool,
    },
    /// G-105. It says what another says: that one takes its evidence.
    Merge(EntryId),
    /// G-105. It is known already.
    Skip(EntryId),
    /// G-108. It contradicts what is well known, and little speaks for it.
    Quarantine,
    Reject(Rejection),
}

/// Why a candidate is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    #[error("no statement")]
    Malformed(#[source] DraftError),
    /// G-104. A factor is at or below its least.
    #[error("{factor} of {value} is not above {least}")]
    BelowMinimum {
        factor: &'static str,
        value: Ppm,
        /// What must be exceeded.
        least: Ppm,
    },
    /// G-107. All together is too little.
    #[error("a composite of {composite} is below 0.45")]
    BelowComposite { composite: Ppm },
}

/// G-104. What each factor must exceed.
const MINIMUMS: [(&str, Ppm); 3] =
    [("future utility", Ppm::of(400_000)), ("factual confidence", Ppm::of(300_000)), ("recency", Ppm::of(200_000))];
/// G-105. Cosine above which a candidate is known already, is merged, and below which it is off topic.
const SKIP_ABOVE: Ppm = Ppm::of(950_000);
const MERGE_ABOVE: Ppm = Ppm::of(900_000);
const OFF_TOPIC_BELOW: Ppm = Ppm::of(500_000);
/// GG-10. Entries from which the off-topic flag means something.
const TOPICS_FROM: usize = 20;
/// G-107. The least composite admitted, and the composite up to which doubt caps the confidence.
const ADMIT_FROM: Ppm = Ppm::of(450_000);
const DOUBT_UNTIL: Ppm = Ppm::of(550_000);
const DOUBTED: Confidence = Confidence::of(300_000);
/// G-108. What may not be contradicted lightly.
pub const WELL_KNOWN: Confidence = Confidence::of(700_000);
/// The tag of a candidate unlike anything known.
pub const OFF_TOPIC_TAG: &str = "off_topic";

/// G-102 to G-109. Judges a draft. The order decides: what is known already is not worth judging, what attacks the well
/// known is locked away before it can be excused.
#[must_use]
pub fn judge(draft: &Draft, reading: &GateReading) -> GateVerdict {
    if let Err(error) = draft.check() {
        return GateVerdict::Reject(Rejection::Malformed(error));
    }
    let cosine = reading.nearest.map_or(Ppm::ZERO, |nearest| nearest.cosine);
    match reading.nearest {
        Some(nearest) if cosine > SKIP_ABOVE => return GateVerdict::Skip(nearest.id),
        Some(nearest) if cosine > MERGE_ABOVE => return GateVerdict::Merge(nearest.id),
        _ => {}
    }
    if reading.factual < MINIMUMS[1].1 && reading.contradicts.is_some_and(|known| known >= WELL_KNOWN) {
        return GateVerdict::Quarantine;
    }
    let arrival = draft.source.provenance.initial_confidence(draft.original_confidence, draft.source.generation);
    let is_off_topic = reading.known >= TOPICS_FROM && cosine < OFF_TOPIC_BELOW;
    if draft.body.kind() == Kind::Warning || reading.occasion != GateExcuse::Ordinary {
        return GateVerdict::Admit { confidence: arrival, is_off_topic };
    }
    let judged = [reading.utility, reading.factual, reading.recency];
    for ((factor, least), value) in MINIMUMS.into_iter().zip(judged) {
        if value <= least {
            return GateVerdict::Reject(Rejection::BelowMinimum { factor, value, least });
        }
    }
    let factors = Factors {
        utility: reading.utility,
        factual: reading.factual,
        novelty: cosine.complement(),
        recency: reading.recency,
        prior: draft.body.kind().prior(),
    };
    admission(factors.composite(), arrival).map_or_else(
        || GateVerdict::Reject(Rejection::BelowComposite { composite: factors.composite() }),
        |confidence| GateVerdict::Admit { confidence, is_off_topic },
    )
}

/// G-107. The confidence at which a composite admits, or `None`: below 0.45 not at all, up to 0.55 at 0.3 or what its
/// source is worth if that is less, above at what its source is worth.
#[must_use]
pub fn admission(composite: Ppm, arrival: Confidence) -> Option<Confidence> {
    if composite < ADMIT_FROM {
        None
    } else if composite <= DOUBT_UNTIL {
        Some(arrival.min(DOUBTED))
    } else {
        Some(arrival)
    }
}

/// What came of standing at the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Admitted(Box<Candidate>),
    /// The evidence goes to another entry.
    Merged(EntryId),
    /// Nothing: it is known.
    Known(EntryId),
    /// Locked away until the Curator has looked at it.
    Quarantined(Box<Quarantined>),
    Rejected(Rejection),
}

/// G-108. A draft that attacks what is well known.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quarantined {
    pub draft: Draft,
    /// G-149. What its sender counted: compared with what one counted oneself, believed nowhere.
    pub claim: Option<Finding>,
    pub since: Moment,
    /// Curator cycles it has waited.
    pub cycles: u32,
}

impl Quarantined {
    /// What was counted for it, by its sender or by oneself; `None` for one that only says so.
    pub(crate) const fn finding(&self) -> Option<&Finding> {
        match (&self.claim, &self.draft.method) {
            (Some(claim), _) => Some(claim),
            (None, Method::Rules(finding)) => Some(finding),
            (None, _) => None,
        }
    }
}

/// G-102, G-103. Lets a draft through, or not. Its quality is measured by rule here, so nobody brings their own.
#[must_use]
pub fn admit(id: EntryId, draft: Draft, reading: &GateReading, now: Moment) -> Admission {
    match judge(&draft, reading) {
        GateVerdict::Merge(into) => Admission::Merged(into),
        GateVerdict::Skip(known) => Admission::Known(known),
        GateVerdict::Reject(rejection) => Admission::Rejected(rejection),
        GateVerdict::Quarantine => {
            Admission::Quarantined(Box::new(Quarantined { draft, claim: None, since: now, cycles: 0 }))
        }
        GateVerdict::Admit { confidence, is_off_topic } => {
            let novelty = reading.nearest.map_or(Ppm::ONE, |nearest| nearest.cosine.complement());
            let worth = rule_quality(&draft, novelty);
            let mut draft = draft;
            if is_off_topic {
                draft.tags.insert(OFF_TOPIC_TAG.to_owned());
            }
            let knowledge = Knowledge::admitted(id, draft, confidence, worth, now);
            Admission::Admitted(Box::new(Candidate::new(knowledge, now)))
        }
    }
}

/// G-112, G-113. The quality of a draft by rule, under the weights of its origin.
#[must_use]
pub fn rule_quality(draft: &Draft, novelty: Ppm) -> Ppm {
    let is_dream = draft.source.provenance == Provenance::Dream;
    let profile = match (is_dream, draft.body.kind()) {
        (false, _) => WeightProfile::Standard,
        (true, Kind::Warning) => WeightProfile::DreamSafety,
        (true, _) => WeightProfile::Dream,
    };
    let flags = red_flags(&draft.content, draft.parents.len(), is_dream);
    quality(&measure(&draft.content, novelty), profile, &flags)
}

/// What entries of one key did so far, as far as the gate asks without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyRecord {
    pub accessed: u32,
    /// Of them in ticks that went well.
    pub useful: u32,
}

/// How many retrievals the prior of a type counts for.
const PRIOR_WEIGHT: f64 = 5.0;
/// Half-life of freshness at the gate.
const FRESHNESS_DAYS: f64 = 7.0;

/// Future utility without a model: the prior of the type, blended with how retrieval of the same key fared.
#[must_use]
pub fn rule_utility(kind: Kind, record: KeyRecord) -> Ppm {
    let useful = f64::from(record.useful.min(record.accessed));
    Ppm::round((kind.prior().as_f64() * PRIOR_WEIGHT + useful) / (PRIOR_WEIGHT + f64::from(record.accessed)))
}

/// Freshness of the newest evidence behind a draft.
#[must_use]
pub fn rule_recency(evidence: UtcTime, now: UtcTime) -> Ppm {
    let days = now.since(evidence).as_secs() as f64 / UtcTime::DAY_SECONDS as f64;
    Ppm::round(libm::exp2(-days / FRESHNESS_DAYS))
}
