//! an authorisation is on disk before it is given away, and an effect has at most one that may be taken.

use golem_core::record::Partition;
use golem_ports::{
    Authorisation, Delivery, FloatBook, Goods, Payment, PaymentReceipt, PaymentState, Payments, StoreError,
};
use golem_primitives::{Address, B256, Usdc, UtcTime, keccak256};
use golem_store::SqliteStore;
use proptest::prelude::*;

use crate::world::{Lived, World, effect_id, fresh, now};

const DAY: u64 = UtcTime::DAY_SECONDS;

fn payment(effect: u64, name: u8, micros: u64) -> Payment {
    Payment {
        effect: effect_id(effect),
        partition: Partition::Data,
        host: "data.example:443".to_owned(),
        authorisation: Authorisation {
            payee: Address::repeat_byte(9),
            amount: Usdc::from_micros(micros),
            valid_before: now(10),
            nonce: keccak256([name]),
        },
        at: now(1),
        version: 2,
        header: format!("header {name}"),
        state: PaymentState::Open,
        delivery: Delivery::Awaited,
    }
}

fn answer(text: &str) -> Goods {
    Goods { media: "application/json".to_owned(), body: text.as_bytes().to_vec() }
}

#[test]
fn r_033_a_payment_is_found_again_after_a_restart_with_what_came_of_it() {
    let Lived { folder: _folder, path, world: World { mut store, .. } } = fresh();
    let mut first = payment(1, 1, 4_000);
    store.intend(&first).expect("on disk");
    store.intend(&first).expect("the same once more is nothing new");
    assert_eq!(store.open_payments().expect("readable"), [first.clone()]);
    let nonce = first.authorisation.nonce;
    let receipt =
        PaymentReceipt { tx: Some(B256::repeat_byte(3)), payer: Some(Address::ZERO), network: "eip155:8453".into() };
    store.conclude(nonce, PaymentState::Settled).expect("known");
    store.served(nonce, Some(&receipt), &answer("{}")).expect("known");
    drop(store);
    let store = SqliteStore::open(&path, None).expect("a memory");
    first.state = PaymentState::Settled;
    first.delivery = Delivery::Served { receipt: Some(receipt), answer: Some(answer("{}")) };
    assert_eq!(store.payment_of(effect_id(1)).expect("readable"), Some(first.clone()));
    assert_eq!(store.payment_of(effect_id(2)).expect("readable"), None);
    assert_eq!(store.reader().last_payments(5).expect("readable"), [first]);
    assert!(store.open_payments().expect("readable").is_empty());
}

/// whatever the state of the first, the disk never lets two of an effect be taken.
#[test]
fn r_021_an_effect_has_one_payment_that_is_not_void() {
    for (state, again, other) in
        [(PaymentState::Open, true, false), (PaymentState::Settled, false, false), (PaymentState::Void, true, true)]
    {
        let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
        store.intend(&payment(1, 1, 5)).expect("on disk");
        store.conclude(keccak256([1]), state).expect("known");
        let same = store.intend(&payment(1, 1, 5));
        assert_eq!(same.is_ok(), again, "{state:?}: {same:?}");
        store.conclude(keccak256([1]), state).expect("known");
        let another = store.intend(&payment(1, 2, 7));
        assert_eq!(another.is_ok(), other, "{state:?}: {another:?}");
        let known = store.payment_of(effect_id(1)).expect("readable").expect("one");
        assert_eq!(known.authorisation.nonce, keccak256([if other { 2 } else { 1 }]));
    }
}

/// a seller that changes its price and back again is paid by the first name, and that one is what is found.
#[test]
fn r_021_a_payment_opened_again_is_the_one_that_counts() {
    for state in [PaymentState::Open, PaymentState::Settled] {
        let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
        for (name, micros) in [(1, 5), (2, 7)] {
            store.intend(&payment(1, name, micros)).expect("on disk");
            store.conclude(keccak256([name]), PaymentState::Void).expect("known");
        }
        let newest = store.payment_of(effect_id(1)).expect("readable").expect("one");
        assert_eq!(newest.authorisation.nonce, keccak256([2]), "nothing may be taken, so the newest");
        store.intend(&payment(1, 1, 5)).expect("the first price again");
        store.conclude(keccak256([1]), state).expect("known");
        let known = store.payment_of(effect_id(1)).expect("readable").expect("one");
        assert_eq!((known.authorisation.nonce, known.state), (keccak256([1]), state));
        assert_eq!(known.authorisation.amount, Usdc::from_micros(5));
    }
}

#[test]
fn r_033_a_name_belongs_to_one_effect_and_an_unknown_one_is_refused() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    store.intend(&payment(1, 1, 5)).expect("on disk");
    let stolen = store.intend(&payment(2, 1, 5)).expect_err("another's name");
    assert!(matches!(stolen, StoreError::Failed { .. }), "{stolen}");
    let nobody = B256::ZERO;
    assert!(store.conclude(nobody, PaymentState::Void).is_err());
    assert!(store.served(nobody, None, &answer("")).is_err());
    assert!(store.unserved(nobody, "why", Some(now(1))).is_err());
}

