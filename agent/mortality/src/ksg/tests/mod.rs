use proptest::prelude::*;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

const W_102_X: [f64; 8] = [0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0];
const W_102_Y: [f64; 8] = [0.1, 1.3, 1.9, 3.4, 4.4, 6.3, 7.7, 10.2];

/// ψ(n) for n ≥ 1; ψ(0) has no value.
fn digamma(n: usize) -> f64 {
    digamma_table(n)[n]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

/// The definition, read literally, in O(N²).
fn naive(k: usize, columns: &[&[f64]], y: &[f64]) -> f64 {
    let n = y.len();
    let left = |i: usize, j: usize| columns.iter().map(|c| (c[i] - c[j]).abs()).fold(0.0, f64::max);
    let right = |i: usize, j: usize| (y[i] - y[j]).abs();
    let mut sum = 0.0;
    for i in 0..n {
        let others = || (0..n).filter(move |j| *j != i);
        let mut joint: Vec<f64> = others().map(|j| left(i, j).max(right(i, j))).collect();
        joint.sort_by(f64::total_cmp);
        let eps = joint[k - 1];
        let (k, n_x, n_y) = if eps > 0.0 {
            (k, others().filter(|j| left(i, *j) < eps).count(), others().filter(|j| right(i, *j) < eps).count())
        } else {
            (
                joint.iter().filter(|d| **d == 0.0).count(),
                others().filter(|j| left(i, *j) == 0.0).count(),
                others().filter(|j| right(i, *j) == 0.0).count(),
            )
        };
        sum += digamma(k) - digamma(n_x + 1) - digamma(n_y + 1);
    }
    digamma(n) + sum / n as f64
}

fn normal_pairs(seed: u64, count: usize, correlation: f64) -> (Vec<f64>, Vec<f64>) {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut pairs = (Vec::new(), Vec::new());
    for _ in 0..count {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - uniform()));
        let angle = std::f64::consts::TAU * uniform();
        let (a, b) = (radius * libm::cos(angle), radius * libm::sin(angle));
        pairs.0.push(a);
        pairs.1.push(correlation * a + libm::sqrt(1.0 - correlation * correlation) * b);
    }
    pairs
}

#[test]
fn w_101_digamma_at_the_integers() {
    // W-101.
    for (n, psi) in [
        (1, -0.577_215_665),
        (2, 0.422_784_335),
        (3, 0.922_784_335),
        (5, 1.506_117_668),
        (10, 2.251_752_589),
        // ψ(1000) = ln 1000 − 1/2000 − 1/12·10⁻⁶ + …
        (1_000, 6.907_255_195_649),
    ] {
        assert!((digamma(n) - psi).abs() < 1e-9, "psi({n}) = {}", digamma(n));
    }
    assert!(digamma(0).is_nan());
}

#[test]
fn m_265_w_102_the_published_strict_form_and_not_the_companions() {
    // M-265, W-102, C-33.
    let estimate = Ksg::new(3).expect("allowed").mutual_information(&W_102_X, &W_102_Y).expect("eight pairs");
    // The catalogue compares to 1e-6 relative.
    assert!((estimate.0 / 0.759_523_812 - 1.0).abs() < 1e-6, "{estimate:?}");
    assert!((estimate.bits() / 1.095_761_236 - 1.0).abs() < 1e-6);
    assert!((estimate.bits() - 1.576_659_583).abs() > 0.1, "the companion's form counts points at the radius");
}

#[test]
fn m_265_neighbours_are_three_to_seven_and_five_unless_told() {
    // M-265.
    assert_eq!(Ksg::default().k, 5);
    for k in 3..=7 {
        assert_eq!(Ksg::new(k), Ok(Ksg { k }));
    }
    for k in [0, 1, 2, 8, usize::MAX] {
        assert_eq!(Ksg::new(k), Err(KsgError::Neighbours { k }));
    }
}

#[test]
fn m_265_normal_pairs_have_the_information_of_their_correlation() {
    // M-265: I = −½ ln(1 − r²) for a bivariate normal.
    for (correlation, seed) in [(0.0, 1), (0.3, 2), (0.6, 3), (0.9, 4)] {
        let (x, y) = normal_pairs(seed, 4_000, correlation);
        let exact = -0.5 * libm::log(1.0 - correlation * correlation);
        let estimate = Ksg::default().mutual_information(&x, &y).expect("many pairs").0;
        assert!((estimate - exact).abs() < 0.04, "r {correlation}: {estimate} against {exact}");
    }
}

