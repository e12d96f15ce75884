//! What a dream is dreamt from: everything as it was at the moment of falling asleep, and nothing that changes meanwhile.

use std::collections::BTreeSet;
use std::fmt;

use golem_daimon::Pad;
use golem_daimon::dream::DreamTrace;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Knowledge, Method};
use golem_grimoire::episode::{EpisodeOutcome, Recorded};
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::{CausalLink, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::regime::Regime;
use golem_grimoire::retention::RetentionLaw;
use golem_mortality::phase::Phase;
use golem_primitives::{Bps, GolemId, Ppm, Tick, Usdc, UtcTime};

use crate::clocks::Clocks;
use crate::market::{Path, Position, Trade};
use crate::onset::fragment::Held;
use crate::rem::threat::{Guard, Pheromone, Rehearsals};
use crate::schedule::Opening;
use crate::vector::Vector;

/// The number of a cycle in a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct CycleId(pub u64);

impl fmt::Display for CycleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("cycle-{}", self.0))
    }
}

/// An episode as a dream sees it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trace {
    pub recorded: Recorded,
    /// The market it happened in, as a vector.
    pub vector: Option<Vector>,
    /// The surprise that was recorded; without, the distance of what came from what was said.
    pub surprise: Option<Ppm>,
    /// D-074. What the best alternative would have brought beside what came; read when a dream opens.
    pub regret: Option<Ppm>,
    /// Where it comes from; another's last words are marked by it.
    pub provenance: Provenance,
    /// The amounts of the trade it is about.
    pub trade: Option<Trade>,
    pub feeling: Option<DreamTrace>,
}

impl From<Recorded> for Trace {
    /// An episode of one's own, with nothing else known of it.
    fn from(recorded: Recorded) -> Self {
        Self {
            recorded,
            vector: None,
            surprise: None,
            regret: None,
            provenance: Provenance::Own,
            trade: None,
            feeling: None,
        }
    }
}

impl Trace {
    /// Its name.
    #[must_use]
    pub const fn id(&self) -> EpisodeId {
        self.recorded.episode.id
    }

    /// D-074. How surprising it was, in [0, 1].
    #[must_use]
    pub fn surprise(&self) -> f64 {
        self.surprise.map_or_else(|| self.recorded.episode.surprise().min(1.0), |score| score.as_f64())
    }

    /// D-084. How far what came was from what was said; `None` when nothing was said.
    #[must_use]
    pub fn confusion(&self) -> Option<f64> {
        match (self.recorded.episode.expected, self.recorded.episode.actual) {
            (Some(expected), Some(actual)) => Some((actual - expected).abs()),
            _ => None,
        }
    }

    /// Which way it went: 1, -1, or 0 when nothing was at stake.
    #[must_use]
    pub const fn sign(&self) -> i8 {
        match self.recorded.episode.outcome {
            EpisodeOutcome::Positive => 1,
            EpisodeOutcome::Negative => -1,
            EpisodeOutcome::Neutral | EpisodeOutcome::Descriptive => 0,
        }
    }

    /// What is left of its feeling.
    #[must_use]
    pub fn pad(&self) -> Option<Pad> {
        let felt = self.recorded.episode.emotion.map(|tag| tag.pad);
        self.feeling.map(|trace| trace.processed()).or(felt)
    }

    /// The size of what is left of its arousal.
    #[must_use]
    pub fn arousal(&self) -> f64 {
        self.pad().map_or(0.0, |pad| pad.arousal().abs())
    }

    /// D-064. How much it stands out.
    #[must_use]
    pub fn salience(&self) -> f64 {
        self.surprise().max(self.arousal())
    }

    /// D-078. Whether it is of the dead.
    #[must_use]
    pub fn is_bloodstain(&self) -> bool {
        self.provenance == Provenance::Testament
    }

    /// The position it belongs to.
    #[must_use]
    pub fn position(&self) -> Option<&str> {
        self.trade.as_ref().map(|trade| trade.position.as_str())
    }
}

