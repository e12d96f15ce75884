//! What an owner sets (section `dream` of the configuration).

use std::time::Duration;

use golem_primitives::Ppm;

use crate::budget::{Caps, CoreSplit};
use crate::number::{Hundredths, Temperature};
use crate::urgency::WeightTable;
use crate::wake::MarketThreshold;
use crate::window::Window;
use crate::words::{DreamTier, Prioritisation, ScheduleMode};

mod check;

pub use check::DreamLawError;

/// D-230 to D-240. The numbers of dreaming. Dreams are off until an owner turns them on (D-240, C6).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DreamLaw {
    /// D-230. Whether this Golem dreams at all.
    pub enabled: bool,
    /// D-230. How much.
    pub tier: DreamTier,
    pub schedule: ScheduleLaw,
    /// D-232. For how much.
    pub caps: Caps,
    /// D-233, C1. The owner's split of the 85% between onset and return; the table by vital phase without.
    pub phases: Option<CoreSplit>,
    /// D-234.
    pub replay: ReplayLaw,
    /// D-235.
    pub imagination: ImaginationLaw,
    /// D-237.
    pub wake: WakeLaw,
    /// D-239.
    pub hypnagogia: HypnagogiaLaw,
    /// D-139, DG-14. What a cycle takes from arousal, in hundredths.
    pub depotentiation: Hundredths,
}

/// D-231. When a Golem dreams.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ScheduleLaw {
    /// D-040.
    pub mode: ScheduleMode,
    /// D-041.
    pub autonomous_threshold: Ppm,
    /// D-035, DG-5. What an active market adds to the threshold, in parts per million; a quiet one takes.
    pub market_adjustment: i32,
    /// D-042.
    pub windows: Vec<Window>,
    /// D-210, DG-12. Ticks between two lightweight cycles.
    pub cycle_interval_ticks: u64,
    /// D-031, DG-1.
    pub weights: WeightTable,
}

/// D-234. What is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ReplayLaw {
    pub batch_size: u32,
    /// D-083.
    pub prioritisation: Prioritisation,
}

/// D-235. What is imagined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ImaginationLaw {
    /// D-114. Alternatives for each decision.
    pub counterfactual_depth: u32,
    /// D-115.
    pub creative_sessions: u32,
    /// D-128.
    pub threat_scenarios: u32,
    /// D-114.
    pub exploration_temperature: Temperature,
    /// D-137. Whether attacks on the Golem itself are imagined; it can be turned off alone.
    pub adversarial: bool,
}

impl ImaginationLaw {
    /// D-014. Whether nothing is to be imagined at all: no alternative, no session, no threat. REM then has no work, which
    /// is how a dream is compared with one that only replays.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.counterfactual_depth == 0 && self.creative_sessions == 0 && self.threat_scenarios == 0
    }
}

/// D-237. What wakes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WakeLaw {
    pub enabled: bool,
    /// D-194.
    pub thresholds: Vec<MarketThreshold>,
}

/// D-239. The edges of sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HypnagogiaLaw {
    /// D-070. Whether a model is asked at the edge; without a word, in the hardened tier only.
    pub enabled: Option<bool>,
    pub max_duration_secs: u32,
    /// D-062. Cycles of four partials, at most.
    pub dali_cycles: u32,
    /// D-054. The lowest and the highest temperature.
    pub temperatures: (Temperature, Temperature),
    /// D-060. Score below which a fragment is dropped.
    pub fragment_floor: Hundredths,
    /// D-058. Whether fragments are scored.
    pub observer: bool,
    /// D-178. Whether the way back is walked; its share stays unspent without.
    pub hypnopompic_return: bool,
}

impl HypnagogiaLaw {
    /// D-070. Whether a model is asked at the edge of sleep.
    #[must_use]
    pub fn is_on(&self, tier: DreamTier) -> bool {
        self.enabled.unwrap_or(tier == DreamTier::Hardened)
    }
}

impl Default for DreamLaw {
    fn default() -> Self {
        Self {
            enabled: false,
            tier: DreamTier::Core,
            schedule: ScheduleLaw {
                mode: ScheduleMode::Hybrid,
                autonomous_threshold: Ppm::of(800_000),
                market_adjustment: 0,
                windows: vec![Window::night()],
                cycle_interval_ticks: 50,
                weights: WeightTable::default(),
            },
            caps: Caps::default(),
            phases: None,
            replay: ReplayLaw { batch_size: 10, prioritisation: Prioritisation::Utility },
            imagination: ImaginationLaw {
                counterfactual_depth: 2,
                creative_sessions: 2,
                threat_scenarios: 3,
                exploration_temperature: Temperature::thousandths(700),
                adversarial: true,
            },
            wake: WakeLaw {
                enabled: true,
                thresholds: vec![MarketThreshold {
                    asset: "ETH".to_owned(),
                    percent: 10,
                    within: Duration::from_secs(300),
                }],
            },
            hypnagogia: HypnagogiaLaw {
                enabled: None,
                max_duration_secs: 60,
                dali_cycles: 3,
                temperatures: (Temperature::thousandths(1_000), Temperature::thousandths(1_500)),
                fragment_floor: Hundredths::of(10),
                observer: true,
                hypnopompic_return: true,
            },
            depotentiation: Hundredths::of(30),
        }
    }
}
