//! What is measured, and how sure one may be of its mean.

use serde::{Deserialize, Serialize};

use crate::stats::Summary;

/// A mean with Student's interval: it covers the true mean nineteen times of twenty.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Interval {
    /// Members.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Of a sample; `None` below two members, which have no spread.
    #[must_use]
    pub fn of(sample: &[f64]) -> Option<Self> {
        if sample.len() < 2 {
            return None;
        }
        let Summary { count, mean, deviation } = Summary::of(sample);
        let half = student(count - 1) * deviation / libm::sqrt(count as f64);
        Some(Self { count, mean, low: mean - half, high: mean + half })
    }

    /// Whether chance alone is excluded at 95%.
    #[must_use]
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The quantile of the normal distribution for two-sided 95%.
const Z: f64 = 1.959_963_984_540_054;
/// Student's for so few degrees of freedom that the series below is not close.
const FEW: [f64; 8] = [12.706_2, 4.302_7, 3.182_4, 2.776_4, 2.570_6, 2.446_9, 2.364_6, 2.306_0];

/// The quantile of Student's t for two-sided 95%: Fisher's expansion about the normal one, good to four digits.
#[must_use]
pub fn student(degrees: u64) -> f64 {
    if let Some(few) = usize::try_from(degrees).ok().and_then(|degrees| FEW.get(degrees.max(1) - 1)) {
        return *few;
    }
    let (n, z) = (degrees as f64, Z);
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z);
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n)
}

/// Which way a measure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More of it.
    More,
    /// Less of it.
    Less,
    /// Neither: it tells what happened.
    Neither,
}

macro_rules! measures {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $better:ident, $digits:literal;)*) => {
        /// One number of a line and a seed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Measure { $($(#[$doc])* $name,)* }

        impl Measure {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// As a table says it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// Which way it is better.
            #[must_use]
            pub const fn better(self) -> Better {
                match self { $(Self::$name => Better::$better,)* }
            }

            /// Digits behind the point.
            #[must_use]
            pub const fn digits(self) -> usize {
                match self { $(Self::$name => $digits,)* }
            }
        }
    };
}

measures! {
    /// What became of a hundred USDC.
    Return = "return on capital, %", More, 2;
    /// The deepest fall below an earlier height.
    Drawdown = "deepest fall of capital, %", Less, 2;
    /// Ticks below the capital at a switch, of the horizon after it.
    LossTicks = "ticks in loss after a switch", Less, 0;
    /// Ticks until fitness was back at nine tenths of what it was at a switch, for good.
    FitnessTicks = "ticks until fitness recovers", Less, 0;
    /// Epistemic fitness on the mean.
    Fitness = "mean fitness", More, 3;
    /// Lives.
    Lives = "lives", Neither, 1;
    /// Lives that ended because they understood too little.
    Senescent = "lives ended by senescence", Neither, 1;
    /// Purchases, for a thousand ticks.
    Bought = "purchases / 1000", Neither, 1;
    /// Entries handed down that arrived as candidates.
    Inherited = "entries inherited", Neither, 1;
    /// Inherited entries that an heir's own use made active.
    InheritedConfirmed = "inherited and confirmed", Neither, 1;
    /// Inherited entries that an heir's own use burned or demoted.
    InheritedRefuted = "inherited and refuted", Neither, 1;
    /// I-180. Rules that survived three generations.
    Baldwin = "rules proposed as defaults", Neither, 2;
    /// Entries that became active, of any source.
    Promoted = "entries promoted", Neither, 1;
    /// Entries that were burned or demoted.
    Refuted = "entries refuted", Neither, 1;
    /// Promoted claims that were false in the epoch they were promoted in, as a share of those that can be judged.
    FalsePromotions = "false promotions, %", Less, 1;
    /// The same of rules of action alone.
    FalseRules = "false rules promoted, %", Less, 1;
    /// Purchases that a rule forbade where the strategy loses, for a thousand ticks.
    HeldRightly = "held back rightly / 1000", More, 2;
    /// Purchases that a rule forbade where the strategy earns: stale knowledge acted on.
    HeldWrongly = "held back wrongly / 1000", Less, 2;
    /// Purchases made where the strategy loses.
    BoughtWrongly = "bought where it loses / 1000", Less, 2;
    /// Dreams dreamt to their end.
    Dreams = "dreams", Neither, 1;
    /// Alternatives, hypotheses and threats that REM imagined.
    Imagined = "imagined in dreams", Neither, 1;
    /// Dreamt claims that waking ticks let stand at the gate.
    Dreamt = "dreamt claims admitted", Neither, 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantiles_are_the_tabled_ones() {
        for (degrees, tabled) in [(1, 12.706), (4, 2.776), (9, 2.262), (15, 2.131), (29, 2.045), (100, 1.984)] {
            assert!((student(degrees) - tabled).abs() < 1e-3, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn an_interval_is_students() {
        // Mean 3, deviation sqrt(2.5), five members: half a width of 2.7764 * sqrt(2.5 / 5).
        let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("five members");
        assert!((interval.mean - 3.0).abs() < 1e-12 && (interval.high - 4.963_2).abs() < 1e-3, "{interval:?}");
        assert!((interval.mean - interval.low - (interval.high - interval.mean)).abs() < 1e-12);
        assert!(interval.excludes_zero() && !Interval::of(&[-1.0, 1.0]).expect("two").excludes_zero());
        assert_eq!((Interval::of(&[]), Interval::of(&[1.0])), (None, None));
    }
}
