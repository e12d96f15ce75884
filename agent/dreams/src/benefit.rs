//! Whether dreaming pays: seven measures over thirty days beside a twin that does not dream.

/// D-014. What was measured, each as the ratio of the dreamer's number to its twin's; `None` where it was not.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// Ticks to adapt to a new regime.
    pub adaptation: Option<f64>,
    /// Ticks to respond to a rehearsed threat.
    pub threat_response: Option<f64>,
    /// A successor's Sharpe ratio in its first week.
    pub successor_sharpe: Option<f64>,
    /// Ticks until PLAYBOOK.md settles.
    pub convergence: Option<f64>,
    /// Arousal to events like earlier ones.
    pub arousal: Option<f64>,
    /// Hidden rules found.
    pub hidden_rules: Option<f64>,
    /// Hypotheses a testament covers.
    pub coverage: Option<f64>,
}

/// D-014. Days of a matched pair.
pub const DAYS: u32 = 30;
/// D-014. Measures that must be better.
pub const BETTER: usize = 3;

impl Measures {
    /// D-014. How many are better by as much as is promised: adaptation 30% faster, response 5 times, Sharpe 15% higher,
    /// convergence 2 times, arousal 40% less, rules 2 times, coverage 3 times.
    #[must_use]
    pub fn better(&self) -> usize {
        let at_most = |measure: Option<f64>, most: f64| measure.is_some_and(|ratio| ratio <= most);
        let at_least = |measure: Option<f64>, least: f64| measure.is_some_and(|ratio| ratio >= least);
        let kept = [
            at_most(self.adaptation, 0.70),
            at_most(self.threat_response, 0.20),
            at_least(self.successor_sharpe, 1.15),
            at_most(self.convergence, 0.50),
            at_most(self.arousal, 0.60),
            at_least(self.hidden_rules, 2.0),
            at_least(self.coverage, 3.0),
        ];
        kept.into_iter().filter(|is_better| *is_better).count()
    }

    /// D-014. Whether dreams stay on: three of seven better over thirty days; `None` before.
    #[must_use]
    pub fn stays_on(&self, days: u32) -> Option<bool> {
        (days >= DAYS).then(|| self.better() >= BETTER)
    }
}
