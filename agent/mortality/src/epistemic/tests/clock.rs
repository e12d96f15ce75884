use proptest::prelude::*;

use super::*;
use crate::epistemic::senescence::SenescenceStage;

fn pair(p: f64, a: f64) -> Pair {
    Pair::new(p, a).expect("a test's pair")
}

/// Ticks the clock with a window whose R² is one, or zero.
fn scored(clock: &mut EpistemicClock, law: &EpistemicLaw, tick: u64, perfect: bool) -> EpistemicTick {
    let pairs: Vec<Pair> = (0..10).map(|a| pair(if perfect { f64::from(a) } else { 99.0 }, f64::from(a))).collect();
    // A short window keeps only this tick's pairs, so that the score of a tick is its own.
    let law = EpistemicLaw { window_ticks: 0, ..*law };
    clock.tick(&law, Tick::new(tick), &EpistemicFacts { pairs: &pairs, ..EpistemicFacts::default() })
}

/// M-053: W-76.
#[test]
fn m_053_the_rolling_fitness_meets_w_76() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    for (tick, expected) in (1..).zip([0.505, 0.50995, 0.5148505]) {
        scored(&mut clock, &law, tick, true);
        assert!((clock.fitness().get() - expected).abs() < 1e-12, "W-76");
    }
    let mut clock = EpistemicClock::starting_at(Score::held(0.8));
    let mut fitness = vec![];
    for tick in 1..=100 {
        scored(&mut clock, &law, tick, false);
        fitness.push(clock.fitness().get());
    }
    assert_eq!(fitness.iter().position(|f| *f < 0.35), Some(82), "W-76: below 0.35 after 83 updates");
    assert!((fitness[82] - 0.347385061).abs() < 1e-9 && (fitness[99] - 0.292825873).abs() < 1e-9, "W-76");
}

/// M-052, M-053: with too few pairs the stored fitness stands.
#[test]
fn m_052_fewer_than_ten_pairs_leave_the_fitness_unchanged() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::starting_at(Score::held(0.8));
    let nine: Vec<Pair> = (0..9).map(|a| pair(f64::from(a), f64::from(a))).collect();
    let tick = clock.tick(&law, Tick::new(1), &EpistemicFacts { pairs: &nine, ..EpistemicFacts::default() });
    assert_eq!((tick.score, clock.fitness().get(), clock.pairs()), (None, 0.8, 9));
    // The tenth pair makes it a reading, and a later tick without a new pair reads the same window again.
    for (at, expected) in [(2, 0.802), (3, 0.80398)] {
        let tenth = if at == 2 { vec![pair(9.0, 9.0)] } else { vec![] };
        clock.tick(&law, Tick::new(at), &EpistemicFacts { pairs: &tenth, ..EpistemicFacts::default() });
        assert!((clock.fitness().get() - expected).abs() < 1e-12);
    }
}

/// M-062: the trend compares with a hundred ticks ago, and with nothing before that.
#[test]
fn m_062_trend_looks_back_a_hundred_ticks() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    let mut fitness = vec![0.5];
    for tick in 1..=150 {
        assert_eq!(clock.trend().is_some(), tick > 100, "tick {tick}");
        scored(&mut clock, &law, tick, true);
        fitness.push(clock.fitness().get());
    }
    assert_eq!(clock.trend(), Some(fitness[150] - fitness[50]));
}

/// M-063, M-160: peak, its tick, the count below, and the last prediction that came true of those fitness is measured by:
/// whoever dies of wrong returns did not foretell one by reading the levels of the market right.
#[test]
fn m_063_the_clock_remembers_its_best() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    for tick in 1..=30 {
        scored(&mut clock, &law, tick, tick <= 20);
    }
    let (peak, at) = clock.peak();
    assert_eq!(at, Tick::new(20));
    assert!(peak > clock.fitness());
    for (tick, actual) in [(31, 0.5), (32, -0.5)] {
        let (matches, pairs) = (Some(Matches([true; 5])), [pair(0.1, actual)]);
        clock.tick(&law, Tick::new(tick), &EpistemicFacts { matches, pairs: &pairs, ..EpistemicFacts::default() });
    }
    assert_eq!(clock.last_correct(), Some(Tick::new(31)));
    let by_trades = EpistemicLaw { source: FitnessSource::Trades, ..law };
    for (tick, won) in [(33, true), (34, false)] {
        let (pairs, trades) = ([pair(0.1, 0.5)], [won]);
        clock.tick(
            &by_trades,
            Tick::new(tick),
            &EpistemicFacts { pairs: &pairs, trades: &trades, ..Default::default() },
        );
    }
    assert_eq!(clock.last_correct(), Some(Tick::new(33)));
    assert_eq!(clock.senescence().ticks_below(), 0);
}

/// M-061: a domain's failure is told once.
#[test]
fn m_061_a_failing_domain_is_told_when_it_begins() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    let facts = EpistemicFacts { matches: Some(Matches([true, true, true, false, true])), ..EpistemicFacts::default() };
    let told: Vec<u64> = (1..=40)
        .filter(|tick| clock.tick(&law, Tick::new(*tick), &facts).failed == [false, false, false, true, false])
        .collect();
    assert_eq!(told, [18]);
    assert_eq!(clock.domains().failing(), [false, false, false, true, false]);
}

