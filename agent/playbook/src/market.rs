//! P-077, P-080. A market by seed: prices without an edge, or with one that was planted and can be found.
//!
//! Volatility wanders around 0.05% a look, moves have fat tails (Student with five degrees of freedom), and nothing about
//! the next move can be known, unless an edge says so.

use std::collections::VecDeque;
use std::ops::Range;

use golem_primitives::Usdc;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::look::Look;
use crate::prices::Terms;

/// Usual size of a move.
const VOLATILITY: f64 = 0.0005;
/// How much of the log of volatility is left after a look.
const MEMORY: f64 = 0.995;
/// How far it wanders a look: a deviation of 0.5 in the long run.
const WANDER: f64 = 0.05;
/// Looks of storm over which what an edge gave in calm is taken back.
const TAKEN_BACK: f64 = 500.0;
/// Moves by which calm is told from storm.
const CALM: usize = 64;
/// Seconds between looks.
const STEP: u64 = 60;
/// The first look: 2024-01-01.
const BEGIN: u64 = 1_704_067_200;

/// Something that is true of a market while it lasts: a fall in calm is followed by a rise. What calm gives storms take
/// back slowly, so that it rewards timing and not standing.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Looks over which a fall is measured.
    pub window: usize,
    /// How many deviations below its mean the price must stand.
    pub depth: f64,
    /// What follows, as a share of the price.
    pub gain: f64,
    pub over: usize,
    /// When it is true.
    pub during: Vec<Range<usize>>,
}

/// What makes a market.
#[derive(Debug, Clone, PartialEq)]
pub struct Market {
    /// The same seed is the same market.
    pub seed: u64,
    pub looks: usize,
    pub edge: Option<Edge>,
}

impl Market {
    /// Its looks.
    #[must_use]
    pub fn looks(&self, terms: &Terms) -> Vec<Look> {
        let mut chance = Chance(ChaCha12Rng::seed_from_u64(self.seed));
        let mut push = Push::new(self.edge.as_ref());
        let (mut price, mut heat) = (2_000.0, 0.0);
        (0..self.looks)
            .map(|at| {
                heat = MEMORY * heat + WANDER * chance.gauss();
                let volatility = VOLATILITY * libm::exp(heat);
                let drift = push.drift(at, price);
                price *= (1.0 + drift + volatility * chance.t5()).clamp(0.5, 2.0);
                let volume = 50_000.0 * libm::exp(heat + 0.3 * chance.gauss());
                look(at, price, volume, terms)
            })
            .collect()
    }
}

fn look(at: usize, price: f64, volume: f64, terms: &Terms) -> Look {
    let price = Usdc::from_micros((price * 1e6) as u64).max(Usdc::from_micros(1));
    Look {
        time: BEGIN + STEP * at as u64,
        price,
        twap: price,
        impact_ppm: terms.impact_ppm(terms.liquidity),
        fee_ppm: terms.fee_ppm,
        volume: Usdc::from_micros((volume * 1e6) as u64),
        gas: terms.gas,
    }
}

/// The planted rise while it comes.
struct Push<'edge> {
    edge: Option<&'edge Edge>,
    prices: VecDeque<f64>,
    left: usize,
    given: f64,
}

impl<'edge> Push<'edge> {
    fn new(edge: Option<&'edge Edge>) -> Self {
        Self { edge, prices: VecDeque::new(), left: 0, given: 0.0 }
    }

    fn drift(&mut self, at: usize, price: f64) -> f64 {
        let Some(edge) = self.edge else { return 0.0 };
        self.prices.push_back(price);
        if self.prices.len() > edge.window.max(CALM) + 1 {
            self.prices.pop_front();
        }
        let is_true = edge.during.iter().any(|during| during.contains(&at));
        let is_calm = self.volatility() < VOLATILITY;
        if self.left == 0 && is_true && is_calm && self.z(edge.window) <= -edge.depth {
            self.left = edge.over;
        }
        let gift = if self.left > 0 { edge.gain / edge.over as f64 } else { 0.0 };
        let taken = if is_calm { 0.0 } else { self.given / TAKEN_BACK };
        self.left = self.left.saturating_sub(1);
        self.given += gift - taken;
        gift - taken
    }

    /// How far the newest price stands from the mean of the last ones, in deviations.
    fn z(&self, window: usize) -> f64 {
        let Some(first) = self.prices.len().checked_sub(window) else { return 0.0 };
        let count = window as f64;
        let mean = self.prices.range(first..).sum::<f64>() / count;
        let variance = self.prices.range(first..).map(|price| (price - mean) * (price - mean)).sum::<f64>() / count;
        let newest = self.prices.back().copied().unwrap_or(mean);
        if variance > 0.0 { (newest - mean) / libm::sqrt(variance) } else { 0.0 }
    }

    /// Root of the mean square of the last moves; a storm while there are too few.
    fn volatility(&self) -> f64 {
        let Some(first) = self.prices.len().checked_sub(CALM + 1) else { return f64::INFINITY };
        let moves = self.prices.range(first..).zip(self.prices.range(first + 1..));
        let squares: f64 = moves.map(|(from, to)| (to / from - 1.0) * (to / from - 1.0)).sum();
        libm::sqrt(squares / CALM as f64)
    }
}

struct Chance(ChaCha12Rng);

impl Chance {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn gauss(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }

    /// Five degrees of freedom, one deviation.
    fn t5(&mut self) -> f64 {
        let squares: f64 = (0..5).map(|_| self.gauss()).map(|draw| draw * draw).sum();
        self.gauss() / libm::sqrt(squares / 5.0) * libm::sqrt(3.0 / 5.0)
    }
}
