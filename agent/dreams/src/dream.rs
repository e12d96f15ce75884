//! A dream as a machine: from what was frozen, step by step to a report. It asks, it computes, it never acts.

use std::collections::VecDeque;

use golem_mortality::dream_modulation::DreamModulation;
use golem_primitives::{Ppm, Tick, Usdc};

use crate::budget::Split;
use crate::chance::Seed;
use crate::clocks::{Uncertainty, Work};
use crate::event::{CorePhase, DreamEvent, StartReason};
use crate::inputs::{Engine, Frozen};
use crate::integration::journal::{
    CycleEnding, DreamJournalEntry, EngineLabel, IntegrationSummary, NremSummary, RemSummary,
};
use crate::law::{DreamLaw, DreamLawError};
use crate::number::Temperature;
use crate::rem::counterfactual::regret;
use crate::rem::hypothesis::Hypothesis;
use crate::rem::rehearsal::GasState;
use crate::report::DreamReport;
use crate::wake::{Wake, WakeSource};
use crate::words::{DreamPhase, DreamTier, DreamTrigger, Grade};

pub mod ask;
mod imagine;
mod integrate;
mod onset;
mod replay;

pub use ask::{Answer, AnswerError, Ask, AskKind, BatchClaim, Material, Said, SaidIdea};

/// What a dream wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum DreamStep {
    /// A model's answer. Asked again until it is given.
    Ask(Ask),
    Phase(DreamPhase),
    Finished(Box<DreamReport>),
}

/// Where in a phase it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Enter(DreamPhase),
    /// Its questions are asked; with how many rounds of them.
    Within(DreamPhase, u32),
    Over,
}

/// D-001. One cycle. Made of what was frozen and the answers it was given, and of nothing else: the same of both is the
/// same dream to the last bit.
#[derive(Debug, Clone)]
pub struct Dream {
    frozen: Frozen,
    law: DreamLaw,
    seed: Seed,
    split: Split,
    work: Work,
    modulation: DreamModulation,
    gas: Option<GasState>,
    stage: Stage,
    queue: VecDeque<Ask>,
    open: Option<Ask>,
    answers: Vec<(Ask, Answer)>,
    asked: u32,
    heard: u32,
    spent: [Usdc; 5],
    uncreative: Usdc,
    now: Tick,
    finished: Vec<DreamPhase>,
    nrem: NremSummary,
    rem: RemSummary,
    integration: IntegrationSummary,
    onset: onset::Gathered,
    replayed: replay::Gathered,
    imagined: imagine::Gathered,
    report: Option<Box<DreamReport>>,
    events: Vec<DreamEvent>,
}

/// Rounds of questions in one phase at most: what was caught is looked at once.
const ROUNDS: u32 = 2;

/// D-180. Questions of a full cycle at most, and of a lightweight one.
const HARDENED_TURNS: u32 = 60;
const CORE_TURNS: u32 = 12;

impl Dream {
    /// Falls asleep over what was frozen.
    ///
    /// # Errors
    /// [`DreamLawError`] for numbers that are no law.
    pub fn open(mut frozen: Frozen, law: &DreamLaw, gas: Option<GasState>) -> Result<Self, DreamLawError> {
        law.check()?;
        let regrets: Vec<_> = frozen.traces.iter().map(|trace| regret(trace, &frozen)).collect();
        for (trace, regret) in frozen.traces.iter_mut().zip(regrets) {
            trace.regret = regret;
        }
        let modulation = frozen.clocks.modulation(frozen.phase);
        let work = Work::of(Uncertainty::of(frozen.clocks.accuracy), law).scaled(&frozen.clocks.nearness());
        let mut dream = Self {
            seed: Seed::new(frozen.golem, frozen.cycle),
            split: Split::of(frozen.opening.grant, frozen.phase, law.phases),
            law: law.clone(),
            work,
            modulation,
            gas,
            stage: Stage::Enter(DreamPhase::Onset),
            queue: VecDeque::new(),
            open: None,
            answers: Vec::new(),
            asked: 0,
            heard: 0,
            spent: [Usdc::ZERO; 5],
            uncreative: Usdc::ZERO,
            now: frozen.opened.tick,
            finished: Vec::new(),
            nrem: NremSummary::default(),
            rem: RemSummary::default(),
            integration: IntegrationSummary::default(),
            onset: onset::Gathered::default(),
            replayed: replay::Gathered::default(),
            imagined: imagine::Gathered::default(),
            report: None,
            events: Vec::new(),
            frozen,
        };
        let source = dream.frozen.opening.trigger;
        let trigger = StartReason::of(source, dream.frozen.opening.is_emotional);
        dream.events.push(DreamEvent::DreamStart { cycle_id: dream.frozen.cycle, trigger, source });
        Ok(dream)
    }

