//! The body of a life and the per-tick sequence.

use golem_primitives::{GolemId, Ppm, Tick, Usdc, UtcTime};

use crate::alarm::Alarm;
use crate::behaviour::{Behaviour, sharing_threshold};
use crate::economic::burn::TickCosts;
use crate::economic::clock::{EconomicClock, FundingError};
use crate::economic::ladder::Rung;
use crate::economic::partitions::Partitions;
use crate::economic::pressure::Sustainability;
use crate::economic::tier::Tier;
use crate::epistemic::clock::{EpistemicClock, EpistemicFacts};
use crate::epistemic::senescence::SenescenceStage;
use crate::law::Law;
use crate::mode::Mode;
use crate::phase::Phase;
use crate::score::Score;
use crate::stochastic::clock::StochasticClock;
use crate::stochastic::roll::{Roll, Salt};
use crate::vitality::{Vitality, VitalityLawError};

mod checks;
mod sequence;

/// Everything the law knows of a life. Fixed in size: a tick allocates nothing.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vitals {
    id: GolemId,
    law: Law,
    tick: Tick,
    economic: EconomicClock,
    epistemic: EpistemicClock,
    stochastic: StochasticClock,
    vitality: Vitality,
    sustainability: Sustainability,
    rung: Option<Rung>,
    critical: Alarm,
    warning: Alarm,
    shadow_death: Alarm,
    open_positions: u32,
    senescent: SenescentNotes,
}

/// M-160. What happened while the Golem was senescent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
struct SenescentNotes {
    archived: u32,
    reflections: u32,
    improved: bool,
}

/// What is known of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BalanceReading {
    /// The Golem's own books are the truth: simulation and paper.
    #[default]
    Ledger,
    /// What the chain says of llm, gas, data and legacy; it replaces belief.
    Observed(Partitions),
    /// Nobody knows: no economic death is declared.
    Blind,
}

/// Where the roll of a tick comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// M-096. From the id, the tick and this salt.
    Named(Salt),
    /// A roll drawn elsewhere: simulated populations, and traces without chance.
    Given(Roll),
}

impl Default for Chance {
    fn default() -> Self {
        Self::Named(Salt::Empty)
    }
}

/// What a tick is told. Costs cannot be negative and scores cannot be NaN: their types refuse.
#[derive(Debug, Clone, Copy, Default)]
pub struct TickFacts<'a> {
    /// The tick; it must follow the last one.
    pub tick: Tick,
    pub now: UtcTime,
    pub costs: TickCosts,
    /// M-047. Gifts and payments that arrived.
    pub funded: Usdc,
    /// Realised profit that reached the credits (V-014).
    pub revenue: Usdc,
    pub balance: BalanceReading,
    pub epistemic: EpistemicFacts<'a>,
    pub chance: Chance,
    pub open_positions: u32,
    pub archived: u32,
    /// A Loop-2 reflection finished, and whether it raised fitness.
    pub reflection: Option<bool>,
    pub seconds_since_snapshot: Option<u64>,
}

/// Why a tick was not lived; nothing has changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TickError {
    /// The law runs on every tick, in order (M-155): a clock ran backwards, stood still or jumped.
    #[error("tick {got} came where {expected} was due")]
    OutOfOrder { expected: Tick, got: Tick },
}

/// Why nobody is born.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BirthError {
    #[error("nobody can live on these credits")]
    Funding(#[from] FundingError),
    /// MG-10. The numbers of the composite make no vitality.
    #[error("nobody can live under these numbers")]
    Law(#[from] VitalityLawError),
}

/// M-152. What holds until the next tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Posture {
    pub ceiling: Tier,
    pub tick_multiplier: u32,
    /// Confidence from which entries are shared.
    pub sharing: Ppm,
}

/// M-157. The audit trail of a tick.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TickRecord {
    pub tick: Tick,
    pub vitality: Vitality,
    pub spent: Usdc,
    pub cumulative_survival: f64,
    /// What holds until the next tick; `None` when there is none.
    pub posture: Option<Posture>,
}

