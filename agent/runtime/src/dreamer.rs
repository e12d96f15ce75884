//! A dream that is dreamt in this process. Everything in it follows from what lies on disk, so a restart loses nothing.

use std::path::Path;

use golem_core::dreaming::Slumber;
use golem_dreams::dream::{Answer, Ask, Dream};
use golem_dreams::{DreamLaw, DreamReport, Frozen};
use golem_grimoire::id::EntryId;
use golem_ports::Dreaming;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

/// D-230. What a Golem may dream.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamChoice {
    /// The numbers, windows among them: whether one is open is looked up here and journaled (D-016).
    pub law: DreamLaw,
    /// D-194. What the owner's thresholds call the token it trades.
    pub asset: String,
}

impl Default for DreamChoice {
    fn default() -> Self {
        Self { law: DreamLaw::default(), asset: "ETH".to_owned() }
    }
}

/// D-019, D-162, D-193. A word of the owner's, left in the Golem's folder for its next tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnerWord {
    /// Dream now, if the gate lets it.
    Dream,
    /// Wake.
    Wake,
    /// A staged row may stand at the admission gate.
    Approve(EntryId),
    /// A staged row is not wanted.
    Reject(EntryId),
}

impl OwnerWord {
    /// The file words are left in, a line each.
    const FILE: &'static str = "owner.words";

    /// Leaves a word in a Golem's folder. It is heard at the next tick, also of a process that starts later.
    ///
    /// # Errors
    /// What kept it from being written.
    pub fn leave(self, dir: &Path) -> std::io::Result<()> {
        use std::io::Write as _;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(dir.join(Self::FILE))?;
        let line = serde_json::to_string(&self).map_err(std::io::Error::other)?;
        writeln!(file, "{line}")?;
        file.sync_all()
    }

    /// The words that were left, oldest first. A line that is none is passed over.
    pub(crate) fn left(dir: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(dir.join(Self::FILE)).unwrap_or_default();
        text.lines().take(MOST_WORDS).filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// They were heard.
    pub(crate) fn clear(dir: &Path) {
        let path = dir.join(Self::FILE);
        if let Err(error) = std::fs::remove_file(&path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, path = %path.display(), "the owner's words were heard and could not be cleared");
        }
    }
}

/// Words that are heard in one tick; the file is not a store.
const MOST_WORDS: usize = 64;

/// A dream and what is on its way for it.
#[derive(Debug)]
pub(crate) struct Dreamer {
    pub(crate) effect: EffectId,
    pub(crate) dream: Dream,
    pub(crate) frozen: Frozen,
    /// The question that is on its way in this process: its name, its number and its ceiling.
    pub(crate) asked: Option<(EffectId, u32, Usdc)>,
    /// The question a process before this one sent, whose answer nobody knows.
    pub(crate) lost: Option<(u32, Usdc)>,
    /// What every call cost so far.
    pub(crate) paid: Usdc,
}

impl Dreamer {
    /// The dream as far as it lies on disk. What it told on the way here was told before.
    pub(crate) fn resume(
        effect: EffectId,
        Dreaming { slumber, answers, sent }: Dreaming,
    ) -> Result<Self, golem_dreams::law::LawError> {
        let frozen = slumber.frozen.clone();
        let paid = answers.iter().map(|answer| answer.cost).sum();
        let is_new = answers.is_empty() && sent.is_none();
        let mut dream = Slumber::resume(slumber, answers)?;
        if !is_new {
            dream.take_events();
        }
        Ok(Self { effect, dream, frozen, asked: None, lost: sent, paid })
    }

    /// Takes an answer, which is on disk. One that is none to its question counts as silence, and costs what it cost.
    pub(crate) fn hear(&mut self, answer: Answer) {
        self.paid = self.paid.saturating_add(answer.cost);
        (self.asked, self.lost) = (None, None);
        let silence = Answer { said: None, ..answer.clone() };
        if let Err(error) = self.dream.answer(answer) {
            tracing::warn!(effect = %self.effect, %error, "an answer does not fit its question");
            let _ = self.dream.answer(silence);
        }
    }

    /// Whether the effect's budget bears one question more.
    pub(crate) fn affords(&self, ask: &Ask, budget: Usdc) -> bool {
        self.paid.saturating_add(ask.ceiling) <= budget
    }

    /// What it cost in all; what was sent and nobody waits for any longer is booked whole.
    pub(crate) fn cost(&self) -> Usdc {
        let open = self.asked.map(|(_, _, ceiling)| ceiling).or(self.lost.map(|(_, ceiling)| ceiling));
        self.paid.saturating_add(open.unwrap_or(Usdc::ZERO))
    }
}

/// How a dream stands after it was driven.
#[derive(Debug)]
pub(crate) enum Driven {
    /// It waits for an answer.
    Waiting,
    /// It is over.
    Over(Box<DreamReport>),
}