/// M-065, MG-02: pruning costs at most a fifth of the score.
#[test]
fn m_065_fast_pruning_lowers_the_score() {
    assert_eq!(
        (erosion(0, 100), erosion(25, 100), erosion(500, 100), erosion(3, 0)),
        (Ppm::ZERO, Ppm::of(250_000), Ppm::ONE, Ppm::ZERO)
    );
    let law = EpistemicLaw::default();
    let perfect: Vec<Pair> = (0..10).map(|a| pair(f64::from(a), f64::from(a))).collect();
    for (archived, expected) in [(0, 1.0), (50, 0.9), (100, 0.8), (1_000, 0.8)] {
        let facts = EpistemicFacts { pairs: &perfect, erosion: erosion(archived, 100), ..EpistemicFacts::default() };
        let tick = EpistemicClock::default().tick(&law, Tick::new(1), &facts);
        assert!((tick.score.expect("ten pairs").get() - expected).abs() < 1e-12, "{archived}");
    }
}

/// M-066: without an oracle the trades speak, under the same thresholds and grace.
#[test]
fn m_066_the_proxy_drives_the_same_clock() {
    let law = EpistemicLaw { source: FitnessSource::Trades, ..EpistemicLaw::default() };
    let mut clock = EpistemicClock::default();
    let lost = EpistemicFacts { trades: &[false; 10], ..EpistemicFacts::default() };
    let mut confirmed = None;
    for tick in 1..=600 {
        let facts = if tick == 1 { lost } else { EpistemicFacts::default() };
        if clock.tick(&law, Tick::new(tick), &facts).change == Some(StageChange::Confirmed) {
            confirmed = Some(tick);
        }
    }
    assert_eq!(confirmed, Some(536), "the same day as W-94");
}

/// M-090: in a regime that is not yet known a fall is withheld, a rise is not.
#[test]
fn m_090_a_novel_regime_adds_no_pressure() {
    let law = EpistemicLaw::default();
    let wrong: Vec<Pair> = (0..10).map(|a| pair(99.0, f64::from(a))).collect();
    let facts = EpistemicFacts { pairs: &wrong, is_novel_regime: true, ..EpistemicFacts::default() };
    let mut clock = EpistemicClock::default();
    let tick = clock.tick(&law, Tick::new(1), &facts);
    assert_eq!((tick.withheld, tick.score, clock.fitness()), (true, Some(Score::ZERO), Score::HALF));
    let mut clock = EpistemicClock::starting_at(Score::held(0.2));
    let right: Vec<Pair> = (0..10).map(|a| pair(f64::from(a), f64::from(a))).collect();
    let tick = clock.tick(&law, Tick::new(1), &EpistemicFacts { pairs: &right, ..facts });
    assert!(!tick.withheld && clock.fitness().get() > 0.2);
}

/// M-108: fewer pairs a day are visible as a smaller window, and an empty one has no reading.
#[test]
fn m_108_starved_of_pairs_the_window_empties() {
    let law = EpistemicLaw::default();
    let mut clock = EpistemicClock::default();
    for tick in 1..=100 {
        clock.tick(&law, Tick::new(tick), &EpistemicFacts { pairs: &[pair(1.0, 2.0)], ..EpistemicFacts::default() });
    }
    let full = clock.pairs();
    for tick in 101..=2_050 {
        clock.tick(&law, Tick::new(tick), &EpistemicFacts::default());
    }
    assert!(clock.pairs() < full && clock.pairs() > 0);
    for tick in 2_051..=4_000 {
        clock.tick(&law, Tick::new(tick), &EpistemicFacts::default());
    }
    assert_eq!((clock.pairs(), clock.score(&law)), (0, None));
}

proptest! {
    /// M-055: fitness stays in [0, 1] and never jumps by more than its pace.
    #[test]
    fn m_055_fitness_stays_in_the_unit_interval(pairs in prop::collection::vec((-1e9..1e9f64, -1e9..1e9f64), 0..300)) {
        let law = EpistemicLaw::default();
        let mut clock = EpistemicClock::default();
        for (tick, (p, a)) in (1..).zip(pairs) {
            let before = clock.fitness().get();
            clock.tick(&law, Tick::new(tick), &EpistemicFacts { pairs: &[pair(p, a)], ..EpistemicFacts::default() });
            let after = clock.fitness().get();
            prop_assert!((0.0..=1.0).contains(&after) && (after - before).abs() <= 0.01 + 1e-12);
            prop_assert!(clock.senescence().stage() == SenescenceStage::Sound || after < 0.46);
        }
    }
}

/// M-064: what the Golem says of the market and what its own trades brought are separate streams. A market prediction
/// moves the domains only, an execution pair the rolling fitness only.
#[test]
fn m_064_the_two_streams_never_mix() {
    let law = EpistemicLaw::default();
    let (mut watcher, mut trader) = (EpistemicClock::default(), EpistemicClock::default());
    let pairs: Vec<Pair> = (0..10).map(|a| pair(f64::from(a), f64::from(a))).collect();
    watcher.tick(
        &law,
        Tick::new(1),
        &EpistemicFacts { matches: Some(Matches([true; 5])), ..EpistemicFacts::default() },
    );
    trader.tick(&law, Tick::new(1), &EpistemicFacts { pairs: &pairs, ..EpistemicFacts::default() });
    assert_eq!(watcher.fitness(), Score::HALF);
    assert!(watcher.domains().composite().get() > 0.5);
    assert!(trader.fitness().get() > 0.5);
    assert_eq!(*trader.domains(), DomainFitness::default());
}
