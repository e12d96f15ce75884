//! A model beside a life: it is asked in a task of its own, and no tick and no death ever waits for its answer.

use golem_core::life::Life;
use golem_core::record::{CostSource, Outcome, OutcomeResult};
use golem_ports::{Advised, InferenceError, OpenEffect, Question, Thinker};
use golem_primitives::{EffectId, Usdc};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::errand::short;

/// The note that says which effect was asked last; it is on disk before anything is sent.
pub(crate) const ASKED_NOTE: &str = "asked";

type Answered = (EffectId, Result<Advised, InferenceError>);

/// Who asks models for a life. The question is on its way in a task that ends with this.
#[derive(Debug)]
pub struct Adviser {
    quotes: [Option<Usdc>; 4],
    questions: mpsc::Sender<Question>,
    answers: mpsc::Receiver<Answered>,
    task: JoinHandle<()>,
    asked: Option<EffectId>,
}

impl Drop for Adviser {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Where a question stands.
#[derive(Debug)]
pub(crate) enum Standing {
    /// It was not asked by this process.
    Unasked,
    /// On its way.
    Waiting,
    /// It came back, or did not.
    Answered(Result<Advised, InferenceError>),
    /// Nobody will ever tell: the task is gone.
    Lost,
}

impl Adviser {
    /// Puts a thinker to work. Must be called within the runtime that shall drive it.
    #[must_use]
    pub fn hire<K: Thinker + 'static>(thinker: K) -> Self {
        let quotes = thinker.quotes();
        let (questions, mut asked) = mpsc::channel::<Question>(1);
        let (tell, answers) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                let answer = thinker.think(&question).await;
                if tell.send((question.effect, answer)).await.is_err() {
                    return;
                }
            }
        });
        Self { quotes, questions, answers, task, asked: None }
    }

    /// What a deliberation of each tier costs at most; nothing is served once the task is gone.
    #[must_use]
    pub fn quotes(&self) -> [Option<Usdc>; 4] {
        if self.task.is_finished() { [None; 4] } else { self.quotes }
    }

    /// Sends a question on its way; answers whether it could.
    pub(crate) fn ask(&mut self, question: Question) -> bool {
        let effect = question.effect;
        let is_sent = self.questions.try_send(question).is_ok();
        if is_sent {
            self.asked = Some(effect);
        }
        is_sent
    }

    /// Where the question of this effect stands. Never waits.
    pub(crate) fn look(&mut self, effect: EffectId) -> Standing {
        if self.asked != Some(effect) {
            return Standing::Unasked;
        }
        match self.answers.try_recv() {
            Ok((of, answer)) if of == effect => {
                self.asked = None;
                Standing::Answered(answer)
            }
            Ok(_) | Err(mpsc::error::TryRecvError::Empty) => Standing::Waiting,
            Err(mpsc::error::TryRecvError::Disconnected) => Standing::Lost,
        }
    }
}

/// The open question of a life as a model is asked it, when this effect is it. The dying ask nobody (M-179).
pub(crate) fn question(open: &OpenEffect, life: &Life) -> Option<Question> {
    let pending = life.mind()?.pending().filter(|pending| pending.effect() == open.effect.id && life.is_alive())?;
    let trader = life.trader()?;
    let vitality = life.vitals().vitality();
    Some(Question {
        effect: open.effect.id,
        tier: pending.tier(),
        budget: open.effect.budget,
        tick: pending.asked(),
        phase: vitality.phase,
        vitality: vitality.composite,
        surprise: pending.surprise(),
        uncertainty: pending.uncertainty(),
        choices: pending.choices().clone(),
        market: (trader.sight()?.market, trader.regime_name()),
        state: life.state_words(),
    })
}

/// What a question came to, with its cost; what nobody can tell is booked whole.
pub(crate) fn answered(open: &OpenEffect, standing: Standing) -> Option<Outcome> {
    let (cost, result) = match standing {
        Standing::Unasked | Standing::Waiting => return None,
        Standing::Answered(Ok(Advised { advice, cost, confession: None })) => (cost, OutcomeResult::Advised { advice }),
        Standing::Answered(Ok(Advised { advice, cost, confession: Some(confession) })) => {
            (cost, OutcomeResult::Confided { advice, confession })
        }
        Standing::Answered(Err(error)) => {
            (error.charge.booked(), OutcomeResult::Refused { reason: short(&error.to_string()).as_str().to_owned() })
        }
        Standing::Lost => {
            let reason = "it was asked and nobody knows what came of it; its whole budget is booked".to_owned();
            (open.effect.budget, OutcomeResult::Refused { reason })
        }
    };
    let cost = (!cost.is_zero()).then_some((CostSource::Inference, cost));
    Some(Outcome { effect: open.effect.id, cost, result })
}