impl Vitals {
    /// A life before its first tick.
    ///
    /// # Errors
    /// [`BirthError`] when a hosted Golem would have nothing to live on, or the law is none.
    pub fn provision(
        id: GolemId,
        law: Law,
        initial: Usdc,
        open_positions: u32,
        now: UtcTime,
    ) -> Result<Self, BirthError> {
        law.vitality.check()?;
        let reserve = law.reserve_for(initial, open_positions);
        let economic = if law.mode.counts_credits() {
            EconomicClock::birth(initial, reserve, law.shares, law.caps)?
        } else {
            EconomicClock::uncounted(initial, law.shares, law.caps)
        };
        let score = if law.mode.counts_credits() { economic.score() } else { Score::ONE };
        let epistemic = EpistemicClock::starting_at(law.starting_fitness);
        let vitality = Vitality::birth(&law.vitality, score, epistemic.fitness(), Tick::ZERO, now);
        Ok(Self {
            id,
            tick: Tick::ZERO,
            economic,
            epistemic,
            stochastic: StochasticClock::birth(&law.hazard),
            vitality,
            sustainability: Sustainability::default(),
            rung: None,
            critical: Alarm::default(),
            warning: Alarm::default(),
            shadow_death: Alarm::default(),
            open_positions,
            senescent: SenescentNotes::default(),
            law,
        })
    }

    /// Who lives.
    #[must_use]
    pub const fn id(&self) -> &GolemId {
        &self.id
    }

    /// Under which law.
    #[must_use]
    pub const fn law(&self) -> &Law {
        &self.law
    }

    /// The last tick lived.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Credits.
    #[must_use]
    pub const fn economic(&self) -> &EconomicClock {
        &self.economic
    }

    /// Fitness.
    #[must_use]
    pub const fn epistemic(&self) -> &EpistemicClock {
        &self.epistemic
    }

    /// Hazard.
    #[must_use]
    pub const fn stochastic(&self) -> &StochasticClock {
        &self.stochastic
    }

    /// Positions open at the last tick.
    #[must_use]
    pub const fn open_positions(&self) -> u32 {
        self.open_positions
    }

    /// M-112. The vitality; of an immortal it is always whole (M-235).
    #[must_use]
    pub fn vitality(&self) -> Vitality {
        if self.law.mode.is_mortal() { self.vitality } else { self.vitality.locked() }
    }

    /// The phase that behaviour follows.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.vitality().phase
    }

    /// M-015, M-016. The economic score.
    #[must_use]
    pub fn economic_score(&self) -> Score {
        if self.law.mode.counts_credits() { self.economic.score() } else { Score::ONE }
    }

    /// M-046. Revenue against burn.
    #[must_use]
    pub const fn sustainability(&self) -> &Sustainability {
        &self.sustainability
    }

    /// M-152. What holds until the next tick.
    #[must_use]
    pub fn posture(&self) -> Posture {
        let phase = self.phase();
        let row = Behaviour::of(phase);
        // M-235: an immortal shares as the thriving do, whatever its hazard.
        let stage =
            if self.law.mode.is_mortal() { self.epistemic.senescence().stage() } else { SenescenceStage::Sound };
        let sharing = if self.law.mode.is_mortal() {
            sharing_threshold(phase, self.stochastic.hazard, stage)
        } else {
            row.sharing
        };
        Posture { ceiling: row.ceiling, tick_multiplier: row.tick_multiplier, sharing }
    }

    /// M-241. From here on it can die, of what its clocks always said; false when it could before. Nothing makes a mortal immortal.
    pub fn become_mortal(&mut self) -> bool {
        let was_immortal = !self.law.mode.is_mortal();
        if was_immortal {
            self.law.mode = Mode::Hosted;
        }
        was_immortal
    }
}

#[cfg(test)]
#[path = "tests/vitals.rs"]
mod tests;
