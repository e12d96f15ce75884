//! Simulated survival against the closed form of Gompertz and Makeham.

use golem_core::life::Life;
use golem_core::record::TickInput;
use golem_core::step::step;
use golem_mortality::cause::CauseKind;
use golem_mortality::law::Law;
use golem_mortality::score::Score;
use golem_mortality::stochastic::hazard::{HazardLaw, HazardNumbers};
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
use golem_sim::cohort;
use golem_sim::stats::{Lifetime, kolmogorov_smirnov};

/// M-093, M-095, M-096, M-099, R-052: ten thousand lives of the default law, each tick a roll against its hazard.
#[test]
fn m_093_ten_thousand_lives_follow_the_closed_form() {
    let cohort = cohort::live(&HazardLaw::DEFAULT, Score::HALF, 10_000, 1);
    let agreement = cohort.agreement.expect("lives");
    assert!(agreement.p > 0.01 && agreement.count == 10_000, "{agreement:?}");
    let halfway = |curve: &[(Tick, f64)]| curve.iter().position(|(_, alive)| *alive <= 0.5).expect("most die");
    assert!(halfway(&cohort.observed).abs_diff(halfway(&cohort.expected)) <= 1, "W-60");
    // The test can fail: the same deaths are told apart from a law three tenths more deadly.
    let numbers = HazardNumbers { base: 1.3e-6, age_coefficient: 1.3e-8, ..*HazardLaw::DEFAULT.numbers() };
    let other = HazardLaw::new(numbers).expect("within bounds");
    let lives: Vec<Lifetime> = cohort
        .observed
        .windows(2)
        .flat_map(|pair| {
            let died = ((pair[0].1 - pair[1].1) * 10_000.0).round() as usize;
            vec![Lifetime { ticks: pair[1].0.get(), ended: true }; died]
        })
        .collect();
    let agreement = kolmogorov_smirnov(&lives, cohort.horizon, |tick| other.survival(tick, Score::HALF));
    assert!(agreement.expect("lives").p < 1e-6);
}

/// M-096, M-149: ten thousand whole lives through `step`, each by the hash of its own name, under a law that ages fast
/// enough to watch. Fitness stays at one half, so the closed form holds exactly.
#[test]
fn m_149_ten_thousand_named_lives_through_the_whole_step() {
    let numbers =
        HazardNumbers { base: 8e-4, age_coefficient: 1e-4, aging_rate: 0.01, epistemic_multiplier: 3.0, cap: 0.01 };
    let hazard = HazardLaw::new(numbers).expect("within bounds");
    let law = Law { hazard, ..Law::self_hosted() };
    let lives: Vec<Lifetime> = (0..10_000)
        .map(|member| {
            let id = GolemId::new(&format!("golem-{member:05}")).expect("a name");
            let mut life = Life::birth(id, law, Usdc::ZERO, 0, UtcTime::EPOCH).expect("needs no funds");
            while life.is_alive() {
                let tick = life.tick().next();
                life = step(life, &TickInput::quiet(tick, UtcTime::EPOCH, Chance::Named(Salt::Empty))).life;
            }
            let death = life.death().expect("not alive");
            assert_eq!(death.cause.kind(), CauseKind::Stochastic);
            Lifetime { ticks: death.ticks_alive, ended: true }
        })
        .collect();
    let agreement = kolmogorov_smirnov(&lives, Tick::new(1 << 20), |tick| hazard.survival(tick, Score::HALF));
    let agreement = agreement.expect("lives");
    assert!(agreement.p > 0.01, "{agreement:?}");
}
