//! What a Golem knows: the Grimoire behind the waist, in the words of its law.

use std::collections::BTreeMap;

use golem_core::record::Curated;
use golem_dreams::inputs::InheritedHypothesis;
use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::CuratorPass;
use golem_grimoire::episode::Recorded;
use golem_grimoire::event::GrimoireEvent;
use golem_grimoire::gate::{Neighbour, Quarantined};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Arrival, Ingested};
use golem_grimoire::playbook::Playbook;
use golem_grimoire::pruning::PruningWindow;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::{Entry, Status};
use golem_grimoire::strength::Reinforcement;
use golem_primitives::{B256, EffectId, Tick, UtcTime};

use crate::dreams::Dreams;
use crate::store::{Store, StoreError};

mod embedding;
mod search;

pub use embedding::{EmbeddingModel, EmbeddingProgress, EmbeddingState, Vector};
pub use search::{Asked, Basis, Filter, Hit, SearchAnswer, SearchOrder};

/// Why the Grimoire does not take something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// G-006. A vector of another length than its model makes.
    #[error("the vector of {id} has {got} dimensions, its model makes {wanted}; embed it again")]
    Dimensions { id: EntryId, got: usize, wanted: u16 },
    /// G-006. A vector with a part that is no number, or without a direction.
    #[error("the vector of {id} is not finite or has no length; embed it again")]
    NoDirection { id: EntryId },
    /// G-006. A question of another length than its model makes.
    #[error("the question has {got} dimensions, its model makes {wanted}; embed it again")]
    QuestionDimensions { got: usize, wanted: u16 },
    /// G-006. A question with a part that is no number, or without a direction.
    #[error("the question's vector is not finite or has no length; embed it again")]
    QuestionWithoutDirection,
    /// G-006. A vector of a model that is neither in use nor on its way in.
    #[error("vectors of {found} cannot be compared with those of {wanted}; embed with the model in use")]
    OtherModel { found: String, wanted: String },
    #[error("there is no entry {id}")]
    Unknown { id: EntryId },
    #[error("the Grimoire changed under the cycle: {detail}; curate again")]
    OutOfStep { detail: String },
    /// G-174. Too many arrivals wait already.
    #[error("{waiting} arrivals wait already; send them again in an hour")]
    QueueFull { waiting: u32 },
    /// G-162, G-165. A PLAYBOOK that does not follow the one before.
    #[error("PLAYBOOK version {got} cannot follow {last}; start from the newest")]
    PlaybookVersion { got: u64, last: u64 },
}

/// What a Curator cycle starts from.
#[derive(Debug, Clone, PartialEq)]
pub struct Shelf {
    /// Every entry, archived and burned ones among them.
    pub grimoire: Grimoire,
    /// Episodes that distillation looks at, with their notes: those that went well or badly, and all not yet looked at.
    pub episodes: Vec<Recorded>,
    /// G-149. What waits in quarantine.
    pub quarantine: Vec<Quarantined>,
    /// G-144. Votes since the last cycle.
    pub votes: BTreeMap<EntryId, Votes>,
    /// G-083. Predictions checked since.
    pub checks: Vec<(EntryId, bool)>,
    pub playbook: Playbook,
    /// G-077. What was archived lately.
    pub pruning: PruningWindow,
    pub last_cycle: Option<Moment>,
    /// Up to which evidence was read; a cycle uses up no more than that.
    pub evidence: u64,
}

/// G-162. A PLAYBOOK that a cycle wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised {
    /// The document after it.
    pub playbook: Playbook,
    /// The cycle that made it, as its edits name it.
    pub cycle: String,
    /// What the outside is told of it.
    pub event: GrimoireEvent,
}

/// A Curator cycle on its way to the disk: all of it lands or nothing does.
#[derive(Debug, Clone)]
pub struct Cycle<'a> {
    /// The effect that asked for it, by which it lands once.
    pub effect: EffectId,
    pub now: Moment,
    pub pass: &'a CuratorPass,
    /// What its writer wrote, if anything.
    pub revised: Option<&'a Revised>,
    /// G-077. The window with this cycle in it.
    pub pruning: PruningWindow,
    /// Up to which evidence it used.
    pub evidence: u64,
    /// How many drafts waited in quarantine when it began.
    pub waiting: usize,
    pub curated: Curated,
}

