//! The testament: what a dying Golem says, as data. Writing it as a file is another room's work.
//!
//! Nine [sections](section) hold what was learned, in typed items; [`fill`](mod@fill) fills them from records by rule,
//! so that a Golem without a model leaves an honest testament, and [`advise`] its advice; [`affect`] reads the arc of
//! a life from its moods and [`feeling`] the rest of what it felt; [`acceptance`] says how its death began; [`heirloom`]
//! turns sections into drafts for the heir's gate.

use golem_daimon::personality::Disposition;
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::Status;
use golem_mortality::cause::Death;
use golem_mortality::mode::Mode;
use golem_primitives::{Address, B256, GolemId, LineageId, Ppm, Tick, Usdc, UtcTime, keccak256};

use crate::heir::sha256_of;

pub mod acceptance;
pub mod advise;
pub mod affect;
pub mod estate;
pub mod feeling;
pub mod fill;
pub mod heirloom;
pub mod section;

pub use section::{Section, Sections};

/// M-218. Which shape the record has.
pub const VERSION: &str = "4.0";

/// M-218, I-302. Whose testament it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Header {
    pub golem: GolemId,
    pub owner: Address,
    pub lineage: LineageId,
    pub generation: u32,
}

/// M-219. The death.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DeathNotice {
    pub death: Death,
    /// When; shown in RFC 3339.
    pub at: UtcTime,
    pub trigger_tick: Tick,
    pub final_tick: Tick,
}

/// M-220. A life in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct LifeStats {
    pub ticks: u64,
    pub hours: u64,
    pub funded: Usdc,
    pub earned: Usdc,
    pub spent: Usdc,
    pub trades: u32,
    pub insights_generated: u32,
    pub insights_inherited: u32,
    /// Insights nobody of its line had.
    pub insights_novel: u32,
    /// P-079. Phages and replicants sent out.
    pub phages: u32,
    pub clade_contributions: u32,
    pub final_fitness: Ppm,
    pub peak_fitness: Ppm,
    /// Age at death as a share of what it could have been.
    pub age_utilisation: Ppm,
    /// How far PLAYBOOK.md moved from the inherited one; `None` when nobody could measure it.
    pub playbook_divergence: Option<Ppm>,
}

impl LifeStats {
    /// M-220. Earned less spent, in micro-USDC.
    #[must_use]
    pub fn net_micros(&self) -> i128 {
        i128::from(self.earned.micros()) - i128::from(self.spent.micros())
    }
}

/// M-223. A move of the settlement.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SettlementAction {
    pub what: String,
    pub tx: Option<B256>,
    pub recovered: Usdc,
    pub gas: Usdc,
    pub failure: Option<String>,
    /// M-193. Profit or loss by it, in micro-USDC.
    #[serde(default)]
    pub pnl_micros: i64,
    /// M-193. How it was borne.
    #[serde(default)]
    pub bearing: Bearing,
}

golem_primitives::words! {
    /// M-193. How a move of the settlement was borne; a word of the record, not of a mood.
    #[derive(Default)]
    Bearing {
        Frustration = "frustration",
        /// It brought more than it had cost.
        Satisfaction = "satisfaction",
        /// It lost more than a tenth.
        Resignation = "resignation",
        #[default]
        Neutral = "neutral",
    }
}

impl Bearing {
    /// M-193. How a move of that worth with that result is borne. Nothing is lent here, so nothing is relief.
    #[must_use]
    pub fn of(has_failed: bool, pnl_micros: i64, value: Usdc) -> Self {
        let tenth = i128::from(value.micros()) / 10;
        match pnl_micros {
            _ if has_failed => Self::Frustration,
            1.. => Self::Satisfaction,
            loss if i128::from(loss) < -tenth => Self::Resignation,
            _ => Self::Neutral,
        }
    }
}

/// M-223. The settlement.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct SettlementRecord {
    /// Every move in order.
    pub actions: Vec<SettlementAction>,
}

impl SettlementRecord {
    /// What came back.
    #[must_use]
    pub fn recovered(&self) -> Usdc {
        self.actions.iter().filter(|action| action.failure.is_none()).map(|action| action.recovered).sum()
    }

    /// What it cost; a failed move costs too.
    #[must_use]
    pub fn gas(&self) -> Usdc {
        self.actions.iter().map(|action| action.gas).sum()
    }

    /// Moves that failed.
    pub fn failures(&self) -> impl Iterator<Item = &SettlementAction> {
        self.actions.iter().filter(|action| action.failure.is_some())
    }
}

