//! Dreams on disk: what one is dreamt from, what it asked and was told, and what it left. All of it under the effect that
//! wants it, so that a crash changes nothing.

use golem_core::dreaming::{DreamShelf, Landing, Slumber};
use golem_core::record::Dreamt;
use golem_daimon::dream::DreamTrace;
use golem_dreams::dream::Answer;
use golem_dreams::integration::journal::DreamJournalEntry;
use golem_grimoire::episode::Recorded;
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EpisodeId, Moment};
use golem_primitives::{EffectId, Usdc};

use crate::store::StoreError;

/// D-206. The note of a memory that says in which cycle something was first supposed and the dream ended whole: what a
/// predecessor left to suppose was taken then.
pub const FIRST_SUPPOSED_NOTE: &str = "first_supposed";

/// A dream that began, as it lies on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenDream {
    pub slumber: Slumber,
    /// Every answer it was given, in the order of its questions.
    pub answers: Vec<Answer>,
    /// The question that was sent and not answered, with its ceiling: nobody knows what came of it.
    pub sent: Option<(u32, Usdc)>,
}

/// D-039. What a tick asks of memory: it reads a bounded number of rows, however long the life.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stirring {
    pub episodes: u64,
    /// Of them those no dream has replayed; of more than a thousand, a thousand.
    pub unreplayed: u64,
    /// The last fifty, oldest first, each with what dreams did to its feeling.
    pub last: Vec<(Recorded, Option<DreamTrace>)>,
}

/// A dream on its way to the disk: all of it lands or nothing does.
#[derive(Debug, Clone, Copy)]
pub struct Settled<'a> {
    /// The effect that wanted it, by which it lands once.
    pub effect: EffectId,
    /// The moment it ends.
    pub now: Moment,
    pub landing: &'a Landing,
    /// What every call of it cost together.
    pub cost: Usdc,
}

/// A dream that is over, as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamRecord {
    pub effect: EffectId,
    /// When it ended.
    pub at: Moment,
    /// D-168. Its entry in the journal.
    pub entry: DreamJournalEntry,
    /// What the life was told.
    pub dreamt: Dreamt,
    /// What every call of it cost together.
    pub cost: Usdc,
}

/// What dreaming needs of a memory. Every call is durable when it returns, and lands whole or not at all.
pub trait Dreams {
    /// What memory keeps of dreams and for them.
    fn dream_shelf(&self) -> Result<DreamShelf, StoreError>;

    /// The newest episodes that nothing hides, oldest first, with their notes: what is dreamt of.
    fn dream_episodes(&self) -> Result<Vec<Recorded>, StoreError>;

    /// G-108. What waits in quarantine, oldest first.
    fn dream_quarantine(&self) -> Result<Vec<Quarantined>, StoreError>;

    /// D-039. What a tick asks.
    fn stirring(&self) -> Result<Stirring, StoreError>;

    /// Keeps what a dream is dreamt from, before anything is asked. One that is there already stays as it is.
    fn fall_asleep(&mut self, effect: EffectId, now: Moment, slumber: &Slumber) -> Result<(), StoreError>;

    /// The dream of that effect, if it began.
    fn dreaming(&self, effect: EffectId) -> Result<Option<OpenDream>, StoreError>;

    /// Notes that a question is about to be sent.
    fn ask(&mut self, effect: EffectId, ask: u32, ceiling: Usdc) -> Result<(), StoreError>;

    /// Keeps an answer, before the next step is taken. The first one counts.
    fn answer(&mut self, effect: EffectId, answer: &Answer) -> Result<(), StoreError>;

    /// What came of the dream that effect wanted, if it landed.
    fn dreamt(&self, effect: EffectId) -> Result<Option<DreamRecord>, StoreError>;

    /// D-183, D-186. Lands a dream. Landing the same effect again changes nothing and answers what was recorded.
    ///
    /// # Errors
    /// [`StoreError`] when nothing landed; [`Refusal::OutOfStep`](crate::Refusal::OutOfStep) when what it was dreamt from
    /// has changed so that it does not fit.
    fn land(&mut self, settled: &Settled<'_>) -> Result<DreamRecord, StoreError>;

    /// D-218. Tags episodes to be dreamt of first.
    fn tag_anomalies(&mut self, episodes: &[EpisodeId]) -> Result<(), StoreError>;
}
