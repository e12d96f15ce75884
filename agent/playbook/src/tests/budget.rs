//! P-057. One budget, whatever is asked of it.

use proptest::prelude::*;

use super::*;

fn claim(percent: u32, evidence: f64) -> Option<BudgetClaim> {
    Some(BudgetClaim { wanted: Ppm::of(percent * 10_000), evidence })
}

fn percents(claims: &[Option<BudgetClaim>]) -> Vec<u32> {
    divide(claims).iter().map(|part| part.get() / 10_000).collect()
}

/// P-057: what is enough for all is divided by what each wants, what is short by evidence, and what one leaves goes on.
#[test]
fn p_057_a_short_budget_is_divided_by_evidence() {
    assert_eq!(percents(&[claim(60, 1.0)]), [60], "alone");
    assert_eq!(percents(&[claim(60, 1.0), None, claim(40, 300.0)]), [60, 0, 40], "it is enough");
    assert_eq!(percents(&[claim(90, 30.0), claim(90, 10.0)]), [75, 25], "three to one");
    assert_eq!(percents(&[claim(90, 10.0), claim(90, 30.0)]), [25, 75], "wherever it stands");
    assert_eq!(percents(&[claim(50, 90.0), claim(90, 10.0)]), [50, 50], "nobody gets more than he wants");
    assert_eq!(percents(&[claim(100, 1.0), claim(100, 1.0), claim(20, 1.0)]), [40, 40, 20]);
    assert_eq!(percents(&[None, claim(0, 50.0)]), [0, 0]);
}

fn claims() -> impl Strategy<Value = Vec<Option<BudgetClaim>>> {
    let evidence = prop_oneof![
        4 => 0.0..1_000.0_f64,
        1 => prop::sample::select(vec![0.0, -1.0, f64::NAN, f64::INFINITY, f64::MAX]),
    ];
    let one =
        (0_u32..=1_000_000, evidence).prop_map(|(wanted, evidence)| BudgetClaim { wanted: Ppm::of(wanted), evidence });
    prop::collection::vec(prop::option::of(one), 0..=POOLS)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// P-057: no claims, however many and whatever their evidence, get more than the budget, nor one more than it wants; and
    /// nothing lies idle that somebody wants, but for what rounding leaves.
    #[test]
    fn p_057_no_claims_exceed_the_budget(claims in claims()) {
        let parts = divide(&claims);
        prop_assert_eq!(parts.len(), claims.len());
        let sum: u64 = parts.iter().map(|part| u64::from(part.get())).sum();
        prop_assert!(sum <= 1_000_000, "{}", sum);
        for (claim, part) in claims.iter().zip(&parts) {
            prop_assert!(*part <= claim.map_or(Ppm::ZERO, |claim| claim.wanted));
        }
        let wanted: u64 = (0..claims.len()).map(|place| wants(&claims, place)).sum();
        prop_assert!(sum + POOLS as u64 >= wanted.min(1_000_000), "{} of {}", sum, wanted);
    }

    /// P-057: who has shown more gets no less than who has shown less and wants as much.
    #[test]
    fn p_057_a_division_follows_evidence(claims in claims(), wanted in 0_u32..=1_000_000) {
        let even: Vec<Option<BudgetClaim>> =
            claims.iter().map(|claim| claim.map(|claim| BudgetClaim { wanted: Ppm::of(wanted), ..claim })).collect();
        let parts = divide(&even);
        for one in 0..even.len() {
            for other in 0..even.len() {
                if even[one].is_some() && even[other].is_some() && weight(&even, one) >= weight(&even, other) {
                    prop_assert!(parts[one].get() + 1 >= parts[other].get(), "{:?} {:?}", even, parts);
                }
            }
        }
    }
}
