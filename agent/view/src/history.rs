//! How a life went, in as much memory at its thousandth tick as at its millionth.

use golem_mortality::vitals::TickRecord;
use golem_primitives::{Ppm, Tick};

use crate::{PhaseSpan, SeenWorth};

/// What a value did over neighbouring ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub from: Tick,
    pub least: i64,
    pub greatest: i64,
    /// The newest.
    pub last: i64,
}

impl Extent {
    fn join(&mut self, later: &Self) {
        self.least = self.least.min(later.least);
        self.greatest = self.greatest.max(later.greatest);
        self.last = later.last;
    }
}

/// One value over a life. Ticks are put together when there are too many, and of those the least and the greatest are kept, so
/// that no fall is ever smoothed away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    extents: Vec<Extent>,
    /// Ticks that are put together.
    span: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self { extents: Vec::new(), span: 1 }
    }
}

impl Series {
    /// Most that is kept: more than a wide screen has dots.
    pub const MOST: usize = 1_024;

    /// A value at a tick that is not before the last.
    pub fn push(&mut self, tick: Tick, value: i64) {
        self.put(Extent { from: tick, least: value, greatest: value, last: value });
        while self.extents.len() > Self::MOST {
            self.span = self.span.saturating_mul(2);
            for one in std::mem::take(&mut self.extents) {
                self.put(one);
            }
        }
    }

    fn put(&mut self, one: Extent) {
        let span = self.span;
        let place = |extent: &Extent| extent.from.get() / span;
        match self.extents.last_mut() {
            Some(last) if place(last) == place(&one) => last.join(&one),
            _ => self.extents.push(one),
        }
    }

    /// The first tick and the last that are told.
    #[must_use]
    pub fn ticks(&self) -> Option<(Tick, Tick)> {
        Some((self.extents.first()?.from, self.extents.last()?.from))
    }

    /// The least and the greatest of all.
    #[must_use]
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let least = self.extents.iter().map(|extent| extent.least).min()?;
        Some((least, self.extents.iter().map(|extent| extent.greatest).max()?))
    }

    /// Everything that is told, oldest first.
    #[must_use]
    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }

    /// The same in fewer places, for a small drawing.
    #[must_use]
    pub fn coarse(&self, most: usize) -> Self {
        let Some((from, to)) = self.ticks() else { return Self::default() };
        let extents = self.columns(from, to, most).into_iter().flatten().collect();
        Self { extents, span: self.span }
    }

    /// The whole of it from one tick to another in so many columns; a column in which nothing was told is empty.
    #[must_use]
    pub fn columns(&self, from: Tick, to: Tick, columns: usize) -> Vec<Option<Extent>> {
        let mut drawn: Vec<Option<Extent>> = vec![None; columns];
        let ticks = u128::from(to.get().saturating_sub(from.get())) + 1;
        for extent in self.extents.iter().filter(|extent| (from..=to).contains(&extent.from)) {
            let at = u128::from(extent.from.get() - from.get()) * columns as u128 / ticks;
            match drawn.get_mut(usize::try_from(at).unwrap_or(usize::MAX)) {
                Some(Some(known)) => known.join(extent),
                Some(empty) => *empty = Some(*extent),
                None => {}
            }
        }
        drawn
    }
}

/// Vitality, the three clocks and the money of a life, from what it recorded: shares in millionths, money in micro-USDC, times
/// in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LifeHistory {
    pub vitality: Series,
    pub economic: Series,
    pub epistemic: Series,
    /// The chance of having come this far.
    pub survival: Series,
    /// What the capital is worth.
    pub equity: Series,
    /// What holding would be worth.
    pub held: Series,
    /// Of the home pool (P-057).
    pub price: Series,
    /// Credits that a tick consumed.
    pub spent: Series,
    pub time: Series,
    pub phases: Vec<PhaseSpan>,
}

/// Changes of phase that are kept, the newest.
const MOST_PHASES: usize = 512;

impl LifeHistory {
    /// M-157. Takes in the audit record of a tick.
    pub fn tick(&mut self, record: &TickRecord) {
        let (tick, vitality) = (record.tick, &record.vitality);
        let parts = |share: Ppm| i64::from(share.get());
        self.vitality.push(tick, parts(vitality.composite));
        self.economic.push(tick, parts(vitality.economic));
        self.epistemic.push(tick, parts(vitality.epistemic));
        self.survival.push(tick, (record.cumulative_survival.clamp(0.0, 1.0) * 1e6).round() as i64);
        self.spent.push(tick, i64::try_from(record.spent.micros()).unwrap_or(i64::MAX));
        let phase = vitality.phase.to_string();
        match self.phases.last_mut() {
            Some(last) if last.phase == phase => last.to = tick,
            _ => self.phases.push(PhaseSpan { phase, from: tick, to: tick }),
        }
        if self.phases.len() > MOST_PHASES {
            self.phases.remove(0);
        }
    }

    /// Takes in what the capital was worth at a look, and what holding would have been.
    pub fn look(&mut self, tick: Tick, seen: &SeenWorth) {
        self.equity.push(tick, i64::try_from(seen.equity.micros()).unwrap_or(i64::MAX));
        if let Some(held) = seen.held_micros {
            self.held.push(tick, held);
        }
        self.price.push(tick, i64::try_from(seen.price.micros()).unwrap_or(i64::MAX));
        self.time.push(tick, i64::try_from(seen.at.seconds()).unwrap_or(i64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// O-010: a hundred thousand ticks are kept in a thousand places, and a fall of one tick is still seen.
    #[test]
    fn o_010_a_long_past_is_bounded_and_keeps_its_falls() {
        let mut series = Series::default();
        for tick in 1..=100_000 {
            series.push(Tick::new(tick), if tick == 54_321 { 7 } else { 900_000 });
        }
        assert!(series.extents.len() <= Series::MOST, "{}", series.extents.len());
        let newest = series.extents.last().map(|extent| extent.last);
        assert_eq!((series.bounds(), newest), (Some((7, 900_000)), Some(900_000)));
        let columns = series.columns(Tick::new(1), Tick::new(100_000), 80);
        assert!(columns.iter().all(Option::is_some), "every column has something to show");
        let fell: Vec<usize> = (0..80).filter(|at| columns[*at].is_some_and(|column| column.least == 7)).collect();
        assert_eq!(fell, [43], "in the column of its tick");
    }

    /// O-010: what was not told is not drawn.
    #[test]
    fn o_010_a_column_without_ticks_is_empty() {
        let mut series = Series::default();
        series.push(Tick::new(1), 1);
        series.push(Tick::new(10), 2);
        let columns = series.columns(Tick::new(1), Tick::new(10), 10);
        let told: Vec<usize> = (0..10).filter(|at| columns[*at].is_some()).collect();
        assert_eq!(told, [0, 9]);
    }
}
