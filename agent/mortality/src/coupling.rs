//! How the clocks pull each other down, measured; never how one could lift another (M-111).

use golem_primitives::Usdc;

use crate::economic::burn::BurnRate;

/// M-082, M-107. The running correlation of what deviations cost with the burn, tick by tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EpistemicEconomicCoupling {
    count: f64,
    mean_cost: f64,
    mean_burn: f64,
    square_cost: f64,
    square_burn: f64,
    product: f64,
}

impl EpistemicEconomicCoupling {
    /// Notes a tick. Statistics of amounts, not amounts: nothing is ever paid from these numbers.
    pub fn note(&mut self, deviation_cost: Usdc, burn: BurnRate) {
        let (cost, burn) = (deviation_cost.micros() as f64, burn.picos() as f64 / 1e6);
        self.count += 1.0;
        let (from_cost, from_burn) = (cost - self.mean_cost, burn - self.mean_burn);
        self.mean_cost += from_cost / self.count;
        self.mean_burn += from_burn / self.count;
        self.square_cost += from_cost * (cost - self.mean_cost);
        self.square_burn += from_burn * (burn - self.mean_burn);
        self.product += from_cost * (burn - self.mean_burn);
    }

    /// Pearson's correlation in [-1, 1]; `None` before ten ticks or when one of them never varied.
    #[must_use]
    pub fn correlation(&self) -> Option<f64> {
        let scale = libm::sqrt(self.square_cost) * libm::sqrt(self.square_burn);
        (self.count >= 10.0 && scale > 0.0).then(|| (self.product / scale).clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M-082, M-107: worse understanding shows as a higher burn.
    #[test]
    fn m_107_costly_deviations_correlate_with_the_burn() {
        let mut coupling = EpistemicEconomicCoupling::default();
        for tick in 0..100u64 {
            assert_eq!(coupling.correlation().is_some(), tick >= 10);
            let cost = Usdc::from_micros(tick * 10);
            coupling.note(cost, BurnRate::per_tick(Usdc::from_micros(1_000 + tick * 10)));
        }
        assert!(coupling.correlation().expect("enough") > 0.999);
        let mut flat = EpistemicEconomicCoupling::default();
        (0..20).for_each(|_| flat.note(Usdc::whole(1), BurnRate::ZERO));
        assert_eq!(flat.correlation(), None, "what never varies has no correlation");
    }

    proptest! {
        /// M-082: the running form is the definition.
        #[test]
        fn m_082_the_running_correlation_is_the_definition(ticks in prop::collection::vec((0u64..1_000_000, 0u64..1_000_000), 10..200)) {
            let mut coupling = EpistemicEconomicCoupling::default();
            for (cost, burn) in &ticks {
                coupling.note(Usdc::from_micros(*cost), BurnRate::per_tick(Usdc::from_micros(*burn)));
            }
            let n = ticks.len() as f64;
            let (mx, my) = (ticks.iter().map(|t| t.0 as f64).sum::<f64>() / n, ticks.iter().map(|t| t.1 as f64).sum::<f64>() / n);
            let sum = |f: &dyn Fn(f64, f64) -> f64| ticks.iter().map(|t| f(t.0 as f64 - mx, t.1 as f64 - my)).sum::<f64>();
            let scale = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
            if scale > 0.0 {
                let expected = sum(&|x, y| x * y) / scale;
                prop_assert!((coupling.correlation().expect("varies") - expected).abs() < 1e-9);
            }
        }
    }
}