    /// The same dream from what was frozen and every answer it was given: how one goes on after a crash.
    ///
    /// # Errors
    /// [`DreamLawError`] as [`Dream::open`]; answers that do not fit are the caller's loss and end the replay.
    pub fn resume(
        frozen: Frozen,
        law: &DreamLaw,
        gas: Option<GasState>,
        answers: impl IntoIterator<Item = Answer>,
    ) -> Result<Self, DreamLawError> {
        let mut dream = Self::open(frozen, law, gas)?;
        for answer in answers {
            while !matches!(dream.step(), DreamStep::Ask(_) | DreamStep::Finished(_)) {}
            if dream.answer(answer).is_err() {
                break;
            }
        }
        Ok(dream)
    }

    /// D-188. Where it is; `None` when it is over.
    #[must_use]
    pub const fn phase(&self) -> Option<DreamPhase> {
        match self.stage {
            Stage::Enter(phase) | Stage::Within(phase, _) => Some(phase),
            Stage::Over => None,
        }
    }

    /// The time it is now, for how long it took.
    pub fn tick(&mut self, now: Tick) {
        self.now = self.now.max(now);
    }

    /// What it spent so far.
    #[must_use]
    pub fn spent(&self) -> Usdc {
        self.spent.iter().copied().sum()
    }

    /// What happened since this was last asked.
    pub fn take_events(&mut self) -> Vec<DreamEvent> {
        std::mem::take(&mut self.events)
    }

    /// One step further.
    pub fn step(&mut self) -> DreamStep {
        loop {
            if let Some(report) = &self.report {
                return DreamStep::Finished(report.clone());
            }
            if let Some(open) = &self.open {
                return DreamStep::Ask(open.clone());
            }
            if let Some(ask) = self.queue.pop_front() {
                // What the phase cannot pay for is left out, and the next phase begins (D-071).
                if self.affords(&ask) {
                    self.open = Some(ask);
                }
                continue;
            }
            match self.stage {
                Stage::Enter(phase) => {
                    self.stage = Stage::Within(phase, 0);
                    self.enter(phase);
                    return DreamStep::Phase(phase);
                }
                Stage::Within(phase, round) => self.conclude(phase, round),
                // A dream that is over has a report, which was answered above.
                Stage::Over => self.finish(),
            }
        }
    }

    /// Takes an answer to the open question.
    ///
    /// # Errors
    /// [`AnswerError`] for an answer that is none to it; the question stays open.
    pub fn answer(&mut self, answer: Answer) -> Result<(), AnswerError> {
        let ask = self.open.as_ref().ok_or(AnswerError::NothingAsked)?;
        ask.check(&answer)?;
        let Some(ask) = self.open.take() else { return Err(AnswerError::NothingAsked) };
        let at = ask.phase as usize;
        self.spent[at] = self.spent[at].saturating_add(answer.cost);
        if ask.phase == DreamPhase::Rem && !ask.kind.is_creative() {
            self.uncreative = self.uncreative.saturating_add(answer.cost);
        }
        self.heard += 1;
        self.answers.push((ask, answer));
        Ok(())
    }

    /// D-175, D-190, D-193, DG-24. Ends it at once: a partial journal and nothing else.
    pub fn interrupt(&mut self, wake: Wake) -> DreamReport {
        if self.report.is_none() {
            let phase = self.phase().unwrap_or(DreamPhase::Return);
            if wake.source == WakeSource::Alarm {
                self.events.push(DreamEvent::AlarmAbort { reason: wake.reason.clone() });
            }
            self.catch_fragments();
            self.cut(CycleEnding::Interrupted { phase, wake });
        }
        self.last_report()
    }

    /// D-049. Nobody pays for what is asked: the cycle ends here with a partial journal. Shares keep a dream within its
    /// grant by themselves; this is for a partition that others drained meanwhile.
    pub fn exhaust(&mut self) -> DreamReport {
        if self.report.is_none() {
            let phase = self.phase().unwrap_or(DreamPhase::Return);
            self.cut(CycleEnding::BudgetExhausted(phase));
        }
        self.last_report()
    }

    fn last_report(&self) -> DreamReport {
        match &self.report {
            Some(report) => DreamReport::clone(report),
            None => DreamReport::partial(self.journal(CycleEnding::Aborted, None)),
        }
    }

    fn cut(&mut self, ending: CycleEnding) {
        let journal = self.journal(ending, None);
        self.queue.clear();
        self.open = None;
        self.stage = Stage::Over;
        self.report = Some(Box::new(DreamReport::partial(journal)));
    }

    fn affords(&self, ask: &Ask) -> bool {
        let share = self.split.of_phase(ask.phase);
        let in_share = self.spent[ask.phase as usize].saturating_add(ask.ceiling) <= share;
        // D-051: a fifth of REM stays creative, whatever else there is to do.
        let most_else = share.share_down(golem_daimon::dream::CREATIVE_SHARE.complement());
        let is_free = ask.phase != DreamPhase::Rem || ask.kind.is_creative();
        in_share && (is_free || self.uncreative.saturating_add(ask.ceiling) <= most_else)
    }