/// M-223. A Grimoire in numbers, with its best insights and its open questions.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct GrimoireSummary {
    pub total: u32,
    pub active: u32,
    pub archived: u32,
    pub burned: u32,
    pub top_insights: Vec<String>,
    pub open_questions: Vec<String>,
}

/// Statements of a summary.
const TOP: usize = 10;

impl GrimoireSummary {
    /// The summary of a Grimoire.
    #[must_use]
    pub fn of(grimoire: &Grimoire) -> Self {
        let count = |status| {
            u32::try_from(grimoire.entries().filter(|entry| entry.status() == status).count()).unwrap_or(u32::MAX)
        };
        let mut best: Vec<_> = grimoire.active().map(golem_grimoire::status::Active::knowledge).collect();
        best.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(b.quality.cmp(&a.quality)).then(a.id.cmp(&b.id)));
        let questions = golem_grimoire::reflection::open_questions(grimoire);
        let said = |id| grimoire.get(id).and_then(|entry| entry.knowledge()).map(|entry| entry.draft.content.clone());
        Self {
            total: u32::try_from(grimoire.entries().count()).unwrap_or(u32::MAX),
            active: count(Status::Active),
            archived: count(Status::Archived),
            burned: count(Status::Burned),
            top_insights: best.iter().take(TOP).map(|entry| entry.draft.content.clone()).collect(),
            open_questions: questions.into_iter().filter_map(said).collect(),
        }
    }
}

/// I-300, I-304, M-202. What a dying Golem would have its successor do. Advice only: an owner, or nobody, follows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Recommendation {
    /// I-304. Adjustments with their reasons.
    pub adjustments: Vec<Adjustment>,
    pub outlook: String,
    /// Settings worth another value: name and value.
    pub config_hints: Vec<(String, String)>,
    pub investigations: Vec<String>,
    pub self_assessment: String,
    pub funding: Usdc,
    /// M-202. How its successor should lean; `None` where older code wrote it.
    #[serde(default)]
    pub disposition: Option<Disposition>,
    /// M-202. The market its successor is born into, if one was recognised.
    #[serde(default)]
    pub regime: Option<Regime>,
    /// M-202. What its own moods teach; empty when affect was off.
    #[serde(default)]
    pub guidance: Vec<String>,
}

golem_primitives::words! {
    /// I-300, I-266. What to do with a part of a strategy.
    Verb {
        Change = "change",
        Keep = "keep",
        Investigate = "investigate",
    }
}

/// I-304. An adjustment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Adjustment {
    pub verb: Verb,
    pub what: String,
    pub rationale: String,
    pub confidence: Ppm,
    pub entries: Vec<golem_grimoire::id::EntryId>,
    /// I-300. Whether it is about a heuristic gone stale.
    pub is_stale: bool,
}

/// I-300, I-301, I-302. All of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Testament {
    pub header: Header,
    pub death: DeathNotice,
    pub stats: LifeStats,
    pub sections: Sections,
    /// I-300. The story.
    pub narrative: String,
    /// I-260. What is quoted on its stone.
    pub last_words: String,
    /// I-303. The shape of its life.
    pub arc: affect::ArcReading,
    /// M-223. What became of its positions.
    pub settlement: SettlementRecord,
    /// M-223. What it knew.
    pub grimoire: GrimoireSummary,
    /// M-223. The raw PLAYBOOK.md.
    pub playbook: String,
    /// I-203. Whether that says too little of its own.
    pub low_divergence: bool,
    /// M-224. What it felt; `None` when affect was off.
    pub emotion: Option<affect::EmotionalLayer>,
    /// I-304. What it advises; `None` of an immortal, who has no successor (I-352).
    pub recommendation: Option<Recommendation>,
    /// I-305, M-225. The mode it lived in.
    pub mode: Mode,
}

impl Testament {
    /// I-305, M-225. Whether the life belonged to the control group.
    #[must_use]
    pub const fn is_of_the_control_group(&self) -> bool {
        !self.mode.is_mortal()
    }
}

/// M-223, T-007. What the written testament hashes to: keccak for the chain, SHA-256 for bundle and archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seal {
    /// Of the JSON bytes, as the chain records it.
    pub keccak: B256,
    /// Of the same bytes, as the bundle carries it.
    pub sha256: [u8; 32],
    pub bytes: u64,
}

impl Seal {
    /// The seal of a written testament.
    #[must_use]
    pub fn of(written: &[u8]) -> Self {
        let bytes = u64::try_from(written.len()).unwrap_or(u64::MAX);
        Self { keccak: keccak256(written), sha256: sha256_of(written), bytes }
    }

    /// Whether these are the bytes that were sealed.
    #[must_use]
    pub fn holds(&self, written: &[u8]) -> bool {
        *self == Self::of(written)
    }
}
