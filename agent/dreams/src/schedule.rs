//! The one function that opens a dream.

use std::fmt;

use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};

use crate::budget::{DreamLedger, Target};
use crate::clocks::Clocks;
use crate::gate::{DreamRefusal, DreamStanding};
use crate::law::DreamLaw;
use crate::urgency::{Urgency, threshold};
use crate::words::{DreamTier, DreamTrigger, GolemMode, ScheduleMode};

/// What is known when a dream could be opened. Whether a window is open is given, so that a journal means the same when
/// the tables of the zones change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DreamLook {
    pub tick: Tick,
    pub now: UtcTime,
    pub mode: GolemMode,
    /// D-191. Whether it is asleep, where alone a lightweight cycle runs.
    pub is_sleeping: bool,
    pub standing: DreamStanding,
    pub clocks: Clocks,
    /// D-016. Whether a configured window is open.
    pub is_window_open: bool,
    /// D-019. Whether the owner asked for a dream.
    pub is_directed: bool,
    /// D-020. Whether this is the tick of the transition into Terminal, and no emergency dream was dreamt.
    pub is_terminal_edge: bool,
    pub cycles_in_window: u32,
    /// D-171. What its dreams came to.
    pub quality: Option<Ppm>,
    /// C16. Whether feelings are the largest part of the urgency.
    pub is_emotional: bool,
}

/// A dream that is to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Opening {
    pub trigger: DreamTrigger,
    /// D-019. The score it was opened with; one where none was computed.
    pub score: Ppm,
    pub tier: DreamTier,
    /// What it may cost.
    pub grant: Usdc,
    /// C16. Whether feelings were the largest part of the urgency.
    pub is_emotional: bool,
}

/// Why there is no dream and nobody was refused one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// D-215. Dreams are off.
    Disabled,
    /// It is dreaming or dying already.
    NotWaking,
    NoTrigger,
    /// D-203. Below six hours of credit there are no dreams.
    NearTheEnd,
    /// D-017, D-199. The money or the cycles of this window or month are used up.
    NoBudget,
}

impl fmt::Display for Rest {
    /// Why, and what its owner can do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Disabled => "its dreams are off; write enabled = true under [dreams] of its golem.toml",
            Self::NotWaking => "it dreams already, or is dying; look at it with `bardo mind dream status`",
            Self::NoTrigger => "nothing asks for a dream now: no window is open and it is not urgent",
            Self::NearTheEnd => "its credits last less than six hours, and those are not dreamt away; fund it",
            Self::NoBudget => {
                "the money or the cycles of this window or month are used up; raise dreams.per_window or dreams.per_month, \
                 or wait for the next"
            }
        })
    }
}

/// What is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleVerdict {
    Dream(Opening),
    /// DG-23. Somebody asked for one and these stand against it.
    Refused {
        trigger: DreamTrigger,
        because: Vec<DreamRefusal>,
    },
    Rest(Rest),
}

/// D-015 to D-020, D-040 to D-044, C15. What asks for a dream now, if anything. Windows and urgency drive full cycles;
/// the interval drives lightweight ones; owners and the edge of death drive both.
fn trigger(law: &DreamLaw, urgency: &Urgency, look: &DreamLook) -> Option<DreamTrigger> {
    let mode = law.schedule.mode;
    let by_window = matches!(mode, ScheduleMode::Owner | ScheduleMode::Hybrid) && look.is_window_open;
    let by_urgency = matches!(mode, ScheduleMode::Autonomous | ScheduleMode::Hybrid)
        && urgency.value() >= threshold(&law.schedule, look.standing.phase, look.quality);
    let interval = look.clocks.interval(look.standing.phase, law.schedule.cycle_interval_ticks);
    let by_interval = look.is_sleeping && interval.is_some_and(|ticks| look.tick.is_every(ticks));
    match law.tier {
        _ if look.is_terminal_edge => Some(DreamTrigger::Emergency),
        _ if look.is_directed => Some(DreamTrigger::Owner),
        DreamTier::Hardened if by_window => Some(DreamTrigger::Window),
        DreamTier::Hardened if by_urgency => Some(DreamTrigger::Urgency),
        DreamTier::Core if by_interval => Some(DreamTrigger::Interval),
        _ => None,
    }
}

/// D-015. Whether to dream. There is no other way to an [`Opening`] that a life acts on.
#[must_use]
pub fn should_dream(law: &DreamLaw, urgency: &Urgency, ledger: &DreamLedger, look: &DreamLook) -> ScheduleVerdict {
    if !law.enabled {
        return ScheduleVerdict::Rest(Rest::Disabled);
    }
    if look.mode != GolemMode::Waking {
        return ScheduleVerdict::Rest(Rest::NotWaking);
    }
    let Some(trigger) = trigger(law, urgency, look) else { return ScheduleVerdict::Rest(Rest::NoTrigger) };
    let is_emergency = trigger == DreamTrigger::Emergency;
    let because = look.standing.refusals(is_emergency);
    if !because.is_empty() {
        return ScheduleVerdict::Refused { trigger, because };
    }
    let phase = look.standing.phase;
    if !is_emergency && look.clocks.modulation(phase).frequency == 0 {
        return ScheduleVerdict::Rest(Rest::NearTheEnd);
    }
    let Some((tier, grant)) = money(law, ledger, look, trigger) else {
        return ScheduleVerdict::Rest(Rest::NoBudget);
    };
    let score = if trigger == DreamTrigger::Urgency { urgency.value() } else { Ppm::ONE };
    ScheduleVerdict::Dream(Opening { trigger, score, tier, grant, is_emotional: look.is_emotional })
}

/// D-009, C3, C14. The tier and the money of a cycle, or `None` when there is none for it. The emergency dream is dreamt
/// by rules for nothing; a lightweight one can be, and never waits for money.
fn money(law: &DreamLaw, ledger: &DreamLedger, look: &DreamLook, trigger: DreamTrigger) -> Option<(DreamTier, Usdc)> {
    if trigger == DreamTrigger::Emergency {
        return Some((DreamTier::Core, Usdc::ZERO));
    }
    let phase = look.standing.phase;
    let grant = ledger.grant(law.tier, phase, &law.caps, look.now);
    match law.tier {
        DreamTier::Core => Some((DreamTier::Core, grant)),
        DreamTier::Hardened => {
            let is_full = trigger == DreamTrigger::Window && look.cycles_in_window >= Target::of(phase).cycles.1;
            (!is_full && !grant.is_zero()).then_some((DreamTier::Hardened, grant))
        }
    }
}

/// D-020, C3. Whether a change of vital phase is the edge on which the last dream is dreamt.
#[must_use]
pub fn is_terminal_edge(from: Phase, to: Phase, already: bool) -> bool {
    from != Phase::Terminal && to == Phase::Terminal && !already
}
