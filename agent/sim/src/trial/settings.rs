//! What a trial is asked.

use std::time::Duration;

use golem_core::trader::{Foundation, TraderSettings};
use golem_mortality::law::Law;
use golem_mortality::stochastic::hazard::{HazardLaw, HazardNumbers};
use golem_mortality::vitals::BirthError;
use golem_playbook::promotion::Founding;
use golem_playbook::rule::Expectation;
use golem_primitives::{Ppm, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::terrain::Pace;
use super::till::COUNTED;
use crate::settings::TooLarge;

/// Arms, seeds and the world they share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialSettings {
    /// The first seed; each of the others is one more.
    pub first_seed: u64,
    /// How many seeds: markets, and luck.
    pub seeds: u32,
    /// Ticks of each.
    pub ticks: u64,
    /// How often the market changes.
    pub pace: Pace,
    /// What each line begins with, and never gets more of.
    pub capital: Usdc,
    /// The share of it that one trade moves.
    pub stake: Ppm,
    /// The pool's fee in millionths.
    pub fee_ppm: u32,
    /// The law of the mortal: nobody's credits count, so only chance and senescence kill.
    pub law: Law,
    /// Ticks after a switch that are looked at.
    pub horizon: u64,
    /// Ticks over which the truth of each epoch is counted.
    pub truth_ticks: u64,
}

/// The founding book all of them trade by.
pub(crate) const BOOK: &str = "mean-reversion";

/// The law of lives short enough for several generations in a trial: half are over by some 4,000 ticks.
fn brief() -> Law {
    let numbers =
        HazardNumbers { base: 8e-5, age_coefficient: 2e-5, aging_rate: 4e-4, ..*HazardLaw::DEFAULT.numbers() };
    Law { hazard: HazardLaw::new(numbers).expect("numbers within the bounds of the law"), ..Law::self_hosted() }
}

/// The same law without an end: no hazard that could ever strike, no drag of age, no senescence. M-233's mode would also
/// lock the phase, and with it the size of every trade; here nothing but death is taken away.
fn endless(law: Law) -> Law {
    let numbers =
        HazardNumbers { base: f64::MIN_POSITIVE, age_coefficient: 0.0, aging_rate: 0.0, ..*law.hazard.numbers() };
    let mut endless = Law { hazard: HazardLaw::new(numbers).unwrap_or(law.hazard), ..law };
    endless.vitality.age_drag = 0.0;
    endless.epistemic.senescence.threshold = Ppm::ZERO;
    endless
}

impl Default for TrialSettings {
    fn default() -> Self {
        Self {
            first_seed: 1,
            seeds: 8,
            ticks: 12_000,
            pace: Pace { epoch_ticks: 4_000, weather_ticks: 500 },
            capital: Usdc::whole(1_000),
            stake: Ppm::of(500_000),
            fee_ppm: 2_700,
            law: brief(),
            horizon: 2_000,
            truth_ticks: 40_000,
        }
    }
}

/// Why there is no trial.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// Nothing to compare.
    #[error("a trial needs at least two seeds and one tick, or there is no interval; raise --seeds or --ticks")]
    Empty,
    /// More than a machine should be asked for.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Nobody could be born.
    #[error("nobody can be born")]
    Birth(#[from] BirthError),
}

impl TrialSettings {
    /// The most seeds.
    pub const MOST_SEEDS: u32 = 10_000;
    /// The most ticks.
    pub const MOST_TICKS: u64 = 1_000_000;

    /// Whether these settings make a trial.
    ///
    /// # Errors
    /// [`TrialError`] naming what does not.
    pub fn check(&self) -> Result<(), TrialError> {
        if self.seeds < 2 || self.ticks == 0 || self.truth_ticks == 0 {
            return Err(TrialError::Empty);
        }
        Ok(TooLarge::check([
            ("seeds", u64::from(self.seeds), u64::from(Self::MOST_SEEDS)),
            ("ticks", self.ticks, Self::MOST_TICKS),
            ("truth ticks", self.truth_ticks, Self::MOST_TICKS),
        ])?)
    }

    /// The hand of everybody.
    pub(crate) fn trader(&self) -> TraderSettings {
        TraderSettings { stake: Ppm::of(self.stake.get() / COUNTED), host_per_tick: Usdc::ZERO }
    }

    /// The book of everybody, with the owner's trust: what is compared are lives, not how a book proves itself.
    pub(crate) fn foundation(&self) -> Foundation {
        let shipped = Foundation::shipped(BOOK).expect("a founding book of that name ships");
        let mut book = shipped.book.clone();
        // The toy pool is dear, and what swings there swings far.
        for rule in &mut book.rules {
            rule.expects = rule.expects.map(|expects| Expectation { return_ppm: 2 * expects.return_ppm, ..expects });
        }
        Foundation { book, founding: Founding::Trust, ..shipped }
    }

    /// The law of those who die, or the same without an end.
    pub(crate) fn law_of(&self, is_mortal: bool) -> Law {
        if is_mortal { self.law } else { endless(self.law) }
    }
}

/// When a tick of the market is. Every arm sees the same price at the same time, so nobody's ticks grow longer.
pub(crate) fn time_of(tick: u64) -> UtcTime {
    UtcTime::from_seconds(1_794_700_800).plus(Duration::from_secs(Tick::NOMINAL_SECONDS.saturating_mul(tick)))
}
