//! Lives that only chance can end: the simulated curve of survival beside the closed form.

use golem_mortality::score::Score;
use golem_mortality::stochastic::hazard::HazardLaw;
use golem_primitives::Tick;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use serde::{Deserialize, Serialize};

use crate::market::{Purpose, stream};
use crate::stats::{KolmogorovSmirnov, Lifetime, kaplan_meier, kolmogorov_smirnov};

/// A cohort and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cohort {
    /// Fitness, the same all life long.
    pub fitness: Score,
    pub lives: u32,
    /// The last age looked at.
    pub horizon: Tick,
    /// Share alive at some ages.
    pub observed: Vec<(Tick, f64)>,
    /// The closed form at the same ages.
    pub expected: Vec<(Tick, f64)>,
    /// How well the two agree.
    pub agreement: Option<KolmogorovSmirnov>,
}

/// Points of the curves kept in a report.
const POINTS: u64 = 120;

/// Lives `lives` Golems of constant fitness under `law`, each tick a roll against the law's own hazard, up to the age
/// that one in ten thousand outlives.
#[must_use]
pub fn live(law: &HazardLaw, fitness: Score, lives: u32, seed: u64) -> Cohort {
    let horizon = horizon(law, fitness);
    // The law's own hazards, in the units its rolls are compared in; computed once, since every member has the same.
    let hazards: Vec<u64> =
        (1..=horizon.get()).map(|tick| law.hazard(Tick::new(tick), fitness).as_fraction()).collect();
    let lifetimes: Vec<Lifetime> = (0..lives).map(|member| lifetime(&hazards, seed, member)).collect();
    let curve = kaplan_meier(&lifetimes);
    let survival = |tick: Tick| law.survival(tick, fitness);
    let ages = (0..=POINTS)
        .map(|point| Tick::new((u128::from(horizon.get()) * u128::from(point) / u128::from(POINTS)) as u64));
    let observed = ages.clone().map(|age| (age, at(&curve, age))).collect();
    Cohort {
        fitness,
        lives,
        horizon,
        observed,
        expected: ages.map(|age| (age, survival(age))).collect(),
        agreement: kolmogorov_smirnov(&lifetimes, horizon, survival),
    }
}

/// How long one member lives.
fn lifetime(hazards: &[u64], seed: u64, member: u32) -> Lifetime {
    let mut rng = stream(seed, Purpose::Cohort, u64::from(member));
    let died = hazards.iter().position(|hazard| is_fatal(*hazard, &mut rng));
    match died {
        Some(before) => Lifetime { ticks: before as u64 + 1, ended: true },
        None => Lifetime { ticks: hazards.len() as u64, ended: false },
    }
}

/// A roll of 64 bits against a hazard, whose low half is drawn only when the high half does not decide.
fn is_fatal(hazard: u64, rng: &mut ChaCha8Rng) -> bool {
    let (high, edge) = (rng.next_u32(), (hazard >> 32) as u32);
    high < edge || (high == edge && rng.next_u32() < hazard as u32)
}

/// The age one in ten thousand outlives.
fn horizon(law: &HazardLaw, fitness: Score) -> Tick {
    let (mut young, mut old) = (0u64, 1 << 32);
    while old - young > 1 {
        let middle = young + (old - young) / 2;
        if law.survival(Tick::new(middle), fitness) > 1e-4 { young = middle } else { old = middle }
    }
    Tick::new(old)
}

/// The height of a falling staircase at an age.
pub(crate) fn at(curve: &[(Tick, f64)], age: Tick) -> f64 {
    match curve.partition_point(|(tick, _)| *tick <= age) {
        0 => 1.0,
        above => curve[above - 1].1,
    }
}
