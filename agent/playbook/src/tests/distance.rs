use proptest::prelude::*;

use super::*;
use crate::books::{book, rule};
use crate::parse::parse;

fn parsed(rules: &[&str]) -> Book {
    let text: String = rules
        .iter()
        .enumerate()
        .map(|(place, when)| {
            format!(
                "\n### r-{place}\n- when: {when}\n- do: hold 50%\n- until: since >= 100\n- expects: +1% within 100\n"
            )
        })
        .collect();
    parse(&format!("# Book\n{text}")).unwrap_or_else(|mistakes| panic!("{mistakes}")).book
}

fn distance(one: &[&str], other: &[&str]) -> u32 {
    Difference::between(&parsed(one), &parsed(other)).distance().get()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn p_010_distance_is_symmetric_and_nothing_to_itself(a in book(8), b in book(8), taken in 0_usize..8) {
        prop_assert_eq!(Difference::between(&a, &a).distance(), Ppm::ZERO);
        // Books with something in common, so that pairs are there to find.
        let mut b = b;
        b.rules.extend(a.rules.iter().take(taken).cloned());
        b.rules.reverse();
        let (there, back) = (Difference::between(&a, &b), Difference::between(&b, &a));
        prop_assert_eq!(there.distance(), back.distance());
        prop_assert!(there.same.len() >= taken.min(a.rules.len()));
        prop_assert_eq!(there.same.len() + there.only_first.len(), a.rules.len());
        prop_assert_eq!(there.same.len() + there.only_second.len(), b.rules.len());
    }

    #[test]
    fn p_010_what_a_rule_is_called_and_why_is_no_difference(rule in rule()) {
        let other = Rule { name: "other".to_owned(), because: None, asks: Some("why?".to_owned()), ..rule.clone() };
        prop_assert!(rule.means(&other) && other.means(&rule));
    }
}

#[test]
fn p_010_thresholds_within_a_tenth_are_the_same() {
    let base = ["z(64) <= -2 and vol(64) <= 0.1%"];
    assert_eq!(distance(&base, &["z(64) <= -1.8 and vol(64) <= 0.11%"]), 0);
    assert_eq!(distance(&base, &["vol(64) < 0.1% and z(64) < -2"]), 0, "order and strictness are spelling");
    assert_eq!(distance(&base, &["z(64) <= -1.7 and vol(64) <= 0.1%"]), 1_000_000);
    assert_eq!(distance(&base, &["z(64) <= -2 or vol(64) <= 0.1%"]), 1_000_000);
    assert_eq!(distance(&base, &["z(32) <= -2 and vol(64) <= 0.1%"]), 1_000_000);
    assert_eq!(distance(&["z(64) <= 0"], &["z(64) <= 0.0001"]), 1_000_000, "nothing is near nothing alone");
}

#[test]
fn p_010_distance_is_the_share_of_rules_that_only_one_book_has() {
    let two = ["z(64) <= -2", "gap >= 1%"];
    assert_eq!(distance(&two, &["gap >= 1%"]), 500_000);
    assert_eq!(distance(&two, &["gap >= 1%", "gas >= 2"]), 666_666);
    // The first could pair with both, the second with one alone: both find a partner.
    assert_eq!(distance(&["gap >= 1%", "gap >= 1.1%"], &["gap >= 1.05%", "gap >= 0.95%"]), 0);
}
