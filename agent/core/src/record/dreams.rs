//! What a life is told of dreaming, and what a dream comes to.

use golem_daimon::Pad;
use golem_dreams::inputs::CycleId;
use golem_dreams::integration::journal::{CycleEnding, EngineLabel};
use golem_dreams::law::DreamLaw;
use golem_dreams::words::{DreamTier, DreamTrigger};
use golem_playbook::rule::Rule;
use golem_primitives::{Ppm, Usdc};
use serde::{Deserialize, Serialize};

/// D-230 to D-240. What an owner chose of dreaming, and what a model that is asked in one costs at most. The first one
/// furnishes the room; a later one changes what is said here and nothing that was lived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DreamTerms {
    /// The numbers. Windows are not among them: whether one is open is told with every look (D-016), so that a journal
    /// means the same when the tables of the zones change.
    pub law: DreamLaw,
    /// What one call of T0, T1 and T2 costs at most; `None` where nobody serves.
    pub quotes: [Option<Usdc>; 3],
    /// D-194. What the owner's thresholds call the token this Golem trades.
    pub asset: String,
}

impl DreamTerms {
    /// The terms of a law, its windows left out.
    #[must_use]
    pub fn new(law: &DreamLaw, quotes: [Option<Usdc>; 3], asset: &str) -> Self {
        let mut law = law.clone();
        law.schedule.windows.clear();
        Self { law, quotes, asset: asset.to_owned() }
    }
}

/// D-039, DG-3. What memory says once this tick is written: what urgency is counted from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recollection {
    /// D-023. Episodes lived.
    pub episodes: u64,
    /// Of them those that no dream has replayed.
    pub unreplayed: u64,
    /// D-038. Mean arousal of the last fifty, what a whole dream relieved taken off.
    pub arousal: Ppm,
    /// DG-3. The last surprise scores, newest last; at most twenty count.
    pub surprises: Vec<Ppm>,
    /// D-016. Whether a configured window is open.
    pub is_window_open: bool,
    /// D-216, D-219. A glance between dreams was taken: whether it left something unresolved.
    pub glance: Option<bool>,
}

/// D-183, D-186. What is left of a dream's report in the journal of a life: how it ended and in numbers what landed. The
/// report itself lands in the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dreamt {
    pub cycle: CycleId,
    pub trigger: DreamTrigger,
    pub tier: DreamTier,
    pub engine: EngineLabel,
    pub ending: CycleEnding,
    pub calls: u32,
    /// D-195. Of the grant, what an early end wasted.
    pub wasted: Usdc,
    pub duration_ticks: u64,
    pub counts: DreamCounts,
    /// P-074. Rules a model proposed in it: tried like a stranger's.
    pub rules: Vec<Rule>,
    /// The version of PLAYBOOK.md after it, when it wrote one.
    pub playbook_version: Option<u64>,
    /// D-170. What it thinks of itself.
    pub quality: Option<Ppm>,
    /// D-177. The mood it wakes with, for whoever reads the journal. The Daimon keeps its own: it depends on no dream,
    /// and what was dreamt reaches it as an appraisal or not at all (A-117, D-229).
    pub mood: Option<Pad>,
}

impl Dreamt {
    /// D-189. Whether all of the cycle was dreamt.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.ending, CycleEnding::Complete | CycleEnding::Degraded)
    }
}

/// D-169, D-225. A dream in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DreamCounts {
    pub replayed: u32,
    pub counterfactuals: u32,
    pub hypotheses: u32,
    pub threats: u32,
    /// Feelings worked on.
    pub depotentiated: u32,
    /// Warnings the gate let in as candidates.
    pub admitted: u32,
    pub refused: u32,
    /// Rules of PLAYBOOK.md that changed.
    pub edits: u32,
}
