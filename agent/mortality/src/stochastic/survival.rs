//! Survival curves in closed form, for owners (M-105) and for checking simulated populations.

use golem_primitives::Tick;

use super::clock::StochasticClock;
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

    /// M-105. `points` of the survival curve up to `horizon`, both ends included.
    #[must_use]
    pub fn survival_curve(&self, fitness: Score, horizon: Tick, points: u32) -> Vec<(Tick, f64)> {
        let steps = u64::from(points.max(2)) - 1;
        (0..=steps)
            .map(|step| {
                let tick = Tick::new((u128::from(horizon.get()) * u128::from(step) / u128::from(steps)) as u64);
                (tick, self.survival(tick, fitness))
            })
            .collect()
    }

    /// The first tick that fewer than half outlive at a constant fitness.
    #[must_use]
    pub fn median_life_ticks(&self, fitness: Score) -> u64 {
        let mut alive = 0;
        let mut dead = 1 << 40;
        while dead - alive > 1 {
            let middle = alive + (dead - alive) / 2;
            if self.survival(Tick::new(middle), fitness) > 0.5 { alive = middle } else { dead = middle }
        }
        dead
    }
}

/// M-105. A stochastic death in plain words.
#[must_use]
pub fn death_notice(clock: &StochasticClock) -> String {
    let roll = clock.last_roll.map_or(1.0, |roll| roll.as_f64());
    format!(
        "At tick {} the chance of dying was {:.3e}; the roll was {roll:.3e}, below it. A Golem with this history had a \
         chance of {:.1}% to live this long. Nothing failed: every tick carries this risk, and anyone can recompute the \
         roll from the Golem's name, the tick and the block.",
        clock.tick,
        clock.hazard.get(),
        clock.cumulative_survival * 100.0,
    )
}

#[cfg(test)]
mod tests {
    use golem_primitives::GolemId;

    use super::*;
    use crate::stochastic::roll::{Salt, death_roll};

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
            let by_formula = HazardLaw::DEFAULT.median_life_ticks(Score::held(fitness));
            assert!(by_formula.abs_diff(median as u64) <= 1, "W-60: {by_formula}");
        }
        for (rate, chance) in [(1e-6, 0.00215767), (1e-3, 0.88479945)] {
            let per_day = 1.0 - (1.0f64 - rate).powi(2160);
            assert!((per_day - chance).abs() < 1e-8, "W-61: {per_day}");
        }
    }

    /// M-105: the curve an owner sees falls from one.
    #[test]
    fn m_105_an_owner_sees_a_falling_curve_and_a_plain_notice() {
        let law = HazardLaw::DEFAULT;
        let curve = law.survival_curve(Score::HALF, Tick::new(200_000), 51);
        assert_eq!((curve.len(), curve[0], curve[50].0), (51, (Tick::ZERO, 1.0), Tick::new(200_000)));
        assert!(curve.windows(2).all(|pair| pair[1].1 < pair[0].1 && pair[1].0 > pair[0].0));
        assert_eq!(law.survival_curve(Score::ONE, Tick::MAX, 0).len(), 2);

        let id = GolemId::new("golem-0001").expect("a name");
        let tick = Tick::new(874);
        let clock = StochasticClock::birth(&law).check(&law, tick, Score::HALF, death_roll(&id, tick, Salt::Empty));
        let notice = death_notice(&clock);
        assert!(notice.contains("tick 874") && notice.contains("4.496e-4") && notice.contains("2.021e-6"), "{notice}");
    }
}
