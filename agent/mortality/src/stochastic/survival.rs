//! Survival in closed form, for checking simulated populations.

use golem_primitives::Tick;

use super::hazard::HazardLaw;
use crate::score::Score;

impl HazardLaw {
    /// The chance of outliving `tick` at a constant fitness, from the integral of the hazard:
    /// `exp(-eps (lambda t + alpha/beta (exp(beta t) - 1)))` up to the age of the cap, then a constant hazard.
    #[must_use]
    pub fn survival(&self, tick: Tick, fitness: Score) -> f64 {
        let n = self.numbers();
        let frailty = self.frailty(fitness);
        let age = tick.get() as f64;
        let capped_from = if n.base * frailty >= n.cap { 0.0 } else { self.cap_tick(fitness) };
        let rising = age.min(capped_from);
        let gompertz = if n.aging_rate > 0.0 {
            n.age_coefficient / n.aging_rate * libm::expm1(n.aging_rate * rising)
        } else {
            n.age_coefficient * rising
        };
        let until_cap = if rising > 0.0 { frailty * (n.base * rising + gompertz) } else { 0.0 };
        // A tick survived is a factor 1 - cap, not exp(-cap): the difference shows where the cap is reached.
        let since_cap = (age - rising) * libm::log1p(-n.cap);
        libm::exp(-until_cap + since_cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of the law itself, tick by tick.
    fn product(fitness: f64, ticks: u64) -> Vec<f64> {
        let mut alive = 1.0;
        let mut curve = vec![1.0];
        for tick in 1..=ticks {
            alive *= 1.0 - HazardLaw::DEFAULT.hazard(Tick::new(tick), Score::held(fitness)).get();
            curve.push(alive);
        }
        curve
    }

    /// M-099, M-105: W-59, by the product and by the closed form.
    #[test]
    fn m_099_cumulative_survival_meets_w_59() {
        let expected = [
            (1.0, [0.984771, 0.932667, 0.771207, 0.029485]),
            (0.5, [0.969774, 0.869868, 0.594760, 0.000869]),
            (0.0, [0.955006, 0.811297, 0.458683, 0.000026]),
        ];
        for (fitness, survivals) in expected {
            let curve = product(fitness, 90 * Tick::PER_DAY);
            for (day, survival) in [7, 30, 60, 90].into_iter().zip(survivals) {
                let tick = day * Tick::PER_DAY;
                let by_product = curve[usize::try_from(tick).expect("small")];
                let by_formula = HazardLaw::DEFAULT.survival(Tick::new(tick), Score::held(fitness));
                assert!((by_product - survival).abs() < 1e-6, "W-59 f={fitness} day {day}: {by_product}");
                assert!((by_formula - survival).abs() < 2e-5, "W-59 f={fitness} day {day}: {by_formula}");
            }
        }
    }

    /// M-095, M-105: W-60 and W-61.
    #[test]
    fn m_105_median_lives_meet_w_60_and_daily_chances_w_61() {
        for (fitness, median) in [(1.0, 157_852), (0.5, 138_925)] {
            let by_product = product(fitness, 160_000).iter().position(|alive| *alive <= 0.5).expect("dies");
            assert_eq!(by_product, median, "W-60");
        }
        for (rate, chance) in [(1e-6, 0.00215767), (1e-3, 0.88479945)] {
            let per_day = 1.0 - (1.0f64 - rate).powi(2160);
            assert!((per_day - chance).abs() < 1e-8, "W-61: {per_day}");
        }
    }
}
