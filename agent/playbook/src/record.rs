//! P-076. The last 10,000 looks, as little of each as a search needs.

use std::collections::VecDeque;

use golem_primitives::Usdc;

use crate::cost::Swap;
use crate::look::Look;
use crate::observable::{Observable, Seen, Span, Stance};
use crate::staging::WorstFalls;

/// Looks that are kept.
pub const RECORD: usize = 10_000;

/// Spans of `z` a search looks over.
pub const Z_SPANS: [Span; 5] = [Span::L16, Span::L32, Span::L64, Span::L128, Span::L256];
/// Spans of `vol` a search filters by.
pub const VOL_SPANS: [Span; 2] = [Span::L64, Span::L256];

/// What is kept of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Row {
    /// The price.
    pub price: Usdc,
    /// What a round trip of the whole capital cost, in millionths.
    pub cost_ppm: u32,
    /// `z` over [`Z_SPANS`], in millionths of a deviation; the least number where there was none yet.
    pub z: [i32; Z_SPANS.len()],
    /// `vol` over [`VOL_SPANS`], in millionths; the least number where there was none yet.
    pub vol: [i32; VOL_SPANS.len()],
}

/// What stands where a word had no value.
pub const NOTHING: i32 = i32::MIN;

/// The last looks of a life; it crosses a death.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    rows: VecDeque<Row>,
}

impl Default for Record {
    fn default() -> Self {
        Self::new()
    }
}

impl Record {
    /// An empty record with room for all it will keep.
    #[must_use]
    pub fn new() -> Self {
        Self { rows: VecDeque::with_capacity(RECORD) }
    }

    /// Keeps one look; the oldest makes room.
    pub fn push(&mut self, look: &Look, seen: &Seen, capital: Usdc) {
        let value = |word| seen.get(word, &Stance::default()).map_or(NOTHING, held);
        let cost = Swap { amount: capital, capital }.round_trip_ppm(look);
        if self.rows.len() == RECORD {
            self.rows.pop_front();
        }
        self.rows.push_back(Row {
            price: look.price,
            cost_ppm: u32::try_from(cost).unwrap_or(u32::MAX),
            z: Z_SPANS.map(|span| value(Observable::Z(span))),
            vol: VOL_SPANS.map(|span| value(Observable::Vol(span))),
        });
    }

    /// How many looks it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Its rows, the oldest first.
    pub fn rows(&mut self) -> &[Row] {
        self.rows.make_contiguous()
    }

    /// P-031. The worst falls it saw, over one look and over a holding of so many; of no holding there is none.
    #[must_use]
    pub fn worst_falls(&self, holding: Option<u32>) -> WorstFalls {
        let price = |row: &Row| row.price.micros() as f64;
        let fall = |from: f64, to: f64| if from > 0.0 { (1.0 - to / from).max(0.0) } else { 0.0 };
        let mut falls = WorstFalls::default();
        for (before, after) in self.rows.iter().zip(self.rows.iter().skip(1)) {
            falls.one_look = falls.one_look.max(fall(price(before), price(after)));
        }
        let Some(holding) = holding else { return falls };
        // A fall within the holding ends at the lowest price after some high: look back from each low.
        for (at, row) in self.rows.iter().enumerate() {
            let first = at.saturating_sub(holding as usize);
            let high = self.rows.range(first..=at).map(price).fold(0.0, f64::max);
            falls.holding = falls.holding.max(fall(high, price(row)));
        }
        falls
    }
}

fn held(value: i64) -> i32 {
    i32::try_from(value.clamp(i64::from(i32::MIN) + 1, i64::from(i32::MAX))).unwrap_or(NOTHING)
}
