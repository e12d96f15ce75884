//! From a life and its store to a dream, and from a dream's report back to what shall change.
//!
//! Pure, as [`crate::curation`] is: whoever drives a life reads what its store holds, [`freeze`]s it, lets the machine of
//! [`golem_dreams::dream`] run over it, and [`land`]s the report. A landing is one value, for one transaction. What was
//! dreamt becomes candidates; rules are found, rehearsed and tried by the book itself when the life is told of the dream.

mod freeze;
mod land;
mod links;
mod trades;
mod waking;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use golem_daimon::dream::DreamTrace;
use golem_dreams::dream::{Answer, Dream};
use golem_dreams::inputs::{Frozen, InheritedHypothesis};
use golem_dreams::law::{DreamLaw, DreamLawError};
use golem_dreams::onset::fragment::Held;
use golem_dreams::rem::rehearsal::GasState;
use golem_dreams::rem::threat::{Pheromone, Rehearsals};
use golem_dreams::vector::Vector;
use golem_grimoire::episode::Recorded;
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::playbook::Playbook;
use golem_grimoire::shelf::Grimoire;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::memory::Venue;
use crate::record::Fill;

pub use freeze::freeze;
pub use golem_dreams as law;
pub use land::{Landing, land};
pub use trades::{positions, trades};
pub use waking::{glance, recollect};

/// A price that was seen, as a look recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenPrice {
    pub tick: Tick,
    pub at: UtcTime,
    /// What one whole token cost.
    pub price: Usdc,
    pub liquidity: u128,
}

/// What a store keeps of dreams and for them.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamShelf {
    /// D-143. What dreams did to the feelings of episodes.
    pub feelings: BTreeMap<EpisodeId, DreamTrace>,
    /// D-133. When threats were rehearsed, and what came of them.
    pub rehearsals: Rehearsals,
    /// D-060. Fragments that wait for a second look.
    pub held: Vec<Held>,
    /// D-206. What a predecessor supposed and nobody tried.
    pub heirlooms: Vec<InheritedHypothesis>,
    /// What the last whole dream supposed.
    pub supposed: Vec<String>,
    /// D-138. What siblings warn of.
    pub pheromones: Vec<Pheromone>,
    /// Trades as they were made, oldest first.
    pub fills: Vec<Fill>,
    pub looks: Vec<SeenPrice>,
    pub episode_vectors: BTreeMap<EpisodeId, Vector>,
    pub entry_vectors: BTreeMap<EntryId, Vector>,
    pub market: Option<Vector>,
    /// D-061. What the observer's scores are multiplied with.
    pub observer_bias: f64,
}

impl Default for DreamShelf {
    fn default() -> Self {
        Self {
            feelings: BTreeMap::new(),
            rehearsals: Rehearsals::default(),
            held: Vec::new(),
            heirlooms: Vec::new(),
            supposed: Vec::new(),
            pheromones: Vec::new(),
            fills: Vec::new(),
            looks: Vec::new(),
            episode_vectors: BTreeMap::new(),
            entry_vectors: BTreeMap::new(),
            market: None,
            observer_bias: 1.0,
        }
    }
}

/// What a dream is dreamt from and lands in.
#[derive(Debug, Clone, Copy)]
pub struct DreamSources<'a> {
    pub grimoire: &'a Grimoire,
    pub law: &'a GrimoireLaw,
    pub episodes: &'a [Recorded],
    pub quarantine: &'a [Quarantined],
    pub playbook: &'a Playbook,
    pub venue: &'a Venue,
    pub shelf: &'a DreamShelf,
}

/// A dream before its first step: everything it is made of but the answers. It is put on disk before anybody is asked, so
/// that a process that begins again dreams the same dream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slumber {
    pub frozen: Frozen,
    pub law: DreamLaw,
    /// D-135. What leaving costs, and what there is for it.
    pub gas: Option<GasState>,
}

impl Slumber {
    /// The dream, as far as these answers lead.
    pub fn resume(self, answers: impl IntoIterator<Item = Answer>) -> Result<Dream, DreamLawError> {
        Dream::resume(self.frozen, &self.law, self.gas, answers)
    }
}

/// D-074, DG-3. How surprising an episode was: what it missed by, as a share of what was said. Returns are small numbers,
/// and a miss by the whole of a small one is a whole surprise; `None` when nothing was said or nothing came.
fn surprise_of(recorded: &Recorded) -> Option<Ppm> {
    let (said, came) = recorded.episode.expected.zip(recorded.episode.actual)?;
    let missed = (came - said).abs();
    Some(if missed == 0.0 { Ppm::ZERO } else { Ppm::round((missed / said.abs().max(f64::MIN_POSITIVE)).min(1.0)) })
}

/// These episodes, the newest first.
fn newest_first(episodes: &[Recorded]) -> Vec<&Recorded> {
    let mut newest: Vec<&Recorded> = episodes.iter().collect();
    newest.sort_by_key(|recorded| Reverse((recorded.episode.happened, recorded.episode.id)));
    newest
}

/// The size of what is left of a feeling's arousal.
fn arousal_of(recorded: &Recorded, feelings: &BTreeMap<EpisodeId, DreamTrace>) -> Ppm {
    let felt = recorded.episode.emotion.map(|tag| tag.pad);
    let pad = feelings.get(&recorded.episode.id).map(DreamTrace::processed).or(felt);
    pad.map_or(Ppm::ZERO, |pad| Ppm::round(pad.arousal().abs()))
}
