//! What a life should be given.

use golem_primitives::Usdc;

/// M-050. Days a recommended funding lasts.
const DAYS: u64 = 14;
/// M-050. The least a life is given.
pub const FUNDING_FLOOR: Usdc = Usdc::whole(25);

/// M-050, C-08. `daily_cost * 14 * 1.10 + reserve`, rounded up, at least 25 USDC.
#[must_use]
pub fn recommended_funding(daily_cost: Usdc, reserve: Usdc) -> Usdc {
    let running = (u128::from(daily_cost.micros()) * u128::from(DAYS) * 11).div_ceil(10);
    let running = Usdc::from_micros(u64::try_from(running).unwrap_or(u64::MAX));
    running.saturating_add(reserve).max(FUNDING_FLOOR)
}

/// What is known before a birth (M-050).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundingQuestion {
    pub funding: Usdc,
    pub wallet: Usdc,
    pub has_gas: bool,
    /// Whether an embedded wallet has approved Permit2; `None` when it needs none.
    pub permit2_approved: Option<bool>,
    pub reserve: Usdc,
}

/// M-050. The five checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FundingCheck {
    /// At least the floor.
    Floor,
    Balance,
    Gas,
    /// An embedded wallet has approved Permit2.
    Permit2,
    /// The reserve is included and leaves something to live on.
    Reserve,
}

impl FundingQuestion {
    /// The checks that fail, in their order; none failing means the birth may go on.
    #[must_use]
    pub fn failing(&self) -> Vec<FundingCheck> {
        let checks = [
            (FundingCheck::Floor, self.funding >= FUNDING_FLOOR),
            (FundingCheck::Balance, self.wallet >= self.funding),
            (FundingCheck::Gas, self.has_gas),
            (FundingCheck::Permit2, self.permit2_approved != Some(false)),
            (FundingCheck::Reserve, self.funding > self.reserve),
        ];
        checks.into_iter().filter(|(_, holds)| !holds).map(|(check, _)| check).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usdc(text: &str) -> Usdc {
        text.parse().expect("a test's amount")
    }

    /// M-050, C-08: the buffer is on the running costs, not on the reserve.
    #[test]
    fn m_050_the_recommendation_covers_fourteen_days_a_buffer_and_the_reserve() {
        assert_eq!(recommended_funding(usdc("1.32"), usdc("0.30")), FUNDING_FLOOR);
        assert_eq!(recommended_funding(usdc("14.60"), usdc("0.388")), usdc("225.228"), "C-08");
        assert_eq!(recommended_funding(usdc("3.24"), usdc("1")), usdc("50.896"));
        assert_eq!(recommended_funding(Usdc::MAX, Usdc::MAX), Usdc::MAX);
    }

    /// M-050: five checks, each alone.
    #[test]
    fn m_050_five_checks() {
        let good = FundingQuestion {
            funding: usdc("50"),
            wallet: usdc("60"),
            has_gas: true,
            permit2_approved: Some(true),
            reserve: usdc("1"),
        };
        assert_eq!(good.failing(), []);
        assert_eq!(FundingQuestion { permit2_approved: None, ..good }.failing(), []);
        for (bad, check) in [
            (FundingQuestion { funding: usdc("24.999999"), ..good }, FundingCheck::Floor),
            (FundingQuestion { wallet: usdc("49"), ..good }, FundingCheck::Balance),
            (FundingQuestion { has_gas: false, ..good }, FundingCheck::Gas),
            (FundingQuestion { permit2_approved: Some(false), ..good }, FundingCheck::Permit2),
            (FundingQuestion { reserve: usdc("50"), ..good }, FundingCheck::Reserve),
        ] {
            assert_eq!(bad.failing(), [check]);
        }
    }
}
