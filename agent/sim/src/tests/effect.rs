use proptest::prelude::*;

use super::*;

const B: [f64; 10] = [0.55, 0.57, 0.52, 0.58, 0.54, 0.56, 0.53, 0.57, 0.55, 0.56];
const T: [f64; 10] = [0.62, 0.58, 0.65, 0.60, 0.63, 0.61, 0.59, 0.66, 0.64, 0.60];

#[test]
fn m_087_w_97_cohens_d_of_the_worked_samples() {
    // M-087, W-97.
    let tenths: Vec<f64> = (1..=10).map(|i| f64::from(i) / 10.0).collect();
    let shifted: Vec<f64> = tenths.iter().map(|v| v + 0.05).collect();
    for (baseline, treatment, d) in [
        (&[1.0, 3.0, 5.0][..], &[2.0, 4.0, 6.0][..], 0.5),
        (&B[..], &T[..], 2.818_990_682),
        (&tenths[..], &shifted[..], 0.165_144_565),
    ] {
        let effect = EffectSize::measure(baseline, treatment, 0).expect("finite");
        assert!((effect.d / d - 1.0).abs() < 1e-6, "{effect:?}");
    }
}

#[test]
fn mg_12_the_interval_is_the_bootstraps_and_the_same_for_the_same_seed() {
    // M-087, MG-12: about [2.2, 4.2].
    let effect = EffectSize::measure(&B, &T, 7).expect("finite");
    assert!((effect.low - 2.2).abs() < 0.25 && (effect.high - 4.2).abs() < 0.45, "{effect:?}");
    assert_eq!(EffectSize::measure(&B, &T, 7), Ok(effect));
    assert_ne!(EffectSize::measure(&B, &T, 8), Ok(effect));
}

#[test]
fn bad_samples_are_refused_and_no_spread_is_no_effect() {
    assert_eq!(EffectSize::measure(&[1.0], &[1.0, 2.0], 0), Err(EffectError::TooFew { given: 1 }));
    assert_eq!(EffectSize::measure(&[1.0, 2.0], &[], 0), Err(EffectError::TooFew { given: 0 }));
    assert_eq!(EffectSize::measure(&[1.0, 2.0], &[1.0, f64::NAN], 0), Err(EffectError::NotFinite { at: 3 }));
    // MG-12: zero pooled deviation.
    let flat = EffectSize::measure(&[1.0; 5], &[2.0; 5], 0).expect("finite");
    assert_eq!(flat, EffectSize { d: 0.0, low: 0.0, high: 0.0 });
    assert!(!flat.excludes_zero());
}

proptest! {
    #[test]
    fn swapping_sides_turns_the_sign_and_shifts_do_not_matter(
        baseline in proptest::collection::vec(-1.0..1.0f64, 2..20),
        treatment in proptest::collection::vec(-1.0..1.0f64, 2..20),
        shift in -10.0..10.0f64,
    ) {
        let d = |b: &[f64], t: &[f64]| {
            cohens_d(Moments::of(b.iter().copied()), Moments::of(t.iter().copied()))
        };
        let there = d(&baseline, &treatment);
        prop_assert_eq!(there, -d(&treatment, &baseline));
        let move_all = |v: &[f64]| v.iter().map(|x| x + shift).collect::<Vec<_>>();
        prop_assert!((there - d(&move_all(&baseline), &move_all(&treatment))).abs() <= 1e-6 * (1.0 + there.abs()));
    }

    #[test]
    fn any_finite_samples_give_an_ordered_interval(
        baseline in proptest::collection::vec(-1e100..1e100f64, 2..8),
        treatment in proptest::collection::vec(-1e100..1e100f64, 2..8),
        seed: u64,
    ) {
        let effect = EffectSize::measure(&baseline, &treatment, seed).expect("finite");
        prop_assert!(effect.low <= effect.high && effect.d.is_finite());
    }
}
