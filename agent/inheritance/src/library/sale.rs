//! What an owner sells of the library, what everybody is told of it before he pays, and what a buyer makes of it (I-230 to
//! I-234, I-240, I-249).
//!
//! A set holds entries and rules with what stands behind each. The listing shows that evidence and not the words: it follows
//! from the set, so that a set whose evidence is another than was listed is another set. All of it is its seller's word, so
//! that nothing here believes it: what is bought is worth what a stranger's word is worth until it proves itself.

use std::collections::BTreeSet;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Draft, DraftError};
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::{Domain, Kind};
use golem_grimoire::provenance::{MODEL, Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_primitives::{B256, GolemId, keccak256};

use crate::attribution::Attribution;
use crate::genome::GenomeEntry;
use crate::heir::draft_of;

/// What a set says it is.
pub const FORMAT: &str = "bardo-library-set";
/// The version that is written and read.
pub const VERSION: u32 = 1;
/// The longest set, in bytes.
pub const MOST_BYTES: usize = 1 << 20;
/// Entries of one set.
pub const MOST_ENTRIES: usize = 256;
/// Rules of one set.
pub const MOST_RULES: usize = 16;
/// Bytes of a rule's text, and of a set's name and purpose.
pub const MOST_RULE_BYTES: usize = 2_000;
const MOST_NAME_BYTES: usize = 64;
const MOST_PURPOSE_BYTES: usize = 200;

/// An entry that is sold.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoldEntry {
    /// The entry, worth what it is to its seller.
    pub entry: GenomeEntry,
    /// I-232, I-233. Who first learned it, and from whom it came last.
    pub attribution: Attribution,
    pub proved_by: u32,
}

/// A rule that is sold, in the language of the book.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoldRule {
    pub text: String,
    pub evidence: RuleEvidence,
}

/// P-032. What a rule has shown, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleEvidence {
    /// Looks on record where it was tried.
    pub looks: u64,
    pub trips: u64,
    /// E, rounded down.
    pub evidence: u64,
    /// Mean net return of the newest trips, in millionths of the stake.
    pub mean_ppm: i64,
    /// Who acts by it, and of which generation that one is.
    pub attribution: Attribution,
}

/// What stands behind an entry, without its words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryEvidence {
    pub kind: Kind,
    pub domain: Domain,
    /// In which regime it holds; `None` for any.
    pub regime: Option<Regime>,
    pub confidence: Confidence,
    pub episodes: u32,
    /// How often what it claims was tried and held, if it was counted.
    pub counted: Option<TimesHeld>,
    pub proved_by: u32,
    /// G-036. Inheritances it survived.
    pub inheritances: u32,
    /// I-232, I-233. Who first learned it, and from whom it came last.
    pub attribution: Attribution,
    /// I-246. Whether the dead left it.
    pub is_bloodstain: bool,
}

/// How often a claim was tried and held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimesHeld {
    pub trials: u32,
    pub held: u32,
}

/// I-249. What is sold at once.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeSet {
    pub format: String,
    pub version: u32,
    pub name: String,
    pub purpose: String,
    pub entries: Vec<SoldEntry>,
    pub rules: Vec<SoldRule>,
}

/// What everybody is told of a set before he pays.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetEvidence {
    pub name: String,
    pub purpose: String,
    /// What stands behind each entry, in the order of the set.
    pub entries: Vec<EntryEvidence>,
    /// What each rule has shown, in the order of the set.
    pub rules: Vec<RuleEvidence>,
}

/// Why something is no set that can be sold or taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    #[error("it says it is {format:?} of version {version}; sets are {FORMAT:?} of version {VERSION}")]
    Format { format: String, version: u32 },
    #[error("there is neither an entry nor a rule in it")]
    Empty,
    #[error("it holds {count} {what}, more than {most}; make several sets of it")]
    TooMany { what: &'static str, count: usize, most: usize },
    /// A name, a purpose or a rule's text that is empty, too long, or moves what is shown.
    #[error("its {what} is empty, longer than {most} bytes, or holds an invisible character")]
    Text { what: &'static str, most: usize },
    #[error("entry {at} of it cannot be taken in")]
    Entry {
        at: usize,
        #[source]
        why: DraftError,
    },
    #[error("entry {at} of it is there twice")]
    Twice { at: usize },
    /// I-233. Its attribution names another than the entry does, or nobody that a stranger can name.
    #[error("entry {at} of it is attributed to {origin}, who cannot be who first learned it")]
    Origin { at: usize, origin: GolemId },
}

/// Why what was paid for is not taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeliveryError {
    #[error("{listed} was listed and paid for, and {delivered} came; nothing of it is taken in")]
    AnotherHash { listed: B256, delivered: B256 },
    #[error("what stands behind it is not what was listed; nothing of it is taken in")]
    AnotherEvidence,
    #[error("it is no set that can be taken in: {why}")]
    Unreadable { why: String },
    #[error("it is no set that can be taken in")]
    Set(#[from] SetError),
}

/// What a buyer was shown: the hash he pays for, and what stands behind each thing of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSet {
    /// The keccak256 of what is handed out.
    pub hash: B256,
    pub evidence: SetEvidence,
}

