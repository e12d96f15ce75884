//! A line of descent and what is known of it (I-310, I-314, I-317, I-352). Who may be born into a line is decided on
//! chain: the registry counts the generation itself (I-318).

use golem_mortality::mode::Mode;
use golem_primitives::words;
use golem_primitives::{LineageId, Ppm};

use crate::ratchet::{Generation, RatchetScore, score_of_line};

/// I-310. Where a Golem stands in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Descent {
    /// The line, minted by its first Golem and never changed (I-311).
    pub lineage: LineageId,
    pub generation: u32,
}

/// I-314. A reputation as a Beta distribution. A successor starts knowing nothing; what its line was worth is shown
/// beside it and counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reputation {
    good: u32,
    bad: u32,
    /// The predecessor's last mean, to look at.
    pub predecessor: Option<Ppm>,
    pub generations: u32,
}

impl Reputation {
    /// I-314. Of a Golem at birth: Beta(1, 1).
    #[must_use]
    pub const fn at_birth(predecessor: Option<Ppm>, generations: u32) -> Self {
        Self { good: 1, bad: 1, predecessor, generations }
    }

    /// After one more outcome.
    #[must_use]
    pub const fn after(self, is_good: bool) -> Self {
        let good = self.good.saturating_add(is_good as u32);
        Self { good, bad: self.bad.saturating_add(!is_good as u32), ..self }
    }

    /// Its mean.
    #[must_use]
    pub fn mean(&self) -> Ppm {
        Ppm::round(f64::from(self.good) / (f64::from(self.good) + f64::from(self.bad)))
    }
}

words! {
    /// I-317. How a line stands.
    LineageStatus {
        Active = "active",
        /// None of it lives, and one may again.
        Dormant = "dormant",
        Terminated = "terminated",
    }
}

/// I-317. A line on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineageRecord {
    pub lineage: LineageId,
    /// I-045. A row a generation, in order.
    pub generations: Vec<Generation>,
    pub is_alive: bool,
    pub is_ended: bool,
}

impl LineageRecord {
    /// I-317. How it stands.
    #[must_use]
    pub const fn status(&self) -> LineageStatus {
        match (self.is_ended, self.is_alive) {
            (true, _) => LineageStatus::Terminated,
            (false, true) => LineageStatus::Active,
            (false, false) => LineageStatus::Dormant,
        }
    }

    /// I-317. Its score so far, and whether the last generation was better than the one before.
    #[must_use]
    pub fn trend(&self) -> (RatchetScore, Option<bool>) {
        let better = match self.generations.as_slice() {
            [.., before, last] => last.delta(before).map(|delta| delta.score_micros > 0),
            _ => None,
        };
        (score_of_line(&self.generations), better)
    }
}

words! {
    /// I-352. What a mortal leaves and an immortal does not.
    Bequeathed {
        Testament = "testament",
        Bloodstain = "bloodstain",
        Recommendation = "successor_recommendation",
        Succession = "automatic_succession",
    }
}

/// I-352, I-305. Whether an ending leaves this. An immortal does not die by itself; when its owner tears it down it
/// leaves a testament that says what it was, and nothing that presumes a death.
#[must_use]
pub const fn is_left(what: Bequeathed, mode: Mode, is_teardown: bool) -> bool {
    mode.is_mortal() || (is_teardown && matches!(what, Bequeathed::Testament))
}

#[cfg(test)]
mod tests;
