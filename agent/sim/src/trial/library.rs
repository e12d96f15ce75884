//! What one life knows, in memory: the shelf a Curator starts from, and the landing of its cycles.
//!
//! It keeps what a store keeps of episodes: those that went well or badly for ever, the others until a whole cycle has
//! looked at them (G-117).

use std::collections::{BTreeMap, BTreeSet};

use golem_core::curation::{Curation, Sources, Written};
use golem_core::record::Curated;
use golem_grimoire::curator::{CuratorPass, Duty};
use golem_grimoire::distil::EARLY_EPISODES;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::{Annotations, Episode, Recorded};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::Kind;
use golem_grimoire::playbook::Playbook;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::pruning::PruningWindow;
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{Candidate, Entry};
use golem_grimoire::strength::Reinforcement;
use golem_grimoire::thesis::Thesis;
use golem_ports::{Cycle, Revised, Shelf};
use golem_primitives::{EffectId, Tick};

/// A trial's genome is far smaller than what one cycle takes up.
static NOBODY: BTreeSet<EntryId> = BTreeSet::new();

/// What happened to an entry in a cycle, as far as the trials count it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turned {
    pub(crate) how: Turn,
    pub(crate) kind: Kind,
    pub(crate) provenance: Provenance,
    /// What it claims, if counting can decide it.
    pub(crate) thesis: Option<Thesis>,
}

/// Which way it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// A candidate became active.
    Promoted,
    /// An active entry was contradicted out of its place.
    Demoted,
    /// It burned.
    Burned,
}

/// The Grimoire of one life.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    shelf: Shelf,
    /// Episodes with an outcome that no cycle has looked at, by kind.
    fresh: BTreeMap<(PatternKey, Option<Regime>), usize>,
    /// How many episodes without an outcome stay when a cycle has looked at them: dreams look at them too.
    kept: usize,
    /// Episodes lived, and those of them that a dream has replayed.
    lived: u64,
    replayed: u64,
}

impl Library {
    /// An empty one.
    pub(crate) fn new() -> Self {
        let shelf = Shelf {
            grimoire: Grimoire::default(),
            episodes: Vec::new(),
            quarantine: Vec::new(),
            votes: BTreeMap::new(),
            checks: Vec::new(),
            playbook: Playbook::default(),
            pruning: PruningWindow::default(),
            last_cycle: None,
            evidence: 0,
        };
        Self { shelf, fresh: BTreeMap::new(), kept: 0, lived: 0, replayed: 0 }
    }

    /// The same for a life that dreams.
    pub(crate) fn keeping(self, kept: usize) -> Self {
        Self { kept, ..self }
    }

    /// Episodes lived.
    pub(crate) const fn lived(&self) -> u64 {
        self.lived
    }

    /// Of them those no dream has replayed.
    pub(crate) const fn unreplayed(&self) -> u64 {
        self.lived.saturating_sub(self.replayed)
    }

    /// D-089. Notes of episodes, as a dream left them.
    pub(crate) fn renote(&mut self, mut notes: BTreeMap<EpisodeId, Annotations>) {
        if notes.is_empty() {
            return;
        }
        for recorded in &mut self.shelf.episodes {
            let Some(now) = notes.remove(&recorded.episode.id) else { continue };
            self.replayed += u64::from(recorded.notes.replay_count == 0 && now.replay_count > 0);
            recorded.notes = now;
        }
        self.count_fresh();
    }

    /// D-144. What a dream delivered to the Grimoire, and what Integration wrote; answers what happened to entries.
    pub(crate) fn take_delivery(&mut self, pass: Option<CuratorPass>, written: Option<Written>) -> Vec<Turned> {
        if let Some(written) = written {
            self.shelf.playbook = written.playbook;
        }
        let Some(pass) = pass else { return Vec::new() };
        let turned = turned(&self.shelf, &pass);
        self.shelf.quarantine = pass.quarantine;
        self.shelf.grimoire = pass.grimoire;
        turned
    }

    pub(crate) const fn grimoire(&self) -> &Grimoire {
        &self.shelf.grimoire
    }

    pub(crate) fn episodes(&self) -> &[Recorded] {
        &self.shelf.episodes
    }

    /// I-005, I-362. What was inherited joins as candidates. Answers how many there were.
    pub(crate) fn adopt(&mut self, candidates: impl IntoIterator<Item = Candidate>, now: Moment) -> u32 {
        let joined = candidates
            .into_iter()
            .filter(|candidate| self.shelf.grimoire.apply(Change::Add(Box::new(candidate.clone())), now).is_ok());
        u32::try_from(joined.count()).unwrap_or(u32::MAX)
    }

    /// Writes down what a pass lived.
    pub(crate) fn note(&mut self, lived: Vec<Episode>) {
        for episode in lived {
            self.lived += 1;
            if episode.held().is_some() {
                *self.fresh.entry((episode.key.clone(), episode.regime)).or_default() += 1;
            }
            self.shelf.episodes.push(Recorded::from(episode));
        }
    }

    /// G-079. What spoke for a trade that went well is reinforced.
    pub(crate) fn reinforce(&mut self, id: EntryId, by: Reinforcement) {
        self.shelf.grimoire.reinforce(id, by);
    }

