use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::{Detector, Evidence, Proof, TripObservation};

const BOUND: f64 = 0.0192;

/// P-035. Trip in millionths, E after it, trip for the detector, M after it.
const GOLDEN: [(f64, f64, f64, f64); 12] = [
    (6200.0, 1.125130208, -4800.0, 1.137239583),
    (-4100.0, 1.024012460, 700.0, 1.169864994),
    (8800.0, 1.207747869, -12400.0, 1.548893334),
    (3500.0, 1.303942403, -5600.0, 1.858170517),
    (-15900.0, 0.808730601, 2300.0, 1.842185809),
    (7200.0, 0.894011773, -9100.0, 2.426128958),
    (9100.0, 1.022786244, -7200.0, 3.136547006),
    (-2300.0, 0.981715222, 15900.0, 1.629226307),
    (5600.0, 1.074603063, -3500.0, 1.850231442),
    (12400.0, 1.315033836, -8800.0, 2.376546308),
    (-700.0, 1.296141255, 4100.0, 2.230067429),
    (4800.0, 1.422579830, -6200.0, 2.751703693),
];

#[track_caller]
fn same_to_nine_digits(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 6e-10, "{found:.12} is not {wanted:.9}");
}

#[test]
fn p_032_p_035_the_golden_values_hold_to_nine_digits() {
    let mut evidence = Evidence::new(BOUND);
    let mut detector = Detector::new(BOUND, 0.002);
    for (trip, e, watched, m) in GOLDEN {
        evidence.observe(trip / 1e6);
        detector.observe(watched / 1e6);
        same_to_nine_digits(evidence.value(), e);
        same_to_nine_digits(detector.value(), m);
    }
    let wealths = [1.408291469, 1.884950570, 1.471905980, 1.232951147, 1.114799985];
    for (found, wanted) in evidence.wealths.each.iter().zip(wealths) {
        same_to_nine_digits(*found, wanted);
    }
}

/// P-032.
#[test]
fn p_032_a_gain_counts_up_to_four_bounds_and_a_loss_whole() {
    let after = |net: f64| {
        let mut evidence = Evidence::new(BOUND);
        evidence.observe(net);
        evidence
    };
    assert_eq!(after(4.0 * BOUND), after(40.0 * BOUND));
    assert_ne!(after(-1.5 * BOUND), after(-BOUND));
    // Beyond the bound the boldest bet is lost for ever.
    let mut ruined = after(-1.01 * BOUND);
    ruined.observe(4.0 * BOUND);
    assert_eq!(ruined.wealths.each[0], 0.0);
    assert!(ruined.wealths.each[1] > 0.0);
}

/// P-033.
#[test]
fn p_033_a_rise_that_anybody_had_is_no_evidence() {
    let mut proof = Proof::new(BOUND);
    for _ in 0..200 {
        proof.observe(TripObservation { net: 0.004, passive: 0.004, exposure: 0.5 });
    }
    assert!(proof.cash.value() > 320.0);
    assert_eq!(proof.value(), 1.0);
}

#[test]
fn p_033_the_second_account_bets_by_what_standing_can_cost_beside_the_rule() {
    let after = |exposure: f64| {
        let mut proof = Proof::new(BOUND);
        proof.observe(TripObservation { net: 0.006, passive: 0.001, exposure });
        proof.passive.value()
    };
    // The mean bet is 31/80 of the wealth, over B, over 1.25 B, over 2 B.
    for (exposure, bounds) in [(0.0, 1.0), (0.25, 1.25), (1.0, 2.0)] {
        let wanted = 1.0 + 31.0 / 80.0 * 0.005 / (bounds * BOUND);
        assert!((after(exposure) - wanted).abs() < 1e-12, "{exposure}");
    }
}

