//! How much a Golem still learns from what it does: mutual information of actions and market responses (M-264).
//!
//! An advisory layer beside the three clocks. It reads the composite and never writes it: nothing here returns a score
//! that a clock takes, and its alerts ask for arousal and caution, not for death.

mod budget;
mod clade;
mod entropy;
mod explanation;
mod trial;

use std::collections::VecDeque;

use golem_primitives::{Ppm, Tick};

use crate::ksg::{Ksg, KsgError, Nats, standardise};

pub use budget::InformationBudget;
pub use clade::redundancy_index;
pub use entropy::ObservationWindow;
pub use explanation::{Channel, Channels, NotAChannel};
pub use trial::{AlertOutcome, DiagnosticTrial};

/// Ticks in the recent window, and in the past window before it (M-265, M-270).
pub const WINDOW_TICKS: u64 = 1_000;
/// The overfitting test reads both windows and runs on every tenth tick (M-274).
pub const OVERFIT_EVERY_TICKS: u64 = 10;
/// Where a prediction channel is full, in bits; no source gives a figure (MG-08).
pub const DEFAULT_CEILING_BITS: f64 = 2.0;

/// What was done and how the market answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionResponse {
    /// When.
    pub tick: Tick,
    /// What was done, as a signed size.
    pub action: f64,
    /// How the market answered, as a return.
    pub response: f64,
}

/// Why a pair or a setting was refused.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InformationError {
    /// A number that is NaN or infinite.
    #[error("an action of {action} with a response of {response} is no pair of finite numbers")]
    NotFinite {
        /// What was done.
        action: f64,
        /// How the market answered.
        response: f64,
    },
    /// A pair from before the newest one.
    #[error("a pair of tick {given} came after one of tick {newest}")]
    OutOfOrder {
        /// Its tick.
        given: Tick,
        /// The newest tick seen.
        newest: Tick,
    },
    /// A ceiling that divides nothing.
    #[error("a ceiling of {bits} bits is not above zero")]
    Ceiling {
        /// What was asked.
        bits: f64,
    },
    /// The estimator refused.
    #[error("no estimate of information exists")]
    Estimate(#[from] KsgError),
}

/// What the layer asks for. None of it reaches a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alert {
    /// M-269, `mortality:decoupling_alert`: vital by its clocks, yet the market no longer answers what it does.
    Decoupling,
    /// M-270: it knew much and knows little now.
    Overfitting,
}

impl Alert {
    /// The event's name.
    #[must_use]
    pub const fn event(self) -> &'static str {
        match self {
            Self::Decoupling => "mortality:decoupling_alert",
            Self::Overfitting => "mortality:overfitting_alert",
        }
    }

    /// Whether the affect engine raises arousal.
    #[must_use]
    pub const fn raises_arousal(self) -> bool {
        matches!(self, Self::Decoupling)
    }

    /// Whether the action gate is as careful as in Conservation; the phase stays what the composite says.
    #[must_use]
    pub const fn asks_caution(self) -> bool {
        matches!(self, Self::Decoupling)
    }
}

/// One look at the channel between a Golem and its market.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InformationReading {
    /// Mutual information of the recent window; an estimate below zero is nothing.
    pub bits: f64,
    /// V(G): the share of the ceiling in use (M-268).
    pub vitality: Ppm,
    /// Change since the last reading, in bits per tick (M-268).
    pub rate: f64,
    /// Distinct observations in their window (M-275).
    pub entropy_rate: f64,
    /// M-269.
    pub decoupling: bool,
    /// M-270, as of the last tenth tick.
    pub overfitting: bool,
}

impl InformationReading {
    /// M-266. What is said before there are enough samples: nothing is wrong.
    pub const UNKNOWN: Self =
        Self { bits: 0.0, vitality: Ppm::ONE, rate: 0.0, entropy_rate: 1.0, decoupling: false, overfitting: false };

    /// The alerts of this reading.
    pub fn alerts(&self) -> impl Iterator<Item = Alert> {
        [(self.decoupling, Alert::Decoupling), (self.overfitting, Alert::Overfitting)]
            .into_iter()
            .filter_map(|(raised, alert)| raised.then_some(alert))
    }

    /// The signals of the cortical state (M-267): bits, bits per tick, and how unique the Golem is in its Clade.
    #[must_use]
    pub fn signals(&self, redundancy: Ppm) -> CorticalSignals {
        CorticalSignals {
            mutual_information: self.bits as f32,
            information_rate: self.rate as f32,
            redundancy_index: redundancy.as_f64() as f32,
        }
    }
}

/// M-267. What other subsystems see, in single precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorticalSignals {
    /// Bits, and neither nats nor V(G) (C-34).
    pub mutual_information: f32,
    /// Bits per tick.
    pub information_rate: f32,
    /// In [0, 1]: 1 is unique, 0 redundant.
    pub redundancy_index: f32,
}

