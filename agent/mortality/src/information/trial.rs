//! Whether the diagnostics are worth having: what would falsify them.

use golem_primitives::Tick;

/// Ticks within which a warning must be followed by what it warned of.
const FOLLOW_TICKS: u64 = 100;

/// What became of an alert (M-276).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertOutcome {
    /// A drawdown of more than half followed after so many ticks.
    Lead(u64),
    /// None followed within 100 ticks.
    False,
}

impl AlertOutcome {
    /// Judges an alert by the first tick at or after it whose drawdown exceeded 50%.
    #[must_use]
    pub fn judge(alert: Tick, drawdown: Option<Tick>) -> Self {
        match drawdown {
            Some(tick) if tick >= alert && tick.since(alert) <= FOLLOW_TICKS => Self::Lead(tick.since(alert)),
            _ => Self::False,
        }
    }
}

/// M-276. The running score of the diagnostics against the three clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiagnosticTrial {
    /// Drawdowns that either side warned of.
    pub cases: u64,
    /// Of them, those the clocks warned of at least as early.
    pub clocks_as_early: u64,
    /// False alerts of the diagnostics.
    pub false_alerts: u64,
    /// False alerts of the clocks.
    pub clock_false_alerts: u64,
    /// Golems that died of redundancy though no other told what they told.
    pub unique_deaths: u64,
}

impl DiagnosticTrial {
    /// Records a drawdown: how early each side warned of it, if it did.
    pub fn record_drawdown(&mut self, diagnostics: Option<u64>, clocks: Option<u64>) {
        if diagnostics.is_some() || clocks.is_some() {
            self.cases += 1;
            // `None` is below every lead.
            self.clocks_as_early += u64::from(clocks >= diagnostics);
        }
    }

    /// Whether the diagnostics are falsified: the clocks warn as early in more than half of the cases, false alerts are
    /// more than twice theirs, or redundancy killed a unique Golem.
    #[must_use]
    pub const fn is_falsified(&self) -> bool {
        self.clocks_as_early.saturating_mul(2) > self.cases
            || self.false_alerts > self.clock_false_alerts.saturating_mul(2)
            || self.unique_deaths > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_276_an_alert_is_false_unless_a_drawdown_follows_in_100_ticks() {
        // M-276.
        let alert = Tick::new(1_000);
        assert_eq!(AlertOutcome::judge(alert, Some(Tick::new(1_100))), AlertOutcome::Lead(100));
        assert_eq!(AlertOutcome::judge(alert, Some(Tick::new(1_101))), AlertOutcome::False);
        assert_eq!(AlertOutcome::judge(alert, Some(Tick::new(999))), AlertOutcome::False);
        assert_eq!(AlertOutcome::judge(alert, None), AlertOutcome::False);
    }

    #[test]
    fn m_276_each_of_three_failures_falsifies() {
        // M-276.
        let sound =
            DiagnosticTrial { cases: 10, clocks_as_early: 5, false_alerts: 4, clock_false_alerts: 2, unique_deaths: 0 };
        assert!(!sound.is_falsified());
        assert!(DiagnosticTrial { clocks_as_early: 6, ..sound }.is_falsified());
        assert!(DiagnosticTrial { false_alerts: 5, ..sound }.is_falsified());
        assert!(DiagnosticTrial { unique_deaths: 1, ..sound }.is_falsified());
        assert!(!DiagnosticTrial::default().is_falsified());
    }

    #[test]
    fn m_276_only_drawdowns_somebody_warned_of_are_cases() {
        // M-276.
        let mut trial = DiagnosticTrial::default();
        trial.record_drawdown(None, None);
        trial.record_drawdown(Some(50), Some(50));
        trial.record_drawdown(Some(50), Some(20));
        trial.record_drawdown(Some(50), None);
        trial.record_drawdown(None, Some(1));
        assert_eq!((trial.cases, trial.clocks_as_early), (4, 2));
    }
}
