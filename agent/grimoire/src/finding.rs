//! What was counted: how often something held, in which regime, and how sure one may be.

use std::fmt;

use golem_primitives::Ppm;

use crate::kind::{AVOID, WarningSeverity};
use crate::regime::Regime;

/// G-142. Episodes of one key and regime from which something may be said.
pub const LEAST_TRIALS: u32 = 3;

/// G-142. What episodes are grouped by: the tool, the chain and the pair.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PatternKey {
    pub tool: String,
    pub chain: u64,
    pub pair: String,
}

impl fmt::Display for PatternKey {
    /// `swap:8453:WETH/USDC`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}:{}", self.tool, self.chain, self.pair))
    }
}

/// An interval of shares that covers the true share nineteen times of twenty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShareInterval {
    pub low: Ppm,
    pub high: Ppm,
}

impl ShareInterval {
    /// How wide it is.
    #[must_use]
    pub const fn width(self) -> Ppm {
        self.high.saturating_sub(self.low)
    }
}

/// The quantile of the normal distribution for two-sided 95%.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's interval for `held` of `trials`; of none it is everything. It never leaves [0, 1], and never shrinks to a
/// point for all or nothing, which is why it and not the plain one.
#[must_use]
pub fn wilson(held: u32, trials: u32) -> ShareInterval {
    if trials == 0 {
        return ShareInterval { low: Ppm::ZERO, high: Ppm::ONE };
    }
    let n = f64::from(trials);
    let share = f64::from(held.min(trials)) / n;
    let shrink = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / shrink;
    let half = Z / shrink * libm::sqrt(share * (1.0 - share) / n + Z * Z / (4.0 * n * n));
    ShareInterval { low: Ppm::round(centre - half), high: Ppm::round(centre + half) }
}

/// A mean of profits with its interval, in micro-USDC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MeanInterval {
    pub mean_micros: i64,
    /// The lower end of its 95% interval.
    pub low_micros: i64,
    pub high_micros: i64,
}

impl MeanInterval {
    /// Which way it points: 1 or -1 when the interval excludes zero, 0 when it does not.
    #[must_use]
    pub const fn sign(self) -> i8 {
        if self.low_micros > 0 {
            1
        } else if self.high_micros < 0 {
            -1
        } else {
            0
        }
    }
}

/// Quantiles of Student's t for two-sided 95%, by degrees of freedom from 1; beyond the last, the normal one is close.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The mean of `samples` with Student's interval; `None` below two samples, which have no spread.
#[must_use]
pub fn mean_interval(samples: &[i64]) -> Option<MeanInterval> {
    if samples.len() < 2 {
        return None;
    }
    let n = samples.len() as f64;
    let mean = samples.iter().map(|sample| *sample as f64).sum::<f64>() / n;
    let squares: f64 = samples.iter().map(|sample| (*sample as f64 - mean) * (*sample as f64 - mean)).sum();
    let error = libm::sqrt(squares / (n - 1.0) / n);
    let t = T.get(samples.len() - 2).copied().unwrap_or(Z);
    // `as` saturates, and sums of integers are never NaN.
    let micros = |value: f64| libm::round(value) as i64;
    Some(MeanInterval {
        mean_micros: micros(mean),
        low_micros: micros(mean - t * error),
        high_micros: micros(mean + t * error),
    })
}

/// What was counted under one key in one regime.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    pub key: PatternKey,
    /// In which regime; `None` when the episodes named none.
    pub regime: Option<Regime>,
    pub trials: u32,
    pub held: u32,
    /// What it earned, if that was measured.
    pub earned: Option<MeanInterval>,
}

impl Finding {
    /// The share that held with its interval.
    #[must_use]
    pub fn interval(&self) -> ShareInterval {
        wilson(self.held, self.trials)
    }

    /// Which way it points: by what it earned if that was measured, else by whether it holds more often than not. Zero
    /// when the interval does not exclude chance.
    #[must_use]
    pub fn sign(&self) -> i8 {
        const HALF: Ppm = Ppm::of(500_000);
        match self.earned {
            Some(earned) => earned.sign(),
            None if self.interval().low > HALF => 1,
            None if self.interval().high < HALF => -1,
            None => 0,
        }
    }

    /// Whether two findings speak of the same thing.
    #[must_use]
    pub fn is_about(&self, other: &Self) -> bool {
        self.key == other.key && self.regime == other.regime
    }

    /// G-151. Whether two findings about the same thing contradict: opposite signs, both sure of theirs.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        self.is_about(other) && self.sign() * other.sign() < 0
    }

    /// Whether two findings about the same thing agree: the same sign, both sure of theirs.
    #[must_use]
    pub fn supports(&self, other: &Self) -> bool {
        self.is_about(other) && self.sign() * other.sign() > 0
    }

    /// The statement with its numbers.
    #[must_use]
    pub fn statement(&self) -> String {
        let interval = self.interval();
        let regime = self.regime.map_or(String::from("any regime"), |regime| format!("{regime} regime"));
        let mut text = format!(
            "{} held {} of {} times in {regime} (95% between {} and {})",
            self.key, self.held, self.trials, interval.low, interval.high
        );
        if let Some(earned) = self.earned {
            text.push_str(&format!(
                ", earning {} micro-USDC on average (95% between {} and {})",
                earned.mean_micros, earned.low_micros, earned.high_micros
            ));
        }
        text.push('.');
        text
    }
}