/// The sliding windows and the last reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostics {
    estimator: Ksg,
    ceiling_bits: f64,
    pairs: VecDeque<ActionResponse>,
    observations: ObservationWindow,
    last: Option<(Tick, f64)>,
    overfitting: bool,
}

impl Diagnostics {
    /// Empty windows for an estimator and a ceiling in bits (I_max).
    ///
    /// # Errors
    /// [`InformationError::Ceiling`] when the ceiling is not a number above zero.
    pub fn new(estimator: Ksg, ceiling_bits: f64) -> Result<Self, InformationError> {
        if !ceiling_bits.is_finite() || ceiling_bits <= 0.0 {
            return Err(InformationError::Ceiling { bits: ceiling_bits });
        }
        let observations = ObservationWindow::new(WINDOW_TICKS as usize);
        Ok(Self { estimator, ceiling_bits, pairs: VecDeque::new(), observations, last: None, overfitting: false })
    }

    /// Takes a pair and the hash of what was observed with it. Pairs older than both windows are dropped.
    ///
    /// # Errors
    /// [`InformationError`] for numbers that are not finite or a tick before the newest; nothing is remembered.
    pub fn observe(&mut self, pair: ActionResponse, observation: u64) -> Result<(), InformationError> {
        let ActionResponse { tick, action, response } = pair;
        if !action.is_finite() || !response.is_finite() {
            return Err(InformationError::NotFinite { action, response });
        }
        if let Some(newest) = self.pairs.back().map(|p| p.tick).filter(|newest| *newest > tick) {
            return Err(InformationError::OutOfOrder { given: tick, newest });
        }
        self.pairs.push_back(pair);
        while self.pairs.front().is_some_and(|oldest| tick.since(oldest.tick) > 2 * WINDOW_TICKS) {
            self.pairs.pop_front();
        }
        self.observations.push(observation);
        Ok(())
    }

    /// Reads the channel at heartbeat step 3, given the composite of the clocks.
    ///
    /// # Errors
    /// [`InformationError::Estimate`] when the spread of a column is beyond `f64`; the windows stay as they are.
    pub fn analyse(&mut self, now: Tick, composite: Ppm) -> Result<InformationReading, InformationError> {
        let Some(bits) = self.recent_bits(now)? else { return Ok(InformationReading::UNKNOWN) };
        if now.is_every(OVERFIT_EVERY_TICKS) {
            let past = self.past_bits(now)?;
            self.overfitting = past.is_some_and(|past| overfits(past, bits, self.ceiling_bits));
        }
        let vitality = Ppm::round(bits / self.ceiling_bits);
        let rate = match self.last {
            Some((then, before)) if now > then => (bits - before) / now.since(then) as f64,
            _ => 0.0,
        };
        self.last = Some((now, bits));
        Ok(InformationReading {
            bits,
            vitality,
            rate,
            entropy_rate: self.observations.entropy_rate(),
            decoupling: decouples(composite, vitality),
            overfitting: self.overfitting,
        })
    }

    /// Information in the last 1,000 ticks; `None` while there are too few pairs (M-266).
    fn recent_bits(&self, now: Tick) -> Result<Option<f64>, InformationError> {
        self.bits_of(|pair| now.since(pair.tick) < WINDOW_TICKS && pair.tick <= now)
    }

    /// Information in ticks [now - 2,000, now - 1,000].
    fn past_bits(&self, now: Tick) -> Result<Option<f64>, InformationError> {
        self.bits_of(|pair| (WINDOW_TICKS..=2 * WINDOW_TICKS).contains(&now.since(pair.tick)))
    }

    fn bits_of(&self, inside: impl Fn(&ActionResponse) -> bool) -> Result<Option<f64>, InformationError> {
        let pairs = self.pairs.iter().filter(|pair| inside(pair));
        let (actions, responses): (Vec<f64>, Vec<f64>) = pairs.map(|p| (p.action, p.response)).unzip();
        match information(self.estimator, &[&actions], &responses) {
            Ok(nats) => Ok(Some(nats.bits())),
            Err(KsgError::TooFew { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// M-269. Both edges are exclusive.
#[must_use]
pub fn decouples(composite: Ppm, vitality: Ppm) -> bool {
    composite > Ppm::of(500_000) && vitality < Ppm::of(200_000)
}

/// M-270. The past told more than three times the present, and the present tells less than 0.3 of the ceiling.
#[must_use]
pub fn overfits(past_bits: f64, recent_bits: f64, ceiling_bits: f64) -> bool {
    past_bits > 0.0 && past_bits / recent_bits.max(1e-10) > 3.0 && recent_bits < 0.3 * ceiling_bits
}

/// The estimate on unitless columns, held at zero: less than nothing cannot be told.
fn information(estimator: Ksg, columns: &[&[f64]], responses: &[f64]) -> Result<Nats, KsgError> {
    let scaled: Vec<Vec<f64>> = columns.iter().map(|column| standardise(column)).collect();
    let columns: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    let nats = estimator.joint_information(&columns, &standardise(responses))?;
    Ok(Nats(nats.0.max(0.0)))
}

#[cfg(test)]
mod tests;