    /// G-081. What spoke counts as retrieved, once a tick.
    pub(crate) fn mark(&mut self, ids: impl Iterator<Item = EntryId>, now: Tick) {
        let is_unmarked = |known: &Knowledge| known.last_accessed < now;
        let unmarked: Vec<EntryId> =
            ids.filter(|id| self.shelf.grimoire.get(*id).and_then(Entry::knowledge).is_some_and(is_unmarked)).collect();
        self.shelf.grimoire.mark_accessed(unmarked, now);
    }

    /// G-143. Whether ten episodes of one kind lie there that no cycle has looked at.
    pub(crate) fn is_ripe(&self) -> bool {
        self.fresh.values().any(|count| *count >= EARLY_EPISODES)
    }

    /// What a cycle reads.
    pub(crate) const fn sources(&self) -> Sources<'_> {
        Sources {
            grimoire: &self.shelf.grimoire,
            episodes: self.shelf.episodes.as_slice(),
            votes: &self.shelf.votes,
            checks: self.shelf.checks.as_slice(),
            quarantine: self.shelf.quarantine.as_slice(),
            playbook: &self.shelf.playbook,
            held: &NOBODY,
        }
    }

    /// G-139. Lands a cycle; answers its numbers and what happened to entries.
    pub(crate) fn land(&mut self, effect: EffectId, now: Moment, made: Curation) -> (Curated, Vec<Turned>) {
        let Curation { pass, written } = made;
        let revised =
            written.map(|written| Revised { playbook: written.playbook, cycle: written.cycle, event: written.event });
        let turned = turned(&self.shelf, &pass);
        let Cycle { curated, pruning, .. } = Cycle::new(effect, now, &self.shelf, &pass, revised.as_ref());
        self.note_episodes(&pass, now.tick);
        if pass.duty >= Duty::Housekeeping {
            self.shelf.votes.clear();
            self.shelf.checks.clear();
        }
        self.shelf.pruning = pruning;
        self.shelf.last_cycle = Some(now);
        self.shelf.quarantine = pass.quarantine;
        self.shelf.grimoire = pass.grimoire;
        if let Some(revised) = revised {
            self.shelf.playbook = revised.playbook;
        }
        (curated, turned)
    }

    fn note_episodes(&mut self, pass: &CuratorPass, now: Tick) {
        let is_whole = pass.duty == Duty::Whole;
        for recorded in &mut self.shelf.episodes {
            let id = recorded.episode.id;
            let is_settled = is_whole && recorded.episode.held().is_none() && recorded.episode.recorded.tick <= now;
            recorded.notes.is_consolidated |= is_settled || pass.consolidated.contains(&id);
            if let Some(why) = pass.tags.get(&id) {
                recorded.notes.dream_priority = Some(*why);
            }
        }
        let is_settled = |recorded: &Recorded| recorded.episode.held().is_none() && recorded.notes.is_consolidated;
        let settled = self.shelf.episodes.iter().filter(|recorded| is_settled(recorded)).count();
        let mut extra = settled.saturating_sub(self.kept);
        self.shelf.episodes.retain(|recorded| {
            let goes = extra > 0 && is_settled(recorded);
            extra -= usize::from(goes);
            !goes
        });
        self.count_fresh();
    }

    fn count_fresh(&mut self) {
        self.fresh.clear();
        let is_fresh = |recorded: &&Recorded| !recorded.notes.is_consolidated && !recorded.notes.is_forgotten;
        let fresh = self.shelf.episodes.iter().filter(is_fresh).filter(|recorded| recorded.episode.held().is_some());
        for recorded in fresh {
            let kind = (recorded.episode.key.clone(), recorded.episode.regime);
            *self.fresh.entry(kind).or_default() += 1;
        }
    }
}

/// What a pass does to entries that were there, or that it made itself.
fn turned(shelf: &Shelf, pass: &CuratorPass) -> Vec<Turned> {
    let known = |id: EntryId| {
        let living = shelf.grimoire.get(id).and_then(Entry::knowledge);
        living.or_else(|| pass.grimoire.get(id).and_then(Entry::knowledge))
    };
    let mut all = Vec::new();
    for change in &pass.changes {
        let (id, how) = match change {
            Change::Promote { id, .. } => (*id, Turn::Promoted),
            Change::Demote { id } => (*id, Turn::Demoted),
            Change::Burn { id, .. } => (*id, Turn::Burned),
            _ => continue,
        };
        let Some(entry) = known(id) else { continue };
        let thesis = Thesis::of(&entry.draft).or_else(|| supposed(entry, &shelf.episodes));
        all.push(Turned { how, kind: entry.kind(), provenance: entry.draft.source.provenance, thesis });
    }
    all
}

/// What a dreamt entry claims: that what its episodes are about holds as it held in them. `None` where they are about
/// different things, and for what was not dreamt.
fn supposed(entry: &Knowledge, episodes: &[Recorded]) -> Option<Thesis> {
    if entry.draft.source.provenance != Provenance::Dream || entry.kind() == Kind::Warning {
        return None;
    }
    let behind: Vec<&Recorded> =
        episodes.iter().filter(|recorded| entry.draft.parents.contains(&recorded.episode.id)).collect();
    let first = &behind.first()?.episode;
    let is_alike = |one: &&Recorded| one.episode.key == first.key && one.episode.regime == first.regime;
    let held: Vec<bool> = behind.iter().filter(|one| is_alike(one)).filter_map(|one| one.episode.held()).collect();
    let holds = 2 * held.iter().filter(|held| **held).count() >= held.len();
    let thesis = Thesis { kind: entry.kind(), key: first.key.clone(), regime: first.regime, holds };
    (held.len() == behind.len()).then_some(thesis)
}
