//! W-92, W-93, W-94, tick for tick, through the public interface.

use golem_mortality::cause::{CauseKind, Death};
use golem_mortality::economic::burn::TickCosts;
use golem_mortality::epistemic::clock::EpistemicFacts;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::{LawEvent, LawEvents};
use golem_mortality::law::Law;
use golem_mortality::lifecycle::{Fate, Golem};
use golem_mortality::phase::Phase;
use golem_mortality::score::Score;
use golem_mortality::stochastic::roll::Roll;
use golem_mortality::vitals::{Chance, TickFacts};
use golem_primitives::{GolemId, Tick, Usdc, UtcTime};

/// When each phase began, when the stages did, and the end.
struct Trace {
    phases: Vec<(Phase, u64)>,
    stages: Vec<(&'static str, u64, f64)>,
    death: Death,
}

fn usdc(text: &str) -> Usdc {
    text.parse().expect("a test's amount")
}

/// Lives without chance until death. `wrong` makes every window score nothing.
fn run(law: Law, initial: &str, cost: &str, wrong: bool) -> Trace {
    let id = GolemId::new("golem-0001").expect("a name");
    let mut golem = Golem::provision(id, law, usdc(initial), 0, UtcTime::EPOCH).expect("funded").give_birth();
    let pairs: Vec<Pair> = (0..10).map(|a| Pair::new(99.0, f64::from(a)).expect("a pair")).collect();
    let (mut phases, mut stages) = (Vec::new(), Vec::new());
    for tick in 1.. {
        let facts = TickFacts {
            tick: Tick::new(tick),
            now: UtcTime::from_seconds(tick * Tick::NOMINAL_SECONDS),
            costs: TickCosts::compute(usdc(cost)),
            epistemic: EpistemicFacts {
                pairs: if wrong && tick == 1 { &pairs } else { &[] },
                ..EpistemicFacts::default()
            },
            chance: Chance::Given(Roll(u64::MAX)),
            ..TickFacts::default()
        };
        let mut events = LawEvents::new();
        let (fate, record) = golem.tick(&facts, &mut events).expect("in order");
        if phases.last().is_none_or(|(phase, _)| *phase != record.vitality.phase) {
            phases.push((record.vitality.phase, tick));
        }
        let fitness = |event: &LawEvent| match event {
            LawEvent::EpistemicFitness { fitness, .. } => Some(fitness.get()),
            _ => None,
        };
        for event in &events {
            let stage = match event {
                LawEvent::SenescenceEntered { .. } => "Stage 1",
                LawEvent::SenescenceConfirmed { .. } => "Stage 2",
                _ => continue,
            };
            stages.push((stage, tick, events.iter().find_map(fitness).expect("told every tick")));
        }
        golem = match fate {
            Fate::Lives(golem) => golem,
            Fate::Dies(dying) => return Trace { phases, stages, death: dying.death().clone() },
        };
    }
    unreachable!("a trace ends in death")
}

fn near(got: f64, expected: f64) -> bool {
    (got - expected).abs() < 1e-6
}

use Phase::{Conservation, Declining, Stable, Terminal, Thriving};

/// M-146, M-148, M-150, M-017, M-026, M-125: W-92.
#[test]
fn w_92_fifty_usdc_at_a_cent_a_tick() {
    let law = Law { starting_fitness: Score::new(0.8).expect("a score"), ..Law::hosted() };
    let trace = run(law, "50", "0.01", false);
    assert_eq!(
        trace.phases,
        [(Thriving, 1), (Stable, 2_939), (Conservation, 3_385), (Declining, 3_813), (Terminal, 4_482)],
        "W-92"
    );
    assert_eq!((trace.death.cause.kind(), trace.death.tick), (CauseKind::Economic, Tick::new(4_900)), "W-92");
    assert!(near(trace.death.composite.as_f64(), 0.045233), "W-92: {}", trace.death.composite);
}

/// M-146, M-150, M-037: W-93.
#[test]
fn w_93_ten_usdc_at_half_a_cent_a_tick() {
    let law = Law { starting_fitness: Score::new(0.6).expect("a score"), ..Law::hosted() };
    let trace = run(law, "10", "0.005", false);
    assert_eq!(
        trace.phases,
        [(Thriving, 1), (Stable, 1_033), (Conservation, 1_278), (Declining, 1_469), (Terminal, 1_744)],
        "W-93"
    );
    assert_eq!((trace.death.cause.kind(), trace.death.tick), (CauseKind::Economic, Tick::new(1_940)), "W-93");
    assert!(near(trace.death.composite.as_f64(), 0.039344), "W-93: {}", trace.death.composite);
}

/// M-053, M-067, M-068, M-069, M-133, M-147, M-151, M-232: W-94.
#[test]
fn w_94_a_golem_that_understands_nothing() {
    let trace = run(Law::self_hosted(), "0", "0", true);
    assert_eq!(
        trace.phases,
        [(Stable, 1), (Conservation, 23), (Declining, 53), (Terminal, 138)],
        "W-94: Terminal at 138, and yet it lives until 536 (C-21)"
    );
    let [(first, at, fitness), (second, confirmed, last)] = trace.stages[..] else { panic!("{:?}", trace.stages) };
    assert_eq!((first, at, second, confirmed), ("Stage 1", 36, "Stage 2", 536), "W-94");
    assert!(near(fitness, 0.348207) && near(last, 0.002288), "W-94: {fitness} {last}");
    assert_eq!((trace.death.cause.kind(), trace.death.tick), (CauseKind::EpistemicSenescence, Tick::new(536)), "W-94");
    assert!(near(trace.death.composite.as_f64(), 0.039792), "W-94: {}", trace.death.composite);
}