#[test]
fn r_033_a_day_bears_what_may_be_taken_and_not_what_ran_out() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    for (effect, micros) in [(1, 10), (2, 200), (3, 3_000)] {
        store.intend(&payment(effect, effect as u8, micros)).expect("on disk");
    }
    let mut tomorrow = payment(4, 4, 40_000);
    tomorrow.at = UtcTime::from_seconds(now(1).seconds() + DAY);
    store.intend(&tomorrow).expect("on disk");
    store.conclude(keccak256([2]), PaymentState::Settled).expect("known");
    store.conclude(keccak256([3]), PaymentState::Void).expect("known");
    assert_eq!(store.spent_on(now(1).day()).expect("readable"), Usdc::from_micros(210));
    assert_eq!(store.spent_on(now(1).day() + 1).expect("readable"), Usdc::from_micros(40_000));
    assert_eq!(store.spent_on(0).expect("readable"), Usdc::ZERO);
}

#[test]
fn r_033_a_host_is_barred_until_a_moment_and_its_first_payee_is_remembered() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    assert_eq!(store.payee_of("data.example:443").expect("readable"), None);
    store.intend(&payment(1, 1, 5)).expect("on disk");
    let mut other = payment(2, 2, 5);
    other.authorisation.payee = Address::repeat_byte(8);
    store.intend(&other).expect("on disk");
    assert_eq!(store.payee_of("data.example:443").expect("readable"), Some(Address::repeat_byte(9)));
    store.conclude(keccak256([1]), PaymentState::Void).expect("known");
    assert_eq!(store.payee_of("data.example:443").expect("readable"), Some(Address::repeat_byte(8)));
    assert_eq!(store.barred_until("data.example:443").expect("readable"), None);
    store.unserved(keccak256([2]), "it answered 500", Some(now(90))).expect("known");
    store.unserved(keccak256([2]), "it answered 500", Some(now(80))).expect("known");
    assert_eq!(store.barred_until("data.example:443").expect("readable"), Some(now(90)));
    assert_eq!(store.barred_until("other.example:443").expect("readable"), None);
    let known = store.payment_of(effect_id(2)).expect("readable").expect("one");
    assert_eq!(known.delivery, Delivery::Unserved { why: "it answered 500".to_owned() });
}

/// answers older than a day are dropped, what they cost is not.
#[test]
fn r_033_old_answers_are_dropped_and_their_cost_is_kept() {
    let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
    store.intend(&payment(1, 1, 5)).expect("on disk");
    store.served(keccak256([1]), None, &answer("old")).expect("known");
    let mut late = payment(2, 2, 5);
    late.at = UtcTime::from_seconds(now(1).seconds() + DAY + 1);
    store.intend(&late).expect("on disk");
    store.served(keccak256([2]), None, &answer("new")).expect("known");
    let delivery = |effect| store.payment_of(effect_id(effect)).expect("readable").expect("one").delivery;
    assert_eq!(delivery(1), Delivery::Served { receipt: None, answer: None });
    assert_eq!(delivery(2), Delivery::Served { receipt: None, answer: Some(answer("new")) });
    assert_eq!(store.spent_on(now(1).day()).expect("readable"), Usdc::from_micros(5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// V-006, R-033: the book is the sum of what was written, whatever the order and however often a draw is told.
    #[test]
    fn v_006_the_float_book_adds_up(draws in prop::collection::vec((0usize..4, 0u64..1_000_000), 0..12),
                                    pays in prop::collection::vec((0usize..4, 0u64..1_000_000, 0u8..3), 0..12)) {
        let Lived { folder: _folder, world: World { mut store, .. }, .. } = fresh();
        let mut expected = FloatBook::default();
        for (number, (partition, micros)) in draws.iter().enumerate() {
            let amount = Usdc::from_micros(*micros);
            for _ in 0..2 {
                store.drew(effect_id(number as u64), Partition::ALL[*partition], amount).expect("on disk");
            }
            expected.drawn[*partition] = expected.drawn[*partition].saturating_add(amount);
        }
        for (number, (partition, micros, fate)) in pays.iter().enumerate() {
            let mut paid = payment(100 + number as u64, number as u8, *micros);
            paid.partition = Partition::ALL[*partition];
            store.intend(&paid).expect("on disk");
            let state = [PaymentState::Open, PaymentState::Settled, PaymentState::Void][usize::from(*fate)];
            store.conclude(paid.authorisation.nonce, state).expect("known");
            let column = match state {
                PaymentState::Open => &mut expected.open,
                PaymentState::Settled => &mut expected.paid,
                PaymentState::Void => continue,
            };
            column[*partition] = column[*partition].saturating_add(paid.authorisation.amount);
        }
        prop_assert_eq!(store.float_book().expect("readable"), expected);
    }
}
