//! A regime-switching price: trends, a range, swings, jumps, gas spikes and hours of thin liquidity, all from one seed.

use golem_primitives::Usdc;

use super::chance::Chance;
use super::{MarketMoment, MarketRegime, PoolDepth};

const DAY: f64 = 86_400.0;

/// How a regime moves the logarithm of the price, per day.
struct Motion {
    drift: f64,
    volatility: f64,
    /// Pull toward the anchor, as the share of the distance closed.
    reversion: f64,
    /// Expected number of jumps.
    jumps: f64,
    /// Standard deviation of a jump.
    jump_size: f64,
}

const fn motion(regime: MarketRegime) -> Motion {
    match regime {
        MarketRegime::TrendUp => Motion { drift: 0.05, volatility: 0.025, reversion: 0.0, jumps: 0.3, jump_size: 0.01 },
        MarketRegime::TrendDown => {
            Motion { drift: -0.05, volatility: 0.025, reversion: 0.0, jumps: 0.3, jump_size: 0.015 }
        }
        MarketRegime::Range => Motion { drift: 0.0, volatility: 0.02, reversion: 12.0, jumps: 0.1, jump_size: 0.01 },
        MarketRegime::Volatile => Motion { drift: 0.0, volatility: 0.09, reversion: 0.0, jumps: 6.0, jump_size: 0.03 },
    }
}

/// Mean length of a regime.
const REGIME_SECONDS: f64 = 6.0 * 3600.0;
/// Mean time between spells of thin liquidity, and their mean length.
const THIN_EVERY_SECONDS: f64 = 18.0 * 3600.0;
const THIN_SECONDS: f64 = 1800.0;
/// Mean time between gas spikes; how high they go and how fast they fade.
const SPIKE_EVERY_SECONDS: f64 = 8.0 * 3600.0;
const SPIKE_FACTOR: f64 = 60.0;
const SPIKE_FADE_SECONDS: f64 = 600.0;
/// The base fee the quiet market returns to: 0.01 gwei.
const BASE_FEE_WEI: f64 = 10_000_000.0;
/// The price stays where the pool has liquidity and the numbers stay readable.
const LOWEST: f64 = 50.0;
const HIGHEST: f64 = 100_000.0;

/// The process. Equal seeds and equal spans give equal moments on every machine.
#[derive(Debug, Clone)]
pub struct Process {
    held: Option<MarketRegime>,
    regime: MarketRegime,
    log_price: f64,
    anchor: f64,
    depth: PoolDepth,
    gas_noise: f64,
    spike: f64,
    price_chance: Chance,
    regime_chance: Chance,
    gas_chance: Chance,
    depth_chance: Chance,
}

impl Process {
    /// A process at `start`; held in one regime, or switching among all.
    #[must_use]
    pub fn new(seed: u64, held: Option<MarketRegime>, start: Usdc) -> Self {
        let mut regime_chance = Chance::named(seed, "regime");
        let regime = held.unwrap_or_else(|| MarketRegime::ALL[regime_chance.index(MarketRegime::ALL.len())]);
        let log_price = libm::log((start.micros() as f64 / Usdc::UNIT as f64).clamp(LOWEST, HIGHEST));
        Self {
            held,
            regime,
            log_price,
            anchor: log_price,
            depth: PoolDepth::Deep,
            gas_noise: 0.0,
            spike: 0.0,
            price_chance: Chance::named(seed, "price"),
            regime_chance,
            gas_chance: Chance::named(seed, "gas"),
            depth_chance: Chance::named(seed, "depth"),
        }
    }

    /// The market `seconds` later.
    pub fn step(&mut self, seconds: u64) -> MarketMoment {
        let span = seconds as f64;
        self.switch(span);
        self.move_price(span);
        self.change_depth(span);
        MarketMoment {
            price: self.price(),
            base_fee_wei: self.base_fee(span),
            depth: self.depth,
            regime: Some(self.regime),
        }
    }

    fn price(&self) -> Usdc {
        // The only float that becomes money: rounded once, here, before anything is traded at it.
        let micros = libm::round(libm::exp(self.log_price) * Usdc::UNIT as f64);
        Usdc::from_micros(micros as u64)
    }

    fn switch(&mut self, span: f64) {
        let ends = self.regime_chance.happens(probability(span, REGIME_SECONDS));
        let others = MarketRegime::ALL.len() - 1;
        let pick = self.regime_chance.index(others);
        if !ends || self.held.is_some() {
            return;
        }
        let choices = MarketRegime::ALL.into_iter().filter(|regime| *regime != self.regime);
        self.regime = choices.into_iter().nth(pick).expect("one of the other three");
        self.anchor = self.log_price;
    }

