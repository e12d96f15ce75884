//! P-056, P-076. A hand that is put away and taken up again is the one that was never stopped.

use golem_mortality::fractal::PhageLaw;
use proptest::prelude::*;

use super::tests::{Life, any_book, found, walk};
use super::*;
use crate::choice::Limits;
use crate::makers::{CAPITAL, holds_for, in_hour, look};
use crate::market::{Edge, Market};
use crate::phages::PhageTerms;
use crate::prices::Terms;
use crate::search::STAGED;

/// Put away as two pieces of bytes: the small form and the rows.
fn put_away(hand: &Hand) -> (Vec<u8>, Vec<u8>) {
    let rows: Vec<&Row> = hand.rows().collect();
    (postcard::to_stdvec(hand).expect("it has a form"), postcard::to_stdvec(&rows).expect("they have a form"))
}

fn taken_up((small, rows): &(Vec<u8>, Vec<u8>)) -> Hand {
    let mut hand: Hand = postcard::from_bytes(small).expect("the small form is read");
    assert!(hand.rows().len() == 0 && hand.watch == Watch::default(), "the small form knows no rows");
    assert_eq!(hand.record().is_whole(), hand.record().pushed() == 0);
    hand.take_up(postcard::from_bytes(rows).expect("rows are read")).expect("its own rows");
    assert!(hand.record().is_whole());
    hand
}

/// Shorter than the watch remembers, longer, and longer than the record.
fn any_length() -> impl Strategy<Value = usize> {
    prop_oneof![0_usize..700, 5_000_usize..5_300, 10_000_usize..10_300]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn p_056_p_076_a_hand_goes_on_as_if_it_had_never_been_put_away(
        rules in any_book(), seed in 0_u64..1_000, stopped in any_length(), after in 1_usize..250,
    ) {
        let looks = walk(seed, (stopped + after) as u64);
        let mut lived = found(&rules, Founding::Trial);
        let mut life = Life::default();
        for look in &looks[..stopped] {
            life.pending = lived.look(look, &life.now(look, Limits::NONE)).order;
            lived.events().for_each(drop);
        }
        let away = put_away(&lived);
        let mut again = taken_up(&away);
        prop_assert_eq!(&again, &lived);
        prop_assert_eq!(put_away(&again), away);
        let newest = looks[stopped.saturating_sub(1)];
        prop_assert_eq!(again.search(&newest, CAPITAL, None, STAGED), lived.search(&newest, CAPITAL, None, STAGED));
        for look in &looks[stopped..] {
            let now = life.now(look, Limits::NONE);
            let (one, other) = (lived.look(look, &now), again.look(look, &now));
            prop_assert_eq!(one, other);
            prop_assert_eq!(lived.why(), again.why());
            prop_assert!(lived.events().eq(again.events()));
            prop_assert_eq!(lived.record().digest(), again.record().digest());
            life.pending = one.order;
        }
        prop_assert_eq!(&again, &lived);
        prop_assert_eq!(put_away(&again), put_away(&lived));
    }
}

/// A search that finds something finds the same after a restart, and remembers what it staged.
#[test]
fn p_070_p_076_a_search_after_a_restart_stages_the_same_rules() {
    let terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(60_000), liquidity: Usdc::ZERO, capital: CAPITAL };
    let edge = Edge { window: 32, depth: 1.5, gain: 0.006, over: 30, during: std::iter::once(0..12_000).collect() };
    let looks = Market { seed: 1, looks: 12_000, edge: Some(edge) }.looks(&terms);
    let mut lived = found(&[], Founding::Trial);
    let mut life = Life::default();
    for look in &looks[..11_000] {
        lived.look(look, &life.now(look, Limits::NONE));
    }
    let mut again = taken_up(&put_away(&lived));
    assert_eq!(lived.search(&looks[10_999], CAPITAL, None, STAGED), 3);
    assert_eq!(again.search(&looks[10_999], CAPITAL, None, STAGED), 3);
    assert_eq!(again, lived);
    let (mut again, mut lived) = (taken_up(&put_away(&again)), lived);
    for look in &looks[11_000..] {
        let now = life.now(look, Limits::NONE);
        assert_eq!(again.look(look, &now), lived.look(look, &now));
    }
    assert_eq!(
        again.search(&looks[11_999], CAPITAL, None, STAGED),
        lived.search(&looks[11_999], CAPITAL, None, STAGED)
    );
    assert_eq!(again, lived);
}

