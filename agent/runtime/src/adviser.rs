//! A model beside a life: it is asked in a task of its own, and no tick and no death ever waits for its answer.

use std::future::Future;
use std::sync::Arc;

use golem_core::life::Life;
use golem_core::record::{CostSource, Outcome, OutcomeResult, StudyQuotes};
use golem_ports::{Advised, ChoiceQuestion, Considered, InferenceError, Matter, Mused, OpenEffect, Reverie, Thinker};
use golem_primitives::{EffectId, Usdc};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::errand::{Standing, paid, short};

/// The note that says which effect was asked last; it is on disk before anything is sent.
pub(crate) const ASKED_NOTE: &str = "asked";

/// Who asks models for a life. What is on its way is so in tasks that end with this.
#[derive(Debug)]
pub struct Adviser {
    quotes: [Option<Usdc>; 4],
    studies: StudyQuotes,
    choosing: Line<ChoiceQuestion, Advised>,
    pondering: Line<Matter, Considered>,
    dreams: [Option<Usdc>; 3],
    dreaming: Line<Reverie, Mused>,
}

/// One thing after another, each in the same task.
#[derive(Debug)]
struct Line<Q, A> {
    questions: mpsc::Sender<(EffectId, Q)>,
    answers: mpsc::Receiver<(EffectId, Result<A, InferenceError>)>,
    task: JoinHandle<()>,
    asked: Option<EffectId>,
}

impl<Q, A> Drop for Line<Q, A> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<Q: Send + 'static, A: Send + 'static> Line<Q, A> {
    fn open<F>(think: impl Fn(Q) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<A, InferenceError>> + Send,
    {
        let (questions, mut asked) = mpsc::channel::<(EffectId, Q)>(1);
        let (tell, answers) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            while let Some((effect, question)) = asked.recv().await {
                let answer = think(question).await;
                if tell.send((effect, answer)).await.is_err() {
                    return;
                }
            }
        });
        Self { questions, answers, task, asked: None }
    }

    fn ask(&mut self, effect: EffectId, question: Q) -> bool {
        let is_sent = self.questions.try_send((effect, question)).is_ok();
        if is_sent {
            self.asked = Some(effect);
        }
        is_sent
    }

    fn look(&mut self, effect: EffectId) -> Standing<Result<A, InferenceError>> {
        if self.asked != Some(effect) {
            return Standing::Unasked;
        }
        match self.answers.try_recv() {
            Ok((of, answer)) if of == effect => {
                self.asked = None;
                Standing::Over(answer)
            }
            Ok(_) | Err(mpsc::error::TryRecvError::Empty) => Standing::Waiting,
            Err(mpsc::error::TryRecvError::Disconnected) => Standing::Lost,
        }
    }
}