#[test]
fn bad_series_are_refused_by_name() {
    let five = Ksg::default();
    let good = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut bad = good;
    bad[3] = f64::NAN;
    type Case<'a> = (&'a [&'a [f64]], &'a [f64], KsgError);
    let cases: [Case<'_>; 8] = [
        (&[], &good, KsgError::Columns { given: 0 }),
        (&[&good[..]; 8], &good, KsgError::Columns { given: 8 }),
        (&[&good[..5]], &good, KsgError::UnequalLengths { column: 1, given: 6, first: 5 }),
        (&[&good[..5]], &good[..5], KsgError::TooFew { samples: 5, needed: 6 }),
        (&[&[]], &[], KsgError::TooFew { samples: 0, needed: 6 }),
        (&[&good, &bad], &good, KsgError::NotFinite { column: 1, at: 3 }),
        (&[&good], &[0.0, 1.0, 2.0, 3.0, f64::INFINITY, 5.0], KsgError::NotFinite { column: 1, at: 4 }),
        (&[&[f64::MAX, f64::MIN, 0.0, 1.0, 2.0, 3.0]], &good, KsgError::TooWide { column: 0 }),
    ];
    for (columns, y, error) in cases {
        assert_eq!(five.joint_information(columns, y), Err(error));
    }
}

#[test]
fn a_constant_series_tells_nothing() {
    let (constant, rising) = ([7.0; 20], std::array::from_fn::<f64, 20, _>(|i| i as f64));
    let five = Ksg::default();
    assert_eq!(five.mutual_information(&constant, &rising), Ok(Nats::ZERO));
    assert_eq!(five.mutual_information(&rising, &constant), Ok(Nats::ZERO));
    assert_eq!(five.mutual_information(&constant, &constant), Ok(Nats::ZERO));
    // A constant column beside an informative one does not change what the informative one tells.
    let alone = five.mutual_information(&rising, &rising).expect("twenty pairs");
    assert_eq!(five.joint_information(&[&rising, &constant], &rising), Ok(alone));
}

#[test]
fn coinciding_samples_tell_as_much_as_their_classes_hold() {
    // Four equally likely classes, response = class: ln 4 nats; unrelated classes: nothing.
    let class: Vec<f64> = (0..2_000).map(|i| f64::from(i % 4)).collect();
    let unrelated: Vec<f64> = (0..2_000).map(|i| f64::from((i / 4) % 5)).collect();
    let five = Ksg::default();
    let told = five.mutual_information(&class, &class).expect("many").0;
    assert!((told - libm::log(4.0)).abs() < 0.01, "{told}");
    assert!(five.mutual_information(&class, &unrelated).expect("many").0.abs() < 0.02);
}

#[test]
fn standardising_removes_units_and_leaves_nonsense_alone() {
    let (x, y) = normal_pairs(9, 500, 0.7);
    let large: Vec<f64> = x.iter().map(|v| 1e9 * v + 3e12).collect();
    let five = Ksg::default();
    let plain = five.mutual_information(&standardise(&x), &standardise(&y)).expect("many").0;
    let moved = five.mutual_information(&standardise(&large), &standardise(&y)).expect("many").0;
    assert!((plain - moved).abs() < 0.01, "{plain} {moved}");
    assert_eq!(standardise(&[3.0; 4]), vec![0.0; 4]);
    assert_eq!(standardise(&[]), Vec::<f64>::new());
    assert!(standardise(&[1.0, f64::NAN])[1].is_nan());
    let extreme = standardise(&[0.0, 1e-300, 2e-300]);
    assert!((extreme[2] - libm::sqrt(1.5)).abs() < 1e-9, "{extreme:?}");
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![3 => -10.0..10.0, 1 => (-3i32..3).prop_map(f64::from)]
}

proptest! {
    #[test]
    fn the_index_gives_what_the_definition_gives(
        pairs in proptest::collection::vec((value(), value(), value()), 8..150),
        k in 3usize..=7,
    ) {
        let (x, z): (Vec<f64>, Vec<f64>) = pairs.iter().map(|p| (p.0, p.1)).unzip();
        let y: Vec<f64> = pairs.iter().map(|p| p.2).collect();
        prop_assume!(spread(&y) > 0.0 && spread(&x) > 0.0);
        let estimator = Ksg::new(k).expect("allowed");
        let single = estimator.mutual_information(&x, &y).expect("enough").0;
        prop_assert!(close(single, naive(k, &[&x], &y)), "{single}");
        let joint = estimator.joint_information(&[&x, &z], &y).expect("enough").0;
        prop_assert!(close(joint, naive(k, &[&x, &z], &y)), "{joint}");
    }

    #[test]
    fn neither_the_side_nor_the_order_of_samples_matters(
        pairs in proptest::collection::vec((-10.0..10.0f64, -10.0..10.0f64), 8..80),
    ) {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let (rx, ry): (Vec<f64>, Vec<f64>) = pairs.iter().rev().copied().unzip();
        let five = Ksg::default();
        let there = five.mutual_information(&x, &y).expect("enough").0;
        prop_assert!(close(there, five.mutual_information(&y, &x).expect("enough").0));
        prop_assert!(close(there, five.mutual_information(&rx, &ry).expect("enough").0));
    }
}