impl<'a> Cycle<'a> {
    /// The cycle that a shelf and what the Curator made of it come to.
    #[must_use]
    pub fn new(
        effect: EffectId,
        now: Moment,
        shelf: &Shelf,
        pass: &'a CuratorPass,
        revised: Option<&'a Revised>,
    ) -> Self {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let report = pass.report;
        let mut pruning = shelf.pruning.clone();
        // G-077. The loss is a share of the active entries, so only what was active is lost; a candidate that faded was
        // never known.
        let is_archived = |id: EntryId| pass.grimoire.get(id).is_some_and(|entry| entry.status() == Status::Archived);
        let lost = shelf.grimoire.active().filter(|active| is_archived(active.knowledge().id)).count();
        let rate = pruning.note(now.tick, count(shelf.grimoire.active_count()), count(lost));
        let playbook = revised.map_or(&shelf.playbook, |revised| &revised.playbook);
        let curated = Curated {
            duty: pass.duty,
            added: report.added,
            promoted: report.promoted,
            demoted: report.demoted,
            archived: report.archived,
            restored: report.restored,
            burned: report.burned,
            archived_recently: rate.archived_recently,
            active_at_start: rate.active_at_start,
            active: count(pass.grimoire.active_count()),
            candidates: count(pass.grimoire.candidates().count()),
            rules: count(playbook.rules().count()),
            playbook_version: playbook.version(),
            mean_before: report.mean_before,
            mean_after: report.mean_after,
            taught: pass.taught.clone(),
        };
        Self { effect, now, pass, revised, pruning, evidence: shelf.evidence, waiting: shelf.quarantine.len(), curated }
    }
}

/// Something that arrived from outside, on its way to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arriving {
    /// What came, and by which way.
    pub arrival: Arrival,
    /// The entry nearest to it by vectors of one model, when there is a model.
    pub nearest: Option<Neighbour>,
}

/// What came of an arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrived {
    /// It was judged, and landed if it was let in.
    Judged {
        /// The name it has if it was let in.
        id: EntryId,
        ingested: Ingested,
        /// What the outside is told of it.
        event: GrimoireEvent,
    },
    /// G-174. This hour is full; it waits in the store for the next.
    Waiting,
}

/// G-165. A version of PLAYBOOK.md without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaybookHeader {
    pub version: u64,
    pub cycle: String,
    pub at: Moment,
    pub rules: u32,
    /// The hash of its text.
    pub hash: B256,
}

/// G-165. A version of PLAYBOOK.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaybookVersion {
    pub header: PlaybookHeader,
    /// Its text, as it was written.
    pub text: String,
    pub playbook: Playbook,
}

/// What the Grimoire does for an agent. Every call is durable when it returns, and lands whole or not at all.
///
/// What an entry may become is decided by its law alone: nothing here makes one active, and rows come back only through
/// [`Stored::reload`](golem_grimoire::status::Stored::reload).
pub trait Memory: Store {
    /// What a Curator cycle starts from.
    fn shelf(&self) -> Result<Shelf, StoreError>;

    /// The entries and the moment of the last cycle: what counsel is taken from. It does not grow with the life, as a
    /// shelf does, so a tick may ask for it.
    fn at_hand(&self) -> Result<(Grimoire, Option<Moment>), StoreError>;

    /// G-143. Whether ten episodes of one kind lie there that no cycle has looked at. It reads the fresh ones only, so a
    /// tick may ask.
    fn is_ripe(&self) -> Result<bool, StoreError>;

    /// What came of the cycle that effect asked for, if it landed.
    fn curated(&self, effect: EffectId) -> Result<Option<Curated>, StoreError>;

