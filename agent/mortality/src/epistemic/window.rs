//! R² over a sliding window of predictions, in constant amortised time and without drift.

use golem_primitives::Tick;

use crate::ring::Ring;
use crate::score::Score;

/// One prediction and what came of it, free of scale (MG-03, P-064): raw amounts of mixed sizes would push R² towards one.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
#[serde(into = "(f64, f64)")]
pub struct Pair {
    predicted: f64,
    actual: f64,
}

/// Why two numbers are no pair.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    #[error("a return must be a finite number, not {value}")]
    NotFinite { value: f64 },
    /// So large that its square would drown every other pair; no return per unit of notional is.
    #[error("a return of {value} is beyond {bound}: give returns per unit of notional, not amounts", bound = Pair::BOUND)]
    TooLarge { value: f64 },
}

impl Pair {
    /// The largest magnitude of a return.
    pub const BOUND: f64 = 1e9;

    /// A pair of returns.
    ///
    /// # Errors
    /// [`PairError`] for numbers that are no returns.
    pub fn new(predicted: f64, actual: f64) -> Result<Self, PairError> {
        for value in [predicted, actual] {
            if !value.is_finite() {
                return Err(PairError::NotFinite { value });
            }
            if value.abs() > Self::BOUND {
                return Err(PairError::TooLarge { value });
            }
        }
        Ok(Self { predicted: predicted + 0.0, actual: actual + 0.0 })
    }

    /// What was predicted.
    #[must_use]
    pub const fn predicted(&self) -> f64 {
        self.predicted
    }

    /// What happened.
    #[must_use]
    pub const fn actual(&self) -> f64 {
        self.actual
    }
}

impl From<Pair> for (f64, f64) {
    fn from(pair: Pair) -> Self {
        (pair.predicted, pair.actual)
    }
}

impl<'de> serde::Deserialize<'de> for Pair {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (predicted, actual) = <(f64, f64)>::deserialize(deserializer)?;
        Self::new(predicted, actual).map_err(serde::de::Error::custom)
    }
}

/// A pair and the tick at which it was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
struct Entry {
    tick: Tick,
    pair: Pair,
}

/// Sums over a run of pairs that can be joined to the sums of another run (Chan, Golub and LeVeque): nothing is ever
/// subtracted, so nothing cancels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Moments {
    count: f64,
    mean: f64,
    /// Sum of squared distances of the actuals from their mean.
    total: f64,
    /// Sum of squared residuals.
    residual: f64,
}

impl Moments {
    fn of(pair: &Pair) -> Self {
        let error = pair.actual - pair.predicted;
        Self { count: 1.0, mean: pair.actual, total: 0.0, residual: error * error }
    }

    fn join(&self, other: &Self) -> Self {
        if self.count == 0.0 {
            return *other;
        }
        if other.count == 0.0 {
            return *self;
        }
        let count = self.count + other.count;
        let apart = other.mean - self.mean;
        let weight = other.count / count;
        Self {
            count,
            mean: self.mean + apart * weight,
            total: self.total + other.total + apart * apart * self.count * weight,
            residual: self.residual + other.residual,
        }
    }

    /// M-052. R² held at zero; one half when the actuals do not vary.
    fn r_squared(&self) -> Score {
        if self.total > 0.0 { Score::held(1.0 - self.residual / self.total) } else { Score::HALF }
    }
}

/// The newest pairs, at most 100 of them and none older than the window (M-054, C-09).
///
/// A queue made of two stacks: `front[i]` holds the joined sums of the `i` youngest entries of the older part, `back`
/// the sums of the younger part. Dropping the oldest forgets one front sum; when the front is used up the whole window
/// becomes the front in one pass. Each pair is summed twice in its life, so a pair costs constant time on average, and
/// every reading is a plain sum of at most 100 terms: no drift over a long life, no cancellation after an outlier.
#[derive(Debug, Clone, PartialEq)]
pub struct FitnessWindow {
    entries: Ring<Entry, { FitnessWindow::PAIRS }>,
    front: [Moments; FitnessWindow::PAIRS + 1],
    front_len: usize,
    back: Moments,
}

impl FitnessWindow {
    /// Pairs kept at most.
    pub const PAIRS: usize = 100;

    /// An empty window.
    #[must_use]
    pub fn new() -> Self {
        Self {
            entries: Ring::new(),
            front: [Moments::default(); Self::PAIRS + 1],
            front_len: 0,
            back: Moments::default(),
        }
    }

    /// Pairs held.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no pair is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a pair resolved at `tick`; the oldest goes when the window is full.
    pub fn push(&mut self, tick: Tick, pair: Pair) {
        if self.entries.is_full() {
            self.drop_oldest();
        }
        self.entries.push(Entry { tick, pair });
        self.back = self.back.join(&Moments::of(&pair));
    }

    /// M-054. Drops pairs older than `window_ticks` at `now`; a pair of exactly that age stays.
    pub fn evict(&mut self, now: Tick, window_ticks: u64) {
        while self.entries.oldest().is_some_and(|entry| now.since(entry.tick) > window_ticks) {
            self.drop_oldest();
        }
    }

    /// M-052. R² of the window, or `None` below `minimum` pairs, which reads as one half and leaves the stored fitness
    /// as it is.
    #[must_use]
    pub fn r_squared(&self, minimum: usize) -> Option<Score> {
        if self.len() < minimum || self.is_empty() {
            return None;
        }
        Some(self.front[self.front_len].join(&self.back).r_squared())
    }

    /// The pairs, oldest first.
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = &Pair> + ExactSizeIterator {
        self.entries.iter().map(|entry| &entry.pair)
    }

    fn drop_oldest(&mut self) {
        if self.front_len == 0 {
            self.turn_to_front(self.entries.len());
        }
        self.entries.pop_oldest();
        self.front_len = self.front_len.saturating_sub(1);
    }

    /// Makes the oldest `count` entries the front and the rest the back, from the entries alone. A window read back
    /// from a record goes through here too, so that it continues with the very same sums.
    fn turn_to_front(&mut self, count: usize) {
        self.front[0] = Moments::default();
        for young in 0..count {
            let entry = self.entries.get(count - 1 - young).expect("count is at most the length");
            self.front[young + 1] = Moments::of(&entry.pair).join(&self.front[young]);
        }
        self.front_len = count;
        self.back = Moments::default();
        for entry in self.entries.iter().skip(count) {
            self.back = self.back.join(&Moments::of(&entry.pair));
        }
    }
}

impl Default for FitnessWindow {
    fn default() -> Self {
        Self::new()
    }
}

impl serde::Serialize for FitnessWindow {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.entries, self.front_len as u64).serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for FitnessWindow {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (entries, front_len) = <(Ring<Entry, { FitnessWindow::PAIRS }>, u64)>::deserialize(deserializer)?;
        let front_len = usize::try_from(front_len).unwrap_or(usize::MAX);
        if front_len > entries.len() {
            return Err(serde::de::Error::custom("a window's front is longer than the window"));
        }
        let mut window = Self { entries, ..Self::new() };
        window.turn_to_front(front_len);
        Ok(window)
    }
}

#[cfg(test)]
#[path = "tests/window.rs"]
mod tests;
