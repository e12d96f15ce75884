//! A dream that is dreamt in this process. Everything in it follows from what lies on disk, so a restart loses nothing.

use golem_core::dreaming::Slumber;
use golem_dreams::dream::{Answer, Ask, Dream};
use golem_dreams::{DreamLaw, DreamReport, Frozen};
use golem_ports::OpenDream;
use golem_primitives::{EffectId, Usdc};

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
        OpenDream { slumber, answers, sent }: OpenDream,
    ) -> Result<Self, golem_dreams::law::DreamLawError> {
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
    Waiting,
    Over(Box<DreamReport>),
}
