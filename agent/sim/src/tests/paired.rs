use super::*;

fn near(got: f64, wanted: f64, within: f64) {
    assert!((got - wanted).abs() < within, "{got} instead of {wanted}");
}

/// Tabled values of Student's distribution.
#[test]
fn students_curve_is_the_tabled_one() {
    for (share, freedom, t) in [
        (0.975, 1.0, 12.7062),
        (0.975, 9.0, 2.26216),
        (0.95, 9.0, 1.83311),
        (0.975, 30.0, 2.04227),
        (0.995, 120.0, 2.61742),
    ] {
        near(student_quantile(share, freedom), t, 1e-4);
        near(student(freedom, t), share, 1e-6);
        near(student(freedom, -t), 1.0 - share, 1e-6);
    }
    near(student(4.0, 0.0), 0.5, 1e-12);
}

/// Student's sleep data (1908): extra sleep of ten patients under two drugs, t = -4.0621, p = 0.002833, [-2.4599, -0.7001].
#[test]
fn students_own_pairs_give_students_own_answer() {
    let one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
    let test = PairedTest::of(&differences).expect("ten pairs");
    near(test.mean, -1.58, 1e-9);
    near(test.p, 0.002_833, 1e-6);
    near(test.low, -2.459_9, 1e-4);
    near(test.high, -0.700_1, 1e-4);
    // One-sided against -3 and against 3: t = 1.42 / 0.388961 = 3.650750 and -11.77, on nine degrees of freedom.
    near(test.equivalence(3.0), 1.0 - student(9.0, 3.650_75), 1e-6);
    assert!(test.equivalence(3.0) < 0.05 && test.equivalence(2.0) > 0.05);
}

#[test]
fn pairs_that_say_nothing_have_no_test() {
    assert_eq!(PairedTest::of(&[1.0]), None);
    assert_eq!(PairedTest::of(&[1.0, f64::NAN]), None);
    let same = PairedTest::of(&[0.0; 5]).expect("five pairs");
    assert_eq!((same.p, same.equivalence(0.1)), (1.0, 0.0), "not one differed: that is equivalence and no difference");
}

/// Holm (1979): 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02.
#[test]
fn holm_corrects_step_by_step_and_keeps_the_order() {
    for (got, wanted) in holm(&[0.01, 0.04, 0.03, 0.005]).into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
        near(got, wanted, 1e-12);
    }
    assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

/// Half a deviation at 5% and a power of 0.8 needs 34 pairs by the noncentral t; the shifted curve says nearly the same.
#[test]
fn the_pairs_needed_are_the_tabled_ones() {
    let needed = pairs_needed(0.5, 1.0, 0.05, 0.8);
    assert!((33..=35).contains(&needed), "{needed}");
    assert!(power(0.5, 1.0, needed, 0.05) >= 0.8 && power(0.5, 1.0, needed - 1, 0.05) < 0.8);
    assert!((power(0.0, 1.0, 50, 0.05) - 0.05).abs() < 1e-9, "nothing is found as often as the level says");
}
