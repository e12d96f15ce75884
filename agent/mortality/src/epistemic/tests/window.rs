use proptest::prelude::*;

use super::*;

/// M-052 as written: two passes over the newest 100 pairs.
fn two_pass(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 10 {
        return None;
    }
    let mean = pairs.iter().map(|(_, a)| a).sum::<f64>() / pairs.len() as f64;
    let residual: f64 = pairs.iter().map(|(p, a)| (a - p) * (a - p)).sum();
    let total: f64 = pairs.iter().map(|(_, a)| (a - mean) * (a - mean)).sum();
    Some(if total > 0.0 { (1.0 - residual / total).max(0.0) } else { 0.5 })
}

fn window(pairs: impl IntoIterator<Item = (f64, f64)>) -> FitnessWindow {
    let mut window = FitnessWindow::new();
    for (at, (p, a)) in (1..).zip(pairs) {
        window.push(Tick::new(at), Pair::new(p, a).expect("a test's pair"));
    }
    window
}

fn ten(predict: impl Fn(f64) -> f64) -> Option<f64> {
    window((1..=10).map(|a| (predict(f64::from(a)), f64::from(a)))).r_squared(10).map(Score::get)
}

/// M-052, M-055: W-73 and W-74.
#[test]
fn m_052_r_squared_meets_w_73_and_w_74() {
    let nine = window((1..=9).map(|a| (f64::from(a), f64::from(a))));
    assert_eq!(nine.r_squared(10), None, "W-73: nine perfect pairs are too few");
    for (what, got, expected) in [
        ("perfect", ten(|a| a), 1.0),
        ("a+1", ten(|a| a + 1.0), 0.8787878787878788),
        ("0.9a", ten(|a| 0.9 * a), 0.9533333333333334),
        ("the mean", ten(|_| 5.5), 0.0),
        ("reversed", ten(|a| 11.0 - a), 0.0),
        ("half", ten(|a| a / 2.0), 0.0),
        ("W-74", ten(|a| if a % 2.0 == 1.0 { a + 2.0 } else { a - 2.0 }), 0.5151515151515151),
    ] {
        let got = got.expect("ten pairs");
        assert!((got - expected).abs() < 1e-12, "W-73 {what}: {got}");
    }
    let flat = window((1..=10).map(|p| (f64::from(p), 0.1)));
    assert_eq!(flat.r_squared(10), Some(Score::HALF), "W-73: actuals that do not vary");
}

/// M-052, M-054: W-75.
#[test]
fn m_054_old_pairs_leave_the_window_w_75() {
    let noise = (0..50).map(|x| (0.0, f64::from(x)));
    let perfect = (0..100).map(|x| (f64::from(x), f64::from(x)));
    let window = window(noise.chain(perfect));
    assert_eq!(window.len(), 100);
    assert_eq!(window.r_squared(10), Some(Score::ONE), "W-75");
}

/// M-054: a pair of exactly the window's age stays, one tick later it goes; an empty window has no reading.
#[test]
fn m_054_pairs_older_than_2000_ticks_are_evicted() {
    let mut window = window((1..=20).map(|a| (f64::from(a), f64::from(a))));
    window.evict(Tick::new(2_001), 2_000);
    assert_eq!(window.len(), 20);
    window.evict(Tick::new(2_002), 2_000);
    assert_eq!(window.len(), 19);
    window.evict(Tick::new(1), 2_000);
    assert_eq!(window.len(), 19, "a clock that runs backwards evicts nothing");
    window.evict(Tick::MAX, 2_000);
    assert_eq!((window.len(), window.r_squared(10), window.r_squared(0)), (0, None, None));
}

/// MG-10: numbers that are no returns never enter.
#[test]
fn mg_10_a_pair_refuses_what_is_no_return() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(Pair::new(value, 0.0), Err(PairError::NotFinite { .. })));
        assert!(matches!(Pair::new(0.0, value), Err(PairError::NotFinite { .. })));
    }
    assert_eq!(Pair::new(1.1e9, 0.0), Err(PairError::TooLarge { value: 1.1e9 }));
}

/// An outlier that has left the window leaves no trace: with subtracted sums the reading would be noise for ever.
#[test]
fn m_052_an_outlier_that_left_is_forgotten_exactly() {
    let outlier = std::iter::once((-1e9, 1e9));
    let after = (0..100).map(|x| (f64::from(x) * 1e-6, f64::from(x) * 1e-6 + 1e-8));
    let with = window(outlier.chain(after.clone())).r_squared(10).expect("full").get();
    let without = two_pass(&after.collect::<Vec<_>>()).expect("full");
    assert!((with - without).abs() < 1e-12, "{with} {without}");
}

fn returns() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -0.2..0.2f64, 2 => -1e3..1e3f64, 1 => -1e9..=1e9f64, 1 => Just(0.0), 1 => Just(0.05), 1 => -1e-9..1e-9f64]
}

proptest! {
    /// M-052, M-054, M-055: the running window reads as the two-pass definition, whatever came and went, and in [0, 1].
    #[test]
    fn m_052_the_running_window_agrees_with_two_passes(
        steps in prop::collection::vec((returns(), returns(), 1u64..80), 1..400),
    ) {
        let mut running = FitnessWindow::new();
        let mut kept: Vec<(u64, f64, f64)> = Vec::new();
        let mut now = 0;
        for (p, a, later) in steps {
            now += later;
            running.evict(Tick::new(now), 2_000);
            running.push(Tick::new(now), Pair::new(p, a).expect("in range"));
            kept.retain(|(tick, ..)| now - tick <= 2_000);
            kept.push((now, p, a));
            if kept.len() > 100 {
                kept.remove(0);
            }
            let expected = two_pass(&kept.iter().map(|(_, p, a)| (*p, *a)).collect::<Vec<_>>());
            let got = running.r_squared(10).map(Score::get);
            match (got, expected) {
                (Some(got), Some(expected)) => {
                    prop_assert!((0.0..=1.0).contains(&got));
                    prop_assert!((got - expected).abs() < 1e-9, "{} {}", got, expected);
                }
                (got, expected) => prop_assert_eq!(got, expected),
            }
        }
    }
}

mod records {
    use super::*;

    proptest! {
        /// A window read back from a record continues with the very same bits.
        #[test]
        fn a_recorded_window_continues_bit_for_bit(pairs in prop::collection::vec((returns(), returns()), 0..260), more in prop::collection::vec((returns(), returns()), 0..120)) {
            let mut lived = window(pairs);
            let json = serde_json::to_string(&lived).expect("plain");
            let mut read: FitnessWindow = serde_json::from_str(&json).expect("just written");
            for (p, a) in more {
                for window in [&mut lived, &mut read] {
                    window.push(Tick::new(9), Pair::new(p, a).expect("in range"));
                }
                prop_assert_eq!(lived.r_squared(10).map(|s| s.get().to_bits()), read.r_squared(10).map(|s| s.get().to_bits()));
            }
            prop_assert_eq!(serde_json::to_string(&lived).expect("plain"), serde_json::to_string(&read).expect("plain"));
        }
    }
}
