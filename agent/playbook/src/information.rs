//! M-264 to M-270. How much what is seen tells of what comes, in bits: how far the price will move, from the size of moves, volume,
//! gas, depth and direction before. It stands beside the clocks and moves none of them; a life whose market stopped telling it
//! anything is more careful and its Curator looks again.
//!
//! Two series that wander slowly look alike for long, whoever leads. So every estimate is held against the same series shifted
//! against each other by parts of the window: what remains is what chance and slowness alone would not tell.

use golem_mortality::ksg::{Ksg, standardise};
use golem_primitives::Ppm;

use crate::links::{Leans, Variable};
use crate::record::Row;

/// Looks from one reading to the next.
pub const READ_EVERY: u64 = 1_000;
/// Looks of a window; there is the newest and the one before it (M-270).
const WINDOW: usize = 4_000;
/// Looks whose mean is one thing seen, and one that came: a sample. Samples share no looks.
const STRETCH: usize = 16;
/// How often a window is shifted against itself.
const SHIFTS: usize = 7;
/// Bits from which something is known that can be lost.
const KNOWN: f64 = 0.1;
/// M-269. The share of what was known below which it is lost.
const LOST: f64 = 0.2;
/// M-270. By how many times the past told more, and below which share of what was known the newest looks are.
const OVERFIT_TIMES: f64 = 3.0;
const OVERFIT_BELOW: f64 = 0.3;

/// What became known, or was lost, with a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grasp {
    /// M-269. What is seen tells next to nothing any more.
    Lost,
    Regained,
}

/// M-267, M-268. One reading.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct InformationReading {
    pub look: u64,
    /// What tells most of how far the price moves, in the newest looks.
    pub by: Variable,
    /// Bits that the newest looks tell; none where chance is not excluded.
    pub bits: f64,
    /// The most that anything told in those before them.
    pub past_bits: f64,
    /// The most that two readings in a row told.
    pub best_bits: f64,
    /// Bits won or lost a look, since the reading before.
    pub rate: f64,
    pub grasp: Option<Grasp>,
}

impl InformationReading {
    /// M-268. V(G): how much of what was known is known; all of it where nothing ever was.
    #[must_use]
    pub fn share(&self) -> Ppm {
        if self.best_bits < KNOWN { Ppm::ONE } else { Ppm::round(self.bits / self.best_bits) }
    }

    /// M-269. Whether it is lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.share() < Ppm::round(LOST)
    }

    /// M-270. Whether what the past told holds no more: rules made of it are to be looked at again.
    #[must_use]
    pub fn is_overfit(&self) -> bool {
        self.best_bits >= KNOWN
            && self.past_bits > OVERFIT_TIMES * self.bits
            && self.past_bits >= KNOWN
            && self.bits < OVERFIT_BELOW * self.best_bits
    }

    /// For a person.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { by, bits, best_bits, .. } = self;
        if *best_bits < KNOWN && *bits < KNOWN {
            return "nothing that is seen tells how far the price will move".to_owned();
        }
        format!("{by} tells {bits:.2} bits of how far the price will move ({best_bits:.2} at best)")
    }
}

/// The readings of a life.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Information {
    last: Option<InformationReading>,
}

impl Information {
    /// The newest reading.
    #[must_use]
    pub const fn last(&self) -> Option<&InformationReading> {
        self.last.as_ref()
    }

    /// M-274. Reads the record where it is time; M-266, nothing is said before there are two windows of looks.
    pub fn read(&mut self, rows: &[Row], look: u64) -> Option<InformationReading> {
        let is_due = self.last.is_none_or(|last| look.saturating_sub(last.look) >= READ_EVERY);
        if !is_due || rows.len() < 2 * WINDOW {
            return None;
        }
        let leans = Leans::of(&rows[rows.len() - 2 * WINDOW..]);
        // Which variable tells most in a window, and how many bits.
        let told = |looks: std::ops::Range<usize>| {
            let all = Variable::ALL.iter().map(|by| (*by, leans.bits(*by, looks.clone())));
            all.reduce(|most, next| if next.1 > most.1 { next } else { most })
        };
        let (by, newest) = told(WINDOW..2 * WINDOW)?;
        let (_, past) = told(0..WINDOW)?;
        let (before, was_lost) = self.last.map_or((newest, false), |last| (last.bits, last.is_lost()));
        // What one reading tells alone may be luck.
        let best_bits = self.last.map_or(0.0, |last| last.best_bits.max(newest.min(last.bits)));
        let looks = self.last.map_or(READ_EVERY, |last| look - last.look);
        let mut reading = InformationReading {
            look,
            by,
            bits: newest,
            past_bits: past,
            best_bits,
            rate: (newest - before) / looks as f64,
            grasp: None,
        };
        reading.grasp = match (was_lost, reading.is_lost()) {
            (false, true) => Some(Grasp::Lost),
            (true, false) => Some(Grasp::Regained),
            _ => None,
        };
        self.last = Some(reading);
        Some(reading)
    }
}

impl Leans {
    /// Bits that a variable tells of how far the price moves next, beyond what both tell when shifted against each other; none where
    /// one of the shifts tells as much.
    fn bits(&self, by: Variable, looks: std::ops::Range<usize>) -> f64 {
        let ends = (looks.start + STRETCH..=looks.end - STRETCH).step_by(STRETCH);
        let (seen, came): (Vec<f64>, Vec<f64>) =
            ends.map(|at| (self.mean(by, at - STRETCH..at), self.mean(Variable::Moves, at..at + STRETCH))).unzip();
        let (seen, mut came) = (standardise(&seen), standardise(&came));
        let estimate = |came: &[f64]| Ksg::default().mutual_information(&seen, came).map_or(0.0, |nats| nats.bits());
        let told = estimate(&came);
        let part = came.len() / (SHIFTS + 1);
        let shifted: Vec<f64> = (0..SHIFTS)
            .map(|_| {
                came.rotate_left(part);
                estimate(&came)
            })
            .collect();
        let most = shifted.iter().copied().fold(0.0, f64::max);
        if told > most { told - shifted.iter().sum::<f64>() / SHIFTS as f64 } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "tests/information.rs"]
mod tests;
