//! The Grimoire in the file: episodes, entries, cycles, vectors and words, and the search over them.

use golem_core::record::Curated;
use golem_grimoire::confidence::Votes;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Entry;
use golem_grimoire::strength::Reinforcement;
use golem_ports::{
    Arrived, Arriving, Asked, Cycle, EmbeddingModel, EmbeddingState, Memory, PlaybookHeader, PlaybookVersion,
    SearchAnswer, Shelf, StoreError,
};
use golem_primitives::{B256, EffectId, Tick, UtcTime};

use crate::reader::look;
use crate::store::SqliteStore;

mod adopt;
mod audit;
mod carried;
mod changes;
mod columns;
mod cycle;
pub(crate) mod dreams;
mod entries;
pub(crate) mod episodes;
mod evidence;
mod exchange;
pub(crate) mod index;
mod ingest;
mod list;
mod matrix;
mod playbook;
mod recall;
mod stats;
mod vectors;
mod words;

pub use audit::Flaw;
pub use carried::Claimed;
pub use changes::EntryChange;
pub use exchange::{Import, ImportError, ImportReason};
pub use list::Lookup;
pub use stats::GrimoireStats;

use evidence::Told;

impl Memory for SqliteStore {
    fn shelf(&self) -> Result<Shelf, StoreError> {
        self.reader().shelf()
    }

    fn at_hand(&self) -> Result<(Grimoire, Option<Moment>), StoreError> {
        let _look = look(self.reader())?;
        let last = self.reader().last_cycles(1)?.first().map(|(at, _)| *at);
        Ok((self.reader().grimoire()?, last))
    }

    fn is_ripe(&self) -> Result<bool, StoreError> {
        self.reader().is_ripe()
    }

    fn curated(&self, effect: EffectId) -> Result<Option<Curated>, StoreError> {
        self.reader().curated(effect)
    }

    fn land_cycle(&mut self, cycle: &Cycle<'_>) -> Result<Curated, StoreError> {
        cycle::land(self.reader(), cycle)
    }

    fn entry(&self, id: EntryId) -> Result<Option<Entry>, StoreError> {
        self.reader().entry(id)
    }

    fn vote(&mut self, cause: B256, id: EntryId, votes: Votes) -> Result<(), StoreError> {
        evidence::tell(self.reader(), cause, id, Told::Vote(votes))
    }

    fn check(&mut self, cause: B256, id: EntryId, correct: bool) -> Result<(), StoreError> {
        evidence::tell(self.reader(), cause, id, Told::Check(correct))
    }

    fn mark_accessed(&mut self, ids: &[EntryId], tick: Tick) -> Result<(), StoreError> {
        evidence::mark_accessed(self.reader(), ids, tick)
    }

    fn reinforce(&mut self, cause: B256, id: EntryId, by: Reinforcement) -> Result<(), StoreError> {
        evidence::tell(self.reader(), cause, id, Told::Reinforcement(by))
    }

    fn ingest(&mut self, arriving: Vec<Arriving>, now: Moment) -> Result<Vec<Arrived>, StoreError> {
        ingest::ingest(self.reader(), arriving, now)
    }

    fn refusals(&self) -> Result<Vec<(B256, u32)>, StoreError> {
        self.reader().refusals()
    }

    fn unembedded(&self, model: &EmbeddingModel, limit: usize) -> Result<Vec<(EntryId, String)>, StoreError> {
        self.reader().unembedded(model, limit)
    }

    fn keep_vectors(
        &mut self,
        model: &EmbeddingModel,
        vectors: &[(EntryId, Vec<f32>)],
        at: UtcTime,
    ) -> Result<EmbeddingState, StoreError> {
        vectors::keep(self.reader(), model, vectors, at)
    }

    fn put_away_odd(&mut self, ids: &[EntryId], now: Moment) -> Result<Vec<EntryId>, StoreError> {
        vectors::put_away_odd(self.reader(), ids, now)
    }

    fn embedding_state(&self) -> Result<EmbeddingState, StoreError> {
        self.reader().embedding_state()
    }

    fn recall(&self, asked: &Asked) -> Result<SearchAnswer, StoreError> {
        self.reader().recall(asked)
    }

    fn playbook(&self, version: Option<u64>) -> Result<Option<PlaybookVersion>, StoreError> {
        self.reader().playbook(version)
    }

    fn playbook_versions(&self) -> Result<Vec<PlaybookHeader>, StoreError> {
        self.reader().playbook_versions()
    }

    fn untried(&self) -> Result<Vec<golem_dreams::inputs::InheritedHypothesis>, StoreError> {
        self.reader().untried()
    }

    fn dreams(&mut self) -> Option<&mut (dyn golem_ports::Dreams + Send)> {
        Some(self)
    }
}
