//! The record as columns, and trips over them: each is a few reads.

use std::ops::Range;

use super::lattice::{EXITS, Entry, HOLDINGS, NOTHING, Point, STOPS, Words, Z_SPANS};
use crate::cost::Swap;
use crate::record::Row;

/// Where nothing comes any more.
const NEVER: u32 = u32::MAX;

/// What a search reads again and again.
pub(super) struct Columns {
    pub(super) words: Words,
    price: Vec<f64>,
    /// What of a swap comes out on the other side.
    kept: Vec<f64>,
    /// For each stop and look: the first look, from that one on, whose price is the stop below that one's.
    stopped: Vec<Vec<u32>>,
    /// For falls and rises, each window, exit and look: the first look from that one on at which `z` is back.
    back: Vec<Vec<u32>>,
}

/// The sum of some trips.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Trips {
    pub(super) count: usize,
    pub(super) gains: usize,
    sum: f64,
    squares: f64,
    gross: f64,
}

impl Trips {
    /// Adds a trip: what it brought after costs, before costs, and what the market did on average meanwhile.
    fn add(&mut self, net: f64, gross: f64, drift: f64) {
        let timing = net - drift;
        self.count += 1;
        self.gains += usize::from(net > 0.0);
        self.sum += timing;
        self.squares += timing * timing;
        self.gross += gross;
    }

    /// What timing brought, by its standard error.
    pub(super) fn t(&self) -> f64 {
        let count = self.count as f64;
        let mean = self.sum / count;
        let variance = (self.squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        if variance > 0.0 { mean / libm::sqrt(variance / count) } else { 0.0 }
    }

    pub(super) fn gross_mean(&self) -> f64 {
        self.gross / self.count.max(1) as f64
    }

    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            gains: self.gains + other.gains,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
            gross: self.gross + other.gross,
        }
    }
}

impl Columns {
    pub(super) fn new(rows: &[Row], older: usize) -> Self {
        let price: Vec<f64> = rows.iter().map(|row| row.look.price.micros() as f64).collect();
        let kept = rows.iter().map(kept).collect();
        let stopped = STOPS.iter().map(|stop| stops(&price, 1.0 - *stop as f64 / 1e6)).collect();
        let words = Words::new(rows, older);
        let mut back = Vec::new();
        for sign in [1, -1] {
            for z in &words.z {
                let is_back = |z: i32, level: i32| z != NOTHING && sign * z >= level;
                back.extend(EXITS.map(|exit| match exit {
                    Some(level) => next_of(z.iter().map(|z| is_back(*z, level))),
                    None => vec![NEVER; rows.len()],
                }));
            }
        }
        Self { words, price, kept, stopped, back }
    }

    /// Where an entry comes next, from each look on.
    pub(super) fn entries(&self, entry: Entry) -> Vec<u32> {
        next_of(entry.looks(&self.words).into_iter())
    }

    /// The trips of a point within a part of the record; `visit` is told the looks of each.
    pub(super) fn trips(
        &self,
        point: Point,
        entries: &[u32],
        part: Range<usize>,
        mut visit: impl FnMut(Range<usize>),
    ) -> Trips {
        let stopped = &self.stopped[point.stop];
        let side = usize::from(point.entry.is_rise) * Z_SPANS.len();
        let back = &self.back[(side + point.entry.window) * EXITS.len() + point.exit];
        let longest = HOLDINGS[point.holding];
        let drift = self.drift(&part);
        let mut trips = Trips::default();
        let mut at = part.start;
        while at < part.end {
            // Decided at one look, filled at the next.
            let filled = entries[at] as usize + 1;
            if filled >= part.end {
                break;
            }
            let over = (stopped[filled] as usize).min(back[filled] as usize).min(filled + longest);
            let left = over + 1;
            if left >= part.end {
                break;
            }
            let growth = self.price[left] / self.price[filled];
            let net = growth * self.kept[filled] * self.kept[left] - 1.0;
            trips.add(net, growth - 1.0, drift * (left - filled) as f64);
            visit(filled..left);
            at = left;
        }
        trips
    }

    /// What the price rose a look on average. A rule that only stands in a rising market is no rule (P-033), so a search
    /// takes it off; a falling market is no excuse.
    fn drift(&self, part: &Range<usize>) -> f64 {
        let (first, last) = (self.price[part.start], self.price[part.end - 1]);
        ((last / first - 1.0) / part.len() as f64).max(0.0)
    }

    /// The looks at which a point held, a bit each.
    pub(super) fn held(&self, point: Point, entries: &[u32]) -> Vec<u64> {
        let looks = self.price.len();
        let mut bits = vec![0_u64; looks.div_ceil(64)];
        self.trips(point, entries, 0..looks, |held| held.for_each(|at| bits[at / 64] |= 1 << (at % 64)));
        bits
    }
}

/// What of a swap of all the capital comes out on the other side: half of a round trip is lost.
fn kept(row: &Row) -> f64 {
    let cost = Swap { amount: row.capital, capital: row.capital }.round_trip_ppm(&row.look);
    (1.0 - cost as f64 / 2e6).max(0.0)
}

/// The share two sets of looks have in common of what either has.
pub(super) fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let count = |join: fn(u64, u64) -> u64| -> u32 {
        one.iter().zip(other).map(|(one, other)| join(*one, *other).count_ones()).sum()
    };
    let (both, either) = (count(|one, other| one & other), count(|one, other| one | other));
    if either == 0 { 0.0 } else { f64::from(both) / f64::from(either) }
}

/// From each look on, the first at which something holds.
fn next_of(holds: impl DoubleEndedIterator<Item = bool> + ExactSizeIterator) -> Vec<u32> {
    let mut next = vec![NEVER; holds.len()];
    let mut newest = NEVER;
    for (at, holds) in holds.enumerate().rev() {
        if holds {
            newest = at as u32;
        }
        next[at] = newest;
    }
    next
}

/// From each look on, the first within the longest holding whose price is `part` of that look's or less.
fn stops(price: &[f64], part: f64) -> Vec<u32> {
    let longest = HOLDINGS[HOLDINGS.len() - 1];
    (0..price.len())
        .map(|at| {
            let last = (at + longest).min(price.len() - 1);
            let level = price[at] * part;
            let found = price[at..=last].iter().position(|price| *price <= level);
            found.map_or(NEVER, |after| (at + after) as u32)
        })
        .collect()
}
