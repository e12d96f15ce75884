//! The report: all that leaves a dream. Data, and nothing that does anything.

use golem_daimon::Pad;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::strength::Reinforcement;
use golem_primitives::Usdc;

use crate::inputs::CycleId;
use crate::integration::class::{Boost, Contradiction};
use crate::integration::journal::{Ending, JournalEntry};
use crate::integration::staging::{NotStaged, Staged};
use crate::nrem::forward::Development;
use crate::nrem::perturb::Perturbed;
use crate::nrem::reverse::Credit;
use crate::nrem::trajectory::Trajectory;
use crate::onset::fragment::Held;
use crate::rem::counterfactual::{Counterfactual, Regret, Relabel};
use crate::rem::depotentiation::Depotentiated;
use crate::rem::hypothesis::{CreativePrediction, Hypothesis};
use crate::rem::rehearsal::Threat;
use crate::rem::scenario::Scenario;
use crate::rem::stochastic::Activation;

/// D-186. Something a dream asks the Grimoire to note.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum GrimoireUpdate {
    /// DG-15. An entry's worth is raised.
    Boost(Boost),
    /// D-089. An episode was replayed: half a strength more.
    Replayed(EpisodeId, Reinforcement),
    /// D-139. What is left of an episode's feeling.
    Feeling(Depotentiated),
}

/// D-155, D-161. A row that waking ticks validated, as it stands at the admission gate. The gate is the waking life's.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Promotion {
    /// The row.
    pub row: EntryId,
    /// What is proposed for admission.
    pub draft: Draft,
}

/// D-099. What NREM found, for the waking life to read.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replays {
    /// Decisions with their part of an outcome.
    pub credits: Vec<Credit>,
    /// Where open positions may go.
    pub developments: Vec<Development>,
    /// The same trades under worse conditions.
    pub perturbed: Vec<(EpisodeId, Perturbed)>,
    /// What follows from what is known to follow.
    pub trajectories: Vec<Trajectory>,
}

/// D-109. What REM imagined, for the waking life to read.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Imagined {
    /// Alternatives.
    pub counterfactuals: Vec<Counterfactual>,
    /// Missed targets restated.
    pub relabels: Vec<Relabel>,
    /// What a smaller bet would have cost and saved.
    pub regrets: Vec<Regret>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// Two memories picked by chance.
    pub activation: Option<Activation>,
    /// What happened, apart from what it felt like, in a model's words.
    pub facts: Vec<(EpisodeId, String)>,
}

/// D-177. What a Golem wakes with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Awakening {
    /// What Integration found, in one line each.
    pub lines: Vec<String>,
    /// The mood, a little nearer to calm; the Daimon decides what it makes of it.
    pub mood: Option<Pad>,
}

/// D-183, D-186. The only thing that leaves the branch.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DreamReport {
    /// Which cycle.
    pub cycle: CycleId,
    /// Its entry in the journal.
    pub journal: JournalEntry,
    /// Rows to be staged, each with the row it displaces.
    pub staging_writes: Vec<(Staged, Option<EntryId>)>,
    /// Rows that were not staged, and why.
    pub not_staged: Vec<NotStaged>,
    /// What the Grimoire is asked to note.
    pub updates: Vec<GrimoireUpdate>,
    /// Insights, as drafts for the gate.
    pub insights: Vec<Draft>,
    /// Hypotheses.
    pub hypotheses: Vec<Hypothesis>,
    /// D-120. What they stand by.
    pub predictions: Vec<CreativePrediction>,
    /// Threats with their responses.
    pub threats: Vec<Threat>,
    /// Warnings of them, as drafts for the gate.
    pub warnings: Vec<Draft>,
    /// Contradictions, for review.
    pub contradictions: Vec<Contradiction>,
    /// Episodes to be hidden (C31).
    pub deletions: Vec<EpisodeId>,
    /// D-165. Validated rows for the gate; what the one writer of PLAYBOOK.md may take up.
    pub playbook_delta: Vec<Promotion>,
    /// D-020. What goes into the draft of a testament, of an emergency dream alone.
    pub testament: Vec<String>,
    /// What was replayed.
    pub replays: Replays,
    /// What was imagined.
    pub imagined: Imagined,
    /// Fragments that wait for a second look.
    pub held: Vec<Held>,
    /// What the Golem wakes with.
    pub awakening: Awakening,
    /// What it cost.
    pub total_cost: Usdc,
    /// How long it took.
    pub duration_ticks: u64,
}

impl DreamReport {
    /// A report with a journal and nothing else: what a cut-off dream leaves.
    #[must_use]
    pub fn partial(journal: JournalEntry) -> Self {
        Self {
            cycle: journal.cycle,
            total_cost: journal.cost,
            duration_ticks: journal.duration_ticks,
            journal,
            staging_writes: Vec::new(),
            not_staged: Vec::new(),
            updates: Vec::new(),
            insights: Vec::new(),
            hypotheses: Vec::new(),
            predictions: Vec::new(),
            threats: Vec::new(),
            warnings: Vec::new(),
            contradictions: Vec::new(),
            deletions: Vec::new(),
            playbook_delta: Vec::new(),
            testament: Vec::new(),
            replays: Replays::default(),
            imagined: Imagined::default(),
            held: Vec::new(),
            awakening: Awakening::default(),
        }
    }

    /// Whether all of the cycle was dreamt, with or without REM.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.journal.ending, Ending::Complete | Ending::Degraded)
    }
}
