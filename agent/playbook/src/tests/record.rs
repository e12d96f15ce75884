use proptest::prelude::*;

use super::*;
use crate::makers::{CAPITAL, look};

fn row(at: u64) -> Row {
    Row { look: look(at, 2_000.0 + (at * 7 % 100) as f64), capital: CAPITAL }
}

fn record(rows: impl IntoIterator<Item = Row>) -> Record {
    let mut record = Record::default();
    rows.into_iter().for_each(|row| record.push(row));
    record
}

/// The record as it comes out of the small form.
fn emptied(record: &Record) -> Record {
    Record { rows: room(), ..record.clone() }
}

#[test]
fn p_076_the_last_ten_thousand_are_kept_and_the_digest_is_of_all() {
    let long = record((0..12_345).map(row));
    assert_eq!((long.len(), long.pushed()), (RECORD, 12_345));
    assert!(long.rows().copied().eq((2_345..12_345).map(row)));
    let other_beginning = record((0..12_345).map(|at| row(at.max(1))));
    assert!(long.rows().eq(other_beginning.rows()));
    assert_ne!(long.digest(), other_beginning.digest(), "what made room is not forgotten");
}

/// Written down once: another machine, and another version of this program, must come to the same.
#[test]
fn p_076_the_digest_of_a_known_record() {
    assert_eq!(record([]).digest(), 0);
    assert_eq!(format!("{:032x}", record((0..3).map(row)).digest()), "3b3fd4441915d560a12bb4e5d6192503");
}

#[test]
fn p_076_rows_that_are_not_those_of_the_record_are_refused() {
    let whole = record((0..10_050).map(row));
    let rows: Vec<Row> = whole.rows().copied().collect();
    let taken = |rows: Vec<Row>| emptied(&whole).take_up(rows);
    assert_eq!(taken(rows.clone()), Ok(()));
    assert_eq!(taken(rows[1..].to_vec()), Err(RowsError::Count { given: 9_999, wanted: RECORD }));
    let mut swapped = rows.clone();
    swapped.swap(17, 18);
    assert_eq!(taken(swapped), Err(RowsError::Other));
    let mut later = rows;
    later.rotate_left(1);
    assert_eq!(taken(later), Err(RowsError::Other));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Any field of any look changes both digests.
    #[test]
    fn p_076_no_field_of_a_look_goes_unnoticed(looks in 1_u64..40, chosen: u64, field in 0_usize..8, bit in 0_u32..8) {
        let chosen = chosen % looks;
        let changed = |at: u64| {
            let mut row = row(at);
            if at == chosen {
                let flip = 1 << bit;
                let flipped = |amount: Usdc| Usdc::from_micros(amount.micros() ^ flip);
                match field {
                    0 => row.look.time ^= flip,
                    1 => row.look.price = flipped(row.look.price),
                    2 => row.look.twap = flipped(row.look.twap),
                    3 => row.look.impact_ppm ^= flip as u32,
                    4 => row.look.fee_ppm ^= flip as u32,
                    5 => row.look.volume = flipped(row.look.volume),
                    6 => row.look.gas = flipped(row.look.gas),
                    _ => row.capital = flipped(row.capital),
                }
            }
            row
        };
        let (one, other) = (record((0..looks).map(row)), record((0..looks).map(changed)));
        prop_assert_ne!(one.digest(), other.digest());
        prop_assert_eq!(emptied(&one).take_up(other.rows().copied().collect()), Err(RowsError::Other));
    }

    /// Whatever was pushed before and after, the rows come back and go on to the same digests.
    #[test]
    fn p_076_a_record_goes_on_where_it_stopped(before in 0_u64..10_300, after in 0_u64..400) {
        let mut whole = record((0..before).map(row));
        let mut again = emptied(&whole);
        again.take_up(whole.rows().copied().collect()).expect("its own rows");
        for at in before..before + after {
            whole.push(row(at));
            again.push(row(at));
        }
        prop_assert_eq!(again, whole);
    }
}