#[test]
fn p_076_the_small_form_does_not_grow_with_the_looks_and_tells_them_apart() {
    let mut hand = found(&[holds_for("once", in_hour(23), 50, 2)], Founding::Trust);
    let mut life = Life::default();
    let mut sizes = Vec::new();
    for (at, seen) in walk(3, 6_000).iter().enumerate() {
        hand.look(seen, &life.now(seen, Limits::NONE));
        hand.events().for_each(drop);
        if at == 500 || at == 5_999 {
            sizes.push(put_away(&hand).0.len());
        }
    }
    assert!(sizes[1] < sizes[0] + 200, "{sizes:?}");

    let mut other = found(&[], Founding::Trust);
    let mut one = other.clone();
    one.look(&look(0, 2_000.0), &Life::default().now(&look(0, 2_000.0), Limits::NONE));
    other.look(&look(0, 2_001.0), &Life::default().now(&look(0, 2_001.0), Limits::NONE));
    assert_ne!(one, other);
    assert_ne!(put_away(&one).0, put_away(&other).0, "a rule did nothing in either, and yet they saw different things");
}

#[test]
fn p_076_rows_of_another_life_are_refused_and_nothing_is_changed() {
    let lived = |seed| {
        let mut hand = found(&[], Founding::Trust);
        let mut life = Life::default();
        for look in &walk(seed, 300) {
            hand.look(look, &life.now(look, Limits::NONE));
        }
        hand
    };
    let (one, other) = (lived(1), lived(2));
    let mut again: Hand = postcard::from_bytes(&put_away(&one).0).expect("the small form is read");
    let refused = again.take_up(other.rows().copied().collect());
    assert_eq!(refused, Err(HandError::Rows(RowsError::Other)));
    let short = again.take_up(one.rows().skip(1).copied().collect());
    assert_eq!(short, Err(HandError::Rows(RowsError::Count { given: 299, wanted: 300 })));
    assert_eq!(again.rows().len(), 0);
    again.take_up(one.rows().copied().collect()).expect("its own");
    assert_eq!(again, one);
}

/// JSON knows no wide numbers and no infinities: faces and journals that speak it lose nothing.
#[test]
fn p_055_decisions_reasons_and_hands_go_through_json() {
    let mut hand = found(&[holds_for("once", in_hour(23), 50, 2)], Founding::Trust);
    let mut life = Life::default();
    for seen in &walk(3, 300) {
        let decision = hand.look(seen, &life.now(seen, Limits::NONE));
        let text = serde_json::to_string(&decision).expect("it has a form");
        assert_eq!(serde_json::from_str::<Decision>(&text).expect("read"), decision);
        let text = serde_json::to_string(hand.why()).expect("it has a form");
        assert_eq!(serde_json::from_str::<Why>(&text).expect("read"), *hand.why());
        life.pending = decision.order;
    }
    let mut again: Hand = serde_json::from_value(serde_json::to_value(&hand).expect("it has a form")).expect("read");
    again.take_up(hand.rows().copied().collect()).expect("its own rows");
    assert_eq!(again, hand);
}

/// P-056, P-079, G-100: phages that live and markets that killed are put away with a hand and go on with it.
#[test]
fn p_056_phages_and_stains_go_on() {
    let rules = [holds_for("always", in_hour(23), 50, 10)];
    let looks = walk(5, 6_000);
    let terms = PhageTerms { law: PhageLaw::default(), allowed: 9, elsewhere: 0, may_replicate: true };
    let mut life = Life::default();
    let mut lived = found(&rules, Founding::Trial);
    for look in &looks[..3_000] {
        life.pending = lived.look(look, &life.now(look, Limits::NONE)).order;
        lived.tend_phages(look, CAPITAL, None, &terms);
        lived.events().for_each(drop);
    }
    lived.remember_death(CauseKind::Economic);
    assert!(!lived.phages().living().is_empty() && lived.stains().all().len() == 1);
    let mut again = taken_up(&put_away(&lived));
    let mut ended = 0;
    for look in &looks[3_000..] {
        let now = life.now(look, Limits::NONE);
        let (one, other) = (lived.look(look, &now), again.look(look, &now));
        assert_eq!((one.order, lived.take_surfaced()), (other.order, again.take_surfaced()));
        let reports = lived.tend_phages(look, CAPITAL, None, &terms);
        assert_eq!(reports, again.tend_phages(look, CAPITAL, None, &terms));
        ended += reports.len();
        life.pending = one.order;
    }
    assert!(ended > 0 && lived == again);
}
