//! Which episodes are worth a replay: what could be gained from them, and how much it is needed now.

use golem_daimon::{MoodLabel, Pad};
use golem_grimoire::episode::{DreamPriority, EpisodeKind};
use golem_grimoire::regime::Regime;
use golem_primitives::{Ppm, Tick, words};

use crate::inputs::Trace;
use crate::number::clamp01;
use crate::vector::Vector;

/// DG-6. Ticks after which an episode's recency is 1/e.
pub const RECENCY_TICKS: f64 = 2_000.0;
/// DG-6. Ticks after which the penalty of a replay is 1/e.
pub const SPACING_TICKS: f64 = 500.0;
/// D-077. What each replay leaves of the gain.
const FATIGUE: f64 = 0.85;
/// D-078. What the dead's last words gain.
const BLOODSTAIN: f64 = 1.2;
/// D-079. What the Curator's tag multiplies by.
const TAGGED: f64 = 2.0;
/// D-085. What a mood multiplies by.
const MOOD: f64 = 2.0;
/// D-080. Utility above which an episode is replayed.
pub const ELIGIBLE: Ppm = Ppm::of(100_000);

/// What a replay is needed for.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    pub market: Option<&'a Vector>,
    pub regime: Option<Regime>,
    pub tick: Tick,
    /// The mood at the start of the cycle.
    pub mood: Option<Pad>,
    /// D-205. Whether dreams serve those who come after.
    pub is_legacy: bool,
}

/// D-074, DG-7. `0.4 surprise + 0.3 |pnl| / size + 0.3 regret`, in [0, 1].
#[must_use]
pub fn gain(surprise: f64, pnl_micros: Option<i64>, size_micros: u64, regret: f64) -> f64 {
    let moved = match pnl_micros {
        Some(pnl) if size_micros > 0 => clamp01(pnl.unsigned_abs() as f64 / size_micros as f64),
        _ => 0.0,
    };
    clamp01(0.4 * surprise + 0.3 * moved + 0.3 * regret)
}

/// D-075, DG-7. `0.4 likeness + 0.3 regime + 0.3 recency`, in [0, 1].
#[must_use]
pub fn need(likeness: f64, is_same_regime: bool, age_ticks: u64) -> f64 {
    let regime = if is_same_regime { 1.0 } else { 0.3 };
    clamp01(0.4 * likeness.max(0.0) + 0.3 * regime + 0.3 * libm::exp(-(age_ticks as f64) / RECENCY_TICKS))
}

/// D-076. What a replay `ticks` ago leaves; never replayed, everything.
#[must_use]
pub fn spacing(ticks: Option<u64>) -> f64 {
    ticks.map_or(1.0, |ticks| 1.0 - 0.5 * libm::exp(-(ticks as f64) / SPACING_TICKS))
}

/// D-073 to D-079, DG-8. Gain with bloodstain and fatigue, times need, times spacing, times the Curator's tag, times the
/// mood's: a boost may rescue an episode from the filter behind it.
#[must_use]
pub fn utility(trace: &Trace, context: &Context<'_>) -> Ppm {
    let (episode, notes) = (&trace.recorded.episode, &trace.recorded.notes);
    let regret = trace.regret.map_or(0.0, |regret| regret.as_f64());
    let stain = if trace.is_bloodstain() { BLOODSTAIN } else { 1.0 };
    let fatigue = libm::pow(FATIGUE, f64::from(notes.replay_count));
    let gain = gain(trace.surprise(), episode.pnl_micros, episode.position.micros(), regret) * stain * fatigue;
    let likeness = context.market.zip(trace.vector.as_ref()).and_then(|(now, then)| now.cosine(then)).unwrap_or(0.0);
    let is_same = context.regime.is_some() && context.regime == episode.regime;
    let need = need(likeness, is_same, context.tick.since(episode.happened.tick));
    let spacing = spacing(notes.last_replayed.map(|last| context.tick.since(last.tick)));
    let is_tagged = matches!(notes.dream_priority, Some((DreamPriority::High, _)));
    let tag = if is_tagged { TAGGED } else { 1.0 };
    let mood = if MoodBias::of(context.mood).favours(trace) { MOOD } else { 1.0 };
    let legacy = if context.is_legacy && MoodBias::Despairing.favours(trace) { MOOD } else { 1.0 };
    Ppm::round(gain * need * spacing * tag * mood * legacy)
}

words! {
    /// D-085. What a mood makes replay look for.
    MoodBias {
        /// Warnings and changes of regime.
        Anxious = "anxious",
        /// What is new.
        Confident = "confident",
        /// What is known to be good.
        Depleted = "depleted",
        /// What is worth leaving.
        Despairing = "despairing",
        /// Nothing in particular.
        None = "none",
    }
}

impl MoodBias {
    /// D-085. By the mood at the start of the cycle.
    #[must_use]
    pub fn of(mood: Option<Pad>) -> Self {
        let Some(mood) = mood else { return Self::None };
        let [pleasure, arousal, dominance] = mood.axes();
        if pleasure < -0.5 && dominance < -0.3 && arousal <= 0.0 {
            Self::Despairing
        } else if MoodLabel::of(mood) == MoodLabel::Anxious {
            Self::Anxious
        } else if pleasure > 0.2 && dominance > 0.2 {
            Self::Confident
        } else if arousal < -0.3 {
            Self::Depleted
        } else {
            Self::None
        }
    }

    /// Whether an episode is of what the mood looks for.
    #[must_use]
    pub fn favours(self, trace: &Trace) -> bool {
        let episode = &trace.recorded.episode;
        match self {
            Self::Anxious => matches!(episode.kind, EpisodeKind::RegimeShift | EpisodeKind::SafetyIncident),
            Self::Confident => trace.surprise() >= 0.5,
            Self::Depleted => trace.sign() > 0,
            Self::Despairing => trace.provenance.is_inherited() || !trace.recorded.notes.entries.is_empty(),
            Self::None => false,
        }
    }
}
