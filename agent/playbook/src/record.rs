//! P-076. The last 10,000 looks as they were, and a digest of all there ever were.

use std::collections::VecDeque;

use golem_primitives::Usdc;

use crate::look::Look;
use crate::staging::WorstFalls;

/// Looks that are kept.
pub const RECORD: usize = 10_000;

/// One look with what is needed to see it again: fed with its rows, a [`Watch`](crate::Watch) says what it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Row {
    pub look: Look,
    /// The capital a trade could use at it.
    pub capital: Usdc,
}

/// Why rows are not those of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    #[error("the record keeps {wanted} looks and {given} were given; give all that were kept, the oldest first")]
    Count { given: usize, wanted: usize },
    #[error("the looks are not those of the record: their digest differs; take them from where this life kept them")]
    Other,
}

/// The last looks of a life; it crosses a death. Serialised it is its count and its digests: the rows are kept elsewhere,
/// since they are many and only one is new at a look, and come back by [`Record::take_up`].
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    #[serde(skip, default = "room")]
    rows: VecDeque<Row>,
    pushed: u64,
    /// Of every look there ever was, in their order.
    all: Digest,
    /// Of the rows that are kept: the sum of their digests, so that one can be taken off again.
    kept: Digest,
}

impl Default for Record {
    /// An empty record with room for all it will keep.
    fn default() -> Self {
        Self { rows: room(), pushed: 0, all: Digest::default(), kept: Digest::default() }
    }
}

fn room() -> VecDeque<Row> {
    VecDeque::with_capacity(RECORD)
}

impl Record {
    /// Keeps one look; the oldest makes room.
    pub fn push(&mut self, row: Row) {
        let digest = Digest::of(&row, self.pushed);
        self.all = self.all.then(digest);
        self.kept = self.kept.with(digest);
        if self.rows.len() == RECORD
            && let Some(oldest) = self.rows.pop_front()
        {
            self.kept = self.kept.without(Digest::of(&oldest, self.pushed - RECORD as u64));
        }
        self.rows.push_back(row);
        self.pushed = self.pushed.saturating_add(1);
    }

    /// Puts the rows back after the small form was read, the oldest first, before another look is kept. Where this fails the
    /// record is as it was.
    ///
    /// # Errors
    /// [`RowsError`] for rows that are not those that were kept.
    pub fn take_up(&mut self, rows: Vec<Row>) -> Result<(), RowsError> {
        let wanted = self.kept_rows();
        if rows.len() != wanted {
            return Err(RowsError::Count { given: rows.len(), wanted });
        }
        let first = self.pushed - wanted as u64;
        let digests = rows.iter().zip(first..).map(|(row, at)| Digest::of(row, at));
        if digests.fold(Digest::default(), Digest::with) != self.kept {
            return Err(RowsError::Other);
        }
        self.rows.clear();
        self.rows.extend(rows);
        Ok(())
    }

    /// How many rows it keeps of the looks there were.
    fn kept_rows(&self) -> usize {
        usize::try_from(self.pushed).map_or(RECORD, |pushed| pushed.min(RECORD))
    }

    /// A digest of every look there ever was, those that made room included. It tells two lives apart and finds a damaged
    /// file; it is no cryptographic hash, so it is no proof against somebody who looks for two records with the same one.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.all.value()
    }

    /// How many looks it has ever seen.
    #[must_use]
    pub const fn pushed(&self) -> u64 {
        self.pushed
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

    /// Whether the rows it keeps are here, or still have to be taken up.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rows.len() == self.kept_rows()
    }

    /// Its rows, the oldest first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.rows.iter()
    }

    /// Its rows in one piece, the oldest first.
    pub fn in_one_piece(&mut self) -> &[Row] {
        self.rows.make_contiguous()
    }

    /// P-031. The worst falls it saw, over one look and over a holding of so many; of no holding there is none.
    #[must_use]
    pub fn worst_falls(&self, holding: Option<u32>) -> WorstFalls {
        let price = |row: &Row| row.look.price.micros() as f64;
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

/// 128 bits of multiplied and mixed words, as two halves: not every format knows so wide a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
struct Digest {
    high: u64,
    low: u64,
}

/// Odd numbers without a pattern: the first digits of the fractions of the roots of 2, 3, 5 and 7.
const ROOTS: [u64; 4] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

impl Digest {
    /// Of one row at its place among all looks: the same look seen twice counts as two.
    fn of(row: &Row, at: u64) -> Self {
        let Row { look, capital } = row;
        let small = u64::from(look.impact_ppm) << 32 | u64::from(look.fee_ppm);
        let words = [
            [at, look.time],
            [look.price.micros(), look.twap.micros()],
            [small, capital.micros()],
            [look.volume.micros(), look.gas.micros()],
        ];
        let (mut high, mut low) = (ROOTS[0], ROOTS[1]);
        for [one, other] in words {
            high = mixed(high ^ one, other ^ ROOTS[2]).wrapping_add(low);
            low = mixed(low ^ other, one ^ ROOTS[3]).wrapping_add(high.rotate_left(32));
        }
        Self { high, low }
    }

    /// All so far, then one more: the order counts, and two that differ stay different whatever follows.
    fn then(self, next: Self) -> Self {
        const FACTOR: u128 = (ROOTS[0] as u128) << 64 | ROOTS[1] as u128;
        Self::from((self.value().rotate_left(47) ^ next.value()).wrapping_mul(FACTOR))
    }

    fn with(self, one: Self) -> Self {
        Self::from(self.value().wrapping_add(one.value()))
    }

    fn without(self, one: Self) -> Self {
        Self::from(self.value().wrapping_sub(one.value()))
    }

    const fn value(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}

impl From<u128> for Digest {
    fn from(value: u128) -> Self {
        Self { high: (value >> 64) as u64, low: value as u64 }
    }
}

/// Both halves of a product, laid over each other.
const fn mixed(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
#[path = "tests/record.rs"]
mod tests;
