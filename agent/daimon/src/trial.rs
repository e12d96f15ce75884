//! Whether affect is worth having, by numbers.

use golem_primitives::words;

/// What a matched pair of lives showed; ratios are of the life with affect to the one without.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Days it ran.
    pub days: f64,
    /// Ticks it ran.
    pub ticks: u64,
    /// The p-value of the difference.
    pub p_value: f64,
    /// Change of the Sharpe ratio, 0.05 for five of a hundred more.
    pub sharpe_change: f64,
    /// Change of the drawdown, -0.10 for ten of a hundred less.
    pub drawdown_change: f64,
    /// Share of decisions affect turned.
    pub reversals: f64,
    /// Share of appraisals in which a model was overridden.
    pub overrides: f64,
    /// Whether heirs gained by what was passed on.
    pub heirs_gain: bool,
}

words! {
    /// What a trial says.
    Worth {
        /// Too short or too unclear to say.
        Undecided = "undecided",
        /// It pays.
        Proven = "proven",
        /// It does harm and is switched off.
        Disable = "disable",
        /// It neither pays nor harms.
        Unproven = "unproven",
    }
}

impl Trial {
    /// Whether affect is worth having: proof after a week, switched off after two when it harms.
    #[must_use]
    pub fn worth(&self) -> Worth {
        let harms = self.sharpe_change < -0.05 || self.overrides > 0.25 || self.reversals > 0.40 || !self.heirs_gain;
        if self.days >= 14.0 && harms {
            return Worth::Disable;
        }
        if self.days < 7.0 || self.ticks < 500 || self.p_value.is_nan() || self.p_value >= 0.05 {
            return Worth::Undecided;
        }
        let pays = self.sharpe_change >= 0.05 && self.drawdown_change <= -0.10;
        let turns = (0.10..=0.30).contains(&self.reversals);
        if pays && turns { Worth::Proven } else { Worth::Unproven }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// each limit of the verdict.
    #[test]
    fn a_153_affect_must_prove_itself() {
        let good = Trial {
            days: 7.0,
            ticks: 500,
            p_value: 0.049,
            sharpe_change: 0.05,
            drawdown_change: -0.10,
            reversals: 0.2,
            overrides: 0.1,
            heirs_gain: true,
        };
        assert_eq!(good.worth(), Worth::Proven);
        assert_eq!(Trial { p_value: 0.05, ..good }.worth(), Worth::Undecided);
        assert_eq!(Trial { ticks: 499, ..good }.worth(), Worth::Undecided);
        assert_eq!(Trial { sharpe_change: 0.04, ..good }.worth(), Worth::Unproven);
        assert_eq!(Trial { reversals: 0.31, ..good }.worth(), Worth::Unproven);
        let late = Trial { days: 14.0, ..good };
        for bad in [
            Trial { sharpe_change: -0.051, ..late },
            Trial { overrides: 0.251, ..late },
            Trial { reversals: 0.401, ..late },
            Trial { heirs_gain: false, ..late },
        ] {
            assert_eq!(bad.worth(), Worth::Disable);
        }
        assert_eq!(Trial { heirs_gain: false, ..good }.worth(), Worth::Proven, "not before two weeks");
    }
}
