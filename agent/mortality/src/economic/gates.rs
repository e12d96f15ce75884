//! Questions asked before money is spent.

use golem_primitives::{Ppm, Usdc};

use super::tier::Tier;

/// M-029. Why a transaction waits; no model can override it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GasDeferral {
    /// The partition cannot pay.
    #[error("gas of {estimate} is more than the {available} available")]
    Unaffordable {
        /// What it would cost.
        estimate: Usdc,
        /// What may be spent.
        available: Usdc,
    },
    /// Gas is dear just now.
    #[error("gas of {estimate} is more than twice the hourly average of {hourly_average}")]
    Dear {
        /// What it would cost.
        estimate: Usdc,
        /// What gas costs in an average hour.
        hourly_average: Usdc,
    },
}

/// M-029. Whether a transaction may be sent now. Without an average yet, only the means decide.
///
/// # Errors
/// [`GasDeferral`] says what it waits for.
pub fn gas_gate(estimate: Usdc, available: Usdc, hourly_average: Usdc) -> Result<(), GasDeferral> {
    if estimate > available {
        return Err(GasDeferral::Unaffordable { estimate, available });
    }
    if !hourly_average.is_zero() && estimate > hourly_average.saturating_add(hourly_average) {
        return Err(GasDeferral::Dear { estimate, hourly_average });
    }
    Ok(())
}

/// M-035. How a partition's level reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ProbeSeverity {
    /// Enough.
    None,
    /// Below a fifth.
    Low,
    /// Below a tenth.
    High,
}

/// M-035. The credit-balance probe of a partition that holds `left` of what it was given.
#[must_use]
pub fn credit_probe(left: Ppm) -> ProbeSeverity {
    if left < Ppm::of(100_000) {
        ProbeSeverity::High
    } else if left < Ppm::of(200_000) {
        ProbeSeverity::Low
    } else {
        ProbeSeverity::None
    }
}

/// M-036. The default cap of a day's spending over all.
pub const DAILY_SPEND_CAP: Usdc = Usdc::whole(10);

/// M-036. What a day's spending still allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DaySpend {
    /// Below 70%.
    Normal,
    /// 70% to 90%: the largest model is off.
    NoLargest,
    /// 90% to 100%: no model.
    NoModel,
    /// From 100% on: rules only until midnight UTC.
    RulesOnly,
}

impl DaySpend {
    /// The state of a day in which `spent` of `cap` is gone; a cap of nothing allows nothing.
    #[must_use]
    pub const fn of(spent: Usdc, cap: Usdc) -> Self {
        let (spent, cap) = (spent.micros() as u128 * 10, cap.micros() as u128);
        if spent >= cap * 10 {
            Self::RulesOnly
        } else if spent >= cap * 9 {
            Self::NoModel
        } else if spent >= cap * 7 {
            Self::NoLargest
        } else {
            Self::Normal
        }
    }

    /// The ceiling it sets. The largest model of a living Golem is T2, so T1 is left when it is off.
    #[must_use]
    pub const fn ceiling(self) -> Tier {
        match self {
            Self::Normal => Tier::T2,
            Self::NoLargest => Tier::T1,
            Self::NoModel | Self::RulesOnly => Tier::T0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-028, M-029.
    #[test]
    fn m_029_a_transaction_waits_when_gas_is_unaffordable_or_dear() {
        assert_eq!(gas_gate(usdc("0.2"), usdc("1"), usdc("0.1")), Ok(()));
        let (estimate, available) = (usdc("1.1"), usdc("1"));
        assert_eq!(gas_gate(estimate, available, usdc("9")), Err(GasDeferral::Unaffordable { estimate, available }));
        let refused = gas_gate(usdc("0.200001"), usdc("1"), usdc("0.1")).expect_err("dear");
        assert_eq!(refused.to_string(), "gas of 0.200001 USDC is more than twice the hourly average of 0.10 USDC");
        assert_eq!(gas_gate(usdc("0.2"), usdc("1"), Usdc::ZERO), Ok(()), "no average yet");
    }

    /// M-035.
    #[test]
    fn m_035_the_credit_probe_reads_low_and_high() {
        for (parts, severity) in [
            (200_000, ProbeSeverity::None),
            (199_999, ProbeSeverity::Low),
            (100_000, ProbeSeverity::Low),
            (99_999, ProbeSeverity::High),
        ] {
            assert_eq!(credit_probe(Ppm::of(parts)), severity, "{parts}");
        }
    }

    /// M-036.
    #[test]
    fn m_036_a_day_s_spending_closes_the_tiers_one_by_one() {
        for (spent, state, ceiling) in [
            ("6.99", DaySpend::Normal, Tier::T2),
            ("7", DaySpend::NoLargest, Tier::T1),
            ("8.999999", DaySpend::NoLargest, Tier::T1),
            ("9", DaySpend::NoModel, Tier::T0),
            ("10", DaySpend::RulesOnly, Tier::T0),
            ("11", DaySpend::RulesOnly, Tier::T0),
        ] {
            let day = DaySpend::of(usdc(spent), DAILY_SPEND_CAP);
            assert_eq!((day, day.ceiling()), (state, ceiling), "{spent}");
        }
        assert_eq!(DaySpend::of(Usdc::ZERO, Usdc::ZERO), DaySpend::RulesOnly);
    }
}
