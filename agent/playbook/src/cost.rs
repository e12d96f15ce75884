//! P-020 to P-022. What moving money costs at a look.

use golem_primitives::{Ppm, Usdc};

use crate::look::Look;
use crate::rule::Manner;

/// Once, in millionths: the least caution there is.
pub const ONCE: u32 = 1_000_000;

/// What one order paid, in USDC and apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Cost {
    /// To the pool's providers.
    pub fee: Usdc,
    /// To the pool's curve.
    pub impact: Usdc,
    /// To the chain.
    pub gas: Usdc,
}

impl Cost {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Usdc {
        self.fee.saturating_add(self.impact).saturating_add(self.gas)
    }

    /// Adds another order's.
    pub fn add(&mut self, other: &Self) {
        self.fee = self.fee.saturating_add(other.fee);
        self.impact = self.impact.saturating_add(other.impact);
        self.gas = self.gas.saturating_add(other.gas);
    }
}

/// One swap at a look: `amount` of the `capital` whose whole the look's impact speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    pub amount: Usdc,
    pub capital: Usdc,
}

impl Swap {
    /// What this swap loses to the curve, in millionths: in proportion to its size, as on a constant product for orders that
    /// are small beside the pool.
    #[must_use]
    pub fn impact_ppm(&self, look: &Look) -> u64 {
        let (amount, capital) = (self.amount.micros(), self.capital.micros().max(1));
        if amount == capital {
            return u64::from(look.impact_ppm);
        }
        held_u64(u128::from(look.impact_ppm) * u128::from(amount) / u128::from(capital)).min(MILLION)
    }

    /// What it pays.
    #[must_use]
    pub fn cost(&self, look: &Look) -> Cost {
        let fee = self.amount.share_up(Ppm::saturating(u64::from(look.fee_ppm)));
        let impact = self.amount.share_up(Ppm::saturating(self.impact_ppm(look)));
        Cost { fee, impact, gas: look.gas }
    }

    /// The share of what is swapped that comes out on the other side, before gas.
    #[must_use]
    pub fn kept(&self, look: &Look) -> f64 {
        let fee = f64::from(look.fee_ppm) / 1e6;
        let impact = self.impact_ppm(look) as f64 / 1e6;
        (1.0 - fee).max(0.0) * (1.0 - impact).max(0.0)
    }

    /// P-020. What going in and out again at this look's prices costs, in millionths of the amount. Of nothing it is
    /// everything: gas has to be paid by somebody.
    #[must_use]
    pub fn round_trip_ppm(&self, look: &Look) -> i64 {
        if self.amount.is_zero() {
            return i64::MAX;
        }
        let side = u64::from(look.fee_ppm) + self.impact_ppm(look);
        let gas = u128::from(look.gas.micros()) * u128::from(MILLION) / u128::from(self.amount.micros());
        i64::try_from(2 * (u128::from(side) + gas)).unwrap_or(i64::MAX)
    }
}

/// What an entry puts in, of which capital, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stake {
    pub amount: Usdc,
    pub capital: Usdc,
    pub manner: Manner,
}

impl Stake {
    /// The swap it begins and ends with: the whole of it, or the half that is provided as token.
    #[must_use]
    pub const fn swap(&self) -> Swap {
        let amount = match self.manner {
            Manner::Hold => self.amount,
            Manner::Provide { .. } => Usdc::from_micros(self.amount.micros() / 2),
        };
        Swap { amount, capital: self.capital }
    }

    /// What going in pays, or coming out again: the swap, and for liquidity the gas of placing or withdrawing it.
    #[must_use]
    pub fn cost(&self, look: &Look) -> Cost {
        let mut cost = self.swap().cost(look);
        if let Manner::Provide { .. } = self.manner {
            cost.gas = cost.gas.saturating_add(look.gas);
        }
        cost
    }

    /// P-020. What going in and out again at this look's prices costs, in millionths of the amount. Liquidity swaps half of
    /// it each way and pays the gas of four acts.
    #[must_use]
    pub fn round_trip_ppm(&self, look: &Look) -> i64 {
        let swap = self.swap();
        match self.manner {
            Manner::Hold => swap.round_trip_ppm(look),
            Manner::Provide { .. } if self.amount.is_zero() => i64::MAX,
            Manner::Provide { .. } => {
                let side = u64::from(look.fee_ppm) + swap.impact_ppm(look);
                let gas = 4 * u128::from(look.gas.micros()) * u128::from(MILLION) / u128::from(self.amount.micros());
                i64::try_from(u128::from(side) + gas).unwrap_or(i64::MAX)
            }
        }
    }
}

const MILLION: u64 = 1_000_000;

pub(crate) fn held_u64(wide: u128) -> u64 {
    u64::try_from(wide).unwrap_or(u64::MAX)
}
