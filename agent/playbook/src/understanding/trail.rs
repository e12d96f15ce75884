//! The last 256 looks, as far as claims ask about them.

use golem_mortality::ring::Ring;
use golem_primitives::Usdc;

use super::question::{LONG_RETURN, MarketDomain, MarketQuestion, Size};

/// Looks a level is usual over.
const LONG: usize = 256;
/// Looks from which on something can be said. Until there are as many as a level is usual over, all there are stand for them.
const FEWEST: usize = 32;
/// A whole logarithm of a price in the units it is kept in: whole numbers, so that sums are exact in any order.
const PRICE_UNIT: f64 = 1e9;
/// The same of volume and gas.
const UNIT: f64 = 1e6;
/// A return too small to be told from none; the logarithm of a still market is that of this.
const STILL: f64 = 1e-6;
/// Volume too small to be told from none.
const NO_VOLUME: Usdc = Usdc::whole(1);
/// Gas of the small act, a report.
const SMALL_ACT_GAS: f64 = 240_000.0;

/// What one look shows of what is claimed about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// What one whole token costs.
    pub price: Usdc,
    /// USDC traded in the pool since the look before.
    pub volume: Usdc,
    /// What a unit of gas costs.
    pub gas_wei: u64,
}

/// Logarithms of the newest looks. The first look is only a place to start from: nothing moved or was traded before it.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Trail {
    price: Option<i64>,
    returns: Ring<i32, LONG>,
    volumes: Ring<i32, LONG>,
    gas: Ring<i32, LONG>,
}

impl Trail {
    pub(super) fn push(&mut self, seen: &Sighting) {
        let price = libm::round(libm::log(seen.price.micros().max(1) as f64) * PRICE_UNIT) as i64;
        let Some(before) = self.price.replace(price) else { return };
        let moved = (price - before).clamp(i64::from(-i32::MAX), i64::from(i32::MAX));
        self.returns.push(i32::try_from(moved).expect("clamped"));
        self.volumes.push(logarithm(seen.volume.max(NO_VOLUME).micros() as f64 / 1e6));
        self.gas.push(logarithm(seen.gas_wei.max(1) as f64 * SMALL_ACT_GAS));
    }

    /// What a question comes to when its looks are the newest; `None` while there are fewer.
    pub(super) fn answer(&self, question: MarketQuestion) -> Option<f64> {
        let MarketQuestion { domain, size } = question;
        let looks = usize::try_from(question.looks()).ok()?;
        let plain = match (domain, size) {
            (MarketDomain::Moves, Size::Large) => return self.long_moves(looks),
            _ => self.quantity(domain, looks)?,
        };
        Some(plain + domain.plain_offsets()[size as usize])
    }

    /// How the newest looks of a domain stand to what is usual, and where that stands; `None` while too few are known.
    pub(super) fn state(&self, domain: MarketDomain) -> Option<(f64, f64)> {
        let newest = match domain {
            MarketDomain::Moves | MarketDomain::Fees => 32,
            MarketDomain::Cost => 16,
        };
        let usual = self.usual(domain)?;
        Some((self.quantity(domain, newest)? - usual, usual))
    }

    /// Deviation of a look's return over the last 256.
    pub(super) fn deviation(&self) -> Option<f64> {
        self.usual(MarketDomain::Moves).map(libm::exp)
    }

    /// The plain quantity of a domain over the last 256 looks, or over all while they are fewer.
    fn usual(&self, domain: MarketDomain) -> Option<f64> {
        let known = self.returns.len().min(LONG);
        if known < FEWEST { None } else { self.quantity(domain, known) }
    }

    /// The plain quantity of a domain over the newest looks.
    fn quantity(&self, domain: MarketDomain, looks: usize) -> Option<f64> {
        let mean = |ring: &Ring<i32, LONG>| {
            let sum: i64 = newest(ring, looks).map(i64::from).sum();
            sum as f64 / looks as f64 / UNIT
        };
        if self.returns.len() < looks {
            return None;
        }
        Some(match domain {
            MarketDomain::Moves => half_log(newest(&self.returns, looks).map(i64::from), looks),
            MarketDomain::Fees => mean(&self.volumes),
            MarketDomain::Cost => mean(&self.gas),
        })
    }

    /// The deviation of overlapping eight-look returns that lie within the newest looks.
    fn long_moves(&self, looks: usize) -> Option<f64> {
        let from = self.returns.len().checked_sub(looks)?;
        let ends = from + LONG_RETURN..=self.returns.len();
        let moved = |end: usize| {
            (end - LONG_RETURN..end).filter_map(|at| self.returns.get(at)).map(|moved| i64::from(*moved)).sum()
        };
        Some(half_log(ends.map(moved), looks + 1 - LONG_RETURN))
    }
}

fn newest(ring: &Ring<i32, 256>, looks: usize) -> impl Iterator<Item = i32> {
    ring.iter().rev().take(looks).copied()
}

fn logarithm(value: f64) -> i32 {
    libm::round(libm::log(value) * UNIT) as i32
}

/// Half the logarithm of the mean square.
fn half_log(moved: impl Iterator<Item = i64>, count: usize) -> f64 {
    let squares: i128 = moved.map(|moved| i128::from(moved) * i128::from(moved)).sum();
    let mean = squares as f64 / count as f64 / (PRICE_UNIT * PRICE_UNIT);
    0.5 * libm::log(mean.max(STILL * STILL))
}
