//! P-003. Keeps the value of every word of the market, a look at a time.
//!
//! A word over `w` looks speaks of the last `w` prices, the newest included, and of the `w - 1` returns between them. Sums
//! are whole numbers and therefore exact however long a life is; a square root and a division in `f64` end each value,
//! which is rounded once. All is kept in constant time a look, the highest and lowest on average; for `gas` that is a
//! sorted list of 255 amounts, eight steps to find a place and one move of memory. Nothing is allocated after
//! [`Watch::default`].
//!
//! Only words that somebody asks are kept: a rule asks one or two of the fifty-six, and all of them cost several times what
//! the rest of a look does. Whoever asks another one lets a watch that keeps it see the last looks again.
//!
//! What is said depends on the last [`MEMORY`] looks alone: a watch that has seen only those says the same.

mod extremes;
mod median;
mod rank;
mod sums;

use arrayvec::ArrayVec;
use golem_primitives::Usdc;

use self::extremes::Extremes;
use self::median::Median;
use self::rank::Rank;
use self::sums::{Past, Scale, Sums};
use crate::look::Look;
use crate::observable::{Observable, Seen, Span, Stance, WordSet};
use crate::record::Row;

/// Looks after which every word has its value, and before which nothing matters any more.
pub const MEMORY: usize = 5 * LONGEST;

const LONGEST: usize = 1_024;

/// A price above this (some nine thousand million USDC a token) is seen as this: its squares still add up exactly.
const HIGHEST: u64 = (1 << 53) - 1;

/// The most a value may be, in millionths: a thousand millionfold.
pub(crate) const MOST: f64 = 1e15;

/// The market as rules see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// The words that are kept; the others have no value.
    asked: WordSet,
    spans: ArrayVec<Span, { Span::ALL.len() }>,
    /// Looks it has taken in; every ring is counted by them.
    looks: u64,
    past: Box<[Past; LONGEST]>,
    scales: [Scale; Span::ALL.len()],
    sums: [Sums; Span::ALL.len()],
    highs: Extremes,
    lows: Extremes,
    ranks: [Rank; Span::ALL.len()],
    gas: Median,
    seen: Seen,
}

impl Default for Watch {
    /// A watch of all words that has seen nothing.
    fn default() -> Self {
        Self::of(WordSet::ALL)
    }
}

impl Watch {
    /// A watch of these words that has seen nothing.
    pub(crate) fn of(asked: WordSet) -> Self {
        Self {
            asked,
            spans: Span::ALL.into_iter().filter(|span| asked.has_any_of(WordSet::over(*span))).collect(),
            looks: 0,
            past: filled(Past::default()),
            scales: Span::ALL.map(Scale::new),
            sums: Span::ALL.map(|_| Sums::default()),
            highs: Extremes::new(),
            lows: Extremes::new(),
            ranks: Span::ALL.map(Rank::new),
            gas: Median::new(),
            seen: Seen::default(),
        }
    }

