//! Crisis: what is counted, what is told to peers, and how a loop is broken.

use golem_mortality::economic::tier::Tier;
use golem_primitives::{Tick, UtcTime};

use crate::action::GoalClass;
use crate::band::Band;
use crate::event::SufferingEvent;
use crate::law::{CRISIS_CYCLES, RESETS_PER_DAY, SufferingLaw};
use crate::severity::Severity;
use crate::stressor::{Closure, RaisedBy};
use crate::suffering::Suffering;
use crate::text::Key;

/// S-033. Messages of one episode before its end.
const MESSAGES: u32 = 2;

/// S-094, S-096. The counter and what goes with it; it is part of the record.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Crisis {
    cycles: u32,
    seen_cycles: u32,
    messages: u32,
    owes_end: bool,
    closed_to_new: bool,
    exhausted_told: bool,
    resets: Vec<UtcTime>,
}

impl Crisis {
    /// Crisis cycles in a row.
    #[must_use]
    pub const fn cycles(&self) -> u32 {
        self.cycles
    }

    /// S-097. Whether a reset was just made and nothing new is heard for a cycle.
    #[must_use]
    pub const fn hears_nothing_new(&self) -> bool {
        self.closed_to_new
    }

    /// Resets of the last day.
    #[must_use]
    pub fn resets_of_a_day(&self, now: UtcTime) -> usize {
        self.resets.iter().filter(|at| now.since(**at).as_secs() < UtcTime::DAY_SECONDS).count()
    }
}

/// S-031, S-033. What every peer is told on the authenticated channel of the Clade: load and types, nothing else.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PeerMessage {
    pub load: Severity,
    pub types: Vec<Key>,
    pub is_over: bool,
}

impl PeerMessage {
    /// The words.
    #[must_use]
    pub fn text(&self) -> String {
        let types: Vec<&str> = self.types.iter().map(Key::as_str).collect();
        if self.is_over {
            return format!("I am no longer in crisis (suffering {}/1.0).", self.load);
        }
        format!("I am in crisis (suffering {}/1.0). Active stressors: {}.", self.load, types.join(", "))
    }
}

/// What the end of a cycle brings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CycleEnd {
    pub message: Option<PeerMessage>,
    pub events: Vec<SufferingEvent>,
}

impl Suffering {
    /// S-094, S-096. Ends an existence cycle when one ends with this tick. Only cycles that were lived count: a dreamer's
    /// and downtime's do not.
    pub fn close_cycle(&mut self, tick: Tick, now: UtcTime, is_dreaming: bool, law: &SufferingLaw) -> CycleEnd {
        let mut end = CycleEnd::default();
        if self.frozen_at.is_some() || is_dreaming || !tick.is_every(law.existence_cycle_ticks) {
            return end;
        }
        self.crisis.closed_to_new = false;
        if self.band != Band::Crisis {
            end.message = self.crisis.owes_end.then(|| self.message(true, law));
            let resets = std::mem::take(&mut self.crisis.resets);
            self.crisis = Crisis { resets, ..Crisis::default() };
            return end;
        }
        let is_seen = Band::of(self.system_load().load) == Band::Crisis;
        self.crisis.cycles = self.crisis.cycles.saturating_add(1);
        self.crisis.seen_cycles = if is_seen { self.crisis.seen_cycles.saturating_add(1) } else { 0 };
        if self.crisis.cycles >= CRISIS_CYCLES {
            self.break_loop(now, law, &mut end);
        } else if self.crisis.messages < MESSAGES {
            self.crisis.messages += 1;
            self.crisis.owes_end = true;
            end.message = Some(self.message(false, law));
        }
        end
    }

    fn message(&self, is_over: bool, law: &SufferingLaw) -> PeerMessage {
        PeerMessage { load: self.load(law).load, types: self.replay_tags(), is_over }
    }

    /// S-094, S-097. Breaks the loop, unless that was done too often. Hardened, a crisis the world alone does not make
    /// costs only what was said: otherwise talking oneself into a crisis would wipe out what was seen (S-120).
    fn break_loop(&mut self, now: UtcTime, law: &SufferingLaw, end: &mut CycleEnd) {
        let made = self.crisis.resets_of_a_day(now);
        if law.is_hardened() && made >= RESETS_PER_DAY {
            if !self.crisis.exhausted_told {
                self.crisis.exhausted_told = true;
                end.events.push(SufferingEvent::OwnerAlert { resets: made, exhausted: true });
            }
            return;
        }
        let takes_all = !law.is_hardened() || self.crisis.seen_cycles >= CRISIS_CYCLES;
        let cycles = self.crisis.cycles;
        let note = format!("crisis loop broken after {cycles} consecutive cycles");
        let before = self.active.len();
        for at in (0..before).rev() {
            if takes_all || self.active[at].source == RaisedBy::Agent {
                self.close(at, Closure::ForceReset, &note, now, &mut end.events);
            }
        }
        let closed = before - self.active.len();
        if closed == 0 {
            return;
        }
        self.crisis.resets.retain(|at| now.since(*at).as_secs() < UtcTime::DAY_SECONDS);
        self.crisis.resets.push(now);
        (self.crisis.cycles, self.crisis.messages, self.crisis.closed_to_new) = (0, 0, true);
        if takes_all {
            self.crisis.seen_cycles = 0;
        }
        end.events.push(SufferingEvent::ForceReset { cycles, closed });
        if made >= 1 {
            end.events.push(SufferingEvent::OwnerAlert { resets: made + 1, exhausted: false });
        }
        self.rebound(law, &mut end.events);
    }

    /// S-097. The owner looked: a loop may be broken again.
    pub fn owner_answers(&mut self) {
        self.crisis.resets.clear();
        self.crisis.exhausted_told = false;
    }

    /// The counter.
    #[must_use]
    pub const fn crisis(&self) -> &Crisis {
        &self.crisis
    }

    /// S-035. What is wanted when the inference fails: in Crisis, to examine oneself and nothing else.
    #[must_use]
    pub fn fallback(&self) -> Option<GoalClass> {
        (self.band == Band::Crisis).then_some(GoalClass::Examine)
    }

    /// S-036. The largest model that may be asked; Crisis asks the small one, once a cycle, within every budget.
    #[must_use]
    pub fn ceiling(&self, by_law: Tier) -> Tier {
        if self.band == Band::Crisis { by_law.under(Tier::T1) } else { by_law }
    }

    /// S-036. Deliberations in a cycle, when limited.
    #[must_use]
    pub fn deliberations_per_cycle(&self) -> Option<u32> {
        (self.band == Band::Crisis).then_some(1)
    }
}
