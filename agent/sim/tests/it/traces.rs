//! W-92, W-93 and W-94 once more, through the whole step: what a driver feeds it changes nothing.

use golem_core::life::Life;
use golem_core::record::{Observation, TickInput};
use golem_core::step::step;
use golem_mortality::cause::CauseKind;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_mortality::phase::Phase::{self, Conservation, Declining, Stable, Terminal, Thriving};
use golem_mortality::score::Score;
use golem_mortality::stochastic::roll::Roll;
use golem_mortality::vitals::Chance;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};

fn trace(law: Law, initial: &str, cost: &str, is_wrong: bool) -> (Vec<(Phase, u64)>, CauseKind, u64) {
    let usdc = |text: &str| text.parse::<Usdc>().expect("a test's amount");
    let id = GolemId::new("golem-0001").expect("a name");
    let mut life = Life::birth(id, law, usdc(initial), 0, UtcTime::EPOCH).expect("funded");
    let mut phases: Vec<(Phase, u64)> = Vec::new();
    while life.is_alive() {
        let tick = life.tick().next();
        let now = UtcTime::from_seconds(tick.get() * Tick::NOMINAL_SECONDS);
        let mut input = TickInput::quiet(tick, now, Chance::Given(Roll(u64::MAX)));
        input.observations.push(Observation::Upkeep { source: CostSource::Compute, cost: usdc(cost) });
        if is_wrong && tick == Tick::new(1) {
            let pair = |a: u8| Pair::new(99.0, f64::from(a)).expect("a pair");
            input.observations.extend((0..10).map(|a| Observation::Resolved { pair: pair(a) }));
        }
        life = step(life, &input).life;
        let phase = life.vitals().phase();
        if phases.last().is_none_or(|(last, _)| *last != phase) {
            phases.push((phase, tick.get()));
        }
    }
    let death = life.death().expect("not alive");
    (phases, death.cause.kind(), death.tick.get())
}

/// M-146..M-156: the three traces of the catalogue.
#[test]
fn w_92_w_93_w_94_tick_for_tick_through_step() {
    let fit = |fitness: f64| Law { starting_fitness: Score::new(fitness).expect("a score"), ..Law::hosted() };
    let a = [(Thriving, 1), (Stable, 2_939), (Conservation, 3_385), (Declining, 3_813), (Terminal, 4_482)];
    assert_eq!(trace(fit(0.8), "50", "0.01", false), (a.to_vec(), CauseKind::Economic, 4_900), "W-92");
    let b = [(Thriving, 1), (Stable, 1_033), (Conservation, 1_278), (Declining, 1_469), (Terminal, 1_744)];
    assert_eq!(trace(fit(0.6), "10", "0.005", false), (b.to_vec(), CauseKind::Economic, 1_940), "W-93");
    let c = [(Stable, 1), (Conservation, 23), (Declining, 53), (Terminal, 138)];
    let lived = trace(Law::self_hosted(), "0", "0", true);
    assert_eq!(lived, (c.to_vec(), CauseKind::EpistemicSenescence, 536), "W-94");
}