/// P-036. Rules that enter by a coin on a walk without drift: both accounts together reach 20 in less than one of 20 lives,
/// also where losses at a stop and rises that a stander had come together.
#[test]
fn p_033_p_036_chance_entries_on_a_walk_are_no_evidence_in_either_account() {
    let mut chance = Chance::new(33);
    let (lives, bound) = (600, 0.01);
    let mut reached = 0;
    for life in 0..lives {
        let exposure = f64::from(life % 10) / 10.0;
        let mut proof = Proof::new(bound);
        reached += u32::from((0..400).any(|_| {
            let net = (0.003 * chance.t3()).clamp(-bound, bound);
            let rise = net + 0.004 * chance.t3();
            proof.observe(TripObservation { net, passive: exposure * rise, exposure });
            proof.value() >= 20.0
        }));
    }
    assert!(reached * 20 <= lives, "{reached} of {lives}");
}

#[test]
fn p_046_an_heir_begins_half_way_between_nothing_and_its_line() {
    for (account, trips) in [(Evidence::new(BOUND), 40), (Evidence::resting(BOUND), 0), (Evidence::resting(BOUND), 40)]
    {
        let mut evidence = account;
        for _ in 0..trips {
            evidence.observe(0.006);
        }
        let heir = evidence.inherited();
        assert!((heir.value() / ((1.0 + evidence.value()) / 2.0) - 1.0).abs() < 1e-12, "{evidence:?}");
        if trips == 0 {
            assert_eq!(heir, account, "P-045: what waits in its line waits in an heir");
        }
    }
}

#[test]
fn p_044_an_edge_that_only_vanishes_is_noticed_and_one_that_holds_is_not() {
    let mut chance = Chance::new(44);
    let trips_until_rest = |mean: f64, chance: &mut Chance| {
        let mut detector = Detector::new(4.0, 0.25);
        (1..=500).find(|_| {
            detector.observe(mean + chance.t3());
            detector.value() >= 20.0
        })
    };
    let gone: Vec<_> = (0..200).map(|_| trips_until_rest(0.0, &mut chance)).collect();
    let kept: Vec<_> = (0..200).map(|_| trips_until_rest(0.5, &mut chance)).collect();
    assert!(gone.iter().filter(|trips| trips.is_some()).count() >= 190);
    assert!(kept.iter().filter(|trips| trips.is_some()).count() <= 4);
}

/// Kinds of trips whose mean is nothing, in deviations.
#[derive(Debug, Clone, Copy)]
enum Null {
    Gauss,
    T3,
    SmallGainsLargeLosses,
    Clustering,
    SignFlipped,
}

/// P-036. Under no edge the share of accounts that ever reach 1/a is at most a, within what so many paths can tell.
#[test]
fn p_036_chance_alone_rarely_looks_like_evidence() {
    let paths = if std::env::var_os("BARDO_DEEP").is_some() { 20_000 } else { 1_500 };
    for (seed, null) in [Null::Gauss, Null::T3, Null::SmallGainsLargeLosses, Null::Clustering, Null::SignFlipped]
        .into_iter()
        .enumerate()
    {
        let bound = 4.0;
        for account in [Evidence::new(bound), Evidence::resting(bound)] {
            let shares = reached(account, paths, seed as u64, |chance, net| path(null, chance, net));
            for (share, level) in shares.into_iter().zip([10.0_f64, 20.0, 100.0]) {
                let limit = 1.0 / level;
                // Three deviations of a binomial share.
                let spread = 3.0 * (limit * (1.0 - limit) / f64::from(paths)).sqrt();
                assert!(share <= limit + spread, "{null:?}: {share} of {paths} like {account:?} reached {level}");
            }
        }
    }
}

