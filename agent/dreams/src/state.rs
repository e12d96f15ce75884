//! A Golem's dreaming from tick to tick: what is stored, and the only ways in and out of a dream.

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};

use crate::budget::DreamLedger;
use crate::event::StreamEvent;
use crate::law::DreamLaw;
use crate::schedule::{DreamLook, Opening, ScheduleVerdict, should_dream};
use crate::urgency::{HIGH_LOAD, Inputs, Readings, Urgency, relieved};
use crate::words::{DreamPhase, DreamTier, DreamTrigger, GolemMode};

/// D-188. What is known of a Golem's dreaming.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DreamState {
    pub mode: GolemMode,
    pub tier: DreamTier,
    pub phase: Option<DreamPhase>,
    /// Cycles begun in this life.
    pub cycle_number: u64,
    pub cycles_this_window: u32,
    /// Left of this cycle's grant.
    pub budget_remaining: Usdc,
    pub budget_spent: Usdc,
    /// Episodes replayed in the last cycle.
    pub episodes_replayed: u32,
    /// Hypotheses of the last cycle.
    pub hypotheses_generated: u32,
    /// Threats of the last cycle.
    pub threats_simulated: u32,
    /// When this cycle began.
    pub dream_start: Option<Tick>,
    /// When the last one ended.
    pub last_dream: Option<Tick>,
    /// D-028. The stored urgency.
    pub urgency: Urgency,
    pub episode_count: u64,
    pub readings: Readings,
    pub ledger: DreamLedger,
    /// D-020. Whether the last dream was dreamt.
    pub had_emergency: bool,
    /// Whether a window was open at the last look.
    was_open: bool,
}

/// What a dream took and brought, as far as the next one asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Toll {
    pub cost: Usdc,
    pub is_complete: bool,
    pub replayed: u32,
    pub hypotheses: u32,
    pub insights: u32,
    pub threats: u32,
}

/// A turn that a state does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    #[error("the Golem is {mode}, not dreaming; there is no dream to change or end")]
    NotDreaming { mode: GolemMode },
    #[error("the Golem is {mode}, not waking; a dream opens only from waking")]
    NotWaking { mode: GolemMode },
}

impl DreamState {
    /// A Golem that never dreamt.
    #[must_use]
    pub fn new(tier: DreamTier) -> Self {
        Self {
            mode: GolemMode::Waking,
            tier,
            phase: None,
            cycle_number: 0,
            cycles_this_window: 0,
            budget_remaining: Usdc::ZERO,
            budget_spent: Usdc::ZERO,
            episodes_replayed: 0,
            hypotheses_generated: 0,
            threats_simulated: 0,
            dream_start: None,
            last_dream: None,
            urgency: Urgency::default(),
            episode_count: 0,
            readings: Readings::default(),
            ledger: DreamLedger::default(),
            had_emergency: false,
            was_open: false,
        }
    }

    /// D-018, D-039, D-213. The hook behind every waking tick, once memory is written: it only gathers.
    pub fn after_turn(&mut self, law: &DreamLaw, readings: Readings, phase: Phase, has_surprise: bool) {
        if self.mode != GolemMode::Waking || !law.enabled {
            return;
        }
        let score = Inputs::of(&readings, phase).score(law.schedule.weights.of(phase));
        let is_unresolved = has_surprise || readings.arousal > HIGH_LOAD;
        self.urgency = self.urgency.reflect(score, is_unresolved);
        self.readings = readings;
    }

    /// D-213. The hook where a dream may open: asks the one function, and remembers a refusal (D-028) or its absence.
    pub fn on_idle(&mut self, law: &DreamLaw, look: &DreamLook) -> ScheduleVerdict {
        if look.is_window_open && !self.was_open {
            self.cycles_this_window = 0;
            self.ledger = self.ledger.new_session();
        }
        self.was_open = look.is_window_open;
        self.episode_count = look.standing.episodes;
        let phase = look.standing.phase;
        let is_emotional = Inputs::of(&self.readings, phase).is_emotional(law.schedule.weights.of(phase));
        let look = DreamLook { mode: self.mode, cycles_in_window: self.cycles_this_window, is_emotional, ..*look };
        let verdict = should_dream(law, &self.urgency, &self.ledger, &look);
        match &verdict {
            ScheduleVerdict::Refused { .. } => self.urgency = self.urgency.refuse(),
            ScheduleVerdict::Rest(_) if look.standing.refusals(false).is_empty() => self.urgency = self.urgency.heal(),
            ScheduleVerdict::Rest(_) | ScheduleVerdict::Dream(_) => {}
        }
        verdict
    }

