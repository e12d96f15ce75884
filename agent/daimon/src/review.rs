//! Looking back at the end. It is counted, free, and never delays a death.

use golem_primitives::{Tick, words};

use crate::pad::Pad;

/// Turning points at most, and how far a mood must have moved.
pub const TURNS: usize = 5;
const TURN: f64 = 0.5;

words! {
    /// The way pleasure went.
    Arc {
        /// Down and up again.
        Redemptive = "redemptive",
        /// Up and down again.
        Contaminating = "contaminating",
        /// Upward.
        Progressive = "progressive",
        /// Downward.
        Tragic = "tragic",
        /// Neither.
        Stable = "stable",
    }
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len().max(1) as f64
}

impl Arc {
    /// The arc of a life's pleasure and how sure it is, from its first quarter, its last and the ten samples in
    /// the middle.
    #[must_use]
    pub fn of(pleasures: &[f64]) -> (Self, f64) {
        let count = pleasures.len();
        if count < 10 {
            return (Self::Stable, 0.3);
        }
        let quarter = count / 4;
        let (early, late) = (mean(&pleasures[..quarter]), mean(&pleasures[count - quarter..]));
        let from = count / 2 - 5;
        let middle = mean(&pleasures[from..from + 10]);
        if middle < early - 0.2 && late > middle + 0.15 {
            (Self::Redemptive, 0.7)
        } else if middle > early + 0.2 && late < middle - 0.15 {
            (Self::Contaminating, 0.7)
        } else if late - early > 0.2 {
            (Self::Progressive, 0.6)
        } else if late - early < -0.3 {
            (Self::Tragic, 0.6)
        } else {
            (Self::Stable, 0.5)
        }
    }
}

/// Where a mood turned: the five widest steps between two samples, in the order they were lived.
#[must_use]
pub fn turning_points(samples: &[(Tick, Pad)]) -> Vec<(Tick, f64)> {
    let steps = samples.windows(2).map(|pair| (pair[1].0, pair[0].1.distance(pair[1].1)));
    let mut turns: Vec<(Tick, f64)> = steps.filter(|(_, distance)| *distance > TURN).collect();
    turns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    turns.truncate(TURNS);
    turns.sort_by_key(|(tick, _)| *tick);
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    ///
    #[test]
    fn a_121_turning_points_are_the_widest_steps() {
        let path: Vec<(Tick, Pad)> = (0..8)
            .map(|step| (Tick::new(step), Pad::thousandths(if step % 2 == 0 { 0 } else { 510 + step as i32 }, 0, 0)))
            .collect();
        let turns = turning_points(&path);
        assert_eq!(turns.len(), TURNS);
        assert!(turns.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(turning_points(&[(Tick::ZERO, Pad::NEUTRAL), (Tick::new(1), Pad::thousandths(500, 0, 0))]).is_empty());
    }

    ///
    #[test]
    fn a_122_arcs() {
        let path = |early: f64, middle: f64, late: f64| {
            let mut samples = vec![early; 10];
            samples.extend(vec![middle; 20]);
            samples.extend(vec![late; 10]);
            samples
        };
        for (samples, arc) in [
            (vec![0.5; 9], (Arc::Stable, 0.3)),
            (path(0.0, -0.3, 0.0), (Arc::Redemptive, 0.7)),
            (path(0.0, 0.3, 0.0), (Arc::Contaminating, 0.7)),
            (path(0.0, 0.1, 0.3), (Arc::Progressive, 0.6)),
            (path(0.0, -0.1, -0.4), (Arc::Tragic, 0.6)),
            (path(0.0, 0.0, 0.0), (Arc::Stable, 0.5)),
        ] {
            assert_eq!(Arc::of(&samples), arc);
        }
    }
}