impl Adviser {
    /// Puts a thinker to work. Must be called within the runtime that shall drive it.
    #[must_use]
    pub fn hire<K: Thinker + 'static>(thinker: K) -> Self {
        let (quotes, studies, dreams) = (thinker.quotes(), thinker.study_quotes(), thinker.dream_quotes());
        let thinker = Arc::new(thinker);
        let (ponderer, dreamer) = (thinker.clone(), thinker.clone());
        // Three lines: a long look back or a dream must not keep an entry waiting.
        let choosing = Line::open(move |question: ChoiceQuestion| {
            let thinker = thinker.clone();
            async move { thinker.think(&question).await }
        });
        let pondering = Line::open(move |matter: Matter| {
            let thinker = ponderer.clone();
            async move { thinker.ponder(&matter).await }
        });
        let dreaming = Line::open(move |reverie: Reverie| {
            let thinker = dreamer.clone();
            async move { thinker.muse(&reverie).await }
        });
        Self { quotes, studies, choosing, pondering, dreams, dreaming }
    }

    /// What a deliberation of each tier costs at most; nothing is served once the task is gone.
    #[must_use]
    pub fn quotes(&self) -> [Option<Usdc>; 4] {
        if self.choosing.task.is_finished() { [None; 4] } else { self.quotes }
    }

    /// What other thoughts cost at most; nothing is served once the task is gone.
    #[must_use]
    pub fn study_quotes(&self) -> StudyQuotes {
        if self.pondering.task.is_finished() { StudyQuotes::default() } else { self.studies }
    }

    /// Sends a question on its way; answers whether it could.
    pub(crate) fn ask(&mut self, question: ChoiceQuestion) -> bool {
        self.choosing.ask(question.effect, question)
    }

    /// Where the question of this effect stands. Never waits.
    pub(crate) fn look(&mut self, effect: EffectId) -> Standing<Result<Advised, InferenceError>> {
        self.choosing.look(effect)
    }

    /// Whether nothing is being thought over.
    pub(crate) const fn is_free(&self) -> bool {
        self.pondering.asked.is_none()
    }

    /// Sends something to be thought over; answers whether it could. Ask [`Adviser::is_free`] first.
    pub(crate) fn ponder(&mut self, matter: Matter) -> bool {
        self.pondering.ask(matter.effect, matter)
    }

    /// Where that stands. Never waits.
    pub(crate) fn pondered(&mut self, effect: EffectId) -> Standing<Result<Considered, InferenceError>> {
        self.pondering.look(effect)
    }

    /// D-126, R-031. What a question of a dream costs at most by grade; nothing is served once the task is gone.
    #[must_use]
    pub fn dream_quotes(&self) -> [Option<Usdc>; 3] {
        if self.dreaming.task.is_finished() { [None; 3] } else { self.dreams }
    }

    /// Sends a question of a dream on its way; answers whether it could.
    pub(crate) fn muse(&mut self, reverie: Reverie) -> bool {
        self.dreaming.ask(reverie.name, reverie)
    }

    /// Where that stands. Never waits.
    pub(crate) fn mused(&mut self, name: EffectId) -> Standing<Result<Mused, InferenceError>> {
        self.dreaming.look(name)
    }
}

/// The open question of a life as a model is asked it, when this effect is it. The dying ask nobody (M-179).
pub(crate) fn question(open: &OpenEffect, life: &Life) -> Option<ChoiceQuestion> {
    let pending =
        life.mind()?.pending.as_ref().filter(|pending| pending.effect == open.effect.id && life.is_alive())?;
    let trader = life.trader()?;
    let vitality = life.vitals().vitality();
    Some(ChoiceQuestion {
        effect: open.effect.id,
        tier: pending.tier,
        budget: open.effect.budget,
        tick: pending.asked,
        phase: vitality.phase,
        vitality: vitality.composite,
        surprise: pending.surprise,
        uncertainty: pending.uncertainty,
        choices: pending.choices.clone(),
        market: (trader.sight()?.market, trader.regime_name()),
        memories: Vec::new(),
        peers: Vec::new(),
        state: life.state_words(),
    })
}

/// What a question came to, with its cost; what nobody can tell is booked whole.
pub(crate) fn answered(open: &OpenEffect, standing: Standing<Result<Advised, InferenceError>>) -> Option<Outcome> {
    let (cost, result) = match standing {
        Standing::Unasked | Standing::Waiting => return None,
        Standing::Over(Ok(Advised { advice, cost, confession: None })) => (cost, OutcomeResult::Advised { advice }),
        Standing::Over(Ok(Advised { advice, cost, confession: Some(confession) })) => {
            (cost, OutcomeResult::Confided { advice, confession })
        }
        Standing::Over(Err(error)) => (error.charge.booked(), OutcomeResult::Refused { reason: short(&error) }),
        Standing::Lost => {
            let reason = "it was asked and nobody knows what came of it; its whole budget is booked".to_owned();
            (open.effect.budget, OutcomeResult::Refused { reason })
        }
    };
    Some(paid(open, CostSource::Inference, cost, result))
}