    /// P-076. Goes on for a watch of which these are the newest looks, the oldest first. From here on it says what that one
    /// would: it takes [`MEMORY`] of them, or all that watch ever saw.
    #[must_use]
    pub(crate) fn resume<'rows>(asked: WordSet, rows: impl ExactSizeIterator<Item = &'rows Row>) -> Self {
        let mut watch = Self::of(asked);
        let forgotten = rows.len().saturating_sub(MEMORY);
        for row in rows.skip(forgotten) {
            watch.look(&row.look, row.capital);
        }
        watch
    }

    /// The words it keeps.
    pub(crate) const fn asked(&self) -> WordSet {
        self.asked
    }

    /// What the newest look said.
    #[must_use]
    pub const fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Takes in one look. `stake` is what a trade of the usual size puts in, the one `impact_ppm` speaks of.
    pub fn look(&mut self, look: &Look, stake: Usdc) -> &Seen {
        let price = look.price.micros().clamp(1, HIGHEST);
        let newest = self.newest(look, stake, price);
        let at = self.looks;
        if self.asked.has_any_of(const { WordSet::over_every_span(Observable::Range(Span::L16)) }) {
            self.highs.push(at, price);
            self.lows.push(at, !price);
        }
        for place in 0..self.spans.len() {
            self.look_over(self.spans[place], newest);
        }
        self.past[slot(at)] = newest;
        self.looks = at.saturating_add(1);
        self.look_at_once(look, stake, price);
        &self.seen
    }

    /// What is kept of a look: returns and fees where a word asks them.
    fn newest(&self, look: &Look, stake: Usdc, price: u64) -> Past {
        const RETURNS: WordSet = WordSet::over_every_span(Observable::Vol(Span::L16));
        const FEES: WordSet = WordSet::over_every_span(Observable::Fees(Span::L16));
        let change = if self.asked.has_any_of(RETURNS) { self.change_to(price) } else { 0 };
        let fees = if self.asked.has_any_of(FEES) { fees_of(look, stake) } else { 0 };
        Past { price, change, fees }
    }

    const fn is_asked(&self, word: Observable) -> bool {
        self.asked.has_all_of(WordSet::of(word))
    }

    /// The return since the look before, in billionths.
    fn change_to(&self, price: u64) -> i64 {
        match self.looks.checked_sub(1) {
            None => 0,
            Some(before) => sums::change(self.past[slot(before)].price, price),
        }
    }

    /// The words of one span.
    fn look_over(&mut self, span: Span, newest: Past) {
        let place = span as usize;
        let looks = span.looks() as u64;
        let sums = &mut self.sums[place];
        let Some(oldest_at) = (self.looks + 1).checked_sub(looks) else {
            sums.grow(self.looks, newest);
            return;
        };
        // The return that leaves is the one that led to what is now the oldest price.
        let oldest = self.past[slot(oldest_at)];
        match oldest_at.checked_sub(1) {
            None => sums.grow(self.looks, newest),
            Some(left_at) => {
                let left = Past { change: oldest.change, ..self.past[slot(left_at)] };
                sums.slide(looks, left, newest);
            }
        }
        let (sums, scale) = (&self.sums[place], &self.scales[place]);
        let (asks_z, asks_trend) = (self.is_asked(Observable::Z(span)), self.is_asked(Observable::Trend(span)));
        if asks_z || asks_trend {
            // In a still market there is neither distance nor slope.
            let by_scatter = sums.by_scatter(scale);
            if asks_z {
                let z = by_scatter.map_or(0, |by_scatter| sums.z(scale, newest.price, by_scatter));
                self.seen.set(Observable::Z(span), z);
            }
            if asks_trend {
                let trend = by_scatter.map_or(0, |by_scatter| sums.trend(scale, by_scatter));
                self.seen.set(Observable::Trend(span), trend);
            }
        }
        if self.is_asked(Observable::Move(span)) {
            self.seen.set(Observable::Move(span), share(newest.price as f64 - oldest.price as f64, oldest.price));
        }
        if self.is_asked(Observable::Range(span)) {
            let range = self.highs.get(place) - !self.lows.get(place);
            self.seen.set(Observable::Range(span), rounded(range as f64 * (1.0 / newest.price as f64) * 1e6));
        }
        if self.is_asked(Observable::Vol(span)) {
            let vol = sums.vol(scale);
            self.seen.set(Observable::Vol(span), vol);
            if self.is_asked(Observable::VolRank(span)) {
                self.seen.put(Observable::VolRank(span), self.ranks[place].push(vol));
            }
        }
        if self.is_asked(Observable::Fees(span)) {
            self.seen.put(Observable::Fees(span), sums.fees());
        }
    }

    /// The words that look at this look alone, or at gas.
    fn look_at_once(&mut self, look: &Look, stake: Usdc, price: u64) {
        if self.is_asked(Observable::Gap) {
            let twap = look.twap.micros().min(HIGHEST);
            let gap = (twap > 0).then(|| share(price as f64 - twap as f64, twap));
            self.seen.put(Observable::Gap, gap);
        }
        if self.is_asked(Observable::Depth) {
            self.seen.set(Observable::Depth, i64::from(look.impact_ppm));
        }
        if self.is_asked(Observable::Cost) {
            self.seen.put(Observable::Cost, round_trip(look, stake));
        }
        if self.is_asked(Observable::Gas) {
            self.seen.put(Observable::Gas, self.gas.push(look.gas.micros()));
        }
        if self.is_asked(Observable::Hour) {
            self.seen.set(Observable::Hour, (look.time / 3_600 % 24) as i64);
        }
        if self.is_asked(Observable::Weekday) {
            // The first day of 1970 was a Thursday.
            self.seen.set(Observable::Weekday, ((look.time / 86_400 + 3) % 7 + 1) as i64);
        }
        if self.is_asked(Observable::Regime) {
            let rank = self.seen.get(Observable::VolRank(Span::L64), &Stance::default());
            self.seen.put(Observable::Regime, rank.map(quintile));
        }
    }
}

/// M-085. Which fifth of its own past a volatility stands in, 1 to 5.
fn quintile(rank_ppm: i64) -> i64 {
    1 + (rank_ppm * 5 / 1_000_000).clamp(0, 4)
}

/// P-020. What a round trip costs, in millionths of the stake: fee, impact and gas, both ways. Rent is no part of a look.
/// Nothing for a stake of nothing.
fn round_trip(look: &Look, stake: Usdc) -> Option<i64> {
    let pool = 2 * (i64::from(look.fee_ppm) + i64::from(look.impact_ppm));
    let gas = share(2.0 * look.gas.micros() as f64, Some(stake.micros()).filter(|stake| *stake > 0)?);
    Some(pool + gas)
}

/// What one USDC of liquidity over all prices earned since the look before, in millionths of a millionth. Moving a stake
/// by an impact tells the depth: the pool holds `stake / impact` on each side, so its fees are shared by twice that.
/// Nothing where volume, stake or impact is unknown.
fn fees_of(look: &Look, stake: Usdc) -> u64 {
    /// So that the sums of a span stay exact.
    const MOST_FEES: u64 = 9_000_000_000_000_000;
    let (volume, both) = (u128::from(look.volume.micros()), 2 * u128::from(stake.micros()));
    let paid = volume * u128::from(look.fee_ppm) * u128::from(look.impact_ppm);
    let earned = match (u64::try_from(paid), u64::try_from(both)) {
        (Ok(0), _) | (_, Ok(0)) => 0,
        (Ok(paid), Ok(both)) => paid / both,
        _ => u64::try_from(paid / both).unwrap_or(MOST_FEES),
    };
    earned.min(MOST_FEES)
}

/// A part of a whole, in millionths.
fn share(part: f64, whole: u64) -> i64 {
    rounded(part / whole as f64 * 1e6)
}

/// The nearest whole number, halves away from nothing, within [`MOST`].
pub(crate) fn rounded(value: f64) -> i64 {
    let value = value.clamp(-MOST, MOST);
    (value + 0.5_f64.copysign(value)) as i64
}

/// Where a look stands in a ring.
const fn slot(at: u64) -> usize {
    (at % LONGEST as u64) as usize
}

/// A ring on the heap.
fn filled<T: Clone>(value: T) -> Box<[T; LONGEST]> {
    match vec![value; LONGEST].into_boxed_slice().try_into() {
        Ok(ring) => ring,
        Err(_) => unreachable!("it was made as long as it is"),
    }
}

#[cfg(test)]
#[path = "tests/watch.rs"]
mod tests;
