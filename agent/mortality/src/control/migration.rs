//! From immortal to mortal, one clock at a time (M-241).

use golem_primitives::UtcTime;

use crate::error_code::ErrorCode;
use crate::mode::Mode;

/// A step, in the order they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MigrationStep {
    /// Knowledge begins to fade.
    Demurrage,
    /// Senescence can kill.
    Epistemic,
    /// Chance can kill.
    Stochastic,
    /// Running out of credits can kill.
    Economic,
    /// It is mortal.
    ClearFlag,
}

impl MigrationStep {
    /// The order.
    pub const ALL: [Self; 5] = [Self::Demurrage, Self::Epistemic, Self::Stochastic, Self::Economic, Self::ClearFlag];

    /// Days to live with this step before the next may be taken.
    #[must_use]
    pub const fn days(self) -> u64 {
        match self {
            Self::Demurrage => 7,
            Self::Epistemic | Self::Stochastic => 14,
            Self::Economic | Self::ClearFlag => 0,
        }
    }
}

/// The event of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepTaken {
    /// Which.
    pub step: MigrationStep,
    /// When.
    pub at: UtcTime,
}

/// Why a step was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MigrationError {
    /// The Golem can die already.
    #[error("only an immortal Golem can become mortal; this one is {}", mode.name())]
    NotImmortal {
        /// What it is.
        mode: Mode,
    },
    /// Another step comes first.
    #[error("{given:?} comes after {expected:?}")]
    Order {
        /// What was asked.
        given: MigrationStep,
        /// What is next.
        expected: MigrationStep,
    },
    /// The last step has not been lived with long enough.
    #[error("the last step must be lived with until {until}")]
    TooEarly {
        /// From when the step may be taken.
        until: UtcTime,
    },
    /// Nothing is left to do.
    #[error("the Golem is mortal already; no step is left")]
    Done,
}

impl MigrationError {
    /// Its code (MG-09).
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::NotImmortal { .. } => ErrorCode::MiNotImmortal,
            Self::Order { .. } | Self::TooEarly { .. } | Self::Done => ErrorCode::MiOrder,
        }
    }

    /// Whether the same step may succeed later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        matches!(self, Self::TooEarly { .. })
    }
}

/// A migration under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    taken: usize,
    last: UtcTime,
}

impl Migration {
    /// Begins with no step taken.
    ///
    /// # Errors
    /// [`MigrationError::NotImmortal`].
    pub const fn begin(mode: Mode, now: UtcTime) -> Result<Self, MigrationError> {
        match mode {
            Mode::Immortal => Ok(Self { taken: 0, last: now }),
            Mode::Hosted | Mode::SelfHosted => Err(MigrationError::NotImmortal { mode }),
        }
    }

    /// The step that comes next; `None` when the Golem is mortal.
    #[must_use]
    pub fn next(&self) -> Option<MigrationStep> {
        MigrationStep::ALL.get(self.taken).copied()
    }

    /// Takes a step.
    ///
    /// # Errors
    /// [`MigrationError`] out of order, too early or after the last; nothing changes.
    pub fn take(&mut self, step: MigrationStep, now: UtcTime) -> Result<StepTaken, MigrationError> {
        let expected = self.next().ok_or(MigrationError::Done)?;
        if step != expected {
            return Err(MigrationError::Order { given: step, expected });
        }
        if let Some(before) = self.taken.checked_sub(1).and_then(|at| MigrationStep::ALL.get(at)) {
            let until = UtcTime::from_seconds(
                self.last.seconds().saturating_add(before.days().saturating_mul(UtcTime::DAY_SECONDS)),
            );
            if now < until {
                return Err(MigrationError::TooEarly { until });
            }
        }
        self.taken += 1;
        self.last = now;
        Ok(StepTaken { step, at: now })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: u64) -> UtcTime {
        UtcTime::from_seconds(days * UtcTime::DAY_SECONDS)
    }

    #[test]
    fn m_241_each_step_in_its_order_after_its_time_with_an_event() {
        // M-241.
        let mut migration = Migration::begin(Mode::Immortal, day(100)).expect("immortal");
        let dates = [100, 107, 121, 135, 135];
        for (step, date) in MigrationStep::ALL.into_iter().zip(dates) {
            assert_eq!(migration.next(), Some(step));
            if date > 100 && step != MigrationStep::ClearFlag {
                let early = migration.take(step, day(date - 1)).expect_err("a day early");
                assert_eq!(early, MigrationError::TooEarly { until: day(date) });
                assert!(early.may_retry());
            }
            assert_eq!(migration.take(step, day(date)), Ok(StepTaken { step, at: day(date) }));
        }
        assert_eq!(migration.next(), None);
        assert_eq!(migration.take(MigrationStep::ClearFlag, day(999)), Err(MigrationError::Done));
    }

    #[test]
    fn m_241_a_step_out_of_order_changes_nothing() {
        // M-241, MG-09.
        let mut migration = Migration::begin(Mode::Immortal, day(0)).expect("immortal");
        let error = migration.take(MigrationStep::Economic, day(99)).expect_err("out of order");
        assert_eq!(error.code().name(), "MI_ORDER");
        assert_eq!(migration.next(), Some(MigrationStep::Demurrage));
        let error = Migration::begin(Mode::Hosted, day(0)).expect_err("mortal");
        assert_eq!(error.code().name(), "MI_NOT_IMMORTAL");
    }
}