    fn move_price(&mut self, span: f64) {
        let Motion { drift, volatility, reversion, jumps, jump_size } = motion(self.regime);
        let days = span / DAY;
        let pull = 1.0 - libm::exp(-reversion * days);
        let mut change = drift * days + pull * (self.anchor - self.log_price);
        change += volatility * libm::sqrt(days) * self.price_chance.normal();
        let jumped = self.price_chance.happens(probability(span, DAY / jumps));
        let jump = jump_size * self.price_chance.normal();
        if jumped {
            change += jump;
        }
        self.log_price = (self.log_price + change).clamp(libm::log(LOWEST), libm::log(HIGHEST));
    }

    fn change_depth(&mut self, span: f64) {
        let mean = match self.depth {
            PoolDepth::Deep => THIN_EVERY_SECONDS,
            PoolDepth::Thin => THIN_SECONDS,
        };
        if self.depth_chance.happens(probability(span, mean)) {
            self.depth = match self.depth {
                PoolDepth::Deep => PoolDepth::Thin,
                PoolDepth::Thin => PoolDepth::Deep,
            };
        }
    }

    fn base_fee(&mut self, span: f64) -> u64 {
        let memory = libm::exp(-span / 300.0);
        let fresh = libm::sqrt(1.0 - memory * memory);
        self.gas_noise = memory * self.gas_noise + 0.3 * fresh * self.gas_chance.normal();
        self.spike *= libm::exp(-span / SPIKE_FADE_SECONDS);
        if self.gas_chance.happens(probability(span, SPIKE_EVERY_SECONDS)) {
            self.spike = SPIKE_FACTOR;
        }
        libm::round(BASE_FEE_WEI * libm::exp(self.gas_noise) * (1.0 + self.spike)) as u64
    }
}

/// The chance that something which happens once in `mean` seconds happens within `span`.
fn probability(span: f64, mean: f64) -> f64 {
    1.0 - libm::exp(-span / mean)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn run(seed: u64, held: Option<MarketRegime>, steps: usize, seconds: u64) -> Vec<MarketMoment> {
        let mut process = Process::new(seed, held, Usdc::whole(3000));
        (0..steps).map(|_| process.step(seconds)).collect()
    }

    /// Mean daily log change over many seeds.
    fn daily(held: MarketRegime) -> (f64, f64) {
        let changes: Vec<f64> = (0..200)
            .map(|seed| {
                let last = run(seed, Some(held), 720, 120).last().expect("ran").price;
                libm::log(last.micros() as f64 / 3_000_000_000.0)
            })
            .collect();
        let mean = changes.iter().sum::<f64>() / changes.len() as f64;
        let spread = libm::sqrt(changes.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / changes.len() as f64);
        (mean, spread)
    }

    #[test]
    fn r_014_a_seed_is_a_market() {
        //
        assert_eq!(run(7, None, 2_000, 12), run(7, None, 2_000, 12));
        assert_ne!(run(7, None, 2_000, 12), run(8, None, 2_000, 12));
    }

    #[test]
    fn the_first_prices_of_seed_7_are_the_same_on_every_machine() {
        let prices: Vec<u64> = run(7, None, 4, 12).iter().map(|m| m.price.micros()).collect();
        assert_eq!(prices, [2_999_379_510, 3_000_081_243, 3_000_143_225, 3_000_246_289]);
    }

    #[test]
    fn regimes_move_as_they_are_called() {
        let (up, _) = daily(MarketRegime::TrendUp);
        let (down, _) = daily(MarketRegime::TrendDown);
        let (range, narrow) = daily(MarketRegime::Range);
        let (_, wide) = daily(MarketRegime::Volatile);
        assert!(up > 0.035 && down < -0.035, "{up} {down}");
        assert!(range.abs() < 0.01 && narrow < 0.015, "{range} {narrow}");
        assert!(wide > 5.0 * narrow, "{wide} {narrow}");
    }

    #[test]
    fn a_mixed_market_visits_every_regime_both_depths_and_spikes() {
        let moments = run(7, None, 40_000, 60);
        let regimes: BTreeSet<_> = moments.iter().filter_map(|m| m.regime).collect();
        assert_eq!(regimes.len(), 4);
        assert!(
            moments.iter().any(|m| m.depth == PoolDepth::Thin) && moments.iter().any(|m| m.depth == PoolDepth::Deep)
        );
        let dearest = moments.iter().map(|m| m.base_fee_wei).max().expect("ran");
        assert!(dearest > 20 * 10_000_000, "{dearest}");
    }

    #[test]
    fn a_held_regime_never_switches() {
        assert!(
            run(3, Some(MarketRegime::Volatile), 40_000, 60).iter().all(|m| m.regime == Some(MarketRegime::Volatile))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_moment_is_tradable(seed: u64, seconds in 1u64..100_000, start in 0u64..) {
            let mut process = Process::new(seed, None, Usdc::from_micros(start));
            for _ in 0..50 {
                let moment = process.step(seconds);
                prop_assert!(moment.price >= Usdc::whole(49) && moment.price <= Usdc::whole(100_001));
                prop_assert!(moment.base_fee_wei > 0 && moment.base_fee_wei < 100_000_000_000);
            }
        }
    }
}