    /// Puts a question, where anybody answers and a turn is left.
    fn ask(&mut self, phase: DreamPhase, kind: AskKind, grade: Grade, temperature: Temperature, material: Material) {
        let Engine::Model { t0, t1, t2 } = self.frozen.engine else { return };
        // C3: the last dream is dreamt by rules.
        if self.frozen.opening.trigger == DreamTrigger::Emergency {
            return;
        }
        let (largest, max_turns) = match (self.frozen.opening.tier, t2) {
            (DreamTier::Core, _) => (Grade::T0, CORE_TURNS),
            (DreamTier::Hardened, None) => (Grade::T1, HARDENED_TURNS),
            (DreamTier::Hardened, Some(_)) => (Grade::T2, HARDENED_TURNS),
        };
        let grade = grade.min(largest);
        let ceiling = match grade {
            Grade::T0 => t0,
            Grade::T1 => t1,
            Grade::T2 => t2.unwrap_or(t1),
        };
        if self.asked >= max_turns {
            return;
        }
        let within = (phase == DreamPhase::Return).then_some(ask::LIMINAL);
        let max_tokens = kind.max_tokens();
        let ask = Ask { id: self.asked, phase, kind, grade, max_tokens, temperature, ceiling, within, material };
        self.asked += 1;
        self.queue.push_back(ask);
    }

    /// D-203. Whether this cycle only consolidates.
    fn is_consolidation_only(&self) -> bool {
        self.modulation.consolidation_only && self.frozen.opening.trigger != DreamTrigger::Emergency
    }

    /// D-014. Whether the owner wants nothing imagined. The last dream imagines what it must.
    const fn is_without_rem(&self) -> bool {
        self.law.imagination.is_off() && !matches!(self.frozen.opening.trigger, DreamTrigger::Emergency)
    }

    fn enter(&mut self, phase: DreamPhase) {
        if let Some(core) = CorePhase::of(phase) {
            let budget_tokens = self.budget_tokens(phase);
            self.events.push(DreamEvent::DreamPhase { cycle_id: self.frozen.cycle, phase: core, budget_tokens });
        }
        match phase {
            DreamPhase::Onset => self.enter_onset(),
            DreamPhase::Nrem if !self.is_consolidation_only() => self.enter_nrem(),
            DreamPhase::Rem if !self.is_consolidation_only() && !self.is_without_rem() => self.enter_rem(),
            DreamPhase::Nrem | DreamPhase::Rem | DreamPhase::Integration => {}
            DreamPhase::Return => self.enter_return(),
        }
    }

    /// D-222. Tokens a phase's budget buys: what its calls at the small model's price may say.
    fn budget_tokens(&self, phase: DreamPhase) -> u64 {
        let Engine::Model { t1, .. } = self.frozen.engine else { return 0 };
        let calls = self.split.of_phase(phase).micros().checked_div(t1.micros()).unwrap_or(0);
        calls.saturating_mul(u64::from(AskKind::ReplayBatch.max_tokens()))
    }

    fn conclude(&mut self, phase: DreamPhase, round: u32) {
        let answers = std::mem::take(&mut self.answers);
        match phase {
            DreamPhase::Onset => self.conclude_onset(answers, round),
            DreamPhase::Nrem => self.conclude_nrem(answers),
            DreamPhase::Rem => self.conclude_rem(answers),
            DreamPhase::Integration => {}
            DreamPhase::Return => self.conclude_return(&answers),
        }
        if self.report.is_some() {
            return;
        }
        if !self.queue.is_empty() && round + 1 < ROUNDS {
            self.stage = Stage::Within(phase, round + 1);
            return;
        }
        self.queue.clear();
        self.finished.push(phase);
        self.stage = phase.next().map_or(Stage::Over, Stage::Enter);
    }

    /// D-168. The entry of the journal as far as it came.
    fn journal(&self, ending: CycleEnding, quality: Option<Ppm>) -> DreamJournalEntry {
        let frozen = &self.frozen;
        let is_cut = !matches!(ending, CycleEnding::Complete | CycleEnding::Degraded);
        let cost = self.spent();
        let engine = match frozen.engine {
            Engine::Model { .. } if self.heard > 0 => EngineLabel::Model,
            _ => EngineLabel::Rules,
        };
        DreamJournalEntry {
            cycle: frozen.cycle,
            at: frozen.opened.at,
            tier: frozen.opening.tier,
            trigger: frozen.opening.trigger,
            engine,
            llm_calls: self.heard,
            finished: self.finished.clone(),
            ending,
            nrem: NremSummary { cost: self.spent[DreamPhase::Nrem as usize], ..self.nrem },
            rem: RemSummary { cost: self.spent[DreamPhase::Rem as usize], ..self.rem },
            integration: self.integration,
            fragments: self.onset.fragments.clone(),
            hypotheses: self.imagined.hypotheses.iter().map(Hypothesis::without_vector).collect(),
            stories: self.imagined.threats.iter().filter_map(|threat| threat.story.clone()).collect(),
            cost,
            wasted: if is_cut { frozen.opening.grant.saturating_sub(cost) } else { Usdc::ZERO },
            duration_ticks: self.now.since(frozen.opened.tick),
            quality,
        }
    }
}
