//! Any book there could be, for the laws that hold for all of them.

use golem_primitives::Ppm;
use proptest::prelude::*;

use crate::observable::Observable;
use crate::{Action, Book, Comparison, Condition, Expectation, Join, Relation, Rule};

fn comparison() -> impl Strategy<Value = Comparison> {
    let words: Vec<Observable> = Observable::all().collect();
    let relations = vec![Relation::AtMost, Relation::AtLeast, Relation::Below, Relation::Above];
    (prop::sample::select(words), prop::sample::select(relations), any::<u64>(), 0_u32..7).prop_map(
        |(word, relation, chance, zeros)| {
            let row = word.row().0;
            // Round numbers and odd ones alike.
            let round = 10_i64.pow(zeros);
            let threshold = row.least + (chance % (row.most - row.least + 1) as u64) as i64;
            let threshold = (threshold / round * round).clamp(row.least, row.most);
            Comparison { word, relation, threshold }
        },
    )
}

pub(crate) fn condition() -> impl Strategy<Value = Condition> {
    let part = (any::<bool>().prop_map(|or| if or { Join::Or } else { Join::And }), comparison());
    prop::collection::vec(part, 1..=4).prop_map(|mut parts| {
        parts[0].0 = Join::And;
        Condition { parts: parts.into_iter().collect() }
    })
}

fn share(least: u32) -> impl Strategy<Value = Ppm> {
    prop_oneof![(least..=1_000_000).prop_map(Ppm::of), (1_u32..=100).prop_map(|percent| Ppm::of(percent * 10_000))]
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        share(1).prop_map(|share| Action::Hold { share }),
        (share(1), share(1)).prop_map(|(width, share)| Action::Provide { width, share }),
        share(1).prop_map(|share| Action::AtMost { share }),
        (1_u16..).prop_map(|looks| Action::Wait { looks }),
        condition().prop_map(|until| Action::Tighten { until }),
        Just(Action::NoEntries),
    ]
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[!-~é≤€]([ -~é≤€]){0,60}[!-~é≤€]")
}

prop_compose! {
    pub(crate) fn rule()(
        name in "[a-z][a-z0-9-]{0,20}",
        pool in prop::option::of("[a-z][a-z0-9-]{0,23}"),
        when in condition(),
        action in action(),
        until in condition(),
        keeps: [bool; 2],
        gain in 1_i64..=10_000_000,
        within in 1_u32..=1_000_000,
        because in text(),
        asks in text(),
    ) -> Rule {
        let is_entry = !action.is_guard();
        let expects = (is_entry || keeps[0]).then_some(Expectation { return_ppm: gain, within });
        let pool = pool.map(|pool| pool.parse().expect("a pool's name"));
        Rule { name, pool, when, until: (is_entry || keeps[1]).then_some(until), action, expects, because, asks }
    }
}

/// A book of up to so many rules; names differ.
pub(crate) fn book(rules: usize) -> impl Strategy<Value = Book> {
    ("[A-Za-z][A-Za-z ]{0,30}[a-z]", prop::collection::vec(rule(), 1..=rules)).prop_map(|(title, mut rules)| {
        for (place, rule) in rules.iter_mut().enumerate() {
            rule.name = format!("{}-{place}", rule.name);
        }
        Book { title, rules }
    })
}