/// What a finding expects of an episode: to hold, or, if it says that it fails, not to.
pub(crate) fn expects(finding: &Finding) -> bool {
    u64::from(finding.held) * 2 >= u64::from(finding.trials)
}

/// The condition and the action of the rule a finding makes.
pub(crate) fn rule_words(finding: &Finding, is_avoidance: bool) -> (String, String) {
    let PatternKey { tool, chain, pair } = &finding.key;
    let when = match finding.regime {
        Some(regime) => format!("the regime is {regime} and {tool} on {pair} (chain {chain}) is considered"),
        None => format!("{tool} on {pair} (chain {chain}) is considered"),
    };
    let act = if is_avoidance { format!("{AVOID}{tool} on {pair}") } else { format!("{tool} {pair}") };
    (when, act)
}

/// The statement of a warning: what it is of, where, and how bad; no number that is counted on.
pub(crate) fn warning_words(finding: &Finding, severity: WarningSeverity) -> String {
    let regime = finding.regime.map_or(String::from("any regime"), |regime| format!("{regime} regime"));
    format!(
        "Beware of {} in {regime}: at once it may lose a twentieth of what is at stake or more ({severity}).",
        finding.key
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn finding(held: u32, trials: u32, earned: Option<(i64, i64)>) -> Finding {
        Finding {
            key: PatternKey { tool: "swap".into(), chain: 8453, pair: "WETH/USDC".into() },
            regime: Some(Regime::Bull),
            trials,
            held,
            earned: earned.map(|(low, high)| MeanInterval {
                mean_micros: low.midpoint(high),
                low_micros: low,
                high_micros: high,
            }),
        }
    }

    /// Wilson's interval against published values.
    #[test]
    fn g_142_intervals_are_wilsons() {
        for (held, trials, low, high) in [
            (0, 0, 0, 1_000_000),
            (0, 10, 0, 277_533),
            (10, 10, 722_467, 1_000_000),
            (5, 10, 236_593, 763_407),
            (8, 10, 490_162, 943_318),
        ] {
            let interval = wilson(held, trials);
            assert_eq!((interval.low.get(), interval.high.get()), (low, high), "{held} of {trials}");
        }
    }

    /// Student's interval by hand: mean 2, deviation 1, three samples.
    #[test]
    fn g_142_means_have_students_interval() {
        let interval = mean_interval(&[1_000_000, 2_000_000, 3_000_000]).expect("three samples");
        assert_eq!(interval.mean_micros, 2_000_000);
        assert_eq!(interval.low_micros, -484_338, "2 - 4.303 / sqrt(3)");
        assert_eq!(interval.sign(), 0, "three samples so far apart prove nothing");
        assert_eq!(mean_interval(&[5]), None);
        assert_eq!(mean_interval(&[7, 7]).map(|i| (i.low_micros, i.sign())), Some((7, 1)));
        assert!(mean_interval(&[i64::MAX, i64::MIN]).is_some());
    }

    /// G-151: same key, opposite sign, both intervals exclude zero.
    #[test]
    fn g_151_contradiction_needs_two_sure_findings() {
        let (gains, loses) = (finding(9, 10, Some((1, 9))), finding(1, 10, Some((-9, -1))));
        assert!(gains.contradicts(&loses) && loses.contradicts(&gains));
        assert!(!gains.contradicts(&finding(1, 10, Some((-9, 1)))), "unsure");
        let elsewhere = Finding { regime: None, ..loses.clone() };
        assert!(!gains.contradicts(&elsewhere), "another regime is another claim");
        assert!(finding(10, 10, None).contradicts(&finding(0, 10, None)));
        assert_eq!(finding(5, 10, None).sign(), 0);
    }

    /// G-142: the text says the numbers.
    #[test]
    fn g_142_statements_carry_their_numbers() {
        assert_eq!(
            finding(8, 10, None).statement(),
            "swap:8453:WETH/USDC held 8 of 10 times in bull regime (95% between 0.490162 and 0.943318)."
        );
    }

    proptest! {
        /// G-142: the interval holds the share, and more trials narrow it.
        #[test]
        fn g_142_intervals_cover_their_share(trials in 1u32..5_000, held in 0u32..5_000) {
            let held = held.min(trials);
            let interval = wilson(held, trials);
            let share = Ppm::round(f64::from(held) / f64::from(trials));
            prop_assert!(interval.low <= share && share <= interval.high);
            prop_assert!(wilson(held * 4, trials * 4).width() < interval.width());
        }
    }
}
