//! The market of an experiment: the local L2's volatilities, jumps, gas spikes and hours of thin liquidity, without its trends and
//! its range, which anybody could live on.
//!
//! Nothing about the next move can be known but what an [`EdgeLaw`] plants, and what an edge gives is taken back slowly, so that
//! it pays for timing and little for standing. What crashes take is given back as a small drift while there is none: whoever
//! holds is paid for the risk, and no more.

use std::collections::VecDeque;

use golem_playbook::Look;
use golem_primitives::{Tick, Usdc};
use serde::{Deserialize, Serialize};

use crate::draw::Draw;

/// What makes a market.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldLaw {
    /// Looks, forty seconds apart.
    pub looks: usize,
    #[serde(default)]
    pub edge: Option<EdgeLaw>,
    /// Crashes in ten thousand looks, on average.
    #[serde(default)]
    pub crashes: f64,
    /// Whether gas has dear weeks: eight times the price for some 5,000 looks.
    #[serde(default)]
    pub gas_regimes: bool,
    /// P-080. A file of prices whose blocks the market is made of, instead of the process.
    #[serde(default)]
    pub prices: Option<String>,
}

/// A regularity that comes, goes and returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeLaw {
    /// What follows, in percent of the price.
    pub gain: f64,
    /// Over how many looks.
    pub over: usize,
    /// How many deviations the price must stand from its mean.
    pub depth: f64,
    /// Looks for which it is true, on average.
    pub epoch: usize,
    /// Looks for which nothing is, on average.
    pub pause: usize,
    /// Whether each epoch has another one: windows, and falls that come back or rises that go on.
    #[serde(default)]
    pub drifts: bool,
}

/// A market that was.
#[derive(Debug, Clone, PartialEq)]
pub struct MarketPath {
    pub looks: Vec<Look>,
    /// Whether an edge is true at each of them.
    pub is_edge: Vec<bool>,
    /// Whether a crash is on at each of them.
    pub is_crash: Vec<bool>,
}

/// Volatility of a day, jumps of a day and their size, in the L2's calm (range), usual (trends) and stormy hours.
const MOODS: [(f64, f64, f64); 4] = [(0.02, 0.1, 0.01), (0.025, 0.3, 0.01), (0.025, 0.3, 0.015), (0.09, 6.0, 0.03)];
const STORM: usize = 3;
/// Seconds a mood, deep liquidity, thin liquidity and the quiet between gas spikes last on average.
const MOOD_SECONDS: f64 = 6.0 * 3_600.0;
const DEEP_SECONDS: f64 = 18.0 * 3_600.0;
const THIN_SECONDS: f64 = 1_800.0;
const SPIKE_EVERY_SECONDS: f64 = 8.0 * 3_600.0;
const SPIKE_FADE_SECONDS: f64 = 600.0;
const SPIKE_FACTOR: f64 = 60.0;
const STEP: f64 = Tick::NOMINAL_SECONDS as f64;
/// What swapping the whole capital of a line loses to a deep pool and to a thin one, in millionths, and the fee.
const DEEP_IMPACT: u32 = 100;
const THIN_IMPACT: u32 = 1_000;
const FEE: u32 = 500;
/// The gas of a swap on a quiet day, in micro-USDC.
const GAS_MICROS: f64 = 20_000.0;
/// What a micro-USDC of gas counts as in wei: a scale, since only changes are judged.
const WEI_PER_MICRO: f64 = 1_000.0;
/// Looks over which what an edge gave is taken back.
const TAKEN_BACK: f64 = 300.0;
/// A crash: how far it falls at the least and at the most, and over how many looks at most.
const CRASH: (f64, f64, usize) = (0.12, 0.35, 30);
/// Windows an edge can be measured over.
const WINDOWS: [usize; 3] = [16, 32, 64];
/// The first look: 2024-01-01.
const BEGIN: u64 = 1_704_067_200;

impl WorldLaw {
    /// The market of a seed.
    #[must_use]
    pub fn path(&self, seed: u64) -> MarketPath {
        let mut process = Process::new(self, seed);
        let mut path = MarketPath { looks: Vec::with_capacity(self.looks), is_edge: Vec::new(), is_crash: Vec::new() };
        for at in 0..self.looks {
            path.looks.push(process.look(at));
            path.is_edge.push(process.is_edge);
            path.is_crash.push(process.is_crash);
        }
        path
    }

