//! What a day may cost in all, and which models are left when much of it is gone.

use golem_primitives::Usdc;

use super::tier::Tier;

/// M-036. The default cap of a day's spending over all.
pub const DAILY_SPEND_CAP: Usdc = Usdc::whole(10);

/// M-036. What a day's spending still allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
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