/// What is not forgotten, newest first; names break ties.
pub(crate) fn newest(traces: &[Trace]) -> Vec<&Trace> {
    let mut all: Vec<&Trace> = traces.iter().filter(|trace| !trace.recorded.notes.is_forgotten).collect();
    all.sort_by_key(|trace| std::cmp::Reverse((trace.recorded.episode.happened, trace.id())));
    all
}

/// An entry as a dream sees it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct KnownEntry {
    pub id: EntryId,
    pub kind: Kind,
    pub text: String,
    pub confidence: Confidence,
    /// What is left of it by time.
    pub remaining: Ppm,
    pub retrievals: u32,
    /// Which way it points: 1, -1 or 0.
    pub sign: i8,
    pub vector: Option<Vector>,
    pub last_tried: Option<Tick>,
    /// D-124. Whether it stands in PLAYBOOK.md.
    pub is_in_playbook: bool,
}

impl KnownEntry {
    /// An entry as it is now.
    #[must_use]
    pub fn of(knowledge: &Knowledge, vector: Option<Vector>, law: &RetentionLaw, now: UtcTime) -> Self {
        let sign = match &knowledge.draft.method {
            Method::Rules(finding) => finding.sign(),
            _ if knowledge.is_avoidance() => -1,
            _ => 0,
        };
        Self {
            id: knowledge.id,
            kind: knowledge.kind(),
            text: knowledge.draft.content.clone(),
            confidence: knowledge.confidence,
            remaining: knowledge.remaining(law, now),
            retrievals: knowledge.access_count,
            sign,
            vector,
            last_tried: Some(knowledge.last_validated.tick),
            is_in_playbook: false,
        }
    }
}

/// A causal link with what it moved by.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredLink {
    pub id: EntryId,
    pub link: CausalLink,
    /// By how much the effect moved on the mean.
    pub delta: Bps,
}

/// D-045, D-072. A line of reasoning that was open when the Golem fell asleep.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Thread {
    pub text: String,
    pub episodes: BTreeSet<EpisodeId>,
    /// Whether it is a puzzle nobody has answered.
    pub is_puzzle: bool,
}

/// What answers where a model is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Nobody: the rules alone, for nothing.
    Rules,
    /// A model, at these prices for one call at most.
    Model {
        t0: Usdc,
        /// A small one.
        t1: Usdc,
        /// A large one; `None` where none is served or none may be asked.
        t2: Option<Usdc>,
    },
}

/// D-206, D-247. A hypothesis of a predecessor that nobody has tried.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct InheritedHypothesis {
    pub text: String,
    /// Under which condition it could be confirmed.
    pub criterion: String,
}

/// Everything a cycle is dreamt from, frozen.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Frozen {
    pub golem: GolemId,
    pub cycle: CycleId,
    pub opened: Moment,
    pub opening: Opening,
    pub phase: Phase,
    pub vitality: Ppm,
    /// D-052. The mood, read once; `None` where the Daimon is off.
    pub mood: Option<Pad>,
    pub regime: Option<Regime>,
    /// D-132. The fifth of volatility, 1 to 5.
    pub volatility: u8,
    /// D-132. Whether liquidity is thin.
    pub is_thin: bool,
    pub market: Option<Vector>,
    pub clocks: Clocks,
    pub traces: Vec<Trace>,
    pub known: Vec<KnownEntry>,
    pub edges: Vec<MeasuredLink>,
    pub positions: Vec<Position>,
    pub paths: Vec<Path>,
    pub guards: Vec<Guard>,
    /// When threats were rehearsed, and what came of them.
    pub rehearsals: Rehearsals,
    /// D-138. What siblings warn of.
    pub pheromones: Vec<Pheromone>,
    /// What was being thought.
    pub threads: Vec<Thread>,
    /// D-060. Fragments that wait for a second look.
    pub held: Vec<Held>,
    /// D-206. What a predecessor supposed and nobody tried.
    pub heirlooms: Vec<InheritedHypothesis>,
    pub supposed: Vec<String>,
    /// D-061. What the observer's scores are multiplied by.
    pub observer_bias: f64,
    pub engine: Engine,
}

impl Frozen {
    /// The path of an asset.
    #[must_use]
    pub fn path(&self, asset: &str) -> Option<&Path> {
        self.paths.iter().find(|path| path.asset == asset)
    }
}
