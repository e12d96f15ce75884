//! Vitality: one number made of three that cannot stand in for each other.

use golem_primitives::{Ppm, Tick, UtcTime};

use crate::phase::Phase;
use crate::score::{Score, sigmoid};

/// The shape of the composite (M-118). Every number is configurable within what [`VitalityLaw::check`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct VitalityLaw {
    /// Economic score at which its sigmoid is one half.
    pub economic_centre: f64,
    pub economic_steepness: f64,
    /// Fitness at which its sigmoid is one half.
    pub epistemic_centre: f64,
    pub epistemic_steepness: f64,
    /// Vitality lost by one reference lifespan of age.
    pub age_drag: f64,
    pub reference_lifespan_ticks: u64,
    /// What a rise must clear above the floor of a phase (M-125).
    pub hysteresis: Ppm,
}

/// Why numbers shape no vitality.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VitalityLawError {
    #[error("{name} must be a finite number, not {value}")]
    NotFinite { name: &'static str, value: f64 },
    #[error("{name} must not be {value}: vitality would fall when a score rises")]
    NotMonotone { name: &'static str, value: f64 },
    #[error("the reference lifespan must be at least one tick")]
    NoLifespan,
}

impl VitalityLaw {
    /// The seed's numbers.
    pub const DEFAULT: Self = Self {
        economic_centre: 0.3,
        economic_steepness: 10.0,
        epistemic_centre: 0.4,
        epistemic_steepness: 8.0,
        age_drag: 0.3,
        reference_lifespan_ticks: 200_000,
        hysteresis: Ppm::of(50_000),
    };

    /// Whether these numbers make a vitality: finite, rising with each score, falling with age.
    ///
    /// # Errors
    /// [`VitalityLawError`] naming the first parameter that does not.
    pub fn check(&self) -> Result<(), VitalityLawError> {
        let numbers = [
            ("economic_centre", self.economic_centre),
            ("economic_steepness", self.economic_steepness),
            ("epistemic_centre", self.epistemic_centre),
            ("epistemic_steepness", self.epistemic_steepness),
            ("age_drag", self.age_drag),
        ];
        if let Some(&(name, value)) = numbers.iter().find(|(_, value)| !value.is_finite()) {
            return Err(VitalityLawError::NotFinite { name, value });
        }
        let rising =
            [("economic_steepness", self.economic_steepness), ("epistemic_steepness", self.epistemic_steepness)];
        if let Some(&(name, value)) = rising.iter().find(|(_, value)| *value <= 0.0) {
            return Err(VitalityLawError::NotMonotone { name, value });
        }
        if self.age_drag < 0.0 {
            return Err(VitalityLawError::NotMonotone { name: "age_drag", value: self.age_drag });
        }
        if self.reference_lifespan_ticks == 0 {
            return Err(VitalityLawError::NoLifespan);
        }
        Ok(())
    }

    /// M-113. Age as a share of the reference lifespan; it may exceed one.
    #[must_use]
    pub fn age_factor(&self, tick: Tick) -> f64 {
        tick.get() as f64 / self.reference_lifespan_ticks as f64
    }

    /// M-115. What age leaves: one at birth, zero from 666,667 ticks on.
    #[must_use]
    pub fn age_component(&self, tick: Tick) -> Score {
        Score::held(1.0 - self.age_drag * self.age_factor(tick))
    }

    /// The three factors of the composite.
    #[must_use]
    pub fn components(&self, economic: Score, epistemic: Score, tick: Tick) -> Components {
        Components {
            economic: Score::held(sigmoid(economic.get(), self.economic_centre, self.economic_steepness)),
            epistemic: Score::held(sigmoid(epistemic.get(), self.epistemic_centre, self.epistemic_steepness)),
            age: self.age_component(tick),
        }
    }
}

/// The clock whose component moved most, carried by a phase transition (M-165, MG-06).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    Economic,
    Epistemic,
    Stochastic,
}

/// The factors of the composite, each in [0, 1]: none can raise the product above another (M-111).
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Components {
    pub economic: Score,
    pub epistemic: Score,
    /// What age leaves.
    pub age: Score,
}

impl Components {
    /// M-114. Their product, before it is rounded.
    #[must_use]
    pub fn composite(&self) -> Score {
        Score::held(self.economic.get() * self.epistemic.get() * self.age.get())
    }

    /// MG-06. The clock with the largest relative change since `before`; ties go to the earlier clock.
    #[must_use]
    pub fn trigger_since(&self, before: &Self) -> Clock {
        let change = |now: Score, then: Score| {
            let base = then.get().max(f64::MIN_POSITIVE);
            ((now.get() - then.get()) / base).abs()
        };
        let economic = change(self.economic, before.economic);
        let epistemic = change(self.epistemic, before.epistemic);
        let age = change(self.age, before.age);
        if economic >= epistemic && economic >= age {
            Clock::Economic
        } else if epistemic >= age {
            Clock::Epistemic
        } else {
            Clock::Stochastic
        }
    }
}

/// The vitality of a life at a tick (M-112), in the integers that are compared, stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Vitality {
    pub economic: Ppm,
    pub epistemic: Ppm,
    /// Age in reference lifespans.
    pub age_factor: f64,
    pub composite: Ppm,
    /// The phase, which depends on the composite and the phase before, on nothing else (M-120).
    pub phase: Phase,
    /// Ticks since the phase last changed.
    pub ticks_in_phase: u64,
    /// The phase before the last change.
    pub previous_phase: Option<Phase>,
    pub last_computed: UtcTime,
    /// The factors, kept to name the clock behind the next change.
    pub components: Components,
}

impl Vitality {
    /// The vitality of a newborn: its first phase is taken raw (MG-04).
    #[must_use]
    pub fn birth(law: &VitalityLaw, economic: Score, epistemic: Score, tick: Tick, now: UtcTime) -> Self {
        let components = law.components(economic, epistemic, tick);
        let composite = components.composite().ppm();
        Self {
            economic: economic.ppm(),
            epistemic: epistemic.ppm(),
            age_factor: law.age_factor(tick),
            composite,
            phase: Phase::raw(composite),
            ticks_in_phase: 0,
            previous_phase: None,
            last_computed: now,
            components,
        }
    }

    /// M-119, M-148. The vitality of the next tick.
    #[must_use]
    pub fn next(&self, law: &VitalityLaw, economic: Score, epistemic: Score, tick: Tick, now: UtcTime) -> Self {
        let raw = Self::birth(law, economic, epistemic, tick, now);
        let phase = self.phase.next(raw.composite, law.hysteresis);
        let unchanged = phase == self.phase;
        Self {
            phase,
            ticks_in_phase: if unchanged { self.ticks_in_phase.saturating_add(1) } else { 0 },
            previous_phase: if unchanged { self.previous_phase } else { Some(self.phase) },
            ..raw
        }
    }

    /// M-235. The vitality of an immortal: always whole, always Thriving.
    #[must_use]
    pub fn locked(self) -> Self {
        Self { composite: Ppm::ONE, phase: Phase::Thriving, previous_phase: None, ..self }
    }
}

#[cfg(test)]
#[path = "tests/vitality.rs"]
mod tests;
