use super::*;

fn path(values: &[u64]) -> Vec<Usdc> {
    values.iter().copied().map(Usdc::from_micros).collect()
}

/// P-082.
#[test]
fn p_082_returns_falls_and_folds_are_those_of_the_path() {
    let path = path(&[1_000, 1_200, 900, 1_100, 1_500]);
    assert_eq!(return_ppm(&path), 500_000);
    assert_eq!(deepest_fall_ppm(&path), 250_000);
    let folds = folds(&path, 2);
    let shown: Vec<(usize, usize, i64)> = folds.iter().map(|fold| (fold.from, fold.looks, fold.return_ppm)).collect();
    assert_eq!(shown, [(0, 2, -100_000), (2, 2, 666_666)]);
    assert_eq!(folds[0].deepest_fall_ppm, 250_000);
}

#[test]
fn p_082_p_084_the_interval_holds_the_return_and_is_the_same_every_time() {
    let mut value = 1_000_000_000_u64;
    let rising: Vec<u64> = (0..5_000_u64)
        .map(|at| {
            value = if at * 7_919 % 10 < 4 { value - value / 1_000 } else { value + value / 1_000 };
            value
        })
        .collect();
    let rising = path(&rising);
    let found = interval(&rising, 7).expect("long enough");
    assert!(found.low_ppm < return_ppm(&rising) && return_ppm(&rising) < found.high_ppm, "{found:?}");
    assert_eq!(interval(&rising, 7), Some(found));
    assert_eq!(interval(&path(&[1; 100]), 7), None, "too short to say");
}