    /// Lands a cycle. Landing the same effect again changes nothing and answers what was recorded.
    ///
    /// # Errors
    /// [`StoreError`] when nothing landed; [`Refusal::OutOfStep`] when the shelf has changed since it was read.
    fn land_cycle(&mut self, cycle: &Cycle<'_>) -> Result<Curated, StoreError>;

    /// The entry of that name.
    fn entry(&self, id: EntryId) -> Result<Option<Entry>, StoreError>;

    /// G-144. Keeps evidence for the next cycle. `cause` names what happened: told twice it counts once.
    ///
    /// # Errors
    /// [`StoreError`] when it is not on disk; [`Refusal::Unknown`] for no such entry.
    fn vote(&mut self, cause: B256, id: EntryId, votes: Votes) -> Result<(), StoreError>;

    /// G-083. Keeps a checked prediction for the next cycle, once for each cause.
    fn check(&mut self, cause: B256, id: EntryId, correct: bool) -> Result<(), StoreError>;

    /// G-081, G-093. Remembers that entries were retrieved. Nothing grows by it.
    ///
    /// # Errors
    /// [`StoreError`] when it is not on disk; names of no entry are passed over.
    fn mark_accessed(&mut self, ids: &[EntryId], tick: Tick) -> Result<(), StoreError>;

    /// G-079, G-080. Reinforces an entry, once for each cause; one that is not alive is not.
    fn reinforce(&mut self, cause: B256, id: EntryId, by: Reinforcement) -> Result<(), StoreError>;

    /// G-174, G-175. Sends arrivals through customs and gate and lands what they let in as candidates or in quarantine,
    /// never as active. What waited from an earlier hour comes first; what exceeds this hour waits.
    ///
    /// # Errors
    /// [`StoreError`] when nothing landed; [`Refusal::QueueFull`] when too many wait.
    fn ingest(&mut self, arriving: Vec<Arriving>, now: Moment) -> Result<Vec<Arrived>, StoreError>;

    /// G-178, I-082. How often each pattern of what others sent was refused; what was tested here and burned is among it.
    fn refusals(&self) -> Result<Vec<(B256, u32)>, StoreError>;

    /// Living entries that have no vector of that model, oldest first, with the text to embed.
    fn unembedded(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<(EntryId, String)>, StoreError>;

    /// G-006. Keeps vectors. The first model is searched at once; another is gathered beside it and takes its place, in
    /// the same transaction, when every living entry has a vector of it.
    ///
    /// # Errors
    /// [`StoreError`] when none was kept; [`Refusal`] for a vector that is none, or of an unknown entry.
    fn keep_vectors(
        &mut self,
        model: &EmbeddingModel,
        vectors: &[(EntryId, Vec<f32>)],
        at: UtcTime,
    ) -> Result<EmbeddingState, StoreError>;

    /// I-071, I-072. Puts away those of these candidates that were sent and whose vector, by the model that is searched, lies far
    /// from those of everything held true here; answers which. With fewer than fifty of these nothing is unusual.
    fn put_away_odd(&mut self, ids: &[EntryId], now: Moment) -> Result<Vec<EntryId>, StoreError>;

    /// Which model is searched, and how far another has come.
    fn embedding_state(&self) -> Result<EmbeddingState, StoreError>;

    /// G-087 to G-101. What answers a moment, best first, each answer with its reason.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be searched; [`Refusal`] for a vector that is none or of another model.
    fn recall(&self, asked: &Asked) -> Result<SearchAnswer, StoreError>;

    /// G-165. A version of PLAYBOOK.md, or the newest.
    fn playbook(&self, version: Option<u64>) -> Result<Option<PlaybookVersion>, StoreError>;

    /// G-165. Every version, oldest first.
    fn playbook_versions(&self) -> Result<Vec<PlaybookHeader>, StoreError>;

    /// D-020, D-247. What dreams supposed and nobody tried: the lines of the last dream, then what was staged, best first.
    fn untried(&self) -> Result<Vec<InheritedHypothesis>, StoreError> {
        Ok(Vec::new())
    }

    /// D-168. Where dreams are kept, for a memory that keeps them.
    fn dreams(&mut self) -> Option<&mut (dyn Dreams + Send)> {
        None
    }
}