    /// D-189. From waking into a dream.
    ///
    /// # Errors
    /// [`TurnError::NotWaking`].
    pub fn enter(&mut self, opening: &Opening, tick: Tick) -> Result<Vec<StreamEvent>, TurnError> {
        if self.mode != GolemMode::Waking {
            return Err(TurnError::NotWaking { mode: self.mode });
        }
        self.mode = GolemMode::Dreaming;
        self.tier = opening.tier;
        self.phase = Some(DreamPhase::Onset);
        self.cycle_number = self.cycle_number.saturating_add(1);
        self.cycles_this_window = self.cycles_this_window.saturating_add(1);
        self.budget_remaining = opening.grant;
        self.budget_spent = Usdc::ZERO;
        self.dream_start = Some(tick);
        self.had_emergency |= opening.trigger == DreamTrigger::Emergency;
        Ok(vec![StreamEvent::ModeChange { mode: self.mode, tick }])
    }

    /// D-226. Into another phase of the dream.
    ///
    /// # Errors
    /// [`TurnError::NotDreaming`].
    pub fn progress(&mut self, phase: DreamPhase, spent: Usdc) -> Result<StreamEvent, TurnError> {
        if self.mode != GolemMode::Dreaming {
            return Err(TurnError::NotDreaming { mode: self.mode });
        }
        let whole = self.budget_remaining.saturating_add(self.budget_spent);
        self.phase = Some(phase);
        self.budget_spent = spent;
        self.budget_remaining = whole.saturating_sub(spent);
        Ok(StreamEvent::DreamProgress { phase, cycle_number: self.cycle_number, budget_spent: spent })
    }

    /// D-185, D-189. Out of the dream with its report: awake, what gathered is spent, the load is relieved by a whole
    /// cycle only (D-038).
    ///
    /// # Errors
    /// [`TurnError::NotDreaming`].
    pub fn rise(
        &mut self,
        law: &DreamLaw,
        toll: &Toll,
        phase: Phase,
        tick: Tick,
        now: UtcTime,
    ) -> Result<Vec<StreamEvent>, TurnError> {
        if self.mode != GolemMode::Dreaming {
            return Err(TurnError::NotDreaming { mode: self.mode });
        }
        self.mode = GolemMode::Waking;
        self.settle(toll, now);
        self.dream_start = None;
        self.last_dream = Some(tick);
        self.readings.ticks_since = 0;
        if toll.is_complete {
            self.readings.arousal = relieved(self.readings.arousal);
        }
        let score = Inputs::of(&self.readings, phase).score(law.schedule.weights.of(phase));
        self.urgency = Urgency::spent(score);
        let mut events = vec![StreamEvent::ModeChange { mode: self.mode, tick }];
        if toll.is_complete {
            events.push(StreamEvent::DreamComplete {
                cycle_number: self.cycle_number,
                hypotheses_generated: toll.hypotheses,
                insights_found: toll.insights,
                cost: toll.cost,
            });
        }
        Ok(events)
    }

    /// D-199. What a dream has cost, whoever is still there to hear of it: a dream that death cut off is paid too.
    pub fn settle(&mut self, toll: &Toll, now: UtcTime) {
        self.phase = None;
        self.budget_spent = toll.cost;
        self.budget_remaining = Usdc::ZERO;
        self.ledger = self.ledger.spend(toll.cost, now);
        self.episodes_replayed = toll.replayed;
        self.hypotheses_generated = toll.hypotheses;
        self.threats_simulated = toll.threats;
    }

    /// D-189, D-190. Death takes a waking Golem and a dreaming one alike.
    pub fn die(&mut self, tick: Tick) -> Vec<StreamEvent> {
        if self.mode == GolemMode::Dying {
            return Vec::new();
        }
        self.mode = GolemMode::Dying;
        self.phase = None;
        self.budget_remaining = Usdc::ZERO;
        vec![StreamEvent::ModeChange { mode: self.mode, tick }]
    }

    /// What the dream now says of the stored score.
    #[must_use]
    pub const fn score(&self) -> Ppm {
        self.urgency.value()
    }
}