    /// A market of blocks of a file: P-082's way to draw, from the older half for tuning and from the newer half for trials, so
    /// that nothing is tried on what it was tuned on.
    #[must_use]
    pub fn path_of(&self, past: &[Look], seed: u64, is_training: bool) -> MarketPath {
        const BLOCK: usize = 256;
        let half = past.len() / 2;
        let part = if is_training { &past[..half] } else { &past[half..] };
        let mut draw = Draw::named(seed, "blocks");
        let mut looks: Vec<Look> = Vec::with_capacity(self.looks);
        let mut price = part.first().map_or(1.0, |look| look.price.micros() as f64);
        while looks.len() < self.looks && part.len() > BLOCK + 1 {
            let from = 1 + draw.index(part.len() - BLOCK - 1);
            for at in from..(from + BLOCK).min(from + self.looks - looks.len()) {
                price *= part[at].price.micros() as f64 / part[at - 1].price.micros().max(1) as f64;
                let seen = Usdc::from_micros(price as u64).max(Usdc::from_micros(1));
                let step = part[1].time.saturating_sub(part[0].time).max(1);
                let time = part[0].time + step * looks.len() as u64;
                looks.push(Look { time, price: seen, twap: seen, ..part[at] });
            }
        }
        let (is_edge, is_crash) = (vec![false; looks.len()], vec![false; looks.len()]);
        MarketPath { looks, is_edge, is_crash }
    }
}

/// What one look of gas is in wei.
pub(crate) fn gas_wei(look: &Look) -> u64 {
    (look.gas.micros() as f64 * WEI_PER_MICRO) as u64
}

struct Process<'law> {
    law: &'law WorldLaw,
    price: f64,
    mood: usize,
    is_thin: bool,
    gas_noise: f64,
    spike: f64,
    is_dear: bool,
    volume: f64,
    is_edge: bool,
    is_crash: bool,
    /// Looks a crash still lasts, and what each of them takes.
    falling: usize,
    fall: f64,
    push: Push,
    prices: Draw,
    moods: Draw,
    crashes: Draw,
    gas: Draw,
    depth: Draw,
    volumes: Draw,
    epochs: Draw,
    epoch_ends: usize,
}

impl<'law> Process<'law> {
    fn new(law: &'law WorldLaw, seed: u64) -> Self {
        let mut epochs = Draw::named(seed, "epoch");
        let pause = law.edge.as_ref().map_or(usize::MAX, |edge| about(edge.pause, &mut epochs));
        Self {
            law,
            price: 2_000.0,
            mood: 1,
            is_thin: false,
            gas_noise: 0.0,
            spike: 0.0,
            is_dear: false,
            volume: 0.0,
            is_edge: false,
            is_crash: false,
            falling: 0,
            fall: 0.0,
            push: Push::default(),
            prices: Draw::named(seed, "price"),
            moods: Draw::named(seed, "mood"),
            crashes: Draw::named(seed, "crash"),
            gas: Draw::named(seed, "gas"),
            depth: Draw::named(seed, "depth"),
            volumes: Draw::named(seed, "volume"),
            epochs,
            epoch_ends: pause,
        }
    }

    fn look(&mut self, at: usize) -> Look {
        self.change_epoch(at);
        if self.moods.happens(STEP / MOOD_SECONDS) {
            self.mood = self.moods.index(MOODS.len());
        }
        self.move_price();
        let gas = self.gas_micros();
        let thin = if self.is_thin { THIN_SECONDS } else { DEEP_SECONDS };
        self.is_thin ^= self.depth.happens(STEP / thin);
        self.volume = 0.98 * self.volume + 0.1 * self.volumes.normal();
        let heat = MOODS[self.mood].0 / MOODS[1].0;
        let volume = 50_000.0 * libm::sqrt(heat) * libm::exp(self.volume + 0.3 * self.volumes.normal());
        let price = Usdc::from_micros((self.price * 1e6) as u64).max(Usdc::from_micros(1));
        Look {
            time: BEGIN + Tick::NOMINAL_SECONDS * at as u64,
            price,
            twap: price,
            impact_ppm: if self.is_thin { THIN_IMPACT } else { DEEP_IMPACT },
            fee_ppm: FEE,
            volume: Usdc::from_micros((volume * 1e6) as u64),
            gas: Usdc::from_micros(gas as u64),
        }
    }

