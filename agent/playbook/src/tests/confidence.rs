use super::*;

fn after(mut confidence: RuleConfidence, trips: &[bool]) -> RuleConfidence {
    trips.iter().for_each(|agrees| confidence.hear(*agrees));
    confidence
}

/// P-040, D-150, D-154: where a candidate begins, and what a trip says of it.
#[test]
fn p_040_a_trip_that_paid_adds_a_tenth_and_one_that_did_not_takes_a_twentieth() {
    assert_eq!([RuleConfidence::PROPOSED, RuleConfidence::FOUND].map(|it| it.hundredths()), [20, 30]);
    assert_eq!(after(RuleConfidence::PROPOSED, &[true, true, false]).hundredths(), 35);
    assert_eq!(after(RuleConfidence::FOUND, &[false, false, true, false]).hundredths(), 25);
}

/// P-040, D-155, D-156, D-161: four trips are not five, and evidence judges who was admitted.
#[test]
fn p_040_seven_tenths_and_five_confirmations_admit() {
    let four = after(RuleConfidence::FOUND, &[true; 4]);
    assert!(four.hundredths() == 70 && !four.is_admitted(), "four trips are not five");
    assert!(after(four, &[true]).is_admitted());
    // Five that confirm and two that do not: 0.6.
    let contradicted = after(RuleConfidence::PROPOSED, &[true, false, true, false, true, true, true]);
    assert!(contradicted.hundredths() == 60 && !contradicted.is_admitted());
    assert!(after(contradicted, &[true]).is_admitted());
    // Who went through the gate is judged by its evidence from there on.
    let later = after(contradicted, &[true, false, false, false]);
    assert!(later.is_admitted() && !later.is_refuted());
}

/// P-040, D-155.
#[test]
fn p_040_below_a_tenth_it_is_refuted_and_stays_so() {
    let doubted = after(RuleConfidence::PROPOSED, &[false; 2]);
    assert!(doubted.hundredths() == 10 && !doubted.is_refuted());
    let refuted = after(doubted, &[false]);
    assert!(refuted.is_refuted());
    assert!(after(refuted, &[true; 9]).is_refuted());
}