impl ListedSet {
    /// Whether these bytes may be read at all as what was listed.
    ///
    /// # Errors
    /// [`DeliveryError::AnotherHash`].
    pub fn named(&self, bytes: &[u8]) -> Result<(), DeliveryError> {
        let (listed, delivered) = (self.hash, keccak256(bytes));
        if listed == delivered { Ok(()) } else { Err(DeliveryError::AnotherHash { listed, delivered }) }
    }

    /// Whether this set, read from those bytes, is what was listed and can be taken in.
    ///
    /// # Errors
    /// [`DeliveryError`].
    pub fn holds(&self, set: &KnowledgeSet) -> Result<(), DeliveryError> {
        set.check()?;
        if set.evidence() == self.evidence { Ok(()) } else { Err(DeliveryError::AnotherEvidence) }
    }
}

impl SoldEntry {
    /// What stands behind it.
    #[must_use]
    pub fn evidence(&self) -> EntryEvidence {
        let entry = &self.entry;
        EntryEvidence {
            kind: entry.body.kind(),
            domain: entry.domain,
            regime: entry.regime,
            confidence: entry.bequeathed,
            episodes: entry.episodes,
            counted: entry.claim.as_ref().map(|claim| TimesHeld { trials: claim.trials, held: claim.held }),
            proved_by: self.proved_by,
            inheritances: entry.source.generation,
            attribution: self.attribution,
            is_bloodstain: entry.source.is_bloodstain(),
        }
    }

    /// I-233. Whether it can be who it says that first learned it: the entry says so too, and nobody here bears that name.
    fn has_an_origin(&self) -> bool {
        self.attribution.agrees_with(&self.entry.source) && self.attribution.origin().as_str() != MODEL
    }
}

impl KnowledgeSet {
    /// A set of these.
    ///
    /// # Errors
    /// [`SetError`] when it could not be taken in by anybody.
    pub fn new(name: &str, purpose: &str, entries: Vec<SoldEntry>, rules: Vec<SoldRule>) -> Result<Self, SetError> {
        let (format, name, purpose) = (FORMAT.to_owned(), name.to_owned(), purpose.to_owned());
        let set = Self { format, version: VERSION, name, purpose, entries, rules };
        set.check()?;
        Ok(set)
    }

    /// What everybody is told of it.
    #[must_use]
    pub fn evidence(&self) -> SetEvidence {
        SetEvidence {
            name: self.name.clone(),
            purpose: self.purpose.clone(),
            entries: self.entries.iter().map(SoldEntry::evidence).collect(),
            rules: self.rules.iter().map(|rule| rule.evidence).collect(),
        }
    }

    /// Whether it is one, whoever wrote it: within every bound, and each entry such as the gate could take in.
    ///
    /// # Errors
    /// [`SetError`] with what is wrong first.
    pub fn check(&self) -> Result<(), SetError> {
        if self.format != FORMAT || self.version != VERSION {
            return Err(SetError::Format { format: self.format.chars().take(40).collect(), version: self.version });
        }
        self.evidence().check()?;
        let mut seen = BTreeSet::<EntryId>::new();
        for (at, sold) in self.entries.iter().enumerate() {
            purchased(&sold.entry).check().map_err(|why| SetError::Entry { at, why })?;
            if !seen.insert(sold.entry.id) {
                return Err(SetError::Twice { at });
            }
            if !sold.has_an_origin() {
                return Err(SetError::Origin { at, origin: sold.attribution.origin() });
            }
        }
        for rule in &self.rules {
            text("rule", rule.text.replace('\n', " ").as_str(), MOST_RULE_BYTES)?;
        }
        Ok(())
    }
}

impl SetEvidence {
    /// Whether a listing can be of a set at all.
    ///
    /// # Errors
    /// [`SetError`].
    pub fn check(&self) -> Result<(), SetError> {
        text("name", &self.name, MOST_NAME_BYTES)?;
        if !self.purpose.is_empty() {
            text("purpose", &self.purpose, MOST_PURPOSE_BYTES)?;
        }
        for (what, count, most) in
            [("entries", self.entries.len(), MOST_ENTRIES), ("rules", self.rules.len(), MOST_RULES)]
        {
            if count > most {
                return Err(SetError::TooMany { what, count, most });
            }
        }
        if self.entries.is_empty() && self.rules.is_empty() { Err(SetError::Empty) } else { Ok(()) }
    }
}

fn text(what: &'static str, text: &str, most: usize) -> Result<(), SetError> {
    let is_loud = |sign: char| sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let fits = !text.is_empty() && text.len() <= most && !text.contains(is_loud);
    if fits { Ok(()) } else { Err(SetError::Text { what, most }) }
}

/// I-030, I-233, I-240. A bought entry as it stands at the gate: a stranger's, worth three tenths at most, learnt by who learnt it.
#[must_use]
pub fn purchased(entry: &GenomeEntry) -> Draft {
    let mut source = Source::foreign(Provenance::Marketplace, entry.source.origin, entry.source.generation);
    if entry.source.is_bloodstain() {
        source = source.stained(entry.source.terminal_emotion());
    }
    draft_of(entry, source)
}

/// I-246. What is left of the mark of the dead where the chain does not know of that death: nothing. Its seller laid it on.
#[must_use]
pub fn unmarked(entry: GenomeEntry) -> GenomeEntry {
    let Source { provenance, origin, generation, .. } = entry.source;
    GenomeEntry { source: Source::foreign(provenance, origin, generation), ..entry }
}

#[cfg(test)]
mod tests;