    fn change_epoch(&mut self, at: usize) {
        let Some(edge) = &self.law.edge else { return };
        if at < self.epoch_ends {
            return;
        }
        self.is_edge = !self.is_edge;
        let length = if self.is_edge { edge.epoch } else { edge.pause };
        self.epoch_ends = at + about(length, &mut self.epochs);
        // Drawn whether it is used or not, so that a drifting market has the times of one that does not drift.
        let (window, goes_on) = (WINDOWS[self.epochs.index(WINDOWS.len())], self.epochs.happens(0.5));
        if self.is_edge && edge.drifts {
            self.push.window = window;
            self.push.goes_on = goes_on;
        }
    }

    fn move_price(&mut self) {
        let (volatility, jumps, jump_size) = MOODS[self.mood];
        let days = STEP / 86_400.0;
        let mut change = volatility * libm::sqrt(days) * self.prices.fat();
        let (jumped, jump) = (self.prices.happens(jumps * days), jump_size * self.prices.normal());
        if jumped {
            change += jump;
        }
        if let Some(edge) = &self.law.edge {
            change += self.push.drift(edge, self.price, self.is_edge, self.mood != STORM);
        }
        change += self.crash();
        self.price *= (1.0 + change).clamp(0.5, 2.0);
    }

    /// What a crash takes at this look; while there is none, what is paid for the risk of one.
    fn crash(&mut self) -> f64 {
        let (begins, size, length) = (self.crashes.unit(), self.crashes.unit(), 1 + self.crashes.index(CRASH.2));
        let rate = self.law.crashes / 10_000.0;
        if self.falling == 0 && begins < rate {
            self.falling = length;
            self.fall = (CRASH.0 + (CRASH.1 - CRASH.0) * size) / length as f64;
        }
        self.is_crash = self.falling > 0;
        if !self.is_crash {
            return rate * (CRASH.0 + CRASH.1) / 2.0;
        }
        self.falling -= 1;
        -self.fall
    }

    fn gas_micros(&mut self) -> f64 {
        let memory = libm::exp(-STEP / 300.0);
        let fresh = libm::sqrt(1.0 - memory * memory);
        self.gas_noise = memory * self.gas_noise + 0.3 * fresh * self.gas.normal();
        self.spike *= libm::exp(-STEP / SPIKE_FADE_SECONDS);
        if self.gas.happens(STEP / SPIKE_EVERY_SECONDS) {
            self.spike = SPIKE_FACTOR;
        }
        let turns = self.gas.happens(1.0 / 5_000.0);
        self.is_dear ^= turns && self.law.gas_regimes;
        let regime = if self.is_dear { 8.0 } else { 1.0 };
        GAS_MICROS * regime * libm::exp(self.gas_noise) * (1.0 + self.spike)
    }
}

/// A length around this one: three quarters to five quarters of it.
fn about(length: usize, draw: &mut Draw) -> usize {
    (length as f64 * (0.75 + 0.5 * draw.unit())) as usize
}

/// What was planted, while it comes.
#[derive(Debug, Clone)]
struct Push {
    window: usize,
    goes_on: bool,
    prices: VecDeque<f64>,
    left: usize,
    given: f64,
}

impl Default for Push {
    fn default() -> Self {
        Self { window: WINDOWS[1], goes_on: false, prices: VecDeque::new(), left: 0, given: 0.0 }
    }
}

impl Push {
    fn drift(&mut self, edge: &EdgeLaw, price: f64, is_true: bool, is_calm: bool) -> f64 {
        self.prices.push_back(price);
        if self.prices.len() > WINDOWS[2] {
            self.prices.pop_front();
        }
        if self.left == 0 && is_true && is_calm {
            let z = self.z();
            let is_moment = if self.goes_on { z >= edge.depth } else { z <= -edge.depth };
            self.left = if is_moment { edge.over } else { 0 };
        }
        let gift = if self.left > 0 { edge.gain / 100.0 / edge.over.max(1) as f64 } else { 0.0 };
        let taken = if self.left > 0 { 0.0 } else { self.given / TAKEN_BACK };
        self.left = self.left.saturating_sub(1);
        self.given += gift - taken;
        gift - taken
    }

    /// How far the newest price stands from the mean of its window, in deviations.
    fn z(&self) -> f64 {
        let Some(first) = self.prices.len().checked_sub(self.window) else { return 0.0 };
        let count = self.window as f64;
        let mean = self.prices.range(first..).sum::<f64>() / count;
        let variance = self.prices.range(first..).map(|price| (price - mean) * (price - mean)).sum::<f64>() / count;
        let newest = self.prices.back().copied().unwrap_or(mean);
        if variance > 0.0 { (newest - mean) / libm::sqrt(variance) } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "tests/world.rs"]
mod tests;