/// P-045. A rule that lost its costs for a hundred trips of rest wakes sooner than by an account that bet everything when it
/// went to rest, and one whose market returns at once only somewhat later.
#[test]
fn p_045_rest_does_not_use_up_what_a_rule_wakes_by() {
    let mut chance = Chance::new(45);
    let mut trips_until_it_wakes = |account: Evidence, rest: u32| {
        let mut trips: Vec<usize> = (0..101)
            .map(|_| {
                let mut account = account;
                for _ in 0..rest {
                    account.observe(chance.gauss() - 0.3);
                }
                let mut awake = || {
                    account.observe(chance.gauss() + 0.9);
                    account.value() >= 20.0
                };
                (1..2_000).find(|_| awake()).unwrap_or(2_000)
            })
            .collect();
        trips.sort_unstable();
        trips[50]
    };
    let mut of = |rest| [Evidence::resting(4.0), Evidence::new(4.0)].map(|account| trips_until_it_wakes(account, rest));
    let [rested, at_once] = of(100);
    assert!(rested * 4 <= at_once * 3, "{rested} and {at_once} trips after a long rest");
    let [rested, at_once] = of(0);
    assert!(rested <= at_once * 2, "{rested} and {at_once} trips after none");
}

/// P-031, P-036. One trip in a hundred loses twenty deviations and the others make up for it. A bound below that loss pretends
/// it away, because no wealth falls below nothing; the worst loss itself as the bound keeps the promise.
#[test]
fn p_031_p_036_the_own_worst_loss_is_what_makes_a_crash_harmless() {
    let crash = |chance: &mut Chance, net: &mut [f64]| {
        for net in net {
            *net = if chance.uniform() < 0.01 { -20.0 } else { 20.0 / 99.0 + chance.gauss() };
        }
    };
    let too_small = reached(Evidence::new(4.0), 1_500, 7, crash);
    let own_worst = reached(Evidence::new(20.0), 1_500, 7, crash);
    assert!(too_small[0] > 0.15 && too_small[2] > 0.03, "{too_small:?}");
    assert!(own_worst[0] <= 0.10 && own_worst[2] <= 0.01, "{own_worst:?}");
}

/// The share of accounts like this one that ever reach 10, 20 and 100 in 1,000 trips.
fn reached(account: Evidence, paths: u32, seed: u64, draw: impl Fn(&mut Chance, &mut [f64])) -> [f64; 3] {
    let mut chance = Chance::new(seed);
    let mut net = vec![0.0; 1_000];
    let mut counts = [0_u32; 3];
    for _ in 0..paths {
        draw(&mut chance, &mut net);
        let mut evidence = account;
        let mut best = 0.0_f64;
        for net in &net {
            evidence.observe(*net);
            best = best.max(evidence.value());
        }
        for (count, level) in counts.iter_mut().zip([10.0, 20.0, 100.0]) {
            *count += u32::from(best >= level);
        }
    }
    counts.map(|count| f64::from(count) / f64::from(paths))
}

fn path(null: Null, chance: &mut Chance, net: &mut [f64]) {
    let mut variance = 1.0;
    for (place, net) in net.iter_mut().enumerate() {
        *net = match null {
            Null::Gauss => chance.gauss(),
            Null::T3 => chance.t3(),
            // Nine in ten gain 1/3, one in ten loses 3.
            Null::SmallGainsLargeLosses => {
                if chance.uniform() < 0.1 {
                    -3.0
                } else {
                    1.0 / 3.0
                }
            }
            Null::Clustering => {
                let drawn = libm::sqrt(variance) * chance.gauss();
                variance = 0.05 + 0.1 * drawn * drawn + 0.85 * variance;
                drawn
            }
            // One path of sizes, the same for all, with signs by a coin.
            Null::SignFlipped => {
                let size = 0.2 + 2.5 * ((place * 7_919 % 1_000) as f64 / 1_000.0);
                if chance.uniform() < 0.5 { size } else { -size }
            }
        };
    }
}

/// Draws of a test.
struct Chance(ChaCha8Rng);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn gauss(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }

    /// Three degrees of freedom, one deviation.
    fn t3(&mut self) -> f64 {
        let square: f64 = (0..3).map(|_| self.gauss()).map(|draw| draw * draw).sum();
        self.gauss() / libm::sqrt(square / 3.0) / libm::sqrt(3.0)
    }
}
