//! The report: all that leaves a dream. Data, and nothing that does anything.

use golem_daimon::Pad;
use golem_grimoire::entry::Draft;
use golem_grimoire::id::EpisodeId;
use golem_grimoire::strength::Reinforcement;
use golem_playbook::rule::Rule;

use crate::integration::journal::{CycleEnding, DreamJournalEntry};
use crate::onset::fragment::Held;
use crate::rem::depotentiation::Depotentiated;
use crate::rem::threat::ThreatKind;

/// D-186. Something a dream asks the Grimoire to note.
#[derive(Debug, Clone, PartialEq)]
pub enum GrimoireUpdate {
    /// D-089. An episode was replayed: half a strength more.
    Replayed(EpisodeId, Reinforcement),
    /// D-139. What is left of an episode's feeling.
    Feeling(Depotentiated),
}

/// D-145. A threat that was rehearsed, with the warning of it as a draft for the gate.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsed {
    pub kind: ThreatKind,
    pub warning: Draft,
}

/// D-177. What a Golem wakes with.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Awakening {
    /// What the dream found, in one line each.
    pub lines: Vec<String>,
    /// The mood, a little nearer to calm; the Daimon decides what it makes of it.
    pub mood: Option<Pad>,
}

/// D-183, D-186. The only thing that leaves the branch.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamReport {
    pub journal: DreamJournalEntry,
    /// What the Grimoire is asked to note.
    pub updates: Vec<GrimoireUpdate>,
    pub threats: Vec<Rehearsed>,
    /// P-074. Rules a model proposed, in the language of the book: tried like a stranger's, or not at all.
    pub rules: Vec<Rule>,
    /// D-020. What goes into the draft of a testament, of an emergency dream alone.
    pub testament: Vec<String>,
    pub held: Vec<Held>,
    pub awakening: Awakening,
}

impl DreamReport {
    /// A report with a journal and nothing else: what a cut-off dream leaves.
    #[must_use]
    pub fn partial(journal: DreamJournalEntry) -> Self {
        Self {
            journal,
            updates: Vec::new(),
            threats: Vec::new(),
            rules: Vec::new(),
            testament: Vec::new(),
            held: Vec::new(),
            awakening: Awakening::default(),
        }
    }

    /// Whether all of the cycle was dreamt, with or without REM.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.journal.ending, CycleEnding::Complete | CycleEnding::Degraded)
    }
}
