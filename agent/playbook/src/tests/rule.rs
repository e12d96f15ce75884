use proptest::prelude::*;

use super::*;
use crate::observable::Span;
use crate::vocabulary::WORDS;

/// Every word of the market once, each with a value that no other has.
fn all_different() -> (Seen, Vec<(Observable, i64)>) {
    let mut seen = Seen::default();
    let plain = [
        Observable::Gap,
        Observable::Depth,
        Observable::Cost,
        Observable::Gas,
        Observable::Hour,
        Observable::Weekday,
        Observable::Regime,
    ];
    let spanned = [
        Observable::Z,
        Observable::Move,
        Observable::Vol,
        Observable::Range,
        Observable::Trend,
        Observable::VolRank,
        Observable::Fees,
    ];
    let over = spanned.into_iter().flat_map(|word| Span::ALL.map(word));
    let values: Vec<(Observable, i64)> = over.chain(plain).zip(100..).collect();
    for (word, value) in &values {
        seen.set(*word, *value);
    }
    (seen, values)
}

#[test]
fn p_003_every_word_has_a_place_of_its_own_and_those_of_the_account_ask_the_account() {
    let (seen, values) = all_different();
    let own = Stance { held: 1, since: 2, gain: 3, fall: 4 };
    assert!(values.iter().all(|(word, value)| seen.get(*word, &own) == Some(*value)));
    let words = [Observable::Held, Observable::Since, Observable::Gain, Observable::Fall];
    assert_eq!(words.map(|word| seen.get(word, &own)), [Some(1), Some(2), Some(3), Some(4)]);
    assert!(words.iter().all(|word| word.place().is_none()));
    assert_eq!(values.len() + words.len(), WORDS.len() + 7 * 6, "seven words have seven spans");
}

#[test]
fn p_002_a_comparison_holds_as_it_is_written_and_of_nothing_never() {
    let mut seen = Seen::default();
    let holds = |seen: &Seen, relation, threshold| {
        Comparison { word: Observable::Hour, relation, threshold }.holds(seen, &Stance::default())
    };
    let relations = [Relation::AtMost, Relation::AtLeast, Relation::Below, Relation::Above];
    assert!(relations.iter().all(|relation| !holds(&seen, *relation, i64::MIN)), "there is no value yet");
    seen.set(Observable::Hour, 7);
    for (threshold, wanted) in [
        (6, [false, true, false, true]),
        (7, [true, true, false, false]),
        (8, [true, false, true, false]),
        (i64::MAX, [true, false, true, false]),
        (i64::MIN, [false, true, false, true]),
    ] {
        assert_eq!(relations.map(|relation| holds(&seen, relation, threshold)), wanted, "7 and {threshold}");
    }
}

proptest! {
    /// P-002. Groups joined by `and`, of which one is enough, however many comparisons there are and wherever they stand.
    #[test]
    fn p_002_and_binds_tighter_than_or(
        parts in prop::collection::vec((any::<bool>(), any::<bool>()), 0..=COMPARISONS),
    ) {
        let mut seen = Seen::default();
        seen.set(Observable::Hour, 7);
        let part = |(is_or, is_true): &(bool, bool)| {
            let join = if *is_or { Join::Or } else { Join::And };
            let relation = if *is_true { Relation::AtMost } else { Relation::Above };
            (join, Comparison { word: Observable::Hour, relation, threshold: 7 })
        };
        let condition = Condition { parts: parts.iter().map(part).collect() };
        // The join of the first is never read.
        let mut groups: Vec<Vec<bool>> = Vec::new();
        for (is_or, is_true) in &parts {
            match groups.last_mut() {
                Some(group) if !is_or => group.push(*is_true),
                _ => groups.push(vec![*is_true]),
            }
        }
        let wanted = groups.iter().any(|group| group.iter().all(|is_true| *is_true));
        prop_assert_eq!(condition.holds(&seen, &Stance::default()), wanted);
    }
}
